"""Much that is merely mailed, or signed by somebody with two tongues: it costs little and takes no evidence away."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from attacks.cheater import resummed, signed
from rules.samurai.small_table import state_with
from toy.players import Post, mail, signer

import pbem.desk.desk
import pbem.home.salvage
from pbem.desk.arrival import open_all, take_in
from pbem.desk.letter import read_letter
from pbem.desk.succession import ask, grant
from pbem.errors import Damaged, PbemError, Refused
from pbem.home.backup import read_backup
from pbem.home.folders import Home
from pbem.match.replay import replay, undo_targets
from pbem.rules.samurai import mending, movement, moving
from pbem.rules.samurai.orders import Go, Move
from pbem.rules.samurai.state import State
from pbem.wire.blocks import Block, render_block
from pbem.wire.bodies import proposal_body
from pbem.wire.entry import parse_entry


def renumbered(payload: bytes, seq: int, nonce: str = "0" * 32) -> bytes:
    """An entry with another number and nonce, and the sums that fit."""
    entry = parse_entry(payload)
    text = payload.decode().replace(f"seq {entry.seq};", f"seq {seq};").replace(entry.nonce, nonce)
    return resummed(text.splitlines()[:-1])


def test_mails_that_come_early_open_the_game_once(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred mails of a stranger, with no good signature, read and hashed the whole log a hundred times over, and
    each error kept a table of its own: two gigabytes and a minute for 60 kB of mail."""
    post.begun()
    block = post.exchange("anna", "bet 1;")
    spam = [Block(renumbered(block.payload, 9000 + n), block.armor) for n in range(100)]
    seated: list[str] = []
    real = pbem.desk.desk.Desk.seated
    monkeypatch.setattr(pbem.desk.desk.Desk, "seated", lambda *a, **more: (seated.append(""), real(*a, **more))[1])
    receipts, refused = open_all(
        post.desk("ben"), map(read_letter, [mail(b, source=f"{n}.eml") for n, b in enumerate(spam)])
    )
    assert (receipts, len(refused), len(seated)) == ([], 100, 1)
    assert all(error.__traceback__ is None for error in refused)


def test_decoys_take_no_evidence_away(post: Post) -> None:
    """Accept-rekeys for numbers far ahead were kept as evidence of nothing, until no real one was kept any more."""
    post.begun(1, "long")
    post.exchange("anna", "rest;")
    table = post.place("anna").table
    request = parse_entry(ask(table, "ben", signer("carl"), bytes(16)).block.payload)
    ahead = post.desk("ben")
    for number in (900_000, 5, 6):
        text = request.payload.decode().replace("kind recover;", "kind accept-rekey;").replace("by ben;", "by anna;")
        decoy = signed(renumbered(resummed(text.splitlines()[:-1]), number), "anna")
        with pytest.raises(PbemError, match=r"comes too early|reveal"):
            take_in(ahead, read_letter(mail(decoy)))
    assert not (post.root / "ben" / "evidence").exists()


def test_behind_a_restore_no_entry_reveals_an_old_value_without_a_new_chain(post: Post) -> None:
    """An accept-rekey gave one more value of the old chain away, which the opponent knew already."""
    post.begun(1, "long")
    post.exchange("anna", "rest;")
    desk = post.desk("ben")
    place = desk.place(desk.home.find(None))
    assert place.table.next_reveal("ben") == 1
    mark = post.root / "ben" / "restored" / place.folder.id
    mark.parent.mkdir()
    mark.touch()
    request = ask(place.table, "anna", signer("carl"), bytes(16)).entry
    with pytest.raises(Refused, match="the game was restored, and this entry would reveal a secret of the old chain"):
        grant(desk, place, request)
    mark.unlink()
    assert parse_entry(grant(desk, place, request).block.payload).kind == "accept-rekey"


def test_only_undos_that_were_accepted_are_remembered(post: Post) -> None:
    """Each undo that was asked for, refused ones too, kept a whole course: gigabytes while a long log was read."""
    post.begun(1, "long")
    for name in ("anna", "ben", "anna"):
        post.exchange(name, "rest;")
    for target, word in ((2, "refuse"), (3, "accept")):
        for name, words in (("ben", ("offer", target)), ("anna", (word, 0))):
            desk = post.desk(name)
            place = desk.place(desk.home.find(None))
            block = desk.agree(place, "undo", proposal_body("undo", str(words[0]), int(words[1]))).block
            take_in(post.desk("anna" if name == "ben" else "ben"), read_letter(mail(block)))
        if word == "refuse":
            post.exchange("ben", "say no; rest;")
            post.exchange("anna", "say so; rest;")
    entries = [turn.entry for turn in replay(post.place("anna").text, lambda _: post.scenario).turns]
    assert undo_targets(entries) == {3}


