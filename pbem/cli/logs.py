"""Logs for anyone, without a key: verify, rolls."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import (
    as_json,
    echo,
    error_data,
    folded,
    home_of,
    in_words,
    json_option,
    progress,
    show,
    source_name,
)
from pbem.errors import Damaged, PbemError, Refused

if TYPE_CHECKING:
    from pbem.match.table import Table

__all__ = ["read_log", "rolls_command", "verify_command"]


@click.command("verify")
@click.argument("log", type=click.Path())
@json_option
@click.pass_context
def verify_command(ctx: click.Context, log: str, as_json_data: bool) -> int:
    """Verify a game log: signatures, chain, every die, every rule.

    Anyone can do it, without a key. It prints the head, the hash of the newest entry, which the players can compare:
    a log that was cut off between two entries is the good log of a shorter game. Of a bad log it prints how many
    entries before the first bad one are good, and their head.

    Example: pbem verify game.log
    """
    from pbem.report.asked import asked_words, foreseen

    try:
        table = _verified(ctx, log)
    except PbemError as error:
        good = _good_part(ctx, log, error)
        head = good.head.hex() if good else None
        if as_json_data:
            entries = good.seq + 1 if good else 0
            as_json({"ok": False, "error": error_data(error), "good": {"entries": entries, "head": head}})
            return 1
        if good:
            good_so_far = f"the first {good.seq + 1} entries are good, head {head}"
            error.hint = f"{error.hint}; {good_so_far}" if error.hint else good_so_far
        raise
    told = _good_log(table)
    if as_json_data:
        as_json(told)
        return 0
    rolls, outcome = told["rolls"], told["outcome"]
    show(in_words(f"game {told['game']}"))
    held = f"{told['entries']} entries and 1 roll" if rolls == 1 else f"{told['entries']} entries and {rolls} rolls"
    show(in_words(f"{held}: signatures, chain, dice and rules are good"))
    show(in_words(f"head {told['head']}"))
    for granted in told["on_word"]:
        show(folded(f"{granted}; no key of that player has signed it: ask him", "", "    "))
    ahead = asked_words(table, foreseen(table))
    show(folded(ahead if outcome else f"next: {ahead[:1].lower()}{ahead[1:]}", "", "    "))
    return 0


def _good_log(table: Table) -> dict[str, Any]:
    """What is told of a log that is good."""
    due, outcome = table.due(), table.outcome
    return {
        "ok": True,
        "game": table.genesis.game.hex(),
        "scenario": table.genesis.terms.scenario,
        "players": {p.name: p.side for p in table.genesis.players},
        "entries": table.seq + 1,
        "rolls": sum(step["kind"] in ("roll", "draw") for step in [*table.undone, *table.steps]),
        "on_word": _on_word(table),
        "head": table.head.hex(),
        "due": {"what": due.what, "player": due.player},
        "outcome": outcome._asdict() if outcome and due.what == "nothing" else None,
    }


def _on_word(table: Table) -> list[str]:
    """The entries by which one player named the other's key: what follows rests on his word (protocol 4.4)."""
    told = [step for step in table.steps if step["kind"] == "tell" and step["what"] == "agreement"]
    return [
        f"entry {step['seq']}: {step['facts']['player']} {step['facts']['text']}"
        for step in told
        if step["facts"]["kind"] == "accept-rekey"
    ]


def _verified(ctx: click.Context, log: str) -> Table:
    """The table behind a log that was verified from its first entry; errors name the log."""
    from pbem.match.replay import replay

    try:
        text, log = read_log(log), source_name(log)
    except PbemError as error:
        if (mine := home_of(ctx).named().get(log)) is not None:
            error.hint = f"my game of that name has its log in {mine.log}"
        raise
    try:
        table = replay(text, home_of(ctx).load, watch=progress()).table
    except PbemError as error:
        error.inside(log)
        raise
    if table is None:
        raise Refused("it holds only an offer; its signature is good", log, "a game begins with an accept")
    return table


def _good_part(ctx: click.Context, log: str, error: PbemError) -> Table | None:
    """The table behind the entries before the one that an error names; None when no game has begun there."""
    from pbem.match.replay import replay
    from pbem.wire.blocks import LAST_LINE

    named = re.search(r"\bentry (\d+)", error.where)
    if named is None or log == "-" or int(named[1]) < 2:
        return None
    pieces = read_log(log).split(LAST_LINE, int(named[1]))
    try:
        return replay(LAST_LINE.join([*pieces[:-1], ""]), home_of(ctx).load).table
    except PbemError:
        return None


@click.command("rolls")
@click.argument("log", type=click.Path())
@json_option
@click.pass_context
def rolls_command(ctx: click.Context, log: str, as_json_data: bool) -> None:
    """List a log's rolls: entry, label, dice, what they decided.

    Those that an undo took back are among them, and marked.

    Example: pbem rolls game.log
    """
    from pbem.report.asked import not_yet_shown

    table = _verified(ctx, log)
    mine = [folder.contact().name for folder in home_of(ctx).games() if table.genesis.game.hex().startswith(folder.id)]
    rows, hidden = _rolls(table), not_yet_shown(table, me="".join(mine))
    if as_json_data:
        as_json(rows)
        return
    for number, row in enumerate(rows, 1):
        drawn_figure, cup_figure = row.get("count"), len(row.get("cup", ()))
        what = f"{row['dice']}d{row['sides']}" if "dice" in row else f"{drawn_figure} of {cup_figure}"
        result = " ".join(str(r) for r in row["result"])
        why = " (no seed: the secret was lost)" if "adverse" in row else ""
        gone = f" (taken back by entry {row['undone']})" if "undone" in row else ""
        show(folded(f"entry {row['seq']}  {row['label']}  {what}: {result}{why}{gone}", "", "    "))
        following = rows[number : number + 1]
        if not following or (following[0]["seq"], following[0]["decided"]) != (row["seq"], row["decided"]):
            show(folded(row["decided"], "    "))
    if hidden or not rows:
        echo(hidden or "nothing was rolled yet")


def read_log(log: str) -> str:
    """The text of a log; `-` is standard input."""
    from pbem.home.files import LIMIT, read_text

    if log != "-":
        return read_text(Path(log))
    data = sys.stdin.buffer.read(LIMIT + 1)
    if len(data) > LIMIT or not data.isascii():
        raise Damaged(
            "it isn't a game log", source_name(log), f"a game.log is plain ASCII text of at most {LIMIT} bytes"
        )
    return data.decode("ascii")


def _rolls(table: Table) -> list[dict[str, Any]]:
    """Every roll with what was told next, in the order of the log; those too that undos took back."""
    from pbem.report.build import describe
    from pbem.report.source import direction_of

    situation, direction = table.rules.situation(table.game.state), direction_of(table)
    names = ("seq", "label", "dice", "sides", "cup", "count", "result", "adverse", "undone")
    rows: list[dict[str, Any]] = []
    steps = [*table.undone, *table.steps]
    for number, step in enumerate(steps):
        if step["kind"] in ("roll", "draw"):
            decided = next((later for later in steps[number + 1 :] if _tells(later, step.get("undone"))), None)
            told = describe(decided, situation, direction) if decided else "not known what it decides"
            rows.append({**{name: step[name] for name in names if name in step}, "decided": told})
    return sorted(rows, key=lambda row: int(row["seq"]))


def _tells(step: dict[str, Any], undone: int | None) -> bool:
    """Whether a step tells what came of rolls that this undo took back, or none."""
    return step["kind"] == "tell" and step["what"] != "agreement" and step.get("undone") == undone
