"""A folder of large mails takes no more memory than a few of them: mails are read and dropped one at a time."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_player import World
from toy.players import Post, mail, signer

from pbem.cli.compare import sources
from pbem.cli.opening import _letters as letters
from pbem.desk.arrival import open_all
from pbem.desk.letter import read_letter
from pbem.mail.inbox import examine
from pbem.wire.blocks import Block, render_block
from pbem.wire.entry import _sums

FENCE = "-----BEGIN PBEM TURN-----\n"
_LINES = ["pbem 1;\n"]
PAYLOAD = f"{''.join(_LINES)}{' '.join(['end', '1', *_sums(_LINES)])};\n".encode()
NO_TURN = render_block(Block(PAYLOAD, signer("mallory").sign(PAYLOAD)))
"""A block that is whole, but whose words are no entry."""
MAILS = {
    "fences": FENCE * 800,
    "words": "Nothing of a game stands here.\n" * 800,
    "a whole block that is no turn": NO_TURN + "and many words\n" * 1200,
}
"""What a mail holds: 20 kB."""


def peak(work: Callable[[], object]) -> int:
    """Bytes that are held at once while the work is done."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def folder(path: Path, text: str, count: int) -> str:
    """A folder of mails."""
    path.mkdir()
    for number in range(count):
        (path / f"{number:02}.eml").write_text(f"From: spam@example.org\nSubject: x\n\n{text}")
    return str(path)


@pytest.mark.parametrize("text", MAILS.values(), ids=MAILS)
def test_thirty_large_mails_are_read_in_the_memory_of_three(text: str, tmp_path: Path) -> None:
    """Before, each was kept whole, with an error for every fence: 40 mails of 1 MiB took 970 MiB."""
    few, many = (folder(tmp_path / str(count), text, count) for count in (3, 30))
    turn = Path(many) / "turn.eml"
    turn.write_text(f"From: a@example.org\n\n{FENCE}")  # one that is broken is always among them

    def opened(source: str) -> object:
        try:
            return letters((source,))
        except Exception:  # none of three holds a turn
            return None

    for read in (opened, sources):
        read(few)
        assert peak(lambda read=read: read(many)) < 1.1 * peak(lambda read=read: read(few)) + 30_000  # type: ignore[misc]


def test_of_a_mail_a_few_damaged_blocks_are_told(post: Post) -> None:
    """A whole turn behind any number of broken ones is found all the same."""
    post.begun()
    block = post.send("anna", "rest;")
    broken = mail(block)._replace(texts=(FENCE * 20 + render_block(block) + FENCE * 20,))
    blocks, damaged = examine(broken)
    assert (blocks, len(damaged)) == ([block], 8)
    assert "line 1" in damaged[0].where
    letter = read_letter(broken)
    assert letter.mail == broken._replace(texts=())
    receipts, refused = open_all(post.desk("ben"), [letter])
    assert ([receipt.what for receipt in receipts], refused) == (["taken"], [])


def test_what_is_kept_of_a_refused_letter_holds_no_frames(post: Post) -> None:
    post.begun()
    letter = read_letter(mail()._replace(texts=(NO_TURN,)))
    assert letter.unreadable is not None
    assert letter.unreadable.__traceback__ is None
    _, (refused,) = open_all(post.desk("ben"), [letter])
    assert (refused.__traceback__, refused.__context__, refused.__cause__) == (None, None, None)


def test_many_broken_mails_are_told_in_few_lines(tmp_path: Path) -> None:
    world = World(tmp_path, "opened")
    broken = "From x@example.org Sat Nov 21 11:00:00 2026\nFrom: x@example.org\n\n-----BEGIN PBEM TURN-----\nx\n\n"
    said = world.says("ben", "open", world.write("inbox", broken * 300))
    lines = said.err.splitlines()
    assert said.code == 1
    assert lines[-1] == "pbem: and 280 more"
    assert len(lines) == 21
