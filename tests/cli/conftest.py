"""What the tests of the commands share: keys, chance and clock that are the same in every run."""

from __future__ import annotations

from importlib import import_module

import pytest
from cli_player import steady


@pytest.fixture(autouse=True)
def steady_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix keys, randomness, clock and environment."""
    steady(monkeypatch)


@pytest.fixture
def blank_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pages stay empty, whose maps take long to draw."""
    import_module("pbem.cli.situation")  # who takes the piece from `showing` must have it by then, for the tests after
    monkeypatch.setattr("pbem.cli.showing.page_of", lambda *_: "a page")
