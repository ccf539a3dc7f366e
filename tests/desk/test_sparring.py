"""Games against a bot at a desk of its own: real logs on both sides, whatever is settled, wherever a run is cut off."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest
from cli_player import steady

from pbem.crypto.keys import load_signer, new_key
from pbem.desk import sparring
from pbem.desk.desk import Desk, Place, terms_of
from pbem.desk.sparring import Bot, begin, decided, exchange, seated
from pbem.errors import BadLog, BadScenario, Refused
from pbem.home.bots import bot_of
from pbem.home.folders import Home
from pbem.match.replay import replay
from pbem.match.table import BARE
from pbem.scenario import Scenario
from pbem.wire.bodies import proposal_body
from pbem.wire.turn import read_turns


@pytest.fixture(autouse=True)
def _steady(monkeypatch: pytest.MonkeyPatch) -> None:
    steady(monkeypatch)


class Practice:
    """A player at home, and the bot below."""

    def __init__(self, root: Path, scenario: Scenario, side: str = "red", bot: str = "bold", **terms: str) -> None:
        self.home = Home(root / "home")
        self.home.root.mkdir()
        new_key(self.home.key, "anna")
        self.name, self.chance = bot, random.Random(7)
        self.place = begin(self.me, lambda: self.bot, terms_of(scenario, {"length": "long"}, **terms), side, "anna")

    @property
    def me(self) -> Desk:
        """The player anew, as each command of the program is."""
        return Desk(self.home, lambda: load_signer(self.home.key), os.urandom)

    @property
    def bot(self) -> Bot:
        return seated(self.home, self.name, os.urandom, self.chance)

    def opened(self) -> tuple[Desk, Place]:
        me = self.me
        return me, me.place(me.home.find(None))

    def exchange(self) -> Place:
        return exchange(*self.opened(), self.bot)

    def logs(self) -> tuple[str, str]:
        """Mine and the bot's."""
        return self.home.find(None).text(), self.bot.desk.home.find(None).text()

    def sends(self) -> Place:
        """Let rules of thumb play for me, too."""
        me, place = self.opened()
        me.send(place, decided(place, "bold", self.chance))
        return self.exchange()


@pytest.mark.parametrize(("side", "bot", "reactions"), [("red", "bold", "standing"), ("blue", "random", "ask")])
def test_a_whole_game(side: str, bot: str, reactions: str, tmp_path: Path, toy_system: Scenario) -> None:
    game = Practice(tmp_path, toy_system, side, bot, reactions=reactions)
    place = game.exchange()
    sent = 0
    while place.table.due().player is not None:
        due = place.table.due()
        assert (due.player, due.what in BARE) == ("anna", False), "only what needs a decision is asked"
        place = game.sends()
        sent += 1
    mine, theirs = game.logs()
    assert mine == theirs
    table = replay(mine, game.home.load).table
    assert table is not None
    assert table.outcome is not None
    by = [turn.entry.by for turn in read_turns(mine)]
    assert {"anna", bot} == set(by)
    assert sent


def test_both_have_keys_of_their_own(tmp_path: Path, toy_system: Scenario) -> None:
    game = Practice(tmp_path, toy_system)
    keys = {player.name: player.key for player in game.place.table.players.values()}
    assert keys["anna"] != keys["bold"]
    folder = game.home.find(None)
    bot = bot_of(folder)
    assert bot is not None
    assert (bot.root, bot.key.is_file()) == (game.home.root / "bots" / "bold", True)
    assert bot_of(bot.find(None)) is None, "the bot itself plays against nobody here"
    assert load_signer(bot.key).pub_blob == keys["bold"]


def test_a_bot_keeps_its_key_from_game_to_game(tmp_path: Path, toy_system: Scenario) -> None:
    game = Practice(tmp_path, toy_system)
    first = game.bot.desk.signer.pub_blob
    begin(game.me, lambda: game.bot, terms_of(toy_system, {}), "blue", "anna")
    assert game.bot.desk.signer.pub_blob == first
    assert len(game.home.games()) == len(game.bot.desk.home.games()) == 2


