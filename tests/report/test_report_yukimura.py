"""What reports say of the Siege of Osaka: sentences, a chain retreat step by step, and the players' page."""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from random import Random
from typing import Any

import pytest
from golden import ROOT, golden
from matches import scenario_of
from systems.test_reports import empty_table, teller

from pbem.match.check import check
from pbem.match.course import Course
from pbem.match.game import Game
from pbem.match.orders import Act, read_parts
from pbem.match.table import Table
from pbem.report import build as report
from pbem.report import source
from pbem.report.asked import Foreseen, begun
from pbem.report.ordered import ordered as waiting
from pbem.rules import yukimura
from pbem.wire.orderfile import parse_statements

EVENTS = {
    "phase", "beside", "release", "reinforcements", "move", "exit", "crossing", "fire", "melee", "check", "mark",
    "retreat", "displace", "remove", "advance", "control", "drop", "end",
    "exempt",
}  # fmt: skip


DEFENCE, COMBAT = 2, 3
"""The numbers of Osaka's Defensive Fire Phase and of the East's Combat Phase."""


def tell(table: Table, what: str, **facts: Any) -> str:
    """The sentence of an event; it must be its own."""
    told, known = teller(table).tell({"kind": "tell", "what": what, "facts": facts})
    assert known, what
    return told


@pytest.fixture(scope="module")
def domyoji() -> Table:
    table = empty_table("yukimura", "domyoji")
    table.course.begin()
    return table


# --- sentences -------------------------------------------------------------------------------------------------------


def test_sentences_are_the_golden_ones(domyoji: Table) -> None:
    """Events and sentences of tests/report/yukimura.json; `PBEM_REGENERATE=1` makes the sentences anew."""
    path = ROOT / "tests" / "report" / "yukimura.json"
    cases = json.loads(path.read_text(encoding="ascii"))
    made = [case | {"told": tell(domyoji, case["what"], **case["facts"])} for case in cases]
    golden(path, json.dumps(made, indent=1) + "\n")
    assert {case["what"] for case in cases} == EVENTS


def standing_at(places: str, phase: int, reactions: str = "standing") -> Table:
    """A table in a phase of Domyoji's first turn, with units where `places` puts them; no chance is known."""
    table = empty_table("yukimura", "domyoji", reactions)
    table.course.begin()
    s = table.game.state
    for word in places.split():
        unit, number = word.split(":")
        s.put(unit, table.board.parse(number))
    s.phase, s.opened, s.step = phase, True, "fire" if phase == COMBAT else ""
    table.course.game = Game(yukimura, table.board, s, table.course._hear)
    table.steps.clear()
    return table


def ordered(table: Table, side: str, dice: list[int], *texts: str) -> None:
    """Carry out orders of a side, or its answers to the other one's, with these dice."""
    left = deque(dice)
    table.course.chancer = lambda roll: tuple(left.popleft() for _ in range(roll.dice)) if left else None
    orders = [yukimura.read_order(table.board, side, tuple(text.split())) for text in texts]
    acts = [Act(order, yukimura.order_words(table.board, order)) for order in orders]
    table.course.play(side, list(enumerate(acts, 1)), reaction=table.game.request.reaction)
    table.course.resolve()


def fought(places: str, dice: list[int], standing: tuple[str, ...], *texts: str) -> Table:
    """A table behind some orders of an Eastern Combat Phase at Domyoji, by units where `places` puts them."""
    table = standing_at(places, COMBAT)
    table.course.standing["osaka"] = [standing] if standing else []
    ordered(table, "east", dice, *texts)
    return table


def reported(table: Table) -> dict[str, Any]:
    """The report of such a table to its first player."""
    given = source.report_input(table, scenario_of("domyoji"), None) | {"steps": table.steps}
    return report.build(given, source.direction_of(table))


def test_standing_orders_in_force_are_those_that_can_still_answer() -> None:
    """Each that was replaced or cleared, and those of units that are gone, was named too."""
    table = standing_at("mi-02:1510 go-06:1509", COMBAT)
    given = ["defence best", "retreat go-06 west", "retreat go-08 east", "advance go-06 hold", "defence none",
             "retreat any west", "retreat go-06 1922 east", "advance go-06", "retreat go-01 east"]  # fmt: skip
    table.course.standing["osaka"] = [tuple(words.split()) for words in given]
    table.game.state.removed["go-08"] = 1
    table.game.state.exited["go-01"] = 1
    (told,) = (side["orders"] for side in reported(table)["standing"] if side["side"] == "osaka")
    assert told == ["defence none", "retreat any west", "retreat go-06 1922 east"]
    never = [words for words in given if yukimura.why_unanswered(table.game.state, tuple(words.split())) is not None]
    assert never == ["retreat go-08 east", "retreat go-01 east"]


