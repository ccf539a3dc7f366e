"""Castles (rulebook 8, 20-3, 21): durability, falls, what becomes of those inside, marching out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rules.sengoku.activities import run

from pbem.rules.requests import Choose, Roll, Tell
from pbem.rules.sengoku import castles
from pbem.rules.sengoku.orders import Demand, MarchOut
from pbem.rules.sengoku.state import State

Field = Callable[..., State]
ROWS = """
. . . .
 . . . .
. . . .
"""
INSIDE = {"kb-01 kb-04 kb-05": "0202 shut-in", "hb-01 hb-04 hb-06 hb-07 hb-08": "0202 besieging"}


def siege(field: Field, **more: Any) -> State:
    """Gifu (0202, level 1) besieged; Ono (0303) another castle of the same army."""
    more = {"forces": INSIDE, "castles": {"gifu": "0202 kobe 1", "ono": "0303 kobe 0"}} | more
    return field(ROWS, more.pop("forces"), **more)


def names(found: list[Any]) -> list[str]:
    """What was told, the rolls and questions among it."""
    return [found.what if isinstance(found, Tell) else type(found).__name__ for found in found]


@pytest.mark.clause("8-2", "8-2-1", "14-3-4", "21-1(2)")
def test_durability_is_restored_to_ten_at_most_and_an_abandoned_castle_is_the_restorers(field: Field) -> None:
    s = siege(field, forces={"hb-02": "0303"}, castles={"gifu": "0202 kobe 1 9", "ono": "0303 nobody 0 0"})
    assert castles.mend(s, "gifu", 3, "kobe").facts["by"] == 1
    assert (s.durability["gifu"], s.owner) == (10, {"gifu": "kobe"})
    assert castles.mend(s, "ono", 2, "hashiba").facts["again"]
    assert (s.durability["ono"], s.owner["ono"]) == (2, "hashiba")


@pytest.mark.clause("8-2-5", "21-1(1)", "21.0(2)", "14-3-4")
def test_without_captor_a_castle_without_durability_is_abandoned_and_those_inside_stand_in_the_open(
    field: Field,
) -> None:
    s = siege(field, forces={"kb-01": "0202 shut-in"}, castles={"gifu": "0202 kobe 1 2"})
    assert names(run(castles.damage(s, "gifu", 1, "14-3-4", None))) == ["damaged"]
    assert s.owner == {"gifu": "kobe"}
    assert names(run(castles.damage(s, "gifu", 2, "14-3-4", None))) == ["damaged", "abandoned"]
    assert (s.durability["gifu"], s.owner, s.shut_in) == (0, {}, set())


@pytest.mark.clause("21.0(3)", "20-3(D)", "table-surrender")
@pytest.mark.parametrize(("die", "answer", "gone"), [(2, "D", 0), (3, "E", 1), (4, "G", 2), (5, "G", 2), (6, "H", 3)])
def test_a_castle_that_falls_by_durability_is_judged_by_one_die_and_abandoned(
    field: Field, die: int, answer: str, gone: int
) -> None:
    s = siege(field, castles={"gifu": "0202 kobe 1 1", "ono": "0303 kobe 0"})
    asked = [""] if answer in "EG" else []
    found = run(castles.damage(s, "gifu", 1, "18-2-1(2)", "hb-01"), [die], asked)
    assert [f.facts["answer"] for f in found if isinstance(f, Tell) and f.what == "judged"] == [answer]  # a general: -1
    assert len(s.removed) == gone
    assert (s.durability["gifu"], "gifu" in s.owner, s.besieging) == (0, False, set())
    assert {s.board.label[h] for force, h in s.at.items() if force.startswith("kb")} == (
        {"0303"} if gone < 3 else set()
    )


@pytest.mark.clause("21.0(1)", "18-2-2", "18-2-2(below)", "10-1-2(castle)", "16-4-1", "21-1(3)")
def test_a_castle_falls_by_morale_when_nobody_is_left_in_it_and_keeps_its_durability(field: Field) -> None:
    forces = {"kb-01": "0202 shut-in morale -3", "kb-04": "0202 shut-in morale -4", **dict(list(INSIDE.items())[1:])}
    s = siege(field, forces=forces)
    assert names(run(castles.shake_castle(s, "gifu", "18-2-2", "hb-01"))) == ["shaken", "remove"]
    assert (s.morale, s.owner["gifu"]) == ({"kb-01": -4}, "kobe")  # the others hold it
    found = run(castles.shake_castle(s, "gifu", "18-2-2", "hb-01"), [1])
    assert names(found) == ["remove", "fall", "Roll", "judged", "control"]
    assert found[3].facts["morale"] == 4
    assert (s.owner["gifu"], s.durability["gifu"], s.besieging) == ("hashiba", 10, set())
    assert s.board.castles["gifu"].owner == "kobe"  # whose it was at the start


@pytest.mark.clause("10-1-2(castle)", "10-4", "18-2-2")
def test_an_empty_castle_has_a_morale_of_its_own(field: Field) -> None:
    s = siege(field, forces=dict(list(INSIDE.items())[1:]))
    s.set_castle_morale("gifu", -3)
    assert names(run(castles.shake_castle(s, "gifu", "18-2-2", "hb-01"))) == ["castle-shaken"]
    assert castles.castle_morale(s, "gifu") == -4
    assert names(run(castles.shake_castle(s, "gifu", "18-2-2", "hb-01"), [6])) == ["fall", "Roll", "judged", "control"]


@pytest.mark.clause("10-4", "16-4-2")
def test_with_somebody_inside_the_lowest_morale_of_those_counts(field: Field) -> None:
    s = siege(field, forces={"kb-01": "0202 shut-in morale -1", "kb-04": "0202 shut-in morale -2", "kb-05": "0202"})
    s.set_morale("kb-05", -4)
    assert castles.castle_morale(s, "gifu") == -2


@pytest.mark.clause("20-2-1(1)", "20-2-1(2)")
@pytest.mark.parametrize(
    ("inside", "modifier"), [({"sb-04": "0202 shut-in"}, 0), ({"sb-02": "0202 shut-in"}, -1),
                             ({"sb-02": "0202 shut-in", "sb-01": "0202 shut-in"}, -2), ({"sb-01": "0202"}, 0)],
)  # fmt: skip
def test_the_highest_commander_inside_counts_alone(field: Field, inside: dict[str, str], modifier: int) -> None:
    s = siege(field, forces=inside, castles={"gifu": "0202 shibata 1"})
    assert castles.leader_modifier(s, "gifu") == modifier


@pytest.mark.clause("20-3(E)", "20-3(F)", "20-3(G)", "20-3-1")
@pytest.mark.parametrize(("answer", "count"), [("E", 1), ("F", 2), ("G", 2)])
def test_the_besieger_names_who_is_removed_before_the_rest_marches_out(field: Field, answer: str, count: int) -> None:
    s = siege(field)
    s.refuse.add("gifu")
    wanted = ("kb-05", "kb-04")[:count]
    found = run(castles.opened(s, "gifu", "hb-01", answer), [], [Demand("gifu", wanted)])
    (asked,) = (f for f in found if isinstance(f, Choose))
    assert asked.side == "hashiba"
    assert asked.why_not(Demand("gifu", ("kb-01", "kb-04", "kb-05"))) is not None  # one too many
    assert asked.why_not(Demand("gifu", ("hb-01",) * count)) is not None  # not inside
    assert asked.default() == Demand("gifu", ("kb-01", "kb-04")[:count])  # by rank, then in the order of the army
    assert asked.standing is not None
    assert asked.standing([("demand", "gifu", "kb-05")]) == Demand("gifu", ("kb-05", "kb-01")[:count])
    assert asked.standing([("demand", "ono", "kb-05")]) is None
    assert set(s.removed) == set(wanted)
    assert (s.owner["gifu"], s.durability["gifu"], s.refuse, s.besieging) == ("hashiba", 10, set(), set())
    assert s.board.label[s.at["kb-01"]] == "0303"


@pytest.mark.clause("20-3(G)")
@pytest.mark.parametrize(("inside", "gone"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_half_of_those_inside_is_rounded_up(field: Field, inside: int, gone: int) -> None:
    units = [f"kb-0{i}" for i in (4, 5, 6, 7, 8)][:inside]
    s = siege(field, forces={**dict.fromkeys(units, "0202 shut-in"), "hb-01": "0202 besieging"})
    run(castles.opened(s, "gifu", "hb-01", "G"), [], [""] if gone < inside else [])
    assert len(s.removed) == gone


@pytest.mark.clause("20-3(H)", "20-3(H2)")
@pytest.mark.parametrize(("reduced", "restored"), [(("kb-04",), 3), (("kb-04", "kb-05"), 2), ((), 3)])
def test_a_surrender_removes_all_and_gives_half_of_their_steps_rounded_up(
    field: Field, reduced: tuple[str, ...], restored: int
) -> None:
    s = siege(field)
    s.reduced.update(("hb-01", "hb-04", "hb-06", "hb-07", *reduced))
    run(castles.opened(s, "gifu", "hb-01", "H"))
    assert set(s.removed) == {"kb-01", "kb-04", "kb-05"}
    assert 4 - len(s.reduced) == restored
    assert "hb-01" not in s.reduced  # the leader first
    assert s.owner["gifu"] == "hashiba"


@pytest.mark.clause("20-3-2", "20-3-2(morale)")
def test_all_march_to_one_hex_with_a_friendly_unit_or_castle_and_normal_morale(field: Field) -> None:
    forces = {"kb-01": "0202 shut-in morale -3", "kb-04": "0202 shut-in", "sb-02": "0104", "hb-01": "0202 besieging"}
    s = siege(field, forces={**forces, "hb-02": "0303"})
    assert [s.board.label[h] for h in castles.ways_out(s, "gifu")] == ["0104"]  # an enemy stands at Ono
    s = siege(field, forces=forces)
    assert [s.board.label[h] for h in castles.ways_out(s, "gifu")] == ["0303", "0104"]
    to = s.board.parse("0104")
    found = run(castles.opened(s, "gifu", "hb-01", "D"), [], [MarchOut("gifu", to)])
    (asked,) = (f for f in found if isinstance(f, Choose))
    assert asked.side == "anti-hashiba"
    assert asked.why_not(MarchOut("gifu", s.board.parse("0101"))) is not None
    assert asked.default() == MarchOut("gifu", s.board.parse("0303"))
    assert asked.standing is not None
    assert asked.standing([("march-out", "any", "0104")]) == MarchOut("gifu", to)
    assert (s.at["kb-01"], s.at["kb-04"], s.morale, s.shut_in) == (to, to, {}, set())


@pytest.mark.clause("20-3-2(siege)")
def test_in_a_castle_under_siege_they_are_shut_up_at_once(field: Field) -> None:
    forces = {"kb-01": "0202 shut-in", "hb-01": "0202 besieging", "hb-02 hb-04 hb-06 hb-07 hb-08": "0303 besieging"}
    s = siege(field, forces=forces)
    run(castles.opened(s, "gifu", "hb-01", "D"))
    assert (s.board.label[s.at["kb-01"]], s.shut_in) == ("0303", {"kb-01"})


@pytest.mark.clause("20-3-2(none)")
def test_with_nowhere_to_go_they_surrender(field: Field) -> None:
    s = siege(field, castles={"gifu": "0202 kobe 1"})
    run(castles.opened(s, "gifu", "hb-01", "D"))
    assert set(s.removed) == {"kb-01", "kb-04", "kb-05"}


@pytest.mark.clause("21.0(3)")
def test_the_strongest_besieger_is_the_captor_then_the_lower_id(field: Field) -> None:
    s = siege(field, forces={"hb-02": "0202 besieging", "hb-03 hb-04": "0202 besieging", "hb-05": "0202"})
    assert castles.captor_of(s, "gifu") == "hb-03"
    s = siege(field, forces={"hb-04": "0202 besieging", "hb-06": "0202 besieging"})
    assert castles.captor_of(s, "gifu") == "hb-04"


def test_the_die_of_a_fall_is_named_by_the_castles_hex(field: Field) -> None:
    s = siege(field, castles={"gifu": "0202 kobe 1 1"})
    found = run(castles.damage(s, "gifu", 9, "19-3", "hb-01"), [6])
    assert Roll("fall/0202", dice=1) in found
