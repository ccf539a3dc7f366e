"""Catalogues of translations: what is to be said in each language, taken from the sources, and compiled.

    .venv/bin/python tools/catalogues.py            compile locale/TAG/LC_MESSAGES/*.po
    .venv/bin/python tools/catalogues.py --update   take new sentences into them first, and drop what is said no more

`pbem` takes its sentences from templates (Jinja's i18n) and from `say` and `count` in modules; `heard` takes English
sentences of modules in which nobody reads yet, whole strings and f-strings, of which each expression is a value. Which
templates and modules these are stands in DONE and HEARD_IN: a sentence in them that no catalogue has is a failed test.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from pbem.report.brief import at_the_beginning
from pbem.scenario import list_scenarios, load_scenario

__all__ = ["DONE", "HEARD_IN", "LOCALE", "compile_all", "heard", "heard_in", "said"]

ROOT = Path(__file__).resolve().parents[1]
LOCALE = ROOT / "locale"

DONE = (
    "templates/events.j2",
    "templates/bakumatsu/events.j2",
    "templates/bakumatsu/headlines.j2",
    "pbem/report/layout.py",
    "pbem/report/telling.py",
)
"""The files of which all sentences are said in every language."""

HEARD_IN = tuple(
    f"pbem/rules/bakumatsu/{name}.py"
    for name in (
        "acting", "commanders", "fire", "melee", "movement", "recovery_movement", "reinforcements", "retreat",
        "sequence", "setup", "situation", "victory",
    )
)  # fmt: skip
"""The modules whose English is recognised: of bakumatsu what it refuses, asks, and tells of how things stand."""

SYSTEMS = ("bakumatsu",)
"""The systems of whose scenarios the titles of sides and phases, and what units have, are recognised."""

WORDS = (
    "a stop condition holds", "an order lapsed under `strict`", "no effect", "disordered", "gone", "alive", "recover",
    "check", "fire", "melee", "city", "hill", "stream hexside", "wetland", "from mountain top", "mountain top",
    "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
)  # fmt: skip
"""Single words and short sentences from tables, maps and the match that are recognised besides."""

KEYWORDS = {"_": None, "gettext": None, "say": None, "count": (2, 3)}
"""By which functions sentences are marked; `count` takes a noun in both its numbers."""

VALUE = re.compile(r"%\(\w+\)s")

NOISE = frozenset(
    {"s", "self", "board", "describe", "place", "label", "h", "len", "join", "counted", "count", "spelled", "the"}
)
"""Names that say nothing of what a value is."""


def said() -> dict[str | tuple[str, str], str]:
    """What is said -> where it stands: a sentence, or a noun in both its numbers."""
    found: dict[str | tuple[str, str], str] = {}
    for name in DONE:
        method = "python" if name.endswith(".py") else "jinja2.ext:babel_extract"
        options = {"trimmed": "true", "trim_blocks": "true", "lstrip_blocks": "true"} if method != "python" else {}
        with (ROOT / name).open("rb") as file:
            for line, message, *_ in extract(method, file, KEYWORDS, options=options):
                key = tuple(message) if isinstance(message, tuple) else message
                if key and all(key):
                    found.setdefault(key, f"{name}:{line}")
    return found


def heard() -> dict[str, str]:
    """English sentences that are recognised -> where they stand."""
    found: dict[str, str] = {}
    for system in SYSTEMS:
        for title in _titles(system):
            found.setdefault(title, f"scenarios/{system}:0")
    found |= dict.fromkeys(WORDS, "tools/catalogues.py:0")
    for name in HEARD_IN:
        for line, sentence in heard_in((ROOT / name).read_text("utf-8")):
            found.setdefault(sentence, f"{name}:{line}")
    return found


def _titles(system: str) -> Iterator[str]:
    """Titles of sides, phases and where units are, and names of what stands on counters, in scenarios of a system."""
    for summary in list_scenarios():
        scenario = load_scenario(summary.id)
        if scenario.system == system:
            found = at_the_beginning(scenario)
            yield from (thing["title"] for key in ("sides", "phases", "where") for thing in found[key])
            yield from (word for unit in found["units"] for word in (unit["symbol"], *unit["values"], *unit["extra"]))
            yield from (found["ground"], found.get("turn_title", "turn"))


def heard_in(source: str) -> Iterator[tuple[int, str]]:
    """The sentences of a module: strings with a blank between letters, but for docstrings."""
    tree = ast.parse(source)
    passed = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            passed |= {id(part) for part in node.values}
    for node in ast.walk(tree):
        sentence = ""
        if isinstance(node, ast.JoinedStr):
            sentence = _sentence(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in passed:
            sentence = node.value.replace("%", "%%") if VALUE.search(node.value) else node.value
        if re.search(r"[A-Za-z]{2,}", VALUE.sub("", sentence)) and " " in sentence.strip():
            yield node.lineno, sentence


def _sentence(joined: ast.JoinedStr) -> str:
    """An f-string as a sentence with values, each named by the last word of its expression that says something."""
    told, names = "", dict[str, str]()
    for part in joined.values:
        if isinstance(part, ast.Constant):
            told += str(part.value).replace("%", "%%")
            continue
        expression = ast.unparse(part.value)
        words = [word for word in re.findall(r"[A-Za-z_]\w*", expression) if word not in NOISE]
        name = words[-1] if words and words[-1].isidentifier() else "value"
        while names.setdefault(name, expression) != expression:
            name += "_"
        told += f"%({name})s"
    return told


def catalogue(path: Path) -> Catalog:
    """A catalogue as it is."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3])


def compile_all(root: Path = LOCALE) -> list[Path]:
    """Compile every catalogue beside its source; what was written."""
    made = []
    for path in sorted(root.glob("*/LC_MESSAGES/*.po")):
        made.append(path.with_suffix(".mo"))
        with made[-1].open("wb") as file:
            write_mo(file, catalogue(path))
    return made


def update() -> None:
    """Take new sentences into the catalogues, without their translation yet, and drop what is said no more."""
    for path in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
        before, now = catalogue(path), Catalog(locale=path.parts[-3], project="pbem", fuzzy=False)
        for sentence, where in (said() if path.stem == "pbem" else heard()).items():
            key = sentence if isinstance(sentence, str) else sentence[0]
            old = before.get(key)
            now.add(sentence, old.string if old else None, [(where.rpartition(":")[0], None)])
        with path.open("wb") as file:
            write_po(file, now, width=120, sort_output=True, omit_header=False)


if __name__ == "__main__":
    if "--update" in sys.argv[1:]:
        update()
    sys.stdout.writelines(f"{made}\n" for made in compile_all())
