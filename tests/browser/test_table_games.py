"""Every scenario at the page in a browser: a phase is clicked and sent, and is the same entry as typed orders make."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.conftest import SIZES, sync_api
from cli_player import World
from matches import Match, scenario_of, write_home
from served import TOKEN, Page, environment

from pbem.page.run import Commands
from pbem.page.serve import Server, listening
from pbem.resources import data_folder
from pbem.scenario import Scenario
from pbem.wire.blocks import newest_block
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn

expect = sync_api.expect
Json = dict[str, Any]

SCENARIOS = sorted(
    path.stem
    for path in data_folder("scenarios").glob("*/*.yaml")
    if path.stem != "tables" and "scenario:" in path.read_text("utf-8")
)
"""All that can be played."""

MOST = 4
"""So many orders are clicked."""


def begun(scenario: Scenario) -> Match:
    """A game in which orders are due for the first time."""
    match = Match(scenario, 7)
    while match.due()[0] not in ("orders", "react"):
        match.play()
    return match


def newest(log: Path) -> tuple[Statement, ...]:
    """What the newest entry of a log says: its orders as they are signed."""
    return Turn.of(newest_block(log.read_text("ascii"))).entry.body


def home_of(match: Match, folder: Path) -> Path:
    """The home of the player whose move it is."""
    _, name = match.due()
    assert name is not None
    write_home(match, name, folder / "clicked" / "home")
    return folder / "clicked" / "home"


class Seat:
    """The home of the player whose move it is, its page served in this process, and a copy of it for typed orders."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.typed = root, folder / "typed" / "home"
        shutil.copytree(self.root, self.typed)
        at = listening(0)
        self.page = Page(self.root, at.getsockname()[1])
        self._server = Server(at, lambda stop: self.page.app)
        self._thread = threading.Thread(target=self._server.run)
        self._thread.start()

    @property
    def link(self) -> str:
        return f"{self.page.address}/?token={TOKEN}&game={self.page.id}"

    def close(self) -> None:
        self._server.stop()
        self._thread.join(10)

    def signed(self) -> tuple[Statement, ...]:
        """What the newest entry says."""
        return newest(self.page.home.games()[0].log)

    def typed_entry(self, orders: list[str]) -> tuple[Statement, ...]:
        """What the entry says that `pbem send` signs of these orders in the copy."""
        commands = Commands(self.typed, None, self.typed.parent, environment())
        said = commands.run(["send", "-", "--yes", "-o", str(self.typed.parent / "turn.eml")], "\n".join(orders))
        assert said.done, said.lines
        return newest(self.typed / "games" / self.page.id / "game.log")


