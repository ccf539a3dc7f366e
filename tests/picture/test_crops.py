"""Parts of maps where something happened: small enough to be read on a phone, each named, never too many."""

from __future__ import annotations

import math
import re
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from PIL import Image

from pbem.maps.hexes import Hex, neighbours
from pbem.maps.map import Map
from pbem.picture.counters import CounterView, card, colours_of, counter, placed
from pbem.picture.crops import HEIGHT, SHARP, WIDTH, Crop, Part, cropped, crops_of, numbered
from pbem.picture.fights import fight_marks
from pbem.picture.labels import around
from pbem.picture.legend import Item, laid_out
from pbem.picture.paper import MARGIN, NUMBER_SIZE, Box, Paper, Point, width_of
from pbem.picture.png import png
from pbem.picture.scene import CROPS, Picture, crops, draw
from pbem.picture.svg import cut, layers, names_on
from pbem.picture.views import FightView, MoveView, Scene

MAPS = Path(__file__).parents[2] / "scenarios" / "bakumatsu" / "maps"
SIDES = ("shogunate", "satcho")
PHONE = 374  # pixels that a picture has on a phone of 390


@pytest.fixture(scope="module")
def toba() -> Map:
    return Map.from_data(yaml.safe_load((MAPS / "toba-fushimi.yaml").read_text(encoding="utf-8")))


def fight(board: Map, at: str, number: int = 1, old: bool = False) -> FightView:
    """A melee with whoever is north-east of a hex."""
    target = board.parse(at)
    source = next(n for n in neighbours(target) if n in board)
    return FightView((source,), target, "melee", "M1", number, old, f"Saga attacked Kuwana at {at}")


def move(board: Map, *path: str) -> MoveView:
    return MoveView(tuple(map(board.parse, path)), "satcho", title=f"Saga went to {path[-1]}")


def parts(board: Map, *marks: FightView | MoveView) -> list[Any]:
    fights = tuple(mark for mark in marks if isinstance(mark, FightView))
    moves = tuple(mark for mark in marks if isinstance(mark, MoveView))
    return crops_of(Scene(board, ("shogunate", "satcho"), fights=fights, moves=moves))


def test_numbers_are_read_on_a_phone() -> None:
    shrunk = PHONE / WIDTH
    assert NUMBER_SIZE * shrunk >= 9
    view = CounterView("sg-01", "Denshutai", "a", "f", Hex(0), "infantry", ("5", "3", "3", "4"))
    drawn = counter(view, Point(0, 0), colours_of("a", ("a",)), "#ffffff")
    (size,) = re.findall(r'font-size="([0-9.]+)"[^>]*>5-3-3-4<', drawn)
    assert float(size) * shrunk >= 10


def test_where_nothing_happened_there_is_no_picture(toba: Map) -> None:
    assert parts(toba) == []
    assert parts(toba, move(toba, "0106")) == []


def test_fights_near_each_other_lie_in_one_part_others_apart(toba: Map) -> None:
    near = parts(toba, fight(toba, "1209"), fight(toba, "1210", 2))
    assert [crop.title for crop in near] == [
        "fights 1 and 2: Saga attacked Kuwana at 1209; Saga attacked Kuwana at 1210"
    ]
    same = parts(toba, fight(toba, "1209"), fight(toba, "1209", 2))
    assert [crop.title for crop in same] == ["fights 1 and 2: Saga attacked Kuwana at 1209"], "told once"
    apart = parts(toba, fight(toba, "1209"), fight(toba, "1220", 2))
    assert [crop.title for crop in apart] == [
        "fight 1: Saga attacked Kuwana at 1209", "fight 2: Saga attacked Kuwana at 1220",
    ]  # fmt: skip


