"""Backups, and homes made again: a dead machine in the middle of a game, broken and foreign zips, nothing lost."""

from __future__ import annotations

import hashlib
import io
import json
import random
import shutil
import stat
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from cli_player import World, steady, tree
from toy.accident import DISKS, break_disk, files_in, killed_at, moments
from toy.players import Duel, Post, mail, signer, write_key

from pbem.desk.arrival import take_in
from pbem.desk.letter import read_letter
from pbem.errors import BadLog, Damaged, PbemError, Refused, Storage
from pbem.home import backup, restore
from pbem.home import files as disk
from pbem.home.backup import back_up, read_backup
from pbem.home.contact import Contact
from pbem.home.folders import Home
from pbem.home.restore import restore_game
from pbem.home.salvage import Found, Me, logs_in
from pbem.wire.blocks import Block, render_block
from pbem.wire.bodies import proposal_body as body_of
from pbem.wire.turn import Turn

MakeDuel = Callable[..., Duel]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """Asuka has sent 4.eml, which ben hasn't opened."""
    steady(monkeypatch)
    return World(tmp_path)


def goes_on(world: World, asuka: str) -> None:
    """Three more entries, asuka being at another home; both logs are equal in the end."""
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    for number, name, other in ((5, "ben", asuka), (6, asuka, "ben"), (7, "ben", asuka)):
        world.bot_sends(name, number)
        world.does(other, "open", "--quiet", world.path(f"{number}.eml"))
    assert world.log(asuka).read_bytes() == world.log("ben").read_bytes()
    assert json.loads(world.does(asuka, "verify", str(world.log(asuka)), "--json"))["entries"] == 8


def marks(home: Path) -> dict[str, str]:
    """The marks of a home whose games are all restored."""
    nothing = hashlib.sha256(b"").hexdigest()
    return {f"restored/{path.name}": nothing for path in (home / "games").iterdir()}


# --- a dead machine ----------------------------------------------------------------------------------------------


def test_a_game_goes_on_from_a_backup(world: World) -> None:
    world.does("asuka", "backup", world.path("pbem.zip"))
    kept = tree(world.home("asuka"))
    shutil.rmtree(world.home("asuka"))
    world.does("asuka", "restore", world.path("pbem.zip"))
    assert tree(world.home("asuka")) == {**kept, **marks(world.home("asuka"))}
    assert not (world.home("asuka") / "cache" / "games").exists()
    assert stat.S_IMODE((world.home("asuka") / "key").stat().st_mode) == 0o600
    goes_on(world, "asuka")


@pytest.mark.parametrize("whose", ["asuka", "ben"])
def test_a_game_goes_on_from_the_key_and_anyone_s_log(whose: str, world: World) -> None:
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    log, key = world.write("copy.log", world.log(whose).read_bytes()), world.write("stick", b"")
    shutil.copy(world.home("asuka") / "key", key)
    shutil.rmtree(world.home("asuka"))
    said = world.says("asuka", "restore", log, "--key", key, "--mail", "asuka@example.org", "--to", "ben@example.net")
    assert said.code == 0
    assert "5 entries, restored" in said.out
    assert f"copy {key} to {world.home('asuka') / 'key'}" in said.err
    contact = Home(world.home("asuka")).games()[0].contact()
    assert contact == Contact("asuka", "asuka@example.org", "ben@example.net", called="toba-fushimi")
    shutil.copy(key, world.home("asuka") / "key")
    goes_on(world, "asuka")


def test_a_game_is_made_again_from_its_mails(world: World) -> None:
    """In a folder in any order, with quotes and mails about other things between them."""
    inbox = world.root / "inbox"
    inbox.mkdir()
    for number, name in enumerate(("4.eml", "accept.eml", "3.eml", "offer.eml", "2.eml")):
        shutil.copy(world.path(name), inbox / f"{number}.eml")
    (inbox / "a.eml").write_text("Subject: hello\n\nShall we play?\n")
    (inbox / "z.eml").write_text((inbox / "2.eml").read_text().replace("\n", "\n> "))
    before = world.log("asuka").read_bytes()
    shutil.copy(world.home("asuka") / "key", world.path("key"))
    shutil.rmtree(world.home("asuka"))
    world.does("asuka", "restore", str(inbox), "--key", world.path("key"))
    assert world.log("asuka").read_bytes() == before
    for name in ("2.eml", "z.eml"):  # both hold entry 3
        (inbox / name).unlink()
    told = world.refused("new", "restore", str(inbox), "--key", world.path("key"))
    assert "entry 3 is missing, entry 4 is there" in told


