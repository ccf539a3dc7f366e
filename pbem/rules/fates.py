"""What becomes of units in a fight, in the words that form, odds, check, mail and report have for it alike."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pbem.words import per_cent

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = [
    "ANSWERS",
    "BATTLES",
    "DECLARED",
    "DISORDERED",
    "DURABILITY",
    "FATES",
    "FIGURES",
    "HARMLESS",
    "LOST",
    "NO_EFFECT",
    "OF_PLACES",
    "PARTED",
    "REMOVED",
    "RETREATS",
    "STANDS",
    "cell_words",
    "cost",
    "durability_words",
    "fate",
    "fought",
    "goal",
    "killed",
    "losses_words",
    "odds",
    "resisted",
    "result_words",
    "together",
]  # fmt: skip

NO_EFFECT = "no effect"
"""The result `-` of a table, and nothing else."""

STANDS = "stands"
"""What a unit does that stays as it was under another result: it has passed its check, or needed none."""

DISORDERED, RETREATS, REMOVED = "disordered", "retreats", "removed"

NONE_LEFT = " and none left"
"""Behind so many killed: they were the last figures of their unit, which for that is removed."""

KILLED = "killed"
"""What a leader is who is alone: he is no unit that loses so many of its figures."""

FIGURES = rf"[0-9]+ {KILLED}\b"
"""So many figures killed."""

NONE, NOTHING = "none", "nothing"
"""So many killed as none; what came of a fight that was not fought."""

DECLARED = "declare"
"""The event of a fire that is declared, whose dice fall later in its step."""

LOST = "lost_fire"
"""The event of a fire that was declared, and isn't carried out."""

DURABILITY = "durability"
"""What the result of a fight is `of` that is of a castle."""

HARMLESS = frozenset({NO_EFFECT, STANDS, NONE, NOTHING})
"""What is said of a unit to which nothing happened."""

MANPOWER = "([0-9]+) manpower lost"
"""So much manpower lost."""

FATIGUE = "comes to fatigue "
"""What a unit's fatigue is told behind; the last that it comes to counts."""

FATES = {
    "disorder": DISORDERED,
    "disorganised": "disorganised",
    "demoralised": "demoralised",
    "retreat": RETREATS,
    "refuge": "takes refuge in the castle",
    "rout": "routs",
    "displace": "moved back",
    "remove": REMOVED,
    "exit": "leaves the map",
    "advance": "advances",
    "step": "loses a step",
}
"""Event -> what it is for its unit."""

BATTLES = {"beaten": "is beaten", "stopped": "breaks off"}
"""End of a battle of several rounds -> what it is for its unit."""

PARTED = {"parted": "both sides part without result"}
"""End of a battle that nobody wins -> what it is for both."""

ANSWERS = {"counterattack-result": "the counterattack", "interception": "the interception"}
"""Fight that answers another, before it or behind it -> what it is called where it costs who began the other."""

LEFT = {"dispersed": "dispersed", "fled": "flees off the table"}
"""Why a unit is removed that isn't lost in a fight -> what that is for it."""

OF_PLACES = {"fall": "falls", "lifted": "its siege ends"}
"""Event -> what it is for its place."""


def killed(number: int) -> str:
    """So many figures of a unit."""
    return f"{number} killed" if number else NONE


def manpower(number: int) -> str:
    """So much manpower lost."""
    return f"{number} manpower lost"


def fate(what: str, facts: Mapping[str, Any]) -> str:
    """What an event is for its unit; "" where it is no fate of one."""
    match what:
        case "loss" if "points" in facts:
            return manpower(facts["points"])
        case "tired":
            return f"{FATIGUE}{facts['fatigue']}"
        case "loss" if facts.get("alone"):
            return KILLED
        case "loss":
            return killed(facts["figures"]) + NONE_LEFT * (facts.get("left") == 0)
        case "recover" if "success" in facts:
            return "recovers" if facts["success"] else "stays disordered"
        case "rally" if facts["success"]:
            return "rallied"
        case "remove" if facts.get("why") in LEFT:
            return LEFT[facts["why"]]
    return FATES.get(what, "")


