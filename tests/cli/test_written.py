"""What -o writes over: a mail whose turns are all in the log of that game, so that nothing is lost, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_player import World

STAYS = "; it stays; name another one with -o"
UNOPENED = f"turn.eml: the mail with entry 4 by asuka is there, which is not in the log of this game{STAYS}"


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Asuka's mail with entry 4 lies in ben's folder as turn.eml, and he has not opened it."""
    world = World(tmp_path, "moved")
    world.write("turn.eml", Path(world.path("4.eml")).read_bytes())
    return world


def test_an_unopened_mail_stays_and_an_opened_one_is_written_over(world: World) -> None:
    mail = world.path("turn.eml")
    for words in (["send", "--again"], ["draw"], ["undo", "3"], ["resign", "--yes"], ["claim"]):
        assert world.refused("ben", *words, "-o", mail) == UNOPENED
    world.does("ben", "open", "--quiet", mail)
    world.does("ben", "draw", "-o", mail)
    assert "entry 5 (draw) by ben" in Path(mail).read_text()
    again = world.says("ben", "send", "--again", "-o", mail)
    assert again.code == 0, "my own mail is written over"
    line = world.refused("asuka", "send", "--again", "-o", mail)
    assert line == f"turn.eml: the mail with entry 5 by ben is there, which is not in the log of this game{STAYS}"


def test_nothing_is_signed_where_a_mail_is_in_the_way(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    world.bot_sends("ben", 5)
    world.write("turn.eml", Path(world.path("5.eml")).read_bytes())
    monkeypatch.setenv("EDITOR", "true")
    orders = world.write("o.txt", "done")
    for words in (["send", orders, "--yes"], ["rekey", orders]):
        assert "the mail with entry 5 by ben is there" in world.refused("asuka", *words, "-o", world.path("turn.eml"))
    said = world.says("asuka", "edit", "-o", world.path("turn.eml"), typed="s\n")
    assert (said.code, "the mail with entry 5 by ben is there" in said.err) == (1, True)
    assert not list(world.log("asuka").parent.glob("orders-*")), "the editor wasn't opened"


def test_a_mail_of_another_game_stays(world: World) -> None:
    second, accepted = world.path("second.eml"), world.path("accepted.eml")
    offer = ["offer", "toba-fushimi", "--side", "satcho", "--name", "asuka"]
    world.does("asuka", *offer, "-o", second)
    for words in (offer, ["accept", second, "--yes", "--name", "asuka"]):
        line = world.refused("ben", *words, "-o", second)
        assert line == f"second.eml: the mail with entry 0 by asuka is there, which is not mine to write over{STAYS}"
    world.does("ben", "accept", second, "--yes", "--name", "carl", "-o", accepted)
    line = world.refused("ben", "draw", "--game", "toba-fushimi", "-o", accepted)
    assert line == f"accepted.eml: the mail with entry 1 by carl is there, which is not in the log of this game{STAYS}"


def test_a_damaged_mail_stays(world: World) -> None:
    damaged = Path(world.path("turn.eml")).read_bytes().replace(b"-----END PBEM TURN", b"-----END")
    world.write("turn.eml", damaged.replace(b"pbem 1", b"pbe"))
    line = world.refused("ben", "draw", "-o", world.path("turn.eml"))
    assert line.startswith("turn.eml: a damaged mail is there, which is not in the log of this game")


def test_no_folder_is_made(world: World) -> None:
    for words in (["draw"], ["form"], ["report", "--format", "html"], ["report", "--format", "svg"]):
        line = world.refused("asuka", *words, "-o", world.path("nowhere/turn.eml"))
        assert line == "nowhere: this folder isn't there; make it, or name another file"
    assert "this folder isn't there" in world.refused("asuka", "backup", world.path("nowhere/b.zip"))
    assert not (world.root / "nowhere").exists()
