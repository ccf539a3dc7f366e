"""Attacks (combat): who can attack whom, classes and sides of contact, the die that kills."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from pbem.errors import Refusal
from pbem.records import NamedTuple
from pbem.rules.kit.ask import OF_THE_PHASE, Chapter, Steps
from pbem.rules.requests import Answer, Chance, Factor, Request, Roll, Tell
from pbem.rules.samurai.geometry import Contact, side_of, touches
from pbem.rules.samurai.losses import DIE, least, lose
from pbem.rules.samurai.movement import why_not_unit
from pbem.rules.samurai.orders import DONE, Attack, Done, End, Fire, Follow, Go, Move, Order, Rally, SetUp, step_of
from pbem.rules.samurai.state import State, Step, label

__all__ = [
    "BONUS", "CHAPTER", "Fight", "attackers", "best", "factors", "fight", "other_step", "roll", "sequence_clause",
    "stand_hit", "targets", "why_not", "why_not_at",
]  # fmt: skip

BONUS = {Contact.FRONT: 0, Contact.FLANK: 1, Contact.REAR: 2}
"""Side of the target -> what its attacker's class is raised by (combat.10, combat.11)."""

IN_TURN = ("fire_combat.1", "turn_sequence.2", "turn_sequence.3", "turn_sequence.4")
"""Step of the turn -> the clause by which it comes then."""

CLASSES = {1: "ashigaru", 2: "ronin", 3: "samurai"}


class Fight(NamedTuple):
    """What the dice of an attack mean: the dice, the least that kills, the side of the target."""

    dice: int
    needed: int
    side: Contact


# --- questions --------------------------------------------------------------------------------------------------------


def fight(s: State, unit: str, target: str) -> Fight:
    """The dice of an attack on an enemy in contact."""
    tables, (own, other) = s.board.tables, (s.board.units[unit], s.board.units[target])
    side = Contact.FRONT if other.daimyo else side_of(s.at[target], s.at[unit])
    attacker = own.kind.attack + BONUS[side] + int(own.troops and bool(s.daimyos(unit)))  # combat.14, combat.6
    defender = other.kind.rank + int(other.troops and bool(s.daimyos(target)))  # combat.6
    return Fight(s.left(unit), tables.kill - (attacker - defender), side)  # combat.2, combat.3, combat.4, combat.5


def factors(s: State, unit: str, target: str) -> Iterator[Factor]:
    """What decides the dice of an attack, one by one."""
    own, other = s.board.units[unit], s.board.units[target]
    found, does = fight(s, unit, target), s.board.does
    name, whom = map(s.board.describe, (unit, target))
    yield Factor(f"dice, one for each figure of {name}:", str(found.dice), "combat.2")
    yield Factor("a die kills one of an equal class with", least(s.board.tables.kill), "combat.3")
    clause = "combat.14" if own.kind.attack != own.kind.rank else "combat.5"
    attacks, are = does(unit, "attacks", "attack"), does(target, "is", "are")
    yield Factor(f"{attacks} as {CLASSES[own.kind.attack]}:", f"class {own.kind.attack}", clause)
    yield Factor(f"{are} {CLASSES[other.kind.rank]}:", f"class {other.kind.rank}", "combat.5")
    if own.troops and (led := s.daimyos(unit)):
        yield Factor(f"{name} are led by {', '.join(led)}:", "class +1", "combat.6")
    if other.troops and (led := s.daimyos(target)):
        yield Factor(f"{whom} are led by {', '.join(led)}:", "their class +1", "combat.6")
    if BONUS[found.side]:
        clause = "combat.10" if found.side is Contact.FLANK else "combat.11"
        yield Factor(f"{attacks} the {found.side} of {whom}:", f"class +{BONUS[found.side]}", clause)
    yield Factor("so a die kills with", least(found.needed), "combat.5")


def attackers(s: State, side: str) -> list[str]:
    """The units of a side that can attack somebody, by id."""
    return list(_attackers(s, side))


