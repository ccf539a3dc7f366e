"""A game as the page shows it: its report, maps in pieces, places and units, what is due, and the draft of orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.desk.desk import Place
from pbem.home.bots import bot_of
from pbem.home.laid import laid_now
from pbem.home.wishes import wish_of
from pbem.language import also, clauses, say
from pbem.language import shown as put
from pbem.maps.map import Map
from pbem.maps.tabletop import table_of
from pbem.match.phases import plans_told
from pbem.match.table import BARE, Table, proposal_words
from pbem.page.naming import names_of
from pbem.picture.film import Film
from pbem.picture.paper import Point, paper_of
from pbem.picture.scene import Sheet, sheets_of
from pbem.records import NamedTuple
from pbem.report import build
from pbem.report.fitting import SCREEN, cut
from pbem.report.layout import Json, bare, clean
from pbem.report.naming import names_for
from pbem.report.put import put_situation
from pbem.report.source import Drawn, direction_of, in_words, maps_in_words, report_data, report_input, titled
from pbem.report.telling import Teller
from pbem.scenario import Scenario
from pbem.wire.notes import Note

if TYPE_CHECKING:
    from pbem.picture.table.cloth import Cloth

__all__ = ["Shown", "Spot", "Spots", "drawn_anew", "kept", "pictured", "shown", "units_at"]


Spot = tuple[str, float, float]
"""A map's name, and a point in picture units."""

TABLE = "table"
"""What the picture of a table is called (pbem.picture.table.scene)."""


class Spots(NamedTuple):
    """Where on the pictures of a game its places lie.

    `maps` are its maps by name, `cloth` is the table as it lies on its picture, if it is played on one.
    """

    maps: Mapping[str, Map]
    cloth: Cloth | None = None

    def at(self, label: str | None) -> Spot | None:
        """The map or table of a place, and the point there; None for a place that no picture shows."""
        if not label:
            return None
        if self.cloth is not None:
            spot = self.cloth.table.find(label)
            return None if spot is None else (TABLE, *_rounded(self.cloth.spot(spot)))
        for name, chart in self.maps.items():
            found = chart.find(label)
            if found is not None:
                return name, *_rounded(paper_of(chart).centre(found))
        return None


class Shown(NamedTuple):
    """What is shown of a game as it stands: the answer of the page's first question, and what further ones go on with.

    `film` holds the pieces of its pictures, `pieces` says how many of them belong to the view.
    """

    view: Json
    film: Film
    pieces: int
    spots: Spots
    steps: list[Json]
    """The news whose marks the pictures show."""


def shown(
    place: Place,
    scenario: Scenario,
    name: str,
    *,
    kept: Path | None = None,
    compiled: Path | None = None,
) -> Shown:
    """What the page shows of a game that is called `name`, but for the draft of orders.

    `kept` is a folder that keeps the ground of maps, `compiled` one for compiled templates.
    """
    table, me = place.table, place.me
    bot = bot_of(place.folder)
    since = table.last_by.get(me) if bot is not None else None
    given = report_input(table, scenario, me, since)
    data = report_data(table, scenario, me, compiled, _notes(place), given=given)
    film = Film()
    sheets = pictured(table, scenario, given["steps"], given["situation"], kept)
    for sheet in sheets:
        film.take(sheet)
    spots = spots_of(table, given["situation"])
    view = {
        "game": _game(place, scenario, name, data, bot=bot is not None),
        "head": table.head.hex(),
        "seq": table.seq,
        "title": data["title"],
        **_due(place, data),
        "waits": [*_in_force(place, data)],
        "report": build.text(cut(data, SCREEN), compiled),
        "maps": [
            {
                "name": reel.name,
                "title": put(reel.title, names_of(table)),
                "box": [round(reel.box.left), round(reel.box.top), round(reel.box.width), round(reel.box.height)],
                "picture": reel.pictures[-1],
            }
            for reel in film.reels.values()
        ],
        "pieces": film.pieces,
        "places": _places(spots, data["situation"], names_of(table)),
        "units": units_at(table, given["situation"], spots, me, compiled),
        "closing": table.rules.CLOSING,
        "table": _cloth(spots),
        "news": [*_news(data)],
        "outcome": data["due"]["told"] if table.outcome is not None else "",
    }
    return Shown(view, film, len(film.pieces), spots, given["steps"])


