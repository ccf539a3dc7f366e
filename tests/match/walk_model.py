"""The rules of protocol 4.1, 4.2 and 7 a second time, over the game `tiny`: what may be made, and what it leaves.

It shares no code with pbem. Players are red, who offers, and blue; a chain has LENGTH values, LIMIT agreements may
follow each other, and each player's share of the log is counted in entries.
"""

from __future__ import annotations

from typing import NamedTuple

LENGTH = 2
LIMIT = 2

NAMING = ("rekey", "recover", "accept-rekey", "substitute")
ANSWERS = ("accept", "refuse")
BARE = ("begin", "orders", "react", "reveal")


class Terms(NamedTuple):
    """What matters of a game's terms; `share` are the entries a player may make, more for answers, more at the end."""

    forfeit: bool = False
    deadline: bool = True
    solo: bool = False
    share: tuple[int, int, int] = (10**9, 10**9, 10**9)


class Made(NamedTuple):
    """An entry: `plan` is the order in it ("" none); `word` and `target` are those of a proposal or an answer."""

    kind: str
    by: str
    word: str = ""
    target: int = 0
    plan: str = ""
    anchor: bool = False
    reveal: bool = False


class State(NamedTuple):
    """All that the log has made of the game."""

    terms: Terms
    asks: str
    """What the game asks now, as in `tiny`; with `roll-` a die waits."""
    seq: int = 1
    mover: str = ""
    """Who made the newest decision that stands; nobody at first and behind an undo."""
    known: bool = False
    """The dice that follow it are known, by its seed or because its secret is lost."""
    rolled: bool = False
    owed: str = ""
    """Who has still to reveal."""
    left: tuple[int, int] = (0, LENGTH)
    """Values left in the chains of red and blue."""
    wait: tuple[str, str, int] | None = None
    """A proposal: kind, author, target."""
    refused: frozenset[tuple[str, str]] = frozenset()
    agreed: tuple[int, int] = (0, 0)
    sizes: tuple[int, int] = (1, 1)
    past: tuple[tuple[int, str], ...] = ()
    """The orders and react entries that stand: number, and what was asked."""
    ended: bool = False


def other(player: str) -> str:
    """The opponent."""
    return "blue" if player == "red" else "red"


def put(pair: tuple[int, int], player: str, value: int) -> tuple[int, int]:
    """The pair with another value for a player."""
    return (value, pair[1]) if player == "red" else (pair[0], value)


def of(pair: tuple[int, int], player: str) -> int:
    """A player's value."""
    return pair[player == "blue"]


def asked(s: State) -> tuple[str, str]:
    """The kind of decision that the game asks for, and of whom; ("dice", "") and ("over", "") otherwise."""
    if s.asks.startswith("roll-"):
        return "dice", ""
    if s.asks == "over":
        return "over", ""
    what, side = s.asks.split("-")
    return {"act": "orders", "answer": "react"}[what], side


def due(s: State) -> tuple[str, str]:
    """4.2: what is due and from whom."""
    what, whose = asked(s)
    if s.seq == 1:
        return ("orders" if (what, whose) == ("orders", "red") else "begin"), "red"
    if s.ended:
        return "nothing", ""
    if s.wait:
        return "reply", other(s.wait[1])
    if what == "dice" and not s.known:
        return "reveal", other(s.mover)
    if what == "over":
        return ("reveal", s.owed) if s.rolled and s.owed else ("nothing", "")
    return ("reveal", s.owed) if s.owed == other(whose) else (what, whose)


def rolls(s: State) -> State:
    """With its dice known a game that wants one goes on."""
    if s.known and s.asks.startswith("roll-"):
        return s._replace(asks=s.asks.removeprefix("roll-"), rolled=True)
    return s


def revealed(s: State, e: Made) -> State:
    """With the entry's reveal counted."""
    if not e.reveal:
        return s
    return rolls(s._replace(owed="", known=True, left=put(s.left, e.by, of(s.left, e.by) - 1)))


def names_key(e: Made) -> bool:
    """Whether a key stands in the body."""
    return e.kind in NAMING and e.word not in ANSWERS


def legal(s: State, e: Made) -> bool:
    """Whether this entry may be the next one (4.6)."""
    if s.ended or not fits(s, e) or not well_anchored(s, e):
        return False
    if s.seq == 1:
        return (e.kind, e.by) == due(s) and not e.reveal
    if e.reveal != (s.owed == e.by) and not (e.kind == "recover" and s.owed == e.by):
        return False
    return may_decide(s, e) if e.kind in BARE else may_agree(s, e)


