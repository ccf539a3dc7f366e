"""What is worked out once about a battle of miniatures: it is forgotten with every change, and leaves nothing out."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product

import pytest
from rules.field import Battle
from rules.samurai.small_table import state_with
from systems.random_play import board_of

from pbem.errors import Refusal
from pbem.match.chances import chance_answer
from pbem.match.game import Game
from pbem.rules import samurai
from pbem.rules.requests import Choose
from pbem.rules.samurai import combat, copy, fire, movement, moving, routs, straight
from pbem.rules.samurai.daimyos import around
from pbem.rules.samurai.geometry import Base, Point, Size, distance, flight, on_table, overlap, spans, swept, touches
from pbem.rules.samurai.ground import ahead
from pbem.rules.samurai.orders import TURNS, Attack, End, Fire, Go, Move, Order
from pbem.rules.samurai.paths import Range, first_overlap, merged, over
from pbem.rules.samurai.sight import aim_points, in_arc, maybe_in_arc
from pbem.rules.samurai.state import State, Step

Table = Callable[..., Battle]

BATTLES = ("skirmish", "pitched-battle", "wooded-valley")


def test_what_is_known_goes_with_places_and_figures(table: Table) -> None:
    s = table({"bw-1": "36 10 north", "bw-2": "33 10 north", "sp-11": "36 16 south"}).state
    order = Move("bw-1", 600)
    far, dice = straight.run(s, order).steps, fire.shots(s, "bw-1", "sp-11")[0].dice
    s.put("sp-11", s.at["sp-11"].moved(0, -100))
    assert straight.run(s, order).steps == far - 100
    assert fire.shots(s, "bw-1", "sp-11")[0].dice == dice
    s.leave("bw-1", (dice - 1,))
    assert fire.shots(s, "bw-1", "sp-11")[0].dice == dice - 1


def test_a_copy_knows_only_what_is_so_in_it(table: Table) -> None:
    s = table({"sp-1": "36 10 north", "sp-11": "36 16 south"}).state
    assert s.enemies("sp-1") == []
    ahead = copy(s)
    b = ahead.at["sp-1"]
    ahead.put("sp-11", ahead.at["sp-11"]._replace(y=b.y + 2 * b.hd))
    assert ahead.enemies("sp-1") == ["sp-11"]
    assert s.enemies("sp-1") == []
    assert s == copy(s)


@pytest.mark.parametrize("daimyo", ["off", "36 13 south"])
def test_a_shorter_move_is_as_if_it_were_worked_out_first(table: Table, daimyo: str) -> None:
    units = {"sp-1": "36 10 north", "sp-11": "36 14 south", "dm-11": daimyo}
    long = table(units).state
    for length in (600, *range(400, 0, -20)):
        assert straight.run(long, Move("sp-1", length)) == straight.run(table(units).state, Move("sp-1", length))


def _bases(chance: random.Random) -> Base:
    x, y = chance.randrange(600), chance.randrange(600)
    return Base(x, y, chance.randrange(8), 10 + chance.randrange(150), 10 + chance.randrange(150))


def test_cheap_tests_leave_nothing_out() -> None:
    chance = random.Random(12)
    for _, facing in product(range(300), range(8)):
        b, p = _bases(chance), Point(chance.randrange(600), chance.randrange(600))
        assert maybe_in_arc(p, b, facing) or not any(in_arc(p, q, facing) for q in aim_points(b))
    assert not maybe_in_arc(Point(0, 0), Base(0, -500, 0, 50, 50), 0)


def _random_game(number: int, battle: str = "skirmish") -> Iterator[tuple[State, Choose | None, random.Random]]:
    """The state before each answer of a random battle, with the decision if one is asked."""
    game, chance = Game.new(samurai, board_of(battle), {}), random.Random(number)
    while (request := game.request) is not None:
        yield game.state, request if isinstance(request, Choose) else None, chance
        game.apply(request.sample(chance) if isinstance(request, Choose) else chance_answer(request, chance))


def _reaches(b: Base, x: int, y: int, far: int) -> bool:
    """Whether a base lies in part in the square round a place."""
    wide, deep, _, _ = spans(b.facing, b.hw, b.hd)
    return abs(b.x - x) <= far + wide and abs(b.y - y) <= far + deep


def test_what_is_kept_is_as_if_all_were_worked_out_anew() -> None:
    for s, _, chance in _random_game(3):
        for unit, b in s.at.items():
            found = [other for other, o in s.at.items() if other != unit and touches(b, o)]
            assert list(s.contacts(unit)) == s.by_id(found)
        x, y, far = chance.randrange(s.board.width), chance.randrange(s.board.depth), chance.randrange(1000)
        near = [unit for unit, _ in s.near(x - far, x + far, y - far, y + far)]
        assert sorted(near) == sorted(unit for unit, b in s.at.items() if _reaches(b, x, y, far))
        for side in s.board.side:
            own = [unit for unit, _ in s.near(x - far, x + far, y - far, y + far, side)]
            assert own == [unit for unit in near if s.board.units[unit].side == side]


def test_who_lies_under_a_base_and_ahead_of_it_is_found_as_one_by_one() -> None:
    seen = dict.fromkeys(("under", "ahead"), 0)
    for s, _, chance in _random_game(5):
        for unit, b in s.at.items():
            there, way, steps = b.moved(chance.randrange(-300, 300), 0), chance.randrange(8), chance.randrange(900)
            under = [other for other, o in s.at.items() if overlap(there, o)]
            assert s.by_id(s.over(there)) == s.by_id(under)
            ahead = {other: first_overlap(b, way, o) for other, o in s.at.items() if other != unit}
            near = {other: h for other, h in ahead.items() if h is not None and h <= steps}
            assert {other: h for h, other in s.known.ahead(unit, b, way, steps, swept(b, way, steps))} == near
            seen["under"], seen["ahead"] = seen["under"] + len(under), seen["ahead"] + len(near)
    assert min(seen.values()) > 500, seen


def test_who_flees_flees_from_the_closest_of_all_enemies() -> None:
    asked = 0
    for s, _, _ in _random_game(8):
        for unit in s.at:
            enemies = [o for o in s.on(s.board.enemy[s.board.units[unit].side]) if s.counts(o)]
            if enemies:
                closest = min(enemies, key=lambda o, b=s.at[unit], s=s: (distance(b, s.at[o]), s.board.order[o]))
                assert routs.direction(s, unit) == flight(s.at[unit], s.at[closest])
                asked += 1
    assert asked > 500


def test_random_moves_are_of_every_kind_and_seldom_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    refused, kinds = [0], Counter[str]()

    def counted(why: Callable[..., Refusal | None]) -> Callable[..., Refusal | None]:
        def judging(*args: object) -> Refusal | None:
            refusal = why(*args)
            refused[0] += refusal is not None
            return refusal

        return judging

    for where, name in ((moving, "why_not"), (moving, "why_hopeless"), (movement, "why_cut"), (movement, "why_unled")):
        monkeypatch.setattr(where, name, counted(getattr(where, name)))
    for number in range(12):
        for s, choose, chance in _random_game(number):
            if choose is not None and choose.kind == "move":
                order = choose.sample(chance)
                kinds[_kind(s, order)] += 1
    kinds_of_move = ("back", "halt", "ahead", "turn", "turn first", "turn last")
    assert set(kinds) == {*kinds_of_move, "led", "End", "Follow", "Go", "stays"}
    assert 0 < refused[0] * 3 < kinds.total() - kinds["End"], "each is drawn twice, for the game and here"


def _kind(s: State, order: Order) -> str:
    """What kind of order of the movement step it is."""
    if isinstance(order, Go):
        return "stays" if (order.x, order.y) == s.at[order.unit][:2] else "Go"
    if not isinstance(order, Move):
        return type(order).__name__
    if not order.length:
        return "turn" if order.first else "halt"
    if order.unit in s.led:
        return "led"
    return "back" if order.back else "turn first" if order.first else "turn last" if order.last else "ahead"


@pytest.mark.parametrize("battle", BATTLES)
def test_random_orders_are_legal(battle: str) -> None:
    """Moves are drawn without being judged: what judges orders has nothing against any of them."""
    met = 0
    for number in range(4, 10):
        for s, choose, chance in _random_game(number, battle):
            if choose is not None:
                order = choose.sample(chance)
                assert samurai.why_not(s, choose.side, order) is None
                met += isinstance(order, Move) and order.length > 0 and order.unit in s.met
    assert met > 0


@pytest.mark.parametrize("battle", BATTLES)
def test_what_is_quickly_found_of_a_side_is_what_is_judged_order_by_order(battle: str) -> None:
    seen = dict.fromkeys(("room", "no room", "shooters", "attackers"), 0)
    decisions = (moment for number in range(6) for moment in _random_game(number, battle))
    for s, choose, chance in decisions:
        if choose is None or choose.kind == "setup" or (choose.kind == "move" and chance.random() < 0.97):
            continue
        side, enemies = choose.side, s.on(s.board.enemy[choose.side])
        able = [u for u in s.troops(side) if any(fire.why_not(s, side, Fire(u, o)) is None for o in enemies)]
        assert fire.shooters(s, side) == able
        attackers = [unit for unit in s.on(side) if combat.why_not(s, side, Attack(unit)) is None]
        assert combat.attackers(s, side) == attackers
        for unit in s.troops(side):
            turned = straight.turned(s, unit, chance.choice(TURNS))
            room = straight.has_room(s, unit, turned)
            assert room == (straight.why_no_room(s, unit, turned) is None)
            seen["room" if room else "no room"] += 1
        seen["shooters"] += len(able)
        seen["attackers"] += len(attackers)
    assert min(seen.values()) > 3, seen


def test_ground_ahead_and_under_a_base_is_found_as_piece_by_piece() -> None:
    board, chance = board_of("wooded-valley"), random.Random(9)
    s, seen = samurai.start(board, {}), dict.fromkeys(("slow", "wall", "under"), 0)
    far = board.farthest
    for _ in range(4000):
        b = Size(400, 100, chance.randrange(1, 3)).at(
            chance.randrange(board.width), chance.randrange(board.depth), chance.randrange(8)
        )
        way = (b.facing + chance.choice((0, 4))) % 8
        found = ahead(board, b, way)
        slow = [over(b, way, piece) for piece in board.slows]
        assert found.double == merged(Range(r.low, min(r.high, far)) for r in slow if r is not None and r.low <= far)
        walls = {wall.piece.id: first_overlap(b, way, wall.piece.base) for wall in board.walls}
        assert {piece.id: h for h, piece in found.walls} == {w: h for w, h in walls.items() if h and h <= far}
        stopped = not on_table(b, board.width, board.depth) or any(overlap(b, ground) for ground in board.stops)
        assert s.stopped(b) == stopped
        seen["slow"], seen["wall"] = seen["slow"] + bool(found.double), seen["wall"] + bool(found.walls)
        seen["under"] += any(overlap(b, ground) for ground in board.stops)
    assert min(seen.values()) > 50, seen


def test_who_is_left_alone_is_seen_before_a_move_as_behind_it() -> None:
    seen = dict.fromkeys(("led", "alone", "hopeless"), 0)
    for number in range(6):
        for s, choose, chance in _random_game(number):
            if choose is None or choose.kind != "move":
                continue
            unit = chance.choice(moving.movers(s, choose.side))
            order = Move(unit, chance.randrange(1, 700), back=chance.random() < 0.2)
            if s.board.units[unit].daimyo or movement.why_not(s, choose.side, order) is not None:
                continue
            ahead = copy(s)
            list(movement.move(ahead, order))
            alone = moving.unled(ahead, choose.side)
            hopeless = moving.mend(ahead, choose.side) is None
            assert (moving.why_not(s, choose.side, order) is not None) == hopeless
            seen["hopeless" if hopeless else "alone" if alone else "led"] += 1
    assert min(seen.values()) > 10, seen


def test_behind_each_move_on_a_crowded_table_the_step_can_be_ended() -> None:
    """What is found behind a move is accepted move by move, and then the step ends."""
    parted = 0
    for number in range(6):
        chance = random.Random(number)
        s = _crowd(chance)
        for _ in range(40):
            unit = chance.choice(moving.movers(s, "red"))
            daimyo = s.board.units[unit].daimyo
            order = _random_way(s, unit, chance) if daimyo else Move(unit, 1 + chance.randrange(600))
            if moving.why_not(s, "red", order) is not None:
                continue
            list(movement.move(s, order))
            ahead = copy(s)
            while moving.unled(ahead, "red"):
                parted += 1
                assert moving.why_not(ahead, "red", End(Step.MOVE)) is not None
                found = moving.mend(ahead, "red")
                assert found, (number, order)
                assert moving.why_not(ahead, "red", found[0]) is None
                list(movement.move(ahead, found[0]))
            assert moving.why_not(ahead, "red", End(Step.MOVE)) is None
    assert parted > 50


def _random_way(s: State, unit: str, chance: random.Random) -> Go:
    """A daimyo's move to anywhere near."""
    b = s.at[unit]
    return Go(unit, max(b.x + chance.randrange(-800, 800), 0), max(b.y + chance.randrange(-800, 800), 0))


def _crowd(chance: random.Random) -> State:
    """Six units of two stands in a corner of a table, most of them beside one of five daimyos."""
    units = [*(f"sw-{number}" for number in range(1, 7)), *(f"dm-{number}" for number in range(1, 6))]
    s = state_with({unit: "off abreast" if unit[0] == "s" else "off" for unit in units}, step="move")
    for unit in units:
        if unit[0] == "s":
            s.arrange(unit, chance.choice(("abreast", "behind")))
        for _ in range(60):
            if unit[0] == "d" and chance.randrange(6):
                leader = chance.choice([other for other in s.at if other[0] == "s"])
                b = chance.choice(list(around(s.size(unit), s.at[leader])))
            else:
                b = s.size(unit).at(chance.randrange(200, 2600), chance.randrange(200, 2000), chance.randrange(8))
            if s.free(b):
                s.put(unit, b)
                break
    movement.leads(s, "red")
    return s
