"""Catalogues of translations: what is to be said in each language, taken from the sources, and compiled.

    .venv/bin/python tools/catalogues.py                 compile locale/TAG/{said,heard}/*.po
    .venv/bin/python tools/catalogues.py --update [PART] take new sentences into them (of one part) first, and drop what
                                                         is said no more

What is `said` is taken from templates (Jinja's i18n), from `say` and `count` in modules, and from `_` in scripts; what
is `heard` are English sentences of modules in which nobody reads yet, whole strings and f-strings, of which each
expression is a value. locale/parts.yaml says which files these are, part by part, a catalogue each: a sentence in them
that no catalogue has is a failed test.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml
from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from compiling import compiled

from pbem.cli.helped import EXAMPLE, paragraphs
from pbem.records import NamedTuple
from pbem.report.brief import at_the_beginning
from pbem.scenario import list_scenarios, load_scenario

__all__ = ["HEARD", "LOCALE", "PARTS", "SAID", "Part", "catalogues", "compile_all", "heard_in", "wanted"]

ROOT = Path(__file__).resolve().parents[1]
LOCALE = ROOT / "locale"

SAID, HEARD = "said", "heard"
"""What reports and commands say, and what is recognised: a folder of catalogues each, one for each part."""


class Part(NamedTuple):
    """The sources of a catalogue, by patterns of files below the checkout.

    systems   whose scenarios' titles of sides, phases and the like are recognised;  words   what is recognised besides
    texts     `files: key` of data: each string, or string of a list, that stands at such a key is recognised
    help      modules of commands, whose docstrings are recognised paragraph by paragraph
    never     strings of these modules that nobody is told
    """

    said: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    help: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


def _parts() -> dict[str, Part]:
    read = yaml.safe_load((LOCALE / "parts.yaml").read_text("utf-8"))
    return {name: Part(**{key: tuple(each) for key, each in part.items()}) for name, part in read.items()}


PARTS = _parts()
"""What there is to translate: part -> its sources. A sentence of several parts is in the catalogue of the first."""

KEYWORDS = {"_": None, "gettext": None, "say": None, "count": (2, 3)}
"""By which functions sentences are marked; `count` takes a noun in both its numbers."""

OPTIONS = {"trimmed": "true", "trim_blocks": "true", "lstrip_blocks": "true"}
"""How Jinja's extraction reads templates."""

VALUE = re.compile(r"%\(\w+\)s")

NOISE = frozenset(
    {"s", "self", "board", "describe", "place", "label", "h", "len", "join", "counted", "count", "spelled", "the"}
)
"""Names that say nothing of what a value is."""


def wanted(domain: str) -> dict[str, dict[str | tuple[str, str], str]]:
    """Part -> its sentences -> where they stand: a sentence, or a noun in both its numbers."""
    found: dict[str, dict[str | tuple[str, str], str]] = {}
    seen = set[str | tuple[str, str]]()
    for name, part in PARTS.items():
        told = _said(part) if domain == SAID else _heard(part)
        found[name] = {key: where for key, where in told.items() if key and key not in seen}
        seen |= {*told}
    return found


def files_of(patterns: tuple[str, ...]) -> Iterator[str]:
    """The files of a part; a pattern that no file has is a defect."""
    for pattern in patterns:
        found = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(pattern))
        if not found:
            raise FileNotFoundError(f"locale/parts.yaml: no file is {pattern}")
        yield from found


def _said(part: Part) -> dict[str | tuple[str, str], str]:
    found: dict[str | tuple[str, str], str] = {}
    for name in files_of(part.said):
        with (ROOT / name).open("rb") as file:
            for line, message, *_ in extract(method_of(name), file, KEYWORDS, options=OPTIONS):
                key = tuple(message) if isinstance(message, tuple) else message
                if key and all(key):
                    found.setdefault(key, f"{name}:{line}")
    return found


