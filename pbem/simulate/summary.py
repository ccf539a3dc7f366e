"""What many games come to: wins with their intervals, length, mails, losses and endings, as plain JSON data."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Any

from pbem.simulate.game import Played, Run, begun, sides_of

__all__ = ["spread", "summary", "wilson"]

Json = dict[str, Any]

SURE = 1.959963984540054
"""Standard errors on either side of what 95 per cent of samples come to."""


def summary(run: Run, asked: int, games: Sequence[Played]) -> Json:
    """What the games tell of which `asked` were to be played, one at least; `played` are the games themselves, `chosen`
    the options that aren't as they are by default.

    Shares are from 0 to 1, `low` and `high` their interval by Wilson (95 per cent). A side's `leaders` are what those
    are called who are counted among its lost and are no units, "" where there are none. `lost_by_turn` are means over
    all games: those that have ended count as games without loss.
    """
    sides, leaders = sides_of(run.scenario), _leaders(run)
    turns = max(game.turns for game in games)
    return {
        "scenario": run.scenario.id,
        "title": run.scenario.title,
        "system": run.scenario.system,
        "edition": run.terms.rules,
        "options": dict(run.terms.options),
        "chosen": {name: value for name, value in run.terms.options if value != _default(run, name)},
        "reactions": run.terms.reactions,
        "seed": run.seed,
        "asked": asked,
        "games": len(games),
        "sides": [
            {
                "id": side,
                "title": title,
                "bot": bot,
                **_share(games, sum(game.winner == side for game in games)),
                "leaders": leaders[side],
                "lost": spread(sum(game.lost[side]) for game in games),
                "lost_by_turn": [_lost_in(games, side, turn) for turn in range(turns)],
            }
            for (side, title), bot in zip(sides, run.bots, strict=True)
        ],
        "draws": _share(games, sum(game.winner is None for game in games)),
        "length": spread(game.turns for game in games),
        "mails": spread(game.mails for game in games),
        "orders": spread(game.orders for game in games),
        "endings": _endings(games, dict(sides)),
        "played": [game._asdict() for game in games],
    }


def wilson(won: int, of: int) -> tuple[float, float]:
    """The interval that holds the true share 95 times of 100 when `won` of so many are won (Wilson 1927)."""
    share, square = won / of, SURE**2 / of
    middle = (share + square / 2) / (1 + square)
    reach = SURE / (1 + square) * sqrt(share * (1 - share) / of + square / of / 4)
    return middle - reach if won else 0.0, middle + reach if won < of else 1.0


def _default(run: Run, option: str) -> str:
    return str(run.scenario.data["scenario"]["options"][option]["default"])


def _share(games: Sequence[Played], won: int) -> Json:
    low, high = wilson(won, len(games))
    return {"wins": won, "share": won / len(games), "low": low, "high": high}


def spread(numbers: Iterable[int]) -> Json:
    """How numbers are spread: mean, least and most, the ends between which four in five lie, and how often each is."""
    found = sorted(numbers)
    tenth = len(found) // 10
    return {
        "mean": sum(found) / len(found),
        "least": found[0],
        "low": found[tenth],
        "high": found[-1 - tenth],
        "most": found[-1],
        "counts": [[number, count] for number, count in sorted(Counter(found).items())],
    }


def _leaders(run: Run) -> dict[str, str]:
    """Side -> what its leaders are called who are no units; "" where it has none."""
    table = begun(run)
    sides = table.rules.situation(table.game.state)["sides"]
    return {side["id"]: side["leaders"]["many"] if "leaders" in side else "" for side in sides}


def _lost_in(games: Sequence[Played], side: str, turn: int) -> float:
    """Units of a side removed in a turn (0 is the first), on the mean of all games."""
    return sum(game.lost[side][turn] for game in games if turn < game.turns) / len(games)


def _endings(games: Sequence[Played], titles: Mapping[str, str]) -> list[Json]:
    """How the games ended, also by level, the most frequent first; of several reasons in words the most frequent."""
    reasons: defaultdict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for game in games:
        reasons[game.winner or "", game.clause, game.level][game.reason] += 1
    ranked = sorted(reasons.items(), key=lambda ending: (-ending[1].total(), ending[0]))
    return [
        {
            "winner": winner or None,
            "title": titles.get(winner, "draw"),
            "clause": clause,
            "level": level,
            "games": told.total(),
            "share": told.total() / len(games),
            "reason": min(told, key=lambda reason: (-told[reason], reason)),
            "reasons": len(told),
        }
        for (winner, clause, level), told in ranked
    ]
