"""The whole games of the Siege of Osaka: each way of ending of each scenario, and the games with all that is asked."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache

from matches import Chooser, Match, statements

from pbem.match.table import Table
from pbem.rules import State
from pbem.rules.requests import Words
from pbem.rules.yukimura.board import EAST, OSAKA
from pbem.rules.yukimura.victory import surrounding
from systems.whole import Whole, both, ends, tells
from systems.yukimura_players import General, by_turns

__all__ = ["FORD", "star_side", "wholes"]

IDLE = General()
RIDERS = ("mi-02", "mi-03", "ho-02", "ho-03", "ta-02", "ta-03", *(f"da-{n:02}" for n in range(4, 13)))
FORD = "0713"  # behind the ford of Furuichi, in the far south of the Ishikawa Line


def releases(force: str, turn: int, *, by_die: bool) -> Callable[[Table], bool]:
    """Whether a force was freed, in a turn or earlier by a die."""

    def wanted(table: Table) -> bool:
        told = [t for t in tells(table, "release") if t["force"] == force and t["released"]]
        if by_die:
            return bool(told) and told[0]["die"] is not None and told[0]["in"] < turn
        return bool(told) and (told[0]["die"], told[0]["in"]) == (None, turn)

    return wanted


def comes_in(table: Table) -> bool:
    """Whether Hideyori failed a die, came by a later one and entered."""
    dice = [t["die"] for t in tells(table, "reinforcements") if t["force"] == "hideyori"]
    entered = [t["unit"] for t in tells(table, "move") if t["how"] == "enter" and t["unit"].startswith("hi")]
    return len(dice) >= 2 and dice[-1] <= 2 < min(dice[:-1]) and len(entered) == 10


def answered(how: str) -> Callable[[Table], bool]:
    """Whether both sides answered in this way, and every kind of question came up."""

    def wanted(table: Table) -> bool:
        answers = [step for step in table.steps if step["kind"] == "answer" and step["how"] == how]
        kinds = {step["words"][0] for step in answers}
        return kinds >= {"fire", "retreat", "displace", "advance"} and {s["side"] for s in answers} == {EAST, OSAKA}

    return wanted


def standing(match: Match, what: str, side: str, orders: list[Words], chance: random.Random) -> str:
    """The orders, and once for all standing ones for everything that can be asked."""
    if match.table.seq >= 4:
        return statements(orders)
    back = "west north-west south-west" if side == OSAKA else "east north-east south-east"
    ahead = {EAST: "standing advance any follow;", OSAKA: "standing advance any enter;"}[side]
    return f"standing defence best;\nstanding retreat any {back};\n{ahead}\n{statements(orders)}"


# --- the games -----------------------------------------------------------------------------------------------------

TODO_GOES = {"to": "1424", "to-01": ""}
CHOSOKABE_GOES = {"ch": "1501", "ch-01": ""}
KIMURA_GOES = {"ki": "1511", "ki-01": ""}
"""Everybody leaves his leader."""


def on_yao(going: Mapping[str, str]) -> dict[str, str]:
    """The same places where hexes have the map's letter."""
    return {unit: number and f"Y{number}" for unit, number in going.items()}


def climbs(turn: int) -> tuple[Chooser, Chooser]:
    """The East attacks Komatsuyama, Osaka whatever comes near, up to a turn."""
    attack = General({"mi": "2022", "ho": "2022"}, ("",), bold=True)
    defend = General({"go-02": "2128", "go-03": "2128", "mo": "2023", "ak": "2023"}, ("",), guns=False, bold=True)
    return by_turns(attack, **{f"from_{turn}": IDLE}), by_turns(defend, **{f"from_{turn}": IDLE})


def domyoji() -> dict[str, Whole]:
    """The Battle of Domyoji."""
    crossing = both(ends("14-1(6)a", EAST), releases("sanada", 10, by_die=True))
    waiting = both(ends("14-1(6)b", OSAKA), releases("sanada", 10, by_die=False))
    return {
        "domyoji-east": Whole("domyoji", General(dict.fromkeys(RIDERS, FORD)), IDLE, crossing),
        "domyoji-osaka": Whole("domyoji", *climbs(3), waiting, options=(("command-range", "yes"),)),
    }


