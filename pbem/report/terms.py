"""The terms of a game in words: what who offers and who accepts sign, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.errors import BadScenario, Refused
from pbem.language import ENGLISH, language, shown
from pbem.language.lines import across
from pbem.match.genesis import rules_and_board
from pbem.records import NamedTuple
from pbem.report.layout import capital, count, fill
from pbem.rules import rules_of
from pbem.scenario import Scenario, japanese_names, mails
from pbem.wire.bodies import Player, Terms
from pbem.words import listed, reconstructed, the

__all__ = ["Party", "TermWords", "check_author", "check_choices", "terms_data", "terms_text", "terms_words", "turn_of"]

TITLE = 15
"""Columns of a term's title."""

TermWords = tuple[str, str]
"""The title of a term and a sentence or two."""


class Party(NamedTuple):
    """Who takes a side, whether he has named a recovery key, and which language he reads, "" for English."""

    name: str
    side: str
    recovery: bool = False
    reads: str = ""

    @classmethod
    def of(cls, player: Player) -> Party:
        """That of a player who has offered or accepted."""
        return cls(player.name, player.side, bool(player.recovery), player.reads)


def check_choices(scenario: Scenario, terms: Terms, side: str) -> None:
    """Raises BadScenario for a side or option that the scenario doesn't have, or a value that an option can't have."""
    rules, board = rules_and_board(scenario)
    rules.start(board, dict(terms.options))
    sides = _sides(scenario)
    if side not in sides:
        raise BadScenario(f"it has no side {side}", scenario.id, f"the sides are {listed(sides)}")


def check_author(player: Player, terms: Terms, mine: bytes) -> None:
    """Raises Refused for a solo game that isn't offered with my key, and for one with two players that is."""
    if terms.solo and player.key != mine:
        raise Refused("this offer is for its author alone", hint="a solo game has one key, and mine is another one")
    if player.key == mine and not terms.solo:
        raise Refused("this is my own offer", hint="the opponent accepts it; for both sides offer with --solo")


def terms_words(scenario: Scenario, terms: Terms, offerer: Party, accepter: Party | None = None) -> list[TermWords]:
    """Every term, for either player to read; `accepter` once he is known.

    Raises BadScenario as `check_choices` does, so that nothing but the scenario's own words is told.
    """
    check_choices(scenario, terms, offerer.side)
    asks = bool(rules_and_board(scenario)[0].STANDING)
    return [
        ("scenario", f"{scenario.title} ({scenario.id}), by the rules {terms.rules}."),
        ("sides", _sides_words(scenario, terms, offerer, accepter)),
        ("solo", _solo(terms, offerer)),
        *_options(scenario, terms),
        ("reactions", _reactions(terms, asks=asks)),
        ("length", _length(scenario, terms, asks=asks)),
        ("deadline", _deadline(terms)),
        ("dice", _dice(terms)),
        ("lost secret", _lost_secret(terms)),
        ("recovery key", _recovery(terms, offerer, accepter)),
        *_language(offerer, accepter),
        *_reconstructed(scenario),
    ]


def terms_text(words: list[TermWords], system: str) -> str:
    """Terms of a game of a system as lines of at most 76 columns, in the language in force.

    Their titles stand in a column of their own.
    """
    names = {} if language() == ENGLISH else japanese_names(system)
    pad = " " * (TITLE + 2)
    return "\n".join(
        fill(_told(title, sentence, names), f"  {_column(shown(title))}", pad) for title, sentence in words
    )


OPTION = re.compile(r"(.+) \(([\w-]+)\): ([\w-]+)\.(?: (.+))?", re.DOTALL)
"""How an option's term is made: its title, name, value, and what that means."""


def _told(title: str, sentence: str, names: Mapping[str, str]) -> str:
    """A term in the language in force; what is reconstructed is recognised as a brief tells it, line by line.

    An option's name and value stay as they are typed.
    """
    if title == "option" and language() != ENGLISH and (found := OPTION.fullmatch(sentence)) is not None:
        head = f"{shown(found[1], names)}\N{FULLWIDTH LEFT PARENTHESIS}{found[2]}\N{FULLWIDTH RIGHT PARENTHESIS}"
        meaning = shown(found[4], names) if found[4] else ""
        return f"{head}\N{FULLWIDTH COLON}{found[3]}\N{IDEOGRAPHIC FULL STOP}{meaning}"
    if title != "reconstructed" or language() == ENGLISH:
        return shown(sentence, names)
    *lines, more = sentence.split(". ")
    told = [shown(f"scenario{' ' if ': ' in line else ': '}{line[:1].lower()}{line[1:]}.", names) for line in lines]
    return " ".join([*told, shown(more, names)])


def _column(title: str) -> str:
    return title + " " * (TITLE - across(title))


def terms_data(scenario: Scenario, terms: Terms, offerer: Party) -> dict[str, Any]:
    """Terms as JSON data: as they are signed, and in words."""
    free = next(side for side in _sides(scenario) if side != offerer.side)
    return terms._asdict() | {
        "options": dict(terms.options),
        "sides": {offerer.name: offerer.side},
        "free": free,
        "recovery": offerer.recovery,
        "words": [list(pair) for pair in terms_words(scenario, terms, offerer)],
    }


