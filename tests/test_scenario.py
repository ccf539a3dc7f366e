"""Scenario files: the strict reader, finding and pinning scenarios, the cache and the list."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from yardstick import within

from pbem import resources, strictyaml
from pbem.errors import BadScenario, Storage
from pbem.home.cache import Cache
from pbem.maps.check import doubts
from pbem.resources import data_folder
from pbem.rules import rules_of
from pbem.scenario import list_scenarios, load_scenario, read_scenario, reading
from pbem.scenario.days import read_day


def refusal(text: str | bytes) -> BadScenario:
    with pytest.raises(BadScenario) as caught:
        strictyaml.load(text, "map.yaml")
    assert caught.value.where.startswith("map.yaml")
    return caught.value


# --- the strict reader


def test_every_scalar_is_a_string() -> None:
    text = "a: 1\nb: 0622\nc: yes\nd: 1.5\ne: null\nf: ~\ng: 2020-01-01\nh:\ni: 'x'\nj: [1, -0x1F, .inf]\nk: 12:30"
    assert strictyaml.load(text, "x") == {
        "a": "1",
        "b": "0622",
        "c": "yes",
        "d": "1.5",
        "e": "null",
        "f": "~",
        "g": "2020-01-01",
        "h": "",
        "i": "x",
        "j": ["1", "-0x1F", ".inf"],
        "k": "12:30",
    }


def test_shapes_and_order_are_kept() -> None:
    text = "z: {b: [c, {d: e}], a: []}\ny:\n- f\n- - g\n  - {}\nx: |\n  1 2\n   3\n"
    data = strictyaml.load(text, "x")
    assert data == {"z": {"b": ["c", {"d": "e"}], "a": []}, "y": ["f", ["g", {}]], "x": "1 2\n 3\n"}
    assert isinstance(data, dict)
    assert list(data) == ["z", "y", "x"]
    assert strictyaml.load("- a\n- b", "x") == ["a", "b"]
    assert strictyaml.load("--- word\n...\n", "x") == "word"


FORBIDDEN = [
    ("a: 1\na: 2", "'a' stands twice", 2, "a: 1\nb: 2", {"a": "1", "b": "2"}),
    ("x:\n  {a: 1, b: 2, 'a': 3}", "'a' stands twice", 2, "x: {a: {a: 1}}", {"x": {"a": {"a": "1"}}}),
    ("1: x\n'1': y", "'1' stands twice", 2, "1: x\n'01': y", {"1": "x", "01": "y"}),
    ("a: &b c", "anchor &b", 1, "a: '&b c'", {"a": "&b c"}),
    ("a: x\nb: &b {c: d}", "anchor &b", 2, "a: x\nb: {c: d}", {"a": "x", "b": {"c": "d"}}),
    ("a: *b", "alias *b", 1, "a: '*b'", {"a": "*b"}),
    ("a: !!int 1", "tag", 1, "a: '!!int 1'", {"a": "!!int 1"}),
    ("a: b\nc: !!python/object:os.system []", "tag", 2, "a: b\nc: []", {"a": "b", "c": []}),
    ("a: ! b", "tag !", 1, "a: b!", {"a": "b!"}),
    ("%YAML 1.1\n---\na: b", "directives", 1, "---\na: b", {"a": "b"}),
    ("%TAG ! tag:x,2000:\n---\na: b", "directives", 1, "# %TAG\n---\na: b", {"a": "b"}),
    ("a: b\n---\nc: d", "second document", 2, "a: b\nc: d", {"a": "b", "c": "d"}),
    ("<<: {a: b}", "merge key", 1, "'<': {a: b}", {"<": {"a": "b"}}),
    ("? [a]\n: b", "a key is", 1, "? a\n: b", {"a": "b"}),
    ("x: {{a: b}: c}", "a key is", 1, "x: {a: {b: c}}", {"x": {"a": {"b": "c"}}}),
    ("a: b\n\tc: d", "a tab stands in front", 2, "a: b\n# \tc\n", {"a": "b"}),
    ("a: 'b", "the text in quotes that begins in line 1 has no end", 1, "a: 'b'", {"a": "b"}),
    ("a: [b", "the list or mapping that begins in line 1 has no end here", 1, "a: [b]", {"a": ["b"]}),
    (
        '- {a: "b}\n- {a: "c"}',
        "the second quote of a text seems",
        1,
        '- {a: "b"}\n- {a: "c"}',
        [{"a": "b"}, {"a": "c"}],
    ),
    ('- {a: "b\n  c"}\n- {a: b: c}', "the list or mapping that begins in line 3", 3, '- {a: "b\n  c"}', [{"a": "b c"}]),
    ("{a: *, b: c}", "no text begins with * or &", 1, "{a: '*', b: c}", {"a": "*", "b": "c"}),
    ("a: b\nc: d\x07", "U+0007", 2, 'a: "d\\a"', {"a": "d\x07"}),
    ('a: "\\ud800"', "surrogate", 1, 'a: "\\u5fa1"', {"a": "御"}),
    ('a: "\\UFFFFFFFF"', "isn't YAML", 1, 'a: "\\U0001F409"', {"a": "🐉"}),
    ("a: b: c", "a second colon", 1, "a: 'b: c'", {"a": "b: c"}),
    ("", "holds nothing", 0, "a: ''", {"a": ""}),
    ("# a comment\n---\n", "holds nothing", 0, "# a comment\na: b", {"a": "b"}),
]


@pytest.mark.parametrize(("forbidden", "what", "line", "allowed", "data"), FORBIDDEN)
def test_forbidden_and_its_allowed_twin(forbidden: str, what: str, line: int, allowed: str, data: object) -> None:
    problem = refusal(forbidden)
    assert what in problem.what
    assert problem.where == (f"map.yaml, line {line}" if line else "map.yaml")
    assert strictyaml.load(allowed, "map.yaml") == data


def test_bytes_must_be_utf8() -> None:
    assert strictyaml.load("a: 御香宮".encode(), "x") == {"a": "御香宮"}
    assert "0xff" in refusal(b"a: b\nc: \xff").what
    assert refusal(b"a: b\nc: \xff").where == "map.yaml, line 2"
    assert "UTF-8" in refusal("a: 御".encode("utf-16")).what
    refusal("a: b\udc80")


def test_limits_to_the_last_step() -> None:
    def nested(levels: int) -> str:
        return "[" * levels + "]" * levels

    assert json.dumps(strictyaml.load(nested(strictyaml.MAX_DEPTH), "x")) == nested(strictyaml.MAX_DEPTH)
    assert "nested too deeply" in refusal(nested(strictyaml.MAX_DEPTH + 1)).what
    items = strictyaml.load("- a\n" * (strictyaml.MAX_NODES - 1), "x")
    assert len(items) == strictyaml.MAX_NODES - 1
    assert "too many" in refusal("- a\n" * strictyaml.MAX_NODES).what
    comment = "a: b\n#"
    fits = comment + "x" * (resources.MAX_BYTES - len(comment))
    assert strictyaml.load(fits, "x") == {"a": "b"}
    assert strictyaml.load(fits.encode(), "x") == {"a": "b"}
    assert "too long" in refusal(fits + "x").what
    assert "too long" in refusal(fits.encode() + b"x").what


YAML_BITS = (
    *list("ab:-? []{}&*!|>'\"%#\\U09,\n\t~"), "\r", "\x85", "\ufeff", "\xa0", "---\n", "...\n", ": ", "- ", "? ", " #",
    "\n  ", "\\u00e9", "<<", "|\n", ">-\n", "a: ", "- b: c\n", "{a: b", "[x, y",
)  # fmt: skip
BOMBS = {
    "lists in a line": "[" * 200_000,
    "mappings in a line": "{" * 200_000,
    "mappings of lists": "{a: [" * 100_000,
    "lists over lines": "[\n" * 200_000,
    "dashes": "- " * 200_000,
    "question marks": "? " * 200_000,
    "indented mappings": "".join(" " * n + "a:\n" for n in range(1400)),
    "laughs": "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b]",
    "itself": "&a [*a]",
    "items": "[" + "a," * 500_000 + "]",
    "documents": "---\n" * 250_000,
    "version": "%YAML 1." + "9" * 100_000 + "\n---\na: b",
    "escape": '"' + "\\U99999999" * 10_000 + '"',
    "open quote": "'" + "a" * 900_000,
    "open braces in quotes": '["' * 100_000,
    "tag": "!" * 900_000,
    "directives": "%" * 900_000,
    "too long": "#" * 50_000_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_soon(name: str) -> None:
    with within(250):
        refusal(BOMBS[name])


@given(st.one_of(st.binary(max_size=200), st.text(alphabet="a:-? []{}&*!|>'\"%#\\Ux09,\n\t ", max_size=60)))
def test_any_text_gives_data_or_bad_scenario(text: str | bytes) -> None:
    try:
        data = strictyaml.load(text, "x")
    except BadScenario:
        return  # any other exception fails the test
    assert only_strings(data)


@pytest.fixture
def without_libyaml(monkeypatch: pytest.MonkeyPatch) -> Callable[[str | bytes], object]:
    """What is read, or all that is said of it, with the loader in Python alone."""

    def read(text: str | bytes) -> object:
        with monkeypatch.context() as patch:
            patch.setattr(strictyaml, "Fast", strictyaml.Plain)
            return read_or_refused(text)

    return read


def read_or_refused(text: str | bytes) -> object:
    try:
        return strictyaml.load(text, "x")
    except BadScenario as refusal:
        return refusal.what, refusal.where, refusal.hint


def alike(data: object, other: object) -> bool:
    """Equal, the order of keys too."""
    return repr(data) == repr(other)


@pytest.mark.skipif(strictyaml.Fast is strictyaml.Plain, reason="libyaml isn't there")
def test_a_scenario_is_the_same_with_and_without_libyaml(without_libyaml: Callable[[str | bytes], object]) -> None:
    files = sorted(data_folder("scenarios").rglob("*.yaml"))
    assert len(files) >= 10
    for file in files:
        assert alike(strictyaml.load(file.read_bytes(), file.name), without_libyaml(file.read_bytes())), file


@pytest.mark.parametrize(
    "text",
    [
        *(bad for bad, *_ in FORBIDDEN),
        *("a: \tb", "x\t-- y", "{a: b, c? : [d]}", "[?]]", "a: [d?e]", ">#\n x", "a: |#\n  x\n", "a: |2#\n x", ">\t"),
        *(
            "a: b\n\ufeff",
            "\ufeffa: b",
            "\x85\n\ufeff",
            "[a:]",
            "[x, ?, {c: d}]",
            "a: b\udc80",
            b"a: \xff",
            b"\xff\xfea",
        ),
        *("[" * 13 + "]" * 13, "- a\n" * strictyaml.MAX_NODES, "a: b: c", "'a", "\x07", "a:\r\n  b\r\n", "- - a\n - b"),
    ],
)
def test_what_is_wrong_is_said_alike_with_and_without_libyaml(
    text: str | bytes, without_libyaml: Callable[[str | bytes], object]
) -> None:
    assert alike(read_or_refused(text), without_libyaml(text))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.lists(st.sampled_from(YAML_BITS), max_size=14).map("".join))
def test_any_text_is_read_alike_with_and_without_libyaml(
    text: str, without_libyaml: Callable[[str | bytes], object]
) -> None:
    assert alike(read_or_refused(text), without_libyaml(text))


def only_strings(data: object) -> bool:
    if isinstance(data, dict):
        return all(isinstance(key, str) and only_strings(value) for key, value in data.items())
    if isinstance(data, list):
        return all(map(only_strings, data))
    return isinstance(data, str)


# --- finding and reading scenarios

SCENARIO = """\
scenario: bridge
system: ford
edition: ford/1
title: The Bridge
map: river
tables: tables
turns: 3
sides: [{id: red, title: The Reds}, {id: blue, title: The Blues}]
provenance: {sides: rulebook, map: 'reconstructed, after a walk'}
"""
FILES = {
    "ford/bridge.yaml": SCENARIO,
    "ford/tables.yaml": "fire: ['-', D]",
    "ford/maps/river.yaml": "rows: '0622'",
    "ford/maps/hills.yaml": "rows: '0101'",
}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small folder of scenarios that pbem uses instead of its own."""
    place = tmp_path / "scenarios"
    write(place, FILES)
    monkeypatch.setattr(resources, "data_folder", lambda kind: tmp_path / kind)
    return place


