"""A strict reader for a small part of YAML: mappings, lists and strings, in bounded time.

Every scalar is a string, also `yes`, `0622` and `1.5`; an empty value is the empty string. Anchors, aliases, tags,
directives, merge keys, keys that aren't scalars, doubled keys and a second document are errors. Whatever the text
holds, `load` returns data or raises BadScenario, and it never needs more than a few seconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn, TypeAlias

import yaml
from yaml.reader import ReaderError

from pbem.errors import BadScenario

__all__ = ["MAX_BYTES", "MAX_DEPTH", "MAX_NODES", "Data", "load"]

MAX_BYTES = 1 << 20
"""Size of a file."""

MAX_DEPTH = 12
"""Mappings and lists inside one another."""

MAX_NODES = 50_000
"""Mappings, lists, keys and values of a file, counted together."""

Data: TypeAlias = "str | list[Data] | dict[str, Data]"


def load(text: str | bytes, name: str) -> Data:
    """The data of one YAML document; bytes must be UTF-8. Raises BadScenario with `name` and the line."""
    builder = _Builder(name)
    if len(text) > MAX_BYTES:
        builder.refuse(0, "the file is too long", f"{MAX_BYTES} bytes at most")
    if isinstance(text, bytes):
        text = _decoded(text, builder)
    try:
        return builder.build(yaml.parse(text, Loader=yaml.SafeLoader))
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        builder.refuse(mark.line + 1 if mark else 0, problem.problem or problem.context or "this isn't YAML")
    except ReaderError as problem:
        line = text.count("\n", 0, problem.position) + 1
        builder.refuse(line, f"the character U+{ord(text[problem.position]):04X} isn't allowed", "remove it")
    except (yaml.YAMLError, ValueError, ArithmeticError, LookupError) as problem:
        # numbers in an escape or a directive that Python can't hold come out of the library undressed
        builder.refuse(builder.line, f"this isn't YAML ({problem})")


def _decoded(raw: bytes, builder: _Builder) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = raw.count(b"\n", 0, problem.start) + 1
        builder.refuse(line, f"byte {raw[problem.start]:#04x} isn't UTF-8", "save the file as UTF-8")


def _shown(word: str) -> str:
    """A word of the file for a message: its beginning, on one line."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in word[:60])


class _Frame:
    """A mapping or list whose end hasn't been seen; `key` is the mapping's key that waits for its value."""

    __slots__ = ("data", "key")

    def __init__(self, data: list[Data] | dict[str, Data]) -> None:
        self.data = data
        self.key: str | None = None


class _Builder:
    """Builds the data from the parser's events with a stack of its own, so that nesting can't exhaust Python's."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.line = 0
        self.nodes = 0
        self.open: list[_Frame] = []

    def refuse(self, line: int, what: str, right: str = "") -> NoReturn:
        """Raise BadScenario for a line counted from 1, 0 for the file as a whole."""
        raise BadScenario(what, where=f"{self.name}, line {line}" if line else self.name, hint=right) from None

    def build(self, events: Iterable[yaml.Event]) -> Data:
        """The document that the events describe."""
        document: Data | None = None
        for event in events:
            if event.start_mark is not None:
                self.line = event.start_mark.line + 1
            if isinstance(event, yaml.DocumentStartEvent):
                if document is not None:
                    self.refuse(self.line, "a second document begins", "one file holds one document")
                if event.version or event.tags:
                    self.refuse(self.line, "directives aren't allowed", "remove the lines that begin with %")
            elif isinstance(event, yaml.NodeEvent):
                document = self.node(event, document)
            elif isinstance(event, yaml.CollectionEndEvent):
                self.open.pop()
        if document is None or document == "":
            self.refuse(0, "the file holds nothing", "write `KEY: VALUE` lines")
        return document

    def node(self, event: yaml.NodeEvent, document: Data | None) -> Data:
        """Put one node into the collection that is open; the root of the document."""
        self.check(event)
        data: Data
        if isinstance(event, yaml.ScalarEvent):
            data = self.scalar(event)
        else:
            data = {} if isinstance(event, yaml.MappingStartEvent) else []
        if self.open:
            self.place(data, self.open[-1])
        if not isinstance(data, str):
            self.open.append(_Frame(data))
            if len(self.open) > MAX_DEPTH:
                self.refuse(self.line, "mappings and lists are nested too deeply", f"{MAX_DEPTH} levels at most")
        return data if document is None else document

    def check(self, event: yaml.NodeEvent) -> None:
        """Refuse what a node may not carry."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self.refuse(self.line, "the file holds too many keys and values", f"{MAX_NODES} at most")
        if isinstance(event, yaml.AliasEvent):
            self.refuse(self.line, f"the alias *{_shown(event.anchor or '')} isn't allowed", "write the value out")
        if event.anchor is not None:
            right = "remove it, quote a text that begins with &"
            self.refuse(self.line, f"the anchor &{_shown(event.anchor)} isn't allowed", right)
        if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) and event.tag is not None:
            self.refuse(self.line, f"the tag {_shown(event.tag)} isn't allowed", "remove it, or quote the text")

    def scalar(self, event: yaml.ScalarEvent) -> str:
        value: str = event.value
        if any("\ud800" <= letter <= "\udfff" for letter in value):
            self.refuse(self.line, "half a surrogate pair isn't a character", "write the character itself")
        return value

    def place(self, data: Data, frame: _Frame) -> None:
        """Append to a list; in a mapping take a key, then its value."""
        if isinstance(frame.data, list):
            frame.data.append(data)
        elif frame.key is not None:
            frame.data[frame.key] = data
            frame.key = None
        elif not isinstance(data, str):
            self.refuse(self.line, "a key is a mapping or list", "keys are plain words")
        elif data in frame.data:
            self.refuse(self.line, f"the key '{_shown(data)}' stands twice", "keep one of them")
        elif data == "<<":
            self.refuse(self.line, "the merge key << isn't allowed", "write the keys out")
        else:
            frame.key = data
