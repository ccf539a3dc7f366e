"""The odds of an order: every throw of a fight played by itself, one after another, comes to the same shares."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from matches import scenario_of

from pbem.match.check import check
from pbem.match.exact import left_out
from pbem.match.game import Game
from pbem.match.judged import judged
from pbem.match.orders import Act, Plan, short_phase
from pbem.match.table import Table
from pbem.match.take import take
from pbem.report.mail import mail_data
from pbem.report.odds import chances
from pbem.rules.requests import Choose, Draw, Order, Roll, Tell
from systems.test_futures import before

NAMED = {
    "bakumatsu": [("entry-by-retreat", 24, "fire"), ("entry-by-advance", 45, "melee")],
    "yukimura": [("asked", 22, "defence"), ("yao-draw", 19, "combat"), ("yao-superior-east", 12, "combat")],
}
POSITIONS = [(system, *of) for system, found in NAMED.items() for of in found]

FATES = {
    "disorder": "disordered",
    "retreat": "retreats",
    "displace": "moved back",
    "remove": "removed",
    "exit": "leaves the map",
    "advance": "advances",
}
"""Event -> what becomes of its unit."""

PLACE = re.compile(r" to (?:hex \w+|[A-Z][^()]*\(\w+\))")
"""Where a unit goes, in words."""


def futures(game: Game, order: Order) -> Iterator[tuple[Fraction, list[Tell]]]:
    """Every throw by itself, up to where the order is carried out, and its events; who is asked takes the default."""
    waiting: list[tuple[Fraction, list[Any]]] = [(Fraction(1), [order])]
    while waiting:
        share, answers = waiting.pop()
        told: list[Tell] = []
        ahead = game.fork()
        ahead.hear = told.append
        for answer in answers:
            ahead.apply(answer)
        request = ahead.request
        over = any(tell.what == "phase" for tell in told) or ahead.left is not game.left or request is None
        next_asked = isinstance(request, Choose) and ahead.begun_by is None  # as for another defensive fire
        if over or next_asked or isinstance(request, Draw):
            yield share, told
        elif isinstance(request, Roll):
            throws = list(product(range(1, request.sides + 1), repeat=request.dice))
            sums = Counter(map(sum, throws))  # one throw for all of the same sum: what Roll promises
            ones = {sum(throw): throw for throw in throws}
            waiting += [(share * sums[n] / len(throws), [*answers, ones[n]]) for n in sums]
        else:
            assert request.default is not None
            waiting.append((share, [*answers, request.default()]))


def fights(table: Table) -> list[Order]:
    """Two fights that could be ordered, by those who have most support."""
    request = table.game.request
    assert isinstance(request, Choose)
    found = [order for order in request.options() if hasattr(order, "target")]
    return sorted(found, key=lambda order: -len(order.support))[:1] + found[:1]


@pytest.mark.parametrize(("system", "name", "number", "kind"), POSITIONS)
def test_every_throw_is_counted(system: str, name: str, number: int, kind: str) -> None:
    table, turn = before(system, name, number)
    side = table.genesis.player(turn.entry.by).side
    request = table.game.request
    assert isinstance(request, Choose)
    assert request.kind == kind
    tried = fights(table)
    assert tried
    for order in tried:
        words = table.rules.order_words(table.board, order)
        found = chances(table, side, words)
        results: dict[str, Fraction] = defaultdict(Fraction)
        fates: dict[str, dict[str, Fraction]] = {}
        for share, told in futures(table.game, order):
            first = next(tell.facts["result"] for tell in told if tell.what in ("fire", "melee"))
            called = "no effect" if first == "-" else f"check +{first}" if first.isdigit() else first
            results[called] += share
            of: dict[str, dict[str, None]] = {}
            for tell in told:
                if tell.what in FATES:
                    of.setdefault(tell.facts["unit"], {})[FATES[tell.what]] = None
            if words[words.index("at") + 1] not in of:
                of[words[words.index("at") + 1]] = {"no effect" if first == "-" else "stands": None}
            for unit, became in of.items():
                together = "removed" if "removed" in became else " and ".join(became)
                fates.setdefault(unit, defaultdict(Fraction))[together] += share
        for unit in fates.keys() & {*words} - {words[words.index("at") + 1]}:  # who attacks, if anything befalls him
            fates[unit]["stands"] += 1 - sum(fates[unit].values())
        fates = {unit: {what: share for what, share in of.items() if share} for unit, of in fates.items()}
        assert found.results == dict(results)
        assert sum(found.each.values()) == sum(found.results.values()) == 1
        where = [{PLACE.sub("", what): share for what, share in of.items()} for of in found.fates.values()]
        assert sorted(map(sorted, (of.items() for of in where))) == sorted(
            map(sorted, (of.items() for of in fates.values()))
        )
        assert all(any(f"({unit})" in name for name in found.fates) for unit in fates)
        assert not found.at_random
        assert all(factor.clause for factor in found.factors)
        (brings,) = (factor.value for factor in found.factors if factor.what.endswith(" bring"))
        assert by_throw(brings) == found.results, "the line of the table"
        assert not any(word in told for told in found.each for word in (" became ", "retreated", " was ", "advanced"))


def by_throw(line: str) -> dict[str, Fraction]:
    """What two dice bring by `no effect (2 to 5), D (6)`, each with its share."""
    found: Counter[str] = Counter()
    for what, first, last in re.findall(r"([^\s,(][^(,]*) \((\d+)(?: to (\d+))?\)", line):
        found[what] += sum(6 - abs(7 - total) for total in range(int(first), int(last or first) + 1))
    assert found.total() == 36
    return {what: Fraction(times, 36) for what, times in found.items()}


@pytest.mark.parametrize(("name", "kinds"), [
    ("siege-resigned", {"Close", "Done", "Besiege", "Assault"}),
    ("asked", {"GiveWay", "Retreat", "Counterattack"}),
])  # fmt: skip
def test_whatever_can_be_ordered_in_a_campaign_can_be_counted(name: str, kinds: set[str]) -> None:
    left, number = set(kinds), 1
    while left:
        number += 1  # a game that has nothing of the kind ends in an error here
        table, turn = before("sengoku", name, number)
        request = table.game.request
        if not isinstance(request, Choose) or turn.entry.kind == "reveal":
            continue
        side = table.genesis.player(turn.entry.by).side
        orders = {(type(order).__name__, getattr(order, "assault", False)): order for order in request.options()}
        for order in (order for (kind, _), order in orders.items() if kind in left):
            found = chances(table, side, table.rules.order_words(table.board, order))
            assert sum(found.each.values()) == 1
        left -= {kind for kind, _ in orders}


def test_the_one_place_of_a_retreat_is_named() -> None:
    table, turn = before("bakumatsu", "entry-by-retreat", 40)
    side = table.genesis.player(turn.entry.by).side
    found = chances(table, side, judged(table, turn.entry.by, "fire 19 at sa-03 with 23").words)
    ends = {PLACE.search(what)[0] for of in found.fates.values() for what in of if "retreats" in what}  # type: ignore[index]
    assert ends == {" to Osaka road (0106)"}
    assert [sum(of.values()) for of in found.fates.values()] == sorted(
        (sum(of.values()) for of in found.fates.values()), reverse=True
    )


def test_only_what_is_exact_has_a_fraction(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a fight with more futures than are counted: the table's results stay exact, else no fraction is wrong."""
    table, turn = before("yukimura", "yao-superior-east", 12)
    side = table.genesis.player(turn.entry.by).side
    words = table.rules.order_words(table.board, fights(table)[0])
    exact = chances(table, side, words)
    assert exact.at_random == 0
    assert all(isinstance(share, Fraction) for share in exact.each.values())
    for most in (12, 20, 30):
        monkeypatch.setattr("pbem.match.exact.ALL", most)
        found = chances(table, side, words)
        assert 0 < found.at_random <= 1
        assert found.results == exact.results
        assert any(isinstance(share, float) for share in found.each.values())
        for told, share in found.each.items():
            assert isinstance(share, float) or share == exact.each[told]
        assert all(isinstance(share, float) for of in found.fates.values() for share in of.values())
    monkeypatch.setattr("pbem.match.exact.ALL", 5)
    assert not any(isinstance(share, Fraction) for share in chances(table, side, words).results.values())


