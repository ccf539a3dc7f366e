"""The order form: every unit and what it may do now, as a commented order file."""

from __future__ import annotations

from textwrap import wrap

from pbem.errors import Refused
from pbem.requests import FormEntry
from pbem.table import Table

__all__ = ["form"]

LANGUAGE = (
    "Take the # away before the orders you want; change and add as you like. One order a line, `;` at its end.",
    "`if TEST then ORDER;` carries an order out if a condition holds when its turn comes; `stop if TEST;` drops the "
    "rest and keeps the phase open. Conditions: gone U, alive U, at U HEX, empty HEX, held HEX SIDE, is U WORD, each "
    "with `not` before it, joined by `and`. `strict;` makes the first order that lapses a stop.",
    "`standing ...;` says what your units do when the other side's action asks you, until replaced.",
)


def form(table: Table, name: str) -> str:
    """The form for what is due from the player. Raises Refused when nothing is due from him."""
    due = table.due()
    if due.player != name:
        hint = "the game is over" if due.what == "nothing" else f"{due.what} of {due.player} is due"
        raise Refused(f"nothing is due from {name}", hint=hint)
    turn, phase = table.rules.clock(table.game.state)
    lines = [f"# {table.genesis.terms.scenario}, turn {turn}, {phase}: {due.what} by {name}"]
    if due.what == "reveal" or due.request is None:
        return "\n".join([*lines, *_comment("Only a reveal is due: `pbem send` without orders sends it."), ""])
    lines += _comment(f"{due.request.prompt} [{due.request.clause}]")
    for words in LANGUAGE:
        lines += _comment(words)
    side = table.genesis.player(name).side
    lines += [f"#   in force: standing {' '.join(words)};" for words in table.standing[side]]
    for entry in table.rules.form(table.game.state, due.request):
        lines += ["", *_entry(entry)]
    return "\n".join([*lines, ""])


def _entry(entry: FormEntry) -> list[str]:
    lines = _comment(entry.heading)
    for note in entry.notes:
        lines += _comment(note, "#   ")
    for words, note in entry.orders:
        order = " ".join(words) + ";"
        lines.append(f"# {order}" + (f"{'':<{max(1, 40 - len(order))}}# {note}" if note else ""))
    return lines


def _comment(text: str, start: str = "# ") -> list[str]:
    return wrap(text, 100, initial_indent=start, subsequent_indent=start, break_long_words=False)