@pytest.mark.clause("10.d", "10-1-3")
@pytest.mark.parametrize(("few", "told"), [("", ["melee", "lapse"]), (" or fewer", ["melee", "drop", "melee"])])
def test_a_second_attack_with_a_unit_of_the_first_lapses_or_goes_on_without_it(few: str, told: list[str]) -> None:
    """R81: mi-02 stands next to both targets, and attacks once."""
    orders = ("melee mi-02 at go-06 hold", f"melee mi-03 at go-08 with mi-02{few} hold")
    table = fought("mi-02:1510 mi-03:1610 go-06:1509 go-08:1609", [3] * 12, (), *orders)
    found = [step.get("what", step["kind"]) for step in table.steps]
    assert [what for what in found if what in ("melee", "lapse", "drop")] == told
    text = " ".join(report.text(reported(table)).split())
    assert (f'The order "{orders[1]}" of the Eastern Army lapsed: ' in text) == (not few)
    assert text.count("hand-to-hand:") == 1 + bool(few)


def test_an_order_left_over_by_its_phase_lapses_with_the_reason_that_check_gives() -> None:
    """The phase ends with the fire, for nobody else could act in it; the report said that it was over."""
    orders = ("fire mi-04 at go-06", "melee mi-04 at go-06")
    why = "mi-04 Mizuno riflemen 1 has fired in this phase and can't fight hand-to-hand"
    (error,) = check(standing_at("mi-04:1510 go-06:1509", COMBAT), "asuka", "; ".join(orders)).errors
    assert f": {why}; " in str(error)
    table = standing_at("mi-04:1510 go-06:1509", COMBAT)
    ordered(table, "east", [], *orders)
    stored = json.loads(json.dumps(table.course.dump()))
    again = standing_at("mi-04:1510 go-06:1509", COMBAT)
    again.course = Course.load(again.genesis, again.rules, again.board, stored)
    for behind in (table, again):  # the dice of the fire have waited, in one of them in a cache
        behind.course.chancer = lambda roll: (1,) * roll.dice
        behind.course.resolve()
        (lapse,) = reported(behind)["lapses"]
        assert (error.clause, lapse["clause"], lapse["reason"]) == ("9-1-7.a", "9-1-7.a", why)


GUNS = "go-04:1610 go-05:1510 mi-02:1509 mi-03:1609"
"""go-05 stands next to both targets, go-04 next to mi-03."""


def test_answers_that_wait_for_dice_are_told_as_orders_with_their_odds() -> None:
    """The first was told as decided, without its odds, and the others not at all before their dice had fallen."""
    table = standing_at(GUNS, DEFENCE, "ask")
    ordered(table, "osaka", [], "fire go-05 at mi-02", "fire go-04 at mi-03", "done")
    (first_answer,) = begun(table)
    assert first_answer["words"] == ["fire", "go-05", "at", "mi-02"]
    first, second, end = waiting(table, "osaka", Foreseen(None, True, ()), teller(table))["items"]
    assert (first["number"], second["number"], end["told"]) == (1, 2, "Then the phase ends.")
    assert first["told"].startswith("Goto riflemen 2 (go-05) in hex 1510 fires at ")
    assert second["told"].startswith("Goto riflemen 1 (go-04) in hex 1610 fires at ")
    assert all("% " in item["odds"] or " %" in item["odds"] for item in (first, second))
    assert waiting(table, "east", Foreseen(None, True, ()), teller(table))["items"] == []


