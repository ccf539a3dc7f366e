"""A whole game to be watched again: its actions one behind the other, each with its words, its picture and the score.

`data` makes it of a log that was replayed, as plain JSON data; `html` puts it into one page that fetches nothing.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from pbem.language import clauses, say, shown
from pbem.match.moments import Moments
from pbem.match.table import Table
from pbem.picture.film import Film
from pbem.picture.scene import Sheet, sheets_of
from pbem.records import NamedTuple
from pbem.report.actions import Actions, placed
from pbem.report.headlines import headlined
from pbem.report.layout import Json, as_it_stands, capital, clean, picture_mark
from pbem.report.luck import luck_of_game
from pbem.report.naming import names_for
from pbem.report.put import put_situation, put_step
from pbem.report.scripts import page
from pbem.report.so_far import score
from pbem.report.source import Drawn, direction_of, expected, in_words, maps_in_words, situation_of, titled
from pbem.report.telling import Teller
from pbem.scenario import Scenario
from pbem.words import turn_word

__all__ = ["data", "html", "script", "seal"]


SCRIPTS = ("words.js", "pictures.js", "replay.js")
"""What the page's script is put together of."""


class Scene(NamedTuple):
    """A moment of a game: what came before it, from which step to which, its title and its words."""

    first: int
    behind: int
    turn: int
    title: str
    told: str
    lines: list[str]


def data(
    table: Table, moments: Moments, scenario: Scenario, kept: Path | None = None, compiled: Path | None = None
) -> Json:
    """The game as plain JSON data; `moments` have looked on while the table was replayed from its first entry.

    `kept` is a folder that keeps the ground of maps, `compiled` one for compiled templates. `pieces` are texts of SVG;
    the pictures of each map are lists of their numbers, one for each of the `moments`.
    """
    called = names_for(scenario.system)
    last = situation_of(table)
    now = put_situation(last, called)
    teller = Teller(clean(now), direction_of(table), compiled)
    found, film = list[Json](), Film()
    formations = dict(scenario.data["scenario"].get("formations", {}))
    numbers: dict[int, int] = {}
    sheets: list[Sheet] = []
    for scene in _scenes(table, teller, formations, called):
        moment = moments.behind(scene.behind, table)
        steps = table.steps[scene.first : scene.behind]
        situation = last if scene.behind == len(table.steps) else table.rules.situation(moment.state)
        sheets = _sheets(table, scenario, steps, situation, kept)
        changed = [sheet.name for sheet in sheets if film.take(sheet)]
        seq = steps[-1]["seq"] if steps else 1
        numbers[seq] = numbers.get(seq, 0) + 1
        teller.names.forget()
        luck = luck_of_game(moment.luck, now["sides"], table.rules.GOOD)
        found.append(
            {
                "entry": seq,
                "number": numbers[seq],
                "turn": scene.turn,
                "title": scene.title,
                "told": scene.told,
                "lines": scene.lines,
                "maps": changed,
                "score": [*map(_scored, score(put_situation(clean(situation), called), teller))],
                "luck": {one["side"]: one["better"] for one in luck},
            }
        )
    return {
        "replay": 1,
        "game": table.genesis.game.hex(),
        "scenario": clean({"id": scenario.id, "title": shown(scenario.title, called), "system": scenario.system}),
        "date": clean(shown(scenario.data["scenario"].get("date", ""))),
        "players": [
            {"name": player.name, "side": player.side, "title": teller.names.side(player.side)}
            for player in table.genesis.players
        ],
        "entry": {"seq": table.seq, "hash": table.head.hex()},
        "over": table.outcome is not None,
        "turn_title": turn_word(now),
        "sides": [{"side": side["id"], "title": teller.names.side(side["id"])} for side in now["sides"]],
        "moments": found,
        "maps": [
            {
                "name": reel.name,
                "title": shown(reel.title, called),
                "box": [round(reel.box.left), round(reel.box.top), round(reel.box.width), round(reel.box.height)],
                "pictures": reel.pictures,
            }
            for reel in film.reels.values()
        ],
        "keys": {sheet.name: sheet.legend(say("What the signs mean")) for sheet in sheets},
        "pieces": film.pieces,
    }


def _scored(one: Json) -> str:
    """How far a side is, or all are."""
    told: str = one["told"]
    return say("%(side)s: %(told)s", side=one["title"], told=told) if one["title"] else told


def _scenes(table: Table, teller: Teller, formations: Mapping[str, str], called: Mapping[str, str]) -> Iterator[Scene]:
    """The moments of a game: its beginning, then one behind each action of which something is told, and its end."""
    actions = Actions(teller)
    for step in table.steps:
        actions.add(put_step(placed(clean(expected(table, step))), called))
    groups = actions.finish()
    behind = [[actions.behind[id(action)] for action in group["actions"]] for group in groups]
    told: list[Scene] = []
    for group, ends in zip(headlined(groups, teller, formations), behind, strict=True):
        for action, end in zip(group["actions"], ends, strict=True):
            if action["headline"]:
                lines = [*action["dice"], *action["answers"]]
                told.append(Scene(0, end, group["turn"], group["title"], action["headline"], lines))
    yield Scene(0, 0, told[0].turn if told else 1, say("As it began"), "", [])
    ends = [*(scene.behind for scene in told[:-1]), len(table.steps)]
    for scene, (begin, end) in zip(told, pairwise([0, *ends]), strict=False):
        yield scene._replace(first=begin, behind=end)


def _sheets(table: Table, scenario: Scenario, steps: list[Json], situation: Json, kept: Path | None) -> list[Sheet]:
    """The maps, or the table, of a moment, with the marks of the steps that led to it."""
    drawn = Drawn(scenario.id, scenario.digest, kept)
    given = {"steps": steps, "situation": situation, "japanese": names_for(scenario.system)}
    given = in_words(given, scenario)
    return sheets_of(
        maps_in_words(table.rules.maps(table.board), scenario), given, titled(scenario), drawn.ground, drawn, still=True
    )


# --- laid out ---------------------------------------------------------------------------------------------------------


def script() -> str:
    """The script of the page: how pieces become maps, and how the game is played by them."""
    return "".join(map(as_it_stands, SCRIPTS))


def seal() -> str:
    """The hash of that script, in Base64: a page that may run nothing else names it."""
    return base64.b64encode(hashlib.sha256(script().encode("utf-8")).digest()).decode("ascii")


def html(given: Json, compiled: Path | None = None) -> str:
    """The game as one page with a script that plays it; all that it shows is packed in it, so that it stays small."""
    film = {key: given[key] for key in ("moments", "maps", "pieces", "sides", "turn_title")}
    packed = zlib.compress(json.dumps(film, separators=(",", ":")).encode("ascii"), 9)
    keys = [svg[svg.index("<svg") :] for svg in given["keys"].values()]
    as_it_is = [script(), base64.b64encode(packed).decode("ascii"), *keys]
    marks = [*map(picture_mark, range(len(as_it_is)))]
    plays = (
        say("%(side)s: %(player)s", side=capital(player["title"]), player=player["name"]) for player in given["players"]
    )
    more: dict[str, Any] = {
        "playing": clauses(plays),
        "sealed": seal(),
        "script": marks[0],
        "film": marks[1],
        "keys": marks[2:],
    }
    return page("replay.html.j2", {**given, **more}, SCRIPTS, compiled, given["scenario"]["system"], as_it_is)
