"""The adapter of sengoku: campaigns of officers and castles. What plays whole games here plays the last inning."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from hypothesis import strategies as st
from matches import Chooser
from rules.sengoku.campaign import PLAYERS as CHOOSERS
from rules.sengoku.campaign import check

from pbem.maps.hexes import Hex
from pbem.match.game import Game
from pbem.rules import Board, State, sengoku
from pbem.rules.kit.reach import distances
from pbem.rules.requests import Choose, Order, Outcome, Tell
from pbem.rules.sengoku.acting import able
from pbem.rules.sengoku.movement import destinations
from pbem.rules.sengoku.orders import (
    DEPLOYMENT,
    DONE,
    SITUATION,
    Accept,
    Advance,
    Assault,
    Attack,
    Battle,
    Besiege,
    Call,
    Close,
    Counterattack,
    Declare,
    Demand,
    Drop,
    FightOn,
    GiveBattle,
    GiveWay,
    Lift,
    LiftAttacked,
    Losses,
    MarchOut,
    Move,
    Offer,
    Organise,
    Place,
    Pursue,
    Recover,
    Replenish,
    Retreat,
    Traitors,
)
from pbem.rules.sengoku.orders import STEPS as PARTS
from pbem.rules.sengoku.standing import STANDING as POLICY
from pbem.rules.sengoku.standing import STATES
from pbem.rules.sengoku.wording import BETWEEN as BETWEEN_WORDS
from pbem.rules.sengoku.wording import USAGE
from systems.random_play import board_of
from systems.sengoku_fields import game_at, last_inning, late

__all__ = ["USAGE", "game_at"]

SCENARIOS = ("shizugatake",)
PHASES = {
    "deployment": "Deployment",
    "situation": "Situation Change Phase",
    "lines": "Line of Communication Phase",
    **{
        f"{side}-stage-{stage}": f"{title} Operation Phase, stage {stage}"
        for stage in (1, 2, 3, 4)
        for side, title in (("anti-hashiba", "Anti-Hashiba side"), ("hashiba", "Hashiba side"))
    },
}
KINDS = {"deployment", "situation", "operation", "losses", "give-way", "retreat", "counter", "lift", "pursue", "join",
         "consent", "fight-on", "advance", "accept", "demand", "traitors", "march-out"}  # fmt: skip
BETWEEN = KINDS
SELDOM = KINDS - {"operation", "losses", "give-way", "retreat", "counter", "pursue"}

# --- random play ---------------------------------------------------------------------------------------------------

PLAYERS = {
    "sampled": ("sampled", "sampled", 3),
    "eager": ("eager", "eager", 3),
    "advised against sampled": ("advised", "sampled", 1),
    "deploying": ("sampled", "sampled", 1),
}
SHOWING = [("shizugatake", *game) for game in (
    ("eager", 21), ("eager", 3), ("deploying", 1), ("sampled", 4), ("sampled", 5), ("eager", 25),
)]  # fmt: skip
EVENTS = {"phase", "setup", "declare", "begin", "move", "attack", "attack-result", "counterattack-result", "pursuit",
          "shaken", "step", "remove", "left-behind", "battle", "battle-result", "stopped", "besiege", "lifted",
          "siege-check", "incident", "damaged", "assault", "interception", "call", "march-out", "control", "offer",
          "offered", "answer", "organise", "recover", "replenish", "restored", "end"}  # fmt: skip
NEAR = [("shizugatake", "sampled", 11), ("shizugatake", "eager", 12)]
RARE = {"operation": 4}
AGAIN = [("shizugatake", "eager", 21)]
REPEATED = {"operation"}
REPEATABLE = KINDS - {"operation"}
REFUSED_AGAIN = {"12-1-2", "12.0-2", "9.0"}
COPIES = [("shizugatake", "eager", 31, 13)]
STATE = {
    "options", "turn", "phase", "stage", "opened", "passed", "waiting", "declared", "thawed", "left", "attacked",
    "balance", "forces", "at", "shut_in", "besieging", "reduced", "removed", "morale", "acted", "under_superior",
    "owner", "durability", "castle_morale", "resist", "refuse", "replenished", "assaulted", "called", "offers",
    "declined", "ended",
}  # fmt: skip

KATSUIE = "sb-01"

ACTS = 12
"""In an inning a force acts up to four times, with up to three dice and answers each."""


def begun(b: Board, options: Mapping[str, str], players: str, hear: Callable[[Tell], None] | None = None) -> Game:
    """A game that has one inning left: before its deployment, or with armies in contact."""
    return last_inning(b, options, hear) if players == "deploying" else late(b, options, hear)


def player(said: Any) -> Chooser:
    """Whatever the rules draw, what they advise, who fights where he can; who does nothing, or only comes out."""
    return {
        "sampled": CHOOSERS["any answer"],
        "eager": CHOOSERS["eager"],
        "advised": sengoku.advise,
        "idle": idle,
        "coming out": coming_out,
        "eager at first": eager_at_first,
    }[said]


def idle(_: State, request: Choose, __: random.Random) -> Order:
    """Let all be placed by itself, and do nothing then."""
    if request.reaction:
        return request.default() if request.default is not None else next(iter(request.options()))
    return DONE if request.kind == "operation" else Close(request.kind)


def eager_at_first(state: State, request: Choose, chance: random.Random) -> Order:
    """Fight in the first two innings, and do nothing then."""
    return (CHOOSERS["eager"] if state.turn < 3 else idle)(state, request, chance)


def coming_out(state: State, request: Choose, chance: random.Random) -> Order:
    """Declare Kobe, lead Katsuie out of Echizen as soon as he can act, and do nothing else."""
    if request.kind == SITUATION:
        return next((order for order in request.options() if isinstance(order, Declare)), Close(SITUATION))
    if request.kind == "operation" and able(state, KATSUIE) and KATSUIE not in state.left:
        to = destinations(state, KATSUIE, strategic=True)
        nearest = min(to, key=lambda h: _to_omi(state.board).get(h, 99))
        return Move(KATSUIE, to[nearest][1], strategic=True)
    return idle(state, request, chance)


@cache
def _to_omi(b: Board) -> Mapping[Hex, int]:
    """The points from every hex to the first of Omi on the way south from Kitanosho."""
    return distances({b.parse("4109"): 0}, lambda h: [*b.ground.tactical[h].items()])


def options_for(_: Board, seed: int) -> dict[str, str]:
    """With assaults without a siege in every other game."""
    return {"assault-without-siege": ("no", "yes")[seed % 2]}


class Watch:
    """What holds between any two orders."""

    def __init__(self, board: Board, options: Mapping[str, str]) -> None:
        self.removed: set[str] = set()

    def hear(self, tell: Tell) -> None:
        """Who is removed."""
        if tell.what == "remove":
            assert tell.facts["unit"] not in self.removed
            self.removed.add(tell.facts["unit"])

    def check(self, game: Game) -> None:
        """Units, forces, castles and sieges add up; who is lost was told."""
        request = game.request
        if request is None or (isinstance(request, Choose) and not request.reaction):
            check(game.state)
            assert set(game.state.removed) == self.removed


def check_end(s: State, outcome: Outcome) -> None:
    """Twelve innings are over; Hashiba has won by 30 points more, or else has not, all points counted here again."""
    b = s.board
    points = dict.fromkeys(b.enemy, 0)
    for castle in b.castles.values():
        first = None if castle.owner is None else b.armies[castle.owner].side
        now = None if castle.id not in s.owner else b.armies[s.owner[castle.id]].side
        if first and now and first != now:
            points[now] += (1, 2, 3, 5, 10, 10)[castle.level]
    for unit in s.removed:
        points[b.units[unit].side] -= {1: 1, 2: 3, 3: 5}[b.units[unit].rank]
    for force in s.shut_in:
        points[b.enemy[b.units[force].side]] += len(s.forces[force])
    points["hashiba"] += 40 * ("sb-01" not in s.left) + 10 * ("kobe" not in s.declared)
    assert (s.turn, outcome.clause) == (b.turns, "36.6(win)")
    ahead = points["hashiba"] - points["anti-hashiba"]
    assert outcome.winner == ("hashiba" if ahead >= 30 else "anti-hashiba")
    assert outcome.reason.startswith(
        f"{points['anti-hashiba']} points of the Anti-Hashiba side and {points['hashiba']}"
    )


def looks_closely(request: Choose, number: int) -> bool:
    """Every eleventh node."""
    return number % 11 == 0


def legal_order(request: Choose, chance: random.Random) -> Order:
    """What the rules draw."""
    return request.sample(chance)


def neighbours(order: Order, board: Board, chance: random.Random) -> Iterator[Order]:
    """The order, those that differ from it in a force, a hex or a word, and orders of other kinds."""
    yield order
    some, castle = chance.choice(list(board.units)), chance.choice(list(board.castles))
    h = chance.choice(list(board.label))
    for name in order._fields:
        value = getattr(order, name)
        for other in _others(name, value, some, castle, h):
            yield order._replace(**{name: other})
    yield from (Recover(some), Lift(some), Replenish(some), Attack(some, (chance.choice(list(board.units)),)))
    yield from (Besiege(castle, (some,)), Call(castle, some), Place((some,), h), DONE, Close(DEPLOYMENT))


def _others(name: str, value: Any, some: str, castle: str, h: Hex) -> Iterator[Any]:
    """Other values for a field of an order."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1) if name == "hexes" else (h,)
        case str() if name not in ("army", "step"):
            yield castle if name == "castle" else some
        case tuple() if name == "path" and value:
            yield from ((*value[:-1], h), value[1:], value[::-1], (value[-1], *value), (*value, value[-1]))
        case tuple() if value and all(isinstance(one, str) for one in value):
            yield from ((*value, some), value[1:], (*value, value[0]), (some,))


