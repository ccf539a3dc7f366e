"""Two players of the toy with fixed keys: a game between them in memory, and by mail between their homes."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

import toy
from pbem.crypto.dice import entry_hash
from pbem.crypto.keys import FileSigner
from pbem.desk.arrival import read_offer, take_in
from pbem.desk.desk import Desk, Place, terms_of
from pbem.desk.letter import read_letter
from pbem.home.contact import Contact
from pbem.home.folders import Home
from pbem.mail.inbox import Mail
from pbem.match.bots import suggest
from pbem.match.chances import chance_answer
from pbem.match.compose import Secrets, sign_accept, sign_entry, sign_offer
from pbem.match.game import Game
from pbem.match.genesis import Genesis
from pbem.match.orders import Part, read_parts
from pbem.match.replay import replay
from pbem.match.table import Table
from pbem.match.take import carry_out, peek, take
from pbem.rules.requests import Answer, Choose, Request
from pbem.scenario import Scenario
from pbem.wire.blocks import Block, render_block
from pbem.wire.bodies import Player, Terms
from pbem.wire.entry import Entry, build_entry, parse_entry
from pbem.wire.orderfile import parse_statements
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn

SIDES = {"anna": "red", "ben": "blue"}
CHAIN = 60


def private_key(name: str) -> Ed25519PrivateKey:
    """A player's key, the same in every run."""
    return Ed25519PrivateKey.from_private_bytes(name.encode().ljust(32, b"."))


def signer(name: str) -> FileSigner:
    """A player's signer."""
    return FileSigner(private_key(name))


def parts_of(table: Table, side: str, text: str) -> list[Part]:
    """The parts that an order text gives; every one must be readable."""
    statements, wrong = parse_statements(text)
    parts, errors = read_parts(table.rules, table.board, side, statements)
    assert not wrong
    assert not errors
    return [part for _, part in parts]


class Duel:
    """A game between anna (red, the offerer) and ben (blue): each one's table, and one of a third party."""

    def __init__(self, scenario: Scenario, number: int = 0, length: str = "short", **terms: str | int | bool) -> None:
        self.scenario = scenario
        self.terms: Terms = terms_of(scenario, {"length": length}, **terms)
        self.gnonces = {"anna": number.to_bytes(16, "big"), "ben": (number + 2**64).to_bytes(16, "big")}
        self.keys = {"anna": signer("anna"), "ben": signer("anna" if self.terms.solo else "ben")}
        self.offer = sign_offer(self.keys["anna"], "anna", "red", self.terms, number.to_bytes(16, "big")).block
        self.accept = sign_accept(
            Turn.of(self.offer),
            self.keys["ben"],
            "ben",
            "blue",
            self.terms,
            bytes(16),
            self.gnonces["ben"],
            length=CHAIN,
        ).block
        self.blocks = [self.offer, self.accept]
        self.tables = {name: self.replayed() for name in ("anna", "ben", "carl")}
        self.genesis: Genesis = self.tables["carl"].genesis
        self.secrets = {
            "anna": Secrets(signer("anna"), self.gnonces["anna"], self.genesis.game, CHAIN),
            "ben": Secrets.of(self.keys["ben"], self.table.anchors["ben"]),
        }
        """Those of the chains that the game begins with; anna's stands in entry 2."""

    @property
    def table(self) -> Table:
        """The third party's table."""
        return self.tables["carl"]

    @property
    def log(self) -> str:
        """The text of the log."""
        return "".join(render_block(block) for block in self.blocks)

    def replayed(self) -> Table:
        """A new table from the log alone."""
        table = replay(self.log, lambda _: self.scenario).table
        assert table is not None
        return table

    def player(self, name: str) -> Player:
        """A player of the genesis."""
        return self.genesis.player(name)

    def view(self, name: str) -> Table:
        """A player's table, carried on with his own secret."""
        table = self.tables[name]
        index = table.next_reveal(name)
        if index is not None:
            peek(table, self.secrets[name].value(index))
        return table

    def sign(self, name: str, text: str = "") -> Block:
        """What is due from a player, signed."""
        table = self.view(name)
        new = self.secrets[name] if table.seq == 1 else None
        return sign_entry(
            table, name, self.keys[name], self.secrets[name], parts_of(table, SIDES[name], text), new
        ).block

    def play(self, name: str, text: str = "") -> Block:
        """Sign what is due from a player and hand it to all three."""
        block = self.sign(name, text)
        self.give(block)
        return block

    def give(self, block: Block) -> None:
        """Hand a block to all three."""
        for table in self.tables.values():
            take(table, Turn.of(block))
        self.blocks.append(block)
        for name in SIDES:
            self.view(name)

    def entry(self, name: str, body: Iterable[Statement] = (), **changes: object) -> Entry:
        """The next entry of a player as the third party's table would have it, but for the changes; unsigned."""
        table = self.view(name)
        due = table.due()
        index = table.next_reveal(name)
        words: dict[str, object] = {
            "kind": due.what if due.what != "nothing" else "orders",
            "game": table.genesis.game.hex(),
            "seq": table.seq + 1,
            "prev": table.head.hex(),
            "by": name,
            "nonce": "0" * 32,
            "anchor": self.secrets[name].anchor if table.seq == 1 else None,
            "reveal": (index, self.secrets[name].value(index).hex()) if index is not None else None,
            "state": table.state_hash(),
            "body": tuple(body),
        }
        return parse_entry(build_entry(**(words | changes)).payload)  # type: ignore[arg-type]

    def due(self) -> str | None:
        """Who is due, as the players themselves see it."""
        found = {self.tables[name].due().player for name in SIDES if self.tables[name].due().player == name}
        assert len(found) <= 1, "two players are due at once"
        return found.pop() if found else None

    def bot_plays(self, chance: random.Random) -> bool:
        """Let whoever is due play at random; False when the game is over."""
        name = self.due()
        if name is None:
            return False
        orders = suggest(self.view(name), name, "random", chance)
        self.play(name, "".join(f"{' '.join(words)};" for words in orders))
        return True


