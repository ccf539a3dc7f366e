"""Players that are programs: each gives legal orders for what is due."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from pbem.errors import Refused
from pbem.match.chances import Steady, chance_answer
from pbem.match.check import check
from pbem.match.course import SPENT
from pbem.match.orders import Act
from pbem.match.steady import Progress, chosen, silent
from pbem.match.table import BARE, Table
from pbem.match.take import imagine
from pbem.rules import State
from pbem.rules.requests import Chance, Choose, Order, Words

__all__ = ["BOTS", "Row", "suggest", "try_set_up", "without_lapses"]

MOST_ORDERS = 400
"""Orders of one entry; beyond them the phase is left open."""

SETUP = "setup"
"""The kind of a request for places, in every system that has set-ups."""

IN_A_ROW = 40
"""Entries of orders that one player gives in one phase, without the other's between them, at most: a bot needs two."""

TRIED, MOSTLY = 50, 0.7
"""Futures in which a suggestion is tried, and the share of them above which an order that lapses is left out of it."""

FUTURES = 1
"""Futures besides that for which a bot plans a whole turn, in which its orders must be legal, too."""

STRICT: Words = ("strict",)
"""Stands before a plan that ends a whole turn: where it doesn't come as it was thought the bot is asked again."""

WAITS = 6
"""How often a bot that has nothing to do yet ends its step before it is asked again."""

Bot = Callable[[Table, str, Chance, Progress], list[Words]]


def suggest(table: Table, name: str, bot: str, chance: Chance, progress: Progress = silent) -> list[Words]:
    """Orders by a bot for the player; none when only a reveal is due. Raises Refused when nothing is due from him."""
    if bot not in BOTS:
        raise Refused(f"no bot is called {bot}", hint="there are: " + ", ".join(sorted(BOTS)))
    due = table.due_from(name)
    return BOTS[bot](table, name, chance, progress) if due.what not in BARE else []


def without_lapses(table: Table, name: str, orders: list[Words], chance: Chance) -> list[Words]:
    """A bot's orders, made for the dice of one future, but those that lapse in more than seven of ten futures.

    Of the places that it gave a unit in a set-up one after another the last is left.
    """
    request = table.game.request
    if isinstance(request, Choose) and request.kind == SETUP:
        last = {words[:2]: place for place, words in enumerate(orders)}
        orders = [words for place, words in enumerate(orders) if last[words[:2]] == place]
    text = "".join(f"{' '.join(words)};\n" for words in orders)
    lapses = check(table, name, text, chance, TRIED).lapses if orders else []
    mostly = {lapse.line for lapse in lapses if lapse.share > MOSTLY and not lapse.without}
    return [words for line, words in enumerate(orders, 1) if line not in mostly]


def try_set_up(table: Table) -> None:
    """Set both sides up at random, on a copy. Raises BadScenario where no place is found: then a bot finds none."""
    game, chance = table.game.fork(), Steady(1)
    while isinstance(request := game.request, Choose) and request.kind == SETUP:
        game.apply(request.sample(chance))


class Row:
    """Counts the entries that a bot gives one after another in a phase, to notice one that comes to no end."""

    def __init__(self) -> None:
        self._at: tuple[str, int, str] | None = None
        self._entries = 0

    def count(self, table: Table, name: str, what: str) -> None:
        """Count an entry of what is due from a bot. Raises Refused for one too many."""
        if what in BARE:
            return
        at = (name, *table.rules.clock(table.game.state))
        self._entries = self._entries + 1 if at == self._at else 1
        self._at = at
        if self._entries > IN_A_ROW:
            _, turn, phase = at
            unit = table.rules.TURN
            what = f"{name} gives one entry after another in {phase} of {unit} {turn}, and none of them ends it"
            raise Refused(what, hint="this is a defect of the bot or of the scenario: another bot may find an end")


def random_bot(table: Table, name: str, chance: Chance, _: Progress = silent) -> list[Words]:
    """Legal orders at random."""
    return _orders(table, name, chance, lambda _, request: request.sample(chance))


