"""Defects of scenario data: collected while reading, so that one message names them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.errors import BadScenario

__all__ = ["Defects"]


class Defects:
    """What is wrong with a scenario's data so far; values are read through it, bad ones become defects."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def wrong(self, where: str, what: str, right: str) -> None:
        """Note one defect: its place in the data, what it is, what would be right."""
        self.found.append(f"{where}: {what}; {right}")

    def raise_any(self, where: str) -> None:
        """Raises BadScenario with every defect, if there is one."""
        if self.found:
            count = "1 defect" if len(self.found) == 1 else f"{len(self.found)} defects"
            raise BadScenario("\n  ".join([count, *self.found]), where)

    def number(self, value: object, where: str, least: int = 0) -> int:
        """A whole number of at least `least`, written as text or number; `least` when it isn't one."""
        try:
            number = int(str(value))
        except ValueError:
            number = least - 1
        if number < least:
            self.wrong(where, f"is {value!r}", f"write a whole number from {least} on")
            return least
        return number

    def text(self, data: Mapping[str, Any], key: str, where: str) -> str:
        """The text under a key that must be there."""
        value = data.get(key)
        if value is None or not str(value).strip():
            self.wrong(f"{where}.{key}", "is missing", f"write `{key}: TEXT`")
            return ""
        return str(value)

    def block(self, data: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
        """The mapping under a key."""
        value = data.get(key, {})
        if isinstance(value, Mapping):
            return value
        self.wrong(f"{where}.{key}", f"is {value!r}", f"write `{key}: {{NAME: VALUE, ...}}`")
        return {}

    def words(self, data: Mapping[str, Any], key: str, where: str) -> list[str]:
        """The words listed under a key, `[A, B]` or `A B`; none when it isn't there."""
        value = data.get(key, [])
        if isinstance(value, str):
            return value.split()
        if isinstance(value, list) and all(isinstance(word, str | int) for word in value):
            return [str(word) for word in value]
        self.wrong(f"{where}.{key}", f"is {value!r}", f"write `{key}: [WORD, ...]`")
        return []

    def items(self, data: Mapping[str, Any], key: str, where: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The mappings listed under a key, each with its place in the data."""
        value = data.get(key, [])
        if not isinstance(value, list) or not value:
            self.wrong(f"{where}.{key}", "is missing or empty", f"write a list under `{key}:`")
            return
        for i, item in enumerate(value, 1):
            place = f"{where}.{key} {i}"
            if isinstance(item, Mapping):
                yield place, item
            else:
                self.wrong(place, f"is {item!r}", "write `{id: ..., ...}`")
