"""Castles: durability lost and restored, their fall, and what becomes of those inside (8, 20-3, 21, P-6, P-10)."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.records import NamedTuple
from pbem.rules.kit.asking import reaction
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Activity, Answer, Choose, Request, Roll, Tell, Words
from pbem.rules.sengoku.acting import (
    army_of,
    besiegers,
    castle_side,
    forces_inside,
    label_of,
    live_castle,
    open_in,
    side_of,
)  # fmt: skip
from pbem.rules.sengoku.board import BUSHO, SOTAISHO
from pbem.rules.sengoku.harm import bury, morale_of, remove, shake, steps, strength
from pbem.rules.sengoku.orders import Demand, MarchOut, Traitors
from pbem.rules.sengoku.state import LEAST_MORALE, State

__all__ = [
    "FALL", "MOST_DURABILITY", "Named", "Naming", "captor_of", "castle_morale", "damage", "leader_modifier", "mend",
    "named", "opened", "restore", "shake_castle", "surrendered", "units_inside", "ways_out",
]  # fmt: skip

MOST_DURABILITY = 10  # 8-2-1
FALL = "fall"
"""The stem of the label of the die by which those inside a castle that falls are judged (21.0(3))."""

CHIEF_INSIDE, GENERAL_INSIDE = -2, -1  # 20-2-1(1), 20-2-1(2)
SPARED = {"D": 0, "E": 1, "F": 2}
"""Answer -> units inside that are removed; of G half of them, rounded up, of H all (20-3)."""


Named: TypeAlias = Generator[Request | Tell, Answer, tuple[str, ...]]
"""A part of an activity that comes to units."""


class Naming(NamedTuple):
    """A question for units inside a castle: who is asked, and of which units the order is made that answers it."""

    side: str
    kind: str
    clause: str
    prompt: str
    leaf: Callable[[tuple[str, ...]], Demand | Traitors]


# --- durability and morale --------------------------------------------------------------------------------------------


def castle_morale(s: State, castle: str) -> int:
    """The morale of a castle: its own while nobody is inside, else the lowest of the forces in it (10-4, 16-4-2)."""
    inside = forces_inside(s, castle)
    return morale_of(s, inside) if inside else s.castle_morale.get(castle, 0)


def mend(s: State, castle: str, by: int, army: str) -> Tell:
    """Raise the durability of a castle, to 10 at most; one that was abandoned is this army's then (14-3, 21-1(2))."""
    before, again = s.durability[castle], castle not in s.owner
    s.durability[castle] = min(MOST_DURABILITY, before + by)
    if again:
        s.hold(castle, army)
    facts = {"at": label_of(s, castle), "by": s.durability[castle] - before, "durability": s.durability[castle]}
    return Tell("mended", "14-3-4", {**facts, "army": s.board.armies[army].title, "again": again})


def damage(s: State, castle: str, by: int, clause: str, captor: str | None) -> Activity:
    """Lower the durability of a castle; at 0 it falls to a force, or is abandoned where there is none (21.0(2))."""
    before = s.durability[castle]
    s.durability[castle] = max(0, before - by)
    facts = {"at": label_of(s, castle), "by": before - s.durability[castle], "durability": s.durability[castle]}
    yield Tell("damaged", clause, facts)
    if s.durability[castle]:
        return
    if captor is not None:
        yield from _fall(s, castle, captor, castle_morale(s, castle), "21.0(2)")
    inside = forces_inside(s, castle)
    s.hold(castle, None)  # 8-2-5, 21-1(1)
    yield Tell("abandoned", "21-1(1)", {"at": label_of(s, castle)})
    if inside and open_in(s, s.board.castles[castle].at, s.board.enemy[side_of(s, inside[0])]):
        yield from _march_out(s, castle)
    else:
        for force in inside:
            s.let_out(force)


def shake_castle(s: State, castle: str, clause: str, captor: str) -> Activity:
    """Lower the morale of all inside a castle, or its own where nobody is, by 1 (18-2-2); below -4 it falls."""
    inside = forces_inside(s, castle)
    for force in inside:
        yield from shake(s, force, 1, clause)
    own = s.castle_morale.get(castle, 0) - 1
    if not inside and own >= LEAST_MORALE:
        s.set_castle_morale(castle, own)
        yield Tell("castle-shaken", clause, {"at": label_of(s, castle), "morale": own})
    elif not forces_inside(s, castle):
        yield from _fall(s, castle, captor, LEAST_MORALE, "21.0(1)")


