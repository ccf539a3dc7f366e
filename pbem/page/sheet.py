"""The order sheet of a player: all that the page asks about the list of orders that he is writing for one decision."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import TypeVar, cast

from pbem.errors import OrderError, Refused
from pbem.language import say
from pbem.match.bots import SETUP
from pbem.match.orders import TO, Act, Part, Plan, Standing, order_of, statement_of
from pbem.match.table import Table
from pbem.page import editing
from pbem.page.choices import Offered, Options, Patience, always
from pbem.page.editing import Edited
from pbem.page.listing import Fault, Listing, Read, act_words, listing, read
from pbem.page.naming import Naming
from pbem.page.shapes import Shapes, shapes
from pbem.page.standing import Stand, stands
from pbem.records import NamedTuple
from pbem.rules.requests import Factor, Words
from pbem.wire.orderfile import parse_statements

__all__ = ["Judgement", "Sheet"]

KEPT = 8
"""So many of the newest answers of each kind are kept."""

T = TypeVar("T")


class Judgement(NamedTuple):
    """One order judged where it would stand in the list.

    good, why, clause, right    whether it can be given there; else why not, by which clause, what would be right
    words, typed                as it would be signed; the shortest words that mean it
    told                        its words and its cost, in a line
    cost, odds                  as in a Choice, "" for none; `factors` are what decides what its dice mean
    way                         the labels of places by which it is drawn
    ends                        whether it may end the game
    unit                        the unit to which it is given
    """

    good: bool
    why: str = ""
    clause: str = ""
    right: str = ""
    words: str = ""
    typed: str = ""
    told: str = ""
    cost: str = ""
    odds: str = ""
    factors: tuple[Factor, ...] = ()
    way: tuple[str, ...] = ()
    ends: bool = False
    unit: str = ""


class Sheet:
    """What can be read of a player's list at one decision: make another one when the table goes on.

    Texts are those of order files. Items are counted from 1. Each method raises Refused when no orders are due from the
    player. One thread at a time.
    """

    def __init__(self, table: Table, name: str) -> None:
        self.table, self.name = table, name
        self.side = table.genesis.player(name).side
        self.naming = Naming(table, self.side)
        self._kept: dict[str, OrderedDict[Hashable, object]] = {}

    def listing(self, text: str) -> Listing:
        """Each statement of a text as it is read and judged, and how it stands behind them: /orders."""
        return self._known("listing", text, lambda: listing(self.table, self.name, text, self._read(text), self.naming))

    def choices(
        self, text: str, at: int | None = None, unit: str = "", place: str = "", patience: Patience = always
    ) -> Offered:
        """What can be ordered before item `at` of a text, None for at the right place: /choices.

        For a unit, or to a place by any unit, or by that unit at that place; with neither the orders of no unit. A
        place is a label, or `X Y` on a table without hexes. `patience` says whether there is still time for odds and
        for the form; what waits is left out then, and there when it is asked again.
        """
        options = self._options(text, at)
        if unit and " " in place:
            return options.on_table(unit, place)
        return options.offered(unit, place, patience)

    def odds(self, text: str, words: str, at: int | None = None) -> Judgement:
        """One order, also by a way of one's own, as it would stand before item `at`: /odds."""
        return self._known("odds", (text, words, at), lambda: self._judged(text, words, at))

    def edited(self, text: str, do: str, words: str = "", number: int = 0, to: int = 0) -> Edited:
        """A text in which a statement was put in (`add`), taken out (`remove`), `move`d or `replace`d: /edit.

        `add` puts it before item `to`, 0 for at the right place; `move` puts item `number` before `to`, 0 for behind
        all. Raises Refused for an item that isn't there, or for words that are no single statement.
        """
        count = len(self._read(text).pieces)
        if do not in ("add", "remove", "move", "replace"):
            what = say("`%(word)s` is nothing that is done with a list", word=do)
            raise Refused(what, hint=say("add, remove, move or replace"))
        if do != "add" and not 0 < number <= count:
            what = say("the list has no order %(number)s", number=number)
            raise Refused(what, hint=say("it has %(count)s", count=count))
        if do in ("add", "replace"):
            words = words.strip().removesuffix(";").rstrip()
            found, wrong = parse_statements(f";{words};")
            if "\n" in words or "\r" in words or len(found) + len(wrong) != 1 or "#" in words:
                what = say("`%(words)s` is no single order", words=words[:80])
                raise Refused(what, hint=say("write one order in one line"))
        if do == "add":
            return editing.added(text, self._shortest(text, words, to), to or self._right_place(text, words))
        if do == "remove":
            return editing.removed(text, number)
        return editing.moved(text, number, to) if do == "move" else editing.replaced(text, number, words)

    def to_place(self, text: str) -> str:
        """In a set-up how many units are still to be placed behind a list, in a sentence; "" for nothing."""
        return self._known("to_place", text, lambda: self._to_place(text))

    def _to_place(self, text: str) -> str:
        found, rules = self.listing(text), self.table.rules
        if found.asked is None or found.asked.kind != SETUP:
            return ""
        units = rules.situation(found.state)["units"]
        off = [unit["id"] for unit in units if unit["id"] in self.naming.own and unit["where"] != "map"]
        options = self._options(text, None)
        left = sum(1 for unit in off if options.given_to(unit))
        if left == 1:
            return say("One unit is still to be placed.")
        return say("%(count)s units are still to be placed.", count=left) if left else say("All units are placed.")

    def shapes(self) -> Shapes:
        """What the small forms have now: /shapes."""
        return self._known("shapes", "", lambda: shapes(self.table, self.name))

    # --- what is kept -------------------------------------------------------------------------------------------------

    def _known(self, kind: str, key: Hashable, work: Callable[[], T]) -> T:
        """What was found for a key before, or is found now; of each kind the newest are kept."""
        kept = self._kept.setdefault(kind, OrderedDict())
        if key not in kept:
            kept[key] = work()
            if len(kept) > KEPT:
                kept.popitem(last=False)
        kept.move_to_end(key)
        return cast("T", kept[key])

    def _read(self, text: str) -> Read:
        return self._known("read", text, lambda: read(self.table, self.name, text))

    def _before(self, text: str, at: int | None) -> list[tuple[int, Part]]:
        """The good parts of a text before an item; None for the right place: without the order that closes."""
        found = self._read(text)
        closing = (self.table.rules.CLOSING,)
        good = found.good(at or 0)
        return good if at else [(number, part) for number, part in good if act_words(part) != closing]

    def _options(self, text: str, at: int | None) -> Options:
        parts = self._before(text, at)
        key = tuple(part for _, part in parts)

        def work() -> Options:
            return Options(self.table, self.side, self.naming, self._stands(parts))

        return self._known("options", key, work)

    def _stands(self, parts: list[tuple[int, Part]]) -> tuple[Stand, ...]:
        key = tuple(part for _, part in parts)
        return self._known("stands", key, lambda: stands(self.table, self.side, parts)).all

    # --- one order ----------------------------------------------------------------------------------------------------

    def _right_place(self, text: str, words: str) -> int:
        """Before which item a new statement stands, 0 for behind all: the one that closes what it belongs to."""
        rules, found = self.table.rules, self._read(text)
        phase = words.split()[1].removesuffix(":").lower() if words.lower().startswith("in ") else ""
        step = self._step(words) if not phase else None
        for number, part in enumerate(found.parts, 1):
            inside = part.part if isinstance(part, Plan) else part
            named = part.phase if isinstance(part, Plan) else ""
            if not isinstance(inside, Act) or inside.tests:
                continue
            if named.removeprefix(f"{self.side}-") != phase.removeprefix(f"{self.side}-"):
                continue
            shuts = inside.words in rules.SHUTTING and step == rules.step(inside.order)
            if inside.words == (rules.CLOSING,) or shuts:
                return number
        return 0

    def _shortest(self, text: str, words: str, to: int) -> str:
        """The shortest words of an order that is given in full, where they mean the same before an item; else these."""
        rules, board = self.table.rules, self.table.board
        said = tuple(words.split())
        with suppress(OrderError):
            order = rules.read_order(board, self.side, said)
            if rules.order_words(board, order) == said:
                options = self._options(text, to or None)
                option = options.found(order, said)
                return " ".join(options.short(option)) if option is not None else words
        return words

    def _step(self, words: str) -> int | None:
        """The step of an order as it is typed, behind its conditions; None where it can't be told."""
        rules, board = self.table.rules, self.table.board
        found, _ = parse_statements(f";{words};")
        said: Words = (found[0][1].keyword, *found[0][1].tokens) if found else ()
        said = said[said.index("then") + 1 :] if said[:1] == ("if",) and "then" in said else said
        with suppress(OrderError):
            read = rules.toward if TO in said else rules.read_order
            return rules.step(read(board, self.side, said))
        return None

    def _judged(self, text: str, words: str, at: int | None) -> Judgement:
        new = self.edited(text, "add", words, to=at or 0)
        found = self._read(new.text)
        part, faults = found.parts[new.number - 1], found.faults.get(new.number, ())
        if faults or part is None:
            return self._refused(part, words, faults or found.others)
        act = order_of(part)
        if act is None or isinstance(part, Plan | Standing):
            return Judgement(good=True, words=str(statement_of(part)).removesuffix(";"), typed=words)
        return self._told(act, words, self._options(new.text, new.number))

    def _refused(self, part: Part | None, words: str, faults: tuple[Fault, ...]) -> Judgement:
        fault = faults[0] if faults else Fault(say("nothing is read from here on"))
        act = order_of(part)
        said = " ".join(act.words) if act is not None else words
        way = self.naming.way(act.words, self.naming.places(self.table.game.state)) if act is not None else ()
        unit = self.naming.actor(act.words) if act is not None else ""
        return Judgement(False, fault.what, fault.clause, fault.right, said, words, way=way, unit=unit)

    def _told(self, act: Act, words: str, options: Options) -> Judgement:
        """An order that is accepted, as it stands where it is legal; behind dice it may be legal nowhere yet."""
        rules, said = self.table.rules, " ".join(act.words)
        option = options.found(act.order, act.words)
        if option is None:
            return Judgement(good=True, words=said, typed=words, told=said, unit=self.naming.actor(act.words))
        choice, state = options.choice(option), option.game.state
        factors = rules.factors(state, self.side, act.order, self.table.course.standing) if choice.odds else ()
        return Judgement(
            good=True, words=said, typed=choice.typed if not act.tests else words, told=choice.told, cost=choice.cost,
            odds=choice.odds or "", factors=tuple(factors), way=choice.way,
            ends=rules.decisive(state, act.order), unit=choice.unit,
        )  # fmt: skip