def yao() -> dict[str, Whole]:
    """The Battle of Yao."""
    at_todo = dict.fromkeys(("ch-02", "ch-03", "ch-05", "ch-06", "ch-07", "ch-08"), "0218")
    few = General({"ch-02": "0218", "ch-03": "0218"}, ("to-01",))
    collapse, alone = ends("14-2(6)1", OSAKA, "retreat"), General(TODO_GOES)
    near_todo, near_chosokabe = {"ch-02": "0218", "ch-03": "0218"}, {"to-05": "0206", "to-06": "0206"}
    return {
        "yao-east-collapses-by-move": Whole(
            "yao", by_turns(IDLE, from_2=General({"ii-01": "2034"})), IDLE, ends("14-2(6)1", OSAKA, "move")
        ),
        "yao-east-collapses-by-retreat": Whole("yao", alone, few, collapse),
        "yao-east-collapses-by-removal": Whole(
            "yao", alone, General(at_todo, ("to-01",)), ends("14-2(6)1", OSAKA, "remove")
        ),
        "yao-osaka-collapses": Whole(
            "yao", General(near_chosokabe, ("ch-01",)), General(CHOSOKABE_GOES), ends("14-2(6)2", EAST, "retreat")
        ),
        "yao-breakthrough-0201": Whole(
            "yao", General({"to-05": "0201", "to-06": "0201"}), General(CHOSOKABE_GOES), ends("14-2(6)3", EAST)
        ),
        "yao-breakthrough-2801": Whole(
            "yao", General({"ii-06": "2801", "ii-07": "2801"}), General(KIMURA_GOES), ends("14-2(6)3", EAST)
        ),
        "yao-superior-east": Whole(
            "yao", General(near_chosokabe), General(CHOSOKABE_GOES), ends("14-2(6)4a", EAST)
        ),
        "yao-superior-osaka": Whole("yao", alone, General(near_todo), ends("14-2(6)4a", OSAKA)),
        "yao-draw": Whole(
            "yao", General({**TODO_GOES, "ii-06": "2810"}), General({**KIMURA_GOES, "ch-02": "0218"}),
            both(ends("14-2(6)4c", None), lambda table: surrounding(table.game.state, EAST) > 0),
        ),
        "yao-resigned": Whole(
            "yao", General({"to": "0209", "to-01": ""}, ("",)), General({"ch": "0215", "ch-01": ""}, ("",)), resigned,
            most=17,
        ),
    }  # fmt: skip


def resigned(table: Table) -> bool:
    """Whether somebody gave up while something went on."""
    return table.outcome is not None and table.game.outcome is None and len(tells(table, "melee")) > 0


def connected() -> dict[str, Whole]:
    """The Connected Scenario."""
    todo, chosokabe = on_yao({"to-05": "0201", "to-06": "0201"}), on_yao(CHOSOKABE_GOES)
    near_chosokabe = on_yao({"to-05": "0206", "to-06": "0206"})
    late = General({"hi": "Y2811"}, beside="Y2801")
    return {
        "connected-west": Whole(
            "connected", General(dict.fromkeys(RIDERS, f"D{FORD}")), General(beside="D0801"),
            both(ends("14-1(6)a", EAST), lambda table: tells(table, "crossing")[0]["in"] < 7),
            options=(("ishikawa-reading", "release"),),
        ),
        "connected-osaka-collapses": Whole(
            "connected", General(near_chosokabe, ("ch-01",)), General(chosokabe, beside="D2001"),
            ends("14-2(6)2", EAST),
        ),
        "connected-breakthrough": Whole(
            "connected", General(todo), General(chosokabe, beside="Y2801"), ends("14-2(6)3", EAST)
        ),
        "connected-osaka": Whole("connected", IDLE, late, both(ends("14-3(9)c", OSAKA), comes_in)),
    }  # fmt: skip


def dream() -> dict[str, Whole]:
    """Goto's Dream, and in it the games with all that can be asked."""
    goto_leaves = General({"go": "1718"})
    there_and_back = by_turns(General({"mi": "2022"}), from_8=General({"mi": "1927"}))
    every = both(ends("14-4(6)", OSAKA), answered("standing"))
    return {
        "dream-osaka": Whole("gotos-dream", *climbs(3), both(ends("14-4(6)", OSAKA), in_star(OSAKA))),
        "dream-east": Whole(
            "gotos-dream", General({"mi": "2022"}), goto_leaves, both(ends("14-4(6)", EAST), in_star(EAST))
        ),
        "dream-empty": Whole(
            "gotos-dream", there_and_back, goto_leaves, both(ends("14-4(6)", EAST), in_star(None))
        ),
        "asked": Whole("gotos-dream", *climbs(4), answered("react"), terms=(("reactions", "ask"),)),
        "standing": Whole("gotos-dream", *climbs(5), every, dress=standing),
    }  # fmt: skip


def in_star(side: str | None) -> Callable[[Table], bool]:
    """Whether a unit of a side stands on Komatsuyama."""
    return lambda table: star_side(table.game.state) == side


def star_side(s: State) -> str | None:
    """The side whose unit stands on Komatsuyama."""
    unit = s.unit_in(s.board.star)
    return None if unit is None else str(s.board.units[unit].side)


@cache
def wholes() -> dict[str, Whole]:
    """All games."""
    return {**domyoji(), **yao(), **connected(), **dream()}
