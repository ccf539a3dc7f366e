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

from collections.abc import Iterable
from typing import NamedTuple

__all__ = [
    "AmbiguousOrder",
    "BadLog",
    "BadScenario",
    "BadSignature",
    "Damaged",
    "IllegalAnswer",
    "IllegalOrder",
    "KeyProblem",
    "MalformedOrder",
    "OrderError",
    "PbemError",
    "Refusal",
    "Refused",
    "Storage",
    "nearest",
]


class Refusal(NamedTuple):
    """Why an order or answer is refused: the clause of the rulebook and the reason in words."""

    clause: str
    reason: str


class PbemError(Exception):
    """What happened; `where` names the place (file, line, entry, statement); `hint` says what would be right."""

    def __init__(self, what: str, where: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.hint = hint

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


class BadScenario(PbemError):
    """Scenario, map or table data that fails its checks."""


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


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint for a word that isn't known: the nearest right one, or all of them."""
    from difflib import get_close_matches

    words = sorted(known)
    near = get_close_matches(word.lower(), words, 1, 0.5)
    return f"did you mean {near[0]}?" if near else "there are: " + (", ".join(words) or "none")
