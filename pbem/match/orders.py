"""The order language: orders, conditions, standing orders and stop rules (protocol 2.3, architecture 5).

    ORDER;                         in the words of the system
    if TEST [and TEST ...] then ORDER;
    stop if TEST [and TEST ...];   the rest is dropped, the next decision is mine again
    stop whenever TEST [...];      the same at any moment from then on at which it comes to hold, as long as orders wait
    standing WORDS;                what my units do when the other side's action asks me, until replaced
    strict;                        the first order that lapses is a stop
    say WORDS;                     talk, under the signature
    CLOSING;                       the system's own word (Rules.CLOSING) ends what is asked: behind it talk and plans
    in PHASE: STATEMENT;           a plan: an order, with a condition or without, `stop` or `strict`, for the next time
                                   in this turn that my side is asked for orders in that phase, until I decide again

TEST is one of the system's conditions (Rules.CONDITIONS), as `gone U` or `at U HEX`, perhaps with `not` before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeAlias, TypeGuard

from pbem.errors import MalformedOrder, OrderError
from pbem.records import NamedTuple
from pbem.rules import Board, Rules
from pbem.rules.requests import Order, Words
from pbem.wire.statements import Statement

__all__ = [
    "TO",
    "Act",
    "Condition",
    "Part",
    "Plan",
    "Reader",
    "Say",
    "Standing",
    "StopIf",
    "Strict",
    "in_steps",
    "order_of",
    "read_canonical",
    "read_for",
    "read_parts",
    "short_phase",
    "statement_of",
    "when",
    "why_not_in_react",
    "words_in",
]

TO = "to"
"""Stands before the place to which an order goes by whatever way."""

WHENEVER = "whenever"
"""Stands behind `stop` in place of `if` where the condition is watched from then on."""

PHASE = "[a-z][a-z0-9-]{0,47}"
"""The pattern of a phase in a plan."""


class Condition(NamedTuple):
    """A condition; `expected` is False behind `not`."""

    expected: bool
    words: Words


class Act(NamedTuple):
    """An order of the system, carried out if all `tests` hold when its turn comes."""

    order: Order
    words: Words
    tests: tuple[Condition, ...] = ()


class StopIf(NamedTuple):
    """Drop the rest if all `tests` hold when its turn comes; `whenever` they come to hold before any decision."""

    tests: tuple[Condition, ...]
    whenever: bool = False


class Standing(NamedTuple):
    """A standing order, its words with full ids."""

    words: Words


class Strict(NamedTuple):
    """The first order that lapses drops the rest."""


class Say(NamedTuple):
    """Talk under the signature."""

    words: Words


def short_phase(side: str, phase: str) -> str:
    """A phase by its id without the side's in front, as plans of the side name it; they may name it by its id, too."""
    return phase.removeprefix(f"{side}-")


class Plan(NamedTuple):
    """A part for a later phase, by either of its names."""

    phase: str
    part: Act | StopIf | Strict


WATCHED = 30
"""So many tests may the `stop whenever` of an entry have (protocol 4.9): each is made before every decision."""

Part: TypeAlias = Act | StopIf | Standing | Strict | Say | Plan


Read: TypeAlias = Callable[[Words, str, tuple["Condition", ...]], Order]
"""The order that words mean, in the phase for which it is planned, "" for one that isn't, behind these conditions."""


class Reader(Protocol):
    """Reads orders as people write them: `read` each, then `follow` with what stands there."""

    def read(self, words: Words, phase: str, tests: tuple[Condition, ...], /) -> Order:
        """The order that words mean, in the phase for which it is planned, "" for none, behind conditions.

        Raises OrderError.
        """

    def follow(self, line: int, statement: Statement, part: Part, /) -> None:
        """Go on behind a part that was read from a statement."""


