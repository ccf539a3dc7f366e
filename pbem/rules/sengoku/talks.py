"""Talks at a siege: the owner of those inside offers to open the castle, the besieger accepts or not (20-4, P-12)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from pbem.errors import Refusal
from pbem.rules.kit.asking import reaction
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Answer, Choose, Request, Tell, Words
from pbem.rules.sengoku.acting import besieged, castle_side, label_of, side_of
from pbem.rules.sengoku.castles import captor_of, surrendered, units_inside
from pbem.rules.sengoku.orders import Accept, Offer
from pbem.rules.sengoku.state import State

__all__ = ["agreed", "offers", "propose", "why_not"]

ACCEPT = "accept"
"""The keyword of the standing order `accept CASTLE|any N`: so many of those inside must be removed at least."""

ONLY_OFFER = "20-4"


def why_not(s: State, side: str, order: Offer) -> Refusal | None:
    """Why a side can't offer to open a castle; it is no action (R192)."""
    name = s.board.castles[order.castle].name
    inside = units_inside(s, order.castle) if castle_side(s, order.castle) == side else []
    if not inside:
        return Refusal(ONLY_OFFER, f"none of your units is shut up in {name}")
    if not besieged(s, order.castle):
        return Refusal(ONLY_OFFER, f"{name} isn't besieged")
    for unit in order.units:
        if unit not in inside or order.units.count(unit) > 1:
            return Refusal(ONLY_OFFER, f"name units inside {name}, each once: {s.board.describe(unit)} isn't one more")
    return None


def offers(s: State, side: str) -> Iterator[Offer]:
    """What a side can offer: to march out of a castle with all, or without the first of those inside."""
    held = {s.at[force] for force in s.shut_in} & {s.at[force] for force in s.besieging}
    for castle in s.board.castles if held else ():
        if s.board.castles[castle].at in held and castle not in s.offers and why_not(s, side, Offer(castle)) is None:
            yield Offer(castle)
            yield Offer(castle, (units_inside(s, castle)[0],))


def propose(s: State, order: Offer) -> Iterator[Tell]:
    """Note an offer for the siege check of this phase, in place of an earlier one."""
    s.offers[order.castle] = order.units
    nobody_left = {"all": True} if set(units_inside(s, order.castle)) == set(order.units) else {}
    yield Tell("offer", ONLY_OFFER, {"at": label_of(s, order.castle), "units": list(order.units), **nobody_left})


def agreed(s: State, castle: str) -> Generator[Request | Tell, Answer, bool]:
    """Ask the besieger about an offer that stands; accepted, it is carried out, and no check is made (20-4(no))."""
    inside, captor = units_inside(s, castle), captor_of(s, castle)
    units = tuple(unit for unit in s.offers.get(castle, ()) if unit in inside)
    if castle not in s.offers or not inside:
        return False
    place = label_of(s, castle)
    yield Tell("offered", "20-4", {"at": place, "step": ACCEPT, "units": list(units)})
    accepted: bool = (yield _ask(s, castle, captor, units)).made
    yield Tell("answer", "20-4" if accepted else "20-4(no)", {"at": place, "accepted": accepted})
    if accepted:
        yield from surrendered(s, castle, captor, units, "20-4")
    return accepted


def _ask(s: State, castle: str, captor: str, units: Sequence[str]) -> Choose:
    """The question whether the besieger accepts: by default he doesn't."""

    def standing(orders: Sequence[Words]) -> Accept | None:
        least = [int(word) for word in preferences(orders, ACCEPT, castle)[:1]]
        return Accept(made=len(units) >= least[0]) if least else None

    lost = ", ".join(map(s.board.describe, units)) or "nobody"
    return reaction(
        side=side_of(s, captor),
        kind=ACCEPT,
        clause="20-4",
        prompt=f"say whether {s.board.castles[castle].name} may open: of those inside {lost} is removed",
        options=[Accept(made=False), Accept(made=True)],
        why_not=lambda _: None,
        standing=standing,
        about=(captor,),
    )