# --- perft ---------------------------------------------------------------------------------------------------------

NOT_IN_PERFT = KINDS - {"deployment", "situation", "operation"}

# --- playthroughs --------------------------------------------------------------------------------------------------

OFF_THE_MAP = ("waiting", "removed")
MARKS = ("shut_in", "besieging", "reduced", "acted", "declined")
SHOWN = ("attack-result", "counterattack-result", "battle-result", "siege-check", "incident", "call", "fall", "assault",
         "interception", "begin", "thaw", "restored")  # fmt: skip
NOT_SHOWN = ("from", "at", "unit", "units")


def beside_counters(s: State) -> dict[str, str]:
    """Who leads whom, lowered morale, castles."""
    found = {f"led by {unit}": " ".join(s.forces.get(unit, ())[1:]) or "nobody" for unit in s.board.units}
    found |= {f"morale of {unit}": str(s.morale.get(unit, 0)) for unit in s.board.units}
    for castle in s.board.castles:
        morale = s.castle_morale.get(castle, 0)
        found[castle] = f"{s.owner.get(castle, 'nobody')} {s.durability[castle]} morale {morale}"
    return found


# --- the order language --------------------------------------------------------------------------------------------

STANDING_WORDS = tuple(POLICY)
POLICIES = dict.fromkeys(("counter", "consent", "join", "advance"), ("yes", "no"))
STEPS = {**dict.fromkeys(USAGE, 2), "place": 0, "close deployment": 0, "declare": 1, "close situation": 1, "done": 3}
ORDER_WORDS = (*POLICY, *STATES, *BETWEEN_WORDS, "any", "3+", "60", "far", "refuge", "steps", "gifu", "Gifu",
               "Kameyama", "kobe", "deployment", "situation", "hashiba", "anti-hashiba", "1623", "hb-", "kb-0",
               "hideyoshi")  # fmt: skip
