"""The page of the report: made by `open`, kept in the game's folder, shown only where somebody sits at a desktop."""

from __future__ import annotations

import sys
import webbrowser
import zipfile
from pathlib import Path

import pytest
from cli_player import World

from pbem.picture import png

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION", "NO_BROWSER")


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """Asuka has sent 4.eml, which ben hasn't opened."""
    return World(tmp_path)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that a browser was asked to show, at a terminal on a machine with a display."""
    found: list[str] = []
    for name in DISPLAYS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr("pbem.cli.showing.at_terminal", lambda: True)
    monkeypatch.setattr(webbrowser, "open", lambda address: found.append(address) or True)
    return found


def page(world: World, name: str) -> Path:
    return world.log(name).with_name("report.html")


def test_open_keeps_the_page_of_the_newest_report(world: World) -> None:
    assert not page(world, "ben").exists()
    said = world.says("ben", "open", world.path("4.eml"))
    text = page(world, "ben").read_text("utf-8")
    assert f"the report with its pictures: {page(world, 'ben')}" in said.err.replace("\n", "")
    assert text.startswith("<!DOCTYPE html>")
    assert "<summary>The whole map" in text
    assert text == world.does("ben", "report", "--format", "html")
    page(world, "ben").write_text("old")
    world.says("ben", "open", "--quiet", world.path("4.eml"))
    world.says("ben", "open", "--json", world.path("4.eml"))
    assert page(world, "ben").read_text() == "old"


def test_no_backup_holds_the_page_and_one_with_it_is_restored(world: World) -> None:
    world.says("ben", "open", world.path("4.eml"))
    world.does("ben", "backup", world.path("ben.zip"))
    with zipfile.ZipFile(world.path("ben.zip")) as archive:
        assert not [name for name in archive.namelist() if "report" in name]
    assert world.says("ben", "restore", world.path("ben.zip")).code == 0


def test_the_browser_shows_it_at_a_desktop(world: World, shown: list[str]) -> None:
    said = world.says("ben", "open", world.path("4.eml"))
    assert shown == [page(world, "ben").resolve().as_uri()]
    assert "is in the browser" in said.err


@pytest.mark.parametrize("without", ["--no-browser", "--quiet", "NO_BROWSER", "display", "terminal"])
def test_no_browser_where_none_is_wanted(
    without: str, world: World, shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [without] if without.startswith("--") else []
    if without == "NO_BROWSER":
        monkeypatch.setenv("NO_BROWSER", "1")
    if without == "display":
        monkeypatch.delenv("DISPLAY")
    if without == "terminal":
        monkeypatch.setattr("pbem.cli.showing.at_terminal", lambda: False)
    said = world.says("ben", "open", *words, world.path("4.eml"))
    assert said.code == 0
    assert shown == []
    assert "is in the browser" not in said.err


def test_the_page_has_pictures_drawn_in_text_without_the_extra(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.errors import Refused

    def refuse(*_: object) -> bytes:
        raise Refused("PNG needs an extra")

    monkeypatch.setattr(png, "png", refuse)
    world.says("ben", "open", world.path("4.eml"))
    text = page(world, "ben").read_text("utf-8")
    assert "data:image/png" not in text
    assert text.count("<svg") > 1


def test_a_page_that_cant_be_written_is_told_and_the_mail_is_opened(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    page(world, "ben").mkdir()
    said = world.says("ben", "open", world.path("4.eml"))
    assert said.code == 0
    assert "the page of the report: " in said.err
    assert "entry 4 (orders by asuka) is taken" in said.err
