"""The page in a browser, with games: own ways, orders behind dice, report and replay."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from browser.conftest import SIZES, sync_api
from browser.seats import begun, windows
from cli_player import World
from matches import scenario_of

__all__ = ["windows"]  # a fixture

expect = sync_api.expect


def test_a_way_of_ones_own_is_the_one_that_is_clicked(windows: Any) -> None:
    window = windows(begun(scenario_of("yao")))
    page, seat = window.page, window.seat.page
    unit = next(one for one in window.view["units"] if one["mine"] and one["name"] and one["id"] == "ii-04")
    asked = {"head": window.view["head"], "text": "", "at": None, "unit": unit["id"]}
    ways = [one for one in seat.of("choices", **asked)["choices"] if one["keyword"] == "move" and len(one["way"]) == 4]
    labels = ways[0]["words"].split()[2:]
    assert window.pick(unit)
    page.keyboard.down("Shift")
    for label in labels:
        window.click(window.view["places"][label])
        expect(page.locator("#own-told")).to_contain_text(label)
    page.keyboard.up("Shift")
    expect(page.locator("#own-take")).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.locator("#list li code")).to_have_count(1)
    judged = seat.of("orders", head=window.view["head"], text=page.input_value("#text"))
    assert [item["words"].rstrip(";") for item in judged["items"]] == [f"move ii-04 {' '.join(labels)}"]


def test_an_order_behind_dice_is_yellow_with_its_share(tmp_path: Path, windows: Any) -> None:
    """Ben's unit fires once: the second order lapses where the first has hit, and the third, which can't be, is red."""
    window = windows(World(tmp_path, "opened").home("ben"))
    page = window.page
    page.fill("#text", "fire sa-12 at sg-11\nif is sg-11 disordered then fire sa-12 at sg-11\nfire sa-12 at sa-11\n")
    states = page.locator("#list li")
    expect(states.nth(1)).to_have_attribute("data-state", "lapse", timeout=60_000)
    expect(states.nth(1)).to_contain_text(re.compile("lapse.*futures|lapse.*time"))
    expect(states.nth(2)).to_have_attribute("data-state", "wrong")


@pytest.mark.parametrize("size", SIZES)
def test_report_and_replay_are_shown_in_frames(size: str, windows: Any) -> None:
    window = windows(begun(scenario_of("yao")), size)
    page = window.page
    expect(page.locator("#report-text")).to_contain_text("YOUR MOVE")
    page.click("#report-page")
    expect(page.frame_locator("#report-frame iframe").locator("h1")).to_contain_text("Yao", timeout=60_000)
    page.locator("#replay > summary").click()
    replay = page.frame_locator("#replay iframe")
    expect(replay.locator("#title")).to_have_text("As it began", timeout=60_000)
    expect(replay.locator("#maps svg")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_address_of_the_page_has_the_moment_of_the_replay_that_is_shown(tmp_path: Path, windows: Any) -> None:
    page = windows(World(tmp_path, "opened").home("ben")).page
    page.locator("#replay > summary").click()
    replay = page.frame_locator("#replay iframe")
    replay.locator("#on").click(timeout=60_000)
    expect(replay.locator("#where")).to_contain_text("moment 2 of")
    page.wait_for_url("**#replay-entry-*")
    page.goto("about:blank")
    page.go_back()
    expect(replay.locator("#where")).to_contain_text("moment 2 of", timeout=60_000)
