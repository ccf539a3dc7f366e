"""The log file: read whole or refused with its place, grown in one step whatever happens meanwhile."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from toy.accident import DISKS, break_disk, fails, files_in, killed_at, moments
from toy.players import Duel, signer

from pbem.errors import BadLog, BadSignature, Damaged, PbemError, Storage
from pbem.home import files
from pbem.match.replay import replay
from pbem.wire.blocks import Block, render_block
from pbem.wire.entry import build_entry, parse_entry
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn, read_turns


@pytest.fixture
def game(duel: Callable[..., Duel]) -> Duel:
    """A game of some entries."""
    played = duel(3, "long", reactions="ask")
    chance = random.Random(3)
    while len(played.blocks) < 9:
        assert played.bot_plays(chance)
    return played


@pytest.fixture
def log(tmp_path: Path, game: Duel) -> Path:
    """Its log as a file, without the newest entry."""
    path = tmp_path / "games" / "game.log"
    path.parent.mkdir()
    path.write_text(game.log.removesuffix(render_block(game.blocks[-1])), "ascii")
    return path


# --- reading


def test_a_log_is_its_blocks_one_behind_the_other(game: Duel) -> None:
    entries = read_turns(game.log)
    assert [block for block, _, _ in entries] == game.blocks
    assert [entry.seq for _, entry, _ in entries] == list(range(len(game.blocks)))
    assert read_turns("") == []


def test_a_log_cut_off_names_the_entry(game: Duel) -> None:
    ends = [0]
    for block in game.blocks:
        ends.append(ends[-1] + len(render_block(block)))
    for cut in [*range(0, len(game.log), 41), *ends, *(end - 1 for end in ends[1:])]:
        if cut in ends:
            assert len(read_turns(game.log[:cut])) == ends.index(cut)
            continue
        number = next(n for n, end in enumerate(ends[1:]) if cut < end)
        with pytest.raises(Damaged) as refused:
            read_turns(game.log[:cut])
        assert re.match(rf"entry {number}\b", refused.value.where), (cut, refused.value)


def test_a_letter_changed_names_its_entry(game: Duel) -> None:
    for number, block in enumerate(game.blocks):
        texts = [render_block(b) for b in game.blocks]
        payload = block.payload.decode()
        nonce = parse_entry(block.payload).nonce
        texts[number] = texts[number].replace(
            payload, payload.replace(nonce, f"{nonce[:-1]}{'0' if nonce[-1] != '0' else '1'}")
        )
        with pytest.raises(Damaged, match="damaged statements") as refused:
            replay("".join(texts), lambda _: game.scenario)
        assert re.match(rf"entry {number}\b", refused.value.where)


def test_an_entry_rewritten_by_the_other_side_names_itself(game: Duel) -> None:
    for number in range(2, len(game.blocks)):
        entry = parse_entry(game.blocks[number].payload)
        body = (*entry.body, Statement("say", ("changed",)))
        payload = build_entry(
            kind=entry.kind, game=entry.game, seq=entry.seq, prev=entry.prev, by=entry.by, nonce=entry.nonce,
            reveal=entry.reveal, state=entry.state, body=body,
        ).payload  # fmt: skip
        liar = game.genesis.other(entry.by).name
        for armor in (game.blocks[number].armor, signer(liar).sign(payload)):
            blocks = [*game.blocks[:number], Block(payload, armor), *game.blocks[number + 1 :]]
            with pytest.raises(BadSignature) as refused:
                replay("".join(map(render_block, blocks)), lambda _: game.scenario)
            assert f"entry {number}" in str(refused.value)


def test_entries_left_out_doubled_or_changed_over_are_noticed(game: Duel) -> None:
    texts = [render_block(block) for block in game.blocks]
    for number in range(1, len(texts) - 1):
        wrong = {
            "left out": [*texts[:number], *texts[number + 1 :]],
            "doubled": [*texts[: number + 1], *texts[number:]],
            "changed over": [*texts[:number], texts[number + 1], texts[number], *texts[number + 2 :]],
        }
        for what, parts in wrong.items():
            with pytest.raises(BadLog) as refused:
                read_turns("".join(parts))
            place = number + (what == "doubled")
            assert refused.value.where == f"entry {place}", what
            assert f"stands where {place} is due" in refused.value.what


def test_text_between_entries_is_refused(game: Duel) -> None:
    texts = [render_block(block) for block in game.blocks]
    for number in range(len(texts)):
        with pytest.raises(PbemError, match=f"entry {number}"):
            read_turns("".join([*texts[:number], "a note\n", *texts[number:]]))


def test_a_file_that_is_no_log_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Storage, match="can't be read") as missing:
        files.read_text(tmp_path / "game.log")
    assert str(tmp_path / "game.log") in str(missing.value)
    with pytest.raises(Storage, match="can't be read"):
        files.read_text(tmp_path)
    path = tmp_path / "game.log"
    path.write_bytes("one\ntwo\ndr\u00e9i\n".encode())
    with pytest.raises(Damaged, match="line 3"):
        files.read_text(path)
    path.write_bytes(b"x" * 11)
    assert files.read_text(path) == "x" * 11
    monkeypatch.setattr(files, "LIMIT", 10)
    with pytest.raises(Damaged, match="11 bytes are too many"):
        files.read_text(path)


# --- growing


def test_append_gives_the_new_text(log: Path, game: Duel) -> None:
    old = files.read_text(log)
    new = files.append(log, old, Turn.of(game.blocks[-1]))
    assert new == game.log == files.read_text(log)
    assert list(log.parent.iterdir()) == [log]
    assert files.fingerprint(new) != files.fingerprint(old)


def test_the_first_entry_makes_the_file_and_its_folder(tmp_path: Path, game: Duel) -> None:
    path = tmp_path / "a" / "b" / "game.log"
    assert files.append(path, "", Turn.of(game.offer)) == render_block(game.offer) == path.read_text()


def test_a_log_that_another_program_changed_is_left_alone(log: Path, game: Duel) -> None:
    old = files.read_text(log)
    log.write_text(game.log)
    with pytest.raises(BadLog, match="changed by another program"):
        files.append(log, old, Turn.of(game.blocks[-1]))
    assert files.read_text(log) == game.log


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_a_kill_before_any_line_leaves_the_old_log_or_the_new_one(log: Path, game: Duel) -> None:
    old = files.read_text(log)
    found: list[str] = []

    def append() -> object:
        return files.append(log, old, Turn.of(game.blocks[-1]))

    for step in moments(log.parent, [files], append):
        log.write_text(old)
        for left in log.parent.glob(".*.new"):  # each that is looked at would be some lines more
            left.unlink()
        assert killed_at(step, [files], append)
        found.append(files.read_text(log))
    assert len(found) > 3
    assert set(found) == {old, game.log}
    assert found == sorted(found, key=len), "once it is new it stays new"
    log.write_text(old)  # and what a kill left behind is no hindrance
    (log.parent / ".game.log.0123456789abcdef.new").write_text(game.log[:-1])
    assert files.append(log, old, Turn.of(game.blocks[-1])) == files.read_text(log)


@pytest.mark.parametrize("how", DISKS)
def test_a_disk_that_fails_changes_nothing(
    log: Path, game: Duel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    before = files_in(tmp_path)
    with monkeypatch.context() as patch:
        break_disk(patch, how)
        with pytest.raises(Storage, match="can't be written") as refused:
            files.append(log, files.read_text(log), Turn.of(game.blocks[-1]))
    assert str(log) in str(refused.value)
    assert files_in(tmp_path) == before
    files.append(log, files.read_text(log), Turn.of(game.blocks[-1]))
    assert files.read_text(log) == game.log


def test_a_folder_that_is_a_file_is_a_storage_error(tmp_path: Path, game: Duel) -> None:
    (tmp_path / "games").write_text("I am a file")
    with pytest.raises(Storage, match="can't be written"):
        files.append(tmp_path / "games" / "game.log", "", Turn.of(game.offer))
    assert files_in(tmp_path) == {"games": b"I am a file"}


def test_an_interrupt_leaves_no_scratch_file(log: Path, game: Duel, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    old = files.read_text(log)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            files.append(log, old, Turn.of(game.blocks[-1]))
    assert list(log.parent.iterdir()) == [log]
    assert files.read_text(log) == old


def test_a_folder_that_cannot_be_synced_is_no_failure(log: Path, game: Duel, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new log is in place by then: to say that nothing was written would be wrong."""
    real = os.fsync

    def sync(handle: int) -> None:
        if os.fstat(handle).st_mode & 0o040000:
            fails(22)()
        real(handle)

    monkeypatch.setattr(os, "fsync", sync)
    files.append(log, files.read_text(log), Turn.of(game.blocks[-1]))
    assert files.read_text(log) == game.log


