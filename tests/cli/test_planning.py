"""A plan for a later phase, typed, mailed, read by the opponent and used."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from cli_player import World

from pbem.report.layout import capital

PLANNED = "planned for later in this turn (Former Shogunate Melee Phase)"


def test_a_plan_goes_with_the_orders_and_is_used_in_its_phase(tmp_path: Path) -> None:
    world = World(tmp_path, "set-up")
    assert "in melee: ORDER;" in world.does("asuka", "form")
    moves = world.does("asuka", "suggest", "--bot", "random", "--seed", "4")
    plan = "in melee: if gone sg-1 then melee 13 at sa-11\nin melee: done\n"
    orders = world.write("o.txt", plan + moves)
    said = world.says("asuka", "check", orders)
    assert "line 1 is read as `in melee: if gone sg-01 then melee sg-13 at sa-11`" in " ".join(said.out.split())
    assert "my opponent reads it before he decides what comes between" in said.err
    world.does("asuka", "send", orders, "--yes", "-o", world.path("4.eml"))
    mail = message_from_bytes(Path(world.path("4.eml")).read_bytes(), policy=policy.default)
    for kind in ("plain", "html"):
        part = mail.get_body((kind,))
        assert part is not None
        text = re.sub("</?nobr>", "", " ".join(part.get_content().split()))
        assert f"{capital(PLANNED)}:" in text
        assert "Plan 1. If 5th Infantry Regiment (sg-01) is gone:" in text
    report = world.does("ben", "open", "--no-browser", world.path("4.eml"))
    told = " ".join(report.split())
    assert f"Former Shogunate: {PLANNED}: If 5th Infantry" in told
    assert "PLANNED FOR OTHER PHASES OF THIS TURN" in told
    world.does("ben", "send", world.write("b.txt", "done"), "-o", world.path("5.eml"))
    games = " ".join(world.does("asuka", "games").split())
    held = "planned, until I send other orders or answer what I am asked: in melee: if gone sg-01 then melee"
    assert held in games
    assert held not in " ".join(world.does("ben", "games").split())
    told = world.says("asuka", "open", "--quiet", world.path("5.eml")).err
    assert held not in told, "it is used up"
    assert "a mail from me without orders" in told, "no melee is asked of her"
    world.does("asuka", "send", "-o", world.path("6.eml"))
    told = world.says("ben", "open", "--quiet", world.path("6.eml")).err
    assert "orders are asked of me (move)" in told


@pytest.mark.parametrize(
    ("plans", "said"),
    [
        ("in fire: done", True),
        ("in melee: if gone sg-1 then melee 13 at sa-11\nin fire: done", True),
        ("in melee: done\nin fire: done", False),
        ("in melee: done", False),
    ],
)
def test_a_plan_behind_a_phase_in_which_i_am_asked_is_remarked(tmp_path: Path, plans: str, said: bool) -> None:
    world = World(tmp_path, "set-up")
    told = " ".join(world.says("asuka", "check", world.write("o.txt", f"{plans}\ndone")).err.split())
    remark = (
        "my phase melee comes before fire: orders that I send in it take the place of what is planned for then; "
        "`in melee: done` lets it pass"
    )
    assert (remark in told) == said, told


def test_a_phase_that_comes_no_more_is_named(tmp_path: Path) -> None:
    world = World(tmp_path, "set-up")
    said = world.says("asuka", "check", world.write("o.txt", "done\nin mele: done\nin move: done"))
    assert said.code == 1
    assert "line 2: `in mele:` names no phase of mine that comes later in this turn; did you mean melee?" in said.err
    assert "line 3: `in move:` names no phase of mine that comes later in this turn" in said.err


def test_who_sends_other_orders_is_told_which_plans_they_drop(tmp_path: Path) -> None:
    world = World(tmp_path, "set-up")
    move = next(
        line
        for line in world.does("asuka", "suggest", "--bot", "random", "--seed", "4").splitlines()
        if line.startswith("move")
    )
    orders = world.write("o.txt", f"{move}\nin melee: done\n")
    held = "planned, until I send other orders or answer what I am asked: in melee: done"
    assert held in world.says("asuka", "send", orders, "--yes", "-o", world.path("4.eml")).err
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    world.does("ben", "send", "-o", world.path("5.eml"))
    assert held in world.says("asuka", "open", "--quiet", world.path("5.eml")).err
    said = world.says("asuka", "send", world.write("o.txt", "done"), "--yes", "-o", world.path("6.eml")).err
    assert "what I planned before is dropped with this: in melee: done" in said
    assert held not in said


def test_of_many_doubtful_plans_the_first_are_told_and_how_many_more(tmp_path: Path) -> None:
    world = World(tmp_path, "set-up")
    orders = world.write("o.txt", "done\n" + "in melee: melee 13 at sa-11\n" * 25)
    lines = world.says("asuka", "send", orders, "--yes", "-o", world.path("4.eml")).err.splitlines()
    doubts = [line for line in lines if "lapses in 100 % of the futures" in line]
    assert len(doubts) == 20
    assert all("nobody could do anything in the phase for which it was planned" in doubt for doubt in doubts)
    assert lines[lines.index(doubts[-1]) + 1] == "pbem: and so of 5 more; `pbem check` tells of each"
    assert any("entry 4 is in my log" in line for line in lines)
