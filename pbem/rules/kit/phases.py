"""The sequence of play: phases as data, and their run: the beginning of each, one order after another, its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from pbem.records import NamedTuple
from pbem.rules.kit.ask import Chapter, ask
from pbem.rules.kit.situation import PhaseTitle
from pbem.rules.requests import Activity, StepEnd, Tell

__all__ = ["TURN", "Phase", "again", "named", "next_phase", "next_turn", "phase_id", "phase_title", "run", "titles"]

TURN = "turn"
"""What a turn is called in rules that call it so."""


NO_ADJECTIVES: Mapping[str, str] = MappingProxyType({})
"""Those of sides of which each is called by its title."""


class Side(Protocol):
    """What a side is called."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...


class Board(Protocol):
    """The sides of a game, in playing order."""

    @property
    def sides(self) -> Sequence[Side]: ...


class Clock(Protocol):
    """What of a state the sequence of play knows: `opened` once the beginning of the phase is done."""

    turn: int
    phase: int
    opened: bool

    @property
    def board(self) -> Board: ...
    @property
    def ended(self) -> object: ...


S = TypeVar("S", bound=Clock)


class Phase(NamedTuple):
    """A phase: whose it is (0 the first player, None nobody's), what it is for, its clause and title.

    One that comes `once` is of the first turn alone.
    """

    player: int | None
    kind: str
    clause: str
    title: str
    once: bool = False


def phase_id(phase: Phase, sides: Sequence[Side]) -> str:
    """The id of a phase, `SIDE-KIND`; of one that is nobody's the kind alone."""
    return str(phase.kind) if phase.player is None else f"{sides[phase.player].id}-{phase.kind}"


def phase_title(phase: Phase, sides: Sequence[Side], adjectives: Mapping[str, str] = NO_ADJECTIVES) -> str:
    """The title of a phase with its side's adjective, else title, in front; of one that is nobody's its own alone."""
    if phase.player is None:
        return phase.title
    side = sides[phase.player]
    return f"{adjectives.get(side.id) or side.title} {phase.title}"


def named(phases: Sequence[Phase], sides: Sequence[Side], phase: str) -> Phase | None:
    """The phase of an id; None where there is none."""
    return next((one for one in phases if phase_id(one, sides) == phase), None)


def titles(
    phases: Sequence[Phase], sides: Sequence[Side], adjectives: Mapping[str, str] = NO_ADJECTIVES
) -> list[PhaseTitle]:
    """The phases as reports name them; `adjectives` are of sides that have one, by id: `Confederate Recovery`."""
    return [
        PhaseTitle(
            phase_id(phase, sides),
            None if phase.player is None else sides[phase.player].id,
            phase_title(phase, sides, adjectives),
            phase.clause,
            phase.once,
        )
        for phase in phases
    ]


def again(now: tuple[int, str]) -> tuple[int, str]:
    """The same phase of the next turn, by its id."""
    return now[0] + 1, now[1]


def run(
    s: S,
    phase: Phase,
    side: str | None,
    chapter: Chapter[S],
    begin: Callable[[S, Phase, str | None], Activity],
    end: Callable[[S], Activity],
    window: str = "",
    ends: StepEnd | None = None,
) -> Activity:
    """The next activity: a phase's beginning, one order, or the phase's end when nobody can act any more.

    `side` is asked; None when nobody is left to ask. `begin` and `end` are what the rules do there besides. Orders live
    for the side's part of the phase, or for the `window`, of which `ends` ends this step.
    """
    if not s.opened:
        yield Tell("phase", phase.clause, {"turn": s.turn, "phase": phase_id(phase, s.board.sides)})
        yield from begin(s, phase, side)
        s.opened = True
        return
    window = window or f"{s.turn}/{s.phase}/{side}"
    done = side is None or not chapter.anyone(s, side) or (yield from ask(s, side, phase.clause, chapter, window, ends))
    if done and s.ended is None:
        s.opened = False
        yield from end(s)


def next_phase(s: Clock, phases: Sequence[Any]) -> bool:
    """Go on to the next phase of the turn; False after the last."""
    if s.phase == len(phases) - 1:
        return False
    s.phase += 1
    return True


def next_turn(s: Clock, turns: int, first: int) -> bool:
    """Go on to the `first` phase of the next turn; False after the last of `turns`."""
    if s.turn == turns:
        return False
    s.turn, s.phase = s.turn + 1, first
    return True