def _attackers(s: State, side: str) -> Iterator[str]:
    for unit in s.engaged(side):
        if why_unable(s, side, unit) is None and targets(s, unit):
            yield unit


def targets(s: State, unit: str) -> list[str]:
    """The enemies that a unit can attack, by id."""
    return [other for other in s.enemies(unit) if why_not_at(s, unit, other) is None]


def best(s: State, unit: str) -> str | None:
    """The enemy that is the easiest to kill; of several the lowest id."""
    found = targets(s, unit)
    return min(found, key=lambda other: (fight(s, unit, other).needed, s.board.order[other]), default=None)


def stand_hit(s: State, unit: str, target: str) -> int:
    """The stand of a target that an attacker touches; of both the one with fewer figures, then the first."""
    bases = s.bases(target)
    touched = [number for number, b in bases if touches(b, s.at[unit])] or [number for number, _ in bases]
    return min(touched, key=lambda number: (s.figures[target][number], number))


# --- legality ---------------------------------------------------------------------------------------------------------


def other_step(order: Order) -> Refusal:
    """The refusal of an order that belongs to another step."""
    words = {
        Fire: "fire is declared first in a turn",
        Move: "units move after fire, before they rally",
        Go: "daimyos move after fire, before units rally",
        Follow: "daimyos move after fire, before units rally",
        Rally: "units rally after all movement, before they attack",
        Attack: "units attack when all have moved and rallied",
        SetUp: "the armies are set up",
        End: "that step is over",
    }
    return Refusal(sequence_clause(order), words.get(type(order), "that isn't an order of these rules"))


def sequence_clause(order: Order) -> str:
    """The clause that gives an order its step in the turn; OF_THE_PHASE for one that has none."""
    none = isinstance(order, SetUp | Done)
    return OF_THE_PHASE if none else IN_TURN[step_of(order)]


def friend(s: State, target: str) -> str:
    """Why nobody attacks his own side or fires at it."""
    return s.board.does(target, "is a friend", "are friends")


def no_target(s: State, target: str) -> str:
    """Why nobody attacks who isn't on the table, or fires at him."""
    if target in s.gone:
        return s.board.left(target, s.gone[target])
    return f"{s.board.does(target, 'is', 'are')} no target"


def why_unable(s: State, side: str, unit: str) -> Refusal | None:
    """Why a unit can't attack anybody."""
    refusal = why_not_unit(s, side, unit, "combat.1")
    if refusal is not None:
        return refusal
    u, name = s.board.units[unit], s.board.describe(unit)
    if unit in s.fought:
        return Refusal("combat.1", s.board.does(unit, "has attacked", "have attacked"))
    if not u.kind.attack:
        return Refusal("combat.15", f"{name} may not attack hand-to-hand")
    if u.daimyo and not s.lone(unit):
        return Refusal("daimyos.6", f"{name} touches {s.friends(unit)[0]}: he attacks by himself only when he is alone")
    return None


