"""The home folder: games by their ids, what was signed last, and a cache that may be lost at any time."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toy.accident import DISKS, break_disk, files_in
from toy.players import Duel, Post, mail, signer

import pbem.home.contents
import pbem.home.folders
import pbem.home.proofs
import pbem.match.replay
from pbem.crypto import ed25519
from pbem.desk.arrival import take_in
from pbem.desk.letter import read_letter
from pbem.errors import BadLog, BadSignature, Damaged, PbemError, Refused, Storage
from pbem.home.cache import recall, seal
from pbem.home.checkpoint import KEY
from pbem.home.contact import Contact
from pbem.home.contents import default_home
from pbem.home.folders import Folder, Home
from pbem.home.proofs import keep_evidence
from pbem.match.replay import replay
from pbem.match.table import Table
from pbem.scenario import Scenario, Shelf, load_scenario
from pbem.wire.blocks import Block, render_block
from pbem.wire.entry import build_entry, parse_entry
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn


def test_where_the_home_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pbem.home.contents.Path, "home", lambda: Path("/me"))
    for platform, environment, place in (
        ("linux", {}, "/me/.local/share/pbem"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/pbem"),
        ("darwin", {"XDG_DATA_HOME": "/data"}, "/me/Library/Application Support/pbem"),
        ("win32", {"APPDATA": "/roaming"}, "/roaming/pbem"),
        ("win32", {}, "/me/AppData/Roaming/pbem"),
        ("win32", {"PBEM_HOME": "/here"}, "/here"),
    ):
        monkeypatch.setattr(pbem.home.contents.sys, "platform", platform)
        assert default_home(environment) == Path(place)


# --- which game


def three_games(home: Home, duel: Callable[..., Duel]) -> list[Folder]:
    for number in range(3):
        game = duel(number)
        home.begin(Turn.of(game.offer), Turn.of(game.accept), Contact("anna"))
    return home.games()


def test_a_game_is_found_by_the_beginning_of_its_id(tmp_path: Path, duel: Callable[..., Duel]) -> None:
    home = Home(tmp_path)
    games = three_games(home, duel)
    assert [game.id for game in games] == sorted(duel(n).genesis.game.hex()[:16] for n in range(3))
    for number, game in enumerate(games):
        others = [g.id for g in games if g is not game]
        least = next(n for n in range(1, 17) if not any(o.startswith(game.id[:n]) for o in others))
        assert home.find(game.id[:least]).id == home.find(game.id).id == game.id
        full = duel(number).genesis.game.hex()
        assert home.find(full).id == full[:16]
        found = home.game(full)
        assert found is not None
        assert found.id == full[:16]
    assert home.game("ab" * 32) is None


def test_none_or_more_than_one_game_is_refused(tmp_path: Path, duel: Callable[..., Duel]) -> None:
    home = Home(tmp_path)
    with pytest.raises(Refused, match="no games here"):
        home.find(None)
    with pytest.raises(Refused, match="no games here"):
        home.find("ab")
    offered = Home(tmp_path / "offered")
    (offered.root / "offers" / ("0" * 16)).mkdir(parents=True)
    (offered.root / "offers" / ("0" * 16) / "game.log").touch()
    with pytest.raises(Refused, match="no game has begun here yet") as refused:
        offered.find(None)
    assert refused.value.hint.startswith("an offer of mine waits for an accept")
    games = three_games(home, duel)
    with pytest.raises(Refused, match="more than one") as refused:
        home.find(None)
    assert str(refused.value).endswith("--game duel or --game duel-2 or --game duel-3")
    with pytest.raises(Refused, match="no game is meant by 'zz'") as refused:
        home.find("zz")
    assert all(game.id in str(refused.value) for game in games)


def test_the_only_game_needs_no_name(post: Post) -> None:
    post.begun()
    home = post.desks["anna"].home
    assert home.find(None).id == home.games()[0].id


def test_a_begun_game_is_no_offer_any_more(tmp_path: Path, duel: Callable[..., Duel]) -> None:
    home, game = Home(tmp_path), duel()
    offer = home.keep_offer(Turn.of(game.offer), Contact("anna", "anna@example.org", "ben@example.net"))
    assert [o.id for o in home.offers()] == [offer.id]
    assert offer.contact() == Contact("anna", "anna@example.org", "ben@example.net")
    with pytest.raises(BadLog):
        home.keep_offer(Turn.of(game.offer), Contact("anna"))
    folder = home.begin(Turn.of(game.offer), Turn.of(game.accept), offer.contact())
    assert home.offers() == []
    assert folder.text() == game.log
    assert [turn.block for turn in folder.turns()] == game.blocks
    home.begin(Turn.of(game.offer), Turn.of(game.accept), offer.contact())
    assert folder.text() == game.log


@pytest.mark.parametrize("stored", ["", "{", "[]", "7", "\u00e4", '{"mail": "a@b"}'])
def test_a_broken_contact_is_empty(tmp_path: Path, duel: Callable[..., Duel], stored: str) -> None:
    home, game = Home(tmp_path), duel()
    folder = home.begin(Turn.of(game.offer), Turn.of(game.accept), Contact("anna"))
    assert folder.contact() == Contact("anna", called="duel")
    (folder.path / "contact.json").write_bytes(stored.encode("latin-1"))
    assert folder.contact() == (Contact("", "a@b", "") if "mail" in stored else Contact())


def test_an_offer_that_nobody_accepted_has_no_table(tmp_path: Path, duel: Callable[..., Duel]) -> None:
    folder = Home(tmp_path).keep_offer(Turn.of(duel().offer), Contact("anna"))
    with pytest.raises(Refused, match="nobody has accepted"):
        folder.table(folder.text())


def test_a_folder_that_cannot_be_deleted_is_a_storage_error(
    tmp_path: Path, duel: Callable[..., Duel], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Home(tmp_path).keep_offer(Turn.of(duel().offer), Contact("anna"))
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", lambda *_: (_ for _ in ()).throw(PermissionError(13, "Permission denied")))
        with pytest.raises(Storage, match="can't be deleted: Permission denied"):
            folder.remove()
    folder.remove()
    assert not folder.path.exists()
    folder.remove()


def second(game: Duel, seq: int, by: str = "anna", words: str = "hm") -> Block:
    """A turn that somebody could sign beside the one in the log."""
    payload = build_entry(
        kind="orders", game=game.genesis.game.hex(), seq=seq, prev="00" * 32, by=by, nonce="00" * 16,
        state="00" * 32, body=(Statement("say", (words,)),),
    ).payload  # fmt: skip
    return Block(payload, signer("anna").sign(payload))


def test_one_turn_of_each_game_number_and_author_is_evidence_enough(tmp_path: Path, duel: Callable[..., Duel]) -> None:
    home, game, other = Home(tmp_path), duel(), duel(1)
    first = second(game, 2)
    kept = keep_evidence(home, Turn.of(first))
    assert kept.path is not None
    assert kept.told == f"this one is kept as evidence: {kept.path}"
    assert keep_evidence(home, Turn.of(first)) == kept
    again = keep_evidence(home, Turn.of(second(game, 2, words="well")))
    assert again == (kept.path, f"this one isn't kept, {kept.path} is proof enough")
    assert files_in(tmp_path / "evidence") == {kept.path.name: render_block(first).encode()}
    for block in (second(game, 3), second(game, 2, "ben"), second(other, 2)):
        more = keep_evidence(home, Turn.of(block)).path
        assert more is not None
        assert more.read_text() == render_block(block)
    assert len(files_in(tmp_path / "evidence")) == 4


def test_evidence_that_a_restore_has_put_into_the_log_makes_room(tmp_path: Path, duel: Callable[..., Duel]) -> None:
    home, game = Home(tmp_path), duel()
    one, other = second(game, 2), second(game, 2, words="well")
    path = keep_evidence(home, Turn.of(one)).path
    assert path is not None
    folder = home.begin(Turn.of(game.offer), Turn.of(game.accept), Contact("anna"))
    folder.append(game.log, Turn.of(one))
    assert keep_evidence(home, Turn.of(other)) == (path, f"this one is kept as evidence: {path}")
    assert path.read_text() == render_block(other)


def test_evidence_has_a_limit_for_each_game(tmp_path: Path, duel: Callable[..., Duel]) -> None:
    home, game, other = Home(tmp_path), duel(), duel(1)
    for seq in range(2, 52):
        assert keep_evidence(home, Turn.of(second(game, seq))).path is not None
    before = files_in(tmp_path)
    assert len(before) == 50
    refused = keep_evidence(home, Turn.of(second(game, 52)))
    assert refused.path is None
    assert refused.told.startswith(f"this one isn't kept: 50 turns of this game are in {tmp_path / 'evidence'}; move")
    assert files_in(tmp_path) == before
    assert keep_evidence(home, Turn.of(second(game, 51))).path is not None, "it is there"
    assert keep_evidence(home, Turn.of(second(other, 2))).path is not None


def test_evidence_has_a_limit_on_disk(
    tmp_path: Path, duel: Callable[..., Duel], monkeypatch: pytest.MonkeyPatch
) -> None:
    home, game = Home(tmp_path), duel()
    blocks = [second(game, seq) for seq in range(2, 6)]
    size = len(render_block(blocks[0]))
    assert pbem.home.proofs.EVIDENCE_BYTES == 16 << 20
    monkeypatch.setattr(pbem.home.proofs, "EVIDENCE_BYTES", 3 * size)
    kept = [keep_evidence(home, Turn.of(block)) for block in blocks]
    assert [one.path is not None for one in kept] == [True, True, True, False]
    assert kept[-1].told.startswith("this one isn't kept: 0 MiB of turns are in ")
    assert len(files_in(tmp_path)) == 3


# --- the cache


@pytest.fixture
def played(post: Post) -> Folder:
    """A game in the middle, in anna's home."""
    post.begun(2, "long")
    for turn in range(2):
        post.exchange("anna", f"pull 1; say turn {turn}; rest;")
        post.exchange("ben", "standing flee all; pull 1; rest;")
    post.exchange("anna", "hit lancer; rest;")
    return post.place("anna").folder


