"""One letter, one order file: nothing of it is scanned, parsed or verified twice, and log and cache are met once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from toy.players import SIDES, Post, mail, parts_of

import pbem.desk.letter
import pbem.home.folders
import pbem.wire.blocks
import pbem.wire.entry
from pbem.crypto import sshsig
from pbem.desk.arrival import read_offer, take_in
from pbem.desk.letter import read_letter
from pbem.home import files
from pbem.home.contact import Contact
from pbem.mail.outbox import compose
from pbem.wire.blocks import render_block

Done = Counter[tuple[str, object]]
"""(what was done, to what) -> how often."""


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Done:
    """Counts the steps of a turn's way, each by what it was done to."""
    counted: Done = Counter()

    def count(module: Any, name: str, what: str, which: Callable[..., object]) -> None:
        real = getattr(module, name)

        def watched(*words: Any, **more: Any) -> Any:
            counted[what, which(*words)] += 1
            return real(*words, **more)

        monkeypatch.setattr(module, name, watched)

    count(pbem.wire.blocks, "clean", "scan", lambda text: text)
    count(pbem.wire.entry, "_read_canonical", "parse", lambda payload: payload)
    count(sshsig, "verify", "verify", lambda payload, *_: payload)
    count(files, "read_text", "read", str)
    count(pbem.home.folders, "checkpoint", "cache", lambda *_: "")
    count(pbem.home.folders, "load_scenario", "load", lambda scenario, *_: scenario)
    return counted


def steps(done: Done) -> dict[str, int]:
    """How often each step was taken, of what is read the logs; each at most once with the same thing."""
    found = {key: times for key, times in done.items() if key[0] != "read" or str(key[1]).endswith("game.log")}
    twice = [what for (what, _), times in found.items() if times > 1]
    assert not twice, twice
    return dict(Counter(what for what, _ in found))


@pytest.fixture
def playing(post: Post) -> Post:
    """A game of some entries, open to both, their caches warm."""
    post.begun(0, "long")
    for name in ("anna", "ben", "anna"):
        post.exchange(name, "rest;")
    for name in SIDES:
        post.place(name)
    return post


def test_a_letter_with_the_newest_turn(playing: Post, done: Done) -> None:
    """The turn before it is quoted."""
    before = playing.place("ben").folder.turns()[-1].block
    block = playing.send("ben", "rest;")
    done.clear()
    desk = playing.desk("anna")
    assert take_in(desk, read_letter(mail(before, block))).what == "taken"
    assert steps(done) == {"scan": 1, "parse": 2, "verify": 1, "read": 1, "cache": 1, "load": 1}


def test_a_letter_that_is_known_changes_nothing(playing: Post, done: Done) -> None:
    block = playing.exchange("ben", "rest;")
    done.clear()
    assert take_in(playing.desk("anna"), read_letter(mail(block))).what == "known"
    assert steps(done) == {"scan": 1, "parse": 1, "read": 1, "load": 1}


def test_a_game_that_is_opened_and_told(playing: Post, done: Done) -> None:
    """Its report needs the scenario again, with which the log was read."""
    desk = playing.desk("anna")
    place = desk.place(desk.home.find(None))
    assert desk.home.load(place.table.genesis.terms.scenario).id == "duel"
    assert steps(done)["load"] == 1


def test_orders_that_are_sent(playing: Post, done: Done) -> None:
    """With its mail, whose texts are read back before it goes out: the block, the body and the attachment's copy."""
    done.clear()
    desk = playing.desk("ben")
    place = desk.place(desk.home.find(None))
    turn = desk.send(place, parts_of(place.table, SIDES["ben"], "rest;"))
    heading = {"sender": "b@example.net", "to": "a@example.org", "subject": "x", "date": "x", "message_id": "<x@x>"}
    compose(**heading, text="Hello", html=None, block=render_block(turn.block), in_reply_to=None, attachment_name="x")
    told = steps(done)
    assert (told["parse"], told["verify"], told["cache"]) == (2, 1, 1), "what was signed last, and what is signed now"
    assert told["read"] == 1


def test_an_offer_and_its_accept(post: Post, done: Done) -> None:
    agreed = pbem.desk.desk.terms_of(post.scenario, {})
    anna, ben = post.desks["anna"], post.desks["ben"]
    offer = anna.offer(agreed, "red", Contact("anna"))[1]
    assert steps(done) == {"parse": 1, "verify": 1}
    done.clear()
    accept = ben.accept(read_offer(ben, read_letter(mail(offer.block))), "ben", Contact("ben"))[1]
    assert steps(done) == {"scan": 1, "parse": 2, "verify": 2, "cache": 1, "load": 1}
    done.clear()
    assert take_in(anna, read_letter(mail(accept.block))).what == "begun"
    assert steps(done) == {"scan": 1, "parse": 2, "verify": 2, "cache": 1, "load": 1}


def test_a_game_begins_without_a_look_at_the_turns_of_others(post: Post, done: Done) -> None:
    """Of each game and offer here only the first entry is looked at, and none of it parsed."""
    post.begun(0, "long")
    for number in range(1, 4):
        post.begin(number)
    done.clear()
    post.begun(4)
    assert max(Counter(what for what, _ in done.elements()).values()) < 12
    assert not [path for what, path in done if what == "read" and "games" in str(path)]
