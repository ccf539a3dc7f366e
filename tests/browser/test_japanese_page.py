"""The page of a table in Japanese, in a browser at two sizes: what its scripts say, and that it has room."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from browser.conftest import SIZES, sync_api
from browser.fake_table import FakeTable
from browser.test_table_page import Shown, click_hex, no_overflow, shown  # noqa: F401 a fixture
from language.conftest import catalogues, japanese  # noqa: F401 fixtures

expect = sync_api.expect


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
