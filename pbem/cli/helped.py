"""Help of commands in another language than English: recognised paragraph by paragraph, in lines of wide letters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import click

from pbem.language import say, shown
from pbem.language.lines import across, filled
from pbem.records import NamedTuple

__all__ = ["EXAMPLE", "Formatter", "Paragraph", "paragraphs"]

EXAMPLE = "Example:"
"""With this the paragraph of a help begins that shows what may be typed."""

METAVAR = re.compile(r"(?<![\w-])[A-Z][A-Z_]+(?: RANGE)?(?![\w-])")
"""What stands for a value in the usage and before the help of an option."""

NARROW = 10
"""So many columns the help of an option has at least."""


class Paragraph(NamedTuple):
    """A paragraph of a help: its words, how far it is indented, and whether its lines stay as they are."""

    words: str
    indent: int
    raw: bool


def paragraphs(text: str) -> Iterator[Paragraph]:
    """The paragraphs of a help: empty lines part them, behind a line with `\\b` lines stay as they are."""
    for block in re.split(r"\n[ \t]*\n", text.strip("\n")):
        lines = block.split("\n")
        raw = lines[0].strip() == "\b"
        lines = lines[raw:]
        if lines and lines[0].strip():
            indent = len(lines[0]) - len(lines[0].lstrip())
            words = "\n".join(line[indent:] for line in lines) if raw else " ".join(map(str.strip, lines))
            yield Paragraph(words, indent, raw)


class Formatter(click.HelpFormatter):
    """Help in the language in force: what click and the commands say in English is recognised."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """How a command is called; what stands for a value is recognised."""
        usage = say("Usage:")
        begun = f"{usage} {prog} "
        self.write(filled(_values(args), begun, " " * across(begun), self.width) + "\n")

    def write_heading(self, heading: str) -> None:
        """What stands above a list."""
        self.write(" " * self.current_indent + say("%(heading)s:", heading=shown(heading)) + "\n")

    def write_text(self, text: str) -> None:
        """Paragraphs, with an empty line between them."""
        told = (_told(each, self.current_indent, self.width) for each in paragraphs(text))
        self.write("\n\n".join(told) + "\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """What can be typed, and beside it what it does."""
        put = [(_values(first), _help(second)) for first, second in rows]
        wide = min(max((across(first) for first, _ in put), default=0), col_max)
        blank = " " * (self.current_indent + wide + col_spacing)
        room = max(self.width - wide - col_spacing - 2, NARROW)
        for first, second in put:
            told = filled(second, "", "", room).replace("\n", f"\n{blank}")
            missing = wide - across(first)
            gap = " " * (missing + col_spacing) if missing >= 0 else f"\n{blank}"
            self.write(f"{' ' * self.current_indent}{first}{gap}{told}".rstrip() + "\n")


def _values(typed: str) -> str:
    """What can be typed, with what stands for values in the language in force."""
    return METAVAR.sub(lambda found: shown(found[0]), typed)


def _told(paragraph: Paragraph, indent: int, width: int) -> str:
    """A paragraph in the language in force, as lines."""
    words, blank = paragraph.words, " " * (indent + paragraph.indent)
    if words.startswith(EXAMPLE):
        head = say("Example:")
        words = head + " " * (len(EXAMPLE) - across(head)) + words.removeprefix(EXAMPLE)
    else:
        words = shown(words)
    if paragraph.raw:
        return "\n".join(blank + line for line in words.split("\n"))
    return filled(words, blank, blank, width)


def _help(words: str) -> str:
    """The help of an option, what click adds to it in brackets piece by piece."""
    plain, bracket, more = words.partition("  [")
    if not bracket and words.startswith("["):
        plain, bracket, more = "", "[", words[1:]
    pieces = "; ".join(map(shown, more.removesuffix("]").split("; ")))
    return (shown(plain) + (f"  [{pieces}]" if bracket else "")).strip()
