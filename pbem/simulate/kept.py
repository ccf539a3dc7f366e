"""Games of a run as lines of a text: the first line says what is played, each other is a game that was played."""

from __future__ import annotations

import json
from typing import Any

from pbem.errors import Damaged
from pbem.match.codec import dumped, loaded
from pbem.records import NamedTuple
from pbem.simulate.game import Played, Run, fits, too_many_lost

__all__ = ["BEGINNING", "FIXED", "Heading", "game_of", "heading", "heading_of", "is_whole", "line", "others"]

FORMAT = "games/1"

BEGINNING = f'{{"pbem": "{FORMAT}", '.encode("ascii")
"""How each such text begins."""

FIXED = ("version", "rules", "digest")
"""What of a heading no option of the command changes."""


class Heading(NamedTuple):
    """What is played, in words of JSON: runs that have the same play the same games."""

    pbem: str
    version: str
    rules: str
    scenario: str
    digest: str
    options: dict[str, str]
    reactions: str
    first: str
    second: str
    seed: int


def heading(run: Run) -> Heading:
    """What a run plays."""
    terms = run.terms
    named = (terms.rules, terms.scenario, terms.digest, dict(terms.options), terms.reactions)
    return Heading(FORMAT, run.version, *named, *run.bots, run.seed)


def line(kept: Heading | Played) -> bytes:
    """A heading or a game as a line, with its end: ASCII, JSON."""
    return json.dumps(dumped(kept)).encode("ascii") + b"\n"


def heading_of(data: bytes) -> Heading | None:
    """The heading that a line holds; None for any other line."""
    try:
        found: Heading = _read(Heading, data)
    except ValueError:
        return None
    return found if data.startswith(BEGINNING) else None


def game_of(data: bytes, run: Run) -> Played:
    """The game of a run that a line holds. Raises Damaged for any other line."""
    try:
        game: Played = _read(Played, data)
    except ValueError:
        raise Damaged("this line is no game") from None
    if game.number < 1 or not fits(game, run, game.number):
        told = too_many_lost(game, run)
        raise Damaged("this line is no game of this run" + (f": {told}" if told else ""))
    return game


def is_whole(data: bytes) -> bool:
    """Whether a line is whole JSON; one that was cut off never is."""
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def others(there: Heading, here: Heading) -> list[str]:
    """What is another in a text than in a run, each as `seed 7, not 8`; none where they play the same games."""
    told = []
    for name, kept, wanted in zip(Heading._fields, there, here, strict=True):
        if name == "digest":
            told += [f"other data of {here.scenario}"] * (kept != wanted and there.scenario == here.scenario)
        elif kept != wanted:
            told.append(f"{name} {_written(kept)}, not {_written(wanted)}")
    return told


def _written(value: Any) -> str:
    return " ".join(f"{name}={chosen}" for name, chosen in value.items()) if isinstance(value, dict) else str(value)


def _read(form: type, data: bytes) -> Any:
    """What a line holds, of this form. Raises ValueError, as for half of a surrogate pair, which can't be written."""
    try:
        found = json.loads(data)
        json.dumps(found, ensure_ascii=False).encode("utf-8")
    except RecursionError:
        raise ValueError from None
    return loaded(form, found)
