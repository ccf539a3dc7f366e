"""The tool that counts what is told in games between bots."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import ModuleType

import pytest
from golden import ROOT
from matches import scenario_of

from balance.tools import loaded
from pbem.desk.desk import terms_of
from pbem.match.table import Table
from pbem.rules.sengoku.areas import hexes_in
from pbem.rules.sengoku.lines import linked, sources
from pbem.simulate.game import Run, begun, entries

HEADLINE = "### yao, what is told in {} games of each kind, seed 3\n"


def test_the_table_of_a_page_is_written_anew_and_nothing_else(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# A page\n\n{HEADLINE.format(9)}\n| old |\n\nMore words.\n")
    words = [sys.executable, str(ROOT / "tools" / "told.py"), str(page)]
    subprocess.run([*words, "--games", "1"], check=True)
    told = page.read_text()
    before, _, table = told.partition(HEADLINE.format(1))
    assert before == "# A page\n\n"
    assert table.endswith(" |\n\nMore words.\n")
    assert "| old |" not in table
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("|")][2:]
    assert sum(event == "end" for _, event, *_ in rows) >= 1
    for _, _, *counts in rows:
        assert [float(times) > 0 for times in counts[::2]] == [games == "1" for games in counts[1::2]]
        assert len(counts) == 2 * 3
    page.write_text("# A page\n")
    assert subprocess.run(words, check=False, capture_output=True).returncode == 1


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """tools/told.py."""
    return loaded("told")


def campaign(most: int) -> Iterator[Table]:
    """The table of a campaign between bold bots behind each of its first entries."""
    scenario = scenario_of("shizugatake")
    run = Run(scenario, terms_of(scenario, {}), ("bold", "bold"), 1583)
    table = begun(run)
    for _ in islice(entries(run, 1, table), most):
        yield table


@pytest.mark.clause("36.7-1", "36.7-6", "36.7-8")
def test_what_special_rules_forbid_is_counted_once_a_phase(tool: ModuleType) -> None:
    last, found, now = (0, "", ""), list[tuple[str, frozenset[str]]](), (0, "", "")
    for table in campaign(6):
        forbidden, now = tool.held(table, last)
        if now != last:
            found.append((now[2], frozenset(clause for clause, _ in forbidden)))
        assert tool.held(table, now) == (set(), now), "the phase goes on"
        last = now
    assert {clauses for side, clauses in found if side != "hashiba"} == {frozenset({"36.7-1", "36.7-2", "36.7-3"})}
    hashiba = [clauses for side, clauses in found if side == "hashiba"]
    assert all("36.7-6" in clauses for clauses in hashiba)
    assert any("36.7-8" in clauses for clauses in hashiba)


@pytest.mark.clause("36.7-4", "36.7-5", "36.7-7")
def test_a_force_counts_that_stands_before_what_it_cannot_enter_or_attack(tool: ModuleType) -> None:
    (*_, table) = campaign(3)
    s = table.game.state
    said = (("36.7-4", "can't enter the next hex"), ("36.7-7", "can't attack beside it"))
    near = next(h for h in s.board.ground.open_to[s.at["sb-01"]] if h not in s.stands)
    assert not set(said) & set(tool.forbids(s, "hashiba"))
    s.put("hb-01", near)
    assert set(said) <= set(tool.forbids(s, "hashiba"))
    s.left.add("sb-02")
    assert not set(said) & set(tool.forbids(s, "hashiba"))
    gifu = ("36.7-5", "can't enter the next hex")
    s.put("hb-01", s.board.parse("5013"))
    assert gifu in set(tool.forbids(s, "hashiba"))
    s.declared.add("kobe")
    assert gifu not in set(tool.forbids(s, "hashiba"))


@pytest.mark.clause("8-3-1", "36.7-8")
def test_the_lines_of_one_main_castle_are_those_of_an_army_that_has_no_other(tool: ModuleType) -> None:
    (*_, table) = campaign(3)
    s, armies = table.game.state, 0
    for army in s.board.armies.values():
        begin = [*sources(s, army.id)]
        led = [tool.led_to(s, army.side, h) for h in begin]
        assert set().union(*led) <= set(hexes_in(s.board.ground.grid, linked(s, army.id)))
        if len(begin) == 1 and led[0]:
            assert led[0] == set(hexes_in(s.board.ground.grid, linked(s, army.id)))
            armies += 1
    assert armies > 2
