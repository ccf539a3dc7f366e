"""Whole games of the Siege of Osaka as their logs: each way of ending of each scenario, replayed to the exact end.

`PBEM_REGENERATE=1 pytest tests/systems/test_games_yukimura.py` plays them again; the same generals
give the same bytes. What damages do to a log is tested in test_games.py, on one of these too.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from matches import MOST_ENTRIES, Chooser, Dress, Match, replayed, scenario_of, statements, summary
from whole_games import REGENERATE
from whole_games_yukimura import General, by_turns

from pbem.cli import run
from pbem.match.table import Table
from pbem.rules import State
from pbem.rules.requests import Words
from pbem.rules.yukimura.board import EAST, OSAKA
from pbem.rules.yukimura.victory import surrounding

GAMES = Path(__file__).parents[1] / "games" / "yukimura"
EXPECTED = GAMES / "expected.json"
AUDIT = Path(__file__).resolve().parents[2] / "tools" / "audit.py"

LARGEST = 120_000
"""Bytes of a log; twelve turns with hardly a fight have half of it."""

IDLE = General()
RIDERS = ("mi-02", "mi-03", "ho-02", "ho-03", "ta-02", "ta-03", *(f"da-{n:02}" for n in range(4, 13)))
FORD = "0713"  # behind the ford of Furuichi, in the far south of the Ishikawa Line


class Whole(NamedTuple):
    """How a game is made: scenario, generals, whether it came out as wanted, what is put round orders, terms.

    After `most` entries whoever is due gives up.
    """

    scenario: str
    east: Chooser
    osaka: Chooser
    wanted: Callable[[Table], bool]
    dress: Dress | None = None
    options: tuple[tuple[str, str], ...] = ()
    terms: tuple[tuple[str, str], ...] = ()
    most: int = MOST_ENTRIES

    def play(self, number: int) -> Match:
        """The game of this number, which gives the gnonces and the whims."""
        match = Match(scenario_of(self.scenario), number, dict(self.options), **dict(self.terms))
        choosers = {"asuka": self.east, "ben": self.osaka}
        match.run(choosers, random.Random(number), self.dress, self.most)
        if match.due()[0] != "nothing":
            match.resign()
        return match

    def first(self) -> tuple[int, Match]:
        """The first game that came out as wanted: any change of the scenario changes all dice."""
        for number in range(200):
            match = self.play(number)
            if self.wanted(match.table):
                return number, match
        raise AssertionError(f"no game of {self.scenario} came out so; the last: {match.table.outcome}")


# --- what is wanted ------------------------------------------------------------------------------------------------


def tells(table: Table, what: str) -> list[dict[str, Any]]:
    """The facts of all events of a kind, with turn and phase."""
    found = [step for step in table.steps if step["kind"] == "tell" and step["what"] == what]
    return [{**step["facts"], "in": step["turn"], "phase": step["phase"]} for step in found]


def ends(clause: str, winner: str | None, *ways: str) -> Callable[[Table], bool]:
    """Whether a game ended by a clause, and the last event but the end is one of these."""

    def wanted(table: Table) -> bool:
        last = [step for step in table.steps if step["kind"] == "tell"][-2]
        found = table.outcome
        return found is not None and found[:2] == (winner, clause) and (not ways or last["what"] in ways)

    return wanted


def both(*wishes: Callable[[Table], bool]) -> Callable[[Table], bool]:
    """All of these."""
    return lambda table: all(wish(table) for wish in wishes)


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


def wholes() -> dict[str, Whole]:
    """All games."""
    return {**domyoji(), **yao(), **connected(), **dream()}


NAMES = sorted(wholes())


@cache
def log_of(name: str) -> str:
    """The text of a log."""
    return (GAMES / f"{name}.log").read_text("ascii")


@cache
def table_of(name: str) -> Table:
    """The table of a log; not to be changed."""
    table = replayed(log_of(name)).table
    assert table is not None
    return table


@cache
def expected() -> dict[str, Any]:
    """What each log comes to."""
    found: dict[str, Any] = json.loads(EXPECTED.read_text("ascii"))
    return found


@pytest.fixture(scope="module", autouse=True)
def _goldens() -> None:
    if not REGENERATE:
        return
    found = {}
    GAMES.mkdir(exist_ok=True)
    for name, whole in wholes().items():
        number, match = whole.first()
        (GAMES / f"{name}.log").write_text(match.log, "ascii", newline="\n")
        found[name] = {"number": number, **summary(match.log)}
    EXPECTED.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", "ascii", newline="\n")


def test_the_games_are_all_there() -> None:
    assert sorted(path.stem for path in GAMES.glob("*.log")) == NAMES == sorted(expected())
    assert max(len(log_of(name)) for name in NAMES) < LARGEST


@pytest.mark.parametrize("name", NAMES)
def test_a_log_leads_to_its_end(name: str) -> None:
    assert {"number": expected()[name]["number"], **summary(log_of(name))} == expected()[name]
    assert wholes()[name].wanted(table_of(name))


@pytest.mark.parametrize("name", NAMES)
def test_the_same_keys_and_generals_make_the_same_log(name: str) -> None:
    assert wholes()[name].play(expected()[name]["number"]).log == log_of(name)


@pytest.mark.parametrize("name", NAMES)
def test_whoever_reads_a_log_is_told_its_end(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["--home", str(tmp_path), "verify", str(GAMES / f"{name}.log"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    outcome = table_of(name).outcome
    assert outcome is not None
    assert told["ok"]
    assert told["head"] == expected()[name]["head"]
    assert told["outcome"] == outcome._asdict()


# --- ways of ending ------------------------------------------------------------------------------------------------


def last_told(name: str) -> list[tuple[Any, ...]]:
    """What happened last, with turn, phase and the unit it happened to."""
    told = [step for step in table_of(name).steps if step["kind"] == "tell"]
    assert told[-1]["what"] == "end"
    return [(t["what"], t["turn"], t["phase"], t["facts"].get("unit")) for t in told]


def state_of(name: str) -> State:
    """How a game stands at its end."""
    return table_of(name).game.state


def reason(name: str) -> str:
    """Why a game ended, in words."""
    outcome = table_of(name).outcome
    assert outcome is not None
    return outcome.reason


def in_the_west(name: str) -> int:
    """The Eastern units beyond the Ishikawa Line: the first fifteen columns and what the line leaves to them."""
    s = state_of(name)
    return sum(h in s.board.west for unit, h in s.at.items() if s.board.units[unit].side == EAST)


@pytest.mark.clause("14-1(6)a")
@pytest.mark.clause("14-1(6)b")
@pytest.mark.clause("4.b")
def test_ten_units_beyond_the_line_decide_at_the_end_and_not_before() -> None:
    for name, least, most in (("domyoji-east", 10, 15), ("domyoji-osaka", 0, 9)):
        assert last_told(name)[-1][:3] == ("end", 12, "osaka-combat")
        assert least <= in_the_west(name) <= most
        assert reason(name).startswith(f"{in_the_west(name)} Eastern units are west of the Ishikawa Line")
    early = [t["in"] for t in tells(table_of("domyoji-east"), "move") if t["path"][-1] == FORD]
    assert min(early) < 12


@pytest.mark.clause("14-1(5)3a")
@pytest.mark.clause("14-1(5)3b")
def test_sanada_is_freed_by_turn_10_or_by_a_die_once_the_line_is_crossed() -> None:
    east = [(t["in"], t["die"], t["released"]) for t in tells(table_of("domyoji-east"), "release") if t["needed"]]
    (crossed,) = tells(table_of("domyoji-east"), "crossing")
    assert east[-1] == (east[-1][0], min(die for _, die, _ in east), True)
    assert [turn for turn, _, _ in east] == list(range(crossed["in"], crossed["in"] + len(east)))
    assert all(released == (die <= 3) for _, die, released in east)
    osaka = table_of("domyoji-osaka")
    assert not tells(osaka, "crossing")
    free = [(t["force"], t["in"], t["phase"], t["die"]) for t in tells(osaka, "release")]
    assert free == [(force, turn, "east-move", None) for force, turn in (("akashi", 5), ("mori", 7), ("sanada", 10))]


@pytest.mark.clause("14-1(5)2b")
def test_the_line_is_shut_until_turn_7_or_opens_with_the_first_crossing() -> None:
    (shut,), (open_,) = (tells(table_of(name), "crossing") for name in ("domyoji-east", "connected-west"))
    assert shut["in"] == 7 > open_["in"]
    mori = {
        name: next(t["in"] for t in tells(table_of(name), "release") if t["force"] == "mori")
        for name in ("domyoji-east", "connected-west")
    }
    assert mori == {"domyoji-east": 7, "connected-west": open_["in"]}


@pytest.mark.clause("14-2(6)1")
@pytest.mark.parametrize(("way", "leader"), [("move", "ii-01"), ("retreat", "to-01"), ("remove", "to-01")])
def test_the_east_collapses_when_a_leader_leaves_his_hex_in_any_way(way: str, leader: str) -> None:
    name = f"yao-east-collapses-by-{ {'remove': 'removal'}.get(way, way) }"
    told = last_told(name)
    assert (told[-2][0], told[-2][3]) == (way, leader)
    assert told[-1][1] < 12
    assert reason(name).startswith(leader)
    if way == "retreat":
        s = state_of(name)
        assert s.at[leader] != s.board.units[leader].start


@pytest.mark.clause("14-2(6)2")
@pytest.mark.parametrize("name", ["yao-osaka-collapses", "connected-osaka-collapses"])
def test_osaka_collapses_when_a_leader_is_driven_from_his_hex(name: str) -> None:
    told = last_told(name)
    assert told[-2][0] in ("retreat", "remove")
    assert told[-2][3] == "ch-01"
    assert "Osaka Army collapses" in reason(name)


@pytest.mark.clause("14-3(9)b")
def test_in_the_connected_scenario_the_eastern_leaders_may_go() -> None:
    """The same move that loses the Battle of Yao."""
    match = Match(scenario_of("connected"), 0)
    match.play()
    match.play("beside hideyori Y2801;")
    match.play("move ii-01 Y2025;")
    assert [step["what"] for step in match.table.steps if step["kind"] == "tell"][-1] == "move"
    assert match.due()[0] != "nothing"


@pytest.mark.clause("14-2(6)3")
@pytest.mark.clause("14-3(9)a")
@pytest.mark.parametrize(
    ("name", "number"),
    [("yao-breakthrough-0201", "0201"), ("yao-breakthrough-2801", "2801"), ("connected-breakthrough", "Y0201")],
)
def test_a_unit_in_a_western_road_hex_wins_at_the_end_of_the_turn(name: str, number: str) -> None:
    table, s = table_of(name), state_of(name)
    unit = s.unit_in(s.board.parse(number))
    assert unit is not None
    arrived = [t for t in tells(table, "move") if t["path"][-1] == number]
    assert [(t["unit"], t["in"], t["phase"]) for t in arrived] == [(unit, s.turn, "east-move")]
    assert last_told(name)[-1][:3] == ("end", s.turn, "osaka-combat")
    assert f"{unit} " in reason(name)
    assert s.turn < 12


@pytest.mark.clause("14-2(6)4a")
@pytest.mark.clause("14-2(6)4c")
@pytest.mark.parametrize(("name", "winner"), [("yao-superior-east", 1), ("yao-superior-osaka", -1), ("yao-draw", 0)])
def test_who_has_more_units_round_the_leaders_is_superior(name: str, winner: int) -> None:
    s = state_of(name)
    around = {}
    for side, leaders in ((EAST, ("ki-01", "ch-01")), (OSAKA, ("ii-01", "to-01"))):
        near = {n for leader in leaders for n in s.board.maps["yao"].neighbours[s.at[leader]]}
        around[side] = sum(h in near for unit, h in s.at.items() if s.board.units[unit].side == side)
    assert max(around.values()) > 0
    assert (around[EAST] > around[OSAKA]) - (around[EAST] < around[OSAKA]) == winner
    assert reason(name).startswith(f"{around[EAST]} of the Eastern Army and {around[OSAKA]} of the Osaka Army")
    assert last_told(name)[-1][:3] == ("end", 12, "osaka-combat")


@pytest.mark.clause("14-3(9)")
def test_each_condition_alone_wins_the_connected_scenario() -> None:
    """In each game one of the three is fulfilled, in the last none."""
    met = {}
    for name in ("connected-west", "connected-osaka-collapses", "connected-breakthrough", "connected-osaka"):
        s = state_of(name)
        gone = [u for u in ("ki-01", "ch-01") if s.at.get(u) != s.board.units[u].start]
        through = [h for h in ("Y0201", "Y2801") if s.board.parse(h) in s.stands[EAST]]
        met[name] = (in_the_west(name) >= 10, bool(gone), bool(through))
    assert met == {
        "connected-west": (True, False, False),
        "connected-osaka-collapses": (False, True, False),
        "connected-breakthrough": (False, False, True),
        "connected-osaka": (False, False, False),
    }


@pytest.mark.clause("14-3(6)a")
@pytest.mark.clause("14-3(6)b")
@pytest.mark.clause("14-3(6)c")
def test_hideyori_comes_by_a_die_where_he_was_put() -> None:
    table = table_of("connected-osaka")
    (put,) = tells(table, "beside")
    assert (put["at"], put["phase"], len(put["units"])) == ("Y2801", "start", 10)
    dice = [(t["in"], t["die"], len(t["units"])) for t in tells(table, "reinforcements") if t["force"] == "hideyori"]
    assert [turn for turn, _, _ in dice] == list(range(8, 8 + len(dice)))
    assert [units for _, _, units in dice] == [10 if die <= 2 else 0 for _, die, _ in dice]
    entered = [t for t in tells(table, "move") if t["how"] == "enter" and t["unit"].startswith("hi-")]
    assert {(t["path"][0], t["in"] >= dice[-1][0]) for t in entered} == {("Y2801", True)}


@pytest.mark.clause("14-4(6)")
@pytest.mark.parametrize(
    ("name", "winner", "stands"),
    [("dream-osaka", OSAKA, OSAKA), ("dream-east", EAST, EAST), ("dream-empty", EAST, None)],
)
def test_who_was_last_on_komatsuyama_holds_it(name: str, winner: str, stands: str | None) -> None:
    control = [(t["from"], t["side"]) for t in tells(table_of(name), "control")]
    outcome = table_of(name).outcome
    assert outcome is not None
    assert (star_side(state_of(name)), outcome.winner) == (stands, winner)
    assert (control[-1][1] if control else OSAKA) == winner
    if winner == EAST:
        assert control[0] == (OSAKA, EAST)


def test_a_game_may_be_given_up() -> None:
    table = table_of("yao-resigned")
    assert table.game.outcome is None
    found = replayed(log_of("yao-resigned"))
    _, last = found.entries[-1]
    assert last.kind == "resign"
    assert table.outcome is not None
    assert table.outcome.winner == table.genesis.other(last.by).side


# --- everything that is asked --------------------------------------------------------------------------------------


def answers_of(name: str) -> list[dict[str, Any]]:
    """What was answered on the other side's turn."""
    return [step for step in table_of(name).steps if step["kind"] == "answer"]


