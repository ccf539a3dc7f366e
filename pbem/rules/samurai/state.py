"""The state of a battle: plain data over a Board, whole numbers alone; who touches whom; and the changes rules make."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from enum import StrEnum

from pbem.maps import tabletop
from pbem.records import NamedTuple, Record, made
from pbem.rules.kit import state as kit
from pbem.rules.kit.options import chosen
from pbem.rules.kit.state import Field
from pbem.rules.requests import Tell
from pbem.rules.samurai.board import Board
from pbem.rules.samurai.geometry import Base, Size, overlap, spans, stands_of
from pbem.rules.samurai.known import Known

__all__ = [
    "ABREAST", "BEHIND", "ENEMY", "NONE", "NO_UNITS", "Ended", "Gone", "State", "Step", "copy", "dump", "label", "load",
    "start",
]  # fmt: skip

ABREAST = "abreast"
BEHIND = "behind"
"""How the stands of a unit stand (definitions.5a)."""

NO_UNITS = frozenset[str]()
"""No units."""

NONE = (0, 0)
"""No kills of either stand."""

ENEMY = "enemy"
"""What stands in place of a reason where an enemy is in the way: that is lawful."""


class Step(StrEnum):
    """The steps of a player's turn, in their order (turn_sequence.2, turn_sequence.3, turn_sequence.4)."""

    FIRE = "fire"
    MOVE = "move"
    RALLY = "rally"
    ATTACK = "attack"
    END = "end"


class Gone(StrEnum):
    """How a unit left the game."""

    KILLED = "killed"
    DISPERSED = "dispersed"
    FLED = "fled"


class Ended(NamedTuple):
    """How a battle ended: the winner, the clause, the reason in words."""

    winner: str | None
    clause: str
    reason: str


