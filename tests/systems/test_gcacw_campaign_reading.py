"""The campaigns by the second reading of their chapters: positions of random games and of the computer player's.

Positions are also stirred: stations hurt, depots gone, units out of supply, tired, merged with others. What phases do
is compared by running them on copies.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import pytest
import yaml
from golden import ROOT

from pbem.maps.hexes import Hex
from pbem.match.game import Game
from pbem.rules import gcacw
from pbem.rules.gcacw import (
    actions,
    arrivals,
    bot,
    combat,
    events,
    holds,
    leaders,
    march,
    may_march,
    panic,
    recovery,
    substitutes,
    supply,
    victory,
    zones,
)
from pbem.rules.gcacw.orders import Detach, Feed, March
from pbem.rules.gcacw.state import State
from pbem.rules.requests import Choose, Roll, Tell
from systems import gcacw as adapter
from systems import gcacw_slow as slow
from systems import gcacw_slow_campaign as second
from systems.gcacw_options import armies
from systems.gcacw_slow import Place
from systems.gcacw_slow_campaign import Camp
from systems.random_play import MORE, Play, board_of, random_game
from systems.test_gcacw_reading import fights, hexes_near, on_fields

SIDES = ("union", "confederate")
EVERY = 12
"""Of so many decisions of a game one is looked at."""


class Look(NamedTuple):
    """A moment of a game: its state, where Confederate units have been, and what is asked."""

    state: State
    entered: frozenset[Place]
    request: Choose


ARMIES = armies()


@cache
def data_of(scenario: str) -> Any:
    """The data of a scenario's file, or of the map's."""
    return yaml.safe_load((ROOT / "scenarios" / "gcacw" / f"{scenario}.yaml").read_text("utf-8"))


@cache
def ground() -> tuple[slow.Country, Mapping[Place, str]]:
    """The ground, and the counties."""
    return second.country_of(data_of("maps/virginia")), second.counties_of(data_of("maps/virginia"))


def camp_of(s: State) -> Camp:
    """A position in the second reading's words."""
    set_up = {one["unit"]: one["at"] for one in data_of(s.board.scenario)["set-up"]}
    return second.camp_of(*ground(), ARMIES, {**gcacw.dump(s), "set-up": set_up})


def at(s: State, h: Hex) -> Place:
    return slow.place(s.board.label[h])


# --- positions of games -----------------------------------------------------------------------------------------------


def played(scenario: str, who: str, number: int) -> Play:
    """A game of random players, or of the computer player."""
    if who != "bots":
        return random_game(adapter, scenario, who, 400 + number).play
    board = board_of(scenario)
    options = adapter.options_for(board, number)

    def choose(s: State, request: Choose, chance: random.Random) -> Any:
        return bot.advise(s, request, chance)

    most = board.turns * adapter.ACTS * len(board.units) + 100
    return Play(
        lambda hear: Game.new(gcacw, board, options, hear),
        dict.fromkeys(SIDES, choose), random.Random(f"{scenario} bots {number}"), most,
    )  # fmt: skip


class Steps:
    """Where Confederate units have come, as it was told."""

    def __init__(self, s: State) -> None:
        self.units = s.board.units
        self.entered: set[Place] = set()

    def hear(self, tell: Tell) -> None:
        """A way that was gone, or where units were placed."""
        facts = tell.facts
        who = facts.get("units") or [facts.get("unit")]
        if tell.what not in ("march", "retreat", "advance", "reinforcements"):
            return
        if self.units[who[0]].side == "confederate":
            hexes = [facts["at"]] if tell.what == "reinforcements" else facts.get("path") or [facts.get("to")]
            self.entered |= {slow.place(h) for h in hexes if h}


@cache
def looks() -> tuple[Look, ...]:
    """Moments of games of both campaigns."""
    found: list[Look] = []
    short, long = adapter.CAMPAIGNS
    players = [*product(adapter.CAMPAIGNS, ("sampled", "eager")), (short, "bots"), *[(long, "bots")] * (MORE > 1)]
    for number, (scenario, who) in product(range(MORE), players):
        play = played(scenario, who, number)
        steps, heard = Steps(play.game.state), 0
        for seen, game in enumerate(node for node in play.nodes() if isinstance(node.request, Choose)):
            for tell in play.told[heard:]:
                steps.hear(tell)
            heard = len(play.told)
            request = game.request
            assert isinstance(request, Choose)
            if (seen % EVERY == 0 or request.kind in ("reinforcements", "attachment")) and not request.reaction:
                found.append(Look(gcacw.copy(game.state), frozenset(steps.entered), request))
    return tuple(found)


