"""A battle beside the hex that wins: what two players do there, without mails or signatures."""

from __future__ import annotations

from pbem.desk.desk import terms_of
from pbem.match.game import Game
from pbem.match.table import Table
from pbem.scenario import load_scenario
from pbem.simulate.game import Run, begun

__all__ = ["ATTACK", "beside_the_entry"]

ATTACK = "melee sg-01 at go-01; done;"


def beside_the_entry(*enemies: str, reactions: str = "standing") -> Table:
    """Saigo's melee: Government's go-01 stands beside his entry hex 0131, and sg-01 and others in these hexes."""
    scenario = load_scenario("tabaruzaka")
    table = begun(Run(scenario, terms_of(scenario, {}, reactions=reactions), ("bold", "bold"), 1))
    dump = table.game.dump()
    at = {"go-01": "0230"} | {f"sg-0{number}": hexagon for number, hexagon in enumerate(enemies, 1)}
    cups = {side: [u for u in units if u not in at] for side, units in dump["checkpoint"]["cups"].items()}
    dump["checkpoint"] |= {"turn": 7, "phase": 6, "opened": True, "at": at, "cups": cups}
    table.course.game = Game.load(table.rules, table.board, dump, table.course._hear)
    table.seq = 22
    return table