class At:
    """A window on a seat's page, used as a player does."""

    def __init__(self, page: sync_api.Page, seat: Seat) -> None:
        self.page, self.seat, self.view = page, seat, seat.page.of("view")
        self.wrong: list[str] = []
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", lambda said: self.wrong.append(said.text) if said.type in ("error", "warning") else None)
        page.on("request", lambda asked: self._asked(asked.url))
        page.goto(seat.link)
        page.wait_for_selector("#wait", state="hidden")

    def _asked(self, url: str) -> None:
        if not url.startswith((f"{self.seat.page.address}/", "data:")):
            self.wrong.append(url)

    def click(self, spot: Json) -> None:
        """Click on a point of a map, brought into the window first."""
        place = [one["name"] for one in self.view["maps"]].index(spot["map"])
        if len(self.view["maps"]) > 1:
            self.page.select_option("#which", str(place))
        self.page.locator("#maps").scroll_into_view_if_needed()
        where = self.page.evaluate(
            """([x, y]) => {
                const room = document.getElementById("maps"), svg = room.querySelector("svg");
                const at = () => new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
                const box = room.getBoundingClientRect();
                room.scrollBy(at().x - box.left - box.width / 2, at().y - box.top - box.height / 2);
                return [at().x, at().y];
            }""",
            [spot["x"], spot["y"]],
        )
        self.page.mouse.click(*where)

    def pick(self, unit: Json) -> bool:
        """Click on a unit, in its stack's list or that of all of mine on its line; whether anything can be ordered."""
        page, title = self.page, self.page.locator("#choosing-title")
        if unit["map"]:
            self.click(unit)
            line = page.locator(f"#choices button[data-unit='{unit['id']}']")
            expect(line.or_(title.filter(has_text=re.compile(f"^{unit['id']}$"))).first).to_be_visible(timeout=20_000)
            if line.count():
                line.click()
        else:
            page.evaluate("document.getElementById('roster').open = true")
            page.locator(f"#roster button[data-unit='{unit['id']}']").click()
        expect(title).to_have_text(unit["id"], timeout=20_000)
        return page.locator("#choices button[data-typed]").count() > 0

    def take(self) -> str:
        """Click on the first target that is marked, and on the first of the orders that lead there.

        Where there is none, as for a set-up on a table, on the first order that is listed.
        """
        before = self.page.locator("#list li").count()
        first = self.page.locator("#list li").nth(before)
        mark, choice = self.page.locator(".mark").first, self.page.locator("#choices button[data-typed]").first
        choice.wait_for()
        if not mark.count():
            choice.click()
            expect(first).to_be_visible(timeout=20_000)
            return first.locator("code").first.text_content() or ""
        spot = dict(zip(("map", "x", "y"), (mark.get_attribute("data-target") or "").split(" "), strict=True))
        self.click({"map": spot["map"], "x": float(spot["x"]), "y": float(spot["y"])})
        choice = self.page.locator("#choices h3:text('Which order?') ~ button[data-typed]").first
        expect(choice.or_(first).first).to_be_visible(timeout=20_000)
        if choice.is_visible():
            choice.click()
        expect(first).to_be_visible(timeout=20_000)
        return first.locator("code").first.text_content() or ""

    def send(self) -> None:
        """End the phase and send, whatever is asked."""
        self.page.click("#send")
        for _ in range(4):
            dialog = self.page.locator("#ask[open]")
            expect(dialog).to_be_visible(timeout=180_000)
            title = self.page.locator("#ask-title").text_content()
            if title == "Sent":
                return
            assert title != "It isn't sent", dialog.text_content()
            yes = dialog.get_by_role("button", name="Yes, send")
            (yes if yes.count() else dialog.locator("#ask-buttons button").first).click()
            expect(self.page.locator("#ask-title")).not_to_have_text(title or "", timeout=180_000)
        raise AssertionError("it asks without end")


@pytest.fixture
def windows(browser: sync_api.Browser, tmp_path: Path) -> Iterator[Any]:
    """Opens windows on the page of a match; when the test is over none may have reported an error."""
    opened: list[At] = []

    def window(of: Match | Path, size: str = "desk") -> At:
        wide, high = SIZES[size]
        root = of if isinstance(of, Path) else home_of(of, tmp_path)
        seat = Seat(root, tmp_path)
        opened.append(At(browser.new_page(viewport={"width": wide, "height": high}), seat))
        return opened[-1]

    yield window
    for one in opened:
        one.page.close()
        one.seat.close()
    assert [wrong for one in opened for wrong in one.wrong] == []


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_phase_that_is_clicked_is_the_one_that_is_typed(scenario: str, windows: Any) -> None:
    window = windows(begun(scenario_of(scenario)))
    orders: list[str] = []
    for unit in window.view["units"]:
        if len(orders) == MOST:
            break
        if unit["mine"] and window.pick(unit):
            orders.append(window.take())
    if not orders:  # what is asked first names no unit
        window.page.keyboard.press("Escape")
        orders.append(window.take())
    typed = [text for text in window.page.locator("#list li code").all_text_contents() if text]
    assert sorted(typed) == sorted(orders)
    window.send()
    signed = window.seat.signed()
    closing = [" ".join([last.keyword, *last.tokens]) for last in signed[-1:] if last.keyword in ("close", "done")]
    assert signed == window.seat.typed_entry(typed + closing)
    assert len(signed) >= len(orders) > 0
    assert window.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


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
