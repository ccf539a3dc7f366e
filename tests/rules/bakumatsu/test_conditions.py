"""The conditions of the order language, as this system answers them."""

from __future__ import annotations

import pytest

from pbem.errors import AmbiguousOrder, MalformedOrder
from pbem.rules import bakumatsu

UNITS = {
    "sg-1": "0101 4-3-3-4",
    "sg-2": "0102 5-x-3-3 range 3 disordered done",
    "sg-3": "cup 4-3-3-4",
    "sg-4": "received 4-3-3-4",
    "sg-5": "removed 4-3-3-4",
    "sa-1": "0203 6-5-5-5",
}


@pytest.fixture
def battle(field):
    return field(". . .\n . . .", UNITS, phase="shogunate-move", idle=True, control={"satcho": "0103"})


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ("gone sg-5", True),
        ("gone sg-1", False),
        ("gone sg-3", False),
        ("gone sg-4", False),
        ("alive sg-5", False),
        ("alive sg-1", True),
        ("alive sg-3", True),
        ("at sg-1 0101", True),
        ("at sg-1 0102", False),
        ("at sg-5 0101", False),
        ("empty 0201", True),
        ("empty 0203", False),
        ("empty 0101", False),
        ("held 0103 satcho", True),
        ("held 0103 shogunate", False),
        ("held 0101 shogunate", True),
        ("held 0201 shogunate", False),
        ("is sg-2 disordered", True),
        ("is sg-1 disordered", False),
        ("is sg-1 normal", True),
        ("is sg-2 normal", False),
        ("is sg-3 normal", False),
        ("is sg-2 artillery", True),
        ("is sg-1 artillery", False),
        ("is sg-4 received", True),
        ("is sg-3 received", False),
        ("is sg-2 done", True),
        ("is sg-1 done", False),
    ],
)
def test_a_condition_holds_or_not(battle, words, right):
    assert bakumatsu.test(battle.state, bakumatsu.read_test(battle.board, tuple(words.split()))) is right


def test_a_condition_is_read_with_full_ids(battle):
    assert bakumatsu.read_test(battle.board, ("is", "sg-i", "normal")) == ("is", "sg-idle", "normal")
    assert bakumatsu.read_test(battle.board, ("gone", "sg-i")) == ("gone", "sg-idle")


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("gone sg", AmbiguousOrder),
        ("gone xx-9", MalformedOrder),
        ("at sg-1 9999", MalformedOrder),
        ("held 0101 tosa", MalformedOrder),
        ("is sg-1 tired", MalformedOrder),
        ("lost sg-1", MalformedOrder),
        ("gone", MalformedOrder),
    ],
)
def test_a_condition_that_cannot_be_read_is_refused_with_what_would_be_right(battle, words, kind):
    with pytest.raises(kind) as caught:
        bakumatsu.read_test(battle.board, tuple(words.split()))
    assert caught.value.hint
