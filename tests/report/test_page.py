"""Pages of rules on a terminal: blocks read from Markdown, parts found by clause or word, lines folded."""

from __future__ import annotations

import re

import pytest
from golden import ROOT
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.errors import Storage
from pbem.report.charts import BEGIN
from pbem.report.page import Block, blocks, laid_out, part, rules, ruling
from pbem.rules import SYSTEMS
from pbem.scenario import load_scenario

PAGE = """# A game

What comes first, with `code` and [a page](page.md).

## Movement (8)

Words of **weight** and *stress*, over
two lines (8(1)).

- an item
  that goes on (8(4)2)
- another one, of 14 hexes

### By road (8-2)

1. first (8-2(3))
2. second

<!-- a mark -->

## Results (9)

| result | is |
| ------ | --- |
| D      | disorder (9-2(5)2) |
| DD     | a \\| b |

    verbatim   here
"""


def test_a_page_is_read_block_by_block() -> None:
    assert blocks(PAGE) == [
        Block("heading", 1, ("A game",)),
        Block("text", 0, ("What comes first, with `code` and a page.",)),
        Block("heading", 2, ("Movement (8)",)),
        Block("text", 0, ("Words of weight and stress, over two lines (8(1)).",)),
        Block("item", 0, ("an item that goes on (8(4)2)",), mark="-"),
        Block("item", 0, ("another one, of 14 hexes",), mark="-"),
        Block("heading", 3, ("By road (8-2)",)),
        Block("item", 0, ("first (8-2(3))",), mark="1."),
        Block("item", 0, ("second",), mark="2."),
        Block("heading", 2, ("Results (9)",)),
        Block("table", 0, (), (("result", "is"), ("D", "disorder (9-2(5)2)"), ("DD", "a | b"))),
        Block("code", 0, ("verbatim   here",)),
    ]


def test_it_is_laid_out_in_columns() -> None:
    assert laid_out(blocks(PAGE), 40) == (
        "A GAME\n\n"
        "  What comes first, with `code` and a\n  page.\n\n"
        "MOVEMENT (8)\n\n"
        "  Words of weight and stress, over two\n  lines (8(1)).\n\n"
        "  - an item that goes on (8(4)2)\n"
        "  - another one, of 14 hexes\n\n"
        "  By road (8-2)\n\n"
        "  1. first (8-2(3))\n"
        "  2. second\n\n"
        "RESULTS (9)\n\n"
        "  result  is\n"
        "  ------  ------------------\n"
        "  D       disorder (9-2(5)2)\n"
        "  DD      a | b\n\n"
        "    verbatim   here\n"
    )


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ("8-2", ["By road (8-2)", "first (8-2(3))", "second"]),
        ("by road", ["By road (8-2)", "first (8-2(3))", "second"]),
        ("road", ["By road (8-2)", "first (8-2(3))", "second"]),
        ("8-2(3)", ["Movement (8)", "By road (8-2)", "first (8-2(3))"]),
        ("8-2(7)1", ["By road (8-2)", "first (8-2(3))", "second"]),  # of which it is a part
        ("8(4)", ["Movement (8)", "an item that goes on (8(4)2)"]),
        ("8(4)2", ["Movement (8)", "an item that goes on (8(4)2)"]),
        ("another", ["Movement (8)", "another one, of 14 hexes"]),
        ("ANOTHER  one", ["Movement (8)", "another one, of 14 hexes"]),
        ("D", ["Results (9)", "D"]),
        ("DD", ["Results (9)", "DD"]),
        ("9-2(5)2", ["Results (9)", "D"]),
        ("14", []),  # a number of hexes, no clause; and 1 and 4 aren't clauses either
        ("2", []),
        ("first come", []),
        ("disorder", []),  # of a row its first cell counts
        ("comes first", []),  # before the first chapter
    ],
)
def test_a_part_is_found(wanted: str, told: list[str]) -> None:
    found = part(blocks(PAGE), wanted)
    assert [block.rows[1][0] if block.rows else block.lines[0] for block in found] == told
    assert all(len(block.rows) in (0, 2) for block in found)


def test_a_chapter_brings_all_that_stands_under_it() -> None:
    page = blocks(PAGE)
    assert part(page, "8") == part(page, "movement") == page[2:9]


