"""What commands tell of set-ups and moves on a table: each once, and units of a wing that go alike in one sentence."""

from __future__ import annotations

import random
from pathlib import Path

from cli_player import pbem_says
from matches import Match, scenario_of, statements, write_home

from pbem.match.bots import suggest

WING = ("sp-1", "sp-2", "gn-1", "ro-1", "sw-1", "bw-1")


def set_up() -> Match:
    """A skirmish whose armies stand where a bot has put them; asuka, Red, is asked for her first turn."""
    match, chance = Match(scenario_of("skirmish"), 1), random.Random(1)
    while match.table.rules.clock(match.table.game.state)[1] != "red-turn" or match.due()[0] != "orders":
        what, name = match.due()
        assert name is not None
        orders = suggest(match.table, name, "bold", chance, lambda *_: None) if what == "orders" else ()
        match.play(statements(orders))
    return match


def report(match: Match, name: str, root: Path, *words: str) -> str:
    """A player's report in one line."""
    write_home(match, name, root)
    said = pbem_says("--home", str(root), "report", *words)
    assert said.code == 0
    return " ".join(said.out.split())


def test_a_set_up_is_told_once_with_all_numbers(tmp_path: Path) -> None:
    told = report(set_up(), "asuka", tmp_path, "--entry", "3")
    line = (
        "Turn 1, Black Army Set-up. Black Army, centre, set up facing south: 8.5 inches from the Black edge sp-3 "
        "(18 31.5), sp-4 (14 31.5) and gn-2 (21.6 31.5) in the centre third, ro-2 (24.6 31.5) and bw-2 (27.6 31.5) in "
        "the right third, sw-2 (9 31.5, abreast) in the left third; 7.5 inches from the Black edge dm-2 (9 32.5) in "
    )
    assert line in told
    assert "set up in" not in told
    assert "THE NEWS IN FULL" not in told


def test_units_of_a_wing_that_go_alike_are_told_in_one_sentence(tmp_path: Path) -> None:
    match = set_up()
    match.play("\n".join([*(f"move {unit} 3" for unit in WING), "follow dm-1 sw-1 behind", "done"]))
    told = report(match, "ben", tmp_path)
    line = (
        "Turn 1, Red Army Turn. Red Army, centre, six units moved 3 inches, facing north: 11 inches from the Red edge "
        "sp-1 (18 11), sp-2 (14 11) and gn-1 (21.6 11) in the centre third, ro-1 (24.6 11) and bw-1 (27.6 11) in the "
        "right third, sw-1 (9 11) in the left third. Red's Daimyo (dm-1) followed Red's Swordsmen (sw-1) and went 3 "
    )
    assert line in told
    assert " moved " not in told.partition(line)[2]


def test_who_goes_otherwise_is_told_alone(tmp_path: Path) -> None:
    match = set_up()
    match.play("\n".join(["move sp-1 3", "move gn-1 2", "move sp-2 3", "move ro-1 3 right", "done"]))
    told = report(match, "ben", tmp_path)
    line = (
        "Red Army, centre, two units moved 3 inches, facing north: 11 inches from the Red edge sp-1 (18 11) and sp-2 "
        "(14 11) in the centre third. Red's Gunners (gn-1) moved 2 inches to the centre third, 10 inches from the Red "
        "edge (21.6 10), facing north. Red's Ronin (ro-1) moved 3 inches to the right third, 11 inches from the Red "
        "edge (24.6 11) and turned right, facing north-east."
    )
    assert line in told
    assert "THE NEWS IN FULL" not in told
