"""Orders that are refused before the first possible roll: by the rules, or as their phase is over behind others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.errors import IllegalOrder, MalformedOrder, OrderError
from pbem.match.orders import Act, Part, Plan, Strict, order_of, short_phase, statement_of, when
from pbem.match.phases import never_left, phases_of
from pbem.match.prospects import Lapse, lost
from pbem.match.table import Table
from pbem.match.take import imagine
from pbem.match.way import Way, forked, imagined
from pbem.rules.requests import Choose

__all__ = ["all_illegal", "is_told", "overtaken", "refusal"]

ROUNDS = 20
"""So often orders are judged anew without those that would go on without a part."""


def all_illegal(
    table: Table, side: str, parts: list[tuple[int, Part]]
) -> tuple[list[OrderError], list[tuple[int, Part]]]:
    """The orders that the rules refuse before the first possible roll, and the parts without them.

    One that would go on without a part of it isn't carried out at all: those behind it, and behind its dice, are judged
    as if it weren't given.
    """
    wrong: list[OrderError] = []
    for left in range(ROUNDS, 0, -1):
        found = _illegal(table, side, parts)
        first = next((place for place, lapse in enumerate(found, 1) if lapse.without), len(found))
        found = found[:first] if left > 1 else found
        wrong += [_error(parts, lapse) for lapse in found]
        lapsed = {lapse.line - 1 for lapse in found}
        parts = [part for place, part in enumerate(parts) if place not in lapsed]
        if not any(lapse.without for lapse in found):
            break
    return wrong, parts


def _illegal(table: Table, side: str, parts: list[tuple[int, Part]]) -> list[Lapse]:
    """What is refused up to the first possible roll, by the part's number; `strict` would hide all but the first."""
    ahead, found = forked(table), list[Lapse]()
    places = list(enumerate((part for _, part in parts), 1))
    imagine(ahead, side, [(place, part) for place, part in places if not isinstance(part, Strict)], lambda _: None)
    for lapse in lost(ahead.steps):
        if not is_told(lapse, places, tuple(map(refusal, found))):
            found.append(lapse)
    return found


def is_told(lapse: Lapse, parts: Iterable[tuple[int, Part]], told: Iterable[str]) -> bool:
    """Whether it is the end of the step before an order that lapses, and that has been told of another one."""
    return _of_itself(lapse, (part for line, part in parts if line == lapse.line)) and any(
        what.endswith(refusal(lapse)) for what in told
    )


def _of_itself(lapse: Lapse, given: Iterable[Part]) -> bool:
    """Whether it isn't one of the orders given that lapses, but the end of the step before them."""
    acts = [act for part in given if (act := order_of(part)) is not None]
    return not lapse.without and all(not act.tests and act.words != lapse.words for act in acts)


def _error(parts: list[tuple[int, Part]], lapse: Lapse) -> IllegalOrder:
    """The error of a part that is refused."""
    line, part = parts[lapse.line - 1]
    words = " ".join((*when(part), *lapse.words))
    if (act := order_of(part)) is not None and _of_itself(lapse, [part]):
        words = f"{' '.join((*when(part), *act.words))}` ends the step first, by `{words}"
    return IllegalOrder(refusal(lapse._replace(words=(words,))), f"line {line}", "", lapse.clause)


def refusal(lapse: Lapse) -> str:
    return f"`{' '.join(lapse.words)}`: {lapse.reason}"


def overtaken(table: Table, side: str, parts: list[tuple[int, Part]]) -> dict[int, OrderError]:
    """The orders whose phase is over behind those before them, by their place from 0, each with its error.

    They wait where the other player decides next, and would be told to him as orders to come. Only those of a decision
    with later steps: of others nothing outlasts the phase.
    """
    asked = table.game.request
    if not isinstance(asked, Choose) or asked.ends is None:
        return {}
    ahead = imagined(table, side, parts)
    wrong = dict(_over(ahead, side, parts))
    Way(side).on(ahead, lambda _: None)
    return wrong | dict(_behind_ends(table, side, parts, ahead))


def _over(ahead: Table, side: str, parts: list[tuple[int, Part]]) -> Iterator[tuple[int, OrderError]]:
    """Those that wait before a decision of the other player, and can be given in no phase that is left of the turn."""
    request = ahead.game.request
    if not isinstance(request, Choose) or request.reaction or request.side == side:
        return
    judge, closing = never_left(ahead, side), (ahead.rules.CLOSING,)
    ending = type(request.ends.order) if request.ends is not None else None
    for number, part in ahead.course.queues[side]:
        if not isinstance(part, Act) or part.words == closing or type(part.order) is ending:
            continue
        if judge(part.order) is not None:
            why = ahead.course.why_over(side, part)
            what = f"`{_said(part)}`: {why.reason}"
            yield number - 1, IllegalOrder(what, f"line {parts[number - 1][0]}", "", why.clause)


def _behind_ends(
    table: Table, side: str, parts: list[tuple[int, Part]], ahead: Table
) -> Iterator[tuple[int, OrderError]]:
    """Those that stand behind an order of their step which ends the phase in which they could be given."""
    rules, state = table.rules, table.game.state
    own = {phase["id"] for phase in phases_of(table) if phase["side"] == side}  # a pass ends none that both share
    ends = [step for step in ahead.steps if "ends" in step and step["number"] and step["phase"] in own]
    for number, phase in ((step["number"], step["phase"]) for step in ends):
        line, end = parts[number - 1]
        for place, (at, part) in enumerate(parts[number:], number):
            act = _of_same_step(table, side, end, part)
            if act is not None and rules.why_never(state, side, phase, act.order) is None:
                what = f"`{_said(part)}` stands behind the `{_said(end)}` of line {line}"
                yield place, MalformedOrder(what, f"line {at}", "move it up")


def _of_same_step(table: Table, side: str, end: Part, part: Part) -> Act | None:
    """The order of a part that belongs to the step which another part surely ends; None for none, or another end."""
    ending, act = order_of(end), order_of(part)
    if ending is None or act is None or ending.tests or type(act.order) is type(ending.order):
        return None
    alike = table.rules.step(act.order) == table.rules.step(ending.order)
    return act if alike and _phase(side, part) == _phase(side, end) else None


def _phase(side: str, part: Part) -> str:
    """The phase for which a part is planned; "" for none."""
    return short_phase(side, part.phase) if isinstance(part, Plan) else ""


def _said(part: Part) -> str:
    """A part as it will be signed."""
    return str(statement_of(part)).removesuffix(";")
