"""The adapter of the Great Campaigns: corps and brigades in Virginia, who act by turns as the dice have it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hypothesis import strategies as st
from matches import Chooser, Match, planned, statements

from pbem.maps.hexes import Hex
from pbem.match.chances import chance_answer
from pbem.match.game import Game
from pbem.match.orders import Act
from pbem.match.take import imagine
from pbem.rules import Board, State, gcacw
from pbem.rules.fates import cell_words
from pbem.rules.gcacw.actions import can_act
from pbem.rules.gcacw.brought import BY_NUMBER, strain_words
from pbem.rules.gcacw.ground import MAJOR
from pbem.rules.gcacw.leaders import alone
from pbem.rules.gcacw.orders import (
    ALWAYS,
    DONE,
    NEVER,
    PASS,
    ROUTE,
    Activate,
    Advance,
    Assault,
    Bridge,
    Close,
    Detach,
    Entrench,
    Evade,
    FallBack,
    Fallen,
    Feed,
    Forage,
    Grand,
    Join,
    Losses,
    March,
    Merge,
    Place,
    PutOff,
    Raid,
    Rail,
    Refuse,
    Strike,
    Transfer,
)
from pbem.rules.gcacw.orders import STEPS as PARTS
from pbem.rules.gcacw.standing import POLICIES, STATES
from pbem.rules.gcacw.standing import STANDING as POLICY
from pbem.rules.gcacw.tables import ATTACKS, Strain
from pbem.rules.gcacw.wording import BETWEEN as BETWEEN_WORDS
from pbem.rules.gcacw.wording import USAGE
from pbem.rules.requests import Choose, Order, Outcome, Tell, Words
from systems.gcacw_fields import begun, game_at
from systems.gcacw_ledger import Told, level, points
from systems.gcacw_options import Reading, shortened
from systems.gcacw_players import PLAYERS as CHOOSERS
from systems.random_play import board_of

__all__ = ["POLICIES", "USAGE", "Reading", "begun", "game_at", "shortened"]

BATTLES = ("cedar-mountain", "lee-vs-pope", "stuarts-raid", "jacksons-march", "to-bull-run")
CAMPAIGNS = ("rapidan-to-rappahannock", "rapidan-to-manassas")
SCENARIOS = (*BATTLES, *CAMPAIGNS)
PHASES = {
    "events": "Random Events",
    "union-reinforcements": "Union Reinforcements",
    "confederate-reinforcements": "Confederate Reinforcements",
    "union-transfer": "Union Leader Transfer",
    "confederate-transfer": "Confederate Leader Transfer",
    "repair": "Supply Line Repair",
    "supply-status": "Supply Status",
    "union-attachment": "Union Attachment",
    "confederate-attachment": "Confederate Attachment",
    "cycle": "Action Cycle",
    "union-recovery": "Union Recovery",
    "confederate-recovery": "Confederate Recovery",
    "supply-effects": "Supply Effects",
}
KINDS = {"reinforcements", "transfer", "attachment", "action", "recovery", "evade", "refuse", "losses", "retreat",
         "advance", "join", "fall", "feed"}  # fmt: skip
BETWEEN = {"reinforcements", "transfer", "attachment", "action", "recovery"}
SELDOM = {"reinforcements", "attachment", "evade", "refuse", "losses", "join", "fall", "feed"}

# --- random play ---------------------------------------------------------------------------------------------------

PLAYERS = {
    "sampled": ("sampled", "sampled", 3),
    "eager": ("eager", "eager", 3),
    "eager against sampled": ("sampled", "eager", 1),
    "entries held": ("eager", "sampled", 0),
}
FEW = {"lee-vs-pope": 2, "to-bull-run": 1, **dict.fromkeys(CAMPAIGNS, 1)}
SHOWING = [
    ("to-bull-run", "entries held", 4),
    ("lee-vs-pope", "eager", 12),
    ("cedar-mountain", "eager", 3),
    ("jacksons-march", "eager", 12),
    ("rapidan-to-rappahannock", "entries held", 32),
    ("rapidan-to-manassas", "sampled", 0),
    ("rapidan-to-manassas", "sampled", 17),
    ("rapidan-to-rappahannock", "eager", 0),
    ("rapidan-to-manassas", "eager", 2),
    ("rapidan-to-manassas", "eager", 3),
    ("stuarts-raid", "sampled", 1),
]
EVENTS = {
    "phase", "reinforcements", "transfer", "initiative", "pass", "cycle-ends", "tired", "allowance", "march",
    "activate", "extended", "forced", "disorganised", "loss", "remove", "no-attack", "assault", "assault-roll", "joins",
    "fight", "demoralised", "retreat", "advance", "evade", "flanks-refused", "relocated", "leader-off", "freed",
    "control", "entrench", "bridge", "rested", "organised", "end", "event", "rain", "no-rain", "moved-arrivals",
    "no-arrivals", "put-off", "cycle-roll", "detached", "merged", "rail", "unsupplied", "supplied", "panic", "replaced",
    "leader-check", "killed", "depot-destroyed", "bridge-removed", "forage",
}  # fmt: skip
NEAR = [("cedar-mountain", "eager", 11), ("to-bull-run", "entries held", 12), ("lee-vs-pope", "eager", 13),
        ("rapidan-to-rappahannock", "entries held", 32)]  # fmt: skip
RARE = {"action": 6}
AGAIN = [("cedar-mountain", "sampled", 21), ("to-bull-run", "sampled", 22), ("rapidan-to-rappahannock", "sampled", 23)]
REPEATED = {"transfer", "recovery"}
REPEATABLE = KINDS - REPEATED
REFUSED_AGAIN = {"std-3.0-2", "std-9.0-3"}
COPIES = [("stuarts-raid", "eager", 31, 1), ("lee-vs-pope", "eager", 32, 60), ("to-bull-run", "sampled", 33, 90),
          ("rapidan-to-rappahannock", "entries held", 22, 120)]  # fmt: skip
STATE = {
    "options", "turn", "phase", "opened", "cycle", "choice", "passed", "through", "waiting", "at", "manpower",
    "disorganised", "fatigue", "demoralised", "works", "removed", "station", "depots", "controlled", "bridges", "free",
    "worked", "transferred", "joined", "railed", "marched", "lost", "routs", "row", "fights", "shorts", "ended",
}  # fmt: skip
SPARE = {
    "rain", "paralysed", "due", "put_off", "hungry", "foraged", "acted", "origin", "merged", "panic", "killed",
    "hauled", "dismantled",
}  # fmt: skip

SUBSTITUTES = {
    f"{army}-{kind}-{number}" for army in ("union", "csa") for kind in ("sub", "cav") for number in (1, 2, 3)
}
"""Three infantry brigades and three cavalry regiments of each side (21.0-1)."""

ACTS = 60
"""A unit acts up to four times in a turn, each time with some fifteen dice and answers of both sides."""


def player(said: str) -> Chooser:
    """Whatever the rules draw, who seeks the enemy, who does nothing, who raids, who makes for a place."""
    return CHOOSERS[said]


def options_for(board: Board, seed: int) -> dict[str, str]:
    """Each option as often one way as the other, and all the same way in a fourth of the games."""
    return {name: choice.values[seed // 2**number % 2] for number, (name, choice) in enumerate(board.options.items())}


class Watch:
    """What holds between any two answers."""

    def __init__(self, board: Board, options: Mapping[str, str]) -> None:
        self.board = board
        begin = [*board.starts.values(), *(one for new in board.arrivals.values() for one in new.starts)]
        self.manpower = {one.unit: one.manpower for one in begin if one.manpower}
        self.fallen = self._sums()
        """Side -> manpower that is left, or was lost in any way: neither grows nor shrinks."""
        self.merged: set[str] = set()
        self.gone: set[str] = set()
        self.lost = dict.fromkeys(board.side, 0)
        self.routs = dict.fromkeys(board.side, 0)

    def _sums(self) -> dict[str, int]:
        """Side -> the manpower of all its units."""
        found = dict.fromkeys(self.board.side, 0)
        for unit, manpower in self.manpower.items():
            found[self.board.units[unit].side] += manpower
        return found

    def hear(self, tell: Tell) -> None:
        """Who loses what, who is gone, who comes back, who is parted and merged."""
        facts, units = tell.facts, self.board.units
        match tell.what:
            case "detached":
                self.manpower[facts["unit"]] -= facts["manpower"]
                assert self.manpower[facts["unit"]] == facts["left"] > 0
                assert not self.manpower.get(facts["substitute"])
                self.manpower[facts["substitute"]] = facts["manpower"]
                self.gone.discard(facts["substitute"])
            case "merged":
                self.manpower[facts["into"]] += self.manpower.pop(facts["unit"])
                assert self.manpower[facts["into"]] == facts["manpower"]
                if facts["unit"] not in SUBSTITUTES:
                    self.merged.add(facts["unit"])
            case "replaced":
                self.gone.add(facts["gone"])
            case "loss":
                assert facts["points"] > 0
                self.manpower[facts["unit"]] = facts["left"]
                self.fallen[units[facts["unit"]].side] -= facts["points"]
                self.lost[units[facts["unit"]].side] += facts["points"] * facts["counted"]
            case "surrender":
                self.lost[facts["side"]] += sum(self.manpower[unit] for unit in facts["units"])
                self.fallen[facts["side"]] -= sum(self.manpower.pop(unit) for unit in facts["units"])
            case "fight" if "R" in facts["result"]:
                side = units[facts["target"]].side
                self.routs[side] += any(units[unit].infantry for unit in facts["targets"])
            case "remove" | "leader-off":
                assert facts["unit"] not in self.gone
                self.gone.add(facts["unit"])
            case "transfer":
                self.gone.discard(facts["unit"])

    def check(self, game: Game) -> None:
        """Counters, marks and losses add up; enemies share no hex; nobody leads from a hex without his own."""
        s = game.state
        b = s.board
        coming = {one.unit for name in s.waiting for one in b.arrivals[name].starts}
        assert (s.removed.keys() - {x for x in s.removed if b.units[x].leader}) == {
            x for x in self.gone if not b.units[x].leader
        }
        spare = {x for x in {*SUBSTITUTES, "mcclellan"} if x in b.units and x not in s.at}
        assert s.at.keys() | s.removed.keys() | coming | spare | self.merged == b.units.keys()
        assert self.merged == s.merged.keys()
        assert not self.merged & (s.at.keys() | s.removed.keys() | coming)
        assert not s.at.keys() & s.removed.keys()
        assert not s.at.keys() & coming
        assert s.manpower.keys() == {unit for unit in s.at if not b.units[unit].leader}
        for h, here in s.stands.items():
            assert here == tuple(sorted(unit for unit in s.at if s.at[unit] == h))
            assert len({b.units[unit].side for unit in here}) == 1
        assert s.manpower == {unit: self.manpower[unit] for unit in s.manpower}
        assert self._sums() == self.fallen
        assert all(left > 0 for left in s.manpower.values())
        for marks, most in ((s.fatigue, 4), (s.demoralised, 2), (s.works, 4)):
            assert marks.keys() <= s.manpower.keys()
            assert all(1 <= mark <= most for mark in marks.values())
        assert s.disorganised <= s.manpower.keys()
        assert s.controlled <= {b.label[h] for h in b.objectives}
        ends = {at: (*map(b.parse, at.split("/")),) for at in s.bridges}
        major = [at for at, (here, h) in ends.items() if b.ground.between[here][h].water == MAJOR]
        assert [s.bridges[at] for at in major] in ([], ["union"])  # 19.0-9, 19.0-12
        assert all([s.bridges[at] for at in s.bridges if at not in major].count(side) <= 3 for side in b.side)
        self._advanced(s)
        if isinstance(game.request, Choose) and not game.request.reaction:
            assert not [unit for side in b.side for unit in s.leaders(side) if alone(s, unit)]
            assert (s.lost, s.routs) == (self.lost, self.routs)
            assert game.request.kind != "action" or any(can_act(s, unit) for unit in s.own(game.request.side))

    def _advanced(self, s: State) -> None:
        """Substitutes are made of somebody, supply and rain are as long as they last."""
        units = s.board.units
        assert s.origin.keys() == {unit for unit in SUBSTITUTES if unit in s.at}  # 21.1-8
        for unit, origin in s.origin.items():
            assert (units[unit].side, units[unit].branch) == (units[origin].side, units[origin].branch)
            assert origin not in SUBSTITUTES
            assert s.manpower[unit] <= (9 if units[unit].infantry else 2)  # 21.1-11
        assert s.hungry <= s.manpower.keys()
        assert not s.hungry or s.turn >= 6
        assert s.rain == 0 or 1 < s.turn <= s.rain <= s.turn + 2
        assert s.hauled <= 2 * 16  # 16.0-8, in half points
        assert s.paralysed <= s.board.side.keys()
        assert "mcclellan" not in s.at or (s.turn >= s.panic + 2 and "pope" in s.removed)  # 18.0-5


def check_end(s: State, outcome: Outcome) -> None:
    """The turns are over, and the points, counted again, are those of the level of victory."""
    total = points(s, s.board.scenario, Told(s.lost, s.routs))
    title = level(s.board.scenario, total)
    assert s.turn == s.board.turns
    assert (s.ended.points, s.ended.level) == (total, title)
    assert outcome.winner == title.split()[0].lower()
    assert outcome.reason == f"a Confederate score of {total}: {title}"


def looks_closely(request: Choose, number: int) -> bool:
    """Every node but those of actions, of which there are thousands."""
    return number % (400 if request.kind == "action" else 5) == 0


def legal_order(request: Choose, chance: random.Random) -> Order:
    """What the rules draw."""
    return request.sample(chance)


def neighbours(order: Order, board: Board, chance: random.Random) -> Iterator[Order]:
    """The order, those that differ from it in one thing, and orders of other kinds."""
    yield order
    some, h = chance.choice(list(board.units)), chance.choice(list(board.label))
    leader = chance.choice([unit for unit in board.units if board.units[unit].leader])
    subs = sorted(SUBSTITUTES & board.units.keys())
    near = board.ground.near
    for name in order._fields:
        value = getattr(order, name)
        for other in _others(name, value, some, leader, h, near):
            yield order._replace(**{name: other})
    yield from (March(some), March(some, (h,), strike=Strike(h)), Raid(some), Rail(some, (h,)), Entrench(some))
    yield from (
        Activate(leader, (March(some),)),
        Assault(leader, h, (some,)),
        Grand(leader, h, leader, (some,), (some,)),
    )
    yield from (
        Transfer(leader, some),
        Bridge(some, h),
        Advance((some,)),
        Losses((some,)),
        FallBack((h,)),
        Evade(True),
        Refuse(True),
    )
    yield from (March(some, detached=(Detach(sub, 1), Detach(chance.choice(subs), 2, h))) for sub in subs)
    yield from (*(Merge(some, sub) for sub in subs), *(Merge(sub, some) for sub in subs))
    yield from (Forage((some,)), Feed((some,)), Fallen(leader), *map(PutOff, board.arrivals))
    yield from (Join(leader, some), PASS, DONE, *map(Close, PARTS), *(Place(one, h) for one in board.arrivals))


def _others(name: str, value: Any, some: str, leader: str, h: Hex, near: Mapping[Hex, Any]) -> Iterator[Any]:
    """Other values for a field of an order."""
    match value:
        case bool():
            yield not value
        case Strike():
            yield from (None, Strike(h), Strike(value.at, ATTACKS[-1]), Strike(near[value.at][0]))
        case tuple() if name == "detached" and value:
            yield from (value[1:], (*value, value[0]), tuple(one._replace(manpower=one.manpower + 1) for one in value))
            yield tuple(one._replace(at=h) for one in value)
        case str() if name in ("unit", "leader", "chief", "into"):
            yield from (some, leader)
        case str() if name == "force":
            yield from (ALWAYS, ROUTE, NEVER)
        case tuple() if name == "path" and value:
            yield from ((*value[:-1], h), value[1:], value[::-1], (value[-1], *value), (*value, near[value[-1]][0]), ())
        case tuple() if name in ("leaders", "units", "first", "others"):
            yield from ((*value, some), value[1:], (*value, leader))
        case tuple() if name == "marches":
            yield from (value[1:], (*value, March(some)), (value[0]._replace(unit=some),))
        case None if name == "hop":
            yield some
        case int() if name in ("at", "to"):
            yield from (h, near[value][0])


# --- perft ---------------------------------------------------------------------------------------------------------

NOT_IN_PERFT = KINDS - {"transfer", "action", "recovery"}
DEPTH = 2

# --- playthroughs --------------------------------------------------------------------------------------------------

OFF_THE_MAP = ("removed",)
MARKS = ("disorganised", "hungry", "transferred", "worked", "foraged", "free", "shorts")
SHOWN = ("initiative", "allowance", "extended", "forced", "fight", "evade", "assault-roll", "joins", "bridge", "raid",
         "loss", "no-attack", "event", "rain", "cycle-roll", "put-off", "repair", "forage", "leader-check")  # fmt: skip
NOT_SHOWN = ("unit", "units", "with", "from", "at", "side", "target", "targets", "whose", "opens")


def beside_counters(s: State) -> dict[str, str]:
    """Manpower, fatigue, demoralisation and works of the units; stations, objectives, bridges and losses."""
    found = {
        f"{name} of {unit}": str(marks.get(unit, 0))
        for unit in s.board.units
        for name, marks in (("manpower", s.manpower), ("fatigue", s.fatigue), ("demoralisation", s.demoralised),
                            ("works", s.works))
    }  # fmt: skip
    found |= {f"station {s.board.label[h]}": str(s.station.get(h, 0)) for h in s.board.stations}
    found |= {f"objective {s.board.label[h]}": str(s.board.label[h] in s.controlled) for h in s.board.objectives}
    found |= {"depots": " ".join(sorted(s.depots)), "arrivals due": str(sorted(s.due.items()))}
    return found | {"bridges": str(sorted(s.bridges.items())), "lost": str(s.lost), "routs": str(s.routs)}


# --- the order language --------------------------------------------------------------------------------------------

STANDING_WORDS = tuple(POLICY)
STEPS = {**dict.fromkeys(USAGE, 2), **dict.fromkeys(("place", "put-off", "transfer", "close transfer"), 0), "merge": 1,
         "close attachment": 1, **dict.fromkeys(("entrench", "bridge", "forage", "close recovery"), 3),
         "done": 4}  # fmt: skip
ORDER_WORDS = (*POLICY, *STATES, *BETWEEN_WORDS, *PARTS, "any", "yes", "no", "able", "near", "tired", "short", "row",
               "fought", "held", "2", "4", "12", "union", "confederate", "v-corps", "Groveton", "Gainesville", "Hill",
               "mcdowell", "N37", "S1418")  # fmt: skip
STATEMENTS = ("union", """
    standing evade any yes;  standing refuse any no;  standing lose king ricketts;
    standing retreat sigel 3 Centreville;  standing advance any able;  standing join mcdowell king ricketts;
    if is king disorganised and not gone hood then march king with mcdowell Gainesville;
    stop if near king 2;  stop if tired king 3;  stop if fought Groveton;  stop if row confederate 2;
    place v-corps at N2734;  transfer mcdowell king;  close transfer;
    march ricketts N3022 N3123 force route attack N3224 hasty;
    activate sigel hop schurz march schurz N3022 march milroy with sigel N2922 unbridge N2922 N2923;
    assault mcdowell at N3123 by king ricketts;
    grand pope at N3123 under sigel by schurz and king ricketts;
    rail casey N4520 N4620;
    pass;  entrench king;  bridge ricketts N3022;
    done;
