"""What a bot does that sits on this machine: it answers whatever is sent in a game against it, at once."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

from pbem.cli.common import echo
from pbem.cli.showing import show_report
from pbem.errors import PbemError

if TYPE_CHECKING:
    from pbem.desk.desk import Desk, Place
    from pbem.desk.sparring import Bot

__all__ = ["answered", "bot_here"]


def bot_here(me: Desk, name: str) -> Bot:
    """The bot of that name below my home."""
    from pbem.desk.sparring import seated

    return seated(me.home, name, os.urandom, random.Random(os.urandom(16)))  # noqa: S311 a bot's whim, not the dice


def answered(me: Desk, place: Place, name: str, *, browser: bool) -> Place:
    """Let the bot answer, tell what happened as `open` does; the game as it stands then."""
    from pbem.desk.sparring import exchange

    before = place.table.seq
    try:
        place = exchange(me, place, bot_here(me, name))
    except PbemError as error:
        error.hint = error.hint or f"entry {before} is in my log; `pbem send --again` lets {name} answer"
        raise
    show_report(me, place, browser=browser)
    if place.table.seq > before:
        count = place.table.seq - before
        told = f"entry {place.table.seq}" if count == 1 else f"entries {before + 1} to {place.table.seq}"
        echo(f"{name} has answered; {told} {'is' if count == 1 else 'are'} in my log")
    return place
