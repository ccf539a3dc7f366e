"""What holds for the time being, each in words with its clause: weather, paralysis, panic, supply, rails, arrivals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pbem.rules.gcacw import sequence
from pbem.rules.gcacw.advanced import Advanced
from pbem.rules.gcacw.board import UNION, Arrival
from pbem.rules.gcacw.events import due_in, may_come
from pbem.rules.gcacw.halves import half
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.supply import by_county, wanting
from pbem.rules.kit.situation import InForce
from pbem.words import listed

__all__ = ["for_the_turn", "in_force", "left_on_rails"]


def in_force(s: State) -> Iterator[InForce]:
    """What holds now beside what counters and places show, in the order of a turn."""
    if s.ended is not None:
        return
    if s.board.advanced is not None:
        for chapter in _CHAPTERS:
            yield from chapter(s, s.board.advanced)
    yield from _bridges(s)
    yield from _arrivals(s)


def for_the_turn(s: State) -> Iterator[InForce]:
    """What random events and panic have made of this turn: it bears on what can be ordered."""
    if s.board.advanced is not None:
        yield from _weather(s, s.board.advanced)
        yield from _panic(s, s.board.advanced)


def _title(s: State, side: str) -> str:
    return s.board.side[side].title


def _weather(s: State, _: Advanced) -> Iterator[InForce]:
    if s.raining:
        told = "it rains in this turn" if s.rain == s.turn else f"it rains to the end of turn {s.rain}"
        yield InForce(told, "14.0-rain-now")
    for side in sorted(s.paralysed):
        less = s.board.tables.paralysis
        foot, horse = half(less["infantry"]), half(less["cavalry"])
        yield InForce(
            f"{_title(s, side)}: the command is paralysed in this turn; marches have fewer points, {foot} for "
            f"infantry, {horse} for cavalry, and nobody force marches or assaults",
            "14.0-par1",
        )


def _panic(s: State, advanced: Advanced) -> Iterator[InForce]:
    """The panic, and the change of the army leader that it brings (18.0)."""
    if s.panicking:
        until = s.panic + 1
        told = f"{_title(s, UNION)}: in panic to the end of turn {until}; -1 to its die in combat, no forced marches"
        yield InForce(told, "18.0-3")
    if s.panic and advanced.panic is not None and s.turn < s.panic + 2 <= s.board.turns:
        gone, comes = (s.board.units[unit].name for unit in advanced.panic)
        yield InForce(f"{comes} takes over from {gone} at the beginning of turn {s.panic + 2}", "18.0-5")


def _killed(s: State, _: Advanced) -> Iterator[InForce]:
    for leader in sorted(s.killed):
        values = f"tactical value {s.tactical(leader)} and command value {s.command_value(leader)}"
        yield InForce(f"{s.board.units[leader].name} was killed: his substitute has {values}", "17.0-5")


def _supply(s: State, advanced: Advanced) -> Iterator[InForce]:
    """Who is out of supply, when that is judged next, and what is left of the Union's depots (20)."""
    hungry = {side.title: [unit for unit in s.own(side.id) if unit in s.hungry] for side in s.board.sides}
    for title, units in hungry.items():
        if units:
            yield InForce(f"{title}, out of supply: {_by_county(s, units)}", "20.3-0")
    ahead = sequence.is_ahead(s, sequence.Kind.STATUS)
    turns = [turn for turn in sorted(advanced.supply) if turn > s.turn or (turn == s.turn and ahead)]
    judged = [turn for turn in sorted(advanced.supply) if turn not in turns]
    if judged and not any(hungry.values()):
        yield InForce(f"nobody is out of supply, which was judged in turn {judged[-1]}", "20.3-0")
    if turns:
        told = f"who is in supply is judged next in turn {turns[0]}"
        if turns[0] == s.turn:
            told = "who is in supply is judged in this turn, before anybody acts"
        yield InForce(told, "20.3-0")
        for side in s.board.sides if turns[0] <= s.turn + 1 else ():
            out = _by_county(s, wanting(s, side.id)) or "nobody"
            yield InForce(f"{side.title}, out of supply then as things stand: {out}", "20.3-0", long=True)


def _by_county(s: State, units: Sequence[str]) -> str:
    """`in Culpeper king, ricketts; in Madison reno`: it decides whether they are fed (20.3-2, 20.4-5)."""
    counties = by_county(s, units).items()
    return "; ".join(f"in {county} {', '.join(there)}" if county else ", ".join(there) for county, there in counties)


