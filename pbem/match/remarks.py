"""What is said of orders beside their errors: what they leave open or drop, surely bring, or never come to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.match.chances import Steady, chance_answer
from pbem.match.comes import Came, sure_words
from pbem.match.futures import Futures
from pbem.match.orders import Act, Part, Plan, short_phase, statement_of
from pbem.match.phases import later_phases, phases_of, plans_told
from pbem.match.prospects import BEFORE, Stop, as_if_idle, if_idle
from pbem.match.table import Due, Table
from pbem.match.take import imagine, imagine_on
from pbem.match.way import NAMED, forked
from pbem.rules.requests import Choose, Words

__all__ = ["of_answers", "of_dropped", "of_futures", "of_orders", "of_what_is_sure"]

OPEN = "what stands behind `in PHASE:` goes out now: my opponent reads it"

UNUSED_TOLD = 5
"""So many orders are named that are carried out in no future."""


def of_orders(table: Table, side: str, due: Due, parts: list[tuple[int, Part]]) -> list[str]:
    """Remarks on what orders and plans leave open."""
    if not any(isinstance(part, Plan) for _, part in parts):
        return _left_open(table, side, due, parts)
    return [
        _open(table, side, parts),
        *_asked_before(table, side, parts),
        *_left_open(table, side, due, parts),
        *_plans_left_open(table, side, parts),
    ]


def _open(table: Table, side: str, parts: list[tuple[int, Part]]) -> str:
    """The remark on who reads plans, and before what if a phase not of the side comes before the last of them."""
    coming, planned = phases_of(table), {phase for phase, _ in _plans(side, parts)}
    coming = coming[[phase["id"] for phase in coming].index(table.rules.clock(table.game.state)[1]) + 1 :]
    own = [place for place, phase in enumerate(coming) if phase["side"] == side]
    last = max((place for place in own if short_phase(side, coming[place]["id"]) in planned), default=0)
    decides = any(phase["side"] != side for phase in coming[:last])
    return f"{OPEN} {'before he decides what comes between' if decides else 'at once'}"


def _asked_before(table: Table, side: str, parts: list[tuple[int, Part]]) -> list[str]:
    """A remark on plans for a phase before which another of mine comes that no plan closes."""
    closing, coming, plans = table.rules.CLOSING, later_phases(table, side), _plans(side, parts)
    closed = {phase for phase, part in plans if isinstance(part, Act) and part.words == (closing,)}
    if any(isinstance(part, Act) and part.words == (closing,) for _, part in parts):
        closed.add(_played_here(table, side))
    named = {phase for phase, _ in plans if phase in coming}
    for number, phase in enumerate(coming):
        later = [other for other in [*coming][number + 1 :] if other in named]
        if phase not in closed and later:
            what = f"my phase {phase} comes before {' and '.join(later)}: orders that I send in it take the place of"
            return [f"{what} what is planned for then; `in {phase}: {closing}` lets it pass"]
    return []


def _played_here(table: Table, side: str) -> str:
    """The phase that comes behind the steps before it in the window of these orders, by its short name; "" for none."""
    ahead, asked = forked(table), table.game.request
    while isinstance(now := ahead.game.request, Choose) and isinstance(asked, Choose) and now.window == asked.window:
        phase = ahead.rules.clock(ahead.game.state)[1]
        if now.ends is None or now.ends.begun:
            return short_phase(side, phase)
        if now.why_not(now.ends.order) is not None:
            break
        ahead.game.apply(now.ends.order)
        imagine_on(ahead, lambda chance: chance_answer(chance, Steady(0)))
    return ""


def _left_open(table: Table, side: str, due: Due, parts: list[tuple[int, Part]]) -> list[str]:
    """A remark on orders that don't close their phase."""
    request = due.request
    if request is None or request.reaction:
        return []
    closing = (table.rules.CLOSING,)
    if request.why_not(table.rules.read_order(table.board, side, closing)) is not None:
        return []  # the phase ends by itself when all is in its place
    if any(isinstance(part, Act) and part.words == closing for _, part in parts) or _passes_on(table, side, parts):
        return []
    planned = any(isinstance(part, Plan) for _, part in parts)
    if planned:
        return [
            f"there is no `{closing[0]};`: unless the phase ends by itself, the next decision in it is yours again, "
            "and your orders then take the place of what is planned here"
        ]
    return [f"there is no `{closing[0]};`: unless the phase ends by itself, the next decision in it is yours again"]


def _passes_on(table: Table, side: str, parts: list[tuple[int, Part]]) -> bool:
    """Whether the next decision behind orders without dice is the other side's: an order of another name closed it."""
    ahead = forked(table)
    imagine(ahead, side, [(place, part) for place, (_, part) in enumerate(parts, 1)], lambda _: None)
    request = ahead.game.request
    return isinstance(request, Choose) and request.side != side


