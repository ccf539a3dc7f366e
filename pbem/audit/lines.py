"""The line of a YAML file at which a defect's place stands: `sides 2.title`, `roads Toba road`, `rows line 3`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

__all__ = ["Lines"]

_Named = tuple[str, int, yaml.Node]
_CALLED = ("id", "name", "force", "terrain")
"""Keys whose value is what an item of a list is called."""


class Lines:
    """The nodes of a file; it must be one that the strict reader takes."""

    def __init__(self, text: str) -> None:
        loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        self._root: yaml.Node = yaml.compose(text, Loader=loader) or yaml.ScalarNode("", "")
        self._text = text.splitlines()

    def find(self, place: str) -> int:
        """The line of a place, counted from 1, or of as much of it as is there; 0 when nothing is.

        A place is words with blanks or full stops between: keys, what items are called, numbers of items from 1. Words
        that lead nowhere are passed over. A key behind a full stop isn't looked for in the items of a list below: it
        is missing where it should stand.
        """
        node, line, rest = self._root, 0, place
        while names := rest.lstrip(" .,`'()"):
            key, rest = rest[: len(rest) - len(names)].endswith("."), names
            if isinstance(node, yaml.ScalarNode) and (row := re.match(r"line ([0-9]{1,5})", rest)):
                return self._row(node, int(row[1])) or line
            found = _longest(_children(node), rest) or _longest(_below(node, key=key), rest)
            if found is None:
                rest = re.sub(r"^[^ .]+", "", rest)
            else:
                name, line, node = found
                rest = rest[len(name) :]
        return line

    def named(self, name: str) -> bool:
        """Whether an item of a list is called that."""
        return any(name == called for called, _, _ in _below(self._root) if not called.isdigit())

    def key(self, name: str) -> int:
        """The line of a key of the file itself; 0 when it isn't there."""
        return next((line for known, line, _ in _children(self._root) if known == name), 0)

    def _row(self, node: yaml.ScalarNode, number: int) -> int:
        """The line of the numbered row of a block of text, without empty ones and remarks; 0 when there is none."""
        first = node.start_mark.line + 1
        below = enumerate(self._text[first:], first + 1)
        rows = [i for i, text in below if text.strip() and text.lstrip()[0] != "#"]
        return rows[number - 1] if number <= len(rows) and node.style == "|" else 0


def _children(node: yaml.Node) -> Iterator[_Named]:
    """The names by which what stands in a node is found, each with its line."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield str(key.value), key.start_mark.line + 1, value
    elif isinstance(node, yaml.SequenceNode):
        for i, item in enumerate(node.value, 1):
            line = item.start_mark.line + 1
            yield str(i), line, item
            if isinstance(item, yaml.ScalarNode):
                yield str(item.value), line, item
            for key, value in item.value if isinstance(item, yaml.MappingNode) else ():
                if key.value in _CALLED and isinstance(value, yaml.ScalarNode):
                    yield str(value.value), line, item


def _below(node: yaml.Node, *, key: bool = False) -> Iterator[_Named]:
    """The same of all that is deeper in it, but for the numbers of items; for a `key` without what is in lists."""
    todo = [value for _, _, value in _children(node)]
    for inner in todo:
        if key and not isinstance(inner, yaml.MappingNode):
            continue
        for name, line, value in _children(inner):
            if isinstance(inner, yaml.MappingNode) or not name.isdigit():
                yield name, line, value
            if isinstance(inner, yaml.MappingNode) or name.isdigit():
                todo.append(value)


def _longest(named: Iterator[_Named], words: str) -> _Named | None:
    """The longest name with which the words begin; of two that are alike the first."""
    fits = [one for one in named if one[0] and re.match(re.escape(one[0]) + r"(?![\w-])", words)]
    return max(fits, key=lambda one: len(one[0]), default=None)
