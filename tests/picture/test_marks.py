"""Marks on the map: fights at their target from whoever took part, names clear of them, tints, goals, a whole key."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml

from pbem.maps.hexes import neighbours
from pbem.maps.map import Map
from pbem.picture.arrows import head_boxes
from pbem.picture.aside import boxes_of, spots_of
from pbem.picture.counters import (
    COUNTER,
    BadgeView,
    CounterView,
    card,
    colours_of,
    counter,
    name_line,
    placed,
    printed_lines,
    tint_of,
)
from pbem.picture.fights import fight_marks, kept_clear
from pbem.picture.labels import placed_names
from pbem.picture.legend import marks_of
from pbem.picture.lines import WAY_KINDS, way_sample
from pbem.picture.news import is_fight, marks
from pbem.picture.numbers import number_boxes
from pbem.picture.paper import RADIUS, Box, Paper, Point, width_of
from pbem.picture.svg import FightView, GoalView, MoveView, svg
from pbem.picture.views import Scene, ShieldView, SignView
from pbem.report.brief import scenario_pictures
from pbem.report.telling import Names
from pbem.rules import rules_of
from pbem.scenario import load_scenario

SCENARIOS = Path(__file__).parents[2] / "scenarios"
MAPS = SCENARIOS / "bakumatsu" / "maps"
SIDES = ("shogunate", "satcho")


@pytest.fixture(scope="module")
def toba() -> Map:
    return Map.from_data(yaml.safe_load((MAPS / "toba-fushimi.yaml").read_text(encoding="utf-8")))


def unit(board: Map, uid: str, at: str, **more: Any) -> CounterView:
    view = {"name": uid, "side": "satcho", "formation": "f", "symbol": "infantry", "values": ("5", "3", "3", "4")}
    return CounterView(**{"id": uid, "at": board.parse(at), **view, **more})


def fire(board: Map, target: str, *sources: str, number: int = 0) -> FightView:
    return FightView(tuple(map(board.parse, sources)), board.parse(target), "fire", "D", number)


# --- fights ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["1209", "1207", "1413", "1011", "1213"])
def test_the_mark_of_a_fire_lies_in_the_targets_hex(toba: Map, source: str) -> None:
    paper = Paper(toba)
    view = fire(toba, "1211", source)
    (mark,) = fight_marks([view], [], paper)
    far = math.dist(mark.spot, paper.centre(view.target))
    assert far < RADIUS
    assert all(far < math.dist(mark.spot, paper.centre(h)) for h in toba.hexes if h != view.target)


def test_every_unit_that_takes_part_has_a_line(toba: Map) -> None:
    paper = Paper(toba)
    for sources in (("1209",), ("1209", "1413"), ("1209", "1413", "1011")):
        (mark,) = fight_marks([fire(toba, "1211", *sources)], [], paper)
        starts = list(mark.starts(paper))
        assert len(starts) == len(sources)
        for start, source in zip(starts, sources, strict=True):
            assert math.dist(start, paper.centre(toba.parse(source))) < RADIUS
        drawn = svg(toba, title="", fights=[mark.fight])
        assert drawn.count('stroke-dasharray="7 4"') == len(sources) + 1  # one in the key


def test_marks_of_several_fights_and_their_numbers_lie_apart(toba: Map) -> None:
    views = [fire(toba, "1211", "1210", number=1), fire(toba, "1211", "1210", number=2)]
    views += [FightView((toba.parse("1210"),), toba.parse("1211"), "melee", "M1", 3)]
    found = fight_marks(views, [], Paper(toba))
    middles = [point for mark in found for point in (mark.spot, mark.disc)]
    for i, one in enumerate(middles):
        assert all(math.dist(one, other) > 14 for other in middles[:i])
    drawn = svg(toba, title="", fights=views)
    assert [drawn.count(f">{n}</text>") for n in (1, 2, 3)] == [2, 1, 1]  # 1 is in the key, too


@pytest.mark.parametrize("kind", ["fire", "melee"])
def test_no_mark_or_number_covers_an_id_or_values_where_there_is_room(toba: Map, kind: str) -> None:
    paper, target = Paper(toba), toba.parse("1211")
    for source in neighbours(target):
        cards = [paper.room(h) for h in (target, source)]
        (mark,) = fight_marks([FightView((source,), target, kind, "D", 1)], cards, paper)
        lines = [line for box in cards for line in printed_lines(box)]
        assert all(sign.overlap(line) < 40 for sign in mark.signs() for line in lines), "a corner at most"


def test_two_fights_among_counters_leave_ids_values_results_numbers_and_arrow_heads_to_be_read(toba: Map) -> None:
    paper, target = Paper(toba), toba.parse("1211")
    near = neighbours(target)
    cards = [paper.room(h) for h in (target, *near)]
    lines = [line for box in cards for line in printed_lines(box)]
    for i in range(6):
        views = [FightView((near[j % 6],), target, "fire", "D", j) for j in (i, i + 1)]
        (head,) = head_boxes([MoveView((near[(i + 2) % 6], target), "satcho")], paper)
        found = fight_marks(views, cards, paper, [head])
        assert all(sign.overlap(line) < 40 for mark in found for sign in mark.signs() for line in lines), "a corner"
        middle = ((head.left + head.right) / 2, (head.top + head.bottom) / 2)
        assert all(math.dist(mark.spot, middle) > 15 for mark in found)
        words = [point for mark in found for point in (mark.spot, mark.disc)]
        assert all(math.dist(one, other) > 15 for k, one in enumerate(words) for other in words[:k])


@pytest.mark.parametrize("end", range(6))
def test_the_tip_of_an_arrow_is_seen_beside_the_counter_at_its_end(toba: Map, end: int) -> None:
    paper, target = Paper(toba), toba.parse("1211")
    (head,) = head_boxes([MoveView((neighbours(target)[end], target), "satcho")], paper)
    drawn = svg(toba, title="", sides=SIDES, moves=[MoveView((neighbours(target)[end], target), "satcho")])
    x, y = map(float, re.findall(r'<path d="M([0-9.]+) ([0-9.]+)[^"]*" fill="#[0-9a-f]+" ' + HEAD, drawn)[0])
    room = paper.room(target)
    assert not (room.left < x < room.right and room.top < y < room.bottom)
    assert head.left - 0.1 < x < head.right + 0.1
    assert head.top - 0.1 < y < head.bottom + 0.1


def test_the_lines_of_fights_lie_under_the_counters(toba: Map) -> None:
    drawn = svg(toba, title="", units=[unit(toba, "sa-09", "1210")], fights=[fire(toba, "1211", "1209")])
    assert drawn.index('stroke-dasharray="7 4"') < drawn.index("<title>sa-09: ") < drawn.index('fill="#ffd83d"')


# --- arrows ------------------------------------------------------------------------------------------------------

HEAD = 'stroke="#111" stroke-width="2" stroke-linejoin="round"'


def moved(board: Map, count: int) -> str:
    """A map with so many moves, without its key."""
    inner = [h for h in board.hexes if all(n in board for n in neighbours(h))]
    moves = [MoveView((neighbours(h)[0], h), "satcho") for h in inner[:count]]
    return svg(board, title="", sides=SIDES, moves=moves).partition(">north</text>")[0]


def test_no_line_of_an_arrow_hides_the_head_of_another(toba: Map) -> None:
    drawn = moved(toba, 3)
    assert drawn.count(HEAD) == 3
    assert drawn.rindex('stroke="#ffffff" stroke-width="12"') < drawn.index(HEAD)


def test_many_arrows_are_thin(toba: Map) -> None:
    few, many = moved(toba, 10), moved(toba, 11)
    assert (few.count('stroke="#ffffff" stroke-width="12"'), few.count('stroke="#ffffff" stroke-width="7"')) == (10, 0)
    assert (many.count('stroke="#ffffff" stroke-width="12"'), many.count('stroke="#ffffff" stroke-width="7"')) == (
        0,
        11,
    )
    assert many.count(HEAD) == 11


@pytest.mark.parametrize("kind", sorted(WAY_KINDS))
def test_no_road_looks_like_an_arrow(kind: str) -> None:
    roads = re.findall('stroke="(#[0-9a-f]{6})"', way_sample(kind, Point(0, 0)))
    for side in SIDES:
        arrow = colours_of(side, SIDES).card
        apart = [math.dist(bytes.fromhex(road[1:]), bytes.fromhex(arrow[1:])) for road in roads]
        assert min(apart) > 90, (kind, side)


def step(what: str, seq: int = 4, **facts: Any) -> dict[str, Any]:
    return {"seq": seq, "kind": "tell", "what": what, "facts": facts}


def situation(**at: str | None) -> dict[str, Any]:
    units = [{"id": uid, "at": h, "side": "red", "short": uid, "name": uid.upper()} for uid, h in at.items()]
    return {"units": units, "places": [{"at": "0102", "name": "Akaike"}], "ground": "hex"}


def test_those_who_took_part_are_shown_where_they_stood_then() -> None:
    shot = step("fire", unit="a", **{"from": "0101", "at": "0303", "result": "D", "with": ["b", "c", "d"]}, target="e")
    steps = [
        step("move", unit="b", **{"from": "0105"}, path=["0104"]),
        shot,
        step("move", unit="b", **{"from": "0104"}, path=["0204", "0205"]),
        step("retreat", unit="c", **{"from": "0202"}, path=["0103"]),
        step("remove", unit="d", at="0203", why="fire"),
        step("advance", unit="a", **{"from": "0101"}, to="0102"),
    ]
    drawn = marks(steps, situation(a="0102", b="0205", c="0103", d=None, e="0303"))
    (fight,) = drawn["fights"]
    assert fight["from"] == ["0101", "0104", "0202", "0203"]
    assert fight["title"] == "A (a) with 3 others fired at E (e) in hex 0303"
    assert [move["title"] for move in drawn["moves"]][-1] == "A (a) went to Akaike (0102)"


@pytest.mark.parametrize("scenario", ["toba-fushimi", "yao"])
def test_what_happened_is_named_as_in_the_words_of_the_report(scenario: str) -> None:
    loaded = load_scenario(scenario)
    rules = rules_of(loaded.system)
    options = loaded.data["scenario"].get("options", {})
    told = rules.situation(rules.start(rules.board(loaded.data), {one: options[one]["default"] for one in options}))
    names = Names(told)
    for one in told["units"]:
        at = told["places"][0]["at"]
        fought = step("melee", unit=one["id"], **{"from": at}, at=at, result="M1", target=one["id"])
        (fight,) = marks([fought], told)["fights"]
        names.forget()
        unit = names.unit(one["id"])
        assert fight["title"] == f"{unit} attacked {unit} {names.at(at)}"
        (move,) = marks([step("move", unit=one["id"], **{"from": "9999"}, path=[at])], told)["moves"]
        assert move["title"] == f"{unit} went to {names.place(at)}"


def test_fights_are_numbered_as_they_come() -> None:
    steps = [step("fire", unit="a", **{"from": "0101"}, at="0303", result="D") for _ in range(3)]
    steps.insert(1, step("move", unit="a", **{"from": "0101"}, path=["0102"]))
    assert [fight["number"] for fight in marks(steps, situation(a="0101"))["fights"]] == [1, 2, 3]
    assert [is_fight(one) for one in steps] == [True, False, True, True]
    assert not is_fight({"seq": 1, "kind": "order", "words": []})


def test_the_mark_of_a_fight_in_rounds_has_all_losses_that_its_attacker_inflicted() -> None:
    def rounds(first: int, *later: int) -> list[dict[str, Any]]:
        begun = step("battle-result", unit="a", **{"from": "0101"}, at="0303", target="e", result=first, round=1)
        others = [step("battle-result", unit=unit, result=result, round=2) for unit in "ae" for result in later]
        return [begun, step("battle-result", unit="e", result=5, round=1), {"seq": 4, "kind": "roll"}, *others]

    steps = [*rounds(2, 3, 1), *rounds(4)]
    found = marks(steps, situation(a="0101", e="0303"))["fights"]
    assert [fight["result"] for fight in found] == ["6", "4"]


# --- names -------------------------------------------------------------------------------------------------------


def names(board: Map, taken: list[Box]) -> dict[str, Any]:
    return {name.words: name for name in placed_names(board, Paper(board), taken, {}, areas=False)}


def test_names_stay_where_they_are_whatever_lies_elsewhere(toba: Map) -> None:
    paper, plain = Paper(toba), names(toba, [])
    for h in toba.hexes[::9]:
        card = paper.room(h)
        moved = names(toba, [card])
        for words, name in plain.items():
            if not name.box.overlap(card):
                assert moved[words] == name


def test_a_name_makes_room_for_a_counter_or_mark(toba: Map) -> None:
    plain = names(toba, [])
    for name in plain.values():
        again = names(toba, [name.box])[name.words]
        assert again.at != name.at
        assert not again.box.overlap(name.box)


@pytest.mark.parametrize("damage", [None, [], {}, "words", [[0.0, 0.0]], [["a", "b"]] * 1000])
def test_names_lie_where_they_would_anew_whatever_was_kept(toba: Map, damage: Any) -> None:
    kept: dict[tuple[str, str], Any] = {}
    paper, cards = Paper(toba), [Paper(toba).room(h) for h in toba.hexes[::3]]

    def keep(name: str, key: str, work: Callable[[], Any]) -> Any:
        return kept[name, key] if (name, key) in kept else kept.setdefault((name, key), work())

    anew = placed_names(toba, paper, cards, {}, areas=False)
    assert placed_names(toba, paper, [], {}, areas=False, keep=keep) != anew
    assert placed_names(toba, paper, cards, {}, areas=False, keep=keep) == anew
    assert len(kept) == 1
    kept = dict.fromkeys(kept, damage)
    assert placed_names(toba, paper, cards, {}, areas=False, keep=keep) == anew
    assert placed_names(toba, paper, cards, {}, areas=True, keep=keep) != anew


def test_names_find_room_between_counters_in_every_second_hex() -> None:
    path = SCENARIOS / "yukimura" / "maps" / "domyoji.yaml"
    board = Map.from_data(yaml.safe_load(path.read_text(encoding="utf-8")))
    paper = Paper(board)
    for first in (0, 1):
        cards = [paper.room(h) for h in board.hexes[first::2]]
        found = placed_names(board, paper, cards, {}, areas=False)
        covered = [max(name.box.overlap(card) for card in cards) / name.box.overlap(name.box) for name in found]
        assert sum(part > 0.03 for part in covered) <= 2


def test_no_name_is_nearer_to_another_place_or_ring_than_to_its_own(toba: Map) -> None:
    paper, own = Paper(toba), {name: h for h, name in toba.place_names.items()}
    ringed = {*toba.victory["satcho"], *toba.victory["shogunate"], toba.parse("0611")}
    held = dict.fromkeys(ringed, "satcho")
    cards = [paper.room(h) for place in own.values() for h in (place, *neighbours(place))]
    for taken in ([], cards, cards[::2]):
        for name in placed_names(toba, paper, taken, {}, areas=False, ringed=held):
            if home := own.get(name.words):
                middle = ((name.box.left + name.box.right) / 2, (name.box.top + name.box.bottom) / 2)
                nearest = min((*own.values(), *ringed), key=lambda h: math.dist(middle, paper.centre(h)))
                assert nearest == home, name.words


def test_no_name_is_covered_by_arrows_or_fights(toba: Map) -> None:
    h = toba.parse
    path = tuple(h(f"{row:02}09") for row in range(9, 14))
    quiet, busy = (svg(toba, title="", sides=SIDES, moves=moves) for moves in ((), [MoveView(path, "satcho")]))
    place = re.compile(r'<text x="([0-9.]+)" y="([0-9.]+)"[^>]*>Shimotoba</text>')
    assert place.findall(quiet) != place.findall(busy)


def test_widths_of_letters() -> None:
    assert width_of("iii", 10) < width_of("nnn", 10) < width_of("WWW", 10)
    assert width_of("Ō", 10) == width_of("O", 10)
    assert width_of("東", 10) == 10
    assert width_of("n", 10, bold=True) > width_of("n", 10)


# --- counters and the key ----------------------------------------------------------------------------------------


def test_a_counter_has_the_id_that_orders_use(toba: Map) -> None:
    drawn = svg(toba, title="", units=[unit(toba, "sg-07", "1209", name="Denshutai")])
    assert ">sg-07</text>" in drawn
    assert ">Denshutai</text>" in drawn


def test_the_band_of_a_state_leaves_name_and_values_free(toba: Map) -> None:
    view = unit(toba, "sg-07", "1209", name="Denshutai", badges=(BadgeView("D", "disordered", "band"),))
    drawn = svg(toba, title="", units=[view]).partition(">north</text>")[0]
    turned, _, y = re.findall(r'<g transform="rotate\((-?[0-9.]+) ([0-9.]+) ([0-9.]+)\)"', drawn)[0]
    wide, high = map(float, re.findall(r'width="([0-9.]+)" height="([0-9.]+)" fill="#c62020"', drawn)[0])
    angle = math.radians(abs(float(turned)))
    reach = wide / 2 * math.sin(angle) + high / 2 * math.cos(angle)
    room = Paper(toba).room(view.at)
    assert name_line(room).bottom - 0.5 < float(y) - reach
    assert float(y) + reach < printed_lines(room)[1].top + 0.5


def test_what_counts_beside_the_row_stands_beside_the_symbol(toba: Map) -> None:
    guns = unit(toba, "sg-07", "1209", extra=(("range", "3"),), row=("fire", "melee", "morale", "move"))
    drawn = svg(toba, title="", sides=SIDES, units=[guns])
    assert drawn.count(">R3</text>") == 2  # on the counter, and on that of the key
    assert {"range", "id for orders, name, fire-melee-morale-move"} <= set(re.findall(">([^<]+)</text>", drawn))
    assert ">range</text>" not in svg(toba, title="", sides=SIDES, units=[unit(toba, "sg-07", "1209")])


def test_no_two_formations_share_a_tint() -> None:
    many = tuple(f"formation {i}" for i in range(40))
    tints = [tint_of(one, many) for one in many]
    assert len(set(tints)) == len(tints)
    assert all(len(set(tint.split())) == len(tint.split()) for tint in tints)


@pytest.mark.parametrize("scenario", ["toba-fushimi", "domyoji", "yao", "gotos-dream", "connected"])
def test_all_formations_of_a_side_are_told_apart(scenario: str) -> None:
    for picture in scenario_pictures(load_scenario(scenario)):
        cards = re.findall(r"<title>\S+: [^(<]*\(([^,<]+), (\w+)\)[^<]*</title>.*?</g>", picture.svg)
        symbols = re.findall(r"<title>\S+: [^(<]*\(([^,<]+), \w+\)[^<]*</title>(.*?)</g>", picture.svg)
        tints: dict[str, set[str]] = {}
        for formation, drawn in symbols:
            fills = re.findall(r'<rect x="[^"]+" width="24"[^>]*? fill="(#\w+)"', drawn)
            tints.setdefault(" ".join(fills), set()).add(formation)
        assert all(len(formations) == 1 for formations in tints.values()), (picture.name, tints)
        assert bool(cards) == bool(symbols)


KEYS = {
    "disordered": {"units": [("sg-01", "1209", {"badges": (BadgeView("D", "disordered", "band"),)})]},
    "way of a unit of satcho": {"moves": [("1209", "1210")]},
    "fire: who fires, at whom, the result": {"fights": ["fire"]},
    "attack: who attacks, whom, the result": {"fights": ["melee"]},
    "Satcho enters here": {"entries": "0106"},
    "wins here": {"goals": "0106"},
}


def scene(board: Map, spec: dict[str, Any]) -> str:
    more: dict[str, Any] = {}
    h = board.parse
    if "units" in spec:
        more["units"] = [unit(board, uid, at, **look) for uid, at, look in spec["units"]]
    if "moves" in spec:
        more["moves"] = [MoveView(tuple(map(h, path)), "satcho") for path in spec["moves"]]
    if "fights" in spec:
        more["fights"] = [FightView((h("1209"),), h("1210"), kind, "D") for kind in spec["fights"]]
    if "entries" in spec:
        more |= {"entries": {h(spec["entries"]): "satcho"}, "titles": {"satcho": "Satcho"}}
    if "goals" in spec:
        more["goals"] = {h(spec["goals"]): GoalView("satcho", "reach", "wins here")}
    return svg(board, title="", sides=SIDES, **more)


@pytest.mark.parametrize("words", KEYS)
def test_the_key_tells_a_mark_when_it_is_drawn_and_only_then(toba: Map, words: str) -> None:
    for other, spec in KEYS.items():
        assert (f">{words}</text>" in scene(toba, spec)) == (other == words)


def test_the_counter_of_the_key_shows_all_that_its_words_tell(toba: Map) -> None:
    row = ("fire", "melee", "morale", "move")
    hurt = unit(toba, "sg-07", "1209", row=row, badges=(BadgeView("D", "disordered", "band"),))
    key = svg(toba, title="", sides=SIDES, units=[hurt]).partition(">north</text>")[2]
    sample = key.partition(">id for orders, name")[0].rpartition(">units of ")[2]
    assert ">sg-07<" in sample
    assert "rotate(" not in sample


def test_the_key_tells_bridges_where_there_are_some(toba: Map) -> None:
    assert ">bridge</text>" in svg(toba, title="")
    plain = yaml.safe_load((MAPS / "toba-fushimi.yaml").read_text(encoding="utf-8"))
    plain["hexsides"]["chains"] = []
    assert ">bridge</text>" not in svg(Map.from_data(plain), title="")


# --- what decides the game ---------------------------------------------------------------------------------------


def test_yao_marks_its_exits_and_the_commanders_and_nobody_enters() -> None:
    (picture,) = scenario_pictures(load_scenario("yao"))
    titles = re.findall("<title>([^<]+)</title>", picture.svg)
    assert {"2801 Wakae road: the Eastern Army wins here at the end of a turn",
            "0201 Kyuhoji road: the Eastern Army wins here at the end of a turn"} <= set(titles)  # fmt: skip
    assert sum("Eastern Army loses when its commander leaves here" in title for title in titles) == 2
    assert sum("Osaka Army loses when its commander leaves here" in title for title in titles) == 2
    assert not any("enters" in title for title in titles)


def test_in_domyoji_the_east_enters_by_its_two_roads() -> None:
    (picture,) = scenario_pictures(load_scenario("domyoji"))
    assert re.findall("<title>([^<]+ enters)</title>", picture.svg) == ["Eastern Army enters"] * 2


def test_a_brief_shows_where_units_are_set_up() -> None:
    (picture,) = scenario_pictures(load_scenario("toba-fushimi"))
    assert "<title>set-up area shogunate-west</title>" in picture.svg
    assert ">set-up area</text>" in picture.svg


# --- what stands on counters and over them ------------------------------------------------------------------------


@pytest.mark.parametrize("many", ["2", "11"])
@pytest.mark.parametrize("starred", [False, True])
def test_the_sign_beside_a_symbol_lies_between_it_and_the_edge(toba: Map, many: str, *, starred: bool) -> None:
    """`U11` lay under the symbol."""
    badges = (BadgeView("*", "a star", "star"),) if starred else ()
    view = unit(toba, "x", "1211", extra=(("units", many),), badges=badges)
    drawn = counter(view, Point(0, 0), colours_of("satcho", SIDES), "#ffffff")
    middle, size = map(float, re.findall(rf'<text x="([-\d.]+)"[^>]* font-size="([\d.]+)"[^>]*>U{many}<', drawn)[0])
    wide = width_of(f"U{many}", size, bold=True)
    corner = float(re.findall(r'<rect x="([-\d.]+)"[^>]* width="24"', drawn)[0])
    assert corner + 24 <= middle - wide / 2 + 0.3
    assert middle + wide / 2 <= COUNTER / 2 - 0.9
    assert corner >= (-17 + 5.2 - 0.3 if starred else -COUNTER / 2 + 0.9), "clear of the star, or of the edge"


@pytest.mark.parametrize(("stack", "told"), [(1, 1), (2, 2), (4, 2)])
def test_the_number_of_a_hex_that_counters_cover_stands_beside_them(toba: Map, stack: int, told: int) -> None:
    drawn = svg(toba, title="t", units=[unit(toba, f"x{n}", "1211") for n in range(stack)])
    assert len(re.findall(r"<text [^>]*>1211</text>", drawn)) == told + (told > 1), "the halo is drawn by itself"
    upright = [float(x) for x in re.findall(r'<text x="([-\d.]+)"[^>]*rotate\(-90[^>]*>1211</text>', drawn)]
    assert bool(upright) == (told > 1)
    left = min(box.left for box in cards_of(toba, stack))
    assert all(left - 12 < x < left for x in upright)


def cards_of(board: Map, stack: int) -> list[Box]:
    return [card(at) for _, at in placed([unit(board, f"x{n}", "1211") for n in range(stack)], Paper(board))]


@pytest.mark.parametrize(
    ("results", "sample", "words"),
    [(["1", "3"], "3", "how much is lost"), (["M1", "-"], "M1", "the result"), (["D"], "M1", "the result")],
)
def test_the_key_shows_a_result_that_is_of_the_kind_on_the_map(
    toba: Map, results: list[str], sample: str, words: str
) -> None:
    """Where results are numbers it showed `M1`, which there is none of."""
    views = [
        FightView((toba.parse("1210"),), toba.parse("1211"), "attack-result", result, n)
        for n, result in enumerate(results, 1)
    ]
    ((item, number),) = [marks_of([], views)]
    assert item.words == f"attack: who attacks, whom, {words}"
    assert f">{sample}</text>" in item.sample(Point(0, 0))
    assert number.words == "number of the fight in the report"


# --- shields, and numbers of hexes -------------------------------------------------------------------------------


def test_the_mark_of_a_fight_leaves_the_number_of_its_hex_to_be_read(toba: Map) -> None:
    """It lay over the number of the hex fought for, where the attacker came from above."""
    paper, target = Paper(toba), toba.parse("1211")
    for source in neighbours(target):
        scene = Scene(toba, SIDES, fights=(FightView((source,), target, "melee", "M1", 1),))
        for units in ((), (unit(toba, "sa-01", "1211"),)):
            there = list(placed(units, paper))
            clear = kept_clear(scene, paper, there)
            (mark,) = fight_marks(scene.fights, [card(at) for _, at in there], paper, clear)
            (number,) = number_boxes(toba, paper, there, [target])
            assert all(sign.overlap(number) < 12 for sign in mark.signs()), "a rim at most"


def test_a_hidden_number_is_kept_clear_where_it_stands(toba: Map) -> None:
    paper, h = Paper(toba), toba.parse("1211")
    stack = list(placed([unit(toba, f"sa-0{n}", "1211") for n in range(1, 5)], paper))
    (upright,) = number_boxes(toba, paper, stack, [h])
    (plain,) = number_boxes(toba, paper, [], [h])
    assert upright.height > upright.width
    assert plain.width > plain.height
    assert upright.right <= min(card(at).left for _, at in stack)


def test_a_shield_lies_over_all_counters_of_its_hex_and_the_key_tells_it(toba: Map) -> None:
    h = toba.parse("1211")
    shields = {h: ShieldView("7", "durability")}
    stack = [unit(toba, f"sa-0{n}", "1211") for n in range(1, 5)]
    drawn = svg(toba, title="", units=stack, shields=shields)
    title = f"<title>{toba.describe(h)}: durability 7</title>"
    assert drawn.count(title) == 1
    assert drawn.index(title) > max(drawn.index(f"<title>{one.id}: ") for one in stack)
    assert drawn.count(">durability</text>") == 1
    assert "durability" not in svg(toba, title="", units=stack)


def printed(units: list[tuple[CounterView, Point]]) -> list[Box]:
    """The lines of counters that are read: all ids, and the values of the topmost of each hex."""
    top = {one.at: at for one, at in units}
    return [printed_lines(card(at))[0] for _, at in units] + [printed_lines(card(at))[1] for at in top.values()]


@pytest.mark.parametrize("which", ["toba-fushimi", "shizugatake", "cedar-mountain", "yao"])
def test_shields_and_signs_hide_no_number_of_the_map_or_of_a_counter(which: str) -> None:
    """They lay in the corners of the hex: over the last value of a counter, and the number of the next hex."""
    found = load_scenario(which)
    rules = rules_of(found.system)
    board = next(iter(rules.maps(rules.board(found.data)).values()))
    h = max(board.hexes, key=lambda h: sum(n in board.hexes for n in neighbours(h)))
    near, paper = [h, *neighbours(h)], Paper(board)
    scene = Scene(board, (), (), shields={h: ShieldView("7", "durability")}, signs={h: SignView("/", "damaged")})
    for inside, beside in product(range(5), range(3)):
        many = {at: inside if at == h else beside for at in near}
        there = list(placed((unit(board, f"u-{n}", board.label(at)) for at in near for n in range(many[at])), paper))
        boxes = [*boxes_of(spots_of(scene, paper, there))]
        assert boxes[0].overlap(boxes[1]) < 10, "a rim at most"
        for box in boxes:
            middle = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
            assert math.dist(paper.centre(h), middle) <= RADIUS + 1, "it seems to lie on another hex"
            for other in (*number_boxes(board, paper, there, near), *printed(there)):
                assert box.overlap(other) < 24, (inside, beside)  # a rim at most
