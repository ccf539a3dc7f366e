"""The envelope: grammar at its limits, entries, order files, blocks in a text, the log; each with its refused twin."""

from __future__ import annotations

import base64
import hashlib
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.crypto.dice import Anchor
from pbem.errors import Damaged
from pbem.wire.blocks import PART_MAX, Block, find_blocks, newest_block, read_log_blocks, render_block
from pbem.wire.entry import ENTRY_MAX, KINDS, Entry, build_entry, canonical_bytes, parse_entry
from pbem.wire.repair import clean
from pbem.wire.statements import ENVELOPE_WORDS, Statement

GAME, PREV, STATE = "3f" * 32, "9a" * 32, "77" * 32
NONCE = "000102030405060708090a0b0c0d0e0f"
MOVE = Statement("move", ("u1", "0707"))
ANCHOR = Anchor(1000, b"\x5b" * 32, b"\x6c" * 16, bytes.fromhex(PREV))


def orders(*body: Statement, **changes: object) -> bytes:
    given: dict[str, object] = {"kind": "orders", "seq": 14, "by": "axis", "nonce": NONCE}
    given |= {"game": GAME, "prev": PREV, "state": STATE, "body": body}
    return build_entry(**(given | changes)).payload  # type: ignore[arg-type]


def armor(size: int = 179) -> str:
    letters = base64.b64encode(hashlib.shake_128(b"armor").digest(size)).decode()
    lines = [letters[at : at + 70] for at in range(0, len(letters), 70)]
    return "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""])


def signed(payload: bytes) -> str:
    return render_block(Block(payload, armor()))


def resummed(*lines: str) -> bytes:
    """Lines with an `end` that fits them, whatever they say."""
    full = [f"{line}\n" for line in lines]
    groups = ["".join(full[at : at + 8]).encode() for at in range(0, len(full), 8)]
    sums = " ".join(hashlib.sha256(group).hexdigest()[:6] for group in groups)
    return "".join([*full, f"end {len(full)} {sums};\n"]).encode()


HEADER = ("pbem 1;", "kind orders;", f"game {GAME};", "seq 14;", f"prev {PREV};", "by axis;", f"nonce {NONCE};")
HEADER += (f"reveal 6 {GAME};", f"state {STATE};")

# Entries.


def test_canonical_bytes_are_those_of_the_protocol() -> None:
    payload = orders(MOVE, Statement("done", ()), reveal=(6, GAME))
    assert payload == resummed(*HEADER, "move u1 0707;", "done;")
    assert payload.split(b"\n")[-2].startswith(b"end 11 ")
    assert len(payload.split(b"\n")[-2].split()) == 4  # end, count, two sums


def test_entry_holds_what_was_built() -> None:
    payload = orders(MOVE, reveal=(6, GAME))
    expected = Entry(payload, "orders", GAME, 14, PREV, "axis", NONCE, None, (6, GAME), STATE, (MOVE,))
    assert parse_entry(payload) == expected
    assert parse_entry(orders(MOVE)).reveal is None
    both = parse_entry(orders(MOVE, anchor=ANCHOR, reveal=(6, GAME)))
    assert both._replace(payload=payload) == expected._replace(anchor=ANCHOR)


def test_an_anchor_stands_behind_the_nonce_and_before_the_reveal() -> None:
    payload = orders(MOVE, anchor=ANCHOR, reveal=(6, GAME))
    words = f"anchor 1000 {'5b' * 32} {'6c' * 16};"
    assert payload == resummed(*HEADER[:7], words, *HEADER[7:], "move u1 0707;")
    assert str(ANCHOR) == words.removeprefix("anchor ").removesuffix(";")
    for wrong, message in (
        ((*HEADER[:6], words, *HEADER[6:]), "statement 7: 'anchor' stands where 'nonce' must be"),
        ((*HEADER[:8], words, *HEADER[8:]), "statement 9: 'anchor' stands where 'state' must be"),
        ((*HEADER, words), "statement 10: 'anchor' belongs to the header"),
        ((*HEADER[:7], words, words, *HEADER[7:]), "statement 9: 'anchor' stands where 'reveal' must be"),
    ):
        with pytest.raises(Damaged) as caught:
            parse_entry(resummed(*wrong))
        assert message in str(caught.value)


