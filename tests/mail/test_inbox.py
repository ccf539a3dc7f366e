"""Mail: every damage that leaves a turn readable gives the same bytes; every other gives Damaged with its place."""

from __future__ import annotations

import base64
import email
import email.policy
import io
import tracemalloc
from email.message import EmailMessage
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st
from letters import blocks_of
from mail import mail_damage
from mail.mail_damage import DAMAGES, Damage, mail
from toy.players import private_key
from yardstick import within

from pbem.crypto import sshsig
from pbem.desk.letter import read_letter
from pbem.errors import Damaged, PbemError, Storage
from pbem.mail import mime
from pbem.mail.inbox import Mail, examine, read_mails
from pbem.mail.outbox import compose
from pbem.wire.blocks import Block, find_blocks, render_block
from pbem.wire.entry import build_entry
from pbem.wire.statements import Statement

BODY = [
    Statement("move", ("sg-07", "1204", "1205")),
    Statement("attack", ("1405", "from", "1404", "1305", "with", "1/2-Pz", "office-1")),
    Statement("say", ("don't", "wait", "at", "the", "ford", "From", "now", "on", "we", "cross", "where", "we", "can")),
    *(Statement("fire", (f"u{i}", "at", f"v{i}")) for i in range(20)),
    Statement("done", ()),
]


