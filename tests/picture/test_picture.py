"""The SVG picture: well-formed, complete, stable, safe against odd names, and readable without colour."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
import yaml

from pbem.maps.hexes import Hex, neighbours
from pbem.maps.map import Map
from pbem.picture.counters import BadgeView, Colours, colours_of, symbol
from pbem.picture.lines import side_sample
from pbem.picture.paper import Box, Paper, Point
from pbem.picture.svg import CounterView, FightView, MoveView, svg
from pbem.picture.terrain import look_of, outlines, terrain_sample

MAPS = Path(__file__).parents[2] / "scenarios" / "bakumatsu" / "maps"
SVG = "{http://www.w3.org/2000/svg}"
SIDES = ("shogunate", "satcho")


@pytest.fixture(scope="module")
def toba() -> Map:
    return Map.from_data(yaml.safe_load((MAPS / "toba-fushimi.yaml").read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def units(toba: Map) -> list[CounterView]:
    def unit(uid: str, name: str, side: str, formation: str, at: str, symbol: str = "infantry") -> CounterView:
        return CounterView(uid, name, side, formation, toba.parse(at), symbol, ("5", "3", "3", "4"))

    return [
        unit("sg-01", "Denshutai 1", "shogunate", "shogunate army", "1209"),
        unit("sg-02", "Guns", "shogunate", "shogunate army", "1310", "artillery"),
        unit("sc-01", "5 Company", "satcho", "satsuma", "2011"),
        unit("sc-02", "Kiheitai", "satcho", "choshu", "1121", "leader"),
    ]


def parsed(picture: str) -> ET.Element:
    """The picture's elements; fails when it isn't well-formed."""
    return ET.fromstring(picture)  # noqa: S314 (made by this test, not by a stranger)


def words_of(picture: str) -> list[str]:
    """All text that is shown, halos left out."""
    return [t.text or "" for t in parsed(picture).iter(f"{SVG}text") if t.get("aria-hidden") is None]


def test_every_hex_number_unit_and_place_stands_there_once(toba: Map, units: list[CounterView]) -> None:
    words = words_of(svg(toba, title="Turn 1", sides=SIDES, units=units))
    for h in toba.hexes:
        assert words.count(toba.label(h)) == 1
    for wanted in (*(u.name for u in units), *toba.places, *(c.name for c in toba.hexsides), "Turn 1"):
        assert words.count(wanted) == 1, wanted
    titles = re.findall(r"<title>(\S+): ", svg(toba, title="Turn 1", units=units))
    assert sorted(titles) == sorted(u.id for u in units)


def test_water_has_no_number(toba: Map) -> None:
    assert toba.water
    assert not {toba.label(h) for h in toba.water} & set(words_of(svg(toba, title="")))


def test_the_same_situation_gives_the_same_bytes(toba: Map, units: list[CounterView]) -> None:
    again = Map.from_data(yaml.safe_load((MAPS / "toba-fushimi.yaml").read_text(encoding="utf-8")))
    assert svg(toba, title="x", units=units) == svg(again, title="x", units=list(units))
    assert svg(toba, title="x", units=units) != svg(toba, title="x", units=units[:-1])


def test_disordered_differs_in_shape_and_says_so(toba: Map, units: list[CounterView]) -> None:
    normal = svg(toba, title="", units=units)
    disordered = svg(
        toba, title="", units=[units[0]._replace(badges=(BadgeView("D", "disordered", "band"),)), *units[1:]]
    )
    assert words_of(disordered).count("D") == words_of(normal).count("D") + 2  # on the counter and in the key
    assert "disordered" in disordered
    assert "disordered" not in normal
    assert disordered.count("rotate(") == normal.count("rotate(") + 1


def test_odd_names_are_escaped(toba: Map, units: list[CounterView]) -> None:
    odd = units[0]._replace(name="<b>&\"'", badges=(BadgeView("<", ">"),))
    words = words_of(
        svg(toba, title="Satsuma & <Choshu>", units=[odd], fights=[FightView((odd.at,), odd.at, "fire", "<D>")])
    )
    assert {"<b>&\"'", "<", "Satsuma & <Choshu>", "<D>"} <= set(words)


def test_no_scripts_fonts_or_references(toba: Map, units: list[CounterView]) -> None:
    picture = svg(toba, title="x", units=units, areas=True)
    root = parsed(picture)
    assert {e.tag.removeprefix(SVG) for e in root.iter()} <= {"svg", "g", "path", "rect", "circle", "text", "title"}
    assert not any("href" in name for e in root.iter() for name in e.attrib)
    assert [e.attrib["id"] for e in root.iter() if "id" in e.attrib] == [f"map-{toba.name}"], "what windows show"
    assert not re.search(r"[\" ,](nan|inf|None)\b", picture)
    assert len(picture) < 400_000


def test_victory_hexes_show_who_holds_them(toba: Map) -> None:
    start = svg(toba, title="", sides=SIDES)
    assert len(re.findall("victory hex .*: shogunate", start)) == 9
    assert len(re.findall("victory hex .*: satcho", start)) == 4
    control = {h: "satcho" for held in toba.victory.values() for h in held}
    taken = svg(toba, title="", sides=SIDES, control=control)
    assert len(re.findall("victory hex .*: satcho", taken)) == 13


def test_moves_fights_highlights_and_areas_add_their_marks(toba: Map, units: list[CounterView]) -> None:
    plain = svg(toba, title="", units=units)
    h = toba.parse
    path = (h("0106"), h("0206"), h("0307"))
    for more in (
        {"moves": [MoveView(path, "shogunate")]},
        {"fights": [FightView((h("2011"),), h("1911"), "fire", "DD")]},
        {"fights": [FightView((h("2011"),), h("1911"), "melee", "M2")]},
        {"highlights": [h("1515")]},
        {"areas": True},
    ):
        picture = svg(toba, title="", units=units, **more)  # type: ignore[arg-type]
        assert picture.count("<path") > plain.count("<path"), more
    assert "M2" in words_of(svg(toba, title="", fights=[FightView((h("2011"),), h("1911"), "melee", "M2")]))
    assert svg(toba, title="", units=units, moves=[MoveView(path[:1], "shogunate")]) == plain  # no step, no arrow
    assert set(toba.areas) <= set(words_of(svg(toba, title="", areas=True)))


def _luminance(colour: str) -> float:
    r, g, b = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return 0.299 * r + 0.587 * g + 0.114 * b


def test_terrain_is_told_apart_without_colour(toba: Map) -> None:
    looks = {look_of(features) for features in toba.terrain.values()}
    assert len(looks) == 6
    for one in looks:
        for two in looks - {one}:
            assert one.mark is not two.mark or abs(_luminance(one.fill) - _luminance(two.fill)) > 0.05


def test_the_two_sides_are_told_apart_without_colour() -> None:
    first, second = (colours_of(side, SIDES) for side in SIDES)
    assert abs(_luminance(first.card) - _luminance(second.card)) > 0.3
    for side in (first, second):
        assert isinstance(side, Colours)
        assert abs(_luminance(side.card) - _luminance(side.ink)) > 0.5


def test_place_names_do_not_cover_each_other_or_hex_numbers(toba: Map) -> None:
    picture = svg(toba, title="")
    boxes = []
    for t in parsed(picture).iter(f"{SVG}text"):
        if t.text in toba.places or (t.text or "").isdigit():
            size = float(t.get("font-size", "10"))
            half, x, y = 0.5 * size * len(t.text or "") / 2, float(t.get("x", "")), float(t.get("y", ""))
            if t.get("aria-hidden") is None:
                boxes.append((t.text, Box(x - half, y - 0.75 * size, x + half, y)))
    names = [(text, box) for text, box in boxes if not str(text).isdigit()]
    assert len(names) == len(toba.places)
    for text, box in names:
        assert not [other for other, taken in boxes if other != text and box.overlap(taken) > 0], text


def test_counters_lie_in_their_hex_and_a_stack_fans_out(toba: Map, units: list[CounterView]) -> None:
    alone = svg(toba, title="", units=units[:1])
    stack = svg(toba, title="", units=[units[0], units[1]._replace(at=units[0].at)])
    paper = Paper(toba)
    centre = paper.centre(units[0].at)
    name = next(t for t in parsed(alone).iter(f"{SVG}text") if t.text == "Denshutai 1")
    assert abs(float(name.get("x", "")) - centre.x) < 1
    assert abs(float(name.get("y", "")) - centre.y) < 20
    places = {t.text: t.get("x") for t in parsed(stack).iter(f"{SVG}text") if t.text in ("Denshutai 1", "Guns")}
    assert places["Guns"] != places["Denshutai 1"]


def _flat_map() -> dict[str, Any]:
    where = {"provenance": "reconstructed"}
    return {
        "map": "flat",
        "title": "Flat",
        "layout": "flat",
        "numbering": {**where, "first": "column", "shifted": "even"},
        "terrain": {
            **where,
            "legend": {".": ["plain"], "r": ["rough"], "f": ["forest"]},
            "rows": "01 . r f\n02 . . .\n",
        },
        "roads": {**where, "chains": [{"name": "rails", "kind": "railroad", "hexes": "0101 0201 0302"}]},
        "hexsides": {**where, "chains": [{"name": "ridge", "kind": "impassable", "sides": "0102/0202 0201/0102"}]},
        "places": {**where, "hexes": {"Depot": "0201"}},
        "areas": where,
        "victory": where,
        "entries": where,
    }


def test_a_flat_topped_map_is_drawn_too() -> None:
    board = Map.from_data(_flat_map())
    picture = svg(board, title="Flat")
    words = words_of(picture)
    assert all(words.count(board.label(h)) == 1 for h in board.hexes)
    paper = Paper(board)

    def centre(text: str) -> tuple[float, float]:
        return paper.centre(Hex(board.parse(text)))

    assert centre("0101")[0] == centre("0102")[0]  # a column stands upright
    assert centre("0101")[1] < centre("0201")[1] < centre("0102")[1]  # even columns half a hex lower
    assert "railroad" in words
    assert "impassable hexside" in words
    assert words.count("plain") == words.count("rough") == 1
    assert not [word for word in words if "railroad +" in word or "+ railroad" in word]


def _surface(line: list[Point]) -> float:
    """What a closed line encloses; negative when it runs the other way round."""
    return sum(a.x * b.y - b.x * a.y for a, b in zip(line, line[1:] + line[:1], strict=True)) / 2


def test_outlines_enclose_their_hexes_and_leave_holes_out(toba: Map) -> None:
    paper = Paper(toba)
    (one,) = outlines(toba.hexes[:1], paper)
    assert one == paper.corners(toba.hexes[0])
    middle = toba.parse("1215")
    ring = outlines(neighbours(middle), paper)
    assert sorted(map(len, ring)) == [6, 18]
    assert sum(map(_surface, ring)) == pytest.approx(6 * _surface(one))
    for look in {look_of(features) for features in toba.terrain.values()}:
        area = [h for h in toba.hexes if look_of(toba.terrain[h]) == look]
        assert sum(map(_surface, outlines(area, paper))) == pytest.approx(len(area) * _surface(one))


def test_every_side_of_the_grid_is_drawn_once(toba: Map) -> None:
    grid = next(e for e in parsed(svg(toba, title="")).iter(f"{SVG}path") if e.get("stroke-width") == "0.8")
    every = {*toba.hexes, *toba.water}
    assert len(re.findall("[lhv]", grid.get("d", ""))) == len({frozenset((h, n)) for h in every for n in neighbours(h)})


# --- features, hexsides and counters of other games


def _marks(features: set[str]) -> str:
    """What a hex of these features shows beside its outline."""
    return terrain_sample(frozenset(features), [Point(40, 0)], Point(0, 0))


@pytest.mark.parametrize(
    "feature", ["marsh", "mountain", "large_river", "rolling", "rough", "hill", "woods", "city", "mountain_top"]
)
def test_each_ground_has_a_look_of_its_own(feature: str) -> None:
    look = look_of(frozenset({feature}))
    assert look.mark is not None
    kinds = ("marsh", "mountain", "large_river", "rolling", "rough", "hill", "woods")
    others = {other: look_of(frozenset({other})) for other in kinds}
    assert all(other.mark is not look.mark for name, other in others.items() if name != feature)
    assert look_of(frozenset({feature, "flat"})) == look


def test_ground_of_another_name_looks_the_same() -> None:
    for one, other in (("marsh", "wetland"), ("clear", "flat"), ("forest", "woods"), ("town", "city")):
        assert look_of(frozenset({one})) == look_of(frozenset({other}))
    assert look_of(frozenset({"flat"})).mark is None


@pytest.mark.parametrize("sign", ["mound", "star", "castle", "station", "village"])
def test_a_sign_stands_on_any_ground(sign: str) -> None:
    for ground in ("flat", "mountain"):
        plain, signed = _marks({ground}), _marks({ground, sign})
        assert signed.startswith(plain)
        assert signed.count("<path") == plain.count("<path") + 1
    assert _marks({"flat", "mound"}) != _marks({"flat", "star"})


def test_a_broad_river_in_play_is_no_open_water() -> None:
    assert _marks({"large_river"}) != terrain_sample(None, [Point(40, 0)], Point(0, 0))


def test_kinds_of_hexsides_are_told_apart_without_colour() -> None:
    """By casing, width or dashes; a name that is only another word looks the same."""
    looks = {}
    for kind in (
        "river",
        "small_river",
        "creek",
        "minor_river",
        "major_river",
        "ridge",
        "impassable",
        "line",
        "pond",
        "lake",
    ):
        strokes = re.findall('stroke-width="([^"]+)"', side_sample(kind, Point(0, 0)))
        looks[kind] = (*strokes, *re.findall('dasharray="([^"]+)"', side_sample(kind, Point(0, 0))))
    assert len(set(looks.values())) == len(looks)
    assert side_sample("small_river", Point(0, 0)) == side_sample("stream", Point(0, 0))
    assert side_sample("chasm", Point(0, 0)) == side_sample("impassable", Point(0, 0))


def _border_map(kind: str) -> Map:
    data = _flat_map()
    data["hexsides"]["chains"] = [{"name": "Ishikawa", "kind": kind, "sides": "0102/0202 0201/0102"}]
    data["entries"] = {"provenance": "reconstructed", "hexes": {"west": "0101", "red": "0302"}}
    data["terrain"]["legend"]["f"] = ["flat", "mound"]
    return Map.from_data(data, "D")


def test_a_line_is_dashed_and_named_and_explained_by_its_name() -> None:
    line, river = (svg(_border_map(kind), title="") for kind in ("line", "small_river"))
    assert line.count('stroke-dasharray="15 6 3 6"') == 2  # on the map and in the key
    assert 'stroke-dasharray="15 6 3 6"' not in river
    assert words_of(line).count("Ishikawa") == 2
    assert "line hexside" not in words_of(line)
    assert words_of(river).count("Ishikawa") == 1
    assert "small river hexside" in words_of(river)
    assert "flat + mound" in words_of(line)


def test_an_arrow_stands_where_a_side_enters_and_nowhere_else() -> None:
    """An edge of the map may be called like a side; that makes nobody enter there."""
    board = _border_map("line")
    nobody = svg(board, title="", sides=("red", "west"))
    assert "enters" not in nobody
    entries = {board.parse("D0302"): "red"}
    picture = svg(board, title="", sides=("red", "west"), entries=entries, titles={"red": "The Reds"})
    assert picture.count("<title>The Reds enters</title>") == 1
    assert "The Reds enters here" in words_of(picture)
    assert "west enters" not in picture


def test_the_numbers_of_a_map_with_a_prefix_are_drawn_whole() -> None:
    board = _border_map("line")
    words = words_of(svg(board, title=""))
    assert {board.label(h) for h in board.hexes} <= set(words)
    assert "D0101" in words


def test_every_branch_has_a_symbol_of_its_own() -> None:
    drawn = {kind: "".join(symbol(kind, Point(0, 0), "#fff")) for kind in (
        "infantry", "cavalry", "rifle", "mounted-rifle", "artillery", "swordsmen", "engineers", "leader",
    )}  # fmt: skip
    assert len(set(drawn.values())) == len(drawn)
    for kind, other in (("foot", "infantry"), ("mounted", "cavalry"), ("mounted_rifle", "mounted-rifle")):
        assert "".join(symbol(kind, Point(0, 0), "#fff")) == drawn[other]
    assert not any("<text" in one for one in drawn.values())
    assert ">ship</text>" in "".join(symbol("ship", Point(0, 0), "#fff"))


def test_a_commander_is_marked_on_top_of_his_branch(toba: Map, units: list[CounterView]) -> None:
    plain = svg(toba, title="", units=units[:1])
    led = svg(toba, title="", units=[units[0]._replace(badges=(BadgeView("*", "commander", "star"),))])
    assert led.count("<circle") == plain.count("<circle") + 2  # on the counter and in the key
    assert "".join(symbol("infantry", Paper(toba).centre(units[0].at).by(0, 6.6), "#ffffff")) in led
    assert "5-3-3-4, commander</title>" in led
    assert "commander" in words_of(led)
    assert "commander" not in words_of(plain)


def test_a_state_is_a_sign_on_the_counter_and_a_word_in_the_key(toba: Map, units: list[CounterView]) -> None:
    pinned = svg(toba, title="", units=[units[0]._replace(badges=(BadgeView("P", "pinned"),)), units[1]])
    assert words_of(pinned).count("P") == 2
    assert words_of(pinned).count("pinned") == 1
    assert pinned.count(", pinned</title>") == 1


def test_a_state_that_counts_in_a_stack_has_a_corner_of_its_own(toba: Map, units: list[CounterView]) -> None:
    """Lowered morale hid that a unit besieges."""
    lowered, besieging = BadgeView("-1", "morale -1"), BadgeView("S", "besieging", "corner")
    both = svg(toba, title="", units=[units[0]._replace(badges=(lowered, besieging)), units[1]])
    assert [words_of(both).count(words) for words in ("S", "-1", "besieging", "morale -1")] == [2, 2, 1, 1]
    assert both.count(", besieging, morale -1</title>") == 1


def test_formations_keep_their_colour_when_others_are_elsewhere(toba: Map, units: list[CounterView]) -> None:
    every = sorted({unit.formation for unit in units})
    alone = [svg(toba, title="", units=units[2:3], formations=more) for more in ((), every)]
    together = svg(toba, title="", units=units)
    counter = re.compile("<title>sc-01: .*?</g>")
    assert counter.findall(alone[1]) == counter.findall(together)
    assert counter.findall(alone[0]) != counter.findall(together)
    assert "choshu" not in words_of(alone[1])  # the key names what is there
