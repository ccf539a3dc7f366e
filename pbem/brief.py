"""A scenario in words before it is played: brief, and the texts of an offer and an accept."""

from __future__ import annotations

from collections import defaultdict
from textwrap import fill
from typing import Any

from pbem.errors import Refused
from pbem.genesis import Terms
from pbem.rules import rules_of
from pbem.scenario import Scenario

__all__ = ["accept_text", "brief", "offer_text", "scenario_picture"]

WIDTH = 76


def brief(scenario: Scenario) -> str:
    """Sides, order of battle, special rules, victory, and what is reconstructed: text in 76 columns."""
    from pbem.layout import environment

    data = scenario.data["scenario"]
    template = environment().get_template("brief.txt.j2")
    return template.render(scenario=data, formations=_formations(data), situation=_at_the_beginning(scenario))


def _formations(data: dict[str, Any]) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Side -> title of a formation -> its units, in the order of the scenario; each unit with its `line`."""
    grouped: dict[str, dict[str, list[dict[str, Any]]]] = {side["id"]: defaultdict(list) for side in data["sides"]}
    titles = data.get("formations", {})
    for unit in data["units"]:
        values = "-".join(unit.get(name, "x") for name in ("fire", "melee", "morale", "move"))
        values += f" range {unit['range']}" if "range" in unit else ""
        line = f"    {unit['id']:<5} {values:<15} {unit['code']:<6} {unit['name']}"
        formation = titles.get(unit["formation"], unit["formation"])
        grouped[unit["side"]][formation].append(unit | {"line": fill(line, WIDTH, subsequent_indent=" " * 33)})
    return {side: dict(formations) for side, formations in grouped.items()}


def _at_the_beginning(scenario: Scenario) -> dict[str, Any]:
    """The situation before the first order, with the default options."""
    rules = rules_of(scenario.system)
    defaults = {name: spec["default"] for name, spec in _options(scenario).items()}
    return dict(rules.situation(rules.start(rules.board(scenario.data), defaults)))


def scenario_picture(scenario: Scenario) -> str:
    """The first map, before anything stands on it, as SVG."""
    from pbem.view import draw

    rules = rules_of(scenario.system)
    charts = rules.maps(rules.board(scenario.data))
    if not charts:
        raise Refused(f"{scenario.title} is played without a map")
    data = {"situation": _at_the_beginning(scenario), "steps": [], "scenario": {"title": scenario.title}}
    return draw(next(iter(charts.values())), data)


def _options(scenario: Scenario) -> dict[str, Any]:
    options: dict[str, Any] = scenario.data["scenario"].get("options", {})
    return options


def offer_text(scenario: Scenario, terms: Terms, name: str, side: str) -> str:
    """The words of an offer's mail."""
    return _genesis_text("offer", scenario, terms, name, side)


def accept_text(scenario: Scenario, terms: Terms, name: str, side: str) -> str:
    """The words of an accept's mail."""
    return _genesis_text("accept", scenario, terms, name, side)


def _genesis_text(kind: str, scenario: Scenario, terms: Terms, name: str, side: str) -> str:
    from pbem.layout import environment

    data = scenario.data["scenario"]
    titles = {s["id"]: s["title"] for s in data["sides"]}
    other = next(title for s, title in titles.items() if s != side)
    return (
        environment()
        .get_template("genesis.txt.j2")
        .render(kind=kind, scenario=data, terms=terms, name=name, side=titles[side], other=other)
    )
