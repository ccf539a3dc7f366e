"""A report cut to what a screen, page or mail may hold: a turn always goes out, its report as far as there is room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from pbem.errors import Damaged
from pbem.language import also, say
from pbem.records import NamedTuple
from pbem.report.layout import Json

__all__ = ["MAIL", "PAGE", "SCREEN", "SMALL", "Limits", "Version", "cut", "fitted"]

SMALL = 100_000
"""Bytes that a mail should have at most: of a longer page some programs show only the beginning."""


class Version(NamedTuple):
    """What a mail says beside its block: its text, its HTML page or None, the pictures of that: name, title, PNG."""

    text: str
    html: str | None = None
    pictures: tuple[tuple[str, str, bytes], ...] = ()


class Limits(NamedTuple):
    """How much of a report is shown.

    most      entries of a list: lines of talk, standing orders or plans; ten times as many of what else happened
    letters   letters of one entry
    lapses    lapsed orders
    lapse     letters of what is told of one
    units     units of a side; `most` where it isn't said
    """

    most: int
    letters: int
    lapses: int
    lapse: int
    units: int = 0


SCREEN = Limits(100, 1000, 40, 240)
PAGE = SCREEN._replace(units=10_000)
"""For a page: it shows all units, and no more than a screen of what grows with the words of an entry."""
MAIL = (Limits(200, 400, 200, 400), Limits(40, 200, 40, 200))
"""For a mail, one after the other."""

_EVENTS = ("lapse", "say", "tell")
_NAMES = ("orders", *_EVENTS, "lapses", "standing", "planned", "left", "units", "letters")


def _many(number: int, kind: str) -> str:
    """So many things of a kind."""
    many = f"{number:,}"
    match kind:
        case "orders":
            return say("%(number)s orders that wait", number=many)
        case "lapse":
            return say("%(number)s lapsed orders", number=many)
        case "say":
            return say("%(number)s lines of talk", number=many)
        case "tell":
            return say("%(number)s other events", number=many)
        case "lapses":
            return say("%(number)s entries of the list of lapsed orders", number=many)
        case "standing":
            return say("%(number)s standing orders", number=many)
        case "planned":
            return say("%(number)s plans", number=many)
        case "left":
            return say("%(number)s orders that are left", number=many)
        case "units":
            return say("%(number)s units", number=many)
    return say("%(number)s parts of long lines", number=many)


def cut(data: Json, limits: Limits) -> Json:
    """The data of a report within limits, for `report.text` and `report.html`; as it is where all of it fits.

    Each list says how many more there are, and a note tells all that is left out.
    """
    lost: Counter[str] = Counter()
    found = {
        **data,
        "news": _news(data["news"], limits, lost),
        "lapses": _lapses(data["lapses"], limits, lost),
        "standing": [{**side, "orders": _standing(side["orders"], limits, lost)} for side in data["standing"]],
        "planned": [{**side, "plans": _planned(side["plans"], limits, lost)} for side in data["planned"]],
        **({"left": [_left(side, limits, lost) for side in data["left"]]} if "left" in data else {}),
        "situation": {**data["situation"], "units": _units(data["situation"], limits, lost)},
    }
    if "falls" in data:
        found["falls"] = [_short(line, limits.letters, lost) for line in data["falls"]]
    if "orders" in data:
        found["orders"] = [{**side, "items": _ordered(side["items"], limits, lost)} for side in data["orders"]]
    told = also(_many(lost[kind], kind) for kind in _NAMES if lost[kind])
    return {**_noted(found, told), "more": dict(+lost)} if told else data


def _noted(data: Json, left_out: str) -> Json:
    """The data with a note of what is left out, and where it is."""
    note = say("Left out: %(what)s. `pbem report --json` has the whole.", what=left_out)
    return {**data, "notes": [*data["notes"], note]}


def _news(groups: list[Json], limits: Limits, lost: Counter[str]) -> list[Json]:
    """The first events of each kind; a group that misses some says so at its end."""
    shown: Counter[str] = Counter()
    found = []
    for group in groups:
        missing: Counter[str] = Counter()
        actions = []
        for action in group["actions"]:
            items = [item for item in action["items"] if _is_shown(item, limits, shown, missing)]
            if items:
                room = max(_letters(item, limits) for item in items)
                items = [{**item, "told": _told(item, limits, lost)} for item in items]
                end = max(_end(item, limits) for item in items)
                headline = _short(action["headline"], room, Counter(), end=end)
                actions.append({**action, "headline": headline, "items": items})
        if missing:
            told = say(" and ").join(_many(missing[kind], kind) for kind in _EVENTS if missing[kind])
            actions.append(_remark(say("... and %(what)s more, left out here.", what=told)))
        lost.update(missing)
        found.append({**group, "actions": actions})
    return found


def _is_shown(item: Json, limits: Limits, shown: Counter[str], missing: Counter[str]) -> bool:
    """Whether an event is one of the first of its kind; counts it among those shown or missing."""
    kind = item["kind"] if item["kind"] in _EVENTS else "tell"
    fits = shown[kind] < {"lapse": limits.lapses, "tell": 10 * limits.most}.get(kind, limits.most)
    (shown if fits else missing)[kind] += 1
    return fits


def _letters(item: Json, limits: Limits) -> int:
    """How much is told of an event."""
    return limits.lapse if item["kind"] == "lapse" else limits.letters


def _end(item: Json, limits: Limits) -> int:
    """How much is told of the end of an event whose words are too many: of a lapsed order, the reason stands there."""
    return limits.lapse // 2 if item["kind"] == "lapse" else 0


def _told(item: Json, limits: Limits, lost: Counter[str]) -> str:
    """What is told of an event."""
    return _short(item["told"], _letters(item, limits), lost, end=_end(item, limits))


def _remark(words: str) -> Json:
    """An action that is a remark of ours."""
    event: Json = {"kind": "tell", "what": None, "clause": None, "told": words, "known": True, "facts": {}}
    item = {**event, "fight": None, "rolls": [], "chances": []}
    return {
        "order": None,
        "headline": words,
        "fights": [],
        "dice": [],
        "answers": [],
        "whole": True,
        "of": 0,
        "items": [item],
    }


def _lapses(lapses: list[Json], limits: Limits, lost: Counter[str]) -> list[Json]:
    """The first lapsed orders."""
    lost["lapses"] += max(0, len(lapses) - limits.lapses)
    return [
        {
            **lapse,
            "order": [_short(" ".join(lapse["order"]), limits.lapse, lost)],
            "reason": _short(lapse["reason"], limits.lapse, lost),
        }
        for lapse in lapses[: limits.lapses]
    ]


def _ordered(items: list[Json], limits: Limits, lost: Counter[str]) -> list[Json]:
    """The first of a side's orders that wait, in a mail."""
    more = max(0, len(items) - limits.most)
    lost["orders"] += more
    found = [{**item, "told": _short(item["told"], limits.letters, lost)} for item in items[: limits.most]]
    told = say("... and %(what)s more, left out here.", what=_many(more, "orders"))
    return [*found, {"told": told, "odds": "", "number": 0}] if more else found


