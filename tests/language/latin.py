"""What is left in English of a game that is told in another language: words of Latin letters beside ids and orders."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from systems.whole import table_of

from pbem.report import source
from pbem.report.put import put_situation, put_step
from pbem.report.telling import Teller
from pbem.scenario import japanese_names

__all__ = ["latin", "left_in_english", "left_of_headlines"]

ASCII_STAYS = (
    r"「[^」]*」|既定の処理：.*|の決定：.*|の命令：.*|の常時命令.*|ダイス \S+、|\S+の抽選"
    r"|\b[a-z]+-\d+\b|\bDD?\b|\bM\d?\b|\bZOC\b|\basuka\b|\bben\b|`[^`]*`"
)
"""Orders and drawn counters as they are typed, ids, players, and what counters and tables have in Latin letters."""


def latin(told: str, stays: str, ours: list[str]) -> str:
    """The first English words of a text, "" for none; `ours`: names of units and places that have none in Japanese."""
    bare = told
    for word in ours:
        bare = bare.replace(word, "")
    bare = re.sub(f"{ASCII_STAYS}|{stays}" if stays else ASCII_STAYS, "", bare, flags=re.ASCII)
    found = re.findall(r"[A-Za-z]{2,}(?: [A-Za-z]+)*", bare)
    return found[0] if found else ""


def left_in_english(
    system: str, name: str, stays: str = "", without: Sequence[str] = (), most: int = 0, *, heads: bool = False
) -> dict[str, str]:
    """English words in the events of a stored game (tests/games) -> the sentence in which they stand first.

    `without`: facts whose words other tests read; `most`: so many steps of a kind are looked at in a long game, of all
    where it is 0; `heads`: events as headlines and turns tell them, and orders that wait, are looked at, too.
    """
    table = table_of(system, name)
    names = japanese_names(system)
    situation = put_situation(table.rules.situation(table.game.state), names)
    teller = Teller(situation, source.direction_of(table))
    ours = sorted({thing["name"] for thing in (*situation["units"], *situation["places"]) if thing["name"]}, key=len)
    left: dict[str, str] = {}
    seen = Counter[str]()
    for step in table.steps:
        kind = step["what"] if step["kind"] == "tell" else " ".join([step["kind"], *step.get("words", ())[:1]])
        seen[kind] += 1
        if step["kind"] == "say" or (most and seen[kind] > most):  # what players say is as they wrote it
            continue
        for told in _told(teller, _blanked(put_step(step, names), without), heads=heads):
            if found := latin(told, stays, ours[::-1]):
                left.setdefault(found, told)
    return left


def left_of_headlines(system: str, name: str, stays: str = "") -> dict[str, str]:
    """The same of the headlines of its events, told as they came and as they may come, and of orders that wait."""
    table = table_of(system, name)
    names = japanese_names(system)
    situation = put_situation(table.rules.situation(table.game.state), names)
    left: dict[str, str] = {}
    for ahead in (False, True):
        teller = Teller(situation, source.direction_of(table))
        teller.names.ahead = ahead
        for step in (put_step(step, names) for step in table.steps):
            if step["kind"] == "tell":
                item = {**step, "known": True}
                told = [teller.head(item) or "", teller.together(item)]
            else:
                found = teller.macro(f"do_{step['words'][0]}") if step["kind"] == "order" else None
                told = [teller.order(step["words"])] if found is not None else []
            left |= {english: words for words in told if (english := latin(words, stays, []))}
    return left


def _told(teller: Teller, step: dict[str, Any], *, heads: bool) -> Iterator[str]:
    """All that is said of a step."""
    told, known = teller.tell(step)
    assert known, step
    yield told
    if heads and step["kind"] == "tell":
        for teller.names.ahead in (True, False):
            yield teller.head({**step, "known": True}) or ""
        yield teller.in_turn(step)
    elif heads and step["kind"] in ("order", "answer"):
        yield teller.order(step["words"])


def _blanked(step: dict[str, Any], without: Sequence[str]) -> dict[str, Any]:
    """A step with a sign in place of words that other tests read."""
    found = {key: "\N{HORIZONTAL ELLIPSIS}" if key in without and value else value for key, value in step.items()}
    return {**found, "facts": _blanked(found["facts"], without)} if "facts" in found else found
