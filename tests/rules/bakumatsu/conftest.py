"""Small battlefields for the tests of the Bakumatsu rules, and games on them with scripted dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from rules import field as fields
from rules.field import letters_of, map_data, options_data

from pbem.rules import bakumatsu
from pbem.rules.bakumatsu.sequence import PHASES
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit.phases import phase_id
from pbem.scenario import load_scenario

SIDES = {"sg": "shogunate", "sa": "satcho"}
"""The beginning of a unit's id -> its side."""

LEGEND = {
    ".": ["flat"],
    "h": ["hill"],
    "m": ["mountain"],
    "t": ["mountain", "mountain_top"],
    "w": ["wetland"],
    "c": ["flat", "city"],
    "C": ["hill", "city"],
    "M": ["mountain", "city"],
    "~": {"water": "pond"},
    "-": {},
}

VICTORY_HEXES = 13
IDLE = {"sg-idle": 16, "sa-idle": 17}
"""Two units that face each other off the field -> their columns in the row of spare hexes."""


class Battle(fields.Battle):
    """A game on a small field of Toba-Fushimi's rules."""

    def __init__(self, board: Any, state: State) -> None:
        super().__init__(bakumatsu, board, state, later=("reinforcement/",))

    def words(self, unit: str) -> set[str]:
        """Which of the state words hold for a unit."""
        known = ("disordered", "normal", "artillery", "received", "done")
        return {word for word in known if self.is_(unit, word)}


@pytest.fixture(scope="session")
def tables() -> Mapping[str, Any]:
    """The tables of Toba-Fushimi, as data."""
    return load_scenario("toba-fushimi").data["tables"]


@pytest.fixture
def field_data(tables: Mapping[str, Any]) -> Callable[..., dict[str, Any]]:
    """The builder of a small scenario's data; the arguments are `field`'s."""

    def build(
        rows: str,
        units: Mapping[str, str] | None = None,
        *,
        roads: tuple[str, ...] = (),
        rivers: tuple[str, ...] = (),
        streams: tuple[str, ...] = (),
        ponds: tuple[str, ...] = (),
        control: Mapping[str, str] | None = None,
        entry: str = "",
        areas: Mapping[str, str] | None = None,
        turns: int = 8,
    ) -> dict[str, Any]:
        letters, spare = _rows(rows)
        held = {side: list((control or {}).get(side, "").split()) for side in SIDES.values()}
        missing = VICTORY_HEXES - sum(map(len, held.values()))
        held["shogunate"] += spare[:missing]
        entry = entry or spare[-1]
        everywhere = " ".join(
            f"{r:02}{c:02}" for r, row in enumerate(letters[:-2], 1) for c, x in enumerate(row, 1) if x not in "-~"
        )
        places = {"shogunate-west": everywhere, "satsuma-west": everywhere, **(areas or {})}
        battlefield = map_data(
            letters, LEGEND, roads, {"river": rivers, "stream": streams, "pond": ponds}, areas=places,
            victory={side: " ".join(hexes) for side, hexes in held.items() if hexes}, entries={"shogunate": entry},
        )  # fmt: skip
        scenario = {
            "scenario": "field",
            "system": "bakumatsu",
            "edition": "bakumatsu/1",
            "title": "A small field",
            "map": "field",
            "turns": str(turns),
            "options": options_data({"mountain-top": ["dice", "strength"], "retreat-over-bridge": ["no", "yes"]}),
            "sides": [
                {
                    "id": "shogunate",
                    "title": "Former Shogunate",
                    "entry": entry,
                    "reinforcement-turns": [str(turn) for turn in range(2, turns + 1)],
                    "draw": "cup",
                },
                {"id": "satcho", "title": "Satsuma-Choshu"},
            ],
            "setup": [
                {"side": "shogunate", "code": "west", "areas": ["shogunate-west"]},
                {"side": "satcho", "code": "west", "areas": ["satsuma-west"]},
            ],
            "control": held,
            "units": [_unit(unit, text) for unit, text in (units or {}).items()],
        }
        return {"scenario": scenario, "maps": {"field": battlefield}, "tables": tables}

    return build