def change(folder: Path, name: str, old: str, new: str) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    assert text.count(old) == 1
    (folder / name).write_text(text.replace(old, new), encoding="utf-8")


def test_a_scenario_with_its_map_and_tables(folder: Path) -> None:
    scenario = load_scenario("bridge")
    assert (scenario.id, scenario.system, scenario.edition, scenario.title) == (
        "bridge",
        "ford",
        "ford/1",
        "The Bridge",
    )
    assert scenario.data["maps"] == {"river": {"rows": "0622"}}
    assert scenario.data["tables"] == {"fire": ["-", "D"]}
    assert scenario.data["scenario"]["turns"] == "3"
    assert set(scenario.data) == {"scenario", "maps", "tables"}


def test_a_scenario_on_several_maps_with_armies(folder: Path, tmp_path: Path) -> None:
    write(folder, {"ford/armies/reds.yaml": "army: reds", "ford/armies/blues.yaml": "army: blues"})
    change(folder, "ford/bridge.yaml", "map: river\n", "maps: [river, hills]\narmies: [reds, blues]\n")
    scenario = load_scenario("bridge")
    assert list(scenario.data["maps"].items()) == [("river", {"rows": "0622"}), ("hills", {"rows": "0101"})]
    assert list(scenario.data["armies"].items()) == [("reds", {"army": "reds"}), ("blues", {"army": "blues"})]
    assert set(scenario.data) == {"scenario", "maps", "armies", "tables"}
    for _ in range(2):
        cached = load_scenario("bridge", Cache(tmp_path / "cache"))
        assert cached == scenario
        assert list(cached.data["maps"]) == ["river", "hills"]
    change(folder, "ford/armies/blues.yaml", "blues", "greens")
    changed = load_scenario("bridge", Cache(tmp_path / "cache"))
    assert changed.data["armies"]["blues"] == {"army": "greens"}
    assert changed.digest != scenario.digest


