"""The situation report: goldens of the text, the schemas, hostile strings, and what the sections must say.

The goldens beside this file are made anew by `PBEM_REGENERATE=1 pytest tests/report`; review them as a diff.
"""

from __future__ import annotations

import copy
import json
import marshal
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jinja2
import jsonschema
import pytest
from golden import ROOT, golden
from hypothesis import given
from hypothesis import strategies as st
from referencing import Registry, Resource

from pbem.errors import Storage
from pbem.home import cache
from pbem.match.prospects import give_or_take
from pbem.picture.news import marks
from pbem.picture.scene import Picture
from pbem.report import build as report
from pbem.report import layout, pictured
from pbem.report.layout import to_come
from pbem.report.mail import mail_html, mail_text
from pbem.rules.bakumatsu import GOOD

FIXTURES = ROOT / "tests" / "report"
DOCS = ROOT / "docs"
CASES = ["setup", "move", "fire", "melee", "end"]
BLOCK = "-----BEGIN PBEM TURN-----\npbem 1;\n" + "move " + "x" * 200 + ";\n-----END PBEM TURN-----\n"
ESC, RLO, ZWSP = "\x1b", "\u202e", "\u200b"


def load(case: str) -> dict[str, Any]:
    """A case's input; its situation is the common one with the case's changes."""
    given = json.loads((FIXTURES / f"{case}.json").read_text(encoding="utf-8"))
    situation = json.loads((FIXTURES / "situation.json").read_text(encoding="utf-8")) | given["situation"]
    for unit in situation["units"]:
        unit |= given["units"].get(unit["id"], {})
    loaded: dict[str, Any] = given["input"] | {"situation": situation, "good": GOOD}
    return loaded


def direction(a: str, b: str) -> str:
    """A stub: rows count to the north, columns to the east."""
    step = int(b[:2]) - int(a[:2]), int(b[2:]) - int(a[2:])
    words = {(0, 1): "east", (0, -1): "west", (1, 0): "north-west", (1, 1): "north-east", (-1, 0): "south-east"}
    return {**words, (-1, -1): "south-west"}.get(step, "")


def built(case: str, **changes: Any) -> dict[str, Any]:
    return report.build(load(case) | changes, direction)


def tell(what: str, **facts: Any) -> dict[str, Any]:
    return {"seq": 13, "turn": 2, "phase": "satcho-fire", "kind": "tell", "what": what, "clause": "1", "facts": facts}


def loose(page: str) -> str:
    """A page without what keeps ids in one line."""
    return re.sub("</?nobr>", "", page)


def items(data: dict[str, Any]) -> list[dict[str, Any]]:
    return [item for group in data["news"] for action in group["actions"] for item in action["items"]]


def validator(name: str) -> jsonschema.Draft202012Validator:
    schemas = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in DOCS.glob("*.schema.json")}
    registry = Registry().with_resources((key, Resource.from_contents(value)) for key, value in schemas.items())
    jsonschema.Draft202012Validator.check_schema(schemas[name])
    return jsonschema.Draft202012Validator(schemas[name], registry=registry)


# --- goldens -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_text_is_the_golden_one(case: str) -> None:
    golden(FIXTURES / f"{case}.txt", report.text(built(case)))


def mailed(data: dict[str, Any], note: str = "") -> dict[str, Any]:
    """A report's data with what a mail has beside it."""
    waits = {"told": "Satsuma (sa-03) fires", "odds": "no effect 50 %", "number": 1}
    ordered = {"side": "satcho", "title": "Satsuma-Choshu", "by": "ben", "items": [waits]}
    said = {"note": layout.clean(note), "asked": "Orders are asked of you.", "how": ["Open it."], "dice": True}
    said["sampled"] = f"{layout.capital(give_or_take(100))}."
    return {**data, **said, "orders": [ordered], "falls": [], "answers": True, "agreed": ""}


def test_mail_is_the_golden_one() -> None:
    golden(FIXTURES / "fire.mail.txt", mail_text(mailed(built("fire"), "Your move.")))


def test_its_page_holds_the_block_once() -> None:
    page = mail_html(mailed(built("fire")), (), BLOCK)
    assert page.count("-----BEGIN PBEM TURN-----") == 1
    assert BLOCK in page


def test_no_line_of_a_page_breaks_in_an_id() -> None:
    """What is copied is the id; pictures, titles and the signed block stay as they are."""
    page = mail_html(mailed(built("fire")), (), BLOCK + "fire sa-03 at sg-01;\n")
    told = re.sub("<pre.*?</pre>|<title>.*?</title>", "", page, flags=re.DOTALL)
    assert "<nobr>sa-03</nobr>" in told
    rest = re.sub("<[^>]*>", "", re.sub("<nobr>[a-z]+-[0-9]+</nobr>", "", told))
    assert not re.search("[a-z]-[0-9]", rest)
    assert "Satsuma (sa-03) fires" in re.sub("<[^>]*>", "", told)
    assert "fire sa-03 at sg-01;\n</pre>" in page
    report_page = report.html(built("fire"), {"Map": "<svg><text>sa-03</text></svg>"})
    assert "(<nobr>sa-03</nobr>)" in report_page
    assert "<text>sa-03</text>" in report_page
    assert layout.unbroken("<p>a-1 x-1-2 1-2-3 b-22, Kita-ku</p>").count("<nobr>") == 2
    assert layout.unbroken("to 27 28.08. In 9.21 9a").count("<nobr>") == 1
    drawn = "<svg id=1><title>a-1</title><g>b-2</g></svg>"
    assert layout.unbroken(f"{drawn}c-3{drawn}").count("<nobr>") == 1
    assert layout.unbroken("<pre>a-1 </p> <pre></pre> b-2 <style>c-3") == (
        "<pre>a-1 </p> <pre></pre> <nobr>b-2</nobr> <style><nobr>c-3</nobr>"
    )


# --- data --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_data_fit_the_schema(case: str) -> None:
    data = built(case)
    validator("report.schema.json").validate(data)
    validator("situation.schema.json").validate(data["situation"])
    assert json.loads(json.dumps(data)) == data