def pictured(
    table: Table, scenario: Scenario, steps: Sequence[Json], situation: Json, kept: Path | None
) -> list[Sheet]:
    """The maps, or the table, of a situation, with the marks of these steps; names lie alike in all of them."""
    drawn = Drawn(scenario.id, scenario.digest, kept)
    named = {"steps": list(steps), "situation": situation, "japanese": names_for(scenario.system)}
    given, maps = in_words(named, scenario), maps_in_words(table.rules.maps(table.board), scenario)
    return sheets_of(maps, given, titled(scenario), drawn.ground, drawn, still=True)


def units_at(table: Table, situation: Json, spots: Spots, me: str, compiled: Path | None = None) -> list[Json]:
    """The units of a situation, wherever they are: where they stand on the pictures, and in words what they are.

    The situation is of this table's game; `me` is the player whose units are `mine`.
    """
    called = names_of(table)
    situation = put_situation(clean(situation), called)
    names = Teller(situation, direction_of(table), compiled).names
    mine = {player.side for player in table.genesis.players if player.name == me}
    where = {one["id"]: one["title"] for one in situation["where"]}
    found = []
    for unit in situation["units"]:
        names.forget()
        at = _based(unit, spots) or spots.at(unit["at"]) or ("", None, None)
        place = names.at(unit["at"]) if unit["at"] else where[unit["where"]]
        found.append(
            {
                **{key: unit[key] for key in ("id", "name", "side", "at")},
                "mine": unit["side"] in mine,
                **dict(zip(("map", "x", "y"), at, strict=True)),
                "told": clauses([also([names.unit(unit["id"]), place]), *_states(unit, called)]),
            }
        )
    return found


def _states(unit: Json, called: Mapping[str, str]) -> Iterator[str]:
    """What is told of a unit beside its name and place: its states, then its values."""
    if states := [*unit["words"], *(badge["title"] for badge in unit["badges"])]:
        yield also(put(state, called) for state in dict.fromkeys(states))
    values = {**unit["values"], **unit["extra"]}
    if counted := [f"{put(key, called)} {value}" for key, value in values.items() if value is not None]:
        yield also(counted)


def spots_of(table: Table, situation: Json) -> Spots:
    """Where the places of a game lie on its pictures."""
    tabletop = table_of(situation)
    if tabletop is None:
        return Spots(table.rules.maps(table.board))
    from pbem.picture.table.cloth import Cloth  # who plays on maps needs none of it

    return Spots(table.rules.maps(table.board), Cloth(tabletop))


def drawn_anew(found: Shown, sheets: Sequence[Sheet]) -> tuple[dict[str, list[int]], dict[int, str]]:
    """Pictures of the same maps at another moment: the pieces of each by number, and those that the view lacks."""
    for sheet in sheets:
        found.film.take(sheet)
    maps = {sheet.name: found.film.reels[sheet.name].pictures.pop() for sheet in sheets}
    pieces = found.film.pieces
    return maps, {number: pieces[number] for picture in maps.values() for number in picture if number >= found.pieces}


def _rounded(point: Point) -> tuple[float, float]:
    return round(point.x, 1), round(point.y, 1)


def _based(unit: Json, spots: Spots) -> Spot | None:
    """Where a unit on a table stands: the middle of its base."""
    if spots.cloth is None or not unit.get("base"):
        return None
    corners = [corner for stand in unit["base"]["stands"] for corner in stand["corners"]]
    x, y = (sum(corner[i] for corner in corners) / len(corners) for i in (0, 1))
    return TABLE, *_rounded(spots.cloth.at(x, y))


def _places(spots: Spots, situation: Json, called: Mapping[str, str]) -> dict[str, Json]:
    """Every place of the maps by its label: where it lies, its name, and what is told of it."""
    names = Teller(situation).names
    found: dict[str, Json] = {}
    for name, chart in spots.maps.items():
        paper = paper_of(chart)
        for h in chart.hexes:
            label = chart.label(h)
            x, y = _rounded(paper.centre(h))
            ground = [put(word, called) for word in sorted(word.replace("_", " ") for word in chart.terrain[h])]
            told = also([names.place(label), *ground])
            place = put(chart.place_names.get(h, ""), called)
            found.setdefault(label, {"map": name, "x": x, "y": y, "name": place, "told": told})
    return found