def make_block(seq: int = 14) -> Block:
    payload = build_entry(
        kind="orders",
        game="3f" * 32,
        seq=seq,
        prev="9a" * 32,
        by="axis",
        nonce="000102030405060708090a0b0c0d0e0f",
        reveal=(6, "b8" * 32),
        state="77" * 32,
        body=BODY,
    ).payload
    letters = base64.b64encode(bytes((i * 7 + seq) % 256 for i in range(179))).decode()
    lines = [letters[at : at + 70] for at in range(0, len(letters), 70)]
    return Block(payload, "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""]))


BLOCK = make_block()
RENDERED = render_block(BLOCK)


def read(raw: bytes) -> list[Mail]:
    return list(read_mails("-", io.BytesIO(raw)))


def read_one(raw: bytes) -> Mail:
    (only,) = read(raw)
    return only


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_same_bytes_after(damage: Damage) -> None:
    raw = damage(RENDERED)
    assert blocks_of(read_one(raw)) == [BLOCK]
    assert raw != RENDERED.encode() or damage is mail_damage.bare_text


@pytest.mark.parametrize("outer", [mail_damage.wrapped_72, mail_damage.html_only, mail_damage.quoted_printable])
@pytest.mark.parametrize("inner", [mail_damage.quoted_without_blank, mail_damage.crlf, mail_damage.dash_escaped])
def test_same_bytes_after_two_damages(inner: Damage, outer: Damage) -> None:
    text = read_one(inner(RENDERED)).texts[0]
    assert blocks_of(read_one(outer(text))) == [BLOCK]


def test_there_are_more_than_25_damages() -> None:
    assert len({damage(RENDERED) for damage in DAMAGES}) == len(DAMAGES) >= 25


# What is said about a turn that can't be read.

HARMS = [
    ("digit changed", lambda t: t.replace("u9 at", "u8 at"), "damaged statements: 17-24"),
    ("line lost", lambda t: t.replace("fire u9 at v9;\n", ""), "33 statements were signed, 32 arrived"),
    ("line doubled", lambda t: t.replace("fire u9 at v9;\n", "fire u9 at v9;\n" * 2), "33 statements were signed, 34"),
    ("cut off", lambda t: t[: t.index("fire u9")], "cut off after 21 statements"),
    ("cut in a token", lambda t: t.replace("sg-07", "sg- 07"), "damaged statements: 9-16"),
    (
        "cyrillic o",
        lambda t: t.replace("move", "m\u043eve"),
        "statement 10: the keyword 'm\u043eve' holds U+043E (CYR",
    ),
    ("nested", lambda t: t.replace("fire u9", "-----BEGIN PBEM TURN-----\nfire u9"), "another -----BEGIN PBEM TURN"),
    ("no signature", lambda t: t[: t.index("-----BEGIN SSH")], "the signature is missing"),
    ("half a signature", lambda t: t[:-40], "the signature is cut off"),
    (
        "text put in",
        lambda t: t.replace("fire u9", "Scanned: no virus\nfire u9"),
        "statement 22: the keyword 'Scanned:' holds S",
    ),
    (
        "text before END",
        lambda t: t.replace("-----END PBEM", "sent by phone\n-----END PBEM"),
        "text after the last ';'",
    ),
    ("no END", lambda t: t.replace("-----END PBEM TURN-----\n", ""), "where -----END PBEM TURN----- must be"),
    ("no BEGIN", lambda t: t.replace("-----BEGIN PBEM TURN-----\n", ""), "-----END PBEM TURN----- without its BEGIN"),
    (
        "draft fence",
        lambda t: t.replace("END PBEM TURN", "END PBEM DRAFT"),
        "-----END PBEM DRAFT----- after 34 statements",
    ),
]


@pytest.mark.parametrize(("harm", "message"), [case[1:] for case in HARMS], ids=[case[0] for case in HARMS])
def test_damage_is_told_with_its_place(harm: object, message: str) -> None:
    assert callable(harm)
    raw = mail(mail_damage.PROSE + harm(RENDERED))
    with pytest.raises(Damaged) as caught:
        blocks_of(read_one(raw))
    assert message in caught.value.what
    assert caught.value.where.startswith("standard input, turn block at line ")


def test_a_draft_is_no_turn() -> None:
    assert blocks_of(read_one(mail(RENDERED.replace("PBEM TURN", "PBEM DRAFT")))) == []


def test_whole_copy_beats_damaged_copy() -> None:
    broken = RENDERED.replace("u9 at", "u8 at")
    raw = mail_damage._multipart("alternative", ("text/plain", broken), ("text/html", RENDERED.replace("\n", "<br>")))
    blocks, damaged = examine(read_one(raw))
    assert blocks == blocks_of(read_one(raw)) == [BLOCK]
    assert [found.what for found in damaged] == ["damaged statements: 17-24"]


def test_two_turns_are_both_listed_once() -> None:
    other = make_block(seq=12)
    text = render_block(BLOCK) + "\n> " + render_block(other).replace("\n", "\n> ") + "\n" + render_block(BLOCK)
    assert blocks_of(read_one(mail(text))) == [BLOCK, other]


def test_copies_of_one_turn_count_once_whatever_their_signature() -> None:
    again = render_block(BLOCK._replace(armor=make_block(12).armor))
    assert blocks_of(read_one(mail(RENDERED + again))) == [BLOCK]
    assert len(examine(read_one(mail(RENDERED + again + RENDERED)))[0]) == 2, "each signature is there once"


def copy_by(found: Mail, key: bytes) -> Block:
    """The copy of a mail's turn that this key signed, or the first."""
    letter = read_letter(found)
    return letter.rightly_signed(letter.turns()[0], [key]).block


def test_any_copy_whose_signature_holds_is_the_turn() -> None:
    mine, other = private_key("axis"), private_key("mallory")
    payload = BLOCK.payload
    good, bad = (Block(payload, sshsig.sign(key, payload)) for key in (mine, other))
    torn = Block(payload, make_block(12).armor)
    public = sshsig.blob_from_raw(mine.public_key().public_bytes_raw())
    for blocks in ([good, bad, torn], [bad, good, torn], [torn, bad, good]):
        found = read_one(mail("\n".join(map(render_block, blocks))))
        assert copy_by(found, public) == good
    found = read_one(mail(render_block(bad) + render_block(torn)))
    assert copy_by(found, public) == bad, "none holds, and the first says why"
    stranger = make_block(seq=13)
    text = render_block(bad) + render_block(Block(stranger.payload, sshsig.sign(mine, stranger.payload)))
    found = read_one(mail(text))
    assert copy_by(found, public) == bad, "another turn is no copy"


def test_a_copy_is_tried_with_the_key_alone_that_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mail of 2,900 badly signed copies was tried with each of a player's hundred keys: 3.1 seconds for 1 MB."""
    keys = [Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in range(1, 10)]
    blobs = [sshsig.blob_from_raw(key.public_key().public_bytes_raw()) for key in keys]
    payload = BLOCK.payload
    bad = [Block(payload, sshsig.armor(blobs[0], sshsig.NAMESPACE, bytes([n]) * 64)) for n in range(20)]
    good = [Block(payload, sshsig.sign(key, payload)) for key in keys]
    letter = read_letter(read_one(mail("\n".join(map(render_block, [*bad, good[2], good[1]])))))
    tried: list[str] = []
    real = sshsig.verify
    monkeypatch.setattr(sshsig, "verify", lambda *words: (tried.append(words[1]), real(*words))[1])
    turn = letter.turns()[0]
    assert letter.rightly_signed(turn, blobs[3:]).block == bad[0]
    assert tried == []
    assert letter.rightly_signed(turn, [*blobs[3:], *blobs[1:]]).block == good[1], "the keys count in order"
    assert tried == [good[1].armor]
    assert letter.rightly_signed(turn, blobs).block == good[1]
    assert tried[1:] == [*(block.armor for block in bad), good[1].armor]


ESCAPES = ("- ", "-  ", "- - ", "- - - ", "-\n", "-\t", "- \n> - \n> ", "-\u00a0", "- " * 9)


@pytest.mark.parametrize("escape", ESCAPES)
def test_dash_escapes_are_undone(escape: str) -> None:
    """Once or often, wrapped and quoted: signed mails were signed and quoted again."""
    text = RENDERED.replace("-----BEGIN", f"{escape}-----BEGIN").replace("-----END", f"{escape}-----END")
    assert blocks_of(read_one(mail(mail_damage.PROSE + text))) == [BLOCK]


@pytest.mark.parametrize("escape", ["-", "--", "- x ", "_ ", "- " * 10, "-- - "])
def test_what_is_no_dash_escape_is_text(escape: str) -> None:
    text = RENDERED.replace("-----BEGIN SSH", f"{escape}-----BEGIN SSH")
    with pytest.raises(Damaged, match="text between the turn and its signature"):
        blocks_of(read_one(mail(text)))
    with pytest.raises(Damaged):
        blocks_of(read_one(mail(RENDERED.replace("-----END PBEM", f"{escape}-----END PBEM"))))


PDF, TNEF = b"%PDF-1.7\n%\xe2\xe3\n", b"\x78\x9f\x3e\x22\x01\x00"


def enclosing(*parts: tuple[str, bytes]) -> bytes:
    """A mail with a short text and these parts, each with its type."""
    built = EmailMessage()
    built["From"] = "axis@example.org"
    built.set_content("See the file.\n")
    for kind, content in parts:
        main, _, sub = kind.partition("/")
        built.add_attachment(content, maintype=main, subtype=sub, filename="turn")
    return bytes(built)


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ((), ""),
        ((("application/octet-stream", b"hello"),), ""),
        ((("application/pdf", PDF),), "1 part application/pdf was not read"),
        ((("application/octet-stream", PDF),), "1 part application/pdf was not read"),
        ((("application/ms-tnef", TNEF),), "1 part winmail.dat was not read"),
        (
            (("application/pdf", PDF), ("application/octet-stream", TNEF)),
            "1 part application/pdf, 1 part winmail.dat were not read",
        ),
        ((("image/png", b"x"),) * 3, "3 parts image/png were not read"),
        ((("image/png", b"x"), ("application/zip", b"PK")), "1 part image/png, 1 part application/zip were not read"),
        (tuple((f"image/x{n}", b"x") for n in range(9)), None),
    ],
)
def test_parts_that_are_not_read_are_named(parts: tuple[tuple[str, bytes], ...], told: str | None) -> None:
    found = read_one(enclosing(*parts))
    assert blocks_of(found) == []
    if told is None:
        assert found.not_read.endswith(", 1 part image/x3, others were not read")
        return
    assert found.not_read == told