@pytest.mark.parametrize(
    ("words", "fits"),
    [
        ("1 {h} {g}", True),
        ("100000 {h} {g}", True),
        ("99999 {h} {g}", True),
        ("0 {h} {g}", False),
        ("100001 {h} {g}", False),
        ("01 {h} {g}", False),
        ("1 {h}", False),
        ("1 {g} {h}", False),
        ("1 {h}0 {g}", False),
        ("1 {H} {g}", False),
        ("1 {h} {g} 1", False),
    ],
)
def test_the_values_of_an_anchor(words: str, fits: bool) -> None:
    words = words.format(h="5b" * 32, H="5B" * 32, g="6c" * 16)
    payload = resummed(*HEADER[:7], f"anchor {words};", *HEADER[7:])
    if fits:
        assert str(parse_entry(payload).anchor) == words
        return
    with pytest.raises(Damaged, match=r"statement 8: anchor .* isn't a length of 1 to 100000, 64 hex digits and"):
        parse_entry(payload)


def test_offer_and_accept_have_their_own_headers() -> None:
    offer = build_entry(kind="offer", seq=0, by="axis", nonce=NONCE, body=[]).payload
    accept = build_entry(kind="accept", seq=1, by="allies", nonce=NONCE, prev=PREV, anchor=ANCHOR, body=[]).payload
    assert [line.split()[0] for line in accept.decode().splitlines()][5:] == ["nonce", "anchor", "end"]
    assert [line.split()[0] for line in offer.decode().splitlines()] == ["pbem", "kind", "seq", "by", "nonce", "end"]
    first, second = parse_entry(offer), parse_entry(accept)
    assert (first.game, first.prev, first.state, first.seq) == (None, None, None, 0)
    assert (second.game, second.prev, second.state, second.seq) == (None, PREV, None, 1)
    assert (first.anchor, second.anchor) == (None, ANCHOR)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_needs_exactly_its_header(kind: str) -> None:
    fields = {"prev": None if kind == "offer" else PREV}
    if kind not in ("offer", "accept"):
        fields |= {"game": GAME, "state": STATE}
    anchors = {"offer": (None,), "accept": (ANCHOR,)}.get(kind, (None, ANCHOR))
    needed: dict[str, object] = {"kind": kind, "seq": 3, "by": "axis", "nonce": NONCE, "body": [MOVE], **fields}
    for anchor in (None, ANCHOR):
        if anchor in anchors:
            assert parse_entry(build_entry(**needed, anchor=anchor).payload).kind == kind  # type: ignore[arg-type]
            continue
        with pytest.raises(Damaged):
            build_entry(**needed, anchor=anchor)  # type: ignore[arg-type]
    needed["anchor"] = anchors[0]
    for name in ("game", "prev", "state"):
        other = needed | {name: None if fields.get(name) else PREV}
        with pytest.raises(Damaged):
            build_entry(**other)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "surrender"}, "unknown kind 'surrender'; known: offer, accept"),
        ({"seq": -1}, "the token '-1' doesn't begin with a letter or digit"),
        ({"seq": 1_000_000_000}, "seq 1000000000 isn't a whole number of at most nine digits"),
        ({"by": "Axis"}, "by Axis isn't a player's name"),
        ({"by": "a" * 17}, "isn't a player's name"),
        ({"by": "a; kind x"}, "holds ;"),
        ({"nonce": "ab"}, "nonce ab isn't 32 hex digits"),
        ({"nonce": NONCE.replace("a", "A")}, "isn't 32 hex digits"),
        ({"game": GAME[:-1]}, "isn't a hash of 64 hex digits"),
        ({"reveal": (0, GAME)}, "isn't a number from 1 and 64 hex digits"),
        ({"reveal": (1, "ab")}, "isn't a number from 1"),
        ({"state": STATE + "\n"}, "holds U+000A"),
        ({"body": [Statement("Move", ())]}, "the keyword 'Move' holds M"),
        ({"body": [Statement("7move", ())]}, "the keyword '7move' doesn't begin with a letter a-z"),
        ({"body": [Statement("", ())]}, "it is empty"),
        ({"body": [Statement("move", ("a b",))]}, "the token 'a b' holds U+0020 (SPACE)"),
        ({"body": [Statement("move", ("",))]}, "a token is empty"),
        ({"body": [Statement("say", ("-----BEGIN",))]}, "'-----BEGIN' holds five hyphens in a row, as fences do"),
        ({"body": [Statement("say", ("x-----END", "PBEM", "TURN-----"))]}, "'x-----END' holds five hyphens in a row"),
        ({"body": [Statement("say", ("x-----",))]}, "'x-----' holds five hyphens in a row"),
        ({"body": [Statement("say-----", ())]}, "'say-----' holds five hyphens in a row"),
        ({"body": [Statement("say", ("-x",))]}, "the token '-x' doesn't begin with a letter or digit"),
        ({"body": [Statement("end", ("1",))]}, "'end' belongs to the envelope"),
        ({"body": [MOVE, Statement("seq", ("15",))]}, "statement 10: 'seq' belongs to the header"),
        ({"body": [Statement("reveal", ("6", GAME))], "reveal": (6, GAME)}, "'reveal' belongs to the header"),
    ],
)
def test_what_the_grammar_forbids_is_not_built(changes: dict[str, object], message: str) -> None:
    with pytest.raises(Damaged) as caught:
        orders(**changes) if "body" in changes else orders(MOVE, **changes)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("pbem 2;", *HEADER[1:]), "statement 1: pbem 2: this program reads version 1"),
        (("kind orders;", "pbem 1;", *HEADER[2:]), "statement 1: 'kind' stands where 'pbem' must be"),
        ((HEADER[0], "kind war;", *HEADER[2:]), "statement 2: unknown kind 'war'"),
        (HEADER[:3] + HEADER[4:], "statement 4: 'prev' stands where 'seq' must be; header: pbem kind game seq"),
        ((*HEADER[:5], HEADER[4], *HEADER[5:]), "statement 6: 'prev' stands where 'by' must be"),
        ((*HEADER[:7], HEADER[8], HEADER[7]), "statement 9: 'reveal' belongs to the header"),
        (HEADER[:-1], "statement 9: 'end' stands where 'state' must be"),
        ((*HEADER[:3], "seq 014;", *HEADER[4:]), "statement 4: seq 014 isn't a whole number"),
        ((*HEADER[:3], "seq 1 4;", *HEADER[4:]), "statement 4: seq 1 4 isn't a whole number"),
        ((*HEADER[:5], "by axis allies;", *HEADER[6:]), "statement 6: by axis allies isn't a player's name"),
        ((*HEADER, *HEADER), "statement 10: 'pbem' belongs to the header"),
    ],
)
def test_a_header_out_of_order_is_refused(lines: tuple[str, ...], message: str) -> None:
    with pytest.raises(Damaged) as caught:
        parse_entry(resummed(*lines))
    assert message in str(caught.value)
    assert parse_entry(resummed(*HEADER)).seq == 14


