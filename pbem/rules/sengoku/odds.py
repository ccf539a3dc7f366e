"""What dice may bring: exact chances of each event, of an order and what it draws after it, and of a siege check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbem.rules.fates import REMOVED, durability_words, fate, losses_words, odds
from pbem.rules.kit import throws
from pbem.rules.kit.throws import Shares
from pbem.rules.requests import Factor, Standing, Tell
from pbem.rules.sengoku import siege, skirmish
from pbem.rules.sengoku.acting import forces_inside, live_castle
from pbem.rules.sengoku.battle import flees
from pbem.rules.sengoku.board import Board
from pbem.rules.sengoku.harm import morale_of, strength
from pbem.rules.sengoku.orders import Assault, Attack, Battle, Besiege, Call, Order, Organise, Recover, Replenish
from pbem.rules.sengoku.sequence import at_first_stage
from pbem.rules.sengoku.state import State, copy
from pbem.rules.sengoku.trial import Tried, played, tried
from pbem.words import per_cent

__all__ = ["FALLS", "chances", "factors", "siege_odds", "tell_odds"]

FACES = range(1, 7)

SHIFTS = {
    "ground": "the ground", "river": "the river", "skill": "skill", "morale": "morale", "castle": "the castle",
    "always": "the walls", "level": "the level of the castle", "leader": "who leads inside",
    "refused": "an earlier refusal", "battles": "battles lost and won",
}  # fmt: skip
"""Fact of an event that changes its die -> what that is."""

COUNTERED = "counterattack-result"

RETREAT, REFUGE = "retreat", "refuge"
"""Events of who goes back and doesn't answer."""

CLAUSES: dict[str, dict[str, str]] = {
    "attack-result": {
        "strength": "23-2", "ground": "23-2-1(1)", "river": "23-2-1(3)", "skill": "23-2-1(4)", "morale": "23-2-1(5)",
        "castle": "23-7-1",
    },
    COUNTERED: {
        "strength": "23-6", "ground": "23-6-2(1)", "river": "23-6-2(2)", "skill": "23-6-2(3)", "morale": "23-6-2(4)",
        "castle": "23-7-3",
    },
    "battle-result": {"strength": "24-2", "skill": "24-2-3", "morale": "24-2-3"},
    "interception": {
        "strength": "19-2-4", "always": "19-2-5(1)", "skill": "19-2-5(2)", "morale": "19-2-5(3)",
    },
    "assault": {"strength": "19-3-1", "level": "19-3-2(1)", "ground": "19-3-2(2)", "morale": "19-3-2(3)"},
    "call": {"durability": "20-2", "leader": "20-2-1", "morale": "20-2-1(3)", "refused": "20-3(B)"},
    "replenish": {"place": "14-2-2", "morale": "14-2-3"},
    "recover": {"needed": "26-1-2"},
}  # fmt: skip
"""Event -> the facts that decide what its die means, each with its clause; the first is of the die, too."""

ANSWERS = {
    "A": "resists to the end", "B": "refuses", "C": "no answer", "D": "opens", "E": "opens for one life",
    "F": "opens for two lives", "G": "half disband", "H": "all surrender",
}  # fmt: skip
"""Answer to a call -> what it is called (20-3)."""

FATES = {**ANSWERS, "D": "all march out", "E": "one dies", "F": "two die"}
"""Answer at a fall -> what becomes of those inside (21.0(3))."""

SIEGES = {"none": "nothing", "durability-1": "durability -1", "incident": "incident"}
INCIDENTS = {
    "traitor-2": "two traitors", "traitor-1": "a traitor", "durability-2": "durability -2",
    "durability-1": "durability -1", "castle-morale-1": "morale inside -1", "besieger-morale-1": "besiegers' morale -1",
}  # fmt: skip

NOTHING, FALLS, RECOVERS, STAYS, BEGIN, WAIT = (
    "nothing", "falls", "recovers", "stays as it is", "begin to act", "don't act yet",
)  # fmt: skip


# --- an event ---------------------------------------------------------------------------------------------------------


def chances(b: Board, what: str, facts: Mapping[str, Any]) -> Shares:
    """What the die of an event told could have brought, each with its chance; none of an event without dice."""
    found = _by_die(b, what, facts)
    return throws.shares(Counter(found), dict.fromkeys(found))


def _by_die(b: Board, what: str, facts: Mapping[str, Any]) -> list[str]:
    """What each face of the die brings; nothing of an event without dice."""
    if "die" not in facts:
        return []
    add = sum(_shifts(what, facts).values())
    return [found for die in FACES if (found := _brought(b, what, facts, die, die + add))]


