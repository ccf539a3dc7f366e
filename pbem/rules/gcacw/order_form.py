"""The order form of a decision, chapter by chapter: arrivals, transfers, corps and units, works; the plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pbem.rules.gcacw import (
    arrivals,
    leaders,
    may_march,
    recovery,
    substitutes,
    supply,
)  # fmt: skip
from pbem.rules.gcacw.acting_form import acting, counter, line, raided
from pbem.rules.gcacw.board import CAVALRY, CONFEDERATE, INFANTRY, Arrival
from pbem.rules.gcacw.in_force import for_the_turn
from pbem.rules.gcacw.orders import Entrench, PutOff, Transfer
from pbem.rules.gcacw.outreach import prices
from pbem.rules.gcacw.situation import WORKS
from pbem.rules.gcacw.standing import STATES
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.victory import score
from pbem.rules.gcacw.wording import CLOSING, order_words
from pbem.rules.kit import form as kit
from pbem.rules.kit.form import Line
from pbem.rules.requests import Choose, FormEntry
from pbem.words import listed

__all__ = ["form"]

BEFORE_ACTIONS = ("reinforcements", "transfer")
"""The decisions behind which leaders may still be transferred."""


def form(s: State, choose: Choose) -> Iterator[FormEntry]:
    """The order form of a pending decision; the closing order last where it is one."""
    if choose.reaction:
        first = choose.default() if choose.default is not None else None
        lines = [line(s, order, "as the rules would choose" if order == first else "") for order in choose.options()]
        yield FormEntry(choose.prompt, tuple(lines), tuple(counter(s, unit) for unit in choose.about if unit in s.at))
        return
    what = "The turn in one mail" if choose.kind != "recovery" else "Works in one mail"
    yield FormEntry(what, (), tuple(_plan(s, choose.side, choose.kind)))
    for chapter in _CHAPTERS[choose.kind]:
        yield from chapter(s, choose.side)
    yield kit.closing(CLOSING, "turn")._replace(notes=tuple(_score(s)))


def _plan(s: State, side: str, kind: str) -> Iterator[str]:
    """What holds in this turn alone, what one mail can still have in it, and how long it lasts."""
    for held in for_the_turn(s):
        yield f"{held.told} [{held.clause}]"
    if kind == "recovery":
        yield "all works may stand in one mail; they are carried out one after another, one of each unit [std-9.0-3]"
        yield _tests(s)
        return
    worked = not (s.board.no_works or recovery.is_last(s))
    steps = [*(["transfers"] if kind in BEFORE_ACTIONS else []), "actions", *(["works"] if worked else [])]
    yield (
        f"{listed(steps)} may stand in one mail; each time that I may act the next action is carried out, whatever the "
        "other side has done in between"
    )
    if recovery.is_last(s):
        yield "so may mergings, before the actions [3.0-6]"
        yield (
            "the score hangs on no works and no foraging in the last turn, and nobody is asked for them, but the Union "
            "for a bridge by which it may shut in a division [22.1-vp10]"
        )
    elif s.board.advanced is not None:
        yield "so may mergings, before the actions, and foraging, with the works [3.0-6, 20.4-4]"
    yield "the units of `activate LEADER` march one after another, each with the points of one throw [std-5.2-2]"
    if worked:
        yield (
            f"`pass` lets one chance to act go; `{CLOSING}`, or works, behind the last action: I pass until the cycle "
            "is over; otherwise I am asked again when my actions are used up"
        )
    else:
        yield (
            f"`pass` lets one chance to act go; `{CLOSING}` behind the last action: I pass until the cycle is over; "
            "otherwise I am asked again when my actions are used up"
        )
    told = prices(s, (INFANTRY, CAVALRY))
    yield (
        f"an attack at the end of a march is the best that its points left pay for: {told}; "
        "`attack HEX normal` makes none that is worse [std-7.1-2]"
    )
    if side == CONFEDERATE and s.board.stations:
        yield raided(s)
    yield (
        "`march U along HEX HEX` goes on along that way from where U stands on it then: behind a march of U whose "
        "dice may leave it short; `march U to HEX`, written twice, is read so"
    )
    yield (
        "`stop if short U` behind a march: the rest waits for me where it fell short; `stop whenever near U 2`: as "
        "soon as an enemy comes within 2 hexes of U; `stop if not fought HEX` behind a march that attacks: where none "
        "was fought, as cavalry went back or the points didn't suffice"
    )
    yield _tests(s)


def _tests(s: State) -> str:
    """The tests of these rules, each in words."""
    if s.board.advanced is None:
        return (
            "tests of these rules: `near U N` an enemy is within N hexes, `tired U N` fatigue N or more, `short U` its "
            "last march of the turn fell short, `row SIDE N` that side has acted N times in a row, `fought HEX` a "
            f"combat was there in this turn; `is U WORD` asks for {', '.join(STATES)}"
        )
    return (
        "tests of these rules: `near U N` an enemy is within N hexes, `tired U N` fatigue N or more, `short U` its "
        "last march of the turn fell short, `row SIDE N` that side has acted N times in a row, `fought HEX` a combat "
        "was there in this turn, `weather rain` it rains in this turn, `panic SIDE`, `paralysed SIDE` it is so in "
        f"this turn; `is U WORD` asks for {', '.join(STATES)}"
    )


def _score(s: State) -> Iterator[str]:
    yield score(s)


# --- reinforcements, transfers, works ---------------------------------------------------------------------------------


def _arriving(s: State, side: str) -> Iterator[FormEntry]:
    """Reinforcements of which the hex can be chosen."""
    for one in arrivals.due(s, side):
        orders = [order for order in arrivals.choices(s, side) if order.arrival == one.id]
        units = ", ".join(s.board.describe(start.unit) for start in one.starts)
        lines = [(order_words(s.board, order), s.board.place(order.at)) for order in orders]
        if s.turn < s.board.turns and arrivals.why_not_put_off(s, side, PutOff(one.id)) is None:
            lines.append((order_words(s.board, PutOff(one.id)), _later(s, one)))
        if lines:
            yield FormEntry(f"Reinforcements: {units}", tuple(lines), ())


def _later(s: State, one: Arrival) -> str:
    """Where reinforcements come in that are put off, and who is put off with them (22.1-re2, 22.1-re5)."""
    where = listed(map(s.board.place, one.late), "or")
    others = [other for other in one.together if other in s.waiting]
    if others:
        return f"in turn {s.turn + 1} at {where}, and so {listed(others)}"
    return f"in turn {s.turn + 1} at {where}"


def _merging(s: State, side: str) -> Iterator[FormEntry]:
    """The mergings of substitutes, and of units that may do as they (21.2)."""
    lines = []
    for order in substitutes.merges(s, side):
        more, had = s.manpower[order.unit], s.manpower[order.into]
        again = substitutes.is_substitute(s, order.unit)
        told = f"manpower {had} and {more}" if again else f"manpower {had} and {more}, for good"
        lines.append((order_words(s.board, order), told))
    if lines:
        yield FormEntry("Mergings, as things stand", tuple(lines), ())


def _detaching(s: State, side: str) -> Iterator[FormEntry]:
    """Which substitutes are free, how many men they take, and how a march leaves them behind (21.0-1, 21.1)."""
    advanced = s.board.advanced
    free = [sub for sub in advanced.substitutes[side] if sub not in s.at] if advanced is not None else []
    able = [unit for unit in s.own(side) if s.manpower[unit] > 1 and may_march.why_not_act(s, side, unit) is None]
    notes = []
    for branch in (INFANTRY, CAVALRY):
        subs = [sub for sub in free if s.board.units[sub].branch == branch]
        if subs and any(s.board.units[unit].branch == branch for unit in able):
            most_figure = substitutes.most_of(s, subs[0])
            notes.append(f"{branch}: {', '.join(subs)}, {most_figure} manpower at most each")
    if notes:
        yield FormEntry(
            "Substitutes, which a march of a unit with 2 manpower or more may leave behind",
            (),
            (
                "`march U HEX HEX detach SUBSTITUTE N` where it begins, `detach SUBSTITUTE N HEX` in a hex of its way, "
                "for N manpower, several one behind another, behind `rail` likewise; U keeps 1 at least [21.1-3, "
                "21.1-13]",
                *notes,
            ),
        )


def _foraging(s: State, side: str) -> Iterator[FormEntry]:
    """Who is out of supply and can forage at the end of the turn, as things stand (20.4)."""
    lines = [line(s, order) for order in supply.foragers(s, side) if not recovery.is_idle(s, side, order)]
    if lines:
        yield FormEntry("Foraging at the end of the turn, of who is out of supply, as things stand", tuple(lines), ())


def _transferring(s: State, side: str) -> Iterator[FormEntry]:
    """The transfers of leaders, by leader."""
    found: dict[str, list[Transfer]] = {}
    for order in leaders.transfers(s, side):
        found.setdefault(order.leader, []).append(order)
    notes = []
    for leader, orders in found.items():
        told = ", ".join(_unit_at(order.unit, s.board.place(s.at[order.unit])) for order in orders)
        head = counter(s, leader) if leader in s.at else f"{s.board.describe(leader)}, off the map"
        notes.append(f"{head}: `transfer {leader} U` to {told}")
    if notes:
        yield FormEntry("Leader transfers, once each in a turn", (), tuple(notes))


def _unit_at(ids: str, hex_place: str) -> str:
    return f"{ids} at {hex_place}"


def _working(s: State, side: str) -> Iterator[FormEntry]:
    """Works and bridges, which are ordered for the end of the turn."""
    stages: dict[int, list[str]] = {}
    lines: list[Line] = []
    for order in recovery.works(s, side):
        if recovery.is_idle(s, side, order):
            continue
        if isinstance(order, Entrench):
            stages.setdefault(s.works.get(order.unit, 0) + 1, []).append(order.unit)
        else:
            lines.append(line(s, order))
    notes = [f"`entrench U` to {WORKS[stage]}: {', '.join(units)}" for stage, units in sorted(stages.items())]
    if notes or lines:
        yield FormEntry("Works at the end of the turn, as things stand", tuple(lines), tuple(notes))


_CHAPTERS: dict[str, tuple[Callable[[State, str], Iterator[FormEntry]], ...]] = {
    "reinforcements": (_arriving, _transferring, _merging, acting, _detaching, _working, _foraging),
    "transfer": (_transferring, _merging, acting, _detaching, _working, _foraging),
    "attachment": (_merging, acting, _detaching, _working, _foraging),
    "action": (acting, _detaching, _working, _foraging),
    "recovery": (_working, _foraging),
}
"""Kind of decision -> the chapters of its form: its own, and those of later steps that the same mail may order."""