def _sides(scenario: Scenario) -> dict[str, str]:
    """Id -> title, as it stands within a sentence."""
    return {side["id"]: the(side["title"]) for side in scenario.data["scenario"]["sides"]}


def _sides_words(scenario: Scenario, terms: Terms, offerer: Party, accepter: Party | None) -> str:
    sides = _sides(scenario)
    other = next(title for side, title in sides.items() if side != offerer.side)
    if accepter is not None:
        return f"{offerer.name} plays {sides[offerer.side]}, {accepter.name} plays {other}."
    if terms.solo:
        return f"{offerer.name} plays {sides[offerer.side]} and, under another name, {other}."
    return f"{offerer.name} plays {sides[offerer.side]}; who accepts plays {other}."


def _solo(terms: Terms, offerer: Party) -> str:
    if terms.solo:
        return f"yes: one player plays both sides with one key; nobody but {offerer.name} can accept."
    return "no: two players, each with a key of his own."


def _options(scenario: Scenario, terms: Terms) -> Iterator[TermWords]:
    chosen = dict(terms.options)
    for name, option in scenario.data["scenario"].get("options", {}).items():
        value = chosen.get(name, option["default"])
        meaning = option.get("means", {}).get(value, "")
        yield "option", f"{option.get('title', name)} ({name}): {value}. {meaning}".rstrip()


def _reactions(terms: Terms, *, asks: bool) -> str:
    """What the term means where the rules ask a player in the other's turn, or that they never do."""
    if not asks:
        return f"{terms.reactions}: It makes no difference: these rules ask a player nothing between his own orders."
    asked = "Where the rules ask a player something between his own orders, such as the way of a retreat, his standing"
    if terms.reactions == "standing":
        return f"standing: {asked} orders answer, or else a default; that takes no mail."
    return f"ask: {asked} orders answer, or else he is asked, and the game waits for his answer each time."


def turn_of(system: str) -> str:
    """What a turn is called by the rules of a system."""
    return rules_of(system).TURN


def _length(scenario: Scenario, terms: Terms, *, asks: bool) -> str:
    data = scenario.data["scenario"]
    number, innings = int(data["turns"]), turn_of(scenario.system) == "inning"
    many = count(number, "inning", "innings") if innings else count(number, "turn", "turns")
    turns = f"{capital(many)} at most."
    if terms.solo:
        return f"{turns} No mails are needed."
    ends = mails(scenario, terms.reactions)
    if ends is None:
        return turns
    such = " with such reactions" if asks else ""
    return f"{turns} Of the games that bots played{such}, at least four in five took {ends[0]} to {ends[1]} mails."


def _deadline(terms: Terms) -> str:
    if not terms.deadline:
        return "none: nobody loses the game by taking his time, or by never answering."
    days = count(terms.deadline, "day", "days")
    return (
        f"{days} of 24 hours: when an answer takes longer, the other player may claim the game, and has won it. That "
        "counts from the offerer's first entry on."
    )


def _dice(terms: Terms) -> str:
    if terms.solo:
        return "Who plays both sides holds the secrets of both, and could know each die before he gives the orders."
    return (
        "Each die comes from signed orders and a secret of the other player; nobody knows it while he can still choose."
    )


def _lost_secret(terms: Terms) -> str:
    if terms.solo:
        return f"{terms.lost_secret}: of no account here, for a solo game takes no new key and ends with a lost one."
    if terms.lost_secret == "forfeit":  # noqa: S105 a term of the game
        return (
            "forfeit: who gets a new key for a lost one while dice wait for his secret, and can't reveal it, has lost."
        )
    return (
        "adverse: when a player gets a new key for a lost one while dice wait for his secret, and can't reveal it, "
        "each of those dice falls as is worst for his side, and what his side is asked before the next orders is "
        "answered by the rules; then the game goes on. In rare positions that costs him nothing."
    )


def _recovery(terms: Terms, offerer: Party, accepter: Party | None) -> str:
    if terms.solo:
        return "none: a solo game takes no new key."
    seats = [seat for seat in (offerer, accepter) if seat is not None]
    words = [
        f"{seat.name} has named one: who holds it can put a new key in the place of {seat.name}'s."
        if seat.recovery
        else f"{seat.name} has named none: for a lost key only the opponent can let in a new one."
        for seat in seats
    ]
    if accepter is None:
        words.append("Who accepts may name one.")
    return " ".join(words)


def _language(offerer: Party, accepter: Party | None) -> Iterator[TermWords]:
    """In which language mails are told to whom, where it is another one than English."""
    seats = [seat for seat in (offerer, accepter) if seat is not None and seat.reads]
    if seats:
        yield "language", " ".join(f"Mails to {seat.name} are told in the language {seat.reads}." for seat in seats)


def _reconstructed(scenario: Scenario) -> Iterator[TermWords]:
    """What no rulebook gives, if the scenario names such."""
    lines = [f"{capital(line)}." for line in reconstructed(scenario.data["scenario"].get("provenance", {}))]
    if lines:
        yield "reconstructed", " ".join([*lines, f"All that is is listed by `pbem brief {scenario.id}`."])
