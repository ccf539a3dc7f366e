"""Attacks by mail: what a mail shows, hides, changes or claims never becomes another turn than the one signed."""

from __future__ import annotations

import html
from collections.abc import Callable
from email.message import EmailMessage
from io import BytesIO

import pytest
from attacks.cheater import altered, forged, kept, other_words, refused, refused_by, resummed, signed, taken
from toy.players import SIDES, Duel, Post, mail, signer

from pbem.desk.arrival import take_in
from pbem.desk.letter import read_letter
from pbem.errors import BadLog, BadScenario, BadSignature, Damaged, PbemError, Refused
from pbem.mail.inbox import Mail, read_mails
from pbem.strictyaml import load
from pbem.wire.blocks import Block, find_blocks, render_block
from pbem.wire.entry import build_entry, parse_entry
from pbem.wire.orderfile import parse_statements
from pbem.wire.statements import Statement
from pbem.wire.turn import read_turns

MakeDuel = Callable[..., Duel]


def letter(raw: bytes) -> Mail:
    """A mail as it comes from a mail program."""
    (found,) = read_mails("-", BytesIO(raw))
    return found


def message(plain: str = "", rich: str = "", attached: str = "", **headers: str) -> Mail:
    """A mail with a text, a text in HTML and an attachment, each if given."""
    built = EmailMessage()
    for name, value in ({"From": "anna@example.org", "Subject": "turn"} | headers).items():
        built[name] = value
    built.set_content(plain or "hello")
    if rich:
        built.add_alternative(rich, subtype="html")
    if attached:
        built.add_attachment(attached.encode(), maintype="application", subtype="octet-stream", filename="turn.pbem")
    return letter(bytes(built))


def two_turns(post: Post) -> tuple[Block, Block]:
    """Two different turns for one number, both rightly signed by anna."""
    post.begun()
    one, two = (other_words(post, "anna", text) for text in ("bet 1; rest;", "bet 3; rest;"))
    return one, two


# --- signature stripped


@pytest.mark.parametrize(
    ("strip", "error"),
    [
        (lambda b: render_block(b).split("-----BEGIN SSH")[0], "the signature is missing: no -----BEGIN SSH"),
        (lambda b: render_block(b).replace("-----END SSH SIGNATURE-----\n", ""), "the signature is cut off"),
        (lambda b: render_block(b._replace(armor=_empty())), "the signature is empty"),
        (lambda b: render_block(b).replace("PBEM TURN", "PBEM DRAFT"), "no turn is in this mail"),
        (lambda b: b.payload.decode(), "no turn is in this mail"),
    ],
)
def test_a_stripped_signature_leaves_no_turn(post: Post, strip: Callable[[Block], str], error: str) -> None:
    post.begun()
    block = post.send("anna", "rest;")
    refused_by(post, "ben", message(strip(block)), PbemError, error)
    assert take_in(post.desk("ben"), read_letter(mail(block))).what == "taken"


def _empty() -> str:
    return "-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----\n"


def test_an_unsigned_entry_stands_in_no_log(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "rest;")
    assert len(read_turns(game.log)) == 3
    stripped = game.log.rsplit("-----BEGIN SSH", 1)[0]
    with pytest.raises(Damaged, match="the signature is missing") as found:
        read_turns(stripped)
    assert "entry 2" in str(found.value)


# --- two payloads


@pytest.mark.parametrize("parts", [("plain", "rich"), ("plain", "attached"), ("rich", "attached"), ("plain", "plain")])
def test_two_payloads_in_one_mail_are_refused_by_name(post: Post, parts: tuple[str, str]) -> None:
    """One for the eye and one for the program, both rightly signed: neither is taken."""
    turns = two_turns(post)
    texts: dict[str, str] = {}
    for part, block in zip(parts, turns, strict=True):
        text = render_block(block)
        texts[part] = texts.get(part, "") + (f"<pre>{html.escape(text)}</pre>" if part == "rich" else text)
    name = r"orders 2 by anna with `\w.*;`"
    match = f"2 different new turns are in this mail: {name}, {name}; one mail, one turn"
    refused_by(post, "ben", message(**texts), Refused, match)
    same = dict.fromkeys(parts, render_block(turns[0]))
    assert take_in(post.desk("ben"), read_letter(message(**same))).what == "taken", "copies of one turn are one"