GOOD = resummed(*HEADER, "move u1 0707;", "done;")
SUMS_FIT = "while its sums are those of the 11 statements that arrived"


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        (b"", "cut off: no statement 'end' after the 0 that arrived"),
        (GOOD[:-1], "statement 12: not in canonical form"),
        (GOOD + b"\n", "statement 13: not in canonical form"),
        (GOOD.replace(b"\n", b"\r\n"), "byte 8: byte 0x0d in a turn"),
        (GOOD.replace(b"u1 ", b"u1  "), "statement 10: not in canonical form"),
        (GOOD.replace(b"move", b" move"), "statement 10: not in canonical form"),
        (GOOD.replace(b"move", b"m\xc3\xb6ve"), "byte 0xc3 in a turn"),
        (GOOD.replace(b"u1 0707;\n", b"u1 0707; "), "statement 10: not in canonical form"),
        (GOOD.replace(b"u1 ", b"u2 "), "damaged statements: 9-11"),
        (GOOD.replace(b"by axis", b"by axes"), "damaged statements: 1-8"),
        (
            GOOD.replace(b"done;\n", b""),
            "11 statements were signed, 10 arrived; the first difference is in statements 9-11",
        ),
        (GOOD.replace(b"done;", b"done;;"), "11 statements were signed, 12 arrived"),
        (GOOD.replace(b"end 11", b"end 12"), f"'end' is damaged: it counts 12, {SUMS_FIT}"),
        (GOOD.replace(b"end 11", b"end 1"), f"'end' is damaged: it counts 1, {SUMS_FIT}"),
        (GOOD.replace(b"end 11", b"end 9999"), f"'end' is damaged: it counts 9999, {SUMS_FIT}"),
        (GOOD.replace(b"end 11", b"end 011"), f"'end' is damaged: it gives no count, {SUMS_FIT}"),
        (GOOD.replace(b"end 11", b"end x"), f"'end' is damaged: it gives no count, {SUMS_FIT}"),
        (GOOD.replace(b"end 11", b"end x").replace(b"u1 ", b"u2 "), "'end' is damaged: it gives no count"),
        (GOOD.replace(b"end 11", b"end 12").replace(b"u1 ", b"u2 "), "12 statements were signed, 11 arrived"),
        (GOOD.replace(b"end 11", b"end " + b"9" * 4000), "'end' is damaged: it gives no count"),
        (GOOD[:-9] + b";\n", "'end' is damaged: 1 sums for 11 statements"),
        (GOOD[:-2] + b" 000000;\n", "'end' is damaged: 3 sums for 11 statements"),
        (GOOD + b"done;\n", "statement 12 is 'end', but 1 follow"),
        (GOOD + b"done", "text after the last ';': 'done'"),
        (GOOD + GOOD, "'end' twice"),
    ],
)
def test_only_canonical_bytes_are_parsed(payload: bytes, message: str) -> None:
    with pytest.raises(Damaged) as caught:
        parse_entry(payload)
    assert message in str(caught.value)


