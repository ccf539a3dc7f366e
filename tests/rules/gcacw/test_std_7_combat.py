"""Combat: values, every modifier, artillery, flanks, and what the chart's results do (std-7.2 to std-7.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest
from rules.gcacw.activities import asked, labels, level, run, told

from pbem.maps.hexes import neighbours
from pbem.rules.gcacw import combat, harm
from pbem.rules.gcacw.combat import ASSAULT, Fight, guns, modifiers, values
from pbem.rules.gcacw.orders import Losses, March, Strike
from pbem.rules.gcacw.reasons import factors
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.tables import cell_of
from pbem.rules.requests import Tell

Field = Callable[..., State]

PLAIN = """
. . . . .
. . . . .
. . . . .
. . . . .
. . . . .
"""
AT, ROUND = "0303", ("0302", "0402", "0403", "0304", "0203", "0202")
"""The defender's hex, and those round it, clockwise from the north."""

ALONE = {"king": "0303 8", "ewell-b": "0302 8"}
"""Equal in value, artillery 4 against 3, tactical 2 against 3."""


def battle_of(s: State, *units: str, at: str = AT, kind: str = "normal", commander: bool = False) -> Fight:
    """The combat that these units, of one side, bring on."""
    return Fight(s.board.units[units[0]].side, s.board.parse(at), units, kind, commander)


def added(s: State, f: Fight) -> dict[str, int]:
    """What is added to the dice, by name; nothing that is 0."""
    return {m.name: m.points for m in modifiers(s, f)}


def fought(s: State, f: Fight, *dice: int, answers: tuple[Any, ...] = ()) -> list[Any]:
    """A combat by these dice: the artillery's if it is asked for, the attacker's, the defender's."""
    return run(combat.fight(s, f), dice, answers)


def many(s: State, **manpower: int) -> State:
    """The state with so much manpower, more than a counter of the battles has."""
    s.manpower.update({unit.replace("_", "-"): number for unit, number in manpower.items()})
    s.memo.clear()
    return s


# --- values (std-7.2) -------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-7.2-1")
def test_defenders_of_a_hex_count_60_more_behind_works(field: Field) -> None:
    stack = {"king": "0303 18", "ricketts": "0303 18", "hooker": "0303 18", "kearny": "0303 16"}
    for works, most in (((), 60), (("king",), 60), (("king", "kearny"), 70), (tuple(stack), 70)):
        s = field(PLAIN, {**stack, "ewell-b": "0302 8"})
        s.works.update(dict.fromkeys(works, 2))
        assert values(s, battle_of(s, "ewell-b")).defender == 2 * most, works
    for manpower, most in ((59, 59), (60, 60), (61, 60)):
        s = many(field(PLAIN, ALONE), king=manpower)
        assert values(s, battle_of(s, "ewell-b")).defender == 2 * most


@pytest.mark.clause("std-7.2-1")
def test_half_entrenched_count_100_all_entrenched_130(field: Field) -> None:
    stack = {"king": "0303 8", "ricketts": "0303 8", "ewell-b": "0302 8"}
    for stages, most in (((0, 0), 60), ((1, 1), 60), ((2, 0), 100), ((2, 1), 100), ((2, 3), 130), ((4, 2), 130)):
        s = many(field(PLAIN, stack), king=70, ricketts=70)
        s.works.update({unit: n for unit, n in zip(("king", "ricketts"), stages, strict=True) if n})
        assert values(s, battle_of(s, "ewell-b")).defender == 2 * most, stages
    third = {"king": "0303 8 works 2", "ricketts": "0303 8", "hooker": "0303 8", "ewell-b": "0302 8"}
    s = many(field(PLAIN, third), king=70, ricketts=70)
    assert values(s, battle_of(s, "ewell-b")).defender == 2 * 60, "one of three"
    s = field(PLAIN, {"king": "0303 8 works 2", "buford": "0303 8", "ewell-b": "0302 8"})
    assert values(many(s, king=70, buford=70), battle_of(s, "ewell-b")).defender == 2 * 130, "cavalry isn't asked"


@pytest.mark.clause("std-7.2-1", "std-9.0-6")
def test_the_cap_comes_before_the_factor_of_works(field: Field) -> None:
    s = field(PLAIN, {"king": "0303 8 works 2", "ricketts": "0303 8", "ewell-b": "0302 8"})
    found = values(many(s, king=100, ricketts=50), battle_of(s, "ewell-b"))
    assert found.defender == 200
    assert found.entrenched == Fraction(200 * (2 * 200 + 100), 300)


@pytest.mark.clause("std-7.2-2")
def test_attackers_of_a_hex_count_70_together_more(field: Field) -> None:
    s = field(PLAIN, {"king": "0303 8", "ewell-b": "0302 8", "ap-hill": "0302 8", "hood": "0304 8"})
    many(s, ewell_b=40, ap_hill=40, hood=60)
    assert values(s, battle_of(s, "ewell-b", "ap-hill")).attacker == 2 * 70
    assert values(s, battle_of(s, "ewell-b", "hood")).attacker == 2 * 100
    assert values(s, battle_of(s, "ewell-b", "ap-hill", "hood")).attacker == 2 * 130
    many(s, ewell_b=60)
    assert values(s, battle_of(s, "ewell-b", "hood")).attacker == 2 * 120


@pytest.mark.clause("std-9.0-4", "std-9.0-6", "std-9.0-7")
@pytest.mark.parametrize(("stage", "ratio"), [(0, 10), (1, 15), (2, 20), (3, 20), (4, 30)])
def test_works_count_for_the_ratio_alone(field: Field, stage: int, ratio: int) -> None:
    """R292: breastworks that are being built multiply by 1 1/2, as abatis do."""
    s = field(PLAIN, {"king": f"0303 10 works {stage}", "ewell-b": "0302 8"})
    found = values(s, battle_of(s, "ewell-b"))
    assert found.entrenched == 2 * ratio
    assert found.defender == 2 * 10


