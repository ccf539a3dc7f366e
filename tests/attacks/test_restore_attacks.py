"""Attacks on restore and recover: mailboxes with a stranger's blocks, zips that lie, zips that burst, kills."""

from __future__ import annotations

import base64
import json
import mailbox
import os
import random
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from attacks.cheater import altered, another_signature, sshsig
from cli_player import Said, pbem_says
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat
from toy.accident import files_in
from toy.players import Duel, Post, private_key, signer, write_key

from pbem.crypto.dice import entry_hash
from pbem.crypto.hashing import lp
from pbem.crypto.keys import FILE_MAX
from pbem.crypto.openssh import to_text
from pbem.desk.succession import ask, grant
from pbem.home import backup
from pbem.home import files as disk
from pbem.home.folders import Home
from pbem.home.vetting import DAMAGED_MAX, public_key, turns_in
from pbem.match.compose import sign_accept, sign_offer
from pbem.wire.blocks import Block, render_block
from pbem.wire.bodies import read_terms
from pbem.wire.entry import parse_entry
from pbem.wire.turn import Turn

MakeDuel = Callable[..., Duel]
Files = dict[str, bytes]


@pytest.fixture
def played(post: Post) -> Post:
    """Anna and ben have three entries each, or nearly; their keys lie in their homes."""
    for name in ("anna", "ben", "carl"):
        write_key(post.root / name / "key", name)
    post.begun(2, "long")
    post.exchange("anna", "bet 1; rest;")
    post.exchange("ben", "rest;")
    post.exchange("anna", "rest;")
    return post


def says(post: Post, name: str, *words: str) -> Said:
    """Let a player type a command at his home."""
    return pbem_says("--home", str(post.root / name), *words)


def log_of(post: Post, name: str) -> bytes:
    """A player's only log."""
    return Home(post.root / name).games()[0].text().encode()


def blocks_of(post: Post, name: str = "anna") -> list[Block]:
    return [turn.block for turn in Home(post.root / name).games()[0].turns()]


def inbox(post: Post, blocks: Iterable[Block]) -> str:
    """A mailbox with a mail for each block."""
    path = post.root / "inbox"
    path.unlink(missing_ok=True)
    box = mailbox.mbox(path)
    for block in blocks:
        box.add(f"From: someone@example.org\nSubject: pbem\n\nHello,\n\n{render_block(block)}".encode())
    box.close()
    return str(path)


def restored(post: Post, blocks: Iterable[Block], name: str, home: str) -> Said:
    """Restore a player's games from a mailbox into a new home."""
    return says(post, home, "restore", inbox(post, blocks), "--key", str(post.root / name / "key"))


def kept(post: Post, name: str) -> Files:
    """The files that a backup of a player's home holds."""
    path = post.root / "kept.zip"
    path.unlink(missing_ok=True)
    backup.back_up(Home(post.root / name), path)
    return backup.read_backup(path.read_bytes(), "kept.zip").files


def zipped(post: Post, files: Files) -> str:
    """A zip that is a backup in every form."""
    path = post.root / "attack.zip"
    path.write_bytes(backup._packed(backup._described(dict(sorted(files.items())))))
    return str(path)


def goes_on(post: Post, entries: int) -> list[Block]:
    """Let whoever is due send something, several times."""
    sent = post.bots(random.Random(2), entries)
    assert len(sent) == entries
    return sent


def game_of(post: Post) -> str:
    return Home(post.root / "anna").games()[0].id


def without_cache(folder: Path) -> Files:
    """The files of a home but its cache."""
    return {name: data for name, data in files_in(folder).items() if not name.startswith("cache/")}


# --- mailboxes


def test_a_stranger_s_blocks_in_the_mailbox_change_nothing(played: Post) -> None:
    """One block with any signature for a number that was taken made `restore` and `recover` refuse the whole game."""
    blocks = blocks_of(played)
    forged = altered(blocks[2].payload, "bet 1;", "bet 2;")
    strangers = [
        Block(forged, signer("carl").sign(forged)),
        Block(forged, blocks[2].armor),
        Block(blocks[3].payload, signer("carl").sign(blocks[3].payload)),
        Block(blocks[0].payload, signer("carl").sign(blocks[0].payload)),
        Block(blocks[1].payload, blocks[0].armor),
        Block(altered(blocks[4].payload, "seq 4;", "seq 40;"), blocks[4].armor),
    ]
    for number, mails in enumerate(([*strangers, *blocks], [*blocks, *strangers])):
        for name in ("anna", "ben"):
            said = restored(played, mails, name, f"{name}-{number}")
            assert said.code == 0, said.err
            assert log_of(played, f"{name}-{number}") == log_of(played, "anna")
            assert "2 other turns are in no log" in said.err
    asked = says(played, "carl", "recover", inbox(played, [*strangers, *blocks]), "--name", "ben", "-o",
                 str(played.root / "ask.eml"))  # fmt: skip
    assert asked.code == 0, asked.err


