"""Small battlefields of any system: the data of their map, and a game on one with orders in words and scripted dice."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

from pbem.errors import IllegalAnswer, Refusal
from pbem.maps.hexes import Hex
from pbem.match.game import Game
from pbem.rules import Board, Rules, State
from pbem.rules.requests import Choose, Draw, Outcome, Roll, Tell

__all__ = ["Battle", "letters_of", "map_data", "options_data"]


class Battle:
    """A game on a small field, begun in the middle; orders in words, dice and draws as scripted.

    `told` holds what the last `do` told. Hexes are numbered row by row from the north, "0203" the third of row 2.
    `later` are the beginnings of the rolls of a later phase, which need not be answered.
    """

    def __init__(self, rules: Rules, board: Board, state: State, later: tuple[str, ...]) -> None:
        self.rules, self.board, self.later = rules, board, later
        self.told: list[Tell] = []
        self.game = Game(rules, board, state, self._hear)

    def _hear(self, tell: Tell) -> None:
        self.told.append(tell)

    @property
    def state(self) -> State:
        return self.game.state

    @property
    def request(self) -> Any:
        return self.game.request

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome

    @property
    def phase(self) -> str:
        """The id of the phase that runs."""
        return self.rules.clock(self.state)[1]

    def do(self, order: str, *chance: int | str) -> list[Tell]:
        """Give an order (or "" to go on) with all the dice and draws that it asks for; returns what was told.

        Fails when the order is refused, when a die is left over or one is missing.
        """
        self.told = []
        left = deque(chance)
        if order:
            self.game.apply(self.order(order))
        while isinstance(self.game.request, Roll | Draw):
            request = self.game.request
            count = request.dice if isinstance(request, Roll) else request.count
            if not left and request.label.startswith(self.later):
                break
            assert len(left) >= count, f"{request} finds only {list(left)}"
            self.game.apply(tuple(left.popleft() for _ in range(count)))
        assert not left, f"nobody asks for {list(left)}"
        return self.told

    def order(self, text: str) -> Any:
        """The order in these words, as the side that must decide reads it."""
        assert isinstance(self.game.request, Choose)
        return self.rules.read_order(self.board, self.game.request.side, tuple(text.split()))

    def why_not(self, order: str) -> Refusal | None:
        """Why an order is refused now; None when it is legal."""
        assert isinstance(self.game.request, Choose)
        return self.game.request.why_not(self.order(order))

    def refused(self, order: str) -> str:
        """The clause by which the game refuses an order, after seeing that it does and that nothing changes by it."""
        before = self.rules.dump(self.state)
        with pytest.raises(IllegalAnswer) as caught:
            self.game.apply(self.order(order))
        assert str(caught.value)
        assert self.rules.dump(self.state) == before
        return caught.value.clause

    def options(self) -> list[str]:
        """The orders that the game offers, in words."""
        assert isinstance(self.game.request, Choose)
        return [" ".join(self.rules.order_words(self.board, order)) for order in self.game.request.options()]

    def facts(self, what: str) -> dict[str, Any]:
        """The facts of the last event of this name that the last `do` told."""
        return [tell.facts for tell in self.told if tell.what == what][-1]

    def events(self) -> list[str]:
        """The names of what the last `do` told."""
        return [tell.what for tell in self.told]

    def hex(self, number: str) -> Hex:
        h: Hex = self.board.parse(number)
        return h

    def at(self, unit: str) -> str | None:
        """The number of a unit's hex; None when it isn't on the map."""
        h = self.state.at.get(unit)
        return None if h is None else self.board.label[h]

    def is_(self, unit: str, word: str) -> bool:
        """Whether a state word holds for a unit."""
        return self.rules.test(self.state, ("is", unit, word))


# --- the data of a field -------------------------------------------------------------------------------------------

TEST = {"provenance": "test"}


def letters_of(rows: str) -> list[list[str]]:
    """The letters of a field as it is drawn, row by row."""
    return [line.split() for line in rows.splitlines() if line.strip()]


def map_data(
    letters: Sequence[Sequence[str]],
    legend: Mapping[str, Any],
    roads: Iterable[str],
    sides: Mapping[str, Iterable[str]],
    **hexes: Mapping[str, str],
) -> dict[str, Any]:
    """A map as its file has it; even rows lie half a hex further east. `sides`: kind of hexside -> chains of them;
    `hexes`: areas, victory, entries."""
    drawn = "".join(f"{i:02} {' ' * (i % 2 == 0)}{' '.join(row)}\n" for i, row in enumerate(letters, 1))
    chains = [(kind, i, chain) for kind, chains in sides.items() for i, chain in enumerate(chains)]
    return {
        "map": "field",
        "title": "Field",
        "layout": "pointy",
        "numbering": {"first": "row", "shifted": "even", **TEST},
        "terrain": {"legend": dict(legend), "rows": drawn, **TEST},
        "roads": {
            "chains": [{"name": f"road {i}", "kind": "road", "hexes": road} for i, road in enumerate(roads)],
            **TEST,
        },
        "hexsides": {
            "chains": [{"name": f"{kind} {i}", "kind": kind, "sides": chain} for kind, i, chain in chains],
            **TEST,
        },
        **{block: {"hexes": dict(hexes.get(block, {})), **TEST} for block in ("places", "areas", "victory", "entries")},
    }


def options_data(options: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The options of a scenario file: name -> values, the first of which is the default."""
    return {
        name: {"title": name, "default": values[0], "values": list(values), "means": dict.fromkeys(values, "So.")}
        for name, values in options.items()
    }
