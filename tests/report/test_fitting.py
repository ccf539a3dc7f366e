"""Mails that always fit: the block of a turn goes out whatever its report holds, and what is left out is said."""

from __future__ import annotations

import io
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from letters import blocks_of
from match import costly
from match.costly import Moment
from matches import parts_of, scenario_of, signer

from pbem.cli.turns import turn_mail
from pbem.desk.arrival import take_in
from pbem.desk.letter import read_letter
from pbem.errors import Damaged
from pbem.mail.inbox import Mail, read_mails
from pbem.mail.outbox import MAIL_MAX, compose
from pbem.match.table import STEPS_MAX
from pbem.match.take import take
from pbem.report import build
from pbem.report.fitting import PAGE, SCREEN, SMALL, Limits, Version, cut, fitted
from pbem.report.layout import Json
from pbem.report.mail import Drawn, mail_data, mail_text, versions
from pbem.report.pictured import page
from pbem.report.source import report_data
from pbem.wire.blocks import Block, render_block
from pbem.wire.entry import build_entry
from pbem.wire.notes import LETTERS, tidy
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn

C_MAX = 262_144
SCENARIO = "toba-fushimi"


@cache
def moment() -> Moment:
    """A moment at which one moves."""
    return costly.moments(SCENARIO, most=8)["move"]


def signed(text: str) -> Block:
    at = moment()
    parts = parts_of(at.table, at.side, text)
    return at.match.signed(at.table, at.player, parts)


def report_of(block: Block) -> Json:
    """The opponent's report on an entry."""
    at = moment()
    table = at.table.fork()
    take(table, Turn.of(block))
    return report_data(table, scenario_of(SCENARIO), table.genesis.other(at.player).name)


def mail_of(block: Block) -> Json:
    """What the opponent's mail of an entry says."""
    at = moment()
    table = at.table.fork()
    take(table, Turn.of(block))
    return mail_data(table, scenario_of(SCENARIO), table.genesis.other(at.player).name)


def drawings(count: int = 2, size: int = 9_000) -> list[Drawn]:
    """So many pictures of so many bytes."""
    return [(f"crop-{number}", f"Part {number}", b"\x89PNG" + bytes(size - 4)) for number in range(count)]


def mailed(block: Block, data: Json, drawn: list[Drawn]) -> bytes:
    def write(version: Version) -> bytes:
        return compose(
            sender="asuka@example.org",
            to="ben@example.net",
            subject="a turn",
            text=version.text,
            html=version.html,
            pictures=[(name, png) for name, _, png in version.pictures],
            block=render_block(block),
            in_reply_to=None,
            date="Sat, 21 Nov 2026 10:00:00 +0000",
            message_id="<turn-14@example.org>",
            attachment_name="a.turn",
        )

    return fitted(versions(data, drawn, render_block(block)), write)


def read(raw: bytes) -> Mail:
    (only,) = read_mails("-", io.BytesIO(raw))
    return only


def text_of(mail: Mail) -> str:
    return " ".join(mail.texts[0].split())


def lapsing(count: int) -> str:
    at = moment()
    return "".join(f"retreat {unit} {at.hexes[0]};\n" for unit, _ in zip(cycle(at.own), range(count), strict=False))