@pytest.mark.clause("std-9.0-6")
@pytest.mark.parametrize(("stage", "behind"), [(0, None), (1, "13 1/2"), (2, "18")])
def test_a_combat_and_its_odds_tell_what_the_defenders_value_is_behind_works(
    field: Field, stage: int, behind: str | None
) -> None:
    """A 2:1 by the values told was fought as a 1:1, and nothing said why."""
    s = field(PLAIN, {"king": f"0303 9 works {stage}", "ewell-b": "0302 18"}, choice="confederate")
    order = March("ewell-b", strike=Strike(s.board.parse(AT)))
    told_of = [one.value for one in factors(s, order) if one.clause == "std-9.0-6"]
    assert told_of == ([] if behind is None else [f"{behind} for the ratio and the flanks"])
    (facts,) = told(fought(s, battle_of(s, "ewell-b"), 3, 4), "fight")
    assert facts["values"] == [2 * 18, 2 * 9]
    assert facts.get("works") == behind


# --- ratio and tactical (std-7.4-1 to -3) -----------------------------------------------------------------------------


@pytest.mark.clause("std-7.4-1", "std-7.4-2")
@pytest.mark.parametrize(
    ("attacker", "defender", "expected"),
    [(8, 10, -1), (10, 10, 0), (19, 10, 0), (20, 10, 1), (29, 10, 1), (30, 10, 2), (10, 20, -1), (10, 21, -2),
     (10, 30, -2), (10, 31, -3), (60, 10, 5), (70, 10, 5), (70, 1, 5), (59, 10, 4), (1, 6, -5), (1, 60, -5),
     (1, 5, -4)],
)  # fmt: skip
def test_the_ratio_gives_parts_to_the_defender(field: Field, attacker: int, defender: int, expected: int) -> None:
    s = many(field(PLAIN, ALONE), king=defender, ewell_b=attacker)
    assert added(s, battle_of(s, "ewell-b")).get("ratio", 0) == expected


@pytest.mark.clause("std-7.5-1", "std-2.2-4", "std-2.2-3")
def test_half_points_count_in_the_ratio_and_not_in_the_column(field: Field) -> None:
    """Example: 14 disorganised are 10; 1/2 and 3 are 3 1/2: a ratio of 2, the first column."""
    s = field(PLAIN, {"ewell-b": "0302 14 disorganised", "king": "0303 1 disorganised", "ricketts": "0303 3"})
    f = battle_of(s, "ewell-b")
    found = values(s, f)
    assert (found.attacker, found.defender) == (20, 7)
    assert added(s, f)["ratio"] == 1
    assert str(combat.read_chart(s, found, 4).defender) == "DR"
    s = field(PLAIN, {"ewell-b": "0302 13", "king": "0303 1 disorganised", "ricketts": "0303 6"})
    assert added(s, battle_of(s, "ewell-b"))["ratio"] == 1, "13 to 6 1/2"
    assert str(combat.read_chart(s, values(s, battle_of(s, "ewell-b")), 4).defender) == "1DR"


@pytest.mark.clause("std-7.4-3")
def test_the_best_tactical_values_are_compared(field: Field) -> None:
    for units, expected in (
        ({"jackson": "0302"}, 2),
        ({"jackson": "0301", "ap-hill": "0301 8"}, 1),
        ({"jackson": "0302", "mcdowell": "0303"}, 1),
        ({"lee": "0302"}, 1),
        ({"pope": "0303"}, 1),
    ):
        s = field(PLAIN, {**ALONE, **units})
        assert added(s, battle_of(s, "ewell-b")).get("tactical", 0) == expected, units
    s = field(PLAIN, {**ALONE, "hood": "0302 8", "longstreet": "0302"})
    assert added(s, battle_of(s, "ewell-b"))["tactical"] == 1, "Hood takes no part"
    assert added(s, battle_of(s, "ewell-b", "hood"))["tactical"] == 2


@pytest.mark.clause("std-7.4-3")
def test_regiments_without_a_tactical_value_have_none(field: Field) -> None:
    for leader, expected in (({}, 3), ({"pope": "0303"}, 3)):
        s = field(PLAIN, {"me-1": "0303 1", "ewell-b": "0302 8", **leader})
        assert added(s, battle_of(s, "ewell-b"))["tactical"] == expected


@pytest.mark.clause("std-7.4-3", "std-4.0-9")
def test_a_held_leader_counts_with_his_men(field: Field) -> None:
    held = {"holds": [{"units": ["jackson"], "until": "3", "clause": "13.1-sp3"}]}
    s = field(PLAIN, {**ALONE, "jackson": "0302"}, scenario=held)
    assert added(s, battle_of(s, "ewell-b"))["tactical"] == 2


@pytest.mark.clause("std-6.3-4")
def test_mcdowell_counts_with_the_unit_of_his_set_up(field: Field) -> None:
    units = {"reynolds": "0303 8", "mcdowell": "0303", "ewell-b": "0302 8"}
    s = field(PLAIN, units, scenario={"foreign": {"mcdowell": "reynolds"}})
    assert "tactical" not in added(s, battle_of(s, "ewell-b"))
    s.joined.add("mcdowell")
    assert added(s, battle_of(s, "ewell-b"))["tactical"] == 1


@pytest.mark.clause("std-11.0-2")
def test_the_demoralised_have_no_tactical_value(field: Field) -> None:
    s = field(PLAIN, {"king": "0303 8 demoralised 1", "ewell-b": "0302 8"})
    assert added(s, battle_of(s, "ewell-b"))["tactical"] == 3


