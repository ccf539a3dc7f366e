"""The architecture: one table of rooms, who may import whom, and who may print, read the clock or touch the disk."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

import pytest
import toy

import pbem
from pbem.errors import BadScenario
from pbem.rules import SYSTEMS, Rules, rules_of

ROOT = Path(pbem.__file__).parent
BEGUN: set[str] = set()
"""Systems that are being written and that nothing offers yet."""

SYSTEM = "rules.*"
"""The room of each rule system; one knows nothing of another."""

ROOMS: dict[str, str] = {
    # room          the rooms that it may import, all of them above it here
    "words":        "",
    "records":      "",
    "disk":         "",
    "errors":       "records words",
    "resources":    "errors",
    "strictyaml":   "errors resources",
    "language":     "records errors words resources",
    "crypto":       "records errors disk",
    "maps":         "records errors words",
    "wire":         "records errors words crypto",
    "home.files":   "records errors disk wire",
    "home.cache":   "records errors disk crypto home.files",
    "mail":         "records errors disk wire",
    "rules.requests": "records errors",
    "rules.fates":  "words",
    "rules.kit":    "records errors words maps rules.requests rules.fates",
    SYSTEM:         "records errors words maps rules.requests rules.fates rules.kit",
    "rules":        "records errors words maps rules.requests",
    "scenario":     "records errors words disk resources strictyaml crypto wire",
    "match":        "records errors words language crypto wire maps rules rules.requests rules.fates scenario",
    "picture":      "records errors words resources language maps",
    "report":       "records errors words resources language crypto wire maps home.cache rules rules.requests "
                    "rules.fates scenario match picture",
    "simulate":     "records errors wire rules rules.requests scenario match",
    "home":         "records errors words disk crypto wire mail home.files home.cache scenario match",
    "audit":        "records errors words crypto wire maps rules scenario match picture",
    "desk":         "records errors crypto wire mail rules.requests scenario match report home audit",
    "page":         "records errors words disk language crypto wire mail maps rules.requests scenario match report "
                    "picture home.files home desk",
    "cli":          "records errors words disk language crypto wire mail maps scenario match simulate report picture "
                    "home.files home audit desk page",
    "__main__":     "cli",
}  # fmt: skip

ON_DISK = {
    "disk",
    "resources",
    "scenario",
    "home",
    "home.files",
    "mail.inbox",
    "crypto.keys",
    "report.layout",
    "language.catalogue",
    "picture.png",
    "page.run",
    "cli",
}
"""Rooms, and modules of rooms that else don't, that touch the disk."""
PURE = {
    "errors", "words", "records", "wire", "rules.requests", "rules.fates", "rules.kit", SYSTEM, "rules", "maps",
    "match",
}  # fmt: skip
"""Rooms without a state of their own."""
CHANCE = {"home.files"}
"""Modules beside the commands that may ask for random bytes: names of scratch files that nobody guesses."""

TIMED = {"page.serve"}
"""Modules beside the commands that may read the clock: how long a connection may be silent."""

THIRD_PARTY = {"click", "jinja2", "yaml", "cryptography", "filelock"}
IF_INSTALLED = {"bcrypt", "resvg_py", "PIL", "distributed", "flask", "werkzeug"}
DISK_CALLS = {
    "read_text", "read_bytes", "write_text", "write_bytes", "open", "mkdir", "unlink", "rmdir", "rmtree", "iterdir",
    "glob", "rglob", "is_file", "is_dir", "exists", "stat", "chmod", "touch", "fdopen", "fsync",
}  # fmt: skip


Tree = Mapping[str, ast.Module]
"""Module -> its source; names as `match.table`, "" is the package itself."""


def package(root: Path) -> Tree:
    """All modules of a package's folder."""
    names = {path: ".".join(path.relative_to(root).with_suffix("").parts) for path in sorted(root.rglob("*.py"))}
    return {
        name.removesuffix("__init__").removesuffix("."): ast.parse(path.read_text("utf-8"))
        for path, name in names.items()
    }


FILES = package(ROOT)


def room_of(name: str) -> str:
    """The room that a module belongs to; a part of `rules` that is no room of its own is a system."""
    part = ".".join(name.split(".")[:2])
    first, _, rest = name.partition(".")
    return part if part in ROOMS else SYSTEM if first == "rules" and rest else first


