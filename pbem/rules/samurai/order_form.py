"""The order form: how far each unit comes in each heading and before whom, whom it hits and attacks, with odds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem.errors import Refusal
from pbem.rules.kit import form as kit
from pbem.rules.kit.form import Line
from pbem.rules.requests import Choose, FormEntry
from pbem.rules.samurai import combat, daimyos, fire, movement, moving, rally, setup
from pbem.rules.samurai.board import FACINGS, inches
from pbem.rules.samurai.geometry import side_of
from pbem.rules.samurai.odds import tell_odds
from pbem.rules.samurai.orders import CLOSING, TURNS, Attack, Fire, Follow, Go, Move, Order, Rally, order_words
from pbem.rules.samurai.state import ENEMY, State, Step, copy

__all__ = ["form"]


def form(s: State, choose: Choose) -> Iterator[FormEntry]:
    """The form of what is asked and of the later steps of the turn, for one mail has the orders of all."""
    side = choose.side
    if choose.kind == "setup":
        yield from _set_ups(s, side)
    else:
        steps = [str(step) for step in Step]
        now = steps.index(choose.kind)
        for step, entries in (
            (Step.FIRE, _fires),
            (Step.MOVE, _moves),
            (Step.RALLY, _rallies),
            (Step.ATTACK, _attacks),
        ):
            if steps.index(step) >= now:
                yield from entries(s, side)
    yield kit.closing(CLOSING)


def _line(s: State, order: Order, note: str = "") -> Line:
    return order_words(s.board, order), note or tell_odds(s, order)


def _set_ups(s: State, side: str) -> Iterator[FormEntry]:
    """A line-up that could be had, wing by wing."""
    orders = list(setup.suggested(s, side))
    for wing, zone in s.board.zones[side].items():
        lines = tuple(_line(s, order) for order in orders if s.board.units[order.unit].wing == wing)
        if lines:
            part = f"x {inches(zone.west)} to {inches(zone.east)}, y {inches(zone.south)} to {inches(zone.north)}"
            ahead = FACINGS[s.board.side[side].ahead]
            notes = (
                f"wholly within {part}, facing {ahead} or up to 45 degrees off",
                "any other places will do as well",
            )
            yield FormEntry(f"The {wing} wing", lines, notes)


def _fires(s: State, side: str) -> Iterator[FormEntry]:
    """Who can fire at whom; who else has missiles, and why he can't fire."""
    refused: dict[str, list[Refusal]] = {}
    for unit in s.troops(side):
        if not s.board.units[unit].kind.reach:
            continue
        targets = fire.targets(s, unit)
        refusal = fire.why_unable(s, side, unit)
        if refusal is None and targets:
            lines = tuple(_line(s, Fire(unit, target)) for target in targets)
            yield FormEntry(f"{s.board.describe(unit)} fire", lines)
        else:
            refused[unit] = [refusal or Refusal("fire_combat.4", "they see no enemy in their range and arc")]
    for entry in kit.idle(s.board.describe, refused, each="", it="them"):
        yield entry._replace(heading="No fire by")


def _moves(s: State, side: str) -> Iterator[FormEntry]:
    """How far each unit comes as things stand, in each heading and before whom."""
    known = s
    if s.step == Step.FIRE:
        known = copy(s)
        known.met = {unit: tuple(found) for unit in s.on(side) if s.counts(unit) and (found := s.enemies(unit))}
        movement.leads(known, side)
    for unit in moving.movers(known, side):
        daimyo = s.board.units[unit].daimyo
        lines = tuple(_ways(known, side, unit) if daimyo else _headings(known, side, unit))
        notes = () if daimyo or unit in known.moved else tuple(_kept(known, side, unit))
        yield FormEntry(f"{s.board.describe(unit)}, {_stance(known, unit)}", lines, notes)
    routed = [unit for unit in s.troops(side) if unit in s.routed]
    if routed:
        what = "flee before anybody moves" if s.step == Step.FIRE else "have fled as far as they can in this turn"
        notes = tuple(f"{s.board.describe(unit)} {what}" for unit in routed)
        yield FormEntry("Routed, without orders", (), notes)


def _stance(s: State, unit: str) -> str:
    b = s.at[unit]
    return f"{kit.counted(s.left(unit), 'figure')}, at {inches(b.x)} {inches(b.y)} facing {FACINGS[b.facing]}"


def _headings(s: State, side: str, unit: str) -> Iterator[Line]:
    """The farthest move in each of the three headings, and back."""
    for first in ("", *TURNS):
        order = moving.farthest(s, unit, first)
        if order is not None and moving.why_not(s, side, order) is None:
            yield _line(s, order, _note(s, order))
            continue
        turn = Move(unit, first=first)
        if first and moving.why_not(s, side, turn) is None:
            yield _line(s, turn, "can only turn")
    back = moving.farthest(s, unit, back=True)
    if back is not None and moving.why_not(s, side, back) is None:
        yield _line(s, back, _note(s, back))


