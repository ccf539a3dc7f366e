"""The whole game so far, of every system: its numbers are those that are counted in its log by another way."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from matches import Match, replayed, scenario_of, signer, write_home
from systems.adapters import ADAPTERS
from systems.whole import log_of, wholes

from pbem.cli import run
from pbem.maps.hexes import distance
from pbem.match.compose import sign_agreement
from pbem.match.game import Game
from pbem.match.replay import replay
from pbem.match.table import BARE, Table
from pbem.match.turn_ends import TurnEnds
from pbem.picture.glance import least_covered
from pbem.picture.paper import Point, width_of
from pbem.picture.tracks import draw_tracks
from pbem.report import so_far
from pbem.report.tracks import tracks
from pbem.rules.requests import Choose, Tell
from pbem.scenario.days import read_day
from pbem.wire.statements import Statement

Json = dict[str, Any]

GAMES = {
    "bakumatsu": "tabaruzaka-draw",
    "gcacw": "confederate-decisive",
    "samurai": "red-breaks-black",
    "sengoku": "asked",
    "yukimura": "standing",
}
"""One game of each system, with losses on both sides where there are such."""

COSTS = {
    "gcacw": {"loss": "points", "remove": "points"},
    "samurai": {"loss": "figures"},
    "sengoku": {"step": "", "remove": "steps"},
}
"""What units lose before they are lost, by events, as the tests know it."""

EACH = pytest.mark.parametrize("system", GAMES)


@cache
def ended(system: str) -> tuple[Table, TurnEnds]:
    """The game of a system, replayed while its turns' ends are kept."""
    ends = TurnEnds()
    table = replay(log_of(system, GAMES[system]), scenario_of, look=ends).table
    assert table is not None
    return table, ends


@cache
def told(system: str) -> Json:
    """The game of a system so far."""
    table, ends = ended(system)
    return so_far.data(table, ends, scenario_of(table.genesis.terms.scenario))


@cache
def played_again(system: str) -> tuple[dict[int, Json], list[tuple[int, Tell]]]:
    """The same game, its rules asked once more without a log: situations as turns begin, and all that was told.

    The situations are those before the first event of the turn behind; the events stand with their turns.
    """
    table, _ = ended(system)
    stood: dict[int, Json] = {}
    heard: list[tuple[int, Tell]] = []
    game: Game | None = None

    def hear(tell: Tell) -> None:
        if game is not None:
            turn, _ = table.rules.clock(game.state)
            if (turn - 1) not in stood and turn > 1:
                stood[turn - 1] = table.rules.situation(table.rules.copy(game.state))
            heard.append((turn, tell))

    game = Game.new(table.rules, table.board, dict(table.genesis.terms.options))
    game.hear = hear
    for step in table.steps:
        if step["kind"] in ("roll", "draw"):
            game.apply(tuple(step["result"]))
        elif step["kind"] in ("order", "answer"):
            side = step["side"]
            order = table.rules.read_order(table.board, side, tuple(step["words"]))
            ends_steps(game, lambda asked, side=side, order=order: asked.side == side and asked.why_not(order) is None)
            game.apply(order)
    ends_steps(game, lambda _: False)
    return stood, heard


def ends_steps(game: Game, fits: Callable[[Choose], bool]) -> None:
    """End the steps that an entry passed over, until what is asked fits; nobody's step tells that it ended so."""
    while isinstance(asked := game.request, Choose) and not fits(asked) and asked.ends is not None:
        game.apply(asked.ends.order)


def test_there_is_one_of_each_system() -> None:
    assert GAMES.keys() == ADAPTERS.keys()
    assert all(name in wholes(system) for system, name in GAMES.items())
    assert {system: dict(ended(system)[0].rules.TOLL[2]) for system in GAMES} == {
        **{name: {} for name in GAMES},
        **COSTS,
    }


@EACH
def test_losses_are_those_that_its_events_tell(system: str) -> None:
    table, _ = ended(system)
    _, heard = played_again(system)
    side_of = {unit: side for side, units in table.rules.of_side(table.board).items() for unit in units}
    lost: Counter[tuple[int, str]] = Counter()
    toll: Counter[tuple[int, str]] = Counter()
    for turn, tell in heard:
        if tell.what == "remove":
            lost[turn, side_of[tell.facts["unit"]]] += 1
        if (fact := COSTS.get(system, {}).get(tell.what)) is not None:
            toll[turn, side_of[tell.facts["unit"]]] += tell.facts.get(fact, 0) if fact else 1
    found = [(t["turn"], side["side"], side) for t in told(system)["calendar"] for side in t["sides"]]
    assert {(turn, side): len(of["lost"]) for turn, side, of in found if of["lost"]} == lost
    assert {(turn, side): of["toll"] for turn, side, of in found if of["toll"]} == toll
    for side in {side for _, side, _ in found}:
        own = [(turn, of) for turn, s, of in found if s == side]
        for turn, of in own:
            assert of["lost_so_far"] == sum(n for (t, s), n in lost.items() if s == side and t <= turn)
            assert of["toll_so_far"] == sum(n for (t, s), n in toll.items() if s == side and t <= turn)
    assert lost
    assert bool(toll) == (system in COSTS)


