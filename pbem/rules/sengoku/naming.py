"""Names that players write in orders: officers of either side, and castles, by whatever they are called."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.errors import AmbiguousOrder, MalformedOrder
from pbem.maps.hexes import Hex
from pbem.rules.kit import words as kit
from pbem.rules.kit.words import LEAST, plain_name
from pbem.rules.sengoku.board import Board
from pbem.words import closest_named

__all__ = ["Names", "castle_id"]

NAME_WORDS = 4
"""Words that the name of a castle has at most."""


class Names:
    """Reads units, those of a side first or those of its enemy, and castles."""

    def __init__(self, board: Board, side: str) -> None:
        self.board, self.side = board, side

    def own(self, word: str) -> str:
        """A unit, of the own ones first."""
        return kit.unit_id(self.board, word, self.side)

    def mine(self, word: str) -> str:
        """A unit of the side. Raises MalformedOrder for another's, too."""
        unit = self.own(word)
        if self.board.units[unit].side != self.side:
            raise MalformedOrder(f"{self.board.describe(unit)} isn't yours", hint="name units of your own")
        return unit

    def owns(self, words: Sequence[str]) -> tuple[str, ...]:
        """Units, of the own ones first."""
        return tuple(map(self.own, words))

    def enemies(self, words: Sequence[str]) -> tuple[str, ...]:
        """Units of the enemy; an own one only by its id. Raises MalformedOrder for an own one's name."""
        return tuple(map(self._enemy, words))

    def _enemy(self, word: str) -> str:
        unit = kit.unit_id(self.board, word, self.board.enemy.get(self.side, ""))
        if unit != word and self.board.units[unit].side == self.side:  # a place may be called so
            raise MalformedOrder(f"no enemy is called `{word}`", hint=f"{self.board.describe(unit)} is yours")
        return unit

    def castle_first(self, words: Sequence[str]) -> tuple[str, list[str]]:
        """The castle at the beginning of words, its name perhaps of several, and the words behind it."""
        for end in range(min(len(words), NAME_WORDS), 1, -1):
            if castle := _castle_called(self.board, "".join(words[:end])):
                return castle, [*words[end:]]
        return castle_id(self.board, words[0]), [*words[1:]]


def castle_id(board: Board, word: str) -> str:
    """The castle that is meant by a word: its id, its name, the number of its hex, or the beginning of one name.

    Raises AmbiguousOrder with all that fit when there are several, MalformedOrder with the nearest for none.
    """
    found = _castle_called(board, word) or board.castle_in.get(board.numbers.get(word, Hex(-1)))
    if found:
        return found
    plain = plain_name(word)
    castles = board.castles.values()
    fits = [castle for castle in castles if len(plain) >= LEAST and plain_name(castle.name).startswith(plain)]
    if len(fits) == 1:
        return fits[0].id
    if fits:
        hint = f"write one of {', '.join(castle.id for castle in fits)}"
        raise AmbiguousOrder(f"`{word}` fits {len(fits)} castles", hint=hint)
    near = closest_named(word, {castle.id: (castle.id, castle.name) for castle in castles})
    hint = f"the nearest is `{near}`" if near else f"castles are such as `{next(iter(board.castles), 'none')}`"
    raise MalformedOrder(f"no castle is called `{word}`", hint=hint)


def _castle_called(board: Board, word: str) -> str:
    """The castle with this id or whole name; "" for none."""
    plain = plain_name(word)
    ids = (castle.id for castle in board.castles.values() if plain in (plain_name(castle.id), plain_name(castle.name)))
    return word if word in board.castles else next(ids, "")
