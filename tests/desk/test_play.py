"""Two homes and the mails between them: offer, accept, open and send, and every mail that doesn't fit."""

from __future__ import annotations

import itertools
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toy.accident import DISKS, break_disk, files_in, killed_at, moments, put_back
from toy.players import SIDES, Post, mail, parts_of, signer

from pbem.cli.seat import _request as asked_in
from pbem.crypto import dice
from pbem.crypto.keys import load_signer, new_key
from pbem.desk import arrival
from pbem.desk import desk as play
from pbem.desk.arrival import open_all, read_offer, take_in
from pbem.desk.desk import Desk, terms_of
from pbem.desk.letter import read_letter
from pbem.desk.succession import ask
from pbem.errors import BadLog, BadSignature, Damaged, PbemError, Refused, Storage
from pbem.home import files, folders
from pbem.home.contact import Contact
from pbem.home.folders import Home
from pbem.mail.inbox import Mail
from pbem.match.compose import Secrets
from pbem.match.replay import replay
from pbem.report.source import report_data
from pbem.scenario import Scenario
from pbem.wire.blocks import Block, render_block
from pbem.wire.bodies import proposal_body
from pbem.wire.entry import build_entry, parse_entry
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn


def refuses(desk: Desk, letter: Mail, kind: type[PbemError], match: str) -> PbemError:
    """The mail is refused, named, and nothing in the home but evidence and cache changes."""
    before = files_in(desk.home.root)
    with pytest.raises(kind, match=match) as refused:
        take_in(desk, read_letter(letter))
    assert letter.source in refused.value.where
    after = files_in(desk.home.root)
    assert changed(before) == changed(after)
    return refused.value


def changed(files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: data for name, data in files.items() if not name.startswith(("cache", "evidence"))}


def opened(desk: Desk, letter: Mail) -> str:
    return take_in(desk, read_letter(letter)).what


# --- a game begins


def test_offer_and_accept_begin_the_game_in_both_homes(post: Post) -> None:
    offer, accept = post.begin()
    anna, ben = (post.desks[name].home for name in SIDES)
    assert len(anna.offers()) == 1
    assert anna.games() == []
    assert ben.games()[0].text() == render_block(offer) + render_block(accept)
    receipt = take_in(post.desks["anna"], read_letter(mail(accept, sender="ben@new.example")))
    assert (receipt.what, receipt.entry.kind) == ("begun", "accept")
    assert receipt.place.me == "anna"
    assert receipt.place.opponent.name == "ben"
    assert anna.offers() == []
    assert anna.games()[0].text() == ben.games()[0].text()
    assert anna.games()[0].id == dice.entry_hash(accept.payload).hex()[:16]
    assert anna.games()[0].contact() == Contact("anna", "anna@example.org", "ben@example.net", called="duel")


def test_the_accepters_address_is_taken_where_none_is_known(post: Post) -> None:
    terms = terms_of(post.scenario, {})
    offer = post.desks["anna"].offer(terms, "red", Contact("anna"))[1].block
    accept = (
        post.desks["ben"]
        .accept(read_offer(post.desks["ben"], read_letter(mail(offer))), "ben", Contact("ben"))[1]
        .block
    )
    take_in(post.desks["anna"], read_letter(mail(accept, sender="ben@new.example")))
    assert post.place("anna").folder.contact().to == "ben@new.example"


def test_terms_are_checked_against_the_scenario(toy_system: Scenario) -> None:
    assert terms_of(toy_system, {"length": "long"}, deadline=7).options == (("length", "long"),)
    assert terms_of(toy_system, {}).options == (("length", "short"),)
    with pytest.raises(Refused, match="no option fog"):
        terms_of(toy_system, {"fog": "on"})
    with pytest.raises(Refused, match="length can't be endless"):
        terms_of(toy_system, {"length": "endless"})


def test_reading_an_offer(post: Post) -> None:
    offer, accept = post.begin()
    (found, _, _), player, terms, scenario = read_offer(post.desks["ben"], read_letter(mail(offer, accept)))
    assert (found, player.name, terms.rules, scenario.id) == (offer, "anna", "toy/1", "duel")
    other = post.desks["anna"].offer(terms, "red", Contact("anna"))[1].block
    with pytest.raises(Refused, match="2 different offers are"):
        read_offer(post.desks["ben"], read_letter(mail(offer, other)))
    with pytest.raises(Refused, match="no offer is"):
        read_offer(post.desks["ben"], read_letter(mail(accept)))
    forged = offer._replace(armor=signer("ben").sign(offer.payload))
    with pytest.raises(BadSignature):
        read_offer(post.desks["ben"], read_letter(mail(forged)))