def test_a_log_attached_to_a_mail(world: World) -> None:
    log = world.log("asuka").read_text()
    head = 'Subject: here it is\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n'
    text = "--b\nContent-Type: text/plain\n\nYours, asuka\n"
    attached = (
        f'--b\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename="game.log"\n\n{log}'
    )
    name = world.write("log.eml", f"{head}{text}{attached}--b--\n")
    world.does("ben-again", "restore", name, "--key", str(world.home("ben") / "key"))
    assert world.log("ben-again").read_text() == log
    assert Home(world.home("ben-again")).games()[0].contact().name == "ben"


def test_which_player_i_am_is_said_by_the_key(world: World) -> None:
    log = str(world.log("asuka"))
    world.does("new", "key", "new")
    told = world.refused("new", "restore", log)
    assert "is not a player's key in the game; asuka has SHA256:" in told
    assert "my key is needed" in world.refused("newer", "restore", log)
    ben = str(world.home("ben") / "key")
    world.does("newest", "restore", log, "--key", ben)
    assert Home(world.home("newest")).games()[0].contact().name == "ben"
    world.does("newest", "restore", log, "--key", str(world.home("asuka") / "key"))
    assert Home(world.home("newest")).games()[0].contact().name == "asuka"


def test_a_solo_game(post: Post) -> None:
    """One key, both sides: the offerer's name stands for both."""
    desk = post.desk("anna")
    game = Duel(post.scenario, solo=True)
    with pytest.raises(Refused, match="not a player's key"):
        restore_game(desk.home, game.log, game.table, signer("carl").pub_blob, Contact())
    restore_game(desk.home, game.log, game.table, signer("anna").pub_blob, Contact())
    assert desk.home.games()[0].contact().name == "anna"


# --- what a backup holds -----------------------------------------------------------------------------------------


def test_a_backup_is_a_plain_zip_for_its_owner_alone(world: World) -> None:
    path = world.root / "pbem.zip"
    said = world.says("asuka", "backup", str(path))
    assert said.code == 0
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        manifest = json.loads(archive.read("manifest.json"))
    assert names == ["manifest.json", *sorted(tree(world.home("asuka")))]
    assert manifest["files"] == tree(world.home("asuka"))
    (game,) = manifest["games"]
    head = json.loads(world.does("asuka", "verify", str(world.log("asuka")), "--json"))["head"]
    assert game == {"game": world.log("asuka").parent.name, "entries": 5, "head": head}
    assert head in said.out
    first = path.read_bytes()
    world.does("asuka", "games")
    world.does("asuka", "backup", str(path))
    assert path.read_bytes() == first


def test_without_the_key(world: World) -> None:
    path = world.path("pbem.zip")
    shutil.copy(world.home("asuka") / "key", world.home("asuka") / "old-key")
    said = world.says("asuka", "backup", path, "--without-key")
    assert "without a key" in said.err
    with zipfile.ZipFile(path) as archive:
        assert not {"key", "old-key"} & set(archive.namelist())
        assert not any(b"PRIVATE" in archive.read(name) for name in archive.namelist())
    said = world.says("new", "restore", path)
    assert said.code == 0
    assert f"copy yours to {world.home('new') / 'key'}" in said.err
    world.does("asuka", "restore", path)
    assert (world.home("asuka") / "key").exists()


def test_a_backup_into_the_home_folder_does_not_hold_itself(world: World) -> None:
    path = world.home("asuka") / "pbem.zip"
    world.does("asuka", "backup", str(path))
    world.does("asuka", "backup", str(path))
    with zipfile.ZipFile(path) as archive:
        assert "pbem.zip" not in archive.namelist()


def test_a_backup_is_not_replaced_by_one_that_holds_less(world: World) -> None:
    path = world.path("pbem.zip")
    world.does("asuka", "backup", path)
    world.does("ben", "key", "show")
    assert "holds more of game" in world.refused("ben", "backup", path)
    assert "holds a key that the new one wouldn't" in world.refused("asuka", "backup", path, "--without-key")
    world.does("new", "key", "new")
    assert "holds more of game" in world.refused("new", "backup", path)
    assert "is not a backup" in world.refused("asuka", "backup", world.path("4.eml"))
    assert "nothing to keep" in world.refused("nobody", "backup", world.path("nothing.zip"))
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    world.bot_sends("ben", 5)
    world.does("asuka", "open", "--quiet", world.path("5.eml"))
    assert "6 entries" in world.does("asuka", "backup", path)


