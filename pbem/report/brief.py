"""A scenario in words before it is played: brief, and the texts of an offer and an accept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.language import ENGLISH, language, say, shown
from pbem.language.lines import across
from pbem.picture.counters import joined
from pbem.report.forces import strongholds_at_first
from pbem.report.layout import Json, environment, fill, in_both
from pbem.report.naming import names_for
from pbem.report.put import put_formation, put_here, put_words
from pbem.rules import rules_of
from pbem.scenario import Scenario
from pbem.wire.bodies import Terms

if TYPE_CHECKING:
    from pbem.picture.scene import Picture
    from pbem.report.terms import Party

__all__ = ["accept_text", "brief", "offer_text", "scenario_pictures"]


REINFORCEMENT = "R"
"""What stands on the counters of units that come later."""


def brief(scenario: Scenario, encoding: str = "utf-8") -> str:
    """Sides, order of battle, special rules, victory, and what is reconstructed: text in 76 columns.

    Names stand there in Japanese, too, where the encoding has all their letters.
    """
    data = _put(scenario.data["scenario"], scenario.system)
    situation = put_here(at_the_beginning(scenario))
    japanese = {name: word for name, word in names_for(scenario.system).items() if _fits(word, encoding)}
    template = environment().get_template("brief.txt.j2")
    return template.render(
        scenario=data,
        formations=_formations(situation["units"], data, japanese),
        values="-".join(map(shown, _printed(situation["units"]))),
        begins=any(unit.get("code") or unit["at"] for unit in situation["units"]),
        situation=situation,
        japanese=japanese,
        strongholds=_strongholds(situation, japanese),
        led=any("command" in unit for unit in situation["units"]),
        reinforced=any(unit.get("code") == REINFORCEMENT for unit in situation["units"]),
    )


def _put(data: Json, system: str) -> Json:
    """What a scenario says of itself in the language in force: titles, headings, prose."""
    if language() == ENGLISH:
        return data

    def put(told: Any) -> Any:
        if isinstance(told, str):
            return put_words(told, system)
        if isinstance(told, list):
            return [put(each) for each in told]
        return {key: put(each) for key, each in told.items()} if isinstance(told, dict) else told

    sides: dict[str, str] = {side["id"]: put(side["title"]) for side in data["sides"]}
    found: Json = {**data, **{key: put(data[key]) for key in ("title", "date", "length", "formations") if key in data}}
    found["sides"] = [{**side, "title": sides[side["id"]]} for side in data["sides"]]
    found["options"] = {
        name: {**option, "title": put(option["title"]), "means": put(option.get("means", {}))}
        for name, option in data.get("options", {}).items()
    }
    told: Json = {}
    for heading, words in data.get("brief", {}).items():
        by_side = {sides.get(side, side): line for side, line in words.items()} if isinstance(words, dict) else words
        told[_heading(heading)] = put(by_side)
    found["brief"] = {heading: words for heading, words in told.items() if heading != "provenance"}
    return found


def _heading(word: str) -> str:
    """The heading of a part of a brief."""
    headings = {
        "situation": say("situation"),
        "sides": say("sides"),
        "special": say("special"),
        "victory": say("victory"),
        "sources": say("sources"),
    }
    return headings.get(word, word)


def _strongholds(situation: Json, japanese: Mapping[str, str]) -> dict[str, list[tuple[str, list[str]]]]:
    """Side, or nobody -> its strongholds before play by army; none in a game without."""
    titles = {side["id"]: side["title"] for side in situation["sides"]} | {None: say("Nobody")}
    found = {title: [*strongholds_at_first(situation, side, japanese)] for side, title in titles.items()}
    return {title: armies for title, armies in found.items() if armies}


def _fits(word: str, encoding: str) -> bool:
    try:
        return bool(word.encode(encoding))
    except (UnicodeEncodeError, LookupError):
        return False


def _printed(units: Sequence[Json]) -> tuple[str, ...]:
    """The names of the values in the row at a counter's foot."""
    return tuple(dict.fromkeys(name for unit in units for name in unit["values"]))