def test_an_offer_that_is_opened_is_only_looked_at(post: Post) -> None:
    offer, _ = post.begin()
    fresh = post.desk("carl")
    receipt = take_in(fresh, read_letter(mail(offer)))
    assert (receipt.what, receipt.entry.by) == ("offered", "anna")
    with pytest.raises(Refused, match="the offer by anna has no game yet"):
        _ = receipt.place
    assert (fresh.home.games(), fresh.home.offers()) == ([], [])
    refuses(post.desks["anna"], mail(offer), Refused, "this is my own offer")


def test_nobody_accepts_his_own_offer(post: Post) -> None:
    offer, _ = post.begin()
    anna = post.desks["anna"]
    for name in ("anna", "anna2"):
        with pytest.raises(Refused, match="this is my own offer"):
            anna.accept(read_offer(anna, read_letter(mail(offer))), name, Contact(name))
    assert anna.home.games() == []


def test_nobody_is_drawn_into_a_solo_game(post: Post) -> None:
    """In a stranger's solo game my program would play both sides."""
    terms = terms_of(post.scenario, {}, solo=True)
    offer = post.desk("carl").offer(terms, "red", Contact("carl"))[1].block
    anna = post.desks["anna"]
    with pytest.raises(Refused, match="this offer is for its author alone"):
        anna.accept(read_offer(anna, read_letter(mail(offer))), "anna", Contact("anna"))
    assert anna.home.games() == []
    assert (
        post.desk("carl")
        .accept(read_offer(post.desk("carl"), read_letter(mail(offer))), "blue", Contact("blue"))[0]
        .table.genesis.terms.solo
    )


def test_an_offer_is_accepted_once(post: Post) -> None:
    offer, accept = post.begin()
    ben = post.desks["ben"]
    with pytest.raises(Refused, match="accepted already"):
        ben.accept(read_offer(ben, read_letter(mail(offer))), "benno", Contact("benno"))
    carl = post.desk("carl")
    second = carl.accept(read_offer(carl, read_letter(mail(offer))), "carl", Contact("carl"))[1].block
    anna = post.desks["anna"]
    saved = files_in(anna.home.root)
    assert opened(anna, mail(accept)) == "begun"
    refuses(anna, mail(second), BadLog, "isn't mine, is taken, or was withdrawn")
    for name, data in saved.items():  # an offer that an interrupted begin left behind is taken all the same
        (anna.home.root / name).parent.mkdir(parents=True, exist_ok=True)
        (anna.home.root / name).write_bytes(data)
    refuses(anna, mail(second), Refused, "accepted already")
    assert opened(anna, mail(accept)) == "known"


def test_an_accept_of_somebody_elses_offer_is_refused(post: Post) -> None:
    _, accept = post.begin()
    carl = post.desk("carl")
    refuses(carl, mail(accept), BadLog, "isn't mine")
    forged = accept._replace(armor=signer("carl").sign(accept.payload))
    refuses(post.desks["anna"], mail(forged), BadSignature, "another key")
    assert opened(post.desks["anna"], mail(accept)) == "begun"


def test_a_solo_game_needs_one_home_and_one_key(post: Post) -> None:
    anna = post.desks["anna"]
    terms = terms_of(post.scenario, {}, solo=True)
    offer = anna.offer(terms, "red", Contact("red"))[1].block
    anna.accept(read_offer(anna, read_letter(mail(offer))), "blue", Contact("blue"))
    assert anna.home.offers() == []
    movers: list[str] = []
    for text in ("bet 1; rest;", "move lancer rear;", "", "rest;"):
        place = post.place("anna")
        movers.append(place.me)
        parts = parts_of(place.table, place.table.genesis.player(place.me).side, text)
        post.desk("anna").send(place, parts)
    assert movers == ["red", "blue", "red", "blue"]
    assert replay(post.place("anna").text, anna.home.load).table is not None


def test_a_key_that_is_no_players_is_refused(post: Post) -> None:
    post.begun()
    carl = Desk(post.desks["anna"].home, lambda: signer("carl"), os.urandom)
    with pytest.raises(Refused, match="my key is not a player's key"):
        carl.place(carl.home.find(None))


def test_keys_from_files_play(tmp_path: Path, toy_system: Scenario) -> None:
    desks: dict[str, Desk] = {}
    for name in SIDES:
        folder = Home(tmp_path / name)
        folder.root.mkdir()
        new_key(folder.key, name)
        desks[name] = Desk(folder, lambda key=folder.key: load_signer(key), os.urandom)  # type: ignore[misc]
    offer = desks["anna"].offer(terms_of(toy_system, {}), "red", Contact("anna"))[1].block
    accept = desks["ben"].accept(read_offer(desks["ben"], read_letter(mail(offer))), "ben", Contact("ben"))[1].block
    place = take_in(desks["anna"], read_letter(mail(accept))).place
    block = desks["anna"].send(place, parts_of(place.table, "red", "rest;")).block
    assert take_in(desks["ben"], read_letter(mail(block))).place.table.due().player == "ben"


# --- mails


