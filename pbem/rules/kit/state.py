"""What the fields of a state are: one table says how each is copied, dumped as JSON and loaded again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple, Protocol, TypeVar

from pbem.maps.hexes import Hex

__all__ = [
    "BOARD", "DERIVED", "FIXED", "HOLDERS", "IDS", "LISTS", "NUMBERS", "PLACES", "Board", "Field", "copier", "dumped",
    "listed", "loaded", "named",
]  # fmt: skip

S = TypeVar("S")


class Board(Protocol):
    """What hexes are called."""

    @property
    def label(self) -> Mapping[Hex, str]: ...
    def parse(self, number: str, /) -> Hex: ...


class Field(NamedTuple):
    """What a field is.

    copied    Python text that copies it, `{}` its value: without anything else the value itself, which is never changed
    dumped    its value as JSON data, by the value and the board; None for a field that is not dumped
    loaded    the inverse of it
    """

    copied: str
    dumped: Callable[[Any, Board], Any] | None = None
    loaded: Callable[[Any, Board], Any] | None = None


BOARD = Field("{}")
"""The board itself: shared, not dumped."""

DERIVED = Field("{{name: inner.copy() for name, inner in {}.items()}}")
"""Name -> mapping, made from other fields and not dumped."""

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
    """Makes the function that copies a state, a dataclass of this kind: as fast as one written by hand."""
    values = ", ".join(table[field.name].copied.format(f"s.{field.name}") for field in fields(kind))  # type: ignore[arg-type]
    made: Callable[[S], S] = eval(f"lambda s: kind({values})", {"kind": kind})  # noqa: S307 all of it is written here
    return made


def dumped(state: object, table: Mapping[str, Field], board: Board) -> dict[str, Any]:
    """The state as JSON data; equal states give equal dumps."""
    return {
        name: field.dumped(getattr(state, name), board)
        for name, field in table.items()
        if field.dumped is not None
    }  # fmt: skip


def loaded(data: Mapping[str, Any], table: Mapping[str, Field], board: Board) -> dict[str, Any]:
    """The fields that `dumped` gave, by name."""
    return {name: field.loaded(data[name], board) for name, field in table.items() if field.loaded is not None}
