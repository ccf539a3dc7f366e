"""Scenario files examined: every defect and doubt at once, each in its file and line."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from pbem import resources, strictyaml
from pbem.audit.lines import Lines
from pbem.audit.scenarios import Finding, examine
from pbem.errors import Storage
from pbem.resources import data_folder
from pbem.scenario import Scenario

SHIPPED = sorted(f for f in data_folder("scenarios").glob("*/*.yaml") if not f.name.startswith("tables"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The shipped scenarios, to be damaged."""
    return Path(shutil.copytree(data_folder("scenarios"), tmp_path / "mine"))


def change(file: Path, old: str, new: str) -> int:
    """Replace what stands in the file once; the line where it stood."""
    text = file.read_text("utf-8")
    assert text.count(old) == 1, (old, text.count(old))
    file.write_text(text.replace(old, new), "utf-8")
    return text[: text.index(old)].count("\n") + 1


def told(found: list[Finding]) -> list[str]:
    return [f"{one.file}:{one.line} {one.place}: {one.what}" for one in found]


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_a_shipped_scenario_is_good(file: Path) -> None:
    assert examine(file) == []


@pytest.mark.parametrize("name", ["duel", "mellay"])
def test_a_scenario_without_hexes_is_good(toy_system: Scenario, name: str) -> None:
    """The one has a map that isn't of hexes, the other none, and its tables by chapters."""
    assert examine(resources.data_folder("scenarios") / "toy" / f"{name}.yaml") == []


YAO = "yukimura/yao.yaml"
MAP = "yukimura/maps/yao.yaml"
ARMY = "yukimura/armies/yao.yaml"

DEFECTS = [
    (MAP, "0201 0202 0203 0204", "0201 0203 0204", "roads Yao road: gap between 0201 and 0203", -3),
    (MAP, "0120/0121 0121/0220 0220/0221", "0120/0121 0220/0221", "hexsides Tamakushi river: gap between", -3),
    (MAP, 'Kyuhoji: "0306"', 'Kyuhoji: "9906"', "places Kyuhoji: there is no hex '9906'", 0),
    (MAP, "    30  w w w", "    30  w x w", "terrain.rows line 1 hex 2: the letter 'x' isn't in the legend", 0),
    (MAP, "terrain:\n  provenance:", "terrain:\n  provenanz:", "terrain.provenanz: is no key that is known here", 1),
    (ARMY, "id: hs-03", "id: hs-02", "force hoshina.units 3 (hs-02): stands there twice", 0),
    (ARMY, "short: Suwa 3, branch: foot", "short: Suwa 3, branch: pike", "unit su-03.branch: is 'pike'", 0),
    (ARMY, 'at: "2131"}', 'at: "2132"}\n      - {id: su-04, name: Su, branch: foot, strength: 3, morale: 3, move: 3}',
     "army unit su-04: has no hex", 1),
    (ARMY, "short: Suwa, branch: mounted, commander: yes, strength: 2", "short: Suwa, branch: mounted, strength: 2",
     "unit su-01.command: is '3'", 0),
    (YAO, "options:\n  command-range:", "options:\n  comand-range:", "options.comand-range: isn't an option", 1),
    (YAO, "{force: suwa, until: never", "{force: suwe, until: never", "held 4", 0),
    (YAO, "turns: 12", "turns: 500", "scenario.turns: is '500'", 0),
    (YAO, "date: 6 May 1615 (old calendar)", "date: []", "`date` isn't a text", 0),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "what", "beside"), DEFECTS)
def test_a_defect_is_told_with_its_file_and_line(
    folder: Path, name: str, old: str, new: str, what: str, beside: int
) -> None:
    line = change(folder / name, old, new) + beside
    found = examine(folder / YAO)
    (one,) = [one for one in found if what in f"{one.place}: {one.what}"]
    assert (one.file, one.line, one.refused) == (name, line, True), told(found)
    assert one.right


def test_many_defects_are_told_at_once(folder: Path) -> None:
    for name, old, new, *_ in DEFECTS:
        change(folder / name, old, new)
    found = told(examine(folder / YAO))
    for name, _, _, what, _ in DEFECTS:
        assert [text for text in found if text.startswith(name) and what in text], (what, found)


