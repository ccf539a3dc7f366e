"""Figures: stands and their sizes, sides and wings, dice and inches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rules.field import Battle
from rules.samurai.small_table import scenario_data

from pbem.errors import BadScenario
from pbem.rules import samurai
from pbem.rules.requests import Roll

Table = Callable[..., Battle]

STANDS = {
    "sp": (4, 400),
    "gn": (3, 300),
    "ro": (3, 300),
    "sw": (3, 300),
    "bw": (3, 300),
    "dm": (1, 100),
    "bn": (1, 100),
}


@pytest.mark.clause("figures.1", "figures.2", "figures.3", "figures.4", "figures.5", "figures.6")
@pytest.mark.parametrize("kind", STANDS)
def test_each_type_has_its_stand(table: Table, kind: str) -> None:
    b = table(
        {"sp-1": "off", f"{kind}-2": "off", **({"bn-3": "off"} if kind == "bn" else {}), "sp-11": "off"},
        phase="red-setup",
    )
    found = b.board.units[f"{kind}-2"]
    assert (found.figures, found.kind.width, found.kind.depth) == (*STANDS[kind], 100)
    assert found.kind.width == 100 * found.kind.figures or kind == "dm" or kind == "bn"


@pytest.mark.clause("figures.7", "definitions.3")
def test_wings_are_about_equal() -> None:
    def wings(left: int, right: int) -> dict[str, Any]:
        data = scenario_data({"sp-1": "off", "sp-11": "off"})
        data["scenario"]["wings"] = ["left", "centre", "right"]
        for side, army in zip((0, 100), data["armies"].values(), strict=True):
            numbers = {"left": left, "centre": 4, "right": right}
            army["wings"] = {
                wing: [{"id": f"sp-{side + 20 * place + n}", "type": "spear"} for n in range(numbers[wing])]
                for place, wing in enumerate(numbers)
            }
        return data

    assert samurai.board(wings(4, 5)).points["red"] == 52
    with pytest.raises(BadScenario, match="unequal figures: left 12, centre 16, right 16"):
        samurai.board(wings(3, 4))


@pytest.mark.clause("figures.7")
def test_each_wing_sets_up_in_its_third_as_its_side_sees_it() -> None:
    data = scenario_data({"sp-1": "off", "sp-11": "off"})
    data["scenario"]["wings"] = ["left", "centre", "right"]
    for army in data["armies"].values():
        first = army["wings"]["centre"][0]["id"]
        army["wings"] = {w: [{"id": f"{first}{n}", "type": "spear"}] for n, w in enumerate(("left", "centre", "right"))}
    b = samurai.board(data)
    assert b.zones["red"]["left"] == (0, 2400, 0, 1200)
    assert b.zones["black"]["left"] == (4800, 7200, 3600, 4800)
    assert b.zones["red"]["centre"] == (2400, 4800, 0, 1200)


@pytest.mark.clause("figures.7", "movement.2")
def test_set_up_is_wholly_in_the_part_of_the_wing_facing_the_enemy(table: Table) -> None:
    b = table({"sp-1": "off", "sp-2": "off", "dm-1": "off", "sp-11": "60 40 south"}, phase="red-setup", width="36")
    assert b.why_not("setup sp-1 2 0.5") is None
    assert b.refused("setup sp-1 1.99 0.5") == "definitions.3"
    assert b.why_not("setup sp-1 34 11.5 north") is None
    assert b.refused("setup sp-1 34 11.51 north") == "definitions.3"
    beyond = b.why_not("setup sp-1 10 11.5 north-west")
    assert beyond is not None
    assert beyond.reason.endswith("within x 0 to 36, y 0 to 12, and would take x 8.24 to 11.76, y 9.74 to 13.26"), (
        "a base of 4 x 1 that slants"
    )
    for facing, clause in (("north-west", None), ("north-east", None), ("east", "figures.7"), ("south", "figures.7")):
        refusal = b.why_not(f"setup sp-1 10 6 {facing}")
        assert (refusal.clause if refusal else None) == clause
    b.do("setup sp-1 10 6")
    assert b.refused("setup sp-2 13.99 6") == "figures.7"
    b.do("setup sp-2 14 6")
    assert b.refused("done") == "figures.7"
    b.do("setup dm-1 20 0.5 south")
    assert b.why_not("done") is None
    b.do("done")
    assert b.phase == "red-turn"


@pytest.mark.clause("figures.7")
def test_black_sets_up_first_and_red_moves_first(table: Table) -> None:
    b = table({"sp-1": "off", "sp-11": "off"}, phase="black-setup")
    assert (b.request.side, b.phase) == ("black", "black-setup")
    b.do("setup sp-11 36 40")
    b.do("done")
    assert (b.request.side, b.phase) == ("red", "red-setup")
    b.do("setup sp-1 36 10")
    b.do("done")
    assert (b.request.side, b.phase) == ("red", "red-turn")


@pytest.mark.clause("figures.8")
def test_dice_are_twelve_sided_and_losses_stay_on_the_stand(table: Table) -> None:
    b = table({"sw-1": "36 20 north", "sp-11": "36 21 south", "sp-12": "60 40 south"}, step="attack")
    b.game.apply(b.order("attack sw-1 at sp-11"))
    assert b.request == Roll("attack/sw-1", 1, 12)
    for die in (12, 1, 1):
        b.game.apply((die,))
    assert b.state.figures["sp-11"] == (3,)
    assert b.rules.dump(b.state)["figures"]["sp-11"] == [3]
    base = b.state.at["sp-11"]
    assert (base.hw, base.hd) == (200, 50)  # the base stays as it is