@pytest.mark.clause("9.d", "9-1-2", "4-1(2)")
@pytest.mark.parametrize(("few", "told"), [("", ["fire", "lapse"]), (" or fewer", ["fire", "drop", "fire"])])
def test_an_answer_by_several_lapses_or_goes_on_without_who_has_fired(few: str, told: list[str]) -> None:
    """R81 in a Defensive Fire Phase: the answers of one react, of which the first takes a unit of the second."""
    orders = ("fire go-05 at mi-02", f"fire go-04 at mi-03 with go-05{few}")
    table = standing_at(GUNS, DEFENCE, "ask")
    ordered(table, "osaka", [1] * 12, *orders)
    found = [step.get("what", step["kind"]) for step in table.steps]
    assert [what for what in found if what in ("fire", "lapse", "drop")] == told
    answers = [" ".join(step["words"]) for step in table.steps if step["kind"] == "answer"]
    assert answers == ["fire go-05 at mi-02", *(["fire go-04 at mi-03"] if few else [])]
    text = " ".join(report.text(reported(table)).split())
    assert (f'The order "{orders[1]}" of the Osaka Army lapsed: ' in text) == (not few)
    assert ("left out" in text) == bool(few)


@pytest.mark.parametrize("few", ["", " or fewer"])
def test_an_answer_that_is_illegal_in_part_before_the_dice_is_told(few: str) -> None:
    """The check takes the same road: what would be left out is an error as long as no die can have changed it."""
    table = standing_at(GUNS, DEFENCE, "ask")
    table.seq = 5
    found = check(table, "ben", f"fire go-04 at mi-02 with go-05{few};", Random(1), 3)
    assert [(error.clause, error.where) for error in found.errors] == [("9.c", "line 1")]
    text = f"fire go-05 at mi-02;\nfire go-04 at mi-03 with go-05{few};"
    found = check(table, "ben", text, Random(1), 3)
    assert found.errors == []
    assert [(lapse.line, lapse.without) for lapse in found.lapses] == [(2, "go-05" if few else "")]


def test_an_answer_is_not_refused_for_an_order_that_waits_since_the_entry_before() -> None:
    """A fire drives off the target of the attack that waits behind the question: it lapses, not the answer."""
    table = standing_at("mi-04:1510 mi-03:1609 go-06:1509", COMBAT, "ask")
    ordered(table, "east", [6, 6, 6], "fire mi-04 at go-06", "melee mi-03 at go-06")
    ordered(table, "osaka", [], " ".join(yukimura.order_words(table.board, table.game.request.default())))
    assert table.game.request.kind == "advance"
    table.seq = 5
    for text in ("hold mi-04;", "advance mi-04 1509;"):
        found = check(table, "asuka", text, Random(1), 3)
        assert (found.errors, found.lapses) == ([], [])
    found = check(table, "asuka", "advance mi-04 1508;", Random(1), 3)
    assert [error.where for error in found.errors] == ["line 1"]
    assert check(table, "asuka", "advance mi-04 to 1509;", Random(1), 3).readings == [], "`to` finds nothing between"
    (reading,) = check(table, "asuka", "advance mi-4 to 1509;", Random(1), 3).readings
    assert str(reading) == "line 1 is read as `advance mi-04 1509`"


@pytest.mark.parametrize(("last", "stops"), [("done", 0), ("fire go-05 at mi-03", 1)])
def test_a_closing_order_that_was_not_needed_is_no_answer_that_is_dropped(last: str, stops: int) -> None:
    """Nobody else can fire, so that the Defensive Fire Phase ends by itself; what is left is told later."""
    table = standing_at("go-05:1510 mi-02:1509", DEFENCE, "ask")
    ordered(table, "osaka", [1] * 12, "fire go-05 at mi-02", last)
    assert table.game.request.side == "east"
    ordered(table, "east", [], "done")
    ordered(table, "osaka", [], "done")
    assert [step["kind"] for step in table.steps].count("stop") == stops


def test_a_melee_with_a_chain_retreat_is_told_step_by_step() -> None:
    """All that follows from the order stands in one paragraph, in the order of the rules, each step with its die.

    The target retreats over two friends, onto the second; the first falls back as well.
    """
    table = fought(
        "mi-02:1510 mi-03:1609 go-06:1509 go-08:1508 go-09:1507", [4, 5, 4, 6, 2], ("retreat", "go-06", "1507"),
        "melee mi-02 at go-06 with mi-03 advance mi-02 advance mi-03",
    )  # fmt: skip
    data = reported(table)
    (action,) = data["news"][0]["actions"]
    assert [item["what"] for item in action["items"] if item["kind"] == "tell"] == [
        "melee", "check", "retreat", "mark", "mark", "displace", "check", "retreat", "check", "advance", "advance",
    ]  # fmt: skip
    text = report.text(data)
    found = text[text.index("  Mizuno mounted 1") : text.index("\n\n", text.index("  Mizuno mounted 1"))] + "\n"
    golden(ROOT / "tests" / "report" / "yukimura-chain.txt", found)