def method_of(name: str) -> str:
    """How Babel reads a file."""
    if name.endswith(".py"):
        return "python"
    return "javascript" if ".js" in name else "jinja2.ext:babel_extract"


def _heard(part: Part) -> dict[str | tuple[str, str], str]:
    found: dict[str | tuple[str, str], str] = {}
    for system in part.systems:
        for title in _titles(system):
            found.setdefault(title, f"scenarios/{system}:0")
    found |= dict.fromkeys(part.words, "locale/parts.yaml:0")
    for text in part.texts:
        pattern, key = text.split(": ")
        for name in files_of((pattern,)):
            found |= dict.fromkeys(texts(yaml.safe_load((ROOT / name).read_text("utf-8")), key), f"{name}:0")
    for name in files_of(part.help):
        for line, paragraph in help_in((ROOT / name).read_text("utf-8")):
            found.setdefault(paragraph, f"{name}:{line}")
    for name in files_of(part.heard):
        for line, sentence in heard_in((ROOT / name).read_text("utf-8")):
            found.setdefault(sentence, f"{name}:{line}")
    return {sentence: where for sentence, where in found.items() if sentence not in part.never}


def texts(data: object, key: str) -> Iterator[str]:
    """What stands at a key of data, wherever in them the key is."""
    if isinstance(data, dict):
        at = data.get(key)
        yield from (each for each in (at if isinstance(at, list) else [at]) if isinstance(each, str))
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    for each in inner:
        yield from texts(each, key)


def _titles(system: str) -> Iterator[str]:
    """Titles of sides, phases and where units are, and names of what stands on counters, in scenarios of a system."""
    for summary in list_scenarios():
        scenario = load_scenario(summary.id)
        if scenario.system == system:
            found = at_the_beginning(scenario)
            yield from (thing["title"] for key in ("sides", "phases", "where") for thing in found[key])
            yield from (word for unit in found["units"] for word in (unit["symbol"], *unit["values"], *unit["extra"]))
            yield from (found["ground"], found.get("turn_title", "turn"))


def help_in(source: str) -> Iterator[tuple[int, str]]:
    """The help of a module's commands: paragraphs of docstrings, but for examples."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and any(_makes_a_command(each) for each in node.decorator_list):
            for paragraph in paragraphs(ast.get_docstring(node) or ""):
                if not paragraph.words.startswith(EXAMPLE):
                    yield node.lineno, paragraph.words


def _makes_a_command(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Attribute) and called.attr in {"command", "group"}


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


def catalogues(tag: str, domain: str) -> dict[str, Catalog]:
    """Part -> its catalogue as it is."""
    return {path.stem: catalogue(path) for path in sorted((LOCALE / tag / domain).glob("*.po"))}


def compile_all() -> list[Path]:
    """Compile the catalogues of every language; what was written."""
    return compiled(LOCALE)


def update(only: str = "") -> None:
    """Take new sentences into the catalogues, without their translation yet, and drop what is said no more."""
    for tag in sorted(path.name for path in LOCALE.iterdir() if path.is_dir()):
        for domain in (SAID, HEARD):
            held = catalogues(tag, domain)
            before = {message.id: message.string for each in held.values() for message in each if message.string}
            for part, sentences in wanted(domain).items():
                if part == only or not only:
                    own = {message.id: message.string for message in held.get(part, ()) if message.string}
                    _write(LOCALE / tag / domain / f"{part}.po", sentences, before | own)


def _write(path: Path, sentences: dict[str | tuple[str, str], str], before: dict[object, object]) -> None:
    if not sentences:
        path.unlink(missing_ok=True)
        return
    now = Catalog(locale=path.parts[-3], fuzzy=False)
    for sentence, where in sentences.items():
        now.add(sentence, before.get(sentence), [(where.rpartition(":")[0], None)])
    now.header_comment = ""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, now, width=120, sort_output=True, omit_header=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--update"]:
        update(*sys.argv[2:3])
    sys.stdout.writelines(f"{made}\n" for made in compile_all())