def run(activity: Any, chance: random.Random) -> tuple[list[Tell], list[int], list[Any]]:
    """What an activity tells, with dice and answers at random; the dice; the answers with their questions."""
    told, dice, answers, answer = [], [], [], None
    try:
        while True:
            request = activity.send(answer)
            answer = None
            if isinstance(request, Tell):
                told.append(request)
            elif isinstance(request, Roll):
                answer = tuple(chance.randint(1, request.sides) for _ in range(request.dice))
                dice += answer
            else:
                answer = request.sample(chance)
                answers.append((request, answer))
    except StopIteration:
        return told, dice, answers


def stirred(look: Look, chance: random.Random) -> State:
    """The state of a look with much otherwise than it came: what hangs on it must be judged in both readings alike."""
    s = gcacw.copy(look.state)
    s.turn = chance.randint(2, s.board.turns)
    for h in s.board.stations:
        if chance.random() < 0.25:
            s.station[h] = chance.choice((1, 1, 2))
    s.depots -= {label for label in sorted(s.depots) if chance.random() < 0.3 and label not in ("N5809", "N5810")}
    on_depots(s, chance)
    for unit in s.manpower:
        s.tire(unit, chance.choice((0, 0, 1, 2, 3, 4)))
        (s.disorganise if chance.random() < 0.4 else s.organise)(unit)
        if chance.random() < 0.4:
            s.hungry.add(unit)
        if chance.random() < 0.2:
            s.demoralise(unit, chance.choice((1, 2)))
        if chance.random() < 0.2:
            chance.choice((s.worked, s.foraged)).add(unit)
        if chance.random() < 0.1:
            s.manpower[unit] = 1
        if chance.random() < 0.3:
            s.works[unit] = chance.randint(1, 4)
    s.acted = {unit for unit in second.AUTOMATIC if chance.random() < 0.5}
    s.paralysed = {side for side in SIDES if chance.random() < 0.3}
    s.panic = chance.choice((0, 0, max(1, s.turn - chance.randint(0, 3))))
    parted(s, chance)
    s.weather(chance.choice((0, s.turn, s.turn + 1)))
    return s


def on_depots(s: State, chance: random.Random) -> None:
    """Put some Confederates where a depot of the Union is, where no Union unit is."""
    for label in ("S4101", "S5021"):
        h = s.board.parse(label)
        if s.holder(h) != "union":
            able = [unit for unit in s.own("confederate") if s.board.units[unit].infantry]
            for unit in chance.sample(able, min(len(able), chance.randint(0, 4))):
                s.put(unit, h)


def parted(s: State, chance: random.Random) -> None:
    """Detach substitutes of some units, and put some units together that may merge."""
    for unit in [*s.manpower]:
        free = substitutes.free_substitutes(s, unit)
        if free and s.manpower[unit] > 1 and chance.random() < 0.2:
            men = chance.randint(1, min(s.manpower[unit] - 1, substitutes.most_of(s, free[0])))
            run(substitutes.detach(s, unit, Detach(free[0], men), fatigue=chance.randrange(4)), chance)
    for side in SIDES:
        small = [u for u in s.own(side) if second.substitute(u) or u in (*second.BRIGADES, "evans")]
        small += [u for u in s.own(side) if u in (*second.FOOT_REGIMENTS, *second.HORSE_REGIMENTS)]
        for unit in small:
            if chance.random() < 0.7:
                s.put(unit, s.at[chance.choice(s.own(side))])


def positions(what: str) -> Iterator[tuple[State, Camp, random.Random]]:
    """Each look as it came, and stirred."""
    for number, look in enumerate(looks()):
        chance = random.Random(f"{what} {number}")
        yield look.state, camp_of(look.state), chance
        s = stirred(look, chance)
        yield s, camp_of(s), chance


def test_the_looks_are_of_all_kinds() -> None:
    kinds = Counter(look.request.kind for look in looks())
    assert min(kinds[kind] for kind in ("action", "recovery", "transfer", "attachment", "reinforcements")) >= 3, kinds
    assert len(looks()) >= 250


