"""docs/rules-sengoku.md has the charts and numbers of the scenario, docs/sengoku.md examples that can be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, cast

import pytest
from golden import ROOT
from rules.test_pages import page

from pbem.match.orders import read_parts
from pbem.report.page import named_clause, part, rules
from pbem.rules import Rules, sengoku
from pbem.rules.requests import Choose
from pbem.rules.sengoku import armies, operation, scenario
from pbem.rules.sengoku.board import BARRIERS, FILLS, RANKS, SOTAISHO, Board
from pbem.rules.sengoku.deployment import close
from pbem.rules.sengoku.going import way
from pbem.rules.sengoku.lines import LEG, MAIN_LEG
from pbem.rules.sengoku.movement import POINTS
from pbem.rules.sengoku.scenario import board
from pbem.rules.sengoku.standing import STANDING, STATES
from pbem.rules.sengoku.state import OPTIONS, State
from pbem.rules.sengoku.wording import USAGE, order_words
from pbem.wire.orderfile import parse_statements


@pytest.fixture(scope="module")
def b(shipped: Mapping[str, Any]) -> Board:
    return board(dict(shipped))


def test_points_and_legs() -> None:
    found = page("sengoku")
    assert f"A force has {POINTS} points" in found
    assert f"A leg from the main castle is {MAIN_LEG} points long at most, any other {LEG} " in found


def test_who_belongs_to_whom(b: Board) -> None:
    found = page("sengoku")
    following = {name: army.follows for name, army in b.armies.items()}
    hashiba = [b.armies[name].title for name, chief in following.items() if chief == "hashiba"]
    assert f"Hashiba, with {', '.join(hashiba[:-1])} and {hashiba[-1]} following; Kitabatake" in found
    assert [name for name, chief in following.items() if chief == "shibata"] == ["maeda", "kanamori"]
    assert [name for name, chief in following.items() if chief == "kobe"] == ["takigawa"]
    assert {army.main for army in b.armies.values() if army.follows == "shibata"} == {("kitanosho",)}
    columns = {name: army.column for name, army in b.armies.items() if army.column not in (name, "small")}
    assert columns == {"kitabatake": "kobe", "ukita": "mori", "negoro": "saika"}
    chiefs = [unit.name for unit in b.units.values() if unit.rank == SOTAISHO]
    assert "Hashiba Hideyoshi, Shibata Katsuie and Mori Terumoto are sotaisho" in found
    assert sorted(chiefs) == ["Hashiba Hideyoshi", "Mori Terumoto", "Shibata Katsuie"]


def test_the_castles_of_each_army(b: Board) -> None:
    found = page("sengoku")

    def listed(castles: Iterable[str]) -> str:
        held = [b.castles[castle] for castle in castles]
        return ", ".join(f"{one.name} {b.label[one.at]} ({one.level})" for one in held) or "-"

    for army in b.armies.values():
        others = [one.id for one in b.castles.values() if one.owner == army.id and one.id not in army.main]
        row = (army.title, str(len(b.of_army[army.id])), listed(army.main), listed(others))
        assert f"| {' | '.join(row)} |" in found


def test_who_acts_and_enters(b: Board) -> None:
    found = page("sengoku")
    snow, kobe, mino = b.idle
    assert (snow.armies, snow.until, snow.die) == (("shibata", "maeda", "kanamori"), 4, 6)
    assert "act from inning 5 on" in found
    assert (kobe.declared, mino.declared, mino.armies) == ("kobe", "kobe", ("inaba", "endo", "mori-mino"))
    assert [len(b.of_army[army]) for army in ("mori", "saika", "negoro")] == [34, 10, 10]
    assert "34 units of Mori, ten of Saika and ten of Negoro" in found
    assert [len(b.deployments[name].units) for name in ("owari", "takigawa")] == [13, 8]
    ends = [b.label[h] for army in ("mori", "saika") for h in (b.armies[army].sources[0], b.armies[army].sources[-1])]
    assert ends == ["0111", "0128", "2434", "3534"]
    for rule in b.entering.values():
        for province in rule.provinces:
            assert province in found


def test_points_and_castles(b: Board) -> None:
    found = page("sengoku")
    assert b.victory.castles[:5] == (1, 2, 3, 5, 10)
    assert dict(b.victory.lost) == {1: 1, 2: 3, 3: 5}
    assert [bonus.points for bonus in b.victory.bonuses] == [40, 10]
    assert f"Hashiba wins with {b.victory.lead} points more" in found
    stood = {b.castle_in[unit.hexes[0]] for unit in b.deployments.values() if len(unit.hexes) == 1}
    assert (len(stood), len(b.castles) - len(stood)) == (26, 23)
    assert {castle.durability for castle in b.castles.values()} == {10}
    assert b.turns == 12


@pytest.mark.parametrize(
    ("wanted", "heading"),
    [
        ("18", "Siege (18)"),
        ("23-4", "Retreat (23-4)"),
        ("36.6", "Points and victory (36.6)"),
        ("retreat", "Retreat (23-4)"),
        ("lines", "Lines of communication (11)"),
    ],
)
def test_a_chapter_is_found_by_its_number_or_name(wanted: str, heading: str) -> None:
    assert (heading,) in [block.lines for block in part(rules("sengoku"), wanted) if block.kind == "heading"]


def test_a_clause_of_a_scenario_is_found_or_that_of_which_it_is_a_part() -> None:
    blocks = rules("sengoku")
    assert "within 2 of Gifu" in " ".join(line for block in part(blocks, "36.7-5") for line in block.lines)
    assert named_clause(blocks, "18-2-2(below)") == "18-2-2(below)"
    assert named_clause(blocks, "36.7-2(x)") == "36.7-2"


# --- docs/sengoku.md --------------------------------------------------------------------------------------------------


PLAYER = (ROOT / "docs" / "sengoku.md").read_text("utf-8")


def examples() -> list[str]:
    """What the page gives as examples: the cells of the columns called so, and its indented lines."""
    found = [line for line in PLAYER.split("\n") if line.startswith("    ")]
    column = None
    for line in PLAYER.split("\n"):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)]
        if not line.startswith("|"):
            column = None
        elif column is None:
            column = cells.index("example") if "example" in cells else -1
        elif column > 0 and cells[column].startswith("`"):
            found.append(cells[column].strip("`"))
    return found


@pytest.mark.parametrize("text", examples())
def test_every_example_is_read(b: Board, text: str) -> None:
    side = "anti-hashiba" if "tk-01 tk-02" in text or "kb-09" in text else "hashiba"
    assert text.rstrip().endswith(";")
    statements, errors = parse_statements(text)
    assert not errors
    parts, wrong = read_parts(cast(Rules, sengoku), b, side, statements)
    assert wrong == []
    assert len(parts) == 1 or text.strip() == "done;"


def test_every_kind_of_order_has_an_example() -> None:
    words = {text.removeprefix("standing ").split()[0].rstrip(";") for text in examples()}
    assert words >= USAGE.keys()
    assert {text.split()[1] for text in examples() if text.startswith("standing ")} == STANDING.keys()


def test_every_test_and_option_is_told() -> None:
    for word in STATES:
        assert f"`is U {word}`" in PLAYER
    for name, values in OPTIONS.items():
        assert f"| `{name}` | `{values[0]}` (default), `{values[1]}` |" in PLAYER


def test_what_only_the_position_makes_plain_is_read_so(campaign: State) -> None:
    s = campaign
    for side in ("hashiba", "anti-hashiba"):
        list(close(s, side))
    s.stage = 1
    asked = Choose(
        side="hashiba", kind="operation", clause="", prompt="", options=lambda: operation.options(s, "hashiba"),
        why_not=lambda order: operation.why_not(s, "hashiba", order),
        sample=lambda chance: operation.sample(s, "hashiba", chance),
    )  # fmt: skip
    rows = re.findall(r"^\| `((?:move|organise) [^`]* (?:to|takes) [^`]*)` \| `([^`]*)`", PLAYER, re.MULTILINE)
    assert len(rows) == 2
    for written, meant in rows:
        order = way(s, asked, tuple(written.split()))
        assert order is not None
        assert " ".join(order_words(s.board, order)) == meant


def test_the_brief_tells_the_numbers_of_the_scenario(shipped: Mapping[str, Any], b: Board) -> None:
    brief = shipped["scenario"]["brief"]
    later = [unit for rule in b.deployments.values() if rule.enters for unit in rule.units]
    assert f"You have {len(b.of_side['hashiba'])} units" in brief["sides"]["hashiba"]
    at_first = len(b.of_side["anti-hashiba"]) - len(later)
    assert (
        f"You have {at_first} units in three corners, and perhaps {len(later)} more" in brief["sides"]["anti-hashiba"]
    )
    assert f"by {sum(bonus.points for bonus in b.victory.bonuses)} points" in brief["sides"]["hashiba"]
    assert set(shipped["scenario"]["options"]) == set(OPTIONS) == set(b.options)


# --- docs/adding-a-scenario.md ----------------------------------------------------------------------------------------


def test_the_page_for_new_scenarios_names_all_that_the_loader_knows() -> None:
    page = (ROOT / "docs" / "adding-a-scenario.md").read_text("utf-8")
    words = set(re.findall(r"[\w-]+", page.partition("\n## sengoku\n")[2].partition("\n## ")[0]))
    for keys in (scenario.KEYS, scenario.GROUP, scenario.CASTLE, scenario.DEPLOYMENT, scenario.ENTERING):
        assert set(keys) - {"army"} <= words
    for keys in (scenario.IDLE, scenario.CLOSED, scenario.TRUCE, scenario.VICTORY, scenario.BONUS):
        assert set(keys) <= words
    assert {*armies.ARMY, *armies.UNIT, *RANKS, *FILLS, *BARRIERS, "bridge", "river", *OPTIONS} <= words
