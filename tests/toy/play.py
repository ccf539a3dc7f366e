"""The toy's sequence of play: one activity a phase's beginning or an order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbem.errors import Refusal
from pbem.maps.map import Map
from pbem.rules.requests import Activity, Chance, Choose, Danger, Draw, Factor, FormEntry, Outcome, Roll, Tell, Words
from toy.reading import ToyOrder, read_order
from toy.state import CLOSING, POSTS, SIDES, UNITS, Board, State, score

MOST = 3
REST = ToyOrder((CLOSING,))


def next_activity(s: State) -> Activity:
    """The next activity."""
    if not s.opened:
        yield from _open(s)
        return
    side = to_act(s)
    order = yield _ask(s, side)
    match order.words:
        case ("bet", number):
            yield from _bet(s, side, int(number))
        case ("pull", number):
            yield from _pull(s, side, int(number))
        case ("move", *units, post):
            for unit in units:
                s.put(unit, post)
                yield Tell("move", "T4", {"unit": unit, "path": [post]})
        case ("hit", unit):
            yield from _hit(s, unit)
    s.acted[side] = MOST if order == REST else s.acted[side] + 1
    _judge(s)
    if s.ended is None:
        _turn_over(s, side)


def outcome(s: State) -> Outcome | None:
    """How the duel ended."""
    return s.ended


def maps(_: Board) -> dict[str, Map]:
    """None."""
    return {}


def of_side(_: Board) -> dict[str, list[str]]:
    """The units of each side."""
    return {side: [unit for unit, of in UNITS.items() if of == side] for side in SIDES}


def _open(s: State) -> Activity:
    yield Tell("phase", "T1", {"turn": s.turn, "phase": s.phase})
    if s.phase == "weather":
        (die,) = yield Roll("weather", dice=1)  # T6
        s.storm = die == 6
        yield Tell("weather", "T6", {"storm": s.storm})
        _close(s)
    else:
        s.opened = True


def to_act(s: State) -> str:
    """The side that is asked next; in a melee the one whose orders are fewer."""
    red, blue = SIDES
    if s.phase != "melee":
        return s.phase.removesuffix("-late")
    return blue if s.acted[blue] < s.acted[red] else red


def _turn_over(s: State, side: str) -> None:
    """The end of a phase when its orders are given; of a melee when those of both are."""
    if s.acted[side] == MOST and (s.phase != "melee" or set(s.acted.values()) == {MOST}):
        _close(s)


def _close(s: State) -> None:
    s.opened, s.acted, s.hit = False, dict.fromkeys(SIDES, 0), []
    phases = s.phases()
    if s.phase != phases[-1]:
        s.phase = phases[phases.index(s.phase) + 1]
    elif s.turn < s.turns:
        s.turn += 1
        s.phase = s.phases()[0]
    else:
        red, blue = (score(s, side) for side in SIDES)
        words = f"{red} half points to {blue}"
        s.ended = Outcome(None if red == blue else SIDES[blue > red], "T8", words)


def _judge(s: State) -> None:
    for side, other in (SIDES, SIDES[::-1]):
        if s.points[side] <= 0 or side not in {UNITS[unit] for unit in s.at}:
            s.ended = Outcome(other, "T7", f"{side} has nothing left")


def _bet(s: State, side: str, number: int) -> Activity:
    (die,) = yield Roll("bet", dice=1)
    s.points[side] += number if die >= 4 else -number
    yield Tell("bet", "T2", {"side": side, "die": die})


def _pull(s: State, side: str, number: int) -> Activity:
    drawn = yield Draw("cup", tuple(sorted(s.cup)), number)
    for counter in drawn:
        s.cup.remove(counter)
        s.points[side] += {"dud": 0, "gold": 1, "star": 2}[counter]
    yield Tell("pull", "T3", {"side": side, "drawn": list(drawn)})


def _hit(s: State, unit: str) -> Activity:
    s.hit.append(unit)
    dice = yield Roll(f"hit/{unit}")
    if sum(dice) < 7:
        yield Tell("miss", "T5", {"unit": unit})
        return
    answer = yield _ask_hit(s, unit)
    if answer.words[0] == "flee":
        (die,) = yield Roll(f"flee/{unit}", dice=1)
        if die == 1:
            _remove(s, unit)
        else:
            s.put(unit, "rear")
    elif sum((yield Roll(f"stand/{unit}"))) >= 9:
        _remove(s, unit)
    elif unit not in s.shaken:
        s.shaken.append(unit)
    yield Tell("hit", "T5", {"unit": unit, "answer": answer.words[0], "gone": unit not in s.at})


def way(s: State, _: Choose, words: Words) -> ToyOrder | None:
    """`move U to POST`: there is one way to a post."""
    if words[:1] != ("move",) or words[-2:-1] != ("to",):
        return None
    return toward(s.board, "", words)


def toward(board: Board, side: str, words: Words) -> ToyOrder:
    """The same wherever the unit is."""
    return read_order(board, side, (*words[:-2], words[-1]))


def in_force(s: State, orders: Sequence[Words]) -> list[Words]:
    """Those behind which nothing was ordered for the same unit or for all, and whose unit isn't gone."""
    found: list[Words] = []
    for words in reversed(orders):
        if words[1] not in ("all", *s.at) or {words[1], "all"} & {later[1] for later in found}:
            continue
        found.insert(0, words)
    return found