def _cloth(spots: Spots) -> Json | None:
    """A table without hexes: where its south-western corner lies, and how long one of its measure is."""
    if spots.cloth is None:
        return None
    corner, one, table = spots.cloth.at(0, 0), spots.cloth.at(100, 0), spots.cloth.table
    return {
        "map": TABLE,
        "scale": round(one.x - corner.x, 3),
        "origin": [*_rounded(corner)],
        "width": table.width / 100,
        "depth": table.depth / 100,
    }


def _game(place: Place, scenario: Scenario, name: str, data: Json, *, bot: bool) -> Json:
    """Who plays what, and against whom."""
    table = place.table
    me = next((player for player in data["players"] if player["name"] == place.me), None)
    other = next((p["name"] for p in data["players"] if p["name"] != place.me), "")
    return {
        "id": place.folder.id,
        "name": name,
        "title": put(data["scenario"]["title"], names_of(table)),
        "me": place.me,
        "opponent": other,
        "side": me["side"] if me else "",
        "side_title": me["side_title"] if me else "",
        "bot": bot,
        "solo": table.genesis.terms.solo,
        "over": table.due().player is None,
        "scenario": scenario.id,
    }


def _due(place: Place, data: Json) -> Json:
    """What the game waits for, and what may be sent without orders."""
    due = place.table.due()
    mine = due.player is not None and due.player == place.me
    asked = due.request if due.what in ("orders", "react") else None
    proposal, called = place.table.proposal, names_of(place.table)
    return {
        "due": {"player": due.player, "what": due.what, "mine": mine, "told": data["due"]["told"]},
        "asked": None
        if asked is None
        else {"side": asked.side, "kind": asked.kind, "prompt": put(asked.prompt, called), "clause": asked.clause},
        "bare": mine and due.what in BARE,
        "proposal": None
        if proposal is None
        else {"kind": proposal.kind, "told": put(proposal_words(place.table), called), "mine": proposal.by == place.me},
    }


def _news(data: Json) -> Iterator[Json]:
    """What has happened by the report, phase by phase: a title, and lines."""
    for group in data["news"]:
        if lines := [action["headline"] for action in group["actions"] if action["headline"]]:
            yield {"title": group["title"], "lines": lines}


def _in_force(place: Place, data: Json) -> Iterator[str]:
    """What of mine is in force by the log: standing orders, plans, orders that are left."""
    table, side = place.table, next((p.side for p in place.table.genesis.players if p.name == place.me), "")
    called = names_of(table)
    for one in data["standing"]:
        if one["side"] == side:
            yield from (say("Standing order: %(order)s.", order=told) for told in one["orders"])
    if side and (planned := plans_told(table, side)):
        yield say("Planned: %(plans)s.", plans=put(planned, called))
    for one in data.get("left", []):
        if one["side"] == side:
            yield from (say("Left of my orders: %(order)s.", order=bare(part["told"])) for part in one["orders"])


def kept(place: Place) -> Iterator[str]:
    """What of mine is kept beside the log, and may change without it: laid orders, what I have asked for."""
    table, called = place.table, names_of(place.table)
    if (laid := laid_now(place.folder, table, place.me)) is not None:
        moment = put(laid.moment.words(table), called)
        yield say("Orders are laid for %(moment)s: `pbem send` alone would send these.", moment=moment)
    wish = wish_of(place.folder)
    if wish is not None and not wish.why_never(table):
        asked = put(str(wish), called)
        yield say("Kept for my next mail that may carry it, before any orders: %(wish)s.", wish=asked)


def _notes(place: Place) -> list[Note]:
    """What the opponent wrote beside the entries that came behind my newest: I have read what stood by others."""
    since = place.table.mailed.get(place.me, place.table.seq - 1)
    return [one for one in place.folder.notes() if since < one.seq <= place.table.seq and one.by != place.me]