def cache_of(folder: Folder) -> Path:
    return folder.home.cache / "games" / f"{folder.id}.json"


def peeked(folder: Folder, post: Post) -> dict[str, Any]:
    """The table as its owner sees it, from the log alone."""
    shutil.rmtree(folder.home.cache, ignore_errors=True)
    return post.place("anna").table.dump()


class Counted:
    """Counts how often a log is replayed from its first entry."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times = 0

        def counted(*words: Any, **more: Any) -> Any:
            self.times += 1
            return replay(*words, **more)

        monkeypatch.setattr(pbem.match.replay, "replay", counted)


def test_the_cache_saves_the_replay_and_changes_nothing(
    played: Folder, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = peeked(played, post)
    counted = Counted(monkeypatch)
    for _ in range(2):
        assert post.place("anna").table.dump() == right
    assert counted.times == 0
    shutil.rmtree(played.home.cache)
    assert post.place("anna").table.dump() == right
    assert counted.times == 1


def test_keys_of_a_game_that_is_recalled_are_not_looked_at_again(
    played: Folder, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = peeked(played, post)
    looked: list[int] = []

    def times(number: int, _point: ed25519.Point) -> ed25519.Point:
        looked.append(number)
        return ed25519.NEUTRAL

    monkeypatch.setattr(ed25519, "times", times)
    for again in (False, True):
        monkeypatch.setattr(ed25519, "_good", set())
        if not again:
            shutil.rmtree(played.home.cache)
        assert post.place("anna").table.dump() == right
        assert all(ed25519.why_not_key(player.key[-32:]) == "" for player in post.place("anna").table.genesis.players)
        assert looked == ([] if again else [ed25519.L] * 2), "both keys, or none"
        looked.clear()


def test_an_older_cache_is_carried_on(played: Folder, post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    old = cache_of(played).read_bytes()
    post.exchange("ben", "pull 1; rest;")
    post.exchange("anna", "rest;")
    right = peeked(played, post)
    cache_of(played).write_bytes(old)
    counted = Counted(monkeypatch)
    assert post.place("anna").table.dump() == right
    assert counted.times == 0


def sealed(kept: dict[str, Any], key: str = KEY, **changes: Any) -> bytes:
    """What was kept, with changes, as a cache file."""
    data = json.dumps(kept | changes).encode()
    return seal(key, data) + b"\n" + data


def in_terms(kept: dict[str, Any], **changes: Any) -> bytes:
    """The same with other terms of the game, sealed."""
    genesis = kept["genesis"]
    return sealed(kept, genesis=genesis | {"terms": genesis["terms"] | changes})


def in_table(kept: dict[str, Any], **changes: Any) -> bytes:
    """The same with another table, sealed."""
    return sealed(kept, table=kept["table"] | changes)


def in_course(kept: dict[str, Any], **changes: Any) -> bytes:
    """The same with another course, sealed."""
    return in_table(kept, course=kept["table"]["course"] | changes)


def without(data: dict[str, Any], name: str) -> dict[str, Any]:
    return {other: value for other, value in data.items() if other != name}


BROKEN: dict[str, Callable[[bytes, dict[str, Any]], bytes]] = {
    "empty": lambda _, __: b"",
    "cut off": lambda raw, _: raw[: len(raw) // 2],
    "not text": lambda _, __: b"\xff\xfe\x00",
    "a list": lambda _, __: b"[]",
    "a number": lambda _, __: b"7",
    "deep": lambda _, __: b"[" * 100_000,
    "no seal": lambda raw, _: raw.partition(b"\n")[2],
    "one letter changed": lambda raw, _: raw.replace(b'"red"', b'"rad"', 1),
    "with another number": lambda raw, c: raw[:65] + in_table(c, seq=99)[65:],
    "of another program": lambda _, c: sealed(c, "pbem-table/2 0.0.0"),
    "without a log": lambda _, c: sealed(without(c, "log")),
    "without a genesis": lambda _, c: sealed(c, genesis={}),
    "without a table": lambda _, c: sealed(c, table={}),
    "without a head": lambda _, c: sealed(c, table=without(c["table"], "head")),
    "with more than a table has": lambda _, c: in_table(c, remembered={}),
    "with a word for a number": lambda _, c: in_table(c, seq="6"),
    "with true for a number": lambda _, c: in_table(c, agreed={"anna": True, "ben": 0}),
    "with a head of no digits": lambda _, c: in_table(c, head="head"),
    "with a queue of three": lambda _, c: in_course(c, queues={"red": [[1, {}, 2]], "blue": []}),
    "of another edition": lambda _, c: in_course(c, game=c["table"]["course"]["game"] | {"edition": "toy/0"}),
    "with orders that nobody reads": lambda _, c: in_course(
        c, queues={"red": [[1, {"keyword": "dance", "tokens": []}]], "blue": []}
    ),
    "with another scenario": lambda _, c: in_terms(c, digest="00" * 32),
    "of a scenario that is gone": lambda _, c: in_terms(c, scenario="gone"),
    "of a shorter log": lambda _, c: sealed(c, size=c["size"] - 1),
    "without a player": lambda _, c: in_table(c, players={}),
    "with a third player": lambda _, c: in_table(c, sizes=c["table"]["sizes"] | {"carl": 0}),
    "without a newest decision": lambda _, c: in_table(c, last_by=without(c["table"]["last_by"], "anna")),
    "without a chain": lambda _, c: in_table(c, chains=without(c["table"]["chains"], "ben")),
    "without a side's queue": lambda _, c: in_course(c, queues={"red": []}),
    "without standing orders": lambda _, c: in_course(c, standing={}),
    "without a state": lambda _, c: in_course(c, game=c["table"]["course"]["game"] | {"checkpoint": None}),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_cache_that_does_not_fit_is_ignored(
    played: Folder, post: Post, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    right = peeked(played, post)
    raw = cache_of(played).read_bytes()
    broken = BROKEN[how](raw, json.loads(raw.partition(b"\n")[2]))
    assert broken != raw
    cache_of(played).write_bytes(broken)
    counted = Counted(monkeypatch)
    assert post.place("anna").table.dump() == right
    assert counted.times == 1
    assert post.place("anna").table.dump() == right
    assert counted.times == 1, "the broken cache is replaced"


def test_the_cache_of_another_game_is_ignored(
    played: Folder, post: Post, duel: Callable[..., Duel], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = peeked(played, post)
    game = duel(40)
    other = Home(tmp_path / "other").begin(Turn.of(game.offer), Turn.of(game.accept), Contact("anna"))
    other.table(other.text())
    shutil.copy(cache_of(other), cache_of(played))
    counted = Counted(monkeypatch)
    assert post.place("anna").table.dump() == right
    assert counted.times == 1


@pytest.mark.parametrize("error", [ZeroDivisionError, AssertionError, RuntimeError, MemoryError])
def test_a_cache_that_the_rules_stumble_over_is_ignored(
    played: Folder, post: Post, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    right = peeked(played, post)

    def stumbled(*_: object) -> None:
        raise error

    monkeypatch.setattr(Table, "load", stumbled)
    assert post.place("anna").table.dump() == right


@pytest.mark.parametrize("how", ["a file in its place", "a folder in its place"])
def test_a_cache_that_cannot_be_written_is_done_without(played: Folder, post: Post, how: str) -> None:
    right = peeked(played, post)
    shutil.rmtree(played.home.cache)
    if how == "a file in its place":
        played.home.cache.write_text("I am a file")
    else:
        cache_of(played).mkdir(parents=True)
    assert post.place("anna").table.dump() == right


@pytest.mark.skipif(os.name == "nt", reason="needs modes")
def test_the_cache_is_for_its_owner_alone_and_waits_for_no_disk(
    played: Folder, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds dice of mine that aren't public yet."""
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    shutil.rmtree(played.home.cache)
    before = os.umask(0)
    try:
        post.place("anna")
    finally:
        os.umask(before)
    files = [path for path in played.home.cache.rglob("*") if path.is_file()]
    assert {path.parent.name for path in files} == {"games", "scenarios"}
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert synced == []


