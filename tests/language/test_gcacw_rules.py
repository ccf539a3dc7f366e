"""What the rules of the Great Campaigns say in English is shown in Japanese: forms, prompts, odds, refusals, notes."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from time import process_time
from types import ModuleType
from typing import Any

import pytest
from matches import scenario_of
from systems import gcacw as adapter
from systems.whole import table_of

from language.latin import latin
from pbem.language import shown
from pbem.match.chances import chance_answer
from pbem.match.game import Game
from pbem.rules import gcacw as rules
from pbem.rules.requests import Choose
from pbem.scenario import japanese_names

SCENARIOS = {"cedar-mountain": 0.06, "lee-vs-pope": 0.04, "rapidan-to-manassas": 0.02}
"""Battles and a campaign -> the share of their actions that is looked at; of the rarer decisions it is more."""

DECISIONS, RARE = 10, 0.3

GAMES = ("confederate-decisive", "asked", "rappahannock-confederate-marginal", "manassas-union-marginal")

PHASES = (
    "cycle", "union-reinforcements", "confederate-reinforcements", "union-transfer", "union-attachment",
    "union-recovery", "confederate-recovery", "events",
)  # fmt: skip

STAYS = r"\[[^]]*\]|\b[NS]\d{4}\b|\d*d6|(?<![A-Za-z])\d?[DFfE]?[rRa]?\*?(?= ?[(（])|第[IVX]+軍団"
"""Clauses, numbers of hexes, dice and cells of the combat chart."""

Said = dict[str, str]


@cache
def board_of(scenario: str) -> Any:
    return rules.board(scenario_of(scenario).data)


@cache
def names_of(scenario: str) -> str:
    """A pattern of ids and names of units, places and counties, and of levels of victory, none of which is ours."""
    board = board_of(scenario)
    counters = [word for unit in board.units.values() for word in (unit.id, unit.name)]
    places = [*board.map.place_names.values(), *filter(None, board.map.region.values())]
    words = {*counters, *places, *board.arrivals, *(level.title for level in board.victory.levels)}
    return "|".join(rf"(?<![\w-]){re.escape(word)}(?![\w-])" for word in sorted(words, key=len, reverse=True))


@cache
def said_in(scenario: str) -> Said:
    """What the rules say at some decisions of games at random -> what it is."""
    chance, found = random.Random(scenario), Said()
    looked = 0
    while looked < DECISIONS:
        game = Game.new(rules, board_of(scenario), {})
        while (request := game.request) is not None and looked < DECISIONS:
            if not isinstance(request, Choose):
                game.apply(chance_answer(request, chance))
                continue
            if chance.random() < (SCENARIOS[scenario] if request.kind == "action" else RARE):
                looked += 1
                for what, told in said_at(game.state, request, chance):
                    if told:
                        found.setdefault(told, what)
            game.apply(request.sample(chance))
    return found


def said_at(s: Any, request: Choose, chance: random.Random) -> Iterator[tuple[str, str]]:
    """What the rules say of a decision, and of orders that can and can't be given there."""
    yield "prompt", request.prompt
    for entry in rules.form(s, request):
        yield from (("form", told) for told in (entry.heading, *(note for _, note in entry.orders), *entry.notes))
    for side in s.board.side:
        yield from (("danger", danger.told) for danger in rules.dangers(s, side))
    situation = rules.situation(s)
    yield from (("in force", held["told"]) for held in situation.get("in_force", ()))
    for line in situation["progress"]:
        yield from (("progress", line[key]) for key in ("told", "short") if line.get(key))
    for unit in situation["units"]:
        yield from (("formation", unit[key]) for key in ("formation", "command") if unit.get(key))
        yield from (("state", word) for word in (*unit["words"], *unit["values"], *unit["extra"]))
    for order in adapter.neighbours(request.sample(chance), s.board, chance):
        yield from said_of(s, request, order)


def said_of(s: Any, request: Choose, order: Any) -> Iterator[tuple[str, str]]:
    refusal = request.why_not(order)
    if refusal is not None:
        yield "refusal", refusal.reason
    else:
        yield "odds", rules.tell_odds(s, request.side, order)
        yield "cost", rules.tell_cost(s, request.side, order)
        for factor in rules.factors(s, request.side, order):
            yield from (("factor", told) for told in (factor.what, factor.value))
    for phase in PHASES:
        never = rules.why_never(s, request.side, phase, order)
        if never is not None:
            yield "refusal", never.reason


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_the_rules_say_is_shown_without_english_words(scenario: str) -> None:
    said, left = said_in(scenario), {}
    assert {*said.values()} >= {"prompt", "form", "refusal", "odds", "factor", "progress", "state"}
    assert len(said) > 200
    stays, ours = f"{STAYS}|{names_of(scenario)}", [unit.name for unit in board_of(scenario).units.values()]
    dotted = [name for name in ours if "." in name]
    for told in said:
        words = shown(told)
        found = latin(words, stays, dotted) or (words.isascii() and latin(told, stays, dotted))
        if found:
            left[told] = (found, words)
    assert left == {}


