"""What can be ordered behind a list of orders: the legal orders of a unit, to a place, or of the whole side."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice

from pbem.errors import OrderError, Refusal
from pbem.language import clauses, say
from pbem.match.game import Game
from pbem.match.orders import TO
from pbem.match.table import Table
from pbem.page.naming import Naming
from pbem.page.standing import Stand
from pbem.records import NamedTuple
from pbem.rules.requests import Choose, Draw, FormEntry, Order, Roll, Words
from pbem.rules.requests import Standing as StandingOrders

__all__ = ["Choice", "Entry", "Offered", "Options", "Patience", "always"]

Patience = Callable[[], bool]
"""Whether there is still time for what can wait: odds of one order more, one entry of the form more."""


EXAMPLES = 3
"""So many other units are looked at to find why one can't do what they can."""


def always() -> bool:
    """There is."""
    return True


class Choice(NamedTuple):
    """An order that can be given.

    words, typed    as it is signed, and the shortest words for the list that mean it there, as far as they are known
    keyword         its first word
    target          the enemy unit, or the label of the place, at which it is aimed; "" for none
    unit            the unit to which it is given; "" for none
    told            what it comes to, in a line: its target by name, its cost, what it meets, its odds
    cost            what it costs its unit, `3 points`; "" for nothing that is counted
    odds            what its dice may bring; "" without dice, None where nobody has counted it yet (`Sheet.odds` does)
    sign            what its mark on the map says of its odds, in lines; () for nothing
    never           whether its odds say that it never comes to its target
    dice            whether dice fall for it; of one whose odds are None, whether they do for others of its keyword
    way             the labels of places by which it is drawn
    unsure          whether dice of orders before it, or the other side, come first: it is told as things stand, or at
                    best
    """

    words: str
    typed: str
    keyword: str
    target: str
    unit: str
    told: str
    cost: str
    odds: str | None
    sign: tuple[str, ...]
    never: bool
    dice: bool
    way: tuple[str, ...]
    unsure: bool


class Entry(NamedTuple):
    """What the order form says of a unit: a heading, orders in their shortest words with a note, notes."""

    heading: str
    orders: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


class Offered(NamedTuple):
    """What is offered for a unit, a place or the side: in a sentence, the orders, the form's entries; why nothing.

    `whole` is False where odds, shortest words or entries of the form are still left out, for want of patience: who
    asks again gets more.
    """

    told: str
    choices: tuple[Choice, ...]
    entries: tuple[Entry, ...]
    why: str
    whole: bool = True


class _Option(NamedTuple):
    """A legal order, its words, and the position in which it is legal."""

    order: Order
    words: Words
    game: Game
    unsure: bool


