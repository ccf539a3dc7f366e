"""The options of a game: what a scenario leaves to be chosen, and what was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.errors import BadScenario
from pbem.records import NamedTuple

__all__ = ["Choice", "chosen"]


class Choice(NamedTuple):
    """An option of a scenario."""

    default: str
    values: tuple[str, ...]


def chosen(
    rules: Mapping[str, Sequence[str]], offered: Mapping[str, Choice], given: Mapping[str, str], scenario: str
) -> list[str]:
    """The values of the rules' options, in order: those given, else the scenario's defaults, else the rules' first.

    Raises BadScenario for an option that the scenario doesn't offer, or a value that it doesn't have.
    """
    for name, value in given.items():
        if name not in offered:
            right = ", ".join(sorted(offered)) or "none"
            raise BadScenario(f"{name!r} isn't an option", f"scenario {scenario}", f"options are: {right}")
        if value not in offered[name].values:
            right = ", ".join(offered[name].values)
            raise BadScenario(f"option {name} can't be {value!r}", f"scenario {scenario}", f"values are: {right}")
    first = {name: values[0] for name, values in rules.items()}
    every = first | {name: choice.default for name, choice in offered.items()} | dict(given)
    return [every[name] for name in rules]
