"""The state of a campaign: plain data over a Board, cheap to copy, dumped as JSON; and the changes rules make to it.

Whose chapter each field is, that is who changes it besides the changes below; all others only read it:

    turn, phase, stage, opened, passed                sequence (4, 12, 29)
    waiting                                           deployment and entries (34, 36.4, 32)
    declared, thawed, left, attacked, balance         situation change and special rules (32, 36.7, 36.6(4))
    forces, at, leader, stands, shut_in, acted        movement (15, 16), organisation (9, 13), by the changes below
    under_superior                                    organisation (13-1-2, 14-1-2)
    reduced, removed                                  losses and death (2-2-1(6), 25), replenishment (14)
    morale                                            morale (10, 26)
    besieging                                         sieges (18)
    owner, durability, castle_morale, resist, refuse  castles, surrender and falls (8, 18, 20, 21), replenishment (14-3)
    replenished                                       replenishment (14-3-3)
    assaulted, called, offers                                 castle warfare (20-1-1, 20-1-2)
    declined                                          battles (24-1-8)
    ended                                             victory (36.6)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple, Record
from pbem.rules.kit import state as kit
from pbem.rules.kit.options import chosen
from pbem.rules.sengoku.areas import Area
from pbem.rules.sengoku.board import Board
from pbem.rules.sengoku.presence import held, note, present

__all__ = ["LEAST_MORALE", "OPTIONS", "Ended", "Options", "State", "copy", "dump", "load", "start"]

OPTIONS = {"assault-without-siege": ("no", "yes")}
"""Option -> its values, the default first; a scenario lists those that matter in it."""

LEAST_MORALE = -4  # 10-1-2


class Options(NamedTuple):
    """The options as chosen: whether an assault needs no siege (17-1-5)."""

    assault_without_siege: str


class Ended(NamedTuple):
    """How a campaign ended: the winner, the clause, and each side's points in playing order."""

    winner: str | None
    clause: str
    points: tuple[int, ...] = ()


