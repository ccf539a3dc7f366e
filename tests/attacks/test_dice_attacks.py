"""Attacks on the dice: each gains where its baseline leaves out one part of the protocol, and nothing against it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from statistics import mean

import pytest
from attacks.cheater import (
    TAIL_5,
    another_signature,
    chi_square,
    forged,
    identity,
    refused,
    renamed,
    rolled,
    root,
    secret,
    signed,
    sshsig,
    taken,
    words,
)
from toy.players import CHAIN, SIDES, Duel, hand, private_key, signer

from pbem.crypto import dice
from pbem.crypto.dice import Anchor, Revealed
from pbem.crypto.keys import FileSigner
from pbem.errors import BadLog, Refused
from pbem.match.compose import Secrets
from pbem.match.genesis import begin, rules_and_board
from pbem.match.replay import replay
from pbem.match.table import Table
from pbem.match.take import begun, peek, take
from pbem.rules.requests import Choose, Outcome, Roll
from pbem.wire.blocks import Block
from pbem.wire.bodies import terms_body
from pbem.wire.entry import Entry, build_entry, parse_entry
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn

MakeDuel = Callable[..., Duel]

TRIALS = 240
TRIES = 20


def bet(game: Duel, number: int, text: str = "bet 3; rest;") -> Entry:
    """Anna's first orders; the nonce is another for each number."""
    return game.entry("anna", words(game, "anna", text), nonce=root("nonce", number).hex()[:32])


def die_of(seed: bytes, label: str = "bet/1") -> int:
    return dice.roll(seed, label, 1, 6)[0]


def keyed(game: Duel, value: bytes, payload: bytes) -> bytes:
    """What the seed of entry 2 would be if the reveal were this value."""
    return dice.seed(value, game.genesis.game, 2, dice.entry_hash(payload))


def revealed(game: Duel, entry: Entry, value: bytes) -> Table:
    """The table behind an entry whose dice come from this value of the other side's chain."""
    table = game.table.fork()
    hand(table, entry)
    peek(table, value)
    return table


# --- who decides looks ahead


@pytest.mark.parametrize("holding", ["ben's anchor", "her anchor", "her next value", "her last value", "nothing"])
def test_looking_ahead_tells_the_mover_nothing(duel: MakeDuel, holding: str) -> None:
    """Anna computes her die with every value she has: she is right as often as one who guesses."""
    game = duel()
    mine = game.secrets["anna"]
    known = {
        "ben's anchor": game.table.anchors["ben"].value,
        "her anchor": mine.anchor.value,
        "her next value": mine.value(1),
        "her last value": mine.value(CHAIN),
        "nothing": bytes(32),
    }[holding]
    differences = []
    for number in range(TRIALS):
        entry = bet(game, number)
        guess = die_of(keyed(game, known, entry.payload))
        (die,) = rolled(revealed(game, entry, secret(game, "ben", number)), "bet/1")
        differences.append(1 + (die - guess) % 6)
    assert chi_square(differences) < TAIL_5
    assert differences.count(1) < TRIALS / 6 + 4 * (TRIALS * 5 / 36) ** 0.5


def test_looking_ahead_gains_where_dice_come_from_the_movers_own_secret(duel: MakeDuel) -> None:
    """Anna bets only when her own next value promises a win: it keeps the promise in a protocol without ben's value."""
    game = duel()
    own_chain, protocol = [], []
    for number in range(2 * TRIALS):
        own = secret(game, "anna", number)
        entry = bet(game, number)
        promised = die_of(keyed(game, own, entry.payload))
        if promised < 4:
            continue
        own_chain.append(rolled(revealed(game, entry, own), "bet/1")[0] >= 4)
        protocol.append(rolled(revealed(game, entry, secret(game, "ben", number)), "bet/1")[0] >= 4)
    assert len(protocol) > TRIALS / 2
    assert mean(own_chain) == 1
    assert abs(mean(protocol) - 0.5) < 3 * (0.25 / len(protocol)) ** 0.5


