"""The mail of a turn before it is opened: what was ordered, with its odds, what surely happened, what will be asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from pbem.language import ENGLISH, clauses, language, listed, say, sentence, shown
from pbem.match.prospects import give_or_take
from pbem.match.table import BARE, Table
from pbem.report.asked import Asked, Foreseen, asked_words, foreseen
from pbem.report.build import SCREEN_LINES, build, standings
from pbem.report.fitting import MAIL, Version, cut
from pbem.report.headlines import TOPIC, goes_on, is_setup, paragraphs, roll_of
from pbem.report.layout import Json, capital, clean, count, fill, kind_words, plain, render
from pbem.report.ordered import answers_with_dice, is_counted, ordered, planned_now, replied_words
from pbem.report.put import put_here, put_words
from pbem.report.source import direction_of, report_input
from pbem.report.telling import Teller, called_by_name
from pbem.scenario import Scenario
from pbem.wire.notes import Note, render_note, tidy
from pbem.words import turn_word

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
    turns, now, turn = _asked_turns(ahead, reader), data["situation"]["turn"], teller.names.turn
    is_later = len(turns) == 1 and turns != [now]
    later = say(" You decide it in %(turn)s %(number)s.", turn=turn, number=turns[0]) if is_later else ""
    if ahead.stands is not None:
        data |= standings(put_here(dict(ahead.stands)), data["reader"], teller)
    elif ahead.moved:
        data |= {"victory": None, "progress": []}
    return {
        **data,
        "agreed": played if ahead.stands is not None else 0,
        "news": [_together(_ways(_by_formations(group, teller), teller), units) for group in data["news"]],
        "lapses": [],
        "standing": [],
        "planned": [],
        "note": render_note(Note(by, table.seq, words)) if (words := tidy(note)) else "",
        "dice": ahead.dice,
        "orders": orders,
        "falls": falls,
        "stops": [],
        "asked": clean(asked_words(table, ahead, reader, "you", say("this mail"))) + later,
        "sampled": sampled(ahead, orders, clean(answers_with_dice(table, ahead, teller)), falls, scenario.system),
        "what": _what(ahead, reader),
        "then": _when(ahead, reader),
        "answers": any(asked.player == reader for asked, _ in ahead.futures),
        "how": list(_how(table, ahead, reader)),
    }


def sampled(
    ahead: Foreseen, orders: Sequence[Json], answers: Sequence[str] = (), falls: Sequence[str] = (), system: str = ""
) -> str:
    """What the other side's answers may bring, what is taken for granted in the odds of orders, and how sure is what is
    told of futures; "" where nothing is."""
    if ahead.comes is None:
        return ""
    items = [item for found in orders for item in found["items"]]
    counted = len(ahead.futures) > 1 or any(is_counted(item["told"] + item["odds"]) for item in items)
    counted |= any(map(is_counted, (*answers, *falls)))
    told = [
        *answers,
        *(put_words(words, system) for words in (ahead.taken if ahead.comes.odds and items else ())),
        *[put_words(give_or_take(ahead.comes.played), system)] * counted,
    ]
    return _one_by_one(map(sentence, told))


def _one_by_one(sentences: Iterable[str]) -> str:
    """Sentences one behind the other."""
    return (" " if language() == ENGLISH else "").join(sentences)


def _asked_turns(ahead: Foreseen, reader: str) -> list[int]:
    """The turns in which the reader decides something when the mail is opened, the most frequent first."""
    return [*dict.fromkeys(asked.turn for asked, _ in ahead.futures if asked.player == reader and asked.decides)]


def _falls(table: Table, ahead: Foreseen, side: str, teller: Teller) -> Iterator[str]:
    """What comes when the mail is opened beside its author's orders: plans of the reader, and dice that none brings."""
    for plan in planned_now(table, side, ahead, teller):
        yield say("Of your plan: %(plan)s", plan=plan)
    played = sum(times for _, times in ahead.futures)
    often: dict[int, list[str]] = {}
    for label, times in ahead.fallen.items():
        often.setdefault(times, []).append(label)
    for times, labels in sorted(often.items(), reverse=True):
        dice = teller.dice(labels)
        if times == played:
            yield say("Dice fall for: %(dice)s", dice=dice)
        else:
            yield say(
                "Dice fall in %(times)s of %(played)s futures played out for: %(dice)s",
                times=times,
                played=played,
                dice=dice,
            )


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
        behind = " " if language() == ENGLISH else TOPIC
        for who in (f"{name} ({unit})", name):
            if told.startswith(f"{who}{behind}"):
                return who, told.removeprefix(f"{who}{behind}")
    return "", told


