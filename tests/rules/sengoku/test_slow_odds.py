"""Odds of fights against a slow reckoning: every die is thrown by itself, and standing orders answer in between."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from pbem.rules.requests import Choose, Roll, Standing, Tell
from pbem.rules.sengoku import operation
from pbem.rules.sengoku.odds import tell_odds
from pbem.rules.sengoku.orders import Assault, Attack, Order
from pbem.rules.sengoku.state import State, copy
from pbem.words import per_cent

Field = Callable[..., State]
Shares = dict[str, Fraction]

US = ["hb-02", "hb-04", "hb-06", "hb-07", "hb-08"]
THEM = ["sb-03", "sb-04", "sb-05", "sb-06"]
OTHERS = ["sb-07", "sb-08"]

WORDS: list[list[tuple[str, ...]]] = [
    [(), ("give-way", "any", "refuge"), ("give-way", "any", "retreat"), ("give-way", "any", "2+", "steps"),
     ("give-way", "any", "refuge", "3+", "steps"), ("give-way", "sb-07", "steps")],
    [(), ("counter", "any", "no"), ("counter", "sb-03", "yes")],
    [(), ("lose", "any", "sb-03"), ("lose", "any", "sb-06", "sb-05")],
    [(), ("lift", "any", "yes"), ("lift", "any", "if-half-hurts")],
    [(), ("retreat", "any", "castle"), ("retreat", "any", "0402")],
]  # fmt: skip


class End(NamedTuple):
    """A future: its share of all, what was told, and how it stands then."""

    share: Fraction
    told: list[Tell]
    state: State


def ends(s: State, order: Order, standing: Standing) -> Iterator[End]:
    """Every future of an order, one for each throw."""
    waiting: list[list[int]] = [[]]
    while waiting:
        dice = waiting.pop()
        trial, told, rest = copy(s), list[Tell](), [*dice]
        activity: Any = operation.carry_out(trial, "", order)
        answer: Any = None
        try:
            while True:
                request = activity.send(answer)
                answer = None
                if isinstance(request, Tell):
                    told.append(request)
                elif isinstance(request, Roll):
                    if not rest:
                        waiting += [[*dice, die] for die in range(1, 7)]
                        break
                    answer = (rest.pop(0),)
                else:
                    answer = answered(request, standing)
        except StopIteration:
            yield End(Fraction(1, 6 ** len(dice)), told, trial)


def answered(request: Choose, standing: Standing) -> Any:
    """What a standing order says, else what the rules choose."""
    assert request.default is not None
    said = None if request.standing is None else request.standing(standing.get(request.side, ()))
    return request.default() if said is None else said


def fight(field: Field, seed: int) -> tuple[State, Order, Standing]:
    """A random attack, out of a castle or in the open, on one or two forces, or an assault; and standing orders."""
    chance = random.Random(f"slow odds {seed}")
    kind = chance.choice(["open", "open", "castle", "castle", "sortie", "besieged", "assault", "assault"])
    ours, theirs = " ".join(US[: chance.randint(1, 5)]), " ".join(THEM[: chance.randint(1, 4)])
    others = " ".join(OTHERS[: chance.randint(0, 2)])
    worn = [unit for unit in (*ours.split(), *theirs.split(), *others.split()) if chance.random() < 0.4]
    reduced = {
        names: " ".join(["reduced", *(u for u in names.split() if u in worn)]) for names in (ours, theirs, others)
    }
    low = {names: f" morale -{n}" if (n := chance.choice([0, 0, 1, 4])) else "" for names in (ours, theirs, others)}
    here = "0303 shut-in" if kind == "sortie" else "0303" if kind == "assault" else "0203"
    there = {"besieged": "0303 besieging", "sortie": "0303 besieging", "assault": "0303 shut-in"}.get(kind, "0303")
    forces = {ours: here, theirs: there, **({others: there} if others else {})}
    if kind == "assault":
        forces["hb-01 hb-09 hb-10 hb-11 hb-12 hb-13 hb-14 hb-15"] = "0303 besieging"
    owner = "hashiba" if kind in ("sortie", "besieged") else "shibata"
    castle = {} if kind == "open" else {"gifu": f"0303 {owner} {chance.choice([0, 1])} {chance.choice([1, 3, 10])}"}
    ground = chance.choice([".", ".", ".", "r", "M"]) if kind == "open" else "."
    s = field(
        f". . . . .\n . . . . .\n. . {ground} . .\n . . . . .\n. . . . .",
        {names: f"{at}{low.get(names, '')} {reduced.get(names, '')}".strip() for names, at in forces.items()},
        castles=castle, rivers=("0203/0303",) if chance.random() < 0.3 else (),
    )  # fmt: skip
    targets = (theirs.split()[0], *([others.split()[0]] if others and chance.random() < 0.5 else []))
    force = ours.split()[0]
    order = Assault("gifu", (force,)) if kind == "assault" else Attack(force, targets)
    said = [words for choices in WORDS if (words := chance.choice(choices))]
    return s, order, {"anti-hashiba": said}


def shares_of(found: dict[str, Fraction]) -> str:
    """Shares as odds have them: none first, then by their number."""
    total = sum(found.values())

    def rank(what: str) -> tuple[bool, int, str]:
        digits = "".join(filter(str.isdigit, what))
        return what == "falls", int(digits or -1), what

    return ", ".join(f"{what} {per_cent(found[what] / total, 1)}" for what in sorted(found, key=rank))


def losses(event: Tell) -> str:
    """A result in words."""
    lost = event.facts["result"]
    mark = " with a unit eliminated" if event.facts.get("marked") else ""
    return f"{lost} loss{'es' * (lost > 1)}{mark}" if lost else "no loss"


def slow(s: State, order: Order, standing: Standing) -> str:
    """The odds behind the strengths, as every throw has them."""
    assault = isinstance(order, Assault)
    first, second, called = ("interception", "assault", "assault") if assault else (
        "attack-result", "counterattack-result", "counterattack")  # fmt: skip
    struck = order.forces if isinstance(order, Assault) else order.targets if isinstance(order, Attack) else ()
    strengths = set[int]()
    one: Shares = defaultdict(Fraction)
    two: Shares = defaultdict(Fraction)
    none: dict[str, Shares] = {}
    lifts: dict[str, set[bool]] = defaultdict(set)
    for end in ends(s, order, standing):
        events = {told.what: told for told in end.told}
        result = losses(events[first])
        one[result] += end.share
        lifts[result].add(not assault and any(told.what == "lifted" for told in end.told))
        if second not in events:
            none.setdefault(instead(s, end.state, struck, called), defaultdict(Fraction))[result] += end.share
        elif assault:
            strengths.add(events[second].facts["strength"])
            lost = events[second].facts["result"]
            falls = isinstance(order, Assault) and lost >= s.durability[order.castle]
            two["falls" if falls else f"durability -{lost}" if lost else "nothing"] += end.share
        else:
            two[losses(events[second])] += end.share
    told = [shares_of(one)]
    for what, when in sorted(none.items(), key=lambda item: min(rank_of(one, word) for word in item[1])):
        always = len(none) == 1 and not two
        told.append(
            f"with each of these {what}"
            if always
            else f"with {either(when)} ({per_cent(sum(when.values()), 1)}) {what}"
        )
    if two:
        rest = f"else ({per_cent(sum(two.values()), 1)}) " if none else ""
        least, most = min(strengths, default=0), max(strengths, default=0)
        strong = f" strength {least}{f' to {most}' if most > least else ''}:" if assault else "," if none else ""
        told.append(f"{rest}{called}{strong}{' of these' if none else ''} {shares_of(two)}")
    assert all(len(found) == 1 for found in lifts.values()), "whatever the second die"
    if free := {result: one[result] for result, found in lifts.items() if True in found}:
        told.append(f"with {'any result' if len(free) == len(one) else either(free)} the siege ends")
    return "; ".join(told)


def rank_of(one: Shares, word: str) -> int:
    """Where a result stands among all."""
    return sorted(one, key=lambda what: int("".join(filter(str.isdigit, what)) or -1)).index(word)


def either(when: Shares) -> str:
    """Some results in words."""
    words = sorted(when, key=lambda what: int("".join(filter(str.isdigit, what)) or -1))
    *others, last = words
    short = [word.split()[0] for word in others]
    plain = all(word == f"{n} loss" or word == f"{n} losses" for n, word in zip(short, others, strict=True))
    return " or ".join([*(short if plain else others), last])


def instead(was: State, now: State, struck: tuple[str, ...], called: str) -> str:
    """What has become of those struck, by where they are."""
    left = [force for force in struck if force in now.forces]
    if not left:
        return "removed"
    if called == "assault":
        return "no assault"
    inside = [force for force in left if force in now.shut_in]
    gone = [force for force in left if force not in inside and now.at[force] != was.at[force]]
    both = {"retreats": gone, "takes refuge in the castle": inside}
    return " or ".join(what for what, those in both.items() if those) or f"no {called}"


FIGHTS = range(120)


@pytest.mark.clause("23.0", "23-6", "23-4-6")
@pytest.mark.parametrize("seed", FIGHTS)
def test_odds_are_those_of_every_throw(field: Field, seed: int) -> None:
    s, order, standing = fight(field, seed)
    assert operation.why_not(s, "hashiba", order) is None
    told = re.sub(r"(assault strength \d+(?: to \d+)?)[^:]*:", r"\1:", tell_odds(s, order, standing))
    assert told.endswith(slow(s, order, standing)), f"{told}\n{slow(s, order, standing)}"


def test_the_random_fights_have_everything(field: Field) -> None:
    told = [tell_odds(*fight(field, seed)) for seed in FIGHTS]
    for words in ("takes refuge", "retreats", "removed", "no counterattack", "; assault", "a unit eliminated", "falls"):
        assert sum(words in one for one in told) >= 2, words
