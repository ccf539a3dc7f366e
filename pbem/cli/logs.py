"""Logs for anyone, without a key: verify, rolls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pbem.cli.common import as_json, echo, home_of, json_option, progress
from pbem.errors import PbemError, Refused

__all__ = ["rolls_command", "verify_command"]


@click.command("verify")
@click.argument("log", type=click.Path())
@json_option
@click.pass_context
def verify_command(ctx: click.Context, log: str, as_json_data: bool) -> int:
    """Verify a game log from its first entry: signatures, chain, every die, every rule. Prints the head.

    Anyone can do it, without a key.

    Example: pbem verify game.log
    """
    from pbem.gamelog import read_text
    from pbem.turn import replay

    try:
        found = replay(read_text(Path(log)), home_of(ctx).load, watch=progress())
    except PbemError as error:
        if not as_json_data:
            raise
        as_json({
            "ok": False, "error": type(error).__name__, "what": error.what, "where": error.where, "hint": error.hint,
        })  # fmt: skip
        return 1
    if found.table is None:
        raise Refused("it holds only an offer; its signature is good", log, "a game begins with an accept")
    table = found.table
    due, outcome = table.due(), table.game.outcome
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
    click.echo(f"over: {outcome.reason}" if told["outcome"] and outcome else f"due: {due.what} of {due.player}")
    return 0


@click.command("rolls")
@click.argument("log", type=click.Path())
@json_option
@click.pass_context
def rolls_command(ctx: click.Context, log: str, as_json_data: bool) -> None:
    """Each roll of a game log: entry, label, dice, what it decided.

    Example: pbem rolls game.log
    """
    from pbem.gamelog import read_text
    from pbem.report import describe
    from pbem.turn import replay
    from pbem.view import direction_of

    table = replay(read_text(Path(log)), home_of(ctx).load, watch=progress()).table
    if table is None:
        raise Refused("it holds only an offer", log, "a game begins with an accept")
    situation = table.rules.situation(table.game.state)
    rows: list[dict[str, Any]] = []
    for number, step in enumerate(table.steps):
        if step["kind"] not in ("roll", "draw"):
            continue
        later = (s for s in table.steps[number + 1 :] if s["kind"] == "tell")
        decided = next(later, None)
        names = ("seq", "label", "dice", "sides", "cup", "count", "result")
        row: dict[str, Any] = {name: step[name] for name in names if name in step}
        rows.append({**row, "decided": describe(decided, situation, direction_of(table)) if decided else ""})
    if as_json_data:
        as_json(rows)
        return
    for row in rows:
        what = f"{row['dice']}d{row['sides']}" if "dice" in row else f"{row['count']} of {len(row['cup'])}"
        result = " ".join(str(r) for r in row["result"])
        click.echo(f"{row['seq']:4}  {row['label']:<24} {what:>8} = {result:<12} {row['decided']}")
    if not rows:
        echo("nothing was rolled yet")