def read_parts(
    rules: Rules,
    board: Board,
    side: str,
    statements: Iterable[tuple[int, Statement]],
    most_errors: int = 5000,
    reader: Reader | None = None,
) -> tuple[list[tuple[int, Part]], list[OrderError]]:
    """The parts of an entry's body, and every error with its line or statement number, up to so many and a last one.

    A `reader` reads the orders of an order file; without one they are read as they are signed. In a file standing
    orders, which are for no phase, may stand behind the closing order; they are signed before it.
    """
    read = reader.read if reader is not None else lambda words, phase, _: read_for(rules, board, side, words, phase)
    parts: list[tuple[int, Part]] = []
    errors: list[OrderError] = []
    ended: dict[str, int] = {}
    shut: dict[str, dict[int, tuple[int, str]]] = {}
    planned: dict[int, tuple[int, str]] = {}
    watched = 0
    for number, statement in statements:
        words = (statement.keyword, *statement.tokens)
        if len(errors) == most_errors:
            errors.append(MalformedOrder("too many errors; from here on nothing is read", f"line {number}"))
            break
        try:
            phase = short_phase(side, statement.tokens[0]) if statement.keyword == "in" and statement.tokens else ""
            moves = reader is not None and statement.keyword == "standing"
            if phase in ended and statement.keyword != "say" and not moves:
                raise MalformedOrder(
                    f"`{' '.join(words)}` stands behind the `{rules.CLOSING}` of line {ended[phase]}", hint="move it up"
                )
            part = _read(rules, board, side, words, read)
            if reader is not None:  # what is signed lapses when its turn comes
                _shut(rules, part, words, number, shut.setdefault(phase, {}))
                _shut_plan(rules, part, number, shut.get("", {}), planned)
            watched += _watched(part)
            if watched > WATCHED:
                what = f"the `stop {WHENEVER}` of an entry have {WATCHED} tests at most together"
                raise MalformedOrder(what, hint="leave some out, or write `stop if`")
        except OrderError as error:
            errors.append(error.inside(f"line {number}"))
            continue
        here = part.part if isinstance(part, Plan) else part
        if _closes(here, rules) and not here.tests:
            ended[phase] = number
        late = isinstance(part, Standing) and "" in ended
        parts.insert(_closing_place(parts, rules) if late else len(parts), (number, part))
        if reader is not None:
            reader.follow(number, statement, part)
    return parts, errors


def _shut(rules: Rules, part: Part, words: Words, number: int, shut: dict[int, tuple[int, str]]) -> None:
    """Refuse an order behind one that has ended its step for good; `shut` has for such a step the line and its words.

    Raises MalformedOrder.
    """
    here = part.part if isinstance(part, Plan) else part
    if not isinstance(here, Act) or here.words == (rules.CLOSING,):
        return
    step = rules.step(here.order)
    if here.words in rules.SHUTTING:
        if not here.tests:
            shut.setdefault(step, (number, " ".join(here.words)))
    elif step in shut:
        line, closing = shut[step]
        raise MalformedOrder(f"`{' '.join(words)}` stands behind the `{closing}` of line {line}", hint="move it up")


def _shut_plan(
    rules: Rules, part: Part, number: int, shut: dict[int, tuple[int, str]], planned: dict[int, tuple[int, str]]
) -> None:
    """Refuse an order that ends a step for good beside a plan for the phase of that step.

    `planned` has for such a step the line and the words of its first plan. Raises MalformedOrder.
    """
    act = order_of(part)
    if act is None or act.words == (rules.CLOSING,):
        return
    words, step = str(statement_of(part)).removesuffix(";"), rules.step(act.order)
    if isinstance(part, Plan):
        planned.setdefault(step, (number, words))
    shuts = act.words in rules.SHUTTING and not act.tests
    other = shut.get(step) if isinstance(part, Plan) else planned.get(step) if shuts else None
    if other is not None:
        line, said = other
        what = f"`{words}` and `{said}` of line {line} contradict each other"
        why = "one plans for a step, one does nothing in it"
        raise MalformedOrder(f"{what}: {why}", hint="leave one of them out")


def _watched(part: Part) -> int:
    """How many tests are looked at before every decision for a part."""
    here = part.part if isinstance(part, Plan) else part
    return len(here.tests) if isinstance(here, StopIf) and here.whenever else 0


def _closing_place(parts: Sequence[tuple[int, Part]], rules: Rules) -> int:
    """Where among parts the closing order stands that has no condition."""
    return next(place for place, (_, part) in enumerate(parts) if _closes(part, rules) and not part.tests)


def _closes(part: Part, rules: Rules) -> TypeGuard[Act]:
    """Whether a part is the closing order, with a condition or without."""
    return isinstance(part, Act) and part.words == (rules.CLOSING,)


def read_canonical(rules: Rules, board: Board, side: str, body: Iterable[Statement]) -> list[tuple[int, Part]]:
    """The parts of a signed body: full ids are demanded, so that the signed words are what is carried out.

    Raises the first OrderError; its place is the statement's number.
    """
    statements = list(enumerate(body, 1))
    parts, errors = read_parts(rules, board, side, statements, most_errors=1)
    if errors:
        errors[0].where = errors[0].where.replace("line", "statement", 1)
        raise errors[0]
    for (number, statement), (_, part) in zip(statements, parts, strict=True):
        if statement_of(part) != statement:
            raise _otherwise(statement, statement_of(part), f"statement {number}")
    return parts