def bold_bot(table: Table, name: str, chance: Chance, _: Progress = silent) -> list[Words]:
    """Sensible orders by the rules of thumb that the system has for a computer player, standing orders first."""
    return _orders(table, name, chance, lambda state, request: table.rules.advise(state, request, chance), stance=True)


def steady_bot(table: Table, name: str, chance: Chance, progress: Progress = silent) -> list[Words]:
    """Orders by the rule of thumb that has proved itself the best in play-outs of the phase (steady)."""
    game, side = table.game, table.genesis.player(name).side
    style = chosen(game, side, chance.randrange(2**31), progress)
    return _orders(
        table, name, chance, lambda state, request: table.rules.advise(state, request, chance, style), stance=True
    )


def _orders(
    table: Table, name: str, chance: Chance, pick: Callable[[State, Choose], Order], *, stance: bool = False
) -> list[Words]:
    """The orders picked for one possible future of the dice; in another some may lapse.

    They go on over all steps of what is asked in one window, else as long as the same is asked. Steps end of
    themselves as orders of a later one follow; what is asked in steps is closed by the last order. Where the other side
    is asked in between, in the same window, it is taken to do nothing but what it has laid ready. Answers end where a
    standing order answers, which is asked behind them. With `stance` standing orders come first, as they are right
    behind the orders; and where they would last over all that the other side does in the turn those are left out that
    can't be given with other dice, with all others of their units and all of later steps, and the side is asked again.
    So it is where one lapses of those that end the turn, and where it doubts what came of one (Rules.doubts).
    """
    ahead = table.fork()
    ahead.course.going_on = True
    side = table.genesis.player(name).side
    request = ahead.game.request
    kind, window = (request.kind, request.window) if isinstance(request, Choose) else ("", "")
    reaction = isinstance(request, Choose) and request.reaction
    orders: list[Words] = []
    ends: set[int] = set()
    steps: list[int] = []
    stepped, missing = False, None
    hanging: set[int] = set()
    hung: set[str] = set()
    units = set(table.rules.of_side(table.board)[side])
    doubts: list[list[Words]] = []
    others = _others(ahead, chance) if stance and window == f"{ahead.rules.clock(ahead.game.state)[0]}" else []
    while len(orders) < MOST_ORDERS:
        request = ahead.game.request
        if not isinstance(request, Choose):
            break
        if request.side != side:
            if not _idle(ahead, request, window, chance):
                break
            continue
        if request.window != window if window else request.kind != kind:
            break  # a later turn asks the same once more
        stepped = stepped or request.ends is not None
        order = pick(ahead.game.state, request)
        if missing is not None and table.rules.step(order) > missing:
            break
        words = table.rules.order_words(table.board, order)
        closes = request.ends is not None and order == request.ends.order
        able = sum(_given(other, side, window, order, dice, pick, closes=closes) for other, dice in others)
        hangs = able < len(others)
        if orders and (hangs or hung.intersection(words)):
            hanging.add(len(orders))
            missing = table.rules.step(order)
            hung |= units.intersection(words)
        if closes:
            ends.add(len(orders))
        orders.append(words)
        steps.append(table.rules.step(order))
        imagine(ahead, side, [(0, Act(order, words))], lambda chance_node: chance_answer(chance_node, chance))
        doubts.append(_stops(ahead, side, order) if others else [])
        if words == (table.rules.CLOSING,) or (reaction and _answers_itself(ahead, side)):
            break
    kept = [n for n in range(len(orders)) if n not in hanging and not _of_itself(n, ends, steps)]
    given = [words for number in kept for words in (orders[number], *doubts[number])]
    closing = (table.rules.CLOSING,)
    if missing is not None:
        given = _open(given) or orders[:1] * (WAITS if 0 in ends else 1)
    elif stepped and given[-1:] != [closing]:
        given = [*given, closing]
    said = [*_standing(ahead, side), *[STRICT] * _ends_early(given, closing, others)] if stance and not reaction else []
    return [*said, *given]