def test_a_stranger_s_game_in_the_mailbox_changes_nothing(played: Post, duel: MakeDuel) -> None:
    """`recover` refused a mailbox with a second game in it, whoever played that."""
    strange = duel(9)
    _, terms = read_terms(parse_entry(strange.offer.payload))
    offer = sign_offer(signer("carl"), "carl", "red", terms, b"a nonce of carl.").block
    accept = sign_accept(Turn.of(offer), signer("anna"), "anna", "blue", terms, bytes(16), b"a gnonce of ben.").block
    blocks = [offer, accept, *blocks_of(played)]
    said = restored(played, blocks, "ben", "new")
    assert said.code == 0
    assert [folder.id for folder in Home(played.root / "new").games()] == [game_of(played)]
    asked = played.root / "ask.eml"
    said = says(played, "carl", "recover", inbox(played, blocks), "--name", "ben", "-o", str(asked))
    assert said.code == 0, said.err
    said = restored(played, [offer, accept], "ben", "newer")
    assert said.code == 1
    assert "is not a player's key in the game" in said.err


def test_two_turns_that_the_opponent_did_sign_are_told(played: Post) -> None:
    """The legal twin: a second turn with his good signature decides nothing by itself."""
    blocks = blocks_of(played)
    second = altered(blocks[4].payload, "rest;", "pass;") if b"pass" in blocks[4].payload else None
    second = second or altered(
        blocks[4].payload, f"nonce {parse_entry(blocks[4].payload).nonce};", f"nonce {'0' * 32};"
    )
    both = [*blocks, Block(second, signer("anna").sign(second))]
    said = restored(played, both, "ben", "new")
    assert said.code == 1
    assert "there are two different turns for entry 4; `pbem evidence` tells what it proves" in said.err
    assert not (played.root / "new").exists()
    goes_on(played, 1)
    said = restored(played, [*both, *blocks_of(played)], "ben", "newer")
    assert said.code == 0
    assert "the one on which I went on counts" in said.err
    assert log_of(played, "newer") == log_of(played, "ben")


def strange_accept(post: Post, offer: Block, name: str = "carl") -> Block:
    """Another accept of an offer, rightly signed."""
    _, terms = read_terms(parse_entry(offer.payload))
    return sign_accept(Turn.of(offer), signer(name), name, "blue", terms, bytes(16), b"another gnonce..").block


def test_a_stranger_s_accept_changes_nothing(played: Post) -> None:
    """Whoever had seen the offer could sign an accept of it, and the game couldn't be restored any more."""
    blocks = blocks_of(played)
    for name in ("anna", "ben"):
        said = restored(played, [strange_accept(played, blocks[0]), *blocks], name, f"new-{name}")
        assert said.code == 0, said.err
        assert log_of(played, f"new-{name}") == log_of(played, name)


def test_where_nothing_tells_which_accept_counts_it_is_asked(post: Post) -> None:
    """The offerer has signed nothing yet: either game may be hers. The accepter's own accept is his."""
    for name in ("anna", "ben"):
        write_key(post.root / name / "key", name)
    offer, accept = post.begin()
    both = [offer, accept, strange_accept(post, offer)]
    said = restored(post, both, "anna", "new")
    assert said.code == 1
    assert "its offer is accepted twice, by ben in game" in said.err
    assert not (post.root / "new").exists()
    assert restored(post, both, "ben", "newer").code == 0
    assert blocks_of(post, "newer") == [offer, accept]


def test_two_games_of_one_offer_in_which_i_signed_are_both_refused(played: Post) -> None:
    blocks = blocks_of(played)
    accept = strange_accept(played, blocks[0])
    entry = altered(blocks[2].payload, f"game {parse_entry(blocks[2].payload).game};",
                    f"game {entry_hash(accept.payload).hex()};")  # fmt: skip
    mine = Block(entry, signer("anna").sign(entry))
    said = restored(played, [*blocks, accept, mine], "anna", "new")
    assert said.code == 1
    assert "its offer is accepted twice" in said.err
    assert restored(played, [*blocks, accept, mine], "ben", "newer").code == 0
    assert log_of(played, "newer") == log_of(played, "ben")


def test_the_word_that_i_have_lost_my_key_does_not_take_my_game(played: Post) -> None:
    """An accept-rekey of the opponent in the mailbox was the end of the game: my key was nobody's in it any more."""
    table = played.place("ben").table
    request = ask(table, "anna", signer("carl"), b"a gnonce of carl").block
    desk = played.desk("ben")
    place = desk.place(desk.home.find(None))
    robbery = grant(desk, place, parse_entry(request.payload)).block
    assert parse_entry(robbery.payload).kind == "accept-rekey"
    said = restored(played, [*blocks_of(played), robbery], "anna", "new")
    assert said.code == 0, said.err
    assert "ben says that I have lost my key, and names another; it isn't taken" in said.err
    assert log_of(played, "new") == log_of(played, "anna")
    said = restored(played, [*blocks_of(played), request, robbery], "carl", "newer")
    assert said.code == 0, "with the key that it names it is taken, and the request for it is no part of a log"
    assert blocks_of(played, "newer")[-1] == robbery


