"""Playthrough goldens: every request of a game with its options, the answer, what was told and which counters changed.

`PBEM_REGENERATE=1 pytest tests/systems/test_playthroughs.py` writes them anew; the difference is to be read before
it is committed.
"""

from __future__ import annotations

import pytest
from golden import golden

from systems.adapters import ADAPTERS, HERE, files

MOST_BYTES = 150_000


@pytest.mark.parametrize(("system", "name"), files("playthroughs", "txt"))
def test_a_playthrough_goes_as_it_went(system: str, name: str) -> None:
    """It is short enough to be read, and has every kind of request and event that it is to show."""
    lines, shown = ADAPTERS[system].PLAYTHROUGHS[name]
    path = HERE / "playthroughs" / system / f"{name}.txt"
    golden(path, "\n".join(lines()) + "\n")
    text = path.read_text("ascii")
    assert [kind for kind in shown if kind not in text] == []
    assert len(text) < MOST_BYTES


@pytest.mark.parametrize("system", ADAPTERS)
def test_the_playthroughs_are_all_there(system: str) -> None:
    assert [name for of, name in files("playthroughs", "txt") if of == system] == sorted(ADAPTERS[system].PLAYTHROUGHS)
