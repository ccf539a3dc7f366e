"""What reports say of Domyoji and Yao: every event of random games in words, whole reports, and the players' page."""

from __future__ import annotations

import json
import os
import random
import re
from collections import deque
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from pbem.match.check import chance_answer
from pbem.match.game import Game
from pbem.match.genesis import Genesis, Player, Terms
from pbem.match.orders import Act, read_parts
from pbem.match.table import Table
from pbem.picture.scene import draw
from pbem.report import build as report
from pbem.report import source
from pbem.report.layout import fill
from pbem.report.telling import Teller
from pbem.rules import yukimura
from pbem.rules.requests import Choose, Order
from pbem.rules.yukimura.orders import DONE
from pbem.scenario import Scenario, load_scenario
from pbem.wire.blocks import parse_statements

ROOT = Path(__file__).parents[2]
SCENARIOS = ("domyoji", "yao", "connected", "gotos-dream")
GAMES = [(name, seed, how) for name in SCENARIOS for seed, how in ((1, "standing"), (2, "ask"))]
SIDES = {"asuka": "east", "ben": "osaka"}
MOST = 1200
"""Decisions of a game that is looked at."""

EVENTS = {
    "phase", "beside", "release", "reinforcements", "move", "exit", "crossing", "fire", "melee", "check", "mark",
    "retreat", "displace", "remove", "advance", "control", "drop", "end",
    "exempt",
}  # fmt: skip
ID = re.compile(r"(?<![(`\w-])(?:go|ak|mo|sa|hi|ki|ch|da|td|mi|ho|ta|ii|to|sk|og|hs|su|si|se|ty|yn|na)-\d\d\b")
"""A unit's id that doesn't stand in brackets behind a name."""


@lru_cache(maxsize=4)
def scenario(name: str) -> Scenario:
    return load_scenario(name)


def empty_table(name: str, reactions: str = "standing") -> Table:
    """A game's table before its first decision, without keys and mails."""
    players = tuple(Player(player, side, b"key") for player, side in SIDES.items())
    terms = Terms(yukimura.EDITION, name, scenario(name).digest, (), reactions)
    board = yukimura.board(scenario(name).data)
    return Table(Genesis(bytes(32), terms, (players[0], players[1])), yukimura, board, bytes(32))


def decide(table: Table, request: Choose, chance: random.Random) -> Order:
    """A random order; leaders whose move would end the battle stay, few leave the map, and nobody is done early."""
    leaders = {unit for units in table.board.collapse.values() for unit in units}
    order = request.sample(chance)
    for _ in range(20):
        leaves = getattr(order, "off", False) and chance.random() < 0.95
        early = order == DONE and chance.random() < 0.8
        if request.kind != "move" or not (leaves or early or getattr(order, "unit", "") in leaders):
            return order
        order = request.sample(chance)
    return DONE


@lru_cache(maxsize=len(GAMES))
def played(name: str, seed: int, reactions: str, most: int = MOST) -> Table:
    """A random game, every decision an entry; its steps are those of a log."""
    chance = random.Random(f"{name} {seed}")
    table = empty_table(name, reactions)
    table.course.chancer = lambda request: chance_answer(request, chance)
    table.course.begin()
    table.course.resolve()
    for number in range(2, most + 2):
        request = table.game.request
        if not isinstance(request, Choose):
            break
        order = decide(table, request, chance)
        table.seq, table.course.decided = number, (number, b"")
        act = Act(order, yukimura.order_words(table.board, order))
        table.course.play(request.side, [(1, act)], reaction=request.reaction)
        table.course.resolve()
    return table


def teller(table: Table) -> Teller:
    return Teller(yukimura.situation(table.game.state), source.direction_of(table), None)


def tell(table: Table, what: str, **facts: Any) -> str:
    """The sentence of an event; it must be its own."""
    told, known = teller(table).tell({"kind": "tell", "what": what, "facts": facts})
    assert known, what
    return told


@pytest.fixture(scope="module")
def domyoji() -> Table:
    table = empty_table("domyoji")
    table.course.begin()
    return table


# --- every event of random games -------------------------------------------------------------------------------------


def quoted(told: str) -> str:
    """A sentence without the orders that it quotes, and without the span of a force's ids."""
    return re.sub(
        r'\(\w+-\d+ to \w+-\d+\)|"[^"]*"|(?:ordered|own choice|decided|Standing order of [A-Za-z ]+): [^.]*\.', "", told
    )


def named(told: str, table: Table) -> str:
    """A sentence without ids that stand before their names, as refusals and outcomes have them."""
    for unit in table.board.units.values():
        told = told.replace(f"{unit.id} {unit.name}", unit.name)
    return told


