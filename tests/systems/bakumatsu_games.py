"""The whole games of Toba-Fushimi: one for each way of ending, and two with all that an entry can hold."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from matches import Match, statements

from pbem.match.table import Table
from pbem.rules.requests import Outcome, Words
from systems.bakumatsu_players import ENTRY_HEX, SCENARIO, SIDES, at_random, board, bold, trapper
from systems.whole import Whole

__all__ = ["STOPS", "ended", "wholes"]


def standing_into_the_entry(match: Match, what: str, side: str, orders: list[Words], chance: random.Random) -> str:
    """Satcho's men are told to retreat into the Shogunate's entry hex, if they can."""
    first = side == "satcho" and match.table.seq < 6
    return f"{f'standing retreat any {ENTRY_HEX};' if first else ''}\n{statements(orders)}"


def all_words(match: Match, what: str, side: str, orders: list[Words], chance: random.Random) -> str:
    """The orders with everything round them that the order language knows."""
    lines = []
    if chance.randrange(3) == 0:
        unit = chance.choice(board().of_side[side])
        where = chance.sample(["north-east", "north-west", "west", "south-west", "1413", "1013"], 2)
        lines.append(f"standing retreat {chance.choice(['any', unit])} {' '.join(where)};")
    if what == "orders" and chance.randrange(4) == 0:
        lines.append("strict;")
    if chance.randrange(3) == 0:
        lines.append(f"say {chance.choice(['Forward to Kyoto!', 'Are we there yet?', 'Well done'])};")
    for words in orders:
        if "with" in words and chance.randrange(2) == 0:
            shooter, target = words[words.index("with") + 1], words[3]
            lines.append(f"if is {target} normal then {words[0]} {shooter} at {target};")
        lines.append(f"{condition(side, words, chance)}{' '.join(words)};")
        if what == "orders" and len(words) > 1 and chance.randrange(8) == 0:
            enemy = chance.choice(board().of_side[board().enemy[side]])
            lines.append(f"stop if {chance.choice(['gone', 'alive'])} {enemy} and is {words[1]} disordered;")
    return "\n".join(lines)


def condition(side: str, words: Words, chance: random.Random) -> str:
    """A condition before an order, which may hold or not; none before most."""
    if len(words) < 2 or chance.randrange(3):
        return ""
    unit = words[1]
    tests = [
        f"alive {unit}", f"not gone {unit}", f"is {unit} normal", f"not is {unit} disordered and not is {unit} done",
        f"not at {unit} 0106", "empty 1413", f"not held 1013 {board().enemy[side]}", f"gone {unit}",
    ]  # fmt: skip
    return f"if {chance.choice(tests)} then "


def holds(side: str) -> Callable[[Table], bool]:
    """Whether a side won by its victory hexes."""
    return lambda table: table.game.outcome is not None and ended(table)[:2] == (side, "14(4)2")


def enters(way: str) -> Callable[[Table], bool]:
    """Whether the game ended by entering the entry hex in this way."""

    def wanted(table: Table) -> bool:
        steps = [s["what"] for s in table.steps if s["kind"] == "tell" and s["what"] in ("move", "advance", "retreat")]
        return table.game.outcome is not None and ended(table)[1] == "14(4)1" and steps[-1] == way

    return wanted


def asks_both(table: Table) -> bool:
    """Whether both were asked, often, and one answered two questions at once."""
    answers = [step for step in table.steps if step["kind"] == "answer"]
    entries = {step["seq"] for step in answers}
    return (
        table.game.outcome is not None
        and len(entries) >= 6
        and len(answers) > len(entries)
        and {step["side"] for step in answers} == set(SIDES.values())
    )


def shows_all(table: Table) -> bool:
    """Whether everything came up that the order language can bring about."""
    steps = table.steps
    answers = {step["how"] for step in steps if step["kind"] == "answer"}
    stops = {step["reason"] for step in steps if step["kind"] == "stop"}
    drops = [step for step in steps if step["kind"] == "tell" and step["what"] == "drop"]
    lapses = [step for step in steps if step["kind"] == "lapse" and step["clause"]]
    found = answers == {"standing", "default"} and stops >= STOPS and bool(drops) and len(lapses) > 3
    return found and table.game.outcome is not None


STOPS = {"a stop condition holds", "an order lapsed under `strict`"}


def ended(table: Table) -> Outcome:
    """How a game ended."""
    outcome = table.game.outcome
    assert outcome is not None
    return outcome


@cache
def wholes() -> dict[str, Whole]:
    """The games: one for each way of ending, and two with all that an entry can hold."""
    trap = trapper(ENTRY_HEX, "0605", "1514")
    bait = bold(ENTRY_HEX, enter=False)
    return {
        "shogunate-holds": Whole(SCENARIO, at_random, at_random, holds("shogunate")),
        "satcho-holds": Whole(SCENARIO, at_random, at_random, holds("satcho")),
        "entry-by-move": Whole(SCENARIO, at_random, bold(ENTRY_HEX), enters("move")),
        "entry-by-advance": Whole(SCENARIO, at_random, bold(ENTRY_HEX), enters("advance")),
        "entry-by-retreat": Whole(SCENARIO, trap, bait, enters("retreat"), standing_into_the_entry),
        "asked": Whole(SCENARIO, bold("1122"), bold("1209"), asks_both, terms=(("reactions", "ask"),)),
        "all-words": Whole(SCENARIO, bold("1122"), bold("1209"), shows_all, all_words),
    }
