"""A game to be watched again, in a browser: every way to a moment, what is shown there, hostile words, two sizes."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from browser.conftest import SIZES, Opened, sync_api
from matches import scenario_of
from systems.whole import log_of

from pbem.match.moments import Moments
from pbem.match.replay import replay
from pbem.report import replayed

Json = dict[str, Any]

GAMES = {
    "bakumatsu": "entry-by-move",
    "gcacw": "confederate-marginal",
    "samurai": "red-resigned",
    "sengoku": "standing-resigned",
    "yukimura": "connected-west",
}
"""One game of each system, that of yukimura on two maps."""


def data_of(log: str) -> Json:
    moments = Moments()
    table = replay(log, scenario_of, look=moments).table
    assert table is not None
    return replayed.data(table, moments, scenario_of(table.genesis.terms.scenario))


@cache
def data(system: str) -> Json:
    """A whole game of a system to be watched."""
    return data_of(log_of(system, GAMES[system]))


@pytest.fixture(scope="module")
def page_of(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """System -> the file of its game's page."""
    folder = tmp_path_factory.mktemp("pages")

    def written(system: str) -> Path:
        path = folder / f"{system}.html"
        if not path.exists():
            path.write_text(replayed.html(data(system)), "utf-8")
        return path

    return written


def ready(page: sync_api.Page) -> sync_api.Page:
    page.wait_for_selector("#stage:not([hidden])")
    return page


def shown(page: sync_api.Page) -> tuple[str, str]:
    return page.text_content("#title") or "", (page.text_content("#words") or "").replace("\u00a0", " ")


def told(system: str, moment: int) -> tuple[str, str]:
    found = data(system)["moments"][moment]
    return found["title"], found["told"]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("system", GAMES)
def test_every_way_leads_to_its_moment(system: str, size: str, page_of: Any, opened: Opened) -> None:
    page, moments = ready(opened(page_of(system), size)), data(system)["moments"]
    assert shown(page) == told(system, 0)
    for at in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        assert shown(page) == told(system, at)
        for part in ("lines", "score"):
            found = [line.replace("\u00a0", " ") for line in page.locator(f"#{part} li").all_text_contents()]
            assert found == moments[at][part]
    page.keyboard.press("ArrowLeft")
    assert shown(page) == told(system, 2)
    page.keyboard.press("PageDown")
    next_phase = next(n for n, moment in enumerate(moments) if n > 2 and moment["title"] != moments[2]["title"])
    assert shown(page) == told(system, next_phase)
    page.click("#last")
    assert shown(page) == told(system, len(moments) - 1)
    page.keyboard.press("PageUp")
    page.click("#first")
    assert shown(page) == told(system, 0)
    page.locator("#at").fill(str(len(moments) // 2))
    assert shown(page) == told(system, len(moments) // 2)
    last = page.locator("#turns button").last
    last.click()
    assert shown(page) == told(system, next(n for n, one in enumerate(moments) if one["turn"] == moments[-1]["turn"]))
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize("system", GAMES)
def test_pictures_are_put_together_from_the_right_pieces(system: str, page_of: Any, opened: Opened) -> None:
    """However one comes to a moment, its map shows the same, piece by piece in their order."""
    page, maps = ready(opened(page_of(system))), data(system)["maps"]
    moments = data(system)["moments"]
    ways = [len(moments) - 1, 1, len(moments) // 2, len(moments) // 2 + 1, 0]
    for at in ways:
        page.locator("#at").fill(str(at))
        for place, map in enumerate(maps):
            if len(maps) > 1:
                page.select_option("#which", str(place))
            found = page.evaluate("document.querySelector('#maps svg').childNodes.length")
            assert found == len(map["pictures"][at]), (at, map["name"])
            titles = page.locator("#maps svg > g > g > title").all_text_contents()
            drawn = "".join(data(system)["pieces"][number] for number in map["pictures"][at])
            assert all(title.split(":")[0] in drawn for title in titles)


def test_a_link_leads_to_its_moment_and_back_goes_back(page_of: Any, opened: Opened) -> None:
    moments = data("gcacw")["moments"]
    at = len(moments) // 3
    page = ready(opened(page_of("gcacw"), anchor=f"#entry-{moments[at]['entry']}-{moments[at]['number']}"))
    assert shown(page) == told("gcacw", at)
    page.keyboard.press("ArrowRight")
    assert page.url.endswith(f"#entry-{moments[at + 1]['entry']}-{moments[at + 1]['number']}")
    other = ready(opened(page.url))
    assert shown(other) == told("gcacw", at + 1)
    assert shown(ready(opened(page_of("gcacw"), anchor="#entry-999-1"))) == told("gcacw", 0)


def test_it_plays_by_itself_and_stops_at_the_end(page_of: Any, opened: Opened) -> None:
    page, moments = ready(opened(page_of("samurai"))), data("samurai")["moments"]
    page.locator("#at").fill(str(len(moments) - 2))
    page.keyboard.press("Tab")
    page.click("#play")
    assert page.get_attribute("#play", "aria-pressed") == "true"
    sync_api.expect(page.locator("#where")).to_contain_text(f"moment {len(moments)} of")
    sync_api.expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")


def test_what_happens_lies_in_the_window(page_of: Any, opened: Opened) -> None:
    """The map is large and is scrolled to where a unit has gone."""
    page, moments = ready(opened(page_of("gcacw"), "phone")), data("gcacw")["moments"]
    gone = [n for n, one in enumerate(moments) if re.search(r"\([a-z0-9-]+\) marched", one["told"])][:4]
    assert len(gone) == 4
    for at in gone:
        page.locator("#at").fill(str(at - 1))
        page.locator("#at").fill(str(at))
        unit = re.findall(r"\(([a-z0-9-]+)\) marched", moments[at]["told"])[0]
        seen = page.evaluate(
            """(unit) => {
                const room = document.getElementById("maps").getBoundingClientRect();
                const titles = [...document.querySelectorAll("#maps svg title")];
                const counter = titles.find((one) => one.textContent.startsWith(`${unit}:`)).parentNode;
                const box = counter.getBoundingClientRect();
                const inside = box.left >= room.left && box.right <= room.right;
                return inside && box.top >= room.top && box.bottom <= room.bottom;
            }""",
            unit,
        )
        assert seen, moments[at]["told"]


def test_words_do_nothing_on_the_page(tmp_path: Path, opened: Opened) -> None:
    """Names and words that a scenario or a player could have written: they are shown as they are."""
    hostile = "<img src=x onerror=alert(1)> </script><script>alert(2)</script> <b>bold</b>"
    found = data("bakumatsu")
    first = {**found["moments"][0], "told": hostile, "title": hostile, "lines": [hostile], "score": [hostile]}
    forged = {**found, "moments": [first, *found["moments"][1:]]}
    path = tmp_path / "hostile.html"
    path.write_text(replayed.html(forged), "utf-8")
    page = opened(path)
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    ready(page)
    assert shown(page) == (hostile, hostile)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert page.locator("main img, #told script, main b").count() == 0
    assert asked == []


def test_without_scripts_the_page_says_so(page_of: Any, browser: sync_api.Browser) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(page_of("gcacw").as_uri())
    assert "switched" in (page.inner_text("noscript") or page.content())
    page.close()