def test_capitals_count_where_something_is_found_so() -> None:
    page = blocks("## A\n\nDD here.\n\ndd there.\n")
    assert [block.lines[0] for block in part(page, "DD")] == ["A", "DD here."]
    assert [block.lines[0] for block in part(page, "Dd")] == ["A", "DD here.", "dd there."]


def test_a_table_of_too_many_columns_is_parted_with_its_first_in_front() -> None:
    rows = (("die", *(f"{i}-{i}" for i in range(100, 105))), ("1", *"abcde"))
    table = Block("table", 0, (), rows)
    whole = ["  die  100-100  101-101  102-102  103-103  104-104", "  1    a        b        c        d        e"]
    assert laid_out([table], 50).splitlines()[::2] == whole
    assert laid_out([table], 49).splitlines() == [
        "  die  100-100  101-101  102-102  103-103",
        "  ---  -------  -------  -------  -------",
        "  1    a        b        c        d",
        "",
        "  die  104-104",
        "  ---  -------",
        "  1    e",
    ]


@pytest.mark.parametrize("width", [40, 79, 100])
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_pages_fit_a_terminal(system: str, width: int) -> None:
    """Tables of many columns alone are wider than a narrow one."""
    page = [block for block in rules(system) if width > 60 or not block.rows or len(block.rows[0]) < 4]
    assert max(map(len, laid_out(page, width).splitlines())) <= width


@pytest.mark.parametrize("system", SYSTEMS)
def test_everything_of_a_page_is_shown(system: str) -> None:
    """Each word of the file but for marks of Markdown, in the order of the file where it isn't folded in a table."""
    shown = laid_out(rules(system), 10_000)
    for block in rules(system):
        words = " ".join([*block.lines, *(cell for row in block.rows for cell in row)]).split()
        assert all(word in shown or word.upper() in shown for word in words)
    text = (ROOT / "docs" / f"rules-{system}.md").read_text("utf-8")
    assert text.count("\n#") == len([block for block in rules(system) if block.kind == "heading"]) - 1
    assert not [block for block in rules(system) if "](" in " ".join(block.lines) or "**" in " ".join(block.lines)]


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_clause_and_ruling_that_a_page_cites_is_found_in_it(system: str) -> None:
    text = (ROOT / "docs" / f"rules-{system}.md").read_text("utf-8")
    prose = text.partition(BEGIN)[0]
    for clause in set(re.findall(r"(?<![0-9])[( ]([0-9]+-[0-9]+(?:-[0-9]+)?(?:\([0-9]\)[0-9]?)?)[,;)]", prose)):
        assert clause in laid_out(part(rules(system), clause), 10_000), clause
    for number in sorted(set(re.findall(r"\bR[0-9]+\b", text))):
        (told,) = ruling(number)
        assert told.lines[0].startswith(f"{number} ("), number
        assert number in laid_out(part(rules(system), number), 10_000)


def test_a_scenario_s_own_tables_stand_in_place_of_the_page_s() -> None:
    tables = load_scenario("toba-fushimi").data["tables"]
    assert rules("bakumatsu", tables) == rules("bakumatsu")
    tables["fire_results_table"]["rows_modified_2d6"]["7"][0] = "DD"
    (changed,) = (new for new, old in zip(rules("bakumatsu", tables), rules("bakumatsu"), strict=True) if new != old)
    assert changed.rows[7][:3] == ("7", "DD", "-")


def test_what_is_no_ruling_brings_none() -> None:
    assert ruling("R0") == ruling("melee") == ruling("R999") == ruling("R1.") == []


def test_a_system_without_a_page_is_refused() -> None:
    with pytest.raises(Storage, match=r"rules-chess\.md can't be read"):
        rules("chess")


@example("|1||1", "")
@given(st.text(alphabet="ab12-()|#. \n<!`*\\R", max_size=200), st.text(alphabet="ab12-()R.", max_size=8))
def test_any_page_and_any_word_will_do(page: str, wanted: str) -> None:
    found = blocks(page)
    laid_out(found, 20)
    assert all(block._replace(rows=()) in {other._replace(rows=()) for other in found} for block in part(found, wanted))
