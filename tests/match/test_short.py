"""Of a march whose odds hang on what comes before it, mails tell how often it comes short of its aim, and how far."""

from __future__ import annotations

from typing import Any

from matches import Match, scenario_of

from pbem.match.comes import Comes
from pbem.match.prospects import Lapse
from pbem.report.ordered import came_words

WORDS = ("march", "buford", "S0223", "S0323")


def march(**facts: str | list[str]) -> list[dict[str, Any]]:
    """What a march led to."""
    tired = {"kind": "tell", "what": "tired", "clause": "", "facts": {"unit": "buford", "fatigue": 1}}
    return [tired, {"kind": "tell", "what": "march", "clause": "", "facts": {"unit": "buford", **facts}}]


def counted(*odds: str) -> str:
    """What is told of a march that came short in one of two futures, and had these odds."""
    comes = Comes(Match(scenario_of("cedar-mountain"), 7).table)
    comes.played, comes.odds[("union", 1)] = 2, {frozenset({one}): one for one in odds}
    comes.found[("union", 1)] = [(WORDS, march()), (WORDS, march(short="enemy", aim="S0323"))]
    return came_words(comes.came("union", 1))


def test_a_march_of_varying_odds_is_told_with_how_often_it_comes_short() -> None:
    told = counted("2d6 points: to S0323 90 %", "2d6 points: to S0323 10 %")
    assert told.endswith("there 2d6 points: comes to fatigue 1 in 2; buford comes short of S0323 in 1"), told


def test_of_a_way_that_is_cut_it_is_said_that_its_end_is_that() -> None:
    """`buford comes short of S0323` was told of who was ordered to go on behind it."""
    comes = Comes(Match(scenario_of("cedar-mountain"), 7).table)
    order = {"kind": "order", "side": "union", "number": 1, "words": WORDS}
    facts = {"unit": "buford", "part": "the rest of buford's way", "end": "S0323"}
    other = {**order, "number": 2, "words": ("march", "bayard", "S0323")}
    drop = {"kind": "tell", "what": "drop", "clause": "", "facts": facts}
    short = march(short="enemy", aim="S0323")
    comes.odds["union", 1] = {frozenset({one}): one for one in ("2d6 points: 10 %", "2d6 points: 90 %")}
    for steps in (
        [drop, order, *short],
        [drop, order, *march()],
        [order, *short],
        [drop, *march(), order, *short],
        [drop, other, order, *short],
    ):
        comes.count(steps)
    told = came_words(comes.came("union", 1))
    assert "buford comes short of S0323 in 3, buford comes short of S0323, where its way is cut in 1" in told, told


def test_where_the_odds_are_the_same_they_tell_it() -> None:
    assert counted("2d6 points: to S0323 90 %") == "2d6 points: to S0323 90 %"


def test_where_it_came_to_is_counted_then() -> None:
    """`never to S0323` holds in one of these futures alone, so no odds are told as if they held in both."""
    comes = Comes(Match(scenario_of("cedar-mountain"), 7).table)
    odds = {frozenset({one}): f"2d6 points: {one} to S0323" for one in ("never", "")}
    comes.played, comes.odds["union", 1] = 2, odds
    stays = march(short="enemy", aim="S0323", path=[], **{"from": "S0222"})
    comes.found[("union", 1)] = [(WORDS, march(path=["S0223", "S0323"])), (WORDS, stays)]
    told = came_words(comes.came("union", 1))
    assert told.endswith("buford comes short of S0323 in 1; in 1 ending in S0222; in 1 ending in S0323"), told
    assert "never" not in told


def test_who_stands_on_its_way_may_change_the_odds_of_a_march() -> None:
    """What happens far from it, and from the hexes that it names, doesn't."""
    comes = Comes(Match(scenario_of("cedar-mountain"), 7).table)

    def key(*path: str) -> frozenset[str]:
        facts = {"unit": "winder", "from": "S1030", "path": [*path], "left": 2}
        return comes._near.came(WORDS, [{"kind": "tell", "what": "march", "clause": "", "facts": facts}])

    assert key("S0323") != key("S0324") != comes._near.came(WORDS, [])
    assert key("S2030") == comes._near.came(WORDS, [])


def test_what_names_no_place_counts_everywhere_but_not_who_may_act() -> None:
    comes = Comes(Match(scenario_of("cedar-mountain"), 7).table)

    def key(what: str, **facts: object) -> frozenset[str]:
        return comes._near.came(WORDS, [{"kind": "tell", "what": what, "clause": "", "facts": facts}])

    assert key("panic", turn=2)
    assert not key("initiative", side="union", cycle=3, opens=True)


def test_of_several_who_are_led_it_is_said_who_stops_short() -> None:
    lapse = Lapse(3, ("march king S0832",), 0.5, "x", "the enemy is there", "the rest of king's way")
    assert str(lapse).startswith("line 3: `march king S0832` stops short in 50 % of the futures")
    led = lapse._replace(words=("activate banks march king S0832 march greene S0832",))
    assert " lets king stop short in 50 % of the futures" in str(led)


def test_who_goes_back_before_a_march_is_counted_where_its_odds_differ() -> None:
    comes = Comes(Match(scenario_of("cedar-mountain"), 7).table)
    comes.played, comes.odds["union", 1] = 2, {frozenset({one}): f"2d6 points: {one}" for one in ("a", "b")}
    evaded = {"kind": "tell", "what": "evade", "clause": "", "facts": {"units": ["va-2"], "against": ["buford"]}}
    comes.found["union", 1] = [(WORDS, march(path=["S0223"])), (WORDS, [evaded, *march(path=["S0223"])])]
    assert "; va-2 goes back before it in 1" in came_words(comes.came("union", 1))


def test_where_several_led_together_came_to_is_not_told_as_of_one() -> None:
    """`in 1 ending in S0513; in 1 ending in S0614` stood behind an activation, of nobody knew whom."""
    comes = Comes(Match(scenario_of("cedar-mountain"), 7).table)
    comes.played, comes.odds["union", 1] = 2, {frozenset({one}): f"2d6 points: {one} to S0323" for one in ("never", "")}
    words = ("activate", "sigel", "march", "buford", "S0323", "march", "bayard", "S0323")
    alone = ("activate", "sigel", "march", "buford", "S0323")
    both = march(path=["S0323"]) + [
        {**step, "facts": {**step["facts"], "unit": "bayard"}} for step in march(short="points", aim="S0323", path=[])
    ]
    comes.found["union", 1] = [(words, both), (alone, march(path=["S0223"], short="points", aim="S0323"))]
    told = came_words(comes.came("union", 1))
    assert "ending in" not in told, told
    assert "bayard comes short of S0323 in 1" in told
    comes.found["union", 1] = [
        (alone, march(path=["S0323"])),
        (alone, march(path=["S0223"], short="points", aim="S0323")),
    ]
    assert "in 1 ending in S0223" in came_words(comes.came("union", 1))