def test_who_looked_ahead_by_a_copy_of_the_game_sees_no_dice(duel: MakeDuel) -> None:
    """What she tries at home stops where ben's value is wanted."""
    game = duel()
    copy = game.replayed()
    entry = bet(game, 0)
    hand(copy, entry)
    assert copy.course.seed is None
    assert isinstance(copy.game.request, Roll)
    assert copy.due()[:2] == ("reveal", "ben")


# --- who decides rolls again


def best_for_anna(game: Duel, number: int, guess: Callable[[bytes], int]) -> Entry:
    """The one of many orders, all as good, whose die is the best as far as she can tell."""
    tries = (bet(game, TRIES * number + trying) for trying in range(TRIES))
    return max(tries, key=lambda entry: guess(entry.payload))


def test_re_rolling_by_changing_orders_gains_nothing(duel: MakeDuel) -> None:
    game = duel()
    baseline, protocol = [], []
    for number in range(TRIALS // 2):
        own = best_for_anna(game, number, lambda payload: die_of(hashlib.sha256(payload).digest()))
        baseline.append(die_of(hashlib.sha256(own.payload).digest()))
        known = game.table.anchors["ben"].value
        entry = best_for_anna(game, number, lambda payload, key=known: die_of(keyed(game, key, payload)))  # type: ignore[misc]
        protocol.append(rolled(revealed(game, entry, secret(game, "ben", number)), "bet/1")[0])
    assert mean(baseline) > 5.9, "seed = hash of the orders: one of twenty forms of a turn has a six"
    assert chi_square(protocol) < TAIL_5
    assert abs(mean(protocol) - 3.5) < 3 * (35 / 12 / len(protocol)) ** 0.5


def test_other_signatures_of_one_turn_are_no_new_rolls(duel: MakeDuel) -> None:
    """Seed per signature: each of the signer's many signatures is a roll. Seed from the text: all are one."""
    game = duel()
    block = game.sign("anna", "bet 1; rest;")
    others = [sshsig("anna", another_signature("anna", block.payload, 2**200 + n)) for n in range(TRIES)]
    assert len({block.armor, *others}) == TRIES + 1
    value = game.secrets["ben"].value(1)
    baseline = {die_of(hashlib.sha256(value + armor.encode()).digest()) for armor in others}
    assert max(baseline) == 6
    assert len(baseline) > 3
    tables = [taken(game, Block(block.payload, armor)) for armor in (block.armor, *others)]
    for table in tables:
        peek(table, value)
    assert {table.head for table in tables} == {dice.entry_hash(block.payload)}
    assert len({table.course.seed for table in tables}) == 1
    assert len({tuple(rolled(table, "bet/1")) for table in tables}) == 1


# --- who answers chooses among continuations


def hit(game: Duel, number: int) -> Table | None:
    """The table where ben, who knows the dice of the hit, is asked whether to flee or stand; None after a miss."""
    entry = bet(game, number, "hit lancer;")
    table = game.table.fork()
    hand(table, entry)
    peek(table, secret(game, "ben", number))
    return table if isinstance(table.game.request, Choose) and table.game.request.reaction else None


def answered(game: Duel, table: Table, number: int, answer: str) -> Table:
    """Ben's answer taken, and what follows rolled by anna's secret."""
    react = build_entry(
        kind="react",
        game=game.genesis.game.hex(),
        seq=3,
        prev=table.head.hex(),
        by="ben",
        nonce="0" * 32,
        reveal=(1, secret(game, "ben", number).hex()),
        state=table.state_hash(),
        body=(Statement(answer, ("lancer",)),),
    ).payload
    owner = identity(game, "ben")
    table.chains["ben"] = Revealed(owner, CHAIN, 0, dice.chain_step(owner, 1, secret(game, "ben", number)))
    hand(table, parse_entry(react))
    peek(table, secret(game, "anna", number))
    return table


def test_choosing_the_label_of_a_later_roll_gains_nothing(duel: MakeDuel) -> None:
    """Ben knows both continuations of the seed that he holds, and takes the one where his unit lives."""
    game = duel(reactions="ask")
    lost = {"seed goes on": 0, "protocol": 0}
    chosen = {"flee": 0, "stand": 0}
    for number in range(500):
        table = hit(game, number)
        if table is None:
            continue
        assert table.course.seed is not None
        dies_fleeing = die_of(table.course.seed, "flee/lancer/1") == 1
        dies_standing = sum(dice.roll(table.course.seed, "stand/lancer/1", 2, 6)) >= 9
        answer = "stand" if dies_fleeing else "flee"
        lost["seed goes on"] += dies_fleeing and dies_standing
        chosen[answer] += 1
        lost["protocol"] += "lancer" not in answered(game, table, number, answer).game.state.at
    hits = sum(chosen.values())
    assert hits > 200
    fair = chosen["flee"] / 6 + chosen["stand"] * 10 / 36
    spread = (chosen["flee"] * 5 / 36 + chosen["stand"] * 10 * 26 / 36**2) ** 0.5
    assert abs(lost["protocol"] - fair) < 3 * spread
    assert lost["seed goes on"] < hits / 12 < fair - 3 * spread, "where the seed goes on he loses half as many or fewer"


def test_choosing_among_six_labels_lifts_a_die_only_where_the_seed_goes_on(duel: MakeDuel) -> None:
    """The mean of the best of six dice is 5.56; behind ben's decision anna's value makes it 3.5 again."""
    exact = Fraction(sum(max(faces) for faces in product(range(1, 7), repeat=6)), 6**6)
    game = duel()
    old_seed, new_seed = [], []
    hexes = [f"retreat/{number:04}/1" for number in range(101, 107)]
    for number in range(1000):
        held = keyed(game, secret(game, "ben", number), bet(game, number).payload)
        label = max(hexes, key=lambda name, seed=held: die_of(seed, name))  # type: ignore[misc]
        old_seed.append(die_of(held, label))
        answer = dice.entry_hash(label.encode() + held)
        new_seed.append(die_of(dice.seed(secret(game, "anna", number), game.genesis.game, 3, answer), label))
    assert round(float(exact), 2) == 5.56
    assert abs(mean(old_seed) - float(exact)) < 0.1
    assert abs(mean(new_seed) - 3.5) < 3 * (35 / 12 / 1000) ** 0.5
    assert chi_square(new_seed) < TAIL_5


def test_the_seed_ends_with_orders_of_the_other_side(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "bet 1; rest;")
    assert game.tables["ben"].course.seed is not None
    table = taken(game, forged(game, "ben", "bet 1; rest;"))
    assert table.course.seed is None
    assert table.course.decided == (3, table.head)
    assert table.reveal_due == "anna"


def test_the_seed_ends_with_an_answer_of_the_other_side(duel: MakeDuel) -> None:
    game = duel(reactions="ask")
    number, table = next((n, t) for n in range(50) if (t := hit(game, n)) is not None)
    held = table.course.seed
    table = answered(game, table, number, "flee")
    assert table.course.decided is not None
    assert table.course.decided[0] == 3
    assert table.course.seed not in (held, None)
    assert rolled(table, "flee/lancer/1") == dice.roll(table.course.seed or b"", "flee/lancer/1", 1, 6)


def test_all_attacks_of_a_phase_on_one_seed_are_known_only_to_who_cannot_choose(duel: MakeDuel) -> None:
    """Ben sees the second attack's dice only if none of his choices stands between: else they come from anna."""
    asked, free = duel(reactions="ask"), duel(reactions="standing")
    text = "hit lancer; hit levy-1;"
    for number in range(40):
        table = revealed(asked, bet(asked, number, text), secret(asked, "ben", number))
        labels = [step["label"] for step in table.steps if step["kind"] == "roll"]
        if isinstance(table.game.request, Choose) and table.game.request.reaction and "hit/levy-1/1" not in labels:
            break
    else:
        raise AssertionError("no first attack hits")
    answered(asked, table, number, "flee")
    second = [step["seq"] for step in table.steps if step["kind"] == "roll" and step["label"] == "hit/levy-1/1"]
    assert second == [3], "its dice belong to ben's answer, which is rolled by anna's value"
    table = revealed(free, bet(free, number, text), secret(free, "ben", number))
    rolls = {step["seq"] for step in table.steps if step["kind"] == "roll"}
    assert rolls == {2}, "the default was fixed before, so one seed serves"


# --- who holds the secret grinds it


def accept_of(game: Duel, number: int) -> tuple[bytes, bytes]:
    """One of ben's accepts with another chain: its bytes and his x_1."""
    gnonce, prev = (number + 2**100).to_bytes(16, "big"), dice.entry_hash(game.offer.payload)
    chain = dice.chain(root("ben", number), dice.player_id(signer("ben").pub_blob, gnonce, prev), 2)
    payload = build_entry(
        kind="accept",
        seq=1,
        prev=prev.hex(),
        by="ben",
        nonce="0" * 32,
        anchor=Anchor(2, chain.anchor, gnonce, prev),
        body=terms_body(game.player("ben"), game.terms),
    ).payload
    return payload, chain[1]


def expected(game: Duel, accept: bytes, nonce: str) -> bytes:
    """The orders that everybody plays first, as ben guesses them before he accepts, anchor and all."""
    game_id = dice.entry_hash(accept).hex()
    return build_entry(
        kind="orders",
        game=game_id,
        seq=2,
        prev=game_id,
        by="anna",
        nonce=nonce,
        anchor=game.secrets["anna"].anchor,
        state=game.table.state_hash(),
        body=words(game, "anna", "bet 3; rest;"),
    ).payload


def test_grinding_the_secret_against_guessed_orders_gains_nothing(duel: MakeDuel) -> None:
    """Ben tries chains until the die of the expected bet is a one. Without a nonce in the entry he gets it."""
    game = duel()
    rules, board = rules_and_board(game.scenario)
    baseline, protocol = [], []
    for trial in range(80):

        def wished(candidate: tuple[bytes, bytes]) -> int:
            accept, value = candidate
            return die_of(
                dice.seed(value, dice.entry_hash(accept), 2, dice.entry_hash(expected(game, accept, "0" * 32)))
            )

        candidates = [accept_of(game, TRIES * trial + number) for number in range(TRIES)]
        accept, value = min(candidates, key=wished)
        baseline.append(wished((accept, value)))  # orders that hold no nonce are as he guessed them
        game_id = dice.entry_hash(accept)
        first = parse_entry(game.offer.payload), parse_entry(accept)
        table = begun(begin(*first, game_id), rules, board, *first)
        played = expected(game, accept, dice.nonce(root("anna", trial), 2, game_id).hex())
        hand(table, parse_entry(played))
        peek(table, value)
        protocol += rolled(table, "bet/1")
    assert mean(baseline) < 1.1
    assert chi_square(protocol) < TAIL_5
    assert abs(mean(protocol) - 3.5) < 3 * (35 / 12 / len(protocol)) ** 0.5


def test_grinding_the_secret_after_the_orders_are_known_is_refused(duel: MakeDuel) -> None:
    """The nonce is known then, but x_0 isn't ben's to change any more."""
    game = duel()
    block = game.play("anna", "bet 1; rest;")
    wished = next(
        value for number in range(1000) if die_of(keyed(game, value := secret(game, "ben", number), block.payload)) == 1
    )
    refused(game, forged(game, "ben", "rest;", reveal=(1, wished.hex())), BadLog, "ben: chain value 1 is wrong")
    taken(game, forged(game, "ben", "rest;"))


def test_every_nonce_of_a_player_differs_and_none_can_be_guessed_from_the_log(duel: MakeDuel) -> None:
    seen = set()
    for number in range(8):
        game = duel(number)
        for name in ("anna", "ben", "anna", "ben"):
            seen.add(parse_entry(game.play(name, "rest;").payload).nonce)
    assert len(seen) == 8 * 4


# --- a copied anchor


def test_a_copied_anchor_leaves_the_mirror_without_a_single_reveal(duel: MakeDuel) -> None:
    """Anna begins with ben's anchor and echoes what he reveals; no value of his, whatever its number, is hers."""
    game = duel()
    ben, copied = game.secrets["ben"], game.table.anchors["ben"]
    for block in (forged(game, "anna", "bet 1; rest;", anchor=copied), None):
        game.give(block or game.sign("ben", "bet 1; rest;"))
    table = game.table
    assert table.anchors["anna"][:3] == copied[:3], "the same words stand in the log"
    for index in range(CHAIN + 1):
        echo = forged(game, "anna", kind="reveal", reveal=(1, ben.value(index).hex()))
        if index < 4:
            refused(game, echo, BadLog, "anna: chain value 1 is wrong: it doesn't lead to the anchor")
        else:
            with pytest.raises(BadLog, match="chain value 1 is wrong"):
                hand(table.fork(), parse_entry(echo.payload))
    assert table.due()[:2] == ("reveal", "anna"), "the log says who doesn't go on"


def test_a_mirror_begun_later_echoes_nothing_either(duel: MakeDuel) -> None:
    """Anna names the chain in force of ben's as a new one of hers, in a later entry."""
    game = duel()
    game.play("anna", "bet 1; rest;")
    game.play("ben", "rest;")
    game.give(forged(game, "anna", "say hm;", anchor=game.table.anchors["ben"]))
    game.play("ben")
    game.play("anna", "rest;")
    value = parse_entry(game.play("ben", "bet 1; rest;").payload).reveal
    assert value is not None
    refused(game, forged(game, "anna", kind="reveal", reveal=(1, value[1])), BadLog, "anna: chain value 1 is wrong")


def bare_step(_: bytes, i: int, x: bytes) -> bytes:
    """A chain that names no player."""
    return hashlib.sha256(i.to_bytes(4, "big") + x).digest()


@pytest.mark.parametrize(("step", "fits"), [(bare_step, True), (dice.chain_step, False)])
def test_an_echo_fits_a_copied_anchor_where_the_chain_names_no_player(
    duel: MakeDuel, step: Callable[[bytes, int, bytes], bytes], fits: bool
) -> None:
    game = duel()
    anna, ben = (identity(game, name) for name in SIDES)
    value = root("value", 0)
    copied = step(anna, 1, value)
    assert (step(ben, 1, value) == copied) is fits


def test_a_mirror_of_all_that_names_a_player_is_refused(duel: MakeDuel) -> None:
    """Who has anna's key too is anna; who has all but the place of her chain has another chain."""
    game = duel()
    twin = game.player("ben")._replace(key=game.player("anna").key)
    entry = parse_entry(game.accept.payload)
    words_of_it = {name: getattr(entry, name) for name in ("kind", "seq", "prev", "by", "nonce", "anchor")}
    mirror = parse_entry(build_entry(**words_of_it, body=terms_body(twin, game.terms)).payload)
    with pytest.raises(BadLog, match="both players have the same key"):
        begin(parse_entry(game.offer.payload), mirror, bytes(32))
    places = [game.genesis.game, bytes(32), dice.entry_hash(game.offer.payload)]
    chains = [Secrets(signer("anna"), bytes(16), prev, CHAIN) for prev in places]
    assert len({secrets.value(index) for secrets in chains for index in range(CHAIN + 1)}) == 3 * (CHAIN + 1)


# --- reveals that aren't as they should be


def test_a_wrong_reveal_is_refused(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "bet 1; rest;")
    values = {game.secrets["ben"].value(index) for index in (0, 2, CHAIN)} | {game.secrets["anna"].value(1), bytes(32)}
    for value in values:
        refused(game, forged(game, "ben", "rest;", reveal=(1, value.hex())), BadLog, "ben: chain value 1 is wrong")
    taken(game, forged(game, "ben", "rest;"))


def test_an_early_reveal_is_refused(duel: MakeDuel) -> None:
    """Not even of her own next value, which would tie her hands; nor the next but one after the one that is due."""
    game = duel()
    early = forged(game, "anna", "rest;", reveal=(1, game.secrets["anna"].value(1).hex()))
    refused(game, early, BadLog, "a chain value that is not due")
    game.play("anna", "say hm;")
    game.play("ben")
    early = forged(game, "anna", "rest;", reveal=(1, game.secrets["anna"].value(1).hex()))
    refused(game, early, BadLog, "a chain value that is not due")
    taken(game, forged(game, "anna", "rest;"))


def test_a_late_reveal_is_refused(duel: MakeDuel) -> None:
    """It can't be left for the next entry, even where nothing was rolled from it."""
    game = duel()
    game.play("anna", "move scout rear; rest;")
    refused(game, forged(game, "ben", "rest;", reveal=None), BadLog, "its reveal is missing; `reveal 1 ...` is due")
    taken(game, forged(game, "ben", "rest;"))


def test_a_skipped_reveal_is_refused(duel: MakeDuel) -> None:
    """x_2 gives x_1 too, but its owner may not choose between them."""
    game = duel()
    game.play("anna", "bet 1; rest;")
    later = game.secrets["ben"].value(2)
    for index in (2, 3):
        value = game.secrets["ben"].value(index).hex()
        error = refused(game, forged(game, "ben", "rest;", reveal=(index, value)), BadLog, f"chain value {index}")
        assert "number 1 is due" in str(error)
    refused(game, forged(game, "ben", "rest;", reveal=(1, later.hex())), BadLog, "ben: chain value 1 is wrong")


def test_a_reveal_given_twice_is_refused(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "say hm;")
    game.play("ben")
    game.play("anna", "rest;")
    again = forged(game, "ben", "rest;", reveal=(1, game.secrets["ben"].value(1).hex()))
    assert "number 2 is due" in str(refused(game, again, BadLog, "chain value 1 is revealed"))


# --- who doesn't like what he sees refuses to go on


def test_a_free_roll_for_a_lost_secret_is_worth_three_quarters_of_a_point() -> None:
    """Why there is none: who may roll again when he dislikes a die has 4.25 for 3.5."""
    faces = range(1, 7)
    fair = Fraction(sum(faces), 6)
    rerolled = Fraction(sum(face if face > fair else fair for face in faces), 6)
    assert (fair, rerolled) == (Fraction(7, 2), Fraction(17, 4))


KINDS = {
    "orders": "rest",
    "reveal": "",
    "react": "",
    "resign": "",
    "draw": "draw offer",
    "undo": "undo offer 2",
    "rekey": "new key",
}


def evasive(game: Duel, kind: str, **changes: object) -> Block:
    """An entry of ben's with which he would get round the reveal that is due from him."""
    body = tuple(Statement(w[0], tuple(w[1:])) for w in [KINDS[kind].split()] if w)
    if kind == "rekey":
        body, changes["anchor"] = renamed(game, "ben", "ben2")
    return signed(game.entry("ben", body, kind=kind, **changes), "ben")


@pytest.mark.parametrize("kind", KINDS)
def test_an_abort_gets_no_other_roll(duel: MakeDuel, kind: str) -> None:
    """`My disk died`: whatever ben signs without the value that is due, the log takes nothing, and names him."""
    game = duel()
    game.play("anna", "bet 1; rest;")
    refused(game, evasive(game, kind, reveal=None), BadLog, "its reveal is missing")
    other = (1, secret(game, "ben", 7).hex())
    refused(game, evasive(game, kind, reveal=other), BadLog, "ben: chain value 1 is wrong")
    assert str(game.table.due()) in ("a reveal of ben is due", "orders of ben are due")


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"react", "reveal"}))
def test_whatever_comes_with_the_reveal_has_the_same_dice(duel: MakeDuel, kind: str) -> None:
    game = duel()
    block = game.play("anna", "bet 1; rest;")
    table = game.replayed()
    evasion = evasive(game, kind)
    take(table, Turn.of(evasion))
    seed = keyed(game, game.secrets["ben"].value(1), block.payload)
    assert rolled(table, "bet/1") == dice.roll(seed, "bet/1", 1, 6)
    assert b"\nlost-secret adverse;\n" in game.offer.payload, "what a lost secret costs is signed by both"