class State(Record):
    """Where a battle stands. Nothing that it holds is ever changed but replaced: so copies share all.

    turn        from 1 on;  phase: 0 and 1 the set-ups, 2 and 3 the players' turns; `opened` once its beginning is done
    step        of a player's turn;  closing: he has said that he wants nothing more in it
    at          unit or daimyo on the table -> its base
    figures     the same -> the figures left on each of the stands with which it began
    shape       unit of two stands -> how they stand
    routed      units that flee;  checked: units that have come to half their strength (combat.8)
    gone        unit that has left the game -> how
    fires       who fires at whom, declared and not yet resolved (fire_combat.1)
    shot        units that were declared to fire in this turn
    met         unit -> the enemies that it touched when this movement step began (movement.5b)
    led         units of two stands that a daimyo touched in this movement step (daimyos.1)
    moved       unit -> what it has done in this movement step: `turned`, `moved` or `done`
    tried       units that tried to rally in this turn;  fought: units that attacked in it
    at_risk     daimyos whose units took losses in this turn (daimyos.4)
    known       what has been worked out about where everybody stands with how many figures
    dice        whether dice have fallen in this turn before the end of its movement step
    kills       what the dice of a fire or attack that is under way have killed so far, of either stand of its target
    """

    board: Board
    turn: int
    phase: int
    opened: bool
    step: str
    closing: bool
    at: Mapping[str, Base]
    figures: Mapping[str, tuple[int, ...]]
    shape: Mapping[str, str]
    routed: frozenset[str]
    checked: frozenset[str]
    gone: Mapping[str, str]
    fires: tuple[tuple[str, str], ...]
    shot: frozenset[str]
    met: Mapping[str, tuple[str, ...]]
    led: frozenset[str]
    moved: Mapping[str, str]
    tried: frozenset[str]
    fought: frozenset[str]
    at_risk: frozenset[str]
    dice: bool
    kills: tuple[int, int]
    ended: Ended | None
    known: Known = made(compare=False)

    # --- units --------------------------------------------------------------------------------------------------------

    def by_id(self, units: Iterable[str]) -> list[str]:
        """These units in the order of their ids."""
        found = list(units)
        if len(found) > 1:
            found.sort(key=self.board.order.__getitem__)
        return found

    def on(self, side: str) -> Sequence[str]:
        """A side's units and daimyos on the table, by id."""
        found: Sequence[str] | None = self.known.lasting.get(("on", side))
        return self._present("on", self.board.of_side[side], side) if found is None else found

    def troops(self, side: str) -> Sequence[str]:
        """A side's units on the table, by id; no daimyos."""
        found: Sequence[str] | None = self.known.lasting.get(("troops", side))
        return self._present("troops", self.board.troops_of[side], side) if found is None else found

    def all_daimyos(self, side: str) -> Sequence[str]:
        """A side's daimyos on the table, by id."""
        found: Sequence[str] | None = self.known.lasting.get(("daimyos", side))
        return self._present("daimyos", self.board.daimyos_of[side], side) if found is None else found

    def _present(self, what: str, units: Sequence[str], side: str) -> Sequence[str]:
        """Those of a side's units that are on the table, kept."""
        self.known.lasting[what, side] = found = [unit for unit in units if unit in self.at]
        return found

    def left(self, unit: str) -> int:
        """The figures that a unit has left over all its stands."""
        return sum(self.figures[unit]) if unit in self.at else 0

    def stands(self, unit: str) -> list[int]:
        """The stands of a unit that have figures left, by their numbers."""
        return [number for number, figures in enumerate(self.figures[unit]) if figures]

    def doubled(self, unit: str) -> bool:
        """Whether a unit has two stands left, so that it needs a daimyo (daimyos.1)."""
        return unit in self.known.doubled

    def size(self, unit: str) -> Size:
        """What the base of a unit measures as it is now."""
        lasting, key = self.known.lasting, ("size", unit)
        found: Size | None = lasting.get(key)
        if found is None:
            stands = 1 if len(self.figures[unit]) == 1 else len(self.stands(unit))
            lasting[key] = found = self.board.units[unit].size(self.shape.get(unit, ABREAST), stands)
        return found

    def bases(self, unit: str) -> list[tuple[int, Base]]:
        """The stands of a unit that have figures left: number, base (definitions.5a)."""
        if len(self.figures[unit]) == 1:
            return [(0, self.at[unit])]
        return list(zip(self.stands(unit), stands_of(self.at[unit], self.size(unit)), strict=True))

    # --- who touches whom ---------------------------------------------------------------------------------------------

    def touching(self, unit: str, side: str) -> list[str]:
        """The units and daimyos of a side that touch a unit, by id (turn_sequence.4)."""
        units = self.board.units
        return [other for other in self.contacts(unit) if units[other].side == side]

    def contacts(self, unit: str) -> Sequence[str]:
        """The units and daimyos of both sides that touch a unit, by id."""
        return self.known.contacts[unit]

    def touched(self, b: Base, side: str, but: str = "") -> list[str]:
        """The units and daimyos of a side that touch a base, by id."""
        units = self.board.units
        found = [other for other in self.known.touching(b, but) if units[other].side == side]
        return self.by_id(found) if len(found) > 1 else found

    def friends(self, unit: str) -> list[str]:
        """The units of its own side that a daimyo touches: he is attached to them (daimyos.5)."""
        units = self.board.units
        side = units[unit].side
        return [o for o in self.known.contacts[unit] if units[o].troops and units[o].side == side]

    def lone(self, unit: str) -> bool:
        """Whether it is a daimyo who touches no friendly unit (daimyos.5, daimyos.6)."""
        return self.board.units[unit].daimyo and not self.friends(unit)

    def daimyos(self, unit: str) -> list[str]:
        """The daimyos of its own side that touch a unit."""
        units = self.board.units
        side = units[unit].side
        return [o for o in self.known.contacts[unit] if units[o].daimyo and units[o].side == side]

    def escorted(self, side: str) -> frozenset[str]:
        """The units of a side that a daimyo of its own touches."""
        places, key = self.known.linked, ("escorted", side)
        if key not in places:
            places[key] = frozenset(unit for daimyo in self.all_daimyos(side) for unit in self.friends(daimyo))
        found: frozenset[str] = places[key]
        return found

    def enemies(self, unit: str) -> list[str]:
        """The enemies that a unit touches: units, and lone daimyos (daimyos.5)."""
        found = self.known.contacts[unit]
        if not found:
            return []
        units = self.board.units
        side = units[unit].side
        return [other for other in found if units[other].side != side and self.counts(other)]

    def engaged(self, side: str) -> Mapping[str, Sequence[str]]:
        """Of a side's units and daimyos those that touch enemies, by id, with these as `enemies` has them."""
        places, key = self.known.linked, ("engaged", side)
        if key not in places:
            contacts = self.known.contacts
            touched = [unit for unit in self.on(side) if contacts[unit]]
            places[key] = {unit: enemies for unit in touched if (enemies := self.enemies(unit))}
        found: Mapping[str, Sequence[str]] = places[key]
        return found

    def enemies_at(self, b: Base, side: str) -> list[str]:
        """The enemies of a side that touch a base: units, and lone daimyos."""
        found = self.touched(b, self.board.enemy[side])
        return [other for other in found if self.counts(other)]

    def counts(self, unit: str) -> bool:
        """Whether it is a unit or a lone daimyo, which counts as one."""
        return self.board.units[unit].troops or self.lone(unit)

    def obeys(self, unit: str, b: Base) -> bool:
        """Whether a unit that began the movement step in contact touches no other enemy there."""
        return not self.strangers(unit, b)

    def strangers(self, unit: str, b: Base) -> list[str]:
        """The other enemies whom a unit that began the movement step in contact would touch there, by id."""
        allowed = self.met.get(unit, ())  # movement.5a, movement.5b
        if not allowed:
            return []
        return [other for other in self.enemies_at(b, self.board.units[unit].side) if other not in allowed]

    # --- free places --------------------------------------------------------------------------------------------------

    def over(self, b: Base, but: Container[str] = ()) -> list[str]:
        """Who lies under a base, `but` these, in no order."""
        return self.known.over(b, but)

    def near(self, west: int, east: int, south: int, north: int, side: str = "") -> list[tuple[str, Base]]:
        """Who lies in part in a rectangle, of a side if one is named, in no order."""
        return self.known.near(west, east, south, north, side)

    def stopped(self, b: Base) -> bool:
        """Whether a base lies over ground that can't be entered, or not wholly on the table."""
        board, (x, y, facing, hw, hd) = self.board, b
        wide, deep, _, _ = spans(facing, hw, hd)
        west, east, south, north = x - wide, x + wide, y - deep, y + deep
        if west < 0 or east > board.width or south < 0 or north > board.depth:
            return True
        for wall in board.walls:  # asked most often of all, and a loop is the quickest
            near = wall[0] < east and wall[1] > west and wall[2] < north and wall[3] > south
            if near and overlap(b, wall.piece.base):
                return True
        return False

    def free(self, b: Base, but: Container[str] = ()) -> bool:
        """Whether a base can stand there: wholly on the table, over nothing."""
        return not self.stopped(b) and not self.over(b, but)

    # --- changes ------------------------------------------------------------------------------------------------------

    def put(self, unit: str, b: Base) -> None:
        """Put a unit somewhere."""
        self.at = {**self.at, unit: b}
        self.known = self.known.moved(unit, self.at)

    def arrange(self, unit: str, shape: str) -> None:
        """Let the stands of a unit stand in a shape; "" for one that has none any more."""
        others = {other: its for other, its in self.shape.items() if other != unit}
        self.shape = {**others, unit: shape} if shape else others
        self.known = self.known.reduced(self.figures)

    def leave(self, unit: str, figures: tuple[int, ...]) -> None:
        """Leave a unit so many figures on each of its stands."""
        self.figures = {**self.figures, unit: figures}
        self.known = self.known.reduced(self.figures)

    def remove(self, unit: str, how: Gone, clause: str) -> Tell:
        """Take a unit out of the game."""
        facts = {"unit": unit, "at": label(self.at[unit]), "why": str(how), "figures": sum(self.figures[unit])}
        self.at = {other: b for other, b in self.at.items() if other != unit}
        self.known = self.known.moved(unit, self.at)
        self.gone = {**self.gone, unit: str(how)}
        self.routed, self.led, self.at_risk = self.routed - {unit}, self.led - {unit}, self.at_risk - {unit}
        return Tell("remove", clause, facts)