def test_many_variants_of_one_entry_are_tried_a_few_times(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand variants of an `undo accept`, all rightly signed, each had the log read from its beginning."""
    post.begun(1, "long")
    blocks = [
        *[turn.block for turn in Home(post.root / "anna").games()[0].turns()],
        post.exchange("anna", "rest;"),
        post.exchange("ben", "rest;"),
    ]
    variants = [signed(renumbered(blocks[2].payload, 2, f"{n:032x}"), "anna") for n in range(60)]
    tried: list[int] = []
    real = pbem.home.salvage._ahead
    monkeypatch.setattr(pbem.home.salvage, "_ahead", lambda *words: (tried.append(1), real(*words))[1])
    me = pbem.home.salvage.Me(key=signer("ben").pub_blob)
    found = pbem.home.salvage.logs_in([*variants, *blocks], "mails", me, lambda _: post.scenario)
    assert [log.text for log in found.logs] == ["".join(map(render_block, blocks))]
    assert len(tried) <= 2 * pbem.home.salvage.SIBLINGS


def test_a_manifest_that_bursts_is_refused(tmp_path: Path) -> None:
    """A zip of 64 kB, whose manifest was a list of empty lists, took 1.7 GB."""
    path = tmp_path / "evil.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", json.dumps({"pbem_backup": [[]] * 1_500_000}))
    with pytest.raises(Damaged, match="too large"):
        read_backup(path.read_bytes(), "evil.zip")


def test_an_empty_log_of_another_game_is_no_hindrance(post: Post) -> None:
    """After a disk's accident every command ended with a traceback."""
    _, accept = post.begin()
    other = post.root / "anna" / "games" / ("0" * 16)
    other.mkdir(parents=True)
    (other / "game.log").touch()
    assert take_in(post.desk("anna"), read_letter(mail(accept))).what == "begun"
    with pytest.raises(Damaged, match="the log is empty"):
        [turn.block for turn in Home(post.root / "anna").game("0" * 64).turns()]  # type: ignore[union-attr]


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[State]:
    """The states of which a copy was made to try moves of samurai."""
    found: list[State] = []
    real = mending.copy
    monkeypatch.setattr(mending, "copy", lambda s: (found.append(s), real(s))[1])
    return found


@pytest.mark.parametrize("apart", [7, 8, 9, 12.5])
def test_a_chain_of_daimyos_costs_no_more_than_a_few_tries(played: list[State], apart: float) -> None:
    """Each unit that a daimyo left could be joined by the next one, who left his own: ten times the work each."""
    units = {"sp-11": "60 45 south", "sw-1": "4 5 north abreast", "dm-1": "4 4 north"}
    for number in range(2, 10):
        x = 4 + apart * (number - 1)
        units |= {f"sw-{number}": f"{x:g} 5 north abreast", f"dm-{number}": f"{x - 3.5:g} 5 north"}
    s = state_with(units, step="move", width="140")
    movement.leads(s, "red")
    list(movement.move(s, Go("dm-1", s.at["dm-1"].x, s.at["dm-1"].y)))
    for length in range(600, 200, -50):
        played.clear()
        moving.why_not(s, "red", Move("sw-1", length))
        assert len(played) <= mending.TRIES + 1


def test_hopeless_orders_of_daimyos_are_judged_without_playing_them_out(played: list[State]) -> None:
    """An entry holds thousands of them, each to another place."""
    units = {"sw-1": "19 5 north-west abreast", "dm-1": "17 3.5 north-west", "sp-11": "60 45 south"}
    units |= {"sw-2": "35 4.5 north abreast", "dm-2": "31.5 4.5 north"}
    units |= {"sw-3": "51 7.5 north abreast", "dm-3": "47.5 7.5 north"}
    s = state_with(units, step="move")
    s.put("dm-1", next(b for b in mending.around(s.size("dm-1"), s.at["sw-1"]) if s.free(b, {"dm-1"})))
    movement.leads(s, "red")
    assert s.led == {"sw-1", "sw-2", "sw-3"}
    for x in range(800, 1000, 10):
        order = Go("dm-1", x, 400)
        assert movement.why_not(s, "red", order) is None
        assert moving.why_not(s, "red", order) is not None
    assert played == []