def test_a_part_shows_all_of_its_fights_and_is_no_larger_than_a_phone(toba: Map) -> None:
    paper = Paper(toba)
    marks = [fight(toba, toba.label(h), i) for i, h in enumerate(toba.hexes[::7], 1)]
    found = parts(toba, *marks)
    shown = {number for crop in found for number in re.findall(r"\d+", crop.title.partition(":")[0])}
    assert {mark.number for crop in found for mark in crop.scene.fights} == set(range(1, len(marks) + 1))
    assert shown
    for crop in found:
        assert crop.window.width <= WIDTH
        assert crop.window.height <= HEIGHT
        assert crop.window.left >= 0
        assert crop.window.right <= paper.width
        assert crop.window.top >= paper.top - MARGIN
        assert crop.window.bottom <= paper.bottom + MARGIN


def test_what_a_part_is_about_lies_wholly_in_it(toba: Map) -> None:
    paper, target = Paper(toba), toba.parse("1209")
    inside = [h for h in toba.hexes if all(n in toba for n in neighbours(h))]
    near = sorted(inside, key=lambda h: math.dist(paper.centre(h), paper.centre(target)))[:60]
    moves = [move(toba, toba.label(neighbours(h)[2]), toba.label(h)) for h in near[::3]]
    stacked = enumerate([*near, target] * 2)
    units = tuple(CounterView(f"sg-{i}", "Saga", "satcho", "f", h, "foot", ("5",)) for i, h in stacked)
    scene = Scene(toba, ("satcho",), units=units, fights=(fight(toba, "1209"),), moves=tuple(moves))
    found = crops_of(scene)
    assert 1 < len(found) < len(moves)
    cards = [(unit.at, card(at)) for unit, at in placed(units, paper)]
    (mark,) = fight_marks(scene.fights, [box for _, box in cards], paper)
    fought = [paper.room(mark.fight.sources[0]), paper.room(target), *mark.signs()]
    ended = [[paper.room(h), *(box for at, box in cards if at == h)] for h in near[::3]]
    for boxes in (fought, *ended):
        assert any(all(crop.window.union(box) == crop.window for box in boxes) for crop in found)


def cut_names(board: Map, at: str, *, known: bool) -> int:
    """How many names the edges of the part with a fight cut, if the names are `known` to it or not."""
    scene = Scene(board, SIDES, fights=(fight(board, at),))
    names = [name.box for name in names_on(scene)]
    (crop,) = crops_of(scene, names if known else ())
    window, needed = crop.window, crops_of(scene)[0].window
    assert window.width <= WIDTH
    assert window.height <= HEIGHT
    assert all(low >= 0 for low in window[:2])
    centre = Paper(board).centre(board.parse(at))
    assert window.left < centre.x < window.right, needed
    assert window.top < centre.y < window.bottom
    seen = [
        box for box in names
        if box.right > window.left and box.left < window.right and box.bottom > window.top and box.top < window.bottom
    ]  # fmt: skip
    return sum(box.left < window.left or box.right > window.right or box.top < window.top or box.bottom > window.bottom
               for box in seen)  # fmt: skip


def test_the_edges_of_a_part_leave_names_whole_where_there_is_room(toba: Map) -> None:
    places = [f"{row:02}{column:02}" for row in range(6, 22, 3) for column in range(9, 25, 3)]
    blind = sum(cut_names(toba, at, known=False) for at in places)
    assert blind > 20
    assert sum(cut_names(toba, at, known=True) for at in places) <= blind // 5


def test_many_fights_are_named_by_their_numbers_and_the_next_place(toba: Map) -> None:
    numbers = (1, 2, 3, 7)
    marks = [fight(toba, at, n) for at, n in zip(("1209", "1210", "1109", "1110"), numbers, strict=True)]
    (crop,) = parts(toba, *marks)
    assert crop.title == "fights 1 to 3 and 7, near Shimotoba"


