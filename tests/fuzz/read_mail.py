"""Targets: mails and the turns in their texts."""

from __future__ import annotations

import io

from mail import mail_damage

from fuzz.target import GAMES, HARMFUL, Target, log_of, told
from pbem.errors import Damaged
from pbem.mail.inbox import examine, read_mails
from pbem.wire.blocks import Block, find_blocks, read_log_blocks, render_block, scan_blocks
from pbem.wire.entry import canonical_bytes, parse_entry

__all__ = ["MAIL_WORDS", "TARGETS"]


def _mail_seeds() -> list[bytes]:
    blocks = read_log_blocks((GAMES / "all-words.log").read_text("ascii"))
    short = render_block(min(blocks, key=lambda block: len(block.payload)))
    return [damage(short) for damage in mail_damage.DAMAGES]


def _read_mail(data: bytes) -> None:
    for mail in read_mails("-", io.BytesIO(data)):
        for line in mail[1:6]:
            assert not HARMFUL.search(line), line
        assert not HARMFUL.search(mail.not_read), mail.not_read
        blocks, damaged = examine(mail)
        for problem in damaged:
            told(problem)
        for block in blocks:
            _stays(block)


def _stays(block: Block) -> None:
    """A block that was found is found again as it was written."""
    assert find_blocks(render_block(block)) == [block]
    assert canonical_bytes(block.payload.decode("ascii")) == block.payload
    try:
        parse_entry(block.payload)
    except Damaged as problem:
        told(problem)


def _read_text(data: bytes) -> None:
    for found in scan_blocks(data.decode("utf-8", "surrogateescape")):
        if isinstance(found, Block):
            _stays(found)
        else:
            told(found)


MAIL_WORDS = (
    b"From: ", b"Content-Type: ", b"multipart/mixed; boundary=b", b"boundary=\"\"", b"charset=utf-16", b"charset=hz",
    b"charset=utf-32", b"charset=iso2022_kr", b"text/html", b"message/rfc822", b"multipart/digest",
    b"format=flowed; delsp=yes", b"Content-Transfer-Encoding: base64\n",
    b"Content-Transfer-Encoding: quoted-printable\n", b"\n\n", b"--b\n", b"--b--\n", b"=?utf-8?q?=1b?=", b"=?x?b?!?=",
    b"=?idna?q?xn--?=", b"=?unicode_escape?q?\\q?=", b"=?utf-16?b?AA==?=", b"boundary*0*=''%",
    b"From a@b 10:00 2026\n", b">From ", b"-----BEGIN PBEM TURN-----", b"-----END PBEM TURN-----",
    b"-----BEGIN PBEM DRAFT-----", b"-----BEGIN SSH SIGNATURE-----", b"-----END SSH SIGNATURE-----", b"- -----",
    b"<!--", b"<svg>", b"</svg>", b"<script>", b"</script>", b"<![CDATA[", b"<!x[", b"&#x110000;", b"&#0;", b"&nbsp;",
    b"<br>", b"=\n", b"=3D", b"> ", b"| ", b"end 1 ", b";",
)  # fmt: skip


TARGETS = {
    "mail": Target(_read_mail, Damaged, _mail_seeds, MAIL_WORDS, 1500),
    "text": Target(_read_text, Damaged, lambda: [log_of("asked", 1), log_of("asked", 3)], MAIL_WORDS, 500),
}