def test_a_disk_that_died_is_no_excuse(duel: MakeDuel) -> None:
    """Key and log give the same chain and the same nonces again; only the gnonce is needed, and the log has it."""
    game = duel()
    game.play("anna", "bet 1; rest;")
    honest = game.sign("ben", "rest;")
    found = replay(game.log, lambda _: game.scenario)
    assert found.genesis is not None
    assert found.table is not None
    restored = Secrets.of(FileSigner(private_key("ben")), found.table.anchors["ben"])
    assert [restored.value(i) for i in range(CHAIN)] == [game.secrets["ben"].value(i) for i in range(CHAIN)]
    game.secrets["ben"], game.tables["ben"] = restored, game.replayed()
    assert game.sign("ben", "rest;") == honest


def test_a_silent_player_loses_the_game_under_a_deadline(duel: MakeDuel) -> None:
    game = duel(deadline=7)
    game.play("anna", "bet 1; rest;")
    claim = signed(game.entry("anna", kind="claim", state=game.table.state_hash()), "anna")
    outcome = taken(game, claim).outcome
    assert outcome == Outcome("red", "", "ben has not answered for 7 days")
    unlimited = duel()
    unlimited.play("anna", "bet 1; rest;")
    claim = signed(unlimited.entry("anna", kind="claim"), "anna")
    assert "no deadline" in str(refused(unlimited, claim, BadLog, "can't make a `claim`"))


