"""The toy at hand in the tests that are about it."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _toy_at_hand(request: pytest.FixtureRequest) -> None:
    callspec = getattr(request.node, "callspec", None)
    if callspec is not None and callspec.params.get("system") == "toy":
        request.getfixturevalue("toy_system")
