"""Rally (rally, morale_check.3, morale_check.6): a check of a routed unit that a daimyo touches."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.rules.kit.ask import Chapter, Steps
from pbem.rules.requests import Chance, Roll, Tell
from pbem.rules.samurai.combat import other_step
from pbem.rules.samurai.losses import DIE
from pbem.rules.samurai.orders import DONE, Done, End, Order, Rally
from pbem.rules.samurai.state import Gone, State, Step, label

__all__ = ["CHAPTER", "able", "why_not"]


def able(s: State, side: str) -> list[str]:
    """The routed units of a side that may try to rally, by id."""
    return [unit for unit in s.by_id(s.routed) if why_not(s, side, Rally(unit)) is None]


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why a unit can't try to rally."""
    if isinstance(order, Done) or order == End(Step.RALLY):
        return None
    if not isinstance(order, Rally):
        return other_step(order)
    u, name = s.board.units[order.unit], s.board.describe(order.unit)
    if u.side != side:
        return Refusal("turn_sequence.1", s.board.belongs(order.unit))
    if order.unit in s.tried:
        return Refusal("rally.1", f"{name} have tried to rally in this turn")
    if order.unit not in s.routed:
        how = s.gone.get(order.unit)
        what = s.board.left(order.unit, how) if how else s.board.does(order.unit, "isn't routed", "aren't routed")
        return Refusal("rally.1", what)
    near = s.daimyos(order.unit)
    if not near or (order.by and order.by not in near):
        what = f"{s.board.describe(order.by)} doesn't touch {name}" if order.by else f"no daimyo touches {name}"
        return Refusal("rally.1", what)
    return None


def why_never(s: State, side: str, order: Order) -> Refusal | None:
    """Why a rally can never be ordered: it is for no unit of the side's."""
    if not isinstance(order, Rally) or s.board.units[order.unit].side == side:
        return None
    return why_not(s, side, order)


def rally(s: State, order: Rally) -> Steps:
    """The check: back to battle, about if it was ordered, or out of the game."""
    kind = s.board.units[order.unit].kind
    s.tried |= {order.unit}
    (die,) = yield Roll(f"rally/{order.unit}", 1, DIE)
    fails = s.board.tables.fails[kind.rank]
    rallied = die < fails  # rally.2
    facts = {"unit": order.unit, "at": label(s.at[order.unit]), "die": die, "fails": fails, "success": rallied}
    if rallied:
        s.routed -= {order.unit}  # morale_check.6
        b = s.at[order.unit]
        s.put(order.unit, s.size(order.unit).at(b.x, b.y, (b.facing + 4) % 8) if order.about else b)
    yield Tell("rally", "rally.1", facts | {"about": order.about and rallied})
    if not rallied:
        yield s.remove(order.unit, Gone.DISPERSED, "morale_check.3")  # morale_check.3


def options(s: State, side: str) -> Iterator[Order]:
    """Every rally, with a turn about and without; the end of the step and of the turn."""
    for unit in able(s, side):
        yield from (Rally(unit), Rally(unit, about=True))
    yield End(Step.RALLY)
    yield DONE


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random rally, or none."""
    found = able(s, side)
    if not found or chance.randrange(4) == 0:
        return End(Step.RALLY)
    return Rally(chance.choice(found), about=chance.randrange(2) == 0)


CHAPTER = Chapter(
    kind=str(Step.RALLY),
    prompt=lambda _: "rally routed units that a daimyo touches",
    why_not=why_not,
    options=options,
    sample=sample,
    anyone=lambda s, side: bool(able(s, side)),
    carry_out=lambda s, _, order: rally(s, order),
    never=why_never,
    done=DONE,
)
"""One unit after another (turn_sequence.3)."""
