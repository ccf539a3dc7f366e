"""The Great Campaigns by the second reading: random positions on small fields, and those of games over the shipped map.

Steps, zones, radius, values, dice and ways of retreat must be the same in both readings, for all units and hexes of a
position.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
import yaml
from golden import ROOT
from matches import scenario_of

from pbem.match.game import Game
from pbem.rules import gcacw
from pbem.rules.gcacw import combat, flanks, leaders, retreat, zones
from pbem.rules.gcacw.combat import Fight
from pbem.rules.gcacw.holds import closed, why_held
from pbem.rules.gcacw.orders import FallBack
from pbem.rules.gcacw.state import State
from pbem.rules.requests import Choose
from systems import gcacw as adapter
from systems import gcacw_slow as slow
from systems.gcacw_options import Reading, armies, land_on, orders
from systems.random_play import MORE, random_game

FIELDS = 120 * MORE
"""Random small fields."""

LOOKS = 8
"""Moments of a game that are looked at."""

FOLK = {
    "union": ("king", "ricketts", "schurz", "milroy", "buford", "ny-6", "waagner"),
    "confederate": ("hood", "ap-hill", "ewell-b", "evans", "f-lee", "va-2", "wilcox"),
}
"""The units of fields."""

LED = {
    "mcdowell": ("king", "ricketts"),
    "sigel": ("schurz", "milroy"),
    "pope": ("king", "buford"),
    "jackson": ("ap-hill", "ewell-b"),
    "longstreet": ("hood", "wilcox"),
    "lee": ("hood", "ap-hill"),
}
"""Leaders -> with whom they may be."""

SHOWN = (
    "ratio", "tactical", "flank", "crossing", "creek", "ridge", "mountain", "hill", "demoralised", "refused", "guns",
)  # fmt: skip
"""Modifiers that must have been compared often."""

KINDS = ("assault", "column", "hasty", "normal", "prepared")


@cache
def land_of(scenario: str) -> slow.Country:
    """The sheet of the map on which a scenario is played."""
    folder = ROOT / "scenarios" / "gcacw"
    sheet = yaml.safe_load((folder / f"{scenario}.yaml").read_text("utf-8"))["sheet"]
    data = yaml.safe_load((folder / "maps" / "virginia.yaml").read_text("utf-8"))
    return slow.country_of(data, range(24, 58) if sheet == "S" else range(1, 35))


# --- random fields ---------------------------------------------------------------------------------------------------


def number(column: int, row: int) -> str:
    return f"{column:02}{row:02}"


def field(chance: random.Random) -> dict[str, Any]:
    """A field of seven columns with rivers, ways and both armies in disorder."""
    columns, rows = 7, 6
    letters = [[chance.choice("......oowrhms") for _ in range(columns)] for _ in range(rows)]
    hexes = [(c, r) for c in range(1, columns + 1) for r in range(1, rows + 1)]
    pairs = [(a, b) for a in hexes for b in slow.around(a) if a < b and b in hexes]
    roads: dict[str, list[str]] = {}
    sides: dict[str, list[str]] = {}
    for a, b in pairs:
        if chance.random() < 0.25:
            kind = chance.choice(("creek", "minor_river", "minor_river", "major_river"))
            sides.setdefault(kind, []).append(f"{number(*a)}/{number(*b)}")
        if chance.random() < 0.1:
            foot, crest = chance.sample((a, b), 2)
            sides.setdefault("ridge", []).append(f"{number(*foot)}/{number(*crest)}")
        if chance.random() < 0.25:
            kind = chance.choice(("road", "pike", "railroad", "trail", "bridge", "ford", "ferry", "dam"))
            roads.setdefault(kind, []).append(f"{number(*a)} {number(*b)}")
    units = {}
    spots = chance.sample(hexes, 12)
    for side, where in (("union", spots[:6]), ("confederate", spots[6:])):
        for unit in FOLK[side]:
            words = [number(*chance.choice(where)), str(chance.choice((1, 2, 3, 5, 8, 13, 21)))]
            words += [*chance.choice(([], [], ["disorganised"])), f"F{chance.randrange(5)}"]
            words += chance.choice(([], [], [], ["demoralised", chance.choice("12")]))
            words += chance.choice(([], [], ["works", chance.choice("1234")]))
            units[unit] = " ".join(words)
    for leader, able in LED.items():
        units[leader] = units[chance.choice(able)].split()[0]
    return {
        "rows": [" ".join(row) for row in letters],
        "units": units,
        "roads": roads,
        "sides": sides,
        "choice": "union",
    }


def on_fields(what: str, count: int) -> Iterator[tuple[State, slow.Field, random.Random]]:
    """Random positions in both readings; some with bridges that were built."""
    for seed in range(count):
        chance = random.Random(f"{what} {seed}")
        p = field(chance)
        s = adapter.game_at(p).state
        rivers = [side for side in p["sides"].get("minor_river", ()) if chance.random() < 0.2]
        for side in rivers[:3]:
            s.build(side, chance.choice(("union", "confederate")))
        yield s, slow.field_of(land_on(p), armies(), gcacw.dump(s), {}), chance


def looks(what: str) -> Iterator[tuple[Game, slow.Field, random.Random]]:
    """Moments of random games of all scenarios, spread over them, at which somebody decides."""
    for game_number, scenario in product(range(MORE), adapter.BATTLES):
        chance = random.Random(f"{what} {scenario} {game_number}")
        play = random_game(adapter, scenario, "eager", 71 + game_number).play
        given = scenario_of(scenario).data["scenario"]
        fewer = {one["unit"]: int(one["artillery"]) for one in given["set-up"] if "artillery" in one}  # 13.3-sp4
        every = 5 if scenario == "stuarts-raid" else 60
        for seen, game in enumerate(node for node in play.nodes() if isinstance(node.request, Choose)):
            if seen % every == 0 and seen < every * LOOKS:
                s = game.state
                second = slow.field_of(land_of(scenario), armies(), gcacw.dump(s), dict(s.board.foreign))
                for counter in second.counters:
                    counter.artillery = fewer.get(counter.id, counter.artillery)
                yield game, second, chance


def in_games(what: str) -> Iterator[tuple[State, slow.Field, random.Random]]:
    """The positions of such moments."""
    yield from ((game.state, second, chance) for game, second, chance in looks(what))


def positions(what: str, count: int = FIELDS) -> Iterator[tuple[State, slow.Field, random.Random]]:
    yield from on_fields(what, count)
    yield from in_games(what)


def at(s: State, h: int) -> slow.Place:
    """A hex as the second reading has it."""
    return slow.place(s.board.label[h])


def hexes_near(s: State) -> list[int]:
    """The hexes within two of a counter."""
    near = s.board.ground.near
    first = {n for h in s.stands for n in (h, *near[h])}
    return sorted({n for h in first for n in (h, *near[h])})


# --- steps and zones -------------------------------------------------------------------------------------------------


@pytest.mark.clause(
    "std-6.1-2", "std-6.1-4", "std-6.1-5", "std-6.1-6", "std-6.1-7", "std-6.1-8", "std-6.2-2", "std-10.0-4"
)
def test_steps_cost_the_same() -> None:
    compared: Counter[bool] = Counter()
    for s, second, _ in positions("steps"):
        for side in ("union", "confederate"):
            for h in hexes_near(s):
                for n in s.board.ground.near[h]:
                    points = zones.points(s, side, h, n)
                    assert (None if points is None else Fraction(points, 2)) == second.step(side, at(s, h), at(s, n))
                    assert Fraction(zones.stacking(s, side, n), 2) == second.crowd(side, at(s, n))
                    compared[points is None] += 1
    assert min(compared.values()) > 1000, compared


@pytest.mark.clause("std-2.4-1", "std-2.4-2", "std-2.4-3", "std-2.4-4", "std-2.4-5", "std-2.4-10", "std-2.4-12")
def test_zones_of_control_are_the_same() -> None:
    compared: Counter[Any] = Counter()
    for n, (s, second, _) in enumerate(positions("zones")):
        every = n % 3 == 0
        s.options = s.options._replace(restricted_zones="stop" if every else "pass")
        by_id = {c.id: c for c in second.counters}
        for side in ("union", "confederate"):
            known = zones.zone(s, side)
            for h in hexes_near(s):
                assert {at(s, other) for other in known.get(h, ())} == second.controllers(side, at(s, h))
                assert zones.in_zone(s, s.board.enemy[side], h, friends=True) == second.menaced(
                    second.foe(side), at(s, h)
                )
            for unit in s.own(side):
                for h in (s.at[unit], *s.board.ground.near[s.at[unit]]):
                    if s.holder(h) != s.board.enemy[side]:
                        stopped = zones.stops(s, unit, h)
                        assert stopped == second.stops(by_id[unit], at(s, h), all_zones=every), (unit, s.board.place(h))
                        compared[stopped, bool(second.controllers(second.foe(side), at(s, h)))] += 1
    assert min(compared[key] for key in ((True, True), (False, True), (False, False))) > 150, compared


# --- leaders ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-2.5-1", "std-2.5-2", "std-2.5-3", "std-3.0-2", "std-3.0-3")
def test_radius_and_transfers_are_the_same() -> None:
    compared: Counter[tuple[str, bool]] = Counter()
    for s, second, _ in positions("leaders"):
        by_id = {c.id: c for c in second.counters}
        for side in ("union", "confederate"):
            for leader in s.leaders(side):
                for unit in s.own(side):
                    near = leaders.in_radius(s, leader, unit)
                    assert near == second.reaches(by_id[leader], by_id[unit], 3), (leader, unit)
                    compared["radius", near] += 1
                    if s.board.together is not None and leader in s.board.together:
                        continue
                    goes = leaders.why_not_hop(s, leader, unit) is None
                    could = by_id[leader].commands(by_id[unit]) and second.reaches(by_id[leader], by_id[unit], 10)
                    assert goes == could, (leader, unit)
                    compared["hop", goes] += 1
    assert min(compared.values()) > 300, compared


# --- combat ----------------------------------------------------------------------------------------------------------


def fights(s: State, chance: random.Random) -> Iterator[Fight]:
    """Fights that could come up: one unit against a hex beside it, and several, also of several hexes."""
    for side in ("union", "confederate"):
        for target in sorted({s.at[unit] for unit in s.own(s.board.enemy[side])}):
            beside = [
                unit
                for unit in s.own(side)
                if target in s.board.ground.near[s.at[unit]]
                and zones.is_open(s, side, s.at[unit], target)
                and unit not in s.demoralised
            ]
            groups = {(unit,) for unit in beside} | {tuple(beside)}
            groups |= {tuple(sorted(chance.sample(beside, chance.randint(1, len(beside))))) for _ in beside}
            for group in sorted(group for group in groups if group):
                one_hex = len({s.at[unit] for unit in group}) == 1
                kind = chance.choice(KINDS) if one_hex and len(group) == 1 else "assault"
                yield Fight(side, target, group, kind, kind == "assault" and chance.random() < 0.5)


@pytest.mark.clause(
    "std-7.2-1", "std-7.2-2", "std-7.3-1", "std-7.3-3", "std-7.4-1", "std-7.4-2", "std-7.4-3", "std-7.4-4", "std-7.4-5",
    "std-7.4-6",
    "std-7.4-7", "std-7.4-8", "std-7.4-9", "std-7.4-11", "std-7.4-12", "std-7.4-13", "std-7.4-14", "std-9.0-6",
    "std-9.0-8",
)  # fmt: skip
def test_values_and_modifiers_of_fights_are_the_same() -> None:
    seen: Counter[str] = Counter()
    for s, second, chance in positions("fights"):
        by_id = {c.id: c for c in second.counters}
        for f in fights(s, chance):
            those = [by_id[unit] for unit in f.units]
            odds = combat.values(s, f)
            found = (Fraction(odds.attacker, 2), Fraction(odds.defender, 2), odds.entrenched / 2)
            assert found == second.values(those, at(s, f.at)), f
            for refused in (True, False):
                mods = combat.modifiers(s, f._replace(refused=refused))
                sums = tuple(sum(m.points for m in mods if m.of == of) for of in (combat.ATTACKER, combat.DEFENDER))
                assert sums == second.dice(those, at(s, f.at), f.kind, f.commander, refused), (f, mods)
                seen.update(m.name for m in mods)
            difference, cell = second.guns(those, at(s, f.at))
            guns = combat.guns(s, f)
            cells = str(guns.points) if guns.points == guns.otherwise else f"{guns.points}?{guns.otherwise}"
            assert (guns.difference, cells) == (difference, cell), f
            seen["guns"] += guns.points != 0
    assert min(seen[name] for name in SHOWN) > 20, seen


@pytest.mark.clause("std-7.8-1")
def test_whose_flanks_may_be_refused_is_the_same() -> None:
    judged: Counter[bool] = Counter()
    for s, second, chance in positions("refused", 3 * FIELDS):
        s.options = s.options._replace(flanks_refused="yes")
        for f in fights(s, chance):
            behind = combat.values(s, f).entrenched
            found = second.cover(f.side, at(s, f.at), behind / 2)
            assert flanks.bonus(s, f, behind) == found
            able = second.refusing(at(s, f.at), s.board.enemy[f.side]) if found else []
            question = next(flanks.refuse(s, f, found), None)
            assert [*question.about] == able if isinstance(question, Choose) else not able, f
            judged[bool(able)] += 1
    assert min(judged.values()) >= 100, judged


# --- retreat ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-7.6-1", "std-7.6-2", "std-7.6-4", "std-7.6-5", "std-7.6-8")
@pytest.mark.parametrize(("why", "least", "most", "count"), [("retreat", 2, 4, 60), ("rout", 4, 6, 12)])
def test_ways_of_retreat_are_the_same(why: str, least: int, most: int, count: int) -> None:
    judged: Counter[bool] = Counter()
    for s, second, chance in on_fields(why, count * MORE):
        for side in ("union", "confederate"):
            for start in sorted({s.at[unit] for unit in s.own(side)})[:2]:
                away = [h for h in s.board.ground.near[start] if s.holder(h) == s.board.enemy[side]]
                if not away:
                    continue
                f = retreat.flight(s, start, side, away, why)
                begin, foes = at(s, start), [at(s, h) for h in away]
                assert retreat.can_retreat(s, f) == bool(second.legal(side, (begin,), set()))
                if not retreat.can_retreat(s, f):
                    continue
                for hexes in range(least, most + 1):
                    way = tuple(at(s, h) for h in retreat.default_way(s, f, hexes))
                    assert way == second.default_way(side, begin, foes, hexes, least, set())
                for _ in range(12):
                    path = wander(s, side, start, chance.randint(least - 1, most), chance)
                    legal = retreat.why_not(s, f, FallBack(path)) is None
                    theirs = (begin, *(at(s, h) for h in path))
                    assert legal == second.may_retreat(side, theirs, least, most, set()), (side, theirs)
                    judged[legal] += 1
    assert min(judged.values()) >= 20, judged


def wander(s: State, side: str, start: int, hexes: int, chance: random.Random) -> tuple[int, ...]:
    """A way of so many steps, mostly over hexsides that can be crossed, seldom back."""
    path = [start]
    for _ in range(hexes):
        steps = [h for h in zones.near(s, side, path[-1]) if s.holder(h) != s.board.enemy[side] and h not in path]
        path.append(chance.choice(steps if steps and chance.random() < 0.95 else s.board.ground.near[path[-1]]))
    return tuple(path[1:])


# --- what may be ordered ---------------------------------------------------------------------------------------------


def named(game: Game) -> list[tuple[str, ...]]:
    """What the rules offer, in the second reading's words, hexes numbered through both sheets."""
    label, request = {*game.board.label.values()}, game.request
    assert isinstance(request, Choose)
    found = (gcacw.order_words(game.board, order) for order in request.options())
    plain = (tuple(number(*slow.place(word)) if word in label else word for word in words) for words in found)
    return sorted(map(adapter.shortened, plain))


