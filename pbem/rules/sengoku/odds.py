"""What dice may bring: exact chances of an order and what it draws after it, and of a siege check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from pbem.rules.fates import REMOVED, fate, losses_words, odds
from pbem.rules.kit import throws
from pbem.rules.kit.throws import Shares
from pbem.rules.requests import Factor, Standing, Tell
from pbem.rules.sengoku import siege, skirmish
from pbem.rules.sengoku.acting import forces_inside, live_castle
from pbem.rules.sengoku.brought import FACES, NOTHING, SHIFTS, by_die, chances, incident_words, shifts
from pbem.rules.sengoku.harm import morale_of, strength
from pbem.rules.sengoku.lines import in_line
from pbem.rules.sengoku.orders import Assault, Attack, Battle, Besiege, Call, Order, Organise, Recover, Replenish
from pbem.rules.sengoku.sequence import at_first_stage
from pbem.rules.sengoku.state import State, copy
from pbem.rules.sengoku.trial import Tried, played, tried
from pbem.words import per_cent

__all__ = ["FALLS", "factors", "siege_odds", "tell_odds"]

FALLS = "falls"
"""What an assault or a siege check brings a castle that has no durability left, or no morale."""

COUNTERED = "counterattack-result"

BEHIND_LINES = "with the morale that the line phase leaves"
"""What is said of the odds of a situation change where that phase changes them."""

NONE_OF = {"counterattack": "no counterattack", "assault": "no assault"}
"""What a second die would be for -> what is said where none falls."""

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

# --- an order ---------------------------------------------------------------------------------------------------------


def tell_odds(s: State, order: Order, standing: Standing | None = None) -> str:
    """What a legal order's dice may bring, with strengths and shifts of the die; "" for an order without dice.

    Where a side is asked, its standing orders answer, else the rules; of a battle the first round is told, and where it
    waits for consent also what is fought without. In a situation change they are those of the first stage.
    """
    ahead = at_first_stage(s)
    told = _odds(ahead, order, standing)
    return f"{told}; {BEHIND_LINES}" if told and _shaken_before(s, ahead, order) else told


def _shaken_before(s: State, ahead: State, order: Order) -> bool:
    """Whether the line phase lowers the morale of any force that an order concerns (4-1-1(2), 11-3(1))."""
    match order:
        case Attack(force, targets):
            concerned = {force, *targets}
        case Battle(force, target, others):
            concerned = {force, target, *others}
        case Assault(castle, forces) | Besiege(castle, forces):
            concerned = {*forces, *forces_inside(s, castle)}
        case Call(castle, force):
            concerned = {force, *forces_inside(s, castle)}
        case _:
            concerned = {order.force} if isinstance(order, Replenish | Recover | Organise) else set()
    return s is not ahead and any(s.morale.get(force) != ahead.morale.get(force) for force in concerned)


def _odds(s: State, order: Order, standing: Standing | None) -> str:
    """The odds of an order as it stands when it is carried out."""
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
    strong, weak = (_sums(told).removesuffix(": ") for told in (ours, theirs))
    return f"first round: {strong}: enemy {shares[0]}; {weak}: own {shares[1]}"


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
    brought, called = by_die(s.board, first, event.facts), second.removesuffix("-result")
    found: Shares = {}
    decided: list[Tell] = []
    instead: dict[str, list[str]] = {}
    lifted: list[str] = []
    for outcome, times in Counter(brought).items():
        fought = tried(s, order, (brought.index(outcome) + 1, 1), standing)
        lifted += [outcome] * _lifts(s, order, fought.told)
        follows = next((told for told in fought.told if told.what == second), None)
        if follows is None:
            instead.setdefault(_instead(fought, struck, called), []).append(outcome)
            continue
        decided.append(follows)
        for what, share in chances(s.board, second, follows.facts).items():
            what = _fallen(s, order, what)
            found[what] = found.get(what, Fraction(0)) + share * times
    total, named = sum(found.values()), "" if first == "attack-result" else f"{first} "
    shares = chances(s.board, first, event.facts)
    told = [f"{named}{_sums(event)}{odds(shares)}"]
    for what, outcomes in instead.items():
        among = per_cent(sum(shares[outcome] for outcome in outcomes), 1)
        always = not found and len(instead) == 1
        told.append(f"with each of these {what}" if always else f"with {_either(outcomes)} ({among}) {what}")
    if found:
        then = odds({what: share / total for what, share in _sorted(found).items()})
        rest = per_cent(Fraction(total, len(brought)), 1)
        sums = _both_sums(decided) if second == "assault" else ""
        if not instead:
            told.append(f"{called} {sums}{then}")
        elif sums:
            told.append(f"else ({rest}) {called} {sums}of these {then}")
        else:
            told.append(f"else ({rest}) {called}, of these {then}")
    if lifted:  # 18-3
        always = len(lifted) == len({*brought})
        told.append("with any result the siege ends" if always else f"with {_either(lifted)} the siege ends")
    return "; ".join(told)


def _lifts(s: State, order: Order, told: Sequence[Tell]) -> bool:
    """Whether by what is told of an assault its siege ends and the castle doesn't fall, of an attack that of those whom
    it is at."""
    if isinstance(order, Attack):
        sieges = {s.board.label[s.at[target]] for target in order.targets if target in s.besieging}
        return any(one.what == "lifted" and one.facts["at"] in sieges for one in told)
    return {"lifted", "fall"} & {one.what for one in told} == {"lifted"}


def _instead(fought: Tried, struck: Sequence[str], called: str) -> str:
    """Why no second die has fallen, in words: what has become of those whom the first has struck."""
    if not any(force in fought.state.forces for force in struck):
        return REMOVED
    gone = {told.facts["unit"]: told.what for told in fought.told if told.what in (REFUGE, RETREAT)}  # the last of each
    words = {fate(what, {}) for what in gone.values()}
    return " or ".join(sorted(words)) or NONE_OF[called]


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


def _both_sums(events: Sequence[Tell]) -> str:
    """The least and the greatest strength of events of a kind, and what changes their die where that is alike."""
    strengths = sorted({event.facts["strength"] for event in events})
    shifted = {_sums(event._replace(facts={**event.facts, "strength": strengths[0]})) for event in events}
    return shifted.pop().replace(f"{strengths[0]}", _range([*map(str, strengths)]), 1) if len(shifted) == 1 else ""


def _sums(event: Tell) -> str:
    """The strength of an event and what changes its die: `strength 12, die +1 for skill: `."""
    facts = event.facts
    told = [f"strength {facts['strength']}"] if "strength" in facts else []
    if "durability" in facts:
        told.append(f"durability {facts['durability']}")
    if "needed" in facts:
        told.append(f"die of {facts['needed']} or less")
    changed = [_changed(by, SHIFTS[shift]) for shift, by in shifts(event.what, facts).items()]
    if changed:
        told.append(f"die {', '.join(changed)}")
    return f"{', '.join(told)}: " if told else ""


def _changed(by: int, what: str) -> str:
    """`+1 for skill`."""
    return f"+{by} for {what}" if by > 0 else f"-{-by} for {what}"


def factors(s: State, order: Order, standing: Standing | None = None) -> Iterator[Factor]:
    """What decides what a legal order's dice mean, or that it needs none, one by one with its clause."""
    ahead = at_first_stage(s)
    lowered = _shaken_before(s, ahead, order)
    for factor in _all_factors(ahead, order, standing):
        told = f"{factor.what}, {BEHIND_LINES}," if lowered and factor.what.endswith("for morale") else factor.what
        yield factor._replace(what=told)