# --- supply -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause(
    "20.3-0", "20.3-1", "20.3-2", "20.3-c1", "20.3-c2", "20.3-c3", "20.3-c4", "20.3-c5", "20.3-u1", "20.3-u3",
    "20.3-u4", "20.3-u5", "20.3-u6", "20.3-u9", "20.3-u10", "22.1-sp3b2", "22.1-sp3e2",
)  # fmt: skip
def test_supply_is_judged_alike() -> None:
    judged: Counter[Any] = Counter()
    for s, camp, chance in positions("status"):
        fed = camp.feeds()
        for unit in s.own("union"):
            assert bool(supply.union_supplied(s, unit)) == bool(fed.how[unit]), unit
        twin = gcacw.copy(s)
        _, _, answers = run(supply.status(twin), chance)
        asked = {frozenset(request.about): (request, answer) for request, answer in answers if request.kind == "feed"}
        how = dict(fed.how)
        for there in fed.depots.values():
            chosen = camp.first_fed(there)
            if len(there) > 2:
                request, answer = asked.pop(frozenset(there))
                assert request.default() == Feed(tuple(chosen))
                chosen = [*answer.units]
                judged["asked"] += 1
            how |= dict.fromkeys(chosen, "depot")
        assert not asked
        hungry, men, loose = camp.judged(how)
        assert (twin.hungry, twin.manpower, twin.disorganised) == (hungry, men, loose)
        judged.update((side, how[unit], unit in s.hungry) for side in SIDES for unit in s.own(side))
    ways = {"union": ("free", "county", ""), "confederate": ("depot", "county", "")}
    few = {key: judged[key] for side in SIDES for key in product((side,), ways[side], (False, True))}
    assert min(few.values()) >= 20, few
    assert judged["asked"] >= 5


@pytest.mark.clause("20.5-3", "20.5-4", "20.5-5", "20.5-6", "20.5-7", "20.5-2", "std-8.0-2", "std-8.0-3", "std-8.0-4")
def test_want_and_rest_do_the_same() -> None:
    changed: Counter[str] = Counter()
    for s, camp, chance in positions("effects"):
        twin = gcacw.copy(s)
        run(supply.effects(twin), chance)
        assert (twin.manpower, twin.disorganised) == camp.starved()
        changed["lost"] += sum(s.manpower.values()) - sum(twin.manpower.values())
        changed["loose"] += len(twin.disorganised - s.disorganised)
        twin = gcacw.copy(s)
        run(recovery.rest(twin), chance)
        assert (twin.fatigue, twin.disorganised, twin.demoralised) == camp.rested()
        changed["rested"] += len(s.disorganised - twin.disorganised)
        changed["kept"] += sum(u in s.hungry and u not in twin.fatigue for u in twin.disorganised)
    assert min(changed.values()) >= 200, changed


@pytest.mark.clause(
    "20.4-1", "20.4-2", "20.4-3", "20.4-5", "20.4-6", "20.4-7", "20.4-8", "20.4-opt", "20.4-opt2"
)  # fmt: skip
def test_the_same_find_food() -> None:
    found: Counter[Any] = Counter()
    for s, _, chance in positions("forage"):
        spread = s.options.forage_dispersal == "yes"
        for side in SIDES:
            twin = gcacw.copy(s)
            units = {order.units[0] for order in supply.foragers(twin, side)}
            assert units == camp_of(twin).foragers(side)
            for order in chance.sample([*supply.foragers(twin, side)], len(units)):
                before = camp_of(twin)
                _, (die,), _ = run(supply.forage(twin, order), chance)
                made = before.finds(order.units[0], die, spread)
                assert (order.units[0] not in twin.hungry) == made, order
                found[made, spread] += 1
    assert min(found.values()) >= 150, found


@pytest.mark.clause("20.2-1", "20.2-2")
def test_the_same_stations_are_repaired() -> None:
    rolled: Counter[Any] = Counter()
    for s, camp, chance in positions("repair"):
        twin = gcacw.copy(s)
        _, dice, _ = run(supply.repair(twin), chance)
        tried = camp.mended()
        assert len(dice) == len(tried)
        left = camp.hurt()
        for h, die in zip(tried, dice, strict=True):
            if die <= 4:
                del left[h]
            rolled[die <= 4] += 1
        assert {at(s, h): how for h, how in twin.station.items()} == left
        rolled["held"] += sum(how == 1 for how in camp.hurt().values()) - len(tried)
    assert min(rolled[key] for key in (True, False, "held")) >= 20, rolled


# --- events, weather, paralysis ---------------------------------------------------------------------------------------


