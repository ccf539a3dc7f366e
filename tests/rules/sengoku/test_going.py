"""Orders that only the position makes plain: `to PLACE`, an attack at a place, who takes units over and leaves them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.errors import IllegalOrder, MalformedOrder, OrderError
from pbem.rules.kit.going import one_step
from pbem.rules.requests import Choose
from pbem.rules.sengoku import movement
from pbem.rules.sengoku.castles import ways_out
from pbem.rules.sengoku.going import USAGE, WAYS, way
from pbem.rules.sengoku.orders import Attack, Drop, MarchOut, Move, Organise, Path, Pursue, Replenish, Retreat
from pbem.rules.sengoku.pursuit import pursue
from pbem.rules.sengoku.retreat import routes
from pbem.rules.sengoku.retreat import why_not as why_no_retreat
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.wording import read_order

Field = Callable[..., State]
PLAIN = """
. . . . . . . . . . . . . . . . . . . . .
 . . . . . . . . . . . . . . . . . . . . .
. . . . . . . . . . . . . . . . . . . . .
"""
CASTLES = {"gifu": "0210 hashiba 1", "sone": "0110 kobe 1"}


def ordered(s: State, text: str) -> object:
    """What words mean in an operation phase of Hashiba."""
    return way(s, asked(s), tuple(text.split()))


def asked(s: State) -> Choose:
    """The decision of an operation phase of Hashiba."""
    from pbem.rules.sengoku import operation

    return Choose(
        side="hashiba", kind="operation", clause="", prompt="", options=lambda: operation.options(s, "hashiba"),
        why_not=lambda order: operation.why_not(s, "hashiba", order),
        sample=lambda chance: operation.sample(s, "hashiba", chance),
    )  # fmt: skip


def path(s: State, text: str) -> Path:
    return tuple(map(s.board.parse, text.split()))


def refused(s: State, text: str) -> OrderError:
    with pytest.raises((IllegalOrder, MalformedOrder)) as caught:
        ordered(s, text)
    return caught.value


def test_a_force_moves_to_a_place_by_the_cheapest_legal_way(field: Field) -> None:
    s = field(PLAIN, {"hb-01 hb-04 hb-05": "0204"}, castles=CASTLES)
    straight = path(s, "0205 0206 0207 0208 0209 0210")
    assert ordered(s, "move hb-01 to 0207") == Move("hb-01", straight[:3])
    assert ordered(s, "move hideyoshi to gifu") == Move("hb-01", straight)
    assert ordered(s, "move Hashiba Hideyoshi to Gifu enter") == Move("hb-01", straight, enter=True)
    assert ordered(s, "move hb-01 to 0206 leave Asano Nagamasa hb-05 at 0205") == Move(
        "hb-01", straight[:2], drops=(Drop(straight[0], ("hb-04", "hb-05")),)
    )
    assert ordered(s, "move hb-01 0205") is None
    assert ordered(s, "recover hb-01") is None


@pytest.mark.clause("15-5")
def test_a_way_leads_over_the_hexes_in_which_units_are_left(field: Field) -> None:
    """The cheapest way alone was tried, and the refusal spoke of it though no way had been written."""
    s = field(PLAIN, {"hb-01 hb-04 hb-05": "0204"}, castles=CASTLES)
    straight = ordered(s, "move hb-01 to 0206")
    assert isinstance(straight, Move)
    aside = next(h for h in s.board.ground.near[s.at["hb-01"]] if h not in straight.path)
    label = s.board.label[aside]
    over = ordered(s, f"move hb-01 to 0206 leave hb-04 at {label}")
    assert isinstance(over, Move)
    assert (over.path[0], over.path[-1], over.drops) == (aside, straight.path[-1], (Drop(aside, ("hb-04",)),))
    assert len(over.path) > len(straight.path)
    assert "no way of 8 points leads hb-01 Hashiba Hideyoshi over 0210 Gifu to 0206" in str(
        refused(s, "move hb-01 to 0206 leave hb-04 at 0210")
    )
    assert "hb-06 Nakamura Kazuuji isn't under" in str(refused(s, "move hb-01 to 0206 leave hb-06 at 0205"))
    leader = "hb-01 Hashiba Hideyoshi leads the force that moves: he goes with it"
    assert leader in str(refused(s, "move hb-01 to 0206 leave hb-01 at 0205"))
    written = str(asked(s).why_not(straight._replace(drops=(Drop(aside, ("hb-04",)),))))
    assert f"nobody can be left behind at {label}: it is no hex of the way" in written


def test_a_force_goes_strategically_where_nothing_else_leads(field: Field) -> None:
    rows = "\n".join(line.replace(". . . . .", "M . . . .") for line in PLAIN.splitlines()[1:])
    s = field(rows, {"hb-01": "0202"}, castles={"sone": "0201 hashiba 1"}, main={"hashiba": "sone"})
    tactical = movement.destinations(s, "hb-01", strategic=False)
    strategic = movement.destinations(s, "hb-01", strategic=True)
    only = next(h for h in strategic if h not in tactical)
    assert ordered(s, f"move hb-01 to {s.board.label[only]}") == Move("hb-01", strategic[only][1], strategic=True)
    near = next(iter(strategic))
    number = s.board.label[near]
    assert ordered(s, f"move hb-01 to {number}") == Move("hb-01", tactical[near][1])
    assert ordered(s, f"move hb-01 to {number} strategic") == Move("hb-01", strategic[near][1], strategic=True)


def test_a_force_shuts_itself_up_where_it_stands(field: Field) -> None:
    s = field(PLAIN, {"hb-01": "0210"}, castles=CASTLES)
    assert ordered(s, "move hb-01 to gifu enter") == Move("hb-01", (), enter=True)
    assert "stands at 0210 Gifu already" in str(refused(s, "move hb-01 to gifu"))


def test_of_what_is_closed_it_is_said_so_however_far_away(field: Field) -> None:
    closed = {"side": "hashiba", "round": "gifu", "within": 2, "declared": "kobe", "clause": "36.7-5"}
    s = field(PLAIN, {"hb-01": "0202"}, castles={"gifu": "0210 kobe 1"}, scenario={"closed": [closed]})
    for number in ("0210", "0208"):
        error = refused(s, f"move hb-01 to {number}")
        assert "can't be entered yet" in str(error)
        assert getattr(error, "clause", "") == "36.7-5"
    assert ordered(s, "move hb-01 to 0207") == Move("hb-01", path(s, "0203 0204 0205 0206 0207"))


@pytest.mark.parametrize(
    ("text", "why", "clause"),
    [
        ("move hb-01 to 0221", "costs 18 movement points, hb-01 Hashiba Hideyoshi has 8", "15-2-1"),
        ("move hb-02 to 0221", "costs 17 movement points, hb-02 Hashiba Hidenaga has 7", "15-6-3"),
        ("move hb-04 to 0207", "under hb-01", "9.0"),
        ("move hb-07 to 0207", "isn't on the map", "9.0"),
        ("move hb-01 to 0207 enter", "no castle of its side", "16.0"),
        ("move hb-01 to 0108", "sb-02 Sakuma Morimasa is in the open", "15-6-2"),
        ("move hb-03 to 0305", "0305 is impassable mountain", "15-6(terrain)"),
        ("move hb-03 to 0101", "no way for hb-03 Hashiba Hidetsugu leads to 0101", "15-1-2"),
        ("attack hb-01 at 0205", "no enemies stand in the open at 0205", "22.0"),
    ],
)  # fmt: skip
def test_why_no_way_is_legal(field: Field, text: str, why: str, clause: str) -> None:
    rows = PLAIN.splitlines()[1:]
    rows[0] = ". A" + rows[0][3:]
    rows[1] = " A A" + rows[1][4:]
    rows[2] = ". . . . A" + rows[2][9:]
    forces = {"hb-01 hb-04": "0204", "hb-02": "0205 morale -1", "sb-02": "0108", "hb-03": "0205"}
    s = field("\n".join(rows), forces, castles=CASTLES)
    error = refused(s, text)
    assert why in str(error), str(error)
    assert getattr(error, "clause", "") == clause


def test_an_attack_at_a_place_is_at_all_enemies_in_the_open(field: Field) -> None:
    forces = {"hb-01": "0204", "sb-02 sb-04": "0205", "sb-03": "0205", "kb-01": "0205 shut-in"}
    s = field(PLAIN, forces, castles={"gifu": "0205 kobe 1"})
    assert ordered(s, "attack hb-01 at gifu") == Attack("hb-01", ("sb-02", "sb-03"))
    assert ordered(s, "attack Hashiba Hideyoshi at 0205") == Attack("hb-01", ("sb-02", "sb-03"))
    assert ordered(s, "attack hb-01 at sb-02") is None


def test_a_name_of_ones_own_is_no_target_for_a_place_may_be_called_so(field: Field) -> None:
    board = field(PLAIN, {"hb-01 hb-04 hb-05": "0204", "sb-02": "0205"}, castles=CASTLES).board
    with pytest.raises(MalformedOrder, match=r"no enemy is called `asano`.*hb-04"):
        read_order(board, "hashiba", ("attack", "hb-01", "at", "asano"))
    assert read_order(board, "hashiba", ("attack", "hb-01", "at", "hb-04")) == Attack("hb-01", ("hb-04",))
    assert read_order(board, "hashiba", ("attack", "hb-01", "at", "sakuma")) == Attack("hb-01", ("sb-02",))


def test_a_force_takes_units_over_and_leaves_others(field: Field) -> None:
    s = field(PLAIN, {"hb-01 hb-04": "0204", "hb-05 hb-06 hb-07": "0204", "hb-08": "0204"})
    both = ("hb-01", "hb-04")
    assert ordered(s, "organise hb-01 takes hb-08") == Organise("hb-01", ((*both, "hb-08"),))
    assert ordered(s, "organise hb-01 takes hb-05") == Organise("hb-01", ((*both, "hb-05", "hb-06", "hb-07"),))
    assert ordered(s, "organise hb-01 takes hb-06") == Organise("hb-01", ((*both, "hb-06"), ("hb-05", "hb-07")))
    assert ordered(s, "organise hb-05 leaves hb-06 hb-07") == Organise("hb-05", (("hb-05",), ("hb-06",), ("hb-07",)))
    assert ordered(s, "organise hb-01 leaves hb-04") == Organise("hb-01", (("hb-01",), ("hb-04",)))
    assert ordered(s, "organise hb-01 leaves hb-04 takes Sugihara Ietsugu hb-08 replenish hb-08") == Organise(
        "hb-01", (("hb-01", "hb-07", "hb-08"), ("hb-04",), ("hb-05", "hb-06")), Replenish("hb-01", None, ("hb-08",))
    )
    chief = field(PLAIN, {"hb-01 hb-02 hb-04 hb-05": "0204"})
    assert ordered(chief, "organise hb-01 leaves hb-02 hb-04") == Organise(
        "hb-01", (("hb-01", "hb-05"), ("hb-02", "hb-04"))
    )
    assert ordered(s, "organise hb-01 as hb-01 and hb-04") is None
    assert "hb-08 Maeno Nagayasu isn't under hb-01 Hashiba Hideyoshi, and so can't leave it" in str(
        refused(s, "organise hb-01 leaves hb-04 hb-08")
    )
    assert "no unit stands behind `takes`" in str(refused(s, "organise hb-01 takes"))
    assert "can't be read" in str(refused(s, "organise hb-01 hb-04 takes hb-08"))


def test_answers_go_to_places_too(field: Field) -> None:
    s = field(PLAIN, {"hb-01": "0207", "sb-02": "0206"}, castles=CASTLES)
    away = s.board.parse("0206")
    found = routes(s, "hb-01", 2, away)
    retreat = asked(s)._replace(options=lambda: found, why_not=lambda o: why_no_retreat(s, "hb-01", 2, away, o))
    assert way(s, retreat, ("retreat", "hb-01", "to", "0209")) == Retreat("hb-01", path(s, "0208 0209"))
    with pytest.raises(IllegalOrder, match="isn't adjacent"):
        way(s, retreat, ("retreat", "hb-01", "to", "0205"))
    steps = pursue(s, "hb-01", [path(s, "0206 0205 0204")])
    s.remove("sb-02")
    chase = next(steps)
    assert isinstance(chase, Choose)
    assert way(s, chase, ("pursue", "hb-01", "to", "0205")) == Pursue("hb-01", path(s, "0206 0205"))


def test_those_inside_march_out_to_a_place(field: Field) -> None:
    s = field(PLAIN, {"hb-01": "0110 shut-in", "hb-02": "0207"}, castles={**CASTLES, "sone": "0110 hashiba 1"})
    ends = ways_out(s, "sone")
    orders = [MarchOut("sone", h) for h in ends]
    choose = asked(s)._replace(options=lambda: orders, why_not=lambda order: None)
    assert way(s, choose, ("march-out", "sone", "to", "gifu")) == MarchOut("sone", s.board.parse("0210"))


def test_words_for_later_phases_say_of_what_kind_an_order_is(field: Field) -> None:
    s = field(PLAIN, {"hb-01": "0204"}, castles=CASTLES)
    found = one_step(lambda words: read_order(s.board, "hashiba", words), ("move", "hideyoshi", "to", "Gifu"))
    assert found == Move("hb-01", path(s, "0210"))


def test_the_usage_is_in_words_that_the_way_knows(field: Field) -> None:
    assert WAYS.keys() <= USAGE.keys()