def _all_factors(s: State, order: Order, standing: Standing | None) -> Iterator[Factor]:
    """The factors of an order as it stands when it is carried out."""
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
        case Recover(force) if in_line(s, force):
            yield Factor("with a line of communication", "it recovers without a die", "26-1-1")
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
            if fact == "place":
                column = s.board.armies[s.board.units[event.facts["unit"]].army].column
                values = [f"{column} {place}" for place in values]
            if any(fact in shifts(one.what, one.facts) for one in alike):
                kind, shift = event.what.removesuffix("-result"), _shift(fact, event)
                yield Factor(f"die of the {kind} for {shift}", _range([f"{by:+d}" for by in values]), clause)
            elif fact not in SHIFTS:
                yield Factor(_called(fact, event), _range([*map(str, values)]), clause)
        brought = {tuple(by_die(s.board, one.what, one.facts)) for one in alike}
        called = {"recover": "recovery", "replenish": "replenishment"}.get(event.what, event.what)
        what = f"the die of the {called.removesuffix('-result')} brings"
        if len(brought) == 1:
            results = dict(zip(FACES, brought.pop(), strict=True))
            yield Factor(what, throws.runs(FACES, results.__getitem__), event.clause)


def _range(values: Sequence[str]) -> str:
    """The least and the greatest of some values that rise."""
    return " to ".join(dict.fromkeys((values[0], values[-1])))


def _shift(fact: str, event: Tell) -> str:
    """What changes the die of an event."""
    if fact != "castle" or event.what not in ("attack-result", COUNTERED):
        return SHIFTS[fact]
    return "out of a castle" if event.what == "attack-result" else "against those from a castle"


def _called(fact: str, event: Tell) -> str:
    """What a fact is called that doesn't change the die."""
    if fact == "strength":
        return f"strength of the {event.what.removesuffix('-result')}"
    return {"place": "row of the replenishment table", "needed": "recovers on a die of so much or less"}.get(fact, fact)


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
    return incident_words(events["incident"].facts) if "incident" in events else NOTHING
