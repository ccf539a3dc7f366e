"""A scenario in words before it is played: brief, and the texts of an offer and an accept."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from pbem.genesis import Terms
from pbem.maps import Map
from pbem.rules import rules_of
from pbem.scenario import Scenario

__all__ = ["accept_text", "brief", "offer_text", "scenario_picture"]

WIDTH = 78


def brief(scenario: Scenario) -> str:
    """Sides, order of battle, special rules, victory, and what is reconstructed: ASCII text, 80 columns."""
    from pbem.report import environment

    data = scenario.data["scenario"]
    template = environment().get_template("brief.txt.j2")
    return template.render(scenario=data, formations=_formations(data), maps=_maps(scenario))


def _formations(data: dict[str, Any]) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Side -> formation -> its units, in the order of the scenario."""
    grouped: dict[str, dict[str, list[dict[str, Any]]]] = {side["id"]: defaultdict(list) for side in data["sides"]}
    for unit in data["units"]:
        grouped[unit["side"]][unit["formation"]].append(unit)
    return {side: dict(formations) for side, formations in grouped.items()}


def _maps(scenario: Scenario) -> list[Map]:
    rules = rules_of(scenario.system)
    return list(rules.maps(rules.board(scenario.data)).values())


def scenario_picture(scenario: Scenario) -> str:
    """The first map, before anything stands on it, as SVG."""
    from pbem.view import draw

    rules = rules_of(scenario.system)
    board = rules.board(scenario.data)
    state = rules.start(board, {name: spec["default"] for name, spec in _options(scenario).items()})
    situation = rules.situation(state)
    chart = next(iter(rules.maps(board).values()))
    return draw(chart, {"situation": situation, "steps": [], "scenario": {"title": scenario.title}})


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
    from pbem.report import environment

    data = scenario.data["scenario"]
    titles = {s["id"]: s["title"] for s in data["sides"]}
    other = next(title for s, title in titles.items() if s != side)
    return (
        environment()
        .get_template("genesis.txt.j2")
        .render(kind=kind, scenario=data, terms=terms, name=name, side=titles[side], other=other)
    )
