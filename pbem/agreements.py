"""What players settle between moves: resign, draw, undo, claim, and new keys and chains (protocol 4.9).

These entries stand in the chain like all others: the player who is due makes them, with the reveal that is due; only a
claim is made by the one who waits. They hold no orders and start no seed. A proposal (`draw` or `undo`) waits for the
other player's answer of the same kind.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.envelope import Entry, Statement
from pbem.errors import BadLog, KeyProblem
from pbem.genesis import Player, Words, chain_statements, key_statement
from pbem.handover import HANDOVERS, loses, read_handover, refuse_used
from pbem.requests import Outcome

if TYPE_CHECKING:
    from pbem.table import Due, Table

__all__ = [
    "AGREEMENTS",
    "Agreed",
    "Forgotten",
    "Proposal",
    "body_of",
    "check_body",
    "proposal_words",
    "settle",
    "undo_targets",
    "why_not_due",
]

_DAY = "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
_MOMENT = re.compile(f"{_DAY}T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){{2}}Z")

AGREEMENTS = ("resign", "draw", "undo", "rekey", "rechain", *HANDOVERS, "claim")


class Proposal(NamedTuple):
    """What waits for an answer: a draw; an undo of the entry `target`; a substitute, the player as he would be."""

    kind: str
    by: str
    target: int = 0
    player: Player | None = None

    def dump(self) -> list[Any]:
        """As JSON data; `load` gives it back."""
        return [self.kind, self.by, self.target, self.player.dump() if self.player else None]

    @classmethod
    def load(cls, dump: list[Any]) -> Proposal:
        """The proposal from `dump`."""
        kind, by, target, player = dump
        return cls(kind, by, target, Player.load(player) if player else None)


class Agreed(NamedTuple):
    """An agreement's body as read: the word (offer, accept, refuse or none), the entry meant, a player renewed."""

    word: str = ""
    target: int = 0
    player: Player | None = None


class Forgotten(BadLog):
    """An entry is to be taken back whose state this table doesn't hold: the log must be read from its beginning."""


def undo_targets(entries: list[Entry]) -> frozenset[int]:
    """The entries that a log's undos want back."""
    found = [entry.body[0].tokens for entry in entries if entry.kind == "undo" and entry.body]
    return frozenset(int(words[1]) for words in found if len(words) == 2 and words[1].isdigit())


def check_body(entry: Entry, player: Player) -> Agreed:
    """Read an agreement's body. Raises BadLog naming the statement that is wrong."""
    try:
        return _read_body(entry, player)
    except KeyProblem as error:
        raise BadLog(error.what, error.where, error.hint) from error


def _read_body(entry: Entry, player: Player) -> Agreed:
    words = Words(entry._replace(body=tuple(s for s in entry.body if s.keyword != "say")))
    agreed = Agreed()
    if entry.kind in ("draw", "undo"):
        agreed = _proposal(words, entry)
    elif entry.kind in ("rekey", "rechain"):
        agreed = Agreed(player=_renewed(words, entry, player))
    elif entry.kind == "substitute":
        word = _word(words, entry.kind, 1)[0]
        agreed = Agreed(word, player=read_handover(words, player) if word == "offer" else None)
    elif entry.kind in HANDOVERS:
        agreed = Agreed(player=read_handover(words, player))
    elif entry.kind == "claim":
        while words.body and words.body[0].keyword == "sent":
            number, moment = words.take("sent", 2)
            words.number("sent", number, 0, entry.seq - 1)
            if not _MOMENT.fullmatch(moment):
                raise words.wrong("sent", f"`{moment}` is not a time", "as 2026-11-21T12:00:00Z")
    words.end()
    return agreed


def _proposal(words: Words, entry: Entry) -> Agreed:
    offered = words.body[0].tokens[:1] == ("offer",) if words.body else False
    given = _word(words, entry.kind, 2 if entry.kind == "undo" and offered else 1)
    return Agreed(given[0], words.number(entry.kind, given[1], 2, entry.seq - 1) if len(given) == 2 else 0)


def _word(words: Words, keyword: str, count: int) -> tuple[str, ...]:
    """The words of a proposal or an answer to one."""
    given = words.take(keyword, count)
    if given[0] not in ("offer", "accept", "refuse"):
        raise words.wrong(keyword, f"`{given[0]}` is not known", "it is one of: offer, accept, refuse")
    return given


def _renewed(words: Words, entry: Entry, player: Player) -> Player:
    """The player with his new key (rekey) and his new chain."""
    key = player.key
    if entry.kind == "rekey":
        key = words.key("key")
        if key == player.key:
            raise words.wrong("key", "it is the old one", "`rechain` renews the chain alone")
    return words.chain(player._replace(key=key))


def body_of(kind: str, word: str = "", target: int = 0, player: Player | None = None) -> tuple[Statement, ...]:
    """The body of an agreement, as `check_body` reads it."""
    if kind in ("draw", "undo", "substitute"):
        return (Statement(kind, (word, str(target)) if target else (word,)),)
    if player is None:
        return ()
    key = (key_statement("key", player.key),) if kind == "rekey" else ()
    return (*key, *chain_statements(player._replace(recovery=b"")))  # the recovery key stays


