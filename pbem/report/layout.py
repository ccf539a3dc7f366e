"""How a report's words are laid out: strings from outside made harmless, lines filled, templates found and rendered."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any, TypeAlias

from pbem import __version__, language, resources
from pbem.errors import Storage
from pbem.home.cache import keep_marshalled, recall_marshalled
from pbem.language import ENGLISH, listed, say
from pbem.language.lines import across, filled
from pbem.rules.fates import result_words
from pbem.words import the, turn_word

if TYPE_CHECKING:
    from jinja2 import BytecodeCache, Environment, Template

__all__ = [
    "WIDTH",
    "Json",
    "amount",
    "as_it_stands",
    "capital",
    "clean",
    "clean_text",
    "count",
    "environment",
    "fill",
    "in_both",
    "picture_mark",
    "plain",
    "render",
    "said_once",
    "template",
]

WIDTH = 76  # columns of a text report: quoted twice it still fits into 80

Json: TypeAlias = dict[str, Any]

_STOPS = ".。"

_NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_WIDE = frozenset("（）：；，！？％～")
"""Signs of text in wide letters, which stay wide."""
_AS_WIDE = re.compile(f"([{''.join(sorted(_WIDE))}])").split
_LOOKALIKES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "×": "x", "ß": "ss", "ø": "o", "Ø": "O", "ł": "l"})


_AS_IS = frozenset({int, bool, float, type(None)})
"""Kinds of values in which there are no words. A report has thousands of values: the kind of each is asked first."""


def clean(value: Any) -> Any:
    """JSON data with every string cleaned: no control or bidi characters, no line breaks, no run of dashes.

    A run of dashes could be taken for the fence of a turn block (protocol 2.4).
    """
    kind = value.__class__
    if kind is dict:
        return {
            clean_text(key if key.__class__ is str else str(key)): item
            if (kind := item.__class__) in _AS_IS
            else (clean_text(item) if kind is str else clean(item))
            for key, item in value.items()
        }
    if kind is list or kind is tuple:
        return [
            item if (kind := item.__class__) in _AS_IS else clean_text(item) if kind is str else clean(item)
            for item in value
        ]
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, Mapping):
        return clean(dict(value))
    return clean([*value]) if isinstance(value, list | tuple) else value


@lru_cache(1 << 12)
def clean_text(words: str) -> str:
    if words.isascii() and words.isprintable() and "---" not in words:
        return words
    kept = []
    for letter in "".join(part if part in _WIDE else unicodedata.normalize("NFKC", part) for part in _AS_WIDE(words)):
        kind = unicodedata.category(letter)
        if letter.isspace():
            kept.append(" ")
        elif kind == "Pd" or letter == "\N{MINUS SIGN}":
            kept.append("-")
        elif kind[0] != "C":
            kept.append(letter)
    return re.sub("-{3,}", "--", " ".join("".join(kept).split()))


def plain(value: Any) -> Any:
    """JSON data in ASCII: accents dropped, what has no ASCII form becomes a question mark; as it is but in English."""
    if language.language() != ENGLISH:
        return value
    return _plain(value)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.isascii() else _plain_text(value)
    if isinstance(value, dict):
        return {
            (key if key.isascii() else _plain_text(key)): item
            if (kind := item.__class__) in _AS_IS or (kind is str and item.isascii())
            else _plain(item)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [
            item if (kind := item.__class__) in _AS_IS or (kind is str and item.isascii()) else plain(item)
            for item in value
        ]
    return value


def _plain_text(words: str) -> str:
    letters = unicodedata.normalize("NFKD", words.translate(_LOOKALIKES))
    spelt = "".join(c for c in letters if not unicodedata.combining(c))
    return clean_text(spelt.encode("ascii", "replace").decode("ascii"))


WHOLE = re.compile(r"(?<![\w-])[a-z]+-[0-9]+(?![\w-])|(?<![\w.-])\d+(?:\.\d+)? \d+(?:\.\d+)?(?![\w-]|\.\d)")
"""An id of a unit, which browsers would break behind its hyphen, or the two numbers of a place on a table."""

KEPT = re.compile(r"(<(svg|style|title|pre)\b[^<]*+(?:<(?!/\2>)[^<]*+)*+</\2>|<[^>]*>)")
"""What of a page isn't flowing text: tags, pictures, the turn block."""


