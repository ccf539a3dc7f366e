"""The page of a table in Japanese, in a browser at two sizes: what its scripts say, and that it has room."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from browser.conftest import SIZES, Opened, sync_api
from browser.fake_table import FakeTable
from browser.test_replay_page import data_of
from browser.test_table_page import Shown, click_hex, no_overflow, shown  # noqa: F401 a fixture
from language.conftest import catalogues  # noqa: F401 a fixture
from systems.whole import log_of

from pbem.language import ENGLISH, speak
from pbem.report.replayed import html

expect = sync_api.expect


@pytest.fixture
def japanese(catalogues: ModuleType) -> Iterator[None]:  # noqa: F811 the fixture
    """The language of the whole process: a browser's questions are answered outside the test's own context."""
    speak("ja")
    yield
    speak(ENGLISH)


def pictured(page: sync_api.Page, name: str) -> None:
    """Keep a picture of the page where somebody wants to look at it: PBEM_PICTURES names a folder."""
    if folder := os.environ.get("PBEM_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize("size", SIZES)
def test_a_turn_in_japanese(size: str, shown: Shown) -> None:  # noqa: F811 the fixture
    fake = FakeTable()
    fake.draft = "move a-2 bad\nfire a-2 risky\n"
    page = shown(fake, size)
    assert page.get_attribute("html", "lang") == "ja"
    expect(page.locator("#send")).to_have_text("フェイズを終了して送る")
    expect(page.locator("#list li").first).to_have_attribute("data-state", "wrong")
    expect(page.locator("#list li").nth(1)).to_have_attribute("data-state", "lapse")
    expect(page.locator("#list li").first).to_have_attribute(
        "aria-label", re.compile("命令1（全2件）.*合法になりえません。")
    )
    expect(page.locator("#list li").first).to_contain_text("条項8-1。")
    page.locator("#maps").scroll_into_view_if_needed()
    click_hex(page, "0101")
    expect(page.locator(".mark")).to_have_count(4)
    pictured(page, f"picked-{size}")
    click_hex(page, "0103")
    expect(page.locator("#live")).to_have_text("追加しました：move a-1 0103")
    page.fill("#command", "nobody")
    page.keyboard.press("Enter")
    expect(page.locator("#live")).to_have_text("「nobody」というユニットも場所もありません。")
    assert no_overflow(page)
    page.click("#send")
    expect(page.locator("#ask-title")).to_have_text("送りました")
    expect(page.locator("#ask")).to_contain_text("宛先はben@example.netです。")
    pictured(page, f"sent-{size}")
    page.get_by_role("button", name="閉じる").click()
    page.click("#keys-open")
    pictured(page, f"keys-{size}")
    assert no_overflow(page)


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize("size", SIZES)
def test_a_replay_in_japanese(size: str, opened: Opened, tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    path.write_text(html(data_of(log_of("bakumatsu", "entry-by-move"))), "utf-8")
    page = opened(path, size)
    page.wait_for_selector("#stage:not([hidden])")
    expect(page.locator("#title")).to_have_text("開始時")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#where")).to_have_text(re.compile(r"^エントリー\d+、\d+場面中の2。$"))
    expect(page.locator("#luck-told")).to_have_text(re.compile("^これまでの出目の、平均より良かった分：.*（破線）。$"))
    expect(page.locator("#play")).to_have_text("再生")
    page.keyboard.press(" ")
    expect(page.locator("#play")).to_have_text("一時停止")
    assert page.locator("#turns button").first.get_attribute("aria-label") == "第1ターン"
    assert no_overflow(page)
    pictured(page, f"replay-{size}")