def _otherwise(statement: Statement, right: Statement, where: str) -> MalformedOrder:
    """Why a signed statement is refused whose words aren't those that it means: too many, too few, or too long."""
    both = next(
        ((word, full) for word, full in zip(statement.tokens, right.tokens, strict=False) if word != full), ("", "")
    )
    number = all(word.replace(".", "", 1).isdigit() for word in both)
    what = "the order isn't written in full"
    if number:
        what = f"the number {both[0]} isn't written as short as it can be"
    elif len(statement.tokens) > len(right.tokens):
        what = "the order has more words than it needs"
    return MalformedOrder(what, where, f"in full it is `{' '.join((right.keyword, *right.tokens))}`")


def in_steps(rules: Rules, parts: Sequence[tuple[int, Part]]) -> list[tuple[int, Part]]:
    """An entry's parts as they are carried out: orders by the steps of their phase, in each as they stand.

    Nothing passes a `stop if` or a closing order. `strict` goes with the order behind it, `standing`, `say` and `stop
    whenever` stay where they are.
    """
    slots: list[int] = []
    found = list(parts)
    for place, (_, part) in enumerate(parts):
        if (isinstance(part, StopIf) and not part.whenever) or _closes(part, rules):
            _sort_steps(rules, found, slots)
            slots = []
        elif isinstance(part, Act | Strict):
            slots.append(place)
    _sort_steps(rules, found, slots)
    return found


def _sort_steps(rules: Rules, parts: list[tuple[int, Part]], slots: list[int]) -> None:
    """Sort what stands in these slots by step, stably."""
    step = max((rules.step(part.order) for place in slots if isinstance(part := parts[place][1], Act)), default=0)
    keys = []
    for place in reversed(slots):
        part = parts[place][1]
        step = rules.step(part.order) if isinstance(part, Act) else step
        keys.append((step, place))
    moved = [parts[place] for _, place in sorted(keys)]
    for place, numbered in zip(slots, moved, strict=True):
        parts[place] = numbered


def words_in(parts: Iterable[tuple[int, Part]]) -> int:
    """How many words parts have."""
    return sum(1 + len(statement_of(part).tokens) for _, part in parts)


def statement_of(part: Part) -> Statement:
    """The canonical statement of a part; the inverse of reading it."""
    match part:
        case Act(_, words, tests):
            if tests:
                return Statement("if", (*_test_words(tests), "then", *words))
            return Statement(words[0], words[1:])
        case StopIf(tests, whenever):
            return Statement("stop", (WHENEVER if whenever else "if", *_test_words(tests)))
        case Standing(words):
            return Statement("standing", words)
        case Say(words):
            return Statement("say", words)
        case Strict():
            return Statement("strict", ())
        case Plan(phase, planned):
            inside = statement_of(planned)
            return Statement("in", (f"{phase}:", inside.keyword, *inside.tokens))


def order_of(part: Part | None) -> Act | None:
    """The order that a part gives, planned or not; None for one that gives none."""
    inside = part.part if isinstance(part, Plan) else part
    return inside if isinstance(inside, Act) else None


def when(part: Part) -> Words:
    """The words that stand before those of a planned order: `in melee:`; none of another one."""
    return ("in", f"{part.phase}:") if isinstance(part, Plan) else ()


def why_not_in_react(part: Part) -> str | None:
    """Why a part can't stand in a react; None when it can."""
    if isinstance(part, StopIf | Strict):
        return f"`{statement_of(part).keyword}` has no meaning in answers to the other side"
    return None


def _read(rules: Rules, board: Board, side: str, words: Words, read: Read) -> Part:
    match words:
        case ("if", *rest):
            tests, behind = _read_tests(rules, board, tuple(rest))
            if behind[:1] != ("then",) or len(behind) < 2:
                what = "`then` is" if len(behind) > 1 else "`then` and an order are"
                meant = _in_full(rules, board, behind[behind[:1] == ("then",) :], read)
                raise MalformedOrder(
                    f"`{' '.join(words)}`: {what} missing behind the condition", hint=_hint_if(tests, meant)
                )
            return _read_act(rules, board, behind[1:], tests, read)
        case ("stop", "if" | "whenever" as word, *rest):
            tests, behind = _read_tests(rules, board, tuple(rest))
            if behind:
                right = f"stop {word} {' '.join(_test_words(tests))}"
                raise MalformedOrder(f"`{' '.join(words)}`: `{behind[0]}` is too much", hint=f"write `{right}`")
            return StopIf(tests, word == WHENEVER)
        case ("stop", *_):
            raise MalformedOrder(f"`{' '.join(words)}`: `stop` needs a condition", hint="write `stop if TEST`")
        case ("standing", *rest):
            return Standing(rules.read_standing(board, side, tuple(rest)))
        case ("strict",):
            return Strict()
        case ("strict", *_):
            raise MalformedOrder(f"`{' '.join(words)}`: `strict` stands alone", hint="write `strict`")
        case ("say", *rest):
            return Say(tuple(rest))
        case ("in", *rest):
            return _read_plan(rules, board, side, tuple(rest), read)
        case _:
            return _read_act(rules, board, words, (), read)


