"""Small battlefields for the tests of the Yukimura rules, and games on them with scripted dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from rules.field import Battle, letters_of
from rules.yukimura.small_field import small_field

from pbem import strictyaml
from pbem.resources import data_folder
from pbem.rules import yukimura
from pbem.rules.kit.phases import phase_id
from pbem.rules.yukimura import acting
from pbem.rules.yukimura.sequence import PHASES
from pbem.rules.yukimura.state import State

FORCES = {
    "go": ("goto", "osaka"),
    "ak": ("akashi", "osaka"),
    "mo": ("mori", "osaka"),
    "sa": ("sanada", "osaka"),
    "hi": ("hideyori", "osaka"),
    "ki": ("kimura", "osaka"),
    "ch": ("chosokabe", "osaka"),
    "da": ("date", "east"),
    "td": ("tadateru", "east"),
    "mi": ("mizuno", "east"),
    "ho": ("honda", "east"),
    "ii": ("ii", "east"),
    "to": ("todo", "east"),
    "sk": ("sakakibara", "east"),
}
"""The beginning of a unit's id -> its force and side."""

LEGEND = {
    ".": ["flat"],
    "w": ["marsh"],
    "m": ["mountain"],
    "~": ["large_river"],
    "o": ["flat", "mound"],
    "O": ["marsh", "mound"],
    "*": ["mountain", "star"],
    "-": {},
}

IDLE = {"go-99": 2, "da-99": 3}
"""Two riflemen off the field -> their columns in the row of spare hexes; 4 apart in a Movement Phase, else adjacent."""

SPARE = 12
"""The number of hexes in the spare row, which begins in the second column: it is not part of the west edge."""

LATER = ("release/", "arrival/")
"""The rolls at the beginning of a later phase, which a test need not answer."""


@pytest.fixture(scope="session")
def tables() -> Mapping[str, Any]:
    """The tables of the system, as data."""
    return strictyaml.load((data_folder("scenarios") / "yukimura" / "tables.yaml").read_bytes(), "tables")


@pytest.fixture
def field_data(tables: Mapping[str, Any]) -> Callable[..., dict[str, Any]]:
    """The builder of a small scenario's data; the arguments are `field`'s."""

    def build(
        rows: str,
        units: Mapping[str, str] | None = None,
        *,
        reinforcements: Sequence[Mapping[str, Any]] = (),
        **more: Any,
    ) -> dict[str, Any]:
        letters = letters_of(rows)
        letters += [[], ["-", *["."] * SPARE]]
        width = max(map(len, letters))
        letters = [[*row, *["-"] * (width - len(row))] for row in letters]
        late = {str(entry["force"]) for entry in reinforcements}
        waiting = {FORCES[unit[:2]][0] for unit, text in (units or {}).items() if text.split()[0] == "waiting"} - late
        forces = _forces(units or {}, late | waiting, len(letters))
        comes = [*reinforcements, *({"force": force, "turn": "1", "edge": "east"} for force in sorted(waiting))]
        return small_field(letters, LEGEND, forces, tables, reinforcements=comes, **more)

    return build