# --- artillery (std-7.3) ----------------------------------------------------------------------------------------------


@pytest.mark.clause("std-7.3-1")
def test_artillery_is_summed_up_on_both_sides(field: Field) -> None:
    s = field(PLAIN, {"buford": "0303 8", "ferrero": "0303 8", "ap-hill": "0302 8", "hood": "0302 8"})
    found = guns(s, battle_of(s, "ap-hill"))
    assert (found.difference, found.points) == (2, 0), "example: 4 against 2 gives nothing"
    assert guns(s, battle_of(s, "ap-hill", "hood"))[:2] == (4, 0)


@pytest.mark.clause("std-7.3-2", "std-11.0-2")
def test_only_the_demoralised_lose_their_artillery(field: Field) -> None:
    for words, expected in (("", 4), ("disorganised", 4), ("F4", 4), ("demoralised 1", 0), ("demoralised 2", 0)):
        s = field(PLAIN, {"ap-hill": f"0303 8 {words}", "buford": "0302 8"})
        assert guns(s, battle_of(s, "buford")).difference == -expected, words
        s = field(PLAIN, {"buford": "0303 8", "ap-hill": f"0302 8 {words}"})
        assert guns(s, battle_of(s, "ap-hill")).difference == expected, words


@pytest.mark.clause("std-7.3-3")
@pytest.mark.parametrize(
    ("letter", "strong", "weak"),
    [(".", (2, 1), (-3, -3)), ("o", (1, 1), (-2, -2)), ("h", (1, 0), (-1, -1)), ("r", (1, 0), (-1, -1)),
     ("w", (0, 0), (0, 0)), ("c", (0, 0), (0, 0)), ("m", (0, 0), (0, 0)), ("s", (0, 0), (0, 0))],
)  # fmt: skip
def test_the_defenders_ground_takes_from_artillery(
    field: Field, letter: str, strong: tuple[int, int], weak: tuple[int, int]
) -> None:
    """Eight more, and four less: with one more die of 4 to 6, and with one of 1 to 3 (R292)."""
    rows = f". . . . .\n. . . . .\n. . {letter} . .\n. . . . .\n"
    s = field(rows, {"buford": "0303 8", "ap-hill": "0302 8", "taliaferro": "0302 8"})
    assert guns(s, battle_of(s, "ap-hill", "taliaferro")) == (8, *strong)
    s = field(rows, {"ap-hill": "0303 8", "buford": "0302 8"})
    assert guns(s, battle_of(s, "buford")) == (-4, *weak)


@pytest.mark.clause("std-7.3-3")
def test_only_guns_of_the_defender_keep_an_attack_down(field: Field) -> None:
    """R292: without any of his own, or none but demoralised, the artillery takes nothing from the attacker's die."""
    for unit, words, expected in (
        ("ap-hill", "", (-4, -3)),
        ("ap-hill", "demoralised 1", (0, 0)),
        ("va-2", "", (0, 0)),
    ):
        s = field(PLAIN, {unit: f"0303 8 {words}", "buford": "0302 8"})
        assert guns(s, battle_of(s, "buford"))[:2] == expected, (unit, words)


@pytest.mark.clause("std-7.3-3", "std-7.1-10")
@pytest.mark.parametrize(
    ("letter", "die", "points"), [("r", 3, 0), ("r", 4, 1), (".", 3, 1), (".", 4, 2), (".", 1, 1), (".", 6, 2)]
)
def test_a_cell_with_two_figures_asks_for_one_more_die(field: Field, letter: str, die: int, points: int) -> None:
    """R292: of 4 to 6 it brings the first, of 1 to 3 the second."""
    rows = f". . . . .\n. . . . .\n. . {letter} . .\n. . . . .\n"
    s = field(rows, {"buford": "0303 8", "ap-hill": "0302 8", "taliaferro": "0302 8"})
    found = fought(s, battle_of(s, "ap-hill", "taliaferro"), die, 1, 6)
    assert labels(found) == ["artillery/0303", "attack/0303", "defence/0303"]
    (fight,) = told(found, "fight")
    assert fight["guns"] == [8, points]
    assert (fight["gun_die"], fight["gun_points"]) == (die, [1, 0] if letter == "r" else [2, 1])
    assert fight["difference"] == 1 - 6 + points + sum(m[2] for m in fight["modifiers"])


@pytest.mark.clause("std-9.0-8")
@pytest.mark.parametrize(
    ("stages", "guns_there"),
    [((0, 0), 5), ((1, 0), 6), ((2, 0), 8), ((3, 0), 8), ((4, 0), 11), ((0, 1), 6), ((0, 2), 7), ((4, 4), 15),
     ((1, 1), 7)],
)  # fmt: skip
def test_works_multiply_the_defenders_artillery_dropped_for_each_unit(
    field: Field, stages: tuple[int, int], guns_there: int
) -> None:
    """R292: Kearny has 3, Ferrero 2; parts of a point are dropped for each of them."""
    s = field(PLAIN, {"kearny": "0303 8", "ferrero": "0303 7", "ap-hill": "0302 8"})
    s.works.update({unit: n for unit, n in zip(("kearny", "ferrero"), stages, strict=True) if n})
    assert guns(s, battle_of(s, "ap-hill")).difference == 4 - guns_there


@pytest.mark.clause("std-9.0-8")
def test_works_leave_the_attackers_artillery_alone(field: Field) -> None:
    for stage in range(5):
        s = field(PLAIN, {"piatt": f"0303 8 works {stage}", "ap-hill": "0302 8", "evans": "0302 5"})
        assert guns(s, battle_of(s, "ap-hill", "evans")).difference == 5, "Piatt has no guns to multiply"


