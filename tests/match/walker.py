"""An exhaustive walk: from every state of a real `Table` over the game `tiny` all entries that anybody may think of.

What costs time is cheap here: a proof is a tag, keys and hashes are numbers hashed, and no entry is written as bytes.
Chains are real. PAYLOAD makes each block 1,000 bytes long, so that shares of the log can be counted in entries.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter, deque
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import pytest
import tiny
from match import walk_model as model
from match.walk_model import Made, other

from pbem.crypto import dice, sshsig
from pbem.crypto.dice import Anchor
from pbem.errors import BadLog, BadSignature
from pbem.match import agreements, limits
from pbem.match.genesis import Genesis
from pbem.match.table import Table
from pbem.match.take import begun, carry_out, peek
from pbem.rules.requests import Choose
from pbem.wire import bodies
from pbem.wire.bodies import Player, Terms
from pbem.wire.entry import Entry
from pbem.wire.statements import Statement

PLAYERS = ("red", "blue")
NONCE = "0" * 32
PAYLOAD = b"x" * 644
BLOCK = 1000

BODIES = (
    *((kind, "") for kind in ("begin", "orders", "react", "reveal", "rekey", "recover", "accept-rekey")),
    *((kind, word) for kind in ("draw", "undo", "substitute") for word in ("offer", "accept", "refuse")),
    *((kind, "") for kind in ("resign", "claim")),
)
FORMS = tuple(
    Made(kind, by, word, anchor=anchor, reveal=reveal)
    for by in PLAYERS
    for kind, word in BODIES
    for anchor in (False, True)
    for reveal in (False, True)
)


def h(*parts: object) -> bytes:
    """32 bytes that nothing else has."""
    return hashlib.sha256(repr(parts).encode()).digest()


def tag(message: bytes, key: bytes) -> bytes:
    """What stands for a signature."""
    return h(message, key) * 2


def check_tag(message: bytes, sig64: bytes, key: bytes, _: str) -> None:
    """What stands for the check of one."""
    if tag(message, key) != sig64:
        raise BadSignature("another tag")


@lru_cache(4096)
def read_again(kind: str, seq: int, body: tuple[Statement, ...]) -> agreements.Agreed | BadLog:
    """What an agreement's body says, or what is wrong with it."""
    try:
        return bodies.read_body(Entry(b"", kind, None, seq, None, "", "", None, None, None, body))
    except BadLog as error:
        return error


def read_once(entry: Entry) -> agreements.Agreed:
    """What an agreement's body says; equal ones are read once."""
    found = read_again(entry.kind, entry.seq, entry.body)
    if isinstance(found, BadLog):
        raise BadLog(found.what, found.where, found.hint)
    return found


SECRETS: dict[bytes, list[bytes]] = {}
"""player_id of a chain -> its values."""


def new_anchor(key: bytes, prev: bytes) -> Anchor:
    """The anchor of a new chain of a key."""
    gnonce = h(key, prev)[:16]
    owner = dice.player_id(key, gnonce, prev)
    if owner not in SECRETS:
        values = [h(owner)]
        for index in range(model.LENGTH, 0, -1):
            values.insert(0, dice.chain_step(owner, index, values[0]))
        SECRETS[owner] = values
    return Anchor(model.LENGTH, SECRETS[owner][0], gnonce, prev)


class Node(NamedTuple):
    """A state: the table, the model's, what its log's seeds came from, and where its chains began."""

    table: Table
    model: model.State
    spent: dict[bytes, int]
    """Chain value -> the entry that it seeds."""
    born: dict[bytes, int]
    """Chain (its player_id) -> the entry that names its anchor."""
    authors: dict[int, str]


