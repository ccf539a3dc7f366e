"""The state as plain JSON data for reports; places in inches, and in words that a person can picture."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pbem.maps.tabletop import Piece, Spot, Tabletop, Zone
from pbem.rules.kit import situation as kit
from pbem.rules.kit.phases import phase_id, titles
from pbem.rules.kit.situation import Badge, Leaders, Where
from pbem.rules.samurai import sequence
from pbem.rules.samurai.board import FACINGS, Board, Unit, inches
from pbem.rules.samurai.geometry import Base, outline
from pbem.rules.samurai.orders import CLOSING
from pbem.rules.samurai.sight import fire_point
from pbem.rules.samurai.state import Gone, State, label
from pbem.rules.samurai.victory import outcome, progress

if TYPE_CHECKING:
    from pbem.rules.kit.throws import Good

__all__ = ["GOOD", "TOLL", "place_words", "situation"]

GOOD: Good = {"fire": "high", "attack": "high", "morale": "low", "rally": "low", "risk": "low"}
"""Stem of a roll's label -> which dice are good for the side whose unit fires, attacks or checks."""

TOLL: tuple[str, str, dict[str, str]] = ("figure", "figures", {"loss": "figures"})
"""What units lose before they are lost, one and several, and event -> its fact that says how much."""

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
    "lone": Badge("A", "alone"),
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
            kit.side(
                side, lost=[unit for unit in board.of_side[side.id] if unit in s.gone], leaders=_daimyos(s, side.id)
            )
            for side in board.sides
        ],
        units=[_unit(s, unit) for unit in board.units.values()],
        places=[kit.place(label(piece.base), f"{piece.name} ({piece.kind})") for piece in board.pieces.values()],
        progress=progress(s),
        outcome=outcome(s),
        maps=(),
        reconstructed=board.reconstructed,
        table=tabletop(board).data(),
    )


def _daimyos(s: State, side: str) -> Leaders | None:
    """A side's daimyos, who are no units (definitions.2); None where it has none."""
    found = s.board.daimyos_of[side]
    here, lost = (sum(daimyo in where for daimyo in found) for where in (s.at, s.gone))
    return Leaders("daimyo", "daimyos", len(found) - here - lost, here, lost) if found else None


def _unit(s: State, unit: Unit) -> dict[str, Any]:
    b = s.at.get(unit.id)
    words = _words(s, unit)
    led = s.friends(unit.id) if unit.daimyo and b is not None else []
    figures = s.figures.get(unit.id, ())
    return kit.unit(
        unit,
        formation=unit.wing,
        symbol=unit.kind.id,
        values={
            "class": None if unit.bannerman else unit.kind.rank,
            "figures": unit.figures,
            "move": inches(unit.kind.move),
        },
        extra={
            "figures left": s.left(unit.id) if b is not None else None,
            "stands": " ".join(map(str, figures)) if s.doubled(unit.id) else None,
            "shape": s.shape.get(unit.id),
            "range": inches(unit.kind.reach) if unit.kind.reach else None,
        },
        where="marker" if unit.bannerman else "table" if b is not None else s.gone.get(unit.id, "waiting"),
        at=None if b is None else label(b),
        place=None if b is None else place_words(s.board, b),
        words=words,
        badges=[badge for word, badge in BADGES.items() if word in words],
        attached_to=led,
        base=None if b is None else _base(s, unit, b),
        several=unit.troops,
    )


def _base(s: State, unit: Unit, b: Base) -> dict[str, Any]:
    """What a unit stands on: its stands with their figures, how far it fires and moves from there."""
    stands = [kit.stand(outline(stand), s.figures[unit.id][i], unit.kind.figures) for i, stand in s.bases(unit.id)]
    return {"facing": 45 * b.facing, "stands": stands, "reach": list(_reach(s, unit, b))}


def _reach(s: State, unit: Unit, b: Base) -> Iterator[dict[str, Any]]:
    reach, move = unit.kind.reach, unit.kind.move
    for _, stand in s.bases(unit.id) if reach else ():
        yield kit.ray("fire", f"fires {inches(reach)} inches", fire_point(stand), reach, 45 * b.facing, 90)
    if unit.daimyo:
        yield kit.ray("move", f"moves {inches(move)} inches", (b.x, b.y), move, 45 * b.facing, 360)  # movement.6
        return
    for turn in (-1, 0, 1):  # movement.1, movement.3
        facing = (b.facing + turn) % 8
        yield kit.ray("move", f"moves {inches(move)} inches", (b.x, b.y), move, 45 * facing, 0)
    yield kit.ray("move", f"back {inches(move // 2)} inches", (b.x, b.y), move // 2, 45 * ((b.facing + 4) % 8), 0)


@lru_cache(4)
def tabletop(board: Board) -> Tabletop:
    """The table with the ground on it and where each wing sets up."""
    south, north = sorted(board.sides, key=lambda side: side.ahead)
    pieces = [Piece(p.id, p.name, p.kind, tuple(Spot(x, y) for x, y in outline(p.base))) for p in board.pieces.values()]
    zones = [
        Zone(side.id, f"{side.title}, {wing} wing", Spot(zone.west, zone.south), Spot(zone.east, zone.north))
        for side in board.sides
        for wing, zone in board.zones[side.id].items()
    ]
    return Tabletop(
        board.width,
        board.depth,
        ("inch", "inches"),
        {"south": south.short, "north": north.short},
        tuple(pieces),
        tuple(zones),
        {kind.id: kind.title for kind in board.tables.types.values()},
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
    """Where a base stands, in words: third of the table, inches from the nearer edge, facing."""
    return f"{tabletop(board).place(Spot(b.x, b.y))}, facing {FACINGS[b.facing]}"
