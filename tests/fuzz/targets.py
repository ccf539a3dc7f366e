"""What is fuzzed: each target reads any bytes, and may refuse them in one way only."""

from __future__ import annotations

from fuzz import read_caches, read_keys, read_mail, read_scenarios, read_turns
from fuzz.target import Target

__all__ = ["TARGETS"]

TARGETS: dict[str, Target] = {
    **read_mail.TARGETS,
    **read_turns.TARGETS,
    **read_scenarios.TARGETS,
    **read_keys.TARGETS,
    **read_caches.TARGETS,
}
