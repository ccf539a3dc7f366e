"""Pictures of a table without hexes: bases to scale, figures left, who is who in grey too, what happened, its parts."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from pbem.maps.tabletop import Piece, Spot, Tabletop, Zone
from pbem.picture.crops import SHARP, WIDTH
from pbem.picture.labels import around
from pbem.picture.news import marks
from pbem.picture.paper import Box, Point, width_of
from pbem.picture.scene import Picture, crops, draw
from pbem.picture.table.cloth import INCH
from pbem.picture.table.figures import cells, look_of_side
from pbem.picture.table.key import items
from pbem.picture.table.marks import strikes_of
from pbem.picture.table.scene import TableSheet, battle_of
from pbem.picture.table.signs import covered_by, labels_of

Json = dict[str, Any]
PHONE = 374  # pixels that a picture has on a phone of 390
SIDES = ("red", "black")
HILL = Piece("hill", "Shrine Hill", "hill", (Spot(1600, 3200), Spot(2400, 3200), Spot(2400, 2700), Spot(1600, 2700)))
TABLE = Tabletop(
    3600, 4000, ("inch", "inches"), {"south": "Red", "north": "Black"}, (HILL,),
    (Zone("red", "Red Army, centre wing", Spot(0, 0), Spot(3600, 1000)),), {"spear": "Ashigaru spearmen"},
)  # fmt: skip


def unit(name: str, side: str, x: int, y: int, *, of: int = 4, left: int = 4, turned: int = 0, **more: Any) -> Json:
    """A unit with one stand an inch deep; it looks north, or as often turned by 90 degrees to the right."""
    corners = [(-50 * of, 50), (50 * of, 50), (50 * of, -50), (-50 * of, -50)]
    for _ in range(turned):
        corners = [(dy, -dx) for dx, dy in corners]
    stand = {"corners": [[x + dx, y + dy] for dx, dy in corners], "figures": left, "of": of}
    base = {"facing": 90 * turned, "stands": [stand], "reach": more.pop("reach", [])}
    told = {"id": name, "name": f"{side} {name}", "short": name, "side": side, "formation": "centre", "symbol": "spear"}
    here = {"at": f"{x / 100:g}-{y / 100:g}", "place": "centre third", "where": "table", "words": [], "badges": []}
    return {**told, **here, "values": {}, "extra": {}, "attached_to": [], "base": base, **more}


def data(units: list[Json], steps: list[Json] | None = None) -> Json:
    situation = {
        "sides": [{"id": side, "title": f"{side.title()} Army"} for side in SIDES], "units": units, "places": [],
        "where": [{"id": "table", "coming": False}, {"id": "waiting", "title": "to be set up", "coming": True}],
        "ground": "", "progress": [],
        "turn": 2, "turns": 10, "table": TABLE.data(),
    }  # fmt: skip
    return {"situation": situation, "steps": steps or [], "scenario": {"title": "A Skirmish"}}


def told(seq: int, what: str, **facts: Any) -> Json:
    return {"kind": "tell", "seq": seq, "what": what, "facts": facts}


def whole(units: list[Json], steps: list[Json] | None = None, **how: Any) -> str:
    (picture,) = draw({}, data(units, steps), **how)
    return picture.svg


def places_of(path: str) -> list[tuple[float, float]]:
    """The corners of a closed path of steps."""
    x = y = 0.0
    found = []
    for letter, a, b in re.findall(r"([MlhvL])(-?[\d.]+)(?: ?(-?[\d.]+))?", path):
        if letter in "ML":
            x, y = float(a), float(b)
        else:
            x += float(a) if letter != "v" else 0.0
            y += float(a) if letter == "v" else float(b or 0)
        found.append((x, y))
    return found


def base_of(svg: str, colour: str) -> list[tuple[float, float]]:
    """The corners of the first base filled in a colour."""
    found = re.search(rf'<path d="([^"]+)" fill="{colour}" stroke="none"/>', svg)
    assert found is not None
    return places_of(found[1])


RED, BLACK = (look_of_side(side, SIDES) for side in SIDES)


def test_bases_are_to_scale_where_they_stand_with_their_front_ahead() -> None:
    svg = whole([unit("sp-1", "red", 1800, 1000)])
    corners = base_of(svg, RED.base)
    assert math.dist(corners[0], corners[1]) == pytest.approx(4 * INCH)
    assert math.dist(corners[1], corners[2]) == pytest.approx(INCH)
    frame = re.search(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', svg)
    assert frame is not None
    left, top, wide, high = map(float, frame.groups())
    assert (wide, high) == (36 * INCH, 40 * INCH)
    assert corners[0] == pytest.approx((left + 16 * INCH, top + (40 - 10.5) * INCH))
    front = re.search(r'<path d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)" stroke="#111111" stroke-width="3.6"', svg)
    assert front is not None
    assert [float(value) for value in front.groups()] == pytest.approx([*corners[0], *corners[1]])


def test_a_base_that_looks_east_has_its_front_in_the_east() -> None:
    corners = base_of(whole([unit("sp-1", "red", 1800, 1000, turned=1)]), RED.base)
    assert corners[0][0] == corners[1][0] > corners[2][0]
    assert corners[0][1] < corners[1][1], "its left is in the north"


def test_of_stands_behind_each_other_only_the_first_has_a_front() -> None:
    column = unit("sp-1", "red", 1800, 1000)
    (first,) = column["base"]["stands"]
    second = {**first, "corners": [[x, y - 100] for x, y in first["corners"]]}
    abreast = {**first, "corners": [[x + 400, y] for x, y in first["corners"]]}
    for stands, fronts in (([first], 1), ([first, second], 1), ([first, abreast], 2)):
        svg = whole([{**column, "base": {**column["base"], "stands": stands}}])
        before_key = svg[: svg.index("north</text>")]
        assert before_key.count('stroke-width="3.6"') == fronts
        assert before_key.count(">sp-1</text>") == len(stands)


@pytest.mark.parametrize("left", [4, 3, 1])
def test_figures_that_are_left_have_hats_and_the_others_empty_places(left: int) -> None:
    svg = whole([unit("sp-1", "red", 1800, 1000, left=left)])
    of_table = svg[: svg.index("north</text>")] if left else svg
    assert of_table.count(f'fill="{RED.hat}" stroke="{RED.rim}"') == left
    assert of_table.count('stroke-dasharray="2.4 2.2"') == 4 - left
    assert ("lost figure" in svg) == (left < 4)


def grey(colour: str) -> float:
    red, green, blue = bytes.fromhex(colour[1:])
    return 0.299 * red + 0.587 * green + 0.114 * blue


def test_sides_are_told_apart_in_grey() -> None:
    assert RED.hat != BLACK.hat
    assert grey(RED.hat) - grey(BLACK.hat) > 60
    assert grey(RED.base) - grey(BLACK.base) > 40
    assert RED.knob
    assert not BLACK.knob


def test_routed_units_and_other_states_are_seen() -> None:
    calm = unit("sp-1", "red", 1800, 1000)
    badges = [{"sign": "R", "title": "routed", "look": "band"}, {"sign": "H", "title": "half", "look": "disc"}]
    routed = whole([{**calm, "badges": badges, "words": ["routed", "half"]}])
    assert f'stroke="{RED.stripe}"' in routed
    assert f'stroke="{RED.stripe}"' not in whole([calm])
    assert routed.count(">R</text>") == routed.count(">H</text>") == 2, "on the base and in the key"
    assert "routed: striped base" in routed
    assert "4 of 4 figures, centre third, routed, half</title>" in routed
    assert "4 of 8 figures, centre third</title>" in whole([{**calm, "values": {"figures": 8}}]), "a stand is gone"


def ids_of(svg: str) -> dict[str, tuple[float, float]]:
    """Where the middles of the ids on bases are, an id of upright letters each."""
    found = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" font-size="([\d.]+)"[^>]*>([a-z]+-\d+)</text>', svg)
    return {words: (float(x), float(y) - 0.36 * float(size)) for x, y, size, words in found}


def test_an_id_stands_beside_the_front_of_who_is_right_behind() -> None:
    """A daimyo's horns and the tooth of his front lay over the middle of the rear."""
    alone = ids_of(whole([unit("sp-1", "red", 1800, 1000)]))["sp-1"]
    leader = unit("dm-1", "red", 1800, 900, of=1, left=1, symbol="daimyo")
    led = ids_of(whole([unit("sp-1", "red", 1800, 1000), leader]))
    assert led["sp-1"][1] == alone[1]
    assert abs(led["sp-1"][0] - alone[0]) > INCH
    behind_a_corner = unit("dm-1", "red", 1980, 900, of=1, left=1, symbol="daimyo")
    assert ids_of(whole([unit("sp-1", "red", 1800, 1000), behind_a_corner]))["sp-1"] == alone