def why_unanswered(s: State, words: Words) -> Refusal | None:
    """Why nothing is asked that such an order could answer: its unit is gone."""
    return Refusal("T5", f"{words[1]} is gone") if words[1] not in ("all", *s.at) else None


def dangers(_: State, __: str) -> tuple[Danger, ...]:
    """None."""
    return ()


def _remove(s: State, unit: str) -> None:
    s.remove(unit)
    if unit in s.shaken:
        s.shaken.remove(unit)


# --- questions


def _ask(s: State, side: str) -> Choose:
    def options() -> list[ToyOrder]:
        numbers = ("1", "2", "3")
        every = [
            *(("bet", n) for n in numbers),
            *(("pull", n) for n in numbers),
            *(("move", u, p) for u in UNITS for p in POSTS),
            *(("hit", u) for u in UNITS),
            (CLOSING,),
        ]
        return [ToyOrder(words) for words in every if why_not(s, side, ToyOrder(words)) is None]

    return Choose(
        side,
        "act",
        "T1",
        f"{side} acts",
        why_not=lambda order: why_not(s, side, order),
        options=options,
        sample=lambda chance: chance.choice(options()),
        window=f"{s.turn}/{s.phase}",
    )


def why_not(s: State, side: str, order: ToyOrder) -> Refusal | None:
    """Why an order of the phase is refused."""
    match order.words:
        case ("bet", number) if int(number) > s.points[side]:
            return Refusal("T2", f"{side} has {s.points[side]} points")
        case ("pull", number) if int(number) > len(s.cup):
            return Refusal("T3", f"{len(s.cup)} counters are in the cup")
        case ("move", *units, post):
            reasons = [reason for unit in units if (reason := _cannot_move(s, side, unit, post))]
            return Refusal("T4", reasons[0]) if reasons else None
        case ("hit", unit):
            if UNITS[unit] == side:
                return Refusal("T5", f"{unit} is {side}'s own")
            if s.storm:
                return Refusal("T6", "nobody hits in a storm")
            if s.at.get(unit) != "front" or unit in s.hit:
                return Refusal("T5", f"{unit} is not at the front, or was hit at before")
        case ("flee" | "stand", _):
            return Refusal("T5", "nobody is asked that")
    return None


def why_never(_: State, side: str, _phase: str, order: ToyOrder) -> Refusal | None:
    """Why an order is refused in any phase of a side."""
    match order.words:
        case ("move", *units, _):
            strange = [unit for unit in units if UNITS[unit] != side]
            return Refusal("T4", f"{strange[0]} is not {side}'s") if strange else None
        case ("hit", unit) if UNITS[unit] == side:
            return Refusal("T5", f"{unit} is {side}'s own")
        case ("flee" | "stand", _):
            return Refusal("T5", "nobody is asked that")
    return None


def _cannot_move(s: State, side: str, unit: str, post: str) -> str:
    if UNITS[unit] != side:
        return f"{unit} is not {side}'s"
    return f"{unit} is gone or there already" if s.at.get(unit) in (None, post) else ""


def worst(s: State, request: Roll | Draw, side: str) -> tuple[int, ...] | tuple[str, ...]:
    """The answer that is worst for a side."""
    own = to_act(s) == side
    if isinstance(request, Draw):
        value = {"dud": 0, "gold": 1, "star": 2}
        return tuple(sorted(request.cup, key=lambda counter: value[counter], reverse=not own)[: request.count])
    what, _, unit = request.label.partition("/")
    high = {"weather": own, "hit": not own, "bet": not own}.get(what, UNITS.get(unit) == side)
    if what == "flee":
        high = not high
    return (6 if high else 1,) * request.dice


