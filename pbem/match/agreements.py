"""What players settle between moves: resign, draw, undo, claim, and new keys (protocol 4.1, 4.4).

These entries stand in the log like all others: the player who is due makes them, with the reveal that is due; a claim
is made by the one who waits, an accept-rekey by the opponent of who lost his key. They hold no orders and start no
seed. A proposal (`draw`, `undo` or `substitute`) waits for the other player's answer of the same kind.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.crypto.dice import Anchor
from pbem.errors import BadLog, KeyProblem
from pbem.match.genesis import Player, Words
from pbem.match.handover import NAMING, Named, Seat, check_named, read_named
from pbem.match.limits import AGREEMENTS_MAX
from pbem.rules.requests import Outcome
from pbem.wire.blocks import Entry, Statement

if TYPE_CHECKING:
    from pbem.match.table import Due, Table

__all__ = [
    "AGREEMENTS",
    "PROPOSALS",
    "Agreed",
    "Forgotten",
    "Proposal",
    "proposal_body",
    "proposal_words",
    "read_body",
    "settle",
    "undo_targets",
    "why_not_due",
]

_DAY = "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
_MOMENT = re.compile(f"{_DAY}T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){{2}}Z")

PROPOSALS = ("draw", "undo", "substitute")
AGREEMENTS = ("draw", "undo", *NAMING, "resign", "claim")


class Proposal(NamedTuple):
    """What waits for an answer: a draw; an undo of the entry `target`; a substitute, the seat as it would be."""

    kind: str
    by: str
    target: int = 0
    seat: Seat | None = None

    def dump(self) -> list[Any]:
        """As JSON data; `load` gives it back."""
        return [self.kind, self.by, self.target, [part.dump() for part in self.seat] if self.seat else None]

    @classmethod
    def load(cls, dump: list[Any]) -> Proposal:
        """The proposal from `dump`."""
        kind, by, target, seat = dump
        return cls(kind, by, target, Seat(Player.load(seat[0]), Anchor.load(seat[1])) if seat else None)


class Agreed(NamedTuple):
    """An agreement's body as read: the word (offer, accept, refuse or none), the entry meant, the key that it names."""

    word: str = ""
    target: int = 0
    named: Named | None = None


class Forgotten(BadLog):
    """An entry is to be taken back whose state this table doesn't hold: the log must be read from its beginning."""


def undo_targets(entries: list[Entry]) -> frozenset[int]:
    """The entries that a log's undos take back: those whose proposal the next undo entry accepts."""
    found = [s.tokens for entry in entries if entry.kind == "undo" for s in entry.body if s.keyword == "undo"]
    pairs = [(asked, answer) for asked, answer in pairwise(found) if answer == ("accept",)]
    return frozenset(int(asked[1]) for asked, _ in pairs if len(asked) == 2 and asked[1].isdigit())


def read_body(entry: Entry, *, request: bool = False) -> Agreed:
    """Read an agreement's body, or that of a request for a key. Raises BadLog naming the statement that is wrong."""
    try:
        return _read_body(entry, request)
    except KeyProblem as error:
        raise BadLog(error.what, error.where, error.hint) from error


def _read_body(entry: Entry, request: bool) -> Agreed:
    words = Words(entry._replace(body=tuple(s for s in entry.body if s.keyword != "say")))
    agreed = Agreed()
    if entry.kind in ("draw", "undo"):
        agreed = _proposal(words, entry)
    elif entry.kind == "substitute":
        word = _word(words, entry.kind, 1)[0]
        agreed = Agreed(word, named=read_named(words, person=True) if word == "offer" else None)
    elif entry.kind in NAMING:
        agreed = Agreed(named=read_named(words, person=request or entry.kind == "accept-rekey"))
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


def proposal_body(kind: str, word: str, target: int = 0) -> tuple[Statement, ...]:
    """The words of a proposal or of the answer to one; behind a substitute's offer comes his key."""
    return (Statement(kind, (word, str(target)) if target else (word,)),)


def proposal_words(table: Table) -> str:
    """The proposal that waits: `ben proposes a draw`."""
    if table.proposal is None:
        return ""
    kind, by, target, seat = table.proposal
    if seat is not None:
        return f"{by} proposes that {seat.player.person or by} plays on"
    return f"{by} proposes " + (_take_back(target) if kind == "undo" else "a draw")


def _take_back(target: int) -> str:
    return f"to take back entry {target} and all behind it"


# --- whether one may be made now ---------------------------------------------------------------------------------