@EACH
def test_every_turn_has_its_score_and_its_fights(system: str) -> None:
    table, _ = ended(system)
    stood, heard = played_again(system)
    calendar = told(system)["calendar"]
    last, _ = table.rules.clock(table.game.state)
    assert [t["turn"] for t in calendar] == [*range(1, last + 1)]
    stood = {**stood, last: table.rules.situation(table.game.state)}
    assert stood.keys() == {*range(1, last + 1)}
    fights = Counter(turn for turn, tell in heard if {"result", "at"} <= tell.facts.keys() and tell.facts.get("from"))
    for t in calendar:
        counted = [entry for entry in stood[t["turn"]]["progress"] if "part" not in entry]
        assert [entry["side"] for entry in t["score"]] == [entry["side"] for entry in counted]
        for entry, of in zip(t["score"], counted, strict=True):
            number = of["count"] / 2 if of["halves"] else of["count"]
            assert of.get("told", "") in entry["told"]
            assert "told" in of or f"{number:g}" in entry["told"] or of["halves"]
        assert t["fights"] == fights[t["turn"]]
        assert t["told"]
        assert (t["told"] == [so_far.NOTHING]) <= (not t["fights"])
    assert sum(fights.values())
    assert all(t["over"] for t in calendar)


@EACH
def test_tracks_lead_through_who_stood_where_at_the_end_of_each_turn(system: str) -> None:
    table, _ = ended(system)
    stood, _ = played_again(system)
    last, _ = table.rules.clock(table.game.state)
    stood = {**stood, last: table.rules.situation(table.game.state)}
    maps = table.rules.maps(table.board)
    tracks = told(system)["tracks"]
    for turn, situation in stood.items():
        units = {unit["id"]: unit for unit in situation["units"]}
        there = {(unit["side"], unit["formation"]) for unit in units.values() if unit["at"] and unit["formation"]}
        stands = {
            (track["side"], track["formation"]): stand
            for track in tracks
            for stand in track["stands"]
            if stand["turn"] == turn
        }
        assert stands.keys() == there
        for (side, formation), stand in stands.items():
            of = [u for u in units.values() if (u["side"], u["formation"]) == (side, formation) and u["at"]]
            assert (stand["at"], stand["units"]) == (units[stand["unit"]]["at"], len(of))
            leaders = [unit for unit in of if unit.get("command")]
            assert stand["unit"] in [unit["id"] for unit in leaders or of]
            if not leaders and len(maps) == 1:
                (chart,) = maps.values()
                at = {unit["id"]: chart.parse(unit["at"]) for unit in of}
                far = {unit: sum(distance(h, other) for other in at.values()) for unit, h in at.items()}
                assert far[stand["unit"]] == min(far.values())


