"""The rules on the terminal: rules."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import at_terminal, desk, echo, game_meant, home_of, one_line, show
from pbem.cli.completion import subjects
from pbem.cli.naming import game_option
from pbem.errors import Refused
from pbem.words import nearest

if TYPE_CHECKING:
    from pbem.home.folders import Folder

__all__ = ["rules_command"]

WIDEST = 100
"""Columns of a wide terminal that are used."""


@click.command("rules")
@click.argument("words", nargs=-1, metavar="[SYSTEM] [PART]", shell_complete=subjects)
@game_option
@click.pass_context
def rules_command(ctx: click.Context, words: tuple[str, ...], game: str | None) -> None:
    """The rules in short, with the tables and a glossary.

    SYSTEM is a rule system or a scenario; without it the rules of a game are shown, with the tables that it is played
    with: of several the one that is named, or the only one in which I am asked. PART is a chapter, a clause, a ruling,
    a word or a result: that part is shown.

    \b
    Example: pbem rules toba-fushimi melee
             pbem rules yao 11-2
    """
    from pbem.report.page import laid_out, named_clause, part, rules, ruling

    system, tables, wanted = _meant(ctx, words, game)
    page = rules(system, tables)
    found = [*ruling(wanted.upper()), *part(page, wanted)] if wanted else page
    if not found:
        raise Refused(
            f"the rules of {system} don't speak of {wanted!r:.60}", hint=f"`pbem rules {system}` has them all"
        )
    if (clause := named_clause(page, wanted)) not in ("", wanted):
        echo(f"{wanted} isn't named by itself in the rules in short; this is what they say of {clause}")
    _paged(laid_out(found, _width()))


def _meant(ctx: click.Context, words: Sequence[str], game: str | None) -> tuple[str, Mapping[str, Any] | None, str]:
    """The system, the tables of a scenario or game instead of the page's own, and the part that is meant."""
    from pbem.scenario import systems
    from pbem.wire.bodies import read_terms

    home = home_of(ctx)
    if game is None and (words or not home.games()):
        known = systems(home.scenarios)
        name, rest = "".join(words[:1]).lower(), " ".join(words[1:])
        played = sorted(set(known.values()))
        if name in played:
            return name, None, rest
        if name in known:
            scenario = home.load(name)
            return scenario.system, scenario.data["tables"], rest
        if not words:
            raise click.UsageError(f"name a system: {' or '.join(played)}")
        if not home.games():
            names = [*played, *known]
            raise Refused(f"no system or scenario is called {words[0]!r:.60}", hint=nearest(name, names))
    _, terms = read_terms(_game(ctx, game).turns()[0].entry)
    scenario = home.load(terms.scenario)
    return scenario.system, scenario.data["tables"], " ".join(words)


def _game(ctx: click.Context, game: str | None) -> Folder:
    """The game whose rules are meant; of several in which the same is played any one. Raises Refused."""
    from pbem.scenario import systems

    ctx.obj["quiet"] = True  # no passphrase is asked for to read rules
    me = desk(ctx)
    games = [] if game else me.home.games()
    played = {folder.scenario() for folder in games}
    if len(played) == 1:
        return games[0]
    try:
        return game_meant(ctx, me, game)
    except Refused as error:
        if games:
            known = systems(home_of(ctx).scenarios)
            named = " or ".join(f"`pbem rules {name}`" for name in sorted({known.get(name, name) for name in played}))
            error.hint = f"{named} shows them; of a game: {error.hint}"
        raise


def _width() -> int:
    """The columns to fold to: those of the terminal, 80 where there is none."""
    return min(shutil.get_terminal_size().columns - 1, WIDEST) if at_terminal() else 79


def _paged(text: str) -> None:
    """Text on standard output; on a terminal that it is too long for, page by page."""
    if not at_terminal() or text.count("\n") < shutil.get_terminal_size().lines:
        show(text, nl=False)
    else:
        click.echo_via_pager("\n".join(map(one_line, text.split("\n"))))
