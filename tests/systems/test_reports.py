"""What reports say of every system: each event of random games in words of its own, phases, luck, and whole reports."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache
from typing import Any

import pytest
from golden import ROOT
from matches import scenario_of

from pbem.match.chances import chance_answer
from pbem.match.course import Course
from pbem.match.genesis import Genesis, Player, Terms
from pbem.match.orders import Act
from pbem.match.replay import replay
from pbem.match.table import Table
from pbem.picture.news import is_fight, marks
from pbem.picture.scene import draw
from pbem.report import build as report
from pbem.report import source
from pbem.report.layout import fill
from pbem.report.telling import Teller
from pbem.rules import SYSTEMS, rules_of
from pbem.rules.requests import Choose
from systems.adapters import ADAPTERS
from systems.whole import log_of, table_of

GAMES = [
    (system, scenario, seed, reactions)
    for system, adapter in ADAPTERS.items()
    for scenario in adapter.SCENARIOS
    for seed, reactions in ((1, "standing"), (3, "ask"))
]
GAMES += [
    (system, scenario, 1, "standing")
    for system, adapter in ADAPTERS.items()
    for scenario in getattr(adapter, "REPORTED", ())
]
KEPT = ROOT / "tests" / "systems" / "games"
EVERY_SYSTEM = pytest.mark.parametrize("system", ADAPTERS)
MOST = 800
"""Decisions of a game that is looked at."""

DICE = ("fire", "melee", "attack", "check", "risk")
"""Events of dice whose results are counted, where the adapter names no others."""


def empty_table(system: str, scenario: str, reactions: str = "standing") -> Table:
    """A game's table before its first decision, without keys and mails."""
    rules, given = rules_of(system), scenario_of(scenario)
    first, second = (side["id"] for side in given.data["scenario"]["sides"])
    terms = Terms(rules.EDITION, scenario, given.digest, (), reactions)
    players = (Player("asuka", first, b"key"), Player("ben", second, b"key"))
    return Table(Genesis(bytes(32), terms, players), rules, rules.board(given.data), bytes(32))


@cache
def played(system: str, scenario: str, seed: int, reactions: str, most: int = MOST) -> Table:
    """A random game, every decision an entry; its steps are those of a log."""
    chance = random.Random(f"{scenario} {seed}")
    table = empty_table(system, scenario, reactions)
    table.course.chancer = lambda request: chance_answer(request, chance)
    table.course.begin()
    table.course.resolve()
    for number in range(2, most + 2):
        request = table.game.request
        if not isinstance(request, Choose):
            break
        order = ADAPTERS[system].dawdle(table.game.state, request, chance)
        table.seq, table.course.decided = number, (number, b"")
        act = Act(order, table.rules.order_words(table.board, order))
        table.course.play(request.side, [(1, act)], reaction=request.reaction)
        table.course.resolve()
    return table


def of(system: str) -> list[Table]:
    """The random games of a system."""
    return [played(*game) for game in GAMES if game[0] == system]


def teller(table: Table) -> Teller:
    return Teller(table.rules.situation(table.game.state), source.direction_of(table), None)


# --- every event of random games -------------------------------------------------------------------------------------


QUOTED = r'\(\w+-\d+ to \w+-\d+\)|"[^"]*"|(?:ordered|by default|decided|Standing order of [A-Za-z -]+): [^.]*\.'
"""The orders that a sentence quotes, and the span of a force's ids."""


def bare_ids(told: str, table: Table) -> list[str]:
    """The ids in a sentence that neither stand in brackets behind a name nor in an order that it quotes."""
    told = re.sub(QUOTED, "", told)
    for unit in table.board.units.values():
        told = told.replace(f"{unit.id} {unit.name}", unit.name)
    return [unit for unit in re.findall(r"(?<![(`\w-])[a-z]+-\d\d\b", told) if unit in table.board.units]