class Options:
    """What can be ordered in the positions behind a list; each thing is worked out when it is first asked for."""

    def __init__(self, table: Table, side: str, naming: Naming, stands: tuple[Stand, ...]) -> None:
        self._rules, self._board, self._side, self._naming = table.rules, table.board, side, naming
        self._standing: StandingOrders = table.course.standing
        self._stands = stands
        self._given: dict[str, list[_Option]] = {}
        self._places: dict[int, dict[str, str]] = {}
        self._odds: dict[Words, str] = {}
        self._short: dict[Words, Words] = {}
        self._dice: dict[str, bool] = {}
        self._form: Iterator[FormEntry] = (entry for stand in stands[:1] for entry in self._form_of(stand))
        self._entries: list[FormEntry] = []
        self._told = False

    # --- what is legal ------------------------------------------------------------------------------------------------

    def given_to(self, unit: str) -> list[_Option]:
        """The options of a unit, step by step; "" for those of no unit."""
        if unit not in self._given:
            found: dict[Words, _Option] = {}
            for stand in self._stands:
                for option in self._in(stand, unit):
                    found.setdefault(option.words, option)
            self._given[unit] = [*found.values()]
        return self._given[unit]

    def _in(self, stand: Stand, unit: str) -> Iterator[_Option]:
        """The options of a unit in a position: of one for which dice fall before it, where these are at their best."""
        best = stand.best
        if best is not None and unit in stand.rolled:
            yield from self._listed(best, unit, unsure=True) if unit not in stand.spent else ()
            return
        for option in self._listed(stand.game, unit, unsure=not stand.sure):
            helpers = stand.rolled.intersection(option.words) & self._naming.own
            if best is None or not helpers or _legal(best, option.order):
                yield option

    def _listed(self, game: Game, unit: str, *, unsure: bool) -> Iterator[_Option]:
        request = game.request
        if not isinstance(request, Choose) or request.side != self._side:
            return
        for order in self._rules.options_of(game.state, request, unit):
            yield _Option(order, self._rules.order_words(self._board, order), game, unsure)

    def _at(self, place: str, patience: Patience) -> tuple[list[_Option], bool]:
        """The options of all units aimed at a place or an enemy unit; whether all were looked at."""
        found, units = list[_Option](), ["", *sorted(self._naming.own)]
        for unit in units:
            if unit not in self._given and not patience():
                return found, False
            found += [option for option in self.given_to(unit) if self._aims(option, place)]
        return found, True

    def _aims(self, option: _Option, at: str) -> bool:
        """Whether an order is aimed at a place, or an enemy in it; or at an enemy unit, or where it stands."""
        target, stood = self._naming.target(option.words), self._stood(option.game)
        if at in self._naming.enemies:
            return at in option.words[1:] or stood.get(at, "") == target != ""
        return target == at or stood.get(target) == at

    def _stood(self, game: Game) -> dict[str, str]:
        """Where units stand in a position."""
        if id(game) not in self._places:
            self._places[id(game)] = self._naming.places(game.state)
        return self._places[id(game)]

    def found(self, order: Order, words: Words) -> _Option | None:
        """Any order in the position in which it is legal; None where it is in none."""
        actor = self._naming.actor(words)
        for stand in self._stands:
            if stand.best is not None and actor in stand.rolled:
                if actor not in stand.spent and _legal(stand.best, order):
                    return _Option(order, words, stand.best, unsure=True)
            elif _legal(stand.game, order):
                return _Option(order, words, stand.game, unsure=not stand.sure)
        return None

    # --- what is told of it -------------------------------------------------------------------------------------------

    def offered(self, unit: str = "", place: str = "", patience: Patience = always) -> Offered:
        """What is offered for a unit, at a place, for a unit at a place, or with neither for the side as such.

        For an enemy unit it is what can be done to it.
        """
        if unit in self._naming.enemies and not place:
            unit, place = "", unit
        options, whole = (self.given_to(unit), True) if unit or not place else self._at(place, patience)
        if unit and place:
            options = [option for option in options if self._aims(option, place)]
        entries, told = self._entries_of(unit, patience) if unit and not options else ((), True)
        whole = self._count(options, patience) and whole and told
        choices = tuple(self.choice(option, lambda: False) for option in options)
        if unit and options:
            entries, told = self._entries_of(unit, patience)
        why = self._why(unit, place, entries, patience) if not choices else ""
        put = tuple(map(self._put, entries))
        return Offered(self._headline(unit, place, choices, why), choices, put, why, whole and told)

    def _count(self, options: list[_Option], patience: Patience) -> bool:
        """Count the odds of these orders, fights first, then look for their shortest words; whether it was all done."""
        for option in sorted(options, key=lambda option: self._naming.target(option.words) not in self._naming.enemies):
            if option.words not in self._odds:
                if not patience():
                    return False
                state = option.game.state
                self._odds[option.words] = self._rules.tell_odds(state, self._side, option.order, self._standing)
        for option in options:
            if option.words not in self._short:
                if not patience():
                    return False
                self._short[option.words] = self.short(option)
        return True

    def choice(self, option: _Option, patience: Patience = always) -> Choice:
        """An option as it is told, as far as it is known or there is time."""
        rules, naming, words = self._rules, self._naming, option.words
        self._count([option], patience)
        cost, counted = rules.tell_cost(option.game.state, self._side, option.order), self._odds.get(words)
        target = naming.target(words)
        sign = tuple(map(naming.shown, _sign(counted or "", target, counts=bool(cost))))
        never = bool(target) and f"never to {target}" in (counted or "")
        odds = counted and naming.shown(counted)
        cost = naming.shown(cost)
        said = f"{words[0]} {naming.told(target)}" if target else " ".join(words)
        met = naming.shown(rules.tell_met(option.game.state, option.order))
        told = clauses(filter(None, [said, cost, met, odds or ""]))
        return Choice(
            " ".join(words), " ".join(self._short.get(words, words)), words[0], target, naming.actor(words), told, cost,
            odds, sign, never, self._has_dice(option, counted), naming.way(words, self._stood(option.game)),
            option.unsure,
        )  # fmt: skip

    def _has_dice(self, option: _Option, odds: str | None) -> bool:
        """Whether an order has dice; of one that isn't counted whether others of its keyword have, or dice fall."""
        if odds is not None:
            return odds != ""
        keyword = option.words[0]
        if keyword not in self._dice:
            alike = [told for words, told in self._odds.items() if words[0] == keyword]
            self._dice[keyword] = any(alike) if alike else _rolls(option)
        return self._dice[keyword]

    def short(self, option: _Option) -> Words:
        """The shortest words that mean an order in its position: of its way the end alone, where `way` finds it.

        Behind dice all its words: where its way would lead from isn't known.
        """
        start, end = self._naming.run(option.words)
        if end - start < 2 or option.unsure:
            return option.words
        typed = (*option.words[:start], TO, *option.words[end - 1 :])
        with suppress(OrderError):
            request = option.game.request
            if isinstance(request, Choose) and self._rules.way(option.game.state, request, typed) == option.order:
                return typed
        return option.words

    def on_table(self, unit: str, spot: str) -> Offered:
        """What a unit can do at a spot of a table without hexes, `X Y`: the orders that are written with one."""
        choices, whys = list[Choice](), list[str]()
        for written in (one for usage in self._rules.usage(self._board).values() for one in usage.split("|")):
            before, spotted, _ = written.partition(" X Y")
            words = tuple(unit if word.isupper() else word for word in before.split())
            if not spotted or len(words) < 2:
                continue
            try:
                order = self._rules.read_order(self._board, self._side, (*words, *spot.split()))
            except OrderError as error:
                whys.append(self._naming.shown(str(error)))
                continue
            option = self.found(order, self._rules.order_words(self._board, order))
            choices += [self.choice(option)] if option is not None else []
            whys += [] if option is not None else self._refused(order)
        none = say("no order of %(unit)s names a spot", unit=self._naming.told(unit))
        why = "" if choices else clauses(dict.fromkeys(whys)) or none
        return Offered(self._headline(unit, spot, tuple(choices), why), tuple(choices), (), why)

    def _refused(self, order: Order) -> list[str]:
        """Why an order is refused in the last of the positions."""
        request = self._stands[-1].game.request if self._stands else None
        refusal = request.why_not(order) if isinstance(request, Choose) else None
        return [self._refusal(refusal)] if refusal is not None else []

    # --- the form -----------------------------------------------------------------------------------------------------

    def _form_of(self, stand: Stand) -> Iterator[FormEntry]:
        request = stand.game.request
        return iter(self._rules.form(stand.game.state, request) if isinstance(request, Choose) else ())

    def _entries_of(self, unit: str, patience: Patience) -> tuple[tuple[Entry, ...], bool]:
        """The entries of the form that are about a unit, as far as they have been read; whether all of them were."""
        while not self._told and patience():
            if (entry := next(self._form, None)) is None:
                self._told = True
            else:
                self._entries.append(entry)
        about = (_entry(entry, unit) for entry in self._entries)
        return tuple(entry for entry in about if entry is not None), self._told

    def _put(self, entry: Entry) -> Entry:
        """An entry of the form in the reader's language; its orders stay as they are typed."""
        shown = self._naming.shown
        orders = tuple((typed, shown(note)) for typed, note in entry.orders)
        return Entry(shown(entry.heading), orders, tuple(map(shown, entry.notes)))

    def _why(self, unit: str, place: str, entries: Iterable[Entry], patience: Patience) -> str:
        """Why nothing can be ordered: the form's word on a unit, else why it can't do what others can."""
        told = self._naming.told
        if not self._stands:
            return say("no order is asked here")
        if not unit:
            return say("nothing that can be ordered now is aimed at %(place)s", place=told(place)) if place else ""
        if unit not in self._naming.own:
            return say("%(unit)s isn't mine", unit=told(unit))
        if place:
            return self._why_not_at(unit, place)
        notes = [said for entry in entries for note in entry.notes if (said := self._reason(note, unit))]
        refusal = self._typical(unit, patience) if not notes else None
        return clauses(notes) or (
            self._refusal(refusal) if refusal is not None else say("nothing can be ordered for it now")
        )

    def _reason(self, note: str, unit: str) -> str:
        """The reason that a note of the form has for a unit, which stands in it among others; "" for other notes."""
        before, _, why = note.partition(": ")
        if note.split(" ", 1)[0].rstrip(",:") not in self._naming.own or unit not in _named(note):
            return ""
        several = [word in self._naming.own for word in before.split(", ")]
        if "; " in note and ": each " in note:  # each is told with what it is
            why = f"each {note.partition(': each ')[2]}"
        elif len(several) < 2 or not all(several):
            return self._naming.shown(note)
        name, why = self._naming.told(unit), why.replace("any of them", "it")
        if why.startswith("each "):
            return self._naming.shown(f"{name} {why.removeprefix('each ')}")
        return say("%(unit)s: %(why)s", unit=name, why=self._naming.shown(why))

    def _why_not_against(self, unit: str, enemy: str) -> str:
        """Why a unit can do nothing to an enemy: what is said of each order of its that is written with two units."""
        whys, keywords = dict[str, None](), {option.words[0] for option in self.given_to(unit)}
        for written in (one for usage in self._rules.usage(self._board).values() for one in usage.split("|")):
            words = written.partition("[")[0].split()
            if len(gaps := [word for word in words if word.isupper()]) != 2 or words[0] not in (keywords or words):
                continue
            given = dict(zip(gaps, (unit, enemy), strict=True))
            with suppress(OrderError):
                order = self._rules.read_order(self._board, self._side, tuple(given.get(word, word) for word in words))
                whys |= dict.fromkeys(self._refused(order))
        return clauses(whys)

    def _why_not_at(self, unit: str, place: str) -> str:
        """Why a unit can't go to a place, or do anything there, as `way` tells it."""
        if place in self._naming.enemies and (why := self._why_not_against(unit, place)):
            return why
        for keyword in dict.fromkeys(option.words[0] for option in self.given_to(unit)):
            for stand in self._stands:
                request = stand.game.request
                try:
                    if isinstance(request, Choose):
                        self._rules.way(stand.game.state, request, (keyword, unit, TO, place))
                except OrderError as error:
                    return self._naming.shown(str(error))
        unit, place = self._naming.told(unit), self._naming.told(place)
        return say("nothing that %(unit)s can do now is aimed at %(place)s", unit=unit, place=place)

    def _typical(self, unit: str, patience: Patience) -> Refusal | None:
        """Why a unit can't do what others can: the reason told of most of a few orders of theirs put to it."""
        found: dict[Refusal, int] = {}
        others = sorted(self._naming.own - {unit}, key=lambda other: (other not in self._given, other))
        examples = (options for other in others if (options := self.given_to(other)))
        for options in islice(examples, EXAMPLES):
            if found and not patience():
                break
            for option in {option.words[0]: option for option in options if unit not in option.words}.values():
                actor = self._naming.actor(option.words)
                put = tuple(unit if word == actor else word for word in option.words)
                request = option.game.request
                with suppress(OrderError):
                    order = self._rules.read_order(self._board, self._side, put)
                    refusal = request.why_not(order) if isinstance(request, Choose) else None
                    if refusal is not None:
                        found[refusal] = found.get(refusal, 0) + 1
        return max(found, key=found.__getitem__, default=None)

    def _headline(self, unit: str, place: str, choices: tuple[Choice, ...], why: str) -> str:
        told = self._naming.told
        if unit and place:
            who = say("%(unit)s at %(place)s", unit=told(unit), place=told(place))
        else:
            who = told(unit or place) if unit or place else say("Orders of the side")
        if not choices:
            return why if why.startswith(who) else say("%(who)s: %(why)s", who=who, why=why or say("none"))
        kinds: dict[str, int] = {}
        for choice in choices:
            kinds[choice.keyword] = kinds.get(choice.keyword, 0) + 1
        each = ", ".join(f"{keyword} {count}" for keyword, count in kinds.items())
        if len(choices) == 1:
            return say("%(who)s: 1 choice: %(kinds)s", who=who, kinds=each)
        return say("%(who)s: %(count)s choices: %(kinds)s", who=who, count=len(choices), kinds=each)

    def _refusal(self, refusal: Refusal) -> str:
        """A reason and its clause."""
        reason = self._naming.shown(refusal.reason)
        return f"{reason} [{refusal.clause}]" if refusal.clause else reason


