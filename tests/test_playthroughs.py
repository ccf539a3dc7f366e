"""Playthrough goldens: every request of a game with its options, the answer, what was told and which counters changed.

`PBEM_REGENERATE=1 python -m pytest tests/test_playthroughs.py` writes them anew; the difference is to be read before it
is committed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from whole_games import REGENERATE, at_random, board, bold, new_game, options_of, rules, text_of

from pbem.draft import chance_answer
from pbem.game import Game
from pbem.requests import Choose, Request, Roll, Tell
from pbem.rules.bakumatsu.sequence import phase_id

FOLDER = Path(__file__).parent / "playthroughs"
MOST_BYTES = 150_000


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


def asked(request: Request, shown: int) -> Iterator[str]:
    """A request in words, with the number of its options and the first of them."""
    if isinstance(request, Choose):
        options = [text_of(order) for order in options_of(request)]
        kind = "reaction" if request.reaction else "decision"
        yield f"{kind} of {request.side} [{request.clause}] {request.kind}: {request.prompt}"
        more = f"; and {len(options) - shown} more" if len(options) > shown else ""
        yield f"  {len(options)} options: {'; '.join(options[:shown])}{more}"
    elif isinstance(request, Roll):
        yield f"roll {request.label}: {request.dice}d{request.sides}"
    else:
        yield f"draw {request.label}: {request.count} of {' '.join(request.cup)}"


def playthrough(
    game: Game, title: str, answers: Callable[[Game], Any], shown: int, most: int, told: list[Tell]
) -> Iterator[str]:
    """The lines of a playthrough; `told` is where the game's tells come in."""
    yield title
    clock, before = (0, ""), counters(game)
    for _ in range(most):
        request = game.request
        if request is None:
            break
        now = (game.state.turn, phase_id(board(), game.state.phase))
        if now != clock:
            yield f"\n== turn {now[0]}, {now[1]}\n"
            clock = now
        yield from asked(request, shown)
        answer = answers(game)
        yield f"  > {text_of(answer) if isinstance(request, Choose) else ' '.join(map(str, answer))}"
        game.apply(answer)
        yield from (f"  {tell.what} [{tell.clause}]{facts(tell)}" for tell in told if tell.what != "phase")
        told.clear()
        after = counters(game)
        yield from (f"  {name}: {before[name]} -> {after[name]}" for name in after if before[name] != after[name])
        before = after
    yield f"\n== {game.outcome or 'goes on'}"
    yield json.dumps(rules().dump(game.state), sort_keys=True)


def facts(tell: Tell) -> str:
    """The facts of a fire, a melee or a check, which no counter shows; short."""
    if tell.what not in ("fire", "melee", "check", "recover"):
        return ""
    left = {key: value for key, value in tell.facts.items() if key not in ("unit", "target", "from", "at", "with")}
    return " " + json.dumps(left).replace('"', "")


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
    return playthrough(game, "Toba-Fushimi, seed 1868: a whole game", answers, 3, 5000, told)


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
    return playthrough(
        game, "Toba-Fushimi: a skirmish in Fushimi", lambda g: read(g, next(answers)), 999, len(script), told
    )


def read(game: Game, words: list[str]) -> Any:
    """A scripted answer to the pending request."""
    if isinstance(game.request, Choose):
        return rules().read_order(board(), game.request.side, tuple(words))
    return tuple(int(word) for word in words) if isinstance(game.request, Roll) else tuple(words)


PLAYTHROUGHS = {"whole-game": whole_game, "skirmish": skirmish}


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_playthrough_goes_as_it_went(name: str) -> None:
    lines = "\n".join(PLAYTHROUGHS[name]()).split("\n")
    golden = FOLDER / f"{name}.txt"
    if REGENERATE:
        golden.write_text("\n".join(lines) + "\n", "ascii", newline="\n")
    kept = golden.read_text("ascii").removesuffix("\n").split("\n")
    for number, (was, now) in enumerate(zip(kept, lines, strict=False), 1):
        assert now == was, f"{golden.name}, line {number}"
    assert len(lines) == len(kept)


def test_the_playthroughs_are_short_enough_to_be_read() -> None:
    files = sorted(FOLDER.glob("*.txt"))
    assert [file.stem for file in files] == sorted(PLAYTHROUGHS)
    assert all(file.stat().st_size < MOST_BYTES for file in files)


def test_the_whole_game_shows_every_kind_of_request_and_event() -> None:
    text = (FOLDER / "whole-game.txt").read_text("ascii")
    kinds = ("setup:", "move:", "fire:", "melee:", "retreat:", "roll reinforcement/", "draw cup/", "roll fire/",
             "roll melee/", "roll check/", "roll recover/", "  remove [", "  control [14(2)]", "  advance [",
             "== turn 8, satcho-move", "  end [14(4)")  # fmt: skip
    assert [kind for kind in kinds if kind not in text] == []