def test_a_damaged_log_is_kept_as_it_is(world: World) -> None:
    log = world.log("asuka")
    log.write_text(log.read_text()[:-100])
    said = world.says("asuka", "backup", world.path("pbem.zip"))
    assert said.code == 0
    assert "this log is damaged, and kept as it is" in said.err
    assert "holds 0 games" in said.err
    said = world.says("new", "restore", world.path("pbem.zip"))
    game = log.parent.name
    assert f"games/{game}/game.log can't be verified" in said.err
    assert f"it is kept as damaged/{game}.log, where nothing reads it" in said.err
    assert (world.home("new") / "damaged" / f"{game}.log").read_bytes() == log.read_bytes()
    assert not (world.home("new") / "games").exists()
    world.does("new", "backup", world.path("again.zip"))
    world.does("newer", "restore", world.path("again.zip"))
    assert (world.home("newer") / "damaged" / f"{game}.log").read_bytes() == log.read_bytes()


# --- nothing is replaced by less ---------------------------------------------------------------------------------


def kept(home: Home, tmp_path: Path) -> dict[str, bytes]:
    """The files of a backup made now."""
    path = tmp_path / f"{len(list(tmp_path.glob('*.zip')))}.zip"
    back_up(home, path)
    return read_backup(path.read_bytes(), path.name).files