@pytest.mark.parametrize(
    "path",
    [("due", "told"), ("news", 0, "actions", 0, "items", 0, "known"), ("situation", "units", 0, "words"), ("head",)],
)
def test_data_without_a_field_fail_the_schema(path: tuple[str | int, ...]) -> None:
    data: Any = built("melee")
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    assert not validator("report.schema.json").is_valid(data)


@pytest.mark.parametrize(("key", "value"), [("at", 3), ("where", None), ("short", "much too long"), ("colour", 1)])
def test_wrong_unit_fails_the_schema(key: str, value: object) -> None:
    situation = load("fire")["situation"]
    assert validator("situation.schema.json").is_valid(situation)
    situation["units"][0][key] = value
    assert not validator("situation.schema.json").is_valid(situation)


@pytest.mark.parametrize(
    ("ready", "off"),
    [
        ([], "received and not yet on the map: two units of its choice."),
        (["sg-01"], "map: two units of its choice and "),
    ],
)
def test_units_that_their_owner_chooses_are_told_by_their_number(ready: list[str], off: str) -> None:
    situation = load("fire")["situation"]
    situation["sides"][0] |= {"choice": 2, "ready": ready}
    data = built("fire", situation=situation)
    validator("report.schema.json").validate(data)
    validator("situation.schema.json").validate(situation)
    for told in (report.text(data), loose(report.html(data))):
        assert off in " ".join(told.split())


LEADERS = {"one": "commander", "many": "commanders", "later": 0, "here": 0, "lost": 0}


def test_units_that_lead_others_and_the_track_of_turns_are_told_apart() -> None:
    situation = load("fire")["situation"]
    shogunate, satcho = situation["sides"]
    shogunate |= {"later": 6, "leaders": LEADERS | {"later": 2, "here": 1, "lost": 1}, "here": 5}
    shogunate |= {"lost": ["sg-06", "sg-07"], "back": ["sg-08", "sg-09"]}
    marks = [("R", "a die", [2, 3, 4, 5, 7, 8]), ("Lx1", "a draw", [3])]
    shogunate["track"] = [dict(zip(("sign", "title", "turns"), mark, strict=True)) for mark in marks]
    satcho |= {"later": 0, "track": shogunate["track"]}
    data = built("fire", situation=situation)
    validator("report.schema.json").validate(data)
    validator("situation.schema.json").validate(situation)
    for told in (report.text(data), loose(report.html(data))):
        words = " ".join(told.split())
        assert "four units and two commanders wait to arrive" in words
        assert "on the track of turns: R (a die) in turns 2 to 5, 7 and 8; Lx1 (a draw) in turn 3." in words
        assert words.count("on the track of turns") == 1  # nobody of the other side is still to come
        assert f"Lost for good: {shogunate['title']} one unit and one commander; {satcho['title']} none." in words
        assert f"Coming back: {shogunate['title']} sg-08, sg-09." in words
        assert f"{shogunate['title']}, four units and one commander on the map" in words


@pytest.mark.parametrize(
    ("later", "leaders", "told"),
    [
        (1, 0, "one unit waits"),
        (1, 1, "one commander waits"),
        (2, 1, "one unit and one commander wait"),
        (0, 0, "no units wait"),
    ],
)
def test_who_is_still_to_come(later: int, leaders: int, told: str) -> None:
    side: dict[str, Any] = {"later": later}
    side |= {"leaders": LEADERS | {"later": leaders}} if leaders else {}
    assert to_come(side, (), campaign=False) == f"{told} to arrive; none received is off the map"


def test_build_changes_nothing_and_repeats() -> None:
    data = load("fire")
    before = copy.deepcopy(data)
    assert report.build(data, direction) == report.build(data, direction)
    assert data == before


def test_actions_keep_together_what_an_order_led_to() -> None:
    first, second, third = built("fire")["news"][0]["actions"]
    assert [item["what"] for item in first["items"]] == ["drop", "fire", "disorder"]
    assert [item["what"] for item in second["items"]] == ["fire", None, "retreat", "disorder"]
    assert [item["kind"] for item in second["items"]] == ["tell", "answer", "tell", "tell"]
    assert third["order"] == ["fire", "sa-13", "at", "sg-18"]


def test_each_roll_stands_with_what_it_decided() -> None:
    rolls = {roll["label"]: item["what"] for item in items(built("melee")) for roll in item["rolls"]}
    assert rolls == {
        "melee/1911/1": "melee", "check/1911/1": "check", "melee/2011/1": "melee", "melee/1912/1": "melee",
    }  # fmt: skip
    draws = next(item for item in items(built("move")) if item["what"] == "reinforcements")["rolls"]
    assert draws == [
        {"label": "reinforcement/2/1", "dice": [3], "sides": 6},
        {"label": "cup/shogunate/1", "drawn": ["sg-25", "sg-21", "sg-26"], "of": 4},
    ]


def test_roll_that_decided_nothing_yet_stands_alone() -> None:
    steps = load("fire")["steps"][:4]
    data = built("fire", steps=[step for step in steps if step.get("what") != "drop"])
    assert items(data)[-1]["kind"] == "roll"
    assert items(data)[-1]["rolls"] == [{"label": "fire/1810/1", "dice": [4, 5], "sides": 6}]
    assert "Roll fire/1810/1 of two 6-sided dice: 4 5, sum 9." in " ".join(report.text(data).split())


def test_luck_counts_every_die_for_the_side_that_acts() -> None:
    (fire,) = built("fire")["luck"]
    assert (fire["side"], fire["kind"], fire["dice"], fire["sum"], fire["mean"]) == ("satcho", "fire", 6, 23, 21)
    assert fire["spread"] == pytest.approx((6 * 35 / 12) ** 0.5, abs=0.05)
    assert fire["good"] == "high"
    luck = {(row["side"], row["kind"]): (row["dice"], row["sum"], row["good"]) for row in built("melee")["luck"]}
    assert luck == {("satcho", "check"): (1, 4, "low"), ("shogunate", "melee"): (6, 23, "high")}


def test_readers_side_comes_first() -> None:
    for reader, first in (("asuka", "shogunate"), ("ben", "satcho"), (None, "shogunate")):
        data = built("fire", reader=reader)
        assert data["situation"]["sides"][0]["id"] == first
        assert data["situation"]["units"][0]["side"] == first
        assert data["standing"][0]["side"] == first


