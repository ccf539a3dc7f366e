"""The order form: how far each unit comes in each heading and before whom, whom it hits and attacks, with odds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.errors import Refusal
from pbem.records import NamedTuple
from pbem.rules.kit import form as kit
from pbem.rules.kit.form import Line
from pbem.rules.requests import Choose, FormEntry
from pbem.rules.samurai import combat, daimyos, fire, moving, rally, setup, straight
from pbem.rules.samurai.board import FACINGS, inches
from pbem.rules.samurai.geometry import side_of
from pbem.rules.samurai.mending import joins, mended_by, steps_beside, whom_it_parts
from pbem.rules.samurai.movement import why_not
from pbem.rules.samurai.odds import target_of, tell_odds
from pbem.rules.samurai.orders import CLOSING, TURNS, Attack, Fire, Follow, Go, Move, Order, Rally, order_words
from pbem.rules.samurai.state import ENEMY, State, Step, copy
from pbem.words import listed

__all__ = ["form", "tell_cost", "tell_met"]

CUT = ("movement.1", "movement.5b")
"""The clauses by which a move is cut short."""

HAIR = 2
"""So many steps, of those between bases that touch, are no way to be listed where they lead to no other enemy."""


def form(s: State, choose: Choose) -> Iterator[FormEntry]:
    """The form of what is asked and of the later steps of the turn, for one mail has the orders of all."""
    side = choose.side
    if choose.kind == "setup":
        yield from _set_ups(s, side)
    else:
        yield from _turn(s, side, Step(choose.kind))
    yield kit.closing(CLOSING, "set-up" if choose.kind == "setup" else "turn")


def _turn(s: State, side: str, now: Step) -> Iterator[FormEntry]:
    """All steps of a turn from this one on, the later ones as it stands behind the flight of the routed."""
    steps, ahead = [*Step], s
    if now == Step.FIRE:
        yield from _fires(s, side)
        ahead = copy(s)
        for _ in moving.begin(ahead, side):
            pass
    if steps.index(now) <= steps.index(Step.MOVE):
        yield from _routed(s, ahead, side)
        yield from _moves(ahead, side)
    if steps.index(now) <= steps.index(Step.RALLY):
        yield from _rallies(ahead, side, now)
    yield from _attacks(ahead, side, now)


def tell_cost(s: State, order: Order) -> str:
    """The inches to order for as far as a straight move comes; "" for other orders, and where it comes nowhere."""
    if not isinstance(order, Move) or not order.length:
        return ""
    went = straight.gone(s, order, straight.run(s, order))
    return f"{inches(went)} inches" if went else ""


def tell_met(s: State, order: Order) -> str:
    """Whom or what a straight move meets, as its line says; on which side an attack falls; "" for other orders."""
    if isinstance(order, Move) and order.length:
        return _note(s, order)
    if not isinstance(order, Attack) or order.unit not in s.at:
        return ""
    target = target_of(s, order)
    return next(_on(s, order.unit, target), "") if target is not None else ""


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
            notes = [f"wholly within {part}, facing {ahead} or up to 45 degrees off"]
            two = [u.id for u in setup.of_army(s, side) if u.wing == wing and u.stands > 1]
            if two:
                notes.append(f"a daimyo must touch {listed(two)} of two stands, as behind them or at an end")
                notes.append(f"other places there will do as well, where a daimyo touches {listed(two)}")
            else:
                notes.append("other places there will do as well")
            yield FormEntry(f"The {wing} wing", lines, tuple(notes))


def _fires(s: State, side: str) -> Iterator[FormEntry]:
    """Who can fire at whom; who else has missiles, and why he can't fire, where anybody can."""
    any_fire, refused = False, dict[str, list[Refusal]]()
    for unit in s.troops(side):
        if not s.board.units[unit].kind.reach:
            continue
        targets = fire.targets(s, unit)
        refusal = fire.why_unable(s, side, unit)
        if refusal is None and targets:
            lines = tuple(_line(s, Fire(unit, target)) for target in targets)
            any_fire = True
            yield FormEntry(f"{s.board.describe(unit)} fire", lines)
        else:
            refused[unit] = [refusal or Refusal("fire_combat.4", "they see no enemy in their range and arc")]
    for entry in kit.idle(s.board.describe, refused, each="", it="them") if any_fire else ():
        yield entry._replace(heading="No fire by")