# --- the ground (std-7.4-4 to -11) ------------------------------------------------------------------------------------


@pytest.mark.clause("std-7.4-4", "std-7.4-8", "std-7.4-10")
@pytest.mark.parametrize(
    ("sides", "roads", "expected"),
    [
        ({"minor_river": "0302/0303"}, {"bridge": "0302 0303"}, {"crossing": 2}),
        ({"minor_river": "0302/0303"}, {"ford": "0302 0303"}, {"crossing": 2}),
        ({"major_river": "0302/0303"}, {"ferry": "0302 0303"}, {"crossing": 2}),
        ({"major_river": "0302/0303"}, {"dam": "0302 0303"}, {"crossing": 2}),
        ({"creek": "0302/0303"}, {}, {"creek": 1}),
        ({"creek": "0302/0303"}, {"road": "0302 0303"}, {"creek": 1}),
        ({"creek": "0303/0304"}, {}, {}),
        ({"minor_river": "0303/0304"}, {"bridge": "0303 0304"}, {}),
    ],
)
def test_water_on_the_hexside_of_the_attack_helps_the_defender(
    field: Field, sides: dict[str, str], roads: dict[str, str], expected: dict[str, int]
) -> None:
    s = field(PLAIN, ALONE, sides=sides, roads=roads)
    assert {k: v for k, v in added(s, battle_of(s, "ewell-b")).items() if k in ("crossing", "creek")} == expected


@pytest.mark.clause("std-7.4-4", "std-10.0-4")
def test_a_bridge_that_was_built_is_a_bridge(field: Field) -> None:
    s = field(PLAIN, ALONE, sides={"minor_river": "0302/0303"})
    s.build("0302/0303", "confederate")
    assert added(s, battle_of(s, "ewell-b"))["crossing"] == 2


@pytest.mark.clause("std-7.4-5", "std-7.4-7", "std-7.4-10")
@pytest.mark.parametrize(
    ("here", "there", "expected"),
    [
        (".", "m", {"mountain": 2}), ("h", "m", {"mountain": 2}), ("m", "m", {"mountain": 1}), ("m", ".", {}),
        (".", "h", {"hill": 1}), ("w", "h", {"hill": 1}), ("h", "h", {}), ("m", "h", {}), ("h", ".", {}),
        (".", "w", {}), (".", "r", {}), (".", "o", {}), (".", "c", {}), (".", "s", {}),
    ],
)  # fmt: skip
def test_heights_help_the_defender_less_against_heights(
    field: Field, here: str, there: str, expected: dict[str, int]
) -> None:
    s = field(f". . . . .\n. . {here} . .\n. . {there} . .\n. . . . .\n", ALONE)
    found = {m.name: m.points for m in modifiers(s, battle_of(s, "ewell-b")) if m.of == "defender"}
    assert found == expected


@pytest.mark.clause("std-7.4-5", "std-7.4-6", "std-7.4-7")
@pytest.mark.parametrize(
    ("there", "up", "down"),
    [
        (".", {"ridge": 2}, {}), ("w", {"ridge": 2}, {}),
        ("m", {"ridge": 2, "mountain": 2}, {"mountain": 1}), ("h", {"ridge": 2, "hill": 1}, {}),
    ],
)  # fmt: skip
def test_a_ridge_helps_who_is_above_and_takes_from_the_height_below(
    field: Field, there: str, up: dict[str, int], down: dict[str, int]
) -> None:
    """The shipped map has no ridge along hexsides: its heights are mountain and hill hexes."""
    for ridge, expected in (("0302/0303", up), ("0303/0302", down)):
        s = field(f". . . . .\n. . . . .\n. . {there} . .\n. . . . .\n", ALONE, sides={"ridge": ridge})
        found = {m.name: m.points for m in modifiers(s, battle_of(s, "ewell-b")) if m.of == "defender"}
        assert found == expected


@pytest.mark.clause("std-7.4-10")
def test_all_modifiers_add_up(field: Field) -> None:
    rows = ". . . . .\n. . . . .\n. . h . .\n. . . . .\n"
    s = field(rows, {**ALONE, "jackson": "0302"}, sides={"creek": "0302/0303"})
    found = added(s, battle_of(s, "ewell-b", kind="prepared"))
    assert found == {"tactical": 2, "prepared": 1, "creek": 1, "hill": 1}
    found_guns = guns(s, battle_of(s, "ewell-b"))
    assert found_guns == (-1, 0, -1)
    (fight,) = told(fought(s, battle_of(s, "ewell-b", kind="prepared"), 3, 3, 2), "fight")
    assert fight["difference"] == 3 + 2 + 1 - 1 - 2 - 1 - 1


@pytest.mark.clause("std-7.4-9")
@pytest.mark.parametrize(("shaken", "other", "rank", "expected"), [(8, 8, 2, -1), (8, 9, 2, 0), (8, 8, 1, 0)])
def test_a_defender_half_demoralised_twice_is_weaker(
    field: Field, shaken: int, other: int, rank: int, expected: int
) -> None:
    units = {"king": f"0303 {shaken} demoralised {rank}", "hooker": f"0303 {other}", "ewell-b": "0302 8"}
    s = field(PLAIN, units)
    found = [m for m in modifiers(s, battle_of(s, "ewell-b")) if m.name == "demoralised"]
    assert sum(m.points for m in found) == expected
    assert all(m.of == "defender" for m in found)