def imports(tree: ast.AST) -> Iterator[str]:
    """Every module that a tree imports, inside functions too: `a.b` and, for names out of it, `a.b.c`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports are not used"
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own(tree: ast.AST, files: Tree) -> set[str]:
    """The modules of the package that a tree imports, wherever in it; of `from pbem.home import files` only `files`."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            whole = all(name.removeprefix("pbem.") in files for name in names)
            found |= names if whole else {*names, node.module or ""}
    known = {name.removeprefix("pbem.") for name in found if name.startswith("pbem.")}
    return {name for name in known if name in files}


def strangers(files: Tree) -> list[str]:
    """Each import that the table of rooms doesn't allow, and each module that is in no room of it."""
    wrong = []
    for name, tree in files.items():
        room = room_of(name)
        if name and room not in ROOMS:
            wrong.append(f"{name} is in no room")
            continue
        for other in sorted(own(tree, files)) if name else ():
            inside = room_of(other) == room and (room != SYSTEM or name.split(".")[1] == other.split(".")[1])
            if not inside and room_of(other) not in ROOMS[room].split():
                wrong.append(f"{name} imports {other}")
    return wrong


def circles(files: Tree) -> set[str]:
    """The modules that are part of a circle of imports, or above one; a package's own module isn't counted for them."""
    needs = {name: own(tree, files) - {name} for name, tree in files.items()}
    for name in needs:
        needs[name] = {other for other in needs[name] if not name.startswith(f"{other}.")}
    done: set[str] = set()
    while ready := {name for name in needs.keys() - done if needs[name] <= done}:
        done |= ready
    return set(needs) - done