def _routed(s: State, ahead: State, side: str) -> Iterator[FormEntry]:
    """Where the routed units flee to before anybody moves, or stand when they have fled."""
    notes = [_flight(s, ahead, unit) for unit in s.troops(side) if unit in s.routed]
    if notes and s is not ahead and fire.shooters(s, side):
        notes.append("what follows is told as it stands then, if fire doesn't change who is the nearest enemy")
    if notes:
        yield FormEntry("Routed, without orders", (), tuple(notes))


def _flight(s: State, ahead: State, unit: str) -> str:
    name = s.board.describe(unit)
    if s is ahead:
        return f"{name} have fled as far as they can in this turn"
    if unit not in ahead.at:
        return f"{name} flee off the table before anybody moves"  # morale_check.5
    b = ahead.at[unit]
    if (b.x, b.y) == (s.at[unit].x, s.at[unit].y):
        return f"{name} have no way to flee and stay where they are, facing {FACINGS[b.facing]}"
    return f"{name} flee to {inches(b.x)} {inches(b.y)} before anybody moves, and face {FACINGS[b.facing]}"


def _moves(s: State, side: str) -> Iterator[FormEntry]:
    """How far each unit comes as things stand, in each heading and before whom."""
    for unit in moving.movers(s, side):
        daimyo = s.board.units[unit].daimyo
        lines = tuple(_ways(s, side, unit) if daimyo else _headings(s, side, unit))
        why = _bound(s, side, unit) if daimyo else () if unit in s.moved else _kept(s, side, unit)
        notes = tuple(dict.fromkeys(why))
        yield FormEntry(f"{s.board.describe(unit)}, {_stance(s, unit)}", lines, notes)


def _stance(s: State, unit: str) -> str:
    b = s.at[unit]
    men = kit.counted(s.left(unit), "figure")
    return f"{men}, at {inches(b.x)} {inches(b.y)} facing {FACINGS[b.facing]}"


def _headings(s: State, side: str, unit: str) -> Iterator[Line]:
    """The farthest move in each of the three headings, and back."""
    for first in ("", *TURNS):
        order = _farthest(s, unit, first)
        if order is not None and moving.why_not(s, side, order) is None:
            yield from _going(s, side, order)
            continue
        turn = Move(unit, first=first)
        if first and moving.why_not(s, side, turn) is None:
            yield _line(s, turn, "can only turn")
    back = _farthest(s, unit, back=True)
    if back is not None and moving.why_not(s, side, back) is None:
        yield from _going(s, side, back)


def _going(s: State, side: str, order: Move) -> Iterator[Line]:
    """A farthest move; before it the one to where its unit first touches an enemy, if the attack is another there."""
    soon = _first_touch(s, order)
    if soon is not None and moving.why_not(s, side, soon) is None:
        last = _blows(s, order)
        if any(blow.falls and blow != last.get(other) for other, blow in _blows(s, soon).items()):
            yield _line(s, soon, _note(s, soon))
    yield _line(s, order, _note(s, order))


def _farthest(s: State, unit: str, first: str = "", *, back: bool = False) -> Move | None:
    """The farthest move of a unit; None where that is as good as none."""
    order = moving.farthest(s, unit, first, back=back)
    return None if order is None or _is_stuck(s, order) else order


def _is_stuck(s: State, order: Move) -> bool:
    """Whether a move is cut short at once, or by a hair and before no enemy whom its unit doesn't touch already."""
    found, side = straight.run(s, order), s.board.units[order.unit].side
    if not found.steps or found.steps > HAIR:
        return not found.steps
    before = s.enemies_at(straight.turned(s, order.unit, order.first), side)
    return all(other in before for other in s.enemies_at(found.end, side))


def _kept(s: State, side: str, unit: str) -> Iterator[str]:
    """Why a unit can't go ahead or back at all, or not turn."""
    turns = (Move(unit, first=way) for way in TURNS)
    ahead, back = (Move(unit, straight.limit(s, unit, back=back), back) for back in (False, True))
    for order in (ahead, *turns, back):
        went = _farthest(s, unit, order.first, back=order.back)
        if went is not None and moving.why_not(s, side, went) is None:
            continue
        refusal = moving.why_not(s, side, order)
        if order.length and _is_stuck(s, order) and (refusal is None or refusal.clause in CUT):
            found = straight.run(s, order)
            met = f"they touch {' and '.join(map(s.board.describe, found.met))} already"
            yield f"can't go {straight.heading(order)}: {met if found.met else f'at once they meet {found.cut}'}"
        elif refusal is not None:
            yield refusal.reason.removeprefix(s.board.describe(unit)).lstrip()