def test_a_move_is_shown_by_its_end_and_with_a_fight_beside_it(toba: Map) -> None:
    long = move(toba, *(f"{row:02}09" for row in range(4, 13)))
    assert all(b in neighbours(a) for a, b in pairwise(long.path))
    (alone,) = parts(toba, long)
    assert alone.title == "Saga went to 1209"
    (beside,) = parts(toba, fight(toba, "1210"), long)
    assert beside.title == "fight 1: Saga attacked Kuwana at 1210"
    several = [move(toba, "1108", f"12{n:02}") for n in (7, 8, 9)]
    (crop,) = parts(toba, *several)
    assert crop.title == "3 moves, near Shimotoba"


def data(board: Map, *steps: dict[str, Any]) -> dict[str, Any]:
    sides = [{"id": side, "title": side.capitalize()} for side in ("shogunate", "satcho")]
    situation = {
        "turn": 3,
        "turns": 8,
        "where": [],
        "sides": sides,
        "units": [],
        "places": [],
        "progress": [],
        "ground": "hex",
    }
    return {"scenario": {"title": "Toba"}, "situation": situation, "steps": list(steps)}


def melee(board: Map, h: Hex, seq: int = 4) -> dict[str, Any]:
    source = next(n for n in neighbours(h) if n in board)
    facts = {"unit": "x", "from": board.label(source), "at": board.label(h), "result": "M1"}
    return {"seq": seq, "kind": "tell", "what": "melee", "facts": facts}


def walk(board: Map, h: Hex, seq: int = 4) -> dict[str, Any]:
    source = next(n for n in neighbours(h) if n in board)
    facts = {"unit": "x", "from": board.label(source), "path": [board.label(h)]}
    return {"seq": seq, "kind": "tell", "what": "move", "facts": facts}


def names(pictures: list[Picture]) -> list[str]:
    return [picture.name for picture in pictures]


def test_there_are_never_more_than_six_and_fights_go_before_moves(toba: Map) -> None:
    far = toba.hexes[::60]
    moves = [walk(toba, h) for h in far]
    many = crops({"toba": toba}, data(toba, *moves))
    assert names(many) == [*(f"toba-{i}" for i in range(1, CROPS + 1)), "key"]
    with_fight = crops({"toba": toba}, data(toba, *moves[1:], melee(toba, far[0])))
    assert len(with_fight) == CROPS + 1
    assert with_fight[0].title.startswith("fight 1: melee in hex ")


def test_of_too_many_the_newest_stay(toba: Map) -> None:
    far = toba.hexes[::60]
    steps = [melee(toba, h, seq=3) for h in far[:-1]] + [melee(toba, far[-1], seq=4)]
    titles = [picture.title for picture in crops({"toba": toba}, data(toba, *steps))]
    assert any(f"fight {len(far)}:" in title for title in titles)


def test_a_part_made_for_a_fight_goes_before_one_in_which_another_fight_is_seen(toba: Map) -> None:
    fight = FightView(sources=(toba.parse("1210"),), target=toba.parse("1209"), kind="melee", result="M1", number=1)
    seen = Crop("moves", Box(0, 0, 1, 1), Scene(toba, fights=(fight,)), ())
    assert seen._replace(scene=Scene(toba), fights=(2,)).rank > seen.rank


def test_a_part_names_every_fight_that_it_shows_whole(toba: Map) -> None:
    """Also one that lies in another part, beside moves too; none that is cut, but for room around it."""
    one, two, three = (fight(toba, "1209", number) for number in (1, 2, 3))
    moves = (move(toba, "1210", "1209"),)
    far, corner = Box(350, 0, 750, 40), Box(0, 0, 100, 100)
    for end, least, shown in ((401, None, ()), (400, None, (2,)), (401, 401, ()), (401, 400, (2,))):
        near, whole = Box(300, 0, end, 40), Box(310, 10, least, 30) if least else None
        found = [Part((one,), (), far), Part((two,), (), near, whole), Part((three,), (), corner)]
        first, other = cropped(found, Box(0, 0, 2000, 2000), (), lambda _: "", lambda _: Scene(toba))
        assert (first.fights, first.also) == ((1, 2), ())
        assert (other.fights, other.also) == ((3,), shown)
        assert other.title.startswith("fights 2 and 3: " if shown else "fight 3: ")
        found[2] = Part((), moves, corner)
        other = cropped(found, Box(0, 0, 2000, 2000), (), lambda _: "", lambda _: Scene(toba))[1]
        assert other.title == ("Saga went to 1209; and fight 2" if shown else "Saga went to 1209")