def test_a_bot_agrees_to_an_undo_and_refuses_a_draw(tmp_path: Path, toy_system: Scenario) -> None:
    game = Practice(tmp_path, toy_system)
    game.exchange()
    game.sends()
    me, place = game.opened()
    mine = max(number for number in place.table.decisions if place.table.due().player == "anna")
    me.agree(place, "undo", proposal_body("undo", "offer", mine))
    place = game.exchange()
    assert mine not in place.table.decisions
    me, place = game.opened()
    me.agree(place, "draw", proposal_body("draw", "offer"))
    place = game.exchange()
    assert place.table.outcome is None
    assert place.table.refused == {("draw", "anna")}
    assert len(set(game.logs())) == 1


def test_who_resigns_has_lost_in_both_logs(tmp_path: Path, toy_system: Scenario) -> None:
    game = Practice(tmp_path, toy_system)
    game.exchange()
    game.sends()
    me, place = game.opened()
    me.agree(place, "resign")
    place = game.exchange()
    assert place.table.due().what == "nothing"
    assert len(set(game.logs())) == 1


def test_a_run_that_was_cut_off_is_finished_by_the_next(
    tmp_path: Path, toy_system: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind each entry that either desk takes in or signs."""
    game = Practice(tmp_path, toy_system)
    game.exchange()
    take_in, cut = sparring.take_in, 0
    while game.opened()[1].table.due().player is not None and cut < 12:
        me, place = game.opened()
        me.send(place, decided(place, "bold", game.chance))
        for left in range(4):
            calls = iter(range(left))

            def cut_off(*args: object, calls: object = calls) -> object:
                if next(calls, None) is None:  # type: ignore[call-overload]
                    raise KeyboardInterrupt
                return take_in(*args)  # type: ignore[arg-type]

            monkeypatch.setattr(sparring, "take_in", cut_off)
            try:
                game.exchange()
            except KeyboardInterrupt:
                cut += 1
        monkeypatch.setattr(sparring, "take_in", take_in)
        game.exchange()
        assert len(set(game.logs())) == 1
    assert cut > 3


def test_logs_that_part_are_told_and_stay(tmp_path: Path, toy_system: Scenario) -> None:
    """An older copy of my home, without the bot's, goes another way."""
    game = Practice(tmp_path, toy_system)
    game.exchange()
    game.sends()
    old = shutil.copytree(game.home.root / "games", tmp_path / "old")
    game.sends()
    shutil.rmtree(game.home.root / "games")
    shutil.rmtree(game.home.root / "signed")
    shutil.copytree(old, game.home.root / "games")
    me, place = game.opened()
    me.agree(place, "draw", proposal_body("draw", "offer"))
    before = game.logs()
    with pytest.raises(BadLog, match="the bot has another log of this game"):
        game.exchange()
    assert game.logs() == before


def test_an_older_log_is_brought_up_to_the_bot_s(tmp_path: Path, toy_system: Scenario) -> None:
    game = Practice(tmp_path, toy_system)
    game.exchange()
    old = shutil.copytree(game.home.root / "games", tmp_path / "old")
    game.sends()
    shutil.rmtree(game.home.root / "games")
    shutil.copytree(old, game.home.root / "games")
    game.exchange()
    mine, theirs = game.logs()
    assert mine == theirs


def test_a_bot_that_comes_to_no_end_is_told(
    tmp_path: Path, toy_system: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its entries hold nothing, so that it is asked the same again; the log stays as good as it is."""
    game = Practice(tmp_path, toy_system, "blue")
    suggest = sparring.suggest
    monkeypatch.setattr(sparring, "suggest", lambda *_: [])
    with pytest.raises(Refused, match=r"^bold gives one entry after another in .+ of turn 1, and none"):
        game.exchange()
    monkeypatch.setattr(sparring, "suggest", suggest)
    assert game.exchange().table.due().player == "anna"


def test_a_game_for_which_the_bot_finds_no_set_up_isnt_begun(
    tmp_path: Path, toy_system: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    def finds_none(_: object) -> None:
        raise BadScenario("no place is found")

    monkeypatch.setattr(sparring, "try_set_up", finds_none)
    with pytest.raises(BadScenario, match="no place is found"):
        Practice(tmp_path, toy_system)
    home = Home(tmp_path / "home")
    assert (home.games(), home.offers()) == ([], [])


def test_an_offer_that_the_bot_cant_accept_is_none(
    tmp_path: Path, toy_system: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object) -> None:
        raise Refused("no")

    monkeypatch.setattr(sparring, "read_offer", refuses)
    with pytest.raises(Refused, match="no"):
        Practice(tmp_path, toy_system)
    home = Home(tmp_path / "home")
    assert (home.games(), home.offers()) == ([], [])
