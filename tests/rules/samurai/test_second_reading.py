"""Battles played twice: by the rules and by a referee who shares no code with them (slow_battle).

Before each order both are asked of random ones whether they can be given, in crowded fields on ground of all kinds. The
same steps must end by themselves, the same dice be asked, and every unit stand alike behind each order.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Iterator
from typing import Any

import pytest
from matches import scenario_of
from rules.samurai import slow_battle
from rules.samurai import slow_table as table
from rules.samurai.slow_battle import SLOWS, STOPS, TYPES, Battle, Unit, Words
from rules.samurai.slow_table import AHEAD, Rect, overlap, touch
from rules.samurai.small_table import TYPES as KINDS
from rules.samurai.small_table import side_of, state_with
from systems.random_play import MORE

from pbem.errors import OrderError
from pbem.match.game import Game
from pbem.rules import samurai
from pbem.rules.requests import Choose, Roll
from pbem.rules.samurai.state import State

FIELDS = 14 * MORE
ASKED = 7
"""So many random orders are judged by both before each that is given."""


def referee(s: State) -> Battle:
    """The referee of a battle as it stands at the beginning of a turn."""
    board = s.board
    units = {u.id: Unit(u.side, u.kind.id, u.stands) for u in board.units.values() if not u.bannerman}
    ground = [(piece.kind, Rect(*piece.base)) for piece in board.pieces.values()]
    size, sides = (board.width, board.depth), (board.sides[0].id, board.sides[1].id)
    found = Battle(units, size, ground, board.turns, board.tables.broken, sides)
    found.at = {unit: Rect(*b) for unit, b in s.at.items()}
    found.left |= {unit: list(figures) for unit, figures in s.figures.items()}
    found.behind = {unit for unit, shape in s.shape.items() if shape == "behind"}
    found.routed, found.checked, found.gone = set(s.routed), set(s.checked), dict(s.gone)
    found.turn, found.side = s.turn, sides[s.phase - 2]
    return found


class Both:
    """A battle by the rules and by the referee; `judged` counts the orders of which both thought alike."""

    def __init__(self, s: State, chance: random.Random) -> None:
        self.referee, self.chance = referee(s), chance
        self.game = Game(samurai, s.board, s)
        self.dice: deque[tuple[str, int]] = deque()
        self.judged: Counter[tuple[str, bool]] = Counter()
        self.roll()
        self.follow(closed=0)

    def roll(self) -> None:
        """Throw the dice that the rules ask; many are the highest or lowest."""
        while isinstance(request := self.game.request, Roll):
            assert (request.dice, request.sides) == (1, 12)
            die = self.chance.choice((1, 12, *range(1, 13)))
            self.dice.append((request.label, die))
            self.game.apply((die,))

    def die(self, what: str, unit: str) -> int:
        """The next die for the referee."""
        label, die = self.dice.popleft()
        assert label == f"{what}/{unit}"
        return die

    def follow(self, closed: int) -> None:
        """Bring the referee to where the rules are: behind the `closed` steps all that he passes must be idle."""
        mine, s = self.referee, self.game.state
        while mine.over is None:
            now = (s.turn, s.board.sides[s.phase - 2].id, str(s.step))
            if self.game.request is not None and (mine.turn, mine.side, mine.step) == now:
                break
            closed -= 1
            assert closed >= 0 or mine.idle(), (now, mine.step)
            mine.end_step(self.die)
        outcome = self.game.outcome
        assert mine.over == (None if outcome is None else (outcome.winner, outcome.clause))
        assert not self.dice
        self.compare()

    def compare(self) -> None:
        """All stand alike, and are in the same state."""
        mine, s = self.referee, self.game.state
        assert {unit: tuple(b) for unit, b in s.at.items()} == {unit: b.key for unit, b in mine.at.items()}
        assert {unit: list(s.figures[unit]) for unit in s.at} == {unit: mine.left[unit] for unit in mine.at}
        assert (s.routed, s.checked & s.at.keys(), dict(s.gone)) == (mine.routed, mine.checked & s.at.keys(), mine.gone)

    def legal(self, words: Words) -> bool:
        """Whether an order can be given; both must think so, but for daimyos.1, which the end of the step judges."""
        request = self.game.request
        assert isinstance(request, Choose)
        try:
            refusal = request.why_not(samurai.read_order(self.game.board, request.side, words))
        except OrderError:
            return False
        refused = self.referee.refuses(words)
        if refusal is None or refusal.clause != "daimyos.1":
            assert (refusal is not None) == refused, (words, refusal)
            self.judged[words[0], refused] += 1
        return refusal is None

    def give(self, words: Words) -> None:
        """Carry an order out."""
        request, mine = self.game.request, self.referee
        assert isinstance(request, Choose)
        self.game.apply(samurai.read_order(self.game.board, request.side, words))
        self.roll()
        left = {"fire": 4, "move": 3, "rally": 2, "attack": 1}[mine.step]
        if words[0] not in ("close", "done"):
            mine.play(words, self.die)
        self.follow(closed={"close": 1, "done": left}.get(words[0], 0))

    def ends(self) -> list[Words]:
        """The orders that end the step; none while a unit of two stands has parted from its daimyo."""
        request, mine = self.game.request, self.referee
        assert isinstance(request, Choose)
        found = [("done",)] if mine.step == "attack" else [("close", mine.step), ("done",)]
        allowed = [w for w in found if request.why_not(samurai.read_order(self.game.board, request.side, w)) is None]
        if mine.step == "move":
            assert bool(allowed) != bool(mine.unled())
        return allowed

    def play(self, orders: int, asked: int = ASKED) -> None:
        """Play on by random orders."""
        for _ in range(orders):
            if not isinstance(request := self.game.request, Choose):
                break
            tried = {words for _ in range(asked) if (words := random_order(self.referee, self.chance))}
            legal = [words for words in sorted(tried) if self.legal(words)]
            ends = self.ends()
            if legal and (not ends or self.chance.random() < 0.8):
                self.give(self.chance.choice(legal))
            elif ends:
                self.give(ends[0])
            else:
                self.give(samurai.order_words(self.game.board, request.sample(self.chance)))


# --- random orders ---------------------------------------------------------------------------------------------------


def inch(length: int) -> str:
    return f"{length // 100}.{length % 100:02}"


def random_order(b: Battle, chance: random.Random) -> Words | None:
    """An order of the step that it is, legal or not; None where there is nobody."""
    own, foes = b.on(b.side), b.on(b.other(b.side))
    if not own or not foes:
        return None
    unit = chance.choice(own if chance.random() < 0.97 else foes)
    match b.step:
        case "fire":
            able = [u for u in own if b.units[u].t.reach and chance.random() < 0.95]
            return "fire", chance.choice(able or [unit]), "at", chance.choice(foes)
        case "move":
            return random_way(b, unit, chance) if b.units[unit].daimyo else random_move(b, unit, chance)
        case "rally":
            routed = sorted(b.routed) if chance.random() < 0.9 else []
            by = ("by", chance.choice(own)) if chance.random() < 0.3 else ()
            return "rally", chance.choice(routed or [unit]), *by, *chance.choice(((), ("about",)))
    near = [u for u in foes if unit in b.at and touch(b.at[unit], b.at[u])]
    if chance.random() < 0.2:
        return "attack", unit, "any"
    more = ("else", chance.choice(foes)) if chance.random() < 0.2 else ()
    return "attack", unit, "at", chance.choice(near if near and chance.random() < 0.8 else foes), *more


def random_move(b: Battle, unit: str, chance: random.Random) -> Words:
    kind, turn = chance.random(), chance.choice(("left", "right"))
    if kind < 0.13:
        return ("turn", unit, turn) if kind < 0.12 else ("halt", unit)
    back = chance.random() < 0.25
    most = b.units[unit].t.move // (2 if back else 1)
    length = inch(chance.choice((most, most, most + 1, chance.randrange(1, most + 1), chance.randrange(1, most + 1))))
    first, last = chance.choice((((), ()), ((), ()), ((turn,), ()), ((), (turn,)), ((turn,), ()), ((), (turn,))))
    return "back" if back else "move", unit, *first, length, *last


def random_way(b: Battle, unit: str, chance: random.Random) -> Words:
    if chance.random() < 0.4:
        return "follow", unit, chance.choice(b.on(b.side)), chance.choice(("behind", "left", "right"))
    far = chance.choice((300, 900))
    centre = b.at[chance.choice([*b.at]) if far == 300 else unit]
    x, y = (max(0, at + chance.randrange(-far, far + 1)) for at in (centre.x, centre.y))
    return "move", unit, "to", inch(x), inch(y), *chance.choice(((), (chance.choice(table.WORDS),)))


# --- random fields ---------------------------------------------------------------------------------------------------


def random_field(chance: random.Random) -> State:
    """A crowded table at the beginning of a turn, most units in touch with somebody or nearly so."""
    width, depth = chance.choice(((2400, 2600), (3000, 2600), (3600, 3600)))
    ground = list(random_ground(chance, width, depth))
    stops = [b for kind, b, _ in ground if kind in STOPS]
    placed: dict[str, Rect] = {}
    told: dict[str, str] = {}
    for number in range(chance.randrange(6, 19)):
        kind = chance.choice(("sp", "gn", "ro", "sw", "bw", "dm", "sp", "bw", "sw", "dm"))
        unit, troops = f"{kind}-{1 + number % 10 + chance.choice((0, 10))}", TYPES[KINDS[kind]]
        left = [troops.figures] * (2 if kind != "dm" and chance.random() < 0.3 else 1)
        shape = chance.choice(("abreast", "behind"))
        left = [n if chance.random() < 0.7 else chance.randrange(1, n + 1) for n in left]
        found = (
            None if unit in told else random_place(chance, (width, depth), troops, (len(left), shape), placed, stops)
        )
        if found is not None:
            placed[unit] = found
            state = chance.choice(("", "", " routed checked")) if kind != "dm" else ""
            told[unit] = f"{inch(found.x)} {inch(found.y)} {table.WORDS[found.facing]}"
            told[unit] += (f" {shape}" if len(left) > 1 else "") + f" {'/'.join(map(str, left))}{state}"
    if len({side_of(unit) for unit in told if not unit.startswith("dm")}) < 2:
        return random_field(chance)
    size: dict[str, Any] = {"width": inch(width), "depth": inch(depth), "terrain": [data for _, _, data in ground]}
    turn = chance.choice(("red-turn", "black-turn"))
    return state_with(told, phase=turn, turns=3, broken=chance.choice((50, 90, 100)), **size)


def random_ground(chance: random.Random, width: int, depth: int) -> Iterator[tuple[str, Rect, dict[str, str]]]:
    """Pieces of ground that lie wholly on the table and over no other."""
    lie: list[Rect] = []
    for number in range(chance.choice((0, 0, 1, 2, 3))):
        kind = chance.choice(sorted(STOPS | SLOWS | {"hill"}))
        w, d = chance.choice((200, 300, 400, 600)), chance.choice((200, 300, 400))
        x, y, facing = chance.randrange(500, width - 500), chance.randrange(500, depth - 500), chance.randrange(8)
        b = Rect(x, y, facing, table.half(w, facing), table.half(d, facing))
        if on_table(b, width, depth) and not any(overlap(b, other) for other in lie):
            lie.append(b)
            where = {"at": f"{inch(x)} {inch(y)}", "size": f"{inch(w)} {inch(d)}", "facing": table.WORDS[facing]}
            yield kind, b, {"id": f"{kind}-{number}", "kind": kind, **where}


def on_table(b: Rect, width: int, depth: int) -> bool:
    return min(b.low) >= 0 and b.high[0] <= width and b.high[1] <= depth


def random_place(chance: random.Random, size: tuple[int, int], troops: Any, stands: tuple[int, str],
                 placed: dict[str, Rect], stops: list[Rect]) -> Rect | None:  # fmt: skip
    """Where there is room for a unit, mostly slid up to another one."""
    for _ in range(30):
        facing = chance.randrange(8) if chance.random() < 0.5 else chance.choice((0, 4))
        w, d = table.half(troops.width, facing), table.half(troops.depth, facing)
        w, d = (w * stands[0], d) if stands[1] == "abreast" else (w, d * stands[0])
        b = Rect(chance.randrange(size[0]), chance.randrange(size[1]), facing, w, d)
        if placed and chance.random() < 0.75:
            other, way = chance.choice([*placed.values()]), chance.randrange(len(AHEAD))
            b = b.at(other.x + chance.randrange(-600, 601), other.y + chance.randrange(-400, 401))
            ways = ((b.going(way, j), b.going(way, j + 1)) for j in range(400))
            hit = next((one for one, on in ways if any(overlap(on, o) for o in placed.values())), None)
            if hit is None:
                continue
            b = hit.going(way, -chance.choice((0, 0, 0, 0, 1, 2, 3, 5, 30)))
        if on_table(b, *size) and not any(overlap(b, o) for o in (*placed.values(), *stops)):
            return b
    return None


# --- tests -----------------------------------------------------------------------------------------------------------


def play_fields() -> Counter[tuple[str, bool]]:
    """Play on random fields; how many orders of each kind both thought possible, or impossible."""
    judged: Counter[tuple[str, bool]] = Counter()
    for seed in range(FIELDS):
        chance = random.Random(f"field {seed}")
        both = Both(random_field(chance), chance)
        try:
            both.play(40)
        except AssertionError as error:
            raise AssertionError(f"{error}\nin field {seed}") from error
        judged += both.judged
    return judged


def test_both_judge_and_play_alike_on_random_fields() -> None:
    judged = play_fields()
    kinds = ("fire", "move", "back", "turn", "follow", "attack")
    assert min(judged[kind, refused] for kind in kinds for refused in (False, True)) >= 5, judged
    assert judged["rally", False] > 0


def test_both_play_a_skirmish_alike() -> None:
    """Set up by the rules, then half by what they advise and half by chance."""
    chance, board = random.Random(12), samurai.board(scenario_of("skirmish").data)
    game = Game.new(samurai, board, {})
    while game.state.phase < 2 or not game.state.opened:
        assert isinstance(game.request, Choose)
        game.apply(samurai.advise(game.state, game.request, chance))
    both = Both(game.state, chance)
    while isinstance(request := both.game.request, Choose):
        both.legal(random_order(both.referee, chance) or ("done",))
        order = samurai.advise(both.game.state, request, chance) if chance.random() < 0.6 else request.sample(chance)
        words = samurai.order_words(board, order)
        assert words[0] in ("close", "done") or both.legal(words)
        both.give(words)
    assert both.referee.over is not None


LONGER = {name: troops._replace(reach=troops.reach and troops.reach + 300) for name, troops in TYPES.items()}


@pytest.mark.parametrize(("where", "what", "change"), [
    (table, "TOUCH", 0),
    (slow_battle, "TYPES", LONGER),
    (table, "side", lambda of, by: "front"),
    (slow_battle, "OUT", ((1, 1), (0, -1), (0, 1), (1, -1), (1, 0))),
])  # fmt: skip
def test_a_difference_is_noticed(where: Any, what: str, change: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A referee who sees the rules a little differently judges or plays otherwise."""
    monkeypatch.setattr(where, what, change)
    with pytest.raises(AssertionError):
        play_fields()