def test_the_words_of_a_key_end_before_the_edge_of_its_paper() -> None:
    for long in range(1, 30):
        drawn, _ = laid_out([Item(lambda _: "", 40, "m" * long)] * 9, 0, 480)
        begin = [float(x) for x in re.findall(r'<text x="([\d.]+)"[^>]*>m+</text>', "".join(drawn))]
        assert len(begin) == 9
        assert max(begin) + width_of("m" * long, 15) <= 480 - 14


def test_each_picture_tells_which_fights_are_on_it(toba: Map) -> None:
    """So that a page can say which are on the whole map alone."""
    far = toba.hexes[::60]
    shown = data(toba, *(melee(toba, h) for h in far))
    (whole,) = draw({"toba": toba}, shown)
    *parts, key = crops({"toba": toba}, shown)
    assert whole.fights == tuple(range(1, len(far) + 1))
    assert 0 < len({number for part in parts for number in part.fights}) < len(far)
    assert all(part.title.startswith(numbered(part.fights)) for part in parts)
    assert key.fights == ()


def test_every_part_has_its_title_and_the_key_tells_only_what_the_parts_show(toba: Map) -> None:
    first, key = crops({"toba": toba}, data(toba, melee(toba, toba.parse("1209"))))
    assert f">{first.title}</text>" in first.svg
    bare, *_ = crops({"toba": toba}, data(toba, melee(toba, toba.parse("1209"))), headed=False)
    assert f">{first.title}</text>" not in bare.svg, "where it is shown its title stands beside it"
    assert f"<title>{first.title}</title>" in bare.svg, "read aloud it has it still"
    assert "1209" in first.title
    assert key.title == "What the signs mean"
    for shown in (
        "flat",
        "wetland",
        "road",
        "attack: who attacks, whom, the result",
        "number of the fight in the report",
    ):
        assert f">{shown}</text>" in key.svg
    for hidden in ("mountain", "city + flat", "fire: ", "bridge", "paler", "way of a unit"):
        assert f">{hidden}" not in key.svg
    assert (first.map, key.map) == ("toba", "toba")


def test_a_small_map_is_shown_whole() -> None:
    where = {"provenance": "reconstructed"}
    small = Map.from_data({
        "map": "small", "title": "Small", "layout": "pointy",
        "numbering": {**where, "first": "row", "rows": "from south", "shifted": "even"},
        "terrain": {**where, "legend": {".": ["flat"]}, "rows": "03 . . . .\n02  . . . .\n01 . . . .\n"},
        **dict.fromkeys(("roads", "hexsides", "places", "areas", "victory", "entries"), where),
    })  # fmt: skip
    picture, _ = crops({"small": small}, data(small, melee(small, small.parse("0202"))))
    assert all(f">{small.label(h)}</text>" in picture.svg for h in small.hexes)
    (whole,) = parts(small, fight(small, "0202"))
    assert whole.window.width == Paper(small).width


def test_as_png_it_is_sharp_and_small(toba: Map) -> None:
    first, _ = crops({"toba": toba}, data(toba, melee(toba, toba.parse("1209"))))
    file = png(first.svg, first.zoom)
    assert len(file) < 75_000
    assert Image.open(BytesIO(file)).width <= WIDTH * SHARP + 1