@pytest.mark.parametrize(("name", "seed", "reactions"), GAMES)
def test_every_event_of_a_random_game_has_its_own_sentence(name: str, seed: int, reactions: str) -> None:
    table = played(name, seed, reactions)
    speaker = teller(table)
    assert len(table.steps) > 200
    for step in table.steps:
        if step.get("what") == "phase":
            speaker.names.forget()
        told, known = speaker.tell(step)
        assert known, step
        assert told.isascii(), told
        assert told[-1] in '."', told
        assert not re.search(r"\bNone\b|\bTrue\b|\bFalse\b|[{}\[\]<>]|  | ,| \.|\.\.", told), told
        assert step["kind"] == "roll" or not ID.search(named(quoted(told), table)), told
        assert max(map(len, fill(told).split("\n"))) <= report.WIDTH


def test_the_random_games_show_every_event_and_the_templates_no_other() -> None:
    shown = {step["what"] for game in GAMES for step in played(*game).steps if step["kind"] == "tell"}
    assert EVENTS - shown <= {"control", "crossing", "beside", "end", "exempt", "exit"}  # shown below, one by one
    template = (ROOT / "templates" / "yukimura" / "events.j2").read_text(encoding="utf-8")
    assert set(re.findall(r"macro tell_(\w+)", template)) == EVENTS
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "pbem" / "rules" / "yukimura").glob("*.py"))
    assert set(re.findall(r'Tell\(\s*"(\w+)"', code)) == EVENTS


def test_luck_knows_what_is_good_for_every_kind_of_roll() -> None:
    rolls = {step["label"].split("/")[0] for game in GAMES for step in played(*game).steps if step["kind"] == "roll"}
    assert rolls <= {"fire", "melee", "check", "release", "arrival"}
    speaker = teller(played(*GAMES[0]))
    assert {kind: speaker.good(kind) for kind in ("fire", "melee", "check", "release", "arrival", "draw")} == {
        "fire": "high", "melee": "high", "check": "low", "release": "low", "arrival": "low", "draw": None,
    }  # fmt: skip


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_phase_has_a_title(name: str) -> None:
    table = played(name, 1, "standing")
    titles = {step["facts"]["phase"]: step["phase"] for step in table.steps if step.get("what") == "phase"}
    speaker = teller(table)
    found = {phase: speaker.title(3, phase, 12) for phase in titles}
    assert found.get("osaka-defence") == "Turn 3 of 12, Osaka Army Defensive Fire Phase"
    assert found["east-move"] == "Turn 3 of 12, Eastern Army Movement Phase"
    assert found["east-combat"] == "Turn 3 of 12, Eastern Army Combat Phase"
    assert found.get("start") == ("Turn 3 of 12, Set-up" if name == "connected" else None)


# --- sentences -------------------------------------------------------------------------------------------------------


def test_sentences_are_the_golden_ones(domyoji: Table) -> None:
    """Events and sentences of tests/report/yukimura.json; `PBEM_REGENERATE=1` makes the sentences anew."""
    path = ROOT / "tests" / "report" / "yukimura.json"
    cases = json.loads(path.read_text(encoding="ascii"))
    made = [case | {"told": tell(domyoji, case["what"], **case["facts"])} for case in cases]
    if os.environ.get("PBEM_REGENERATE"):
        path.write_text(json.dumps(made, indent=1) + "\n", encoding="ascii")
    assert made == json.loads(path.read_text(encoding="ascii"))
    assert {case["what"] for case in cases} == EVENTS


# --- whole reports ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize(("most", "reader"), [(0, "ben"), (40, "asuka"), (250, "ben"), (MOST, None)])
def test_a_report_is_complete_and_fits(name: str, most: int, reader: str | None) -> None:
    table = played(name, 2, "ask", most)
    given = source.report_input(table, scenario(name), reader)
    data = report.build(given | {"steps": table.steps[-300:]}, source.direction_of(table))
    assert all(item["known"] for group in data["news"] for action in group["actions"] for item in action["items"])
    text = report.text(data)
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= report.WIDTH
    assert f"Rules {yukimura.EDITION}" in text
    for unit in data["situation"]["units"]:
        if unit["where"] == "map":
            assert f"({unit['id']})" in text
    page = report.html(data, {picture.title: picture.svg for picture in draw(yukimura.maps(table.board), given)})
    assert "<script" not in page
    assert page.count("<svg") >= len(table.board.maps)
    assert "Chain Retreat marker" in page or not any(step.get("what") == "mark" for step in table.steps[-300:])