""")  # fmt: skip


def orders(side: str) -> st.SearchStrategy[Order]:
    """Orders of any kind that words can say, legal or not."""
    b = board_of("to-bull-run")
    own = st.sampled_from(list(b.of_side[side]))
    leader = st.sampled_from([unit for unit in b.of_side[side] if b.units[unit].leader])
    owns, led = _several(own), _several(leader, least=0)
    h = st.sampled_from(sorted(b.label))
    path = st.lists(h, max_size=5).map(tuple)
    strike = st.none() | st.builds(Strike, h, st.sampled_from(ATTACKS))
    force, bridge = st.sampled_from((NEVER, ROUTE, ALWAYS)), st.none() | st.tuples(h, h)
    left = st.lists(st.builds(Detach, own, st.integers(1, 18), st.none() | h), max_size=3).map(tuple)
    along = st.lists(h, min_size=1, max_size=5, unique=True).map(tuple)
    march = st.builds(March, own, path, led, force, strike, bridge, left, st.just(False)) | st.builds(
        March, own, along, led, force, strike, bridge, left, st.just(True)
    )
    arrival = st.sampled_from(list(b.arrivals))
    return st.one_of(
        march,
        st.builds(Rail, own, st.lists(h, min_size=1, max_size=4).map(tuple), led, left),
        st.builds(Activate, own, st.lists(march, min_size=1, max_size=3).map(tuple), st.none() | own),
        st.builds(Assault, own, h, owns),
        st.builds(Grand, own, h, own, owns, owns),
        st.builds(Raid, own),
        st.builds(Place, arrival, h),
        st.builds(PutOff, arrival),
        st.builds(Merge, own, own),
        st.builds(Forage, owns),
        st.builds(Feed, owns),
        st.builds(Fallen, leader),
        st.builds(Transfer, own, own),
        st.builds(Entrench, own),
        st.builds(Bridge, own, h),
        st.builds(Close, st.sampled_from(PARTS)),
        st.builds(Evade, st.booleans()),
        st.builds(Refuse, st.booleans()),
        st.builds(FallBack, st.lists(h, min_size=1, max_size=6).map(tuple)),
        st.builds(Losses, st.lists(own, min_size=1, max_size=5).map(sorted).map(tuple)),
        st.builds(Advance, _several(own, least=0)),
        st.builds(Join, own, own),
        st.sampled_from((PASS, DONE)),
    )


def _several(units: st.SearchStrategy[str], least: int = 1) -> st.SearchStrategy[tuple[str, ...]]:
    """Some units, each once."""
    return st.lists(units, min_size=least, max_size=4, unique=True).map(tuple)


# --- whole games, determinism --------------------------------------------------------------------------------------


def answering_on(match: Match, what: str, side: str, orders: Sequence[Words], chance: random.Random) -> str:
    """What is asked behind an answer is answered with it: where cavalry goes that goes back."""
    if what == "react":
        ahead = match.table.fork()
        ahead.course.going_on = True
        for words in orders:
            act = Act(gcacw.read_order(ahead.board, side, words), words)
            imagine(ahead, side, [(0, act)], lambda node: chance_answer(node, chance))
        request = ahead.game.request
        if isinstance(request, Choose) and request.reaction and request.side == side:
            orders = [*orders, *planned(ahead, side, CHOOSERS["eager"], chance)]
    return statements(orders)


MAILED = ("union-decisive", 20)
AUDITED = ("union-decisive",)
DAMAGED = ("union-resigned", 211, 7)
ALONE = [(scenario, "eager", 50 + number, 150) for number, scenario in enumerate(SCENARIOS)]
LISTED = KINDS - {"action"}
STANDING = [("evade", "any", "yes"), ("retreat", "any", "3"), ("advance", "any", "able")]

# --- reports -------------------------------------------------------------------------------------------------------

GOOD = gcacw.GOOD
NEITHER = {"event", "cycle", "leader"}
REPORTED = ("rapidan-to-rappahannock", "rapidan-to-manassas")
SHORT = {"stuarts-raid": 100}
RARELY_TOLD = {
    "arrival_waits", "bridge_removed", "control", "depot_destroyed", "drop", "end", "evade", "flanks_refused", "freed",
    "joins", "forage", "killed", "leader_check", "leader_off", "no_assault", "no_detachment", "no_rain", "organised",
    "panic", "rail", "raid", "repair", "replaced", "steadied", "supplied", "surrender",
}  # fmt: skip
"""Of these those that are told in play are among the events of random games."""


def dawdle(state: State, request: Choose, chance: random.Random) -> Order:
    """Whatever leads to a fight; nobody is done early."""
    return CHOOSERS["eager"](state, request, chance)


DICE = (
    "fight", "evade", "extended", "assault-roll", "joins", "bridge", "repair", "forage", "cycle-roll", "leader-check",
    "event",
)  # fmt: skip


RAIN_OF, PARALYSIS = "rain for", "paralysis of the"
EARLY, LATE = "early reinforcements of the", "late reinforcements of the"
EVENT_OF = {
    2: f"{RAIN_OF} 3 turns", 3: f"{RAIN_OF} 2 turns", 4: f"{EARLY} union", 5: f"{EARLY} confederate",
    6: f"{LATE} union", 7: f"{EARLY} union", 8: f"{PARALYSIS} union", 9: f"{RAIN_OF} 1 turn",
    10: f"{EARLY} confederate", 11: f"{LATE} confederate", 12: f"{PARALYSIS} confederate",
}  # fmt: skip
"""The table of random events as it is printed (14.0-table)."""


def brought(what: str, facts: Mapping[str, Any]) -> str:
    """What the dice of an event brought."""
    match what:
        case "fight":
            defender, attacker = (cell_words(facts[key]) for key in ("result", "own_result"))
            return f"defender {defender}, attacker {attacker}"
        case "evade":
            many = f"{facts['points']} point{'s' * (facts['points'] != 1)} lost"
            return many + ", the cavalry disorganised" * bool(facts["dear"])
        case "extended":
            strain = Strain(facts["disorganised"], facts["loss"])
            return strain_words(strain, facts["manpower"], was=facts["was"])
        case "forage":
            return "in supply" if facts["made"] else "nothing found"
        case "leader-check":
            return "a leader killed" if facts["killed"] else "nobody killed"
        case "cycle-roll":
            return BY_NUMBER[what][not facts["ends"]]
        case "event":
            return EVENT_OF[sum(facts["dice"])]
    return BY_NUMBER[what][not facts["made"]]
