"""What the shell completes: commands, scenarios, sides, games; without the rules, for it is asked at each key."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.errors import PbemError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["bots", "games", "items", "scenarios", "side_of", "subjects"]


def items(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """Those of the words that begin so."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(word) for word in words if word.startswith(incomplete)]


def scenarios(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The scenarios."""
    return items(_systems(ctx), incomplete)


def subjects(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The rule systems and scenarios, of which the first word is one; what may follow is in no list."""
    systems = {} if ctx.params.get(parameter.name or "") else _systems(ctx)
    return items(sorted({*systems, *systems.values()}), incomplete)


def _systems(ctx: click.Context) -> dict[str, str]:
    """Scenario -> its rule system; empty where the files are missing."""
    from pbem.home.contents import SCENARIOS
    from pbem.scenario import systems

    with suppress(PbemError):
        return systems(_root(ctx) / SCENARIOS)
    return {}


def side_of(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The sides of the scenario that stands before."""
    from click.shell_completion import CompletionItem

    from pbem.home.contents import SCENARIOS
    from pbem.scenario import sides_of

    before = [ctx.params.get("scenario"), *ctx.args, ""]  # where a value is missing click leaves arguments unread
    with suppress(PbemError):
        named = sides_of(next(word for word in before if word is not None), _root(ctx) / SCENARIOS)
        return [CompletionItem(side, help=title) for side, title in named if side.startswith(incomplete)]
    return []


def bots(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The bots."""
    from pbem.match.bots import BOTS

    return items(BOTS, incomplete)


def games(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of the games in the home folder."""
    from pbem.home.folders import Home

    with suppress(OSError):
        return items(Home(_root(ctx)).named(), incomplete)
    return []


def _root(ctx: click.Context) -> Path:
    """Where the home folder is."""
    from pbem.home.contents import default_home

    named = ctx.find_root().params.get("home")
    return Path(named) if named else default_home(os.environ)