class State(Record):
    """Where a campaign stands. A force is named by the unit that leads it, also a unit alone (9-1).

    No order of names counts but that of the units of a force: who goes through forces goes through `own_forces`, or
    sorts them, for a state that was loaded has its names in another order.

    turn           the inning, from 1 on (4.0-1);  stage: 0 in the start stage, then 1 to 4 (4.0-2)
    phase          the phase by its place in the sequence of play; `opened` once its beginning is done
    passed         sides that are through with the situation change of this inning (4-1-1(1))
    waiting        deployment -> its units that aren't on the map yet, in the order of the army file
    declared       armies and entering rules that have begun to act (32.0, 36.7-3, 36.7-9)
    thawed         armies that may act in this turn by a die (36.7-2)
    left           units that have been outside the province of which the rules ask it (36.6(4a), 36.7-4, 36.7-7)
    attacked       armies that have attacked the other side (36.7-7)
    balance        battles that the first side to deploy has lost, less those that it has won (32-1(mod))
    forces         force -> its units, the leader first, then by command box; a leader that fell stays its name until
                   `regroup` (9-2-1);  leader: unit -> its force, the same the other way round
    at             force -> its hex;  stands: hex -> the forces there by their ids
    shut_in        forces shut up in the castle of their hex (16-1-3)
    besieging      forces that carry the siege marker against the castle of their hex (18-1-1)
    reduced        units on their back, of one step (2-2-1(6))
    removed        unit -> the turn in which it was killed, surrendered or removed from the map (25, 36.6(2))
    morale         force -> its lowered morale, -1 to -4; normal morale stands nowhere (10-1)
    acted          units that have acted in this phase, all of a force (12-1-2)
    under_superior commanders that were under a superior when this phase began (13-1-2)
    owner          castle -> the army that owns it; abandoned castles stand nowhere (21-1(1))
    durability     castle -> 0 to 10 (8-2-1)
    castle_morale  castle -> its own lowered morale, while nobody is shut up in it (10-4)
    resist, refuse castles that have answered a call so (20-3(A), 20-3(B))
    replenished    castles that were replenished in this stage (14-3-3)
    assaulted      castles that were assaulted in this phase;  called: those called to surrender in it (20-1-1, 20-1-2)
    declined       commanders-in-chief who were refused a battle in this phase (24-1-8)
    offers         castle -> the units inside that are removed if its side's offer to open is accepted (20-4)
    present        side -> the hexes with forces of it;  in_the_open: those with one that isn't shut in
    held           side -> the hexes with castles of it, besieged or not
    memo           what was worked out from where the pieces stand; every change empties it, nobody dumps it
    """

    board: Board
    options: Options
    turn: int
    phase: int
    stage: int
    opened: bool
    passed: set[str]
    waiting: dict[str, tuple[str, ...]]
    declared: set[str]
    thawed: set[str]
    left: set[str]
    attacked: set[str]
    balance: int
    forces: dict[str, tuple[str, ...]]
    leader: dict[str, str]
    at: dict[str, Hex]
    stands: dict[Hex, tuple[str, ...]]
    shut_in: set[str]
    besieging: set[str]
    reduced: set[str]
    removed: dict[str, int]
    morale: dict[str, int]
    acted: set[str]
    under_superior: set[str]
    owner: dict[str, str]
    durability: dict[str, int]
    castle_morale: dict[str, int]
    resist: set[str]
    refuse: set[str]
    replenished: set[str]
    assaulted: set[str]
    called: set[str]
    offers: dict[str, tuple[str, ...]]
    declined: set[str]
    ended: Ended | None
    present: dict[str, Area]
    in_the_open: dict[str, Area]
    held: dict[str, Area]
    memo: dict[Any, Any]

    # --- forces: each change keeps forces, leader, at and stands alike, and forgets what hung on them

    def form(self, units: tuple[str, ...], h: Hex) -> str:
        """Put units into a hex as a new force, the first its leader, at normal morale in the open."""
        force = units[0]
        self.forces[force] = units
        self.leader.update(dict.fromkeys(units, force))
        self._stand(force, h)
        return force

    def put(self, force: str, *way: Hex) -> None:
        """Put a force into the last hex of a way; it keeps its markers: one shut in or besieging is freed first."""
        for h in way[:-1]:
            self._watch(force, h)
        self._lift(force)
        self._stand(force, way[-1])

    def part(self, force: str, units: Iterable[str]) -> None:
        """Make units under command forces of one unit each, in the same place with the same morale and markers."""
        for unit in units:
            self.forces[force] = tuple(other for other in self.forces[force] if other != unit)
            self.form((unit,), self.at[force])
            for marked in (self.shut_in, self.besieging):
                if force in marked:
                    marked.add(unit)
            if force in self.morale:
                self.morale[unit] = self.morale[force]
        self._note(force)

    def join(self, force: str, units: Iterable[str]) -> None:
        """Put forces of one unit each under the leader of a force in their hex, at the lowest morale (13-2-5)."""
        for unit in units:
            self.set_morale(force, min(self.morale.get(force, 0), self.morale.get(unit, 0)))
            self._forget(unit)
            self.forces[force] = (*self.forces[force], unit)
            self.leader[unit] = force
        self.memo.clear()

    def reduce(self, unit: str) -> bool:
        """Take one step of a unit on the map; True when it was its last, and it is removed (2-2-1(6))."""
        self.memo.clear()
        if unit not in self.reduced:
            self.reduced.add(unit)
            return False
        self.remove(unit)
        return True

    def remove(self, unit: str) -> None:
        """Take a unit off the map for good; a force that is left without its leader waits for `regroup`."""
        force = self.leader.pop(unit)
        self.forces[force] = tuple(other for other in self.forces[force] if other != unit)
        self.removed[unit] = self.turn
        self.reduced.discard(unit)
        if not self.forces[force]:
            self._forget(force)
        self.memo.clear()

    def regroup(self) -> None:
        """Make the units of each force without its leader forces of their own (P-9)."""
        for force in [force for force, units in self.forces.items() if units[0] != force]:
            self.part(force, self.forces[force])
            self._forget(force)

    def set_morale(self, force: str, morale: int) -> None:
        """Give a force its morale, 0 to -4."""
        _lower(self.morale, force, morale)

    def shut(self, force: str) -> None:
        """Shut a force up in the castle of its hex, whose own morale is dropped (16-1-3, 10-4)."""
        self.shut_in.add(force)
        self.castle_morale.pop(self.board.castle_in[self.at[force]], None)
        self._note(force)

    def let_out(self, force: str) -> None:
        """Let a force out of the castle of its hex (16-3)."""
        if force in self.shut_in:
            self.shut_in.remove(force)
            self._note(force)

    def besiege(self, force: str) -> None:
        """Give a force the siege marker (18-1-1)."""
        self.besieging.add(force)
        self.memo.clear()

    def lift(self, force: str) -> None:
        """Take a force's siege marker off."""
        self.besieging.discard(force)
        self.memo.clear()

    def own_forces(self, side: str) -> list[str]:
        """The forces of a side on the map, in the order of the army files."""
        forces = self.forces
        return [unit for unit in filter(forces.__contains__, self.board.of_side[side]) if forces[unit][0] == unit]

    # --- castles

    def hold(self, castle: str, army: str | None) -> None:
        """Give a castle to an army, or to nobody; its morale, resistance and refusal end (20-3-1, 21-1(1))."""
        if army is None:
            self.owner.pop(castle, None)
        else:
            self.owner[castle] = army
        self.castle_morale.pop(castle, None)
        self.resist.discard(castle)
        self.refuse.discard(castle)
        self.held = held(self.board, self.owner)
        self.memo.clear()

    def set_castle_morale(self, castle: str, morale: int) -> None:
        """Give a castle its own morale, 0 to -4."""
        _lower(self.castle_morale, castle, morale)

    def _stand(self, force: str, h: Hex) -> None:
        """Let a force stand in a hex."""
        self.at[force] = h
        self.stands[h] = tuple(sorted((*self.stands.get(h, ()), force)))
        self._watch(force, h)
        self._note(force)

    def _watch(self, force: str, h: Hex) -> None:
        """Note which units of a force are outside the province of which the rules ask it in a hex (36.7-4)."""
        homes, here = self.board.left_by, self.board.province.get(h)
        if not homes.keys().isdisjoint(self.forces[force]):
            self.left.update(unit for unit in self.forces[force] if homes.get(unit, here) != here)

    def _lift(self, force: str) -> None:
        """Let a force not stand in its hex any more."""
        h = self.at[force]
        self.stands[h] = tuple(other for other in self.stands[h] if other != force)
        if not self.stands[h]:
            del self.stands[h]
        self._note(force)

    def _note(self, force: str) -> None:
        """Note whether the side of a force is present in its hex, and in the open there."""
        h, units, side = self.at[force], self.board.units, self.board.units[force].side
        bit, own = self.board.ground.bit[h], [one for one in self.stands.get(h, ()) if units[one].side == side]
        note(self.present, side, bit, there=bool(own))
        note(self.in_the_open, side, bit, there=not self.shut_in.issuperset(own))
        self.memo.clear()

    def _forget(self, force: str) -> None:
        """Let a force be no force any more."""
        self._lift(force)
        del self.at[force], self.forces[force]
        self.shut_in.discard(force)
        self.besieging.discard(force)
        self.morale.pop(force, None)


