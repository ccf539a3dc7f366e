"""What a bot does that sits on this machine: it answers whatever is sent in a game against it, at once."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

from pbem.cli.common import echo, thinking
from pbem.cli.showing import show_report
from pbem.errors import PbemError, Refused

if TYPE_CHECKING:
    from pbem.desk.desk import Desk, Place
    from pbem.desk.sparring import Bot

__all__ = ["answered", "bot_here"]


def bot_here(me: Desk, name: str) -> Bot:
    """The bot of that name below my home."""
    from pbem.desk.sparring import seated

    return seated(me.home, name, os.urandom, random.Random(os.urandom(16)), thinking)  # noqa: S311 a bot's whim, not the dice


def answered(me: Desk, place: Place, name: str, *, browser: bool) -> Place:
    """Let the bot answer, tell what happened as `open` does; the game as it stands then."""
    from pbem.desk.sparring import exchange

    before = place.table.seq
    hint = f"entry {before} is in my log; `pbem send --again` lets {name} answer"
    try:
        place = exchange(me, place, bot_here(me, name))
    except PbemError as error:
        error.hint = error.hint or hint
        raise
    except KeyboardInterrupt:
        raise Refused("given up", hint=hint) from None
    show_report(me, place, browser=browser)
    if place.table.seq > before:
        echo(_answered(name, before + 1, place.table.seq))
    return place


def _answered(name: str, first: int, last: int) -> str:
    """That a bot has answered, and which entries are new."""
    if first == last:
        return f"{name} has answered; entry {first} is in my log"
    if last == first + 1:
        return f"{name} has answered; entries {first} and {last} are in my log"
    return f"{name} has answered; entries {first} to {last} are in my log"
