"""What the bodies of offer, accept, agreements and new keys say, read and written (protocol 4.1, 4.4, 4.7).

Reading is the inverse of writing. A body is read by itself: whether it may stand where it stands the match says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pbem.crypto import sshsig
from pbem.crypto.openssh import from_token, to_token
from pbem.errors import BadLog, KeyProblem
from pbem.records import NamedTuple
from pbem.wire.entry import Entry
from pbem.wire.statements import Statement

__all__ = [
    "AGREEMENTS", "FOR_ANOTHER", "NAMING", "PROPOSALS", "Agreed", "Body", "Named", "Player", "Terms",
    "begins_own_chain", "key_statement", "named_body", "proposal_body", "read_body", "read_named", "read_terms",
    "scenario_in", "terms_body",
]  # fmt: skip

NAMING = ("rekey", "recover", "accept-rekey", "substitute")
FOR_ANOTHER = ("accept-rekey", "substitute")
"""Those whose anchor names another's chain, not one of the entry's author."""


PROPOSALS = ("draw", "undo", "substitute")
AGREEMENTS = ("draw", "undo", *NAMING, "resign", "claim")


_DAY = "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
_MOMENT = f"{_DAY}T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){{2}}Z"

_TAG = "[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}"

ENGINE = "pbem/1"

LOST_SECRET = ("adverse", "forfeit")
REACTIONS = ("standing", "ask")


class Terms(NamedTuple):
    """What both sign. `deadline` is in days, 0 for none; `options` are (name, value) pairs in order of name."""

    rules: str
    scenario: str
    digest: str
    options: tuple[tuple[str, str], ...] = ()
    reactions: str = "standing"
    lost_secret: str = "adverse"  # noqa: S105 no password, a term of the game
    deadline: int = 0
    solo: bool = False


class Player(NamedTuple):
    """A player as he was introduced, with the key that is his now (an SSH public key blob).

    `recovery` is the blob of the key that may name a new one (empty: none); `person` is who plays on for him, `reads`
    the tag of the language that he reads (BCP 47; empty: English).
    """

    name: str
    side: str
    key: bytes
    recovery: bytes = b""
    person: str = ""
    reads: str = ""


class Named(NamedTuple):
    """A key as a body names it: the blobs of key and recovery key, `person` as in `as`, R || S of the proof."""

    key: bytes
    recovery: bytes = b""
    person: str = ""
    proof: bytes = b""


class Agreed(NamedTuple):
    """An agreement's body as read: the word (offer, accept, refuse or none), the entry meant, the key that it names."""

    word: str = ""
    target: int = 0
    named: Named | None = None


def begins_own_chain(entry: Entry) -> bool:
    """Whether the entry's anchor names a chain of its author (protocol 3.3)."""
    return entry.anchor is not None and entry.kind not in FOR_ANOTHER


# --- a game's terms -----------------------------------------------------------------------------------------------


def key_statement(keyword: str, key: bytes) -> Statement:
    """A key as a body has it; `Body.key` reads it."""
    return Statement(keyword, ("ssh-ed25519", to_token(key)))


def terms_body(player: Player, terms: Terms) -> tuple[Statement, ...]:
    """The body of an offer or accept."""
    body = [
        Statement("side", (player.side,)),
        key_statement("key", player.key),
        *([key_statement("recovery", player.recovery)] if player.recovery else []),
        *([Statement("reads", (player.reads,))] if player.reads else []),
        Statement("rules", (terms.rules,)),
        Statement("engine", (ENGINE,)),
        Statement("scenario", (terms.scenario, terms.digest)),
        *(Statement("option", pair) for pair in terms.options),
        Statement("reactions", (terms.reactions,)),
        Statement("lost-secret", (terms.lost_secret,)),
        Statement("deadline", (str(terms.deadline) if terms.deadline else "none",)),
        Statement("dice", ("chain",)),
    ]
    if terms.solo:
        body.append(Statement("solo", ()))
    return tuple(body)