@pytest.mark.parametrize(
    ("name", "block", "what", "beside"),
    [
        (ARMY, r"(?m)^provenance:.*\n(  .*\n)+", "army yao: has no provenance", None),
        (YAO, r"(?m)^provenance:.*\n(  .*\n)+", "scenario: has no provenance", None),
        ("yukimura/tables.yaml", "  provenance: reconstructed\n(?=  columns_combat)",
         "tables.firing_results_table: has no provenance", -1),
        ("sengoku/tables.yaml", "    provenance: .*\n(?=    columns_strength:\n)",
         "tables.entering.mori_begin_to_act: has no provenance", None),
    ],
)  # fmt: skip
def test_a_block_without_provenance_is_a_doubt_and_can_be_played(
    folder: Path, name: str, block: str, what: str, beside: int | None
) -> None:
    text = (folder / name).read_text("utf-8")
    gone = re.search(block, text)
    assert gone is not None
    (folder / name).write_text(text[: gone.start()] + text[gone.end() :], "utf-8")
    line = text[: gone.start()].count("\n") + 1
    found = examine(folder / (SHIZUGATAKE if name.startswith("sengoku/") else YAO))
    (one,) = [one for one in found if what in f"{one.place}: {one.what}"]
    assert (one.file, one.refused) == (name, False), told(found)
    assert beside is None or one.line == line + beside, told(found)
    assert not [one for one in found if one.refused], told(found)


TOBA = "bakumatsu/toba-fushimi.yaml"
SHIZUGATAKE = "sengoku/shizugatake.yaml"
TOBA_MAP = "bakumatsu/maps/toba-fushimi.yaml"
UNKNOWN = [
    (YAO, YAO, "\nlength:", "\nlenght:", "scenario.lenght", "length"),
    (YAO, YAO, "\nheld:", "\nhelt:", "scenario.helt", "held"),
    (YAO, YAO, "  mails: \"meas", "  mials: \"meas", "scenario.provenance.mials", "mails"),
    (YAO, YAO, "\n  standing:", "\n  standin:", "scenario.mails.standin", "standing"),
    (YAO, YAO, "    title: Movement", "    titel: Movement", "options.command-freezes-movement.titel", "title"),
    (YAO, YAO, "short: East}", "shrot: East}", "scenario.sides 1.shrot", "short"),
    (YAO, YAO, "  hoshina: Hosh", "  hoshima: Hosh", "scenario.formations.hoshima", "hoshina"),
    (YAO, YAO, '"14-2(5)4"}', '"14-2(5)4", claus: x}', "scenario.held 4.claus", "clause"),
    (YAO, YAO, "  superior-power:", "  superior-powr:", "scenario.victory.superior-powr", "superior-power"),
    (YAO, YAO, "\n  special:", "\n  speciall:", "`brief.speciall`", "special"),
    (YAO, YAO, "\n    osaka: >-", "\n    osakka: >-", "`brief.sides.osakka`", "osaka"),
    (YAO, ARMY, "\nprovenance:", "\nprovenence:", "army yao.provenence", "provenance"),
    (YAO, ARMY, "title: Suwa Tadatsune\n    men:", "title: Suwa Tadatsune\n    mne:", "army yao.forces 6.mne", "men"),
    (YAO, ARMY, "short: Suwa 3,", "shor: Suwa 3,", "unit su-03.shor", "short"),
    (YAO, MAP, "\nscale:", "\nscal:", "map yao scal", "scale"),
    (YAO, MAP, "\n  shifted:", "\n  shiftet: x\n  shifted:", "map yao numbering.shiftet", "shifted"),
    (YAO, MAP, "\n  legend:", "\n  lengend: {}\n  legend:", "map yao terrain.lengend", "legend"),
    (YAO, MAP, "[large_river] ", "{watr: pond} ", "map yao terrain.legend '~'.watr", "water"),
    (YAO, MAP, "name: Wakae ponds\n", "name: Wakae ponds\n      kinds: x\n", "map yao hexsides.chains 3.kinds", "kind"),
    (YAO, MAP, '\nplaces:', '\nplaces:\n  hexs: {}', "map yao places.hexs", "hexes"),
    (YAO, MAP, '    west: "0201 2801"', '    wets: "0201 2801"', "map yao entries.wets", "west"),
    (YAO, "yukimura/tables.yaml", "\nfiring_", "\nnote: x\nfiring_", "tables.note", ""),
    (YAO, "yukimura/tables.yaml", "  columns_strength", "  columns: []\n  columns_strength",
     "tables.hand_to_hand_results_table.columns", ""),
    (YAO, "yukimura/tables.yaml", "{terrain: marsh, ", "{terrain: marsh, shfit: 1, ",
     "tables.terrain_effects_chart 2.shfit", "shift"),
    (TOBA, TOBA, "    draw: cup", "    draws: cup\n    draw: cup", "scenario.sides 1.draws", "draw"),
    (TOBA, TOBA, "{id: sa-17, side: ", "{id: sa-17, rang: 3, side: ", "scenario unit sa-17.rang", "range"),
    (TOBA, TOBA, "code: tosa, areas", "code: tosa, aeras: x, areas", "scenario.setup 6.aeras", "areas"),
    (TOBA, TOBA, "  choshu: Choshu", "  chosu: Choshu", "scenario.formations.chosu", "choshu"),
    (TOBA, TOBA, "\nmap: toba-fushimi", "\nmap: toba-fushimi\nprefixes: {}", "scenario.prefixes", ""),
    (TOBA, "bakumatsu/tables.yaml", "terrain: flat, where", "terrain: flat, fire-form: x, where",
     "tables.terrain_effects_chart 1.fire-form", "fire-from"),
    (TOBA, TOBA_MAP, '    shogunate: "0106"', '    shogunat: "0106"', "map toba-fushimi entries.shogunat", "shogunate"),
]  # fmt: skip
"""Scenario, file, what stands in it, what is written instead, the place that is told, and the key that was meant."""