def label(b: Base) -> str:
    """Where a base stands, in inches: `31.5-12`."""
    return tabletop.label(b.x, b.y)


def start(board: Board, options: Mapping[str, str]) -> State:
    """The state before the set-up. Raises BadScenario for any option: there are none."""
    chosen({}, board.options, options, board.scenario)
    figures = {u.id: (u.kind.figures,) * u.stands for u in board.units.values() if not u.bannerman}
    return State(
        board=board,
        turn=1,
        phase=0,
        opened=False,
        step="",
        closing=False,
        at={},
        figures=figures,
        shape={},
        routed=NO_UNITS,
        checked=NO_UNITS,
        gone={},
        fires=(),
        shot=NO_UNITS,
        met={},
        led=NO_UNITS,
        moved={},
        tried=NO_UNITS,
        fought=NO_UNITS,
        at_risk=NO_UNITS,
        dice=False,
        kills=NONE,
        ended=None,
        known=Known({}, figures, board),
    )


BASES = Field(
    "{}",
    lambda found, _: {unit: list(found[unit]) for unit in sorted(found)},
    lambda data, _: {unit: Base(*values) for unit, values in data.items()},
)
"""Unit -> base: five whole numbers."""

FIGURES = Field(
    "{}",
    lambda found, _: {unit: list(found[unit]) for unit in sorted(found)},
    lambda data, _: {unit: tuple(values) for unit, values in data.items()},
)
"""Unit -> figures, or ids, in order."""

IDS = kit.IDS._replace(copied="{}", loaded=lambda data, _: frozenset(data))
"""A set of ids."""

NUMBERS = kit.NUMBERS._replace(copied="{}")
"""Id -> word."""

PAIRS = Field("{}", lambda found, _: [list(pair) for pair in found], lambda data, _: tuple((a, b) for a, b in data))
"""Pairs of ids in order."""

FIELDS = {
    "board": kit.BOARD,
    "turn": kit.FIXED,
    "phase": kit.FIXED,
    "opened": kit.FIXED,
    "step": kit.FIXED,
    "closing": kit.FIXED,
    "at": BASES,
    "figures": FIGURES,
    "shape": NUMBERS,
    "routed": IDS,
    "checked": IDS,
    "gone": NUMBERS,
    "fires": PAIRS,
    "shot": IDS,
    "met": FIGURES,
    "led": IDS,
    "moved": NUMBERS,
    "tried": IDS,
    "fought": IDS,
    "at_risk": IDS,
    "dice": kit.FIXED,
    "kills": Field("{}", lambda kills, _: list(kills), lambda data, _: tuple(data)),
    "ended": kit.listed(Ended),
    "known": Field("{}", made=lambda board, values: Known(values["at"], values["figures"], board)),
}
"""What each field is: how it is copied, dumped and loaded."""

copy = kit.copier(State, FIELDS)
dump = kit.dumper(FIELDS)
load = kit.loader(State, FIELDS)