def test_an_army_that_nobody_names_changes_nothing(folder: Path) -> None:
    digest = load_scenario("bridge").digest
    write(folder, {"ford/armies/reds.yaml": "army: reds"})
    assert load_scenario("bridge").digest == digest
    change(folder, "ford/bridge.yaml", "map: river\n", "map: river\narmies: [reds]\n")
    assert load_scenario("bridge").digest != digest


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        ("brigde", "do you mean bridge?"),
        ("Bridge", "do you mean bridge?"),
        ("zzz", "`pbem scenarios` lists all"),
        ("", "`pbem scenarios` lists all"),
        ("tables", "`pbem scenarios` lists all"),
        ("../ford/bridge", "do you mean bridge?"),
        ("maps/river", "`pbem scenarios` lists all"),
        ("b*", "`pbem scenarios` lists all"),
        ("x\x00" * 100_000, "`pbem scenarios` lists all"),
    ],
)
def test_an_unknown_scenario_is_refused_with_the_nearest(folder: Path, asked: str, hint: str) -> None:
    with pytest.raises(BadScenario) as caught:
        load_scenario(asked, Cache(folder / "cache"))
    assert caught.value.hint == hint
    assert len(str(caught.value)) < 400
    assert not (folder / "cache").exists()


def test_a_scenario_may_need_no_map(folder: Path) -> None:
    write(
        folder,
        {"ford/dry.yaml": FILES["ford/bridge.yaml"].replace("bridge", "dry").replace("map: river", "maps: none")},
    )
    assert load_scenario("dry").data["maps"] == {}


