"""The tables that a game is played with, printed from its scenario's data: for the pages of rules and for reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.language.lines import across, justified
from pbem.records import NamedTuple
from pbem.report.layout import Json, capital, clean_text

__all__ = ["BEGIN", "END", "Chart", "charts", "charts_data", "markdown", "padded", "renewed"]

BEGIN = "<!-- charts: printed from the scenario's tables by pbem.report.charts, not to be edited here -->"
END = "<!-- end of charts -->"

SOURCE = "provenance"
"""The key under which a block says where it comes from."""

ABOUT = (SOURCE, "given")
"""What a line of a chart says of itself; it is told below the chart."""


class Chart(NamedTuple):
    """A results table or a chart of ground, types of units or numbers as it is printed.

    across    what the columns stand for; "" where each column says it itself
    columns   their headings; the first is that of the rows
    note      where it comes from
    """

    title: str
    across: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str


def charts(tables: Mapping[str, Any]) -> Iterator[Chart]:
    """All that can be printed of a scenario's tables (`data["tables"]`), of one file or by chapters.

    A results table is a block with one key `columns_WHAT` (headings) and one `rows_WHAT` (heading -> cells); a chart is
    a list of lines with the same keys, or a block that says where it comes from, with a line or a number for each name.
    """
    for name, block in tables.items():
        if isinstance(block, list) and block and all(isinstance(line, Mapping) for line in block):
            yield _chart(_words(name), block)
        elif isinstance(block, Mapping):
            columns, rows = _key(block, "columns_"), _key(block, "rows_")
            if columns and rows:
                yield _results(_words(name), block, columns, rows)
            elif SOURCE in block:
                yield _by_name(_words(name), block)
            else:
                yield from charts(block)


def charts_data(tables: Mapping[str, Any]) -> list[Json]:
    """The charts as plain JSON data, for reports."""
    return [
        {**chart._asdict(), "columns": [*chart.columns], "rows": [[*row] for row in chart.rows]}
        for chart in charts(tables)
    ]


def markdown(tables: Mapping[str, Any]) -> str:
    """The marked block of charts in a page of rules."""
    return "\n\n".join([BEGIN, *map(_markdown, charts(tables)), END])


def renewed(page: str, tables: Mapping[str, Any]) -> str:
    """A page of rules with the charts of other tables in its marked block."""
    before, _, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    return before + markdown(tables) + after if end else page


def _key(block: Mapping[str, Any], prefix: str) -> str:
    """The one key that begins so; "" for none or several."""
    found = [key for key in block if key.startswith(prefix)]
    return found[0] if len(found) == 1 else ""


def _results(title: str, block: Mapping[str, Any], columns: str, rows: str) -> Chart:
    given = block.get("given")
    note = capital(str(block.get("provenance", ""))) + (f"; from the rulebook: {given}" if given else "")
    return Chart(
        capital(title),
        _words(columns.partition("_")[2]),
        tuple(map(_cell, (_words(rows.partition("_")[2]), *block[columns]))),
        tuple(tuple(map(_cell, (head, *cells))) for head, cells in block[rows].items()),
        _sentence(note),
    )


def _chart(title: str, lines: Sequence[Mapping[str, Any]]) -> Chart:
    columns = list(dict.fromkeys(key for line in lines for key in line if key not in ABOUT))
    given = [f"{_words(line[columns[0]])}: {line['given']}" for line in lines if line.get("given")]
    rest = any(line.get("provenance") != "rulebook" for line in lines)
    note = "From the rulebook: " + "; ".join(given) if given else ""
    if rest:
        note = f"{note}; all else is reconstructed" if note else "Reconstructed"
    return Chart(
        capital(title),
        "",
        tuple(_words(key) for key in columns),
        tuple(tuple(_cell(_words(line.get(key, ""))) for key in columns) for line in lines),
        _sentence(note),
    )


def _by_name(title: str, block: Mapping[str, Any]) -> Chart:
    """The chart of a block: a column for each name where each has several values, else a row for each value."""
    named = {name: line for name, line in block.items() if name not in ABOUT}
    lines = [line for line in named.values() if isinstance(line, Mapping)]
    if len(lines) == len(named) and all(isinstance(value, str) for line in lines for value in line.values()):
        columns = ("", *map(_words, named))
        keys = dict.fromkeys(key for line in lines for key in line)
        rows = tuple((_words(key), *(_cell(_words(line.get(key, ""))) for line in lines)) for key in keys)
    else:
        columns = ("name", "number")
        rows = tuple(_values(named))
    return Chart(capital(title), "", columns, rows, _sentence(capital(str(block[SOURCE]))))


def _values(named: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Each value of a block by its name, with the names that it stands under before it: `links, road`; lists in one."""
    for name, value in named.items():
        full = f"{before}{_words(name)}"
        if isinstance(value, Mapping):
            yield from _values(value, f"{full}, ")
        else:
            yield full, _cell(", ".join(map(str, value)) if isinstance(value, list) else value)


def _words(name: object) -> str:
    """A name of the data as words: `mountain_top` is a mountain top."""
    text = clean_text(str(name))
    return text.replace("_", " ") if text.replace("_", "").isalnum() else text


def _cell(text: object) -> str:
    return clean_text(str(text))


def _sentence(note: str) -> str:
    return f"{clean_text(note).rstrip('.')}." if note else ""


def _markdown(chart: Chart) -> str:
    """A chart as a heading, a table and its note."""
    above = f"### {chart.title}" + (f"\n\nAcross: {chart.across}." if chart.across else "")
    return "\n\n".join([above, padded(chart), *([chart.note] if chart.note else [])])


def padded(chart: Chart) -> str:
    """The table of a chart in Markdown; cells are padded, so that it can be read as it stands, too."""
    table = [[cell.replace("|", "\\|") for cell in row] for row in (chart.columns, *chart.rows)]
    wide = [max(3, *(across(row[i]) for row in table)) for i in range(len(chart.columns))]
    lines = ["| " + " | ".join(justified(cell, wide[i]) for i, cell in enumerate(row)) + " |" for row in table]
    lines.insert(1, "| " + " | ".join("-" * width for width in wide) + " |")
    return "\n".join(lines)
