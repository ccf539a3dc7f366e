"""An order file of a game, read into statements: names as they are written in Japan become those in Latin letters."""

from __future__ import annotations

from pbem.errors import MalformedOrder
from pbem.rules import Rules
from pbem.scenario import japanese_names
from pbem.wire.orderfile import parse_statements
from pbem.wire.statements import Statement

__all__ = ["typed"]


def typed(rules: Rules, text: str) -> tuple[list[tuple[int, Statement]], list[MalformedOrder]]:
    """The statements of a text with their lines, and all that is wrong with the rest, as of `parse_statements`."""
    in_japan: dict[str, list[str]] = {}
    for name, written in () if text.isascii() else japanese_names(rules.EDITION.partition("/")[0]).items():
        in_japan.setdefault(written, []).append(name)
    return parse_statements(text, in_japan)