def test_tables_may_stand_in_a_file_for_each_chapter(folder: Path) -> None:
    text = (
        FILES["ford/bridge.yaml"].replace("bridge", "dry").replace("tables: tables", "tables: [tables-night, tables]")
    )
    write(folder, {"ford/dry.yaml": text, "ford/tables-night.yaml": "dark: ['yes']\n"})
    tables = load_scenario("dry").data["tables"]
    assert list(tables) == ["tables-night", "tables"]
    assert tables["tables-night"] == {"dark": ["yes"]}
    assert tables["tables"] == load_scenario("bridge").data["tables"]
    before = load_scenario("dry").digest
    write(folder, {"ford/tables-night.yaml": "dark: ['no']\n"})
    assert load_scenario("dry").digest != before, "every chapter is pinned"


def test_the_same_id_in_two_systems_is_refused(folder: Path) -> None:
    write(folder, {"other/bridge.yaml": "scenario: bridge"})
    with pytest.raises(BadScenario, match="ford and other both have a scenario bridge"):
        load_scenario("bridge")


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("ford/bridge.yaml", "scenario: bridge", "scenario: bridges", "`scenario` is 'bridges'; the file's place asks"),
        ("ford/bridge.yaml", "system: ford", "system: moat", "`system` is 'moat'; the file's place asks for ford"),
        ("ford/bridge.yaml", "edition: ford/1", "edition: moat/1", "`edition` is 'moat/1'; write ford/NUMBER"),
        ("ford/bridge.yaml", "title: The Bridge\n", "", "`title` is missing"),
        (
            "ford/bridge.yaml",
            "title: The Bridge\n",
            "title: [The Bridge]\n",
            "`title` is [The Bridge]; write `title: T",
        ),
        ("ford/bridge.yaml", "title: The Bridge\n", "title: []\n", "`title` is empty"),
        ("ford/bridge.yaml", "map: river", "map: ../bridge", "`map` names ford/maps/../bridge.yaml, which isn't there"),
        ("ford/bridge.yaml", "map: river", "map: sea", "ford has: maps/hills.yaml, maps/river.yaml"),
        ("ford/bridge.yaml", "tables: tables", "tables: bridge", "`tables` names ford/bridge.yaml"),
        ("ford/bridge.yaml", "tables: tables", "tables: maps/river", "isn't there; ford has: tables.yaml"),
        ("ford/bridge.yaml", "map: river\n", "", "`map` is missing; write `map: NAME` or `maps: [NAME, NAME]`"),
        ("ford/bridge.yaml", "map: river\n", "map: [river]\n", "`map` is [river]; write `map: NAME` or"),
        ("ford/bridge.yaml", "map: river\n", "map: river\nmaps: [river]\n", "`map` and `maps` both stand there"),
        ("ford/bridge.yaml", "map: river\n", "maps: {river: a}\n", "`maps` isn't a list of names"),
        ("ford/bridge.yaml", "map: river\n", "maps: []\n", "`maps` isn't a list of names"),
        ("ford/bridge.yaml", "map: river\n", "maps: [river, {}]\n", "`maps` isn't a list of names"),
        ("ford/bridge.yaml", "map: river\n", "maps: [river, hills, river]\n", "`maps` names river twice"),
        ("ford/bridge.yaml", "map: river\n", "maps: [river, sea]\n", "`maps` names ford/maps/sea.yaml, which isn't"),
        ("ford/bridge.yaml", "map: river\n", "map: none\n", "`map` names ford/maps/none.yaml, which isn't there"),
        ("ford/bridge.yaml", "tables: tables\n", "", "`tables` is missing"),
        ("ford/bridge.yaml", "tables: tables\n", "tables: []\n", "`tables` isn't a list of names"),
        ("ford/bridge.yaml", "tables: tables\n", "tables: [tables, tables]\n", "`tables` names tables twice"),
        (
            "ford/bridge.yaml",
            "tables: tables\n",
            "tables: [tables, maps/river]\n",
            "`tables` names ford/maps/river.yaml",
        ),
        ("ford/bridge.yaml", "turns: 3\n", "turns: 3\narmies: {reds: a}\n", "`armies` isn't a list of names"),
        ("ford/bridge.yaml", "turns: 3\n", "turns: 3\narmies: [reds]\n", "`armies` names ford/armies/reds.yaml, which"),
        ("ford/bridge.yaml", "turns: 3\n", "turns: 3\narmies: [../maps/river]\n", "isn't there; ford has: none"),
        ("ford/bridge.yaml", SCENARIO, "- a list", "ford/bridge.yaml: the file isn't a mapping"),
        ("ford/tables.yaml", "fire: ['-', D]", "fire: *x", "ford/tables.yaml, line 1: the alias"),
        ("ford/maps/river.yaml", "rows: '0622'", "rows: '0622'\nrows: x", "ford/maps/river.yaml, line 2: the key"),
    ],
)
def test_a_broken_scenario_is_refused_with_its_place(folder: Path, name: str, old: str, new: str, message: str) -> None:
    change(folder, name, old, new)
    with pytest.raises(BadScenario) as caught:
        load_scenario("bridge")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("date: [1615]", "`date` isn't a text; write `date: TEXT`"),
        ("length: {}", "`length` isn't a text"),
        ("first-day: 1862-02-30", "`first-day` isn't a day; write `first-day: 1862-08-19`"),
        ("first-day: 18620819", "`first-day` isn't a day"),
        ("brief: An hour", "`brief` isn't texts under headings; write `brief: {situation: TEXT, sides:"),
        ("brief: {sides: {red: [you]}}", "`brief` isn't texts under headings"),
        ("brief: {special: [{}]}", "`brief` isn't texts under headings"),
        (
            "brief: {speciall: [Fog.]}",
            "`brief.speciall` is no key that is known here; did you mean special? known are s",
        ),
        ("brief: {sides: {rde: Run.}}", "`brief.sides.rde` is no key that is known here; did you mean red? known are"),
        ("formations: [guard]", "`formations` isn't texts by name"),
        ("formations: {guard: [Old, Guard]}", "`formations` isn't texts by name"),
    ],
)
def test_what_a_scenario_may_say_besides_has_its_form(folder: Path, line: str, message: str) -> None:
    good = "date: May\nfirst-day: 1862-08-19\nlength: 3 turns\n"
    good += "brief: {situation: So., sides: {red: Run.}, special: [Fog.]}\n"
    change(folder, "ford/bridge.yaml", "turns: 3\n", f"turns: 3\n{good}formations: {{guard: Old Guard}}\n")
    assert load_scenario("bridge").data["scenario"]["brief"]["sides"] == {"red": "Run."}
    key = line.split(":")[0]
    text = (folder / "ford/bridge.yaml").read_text("utf-8")
    lines = [line if old.startswith(f"{key}:") else old for old in text.splitlines()]
    (folder / "ford/bridge.yaml").write_text("\n".join(lines), "utf-8")
    with pytest.raises(BadScenario) as caught:
        load_scenario("bridge")
    assert message in str(caught.value)


