"""Offer and accept: every term stands in its place and is repeated, and the two players are two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from toy.players import CHAIN, SIDES, Duel, private_key, signer

from pbem.crypto.dice import Anchor, entry_hash
from pbem.crypto.keys import from_token, to_token
from pbem.crypto.sshsig import blob_from_raw
from pbem.errors import BadLog, BadScenario, BadSignature, Damaged, KeyProblem, PbemError
from pbem.match.compose import sign_accept, sign_offer
from pbem.match.genesis import begin, verify_offer
from pbem.match.replay import replay
from pbem.scenario import Scenario
from pbem.wire.blocks import Block, render_block
from pbem.wire.bodies import Player, Terms, read_terms, terms_body
from pbem.wire.entry import Entry, build_entry, parse_entry
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn

TERMS = Terms("toy/1", "duel", "ab" * 32, (("fog", "on"), ("length", "short")), "ask", "forfeit", 14)
NONCE = bytes(range(16))


def offer(terms: Terms = TERMS) -> Entry:
    return parse_entry(sign_offer(signer("anna"), "anna", "red", terms, NONCE).block.payload)


def changed(keyword: str, *tokens: str, entry: Entry | None = None) -> Entry:
    """An offer (or accept) in which one statement has other tokens."""
    entry = entry or offer()
    body = tuple(Statement(keyword, tokens) if s.keyword == keyword else s for s in entry.body)
    return rebuilt(entry, body)


def rebuilt(entry: Entry, body: tuple[Statement, ...], by: str | None = None) -> Entry:
    payload = build_entry(
        kind=entry.kind, seq=entry.seq, prev=entry.prev, by=by or entry.by, nonce=entry.nonce, anchor=entry.anchor,
        body=body,
    ).payload  # fmt: skip
    return parse_entry(payload)


def test_an_offer_says_who_and_on_which_terms() -> None:
    player, terms = read_terms(offer())
    assert terms == TERMS
    assert player == Player("anna", "red", signer("anna").pub_blob)
    assert offer().nonce == NONCE.hex()
    assert offer().anchor is None, "the offer names no chain"
    assert terms_body(player, terms) == offer().body


@pytest.mark.parametrize("solo", [False, True])
@pytest.mark.parametrize("deadline", [0, 1, 9999])
def test_terms_are_read_as_they_are_written(solo: bool, deadline: int) -> None:
    terms = TERMS._replace(solo=solo, deadline=deadline, options=())
    assert read_terms(offer(terms))[1] == terms


@pytest.mark.parametrize(
    ("keyword", "tokens", "reason"),
    [
        ("side", ("red", "blue"), "has 2 words"),
        ("key", ("ssh-rsa", "AAAA"), "`ssh-rsa` keys are not used"),
        ("engine", ("pbem/2",), "`pbem/2` is not known"),
        ("scenario", ("duel", "ab"), "64 lower-case hexadecimal digits"),
        ("scenario", ("duel",), "has 1 words"),
        ("reactions", ("never",), "`never` is not known"),
        ("lost-secret", ("reroll",), "`reroll` is not known"),
        ("deadline", ("0",), "out of bounds"),
        ("deadline", ("10000",), "out of bounds"),
        ("deadline", ("soon",), "is not a number"),
        ("dice", ("beacon",), "`beacon` is not known"),
    ],
)
def test_a_statement_that_is_wrong_is_named(keyword: str, tokens: tuple[str, ...], reason: str) -> None:
    with pytest.raises(BadLog, match=reason) as refused:
        read_terms(changed(keyword, *tokens))
    assert refused.value.where == "entry 0"
    assert f"`{keyword}`" in str(refused.value)


def test_no_statement_may_be_missing_or_unknown_or_stand_elsewhere() -> None:
    body = offer().body
    required = [n for n, s in enumerate(body) if s.keyword != "option"]
    for number in required:
        with pytest.raises(BadLog, match=r"is missing|is not known"):
            read_terms(rebuilt(offer(), body[:number] + body[number + 1 :]))
    for number in range(len(body) - 1):
        swapped = (*body[:number], body[number + 1], body[number], *body[number + 2 :])
        with pytest.raises(BadLog):
            read_terms(rebuilt(offer(), swapped))
    for number in range(len(body) + 1):
        for extra in (Statement("handicap", ("2",)), Statement("side", ("red",))):
            with pytest.raises(BadLog):
                read_terms(rebuilt(offer(), (*body[:number], extra, *body[number:])))
    assert read_terms(rebuilt(offer(), (*body, Statement("solo", ()))))[1].solo


def test_options_stand_once_and_in_order() -> None:
    body = list(offer().body)
    at = next(n for n, s in enumerate(body) if s.keyword == "option")
    for pair in ((body[at + 1], body[at]), (body[at], body[at])):
        with pytest.raises(BadLog, match="wrong place"):
            read_terms(rebuilt(offer(), (*body[:at], *pair, *body[at + 2 :])))


@pytest.mark.parametrize("raw", ["01" + "00" * 31, "00" * 32, "ec" + "ff" * 30 + "7f", "ff" * 32, "02" + "00" * 31])
def test_a_weak_key_is_refused(raw: str) -> None:
    weak = to_token(blob_from_raw(bytes.fromhex(raw)))
    with pytest.raises(KeyProblem, match="entry 0, `key`"):
        read_terms(changed("key", "ssh-ed25519", weak))
    assert from_token(weak)  # its form is right


# --- two that belong together


def accept(duel: Duel, name: str = "ben", **words: Any) -> Entry:
    told = {"side": "blue", "terms": duel.terms, "key": "ben", "recovery": b"", "offer": duel.offer} | words
    key = signer(told["key"])
    nonce, gnonce = bytes(16), duel.gnonces["ben"]
    block = sign_accept(
        Turn.of(told["offer"]), key, name, told["side"], told["terms"], nonce, gnonce, told["recovery"], CHAIN
    ).block
    return parse_entry(block.payload)


def test_an_accept_begins_the_game(duel: Callable[..., Duel]) -> None:
    game = duel()
    assert accept(game).payload == game.accept.payload
    assert game.genesis.game == entry_hash(game.accept.payload)
    assert [(p.name, p.side) for p in game.genesis.players] == [("anna", "red"), ("ben", "blue")]
    assert game.genesis.other("anna").name == "ben"
    assert game.genesis.other("ben").name == "anna"
    assert game.genesis.of_side("blue").name == "ben"
    with pytest.raises(BadLog, match="nobody in this game is called carl"):
        game.genesis.player("carl")


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"rules": "toy/2"}, "rules"),
        ({"scenario": "other"}, "scenario"),
        ({"digest": "00" * 32}, "digest"),
        ({"options": ()}, "options"),
        ({"options": (("length", "long"),)}, "options"),
        ({"reactions": "ask"}, "reactions"),
        ({"lost_secret": "forfeit"}, "lost-secret"),
        ({"deadline": 7}, "deadline"),
        ({"solo": True}, "solo"),
    ],
)
def test_every_term_is_repeated_word_for_word(duel: Callable[..., Duel], change: dict[str, Any], name: str) -> None:
    game = duel()
    assert set(Terms._fields) == {
        "rules", "scenario", "digest", "options", "reactions", "lost_secret", "deadline", "solo"
    }  # fmt: skip
    other = accept(game, terms=game.terms._replace(**change))
    with pytest.raises(BadLog, match=f"other terms than the offer: {name}"):
        begin(parse_entry(game.offer.payload), other, entry_hash(other.payload))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ({"name": "anna"}, "both players are called anna"),
        ({"side": "red"}, "both players take the side red"),
        ({"key": "anna"}, "the same key"),
        ({"recovery": signer("anna").pub_blob}, "a recovery key is another key of this game"),
        ({"recovery": signer("ben").pub_blob}, "it is the player's key itself"),
    ],
)
def test_two_players_differ(duel: Callable[..., Duel], words: dict[str, Any], reason: str) -> None:
    game = duel()
    entry = accept(game, **words)
    with pytest.raises(BadLog, match=reason):
        begin(parse_entry(game.offer.payload), entry, entry_hash(entry.payload))
    other = accept(game, recovery=signer("spare").pub_blob)
    begun = begin(parse_entry(game.offer.payload), other, entry_hash(other.payload))
    assert begun.players[1].recovery == signer("spare").pub_blob


@pytest.mark.parametrize("taken", ["ben", "spare"])
def test_the_offerers_recovery_key_is_none_of_the_accepters(duel: Callable[..., Duel], taken: str) -> None:
    game = duel()
    for recovery, fits in ((signer(taken).pub_blob, False), (signer("else").pub_blob, True)):
        offered = sign_offer(signer("anna"), "anna", "red", game.terms, NONCE, recovery).block
        entry = accept(game, offer=offered, recovery=signer("spare").pub_blob)
        if fits:
            assert begin(parse_entry(offered.payload), entry, bytes(32)).players[0].recovery == recovery
            continue
        with pytest.raises(BadLog, match="a recovery key is another key of this game"):
            begin(parse_entry(offered.payload), entry, bytes(32))


def test_a_game_has_one_key_exactly_when_it_is_solo(duel: Callable[..., Duel]) -> None:
    game = duel()
    terms = game.terms._replace(solo=True)
    offered = sign_offer(signer("anna"), "anna", "red", terms, NONCE).block
    with pytest.raises(BadLog, match="a solo game has two keys"):
        begin(parse_entry(offered.payload), accept(game, offer=offered, terms=terms), bytes(32))
    begun = begin(parse_entry(offered.payload), accept(game, offer=offered, terms=terms, key="anna"), bytes(32))
    assert begun.players[0].key == begun.players[1].key
    accepted = accept(game, offer=offered, terms=terms, key="anna", recovery=signer("spare").pub_blob)
    with pytest.raises(BadLog, match="`recovery`: it stands in a solo game"):
        begin(parse_entry(offered.payload), accepted, bytes(32))


def test_only_the_accept_names_a_chain(duel: Callable[..., Duel]) -> None:
    game = duel()
    entry = parse_entry(game.accept.payload)
    assert entry.anchor == Anchor(CHAIN, entry.anchor.value, game.gnonces["ben"], entry_hash(game.offer.payload))
    assert game.table.anchors == {"ben": entry.anchor}
    assert game.table.chains["ben"].shown == 0
    with pytest.raises(Damaged, match="'side' stands where 'anchor' must be"):
        rebuilt(entry._replace(anchor=None), entry.body)
    with pytest.raises(Damaged, match="'anchor' belongs to the header"):
        rebuilt(offer()._replace(anchor=entry.anchor), offer().body)


# --- in a log


def log(*blocks: Block) -> str:
    return "".join(render_block(block) for block in blocks)


def refuses(scenario: Scenario, text: str, kind: type[PbemError], match: str, where: str) -> None:
    with pytest.raises(kind, match=match) as refused:
        replay(text, lambda _: scenario)
    assert where in str(refused.value)


def signed(entry: Entry, name: str) -> Block:
    return Block(entry.payload, signer(name).sign(entry.payload))


def test_a_log_begins_with_its_offer_and_the_accept_of_it(duel: Callable[..., Duel]) -> None:
    game, other = duel(), duel(length="long")
    scenario = game.scenario
    assert replay(log(game.offer), lambda _: scenario).table is None
    refuses(scenario, "", BadLog, "empty", "")
    refuses(scenario, log(game.accept), BadLog, "entry 1 stands where 0 is due", "entry 0")
    refuses(scenario, log(game.offer, other.accept), BadLog, "accepts another offer", "entry 1")
    refuses(scenario, log(game.offer, game.offer), BadLog, "entry 0 stands where 1 is due", "entry 1")
    accepted = parse_entry(game.accept.payload)
    early = parse_entry(
        build_entry(
            kind="accept", seq=0, prev="00" * 32, by="ben", nonce="00" * 16, anchor=accepted.anchor, body=accepted.body
        ).payload
    )
    refuses(scenario, log(signed(early, "ben")), BadLog, "an `accept` stands at the beginning", "entry 0")
    again = parse_entry(build_entry(kind="offer", seq=1, by="ben", nonce="00" * 16, body=accepted.body).payload)
    refuses(scenario, log(game.offer, signed(again, "ben")), BadLog, "an `offer` follows the offer", "entry 1")


def test_offer_and_accept_are_signed_with_the_keys_they_name(duel: Callable[..., Duel]) -> None:
    game = duel()
    scenario = game.scenario
    forged = signed(parse_entry(game.offer.payload), "ben")
    with pytest.raises(BadSignature):
        verify_offer(Turn.of(forged))
    refuses(scenario, log(forged, game.accept), BadSignature, "another key", "entry 0")
    forged = signed(parse_entry(game.accept.payload), "anna")
    refuses(scenario, log(game.offer, forged), BadSignature, "another key", "entry 1")


@pytest.mark.parametrize(
    ("change", "reason"),
    [({"rules": "toy/2"}, "edition toy/2"), ({"digest": "00" * 32}, "content differs"), ({"options": ()}, "options")],
)
def test_a_game_that_this_program_cannot_play_is_refused(
    duel: Callable[..., Duel], change: dict[str, object], reason: str
) -> None:
    game = duel()
    terms = game.terms._replace(**change)  # type: ignore[arg-type]
    first = sign_offer(signer("anna"), "anna", "red", terms, NONCE).block
    second = sign_accept(Turn.of(first), signer("ben"), "ben", "blue", terms, NONCE, game.gnonces["ben"]).block
    refuses(game.scenario, log(first, second), BadScenario, reason, "entry 1")


def test_a_side_that_the_scenario_lacks_is_refused(duel: Callable[..., Duel]) -> None:
    game = duel()
    second = sign_accept(
        Turn.of(game.offer), signer("ben"), "ben", "green", game.terms, NONCE, game.gnonces["ben"]
    ).block
    refuses(game.scenario, log(game.offer, second), BadLog, "the side green", "entry 1")


def test_the_keys_of_the_players_are_told_apart() -> None:
    assert len({private_key(name).public_key().public_bytes_raw() for name in SIDES}) == 2
