"""Games have names: made when a game begins, kept in the home, and found by."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from toy.players import Duel, Post

from pbem.errors import Refused
from pbem.home.contact import Contact
from pbem.home.folders import Folder, Home
from pbem.home.names import free, name_in
from pbem.home.restore import restore_game
from pbem.wire.turn import Turn


@pytest.fixture
def games(tmp_path: Path, duel: Callable[..., Duel]) -> list[Folder]:
    """Three games of one scenario, in the order in which they began."""
    home = Home(tmp_path)
    begun = [duel(number) for number in range(3)]
    return [home.begin(Turn.of(game.offer), Turn.of(game.accept), Contact("anna")) for game in begun]


def test_games_are_called_as_their_scenario_in_the_order_in_which_they_begin(games: list[Folder]) -> None:
    home = games[0].home
    names = ["duel", "duel-2", "duel-3"]
    assert [home.name_of(game) for game in games] == names
    assert [home.find(name).id for name in names] == [game.id for game in games]
    assert sorted(home.named()) == names


def test_a_game_is_found_by_its_name_or_opponent_and_by_how_a_name_begins(games: list[Folder]) -> None:
    home = games[0].home
    for several in ("ben", "du"):
        with pytest.raises(
            Refused, match="may mean more than one game; --game duel against ben or --game duel-2 against"
        ):
            home.find(several)
    with pytest.raises(Refused, match="meant by 'anna'"):
        home.find("anna")  # that is me
    home.rename(games[1], "ben")  # a name goes before an opponent
    home.rename(games[2], "revenge")
    assert home.find("ben").id == games[1].id
    assert home.find("rev").id == games[2].id
    assert home.find(games[2].id[:6]).id == games[2].id


def test_the_opponent_finds_the_only_game_with_him(post: Post) -> None:
    post.begun()
    home = post.desks["anna"].home
    for word in ("ben", "Ben", "be", "DUEL", "Du"):
        assert home.find(word).id == home.games()[0].id
    with pytest.raises(Refused, match="no game is meant by 'bent'"):
        home.find("bent")


def test_an_opponent_takes_no_game_over_by_what_he_calls_himself(tmp_path: Path, duel: Callable[..., Duel]) -> None:
    """He calls himself as my game with another one begins, by its name or its id."""
    home = Home(tmp_path)
    mine, his = duel(1), duel(2)
    game = home.begin(Turn.of(mine.offer), Turn.of(mine.accept), Contact("anna"))
    home.rename(game, "benefit")
    other = home.begin(Turn.of(his.offer), Turn.of(his.accept), Contact("anna"))
    with pytest.raises(Refused, match="'ben' may mean more than one game; --game benefit against ben or --game duel "):
        home.find("ben")
    game.write_contact(Contact("ben", called="benefit"))  # the other one, against anna
    with pytest.raises(Refused, match="--game benefit against anna or --game duel against ben"):
        home.find("ben")
    assert home.find("benefit").id == game.id
    assert home.find("duel").id == other.id


def test_two_games_never_have_one_name(games: list[Folder]) -> None:
    home = games[0].home
    with pytest.raises(Refused, match="duel-2 is what another game is called"):
        home.rename(games[0], "duel-2")
    home.rename(games[0], "duel")
    games[0].write_contact(Contact("anna", called="duel-2"))  # as a backup may bring it
    games[1].write_contact(Contact("anna"))  # or a file be lost
    assert len(home.named()) == 3
    assert {home.find(name).id for name in home.named()} == {game.id for game in games}


def test_a_restored_game_has_a_name(post: Post, duel: Callable[..., Duel]) -> None:
    game, desk = duel(), post.desks["anna"]
    for _ in range(2):
        restore_game(desk.home, game.log, game.table, desk.signer.pub_blob, Contact())
        assert list(desk.home.named()) == ["duel"]
        desk.home.games()[0].write_contact(Contact("anna"))
    desk.home.rename(desk.home.games()[0], "mine")
    restore_game(desk.home, game.log, game.table, desk.signer.pub_blob, Contact())
    assert list(desk.home.named()) == ["mine"]


@pytest.mark.parametrize(
    ("scenario", "name"),
    [("yao", "yao"), ("Goto's_Dream", "goto-s-dream"), ("bad", "game-bad"), ("-x", "game--x"), ("x" * 40, "x" * 24)],
)
def test_any_scenario_gives_a_name(scenario: str, name: str) -> None:
    assert name_in(scenario) == name
    assert free(name, [name, f"{name}-2"]) == f"{name}-3"


def test_a_damaged_log_is_called_by_its_id(games: list[Folder]) -> None:
    games[0].write_contact(Contact())
    games[0].log.write_text("nothing\n")
    assert games[0].home.name_of(games[0]) == games[0].id
    assert games[0].home.find("duel-2").id == games[1].id