def test_an_id_looks_only_at_fronts_nearby_however_many_units_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 150 units a side each id was held against every front of the table, and a page took fifteen seconds."""
    shared: list[int] = []
    real = Box.overlap
    monkeypatch.setattr(Box, "overlap", lambda self, other: shared.append(1) or real(self, other))
    asked, labels = [], []
    for rows in (1, 2, 4):
        many = [
            unit(f"sp-{row}-{i}", "red", 250 + 420 * i, 100 + 150 * row) for row in range(10 * rows) for i in range(8)
        ]
        shared.clear()
        units = battle_of(data(many)["situation"], {"moves": [], "fights": []}, {}, {}).units
        labels.append(labels_of(units))
        asked.append(len(shared) / len(units))
    assert asked[2] < 8 * asked[0], "an id looks along its column at most"
    assert asked[2] < 600
    assert [label.words for label in labels[2]][:80] == [label.words for label in labels[0]]
    assert [label.at for label in labels[2]][:72] == [label.at for label in labels[0]][:72], "far ones change nothing"


HALF = {"badges": [{"sign": "H", "title": "half", "look": "disc"}], "words": ["half"]}


@pytest.mark.parametrize(("x", "y", "other"), [(2050, 900, "dm-5"), (1700, 100, "dm-6")])
def test_a_badge_covers_no_id_of_a_neighbour(x: int, y: int, other: str) -> None:
    """Where a neighbour's id is at the corner beside which it lies as a rule it lies beside another one."""
    svg = whole([unit("sp-1", "red", 1800, 1000, **HALF), unit(other, "black", x, y, of=1, left=1, turned=2)])
    (badge,) = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="7.5"', svg[: svg.index("north</text>")])
    at, name = tuple(map(float, badge)), ids_of(svg)[other]
    assert max(abs(at[0] - name[0]) - 12, abs(at[1] - name[1]) - 5) > 7.5, "half of its letters, and its radius"
    corners = base_of(svg, RED.base)
    right = math.dist(at, corners[2]) < math.dist(at, corners[3])
    assert right == (other == "dm-6"), "nobody is there"