def read_terms(entry: Entry) -> tuple[Player, Terms]:
    """The player and terms of an offer or accept. Raises BadLog naming the first statement that is wrong."""
    words = Body(entry)
    side = words.one("side")
    key = words.key("key")
    player = Player(entry.by, side, key, words.named_key("recovery"), reads=words.language("reads"))
    rules = words.one("rules")
    words.one_of("engine", (ENGINE,))
    scenario, digest = words.take("scenario", 2)
    words.hexadecimal("scenario", digest, 32)
    options = tuple(words.pairs("option"))
    terms = Terms(
        rules,
        scenario,
        digest,
        options,
        words.one_of("reactions", REACTIONS),
        words.one_of("lost-secret", LOST_SECRET),
        words.days("deadline"),
    )
    words.one_of("dice", ("chain",))
    solo = words.flag("solo")
    words.end()
    if player.recovery == player.key:
        raise words.wrong("recovery", "it is the player's key itself", "another key, kept elsewhere")
    if solo and player.recovery:
        raise words.wrong("recovery", "it stands in a solo game", "leave it out: there the key is one's own")
    return player, terms._replace(solo=solo)


def scenario_in(entry: Entry) -> str:
    """The scenario that an offer or accept names, whatever else stands in it. Raises BadLog where it names none."""
    return Body(entry._replace(body=tuple(s for s in entry.body if s.keyword == "scenario"))).take("scenario", 2)[0]


# --- what is settled between moves -------------------------------------------------------------------------------


def read_body(entry: Entry, *, request: bool = False) -> Agreed:
    """Read an agreement's body, or that of a request for a key. Raises BadLog naming the statement that is wrong."""
    try:
        return _read_body(entry, request)
    except KeyProblem as error:
        raise BadLog(error.what, error.where, error.hint) from error


def _read_body(entry: Entry, request: bool) -> Agreed:
    words = Body(entry._replace(body=tuple(s for s in entry.body if s.keyword != "say")))
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
            if not re.fullmatch(_MOMENT, moment):
                raise words.wrong("sent", f"`{moment}` is not a time", "as 2026-11-21T12:00:00Z")
    words.end()
    return agreed


def _proposal(words: Body, entry: Entry) -> Agreed:
    offered = words.body[0].tokens[:1] == ("offer",) if words.body else False
    given = _word(words, entry.kind, 2 if entry.kind == "undo" and offered else 1)
    return Agreed(given[0], words.number(entry.kind, given[1], 2, entry.seq - 1) if len(given) == 2 else 0)


def _word(words: Body, keyword: str, count: int) -> tuple[str, ...]:
    """The words of a proposal or an answer to one."""
    given = words.take(keyword, count)
    if given[0] not in ("offer", "accept", "refuse"):
        raise words.wrong(keyword, f"`{given[0]}` is not known", "it is one of: offer, accept, refuse")
    return given


def proposal_body(kind: str, word: str, target: int = 0) -> tuple[Statement, ...]:
    """The words of a proposal or of the answer to one; behind a substitute's offer comes his key."""
    return (Statement(kind, (word, str(target)) if target else (word,)),)


# --- a key that is named ------------------------------------------------------------------------------------------


def read_named(words: Body, *, person: bool) -> Named:
    """`[as NAME] key proof [recovery]`, as it stands next in a body; `as` only where `person` says so. Or BadLog."""
    name = ""
    if person and words.body and words.body[0].keyword == "as":
        name = words.one("as")
        if not name.isascii() or len(name) > 16:
            raise words.wrong("as", f"`{name}` is too long for a name", "16 letters at most")
    key = words.key("key")
    halves = [words.hexadecimal("proof", half, 32) for half in words.take("proof", 2)]
    return Named(key, words.named_key("recovery"), name, b"".join(halves))


def named_body(named: Named) -> tuple[Statement, ...]:
    """The statements of a named key; the inverse of `read_named`."""
    proof = named.proof.hex()
    return (
        *([Statement("as", (named.person,))] if named.person else []),
        key_statement("key", named.key),
        Statement("proof", (proof[:64], proof[64:])),
        *([key_statement("recovery", named.recovery)] if named.recovery else []),
    )


