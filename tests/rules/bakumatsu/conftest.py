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
    """A game on a small field of Toba-Fushimi's rules, or with what Tabaruzaka adds to them."""

    def __init__(self, board: Any, state: State) -> None:
        super().__init__(bakumatsu, board, state, later=("reinforcement/", "commanders/", "arrival/"))

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
        satcho_entry: str = "",
        chooses: str = "",
        least: int = 0,
        reorganises: str = "",
        lx: Mapping[str, tuple[int, ...]] | None = None,
    ) -> dict[str, Any]:
        letters, spare = _rows(rows)
        held = {side: list((control or {}).get(side, "").split()) for side in (*SIDES.values(), "nobody")}
        pieces = units or {}
        commanders = {piece for piece, text in pieces.items() if "/" in text}
        missing = VICTORY_HEXES - sum(map(len, held.values()))
        held["shogunate"] += spare[:missing]
        entry = entry or spare[-1]
        everywhere = " ".join(
            f"{r:02}{c:02}" for r, row in enumerate(letters[:-2], 1) for c, x in enumerate(row, 1) if x not in "-~"
        )
        places = {"shogunate-west": everywhere, "satsuma-west": everywhere, **(areas or {})}
        entries = {"shogunate": entry}
        if satcho_entry or "satcho" in chooses or any(piece.startswith("sa") for piece in commanders):
            entries["satcho"] = satcho_entry or spare[-2]
        held = {side: hexes for side, hexes in held.items() if hexes or side != "nobody"}
        battlefield = map_data(
            letters, LEGEND, roads, {"river": rivers, "stream": streams, "pond": ponds}, areas=places,
            victory={side: " ".join(hexes) for side, hexes in held.items() if hexes}, entries=entries,
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
            "units": [_unit(unit, text) for unit, text in pieces.items() if unit not in commanders],
        }
        if commanders:
            scenario["commanders"] = [_commander(piece, pieces[piece]) for piece in pieces if piece in commanders]
        for side in scenario["sides"]:
            name = side["id"]
            if name in entries:
                side["entry"] = entries[name]
            if name in chooses:
                every = [str(turn) for turn in range(1, turns + 1)]
                side |= {"reinforcement-turns": every, "draw": "choice", "least": str(least)}
            if name in reorganises:
                side["reorganises"] = "yes"
            if any(SIDES[piece[:2]] == name for piece in commanders):
                side["commander-turns"] = [str(turn) for turn in (lx or {}).get(name, (turns,))]
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
            "sg-3": "cup 4-3-3-4",                      cup, received, removed or setup instead of a hex; `since 3`
            "sa-1": "0203 6-5-5-5",                     sg- is shogunate, sa- satcho
            "sgc-1": "0101 2/+1/0/5/6",                 a commander: range/fire/melee/morale/move; aside as last word
        },
        phase="satcho-fire",                            begun already; "start" for the set-up
        turn=1, turns=8,
        roads=("0101 0102",), rivers=("0101/0201",), streams=(), ponds=(),
        control={"satcho": "0203"},                     victory hexes, also nobody's; the others lie off the field
        entry="0101", satcho_entry="",                  off the field when left out; satcho has one if it needs it
        chooses="satcho", least=3,                      sides that choose from hand who comes, on every turn
        reorganises="shogunate",                        sides whose lost units come back
        lx={"satcho": (1, 2)},                          the turns in which commanders are drawn; the last when left out
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


@pytest.fixture(scope="session")
def tabaruzaka() -> Any:
    """The board of Tabaruzaka."""
    return bakumatsu.board(load_scenario("tabaruzaka").data)


@pytest.fixture
def at(tabaruzaka: Any) -> Callable[..., Battle]:
    """The builder of a battle on the map of Tabaruzaka: at(3, 4, go_01="2507", sc_01="0131") with these pieces on it,
    where the phase of this number, 1 to 6, is about to begin; phase 0 is the start. `control`: victory hex -> side."""

    def build(turn: int, phase: int, *, control: Mapping[Any, str] | None = None, **places: str) -> Battle:
        state = bakumatsu.start(tabaruzaka, {})
        state.turn, state.phase, state.control = turn, phase, dict(state.control if control is None else control)
        for name, number in places.items():
            piece = name.replace("_", "-")
            _leave(state, piece)
            state.put(piece, tabaruzaka.parse(number))
        return Battle(tabaruzaka, state)

    return build


def _leave(s: State, piece: str) -> None:
    """Take a piece out of the cup or hand in which it waits."""
    side = s.board.units[piece].side
    s.cups[side] = tuple(other for other in s.cups[side] if other != piece)
    cup = tuple(other for other in s.commander_cups.pop(side, ()) if other != piece)
    s.commander_cups |= {side: cup} if cup else {}


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


def _commander(piece: str, text: str) -> dict[str, str]:
    """A commander's data from `HEX range/fire/melee/morale/move [aside]`."""
    words = text.split()
    data = {"id": piece, "side": SIDES[piece[:2]], "name": f"Lord {piece}"}
    data |= dict(zip(("range", "fire", "melee", "morale", "move"), words[1].replace("+", "").split("/"), strict=True))
    return data | ({"aside": "yes"} if "aside" in words else {})


def _place(s: State, unit: str, words: list[str]) -> None:
    """Put a unit where its text says and in the state it says."""
    where, side = words[0], s.board.units[unit].side
    if where != "cup":
        _leave(s, unit)
    if where == "received":
        s.received[side] += (unit,)
    elif where == "removed":
        s.removed[unit] = int(words[words.index("since") + 1]) if "since" in words else s.turn
    elif where not in ("cup", "setup"):
        s.put(unit, s.board.map.parse(where))
    if "disordered" in words:
        s.disordered.add(unit)
    if "done" in words:
        s.done.add(unit)