def without_cache(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files but those of the cache."""
    return {name: data for name, data in files.items() if not name.startswith("cache/")}


def whole(folder: Path) -> dict[str, bytes]:
    """The files of a home, without the cache and what a kill left half written."""
    return {name: data for name, data in without_cache(files_in(folder)).items() if not name.endswith(".new")}


def test_a_longer_log_stays_and_an_older_one_is_brought_on(post: Post, tmp_path: Path) -> None:
    post.begun()
    anna = post.desks["anna"].home
    before = kept(anna, tmp_path)
    post.exchange("anna", "bet 1;")
    after = kept(anna, tmp_path)
    now = files_in(anna.root)
    with pytest.raises(Refused, match="the log here is longer, and stays"):
        restore.restore(anna, before)
    assert files_in(anna.root) == now
    game = anna.games()[0].id
    old = Home(tmp_path / "old")
    assert restore.restore(old, before) == {game: "new"}
    assert restore.restore(old, after) == {game: "longer"}
    assert restore.restore(old, after) == {game: "same"}
    assert whole(old.root) == {**without_cache(now), f"restored/{game}": b""}


def test_another_log_or_key_is_refused(post: Post, tmp_path: Path) -> None:
    post.begun()
    anna, twin = post.desks["anna"].home, Home(tmp_path / "twin")
    write_key(anna.key, "anna")
    restore.restore(twin, kept(anna, tmp_path))
    post.send("anna", "bet 1;")
    mine = kept(anna, tmp_path)
    desk = post.desk("anna")
    desk.home = twin
    place = desk.place(twin.find(None))
    desk.send(place, [])
    before = files_in(twin.root)
    with pytest.raises(Refused, match="another log is here"):
        restore.restore(twin, mine)
    with pytest.raises(Refused, match="another key is here"):
        restore.restore(twin, {"key": b"-----BEGIN OPENSSH PRIVATE KEY-----\nx"})
    assert files_in(twin.root) == before


def test_the_newest_note_of_what_was_signed_wins(post: Post, tmp_path: Path) -> None:
    post.begun()
    anna = post.desks["anna"].home
    game = anna.games()[0].id
    post.exchange("anna", "bet 1;")
    older = kept(anna, tmp_path)
    post.exchange("ben")
    post.exchange("anna", "bet 2;")
    newer = kept(anna, tmp_path)
    note, log = f"signed/{game}", f"games/{game}/game.log"
    for first, second in ((older, newer), (newer, older)):
        home = Home(tmp_path / f"home{len(files_in(tmp_path))}")
        restore.restore(home, {log: older[log], note: first[note]}, signer("anna").pub_blob)
        restore.restore(home, {log: newer[log], note: second[note]}, signer("anna").pub_blob)
        assert (home.root / note).read_bytes() == newer[note]


def test_a_turn_signed_here_is_never_signed_away(post: Post, tmp_path: Path) -> None:
    """It was noted and sent, then the machine died; a twin of the home has signed other words for its number."""
    post.begun()
    anna = post.desks["anna"].home
    start = kept(anna, tmp_path)
    game = anna.games()[0].id
    note, log = f"signed/{game}", f"games/{game}/game.log"
    post.send("anna", "bet 1;")
    mine = kept(anna, tmp_path)
    twin = Home(tmp_path / "twin")
    restore.restore(twin, start)
    desk = post.desk("anna")
    desk.home = twin
    desk.send(desk.place(twin.find(None)), [])
    theirs = kept(twin, tmp_path)
    for other in ({note: theirs[note]}, {log: theirs[log]}):
        home = Home(tmp_path / f"home-{len(other)}-{next(iter(other))[:5]}")
        restore.restore(home, {log: start[log], note: mine[note]})
        before = whole(home.root)
        with pytest.raises(Refused, match="entry 2 was signed here with other words"):
            restore.restore(home, other)
        assert whole(home.root) == before
    (anna.root / log).write_bytes(start[log])  # what the kill left: noted, not yet in the log
    restore.restore(home := Home(tmp_path / "again"), {**start, note: mine[note]})
    desk = post.desk("anna")
    desk.home = home
    assert desk.place(home.find(None)).text.encode() == mine[log]


def test_what_is_only_here_stays(post: Post, tmp_path: Path, duel: MakeDuel) -> None:
    post.begun()
    anna = post.desks["anna"].home
    saved = kept(anna, tmp_path)
    other = duel(5)
    anna.begin(Turn.of(other.offer), Turn.of(other.accept), Contact("anna"))
    anna.games()[0].write_contact(Contact("anna", "new@example.org", ""))
    before = files_in(anna.root)
    restore.restore(anna, saved)
    assert files_in(anna.root) == before
    assert len(anna.games()) == 2


def test_an_offer_that_has_become_a_game_is_not_offered_again(post: Post, tmp_path: Path) -> None:
    _, accept = post.begin()
    anna = post.desks["anna"].home
    write_key(anna.key, "anna")
    offered = kept(anna, tmp_path)
    assert any(name.startswith("offers/") for name in offered)
    take_in(post.desks["anna"], read_letter(mail(accept)))
    begun = kept(anna, tmp_path)
    restore.restore(anna, offered)
    assert anna.offers() == []
    home = Home(tmp_path / "home")
    restore.restore(home, offered)
    assert len(home.offers()) == 1
    restore.restore(home, begun)
    assert (len(home.offers()), len(home.games())) == (0, 1)


# --- blocks to logs ----------------------------------------------------------------------------------------------


def gathered(game: Duel, blocks: Iterable[Block], name: str = "anna") -> Found:
    """The logs in blocks, for the player who has this key."""
    return logs_in(blocks, "inbox", Me(signer(name).pub_blob), lambda _: game.scenario)


def test_logs_out_of_blocks_in_any_order(duel: MakeDuel) -> None:
    games = [duel(number) for number in (1, 2)]
    for game in games:
        game.play("anna", "bet 1;")
        game.play("ben")
    blocks = [block for game in games for block in game.blocks]
    for seed in range(5):
        random.Random(seed).shuffle(blocks)
        found = gathered(games[0], blocks)
        assert found.refused == found.told == []
        assert {log.text for log in found.logs} == {game.log for game in games}


@pytest.mark.parametrize(
    ("left_out", "says"),
    [(0, "its offer is missing"), (1, "its beginning is missing"), (3, "entry 3 is missing, entry 4 is there")],
)
def test_a_log_without_an_entry_before_one_of_mine_is_refused(left_out: int, says: str, duel: MakeDuel) -> None:
    """What I signed would be lost."""
    game, other = duel(1, "long"), duel(2)
    for one, turns in ((game, 3), (other, 2)):
        for name in ("anna", "ben", "anna")[:turns]:
            one.play(name)
    blocks = [block for block in game.blocks if block is not game.blocks[left_out]]
    found = gathered(game, [*blocks, *other.blocks])
    assert [log.text for log in found.logs] == [other.log]
    assert [says in str(error) for error in found.refused] == [True]
    assert [log.text for log in gathered(game, game.blocks[:-1]).logs] == [text(game.blocks[:-1])]


def text(blocks: Iterable[Block]) -> str:
    """A log."""
    return "".join(map(render_block, blocks))


def test_a_log_without_an_entry_before_another_s_is_restored_up_to_there(duel: MakeDuel) -> None:
    game = duel(1)
    game.play("anna")
    game.play("ben")
    found = gathered(game, [*game.blocks[:2], game.blocks[3]])
    assert [log.text for log in found.logs] == [text(game.blocks[:2])]
    assert "entry 2 is missing, entry 3 is there" in str(found.told[0])
    assert "entry 2 is missing, entry 3 is there" in str(
        gathered(game, [*game.blocks[:2], game.blocks[3]], "ben").refused[0]
    )


def test_a_log_in_which_something_was_taken_back_is_put_together(post: Post) -> None:
    """The state before an entry is wanted that is far behind."""
    post.begun(2, "long")
    for name, orders in (("anna", "bet 1; rest;"), ("ben", "rest;"), ("anna", "rest;")):
        post.exchange(name, orders)
    first = next(
        n
        for n, block in enumerate([turn.block for turn in post.place("anna").folder.turns()])
        if b"kind orders;" in block.payload
    )
    due = next(name for name in ("anna", "ben") if post.place(name).table.due().player == name)
    for name, word in ((due, "offer"), ("ben" if due == "anna" else "anna", "accept")):
        desk = post.desk(name)
        block = desk.agree(
            desk.place(desk.home.find(None)), "undo", body_of("undo", word, first if word == "offer" else 0)
        ).block
        take_in(post.desk("ben" if name == "anna" else "anna"), read_letter(mail(block)))
    post.bots(random.Random(3), 2)
    blocks = [turn.block for turn in post.place("anna").folder.turns()]
    found = logs_in(blocks[::-1], "inbox", Me(signer("ben").pub_blob), lambda _: post.scenario)
    assert (found.refused, found.told) == ([], [])
    assert [log.text for log in found.logs] == [text(blocks)]


def test_the_mark_of_a_restored_game_stays_until_it_is_forgotten(post: Post, tmp_path: Path) -> None:
    post.begun()
    anna = post.desks["anna"].home
    assert not anna.games()[0].restored()
    before = kept(anna, tmp_path)
    restore.restore(anna, before)
    assert not anna.games()[0].restored(), "it was as it is here"
    new = Home(tmp_path / "new")
    restore.restore(new, before)
    assert new.games()[0].restored()
    again = Home(tmp_path / "again")
    restore.restore(again, kept(new, tmp_path))
    restore.restore(again, before)
    assert again.games()[0].restored()
    for _ in range(2):
        again.games()[0].forget_restored()
        assert not again.games()[0].restored()


def test_two_turns_for_one_number_make_no_log(duel: MakeDuel) -> None:
    game = duel()
    for name in ("anna", "ben"):
        found = gathered(game, [*game.blocks, game.sign("anna", "bet 1;"), game.sign("anna", "bet 2;")], name)
        assert found.logs == []
        assert [type(error) for error in found.refused] == [BadLog]
        assert "two different turns for entry 2" in str(found.refused[0])


def test_of_two_turns_for_one_number_that_counts_on_which_i_went_on(duel: MakeDuel) -> None:
    game = duel()
    other = game.sign("anna", "bet 2;")
    game.play("anna", "bet 1;")
    game.play("ben")
    for blocks in ([*game.blocks, other], [other, *game.blocks]):
        found = gathered(game, blocks, "ben")
        assert [log.text for log in found.logs] == [game.log]
        assert "two different turns for entry 2; the one on which I went on counts" in str(found.told[0])
    named = logs_in([*game.blocks, other], "inbox", Me(name="ben"), lambda _: game.scenario)
    assert [log.text for log in named.logs] == [game.log]


# --- broken and foreign zips -------------------------------------------------------------------------------------


def zipped(content: dict[str, bytes], manifest: object = None, **changes: object) -> bytes:
    """A zip like a backup, whose manifest fits its files but for the changes."""
    if manifest is None:
        sums = {name: hashlib.sha256(data).hexdigest() for name, data in content.items()}
        manifest = {"pbem_backup": 1, "games": [], "files": sums, **changes}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("manifest.json", manifest if isinstance(manifest, str) else json.dumps(manifest))
        for name, data in content.items():
            archive.writestr(name, data)
    return packed.getvalue()


def test_the_maker_of_broken_backups_makes_a_good_one() -> None:
    found = read_backup(zipped({"notes/a.txt": b"a", "key.pub": b"b"}), "a.zip")
    assert (found.files, found.games, found.key) == ({"key.pub": b"b", "notes/a.txt": b"a"}, [], "")


@pytest.mark.parametrize(
    "name",
    ["../key", "/etc/passwd", "games/../../key", "a//b", "./a", "a/..", "C:/key", "a\\b", "..\\key", "cache/x",
     "Cache/x", "bots/bold/cache/x", "bots/bold/.lock",
     "a\nb", "a\x1b[2Jb", "key.", "key ", "a/ /b", "x" * 401, "CON:", "a*", "a/"],
)  # fmt: skip
def test_a_name_that_leads_elsewhere_is_refused(name: str) -> None:
    with pytest.raises((Refused, Damaged), match=r"can be called|can't be read"):
        read_backup(zipped({name: b"x"}), "a.zip")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "the zip can't be read"),
        (b"PK\x03\x04 and no more", "the zip can't be read"),
        (zipped({"a": b"a"})[:-30], "the zip can't be read"),
        (zipped({"a": b"a"}, manifest="no json"), "a zip, but not a backup"),
        (zipped({"a": b"a"}, manifest="[" * 100_000), "a zip, but not a backup"),
        (zipped({"a": b"a"}, manifest=["x"]), "a zip, but not a backup"),
        (zipped({"a": b"a"}, manifest={"name": "x"}), "a zip, but not a backup"),
        (zipped({"a": b"a"}, pbem_backup=2), "a backup of format 2, this program reads 1"),
        (zipped({"a": b"a"}, files=[]), "its manifest is damaged"),
        (zipped({"a": b"a"}, games=None), "its manifest is damaged"),
        (zipped({"a": b"a"}, files={}), "'a' is not in its manifest"),
        (zipped({"a": b"a"}, files={"a": "0", "b": "0"}), "'b' is missing"),
        (zipped({"a": b"a"}, files={"a": "0" * 64}), "a isn't as it was written"),
        (zipped({"a": b"a"}, games=[{"game": "ab", "entries": 2, "head": "cd"}]), "names other games"),
        (zipped({"a": b"a", "A": b"b"}), "holds a file twice"),
        (zipped({"a": b"a", "a/b": b"b"}), "a file and a folder of one name"),
    ],
)
def test_a_broken_or_foreign_zip_is_refused(data: bytes, says: str) -> None:
    with pytest.raises((Refused, Damaged), match=says) as refused:
        read_backup(data, "a.zip")
    assert refused.value.where == "a.zip"


def test_what_a_bot_is_said_to_have_is_vetted_too(tmp_path: Path) -> None:
    """No log that isn't verified, no home below a bot's home, no file that no home has."""
    log = f"bots/bold/games/{'0' * 16}/game.log"
    files = {log: b"no log", "bots/bold/bots/x/key.pub": b"x", "bots/bold/x.sh": b"x", "bots/A B/key.pub": b"x"}
    told: list[str] = []
    restore.restore(Home(tmp_path / "home"), dict(sorted(files.items())), tell=told.append)
    assert files_in(tmp_path / "home") == {f"bots/bold/damaged/{'0' * 16}.log": b"no log"}
    assert "bots/A B/key.pub, bots/bold/bots/x/key.pub, bots/bold/x.sh" in " ".join(told)
    assert any(line.startswith("bots/bold/games/") and "can't be verified" in line for line in told)


def test_a_zip_without_a_manifest_is_foreign() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("photo.jpg", b"x")
    with pytest.raises(Refused, match="a zip, but not a backup"):
        read_backup(packed.getvalue(), "photos.zip")


def test_links_and_locked_files_are_refused() -> None:
    data = bytearray(zipped({"link": b"/etc/passwd"}))
    central = data.rindex(b"PK\x01\x02")
    data[central + 38 : central + 42] = ((stat.S_IFLNK | 0o777) << 16).to_bytes(4, "little")
    with pytest.raises(Damaged, match="'link' is not a plain file"):
        read_backup(bytes(data), "a.zip")
    locked = bytearray(zipped({"a": b"secret"}))
    locked[locked.rindex(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(Damaged, match="can't be read"):
        read_backup(bytes(locked), "a.zip")


def test_any_changed_byte_is_noticed_or_harmless(post: Post, tmp_path: Path) -> None:
    """A damaged backup is refused, or gives back every file as it was."""
    post.begun()
    back_up(post.desks["anna"].home, tmp_path / "a.zip")
    good = (tmp_path / "a.zip").read_bytes()
    files = read_backup(good, "a.zip").files
    chance = random.Random(4)
    refused = 0
    for _ in range(400):
        data = bytearray(good)
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        try:
            assert read_backup(bytes(data), "a.zip").files == files
        except PbemError:
            refused += 1
    assert refused > 300


def test_a_zip_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = zipped({"a": b"a" * 1000, "b": b"b"})
    monkeypatch.setattr(backup, "UNPACKED_MAX", 1000)
    with pytest.raises(Damaged, match="too large"):
        read_backup(data, "a.zip")
    monkeypatch.undo()
    monkeypatch.setattr(backup, "MEMBERS_MAX", 2)
    with pytest.raises(Damaged, match="too large"):
        read_backup(data, "a.zip")


def test_the_command_names_what_it_can_t_use(world: World) -> None:
    assert "isn't a zip file" in world.refused("asuka", "restore", world.write("a.zip", b"no zip"))
    assert "no turn is there" in world.refused("asuka", "restore", world.write("a.txt", b"no log"))
    assert "only an offer is there" in world.refused("asuka", "restore", world.path("offer.eml"))
    assert "its offer is missing" in world.refused("asuka", "restore", world.path("accept.eml"))
    assert "its beginning is missing" in world.refused("asuka", "restore", world.path("4.eml"))
    world.refused("asuka", "restore", world.path("nothing"))
    world.does("asuka", "backup", world.path("b.zip"))
    said = world.says("asuka", "restore", world.path("b.zip"), "--to", "ben@example.net")
    assert said.code == 2
    forged = world.log("asuka").read_text().replace("kind orders", "kind react", 1)
    assert (
        world.says("new", "restore", world.write("forged.log", forged), "--key", str(world.home("asuka") / "key")).code
        == 1
    )
    assert not world.home("new").exists()


# --- accidents ---------------------------------------------------------------------------------------------------


def test_a_restore_that_is_killed_is_finished_by_the_same_command(post: Post, tmp_path: Path) -> None:
    """In a new home and in an older one: nothing stands there that wasn't verified, no log without note and mark."""
    post.begun()
    anna = post.desks["anna"].home
    write_key(anna.key, "anna")
    older = kept(anna, tmp_path)
    post.exchange("anna", "bet 1;")
    files = kept(anna, tmp_path)
    game = anna.games()[0].id
    log, mark = f"games/{game}/game.log", f"restored/{game}"
    whole_home = {**files, mark: b""}
    for before in ({}, older):
        seen = set()

        def restoring(home: Home, before: dict[str, bytes] = before) -> Callable[[], object]:
            home.root.mkdir(parents=True)
            if before:
                restore.restore(home, before)
                home.games()[0].forget_restored()
            return lambda: restore.restore(home, files)

        place = tmp_path / f"place{len(before)}"
        for step in moments(place / "0", [restore, disk], restoring(Home(place / "0"))):
            home = Home(place / str(step))
            assert killed_at(step, [restore, disk], restoring(home))
            found = whole(home.root)
            seen.add(frozenset(found))
            assert found.items() <= {**before, **whole_home}.items() or found[log] == before[log]
            if found.get(log) == files[log]:
                assert found == whole_home, "the log is written last"
            restore.restore(home, files)
            assert whole(home.root) == whole_home
        assert len(seen) > (2 if before else 5)


@pytest.mark.parametrize("how", DISKS)
def test_a_disk_that_fails_leaves_things_as_they_were(how: str, post: Post, tmp_path: Path) -> None:
    post.begun()
    anna = post.desks["anna"].home
    path = tmp_path / "a.zip"
    back_up(anna, path)
    files, good = kept(anna, tmp_path), path.read_bytes()
    post.exchange("anna", "bet 1;")
    with pytest.MonkeyPatch.context() as patch:
        break_disk(patch, how)
        with pytest.raises(Storage):
            back_up(anna, path)
        with pytest.raises(Storage):
            restore.restore(Home(tmp_path / "new"), files)
    assert path.read_bytes() == good
    assert files_in(tmp_path / "new") == {}
    restore.restore(Home(tmp_path / "new"), files)
    game = anna.games()[0].id
    assert whole(tmp_path / "new") == {**files, f"restored/{game}": b""}
    assert not list(tmp_path.glob(".*"))