def test_recover_says_which_head_to_compare(played: Post) -> None:
    """From a log that is cut off the player would sign a second entry for a number."""
    said = says(played, "carl", "recover", str(played.root / "anna" / "games" / game_of(played) / "game.log"),
                "--name", "ben", "-o", str(played.root / "ask.eml"))  # fmt: skip
    assert said.code == 0
    head = entry_hash(blocks_of(played)[-1].payload).hex()
    assert f"compare this head with your opponent first, for a log may be cut off: {head}" in said.err


# --- zips that lie


def test_an_unverified_longer_log_does_not_replace_a_good_one(played: Post) -> None:
    """A zip put a log with a forged last entry over the good one, and no command could read the game any more."""
    files = kept(played, "anna")
    name = f"games/{game_of(played)}/game.log"
    forged = altered(blocks_of(played)[4].payload, "seq 4;", "seq 5;")
    files[name] += render_block(Block(forged, signer("ben").sign(forged))).encode()
    before = without_cache(played.root / "anna")
    said = says(played, "anna", "restore", zipped(played, files))
    assert said.code == 0
    assert f"{name} can't be verified" in said.err
    assert "the log here stays" in said.err
    assert without_cache(played.root / "anna") == before
    said = says(played, "new", "restore", zipped(played, files))
    assert said.code == 0
    assert "where nothing reads it" in said.err
    found = without_cache(played.root / "new")
    assert found[f"damaged/{game_of(played)}.log"] == files[name]
    assert name not in found


def test_a_longer_log_that_is_right_replaces_the_shorter_one(played: Post) -> None:
    older = kept(played, "anna")
    goes_on(played, 1)
    newer = kept(played, "anna")
    assert says(played, "old", "restore", zipped(played, older)).code == 0
    Home(played.root / "old").games()[0].forget_restored()
    said = says(played, "old", "restore", zipped(played, newer))
    assert "6 entries, longer than it was here" in said.out
    assert log_of(played, "old") == log_of(played, "ben")
    assert Home(played.root / "old").games()[0].restored()


def test_another_form_of_a_signature_makes_no_other_log(played: Post) -> None:
    """Before, who sent a turn in one form and had it in his log in another kept her from going on with his log."""
    older, mine = kept(played, "anna"), log_of(played, "anna")
    goes_on(played, 2)
    blocks = blocks_of(played, "ben")
    payload = blocks[3].payload
    assert payload.splitlines()[5] == b"by ben;"
    blocks[3] = Block(payload, sshsig("ben", another_signature("ben", payload, 2**200)))
    log = played.root / "theirs.log"
    log.write_text("".join(map(render_block, blocks)))
    assert says(played, "old", "restore", zipped(played, older)).code == 0
    said = says(played, "old", "restore", str(log))
    assert "7 entries, longer than it was here" in said.out
    assert log_of(played, "old") == log_of(played, "ben")
    assert log_of(played, "old").startswith(mine)
    assert "7 entries, as it was here" in says(played, "old", "restore", str(log)).out
    log.write_text("".join(map(render_block, blocks[:5])))
    assert "the log here is longer, and stays" in says(played, "old", "restore", str(log)).err
    blocks[3] = blocks[3]._replace(armor=sshsig("ben", another_signature("anna", payload, 2**200)))
    log.write_text("".join(map(render_block, blocks)))
    assert says(played, "old", "restore", str(log)).code == 1


def test_a_log_under_another_game_s_name_is_not_restored(played: Post) -> None:
    """The log of another game stood under this one's name: what is due here was asked there."""
    other = Duel(played.scenario, 5)
    name = f"games/{game_of(played)}/game.log"
    said = says(played, "new", "restore", zipped(played, {name: other.log.encode()}))
    assert "it is the log of game" in said.err
    assert not (played.root / "new" / "games").exists()


def note_of(post: Post, number: int, by: str, key: str) -> bytes:
    """A note of a block with this number and author, signed with this key."""
    newest = blocks_of(post)[4].payload
    payload = altered(newest, "seq 4;", f"seq {number};")
    payload = altered(payload, f"by {parse_entry(newest).by};", f"by {by};")
    return render_block(Block(payload, signer(key).sign(payload))).encode()