def test_a_turn_hidden_from_the_eye_is_a_turn_all_the_same(post: Post) -> None:
    """CSS that hides the second block from a reader hides it from nobody else."""
    one, two = two_turns(post)
    hidden = f'<pre>{render_block(one)}</pre><div style="display:none;font-size:0">{render_block(two)}</div>'
    refused_by(post, "ben", message(rich=hidden), Refused, "2 different new turns")


def test_words_hidden_in_a_turn_are_found(post: Post) -> None:
    """What the eye doesn't see is part of the text; what is no text, as a comment, is none."""
    one, _ = two_turns(post)
    text = render_block(one)
    hidden = text.replace("bet 1;", 'bet 1;<span style="display:none"> bet 2;</span>')
    refused_by(post, "ben", message(rich=f"<pre>{hidden}</pre>"), Damaged, "statements were signed, .* arrived")
    commented = text.replace("bet 1;", "bet 1;<!-- bet 2; -->")
    receipt = take_in(post.desk("ben"), read_letter(message(rich=f"<pre>{commented}</pre>")))
    assert receipt.entry.payload == one.payload


def copies(post: Post) -> tuple[Block, Block]:
    """Anna's turn, and a copy of it with somebody else's signature."""
    post.begun()
    block = post.send("anna", "rest;")
    return block, block._replace(armor=signer("mallory").sign(block.payload))


def test_a_bad_copy_never_gets_into_the_log(post: Post) -> None:
    good, bad = copies(post)
    refused_by(post, "ben", bad, BadSignature, "another key than the player's")
    assert take_in(post.desk("ben"), read_letter(mail(good, bad))).what == "taken"
    assert bad.armor not in post.place("ben").text
    assert take_in(post.desk("ben"), read_letter(mail(bad))).what == "known", (
        "the words are in the log; its signature is no news"
    )
    assert bad.armor not in post.place("ben").text


def test_a_bad_copy_in_front_of_the_good_one_hides_nothing(post: Post) -> None:
    """A turn is mailed twice, as text and attached, so that one damaged copy does no harm."""
    good, bad = copies(post)
    assert (
        take_in(post.desk("ben"), read_letter(message(render_block(bad), attached=render_block(good)))).what == "taken"
    )
    assert bad.armor not in post.place("ben").text


# --- text before, after and in the block


def test_text_around_a_turn_is_not_read(post: Post) -> None:
    """Orders in the prose, `by ben;`, another key: what is outside has no say."""
    post.begun()
    block = post.send("anna", "bet 1; rest;")
    prose = "bet 3;\nby ben;\nkey ssh-ed25519 AAAA;\nresign;\n"
    receipt = take_in(post.desk("ben"), read_letter(message(prose + render_block(block) + prose)))
    assert receipt.entry == parse_entry(block.payload)
    assert post.place("ben").text.endswith(render_block(block))
    assert "bet 3" not in post.place("ben").text


@pytest.mark.parametrize(
    ("spoil", "error"),
    [
        (
            lambda t: t.replace("bet 1;", "bet 1; bet 1;"),
            "12 statements were signed|statements were signed, .* arrived",
        ),
        (lambda t: t.replace("bet 1;", "bet 2;"), "damaged statements: 9-11"),
        (lambda t: t.replace("bet 1;\n", ""), "statements were signed, .* arrived"),
        (lambda t: t.replace("-----END PBEM", "and hold the bridge\n-----END PBEM"), "text after the last ';'"),
        (lambda t: t.replace("bet 1;", "bet 1; (a joke);"), "statements were signed"),
        (lambda t: t.replace("-----BEGIN SSH", "PS: bet 2;\n-----BEGIN SSH"), "between the turn and its signature"),
    ],
)
def test_text_in_a_turn_is_refused(post: Post, spoil: Callable[[str], str], error: str) -> None:
    post.begun()
    text = render_block(post.send("anna", "bet 1; rest;"))
    assert spoil(text) != text
    refused_by(post, "ben", message(spoil(text)), Damaged, error)
    assert take_in(post.desk("ben"), read_letter(message(text))).what == "taken"