@pytest.mark.clause("std-7.4-11")
def test_the_easiest_of_the_hexes_that_joined_counts(field: Field) -> None:
    rows = ". . . . .\n. . . h .\n. . h . .\n. . . . .\n"
    units = {"king": "0303 8", "ewell-b": "0302 8", "ap-hill": "0304 8", "hood": "0402 8"}
    s = field(rows, units, sides={"creek": "0302/0303"})
    for attackers, expected in (
        (("ewell-b",), 2),
        (("ap-hill",), 1),
        (("hood",), 0),
        (("ewell-b", "ap-hill"), 1),
        (("ewell-b", "ap-hill", "hood"), 0),
    ):
        found = [m.points for m in modifiers(s, battle_of(s, *attackers, kind=ASSAULT)) if m.of == "defender"]
        assert sum(found) == expected, attackers
    s = field(PLAIN, units, sides={"minor_river": "0302/0303"}, roads={"bridge": "0302 0303"})
    assert "crossing" not in added(s, battle_of(s, "ewell-b", "ap-hill", kind=ASSAULT))


@pytest.mark.clause("std-7.1-3", "std-5.3-4", "std-7.1-8")
@pytest.mark.parametrize(
    ("kind", "expected"),
    [("column", {"column": -3}), ("hasty", {"hasty": -1}), ("normal", {}), ("prepared", {"prepared": 1}),
     (ASSAULT, {"assault": 1})],
)  # fmt: skip
def test_the_kind_of_attack_modifies_the_attackers_die(field: Field, kind: str, expected: dict[str, int]) -> None:
    s = field(PLAIN, ALONE)
    assert added(s, battle_of(s, "ewell-b", kind=kind)) == {"tactical": 1, **expected}
    assert added(s, battle_of(s, "ewell-b", kind=kind, commander=True)) == {"tactical": 1, **expected, "commander": 1}


# --- flanks (std-7.4-12 to -15) ---------------------------------------------------------------------------------------

FAR = {"king": "0303 8", "ewell-b": "0302 8"}
"""The attacker in the north covers its hex and, by its zone, those on both sides: three."""


def flank(s: State, *units: str) -> int:
    """The flank bonus."""
    return added(s, battle_of(s, *(units or ("ewell-b",)))).get("flank", 0)


@pytest.mark.clause("std-7.4-12", "std-7.4-13")
@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ({}, 0),
        ({"hood": "0305 8"}, 0),
        ({"hood": "0203 8"}, 2),
        ({"hood": "0204 8"}, 2),
        ({"hood": "0304 8"}, 4),
        ({"hood": "0205 8", "anderson": "0504 8"}, 0),
        ({"hood": "0305 8", "anderson": "0503 8"}, 2),
    ],
)
def test_five_covered_hexes_give_2_six_give_4(field: Field, others: dict[str, str], expected: int) -> None:
    s = field(PLAIN, {**FAR, **others})
    assert flank(s) == expected


@pytest.mark.clause("std-7.4-13")
@pytest.mark.parametrize(("count", "expected"), [(3, 0), (4, 0), (5, 0), (6, 1)])
def test_obstacles_cover_and_take_from_the_bonus(field: Field, count: int, expected: int) -> None:
    """R291: three hexes are covered by the zone, others by rivers, of which each takes 1 off: 2 - 2 and 4 - 3."""
    shut = ["0303/0304", "0303/0203", "0303/0403"][: count - 3]
    s = field(PLAIN, FAR, sides={"minor_river": shut} if shut else {})
    assert flank(s) == expected


@pytest.mark.clause("std-7.4-12")
@pytest.mark.parametrize(
    ("rows", "more", "covered"),
    [
        (". . . . .\n. . . . .\n. . . . .\n. . s . .\n. . . . .\n", {}, True),
        (". . . . .\n. . . . .\n. . . . .\n. . m . .\n. . . . .\n", {}, True),
        (". . . . .\n. . . . .\n. . . . .\n. . s . .\n. . . . .\n", {"roads": {"road": "0303 0304"}}, False),
        (". . . . .\n. . . . .\n. . . . .\n. . m . .\n. . . . .\n", {"roads": {"trail": "0303 0304"}}, False),
        (". . . . .\n. . . . .\n. . . . .\n. . w . .\n. . . . .\n", {}, False),
        (PLAIN, {"sides": {"minor_river": "0303/0304"}}, True),
        (PLAIN, {"sides": {"major_river": "0303/0304"}}, True),
        (PLAIN, {"sides": {"major_river": "0303/0304"}, "roads": {"ferry": "0303 0304"}}, False),
        (PLAIN, {"sides": {"creek": "0303/0304"}}, False),
        (". . . . .\n. . . . .\n. . . . .\n. . - . .\n. . . . .\n", {}, True),
        (". . . . .\n. . . . .\n. . . . .\n", {}, True),
    ],
)
def test_ground_and_the_edge_of_the_map_cover(field: Field, rows: str, more: dict[str, Any], covered: bool) -> None:
    """R291: Hood covers two of the south's three hexes; the third is the one in question: 4 less 1 for it, or 2."""
    units = {**FAR, "hood": "0103 8", "anderson": "0503 8"}
    s = field(rows, units, sides=more.get("sides", {}), roads=more.get("roads", {}))
    assert flank(s) == (3 if covered else 2)


@pytest.mark.clause("std-7.4-12", "13.0-4")
def test_beyond_the_sheet_in_play_is_off_the_map(campaign: Field) -> None:
    """Row 01 of the southern sheet: the hexes north of it are on the northern one, which isn't in play."""
    s = campaign("cedar-mountain", {"milroy": "S0301 4", "ewell-a": "S0302 8", "schenck": "S2030 1"})
    at = s.board.parse("S0301")
    missing = [h for h in neighbours(at) if h not in s.board.ground.terrain]
    assert len(missing) == 3
    f = battle_of(s, "ewell-a", at="S0301")
    assert added(s, f)["flank"] == 1, "three beyond the sheet, the attacker's hex, two in its zone: 4 - 3"
    s = campaign("cedar-mountain", {"milroy": "S0304 4", "ewell-a": "S0305 8", "schenck": "S2030 1"})
    assert "flank" not in added(s, battle_of(s, "ewell-a", at="S0304"))