def called(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """What is called: `print`, `open` or the last name of `a.b.c`, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node.func.id, node.lineno
            elif isinstance(node.func, ast.Attribute):
                yield node.func.attr, node.lineno


def is_of(name: str, where: set[str]) -> bool:
    """Whether a module, or its room, is among those."""
    return name in where or room_of(name) in where


def touching(files: Tree) -> list[str]:
    """Each call for the disk, the terminal, the clock or chance where none may be."""
    wrong = []
    for name, tree in files.items():
        if room_of(name) == "cli":
            continue
        modules = {module.split(".")[0] for module in imports(tree)}
        asked = modules & (
            {"time", "datetime", "random", "secrets", "uuid"}
            - ({"secrets"} if name in CHANCE else set())
            - ({"time"} if name in TIMED else set())
        )
        wrong += [f"{name} imports {module}" for module in sorted(asked)]
        for what, line in called(tree):
            talks = what in ("print", "echo", "exit", "_exit", "input", "urandom")
            if talks or (what in DISK_CALLS and not is_of(name, ON_DISK)):
                wrong.append(f"{name}, line {line}: {what}")
    return wrong


# --- the package -----------------------------------------------------------------------------------------------------


def test_the_whole_package_is_looked_at() -> None:
    assert {"", "match.table", "cli", "rules", "rules.bakumatsu.board"} <= FILES.keys()
    assert len(FILES) > 100
    assert {room_of(name) for name in FILES if name} == ROOMS.keys()
    assert {*SYSTEMS, *BEGUN} == {name.split(".")[1] for name in FILES if room_of(name) == SYSTEM}
    assert not BEGUN & {*SYSTEMS}


def test_the_table_of_rooms_runs_one_way() -> None:
    above: set[str] = set()
    for room, allowed in ROOMS.items():
        assert set(allowed.split()) <= above, room
        above.add(room)


def test_every_import_is_one_that_the_table_of_rooms_allows() -> None:
    assert strangers(FILES) == []


def test_no_import_closes_a_circle() -> None:
    """One inside a function neither, nor one that only the checker of types sees."""
    assert circles(FILES) == set()


def test_only_who_may_touches_the_disk_the_terminal_the_clock_or_chance() -> None:
    assert touching(FILES) == []
    lines = {name for name, tree in FILES.items() if {what for what, _ in called(tree)} & DISK_CALLS}
    assert all(any(is_of(name, {of}) for name in lines) for of in ON_DISK), "who needs it no more may no more"


def bad(**modules: str) -> Tree:
    """A made-up package, its modules by their names with _ for the point."""
    return {name.replace("_", "."): ast.parse(source) for name, source in modules.items()}


def test_the_table_of_rooms_can_be_broken() -> None:
    """The tests above fail where they must."""
    upward = bad(match_table="from pbem.home import folders", home_folders="", home="")
    assert strangers(upward) == ["match.table imports home.folders"]
    late = bad(wire_turn="def late() -> None:\n    from pbem.match.table import Table", match_table="")
    assert strangers(late) == ["wire.turn imports match.table"]
    assert strangers(bad(somewhere="")) == ["somewhere is in no room"]
    assert strangers(bad(rules_go_board="from pbem.rules.chess import x", rules_chess="x = 1")) == [
        "rules.go.board imports rules.chess"
    ]
    assert strangers(bad(rules_go_board="from pbem.rules.go import zoc", rules_go_zoc="", rules_go="")) == []
    assert circles(bad(match_a="import pbem.match.b", match_b="def f(): import pbem.match.a", match_c="")) == {
        "match.a",
        "match.b",
    }
    seen = bad(match_a="if TYPE_CHECKING:\n    from pbem.match.b import B", match_b="from pbem.match.a import A")
    assert circles(seen) == {"match.a", "match.b"}
    assert circles(bad(match_a="import pbem.match.b", match_b="")) == set()
    assert touching(bad(match_table="x = open('file')")) == ["match.table, line 1: open"]
    assert touching(bad(wire_turn="print(1)")) == ["wire.turn, line 1: print"]
    assert touching(bad(desk_desk="import time")) == ["desk.desk imports time"]
    assert touching(bad(home_files="x = open('file')\nimport secrets", cli_turns="print(1)")) == []


def test_the_rest_names_no_system() -> None:
    """What a system needs is asked of its package; nothing else tells one from another."""
    for name in FILES:
        if room_of(name) != SYSTEM:
            path = ROOT.joinpath(*name.split(".")) if name else ROOT
            code = (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text("utf-8")
            if name == "rules":
                code = code.replace(code[code.index("SYSTEMS = {") : code.index("}\n")], "")
            named = [system for system in SYSTEMS if system in code.lower()]
            assert not named, f"{name} names {named}"


def test_nothing_is_needed_but_the_dependencies_named() -> None:
    for name, tree in FILES.items():
        roots = {module.split(".")[0] for module in imports(tree)}
        others = roots - sys.stdlib_module_names - THIRD_PARTY - {"pbem"}
        assert others <= IF_INSTALLED, f"{name} imports {others}"


def test_rules_and_core_keep_no_state_of_their_own() -> None:
    for name, tree in FILES.items():
        if name and room_of(name) in PURE:
            assert not [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Global)], name


def test_every_module_says_in_one_sentence_what_it_is() -> None:
    for name, tree in FILES.items():
        docstring = ast.get_docstring(tree)
        assert docstring, f"{name} says nothing"
        first, *rest = docstring.split("\n")
        assert first[0].isupper() or first.startswith("pbem"), name
        assert first.endswith("."), f"{name}: {first}"
        assert not rest or not rest[0], f"{name}: the first line isn't the whole sentence"
        assert len(first) > 20, name


def test_systems_is_a_literal() -> None:
    found = [
        node.value
        for node in FILES["rules"].body
        if isinstance(node, ast.Assign) and [t.id for t in node.targets if isinstance(t, ast.Name)] == ["SYSTEMS"]
    ]
    assert len(found) == 1
    assert ast.literal_eval(found[0]) == SYSTEMS
    assert all(package == f"pbem.rules.{name}" for name, package in SYSTEMS.items())


OFFERED = [name for name, member in vars(Rules).items() if inspect.isfunction(member) and not name.startswith("_")]


@pytest.mark.parametrize("system", [*SYSTEMS, "toy"])
def test_a_system_offers_what_the_engine_asks_for(system: str) -> None:
    rules = toy if system == "toy" else rules_of(system)
    assert len(OFFERED) >= 15
    for name in OFFERED:
        member = getattr(rules, name, None)
        assert callable(member), f"{system} lacks {name}"
        wanted = [p for p in inspect.signature(getattr(Rules, name)).parameters if p != "self"]
        assert len(inspect.signature(member).parameters) == len(wanted), f"{system}.{name}"
    assert rules.EDITION.startswith(f"{system}/")
    assert set(OFFERED) <= set(import_module(SYSTEMS.get(system, "toy")).__all__), system


def test_an_unknown_system_is_refused() -> None:
    with pytest.raises(BadScenario, match="no rule system is called 'chess'"):
        rules_of("chess")


WORDS_OF_SYSTEMS = {
    "disordered", "pinned", "fired", "moved", "fought", "out-of-command", "commander", "done", "range", "waiting",
    "received", "removed", "exited", "held", "victory_hexes", "on_map", "bakumatsu", "yukimura",
}  # fmt: skip
"""States, places and orders that the two systems have."""


def test_match_report_picture_and_cli_name_no_word_of_a_system() -> None:
    rooms = ("match.", "report.", "picture.", "cli.")
    found = {
        (name, node.value)
        for name, tree in FILES.items()
        if name.startswith(rooms)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in WORDS_OF_SYSTEMS
    }
    assert found == set()