def test_a_turn_beside_what_is_not_read_is_found() -> None:
    raw = enclosing(("application/pdf", PDF), ("application/octet-stream", RENDERED.encode()))
    assert blocks_of(read_one(raw)) == [BLOCK]


def test_a_file_that_is_no_mail_and_no_text_says_what_it_is() -> None:
    assert read_one(PDF).not_read == "1 part application/pdf was not read"
    assert read_one(b"hello").not_read == ""


# Texts.


def text_of(content_type: str, text: str) -> str:
    (only,) = read_one(mail(text, content_type)).texts
    return only


def test_flowed_lines_join_within_one_quote_depth() -> None:
    kind = "text/plain; format=flowed; delsp=yes"
    assert text_of(kind, "one \ntwo\n> three \n> four \nfive\n-- \nsix\n") == "onetwo\n> threefour\nfive\n-- \nsix\n"
    assert text_of("text/plain; format=flowed", "one \ntwo\n") == "one \ntwo\n"
    assert text_of("text/plain; delsp=yes", "one \ntwo\n") == "one \ntwo\n"


def test_html_is_what_its_reader_sees() -> None:
    page = "<title>t</title><style>p{}</style><p>a<b>b</b>&amp;c<script>x()</script><td>d<br>e<!-- f -->"
    assert text_of("text/html", page) == "t\nab&c d\ne\n"
    broken = text_of("text/html", "<p>a<![spam[ b ]]>" + RENDERED.replace("\n", "<br>"))
    assert find_blocks(broken) == [BLOCK]
    assert text_of("text/html", "<p>a&#" + "9" * 5000 + ";b</p>c").split()[-1] == "c"