def captor_of(s: State, castle: str) -> str:
    """The force to which a castle falls by a siege: the strongest that besieges it, then by its leader's id (P-6)."""
    return min(besiegers(s, castle), key=lambda force: (-strength(s, [force]), force))


# --- the fall, and a castle that opens --------------------------------------------------------------------------------


def leader_modifier(s: State, castle: str) -> int:
    """What the highest commander inside takes from the die of a call or a fall (20-2-1)."""
    best = max((s.board.units[unit].rank for unit in units_inside(s, castle)), default=BUSHO)
    return 0 if best == BUSHO else CHIEF_INSIDE if best == SOTAISHO else GENERAL_INSIDE


def _fall(s: State, castle: str, captor: str, morale: int, clause: str) -> Activity:
    """A castle of this morale falls to a force: one die decides about those inside (21.0(3)).

    It is the captor's with the durability that it has; of one without any only those inside are judged (P-6).
    """
    place, leader = label_of(s, castle), leader_modifier(s, castle)
    better = s.morale.get(captor, 0) - morale
    yield Tell("fall", clause, {"at": place, "unit": captor})
    (die,) = yield Roll(f"{FALL}/{place}", dice=1)
    answer = s.board.tables.answer(die + leader + better, 0)
    facts = {"at": place, "unit": captor, "die": die, "leader": leader, "morale": better, "answer": answer}
    yield Tell("judged", "21.0(3)", {**facts, "inside": len(units_inside(s, castle))})
    yield from opened(s, castle, captor, answer)