STATEMENTS = ("hashiba", """
    standing give-way any refuge 3+ steps;  standing retreat hb-35 castle 4015;  standing traitors Gifu hb-01;
    if fallen Kameyama and not gone hb-35 then move hb-35 4414 4413 enter;
    stop if is hb-35 shaken;
    organise hb-02 as hb-02 hb-04 and hb-05 hb-07 replenish hb-04;
    battle hb-01 at sb-01 with hb-02 until 60 skirmish sb-01;
    besiege Kameyama by gm-01 hb-35 assault;  close situation;
    done;
""")  # fmt: skip


def orders(side: str) -> st.SearchStrategy[Order]:
    """Orders of any kind that words can say, legal or not."""
    b = board_of("shizugatake")
    own, foes = (st.sampled_from(list(b.of_side[s])) for s in (side, b.enemy[side]))
    owns, enemies, some = _several(own), _several(foes), _several(own, least=0)
    castles, hexes = st.sampled_from(list(b.castles)), st.sampled_from(sorted(b.label))
    path = st.lists(hexes, min_size=1, max_size=5).map(tuple)
    drops = st.lists(st.builds(Drop, hexes, owns), max_size=2).map(tuple)
    restored = st.builds(Replenish, own, st.none() | castles, some)
    groups = st.lists(owns, min_size=1, max_size=3).map(tuple)
    organised = st.builds(Organise, own, groups, st.none())
    return st.one_of(
        st.builds(Place, owns, hexes, st.booleans()),
        st.builds(Declare, st.sampled_from(list(b.armies))),
        st.builds(Close, st.sampled_from(PARTS)),
        st.builds(Move, own, path | st.just(()), st.booleans(), st.booleans(), drops),
        st.builds(Attack, own, enemies),
        st.builds(Battle, own, foes, some, st.none() | st.integers(0, 100), _several(foes, least=0)),
        st.builds(Besiege, castles, owns, st.booleans()),
        st.builds(Assault, castles, owns),
        st.builds(Call, castles, own),
        st.builds(Lift, own),
        organised | organised.map(lambda order: order._replace(replenish=Replenish(order.force))),
        restored,
        st.builds(Recover, own),
        st.builds(Offer, castles, some),
        st.builds(Losses, owns),
        st.builds(GiveWay, st.integers(0, 99)),
        st.builds(Retreat, own, path, st.booleans()),
        st.builds(Retreat, own, st.just(()), st.just(True)),
        *(st.builds(kind, st.booleans()) for kind in (Counterattack, FightOn, Accept)),
        *(st.builds(kind, some) for kind in (LiftAttacked, GiveBattle, Advance)),
        st.builds(Pursue, own, path | st.just(())),
        st.builds(Demand, castles, enemies),
        st.builds(Traitors, castles, owns),
        st.builds(MarchOut, castles, hexes),
        st.just(DONE),
    )


