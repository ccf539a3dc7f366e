"""The state of a battle: plain data over a Board, cheap to copy, dumped as JSON; and the changes rules make to it.

Whose chapter each field is, that is who changes it besides the changes below; all others only read it:

    turn, phase, opened, cycle, choice, passed, through  sequence (3, std-4)
    waiting, arrived                                     reinforcements (3.0-3)
    at, stands                                           every move, by `put` and `take`
    manpower, removed                                    losses, by `lose` (std-7.5, std-5.1)
    fatigue, disorganised, demoralised, works            by the changes below
    station, depots, controlled, bridges                 raids, objectives, bridges (std-5.4, 13.2-sp5, std-10)
    free                                                 holds (std-4.0-9)
    transferred, joined                                  leaders (std-3.0-2, std-6.3-4)
    railed, marched                                      railways (13.5-sp3e1)
    lost, routs                                          victory (13.0-3)
    row, fights, shorts                                  what plans ask for (standing)
    ended                                                victory
    rain, paralysed, due, put_off                        random events and reinforcements (14.0, 22.1-re2, 22.1-re5)
    hungry, foraged, acted                               supply (20)
    origin, merged                                       substitutes (21)
    panic, killed, hauled, dismantled                    panic, leaders, railways, the pontoon bridge (16 to 19)
    zones, memo                                          what has been worked out (zones, leaders)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple, Record
from pbem.rules.gcacw.board import Board, Unit
from pbem.rules.kit import state as kit
from pbem.rules.kit.options import chosen

__all__ = ["MOST_FATIGUE", "OPTIONS", "Ended", "Options", "State", "copy", "dump", "load", "start"]

OPTIONS = {
    "rout-of-confederates": ("minus", "plus"),
    "restricted-zones": ("stop", "pass"),
    "assault-strain": ("no", "yes"),
    "cavalry-destroys": ("no", "yes"),
    "flanks-refused": ("no", "yes"),
    "leave-zone-turn-1": ("no", "yes"),
    "forage-dispersal": ("no", "yes"),
    "substitute-in-supply": ("no", "yes"),
}
"""Option -> its values, the default first; a scenario lists those that matter in it.

rout-of-confederates   whether an R against Confederate infantry takes points or gives them, as printed (13.2-vp9)
restricted-zones       whether a zone of control against five times its hex's value stops movement (std-2.4-12)
assault-strain         whether an assault to fatigue 3 or 4 is an extended march (std-5.3-3)
cavalry-destroys       whether cavalry may destroy a damaged station (std-5.4-1)
flanks-refused         whether a defender may refuse his flanks (std-7.8-1)
leave-zone-turn-1      whether units in a zone of control may leave it in the one-sided turn 1 (22.1-sp2b)
forage-dispersal       whether infantry that forages side by side finds less (20.4-opt)
substitute-in-supply   whether a substitute is in supply whatever its unit is (21.1-14)
"""

MOST_FATIGUE = 4  # std-2.2-5


class Options(NamedTuple):
    """The options as chosen."""

    rout_of_confederates: str
    restricted_zones: str
    assault_strain: str
    cavalry_destroys: str
    flanks_refused: str
    leave_zone_turn_1: str
    forage_dispersal: str
    substitute_in_supply: str


class Ended(NamedTuple):
    """How a battle ended: the winner, the level of victory, the Confederate's points."""

    winner: str
    level: str
    points: int