def _joined(key: tuple[str | None, str], alike: Sequence[Json], names: Mapping[str, str]) -> Json:
    """Events that differ in their units alone as one: `A and B each lost a step`, `A and B were killed`."""
    _, rest = key
    units = listed(_parted(item, names)[0] for item in alike)
    if language() != ENGLISH:
        return {**alike[0], "told": f"{units}{TOPIC}{rest}"}
    told = rest.replace("was ", "were ", 1) if rest.startswith("was ") else f"each {rest}"
    return {**alike[0], "told": f"{units} {told}"}


WHOSE = re.compile(r"\b(is|was|has|its|his|he|him|himself)\b(?<!^was)")
"""Words of a sentence about one unit that would be wrong of several, but for its first."""


BATTLE = "The Battle of "
"""What titles begin with that a subject leaves out."""


def subject(data: Json) -> str:
    """`Toba-Fushimi, turn 4: your melee (ben, entry 23)`; the turn is that in which that is asked."""
    title, entry, turn = data["scenario"]["title"], data["entry"], shown(turn_word(data["situation"]))
    return say(
        "%(title)s, %(turn)s %(number)s: %(what)s (%(by)s, entry %(entry)s)",
        title=title.removeprefix(BATTLE),
        turn=turn,
        number=data["then"],
        what=data["what"],
        by=entry["by"],
        entry=entry["seq"],
    )


def _what(ahead: Foreseen, reader: str) -> str:
    """What the mail is about, in two or three words."""
    kinds = [_kind(asked, reader) for asked, _ in ahead.futures]
    found = list(dict.fromkeys(kind for kind in kinds if kind))
    if found:
        return say("your %(kinds)s", kinds=listed(found[:2], "or"))
    asked, _ = ahead.futures[0]
    if asked.player is None:
        return say("the game is over")
    return say("%(player)s's %(kind)s", player=asked.player, kind=_kind(asked, asked.player))


def _when(ahead: Foreseen, reader: str) -> int:
    """The turn in which the reader decides what the mail is about, else that in which it comes."""
    own = [asked.turn for asked, _ in ahead.futures if _kind(asked, reader)]
    return [*_asked_turns(ahead, reader), *own, ahead.futures[0][0].turn][0]


def _kind(asked: Asked, player: str) -> str:
    """What is asked of a player in one future, in a word; "" for nothing."""
    if asked.player != player:
        return ""
    match asked.what:
        case "orders" | "react":
            return kind_words(TURN if asked.phase == TURN else KINDS.get(asked.kind, asked.kind))
        case "reply":
            return kind_words("answer")
        case "begin":
            return kind_words("beginning")
        case "reveal":
            return kind_words("dice")
    return ""


def _how(table: Table, ahead: Foreseen, reader: str) -> Iterator[str]:
    """How to open the mail and to answer it."""
    answers = {asked.what for asked, _ in ahead.futures if asked.player == reader}
    over = all(asked.player is None for asked, _ in ahead.futures)
    yield _one_by_one(
        [
            say("Save this mail, or its text, to a file and type `pbem open FILE`."),
            _opened(dice=ahead.dice, over=over),
            say("Nothing but the block counts; all else is for reading."),
        ]
    )
    if answers & {"orders", "react"}:
        orders = f"orders-{table.seq + 1}.txt"
        yield say("`pbem form -o %(file)s` lists what may be done then; `pbem send %(file)s` sends it.", file=orders)
    if "react" in answers:
        yield say("Several answers may go in one mail, in the order in which they will be asked.")
    if answers & set(BARE):
        yield (
            say("Where no orders are asked, `pbem send` alone sends the mail.")
            if len(answers) > 1
            else say("As no orders are asked, `pbem send` alone sends the mail.")
        )
    if "reply" in answers and table.proposal is not None:
        kind = table.proposal.kind
        yield say("`pbem %(kind)s --accept` or `pbem %(kind)s --refuse` answers the proposal.", kind=kind)