# --- taking back to roll again


def test_undo_to_roll_again_needs_both_and_never_repeats_a_value(duel: MakeDuel) -> None:
    game = duel()
    first = game.play("anna", "bet 1; rest;")
    alone = signed(game.entry("ben", (Statement("undo", ("accept",)),), kind="undo"), "ben")
    refused(game, alone, BadLog, "no undo waits")
    offer = signed(game.entry("ben", (Statement("undo", ("offer", "2")),), kind="undo"), "ben")
    game.give(offer)
    for kind, own in (("orders", Statement("rest", ())), ("undo", Statement("undo", ("accept",)))):
        entry = signed(game.entry("ben", (own,), kind=kind), "ben")
        assert "an answer of anna is due" in str(refused(game, entry, BadLog, f"`{kind}`"))
    game.blocks.append(signed(game.entry("anna", (Statement("undo", ("accept",)),), kind="undo"), "anna"))
    game.tables = {name: game.replayed() for name in game.tables}
    second = game.play("anna", "bet 1; rest;")
    assert (parse_entry(first.payload).seq, parse_entry(second.payload).seq) == (2, 5)
    repeated = forged(game, "ben", "rest;", reveal=(1, game.secrets["ben"].value(1).hex()))
    assert "number 2 is due" in str(refused(game, repeated, BadLog, "chain value 1 is revealed"))
    table = taken(game, forged(game, "ben", "rest;"))
    seed = dice.seed(game.secrets["ben"].value(2), game.genesis.game, 5, dice.entry_hash(second.payload))
    (step,) = (step for step in table.steps if step["kind"] == "roll" and step["seq"] == 5)
    assert step["result"] == dice.roll(seed, "bet/1", 1, 6)


