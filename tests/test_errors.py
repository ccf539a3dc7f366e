"""What an error says of its place."""

from __future__ import annotations

from pbem.errors import BadLog


def test_a_place_stands_inside_another_once() -> None:
    error = BadLog("it doesn't fit", "entry 3")
    assert str(error.inside("game.log")) == "game.log, entry 3: it doesn't fit"
    assert str(error.inside("game.log")) == "game.log, entry 3: it doesn't fit"
    assert BadLog("it doesn't fit").inside("line 1").inside("line 12").where == "line 12, line 1"