def test_token_of_80_letters_and_not_81() -> None:
    assert parse_entry(orders(Statement("say", ("a" * 80,)))).body[0].tokens == ("a" * 80,)
    with pytest.raises(Damaged, match="has 81 letters, 80 at most"):
        orders(Statement("say", ("a" * 81,)))
    with pytest.raises(Damaged, match=r"statement 10: the token 'aaa.* has 81 letters"):
        parse_entry(resummed(*HEADER, f"say {'a' * 81};"))


def test_four_hyphens_in_a_row_and_not_five() -> None:
    for word in ("a----b", "a----", "a----b----"):
        assert parse_entry(orders(Statement(word, (word,)))).body[0].tokens == (word,)
    for word in ("a-----b", "a-----"):
        for lines in ((f"say {word};",), (f"{word} x;",)):
            with pytest.raises(Damaged, match="holds five hyphens in a row, as fences do"):
                parse_entry(resummed(*HEADER, *lines))


def test_keyword_of_16_letters_and_not_17() -> None:
    assert parse_entry(orders(Statement("a" + "-b" * 7 + "c", ()))).body[0].keyword == "a" + "-b" * 7 + "c"
    with pytest.raises(Damaged, match="has 17 letters, 16 at most"):
        orders(Statement("a" * 17, ()))