def _plans_left_open(table: Table, side: str, parts: list[tuple[int, Part]]) -> list[str]:
    """A remark on plans that don't close their phase, before which no other is asked about."""
    closing, coming, plans = table.rules.CLOSING, later_phases(table, side), _plans(side, parts)
    orders = [(phase, part.words) for phase, part in plans if isinstance(part, Act) and phase in coming]
    left = dict.fromkeys(phase for phase, _ in orders if (phase, (closing,)) not in orders)
    if not left:
        return []
    named = " and ".join(f"`in {phase}: {closing};`" for phase in left)
    return [f"there is no {named}: unless that phase ends by itself, the next decision behind what is planned is yours"]


def _plans(side: str, parts: list[tuple[int, Part]]) -> list[tuple[str, Part]]:
    """What is planned, each with its phase."""
    return [(short_phase(side, part.phase), part.part) for _, part in parts if isinstance(part, Plan)]


def of_dropped(table: Table, side: str, parts: list[tuple[int, Part]]) -> str:
    """A remark on what was planned and isn't again; "" where nothing was."""
    before = plans_told(table, side, {str(statement_of(part)) for _, part in parts})
    return f"what I planned before is dropped with this: {before}" if before else ""


def of_what_is_sure(comes: Iterable[tuple[int, Words, Came]]) -> Iterator[str]:
    """Remarks on what orders bring without any dice: a gun that moves is disordered, a commander is taken."""
    for line, words, came in comes:
        if came.sure:
            yield f"line {line}: `{' '.join(words)}`: {', '.join(map(sure_words, came.sure))}"


def of_futures(found: Futures) -> list[str]:
    """Remarks on what was taken for granted in futures, and on orders that are carried out in none of them."""
    remarks = [*found.heeded, *found.answers, *found.theirs[:UNUSED_TOLD], *found.may_end]
    if found.idle:
        remarks.append(as_if_idle(found.idle))
    where = f"carried out in none of {found.played} futures" if found.played > 1 else "never carried out"
    for line, part, why in found.unused[:UNUSED_TOLD]:
        given = if_idle(found.idle if isinstance(part, Plan) else "")
        because = f": {why}" if why else ""
        remarks.append(f"line {line}: `{str(statement_of(part)).removesuffix(';')}` is {where}{given}{because}")
    if len(found.unused) > UNUSED_TOLD:
        remarks.append(f"{len(found.unused) - UNUSED_TOLD} more are {where}")
    for stop in [*dict.fromkeys(found.stops)][:UNUSED_TOLD]:
        given = if_idle(found.idle if isinstance(stop.part, Plan) else "")
        said = str(statement_of(stop.part)).removesuffix(";")
        remarks.append(f"line {stop.line}: `{said}` {_held(stop, found.played)}{given}")
    for line, part in found.behind[:UNUSED_TOLD]:
        said = str(statement_of(part)).removesuffix(";")
        remarks.append(f"line {line}: `{said}`: nothing can be told of it, as {found.asks} before it")
    if len(found.behind) > UNUSED_TOLD:
        remarks.append(f"the same is so of {len(found.behind) - UNUSED_TOLD} more")
    return [*dict.fromkeys(remarks)]  # several orders may stand on one line


def _held(stop: Stop, played: int) -> str:
    """In how many futures a condition to stop holds, or isn't even reached."""
    if not stop.tested:
        return f"is never reached: {' or '.join(BEFORE[why] for why in BEFORE if why in stop.cut) or BEFORE['']}"
    how = f": {stop.how}" if stop.how else ""
    before = f" before {stop.before} decide{'s' * (stop.before != 'I')}" if stop.before else ""
    if before and not stop.held:
        return f"doesn't hold{before}{how}"
    if played == 1:
        return f"never holds{how}"
    reached = f" of the {stop.tested}" if stop.tested < played else ""
    reached += f" of {played} futures" if not reached else f" in which it is reached of {played} futures"
    return f"holds in {stop.held or 'none'}{reached}{before}{how}"


def of_answers(table: Table, name: str, found: Futures) -> Iterator[str]:
    """Remarks on answers with dice that are given in the futures, as a defensive fire: whose, how often, their odds."""
    answers = [*found.comes.answered()]
    for side, words, times, odds in answers[:NAMED]:
        player = table.genesis.of_side(side).name
        who = "I" if player == name else player
        often = f"in {times} of {found.played} futures" if times < found.played else "then"
        yield f"{often} {who} would answer `{' '.join(words)}`" + (f": {odds}" if odds else "")
    if len(answers) > NAMED:
        yield f"{len(answers) - NAMED} more answers with dice are given in some of the futures"
