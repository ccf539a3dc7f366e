"""Scenarios and army lists of a player's own: in his home folder, beside those that come with the program."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from cli_player import World

from pbem.resources import data_folder

OFFER = ("offer", "green", "--side", "red", "--name", "asuka", "-o")


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Both have a skirmish of their own, called green, with a list of their own for Red."""
    world = World(tmp_path, "new")
    given = data_folder("scenarios") / "samurai"
    for name in ("asuka", "ben"):
        own = world.home(name) / "scenarios" / "samurai"
        (own / "armies").mkdir(parents=True)
        text = (given / "skirmish.yaml").read_text("utf-8").replace("scenario: skirmish", "scenario: green")
        (own / "green.yaml").write_text(text.replace("[red-vanguard,", "[cranes,"), "utf-8")
        army = (given / "armies" / "red-vanguard.yaml").read_text("utf-8")
        (own / "armies" / "cranes.yaml").write_text(army.replace("army: red-vanguard", "army: cranes"), "utf-8")
    return world


def cranes(world: World, name: str) -> Path:
    return world.home(name) / "scenarios" / "samurai" / "armies" / "cranes.yaml"


def test_a_game_of_my_own_scenario_is_listed_checked_offered_and_accepted(world: World) -> None:
    said = world.says("asuka", "scenarios")
    assert "\ngreen  A Skirmish (samurai), 10 turns\n" in said.out
    assert str(world.home("asuka") / "scenarios") in "".join(said.err.split("\n      "))
    assert world.does("asuka", "scenarios", "--check", "green") == "green.yaml is good\n"
    assert "Red Army" in world.does("asuka", "brief", "green")
    assert world.says("asuka", "rules", "green").code == 0
    world.does("asuka", *OFFER, world.path("offer.eml"))
    world.does("ben", "accept", world.path("offer.eml"), "--name", "ben", "--yes", "-o", world.path("accept.eml"))
    world.does("asuka", "open", "--quiet", world.path("accept.eml"))
    assert "green" in world.does("asuka", "games")


def test_bots_play_my_own_scenarios(world: World) -> None:
    assert world.says("asuka", "play", "green", "--as", "red").code == 0


def test_lists_that_differ_are_told_with_the_names_of_their_files(world: World) -> None:
    world.does("asuka", *OFFER, world.path("offer.eml"))
    cranes(world, "ben").write_text(cranes(world, "ben").read_text("utf-8").replace("Ronin", "Wanderers"), "utf-8")
    line = world.refused("ben", "accept", world.path("offer.eml"), "--name", "ben", "--yes")
    files = "green.yaml, armies/cranes.yaml, armies/black-vanguard.yaml and tables.yaml"
    assert line.endswith(f"both players need the same version of pbem and the same files: {files}")


def test_a_bad_list_is_told_with_the_command_that_names_its_lines(world: World) -> None:
    text = cranes(world, "asuka").read_text("utf-8").replace("type: bow,", "type: [bow, spear],")
    cranes(world, "asuka").write_text(text, "utf-8")
    said = world.says("asuka", *OFFER, world.path("offer.eml"))
    assert said.code != 0
    assert "`pbem scenarios --check green` tells file and line of each" in said.err.replace("\n", " ")
    assert "samurai/armies/cranes.yaml, line 12: " in world.says("asuka", "scenarios", "--check", "green").out


def test_of_two_of_a_name_mine_is_to_be_renamed_and_the_lists_of_the_program_stay_its_own(world: World) -> None:
    own = world.home("asuka") / "scenarios" / "samurai"
    shutil.copy(own / "armies" / "cranes.yaml", own / "armies" / "red-vanguard.yaml")
    assert world.says("asuka", "brief", "skirmish").code == 0
    (own / "green.yaml").rename(own / "skirmish.yaml")
    line = world.refused("asuka", "brief", "skirmish")
    assert "samurai and my own folder both have a scenario skirmish; rename " in line


def test_a_backup_holds_my_own_files_and_restore_says_where_they_go(world: World) -> None:
    world.does("asuka", *OFFER, world.path("offer.eml"))
    world.does("asuka", "backup", world.path("b.zip"))
    said = world.says("asuka", "--home", world.path("again"), "restore", world.path("b.zip"))
    told = " ".join(said.err.split())
    assert "scenarios of one's own are not restored" in told
    assert "scenarios/samurai/armies/cranes.yaml" in told
