"""The exceptions of pbem; every message that reaches a player is one of these.

PbemError                 what happened, where, and what would be right
├── Damaged               a mail, block or statement can't be read (envelope, mail)
├── KeyProblem            a key file, passphrase or public key that can't be used
├── BadSignature          a signature that doesn't verify under the strict profile
├── BadLog                an entry that doesn't fit the log: chain, number, side, reveal, state
├── BadScenario           scenario, map or table data that fails its checks
├── OrderError            an order that can't be taken
│   ├── MalformedOrder    its words don't make an order
│   ├── AmbiguousOrder    its words fit more than one thing
│   └── IllegalOrder      the rules forbid it (with the clause)
├── IllegalAnswer         an answer that doesn't fit the pending request (with the clause)
├── Storage               a file or folder that can't be read or written
└── Refused               a request that can't be met now: not your move, no such game, ...
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Self

from pbem.records import NamedTuple
from pbem.words import ALIKE, closest, nearest_and_all

__all__ = [
    "AmbiguousOrder",
    "BadLog",
    "BadScenario",
    "BadSignature",
    "Damaged",
    "Defect",
    "Defects",
    "IllegalAnswer",
    "IllegalOrder",
    "KeyProblem",
    "MalformedOrder",
    "OrderError",
    "PbemError",
    "Refusal",
    "Refused",
    "Storage",
    "counted",
    "shown",
    "stands",
    "unknown_keys",
]


class Refusal(NamedTuple):
    """Why an order or answer is refused: the clause of the rulebook and the reason in words.

    `elsewhere`: no order of this kind is given in the phase for which it was judged, whatever it says.
    """

    clause: str
    reason: str
    elsewhere: bool = False


class PbemError(Exception):
    """What happened; `where` names the place (file, line, entry, statement); `hint` says what would be right."""

    def __init__(self, what: str, where: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.hint = hint

    def inside(self, place: str) -> Self:
        """This error, its `where` as a place inside another one: `place, where`; once only."""
        if self.where != place and not self.where.startswith(f"{place}, "):
            self.where = f"{place}, {self.where}" if self.where else place
        return self

    def __str__(self) -> str:
        """One line: `where: what; hint`."""
        place = f"{self.where}: " if self.where else ""
        return f"{place}{self.what}" + (f"; {self.hint}" if self.hint else "")


class Damaged(PbemError):
    """A mail, block or statement that can't be read."""


class KeyProblem(PbemError):
    """A key file, passphrase or public key that can't be used."""


class BadSignature(PbemError):
    """A signature that doesn't verify under the strict profile."""


class BadLog(PbemError):
    """An entry that doesn't fit the log."""


class Defect(NamedTuple):
    """One thing wrong with a scenario's data: where it stands in them, what it is, what would be right."""

    where: str
    what: str
    right: str

    def __str__(self) -> str:
        """One line: `where: what; right`."""
        return f"{self.where}: {self.what}" + (f"; {self.right}" if self.right else "")


_LISTED = 99  # defects in one message


class BadScenario(PbemError):
    """Scenario, map or table data that fails its checks; of several defects a list.

    `what` has a line for each of the `defects` too, `lines`; beyond 99 of them their number.
    """

    def __init__(self, what: str, where: str = "", hint: str = "", defects: Sequence[Defect] = ()) -> None:
        more = [f"and {len(defects) - _LISTED} more"] if len(defects) > _LISTED else []
        self.defects = tuple(defects)
        self.lines = (*map(str, defects[:_LISTED]), *more)
        super().__init__("\n  ".join([what, *self.lines]), where, hint)


class OrderError(PbemError):
    """An order that can't be taken."""


class MalformedOrder(OrderError):
    """The words don't make an order."""


class AmbiguousOrder(OrderError):
    """The words fit more than one thing."""


class IllegalOrder(OrderError):
    """The rules forbid the order; `clause` is the clause of the rulebook."""

    def __init__(self, what: str, where: str = "", hint: str = "", clause: str = "") -> None:
        super().__init__(what, where, hint)
        self.clause = clause

    def __str__(self) -> str:
        return super().__str__() + (f" [{self.clause}]" if self.clause else "")


class IllegalAnswer(PbemError):
    """An answer that doesn't fit the pending request; `clause` is the clause of the rulebook."""

    def __init__(self, what: str, where: str = "", hint: str = "", clause: str = "") -> None:
        super().__init__(what, where, hint)
        self.clause = clause

    def __str__(self) -> str:
        return super().__str__() + (f" [{self.clause}]" if self.clause else "")


class Storage(PbemError):
    """A file or folder that can't be read or written."""


class Refused(PbemError):
    """A request that can't be met now."""


# --- scenario data ----------------------------------------------------------------------------------------------------


def shown(value: object) -> str:
    """A value of the data for a message, as it may be written in a file: `'x'`, `[a, b]`; cut where it is long."""
    text = repr(value) if isinstance(value, str) else _written(value)
    return text if len(text) <= 60 else text[:56] + " ..."


def _written(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_written(key)}: {_written(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_written, value)) + "]"
    return "" if value is None else repr(str(value))[1:-1]


