"""What the maps of a game show of its situation and news; a game may have none, one or several."""

from __future__ import annotations

import re
from typing import Any

from pbem.maps.map import Map
from pbem.picture.scene import Picture, crops, draw

COMMANDER, PINNED, HELD = ("*", "commander", "star"), ("P", "pinned", "disc"), ("H", "held", "disc")
BLOCK = {"provenance": "reconstructed"}


def chart(name: str, prefix: str, shift: int) -> Map:
    """Three rows of four hexes."""
    data: dict[str, Any] = {
        "map": name,
        "title": name.capitalize(),
        "layout": "pointy",
        "numbering": {**BLOCK, "first": "row", "rows": "from south", "shifted": "even"},
        "terrain": {**BLOCK, "legend": {".": ["flat"]}, "rows": "03 . . . .\n02  . . . .\n01 . . . .\n"},
        **dict.fromkeys(("roads", "hexsides", "places", "areas", "victory", "entries"), BLOCK),
    }
    return Map.from_data(data, prefix, shift)


WHERE = [
    {"id": "map", "title": "on the map", "listed": True, "coming": False},
    {"id": "cup", "title": "in the cup", "listed": False, "coming": True},
    {"id": "removed", "title": "removed", "listed": False, "coming": False},
]
MAPS = {"north": chart("north", "N", 0), "south": chart("south", "S", 1)}


def unit(
    uid: str, at: str | None, side: str = "red", where: str = "map", badges: tuple[tuple[str, str, str], ...] = ()
) -> dict[str, Any]:
    return {
        "id": uid, "name": uid, "short": uid, "side": side, "formation": f"{side} army", "symbol": "foot",
        "values": {"strength": 5, "morale": "*", "move": None}, "where": where, "at": at, "place": None,
        "badges": [dict(zip(("sign", "title", "look"), badge, strict=True)) for badge in badges],
    }  # fmt: skip


def data(
    *units: dict[str, Any], steps: tuple[dict[str, Any], ...] = (), places: Any = (), progress: Any = ()
) -> dict[str, Any]:
    sides = [{"id": side, "title": side.capitalize()} for side in ("red", "blue")]
    situation = {
        "turn": 3,
        "turns": 8,
        "where": WHERE,
        "sides": sides,
        "units": list(units),
        "places": list(places),
        "progress": list(progress),
        "ground": "hex",
    }
    return {"scenario": {"title": "Two Fields"}, "situation": situation, "steps": list(steps)}


def moved(uid: str, start: str, *path: str, seq: int = 4) -> dict[str, Any]:
    return {"seq": seq, "kind": "tell", "what": "move", "facts": {"unit": uid, "from": start, "path": list(path)}}


def fired(start: str, at: str, seq: int = 4) -> dict[str, Any]:
    return {"seq": seq, "kind": "tell", "what": "fire", "facts": {"unit": "r", "from": start, "at": at, "result": "D"}}


def drawn(*units: dict[str, Any], **more: Any) -> dict[str, str]:
    return {picture.name: picture.svg for picture in draw(MAPS, data(*units, **more))}


def counters(svg: str) -> list[str]:
    return re.findall(r"<title>([a-z-]+): ", svg)


def arrows(svg: str) -> int:
    """Moves drawn: each has a white line of this width under it, as the samples in the key have."""
    return svg.count('stroke="#ffffff" stroke-width="12"') - svg.count(">way of a unit of")


def bursts(svg: str) -> int:
    """Fires drawn, without the sample in the key."""
    return svg.count('fill="#ffd83d"') - svg.count(">fire: ")


def test_every_map_is_drawn_and_each_unit_on_its_own() -> None:
    pictures = draw(MAPS, data(unit("r", "N0102"), unit("b", "S0203", "blue"), unit("gone", None, where="removed")))
    assert [(picture.name, picture.title) for picture in pictures] == [("north", "North"), ("south", "South")]
    assert [counters(picture.svg) for picture in pictures] == [["r"], ["b"]]
    assert "Two Fields: North, turn 3" in pictures[0].svg
    assert "Two Fields: South, turn 3" in pictures[1].svg


def test_a_map_without_units_is_drawn_too() -> None:
    pictures = drawn(unit("r", "N0102"))
    assert counters(pictures["south"]) == []
    assert ">S0101</text>" in pictures["south"]


def test_the_only_map_of_a_game_needs_no_title_of_its_own() -> None:
    (picture,) = draw({"north": MAPS["north"]}, data(unit("r", "N0102"), unit("off", None, where="exited")))
    assert isinstance(picture, Picture)
    assert "Two Fields, turn 3" in picture.svg
    assert counters(picture.svg) == ["r"]