def test_statement_of_4096_bytes_and_not_4097() -> None:
    tokens = ("b" * 79,) * 51  # 51 * 80 = 4080 bytes with their blanks
    longest = Statement("say", (*tokens, "c" * 10))
    assert len(f"{longest}\n") == 4096
    assert parse_entry(orders(longest)).body == (longest,)
    with pytest.raises(Damaged, match="statement 9: it has 4097 bytes, 4096 at most"):
        orders(Statement("say", (*tokens, "c" * 11)))


def test_5000_statements_and_not_5001() -> None:
    body = [Statement("fire", (f"u{n}",)) for n in range(4991)]
    payload = orders(*body)  # with 8 header statements and `end`
    assert payload.count(b";\n") == 5000
    assert parse_entry(payload).body == tuple(body)
    assert find_blocks(signed(payload)) == [Block(payload, armor())]
    with pytest.raises(Damaged, match="5001 statements, 5000 at most"):
        orders(*body, MOVE)
    with pytest.raises(Damaged, match="5001 statements, 5000 at most"):
        parse_entry(payload.replace(b"fire u0;\n", b"fire u0;\nfire u0;\n"))


def test_262144_bytes_and_not_262145() -> None:
    body = [Statement("say", ("x" * 79,) * 50)] * 65
    rest = ENTRY_MAX - len(orders(*body, Statement("say", ("z",)))) + 1
    assert rest > 80
    words = ["y" * 79] * (rest // 80 - 1)
    last = "z" * (rest - 80 * len(words))
    words, last = (["y" * 40, *words], last[41:]) if len(last) > 79 else (words, last)
    payload = orders(*body, Statement("say", (*words, last)))
    assert len(payload) == ENTRY_MAX == 262_144
    assert parse_entry(payload).payload == payload
    assert find_blocks(signed(payload)) == [Block(payload, armor())]
    assert read_log_blocks(signed(payload)) == [Block(payload, armor())]
    with pytest.raises(Damaged, match="an entry of 262145 bytes, 262144 at most"):
        orders(*body, Statement("say", (*words, f"{last}z")))
    long = resummed(*payload.decode().splitlines()[:-1], "say a;")
    for read in (parse_entry, lambda data: find_blocks(signed(data)), lambda data: read_log_blocks(signed(data))):
        with pytest.raises(Damaged, match=f"an entry of {len(long)} bytes, 262144 at most"):
            read(long)


ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/:+=,'!?-"
TOKENS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._/:+=,'!?-]{0,20}", fullmatch=True).filter(
    lambda word: "-----" not in word
)
KEYWORDS = st.from_regex(r"[a-z][a-z0-9-]{0,15}", fullmatch=True).filter(
    lambda word: word not in ENVELOPE_WORDS and "-----" not in word
)
STATEMENTS = st.builds(Statement, KEYWORDS, st.lists(TOKENS, max_size=6).map(tuple))
X_0, GNONCES = st.binary(min_size=32, max_size=32), st.binary(min_size=16, max_size=16)
HASHES = st.binary(min_size=32, max_size=32).map(bytes.hex)
NAMES = st.from_regex(r"[a-z][a-z0-9-]{0,15}", fullmatch=True).filter(lambda word: "-----" not in word)


@st.composite
def entries(draw: st.DrawFn) -> dict[str, object]:
    kind = draw(st.sampled_from(KINDS))
    fields: dict[str, object] = {
        "kind": kind,
        "seq": draw(st.integers(0, 999_999_999)),
        "by": draw(NAMES),
        "nonce": draw(HASHES)[:32],
        "body": tuple(draw(st.lists(STATEMENTS, max_size=20))),
    }
    if kind != "offer":
        fields["prev"] = draw(HASHES)
        prev = st.just(bytes.fromhex(str(fields["prev"])))
        made = draw(st.builds(Anchor, st.integers(1, 100_000), X_0, GNONCES, prev))
        fields["anchor"] = made if kind == "accept" else draw(st.sampled_from([None, made]))
    if kind not in ("offer", "accept"):
        fields |= {"game": draw(HASHES), "state": draw(HASHES)}
        fields["reveal"] = draw(st.none() | st.tuples(st.integers(1, 999_999_999), HASHES))
    return fields