def unbroken(page: str) -> str:
    """A page in whose flowing text no line breaks within an id or a place, nor between a number and its %.

    By an element that every browser knows (HTML 15.3.4): a mail has no style; what is copied of an id is the same.
    """
    parts = KEPT.split(page)  # text, what is kept, its name, text, ...
    parts[::3] = [WHOLE.sub(_whole, part).replace(" %", "\N{NO-BREAK SPACE}%") for part in parts[::3]]
    del parts[2::3]
    return "".join(parts)


def _whole(found: re.Match[str]) -> str:
    return f"<nobr>{found[0]}</nobr>"


WORD = re.compile(r"\S+(?:\s+%\S*)*")
"""A word; `28 %` is one, in which no line breaks."""


def fill(words: str, first: str = "  ", rest: str = "    ", width: int = WIDTH) -> str:
    """`words` as lines of at most `width` columns, indented; blanks are the only places to break, if there is one, but
    for the one in `28 %`.
    """
    if language.language() != ENGLISH and not words.isascii():
        return filled(words, first, rest, width)
    lines, line, empty = [], first, True
    for word in (" ".join(found.split()) for found in WORD.findall(words)):
        while True:
            if not empty and across(line) + 1 + across(word) > width:
                lines.append(line)
                line, empty = rest, True
            if len(line) + len(word) <= width:
                break
            room = width - len(line)
            lines.append(line + word[:room])
            line, word = rest, word[room:]
        line = line + word if empty else f"{line} {word}"
        empty = False
    return "\n".join([*lines, line.rstrip()])


def columns(line: str) -> int:
    """How many letters of a line fit into WIDTH columns: half of them where there are wide ones (Unicode UAX 11)."""
    if language.language() != ENGLISH:
        return WIDTH  # `fill` counts them itself
    return WIDTH // 2 if any(unicodedata.east_asian_width(letter) in "WF" for letter in line) else WIDTH


def called(things: Iterable[Json], japanese: Mapping[str, str] | None = None) -> str:
    """Units or places in a list, each with its id or hex: `Akaike (1810) and 1122`; Japanese names, too, if given."""
    pairs = [(thing["name"], thing.get("id") or thing["at"]) for thing in things]
    return listed(
        f"{in_both(name, japanese or {})} ({mark})" if name and name != mark else mark for name, mark in pairs
    )


def in_both(name: str, japanese: Mapping[str, str]) -> str:
    """A name in both scripts: `Akaike 赤池`."""
    return f"{name} {japanese[name]}" if name in japanese else name


def luckily(luck: Json) -> str:
    """`9.5 better than their mean, give or take 10.9`: how lucky a side's dice were in sum."""
    better, spread = luck["better"], f"{luck['spread']:g}"
    by, one = f"{abs(better):g}", luck["dice"] == 1
    if better > 0 and one:
        return say("%(by)s better than its mean, give or take %(spread)s", by=by, spread=spread)
    if better > 0:
        return say("%(by)s better than their mean, give or take %(spread)s", by=by, spread=spread)
    if better and one:
        return say("%(by)s worse than its mean, give or take %(spread)s", by=by, spread=spread)
    if better:
        return say("%(by)s worse than their mean, give or take %(spread)s", by=by, spread=spread)
    if one:
        return say("neither better nor worse than its mean, give or take %(spread)s", spread=spread)
    return say("neither better nor worse than their mean, give or take %(spread)s", spread=spread)