def test_all_defects_of_files_and_frame_are_told_at_once(folder: Path) -> None:
    change(folder, "ford/bridge.yaml", "title: The Bridge\n", "date: []\n")
    change(folder, "ford/bridge.yaml", "map: river", "maps: [river, sea, river]")
    change(folder, "ford/maps/river.yaml", "rows: '0622'", "rows: '0622'\nrows: x")
    change(folder, "ford/tables.yaml", "fire: ['-', D]", "fire: *x")
    with pytest.raises(BadScenario) as caught:
        load_scenario("bridge")
    assert [(defect.where, defect.what.split(", which")[0]) for defect in caught.value.defects] == [
        ("ford/bridge.yaml", "`title` is missing"),
        ("ford/bridge.yaml", "`date` isn't a text"),
        ("ford/bridge.yaml", "`maps` names river twice"),
        ("ford/maps/river.yaml, line 2", "the key 'rows' stands twice"),
        ("ford/bridge.yaml", "`maps` names ford/maps/sea.yaml"),
        ("ford/tables.yaml, line 1", "the alias *x isn't allowed"),
    ]
    assert (caught.value.what.split("\n")[0], caught.value.where) == ("6 defects", "ford/bridge.yaml")


@pytest.mark.parametrize(
    "letter",
    ["\\n", "\\r\\nBcc: x@example.org", "\\0", "\\e", "\\x7f", "\\x85", "\\u2028", "\\u202e", "\\u2066", "\\t"],
)
def test_what_is_printed_in_one_line_has_no_control_characters(folder: Path, letter: str) -> None:
    """`scenarios --check` called such a title good, and no mail could have it as its Subject."""
    change(folder, "ford/bridge.yaml", "title: The Bridge", f'title: "The{letter} Bridge"\ndate: "May{letter}"')
    with pytest.raises(BadScenario) as caught:
        load_scenario("bridge")
    what = [defect.what.split(" is ")[0] for defect in caught.value.defects]
    assert what == ["`title`", "`date`"]
    assert {defect.right for defect in caught.value.defects} == {"write it in one line, without control characters"}
    assert all(defect.what.isprintable() for defect in caught.value.defects)