def why_not_at(s: State, unit: str, target: str) -> Refusal | None:
    """Why a unit that can attack can't attack this enemy."""
    u, other = s.board.units[unit], s.board.units[target]
    name, whom = s.board.describe(unit), s.board.describe(target)
    if other.side == u.side:
        return Refusal("combat.1", friend(s, target))
    if target not in s.at:
        return Refusal("combat.1", no_target(s, target))
    if not touches(s.at[unit], s.at[target]):
        what = f"{name} doesn't touch {whom}" if u.daimyo else f"{name} don't touch {whom}"
        return Refusal("turn_sequence.4", what)
    if other.daimyo and not s.lone(target):
        return Refusal("daimyos.5", f"{whom} touches {s.friends(target)[0]}: he can only be attacked when he is alone")
    if u.troops and (side := side_of(s.at[unit], s.at[target])) is not Contact.FRONT:
        return Refusal("combat.9", f"{name} touch {whom} with their {side}: they attack only to their front")
    return None


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why an attack is refused: none of the enemies named can be attacked."""
    if isinstance(order, Done):
        return None
    if not isinstance(order, Attack):
        return other_step(order)
    refusal = why_unable(s, side, order.unit)
    if refusal is not None:
        return refusal
    if not order.targets:
        if targets(s, order.unit):
            return None
        return Refusal("combat.1", s.board.does(order.unit, "touches no enemy", "touch no enemy with their front"))
    refusals = [why_not_at(s, order.unit, target) for target in order.targets]
    return None if None in refusals else refusals[0]


def why_never(s: State, side: str, order: Order) -> Refusal | None:
    """Why an attack can never be ordered: for a unit that isn't the side's own, at its friends."""
    if not isinstance(order, Attack):
        return None
    u = s.board.units[order.unit]
    if u.side != side or u.bannerman:
        return why_not_unit(s, side, order.unit)
    friends = [target for target in order.targets if s.board.units[target].side == side]
    if friends:
        return Refusal("combat.1", friend(s, friends[0]))
    return None if u.kind.attack else Refusal("combat.15", f"{s.board.describe(u.id)} may not attack hand-to-hand")


# --- carried out ------------------------------------------------------------------------------------------------------


def roll(
    s: State,
    what: str,
    unit: str,
    dice: int,
    needed: int,
    stand: int,
    of: Order | None = None,
    behind: tuple[Order, ...] = (),
) -> Generator[Request | Tell, Answer, list[int]]:
    """So many dice of a unit against a stand of its target, each with a number from `needed` on kills; the dice.

    The first is `of` an order that was declared before, if there is one, with others `behind` it.
    """
    fallen: list[int] = []
    first = Roll(f"{what}/{unit}", 1, DIE, of, behind)
    for number in range(dice):  # combat.2
        (die,) = yield (Roll(f"{what}/{unit}", 1, DIE) if number else first)
        fallen.append(die)
        if die >= needed:  # combat.3
            s.kills = (s.kills[0] + (stand == 0), s.kills[1] + (stand == 1))
    return fallen


def attack(s: State, order: Attack) -> Steps:
    """One attack: all its dice, the losses at once, the check of who has come to half its strength."""
    named = (target for target in order.targets if why_not_at(s, order.unit, target) is None)
    target = next(named, None) if order.targets else best(s, order.unit)
    assert target is not None  # noqa: S101 the order is legal
    s.fought |= {order.unit}
    found = fight(s, order.unit, target)
    dice = yield from roll(s, "attack", order.unit, found.dice, found.needed, stand_hit(s, order.unit, target))
    left = s.left(target)
    kills = min(sum(s.kills), left)
    facts = {
        "unit": order.unit,
        "target": target,
        "from": label(s.at[order.unit]),
        "at": label(s.at[target]),
        **({"on": str(found.side)} if s.board.units[target].troops else {}),
        "dice": dice,
        "needed": found.needed,
        "kills": kills,
        "of": left,
        "result": str(kills),
    }
    yield Tell("attack", "combat.2", facts)
    yield from lose(s, target, "combat.7")


def options(s: State, side: str) -> Iterator[Order]:
    """Every attack at one enemy, and the end of the turn."""
    for unit in attackers(s, side):
        yield from (Attack(unit, (target,)) for target in targets(s, unit))
    yield DONE


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random attack; seldom none."""
    found = attackers(s, side)
    if not found or chance.randrange(8) == 0:
        return DONE
    unit = chance.choice(found)
    return Attack(unit, (chance.choice(targets(s, unit)),))


CHAPTER = Chapter(
    kind=str(Step.ATTACK),
    prompt=lambda _: "attack with units that touch an enemy",
    why_not=why_not,
    options=options,
    sample=sample,
    anyone=lambda s, side: next(_attackers(s, side), None) is not None,
    carry_out=lambda s, _, order: attack(s, order),
    never=why_never,
    done=DONE,
)
"""One attack after another (turn_sequence.4)."""
