"""Assaults to fatigue 3 as extended marches, where the option has it so (std-5.3-3): who is lost takes no part."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from rules.field import Battle

FIELD = ". . . .\n. . . .\n. . . ."
STRAINED = {"assault-strain": "yes"}
MADE = (6, 3, 3)
"""The assault's die, the attacker's and the defender's."""

UNITS = {"jackson": "0102", "ewell-b": "0102 1 disorganised F2", "king": "0202 8"}


@pytest.fixture
def assaulting(battle: Callable[..., Battle]) -> Callable[..., Battle]:
    """Jackson beside King, with the units that are named besides."""

    def build(more: Mapping[str, str], options: Mapping[str, str]) -> Battle:
        return battle(FIELD, {**UNITS, **more}, choice="confederate", options=options)

    return build


@pytest.mark.clause("std-5.3-3")
def test_a_unit_that_is_lost_by_the_strain_takes_no_part(assaulting: Callable[..., Battle]) -> None:
    """Ewell is lost by a 6; A.P. Hill assaults alone, and needs no lower die for him."""
    game = assaulting({"ap-hill": "0102 10"}, STRAINED)
    number = game.board.units["jackson"].command_value
    game.do("assault jackson at 0202 by ewell-b ap-hill", 6, 6, 1, 3, 3)  # with the artillery's
    assert "ewell-b" in game.state.removed
    assert (game.facts("assault-roll")["number"], game.facts("assault-roll")["made"]) == (number, True)
    assert (game.facts("fight")["unit"], game.facts("fight")["with"]) == ("ap-hill", [])


@pytest.mark.clause("std-5.3-3")
def test_an_assault_of_which_nobody_is_left_is_over(assaulting: Callable[..., Battle]) -> None:
    game = assaulting({"ap-hill": "0401 10"}, STRAINED)
    told = game.do("assault jackson at 0202 by ewell-b", 6)
    assert "ewell-b" in game.state.removed
    assert not {"assault-roll", "fight"} & {tell.what for tell in told}
    assert game.facts("no-assault")["reason"] == "of those who were to begin it nobody is left"
    assert game.at("jackson") == "0401"


@pytest.mark.clause("std-5.3-3")
def test_without_the_option_an_assault_strains_nobody(assaulting: Callable[..., Battle]) -> None:
    game = assaulting({"ap-hill": "0102 10"}, {})
    told = game.do("assault jackson at 0202 by ewell-b ap-hill", *MADE)
    assert "extended" not in {tell.what for tell in told}
    assert game.state.manpower["ewell-b"] == 1


@pytest.mark.clause("std-5.3-3")
def test_so_does_a_grand_assault(assaulting: Callable[..., Battle]) -> None:
    """Of the first hex nobody is left: there is no corps assault that others could join."""
    game = assaulting({"lee": "0201", "ap-hill": "0201 10"}, STRAINED)
    told = game.do("grand lee at 0202 under jackson by ewell-b and ap-hill", 6)
    assert "ewell-b" in game.state.removed
    assert game.state.fatigue["ap-hill"] == 1
    assert not {"assault-roll", "joins", "fight"} & {tell.what for tell in told}