def test_html_of_more_than_50000_tags_is_taken_as_text() -> None:
    assert text_of("text/html", "<i>" * 50_000 + "a") == "a\n"
    assert text_of("text/html", "<i>" * 50_001 + "a") == "<i>" * 50_001 + "a"


def test_from_line_among_the_headers() -> None:
    raw = mail_damage.base64_encoded(RENDERED)
    assert blocks_of(read_one(b"Received: x\n>From me Sat Nov 21\n" + raw)) == [BLOCK]


@pytest.mark.parametrize("subject", ["=?utf-8?b?A?=", "=?x-nobody-knows?q?a?=", "=?utf-16?b?AA==?=", "=?idna?q?=FF?="])
def test_a_subject_that_cannot_be_decoded_is_shown(subject: str) -> None:
    assert read_one(f"Subject: {subject}\n\n".encode() + RENDERED.encode()).subject


# Files, folders, mailboxes.


def test_headers_as_a_person_reads_them() -> None:
    raw = b"From: =?utf-8?q?J=C3=BCrgen?= <j@example.org>\nTo: a@example.org\nSubject: a\n b\x1b[31m\n"
    raw += b"Date: x\nMessage-ID: <1@x>\n\n"
    found = read_one(raw + RENDERED.encode())
    assert (found.sender, found.to, found.subject) == ("J\u00fcrgen <j@example.org>", "a@example.org", "a b [31m")
    assert (found.date, found.message_id, found.source) == ("x", "<1@x>", "standard input")


def test_mbox_of_three(tmp_path: Path) -> None:
    ordinary = b"From x Sat Nov 21 10:00:00 2026\r\n" + mail("no turn\nFrom afar\n\nFrom the hill; we look.\n") + b"\n"
    big = b"From x Sat Nov 21 10:00:00 2026\n" + mail("p" * (3 << 20)) + b"\n\n"
    box = tmp_path / "inbox"
    box.write_bytes(ordinary + big + mail_damage.mbox(RENDERED))
    found = list(read_mails(str(box)))
    assert [mail.source for mail in found] == [f"{box}:{n}" for n in (1, 2, 3)]
    assert "From the hill; we look." in found[0].texts[0]
    assert (found[1].texts, found[1].damage, found[1].subject) == ((), "3.0 MiB, a message may have 2", "turn")
    with pytest.raises(Damaged, match=r"inbox:2: 3\.0 MiB"):
        blocks_of(found[1])
    assert [blocks_of(found[0]), blocks_of(found[2])] == [[], [BLOCK]]


def test_mbox_is_cut_only_behind_an_empty_line() -> None:
    first = b"From x Sat Nov 21 10:00:00 2026\n"
    text = "\nFrom here on\n>From here on\ntext\n" + first.decode() + "text\n" + "y" * (1 << 16) + "\n" + first.decode()
    found = read(first + mail(text.replace("\nFrom here", "\n>From here", 1)) + b"\n" + first + mail("two"))
    assert [one.source for one in found] == ["standard input:1", "standard input:2"]
    assert found[0].texts[0].startswith("\nFrom here on\nFrom here on\ntext\nFrom x Sat")


def test_a_large_message_in_an_mbox_is_not_kept() -> None:
    stream = io.BytesIO(b"From x Sat Nov 21 10:00:00 2026\n" + mail("x" * 999 + "\n") + b"x" * (16 << 20))
    tracemalloc.start()
    (found,) = read_mails("-", stream)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.damage.startswith("16.0 MiB")
    assert peak < 8 << 20


