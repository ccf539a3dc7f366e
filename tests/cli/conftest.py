"""What the tests of the commands share: keys, chance and clock that are the same in every run."""

from __future__ import annotations

import pytest
from cli_player import steady


@pytest.fixture(autouse=True)
def steady_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fix keys, randomness, clock and environment."""
    steady(monkeypatch)
