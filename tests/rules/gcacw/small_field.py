"""The data of small battles of the Great Campaigns, as their files would have them: real counters over a drawn map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from rules.field import TEST, letters_of, options_data

from pbem.rules.gcacw.scenario import EDITION, board
from pbem.rules.gcacw.sequence import phases_of
from pbem.rules.gcacw.state import OPTIONS, State, start
from pbem.rules.kit.phases import phase_id

__all__ = ["ADVANCED", "LEGEND", "data_on", "place", "state_on"]

LEGEND = {
    ".": ["clear"],
    "o": ["rolling"],
    "w": ["woods"],
    "r": ["rough"],
    "h": ["hill"],
    "m": ["mountain"],
    "s": ["swamp"],
    "c": ["city"],
    "-": {},
}

ADVANCED: dict[str, Any] = {
    "supply": ["6", "11"],
    "effects": "6",
    "home": [],
    "fed": "2",
    "rails": {"turns": ["7", "8", "9"], "starts": [], "hexes": "35", "most": "16"},
    "substitutes": [f"{side}-{kind}-{n}" for side in ("union", "csa") for kind in ("sub", "cav") for n in (1, 2, 3)],
}
"""The block of the advanced game for a field: `scenario={"advanced": {**ADVANCED, "home": ["Orange"]}}`."""

LINES = [{"clause": "13.0-3", "kind": "lost", "points": "1", "side": "union"}]
LEVELS = [
    {"title": "Confederate victory", "side": "confederate", "least": "1"},
    {"title": "Union victory", "side": "union"},
]


def data_on(
    shipped: Mapping[str, Any],
    rows: str,
    units: Mapping[str, str] | None = None,
    *,
    roads: Mapping[str, Sequence[str] | str] | None = None,
    sides: Mapping[str, Sequence[str] | str] | None = None,
    regions: Mapping[str, str] | None = None,
    places: Mapping[str, str] | None = None,
    turns: int = 3,
    scenario: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The data of a small battle on rows of letters; conftest.py tells how it is written."""
    letters = letters_of(rows)
    text = {"set-up": [_start(unit, words.split()) for unit, words in (units or {}).items()]}
    return {
        "scenario": {
            "scenario": "field",
            "system": "gcacw",
            "edition": EDITION,
            "title": "A small field",
            "map": "field",
            "armies": ["union", "confederate"],
            "tables": "tables",
            "turns": str(turns),
            "options": options_data(OPTIONS),
            "sides": [{"id": "union", "title": "Union"}, {"id": "confederate", "title": "Confederates"}],
            **text,
            "victory": {"clause": "13.0-3", "lines": LINES, "levels": LEVELS},
            "provenance": dict.fromkeys(("set-up", "victory"), "test"),
            **(scenario or {}),
        },
        "maps": {"field": _map(letters, roads or {}, sides or {}, regions or {}, places or {})},
        "armies": deepcopy(shipped["armies"]),
        "tables": deepcopy(shipped["tables"]),
    }


def _start(unit: str, words: Sequence[str]) -> dict[str, str]:
    """A line of the set-up from `HEX [MANPOWER] ...`."""
    found = {"unit": unit, "at": words[0]}
    return found | ({"manpower": words[1]} if len(words) > 1 and words[1].isdigit() else {})


def _map(
    letters: Sequence[Sequence[str]],
    roads: Mapping[str, Sequence[str] | str],
    sides: Mapping[str, Sequence[str] | str],
    regions: Mapping[str, str],
    places: Mapping[str, str],
) -> dict[str, Any]:
    """A map as its file has it; hexes are numbered CCRR, even columns stand half a hex further south."""
    drawn = "".join(f"{i:02} {' '.join(row)}\n" for i, row in enumerate(letters, 1))
    found: dict[str, Any] = {
        "map": "field",
        "title": "Field",
        "layout": "flat",
        "numbering": {"first": "column", "rows": "from north", "shifted": "even", **TEST},
        "terrain": {"legend": deepcopy(LEGEND), "rows": drawn, **TEST},
        "roads": {"chains": _chains(roads, "hexes"), **TEST},
        "hexsides": {"chains": _chains(sides, "sides"), **TEST},
        "places": {"hexes": dict(places), **TEST},
        **{block: {"hexes": {}, **TEST} for block in ("areas", "victory", "entries")},
    }
    if regions:
        of = {number: str(i) for i, hexes in enumerate(regions.values()) for number in hexes.split()}
        rows = [
            [of.get(f"{j:02}{i:02}", "x") if letter != "-" else "." for j, letter in enumerate(row, 1)]
            for i, row in enumerate(letters, 1)
        ]
        text = "".join(f"{i:02} {' '.join(row)}\n" for i, row in enumerate(rows, 1))
        legend = {**{str(i): name for i, name in enumerate(regions)}, "x": "Elsewhere"}
        found["regions"] = {"called": "county", "legend": legend, "apart": list(legend.values()), "rows": text, **TEST}
    return found


def _chains(given: Mapping[str, Sequence[str] | str], key: str) -> list[dict[str, str]]:
    """Roads or hexsides: kind -> a chain, or several."""
    each = [
        (kind, chain) for kind, chains in given.items() for chain in ([chains] if isinstance(chains, str) else chains)
    ]
    return [{"name": f"{kind} {i}", "kind": kind, key: chain} for i, (kind, chain) in enumerate(each)]


def state_on(
    shipped: Mapping[str, Any],
    rows: str,
    units: Mapping[str, str],
    *,
    choice: str | None = None,
    phase: str = "cycle",
    turn: int = 1,
    opened: bool = True,
    options: Mapping[str, str] | None = None,
    **more: Any,
) -> State:
    """A state on a small field, begun in the middle; conftest.py tells how it is written."""
    b = board(data_on(shipped, rows, units, **more))
    return place(start(b, options or {}), units, choice=choice, phase=phase, turn=turn, opened=opened)


def place(
    s: State,
    units: Mapping[str, str],
    *,
    choice: str | None = None,
    phase: str = "cycle",
    turn: int = 1,
    opened: bool = True,
) -> State:
    """The state in this phase, each counter where its text says and as it says."""
    s.turn, s.opened, s.choice = turn, opened, choice
    s.phase = next(n for n, one in enumerate(phases_of(s.board)) if phase_id(one, s.board.sides) == phase)
    s.cycle = int(opened and phase == "cycle")
    for unit, text in units.items():
        _stand(s, unit, text.split())
    return s


def _stand(s: State, unit: str, words: Sequence[str]) -> None:
    """Put a counter into its hex, and mark it."""
    if s.at.get(unit) != s.board.parse(words[0]):
        s.put(unit, s.board.parse(words[0]))
    if len(words) > 1 and words[1].isdigit():
        s.manpower[unit] = int(words[1])
    for word, number in zip(words, [*words[1:], ""], strict=True):
        if word in ("F0", "F1", "F2", "F3", "F4"):
            s.tire(unit, int(word[1]))
        if word == "disorganised":
            s.disorganise(unit)
        if word == "demoralised":
            s.demoralise(unit, int(number))
        if word == "works":
            s.works[unit] = int(number)
    s.memo.clear()
    s.zones.clear()
