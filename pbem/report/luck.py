"""How dice fell against their mean: in the news by kind of roll, in the whole game as a figure and a curve by turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import sqrt

from pbem.language import say
from pbem.language.lines import across
from pbem.report.layout import Json
from pbem.report.telling import Teller
from pbem.rules.requests import dice_side
from pbem.words import turn_word

__all__ = ["bars", "curve", "luck_of_game", "luck_of_news"]

_BAR = 10
"""Marks of the longest bar of the text's curve."""
_WIDE, _HIGH = 360, 120
"""The curve on the page, in pixels."""


def luck_of_news(
    rolls: Iterable[tuple[Json, Json | None]], sides: list[Json], good: Mapping[str, str], teller: Teller
) -> list[Json]:
    """Sum of the dice against the mean, by side and kind of roll, in the order in which they fell first; no draws.

    `rolls` are each with the event that it decided. `spread` is the standard deviation of such a sum. A roll counts for
    the side whose unit acts (or checks).
    """
    sums: dict[tuple[str | None, str, int], list[int]] = {}
    for roll, decided in rolls:
        if roll["kind"] == "roll":
            facts = decided.get("facts", {}) if decided else {}
            side = dice_side(roll["label"], facts) or teller.names.unit_side.get(str(facts.get("unit")))
            sums.setdefault((side, roll["label"].split("/")[0], roll["sides"]), []).extend(roll["result"])
    rank = {side["id"]: number for number, side in enumerate(sides)}
    found = []
    for (side, kind, faces), results in sorted(sums.items(), key=lambda one: rank.get(one[0][0] or "", 9)):
        common = {"side": side, "title": teller.names.side(side) if side else say("Either side"), "kind": kind}
        spread = round(sqrt(len(results) * _variance(faces)), 1)
        numbers = {"dice": len(results), "sides": faces, "sum": sum(results), "mean": _mean(len(results), faces)}
        found.append({**common, **numbers, "spread": spread, "good": good.get(kind)})
    return found


def luck_of_game(fallen: Mapping[str, list[int]], sides: list[Json], good: Mapping[str, str]) -> list[Json]:
    """By how much each side's dice of the whole game were better than their mean, and turn by turn the sum so far.

    `fallen` is what a course has counted: `TURN SIDE KIND SIDES` -> dice and their sum. Of kinds of rolls for which
    neither high nor low is good nothing is said, nor of a side without dice.
    """
    turns = sorted({turn for turn, *_ in _counted(fallen, good)})
    found = []
    for side in sides:
        rows = [row for row in _counted(fallen, good) if row[1] == side["id"]]
        if not rows:
            continue
        by_turn = {turn: sum(better for when, _, _, better, _ in rows if when <= turn) for turn in turns}
        spread = round(sqrt(sum(variance for *_, variance in rows)), 1)
        told = {"dice": sum(row[2] for row in rows), "better": by_turn[turns[-1]], "spread": spread}
        curve = [{"turn": turn, "better": better} for turn, better in by_turn.items()]
        found.append({"side": side["id"], "title": side["title"], **told, "turns": curve})
    return found


def _counted(fallen: Mapping[str, list[int]], good: Mapping[str, str]) -> Iterator[tuple[int, str, int, float, float]]:
    """Turn, side, number of dice, by how much they were better than their mean, and the variance of their sum."""
    for key, (dice, total) in fallen.items():
        turn, side, kind, faces = key.split(" ")
        if kind in good:
            over = total - _mean(dice, int(faces))
            yield int(turn), side, dice, over if good[kind] == "high" else -over, dice * _variance(int(faces))


def _mean(dice: int, faces: int) -> float:
    return dice * (faces + 1) / 2


def _variance(faces: int) -> float:
    """The variance of one die."""
    return (faces * faces - 1) / 12


# --- the curve -------------------------------------------------------------------------------------------------------


def bars(data: Json) -> list[str]:
    """The luck of the whole game drawn in text, a line a turn; none without dice."""
    sides = data["luck_of_game"]
    if not sides:
        return []
    unit = max(1.0, _most(sides) / _BAR)
    word = turn_word(data["situation"])
    wide = 1 + across(word)
    lines = [_scale(unit, word)]
    for number, point in enumerate(sides[0]["turns"]):
        drawn = [_bar(side["turns"][number]["better"], unit) for side in sides]
        lines.append(f"{point['turn']:>{wide}}  {' '.join(drawn)}".rstrip())
    titles = [side["title"][: 2 * _BAR + 7] for side in sides]
    heads = "".join(title + " " * (2 * _BAR + 9 - across(title)) for title in titles)
    return [lines[0], f" {word}  {heads}".rstrip(), *lines[1:]]


def _scale(unit: float, word: str) -> str:
    """What a mark of the bars is worth."""
    if unit == 1:
        return say("Sum by %(turn)ss, each mark a pip: - worse, + better than the mean.", turn=word)
    pips = f"{unit:.1f}"
    return say("Sum by %(turn)ss, each mark %(pips)s pips: - worse, + better than the mean.", turn=word, pips=pips)


def _bar(better: float, unit: float) -> str:
    """`   +3.5               |++++          `."""
    marks = round(abs(better) / unit)
    left, right = ("-" * marks, "") if better < 0 else ("", "+" * marks)
    return f"{f'{better:+g}' if better else '0':>6} {left:>{_BAR}}|{right:<{_BAR}}"


def curve(data: Json) -> list[Json]:
    """The luck of the whole game as lines of the page's curve: for each side its points, where it ends, and its look.

    The curve is 360 pixels wide and 120 high, its middle is the mean. The side that moves first looks like its
    counters, whoever reads.
    """
    sides = data["luck_of_game"]
    first = next((phase["side"] for phase in data["situation"]["phases"] if phase["side"]), "")
    most, found = max(1.0, _most(sides)), []
    for side in sides:
        values = [0.0, *(point["better"] for point in side["turns"])]
        step = (_WIDE - 20) / max(1, len(values) - 1)
        points = [(10 + n * step, _HIGH / 2 - value / most * (_HIGH / 2 - 10)) for n, value in enumerate(values)]
        line = {"points": " ".join(f"{x:.1f},{y:.1f}" for x, y in points), "end": points[-1]}
        found.append({**line, "look": "one" if side["side"] == first else "two"})
    return found


def _most(sides: list[Json]) -> float:
    """The farthest that any sum came from its mean."""
    return max((abs(point["better"]) for side in sides for point in side["turns"]), default=0.0)
