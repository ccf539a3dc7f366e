"""Every transformation of a mail behind every other: the same turn, or a refusal that is known beforehand."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product

import pytest
from mail import mail_damage
from mail.mail_damage import DAMAGES, Damage
from mail.relay import GATEWAYS, Gateway, narrowed, relayed, shown
from mail.signed import RENDERED, Verdict, judge

Count = Callable[[str, str], None]
Pair = tuple[str, str]

QUOTED = ("quoted_twice_and_wrapped_66", "quoted_without_blank", "quoted_with_bars", "all_newlines_lost_and_wrapped")
TYPOGRAPHY = (
    "autocorrected_dashes",
    "autocorrected_fractions_and_ligatures",
    "bidi_controls",
    "curly_quotes",
    "full_width",
    "zero_width_blanks_and_soft_hyphens",
)

# Pairs (first, second) that don't compose: what they leave isn't the turn any more, or isn't a mail.
APART: dict[Pair, str] = {
    # The header lines go on with every line that begins with a blank; there is no body (RFC 5322 2.2.3).
    **{(first, "no_empty_line_after_headers"): "no turn is in this mail" for first in ("indented", "quoted_with_bars")},
    # This writer of flowed text doesn't stuff a line that begins with `>`, so its pieces are quotes (RFC 3676 4.4).
    ("quoted_without_blank", "delsp_inside_words"): "no turn is in this mail",
    ("html_with_entities_and_tags", "delsp_inside_words"): "without its BEGIN",
    ("quoted_twice_and_wrapped_66", "delsp_inside_words"): "cut off after 35 statements",
    ("all_newlines_lost_and_wrapped", "delsp_inside_words"): "the signature is missing",
    # Quote marks that are no longer at the beginning of a line are text.
    **{(first, "all_newlines_lost"): "text between the turn and its signature: '" for first in QUOTED[:3]},
    **{(first, "all_newlines_lost_and_wrapped"): "text between the turn and its signature: '" for first in QUOTED[:3]},
    ("all_newlines_lost_and_wrapped", "all_newlines_lost"): "without its BEGIN",
    ("all_newlines_lost_and_wrapped", "all_newlines_lost_and_wrapped"): "without its BEGIN",
    # Letters that the second program has no code for are question marks now.
    **{(first, second): "" for first in TYPOGRAPHY for second in ("bare_text", "bare_text_with_prose")},
    **{
        (first, second): ""
        for first in ("hard_blanks", "windows_1252_called_latin_1", "html_with_entities_and_tags")
        for second in ("bare_text", "bare_text_with_prose")
    },
    **{(first, "unknown_charset"): "" for first in (*TYPOGRAPHY, "windows_1252_called_latin_1")},
    **{(first, "windows_1252_called_latin_1"): "" for first in TYPOGRAPHY if first != "curly_quotes"},
}


@cache
def relay(first: Damage, second: Damage) -> tuple[bytes, Verdict]:
    raw, _ = relayed(first, second, RENDERED)
    return raw, judge(raw)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_each_alone(damage: Damage, count: Count) -> None:
    verdict = judge(damage(RENDERED))
    count("one transformation", verdict.outcome)
    assert verdict.outcome == "same"


@pytest.mark.parametrize("first", DAMAGES, ids=lambda damage: damage.__name__)
def test_each_shown_and_sent_on_by_each(first: Damage, count: Count) -> None:
    found: dict[Pair, str] = {}
    for second in DAMAGES:
        verdict = relay(first, second)[1]
        count("two, shown by one and sent on by the other", verdict.outcome)
        assert verdict.outcome != "wrong", (first, second)
        if verdict.outcome == "refused":
            found[first.__name__, second.__name__] = verdict.why
    expected = {pair: why for pair, why in APART.items() if pair[0] == first.__name__}
    assert found.keys() == expected.keys()
    for pair, why in expected.items():
        assert why in found[pair]
        assert found[pair].startswith("standard input")


def test_question_marks_are_the_only_reason_of_pairs_without_one() -> None:
    unexplained = {pair for pair, why in APART.items() if not why}
    narrow = {
        (first.__name__, second.__name__)
        for first, second in product(DAMAGES, DAMAGES)
        if relayed(first, second, RENDERED)[1] and relay(first, second)[1].outcome == "refused"
    }
    assert unexplained == narrow


def gateways_from(first: Damage) -> list[Gateway]:
    """Where a mail with bare CR comes inside one with LF, it is one long header line; no such mail is ever sent."""
    passing = {"crlf_on_the_wire", "forwarded_as_base64", "recoded_as_base64", "recoded_as_quoted_printable"}
    return [gate for gate in GATEWAYS if first is not mail_damage.cr or gate.__name__ in passing]


@pytest.mark.parametrize("first", DAMAGES, ids=lambda damage: damage.__name__)
def test_each_through_two_gateways(first: Damage, count: Count) -> None:
    start = first(RENDERED)
    for gate in gateways_from(first):
        passed = gate(start)
        for behind in (None, *GATEWAYS):
            if first is mail_damage.cr and behind in GATEWAYS and gate.__name__ != "crlf_on_the_wire":
                continue
            verdict = judge(behind(passed) if behind else passed)
            count("one, wrapped or recoded on its way once and twice", verdict.outcome)
            assert verdict == Verdict("same"), (gate, behind)


def test_a_mail_with_bare_cr_inside_another_holds_no_turn(count: Count) -> None:
    for gate in set(GATEWAYS) - set(gateways_from(mail_damage.cr)):
        verdict = judge(gate(mail_damage.cr(RENDERED)))
        count("one, wrapped or recoded on its way once and twice", verdict.outcome)
        assert verdict.outcome == "refused"
        assert "no turn is in this mail" in verdict.why


def test_each_pair_through_one_gateway(count: Count) -> None:
    for number, (first, second) in enumerate(product(DAMAGES, DAMAGES)):
        raw, before = relay(first, second)
        gates = gateways_from(second)
        verdict = judge(gates[number % len(gates)](raw))
        count("two, and wrapped or recoded on their way", verdict.outcome)
        assert verdict.outcome == before.outcome, (first, second, verdict)


STEP = 97  # of all 110,592 threes; a prime that divides neither 48 nor 47


def test_threes_are_refused_only_where_two_of_them_are(count: Count) -> None:
    for first, second, third in list(product(DAMAGES, DAMAGES, DAMAGES))[::STEP]:
        raw, verdict = relay(first, second)
        names = first.__name__, second.__name__, third.__name__
        if verdict.outcome == "same":
            verdict = judge(third(narrowed(shown(raw), third)))
            count("three, each sent on by the next", verdict.outcome)
        assert verdict.outcome != "wrong"
        if verdict.outcome == "refused":
            pairs = ((names[0], names[1]), (names[1], names[2]), (names[0], names[2]))
            assert any(pair in APART for pair in pairs), (names, verdict.why)