def test_folder_and_maildir(tmp_path: Path) -> None:
    for name in ("new", "cur", "tmp"):
        (tmp_path / "box" / name).mkdir(parents=True)
        (tmp_path / "box" / name / f"1.{name}").write_bytes(mail_damage.crlf(RENDERED))
    (tmp_path / "box" / "cur" / ".hidden").write_bytes(b"x")
    assert [Path(found.source).name for found in read_mails(str(tmp_path / "box"))] == ["1.cur", "1.new"]
    plain = tmp_path / "plain"
    (plain / "sub").mkdir(parents=True)
    (plain / "b.txt").write_text(RENDERED)
    (plain / "a.eml").write_bytes(mail("x" * (3 << 20)))
    (plain / "c.eml").write_bytes(b"")
    found = list(read_mails(str(plain)))
    assert [Path(mail.source).name for mail in found] == ["a.eml", "b.txt", "c.eml"]
    assert found[0].damage.startswith("3.0 MiB")
    assert [blocks_of(mail) for mail in found[1:]] == [[BLOCK], []]


def test_unreadable_is_storage(tmp_path: Path) -> None:
    with pytest.raises(Storage, match=r"nowhere\.eml: No such file"):
        list(read_mails(str(tmp_path / "nowhere.eml")))
    with pytest.raises(Storage, match="no file can have this name"):
        list(read_mails("a\0b"))


def test_a_large_file_is_refused_unread(tmp_path: Path) -> None:
    large = tmp_path / "large.eml"
    with large.open("wb") as stream:
        stream.truncate(50 << 20)
    with within(50), pytest.raises(Damaged, match=r"large\.eml: 50\.0 MiB, a message may have 2"):
        list(read_mails(str(large)))
    endless = io.BytesIO(b"x" * (2 << 20) + b"y" * 1000)
    with pytest.raises(Damaged, match="standard input: more than 2 MiB"):
        list(read_mails("-", endless))
    assert endless.tell() == (2 << 20) + 1


def test_part_limit_is_1_mib() -> None:
    exact = "x" * ((1 << 20) - len(RENDERED) - 1) + "\n" + RENDERED
    assert blocks_of(read_one(mail(exact))) == [BLOCK]
    with pytest.raises(Damaged, match="a text/plain part of 1048577 bytes, at most 1048576 are read"):
        blocks_of(read_one(mail("x" + exact)))
    photo = ("application/octet-stream", "x" * ((1 << 20) + 1))
    assert blocks_of(read_one(mail_damage._multipart("mixed", photo, ("text/plain", RENDERED)))) == [BLOCK]
    assert blocks_of(read_one(mail_damage._multipart("mixed", photo, ("text/plain", "no turn")))) == []


# Hostile bytes.