class State(Record):
    """Where a battle stands. A counter is on the map when it is in `at`; combat units have manpower then.

    turn, phase     the day, from 1 on, and the phase by its place in the sequence of play;  opened: it has begun
    cycle           the action phase of the cycle, from 1 on; 0 outside of it
    choice          the side that may act or pass now; None where the dice are still to be rolled (std-4.0-2)
    passed          whether the one who had the initiative has passed (std-4.0-4)
    through         sides that do nothing more in this phase, or in this turn: "SIDE turn"
    waiting         arrivals that haven't come, by id
    at              counter -> its hex;  stands: hex -> the counters there, by their ids
    manpower        combat unit on the map -> its manpower (1.0-2)
    disorganised    combat units with a disorganised strength marker (std-2.2-3)
    fatigue         combat unit -> 1 to 4; none stands nowhere
    demoralised     combat unit -> 1 or 2;  works: combat unit -> the stage of its entrenchment, 1 to 4 (std-9.0-2)
    removed         counter -> the turn in which it left the game, or a leader the map (std-6.3-2)
    station         hex -> 1 damaged, 2 destroyed (std-5.4-1)
    depots          hexes with a Union depot, which is no counter (13.5-sp5c)
    controlled      objectives that are the Confederate's (13.2-sp5b)
    bridges         "HEX/HEX", the lower number first -> the side that has built a bridge there (std-10.0-1)
    free            counters that a hold keeps no more (13.2-sp2, 13.5-sp3)
    worked          units that have entrenched or bridged in this recovery (std-9.0-3)
    transferred     leaders transferred in this turn;  joined: those of `foreign` who have been with a unit of their own
    railed          units that have gone by rail, in the advanced game in this turn (16.0-8);  marched: units that have
                    marched in this turn (13.5-sp3e1)
    lost            side -> manpower that it lost in combat, retreat or cavalry retreat (13.1-vp3)
    routs           side -> R results against its infantry (std-7.5-10)
    row             the side that acted last and how often without the other's acting, "SIDE N"; empty before
    fights          hexes of this turn's fights;  shorts: units whose last march ended short of its order
    rain            the last turn of the rain, 0 without any (14.0)
    paralysed       sides whose command is paralysed in this turn (14.0-par1)
    due             arrival -> the turn in which it is due, where that isn't the printed one;  put_off: those put off by
                    their owner, who come in elsewhere (22.1-re2, 22.1-re5)
    hungry          units out of supply (20.3-1);  foraged: units that have tried to forage in this recovery
    acted           units that have acted since the beginning, of those in supply until then (22.1-sp3b2)
    origin          substitute on the map -> the unit of which it was detached first (21.1-8)
    merged          unit that has merged into another for good -> that unit (21.2-u0, 21.2-c0)
    panic           the turn of the Union's panic, 0 before (18.0-1);  killed: leaders with a substitute (17.0-5)
    hauled          the combat value that went by rail in this turn, in half points (16.0-8)
    dismantled      the last turn in which the pontoon bridge, or one built for it, was taken away; 0 before (19.0-7)
    thrown          the dice that have fallen of a throw which is told with its last die
    zones           side, or "SIDE dry" in rain -> its zones of control, until one of its units moves
    memo            what else is known until any does
    """

    board: Board
    options: Options
    turn: int
    phase: int
    opened: bool
    cycle: int
    choice: str | None
    passed: bool
    through: set[str]
    waiting: set[str]
    at: dict[str, Hex]
    stands: dict[Hex, tuple[str, ...]]
    manpower: dict[str, int]
    disorganised: set[str]
    fatigue: dict[str, int]
    demoralised: dict[str, int]
    works: dict[str, int]
    removed: dict[str, int]
    station: dict[Hex, int]
    depots: set[str]
    controlled: set[str]
    bridges: dict[str, str]
    free: set[str]
    worked: set[str]
    transferred: set[str]
    joined: set[str]
    railed: set[str]
    marched: set[str]
    lost: dict[str, int]
    routs: dict[str, int]
    row: str
    fights: set[str]
    shorts: set[str]
    ended: Ended | None
    rain: int
    paralysed: set[str]
    due: dict[str, int]
    put_off: set[str]
    hungry: set[str]
    foraged: set[str]
    acted: set[str]
    origin: dict[str, str]
    merged: dict[str, str]
    panic: int
    killed: set[str]
    hauled: int
    dismantled: int
    thrown: tuple[int, ...]
    zones: dict[str, Mapping[Hex, tuple[Hex, ...]]]
    memo: dict[Any, Any]

    # --- what stands where

    def put(self, unit: str, h: Hex) -> None:
        """Put a counter into a hex; entrenchment stays behind (std-9.0-5)."""
        self.take(unit)
        self.at[unit] = h
        self.stands[h] = tuple(sorted((*self.stands.get(h, ()), unit)))
        self._moved(unit)

    def take(self, unit: str) -> None:
        """Take a counter out of its hex, if it is in one."""
        h = self.at.pop(unit, None)
        if h is None:
            return
        rest = tuple(other for other in self.stands[h] if other != unit)
        if rest:
            self.stands[h] = rest
        else:
            del self.stands[h]
        self.works.pop(unit, None)
        self._moved(unit)

    def _moved(self, unit: str) -> None:
        """Forget what hangs on where a counter stands; leaders have no zones of control (std-2.4-4)."""
        self.memo.clear()
        if not self.board.units[unit].leader:
            side = self.board.units[unit].side
            self.zones.pop(side, None)
            self.zones.pop(f"{side} dry", None)

    def build(self, hexside: str, side: str) -> None:
        """Put a side's bridge over a hexside (std-10.0-2)."""
        self.bridges[hexside] = side
        self._bridged()

    def unbuild(self, hexside: str) -> None:
        """Take a bridge away."""
        del self.bridges[hexside]
        self._bridged()

    def _bridged(self) -> None:
        self.memo.clear()
        self.zones.clear()

    def units_in(self, h: Hex, side: str) -> list[str]:
        """The combat units of a side in a hex, in ASCII order of their ids."""
        units = self.board.units
        return [u for u in self.stands.get(h, ()) if u in self.manpower and units[u].side == side]

    def leaders_in(self, h: Hex, side: str) -> list[str]:
        """The leaders of a side in a hex, in ASCII order of their ids."""
        units = self.board.units
        return [u for u in self.stands.get(h, ()) if u not in self.manpower and units[u].side == side]

    def holder(self, h: Hex) -> str | None:
        """The side with counters in a hex; both never have (std-2.2-7)."""
        here = self.stands.get(h)
        return self.board.units[here[0]].side if here else None

    def own(self, side: str) -> list[str]:
        """The combat units of a side on the map, in the order of set-up and reinforcements."""
        return [unit for unit in self.board.of_side[side] if unit in self.manpower]

    def leaders(self, side: str) -> list[str]:
        """The leaders of a side on the map, in the order of set-up and reinforcements."""
        return [unit for unit in self.board.of_side[side] if unit in self.at and unit not in self.manpower]

    # --- who leads whom

    def command_of(self, unit: str) -> Unit:
        """The counter whose corps and army count for a unit: of a substitute that of which it came (21.1-8)."""
        return self.board.units[self.origin.get(unit, unit)]

    def commands(self, leader: str, unit: str) -> bool:
        """Whether a leader commands a combat unit; who comes for an army leader in panic leads all (18.0-6)."""
        one, other = self.board.units[leader], self.command_of(unit)
        if self.replaced and leader == self.replaced[1]:
            return not other.leader and other.side == one.side
        return one.commands(other)

    @property
    def replaced(self) -> tuple[str, str] | None:
        """The army leader who has gone in panic and who has come for him; None while he is there (18.0-5)."""
        advanced = self.board.advanced
        comes = advanced.panic if advanced is not None and self.panic else None
        return comes if comes is not None and (comes[1] in self.at or comes[1] in self.removed) else None

    def army(self, unit: str) -> str:
        """The army whose column of the table of extended marches is a unit's (std-5.1-8, 18.0-7)."""
        found = self.command_of(unit)
        return "AP" if self.replaced and found.side == self.board.units[self.replaced[1]].side else found.army

    def tactical(self, unit: str) -> int:
        """A counter's tactical value; a leader's substitute has one less (17.0-5)."""
        value = self.board.units[unit].tactical or 0
        return max(1, value - 1) if unit in self.killed else value

    def command_value(self, leader: str) -> int:
        """A leader's command value; his substitute has one less (17.0-5)."""
        value = self.board.units[leader].command_value
        return max(1, value - 1) if leader in self.killed else value

    # --- the advanced game, by turns

    @property
    def raining(self) -> bool:
        """Whether it rains in this turn (14.0-rain-now)."""
        return self.turn <= self.rain

    @property
    def panicking(self) -> bool:
        """Whether the Union is in panic: in the turn in which it began and the next (18.0-3)."""
        return self.panic > 0 and self.turn <= self.panic + 1

    def weather(self, until: int) -> None:
        """Let it rain until a turn; 0 ends it."""
        self.rain = until
        self._bridged()

    # --- how units stand

    def value(self, unit: str) -> int:
        """The combat value of a unit on the map, in half points (std-2.2-3)."""
        return self.board.value(self.manpower[unit], disorganised=unit in self.disorganised)

    def value_in(self, h: Hex, side: str) -> int:
        """The combat value of a side's units in a hex, in half points."""
        return sum(map(self.value, self.units_in(h, side)))

    def tire(self, unit: str, to: int) -> None:
        """Give a unit its fatigue, 0 to 4."""
        if to:
            self.fatigue[unit] = to
        else:
            self.fatigue.pop(unit, None)

    def demoralise(self, unit: str, to: int) -> None:
        """Give a unit its demoralisation, 0 to 2."""
        self.memo.clear()
        if to:
            self.demoralised[unit] = to
        else:
            self.demoralised.pop(unit, None)

    def disorganise(self, unit: str) -> None:
        """Turn a unit's strength marker to its disorganised side."""
        self.disorganised.add(unit)
        self.memo.clear()

    def organise(self, unit: str) -> None:
        """Turn a unit's strength marker to its organised side."""
        self.disorganised.discard(unit)
        self.memo.clear()

    def lose(self, unit: str, points: int, *, counted: bool) -> int:
        """Take manpower of a unit, all that it has at most, and it off the map with the last; how much was taken.

        `counted`: in combat, retreat or cavalry retreat, which scores (13.1-vp3).
        """
        taken = min(points, self.manpower[unit])
        if counted:
            self.lost[self.board.units[unit].side] += taken
        self.manpower[unit] -= taken
        if not self.manpower[unit]:
            self.remove(unit)
        self.memo.clear()
        return taken

    def remove(self, unit: str) -> None:
        """Take a counter off the map."""
        self.take(unit)
        self.removed[unit] = self.turn
        for marked in (self.manpower, self.fatigue, self.demoralised, self.works, self.origin):
            marked.pop(unit, None)
        for marks in (self.disorganised, self.shorts, self.hungry):
            marks.discard(unit)

    def bridge_between(self, a: Hex, b: Hex) -> str | None:
        """The side that has built a bridge over the hexside between two hexes."""
        return self.bridges.get(self.board.hexside(a, b)) if self.bridges else None


