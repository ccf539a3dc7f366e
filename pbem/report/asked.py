"""What is asked when a turn is opened, as far as it is known before its dice: played out in some futures, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem import __version__
from pbem.crypto.hashing import canonical_json
from pbem.home.cache import Cache
from pbem.language import ENGLISH, clauses, language, say, sentence
from pbem.match.course import SPENT, Chancer, Step
from pbem.match.orders import Act, Condition, short_phase, words_in
from pbem.match.table import Table, proposal_words
from pbem.records import NamedTuple
from pbem.report.layout import bare, capital, kind_words
from pbem.report.put import put_words
from pbem.rules import Situation
from pbem.rules.fates import DECLARED
from pbem.rules.requests import Answer, Chance, Choose, Draw, Outcome, Roll
from pbem.words import the

if TYPE_CHECKING:
    from pbem.match.comes import Comes

__all__ = [
    "FUTURES",
    "Asked",
    "Foreseen",
    "Never",
    "asked_words",
    "begun",
    "foreseen",
    "kept_words",
    "not_yet_shown",
    "waits",
]

FUTURES = 100
"""So many futures are played out; for one log they are the same wherever they are told."""

LEAST, WORDS = 20, 200_000
"""Of very long orders that wait fewer are, but so many; and the words that are judged in all together."""

AGREEMENT = "agreement"
"""What is told of players who agree, whatever is under way."""

CASES = 4
"""Of more cases those of one kind are told as one, without what is asked in each."""


class Asked(NamedTuple):
    """What the game waits for, `what` as in match.table.Due: of whom, which kind of decision, in words; how it ended.

    A proposal that waits stands in `prompt`; `rolled` tells whether dice have fallen that only he knows, `turn` and
    `phase`, by its short name, when.
    """

    what: str
    player: str | None
    kind: str = ""
    prompt: str = ""
    outcome: Outcome | None = None
    rolled: bool = False
    turn: int = 0
    phase: str = ""

    @property
    def decides(self) -> bool:
        """Whether somebody has something to decide."""
        return self.what in ("orders", "react", "reply")


class Never(NamedTuple):
    """Why an order is carried out in no future: the most frequent reason, in English; in how many futures it lapses.

    Where it waits in others still, nothing is known of it before the player who `decides` then has done so.
    """

    reason: str
    lapses: int
    played: int
    decides: str = ""

    def words(self, system: str) -> str:
        """That it isn't, and why."""
        why, played, decides = put_words(self.reason, system), self.played, self.decides
        if decides and not self.lapses:
            return say("not before %(player)s decides", player=decides)
        if decides and self.lapses < played:
            return say(
                "lapses in %(times)s of %(played)s futures played out (%(why)s), else not before %(player)s decides",
                times=self.lapses,
                played=played,
                why=why,
                player=decides,
            )
        if why:
            return say("carried out in none of %(played)s futures played out (%(why)s)", played=played, why=why)
        return say("carried out in none of %(played)s futures played out", played=played)


class Foreseen(NamedTuple):
    """Whose move it is; what is asked then, the most frequent first, with the number of futures it comes in.

    `dice` tells whether dice fall when he opens what came; else there is one future, and what it asks is sure. `never`
    has the orders that wait and are carried out in none of the futures, by side and number, and why.
    `comes` tells what the others come to, and plans, for which the futures go on; `behind` has the numbers of plans to
    which they don't come, `taken` what is taken for granted. `fallen` has the dice that fall by themselves, or at the
    end of a phase, before anybody is asked: label -> in how many futures; `given` the plans carried out before that.
    `spent` has the orders that wait and close what will have ended by itself. `replies` has the answers of `replied`,
    as canonical JSON, before anybody is asked, `lapsed` the plans that lapse in all futures before that, and why.
    `moved` tells whether in every future the score is another then than now, `stands` has the situation in one of them
    where they agree on it. `because` has why a plan lapses, now or when the futures have gone on, most frequently.
    """

    player: str | None
    dice: bool
    futures: tuple[tuple[Asked, int], ...]
    never: Mapping[tuple[str, int], Never] = {}
    comes: Comes | None = None
    behind: Collection[int] = ()
    taken: Sequence[str] = ()
    fallen: Mapping[str, int] = {}
    given: Collection[tuple[str, int]] = ()
    spent: Collection[tuple[str, int]] = ()
    replies: Mapping[bytes, int] = {}
    lapsed: Mapping[tuple[str, int], Never] = {}
    moved: bool = False
    stands: Situation | None = None
    because: Mapping[tuple[str, int], str] = {}