@pytest.mark.clause(
    "14.0-table", "14.0-rain-now", "14.0-rain-now1", "14.0-rain-now2", "14.0-rain-other", "14.0-late1", "14.0-late2",
    "14.0-late3", "14.0-early1", "14.0-early2",
)  # fmt: skip
def test_events_bring_the_same() -> None:
    brought: Counter[Any] = Counter()
    for s, camp, chance in positions("events"):
        for _ in range(4):
            twin = gcacw.copy(s)
            _, dice, _ = run(events.happens(twin), chance)
            due = {name: events.due_in(twin, twin.board.arrivals[name]) for name in twin.waiting}
            assert (twin.rain, twin.paralysed, due) == camp.happens(dice), dice
            brought[sum(dice)] += 1
            brought["moved"] += due != camp.due()
            brought["void"] += sum(dice) in (2, 3, 9) and s.raining
    assert min(brought[total] for total in range(2, 13)) >= 30, brought
    assert min(brought["moved"], brought["void"]) >= 20, brought


@pytest.mark.clause("14.0-par1", "14.0-par2", "14.0-par3", "14.0-par4", "18.0-3", "18.0-4")
def test_paralysis_and_panic_take_the_same() -> None:
    seen: Counter[Any] = Counter()
    for s, camp, chance in positions("paralysis"):
        for side in SIDES:
            assert (may_march.why_no_force(s, side) is None) == camp.force(side)
            seen[camp.force(side)] += 1
            for unit in s.own(side):
                c = camp.units[unit]
                for led in (False, True) if c.branch == "infantry" or side == "confederate" else (False,):
                    dice = [chance.randint(1, 6) for _ in range(1 + (c.branch == "cavalry"))]
                    points = march.allowance(s, unit, led=led).points(sum(dice))
                    assert points == camp.points(side, c.branch, dice, led), (unit, led, dice)
                    seen[side, points == 1] += 1
            for leader in s.leaders(side):
                orders = [*actions.assaults(s, side, leader)]
                assert not orders or side not in camp.all("paralysed")
                seen["assaults"] += len(orders)
    assert min(seen.values()) >= 50, seen


@pytest.mark.clause(
    "14.0-rain-zoc", "14.0-rain-mv1", "14.0-rain-mv2", "14.0-rain-mv3", "14.0-rain-riv1", "14.0-rain-riv2",
    "14.0-rain-ldr",
)  # fmt: skip
def test_steps_zones_and_radius_in_rain_are_the_same() -> None:
    compared: Counter[Any] = Counter()
    for s, field, chance in wet_fields("steps"):
        by_id = {c.id: c for c in field.counters}
        for side in SIDES:
            known = zones.zone(s, side)
            for h in hexes_near(s):
                assert {at(s, n) for n in known.get(h, ())} == field.controllers(side, at(s, h))
                for n in s.board.ground.near[h]:
                    points = zones.points(s, side, h, n)
                    theirs = field.step(side, at(s, h), at(s, n))
                    assert (None if points is None else Fraction(points, 2)) == theirs, (s.board.place(h), side)
                    compared["step", points is None] += 1
            for leader in s.leaders(side):
                for unit in chance.sample(s.own(side), min(3, len(s.own(side)))):
                    near = leaders.in_radius(s, leader, unit)
                    assert near == field.reaches(by_id[leader], by_id[unit], 3), (leader, unit)
                    compared["radius", near] += 1
            for unit in s.own(side):
                stopped = zones.stops(s, unit, s.at[unit])
                every = s.options.restricted_zones == "stop"
                assert stopped == field.stops(by_id[unit], at(s, s.at[unit]), all_zones=every)
                compared["stopped", stopped] += 1
    assert min(compared.values()) >= 150, compared


@pytest.mark.clause("14.0-rain-att1", "14.0-rain-att2", "14.0-rain-att3", "18.0-3", "std-7.4-12")
def test_fights_in_rain_and_panic_have_the_same_modifiers() -> None:
    seen: Counter[str] = Counter()
    for s, field, chance in wet_fields("fights"):
        by_id = {c.id: c for c in field.counters}
        for f in fights(s, chance):
            those = [by_id[unit] for unit in f.units]
            ours = combat.modifiers(s, f)
            add, other = field.dice(those, at(s, f.at), f.kind, f.commander, refused=False)
            add -= s.raining + (s.panicking and f.side == "union")
            other -= s.panicking and f.side == "confederate"
            sums = tuple(sum(m.points for m in ours if m.of == of) for of in (combat.ATTACKER, combat.DEFENDER))
            assert sums == (add, other), (f, ours)
            seen.update(m.clause for m in ours)
            shut = [h for h in s.board.ground.near[f.at] if not zones.is_open(s, f.side, h, f.at)]
            assert all(not field.is_open(f.side, at(s, h), at(s, f.at)) for h in shut)
            seen["shut"] += len(shut)
    assert min(seen[key] for key in ("14.0-rain-att1", "18.0-3", "shut")) >= 300, seen
    assert seen["14.0-rain-att3"] >= 8, seen