@settings(max_examples=80)
@given(entries())
def test_parse_gives_back_what_was_built(fields: dict[str, object]) -> None:
    payload = build_entry(**fields).payload  # type: ignore[arg-type]
    entry = parse_entry(payload)
    assert entry.payload == payload
    names = ("kind", "seq", "by", "nonce", "body", "prev", "game", "state", "anchor", "reveal")
    assert {name: getattr(entry, name) for name in names} == {name: fields.get(name) for name in names}
    again = {name: getattr(entry, name) for name in names}
    assert build_entry(**again).payload == payload


@settings(max_examples=150)
@given(st.integers(0, len(GOOD) * 8 - 1))
def test_any_changed_bit_is_refused(bit: int) -> None:
    changed = bytearray(GOOD)
    changed[bit // 8] ^= 1 << bit % 8
    with pytest.raises(Damaged):
        parse_entry(bytes(changed))


@settings(max_examples=200)
@given(st.binary() | st.text(ALPHABET + " ;\n").map(str.encode))
def test_any_bytes_are_damaged(payload: bytes) -> None:
    with pytest.raises(Damaged):
        parse_entry(payload)


# Order files.


# Blocks in a text.


def test_repair_is_nfkc_for_every_letter_that_can_matter() -> None:
    """Letter by letter and at once give the same wherever the result is ASCII."""
    table = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x2044: "/", 0x2212: "-", 0x2013: "-", 0x2014: "-"}
    checked = 0
    for code in range(0x80, 0x110000):
        whole = unicodedata.normalize("NFKC", chr(code)).translate(table)
        if whole.isascii() and not whole.isspace():
            assert clean(f"a{chr(code)}b") == f"a{whole}b"
            checked += 1
    assert checked > 1400
    for code in (0xAD, 0x200B, 0x200D, 0x2060, 0xFEFF, 0x202E, 0x2066):
        assert clean(f"a{chr(code)}b") == "ab"
    for letter in "\t\x0b\xa0\u2003\u3000":
        assert clean(f"a{letter}b") == "a b"
    assert clean("a\r\nb\rc\u2028d") == "a\nb\nc\nd"
    assert clean("m\u043eve e\u0301 \u00e9 \ufdfa") == "m\u043eve e\u0301 \u00e9 \ufdfa"


ARMOR_LINES = armor().split("\n")
SOME = ARMOR_LINES[2][20:30]


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (
            "\n".join(
                [ARMOR_LINES[0], *(line[:40] + "\n" + line[40:] for line in ARMOR_LINES[1:-2]), *ARMOR_LINES[-2:]]
            ),
            "",
        ),
        ("".join(f"> {line}\n" for line in ARMOR_LINES[:-1]), ""),
        (" ".join(ARMOR_LINES), ""),
        (armor().replace(SOME, "*" + SOME[1:]), "the signature is damaged: it isn't base64"),
        (armor().replace(SOME, SOME[1:]), "the signature is damaged: it isn't base64"),
        (armor().replace("=\n", "\n"), "the signature is damaged: it isn't base64"),
        (armor().replace(SOME, "\u0410" + SOME[1:]), "the signature holds U+0410 (CYRILLIC CAPITAL LETTER A)"),
        ("\n".join([ARMOR_LINES[0], ARMOR_LINES[-2]]), "the signature is empty"),
        (armor(4000), "the signature has 5336 letters"),
        ("hello\n" + armor(), "text between the turn and its signature: 'hello'"),
        (armor().replace("BEGIN SSH", "BEGIN PGP"), "the signature is missing"),
        (armor() + armor(), ""),
    ],
)
def test_armor_comes_back_in_one_form_or_not_at_all(found: str, message: str) -> None:
    text = render_block(Block(GOOD, found))
    if not message:
        assert find_blocks(text) == [Block(GOOD, armor())]
        return
    with pytest.raises(Damaged) as caught:
        find_blocks(text)
    assert message in str(caught.value)


