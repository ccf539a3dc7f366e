"""The terms of a game in words: what who offers and who accepts sign, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.errors import BadScenario, Refused
from pbem.language import ENGLISH, language, say, sentences, shown
from pbem.language.lines import justified
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
    title, rules = _put(scenario.title, scenario), terms.rules
    played = say("%(scenario)s (%(id)s), by the rules %(rules)s.", scenario=title, id=scenario.id, rules=rules)
    return [
        (say("scenario"), played),
        (say("sides"), _sides_words(scenario, terms, offerer, accepter)),
        (say("solo"), _solo(terms, offerer)),
        *_options(scenario, terms),
        (say("reactions"), _reactions(terms, asks=asks)),
        (say("length"), _length(scenario, terms, asks=asks)),
        (say("deadline"), _deadline(terms)),
        (say("dice"), _dice(terms)),
        (say("lost secret"), _lost_secret(terms)),
        (say("recovery key"), _recovery(terms, offerer, accepter)),
        *_language(offerer, accepter),
        *_reconstructed(scenario),
    ]


def terms_text(words: list[TermWords]) -> str:
    """Terms as lines of at most 76 columns, with their titles in a column of their own."""
    pad = " " * (TITLE + 2)
    return "\n".join(fill(sentence, f"  {justified(title, TITLE)}", pad) for title, sentence in words)


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
    return {side["id"]: the(_put(side["title"], scenario)) for side in scenario.data["scenario"]["sides"]}


def _put(words: str, scenario: Scenario) -> str:
    """Words of a scenario in the language in force."""
    return words if language() == ENGLISH else shown(words, japanese_names(scenario.system))


def _sides_words(scenario: Scenario, terms: Terms, offerer: Party, accepter: Party | None) -> str:
    sides = _sides(scenario)
    first, own = offerer.name, sides[offerer.side]
    other = next(title for side, title in sides.items() if side != offerer.side)
    if accepter is not None:
        second = accepter.name
        return say(
            "%(first)s plays %(side)s, %(second)s plays %(other)s.", first=first, side=own, second=second, other=other
        )
    if terms.solo:
        return say("%(first)s plays %(side)s and, under another name, %(other)s.", first=first, side=own, other=other)
    return say("%(first)s plays %(side)s; who accepts plays %(other)s.", first=first, side=own, other=other)


def _solo(terms: Terms, offerer: Party) -> str:
    if terms.solo:
        name = offerer.name
        return say("yes: one player plays both sides with one key; nobody but %(player)s can accept.", player=name)
    return say("no: two players, each with a key of his own.")


def _options(scenario: Scenario, terms: Terms) -> Iterator[TermWords]:
    chosen = dict(terms.options)
    for name, option in scenario.data["scenario"].get("options", {}).items():
        value = chosen.get(name, option["default"])
        meaning = _put(option.get("means", {}).get(value, ""), scenario)
        title = _put(option.get("title", name), scenario)
        told = say("%(title)s (%(name)s): %(value)s. %(meaning)s", title=title, name=name, value=value, meaning=meaning)
        yield say("option"), told.rstrip()


def _reactions(terms: Terms, *, asks: bool) -> str:
    """What the term means where the rules ask a player in the other's turn, or that they never do."""
    if not asks:
        return say(
            "%(reactions)s: It makes no difference: these rules ask a player nothing between his own orders.",
            reactions=terms.reactions,
        )
    if terms.reactions == "standing":
        return say(
            "standing: Where the rules ask a player something between his own orders, such as the way of a retreat, "
            "his standing orders answer, or else a default; that takes no mail."
        )
    return say(
        "ask: Where the rules ask a player something between his own orders, such as the way of a retreat, his "
        "standing orders answer, or else he is asked, and the game waits for his answer each time."
    )


def turn_of(system: str) -> str:
    """What a turn is called by the rules of a system."""
    return rules_of(system).TURN