def wet_fields(what: str) -> Iterator[tuple[State, slow.Field, random.Random]]:
    """Small fields and positions of campaigns in rain, most of them in panic."""
    for s, field, chance in on_fields(what, 120 * MORE):
        s.weather(s.turn)
        s.panic = chance.choice((0, s.turn))
        yield s, second.Wet(field.land, field.counters, field.bridges), chance
    for look in looks()[::12]:
        chance = random.Random(f"{what} {look.state.turn} {len(look.state.at)}")
        s = stirred(look, chance)
        s.weather(s.turn)
        yield s, camp_of(s).field, chance


# --- arrivals, holds, closed hexes ------------------------------------------------------------------------------------


@pytest.mark.clause("22.1-re1", "22.1-re2", "22.1-re3", "22.1-re4", "22.1-re5", "22.2-1")
def test_arrivals_come_in_at_the_same_hexes() -> None:
    seen: Counter[Any] = Counter()
    for s, _, chance in positions("arrivals"):
        s.waiting = {name for name in s.board.arrivals if chance.random() < 0.7}
        s.due = {name: chance.randint(5, 15) for name in sorted(s.waiting) if chance.random() < 0.6}
        s.put_off = {name for name in sorted(s.waiting) if s.board.arrivals[name].late and chance.random() < 0.3}
        for label in f"{second.SOUTH} {second.SOUTH_EAST} S5021 N5819 N5816".split():
            if chance.random() < 0.4:
                side = chance.choice(SIDES)
                if s.own(side) and s.holder(s.board.parse(label)) in (None, side):
                    s.put(chance.choice(s.own(side)), s.board.parse(label))
        (s.controlled.add if chance.random() < 0.3 else s.controlled.discard)("S5021")
        camp = camp_of(s)
        for side in SIDES:
            spots, off = camp.placed(side)
            assert {(order.arrival, s.board.label[order.at]) for order in arrivals.choices(s, side)} == spots
            assert {order.arrival for order in arrivals.puttings_off(s, side)} == off
            for one in arrivals.due(s, side):
                assert arrivals.held_up(s, one) == camp.must_wait(one.id), one.id
                seen["held up", camp.must_wait(one.id)] += 1
            seen["spots"] += len(spots)
            seen["off"] += len(off)
            for order in arrivals.puttings_off(s, side):
                twin = gcacw.copy(s)
                run(arrivals.put_off(twin, order), chance)
                assert twin.due == {**s.due, **camp.delayed(order.arrival)}
    assert min(seen.values()) >= 50, seen


@pytest.mark.clause(
    "22.1-sp1", "22.1-sp2a", "22.1-sp3b", "22.1-sp3c", "22.1-sp3d1", "22.1-sp3e1",
)  # fmt: skip
def test_the_same_are_held_and_freed() -> None:
    seen: Counter[Any] = Counter()
    for look in looks():
        s, camp = look.state, camp_of(look.state)
        freed = camp.freed(look.entered)
        assert {one for one in s.free if one in s.at} == {one for one in freed if one in s.at}
        for turn in (1, *range(2, 10)):
            s = gcacw.copy(look.state)
            s.turn = turn
            camp = camp_of(s)
            for unit in s.at:
                assert holds.held(s, unit) == camp.held(unit, freed), (unit, turn)
                seen[turn == 1, camp.held(unit, freed)] += 1
    assert min(seen.values()) >= 200, seen


@pytest.mark.clause("20.1-6", "22.1-sp3a", "22.1-sp3d2")
def test_the_same_hexes_are_closed() -> None:
    seen: Counter[Any] = Counter()
    for s, camp, chance in positions("closed"):
        places = chance.sample([*s.board.label], 25) + [s.board.parse(label) for label in second.DEPOTS.split()]
        for unit in s.at:
            for h in places if unit in ("white", "vt-9", "casey", "whipple") else places[-12:]:
                shut = camp.shut(unit, at(s, h))
                assert (holds.why_closed(s, unit, h) is not None) == shut, (unit, s.board.place(h))
                seen[camp.side_of(unit), shut] += 1
    assert min(seen.values()) >= 200, seen