@pytest.mark.parametrize(("scenario", "name", "old", "new", "place", "meant"), UNKNOWN)
def test_a_key_that_nobody_reads_is_refused_with_the_nearest_and_all_that_are_known(
    folder: Path, scenario: str, name: str, old: str, new: str, place: str, meant: str
) -> None:
    key = re.sub(r"\W+$", "", place).split(" ")[-1].split(".")[-1]
    line = change(folder / name, old, new) + new[: new.index(key)].count("\n")
    found = examine(folder / scenario)
    (one,) = [one for one in found if "is no key that is known here" in one.what]
    assert place in (one.place.removeprefix("scenario."), one.place, one.what.split(" is no")[0])
    assert (one.file, one.line, one.refused) == (name, line, True)
    assert one.right.startswith(f"did you mean {meant}? known are " if meant else "known are ")
    assert not meant or meant in re.split("[ ,]+", one.right.partition("known are ")[2])


ONE_CAUSE = [
    (YAO, ARMY, "\nmap: yao", "\nmap: yoa", "army yao.map: 'yoa' isn't a map of the scenario; maps are yao"),
    (YAO, ARMY, "\nmap: yao", "", "army yao.map: is missing; write `map: NAME`, on which its units stand"),
    (YAO, MAP, "Yao road\n      kind: road", "Yao road\n      kind: rode",
     "map yao roads Yao road.kind: is 'rode'; did you mean road? known are road"),
    (YAO, MAP, "[large_river] ", "[lange_river] ",
     "map yao terrain.legend: 'lange_river' isn't a terrain; did you mean large_river? known are large_river, "
     "mountain, marsh, flat, mound, star"),
    (YAO, MAP, "    30  w", "    30 ", "map yao terrain.rows line 1: has 33 hexes; the rows have 34"),
    (YAO, MAP, "    30  w", "    30 w",
     "map yao terrain.rows line 1: its first letter stands at column 4; move it by +1"),
    (YAO, MAP, "    30  w", "    31  w", "map yao terrain.rows line 1: is labelled '31'; the row here is 30"),
    (YAO, MAP, 'Kanaoka: "1702"', 'Kanaoka: "1101"', "map yao places Kanaoka: hex 1101 has a name already; give each "
     "hex one name"),
    (YAO, YAO, "suwa, until: never", "suwa, until: 13", "scenario.held suwa.until: is '13'; write a whole number from "
     "1 to 12"),
    ("yukimura/domyoji.yaml", "yukimura/domyoji.yaml", "date, turn: 1", "date, turn: 13",
     "scenario.reinforcements date.turn: is '13'; write a whole number from 1 to 12"),
    ("yukimura/domyoji.yaml", "yukimura/domyoji.yaml", "  - {force: tadateru",
     "  - {force: date, turn: 2, edge: east}\n  - {force: tadateru",
     "scenario.reinforcements date: stands there twice; let each force come once"),
    (YAO, YAO, "maps: [yao] ", "maps: none ", "scenario.maps: is none; these rules need a map: write `maps: [NAME]`, "
     "and maps/NAME.yaml"),
    (YAO, YAO, "maps: [yao] ", "map: [yao] ", "`map` is [yao]; write `map: NAME` or `maps: [NAME, NAME]`; `maps: none` "
     "if it needs none"),
    (YAO, YAO, "{id: east, title", "{id: [east], title", "scenario.sides 1.id: is [east]; write `id: TEXT`"),
    (YAO, YAO, "  otherwise: draw", "#", "scenario.victory.otherwise: is missing; known are east, osaka, draw"),
    (YAO, ARMY, "id: su-01", "id: su_01", "unit su_01: 'su_01' can't stand in an order; write a small letter, "
     "then small letters, digits and -, 16 at most, as in go-01"),
    (YAO, ARMY, "id: su-01", "id: With", "unit With: 'With' is a word of orders; give it another id, as in go-01"),
    (YAO, ARMY, "command: 3, at: \"2232\"", "command: 4, at: \"2232\"",
     "unit su-01.command: is '4'; write 10, 5 or 3"),
    (YAO, YAO, "armies: [yao]", "#", "scenario.armies: is missing; write `armies: [NAME, ...]`"),
    (YAO, YAO, "tables: tables", "tables: [tables]",
     "scenario.tables: is [tables]; these rules have them in one file: write `tables: NAME`"),
    (YAO, YAO, "tables: tables", "tables: tables\nprefixes: {yao: Y}",
     "scenario.prefixes: a single map has none; leave them out"),
    (YAO, YAO, "short: East}", "short: {a: b}}", "scenario.sides 1.short: is {a: b}; write `short: TEXT`"),
    (YAO, YAO, "east: [ii-01", "eest: [ii-01",
     "scenario.victory.collapse.eest: is 'eest'; did you mean east? known are east, osaka"),
    ("yukimura/gotos-dream.yaml", "yukimura/gotos-dream.yaml", '  star: "2022"', '  star: ["2022"]',
     "scenario.victory.star: is [2022]; write `star: TEXT`"),
    (YAO, ARMY, 'move: 5, command: 3, at: "2232"', 'move: 5, command: 3, at: ["2232"]',
     "unit su-01.at: is [2232]; write the number of one hex"),
    (YAO, ARMY, "id: su-01, ", "", "force suwa.units 1.id: is missing; write `id: TEXT`"),
    (YAO, MAP, '".": [flat]', '".": flat', "map yao terrain.legend '.': is 'flat'; write [flat], {water: pond} or {}"),
    (YAO, MAP, "map: yao", "map: yoa", "map yao.map: is 'yoa'; the file's name asks for yao"),
    (TOBA, TOBA, "reinforcement-turns: [2, 3, 4, 5, 6, 7, 8]", "reinforcement-turns: [2, 33]",
     "scenario.sides 1.reinforcement-turns: is '33'; write a whole number from 1 to 8"),
    (TOBA, TOBA, "Kiheitai, symbol: infantry", "Kiheitai, symbol: inf",
     "scenario unit sa-15.symbol: is 'inf'; known are infantry, swordsmen, artillery"),
    (TOBA, TOBA_MAP, "kind: road\n      hexes: >-\n        0618", "kind: rode\n      hexes: >-\n        0618",
     "map toba-fushimi roads Takeda road.kind: is 'rode'; did you mean road? known are road"),
    (TOBA, TOBA, "    draw: cup\n", "", "scenario.sides 1.draw: is missing; write `draw: cup`, or "
     "`draw: choice` where the owner chooses who comes"),
    (YAO, ARMY, "id: su-03, name: Suwa foot, ", "id: su-03, ", "unit su-03.name: is missing; write `name: TEXT`"),
    (YAO, ARMY, "short: Suwa 3, branch: foot", 'short: Suwa 3, branch: ""', "unit su-03.branch: is missing; write "
     "`branch: TEXT`"),
    (YAO, ARMY, "  - id: suwa\n    side: east", "  - side: east", "army yao.forces 6.id: is missing; write `id: TEXT`"),
    (YAO, ARMY, "  - id: suwa\n    side: east", "  - id: suwa",
     "army yao.forces 6.side: is missing; write `side: TEXT`"),
    (YAO, ARMY, "  - id: suwa\n", "  - id: hoshina\n",
     "army yao.forces 6: the force 'hoshina' stands there twice; give each force its own id"),
    (YAO, ARMY, "short: Suwa, branch: mounted, commander", "short: Suwa, branch: mounted, comander",
     "unit su-01.comander: is no key that is known here; did you mean commander? known are id, name, short, branch, "
     "commander, strength, morale, move, command, at"),
    (YAO, ARMY, 'morale: 3, move: 5, command: 3, at: "2232"', 'morale: "**", move: 5, command: 3, at: "2232"',
     "unit su-01.morale: is '**'; write a whole number from 1 to 9, or \"*\""),
    (YAO, YAO, "suwa, until: never", "suwa, until: nevr", "scenario.held suwa.until: is 'nevr'; write a whole number "
     "from 1 to 12, or never"),
    (YAO, YAO, "system: yukimura", "system: yukimra", "`system` is 'yukimra'; the file's place asks for yukimura"),
    (YAO, YAO, "id: osaka, title", "id: osaca, title",
     "scenario.sides 2.id: is 'osaca'; did you mean osaka? known are east, osaka"),
    (YAO, YAO, "\nturns:", "\nturn:", "scenario.turn: is no key that is known here; did you mean turns? known are "
     "scenario, system, edition, title, date, first-day, length, tables, turns, mails, options, sides, formations, "
     "brief, provenance, map, maps, prefixes, armies, held, reinforcements, victory"),
    (YAO, YAO, "\ntitle: ", "\ntitel: ", "scenario.titel: is no key that is known here; did you mean title? known are "
     "scenario, system, edition, title, date, first-day, length, tables, turns, mails, options, sides, formations, "
     "brief, provenance, map, maps, prefixes, armies, held, reinforcements, victory"),
    (YAO, MAP, '".": [flat]', '".": []', "map yao terrain.legend '.': is empty; write [flat], {water: pond} or {}"),
    (YAO, MAP, '".": [flat]', '",": [flat]', "map yao terrain.rows line 1 hex 12: the letter '.' isn't in the legend; "
     "letters are , w ~"),
    (TOBA, TOBA, "\nmap: toba", "\nmaps: toba", "scenario.maps: is no key that is known here; did you mean map? known "
     "are scenario, system, edition, title, date, first-day, length, tables, turns, mails, options, sides, formations, "
     "brief, provenance, map, setup, control, units, commanders"),
    (TOBA, TOBA, "reinforcement-turns: [2, 3, 4, 5, 6, 7, 8]", "reinforcement-turns: [3, 2, 2]",
     "scenario.sides 1.reinforcement-turns: is [3, 2, 2]; name each turn once"),
]  # fmt: skip