@pytest.fixture
def field(field_data: Callable[..., dict[str, Any]]) -> Callable[..., Battle]:
    """The builder of a battle on a small field.

    field(
        '''
        . . h          rows of letters (LEGEND), half-shifted rows as they come: even rows lie further east
         . t .
        ''',
        {
            "sg-1": "0101 4-3-3-4",                     hex, fire-melee-morale-move, x for none
            "sg-2": "0102 5-x-3-3 range 3 disordered",  state words: disordered, done
            "sg-3": "cup 4-3-3-4",                      cup, received, removed or setup instead of a hex
            "sa-1": "0203 6-5-5-5",                     sg- is shogunate, sa- satcho
        },
        phase="satcho-fire",                            begun already; "start" for the set-up
        turn=1, turns=8,
        roads=("0101 0102",), rivers=("0101/0201",), streams=(), ponds=(),
        control={"satcho": "0203"},                     victory hexes; the rest of the 13 lie off the field
        entry="0101",                                   the shogunate's; off the field when left out
        areas={"shogunate-west": "0101 0102"},          for the set-up; everywhere when left out
        options={"mountain-top": "strength"},
        opened=True,                                    False: the phase's beginning is still to come
        idle=True,                                      two units off the field that could always act, sg-idle and
                                                        sa-idle: no phase ends of itself, so markers stay
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
            row = len(_rows(rows)[0])
            units = {**units, **{unit: f"{row:02}{column} 1-1-6-1" for unit, column in IDLE.items()}}
        board = bakumatsu.board(field_data(rows, units, **more))
        state = bakumatsu.start(board, options or {})
        for unit, text in units.items():
            _place(state, unit, text.split())
        numbers = {phase_id(phase, board.sides): number for number, phase in enumerate(PHASES)}
        state.turn, state.phase, state.opened = turn, numbers[phase], opened
        return Battle(board, state)

    return build


def _rows(rows: str) -> tuple[list[list[str]], list[str]]:
    """The field's letters, with a row of spare hexes far below it; and the numbers of the 13 victory hexes there."""
    letters = letters_of(rows)
    width = max(VICTORY_HEXES + 5, *map(len, letters))
    letters += [[], [*["."] * VICTORY_HEXES, "-", *["."] * 4]]
    letters = [[*row, *["-"] * (width - len(row))] for row in letters]
    return letters, [f"{len(letters):02}{column:02}" for column in range(1, VICTORY_HEXES + 1)]


def _unit(unit: str, text: str) -> dict[str, str]:
    """A unit's data from `HEX fire-melee-morale-move [range N] ...`."""
    words = text.split()
    fire, melee, morale, move = words[1].split("-")
    data = {
        "id": unit,
        "side": SIDES[unit[:2]],
        "formation": "field",
        "name": f"Unit {unit}",
        "code": "R" if words[0] in ("cup", "received") else "west",
        "symbol": "artillery" if "range" in words else "infantry",
        "morale": morale,
        "move": move,
    }
    data |= {key: value for key, value in (("fire", fire), ("melee", melee)) if value != "x"}
    return data | ({"range": words[words.index("range") + 1]} if "range" in words else {})


def _place(s: State, unit: str, words: list[str]) -> None:
    """Put a unit where its text says and in the state it says."""
    where, side = words[0], s.board.units[unit].side
    if where == "received":
        s.cups[side] = tuple(other for other in s.cups[side] if other != unit)
        s.received[side] += (unit,)
    elif where == "removed":
        s.removed[unit] = s.turn
    elif where not in ("cup", "setup"):
        s.put(unit, s.board.map.parse(where))
    if "disordered" in words:
        s.disordered.add(unit)
    if "done" in words:
        s.done.add(unit)
