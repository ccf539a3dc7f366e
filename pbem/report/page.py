"""A page of docs/ on a terminal: the rules of a system, whole or the parts asked for, folded to a width."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from textwrap import fill
from typing import Any

from pbem import resources
from pbem.language import ENGLISH, language
from pbem.language.lines import across, filled, justified
from pbem.records import NamedTuple
from pbem.report.charts import renewed

__all__ = ["Block", "blocks", "laid_out", "named_clause", "part", "rules", "ruling"]

INDENT = 2
"""Columns before everything but headings of chapters."""

CLAUSE = re.compile(r"[0-9]{1,2}(-[0-9]+|\([0-9A-Za-z -]+\)|\.[a-z0-9]|[0-9A-Za-z])*")
"""What is looked for as a clause: `9`, `9-2`, `9-2(4)2`, `11-3-3.b`, `18-2-2(below)`, `36.7-4`."""


RULING = re.compile("R[1-9][0-9]*")
"""The number of a ruling."""


class Block(NamedTuple):
    """A piece of a page, in its order.

    kind     heading, text, item, code or table
    level    of a heading 1 to 6; of others 0
    lines    a heading's, paragraph's or item's words as one line; of code as written; of a table none
    rows     of a table its rows, the one with the headings first; of others none
    mark     what stands before an item: `-` or `2.`
    """

    kind: str
    level: int
    lines: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = ()
    mark: str = ""


def rules(system: str, tables: Mapping[str, Any] | None = None) -> list[Block]:
    """The page with the rules of a system; `tables` are those of a scenario, to be printed in place of the system's.

    Raises Storage for a system without a page.
    """
    page = resources.page(f"rules-{system}.md")
    return blocks(page if tables is None else renewed(page, tables))


def ruling(number: str) -> list[Block]:
    """What the page of rulings says under a number, as `R84`; nothing for others."""
    if not RULING.fullmatch(number):
        return []
    return [block for block in blocks(resources.page("rulings.md")) if " ".join(block.lines).startswith(f"{number} (")]


# --- reading ---------------------------------------------------------------------------------------------------------


def blocks(page: str) -> list[Block]:
    """A page of Markdown, of which headings, paragraphs, lists, tables, indented code and comments are known."""
    found: list[Block] = []
    for group in re.split(r"\n{2,}", re.sub(r"<!--.*?-->", "", page, flags=re.DOTALL)):
        lines = [line.rstrip() for line in group.split("\n") if line.strip()]
        if lines and all(line.startswith("    ") for line in lines):
            found.append(Block("code", 0, tuple(line[4:] for line in lines)))
        else:
            found += _flowing(lines)
    return found


def _flowing(lines: Sequence[str]) -> Iterator[Block]:
    """The blocks of lines that no empty line parts."""
    kind, mark = "text", ""
    words: list[str] = []
    rows: list[list[str]] = []
    for line in lines:
        heading = re.match("(#{1,6}) (.*)", line)
        item = re.match(r"(-|[0-9]{1,2}\.) +(.*)", line)
        row = line.startswith("|")
        if (heading or item or row != bool(rows)) and (words or rows):
            yield _block(kind, mark, words, rows)
            kind, mark, words, rows = "text", "", [], []
        if heading:
            yield Block("heading", len(heading[1]), (plain_words(heading[2]),))
        elif item:
            kind, mark, words = "item", item[1], [item[2]]
        elif row:
            rows.append([plain_words(cell.strip()) for cell in re.split(r"(?<!\\)\|", line.strip("|"))])
        else:
            words.append(line.strip())
    if words or rows:
        yield _block(kind, mark, words, rows)


def _block(kind: str, mark: str, words: Sequence[str], rows: Sequence[Sequence[str]]) -> Block:
    if rows:
        kept = [tuple(row) for row in rows if not all(re.fullmatch(":?-{3,}:?", cell) for cell in row)]
        return Block("table", 0, (), tuple(kept))
    return Block(kind, 0, (plain_words(" ".join(words)),), mark=mark)


def plain_words(words: str) -> str:
    """Words without the marks of Markdown for bold and italic, of a link its text; code keeps its backticks."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words)
    return re.sub(r"(?<![\w*])(\*{1,2})(\w[^*]*)\1(?!\w)", r"\2", words).replace("\\|", "|")


# --- parts -----------------------------------------------------------------------------------------------------------


def part(page: Sequence[Block], wanted: str) -> list[Block]:
    """The parts of a page about a clause or a word; none where it says nothing of it.

    A heading with it brings all that stands under it; where no heading has it, each paragraph, item and row that has it
    comes with the headings above it, of a table the rows that begin with a word or cite a clause or ruling. Capitals
    count where something is found so. Of a clause that isn't there the one comes of which it is a part.
    """
    wanted = " ".join(wanted.split())
    if not CLAUSE.fullmatch(wanted):
        return _about_words(page, wanted)
    clause = named_clause(page, wanted)
    return _about_clause(page, clause) if clause else []


def _about_words(page: Sequence[Block], wanted: str) -> list[Block]:
    of_row = " ".join if RULING.fullmatch(wanted) else _first
    said = [_word(wanted, flags) for flags in ((re.IGNORECASE,) if wanted.islower() else (0, re.IGNORECASE))]
    parts = [_under_headings(page, says) for says in said] + [_scattered(page, says, of_row) for says in said]
    return next(filter(None, parts), [])


def named_clause(page: Sequence[Block], wanted: str) -> str:
    """The clause about which `part` shows something for a clause: itself, or one of which it is a part; "" for none."""
    clause = wanted if CLAUSE.fullmatch(wanted) else ""
    while clause and not _about_clause(page, clause):
        clause = re.sub(r"([-.]?[0-9A-Za-z]+|\([^)]*\))$", "", clause)
    return clause


