"""A table that answers as the program does, but by rules of thumb: for tests of what the page does with an answer."""

from __future__ import annotations

import json
from typing import Any

from browser.conftest import sync_api

from pbem.page.app import SCRIPTS
from pbem.report.layout import as_it_stands
from pbem.report.scripts import page as laid_out

Json = dict[str, Any]

ADDRESS = "http://127.0.0.1:9"
"""Nothing is there: every request of the page is answered by the test."""

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

HEXES = {f"{row:02}{place:02}": (60 * place + 30 * (row % 2), 60 * row) for row in range(1, 6) for place in range(1, 9)}
"""Hex -> its middle."""

UNITS = {"a-1": ("First", "0101", True), "a-2": ("Second", "0301", True), "b-1": ("Enemy", "0105", False)}
"""Unit -> its name, its hex, whether it is mine."""


class FakeTable:
    """One game: a line of its text is an order; `bad` ones can't be legal, `risky` may lapse, `final` may end it."""

    def __init__(self) -> None:
        self.seq, self.draft, self.told, self.name = 3, "", "in good order", "First"
        self.moved = self.doubtful = self.kept_out = False
        self.drafts: list[str] = []
        self.ways = ["move"]
        self.news: list[Json] = []
        self.waits: list[str] = []
        self.terms = ""
        self.asked: list[tuple[str, Json]] = []
        self.sent: list[Json] = []
        self.mails: list[str] = []

    @property
    def head(self) -> str:
        return f"head-{self.seq}"

    def open(self, page: sync_api.Page) -> None:
        """Go to its page."""
        page.route(f"{ADDRESS}/**", self._answered)
        page.goto(f"{ADDRESS}/game/g1")
        page.wait_for_selector("#wait", state="hidden")
        sync_api.expect(page.locator("#maps svg")).to_be_visible()

    def _answered(self, route: sync_api.Route) -> None:
        path = route.request.url.removeprefix(ADDRESS)
        if path.startswith("/static/"):
            route.fulfill(body=as_it_stands(path.removeprefix("/static/")), content_type="text/javascript")
        elif path.startswith("/api/"):
            data = json.loads(route.request.post_data or "{}")
            what = path.rpartition("/")[2]
            self.asked.append((what, data))
            if self.moved and what not in ("view", "games", "open"):
                self.moved = False
                route.fulfill(status=409, json={"moved": True})
                return
            route.fulfill(json=getattr(self, {"open": "open_mail", "draft": "keep"}.get(what, what))(data))
        else:
            page = laid_out("table.html.j2", {}, sorted(SCRIPTS))
            route.fulfill(body=page, content_type="text/html", headers={"Content-Security-Policy": CSP})

    # --- its answers ---------------------------------------------------------------------------------------------

    def games(self, data: Json) -> Json:
        row = {"id": "g1", "name": "fake", "title": "Fake", "opponent": "ben", "due": "", "mine": True, "over": False}
        return {"games": [row]}

    def view(self, data: Json) -> Json:
        return {
            "game": {"id": "g1", "name": "fake", "title": "Fake", "me": "asuka", "opponent": "ben", "side": "a",
                     "side_title": "Side A", "bot": False, "solo": False, "over": False},
            "head": self.head, "seq": self.seq, "mark": "m", "title": f"Turn {self.seq}, movement", "outcome": "",
            "due": {"player": "asuka", "what": "orders", "mine": True, "told": "It is your move."},
            "asked": {"side": "a", "kind": "move", "prompt": "move a unit", "clause": "1-1"}, "bare": False,
            "proposal": None, "waits": self.waits, "report": f"A report. {self.told}",
            "maps": [{"name": "map", "title": "The map", "box": [0, 0, 600, 400], "picture": [0]}],
            "pieces": ['<rect width="600" height="400" fill="#eee"/>'],
            "places": {label: {"map": "map", "x": x, "y": y, "name": "", "told": f"{label}, open"}
                       for label, (x, y) in HEXES.items()},
            "units": [self._unit(name) for name in UNITS],
            "news": self.news, "draft": self.draft, "closing": "done", "table": None,
        }  # fmt: skip

    def _unit(self, unit: str, to: str = "") -> Json:
        """A unit where it stands, or moved to a hex."""
        name, at, mine = UNITS[unit]
        at = to or at
        x, y = HEXES[at]
        told = f"{name if unit != 'a-1' else self.name} ({unit}), {at}, {self.told}"
        return {"id": unit, "name": name if unit != "a-1" else self.name, "side": "a" if mine else "b", "mine": mine,
                "at": at, "map": "map", "x": x, "y": y, "told": told}  # fmt: skip

    def orders(self, data: Json) -> Json:
        items = []
        for line, text in enumerate(data["text"].splitlines(), 1):
            if not text.strip() or text.startswith("#"):
                continue
            wrong = "bad" in text
            labels = [UNITS[word][1] if word in UNITS else word for word in text.split()]
            way = [["map", *HEXES[word]] for word in labels if word in HEXES]
            items.append(
                {"number": len(items) + 1, "first": line, "last": line, "text": text, "words": text, "kind": "order",
                 "state": "wrong" if wrong else "good", "why": "the way is shut" if wrong else "",
                 "clause": "8-1" if wrong else "", "right": "", "way": way, "dice": "fire" in text, "unit": ""}
            )  # fmt: skip
        moves = [item["words"].split() for item in items if item["words"].startswith("move ")]
        moved = [self._unit(unit, to) for _, unit, *more in moves for to in more[-1:] if unit in UNITS and to in HEXES]
        return {"items": items, "errors": [], "asked": None, "comes": "", "closed": "done" in data["text"].split(),
                "maps": {}, "pieces": {}, "units": moved, **self._kept()}  # fmt: skip

    def _kept(self) -> Json:
        """Whether the list is in its file now."""
        return {"unsaved": "another program holds the home folder"} if self.kept_out else {"mark": "m"}

    def keep(self, data: Json) -> Json:
        """The list is to be kept once more."""
        self.drafts.append(data["text"])
        return self._kept()

    def choices(self, data: Json) -> Json:
        empty = {"told": "", "choices": [], "entries": [], "why": ""}
        if data.get("unit") == "b-1":
            return {**empty, "told": self._unit("b-1")["told"], "choices": [self._choice("fire a-1 at b-1", "b-1")]}
        if data.get("unit") and data.get("place"):
            return {**empty, "told": f"{data['unit']} at {data['place']}: too far", "why": "too far"}
        if unit := data.get("unit"):
            gone = f"move {unit}" in data["text"]
            labels = ("0102", "0103", "0203")
            moves = [self._choice(f"{word} {unit} {label}", label) for word in self.ways for label in labels]
            found = [] if gone else [*moves, self._choice(f"fire {unit} at b-1", "b-1")]
            return {**empty, "told": self._unit(unit)["told"], "choices": found, "why": "it has moved" if gone else ""}
        if data.get("place"):
            return {**empty, "told": f"{data['place']}, open", "why": "nobody can go there"}
        return {**empty, "choices": [self._choice("done", "")]}

    def _choice(self, words: str, target: str) -> Json:
        label = UNITS[target][1] if target in UNITS else target
        x, y = HEXES.get(label, (None, None))
        fire = words.startswith("fire")
        return {"words": words, "typed": words, "keyword": words.split()[0], "target": target,
                "map": "map" if x else "", "x": x, "y": y, "told": f"{words}, told", "cost": "" if fire else "2 points",
                "odds": "hits in 33%" if fire else "", "sign": ["hits in", "33 %"] if fire else [], "never": False,
                "dice": fire, "unit": ""}  # fmt: skip

    def odds(self, data: Json) -> Json:
        good = "bad" not in data["words"] and "0105" not in data["words"]
        return {"good": good, "why": "" if good else "the hex is held", "clause": "" if good else "8-2", "right": "",
                "words": data["words"], "typed": data["words"], "told": f"{data['words']}, judged", "odds": "",
                "factors": [{"what": "behind a wall", "value": "-1", "clause": "9-3"}], "way": [],
                "ends": "final" in data["words"]}  # fmt: skip

    def edit(self, data: Json) -> Json:
        lines = data["text"].splitlines()
        do, number, to = data["do"], data["number"], data["to"]
        if do == "add":
            number = lines.index("done") + 1 if "done" in lines else len(lines) + 1
            lines.insert(number - 1, data["words"])
        elif do == "remove":
            lines.pop(number - 1)
        elif do == "replace":
            lines[number - 1] = data["words"]
        else:
            line = lines.pop(number - 1)
            number = len(lines) + 1 if to is None else to - (to > number)
            lines.insert(number - 1, line)
        text = "".join(f"{line}\n" for line in lines)
        return {"text": text, "number": number, "judged": self.orders({"text": text}), **self._kept()}

    def shapes(self, data: Json) -> Json:
        return {"tests": [{"word": "alive", "usage": "alive U", "slots": ["U"]}],
                "standing": [{"word": "retreat", "usage": "retreat U HEX"}],
                "phases": [{"name": "melee", "title": "Melee"}],
                "orders": ["move U HEX", "fire U at V with W"]}  # fmt: skip

    def check(self, data: Json) -> Json:
        risky = {
            item["number"]: {"lapses": [{"share": "3", "told": "lapses in about 3 of 10 futures"}], "comes": []}
            for item in self.orders(data)["items"] if "risky" in item["text"]
        }  # fmt: skip
        endings = [{"told": "ben may win by it", "lost": True}] if "final" in data["text"] else []
        errors = [
            {
                "what": "it lapses in all futures",
                "where": f"standard input, line {item['first']}",
                "line": item["first"],
                "right": "",
                "clause": "",
            }
            for item in self.orders(data)["items"]
            if "hopeless" in item["text"]
        ]
        return {"items": risky, "errors": errors, "endings": endings, "remarks": [], "doubts": []}

    def send(self, data: Json) -> Json:
        if self.doubtful and not data["yes"]:
            return {"done": False, "said": ["order 1 will probably lapse"], "doubts": True, "mail": None}
        self.sent.append(data)
        self.seq, self.draft = self.seq + 2, ""
        mail = {"path": "turn.eml", "subject": "s", "to": "ben@example.net", "mailto": "", "text": "the mail"}
        return {"done": True, "said": ["signed entry 4"], "doubts": False, "mail": mail}

    def open_mail(self, data: Json) -> Json:
        self.mails.append(data["mail"])
        return {"done": True, "said": ["a turn of ben: taken"], "game": "g1", "terms": self.terms}

    def stop(self, data: Json) -> Json:
        return {"done": True}