def start(terms: model.Terms, plan: str) -> Node:
    """A game behind its accept."""
    keys = {name: sshsig.blob_from_raw(h("key", "red" if terms.solo else name)) for name in PLAYERS}
    told = Terms(
        tiny.EDITION, "tiny", "", (("plan", plan),), "ask", "forfeit" if terms.forfeit else "adverse",
        7 if terms.deadline else 0, terms.solo,
    )  # fmt: skip
    players = tuple(Player(name, name, keys[name]) for name in PLAYERS)
    genesis = Genesis(h("game", terms, plan), told, players)  # type: ignore[arg-type]
    anchor = new_anchor(keys["blue"], h("offer"))
    blank = Entry(PAYLOAD, "offer", None, 0, None, "red", "", None, None, None, ())
    accept = blank._replace(kind="accept", seq=1, by="blue", anchor=anchor)
    table = begun(genesis, tiny, None, blank, accept)
    return Node(table, model.State(terms, plan), {}, {table.chains["blue"].player_id: 1}, {1: "blue"})


class Stand:
    """What entries made at a state have in common, each found once."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.game, self.prev = table.genesis.game.hex(), table.head.hex()
        self.public = table.state_hash()
        self.peeked: Table | None = None
        if table.course.seed is None and table.reveal_due and table.course.decided is not None:
            self.peeked = table.fork()
            peek(self.peeked, self.value(table.reveal_due))
        self.known = self.peeked.state_hash() if self.peeked else self.public
        self.values = {name: self.value(name).hex() for name in PLAYERS}
        self.index = {name: table.chains[name].shown + 1 if name in table.chains else 1 for name in PLAYERS}
        self.own = {name: new_anchor(table.player(name).key, table.head) for name in PLAYERS}
        self.named = {name: self._named(name) for name in PLAYERS}

    def value(self, name: str) -> bytes:
        """The next value of a player's chain, or something else where there is none."""
        chain = self.table.chains.get(name)
        return SECRETS[chain.player_id][chain.shown + 1] if chain and chain.left else h("no value")

    def _named(self, name: str) -> tuple[Anchor, tuple[Statement, ...]]:
        """A new key of a player: the anchor of its chain, and what a body says of it."""
        key = sshsig.blob_from_raw(h(name, self.table.head))
        anchor, named = new_anchor(key, self.table.head), bodies.Named(key)
        message = agreements.proof_message(self.game, self.table.seq + 1, self.prev, name, anchor, named)
        return anchor, bodies.named_body(named._replace(proof=tag(message, key)))

    def entry(self, made: Made) -> tuple[Entry, bytes]:
        """The entry and its hash."""
        kind, by, word, target, plan, anchored, revealed = made
        anchor = self.own[by]
        body: tuple[Statement, ...] = (Statement("next", (plan,)),) if plan else ()
        if word:
            body = (Statement(kind, (word, str(target)) if target else (word,)),)
        if model.names_key(made):
            anchor, key = self.named[other(by) if kind == "accept-rekey" else by]
            body += key
        reveal = (self.index[by], self.values[by]) if revealed else None
        state = self.known if revealed and self.table.reveal_due == by else self.public
        entry = Entry(
            PAYLOAD, kind, self.game, self.table.seq + 1, self.prev, by, NONCE, anchor if anchored else None,
            reveal, state, body,
        )  # fmt: skip
        name = f"{self.prev} {kind} {by} {word} {target} {plan} {anchored} {revealed}"
        return entry, hashlib.sha256(name.encode()).digest()