def test_text_in_a_turn_with_sums_that_fit_is_not_what_was_signed(duel: MakeDuel) -> None:
    game = duel()
    block = game.sign("anna", "bet 1; rest;")
    for old, new in (("bet 1;", "bet 2;"), ("bet 1;\n", ""), ("rest;", "say hello;\nrest;")):
        changed = block._replace(payload=altered(block.payload, old, new))
        refused(game, changed, BadSignature, "anna's signature doesn't hold: it doesn't fit the text")


def test_a_fence_in_a_turn_ends_nothing(duel: MakeDuel) -> None:
    """Words of a fence can't be written with tokens."""
    game = duel()
    for word in ("-----END", "-----BEGIN PBEM TURN-----", "a-----END", "x-----BEGIN", "a-----"):
        with pytest.raises(Damaged, match=r"doesn't begin with|holds U.0020|five hyphens in a row, as fences do"):
            forged(game, "anna", (Statement("say", (word, "PBEM", "TURN-----")),))


# --- letters and words that aren't what they seem


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("scout", "sc\u043eut", "U\\+043E \\(CYRILLIC SMALL LETTER O\\)"),
        ("scout", "\u0455cout", "U\\+0455"),
        ("scout", "scou\u03c4", "U\\+03C4"),
        ("rear", "r\u00e9ar", "U\\+00E9"),
        ("scout", "scout\x1b[8m", "U\\+001B"),
        ("scout", "sco\x00ut", "U\\+0000"),
        ("scout", "scout\x08\x08", "U\\+0008"),
    ],
)
def test_look_alikes_and_escape_codes_are_named(post: Post, old: str, new: str, name: str) -> None:
    post.begun()
    block = post.send("anna", "move scout rear; rest;")
    spoiled = Mail("turn.eml", "", "", "", "", "", (render_block(block).replace(old, new, 1),))
    assert spoiled.texts[0] != render_block(block)
    refused_by(post, "ben", spoiled, Damaged, name)
    with pytest.raises(Damaged, match="holds"):
        forged(Duel(post.scenario), "anna", (Statement("say", (new,)),))


def test_bidi_and_invisible_letters_change_no_turn(post: Post) -> None:
    """They are gone before anything is read: what is shown and signed is ASCII."""
    post.begun()
    block = post.send("anna", "move scout rear; rest;")
    text = render_block(block).replace("scout", "\u202esc\u200bou\u00adt\u202c\u2066\u2069\ufeff")
    receipt = take_in(post.desk("ben"), read_letter(Mail("turn.eml", "", "", "", "", "", (text,))))
    assert receipt.entry.payload == block.payload
    assert post.place("ben").text.isascii()


def test_escape_codes_and_bidi_of_a_mail_s_headers_are_not_shown() -> None:
    raw = "From: =?utf-8?b?G1szMW1hbm5h4oCuCg==?= <a@example.org>\nSubject: \x1b[2J\x07turn\n\nhello\n"
    found = letter(raw.encode())
    for shown in (found.sender, found.subject):
        assert shown
        assert all(letter.isprintable() for letter in shown), ascii(shown)


def test_nothing_of_html_can_be_said(duel: MakeDuel) -> None:
    game = duel()
    for word in ("<b>", "a<script>", "&lt", "{{x}}", "a{%", "`rm`", "$HOME", "a;b", "a\nb", "@x", "#4"):
        with pytest.raises(Damaged, match=r"token|statement"):
            build_entry(kind="orders", seq=2, by="anna", nonce="0" * 32, body=(Statement("say", (word,)),))
    taken(game, forged(game, "anna", "say that is all, folks!; rest;"))