@pytest.mark.parametrize(("by", "key"), [("anna", "carl"), ("anna", "ben"), ("ben", "ben"), ("carl", "carl")])
@pytest.mark.parametrize("number", [5, 6, 999_999_999])
def test_a_note_that_i_did_not_sign_is_not_restored(number: int, by: str, key: str, played: Post) -> None:
    """A note of number 999999999 by nobody, or by the opponent, stopped signing in this game for ever."""
    goes_on(played, 1)
    files = kept(played, "anna")
    name = f"signed/{game_of(played)}"
    note = files[name]
    said = says(played, "anna", "restore", zipped(played, {**files, name: note_of(played, number, by, key)}))
    assert said.code == 0
    assert f"{name} " in said.err
    assert "is not restored" in said.err
    assert (played.root / "anna" / name).read_bytes() == note
    for without in ("", "key"):  # a new home, from a backup with its key, and with the key named
        lying = {**files, name: note_of(played, number, by, key)}
        lying.pop(without, None)
        words = ["restore", zipped(played, lying)]
        home = ["--home", str(played.root / f"new{without}"), "--key", str(played.root / "anna" / "key")]
        assert pbem_says(*home, *words).code == 0
        assert not (played.root / f"new{without}" / name).exists()
    assert goes_on(played, 2)


def test_a_note_that_i_did_sign_is_kept_however_far_ahead_it_is(played: Post) -> None:
    """The legal twin: an older log and a newer note come back together, and nothing is signed twice."""
    older = kept(played, "anna")
    goes_on(played, 4)
    newer = kept(played, "anna")
    name = f"signed/{game_of(played)}"
    assert turns_in(newer[name])[0].entry.seq > 6
    said = says(played, "new", "restore", zipped(played, {**older, name: newer[name]}))
    assert said.code == 0
    assert (played.root / "new" / name).read_bytes() == newer[name]


def test_a_note_is_not_judged_without_a_key(played: Post) -> None:
    """Neither kept nor lost: whoever made the zip may be the opponent, and the note the last that I signed."""
    older = kept(played, "anna")
    goes_on(played, 4)
    name = f"signed/{game_of(played)}"
    files = {**older, name: kept(played, "anna")[name]}
    del files["key"]
    said = says(played, "new", "restore", zipped(played, files))
    assert said.code == 1
    assert "my key is needed" in said.err
    assert not (played.root / "new").exists()
    key = str(played.root / "anna" / "key")
    assert pbem_says("--home", str(played.root / "new"), "--key", key, "restore", zipped(played, files)).code == 0


def test_offers_accepts_and_keys_of_a_zip_are_verified(played: Post) -> None:
    """A stranger's offer came to stand as mine, any text as the game that my offer has become, any key as my own."""
    terms = Duel(played.scenario).terms
    mine, other = (sign_offer(signer(name), name, "red", terms, b"some other nonce").block for name in ("anna", "carl"))
    ids = [entry_hash(block.payload).hex()[:16] for block in (mine, other)]
    fitting = strange_accept(played, mine)
    files = {"key": kept(played, "anna")["key"]}
    bad = {
        f"offers/{ids[1]}/game.log": render_block(other).encode(),
        f"offers/{ids[1]}/contact.json": b"{}",
        f"offers/{'0' * 16}/game.log": render_block(mine).encode(),
        f"begun/{ids[1]}": render_block(Block(fitting.payload, mine.armor)).encode(),
        f"begun/{'0' * 16}": render_block(fitting).encode(),
        f"evidence/{ids[0]}-0-carl.turn": render_block(other).encode(),
        "key.pub": to_text(signer("carl").pub_blob).encode(),
        f"restored/{ids[0]}": b"",
    }
    good = {
        f"offers/{ids[0]}/game.log": render_block(mine).encode(),
        f"offers/{ids[0]}/contact.json": b"{}",
        f"evidence/{ids[1]}-0-carl.turn": render_block(other).encode(),
    }
    said = says(played, "new", "restore", zipped(played, {**files, **bad, **good}))
    assert said.code == 0
    assert without_cache(played.root / "new") == {**files, **good}
    assert all(name in said.err for name in bad if not name.endswith(".json"))
    good = {"key.pub": to_text(signer("anna").pub_blob).encode(), f"begun/{ids[0]}": render_block(fitting).encode()}
    assert says(played, "new", "restore", zipped(played, {**files, **good})).code == 0
    assert without_cache(played.root / "new").items() >= good.items()


def test_a_name_that_no_home_folder_has_is_not_written(played: Post) -> None:
    """Whatever a zip held was written: files that a later version or another program reads as its own."""
    files = kept(played, "anna")
    strange = {".bashrc": b"x", "lock": b"x", "games/x/game.log": b"x", f"games/{game_of(played)}/run.sh": b"x",
               "notes/a.txt": b"x", "signed/999": b"x"}  # fmt: skip
    said = says(played, "new", "restore", zipped(played, {**files, **strange}))
    assert said.code == 0
    assert all(name in said.err for name in strange)
    assert without_cache(played.root / "new") == {**files, f"restored/{game_of(played)}": b""}


# --- one offer, one game


def second_game(post: Post) -> list[Block]:
    """Another game of the offer of anna's game, which carl has accepted."""
    offer = blocks_of(post)[0]
    return [offer, strange_accept(post, offer)]