def test_a_new_chain_is_chosen_before_the_orders_that_it_rolls(duel: MakeDuel) -> None:
    """Ben chooses a chain at will, with the old value revealed and before anna's next nonce is known."""
    game = duel()
    block = game.play("anna", "bet 1;")
    assert game.due() == "ben", "his reveal comes first"
    anchor = Secrets(signer("ben"), b"n" * 16, game.table.head, CHAIN).anchor
    refused(game, forged(game, "ben", kind="reveal", anchor=anchor, reveal=None), BadLog, "its reveal is missing")
    early = Secrets.of(signer("ben"), anchor).value(1).hex()
    refused(game, forged(game, "ben", kind="reveal", anchor=anchor, reveal=(1, early)), BadLog, "value 1 is wrong")
    table = taken(game, forged(game, "ben", kind="reveal", anchor=anchor))
    assert rolled(table, "bet/1") == [die_of(keyed(game, game.secrets["ben"].value(1), block.payload))]
    assert table.reveal_due is None, "no entry waits for a value of the new chain"
    assert (table.chains["ben"].shown, table.chains["ben"].newest) == (0, anchor.value)
    assert anchor != game.table.anchors["ben"]


# --- dice that aren't even


def test_mod_bias_is_43_to_42_and_thrown_away() -> None:
    """All bytes through `below`: 42 each; a bare remainder gives four faces 43."""
    bare = [0] * 6
    even = [0] * 6
    thrown = 0
    for byte in range(256):
        bare[byte % 6] += 1
        stream = iter([byte])
        try:
            even[dice.below(lambda k, stream=stream: bytes([next(stream)]), 6)] += 1  # type: ignore[misc]
        except StopIteration:
            thrown += 1
    assert bare == [43, 43, 43, 43, 42, 42]
    assert even == [42] * 6
    assert thrown == 4


