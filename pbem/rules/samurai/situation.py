"""The state as plain JSON data for reports; places in inches, and in words that a person can picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.rules.kit import situation as kit
from pbem.rules.kit.phases import phase_id, titles
from pbem.rules.kit.situation import Badge, Where
from pbem.rules.samurai import sequence
from pbem.rules.samurai.board import FACINGS, Board, Unit, inches
from pbem.rules.samurai.geometry import Base, Point
from pbem.rules.samurai.orders import CLOSING
from pbem.rules.samurai.sight import open_inside
from pbem.rules.samurai.state import Gone, State, label
from pbem.rules.samurai.victory import outcome, progress

if TYPE_CHECKING:
    from pbem.rules.kit.throws import Good

__all__ = ["GOOD", "place_words", "situation"]

GOOD: Good = {"fire": "high", "attack": "high", "morale": "low", "rally": "low", "risk": "low"}
"""Stem of a roll's label -> which dice are good for the side whose unit fires, attacks or checks."""

WHERE = (
    Where("table", "on the table", listed=True),
    Where(Gone.KILLED, "killed"),
    Where(Gone.DISPERSED, "dispersed"),
    Where(Gone.FLED, "off the table"),
    Where("waiting", "to be set up", coming=True),
    Where("marker", "at the ends of the wings"),
)
BADGES = {
    "routed": Badge("R", "routed", "band"),
    "half": Badge("H", "at half strength"),
    "led": Badge("L", "led by a daimyo"),
    "lone": Badge("A", "alone"),
    "touched": Badge("C", "in contact"),
}


def situation(s: State) -> dict[str, Any]:
    """The situation; its schema is docs/situation.schema.json."""
    board = s.board
    return kit.situation(
        names=(board.system, board.scenario, board.title),
        time=(s.turn, board.turns),
        closing=CLOSING,
        ground="",
        phases=titles(sequence.PHASES, board.sides),
        phase=phase_id(sequence.PHASES[s.phase], board.sides),
        active=None if s.ended else sequence.side_of(s),
        where=WHERE,
        sides=[
            kit.side(side, lost=[unit for unit in board.of_side[side.id] if unit in s.gone]) for side in board.sides
        ],
        units=[_unit(s, unit) for unit in board.units.values()],
        places=[kit.place(label(piece.base), f"{piece.name} ({piece.kind})") for piece in board.pieces.values()],
        progress=progress(s),
        outcome=outcome(s),
        maps=(),
        reconstructed=board.reconstructed,
    )


def _unit(s: State, unit: Unit) -> dict[str, Any]:
    b = s.at.get(unit.id)
    words = _words(s, unit)
    led = s.friends(unit.id) if unit.daimyo and b is not None else []
    figures = s.figures.get(unit.id, ())
    return kit.unit(
        unit,
        formation=unit.wing,
        symbol=unit.kind.id,
        values={"class": unit.kind.rank, "figures": unit.figures, "move": inches(unit.kind.move)},
        extra={
            "left": s.left(unit.id) if b is not None else None,
            "stands": " ".join(map(str, figures)) if unit.stands > 1 else None,
            "facing": None if b is None else FACINGS[b.facing],
            "shape": s.shape.get(unit.id),
            "range": inches(unit.kind.reach) if unit.kind.reach else None,
        },
        where="marker" if unit.bannerman else "table" if b is not None else s.gone.get(unit.id, "waiting"),
        at=None if b is None else label(b),
        place=None if b is None else place_words(s.board, b),
        words=words,
        badges=[badge for word, badge in BADGES.items() if word in words],
        attached_to=led[0] if led else None,
    )


def _words(s: State, unit: Unit) -> list[str]:
    if unit.id not in s.at:
        return []
    marks = (
        ("routed", unit.id in s.routed),
        ("half", unit.troops and 2 * s.left(unit.id) <= unit.figures),
        ("led", unit.troops and bool(s.daimyos(unit.id))),
        ("lone", s.lone(unit.id)),
        ("touched", bool(s.enemies(unit.id))),
        ("moved", unit.id in s.moved),
    )
    return [word for word, marked in marks if marked]


def place_words(board: Board, b: Base) -> str:
    """Where a base stands, in words: third of the table as the side sees it that has the south edge, the nearer edge,
    facing, and the ground under its centre."""
    third = ("left", "centre", "right")[min(3 * b.x // board.width, 2)]
    south = 2 * b.y <= board.depth
    edge = next(side.short for side in board.sides if (side.ahead == 0) == south)
    off = (b.y if south else board.depth - b.y) + 50
    ground = [p.name for p in board.pieces.values() if open_inside(Point(b.x, b.y), p.base)]
    inside = f", in {ground[0]}" if ground else ""
    return f"{third} third, {off // 100} inches from the {edge} edge, facing {FACINGS[b.facing]}{inside}"