def test_checkpoint_is_half_the_head_in_groups_of_four() -> None:
    data = built("fire")
    assert data["checkpoint"].replace(" ", "") == data["head"][:32]


def test_situation_without_victory_hexes_has_no_such_section() -> None:
    situation = load("fire")["situation"]
    situation["places"], situation["progress"] = [], []
    data = built("fire", situation=situation)
    assert data["victory"] is None
    assert "VICTORY" not in report.text(data)
    validator("report.schema.json").validate(data)


# --- in a reader's order -----------------------------------------------------------------------------------------


def test_setups_stand_in_one_line_a_formation() -> None:
    steps = [tell("setup", unit=unit, at=at) for unit, at in (("sg-01", "1810"), ("sa-03", "1911"), ("sg-02", "1812"))]
    data = built("fire", steps=steps, formations={"shogunate-army": "Shogunate Army"})
    headlines = [action["headline"] for group in data["news"] for action in group["actions"]]
    assert headlines[0] == "Former Shogunate, Shogunate Army, set up: sg-01 1810, sg-02 1812."
    assert headlines[1].startswith("Satsuma-Choshu, ")
    assert headlines[1].endswith("set up: sa-03 1911.")
    assert headlines[2] == ""


def test_an_agreement_is_a_passage_of_its_own() -> None:
    steps = [
        tell("recover", unit="sg-22", at="1709", die=6, morale=5, success=False),
        tell("agreement", player="ben", text="accepts to take back entry 4"),
        tell("recover", unit="sg-22", at="1709", die=1, morale=5, success=True),
    ]
    actions = built("fire", steps=steps)["news"][0]["actions"]
    assert [len(action["items"]) for action in actions] == [1, 1, 1]
    assert actions[1]["headline"] == "Ben accepts to take back entry 4."


def test_of_a_phase_that_has_only_begun_it_is_not_said_that_nothing_was_done() -> None:
    phases = [{**tell("phase", turn=2, phase=phase), "phase": phase} for phase in ("shogunate-melee", "satcho-fire")]
    now = load("fire")["situation"]["phase"]["id"]
    assert now == "satcho-fire"
    told = report.text(built("fire", steps=phases))
    assert "Shogunate Melee Phase.\n  Nothing was done." in told
    assert "Satsuma-Choshu Fire Phase.\n  It has only begun." in told
    assert "Nothing was done" not in report.text(built("fire", steps=phases[1:]))
    ended = load("fire")["situation"] | {"outcome": {"winner": None, "clause": "14", "reason": "agreed"}}
    assert "only begun" not in report.text(built("fire", steps=phases, situation=ended))


def test_phases_in_which_nothing_was_done_have_one_heading() -> None:
    order = ["shogunate-melee", "satcho-move", "shogunate-fire", "satcho-melee"]
    phases = [{**tell("phase", turn=2, phase=phase), "phase": phase} for phase in order]
    drew = {**tell("reinforcements", side="satcho", die=1, units=[]), "phase": "satcho-move"}
    for made in (report.text, report.html):
        told = " ".join(made(built("fire", steps=phases)).split())
        assert told.count("Nothing was done.") == 1
        assert "Turn 2, Former Shogunate Melee Phase, Satsuma-Choshu Recovery/Movement Phase, Former" in told
        told = " ".join(made(built("fire", steps=[*phases[:2], drew, *phases[2:]])).split())
        assert told.count("Nothing was done.") == 2
        assert "Turn 2, Former Shogunate Fire Phase and Satsuma-Choshu Melee Phase" in told


def test_the_first_line_of_a_game_that_is_over_says_who_has_won_and_why() -> None:
    assert report.text(built("end")).startswith("The game is over. Satsuma-Choshu has won: Satsuma-Choshu holds 8 of")
    page = report.html(built("end"))
    assert page.index('<p class="over">The game is over. Satsuma-Choshu has won') < page.index("<h1>")
    assert "The game is over" not in report.text(built("fire"))


def test_the_dice_stand_below_with_what_was_to_be_expected() -> None:
    chances = [
        {"what": "no effect", "share": 0.25, "per_cent": "25 %"},
        {"what": "D", "share": 0.75, "per_cent": "75 %"},
    ]
    steps = [{**step, "chances": chances} if step.get("what") == "fire" else step for step in load("fire")["steps"]]
    data = built("fire", steps=steps)
    validator("report.schema.json").validate(data)
    dice = [line for group in data["news"] for action in group["actions"] for line in action["dice"]]
    assert dice[0] == "fire: 4 and 5, sum 9 (mean 7); expected no effect 25 %, D 75 %"
    assert dice[0] in report.text(data)
    glued = dice[0].replace(" %", "\N{NO-BREAK SPACE}%")
    assert glued != dice[0]
    assert f"<small>{glued}</small>" in loose(report.html(data))
    assert "expected" not in report.text(built("fire"))


def test_a_note_is_shown_where_there_is_one() -> None:
    notes = [{"by": "ben", "seq": 7, "text": "Sorry for the <delay>!"}, {"by": "ben", "seq": 9, "text": "Go on."}]
    data = built("fire", beside=notes[:1])
    text = "  ben wrote beside entry 7:\n\n  | Sorry for the <delay>!\n\n"
    assert f"\nNOTE, NOT SIGNED\n\n{text}WHAT HAPPENED" in report.text(data)
    assert '<p>ben wrote beside entry 7:</p>\n<p class="note">Sorry for the &lt;delay&gt;!</p>' in report.html(data)
    two = report.text(built("fire", beside=notes))
    assert f"\nNOTES, NOT SIGNED\n\n{text}  ben wrote beside entry 9:\n\n  | Go on.\n\nWHAT HAPPENED" in two
    assert "NOTE" not in report.text(built("fire"))
    assert "<h2>Note" not in report.html(built("fire"))


def test_what_is_reconstructed_is_told_in_full_only_at_the_beginning() -> None:
    line = "the map but for hexes 2411, 2419, 2424 and 1122"
    for made in (report.text, report.html):
        assert line in made(built("setup"))
        assert line not in made(built("fire"))
        assert "pbem brief" in made(built("fire"))


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (0.5, "half a point"),
        (1, "one point"),
        (1.5, "one and a half points"),
        (13, "13 points"),
        (13.5, "13 and a half points"),
    ],
)
def test_half_points_are_told_in_words(number: float, told: str) -> None:
    assert layout.count(number, "point", "points") == told


