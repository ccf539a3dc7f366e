"""Attacks by whole commands in campaigns: orders that no report was made for."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_player import World, steady

OTHER = {"asuka": "ben", "ben": "asuka"}


@pytest.fixture
def new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """Two players with a key each, and no game."""
    steady(monkeypatch)
    return World(tmp_path / "world", "new")


def begin(world: World, scenario: str, side: str) -> None:
    """Begin a game in which asuka plays a side."""
    offer, accept = world.path("offer.eml"), world.path("accept.eml")
    world.does("asuka", "offer", scenario, "--side", side, "--name", "asuka", "--mail", "asuka@example.org",
               "--to", "ben@example.net", "-o", offer)  # fmt: skip
    world.does("ben", "accept", offer, "--yes", "--name", "ben", "--mail", "ben@example.net", "-o", accept)
    world.does("asuka", "open", "--quiet", accept)


def sends(world: World, name: str, orders: str) -> str:
    """Let a player send orders, and the other open them; what he is shown."""
    mail = world.path("turn.eml")
    Path(mail).unlink(missing_ok=True)
    world.does(name, "send", world.write("orders.txt", orders), "--yes", "-o", mail)
    shown: str = world.does(OTHER[name], "open", mail)
    return shown


def test_a_force_that_only_goes_into_its_castle_is_told_by_all_reports(new: World) -> None:
    begin(new, "shizugatake", "hashiba")
    sends(new, "asuka", "close deployment")
    sends(new, "ben", "close deployment; close situation; done")
    told = "Miyabe Keijun (hb-31) went into the castle at Tottori (0911)."
    assert told in sends(new, "asuka", "move hb-31 enter; done")
    for form in ("text", "html", "json"):
        assert "hb-31" in new.does("asuka", "report", "--format", form)
    assert "inning 1" in new.does("ben", "report", "--so-far")


def test_a_damaged_log_of_mine_is_never_laid_to_the_mail(new: World) -> None:
    begin(new, "cedar-mountain", "confederate")
    mail = new.path("2.eml")
    new.does("asuka", "send", "-o", mail)
    whole = new.log("ben").read_bytes()
    new.log("ben").write_bytes(whole[:-500])
    line = new.refused("ben", "open", mail)
    assert "ben/games/" in line.partition("cut off")[0]
    assert "ask for it again" not in line
    assert "`pbem restore FILE` brings the log back from a backup, my opponent's log or the mails" in line
    new.does("ben", "restore", str(new.log("asuka")))
    assert new.log("ben").read_bytes() == new.log("asuka").read_bytes()


def test_a_damaged_note_of_what_was_signed_bars_signing_and_says_why(new: World) -> None:
    begin(new, "shizugatake", "hashiba")
    sends(new, "asuka", "close deployment")
    sends(new, "ben", "close deployment; close situation; done")
    note = next((new.home("asuka") / "signed").iterdir())
    note.write_bytes(note.read_bytes()[:-300])
    orders, mail = new.write("orders.txt", "done"), new.path("4.eml")
    said = new.says("asuka", "send", orders, "--yes", "-o", mail)
    assert said.code == 1
    assert f"{note.name}, block 1" in said.err
    assert "it keeps me from signing two turns for one number" in said.err
    assert not Path(mail).exists()
    note.unlink()
    new.does("asuka", "send", orders, "--yes", "-o", mail)
