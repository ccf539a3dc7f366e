"""The playthroughs of the Siege of Osaka: the whole Battle of Yao, and a skirmish by a script."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from pbem.match.check import chance_answer
from pbem.match.game import Game
from pbem.rules.requests import Choose, Tell
from systems.play_script import Playthrough, in_braces, playthrough, read
from systems.yukimura_fields import game_at
from systems.yukimura_players import General

__all__ = ["PLAYTHROUGHS"]

SHOWN = ("fire", "melee", "check", "mark", "retreat", "displace", "advance", "drop", "release", "exempt")
"""The events whose facts are shown; of the others the counters say what happened."""


def counters(game: Game) -> dict[str, str]:
    """Every counter and where and how it is; the turn's clock is told, not listed."""
    s = game.state
    label = game.board.label
    waiting = {unit for units in s.waiting.values() for unit in units}
    found: dict[str, str] = {}
    for unit in game.board.units:
        gone = "removed" if unit in s.removed else "exited" if unit in s.exited else "off"
        where = label[s.at[unit]] if unit in s.at else "waiting" if unit in waiting else gone
        marks = [name for name in ("moved", "pinned", "fired", "fought", "shot_at", "attacked")
                 if unit in getattr(s, name)]  # fmt: skip
        found[unit] = " ".join([where, *marks])
    return found | {"step": s.step or "none", "released": " ".join(sorted(s.released)), "crossed": str(s.crossed)}


def facts(tell: Tell) -> str:
    """The facts of what no counter shows; short."""
    if tell.what not in SHOWN:
        return ""
    left = {key: value for key, value in tell.facts.items() if key not in ("from", "at", "with", "title", "target")}
    return in_braces(left)


# --- the playthroughs ----------------------------------------------------------------------------------------------


def whole_game() -> Iterable[str]:
    """The whole Battle of Yao: both sides go for the other's leaders."""
    chance, told = random.Random(1615), list[Tell]()
    stay = {"ii-01": "", "to-01": "", "ki-01": "", "ch-01": ""}
    generals = {
        "east": General(going={"ii": "2515", "to": "0214", **stay}, prey=("",), guns=False, bold=True),
        "osaka": General(going={"ki": "2024", "ch": "0218", **stay}, prey=("",), bold=True),
    }

    def answers(game: Game) -> Any:
        request = game.request
        assert request is not None
        if isinstance(request, Choose):
            return generals[request.side](game.state, request, chance)
        return chance_answer(request, chance)

    game = game_at({"scenario": "yao"}, told.append)
    return playthrough(game, "Yao, seed 1615: a whole game", answers, 3, 5000, told, counters, facts)


SKIRMISH: dict[str, Any] = {
    "turns": 1,
    "turn": 1,
    "phase": "east-combat",
    "rows": [". . . . . . . . .", ". . m . . . . . .", ". . . . w . . . .", ". . . o . . . . .", ". . . . . . . . ."],
    "roads": ["0301 0302 0303 0304 0305 0306 0307 0308 0309"],
    "rivers": ["0402/0502", "0402/0503"],
    "impassable": ["0404/0504", "0404/0505"],
    "units": {
        "da-01": "east mounted 6-5-5 command 10 0308", "da-02": "east foot 4-2-3 0207",
        "da-03": "east rifle 4-3-3 0307", "da-04": "east mounted-rifle 3-3-4 0406", "da-05": "east foot 3-*-3 0107",
        "go-01": "osaka mounted 3-4-5 command 5 0302", "go-02": "osaka rifle 2-2-3 0306",
        "go-03": "osaka foot 3-1-3 0305", "go-04": "osaka foot 2-1-3 0405", "go-05": "osaka foot 3-2-3 0304",
        "go-06": "osaka rifle 2-3-3 0206", "go-07": "osaka foot 2-*-3 0205", "go-08": "osaka foot 2-2-3 0303",
    },
}  # fmt: skip

SCRIPT = """
melee da-05 at go-06: 1 6: 1:
melee da-03 at go-02: 2 6: 1: retreat go-02 0205: displace go-02 0105: advance da-03 0306:
melee da-04 at go-04 advance da-04: 2 3: 2: retreat go-04 0404 0403: 1:
done:
fire da-03 at go-03: 3 4: 3: retreat go-03 0204 0203 0103:
fire da-04 at go-05: 2 3: 4: retreat go-05 0204 0105: 1:
melee go-06 at da-05 advance go-06: 6 1: 4:
melee go-04 at da-04 advance go-04 0404: 1 6: 4: retreat da-04 0405 0406: 2: retreat go-04 0303 0202:
3: retreat go-08 0302: displace go-01 0301: 5:
melee go-07 at da-03: 2 6: 1
"""
"""Answers, parted by colons: orders and dice. Nobody moves, for all stand in enemy ZOC or stay."""


def skirmish() -> Iterable[str]:
    """Shaky troops in close order, hand to hand: every option shown."""
    told: list[Tell] = []
    script = [answer.split() for answer in SCRIPT.split(":")]
    answers = iter(script)
    title = "A skirmish in close order, hand to hand"
    return playthrough(
        game_at(SKIRMISH, told.append), title, lambda g: read(g, next(answers)), 999, len(script), told, counters, facts
    )


PLAYTHROUGHS = {
    "whole-game": Playthrough(
        whole_game,
        ("move:", "defence:", "combat:", "roll fire/", "roll melee/", "roll check/", "  move [7-1]", "  move [7-5-2]",
         "  end [14-2(6)"),
    ),
    "skirmish": Playthrough(
        skirmish,
        ("combat:", "defence:", "retreat:", "displace:", "advance:", "roll melee/", "roll check/", "roll fire/",
         "  mark [11-2-1]", "  displace [11-2-5.a]", "  advance [11-3-3.b]", "  drop [11-3-3.a]", "  exempt [11.b]",
         "  remove [", "  retreat [11-2-3.b]"),
    ),
}  # fmt: skip
