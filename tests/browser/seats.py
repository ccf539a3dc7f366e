"""A player's seat at the page in a browser: what he clicks, what is signed then."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.conftest import SIZES, sync_api
from matches import Match, write_home
from served import TOKEN, Page

from pbem.page.serve import Server, listening
from pbem.scenario import Scenario
from pbem.wire.blocks import Block, newest_block, render_block
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn

__all__ = ["At", "Seat", "begun", "newest", "windows"]

expect = sync_api.expect
Json = dict[str, Any]


def begun(scenario: Scenario) -> Match:
    """A game in which orders are due for the first time."""
    match = Match(scenario, 7)
    while match.due()[0] not in ("orders", "react"):
        match.play()
    return match


def newest(log: Path) -> tuple[Statement, ...]:
    """What the newest entry of a log says: its orders as they are signed."""
    return Turn.of(newest_block(log.read_text("ascii"))).entry.body


def home_of(match: Match, name: str, folder: Path) -> Path:
    """A player's home."""
    root = folder / f"clicked-by-{name}" / "home"
    write_home(match, name, root)
    return root


class Seat:
    """A player's home, and its page served in this process."""

    def __init__(self, root: Path) -> None:
        self.root = root
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

    @property
    def log(self) -> Path:
        """The log of the game."""
        return self.page.home.games()[0].log

    def newest(self) -> Block:
        """The newest entry."""
        return newest_block(self.log.read_text("ascii"))

    def signed(self) -> tuple[Statement, ...]:
        """What the newest entry says."""
        return newest(self.log)

    def copied(self, folder: Path) -> Path:
        """A copy of the home, as it is now."""
        return Path(shutil.copytree(self.root, folder / "typed" / "home"))


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

    def learn(self, block: Block) -> None:
        """Take in an entry as another program of this home does."""
        with self.seat.log.open("a", encoding="ascii") as log:
            log.write(render_block(block))

    def look_again(self) -> None:
        """Load the page once more."""
        self.page.reload()
        self.page.wait_for_selector("#wait", state="hidden")
        self.view = self.seat.page.of("view")

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
        page.keyboard.press("Escape")  # else it is a target of who was picked before
        if unit["map"]:
            self.click(unit)
            line = page.locator(f"#choices button[data-unit='{unit['id']}']")
            own = title.filter(has_text=re.compile(f"^{unit['id']}$"))
            gone = page.locator("#choosing p").filter(has_text="nothing that can be ordered now is aimed")
            expect(line.or_(own).or_(gone).first).to_be_visible(timeout=20_000)
            if line.count():
                line.click()
            elif not own.count():  # behind the list it has gone along with another one
                return False
        else:
            page.evaluate("document.getElementById('roster').open = true")
            page.locator(f"#roster button[data-unit='{unit['id']}']").click()
        expect(title).to_have_text(unit["id"], timeout=20_000)
        return page.locator("#choices button[data-typed]").count() > 0

    def choices(self) -> list[str]:
        """The orders that are offered, as they are typed."""
        buttons = self.page.locator("#choices button[data-typed]")
        buttons.first.wait_for()
        return [one.get_attribute("data-typed") or "" for one in buttons.all()]

    def take(self, typed: str = "") -> str:
        """Click on the target of an order that is offered, and on it if several lead there; "": the first with a mark.

        Where none is marked, as for a set-up on a table, on the order in the list.
        """
        before = self.page.locator("#list li").count()
        first = self.page.locator("#list li").nth(before)
        button = f"button[data-typed='{typed}']" if typed else "button[data-typed]"
        choice = self.page.locator(f"#choices {button}").first
        choice.wait_for()
        target = choice.get_attribute("data-target") if typed else None
        mark = self.page.locator(f".mark[data-target='{target}']" if target else ".mark").first
        if not mark.count() or target == "":
            choice.click()
            expect(first).to_be_visible(timeout=20_000)
            return first.locator("code").first.text_content() or ""
        spot = dict(zip(("map", "x", "y"), (mark.get_attribute("data-target") or "").split(" "), strict=True))
        self.click({"map": spot["map"], "x": float(spot["x"]), "y": float(spot["y"])})
        choice = self.page.locator(f"#choices h3:text('Which order?') ~ {button}").first
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
            yes = dialog.get_by_role("button", name=re.compile("^Yes"))
            (yes if yes.count() else dialog.locator("#ask-buttons button").first).click()
            expect(self.page.locator("#ask-title")).not_to_have_text(title or "", timeout=180_000)
        raise AssertionError("it asks without end")


@pytest.fixture
def windows(browser: sync_api.Browser, tmp_path: Path) -> Iterator[Any]:
    """Opens windows on the page of who is to move in a match; at the end none may have reported an error."""
    opened: list[At] = []

    def window(of: Match | Path, size: str = "desk", name: str = "") -> At:
        wide, high = SIZES[size]
        root = of if isinstance(of, Path) else home_of(of, name or str(of.due()[1]), tmp_path)
        opened.append(At(browser.new_page(viewport={"width": wide, "height": high}), Seat(root)))
        return opened[-1]

    yield window
    for one in opened:
        one.page.close()
        one.seat.close()
    assert [wrong for one in opened for wrong in one.wrong] == []