def _formations(units: Sequence[Json], data: Json, japanese: Mapping[str, str]) -> dict[str, dict[str, list[str]]]:
    """Side -> title of a formation -> a line for each of its units, in the order of the scenario."""
    grouped: dict[str, dict[str, list[str]]] = {side["id"]: defaultdict(list) for side in data["sides"]}
    titles = data.get("formations", {})
    printed, ids = _printed(units), max((len(unit["id"]) for unit in units), default=0)
    rows = [
        (unit, _values(unit, printed), shown(str(unit.get("code") or unit["at"] or ""), japanese)) for unit in units
    ]
    wide = max((across(values) for _, values, _ in rows), default=0)
    codes = max((across(code) for _, _, code in rows), default=0)
    for unit, values, code in rows:
        start = f"    {unit['id']:<{ids}} {_column(values, wide)} {_column(code, codes)} "
        command = say(", %(what)s", what=shown(unit["command"])) if "command" in unit else ""
        line = fill(in_both(unit["name"], japanese) + command, start, " " * across(start))
        grouped[unit["side"]][shown(put_formation(unit["formation"], titles), japanese)].append(line)
    return {side: dict(formations) for side, formations in grouped.items()}


def _column(words: str, wide: int) -> str:
    """Words in a column of so many letters, of which wide ones count twice."""
    return words + " " * (wide - across(words))


def _values(unit: Json, printed: tuple[str, ...]) -> str:
    """The printed row, none for a leader without values, and what stands apart from it."""
    values = unit["values"]
    row = [joined(["x" if values.get(name) is None else str(values[name]) for name in printed])] if values else []
    return " ".join([*row, *(f"{shown(name)} {value}" for name, value in unit["extra"].items() if value is not None)])


def at_the_beginning(scenario: Scenario) -> Json:
    """The situation before the first order, with the default options."""
    rules = rules_of(scenario.system)
    defaults = {name: spec["default"] for name, spec in _options(scenario).items()}
    return dict(rules.situation(rules.start(rules.board(scenario.data), defaults)))


def scenario_pictures(scenario: Scenario, kept: Path | None = None) -> list[Picture]:
    """The maps as they are before the first order; none for a game without maps.

    `kept` is a folder that keeps the ground of maps.
    """
    from pbem.picture.scene import draw
    from pbem.report.source import Drawn, in_words, maps_in_words, titled

    rules = rules_of(scenario.system)
    data = {
        "situation": at_the_beginning(scenario),
        "steps": [],
        "scenario": {"title": scenario.title},
        "japanese": names_for(scenario.system),
    }
    maps, drawn = rules.maps(rules.board(scenario.data)), Drawn(scenario.id, scenario.digest, kept)
    data = in_words(data, scenario)
    return draw(maps_in_words(maps, scenario), data, titled(scenario), drawn.ground, areas=True)


def _options(scenario: Scenario) -> dict[str, Any]:
    options: dict[str, Any] = scenario.data["scenario"].get("options", {})
    return options


def offer_text(scenario: Scenario, terms: Terms, offerer: Party) -> str:
    """The words of an offer's mail."""
    return _genesis_text("offer", scenario, terms, offerer)


def accept_text(scenario: Scenario, terms: Terms, offerer: Party, accepter: Party) -> str:
    """The words of an accept's mail."""
    return _genesis_text("accept", scenario, terms, offerer, accepter)


def request_text(who: str, game: str, fingerprint: str) -> str:
    """The words of the mail that asks for a new key."""
    return environment().get_template("request.txt.j2").render(who=who, game=game, fingerprint=fingerprint)


def _genesis_text(kind: str, scenario: Scenario, terms: Terms, offerer: Party, accepter: Party | None = None) -> str:
    from pbem.report.terms import terms_text, terms_words

    return (
        environment()
        .get_template("genesis.txt.j2")
        .render(
            kind=kind,
            scenario=scenario,
            title=put_words(scenario.title, scenario.system),
            solo=terms.solo,
            offerer=offerer,
            accepter=accepter,
            terms=terms_text(terms_words(scenario, terms, offerer, accepter), scenario.system),
        )
    )