# --- scratch files


@pytest.fixture
def no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def test_a_link_laid_where_the_scratch_file_will_be_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "precious").write_text("mine")
    target = tmp_path / "key.zip"
    monkeypatch.setattr(files.secrets, "token_hex", lambda size: "0" * 2 * size)
    for laid in ("precious", "nothing"):
        link = tmp_path / f".{target.name}.{'0' * 16}.new"
        link.symlink_to(laid)
        with pytest.raises(Storage, match="can't be written: File exists"):
            files.write_atomically(target, b"secret", 0o600)
        assert link.is_symlink(), "it isn't ours to delete"
        link.unlink()
        assert sorted(files_in(tmp_path).items()) == [("precious", b"mine")]
    files.write_atomically(target, b"secret", 0o600)
    assert target.read_bytes() == b"secret"


def test_no_two_scratch_files_have_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = []
    real = Path.replace

    def replace(self: Path, target: Path) -> Path:
        names.append(self.name)
        return real(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    for _ in range(20):
        files.write_atomically(tmp_path / "file", b"x")
    assert len(set(names)) == 20
    assert all(re.fullmatch(r"\.file\.[0-9a-f]{16}\.new", name) for name in names)


@pytest.mark.skipif(os.name == "nt", reason="needs modes")
@pytest.mark.usefixtures("no_umask")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644])
def test_a_file_has_its_mode_from_its_first_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int) -> None:
    """Even where the umask takes nothing away, and where a file is replaced that all may read and write."""
    target = tmp_path / "key"
    target.write_bytes(b"old")
    target.chmod(0o666)
    seen = []
    real = os.open

    def watched(path: Any, flags: int, *rest: int) -> int:
        handle = real(path, flags, *rest)
        if flags & os.O_CREAT:
            seen.append(os.fstat(handle).st_mode & 0o7777)
        return handle

    monkeypatch.setattr(os, "open", watched)
    files.write_atomically(target, b"new", mode)
    assert seen == [mode]
    assert target.stat().st_mode & 0o7777 == mode
    assert target.read_bytes() == b"new"