@cache
def worst_block(size: int = C_MAX) -> Block:
    """An entry of so many bytes whose every letter is dear in a mail: `=`, and lines that begin with a dot or so."""
    body = [Statement("say", ("1" + "=" * 79,) * 50)] * ((size - 600) // 4056)
    given: dict[str, Any] = {
        "kind": "orders", "game": "3f" * 32, "seq": 14, "prev": "9a" * 32, "by": "ben", "nonce": "00" * 16,
        "reveal": (6, "b8" * 32), "state": "77" * 32,
    }  # fmt: skip
    left = size - len(build_entry(**given, body=body).payload)
    while left:
        longest = min(left, 4056) if left not in range(4057, 4064) else 4000
        words, room = [], longest - 5
        while room > 0:
            length = min(room - 1, 80) if room - 81 != 1 else 79
            words.append("1" + "=" * (length - 1))
            room -= length + 1
        body.append(Statement("say", tuple(words)))
        left = size - len(build_entry(**given, body=body).payload)
    payload = build_entry(**given, body=body).payload
    return Block(payload, signer("ben").sign(payload))


def test_an_ordinary_mail_has_all_of_it() -> None:
    block = signed(lapsing(3))
    raw = mailed(block, mail_of(block), drawings())
    assert "left out" not in text_of(read(raw)).lower()
    assert raw.count(b"Content-Type: image/png") == 2
    assert len(raw) <= SMALL
    data = report_of(block)
    assert cut(data, SCREEN) is data


def test_3300_orders_that_lapse_are_mailed_and_the_mail_says_what_it_leaves_out() -> None:
    block = signed(lapsing(3300))
    raw = mailed(block, mail_of(block), drawings())
    assert len(raw) <= 2 * len(block.payload) + 20_000
    mail = read(raw)
    assert blocks_of(mail) == [block]
    assert not raw_html(raw)
    said = " ".join(text_of(mail).split())
    assert "The page beside this text is left out of this mail. What was ordered and what happened is left out" in said
    assert "is left out of this mail; `pbem open` shows it." in text_of(mail)


def test_the_largest_note_beside_the_largest_block_goes_out_and_what_is_left_out_for_it_is_told() -> None:
    """A note stands in no log: nothing but the mail has it."""
    block, note = worst_block(), tidy("\u53c2 " * LETTERS)
    raw = mailed(block, {**mail_of(signed(lapsing(5))), "note": note}, [])
    assert len(raw) <= MAIL_MAX
    assert blocks_of(read(raw)) == [block]
    assert not raw_html(raw)
    assert note in text_of(read(raw))
    assert "The page beside this text is left out of this mail." in " ".join(text_of(read(raw)).split())


def test_300_orders_that_lapse_are_told_as_far_as_there_is_room() -> None:
    block = signed(lapsing(300))
    raw = mailed(block, mail_of(block), drawings())
    assert len(raw) <= SMALL
    mail = read(raw)
    assert blocks_of(mail) == [block]
    said = text_of(mail)
    assert "... and 100 lapsed orders more, left out here." in said
    assert "Left out: 100 lapsed orders." in said
    assert "`pbem report --json` has the whole." in said


def test_a_block_at_the_limit_of_the_worst_letters_fits_twice() -> None:
    block = worst_block()
    assert len(block.payload) == C_MAX
    raw = mailed(block, mail_of(signed(lapsing(5))), [])
    assert len(raw) <= 0.72 * (1 << 20) + 30_000  # the report beside it
    mail = read(raw)
    assert blocks_of(mail) == [block]
    assert raw.count(b"base64") == 2
    assert sum("BEGIN PBEM TURN" in part for part in mail.texts) == 2


def test_the_block_at_the_limit_goes_out_with_the_longest_report_too() -> None:
    block = worst_block()
    raw = mailed(block, mail_of(signed(costly.filled(costly.SHAPES["retreats that stand"](moment())))), drawings())
    assert len(raw) <= MAIL_MAX
    assert blocks_of(read(raw)) == [block]


@given(
    lapsed=st.sampled_from([(0, 0), (1, 800), (40, 800), (41, 800), (200, 200), (201, 200), (1000, 40), (4980, 2)]),
    ordered=st.sampled_from([0, 40, 300]),
    picture=st.one_of(st.just(0), st.integers(20_000, 1_100_000)),
    large=st.booleans(),
)
@settings(max_examples=12)
def test_every_mail_fits_and_says_so_when_it_is_cut(
    lapsed: tuple[int, int], ordered: int, picture: int, large: bool
) -> None:
    base, (lapses, words) = mail_of(signed(lapsing(1))), lapsed
    group = base["news"][-1]
    lapse = {**group["actions"][-1]["items"][-1], "told": "It lapsed:" + " 1810" * words}
    waits = [{"told": "fires", "odds": "no effect 50 %", "number": n + 1} for n in range(ordered)]
    data = {
        **base,
        "news": [{**group, "actions": [{**group["actions"][-1], "order": None, "items": [lapse]}] * lapses}],
        "orders": [{"side": "x", "title": "X", "by": "asuka", "items": waits}] if waits else [],
    }
    drawn = drawings(1, picture) if picture else []
    block = worst_block() if large else signed(lapsing(1))
    raw = mailed(block, data, drawn)
    assert len(raw) <= (MAIL_MAX if large else SMALL)
    mail = read(raw)
    assert blocks_of(mail) == [block]
    whole = mail_text(data, drawn)
    cut_short = " ".join(whole.split()) not in text_of(mail) or (drawn and b"Content-Type: image/png" not in raw)
    assert ("eft out" in text_of(mail)) == bool(cut_short)


def raw_html(raw: bytes) -> list[str]:
    """The HTML of a mail."""
    import email
    import email.policy

    message = email.message_from_bytes(raw, policy=email.policy.default)
    return [part.get_content() for part in message.walk() if part.get_content_type() == "text/html"]


def size_of(version: Version) -> int:
    return len(version.text) + len(version.html or "") + sum(len(png) for _, _, png in version.pictures)


@pytest.mark.parametrize("room", [MAIL_MAX // 8, MAIL_MAX // 64, 8_000])
def test_each_step_is_shorter_and_the_last_has_a_few_lines(room: int) -> None:
    data, drawn = mail_of(signed(lapsing(3300))), drawings(3)
    sizes = [size_of(version) for version in versions(data, drawn, "")]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < 1500

    def narrow(version: Version) -> bytes:
        if size_of(version) > room:
            raise Damaged("too much")
        return version.text.encode("ascii")

    made = fitted(versions(data, drawn, ""), narrow)
    assert len(made) <= room
    assert b"eft out" in made


def test_what_can_never_fit_is_refused_with_its_reason() -> None:
    def never(_: Version) -> bytes:
        raise Damaged("the mail has 9 bytes")

    with pytest.raises(Damaged, match="9 bytes"):
        fitted([Version("a")], never)


def test_the_first_small_one_goes_out_and_where_none_is_small_the_smallest() -> None:
    sizes = {"a": SMALL + 3, "b": SMALL + 1, "c": SMALL + 2}

    def sized(version: Version) -> bytes:
        return version.text.encode("ascii") * sizes[version.text]

    assert fitted(map(Version, "abc"), sized)[:1] == b"b"
    sizes |= {"b": SMALL, "c": 1}
    assert fitted(map(Version, "abc"), sized)[:1] == b"b"


@pytest.mark.parametrize("talk", ["javascript:alert", "onload=x", "on=script", "x----BEGIN"])
def test_talk_is_no_script_and_no_turn(talk: str) -> None:
    block = signed(f"say {talk} {talk};\n")
    raw = mailed(block, mail_of(block), drawings())
    assert blocks_of(read(raw)) == [block]
    assert raw_html(raw), "the page goes out as well"


# --- what is cut -----------------------------------------------------------------------------------------------------


def test_lists_are_cut_and_say_how_many_more_there_are() -> None:
    data = report_of(signed(lapsing(200) + "say hello there;\n" * 9))
    fit = cut(data, Limits(7, 1000, 7, 1000))
    kinds = [item["kind"] for group in fit["news"] for action in group["actions"] for item in action["items"]]
    assert (kinds.count("lapse"), kinds.count("say"), len(fit["lapses"])) == (7, 7, 7)
    assert fit["lapses"] == [{**lapse, "order": [" ".join(lapse["order"])]} for lapse in data["lapses"][:7]]
    made = build.text(fit)
    assert "... and 193 lapsed orders and 2 lines of talk more, left out here." in made
    assert "LAPSED ORDERS" not in made, "the news tell each with all its words, and of how many they don't"
    assert max(map(len, made.splitlines())) <= build.WIDTH
    assert "... and 193 lapsed orders and 2 lines of talk more, left out here." in " ".join(build.html(fit).split())
    assert len(data["lapses"]) == 200, "what was given isn't changed"


def test_long_lapses_are_told_on_a_screen_in_a_few_lines_each_and_of_many_the_rest_is_counted() -> None:
    at = moment()
    data = report_of(signed(f"retreat {at.own[0]}{f' {at.hexes[0]}' * 200};\n" * 200))
    fit = cut(data, SCREEN)
    items = [item for group in fit["news"] for action in group["actions"] for item in action["items"]]
    lapses = [item["told"] for item in items if item["kind"] == "lapse"]
    assert {len(told) for told in lapses} == {SCREEN.lapse + len(" ...")}
    whole = [item["told"] for group in data["news"] for action in group["actions"] for item in action["items"]]
    for told in lapses:  # the reason stands at the end
        begun, ended = told.split(" ...", 1)
        assert any(words.startswith(begun) and words.endswith(ended) for words in whole)
        assert " lapsed: " in ended
    assert len(build.text(data)) > 200_000
    made = build.text(fit)
    assert len(made) < 60_000
    assert made.count("... and 160 lapsed orders more, left out here.") == 1, "they are told once"
    assert "`pbem report --json` has the whole." in " ".join(made.split())


def test_a_page_is_cut_like_a_screen_but_shows_all_units_and_says_what_it_leaves_out() -> None:
    """One entry with lapses as long as can be made a page of more than two megabytes of text."""
    at = moment()
    block = signed(f"retreat {at.own[0]}{f' {at.hexes[0]}' * 200};\n" * 200)
    data = report_of(block)
    assert len(build.html(data)) > 500_000
    made = page(data, [], [])
    without = len(page(report_of(signed("")), [], []))
    assert len(made) - without < SMALL
    assert "... and 160 lapsed orders more, left out here." in made
    assert "160 lapsed orders" in made.partition("Left out: ")[2].partition(". ")[0]
    assert "<code>pbem report --json</code> has the whole." in made
    unit = next(unit for unit in data["situation"]["units"] if unit["where"] in _listed(data))
    many = {**data, "situation": {**data["situation"], "units": [{**unit, "id": f"u{i}"} for i in range(300)]}}
    assert [len(cut(many, limits)["situation"]["units"]) for limits in (SCREEN, PAGE)] == [100, 300]


def _listed(data: Json) -> set[str]:
    """The places whose units a report lists one by one."""
    return {where["id"] for where in data["situation"]["where"] if where["listed"]}


def test_units_and_standing_orders_are_cut_by_side_and_the_newest_orders_stay() -> None:
    at = moment()
    number = at.hexes[0]
    foot = [unit for unit in at.own if not at.table.board.units[unit].artillery][:9]
    data = report_of(signed("".join(f"standing retreat {unit} {number};\n" for unit in foot)))
    fit = cut(data, Limits(3, 1000, 3, 1000))
    mine = next(side["orders"] for side in fit["standing"] if side["side"] == at.side)
    assert mine == [f"retreat {unit} {number}" for unit in foot[6:9]]
    listed = {where["id"] for where in data["situation"]["where"] if where["listed"]}
    shown = [unit for unit in fit["situation"]["units"] if unit["where"] in listed]
    assert {side["id"]: 3 for side in data["situation"]["sides"]} == {
        side["id"]: sum(unit["side"] == side["id"] for unit in shown) for side in data["situation"]["sides"]
    }
    assert "6 standing orders" in fit["notes"][-1]


def test_long_entries_are_cut_and_short_ones_are_not() -> None:
    at = moment()
    number = at.hexes[0]
    data = report_of(signed(f"standing retreat any{f' {number}' * 100};\nretreat {at.own[0]}{f' {number}' * 100};\n"))
    fit = cut(data, Limits(100, 200, 100, 200))
    assert len(fit["lapses"][0]["order"][0]) == 204
    assert "3 parts of long lines" in fit["notes"][-1]
    assert cut(data, Limits(100, 2000, 100, 2000)) is data


def test_of_too_many_steps_the_newest_are_told_and_kept_and_the_report_says_so() -> None:
    """Entry after entry full of lapses, with nothing decided by the reader between them, would fill his reports."""
    at = moment()
    table = at.table.fork()
    block = signed(lapsing(10))
    take(table, Turn.of(block))
    reader = table.genesis.other(at.player).name
    first, last = table.steps[0], table.steps[-1]
    table.course.steps = [first, *[last] * (STEPS_MAX - 1)]
    data = report_data(table, scenario_of(SCENARIO), reader)
    assert (len(data["lapses"]), data["notes"]) == (STEPS_MAX, [])
    table.steps.append(last)
    for found in (table, type(table).load(table.genesis, table.rules, table.board, table.dump())):
        data = report_data(found, scenario_of(SCENARIO), reader)
        assert len(data["lapses"]) == STEPS_MAX
        assert data["notes"][0].startswith("Only the newest 10,000 steps since entry")
    table.course.steps += [last] * 50_000
    assert len(table.dump()["steps"]) == STEPS_MAX + 1


# --- with the program ------------------------------------------------------------------------------------------------


def test_the_answer_to_a_huge_turn_can_be_mailed(tmp_path: Path) -> None:
    at = moment()
    block = signed(lapsing(3300))
    (tmp_path / "turn.txt").write_text(render_block(block), "ascii")
    desk = costly.desk_of(at, tmp_path / "home")
    receipt = take_in(desk, read_letter(next(read_mails(str(tmp_path / "turn.txt")))))
    due = receipt.place.table.due()
    assert due.player == receipt.place.me
    answer = desk.send(receipt.place, [])
    raw = turn_mail(desk, receipt.place, answer).mail
    assert len(raw) <= MAIL_MAX
    assert blocks_of(read(raw)) == [answer.block]