def test_as_png_the_arrow_of_an_older_move_keeps_the_colour_of_its_side(toba: Map) -> None:
    h = toba.parse
    units = tuple(
        CounterView(f"sg-{i}", "Saga", SIDES[i % 2], f"f{i}", at, "foot", ("5", "3"))
        for i, at in enumerate(neighbours(h("1208")))
    )
    old = MoveView((h("1210"), h("1211")), "satcho", old=True)
    scene = Scene(toba, SIDES, tuple(f"f{i}" for i in range(6)), units, moves=(old,), fights=(fight(toba, "1208"),))
    (crop,) = crops_of(scene)
    drawn = Image.open(BytesIO(png(cut(layers(scene), crop.window, crop.title), SHARP))).convert("RGB")
    card, flat = (bytes.fromhex(colour[1:]) for colour in (colours_of("satcho", SIDES).card, "#f3f1da"))
    pale = [0.45 * a + 0.55 * b for a, b in zip(card, flat, strict=True)]
    assert min(math.dist(pale, colour) for _, colour in drawn.getcolors() or ()) < 4


def test_a_window_shows_what_the_map_on_its_page_holds(toba: Map) -> None:
    given = data(toba, melee(toba, toba.parse("1209")))
    (whole,) = draw({"toba": toba}, given)
    (window, key), (part, same) = crops({"toba": toba}, given, windows=True), crops({"toba": toba}, given)
    assert f'id="map-{toba.name}"' in whole.svg
    assert f'<use href="#map-{toba.name}"/>' in window.svg
    assert f'<use href="#map-{toba.name}-over"/>' in window.svg
    over = whole.svg.index(f'id="map-{toba.name}-over"')
    named = [found.start() for found in re.finditer(NAME, whole.svg)]
    assert len(named) > 10
    assert max(named) < over < whole.svg.index(">M1</text>"), "names lie under marks"
    assert len(window.svg) < 6_000 < len(part.svg)
    assert window.svg.partition(">")[0] == part.svg.partition(">")[0], "the same part of the map"
    assert key == same


def test_a_name_that_an_edge_cuts_is_shown_whole_or_not_at_all(toba: Map) -> None:
    """On a page the part showed what the map under it had there."""
    for number in ("1209", "0612", "1505", "0906", "1220"):
        given = data(toba, melee(toba, toba.parse(number)))
        for windows in (False, True):
            *found, _ = crops({"toba": toba}, given, windows=windows)
            for part in found:
                left, top, wide, high = map(float, part.svg.partition('viewBox="')[2].partition('"')[0].split())
                for x, y, size, words in re.findall(NAME, part.svg):
                    box = around(Point(float(x), float(y)), words, float(size))
                    assert left <= box.left < box.right <= left + wide, words
                    assert top <= box.top < box.bottom <= top + high, words


NAME = r'<text x="([-0-9.]+)" y="([-0-9.]+)" font-size="(1[0-9.]+)"[^>]*aria-hidden[^>]*>([A-Z][a-z][^<]*)</text>'


def test_a_part_holds_every_text_that_is_seen_in_it_and_none_that_is_far_away(toba: Map) -> None:
    given = data(toba, melee(toba, toba.parse("1209")))
    (whole,), (part, _) = draw({"toba": toba}, given), crops({"toba": toba}, given)
    left, top, wide, high = map(float, part.svg.partition('viewBox="')[2].partition('"')[0].split())
    count = {True: 0, False: 0}
    for at in re.finditer(r'<text x="([-0-9.]+)" y="([-0-9.]+)"[^>]*>[0-9]{4}</text>', whole.svg):
        x, y = float(at[1]), float(at[2])
        seen = left - 60 < x < left + wide + 60 and top - 60 < y < top + high + 60
        far = not (left - 220 < x < left + wide + 220 and top - 220 < y < top + high + 220)
        if seen or far:
            assert (at[0] in part.svg) == seen
            count[seen] += 1
    assert count[True] > 20
    assert count[False] > 200