def test_a_turn_goes_there_and_the_answer_back(post: Post) -> None:
    post.begun()
    block = post.send("anna", "pull 1; rest;")
    receipt = take_in(post.desks["ben"], read_letter(mail(block)))
    assert (receipt.what, receipt.entry.seq, receipt.place.me) == ("taken", 2, "ben")
    assert receipt.place.table.steps[-1]["what"] == "phase", "ben sees what was rolled"
    reply = post.send("ben", "rest;")
    assert opened(post.desks["anna"], mail(block, reply)) == "taken", "the quoted turn is no other turn"
    assert post.place("anna").text == post.place("ben").text


def test_a_mail_opened_again_is_known(post: Post) -> None:
    offer, accept = post.begin()
    anna, ben = (post.desks[name] for name in SIDES)
    opened(anna, mail(accept))
    block = post.exchange("anna", "rest;")
    reply = post.exchange("ben", "rest;")
    for desk in (anna, ben):
        before = changed(files_in(desk.home.root))
        for known in ([accept], [block], [reply], [offer, accept], [block, reply], [offer]):
            assert opened(desk, mail(*known)) == "known"
        assert changed(files_in(desk.home.root)) == before


def test_another_signature_of_a_known_entry_is_known(post: Post) -> None:
    post.begun()
    block = post.exchange("anna", "rest;")
    assert opened(post.desks["ben"], mail(block._replace(armor=signer("ben").sign(block.payload)))) == "known"


def test_a_mail_without_a_turn_is_refused(post: Post) -> None:
    post.begun()
    refuses(post.desks["ben"], Mail("chat.eml", "", "", "", "", "", ("see you",)), Refused, "no turn is in this mail")
    block = post.send("anna", "rest;")
    broken = render_block(block).replace("rest;", "dune;")
    refuses(post.desks["ben"], Mail("turn.eml", "", "", "", "", "", (broken,)), Damaged, "damaged")


def test_two_new_turns_in_one_mail_are_refused(post: Post) -> None:
    post.begun()
    block = post.send("anna", "rest;")
    entry = parse_entry(block.payload)
    other = other_words(post, entry.seq)
    found = refuses(post.desks["ben"], mail(block, other), Refused, "2 different new turns")
    assert ": orders 2 by anna with `rest;`, orders 2 by anna with nothing more; one mail" in str(found)
    third = other_words(post, entry.seq, game="ab" * 32)
    found = refuses(post.desks["ben"], mail(block, third), Refused, "2 different new turns")
    assert f": orders 2 by anna in game {entry.game[:16]}, orders 2 by anna in game {'ab' * 8}; one" in str(found)
    twin = other_words(post, entry.seq, body=entry.body)
    found = refuses(post.desks["ben"], mail(block, twin), Refused, "2 different new turns")
    assert "in this mail: orders 2 by anna, each time with the same words; one mail, one turn" in str(found)
    assert opened(post.desks["ben"], mail(block)) == "taken"


def other_words(post: Post, seq: int, by: str = "anna", **changes: Any) -> Block:
    """An entry for a number with other words than the log has, signed by its author."""
    text = post.place("ben").text
    entries = [parse_entry(block.payload) for block in [turn.block for turn in post.place("ben").folder.turns()]]
    game = dice.entry_hash(entries[1].payload).hex()
    like = entries[seq] if seq < len(entries) else None
    prev = entries[seq - 1].payload if seq <= len(entries) else b""
    table = replay(text, lambda _: post.scenario).table
    assert table is not None
    first = Secrets(signer(by), bytes(16), dice.entry_hash(prev))
    words: dict[str, Any] = {
        "kind": "orders",
        "game": game,
        "seq": seq,
        "prev": dice.entry_hash(prev).hex(),
        "by": by,
        "nonce": "0" * 32,
        "anchor": like.anchor if like else first.anchor if seq == 2 else None,
        "reveal": like.reveal if like else None,
        "state": (like.state if like else None) or table.state_hash(),
        "body": (),
    }
    payload = build_entry(**(words | changes)).payload
    return Block(payload, signer(by).sign(payload))


def test_turns_of_other_games_sides_and_keys_are_refused(post: Post) -> None:
    post.begun()
    good = post.send("anna", "rest;")
    ben = post.desks["ben"]
    found = refuses(ben, mail(other_words(post, 2, game="ab" * 32)), BadLog, "turn of another game, abababababababab")
    assert ben.home.games()[0].id in str(found)
    twin = ben.home.games()[0].id + "0" * 48  # the same beginning of the id
    refuses(ben, mail(other_words(post, 2, game=twin)), BadLog, "turn of another game")
    refuses(ben, mail(other_words(post, 2, by="ben")), BadLog, "ben is not to move")
    refuses(ben, mail(good._replace(armor=signer("carl").sign(good.payload))), BadSignature, "anna's signature")
    refuses(ben, mail(good._replace(armor=signer("ben").sign(good.payload))), BadSignature, "anna's signature")
    refuses(ben, mail(other_words(post, 2, by="carl")), BadLog, "nobody in this game is called carl")
    assert opened(ben, mail(good)) == "taken"


