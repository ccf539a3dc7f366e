"""Where the formations of a game went: at the end of each turn its leader, or who stood in its middle."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.maps.hexes import distance
from pbem.maps.map import Map
from pbem.maps.tabletop import Tabletop, table_of

__all__ = ["tracks"]

Json = dict[str, Any]

ARMY = "army leader"
"""What a situation calls who leads an army."""

NEAR = 10
"""So many hexes from where the leader of a formation was its track may go on with one of its units."""


def tracks(stood: Mapping[int, Json], maps: Mapping[str, Map], titles: Mapping[str, str]) -> list[Json]:
    """The tracks of all formations that were ever on a map or table, by side, in the order of battle.

    `stood` are situations by turn, at whose end they were, `titles` those of formations. A stand tells who stood where,
    and how many units of the formation were there to be led; there is none for a turn in which it had none. Once its
    leader is gone the unit nearest to where he was marks it; where none is within `NEAR` its track ends, and doesn't
    jump across the map to somebody who never was with him. That of an army ends with who led it: another unit of it
    is no army, and the track says that it is an `army`'s.
    """
    last = stood[max(stood)]
    sides = {side["id"]: side["title"] for side in last["sides"]}
    formations = dict.fromkeys((unit["side"], unit["formation"]) for unit in last["units"])
    found = []
    for side, formation in sorted(formations, key=lambda of: [*sides].index(of[0])):
        stands: list[Json] = []
        led: Json | None = None
        for turn, situation in sorted(stood.items()):
            if (stand := _stand(situation, side, formation, maps, led)) is not None:
                stands.append({"turn": turn, **{key: stand[key] for key in stand if key != "led_by"}})
                led = stand if stand["led_by"] or led is not None else None
        if formation and stands:
            named = {"formation": formation, "title": titles.get(formation, formation)}
            named |= {"army": True} if led is not None and led["led_by"] == ARMY else {}
            found.append({"side": side, "side_title": sides[side], **named, "stands": stands})
    shared = Counter(track["title"] for track in found)
    return [
        track | {"title": f"{track['title']}, {track['side_title']}"} if shared[track["title"]] > 1 else track
        for track in found
    ]


def _stand(situation: Json, side: str, formation: str, maps: Mapping[str, Map], led: Json | None) -> Json | None:
    """Who of a formation marks where it is: who leads it, else its middle; None where nobody of it is there.

    Behind a stand of a formation that was `led` who is nearest to that, if anybody is near.
    """
    there = [
        unit for unit in situation["units"] if (unit["side"], unit["formation"]) == (side, formation) and unit["at"]
    ]
    if not there:
        return None
    leaders = [unit for unit in there if unit.get("command")]
    if not leaders and led is not None and led["led_by"] == ARMY:
        return None
    table = table_of(situation)
    if leaders or led is None or table is not None:
        marks = leaders[0] if leaders else _middle(there, maps, table)
    elif (near := _nearest(there, maps, led["at"])) is not None:
        marks = near
    else:
        return None
    stand = {"unit": marks["id"], "name": marks["name"], "at": marks["at"], "units": len(there)}
    return stand | {"led_by": leaders[0]["command"] if leaders else ""}


def _nearest(units: Sequence[Json], maps: Mapping[str, Map], at: str) -> Json | None:
    """The unit that is nearest to a hex, the first of several; None where none is near it."""
    found = []
    for ground in maps.values():
        if (here := ground.find(at)) is not None:
            found += [(distance(here, h), unit) for unit in units if (h := ground.find(unit["at"])) is not None]
    least = min(found, key=lambda one: one[0], default=None)
    return least[1] if least is not None and least[0] <= NEAR else None


def _middle(units: Sequence[Json], maps: Mapping[str, Map], table: Tabletop | None) -> Json:
    """The unit that is nearest to all others, of those where most of them are; the first of several."""
    grounds: list[Map | Tabletop] = [*maps.values(), *([table] if table else [])]
    spread = [[(unit, at) for unit in units if (at := ground.find(unit["at"])) is not None] for ground in grounds]
    most = max(spread, key=len, default=[])
    places = [at for _, at in most]
    return min(most, key=lambda one: _far(one[1], places), default=(units[0], None))[0]


def _far(at: Any, others: Iterable[Any]) -> float:
    """How far others are from here in all: in hexes, or in a table's hundredths."""
    if isinstance(at, tuple):
        return sum(math.dist(at, other) for other in others)
    return sum(distance(at, other) for other in others)