def _shifts(what: str, facts: Mapping[str, Any]) -> dict[str, int]:
    """What changes the die of an event, and by how much; `castle` is the place of a replenishment in others."""
    if what == "recover":
        return {}  # its morale is what the die has brought (26-1-2)
    return {shift: by for shift in SHIFTS if isinstance(by := facts.get(shift), int) and by}


def _brought(b: Board, what: str, facts: Mapping[str, Any], die: int, modified: int) -> str:
    """What a die brings, by itself and modified."""
    match what:
        case "attack-result" | "counterattack-result" | "battle-result" | "interception":
            loss = b.tables.loss(modified, facts["strength"])
            told = losses_words(loss.losses)
            return told + " with a unit eliminated" * loss.marked
        case "assault":
            return durability_words(b.tables.loss(modified, facts["strength"]).losses)
        case "siege-check":
            return SIEGES[b.tables.siege[facts["inside"] > facts["limit"]][die - 1]]
        case "incident":
            return INCIDENTS[b.tables.incident(modified)]
        case "call":
            return ANSWERS[b.tables.answer(modified, facts["durability"])]
        case "judged":
            return FATES[b.tables.answer(modified, 0)]
        case "replenish":
            return _restored(b, facts, modified)
        case "recover":
            return RECOVERS if die <= facts["needed"] else STAYS
        case "flight":
            return _fled(die, flees(die, facts["ways"]))
        case "begin":
            table = next(entering.table for entering in b.entering.values() if [*entering.armies] == facts["armies"])
            return BEGIN if b.tables.begins(table, modified, facts["against"]) else WAIT
        case "thaw":
            return BEGIN if die == facts["needed"] else WAIT
    return ""


def _fled(die: int, hexes: int) -> str:
    """What a die of a flight brings: hexes to go, of which a castle may spare some, and a step lost for each without a
    way (24-3-2).
    """
    lost = die - hexes
    steps = f"{lost} step{'s' * (lost > 1)} lost"
    back = f"{hexes} hex{'es' * (hexes > 1)} to go"
    return " and ".join([back] * bool(hexes) + [steps] * bool(lost))


def _restored(b: Board, facts: Mapping[str, Any], modified: int) -> str:
    """What a replenishment brings."""
    column = b.armies[b.units[facts["unit"]].army].column
    steps = b.tables.steps(column, facts["place"], modified)
    if not steps:
        return NOTHING
    if facts["castle"] is not None:
        return f"durability {steps:+d}"
    return f"{abs(steps)} step{'s' * (abs(steps) > 1)} {'restored' if steps > 0 else 'deserted'}"


# --- an order ---------------------------------------------------------------------------------------------------------


def tell_odds(s: State, order: Order, standing: Standing | None = None) -> str:
    """What a legal order's dice may bring, with strengths and shifts of the die; "" for an order without dice.

    Where a side is asked, its standing orders answer, else the rules; of a battle the first round is told, and where it
    waits for consent also what is fought without. In a situation change they are those of the first stage.
    """
    s = at_first_stage(s)
    match order:
        case Attack():
            if any((standing or {}).values()):  # where they lead hangs on more than is alike
                return _fight(s, order, standing)
            found: str | None = s.memo.get(known := ("odds", *_alike(s, order)))
            if found is None:
                found = s.memo[known] = _fight(s, order, None)
            return found
        case Assault(castle, forces) | Besiege(castle, forces, True):
            alone = {force: _assault(s, order, Assault(castle, (force,)), standing) for force in forces}
            return "; ".join(f"{force} by itself: {told}" if len(alone) > 1 else told for force, told in alone.items())
        case Battle():
            return "; ".join(f"{when}{_offered(s, fought, standing)}" for when, fought in _courses(s, order))
        case Call() | Replenish() | Recover() | Organise():
            event = next((told for told in tried(s, order, (1,)).told if "die" in told.facts), None)
            return "" if event is None else _sums(event) + odds(chances(s.board, event.what, event.facts))
    return ""


def _courses(s: State, order: Battle) -> list[tuple[str, Attack | Battle | None]]:
    """What may come of a battle that is offered, and when; None is nothing. A state behind the consent knows it."""
    if live_castle(s, s.at[order.target]) is None:  # 24-1-8
        return [("", order)]
    instead = Attack(order.force, order.skirmish) if order.skirmish else None  # 24-1-8(no)
    if order.force in s.declined:
        return [("declined, ", instead)]
    return [("", order)] if order.force in s.acted else [("if given, ", order), ("if declined, ", instead)]


def _offered(s: State, fought: Attack | Battle | None, standing: Standing | None) -> str:
    """What the dice of a course may bring that a battle offered has taken."""
    if not isinstance(fought, Battle):
        return "nothing is fought" if fought is None else tell_odds(s, fought, standing)
    ours, theirs = [told for told in tried(s, fought, (1, 1), standing).told if told.what == "battle-result"]
    shares = [odds(chances(s.board, told.what, told.facts)) for told in (ours, theirs)]
    return f"first round: {_sums(ours)}enemy {shares[0]}; {_sums(theirs)}own {shares[1]}"


