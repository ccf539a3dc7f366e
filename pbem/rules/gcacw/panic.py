"""The Union's panic, and leaders who are killed (17.0, 18.0)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.maps.hexes import Hex, unpack
from pbem.rules.gcacw.board import CONFEDERATE, UNION
from pbem.rules.gcacw.fights import Fight
from pbem.rules.gcacw.leaders import follows, is_corps, settle
from pbem.rules.gcacw.orders import Fallen
from pbem.rules.gcacw.state import State
from pbem.rules.kit.asking import only
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Activity, Choose, Roll, Tell, Words

__all__ = ["FALL", "begin", "in_danger", "leader_check", "replace"]

FALL = "fall"
"""The keyword of the standing order that says which of two equal leaders is killed: `fall any LEADER ...`."""


def begin(s: State) -> Iterator[Tell]:
    """Panic begins: a result with an asterisk is applied to the Union, once in a game (18.0-1, 18.0-2)."""
    if s.board.advanced is None or s.panic:
        return
    s.panic = s.turn
    s.memo.clear()
    yield Tell("panic", "18.0-1", {"turn": s.turn})


def _from_the_north(h: Hex) -> tuple[int, int]:
    """What hexes are sorted by from north to south, those of a row from the west."""
    q, r = unpack(h)
    return 2 * r + q, q


def replace(s: State) -> Activity:
    """Let the army leader go two turns behind the panic, and another come to his hex (18.0-5)."""
    advanced = s.board.advanced
    if advanced is None or advanced.panic is None or not s.panic or s.turn != s.panic + 2:
        return
    gone, comes = advanced.panic
    h = s.at.get(gone)
    s.remove(gone)
    if h is None:  # he was off the map: who comes joins the northernmost unit of his own army, else of the side
        units = s.own(UNION)
        own = [unit for unit in units if s.command_of(unit).army == s.board.units[comes].army]
        h = min((s.at[unit] for unit in own or units), key=_from_the_north, default=None)
    if h is not None:
        s.put(comes, h)
        yield Tell("replaced", "18.0-5", {"unit": comes, "gone": gone, "at": s.board.label[h]})
        yield from settle(s, [UNION])


# --- leaders killed (17.0) ---------------------------------------------------------------------------------------


def in_danger(s: State, f: Fight) -> list[str]:
    """The Confederate corps leaders who may be killed, those with the highest tactical value (17.0-1, -3, -4, -6)."""
    if s.board.advanced is None:
        return []
    if f.side == CONFEDERATE:  # with attacking units under their command
        found = {
            leader
            for unit in f.units
            if unit in s.at
            for leader in s.leaders_in(s.at[unit], CONFEDERATE)
            if follows(s, leader, unit)
        }
    else:  # in the defending hex
        found = {*s.leaders_in(f.at, CONFEDERATE)}
    able = [leader for leader in sorted(found) if is_corps(s, leader) and leader not in s.killed]
    best = max((s.tactical(leader) for leader in able), default=0)
    return [leader for leader in able if s.tactical(leader) == best]


def leader_check(s: State, f: Fight) -> Activity:
    """Behind two ones a die says whether a leader is killed: an even one does (17.0-2)."""
    able = in_danger(s, f)
    if not able:
        return
    (die,) = yield Roll(f"leader/{s.board.label[f.at].lower()}", 1)
    killed = die % 2 == 0
    yield Tell("leader-check", "17.0-2", {"die": die, "side": CONFEDERATE, "units": able, "killed": killed})
    if not killed:
        return
    leader = able[0]
    if len(able) > 1:
        leader = (yield _ask(able)).leader
    s.killed.add(leader)  # 17.0-5
    s.memo.clear()
    facts = {"unit": leader, "tactical": s.tactical(leader), "command": s.command_value(leader)}
    yield Tell("killed", "17.0-5", facts)


def _ask(able: Sequence[str]) -> Choose:
    """Ask the Confederate which of two equal leaders it is (17.0-3, R7)."""
    prompt, options = "say which of your leaders is killed", [Fallen(leader) for leader in able]

    def standing(orders: Sequence[Words]) -> Fallen | None:
        wanted = [leader for leader in preferences(orders, FALL, able[0]) if leader in able]
        return Fallen(wanted[0]) if wanted else None

    return Choose(
        side=CONFEDERATE,
        kind="fall",
        clause="17.0-3",
        prompt=prompt,
        why_not=only(Fallen, "17.0-3", prompt, lambda _: None),
        options=lambda: iter(options),
        sample=lambda chance: chance.choice(options),
        reaction=True,
        about=tuple(able),
        standing=standing,
        default=lambda: options[0],
        heeds=(FALL,),
    )
