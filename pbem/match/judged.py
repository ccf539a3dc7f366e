"""An order whose odds are asked for: read, judged behind those before it, which have no dice, and how it stands."""

from __future__ import annotations

from pbem.errors import IllegalOrder, MalformedOrder, OrderError
from pbem.match.ahead import Ahead
from pbem.match.faults import ERRORS_MAX, line_of, none_asked, spent_twice
from pbem.match.form import with_dice
from pbem.match.illegal import all_illegal
from pbem.match.orders import Act, Part, in_steps, read_parts
from pbem.match.phases import later_phases, why_not_planned
from pbem.match.table import BARE, Table
from pbem.match.take import imagine
from pbem.match.typed import typed
from pbem.match.way import behind, forked
from pbem.records import NamedTuple
from pbem.rules.requests import Choose, Draw, Request, Roll, Words
from pbem.wire.orderfile import as_typed, lines_of
from pbem.words import listed

__all__ = ["Judged", "judged", "wrong"]

NAMED = 3
"""So many orders are named behind which one is refused."""


class Judged(NamedTuple):
    """An order in words, as it would be signed; those before it likewise, and how it stands behind them.

    `left_out` is the closing order behind it, where that brings dice; `closes` the same where it isn't written there.
    """

    words: Words
    before: list[Words]
    there: Table
    left_out: Words = ()
    closes: Words = ()


def judged(table: Table, name: str, text: str) -> Judged:
    """The last order of a text, which this player could give now, or behind the others, none of which has dice.

    A closing order behind it doesn't count, nor what is carried out in a later step. Raises OrderError, the first of
    `wrong`, or Refused when no orders are due from him.
    """
    acts, errors, closing = _read(table, name, text)
    for error in errors:
        raise error
    side, closes = table.genesis.player(name).side, (table.rules.CLOSING,)
    more = closes if acts[-1].words != closes and _has_dice(table, side, closes) else ()
    found = _behind(table, side, acts)
    return found._replace(left_out=more) if closing else found._replace(closes=more)


def wrong(table: Table, name: str, text: str) -> list[OrderError]:
    """All that is wrong with the orders of a text, each judged behind those before it. Raises Refused likewise."""
    return _read(table, name, text)[1]


def _has_dice(table: Table, side: str, closing: Words) -> bool:
    """Whether the closing order can be given as things stand, and brings dice of its own: none that come behind it."""
    asked, order = table.game.request, table.rules.read_order(table.board, side, closing)
    if not isinstance(asked, Choose) or asked.side != side or asked.why_not(order) is not None:
        return False
    there = behind(table, side, [(0, Act(order, closing))]).game
    own = (order, asked.ends.order) if asked.ends is not None else (order,)
    own_dice = there.left is table.game.left or there.begun_by in own
    return isinstance(there.request, Roll | Draw) and own_dice


def _read(table: Table, name: str, text: str) -> tuple[list[Act], list[OrderError], Words]:
    """The orders of a text, what is wrong with them, and the words of a closing order that is left out behind them.

    Raises Refused when no orders are due from the player.
    """
    due, side = table.due_from(name), table.genesis.player(name).side
    if due.what in BARE:
        raise none_asked(due.what)
    statements, unreadable = typed(table.rules, table.board, text)
    parts, errors = read_parts(table.rules, table.board, side, statements, ERRORS_MAX, Ahead(table, side))
    closing = _words(parts[-1][1]) if len(parts) > 1 and _words(parts[-1][1]) == (table.rules.CLOSING,) else ()
    parts = parts[:-1] if closing else parts
    acts = [part for _, part in parts if isinstance(part, Act) and not part.tests]
    found: list[OrderError] = [*unreadable, *errors]
    if not found and (not acts or len(acts) != len(parts)):
        example = f"write for example `{' '.join(with_dice(table, name))}`"
        found.append(MalformedOrder("one order is asked, behind others or alone, without conditions", hint=example))
    alone = len(statements) < 2
    lines = lines_of(text) if found else []
    for error in found:
        error.what = as_typed(error.what, lines, line_of(error))
    found = found or _illegal(table, side, parts) or [*spent_twice(table, side, parts, ())]
    for error in found:
        error.where = "" if alone else error.where
        error.hint = error.hint or (_as_plan(table, side, acts[0]) if acts and alone else "")
    return acts, found, closing