def _alike(s: State, order: Attack) -> Iterator[Any]:
    """What the dice of an attack hang on: of attacks that are alike in it the odds are the same.

    The losses of several units, and of besiegers, may bring more than losses: these are alike to none.
    """
    force, sortie = order.force, order.force in s.shut_in
    inside = forces_inside(s, s.board.castle_in[s.at[force]]) if sortie else (force,)
    yield from (s.at[force], s.at[order.targets[0]], sortie)
    yield from (strength(s, (force,)), skirmish.skill(s, (force,)), morale_of(s, inside))
    for target in order.targets:
        units, what, reduced = s.forces[target], s.board.units[target], target in s.reduced
        if len(order.targets) == len(units) == 1 and target not in s.besieging:
            yield what.rank, what.front, what.back, what.modifier, reduced, s.morale.get(target)
        else:
            yield target, s.morale.get(target)


def _fight(s: State, order: Attack, standing: Standing | None) -> str:
    """An attack and the counterattack."""
    return _two_dice(s, order, standing, "attack-result", COUNTERED, order.targets)


def _assault(s: State, order: Assault | Besiege, alone: Assault, standing: Standing | None) -> str:
    """The interception of a force that assaults a castle before all others, and its assault."""
    return _two_dice(_begun(s, order), alone, standing, "interception", "assault", alone.forces)


def _begun(s: State, order: Assault | Besiege) -> State:
    """A state in which the siege is laid that belongs to an assault, so that each force can assault by itself."""
    trial = copy(s)
    if isinstance(order, Besiege):
        for _ in siege.begin(trial, order):
            pass
        trial.acted.difference_update(unit for one in order.forces for unit in trial.forces[one])
    return trial


def _two_dice(s: State, order: Order, standing: Standing | None, first: str, second: str, struck: Sequence[str]) -> str:
    """The chances of an event, and of the one that follows where it does; `struck` are those whom the first hits."""
    event = next(told for told in tried(s, order, (1,), standing).told if told.what == first)
    brought, called = _by_die(s.board, first, event.facts), second.removesuffix("-result")
    found: Shares = {}
    instead: dict[str, list[str]] = {}
    for outcome, times in Counter(brought).items():
        fought = tried(s, order, (brought.index(outcome) + 1, 1), standing)
        follows = next((told for told in fought.told if told.what == second), None)
        if follows is None:
            instead.setdefault(_instead(fought, struck, called), []).append(outcome)
            continue
        for what, share in chances(s.board, second, follows.facts).items():
            what = _fallen(s, order, what)
            found[what] = found.get(what, Fraction(0)) + share * times
    total, named = sum(found.values()), "" if first == "attack-result" else f"{first} "
    shares = chances(s.board, first, event.facts)
    told = [f"{named}{_sums(event)}{odds(shares)}"]
    for what, outcomes in instead.items():
        among = per_cent(sum(shares[outcome] for outcome in outcomes), 1)
        always = not found and len(instead) == 1
        told.append(f"{what} in any case" if always else f"with {_either(outcomes)} ({among}) {what}")
    if found:
        then = odds({what: share / total for what, share in _sorted(found).items()})
        told.append(f"{'else ' * bool(instead)}{called} {then}")
    return "; ".join(told)


def _instead(fought: Tried, struck: Sequence[str], called: str) -> str:
    """Why no second die has fallen, in words: what has become of those whom the first has struck."""
    if not any(force in fought.state.forces for force in struck):
        return REMOVED
    gone = {told.facts["unit"]: told.what for told in fought.told if told.what in (REFUGE, RETREAT)}  # the last of each
    words = {fate(what, {}) for what in gone.values()}
    return " or ".join(sorted(words)) or f"no {called}"


def _either(outcomes: Sequence[str]) -> str:
    """Numbers of losses of which one comes: `1 or 2 losses`."""
    *others, last = outcomes
    numbers = [other.split()[0] for other in others]
    alike = all(other == losses_words(int(n)) for n, other in zip(numbers, others, strict=True) if n.isdigit())
    return " or ".join([*(numbers if alike and all(map(str.isdigit, numbers)) else others), last])


def _fallen(s: State, order: Order, outcome: str) -> str:
    """What an assault brings: a castle with no durability left falls."""
    if isinstance(order, Assault) and outcome.startswith("durability -"):
        return FALLS if int(outcome.split("-")[1]) >= s.durability[order.castle] else outcome
    return outcome


def _sorted(found: Shares) -> Shares:
    """Outcomes by how much they are: none, then by their number, a fall last."""

    def key(outcome: str) -> tuple[bool, int, str]:
        digits = "".join(c for c in outcome if c.isdigit())
        return outcome == FALLS, int(digits or -1), outcome

    return {outcome: found[outcome] for outcome in sorted(found, key=key)}