def hand(table: Table, entry: Entry) -> None:
    """Hand an unsigned entry to a table."""
    carry_out(table, entry, entry_hash(entry.payload))


def stored_and_gone_on(game: Duel, name: str) -> tuple[Table, Table]:
    """The table and that from its dump, both carried on by a bare entry of the player; a fork comes to the same."""
    table = game.table
    stored = json.loads(json.dumps(table.dump()))
    again = Table.load(game.genesis, table.rules, table.board, stored)
    assert again.dump() == stored
    entry = game.entry(name, (), reveal=game.entry(name).reveal)
    forked = again.fork()
    for twin in (table, again, forked):
        hand(twin, entry)
    assert again.dump() == table.dump()
    assert forked.state_hash() == table.state_hash()
    return table, again


def new_game(chance: random.Random | None = None, length: str = "short") -> Game:
    """A game of the toy without players."""
    data = {
        "scenario": {
            "scenario": "duel",
            "title": "A Duel",
            "sides": [{"id": side, "title": side.title()} for side in ("red", "blue")],
        },
        "tables": {"stake": "3"},
    }
    game = Game.new(toy, toy.board(data), {"length": length})
    steps = chance.randrange(12) if chance else 0
    for _ in range(steps):
        if game.request is not None and chance is not None:
            game.apply(any_answer(game.request, chance))
    return game


def any_answer(request: Request, chance: random.Random) -> Answer:
    """A legal answer at random."""
    return request.sample(chance) if isinstance(request, Choose) else chance_answer(request, chance)


# --- homes


def write_key(path: Path, name: str) -> None:
    """A player's key as a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(private_key(name).private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))
    path.chmod(0o600)


def mail(*blocks: Block, source: str = "turn.eml", sender: str = "someone@example.org") -> Mail:
    """A mail with blocks in it."""
    text = "Hello,\n\n" + "\n".join(render_block(block) for block in blocks)
    return Mail(source, sender, "", "pbem", "", "", (text,))


class Post:
    """Two players at their homes, and the mails between them."""

    def __init__(self, root: Path, scenario: Scenario) -> None:
        self.root = root
        self.scenario = scenario
        self.number = self.drawn = 0
        self.desks = {name: self.desk(name) for name in SIDES}

    def desk(self, name: str) -> Desk:
        """A player at his home anew, as each command of the program is."""
        return Desk(Home(self.root / name), lambda: signer(name), lambda size: self.bytes(name, size))

    def bytes(self, name: str, size: int) -> bytes:
        """What takes the place of chance: other bytes for each player and each call, the same in every run."""
        self.drawn += 1
        return hashlib.sha256(f"{name} {self.number} {self.drawn}".encode()).digest()[:size]

    def begin(self, number: int = 0, length: str = "short", **terms: str) -> tuple[Block, Block]:
        """Offer and accept; only ben knows of the accept yet."""
        self.number = number
        contact = Contact("anna", "anna@example.org", "ben@example.net")
        agreed = terms_of(self.scenario, {"length": length}, **terms)
        offer = self.desks["anna"].offer(agreed, "red", contact)[1].block
        contact = Contact("ben", "ben@example.net", "anna@example.org")
        accept = (
            self.desks["ben"].accept(read_offer(self.desks["ben"], read_letter(mail(offer))), "ben", contact)[1].block
        )
        return offer, accept

    def begun(self, number: int = 0, length: str = "short", **terms: str) -> Post:
        """Both know of the game."""
        _, accept = self.begin(number, length, **terms)
        take_in(self.desks["anna"], read_letter(mail(accept)))
        return self

    def place(self, name: str) -> Place:
        """A player's only game, opened anew."""
        desk = self.desk(name)
        return desk.place(desk.home.find(None))

    def send(self, name: str, text: str = "") -> Block:
        """Send what is due, from a home opened anew; the other hasn't got it yet."""
        desk = self.desk(name)
        place = desk.place(desk.home.find(None))
        return desk.send(place, parts_of(place.table, SIDES[name], text)).block

    def exchange(self, name: str, text: str = "") -> Block:
        """Send, and the other opens it."""
        block = self.send(name, text)
        other = next(n for n in SIDES if n != name)
        take_in(self.desk(other), read_letter(mail(block)))
        return block

    def bots(self, chance: random.Random, most: int = 1000) -> list[Block]:
        """Let whoever is due play at random; the blocks sent."""
        sent: list[Block] = []
        while len(sent) < most:
            places = {name: self.place(name) for name in SIDES}
            due = [name for name, place in places.items() if place.table.due().player == name]
            if not due:
                return sent
            orders = suggest(places[due[0]].table, due[0], "random", chance)
            sent.append(self.exchange(due[0], "".join(f"{' '.join(words)};" for words in orders)))
        return sent
