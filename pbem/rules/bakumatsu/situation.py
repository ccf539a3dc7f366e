"""The state as plain JSON data for reports; hexes by their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.rules.bakumatsu import sequence
from pbem.rules.bakumatsu.board import Side, Unit
from pbem.rules.bakumatsu.orders import CLOSING
from pbem.rules.bakumatsu.state import State
from pbem.rules.bakumatsu.victory import NEEDED, held, outcome
from pbem.rules.kit import situation as kit
from pbem.rules.kit.phases import titles
from pbem.rules.kit.situation import Badge, Leaders, Mark, Where
from pbem.words import the

if TYPE_CHECKING:  # that the chances are counted exactly only the form needs
    from pbem.rules.kit.throws import Good

__all__ = ["GOOD", "situation"]

GOOD: Good = {
    "fire": "high", "melee": "high", "reinforcement": "high", "arrival": "high", "recover": "low", "check": "low",
}  # fmt: skip
"""Stem of a roll's label -> which dice are good for the side whose unit acts or checks."""

WHERE = (
    Where("map", "on the map", listed=True),
    Where("received", "received and waiting to enter", listed=True, coming=True),
    Where("waiting", "in the reinforcement cup", coming=True),
    Where("removed", "removed"),
    Where("off", "not set up yet"),
)
IN_HAND = (
    *WHERE[:2],
    Where("hand", "in hand, to be chosen", listed=True, coming=True),  # 15-2-5(1)0b
    Where("lost", "lost in this turn, back from the next on", listed=True, coming=True),  # 15-2-7-1(1)1a
    Where("waiting", "in the cup of commanders", coming=True),
    Where("aside", "kept aside: 7 victory hexes of the enemy bring him on a 4 or more", listed=True, coming=True),
    Where("removed", "removed"),
)
"""Where pieces are that nobody sets up."""
BADGES = {"disordered": Badge("D", "disordered", "band")}


def situation(s: State) -> dict[str, Any]:
    """The situation; its schema is docs/situation.schema.json."""
    board, (turn, phase) = s.board, sequence.clock(s)
    return kit.situation(
        names=(board.system, board.scenario, board.title),
        time=(turn, board.turns),
        closing=CLOSING,
        ground="hex",
        phases=titles(sequence.PHASES, board.sides),
        phase=phase,
        active=None if s.ended else sequence.side_of(s),
        where=IN_HAND if any(side.chooses for side in board.sides) else WHERE,
        sides=[
            kit.side(
                side,
                lost=[unit for unit in board.of_side[side.id] if _where(s, board.units[unit]) == "removed"],
                back=[unit for unit in board.combat[side.id] if unit in s.removed] if side.reorganises else [],
                later=len(s.cups[side.id]) + len(s.commander_cups.get(side.id, ())) - s.calls.get(side.id, 0),
                leaders=_commanders(s, side.id),
                ready=[piece for piece in s.may_come(side.id) if piece not in s.cups[side.id]],
                choice=s.calls.get(side.id, 0),
                track=_track(side),
            )
            for side in board.sides
        ],
        units=[_unit(s, unit) for unit in board.units.values()],
        places=_places(s),
        progress=kit.held_places(
            [(side.id, held(s, side.id)) for side in board.sides],
            ("victory hex", "victory hexes"),
            "14(4)2",
            len(board.victory_hexes),
            NEEDED,
            _goal(s),
        ),
        outcome=outcome(s),
        maps=[board.map.name],
        reconstructed=board.reconstructed,
    )


def _goal(s: State) -> str:
    """What wins at the end, and who would win as things stand (14(4)2)."""
    if s.turn >= s.board.turns:
        needed = f"To win at the end of this turn, the last, {NEEDED} are needed"
    else:
        needed = f"To win at the end of the last turn, {NEEDED} are needed"
    winner = next((the(side.title) for side in s.board.sides if held(s, side.id) >= NEEDED), "")
    if s.ended:
        return f"{needed}."
    if winner:
        return f"{needed}: as things stand, {winner} would win."
    return f"{needed}: as things stand, nobody has them, and it would be a draw."


def _commanders(s: State, side: str) -> Leaders | None:
    """A side's commanders; None where it has none."""
    found = s.board.commanders[side]
    here, lost = (sum(c in where for c in found) for where in (s.at, s.removed))
    return Leaders("commander", "commanders", len(s.commander_cups.get(side, ())), here, lost) if found else None


def _track(side: Side) -> list[Mark]:
    """What the Turn Record Track shows of a side."""
    return [
        Mark("R", "a die for reinforcements", sorted(side.reinforcement_turns)),  # 2-1-3.1
        Mark("Lx1", "a commander is drawn", sorted(side.commander_turns)),  # 2-1-3.1
    ]


def _unit(s: State, unit: Unit) -> dict[str, Any]:
    h = s.at.get(unit.id)
    words = [word for word, units in (("disordered", s.disordered), ("done", s.done)) if unit.id in units]
    return kit.unit(
        unit,
        formation=unit.formation,
        symbol=unit.symbol,
        values=_values(unit),
        extra={"range": unit.range or None if unit.command is None else unit.command.range},
        where=_where(s, unit),
        at=None if h is None else s.board.label[h],
        place=None if h is None else s.board.map.place_names.get(h),
        words=words,
        badges=[BADGES[word] for word in words if word in BADGES],
    ) | {"code": unit.code if unit.command is None else "aside" if unit.id in s.board.aside.values() else "cup"}


def _values(unit: Unit) -> dict[str, int | str | None]:
    """What is printed on a counter; of a commander what he lends."""
    if unit.command is not None:
        lent = {"fire": unit.command.fire, "melee": unit.command.melee}
        return {name: f"{n:+d}" if n else "0" for name, n in lent.items()} | {"morale": unit.morale, "move": unit.move}
    return {"fire": unit.fire or None, "melee": unit.melee or None, "morale": unit.morale, "move": unit.move}


def _where(s: State, unit: Unit) -> str:
    side = s.board.side[unit.side]
    if unit.id in s.at:
        return "map"
    if unit.id in s.removed:
        if not side.reorganises or unit.command is not None:
            return "removed"
        return "received" if s.removed[unit.id] < s.turn else "lost"
    if unit.id in s.received[unit.side]:
        return "received"
    if unit.id in s.cups[unit.side]:
        return "hand" if side.chooses else "waiting"
    if unit.command is not None:
        return "aside" if s.board.aside.get(unit.side) == unit.id else "waiting"
    return "off"


def _places(s: State) -> list[dict[str, Any]]:
    """Every named, victory and entry hex, in the order of the map."""
    board = s.board
    entry = {side.entry: side.id for side in board.sides if side.entry is not None}
    names = board.map.place_names
    return [
        kit.place(
            board.label[h], names.get(h), victory=h in board.victory_hexes, entry=entry.get(h), control=s.control.get(h)
        )
        for h in sorted({*names, *board.victory_hexes, *entry})
    ]
