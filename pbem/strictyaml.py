"""A strict reader for a small part of YAML: mappings, lists and strings, in bounded time.

Every scalar is a string, also `yes`, `0622` and `1.5`; an empty value is the empty string. Anchors, aliases, tags,
directives, merge keys, keys that aren't scalars, doubled keys and a second document are errors. Whatever the text
holds, `load` returns data or raises BadScenario, and it never needs more than a few seconds.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any, NoReturn, TypeAlias

import yaml
from yaml.composer import Composer
from yaml.reader import ReaderError

from pbem.errors import BadScenario
from pbem.resources import MAX_BYTES

__all__ = ["MAX_DEPTH", "MAX_NODES", "Data", "load"]

MAX_DEPTH = 12
"""Mappings and lists inside one another."""

MAX_NODES = 50_000
"""Mappings, lists, keys and values of a file, counted together."""

Data: TypeAlias = "str | list[Data] | dict[str, Data]"

_READ_DIFFERENTLY = re.compile(r"[\t?\ufeff]|[|>]\S*#")
"""What libyaml takes now and then where PyYAML's own parser refuses it: such texts are left to the latter."""

_UNDRESSED = (ValueError, ArithmeticError, LookupError)
"""Errors of numbers in an escape or a directive that Python can't hold; they come out of the library as they are."""


def load(text: str | bytes, name: str) -> Data:
    """The data of one YAML document; bytes must be UTF-8. Raises BadScenario with `name` and the line."""
    if len(text) > MAX_BYTES:
        raise BadScenario("the file is too long", name, f"{MAX_BYTES} bytes at most")
    if isinstance(text, bytes):
        text = _decoded(text, name)
    data, loader = None, None
    try:
        if _READ_DIFFERENTLY.search(text) is None:
            try:
                return _something(Fast(text).get_single_data(), name)
            except (yaml.YAMLError, *_UNDRESSED) as problem:  # what is wrong, the other one says, everywhere alike
                if isinstance(problem, yaml.MarkedYAMLError) and problem.note:  # but for what we refuse ourselves
                    raise
        loader = Plain(text)
        data = loader.get_single_data()
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        if mark and (line := _open_quote(text, mark)):
            raise _refusal("the second quote of a text seems to be missing", "write it", name, line) from None
        raise _refusal(*_in_words(problem), name, mark.line + 1 if mark else 0) from None
    except ReaderError as problem:
        line = text.count("\n", 0, problem.position) + 1
        what = f"the character U+{ord(text[problem.position]):04X} isn't allowed"
        raise _refusal(what, "remove it", name, line) from None
    except (yaml.YAMLError, *_UNDRESSED) as problem:
        what = f"this isn't YAML ({problem})"
        raise _refusal(what, "write `KEY: VALUE` lines", name, loader.line + 1 if loader else 0) from None
    return _something(data, name)


def _something(data: Data | None, name: str) -> Data:
    """The data, if there are any."""
    if data is None or data == "":
        raise BadScenario("the file holds nothing", name, "write `KEY: VALUE` lines")
    return data


def _decoded(raw: bytes, name: str) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = raw.count(b"\n", 0, problem.start) + 1
        raise _refusal(f"byte {raw[problem.start]:#04x} isn't UTF-8", "save the file as UTF-8", name, line) from None


def _refusal(what: str, right: str, name: str, line: int) -> BadScenario:
    """What is wrong in a line counted from 1, 0 for the file as a whole."""
    return BadScenario(what, f"{name}, line {line}" if line else name, right)


_WORDS = (
    ("another document", "a second document begins", "one file holds one document"),
    ("mapping values", "a second colon, or a line that goes on with what stands above it",
     "put a text with `: ` in quotes; begin the keys of a block at one column"),
    ("expected ':'", "this line, or the one above it, is no `KEY: VALUE`", "write a colon and a blank behind the key"),
    ("<block end>", "this doesn't go on with what stands above it",
     "begin the lines of a block at one column; a text with quotes in it stands in other quotes"),
    ("',' or '[]}]'", "the list or mapping that begins in line {line} has no end here",
     "write commas between its parts, and ] or } behind the last"),
    ("end of stream", "the text in quotes that begins in line {line} has no end", "write the second quote"),
    ("sequence entries", "a list that begins with - stands behind its key", "begin it in the next line"),
    (r"character .\\t", "a tab stands in front", "indent with blanks"),
    ("character (.*) that cannot start", "no text begins with {0}", "put it in quotes"),
    ("node content, but found (.*)", "{0} stands where a value is missing", "put a text in quotes"),
    ("escape", "a \\ in double quotes that means nothing", "write two of them, or single quotes"),
    ("document start", "something stands behind the end of the data", "leave it out"),
    ("scanning an (?:alias|anchor): expected", "no text begins with * or &", "put it in quotes"),
    ("indentation indicator", "something stands behind | or >", "begin the text in the next line"),
)  # fmt: skip
"""What the library says, what it means to someone who writes a scenario, and what would be right."""


