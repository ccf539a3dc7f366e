"""Steps grouped by phases, and in a phase by what belongs together: an order and all that came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from pbem.language import say
from pbem.picture.news import is_fight
from pbem.report.headlines import TALK
from pbem.report.layout import Json
from pbem.report.telling import Teller

__all__ = ["Actions", "placed"]


def placed(step: Json) -> Json:
    """A step; the event that begins a phase belongs to it already."""
    if step["kind"] == "tell" and step["what"] == "phase":
        return {**step, "turn": step["facts"]["turn"], "phase": step["facts"]["phase"]}
    return step


TOGETHER = 12
"""Of so many orders at most that lapsed and are told as one some have all their words; of more the first alone."""


class Actions:
    """Groups steps by turn and phase, and in a phase by what belongs together: an order and all that came of it.

    Nothing came of what only ends a step of the phase; what begins or ends one by itself names it as its `step`.
    What `opens` an action, as dice for who may act next, is told with the one behind it.
    """

    def __init__(self, teller: Teller) -> None:
        self.rolls: list[tuple[Json, Json | None]] = []
        """Each roll or draw with the event that it decided."""
        self._teller = teller
        self._groups: list[Json] = []
        self._whole: list[Json] = []
        """Those of phases that began in these steps."""
        self._items: list[Json] = []
        self._order: Json | None = None
        self._pending: list[Json] = []
        self._dropped: list[Json] = []
        """Told of what was left out of an order that comes next."""
        self._behind: list[Json] = []
        """Told of what was left out of the order that is carried out, until all is told that came of it."""
        self._opening: list[Json] = []
        """Told of what opens the action that comes next."""
        self._fights = 0
        self._lapsed: dict[int, Json] = {}
        """Items of lapsed orders, by identity, with their steps."""
        self._together: set[int] = set()
        """The steps of lapsed orders, by identity, of which several are told as one."""
        self._before = frozenset[str]()
        """The units mentioned before what was told last."""
        self.behind: dict[int, int] = {}
        """An action, by its identity -> how many steps were taken when it ended."""
        self._taken = 0
        self._answer: tuple[Json, frozenset[str]] | None = None
        """The answer told last, while nothing was told behind it, and the units mentioned before it."""

    def add(self, step: Json) -> None:
        """Take the next step; an order left over when its phase was over belongs to that phase."""
        self._add(step)
        self._taken += 1

    def _add(self, step: Json) -> None:
        over = self._groups[:-1] if step["kind"] == "lapse" else []
        own = next((group for group in over if all(group[key] == step[key] for key in ("turn", "phase"))), None)
        if own is not None:
            self._end()
            self._item(step)
            self._act(own, None, self._items)
            self._items = []
            return
        dropped = [] if step.get("what") == "drop" else self._of_order(step)
        if not self._groups or any(self._groups[-1][key] != step[key] for key in ("turn", "phase")):
            self._open(step)
        kind, what = step["kind"], step.get("what")
        if what == "drop" and not self._pending:
            self._dropped.append(step)
            return
        if kind == "tell" and step["facts"].get("opens"):
            self._opens(step)
            return
        if kind in ("order", "lapse", "stop", "say") or (kind == "answer" and not step["about"]):
            self._end()
        elif what in ("reinforcements", "setup", "end", "agreement") or "step" in step.get("facts", {}):
            self._close()
        if kind == "order":
            self._order = step
            self._begin(dropped)
        elif kind in ("roll", "draw"):
            self._pending.append(step)
        elif what == "phase":
            self._whole.append(self._groups[-1])
        else:
            self._item(step)
        if what == "agreement":
            self._close()

    def _opens(self, step: Json) -> None:
        """End the action before an event that opens the next one; an order that comes to nothing else is told by it."""
        rolls, self._pending = self._pending, []
        if not rolls and not self._items and not self._behind:
            self._order = None
        self._end()
        self._pending = rolls
        self._item(step)
        self._opening += self._items
        self._items = []

    def _of_order(self, step: Json) -> list[Json]:
        """What was left out of the order that a step is; of any other step it belongs to what came before."""
        dropped, self._dropped = self._dropped, []
        if step["kind"] == "order" and all(_words(before)[:2] == step["words"][:2] for before in dropped):
            return dropped
        for before in dropped:
            self._item(before)
        return []

    def _begin(self, dropped: Iterable[Json]) -> None:
        """Tell of what was left out of an order; of a way that is cut short, to its `end`, behind what came of it."""
        for told in dropped:
            if "end" in told["facts"]:
                self._behind.append(told)
            else:
                self._item(told)

    def finish(self, now: tuple[int, str] | None = None) -> list[Json]:
        """The groups of all steps taken; the phase that it is `now` has only begun while nothing was done in it.

        Of a phase of nobody in which nothing was done there is nothing to tell.
        """
        for before in self._dropped:
            self._item(before)
        self._end()
        self._only_opened()
        for group in self._groups:
            group["actions"] = [*self._lapses_together(group["actions"])]
        for group in self._whole:
            self._only_ended(group)
        for group in self._groups[-1:]:
            group["begun"] = not group["actions"] and (group["turn"], group["phase"]) == now
        return [group for group in self._groups if group["side"] is not None or group["actions"] or group["begun"]]

    def _lapses_together(self, actions: Iterable[Json]) -> Iterator[Json]:
        """The actions, in which orders of a side that lapse one after another for one reason are told as one, by their
        first words; a few by all where these don't tell them apart, and many not at all where they tell few apart."""

        def why(action: Json) -> tuple[str, str, str] | None:
            items = action["items"]
            step = self._lapsed.get(id(items[0])) if len(items) == 1 else None
            return None if step is None else (step["side"], step["reason"], step["clause"])

        for reason, alike in groupby(actions, why):
            found = [*alike]
            steps = [self._lapsed[id(action["items"][0])] for action in found] if reason is not None else []
            apart = 4 * len({tuple(step["words"][:2]) for step in steps}) >= len(steps)
            if len(steps) > 1 and (apart or len(steps) <= TOGETHER):
                found[0]["items"][0]["told"] = self._teller.lapses(steps, whole=len(steps) <= TOGETHER)
                self._together |= {id(step) for step in steps}
                self.behind[id(found[0])] = self.behind[id(found[-1])]
                found = found[:1]
            yield from found

    def tells_alone(self, step: Json) -> bool:
        """Whether a lapsed order is told with all its words: no list has to tell it again."""
        return step["kind"] == "lapse" and id(step) not in self._together

    def _only_ended(self, group: Json) -> None:
        """Tell of a whole phase in which nothing was done but to end it what is told of one that nobody ended."""
        for action in group["actions"]:
            kinds = [item["kind"] for item in action["items"]]
            if len(group["actions"]) == 1 and kinds == ["order"] and action["order"] == [self._teller.names.closing]:
                action["items"][0]["told"] = say("Nothing was done.")

    def _open(self, step: Json) -> None:
        """Begin the group of another phase."""
        if self._groups:
            self._end()
            self._only_opened()
        self._teller.names.forget()
        side = self._teller.names.phase_side(step["phase"])
        title = self._teller.title(step["turn"], step["phase"])
        group = {
            "turn": step["turn"],
            "phase": step["phase"],
            "side": side,
            "title": title,
            "begun": False,
            "actions": [],
        }
        self._groups.append(group)

    def _end(self) -> None:
        """End the action; an order that nothing came of and rolls that decided nothing told speak for themselves."""
        behind, self._behind = self._behind, []
        if self._order is not None and not self._items and not behind and not self._order.get("ends"):
            self._item(self._order)
        while self._pending:
            self._item(self._pending.pop(0))
        for dropped in behind:
            self._item(dropped)
        self._close()

    def _close(self) -> None:
        """End the action; rolls not told yet belong to what comes next."""
        if self._items:
            words = self._order["words"] if self._order else None
            opening = [] if {item["kind"] for item in self._items} <= TALK else self._opening
            self._act(self._groups[-1], words, opening + self._items)
            self._opening = [] if opening else self._opening
        self._items, self._order = [], None

    def _act(self, group: Json, words: list[str] | None, items: list[Json]) -> None:
        """End an action of a group: the words of its order, if one led to it, and what is told of it."""
        action = {"order": words, "items": items}
        group["actions"].append(action)
        self.behind[id(action)] = self._taken

    def _only_opened(self) -> None:
        """End a group in which nothing has come yet of what opened an action."""
        if self._opening:
            self._act(self._groups[-1], None, self._opening)
            self._opening = []

    def _item(self, step: Json) -> None:
        if self._answer is not None and self._items and self._teller.tells_answer(step, self._answer[0]):
            self._teller.names.forget(but=self._answer[1])
            self._items[-1]["told"], _ = self._teller.tell(self._answer[0], goes_on=True)
        self._answer = (step, self._teller.names.mentioned()) if step["kind"] == "answer" else None
        step = self._with_what_was_told(step)
        self._before = self._teller.names.mentioned()
        begun = self._order if step["kind"] == "tell" and not self._items else None
        if begun is not None and self._teller.tells_besides(begun):
            self._item({**begun, "followed": True})
        told, known = self._teller.tell(step)
        rolls = [step] if step["kind"] in ("roll", "draw") else []
        self.rolls += [(roll, None) for roll in rolls]
        if step["kind"] == "tell":
            rolls, self._pending = self._pending, []
            self.rolls += [(roll, step) for roll in rolls]
        fight = is_fight(step)
        if fight and any(item["fight"] for item in self._items):  # several were declared: each is told by itself
            order = self._order
            self._close()
            self._order = order
        self._fights += fight
        item = {"kind": step["kind"], "what": step.get("what"), "clause": step.get("clause"), "told": told}
        numbers = {"fight": step.get("fight", self._fights) if fight else None, "rolls": [_roll(r) for r in rolls]}
        chances = step.get("chances", []) if rolls else []
        used = {"by": step["by"], "side": step["side"]} if step["kind"] == "answer" and step.get("by") else {}
        facts = step.get("facts", {})
        self._items.append({**item, "known": known, "facts": facts, **numbers, "chances": chances, **used})
        if step["kind"] == "lapse":
            self._lapsed[id(self._items[-1])] = step

    def _with_what_was_told(self, step: Json) -> Json:
        """The step; with the sum of what was told of it just before, in whose place it is then told."""
        last = self._items[-1] if self._items else None
        if last is None or step["kind"] != "tell" or self._pending or last["what"] != step["what"]:
            return step
        name, facts = self._teller.summed(step), step["facts"]
        if not name or name != self._teller.summed(last) or last["rolls"] or not _alike(facts, last["facts"]):
            return step
        self._items.pop()
        self._teller.names.forget(but=self._before)
        return {**step, "facts": {**facts, name: last["facts"][name] + facts[name]}}


def _alike(facts: Json, others: Json) -> bool:
    """Whether the facts of two events differ in numbers alone."""
    return facts.keys() == others.keys() and all(
        fact == others[name] for name, fact in facts.items() if type(fact) is not int
    )


def _words(dropped: Json) -> list[str]:
    """The words of the order out of which something was left."""
    order: str | list[str] = dropped["facts"]["order"]
    return order.split() if isinstance(order, str) else order


def _roll(step: Json) -> Json:
    """A roll or draw as the report shows it: its name, its dice or counters."""
    result = step["result"]
    if step["kind"] == "draw":
        return {"label": step["label"], "drawn": result, "of": len(step["cup"])}
    return {"label": step["label"], "dice": result, "sides": step["sides"]}
