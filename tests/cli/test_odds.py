"""The odds of an order at the keyboard: read as an order file is, refused as it would be, also as JSON."""

from __future__ import annotations

import json
import random
import re
from fractions import Fraction
from pathlib import Path

import pytest
from cli_player import World
from matches import Match, scenario_of

from pbem.cli.drafts import show_chances
from pbem.match.bots import suggest
from pbem.match.form import with_dice
from pbem.match.judged import judged
from pbem.report.odds import Chances, _without_beginning, chances


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Ben is asked for his fires."""
    return World(Path(tmp_path_factory.mktemp("odds")), "opened")


def a_fire(world: World) -> str:
    return next(line[2:].partition(";")[0] for line in world.does("ben", "form").splitlines() if line[:7] == "# fire ")


@pytest.mark.parametrize(
    ("told", "left"),
    [
        (["A fires at B: no effect.", "A fires at B: M3; B breaks."], ["no effect.", "M3; B breaks."]),
        (["A fires at B: M3.", "A fires at B: M3; C: M1."], ["A fires at B: M3.", "A fires at B: M3; C: M1."]),
        (["A didn't attack: B has gone.", "A didn't attack: B has gone; B is tired."],) * 2,
        (["round 1: A: no loss.", "round 1: A: one loss."], ["no loss.", "one loss."]),
        (["A fires at B: no effect."],) * 2,
    ],
)
def test_what_all_futures_begin_with_is_left_out_up_to_where_they_part(told: list[str], left: list[str]) -> None:
    """`the cavalry that was there has gone back before it` stood there alone."""
    assert _without_beginning(told) == left


def test_the_shares_of_all_futures_make_one(world: World) -> None:
    order = a_fire(world)
    said = world.does("ben", "odds", *order.split())
    assert said.startswith(f"{order};\n  fire strength of {order.split()[1]} ")
    assert "[9-2(3)]" in said
    shares = [
        Fraction(line.split()[2]) for line in said.splitlines() if line[2:9].strip()[:1].isdigit() and "%" in line
    ]
    assert sum(shares) == 1
    told = json.loads(world.does("ben", "odds", "--json", *order.split()))
    assert told["order"] == order.split()
    assert sum(Fraction(one["share"]) for one in told["each"]) == 1
    assert sorted(shares) == sorted(Fraction(one["share"]) for one in told["each"])
    assert {factor["clause"] for factor in told["factors"]} >= {"9-2(3)"}


@pytest.mark.parametrize(("bound", "value"), [("ALL", 5), ("WORK", 5)])
def test_shares_that_are_not_exact_are_told_as_such(
    world: World, monkeypatch: pytest.MonkeyPatch, bound: str, value: int
) -> None:
    order = a_fire(world)
    assert "about" not in world.does("ben", "odds", *order.split())
    monkeypatch.setattr(f"pbem.match.exact.{bound}", value)
    said = world.does("ben", "odds", *order.split())
    lines = [line for line in said.splitlines() if " % " in line and "too many" not in line]
    assert any(line.lstrip().startswith("about ") for line in lines)
    assert not any("/" in line for line in lines)
    assert "too many futures to count each" in said
    told = json.loads(world.does("ben", "odds", "--json", *order.split()))
    assert (told["about"], told["at_random"]) == (True, 1)
    assert {(one["about"], one["share"]) for one in told["each"]} == {(True, None)}


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("fire", "`fire` can't be read"),
        ("orders.txt", "orders.txt: it can't be read: No such file or directory"),
        ("say hello", "one order is asked, behind others or alone, without conditions"),
        ("if gone sg-01 then done", "one order is asked, behind others or alone, without conditions"),
        ("move sa-01 to Takeda", "`move` isn't an order of this phase"),
        ("fire sa-01 at sa-02", "is on its own side"),
    ],
)
def test_what_could_not_be_ordered_has_no_odds(world: World, typed: str, why: str) -> None:
    assert why in world.refused("ben", "odds", *typed.split())


def test_without_an_order_one_is_named_that_could_be_given_here(world: World) -> None:
    said = world.says("ben", "odds")
    assert (said.code, said.out) == (2, "")
    hint = f"pbem: hint: write for example `pbem odds {a_fire(world)}`"
    assert said.err.splitlines() == ["pbem: ORDER... is missing", hint]
    assert f"write for example `{a_fire(world)}`" in world.refused("ben", "odds", "say", "hello")


@pytest.mark.parametrize("name", ["skirmish", "shizugatake"])
def test_the_example_is_of_the_system_that_is_played(name: str) -> None:
    """Whatever is asked: an order that can be given."""
    match, seen = Match(scenario_of(name), 0), 0
    while seen < 4:
        what, player = match.due()
        assert player is not None
        if what == "orders":
            words = with_dice(match.table, player)
            assert judged(match.table, player, " ".join(words)).words == words
            seen += 1
        match.play("".join(f"{' '.join(order)};" for order in suggest(match.table, player, "bold", random.Random(1))))


@pytest.mark.parametrize("option", ["--eahc", "-x"])
def test_an_option_that_is_none_is_no_order(world: World, option: str) -> None:
    said = world.says("ben", "odds", *a_fire(world).split(), option)
    assert (said.code, said.out) == (2, "")
    assert f"No such option '{option}'" in said.err


def test_a_number_with_a_sign_is_no_option(world: World) -> None:
    assert "`-3` has a sign; write `3`" in world.refused("ben", "odds", "move", "sg-01", "-3")


def test_the_order_may_stand_between_quotation_marks(world: World) -> None:
    order = a_fire(world)
    assert world.does("ben", "odds", order) == world.does("ben", "odds", *order.split())


def test_the_order_may_stand_in_a_file(world: World, tmp_path: Path) -> None:
    order, file = a_fire(world), tmp_path / "orders.txt"
    file.write_text(f"# my fire\n{order};\ndone;\n")
    assert world.does("ben", "odds", str(file)) == world.does("ben", "odds", order)
    told = json.loads(world.does("ben", "odds", "--json", str(file)))
    assert (told["order"], told["behind"]) == (order.split(), [])
    file.write_text(f"{order};\nfire 99 at 98;\n")
    assert f"{file}, line 2: no unit is called `99`" in world.refused("ben", "odds", str(file))
    file.write_text(f"fire 97 at 98;\n{order};\nfire 99 at 98;\n")
    said = world.says("ben", "odds", str(file))
    assert (said.code, said.out) == (1, "")
    assert [line.split(f"{file}, ")[1].partition(";")[0] for line in said.err.splitlines() if str(file) in line] == [
        "line 1: no unit is called `97`", "line 3: no unit is called `99`",
    ]  # fmt: skip


def test_who_is_not_asked_has_none(world: World) -> None:
    assert "nothing is due from asuka" in world.refused("asuka", "odds", *a_fire(world).split())


def test_of_very_many_futures_the_share_of_those_left_out_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A plan that nothing can be told of together: the most frequent futures, then the rest; of few all are told."""
    for many in (25, 20):
        each: dict[str, Fraction | float] = {f"future {i}": Fraction(1, many) for i in range(many)}
        show_chances(Chances([], each, {}, {}, {}, {}, {}, False, [], 0), ("done",), each=False)
        said = capsys.readouterr().out
        shares = [Fraction(line.split()[2]) for line in said.splitlines() if "%" in line]
        assert sum(shares) == 1
        assert ("the other 17 different futures together" in said) == (many == 25)
        assert len(shares) == (9 if many == 25 else 20)


def test_a_closing_order_is_told_as_it_is_where_others_are_asked_behind_it() -> None:
    """Of `done` behind the other's pass it was said that nothing happens, though the cycle ends; behind a transfer the
    dice for the initiative fall, which are none of it, and were called those of `done`."""
    match = Match(scenario_of("cedar-mountain"), 7)
    names = {player.side: player.name for player in match.table.genesis.players}
    match.play("close transfer;")
    there = judged(match.table, names["confederate"], "transfer jackson winder")
    assert (there.closes, there.left_out) == ((), ())
    found = chances(match.table, "confederate", ("done",))
    assert [*found.each] == ["Nothing more is ordered; what comes behind that isn't counted."]
    match.play("close transfer;")
    while match.due()[0] != "orders":
        match.play()
    first = match.due()[1]
    match.play("pass;")
    assert match.due() == ("orders", next(name for name in names.values() if name != first))
    side = next(side for side, name in names.items() if name != first)
    there = judged(match.table, names[side], "done")
    assert there.before == []
    (told,) = chances(there.there, side, there.words).each
    assert re.search(r" pass(es)?; the action cycle ends\.$", told), told
