"""Whole campaigns judged from outside, step by step, by a judge that shares no code with the program.

A game that was told otherwise in any place is found out.
"""

from __future__ import annotations

import copy
import json
import random
from functools import cache
from typing import Any

import pytest
import yaml
from golden import ROOT

from pbem.rules import gcacw
from systems.gcacw_judge import Difference, Judge
from systems.gcacw_judge_land import Land
from systems.whole import table_of

GAMES = ("rappahannock-union-substantial", "manassas-union-substantial", "manassas-union-marginal")
"""With panic and McClellan, a leader killed, raids, rails, substitutes, want of supply in both status phases."""
LIES = 20


@cache
def data_of(name: str) -> Any:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load((ROOT / "scenarios" / "gcacw" / f"{name}.yaml").read_text("utf-8"), Loader=loader)  # noqa: S506


@cache
def land() -> Land:
    return Land(data_of("maps/virginia"))


@cache
def told(name: str) -> str:
    """The steps of a stored game, as text, so that nobody changes them for another."""
    return json.dumps(table_of("gcacw", name).steps, default=str)


def judge_of(name: str, steps: list[Any]) -> Judge:
    terms = table_of("gcacw", name).genesis.terms
    armies = [copy.deepcopy(data_of(f"armies/{side}")) for side in ("union", "confederate")]
    return Judge(land(), data_of(terms.scenario), armies, dict(terms.options), steps)


@pytest.mark.clause("3.0-1", "22.1-vp0", "22.1-vic", "22.2-vic")
@pytest.mark.parametrize("name", GAMES)
def test_a_campaign_went_by_the_rules_from_its_first_step_to_its_last(name: str) -> None:
    judge = judge_of(name, json.loads(told(name)))
    assert judge.judge() == []
    assert judge.tape.looked > 2500
    dumped = gcacw.dump(table_of("gcacw", name).game.state)
    for what, mine in judge.camp.plain():
        theirs = dumped.get(what, type(mine)())
        assert (sorted(theirs) if isinstance(mine, list) else theirs) == mine, what


def lied(steps: list[Any], chance: random.Random) -> tuple[int, str] | None:
    """Change something that was told; where, and what."""
    at = chance.randrange(len(steps))
    facts = steps[at].get("facts", {})
    names = [name for name in ("points", "fatigue", "left", "at", "side", "path", "level", "stage") if name in facts]
    if steps[at]["kind"] != "tell" or not names:
        return None
    name = chance.choice(names)
    old = facts[name]
    if name == "path":
        facts[name] = old[:-1] if old else ["S1418"]
    elif name in ("at", "side"):
        facts[name] = "S1418" if name == "at" and old != "S1418" else "nobody"
    else:
        facts[name] = old + 1 if isinstance(old, int) else "otherwise"
    return at, f"{steps[at]['what']}: {name} {old} -> {facts[name]}"


def test_what_was_told_otherwise_is_found_out_where_it_was_told() -> None:
    chance, seen = random.Random(3), 0
    while seen < LIES:
        steps = json.loads(told(GAMES[0]))
        lie = lied(steps, chance)
        if lie is None or unjudged(lie[1]):
            continue
        found = judge_of(GAMES[0], steps[: lie[0] + 12]).judge()
        first: Difference | None = found[0] if found else None
        assert first is not None, lie
        assert abs(first.number - lie[0]) <= 1, (lie, first)
        seen += 1


def unjudged(lie: str) -> bool:
    """What isn't judged by its place."""
    return lie.startswith("phase: ")


def test_a_step_left_out_is_found_out() -> None:
    chance = random.Random(4)
    for _ in range(10):
        steps = json.loads(told(GAMES[0]))
        at = chance.choice([n for n, s in enumerate(steps) if s.get("what") in ("tired", "loss", "march", "rested")])
        del steps[at]
        assert judge_of(GAMES[0], steps[: at + 12]).judge()
