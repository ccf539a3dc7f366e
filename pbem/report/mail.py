"""The mail of a turn before it is opened: what was ordered, with its odds, what surely happened, what will be asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from pbem.match.prospects import give_or_take
from pbem.match.table import BARE, Table
from pbem.report.asked import Asked, Foreseen, asked_words, foreseen
from pbem.report.build import SCREEN_LINES, build, standings
from pbem.report.fitting import MAIL, Version, cut
from pbem.report.headlines import goes_on, is_setup, paragraphs, roll_of
from pbem.report.layout import Json, capital, clean, count, fill, plain, render
from pbem.report.ordered import COUNTED, answers_with_dice, ordered, planned_now, replied_words
from pbem.report.source import direction_of, report_input
from pbem.report.telling import Teller
from pbem.scenario import Scenario
from pbem.wire.notes import Note, render_note, tidy
from pbem.words import listed, turn_word

__all__ = ["Drawn", "few_lines", "mail_data", "mail_html", "mail_text", "sampled", "subject", "versions"]

KINDS = {
    "setup": "set-up",
    "displace": "answer to a displacement",
    "advance": "advance after combat",
    "beside": "units beside the map",
    "defence": "defensive fire",
}
"""What is asked, by its kind -> in the words of a player, where these are others."""

TURN = "turn"
"""The phase for all steps of which a side gives its orders at once, whichever of them it is asked first."""

_NO_PAGE = "The page beside this text is left out of this mail."

Drawn = tuple[str, str, bytes]
"""A picture: its name, title, and PNG."""


def mail_data(table: Table, scenario: Scenario, reader: str, note: str = "", compiled: Path | None = None) -> Json:
    """What the mail of the newest entry tells its reader, as plain JSON data; all strings in it are cleaned.

    It is made from what its author knows: of orders that wait for dice the odds, of no die how it will fall.
    """
    data = build(report_input(table, scenario, reader, unread=True), direction_of(table), compiled)
    ahead = foreseen(table, plans=True)
    teller = Teller(data["situation"], direction_of(table), compiled)
    units = data["situation"]["units"]
    _, by = table.newest
    sides = [table.genesis.player(name).side for name in (by, table.genesis.other(by).name)]
    orders = [found for side in sides if (found := clean(ordered(table, side, ahead, teller)))["items"]]
    played = sum(times for _, times in ahead.futures)
    replies = replied_words(table, ahead.replies, played, reader, "your", teller) if ahead.dice else ()
    falls = clean([*map(capital, replies), *_falls(table, ahead, sides[1], teller)])
    turns, now = _asked_turns(ahead, reader), data["situation"]["turn"]
    later = (
        f" You decide it in {turn_word(data['situation'])} {turns[0]}." if len(turns) == 1 and turns != [now] else ""
    )
    if ahead.stands is not None:
        data |= standings(ahead.stands, data["reader"], teller)
    elif ahead.moved:
        data |= {"victory": None, "progress": []}
    return {
        **data,
        "agreed": f", in all of {played} {COUNTED}" if ahead.stands is not None else "",
        "news": [_together(_ways(_by_formations(group, teller), teller), units) for group in data["news"]],
        "lapses": [],
        "standing": [],
        "planned": [],
        "note": render_note(Note(by, table.seq, words)) if (words := tidy(note)) else "",
        "dice": ahead.dice,
        "orders": orders,
        "falls": falls,
        "stops": [],
        "asked": clean(asked_words(table, ahead, reader, "you", "this mail")) + later,
        "sampled": sampled(ahead, orders, clean(answers_with_dice(table, ahead, teller)), falls),
        "what": _what(ahead, reader),
        "then": _when(ahead, reader),
        "answers": any(asked.player == reader for asked, _ in ahead.futures),
        "how": list(_how(table, ahead, reader)),
    }


def sampled(ahead: Foreseen, orders: Sequence[Json], answers: Sequence[str] = (), falls: Sequence[str] = ()) -> str:
    """What the other side's answers may bring, what is taken for granted in the odds of orders, and how sure is what is
    told of futures; "" where nothing is."""
    if ahead.comes is None:
        return ""
    items = [item for found in orders for item in found["items"]]
    counted = len(ahead.futures) > 1 or any(COUNTED in item["told"] + item["odds"] for item in items)
    counted |= any(COUNTED in words for words in (*answers, *falls))
    told = [
        *answers,
        *(ahead.taken if ahead.comes.odds and items else ()),
        *[give_or_take(ahead.comes.played)] * counted,
    ]
    return " ".join(f"{capital(sentence)}." for sentence in told)


def _asked_turns(ahead: Foreseen, reader: str) -> list[int]:
    """The turns in which the reader decides something when the mail is opened, the most frequent first."""
    return [*dict.fromkeys(asked.turn for asked, _ in ahead.futures if asked.player == reader and asked.decides)]


def _falls(table: Table, ahead: Foreseen, side: str, teller: Teller) -> Iterator[str]:
    """What comes when the mail is opened beside its author's orders: plans of the reader, and dice that none brings."""
    for plan in planned_now(table, side, ahead, teller):
        yield f"Of your plan: {plan}"
    played = sum(times for _, times in ahead.futures)
    often: dict[int, list[str]] = {}
    for label, times in ahead.fallen.items():
        often.setdefault(times, []).append(label)
    for times, labels in sorted(often.items(), reverse=True):
        share = f" in {times} of {played} {COUNTED}" if times < played else ""
        yield f"Dice fall{share} for: {teller.dice(labels)}"


