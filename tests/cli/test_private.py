"""What must not leave the machine by mistake: no private key, nor any file of the home folder, is a note or orders."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cli_player import World

NOT_HERE = "this file is one of my home folder, and not "
KEY = "a private key is in it; it stays with its owner: nothing is read or sent of it"


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Ben has to send orders."""
    world = World(tmp_path, "opened")
    world.write("ben.txt", "done")
    os.symlink(world.home("ben") / "key", world.path("link"))
    os.link(world.home("ben") / "key", world.path("twin"))
    world.write("copy", b"\xef\xbb\xbf# mine\n" + (world.home("ben") / "key").read_bytes())
    world.write("putty", "PuTTY-User-Key-File-3: ssh-ed25519\n")
    return world


def test_no_file_of_the_home_folder_is_mailed_or_read_as_orders(world: World) -> None:
    own = [world.home("ben") / "key", Path(world.path("link")), world.log("ben"), world.log("ben").with_name("times")]
    for path in map(str, own):
        for words in (["send", world.path("ben.txt"), "--yes", "--note"], ["draw", "--note"]):
            assert f"{NOT_HERE}a note; " in world.refused("ben", *words, path)
        for verb in ("check", "send", "lay"):
            assert f"{NOT_HERE}an order file; " in world.refused("ben", verb, path)


def test_no_private_key_is_mailed_or_told(world: World) -> None:
    """`check key` told 37 letters of each of its lines."""
    secret = (world.home("ben") / "key").read_text().splitlines()[2][:20]
    for path in map(world.path, ("twin", "copy", "putty")):
        for words in (["check"], ["lay"], ["send", world.path("ben.txt"), "--yes", "--note"]):
            line = world.refused("ben", *words, path)
            assert line.endswith(KEY)
            assert secret not in line
    typed = (world.home("ben") / "key").read_bytes()
    assert KEY in world.refused("ben", "draw", "--note", "-", stdin=typed)
    assert KEY in world.refused("ben", "check", "-", stdin=typed)


def test_a_note_in_an_editor_is_no_key_either(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    key = (world.home("ben") / "key").read_text()
    monkeypatch.setattr("click.edit", lambda *_, **__: key)
    assert KEY in world.refused("ben", "draw", "--write-note")


def test_the_draft_of_edit_in_the_home_folder_is_an_order_file(world: World) -> None:
    draft = world.log("ben").with_name("orders-5.txt")
    draft.write_text("done")
    assert "accepted: 1 statement" in world.says("ben", "check", str(draft)).err
    assert f"{NOT_HERE}a note; " in world.refused("ben", "draw", "--note", str(draft))
    other = world.home("ben") / "orders-5.txt"
    other.write_text("done")
    assert f"{NOT_HERE}an order file; " in world.refused("ben", "check", str(other))


@pytest.mark.parametrize("kind", ["pipe", "device", "huge"])
def test_a_draft_that_is_no_file_of_orders_is_not_waited_for(
    kind: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe hung, and three gigabytes were read whole."""
    monkeypatch.setenv("EDITOR", "true")
    draft = world.log("ben").with_name("orders-5.txt")
    if kind == "pipe":
        os.mkfifo(draft)
    elif kind == "device":
        draft.symlink_to("/dev/zero")
    else:
        with open(world.path("big"), "wb") as file:
            file.truncate(3 << 30)  # it has holes, and takes no room
        draft.symlink_to(world.path("big"))
    said = world.says("ben", "edit", typed="l\n")
    assert said.code == 0, said.err
    assert ("it is too large for an order file; 2 MiB at most" in said.err) == (kind == "huge")
    assert draft.is_symlink() == (kind == "huge"), "the form stands there now"