@pytest.mark.parametrize(("system", "scenario", "seed", "reactions"), GAMES)
def test_every_event_of_a_random_game_has_its_own_sentence(
    system: str, scenario: str, seed: int, reactions: str
) -> None:
    table = played(system, scenario, seed, reactions)
    speaker = teller(table)
    assert len(table.steps) > getattr(ADAPTERS[system], "SHORT", {}).get(scenario, 200)
    for step in table.steps:
        if step.get("what") == "phase":
            speaker.names.forget()
        told, known = speaker.tell(step)
        assert known, step
        assert told.isprintable(), told
        assert told[-1] in '."', told
        assert not re.search(r"\bNone\b|\bTrue\b|\bFalse\b|[{}\[\]<>]|  | ,| \.|\.\.", told), told
        assert step["kind"] in ("roll", "draw") or not bare_ids(told, table), told
        assert max(map(len, fill(told).split("\n"))) <= report.WIDTH


@pytest.mark.parametrize("system", sorted(folder.name for folder in KEPT.iterdir()))
def test_every_order_of_the_signed_games_is_told_in_words(system: str) -> None:
    """Those with words that name nobody, too: what said `by none` was signed, and no mail of it could be written."""
    told = 0
    for log in sorted((KEPT / system).glob("*.log")):
        text = log.read_text("ascii")
        speaker = teller(played(system, re.findall(r"^scenario ([\w-]+)", text, re.M)[0], 1, "standing", 0))
        orders = re.findall(r"^(?:in [\w-]+: )?(?:if [^;]* then )?([a-z]\w*[^;]*);$", text, re.M)
        for words in {tuple(order.split()) for order in orders}:
            if speaker.macro(f"do_{words[0]}"):
                assert not re.search(r"\bNone\b|[{}\[\]<>]|  | ,|\.\.", speaker.order(words)), words
                told += 1
    assert told > 100


@EVERY_SYSTEM
def test_the_templates_have_every_event_of_the_rules_and_the_games_show_all_but_the_rare_ones(system: str) -> None:
    package, kit = ROOT.joinpath(*SYSTEMS[system].split(".")), ROOT / "pbem" / "rules" / "kit"
    code = "".join(path.read_text("utf-8") for path in (*package.glob("*.py"), *kit.glob("*.py")))
    events = {what.replace("-", "_") for what in re.findall(r'Tell\(\s*"([\w-]+)"', code)}
    template = (ROOT / "templates" / system / "events.j2").read_text("utf-8")
    assert set(re.findall(r"macro tell_(\w+)", template)) == events
    shown = {step["what"].replace("-", "_") for table in of(system) for step in table.steps if step["kind"] == "tell"}
    assert events - shown <= ADAPTERS[system].RARELY_TOLD


@EVERY_SYSTEM
def test_luck_knows_what_is_good_for_every_kind_of_roll(system: str) -> None:
    good = ADAPTERS[system].GOOD
    assert good == rules_of(system).GOOD
    rolls = {step["label"].split("/")[0] for table in of(system) for step in table.steps if step["kind"] == "roll"}
    assert rolls <= good.keys() | getattr(ADAPTERS[system], "NEITHER", set())


@EVERY_SYSTEM
def test_every_phase_has_a_title(system: str) -> None:
    found = {}
    for table in of(system):
        speaker = teller(table)
        phases = {step["facts"]["phase"] for step in table.steps if step.get("what") == "phase"}
        found |= {phase: speaker.title(3, phase, 12) for phase in phases}
    turn = rules_of(system).TURN.capitalize()
    assert {phase: title.removeprefix(f"{turn} 3 of 12, ") for phase, title in found.items()} == ADAPTERS[system].PHASES