@pytest.mark.clause("std-7.4-12", "std-10.0-4")
@pytest.mark.parametrize(("owner", "expected"), [("union", 2), ("confederate", 3), (None, 3)])
def test_a_built_bridge_opens_a_flank_to_its_owner_alone(field: Field, owner: str | None, expected: int) -> None:
    s = field(PLAIN, {**FAR, "hood": "0103 8", "anderson": "0503 8"}, sides={"minor_river": ["0303/0304"]})
    assert flank(s) == 3, "six covered, one of them by a river"
    if owner is not None:
        s.build("0303/0304", owner)
    assert flank(s) == expected


@pytest.mark.clause("std-7.4-12", "std-11.0-2")
def test_the_demoralised_cover_nothing(field: Field) -> None:
    for words, expected in (("", 4), ("demoralised 1", 0), ("disorganised F4", 4)):
        s = field(PLAIN, {**FAR, "hood": f"0304 8 {words}"})
        assert flank(s) == expected, words
    s = field(PLAIN, {**FAR, "hood": "0305 8 demoralised 1", "anderson": "0305 8"}, sides={"creek": "0101/0102"})
    assert flank(s) == 0, "one of the north, one of the south: four"
    s = field(PLAIN, {**FAR, "hood": "0304 8 demoralised 1", "anderson": "0304 8"})
    assert flank(s) == 4, "one that stands firm is enough"


@pytest.mark.clause("std-7.4-14")
@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ({"hooker": "0203 8"}, 3),
        ({"hooker": "0203 8", "kearny": "0403 8"}, 2),
        ({"hooker": "0203 8 demoralised 1"}, 4),
        ({"hooker": "0203 8", "kearny": "0403 8", "ferrero": "0202 8"}, 1),
        ({"hooker": "0203 8", "kearny": "0403 8", "ferrero": "0202 8", "stevens": "0402 8"}, 1),
    ],
)
def test_units_of_the_defenders_side_beside_him_take_from_the_bonus(
    field: Field, others: dict[str, str], expected: int
) -> None:
    """R291: 3 at most are taken off."""
    s = field(PLAIN, {**FAR, "hood": "0304 8", **others})
    assert flank(s) == expected


@pytest.mark.clause("std-7.4-12", "std-2.4-5")
@pytest.mark.parametrize(
    ("manpower", "works", "expected"), [(2, 0, 4), (1, 0, 0), (3, 2, 0), (4, 2, 4), (3, 1, 4), (2, 1, 0)]
)
def test_who_covers_a_hex_is_worth_a_quarter_of_the_defender(
    field: Field, manpower: int, works: int, expected: int
) -> None:
    """R291: King is worth 8, in breastworks 16, in those begun 12; the regiment's hexes are covered or not at all."""
    s = field(PLAIN, {"king": "0303 8", "ewell-b": "0302 8", "va-2": f"0304 {manpower}"})
    s.works.update({"king": works} if works else {})
    assert flank(s) == expected


@pytest.mark.clause("std-7.4-12", "std-2.4-5")
def test_3_against_15_give_no_bonus(field: Field) -> None:
    """R291: a cavalry force of 3 behind 15 covers nothing; one of 4 does."""
    for manpower, expected in ((3, 0), (4, 4)):
        s = field(PLAIN, {"king": "0303 15", "ewell-b": "0302 8", "f-lee": f"0304 {manpower}"})
        assert flank(s) == expected


@pytest.mark.clause("std-7.4-12", "std-2.4-5")
def test_those_who_cover_a_hex_count_together(field: Field) -> None:
    """R291: units of 1 in 0304 and 0204 are 2 of 8 for the hexes that both reach; of the demoralised none counts."""
    both = {**FAR, "va-2": "0304 1", "wilcox": "0204 1"}
    for units, expected in (
        ({**FAR, "va-2": "0304 1"}, 0),
        (both, 2),
        ({**FAR, "va-2": "0304 1", "evans": "0304 1"}, 4),
        ({**FAR, "va-2": "0304 1", "evans": "0304 1 demoralised 1"}, 0),
    ):
        assert flank(field(PLAIN, units)) == expected, units


@pytest.mark.clause("std-7.4-15")
def test_who_surrounds_need_not_attack(field: Field) -> None:
    s = field(PLAIN, {**FAR, "hood": "0304 8"})
    assert flank(s, "ewell-b") == flank(s, "ewell-b", "hood") == 4
    (fight,) = told(fought(s, battle_of(s, "ewell-b", kind="hasty"), 1, 6), "fight")
    assert ["attacker", "flank", 4, "std-7.4-12"] in fight["modifiers"]


# --- results (std-7.5) ------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-7.5-1", "std-7.5-4", "std-7.1-9")
def test_a_difference_of_0_of_10_against_10(field: Field) -> None:
    s = field(PLAIN, {"hooker": "0303 10", "hood": "0302 10"})
    f = battle_of(s, "hood")
    assert added(s, f) == {"tactical": 1}
    assert guns(s, f) == (-2, -2, -2)
    (fight,) = told(fought(s, f, 4, 3), "fight")
    assert fight["difference"] == 4 + 1 - 2 - 3
    assert (fight["result"], fight["own_result"]) == ("D", "1D")
    assert (s.manpower["hood"], s.manpower["hooker"]) == (9, 10)
    assert {"hood", "hooker"} <= s.disorganised
    assert s.fatigue["hood"] == s.fatigue["hooker"] == 4