def why_not_due(table: Table, entry: Entry, agreed: Agreed, due: Due) -> str:
    """Why this player can't make this agreement now, `due` being what was due before his reveal; "" when he can."""
    if due.what in ("nothing", "begin") or table.seq == 1:  # 4.2: nothing but entry 2 follows the accept
        return str(due)
    if why := _why_not_his(table, entry, due):
        return why
    proposal, answering = table.proposal, agreed.word in ("accept", "refuse")
    if answering and (proposal is None or proposal.kind != entry.kind or proposal.by == entry.by):
        return f"no {entry.kind} waits for an answer of {entry.by}"
    if proposal is not None and not answering and entry.kind not in ("recover", "accept-rekey", "claim"):
        return f"an answer to the {proposal.kind} is due, accept or refuse"
    if agreed.word == "offer" and (entry.kind, entry.by) in table.refused:
        return f"it was refused; {entry.by} can't propose it again before his next decision"
    counted = not answering and entry.kind not in ("resign", "claim")
    if counted and table.agreed[entry.by] >= AGREEMENTS_MAX:
        return f"{entry.by} has made {AGREEMENTS_MAX} such entries since anybody's last turn; no more can follow"
    return ""


def _why_not_his(table: Table, entry: Entry, due: Due) -> str:
    """Why it is not for this player to make it; "" when it is."""
    if entry.kind == "accept-rekey":
        return ""
    if entry.kind != "claim":
        return "" if due.player == entry.by else str(due)
    if not table.genesis.terms.deadline:
        return "the terms of this game have no deadline"
    return "" if due.player == table.genesis.other(entry.by).name else str(due)


# --- what it does ------------------------------------------------------------------------------------------------


def settle(table: Table, entry: Entry, agreed: Agreed, where: str) -> dict[str, Any]:
    """Carry out an agreement that is due, on a table that has taken its header; what to tell of it.

    Raises BadLog when it doesn't fit, Forgotten when an undo needs a state that the table doesn't hold.
    """
    if entry.kind in PROPOSALS:
        text = _settle_proposal(table, entry, agreed, where)
    elif agreed.named is not None:
        text = _settle_key(table, entry, agreed.named, where)
    elif entry.kind == "resign":
        winner = table.genesis.other(entry.by)
        table.settled = Outcome(winner.side, "", f"{entry.by} has resigned")
        text = "resigns"
    else:
        days = f"{table.genesis.terms.deadline} day{'s' * (table.genesis.terms.deadline > 1)}"
        silent = table.genesis.other(entry.by).name
        table.settled = Outcome(table.genesis.player(entry.by).side, "", f"{silent} has not answered for {days}")
        text = f"claims the game: nothing has come from {silent} for {days}"
    if agreed.word not in ("accept", "refuse"):
        table.agreed[entry.by] += 1
    return {"player": entry.by, "kind": entry.kind, "text": text}


def _settle_proposal(table: Table, entry: Entry, agreed: Agreed, where: str) -> str:
    if agreed.word == "offer":
        if entry.kind == "undo" and agreed.target not in table.decisions:
            known = ", ".join(map(str, table.decisions[-8:])) or "none"
            raise BadLog(f"entry {agreed.target} can't be taken back", where, f"decisions that can be: {known}")
        named = agreed.named
        seat = check_named(table, entry, table.player(entry.by), named, where) if named is not None else None
        table.proposal = Proposal(entry.kind, entry.by, agreed.target, seat)
        return proposal_words(table).removeprefix(f"{entry.by} ")
    proposal = table.proposal
    assert proposal is not None  # noqa: S101 otherwise the answer wasn't due
    table.proposal = None
    if agreed.word == "refuse":
        table.refused.add((entry.kind, proposal.by))
        return f"refuses the {entry.kind}"
    if entry.kind == "draw":
        table.settled = Outcome(None, "", "the players have agreed on a draw")
        return "accepts the draw"
    if proposal.seat is not None:
        _check_still_new(table, proposal.seat.player, where)
        table.renew(proposal.seat)
        person = proposal.seat.player.person
        return f"agrees: {person + ' plays on for ' + proposal.by if person else proposal.by + ' has a new key'}"
    table.take_back(proposal.target)
    return f"agrees {_take_back(proposal.target)}"


def _check_still_new(table: Table, player: Player, where: str) -> None:
    """A substitute's keys may have come into force for somebody else while he waited. Raises BadLog."""
    kept = {b"", table.player(player.name).recovery}
    if ({player.key, player.recovery} - kept) & table.used:
        raise BadLog("a key of the substitute came into use meanwhile", where, "he can only be refused")


def _settle_key(table: Table, entry: Entry, named: Named, where: str) -> str:
    """A new key: named by its owner; or for one who lost his, by his recovery key or the word of his opponent."""
    name = table.genesis.other(entry.by).name if entry.kind == "accept-rekey" else entry.by
    old = table.player(name)
    seat = check_named(table, entry, old, named, where)
    lost = table.reveal_due == name  # who makes a rekey or a recover with its reveal has made it by now
    table.renew(seat)
    if lost:
        table.lose_secret(name)
    person = seat.player.person
    texts = {
        "rekey": "signs with a new key from now on, and has a new chain of dice",
        "recover": "has a new key, named by the recovery key",
        "accept-rekey": f"accepts a new key of {f'{person} for {name}' if person != old.person else name}",
    }
    if not lost:
        return texts[entry.kind]
    cost = "" if table.settled else f": until the next decision all dice fall as is worst for {name}"
    return f"{texts[entry.kind]}; the secret that was due is lost{cost}"
