"""One turn's way: from a block in a mail to the log and the state behind it, and from orders to a signed block.

    1 read       mail bytes -> every block that might be a turn                          mail.py
    2 repair     undo what mail software did; canonical bytes                            envelope.py
    3 verify     key of the side that must move, signature over the canonical bytes      signing.py
    4 chain      game, seq, prev, by, state, reveal fit the log                          table.py
    5 parse      statements -> orders                                                    orders.py
    6 resolve    orders answer Choose; dice answer Roll; stop where someone must decide  table.py
    7 append     atomically: the log is the old one or the new one                       gamelog.py
    8 report     the situation, what happened, what is asked next                        report.py

Nothing unverified is ever parsed as orders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from pbem.crypto import dice, sshsig
from pbem.crypto.dice import CHAIN_LENGTH, Anchor
from pbem.crypto.keys import Signer, dice_root
from pbem.errors import BadLog, BadScenario, BadSignature, PbemError, Refused
from pbem.home.gamelog import parse_log
from pbem.match.agreements import undo_targets
from pbem.match.genesis import Genesis, Player, Terms, begin, body_of, read_terms
from pbem.match.handover import signing_key
from pbem.match.limits import why_too_large
from pbem.match.orders import Part, statement_of
from pbem.match.table import BARE, Table
from pbem.rules import Board, Rules, rules_of
from pbem.scenario import Scenario, load_scenario
from pbem.wire.blocks import Block, Entry, Statement, build_entry

__all__ = [
    "Secrets",
    "accept_block",
    "check_offer",
    "offer_block",
    "replay",
    "rules_and_board",
    "sign_agreement",
    "sign_entry",
    "sign_recover",
    "take_block",
    "verify_offer",
]

Loader = Callable[[str], Scenario]
Watch = Callable[[int, int], None]
T = TypeVar("T")


class Secrets:
    """What a player's key gives him at one place of one game: a chain and nonces; never shown, never written."""

    def __init__(self, signer: Signer, gnonce: bytes, prev: bytes, length: int = CHAIN_LENGTH) -> None:
        self._root = dice_root(signer, gnonce, prev)
        self._chain = dice.chain(self._root, dice.player_id(signer.pub_blob, gnonce, prev), length)
        self.anchor = Anchor(length, self._chain.anchor, gnonce, prev)
        """What names the chain in the entry that has this `prev`."""

    @classmethod
    def of(cls, signer: Signer, anchor: Anchor) -> Secrets:
        """Those of a chain that stands in a log. Raises Refused when it isn't the one that this key makes."""
        secrets = cls(signer, anchor.gnonce, anchor.prev, anchor.length)
        if secrets.anchor != anchor:
            what = "the chain that the log names for me isn't the one that my key makes: I can reveal nothing of it"
            raise Refused(what, hint="its secrets are lost; the opponent can `accept-rekey` a new key of mine")
        return secrets

    def value(self, index: int) -> bytes:
        """x_index, to be revealed."""
        return self._chain[index]

    def nonce(self, seq: int, prev: bytes) -> str:
        """The nonce of the player's entry `seq` behind `prev`: the same bytes whenever it is made again there."""
        return dice.nonce(self._root, seq, prev).hex()

    def __repr__(self) -> str:
        return "Secrets()"


class Replayed(NamedTuple):
    """A log read and verified: its genesis (None while only the offer is there), its table, its entries."""

    genesis: Genesis | None
    table: Table | None
    entries: list[tuple[Block, Entry]]


def replay(
    text: str, load: Loader = load_scenario, *, until: int | None = None, watch: Watch | None = None
) -> Replayed:
    """Verify a log from its first entry: signatures, chain, every die, every rule.

    Raises the PbemError of the first bad entry, its place in `where`. `watch` is told (entry, of how many).
    """
    entries = parse_log(text)
    if not entries:
        raise BadLog("the log is empty", hint="it begins with an offer")
    offer = entries[0]
    _named(verify_offer, 0, *offer)
    if len(entries) == 1:
        return Replayed(None, None, entries)
    table = _named(seat, 1, offer, entries[1], load)
    table.remembered = dict.fromkeys(undo_targets([entry for _, entry in entries]))
    for number, (block, entry) in enumerate(entries[2:], 2):
        if until is not None and number > until:
            break
        if watch is not None:
            watch(number, len(entries))
        _named(take_block, number, table, block, entry)
    return Replayed(table.genesis, table, entries)