def test_an_end_of_the_game_is_told_with_its_share() -> None:
    """In 6 of 36 throws the target retreats onto the entry hex of who fires."""
    table, turn = before("bakumatsu", "entry-by-retreat", 40)
    side = table.genesis.player(turn.entry.by).side
    found = chances(table, side, judged(table, turn.entry.by, "fire 19 at sa-03 with 23").words)
    ((told, share),) = found.ends.items()
    assert share == Fraction(6, 36)
    assert told.startswith("Satsuma-Choshu wins, sa-03 ")
    assert told.endswith("[14(4)1]")
    assert [(f.value, f.clause) for f in found.factors][:2] == [("+4", "9-2(3)"), ("+1", "9-2(3)")]


def test_an_end_that_a_side_of_several_wins_is_told_so() -> None:
    """The last order of the last turn."""
    table, _ = before("gcacw", "confederate-decisive", 81)
    found = chances(table, "confederate", ("done",))
    won = "Confederates win, a Confederate score of 12: Confederate decisive victory [13.1-vic]"
    assert found.ends == {won: 1}
    (told,) = found.each
    assert told.endswith(f" The game is over: {won}.")


@pytest.mark.clause("11(3)")
def test_whose_choice_is_counted_is_said() -> None:
    """His standing order leads sa-05 over friends onto the entry hex; without it the rules' choice does neither."""
    table, turn = before("bakumatsu", "entry-by-retreat", 34)
    by = turn.entry.by
    side, other = table.genesis.player(by).side, table.genesis.other(by)
    words = ("fire", "sg-19", "at", "sa-05", "with", "sg-21")
    standing = f"{other.name}'s standing orders answer in these futures: `retreat any 0106`"
    rules = f"where no standing order of {other.name}'s answers in these futures, the rules choose for {other.name}"
    for remark, shares in ((standing, [Fraction(1, 6)]), (rules, [])):
        found = chances(table, side, words)
        assert [*found.ends.values()] == shares
        assert any("(sa-01)" in unit for unit in found.fates) is bool(shares), "a friend on the way is disordered"
        assert (found.answers, found.asks) == ([remark], False)
        checked = check(table, by, f"{' '.join(words)};\ndone;")
        assert [ending.share for ending in checked.endings] == [float(share) for share in shares]
        assert {standing, rules}.intersection(checked.remarks) == {remark}
        table.course.standing[other.side].clear()