def _illegal(table: Table, side: str, parts: list[tuple[int, Part]]) -> list[OrderError]:
    """What the rules refuse of orders, each with its line and those behind which it is judged."""
    numbered = [(number, part) for number, (_, part) in enumerate(parts, 1)]
    refused = all_illegal(table, side, numbered)[0]
    given = in_steps(table.rules, numbered)
    numbers, left_out = [number for number, _ in given], {line_of(error) for error in refused}
    for error in refused:
        number = line_of(error)
        before = [f"`{' '.join(_words(part))}`" for n, part in given[: numbers.index(number)] if n not in left_out]
        which = listed(before) if len(before) <= NAMED else f"{len(before)} orders"
        error.where = f"line {parts[number - 1][0]}"
        error.what = f"behind {which}: {error.what}" if before else error.what
    return sorted(refused, key=line_of)


def _words(part: Part) -> Words:
    return part.words if isinstance(part, Act) else ()


def _behind(table: Table, side: str, acts: list[Act]) -> Judged:
    """The last of these orders behind those carried out before it. Raises IllegalOrder where that has dice."""
    ordered = in_steps(table.rules, list(enumerate(acts, 1)))
    numbers = [number for number, _ in ordered]
    before = ordered[: numbers.index(len(acts))]
    ended = [] if before else _end_of_step(table, side, acts[-1])
    there = behind(table, side, [*ended, *before]) if before or ended else table
    now, request = table.game.request, there.game.request
    if isinstance(request, Choose):
        request = _declared_before(there, side, acts[-1]) or request
    if not isinstance(request, Choose) or request.side != side:
        where = f"between the {now.kind}, asked now, and it" if ended and isinstance(now, Choose) else "before it"
        what = f"`{' '.join(acts[-1].words)}`: {_comes_between(request)} {where}"
        raise IllegalOrder(what, hint="`pbem check FILE` tells what orders come to behind it")
    return Judged(acts[-1].words, [_words(part) for _, part in before], there)


def _declared_before(there: Table, side: str, act: Act) -> Roll | None:
    """The first dice that fall when an order is carried out, where those are of another one, declared before it.

    Not where it is declared too: then its own fall in the same breath, and are counted with these.
    """
    ahead = forked(there)
    imagine(ahead, side, [(1, act)], lambda _: None)
    request = ahead.game.request
    own = isinstance(request, Roll) and act.order in (request.of, *request.behind)
    return request if isinstance(request, Roll) and request.of is not None and not own else None


def _end_of_step(table: Table, side: str, act: Act) -> list[tuple[int, Part]]:
    """What ends the step in which a side is asked before an order of a later one, where nothing was begun in it."""
    rules, asked = table.rules, table.game.request
    ends = asked.ends if isinstance(asked, Choose) and asked.side == side else None
    if ends is None or ends.begun or rules.step(act.order) <= ends.step:
        return []
    if isinstance(asked, Choose) and act.words == (rules.CLOSING,) and asked.why_not(act.order) is None:
        return []  # it ends the step itself
    return [(0, Act(ends.order, rules.order_words(table.board, ends.order)))]


def _comes_between(request: Request | None) -> str:
    """What comes before an order that isn't asked next, in words."""
    if request is None:
        return "the game ends"
    return "dice fall" if isinstance(request, Roll | Draw) else "my opponent decides"


def _as_plan(table: Table, side: str, act: Act) -> str:
    """How it is told what an order comes to that can't be given now but in a later phase; "" for others."""
    rules, request, (_, now) = table.rules, table.game.request, table.rules.clock(table.game.state)
    closing = rules.read_order(table.board, side, (rules.CLOSING,))
    closes = isinstance(request, Choose) and request.side == side and request.why_not(closing) is None
    if not closes or rules.why_never(table.game.state, side, now, act.order) is None:
        return ""
    before = [f"{rules.CLOSING};"]
    for name in later_phases(table, side):
        if why_not_planned(table, side, name, act.order) is None:
            plan = " ".join([*before, f"in {name}:", *act.words])
            return f"`pbem check` tells what is known of it as a plan, `{plan}`"
        before.append(f"in {name}: {rules.CLOSING};")
    return ""