def chain_retreat() -> Table:
    """A melee whose target retreats over two friends, onto the second; the first falls back as well."""
    table = empty_table("domyoji")
    table.course.begin()
    s = table.game.state
    for unit, number in (("mi-02", "1510"), ("mi-03", "1609"), ("go-06", "1509"), ("go-08", "1508"), ("go-09", "1507")):
        s.put(unit, table.board.parse(number))
    s.phase, s.opened, s.step = 3, True, "fire"
    table.course.game = Game(yukimura, table.board, s, table.course._hear)
    table.steps.clear()
    table.course.standing["osaka"] = [("retreat", "go-06", "1507")]
    dice = deque([4, 5, 4, 6, 2])
    table.course.chancer = lambda roll: tuple(dice.popleft() for _ in range(roll.dice)) if dice else None
    attack = "melee mi-02 at go-06 with mi-03 advance mi-02 advance mi-03"
    order = yukimura.read_order(table.board, "east", tuple(attack.split()))
    table.course.play("east", [(1, Act(order, yukimura.order_words(table.board, order)))], reaction=False)
    table.course.resolve()
    return table


def test_a_melee_with_a_chain_retreat_is_told_step_by_step() -> None:
    """All that follows from the order stands in one paragraph, in the order of the rules, each step with its die."""
    table = chain_retreat()
    given = source.report_input(table, scenario("domyoji"), None) | {"steps": table.steps}
    data = report.build(given, source.direction_of(table))
    (action,) = data["news"][0]["actions"]
    assert [item["what"] for item in action["items"] if item["kind"] == "tell"] == [
        "melee", "check", "retreat", "mark", "mark", "displace", "check", "retreat", "check", "advance", "advance",
    ]  # fmt: skip
    text = report.text(data)
    found = text[text.index("  Mizuno mounted 1") : text.index("\n\n", text.index("  Mizuno mounted 1"))] + "\n"
    path = ROOT / "tests" / "report" / "yukimura-chain.txt"
    if os.environ.get("PBEM_REGENERATE"):
        path.write_text(found, encoding="ascii")
    assert found == path.read_text(encoding="ascii")


# --- the players' page -----------------------------------------------------------------------------------------------


def examples() -> list[str]:
    """The orders that docs/yukimura.md shows: in the tables' second column, in its lines and as blocks."""
    text = (ROOT / "docs" / "yukimura.md").read_text(encoding="utf-8")
    blocks = [line.strip() for line in text.splitlines() if line.startswith("    ") and line.endswith(";")]
    return blocks + [
        shown for shown in re.findall(r"`([^`]+;)`", text) if not re.search(r"[A-Z]{2}|\bU\b|\bV\b", shown)
    ]


@pytest.mark.parametrize("text", dict.fromkeys(examples()))
def test_an_example_of_the_page_can_be_read(text: str) -> None:
    table = played("connected", 1, "standing", 0) if "Y2801" in text else played("domyoji", 1, "standing", 0)
    found, wrong = parse_statements(text)
    assert wrong == []
    side = "osaka" if re.search(r"hideyori|retreat (go|any)|\bgo-06 1922", text) else "east"
    parts, errors = read_parts(yukimura, table.board, side, found)
    assert errors == []
    assert len(parts) == 1


def test_the_page_has_every_order_word_and_condition() -> None:
    from pbem.rules.kit.words import CONDITIONS
    from pbem.rules.yukimura.conditions import STATES
    from pbem.rules.yukimura.orders import USAGE
    from pbem.rules.yukimura.reading import STANDING
    from pbem.rules.yukimura.state import OPTIONS

    page = (ROOT / "docs" / "yukimura.md").read_text(encoding="utf-8")
    protocol = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8").partition("#### yukimura/1")[2]
    for word in (*USAGE, *OPTIONS):
        assert re.search(rf"`(?:standing )?{word}\b", page), word
    for word in CONDITIONS:
        assert f"| `{word} " in page, word
    for word in STANDING:
        assert f"standing {word} " in page, word
        assert f"standing {word} " in protocol, word
    for word in STATES:
        assert f"`is U {word}`" in page, word
    assert " ".join(STATES) in protocol


def test_the_protocol_has_every_key_of_the_state(domyoji: Table) -> None:
    protocol = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8").partition("#### yukimura/1")[2]
    shown = re.findall(r'"(\w+)": ', protocol.partition("`options` has")[0])
    assert sorted(shown) == sorted(yukimura.dump(domyoji.game.state))