def test_what_waits_behind_an_order_is_not_counted_with_it() -> None:
    """The east plans a melee behind a defensive fire of Osaka, whose shares stay those of the fire."""
    table, turn = before("yukimura", "asked", 22)
    side = table.genesis.player(turn.entry.by).side
    other = table.genesis.other(turn.entry.by)
    words = table.rules.order_words(table.board, fights(table)[0])
    alone = chances(table, side, words)
    assert left_out(table) == []
    ahead = table.game.fork()
    while isinstance(request := ahead.request, Choose) and request.reaction:
        ahead.apply(table.rules.read_order(table.board, side, ("done",)))
    assert isinstance(request, Choose)
    melee = next(order for order in request.options() if table.rules.order_words(table.board, order)[0] == "melee")
    act = Act(melee, table.rules.order_words(table.board, melee))
    phase = short_phase(other.side, table.rules.clock(ahead.state)[1])
    table.course.planned[other.side] = table.rules.clock(table.game.state)
    for waiting in (table.course.plans, table.course.queues):
        waiting[other.side].append((1, Plan(phase, act) if waiting is table.course.plans else act))
        assert chances(table, side, words) == alone
        assert left_out(table) == [other.name]
        waiting[other.side].clear()


def test_an_answer_with_dice_is_told_by_its_own_name() -> None:
    """Behind the `done` of a movement the other side would fire: those odds aren't those of `done`."""
    table, turn = before("yukimura", "asked", 21)
    checked = check(table, turn.entry.by, "\n".join(map(str, turn.entry.body)))
    assert not checked.comes
    (answer,) = [remark for remark in checked.remarks if "would answer" in remark]
    assert answer.startswith("then asuka would answer `fire mi-05 at go-04 with mi-06`: strength 6, column 5-6: ")


@pytest.mark.parametrize(("name", "number", "scenario"), [("standing", 2, "yao"), ("asked", 22, "domyoji")])
def test_a_mail_tells_of_an_answer_with_dice_the_odds_that_check_tells(name: str, number: int, scenario: str) -> None:
    """A defensive fire that is taken by default when the phase of another begins; and one that its side gives."""
    table, turn = before("yukimura", name, number)
    checked = check(table, turn.entry.by, "\n".join(map(str, turn.entry.body)))
    (odds,) = [remark.partition("`: ")[2] for remark in checked.remarks if " would answer `fire " in remark]
    assert odds.startswith("strength ")
    take(table, turn)
    data = mail_data(table, scenario_of(scenario), table.genesis.other(turn.entry.by).name)
    items = [item for orders in data["orders"] for item in orders["items"]]
    items = [item for item in items if not item["told"].startswith("Standing orders given: ")]
    if turn.entry.kind == "react":
        assert [item["odds"] for item in items] == [odds]
        assert "answers: " not in data["sampled"]
    else:
        assert not items
        assert data["sampled"].startswith("Osaka Army answers: Goto riflemen 2 (go-05) in hex 2023 fires at ")
        assert f": {odds}. " in data["sampled"]
