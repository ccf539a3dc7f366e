"""What the dice of an order may bring: points and how far they lead, strain, kinds of attack, results of a combat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from pbem.records import NamedTuple
from pbem.rules.fates import NO_EFFECT, odds
from pbem.rules.gcacw.assault import assault_number
from pbem.rules.gcacw.board import UNION
from pbem.rules.gcacw.brought import BY_NUMBER, chances, foraged, of_points, pairs, strain_words
from pbem.rules.gcacw.halves import half
from pbem.rules.gcacw.march import allowance, way_cost
from pbem.rules.gcacw.may_march import EXTENDED
from pbem.rules.gcacw.orders import Activate, Assault, Bridge, Forage, Grand, March, Order, Rail
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.supply import added, forage_number
from pbem.rules.gcacw.tables import ATTACKS, Allowance, Strain, cell_of
from pbem.rules.gcacw.trial import Course, courses
from pbem.rules.kit.throws import Shares
from pbem.rules.requests import Standing
from pbem.words import listed, per_cent

__all__ = [
    "CLASSES",
    "Results",
    "allowance_of",
    "dice_words",
    "in_short",
    "known_courses",
    "results",
    "summed",
    "tell_odds",
]

SURE = "for sure"

ONE_BY_ONE, TOGETHER = 4, 2
"""So many hexes short of the way are told one by one, of a march and of each of several that are led together."""

UNKNOWN = "what comes of it hangs on too many dice to be told in short: `pbem odds` plays it out"


class Results(NamedTuple):
    """What the combats of an order may bring: their share of all courses, and of these each side's cells as printed.

    Only first combats are counted: what is behind one hangs on it. The means are of manpower lost by the chart.
    """

    share: Fraction
    attacker: Shares
    defender: Shares
    attacker_loses: Fraction
    defender_loses: Fraction


# --- what is counted --------------------------------------------------------------------------------------------------


def allowance_of(s: State, order: March | Activate) -> Allowance:
    """The dice of a march or an activation (std-5.1-2, std-5.2-2)."""
    return allowance(s, order.unit) if isinstance(order, March) else allowance(s, order.marches[0].unit, led=True)


def known_courses(s: State, order: Order, standing: Standing | None = None) -> list[Course] | None:
    """The courses of an order, kept where only the rules answer."""
    if any((standing or {}).values()):
        return courses(s, order, standing)
    key = ("courses", order, s.turn, tuple(sorted(s.fatigue.items())))
    if key not in s.memo:
        s.memo[key] = courses(s, order)
    found: list[Course] | None = s.memo[key]
    return found


def results(s: State, found: Iterable[Course]) -> Results:
    """The results of the combats to which courses come, over kinds, dice and the artillery's die."""
    share = Fraction(0)
    cells: tuple[dict[str, Fraction], dict[str, Fraction]] = ({}, {})
    lost = [Fraction(0), Fraction(0)]
    for course in found:
        for facts in course.facts("fight"):
            share += course.share
            most = [_manpower(s, course, those) for those in ((facts["unit"], *facts["with"]), facts["targets"])]
            for pair, part in pairs(s.board, facts).items():
                for n, cell in enumerate(pair):
                    cells[n][cell] = cells[n].get(cell, Fraction(0)) + course.share * part
                    lost[n] += course.share * part * min(cell_of(cell).loss, most[n])
    if not share:
        return Results(share, {}, {}, share, share)
    attacker, defender = ({cell: of / share for cell, of in found.items()} for found in cells)
    return Results(share, attacker, defender, lost[0] / share, lost[1] / share)


def _manpower(s: State, course: Course, units: Iterable[str]) -> int:
    """The manpower that units have in the combat of a course."""
    those = {*units}
    before: int = sum(facts["points"] for facts in course.facts("loss") if facts["unit"] in those)
    return sum(s.manpower[unit] for unit in those) - before


def summed(found: Iterable[tuple[str, Fraction]]) -> Shares:
    """The shares of what is called alike, the most frequent first."""
    sums: dict[str, Fraction] = {}
    for what, share in found:
        sums[what] = sums.get(what, Fraction(0)) + share
    return dict(sorted(sums.items(), key=lambda one: -one[1]))


# --- in words ---------------------------------------------------------------------------------------------------------