class Walk:
    """The walk and what it has met."""

    def __init__(self, patch: pytest.MonkeyPatch, share: tuple[int, int, int] | None = None) -> None:
        self.seeds: list[tuple[bytes, int]] = []
        self.met: Counter[str] = Counter()
        self.tried = self.reached = 0
        self.closely = True
        patch.setattr(sshsig, "admit", lambda _: None)
        patch.setattr(sshsig, "verify_sig64", check_tag)
        patch.setattr(agreements, "AGREEMENTS_MAX", model.LIMIT)
        for name, most in zip(("_SHARE", "_SHARE_OF_ANSWERS", "_SHARE_AT_THE_END"), share or (), strict=False):
            patch.setattr(limits, name, most * BLOCK)
        real = dice.seed

        def seed(value: bytes, game: bytes, number: int, entry_hash: bytes) -> bytes:
            self.seeds.append((value, number))
            return real(value, game, number, entry_hash)

        patch.setattr(dice, "seed", seed)
        patch.setattr("pbem.match.take.read_body", read_once)

    def run(self, starts: list[Node], most: int, chance: random.Random) -> int:
        """Visit so many states, the first half breadth first, the others picked at random from those still open."""
        open_, seen = deque(starts), set(map(identity, starts))
        for count in range(most):
            if not open_:
                return count
            self.closely = count % 3 == 0
            if count > most // 2:
                open_.rotate(-chance.randrange(len(open_)))
            for node in self.visit(open_.popleft()):
                name = identity(node)
                if name not in seen:
                    seen.add(name)
                    open_.append(node)
            self.reached = len(seen)
        return most

    def visit(self, node: Node) -> list[Node]:
        """Try every entry at a state, check the state by what is taken; the states behind it."""
        table, stand = node.table, Stand(node.table)
        found: dict[Made, Node] = {}
        twin = remembering(table)
        for made in candidates(node):
            entry, entry_hash = stand.entry(made)
            self.seeds.clear()
            self.tried += 1
            try:
                carry_out(twin, entry, entry_hash)
                taken = True
            except BadLog:
                taken = False
            assert taken == model.legal(node.model, made), (made, node.model)
            if taken:
                found[made] = self.behind(node, made, twin)
                if self.closely:
                    same_when_peeked(stand, entry, entry_hash, found[made].table)
                self.met[f"{made.kind} {made.word}".strip()] += 1
            if taken or not untouched(twin, table):
                twin = remembering(table)
        self.check_due(node, stand, list(found))
        if self.closely:
            assert same(twin, table)
            check_copies(table)
        return list(found.values())

    def behind(self, node: Node, made: Made, table: Table) -> Node:
        """The state behind an entry. Every seed is from a fresh value of the other player, older than its entry."""
        authors = {**node.authors, table.seq: made.by}
        spent = dict(node.spent)
        for value, number in self.seeds:
            before = node.table.chains[made.by]
            owner, born = made.by, node.born[before.player_id]
            assert value == SECRETS[before.player_id][before.shown + 1]
            assert owner != authors[number], "a player seeds his own entry"
            assert born < number, "an entry is older than the anchor of its seed"
            assert value not in spent, "one value seeds two entries"
            spent[value] = number
        assert len(self.seeds) <= 1
        born = dict(node.born)
        for name, chain in table.chains.items():
            offered = node.table.proposal.seat if node.table.proposal else None
            anchored = table.seq
            if offered and table.anchors[name] == offered.anchor:
                anchored = max(number for number in authors if authors[number] == name)
            born.setdefault(chain.player_id, anchored)
        kept = table.decisions[-2:]
        table.remembered = {number: course for number, course in table.remembered.items() if number in kept}
        then = model.after(node.model, made)
        assert tuple(c.left for c in (table.chains.get(n) for n in PLAYERS) if c) == then.left[-len(table.chains) :]
        return Node(table, then, spent, born, authors)

    def check_due(self, node: Node, stand: Stand, legal: list[Made]) -> None:
        """One player is due and can move, and nobody else; or nobody is, and the game is over."""
        due = node.table.due()
        assert (due.what, due.player or "") == model.due(node.model), node.model
        self.met[f"due {due.what}"] += 1
        if stand.peeked is not None:
            known = stand.peeked.due()
            assert known.player == due.player, "a secret changes who is due"
            assert due.what == known.what or due.what == "reveal"
            due = known
        if due.player is None:
            assert not legal
            assert due.what == "nothing"
            assert node.table.outcome is not None
            return
        his = [made for made in legal if made.by == due.player]
        assert {made.kind for made in legal if made.by != due.player} <= {"claim", "accept-rekey"}
        assert not [made for made in his if made.kind == "claim"]
        decisions = {made.kind for made in legal if made.kind in model.BARE}
        answers = {made.word for made in legal if made.word in model.ANSWERS}
        full = model.of(node.model.sizes, due.player) >= node.model.terms.share[0]
        if not full:
            assert [made for made in his if made.kind != "resign"], node.model
            assert decisions == ({due.what} if due.what in model.BARE else set()), node.model
            assert answers == (set(model.ANSWERS) if due.what == "reply" else set()), node.model
        else:
            self.met["full"] += 1
            unanswered = due.what == "reply" and model.of(node.model.sizes, due.player) >= node.model.terms.share[1]
            needed = [made for made in his if made.word in model.ANSWERS or made.kind in ("reveal", "resign")]
            assert needed or unanswered, node.model