def test_long_rows_of_dice_are_even_and_a_bare_remainder_shows() -> None:
    """120,000 dice of one seed; then a wide die, of which a bare remainder makes six faces twice as frequent."""
    seed = root("even", 0)
    faces = [die for n in range(12) for die in dice.roll(seed, f"even/{n}", 10_000, 6)]
    assert chi_square(faces) < TAIL_5
    limit = 250
    bare = [1 + value % limit for n in range(4) for value in hashlib.shake_256(seed + bytes([n])).digest(10_000)]
    assert sum(face <= 6 for face in bare) > 1.7 * len(bare) * 6 / limit
    fair = [face for n in range(4) for face in dice.roll(seed, f"wide/{n}", 10_000, limit)]
    assert abs(sum(face <= 6 for face in fair) - 960) < 4 * 960**0.5


# --- the root of all dice


def test_a_root_asked_for_through_the_turn_namespace_is_another(duel: MakeDuel) -> None:
    """Anna gets ben to sign her text as a turn: the signature isn't the one that his dice grow from."""
    game = duel()
    anchor = game.table.anchors["ben"]
    message = dice.root_message(anchor.gnonce, anchor.prev)
    asked = signer("ben").raw_signature(message, "pbem-turn-v1")
    assert asked != signer("ben").raw_signature(message, "pbem-root-v1")
    guess, right = (
        dice.chain(dice.root_from_signature(sig64, anchor.gnonce, anchor.prev), identity(game, "ben"), CHAIN)
        for sig64 in (asked, signer("ben").raw_signature(message, "pbem-root-v1"))
    )
    assert guess.anchor != anchor.value
    assert right.anchor == anchor.value


def test_no_signature_for_the_root_is_ever_given_out(duel: MakeDuel) -> None:
    game = duel()
    anchor = game.table.anchors["ben"]
    message = dice.root_message(anchor.gnonce, anchor.prev)
    with pytest.raises(Refused, match="signatures in the namespace pbem-root-v1 are secret"):
        signer("ben").sign(message, "pbem-root-v1")
    secrets = game.secrets["ben"]
    assert repr(secrets) == "Secrets()"
    root_bytes = signer("ben").raw_signature(message, "pbem-root-v1")
    for name in SIDES:
        game.play(name, "rest;")
    for form in (root_bytes.hex().encode(), root_bytes):
        assert form not in game.log.encode()