def _by_formations(group: Json, teller: Teller) -> Json:
    """A group of news with its set-ups, and with moves over a table that are alike, in one line a formation."""
    actions = []
    for action in group["actions"]:
        whole = teller.names.on_table and action["whole"] and action["items"][0]["kind"] == "tell"
        if not is_setup(action) and not whole:
            actions.append(action)
        elif action["headline"]:
            actions.append({**action, "items": [{**action["items"][0], "told": action["headline"]}]})
    return {**group, "actions": actions}


def _ways(group: Json, teller: Teller) -> Json:
    """A group of news in which a retreat that is told hex by hex, with nothing between, is one sentence."""
    actions = []
    for action in group["actions"]:
        items: list[Json] = []
        for item in action["items"]:
            if items and goes_on(items[-1], item):
                items[-1] = _joined_way(items[-1], item, teller)
            else:
                items.append(item)
        actions.append({**action, "items": items})
    return {**group, "actions": actions}


def _joined_way(before: Json, item: Json, teller: Teller) -> Json:
    """Two events of one retreat as one; the unit is called as in the first of them."""
    facts = before["facts"]
    path = [*facts.get("path", [facts["to"]]), item["facts"]["to"]]
    facts = {**facts, "to": path[-1], "path": path}
    known = teller.names.mentioned()
    named = f"({facts['unit']})" in before["told"]
    teller.names.forget(but=() if named else [facts["unit"]])
    told, _ = teller.tell({"kind": "tell", "what": item["what"], "facts": facts})
    teller.names.forget(but=known)
    return {**before, "facts": facts, "told": told}


def _together(group: Json, units: Sequence[Json]) -> Json:
    """A group of news in which events that follow each other and are told alike, but for the unit, are one sentence."""
    names = {unit["id"]: unit["name"] for unit in units if not unit.get("several")}
    actions = []
    for action in group["actions"]:
        items: list[Json] = []
        for (key, alone), found in groupby(enumerate(action["items"]), lambda one: _alike(one[1], names, one[0])):
            alike = [item for _, item in found]
            items += [_joined(key, alike, names)] if len(alike) > 1 and not alone else alike
        actions.append({**action, "items": items})
    return {**group, "actions": actions}


def _alike(item: Json, names: Mapping[str, str], number: int) -> tuple[tuple[str | None, str], int]:
    """What is told of a unit behind its name, and 0; the number of the item, from 1, where it is told by itself."""
    who, rest = _parted(item, names)
    return ((item["what"], rest), 0) if who and not WHOSE.search(rest) else ((item["what"], ""), number + 1)


def _parted(item: Json, names: Mapping[str, str]) -> tuple[str, str]:
    """`Fuwa Katsumitsu (sb-04)`, `lost a step at Gifu (5313).`; "" and the whole where it begins with no unit."""
    unit = item["facts"].get("unit")
    told, name = item["told"], names.get(unit, "")
    if item["kind"] == "tell" and name and not item["rolls"] and not item["fight"]:
        for who in (f"{name} ({unit})", name):
            if told.startswith(f"{who} "):
                return who, told.removeprefix(f"{who} ")
    return "", told


def _joined(key: tuple[str | None, str], alike: Sequence[Json], names: Mapping[str, str]) -> Json:
    """Events that differ in their units alone as one: `A and B each lost a step`, `A and B were killed`."""
    _, rest = key
    told = rest.replace("was ", "were ", 1) if rest.startswith("was ") else f"each {rest}"
    return {**alike[0], "told": f"{listed(_parted(item, names)[0] for item in alike)} {told}"}


WHOSE = re.compile(r"\b(is|was|has|its|his|he|him|himself)\b(?<!^was)")
"""Words of a sentence about one unit that would be wrong of several, but for its first."""


BATTLE = "The Battle of "
"""What titles begin with that a subject leaves out."""


