"""Orders that a player lays ready for a phase to come, kept beside the log for himself alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from pbem.errors import Damaged, Refused
from pbem.home.contents import LAID
from pbem.home.files import delete, write_atomically
from pbem.home.folders import Folder
from pbem.home.stored import read_stored
from pbem.match.orders import short_phase
from pbem.match.phases import phases_of
from pbem.match.table import Table
from pbem.records import NamedTuple
from pbem.words import nearest

__all__ = [
    "Laid",
    "Moment",
    "forget_laid",
    "keep_laid",
    "laid_in",
    "laid_now",
    "moment_meant",
    "moment_now",
    "phases_called",
    "read_laid",
]

LAID_MAX = 8 << 20
"""Bytes of the file, as many as are read."""


class Moment(NamedTuple):
    """A phase of a turn, by its id, in which orders may be asked of me."""

    turn: int
    phase: str

    def words(self, table: Table) -> str:
        """For the eye: `turn 3, Shogunate Melee Phase`."""
        titles = {phase["id"]: phase["title"] for phase in phases_of(table)}
        return f"{table.rules.TURN} {self.turn}, {titles.get(self.phase, self.phase)}"


class Laid(NamedTuple):
    """The text of an order file, the moment that it is for, and the entry behind which it was laid."""

    moment: Moment
    text: str
    behind: int

    def over(self, table: Table) -> bool:
        """Whether its moment is over: doesn't come any more."""
        turn, phase = table.rules.clock(table.game.state)
        ids = [found["id"] for found in phases_of(table)]
        if table.due().player is None or self.moment.phase not in ids:
            return True
        return (self.moment.turn, ids.index(self.moment.phase)) < (turn, ids.index(phase))

    def behind_others(self, table: Table, me: str) -> bool:
        """Whether it is its moment, in which others of my orders have been carried out since it was laid."""
        return self.moment == Moment(*table.rules.clock(table.game.state)) and _ordered(table, me, self.behind)


class _Stored(NamedTuple):
    """The same as it stands in the file."""

    turn: int
    phase: str
    text: str
    behind: int


def moment_now(table: Table, me: str) -> Moment | None:
    """The moment for which orders are asked of me; None where none are."""
    due = table.due()
    return Moment(*table.rules.clock(table.game.state)) if due.what == "orders" and due.player == me else None


def moment_meant(table: Table, me: str, word: str = "") -> Moment:
    """The next phase in which orders may be asked of me, or the next one that is called so. Raises Refused."""
    turn, now = table.rules.clock(table.game.state)
    side = table.genesis.player(me).side
    if table.due().player is None:
        raise Refused("no orders are asked any more", hint=str(table.due()))
    phases = phases_of(table)
    here = next(place for place, phase in enumerate(phases) if phase["id"] == now)
    called = phases_called(table, side, word)
    if not called:
        coming = [short_phase(side, phase["id"]) for phase in phases if _may_be_mine(phase, side)]
        raise Refused(f"no phase of mine is called {word!r:.40}", "--for", nearest(word.lower(), coming))
    first = here + (moment_now(table, me) is None and _ordered(table, me, 0))
    last = turn >= table.rules.situation(table.game.state)["turns"]
    closed = _closed(table, side, [phase for phase in phases[here + 1 :] if phase["side"] in (side, None)])
    if phases[here] in phases[first:] and moment_now(table, me) is None:
        closed |= _closed(table, side, [phases[here]])
    next_turn = [] if last else [(1, phase) for phase in phases if not phase.get("once")]
    for later, phase in [*((0, phase) for phase in phases[first:]), *next_turn]:
        mine = phase["side"] == side or (word and _may_be_mine(phase, side)) or (later == 0 and phase["id"] == now)
        if phase["id"] in called and mine and (later or phase["id"] not in closed):
            return Moment(turn + later, phase["id"])
    if not word:
        raise Refused("no phase of mine comes any more", hint="what is laid would never be sent")
    raise Refused(f"the phase {word!r:.40} comes no more", "--for", "`pbem lay FILE` lays them for my next one")