@pytest.mark.parametrize("reader", ["asuka", "ben"])
def test_the_side_that_moves_first_has_the_same_line_for_either_reader(reader: str) -> None:
    page = report.html(built("fire", fallen={"1 satcho fire 6": [1, 1], "2 shogunate melee 6": [2, 9]}, reader=reader))
    legend = re.findall(r'<line class="(one|two)"[^>]*/>\n<text [^>]*>([^<]+)</text>', page)
    assert dict(map(reversed, legend)) == {"Former Shogunate": "one", "Satsuma-Choshu": "two"}
    assert [look for look, _ in legend] == re.findall('<polyline class="(one|two)"', page)


def test_a_single_die_has_a_mean_of_its_own() -> None:
    assert "one die, 2.5 worse than its mean, give or take 1.7." in report.text(
        built("fire", fallen={"1 satcho fire 6": [1, 1]})
    )


@pytest.mark.parametrize("begun", [True, False])
def test_of_a_phase_of_nobody_in_which_nothing_was_done_nothing_is_told(begun: bool) -> None:
    first = {"seq": 1, "turn": 1, "phase": "start", **tell("phase", turn=1, phase="start")}
    then = {"seq": 1, "turn": 1, "phase": "shogunate-move", **tell("phase", turn=1, phase="shogunate-move")}
    data = built("setup", steps=[first] if begun else [first, then])
    titles = [group["title"] for group in data["news"]]
    assert titles == (["Turn 1, Set-up"] if begun else ["Turn 1, Former Shogunate Recovery/Movement Phase"])


@pytest.mark.parametrize(
    ("start", "told"),
    [
        ("0106", "entered the map at Yodo (0106) and marched to hex 0407."),
        ("0207", "entered the map at Yodo (0106) and marched from hex 0207 to hex 0407."),
    ],
)
def test_who_goes_on_from_where_he_came_on_needs_no_start(start: str, told: str) -> None:
    placed = {"seq": 3, "turn": 2, "phase": "shogunate-move"}
    steps = [
        {**tell("move", unit="sg-01", how="enter", path=["0106"], cost=0, **{"from": None}), **placed},
        {**tell("move", unit="sg-01", how="march", path=["0307", "0407"], cost=1, **{"from": start}), **placed},
    ]
    data = built("fire", steps=[{**placed, "kind": "order", "side": "shogunate", "words": ["enter"]}, *steps])
    assert data["news"][0]["actions"][0]["headline"] == f"Denshutai 1st Battalion (sg-01) {told}"


def test_the_luck_of_the_game_is_a_figure_and_a_curve() -> None:
    fallen = {
        "1 satcho fire 6": [4, 19], "2 satcho check 6": [1, 6], "2 shogunate melee 6": [2, 7], "1 - weather 6": [1, 1],
    }  # fmt: skip
    data = built("fire", fallen=fallen)
    validator("report.schema.json").validate(data)
    luck = {row["side"]: row for row in data["luck_of_game"]}
    assert luck["satcho"]["turns"] == [{"turn": 1, "better": 5}, {"turn": 2, "better": 2.5}]  # a low check is good
    assert (luck["satcho"]["dice"], luck["satcho"]["better"], luck["satcho"]["spread"]) == (5, 2.5, 3.8)
    assert luck["shogunate"]["better"] == 0
    text = report.text(data)
    assert "Satsuma-Choshu: five dice, 2.5 better than their mean, give or take 3.8." in text
    assert "Former Shogunate: two dice, neither better nor worse than their mean" in " ".join(text.split())
    assert re.search(r"\n +1 .* \+5 +\|\+{5}\n +2 .* \+2.5 +\|\+{2}\n", text)
    page = report.html(data)
    assert page.count("<polyline") == 2
    assert 'points="10.0,60.0 180.0,10.0 350.0,35.0"' in page
    assert "LUCK" not in report.text(built("fire", fallen={}))


def test_parts_of_maps_stand_with_the_news_and_their_key_is_folded() -> None:
    part = report.Part("moves", '<?xml?><svg><use href="#map-toba"/></svg>', key=False)
    drawn = {"toba": "<svg></svg>", "fushimi": "<svg></svg>"}
    assert "<details open>\n<summary>The whole map" in report.html(built("setup"), drawn), "it is the news"
    both = report.html(built("fire"), drawn, parts=[part._replace(map="toba")])
    assert "<details open>" not in both
    assert both.count("Arrows and marks of combat") == 1, "the other map has none"
    page = report.html(built("fire"), parts=[part, report.Part("What the signs mean", "<svg></svg>", key=True)])
    caption = '<figcaption aria-hidden="true">Moves</figcaption>'
    assert page.count("<figcaption") == page.count(caption) == 1, "dark in the dark, and read aloud with the picture"
    assert "<?xml" not in page
    assert page.index("<h2>What happened") < page.index("#map-toba") < page.index("<summary>What the signs mean")
    assert "<summary>What the signs mean" not in report.html(built("fire"))


@pytest.mark.parametrize(
    ("others", "maps", "told"),
    [
        ("", 1, ""),
        ("fight 7", 1, "<p>Fight 7 has no picture of its own: it is on the map below.</p>"),
        ("fights 5 and 9", 2, "<p>Fights 5 and 9 have no picture of their own: they are on the maps below.</p>"),
    ],
)
def test_fights_without_a_picture_of_their_own_are_named(others: str, maps: int, told: str) -> None:
    drawn = {f"map {number}": "<svg></svg>" for number in range(maps)}
    part = report.Part("moves", "<svg></svg>", key=False, map="map 0")
    page = " ".join(report.html(built("fire"), drawn, parts=[part], others=others).split())
    assert told in page
    assert ("picture of" in page) == bool(told)


def test_the_page_finds_the_fights_that_are_on_its_maps_alone() -> None:
    maps = [Picture("toba", "Toba", "<svg></svg>", fights=(1, 2, 3, 4)), Picture("south", "South", "<svg></svg>")]
    parts = [Picture("toba-1", "fight 2", "<svg></svg>", map="toba", fights=(2,))]
    assert "<p>Fights 1, 3 and 4 have no picture of their own" in pictured.page(built("fire"), maps, parts)
    assert "of their own" not in pictured.page(built("fire"), maps[1:], parts), "they are on another map"