# --- headlines and dice ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "scenario", "seed", "reactions"), GAMES)
def test_headlines_of_a_random_game_are_whole_and_number_its_fights(
    system: str, scenario: str, seed: int, reactions: str
) -> None:
    table = played(system, scenario, seed, reactions)
    given = source.report_input(table, scenario_of(scenario), None) | {"steps": table.steps}
    groups = [group["actions"] for group in report.build(given)["news"]]
    actions = [action for group in groups for action in group]
    for action, others in ((action, group) for group in groups for action in group):
        told = action["headline"]
        assert told.isprintable()
        assert not told or told[-1] in '."', told
        assert not re.search(r"\bNone\b|\bTrue\b|\bFalse\b|[{}<>]|  | [,;:]|\.[.;]|; ;|: ;|\. and ", told), told
        silent = {"setup", "declare"} if system == "samurai" else {"setup"}  # what is declared its fire tells
        elsewhere = _told_elsewhere(action, others)
        assert told or elsewhere or all(item["kind"] == "order" or item["what"] in silent for item in action["items"])
    assert [n for action in actions for n in action["fights"]] == list(range(1, 1 + sum(map(is_fight, table.steps))))
    assert [mark["number"] for mark in marks(table.steps, given["situation"])["fights"]] == list(
        range(1, 1 + sum(map(is_fight, table.steps)))
    )


def _told_elsewhere(action: dict[str, Any], others: list[dict[str, Any]]) -> bool:
    """Whether an action is the move of a unit over a table that another headline of the phase tells, with its place."""
    facts = action["items"][0]["facts"]
    if action["of"] or action["items"][0]["what"] != "move":
        return False
    place = f"{facts['unit']} ({facts['path'][-1].replace('-', ' ')}"
    return any(place in other["headline"] for other in others)


@EVERY_SYSTEM
def test_what_dice_brought_is_among_what_they_could_bring(system: str) -> None:
    """As often as the chances say, over all random games."""
    expected: Counter[str] = Counter()
    came: Counter[str] = Counter()
    number, brought = 0, getattr(ADAPTERS[system], "brought", None)
    for table in of(system):
        for step in table.steps:
            if step["kind"] != "tell" or step["what"] not in getattr(ADAPTERS[system], "DICE", DICE):
                continue
            found = table.rules.chances(table.board, step["what"], step["facts"])
            assert sum(found.values()) == 1
            facts = step["facts"]
            if brought is not None:
                result = brought(step["what"], facts)
            elif step["what"] != "check":
                result = {"-": "no effect"}.get(facts["result"], facts["result"])
                words = {str(add): f"check +{add}" for add in range(5)}
                result = words.get(result, result) if step["what"] == "fire" else result
            elif facts["passed"]:
                result = "stands"
            else:
                result = "breaks" if "retreat" not in facts else "must retreat" if facts["retreat"] else "removed"
            assert found[result] > 0
            came[result] += 1
            expected.update({what: float(share) for what, share in found.items()})
            number += 1
    assert number > 40
    assert all(abs(expected[what] - came[what]) < 5 * max(1, expected[what]) ** 0.5 for what in expected)


@EVERY_SYSTEM
def test_events_without_dice_have_no_chances(system: str) -> None:
    rules = rules_of(system)
    board = of(system)[0].board
    assert rules.chances(board, "move", {}) == rules.chances(board, "control", {}) == {}


@pytest.mark.parametrize(("system", "name"), [("bakumatsu", "shogunate-holds"), ("yukimura", "asked")])
def test_the_luck_of_a_game_is_the_sum_of_all_its_dice(system: str, name: str) -> None:
    """Counted as the game goes on, and so in a copy and in what a cache keeps of it; a second count from all steps."""
    table = table_of(system, name)
    unit_side = {u["id"]: u["side"] for u in table.rules.situation(table.game.state)["units"]}
    counted: Counter[tuple[str, str]] = Counter()
    pending: list[Any] = []
    for step in table.steps:
        if step["kind"] == "roll":
            pending.append(step)
        elif step["kind"] == "tell" and step["what"] != "phase":
            side = step["facts"].get("side") or unit_side[step["facts"]["unit"]] if pending else ""
            for roll in pending:
                good = 1 if table.rules.GOOD[roll["label"].split("/")[0]] == "high" else -1
                counted[side, "better"] += good * (2 * sum(roll["result"]) - 7 * len(roll["result"]))
            pending.clear()
    data = source.report_data(table, scenario_of(table.genesis.terms.scenario), None)
    assert len(data["luck_of_game"]) == 2
    for side in data["luck_of_game"]:
        assert side["better"] == side["turns"][-1]["better"] == counted[side["side"], "better"] / 2
        assert side["dice"] == sum(
            dice for key, (dice, _) in table.course.luck.items() if key.split(" ")[1] == side["side"]
        )
    assert sum(side["dice"] for side in data["luck_of_game"]) == sum(
        len(step["result"]) for step in table.steps if step["kind"] == "roll"
    )
    again = Course.load(table.genesis, table.rules, table.board, table.course.dump())
    assert again.luck == table.course.fork().luck == table.course.luck