@pytest.mark.usefixtures("japanese")
def test_names_stand_where_they_belong_in_what_the_rules_say() -> None:
    names = {
        "Ewell": "ユーエル師団",
        "Jackson": "ジャクソン",
        "Culpeper": "カルペパー",
        "Spotsylvania": "スポットシルヴェニア",
    }
    told = "Ewell would be left without a unit of his command in S1418 Culpeper: write `march ewell-b with ewell`"
    assert shown(told, names) == (
        "ユーエル師団がS1418 カルペパーに指揮下のユニットなしで残されます。`march ewell-b with ewell` と書いてください"
    )
    head = "ewell-b Ewell: value 14, fatigue 4, disorganised, division, at S1418 Culpeper in a zone of control"
    assert shown(f"{head}: is at fatigue 4, and can't act [std-4.0-6]", names) == (
        "ewell-b ユーエル師団：戦闘力14、疲労4、混乱、師団、S1418 カルペパー（敵の支配地域）：疲労4で、行動できません"
        " [std-4.0-6]"
    )
    held = "Jackson may neither act nor entrench until turn 5, or an enemy has been in Culpeper or Spotsylvania"
    assert shown(held, names) == (
        "ジャクソンは第5ターンまたは敵がカルペパーまたはスポットシルヴェニアに入るまで行動も塹壕構築もできません"
    )


@pytest.mark.usefixtures("japanese")
def test_odds_are_told_part_by_part() -> None:
    told = (
        "1d6+1 points, 2 to 7: extended march of king, reno: no effect 33.3 %, disorganised and 1 lost 66.7 %; "
        "to S0733 16.7 %, as far as S0832 or S0932, each 16.7 %, it stays under 0.1 %; attack normal 50 %, no attack "
        "50 %; then enemy no effect 60 %, retreats 40 %, loses 0.7 on average; own tired 100 %, loses 1, "
        "may advance 40 %, the Union panics 3.2 %"
    )
    assert shown(told) == (
        "移動力1d6+1（2〜7）：king、renoの延長行軍：効果なし 33.3 %、混乱、兵力1損失 66.7 %；S0733まで16.7 %、"
        "S0832またはS0932まで、各16.7 %、とどまる 0.1 %未満；攻撃：通常 50 %、攻撃なし 50 %；"
        "戦闘時の敵 効果なし 60 %、退却 40 %、平均損失0.7；自軍 疲労 100 %、平均損失1、前進可 40 %、北軍の恐慌 3.2 %"
    )


@pytest.mark.usefixtures("japanese")
def test_reasons_in_the_steps_of_stored_games_are_shown() -> None:
    left, reasons = [], set[str]()
    for name in GAMES:
        table = table_of("gcacw", name)
        for step in table.steps:
            facts = step.get("facts") or {}
            reasons |= {facts[key] for key in ("reason", "short") if isinstance(facts.get(key), str) and facts[key]}
            if step["kind"] == "lapsed":
                reasons.add(step["reason"])
    for told in reasons:
        words = shown(told, japanese_names("gcacw"))
        if words.isascii():
            left.append(told)
    assert len(reasons) > 10
    assert left == []


@pytest.mark.usefixtures("japanese")
def test_a_refusal_is_shown_in_less_than_two_thousandths_of_a_second() -> None:
    said = [told for scenario in SCENARIOS for told, what in said_in(scenario).items() if what == "refusal"]
    names = {**japanese_names("gcacw")}
    begun = process_time()
    for told in said:
        shown(told, names)
    assert len(said) > 100
    assert (process_time() - begun) / len(said) < 0.002


def test_no_translation_has_english_words_in_it(catalogues: ModuleType) -> None:
    """But for words of orders, which stand between backticks, or are the whole of it."""
    found = {}
    for message in catalogues.catalogues("ja", "heard")["gcacw-rules"]:
        bare = re.sub(r"`[^`]*`|%\(\w+\)s|\[[^]]*\]|d6", "", message.string)
        if message.id and message.string != message.id and re.search("[A-Za-z]{2}", bare):
            found[message.id] = message.string
    assert found == {}
