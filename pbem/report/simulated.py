"""What many games of bots come to, told: as text, as Markdown, as a table of the games (CSV), and as a page."""

from __future__ import annotations

import csv
import html
import io
import re
import shlex
from collections.abc import Iterable
from typing import Any

from pbem.language import ENGLISH, also, clauses, language, say, sentences
from pbem.report.charts import Chart, padded
from pbem.report.layout import Json, render
from pbem.report.page import blocks, folded, laid_out
from pbem.report.put import put_summary
from pbem.rules import rules_of
from pbem.scenario import japanese_names
from pbem.words import per_cent

__all__ = ["COLUMNS", "command", "markdown", "page", "table", "text"]

COLUMNS = ("game", "winner", "clause", "turns", "mails", "orders")
"""Of the table of games; behind them stand the losses of each side."""

PAGE = 120
"""Columns of a page in Markdown."""

PLAIN = ("scenario", "chosen", "played")
"""What of the data is in code alone, or checked, or not in the page."""

LOOKS = ("one", "two", "none")
"""How the sides and draws are coloured on the page."""


def text(data: Json, width: int) -> str:
    """The summary (pbem.simulate.summary) for the eye, folded to so many columns."""
    return laid_out(blocks(_part(_put(data))), width)


def markdown(data: Json) -> str:
    """The summary as a part of a page in Markdown, with the command that makes it anew; no title is more than words."""
    return _part({name: told if name in PLAIN else _words(told) for name, told in _put(data).items()})


def _put(data: Json) -> Json:
    """The summary with its words in the language in force; in English it is the same one."""
    return data if language() == ENGLISH else put_summary(data, japanese_names(data["system"]))


def _words(value: Any) -> Any:
    """JSON data with every string such that Markdown shows it as it is."""
    if isinstance(value, str):
        return re.sub(r"[\\`*\[]", r"\\\g<0>", html.escape(value, quote=False))
    if isinstance(value, dict):
        return {name: _words(item) for name, item in value.items()}
    return [_words(item) for item in value] if isinstance(value, list) else value


def _part(data: Json) -> str:
    tables = (padded(chart) for chart in _charts(data))
    return "\n\n".join([f"### {_headline(data)}", folded(_facts(data), PAGE), *tables, f"    {command(data)}"]) + "\n"


def table(data: Json) -> str:
    """A line for each game, as CSV."""
    file = io.StringIO()
    sides = [side["id"] for side in data["sides"]]
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow([*COLUMNS, *(f"lost-{side}" for side in sides)])
    for game in data["played"]:
        told = [game["number"], game["winner"] or "", *(game[name] for name in COLUMNS[2:])]
        rows.writerow([*told, *(sum(game["lost"][side]) for side in sides)])
    return file.getvalue()


def page(data: Json) -> str:
    """A page with pictures of how wins, length, mails and losses are spread; nothing in it comes from outside."""
    from pbem.picture.bars import Bar, histogram, shares

    data = _put(data)
    told = [(say("%(side)s, %(bot)s", side=side["title"], bot=side["bot"]), side) for side in data["sides"]]
    told += [(say("Draw"), data["draws"])] if data["draws"]["wins"] else []
    bars = [
        Bar(title, share["share"], share["low"], share["high"], look)
        for (title, share), look in zip(told, LOOKS, strict=False)
    ]
    wins = clauses(
        say(
            "%(side)s %(share)s, %(low)s to %(high)s",
            side=bar.title,
            share=_of_all(bar.share),
            low=_of_all(bar.low),
            high=_of_all(bar.high),
        )
        for bar in bars
    )
    looks = ["none", "none", *LOOKS[:2]]
    given = {
        "headline": _headline(data),
        "facts": _facts(data),
        "command": command(data),
        "title": data["title"],
        "charts": [chart._asdict() for chart in _charts(data)],
        "wins": shares(say("Shares of wins with their intervals: %(shares)s", shares=wins), bars),
        "pictures": [
            histogram(
                say("%(what)s of a game: %(spread)s", what=what, spread=_in_words(found)),
                what,
                dict(found["counts"]),
                look,
            )
            for (what, found), look in zip(_drawn(data), looks, strict=True)
        ],
    }
    return render(data["system"], "simulated.html.j2", given, None)


def command(data: Json) -> str:
    """The command that plays the same games."""
    first, second = (side["bot"] for side in data["sides"])
    words = ["pbem", "simulate", data["scenario"], "--games", str(data["asked"]), "--first", first, "--second", second]
    words += ["--seed", str(data["seed"])] + (["--reactions", "ask"] if data["reactions"] == "ask" else [])
    for name, value in data["chosen"].items():
        words += ["--option", f"{name}={value}"]
    return shlex.join(words)