@pytest.mark.clause(
    "std-5.2-1", "std-5.3-1", "std-5.3-2", "std-7.1-6", "std-7.1-7", "std-3.0-2", "std-9.0-1", "std-10.0-1",
)  # fmt: skip
@pytest.mark.parametrize(
    ("phase", "wanted"),
    [
        ("cycle", ("march", "activate", "assault", "grand")),
        ("transfer", ("transfer",)),
        ("recovery", ("entrench", "bridge")),
    ],
)
def test_the_same_may_be_ordered(phase: str, wanted: tuple[str, ...]) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(60 * MORE):
        chance = random.Random(f"{phase} {seed}")
        p = field(chance)
        side = chance.choice(("union", "confederate"))
        p |= {"choice": side} if phase == "cycle" else {"choice": None, "phase": f"{side}-{phase}"}
        theirs = sorted(Reading(p).answers())
        if len(theirs) > 1:  # else nobody is asked
            assert named(adapter.game_at(p)) == theirs, p
        kinds.update(words[0] for words in theirs)
    assert all(kinds[kind] >= 15 for kind in wanted), kinds


@pytest.mark.clause("std-2.4-6", "std-5.2-1", "std-6.3-1")
def test_the_same_may_be_ordered_on_the_map() -> None:
    """Behind the first turn, whose scenarios have rules of their own: the held count as spent; without raids and rails,
    and without those to whom hexes are closed."""
    compared: Counter[str] = Counter()
    for game, second, _ in looks("ordered"):
        s, request = game.state, game.request
        assert isinstance(request, Choose)
        if request.kind != "action" or s.turn == 1 or s.board.together is not None:
            continue
        held = {one for one in s.at if why_held(s, one) is not None}
        apart = held | {one for one in s.at if closed(s, one)}
        for counter in second.counters:
            counter.fatigue = 4 if counter.id in held else counter.fatigue
        found = orders(second, request.side, s.options.restricted_zones == "stop")
        ours, theirs = (
            {words for words in those if words[0] not in ("raid", "rail") and apart.isdisjoint(words)}
            for those in (named(game), found)
        )
        assert ours == theirs, (sorted(ours - theirs)[:3], sorted(theirs - ours)[:3])
        compared.update(words[0] for words in ours)
    assert min(compared["march"], compared["activate"]) >= 500, compared


def test_a_difference_is_noticed() -> None:
    """One man in each unit parts the readings: else they would compare nothing."""
    parted = 0
    for s, second, _ in on_fields("unlike", 12):
        s.options = s.options._replace(restricted_zones="pass")
        for counter in second.counters:
            counter.manpower = 1 if counter.manpower else 0
        by_id = {c.id: c for c in second.counters}
        every = [(unit, h) for side in s.board.side for unit in s.own(side) for h in s.board.ground.near[s.at[unit]]]
        parted += any(
            zones.stops(s, unit, h) != second.stops(by_id[unit], at(s, h), all_zones=False) for unit, h in every
        )
    assert parted >= 4