def test_all_of_a_unit_is_told_in_words() -> None:
    svg = whole([unit("sp-1", "red", 1800, 1000, left=3)], formations={"centre": "centre wing"})
    assert (
        "<title>sp-1: red sp-1 (centre wing, Red Army), Ashigaru spearmen, 3 of 4 figures, centre third</title>" in svg
    )
    assert svg.split("<title>")[1].startswith("A Skirmish, turn 2</title>")


def test_edges_have_coordinates_and_names() -> None:
    svg = whole([])
    for inch in range(0, 37, 6):
        assert svg.count(f">{inch}</text>") >= 4
    assert "Black edge, centre third" in svg
    assert "Red edge, centre third" in svg
    assert svg.index("Black edge") < svg.index("Red edge")


def test_ground_has_its_look_and_name() -> None:
    svg = whole([])
    assert "<title>Shrine Hill (hill)</title>" in svg
    assert svg.count(">Shrine Hill</text>") == 2, "with its halo"
    assert ">hill</text>" in svg
    (picture,) = draw({}, {**data([]), "japanese": {"Shrine Hill": "社の丘"}})
    assert "<title>Shrine Hill 社の丘 (hill)</title>" in picture.svg


def test_set_up_areas_are_shown_when_asked_for() -> None:
    assert "Red Army, centre wing" in whole([], areas=True)
    assert "Red Army, centre wing" not in whole([])


MOVED = told(5, "move", unit="sp-1", path=["18-6", "18-10"], stood=[[1600, 650], [2000, 650], [2000, 550], [1600, 550]])