@pytest.mark.parametrize(
    ("key", "most"),
    [
        ("title", reading.NAME_MAX),
        ("short", reading.NAME_MAX),
        ("name", reading.NAME_MAX),
        ("note", reading.TEXT_MAX),
        ("rows", reading.ROWS_MAX),
    ],
)
def test_no_text_is_longer_than_a_report_can_tell(folder: Path, key: str, most: int) -> None:
    """Names of 100,000 letters were good: `brief` told them, and no offer could be made of such a title."""
    text = (folder / "ford/tables.yaml").read_text(encoding="utf-8")
    for letters in (most, most + 1, 100_000):
        (folder / "ford/tables.yaml").write_text(f"{text}\nthings: [{{{key}: {'n' * letters}}}]\n", encoding="utf-8")
        if letters == most:
            assert load_scenario("bridge").data["tables"]["things"] == [{key: "n" * most}]
            continue
        with pytest.raises(BadScenario) as caught:
            load_scenario("bridge")
        assert caught.value.what.startswith(f"`{key}` is 'nnn")
        assert len(caught.value.what) < 100
        assert caught.value.hint == f"write it in {most:,} letters at most, it has {letters:,}"


@pytest.mark.parametrize("letters", [reading.NAME_MAX, reading.NAME_MAX + 1])
def test_no_key_is_longer_than_a_report_can_tell(folder: Path, letters: int) -> None:
    text = (folder / "ford/tables.yaml").read_text(encoding="utf-8")
    (folder / "ford/tables.yaml").write_text(f"{text}\nthings: {{{'k' * letters}: x}}\n", encoding="utf-8")
    if letters == reading.NAME_MAX:
        assert load_scenario("bridge").data["tables"]["things"] == {"k" * letters: "x"}
        return
    with pytest.raises(BadScenario, match="write a key of 200 letters at most"):
        load_scenario("bridge")


FENCES = ("-----BEGIN PBEM TURN-----", "-----END PBEM TURN-----", "\u2014" * 2 + "-----BEGIN  SSH SIGNATURE-----")


@pytest.mark.parametrize("fence", FENCES)
def test_nothing_that_a_mail_tells_begins_or_ends_a_turn(folder: Path, fence: str) -> None:
    """`scenarios --check` called such a title good, and no offer could be made of it."""
    change(folder, "ford/bridge.yaml", "title: The Bridge", f'title: "The Bridge {fence}"')
    with pytest.raises(BadScenario) as caught:
        load_scenario("bridge")
    assert caught.value.where == "ford/bridge.yaml"
    assert caught.value.what.startswith("`title` is 'The Bridge ")
    assert caught.value.hint == "write it without a line that begins or ends a turn"
    change(folder, "ford/bridge.yaml", fence, fence.replace("-----", "----"))
    load_scenario("bridge")


def test_a_title_in_any_script_is_one_line(folder: Path) -> None:
    change(folder, "ford/bridge.yaml", "title: The Bridge", 'title: "Le Pont d\u2019Arcole \u2013 \u6a4b"')
    assert load_scenario("bridge").title == "Le Pont d\u2019Arcole \u2013 \u6a4b"


def test_a_scenario_anywhere_on_disk_is_read_as_far_as_can_be(folder: Path, tmp_path: Path) -> None:
    whole = read_scenario(folder / "ford" / "bridge.yaml")
    assert whole[:3] == (load_scenario("bridge").data, (), True)
    assert list(whole.files) == ["ford/bridge.yaml", "ford/maps/river.yaml", "ford/tables.yaml"]
    change(folder, "ford/tables.yaml", "fire: ['-', D]", "fire: *x")
    part = read_scenario(folder / "ford" / "bridge.yaml")
    assert (part.data, part.whole) == ({**whole.data, "tables": {}}, False)
    with pytest.raises(Storage, match=r"nowhere.yaml can't be read \(No such file"):
        read_scenario(tmp_path / "nowhere.yaml")


@pytest.mark.parametrize("name", [summary.id for summary in list_scenarios()])
def test_a_scenario_whose_map_has_a_gap_in_a_road_is_refused(name: str) -> None:
    scenario = load_scenario(name)
    rules = rules_of(scenario.system)
    assert all(doubts(board) == [] for board in rules.maps(rules.board(scenario.data)).values())
    for data in scenario.data["maps"].values():
        road = data["roads"]["chains"][0]
        first, second, third, *rest = road["hexes"].split()
        road["hexes"] = " ".join([first, third, *rest])
        with pytest.raises(BadScenario, match=f"roads {road['name']}: gap between .?{first} and .?{third}"):
            rules.board(scenario.data)
        road["hexes"] = " ".join([first, second, third, *rest])
    assert rules.board(scenario.data)


# --- the digest


