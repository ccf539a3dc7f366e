"""The game as its log tells it: entries in, dice by the chains, decisions by orders, standing orders and defaults.

A Table takes entries whose signature holds one after the other and carries the game as far as they go. It stops where
a seed is not known yet (a reveal is due) or where somebody must decide. It touches no file.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any, NamedTuple

from pbem.crypto import dice
from pbem.crypto.dice import Anchor, Revealed
from pbem.crypto.hashing import digest, whole
from pbem.errors import BadLog, OrderError, Refused
from pbem.match.agreements import AGREEMENTS, Agreed, Forgotten, Proposal, read_body, settle, why_not_due
from pbem.match.course import Chancer, Course, Step
from pbem.match.game import Game
from pbem.match.genesis import Genesis, Player
from pbem.match.handover import NAMING, Seat, begins_own_chain
from pbem.match.limits import block_size, why_too_large, why_too_much
from pbem.match.orders import Part, read_canonical, why_not_in_react
from pbem.rules import Board, Rules
from pbem.rules.requests import Choose, Draw, Outcome, Roll
from pbem.wire.blocks import Entry

__all__ = ["BARE", "MAY_ANCHOR", "STEPS_MAX", "Due", "Table", "state_hash"]

READ_AGAIN = "read the log from its beginning"

MAY_ANCHOR = ("orders", "react", "reveal", "draw", "undo")
"""Kinds in which an author may begin a new chain of his at will."""

BARE = ("begin", "reveal")
"""Kinds that ask nobody anything and have no body."""

KEPT = 6
"""Steps of so many newest entries are kept in a dump, those since each player's newest decision, and the turn's."""

STEPS_MAX = 10_000
"""So many newest steps are told; one more is kept in a dump, to know that there were more. A turn has some hundred."""


class Due(NamedTuple):
    """What the game waits for: `player` is a name, None for nothing.

    `what` is begin, orders, react (to what the other side's orders ask), reveal, reply (to a proposal) or nothing.
    """

    what: str
    player: str | None = None
    request: Choose | None = None

    def __str__(self) -> str:
        """In words: `orders of ben are due`."""
        words = {"orders": "orders of {} are due", "reveal": "a reveal of {} is due", "begin": "`begin` of {} is due"}
        return words.get(self.what, "an answer of {} is due").format(self.player) if self.player else "the game is over"


def state_hash(dump: Mapping[str, Any]) -> str:
    """The `state` of an entry: hash of the canonical JSON of the game that its orders start from (protocol 4.8).

    Raises TypeError for a float in it.
    """
    return digest("pbem-state/1", whole(dump))


class Table:
    """The state of play of one game: its course, and what its log says of entries, reveals and whose move it is."""

    def __init__(self, genesis: Genesis, rules: Rules, board: Board, head: bytes) -> None:
        self.course = Course(genesis, rules, board)
        """The game, and what carries it on."""
        names = [player.name for player in genesis.players]
        self.seq = 1
        """Number of the newest entry."""
        self.head = head
        """Its hash, 32 bytes."""
        self.newest = ("accept", names[1])
        """Its kind and author."""
        self.chains: dict[str, Revealed] = {}
        """Player -> his chain in force; the offerer has none before entry 2."""
        self.anchors: dict[str, Anchor] = {}
        """Player -> what names that chain."""
        self.reveal_due: str | None = None
        self.last_by = {name: number for number, name in enumerate(names)}
        """Player -> number of his newest decision."""
        self.players = {p.name: p for p in genesis.players}
        """Player -> his key as it is now."""
        self.used = {key for p in genesis.players for key in (p.key, p.recovery) if key}
        """Every key and recovery key that is or was in force for anybody."""
        self.decisions: list[int] = []
        """Numbers of the orders and react entries that stand."""
        self.proposal: Proposal | None = None
        self.refused: set[tuple[str, str]] = set()
        """Kind and author of proposals that were refused since their author's newest decision."""
        self.agreed = dict.fromkeys(names, 0)
        """Player -> how many agreements he has made since anybody's newest decision or reveal."""
        self.sizes = dict.fromkeys(names, 0)
        """Player -> bytes of his entries in the log."""
        self.settled: Outcome | None = None
        """How the players themselves ended the game."""
        self.public_state: str | None = None
        """The state that all know, where the owner of the next chain value has carried the game on with it."""
        self.remembered: dict[int, tuple[Course, dict[str, int]] | None] = {}
        """Entries that an undo of the log wants back -> the course before them, and each player's newest decision."""

    @classmethod
    def begun(cls, genesis: Genesis, rules: Rules, board: Board, offer: Entry, accept: Entry) -> Table:
        """The table of a game behind its accept: set up, with no die rolled and nothing decided."""
        table = cls(genesis, rules, board, genesis.game)
        table.course.begin()
        for entry in (offer, accept):
            table.sizes[entry.by] += block_size(entry)
        assert accept.anchor is not None  # noqa: S101 the header of an accept has one
        table._anchor(accept.by, accept.anchor)
        return table

    def player(self, name: str) -> Player:
        """A player with his key as it is now. Raises BadLog when nobody has that name."""
        return self.players.get(name) or self.genesis.player(name)

    @property
    def genesis(self) -> Genesis:
        """The game as both have signed it."""
        return self.course.genesis

    @property
    def rules(self) -> Rules:
        """The rules that it is played by."""
        return self.course.rules

    @property
    def board(self) -> Board:
        """Its fixed data."""
        return self.course.board

    @property
    def game(self) -> Game:
        """The game itself."""
        return self.course.game

    @property
    def steps(self) -> list[Step]:
        """What has happened, as far as it is known."""
        return self.course.steps

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
        if self.seq == 1:
            return self._opening(request)
        if self.proposal is not None:
            return Due("reply", self.genesis.other(self.proposal.by).name)
        if request is None:
            return Due("reveal", self.reveal_due) if self.reveal_due and self.course.labels else Due("nothing")
        if not isinstance(request, Choose):
            return Due("reveal", self.reveal_due)
        player = self.genesis.of_side(request.side).name
        if self.reveal_due not in (None, player):
            return Due("reveal", self.reveal_due, request)
        return Due("react" if request.reaction else "orders", player, request)

    def _opening(self, request: Choose | Roll | Draw | None) -> Due:
        """Entry 2 is the offerer's: orders when the game asks him first, else `begin`."""
        offerer = self.genesis.players[0]
        asked = isinstance(request, Choose) and not request.reaction and request.side == offerer.side
        return Due("orders" if asked else "begin", offerer.name, request if isinstance(request, Choose) else None)

    def due_from(self, player: str) -> Due:
        """What is due from this player. Raises Refused when nothing is."""
        due = self.due()
        if due.player != player:
            raise Refused(f"nothing is due from {player}", hint=str(due))
        return due

    def next_reveal(self, player: str) -> int | None:
        """The index of the chain value that the player's next entry must reveal; None when none is due from him."""
        return self.chains[player].shown + 1 if self.reveal_due == player else None

    def state_hash(self) -> str:
        """The `state` that an entry made now must carry."""
        return state_hash(self.game.dump())

    # --- entries ---------------------------------------------------------------------------------------------------

    def take(self, entry: Entry, entry_hash: bytes) -> None:
        """Carry out the next entry. Raises BadLog, naming what doesn't fit; the table is then not to be used again."""
        where = f"entry {entry.seq}"
        self._check_place(entry, where)
        self._check_size(entry, where)
        agreed = read_body(entry) if entry.kind in AGREEMENTS else None
        due = self.due()
        self._take_reveal(entry, where)
        if agreed is None:
            self._check_kind(entry, where)
        elif refusal := why_not_due(self, entry, agreed, due):
            raise BadLog(f"{entry.by} can't make a `{entry.kind}` now", where, refusal)
        self._check_anchor(entry, agreed, where)
        self._check_state(entry, where)
        if entry.seq in self.remembered:
            self.remembered[entry.seq] = (self.course.fork(), dict(self.last_by))
        self._take_body(entry, entry_hash, agreed, where)
        if entry.anchor is not None and entry.kind not in NAMING:
            self._anchor(entry.by, entry.anchor)
        self.course.resolve()

    def _check_place(self, entry: Entry, where: str) -> None:
        if entry.game != self.genesis.game.hex():
            raise BadLog(f"it belongs to the game {entry.game}", where, f"this game is {self.genesis.game.hex()}")
        if entry.seq != self.seq + 1:
            raise BadLog(f"number {entry.seq} is not the next one", where, f"{self.seq + 1} is due")
        if entry.prev != self.head.hex():
            raise BadLog("it follows another entry than the newest here", where, f"`prev {self.head.hex()}` is due")
        self.genesis.player(entry.by)

    def _check_size(self, entry: Entry, where: str) -> None:
        """The limits of what is taken (protocol 7)."""
        large = why_too_large(entry.body, agreement=entry.kind in AGREEMENTS)
        if large or (large := why_too_much(entry, self.sizes[entry.by])):
            raise BadLog(large, where, "it can't be taken into the log")

    def _check_kind(self, entry: Entry, where: str) -> None:
        """Whether this kind of entry is due from this player, his reveal being taken already."""
        request = self.game.request
        if self.settled is not None or self.proposal is not None:
            raise BadLog(f"`{entry.kind}` is not due", where, str(self.due()))
        mine = isinstance(request, Choose) and self.genesis.of_side(request.side).name == entry.by
        over = request is None and not self.course.labels
        if self.seq == 1:
            due = self.due()
            wanted, mine = due.what, due.player == entry.by
            if not mine:
                raise BadLog(f"{entry.by} is not to move", where, str(due))
        elif isinstance(request, Choose) and mine and self.reveal_due is None:
            wanted = "react" if request.reaction else "orders"
        elif entry.reveal is not None and not over:
            wanted = "reveal"
        else:
            raise BadLog(f"{entry.by} is not to move", where, str(self.due()))
        if entry.kind != wanted:
            raise BadLog(f"`{entry.kind}` is not due", where, f"`{wanted}` of {entry.by} is due")

    def _check_anchor(self, entry: Entry, agreed: Agreed | None, where: str) -> None:
        """Whether an anchor stands where one must, and nowhere else; the last value needs one (protocol 3.3)."""
        naming = agreed is not None and agreed.named is not None
        if entry.anchor is None:
            if self.seq == 1 or naming:
                begins = "the offerer's chain begins with it" if self.seq == 1 else "a new key comes with a new chain"
                raise BadLog("its anchor is missing", where, begins)
        elif not (self.seq == 1 or naming or entry.kind in MAY_ANCHOR):
            raise BadLog("it names an anchor where none may stand", where, f"a `{entry.kind}` begins no chain")
        own = begins_own_chain(entry)
        if entry.reveal is not None and not self.chains[entry.by].left and not own and entry.kind != "resign":
            what = f"it reveals the last value of {entry.by}'s chain and begins no new one"
            raise BadLog(what, where, "an anchor of his must stand in the same entry")

    def _take_reveal(self, entry: Entry, where: str) -> None:
        """Check the reveal against the author's chain in force, and roll what waited for it (protocol 3.3)."""
        index = self.next_reveal(entry.by)
        if index is not None and entry.kind == "recover" and entry.reveal is None:
            return  # the secret is lost with the key that it grew from
        if index is None:
            if entry.reveal is not None:
                raise BadLog("it reveals a chain value that is not due", where, "no `reveal` is due")
            return
        if entry.reveal is None:
            raise BadLog("its reveal is missing", where, f"`reveal {index} ...` is due")
        try:
            self.chains[entry.by] = self.chains[entry.by].reveal(entry.reveal[0], bytes.fromhex(entry.reveal[1]))
        except BadLog as error:
            raise BadLog(f"{entry.by}: {error.what}", where, error.hint) from error
        self.reveal_due = None
        self._open_seed(self.chains[entry.by].newest)
        self.public_state = None

    def peek(self, value: bytes) -> None:
        """Go on with the chain value that is due, known to its owner before he sends it."""
        if self.course.seed is None and self.course.decided is not None:
            self.public_state = self.state_hash()
            self._open_seed(value)

    def _open_seed(self, value: bytes) -> None:
        """The seed in force is known, by the chain value of the player who didn't decide last: roll what waits."""
        if self.course.seed is None and self.course.decided is not None:
            number, entry_hash = self.course.decided
            self.course.seed = dice.seed(value, self.genesis.game, number, entry_hash)
            self.course.resolve()

    def _check_state(self, entry: Entry, where: str) -> None:
        """The state that the entry names is the one found here, with its reveal counted (protocol 4.1)."""
        if entry.kind in ("recover", "accept-rekey") and self.public_state is not None:
            raise Forgotten("the dice were rolled with a secret that is given up now", where, READ_AGAIN)
        found = self.public_state if entry.kind == "claim" and self.public_state else self.state_hash()
        if entry.state != found:
            raise BadLog(
                f"the state is not the one this program finds: {entry.state} in the entry, {found} here",
                where,
                "compare `pbem verify` and the program's version on both sides",
            )

    def _take_body(self, entry: Entry, entry_hash: bytes, agreed: Agreed | None, where: str) -> None:
        self.seq, self.head, self.newest = entry.seq, entry_hash, (entry.kind, entry.by)
        self.sizes[entry.by] += block_size(entry)
        if agreed is not None:
            told = settle(self, entry, agreed, where)
            self.course.note("tell", what="agreement", clause="", facts=told, seq=entry.seq)
            return
        self.agreed = dict.fromkeys(self.agreed, 0)
        if entry.kind in BARE and entry.body:
            raise BadLog(f"`{entry.body[0].keyword}` stands in a `{entry.kind}`", where, "it has no body")
        if entry.kind != "reveal":
            self._decide(entry, entry_hash, where)

    def _decide(self, entry: Entry, entry_hash: bytes, where: str) -> None:
        """A decision: its orders are laid ready, it starts a seed, and the other player's reveal is due."""
        side = self.genesis.player(entry.by).side
        parts = self._read_parts(entry, side, where)
        self.last_by[entry.by] = entry.seq
        self.refused = {(kind, by) for kind, by in self.refused if by != entry.by}
        self.course.decided = (entry.seq, entry_hash)
        self.course.seed, self.course.adverse = None, None
        self.course.labels.clear()
        self.reveal_due = self.genesis.other(entry.by).name
        if entry.kind != "begin":
            self.decisions.append(entry.seq)
            self.course.play(side, parts, reaction=entry.kind == "react")

    def _read_parts(self, entry: Entry, side: str, where: str) -> list[tuple[int, Part]]:
        try:
            parts = read_canonical(self.rules, self.board, side, entry.body)
        except OrderError as error:
            raise BadLog(f"its orders can't be read: {error}", where) from error
        for _, part in parts if entry.kind == "react" else ():
            if refusal := why_not_in_react(part):
                raise BadLog(refusal, where, "a react holds answers, standing orders and talk")
        return parts

    def _anchor(self, name: str, anchor: Anchor) -> None:
        """A player's new chain is in force, with no value revealed."""
        self.anchors[name] = anchor
        self.chains[name] = Revealed.begun(self.player(name).key, anchor)

    # --- copies ----------------------------------------------------------------------------------------------------

    def take_back(self, number: int) -> None:
        """Go back to the course before an entry; chains go on. Raises Forgotten when it isn't remembered."""
        before = self.remembered.get(number)
        if before is None:
            raise Forgotten(f"the state before entry {number} isn't held", "", READ_AGAIN)
        steps = [step for step in self.steps if step["seq"] < number]
        course, last_by = before
        self.course, self.last_by = course.fork(), dict(last_by)
        self.course.decided, self.course.seed, self.course.adverse = None, None, None
        self.course.labels.clear()
        self.course.steps = steps
        self.decisions = [decision for decision in self.decisions if decision < number]
        self.reveal_due, self.public_state = None, None

    def lose_secret(self, name: str) -> None:
        """A player can't open the secret that is due: the term `lost-secret` says what that costs (protocol 4.4)."""
        self.reveal_due = None
        if self.genesis.terms.lost_secret == "forfeit":  # noqa: S105 a term of the game
            self.settled = Outcome(self.genesis.other(name).side, "", f"{name} has lost the secret of the dice")
        else:
            self.course.adverse = self.genesis.player(name).side

    def renew(self, seat: Seat) -> None:
        """A player's new key and chain, from now on."""
        name = seat.player.name
        self.players[name] = seat.player
        self.used |= {key for key in (seat.player.key, seat.player.recovery) if key}
        self._anchor(name, seat.anchor)

    def dump(self) -> dict[str, Any]:
        """The table as JSON data, for a cache; `load` gives it back."""
        oldest = min(self.seq - KEPT, *self.last_by.values())
        turn, _ = self.rules.clock(self.game.state)
        return {
            "course": self.course.dump(),
            "seq": self.seq,
            "head": self.head.hex(),
            "newest": list(self.newest),
            "chains": {name: chain.dump() for name, chain in self.chains.items()},
            "anchors": {name: anchor.dump() for name, anchor in self.anchors.items()},
            "reveal_due": self.reveal_due,
            "last_by": dict(self.last_by),
            "players": [player.dump() for player in self.players.values()],
            "used": sorted(key.hex() for key in self.used),
            "decisions": list(self.decisions),
            "proposal": self.proposal.dump() if self.proposal else None,
            "refused": sorted(map(list, self.refused)),
            "agreed": dict(self.agreed),
            "sizes": dict(self.sizes),
            "settled": list(self.settled) if self.settled else None,
            "public_state": self.public_state,
            "steps": [s for s in self.steps if s["seq"] >= oldest or s["turn"] == turn][-STEPS_MAX - 1 :],
        }

    @classmethod
    def load(cls, genesis: Genesis, rules: Rules, board: Board, dump: Mapping[str, Any]) -> Table:
        """The table from `dump`."""
        table = cls(genesis, rules, board, bytes.fromhex(dump["head"]))
        table.course = Course.load(genesis, rules, board, dump["course"])
        table.seq = dump["seq"]
        table.newest = (dump["newest"][0], dump["newest"][1])
        table.chains = {name: Revealed.load(chain) for name, chain in dump["chains"].items()}
        table.anchors = {name: Anchor.load(anchor) for name, anchor in dump["anchors"].items()}
        table.reveal_due = dump["reveal_due"]
        table.last_by = dict(dump["last_by"])
        table.players = {player.name: player for player in map(Player.load, dump["players"])}
        table.used = {bytes.fromhex(key) for key in dump["used"]}
        table.decisions = list(dump["decisions"])
        table.proposal = Proposal.load(dump["proposal"]) if dump["proposal"] else None
        table.refused = {(kind, by) for kind, by in dump["refused"]}
        table.agreed, table.sizes = dict(dump["agreed"]), dict(dump["sizes"])
        table.public_state = dump["public_state"]
        table.settled = Outcome(*dump["settled"]) if dump["settled"] else None
        table.course.steps = list(dump["steps"])
        return table

    def fork(self) -> Table:
        """An independent table at the same point, without the steps so far."""
        twin = copy(self)
        twin.course = self.course.fork()
        twin.chains, twin.anchors, twin.last_by = dict(self.chains), dict(self.anchors), dict(self.last_by)
        twin.players, twin.used, twin.decisions = dict(self.players), set(self.used), list(self.decisions)
        twin.refused, twin.agreed, twin.sizes = set(self.refused), dict(self.agreed), dict(self.sizes)
        twin.remembered = dict(self.remembered)
        return twin

    def imagine(self, side: str, parts: list[tuple[int, Part]], chancer: Chancer) -> None:
        """Go on as if these parts were the side's next entry, with chances from `chancer` (None stops there)."""
        self.course.decided = (self.seq + 1, b"")
        self.course.seed, self.course.adverse = None, None
        self.course.labels.clear()
        self.reveal_due = self.genesis.other(self.genesis.of_side(side).name).name
        request = self.game.request
        self.course.play(side, parts, reaction=isinstance(request, Choose) and request.reaction)
        self.imagine_on(chancer)

    def imagine_on(self, chancer: Chancer) -> None:
        """Go on from where what is imagined has stopped for a chance that was not known."""
        self.course.chancer = chancer
        self.course.resolve()