def test_a_turn_from_another_beginning_is_refused(post: Post) -> None:
    post.begun()
    refuses(post.desks["ben"], mail(other_words(post, 2, prev="00" * 32)), BadLog, "follows another entry")
    refuses(post.desks["ben"], mail(other_words(post, 2, state="00" * 32)), BadLog, "state is not the one")


def test_a_later_turn_waits_for_the_one_before(post: Post) -> None:
    post.begun()
    refuses(post.desks["ben"], mail(other_words(post, 4)), BadLog, "entry 4 comes too early.*entry 2 is due first")
    _, refused = open_all(post.desks["ben"], map(read_letter, [mail(other_words(post, 4), source="late.eml")]))
    assert [error.where.split(",")[0] for error in refused] == ["late.eml"]


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2), (2, 0, 3, 1)])
def test_mails_are_taken_in_whatever_order_they_came(post: Post, order: tuple[int, ...]) -> None:
    """Ben's home is lost but for the offer's accept; all mails come at once, mixed, with junk between."""
    _, accept = post.begin(2, "long")
    anna = post.desks["anna"]
    opened(anna, mail(accept))
    saved = post.root / "saved"
    shutil.copytree(post.root / "ben", saved)
    blocks = [post.exchange(name, "rest;") for name in ("anna", "ben", "anna", "ben")]
    text = post.place("ben").text
    shutil.rmtree(post.root / "ben")
    shutil.copytree(saved, post.root / "ben")
    mails = [mail(blocks[number], source=f"{number}.eml") for number in order]
    junk = Mail("junk.eml", "", "", "", "", "", ("nothing",))
    receipts, refused = open_all(
        post.desk("ben"), map(read_letter, [mails[0], junk, *mails[1:], mail(accept, source="accept.eml")])
    )
    assert [str(error.where) for error in refused] == ["junk.eml"]
    whats = {(receipt.entry.by, receipt.entry.seq): receipt.what for receipt in receipts}
    assert sorted(whats) == [("anna", 2), ("anna", 4), ("ben", 1), ("ben", 3), ("ben", 5)]
    assert {what for (by, _), what in whats.items() if by == "anna"} == {"taken"}
    assert whats["ben", 3] in ("known", "taken"), "his own that came early was noted, and followed by itself"
    assert post.place("ben").text == text