@pytest.mark.parametrize("how", ["zip", "log", "mails", "begun"])
def test_a_second_game_of_one_offer_is_refused(how: str, played: Post) -> None:
    """The opponent had a second accept of her offer brought in by `restore`; both games used one chain of dice."""
    second = second_game(played)
    text = "".join(map(render_block, second)).encode()
    ident = entry_hash(second[1].payload).hex()[:16]
    (played.root / "game.log").write_bytes(text)
    before = without_cache(played.root / "anna")
    source = {
        "zip": lambda: zipped(played, {f"games/{ident}/game.log": text}),
        "log": lambda: str(played.root / "game.log"),
        "mails": lambda: inbox(played, second),
        "begun": lambda: zipped(
            played, {f"begun/{entry_hash(second[0].payload).hex()[:16]}": render_block(second[1]).encode()}
        ),
    }[how]()
    said = says(played, "anna", "restore", source)
    assert said.code == 1
    assert f"one offer would become two games, {game_of(played)} and {ident}" in said.err
    assert without_cache(played.root / "anna") == before
    if how in ("log", "mails"):  # its legal twin: where no other game of the offer is
        assert says(played, "new", "restore", source, "--key", str(played.root / "carl" / "key")).code == 0


def test_a_second_game_is_refused_where_only_the_note_of_the_first_is_left(played: Post) -> None:
    second = second_game(played)
    begun = entry_hash(second[0].payload).hex()[:16]
    files = {name: data for name, data in kept(played, "anna").items() if not name.startswith(("games/", "signed/"))}
    assert f"begun/{begun}" in files
    assert says(played, "new", "restore", zipped(played, files)).code == 0
    (played.root / "game.log").write_text("".join(map(render_block, second)))
    said = says(played, "new", "restore", str(played.root / "game.log"))
    assert said.code == 1
    assert "one offer would become two games" in said.err
    assert says(played, "new", "restore", str(played.root / "ben" / "games" / game_of(played) / "game.log")).code == 0


def test_two_games_of_one_offer_in_one_zip_are_refused(played: Post) -> None:
    second = second_game(played)
    ident = entry_hash(second[1].payload).hex()[:16]
    files = kept(played, "ben") | {f"games/{ident}/game.log": "".join(map(render_block, second)).encode()}
    said = says(played, "new", "restore", zipped(played, files))
    assert said.code == 1
    assert "one offer would become two games" in said.err
    assert not (played.root / "new").exists()


# --- zips that burst


def bomb(path: Path, size: int, says_size: int | None = None, way: int = zipfile.ZIP_DEFLATED) -> str:
    """A zip like a backup whose one file unpacks to so many MiB; it may say another size."""
    name = f"games/{'0' * 16}/game.log"
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    data = piece * size + zlib.compressobj(9, zlib.DEFLATED, -15).flush()
    listing = json.dumps({"pbem_backup": 1, "games": [], "files": {name: "0" * 64}}).encode()
    members = [("manifest.json", 0, listing, len(listing), zlib.crc32(listing)),
               (name, way, data, (size << 20) if says_size is None else says_size, 0)]  # fmt: skip
    local, central = b"", b""
    for title, method, packed, unpacked, crc in members:
        head = struct.pack("<HHHHHIIIHH", 20, 0, method, 0, 33, crc, len(packed), unpacked, len(title), 0)
        central += b"PK\x01\x02\x14\x03" + head + struct.pack("<HHHII", 0, 0, 0, 0o100600 << 16, len(local))
        central += title.encode()
        local += b"PK\x03\x04" + head + title.encode() + packed
    end = struct.pack("<HHHHIIH", 0, 0, len(members), len(members), len(central), len(local), 0)
    path.write_bytes(local + central + b"PK\x05\x06" + end)
    return str(path)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes each piece had that was unpacked."""
    pieces: list[int] = []
    real = zipfile.ZipExtFile.read

    def read(self: zipfile.ZipExtFile, n: int | None = -1) -> bytes:
        assert n is not None
        assert 0 < n <= backup.PIECE
        piece = real(self, n)
        pieces.append(len(piece))
        return piece

    monkeypatch.setattr(zipfile.ZipExtFile, "read", read)
    return pieces


@pytest.mark.parametrize("says_size", [None, 100, 2**32 - 1])
def test_a_zip_that_bursts_is_unpacked_no_further_than_the_limit(
    says_size: int | None, tmp_path: Path, counted: list[int]
) -> None:
    """1 MB made 900 MB, whatever the zip said of its size."""
    path = bomb(tmp_path / "a.zip", 900, says_size)
    assert os.path.getsize(path) < 2**20
    said = pbem_says("--home", str(tmp_path / "new"), "restore", path)
    assert said.code == 1
    assert len(said.err.splitlines()) == 1
    assert sum(counted) <= backup.UNPACKED_MAX + backup.PIECE
    assert not (tmp_path / "new").exists()
    if says_size != 100:
        assert "it is too large; at most 4096 files" in said.err
        assert sum(counted) > backup.UNPACKED_MAX


def test_a_zip_up_to_the_limit_is_unpacked(tmp_path: Path, counted: list[int]) -> None:
    """The legal twin: it comes as far as the sum of the file."""
    said = pbem_says("--home", str(tmp_path / "new"), "restore", bomb(tmp_path / "a.zip", 63))
    assert "Bad CRC-32" in said.err
    assert sum(counted) > 62 << 20


def test_a_way_of_packing_that_can_t_be_unpacked_in_pieces_is_refused(tmp_path: Path, counted: list[int]) -> None:
    said = pbem_says("--home", str(tmp_path / "new"), "restore", bomb(tmp_path / "a.zip", 1, way=zipfile.ZIP_LZMA))
    assert "is packed in another way" in said.err
    assert counted == []


@pytest.mark.parametrize(("count", "code"), [(4095, 0), (4096, 1)])
def test_members_are_counted_before_the_directory_is_read(
    count: int, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A zip of 64 MiB that is all directory took gigabytes to list; with its manifest 4,096 members are read."""
    files = {f"x{number}": b"" for number in range(count)}
    path = tmp_path / "a.zip"
    path.write_bytes(backup._packed(backup._described(files)))
    if code:
        monkeypatch.setattr(zipfile, "ZipFile", None)
    said = pbem_says("--home", str(tmp_path / "new"), "restore", str(path))
    assert said.code == code
    assert ("too large" in said.err) == bool(code)


