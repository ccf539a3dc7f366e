"""Plays games of a scenario with one bot on both sides and counts what comes of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pbem.match.futures import chance_answer
from pbem.match.game import Game
from pbem.rules import Board, Rules, State, rules_of
from pbem.rules.requests import Chance, Choose, Order, Tell
from pbem.scenario import load_scenario

__all__ = ["BOTS", "Tally", "board_of", "play", "table"]

MOST_ANSWERS = 6000
"""Answers of one game; a longer one has no end."""

BEHIND, ROWS = 5, 3
"""Hexes behind the starting front that are a breakthrough, and rows on either side in which the front is looked for."""

Pick = Callable[[Rules, State, Choose, Chance], Order]

BOTS: dict[str, Pick] = {
    "random": lambda _, __, request, chance: request.sample(chance),
    "bold": lambda rules, state, request, chance: rules.advise(state, request, chance),
}


@dataclass
class Tally:
    """What came of some games of a scenario, `without` the forces that are left out on trial.

    endings     (winner or None, clause) -> games
    broken      turn of the first breakthrough -> games; the turn 0 for none
    losses      (side, turn) -> units removed, over all games
    lasted      turn of the end -> games
    longest     answers of the longest game
    """

    scenario: str
    bot: str
    without: tuple[str, ...] = ()
    games: int = 0
    endings: Counter[tuple[str | None, str]] = field(default_factory=Counter)
    broken: Counter[int] = field(default_factory=Counter)
    losses: Counter[tuple[str, int]] = field(default_factory=Counter)
    lasted: Counter[int] = field(default_factory=Counter)
    longest: int = 0

    def add(self, seed: int) -> None:
        """Play one more game to its end; assert that it has one and that nobody is ever without an answer."""
        rules, board = board_of(self.scenario)
        front, seen, last = front_of(self.scenario), 0, (0, "")

        def hear(tell: Tell) -> None:
            if tell.what == "remove":
                self.losses[board.units[tell.facts["unit"]].side, rules.clock(game.state)[0]] += 1

        chance = random.Random(f"{self.scenario} {self.bot} {seed}")
        game = Game(rules, board, self._start(), hear)
        for answers, _ in enumerate(play(game, rules, self.bot, chance)):
            self.longest = max(self.longest, answers)
            now = rules.clock(game.state)
            if now != last and not seen and not front.isdisjoint(game.state.stands[board.sides[0].id]):
                seen = last[0] or now[0]
            last = now
        if not seen and not front.isdisjoint(game.state.stands[board.sides[0].id]):
            seen = last[0]
        outcome = game.outcome
        assert outcome is not None
        self.games += 1
        self.endings[outcome.winner, outcome.clause] += 1
        self.broken[seen] += 1
        self.lasted[rules.clock(game.state)[0]] += 1

    def _start(self) -> State:
        """The state before the first decision."""
        rules, board = board_of(self.scenario)
        state = rules.start(board, {})
        for unit in [unit for unit in state.at if self.without and board.units[unit].force in self.without]:
            del state.stands[board.units[unit].side][state.at.pop(unit)]
        return state

    @property
    def breakthroughs(self) -> float:
        """The share of games with a breakthrough."""
        return 1 - self.broken[0] / self.games


def play(game: Game, rules: Rules, bot: str, chance: random.Random) -> Iterator[None]:
    """Play a game to its end, a step for each answer."""
    for _ in range(MOST_ANSWERS):
        request = game.request
        if request is None:
            return
        if isinstance(request, Choose):
            game.apply(BOTS[bot](rules, game.state, request, chance))  # refuses what isn't legal: no dead end
        else:
            game.apply(chance_answer(request, chance))
        yield
    raise AssertionError("the game doesn't end")


@lru_cache(maxsize=8)
def board_of(name: str) -> tuple[Rules, Board]:
    """The rules and the board of a scenario."""
    scenario = load_scenario(name)
    rules = rules_of(scenario.system)
    return rules, rules.board(scenario.data)


@lru_cache(maxsize=8)
def front_of(name: str) -> frozenset[Any]:
    """The hexes that are a breakthrough for the side that moves first, where the other defends a front; else none.

    On a map whose line decides the hexes beyond it; on others those five columns west of the easternmost defender that
    starts in these rows.
    """
    rules, board = board_of(name)
    if not hasattr(board, "west"):
        return frozenset()
    found = set(board.west) if board.west_needed else set()
    for m in rules.maps(board).values():
        if found and any(h in m for h in found):
            continue
        cells = [m.numbering.cell_of(u.start) for u in board.units.values() if u.side == "osaka" and u.start in m]
        for h in m.hexes:
            cell = m.numbering.cell_of(h)
            near = [c.column for c in cells if abs(c.row - cell.row) <= ROWS]
            if near and cell.column <= max(near) - BEHIND:
                found.add(h)
    return frozenset(found)


def table(tally: Tally) -> str:
    """A tally as Markdown."""
    board = board_of(tally.scenario)[1]
    sides = [side.id for side in board.sides]
    left_out = f" without {', '.join(tally.without)}" if tally.without else ""
    lines = [
        f"### {tally.scenario}{left_out}, {tally.bot}, {tally.games} games",
        "",
        "| winner | clause | games | share |",
    ]
    lines.append("|---|---|---|---|")
    for (winner, clause), games in tally.endings.most_common():
        lines.append(f"| {winner or 'draw'} | {clause} | {games} | {games / tally.games:.1%} |")
    for side in (*sides, None):
        won = sum(games for (winner, _), games in tally.endings.items() if winner == side)
        lines.append(f"| **{side or 'draw'}** | all | {won} | {won / tally.games:.1%} |")
    lines += ["", f"Average length {_mean(tally.lasted):.1f} turns, longest game {tally.longest + 1} answers."]
    if front_of(tally.scenario):
        turns = Counter({turn: games for turn, games in tally.broken.items() if turn})
        when = f", on average in turn {_mean(turns):.1f}" if turns else ""
        lines[-1] += f" First breakthrough in {tally.breakthroughs:.1%} of the games{when}."
    last = board.turns
    lines += ["", "| turn | " + " | ".join(str(turn) for turn in range(1, last + 1)) + " | all |"]
    lines.append("|---" * (last + 2) + "|")
    for side in sides:
        lost = [tally.losses[side, turn] / tally.games for turn in range(1, last + 1)]
        lines.append(f"| units lost, {side} | " + " | ".join(f"{n:.2f}" for n in lost) + f" | {sum(lost):.1f} |")
    for what, counts in (("first breakthrough", tally.broken), ("end", tally.lasted)):
        shares = [counts[turn] / tally.games for turn in range(1, last + 1)]
        if sum(shares):
            lines.append(f"| {what}, share of games | " + " | ".join(f"{n:.0%}" for n in shares) + " | |")
    return "\n".join(lines) + "\n"


def _mean(counts: Counter[int]) -> float:
    return sum(number * games for number, games in counts.items()) / max(1, counts.total())