def test_mails_in_the_wrong_order_are_looked_at_twice(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before, each round of a folder in reversed order took one: 159 mails needed 43 seconds, the home locked."""
    _, accept = post.begin(2, "long")
    opened(post.desks["anna"], mail(accept))
    saved = post.root / "saved"
    shutil.copytree(post.root / "ben", saved)
    blocks = [post.exchange(name, "rest;") for name in ("anna", "ben") * 4]
    shutil.rmtree(post.root / "ben")
    shutil.copytree(saved, post.root / "ben")
    looked: list[str] = []
    real = arrival.take_in
    monkeypatch.setattr(arrival, "take_in", lambda desk, letter: (looked.append(letter.source), real(desk, letter))[1])
    junk = Mail("junk.eml", "", "", "", "", "", ("nothing",))
    mails = [mail(block, source=f"{number}.eml") for number, block in reversed([*enumerate(blocks)])]
    receipts, refused = open_all(post.desk("ben"), map(read_letter, [junk, *mails]))
    assert looked == ["junk.eml", *(mail.source for mail in mails), *(f"{number}.eml" for number in range(1, 8))]
    assert [receipt.entry.seq for receipt in receipts] == [*range(2, 10)]
    assert [error.where for error in refused] == ["junk.eml"]


def test_an_own_turn_that_the_log_lacks_is_never_signed_again(post: Post) -> None:
    """Ben's home is restored from the accept, and a mail quotes a later turn of his; before, he signed entry 3 anew."""
    _, accept = post.begin(2, "long")
    opened(post.desks["anna"], mail(accept))
    saved = post.root / "saved"
    shutil.copytree(post.root / "ben", saved)
    blocks = [post.exchange(name, "rest;") for name in ("anna", "ben", "anna", "ben")]
    shutil.rmtree(post.root / "ben")
    shutil.copytree(saved, post.root / "ben")
    receipts, refused = open_all(post.desk("ben"), map(read_letter, [mail(blocks[3])]))
    assert receipts == []
    assert "this is my own entry 5, but the log here ends with entry 1" in str(refused[0])
    open_all(post.desk("ben"), map(read_letter, [mail(blocks[0])]))
    with pytest.raises(Refused, match="entry 5 of this game is signed already"):
        post.send("ben", "say something else; rest;")
    for block in blocks[1:]:
        take_in(post.desk("ben"), read_letter(mail(block)))
    assert post.place("ben").table.seq == 5


def test_two_copies_of_one_home_are_told_of_each_other(post: Post) -> None:
    """Before, it was only said that the entry has other words."""
    post.begun()
    shutil.copytree(post.root / "anna", post.root / "copy")
    other = post.send("anna", "say other; rest;")
    shutil.rmtree(post.root / "anna")
    (post.root / "copy").rename(post.root / "anna")
    post.send("anna", "rest;")
    with pytest.raises(BadLog, match=r"my key has signed another entry 2.* a copy of this home, or an older state"):
        take_in(post.desk("anna"), read_letter(mail(other)))


def test_an_own_answer_that_came_too_early_bars_another_turn_before_it(post: Post) -> None:
    """Ben's log ends before entry 4; his entry 5, another entry 4 and the one that he answered come in one go."""
    _, accept = post.begin(2, "long")
    opened(post.desks["anna"], mail(accept))
    blocks = [post.exchange(name, "rest;") for name in ("anna", "ben", "anna", "ben")]
    other = other_words(post, 4, body=(Statement("say", ("other",)), Statement("rest", ())))
    text = post.place("ben").text
    saved = post.desk("ben")
    folder = saved.home.find(None)
    folder.log.write_text(text.partition(render_block(blocks[2]))[0], "ascii")
    shutil.rmtree(post.root / "ben" / "signed")
    shutil.rmtree(post.root / "ben" / "cache")
    letters = [
        read_letter(mail(block, source=source))
        for block, source in ((blocks[3], "mine.eml"), (other, "other.eml"), (blocks[2], "true.eml"))
    ]
    _, refused = open_all(post.desk("ben"), letters)
    assert [str(error.where).split(",")[0] for error in refused] == ["other.eml"]
    assert "I have answered another entry 4, with my entry 5" in str(refused[0])
    assert post.place("ben").text == text


def test_the_offerer_who_is_not_asked_first_begins(post: Post) -> None:
    """Anna takes blue: her entry 2 is an empty `begin` with her chain, and red's orders follow."""
    offer = post.desks["anna"].offer(terms_of(post.scenario, {}), "blue", Contact("anna"))[1].block
    place, accept = post.desks["ben"].accept(
        read_offer(post.desks["ben"], read_letter(mail(offer))), "ben", Contact("ben")
    )
    with pytest.raises(Refused, match="nothing is due from ben"):
        post.desks["ben"].send(place, parts_of(place.table, "red", "rest;"))
    place = take_in(post.desks["anna"], read_letter(mail(accept.block))).place
    assert place.table.due()[:2] == ("begin", "anna")
    with pytest.raises(Refused, match="only a begin is due"):
        post.desks["anna"].send(place, parts_of(place.table, "blue", "rest;"))
    with pytest.raises(Refused, match="nobody can make a `resign` yet"):
        post.desks["anna"].agree(place, "resign")
    block = post.desks["anna"].send(place, []).block
    assert parse_entry(block.payload).kind == "begin"
    place = take_in(post.desks["ben"], read_letter(mail(block))).place
    assert place.table.due()[:2] == ("orders", "ben")
    turn = post.desks["ben"].send(place, parts_of(place.table, "red", "rest;")).block
    receipts, refused = open_all(post.desks["anna"], map(read_letter, [mail(turn), mail(block), mail(accept.block)]))
    assert refused == []
    assert sorted(receipt.what for receipt in receipts) == ["known", "known", "taken"]


# --- chains of dice


def anchors(post: Post) -> list[tuple[int, str]]:
    """The entries that name an anchor, and by whom."""
    entries = [parse_entry(block.payload) for block in [turn.block for turn in post.place("anna").folder.turns()]]
    return [(entry.seq, entry.by) for entry in entries if entry.anchor is not None]


def test_a_new_chain_begins_when_few_values_are_left(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody thinks of it: it rides on the next entry that may name an anchor."""
    assert play.FEW == 50
    monkeypatch.setattr(play, "FEW", dice.CHAIN_LENGTH - 2)
    post.begun(0, "long")
    assert anchors(post) == [(1, "ben")]
    for _ in range(5):
        post.exchange("anna", "say hm;")
        post.exchange("ben")
    assert anchors(post) == [(1, "ben"), (2, "anna"), (9, "ben")], "two of 1000 are left at will, not three"
    table = post.place("anna").table
    assert (table.chains["ben"].shown, table.chains["ben"].left) == (1, dice.CHAIN_LENGTH - 1)
    assert post.place("anna").text == post.place("ben").text
    shown = {name: table.chains[name].shown for name in SIDES}
    post.bots(random.Random(3), 6)
    assert shown != {name: post.place("anna").table.chains[name].shown for name in SIDES}


def test_behind_a_restore_the_next_entry_begins_a_new_chain_once(post: Post) -> None:
    post.begun(0, "long")
    post.exchange("anna", "rest;")
    restored(post, "ben")
    assert post.place("ben").folder.restored()
    before = post.place("ben").table.anchors["ben"]
    assert parse_entry(agreed(post, "ben", "draw", "offer").payload).anchor is not None
    assert not post.place("ben").folder.restored()
    assert post.place("ben").table.anchors["ben"] != before
    agreed(post, "anna", "draw", "refuse")
    post.exchange("ben", "rest;")
    assert anchors(post) == [(1, "ben"), (2, "anna"), (3, "ben")]


def test_the_mark_of_a_restore_waits_for_an_entry_that_may_name_an_anchor(post: Post) -> None:
    post.begun(0, "long")
    post.exchange("anna", "rest;")
    restored(post, "ben")
    desk = post.desk("ben")
    block = desk.agree(desk.place(desk.home.find(None)), "resign").block
    assert parse_entry(block.payload).anchor is None
    assert post.place("ben").folder.restored()


def restored(post: Post, name: str) -> None:
    """Leave the mark that a restore leaves."""
    mark = post.root / name / "restored" / post.place(name).folder.id
    mark.parent.mkdir(mode=0o700, exist_ok=True)
    mark.write_bytes(b"")


def agreed(post: Post, name: str, kind: str, word: str) -> Block:
    """A proposal or an answer, made at one home and opened at the other."""
    desk = post.desk(name)
    block = desk.agree(desk.place(desk.home.find(None)), kind, proposal_body(kind, word)).block
    take_in(post.desk(next(n for n in SIDES if n != name)), read_letter(mail(block)))
    return block


def test_a_chain_of_the_log_that_my_key_does_not_make_is_not_revealed(post: Post) -> None:
    """A log in which somebody else has named an anchor in my name, or that my key comes from elsewhere."""
    post.begun(0, "long")
    post.exchange("anna", "rest;")
    place = post.place("ben")
    anchor = place.table.anchors["ben"]
    for changed in (anchor._replace(value=bytes(32)), anchor._replace(gnonce=bytes(16)), anchor._replace(length=999)):
        place.table.anchors["ben"], place.secrets = changed, None
        with pytest.raises(Refused, match="isn't the one that my key makes: I can reveal nothing of it"):
            post.desk("ben").secrets(place)
    place.table.anchors["ben"] = anchor
    assert post.desk("ben").secrets(place).anchor == anchor


def test_a_contradiction_is_kept_as_evidence_and_changes_nothing(post: Post) -> None:
    post.begun()
    first = post.exchange("anna", "rest;")
    second = other_words(post, 2)
    ben = post.desks["ben"]
    found = refuses(ben, mail(second), BadLog, "entry 2 is in the log already, with other words")
    (kept,) = (ben.home.root / "evidence").iterdir()
    assert str(kept) in str(found)
    assert kept.read_text() == render_block(second)
    assert first in [turn.block for turn in ben.home.games()[0].turns()]


def test_what_nobody_signed_is_no_evidence(post: Post) -> None:
    post.begun()
    post.exchange("anna", "rest;")
    second = other_words(post, 2)
    ben = post.desks["ben"]
    refuses(ben, mail(second._replace(armor=signer("ben").sign(second.payload))), BadSignature, "another key")
    refuses(ben, mail(other_words(post, 2, by="ben")), BadLog, "entry 2 is by anna")
    assert not (ben.home.root / "evidence").exists()


# --- copies of a turn in one mail


def spoiled(block: Block) -> list[Block]:
    """Copies of a turn whose signatures don't hold: a stranger's, and one that was made for other words."""
    return [block._replace(armor=signer("mallory").sign(words)) for words in (block.payload, b"something else")]


def test_a_bad_copy_hides_no_good_one(post: Post) -> None:
    """Of an offer, an accept and orders that copy is taken whose signature holds, wherever it stands in the mail."""
    anna, ben = (post.desks[name] for name in SIDES)
    contact = Contact("anna", "anna@example.org", "ben@example.net")
    offer = anna.offer(terms_of(post.scenario, {"length": "short"}), "red", contact)[1].block
    contact = Contact("ben", "ben@example.net", "anna@example.org")
    with pytest.raises(BadSignature):
        ben.accept(read_offer(ben, read_letter(mail(*spoiled(offer)))), "ben", contact)
    accept = ben.accept(read_offer(ben, read_letter(mail(*spoiled(offer), offer))), "ben", contact)[1].block
    refuses(anna, mail(*spoiled(accept)), BadSignature, "another key")
    assert opened(anna, mail(*spoiled(accept), accept)) == "begun"
    turn = post.send("anna", "rest;")
    refuses(ben, mail(*spoiled(turn)), BadSignature, "another key")
    bad, torn = spoiled(turn)
    assert opened(ben, mail(bad, turn, torn)) == "taken"
    assert post.place("ben").text == post.place("anna").text == "".join(map(render_block, (offer, accept, turn)))


def test_a_bad_copy_hides_no_request_for_a_key(post: Post, tmp_path: Path) -> None:
    """That copy of a request counts which the key that it asks for has signed: where it is opened, and granted."""
    post.begun(0, "long")
    post.exchange("anna", "rest;")
    block = ask(post.place("anna").table, "ben", signer("new"), bytes(16)).block
    own = block._replace(armor=signer("ben").sign(block.payload))
    refuses(post.desk("anna"), mail(*spoiled(block), own), BadSignature, "another key|doesn't fit")
    for number, copies in enumerate(itertools.permutations([*spoiled(block), own, block])):
        refuses(post.desk("anna"), mail(*copies), Refused, "ben asks for a new key")
        file = tmp_path / f"{number}.eml"
        file.write_text(f"From: ben@example.net\n\n{''.join(map(render_block, copies))}")
        assert asked_in(str(file)) == (Turn.of(block), "ben@example.net")


def test_a_bad_copy_hides_no_recover(post: Post) -> None:
    """Of a recover that copy is taken which the recovery key has signed, though the player's own key signed another."""
    anna, ben = (post.desks[name] for name in SIDES)
    contact = Contact("anna", "anna@example.org", "ben@example.net")
    offer = anna.offer(terms_of(post.scenario, {"length": "short"}), "red", contact)[1].block
    spare = signer("spare")
    offered = read_offer(ben, read_letter(mail(offer)))
    accept = ben.accept(offered, "ben", Contact("ben"), spare.pub_blob)[1].block
    assert opened(anna, mail(accept)) == "begun"
    post.exchange("anna", "rest;")
    block = ask(post.place("anna").table, "ben", signer("new"), bytes(16), recovery=spare).block
    copies = [block._replace(armor=signer(name).sign(block.payload)) for name in ("ben", "new")]
    refuses(post.desk("anna"), mail(copies[0]), BadSignature, "another key|doesn't fit")
    assert opened(post.desk("anna"), mail(*copies, *spoiled(block), block)) == "taken"


def test_a_bad_copy_hides_no_contradiction(post: Post) -> None:
    post.begun()
    post.exchange("anna", "rest;")
    second = other_words(post, 2)
    ben = post.desks["ben"]
    refuses(ben, mail(*spoiled(second)), BadSignature, "another key")
    assert not (ben.home.root / "evidence").exists()
    refuses(ben, mail(*spoiled(second), second), BadLog, "entry 2 is in the log already, with other words")
    (kept,) = (ben.home.root / "evidence").iterdir()
    assert kept.read_text() == render_block(second)


# --- the cache


def reports(post: Post) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in SIDES:
        place = post.place(name)
        found[name] = (place.table.dump(), report_data(place.table, post.scenario, name))
    return found


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("reactions", ["standing", "ask"])
def test_the_cache_may_be_lost_at_any_time(post: Post, number: int, reactions: str) -> None:
    post.begun(number, "long", reactions=reactions)
    chance = random.Random(number)
    played = 0
    while True:
        before = reports(post)
        for name in SIDES:
            shutil.rmtree(post.root / name / "cache")
        assert reports(post) == before
        if not post.bots(chance, 1):
            break
        played += 1
    assert played >= 2
    assert post.place("anna").table.game.outcome == post.place("ben").table.game.outcome is not None
    assert post.place("anna").text == post.place("ben").text


def test_reports_begin_with_the_readers_newest_mail_with_and_without_cache(post: Post) -> None:
    post.begun()
    post.exchange("anna", "move scout rear; rest;")
    for _ in range(6):
        post.exchange("ben", "say hm;")
        post.exchange("anna")
    before = reports(post)
    assert before["anna"][1]["since"] == 13, "a bare reveal, whose dice are told as long as nothing has come behind it"
    shutil.rmtree(post.root / "anna" / "cache")
    assert reports(post) == before


# --- sending


def test_send_refuses_what_is_not_due(post: Post) -> None:
    post.begun()
    place = post.place("ben")
    with pytest.raises(Refused, match="nothing is due from ben"):
        post.desks["ben"].send(place, parts_of(place.table, "blue", "rest;"))
    assert not (post.root / "ben" / "signed").exists()


def test_an_older_log_does_not_make_anybody_sign_other_words(post: Post) -> None:
    post.begun(2, "long")
    post.exchange("anna", "rest;")
    post.exchange("ben", "rest;")
    old = post.place("anna").text
    post.send("anna", "pull 1; rest;")
    post.place("anna").folder.log.write_text(old)
    assert post.place("anna").table.seq == 4, "what was signed last comes back"
    older = "".join(render_block(block) for block in [turn.block for turn in post.place("anna").folder.turns()][:2])
    post.place("anna").folder.log.write_text(older)
    place = post.place("anna")
    assert place.table.seq == 1
    with pytest.raises(Refused, match="entry 4 of this game is signed already, with other words"):
        post.desks["anna"].send(place, parts_of(place.table, "red", "bet 1; rest;"))
    assert place.folder.text() == older
    receipts, refused = open_all(
        post.desk("anna"),
        map(read_letter, [mail(b) for b in reversed([turn.block for turn in post.place("ben").folder.turns()])]),
    )
    assert not refused
    assert len(receipts) == 4
    assert post.place("anna").table.seq == 4


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_a_send_that_is_killed_is_finished_or_never_was(post: Post) -> None:
    """Before any line of the modules that write: what was signed goes into the log when the game is opened next."""
    post.begun(2, "long")
    saved = files_in(post.root / "anna")
    place = post.place("anna")
    before, drawn = place.text, post.drawn
    expected = before + render_block(post.desk("anna").send(place, words(place)).block)
    post.drawn = drawn  # each try draws the same gnonce
    outcomes: list[tuple[bool, bool]] = []
    home, modules = post.root / "anna", [files, folders, play]

    def sending() -> Callable[[], object]:
        put_back(home, saved)
        desk = post.desk("anna")
        place = desk.place(desk.home.find(None))
        return lambda: desk.send(place, words(place))

    for step in moments(home, modules, sending()):
        assert killed_at(step, modules, sending())
        noted = place.folder.signed() is not None
        logged = place.folder.text() == expected
        assert logged or place.folder.text() == before
        assert noted or not logged, "nothing is in the log that isn't noted as signed"
        again = post.place("anna")
        assert again.text == (expected if noted else before)
        assert (again.table.due().player == "anna") != noted
        outcomes.append((noted, logged))
    assert set(outcomes) == {(False, False), (True, False), (True, True)}
    assert outcomes == sorted(outcomes)


def words(place: play.Place) -> Any:
    return parts_of(place.table, "red", "pull 1; rest;")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_an_undo_that_was_killed_before_it_reached_the_log_is_finished(post: Post) -> None:
    """The note of what was signed is ahead of the log, and the cached table doesn't hold what is to come back."""
    post.begun(0, "long")
    post.exchange("anna", "rest;")
    post.exchange("ben", "rest;")
    offered = post.desk("anna").agree(post.place("anna"), "undo", proposal_body("undo", "offer", 2)).block
    take_in(post.desk("ben"), read_letter(mail(offered)))
    place = post.place("ben")
    before, saved = place.text, files_in(post.root / "ben")
    accepted = post.desk("ben").agree(place, "undo", proposal_body("undo", "accept")).block
    notes = {name: data for name, data in files_in(post.root / "ben").items() if "signed" in str(name)}
    put_back(post.root / "ben", saved | notes)
    again = post.place("ben")
    assert again.text == before + render_block(accepted)
    assert again.table.decisions == []
    assert take_in(post.desk("anna"), read_letter(mail(accepted))).what == "taken"
    assert post.place("anna").table.state_hash() == again.table.state_hash()


def test_a_begin_that_is_killed_can_be_done_again(post: Post) -> None:
    _, accept = post.begin()
    saved = files_in(post.root / "anna")
    home, modules = post.root / "anna", [files, folders]

    def taking() -> Callable[[], object]:
        put_back(home, saved)
        desk = post.desk("anna")
        return lambda: take_in(desk, read_letter(mail(accept)))

    for step in moments(home, modules, taking()):
        assert killed_at(step, modules, taking())
        assert opened(post.desk("anna"), mail(accept)) in ("begun", "known")
        assert post.place("anna").text == post.place("ben").text
        assert post.place("anna").folder.contact().name == "anna"


@pytest.mark.parametrize("how", DISKS)
def test_a_disk_that_fails_keeps_home_and_place_as_they_were(
    post: Post, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    post.begun(2, "long")
    place = post.place("anna")
    before = changed(files_in(post.root / "anna"))
    text, dump = place.text, place.table.dump()
    with monkeypatch.context() as patch:
        break_disk(patch, how)
        with pytest.raises(Storage):
            post.desks["anna"].send(place, words(place))
    assert changed(files_in(post.root / "anna")) == before
    assert (place.text, place.table.dump()) == (text, dump)
    block = post.desks["anna"].send(place, words(place)).block
    with monkeypatch.context() as patch:
        break_disk(patch, how)
        with pytest.raises(Storage):
            take_in(post.desks["ben"], read_letter(mail(block)))
    assert opened(post.desks["ben"], mail(block)) == "taken"


def test_a_third_party_verifies_the_whole_log(post: Post, toy_system: Scenario) -> None:
    post.begun(1, "long")
    post.bots(random.Random(1))
    table = replay(post.place("anna").text, lambda _: toy_system).table
    assert table is not None
    assert table.game.outcome is not None
    assert replay(post.place("ben").text, lambda _: toy_system, until=2).table.seq == 2  # type: ignore[union-attr]