def start(board: Board, options: Mapping[str, str]) -> State:
    """The state before the first phase, all counters of the set-up in their hexes. Raises BadScenario for an option."""
    s = State(
        board=board,
        options=Options(*chosen(OPTIONS, board.options, options, board.scenario)),
        turn=1,
        phase=0 if board.advanced is None else 1,  # 14.0-t1: no random events in turn 1
        opened=False,
        cycle=0,
        choice=None,
        passed=False,
        through=set(),
        waiting={*board.arrivals},
        at={},
        stands={},
        manpower={},
        disorganised=set(),
        fatigue={},
        demoralised={},
        works={},
        removed={},
        station={},
        depots={board.label[h] for h in board.depots},
        controlled=set(),
        bridges={},
        free=set(),
        worked=set(),
        transferred=set(),
        joined=set(),
        railed=set(),
        marched=set(),
        lost=dict.fromkeys(board.side, 0),
        routs=dict.fromkeys(board.side, 0),
        row="",
        fights=set(),
        shorts=set(),
        ended=None,
        rain=0,
        paralysed=set(),
        due={},
        put_off=set(),
        hungry=set(),
        foraged=set(),
        acted=set(),
        origin={},
        merged={},
        panic=0,
        killed=set(),
        hauled=0,
        dismantled=0,
        thrown=(),
        zones={},
        memo={},
    )
    for begins in board.starts.values():
        enter(s, begins.unit, begins.at, begins.manpower, begins.fatigue)  # 13.0-1
        if begins.works:
            s.works[begins.unit] = begins.works  # 22.1-su1
    if board.advanced is not None:
        s.depots = {board.label[h] for h in board.advanced.depots}  # 20.1-1
    if board.advanced is not None and board.advanced.pontoon is not None:
        s.bridges[board.hexside(*board.advanced.pontoon.ends)] = board.advanced.pontoon.side  # 19.0-1
    return s