def _standing(orders: list[str], limits: Limits, lost: Counter[str]) -> list[str]:
    """The newest standing orders: of two for the same the later one counts."""
    lost["standing"] += max(0, len(orders) - limits.most)
    return [_short(order, limits.letters, lost) for order in orders[-limits.most :]]


def _planned(plans: list[Json], limits: Limits, lost: Counter[str]) -> list[Json]:
    """The first plans of a side."""
    lost["planned"] += max(0, len(plans) - limits.most)
    return [{**plan, "told": _short(plan["told"], limits.letters, lost)} for plan in plans[: limits.most]]


def _left(side: Json, limits: Limits, lost: Counter[str]) -> Json:
    """A side with the first of its orders that are left."""
    lost["left"] += max(0, len(side["orders"]) - limits.most)
    kept = [{**one, "told": _short(one["told"], limits.letters, lost)} for one in side["orders"][: limits.most]]
    return {**side, "orders": kept}


def _units(situation: Json, limits: Limits, lost: Counter[str]) -> list[Json]:
    """The first units of each side; where they make forces they all have a line with others."""
    if "forces" in situation:
        return list(situation["units"])
    found, listed = list[Json](), {where["id"] for where in situation["where"] if where["listed"]}
    for side in situation["sides"]:
        units = [unit for unit in situation["units"] if unit["side"] == side["id"]]
        found += [unit for unit in units if unit["where"] not in listed]
        units = [unit for unit in units if unit["where"] in listed]
        most = limits.units or limits.most
        lost["units"] += max(0, len(units) - most)
        found += units[:most]
    return found


def _short(words: str, letters: int, lost: Counter[str], *, end: int = 0) -> str:
    """The beginning of a long text, and so many letters of its end."""
    if len(words) <= letters:
        return words
    lost["letters"] += 1
    return f"{words[: letters - end]} ...{words[len(words) - end :]}"


# --- mails -----------------------------------------------------------------------------------------------------------


def fitted(versions: Iterable[Version], compose: Callable[[Version], bytes]) -> bytes:
    """The first version that makes a small mail, else the smallest; `compose` raises Damaged for what fits no mail."""
    refusal = Damaged("the mail has no text")
    smallest = b""
    for version in versions:
        try:
            mail = compose(version)
        except Damaged as error:
            refusal = error
            continue
        if len(mail) <= SMALL:
            return mail
        smallest = mail if not smallest else min(smallest, mail, key=len)
    if not smallest:
        raise refusal
    return smallest