def _lower(found: dict[str, int], name: str, morale: int) -> None:
    """Note a morale; the normal one stands nowhere."""
    if morale:
        found[name] = morale
    else:
        found.pop(name, None)


def start(board: Board, options: Mapping[str, str]) -> State:
    """The state before the first phase: castles held, no unit on the map yet. Raises BadScenario for an option."""
    owner = {castle.id: castle.owner for castle in board.castles.values() if castle.owner is not None}  # 36.5
    return State(
        board=board,
        options=Options(*chosen(OPTIONS, board.options, options, board.scenario)),
        turn=1,
        phase=0,
        stage=0,
        opened=False,
        passed=set(),
        waiting={deployment.id: deployment.units for deployment in board.deployments.values()},  # 3.0(4)
        declared=set(),
        thawed=set(),
        left=set(),
        attacked=set(),
        balance=0,
        forces={},
        leader={},
        at={},
        stands={},
        shut_in=set(),
        besieging=set(),
        reduced=set(),
        removed={},
        morale={},
        acted=set(),
        under_superior=set(),
        owner=owner,
        durability={castle.id: castle.durability for castle in board.castles.values()},  # 8-2-1
        castle_morale={},
        resist=set(),
        refuse=set(),
        replenished=set(),
        assaulted=set(),
        called=set(),
        offers={},
        declined=set(),
        ended=None,
        present=dict.fromkeys(board.side, 0),
        in_the_open=dict.fromkeys(board.side, 0),
        held=held(board, owner),
        memo={},
    )