def _sums(event: Tell) -> str:
    """The strength of an event and what changes its die: `strength 12, die +1 for skill: `."""
    facts = event.facts
    told = [f"strength {facts['strength']}"] if "strength" in facts else []
    if "durability" in facts:
        told.append(f"durability {facts['durability']}")
    if "needed" in facts:
        told.append(f"die of {facts['needed']} or less")
    changed = [f"{by:+d} for {SHIFTS[shift]}" for shift, by in _shifts(event.what, facts).items()]
    if changed:
        told.append(f"die {', '.join(changed)}")
    return f"{', '.join(told)}: " if told else ""


def factors(s: State, order: Order, standing: Standing | None = None) -> Iterator[Factor]:
    """What decides what a legal order's dice mean, one by one with its clause; none of an order without dice."""
    s = at_first_stage(s)
    match order:
        case Assault(castle, forces) | Besiege(castle, forces, True) if len(forces) > 1:
            begun = _begun(s, order)
            for force in forces:
                for factor in _factors(begun, Assault(castle, (force,)), standing):
                    yield factor._replace(what=f"{force} by itself: {factor.what}")
        case Battle():
            for when, fought in _courses(s, order):
                for factor in _factors(s, fought, standing) if fought is not None else ():
                    yield factor._replace(what=f"{when}{factor.what}")
        case _:
            yield from _factors(s, order, standing)


def _factors(s: State, order: Order, standing: Standing | None) -> Iterator[Factor]:
    """The factors of an order in which no die of a kind falls for several forces."""
    seen = set[str]()
    throws_of = [tried(s, order, (die, 1), standing).told for die in FACES]
    for event in (told for thrown in throws_of for told in thrown):
        clauses = CLAUSES.get(event.what, {})
        if "die" not in event.facts or event.what in seen or not clauses:
            continue
        seen.add(event.what)
        answers = [one for thrown in throws_of for one in thrown if one.what == COUNTERED == event.what]
        alike = answers or [event]  # a counterattack hangs on what the attack has brought
        for fact, clause in clauses.items():
            values = sorted({one.facts.get(fact, 0) for one in alike})
            if any(fact in _shifts(one.what, one.facts) for one in alike):
                die = f"die of the {event.what.removesuffix('-result')}"
                yield Factor(f"{die} for {_shift(fact, event)}", _range([f"{by:+d}" for by in values]), clause)
            elif fact not in SHIFTS:
                yield Factor(_called(fact, event), _range([*map(str, values)]), clause)
        brought = {tuple(_by_die(s.board, one.what, one.facts)) for one in alike}
        called = {"recover": "recovery", "replenish": "replenishment"}.get(event.what, event.what)
        what = f"the die of the {called.removesuffix('-result')} brings"
        if len(brought) == 1:
            results = dict(zip(FACES, brought.pop(), strict=True))
            yield Factor(what, throws.runs(FACES, results.__getitem__), event.clause)


def _range(values: Sequence[str]) -> str:
    """The least and the greatest of some values that rise."""
    return values[0] if len(values) == 1 else f"{values[0]} to {values[-1]}"


def _shift(fact: str, event: Tell) -> str:
    """What changes the die of an event."""
    if fact != "castle" or event.what not in ("attack-result", COUNTERED):
        return SHIFTS[fact]
    return "out of a castle" if event.what == "attack-result" else "against those from a castle"


def _called(fact: str, event: Tell) -> str:
    """What a fact is called that doesn't change the die."""
    if fact == "strength":
        return f"strength of the {event.what.removesuffix('-result')}"
    return {"place": "castle of its army", "needed": "recovers on a die of so much or less"}.get(fact, fact)


# --- a siege check ----------------------------------------------------------------------------------------------------


def siege_odds(s: State, castle: str) -> Shares:
    """What the next siege check of a besieged castle may bring, an incident by what it is."""
    found: Counter[str] = Counter()
    for die in FACES:
        told = [*played(siege.check(copy(s), castle), (die,))]
        if told[-1].what != "siege-check" or told[-1].facts["result"] != "incident":
            found[_siege_outcome(told)] += len(FACES)
            continue
        for other in FACES:
            found[_siege_outcome([*played(siege.check(copy(s), castle), (die, other))])] += 1
    return _sorted(throws.shares(found, found))


def _siege_outcome(told: Sequence[Tell]) -> str:
    """What a siege check has brought."""
    events = {event.what: event for event in told}
    if "fall" in events:
        return FALLS
    if "damaged" in events:
        return f"durability -{events['damaged'].facts['by']}"
    return INCIDENTS[events["incident"].facts["result"]] if "incident" in events else NOTHING
