"""The order language of the system: orders, standing orders, conditions; and the situation as data."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pbem.errors import AmbiguousOrder, MalformedOrder
from pbem.match.game import Game
from pbem.rules import yukimura
from pbem.rules.requests import Roll
from pbem.rules.yukimura.board import Board
from pbem.scenario import load_scenario

SCHEMA = json.loads((Path(__file__).parents[3] / "docs" / "situation.schema.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def board() -> Board:
    return yukimura.board(load_scenario("connected").data)


@pytest.mark.parametrize(
    "text",
    [
        "beside hideyori D2001",
        "move go-01 D2122",
        "move go-01 D2122 D2123 off",
        "move go-01 off",
        "march go-01 D2122",
        "march go-01 D2122 off",
        "enter da-01 D2035 D2034",
        "fire go-04 at mi-01",
        "fire go-04 at mi-01 with go-05 go-06",
        "fire go-04 at mi-01 with go-05 advance go-05",
        "fire go-04 at mi-01 with go-05 go-06 or fewer",
        "fire go-04 at mi-01 with go-05 or fewer advance go-05",
        "melee go-01 at mi-01 with go-02 or fewer advance go-02 D1924 D1925 advance go-01 hold",
        "fire go-04 at mi-01 hold",
        "melee go-01 at mi-01",
        "melee go-01 at mi-01 with go-02 advance go-02 D1924 D1925 advance go-01",
        "melee go-01 at mi-01 advance go-01 hold",
        "melee go-01 at mi-01 with go-02 hold",
        "retreat go-01 D2122 D2121",
        "displace go-01 D2122",
        "advance go-01",
        "advance go-01 D2122",
        "hold go-01",
        "done",
    ],
)
def test_orders_survive_their_words(board: Board, text: str) -> None:
    order = yukimura.read_order(board, "osaka", tuple(text.split()))
    assert " ".join(yukimura.order_words(board, order)) == text
    assert yukimura.read_order(board, "osaka", yukimura.order_words(board, order)) == order


@pytest.mark.parametrize(
    "text",
    [
        "",
        "jump go-01 D2122",
        "move go-01",
        "enter da-01",
        "fire go-04",
        "fire go-04 at mi-01 with",
        "fire go-04 at mi-01 and go-05",
        "fire go-04 at mi-01 or fewer",
        "fire go-04 at mi-01 with or fewer",
        "fire go-04 at mi-01 with go-05 or",
        "fire go-04 at mi-01 with go-05 fewer",
        "melee go-01 at mi-01 advance go-01 or fewer",
        "melee go-01 at mi-01 with go-02 hold or fewer",
        "fire go-04 at mi-01 advance",
        "fire go-04 at mi-01 advance go-04 D2122",
        "fire go-04 with go-05 at mi-01 advance go-04 advance go-05",
        "fire go-04 at mi-01 advance go-04 advance go-05",
        "melee go-01 at mi-01 hold advance go-01",
        "beside nobody D2001",
        "displace go-01 D2122 D2123",
        "hold",
        "move xx-99 D2122",
        "done now",
    ],
)
def test_words_that_make_no_order_are_refused_with_a_hint(board: Board, text: str) -> None:
    with pytest.raises(MalformedOrder) as caught:
        yukimura.read_order(board, "osaka", tuple(text.split()))
    assert caught.value.hint


def test_unique_beginnings_of_ids_are_enough(board: Board) -> None:
    order = yukimura.read_order(board, "osaka", ("beside", "hide", "D2001"))
    assert yukimura.order_words(board, order) == ("beside", "hideyori", "D2001")
    with pytest.raises(AmbiguousOrder):
        yukimura.read_order(board, "osaka", ("move", "go-0", "D2122"))
    with pytest.raises(AmbiguousOrder):
        yukimura.read_order(board, "osaka", ("beside", "ho", "D2001"))


@pytest.mark.parametrize(
    "text",
    [
        "retreat any west north-west D2122",
        "retreat go-01 D2122",
        "retreat any",
        "advance any follow",
        "advance go-01 hold",
        "advance go-01 enter",
        "advance go-01",
        "defence best",
        "defence none",
        "defence",
    ],
)
def test_standing_orders_are_read(board: Board, text: str) -> None:
    assert " ".join(yukimura.read_standing(board, "osaka", tuple(text.split()))) == text


@pytest.mark.parametrize(
    "text",
    [
        "retreat",
        "retreat any nowhere",
        "retreat mi-01 west",
        "advance any run",
        "defence all",
        "stand any",
        "defence best none",
    ],
)
def test_other_standing_orders_are_refused(board: Board, text: str) -> None:
    with pytest.raises(MalformedOrder):
        yukimura.read_standing(board, "osaka", tuple(text.split()))


def test_conditions(field: Callable[..., Any]) -> None:
    units = {
        "go-01": "0101 2-5-5 mounted command 5",
        "go-02": "0102 rifle fired",
        "go-03": "removed",
        "go-04": "exited",
        "ak-01": "0201",
        "da-01": "0103",
        "da-02": "0308 mounted-rifle",
    }
    held = [{"force": "akashi", "until": 5}]
    battle = field((". " * 8 + "\n") * 3, units, phase="osaka-move", held=held)

    def holds(text: str) -> bool:
        return yukimura.test(battle.state, yukimura.read_test(battle.board, tuple(text.split())))

    for true in (
        "gone go-03", "gone go-04", "alive go-01", "at go-01 0101", "empty 0305", "held 0101 osaka",
        "is go-01 commander", "is go-01 mounted", "is go-02 rifle", "is go-02 fired", "is go-02 pinned",
        "is go-04 exited", "is ak-01 held", "is da-02 rifle", "is da-02 mounted",
    ):  # fmt: skip
        assert holds(true), true
    for false in (
        "gone go-01", "alive go-03", "alive go-04", "at go-01 0102", "at go-03 0101", "empty 0101", "held 0101 east",
        "held 0305 osaka", "is go-02 commander", "is go-02 mounted", "is go-01 rifle", "is go-01 fired",
        "is go-01 pinned", "is go-03 exited", "is go-01 held",
    ):  # fmt: skip
        assert not holds(false), false
    for wrong in ("is go-01 disordered", "held 0101 nobody", "at go-01", "gone xx", "maybe go-01", "empty 9999"):
        with pytest.raises(MalformedOrder):
            holds(wrong)


@pytest.mark.parametrize("name", ["domyoji", "yao", "connected", "gotos-dream"])
def test_the_situation_fits_its_schema_in_every_phase(name: str) -> None:
    game = Game.new(yukimura, yukimura.board(load_scenario(name).data), {})
    phases = set()
    for _ in range(60):
        found = yukimura.situation(game.state)
        jsonschema.validate(found, SCHEMA)
        phases.add(found["phase"]["id"])
        request = game.request
        if isinstance(request, Roll):
            game.apply((1,) * request.dice)
        elif request is None or found["turn"] > 2:
            break
        else:
            words = ("beside", "hideyori", "Y0201") if request.kind == "beside" else ("done",)
            game.apply(yukimura.read_order(game.board, request.side, words))
    assert phases >= {"east-move", "osaka-move"}


def test_the_situation_tells_where_everybody_is(field: Callable[..., Any]) -> None:
    units = {
        "go-01": "0101 2-*-5 mounted command 5", "go-02": "removed", "go-03": "exited", "da-01": "waiting",
        "da-02": "0108", "go-04": "0107", "ho-01": "0301",
    }  # fmt: skip
    more = {"reinforcements": [{"force": "date", "turn": 5, "edge": "east"}], "entries": {"east": "0308"}}
    battle = field((". " * 8 + "\n") * 3, units, phase="east-move", **more)
    found = yukimura.situation(battle.state)
    jsonschema.validate(found, SCHEMA)
    where = {unit["id"]: (unit["where"], unit["at"]) for unit in found["units"]}
    assert where["go-01"] == ("map", "0101")
    assert where["go-02"] == ("removed", None)
    assert where["go-03"] == ("exited", None)
    assert where["da-01"] == ("waiting", None)
    values = {unit["id"]: unit["values"] for unit in found["units"]}
    assert values["go-01"] == {"strength": 2, "morale": "*", "move": 5}
    words = {unit["id"]: unit["words"] for unit in found["units"]}
    assert words["da-02"] == ["pinned"]
    assert words["go-01"] == ["commander"]
    east, osaka = found["sides"]
    assert (east["here"], east["later"], east["ready"]) == (2, 1, [])
    assert osaka["lost"] == ["go-02"]
    assert {"at": "0308", "name": None, "victory": False, "entry": "east", "control": None} in found["places"]


def test_progress_counts_what_the_victory_conditions_count(field: Callable[..., Any]) -> None:
    rows = (". " * 8 + "\n") * 3
    units = {"ki-01": "0202 2-5-5 command 10", "da-01": "0201", "da-02": "0301", "go-01": "0108", "da-03": "0107"}
    victory = {"collapse": {"osaka": ["ki-01"]}, "superior-power": "yes", "breakthrough": ["0301"]}
    battle = field(rows, units, phase="east-combat", victory=victory)
    found = {(p["side"], p["clause"]): (p["count"], p["needed"]) for p in yukimura.situation(battle.state)["progress"]}
    assert found == {("east", "14-2(6)3"): (1, 1), ("east", "14-2(6)4b"): (1, None), ("osaka", "14-2(6)4b"): (0, None)}


@pytest.mark.parametrize(
    ("label", "side", "die"),
    [
        ("fire/0102", "east", 1),
        ("fire/0102", "osaka", 6),
        ("melee/0102", "east", 1),
        ("check/0101", "east", 6),
        ("check/0102", "east", 1),
        ("release/goto", "osaka", 6),
        ("release/goto", "east", 1),
    ],
)
def test_the_worst_dice_for_a_side(field: Callable[..., Any], label: str, side: str, die: int) -> None:
    """In an Eastern Combat Phase: high dice help who attacks, and hurt who checks morale or waits for a release."""
    battle = field(". . . .", {"da-01": "0101 rifle", "go-01": "0102"}, phase="east-combat", idle=True)
    assert yukimura.worst(battle.state, Roll(label, dice=1), side) == (die,)


def test_names_of_several_words_need_no_quotation_marks_in_fights(board: Board) -> None:
    gunner, foe = (board.units[unit].name for unit in ("go-04", "mi-01"))
    assert " " in gunner
    read = yukimura.read_order(board, "osaka", ("fire", *gunner.split(), "at", *foe.split(), "with", "go-05", "hold"))
    assert yukimura.order_words(board, read) == ("fire", "go-04", "at", "mi-01", "with", "go-05", "hold")
