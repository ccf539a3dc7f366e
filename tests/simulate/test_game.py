"""A game between bots without mails: the same as by mail, entry by entry, and the same wherever it is played."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from matches import Match, scenario_of, statements

from pbem.crypto import dice
from pbem.desk.desk import terms_of
from pbem.errors import Refused
from pbem.match.bots import suggest
from pbem.match.chances import Steady
from pbem.match.table import BARE
from pbem.scenario import Scenario
from pbem.simulate import game
from pbem.simulate.game import NAMES, Run, begun, entries, played


def run_of(scenario: str | Scenario, first: str = "bold", second: str = "bold", seed: int = 1, **terms: str) -> Run:
    """A run of a scenario."""
    loaded = scenario_of(scenario) if isinstance(scenario, str) else scenario
    return Run(loaded, terms_of(loaded, {}, **terms), (first, second), seed)


@pytest.mark.parametrize(
    ("run", "number"),
    [
        (run_of("yao"), 1),
        (run_of("yao", "random", "bold", reactions="ask"), 2),
        (run_of("toba-fushimi", "bold", "random"), 3),
    ],
    ids=["standing", "ask", "toba-fushimi"],
)
def test_it_is_the_game_that_the_bots_would_play_by_mail(
    run: Run, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Signed turns, chains and reveals, with the dice of the run: the same mails, the same end."""
    monkeypatch.setattr(dice, "seed", lambda _, __, entry, ___: game._seed(run, number, str(entry)))
    match = Match(run.scenario, number, reactions=run.terms.reactions)
    bots = dict(zip(match.sides, zip(NAMES, run.bots, strict=True), strict=True))
    whims = {name: Steady(int.from_bytes(game._seed(run, number, seat)[:8], "big")) for name, (seat, _) in bots.items()}
    kinds = []
    while (due := match.due())[1] is not None:
        what, name = due
        assert name is not None
        kinds.append(what)
        match.play(statements(suggest(match.table, name, bots[name][1], whims[name])))
    table = begun(run)
    assert list(entries(run, number, table)) == kinds
    assert table.game.dump() == match.table.game.dump()
    told = played(run, number)
    assert (told.mails, told.orders) == (len(match.blocks), sum(kind not in BARE for kind in kinds))
    assert (*told[1:4], told.level) == match.table.outcome
    assert told.turns == match.table.rules.clock(match.table.game.state)[0]
    removed = [step for step in match.table.steps if step["kind"] == "tell" and step["what"] == "remove"]
    assert sum(map(sum, told.lost.values())) == len(removed) > 0
    assert {len(turns) for turns in told.lost.values()} == {told.turns}


def test_a_game_is_that_of_its_number_and_seed(toy_system: Scenario) -> None:
    run = run_of(toy_system, "random", "random")
    games = [played(run, number) for number in range(1, 7)]
    assert [played(run, number) for number in (5, 2)] == [games[4], games[1]]
    assert [found.number for found in games] == [1, 2, 3, 4, 5, 6]
    assert len({(*found[1:7], str(found.lost)) for found in games}) > 3, "games differ"
    assert [played(replace(run, seed=2), number) for number in range(1, 7)] != games


def test_the_whims_of_one_player_and_the_dice_of_each_entry_are_their_own() -> None:
    run = run_of("yao")
    seeds = [game._seed(run, number, what) for number in (1, 2) for what in (*NAMES, "2", "3")]
    seeds += [game._seed(replace(run, seed=seed), 1, "2") for seed in (11, 1 << 40)]
    assert len(set(seeds)) == len(seeds)
    assert all(len(seed) == 32 for seed in seeds)


def test_the_first_bot_has_the_first_side() -> None:
    """The bold bot wins against the random one, from either side."""
    for bots, winner in ((("bold", "random"), "east"), (("random", "bold"), "osaka")):
        assert played(run_of("yao", *bots), 1).winner == winner


def test_mails_are_numbered_without_a_gap(toy_system: Scenario) -> None:
    run = run_of(toy_system, "random", "random", reactions="ask")
    table = begun(run)
    found = [table.seq for _ in entries(run, 1, table)]
    assert found[0] == 2
    assert all(after == before + 1 for before, after in pairwise(found))


def test_what_cannot_be_played_is_refused(toy_system: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(toy_system, "random", "clever")
    with pytest.raises(Refused, match="no bot is called clever"):
        played(run, 1)
    with pytest.raises(Refused, match=r"those of 0\.9"):
        played(replace(run, bots=("random", "random"), version="0.9"), 1)
    with pytest.raises(Refused, match=r"this is pbem .* with rules toy/1, .* with rules toy/0"):
        played(replace(run, bots=("random", "random"), terms=run.terms._replace(rules="toy/0")), 1)
    monkeypatch.setattr(game, "MOST", 3)
    with pytest.raises(Refused, match="game 1 has no end"):
        played(replace(run, bots=("random", "random")), 1)


def test_a_bot_that_comes_to_no_end_is_told(toy_system: Scenario, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game, "suggest", lambda *_: [])
    table = begun(run_of(toy_system))
    with pytest.raises(Refused, match=r"gives one entry after another in .* of turn 1, and none"):
        list(entries(run_of(toy_system), 1, table))
    assert table.seq < 100