def test_a_game_without_maps_has_no_picture() -> None:
    assert draw({}, data(unit("r", "front"))) == []


def test_a_move_from_map_to_map_is_drawn_on_both() -> None:
    both = drawn(unit("r", "S0102"), steps=(moved("r", "N0101", "N0102", "N0103", "S0101", "S0102"),))
    assert [arrows(svg) for svg in both.values()] == [1, 1]
    over_the_edge = drawn(unit("r", "S0101"), steps=(moved("r", "N0101", "N0102", "S0101"),))
    assert [arrows(svg) for svg in over_the_edge.values()] == [1, 0]  # one hex is no way
    there_and_back = drawn(unit("r", "N0201"), steps=(moved("r", "N0101", "N0102", "S0101", "N0202", "N0201"),))
    assert [arrows(svg) for svg in there_and_back.values()] == [2, 0]


def test_a_fight_is_drawn_where_it_was() -> None:
    assert [bursts(svg) for svg in drawn(steps=(fired("S0101", "S0102"),)).values()] == [0, 1]
    assert [bursts(svg) for svg in drawn(steps=(fired("N0101", "S0102"),)).values()] == [0, 0]


def test_control_is_shown_on_the_map_that_has_the_hex() -> None:
    places = [{"at": at, "name": None, "victory": True, "entry": None, "control": "red"} for at in ("N0101", "S0303")]
    shown = drawn(places=places)
    assert [re.findall("victory hex (.*?): red", svg) for svg in shown.values()] == [["N0101"], ["S0303"]]


def test_a_place_that_counts_is_called_as_the_rules_call_it() -> None:
    places = [{"at": "N0101", "name": None, "victory": True, "entry": None, "control": "red"}]
    told = drawn(places=places, progress=[{"side": "red"}, {"side": "red", "holding": {"one": "castle"}}])["north"]
    assert "castle N0101: red" in told
    assert "castle of Red" in told
    assert "victory hex" not in told


def test_a_side_and_a_formation_have_the_same_colours_on_every_map() -> None:
    shown = drawn(unit("r", "N0102"), unit("b", "S0203", "blue"))
    together = drawn(unit("r", "S0102"), unit("b", "S0203", "blue"))["south"]
    blue = re.search("<title>b: .*?</g>", together)
    assert blue is not None
    assert blue[0] in shown["south"]


def test_the_state_of_a_unit_is_on_its_counter() -> None:
    svg = drawn(unit("r", "N0102", badges=(COMMANDER, PINNED)), unit("b", "N0103", "blue"))["north"]
    assert "r: r (red army, red) 5-*-x, commander, pinned</title>" in svg
    assert "b: b (blue army, blue) 5-*-x</title>" in svg
    words = re.findall(">([^<]+)</text>", svg)
    assert words.count("P") == 3  # on the counter, in the key, and on the counter in the key
    assert {"pinned", "commander", "foot"} <= set(words)
    assert "held" not in words


def test_of_several_states_the_first_is_shown() -> None:
    svg = drawn(unit("r", "N0102", badges=(PINNED, HELD)))["north"]
    assert ", pinned</title>" in svg
    assert ", held" not in svg


def test_what_an_earlier_entry_brought_is_paler_and_the_key_says_so() -> None:
    early, late = moved("r", "N0101", "N0102", seq=3), fired("N0103", "N0102", seq=4)
    both = drawn(unit("r", "N0102"), steps=(early, late))["north"]
    (pale,) = re.findall(r'<g opacity="0.45">(.*?)</g>', both)
    assert arrows(pale) == arrows(both) == 1
    assert 'fill="#ffd83d"' in both.replace(pale, "")
    assert "paler: moves and fights before the newest" in both
    for steps in ((early,), (late,), ()):
        assert "pale" not in drawn(unit("r", "N0102"), steps=steps)["north"]
        assert 'opacity="0.45"' not in drawn(unit("r", "N0102"), steps=steps)["north"]


# --- beside the map ----------------------------------------------------------------------------------------------


def test_units_that_are_still_to_come_lie_beside_the_map_and_the_lost_do_not() -> None:
    late, later = unit("late", None, where="cup"), unit("later", None, "blue", where="cup")
    beside = drawn(unit("r", "N0102"), late, later, unit("lost", None, where="removed"))["south"]
    assert counters(beside) == ["late", "later"]
    order = [
        beside.index(words) for words in (">Red, in the cup<", "<title>late: ", ">Blue, in the cup<", "<title>later: ")
    ]
    assert order == sorted(order)
    assert {"red army", "blue army", "units of Red", "units of Blue"} <= set(re.findall(">([^<]+)</text>", beside))
    assert "in the cup" not in drawn(unit("r", "N0102"))["north"]