def _length(scenario: Scenario, terms: Terms, *, asks: bool) -> str:
    data = scenario.data["scenario"]
    word = turn_of(scenario.system)
    turns = say("%(turns)s at most.", turns=_turns(int(data["turns"]), word))
    if terms.solo:
        return sentences([turns, say("No mails are needed.")])
    ends = mails(scenario, terms.reactions)
    if ends is None:
        return turns
    low, high = ends
    took = (
        say(
            "Of the games that bots played with such reactions, at least four in five took %(low)s to %(high)s mails.",
            low=low,
            high=high,
        )
        if asks
        else say(
            "Of the games that bots played, at least four in five took %(low)s to %(high)s mails.", low=low, high=high
        )
    )
    return sentences([turns, took])


def _turns(number: int, word: str) -> str:
    """`Eight turns`, by what a turn is called."""
    if language() == ENGLISH:
        return capital(count(number, word, f"{word}s"))
    return say("%(number)s %(turn)ss", number=number, turn=shown(word))


def _deadline(terms: Terms) -> str:
    if not terms.deadline:
        return say("none: nobody loses the game by taking his time, or by never answering.")
    days = count(terms.deadline, "day", "days")
    return say(
        "%(days)s of 24 hours: when an answer takes longer, the other player may claim the game, and has won it. That "
        "counts from the offerer's first entry on.",
        days=days,
    )


def _dice(terms: Terms) -> str:
    if terms.solo:
        return say(
            "Who plays both sides holds the secrets of both, and could know each die before he gives the orders."
        )
    return say(
        "Each die comes from signed orders and a secret of the other player; nobody knows it while he can still choose."
    )


def _lost_secret(terms: Terms) -> str:
    if terms.solo:
        term = terms.lost_secret
        return say(
            "%(term)s: of no account here, for a solo game takes no new key and ends with a lost one.", term=term
        )
    if terms.lost_secret == "forfeit":  # noqa: S105 a term of the game
        return say(
            "forfeit: who gets a new key for a lost one while dice wait for his secret, and can't reveal it, has lost."
        )
    return say(
        "adverse: when a player gets a new key for a lost one while dice wait for his secret, and can't reveal it, "
        "each of those dice falls as is worst for his side, and what his side is asked before the next orders is "
        "answered by the rules; then the game goes on. In rare positions that costs him nothing."
    )


def _recovery(terms: Terms, offerer: Party, accepter: Party | None) -> str:
    if terms.solo:
        return say("none: a solo game takes no new key.")
    seats = [seat for seat in (offerer, accepter) if seat is not None]
    words = [
        say(
            "%(player)s has named one: who holds it can put a new key in the place of %(the_player)s's.",
            player=seat.name,
            the_player=seat.name,
        )
        if seat.recovery
        else say("%(player)s has named none: for a lost key only the opponent can let in a new one.", player=seat.name)
        for seat in seats
    ]
    if accepter is None:
        words.append(say("Who accepts may name one."))
    return sentences(words)


def _language(offerer: Party, accepter: Party | None) -> Iterator[TermWords]:
    """In which language mails are told to whom, where it is another one than English."""
    seats = [seat for seat in (offerer, accepter) if seat is not None and seat.reads]
    if seats:
        told = (
            say("Mails to %(player)s are told in the language %(tag)s.", player=seat.name, tag=seat.reads)
            for seat in seats
        )
        yield say("language"), sentences(told)


def _reconstructed(scenario: Scenario) -> Iterator[TermWords]:
    """What no rulebook gives, if the scenario names such."""
    lines = [f"{capital(line)}." for line in reconstructed(scenario.data["scenario"].get("provenance", {}))]
    if lines:
        told = [_put(line, scenario) for line in lines]
        told.append(say("All that is is listed by `pbem brief %(scenario)s`.", scenario=scenario.id))
        yield say("reconstructed"), sentences(told)