# --- statement by statement ---------------------------------------------------------------------------------------


class Body:
    """The statements of a body, taken one after the other; what doesn't fit is a BadLog that names its keyword."""

    def __init__(self, entry: Entry) -> None:
        self.body = list(entry.body)
        self.where = f"entry {entry.seq}"

    def wrong(self, keyword: str, what: str, hint: str) -> BadLog:
        return BadLog(f"`{keyword}`: {what}", self.where, hint)

    def take(self, keyword: str, count: int) -> tuple[str, ...]:
        if not self.body or self.body[0].keyword != keyword:
            found = f"`{self.body[0].keyword}` stands there" if self.body else "the entry ends there"
            raise self.wrong(keyword, "is missing", found)
        statement = self.body.pop(0)
        if len(statement.tokens) != count:
            raise self.wrong(keyword, f"has {len(statement.tokens)} words", f"{count} it must have")
        return statement.tokens

    def key(self, keyword: str) -> bytes:
        """An admitted Ed25519 key (protocol 1.4). Raises KeyProblem for another one."""
        kind, token = self.take(keyword, 2)
        if kind != "ssh-ed25519":
            raise self.wrong(keyword, f"`{kind}` keys are not used", "ssh-ed25519 it must be")
        try:
            key = from_token(token)
            sshsig.admit(key)
        except KeyProblem as error:
            error.where = f"{self.where}, `{keyword}`"
            raise
        return key

    def named_key(self, keyword: str) -> bytes:
        """A key that may stand next; empty where it doesn't."""
        return self.key(keyword) if self.body and self.body[0].keyword == keyword else b""

    def language(self, keyword: str) -> str:
        """The tag of a language that may stand next, known here or not; empty where none does."""
        if not self.body or self.body[0].keyword != keyword:
            return ""
        tag = self.one(keyword)
        if not re.fullmatch(_TAG, tag):
            raise self.wrong(keyword, f"`{tag}` is no tag of a language", "as ja")
        return tag

    def one(self, keyword: str) -> str:
        return self.take(keyword, 1)[0]

    def one_of(self, keyword: str, words: Iterable[str]) -> str:
        word = self.one(keyword)
        if word not in words:
            raise self.wrong(keyword, f"`{word}` is not known", f"it is one of: {', '.join(words)}")
        return word

    def pairs(self, keyword: str) -> list[tuple[str, str]]:
        pairs: list[tuple[str, str]] = []
        while self.body and self.body[0].keyword == keyword:
            name, value = self.take(keyword, 2)
            if pairs and name <= pairs[-1][0]:
                raise self.wrong(keyword, f"`{name}` stands in the wrong place", "each once, in order of name")
            pairs.append((name, value))
        return pairs

    def flag(self, keyword: str) -> bool:
        if self.body and self.body[0].keyword == keyword:
            self.take(keyword, 0)
            return True
        return False

    def days(self, keyword: str) -> int:
        word = self.one(keyword)
        return 0 if word == "none" else self.number(keyword, word, 1, 9999)

    def number(self, keyword: str, word: str, least_figure: int, most_figure: int) -> int:
        if not (word.isascii() and word.isdigit() and len(word) <= 9 and str(int(word)) == word):
            raise self.wrong(keyword, f"`{word}` is not a number", f"{least_figure} to {most_figure}")
        if not least_figure <= int(word) <= most_figure:
            raise self.wrong(keyword, f"{word} is out of bounds", f"{least_figure} to {most_figure}")
        return int(word)

    def hexadecimal(self, keyword: str, word: str, size: int) -> bytes:
        if len(word) != 2 * size or set(word) - set("0123456789abcdef"):
            raise self.wrong(keyword, f"`{word}` is not {2 * size} lower-case hexadecimal digits", "")
        return bytes.fromhex(word)

    def end(self) -> None:
        if self.body:
            raise self.wrong(self.body[0].keyword, "is not known in an offer or accept", "it must be left out")