def test_the_digest_is_the_one_the_protocol_writes_down(folder: Path) -> None:
    scenario = load_scenario("bridge")
    tag = b"pbem-scenario/1"
    text = json.dumps(scenario.data, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
    framed = len(tag).to_bytes(4, "big") + tag + len(text).to_bytes(4, "big") + text
    assert scenario.digest == hashlib.sha256(framed).hexdigest()


def test_the_digest_is_of_the_data_not_of_their_spelling(folder: Path) -> None:
    digest = load_scenario("bridge").digest
    change(folder, "ford/bridge.yaml", "system: ford\nedition: ford/1\n", "# words\nedition: 'ford/1'\nsystem: ford\n")
    change(folder, "ford/maps/river.yaml", "'0622'", "0622")
    change(folder, "ford/maps/hills.yaml", "0101", "0102")  # another map
    assert load_scenario("bridge").digest == digest


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("ford/bridge.yaml", "turns: 3", "turns: 4"),
        ("ford/bridge.yaml", "turns: 3", "turns: '3 '"),
        ("ford/bridge.yaml", "turns: 3\n", ""),
        ("ford/bridge.yaml", "map: river", "map: hills"),
        ("ford/tables.yaml", "'-', D", "D, '-'"),
        ("ford/tables.yaml", "'-', D", "'-', D, D"),
        ("ford/maps/river.yaml", "0622", "0623"),
    ],
)
def test_the_digest_changes_with_any_change(folder: Path, name: str, old: str, new: str) -> None:
    digest = load_scenario("bridge").digest
    change(folder, name, old, new)
    assert load_scenario("bridge").digest != digest


# --- the cache