def cost(what: str, facts: Mapping[str, Any], by: str) -> str:
    """What an event is for its unit that comes of the fight `by`; a loss that an answer to another fight brings is
    told as that: `loses a step to the counterattack`.
    """
    told, answer = fate(what, facts), ANSWERS.get(by, "")
    if not answer or what not in ("step", "remove") or facts.get("why", KILLED) != KILLED:
        return told
    return f"{told} {'to' if what == 'step' else 'by'} {answer}"


def goal(facts: Mapping[str, Any]) -> str:
    """Where an event leads its unit; "" where it leads nowhere."""
    way = facts.get("path")
    return str(way[-1] if way else facts.get("to", ""))


def together(fates: Iterable[str]) -> str:
    """All that became of a unit, in the order in which it came: `disordered and retreats`; or how it is lost."""
    found = [*dict.fromkeys(_summed(fates))]
    if gone := [word for word in found if word.startswith(f"{REMOVED} by ")]:
        return gone[0]
    if REMOVED in found:
        losses = [word for word in found if word.removesuffix(NONE_LEFT).endswith("killed")]
        found = losses if any(word.endswith(NONE_LEFT) or word == KILLED for word in losses) else [*losses, REMOVED]
    if LEFT["fled"] in found:
        found = [word for word in found if word != FATES["rout"]]
    return " and ".join(found)


def _summed(fates: Iterable[str]) -> list[str]:
    """The same, all figures killed as one number: `1 killed, 2 killed and none left` are `3 killed and none left`.

    So is manpower; of several fatigues the last remains.
    """
    told = [*fates]
    if lost := [int(found[1]) for fate in told if (found := re.fullmatch(MANPOWER, fate))]:
        told = [manpower(sum(lost)), *(fate for fate in told if not re.fullmatch(MANPOWER, fate))]
    if tired := [fate for fate in told if fate.startswith(FATIGUE)]:
        told = [*(fate for fate in told if fate not in tired), tired[-1]]
    losses = [fate for fate in told if re.match(FIGURES, fate)]
    if len(losses) < 2:
        return told
    last = losses[-1].removeprefix(f"{int(losses[-1].split()[0])} {KILLED}")
    whole = killed(sum(int(fate.split()[0]) for fate in losses)) + last
    return [whole, *(fate for fate in told if fate not in losses)]


def cell_words(cell: str) -> str:
    """What a cell of a chart brings one side, as printed; `-` and a bare number of losses in words."""
    return NO_EFFECT if cell == "-" else f"{cell} lost" if cell.isdigit() else cell


def result_words(result: str) -> str:
    """What a result of a table is called; one that is a number is what a check adds."""
    if result == "-":
        return NO_EFFECT
    return f"check +{result}" if result.isdigit() else result


def durability_words(lost: int) -> str:
    """What an assault costs a castle: `nothing`, `durability -1`."""
    return f"{DURABILITY} -{lost}" if lost else NOTHING


def losses_words(losses: int) -> str:
    """A number of losses: `no loss`, `2 losses`."""
    return f"{losses} loss{'es' * (losses != 1)}" if losses else "no loss"


def fought(facts: Mapping[str, Any]) -> str:
    """The result of a fight, by its facts; one that is a number of losses in words, of a chart both sides' cells."""
    if "own_result" in facts:
        return f"attacker {cell_words(facts['own_result'])}, defender {cell_words(facts['result'])}"
    if isinstance(facts["result"], int):
        of_castle = facts.get("of") == DURABILITY
        return durability_words(facts["result"]) if of_castle else losses_words(facts["result"])
    return killed(facts["kills"]) if "kills" in facts else result_words(str(facts["result"]))


def resisted(fights: Collection[Mapping[str, Any]], unit: str) -> str:
    """What is said of a unit to which nothing happened, by the facts of the fights at it; of all where none is told."""
    at_it = [facts for facts in fights if str(facts.get("target")) == unit]
    results = {fought(facts) for facts in at_it or fights}
    return next((word for word in (NO_EFFECT, NONE) if results == {word}), STANDS if results else NOTHING)


def odds(shares: Mapping[str, Fraction | float]) -> str:
    """Outcomes with their chances, `no effect 58.3 %, removed 41.7 %`."""
    return ", ".join(f"{outcome} {per_cent(share, 1)}" for outcome, share in shares.items())
