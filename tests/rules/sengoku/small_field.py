"""The data of small campaigns of the Sengoku series, as their files would have them: all officers over a drawn map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from rules.field import TEST, letters_of, map_data, options_data

from pbem.rules.sengoku.areas import Area, hexes_in
from pbem.rules.sengoku.scenario import EDITION, board
from pbem.rules.sengoku.state import OPTIONS, State, start

__all__ = ["LEGEND", "data_on", "numbers", "small_field", "state_on"]

LEGEND = {
    ".": ["plain"],
    "r": ["rough"],
    "M": ["mountain"],
    "A": ["impassable_mountain"],
    "s": ["swamp"],
    "~": {"water": "sea"},
    "-": {},
}


def small_field(
    letters: Sequence[Sequence[str]],
    shipped: Mapping[str, Any],
    castles: Mapping[str, str],
    spare: Sequence[str],
    *,
    rivers: Sequence[str] = (),
    lakes: Sequence[str] = (),
    bridges: Sequence[str] = (),
    provinces: Mapping[str, str] | None = None,
    main: Mapping[str, str] | None = None,
    sources: Mapping[str, str] | None = None,
    values: Mapping[str, Mapping[str, str]] | None = None,
    scenario: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """What `scenario.board` is given: the `shipped` data with another map, other castles and no special rules.

    `spare` are two hexes off the field: in one the units of either side are to be deployed, and in the first begin the
    lines of armies without a main castle.
    """
    data: dict[str, Any] = {"armies": deepcopy(shipped["armies"]), "tables": shipped["tables"]}
    given = {name: text.split() for name, text in castles.items()}
    sides = {"river": rivers, "lake": lakes}
    places = {name.title(): words[0] for name, words in given.items()}
    battlefield = map_data(letters, LEGEND, bridges, sides, places=places)
    for road in battlefield["roads"]["chains"]:
        road["kind"] = "bridge"
    data["maps"] = {"field": {**battlefield, "regions": _regions(letters, provinces or {})}}
    every = [unit for file in data["armies"].values() for army in file["armies"] for unit in army["units"]]
    for unit in every:
        unit.update((values or {}).get(unit["id"], {}))
    groups = [_group(group, spare[0], main or {}, sources or {}) for group in shipped["scenario"]["groups"]]
    for group, given_group in zip(groups, shipped["scenario"]["groups"], strict=True):
        if home := [province for province in given_group.get("home", ()) if province in (provinces or {})]:
            group["home"] = home
    side = {group["army"]: group["side"] for group in groups}
    units = {
        name: [
            unit["id"]
            for f in data["armies"].values()
            for a in f["armies"]
            if side[a["id"]] == name
            for unit in a["units"]
        ]
        for name in ("hashiba", "anti-hashiba")
    }
    data["scenario"] = {
        "scenario": "field",
        "system": "sengoku",
        "edition": EDITION,
        "title": "A small field",
        "map": "field",
        "armies": ["hashiba", "anti-hashiba"],
        "turns": "12",
        "options": options_data(OPTIONS),
        **{key: shipped["scenario"][key] for key in ("sides", "first")},
        "groups": groups,
        "castles": [_castle(name, words) for name, words in given.items()],
        "deployment": [
            {"id": name, "at": at, "units": ids} for at, (name, ids) in zip(spare, units.items(), strict=True)
        ],
        "victory": {**shipped["scenario"]["victory"], "bonuses": []},
        "provenance": dict.fromkeys(("castles",), TEST["provenance"]),
        **(scenario or {}),
    }
    return data


def _regions(letters: Sequence[Sequence[str]], provinces: Mapping[str, str]) -> dict[str, Any]:
    """The block of provinces: those given, and one for all other hexes in play."""
    of = {number: str(i) for i, hexes in enumerate(provinces.values()) for number in hexes.split()}
    rows = [
        [of.get(f"{i:02}{j:02}", "x") if letter not in "~-" else "." for j, letter in enumerate(row, 1)]
        for i, row in enumerate(letters, 1)
    ]
    legend = {**{str(i): name for i, name in enumerate(provinces)}, "x": "Elsewhere"}
    return {"legend": legend, "rows": "\n".join(f"{i:02} {' '.join(row)}" for i, row in enumerate(rows, 1)), **TEST}


def _group(group: Mapping[str, Any], spare: str, main: Mapping[str, str], sources: Mapping[str, str]) -> dict[str, Any]:
    """An army with the main castles and sources given; its lines begin in the spare hex when it has neither."""
    army = group["army"]
    found = {key: group[key] for key in ("army", "side", "follows") if key in group}
    if army in main:
        found["main"] = main[army].split()
    if army in sources or army not in main:
        found["sources"] = sources.get(army, spare).split()
    return found


def _castle(name: str, words: Sequence[str]) -> dict[str, Any]:
    """A castle from `HEX OWNER LEVEL [DURABILITY]`; the owner is nobody's name for an abandoned one."""
    found = {"id": name, "name": name.title(), "at": words[0], "level": words[2]}
    found |= {} if words[1] == "nobody" else {"owner": words[1]}
    return found | ({"durability": words[3]} if len(words) > 3 else {})


def numbers(s: State, area: Area) -> set[str]:
    """The numbers of the hexes of an area."""
    return {s.board.label[h] for h in hexes_in(s.board.ground.grid, area)}


def data_on(
    shipped: Mapping[str, Any], rows: str, castles: Mapping[str, str] | None = None, **more: Any
) -> dict[str, Any]:
    """The data of a small campaign on rows of letters; `more` as for `small_field`."""
    letters = letters_of(rows)
    letters += [[], [".", "-", "."]]  # the spare hexes
    width = max(map(len, letters))
    filled = [[*row, *["-"] * (width - len(row))] for row in letters]
    spare = [f"{len(letters):02}{column}" for column in ("01", "03")]
    return small_field(filled, shipped, castles or {}, spare, **more)


def state_on(
    shipped: Mapping[str, Any],
    rows: str,
    forces: Mapping[str, str] | None = None,
    *,
    turn: int = 1,
    stage: int = 1,
    options: Mapping[str, str] | None = None,
    **more: Any,
) -> State:
    """A state on a small field, on which all officers wait but those named; conftest.py tells how it is written."""
    s = start(board(data_on(shipped, rows, **more)), options or {})
    s.turn, s.stage = turn, stage
    for names, text in (forces or {}).items():
        _place(s, tuple(names.split()), text.split())
    s.left.clear()
    return s


def _place(s: State, units: tuple[str, ...], words: list[str]) -> None:
    """Put a force where its text says and in the state it says."""
    s.waiting = {name: tuple(u for u in waiting if u not in units) for name, waiting in s.waiting.items()}
    force = s.form(units, s.board.parse(words[0]))
    if "shut-in" in words:
        s.shut(force)
    if "besieging" in words:
        s.besiege(force)
    if "morale" in words:
        s.set_morale(force, int(words[words.index("morale") + 1]))
    if "reduced" in words:
        s.reduced.update(word for word in words if word in units)
    if "acted" in words:
        s.acted.update(units)
    if "under-superior" in words:
        s.under_superior.update(units)
