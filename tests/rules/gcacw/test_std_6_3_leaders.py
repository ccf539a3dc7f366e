"""Leaders stand with units of their command (std-6.3)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.field import Battle
from rules.gcacw.activities import asked, run, told

from pbem.rules.gcacw import march
from pbem.rules.gcacw.leaders import alone, settle
from pbem.rules.gcacw.orders import Join, March
from pbem.rules.gcacw.state import State

Field = Callable[..., State]
Fields = Callable[..., Battle]
OPEN = ". . . . . .\n" * 5


@pytest.mark.clause("std-6.3-1")
def test_no_order_leaves_a_leader_alone_or_with_others_units(battle: Fields) -> None:
    units = {"mcdowell": "0101", "king": "0101 9", "schurz": "0101 5", "ricketts": "0303 9"}
    b = battle(OPEN, units, choice="union")
    assert b.refused("march king 0102") == "std-6.3-1"  # Schurz is of another corps
    assert b.why_not("march king with mcdowell 0102") is None
    assert b.why_not("march schurz 0102") is None
    b = battle(OPEN, units | {"ricketts": "0101 9"}, choice="union")
    assert b.why_not("march king 0102") is None


@pytest.mark.clause("std-6.3-2")
def test_a_leader_left_without_a_unit_goes_to_the_nearest_of_his_command(field: Field) -> None:
    units = {"mcdowell": "0303", "king": "0303 9", "schurz": "0304 5", "ricketts": "0301 9", "reynolds": "0505 9"}
    s = field(OPEN, units)
    s.remove("king")
    found = run(settle(s, ["union"]))
    assert s.at["mcdowell"] == s.board.parse("0301")
    assert told(found, "relocated")[0]["with"] == "ricketts"
    s.remove("ricketts")
    found = run(settle(s, ["union"]))  # none is left
    assert "mcdowell" not in s.at
    assert [facts["unit"] for facts in told(found, "leader-off")] == ["mcdowell"]


@pytest.mark.clause("std-6.3-2")
def test_of_several_as_near_the_owner_chooses(field: Field) -> None:
    units = {"jackson": "0303", "gregg": "0303 4", "ap-hill": "0301 9", "winder": "0305 8", "lawton": "0305 4"}
    for answers, ends in (([], "0301"), ([Join("jackson", "winder")], "0305"), ([Join("jackson", "lawton")], "0305")):
        s = field(OPEN, units)
        s.remove("gregg")
        found = run(settle(s, ["confederate"]), (), answers)
        assert s.at["jackson"] == s.board.parse(ends)
        (question,) = asked(found, "join")
        assert question.why_not(Join("jackson", "gregg")) is not None
        assert question.standing is not None
        assert question.standing([("join", "jackson", "lawton")]) == Join("jackson", "lawton")
        assert question.standing([]) is None
    s = field(OPEN, units | {"ap-hill": "0305 9"})
    s.remove("gregg")
    assert asked(run(settle(s, ["confederate"]))) == []  # all in one hex: there is nothing to choose


@pytest.mark.clause("std-6.3-3")
def test_army_leaders_stand_with_any_unit_of_their_army(battle: Fields) -> None:
    units = {"pope": "0101", "king": "0101 9", "sykes": "0101 9", "schurz": "0203 5", "bayard": "0303 2"}
    b = battle(OPEN, units, phase="union-transfer")
    b.do("")
    assert b.why_not("transfer pope schurz") is None
    assert b.why_not("transfer pope bayard") is None
    b = battle(OPEN, units, choice="union")
    assert b.refused("march king 0102") == "std-6.3-1"  # Sykes is of the Army of the Potomac
    assert b.why_not("march king with pope 0102") is None
    assert b.refused("march sykes with pope 0102") == "std-6.3-1"


@pytest.mark.clause("std-6.3-1")
def test_who_would_leave_leaders_alone_is_told_how_to_take_them_along(battle: Fields) -> None:
    """Of a march it was said to leave it out."""
    b = battle(OPEN, {"lee": "0101", "stuart": "0101", "robertson": "0101 3"}, choice="confederate")
    alone = "Lee would be left without a unit of his command in 0101: write `march robertson with"
    for way in ("0102", "along 0102 0103"):
        assert reason(b, f"march robertson {way}") == f"{alone} lee stuart`"
        assert reason(b, f"march robertson with stuart {way}") == f"{alone} stuart lee`"
        assert b.why_not(f"march robertson with stuart lee {way}") is None
    b = battle(OPEN, {"jackson": "0101", "winder": "0101 9", "ap-hill": "0101 9"}, choice="confederate")
    assert reason(b, "activate jackson march winder 0102 march ap-hill 0102") == (
        "Jackson would be left without a unit of his command: let him go along with one, as by "
        "`march winder with jackson`"
    )
    assert b.why_not("activate jackson march winder with jackson 0102 march ap-hill 0102") is None


def reason(b: Battle, order: str) -> str:
    """Why an order is refused, in words."""
    found = b.why_not(order)
    assert found is not None
    return found.reason


@pytest.mark.clause("std-6.3-4")
def test_mcdowell_begins_with_reynolds_and_goes_along_with_him(game: Fields, campaign: Callable[..., State]) -> None:
    for name in ("jacksons-march", "to-bull-run"):
        s = campaign(name)
        assert s.at["mcdowell"] == s.at["reynolds"]
        assert not alone(s, "mcdowell")
    b = game("jacksons-march", turn=2, choice="union")
    assert b.refused("march reynolds N2227") == "std-6.3-1"
    assert b.refused("activate mcdowell march reynolds with mcdowell N2227") == "std-5.2-1"
    assert b.refused("activate mcdowell march king N2030") == "std-6.1-1"
    assert b.why_not("activate mcdowell hop king march king with mcdowell") is None
    b.do("march reynolds with mcdowell N2227", 6)
    assert (b.at("reynolds"), b.at("mcdowell")) == ("N2227", "N2227")
    assert b.state.joined == set()


@pytest.mark.clause("std-6.3-4")
def test_once_with_a_unit_of_his_own_mcdowell_may_not_return(game: Fields) -> None:
    b = game("jacksons-march", {"king": "N2227"}, turn=2, phase="union-transfer")
    b.do("")
    assert b.refused("transfer mcdowell reynolds") == "std-3.0-2"
    b.do("transfer mcdowell king")
    assert b.state.joined == {"mcdowell"}
    b = game("jacksons-march", {"king": "N2228", "mcdowell": "N2228"}, turn=2, choice="union")
    b.state.joined.add("mcdowell")
    assert b.refused("march reynolds with mcdowell N2227") == "std-6.3-1"
    assert b.refused("march king N2227") == "std-6.3-1"


@pytest.mark.clause("std-6.3-4")
def test_who_only_passes_a_unit_of_his_own_has_not_joined_it(field: Field) -> None:
    units = {"mcdowell": "0101", "reynolds": "0101 9", "king": "0201 1"}
    for path, joined in (("0201", True), ("0201 0301", False)):
        s = field(OPEN, units, scenario={"foreign": {"mcdowell": "reynolds"}})
        way = tuple(s.board.parse(number) for number in path.split())
        run(march.carry_out(s, March("reynolds", way, ("mcdowell",), force="always")), (6,))
        assert s.at["mcdowell"] == s.at["reynolds"] == way[-1]
        assert (s.joined == {"mcdowell"}) == joined


@pytest.mark.clause("std-6.3-4")
def test_who_is_only_passed_by_a_unit_of_his_own_has_not_joined_it(field: Field) -> None:
    units = {"mcdowell": "0201", "reynolds": "0201 9", "king": "0101 1"}
    for path, joined in (("0201", True), ("0201 0301", False)):
        s = field(OPEN, units, scenario={"foreign": {"mcdowell": "reynolds"}})
        way = tuple(s.board.parse(number) for number in path.split())
        run(march.carry_out(s, March("king", way, force="always")), (6,))
        assert (s.at["king"], s.at["mcdowell"]) == (way[-1], s.at["reynolds"])
        assert (s.joined == {"mcdowell"}) == joined


@pytest.mark.clause("std-6.3-4", "std-6.3-2")
def test_who_is_passed_by_a_march_that_is_forced_farther_on_is_not_taken_along(field: Field) -> None:
    """King pays for the force one hex behind McDowell, whose place is asked for then; it is with Reynolds."""
    units = {"mcdowell": "0201", "reynolds": "0201 9", "king": "0101 9"}
    for path, joined in (("0201", True), ("0201 0301 0401", False)):
        s = field(
            OPEN, units, scenario={"foreign": {"mcdowell": "reynolds"}}, roads={"road": "0101 0201 0301 0401 0501"}
        )
        way = tuple(s.board.parse(number) for number in path.split())
        found = run(march.carry_out(s, March("king", way, force="always")), (3,))
        assert bool(told(found, "forced")) != joined
        assert (s.at["king"], s.at["mcdowell"]) == (way[-1], s.at["reynolds"])
        assert (s.joined == {"mcdowell"}) == joined
