"""Games by mail for the tests, of any scenario: two players with fixed keys, whose orders choosers make."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from pbem.crypto.keys import FileSigner
from pbem.desk.desk import terms_of
from pbem.match.chances import chance_answer
from pbem.match.compose import Secrets, sign_accept, sign_agreement, sign_entry, sign_offer
from pbem.match.genesis import Genesis
from pbem.match.orders import Act, Part, read_parts
from pbem.match.replay import Replayed, replay
from pbem.match.table import BARE, Table
from pbem.match.take import imagine, peek, take
from pbem.rules import State
from pbem.rules.requests import Choose, Order, Words
from pbem.scenario import Scenario, load_scenario
from pbem.wire.blocks import Block, render_block
from pbem.wire.orderfile import parse_statements
from pbem.wire.turn import Turn

KEYS = {"asuka": bytes(range(0x20)), "ben": bytes(range(0x20, 0x40))}
"""The private seeds of the two players."""

CHAIN = 200
MOST_ENTRIES = 190

Chooser = Callable[[State, Choose, random.Random], Order]
"""Decides: the state (to look at), the decision, whims."""


@cache
def scenario_of(scenario_id: str) -> Scenario:
    """A scenario, read once."""
    return load_scenario(scenario_id)


def signer(name: str) -> FileSigner:
    """A player's signer."""
    return FileSigner(Ed25519PrivateKey.from_private_bytes(KEYS[name]))


class Match:
    """A game between asuka, who offers and has the first side, and ben; the same arguments give the same bytes.

    `number` goes into the gnonces, so each number has dice of its own.
    """

    def __init__(
        self, scenario: Scenario, number: int, options: Mapping[str, str] | None = None, **terms: str | int | bool
    ) -> None:
        first, second = (side["id"] for side in scenario.data["scenario"]["sides"])
        self.sides = {"asuka": first, "ben": second}
        self.terms = terms_of(scenario, options or {}, **terms)
        gnonces = {name: bytes([number, place]) * 8 for place, name in enumerate(self.sides)}
        offer = sign_offer(signer("asuka"), "asuka", first, self.terms, bytes(16)).block
        accept = sign_accept(
            Turn.of(offer), signer("ben"), "ben", second, self.terms, bytes(16), gnonces["ben"], length=CHAIN
        ).block
        self.blocks = [offer, accept]
        table = replay(self.log, lambda _: scenario).table
        assert table is not None
        self.table: Table = table
        self.genesis: Genesis = table.genesis
        self.secrets = {
            "asuka": Secrets(signer("asuka"), gnonces["asuka"], self.genesis.game, CHAIN),
            "ben": Secrets.of(signer("ben"), table.anchors["ben"]),
        }

    @property
    def log(self) -> str:
        """The text of the log."""
        return "".join(render_block(block) for block in self.blocks)

    def due(self) -> tuple[str, str | None]:
        """What is due and from whom, as the one who knows his own secret sees it."""
        for name in self.sides:
            index = self.table.next_reveal(name)
            if index is not None:
                peek(self.table, self.secrets[name].value(index))
        due = self.table.due()
        return due.what, due.player

    def play(self, text: str = "") -> Block:
        """Sign what is due, with these orders, and take it."""
        _, name = self.due()
        assert name is not None, "the game is over"
        return self.take(self.signed(self.table, name, parts_of(self.table, self.sides[name], text)))

    def signed(self, table: Table, name: str, parts: list[Part]) -> Block:
        """What is due from a player at a table of this game, signed; nobody takes it yet."""
        new = self.secrets[name] if table.seq == 1 else None
        return sign_entry(table, name, signer(name), self.secrets[name], parts, new).block

    def resign(self) -> Block:
        """Let the one who is due give up."""
        _, name = self.due()
        assert name is not None, "the game is over"
        return self.take(sign_agreement(self.table, name, signer(name), self.secrets[name], "resign", ()).block)

    def take(self, block: Block) -> Block:
        """Take an entry that is signed."""
        take(self.table, Turn.of(block))
        self.blocks.append(block)
        return block

    def run(
        self,
        choosers: Mapping[str, Chooser],
        chance: random.Random,
        dress: Dress | None = None,
        most: int = MOST_ENTRIES,
        plan: Plan | None = None,
    ) -> Match:
        """Play to the end, `most` entries at most; `dress` may put more statements round the orders.

        `plan` makes the orders of an entry, else `planned` does.
        """
        while len(self.blocks) < most:
            what, name = self.due()
            if name is None:
                break
            text = ""
            if what not in BARE:
                orders = list((plan or planned)(self.table, self.sides[name], choosers[name], chance))
                text = dress(self, what, self.sides[name], orders, chance) if dress else statements(orders)
            self.play(text)
        return self


def write_home(match: Match, name: str, root: Path) -> None:
    """A player's home folder with his key and this one game; nothing is cached in it."""
    folder = root / "games" / match.genesis.game.hex()[:16]
    folder.mkdir(parents=True)
    key = Ed25519PrivateKey.from_private_bytes(KEYS[name])
    (root / "key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))
    (root / "key").chmod(0o600)
    (folder / "game.log").write_text(match.log, "ascii")
    (folder / "contact.json").write_text(f'{{"name": "{name}", "mail": "a@example.org", "to": "b@example.org"}}')


def summary(table: Table) -> dict[str, Any]:
    """What a game has come to."""
    return {
        "entries": table.seq + 1,
        "rolls": sum(step["kind"] in ("roll", "draw") for step in table.steps),
        "head": table.head.hex(),
        "state": table.state_hash(),
        "turn": table.game.state.turn,
        "outcome": list(table.outcome) if table.outcome else None,
        "steps": dict(sorted(Counter(step["kind"] for step in table.steps).items())),
    }


def replayed(text: str) -> Replayed:
    """A log read and verified."""
    return replay(text, scenario_of)


Plan = Callable[[Table, str, Chooser, random.Random], Iterable[Words]]
"""Makes the orders of an entry: the table, the side, what it chooses, whims."""

Dress = Callable[[Match, str, str, list[Words], random.Random], str]
"""Makes the text of an entry: the match, what is due, the side, the orders planned, whims."""


def statements(orders: Iterable[Words]) -> str:
    """Orders as a text."""
    return "".join(f"{' '.join(words)};\n" for words in orders)


def parts_of(table: Table, side: str, text: str) -> list[Part]:
    """The parts that an order text gives; every one must be readable."""
    found, wrong = parse_statements(text)
    parts, errors = read_parts(table.rules, table.board, side, found)
    assert [*wrong, *errors] == []
    return [part for _, part in parts]


def planned(table: Table, side: str, choose: Chooser, chance: random.Random) -> Iterator[Words]:
    """What a chooser orders for one possible future of the dice; in another some of it may lapse."""
    ahead = table.fork()
    ahead.course.going_on = True
    first = ahead.game.request
    while isinstance(request := ahead.game.request, Choose):
        if request.side != side or not isinstance(first, Choose):
            return
        if request.kind != first.kind and (not first.window or request.window != first.window):
            return
        order = choose(ahead.game.state, request, chance)
        words = table.rules.order_words(table.board, order)
        yield words
        if words == ("done",):
            return
        imagine(ahead, side, [(0, Act(order, words))], lambda node: chance_answer(node, chance))
