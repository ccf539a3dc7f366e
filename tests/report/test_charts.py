"""The charts in the pages of rules and in reports: those of the scenarios' tables, every cell.

`PBEM_REGENERATE=1 pytest tests/report/test_charts.py` writes the marked blocks of docs/rules-SYSTEM.md anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from golden import REGENERATE, ROOT
from markupsafe import escape
from systems.test_reports import empty_table

from pbem.report.build import html
from pbem.report.charts import BEGIN, END, charts, charts_data, markdown, renewed
from pbem.report.source import report_data
from pbem.rules import SYSTEMS
from pbem.scenario import list_scenarios, load_scenario

SCENARIOS = [
    (summary.system, summary.id)
    for summary in list_scenarios()
    if load_scenario(summary.id).data["scenario"]["tables"] == "tables"  # those of the system
]


def tables(scenario: str) -> dict[str, Any]:
    found: dict[str, Any] = load_scenario(scenario).data["tables"]
    return found


@pytest.mark.parametrize(("system", "scenario"), SCENARIOS)
def test_a_page_has_the_charts_of_the_scenarios(system: str, scenario: str) -> None:
    file = ROOT / "docs" / f"rules-{system}.md"
    page = file.read_text("utf-8")
    if REGENERATE:
        file.write_text(renewed(page, tables(scenario)), "utf-8", newline="\n")
        return
    assert page.count(BEGIN) == page.count(END) == 1
    assert page[page.index(BEGIN) : page.index(END) + len(END)] == markdown(tables(scenario))


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_has_a_page(system: str) -> None:
    assert (ROOT / "docs" / f"rules-{system}.md").is_file()


@pytest.mark.parametrize("scenario", ["toba-fushimi", "yao"])
def test_every_cell_of_the_data_is_printed(scenario: str) -> None:
    data = tables(scenario)
    printed = {chart.title: chart for chart in charts(data)}
    assert len(printed) == len(data) == 3
    for name, block in data.items():
        chart = printed[name.replace("_", " ").capitalize()]
        if isinstance(block, Mapping):
            head, rows = (next(block[key] for key in block if key.startswith(kind)) for kind in ("columns_", "rows_"))
            assert chart.columns[1:] == tuple(head)
            assert chart.rows == tuple((row, *cells) for row, cells in rows.items())
        else:
            for line, row in zip(block, chart.rows, strict=True):
                shown = dict(zip(chart.columns, row, strict=True))
                assert {key: shown[key] for key in line if key not in ("terrain", "provenance", "given")} == {
                    key: value for key, value in line.items() if key not in ("terrain", "provenance", "given")
                }
                assert all(not shown[key] for key in shown if key not in line)


def test_a_chart_by_names_has_every_type_and_number() -> None:
    data = tables("skirmish")
    printed = {chart.title: chart for chart in charts(data)}
    assert {title.lower() for title in printed} == set(data)
    types, morale = printed["Types"], printed["Morale"]
    assert types.columns == ("", *(name for name in data["types"] if name != "provenance"))
    for number, name in enumerate(types.columns[1:], start=1):
        assert {row[0]: row[number] for row in types.rows if row[number]} == data["types"][name]
    assert morale.columns == ("name", "number")
    assert morale.rows == tuple((name, number) for name, number in data["morale"].items() if name != "provenance")
    assert types.note == "Rulebook; reconstructed: move, points."


def test_a_chart_of_unlike_values_has_a_row_for_each() -> None:
    """With the names under which it stands, whatever else the block has."""
    printed = {chart.title: chart for chart in charts(tables("cedar-mountain"))}
    assert ("links, trail", "2") in printed["Movement"].rows
    assert ("creek", "1") in printed["Movement"].rows
    assert ("attacks, hasty, modifier", "-1") in printed["Modifiers"].rows
    assert ("times", "1 1/2, 2, 2, 3") in printed["Works"].rows
    assert printed["Allowance"].columns == ("", "march", "activation", "forced")


def test_a_changed_cell_changes_the_page() -> None:
    data = tables("yao")
    page = f"before\n\n{markdown(data)}\n\nafter\n"
    data["firing_results_table"]["rows_2d6"]["7"][0] = "E"
    changed = renewed(page, data)
    assert changed != page
    assert renewed(changed, tables("yao")) == page
    assert changed.startswith("before\n\n")
    assert changed.endswith("\n\nafter\n")


def test_a_page_without_a_block_stays_as_it_is() -> None:
    assert renewed("no charts\n", tables("yao")) == "no charts\n"


def test_where_a_table_comes_from_is_said() -> None:
    notes = {chart.title: chart.note for chart in charts(tables("toba-fushimi"))}
    assert notes["Fire results table"].startswith("Reconstructed; from the rulebook: modified roll 7")
    assert notes["Melee results table"] == "Reconstructed."
    assert notes["Terrain effects chart"].startswith("From the rulebook: mountain: fire -2")
    assert notes["Terrain effects chart"].endswith("; all else is reconstructed.")
    rulebook = {chart.title: chart.note for chart in charts(tables("yao"))}["Terrain effects chart"]
    assert "reconstructed" not in rulebook


def test_tables_by_chapters_are_printed_one_after_another() -> None:
    data = tables("yao")
    by_chapters = {"fire": {"firing_results_table": data["firing_results_table"]}, "rest": {"note": "x", "stake": "3"}}
    assert [chart.title for chart in charts(by_chapters)] == ["Firing results table"]
    assert charts_data({"cup": ["dud", "gold"], "stake": "3"}) == []


@pytest.mark.parametrize("name", ["report", "so_far", "simulated"])
def test_a_wide_table_scrolls_by_itself_and_not_the_page(name: str) -> None:
    """The page with all its pictures went sideways with a table of 16 counties."""
    style = (ROOT / "templates" / "page.css.j2").read_text("utf-8")
    assert ".table { overflow-x: auto; }" in style.splitlines()
    page = (ROOT / "templates" / f"{name}.html.j2").read_text("utf-8")
    assert 'include "page.css.j2"' in page
    assert page.count("<table>") == page.count('<div class="table"><table>') == page.count("</table></div>") > 0


def test_a_report_folds_the_charts() -> None:
    """Below its sections, closed; every cell of them, and what hostile data say as text."""
    table = empty_table("bakumatsu", "toba-fushimi")
    table.course.begin()
    data = report_data(table, load_scenario("toba-fushimi"), None)
    page = html(data)
    begin = page.index("<details>\n<summary>Tables and charts")
    folded = page[begin : page.index("</details>", begin)]
    for chart in charts(tables("toba-fushimi")):
        assert f"<h3>{chart.title}</h3>" in folded
        for head, *cells in chart.rows:
            row = f"<tr><th>{escape(head)}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
            assert row in folded
    assert len(folded) < 6_000, "a mail has room for little more than 100 kB"
    assert "Tables and charts" not in html({**data, "charts": []})
    hostile = {"a_results_table": {"columns_x": ["<script>"], "rows_y": {"2": ["</details>"]}}}
    assert "<script>" not in html({**data, "charts": charts_data(hostile)})


def test_a_cell_can_t_break_a_page() -> None:
    hostile = {"a_results_table": {"columns_x": ["1|2"], "rows_y": {"2\n": ["<b>\u202e|"]}}}
    (chart,) = charts(hostile)
    assert chart.rows == (("2", "<b>|"),)
    assert "| 2   | <b>\\| |" in markdown(hostile).splitlines()
