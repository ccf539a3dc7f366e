"""Small JSON files of a home folder: whatever stands in one, it is read or damaged, and no command breaks."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_player import World

from pbem.errors import Damaged, Refused
from pbem.home import laid as laying
from pbem.home.folders import NOTES_MAX, Home
from pbem.home.laid import Laid, Moment, keep_laid, laid_in
from pbem.home.stored import of_form
from pbem.home.wishes import wish_of
from pbem.wire.notes import Note

LAID_NOW = '[{"turn": %s, "phase": %s, "text": %s, "behind": %s}]'
GARBAGE = {
    "laid.json": [
        LAID_NOW % ("1e999", '"satcho-fire"', '"done"', "0"),
        LAID_NOW % ("NaN", '"satcho-fire"', '"done"', "0"),
        LAID_NOW % ("1", '"satcho-fire"', '"done"', "1" + "0" * 5000),
        LAID_NOW % ("true", '"satcho-fire"', '"done"', "0"),
        LAID_NOW % ("1", "[]", '"done"', "0"),
        LAID_NOW % ("1", '"satcho-fire"', '"\\ud800"', "0"),
        "[" * 100_000,
    ],
    "wish.json": [
        '{"kind": "undo", "target": 1e999, "note": ""}',
        '{"kind": "undo", "target": -Infinity, "note": ""}',
        '{"kind": ["resign"], "target": 0, "note": ""}',
        '{"kind": "resign", "target": 0, "note": {}}',
        '{"a":' * 100_000,
    ],
    "contact.json": ['{"name": 1e999}', '{"to": ["x@example.org"]}', "null", "[" * 100_000, "\x00"],
    "settings.json": ['{"send": 1e999}', '{"send": null}', "7", "[" * 100_000],
}


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, "opened")


def place(world: World, name: str) -> Path:
    """Where a file of that name is in ben's home."""
    if name == "settings.json":
        return world.home("ben") / name
    (log,) = (log for log in world.home("ben").glob("games/*/game.log") if "toba-fushimi" in log.read_text("ascii"))
    return log.with_name(name)


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_is_told_in_one_line_and_counts_as_empty(world: World, name: str) -> None:
    folder = Home(world.home("ben")).find(None)
    first = GARBAGE[name][0]
    for stored in GARBAGE[name]:
        place(world, name).write_text(stored)
        assert laid_in(folder) == []
        assert wish_of(folder) is None
        for words in [["games"], ["lay"], ["open", "--quiet", world.path("4.eml")]][: 3 if stored == first else 1]:
            said = world.says("ben", *words)
            assert said.code == 0, said.err
            assert said.err.count(f"{name}: it is damaged, and counts as empty; ") == 1, said.err
    said = world.says("ben", "send")
    assert "it is damaged, and counts as empty" in said.err
    assert "I have to send orders, not only a reveal" in said.err


def test_what_is_damaged_is_taken_away_as_the_hint_says(world: World) -> None:
    for name, words in (("laid.json", ["lay", "--off"]), ("wish.json", ["draw", "--withdraw"])):
        place(world, name).write_text(GARBAGE[name][0])
        assert f"`pbem {' '.join(words)}` takes it away" in world.says("ben", "games").err
        said = world.says("ben", *words)
        assert (said.code, place(world, name).exists()) == (0, False), said.err
        assert "is damaged" not in world.says("ben", "games").err


def test_the_hint_names_the_game_whose_file_is_damaged(world: World) -> None:
    world.does("ben", "play", "yao", "--against", "random", "--as", "osaka", "--no-browser")
    place(world, "laid.json").write_text(GARBAGE["laid.json"][0])
    assert "`pbem lay --game toba-fushimi --off` takes it away" in world.says("ben", "games").err


def test_a_file_of_its_form_is_read(world: World) -> None:
    assert of_form(b'{"a": "b"}', dict[str, str]) == {"a": "b"}
    assert of_form(b"[999999999]", list[int]) == [999_999_999]
    for data in (b"[1.0]", b"[1000000000]", b"[true]", b'["\\ud800"]', b"\xff", b""):
        with pytest.raises(Damaged):
            of_form(data, list[int] if b"1" in data else list[str])


def test_laid_orders_that_would_not_be_read_again_are_refused(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Home(world.home("ben")).find(None)
    kept = Laid(Moment(1, "satcho-fire"), "done", 4)
    keep_laid(folder, kept)
    monkeypatch.setattr(laying, "LAID_MAX", 2000)
    line = world.refused("ben", "lay", world.write("big.txt", "done # " + "\u4eac" * 700), "--for", "melee")
    assert "all that is laid would have 2," in line
    assert line.endswith("2,000 at most are kept; `pbem lay` shows what is laid, `pbem lay --off` takes it away")
    assert laid_in(folder) == [kept]
    world.does("ben", "lay", world.write("big.txt", "done # " + "\u4eac" * 500), "--for", "melee")
    assert len(laid_in(folder)) == 2


def test_notes_that_would_not_be_read_again_are_refused(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Home(world.home("ben")).find(None)
    folder.keep_note(Note("ben", 3, "kept"))
    before = (folder.path / "notes.txt").read_bytes()
    monkeypatch.setattr("pbem.home.folders.NOTES_MAX", 200)
    with pytest.raises(Refused, match="the notes of this game would have"):
        folder.keep_note(Note("asuka", 4, "x" * 150))
    assert (folder.path / "notes.txt").read_bytes() == before
    assert NOTES_MAX > 200


def test_a_long_note_of_the_opponent_stops_no_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(tmp_path, "moved")
    world.does("asuka", "send", "--again", "--note", world.write("n", "x" * 300), "-o", world.path("n.eml"))
    monkeypatch.setattr("pbem.home.folders.NOTES_MAX", 100)
    said = world.says("ben", "open", "--quiet", world.path("n.eml"))
    assert (said.code, world.newest("ben").seq) == (0, 4), said.err
    assert Home(world.home("ben")).find(None).notes() == []