def test_no_more_of_a_file_is_read_than_a_zip_may_have(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with path.open("wb") as file:
        file.write(b"PK\x03\x04")
        file.truncate(2 << 30)
    said = pbem_says("--home", str(tmp_path / "new"), "restore", str(path))
    assert "it is too large" in said.err


@pytest.mark.parametrize(
    ("limit", "most", "says"),
    [
        ("MEMBERS_MAX", 5, "6 files are too many for a backup, 5 at most"),
        ("UNPACKED_MAX", 3000, "bytes are too many for a backup, 3000 at most"),
        ("ZIP_MAX", 3000, "bytes, packed, are too many for a backup, 3000 at most"),
    ],
)
def test_no_backup_is_made_that_could_not_be_restored(
    limit: str, most: int, says: str, played: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player would learn on the day that his machine is dead that his backup is worth nothing."""
    monkeypatch.setattr(backup, limit, most)
    path = played.root / "a.zip"
    said = pbem_says("--home", str(played.root / "anna"), "backup", str(path))
    assert said.code == 1
    assert says in said.err
    assert not path.exists()


# --- kills


def killed_after(writes: int, whole: bool, action: Callable[[], object]) -> bool:
    """Run an action in another process that dies before, or right after, a write; False when it came to its end."""
    child = os.fork()
    if child == 0:
        real, done = disk.write_atomically, 0

        def write(path: Path, data: bytes, mode: int = 0o644, *, durable: bool = True) -> None:
            nonlocal done
            if done == writes and not whole:
                os._exit(9)
            real(path, data, mode, durable=durable)
            done += 1
            if done == writes + 1 and whole:
                os._exit(9)

        try:
            disk.write_atomically = write
            action()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.mark.parametrize("source", ["zip", "mails"])
def test_a_kill_between_any_two_writes_is_mended_by_the_same_command(source: str, played: Post) -> None:
    """A home was built beside its place, where a lock in it would have locked nothing; now each write is in place."""
    files = kept(played, "anna")
    game = game_of(played)
    path = zipped(played, files) if source == "zip" else inbox(played, blocks_of(played))
    words = ["restore", path, *(["--key", str(played.root / "anna" / "key")] if source == "mails" else [])]
    assert says(played, "whole", *words).code == 0
    whole = without_cache(played.root / "whole")
    writes, killed = 0, True
    while killed:
        for at_once in (False, True):
            home = f"new-{writes}-{at_once}"
            killed = killed_after(writes, at_once, lambda home=home: says(played, home, *words))  # type: ignore[misc]
            found = without_cache(played.root / home)
            assert found.items() <= whole.items()
            if f"games/{game}/game.log" in found:
                assert f"restored/{game}" in found
                assert source == "mails" or f"signed/{game}" in found
            assert says(played, home, *words).code == 0
            assert without_cache(played.root / home) == whole
        writes += 1
    assert writes > (5 if source == "zip" else 3) - 1


# --- what nobody signs

TO_MALLORY = "go to mallory@example.org and ask for answers to m@example.org, says this backup"


def planted(
    post: Post, contact: bytes = b'{"name": "anna", "to": "mallory@example.org", "mail": "m@example.org"}'
) -> Files:
    """A backup of ben's, without his key: anna's game, with orders, a note and an address that ben has thought of."""
    game = game_of(post)
    files = {name: data for name, data in kept(post, "ben").items() if not name.startswith(("key", "signed"))}
    moment = '{"turn": 1, "phase": "x", "text": "bet 1;", "behind": 0}'
    note = "== anna's note to entry 2 (not signed) ==\nI give up.\n== end of the note =="
    return files | {
        f"games/{game}/laid.json": f"[{moment}]".encode(),
        f"games/{game}/notes.txt": note.encode(),
        f"games/{game}/contact.json": contact,
    }


def test_no_laid_orders_come_out_of_somebody_else_s_backup(played: Post) -> None:
    """They would have been signed by the next `pbem send` as if she had laid them."""
    game, home = game_of(played), played.root / "anna"
    before = without_cache(home)
    said = says(played, "anna", "restore", zipped(played, planted(played)))
    assert said.code == 0, said.err
    assert f"games/{game}/laid.json are orders that wait to be signed, and nothing tells that I laid them" in said.err
    assert f"games/{game}/notes.txt is of a game that is here, and is not restored" in said.err
    after = without_cache(home)
    assert [name for name in after if name.endswith(("laid.json", "notes.txt"))] == []
    assert after[f"games/{game}/contact.json"] == before[f"games/{game}/contact.json"]
    (home / "games" / game / "contact.json").unlink()
    says(played, "anna", "restore", zipped(played, planted(played)))
    assert not (home / "games" / game / "contact.json").exists()


def test_how_my_mails_leave_comes_out_of_my_own_backup_alone(played: Post) -> None:
    settings = {"settings.json": b'{"send": "mailto"}'}
    said = says(played, "new", "restore", zipped(played, {**planted(played), **settings}))
    assert "settings.json says how my mails leave, and nothing tells that I wrote it" in said.err
    assert not (played.root / "new" / "settings.json").exists()
    mine = {"key": (played.root / "anna" / "key").read_bytes(), **settings}
    says(played, "anna", "restore", zipped(played, mine))
    assert (played.root / "anna" / "settings.json").read_bytes() == settings["settings.json"]


def test_what_only_looks_like_my_key_makes_no_backup_mine(played: Post) -> None:
    """Anybody can write a container that names anna's public key: only its secret makes a backup hers."""
    game = game_of(played)
    own = (played.root / "anna" / "key").read_text()
    data = base64.b64decode("".join(own.splitlines()[1:-1]))
    public = public_key(own.encode())
    assert public is not None
    hers = data.replace(lp(b"none") + lp(b"none"), lp(b"aes256-ctr") + lp(b"bcrypt"))
    hers = hers[: hers.index(public) + len(public)] + lp(bytes(160))
    text = base64.b64encode(hers).decode()
    forged = f"-----BEGIN OPENSSH PRIVATE KEY-----\n{text}\n-----END OPENSSH PRIVATE KEY-----\n".encode()
    assert public_key(forged) == public
    strange = {**planted(played), "key": forged}
    said = says(played, "new", "--key", str(played.root / "anna" / "key"), "restore", zipped(played, strange))
    assert "nothing tells that I laid them" in said.err
    assert not (played.root / "new" / "games" / game / "laid.json").exists()


def test_my_own_backup_brings_everything_back_and_tells_the_address(played: Post) -> None:
    game = game_of(played)
    own = {**planted(played), "key": (played.root / "anna" / "key").read_bytes()}
    for home in ("fresh", "anna"):
        said = says(played, home, "restore", zipped(played, own))
        assert said.code == 0, said.err
        assert f"orders are laid in game {game}: `pbem lay --game {game}` shows them" in said.err
        assert f"notes of game {game} are restored, which nobody has signed" in said.err
        assert (f"MAILS of game {game} {TO_MALLORY}" in said.err) == (home == "fresh")
        assert (played.root / home / "games" / game / "laid.json").exists()


def test_a_game_that_is_not_here_comes_with_its_address_told(played: Post) -> None:
    game = game_of(played)
    said = says(played, "new", "restore", zipped(played, planted(played)))
    assert f"MAILS of game {game} {TO_MALLORY}; make sure" in said.err
    assert (played.root / "new" / "games" / game / "notes.txt").exists()
    assert not (played.root / "new" / "games" / game / "laid.json").exists()


# --- what stays behind


def test_a_key_that_can_t_sign_is_not_restored_and_my_own_backup_comes_in_behind_it(played: Post) -> None:
    """A strange backup put a file called key into an empty home, and the player's own one was refused because of it."""
    files = kept(played, "anna")
    own = files.pop("key")
    half = own.replace(own.splitlines()[2], kept(played, "ben")["key"].splitlines()[2])
    rsa = b"-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n"
    for bad in (b"garbage", b"", rsa, own[:-60], half, own + b" " * FILE_MAX):
        said = says(played, "new", "restore", zipped(played, {"key": bad, "bots/bold/key": bad}))
        assert said.code == 0
        assert "pbem: key is no key that can sign, and is not restored" in said.err
        assert "bots/bold/key is no key that can sign, and is not restored" in said.err
        assert not [name for name in without_cache(played.root / "new") if name.endswith("key")]
    said = says(played, "new", "restore", zipped(played, {**files, "key": own}))
    assert said.code == 0, said.err
    assert without_cache(played.root / "new")["key"] == own
    assert log_of(played, "new") == log_of(played, "anna")
    assert says(played, "new", "key", "show").code == 0


def test_an_encrypted_key_is_restored(played: Post) -> None:
    """The legal twin: nobody but its owner can tell whether its halves belong together."""
    secret = private_key("anna").private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, BestAvailableEncryption(b"pass"))
    assert says(played, "new", "restore", zipped(played, {"key": secret})).code == 0
    assert (played.root / "new" / "key").read_bytes() == secret


def test_a_damaged_log_goes_when_the_game_has_come_whole(played: Post) -> None:
    """It stayed behind for ever, and in every backup made from then on."""
    files, game = kept(played, "anna"), game_of(played)
    log = f"games/{game}/game.log"
    for number, way in enumerate(("zip", "log")):
        home = f"new{number}"
        said = says(played, home, "restore", zipped(played, {**files, log: files[log][:-50]}))
        assert f"it is kept as damaged/{game}.log" in said.err
        assert (played.root / home / "damaged" / f"{game}.log").read_bytes() == files[log][:-50]
        said = says(
            played, home, "restore", zipped(played, files) if way == "zip" else str(_written(played, files[log]))
        )
        assert said.code == 0, said.err
        assert (f"damaged/{game}.log is taken away: every turn in it is in the log" in said.err) == (way == "zip")
        assert log_of(played, home) == files[log]
        assert not (played.root / home / "damaged" / f"{game}.log").exists()
    said = says(played, "new0", "restore", zipped(played, {**files, f"damaged/{game}.log": b"x"}))
    assert f"damaged/{game}.log is a damaged log of a game that is here, and is not restored" in said.err
    assert not (played.root / "new0" / "damaged" / f"{game}.log").exists()


def test_a_damaged_log_with_a_turn_that_the_log_lacks_stays(played: Post) -> None:
    """The legal twin: it may be all that is left of the turn."""
    older, game = kept(played, "anna"), game_of(played)
    goes_on(played, 1)
    log = f"games/{game}/game.log"
    longer = kept(played, "anna")[log].replace(b"PBEM TURN", b"PBEM  TURN", 1)
    assert longer.startswith(b"-----BEGIN PBEM  TURN")
    says(played, "new", "restore", zipped(played, {**older, log: longer}))
    said = says(played, "new", "restore", zipped(played, older))
    assert "is taken away" not in said.err
    assert log_of(played, "new") == older[log]
    assert (played.root / "new" / "damaged" / f"{game}.log").read_bytes() == longer


def test_thousands_of_files_that_do_not_count_are_told_in_a_few_lines_and_twenty_damaged_logs_kept(
    played: Post,
) -> None:
    """4,000 of them made a megabyte of lines, and so many files of damaged/ that no backup could be made any more."""
    files, game = kept(played, "anna"), game_of(played)
    for kind in ("games/{}/game.log", "offers/{}/game.log", "evidence/{}-1-ben.turn", "damaged/{}.log",
                 "games/{}/times", "signed/{}", "bots/b{}/key"):  # fmt: skip
        home = kind.split("/")[0] + kind.rpartition(".")[2].replace("/", "-").strip("{}")
        bad = {kind.format(f"{number:0{15 if 'bots' in kind else 16}x}"[-15 if "bots" in kind else -16 :]): b"x"
               for number in range(1000)}  # fmt: skip
        said = says(played, home, "restore", zipped(played, {**files, **bad}))
        assert said.code == 0, said.err
        assert len(said.err.splitlines()) < 60
        assert len(said.err) < 10_000
        assert log_of(played, home) == files[f"games/{game}/game.log"]
        assert len(without_cache(played.root / home)) <= len(files) + 1 + DAMAGED_MAX
        assert says(played, home, "backup", str(played.root / f"{home}.zip")).code == 0


def test_names_too_long_for_a_file_stop_no_restore(played: Post) -> None:
    """A file called by 300 letters, which no home has, made the whole backup unreadable; they are told in part."""
    files = kept(played, "anna")
    long = {f"{'y' * 300}{number}": b"" for number in range(30)} | {f"scenarios/toy/{'z' * 300}.yaml": b""}
    said = says(played, "new", "restore", zipped(played, {**files, **long}))
    assert said.code == 0, said.err
    assert f"{'y' * 80} ..., " in said.err
    assert "y" * 81 not in said.err
    assert f"scenarios/toy/{'z' * 66} ...; copy them out" in said.err
    assert "and 10 more" in said.err
    assert log_of(played, "new") == log_of(played, "anna")


def _written(post: Post, log: bytes) -> Path:
    """A log as a file beside the homes."""
    path = post.root / "a.log"
    path.write_bytes(log)
    return path