def _read_plan(rules: Rules, board: Board, side: str, words: Words, read: Read) -> Plan:
    """A plan from what stands behind `in`."""
    if not words or not words[0].endswith(":") or not re.fullmatch(PHASE, words[0][:-1]):
        raise MalformedOrder("`in` needs a phase with `:` behind it", hint="write `in PHASE: ORDER`")
    if len(words) == 1:
        raise MalformedOrder(f"an order is missing behind `in {words[0]}`", hint=f"write `in {words[0]} ORDER`")
    if words[1] in ("standing", "say", "in"):
        raise MalformedOrder(f"`{words[1]}` can't stand behind `in {words[0]}`", hint="give it a statement of its own")
    phase = words[0][:-1]
    part = _read(rules, board, side, words[1:], lambda words, _, tests: read(words, phase, tests))
    assert isinstance(part, Act | StopIf | Strict)  # noqa: S101 all others are refused above
    return Plan(phase, part)


def read_for(rules: Rules, board: Board, side: str, words: Words, phase: str) -> Order:
    """An order as it is signed, of a plan for a phase where no way by `to` is known, "" for none. Raises OrderError."""
    try:
        return rules.read_order(board, side, words)
    except OrderError:
        if phase and TO in words[2:-1]:
            what = f"where `{TO}` leads isn't known before `in {phase}:` comes"
            raise MalformedOrder(what, hint="write every hex of the way behind the unit") from None
        raise


def _read_act(rules: Rules, board: Board, words: Words, tests: tuple[Condition, ...], read: Read) -> Act:
    if words[0] in ("if", "stop", "standing", "strict", "say", "in"):
        said = " ".join(("if", *_test_words(tests), "then", *words))
        raise MalformedOrder(f"`{said}`: `{words[0]}` can't stand behind a condition", hint=_instead(tests, words))
    order = read(words, "", tests)
    return Act(order, rules.order_words(board, order), tests)


def _in_full(rules: Rules, board: Board, words: Words, read: Read) -> Words:
    """The words of an order with full ids and numbers, as conditions have them; as they are written if it can't be read
    by itself."""
    try:
        return rules.order_words(board, read(words, "", ())) if words else ()
    except OrderError:
        return words


def _hint_if(tests: tuple[Condition, ...], order: Words) -> str:
    """How an order, of which this is written, stands behind these conditions."""
    return f"write `if {' '.join(_test_words(tests))} then {' '.join(order) or 'ORDER'}`"


def _instead(tests: tuple[Condition, ...], words: Words) -> str:
    """How a statement is written that can't stand behind these conditions."""
    both = " ".join(_test_words(tests))
    if words[:1] == ("if",):
        return f"write `if {both} and {' '.join(words[1:]) or 'TEST then ORDER'}`"
    if words[:2] == ("stop", "if"):
        return f"write `stop if {both} and {' '.join(words[2:]) or 'TEST'}`"
    if words[0] == "in":
        return f"write `in {words[1] if len(words) > 1 else 'PHASE:'} if {both} then {' '.join(words[2:]) or 'ORDER'}`"
    return f"write `{' '.join(words)}` by itself; behind `if {both} then` stands an order"


def _read_tests(rules: Rules, board: Board, words: Words) -> tuple[tuple[Condition, ...], Words]:
    """The conditions at the beginning of `words`, and the words behind them."""
    tests: list[Condition] = []
    while True:
        expected = words[:1] != ("not",)
        words = words if expected else words[1:]
        if not words or words[0] not in rules.CONDITIONS:
            known = f"there are: {', '.join(rules.CONDITIONS)}, perhaps behind `not`"
            what = f"`{words[0]}` is no condition" if words else "a condition is missing"
            raise MalformedOrder(what, hint=known)
        end = len(rules.CONDITIONS[words[0]].split())
        if len(words) < end or not {"then", "and"}.isdisjoint(words[1:end]):
            what = f"`{words[0]}` needs {'a word' if end == 2 else f'{end - 1} words'} behind it"
            raise MalformedOrder(what, hint=f"write `{rules.CONDITIONS[words[0]]}`")
        tests.append(Condition(expected, rules.read_test(board, words[:end])))
        words = words[end:]
        if words[:1] != ("and",):
            return tuple(tests), words
        words = words[1:]


def _test_words(tests: tuple[Condition, ...]) -> Words:
    words: list[str] = []
    for number, test in enumerate(tests):
        words += ["and"] if number else []
        words += [] if test.expected else ["not"]
        words += test.words
    return tuple(words)