# --- railroads, panic, leaders killed ---------------------------------------------------------------------------------


@pytest.mark.clause("16.0-1", "16.0-2", "16.0-4", "16.0-5", "16.0-6", "16.0-8", "16.0-9")
def test_the_same_go_by_rail_to_the_same_hexes() -> None:
    seen: Counter[Any] = Counter()
    for s, _, chance in positions("rails"):
        s.turn = min(s.board.turns, chance.choice((6, 7, 7, 8, 8, 9, 10)))
        s.rain = chance.choice((0, s.turn))
        s.zones.clear()
        s.memo.clear()
        foot = [unit for unit in s.own("union") if s.board.units[unit].infantry]
        for unit in chance.sample(foot, min(len(foot), 6)):
            h = s.board.parse(chance.choice(second.RAIL_STARTS.split()))
            if s.holder(h) != "confederate":
                s.put(unit, h)
        horse = [unit for unit in s.own("confederate") if s.value(unit) <= 4]
        for unit in horse:
            h = chance.choice(
                [hex for start in second.RAIL_STARTS.split() for hex in s.board.ground.near[s.board.parse(start)]]
            )
            if s.holder(h) is None:
                s.put(unit, h)
        run(leaders.settle(s, SIDES), chance)
        gone = {unit: Fraction(s.value(unit), 2) for unit in chance.sample(foot, min(len(foot), chance.randrange(3)))}
        gone = gone if sum(gone.values()) <= second.RAIL_VALUE else {}
        s.railed, s.hauled = {*gone}, int(2 * sum(gone.values()))
        camp = camp_of(s)
        starts = [unit for unit in s.own("union") if s.at[unit] in s.board.advanced.rails.starts]
        for unit in (*starts, *chance.sample(s.own("union"), min(3, len(s.own("union"))))):
            if may_march.why_not_act(s, "union", unit) is not None:
                continue
            ours = {at(s, order.path[-1]) for order in actions.rails(s, "union", unit)}
            may = camp.may_rail(unit, gone)
            theirs = camp.railed_to(unit, s.options.restricted_zones == "stop") if may else set()
            assert ours == theirs, (unit, sorted(ours ^ theirs))
            seen[may, unit in gone] += 1
            seen["hexes"] += len(ours)
    assert min(seen.values()) >= 20, seen


@pytest.mark.clause("18.0-5", "18.0-6", "18.0-7", "18.0-8")
def test_mcclellan_comes_to_the_same_hex_and_leads_the_same() -> None:
    came: Counter[Any] = Counter()
    for s, _, chance in positions("panic"):
        if "mcclellan" in s.at:
            continue
        s.removed.pop("mcclellan", None)
        if chance.random() < 0.5 and "pope" in s.at:
            s.remove("pope")
        s.panic = max(0, s.turn - chance.choice((1, 2, 2, 2, 3)))
        there = camp_of(s).who_comes()
        twin = gcacw.copy(s)
        told, _, _ = run(panic.replace(twin), chance)
        replaced = [slow.place(tell.facts["at"]) for tell in told if tell.what == "replaced"]
        assert bool(replaced) == (s.turn == s.panic + 2 and s.panic > 0 and bool(there))
        if replaced:
            assert {*replaced} <= there
            assert all(twin.commands("mcclellan", unit) for unit in twin.own("union"))
            assert {twin.army(unit) for unit in twin.own("union")} == {"AP"}
            assert "pope" not in twin.at
        came[bool(replaced), "pope" in s.at] += 1
    assert min(came.values()) >= 30, came


@pytest.mark.clause("17.0-1", "17.0-3", "17.0-4", "17.0-6")
def test_the_same_leaders_are_in_danger() -> None:
    seen: Counter[Any] = Counter()
    for s, _, chance in positions("danger"):
        s.killed = {leader for leader in s.leaders("confederate") if chance.random() < 0.2}
        for leader in s.leaders("confederate"):
            if chance.random() < 0.5 and s.own("confederate"):
                s.put(leader, s.at[chance.choice(s.own("confederate"))])
        camp = camp_of(s)
        for f in fights(s, chance):
            ours = {*panic.in_danger(s, f)}
            assert ours == camp.mortal(f.side, f.units, at(s, f.at)), f
            seen[f.side, len(ours)] += 1
    assert min(seen[side, count] for side in SIDES for count in (0, 1)) >= 20, seen