def test_moves_leave_a_ghost_where_the_unit_stood() -> None:
    svg = whole([unit("sp-1", "red", 1800, 1000)], [MOVED])
    ghost = re.search(rf'<path d="([^"]+)" fill="{RED.base}" fill-opacity', svg)
    assert ghost is not None
    stands = base_of(svg, RED.base)
    for then, now in zip(places_of(ghost[1]), stands, strict=True):
        assert then == pytest.approx((now[0], now[1] + 4 * INCH)), "four inches farther south"
    assert "red sp-1 (sp-1) went to 18 10</title>" in svg
    assert "red sp-1 (sp-1) fled to 18 10</title>" in whole(
        [unit("sp-1", "red", 1800, 1000)], [{**MOVED, "what": "flee"}]
    )
    assert "where a unit of the Red Army stood, and its way" in svg
    assert 'fill-opacity="0.45"' not in whole([unit("sp-1", "red", 1800, 1000)])


def test_a_turn_on_the_spot_has_a_ghost_and_no_arrow() -> None:
    turn = told(5, "move", unit="sp-1", path=["18-10", "18-10"], stood=MOVED["facts"]["stood"])
    svg = whole([unit("sp-1", "red", 1800, 1000, turned=1)], [turn])
    before_key = svg[: svg.index("north</text>")]
    assert 'fill-opacity="0.45"' in before_key
    assert 'stroke-width="12"' not in before_key
    moved = whole([unit("sp-1", "red", 1800, 1000)], [MOVED])
    assert 'stroke-width="12"' in moved[: moved.index("north</text>")]


ARMIES = [unit("sp-1", "red", 1800, 2000), unit("bw-2", "black", 1800, 2100, of=3, turned=2)]
FIRE = told(5, "fire", unit="bw-2", target="sp-1", at="18-20", result="2", **{"from": "18-21"})
ATTACK = told(6, "attack", unit="sp-1", target="bw-2", at="18-21", result="1", **{"from": "18-20"})


def test_fights_are_numbered_with_their_results() -> None:
    svg = whole(ARMIES, [FIRE, ATTACK])
    assert "<title>black bw-2 (bw-2) fired at red sp-1 (sp-1) at 18 20</title>" in svg
    assert "<title>red sp-1 (sp-1) attacked black bw-2 (bw-2) at 18 21</title>" in svg
    fire, attack = (svg.index(f"<title>{who}") for who in ("black bw-2 (bw-2) f", "red sp-1 (sp-1) a"))
    assert [re.findall(r">(\d+)</text>", svg[at:])[:2] for at in (fire, attack)] == [["2", "1"], ["1", "2"]]
    assert "paler: fights before the newest" in svg
    assert "paler" not in whole(ARMIES, [ATTACK])


