"""Playthrough goldens: every request of a game with its options, the answer, what was told and which counters changed.

`PBEM_REGENERATE=1 pytest tests/systems/test_playthroughs.py` writes the .txt files anew, of the .yaml files beside
them; the difference is to be read before it is committed.
"""

from __future__ import annotations

import pytest
import yaml
from golden import golden

from systems.adapters import ADAPTERS, HERE, files
from systems.play_script import playthrough

MOST_BYTES = 150_000


@pytest.mark.parametrize(("system", "name"), files("playthroughs", "yaml"))
def test_a_playthrough_goes_as_it_went(system: str, name: str) -> None:
    """It is short enough to be read, and has every kind of request and event that it is to show."""
    path = HERE / "playthroughs" / system / f"{name}.txt"
    p = yaml.safe_load(path.with_suffix(".yaml").read_text("ascii"))
    golden(path, "\n".join(playthrough(ADAPTERS[system], p)) + "\n")
    text = path.read_text("ascii")
    assert [kind for kind in p["shown"] if kind not in text] == []
    assert len(text) < MOST_BYTES


@pytest.mark.parametrize("system", ADAPTERS)
def test_the_playthroughs_are_all_there(system: str) -> None:
    names = [name for of, name in files("playthroughs", "yaml") if of == system]
    assert names == [name for of, name in files("playthroughs", "txt") if of == system]
    assert {"skirmish", "whole-game"} <= set(names)
