"""The table as a report's input and as pictures."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pbem import __version__
from pbem.crypto.hashing import canonical_json, digest
from pbem.home import cache
from pbem.language import ENGLISH, also, language, say, shown
from pbem.match.codec import dumped, loaded
from pbem.match.orders import Act, statement_of
from pbem.match.table import STEPS_MAX, Table, proposal_words
from pbem.records import NamedTuple
from pbem.report import build as report
from pbem.report.asked import AGREEMENT, begun, waits
from pbem.report.charts import charts_data
from pbem.report.layout import capital, count
from pbem.report.naming import names_for
from pbem.report.ordered import left_over, plans
from pbem.report.put import put_words
from pbem.rules.fates import DECLARED
from pbem.rules.requests import Choose
from pbem.scenario import Scenario
from pbem.wire.notes import Note
from pbem.words import per_cent, the, turn_word

if TYPE_CHECKING:
    from pbem.maps.map import Map
    from pbem.picture.scene import Picture
    from pbem.picture.svg import Printed

__all__ = [
    "Drawn",
    "crop_files",
    "crops",
    "direction_of",
    "expected",
    "in_words",
    "maps_in_words",
    "page_pictures",
    "pictures",
    "report_data",
    "report_input",
    "situation_of",
    "titled",
]

FEW = 2
"""So many pictures of a mail are sharp on screens with small pixels, too."""

WAITING_TOLD = 20
"""So many orders that wait for dice are told; of more only how many."""

OF_ORDERS = frozenset({"order", "lapse", "stop"})
"""Kinds of steps that tell what became of orders."""

PASSED_TOLD = 5
"""So many orders that were passed over, and tests by which they were, are told one by one."""

CAME_OF_IT = ("roll", "draw", "answer", "tell")
"""Kinds of steps that belong to the order before them."""

Json = dict[str, Any]


def report_data(
    table: Table,
    scenario: Scenario,
    reader: str | None,
    compiled: Path | None = None,
    beside: Iterable[Note] = (),
    since: int | None = None,
    given: Json | None = None,
) -> Json:
    """The report for a reader (a player's name, None for a neutral one) as plain JSON data.

    `compiled` is a folder for compiled templates, `beside` what the opponent wrote beside his newest entries, `since`
    the entry with which the news begin, as for `report_input`; `given` is what that gave, if it was asked before.
    """
    given = given or report_input(table, scenario, reader, since)
    return report.build(given | {"beside": [note._asdict() for note in beside]}, direction_of(table), compiled)


def report_input(
    table: Table,
    scenario: Scenario,
    reader: str | None,
    since: int | None = None,
    *,
    unread: bool = False,
    before: Json | None = None,
) -> Json:
    """What `report.build` takes, from the table: the steps from an entry on, or those that the reader learns.

    `since` is that entry: the reader's newest that is no agreement, a bare reveal, too, as he has read the dice with
    which it went out; of it only what he couldn't know when he sent it, as soon as another has come. As long as a bare
    reveal of his is the newest, they are what its dice have brought. `unread` are what came behind his newest entry,
    and the order of his that waited for its first dice then, but no order of which nothing has come yet. `before` is
    what was given of the same table: what is the same in both is told once.
    """
    situation: Json = before["situation"] if before else situation_of(table)
    titles = {side["id"]: side["title"] for side in situation["sides"]}
    kind, by = table.newest
    sent = since is None
    if since is None or not reader:
        since = table.played[reader] if reader else max(0, table.seq - 1)
    revealed = table.course.decided if (kind, by, since) == ("reveal", reader, table.seq) else None
    since = since if revealed is None else revealed[0]
    steps = [step for step in table.steps if step["seq"] >= since]
    if reader and table.seq > since and revealed is None:
        steps = [*_behind_own(steps, reader, table.genesis.player(reader).side, sent=sent)]
    if unread and reader is not None:
        first = [id(step) for step in begun(table)]
        new = table.unread(reader)
        told = _goes_on(table.steps[: len(table.steps) - len(new)], new, table.rules.CLOSING)
        steps = [step for step in told if id(step) not in first]
    return {
        "game": table.genesis.game.hex(),
        "scenario": {
            "id": scenario.id,
            "title": scenario.title,
            "system": scenario.system,
            "date": scenario.data["scenario"].get("date", ""),
        },
        "edition": table.rules.EDITION,
        "options": dict(table.genesis.terms.options),
        "players": [
            {"name": p.name, "side": p.side, "side_title": titles.get(p.side, p.side)} for p in table.genesis.players
        ],
        "reader": reader,
        "entry": {"seq": table.seq, "hash": table.head.hex(), "kind": kind, "by": by},
        "since": since,
        "steps": [expected(table, step) for step in steps[-STEPS_MAX:]],
        "situation": situation,
        "formations": dict(scenario.data["scenario"].get("formations", {})),
        "good": dict(table.rules.GOOD),
        "japanese": before["japanese"] if before else names_for(scenario.system),
        "charts": before["charts"] if before else charts_data(scenario.data["tables"]),
        "fallen": table.course.luck,
        "due": _due(table)
        | {"several": not unread and bool(reader) and table.due().player == reader and _several(table)},
        "standing": _standing(table) if table.rules.STANDING else None,
        "left": {} if waits(table) else {side: left_over(table, side) for side in sorted(table.course.queues)},
        "plans": {side: plans(table, side) for side in sorted(table.course.plans)},
        "head": table.head.hex(),
        "notes": [
            *([_only_newest(since)] if len(steps) > STEPS_MAX else []),
            *([] if unread else _waiting(table, titles, scenario.system)),
            *_used_up(table, reader),
            *(_passed_over(table, reader, None if unread else since, situation) if reader else ()),
        ],
    }


def situation_of(table: Table) -> Json:
    """How a table stands, with the outcome on which its players have settled."""
    found: Json = table.rules.situation(table.game.state)
    if table.settled is not None:
        found["outcome"], found["active"] = table.settled._asdict(), None
    return found


def _goes_on(before: Sequence[Json], new: list[Json], closing: str) -> list[Json]:
    """New steps; where they begin with what came of an order before, with that and what was told up to its dice."""
    if not new or new[0]["kind"] not in CAME_OF_IT or new[0].get("what") in ("phase", AGREEMENT):
        return new
    told = [*takewhile(lambda step: step["kind"] == "tell" and step["what"] != AGREEMENT, reversed(before))]
    order = before[: len(before) - len(told)][-1:]
    declared = any(step["what"] == DECLARED for step in told)
    if declared or not order or order[0]["kind"] != "order" or order[0]["words"] == [closing]:
        return new
    return [*order, *reversed(told), *new]


def _behind_own(steps: list[Json], reader: str, side: str, *, sent: bool) -> Iterator[Json]:
    """The steps without those that the reader knew when he sent his entry: his set-ups, moves and notes of its phase.

    They end with the first die, and with what the other side does; what came of an order behind that is told whole.
    Where nothing is `sent`, as against a bot, his moves are news that he reads with its answer.
    """
    own = len([*takewhile(lambda step: _knows(step, steps[0], side), steps)])
    goes_on = any(step["kind"] in CAME_OF_IT and step.get("what") != "phase" for step in steps[own : own + 1])
    orders = [place for place, step in enumerate(steps[:own]) if step["kind"] == "order"]
    known = orders[-1] if goes_on and orders else own
    done = {step["what"] for step in steps[:known] if step["kind"] == "tell"} - {"phase"}
    if not (done if sent else "setup" in done):
        known = 0
    for place, step in enumerate(steps):
        note = step["kind"] == "say" and step["player"] == reader
        if not (note or place < known) or step["kind"] == "lapse":
            yield step


def _knows(step: Json, first: Json, side: str) -> bool:
    """Whether a side's own entry, which begins with this first step, surely brings that one: no die, no other side."""
    same = all(step[key] == first[key] for key in ("seq", "turn", "phase"))
    return same and step["kind"] not in ("roll", "draw") and step.get("side", side) == side


def _standing(table: Table) -> dict[str, list[str]]:
    """Side -> its standing orders in force."""
    return {
        side: [" ".join(words) for words in table.rules.in_force(table.game.state, orders)]
        for side, orders in sorted(table.course.standing.items())
    }


def expected(table: Table, step: Json) -> Json:
    """A step; with an event goes what its dice could have brought, each with its chance."""
    found = table.rules.chances(table.board, step["what"], step["facts"]) if step["kind"] == "tell" else {}
    shares = [(what, float(share)) for what, share in found.items()]
    told = [{"what": what, "share": round(share, 4), "per_cent": per_cent(share, 1)} for what, share in shares]
    return {**step, "chances": told} if told else step


def _due(table: Table) -> Json:
    """What the game waits for."""
    due = table.due()
    request = due.request or table.game.request
    asked = request if isinstance(request, Choose) and due.what in ("orders", "react") else None
    return {
        "player": due.player,
        "side": table.genesis.player(due.player).side if due.player else None,
        "what": due.what,
        "kind": asked.kind if asked else None,
        "prompt": asked.prompt if asked else proposal_words(table),
        "clause": asked.clause if asked else "",
        "about": list(asked.about) if asked else [],
        "rolled": bool(table.course.labels),
        "sure": due.what != "reveal" or not waits(table),
    }


def _several(table: Table) -> bool:
    """Whether the side that is asked a question in the other's orders may be asked once more in them."""
    asked = table.game.request
    if not isinstance(asked, Choose) or not asked.reaction:
        return False
    from pbem.match.heeded import asked_again  # mostly no question is asked

    return asked_again(table)


def _only_newest(since: int) -> str:
    """What a report says that doesn't tell all."""
    return say(
        "Only the newest %(number)s steps since entry %(entry)s are told; `pbem report --entry %(first)s` and so on "
        "show what came first.",
        number=f"{STEPS_MAX:,}",
        entry=since,
        first=since + 1,
    )


def _waiting(table: Table, titles: Mapping[str, str], system: str) -> Iterator[str]:
    """What is said of orders behind the one whose dice aren't known yet, in its entry's words; `titles` by side."""
    for side, queue in sorted(table.course.queues.items()) if waits(table) else ():
        acts = [part for _, part in queue if isinstance(part, Act) and part.words != (table.rules.CLOSING,)]
        said = [f"`{str(statement_of(act)).removesuffix(';')}`" for act in acts]
        if said:
            who = capital(put_words(the(titles[side]), system))
            orders = _first(said, WAITING_TOLD)
            yield say("%(side)s ordered, too, what waits for those dice: %(orders)s.", side=who, orders=orders)


def _first(told: Sequence[str], most: int) -> str:
    """The first of several things, and how many more there are."""
    first = also(told[:most])
    if len(told) <= most:
        return first
    return say("%(first)s and %(number)s more", first=first, number=len(told) - most)


def _used_up(table: Table, reader: str | None) -> Iterator[str]:
    """That a reader is asked because nothing is left of the several orders that he gave, where nothing dropped them."""
    due = table.due()
    if reader is None or due.player != reader or due.what != "orders" or due.request is None:
        return
    course, side = table.course, due.request.side
    own = (step for step in reversed(table.steps) if step.get("side") == side and step["kind"] in OF_ORDERS)
    newest = next(own, None)
    used_up = course.laid.get(side) == due.request.window and not course.queues[side]
    if used_up and newest is not None and newest["kind"] != "stop" and newest["number"] > 1:
        yield say("All that you ordered for now is used up, so you are asked anew.")


def _passed_over(table: Table, reader: str, since: int | None, situation: Json) -> Iterator[str]:
    """Which of the reader's orders were passed over since an entry, and by which test, those by one test together; of
    another phase than that in which the game is, in which it was.

    None: those of which he learns from what came behind his newest entry.
    """
    side, learnt = table.genesis.player(reader).side, table.known[reader]
    found = [one for one in table.course.passed if one.side == side]
    found = [one for one in found if (one.noted >= learnt if since is None else one.seq >= since)]
    by_test: dict[tuple[tuple[int, str], str], Counter[str]] = {}
    for one in found:
        by_test.setdefault((one.when, one.test), Counter())[one.order] += 1
    now, titles = table.rules.clock(table.game.state), {phase["id"]: phase["title"] for phase in situation["phases"]}
    for (when, test), orders in [*by_test.items()][:PASSED_TOLD]:
        told = [_times(order, n) for order, n in orders.items()]
        first = _first(told, PASSED_TOLD)
        if when == now:
            yield say("Passed over, as `%(test)s` didn't hold when its turn came: %(orders)s.", test=test, orders=first)
            continue
        turn, phase = when
        yield say(
            "Passed over in %(turn)s %(number)s, %(phase)s, as `%(test)s` didn't hold when its turn came: %(orders)s.",
            turn=shown(turn_word(situation)),
            number=turn,
            phase=shown(titles.get(phase, phase)),
            test=test,
            orders=first,
        )
    if len(by_test) > PASSED_TOLD:
        yield say("More was passed over, by %(number)s other tests.", number=len(by_test) - PASSED_TOLD)


def _times(order: str, number: int) -> str:
    """An order, with how often it is meant if that is more than once."""
    if number == 1:
        return f"`{order}`"
    return say("`%(order)s` %(times)s", order=order, times=count(number, "time", "times"))


def direction_of(table: Table) -> Callable[[str, str], str] | None:
    """The word for the way between two adjacent hexes, given their numbers; None without a map."""
    maps = list(table.rules.maps(table.board).values())
    if not maps:
        return None

    def direction(a: str, b: str) -> str:
        for chart in maps:
            cells = chart.numbering.cell(a), chart.numbering.cell(b)
            if cells[0] is not None and cells[1] is not None:
                return chart.direction(chart.numbering.hex_at(cells[0]), chart.numbering.hex_at(cells[1]))
        return ""

    return direction


def pictures(
    table: Table,
    scenario: Scenario,
    reader: str | None = None,
    kept: Path | None = None,
    *,
    reach: Sequence[str] = (),
    since: int | None = None,
) -> list[Picture]:
    """Every map of the game, or its table, with its units, and the moves and fights that the reader's report tells.

    None for a game without either. `kept` is a folder that keeps the ground of maps, `reach` are units on a table of
    which is drawn how far they fire and move, `since` is as for `report_input`.
    """
    from pbem.picture.scene import draw

    return draw(*_drawable(table, report_input(table, scenario, reader, since), scenario, kept), reach=reach)


def crops(
    table: Table,
    scenario: Scenario,
    reader: str | None = None,
    kept: Path | None = None,
    *,
    windows: bool = False,
    since: int | None = None,
) -> list[Picture]:
    """The parts of the maps where something happened that the reader's report tells, fights numbered as in it; a key.

    `kept` is a folder that keeps the ground of maps; `windows` show parts of the whole maps of one page, which tells
    their titles as text, `since` is as for `report_input`.
    """
    from pbem.picture.scene import crops

    given = report_input(table, scenario, reader, since)
    return crops(*_drawable(table, given, scenario, kept), windows=windows, headed=not windows)


def page_pictures(
    table: Table, scenario: Scenario, given: Json, kept: Path | None = None
) -> tuple[list[Picture], list[Picture]]:
    """What `pictures` and `crops`, as windows, give of a report's input, each map laid out once for both."""
    from pbem.picture.scene import drawn_parts, drawn_whole, sheets_of

    sheets = sheets_of(*_drawable(table, given, scenario, kept))
    return drawn_whole(sheets, in_words(given, scenario)), drawn_parts(sheets, windows=True, headed=False)


def crop_files(
    table: Table, scenario: Scenario, reader: str, room: int, kept: Path | None = None
) -> tuple[list[tuple[str, str, bytes]], int]:
    """Those of what the mail of the newest entry tells as PNG, each with its name and title; how many are left out.

    The first ones, of `room` bytes together, the map at a glance second; of many each is smaller. Raises Refused
    without the extra.
    """
    from pbem.picture.png import png
    from pbem.picture.scene import AT_A_GLANCE, crops

    drawable = _drawable(table, report_input(table, scenario, reader, unread=True), scenario, kept)
    parts = crops(*drawable, headed=False, mailed=True)
    parts[1:] = sorted(parts[1:], key=lambda part: not part.name.endswith(AT_A_GLANCE))
    found: list[tuple[str, str, bytes]] = []
    for part in parts:
        picture = png(part.svg, part.zoom if len(parts) <= FEW else min(part.zoom, 1.0))
        room -= len(picture)
        if room < 0:
            break
        found.append((part.name, part.title, picture))
    return found, len(parts) - len(found)


def _drawable(
    table: Table, data: Json, scenario: Scenario, kept: Path | None
) -> tuple[Mapping[str, Map], Json, dict[str, str], Callable[[Map], Printed], Drawn]:
    """What pictures are drawn of: maps, a report's input, titles of formations, and what is kept of those before."""
    data, formations, drawn = in_words(data, scenario), titled(scenario), Drawn(scenario.id, scenario.digest, kept)
    return maps_in_words(table.rules.maps(table.board), scenario), data, formations, drawn.ground, drawn


def maps_in_words(maps: Mapping[str, Map], scenario: Scenario) -> Mapping[str, Map]:
    """The maps of a scenario, with their names in the language in force."""
    if language() == ENGLISH:
        return maps
    from pbem.report.put import map_in_words

    names = names_for(scenario.system)
    return {name: map_in_words(chart, names) for name, chart in maps.items()}


def in_words(data: Json, scenario: Scenario) -> Json:
    """What pictures are drawn of, with its words in the language in force; in English it is the same."""
    if language() == ENGLISH:
        return data
    from pbem.report.put import drawn

    return {**data, "situation": drawn(data["situation"], names_for(scenario.system))}


def titled(scenario: Scenario) -> dict[str, str]:
    """The titles of a scenario's formations in the language in force."""
    found = dict(scenario.data["scenario"].get("formations", {}))
    if language() == ENGLISH:
        return found
    names = names_for(scenario.system)
    return {formation: shown(title, names) for formation, title in found.items()}


class Drawn(NamedTuple):
    """What is drawn alike in all pictures of a scenario, kept in a folder; without one all is drawn anew."""

    scenario: str
    digest: str
    folder: Path | None

    def __call__(self, name: str, key: str, work: Callable[[], Any], /) -> Any:
        """What was kept under a name and key, else what the work gives; it is kept then."""
        if self.folder is None:
            return work()
        file = self.folder / f"{self.scenario}-{name}.drawn"
        told = [] if language() == ENGLISH else [language()]
        sealed = digest("pbem-drawn/2", canonical_json([__version__, sys.version, self.digest, name, key, *told]))
        data = cache.recall_marshalled(file, sealed)
        if data is None:
            data = work()
            cache.keep_marshalled(file, sealed, data)
        return data

    def ground(self, chart: Map) -> Printed:
        """The ground of a map."""
        from pbem.picture.svg import Printed, ground

        with suppress(ValueError):
            return cast(Printed, loaded(Printed, self(chart.name, "ground", lambda: dumped(ground(chart)))))
        return ground(chart)