def subject(data: Json) -> str:
    """`Toba-Fushimi, turn 4: your melee (ben, entry 23)`; the turn is that in which that is asked."""
    title, turn, entry = data["scenario"]["title"].removeprefix(BATTLE), data["then"], data["entry"]
    return f"{title}, {turn_word(data['situation'])} {turn}: {data['what']} ({entry['by']}, entry {entry['seq']})"


def _what(ahead: Foreseen, reader: str) -> str:
    """What the mail is about, in two or three words."""
    kinds = [_kind(asked, reader) for asked, _ in ahead.futures]
    found = list(dict.fromkeys(kind for kind in kinds if kind))
    if found:
        return f"your {' or '.join(found[:2])}"
    asked, _ = ahead.futures[0]
    return f"{asked.player}'s {_kind(asked, asked.player)}" if asked.player is not None else "the game is over"


def _when(ahead: Foreseen, reader: str) -> int:
    """The turn in which the reader decides what the mail is about, else that in which it comes."""
    own = [asked.turn for asked, _ in ahead.futures if _kind(asked, reader)]
    return [*_asked_turns(ahead, reader), *own, ahead.futures[0][0].turn][0]


def _kind(asked: Asked, player: str) -> str:
    """What is asked of a player in one future, in a word; "" for nothing."""
    if asked.player != player:
        return ""
    kind = TURN if asked.phase == TURN else KINDS.get(asked.kind, asked.kind)
    words = {"orders": kind, "react": kind, "reply": "answer", "begin": "beginning", "reveal": "dice"}
    return words.get(asked.what, "")


def _how(table: Table, ahead: Foreseen, reader: str) -> Iterator[str]:
    """How to open the mail and to answer it."""
    answers = {asked.what for asked, _ in ahead.futures if asked.player == reader}
    does = ["checks the signed block", "rolls the dice", "shows the report", "tells what is asked"]
    over = all(asked.player is None for asked, _ in ahead.futures)
    yield (
        "Save this mail, or its text, to a file and type `pbem open FILE`. That "
        f"{listed([does[0], *does[1:2] * ahead.dice, does[2], *does[3:] * (not over)])}. Nothing but the block counts; "
        "all else is for reading."
    )
    if answers & {"orders", "react"}:
        orders = f"orders-{table.seq + 1}.txt"
        yield f"`pbem form -o {orders}` lists what may be done then; `pbem send {orders}` sends it."
    if "react" in answers:
        yield "Several answers may go in one mail, in the order in which they will be asked."
    if answers & set(BARE):
        yield f"{'Where' if len(answers) > 1 else 'As'} no orders are asked, `pbem send` alone sends the mail."
    if "reply" in answers and table.proposal is not None:
        kind = table.proposal.kind
        yield f"`pbem {kind} --accept` or `pbem {kind} --refuse` answers the proposal."


def few_lines(data: Json) -> str:
    """A mail in a few lines, for a webmail; the block follows."""
    told = plain(f"{subject(data)}. {data['asked']}")
    note = f"{data['note']}\n\n" if data["note"] else ""
    return f"{note}{fill(told, '', '')}\nSave this text to a file and type `pbem open FILE`; only the block counts.\n"


# --- the mail --------------------------------------------------------------------------------------------------------


def versions(
    data: Json, pictures: Sequence[Drawn], block: str, compiled: Path | None = None, left: int = 0
) -> Iterator[Version]:
    """What the mail of a turn may say, from all of it with its pictures to a few lines; made one by one.

    `data` is that of `mail_data`, `block` the turn, `left` how many pictures are left out already. A reveal, in which
    nobody has decided anything, has one screen of text.
    """
    data = _one_screen(data, compiled) if data["entry"]["kind"] in BARE else data
    less = data
    for most in _fewer(len(pictures)):
        shown, out = pictures[:most], left + len(pictures) - most
        less = _noted(data, f"{_left_out(out, most)}: `pbem open` makes a page that shows more.") if out else data
        yield Version(mail_text(less, shown, compiled), mail_html(less, shown, block, compiled), tuple(shown))
    for limits in MAIL:
        fit = cut(less, limits)
        yield Version(mail_text(fit, (), compiled), mail_html(fit, (), block, compiled))
    yield Version(mail_text(_noted(fit, _NO_PAGE), (), compiled))
    told = f"{_NO_PAGE} What was ordered and what happened is left out of this mail; `pbem open` shows it."
    yield Version(mail_text(_noted({**data, "orders": [], "falls": [], "news": [], "notes": []}, told), (), compiled))


def _left_out(out: int, shown: int) -> str:
    """What is said of pictures for which there is no room."""
    more = "more " if shown else ""
    told = count(out, f"{more}picture is", f"{more}pictures are")
    return f"{capital(told)} left out for want of room"


