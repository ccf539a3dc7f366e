"""The questions about a game: what each reads of what the page asks, and what answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.errors import Refused, Storage
from pbem.match.table import BARE
from pbem.page import deeds, judged
from pbem.page.asked import HEAD, Question
from pbem.page.games import Game
from pbem.page.run import Commands
from pbem.page.seen import kept

__all__ = ["ANSWERS", "DEEDS", "UNLOCKED"]

Json = dict[str, Any]

NOTE_MAX = 1 << 16
"""Bytes of a note, as `pbem send --note` reads them."""

MARK = 16
"""Letters of the mark of a draft."""

WORD = 20
"""Letters of a word of this page's own."""

NAME = 80
"""Letters of a unit's id or a place."""

ORDER = 1 << 14
"""Bytes of one order."""

SOON = 0.05
"""Seconds that a click waits for another program."""


def _view(game: Game, _question: Question) -> Json:
    found = game.shown().view
    text, mark = game.draft()
    return {**found, "waits": [*found["waits"], *kept(game.place())], "draft": text, "mark": mark}


def _draft(game: Game, question: Question) -> Json:
    game.at_head(question.text("head", HEAD))
    path, mark = game.write_draft(question.text("text"), question.text_or("mark", None, MARK))
    return {"path": str(path), "mark": mark}


def _send(game: Game, question: Question, commands: Commands) -> Json:
    head, text = question.text("head", HEAD), question.text("text")
    place = game.at_head(head)
    if text.strip() and place.table.due().what in ("orders", "react") and place.table.due().player == place.me:
        game.write_draft(text, question.text_or("mark", None, MARK))
    return deeds.send(game, commands, head, text, _note(question), yes=question.yes("yes"))


def _answer(game: Game, question: Question, commands: Commands) -> Json:
    return deeds.answer(game, commands, question.text("head", HEAD), question.text("do", WORD), _note(question))


def _propose(game: Game, question: Question, commands: Commands) -> Json:
    head, kind = question.text("head", HEAD), question.text("do", WORD)
    entry, yes = question.number("entry"), question.yes("yes")
    return deeds.propose(game, commands, head, kind, entry, _note(question), yes=yes)


def _withdraw(game: Game, question: Question, commands: Commands) -> Json:
    return deeds.withdraw(game, commands, question.text("head", HEAD), question.text("do", WORD))


def _again(game: Game, question: Question, commands: Commands) -> Json:
    return deeds.again(game, commands, question.text("head", HEAD))


def _check(game: Game, question: Question, commands: Commands) -> Json:
    head, text = question.text("head", HEAD), question.text("text")
    found = deeds.slow_check(game, commands, head, text)
    if found is None:
        return {"older": True}
    with game.lock:
        game.at_head(head)
        return judged.by_item(game, text, found)


def _orders(game: Game, question: Question) -> Json:
    game.at_head(question.text("head", HEAD))
    text = question.text("text")
    return {**judged.orders(game, text), **_kept(game, question, text)}


def _choices(game: Game, question: Question) -> Json:
    game.at_head(question.text("head", HEAD))
    unit, place = question.text_or("unit", "", NAME), question.text_or("place", "", NAME)
    return judged.choices(game, question.text("text"), question.number("at"), unit or "", place or "")


def _odds(game: Game, question: Question) -> Json:
    game.at_head(question.text("head", HEAD))
    return judged.odds(game, question.text("text"), question.text("words", ORDER), question.number("at"))


def _edit(game: Game, question: Question) -> Json:
    game.at_head(question.text("head", HEAD))
    words = question.text_or("words", "", ORDER) or ""
    number, to = question.number("number") or 0, question.number("to") or 0
    found = judged.edited(game, question.text("text"), question.text("do", WORD), words, number, to)
    return {**found, "judged": judged.orders(game, found["text"]), **_kept(game, question, found["text"])}


def _shapes(game: Game, question: Question) -> Json:
    game.at_head(question.text("head", HEAD))
    return judged.shapes(game)


def _kept(game: Game, question: Question, text: str) -> Json:
    """Keep the text as the draft, if orders are due; where another program is at work it is kept the next time."""
    due = game.place().table.due()
    if due.what in BARE:
        return {}
    try:
        path, mark = game.write_draft(text, question.text_or("mark", None, MARK), wait=SOON)
    except (Refused, Storage) as error:
        return {"unsaved": str(error)}
    return {"path": str(path), "mark": mark}


def _note(question: Question) -> str:
    note = question.text_or("note", "", NOTE_MAX) or ""
    return note if note.strip() else ""


ANSWERS: Mapping[str, Callable[[Game, Question], Json]] = {
    "view": _view,
    "draft": _draft,
    "orders": _orders,
    "choices": _choices,
    "odds": _odds,
    "edit": _edit,
    "shapes": _shapes,
}
"""What is asked about a game -> what answers it; it is asked under the game's lock."""

DEEDS: Mapping[str, Callable[[Game, Question, Commands], Json]] = {
    "send": _send,
    "answer": _answer,
    "propose": _propose,
    "withdraw": _withdraw,
    "again": _again,
    "check": _check,
}
"""What is to be done by a command -> what does it; under the lock, too, but for UNLOCKED."""

UNLOCKED = frozenset({"check"})
"""What takes the game's lock itself."""