def gathered(news: Iterable[Json]) -> Iterator[Json]:
    """The groups of news; phases of a turn that follow each other and in which nothing was done have one heading."""
    for (turn, _), found in groupby(
        enumerate(news), lambda one: (one[1]["turn"], one[0] if one[1]["actions"] or one[1]["begun"] else -1)
    ):
        groups = [group for _, group in found]
        others = [re.sub(rf"^(\w+ {turn}, |\D+{turn}\D*?、)", "", group["title"]) for group in groups[1:]]
        yield {**groups[0], "title": listed([groups[0]["title"], *others])}


def in_full(news: Iterable[Json]) -> list[Json]:
    """The groups of news without what their headlines tell whole."""
    found = [{**group, "actions": [action for action in group["actions"] if not action["whole"]]} for group in news]
    return [group for group in found if group["actions"]]


def runs(numbers: Sequence[int]) -> str:
    """Rising numbers in words, three or more that follow each other as one: `1 to 4, 7 and 8`."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return listed(
        word
        for run in found
        for word in (
            [say("%(first)s to %(last)s", first=run[0], last=run[-1])]
            if len(run) > 2
            else [str(number) for number in run]
        )
    )


def state_of(place: Json, sides: Iterable[Json]) -> list[str]:
    """What is told of a place that counts or whose state isn't that of the map, each in words."""
    titles = {side["id"]: side["title"] for side in sides}
    holder = titles.get(place["control"], place["control"])
    held = say("an objective, of %(side)s", side=the(holder)) if holder else say("an objective, taken by nobody")
    return [held] * place["victory"] + ([place["sign"]["title"]] if "sign" in place else [])


def to_come(side: Json, off: Sequence[str], *, campaign: bool) -> str:
    """What of a side is still to come, and who of it is `off` the map: `20 units and four commanders wait to arrive`.

    In a campaign those to come may never, and the others are yet to be placed.
    """
    units = with_leaders(side, side["later"], "later")
    if campaign:
        may = [say("%(units)s may enter later", units=units)] if side["later"] else []
        return language.clauses([*may, *([say("not yet placed: %(units)s", units=listed(off))] if off else [])])
    waits = (
        say("no units wait to arrive") if not side["later"] else
        say("%(units)s waits to arrive", units=units) if side["later"] == 1 else
        say("%(units)s wait to arrive", units=units)
    )  # fmt: skip
    told = (
        say("received and not yet on the map: %(units)s", units=listed(off))
        if off
        else say("none received is off the map")
    )
    return language.clauses([waits, told])


def with_leaders(side: Json, number: int, where: str) -> str:
    """So many units of a side, those that lead others apart: `20 units and four commanders`."""
    leaders = side.get("leaders", {where: 0})
    found = [count(number - leaders[where], "unit", "units")] if number != leaders[where] else []
    found += [count(leaders[where], leaders["one"], leaders["many"])] if leaders[where] else []
    return listed(found) or say("no units")


def losses(sides: Sequence[Json]) -> str:
    """What each side has lost, and what comes back of it."""
    if not any("leaders" in side or "back" in side for side in sides):
        plain = (f"{side['title']} {len(side['units']) or say('none')}" for side in sides)
        return say("Units lost: %(sides)s.", sides=language.also(plain))
    lost = {
        side["title"]: with_leaders(side, len(side["units"]), "lost") if side["units"] else say("none")
        for side in sides
    }
    told = say("Lost for good: %(sides)s.", sides=language.clauses(f"{title} {words}" for title, words in lost.items()))
    back = [f"{side['title']} {', '.join(unit['id'] for unit in side['back'])}" for side in sides if "back" in side]
    comes = say("Coming back: %(sides)s.", sides=language.clauses(back)) if back else ""
    return f"{told} {comes}".rstrip()


def marked(track: Iterable[Json]) -> str:
    """A side's marks on the track of turns: `R (a die for reinforcements) in turns 2 to 8`."""
    return language.clauses(
        say("%(sign)s (%(what)s) in turn %(turn)s", sign=mark["sign"], what=mark["title"], turn=runs(mark["turns"]))
        if len(mark["turns"]) == 1
        else say(
            "%(sign)s (%(what)s) in turns %(turns)s", sign=mark["sign"], what=mark["title"], turns=runs(mark["turns"])
        )
        for mark in track
    )