def _note(s: State, order: Move) -> str:
    """How far it comes over slow ground, whom it touches and what an attack may bring then, or what it meets; of two
    stands which daimyo goes after them."""
    found = straight.run(s, order)
    slow = straight.slowed(s, order, found)
    notes = (
        f"{inches(slow)} on the table, as slow ground counts twice" if slow else "",
        _meets(s, order, found),
        _then(s, order.unit, found),
    )
    return "; ".join(note for note in notes if note)


def _then(s: State, unit: str, found: straight.Run) -> str:
    """How the daimyo whom two stands leave behind comes after them; "" where none is needed or can (daimyos.1)."""
    own = s.touched(found.end, s.board.units[unit].side, unit) if s.doubled(unit) else ()
    led = _after(s, unit, found)[1] if s.doubled(unit) and not any(s.board.units[o].daimyo for o in own) else ()
    return f"then `{' '.join(order_words(s.board, Follow(led[0], unit)))}`" if led else ""


def _meets(s: State, order: Move, found: straight.Run) -> str:
    """What stands at the end of a move, and after how far its unit, which may pass along an enemy, touches it."""
    if last := _blows(s, order):
        soon = _first_touch(s, order)
        first = _blows(s, soon) if soon is not None else {}
        early = {other: blow for other, blow in first.items() if other in last and blow.is_as(last[other])}
        late = {other: blow for other, blow in last.items() if other not in early}
        told = [(soon.length, early)] if soon is not None and early else []
        told += [(straight.gone(s, order, found), late)] if late else []
        ways = (
            f"after {inches(n)} they touch {'; '.join(f'{other}{blow.told}' for other, blow in blows.items())}"
            for n, blows in told
        )
        return "; ".join(ways)
    cut = straight.run(s, order._replace(length=straight.limit(s, order.unit, back=order.back))).cut
    return f"they meet {cut}" if cut and cut != ENEMY else ""


def _first_touch(s: State, order: Move) -> Move | None:
    """The move to where a unit first touches an enemy along whom it passes; None where that is as good as the end."""
    found, enemy = straight.run(s, order), s.board.enemy[s.board.units[order.unit].side]
    b, way = straight.begun(s, order)
    others = (other for other in s.at if s.board.units[other].side == enemy and s.counts(other))
    steps = (steps_beside(b, way, found.steps, s.at[other]) for other in others)
    first = min((n for n in steps if n), default=found.steps)
    return order._replace(length=straight.length_of(s, b, way, first)) if found.steps - first > HAIR else None


def _after(s: State, unit: str, found: straight.Run) -> tuple[State, list[str]]:
    """How it stands when a unit has moved and the daimyos who touch it have followed, as far as they can; who has."""
    there, led = copy(s), []
    for other, b in (*found.placed.items(), (unit, found.end)):
        there.put(other, b)
    for daimyo in s.daimyos(unit):
        order = Follow(daimyo, unit)
        place = daimyos.following(there, order)
        if place is not None and moving.why_not(there, s.board.units[unit].side, order) is None:
            there.put(daimyo, place[1])
            led.append(daimyo)
    return there, led


class _Blow(NamedTuple):
    """What is told of an enemy whom a unit touches, and whether an attack on it can fall."""

    told: str
    falls: bool = False

    def is_as(self, later: _Blow) -> bool:
        """Whether it may be told in place of the later one: it is the same, or there is no attack at either place."""
        return self == later or not (self.falls or later.falls)


def _blows(s: State, order: Move) -> dict[str, _Blow]:
    """The enemies whom a unit touches at the end of a move, with what an attack may bring there."""
    found = straight.run(s, order)
    met = s.enemies_at(found.end, s.board.units[order.unit].side)
    there, led = _after(s, order.unit, found) if met else (s, [])
    return {other: _blow(there, order.unit, other, led) for other in met}


def _blow(s: State, unit: str, other: str, led: Sequence[str]) -> _Blow:
    """What an attack on an enemy may bring, or why there is none; `led` are the daimyos who have followed."""
    if not s.board.units[unit].kind.attack:
        return _Blow("")  # combat.15
    refusal = combat.why_not_at(s, unit, other)
    if refusal is not None:
        own = f"with their own {side_of(s.at[unit], s.at[other])}: they attack only to their front"
        return _Blow(f", {own}" if refusal.clause == "combat.9" else "")
    on, brings = next(_on(s, unit, other), ""), tell_odds(s, Attack(unit, (other,)))
    how = f"{on} if {led[0]} follows" if on and led else f"if {led[0]} follows" if led else on
    return _Blow(f", {how}: {brings}" if how else f": {brings}", falls=True)