class _Score:
    """Whether the score is another in every future than now, and whether they agree on it."""

    def __init__(self, table: Table) -> None:
        self._now = self._of(table)["progress"]
        self.moved = True
        self.agreed: Situation | None = None
        self._others = False

    @staticmethod
    def _of(table: Table) -> Situation:
        return table.rules.situation(table.game.state)

    def look(self, ahead: Table) -> None:
        """Look at a future; once one has the score of now no more are looked at, for that takes long."""
        if not self.moved:
            return
        found = self._of(ahead)
        self.moved = found["progress"] != self._now
        if self.agreed is None and not self._others:
            self.agreed = found
        elif self.agreed is not None and found["progress"] != self.agreed["progress"]:
            self.agreed, self._others = None, True


def foreseen(table: Table, runs: int = FUTURES, *, plans: bool = False) -> Foreseen:
    """What is asked when the dice that wait have fallen; the table is left as it is.

    The chances of the futures come from the position and the orders, so that every page tells the same of them, and
    what `check` has told of them is so here. Where no dice wait nothing is played out, unless what comes of `plans` is
    asked.
    """
    if not waits(table) and not (plans and any(table.course.plans.values())):
        return Foreseen(table.due().player, False, ((_asked(table), 1),))
    if (table.head, runs) not in _played:
        _played.clear()
        _played[table.head, runs] = _played_out(table, runs)
    return _played[table.head, runs]


_played: dict[tuple[bytes, int], Foreseen] = {}
"""What was foreseen last, by the head of the log that waits for dice: a mail and what is said of it ask the same."""


