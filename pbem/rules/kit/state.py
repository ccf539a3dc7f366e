"""What the fields of a state are: one table says how each is copied, dumped as JSON and loaded again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pbem.errors import Refusal
from pbem.records import NamedTuple
from pbem.rules.kit import stacks

__all__ = [
    "BOARD", "FIXED", "HOLDERS", "IDS", "LISTS", "NUMBERS", "PLACES", "STANDS", "Field", "copier", "dumper", "listed",
    "loader", "named", "stands", "uncounted",
    "unspent",
]  # fmt: skip

S = TypeVar("S")
P = TypeVar("P")


class Field(NamedTuple):
    """What a field is.

    copied    Python text that copies it, `{}` its value: without anything else the value itself, which is never changed
    dumped    its value as JSON data, by the value and the board; None for a field that is not dumped
    loaded    the inverse of it
    made      the value of a field that is not dumped, by the board and the others
    spare     its dump when it is empty, of a field that the dump has only where it isn't: the states of scenarios
              without it stay as they were; None for a field that is always dumped
    """

    copied: str
    dumped: Callable[[Any, Any], Any] | None = None
    loaded: Callable[[Any, Any], Any] | None = None
    made: Callable[[Any, Mapping[str, Any]], Any] | None = None
    spare: Any = None


BOARD = Field("{}", made=lambda board, _: board)
"""The board itself: shared, not dumped. Its `label` has the number of each hex, `parse` is the inverse."""

FIXED = Field("{}", lambda value, _: value, lambda data, _: data)
"""A number, a word, true, false or None."""

IDS = Field("{}.copy()", lambda ids, _: sorted(ids), lambda data, _: set(data))
"""A set of ids."""

NUMBERS = Field("{}.copy()", lambda found, _: {name: found[name] for name in sorted(found)}, lambda data, _: dict(data))
"""Name -> number."""

LISTS = Field(
    "{}.copy()",
    lambda found, _: {name: list(ids) for name, ids in found.items()},
    lambda data, _: {name: tuple(ids) for name, ids in data.items()},
)
"""Name -> ids in order, a tuple."""

PLACES = Field(
    "{}.copy()",
    lambda found, board: {name: board.label[found[name]] for name in sorted(found)},
    lambda data, board: {name: board.parse(number) for name, number in data.items()},
)
"""Name -> hex."""

HOLDERS = Field(
    "{}.copy()",
    lambda found, board: {board.label[h]: found[h] for h in sorted(found)},
    lambda data, board: {board.parse(number): word for number, word in data.items()},
)
"""Hex -> word."""


def stands(board: Any, at: Mapping[str, P]) -> dict[str, dict[P, str]]:
    """Side -> place -> its top unit there, by where each unit is; of a board with `side` and `units`."""
    return stacks.by_side(board.side, lambda unit: board.units[unit].side, at)


STANDS = Field(
    "{{name: inner.copy() for name, inner in {}.items()}}", made=lambda board, values: stands(board, values["at"])
)
"""Side -> place -> its top unit there: the field `at` the other way round, not dumped."""


def listed(kind: Callable[..., Any]) -> Field:
    """A leaf of this kind as a list of its values, or None."""
    return Field(
        "{}",
        lambda leaf, _: None if leaf is None else list(leaf),
        lambda data, _: None if data is None else kind(*data),
    )


def named(kind: Callable[..., Any], names: Sequence[str]) -> Field:
    """A leaf of this kind as a mapping; its values are called by these names."""
    return Field(
        "{}",
        lambda leaf, _: dict(zip(names, leaf, strict=True)),
        lambda data, _: kind(*(data[name] for name in names)),
    )


def copier(kind: type[S], table: Mapping[str, Field]) -> Callable[[S], S]:
    """Makes the function that copies a state, a record of this kind: faster than its constructor does."""
    names = kind.__slots__  # type: ignore[attr-defined]
    lines = [f"    now.{name} = {table[name].copied.format(f's.{name}')}" for name in names]
    made: dict[str, Callable[[S], S]] = {}
    text = "\n".join(["def copy(s):", "    now = new(kind)", *lines, "    return now"])
    exec(text, {"kind": kind, "new": object.__new__}, made)  # noqa: S102 all of it is written here
    return made["copy"]


def dumper(table: Mapping[str, Field]) -> Callable[[Any], dict[str, Any]]:
    """Makes the function that gives a state as JSON data; equal states give equal dumps."""
    known = [(name, field.dumped, field.spare) for name, field in table.items() if field.dumped is not None]
    return lambda s: {
        name: dumped(value, s.board) for name, dumped, spare in known if (value := getattr(s, name)) or spare is None
    }


def loader(kind: Callable[..., S], table: Mapping[str, Field]) -> Callable[[Any, Mapping[str, Any]], S]:
    """Makes the function that gives the state from the board and its dump."""

    def load(board: Any, data: Mapping[str, Any]) -> S:
        given = {name: field.loaded for name, field in table.items() if field.loaded is not None}
        values = {
            name: loaded(data[name] if table[name].spare is None else data.get(name, table[name].spare), board)
            for name, loaded in given.items()
        }
        made = {name: field.made(board, values) for name, field in table.items() if field.made is not None}
        return kind(**values, **made)

    return load


def unspent(_board: Any, _order: Any) -> Mapping[str, Refusal]:
    """What any order takes of which there is one a turn, in a system where no check needs it."""
    return {}


def uncounted(_state: Any, _side: str) -> tuple[int, ...]:
    """The harm of any side in any state, in a system that counts none."""
    return ()