def test_place_of_a_damaged_block() -> None:
    text = "hello\n" + signed(GOOD) + "\nand\n" + signed(GOOD).replace("u1 ", "u2 ")
    with pytest.raises(Damaged) as caught:
        find_blocks(text)
    line = text.split("\n").index("and") + 2
    assert str(caught.value) == f"turn block at line {line}: damaged statements: 9-11"
    assert find_blocks(text[: text.index("\nand")]) == [Block(GOOD, armor())]


def test_spare_bits_of_base64_give_no_second_form() -> None:
    letters = "".join(ARMOR_LINES[1:-2])
    assert letters.endswith("=")
    other = letters[:-2] + chr(ord(letters[-2]) + 1) + "="
    assert base64.b64decode(other) == base64.b64decode(letters)
    with pytest.raises(Damaged, match="isn't base64"):
        find_blocks(render_block(Block(GOOD, f"{ARMOR_LINES[0]}\n{other}\n{ARMOR_LINES[-2]}\n")))
    assert find_blocks(render_block(Block(GOOD, f"{ARMOR_LINES[0]}\n{letters}\n{ARMOR_LINES[-2]}\n")))


def test_text_limit_is_that_of_a_part() -> None:
    whole = signed(GOOD)
    assert find_blocks("x" * (PART_MAX - len(whole) - 1) + "\n" + whole)
    with pytest.raises(Damaged, match="a text of 1048577 letters"):
        find_blocks("x" * (PART_MAX - len(whole)) + "\n" + whole)
    with pytest.raises(Damaged, match=r"a text of \d+ letters"):
        find_blocks("\u2026" * (PART_MAX // 2) + whole)  # three dots each


@st.composite
def rewrapped(draw: st.DrawFn) -> tuple[bytes, str]:
    """A block whose blanks and line ends are others, with quote marks; its canonical bytes."""
    payload = orders(*draw(st.lists(STATEMENTS, min_size=1, max_size=12)))
    blanks = st.sampled_from([" ", "  ", "\t", "\u00a0", "\u3000"])
    ends = st.sampled_from(["\n", "\r\n", "\r", " \n", "\n\n", "\u2028"])
    marks = st.sampled_from(["", "> ", ">", "> > ", " | ", "   ", "\ufeff"])
    seed = draw(st.lists(st.tuples(blanks, ends, marks, st.booleans()), min_size=8, max_size=30))
    out = []
    for number, word in enumerate(signed(payload).split()):
        blank, end, mark, breaks = seed[number % len(seed)]
        out.append(word + (end + mark if breaks else blank))
    return payload, "".join(out)


@settings(max_examples=80)
@given(rewrapped())
def test_white_space_and_quote_marks_change_nothing(case: tuple[bytes, str]) -> None:
    payload, text = case
    assert find_blocks(text) == [Block(payload, armor())]
    assert canonical_bytes(payload.decode()) == payload
    assert find_blocks(signed(payload)) == [Block(payload, armor())]


FENCES = ["-----BEGIN PBEM TURN-----", "-----END PBEM TURN-----", "-----BEGIN SSH SIGNATURE-----"]
FENCES += ["-----END SSH SIGNATURE-----", "-----BEGIN PBEM DRAFT-----", "end 1 000000;", "\n", "> ", "pbem 1;", "AAAA"]


def test_half_letters_are_damage() -> None:
    with pytest.raises(Damaged, match=r"statement 9: the token 'u1\\ud800' holds U\+D800"):
        find_blocks(signed(orders(MOVE)).replace("u1 ", "u1\ud800 "))


@settings(max_examples=300)
@given(st.lists(st.sampled_from(FENCES) | st.text(max_size=5), max_size=12).map("".join))
def test_any_text_gives_blocks_or_damaged(text: str) -> None:
    try:
        blocks = find_blocks(text)
    except Damaged:
        return
    assert all(find_blocks(render_block(block)) == [block] for block in blocks)


# The log.


def log_of(*payloads: bytes) -> str:
    return "".join(signed(payload) for payload in payloads)


LOG = [orders(MOVE, seq=n) for n in range(3)]
BEGIN_LINE = "-----BEGIN PBEM TURN-----"


def test_log_is_its_blocks() -> None:
    assert read_log_blocks("") == []
    assert read_log_blocks(log_of(*LOG)) == [Block(payload, armor()) for payload in LOG]
    assert newest_block(log_of(*LOG)) == Block(LOG[-1], armor())
    assert newest_block(log_of(*LOG)[1:]) == Block(LOG[-1], armor()), "the others aren't looked at"
    with pytest.raises(Damaged):
        newest_block(log_of(*LOG) + "x")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n" + log_of(*LOG), "block 1: text before the first block"),
        (log_of(*LOG) + "\n", f"block 4, line 1: an empty line stands where {BEGIN_LINE} must be"),
        (log_of(*LOG[:2]) + "\n" + log_of(LOG[2]), "block 3, line 1: an empty line stands where"),
        (log_of(*LOG[:2]) + "a\n" + log_of(LOG[2]), f"block 3, line 1: 'a' stands where {BEGIN_LINE} must be"),
        (log_of(*LOG) + BEGIN_LINE[:9], f"block 4, line 1: {BEGIN_LINE[:9]!r} stands where"),
        (log_of(LOG[0]) + log_of(LOG[1])[1:], f"block 2, line 1: {BEGIN_LINE[1:]!r} stands where"),
        (log_of(LOG[0]).replace("seq 0", "seq 9") + log_of(LOG[1])[1:], "block 1: damaged statements: 1-8"),
        (log_of(*LOG).replace("\n", "\r\n"), "block 1: text before the first block"),
        (log_of(*LOG)[:-1], "block 3, line 18: not as it was written"),
        (log_of(*LOG)[:-200], "block 3: the signature is cut off"),
        (log_of(*LOG).replace("seq 1;", "seq  1;"), "block 2, statement 4: not as it was written"),
        (log_of(*LOG).replace("seq 1;", "seq 7;"), "block 2: damaged statements: 1-8"),
        (log_of(*LOG).replace("seq 1;\n", ""), "block 2: 9 statements were signed, 8 arrived"),
        (log_of(*LOG).replace("seq 1;", "> seq 1;"), "block 2, statement 4: not as it was written"),
        (log_of(LOG[0]) + log_of(LOG[1]).replace("\n", " ", 1), f"block 2, line 1: '{BEGIN_LINE} pbem 1;' stands"),
    ],
)
def test_log_must_be_exact(text: str, message: str) -> None:
    with pytest.raises(Damaged) as caught:
        read_log_blocks(text)
    assert str(caught.value).startswith(message)


@settings(max_examples=200)
@given(st.integers(0, len(log_of(*LOG)) - 1), st.characters(codec="utf-8"))
def test_any_other_letter_in_a_log_is_noticed(at: int, letter: str) -> None:
    text = log_of(*LOG)
    changed = text[:at] + letter + text[at + 1 :]
    try:
        blocks = read_log_blocks(changed)
    except Damaged:
        return
    assert "".join(map(render_block, blocks)) == changed
    assert [block.payload for block in blocks] == LOG  # only a letter of a signature can be another