def _several(units: st.SearchStrategy[str], least: int = 1) -> st.SearchStrategy[tuple[str, ...]]:
    """Some units, each once."""
    return st.lists(units, min_size=least, max_size=4, unique=True).map(tuple)


# --- whole games, determinism --------------------------------------------------------------------------------------

MAILED = ("siege-resigned", 20)
AUDITED = ("siege-resigned",)
DAMAGED = ("standing-resigned", 211, 7)
ALONE = [("shizugatake", "eager", 50, 150)]
LISTED = KINDS - {"operation"}
STANDING = [("give-way", "any", "refuge", "3+", "steps"), ("retreat", "any", "castle"), ("counter", "any", "no")]

# --- reports -------------------------------------------------------------------------------------------------------

GOOD = sengoku.GOOD
RARELY_TOLD = {
    "abandoned", "advance", "answer", "assault", "battle", "battle_result", "beaten", "call", "castle_shaken",
    "control", "damaged", "declare", "declined", "drop", "end", "fall", "flight", "incident", "interception", "judged",
    "march_out", "mended", "offer", "offered", "parted", "recover", "refuge", "replenish", "restored", "siege_check",
    "stopped",
}  # fmt: skip
"""Of these those that are told in play are among the events of random games."""


def dawdle(state: State, request: Choose, chance: random.Random) -> Order:
    """Whatever leads to a fight; nobody is done early."""
    return CHOOSERS["eager"](state, request, chance)


DICE = ("attack-result", "counterattack-result", "interception", "assault")


def brought(what: str, facts: Mapping[str, Any]) -> str:
    """What the die of an event brought."""
    lost = facts["result"]
    if what == "assault":
        return f"durability -{lost}" if lost else "nothing"
    told = f"{lost} loss{'es' * (lost != 1)}" if lost else "no loss"
    return f"{told} with a unit eliminated" if facts["marked"] else told