def left_on_rails(s: State) -> int:
    """The combat value, in halves, that may still go by rail in this turn; 0 in a turn without (16.0-1, 16.0-8)."""
    rails = s.board.advanced.rails if s.board.advanced is not None else None
    return 0 if rails is None or s.turn not in rails.turns else rails.most - s.hauled


def _rails(s: State, advanced: Advanced) -> Iterator[InForce]:
    if s.turn in advanced.rails.turns:
        told = f"{_title(s, UNION)}: the railroad takes combat value {half(left_on_rails(s))} more in this turn"
        yield InForce(told, "16.0-8")


def _pontoon(s: State, advanced: Advanced) -> Iterator[InForce]:
    if advanced.pontoon is not None and s.board.hexside(*advanced.pontoon.ends) not in s.bridges:
        a, b = map(s.board.place, advanced.pontoon.ends)
        yield InForce(f"the pontoon bridge between {a} and {b} is dismantled", "19.0-1")


def _bridges(s: State) -> Iterator[InForce]:
    """The bridges that there are besides those printed on the map (std-10.0-2, 19.0-1)."""
    pontoon = s.board.advanced.pontoon if s.board.advanced is not None else None
    for at, side in sorted(s.bridges.items()):
        first = pontoon is not None and at == s.board.hexside(*pontoon.ends)
        a, b = (s.board.place(s.board.parse(number)) for number in at.split("/"))
        if first:
            yield InForce(f"{_title(s, side)}: a pontoon bridge between {a} and {b}", "19.0-1", long=True)
        else:
            yield InForce(f"{_title(s, side)}: a bridge between {a} and {b}", "std-10.0-2", long=True)


_CHAPTERS: tuple[Callable[[State, Advanced], Iterator[InForce]], ...] = (
    _weather, _panic, _killed, _supply, _rails, _pontoon,
)  # fmt: skip


# --- arrivals ---------------------------------------------------------------------------------------------------------


def _arrivals(s: State) -> Iterator[InForce]:
    """Who is still to come, when and where as things stand, together those of a turn and place (3.0-3)."""
    found: dict[tuple[str, int, str, str], list[Arrival]] = {}
    for one in s.board.arrivals.values():
        if one.id in s.waiting and may_come(s, one):
            found.setdefault((one.side, due_in(s, one), _where(s, one, ""), one.clause), []).append(one)
    for (side, turn, _, clause), those in sorted(found.items(), key=lambda item: item[0][:2]):
        yield InForce(_when(s, side, turn, _where(s, those[0], _names(s, those))), clause, long=True)


def _when(s: State, side: str, turn: int, told: str) -> str:
    title = _title(s, side)
    if turn > s.board.turns:
        return f"{title}, due in turn {turn}, behind the last: only if an event brings them a turn early: {told}"
    if turn > s.turn:
        return f"{title}, due in turn {turn}: {told}"
    ahead = sequence.is_ahead(s, sequence.Kind.REINFORCEMENTS, side) or (sequence.side_of(s) == side and _arriving(s))
    return f"{title}, due in this turn: {told}" if ahead else f"{title}, as soon as a hex is free: {told}"


def _arriving(s: State) -> bool:
    return sequence.phase_of(s).kind == sequence.Kind.REINFORCEMENTS


def _names(s: State, those: Sequence[Arrival]) -> str:
    """The units of some arrivals, behind those of one that orders call otherwise its id."""
    told = []
    for one in those:
        units = [start.unit for start in one.starts]
        names = [f"{s.board.units[unit].name} ({unit})" for unit in units]
        alone = len(those) == 1
        if one.id in units:
            told += names
        else:  # of which more is told behind a comma
            told.append(f"{listed(names)}, together `{one.id}`," if alone else f"{listed(names)}, together `{one.id}`")
    return listed(told)


def _where(s: State, one: Arrival, who: str) -> str:
    """`A at N4721 Sangster's Station`, and what its owner may choose."""
    later = listed(map(s.board.place, one.late), "or")
    if one.id in s.put_off:
        return f"{who} at {later}, put off"
    hex_place, others = s.board.place(one.at), listed(map(s.board.place, one.else_at), "or")
    if one.choice:
        places = listed(map(s.board.place, (one.at, *one.else_at)), "or")
        told = f"{who} at {places}, as its owner chooses"
    elif one.else_at:
        told = f"{who} at {hex_place}, or while the enemy is there at {others}"
    else:
        told = f"{who} at {hex_place}"
    comes = due_in(s, one) < s.board.turns  # a turn later there is none
    if comes and one.late and not any(other not in s.waiting for other in one.together):
        return f"{told}; may be put off by a turn, to {later}"
    return told