def test_counters_beside_the_map_lie_on_the_paper_whatever_their_number() -> None:
    many = [unit(f"u-{chr(97 + i // 26)}{chr(97 + i % 26)}", None, where="cup") for i in range(60)]
    beside = drawn(*many)["north"]
    left, top, wide, high = map(float, beside.partition('viewBox="')[2].partition('"')[0].split())
    cards = re.findall(r'<title>u-..: .*?<rect x="([0-9.]+)" y="([0-9.]+)" width="46" height="46"', beside)
    corners = {(float(x), float(y)) for x, y in cards}
    assert len(corners) == 60
    assert all(left <= x <= left + wide - 46 and top <= y <= top + high - 46 for x, y in corners)


def test_groups_of_a_side_lie_beside_each_other_where_there_is_room_and_those_of_another_below() -> None:
    waiting = {"id": "hand", "title": "in hand", "listed": False, "coming": True}
    few = [unit("r-1", None, where="cup"), unit("r-2", None, where="hand"), unit("b-1", None, "blue", where="cup")]
    many = [unit(f"r-{n}", None, where="hand") for n in range(3, 23)]
    for units, beside in ((few, True), ([*few, *many], False)):
        given = data(*units)
        given["situation"]["where"] = [*WHERE, waiting]
        (svg,) = [picture.svg for picture in draw(MAPS, given) if picture.name == "north"]
        cards = re.findall(r'<title>(..-?[0-9]+): .*?<rect x="([0-9.]+)" y="([0-9.]+)" width="46" height="46"', svg)
        at = {name: (float(x), float(y)) for name, x, y in cards}
        assert (at["r-1"][1] == at["r-2"][1], at["r-1"][0] < at["r-2"][0]) == (beside, beside)
        assert at["b-1"] == (at["r-1"][0], max(at["b-1"][1], *(y for name, (_, y) in at.items() if name[0] == "r")))


def test_the_track_shows_every_turn_and_which_it_is() -> None:
    svg = drawn()["north"]
    assert re.findall("<title>turn ([^<]+)</title>", svg) == ["1", "2", "3, now", "4", "5", "6", "7", "8"]


def test_the_track_has_the_marks_of_each_side_and_the_key_says_what_they_mean() -> None:
    given = data(unit("r", "N0102"))
    red, blue = given["situation"]["sides"]
    red["track"] = [{"sign": "R", "title": "a die", "turns": [2, 3]}, {"sign": "L", "title": "a draw", "turns": [3]}]
    blue["track"] = [{"sign": "R", "title": "a die", "turns": [8]}]
    (svg,) = [picture.svg for picture in draw(MAPS, given) if picture.name == "north"]
    marks = [title for title in re.findall("<title>turn ([^<]+)</title>", svg) if "," in title]
    assert marks == ["2, Red: R, a die", "3, now", "3, Red: R, a die, L, a draw", "8, Blue: R, a die"]
    words = re.findall(">([^<]+)</text>", svg)
    assert [words.count(word) for word in ("R", "R L", "on the track: a die", "on the track: a draw")] == [3, 1, 1, 1]
    (past,) = re.findall('<g opacity="0.45">(.*?)</g>', svg)
    assert "turn 2, Red" in past
    assert all("on the track" not in part.svg for part in crops(MAPS, given))


def test_values_with_signs_are_parted_by_strokes_and_the_key_shows_who_fights() -> None:
    leader = {**unit("a-1", "N0102"), "symbol": "leader", "values": {"fire": "+1", "melee": "0"}}
    fighter = {**unit("b-1", "N0103"), "values": {"fire": 5, "melee": None}}
    svg = drawn(leader, fighter)["north"]
    words = re.findall(">([^<]+)</text>", svg)
    assert words.count("+1/0") == 1
    assert words.count("5-x") == 2  # in the key, too


def test_the_key_has_the_formations_in_the_order_of_their_units() -> None:
    units = [{**unit(uid, "N0102"), "formation": name} for uid, name in (("r-1", "Zouaves"), ("r-2", "Artists"))]
    words = re.findall(">([^<]+)</text>", drawn(*units)["north"])
    assert words.index("Zouaves") < words.index("Artists")


def test_a_part_of_a_map_shows_nothing_of_what_lies_beside_it() -> None:
    given = data(unit("r", "N0102"), unit("late", None, where="cup"), steps=(moved("r", "N0101", "N0102"),))
    assert all("turn 3, now" not in part.svg and ">late<" not in part.svg for part in crops(MAPS, given))