# --- who is asked ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_a_long_report_says_whose_move_it_is_at_its_end_once_more(case: str) -> None:
    found = report.text(built(case))
    end = " ".join(found.rpartition("\n\n")[2].split())
    assert found.count("\n") > 24
    assert end == " ".join(layout.plain(built(case)["due"]["told"]).split())


def test_what_is_asked_depends_on_the_reader() -> None:
    assert built("fire")["due"]["told"].startswith(
        "It is your move, asuka (Former Shogunate). Orders are asked (melee)"
    )
    assert built("fire", reader="ben")["due"]["told"].startswith("Nothing is asked of you now. It is the move of asuka")
    assert built("fire", reader=None)["due"]["told"].startswith("It is the move of asuka")
    assert "about Choshu 1st Company (sa-13)" in report.text(built("melee")).replace("\n   ", "")
    assert built("setup")["due"]["told"].endswith("An entry by ben without orders lets you go on.")
    rolled = load("setup")["due"] | {"rolled": True}
    assert built("setup", due=rolled)["due"]["told"].endswith(
        "An entry by ben without orders shows you the dice that have fallen."
    )
    assert built("setup", due=rolled, reader="ben")["due"]["told"].endswith(
        "It is your move, ben (Satsuma-Choshu). A mail from you without orders shows asuka the dice that have fallen."
    )
    begins = load("setup")["due"] | {"what": "begin"}
    assert built("setup", due=begins)["due"]["told"].endswith("An entry by ben without orders begins the game.")
    assert built("setup", due=begins, reader="ben")["due"]["told"].endswith(
        "A mail from you without orders begins the game."
    )
    unsure = load("setup")["due"] | {"sure": False}
    assert built("setup", due=unsure)["due"]["told"].endswith(
        "The next entry of ben shows dice; what is asked in it depends on them."
    )
    assert "Your next entry shows dice" in built("setup", due=unsure, reader="ben")["due"]["told"]
    assert built("end")["due"]["told"].startswith("The game is over. Satsuma-Choshu has won: ")


def test_draw_has_no_winner() -> None:
    situation = load("end")["situation"] | {"outcome": {"winner": None, "clause": "14(4)2", "reason": "Nobody has 7."}}
    assert built("end", situation=situation)["due"]["told"] == "The game is over. It is a draw: Nobody has 7 [14(4)2]."


# --- sentences ---------------------------------------------------------------------------------------------------


def test_every_event_of_the_system_is_shown_and_has_its_own_sentence() -> None:
    shown = [item for case in CASES for item in items(built(case))]
    assert all(item["known"] for item in shown)
    template = (DOCS.parent / "templates" / "bakumatsu" / "events.j2").read_text(encoding="utf-8")
    assert {f"tell_{item['what']}" for item in shown if item["what"]} | {"tell_phase"} == set(
        re.findall(r"macro (tell_\w+)", template)
    )
    assert {step["kind"] for case in CASES for step in load(case)["steps"]} == {
        "order", "lapse", "roll", "draw", "answer", "stop", "say", "tell",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (
            tell("move", unit="sg-01", how="move", cost=3, path=["1709", "1810"], **{"from": "1608"}),
            "Denshutai 1st Battalion (sg-01) moved from hex 1608 two hexes north-east to Akaike, 1810"
            " (three points).",
        ),
        (
            tell("move", unit="sg-01", how="enter", path=["0106", "0107"], cost=0.5, **{"from": None}),
            "Denshutai 1st Battalion (sg-01) entered the map at Yodo (0106)"
            " and moved one hex east to 0107 (half a point).",
        ),
        (
            tell("fire", unit="sg-22", at="1810", target="sa-13", strength=3, dice=[4, 2], total=6, result="D",
                 modifiers=[{"what": "hill", "value": -1}, {"what": "from mountain top", "value": 2}],
                 **{"from": "1709", "with": []}),
            "Aizu Spearmen (sg-22) in hex 1709 fired at Chōshū 1st Company (sa-13) at Akaike (1810): fire strength 3,"
            " dice 4 and 2, minus 1 for hill, plus 2 from mountain top, total 6. Result: D.",
        ),
        (
            tell("recover", unit="sg-22", at="1709", die=6, morale=5, success=False),
            "Aizu Spearmen (sg-22) in hex 1709 tried to recover: die 6 against morale 5; it stays disordered.",
        ),
        (
            tell("check", unit="sa-13", die=5, add=0, morale=5, passed=True),
            "Chōshū 1st Company (sa-13) checked its morale: die 5 against morale 5; it stands.",
        ),
        (
            tell("reinforcements", side="shogunate", die=1, units=[], number=3),
            "The Former Shogunate checked for reinforcements: die 1, which counts as 3 in the first turn; three units "
            "of its choice received.",
        ),
        (
            tell("reinforcements", side="shogunate", die=4, units=[], number=1),
            "The Former Shogunate checked for reinforcements: die 4; the last unit received.",
        ),
        (
            tell("reinforcements", side="shogunate", die=4, units=[], number=2),
            "The Former Shogunate checked for reinforcements: die 4; the last two units received.",
        ),
        (
            tell("reinforcements", side="shogunate", die=4, units=[], number=4),
            "The Former Shogunate checked for reinforcements: die 4; four units of its choice received.",
        ),
        (
            tell("reinforcements", side="shogunate", die=2, units=[]),
            "The Former Shogunate checked for reinforcements: die 2, no units received.",
        ),
        (tell("phase", turn=3, phase="start"), "Turn 3: Set-up began."),
        (tell("end", winner=None, reason="nobody holds seven"), "The game ended. It is a draw: nobody holds seven."),
        (
            {"seq": 1, "kind": "answer", "side": "satcho", "about": ["sa-03"], "how": "default",
             "words": ["retreat", "sa-03", "2011"], "tried": 0, "laid": 0},
            "Satsuma-Choshu had no standing order; by default: retreat sa-03 2011.",
        ),
        (
            {"seq": 1, "kind": "answer", "side": "satcho", "about": ["sa-03"], "how": "default",
             "words": ["retreat", "sa-03", "2011"], "tried": 0, "laid": 1},
            "Satsuma-Choshu had no standing order for this; by default: retreat sa-03 2011.",
        ),
        (
            {"seq": 1, "kind": "answer", "side": "satcho", "about": ["sa-03"], "how": "default",
             "words": ["retreat", "sa-03", "2011"], "tried": 1, "laid": 2},
            "Satsuma-Choshu had no standing order that fitted; by default: retreat sa-03 2011.",
        ),
        (
            {"seq": 1, "kind": "answer", "side": "satcho", "about": ["sa-03"], "how": "standing",
             "words": ["retreat", "sa-03", "2011"], "by": [["retreat", "any", "north-east", "north"]]},
            'Standing order of Satsuma-Choshu, "retreat any north-east north": retreat sa-03 2011.',
        ),
        (
            {"seq": 1, "kind": "draw", "label": "cup/shogunate/1", "cup": ["sg-21", "sg-26"], "count": 1,
             "result": ["sg-26"]},
            "Draw cup/shogunate/1 of 1 out of 2: Ogaki Infantry (sg-26).",
        ),
    ],
)  # fmt: skip
def test_describe(step: dict[str, Any], told: str) -> None:
    assert report.describe(step, load("fire")["situation"], direction) == told