def test_a_game_in_which_the_players_ask_each_other() -> None:
    found = replayed(log_of("asked"))
    assert found.genesis is not None
    assert found.genesis.terms.reactions == "ask"
    answers = answers_of("asked")
    assert {step["how"] for step in answers} == {"react"}
    assert {step["words"][0] for step in answers} >= {"fire", "retreat", "displace", "advance"}
    reacts = [entry for _, entry in found.entries if entry.kind == "react"]
    assert {entry.by for entry in reacts} == {"asuka", "ben"}
    words = {(statement.keyword, *statement.tokens) for entry in reacts for statement in entry.body}
    for step in answers:
        assert tuple(step["words"]) in words, "an answer that nobody wrote"
    fires = {step["seq"] for step in answers if step["words"][0] == "fire"}
    rolled = {s["seq"] for s in table_of("asked").steps if s["kind"] == "roll" and s["label"].startswith("fire/")}
    assert fires <= rolled, "the dice of a defensive fire belong to the react that ordered it"


def test_a_game_with_standing_orders_for_everything() -> None:
    answers = answers_of("standing")
    how = Counter((step["words"][0], step["how"]) for step in answers)
    for keyword in ("fire", "retreat", "displace", "advance"):
        assert how[keyword, "standing"] > 0, keyword
    assert not [entry for _, entry in replayed(log_of("standing")).entries if entry.kind == "react"]


@pytest.mark.parametrize("name", ["asked", "standing", "connected-osaka"])
@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="SSH-KEYGEN IS MISSING: install openssh-client")
def test_a_second_program_finds_the_same_dice(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--home", str(tmp_path / "home"), "rolls", str(GAMES / f"{name}.log"), "--json"]) == 0
    claims = json.loads(capsys.readouterr().out)
    assert len(claims) == expected()[name]["rolls"] >= 2
    file = tmp_path / "claims.json"
    file.write_text(json.dumps(claims))
    told = subprocess.run([sys.executable, AUDIT, GAMES / f"{name}.log", file], capture_output=True, text=True)
    assert (told.returncode, told.stderr) == (0, "")
    claims[-1]["result"][0] = claims[-1]["result"][0] % 6 + 1
    file.write_text(json.dumps(claims))
    told = subprocess.run([sys.executable, AUDIT, GAMES / f"{name}.log", file], capture_output=True, text=True)
    assert told.returncode == 1
    assert f"BAD entry {claims[-1]['seq']} {claims[-1]['label']}: claimed" in told.stderr