def remainder(s: State, side: str, order: ToyOrder) -> tuple[ToyOrder, tuple[Tell, ...]] | None:
    """A move without the units that can't make it."""
    if order.words[0] != "move":
        return None
    *units, post = order.words[1:]
    kept = [unit for unit in units if not _cannot_move(s, side, unit, post)]
    tells = [
        Tell("dropped", "T4", {"order": f"move {unit} {post}", "reason": _cannot_move(s, side, unit, post)})
        for unit in units
        if unit not in kept
    ]
    return (ToyOrder(("move", *kept, post)), tuple(tells)) if kept else None


def _ask_hit(s: State, unit: str) -> Choose:
    options = [ToyOrder((word, unit)) for word in ("flee", "stand")]

    def refuse(order: ToyOrder) -> Refusal | None:
        return None if order in options else Refusal("T5", f"flee {unit} or stand {unit}")

    def standing(orders: Sequence[Words]) -> ToyOrder | None:
        fitting = [words[0] for words in orders if words[1] in (unit, "all")]
        return ToyOrder((fitting[-1], unit)) if fitting else None

    def sample(chance: Chance) -> ToyOrder:
        return chance.choice(options)

    return Choose(
        UNITS[unit],
        "answer",
        "T5",
        f"{unit} is hit: does it flee or stand?",
        why_not=refuse,
        options=lambda: options,
        sample=sample,
        reaction=True,
        about=(unit,),
        standing=standing,
        default=lambda: options[1],
        heeds=("flee", "stand"),
    )


STYLES = (("stand", "pull", "hit", CLOSING), ("stand", CLOSING), ("stand", "hit", CLOSING))
"""The words that a player prefers, in each of his styles."""


def advise(s: State, choose: Choose, chance: Chance, style: tuple[str, ...] | None = None) -> ToyOrder:
    """Stand, pull all that is left, hit while somebody can be hit; else rest."""
    options = list(choose.options())
    for word in style or STYLES[0]:
        found = [order for order in options if order.words[0] == word]
        if found:
            return found[-1] if word == "pull" else chance.choice(found)
    return options[0]


def doubts(_: State, __: str, ___: ToyOrder) -> list[Words]:
    """None."""
    return []


def stance(_: State, __: str, ___: Sequence[Words]) -> list[Words]:
    """None."""
    return []


def styles(_: State, __: str) -> tuple[tuple[str, ...], ...]:
    """Some."""
    return STYLES


def prospect(s: State, side: str) -> float:
    """By points."""
    points = s.points[side]
    return points / max(1, sum(s.points.values()))


def decisive(_s: State, _order: ToyOrder) -> bool:
    """Any may."""
    return True


def usage(_: Board) -> dict[str, str]:
    """How each order is written."""
    return {
        "bet": "bet N",
        "pull": "pull N",
        "move": "move U [U ...] POST",
        "hit": "hit U",
        "flee": "flee U",
        "stand": "stand U",
        CLOSING: CLOSING,
    }


def options_of(s: State, choose: Choose, unit: str) -> Iterable[ToyOrder]:
    """Those that name a unit of the side's first, "" for none."""
    named = ((order, [word for word in order.words if UNITS.get(word) == choose.side]) for order in choose.options())
    return (order for order, units in named if "".join(units[:1]) == unit)


def tell_cost(_s: State, _side: str, _order: ToyOrder) -> str:
    """Nothing is counted."""
    return ""


def tell_met(_s: State, _order: ToyOrder) -> str:
    """Nobody is met."""
    return ""


def tell_odds(_s: State, _side: str, order: ToyOrder, _standing: object = None) -> str:
    """Of a bet alone."""
    return f"wins {order.words[1]} 50 %, loses {order.words[1]} 50 %" if order.words[0] == "bet" else ""


def factors(_s: State, _side: str, order: ToyOrder, _standing: object = None) -> Iterable[Factor]:
    """Of a bet alone."""
    return [Factor("even chances", "1 in 2", "3")] if order.words[0] == "bet" else []


def form(s: State, choose: Choose) -> Iterable[FormEntry]:
    """One entry for each thing to do."""
    for order in choose.options():
        yield FormEntry(order.words[0], ((order.words, "as printed"),), (f"turn {s.turn}",))


def chances(_: Board, what: str, facts: Mapping[str, Any]) -> dict[str, Fraction]:
    """Of a bet points or nothing (T2); nothing of any other event."""
    return dict.fromkeys(("nothing", "points"), Fraction(1, 2)) if what == "bet" and facts["die"] else {}