def _legal(game: Game, order: Order) -> bool:
    request = game.request
    return isinstance(request, Choose) and request.why_not(order) is None


def _rolls(option: _Option) -> bool:
    """Whether dice fall, or counters are drawn, as soon as an order is given."""
    ahead = option.game.fork()
    ahead.apply(option.order, legal=True)
    return isinstance(ahead.request, Roll | Draw)


def _named(text: str) -> list[str]:
    """The words of a text, units among them."""
    return text.replace(",", " ").replace(":", " ").replace(";", " ").split()


def _entry(entry: FormEntry, unit: str) -> Entry | None:
    """What an entry says of a unit: all, where it is its own; else its orders, or the reason why it can do nothing.

    None where it says nothing of it.
    """
    own = entry.heading.split(" ", 1)[0].rstrip(",:") == unit
    orders = tuple(
        (" ".join(entry.typed.get(words, words)), note) for words, note in entry.orders if own or unit in words
    )
    notes = entry.notes if own or orders else tuple(note for note in entry.notes if unit in _named(note))
    return Entry(entry.heading, orders, notes) if own or orders or notes else None


SHARE = re.compile(r"(?:^|[,;:] )([^,;:%]+?) (\d+(?:\.\d+)?) ?%")
"""A result and its chance, as odds are told: `eliminated 28 %`."""


def _sign(odds: str, target: str, *, counts: bool) -> tuple[str, ...]:
    """What a mark says of odds: of a fight the first result and its share, of a way that has a cost (it `counts`) the
    chance to come to its target.
    """
    for found in SHARE.finditer(odds) if odds else ():
        if not counts:
            return found[1], f"{found[2]} %"
        return (f"{found[2]} %",) if target and found[1].endswith(target) else ()
    return ()