def enter(s: State, unit: str, h: Hex, manpower: int, fatigue: int) -> None:
    """Put a counter on the map as it begins or arrives; a leader has no manpower."""
    s.put(unit, h)
    if manpower:
        s.manpower[unit] = manpower
    s.tire(unit, fatigue)
    s.removed.pop(unit, None)


def _stands(_: Any, values: Mapping[str, Any]) -> dict[Hex, tuple[str, ...]]:
    """Hex -> the counters in it."""
    found: dict[Hex, tuple[str, ...]] = {}
    for unit, h in sorted(values["at"].items()):
        found[h] = (*found.get(h, ()), unit)
    return found


def spare(field: kit.Field) -> kit.Field:
    """A field of the advanced game: the states of the basic one are dumped without it."""
    return field._replace(spare=0 if field is kit.FIXED else ())


FIELDS = {
    "board": kit.BOARD,
    "options": kit.named(Options, tuple(OPTIONS)),
    "turn": kit.FIXED,
    "phase": kit.FIXED,
    "opened": kit.FIXED,
    "cycle": kit.FIXED,
    "choice": kit.FIXED,
    "passed": kit.FIXED,
    "through": kit.IDS,
    "waiting": kit.IDS,
    "at": kit.PLACES,
    "stands": kit.Field("{}.copy()", made=_stands),
    "manpower": kit.NUMBERS,
    "disorganised": kit.IDS,
    "fatigue": kit.NUMBERS,
    "demoralised": kit.NUMBERS,
    "works": kit.NUMBERS,
    "removed": kit.NUMBERS,
    "station": kit.HOLDERS,
    "depots": kit.IDS,
    "controlled": kit.IDS,
    "bridges": kit.NUMBERS,
    "free": kit.IDS,
    "worked": kit.IDS,
    "transferred": kit.IDS,
    "joined": kit.IDS,
    "railed": kit.IDS,
    "marched": kit.IDS,
    "lost": kit.NUMBERS,
    "routs": kit.NUMBERS,
    "row": kit.FIXED,
    "fights": kit.IDS,
    "shorts": kit.IDS,
    "ended": kit.listed(Ended),
    "rain": spare(kit.FIXED),
    "paralysed": spare(kit.IDS),
    "due": spare(kit.NUMBERS),
    "put_off": spare(kit.IDS),
    "hungry": spare(kit.IDS),
    "foraged": spare(kit.IDS),
    "acted": spare(kit.IDS),
    "origin": spare(kit.NUMBERS),
    "merged": spare(kit.NUMBERS),
    "panic": spare(kit.FIXED),
    "killed": spare(kit.IDS),
    "hauled": spare(kit.FIXED),
    "dismantled": spare(kit.FIXED),
    "thrown": kit.Field("{}", made=lambda _, __: ()),
    "zones": kit.Field("{}.copy()", made=lambda _, __: {}),
    "memo": kit.Field("{}.copy()", made=lambda _, __: {}),
}
"""What each field is: how it is copied, dumped and loaded."""

copy = kit.copier(State, FIELDS)
dump = kit.dumper(FIELDS)
load = kit.loader(State, FIELDS)