@pytest.mark.parametrize(("scenario", "name", "old", "new", "says"), ONE_CAUSE)
def test_one_cause_is_one_defect(folder: Path, scenario: str, name: str, old: str, new: str, says: str) -> None:
    """In the words of who writes scenarios, in its own file."""
    change(folder / name, old, new)
    (one,) = examine(folder / scenario)
    place = f"{one.place}: " if one.place else ""
    assert (one.file, f"{place}{one.what}; {one.right}", one.refused) == (name, says, True)


def test_a_scenario_of_another_system_has_the_same_id(folder: Path) -> None:
    shutil.copy(folder / YAO, folder / "bakumatsu" / "yao.yaml")
    found = told(examine(folder / YAO))
    assert found == ["yukimura/yao.yaml:0 : bakumatsu has a scenario 'yao' too"]
    (folder / "bakumatsu" / "yao.yaml").rename(folder / "bakumatsu" / "yao-2.yaml")
    assert examine(folder / YAO) == []


def test_a_scenario_elsewhere_has_the_id_of_one_that_comes_with_the_program(folder: Path) -> None:
    (folder / "bakumatsu" / "toba-fushimi.yaml").rename(folder / "bakumatsu" / "yao.yaml")
    (folder / YAO).unlink()
    assert "bakumatsu/yao.yaml:0 : yukimura has a scenario 'yao' too" in told(examine(folder / "bakumatsu/yao.yaml"))