# --- whole reports ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "scenario"), [(s, name) for s in ADAPTERS for name in ADAPTERS[s].SCENARIOS])
@pytest.mark.parametrize(("most", "reader"), [(0, "ben"), (40, "asuka"), (250, "ben"), (MOST, None)])
def test_a_report_is_complete_and_fits(system: str, scenario: str, most: int, reader: str | None) -> None:
    table = played(system, scenario, 2, "ask", most)
    given = source.report_input(table, scenario_of(scenario), reader)
    data = report.build(given | {"steps": table.steps[-300:]}, source.direction_of(table))
    assert all(item["known"] for group in data["news"] for action in group["actions"] for item in action["items"])
    text = report.text(data)
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= report.WIDTH
    assert f"Rules {table.rules.EDITION}" in text
    for unit in data["situation"]["units"]:
        if unit["where"] == "map":
            assert f"({unit['id']})" in text
    drawn = draw(table.rules.maps(table.board), given)
    page = report.html(data, {picture.title: picture.svg for picture in drawn})
    assert "<script" not in page
    assert page.count("<svg") >= len(drawn) >= 1


FOUGHT = [
    ("bakumatsu", "entry-by-retreat"), ("yukimura", "yao-osaka-collapses"), ("yukimura", "dream-osaka"),
    ("samurai", "rallied"),
]  # fmt: skip


@pytest.mark.parametrize(("system", "name"), FOUGHT)
def test_each_fight_is_drawn_in_whatever_phase_it_was(system: str, name: str) -> None:
    """A turn's last phase, too: who ordered it is shown it when the next mail comes."""
    end = table_of(system, name)
    scenario, log = scenario_of(end.genesis.terms.scenario), log_of(system, name)
    fights = [step for step in end.steps if is_fight(step)]
    last = [
        max((f for f in fights if f["turn"] == turn), key=lambda f: f["seq"]) for turn in {f["turn"] for f in fights}
    ]
    for fight in last:
        table = replay(log, scenario_of, until=min(fight["seq"] + 1, end.seq)).table
        assert table is not None
        reader = min(table.played, key=lambda player: table.played[player])
        data = source.report_input(table, scenario, reader)
        drawn = marks(data["steps"], data["situation"])["fights"]
        assert len(drawn) == sum(map(is_fight, data["steps"])) > 0
        assert fight in [{key: step[key] for key in step if key != "chances"} for step in data["steps"]]
        svg = "".join(picture.svg for picture in source.pictures(table, scenario, reader))
        assert all(f"<title>{one['title']}</title>" in svg for one in drawn)
        parts = source.crops(table, scenario, reader)
        assert sum(part.title.startswith("fight") for part in parts) >= 1


@EVERY_SYSTEM
def test_a_map_shows_what_the_readers_report_tells(system: str) -> None:
    """Who moved last sees what his own mail brought, too."""
    name = next(iter(ADAPTERS[system].SCENARIOS))
    table = played(system, name, 2, "ask", MOST)
    scenario = scenario_of(name)
    for reader in table.last_by:
        given = source.report_input(table, scenario, reader)
        assert given["steps"][0]["seq"] >= table.last_by[reader]
        mine = [picture.svg for picture in source.pictures(table, scenario, reader)]
        maps = table.rules.maps(table.board)
        formations = scenario.data["scenario"].get("formations", {})
        assert mine == [picture.svg for picture in draw(maps, given, formations)]