def fits(s: State, e: Made) -> bool:
    """Section 7: the shares of the log."""
    place = 2 if e.kind in ("resign", "claim") else 1 if e.kind in ("reveal", "draw") or e.word in ANSWERS else 0
    return of(s.sizes, e.by) + 1 <= s.terms.share[place]


def well_anchored(s: State, e: Made) -> bool:
    """3.3: where an anchor must, may and must not stand; the last value needs one."""
    must = s.seq == 1 or names_key(e)
    may = e.kind in ("orders", "react", "reveal", "draw", "undo")
    if (must and not e.anchor) or (e.anchor and not must and not may):
        return False
    own = e.anchor and e.kind not in ("accept-rekey", "substitute")
    return not (e.reveal and of(s.left, e.by) == 1) or own or e.kind == "resign"


def may_decide(s: State, e: Made) -> bool:
    """4.1: orders, reactions, and reveals that nothing goes with."""
    if s.wait or e.kind == "begin":
        return False
    then = revealed(s, e)
    what, whose = asked(then)
    if e.kind == "reveal":
        return e.reveal and whose != e.by and not (what == "over" and not then.rolled)
    return not then.owed and (what, whose) == (e.kind, e.by)


def may_agree(s: State, e: Made) -> bool:
    """4.1 and 4.4: agreements."""
    whose = due(s)[1]
    if not whose or (s.terms.solo and names_key(e)):
        return False
    if e.kind == "claim":
        return s.terms.deadline and whose == other(e.by)
    if e.word in ANSWERS:
        return s.wait is not None and s.wait[:2] == (e.kind, other(e.by))
    if e.kind not in ("accept-rekey", "recover", "resign", "rekey") and (e.kind, e.by) in s.refused:
        return False
    if e.kind == "undo" and e.target not in dict(s.past):
        return False
    if e.kind != "resign" and of(s.agreed, e.by) >= LIMIT:
        return False
    return e.kind == "accept-rekey" or (whose == e.by and (s.wait is None or e.kind == "recover"))


def after(s: State, e: Made) -> State:
    """What a legal entry leaves."""
    s = revealed(s, e)._replace(seq=s.seq + 1, sizes=put(s.sizes, e.by, of(s.sizes, e.by) + 1))
    s = decided(s, e) if e.kind in BARE else settled(s, e)
    if e.anchor and e.kind != "substitute":
        s = s._replace(left=put(s.left, other(e.by) if e.kind == "accept-rekey" else e.by, LENGTH))
    return s


def decided(s: State, e: Made) -> State:
    """A begin, orders, react or reveal."""
    s = s._replace(agreed=(0, 0))
    if e.kind == "reveal":
        return s
    if e.kind != "begin":
        s = s._replace(past=(*s.past, (s.seq, s.asks)), asks=e.plan or s.asks)
    refused = frozenset(pair for pair in s.refused if pair[1] != e.by)
    return s._replace(mover=e.by, known=False, rolled=False, owed=other(e.by), refused=refused)


def settled(s: State, e: Made) -> State:
    """An agreement."""
    if e.kind in ("resign", "claim"):
        return s._replace(ended=True)
    if e.word in ANSWERS:
        return answered(s, e)
    s = s._replace(agreed=put(s.agreed, e.by, of(s.agreed, e.by) + 1))
    if e.word:
        return s._replace(wait=(e.kind, e.by, e.target))
    whose = other(e.by) if e.kind == "accept-rekey" else e.by
    if s.owed != whose:
        return s
    return s._replace(ended=True, owed="") if s.terms.forfeit else rolls(s._replace(owed="", known=True))


def answered(s: State, e: Made) -> State:
    """A proposal accepted or refused."""
    assert s.wait is not None
    kind, author, target = s.wait
    s = s._replace(wait=None)
    if e.word == "refuse":
        return s._replace(refused=s.refused | {(kind, author)})
    if kind == "draw":
        return s._replace(ended=True)
    if kind == "substitute":
        return s._replace(left=put(s.left, author, LENGTH))
    past = tuple(pair for pair in s.past if pair[0] < target)
    return s._replace(asks=dict(s.past)[target], past=past, mover="", known=False, rolled=False, owed="")