@pytest.fixture
def no_yaml(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes every attempt to parse YAML fail the test."""

    def refuse(text: object, name: str) -> object:
        raise AssertionError(f"{name} was parsed")

    monkeypatch.setattr(strictyaml, "load", refuse)
    reading._parsed.cache_clear()


def test_a_second_load_parses_nothing(folder: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    plain = load_scenario("bridge")
    assert load_scenario("bridge", Cache(tmp_path / "a" / "cache")) == plain
    request.getfixturevalue("no_yaml")
    cached = load_scenario("bridge", Cache(tmp_path / "a" / "cache"))
    assert cached == plain
    assert json.dumps(cached.data) == json.dumps(plain.data)  # the order too
    with pytest.raises(AssertionError, match="was parsed"):
        load_scenario("bridge", Cache(tmp_path / "b"))


@pytest.mark.parametrize("name", ["ford/bridge.yaml", "ford/tables.yaml", "ford/maps/river.yaml"])
def test_a_stale_cache_is_ignored_and_rewritten(
    folder: Path, tmp_path: Path, request: pytest.FixtureRequest, name: str
) -> None:
    before = load_scenario("bridge", Cache(tmp_path))
    write(folder, {name: FILES[name] + "\nmore: words\n"})
    after = load_scenario("bridge", Cache(tmp_path))
    assert after == load_scenario("bridge")
    assert after.digest != before.digest
    request.getfixturevalue("no_yaml")
    assert load_scenario("bridge", Cache(tmp_path)) == after


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"key": 1}',
        b"[" * 200_000,
        "cut",
        "other data",
        "other seal",
    ],
)
def test_a_broken_cache_is_ignored_and_rewritten(folder: Path, tmp_path: Path, broken: bytes | str) -> None:
    plain = load_scenario("bridge", Cache(tmp_path))
    [kept] = tmp_path.glob("scenario-*")
    whole = kept.read_bytes()
    seal, _, data = whole.partition(b"\n")
    if broken == "other data":
        data = data.replace(b'"3"', b'"9"')
        assert seal + b"\n" + data != whole
    elif broken == "other seal":
        seal = b"0" * 64
    kept.write_bytes(broken if isinstance(broken, bytes) else whole[:-40] if broken == "cut" else seal + b"\n" + data)
    assert load_scenario("bridge", Cache(tmp_path)) == plain
    assert kept.read_bytes() == whole
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["scenario-bridge.json"]


@pytest.mark.parametrize("data", [[], 5, "", {}, {"scenario": []}, {"scenario": {"system": "toy"}}])
def test_a_cache_that_is_sealed_but_no_scenario_is_ignored(folder: Path, tmp_path: Path, data: Any) -> None:
    class Kept(Cache):
        def recall(self, name: str, key: str) -> Any:
            return data

    assert load_scenario("bridge", Kept(tmp_path)) == load_scenario("bridge")


def test_a_cache_that_cant_be_written_costs_only_time(folder: Path, tmp_path: Path) -> None:
    plain = load_scenario("bridge")
    (tmp_path / "file").write_text("not a folder")
    assert load_scenario("bridge", Cache(tmp_path / "file")) == plain
    (tmp_path / "taken" / "scenario-bridge.json" / "x").mkdir(parents=True)
    assert load_scenario("bridge", Cache(tmp_path / "taken")) == plain
    assert [entry.name for entry in (tmp_path / "taken").iterdir()] == ["scenario-bridge.json"]


def test_a_cached_load_imports_no_yaml(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from pbem.home.cache import Cache; from pbem.scenario import load_scenario\n"
        "print(load_scenario('toba-fushimi', Cache(Path(sys.argv[1]))).digest, 'yaml' in sys.modules)"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    digest = load_scenario("toba-fushimi").digest
    assert runs == [f"{digest} True\n", f"{digest} False\n"]


# --- the list


def test_the_list_names_what_is_reconstructed(folder: Path, tmp_path: Path) -> None:
    for _ in range(2):
        [summary] = list_scenarios(partial(load_scenario, cache=Cache(tmp_path)))
        assert summary == (
            "bridge",
            "ford",
            "The Bridge",
            ("The Reds", "The Blues"),
            3,
            ("map: reconstructed, after a walk",),
        )


def test_the_list_is_in_order_of_system_and_id(folder: Path) -> None:
    for system, name in (("ford", "arch"), ("alp", "pass")):
        text = SCENARIO.replace("bridge", name).replace("ford", system)
        write(
            folder,
            {f"{system}/{name}.yaml": text, f"{system}/tables.yaml": "a: b", f"{system}/maps/river.yaml": "a: b"},
        )
    assert [(s.system, s.id) for s in list_scenarios()] == [("alp", "pass"), ("ford", "arch"), ("ford", "bridge")]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("turns: 3", "turns: three", "`turns` is 'three'; write a number of turns"),
        ("turns: 3", "turns: ³", "`turns` is"),
        ("turns: 3\n", "", "`turns` is missing"),
        ("sides: [", "side: [", "`sides` is missing"),
        ("[{id: red, title: The Reds}, {id: blue, title: The Blues}]", "red", "`sides` is missing"),
        ("{id: red, title: The Reds}", "{title: The Reds}", "a side has no `id` or no `title`"),
        ("{id: red, title: The Reds}", "{id: red}", "a side has no `id` or no `title`"),
    ],
)
def test_a_scenario_that_cant_be_listed_says_why(folder: Path, old: str, new: str, message: str) -> None:
    change(folder, "ford/bridge.yaml", old, new)
    with pytest.raises(BadScenario) as caught:
        list_scenarios()
    assert message in str(caught.value)
    assert caught.value.where == "ford/bridge"


def test_a_scenario_that_cant_be_listed_hides_no_other(folder: Path) -> None:
    write(folder, {"other/bridge.yaml": "scenario: bridge", "ford/dry.yaml": SCENARIO.replace("bridge", "dry")})
    write(folder, {"ford/arch.yaml": SCENARIO.replace("bridge", "arch").replace("turns: 3", "turns: three")})
    refused: list[BadScenario] = []
    assert [summary.id for summary in list_scenarios(refused=refused.append)] == ["dry"]
    assert [str(error) for error in refused] == [
        "ford/arch: `turns` is 'three'; write a number of turns",
        "ford and other both have a scenario bridge; rename one of them",
    ]


def test_the_shipped_scenarios_are_listed() -> None:
    summaries = {summary.id: summary for summary in list_scenarios()}
    toba = summaries["toba-fushimi"]
    assert (toba.system, toba.title, toba.turns) == ("bakumatsu", "The Battle of Toba-Fushimi", 8)
    assert toba.sides == ("Former Shogunate", "Satsuma-Choshu")
    assert any(text.startswith("units: reconstructed") for text in toba.reconstructed)
    assert any(text.startswith("tables: reconstructed") for text in toba.reconstructed)


# --- folders


def test_the_folders_of_data() -> None:
    assert (data_folder("scenarios") / "bakumatsu" / "toba-fushimi.yaml").is_file()
    assert data_folder("templates").is_dir()
    with pytest.raises(Storage, match="the folder drawings is missing"):
        data_folder("drawings")


def test_the_installed_folder_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "pbem"
    (tmp_path / "scenarios").mkdir()
    package.mkdir()
    monkeypatch.setattr(resources, "__file__", str(package / "resources.py"))
    with pytest.raises(Storage):  # somebody else's folder of that name beside an installed package
        data_folder("scenarios")
    (tmp_path / "pyproject.toml").touch()
    assert data_folder("scenarios") == tmp_path / "scenarios"
    (package / "scenarios").mkdir()
    assert data_folder("scenarios") == package / "scenarios"


@pytest.mark.parametrize(
    ("first", "later", "told"),
    [
        ("1862-08-19", 0, "19 August 1862"),
        ("1862-08-19", 14, "2 September 1862"),
        ("1862-12-31", 1, "1 January 1863"),
        ("1864-02-28", 1, "29 February 1864"),
        ("1900-02-28", 1, "1 March 1900"),
        ("1862-08-19", 1000, "15 May 1865"),
    ],
)
def test_days_are_counted_on(first: str, later: int, told: str) -> None:
    day = read_day(first)
    assert day is not None
    assert str(day.after(later)) == told


@pytest.mark.parametrize(
    "text", ["", "1862", "1862-13-01", "1862-00-01", "1862-02-29", "1862-8-19", "0862-08-19", None, []]
)
def test_what_is_no_day_is_none(text: object) -> None:
    assert read_day(text) is None