# --- substitutes ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("21.0-1", "21.0-2", "21.1-1", "21.1-2", "21.1-11", "21.1-13")
def test_the_same_may_be_detached() -> None:
    seen: Counter[Any] = Counter()
    names = sorted(adapter.SUBSTITUTES)
    for s, camp, chance in positions("detached"):
        for unit in chance.sample([*s.manpower], min(8, len(s.manpower))):
            army, kind = unit_kind(s, unit)
            likely = [f"{army}-{kind}-{number}" for number in (1, 2, 3)]
            for _ in range(4):
                subs = [chance.choice(likely if chance.random() < 0.8 else names) for _ in range(chance.randint(1, 2))]
                parts = [(sub, chance.choice((0, 1, 1, 2, 3, 5, 9, 10))) for sub in subs]
                order = March(unit, (), detached=tuple(Detach(sub, men) for sub, men in parts))
                refusal = substitutes.why_not_detach(s, s.board.units[unit].side, order)
                assert (refusal is None) == camp.may_detach(unit, parts), (unit, parts)
                seen[refusal is None] += 1
                if refusal is None:
                    parts_of(s, unit, order, chance)
    assert min(seen.values()) >= 500, seen


def unit_kind(s: State, unit: str) -> tuple[str, str]:
    """The beginning of a unit's substitutes' names."""
    one = s.board.units[unit]
    return "union" if one.side == "union" else "csa", "sub" if one.infantry else "cav"


def parts_of(s: State, unit: str, order: March, chance: random.Random) -> None:
    """The substitutes stand as their unit does (21.1-5, 21.1-6, 21.1-8, 21.1-10, 21.1-12, 21.1-14)."""
    twin = gcacw.copy(s)
    for one in order.detached:
        run(substitutes.detach(twin, unit, one, fatigue=twin.fatigue.get(unit, 0)), chance)
    camp = camp_of(twin)
    parent = camp.units[unit]
    for one in order.detached:
        sub = camp.units[one.substitute]
        assert (sub.manpower, sub.artillery, sub.at) == (one.manpower, 0, parent.at)
        assert (sub.command, sub.army, sub.fatigue) == (parent.command, parent.army, parent.fatigue)
        assert (sub.disorganised, sub.shaken, sub.works) == (parent.disorganised, parent.shaken, parent.works)
        fed = s.options.substitute_in_supply == "yes"
        assert (sub.id in twin.hungry) == (unit in twin.hungry and not fed)
    assert parent.manpower == s.manpower[unit] - sum(one.manpower for one in order.detached)


@pytest.mark.clause(
    "21.2-1", "21.2-2", "21.2-3", "21.2-4", "21.2-5", "21.2-6", "21.2-7", "21.2-8", "21.2-u0", "21.2-u1", "21.2-u2",
    "21.2-u3", "21.2-u4", "21.2-u5", "21.2-c0", "21.2-c1", "21.2-c2",
)  # fmt: skip
def test_the_same_merge_and_come_to_the_same() -> None:
    seen: Counter[Any] = Counter()
    for s, camp, chance in positions("merging"):
        for side in SIDES:
            orders = [*substitutes.merges(s, side)]
            assert {(order.unit, order.into) for order in orders} == camp.merges(side)
            for order in orders:
                twin = gcacw.copy(s)
                run(substitutes.merge(twin, order), chance)
                now, wanted = camp_of(twin), camp.merged(order.unit, order.into)
                into = now.units[order.into]
                assert {key: getattr(into, key) for key in wanted if key != "hungry"} == {
                    key: value for key, value in wanted.items() if key != "hungry"
                }
                assert (order.into in twin.hungry) == wanted["hungry"]
                assert order.unit not in twin.at
                assert (order.unit in twin.merged) != second.substitute(order.unit)
                seen[order.unit.rpartition("-")[0] if second.substitute(order.unit) else order.unit] += 1
    assert min(seen[kind] for kind in ("union-sub", "csa-sub", "union-cav", "csa-cav", "evans", "griffin")) >= 8, seen
    for units in (second.FOOT_REGIMENTS, second.HORSE_REGIMENTS, [*second.BRIGADES]):
        assert sum(seen[unit] for unit in units) >= 30, seen