def test_way_without_directions_names_the_hexes() -> None:
    situation = load("fire")["situation"]
    step = tell("move", unit="sg-01", how="march", path=["1709", "1710", "1810"], cost=0, **{"from": "1608"})
    assert report.describe(step, situation).endswith("marched by road from hex 1608 by 1709 and 1710 to Akaike, 1810.")
    assert report.describe(step, situation, direction).endswith(
        "one hex north-east, then one hex east, then one hex north-west, to Akaike, 1810."
    )
    step["facts"]["path"] = ["1815"]
    assert report.describe(step, situation, direction).endswith("marched by road from hex 1608 to 1815.")


def test_unit_has_its_id_at_its_first_mention_in_a_phase() -> None:
    (group, _) = built("fire")["news"]
    told = " ".join(item["told"] for action in group["actions"] for item in action["items"])
    assert told.count("Denshutai 1st Battalion (sg-01)") == 1
    assert told.count("Denshutai 1st Battalion") == 2
    _, melee = built("fire", steps=load("fire")["steps"] + load("melee")["steps"])["news"]
    told = " ".join(item["told"] for action in melee["actions"] for item in action["items"])
    assert told.count("Shinsengumi (sg-18)") == 1


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (
            tell("supply", unit="sg-01", ok=False, holder="satcho", near=["1810", "sg-02"]),
            "Event supply: unit Denshutai 1st Battalion (sg-01); ok no; holder Satsuma-Choshu; "
            "near 1810 and Denshutai 2nd Battalion (sg-02).",
        ),
        (tell("fire", unit="sg-01"), "Event fire: unit Denshutai 1st Battalion (sg-01)."),
        (tell("recover", unit="sg-01", at=None, die=[], morale=None, success={}, odd=None), None),
        (tell("weather"), "Event weather."),
        (
            {"seq": 1, "turn": 2, "phase": "x", "kind": "bid", "side": "satcho"},
            "Event bid: turn 2; phase x; side Satsuma-Choshu.",
        ),
    ],
)  # fmt: skip
def test_unknown_event_has_a_neutral_sentence(event: dict[str, Any], told: str | None) -> None:
    data = built("fire", steps=[event])
    (item,) = items(data)
    assert told is None or item["told"] == told
    assert item["known"] is (told is None)
    assert item["told"] in " ".join(report.text(data).split())
    validator("report.schema.json").validate(data)


def test_another_system_needs_no_templates() -> None:
    situation = load("fire")["situation"] | {"system": "another"}
    data = built("fire", situation=situation, good={})
    assert data["title"] == "Turn 2 of 8, Satsuma-Choshu Fire Phase"
    assert not any(item["known"] for item in items(data) if item["kind"] == "tell")
    assert "Event retreat: unit Aizu Spearmen" in " ".join(report.text(data).split())
    assert data["luck"][0]["good"] is None


# --- text --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_text_is_narrow_plain_and_stable(case: str) -> None:
    made = report.text(built(case))
    assert max(map(len, made.splitlines())) <= report.WIDTH <= 80
    assert re.fullmatch(r"[ -~\n]+", made)
    assert not re.search(r" \n|\n\n\n|\w [.,;:]|\) [.,;:]|None|Undefined|\{|\(\)", made)
    assert made == report.text(built(case))
    mail = mail_text(mailed(built(case)))
    assert "\n\n\n" not in mail
    assert max(map(len, mail.splitlines())) <= report.WIDTH


def test_sections_stand_in_their_order() -> None:
    steps = load("move")["steps"] + load("melee")["steps"]
    beside = [{"by": "ben", "seq": 7, "text": "Good luck!"}]
    text = report.text(built("move", steps=steps, beside=beside, fallen={"1 satcho fire 6": [2, 9]}))
    headings = re.findall(r"^[A-Z][A-Z ,]{2,}[A-Z0-9 ]+$", text, re.MULTILINE)
    assert headings == [
        "YOUR MOVE", "NOTE, NOT SIGNED", "WHAT HAPPENED FROM YOUR ENTRY 11 ON", "SCORE", "LUCK OF THE WHOLE GAME",
        "UNITS", "STANDING ORDERS IN FORCE", "THE NEWS IN FULL, WITH ALL DICE", "THIS GAME",
    ]  # fmt: skip


@given(st.text(max_size=400))
def test_fill_keeps_every_letter_and_the_width(words: str) -> None:
    made = layout.fill(words)
    assert all(len(line) <= report.WIDTH for line in made.split("\n"))
    assert "".join(made.split()) == "".join(words.split())


def test_fill_breaks_only_at_blanks_where_it_can() -> None:
    assert layout.fill("aa bbb cc-dd eee", "", "  ", 8) == "aa bbb\n  cc-dd\n  eee"
    assert layout.fill("abcdefghijkl mn", "", " ", 5) == "abcde\n fghi\n jkl\n mn"
    assert layout.fill("ab cdefghijk", "", "", 5) == "ab\ncdefg\nhijk"
    assert layout.fill("ab 28 %, c % d", "", "", 5) == "ab\n28 %,\nc % d"