def _opened(*, dice: bool, over: bool) -> str:
    """What happens when a mail is opened."""
    if dice and over:
        return say("That checks the signed block, rolls the dice and shows the report.")
    if dice:
        return say("That checks the signed block, rolls the dice, shows the report and tells what is asked.")
    if over:
        return say("That checks the signed block and shows the report.")
    return say("That checks the signed block, shows the report and tells what is asked.")


def few_lines(data: Json) -> str:
    """A mail in a few lines, for a webmail; the block follows."""
    told = plain(say("%(subject)s. %(asked)s", subject=subject(data), asked=data["asked"]))
    note = f"{data['note']}\n\n" if data["note"] else ""
    how = say("Save this text to a file and type `pbem open FILE`; only the block counts.")
    return f"{note}{fill(told, '', '')}\n{how}\n"


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
        less = _noted(data, _left_out(out, most)) if out else data
        yield Version(mail_text(less, shown, compiled), mail_html(less, shown, block, compiled), tuple(shown))
    for limits in MAIL:
        fit = cut(less, limits)
        yield Version(mail_text(fit, (), compiled), mail_html(fit, (), block, compiled))
    no_page = say("The page beside this text is left out of this mail.")
    yield Version(mail_text(_noted(fit, no_page), (), compiled))
    no_news = say("What was ordered and what happened is left out of this mail; `pbem open` shows it.")
    told = _one_by_one([no_page, no_news])
    yield Version(mail_text(_noted({**data, "orders": [], "falls": [], "news": [], "notes": []}, told), (), compiled))


def _left_out(out: int, shown: int) -> str:
    """What is said of pictures for which there is no room."""
    told = capital(
        count(out, "more picture is", "more pictures are") if shown else count(out, "picture is", "pictures are")
    )
    return say("%(pictures)s left out for want of room: `pbem open` makes a page that shows more.", pictures=told)


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
    called = called_by_name(data["situation"]["units"])
    for group in data["news"]:
        kept = []
        for action in group["actions"]:
            if number in gone:
                moves += action["of"] * _is_move(action)
                others += action["of"] * (not _is_move(action))
            elif action["headline"] or not short:
                kept.append({**action, "items": [_in_short(action, sides_of, called)]} if short else action)
            number += 1
        news.append({**group, "actions": kept})
    left = [count(moves, "move", "moves")] if moves else []
    left += [count(others, "other event", "other events")] if others else []
    told = [say("%(events)s left out here", events=capital(listed(left)))] if left else []
    told += [say("what happened is told in short")] if short else []
    less = {**data, "news": news}
    return _noted(less, say("%(left_out)s: `pbem open` tells all.", left_out=capital(clauses(told)))) if told else less


def _in_short(action: Json, sides_of: Mapping[str, str], called: Mapping[str, str]) -> Json:
    """An action's headline and its dice."""
    dice = [
        f"[{roll_of(roll, item, sides_of, called)}: {' '.join(map(str, roll.get('dice') or roll['drawn']))}]"
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
    given = {**plain(_parted_news(data)), "note": data["note"], "pictures": len(pictures), "gap": _one_by_one(["", ""])}
    return render(data["situation"]["system"], "mail.txt.j2", given, compiled)


def mail_html(data: Json, pictures: Sequence[Drawn], block: str, compiled: Path | None = None) -> str:
    """The mail's page, with its turn block: it says all without its pictures, and without style."""
    shown = [{"cid": name, "title": title, "wide": min(_width(png), 480)} for name, title, png in pictures]
    given = {**_parted_news(data), "pictures": shown, "block": block, "gap": _one_by_one(["", ""])}
    return render(data["situation"]["system"], "mail.html.j2", given, compiled)
