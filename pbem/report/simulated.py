"""What many games of bots come to, told: as text, as Markdown, as a table of the games (CSV), and as a page."""

from __future__ import annotations

import csv
import html
import io
import re
import shlex
from collections.abc import Iterable
from textwrap import fill
from typing import Any

from pbem.report.charts import Chart, padded
from pbem.report.layout import Json, render
from pbem.report.page import blocks, laid_out
from pbem.rules import rules_of
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
    return laid_out(blocks(_part(data)), width)


def markdown(data: Json) -> str:
    """The summary as a part of a page in Markdown, with the command that makes it anew; no title is more than words."""
    return _part({name: told if name in PLAIN else _words(told) for name, told in data.items()})


def _words(value: Any) -> Any:
    """JSON data with every string such that Markdown shows it as it is."""
    if isinstance(value, str):
        return re.sub(r"[\\`*\[]", r"\\\g<0>", html.escape(value, quote=False))
    if isinstance(value, dict):
        return {name: _words(item) for name, item in value.items()}
    return [_words(item) for item in value] if isinstance(value, list) else value


def _part(data: Json) -> str:
    tables = (padded(chart) for chart in _charts(data))
    return "\n\n".join([f"### {_headline(data)}", fill(_facts(data), PAGE), *tables, f"    {command(data)}"]) + "\n"


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

    told = [(f"{side['title']}, {side['bot']}", side) for side in data["sides"]]
    told += [("Draw", data["draws"])] if data["draws"]["wins"] else []
    bars = [
        Bar(title, share["share"], share["low"], share["high"], look)
        for (title, share), look in zip(told, LOOKS, strict=False)
    ]
    wins = "; ".join(f"{bar.title} {_of_all(bar.share)}, {_of_all(bar.low)} to {_of_all(bar.high)}" for bar in bars)
    looks = ["none", "none", *LOOKS[:2]]
    given = {
        "headline": _headline(data),
        "facts": _facts(data),
        "command": command(data),
        "title": data["title"],
        "charts": [chart._asdict() for chart in _charts(data)],
        "wins": shares(f"Shares of wins with their intervals: {wins}", bars),
        "pictures": [
            histogram(f"{what} of a game: {_in_words(found)}", what, dict(found["counts"]), look)
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
    games = f"{data['games']} game{'' if data['games'] == 1 else 's'}"
    return f"{data['scenario']}, {first} against {second}, {games}"


def _facts(data: Json) -> str:
    """Who has played, with which seed, and by what terms."""
    sides = ", ".join(f"{side['title']} by {side['bot']}" for side in data["sides"])
    played = f"Only {data['games']} of {data['asked']} games were played"
    cut = f" {played}: short ones end first, and may be too many among these."
    missing = cut if data["games"] < data["asked"] else ""
    answers = "the bot" if data["reactions"] == "ask" else "a standing order of its bot, else the default of the rules,"
    asks = bool(rules_of(data["system"]).STANDING)
    asked = f"Where the other's action asks a side, {answers} answers. " if asks else ""
    return f"{sides}. {asked}Rules {data['edition']}, seed {data['seed']}.{missing}"


# --- tables ----------------------------------------------------------------------------------------------------------


def _charts(data: Json) -> list[Chart]:
    """The tables: wins, how numbers are spread, endings, and what came turn by turn."""
    return [_wins(data), _spreads(data), _endings(data), _turns(data)]


def _chart(title: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Chart:
    return Chart(title, "", columns, tuple(rows), "")


def _of_all(share: float) -> str:
    return per_cent(share, 1, even=True)


def _wins(data: Json) -> Chart:
    told = [*((side["title"], side) for side in data["sides"]), ("draw", data["draws"])]
    rows = [
        (title, str(share["wins"]), _of_all(share["share"]), f"{_of_all(share['low'])} to {_of_all(share['high'])}")
        for title, share in told
    ]
    return _chart("Who won", ("winner", "games", "share", "95 % interval (Wilson)"), rows)


def _drawn(data: Json) -> list[tuple[str, Json]]:
    """What is drawn of a game, each with how it is spread."""
    lost = [
        (f"Units{' and ' * bool(side['leaders'])}{side['leaders']} lost, {side['title']}", side["lost"])
        for side in data["sides"]
    ]
    return [("Turns", data["length"]), ("Mails", data["mails"]), *lost]


def _spreads(data: Json) -> Chart:
    turns, mails, *lost = _drawn(data)
    rows = [
        (what, f"{found['mean']:.1f}", str(found["least"]), f"{found['low']} to {found['high']}", str(found["most"]))
        for what, found in (turns, mails, ("Mails with orders or answers", data["orders"]), *lost)
    ]
    return _chart("A game", ("a game", "mean", "least", "four in five", "most"), rows)


def _in_words(found: Json) -> str:
    return f"{found['mean']:.1f} on average, four in five {found['low']} to {found['high']}"


def _endings(data: Json) -> Chart:
    rows = [
        (
            ending["title"], ending["clause"], str(ending["games"]), _of_all(ending["share"]),
            ("as in: " if ending["reasons"] > 1 else "") + ending["reason"],
        )
        for ending in data["endings"]
    ]  # fmt: skip
    headings = ("winner", "clause", "games", "share", "reason")
    if not any(ending["level"] for ending in data["endings"]):
        return _chart("How it ended", headings, rows)
    levels = [(title, ending["level"], *rest) for (title, *rest), ending in zip(rows, data["endings"], strict=True)]
    return _chart("How it ended", (headings[0], "level", *headings[1:]), levels)


def _turns(data: Json) -> Chart:
    ends = dict(data["length"]["counts"])
    rows = [
        (
            str(turn), _of_all(ends.get(turn, 0) / data["games"]),
            *(f"{side['lost_by_turn'][turn - 1]:.2f}" for side in data["sides"]),
        )
        for turn in range(1, data["length"]["most"] + 1)
    ]  # fmt: skip
    lost = (f"{side['title']}, lost in it" for side in data["sides"])
    return _chart("Turn by turn, on the mean of all games", ("turn", "games that end in it", *lost), rows)