def _of_itself(number: int, ends: Collection[int], steps: Sequence[int]) -> bool:
    """Whether an order ends a step that ends of itself, as none of that step follows: else it is a pass for once."""
    later = (at for at in range(number + 1, len(steps)) if at not in ends)
    return number in ends and all(steps[at] > steps[number] for at in later)


def _stops(ahead: Table, side: str, order: Order) -> list[Words]:
    """Where the rest of a plan is dropped behind an order that has just been carried out."""
    return [("stop", "if", *test) for test in ahead.rules.doubts(ahead.game.state, side, order)]


def _ends_early(given: Sequence[Words], closing: Words, others: Sequence[object]) -> bool:
    """Whether orders end a whole turn behind others, of which each may lapse."""
    return bool(others) and len(given) > 1 and given[-1] == closing


def _open(given: Sequence[Words]) -> list[Words]:
    """Orders behind which the side is asked again: nothing stops behind the last."""
    last = max((number for number, words in enumerate(given, 1) if words[0] != "stop"), default=0)
    return [*given[:last]]


def _idle(ahead: Table, request: Choose, window: str, chance: Chance) -> bool:
    """Let the other side end its step where it is asked in the same window, so that a plan for all of it can be made.

    What it has laid ready is carried out before it is asked.
    """
    if request.reaction or request.ends is None or not window or request.window != window:
        return False
    order = request.ends.order
    act = Act(order, ahead.rules.order_words(ahead.board, order))
    imagine(ahead, request.side, [(0, act)], lambda chance_node: chance_answer(chance_node, chance))
    return True


def _others(ahead: Table, chance: Chance) -> list[tuple[Table, Steady]]:
    """The same position some more times, each with dice of its own."""
    return [(ahead.fork(), Steady(chance.randrange(2**31))) for _ in range(FUTURES)]


def _given(
    other: Table,
    side: str,
    window: str,
    order: Order,
    dice: Steady,
    pick: Callable[[State, Choose], Order],
    *,
    closes: bool = False,
) -> bool:
    """Whether an order can be given with other dice as well, where it is carried out then.

    The other side ends its steps, and the side those that its order comes behind. The end of a step, which `closes`
    it, is only given where nothing else would be, in none of the steps before it either, and may have come already.
    """
    for _ in range(MOST_ORDERS):
        request = other.game.request
        if not isinstance(request, Choose):
            return closes
        if request.side != side:
            if not _idle(other, request, window, dice):
                return closes and request.window != window
            continue
        if request.window != window or request.ends is None or other.rules.step(order) <= request.ends.step:
            break
        if closes and pick(other.game.state, request) != request.ends.order:
            return False
        act = Act(request.ends.order, other.rules.order_words(other.board, request.ends.order))
        imagine(other, side, [(0, act)], lambda chance_node: chance_answer(chance_node, dice))
    if not isinstance(request, Choose) or request.window != window:
        return closes
    if request.why_not(order) is not None:
        return closes and other.rules.remainder(other.game.state, side, order) == SPENT
    if closes and request.ends is not None and order == request.ends.order and pick(other.game.state, request) != order:
        return False
    act = Act(order, other.rules.order_words(other.board, order))
    imagine(other, side, [(0, act)], lambda chance_node: chance_answer(chance_node, dice))
    return True


def _answers_itself(table: Table, side: str) -> bool:
    """Whether a standing order of a side has answered last, or the rules for it: what is said besides is too late."""
    made = [step for step in table.steps if step["kind"] == "answer" and step["side"] == side]
    return bool(made) and made[-1]["how"] != "react"


def _standing(table: Table, side: str) -> list[Words]:
    """The standing orders that a computer player adds to its own while the game goes on."""
    if table.game.request is None:
        return []
    orders = table.rules.in_force(table.game.state, table.course.standing[side])
    return [("standing", *words) for words in table.rules.stance(table.game.state, side, orders)]


BOTS: dict[str, Bot] = {"random": random_bot, "bold": bold_bot, "steady": steady_bot}
