"""The game as its log tells it: entries in, dice by the chains, decisions by orders, standing orders and defaults.

A Table takes verified entries one after the other and carries the game as far as they go. It stops where a seed is
not known yet (a reveal is due) or where somebody must decide. It touches no file and checks no signature.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any, NamedTuple

from pbem import dice
from pbem.agreements import AGREEMENTS, Forgotten, Proposal, settle, why_not_due
from pbem.canonical import digest
from pbem.course import Chancer, Course
from pbem.envelope import Entry
from pbem.errors import BadLog, OrderError, Refused
from pbem.genesis import Genesis, Player
from pbem.orders import Part, read_canonical, why_not_in_react
from pbem.requests import Choose, Draw, Outcome, Roll
from pbem.rules import Board, Rules

__all__ = ["Due", "Table", "state_hash"]

READ_AGAIN = "read the log from its beginning"

KEPT = 6
"""Steps of so many newest entries are kept in a dump, those since each player's newest decision, and the turn's."""


class Due(NamedTuple):
    """What the game waits for: `player` is a name, None for nothing.

    `what` is orders, react (to what the other side's orders ask), reveal, reply (to a proposal) or nothing.
    """

    what: str
    player: str | None = None
    request: Choose | None = None

    def __str__(self) -> str:
        """In words: `orders of ben are due`."""
        words = {"orders": "orders of {} are due", "reveal": "a reveal of {} is due"}
        return words.get(self.what, "an answer of {} is due").format(self.player) if self.player else "the game is over"


def state_hash(dump: Mapping[str, Any]) -> str:
    """The `state` of an entry: hash of the canonical JSON of the game that its orders start from (protocol 4)."""
    return digest("pbem-state/1", dump)


class Table(Course):
    """The state of play of one game: its course, and what its log says of entries, reveals and whose move it is."""

    def __init__(self, genesis: Genesis, rules: Rules, board: Board, head: bytes) -> None:
        super().__init__(genesis, rules, board)
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
        self.last_by = {p.name: number for number, p in enumerate(genesis.players)}
        """Player -> number of his newest decision."""
        self.players = {p.name: p for p in genesis.players}
        """Player -> his key and chain as they are now."""
        self.gnonces = {p.gnonce for p in genesis.players}
        """Every gnonce that was used in the game."""
        self.decisions: list[int] = []
        """Numbers of the orders and react entries that stand."""
        self.proposal: Proposal | None = None
        self.settled: Outcome | None = None
        """How the players themselves ended the game."""
        self.public_state: str | None = None
        """The state that all know, where the owner of the next chain value has carried the game on with it."""
        self.remembered: dict[int, dict[str, Any] | None] = {}
        """Entries that an undo of the log wants back -> the course before them."""

    @classmethod
    def begun(cls, genesis: Genesis, rules: Rules, board: Board, head: bytes) -> Table:
        """The table of a game behind its accept, whose hash is `head`."""
        table = cls(genesis, rules, board, head)
        table.begin()
        if isinstance(table.game.request, Roll | Draw):  # a game that begins with dice: the accept decided last
            table.decided, table.reveal_due = (1, head), genesis.players[0].name
        table.resolve()
        return table

    def player(self, name: str) -> Player:
        """A player with his key and chain as they are now. Raises BadLog when nobody has that name."""
        return self.players.get(name) or self.genesis.player(name)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by its rules or by agreement; None while it goes on."""
        return self.settled or self.game.outcome

    # --- what is due -----------------------------------------------------------------------------------------------

    def due(self) -> Due:
        """What the game waits for, and from whom."""
        request = self.game.request
        if self.settled is not None:
            return Due("nothing")
        if self.proposal is not None:
            return Due("reply", self.genesis.other(self.proposal.by).name)
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
        due = self.due()
        self._take_reveal(entry, where)
        if entry.kind not in AGREEMENTS:
            self._check_kind(entry, where)
        elif refusal := why_not_due(self, entry, due):
            raise BadLog(f"{entry.by} can't make a `{entry.kind}` now", where, refusal)
        if entry.kind in ("recover", "accept-rekey") and self.public_state is not None:
            raise Forgotten("the dice were rolled with a secret that is given up now", where, READ_AGAIN)
        found = self.public_state if entry.kind == "claim" and self.public_state else self.state_hash()
        if entry.state != found:
            raise BadLog(
                f"the state is not the one this program finds: {entry.state} in the entry, {found} here",
                where,
                "compare `pbem verify` and the program's version on both sides",
            )
        if entry.seq in self.remembered:
            self.remembered[entry.seq] = {"course": self.dump_course(), "last_by": dict(self.last_by)}
        self._take_body(entry, entry_hash, where)
        self.resolve()

    def _check_kind(self, entry: Entry, where: str) -> None:
        """Whether this kind of entry is due from this player, his reveal being taken already."""
        request = self.game.request
        if self.settled is not None or self.proposal is not None:
            raise BadLog(f"`{entry.kind}` is not due", where, str(self.due()))
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
        if index is not None and entry.kind == "recover" and entry.reveal is None:
            return  # the secret is lost with the key that it grew from
        if index is None:
            if entry.reveal is not None:
                raise BadLog("it reveals a chain value that is not due", where, "no `reveal` is due")
            return
        if entry.reveal is None:
            raise BadLog("its reveal is missing", where, f"`reveal {index} ...` is due")
        player = self.player(entry.by)
        value = bytes.fromhex(entry.reveal[1])
        if entry.reveal[0] != index:
            raise BadLog(f"it reveals chain value {entry.reveal[0]}", where, f"number {index} is due")
        if index > player.chain:
            raise BadLog(f"{entry.by}'s chain has only {player.chain} values", where, "a rechain was due before")
        if dice.chain_step(dice.player_id(player.key, player.gnonce), index, value) != self.last_value[entry.by]:
            raise BadLog(f"chain value {index} is not {entry.by}'s: it doesn't lead to the one before", where)
        self.reveals[entry.by] = index
        self.last_value[entry.by] = value
        self.reveal_due = None
        self.peek(value)
        self.public_state = None

    def peek(self, value: bytes) -> None:
        """Go on with the chain value that is due, known to its owner before he sends it."""
        if self.seed is None and self.decided is not None:
            number, entry_hash = self.decided
            self.public_state = self.state_hash()
            self.seed = dice.seed(value, self.genesis.game, number, entry_hash)
            self.resolve()

    def _take_body(self, entry: Entry, entry_hash: bytes, where: str) -> None:
        side = self.genesis.player(entry.by).side
        self.seq, self.head, self.newest = entry.seq, entry_hash, (entry.kind, entry.by)
        if entry.kind == "reveal":
            if entry.body:
                raise BadLog(f"`{entry.body[0].keyword}` stands in a reveal", where, "a reveal has no body")
            return
        if entry.kind in AGREEMENTS:
            told = settle(self, entry, where)
            self._note("tell", what="agreement", clause="", facts=told, seq=entry.seq)
            return
        self.last_by[entry.by] = entry.seq
        self.decisions.append(entry.seq)
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
        self.seed, self.adverse = None, None
        self.labels.clear()
        self.reveal_due = self.genesis.other(entry.by).name
        self.play(side, parts, reaction=entry.kind == "react")

    # --- copies ----------------------------------------------------------------------------------------------------

    def take_back(self, number: int) -> None:
        """Go back to the course before an entry; chains go on. Raises Forgotten when it isn't remembered."""
        before = self.remembered.get(number)
        if before is None:
            raise Forgotten(f"the state before entry {number} isn't held", "", READ_AGAIN)
        self.load_course(before["course"])
        self.last_by = dict(before["last_by"])
        self.decisions = [decision for decision in self.decisions if decision < number]
        self.decided, self.seed, self.adverse, self.reveal_due, self.public_state = None, None, None, None, None
        self.labels.clear()
        self.steps = [step for step in self.steps if step["seq"] < number]

    def lose_secret(self, name: str) -> None:
        """A player can't open the secret that is due: the term `lost-secret` says what that costs (protocol 4.10)."""
        self.reveal_due = None
        if self.genesis.terms.lost_secret == "forfeit":  # noqa: S105 a term of the game
            self.settled = Outcome(self.genesis.other(name).side, "", f"{name} has lost the secret of the dice")
        else:
            self.adverse = self.genesis.player(name).side

    def renew(self, player: Player) -> None:
        """A player's new key and chain, from now on."""
        self.players[player.name] = player
        self.gnonces.add(player.gnonce)
        self.reveals[player.name] = 0
        self.last_value[player.name] = player.anchor

    def dump(self) -> dict[str, Any]:
        """The table as JSON data, for a cache; `load` gives it back."""
        oldest = min(self.seq - KEPT, *self.last_by.values())
        turn, _ = self.rules.clock(self.game.state)
        return {
            **self.dump_course(),
            "seq": self.seq,
            "head": self.head.hex(),
            "newest": list(self.newest),
            "reveals": dict(self.reveals),
            "last_value": {name: value.hex() for name, value in self.last_value.items()},
            "reveal_due": self.reveal_due,
            "last_by": dict(self.last_by),
            "players": [player.dump() for player in self.players.values()],
            "gnonces": sorted(gnonce.hex() for gnonce in self.gnonces),
            "decisions": list(self.decisions),
            "proposal": self.proposal.dump() if self.proposal else None,
            "settled": list(self.settled) if self.settled else None,
            "public_state": self.public_state,
            "steps": [step for step in self.steps if step["seq"] >= oldest or step["turn"] == turn],
        }

    @classmethod
    def load(cls, genesis: Genesis, rules: Rules, board: Board, dump: Mapping[str, Any]) -> Table:
        """The table from `dump`."""
        table = cls(genesis, rules, board, bytes.fromhex(dump["head"]))
        table.load_course(dump)
        table.seq = dump["seq"]
        table.newest = (dump["newest"][0], dump["newest"][1])
        table.reveals = dict(dump["reveals"])
        table.last_value = {name: bytes.fromhex(value) for name, value in dump["last_value"].items()}
        table.reveal_due = dump["reveal_due"]
        table.last_by = dict(dump["last_by"])
        table.players = {player.name: player for player in map(Player.load, dump["players"])}
        table.gnonces = {bytes.fromhex(gnonce) for gnonce in dump["gnonces"]}
        table.decisions = list(dump["decisions"])
        table.proposal = Proposal.load(dump["proposal"]) if dump["proposal"] else None
        table.public_state = dump["public_state"]
        table.settled = Outcome(*dump["settled"]) if dump["settled"] else None
        table.steps = list(dump["steps"])
        return table

    def fork(self) -> Table:
        """An independent table at the same point, without the steps so far."""
        twin = copy(self)
        twin.part_from(self)
        twin.reveals, twin.last_value, twin.last_by = dict(self.reveals), dict(self.last_value), dict(self.last_by)
        twin.players, twin.gnonces, twin.decisions = dict(self.players), set(self.gnonces), list(self.decisions)
        twin.remembered = dict(self.remembered)
        return twin

    def imagine(self, side: str, parts: list[tuple[int, Part]], chancer: Chancer) -> None:
        """Go on as if these parts were the side's next entry, with chances from `chancer` (None stops there)."""
        self.decided = (self.seq + 1, b"")
        self.seed, self.adverse = None, None
        self.labels.clear()
        self.reveal_due = self.genesis.other(self.genesis.of_side(side).name).name
        self.chancer = chancer
        request = self.game.request
        self.play(side, parts, reaction=isinstance(request, Choose) and request.reaction)
        self.resolve()