def test_marks_of_fights_keep_clear_of_each_other_and_of_figures() -> None:
    svg = whole(ARMIES, [ATTACK, {**ATTACK, "seq": 6}])
    spots = [(float(x), float(y)) for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="14"', svg)][:2]
    assert math.dist(*spots) > 28
    hats = [tuple(map(float, at)) for at in re.findall(r'transform="translate\(([\d.]+) ([\d.]+)\)', svg)]
    assert all(math.dist(spot, hat) > 14 for spot in spots for hat in hats)


@pytest.mark.parametrize("left", [1, 2, 3])
def test_the_mark_of_a_fight_between_lines_covers_no_figure_and_no_id(left: int) -> None:
    """Neighbours stand at both sides, daimyos behind: it lay on the attacker's figures and half of his id."""
    daimyos = [
        unit("dm-1", "red", 1800, 1900, of=1, left=1),
        unit("dm-11", "black", 1800, 2200, of=1, left=1, turned=2),
    ]
    line = [unit("sp-2", "black", 2150, 2100, turned=2), unit("sp-3", "black", 1450, 2100, turned=2)]
    fought = [
        unit("sw-2", "red", 1800, 2000, of=3, left=3),
        unit("ro-1", "black", 1800, 2100, of=3, left=left, turned=2),
    ]
    fight = told(6, "attack", unit="sw-2", target="ro-1", at="18-21", result="1", **{"from": "18-20"})
    svg = whole([*fought, *daimyos, *line], [fight])
    mark = re.search(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="14"', svg)
    assert mark is not None
    spot = (float(mark[1]), float(mark[2]))
    hats = [tuple(map(float, at)) for at in re.findall(r'transform="translate\(([\d.]+) ([\d.]+)\)', svg)]
    assert min(math.dist(spot, hat) for hat in hats) > 28
    assert min(math.dist(spot, at) for at in ids_of(svg).values()) > 20


def test_the_mark_of_a_fight_lies_where_its_target_stood_that_is_gone() -> None:
    """Not behind the attacker, an inch and more away, as where figures stand in the place."""
    found = []
    for units in (ARMIES, ARMIES[:1]):
        mark = re.search(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="14"', whole(units, [ATTACK]))
        assert mark is not None
        found.append([float(number) for number in mark.groups()])
    (_, beside), (_, there) = found
    assert (there, beside) == (666, 726), "21 inches from the south edge, two inches less"


def test_a_mark_names_its_target_where_another_unit_is_nearer_now() -> None:
    bows = unit("bw-2", "black", 1800, 2800, of=3, turned=2)
    fire = {**FIRE, "facts": {**FIRE["facts"], "from": "18-27.5"}}
    assert "whom a mark was at" not in whole([ARMIES[0], bows], [fire])
    gone = [unit("sp-1", "red", 3000, 3000), bows, unit("sp-9", "black", 1800, 2000)]
    for units in (gone, gone[1:]):
        svg = whole(units, [fire])
        assert "whom a mark was at" in svg
        assert ">sp-1</text>" in svg[svg.index("fired at") : svg.index(">north</text>")]


def test_the_id_of_a_target_covers_no_other_mark_and_no_number() -> None:
    """Two fires at units that were there: one mark lies below the other, where the first one's id would stand."""
    fires = [
        told(4 + late, "fire", unit="bw-2", target=f"sp-{late + 7}", at=f"18-{20 - 0.8 * late:g}", result="1",
             **{"from": "18-27.5"})
        for late in range(3)
    ]  # fmt: skip
    there = data([unit("sp-9", "black", 1500, 2000), unit("sp-1", "red", 2100, 2000)])["situation"]
    strikes = strikes_of(battle_of(there, marks(fires, there), {}, {}))
    ids = [around(one.whom, one.fight.whom, 12, bold=True) for one in strikes if one.whom is not None]
    assert len(ids) == 3
    for number, box in enumerate(ids):
        for late, other in enumerate(strikes):
            assert box.overlap(Box(*other.disc.by(-8, -8), *other.disc.by(8, 8))) == 0
            assert number == late or box.overlap(Box(*other.spot.by(-14, -14), *other.spot.by(14, 14))) == 0
        assert all(box.overlap(other) == 0 for other in ids[:number])


def test_every_sign_is_explained_in_a_line_of_a_phone() -> None:
    badges = [{"look": "disc", "sign": "H", "title": "at half strength"},
              {"look": "band", "sign": "R", "title": "routed"}]  # fmt: skip
    others = [unit("sp-9", "black", 1500, 2000, left=2, badges=badges), unit("sp-1", "red", 2100, 2000, reach=REACH)]
    there = data(others)["situation"]
    news = marks([FIRE, {**ATTACK, "seq": 6}, {**MOVED, "seq": 6}], there)
    explained = list(items(battle_of(there, news, {}, {}, reach=["sp-1"])))
    assert any(item.words.startswith("whom a mark was at") for item in explained)
    assert max(item.width + 8 + width_of(item.words, 15) for item in explained) <= WIDTH - 28


def test_lines_of_fire_lie_over_bases_that_came_into_them() -> None:
    svg = whole(ARMIES, [FIRE])
    line = svg.index('stroke="#b3140f"')
    bases = [svg.rindex(f'fill="{look.base}" stroke="none"', 0, svg.index(">north</text>")) for look in (RED, BLACK)]
    assert max(bases) < line < svg.index("fired at")


REACH = [
    {"look": "fire", "title": "fires 8 inches", "at": [1800, 1050], "radius": 800, "facing": 0, "arc": 90},
    {"look": "move", "title": "moves 6 inches", "at": [1800, 1000], "radius": 600, "facing": 0, "arc": 0},
    {"look": "move", "title": "goes 12 inches", "at": [1800, 1000], "radius": 1200, "facing": 0, "arc": 360},
]


def test_ranges_and_moves_of_a_unit_are_drawn_when_asked_for() -> None:
    archers = [unit("bw-1", "red", 1800, 1000, of=3, reach=REACH)]
    assert "fires 8 inches" not in whole(archers)
    svg = whole(archers, reach=["bw-1"])
    assert "range and arc of fire" in svg
    sector = re.search(r"fires 8 inches</title>", svg)
    assert sector is not None
    (path,) = re.findall(r'<path d="([^"]+)"[^>]*><title>fires 8 inches', svg)
    x, y, ax, ay, radius = (float(re.findall(r"[\d.]+", path)[i]) for i in (0, 1, 2, 3, 4))
    assert radius == 8 * INCH
    assert (x - ax, y - ay) == pytest.approx((radius / math.sqrt(2),) * 2, abs=0.1), "45 degrees to the left"
    (ring,) = re.findall(r'<path d="([^"]+)"[^>]*><title>goes 12 inches', svg)
    assert f"a{12 * INCH:g} {12 * INCH:g}" in ring


def test_the_words_of_a_range_cover_no_unit_and_no_sign() -> None:
    """Straight ahead at the rim stands an enemy, whose sign or figures they covered."""
    ray = {"look": "fire", "title": "fires 8 inches", "at": (1800, 1050), "radius": 800, "facing": 0, "arc": 90}
    shooter = unit("gn-1", "red", 1800, 1000, of=3, left=3, reach=[ray])
    for x, y, alone in ((3000, 3000, True), (1800, 1820, False), (1590, 1890, False)):
        badges = [{"look": "disc", "sign": "H", "title": "at half strength"}]
        battle = battle_of(data([shooter, unit("sp-9", "black", x, y, left=2, badges=badges)])["situation"],
                           {"moves": [], "fights": []}, {}, {}, reach=["gn-1"])  # fmt: skip
        found = re.search(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>fires 8 inches', "".join(TableSheet(battle).drawn()))
        assert found is not None
        words = around(Point(float(found[1]), float(found[2])), "fires 8 inches", 12, bold=True)
        assert (words.left + words.right == 2 * battle.units[0].stands[0].middle.x) == alone
        assert sum(words.overlap(box) for box in (*cells(battle.units[1]), *covered_by(battle.units))) == 0


def test_units_still_to_be_set_up_stand_beside_the_table() -> None:
    waiting = {**unit("sp-1", "red", 0, 0), "where": "waiting", "at": None}
    del waiting["base"]
    svg = whole([waiting])
    assert "Red Army, to be set up: sp-1</text>" in svg


# --- parts -----------------------------------------------------------------------------------------------------------


def parts(**how: Any) -> list[Picture]:
    return crops({}, data(ARMIES, [FIRE, ATTACK]), **how)


def test_parts_show_where_something_happened_with_coordinates_and_a_key() -> None:
    part, key = parts()
    assert (part.name, part.map, part.fights, part.zoom) == ("table-1", "table", (1, 2), SHARP)
    assert part.title.startswith("fights 1 and 2: black bw-2 (bw-2) fired at red sp-1 (sp-1) at 18 20; red sp-1")
    assert key.name == "key"
    assert ">M1</text>" not in key.svg, "results are numbers of figures"
    assert "attack: who attacks, whom, the result" in key.svg
    assert ">hill</text>" not in key.svg, "it isn't seen in the part"
    assert all(f">{inch}</text>" in part.svg for inch in (16, 18, 20, 22))
    assert crops({}, data(ARMIES)) == []


def test_ids_and_coordinates_are_read_on_a_phone() -> None:
    part = parts()[0]
    wide = re.search(r'viewBox="\S+ \S+ (\d+)', part.svg)
    assert wide is not None
    assert int(wide[1]) <= WIDTH
    sizes = dict.fromkeys(("sp-1", "bw-2", "20"), 0.0)
    for word in sizes:
        (size, *_) = re.findall(rf'font-size="([\d.]+)"[^>]*>{word}</text>', part.svg)
        sizes[word] = float(size) * PHONE / WIDTH
    assert min(sizes.values()) >= 8.9, sizes


def test_windows_show_the_table_that_the_page_has() -> None:
    (picture,) = draw({}, data(ARMIES, [FIRE, ATTACK]))
    window = parts(windows=True, headed=False)[0]
    assert 'id="map-table"' in picture.svg
    assert '<use href="#map-table"/>' in window.svg
    assert "sp-1</text>" not in window.svg
    assert ">20</text>" in window.svg, "its coordinates are its own"


def test_pictures_are_the_same_for_the_same_input() -> None:
    assert parts() == parts()
    assert whole(ARMIES, [FIRE]) == whole(ARMIES, [FIRE])


def test_a_game_without_a_table_has_none() -> None:
    given = data(ARMIES, [FIRE])
    del given["situation"]["table"]
    assert draw({}, given) == []
    assert crops({}, given) == []