def opened(s: State, castle: str, captor: str, answer: str) -> Activity:
    """Carry out D to H on those inside; then the castle is the captor's, or nobody's without durability (20-3-1)."""
    inside = units_inside(s, castle)
    clause, restored = f"20-3({answer})", 0
    if answer == "H":
        restored = (steps(s, inside) + 1) // 2  # 20-3(H2)
        gone: Sequence[str] = inside
    else:
        count = -(-len(inside) // 2) if answer == "G" else SPARED[answer]
        gone = yield from _demanded(s, castle, captor, min(count, len(inside)))
    yield from surrendered(s, castle, captor, gone, clause)
    if captor in s.forces:
        yield from restore(s, captor, restored)


def surrendered(s: State, castle: str, captor: str, gone: Sequence[str], clause: str) -> Activity:
    """Remove some of those inside a castle and let the others march out; then it is the captor's army's (20-3-1)."""
    army = s.board.armies[army_of(s, captor)]
    for unit in gone:
        yield from remove(s, unit, clause, "surrendered")
    yield from bury(s)
    if forces_inside(s, castle):
        yield from _march_out(s, castle)
    for force in besiegers(s, castle):
        s.lift(force)
    s.hold(castle, army.id if s.durability[castle] else None)
    if s.durability[castle]:
        facts = {"at": label_of(s, castle), "side": army.side, "army": army.title}
        yield Tell("control", "20-3-1", facts)


def restore(s: State, force: str, count: int, wanted: Sequence[str] = ()) -> Iterator[Tell]:
    """Give steps back to a force: those `wanted`, the leader, then by rank, strength and army file (14-2-4, P-11)."""
    leader, *others = s.forces[force]
    units, every = s.board.units, s.board.of_side[side_of(s, force)]
    others.sort(key=lambda unit: (-units[unit].rank, -units[unit].front, every.index(unit)))
    for unit in [unit for unit in dict.fromkeys((*wanted, leader, *others)) if unit in s.reduced][:count]:
        s.reduced.discard(unit)
        s.memo.clear()
        yield Tell("restored", "14-2-4", {"unit": unit})


def _demanded(s: State, castle: str, captor: str, count: int) -> Named:
    """Ask the besieger who of those inside is removed: by default the highest ranks, then strength, then army file."""
    units, inside = s.board.units, units_inside(s, castle)
    inside.sort(key=lambda unit: (-units[unit].rank, -units[unit].front))
    prompt = f"name {count} of the units inside {s.board.castles[castle].name} to be removed"
    question = Naming(side_of(s, captor), "demand", "20-3(E)", prompt, partial(Demand, castle))
    return (yield from named(s, castle, question, inside, count))


def units_inside(s: State, castle: str) -> list[str]:
    """The units shut up in a castle, in the order of the army files."""
    inside = {unit for force in forces_inside(s, castle) for unit in s.forces[force]}
    return [unit for unit in s.board.units if unit in inside] if inside else []


def named(s: State, castle: str, question: Naming, ranked: Sequence[str], count: int) -> Named:
    """So many of the units inside a castle, as a side says where there is a choice, else the first of them."""
    if count in (0, len(ranked)):
        return tuple(ranked[:count])
    choice = yield _ask_names(s, castle, question, ranked, count)
    found: tuple[str, ...] = choice.units
    return found


def _ask_names(s: State, castle: str, question: Naming, ranked: Sequence[str], count: int) -> Choose:
    """Ask a side to name some of the units inside a castle: by default the first."""
    side, kind, clause, prompt, leaf = question

    def answer_of(names: Sequence[str]) -> Demand | Traitors:
        chosen = [*(unit for unit in names if unit in ranked), *(unit for unit in ranked if unit not in names)]
        return leaf(tuple(chosen[:count]))

    def why_not(answer: Demand | Traitors) -> Refusal | None:
        if answer != leaf(answer.units) or len(set(answer.units)) != count or not set(answer.units) <= set(ranked):
            names = ", ".join(map(s.board.describe, ranked))
            return Refusal(clause, f"{count} of these are to be named, each once: {names}")
        return None

    def standing(orders: Sequence[Words]) -> Demand | Traitors | None:
        names = preferences(orders, kind, castle)
        return answer_of(names) if names else None

    return reaction(
        side=side,
        kind=kind,
        clause=clause,
        prompt=prompt,
        options=[answer_of([unit]) for unit in ranked],
        why_not=why_not,
        standing=standing,
        about=tuple(ranked),
    )


# --- marching out -----------------------------------------------------------------------------------------------------


def ways_out(s: State, castle: str) -> list[Hex]:
    """The hexes to which all inside a castle may march out, the nearest first, then by number (20-3-2, P-10)."""
    side, at = side_of(s, forces_inside(s, castle)[0]), s.board.castles[castle].at
    castles = (s.board.castles[other].at for other in s.owner if castle_side(s, other) == side)
    places = {*(h for force, h in s.at.items() if side_of(s, force) == side), *castles} - {at} - s.board.outside
    found = [h for h in places if not open_in(s, h, s.board.enemy[side]) or _besieged_in(s, h, side)]
    return sorted(found, key=lambda h: (distance(at, h), s.board.label[h]))


def _besieged_in(s: State, h: Hex, side: str) -> bool:
    """Whether a hex has a castle of a side under siege."""
    castle = live_castle(s, h)
    return castle is not None and castle_side(s, castle) == side and bool(besiegers(s, castle))


def _march_out(s: State, castle: str) -> Activity:
    """Let all inside a castle go to one hex, with normal morale; without any they surrender (20-3-2)."""
    found, inside = ways_out(s, castle), forces_inside(s, castle)
    if not found:
        for force in inside:
            for unit in s.forces[force]:
                yield from remove(s, unit, "20-3-2(none)", "surrendered")
        yield from bury(s)
        return
    to = found[0]
    if len(found) > 1:
        to = (yield _ask_way_out(s, castle, found)).to
    again = _besieged_in(s, to, side_of(s, inside[0]))
    for force in inside:
        s.let_out(force)
        s.put(force, to)
        s.set_morale(force, 0)  # 20-3-2(morale)
        if again:
            s.shut(force)  # 20-3-2(siege)
        facts = {"unit": force, "at": label_of(s, castle), "goal": s.board.label[to], "shut_in": again}
        yield Tell("march-out", "20-3-2", facts)


def _ask_way_out(s: State, castle: str, found: Sequence[Hex]) -> Choose:
    """Ask the owner of those inside where all of them go: by default the nearest hex."""
    inside = forces_inside(s, castle)

    def why_not(answer: MarchOut) -> Refusal | None:
        if answer.castle == castle and answer.to in found:
            return None
        return Refusal("20-3-2", f"they march to a friendly unit or castle: {', '.join(map(s.board.place, found))}")

    def standing(orders: Sequence[Words]) -> MarchOut | None:
        wanted = [h for word in preferences(orders, "march-out", castle) for h in found if s.board.label[h] == word]
        return MarchOut(castle, wanted[0]) if wanted else None

    return reaction(
        side=side_of(s, inside[0]),
        kind="march-out",
        clause="20-3-2",
        prompt=f"march out of {s.board.castles[castle].name}",
        options=[MarchOut(castle, h) for h in found],
        why_not=why_not,
        standing=standing,
        about=inside,
    )