def _headline(data: Json) -> str:
    first, second = (side["bot"] for side in data["sides"])
    scenario, games = data["scenario"], data["games"]
    if games == 1:
        return say("%(scenario)s, %(first)s against %(second)s, 1 game", scenario=scenario, first=first, second=second)
    return say(
        "%(scenario)s, %(first)s against %(second)s, %(games)s games",
        scenario=scenario,
        first=first,
        second=second,
        games=games,
    )


def _facts(data: Json) -> str:
    """Who has played, with which seed, and by what terms."""
    sides = also(say("%(side)s by %(bot)s", side=side["title"], bot=side["bot"]) for side in data["sides"])
    told = [say("%(told)s.", told=sides)]
    if rules_of(data["system"]).STANDING:
        told.append(
            say("Where the other's action asks a side, the bot answers.")
            if data["reactions"] == "ask"
            else say(
                "Where the other's action asks a side, a standing order of its bot, else the default of the rules, "
                "answers."
            )
        )
    told.append(say("Rules %(edition)s, seed %(seed)s.", edition=data["edition"], seed=data["seed"]))
    if data["games"] < data["asked"]:
        told.append(
            say(
                "Only %(games)s of %(asked)s games were played: short ones end first, and may be too many among these.",
                games=data["games"],
                asked=data["asked"],
            )
        )
    return sentences(told)


# --- tables ----------------------------------------------------------------------------------------------------------


def _charts(data: Json) -> list[Chart]:
    """The tables: wins, how numbers are spread, endings, and what came turn by turn."""
    return [_wins(data), _spreads(data), _endings(data), _turns(data)]


def _chart(title: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Chart:
    return Chart(title, "", columns, tuple(rows), "")


def _of_all(share: float) -> str:
    return per_cent(share, 1, even=True)


def _wins(data: Json) -> Chart:
    told = [*((side["title"], side) for side in data["sides"]), (say("draw"), data["draws"])]
    rows = [
        (title, str(share["wins"]), _of_all(share["share"]), _from_to(_of_all(share["low"]), _of_all(share["high"])))
        for title, share in told
    ]
    columns = (say("winner"), say("games"), say("share"), say("95 %% interval (Wilson)"))
    return _chart(say("Who won"), columns, rows)


def _from_to(low: object, high: object) -> str:
    return say("%(first)s to %(last)s", first=low, last=high)


def _drawn(data: Json) -> list[tuple[str, Json]]:
    """What is drawn of a game, each with how it is spread."""
    lost = [(_lost(side), side["lost"]) for side in data["sides"]]
    return [(say("Turns"), data["length"]), (say("Mails"), data["mails"]), *lost]


def _lost(side: Json) -> str:
    """What a side has lost."""
    if side["leaders"]:
        return say("Units and %(leaders)s lost, %(side)s", leaders=side["leaders"], side=side["title"])
    return say("Units lost, %(side)s", side=side["title"])


def _spreads(data: Json) -> Chart:
    turns, mails, *lost = _drawn(data)
    rows = [
        (what, f"{found['mean']:.1f}", str(found["least"]), _from_to(found["low"], found["high"]), str(found["most"]))
        for what, found in (turns, mails, (say("Mails with orders or answers"), data["orders"]), *lost)
    ]
    columns = (say("a game"), say("mean"), say("least"), say("four in five"), say("most"))
    return _chart(say("A game"), columns, rows)


def _in_words(found: Json) -> str:
    mean, low, high = f"{found['mean']:.1f}", found["low"], found["high"]
    return say("%(mean)s on average, four in five %(low)s to %(high)s", mean=mean, low=low, high=high)


def _endings(data: Json) -> Chart:
    rows = [
        (
            ending["title"], ending["clause"], str(ending["games"]), _of_all(ending["share"]),
            say("as in: %(reason)s", reason=ending["reason"]) if ending["reasons"] > 1 else ending["reason"],
        )
        for ending in data["endings"]
    ]  # fmt: skip
    headings = (say("winner"), say("clause"), say("games"), say("share"), say("reason"))
    if not any(ending["level"] for ending in data["endings"]):
        return _chart(say("How it ended"), headings, rows)
    levels = [(title, ending["level"], *rest) for (title, *rest), ending in zip(rows, data["endings"], strict=True)]
    return _chart(say("How it ended"), (headings[0], say("level"), *headings[1:]), levels)


def _turns(data: Json) -> Chart:
    ends = dict(data["length"]["counts"])
    rows = [
        (
            str(turn), _of_all(ends.get(turn, 0) / data["games"]),
            *(f"{side['lost_by_turn'][turn - 1]:.2f}" for side in data["sides"]),
        )
        for turn in range(1, data["length"]["most"] + 1)
    ]  # fmt: skip
    lost = (say("%(side)s, lost in it", side=side["title"]) for side in data["sides"])
    columns = (say("turn"), say("games that end in it"), *lost)
    return _chart(say("Turn by turn, on the mean of all games"), columns, rows)