def _named(step: Callable[..., T], number: int, *arguments: object) -> T:
    """Carry out a step; an error that doesn't name its entry gets the number."""
    try:
        return step(*arguments)
    except PbemError as error:
        if "entry" not in error.where:
            error.where = f"entry {number}" + (f", {error.where}" if error.where else "")
        raise


def verify_offer(block: Block, entry: Entry) -> tuple[Player, Terms]:
    """Check an offer's kind, key and signature."""
    if entry.kind != "offer" or entry.seq != 0:
        raise BadLog(f"an `{entry.kind}` stands at the beginning", "entry 0", "a log begins with an offer")
    player, terms = read_terms(entry)
    sshsig.verify(block.payload, block.armor, player.key)
    return player, terms


def check_offer(terms: Terms, load: Loader = load_scenario) -> Scenario:
    """The scenario of an offer, if this program can play it as it was offered. Raises BadScenario."""
    scenario = load(terms.scenario)
    if scenario.edition != terms.rules:
        raise BadScenario(
            f"the game is of rules edition {terms.rules}", terms.scenario, f"this program plays {scenario.edition}"
        )
    if scenario.digest != terms.digest:
        raise BadScenario(
            f"its content differs: {terms.digest[:16]} was offered, {scenario.digest[:16]} is here",
            terms.scenario,
            "both players need the same version of pbem and its scenarios",
        )
    return scenario


_boards: dict[str, Board] = {}


def rules_and_board(scenario: Scenario) -> tuple[Rules, Board]:
    """A scenario's rules and fixed data; boards are kept while the program runs."""
    rules = rules_of(scenario.system)
    if scenario.digest not in _boards:
        _boards[scenario.digest] = rules.board(scenario.data)
    return rules, _boards[scenario.digest]


def seat(offer: tuple[Block, Entry], accept: tuple[Block, Entry], load: Loader = load_scenario) -> Table:
    """The table of a game from its offer and accept, both verified."""
    block, entry = accept
    if entry.kind != "accept" or entry.seq != 1:
        raise BadLog(f"an `{entry.kind}` follows the offer", "entry 1", "an accept is due")
    if entry.prev != dice.entry_hash(offer[0].payload).hex():
        raise BadLog("it accepts another offer", "entry 1", "`prev` must be the hash of the offer")
    player, _ = read_terms(entry)
    sshsig.verify(block.payload, block.armor, player.key)
    game = dice.entry_hash(block.payload)
    genesis = begin(offer[1], entry, game)
    scenario = check_offer(genesis.terms, load)
    rules, board = rules_and_board(scenario)
    _check_sides(genesis, scenario)
    return Table.begun(genesis, rules, board, offer[1], entry)


def _check_sides(genesis: Genesis, scenario: Scenario) -> None:
    sides = [side["id"] for side in scenario.data["scenario"]["sides"]]
    for player in genesis.players:
        if player.side not in sides:
            raise BadLog(f"{player.name} takes the side {player.side}", hint="the sides are " + " and ".join(sides))


def take_block(table: Table, block: Block, entry: Entry) -> None:
    """Steps 3 to 6 for one block: verify, chain, parse, resolve.

    Raises BadSignature or BadLog; the table is then not to be used again.
    """
    if entry.game != table.genesis.game.hex():
        raise BadLog(f"it is a turn of another game, {entry.game}", hint=f"this game is {table.genesis.game.hex()}")
    try:
        sshsig.verify(block.payload, block.armor, signing_key(table, entry))  # 3 verify
    except BadSignature as error:
        raise BadSignature(f"{entry.by}'s signature doesn't hold: {error.what}", error.where, error.hint) from error
    table.take(entry, dice.entry_hash(block.payload))  # 4 chain, 5 parse, 6 resolve


# --- making entries ----------------------------------------------------------------------------------------------