def tell_odds(s: State, order: Order, standing: Standing | None = None) -> str:
    """What a legal order's dice may bring, with chances; "" for an order without dice, and for answers.

    Of several combats the first alone is counted; who is asked answers by standing orders, else as the rules have it.
    """
    if isinstance(order, Forage):
        return "; ".join(_forage(s, order))
    if not isinstance(order, March | Activate | Assault | Grand | Rail | Bridge):
        return ""
    if isinstance(order, Bridge):
        return _bridge(s, order)
    if isinstance(order, Rail) and not _strained(s, order.unit):
        return ""
    found = known_courses(s, order, standing)
    begins = f"{dice_words(allowance_of(s, order))}: " if isinstance(order, March | Activate) else ""
    if found is None:
        return f"{begins}{UNKNOWN}"
    return begins + "; ".join(part for part in _parts(s, order, found) if part)


def _bridge(s: State, order: Bridge) -> str:
    number = s.board.tables.bridge[s.board.units[order.unit].side]
    return odds(chances(s.board, "bridge", {"number": number}))


def _forage(s: State, order: Forage) -> Iterator[str]:
    """The chances of each unit that forages; with dispersal those before it count (20.4-6, 20.4-opt)."""
    before = {*s.foraged}
    for unit in order.units:
        number = forage_number(s, unit)
        told = odds(foraged(number, s.fatigue.get(unit, 0) + added(s, unit, before)))
        yield f"{unit} {told}" if len(order.units) > 1 else told
        before.add(unit)


def _strained(s: State, unit: str) -> bool:
    """Whether a unit's next action, if it is a march, is an extended one (std-5.1-5)."""
    return s.fatigue.get(unit, 0) + 1 >= EXTENDED


def dice_words(dice: Allowance) -> str:
    """`1d6+1 points, 2 to 7`; of a paralysed command `1d6+1-2 points, 1 to 5`."""
    found = [*of_points(dice)]
    more = (f"+{dice.more}" if dice.more else "") + (f"-{dice.less}" if dice.less else "")
    dice_figure, first_figure, last_figure = dice.dice, found[0], found[-1]
    return f"{dice_figure}d6{more} points, {first_figure} to {last_figure}"


def _parts(s: State, order: Order, found: Sequence[Course]) -> Iterator[str]:
    """What is told of all courses, part by part."""
    match order:
        case March():
            yield from _march(s, order, found)
        case Activate():
            for one in order.marches:
                few = ONE_BY_ONE if len(order.marches) == 1 else TOGETHER
                mates = [other.unit for other in order.marches if s.at[other.unit] == s.at[one.unit]]  # std-6.2-3
                told = [part for part in _march(s, one, found, few, mates) if part]
                if told and len(order.marches) > 1:
                    yield f"{one.unit} {', '.join(told)}"
                else:
                    yield from told
        case Assault() | Grand():
            yield _strains([unit for unit in _taking_part(order) if _strained(s, unit)], found)
            yield _gone(found)
            yield _number(s, order)
        case Rail():
            yield _strains([order.unit], found)
    yield _fights(s, found)


def _taking_part(order: Assault | Grand) -> tuple[str, ...]:
    return order.units if isinstance(order, Assault) else (*order.first, *order.others)


def _march(
    s: State, order: March, found: Sequence[Course], most: int = ONE_BY_ONE, mates: Sequence[str] = ()
) -> Iterator[str]:
    """A march: strain, how far it comes, with so many hexes one by one, what it attacks by which kind.

    Its `mates` cost it no stacking.
    """
    if _strained(s, order.unit):
        yield _strains([order.unit], found)
    if order.path:
        yield _ends(s, order, found, most, mates)
    elif order.strike is None:
        yield "it stays where it is"
    if order.force:
        forced = sum(c.share for c in found if any(f["unit"] == order.unit for f in c.facts("forced")))
        share = per_cent(forced, 1)
        yield f"force marches {share}" if forced else "never needs to force march"
    yield _gone(found, order.unit)
    if order.strike is not None:
        yield _kinds(order, found)