def _about_clause(page: Sequence[Block], clause: str) -> list[Block]:
    says = _clause(clause)
    found = _under_headings(page, says)
    return found if found or clause.isdigit() else _scattered(page, says, " ".join)  # a number alone may be of hexes


def _word(words: str, flags: int) -> re.Pattern[str]:
    """What finds words, from the beginning of a word on; one of a letter or two, or with a number, as a whole."""
    ends = r"(?!\w)" if len(words) < 3 or words[-1:].isdigit() else ""
    return re.compile(rf"(?<!\w){re.escape(words)}{ends}", flags)


def _clause(clause: str) -> re.Pattern[str]:
    """What finds a clause and its parts, but not as a part of others: not the 4 in 9-2(4)."""
    ends = "(?![0-9])" if clause[-1].isdigit() else ""
    return re.compile(rf"(?<![\w.-])(?<!\w\(){re.escape(clause)}{ends}")


def _first(row: Sequence[str]) -> str:
    return row[0]


def _under_headings(page: Sequence[Block], says: re.Pattern[str]) -> list[Block]:
    """Everything under the headings that say it."""
    found: list[Block] = []
    level = 0
    for block in page:
        if block.kind == "heading" and not 0 < level < block.level:
            level = block.level if block.level > 1 and says.search(block.lines[0]) else 0
        if level:
            found.append(block)
    return found


def _scattered(page: Sequence[Block], says: re.Pattern[str], of_row: Callable[[Sequence[str]], str]) -> list[Block]:
    """What says it, wherever it stands in a chapter, each with the headings above it."""
    found: list[Block] = []
    above: list[Block] = []
    for block in page:
        if block.kind == "heading":
            above = [*(heading for heading in above if heading.level < block.level), block]
            continue
        chapter = [heading for heading in above if heading.level > 1]
        rows = tuple(row for row in block.rows[1:] if says.search(of_row(row)))
        if chapter and (rows or says.search(" ".join(block.lines))):
            found += [heading for heading in chapter if heading not in found]
            found.append(block._replace(rows=(*block.rows[:1], *rows)))
    return found


# --- laid out --------------------------------------------------------------------------------------------------------


def laid_out(page: Sequence[Block], width: int) -> str:
    """Blocks as lines of at most `width` columns, as far as tables and code can be folded so far."""
    lines: list[str] = []
    before = ""
    for block in page:
        if before and not (block.kind == before == "item"):
            lines.append("")
        lines += _lines(block, width)
        before = block.kind
    return "\n".join(lines) + "\n"


def _lines(block: Block, width: int) -> list[str]:
    indent = " " * INDENT
    if block.kind == "heading":
        title, bracket, clauses = block.lines[0].partition(" (")
        words = block.lines[0] if block.level > 2 else title.upper() + bracket + clauses
        return folded(words, width, "" if block.level < 3 else indent).split("\n")
    if block.kind == "code":
        return [f"{indent}  {line}" for line in block.lines]
    if block.kind == "table":
        return [f"{indent}{line}".rstrip() for line in _table(block.rows, width - INDENT)]
    mark = f"{block.mark} " if block.mark else ""
    return folded(block.lines[0], width, indent + mark, indent + " " * len(mark), hyphens=False).split("\n")


def folded(words: str, width: int, first: str = "", rest: str = "", *, hyphens: bool = True) -> str:
    """Words in lines of so many columns; in English they break behind `hyphens`, too."""
    if language() != ENGLISH and not words.isascii():
        return filled(words, first, rest, width)
    return fill(words, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=hyphens)


def _table(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """A table in columns two blanks apart; where it is too wide its widest columns are folded, then it is parted."""
    columns = max(map(len, rows))
    full = [[*row, *[""] * (columns - len(row))] for row in rows]
    wide = [max(1, *(across(row[i]) for row in full)) for i in range(columns)]
    least = [max([8, *(_least(word) for row in full for word in row[i].split())]) for i in range(columns)]
    while sum(wide) + 2 * (columns - 1) > width and any(w > m for w, m in zip(wide, least, strict=True)):
        widest = max((i for i in range(columns) if wide[i] > least[i]), key=lambda i: wide[i])
        wide[widest] -= 1
    parts = [_beside(full, wide, columns) for columns in _parts(wide, width)]
    return [line for part in parts for line in ("", *part)][1:]


def _least(word: str) -> int:
    """How narrow a column may be for a word, which breaks nowhere but between wide letters."""
    return len(word) if word.isascii() or language() == ENGLISH else 8


def _parts(wide: Sequence[int], width: int) -> Iterator[list[int]]:
    """The columns of a table that find room beside each other, each time with the first."""
    some = [0]
    for i in range(1, len(wide)):
        if len(some) > 1 and sum(wide[j] + 2 for j in some) + wide[i] > width:
            yield some
            some = [0]
        some.append(i)
    yield some


def _beside(full: Sequence[Sequence[str]], wide: Sequence[int], columns: Sequence[int]) -> Iterator[str]:
    """The lines of some columns of a table, its headings underlined."""
    for number, row in enumerate(full):
        if number or any(row):
            yield from _row([row[i] for i in columns], [wide[i] for i in columns])
        if not number and any(row):
            yield "  ".join("-" * wide[i] for i in columns)


def _row(row: Sequence[str], wide: Sequence[int]) -> list[str]:
    cells = [folded(cell, width, hyphens=False).split("\n") for cell, width in zip(row, wide, strict=True)]
    height = max(map(len, cells))
    all_of_it = [[*cell, *[""] * (height - len(cell))] for cell in cells]
    return [
        "  ".join(justified(cell[i], width) for cell, width in zip(all_of_it, wide, strict=True)) for i in range(height)
    ]