def _in_words(problem: yaml.MarkedYAMLError) -> tuple[str, str]:
    """What is wrong with a text and what would be right; a note is one of our own."""
    said = problem.problem or problem.context or ""
    if problem.note:
        return said, problem.note
    line = problem.context_mark.line + 1 if problem.context_mark else 0
    for pattern, what, right in _WORDS:
        if found := re.search(pattern, said) or re.search(pattern, f"{problem.context}: {said}"):
            return what.format(*found.groups(), line=line), right
    return f"this isn't YAML ({said})", "write `KEY: VALUE` lines"


def _open_quote(text: str, mark: yaml.Mark) -> int:
    """The line of a text in quotes that ends in the line of an error and begins in one above; 0 when there is none.

    A quote that isn't closed ends at the next one, which opens another text.
    """
    line = text[text.rfind("\n", 0, mark.index) + 1 :].partition("\n")[0]
    if "'" not in line and '"' not in line:
        return 0
    with suppress(yaml.YAMLError, *_UNDRESSED):
        for token in yaml.scan(text, Loader=yaml.BaseLoader):
            if token.start_mark.index >= mark.index:
                break
            quoted = isinstance(token, yaml.ScalarToken) and token.style in ("'", '"')
            if quoted and token.start_mark.line < token.end_mark.line == mark.line:
                return int(token.start_mark.line) + 1
    return 0


class _Strict(Composer):
    """Makes a loader of PyYAML refuse, where it stands, whatever is more than mappings, lists and strings."""

    def __init__(self) -> None:
        Composer.__init__(self)
        self.nodes = self.depth = 0
        self.keys: dict[yaml.Node, set[str]] = {}

    def compose_document(self: Any) -> yaml.Node | None:
        event = self.peek_event()
        if event.version or event.tags:
            _refuse(event, "directives aren't allowed", "remove the lines that begin with %")
        return Composer.compose_document(self)

    def compose_node(self: Any, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event = self.peek_event()
        self.nodes += 1
        if self.nodes > MAX_NODES:
            _refuse(event, "the file holds too many keys and values", f"{MAX_NODES} at most")
        _check(event)
        if isinstance(parent, yaml.MappingNode) and index is None:  # so a key is asked for
            _check_key(event, self.keys.setdefault(parent, set()))
        nested = isinstance(event, yaml.CollectionStartEvent)
        self.depth += nested
        if self.depth > MAX_DEPTH:
            _refuse(event, "mappings and lists are nested too deeply", f"{MAX_DEPTH} levels at most")
        node = Composer.compose_node(self, parent, index)
        self.depth -= nested
        return node


class Plain(_Strict, yaml.BaseLoader):
    """The loader written in Python."""

    def __init__(self, text: str) -> None:
        yaml.BaseLoader.__init__(self, text)
        _Strict.__init__(self)


Fast: type[Any] = Plain
if yaml.__with_libyaml__:

    class _OverLibyaml(_Strict, yaml.CBaseLoader):
        def __init__(self, text: str) -> None:
            yaml.CBaseLoader.__init__(self, text)
            _Strict.__init__(self)

    Fast = _OverLibyaml  # four times as fast


def _check(event: Any) -> None:
    """Refuse what a node may not carry."""
    if isinstance(event, yaml.AliasEvent):
        _refuse(event, f"the alias *{_shown(event.anchor or '')} isn't allowed", "write the value out")
    if event.anchor is not None:
        _refuse(
            event, f"the anchor &{_shown(event.anchor)} isn't allowed", "remove it, quote a text that begins with &"
        )
    if event.tag is not None:
        _refuse(event, f"the tag {_shown(event.tag)} isn't allowed", "remove it, or quote the text")
    if isinstance(event, yaml.ScalarEvent) and any("\ud800" <= letter <= "\udfff" for letter in event.value):
        _refuse(event, "half a surrogate pair isn't a character", "write the character itself")


def _check_key(event: Any, before: set[str]) -> None:
    """Refuse a key that isn't a word, or stood there before."""
    if not isinstance(event, yaml.ScalarEvent):
        _refuse(event, "a key is a mapping or list", "keys are plain words")
    if event.value in before:
        _refuse(event, f"the key '{_shown(event.value)}' stands twice", "keep one of them")
    if event.value == "<<":
        _refuse(event, "the merge key << isn't allowed", "write the keys out")
    before.add(event.value)


def _refuse(event: Any, what: str, right: str) -> NoReturn:
    raise yaml.MarkedYAMLError(problem=what, problem_mark=event.start_mark, note=right)


def _shown(word: str) -> str:
    """A word of the file for a message: its beginning, on one line."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in word[:60])
