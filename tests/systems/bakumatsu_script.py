"""The playthroughs of Toba-Fushimi: a whole game, and a skirmish by a script."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from pbem.match.check import chance_answer
from pbem.match.game import Game
from pbem.rules.requests import Choose, Tell
from systems.bakumatsu_players import at_random, board, bold, new_game, rules
from systems.play_script import Playthrough, in_braces, playthrough, read

__all__ = ["PLAYTHROUGHS"]


def counters(game: Game) -> dict[str, str]:
    """Every counter and where and how it is; who controls what; the turn's clock is told, not listed."""
    s = game.state
    label = board().label
    found: dict[str, str] = {}
    for unit in board().units:
        where = label[s.at[unit]] if unit in s.at else "removed" if unit in s.removed else "off"
        if any(unit in units for units in s.received.values()):
            where = "received"
        marks = [word for word, units in (("disordered", s.disordered), ("done", s.done)) if unit in units]
        found[unit] = " ".join([where, *marks])
    return found | {f"hex {label[h]}": side for h, side in s.control.items()}


def facts(tell: Tell) -> str:
    """The facts of a fire, a melee or a check, which no counter shows; short."""
    if tell.what not in ("fire", "melee", "check", "recover"):
        return ""
    left = {key: value for key, value in tell.facts.items() if key not in ("unit", "target", "from", "at", "with")}
    return in_braces(left)


# --- the playthroughs ----------------------------------------------------------------------------------------------


def whole_game() -> Iterable[str]:
    """A whole game: bold men against men who do anything."""
    chance, told = random.Random(1868), list[Tell]()
    choosers = {"shogunate": at_random, "satcho": bold("1209")}

    def answers(game: Game) -> Any:
        request = game.request
        assert request is not None
        if isinstance(request, Choose):
            return choosers[request.side](game.state, request, chance)
        return chance_answer(request, chance)

    game = new_game(told.append)
    return playthrough(game, "Toba-Fushimi, seed 1868: a whole game", answers, 3, 5000, told, counters, facts)


SKIRMISH: dict[str, Any] = {
    "options": {"mountain-top": "dice", "retreat-over-bridge": "no"},
    "turn": 2,
    "phase": 1,
    "opened": False,
    "at": {
        "sg-08": "1018", "sg-12": "1017", "sg-13": "1019", "sg-17": "0919", "sa-08": "1119", "sa-12": "1221",
        "sa-16": "1118",
    },
    "disordered": ["sa-16", "sg-13"],
    "done": [],
    "cups": {"shogunate": ["sg-18", "sg-24", "sg-33"], "satcho": []},
    "received": {"shogunate": [], "satcho": []},
    "ended": None,
}  # fmt: skip

SCRIPT = """
2: sg-33 sg-24: recover sg-13: 4: enter sg-33 march 0206 0307 0407: enter sg-24: done:
fire sa-08 at sg-08: 5 4: fire sa-12 at sg-08: 4 4: retreat sg-08 0918:
melee sg-13 at sa-08 advance: 6 5: 4: retreat sa-08 1219:
recover sa-16: 6: recover sa-08: 2: done:
fire sg-12 at sa-16: 5 5:
melee sa-08 at sg-13 advance: 6 6: 4: 3: sg-18
"""
"""Answers, parted by colons: orders, dice, counters drawn."""


def skirmish() -> Iterable[str]:
    """A few counters in the middle of a turn, every option shown."""
    told: list[Tell] = []
    placed = {*SKIRMISH["at"], *SKIRMISH["cups"]["shogunate"]}
    state = {
        **SKIRMISH,
        "removed": {unit: 1 for unit in sorted(board().units) if unit not in placed},
        "control": {board().label[h]: side for h, side in sorted(board().control.items())},
    }
    game = Game(rules(), board(), rules().load(board(), state), told.append)
    script = [answer.split() for answer in SCRIPT.split(":")]
    answers = iter(script)
    title = "Toba-Fushimi: a skirmish in Fushimi"
    return playthrough(game, title, lambda g: read(g, next(answers)), 999, len(script), told, counters, facts)


PLAYTHROUGHS = {
    "whole-game": Playthrough(
        whole_game,
        ("setup:", "move:", "fire:", "melee:", "retreat:", "roll reinforcement/", "draw cup/", "roll fire/",
         "roll melee/", "roll check/", "roll recover/", "  remove [", "  control [14(2)]", "  advance [",
         "== turn 8, satcho-move", "  end [14(4)"),
    ),
    "skirmish": Playthrough(skirmish, ("retreat:",)),
}  # fmt: skip
