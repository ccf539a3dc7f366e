"""Logs for anyone, without a key: verify, rolls."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import as_json, due_words, echo, error_data, folded, home_of, json_option, progress, source_name
from pbem.errors import Damaged, PbemError, Refused

if TYPE_CHECKING:
    from pbem.table import Table

__all__ = ["read_log", "rolls_command", "verify_command"]


@click.command("verify")
@click.argument("log", type=click.Path())
@json_option
@click.pass_context
def verify_command(ctx: click.Context, log: str, as_json_data: bool) -> int:
    """Verify a game log: signatures, chain, every die, every rule.

    Anyone can do it, without a key. It prints the head, the hash of the newest entry, which the players can compare.

    Example: pbem verify game.log
    """
    try:
        table = _verified(ctx, log)
    except PbemError as error:
        if not as_json_data:
            raise
        as_json({"ok": False, **error_data(error)})
        return 1
    due, outcome = table.due(), table.outcome
    rolls = sum(step["kind"] in ("roll", "draw") for step in table.steps)
    told = {
        "ok": True,
        "game": table.genesis.game.hex(),
        "scenario": table.genesis.terms.scenario,
        "players": {p.name: p.side for p in table.genesis.players},
        "entries": table.seq + 1,
        "rolls": rolls,
        "head": table.head.hex(),
        "due": {"what": due.what, "player": due.player},
        "outcome": outcome._asdict() if outcome and due.what == "nothing" else None,
    }
    if as_json_data:
        as_json(told)
        return 0
    click.echo(f"game {told['game']}")
    click.echo(f"{told['entries']} entries and {rolls} rolls: signatures, chain, dice and rules are good")
    click.echo(f"head {told['head']}")
    click.echo(
        folded(f"over: {outcome.reason}" if told["outcome"] and outcome else f"next: {due_words(due)}", "", "    ")
    )
    return 0


def _verified(ctx: click.Context, log: str) -> Table:
    """The table behind a log that was verified from its first entry; errors name the log."""
    from pbem.turn import replay

    text, log = read_log(log), source_name(log)
    try:
        table = replay(text, home_of(ctx).load, watch=progress()).table
    except PbemError as error:
        error.where = f"{log}, {error.where}" if error.where else log
        raise
    if table is None:
        raise Refused("it holds only an offer; its signature is good", log, "a game begins with an accept")
    return table


@click.command("rolls")
@click.argument("log", type=click.Path())
@json_option
@click.pass_context
def rolls_command(ctx: click.Context, log: str, as_json_data: bool) -> None:
    """List a log's rolls: entry, label, dice, what they decided.

    Example: pbem rolls game.log
    """
    table = _verified(ctx, log)
    rows = _rolls(table)
    if as_json_data:
        as_json(rows)
        return
    for number, row in enumerate(rows, 1):
        what = f"{row['dice']}d{row['sides']}" if "dice" in row else f"{row['count']} of {len(row['cup'])}"
        result = " ".join(str(r) for r in row["result"])
        click.echo(folded(f"entry {row['seq']}  {row['label']}  {what}: {result}", "", "    "))
        following = rows[number : number + 1]
        if not following or (following[0]["seq"], following[0]["decided"]) != (row["seq"], row["decided"]):
            click.echo(folded(row["decided"], "    "))
    if not rows:
        echo("nothing was rolled yet")


def read_log(log: str) -> str:
    """The text of a log; `-` is standard input."""
    from pbem.gamelog import LIMIT, read_text

    if log != "-":
        return read_text(Path(log))
    data = sys.stdin.buffer.read(LIMIT + 1)
    if len(data) > LIMIT or not data.isascii():
        raise Damaged(
            "it isn't a game log", source_name(log), f"a game.log is plain ASCII text of at most {LIMIT} bytes"
        )
    return data.decode("ascii")


def _rolls(table: Table) -> list[dict[str, Any]]:
    """Every roll with what was told next, in the order of the log."""
    from pbem.report import describe
    from pbem.view import direction_of

    situation, direction = table.rules.situation(table.game.state), direction_of(table)
    names = ("seq", "label", "dice", "sides", "cup", "count", "result")
    rows: list[dict[str, Any]] = []
    for number, step in enumerate(table.steps):
        if step["kind"] in ("roll", "draw"):
            decided = next((later for later in table.steps[number + 1 :] if later["kind"] == "tell"), None)
            told = describe(decided, situation, direction) if decided else "not yet known what it decides"
            rows.append({**{name: step[name] for name in names if name in step}, "decided": told})
    return rows
