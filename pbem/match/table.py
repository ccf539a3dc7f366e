"""The state of play: what a game's log has come to, as plain data; what is due now; copies.

A table has a course, which is the game and what carries it on. What happens to a table are the functions of take and
agreements. It stops where a seed is not known yet (a reveal is due) or where somebody must decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

from pbem.crypto.dice import Anchor, Revealed
from pbem.crypto.hashing import digest, whole_json
from pbem.errors import Refused
from pbem.match.codec import dumped, loaded
from pbem.match.course import Course, Step
from pbem.match.game import Game
from pbem.match.genesis import Genesis
from pbem.records import NamedTuple
from pbem.rules import Board, Rules
from pbem.rules.requests import Choose, Draw, Outcome, Roll
from pbem.wire.bodies import Player

__all__ = [
    "BARE",
    "MAY_ANCHOR",
    "STEPS_MAX",
    "Due",
    "Proposal",
    "Seat",
    "Table",
    "proposal_words",
    "state_hash",
    "take_back_words",
]

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


class Seat(NamedTuple):
    """A player as a new key makes him, and the chain that comes with it."""

    player: Player
    anchor: Anchor


class Proposal(NamedTuple):
    """What waits for an answer: a draw; an undo of the entry `target`; a substitute, the seat as it would be."""

    kind: str
    by: str
    target: int = 0
    seat: Seat | None = None


def state_hash(dump: Mapping[str, Any]) -> str:
    """The `state` of an entry: hash of the canonical JSON of the game that its orders start from (protocol 4.8).

    Raises TypeError for a float in it.
    """
    return digest("pbem-state/1", whole_json(dump))


class Table:
    """The state of play of one game: its course, and what its log says of entries, reveals and whose move it is.

    What is annotated here is what `dump` keeps beside the course.
    """

    seq: int = 1
    """Number of the newest entry."""
    head: bytes
    """Its hash, 32 bytes."""
    newest: tuple[str, str]
    """Its kind and author."""
    chains: dict[str, Revealed]
    """Player -> his chain in force; the offerer has none before entry 2."""
    anchors: dict[str, Anchor]
    """Player -> what names that chain."""
    reveal_due: str | None = None
    last_by: dict[str, int]
    """Player -> number of his newest decision."""
    played: dict[str, int]
    """Player -> number of his newest entry that is no agreement: a decision or a bare reveal."""
    mailed: dict[str, int]
    """Player -> number of his newest entry of any kind."""
    known: dict[str, int]
    """Player -> how many steps there were when it was taken: those he knew."""
    players: dict[str, Player]
    """Player -> his key as it is now."""
    used: set[bytes]
    """Every key and recovery key that is or was in force for anybody."""
    decisions: list[int]
    """Numbers of the orders and react entries that stand."""
    proposal: Proposal | None = None
    refused: set[tuple[str, str]]
    """Kind and author of proposals that were refused since their author's newest decision."""
    agreed: dict[str, int]
    """Player -> how many agreements he has made since anybody's newest decision or reveal."""
    sizes: dict[str, int]
    """Player -> bytes of his entries in the log."""
    settled: Outcome | None = None
    """How the players themselves ended the game."""
    public_state: str | None = None
    """The state that all know, where the owner of the next chain value has carried the game on with it."""

    def __init__(self, genesis: Genesis, rules: Rules, board: Board, head: bytes) -> None:
        self.course = Course(genesis, rules, board)
        """The game, and what carries it on."""
        self.remembered: dict[int, tuple[Course, dict[str, int]] | None] = {}
        """Entries that an undo of the log wants back -> the course before them, and each player's newest decision."""
        self.undone: list[Step] = []
        """Steps that undos took back, each with the entry by which it was, `undone`; of a table that was not loaded."""
        names = [player.name for player in genesis.players]
        self.head, self.newest = head, ("accept", names[1])
        self.chains, self.anchors = {}, {}
        self.last_by = {name: number for number, name in enumerate(names)}
        self.played, self.mailed = dict(self.last_by), dict(self.last_by)
        self.known = dict.fromkeys(names, 0)
        self.players = {p.name: p for p in genesis.players}
        self.used = {key for p in genesis.players for key in (p.key, p.recovery) if key}
        self.decisions, self.refused = [], set()
        self.agreed, self.sizes = dict.fromkeys(names, 0), dict.fromkeys(names, 0)

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

    def unread(self, player: str) -> list[Step]:
        """The steps that a player learns from what came behind his newest entry."""
        new = self.course.noted - self.known[player]
        return self.steps[-new:] if new else []

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
        self.game.hashed = self.game.hashed or state_hash(self.game.dump())
        return self.game.hashed

    # --- copies ---------------------------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """The table as JSON data, for a cache; `load` gives it back."""
        oldest = min(self.seq - KEPT, *self.last_by.values())
        turn, _ = self.rules.clock(self.game.state)
        steps = [s for s in self.steps if s["seq"] >= oldest or s["turn"] == turn][-STEPS_MAX - 1 :]
        return {**dumped(self), "course": self.course.dump(), "steps": steps}

    @classmethod
    def load(cls, genesis: Genesis, rules: Rules, board: Board, dump: Mapping[str, Any]) -> Table:
        """The table from `dump`. Raises ValueError, LookupError or PbemError for what is none."""
        kept = dict(dump)
        table = cls(genesis, rules, board, b"")
        table.course = Course.load(genesis, rules, board, kept.pop("course"))
        table.course.steps = loaded(list[Step], kept.pop("steps"))
        vars(table).update(loaded(Table, kept))
        return table

    def fork(self) -> Table:
        """An independent table at the same point, without the steps so far."""
        twin = copy(self)
        twin.course = self.course.fork()
        twin.chains, twin.anchors, twin.last_by = dict(self.chains), dict(self.anchors), dict(self.last_by)
        twin.played, twin.mailed, twin.known = dict(self.played), dict(self.mailed), dict(self.known)
        twin.players, twin.used, twin.decisions = dict(self.players), set(self.used), list(self.decisions)
        twin.refused, twin.agreed, twin.sizes = set(self.refused), dict(self.agreed), dict(self.sizes)
        twin.remembered = dict(self.remembered)
        return twin


def proposal_words(table: Table) -> str:
    """The proposal that waits: `ben proposes a draw`."""
    if table.proposal is None:
        return ""
    kind, by, target, seat = table.proposal
    if seat is not None:
        return f"{by} proposes that {seat.player.person or by} plays on"
    return f"{by} proposes to take back entry {target} and all behind it" if kind == "undo" else f"{by} proposes a draw"


def take_back_words(target: int) -> str:
    """What an undo does: `to take back entry 4 and all behind it`."""
    return f"to take back entry {target} and all behind it"