def proposal_words(table: Table) -> str:
    """The proposal that waits: `ben proposes a draw`."""
    if table.proposal is None:
        return ""
    kind, by, target, player = table.proposal
    if player is not None:
        return f"{by} proposes that {player.person or by} plays on"
    return f"{by} proposes " + (_take_back(target) if kind == "undo" else "a draw")


def _take_back(target: int) -> str:
    return f"to take back entry {target} and all behind it"


def why_not_due(table: Table, entry: Entry, due: Due) -> str:
    """Why this player can't make this agreement now; empty when he can.

    All are made by the player who is due, but a claim: that is made by the one who waits, under a deadline; and an
    accept-rekey: the opponent of who lost his key makes it, whoever is due.
    """
    if entry.kind == "accept-rekey":
        return "" if due.player and due.what != "nothing" else str(due)
    if entry.kind != "claim":
        return "" if due.player == entry.by else str(due)
    if not table.genesis.terms.deadline:
        return "the terms of this game have no deadline"
    return "" if due.player == table.genesis.other(entry.by).name else str(due)


def settle(table: Table, entry: Entry, where: str) -> dict[str, Any]:
    """Carry out an agreement on a table that has taken its header; what to tell of it.

    Raises BadLog when it doesn't fit, Forgotten when an undo needs a state that the table doesn't hold.
    """
    renewed = table.genesis.other(entry.by).name if entry.kind == "accept-rekey" else entry.by
    agreed = check_body(entry, table.player(renewed))
    if entry.kind in ("draw", "undo", "substitute"):
        text = _settle_proposal(table, entry, agreed, where)
    elif entry.kind in HANDOVERS:
        text = _hand_over(table, entry, agreed, where)
    elif table.proposal is not None and entry.kind != "claim":
        raise BadLog(f"`{entry.kind}` is not due", where, f"an answer to the {table.proposal.kind} is due")
    elif entry.kind == "resign":
        winner = table.genesis.other(entry.by)
        table.settled = Outcome(winner.side, "", f"{entry.by} has resigned")
        text = "resigns"
    elif entry.kind == "claim":
        days = table.genesis.terms.deadline
        silent = table.genesis.other(entry.by).name
        table.settled = Outcome(table.genesis.player(entry.by).side, "", f"{silent} has not answered for {days} days")
        text = f"claims the game: nothing has come from {silent} for {days} days"
    else:
        text = _renew(table, agreed, where)
    return {"player": entry.by, "kind": entry.kind, "text": text}


def _settle_proposal(table: Table, entry: Entry, agreed: Agreed, where: str) -> str:
    proposal = table.proposal
    if agreed.word == "offer":
        if proposal is not None:
            raise BadLog("another proposal waits for its answer", where, f"`{proposal.kind}` accept or refuse")
        if entry.kind == "undo" and agreed.target not in table.decisions:
            known = ", ".join(map(str, table.decisions[-8:])) or "none"
            raise BadLog(f"entry {agreed.target} can't be taken back", where, f"decisions that can be: {known}")
        if agreed.player is not None:
            refuse_used(table, agreed.player, where)
        table.proposal = Proposal(entry.kind, entry.by, agreed.target, agreed.player)
        return proposal_words(table).removeprefix(f"{entry.by} ")
    if proposal is None or proposal.kind != entry.kind or proposal.by == entry.by:
        raise BadLog(f"no {entry.kind} waits for an answer of {entry.by}", where, "`offer` proposes one")
    table.proposal = None
    if agreed.word == "refuse":
        return f"refuses the {entry.kind}"
    if entry.kind == "draw":
        table.settled = Outcome(None, "", "the players have agreed on a draw")
        return "accepts the draw"
    if proposal.player is not None:
        table.renew(proposal.player)
        person = proposal.player.person
        return f"agrees: {person + ' plays on for ' + proposal.by if person else proposal.by + ' has a new key'}"
    table.take_back(proposal.target)
    return f"agrees {_take_back(proposal.target)}"


def _renew(table: Table, agreed: Agreed, where: str) -> str:
    player = agreed.player
    assert player is not None  # noqa: S101 check_body gives one for these kinds
    refuse_used(table, player, where)
    rekeyed = player.key != table.player(player.name).key
    table.renew(player)
    return "signs with a new key from now on, and has a new chain of dice" if rekeyed else "has a new chain of dice"


def _hand_over(table: Table, entry: Entry, agreed: Agreed, where: str) -> str:
    """A new key for a player who has lost his: by his recovery key, or by the word of his opponent."""
    player = agreed.player
    assert player is not None  # noqa: S101 check_body gives one for these kinds
    if entry.kind == "recover" and player.person != table.player(player.name).person:
        raise BadLog("another person can't take a side with a recovery key", where, "`substitute`, with consent")
    refuse_used(table, player, where)
    lost = loses(table, player, entry)
    old = table.player(player.name)
    table.renew(player)
    if lost:
        table.lose_secret(player.name)
    who = f"{player.person} for {player.name}" if player.person != old.person else player.name
    text = f"accepts a new key of {who}" if entry.kind == "accept-rekey" else "has a new key, named by the recovery key"
    if not lost:
        return text
    cost = "" if table.settled else f": until the next decision all dice fall as is worst for {player.name}"
    return f"{text}; the secret that was due is lost{cost}"