def test_a_scenario_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counted(name: str, cache: Shelf | None, own: Path | None) -> Scenario:
        read.append(name)
        return load_scenario(name, cache, own)

    monkeypatch.setattr(pbem.home.folders, "load_scenario", counted)
    home = Home(tmp_path)
    assert home.load("yao") is home.load("yao") is not home.load("domyoji")
    assert read == ["yao", "domyoji"]


def test_a_bad_log_is_found_behind_a_good_cache(played: Folder, post: Post) -> None:
    """The cache vouches for nothing but the text it was made from."""
    text = played.text()
    block = [turn.block for turn in played.turns()][-1]
    name = parse_entry(block.payload).by
    forged = Block(block.payload, signer("ben" if name == "anna" else "anna").sign(block.payload))
    shorter = text.removesuffix(render_block(block))
    (played.home.root / "signed" / played.id).unlink()  # else the newest entry would be put back
    played.log.write_text(shorter)
    post.place("anna")
    assert recall(cache_of(played), KEY)["size"] == len(shorter)
    played.log.write_text(shorter + render_block(forged))
    with pytest.raises(BadSignature, match="entry 6"):
        post.place("anna")
    played.log.write_text(text.replace("nonce", "nonse", 1))
    with pytest.raises(Damaged, match="entry 0"):
        post.place("anna")
    played.log.write_text(text)
    assert post.place("anna").text == text