def stands(value: object) -> str:
    """What stands under a key, as the rest of a sentence: `is 'x'`, `is empty`, `is missing`."""
    return "is missing" if value is None else "is empty" if value in ("", [], {}) else f"is {shown(value)}"


def unknown_keys(data: Mapping[Any, object], known: Collection[str], where: str) -> Iterator[Defect]:
    """A defect for each key of a mapping that nobody reads; `where` is the mapping's place, empty for a file's own."""
    for key in data:
        if key not in known:
            word = str(key).split(" ")[0]
            right = f"write a colon behind `{word}`" if word in known else nearest_and_all(str(key), known)
            yield Defect(f"{where}.{key}" if where else str(key), "is no key that is known here", right)


def as_meant(data: Mapping[Any, Any], known: Collection[str]) -> dict[str, Any]:
    """The mapping to read on with: its known keys, those that were probably meant by others in place of these."""
    read = {key: data[key] for key in data if key in known}
    for key in data:
        word, _, behind = str(key).partition(" ")
        if word in known and word not in read:  # the colon is missing
            read[word] = behind.strip("\"' ")
        elif key not in known and (near := closest(str(key), [k for k in known if k not in data], ALIKE)):
            read.setdefault(near, data[key])
    return read


def counted(defects: Sequence[Defect]) -> str:
    """`1 defect`, `3 defects`."""
    return "1 defect" if len(defects) == 1 else f"{len(defects)} defects"


class Defects:
    """What is wrong with a scenario's data so far; values are read through it, bad ones become defects."""

    def __init__(self) -> None:
        self.found: list[Defect] = []

    def wrong(self, where: str, what: str, right: str) -> None:
        """Note one defect: its place in the data, what it is, what would be right."""
        self.found.append(Defect(where, what, right))

    def take(self, where: str, found: Iterable[Defect]) -> None:
        """Note the defects that another reader found, each at its place in `where`."""
        self.found += [defect._replace(where=f"{where} {defect.where}") for defect in found]

    def raise_any(self, where: str) -> None:
        """Raises BadScenario with every defect, if there is one."""
        if self.found:
            raise BadScenario(counted(self.found), where, defects=self.found)

    def number(self, value: object, where: str, least: int = 0, most: int = 99, besides: str = "") -> int:
        """A whole number from `least` to `most`, written as text or number; the nearest one when it isn't that.

        `besides` is a word that would be right, too, which the caller has looked for.
        """
        text = str(value)
        read = re.fullmatch("[0-9]+", text)
        number = int(text[:9]) if read else least - 1
        if not least <= number <= most:
            right = f"write a whole number from {least} to {most}"
            if besides and not read:
                right = f"write a whole number from {least} to {most}, or {besides}"
            self.wrong(where, stands(value), right)
        return min(max(number, least), most)

    def text(self, data: Mapping[str, Any], key: str, where: str) -> str:
        """The text under a key that must be there."""
        value = data.get(key)
        if value is None or isinstance(value, list | Mapping) or not str(value).strip():
            what = stands(value) if isinstance(value, list | Mapping) else "is missing"
            self.wrong(f"{where}.{key}", what, f"write `{key}: TEXT`")
            return ""
        return str(value)

    def keys(self, data: Mapping[str, Any], known: Collection[str], where: str) -> dict[str, Any]:
        """Note each key of a mapping that nobody reads; the mapping as it was probably meant, with known keys alone."""
        self.found += unknown_keys(data, known, where)
        return as_meant(data, known)

    def block(self, data: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
        """The mapping under a key."""
        value = data.get(key, {})
        if isinstance(value, Mapping):
            return value
        self.wrong(f"{where}.{key}", stands(value), f"write `{key}: {{NAME: VALUE, ...}}`")
        return {}

    def words(self, data: Mapping[str, Any], key: str, where: str) -> list[str]:
        """The words listed under a key, `[A, B]` or `A B`; none when it isn't there."""
        value = data.get(key, [])
        if isinstance(value, str):
            return value.split()
        if isinstance(value, list) and all(isinstance(word, str | int) for word in value):
            return [str(word) for word in value]
        self.wrong(f"{where}.{key}", stands(value), f"write `{key}: [WORD, ...]`")
        return []

    def mails(self, data: Mapping[str, Any], where: str) -> None:
        """How many mails a game takes, if that is known: `mails: {standing: [LEAST, MOST], ask: [LEAST, MOST]}`."""
        block = self.keys(self.block(data, "mails", where), ("standing", "ask"), f"{where}.mails")
        for name in block:
            place = f"{where}.mails.{name}"
            ends = [self.number(end, place, 1, 9999) for end in self.words(block, name, f"{where}.mails")]
            if len(ends) != 2 or ends[0] > ends[1]:
                self.wrong(place, f"is {shown(block[name])}", f"write `{name}: [LEAST, MOST]`")

    def items(self, data: Mapping[str, Any], key: str, where: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The mappings listed under a key, each with its place in the data."""
        value = data.get(key)
        if not isinstance(value, list) or not value:
            self.wrong(f"{where}.{key}", stands(value), f"write a list under `{key}:`")
            return
        for i, item in enumerate(value, 1):
            place = f"{where}.{key} {i}"
            if isinstance(item, Mapping):
                yield place, item
            else:
                self.wrong(place, stands(item), "write `{KEY: VALUE, ...}`")
