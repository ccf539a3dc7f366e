"""The parts of a message: all of them are read up to a limit in the whole, and never more bytes than ten messages."""

from __future__ import annotations

import base64
from collections.abc import Callable

import pytest

from pbem.mail import mime
from pbem.mail.mime import DEPTH_MAX, MESSAGE_MAX, PARTS_MAX, Leaf, leaves

HEAD = b"From: asuka@example.org\n"
TOO_MANY = Leaf("", "more than 200 parts")


def multipart(name: str, *parts: bytes) -> bytes:
    boundary = name.encode()
    body = b"".join(b"--%s\n%s\n" % (boundary, part) for part in parts)
    return b"Content-Type: multipart/mixed; boundary=%s\n\n%s--%s--\n" % (boundary, body, boundary)


def attached(message: bytes, encoding: bytes = b"") -> bytes:
    kind = b"Content-Type: message/rfc822\n"
    if encoding:
        return kind + b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(message)
    return kind + b"\n" + message


def tree(depth: int, width: int, core: bytes = b"\nx\n") -> bytes:
    """So many parts, each of so many parts, and so on; no larger than a message may be."""
    if depth == 0:
        return core
    inner = tree(depth - 1, width, core)
    return multipart(f"b{depth}", *[inner] * min(width, max(1, MESSAGE_MAX // (len(inner) + 8) - 1)))


class Work:
    """What `leaves` did: parts opened, and bytes of them, of what was decoded and of what was searched for parts."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.parts = self.bytes = 0
        real = mime.split_message

        def split(raw: bytes) -> tuple[bytes, bytes]:
            self.parts += 1
            self.bytes += len(raw)
            return real(raw)

        patch.setattr(mime, "split_message", split)


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    return Work(monkeypatch)


def test_the_last_part_that_is_read_and_the_first_that_is_not(work: Work) -> None:
    texts = [f"\nnumber {number}".encode() for number in range(PARTS_MAX + 1)]
    found = list(leaves(HEAD + multipart("b", *texts[:-1])))
    assert [leaf.text.strip() for leaf in found] == [f"number {number}" for number in range(PARTS_MAX)]
    found = list(leaves(HEAD + multipart("b", *texts)))
    assert len(found) == PARTS_MAX + 1
    assert found[-1] == TOO_MANY


def test_parts_of_all_levels_and_attached_messages_are_counted_together() -> None:
    def message(first: int) -> bytes:
        return HEAD + multipart("in", *[b"\nx"] * first)

    # an attachment, the multipart message in it, and its parts
    fits = HEAD + multipart("out", attached(message(97)), attached(message(98)), b"\nlast")
    assert [leaf.text.strip() for leaf in leaves(fits)] == ["x"] * 195 + ["last"]
    more = HEAD + multipart("out", attached(message(98)), attached(message(98)), b"\nlast")
    found = list(leaves(more))
    assert [leaf.text.strip() for leaf in found[:-1]] == ["x"] * 196
    assert found[-1] == TOO_MANY


BOMBS: dict[str, Callable[[], bytes]] = {
    "200 of 200 of 200": lambda: tree(3, 200),
    "7 of 7 of 7 and so on": lambda: tree(9, 7),
    "200 of 200 attached messages": lambda: tree(2, 200, attached(HEAD + b"\nx\n")),
    "attached messages of 200 parts": lambda: multipart("o", *[attached(HEAD + tree(1, 200))] * 200),
    "too deep, and wide there": lambda: tree(12, 3),
    "a digest of digests": lambda: (
        HEAD + b"".join(b"Content-Type: multipart/digest; boundary=b%d\n\n--b%d\n\n" % (n, n) for n in range(40_000))
    )[:MESSAGE_MAX],
    "one boundary for all": lambda: (HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" * 40_000)[
        :MESSAGE_MAX
    ],
    "base64 within base64": lambda: _layers(attached),
    "parts around base64 within base64": lambda: _layers(lambda inner, how: multipart("b", attached(inner, how))),
}


def _layers(around: Callable[[bytes, bytes], bytes]) -> bytes:
    inner = b"\n" + b"x" * 80_000
    while len(base64.encodebytes(inner)) < MESSAGE_MAX - 1000:
        inner = around(inner, b"base64")
    return inner


@pytest.mark.parametrize("name", BOMBS)
def test_the_work_for_a_message_is_bounded_by_its_size(name: str, work: Work) -> None:
    raw = BOMBS[name]()
    assert len(raw) <= MESSAGE_MAX
    found = list(leaves(raw))
    assert 1 <= len(found) <= PARTS_MAX + 1
    assert work.parts <= PARTS_MAX + 1
    assert work.bytes <= DEPTH_MAX * len(raw)
    assert sum(len(leaf.text) for leaf in found) <= len(raw)
    assert any(leaf.damage for leaf in found), "what is left out is told"


@pytest.mark.parametrize("size", [20, 200, 2000])
def test_what_is_read_does_not_grow_with_the_bomb(size: int, work: Work) -> None:
    """The parts that are opened are the same number, whatever each of 200 holds."""
    raw = HEAD + multipart("o", *[multipart("i", *[b"\nx"] * size)] * 200)
    assert list(leaves(raw))[-1] == TOO_MANY
    assert work.parts == PARTS_MAX + 1