# --- victory ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause(
    "22.1-vp0", "22.1-vp1", "22.1-vp2", "22.1-vp3", "22.1-vp4", "22.1-vp5", "22.1-vp6", "22.1-vp7", "22.1-vp8",
    "22.1-vp9", "22.1-vp10", "22.1-vp11",
)  # fmt: skip
def test_each_item_brings_the_same_points() -> None:
    seen: Counter[str] = Counter()
    for s, _, chance in positions("points"):
        s.controlled = {s.board.label[h] for h in s.board.objectives if chance.random() < 0.3}
        s.lost = {side: chance.randrange(40) for side in SIDES}
        gathered(s, chance)
        camp, points = camp_of(s), Counter[str]()
        for item in victory.items(s):
            points[item.line.clause] += item.points
        theirs = camp.score()
        assert {clause: points[clause] for clause in theirs} == theirs
        assert victory.total(s) == sum(theirs.values())
        seen.update(clause for clause, value in theirs.items() if value)
        inside = [c for c in camp.own("confederate") if c.branch == "infantry" and c.size == "division"]
        seen["shut in"] += sum(camp.shut_in(c.at) for c in inside)
    assert min(seen[clause] for clause in (*camp.score(), "shut in")) >= 20, seen


def gathered(s: State, chance: random.Random) -> None:
    """Put some Confederate divisions into the northern counties, often with Union infantry all round."""
    divisions = [u for u in s.own("confederate") if s.board.units[u].size == "division"]
    foot = [u for u in s.own("union") if s.board.units[u].infantry]
    north = [h for h, county in s.board.map.region.items() if county in ("Fairfax", "Prince William", "Loudoun")]
    for unit in chance.sample(divisions, len(divisions) // 2):
        h = chance.choice([h for h in north if s.holder(h) != "union"])
        s.put(unit, h)
        spots = [n for n in s.board.ground.near[h] if s.holder(n) != "confederate"]
        for n in spots if chance.random() < 0.5 else spots[:2]:
            if foot and chance.random() < 0.8:
                s.put(foot.pop(), n)


@pytest.mark.clause("22.1-vic", "22.2-vic")
@pytest.mark.parametrize("scenario", adapter.CAMPAIGNS)
def test_points_mean_the_same_level(scenario: str) -> None:
    s = gcacw.start(board_of(scenario), {})
    for points in range(-40, 140):
        assert victory.level_of(s.board.victory, points).title == second.level(scenario, points)


def test_a_difference_is_noticed() -> None:
    """One depot less, or a point more, parts the readings: else they would compare nothing."""
    parted: Counter[str] = Counter()
    for s, camp, chance in positions("unlike"):
        hungry, men, loose = camp.judged(dict.fromkeys(camp.units, ""))
        twin = gcacw.copy(s)
        run(supply.status(twin), chance)
        parted["supply"] += (twin.hungry, twin.manpower, twin.disorganised) != (hungry, men, loose)
        s.station[s.board.parse("N4422")] = 2 - (s.station.get(s.board.parse("N4422")) == 2)
        parted["points"] += victory.total(s) != sum(camp.score().values())
        s.station.pop(s.board.parse("N4422"))
    assert min(parted["supply"], parted["points"]) >= 100, parted


# --- the turn ---------------------------------------------------------------------------------------------------------

WHEN = {
    "event": range(2, 16),
    "repair": (6, 11),
    "unsupplied": (6, 11),
    "supplied": (6, 11),
    "cycle-roll": range(3, 16),
}
"""In which turns alone something is told (14.0-1, 3.0-4, 3.0-5, 15.0-0)."""


@pytest.mark.clause("14.0-1", "3.0-4", "3.0-5", "3.0-7", "15.0-1", "15.0-2", "15.0-3")
def test_the_phases_come_in_the_same_turns() -> None:
    seen: Counter[Any] = Counter()
    for number, scenario in product(range(10 * MORE), adapter.CAMPAIGNS):
        play, found = played(scenario, "sampled", 50 + number), list[tuple[int, Tell]]()
        play.hear = lambda tell, play=play, found=found: found.append((play.game.state.turn, tell))
        for _ in play.nodes():
            pass
        for turn, tell in found:
            if tell.what in WHEN:
                assert turn in WHEN[tell.what], (tell, turn)
                seen[tell.what] += 1
            if tell.what == "cycle-roll":
                assert tell.facts["ends"] == (tell.facts["die"] <= (3 if turn >= 12 else 2))
        assert sum(tell.what == "event" for _, tell in found) == play.game.state.turn - 1
    assert min(seen[what] for what in ("event", "unsupplied", "cycle-roll")) >= 3, seen