def same_when_peeked(stand: Stand, entry: Entry, entry_hash: bytes, taken: Table) -> None:
    """Who knows the secret that is due takes the same entries and comes to the same table."""
    if stand.peeked is None:
        return
    twin = remembering(stand.peeked)
    lost = entry.kind == "accept-rekey" and entry.by != stand.table.reveal_due
    if lost or (entry.kind == "recover" and entry.reveal is None):
        with pytest.raises(agreements.Forgotten):
            carry_out(twin, entry, entry_hash)
        return
    carry_out(twin, entry, entry_hash)
    if entry.kind != "claim" and entry.by == stand.table.reveal_due:
        assert without_steps(twin) == without_steps(taken)


def candidates(node: Node) -> Iterator[Made]:
    """Every entry to try: all forms; of orders and reactions that may be made, every order."""
    decisions = node.table.decisions
    wrong = [number for number in range(2, node.table.seq + 1) if number not in decisions]
    targets = {*(number for number in decisions if node.table.remembered.get(number)), *wrong[:1], *wrong[-1:]}
    for made in FORMS:
        if made.kind == "undo" and made.word == "offer":
            yield from (made._replace(target=target) for target in sorted(targets))
            continue
        yield made
        decides = made.kind in ("orders", "react") and made.anchor == (node.table.seq == 1)
        if decides and model.legal(node.model, made):
            yield from (made._replace(plan=plan) for plan in tiny.PLANS)


def remembering(table: Table) -> Table:
    """A copy of a table that keeps the course before its next entry, for an undo."""
    twin = table.fork()
    twin.remembered[table.seq + 1] = None
    return twin


def untouched(twin: Table, table: Table) -> bool:
    """Whether a refused entry has left no trace that a next one could meet; a guess, which `same` checks at the end."""
    return (twin.seq, twin.reveal_due, twin.course.seed, twin.proposal, twin.settled, twin.chains) == (
        table.seq, table.reveal_due, table.course.seed, table.proposal, table.settled, table.chains,
    )  # fmt: skip


def without_steps(table: Table) -> dict[str, Any]:
    """A table's dump but for what only tells of the way to it."""
    return {**table.dump(), "steps": None}


def same(one: Table, two: Table) -> bool:
    """Whether two tables are equal but for the steps."""
    return without_steps(one) == without_steps(two)


def check_copies(table: Table) -> None:
    """A dump read again and a fork are the table."""
    dump = table.dump()
    loaded = Table.load(table.genesis, table.rules, table.board, dump)
    assert loaded.dump() == dump
    assert loaded.due()[:2] == table.due()[:2]
    assert same(table.fork(), table)


def identity(node: Node) -> tuple[Any, ...]:
    """What two states have in common that can't be told apart by what may follow; hashes and numbers are left out."""
    table, state = node.table, node.model
    request = table.game.request
    past = [before[0].game.dump()["checkpoint"]["plan"] for before in table.remembered.values() if before]
    proposal = table.proposal
    return (
        table.genesis.terms,
        table.seq == 1,
        (request.side, request.reaction) if isinstance(request, Choose) else request,
        table.game.state.plan,
        table.course.seed is None,
        table.course.decided is None,
        table.course.adverse,
        bool(table.course.labels),
        table.reveal_due,
        tuple(chain.left for chain in table.chains.values()),
        (
            proposal.kind,
            proposal.by,
            table.decisions.index(proposal.target) - len(table.decisions) if proposal.target else 0,
        )
        if proposal
        else None,
        frozenset(table.refused),
        tuple(table.agreed.values()),
        tuple(table.sizes.values()) if state.terms.share[0] < 10**9 else None,
        table.settled is None,
        tuple(past),
        state._replace(seq=0, sizes=(0, 0), past=(), wait=None),
    )