def test_of_several_standing_orders_the_one_that_answered_is_named() -> None:
    """A unit's own comes before that for any; the one for another unit says nothing."""
    places = "mi-02:1510 mi-03:1609 go-06:1509 go-08:1508 go-09:1507"
    table = standing_at(places, COMBAT)
    given = ["retreat go-09 east", "retreat any 1406 north west", "retreat go-06 1922 1507", "defence best"]
    table.course.standing["osaka"] = [tuple(words.split()) for words in given]
    table.course.strict.clear()
    ordered(table, "east", [4, 5, 4, 6, 2], "melee mi-02 at go-06 with mi-03 advance mi-02 advance mi-03")
    answers = [(step["how"], step["words"][1], [" ".join(words) for words in step.get("by", ())], step.get("tried"))
               for step in table.steps if step["kind"] == "answer"]  # fmt: skip
    assert answers[0] == ("standing", "go-06", ["retreat go-06 1922 1507"], None)
    assert answers[1] == ("standing", "go-09", ["retreat any 1406 north west"], None)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([], {"": 1}),
        (["defence best"], {" for this": 1}),
        (["retreat go-06 1507"], {" for this": 2}),
        (["retreat go-06 1507", "retreat go-09 2332"], {" for this": 1, " that fitted": 1}),  # heeded where displaced
        (["retreat go-06 1507", "retreat any 2332"], {" that fitted": 2}),
    ],
)
def test_of_a_default_is_told_what_standing_orders_there_were(given: list[str], told: dict[str, int]) -> None:
    """Behind go-06, which retreats as ordered or by default, others are displaced and retreat by default."""
    table = standing_at("mi-02:1510 mi-03:1609 go-06:1509 go-08:1508 go-09:1507", COMBAT)
    table.course.standing["osaka"] = [tuple(words.split()) for words in given]
    ordered(table, "east", [4, 5, 4, 6, 2], "melee mi-02 at go-06 with mi-03 advance mi-02 advance mi-03")
    text = " ".join(report.text(reported(table)).split())
    assert Counter(re.findall("had no standing order(.*?); by default", text)) == told


# --- the players' page -----------------------------------------------------------------------------------------------


def examples() -> list[str]:
    """The orders that docs/yukimura.md shows: in the tables' second column, in its lines and as blocks."""
    text = (ROOT / "docs" / "yukimura.md").read_text(encoding="utf-8")
    blocks = [line.strip() for line in text.splitlines() if line.startswith("    ") and line.endswith(";")]
    return blocks + [
        shown for shown in re.findall(r"`([^`]+;)`", text) if not re.search(r"[A-Z]{2}|\bU\b|\bV\b", shown)
    ]


@pytest.mark.parametrize("text", dict.fromkeys(examples()))
def test_an_example_of_the_page_can_be_read(text: str) -> None:
    table = empty_table("yukimura", "connected" if "Y2801" in text else "domyoji")
    found, wrong = parse_statements(text)
    assert wrong == []
    side = "osaka" if re.search(r"hideyori|retreat (go|any)|\bgo-06 1922", text) else "east"
    parts, errors = read_parts(yukimura, table.board, side, found)
    assert errors == []
    assert len(parts) == 1


def test_the_page_has_every_order_word_and_condition() -> None:
    from pbem.rules.kit.words import CONDITIONS
    from pbem.rules.yukimura.orders import STANDING, STATES, USAGE
    from pbem.rules.yukimura.state import OPTIONS

    page = (ROOT / "docs" / "yukimura.md").read_text(encoding="utf-8")
    protocol = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8").partition("#### yukimura/2")[2]
    for word in (*USAGE, *OPTIONS):
        assert re.search(rf"`(?:standing )?{word}\b", page), word
    for word in CONDITIONS:
        assert f"| `{word} " in page, word
    for word in STANDING:
        assert f"standing {word} " in page, word
        assert f"standing {word} " in protocol, word
    for word in STATES:
        assert f"`is U {word}`" in page, word
    assert " ".join(STATES) in protocol


def test_the_protocol_has_every_key_of_the_state(domyoji: Table) -> None:
    protocol = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8").partition("#### yukimura/2")[2]
    shown = re.findall(r'"(\w+)": ', protocol.partition("`options` has")[0])
    assert sorted(shown) == sorted(yukimura.dump(domyoji.game.state))