def _kept(s: State, side: str, unit: str) -> Iterator[str]:
    """Why a unit can't go ahead or back at all, or not turn."""
    half = movement.limit(s, unit, back=True)
    for what, order in (
        ("ahead: ", Move(unit, movement.limit(s, unit, back=False))),
        *(("", Move(unit, first=way)) for way in TURNS),
        ("back: ", Move(unit, half, back=True)),
    ):
        went = moving.farthest(s, unit, order.first, back=order.back)
        if went is not None and moving.why_not(s, side, went) is None:
            continue
        refusal = moving.why_not(s, side, order)
        if refusal is not None:
            yield what + refusal.reason.removeprefix(s.board.describe(unit)).lstrip()


def _note(s: State, order: Move) -> str:
    """How far it comes over slow ground, whom it touches and what an attack may bring then, or what it meets."""
    found = movement.run(s, order)
    slow = movement.slowed(s, order, found)
    notes = f"{inches(slow)} on the table, as slow ground counts twice" if slow else "", _meets(s, order, found)
    return "; ".join(note for note in notes if note)


def _meets(s: State, order: Move, found: movement.Run) -> str:
    """What stands at the end of a move."""
    side = s.board.units[order.unit].side
    met = s.enemies_at(found.end, side)
    if met:
        there, led = _after(s, order.unit, found)
        blows = (f"{other}{_blow(there, order.unit, other, led)}" for other in met)
        return f"after {inches(movement.gone(s, order, found))} they touch {'; '.join(blows)}"
    cut = movement.run(s, replace(order, length=movement.limit(s, order.unit, back=order.back))).cut
    return f"then they meet {cut}" if cut and cut != ENEMY else ""


def _after(s: State, unit: str, found: movement.Run) -> tuple[State, list[str]]:
    """How it stands when a unit has moved and the daimyos who touch it have followed, as far as they can; who has."""
    there, led = copy(s), []
    for other, b in (*found.placed.items(), (unit, found.end)):
        there.put(other, b)
    for daimyo in s.daimyos(unit):
        place = daimyos.following(there, Follow(daimyo, unit))
        if place is not None:
            there.put(daimyo, place[1])
            led.append(daimyo)
    return there, led


def _blow(s: State, unit: str, other: str, led: Sequence[str]) -> str:
    """What an attack on an enemy may bring, or why there is none; `led` are the daimyos who have followed."""
    refusal = combat.why_not_at(s, unit, other)
    if not s.board.units[unit].kind.attack or refusal is not None:
        return f", with the {side_of(s.at[unit], s.at[other])}" if refusal and refusal.clause == "combat.9" else ""
    if_led = f" if {led[0]} follows" if led else ""
    return f", on the {combat.fight(s, unit, other).side}{if_led}: {tell_odds(s, Attack(unit, (other,)))}"


def _ways(s: State, side: str, unit: str) -> Iterator[Line]:
    """The units that a daimyo may follow; he may go to any place as well."""
    b, most = s.at[unit], s.board.units[unit].kind.move
    stays = Go(unit, b.x, b.y)
    yield _line(s, stays, f"or any other place within {inches(most)} inches")
    for leader in s.troops(side):
        order = Follow(unit, leader)
        found = daimyos.following(s, order)
        if found is not None and moving.why_not(s, side, order) is None:
            there = found[1]
            yield _line(s, Follow(unit, leader, found[0]), f"to {inches(there.x)} {inches(there.y)}")


def _rallies(s: State, side: str) -> Iterator[FormEntry]:
    for unit in rally.able(s, side):
        yield FormEntry(
            f"{s.board.describe(unit)} may rally", (_line(s, Rally(unit)), _line(s, Rally(unit, about=True)))
        )


def _attacks(s: State, side: str) -> Iterator[FormEntry]:
    """Who can attack whom, and on which side; before movement, as things stand."""
    for unit in combat.attackers(s, side):
        lines = []
        for target in combat.targets(s, unit):
            order = Attack(unit, (target,))
            on = combat.fight(s, unit, target).side
            lines.append((order_words(s.board, order), f"on the {on}: {tell_odds(s, order)}"))
        yield FormEntry(s.board.does(unit, "attacks", "attack"), tuple(lines))
    if s.step != Step.ATTACK:
        note = "`attack U any` attacks whom the unit touches then; `attack U at V else W` names them by preference"
        yield FormEntry("Attacks after movement", (), (note,))