# --- numbers


HUGE = [str(10**9), str(10**20), "9" * 75, "1e9", "0x7", "007", "+1", "-1", "1_000", "1.0"]


@pytest.mark.parametrize("number", HUGE)
@pytest.mark.parametrize(("keyword", "tail"), [("seq", ""), ("reveal", " " + "0" * 64)])
def test_a_huge_or_odd_number_in_a_header_is_refused(duel: MakeDuel, keyword: str, tail: str, number: str) -> None:
    game = duel()
    game.play("anna", "rest;")
    lines = game.sign("ben", "rest;").payload.decode().splitlines()[:-1]
    changed = resummed(f"{keyword} {number}{tail};" if line.startswith(keyword) else line for line in lines)
    with pytest.raises(Damaged, match=f"{keyword} .* isn't a|doesn't begin with"):
        parse_entry(changed)


@pytest.mark.parametrize("number", [*HUGE, "0", "100001"])
def test_a_huge_or_odd_length_of_a_chain_is_refused(duel: MakeDuel, number: str) -> None:
    accept = duel().accept.payload
    with pytest.raises(Damaged, match=r"anchor .* isn't a length of 1 to 100000|doesn't begin with"):
        parse_entry(altered(accept, "anchor 60 ", f"anchor {number} "))


@pytest.mark.parametrize("number", [*HUGE, "12", "10"])
def test_a_count_that_lies_is_damage(duel: MakeDuel, number: str) -> None:
    payload = duel().sign("anna", "bet 1; rest;").payload
    assert b"\nend 11 " in payload
    with pytest.raises(Damaged, match=r"it gives no count|it counts \d+, while its sums|doesn't begin with"):
        parse_entry(payload.replace(b"\nend 11 ", f"\nend {number} ".encode()))


@pytest.mark.parametrize("number", [n for n in HUGE if n[0].isdigit()])
def test_a_huge_or_odd_number_in_an_order_is_refused(duel: MakeDuel, number: str) -> None:
    game = duel()
    block = forged(game, "anna", (Statement("bet", (number,)),))
    assert f"`{number}` is no number to bet" in str(refused(game, block, BadLog, "its orders can't be read"))


# --- YAML


@pytest.mark.parametrize("word", ["no", "0707", "0808", "12:30", "1e3", "null", "~x", "yes", "0x10", "1_0"])
def test_words_that_yaml_reads_as_something_else_are_words(duel: MakeDuel, word: str) -> None:
    """In a turn each is the text that was written, or refused; there is no third way."""
    game = duel()
    if word.startswith("~"):
        with pytest.raises(Damaged, match="holds ~"):
            forged(game, "anna", (Statement("say", (word,)),))
        return
    block = forged(game, "anna", (Statement("say", (word,)), Statement("rest", ())))
    assert parse_entry(block.payload).body[0].tokens == (word,)
    (said,) = (step["text"] for step in taken(game, block).steps if step["kind"] == "say")
    assert said == word


@pytest.mark.parametrize(
    "text",
    ["a: 1\na: 2;", "move: [scout, rear];", "&x bet 1;", "*x;", "!!python/object bet 1;", "--- bet 1;", "{a: b};"],
)
def test_yaml_is_no_order(text: str) -> None:
    assert parse_statements(text)[1], "it is refused with a reason"
    with pytest.raises(Damaged):
        find_blocks(f"-----BEGIN PBEM TURN-----\n{text}\n-----END PBEM TURN-----\n{_empty()}")


BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 26))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("a: 1\na: 2\n", "the key 'a' stands twice"),
        (BOMB, "the anchor &a0 isn't allowed"),
        ("a: *b\n", "the alias \\*b isn't allowed"),
        ("a: " + "[" * 1000, "nested too deeply"),
        ("[" * 200_000, "nested too deeply"),
        ("a: !!python/object:os.system x\n", "the tag .* isn't allowed"),
        ("<<: {a: 1}\n", "the merge key << isn't allowed"),
        ("a: 1\n---\nb: 2\n", "a second document begins"),
    ],
)
def test_data_that_yaml_readers_disagree_about_is_refused(text: str, error: str) -> None:
    with pytest.raises(BadScenario, match=error):
        load(text, "data.yaml")


def test_data_holds_words_only() -> None:
    read = load("a: 0707\nb: 0808\nc: no\nd: 12:30\ne: 1e3\nf: ~\n", "data.yaml")
    assert read == {"a": "0707", "b": "0808", "c": "no", "d": "12:30", "e": "1e3", "f": "~"}


# --- what a mail claims of itself


def test_a_date_that_lies_changes_nothing(post: Post) -> None:
    """Yesterday, in a hundred years or rubbish: the log is byte for byte the same."""
    post.begun(deadline=1)
    block = post.send("anna", "bet 1; rest;")
    dates = ["Sat, 21 Nov 2026 11:00:00 +0000", "Thu, 01 Jan 1970 00:00:00 +0000", "1 Jan 2126 00:00", "tomorrow"]
    before = kept(post.root / "ben")
    texts, states = set(), set()
    for date in dates:
        raw = f"From: anna@example.org\nDate: {date}\nReceived: by x; {date}\n\n{render_block(block)}"
        take_in(post.desk("ben"), read_letter(letter(raw.encode())))
        texts.add(post.place("ben").text)
        states.add(str(post.place("ben").table.dump()))
        for folder in post.place("ben").folder.home.games():
            folder.log.write_bytes(before[f"games/{folder.id}/game.log"])
    assert len(texts) == len(states) == 1


def claim_with(game: Duel, *sent: str) -> Block:
    """Anna's claim with this time for her newest entry."""
    return forged(game, "anna", (Statement("sent", sent),), kind="claim")


def test_a_time_in_a_claim_is_the_author_s_word_only(duel: MakeDuel) -> None:
    """No time makes a claim due that isn't, and which one is named makes no difference."""
    outcomes = set()
    for time in ("2026-11-21T12:00:00Z", "1970-01-01T00:00:00Z"):
        game = duel(deadline=7)
        error = refused(game, claim_with(game, "0", time), BadLog, "can't make a `claim` now")
        assert "orders of anna are due" in str(error)
        game.play("anna", "rest;")
        outcomes.add(taken(game, claim_with(game, "2", time)).outcome)
    assert len(outcomes) == 1


@pytest.mark.parametrize("time", ["rubbish", "2026-11-21", "9999-99-99T99:99:99Z"])
def test_a_claim_names_times_or_is_refused(duel: MakeDuel, time: str) -> None:
    game = duel(deadline=7)
    game.play("anna", "rest;")
    refused(game, claim_with(game, "2", time), BadLog, "`sent`")


def test_the_sender_of_a_mail_is_nobody(post: Post) -> None:
    """A turn of anna's from mallory's address is anna's; one of mallory's from anna's address is nobody's."""
    post.begun()
    block = post.send("anna", "rest;")
    stolen = block._replace(armor=signer("mallory").sign(block.payload))
    anna = "anna@example.org"
    refused_by(post, "ben", mail(stolen, sender=anna), BadSignature, "anna's signature doesn't hold")
    assert take_in(post.desk("ben"), read_letter(mail(block, sender="mallory@example.com"))).what == "taken"
    assert post.place("ben").folder.contact().to == anna, "answers go where they went"


def test_a_turn_by_nobody_in_the_game_is_refused(duel: MakeDuel) -> None:
    game = duel()
    refused(game, signed(game.entry("anna", by="mallory"), "mallory"), BadLog, "nobody in this game is called mallory")
    assert set(SIDES) == {"anna", "ben"}