@pytest.mark.clause("std-7.5-5")
@pytest.mark.parametrize(
    ("letter", "levels"),
    [("F", {0: 4, 1: 4, 3: 4, 4: 4}), ("f", {0: 1, 1: 2, 3: 4, 4: 4}), ("E", {0: 1, 1: 2, 2: 3, 3: 3, 4: 4}),
     ("D", {0: 4, 4: 4}), ("", {2: 2})],
)  # fmt: skip
def test_letters_raise_fatigue(field: Field, letter: str, levels: Mapping[int, int]) -> None:
    for before, after in levels.items():
        s = field(PLAIN, {**FAR, "hood": f"0101 8 F{before}"})
        run(combat._letters(s, ["hood"], letter))
        assert s.fatigue.get("hood", 0) == after
        assert ("hood" in s.disorganised) == (letter == "D")


@pytest.mark.clause("std-7.5-6")
def test_the_disorganised_lose_nothing_more_by_d(field: Field) -> None:
    """As a march would make it, which takes a point of it."""
    for words in ("disorganised", ""):
        s = field(PLAIN, {"hooker": f"0303 5 {words} F2", "hood": "0302 10"})
        f = battle_of(s, "hood")
        (fight,) = told(fought(s, f, *level(s, f, 0)), "fight")
        assert fight["result"] == "D"
        assert (s.manpower["hooker"], "hooker" in s.disorganised, s.fatigue["hooker"]) == (5, True, 4)
    assert list(harm.disorganise(s, "hooker", "std-5.1-9", price=True))
    assert s.manpower["hooker"] == 4


@pytest.mark.clause("std-7.5-2", "std-7.5-3")
def test_losses_are_of_the_side_in_all(field: Field) -> None:
    s = field(PLAIN, {"king": "0303 5", "hooker": "0303 1", "hood": "0302 8"})
    run(harm.suffer(s, ["hooker", "king"], 2, "std-7.5-2"))
    assert (s.manpower["king"], s.manpower["hooker"]) == (3, 1)
    assert s.lost == {"union": 2, "confederate": 0}


@pytest.mark.clause("std-7.5-3")
def test_the_owner_says_who_loses(field: Field) -> None:
    s = field(PLAIN, {"king": "0303 5", "hooker": "0303 3", "hood": "0302 8"})
    found = run(harm.suffer(s, ["hooker", "king"], 2, "std-7.5-2"), answers=[Losses(("hooker", "hooker"))])
    assert (s.manpower["king"], s.manpower["hooker"]) == (5, 1)
    (question,) = asked(found)
    assert question.side == "union"
    assert question.default is not None
    assert question.default() == Losses(("king", "king"))
    for units, clause in (
        (("king",), "std-7.5-2"),
        (("king", "king", "king"), "std-7.5-2"),
        (("king", "hood"), "std-7.5-2"),
        (("hooker", "hooker"), "std-7.5-2"),
    ):
        refusal = question.why_not(Losses(units))
        assert refusal is not None
        assert refusal.clause == clause


@pytest.mark.clause("std-7.5-3")
def test_nobody_is_eliminated_while_another_has_two_points(field: Field) -> None:
    s = field(PLAIN, {"king": "0303 2", "hooker": "0303 1", "hood": "0302 8"})
    assert asked(run(harm.suffer(s, ["hooker", "king"], 2, "std-7.5-2")))
    assert sum(s.manpower.values()) == 8 + 1
    s = field(PLAIN, {"king": "0303 3", "hooker": "0303 1", "hood": "0302 8"})
    assert not asked(run(harm.suffer(s, ["hooker", "king"], 1, "std-7.5-2"))), "there is one way only"
    refusal = harm._why_not(s, ["hooker", "king"], 1, "std-7.5-2", Losses(("hooker",)))
    assert refusal is not None
    assert refusal.clause == "std-7.5-3"


@pytest.mark.clause("std-7.5-3")
def test_ties_are_broken_by_the_unit_s_id(field: Field) -> None:
    s = field(PLAIN, {"king": "0303 4", "hooker": "0303 4", "hood": "0302 8"})
    assert harm.paying(s, ["king", "hooker"], 1) == ("hooker",)
    assert harm.paying(s, ["king", "hooker"], 3) == ("hooker", "hooker", "king")


@pytest.mark.clause("std-7.5-2", "std-7.5-9", "1.0-2")
def test_a_unit_without_manpower_is_eliminated_and_gets_no_letters(field: Field) -> None:
    s = field(PLAIN, {"waagner": "0303 1", "mcdowell": "0101", "king": "0101 8", "hood": "0302 16"})
    f = battle_of(s, "hood")
    found = fought(s, f, *level(s, f, 5))
    assert [t["unit"] for t in told(found, "remove")] == ["waagner"]
    assert not {"waagner"} & {t["unit"] for name in ("disorganised", "tired", "demoralised") for t in told(found, name)}
    assert not told(found, "retreat")
    assert "waagner" in s.removed
    assert "waagner" not in s.at
    assert s.routs["union"] == 1, "std-7.5-10: though it is gone"


@pytest.mark.clause("std-7.5-7", "std-7.5-4", "std-11.0-1")
def test_dr_retreats_2_to_4_and_a_rout_4_to_6_demoralised(field: Field) -> None:
    """Example: a defender at fatigue 2 gets 1DR."""
    wide = "\n".join([". " * 9] * 12)
    for difference, result, lengths in ((2, "1Dr", {2, 3, 4}), (4, "1DR", {4, 5, 6})):
        s = field(wide, {"hooker": "0506 8 F2", "hood": "0505 10"})
        f = battle_of(s, "hood", at="0506")
        found = fought(s, f, *level(s, f, difference))
        assert told(found, "fight")[0]["result"] == result
        assert s.manpower["hooker"] == 7
        assert "hooker" in s.disorganised
        assert s.fatigue["hooker"] == 4
        assert s.demoralised.get("hooker", 0) == (1 if result.endswith("R") else 0)
        (question,) = asked(found, "retreat")
        assert {len(order.path) for order in question.options()} == lengths
        assert len(told(found, "retreat")[0]["path"]) == min(lengths)