def _strains(units: Sequence[str], found: Sequence[Course]) -> str:
    """What an extended march brings each of these units."""
    told: dict[str, list[str]] = {}
    for unit in units:
        shares = [(_strain(f), c.share) for c in found for f in c.facts("extended") if f["unit"] == unit]
        among = sum(share for _, share in shares)
        if among:
            sums = summed((what, share / among) for what, share in shares)
            ranked = sorted(sums, key=lambda what: (what != NO_EFFECT, len(what), what))
            told.setdefault(odds({what: sums[what] for what in ranked}), []).append(unit)
    if len(units) > 1:
        return "; ".join(f"extended march of {', '.join(who)}: {what}" for what, who in told.items())
    return "; ".join(f"extended march: {what}" for what in told)


def _strain(facts: Mapping[str, Any]) -> str:
    return strain_words(Strain(facts["disorganised"], facts["loss"]), facts["manpower"], was=facts["was"])


def _ends(s: State, order: March, found: Sequence[Course], most: int, mates: Sequence[str]) -> str:
    """Where a march ends: at the end of its way, or else short of it, so many hexes told one by one.

    Of a way for which no dice bring the points it is told what it costs.
    """
    unknown, lost = Fraction(0), Fraction(0)
    ends: dict[int, Fraction] = {}
    for course in found:
        marches = [facts for facts in course.facts("march") if facts["unit"] == order.unit]
        if marches and not any(facts.get("lost") for facts in marches):  # the second follows cavalry that has gone back
            steps = sum(len(facts["path"]) for facts in marches)
            ends[steps] = ends.get(steps, Fraction(0)) + course.share
        elif not marches and course.facts("fight"):
            unknown += course.share
        else:
            lost += course.share
    if unknown:
        share = per_cent(unknown, 1)
        return (
            f"how far it comes hangs on the combat before it ({share})"
            if unknown < 1
            else "how far it comes hangs on the combat before it"
        )
    hex_place, back = s.board.place(order.path[-1]), order.path[-1] == s.at[order.unit]
    whole, stays = ends.pop(len(order.path), Fraction(0)), ends.pop(0, Fraction(0))
    told = []
    if whole:
        share = _share(whole)
        told.append(f"back to {hex_place} {share}" if back else f"to {hex_place} {share}")
    told += _short(s, order, ends, most)
    if stays:
        share = _share(stays)
        told.append(f"it stays {share}")
    if lost:
        share = _share(lost)
        told.append(f"lost on the way {share}")
    if whole:
        return ", ".join(told)
    price = way_cost(s, order.unit, s.at[order.unit], order.path, mates)
    most = max((2 * facts["points"] for course in found for facts in course.facts("allowance")), default=price)
    never = f"never back to {hex_place}" if back else f"never to {hex_place}"
    if price > most:  # else something on the way stops it
        figure = half(price)
        never = (
            f"never back to {hex_place}, {figure} points away"
            if back
            else f"never to {hex_place}, {figure} points away"
        )
    return ", ".join([*told, never])


def _share(share: Fraction) -> str:
    return SURE if share == 1 else per_cent(share, 1)


def _short(s: State, order: March, ends: Mapping[int, Fraction], most: int) -> Iterator[str]:
    """Where a march ends short of its way, the farthest first, hexes of one share together.

    `as far as A, B or C, each 16.7 %`; of more than so many hexes the nearest and the farthest alone.
    """
    far = {steps: _at(s, order, steps) for steps in sorted(ends, reverse=True)}
    if len(far) > most:
        farthest, *_, nearest = far.values()
        share = _share(sum(ends.values(), Fraction(0)))
        yield f"as far as {nearest} to {farthest} {share}"
        return
    for part, those in groupby(far, lambda steps: ends[steps]):
        places, share = [far[steps] for steps in those], _share(part)
        yield (
            f"as far as {listed(places, 'or')}, each {share}" if len(places) > 1 else f"as far as {places[0]} {share}"
        )


def _at(s: State, order: March, steps: int) -> str:
    """The hex that a march has come to with so many steps."""
    h = order.path[steps - 1]
    return f"{s.board.place(h)} on the way back" if h in order.path[: steps - 1] else s.board.place(h)


def _gone(found: Sequence[Course], unit: str = "") -> str:
    """How likely cavalry goes back before a march or an assault, and what that takes."""
    going = sum(c.share for c in found if any(not unit or unit in f["against"] for f in c.facts("evade")))
    share = per_cent(going, 1)
    return f"cavalry goes back before it {share}" if going else ""