M = 1 << 20
NESTED = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (i, i) for i in range(3000))
BOMBS = {
    "line ends": b"From: x\n\n" + b"\n" * (2 * M - 20),
    "headers": b"a: b\n" * (2 * M // 5),
    "one header": b"From: " + b"(" * (2 * M - 10),
    "encoded words": b"Subject: " + b"=?a?q?" * (2 * M // 6 - 10),
    "parameters": b"From: x\nContent-Type: text/plain; " + b'a="x;' * 20000 + b"\n\n",
    "nested parts": NESTED + b"\n" * (2 * M - len(NESTED)),
    "many parts": b'From: x\nContent-Type: multipart/mixed; boundary="b"\n\n' + b"--b\n\n" * (2 * M // 5 - 20),
    "open fences": b"From: x\n\n" + b"-----BEGIN PBEM TURN-----\n" * 40000,
    "fence words": b"From: x\n\n" + b"-----BEGIN " * 95000,
    "dashes": b"From: x\n\n" + b"-" * (M - 10),
    "semicolons": b"From: x\n\n-----BEGIN PBEM TURN-----\n"
    + b";" * (M - 200)
    + b"\n-----END PBEM TURN-----\n"
    + b"-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----",
    "quote marks": b"From: x\n\n" + b"> |" * (M // 3 - 10),
    "combining marks": b"From: x\nContent-Type: text/plain; charset=utf-8\n\n"
    + "\u0301\u0316".encode() * (M // 4 - 10),
    "long ligatures": b"From: x\nContent-Type: text/plain; charset=utf-8\n\n" + "\ufdfa".encode() * (M // 3 - 10),
    "open tags": b"From: x\nContent-Type: text/html\n\n" + b"<a " * (M // 3 - 10),
    "closed tags": b"From: x\nContent-Type: text/html\n\n" + b"<a>" * 49_000 + b"x" * 800_000,
    "open comments": b"From: x\nContent-Type: text/html\n\n" + b"<!--" * 49_000 + b"x" * 800_000,
    "open marked sections": b"From: x\nContent-Type: text/html\n\n" + b"<![CDATA[" * 49_000,
    "open scripts": b"From: x\nContent-Type: text/html\n\n<script>" + b"</script " * 49_000,
    "attributes": b"From: x\nContent-Type: text/html\n\n<a " + b"b='" * 300_000 + b">",
    "equal signs": b"From: x\nContent-Type: text/html\n\n<a " + b"= " * 500_000 + b">",
    "references": b"From: x\nContent-Type: text/html\n\n" + b"&#" + b"9" * 900_000 + b";",
    "ampersands": b"From: x\nContent-Type: text/html\n\n" + b"&" * (M - 10),
    "from lines": b"From x 10:10:10 2026\n" + b"From x 10:10 2026 \n\n" * 50_000,
    "qp": b"From: x\nContent-Transfer-Encoding: quoted-printable\n\n" + b"=" * (M - 10),
    "delsp": b"From: x\nContent-Type: text/plain; format=flowed; delsp=yes\n\n" + b"> \n" * (M // 3 - 10),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_read_in_bounded_time(name: str) -> None:
    with within(250):
        for found in read(BOMBS[name]):
            assert examine(found)[0] == []


@settings(max_examples=150)
@given(st.binary(max_size=300))
def test_any_bytes_give_mails_or_damaged(raw: bytes) -> None:
    for start in (b"", b"From: x\n", b"From x 10:10:10 2026\n", b"From: x\nContent-Type: text/html; "):
        assert all(examine(found)[0] == [] for found in read(start + raw))


SAMPLES = [damage(RENDERED) for damage in DAMAGES]


@settings(max_examples=400)
@given(st.sampled_from(SAMPLES), st.data())
def test_random_byte_damage_never_gives_another_turn(sample: bytes, data: st.DataObject) -> None:
    raw = bytearray(sample)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    for found in read(bytes(raw)):
        try:
            blocks = blocks_of(found)
        except Damaged:
            continue
        assert {block.payload for block in blocks} <= {BLOCK.payload}


@pytest.mark.parametrize("charset", ["utf-7", "unicode_escape", "punycode", "base64", "rot13", "utf-16", "x\\0y"])
def test_no_charset_gives_more_than_text(charset: str) -> None:
    raw = mail(RENDERED.replace("u9 at", "+2AA-\\ud800 at"), f"text/plain; charset={charset}")
    found = read_one(raw)
    assert not any("\ud800" <= letter <= "\udfff" for text in found.texts for letter in text)
    assert examine(found)[0] == []


# Outgoing mail.

REPORT = (
    "Turn 7, dawn.\n\nYour cavalry (1405) is disordered; "
    + "a long line goes on and on " * 5
    + "\n\u5fb3\u5ddd\n.\nFrom afar\n"
)


def composed(**changes: str | None) -> bytes:
    given: dict[str, str | None] = {
        "sender": "J\u00fcrgen M. <j@example.org>",
        "to": "allies@example.org",
        "subject": "Toba-Fushimi, turn 7: your move \u2014 " + "and so on " * 10,
        "text": REPORT,
        "html": "<html><body><p>Turn 7, dawn.</p></body></html>",
        "block": RENDERED,
        "in_reply_to": "<" + "a" * 90 + "@example.org>",
        "date": "Sat, 21 Nov 2026 10:00:00 +0000",
        "message_id": "<turn-14@example.org>",
        "attachment_name": "turn-14.pbem.txt",
    }
    return compose(**(given | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("html", [None, "<p>Turn 7</p>"])
@pytest.mark.parametrize("text", ["", "plain\n", REPORT])
def test_composed_mail_reads_back(html: str | None, text: str) -> None:
    raw = composed(html=html, text=text)
    found = read_one(raw)
    assert blocks_of(found) == [BLOCK]
    assert sum(find_blocks(part) == [BLOCK] for part in found.texts) == 2
    assert raw == composed(html=html, text=text)
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert max(map(len, raw.split(b"\r\n"))) <= 120
    assert (found.sender, found.message_id) == ("J\u00fcrgen M. <j@example.org>", "<turn-14@example.org>")
    assert found.subject.startswith("Toba-Fushimi, turn 7: your move \u2014 and so on")


def test_composed_mail_is_what_other_programs_expect() -> None:
    message = email.message_from_bytes(composed(), policy=email.policy.default)
    kinds = [part.get_content_type() for part in message.walk()]
    assert kinds == ["multipart/mixed", "multipart/alternative", "text/plain", "text/html", "text/plain"]
    assert not [part.defects for part in message.walk() if part.defects]
    assert message["References"] == message["In-Reply-To"] == "<" + "a" * 90 + "@example.org>"
    assert (message["Auto-Submitted"], message["X-PBEM"]) == ("no", "1")
    body = message.get_body(("plain",))
    assert body is not None
    assert body.get_content().replace("\r\n", "\n") == REPORT.rstrip() + "\n\n" + RENDERED
    (attachment,) = message.iter_attachments()
    assert attachment.get_filename() == "turn-14.pbem.txt"
    assert attachment.get_content().replace("\r\n", "\n") == RENDERED


@pytest.mark.parametrize("name", ["<a@b> <c@d>", "no brackets", "<a\r\nBcc: b@y>", "<>", f"<{'a' * 899}>", "", None])
def test_a_name_of_his_mail_that_is_none_is_left_out(name: str | None) -> None:
    message = email.message_from_bytes(composed(in_reply_to=name), policy=email.policy.default)
    assert not {"In-Reply-To", "References", "Bcc"} & set(message.keys())


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("sender", "a@x\r\nBcc: b@y", "isn't a mail address"),
        ("to", "nobody", "isn't a mail address"),
        ("to", "j\u00fcrgen@example.org", "the address itself must be ASCII"),
        ("subject", "a\nBcc: b@y", "can't be the Subject"),
        ("date", "now\r\nX: y", "can't be the Date"),
        ("message_id", "no brackets", "can't be the Message-ID"),
        ("attachment_name", "../turn", "can't be the name of an attachment"),
        ("html", "<p onclick='x()'>", "holds a script"),
        ("html", "<script>x()</script>", "holds a script"),
        ("text", "half \ud800", "U+D800, which is no letter"),
        ("text", RENDERED.replace("u9 at", "u8 at"), "damaged statements"),
        ("text", render_block(make_block(12)), "a turn of its own"),
        ("html", f"<p>{render_block(make_block(12))}</p>", "a turn of its own"),
        ("block", "no block", "the block of the mail is none"),
        ("text", "x\n" * (1 << 20), "at most"),
    ],
)
def test_compose_refuses(field: str, value: str, message: str) -> None:
    with pytest.raises(Damaged) as caught:
        composed(**{field: value})
    assert message in str(caught.value)
    assert isinstance(caught.value, PbemError)


_words = st.text("abz-09", min_size=1, max_size=6).filter(lambda w: w[0] != "-")
_values = st.one_of(_words, st.text("ab =;/.-", max_size=8).map(lambda w: f'"{w}"'))
_names = st.one_of(st.sampled_from(["boundary", "charset", "format", "delsp", "Charset"]), _words)


@given(st.lists(st.tuples(_names, _values), max_size=4), st.sampled_from([";", "; ", " ;  "]))
def test_the_usual_content_type_is_read_as_email_reads_it(parameters: list[tuple[str, str]], sign: str) -> None:
    value = "Text/HTML" + "".join(f"{sign}{name}={word}" for name, word in parameters)
    assert mime.content_of(value, "text/plain") == mime._unusual(value, "text/plain")


@pytest.mark.parametrize("value", ["text", "text/plain; charset*=utf-8''x", 'text/plain; charset="a\\"b"', "a/b/c", ""])
def test_an_unusual_content_type_is_left_to_email(value: str) -> None:
    assert mime._USUAL_TYPE.fullmatch(value) is None
    assert mime.content_of(value, "text/plain") == mime._unusual(value, "text/plain")