@pytest.mark.clause("std-11.0-1")
def test_a_second_rout_demoralises_twice_and_no_third(field: Field) -> None:
    wide = "\n".join([". " * 9] * 12)
    for before in (0, 1, 2):
        s = field(wide, {"hooker": f"0506 8 demoralised {before}", "hood": "0505 10"})
        f = battle_of(s, "hood", at="0506")
        fought(s, f, *level(s, f, 4))
        assert s.demoralised["hooker"] == min(2, before + 1)


@pytest.mark.clause("std-7.5-10", "13.2-vp7", "13.2-vp9", "13.5-vp11")
@pytest.mark.parametrize(
    ("stack", "routs"),
    [(("hooker", "kearny", "king"), 1), (("hooker", "buford"), 1), (("buford", "bayard"), 0), (("waagner",), 1)],
)
def test_a_rout_counts_once_if_infantry_defended(field: Field, stack: tuple[str, ...], routs: int) -> None:
    wide = "\n".join([". " * 9] * 12)
    s = field(wide, {**dict.fromkeys(stack, "0506 6"), "hood": "0505 18", "anderson": "0505 18"})
    f = battle_of(s, "hood", "anderson", at="0506")
    fought(s, f, *level(s, f, 4))
    assert s.routs == {"union": routs, "confederate": 0}


@pytest.mark.clause("std-7.5-9")
def test_the_effects_come_in_their_order(field: Field) -> None:
    wide = "\n".join([". " * 9] * 12)
    s = field(wide, {"hooker": "0506 8", "hood": "0505 16", "kemper": "0505 16"})
    f = battle_of(s, "hood", "kemper", at="0506")
    found = fought(s, f, *level(s, f, 4))
    assert told(found, "fight")[0]["own_result"] == "2fa"
    names = [f"{t.what} {s.board.units[t.facts['unit']].side}" for t in found if isinstance(t, Tell)]
    order = [
        "fight confederate", "loss confederate", "loss union", "tired confederate", "tired confederate",
        "disorganised union", "tired union", "demoralised union", "retreat union", "advance confederate",
    ]  # fmt: skip
    kept = [name for i, name in enumerate(names) if i == 0 or name != names[i - 1] or name.startswith("tired")]
    assert [name for name in kept if not name.startswith("tired")] == [n for n in order if not n.startswith("tired")]
    assert kept.index("tired confederate") < kept.index("disorganised union") < kept.index("tired union")


@pytest.mark.clause("std-7.5-10", "std-7.6-4", "13.1-vp3", "13.1-vp4")
def test_losses_of_combat_and_surrender_score(field: Field) -> None:
    rows = ". - .\n- . .\n. - .\n"
    s = field(rows, {"hooker": "0202 8", "hood": "0302 16", "kemper": "0103 3", "wilcox": "0303 3"})
    f = battle_of(s, "hood", at="0202", kind="prepared")
    found = fought(s, f, *level(s, f, 7))
    assert told(found, "surrender")
    assert not told(found, "retreat")
    assert s.lost["union"] == 8
    assert s.routs["union"] == 1


@pytest.mark.clause("std-7.8-1", "std-7.6-7")
def test_there_are_neither_refused_flanks_nor_overruns(battle: Callable[..., Any]) -> None:
    from pbem.errors import MalformedOrder

    b = battle(PLAIN, ALONE, choice="confederate")
    for words in ("refuse ewell-b", "overrun ewell-b 0303", "flank ewell-b"):
        with pytest.raises(MalformedOrder):
            b.order(words)
    assert b.why_not("march ewell-b 0303") is not None


@pytest.mark.clause("std-7.5-1", "std-7.5-7")
def test_of_all_36_throws_at_modifier_0_ten_move_the_defender_and_three_rout_him(field: Field) -> None:
    wide = "\n".join(["w " * 9] * 9)
    moved, routed = [], []
    for own in range(1, 7):
        for other in range(1, 7):
            s = field(wide, {"ferrero": "0505 10", "f-lee": "0504 5", "hampton": "0504 5"})
            f = battle_of(s, "f-lee", "hampton", at="0505")
            assert (modifiers(s, f), guns(s, f)) == ([], (0, 0, 0))
            (fight,) = told(fought(s, f, own, other), "fight")
            moved += [fight["difference"]] * (fight["result"][-1] in "rR")
            routed += [fight["difference"]] * (fight["result"][-1] == "R")
    assert (len(moved), min(moved)) == (10, 2)
    assert (len(routed), min(routed)) == (3, 4)


@pytest.mark.clause("std-7.5-8", "std-7.5-7")
@pytest.mark.parametrize(
    ("own", "defender", "asked_to_advance"),
    [("a", "1", False), ("a", "Dr", True), ("a", "9D", True), ("D", "9D", False), ("D", "Dr", False)],
)
def test_an_advance_needs_an_a_and_an_empty_hex(field: Field, own: str, defender: str, asked_to_advance: bool) -> None:
    s = field(PLAIN, {"king": "0303 8", "ewell-b": "0302 8"})
    f = battle_of(s, "ewell-b")
    results = combat.Results(cell_of(own), cell_of(defender))
    found = run(combat._effects(s, f, ["king"], results, combat.fought_over(s, f)))
    assert bool(asked(found, "advance")) == asked_to_advance