def offer_block(signer: Signer, name: str, side: str, terms: Terms, nonce: bytes, recovery: bytes = b"") -> Block:
    """A signed offer; `nonce` are 16 random bytes, `recovery` is the blob of the key that may name a new one."""
    body = body_of(Player(name, side, signer.pub_blob, recovery), terms)
    return _sealed(signer, build_entry(kind="offer", seq=0, by=name, nonce=nonce.hex(), body=body))


def accept_block(
    offer: Block,
    signer: Signer,
    name: str,
    side: str,
    terms: Terms,
    nonce: bytes,
    gnonce: bytes,
    recovery: bytes = b"",
    length: int = CHAIN_LENGTH,
) -> Block:
    """A signed accept of an offer, with the accepter's chain; `nonce` and `gnonce` are 16 random bytes each."""
    prev = dice.entry_hash(offer.payload)
    payload = build_entry(
        kind="accept",
        seq=1,
        prev=prev.hex(),
        by=name,
        nonce=nonce.hex(),
        anchor=Secrets(signer, gnonce, prev, length).anchor,
        body=body_of(Player(name, side, signer.pub_blob, recovery), terms),
    )
    return _sealed(signer, payload)


def sign_entry(
    table: Table, name: str, signer: Signer, secrets: Secrets | None, parts: Iterable[Part], new: Secrets | None = None
) -> Block:
    """A player's next entry, signed: orders or a react with these parts, or the bare `begin` or reveal that is due.

    `secrets` are those of his chain in force; `new` those of one that begins with this entry, as it must in entry 2.
    The table must have been carried on with the player's own reveal (`Table.peek`). Raises Refused when nothing is
    due from him.
    """
    kind = table.due_from(name).what
    if kind == "reply":
        raise Refused("an answer to a proposal is due", hint="accept or refuse it first")
    body = tuple(statement_of(part) for part in parts)
    if kind in BARE and body:
        raise Refused(f"only a {kind} is due, no orders are asked", hint="send without orders")
    return _signed(table, name, signer, secrets, kind, body, new.anchor if new else None, new)


def sign_agreement(
    table: Table,
    name: str,
    signer: Signer,
    secrets: Secrets,
    kind: str,
    body: tuple[Statement, ...],
    anchor: Anchor | None = None,
) -> Block:
    """An agreement, signed; the reveal that is due goes with it. Raises Refused when nothing is due from the player.

    `anchor` is that of the key that it names, or of a new chain of the author. A claim is made by the one who waits
    for the other, an accept-rekey whoever is due.
    """
    if kind != "accept-rekey":
        table.due_from(table.genesis.other(name).name if kind == "claim" else name)
    if why := why_too_large(body, agreement=True):
        raise Refused(why)
    return _signed(table, name, signer, secrets, kind, body, anchor)


def sign_recover(table: Table, name: str, signer: Signer, new: Secrets, body: tuple[Statement, ...]) -> Block:
    """A recover, or the request for a key: it reveals nothing, for the chain is lost with the key."""
    payload = build_entry(
        kind="recover",
        game=table.genesis.game.hex(),
        seq=table.seq + 1,
        prev=table.head.hex(),
        by=name,
        nonce=new.nonce(table.seq + 1, table.head),
        anchor=new.anchor,
        state=table.state_hash(),
        body=body,
    )
    return _sealed(signer, payload)


def _signed(
    table: Table,
    name: str,
    signer: Signer,
    secrets: Secrets | None,
    kind: str,
    body: tuple[Statement, ...],
    anchor: Anchor | None,
    new: Secrets | None = None,
) -> Block:
    nonces = secrets or new
    if nonces is None:
        raise Refused(f"{name} has no chain of dice yet", hint="it begins with his first entry")
    index = table.next_reveal(name)
    payload = build_entry(
        kind=kind,
        game=table.genesis.game.hex(),
        seq=table.seq + 1,
        prev=table.head.hex(),
        by=name,
        nonce=nonces.nonce(table.seq + 1, table.head),
        anchor=anchor,
        reveal=(index, secrets.value(index).hex()) if index is not None and secrets is not None else None,
        state=table.public_state if kind == "claim" and table.public_state else table.state_hash(),
        body=body,
    )
    return _sealed(signer, payload)


def _sealed(signer: Signer, payload: bytes) -> Block:
    return Block(payload, signer.sign(payload))