def test_ground_cut_off_is_a_doubt(folder: Path) -> None:
    sides = "0124/0125 0124/0224 0124/0223 0123/0124"
    change(
        folder / MAP,
        "    - name: Wakae ponds",
        f"    - {{name: Moat, kind: impassable, sides: {sides}}}\n    - name: Wakae ponds",
    )
    found = examine(folder / YAO)
    assert [(one.place, one.what, one.refused) for one in found] == [
        ("map yao terrain.rows", "no way leads to 0124", False)
    ], told(found)


def test_files_that_cant_be_read_hide_no_map(folder: Path) -> None:
    change(folder / MAP, "0201 0202 0203 0204", "0201 0203 0204")
    change(folder / ARMY, "army: yao", "army: *yao")
    change(folder / YAO, "tables: tables", "tables: tables-yao")
    found = told(examine(folder / YAO))
    assert [text.split(",")[0] for text in found] == [
        f"{ARMY}:9 : the alias *yao isn't allowed",
        f"{MAP}:70 map yao roads Yao road: gap between 0201 and 0203",
        f"{YAO}:11 : `tables` names yukimura/tables-yao.yaml",
    ]


def test_what_is_no_scenario(folder: Path, tmp_path: Path) -> None:
    (folder / "yukimura" / "list.yaml").write_text("- a\n- b\n", "utf-8")
    assert told(examine(folder / "yukimura" / "list.yaml")) == ["yukimura/list.yaml:0 : the file isn't a mapping"]
    shutil.copytree(folder / "yukimura", folder / "chess")
    for text in ("system: yukimura", "edition: yukimura/2"):
        change(folder / "chess" / "yao.yaml", text, text.replace("yukimura", "chess"))
    assert "no rule system is called 'chess'" in "".join(told(examine(folder / "chess" / "yao.yaml")))
    with pytest.raises(Storage, match="can't be read"):
        examine(tmp_path / "nowhere.yaml")


