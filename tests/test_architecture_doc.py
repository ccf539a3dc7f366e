"""docs/architecture.md: its rooms and modules are those of the package, and its levels are those of the imports.

`PBEM_REGENERATE=1` writes its tables of modules anew, from the first lines of the modules.
"""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest
from golden import REGENERATE, ROOT

from pbem.rules import SYSTEMS

FILE = ROOT / "docs" / "architecture.md"
PAGE = FILE.read_text("utf-8")
PACKAGE = ROOT / "pbem"
TABLE = "| module | what it is |\n| --- | --- |\n"


def rooms() -> list[str]:
    """The folders of the package that hold modules."""
    return sorted({file.parent.relative_to(PACKAGE).as_posix() for file in PACKAGE.rglob("*.py")} - {"."})


def modules(room: str) -> str:
    """The rows of a room's table; of those in no room for the empty name."""
    rows = []
    for file in sorted((PACKAGE / room).glob("*.py")):
        if not file.stem.startswith("__"):
            first = (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").split("\n")[0]
            words = re.sub(r" \((protocol|architecture)[^)]*\)", "", first).rstrip(".").replace("|", "/")
            rows.append(f"| `{file.stem}` | {words} |\n")
    return "".join(rows)


def sections() -> dict[str, str]:
    """Room -> what stands under its heading."""
    found = re.findall(
        r"^### (?:`pbem/([a-z/]+)/`: [^\n]*|In no room)\n(.*?)(?=^##|\Z)", PAGE, re.DOTALL | re.MULTILINE
    )
    return dict(found)


def test_every_room_has_its_section() -> None:
    assert sorted(sections()) == sorted(["", *rooms()])


@pytest.mark.parametrize("room", ["", *rooms()])
def test_the_table_of_a_room_names_each_of_its_modules(room: str) -> None:
    if room == "rules":  # told in words, with the kit and the systems below it
        assert all(f"`{word}`" in sections()[room] for word in ("SYSTEMS", "requests", *SYSTEMS))
        return
    found = sections()[room]
    table = found[found.index(TABLE) :].split("\n\n")[0] + "\n"
    if REGENERATE:
        FILE.write_text(FILE.read_text("utf-8").replace(table, TABLE + modules(room)), "utf-8")
    else:
        assert table == TABLE + modules(room)


def levels() -> dict[str, int]:
    """Room -> its line in the picture, counted from the top."""
    picture = re.search(r"\n\n((?:    [a-z]+ .*\n)+)", PAGE)
    assert picture is not None
    found = {}
    for number, line in enumerate(picture[1].splitlines()):
        names = re.split(r" {2,}", line.strip())[:-1]
        found |= dict.fromkeys(names, number)
    return found


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def test_imports_go_down_the_picture() -> None:
    level = levels()
    upward: set[tuple[str, str]] = set()
    assert set(level) == {file.stem for file in PACKAGE.iterdir() if not file.name.startswith("__")}
    for file in PACKAGE.rglob("*.py"):
        own = file.relative_to(PACKAGE).parts[0].removesuffix(".py")
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and own in level:
                names = [f"pbem.{a.name}" for a in node.names] if node.module == "pbem" else [node.module]
                others = {room_of(name) for name in names if name.startswith("pbem.")} & set(level)
                upward |= {(own, other) for other in others if other != own and level[other] <= level[own]}
    assert not upward


def test_the_eight_steps_are_carried_out_by_what_the_page_says() -> None:
    steps = re.findall(r"^\| ([1-8]) \w+ \| .* \| (.*) \|$", PAGE, re.MULTILINE)
    assert [number for number, _ in steps] == list("12345678")
    for _, named in steps:
        for path in re.findall(r"`(pbem\.[\w.]+)`", named):
            parts, found = path.split("."), None
            for end in range(len(parts), 0, -1):
                try:
                    found = import_module(".".join(parts[:end]))
                except ModuleNotFoundError:
                    continue
                for name in parts[end:]:
                    found = getattr(found, name)
                break
            assert found is not None, path


def test_what_lies_on_the_disk_is_what_the_home_folder_says() -> None:
    told = Path(PACKAGE / "home" / "contents.py").read_text("utf-8").split('"""')[1]
    places = {line.split("  ")[0].split("/")[0] for line in told.splitlines()[2:] if line.strip()}
    assert {"key, key.pub", "games", "cache"} <= places
    for place in {name.strip() for entry in places for name in entry.split(",")}:
        assert f"`{place}" in PAGE, place
