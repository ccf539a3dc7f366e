"""Scenario files examined: every defect and doubt at once, each in its file and line."""

from __future__ import annotations

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
    (MAP, "terrain:\n  provenance:", "terrain:\n  provenanz:", "terrain: has no provenance", 0),
    (ARMY, "id: hs-03", "id: hs-02", "unit hs-02: stands there twice", -1),
    (ARMY, "short: Suwa 3, branch: foot", "short: Suwa 3, branch: pike", "unit su-03.branch: is 'pike'", 0),
    (ARMY, 'at: "2131"}', 'at: "2132"}\n      - {id: su-04, name: Su, branch: foot, strength: 3, morale: 3, move: 3}',
     "army unit su-04: has no hex", 1),
    (ARMY, "short: Suwa, branch: mounted, commander: yes, strength: 2", "short: Suwa, branch: mounted, strength: 2",
     "unit su-01.command: is 3", 0),
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
    ("name", "old", "new", "what", "beside"),
    [
        (ARMY, "\nprovenance:", "\nprovenence:", "armies.yao.provenence: is a key that nobody reads", 1),
        (ARMY, "\nprovenance:", "\nsource:", "army yao: has no provenance", None),
        (YAO, "\nheld:", "\nhold:", "scenario.hold: is a key that nobody reads", 1),
        (YAO, "\nprovenance:", "\nsource:", "scenario: has no provenance", None),
        ("yukimura/tables.yaml", "provenance: reconstructed\n  columns_combat", "columns_combat",
         "tables.firing_results_table: has no provenance", -1),
    ],
)  # fmt: skip
def test_a_doubt_is_told_of_what_can_be_played(
    folder: Path, name: str, old: str, new: str, what: str, beside: int | None
) -> None:
    line = change(folder / name, old, new)
    found = examine(folder / YAO)
    (one,) = [one for one in found if what in f"{one.place}: {one.what}"]
    assert (one.file, one.refused) == (name, False), told(found)
    assert beside is None or one.line == line + beside, told(found)
    assert not [one for one in found if one.refused], told(found)


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
        f"{YAO}:11 : `tables` names yukimura/tables-yao.yaml",
        f"{MAP}:69 map yao roads Yao road: gap between 0201 and 0203",
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