# lines of places

TEXT = """\
first: 1
block:
  provenance: x
  chains:
    - name: Long road
      hexes: a
    - {name: Long, hexes: b}
sides:
  - {id: red, title: Red}
  - id: blue
    title: Blue
rows: |
  # remark

  03 a
  02 b
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("first", 1),
        (".block.provenance", 3),
        ("block Long road", 5),
        ("block Long.hexes", 7),
        ("sides 2.title", 11),
        ("unit blue.title", 11),
        ("unit red", 9),
        ("rows line 1 hex 2", 15),
        ("rows line 2", 16),
        ("rows line 3", 12),
        ("nowhere at all", 0),
        ("sides 9", 8),
        ("", 0),
    ],
)
def test_the_line_of_a_place(place: str, line: int) -> None:
    strictyaml.load(TEXT, "x")
    assert Lines(TEXT).find(place) == line


def test_a_missing_key_is_looked_for_in_its_own_mapping_only() -> None:
    """Not in what stands below: each of the units has an id of its own, the nameless force has none."""
    lines = Lines("forces:\n  - side: red\n    units:\n      - {id: a, name: A}\n  - id: blue\n")
    assert [lines.find(place) for place in (".forces 1.id", ".forces 1.units 1.id", "forces a", ".forces 2.id")] == [
        2,
        4,
        4,
        5,
    ]
    assert lines.named("a")
    assert not lines.named("b")


def test_a_list_and_a_text_of_words_are_the_same_everywhere(folder: Path) -> None:
    change(folder / YAO, "armies: [yao]", "armies: yao")
    change(folder / YAO, "maps: [yao] ", "maps: yao ")
    change(folder / MAP, '    west: "0201 2801"', '    west: ["0201", "2801"]')
    assert examine(folder / YAO) == []
    change(folder / MAP, '["0201", "2801"]', '["0201", "9901"]')
    assert [one.what for one in examine(folder / YAO)] == ["there is no hex '9901'"]


@pytest.mark.parametrize(
    ("name", "old", "new", "what"),
    [
        (ARMY, "short: Suwa 3,", "short: Suwa 2,", "unit su-03: has the short name 'Suwa 2' of su-02"),
        (MAP, '    west: "0201 2801"', '    west: "0301 2801"', "map yao entries west: no road leads to hex 0301"),
        (
            MAP,
            '    west: "0201 2801"',
            '    west: "0201 3033"',
            "map yao entries west: hex 3033 isn't at the west edge",
        ),
    ],
)
def test_what_can_be_played_but_is_hardly_meant(folder: Path, name: str, old: str, new: str, what: str) -> None:
    line = change(folder / name, old, new)
    (one,) = examine(folder / YAO)
    assert (one.file, one.line, f"{one.place}: {one.what}", one.refused) == (name, line, what, False)


def test_a_brief_without_victory_is_a_doubt(folder: Path) -> None:
    text = (folder / YAO).read_text("utf-8")
    gone = re.sub(r"(?m)^  victory: .*\n(    .*\n)*(?=  \w)", "", text[text.index("\nbrief:") :], count=1)
    (folder / YAO).write_text(text[: text.index("\nbrief:")] + gone, "utf-8")
    (one,) = examine(folder / YAO)
    assert (one.place, one.what, one.refused) == ("scenario.brief", "has no `victory`", False)


def test_a_row_left_out_is_one_defect(folder: Path) -> None:
    text = (folder / MAP).read_text("utf-8")
    rows = re.findall(r"(?m)^    [0-9]{2} .*\n", text)
    (folder / MAP).write_text(text.replace(rows[4], ""), "utf-8")
    (one,) = examine(folder / YAO)
    assert (one.line, one.what) == (text[: text.index(rows[4])].count("\n") + 1, "row 26 is missing in front of it")


def test_a_formation_must_have_its_title_where_others_do(folder: Path) -> None:
    text = (folder / TOBA).read_text("utf-8")
    formation = re.findall(r"\{id: sa-17, .*formation: (\w+)", text)[0]
    line = re.findall(r".*\{id: sa-17, .*\n", text)[0]
    (folder / TOBA).write_text(text.replace(line, line.replace(f"formation: {formation}", "formation: zzz")), "utf-8")
    (one,) = examine(folder / TOBA)
    assert (one.place, one.what, one.refused) == ("scenario unit sa-17.formation", "is 'zzz'", True)
    assert one.line == text[: text.index(line)].count("\n") + 1


def test_a_side_of_the_map_misspelt_is_one_defect(folder: Path) -> None:
    text = (folder / TOBA_MAP).read_text("utf-8")
    at = text.index("\nvictory:")
    (folder / TOBA_MAP).write_text(text[:at] + text[at:].replace("    satcho:", "    satsho:", 1), "utf-8")
    (one,) = examine(folder / TOBA)
    assert one.place == "map toba-fushimi victory.satsho"
