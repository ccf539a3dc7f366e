"""What the tests of this folder know of a system: a module of the system's name, its adapter, and the table of them.

Each test here is written once and runs for every system of `pbem.rules.SYSTEMS`. A new system needs a module
`tests/systems/NAME.py`, a line in `ADAPTERS`, and in this module:

    SCENARIOS       the ids of all its scenarios
    PHASES          id of a phase -> its title, in order of play
    KINDS           the kinds of decision that it asks
    SELDOM          those of them that random games may do without
    BETWEEN         those of them that are asked outside of a combat

random play (test_random_play.py), which needs no files:

    PLAYERS         name -> what `player` makes the choosers of both sides of, and how many games they play
    begun           where a whole game takes too long: one under way, by board, options and what players are called
    FEW             scenario -> the most games of each that it plays, where they are long
    player          a chooser by what is said of it
    options_for     the options of a game, by its board and number
    ACTS            how often each unit may act in a turn
    Watch           of a board and options: hears what is told, and checks the game between any two answers
    check_end       what must hold when a game is over: its state, its outcome
    looks_closely   whether every option is tried at a node: the request, the node's number
    EVENTS          what the games listed in SHOWING must tell, and SHOWING
    NEAR, RARE      games whose legal orders are changed a little; kind -> how many times less often
    legal_order     a legal order to be changed; `neighbours` the changed ones
    AGAIN           games in which orders are given twice; REFUSED_AGAIN the clauses by which they are refused, and
                    REPEATED the kinds of decision that must be among them; those in REPEATABLE may be given again
    COPIES          (scenario, players, seed, every how many nodes) of games that are copied on their way
    STATE           the keys of a dumped state;  SPARE: those that it has only where they aren't empty

perft (test_perft.py), positions in perft/NAME/*.json, `nodes` is counted by `PBEM_REGENERATE=1`:

    game_at         the game in a position
    Reading         a second reading of the rulebook in a position: `answers(*words)` lists what may be answered behind
                    some answers, ways known by where they end; it goes DEPTH answers deep
    NOT_IN_PERFT    kinds of decision for which there is no position
    shortened       an answer's words as the second reading has them

the second reading (test_second_reading.py), which shares no code with pbem; its places are not hexes:

    ways            of a game in a position: the words before a way, its start, all that brute force finds, those of
                    them that are legal, and what gives the places round one
    WAY_CLAUSES     how the clauses begin by which other ways are refused
    FIELDS          of a reading that plays on: what makes a random position, how many, whether for one phase only,
                    kinds of decision that must be asked often; `second` plays a position: it has `asked`, `apply`,
                    `seen`, `winner`; `seen` says the same of a game, `unlike` makes two positions that differ a little;
                    where there are such: `varied` changes an order into another that no option names, and `heard` says
                    of all that a game told what the second reading has in `told`

playthroughs (test_playthroughs.py), in playthroughs/NAME/*.yaml, goldens beside them; positions as for perft:

    spot            where a unit stands, of a system whose boards have no labels for that
    OFF_THE_MAP, MARKS      fields of the state that have units; beside_counters what else changes
    SHOWN, NOT_SHOWN        events whose facts are shown, and which facts are not

the order language (test_orders.py):

    USAGE, STANDING_WORDS   the keywords of orders and of standing orders, if there are any
    ORDER_WORDS     other words that occur in them
    POLICIES        keyword of a standing order -> the words of which one may stand behind it
    STATEMENTS      a side, and statements of every kind that it might give
    orders          a hypothesis strategy for a side: its orders of any kind, legal or not
    place           of a system whose conditions name other places than boards do: one in which a unit stands
    STEPS           keyword, or it and the word behind it -> the step of its phase in which it is carried out, where
                    that isn't the first

whole games by mail (test_games.py), logs in games/NAME/*.log, what they come to in expected.json; games/NAME/games.yaml
tells how they are played, by `player`, and what they must show, one for each way of ending; a game `asked` among them
where anybody is asked in the other's turn:

    AUDITED         names of games whose dice a second program derives
    DAMAGED         the name of a game that is damaged in every way, every how many bytes, from which on

reports (test_reports.py):

    dawdle          decides in games that are reported: so that they go on for long
    DICE            events of dice whose results are counted, where they are no fires, melees, checks and the like
    brought         what the dice of an event brought, as `chances` calls it, where that isn't its result by itself
    SHORT           scenario -> more steps than so many a game of it has, where that isn't 200
    RARELY_TOLD     events that such games may do without
    GOOD            kind of roll -> whether high or low is good for who rolls
    NEITHER         kinds of roll of which neither is, where there are such
    REPORTED        scenarios of which a random game is reported besides those of SCENARIOS

determinism (test_determinism.py):

    MAILED          the name of the whole game that is played with reports on the way, and how many entries
    ALONE           (scenario, players, seed, nodes) of random games whose requests are written down
    LISTED          kinds of decision whose options are listed at every node
    STANDING        standing orders that are asked for answers
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from systems import bakumatsu, duel, gcacw, samurai, sengoku, yukimura

__all__ = ["ADAPTERS", "ALL", "HERE", "files"]

HERE = Path(__file__).parent

ADAPTERS: dict[str, ModuleType] = {
    "bakumatsu": bakumatsu,
    "gcacw": gcacw,
    "samurai": samurai,
    "sengoku": sengoku,
    "yukimura": yukimura,
}

ALL: dict[str, ModuleType] = {**ADAPTERS, "toy": duel}
"""The toy, too, in what needs no second reading, signed games and templates: random play, perft, the order language."""


def files(folder: str, suffix: str) -> list[tuple[str, str]]:
    """(system, name) of every file of that suffix in the systems' parts of a folder."""
    return [
        (system, name)
        for system in ALL
        for name in sorted(path.stem for path in (HERE / folder / system).glob(f"*.{suffix}"))
    ]
