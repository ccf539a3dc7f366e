"""Defects of scenario data: collected while reading, so that one message names them all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.errors import BadScenario

__all__ = ["Defects", "shown"]

_LISTED = 99  # defects in one message


def shown(value: object) -> str:
    """A value of the data for a message, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 60 else text[:56] + " ..."


class Defects:
    """What is wrong with a scenario's data so far; values are read through it, bad ones become defects."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def wrong(self, where: str, what: str, right: str) -> None:
        """Note one defect: its place in the data, what it is, what would be right."""
        self.found.append(f"{where}: {what}; {right}")

    def raise_any(self, where: str) -> None:
        """Raises BadScenario with every defect, if there is one; beyond 99 their number."""
        if self.found:
            count = "1 defect" if len(self.found) == 1 else f"{len(self.found)} defects"
            more = [f"and {len(self.found) - _LISTED} more"] if len(self.found) > _LISTED else []
            raise BadScenario("\n  ".join([count, *self.found[:_LISTED], *more]), where)

    def number(self, value: object, where: str, least: int = 0, most: int = 99) -> int:
        """A whole number from `least` to `most`, written as text or number; the nearest one when it isn't that."""
        text = str(value)
        number = int(text[:9]) if re.fullmatch("[0-9]+", text) else least - 1
        if not least <= number <= most:
            self.wrong(where, f"is {shown(value)}", f"write a whole number from {least} to {most}")
        return min(max(number, least), most)

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