@pytest.fixture
def field(field_data: Callable[..., dict[str, Any]]) -> Callable[..., Battle]:
    """The builder of a battle on a small field.

    field(
        '''
        . . m          rows of letters (LEGEND), half-shifted rows as they come: even rows lie further east
         . w .
        ''',
        {
            "go-01": "0101",                            hex; foot 3-3-3 when nothing else is said
            "go-02": "0102 2-4-5 rifle",                strength-morale-move (* for no morale) and branch
            "da-01": "0203 2-5-5 mounted command 10",   a commander and his range
            "da-02": "0203 start 0103",                 where the counter is printed, when that is another hex
            "da-03": "waiting",                         waiting (may enter), removed, exited instead of a hex
            "da-04": "0201 moved",                      state words: moved, pinned, fired, fought, shot_at, attacked
        },                                              the first two letters tell force and side (FORCES)
        phase="osaka-defence",                          begun already; "start" for the placing of Hideyori
        turn=1, turns=12,
        roads=("0101 0102",), rivers=("0101/0201",), impassable=(), line=(),
        entries={"east": "0103"},                       road hexes on the edges
        held=[{"force": "goto", "until": 5}],           as in a scenario file; likewise `reinforcements`
        victory={"otherwise": "osaka"},
        options={"command-range": "yes"},
        opened=True,                                    False: the phase's beginning is still to come
        idle=True,                                      two riflemen off the field that could always act, go-99 and
                                                        da-99: no phase ends of itself
    )
    """

    def build(
        rows: str,
        units: Mapping[str, str],
        *,
        phase: str,
        turn: int = 1,
        options: Mapping[str, str] | None = None,
        opened: bool = True,
        idle: bool = False,
        **more: Any,
    ) -> Battle:
        if idle:
            row = len(letters_of(rows)) + 2
            apart = 3 if phase.endswith("move") else 0
            units = {
                **units,
                **{u: f"{row:02}{c + (c - 2) * apart:02} 3-3-3 rifle" for u, c in IDLE.items()},
            }
        board = yukimura.board(field_data(rows, units, **more))
        state = yukimura.start(board, options or {})
        for unit, text in units.items():
            _place(state, unit, text.split())
        numbers = {phase_id(phase, board.sides): number for number, phase in enumerate(PHASES)}
        state.turn, state.phase, state.opened = turn, numbers[phase], opened
        if opened:
            _begun(state, phase)
        return Battle(yukimura, board, state, LATER)

    return build


def _begun(s: State, phase: str) -> None:
    """What the beginning of a phase has done: pinned units, the step of a Combat Phase, reinforcements."""
    side, _, kind = phase.partition("-")
    if kind == "move":
        s.pinned |= {unit for h, unit in s.stands[side].items() if acting.in_enemy_zoc(s, side, h)}
    if kind == "combat":
        s.step = "fire"
    s.arrived |= {force for force, arrival in s.board.arrivals.items() if arrival.turn <= s.turn and not arrival.die}


def _forces(units: Mapping[str, str], late: set[str], spare_row: int) -> list[dict[str, Any]]:
    """The army's forces; units that are gone start in the spare row, those of reinforcements off the map."""
    forces: dict[str, dict[str, Any]] = {}
    for i, (unit, text) in enumerate(units.items()):
        force, side = FORCES[unit[:2]]
        data = _unit(unit, text)
        words = text.split()
        if force not in late:
            where = words[words.index("start") + 1] if "start" in words else words[0]
            data["at"] = where if where[0].isdigit() else f"{spare_row:02}{SPARE + 1 - i % 6:02}"
        forces.setdefault(force, {"id": force, "side": side, "title": force.title(), "men": "300", "units": []})
        forces[force]["units"].append(data)
    return list(forces.values())


def _unit(unit: str, text: str) -> dict[str, Any]:
    """A unit's data from `HEX [strength-morale-move] [branch] [command N] ...`."""
    words = text.split()
    values = next((word for word in words[1:] if "-" in word and word[0].isdigit()), "3-3-3")
    strength, morale, move = values.split("-")
    data = {
        "id": unit,
        "name": f"Unit {unit}",
        "short": unit,
        "branch": next((word for word in words if word in ("mounted", "mounted-rifle", "rifle")), "foot"),
        "strength": strength,
        "morale": morale,
        "move": move,
    }
    return data | ({"commander": "yes", "command": words[words.index("command") + 1]} if "command" in words else {})


def _place(s: State, unit: str, words: list[str]) -> None:
    """Put a unit where its text says and in the state it says."""
    where, force = words[0], s.board.units[unit].force
    if where in ("removed", "exited"):
        if unit in s.at:
            s.leave(unit)
            del s.exited[unit]
        (s.removed if where == "removed" else s.exited)[unit] = s.turn
    elif where != "waiting":
        s.put(unit, s.board.parse(where))
    if force in s.waiting and where != "waiting":
        s.waiting[force] = tuple(other for other in s.waiting[force] if other != unit)
    for name in ("moved", "pinned", "fired", "fought", "shot_at", "attacked"):
        if name in words:
            getattr(s, name).add(unit)