# --- strings from outside ----------------------------------------------------------------------------------------


def hostile() -> dict[str, Any]:
    """A report whose unit name, talk, note and place carry mark-up, terminal codes, bidi controls and a fence."""
    data = load("move")
    data["situation"]["units"][8]["name"] = f"<b>Sat{RLO}suma</b>{ESC}[31m {{{{ 7*7 }}}}"
    data["situation"]["places"][0]["name"] = '"><img src=x onerror=alert(1)>'
    data["notes"] = [f"--{ZWSP}—-BEGIN PBEM TURN-\u0301-\u0301-\u0301--\nfake;", "<script>alert(1)</script>"]
    data["steps"] = [
        step | {"text": f"a\r\nb{ESC}]0;title\x07 伏見"} if step["kind"] == "say" else step for step in data["steps"]
    ]
    data["steps"].append(tell("disorder", unit="sa-03", at="1810", why="<i>why</i>") | {"phase": "shogunate-move"})
    return report.build(data, direction)


def test_text_is_cleaned() -> None:
    data = mailed(hostile(), f"hint{ESC}[2J -----BEGIN PBEM TURN-----")
    made = report.text(hostile()) + mail_text(data)
    assert re.fullmatch(r"[ -~\n]+", made)
    assert "---" not in made
    page = loose(mail_html(data, (), BLOCK))
    assert page.count("---") == BLOCK.count("---")
    assert not re.search(f"<script|<img|<b>|<i>|[{ESC}{RLO}{ZWSP}]", page)
    assert 'ben says: "a b]0;title ??"' in made
    assert "<b>Satsuma</b>[31m {{ 7*7 }} (sa-03)" in made


def test_html_is_escaped() -> None:
    page = report.html(hostile())
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "&lt;b&gt;Satsuma&lt;/b&gt;[31m {{ 7*7 }}" in page
    assert "<i>why" not in page
    for forbidden in ("<script", "<img", "<b>", ESC, RLO, ZWSP, "---", "\x07"):
        assert forbidden not in page
    assert "伏見" in page


@given(st.text())
def test_cleaning_leaves_no_control_no_fence_and_repeats(words: str) -> None:
    clean = layout.clean({"a": [words]})["a"][0]
    assert layout.clean(clean) == clean
    assert "---" not in clean
    assert clean.isprintable()
    plain = layout.plain(clean)
    assert re.fullmatch(r"[ -~]*", plain)
    assert "---" not in plain


def test_japanese_names_keep_their_letters_in_html_only() -> None:
    assert "Chōshū 1st Company" in report.html(built("fire"))
    assert "Choshu 1st Company" in report.text(built("fire"))


# --- HTML --------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """Checks that elements close in their order, and keeps tags and attributes."""

    VOID = frozenset(("input", "meta", "br"))

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("case", CASES)
def test_html_is_one_page_without_anything_from_outside(case: str) -> None:
    svg = '<?xml version="1.0"?>\n<svg role="img"><title>Map</title><g></g></svg>'
    source = report.html(built(case), {"Field": svg})
    page = Page(source)
    assert source.startswith("<!DOCTYPE html>")
    assert '<html lang="en">' in source
    assert "<?xml" not in source
    assert '<svg role="img"><title>Map</title>' in source
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    assert not {"src", "href", "onclick", "onload", "srcdoc"} & {name for name, _ in page.attributes}
    assert "url(" not in source
    assert "default-src 'none'" in source
    assert not re.search(r"\w[.;:,][A-Z]|\w [.;,]", re.sub("<[^>]*>", "", source[source.index("<body>") :]))
    assert page.tags.count("h1") == 1
    headings = [tag for tag in page.tags if tag in ("h1", "h2", "h3")]
    assert headings[:2] == ["h1", "h2"]
    assert source.index("<h2>What happened") < source.index("<h2>Score") < source.index("<summary>Units")
    assert ("move</h2>" in source) is (case != "end")
    assert source.rindex("<h2>") < source.index("<summary>Units")


def test_html_without_a_map_has_no_figure() -> None:
    assert "<figure" not in report.html(built("fire"))
    assert "<figure" not in report.html(built("fire"), {})


def test_html_shows_every_map_under_its_title() -> None:
    svg = "<svg><title>{}</title></svg>"
    source = report.html(built("fire"), {"North": svg.format("n"), "South & East": svg.format("s")})
    page = Page(source)
    assert page.tags.count("figure") == page.tags.count("svg") == 2
    assert source.index("<title>n<") < source.index("The map North after") < source.index("<title>s<")
    assert "The map South &amp; East after" in source
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(set(ids)) == len(ids) == 4, "each map has a caption and is shown large"
    alone = report.html(built("fire"), {"North": svg.format("n")})
    assert "The map after" in alone
    assert "North" not in alone


@pytest.mark.parametrize(
    ("where", "heading"), [("received", "received and waiting to enter"), ("prison", "in the enemy's hands")]
)
def test_units_off_the_map_stand_under_a_heading_of_their_own(where: str, heading: str) -> None:
    given = load("fire")
    chosen = next(unit for unit in given["situation"]["units"] if unit["where"] == "map" and unit["side"] == "satcho")
    chosen |= {"where": where, "at": None, "place": None}
    given["situation"]["where"].append(
        {"id": "prison", "title": "in the enemy's hands", "listed": True, "coming": False}
    )
    data = report.build(given, direction)
    validator("report.schema.json").validate(data)
    assert f"\nSatsuma-Choshu, {heading}.\n  {chosen['name']} ({chosen['id']})" in report.text(data)
    assert f"<h3>Satsuma-Choshu, {heading}</h3>" in report.html(data).replace("&#39;", "'")
    given["situation"]["where"][-1]["listed"] = given["situation"]["where"][1]["listed"] = False
    assert chosen["name"] not in report.text(report.build(given, direction)).split("\nUNITS\n")[1].split("lost:")[0]


# --- victory conditions ------------------------------------------------------------------------------------------


def with_progress(*entries: dict[str, Any]) -> dict[str, Any]:
    given = load("fire")
    given["situation"]["progress"] = list(entries)
    return report.build(given, direction)


