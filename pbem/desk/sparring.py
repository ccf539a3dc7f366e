"""A game against a bot on this machine: a second player at a desk of its own, who answers at once."""

from __future__ import annotations

from collections.abc import Callable

from pbem.crypto.keys import load_signer
from pbem.desk.arrival import read_offer, take_in
from pbem.desk.desk import Desk, Place
from pbem.desk.letter import Letter, read_letter
from pbem.errors import BadLog, PbemError, Refused
from pbem.home.bots import bot_home
from pbem.home.contact import Contact
from pbem.home.folders import Folder, Home
from pbem.mail.inbox import Mail
from pbem.match.bots import Row, suggest, try_set_up
from pbem.match.check import check
from pbem.match.orders import Part
from pbem.match.steady import Progress, silent
from pbem.match.table import BARE, Due
from pbem.records import NamedTuple
from pbem.rules.requests import Chance
from pbem.wire.blocks import read_log_blocks
from pbem.wire.bodies import Terms, proposal_body
from pbem.wire.turn import Turn

__all__ = ["Bot", "begin", "decided", "exchange", "seated"]


class Bot(NamedTuple):
    """A bot at its desk: its name, which is that of its rules of thumb too, and its whims, which are not the dice."""

    name: str
    desk: Desk
    chance: Chance
    progress: Progress = silent


def seated(
    home: Home, name: str, random_bytes: Callable[[int], bytes], chance: Chance, progress: Progress = silent
) -> Bot:
    """The bot of that name below a player's home."""
    own = bot_home(home, name)
    return Bot(name, Desk(own, lambda: load_signer(own.key), random_bytes), chance, progress)


def begin(me: Desk, seat: Callable[[], Bot], terms: Terms, side: str, name: str) -> Place:
    """Offer a game to a bot, which takes its seat and accepts; the game as it begins, before entry 2.

    Raises KeyProblem, Refused or Storage; BadScenario where a side finds no places to set up, and then nothing is left.
    """
    folder, offer = me.offer(terms, side, Contact(name))
    bot: Bot | None = None
    try:
        bot = seat()
        offered = read_offer(bot.desk, _letter(offer))
        theirs, accept = bot.desk.accept(offered, bot.name, Contact(bot.name))
        try_set_up(theirs.table)
        return take_in(me, _letter(accept)).place
    except (PbemError, KeyboardInterrupt):
        _clear(me.home, bot.desk.home if bot is not None else None, folder, offer)
        raise


def _clear(mine: Home, bots: Home | None, folder: Folder, offer: Turn) -> None:
    """Leave nothing of a game that has not begun: an offer that nobody can accept, and what the bot has of it."""
    if any(game.text().startswith(offer.text) for game in mine.games()):
        return
    folder.remove()
    for game in bots.games() if bots is not None else ():
        if game.text().startswith(offer.text):
            game.remove()


def exchange(me: Desk, place: Place, bot: Bot) -> Place:
    """Carry the game on until I am asked something or it is over; the game then.

    Each learns of the other's entries by opening them; what needs no decision of mine is sent for me. A run that was
    cut off is finished by the next one. Raises Refused for a bot that comes to no end.
    """
    folder = bot.desk.home.game(place.table.genesis.game.hex())
    if folder is None:
        raise Refused(f"{bot.name} doesn't know this game", str(bot.desk.home.root))
    theirs, row = bot.desk.place(folder), Row()
    while True:
        theirs = _caught_up(bot.desk, theirs, place)
        place = _caught_up(me, place, theirs)
        due = _due(place, theirs)
        if due.player == bot.name:
            row.count(theirs.table, bot.name, due.what)
            _answer(bot, theirs)
        elif due.player is not None and due.what in BARE:
            me.send(place, [])
        else:
            return place


def decided(place: Place, bot: str, chance: Chance, progress: Progress = silent) -> list[Part]:
    """What a bot of that name would send now in place of the player; nothing where no decision is due."""
    orders = "".join(" ".join(words) + ";\n" for words in suggest(place.table, place.me, bot, chance, progress))
    checked = check(place.table, place.me, orders, chance, runs=0)
    if checked.errors:
        raise checked.errors[0]
    return [part for _, part in checked.parts]


def _due(place: Place, theirs: Place) -> Due:
    """What the game waits for, as the one of us knows for whom dice wait."""
    mine = place.table.due()
    return mine if mine.player is not None else theirs.table.due()


def _answer(bot: Bot, place: Place) -> None:
    """Let the bot sign what is due from it: an undo it agrees to, what else is proposed it refuses."""
    proposal = place.table.proposal
    if place.table.due().what == "reply" and proposal is not None:
        word = "accept" if proposal.kind == "undo" else "refuse"
        bot.desk.agree(place, proposal.kind, proposal_body(proposal.kind, word))
    else:
        bot.desk.send(place, decided(place, bot.name, bot.chance, bot.progress))


def _caught_up(desk: Desk, place: Place, other: Place) -> Place:
    """A game, with the entries that only the other player's log has taken in. Raises BadLog where the logs part."""
    if place.text.startswith(other.text):
        return place
    if not other.text.startswith(place.text):
        hint = f"`pbem diff` tells where; {other.folder.log} is the bot's"
        raise BadLog("the bot has another log of this game", str(place.folder.log), hint)
    for turn in map(Turn.of, read_log_blocks(other.text[len(place.text) :])):
        place = take_in(desk, _letter(turn)).place
    return place


def _letter(turn: Turn) -> Letter:
    """A turn as if a mail had brought it."""
    return read_letter(Mail(f"entry {turn.entry.seq} by {turn.entry.by}", "", "", "", "", "", (turn.text,)))
