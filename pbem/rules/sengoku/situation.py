"""The state as plain JSON data for reports: forces by who leads them, castles as they stand, what scores now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pbem.maps.hexes import Hex
from pbem.rules.kit import situation as kit
from pbem.rules.kit.phases import phase_id, titles
from pbem.rules.kit.situation import Badge, Where
from pbem.rules.sengoku import harm, sequence
from pbem.rules.sengoku.acting import besiegers, castle_side, forces_inside
from pbem.rules.sengoku.board import BUSHO, SOTAISHO, TAISHO, Castle, Side, Unit
from pbem.rules.sengoku.castles import MOST_DURABILITY, castle_morale
from pbem.rules.sengoku.command import rank_words
from pbem.rules.sengoku.lines import in_line, why_cut
from pbem.rules.sengoku.standing import STATES
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.victory import for_good, lead, lead_words, outcome, points_words, score, total, when
from pbem.rules.sengoku.wording import CLOSING

if TYPE_CHECKING:  # that the chances are counted exactly only the form needs
    from pbem.rules.kit.throws import Good

__all__ = ["GOOD", "TOLL", "situation"]

GOOD: Good = {
    "attack": "high", "counterattack": "high", "interception": "high", "assault": "high", "call": "high",
    "fall": "high", "siege": "high", "incident": "high", "replenishment": "high", "recovery": "low",
    "battle": "high", "flight": "low", "begin": "high", "thaw": "high",
}  # fmt: skip
"""Stem of a roll's label -> which dice are good for whose they are: of sieges the castle's side."""

TOLL: tuple[str, str, dict[str, str]] = ("step", "steps", {"step": "", "remove": "steps"})
"""What units lose before they are lost, one and several, and event -> its fact that says how much."""

WHERE = (
    Where("map", "on the map", listed=True),
    Where("waiting", "off the map", coming=True),
    Where("removed", "lost"),
)
SYMBOLS = {SOTAISHO: "commander-in-chief", TAISHO: "general", BUSHO: "military_commander"}
"""Rank -> what he is called."""

STRONGHOLD = "castle"
"""What is besieged, and where units begin that do so in any castle of their army."""

SHIELD = "durability of a castle that is besieged or damaged"
"""What the shields on pictures tell."""

TOLD = ("reduced", "shut-in", "besieging", "acted")
"""The states that are told of a unit; who leads, morale and lines forces tell."""

BADGES = {
    "reduced": Badge("R", "reduced", "band"),
    "shut-in": Badge("C", "shut up in a castle"),
    "besieging": Badge("S", "besieging", "corner"),
    "cut-off": Badge("L", "without a line of communication"),
    "acted": Badge("A", "acted"),
}
"""What a counter shows, the most important first; lowered morale comes before all of these."""


def situation(s: State) -> dict[str, Any]:
    """The situation; its schema is docs/situation.schema.json."""
    board, begins = s.board, _begins(s)
    return kit.situation(
        names=(board.system, board.scenario, board.title),
        time=(s.turn, board.turns),
        closing=CLOSING,
        ground="hex",
        phases=titles(sequence.PHASES, board.sides),
        phase=phase_id(sequence.PHASES[s.phase], board.sides),
        active=None if s.ended else sequence.side_of(s),
        where=WHERE,
        sides=[_side(s, side) for side in board.sides],
        units=[_unit(s, unit, begins) for unit in board.units.values()],
        places=_places(s),
        progress=_progress(s),
        outcome=outcome(s),
        maps=[board.map.name],
        reconstructed=board.reconstructed,
        forces=[_force(s, force) for side in board.sides for force in s.own_forces(side.id)],
        stronghold=STRONGHOLD,
        turn_title=sequence.TURN,
    )


def _side(s: State, side: Side) -> dict[str, Any]:
    """A side; those of an army that enters may come once it has begun to act."""
    waiting = [d for d in s.board.deployments.values() if d.side == side.id]
    enters = {d.id: s.waiting.get(d.id, ()) for d in waiting}
    free = [d.id for d in waiting if not d.enters or d.enters in s.declared]
    return kit.side(
        side,
        lost=[unit for unit in s.board.of_side[side.id] if unit in s.removed],
        later=sum(len(units) for name, units in enters.items() if name not in free),
        ready=[unit for name in free for unit in enters[name]],
    )


# --- units and forces -------------------------------------------------------------------------------------------------


def _begins(s: State) -> dict[str, str]:
    """Unit that waits -> where it is deployed, if a word says it: a hex, a province, `castle` for any of its army's.

    R stands for those that come later.
    """
    found: dict[str, str] = {}
    for deployment in s.board.deployments.values():
        word: str | None = None
        if deployment.enters:
            word = "R"
        elif len(deployment.hexes) == 1:
            word = s.board.label[deployment.hexes[0]]
        elif deployment.castles_of:
            word = STRONGHOLD
        elif len(provinces := {s.board.province.get(h) for h in deployment.hexes}) == 1:
            word = provinces.pop()
        found |= dict.fromkeys(s.waiting[deployment.id], word) if word else {}
    return found


def _unit(s: State, unit: Unit, begins: dict[str, str]) -> dict[str, Any]:
    force = s.leader.get(unit.id)
    h = None if force is None else s.at[force]
    words = [] if force is None else [word for word in TOLD if STATES[word](s, unit.id)]
    return kit.unit(
        unit,
        formation=s.board.armies[unit.army].title,
        symbol=SYMBOLS[unit.rank],
        values={
            "strength": unit.back if unit.id in s.reduced else unit.front,
            "modifier": unit.modifier,
            "action power": unit.power,
        },
        where="removed" if unit.id in s.removed else "waiting" if h is None else "map",
        at=None if h is None else s.board.label[h],
        place=None if h is None else s.board.map.place_names.get(h),
        words=[word.replace("-", " ") for word in words],
        badges=_badges(s, force, words),
        attached_to=() if force in (None, unit.id) else (force,),
        command=rank_words(unit) if unit.commander else "",
    ) | ({"code": begins[unit.id]} if unit.id in begins else {})


def _badges(s: State, force: str | None, words: list[str]) -> list[Badge]:
    """What a counter shows."""
    if force is None:
        return []
    morale = s.morale.get(force, 0)
    lowered = [Badge(str(morale), f"morale {morale}")] if morale else []
    shown = [*words, *(["cut-off"] if _cut(s, force) else [])]
    return [*lowered, *(badge for word, badge in BADGES.items() if word in shown)]


def _cut(s: State, force: str) -> bool:
    """Whether a force lacks the line of communication that it needs (11-1-6)."""
    return force not in s.shut_in and not in_line(s, force)


def _force(s: State, force: str) -> dict[str, Any]:
    """A force: who leads whom, with what strength and morale, and why it has no line of communication."""
    extra = {
        "strength": harm.strength(s, [force]),
        "morale": s.morale.get(force),
        "no line:": why_cut(s, force).reason if _cut(s, force) else None,
    }
    return kit.force(force, s.forces[force], extra)


# --- places -----------------------------------------------------------------------------------------------------------


def _places(s: State) -> list[dict[str, Any]]:
    """Every castle, and every other hex with a name, in the order of the map."""
    names, castles = s.board.map.place_names, s.board.castle_in
    return [_castle(s, s.board.castles[castles[h]]) if h in castles else _named(s, h) for h in sorted(names)]


def _named(s: State, h: Hex) -> dict[str, Any]:
    return kit.place(s.board.label[h], s.board.map.place_names[h])


def _castle(s: State, castle: Castle) -> dict[str, Any]:
    """A castle: whose it is, how strong, and who besieges whom there."""
    owner = s.owner.get(castle.id)
    return kit.place(
        s.board.label[castle.at],
        castle.name,
        id=castle.id,
        victory=True,  # 36.6(1)
        control=castle_side(s, castle.id),
        extra={
            "army": None if owner is None else s.board.armies[owner].title,
            "level": castle.level,
            "durability": s.durability[castle.id],
            "morale": castle_morale(s, castle.id) or None,
            "room for": s.board.tables.limit[castle.level] if forces_inside(s, castle.id) else None,  # 18-2-1
        },
        words=[*_states(s, castle)],
        besiegers=besiegers(s, castle.id),
        inside=forces_inside(s, castle.id),
        shield=kit.Shield(str(s.durability[castle.id]), SHIELD) if _threatened(s, castle) else None,
    )


def _threatened(s: State, castle: Castle) -> bool:
    """Whether a castle is besieged or has lost durability, so that what is left counts."""
    damaged = s.durability[castle.id] < MOST_DURABILITY
    return s.owner.get(castle.id) is not None and (damaged or bool(besiegers(s, castle.id)))


def _states(s: State, castle: Castle) -> Iterator[str]:
    """What is told of a castle besides its numbers."""
    owner = castle_side(s, castle.id)
    first = castle.owner and s.board.armies[castle.owner].side
    marks = (
        ("abandoned", owner is None),
        ("taken", owner is not None and owner != first),
        ("besieged", bool(besiegers(s, castle.id))),
        ("damaged", owner is not None and s.durability[castle.id] < MOST_DURABILITY),
        ("resists to the end", castle.id in s.resist),
        ("has refused to surrender", castle.id in s.refuse),
    )
    return (word for word, marked in marks if marked)


# --- what scores ------------------------------------------------------------------------------------------------------


def _progress(s: State) -> list[dict[str, Any]]:
    """The lead that decides, then what scores for each side if the campaign ended now, item by item."""
    points = {side.id: total(s, side.id) for side in s.board.sides}
    found = [kit.progress(None, _what(s, "lead"), "36.6(win)", lead(s), told=_sentence(lead_words(s)))]
    items = score(s)
    for side in s.board.sides:
        in_all = f"{points_words(points[side.id])}{when(s)}"
        found.append(kit.progress(side.id, _what(s, "points"), "36.6", points[side.id], told=in_all))
        own = [(item, f"{item.what}, {points_words(item.points)}") for item in items if item.side == side.id]
        found += [
            kit.progress(side.id, item.what, item.clause, item.points, told=told, part=True) for item, told in own
        ]
    gone = [] if s.ended else [*for_good(s)]
    if gone:
        told = _sentence("; ".join(gone))
        found.append(kit.progress(None, "gone for good", "36.6", len(gone), told=told))
    return found


def _what(s: State, what: str) -> str:
    """`lead if the campaign ended now`, `points at the end`."""
    return f"{what}{when(s)}"


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
