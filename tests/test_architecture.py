"""The architecture: who may import whom, and who may print, read the clock, roll dice or touch the disk."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
import toy

import pbem
from pbem.errors import BadScenario
from pbem.rules import SYSTEMS, Rules, rules_of

ROOT = Path(pbem.__file__).parent
FILES = {
    ".".join(("pbem", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in sorted(ROOT.rglob("*.py"))
}
TREES = {name: ast.parse(path.read_text("utf-8")) for name, path in FILES.items()}
FOR_RULES = {"pbem.errors", "pbem.words", "pbem.maps.hexes", "pbem.maps.map", "pbem.rules.requests"}
KIT = "pbem.rules.kit"
ON_DISK = {
    "resources",
    "scenario",
    "home.gamelog",
    "mail.inbox",
    "crypto.keys",
    "crypto.openssh",
    "home.folders",
    "report.layout",
    "home.backup",
    "home.restore",
    "home.cache",
    "home.lock",
    "home.times",
}
CORE = {
    "match.bots",
    "crypto.hashing",
    "crypto.dice",
    "match.check",
    "errors",
    "match.form",
    "match.game",
    "match.genesis",
    "maps.hexes",
    "maps.map",
    "match.orders",
    "rules.requests",
    "match.table",
    "match.take",
}
THIRD_PARTY = {"click", "jinja2", "yaml", "cryptography", "filelock"}
IF_INSTALLED = {"bcrypt", "cairosvg"}
DISK_CALLS = {
    "read_text", "read_bytes", "write_text", "write_bytes", "open", "mkdir", "unlink", "rmdir", "rmtree", "iterdir",
    "glob", "rglob", "is_file", "is_dir", "exists", "stat", "chmod", "touch", "fdopen", "fsync",
}  # fmt: skip


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


def own(tree: ast.AST) -> set[str]:
    """The modules of pbem that a tree imports."""
    return {name for name in imports(tree) if name in FILES and name != "pbem"}


def called(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """What is called: `print`, `open` or the last name of `a.b.c`, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node.func.id, node.lineno
            elif isinstance(node.func, ast.Attribute):
                yield node.func.attr, node.lineno


def outside_cli() -> dict[str, ast.Module]:
    return {name: tree for name, tree in TREES.items() if not name.startswith("pbem.cli")}


def test_the_whole_package_is_looked_at() -> None:
    assert {"pbem", "pbem.match.table", "pbem.cli", "pbem.rules", "pbem.rules.bakumatsu"} <= FILES.keys()
    assert len(FILES) > 40


def test_rules_import_only_what_rules_may_know() -> None:
    for system, package in SYSTEMS.items():
        modules = [name for name in TREES if name == package or name.startswith(f"{package}.")]
        assert modules, system
        for name in modules:
            strangers = {
                other
                for other in own(TREES[name]) - FOR_RULES
                if other not in (package, KIT) and not other.startswith((f"{package}.", f"{KIT}."))
            }
            assert not strangers, f"{name} imports {strangers}"


def test_the_kit_knows_no_system() -> None:
    modules = [name for name in TREES if name.startswith(f"{KIT}.")]
    assert modules
    for name in modules:
        strangers = {other for other in own(TREES[name]) - FOR_RULES if not other.startswith(KIT)}
        assert not strangers, f"{name} imports {strangers}"


def test_the_rest_knows_no_system_but_through_the_table() -> None:
    for name, tree in TREES.items():
        if not name.startswith("pbem.rules."):
            strangers = {
                other for other in own(tree) if other.startswith("pbem.rules.") and other != "pbem.rules.requests"
            }
            assert not strangers, f"{name} imports {strangers}"


def test_the_rest_names_no_system() -> None:
    """What a system needs is asked of its package; nothing else tells one from another."""
    for name, path in FILES.items():
        if not name.startswith("pbem.rules."):
            code = path.read_text("utf-8")
            if name == "pbem.rules":
                code = code.replace(code[code.index("SYSTEMS = {") : code.index("}\n")], "")
            named = [system for system in SYSTEMS if system in code.lower()]
            assert not named, f"{name} names {named}"


def test_the_core_knows_no_file_mail_or_command() -> None:
    for name in CORE - {"match.take"}:
        high = {
            f"pbem.{other}"
            for other in (
                "crypto.keys",
                "mail.inbox",
                "home.gamelog",
                "home.folders",
                "desk.desk",
                "report.build",
                "picture.svg",
                "cli",
            )
        }
        strangers = own(TREES[f"pbem.{name}"]) & high
        assert not strangers, f"{name} imports {strangers}"
    assert not own(TREES["pbem.match.take"]) & {
        "pbem.mail.inbox",
        "pbem.home.folders",
        "pbem.desk.desk",
        "pbem.report.layout",
        "pbem.cli",
    }


def test_only_the_commands_import_the_commands() -> None:
    for name, tree in outside_cli().items():
        strangers = {other for other in own(tree) if other.startswith("pbem.cli")}
        assert not strangers or name == "pbem.__main__", f"{name} imports {strangers}"


def test_imports_at_the_top_make_no_circle() -> None:
    """An import inside a function may close one; what is needed to load a module may not."""
    needs = {
        name: {
            other
            for node in tree.body
            if isinstance(node, ast.Import | ast.ImportFrom)
            for other in own(ast.Module([node], []))
            if other != name and not name.startswith(f"{other}.")
        }
        for name, tree in TREES.items()
    }
    loaded: set[str] = set()
    while ready := {name for name in needs.keys() - loaded if needs[name] <= loaded}:
        loaded |= ready
    assert not needs.keys() - loaded


def test_only_the_commands_print_or_exit() -> None:
    for name, tree in outside_cli().items():
        for what, line in called(tree):
            assert what not in ("print", "echo", "exit", "_exit", "input"), f"{name}, line {line}: {what}"


def test_only_the_commands_know_the_clock_and_chance() -> None:
    for name, tree in outside_cli().items():
        strangers = {"time", "datetime", "random", "secrets", "uuid"} & {
            module.split(".")[0] for module in imports(tree)
        }
        strangers -= {"secrets"} if name == "pbem.home.gamelog" else set()  # names of scratch files that nobody guesses
        assert not strangers, f"{name} imports {strangers}"
        assert "urandom" not in {what for what, _ in called(tree)}, name


def test_only_the_modules_named_for_it_touch_the_disk() -> None:
    touching = set()
    for name, tree in outside_cli().items():
        lines = [f"{what} in line {line}" for what, line in called(tree) if what in DISK_CALLS]
        if name.removeprefix("pbem.") in ON_DISK:
            touching |= {name} if lines else set()
        else:
            assert not lines, f"{name}: {lines}"
    assert {
        "pbem.scenario",
        "pbem.home.gamelog",
        "pbem.mail.inbox",
        "pbem.crypto.keys",
        "pbem.home.folders",
    } <= touching


def test_nothing_is_needed_but_the_dependencies_named() -> None:
    for name, tree in TREES.items():
        roots = {module.split(".")[0] for module in imports(tree)}
        strangers = roots - sys.stdlib_module_names - THIRD_PARTY - {"pbem"}
        assert strangers <= IF_INSTALLED, f"{name} imports {strangers}"


def test_rules_and_core_keep_no_state_of_their_own() -> None:
    for name, tree in TREES.items():
        if name.startswith("pbem.rules") or name.removeprefix("pbem.") in CORE:
            assert not [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Global)], name


def test_every_module_says_in_one_sentence_what_it_is() -> None:
    for name, tree in TREES.items():
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
        for node in TREES["pbem.rules"].body
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