def _closed(table: Table, side: str, phases: Iterable[Mapping[str, Any]]) -> set[str]:
    """The ids of those of phases still to come in which a side is asked for no orders any more in this turn."""
    rules = table.rules
    closing = rules.read_order(table.board, side, (rules.CLOSING,))
    barred = ((phase["id"], rules.why_never(table.game.state, side, phase["id"], closing)) for phase in phases)
    return {phase for phase, why in barred if why is not None and not why.elsewhere}


def _may_be_mine(phase: Mapping[str, Any], side: str) -> bool:
    """Whether a phase is a side's, or one in which each side may be asked."""
    return phase["side"] == side or (phase["side"] is None and not phase.get("once"))


def phases_called(table: Table, side: str, word: str) -> set[str]:
    """The ids of a side's phases that a word calls, however large its letters: by id, short name or title.

    Those of nobody, as the set-up, are one of them; the phase that it is also answers to what is asked in it, as
    `action`. Without a word all are called.
    """
    typed, found, now = word.lower().replace("-", ""), set(), table.rules.clock(table.game.state)[1]
    due = table.due()
    kind = (due.request.kind,) if due.what == "orders" and due.request is not None else ()
    for phase in phases_of(table):
        names = (phase["id"], short_phase(side, phase["id"]), phase["title"], *(kind if phase["id"] == now else ()))
        if phase["side"] in (side, None) and (not word or typed in {name.lower().replace("-", "") for name in names}):
            found.add(phase["id"])
    return found


def _ordered(table: Table, me: str, behind: int) -> bool:
    """Whether a player has given orders in the phase that it is, behind an entry."""
    now = table.rules.clock(table.game.state)
    side = next((player.side for player in table.genesis.players if player.name == me), None)
    newest = (step for step in reversed(table.steps) if step["kind"] == "order" and step["side"] == side)
    last = next(newest, None)
    return last is not None and (last["turn"], last["phase"]) == now and last["seq"] > behind


def laid_in(folder: Folder) -> list[Laid]:
    """What is laid in a game, the earliest first; nothing where the file is damaged."""
    with suppress(OSError, Damaged):
        return read_laid(folder)
    return []


def read_laid(folder: Folder) -> list[Laid]:
    """What is laid in a game, the earliest first. Raises OSError where nothing is, Damaged."""
    stored: list[_Stored] = read_stored(folder.path / LAID, list[_Stored], "`pbem lay --off` takes it away", LAID_MAX)
    found = [Laid(Moment(one.turn, one.phase), one.text, one.behind) for one in stored]
    return sorted(found, key=lambda one: one.moment.turn)


def laid_now(folder: Folder, table: Table, me: str) -> Laid | None:
    """The orders that are laid for what is asked of me now."""
    now = moment_now(table, me)
    return next((one for one in laid_in(folder) if one.moment == now and not one.behind_others(table, me)), None)


def keep_laid(folder: Folder, laid: Laid) -> None:
    """Lay orders, in place of those for the same moment, for their owner's eyes alone.

    Raises Refused where the whole would be more than is read; Storage.
    """
    _keep(folder, [*(one for one in laid_in(folder) if one.moment != laid.moment), laid])


def forget_laid(folder: Folder, *moments: Moment) -> None:
    """Take away what is laid for these moments. Raises Storage."""
    _keep(folder, [one for one in laid_in(folder) if one.moment not in moments])


def _keep(folder: Folder, laid: list[Laid]) -> None:
    """Keep what is laid, and no file where nothing is."""
    path = folder.path / LAID
    if laid:
        stored = [_Stored(*one.moment, one.text, one.behind)._asdict() for one in laid]
        data = json.dumps(stored, indent=1, ensure_ascii=False).encode("utf-8")
        if len(data) > LAID_MAX:
            hint = "`pbem lay` shows what is laid, `pbem lay --off` takes it away"
            raise Refused(f"all that is laid would have {len(data):,} bytes, {LAID_MAX:,} at most are kept", "", hint)
        write_atomically(path, data, 0o600)
    else:
        delete(path)