def _one_screen(data: Json, compiled: Path | None) -> Json:
    """The data with as much of the news as a screen holds, and a note of what is left out.

    That a plan was dropped, and why, comes before all. First the oldest moves go, then all is told in short, then other
    events without dice go. What dice brought stays, even where it takes more than a screen: it is what the mail is for.
    """
    data = _stops_first({**data, "victory": None, "progress": []})
    actions = [action for group in data["news"] for action in group["actions"]]
    moves = [number for number, action in enumerate(actions) if _is_move(action)]
    bare = [number for number, action in enumerate(actions) if action["headline"] and not action["dice"]]
    others = [number for number in bare if number not in moves]
    most, all_ = len(moves), len(moves) + len(others)
    least = max(0, len(actions) - SCREEN_LINES)  # each has a line of its own
    ways = [(False, n) for n in range(min(least, most), most + 1)] + [
        (True, n) for n in range(min(least, all_), all_ + 1)
    ]
    for short, gone in ways:
        shown = _told_less(data, {*[*moves, *others][:gone]}, short=short)
        if mail_text(shown, (), compiled).count("\n") <= SCREEN_LINES:
            break
    return shown


def _stops_first(data: Json) -> Json:
    """The data with what tells that a plan was dropped, and by which test, before all else in place of in the news."""
    stops, news = [], []
    for group in data["news"]:
        actions = []
        for action in group["actions"]:
            dropped = [item["told"] for item in action["items"] if item["kind"] == "stop"]
            stops += dropped
            if not dropped:
                actions.append(action)
            elif items := [item for item in action["items"] if item["kind"] != "stop"]:
                headline = " ".join(item["told"] for item in items)
                actions.append({**action, "headline": headline, "items": items})
        news.append({**group, "actions": actions})
    return {**data, "stops": stops, "news": news}


def _is_move(action: Json) -> bool:
    return all(item["what"] == "move" and not item["rolls"] for item in action["items"])


def _told_less(data: Json, gone: set[int], *, short: bool) -> Json:
    """The data without the actions of these numbers; the others perhaps in short."""
    news, number, moves, others = [], 0, 0, 0
    sides_of = {unit["id"]: unit["side"] for unit in data["situation"]["units"]}
    for group in data["news"]:
        kept = []
        for action in group["actions"]:
            if number in gone:
                moves += action["of"] * _is_move(action)
                others += action["of"] * (not _is_move(action))
            elif action["headline"] or not short:
                kept.append({**action, "items": [_in_short(action, sides_of)]} if short else action)
            number += 1
        news.append({**group, "actions": kept})
    left = [count(moves, "move", "moves")] if moves else []
    left += [count(others, "other event", "other events")] if others else []
    told = [f"{capital(listed(left))} left out here"] if left else []
    told += ["what happened is told in short"] if short else []
    shown = {**data, "news": news}
    return _noted(shown, f"{capital('; '.join(told))}: `pbem open` tells all.") if told else shown


def _in_short(action: Json, sides_of: Mapping[str, str]) -> Json:
    """An action's headline and its dice."""
    dice = [
        f"[{roll_of(roll, item, sides_of)}: {' '.join(map(str, roll.get('dice') or roll['drawn']))}]"
        for item in action["items"]
        for roll in item["rolls"]
    ]
    return {"told": " ".join([action["headline"], *dice])}


def _fewer(most: int) -> Iterator[int]:
    """So many pictures, then about two thirds of them, and so on down to none."""
    while most:
        yield most
        most = most * 2 // 3
    yield 0


def _width(png: bytes) -> int:
    """Pixels of a PNG from side to side (PNG 11.2.2)."""
    return int.from_bytes(png[16:20], "big")


def _noted(data: Json, words: str) -> Json:
    return {**data, "notes": [*data["notes"], words]}


def _parted_news(data: Json) -> Json:
    """The data with the events of each action in paragraphs."""
    news = []
    for group in data["news"]:
        actions = [{**action, "paragraphs": paragraphs(action["items"])} for action in group["actions"]]
        news.append({**group, "actions": actions})
    return {**data, "news": news}


def mail_text(data: Json, pictures: Sequence[Drawn] = (), compiled: Path | None = None) -> str:
    """The mail's text, without the turn block: ASCII of at most WIDTH columns, but for a note, which is as it is."""
    given = {**plain(_parted_news(data)), "note": data["note"], "pictures": len(pictures)}
    return render(data["situation"]["system"], "mail.txt.j2", given, compiled)


def mail_html(data: Json, pictures: Sequence[Drawn], block: str, compiled: Path | None = None) -> str:
    """The mail's page, with its turn block: it says all without its pictures, and without style."""
    shown = [{"cid": name, "title": title, "wide": min(_width(png), 480)} for name, title, png in pictures]
    given = {**_parted_news(data), "pictures": shown, "block": block}
    return render(data["situation"]["system"], "mail.html.j2", given, compiled)
