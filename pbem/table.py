"""The game as its log tells it: entries in, dice by the chains, decisions by orders, standing orders and defaults.

A Table takes verified entries one after the other and carries the game as far as they go. It stops where a seed is
not known yet (a reveal is due) or where somebody must decide. It touches no file and checks no signature.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping
from copy import copy
from typing import Any, NamedTuple

from pbem import dice
from pbem.canonical import digest
from pbem.envelope import Entry
from pbem.errors import BadLog, MalformedOrder, OrderError, Refusal, Refused
from pbem.game import Game
from pbem.genesis import Genesis
from pbem.orders import Act, Part, Say, Standing, StopIf, Strict, read_canonical, why_not_in_react
from pbem.requests import Answer, Choose, Draw, Roll, Tell, Words
from pbem.rules import Board, Rules

__all__ = ["Due", "Step", "Table", "state_hash"]

KEPT = 6
"""Steps of so many newest entries are kept in a dump, those since each player's newest decision, and the turn's."""

Chancer = Callable[[Roll | Draw], Answer | None]
Queue = deque[tuple[int, Part]]
Step = dict[str, Any]


class Due(NamedTuple):
    """What the game waits for: `what` is orders, react, reveal or nothing; `player` a name, None for nothing."""

    what: str
    player: str | None = None
    request: Choose | None = None

    def __str__(self) -> str:
        """In words: `orders of ben are due`."""
        words = {"orders": "orders of {} are due", "react": "an answer of {} is due", "reveal": "a reveal of {} is due"}
        return words[self.what].format(self.player) if self.player else "the game is over"


def state_hash(dump: Mapping[str, Any]) -> str:
    """The `state` of an entry: hash of the canonical JSON of the game that its orders start from (protocol 4)."""
    return digest("pbem-state/1", dump)


class Table:
    """The state of play of one game."""

    def __init__(self, genesis: Genesis, rules: Rules, board: Board, head: bytes) -> None:
        self.genesis = genesis
        self.rules = rules
        self.board = board
        self.seq = 1
        """Number of the newest entry."""
        self.head = head
        """Its hash, 32 bytes."""
        self.newest = ("accept", genesis.players[1].name)
        """Its kind and author."""
        self.reveals = dict.fromkeys((p.name for p in genesis.players), 0)
        """Player -> how many chain values are revealed."""
        self.last_value = {p.name: p.anchor for p in genesis.players}
        """Player -> the newest revealed chain value."""
        self.reveal_due: str | None = None
        self.decided: tuple[int, bytes] | None = None
        """Number and hash of the newest orders or react entry (or the accept): the one that the seed is bound to."""
        self.seed: bytes | None = None
        self.labels: Counter[str] = Counter()
        self.queues: dict[str, Queue] = {p.side: deque() for p in genesis.players}
        self.reactions: dict[str, Queue] = {p.side: deque() for p in genesis.players}
        self.standing: dict[str, list[Words]] = {p.side: [] for p in genesis.players}
        self.laid: dict[str, tuple[int, str]] = {}
        """Side -> turn and phase that its queue is for."""
        self.strict = False
        self.steps: list[Step] = []
        self.last_by = {p.name: number for number, p in enumerate(genesis.players)}
        """Player -> number of his newest decision."""
        self.chancer: Chancer = self._seeded
        told: list[Tell] = []
        self.game = Game.new(rules, board, dict(genesis.terms.options), told.append)
        self.game.hear = self._hear
        for tell in told:
            self._hear(tell)
        if isinstance(self.game.request, Roll | Draw):  # a game that begins with dice: the accept decided last
            self.decided, self.reveal_due = (1, head), genesis.players[0].name
        self.resolve()

    # --- what is due -----------------------------------------------------------------------------------------------

    def due(self) -> Due:
        """What the game waits for, and from whom."""
        request = self.game.request
        if request is None:
            return Due("reveal", self.reveal_due) if self.reveal_due and self.labels else Due("nothing")
        if not isinstance(request, Choose):
            return Due("reveal", self.reveal_due)
        player = self.genesis.of_side(request.side).name
        if self.reveal_due not in (None, player):
            return Due("reveal", self.reveal_due, request)
        return Due("react" if request.reaction else "orders", player, request)

    def due_from(self, player: str) -> Due:
        """What is due from this player. Raises Refused when nothing is."""
        due = self.due()
        if due.player != player:
            raise Refused(f"nothing is due from {player}", hint=str(due))
        return due

    def next_reveal(self, player: str) -> int | None:
        """The index of the chain value that the player's next entry must reveal; None when none is due from him."""
        return self.reveals[player] + 1 if self.reveal_due == player else None

    def state_hash(self) -> str:
        """The `state` that an entry made now must carry."""
        return state_hash(self.game.dump())

    # --- entries ---------------------------------------------------------------------------------------------------

    def take(self, entry: Entry, entry_hash: bytes) -> None:
        """Carry out the next entry. Raises BadLog, naming what doesn't fit; the table is then not to be used again."""
        where = f"entry {entry.seq}"
        self._check_chain(entry, where)
        self._take_reveal(entry, where)
        self._check_kind(entry, where)
        if entry.state != self.state_hash():
            raise BadLog(
                f"the state is not the one this program finds: {entry.state} in the entry, {self.state_hash()} here",
                where,
                "compare `pbem verify` and the program's version on both sides",
            )
        self._take_body(entry, entry_hash, where)
        self.resolve()

    def _check_kind(self, entry: Entry, where: str) -> None:
        """Whether this kind of entry is due from this player, his reveal being taken already."""
        request = self.game.request
        mine = isinstance(request, Choose) and self.genesis.of_side(request.side).name == entry.by
        over = request is None and not self.labels
        if isinstance(request, Choose) and mine and self.reveal_due is None:
            wanted = "react" if request.reaction else "orders"
        elif entry.reveal is not None and not over:
            wanted = "reveal"
        else:
            raise BadLog(f"{entry.by} is not to move", where, str(self.due()))
        if entry.kind != wanted:
            raise BadLog(f"`{entry.kind}` is not due", where, f"`{wanted}` of {entry.by} is due")

    def _check_chain(self, entry: Entry, where: str) -> None:
        if entry.game != self.genesis.game.hex():
            raise BadLog(f"it belongs to the game {entry.game}", where, f"this game is {self.genesis.game.hex()}")
        if entry.seq != self.seq + 1:
            raise BadLog(f"number {entry.seq} is not the next one", where, f"{self.seq + 1} is due")
        if entry.prev != self.head.hex():
            raise BadLog("it follows another entry than the newest here", where, f"`prev {self.head.hex()}` is due")
        self.genesis.player(entry.by)

    def _take_reveal(self, entry: Entry, where: str) -> None:
        """Check the reveal against the chain, and roll what waited for it (protocol 3.3)."""
        index = self.next_reveal(entry.by)
        if index is None:
            if entry.reveal is not None:
                raise BadLog("it reveals a chain value that is not due", where, "no `reveal` is due")
            return
        if entry.reveal is None:
            raise BadLog("its reveal is missing", where, f"`reveal {index} ...` is due")
        player = self.genesis.player(entry.by)
        value = bytes.fromhex(entry.reveal[1])
        if entry.reveal[0] != index:
            raise BadLog(f"it reveals chain value {entry.reveal[0]}", where, f"number {index} is due")
        if dice.chain_step(dice.player_id(player.key, player.gnonce), index, value) != self.last_value[entry.by]:
            raise BadLog(f"chain value {index} is not {entry.by}'s: it doesn't lead to the one before", where)
        self.reveals[entry.by] = index
        self.last_value[entry.by] = value
        self.reveal_due = None
        self.peek(value)

    def peek(self, value: bytes) -> None:
        """Go on with the chain value that is due, known to its owner before he sends it."""
        if self.seed is None and self.decided is not None:
            number, entry_hash = self.decided
            self.seed = dice.seed(value, self.genesis.game, number, entry_hash)
            self.resolve()

    def _take_body(self, entry: Entry, entry_hash: bytes, where: str) -> None:
        side = self.genesis.player(entry.by).side
        self.seq, self.head, self.newest = entry.seq, entry_hash, (entry.kind, entry.by)
        if entry.kind == "reveal":
            if entry.body:
                raise BadLog(f"`{entry.body[0].keyword}` stands in a reveal", where, "a reveal has no body")
            return
        self.last_by[entry.by] = entry.seq
        try:
            parts = read_canonical(self.rules, self.board, side, entry.body)
        except OrderError as error:
            raise BadLog(f"its orders can't be read: {error}", where) from error
        if entry.kind == "react":
            for _, part in parts:
                refusal = why_not_in_react(part)
                if refusal is not None:
                    raise BadLog(refusal, where, "a react holds answers, standing orders and talk")
        self.decided = (entry.seq, entry_hash)
        self.seed = None
        self.labels.clear()
        self.reveal_due = self.genesis.other(entry.by).name
        self.play(side, parts, reaction=entry.kind == "react")

    def play(self, side: str, parts: list[tuple[int, Part]], *, reaction: bool) -> None:
        """Lay an entry's parts ready; standing orders and talk take effect at once."""
        queue = self.reactions[side] if reaction else self.queues[side]
        queue.clear()
        if not reaction:
            self.laid[side] = self.rules.clock(self.game.state)
            self.strict = False
            for reacting, left_over in self.reactions.items():
                if left_over:
                    self._stop(reacting, left_over, "nobody asked for the other answers")
        for number, part in parts:
            match part:
                case Standing(words):
                    self.standing[side] = [*self.standing[side], words][-200:]
                case Say(words):
                    self._note("say", player=self.genesis.of_side(side).name, text=" ".join(words))
                case _:
                    queue.append((number, part))

    # --- resolving -------------------------------------------------------------------------------------------------

    def resolve(self) -> None:
        """Carry the game on until a chance is not known or a decision is not given."""
        while (request := self.game.request) is not None:
            if isinstance(request, Choose):
                if not (self._react(request) if request.reaction else self._order(request)):
                    return
            elif not self._chance(request):
                return

    def _chance(self, request: Roll | Draw) -> bool:
        answer = self.chancer(request)
        if answer is None:
            return False
        if isinstance(request, Roll):
            step = {"dice": request.dice, "sides": request.sides, "result": list(answer)}
        else:
            step = {"cup": list(request.cup), "count": request.count, "result": list(answer)}
        self._note("roll" if isinstance(request, Roll) else "draw", label=self._label(request), **step)
        self.labels[request.label] += 1
        self.game.apply(answer)
        return True

    def _label(self, request: Roll | Draw) -> str:
        """The roll's name, unique within the seed: its stem and the count of that stem."""
        return f"{request.label}/{self.labels[request.label] + 1}"

    def _seeded(self, request: Roll | Draw) -> Answer | None:
        if self.seed is None:
            return None
        if isinstance(request, Roll):
            return dice.roll(self.seed, self._label(request), request.dice, request.sides)
        return dice.draw(self.seed, self._label(request), list(request.cup), request.count)

    def _order(self, request: Choose) -> bool:
        """Answer a decision of the phase from its side's queue; False when the queue has nothing for it."""
        now = self.rules.clock(self.game.state)
        for side, queue in self.queues.items():
            if side != request.side or self.laid.get(side) != now:
                self._drop(side, queue)
        queue = self.queues[request.side]
        while queue:
            number, part = queue.popleft()
            match part:
                case Strict():
                    self.strict = True
                case StopIf(tests):
                    if self._hold(tests):
                        self._stop(request.side, queue, "a stop condition holds")
                case Act(order, words, tests):
                    if self._hold(tests) and self._act(request, queue, number, Act(order, words, tests)):
                        return True
        return False

    def _act(self, request: Choose, queue: Queue, number: int, act: Act) -> bool:
        """Carry out one order, or what is left of it, or let it lapse; False when it lapsed."""
        refusal = request.why_not(act.order)
        if refusal is not None:
            rest = self.rules.remainder(self.game.state, request.side, act.order)
            if rest is None:
                self._lapse(request.side, number, act.words, refusal)
                if self.strict:
                    self._stop(request.side, queue, "an order lapsed under `strict`")
                return False
            act = Act(rest[0], self.rules.order_words(self.board, rest[0]))
            for tell in rest[1]:
                self._note("tell", what=tell.what, clause=tell.clause, facts=tell.facts, number=number)
        self._note("order", side=request.side, words=list(act.words))
        self.game.apply(act.order)
        if act.words == ("done",):
            queue.clear()
            self.strict = False
        return True

    def _lapse(self, side: str, number: int, words: Words, why: Refusal) -> None:
        """Note an order that has become illegal when its turn came."""
        self._note("lapse", side=side, number=number, words=list(words), reason=why.reason, clause=why.clause)

    def _drop(self, side: str, queue: Queue) -> None:
        """Let a side's left-over orders lapse when the decision has passed to the other side."""
        while queue:
            number, part = queue.popleft()
            if isinstance(part, Act) and part.words != ("done",) and self._hold(part.tests):
                self._lapse(side, number, part.words, Refusal("", "the phase is over"))

    def _stop(self, side: str, queue: Queue, reason: str) -> None:
        dropped = sum(isinstance(part, Act) for _, part in queue)
        queue.clear()
        self.strict = False
        self._note("stop", side=side, reason=reason, dropped=dropped)

    def _hold(self, tests: tuple[Any, ...]) -> bool:
        return all(self.rules.test(self.game.state, test.words) == test.expected for test in tests)

    def _react(self, request: Choose) -> bool:
        """Answer what the other side's action asks: by a react entry, a standing order or the default."""
        queue = self.reactions[request.side]
        while queue:
            number, part = queue.popleft()
            if isinstance(part, Act) and self._hold(part.tests):
                refusal = request.why_not(part.order)
                if refusal is None:
                    return self._answer(request, part.order, "react")
                self._lapse(request.side, number, part.words, refusal)
        if request.standing is not None:
            order = request.standing(self.standing[request.side])
            if order is not None:
                return self._answer(request, order, "standing")
        if request.default is not None and self.genesis.terms.reactions == "standing":
            return self._answer(request, request.default(), "default")
        return False

    def _answer(self, request: Choose, order: Any, how: str) -> bool:
        words = list(self.rules.order_words(self.board, order))
        self._note("answer", side=request.side, about=list(request.about), how=how, words=words)
        self.game.apply(order)
        return True

    # --- what happened ---------------------------------------------------------------------------------------------

    def _hear(self, tell: Tell) -> None:
        self._note("tell", what=tell.what, clause=tell.clause, facts=tell.facts)

    def _note(self, kind: str, **facts: Any) -> Step:
        turn, phase = self.rules.clock(self.game.state)
        number = self.decided[0] if self.decided else self.seq
        step: Step = {"seq": number, "turn": turn, "phase": phase, "kind": kind, **facts}
        self.steps.append(step)
        return step

    # --- copies ----------------------------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """The table as JSON data, for a cache; `load` gives it back."""
        oldest = min(self.seq - KEPT, *self.last_by.values())
        turn, _ = self.rules.clock(self.game.state)
        return {
            "seq": self.seq,
            "head": self.head.hex(),
            "newest": list(self.newest),
            "reveals": dict(self.reveals),
            "last_value": {name: value.hex() for name, value in self.last_value.items()},
            "reveal_due": self.reveal_due,
            "decided": [self.decided[0], self.decided[1].hex()] if self.decided else None,
            "seed": self.seed.hex() if self.seed else None,
            "labels": dict(self.labels),
            "queues": {side: self._queue_out(queue) for side, queue in self.queues.items()},
            "reactions": {side: self._queue_out(queue) for side, queue in self.reactions.items()},
            "standing": {side: [list(words) for words in orders] for side, orders in self.standing.items()},
            "laid": {side: list(clock) for side, clock in self.laid.items()},
            "strict": self.strict,
            "steps": [step for step in self.steps if step["seq"] >= oldest or step["turn"] == turn],
            "last_by": dict(self.last_by),
            "game": self.game.dump(),
        }

    @classmethod
    def load(cls, genesis: Genesis, rules: Rules, board: Board, dump: Mapping[str, Any]) -> Table:
        """The table from `dump`."""
        table = cls.__new__(cls)
        table.genesis, table.rules, table.board = genesis, rules, board
        table.seq, table.head = dump["seq"], bytes.fromhex(dump["head"])
        table.newest = (dump["newest"][0], dump["newest"][1])
        table.reveals = dict(dump["reveals"])
        table.last_value = {name: bytes.fromhex(value) for name, value in dump["last_value"].items()}
        table.reveal_due = dump["reveal_due"]
        decided = dump["decided"]
        table.decided = (decided[0], bytes.fromhex(decided[1])) if decided else None
        table.seed = bytes.fromhex(dump["seed"]) if dump["seed"] else None
        table.labels = Counter(dump["labels"])
        table.queues = {side: table._queue_in(side, queue) for side, queue in dump["queues"].items()}
        table.reactions = {side: table._queue_in(side, queue) for side, queue in dump["reactions"].items()}
        table.standing = {side: [tuple(words) for words in orders] for side, orders in dump["standing"].items()}
        table.laid = {side: (turn, phase) for side, (turn, phase) in dump["laid"].items()}
        table.strict = dump["strict"]
        table.steps = list(dump["steps"])
        table.last_by = dict(dump["last_by"])
        table.chancer = table._seeded
        table.game = Game.load(rules, board, dump["game"], table._hear)
        return table

    def fork(self) -> Table:
        """An independent table at the same point, without the steps so far."""
        twin = copy(self)
        twin.reveals, twin.last_value, twin.last_by = dict(self.reveals), dict(self.last_value), dict(self.last_by)
        twin.labels = self.labels.copy()
        twin.queues = {side: queue.copy() for side, queue in self.queues.items()}
        twin.reactions = {side: queue.copy() for side, queue in self.reactions.items()}
        twin.standing = {side: list(orders) for side, orders in self.standing.items()}
        twin.laid = dict(self.laid)
        twin.steps = []
        twin.chancer = twin._seeded
        twin.game = self.game.fork()
        twin.game.hear = twin._hear
        return twin

    def imagine(self, side: str, parts: list[tuple[int, Part]], chancer: Chancer) -> None:
        """Go on as if these parts were the side's next entry, with chances from `chancer` (None stops there)."""
        self.decided = (self.seq + 1, b"")
        self.seed = None
        self.labels.clear()
        self.reveal_due = self.genesis.other(self.genesis.of_side(side).name).name
        self.chancer = chancer
        request = self.game.request
        self.play(side, parts, reaction=isinstance(request, Choose) and request.reaction)
        self.resolve()

    def _queue_out(self, queue: Queue) -> list[list[Any]]:
        from pbem.orders import statement_of

        return [[number, [*statement_of(part)[:1], *statement_of(part).tokens]] for number, part in queue]

    def _queue_in(self, side: str, queue: list[list[Any]]) -> Queue:
        from pbem.envelope import Statement
        from pbem.orders import read_parts

        statements = [(number, Statement(words[0], tuple(words[1:]))) for number, words in queue]
        parts, errors = read_parts(self.rules, self.board, side, statements)
        if errors:
            raise MalformedOrder("the cached orders can't be read", hint="delete the cache")
        return deque(parts)