def test_the_report_tells_where_the_victory_conditions_stand() -> None:
    west = {
        "side": "satcho",
        "what": "units west of the river",
        "clause": "14-2",
        "count": 4,
        "needed": 10,
        "halves": False,
    }
    open_end = {"side": None, "what": "units lost", "clause": "", "count": 7, "needed": None, "halves": True}
    data = with_progress(west, open_end)
    validator("report.schema.json").validate(data)
    assert data["progress"] == [
        {**west, "title": "Satsuma-Choshu", "told": "units west of the river, 4 of 10"},
        {**open_end, "title": None, "told": "units lost, 3 1/2"},
    ]
    text = report.text(data)
    assert "\nSCORE\n\n  Satsuma-Choshu: units west of the river, 4 of 10 [14-2].\n" in text
    assert "\n  units lost, 3 1/2.\n" in text
    page = loose(report.html(data))
    assert "Satsuma-Choshu: units west of the river, 4 of 10 [14-2]." in page


def test_a_report_without_counted_conditions_tells_only_of_losses() -> None:
    assert re.search(r"\nSCORE\n\n  Units lost: .*\.\n\n[A-Z]", report.text(with_progress()))


@pytest.mark.parametrize(
    ("key", "value"), [("count", "1"), ("count", None), ("needed", "ten"), ("side", 1), ("of", "3")]
)
def test_wrong_progress_fails_the_schema(key: str, value: object) -> None:
    situation = load("fire")["situation"]
    entry = {"side": "satcho", "what": "units over the river", "clause": "14", "count": 1, "needed": 2, "halves": False}
    assert validator("situation.schema.json").is_valid(situation | {"progress": [entry]})
    assert not validator("situation.schema.json").is_valid(situation | {"progress": [entry | {key: value}]})


@pytest.mark.parametrize("case", CASES)
def test_html_tells_what_the_text_tells(case: str) -> None:
    data = built(case)
    page, made = loose(report.html(data)), " ".join(report.text(data).split())
    for item in items(data):
        assert layout.plain(item["told"]) in made
        assert item["told"].replace('"', "&#34;").replace("'", "&#39;") in page
    for unit in data["situation"]["units"]:
        if unit["where"] == "map":
            assert f"({unit['id']})" in page
            assert f"({unit['id']})" in made


# --- pictures and templates --------------------------------------------------------------------------------------


def test_picture_has_moves_and_fights() -> None:
    data = load("fire")
    drawn = marks(data["steps"], data["situation"])
    assert [(move["unit"], move["side"], move["path"], move["old"]) for move in drawn["moves"]] == [
        ("sg-22", "shogunate", ["1709", "1608", "1507"], False)
    ]
    facts = ("number", "from", "at", "kind", "result", "old")
    assert [tuple(fight[fact] for fact in facts) for fight in drawn["fights"]] == [
        (1, ["1911", "1910"], "1810", "fire", "D", False),  # two units together, from two hexes
        (2, ["2011"], "1709", "fire", "DD", False),
        (3, ["1912"], "1711", "fire", "-", False),
    ]
    data = load("move")
    paths = [move["path"] for move in marks(data["steps"], data["situation"])["moves"]]
    assert paths == [["1608", "1709", "1710", "1810"], ["1612", "1712", "1812"], ["1607", "1608"]]
    data = load("melee")
    assert marks(data["steps"], data["situation"])["moves"][0]["path"] == ["1810", "1911"]


def test_templates_can_be_kept_compiled(tmp_path: Path) -> None:
    kept = report.build(load("fire"), direction, compiled=tmp_path)
    assert kept == built("fire")
    assert report.text(kept, compiled=tmp_path) == report.text(kept)
    assert len(list(tmp_path.iterdir())) == 4


@pytest.fixture
def compiled(tmp_path: Path) -> Iterator[Path]:
    """A folder that keeps the templates of a text report compiled."""
    layout.environment_of.cache_clear()
    report.text(built("fire"), compiled=tmp_path)
    yield tmp_path
    layout.environment_of.cache_clear()


def told_anew(folder: Path) -> str:
    """The report as another run of the program tells it."""
    layout.environment_of.cache_clear()
    return report.text(built("fire"), compiled=folder)


def test_a_kept_template_is_used(compiled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = built("fire")
    text = report.text(data)
    layout.environment_of.cache_clear()
    monkeypatch.setattr(jinja2.Environment, "compile", None)
    assert report.text(data, compiled=compiled) == text


def test_a_kept_template_that_was_changed_or_cut_is_none(compiled: Path) -> None:
    """Before, such files were loaded: the report had other words, or the program crashed behind its signature."""
    text = report.text(built("fire"))
    files = {file: file.read_bytes() for file in compiled.iterdir()}
    for number in range(12):
        for file, whole in files.items():
            at = len(whole) * number // 12
            flipped = whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]
            file.write_bytes(flipped if number % 3 else whole[: at or 30])
        assert told_anew(compiled) == text
        assert {file: file.read_bytes() for file in compiled.iterdir()} == files, "and is made anew"


def test_a_kept_template_that_is_sealed_but_no_code_is_none(compiled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = report.text(built("fire"))
    for data in (marshal.dumps("words"), marshal.dumps(None), b"", b"AAAA", b"\xff", None):
        monkeypatch.setattr(cache, "recall_bytes", lambda file, key, data=data: data)
        assert told_anew(compiled) == text


def test_another_version_keeps_its_own_templates(compiled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {file: file.read_bytes() for file in compiled.iterdir()}
    for module, name in ((layout, "__version__"), (jinja2, "__version__"), (layout.sys, "version")):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, "0.0.0")
            told_anew(compiled)
            assert all(file.read_bytes() != files[file] for file in files), name
        told_anew(compiled)
        assert {file: file.read_bytes() for file in files} == files


def test_missing_folder_is_a_storage_error(tmp_path: Path) -> None:
    with pytest.raises(Storage, match="compiled templates"):
        report.text(built("fire"), compiled=tmp_path / "none")


def test_data_that_dont_fit_the_templates_are_a_storage_error() -> None:
    data = built("fire")
    del data["losses"]
    with pytest.raises(Storage, match="'losses' is undefined"):
        report.text(data)