def _on(s: State, unit: str, target: str) -> Iterator[str]:
    """On which side an attack falls; a daimyo has none."""
    if s.board.units[target].troops:
        yield f"on the {combat.fight(s, unit, target).side}"


def _stays(s: State, unit: str) -> Go:
    return Go(unit, s.at[unit].x, s.at[unit].y)


def _bound(s: State, side: str, unit: str) -> Iterator[str]:
    """Why a daimyo may not stay where he is, nor go anywhere he likes."""
    refusal = moving.why_not(s, side, _stays(s, unit))
    if refusal is not None:
        yield f"must go where he is needed: {refusal.reason}"


def _ways(s: State, side: str, unit: str) -> Iterator[Line]:
    """The units that a daimyo may follow; he may go to any place as well."""
    if not any(_bound(s, side, unit)):
        most = s.board.units[unit].kind.move
        yield _line(s, _stays(s, unit), f"or any other place within {inches(most)} inches")
    for leader in s.troops(side):
        order = Follow(unit, leader)
        found = daimyos.following(s, order)
        if found is not None and moving.why_not(s, side, order) is None:
            there = found[1]
            yield _line(s, Follow(unit, leader, found[0]), f"to {inches(there.x)} {inches(there.y)}")


def _rallies(s: State, side: str, now: Step) -> Iterator[FormEntry]:
    """Who may rally; before the rally step with every daimyo who touches a routed unit or can come to touch it."""
    if now == Step.RALLY:
        found = {unit: [(Rally(unit), ""), (Rally(unit, about=True), "")] for unit in rally.able(s, side)}
    else:
        found = {unit: list(_rallies_by(s, side, unit)) for unit in s.troops(side) if unit in s.routed}
    for unit, orders in found.items():
        lines = tuple(_line(s, order, ": ".join(filter(None, [way, tell_odds(s, order)]))) for order, way in orders)
        if lines:
            yield FormEntry(f"{s.board.describe(unit)} may rally", lines)
    out = tuple(f"{s.board.describe(unit)}: {_why_no_rally(s, side, unit)}" for unit in found if not found[unit])
    if out:
        yield FormEntry("No rally by", (), out)


def _rallies_by(s: State, side: str, unit: str) -> Iterator[tuple[Rally, str]]:
    """The rallies of a routed unit by each daimyo who can touch it, and what is said of his way."""
    for daimyo in s.all_daimyos(side):
        way = _way_to(s, side, daimyo, unit)
        if way is not None:
            yield from ((Rally(unit, daimyo), way), (Rally(unit, daimyo, about=True), way))


def _why_no_rally(s: State, side: str, unit: str) -> str:
    """Why no daimyo comes to touch a routed unit: who could leaves others without one, or there is none."""
    for daimyo in s.all_daimyos(side):
        for order in joins(s, daimyo, unit):
            if why_not(s, side, order) is None and (parted := whom_it_parts(s, side, order)):
                return f"{daimyo} could come to touch them, but {s.board.does(parted, 'needs', 'need')} him"
    return "no daimyo can come to touch them"


def _way_to(s: State, side: str, daimyo: str, unit: str) -> str | None:
    """What a daimyo must do first to touch a routed unit: "" where he does, None where he can't come to it."""
    if daimyo in s.daimyos(unit):
        return ""
    legal = (order for order in joins(s, daimyo, unit) if moving.why_not(s, side, order) is None)
    order = next(legal, None)
    if order is None:
        return None
    written = [" ".join(order_words(s.board, move)) for move in (order, *mended_by(s, side, order))]
    return f"behind {listed([f'`{words}`' for words in written])}"


def _attacks(s: State, side: str, now: Step) -> Iterator[FormEntry]:
    """Who can attack whom, and on which side; before movement, as things stand."""
    for unit in combat.attackers(s, side):
        lines = []
        for target in combat.targets(s, unit):
            order = Attack(unit, (target,))
            lines.append((order_words(s.board, order), ": ".join([*_on(s, unit, target), tell_odds(s, order)])))
        yield FormEntry(s.board.does(unit, "attacks", "attack"), tuple(lines))
    if now != Step.ATTACK:
        note = "`attack U any` attacks whom the unit touches then; `attack U at V else W` names them by preference"
        yield FormEntry("Attacks after movement", (), (note,))