def bare(words: object) -> str:
    """A phrase without its full stop, to be put into a sentence."""
    return str(words).strip().rstrip(_STOPS)


def environment(compiled: Path | None = None) -> Environment:
    """The templates in the language in force; `compiled` is a folder of the user's own that keeps them compiled.

    Raises Storage without it.
    """
    return environment_of(compiled, language.language())


@lru_cache(8)
def environment_of(compiled: Path | None, tag: str) -> Environment:
    """The templates in a language, made once."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, nodes, select_autoescape

    class English(Environment):
        """One in which a template that has to be compiled is folded first; what is kept compiled needs no more."""

        def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
            from pbem.report.plainly import folded

            _marked(self)
            return folded(super()._parse(source, name, filename))

    if compiled is not None and not compiled.is_dir():
        raise Storage("the folder for compiled templates is missing", where=str(compiled), hint="make it first")
    env = (English if tag == ENGLISH else Environment)(
        loader=FileSystemLoader(resources.data_folder("templates")),
        bytecode_cache=_kept_compiled(compiled, tag) if compiled else None,
        autoescape=select_autoescape(("html.j2",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    env.filters.update(
        fill=fill,
        bare=bare,
        called=called,
        in_both=in_both,
        columns=columns,
        luckily=luckily,
        capital=capital,
        marked=marked,
        gathered=gathered,
        in_full=in_full,
        clauses=language.clauses,
        shown=language.shown,
        turn_word=turn_word,
        the=the,
    )
    env.globals.update(
        count=count,
        listed=listed,
        to_come=to_come,
        lost=losses,
        result_words=result_words,
        with_leaders=with_leaders,
        state_of=state_of,
        capital=capital,
        width=WIDTH,
        also=language.also,
        lang=tag,
        kind_words=kind_words,
    )
    if tag != ENGLISH:
        _marked(env)
        found = language.catalogue_of(tag)
        env.globals["result_words"] = lambda result: language.shown(result_words(result))
        env.install_gettext_callables(found.said, lambda one, _many, _number: found.said(one), newstyle=True)  # type: ignore[attr-defined]
    return env


ASKED = "asked: "
"""What the kind of what is asked stands behind where it is recognised."""


def kind_words(kind: str) -> str:
    """What is asked, by its kind: there are words that mean something else elsewhere, as `move`."""
    return kind if language.language() == ENGLISH else language.shown(f"{ASKED}{kind}").removeprefix(ASKED)


def _marked(env: Environment) -> None:
    """Let templates mark sentences, each in one line however it is written."""
    if "jinja2.ext.InternationalizationExtension" not in env.extensions:
        env.policies["ext.i18n.trimmed"] = True
        env.add_extension("jinja2.ext.i18n")
        env.newstyle_gettext = True  # type: ignore[attr-defined]


def _kept_compiled(folder: Path, tag: str) -> BytecodeCache:
    """A folder of compiled templates, each sealed for its source and for these versions of pbem, Python and Jinja.

    What the seal doesn't vouch for is never unmarshalled: a file that is damaged, stale or foreign counts as none. The
    seal is a plain hash and keeps accidents off, not whoever writes in the home folder on purpose: what he puts here
    is run, as it would be in any program's own folder, and the player's key lies beside it. So no backup holds the
    cache, nothing that comes by mail is put there, and a home folder that somebody else has made isn't to be used.
    """
    import jinja2
    from jinja2.bccache import Bucket

    versions = f"pbem-template/3 {__version__} {sys.version} {jinja2.__version__}"

    class Compiled(jinja2.BytecodeCache):
        def load_bytecode(self, bucket: Bucket) -> None:
            name, key = _name_and_key(bucket)
            code = recall_marshalled(folder / name, key)
            bucket.code = code if isinstance(code, CodeType) else None

        def dump_bytecode(self, bucket: Bucket) -> None:
            name, key = _name_and_key(bucket)
            keep_marshalled(folder / name, key, bucket.code)

    def _name_and_key(bucket: Bucket) -> tuple[str, str]:
        name = bucket.key if tag == ENGLISH else f"{bucket.key}.{tag}"
        return f"{name}.template", f"{versions} {tag} {bucket.key} {bucket.checksum}"

    return Compiled()


def template(env: Environment, system: str, name: str) -> Template:
    """The template `name` of a system, or else the one for all systems. Raises Storage when there is none."""
    from jinja2 import TemplateError

    try:
        return env.select_template([f"{system}/{name}", name])
    except (TemplateError, OSError) as error:
        raise Storage(f"the template can't be used: {error}", where=name, hint="install pbem again") from error


def as_it_stands(name: str) -> str:
    """The text of a file beside the templates that is none, as a script. Raises Storage when there is none."""
    from jinja2 import TemplateError

    env = environment()
    try:
        assert env.loader is not None  # noqa: S101 `environment` gives one
        return env.loader.get_source(env, name)[0]
    except (TemplateError, OSError) as error:
        raise Storage(f"the file can't be used: {error}", where=name, hint="install pbem again") from error


def said_once(items: Sequence[Json], keys: Sequence[tuple[str, bool] | None]) -> list[Json]:
    """Items of what waits, of equal ones with a condition the first alone, with how often it is given.

    Each has a key, equal for equal items, and whether it counts wherever it stands, as what is watched for; other equal
    ones stand one behind the other. Those without a key stay as they are.
    """
    groups: list[tuple[tuple[str, bool] | None, list[Json]]] = []
    for item, key in zip(items, keys, strict=True):
        among = groups if key is not None and key[1] else groups[-1:]
        same = next((found for other, found in among if key is not None and other == key), None)
        if same is None:
            groups.append((key, [item]))
        else:
            same.append(item)
    return [first if not more else _given(first, len(more) + 1) for _, (first, *more) in groups]


def _given(item: Json, times: int) -> Json:
    """An item with how often it is given."""
    told, stop = bare(item["told"]), item["told"][len(bare(item["told"])) :]
    often = say("given twice") if times == 2 else say("given %(times)s", times=count(times, "time", "times"))
    return {**item, "told": f"{told} ({often}){stop}"}


def count(number: float, one: str, many: str) -> str:
    """A number and its noun: `one hex`, `two hexes`, `13 hexes`, `half a point`, `three and a half points`."""
    if language.language() != ENGLISH:
        return language.counted(f"{number:g}", one, many)
    if number % 1 == 0.5:
        whole = int(number)
        return f"half a {one}" if whole == 0 else f"{count(whole, '', '').strip()} and a half {many}"
    words = _NUMBERS[int(number)] if number in range(len(_NUMBERS)) else f"{number:g}"
    return f"{words} {one if number == 1 else many}"


def amount(number: int, halves: bool = False) -> str:
    """A whole number, or one of halves: `3`, `1/2`, `3 1/2`."""
    if not halves:
        return str(number)
    parts = [str(number // 2)] if number > 1 or not number else []
    return " ".join([*parts, "1/2"] if number % 2 else parts)


def capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def render(system: str, name: str, given: Json, compiled: Path | None, pictures: Sequence[str] = ()) -> str:
    """A report laid out. Raises Storage when a template is missing or doesn't fit the data.

    In place of each of the `pictures`, which are most of a page, the data have `picture_mark` of its number.
    """
    from jinja2 import UndefinedError

    try:
        told = template(environment(compiled), system, name).render(given).rstrip("\n") + "\n"
    except UndefinedError as error:
        raise Storage(f"the template doesn't fit the report: {error}", name, "install pbem again") from error
    if not name.endswith(".html.j2"):
        return told
    words = _MARK.split(unbroken(told))  # text, number, text, ...
    words[1::2] = [pictures[int(number)] for number in words[1::2]]
    return "".join(words)


def picture_mark(number: int) -> str:
    """What stands for a picture while a page is laid out: no cleaned words have such a letter."""
    return f"<\0{number}>"


_MARK = re.compile("<\0([0-9]+)>")