def _kinds(order: March, found: Sequence[Course]) -> str:
    """By which kind it attacks, the best first, and how likely it doesn't."""
    shares: dict[str, Fraction] = {}
    for course in found:
        fights = [facts for facts in course.facts("fight") if facts["unit"] == order.unit]
        kind = str(fights[0]["kind"]) if fights else "no attack"
        shares[kind] = shares.get(kind, Fraction(0)) + course.share
    ranked = {kind: shares[kind] for kind in (*reversed(ATTACKS), "no attack") if kind in shares}
    return "never an attack" if [*ranked] == ["no attack"] else f"attack {odds(ranked)}"


def _number(s: State, order: Assault | Grand) -> str:
    """The numbers of an assault and of further hexes."""
    leader, units = (order.leader, order.units) if isinstance(order, Assault) else (order.chief, order.first)
    number = assault_number(s, leader, len(units))
    told = f"assault number {number}: {_met('assault-roll', number)}"
    if isinstance(order, Grand):
        joining = s.command_value(order.leader)
        more = f"each further hex by {joining} or less: {_met('joins', joining)}"
        return f"{told}; {more}"
    return told


def _met(what: str, number: int) -> str:
    share = Fraction(max(0, min(6, number)), 6)
    return f"{BY_NUMBER[what][0]} {SURE if share == 1 else per_cent(share, 1)}"


def _fights(s: State, found: Sequence[Course]) -> str:
    """The results of the first combat of all courses."""
    fought = results(s, found)
    if not fought.share:
        return ""
    enemy, own = _classed(fought.defender), _classed(fought.attacker)
    advance = sum(share for cell, share in fought.attacker.items() if cell_of(cell).move == "a")
    lost, own_lost, share = _mean(fought.defender_loses), _mean(fought.attacker_loses), per_cent(advance, 1)
    first = f"enemy {odds(enemy)}, loses {lost} on average"
    if fought.share < 1:
        first = f"then enemy {odds(enemy)}, loses {lost} on average"
    behind = f"own {odds(own)}, loses {own_lost}"
    if advance:
        behind = f"own {odds(own)}, loses {own_lost}, may advance {share}"
    return _with_panic(s, f"{first}; {behind}", found, fought, 1)


def _with_panic(s: State, told: str, found: Iterable[Course], fought: Results, digits: int) -> str:
    """What is told, and how likely the first combat sends the Union into panic, once in a campaign (18.0-1, 18.0-2)."""
    if s.board.advanced is None or s.panic:
        return told
    side = next(facts["side"] for course in found for facts in course.facts("fight"))
    cells = fought.attacker if side == UNION else fought.defender
    panics = sum(of for cell, of in cells.items() if cell_of(cell).panic)
    share = per_cent(panics, digits)
    return f"{told}, the {s.board.side[UNION].title} panics {share}" if panics else told


def in_short(s: State, order: March) -> str:
    """The same of a march that attacks, in few words: how likely it attacks, how likely the enemy goes back, losses."""
    found = known_courses(s, order) or ()
    fought = results(s, found)
    if not fought.share:
        return _gone(found, order.unit) or "never an attack"
    back = sum(share for cell, share in fought.defender.items() if cell_of(cell).move)
    share, back_share = per_cent(fought.share, 0), per_cent(back, 0)
    lost, own_lost = _mean(fought.defender_loses), _mean(fought.attacker_loses)
    told = f"attacks {share}; then enemy driven back {back_share}, loses {lost}; own loses {own_lost} on average"
    return _with_panic(s, told, found, fought, 0)


def _mean(number: Fraction) -> str:
    """A mean with one digit behind the point."""
    return f"{float(number):.1f}".removesuffix(".0")


CLASSES = (NO_EFFECT, "losses alone", "tired", "disorganised", "retreats", "routs")
"""What a result is called in short, by the worst that it brings (std-7.5)."""


def class_of(text: str) -> str:
    """What the result of a cell is called in short."""
    cell = cell_of(text)
    if cell.move in ("r", "R"):
        return CLASSES[5 if cell.move == "R" else 4]
    if cell.state:
        return CLASSES[3 if cell.state == "D" else 2]
    return CLASSES[1 if cell.loss else 0]


def _classed(shares: Shares) -> Shares:
    """The shares of results by what they are called in short."""
    sums = summed((class_of(cell), share) for cell, share in shares.items())
    return {name: sums[name] for name in CLASSES if name in sums}
