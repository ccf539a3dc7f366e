"""The order form: where units can end and for how much, whom they face, and why others can do nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.rules import bakumatsu
from pbem.rules.requests import FormEntry

OPEN = "\n".join(" " * (i % 2) + ". " * 8 for i in range(4))


def entries(battle: Any) -> dict[str, FormEntry]:
    """The entries by the first word of their headings."""
    return {entry.heading.split()[0]: entry for entry in bakumatsu.form(battle.state, battle.request)}


def test_moves_are_written_by_their_end_with_points_and_whom_they_face(field: Callable[..., Any]) -> None:
    units = {"sg-1": "0101 4-3-3-2", "sg-2": "0408 4-3-3-1 disordered", "sa-1": "0104 6-5-5-5", "sa-2": "0306 6-5-5-5"}
    battle = field(OPEN, units, phase="shogunate-move", roads=("0101 0201 0301 0401",))
    found = entries(battle)
    near = dict(found["sg-1"].orders)
    assert near[("move", "sg-1", "0102", "0103")] == "2 points, faces sa-1"
    assert found["sg-1"].typed[("move", "sg-1", "0102", "0103")] == ("move", "sg-1", "to", "0103")
    assert near[("march", "sg-1", "0201", "0301", "0401")] == "3 hexes, the longest march"
    assert found["sg-1"].notes[0].startswith("`move U to HEX`: 0102 0103 ")
    assert found["sg-1"].notes[1] == "`march U to HEX`: 0201 0301 0401"
    assert ("recover", "sg-2") in dict(found["sg-2"].orders)
    assert "As" not in found


def test_a_march_that_alone_reaches_the_enemys_victory_hexes_is_written(field: Callable[..., Any]) -> None:
    """Of one to where a move leads as well the move is."""
    units = {"sg-1": "0408 4-3-3-1", "sa-1": "0101 6-5-5-2", "sa-2": "0308 6-5-5-5"}
    road = "0101 0102 0103 0104 0105 0106"
    prizes = {"shogunate": "0102 0104 0105", "satcho": "0103"}
    battle = field(OPEN, units, phase="satcho-move", roads=(road,), control=prizes, entry="0105")
    orders = entries(battle)["sa-1"].orders
    assert {" ".join(words): note for words, note in orders if words[0] == "march"} == {
        "march sa-1 0102 0103 0104 0105": "4 hexes, takes 0105",
        "march sa-1 0102 0103 0104": "3 hexes, takes 0104",
    }
    assert ("move", "sa-1", "0102") in dict(orders)


def test_who_can_do_nothing_is_told_why(field: Callable[..., Any]) -> None:
    """By the check of legality itself; units with the same reason stand together."""
    units = {
        "sg-1": "0101 4-3-3-2",
        "sg-2": "0102 4-3-3-2",
        "sg-3": "0107 5-x-3-3 range 3",
        "sg-4": "0204 x-3-3-3",
        "sg-5": "0303 4-3-3-3",
        "sg-6": "cup 4-3-3-3",
        "sg-7": "removed 4-3-3-3",
        "sg-8": "0403 4-3-3-3 disordered",
        "sa-1": "0304 6-5-5-5",
    }
    battle = field(OPEN, units, phase="shogunate-fire")
    found = entries(battle)
    assert list(found) == ["sg-5", "As", "The"]
    notes = "\n".join(found["As"].notes)
    assert "sg-1, sg-2: sa-1 Unit sa-1 at 0304 isn't adjacent to any of them [9-1(1)a]" in notes
    assert "sg-4 Unit sg-4: has no fire strength [2-2-1(2)2]" in notes
    assert "sg-6 Unit sg-6: isn't on the map: it waits in the reinforcement cup [4(3)b]" in notes
    assert "sg-7 Unit sg-7: isn't on the map: it was removed in turn 1 [2-1-1(0)a]" in notes
    assert "sg-8 Unit sg-8: is disordered and can't fire [9-1(1)b]" in notes


def test_a_unit_that_is_shut_in_is_told_by_whom(field: Callable[..., Any]) -> None:
    units = {"sg-1": "0101 4-3-3-2", "sg-2": "0102 4-3-3-2", "sg-3": "0201 4-3-3-2", "sg-4": "0202 4-3-3-2"}
    found = entries(field(OPEN, {**units, "sa-1": "0408 6-5-5-5"}, phase="shogunate-move"))
    (note,) = found["As"].notes
    assert note.startswith("sg-1 Unit sg-1: 0102 is occupied by sg-2 Unit sg-2 [8(4)]; ")


def test_a_gun_that_moves_is_said_to_be_disordered_then(field: Callable[..., Any]) -> None:
    units = {
        "sg-1": "0101 5-x-3-3 range 3",
        "sg-2": "0107 5-x-3-3 range 3 disordered",
        "sg-3": "0201 5-4-3-3",
        "sa-1": "0304 6-5-5-5",
    }
    found = entries(field(OPEN, units, phase="shogunate-move"))
    notes = {
        unit: [note for words, note in found[unit].orders if words[0] == "move"] for unit in units if unit in found
    }
    assert all(note.endswith(", disordered then [12(1)]") for note in notes["sg-1"])
    assert notes["sg-1"]
    assert not [note for unit in ("sg-2", "sg-3") for note in notes[unit] if "disordered then" in note]


def test_a_gun_that_goes_on_behind_its_entry_hex_is_said_to_be_disordered_then(field: Callable[..., Any]) -> None:
    """To enter alone is no move (R24)."""
    units = {"sg-1": "received 5-x-3-3 range 3", "sa-1": "0304 6-5-5-5"}
    orders = entries(field(OPEN, units, phase="shogunate-move", entry="0105"))["sg-1"].orders
    notes = {words[2:3]: note for words, note in orders if words[0] == "enter"}
    assert notes[()] == "stays in the entry hex"
    assert notes[("move",)].endswith(", disordered then [12(1)]")


def test_who_waits_off_the_map_is_told_in_which_phase_he_enters(field: Callable[..., Any]) -> None:
    units = {"sg-1": "0101 4-3-3-2", "sg-2": "received 4-3-3-4", "sa-1": "0102 6-5-5-5"}
    found = [
        note
        for entry in entries(field(OPEN, units, phase="shogunate-melee", entry="0105")).values()
        for note in entry.notes
    ]
    told = [entry.heading for entry in entries(field(OPEN, units, phase="shogunate-melee", entry="0105")).values()]
    assert "bring it on with `enter sg-2` in your movement phase" in " ".join(found + told)