def _played_out(table: Table, runs: int) -> Foreseen:
    """What is asked in so many futures, and what comes behind that of orders and plans that wait."""
    from pbem.match.chances import chances_of  # imported where used: mostly nothing is played out
    from pbem.match.comes import Comes
    from pbem.match.prospects import as_if_idle
    from pbem.match.way import ANSWERS, Way, replied

    found: Counter[Asked] = Counter()
    by, dice, common = max(table.last_by, key=table.last_by.__getitem__), waits(table), table.fork()
    way = Way(table.genesis.player(by).side)
    if not dice:
        way.on(common, lambda _: None)
    waiting = _waiting(common)
    plans = sum(map(words_in, table.course.plans.values()))
    most = max(LEAST, WORDS // (1 + table.course.words() + plans))
    runs = min(runs, most) if isinstance(common.game.request, Roll | Draw) else 1
    why: dict[tuple[str, int], Counter[str]] = {order: Counter() for order in waiting}
    dropped: dict[tuple[str, int], Counter[str]] = {order: Counter() for order in waiting}
    comes, behind, fallen, given = Comes(common), set[int](), Counter[str](), set[tuple[str, int]]()
    planned = {(side, number) for side, plans in table.course.plans.items() for number, _ in plans}
    no_more, later = ({plan: Counter[str]() for plan in planned} for _ in range(2))
    _note_lapses(common, set(planned), later)
    replies: Counter[bytes] = Counter()
    open_: dict[tuple[str, int], str] = {}
    score = _Score(common)
    first = [step for step in begun(table) if dice and step.get("how") != "react"]
    for chance in islice(chances_of(common), runs):
        ahead = common.fork()
        labels: dict[str, None] = {}
        ahead.course.chancer = chancer = _looking(ahead, [*first, *common.steps], comes, chance, labels)
        ahead.course.resolve()
        score.look(ahead)
        fallen.update(labels.keys() if dice else ())  # else they fall behind what he is asked
        given |= planned & {(step["side"], step["number"]) for step in ahead.steps if step["kind"] == "order"}
        replies.update({canonical_json(list(group)) for group in replied([*common.steps, *ahead.steps])})
        _note_lapses(ahead, set(planned), no_more)
        found[_asked(ahead)] += 1
        left = _waiting(ahead)
        if isinstance(asked := ahead.game.request, Choose):
            open_.update(dict.fromkeys(left, table.genesis.of_side(asked.side).name))
        waiting -= left
        _note_lapses(ahead, waiting, why)
        _note_dropped(ahead, common, waiting, dropped)
        if first or ahead.course.plans[way.side] or ahead.course.queues[way.side]:
            way.on(ahead, chancer)
        _note_lapses(ahead, set(planned), later)
        behind.update(number for number, _ in ahead.course.plans[way.side])
        comes.count([*first, *common.steps, *ahead.steps])
    spent = _spent(common, ahead, {order for order in waiting if not why[order]})
    unused = {order for order, reasons in why.items() if reasons and not comes.came(*order).carried}
    unused |= {order for order in open_ if not comes.came(*order).carried}
    never = {
        order: _never(why[order] or dropped[order], runs, open_.get(order, "")) for order in (waiting - spent) | unused
    }
    taken = [as_if_idle(table.genesis.other(by).name)] * way.idle + [ANSWERS] * way.asked
    player, futures = (table.reveal_due, found.most_common()) if dice else (table.due().player, [(_asked(table), 1)])
    lapsed = {plan: _never(found, runs) for plan, found in no_more.items() if found.total() == runs}
    told = Foreseen(player, dice, tuple(futures), never, comes, behind, taken, fallen, given, spent)
    because = {plan: found.most_common(1)[0][0] for plan, found in later.items() if found}
    told = told._replace(because=because)
    moved = dice and score.moved
    return told._replace(replies=replies, lapsed=lapsed, moved=moved, stands=score.agreed if moved else None)


def _spent(common: Table, ahead: Table, idle: Collection[tuple[str, int]]) -> set[tuple[str, int]]:
    """Those of the orders of a table, carried out in no future and lapsed in none, of which nothing is left to do."""
    rules, queues = ahead.rules, common.course.queues.items()
    acts = ((side, number, part.order) for side, queue in queues for number, part in queue if isinstance(part, Act))
    waiting = [(side, number, order) for side, number, order in acts if (side, number) in idle]
    return {(side, n) for side, n, order in waiting if rules.remainder(ahead.game.state, side, order) == SPENT}


def _note_lapses(ahead: Table, waiting: set[tuple[str, int]], why: Mapping[tuple[str, int], Counter[str]]) -> None:
    """Strike what was carried out in a future from the orders that wait, and note why others have lapsed in it."""
    for step in ahead.steps:
        order = (step.get("side", ""), step.get("number", 0))
        if step["kind"] == "order":
            waiting.discard(order)
        elif step["kind"] == "lapse" and order in why:
            why[order][_because(step)] += 1


def _note_dropped(
    ahead: Table, before: Table, waiting: Collection[tuple[str, int]], why: Mapping[tuple[str, int], Counter[str]]
) -> None:
    """Note of the orders that wait whose own condition didn't hold in a future, or else which test dropped them."""
    from pbem.match.unmet import said

    unmet, known = ahead.course.unmet, before.course.unmet
    stops = {step["side"]: step["tests"] for step in ahead.steps if step["kind"] == "stop" and "tests" in step}
    for order in waiting:
        side, _ = order
        if order in unmet and order not in known:
            why[order][f"`{said(unmet[order])}` doesn't hold when its turn comes"] += 1
        elif side in stops:
            tests = " and ".join(said(Condition(**test)) for test in stops[side])
            why[order][f"it is dropped, as the stop `{tests}` holds before it"] += 1


def _looking(ahead: Table, before: Sequence[Step], comes: Comes, chance: Chance, labels: dict[str, None]) -> Chancer:
    """The chances of a future, before each of which the odds of the order under way are noted.

    Of those that no order brings, but for one that closes what is asked, the `labels` are noted.
    """
    from pbem.match.chances import chance_answer

    rules = ahead.rules

    def chancer(request: Roll | Draw) -> Answer:
        comes.look(ahead, before)
        order = ahead.game.begun_by if not isinstance(request, Roll) or request.of is None else request.of
        if order is None or tuple(rules.order_words(ahead.board, order)) == (rules.CLOSING,):
            labels[request.label] = None
        return chance_answer(request, chance)

    return chancer


def _waiting(table: Table) -> set[tuple[str, int]]:
    """The orders that wait for their turn, by side and number."""
    queues = table.course.queues.items()
    return {(side, number) for side, queue in queues for number, part in queue if isinstance(part, Act)}


def _because(lapse: Step) -> str:
    return f"{lapse['reason']}" + (f" [{lapse['clause']}]" if lapse["clause"] else "")


def _never(why: Counter[str], played: int, decides: str = "") -> Never:
    """That an order is carried out in no future, and the most frequent reason, where it lapses in some."""
    return Never(next((reason for reason, _ in why.most_common(1)), ""), why.total(), played, decides)


def begun(table: Table) -> list[Step]:
    """The order or given answer whose first dice aren't known yet, and what was told as it began; [] for none.

    Of orders that were declared all whose dice haven't fallen.
    """
    given, rules, request = table.game.just_given, table.rules, table.game.request
    if given is None or isinstance(request, Choose | None):
        return []
    if isinstance(request, Roll) and request.of is not None:
        return list(_declared(table.steps))
    words = list(rules.order_words(table.board, given))
    found = [place for place, step in enumerate(table.steps) if step.get("words") == words]
    step = table.steps[found[-1]] if found else {}
    if words == [rules.CLOSING] or not (step.get("kind") == "order" or step.get("how") == "react"):
        return []
    behind = table.steps[found[-1] + 1 :]
    return [step, *takewhile(lambda told: told["kind"] == "tell" and told["what"] != AGREEMENT, behind)]


def _declared(steps: Sequence[Step]) -> Iterator[Step]:
    """The newest orders of a phase that were declared, each with what was told of it, behind the last dice."""
    newest = takewhile(lambda step: step["kind"] != "roll" and step.get("what") != "phase", reversed(steps))
    for step, told in pairwise([*newest][::-1]):
        if step["kind"] == "order" and told.get("what") == DECLARED:
            yield from (step, told)


def waits(table: Table) -> bool:
    """Whether the game waits for dice that aren't known here."""
    known = table.course.seed is not None or table.course.adverse is not None or table.reveal_due is None
    return not (known or table.settled is not None or isinstance(table.game.request, Choose | None))


def not_yet_shown(table: Table, me: str = "") -> str:
    """`the dice of entry 5 are not yet in the log: asuka's next entry shows them`; "" where none wait.

    Of `me` it is my next entry. A bot on this machine writes entries, too, but no mails.

    She sees them when she opens that entry, so that they may have fallen at her place; this is so before and after.
    """
    if not waits(table):
        return ""
    entry = _decided(table)
    if table.reveal_due == me:
        return say(
            "the dice of entry %(entry)s are not yet in the log: my next entry shows them", entry=_decided(table)
        )
    return say(
        "the dice of entry %(entry)s are not yet in the log: %(player)s's next entry shows them",
        entry=entry,
        player=table.reveal_due,
    )


def _decided(table: Table) -> int:
    """The entry whose dice wait."""
    return table.course.decided[0] if table.course.decided else table.seq


def _shown_without_orders(table: Table, times: int) -> str:
    """The same of an entry that has no orders in all of so many futures."""
    return say(
        "the dice of entry %(entry)s are not yet in the log: %(player)s's next entry, without orders in all of "
        "%(times)s futures played out, shows them",
        entry=_decided(table),
        player=table.reveal_due,
        times=times,
    )


def _asked(table: Table) -> Asked:
    due = table.due()
    request = due.request if due.what in ("orders", "react") else None
    kind, prompt = (request.kind, request.prompt) if request is not None else ("", proposal_words(table))
    turn, phase = table.rules.clock(table.game.state)
    short = short_phase(request.side, phase) if request is not None else ""
    return Asked(due.what, due.player, kind, prompt, table.outcome, bool(table.course.labels), turn, short)


def kept_words(table: Table, me: str | None, folder: Path | None) -> str:
    """`asked_words` of what is foreseen; where dice wait they are kept in a folder, for that takes long to play out."""
    if folder is None or not waits(table):
        return asked_words(table, foreseen(table), me)
    key = f"pbem-ahead/4 {__version__} {table.head.hex()} {me}" + f" {language()}" * (language() != ENGLISH)
    kept = Cache(folder)
    words = kept.recall(table.genesis.game.hex(), key)
    if not isinstance(words, str):
        words = asked_words(table, foreseen(table), me)
        kept.keep(table.genesis.game.hex(), key, words)
    return words


def asked_words(table: Table, ahead: Foreseen, me: str | None = None, pronoun: str = "me", mail: str = "") -> str:
    """What is asked, in a sentence; `pronoun`, me or you, stands for the player `me`, `mail` for what is opened.

    What is sure is told as it is, of all else in how many of the futures it came.
    """
    over = any(asked.outcome is not None for asked, _ in ahead.futures)
    known = over or language() != ENGLISH
    situation: Mapping[str, Any] = {"system": "", "sides": []}
    situation = table.rules.situation(table.game.state) if known else situation
    system = str(situation["system"])
    won = {side["id"]: _has_won(put_words(the(side["title"]), system), side) for side in situation["sides"]}
    mine = say("me") if pronoun == "me" else say("you")
    names = {p.name: mine if p.name == me else p.name for p in table.genesis.players}
    shows = table.reveal_due if ahead.dice and ahead.player != me else None
    futures = [(_put(asked, system), times) for asked, times in ahead.futures]
    cases = _cases(_alike(futures), names, won, shows)
    if len(cases) > CASES:
        short = ((asked._replace(prompt=""), times) for asked, times in _alike(futures))
        cases = _cases(short, names, won, shows)
    (words, most), *others = cases.most_common()
    if not ahead.dice:
        return sentence(words)
    if ahead.player != me and all(asked.what == "reveal" and asked.outcome is None for asked, _ in ahead.futures):
        return sentence(_shown_without_orders(table, most))
    told = [
        say("in %(times)s of %(played)s futures played out, %(what)s", times=most, played=cases.total(), what=words)
        if others
        else say("in all of %(played)s futures played out, %(what)s", played=most, what=words),
        *(say("in %(times)s, %(what)s", times=times, what=words) for words, times in others),
    ]
    if shows:
        return say("%(falls)s; %(cases)s.", falls=capital(not_yet_shown(table)), cases=clauses(told))
    what = mail or say("entry %(number)s", number=table.seq)
    falls = not_yet_shown(table) if ahead.player != me else _falls(pronoun, what)
    return say("%(falls)s; then, %(cases)s.", falls=capital(falls), cases=clauses(told))


def _falls(pronoun: str, what: str) -> str:
    """When the dice fall that wait for me, or for you."""
    if pronoun == "me":
        return say("the dice fall when I open %(what)s", what=what)
    return say("the dice fall when you open %(what)s", what=what)


def _has_won(title: str, side: Mapping[str, Any]) -> str:
    """That a side has won."""
    return say("%(side)s have won", side=title) if side.get("several") else say("%(side)s has won", side=title)


def _put(asked: Asked, system: str) -> Asked:
    """What is asked, with the words of the rules in the language in force."""
    if language() == ENGLISH:
        return asked
    end = asked.outcome
    end = end._replace(reason=put_words(end.reason, system)) if end is not None else None
    return asked._replace(kind=kind_words(asked.kind), prompt=put_words(asked.prompt, system), outcome=end)


def _cases(
    futures: Iterable[tuple[Asked, int]], names: dict[str, str], won: dict[str, str], shows: str | None
) -> Counter[str]:
    """Each case in words -> in how many futures it comes; `shows` is the player whose next entry shows the dice."""
    found: Counter[str] = Counter()
    for asked, times in futures:
        found[_case(asked, names, won, in_it=shows is not None and asked.player == shows)] += times
    return found


def _alike(futures: Iterable[tuple[Asked, int]]) -> Iterator[tuple[Asked, int]]:
    """The futures; where the same side wins by the same clause with other figures, the reason is left out."""
    reasons: dict[tuple[str | None, str], set[str]] = {}
    for asked, _ in futures:
        if (end := asked.outcome) is not None:
            reasons.setdefault((end.winner, end.clause), set()).add(end.reason)
    for asked, times in futures:
        end = asked.outcome
        several = end is not None and len(reasons[end.winner, end.clause]) > 1
        yield asked._replace(outcome=end._replace(reason="")) if end and several else asked, times


def _case(asked: Asked, names: dict[str, str], won: dict[str, str], *, in_it: bool) -> str:
    """What is asked in one case, in a clause of its own; `names` tells what each player is called in it.

    `won`: side -> that it has won, in words.

    `in_it`: it is answered by the very entry that shows the dice, of which the clause before tells.
    """
    end, who = asked.outcome, names.get(asked.player or "", "")
    if end is not None:
        how = won[end.winner] if end.winner else say("it is a draw")
        over = (
            say("the game is over, %(how)s: %(why)s", how=how, why=bare(end.reason))
            if end.reason
            else say("the game is over, %(how)s", how=how)
        )
        return clauses([over, *([_proves(_entry(asked, who), in_it=in_it)] if asked.player else [])])
    match asked.what:
        case "orders" if in_it:
            return say("it holds the orders of %(who)s%(what)s", who=who, what=_what(asked))
        case "orders":
            return say("orders are asked of %(who)s%(what)s", who=who, what=_what(asked))
        case "react" | "reply" if in_it:
            return say("it holds the answer of %(who)s%(what)s", who=who, what=_what(asked))
        case "react" | "reply":
            return say("an answer is asked of %(who)s%(what)s", who=who, what=_what(asked))
        case "begin" if in_it:
            return say("it has no orders and begins the game")
        case "begin":
            return say("%(entry)s begins the game", entry=_entry(asked, who))
        case "reveal":
            other = next(name for player, name in names.items() if player != asked.player)
            return _reveals(_entry(asked, who), other, rolled=asked.rolled, in_it=in_it)
    return say("the game waits for nobody")


def _what(asked: Asked) -> str:
    """What is asked, behind of whom."""
    if asked.kind and asked.prompt:
        return say(" (%(kind)s): %(prompt)s", kind=asked.kind, prompt=bare(asked.prompt))
    if asked.kind:
        return say(" (%(kind)s)", kind=asked.kind)
    return say(": %(prompt)s", prompt=bare(asked.prompt)) if asked.prompt else ""


def _entry(asked: Asked, who: str) -> str:
    """What has no orders: who is called by his name writes an entry, the reader of a mail a mail."""
    if who == asked.player:
        return say("an entry by %(who)s without orders", who=who)
    return say("a mail from %(who)s without orders", who=who)


def _proves(entry: str, *, in_it: bool) -> str:
    """What the entry behind the end of a game is for."""
    return say("it has no orders and proves the dice") if in_it else say("%(entry)s proves the dice", entry=entry)


def _reveals(entry: str, other: str, *, rolled: bool, in_it: bool) -> str:
    """What the mail of a reveal does: its author knows the dice, where any fell, and the other player doesn't."""
    if rolled and in_it:
        return say("it has no orders and shows %(other)s the dice that have fallen", other=other)
    if rolled:
        return say("%(entry)s shows %(other)s the dice that have fallen", entry=entry, other=other)
    if in_it:
        return say("it has no orders and lets %(other)s go on", other=other)
    return say("%(entry)s lets %(other)s go on", entry=entry, other=other)
