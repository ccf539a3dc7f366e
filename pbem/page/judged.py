"""What the page is told of its list of orders, in the places of its pictures: orders, choices, odds, edits."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from pbem.language import shown as put
from pbem.page.games import Game
from pbem.page.listing import Fault, Item, Listing
from pbem.page.naming import names_of
from pbem.page.seen import Shown, drawn_anew, pictured, units_at
from pbem.page.sheet import Judgement

__all__ = ["by_item", "choices", "edited", "odds", "orders", "shapes"]

Json = dict[str, Any]


def orders(game: Game, text: str) -> Json:
    """A list of orders judged, and the pictures and units as they stand behind it."""
    shown, found = game.shown(), game.sheet().listing(text)
    return {
        "items": [{**item._asdict(), **_why(game, item), "way": _way(shown, item.way)} for item in found.items],
        "errors": [{**error._asdict(), **_wrong(game, error)} for error in found.errors],
        "asked": {**found.asked._asdict(), "prompt": _put(game, found.asked.prompt)} if found.asked else None,
        "comes": [found.comes, game.sheet().to_place(text)],
        "closed": found.closed,
        **_behind(game, shown, found),
    }


def _put(game: Game, words: str) -> str:
    """What rules or match say, in the language in force."""
    return put(words, names_of(game.place().table))


def _why(game: Game, found: Item | Judgement) -> Json:
    """Why an order is wrong, and what would be right."""
    return {key: _put(game, getattr(found, key)) for key in ("why", "right")}


def _wrong(game: Game, fault: Fault) -> Json:
    """What is wrong, where, and what would be right."""
    return {key: _put(game, getattr(fault, key)) for key in ("what", "where", "right")}


def _behind(game: Game, shown: Shown, found: Listing) -> Json:
    """How pictures and units differ from the view's behind the list."""
    table = game.place().table
    situation = table.rules.situation(found.state)
    units = units_at(table, situation, shown.spots, game.place().me, game.compiled)
    was = {unit["id"]: unit for unit in shown.view["units"]}
    moved = [unit for unit in units if unit != was.get(unit["id"])]
    if not moved:
        return {"maps": {}, "pieces": {}, "units": []}
    sheets = pictured(table, game.scenario(), shown.steps, situation, game.kept)
    maps, pieces = drawn_anew(shown, sheets)
    return {"maps": maps, "pieces": pieces, "units": moved}


def choices(game: Game, text: str, at: int | None, unit: str, place: str) -> Json:
    """What a unit may do, or the side with that place or enemy, behind the orders before item `at`."""
    shown, found = game.shown(), game.sheet().choices(text, at, unit, place, game.patience())
    where = {one["id"]: one for one in shown.view["units"]}
    told = []
    for choice in found.choices:
        there = where.get(choice.target)
        spot = (there["map"], there["x"], there["y"]) if there is not None else shown.spots.at(choice.target)
        name, x, y = spot or ("", None, None)
        told.append({**choice._asdict(), "map": name, "x": x, "y": y, "way": _way(shown, choice.way)})
    return {
        "told": found.told,
        "choices": told,
        "entries": [
            {
                "heading": entry.heading,
                "orders": [{"typed": typed, "note": note} for typed, note in entry.orders],
                "notes": list(entry.notes),
            }
            for entry in found.entries
        ],
        "why": found.why,
        "whole": found.whole,
    }


def odds(game: Game, text: str, words: str, at: int | None) -> Json:
    """One order judged where it would stand: whether it is legal, its odds with all that decides them."""
    shown, found = game.shown(), game.sheet().odds(text, words, at)
    return {
        **found._asdict(),
        **_why(game, found),
        "factors": [
            {**factor._asdict(), "what": _put(game, factor.what), "value": _put(game, factor.value)}
            for factor in found.factors
        ],
        "way": _way(shown, found.way),
    }


def edited(game: Game, text: str, do: str, words: str, number: int, to: int) -> Json:
    """The text with one order added, moved, replaced or taken away, and the number of that order in it."""
    found = game.sheet().edited(text, do, words, number, to)
    return {"text": found.text, "number": found.number}


def shapes(game: Game) -> Json:
    """How conditions, standing orders, plans and orders are written in this game."""
    found = game.sheet().shapes()
    return {
        "tests": [one._asdict() for one in found.tests],
        "standing": [one._asdict() for one in found.standing],
        "phases": [{"name": name, "title": _put(game, title)} for name, title in found.phases],
        "orders": list(found.orders),
        "closing": found.closing,
    }


def by_item(game: Game, text: str, checked: Json) -> Json:
    """What `pbem check --json` says, each of its lines by the number of the order that stands there."""
    items = game.sheet().listing(text).items
    told: dict[int, Json] = {}

    def of_line(line: int) -> Json | None:
        number = next((item.number for item in items if item.first <= line <= item.last), None)
        return None if number is None else told.setdefault(number, {"lapses": [], "comes": []})

    for lapse in checked["lapses"]:
        if (found := of_line(lapse["line"])) is not None:
            found["lapses"].append({"share": lapse["share"], "told": _put(game, _without_line(lapse["told"]))})
    for one in checked["odds"]:
        if (found := of_line(one["line"])) is not None:
            found["comes"].append(_put(game, one["odds"]))
    remarks = []
    unclosed = f"there is no `{game.place().table.rules.CLOSING};`"  # the page's button closes the list
    for remark in checked["remarks"]:
        if remark.startswith(unclosed):
            continue
        line = re.match(r"line (\d+): ", remark)
        if line is not None and (found := of_line(int(line[1]))) is not None:
            found["comes"].append(_put(game, _without_line(remark)))
        else:
            remarks.append(_put(game, remark))
    return {
        "items": told,
        "endings": [{"told": _put(game, one["told"]), "lost": one["lost"]} for one in checked["endings"]],
        "remarks": remarks,
        "errors": [_slow_error(game, error) for error in checked["errors"]],
        "doubts": [_put(game, doubt) for doubt in checked["doubts"]],
    }


def _slow_error(game: Game, error: Json) -> Json:
    """An error of the slow check, with the number of its line; 0 for none."""
    line = re.search(r"\bline (\d+)$", error["where"])
    told = {key: _put(game, error[key]) for key in ("what", "where", "right")}
    return {**error, **told, "line": int(line[1]) if line is not None else 0}


def _without_line(told: str) -> str:
    """What is told of an order beside it, without its line."""
    line, colon, rest = told.partition(": ")
    return rest if colon and line.startswith("line ") else told


def _way(shown: Shown, labels: Iterable[str]) -> list[list[Any]]:
    """A way in the places of the pictures."""
    return [list(spot) for label in labels if (spot := shown.spots.at(label)) is not None]