# --- what was signed


def signed_home(tmp_path: Path, game: Duel) -> Folder:
    return Home(tmp_path).begin(Turn.of(game.offer), Turn.of(game.accept), Contact("anna"))


def test_what_is_signed_is_noted_before_it_goes_into_the_log(tmp_path: Path, duel: Callable[..., Duel]) -> None:
    game = duel()
    folder = signed_home(tmp_path, game)
    assert folder.signed() is None
    block = game.sign("anna", "rest;")
    text = folder.sign_and_append(folder.text(), Turn.of(block))
    assert text == folder.text() == game.log + render_block(block)
    assert folder.signed() == Turn.of(block)


def test_two_entries_with_one_number_are_never_signed(tmp_path: Path, duel: Callable[..., Duel]) -> None:
    game = duel()
    folder = signed_home(tmp_path, game)
    folder.sign_and_append(folder.text(), Turn.of(game.sign("anna", "rest;")))
    folder.log.write_text(game.log)  # an old copy of the log
    with pytest.raises(Refused, match="entry 2 of this game is signed already, with other words"):
        folder.sign_and_append(folder.text(), Turn.of(game.sign("anna", "say hm; rest;")))
    assert folder.text() == game.log
    folder.sign_and_append(folder.text(), Turn.of(game.sign("anna", "rest;")))  # the same words again are no breach
    assert len([turn.block for turn in folder.turns()]) == 3