def test_what_kills_left_is_swept_after_an_hour(tmp_path: Path) -> None:
    target = tmp_path / "a.b"
    left = [tmp_path / f".a.b.{number:016x}.new" for number in range(6)]
    others = [tmp_path / name for name in (f".aXb.{1:016x}.new", f".a.b.{1:016x}", "a.b.new", f".b.{1:016x}.new", ".x")]
    for number, path in enumerate([*left, *others]):
        path.write_text("half")
        age = 3500 if number < 3 else 3700
        stamp = path.stat().st_mtime - age
        os.utime(path, (stamp, stamp))
    linked = tmp_path / f".a.b.{7:016x}.new"
    linked.symlink_to(others[0])
    files.write_atomically(target, b"whole")
    assert sorted(tmp_path.iterdir()) == sorted([target, *left[:3], *others, linked]), "the link itself is new"


def test_a_write_that_need_not_last_does_not_wait_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    files.write_atomically(tmp_path / "cache", b"x", durable=False)
    assert synced == []
    files.write_atomically(tmp_path / "log", b"x")
    assert len(synced) == 2, "the file and its folder"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
def test_two_programs_that_write_one_file_leave_one_of_the_two_whole(tmp_path: Path) -> None:
    target, size = tmp_path / "file", 300_000
    contents = [letter * size for letter in (b"a", b"b")]
    children = []
    for content in contents:
        child = os.fork()
        if child == 0:
            try:
                for _ in range(60):
                    files.write_atomically(target, content, durable=False)
            except BaseException:
                os._exit(1)
            os._exit(0)
        children.append(child)
    seen = set()
    while children:
        done, status = os.waitpid(-1, os.WNOHANG)
        if done:
            children.remove(done)
            assert status == 0
        if target.exists():
            seen.add(target.read_bytes())
    assert seen | {target.read_bytes()} <= set(contents)
    assert list(tmp_path.iterdir()) == [target]