def _leaders(_: Any, values: Mapping[str, Any]) -> dict[str, str]:
    """Unit -> its force."""
    return {unit: force for force, units in values["forces"].items() for unit in units}


def _stands(_: Any, values: Mapping[str, Any]) -> dict[Hex, tuple[str, ...]]:
    """Hex -> the forces in it."""
    found: dict[Hex, tuple[str, ...]] = {}
    for force, h in sorted(values["at"].items()):
        found[h] = (*found.get(h, ()), force)
    return found


FIELDS = {
    "board": kit.BOARD,
    "options": kit.named(Options, tuple(OPTIONS)),
    "turn": kit.FIXED,
    "phase": kit.FIXED,
    "stage": kit.FIXED,
    "opened": kit.FIXED,
    "passed": kit.IDS,
    "waiting": kit.LISTS,
    "declared": kit.IDS,
    "thawed": kit.IDS,
    "left": kit.IDS,
    "attacked": kit.IDS,
    "balance": kit.FIXED,
    "forces": kit.LISTS,
    "leader": kit.Field("{}.copy()", made=_leaders),
    "at": kit.PLACES,
    "stands": kit.Field("{}.copy()", made=_stands),
    "shut_in": kit.IDS,
    "besieging": kit.IDS,
    "reduced": kit.IDS,
    "removed": kit.NUMBERS,
    "morale": kit.NUMBERS,
    "acted": kit.IDS,
    "under_superior": kit.IDS,
    "owner": kit.NUMBERS,
    "durability": kit.NUMBERS,
    "castle_morale": kit.NUMBERS,
    "resist": kit.IDS,
    "refuse": kit.IDS,
    "replenished": kit.IDS,
    "assaulted": kit.IDS,
    "called": kit.IDS,
    "offers": kit.LISTS,
    "declined": kit.IDS,
    "ended": kit.Field(
        "{}",
        lambda ended, _: None if ended is None else [ended.winner, ended.clause, list(ended.points)],
        lambda data, _: None if data is None else Ended(data[0], data[1], tuple(data[2])),
    ),
    "present": kit.Field("{}.copy()", made=lambda board, values: present(board, values["at"])),
    "in_the_open": kit.Field("{}.copy()", made=lambda board, values: present(board, values["at"], values["shut_in"])),
    "held": kit.Field("{}", made=lambda board, values: held(board, values["owner"])),
    "memo": kit.Field("{}.copy()", made=lambda _, __: {}),
}
"""What each field is: how it is copied, dumped and loaded."""

copy = kit.copier(State, FIELDS)
dump = kit.dumper(FIELDS)
load = kit.loader(State, FIELDS)