@EACH
def test_it_is_drawn_and_laid_out(system: str) -> None:
    table, _ = ended(system)
    data, situation = told(system), table.rules.situation(table.game.state)
    drawn = draw_tracks(data["tracks"], situation, table.rules.maps(table.board), "So far")
    assert [map.name for map in drawn] == (situation["maps"] or ["table"])
    shown = set()
    for map in drawn:
        root = ElementTree.fromstring(map.svg)  # noqa: S314 our own
        words = {"".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")}
        shown |= {
            t["title"] for t in data["tracks"] if any(word.split(", until turn")[0] == t["title"] for word in words)
        }
    assert shown == {track["title"] for track in data["tracks"]}
    page = so_far.html(data, {map.title: map.svg for map in drawn})
    assert page.count("<svg") == len(drawn)
    assert not re.search(r"<(script|link|img|iframe)\b|\b(src|href)=\"(?!#)", page)
    assert page.count("<h3>") == len(data["calendar"]) + len(data["tracks"])
    text = so_far.text(data)
    assert text.isascii()
    assert max(map_len(text)) <= 76
    for t in data["calendar"]:
        for line in t["told"]:
            assert " ".join(line.split()) in " ".join(text.split()) or not line.isascii()


def test_each_of_two_maps_has_the_tracks_on_it() -> None:
    ends = TurnEnds()
    table = replay(log_of("yukimura", "connected-west"), scenario_of, look=ends).table
    assert table is not None
    data = so_far.data(table, ends, scenario_of("connected"))
    situation, maps = table.rules.situation(table.game.state), table.rules.maps(table.board)
    drawn = draw_tracks(data["tracks"], situation, maps, "So far")
    assert [map.name for map in drawn] == [*maps] == ["domyoji", "yao"]
    for map, chart in zip(drawn, maps.values(), strict=True):
        for track in data["tracks"]:
            on_it = any(chart.find(stand["at"]) is not None for stand in track["stands"])
            assert (re.search(rf">{re.escape(track['title'])}[<,]", map.svg) is not None) == on_it, track["title"]


def map_len(text: str) -> list[int]:
    """How long the lines of a text are."""
    return [len(line) for line in text.splitlines()]


def test_names_of_tracks_stay_on_the_paper_in_a_wide_font() -> None:
    """`III Corps, Army of the Potoma` stood at the right edge where a browser had DejaVu Sans for Helvetica."""
    words, size = "III Corps, Army of the Potomac", 40.0
    at, far = Point(700, 100), Point(400, 100)
    half = width_of(words, size, bold=True) / 2
    paper = at.x + half + 10
    assert least_covered([at, far], words, size, [], paper)[0] == at
    assert least_covered([at, far], words, size, [], paper, 1.18)[0] == far
    table = Match(scenario_of("rapidan-to-rappahannock"), 7).table
    maps, situation = table.rules.maps(table.board), table.rules.situation(table.game.state)
    ends = ("S5021", "S5321", "S4820", "S5118", "N5620", "N5819")
    found = [
        {"title": words, "side": "union", "stands": [{"turn": 1, "at": end, "unit": "pope", "units": 1}]}
        for end in ends
    ]
    (map,) = draw_tracks(found, situation, maps, "So far")
    (width,) = [float(wide) for wide in re.findall(r'viewBox="\S+ \S+ ([0-9.]+)', map.svg)]
    drawn = re.findall(rf'<text x="([0-9.]+)" y="[0-9.]+" font-size="([0-9.]+)"[^>]*>{words}<', map.svg)
    assert len(drawn) >= len(ends)
    for x, tall in drawn:
        assert float(x) + 1.17 * width_of(words, float(tall), bold=True) / 2 <= width


def test_turns_have_their_dates_where_the_scenario_tells_the_first() -> None:
    calendar = told("gcacw")["calendar"]
    scenario = scenario_of(told("gcacw")["scenario"]["id"])
    first = read_day(scenario.data["scenario"]["first-day"])
    assert first is not None
    assert [t["date"] for t in calendar] == [str(first.after(n)) for n in range(len(calendar))]
    assert calendar[0]["date"].endswith(" August 1862")
    assert {t["date"] for t in told("yukimura")["calendar"]} == {""}


def until_turn(match: Match, turn: int) -> None:
    """Play by the rules' own advice until a turn has begun."""
    rules = match.table.rules
    while rules.clock(match.table.game.state)[0] < turn:
        what, _ = match.due()
        match.play("" if what in BARE else "done;" if what == "orders" else "")


def test_what_an_undo_takes_back_counts_no_more() -> None:
    """Behind it the turn goes on, and ends anew."""
    match = Match(scenario_of("cedar-mountain"), 1)
    until_turn(match, 2)
    assert turns(match) == [0, 1, 2]
    target = match.table.decisions[-2]
    for words in (("offer", str(target)), ("accept",)):
        name = str(match.table.due().player)
        body = (Statement("undo", words),)
        match.blocks.append(sign_agreement(match.table, name, signer(name), match.secrets[name], "undo", body).block)
        table = replayed(match.log).table
        assert table is not None
        match.table = table
    assert turns(match) == [0, 1]
    until_turn(match, 3)
    assert turns(match) == [0, 1, 2, 3]


def turns(match: Match) -> list[int]:
    """The turns at whose ends the situation is known, the one that goes on the last."""
    ends = TurnEnds()
    table = replay(match.log, scenario_of, look=ends).table
    assert table is not None
    found: Mapping[int, Json] = ends.of(table)
    assert all(situation["turn"] == turn + 1 for turn, situation in found.items() if 0 < turn < max(found))
    return [*found]


def test_the_command_tells_it_in_every_form(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    match = Match(scenario_of("cedar-mountain"), 1)
    until_turn(match, 3)
    write_home(match, "asuka", tmp_path / "home")

    def report(*words: str) -> tuple[int, str]:
        code = run(["--home", str(tmp_path / "home"), "report", "--so-far", *words])
        return code, capfd.readouterr().out

    code, out = report()
    assert (code, out.splitlines()[1]) == (0, f"The game so far: to turn 3 of 3, entry {match.table.seq}.")
    assert "Turn 1, 8 August 1862.\n" in out
    assert "Turn 3, 10 August 1862 (goes on).\n" in out
    code, out = report("--json")
    assert (code, [t["over"] for t in json.loads(out)["calendar"]]) == (0, [True, True, False])
    code, out = report("--json", "--entry", "3")
    assert (code, json.loads(out)["entry"]["seq"]) == (0, 3)
    page = tmp_path / "so-far.html"
    assert report("--format", "html", "-o", str(page)) == (0, "")
    assert "Who went where" in page.read_text("utf-8")
    assert report("--format", "svg")[1].startswith("<svg")
    assert report("--entry", "999")[0] == 1
    assert report("--crops", "--format", "svg", "-o", str(tmp_path / "x.svg"))[0] == 1
    assert report("--format", "html", "--map", "moon")[0] == 1


def test_it_tells_what_my_own_dice_have_brought_as_the_report_does(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """`report` told of the next turn and other places when `open` had rolled what waited for my dice."""
    match = Match(scenario_of("rapidan-to-rappahannock"), 7)
    for _ in range(2):
        match.play("done;")
    homes = {name: tmp_path / name for name in ("asuka", "ben")}
    for name, home in homes.items():
        write_home(match, name, home)

    def so_far_of(name: str, *words: str) -> Json:
        assert run(["--home", str(homes[name]), "report", "--json", *words]) == 0
        found: Json = json.loads(capfd.readouterr().out)
        return found

    assert so_far_of("asuka")["situation"]["phase"]["id"] == "union-transfer"
    (event,) = [step for step in (match.due(), match.table.steps)[1] if step.get("what") == "event"]
    calendar = so_far_of("asuka", "--so-far")["calendar"]
    assert [t["told"] != [so_far.NOTHING] for t in calendar] == [False, True], event
    assert so_far_of("ben", "--so-far")["calendar"][1]["told"] == [so_far.NOTHING], "who doesn't know the dice"
    assert so_far_of("asuka", "--so-far", "--entry", "3")["calendar"][1]["told"] == [so_far.NOTHING]


def test_a_calendar_of_the_great_campaigns_tells_random_events_weather_and_raids() -> None:
    """`No fight, no loss, nobody arrived` stood at a turn of rain, and nothing of a command paralysed."""
    table = Match(scenario_of("rapidan-to-rappahannock"), 7).table
    told = [
        ("event", {"dice": [1, 1], "kind": "rain", "side": None, "step": "event"}), ("rain", {"until": 4}),
        ("event", {"dice": [6, 6], "kind": "paralysis", "side": "union", "step": "event"}),
        ("raid", {"unit": "bayard", "at": "S1916", "destroyed": False}),
    ]  # fmt: skip
    for turn, (what, facts) in zip((1, 1, 2, 2), told, strict=True):
        step = {"seq": 3, "turn": turn, "phase": "events", "kind": "tell", "what": what, "clause": "", "facts": facts}
        table.steps.append(step)
    state = table.game.state
    ends = TurnEnds()
    ends(table)
    state.turn = 2
    calendar = so_far.data(table, ends, scenario_of("rapidan-to-rappahannock"))["calendar"]
    assert calendar[0]["told"] == ["Rain to the end of turn 4."]
    raid = "Bayard raided Brandy Station (S1916): the station is damaged"
    assert calendar[1]["told"] == [f"The command of the Union was paralysed; {raid}."]


def test_a_track_goes_on_near_where_its_leader_was_or_ends() -> None:
    """Who stands far from him was never with him: the track doesn't jump to the other end of the map."""
    table = Match(scenario_of("cedar-mountain"), 1).table
    maps = table.rules.maps(table.board)

    def situation(*units: tuple[str, str, bool]) -> dict[str, Any]:
        told = [
            {"id": unit, "name": unit, "side": "union", "formation": "av", "at": at, "command": led}
            for unit, at, led in units
        ]
        return {"sides": [{"id": "union", "title": "Union"}], "units": told}

    led = situation(("pope", "S1916", True), ("in-3", "S0223", False))
    near = situation(("pope", "", True), ("in-3", "S0223", False), ("bayard", "S1919", False))
    far = situation(("pope", "", True), ("in-3", "S0223", False))
    (track,) = tracks({1: led, 2: near, 3: far}, maps, {})
    assert [(stand["turn"], stand["unit"]) for stand in track["stands"]] == [(1, "pope"), (2, "bayard")]