def test_a_lower_number_than_the_newest_signed_is_refused(tmp_path: Path, duel: Callable[..., Duel]) -> None:
    game = duel()
    folder = signed_home(tmp_path, game)
    first = game.sign("anna", "rest;")
    later = build_entry(
        kind="orders", game=game.genesis.game.hex(), seq=8, prev="00" * 32, by="anna", nonce="00" * 16,
        state="00" * 32, body=(),
    ).payload  # fmt: skip
    (tmp_path / "signed").mkdir()
    (tmp_path / "signed" / folder.id).write_text(render_block(Block(later, signer("anna").sign(later))))
    with pytest.raises(Refused, match="entry 8 of this game is signed already"):
        folder.sign_and_append(folder.text(), Turn.of(first))


@pytest.mark.parametrize("how", DISKS)
def test_a_disk_that_fails_leaves_the_home_as_it_was(
    tmp_path: Path, duel: Callable[..., Duel], monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    game = duel()
    folder = signed_home(tmp_path, game)
    block = game.sign("anna", "rest;")
    before = files_in(tmp_path)
    with monkeypatch.context() as patch:
        break_disk(patch, how)
        with pytest.raises(Storage):
            folder.sign_and_append(folder.text(), Turn.of(block))
        with pytest.raises(Storage):
            keep_evidence(folder.home, Turn.of(block))
        with pytest.raises(Storage):
            folder.home.keep_offer(Turn.of(duel(1).offer), Contact("anna"))
    assert files_in(tmp_path) == before


def test_every_failure_of_a_home_is_one_of_pbems_own(post: Post) -> None:
    post.begun()
    anna = post.desks["anna"].home
    log = anna.games()[0].log
    log.unlink()
    log.mkdir()
    assert anna.games() == []
    with pytest.raises(PbemError):
        anna.find(None)
    with pytest.raises(PbemError):
        take_in(
            post.desks["anna"], read_letter(mail([turn.block for turn in post.desks["ben"].home.games()[0].turns()][1]))
        )
