"""The toy's board and state, and the conditions that can be asked of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

from pbem.errors import BadScenario
from pbem.rules.kit import stacks
from pbem.rules.requests import Outcome, Words

EDITION = "toy/1"
POSTS = ("front", "rear")
UNITS = {"guard-1": "red", "guard-2": "red", "scout": "red", "lancer": "blue", "levy-1": "blue", "levy-2": "blue"}
OF_SIDE = {side: tuple(unit for unit, owner in UNITS.items() if owner == side) for side in ("red", "blue")}
LEADERS = {"marshal": "guard-1"}
"""Leader -> the unit that he goes with, and is lost with; he has no values and takes no orders (T10)."""
CUP = ("dud", "dud", "gold", "gold", "gold", "star")
LENGTHS = {"short": 2, "long": 4}
SIDES = ("red", "blue")
LATE = ("red-late", "blue-late")
"""The second phases of the sides, where they have two (T11)."""
CLOSING = "rest"
SHUTTING: frozenset[tuple[str, ...]] = frozenset()
TOLL: tuple[str, str, dict[str, str]] = ("", "", {})
GOOD: dict[str, Literal["high", "low"]] = {"bet": "high"}


class Board(NamedTuple):
    """The fixed data: scenario and titles, points at the start, how the phases of a turn go, the cup."""

    scenario: str
    title: str
    titles: dict[str, str]
    stake: int
    orders: str = ""
    cup: tuple[str, ...] = CUP

    turns: ClassVar[int] = max(LENGTHS.values())
    units: ClassVar[dict[str, str]] = UNITS
    of_side: ClassVar[dict[str, tuple[str, ...]]] = OF_SIDE
    people: ClassVar[bool] = False
    enemy: ClassVar[dict[str, str]] = {"red": "blue", "blue": "red"}
    label: ClassVar[dict[str, str]] = {post: post for post in POSTS}
    """Place -> its word."""


@dataclass(slots=True)
class State:
    """Where a duel stands; `hit` are the units hit at in this phase, `acted` each side's orders, all if it rests."""

    board: Board
    turns: int
    turn: int = 1
    phase: str = "red"
    opened: bool = False
    acted: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    storm: bool = False
    points: dict[str, int] = field(default_factory=dict)
    at: dict[str, str] = field(default_factory=dict)
    stands: dict[str, dict[str, str]] = field(default_factory=dict)
    """Side -> post -> its top unit there, the same as `at` the other way round."""
    shaken: list[str] = field(default_factory=list)
    hit: list[str] = field(default_factory=list)
    cup: list[str] = field(default_factory=list)
    ended: Outcome | None = None

    def place_of(self, unit: str) -> str | None:
        """The post of a unit, or of the unit that a leader goes with; None for one that is gone."""
        return self.at.get(LEADERS.get(unit, unit))

    def put(self, unit: str, post: str) -> None:
        """Put a unit on top of those at a post."""
        stacks.put(self.at, self.stands[UNITS[unit]], unit, post, OF_SIDE[UNITS[unit]])

    def remove(self, unit: str) -> None:
        """Take a unit off for good."""
        stacks.lift(self.at, self.stands[UNITS[unit]], unit, OF_SIDE[UNITS[unit]])

    def phases(self) -> tuple[str, ...]:
        """The phases of the turn; the melee, and the weather before it, are nobody's."""
        acting = {"melee": ("melee",), "rounds": (*SIDES, *LATE)}.get(self.board.orders, SIDES)
        return ("weather", *acting) if self.turn > 1 else acting


def board(data: Mapping[str, Any]) -> Board:
    """The board of a scenario."""
    head = data["scenario"]
    if [side["id"] for side in head["sides"]] != list(SIDES):
        raise BadScenario("a duel is between red and blue")
    chapters = data["tables"] if isinstance(head.get("tables"), list) else {"tables": data["tables"]}
    stake = int(chapters["tables"]["stake"])
    cup = tuple(chapters.get("tables-cup", {}).get("cup", CUP))
    titles = {side["id"]: side["title"] for side in head["sides"]}
    return Board(head["scenario"], head["title"], titles, stake, str(head.get("orders", "")), cup)


def start(b: Board, options: Mapping[str, str]) -> State:
    """The state before the first order."""
    if set(options) != {"length"} or options["length"] not in LENGTHS:
        raise BadScenario(f"the options {dict(options)} are not those of a duel", hint="length: short or long")
    return State(
        b,
        LENGTHS[options["length"]],
        phase="melee" if b.orders == "melee" else "red",
        points=dict.fromkeys(SIDES, b.stake),
        at=dict.fromkeys(UNITS, "front"),
        stands=stacks.by_side(SIDES, UNITS.__getitem__, dict.fromkeys(UNITS, "front")),
        cup=list(b.cup),
    )


def clock(s: State) -> tuple[int, str]:
    """The turn and the phase."""
    return s.turn, s.phase


def copy(s: State) -> State:
    """An independent state."""
    return load(s.board, dump(s))


def dump(s: State) -> dict[str, Any]:
    """The state as JSON data."""
    plain = {name: getattr(s, name) for name in ("turns", "turn", "phase", "opened", "storm")}
    return {
        **plain,
        "acted": dict(s.acted),
        "points": dict(s.points),
        "at": dict(s.at),
        "shaken": list(s.shaken),
        "hit": list(s.hit),
        "cup": list(s.cup),
        "ended": list(s.ended) if s.ended else None,
    }


def load(b: Board, dumped: Mapping[str, Any]) -> State:
    """The state from `dump`."""
    fresh = {name: type(value)(value) if isinstance(value, dict | list) else value for name, value in dumped.items()}
    fresh["ended"] = Outcome(*dumped["ended"]) if dumped["ended"] else None
    return State(b, stands=stacks.by_side(SIDES, UNITS.__getitem__, fresh["at"]), **fresh)


def score(s: State, side: str) -> int:
    """What decides at the end, in halves: two for a point, one for the front held alone (T8)."""
    return 2 * s.points[side] + ([other for other, tops in s.stands.items() if "front" in tops] == [side])


def holds(s: State, words: Words) -> bool:
    """Whether a condition holds."""
    match words:
        case ("gone", unit):
            return unit not in s.at
        case ("alive", unit):
            return unit in s.at
        case ("at", unit, post):
            return s.at.get(unit) == post
        case ("empty", post):
            return not stacks.units_in(s.at, post)
        case ("held", post, side):
            return [other for other, tops in s.stands.items() if post in tops] == [side]
        case _:
            return words[1] in s.at and (words[2] == "shaken") == (words[1] in s.shaken)
