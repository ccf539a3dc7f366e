"""How a game begins: the terms in `offer`, repeated in `accept` (protocol 4.7)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from pbem.errors import BadLog, KeyProblem
from pbem.wire.blocks import Entry, Statement

__all__ = [
    "Genesis", "Player", "Terms", "Words", "begin", "body_of", "key_statement", "read_terms",
]  # fmt: skip

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

    `recovery` is the blob of the key that may name a new one (empty: none); `person` is who plays on for him.
    """

    name: str
    side: str
    key: bytes
    recovery: bytes = b""
    person: str = ""

    def dump(self) -> list[str]:
        """As JSON data; `load` gives it back."""
        return [self.name, self.side, self.key.hex(), self.recovery.hex(), self.person]

    @classmethod
    def load(cls, dump: Iterable[Any]) -> Player:
        """The player from `dump`."""
        name, side, key, recovery, person = dump
        return cls(name, side, bytes.fromhex(key), bytes.fromhex(recovery), person)


class Genesis(NamedTuple):
    """A game that both have signed: its id (32 bytes), its terms, the offerer and the accepter."""

    game: bytes
    terms: Terms
    players: tuple[Player, Player]

    def player(self, name: str) -> Player:
        """The player of that name. Raises BadLog when nobody has it."""
        for player in self.players:
            if player.name == name:
                return player
        names = " and ".join(p.name for p in self.players)
        raise BadLog(f"nobody in this game is called {name}", hint=f"the players are {names}")

    def of_side(self, side: str) -> Player:
        """The player of a side."""
        return next(p for p in self.players if p.side == side)

    def other(self, name: str) -> Player:
        """The opponent of a player."""
        return self.players[1] if self.players[0].name == name else self.players[0]


def key_statement(keyword: str, key: bytes) -> Statement:
    """A key as a body has it; `Words.key` reads it."""
    from pbem.crypto.openssh import to_token

    return Statement(keyword, ("ssh-ed25519", to_token(key)))


def body_of(player: Player, terms: Terms) -> tuple[Statement, ...]:
    """The body of an offer or accept."""
    body = [
        Statement("side", (player.side,)),
        key_statement("key", player.key),
        *([key_statement("recovery", player.recovery)] if player.recovery else []),
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
    words = Words(entry)
    side = words.one("side")
    key = words.key("key")
    player = Player(entry.by, side, key, words.named_key("recovery"))
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


def begin(offer: Entry, accept: Entry, game: bytes) -> Genesis:
    """The genesis of a game from its first two entries. Raises BadLog when they don't belong together."""
    first, terms = read_terms(offer)
    second, repeated = read_terms(accept)
    if repeated != terms:
        name = next(n for n in Terms._fields if getattr(terms, n) != getattr(repeated, n))
        raise BadLog(
            f"the accept repeats other terms than the offer: {name.replace('_', '-')}",
            "entry 1",
            "an accept repeats the offer's terms word for word",
        )
    if second.name == first.name:
        raise BadLog(f"both players are called {first.name}", "entry 1", "the accept must choose another name")
    if second.side == first.side:
        raise BadLog(f"both players take the side {first.side}", "entry 1", "the accept takes the other side")
    _check_keys(first, second, solo=terms.solo)
    return Genesis(game, terms, (first, second))


def _check_keys(first: Player, second: Player, *, solo: bool) -> None:
    """Two different keys, and recovery keys that differ from all others; in a solo game one key for both. Or BadLog."""
    if solo:
        if first.key != second.key:
            raise BadLog("a solo game has two keys", "entry 1", "only the offer's own key accepts a `solo` offer")
        if first.recovery or second.recovery:
            raise BadLog("a recovery key is named in a solo game", "entry 1", "it must be left out")
        return
    if first.key == second.key:
        raise BadLog("both players have the same key", "entry 1", "only a game offered as `solo` allows that")
    named = [key for key in (first.key, first.recovery, second.key, second.recovery) if key]
    if len(set(named)) < len(named):
        raise BadLog("a recovery key is another key of this game", "entry 1", "each key must differ from all others")


class Words:
    """The statements of a genesis body, taken one after the other."""

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
        from pbem.crypto.openssh import from_token
        from pbem.crypto.sshsig import admit

        kind, token = self.take(keyword, 2)
        if kind != "ssh-ed25519":
            raise self.wrong(keyword, f"`{kind}` keys are not used", "ssh-ed25519 it must be")
        try:
            key = from_token(token)
            admit(key)
        except KeyProblem as error:
            error.where = f"{self.where}, `{keyword}`"
            raise
        return key

    def named_key(self, keyword: str) -> bytes:
        """A key that may stand next; empty where it doesn't."""
        return self.key(keyword) if self.body and self.body[0].keyword == keyword else b""

    def one(self, keyword: str) -> str:
        return self.take(keyword, 1)[0]

    def one_of(self, keyword: str, words: Iterable[str]) -> str:
        word = self.one(keyword)
        if word not in words:
            raise self.wrong(keyword, f"`{word}` is not known", "it is one of: " + ", ".join(words))
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

    def number(self, keyword: str, word: str, low: int, high: int) -> int:
        if not (word.isascii() and word.isdigit() and len(word) <= 9 and str(int(word)) == word):
            raise self.wrong(keyword, f"`{word}` is not a number", f"{low} to {high}")
        if not low <= int(word) <= high:
            raise self.wrong(keyword, f"{word} is out of bounds", f"{low} to {high}")
        return int(word)

    def hexadecimal(self, keyword: str, word: str, size: int) -> bytes:
        if len(word) != 2 * size or set(word) - set("0123456789abcdef"):
            raise self.wrong(keyword, f"`{word}` is not {2 * size} lower-case hexadecimal digits", "")
        return bytes.fromhex(word)

    def end(self) -> None:
        if self.body:
            raise self.wrong(self.body[0].keyword, "is not known in an offer or accept", "it must be left out")
