"""Orders before they are signed: whether they are asked for, what is wrong with them, what I am asked about them."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from pbem.cli.common import due_words, echo, folded, hint, in_words, said_if_slow, show, source_name, talk, tell
from pbem.errors import OrderError, PbemError, Refused
from pbem.match.table import BARE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.desk.desk import Desk, Place
    from pbem.home.laid import Laid
    from pbem.home.wishes import Wish
    from pbem.match.check import Checked
    from pbem.match.orders import Part
    from pbem.match.table import Table

__all__ = [
    "OVER",
    "against_laid",
    "agreed",
    "agrees",
    "checked_orders",
    "consent",
    "due_from_me",
    "goes_to",
    "how_to_answer",
    "in_force",
    "lost_mail",
    "no_orders",
    "sends",
    "tell_all",
    "tell_checked",
    "tell_laid",
    "which",
    "why_never_sent",
]

ID = "[a-z]+-[0-9]+"
"""An id of a unit in full."""

ERRORS_MAX = 20
"""Errors of orders that are sent, or of mails, that are told one by one, and what `send` says of orders."""


def due_from_me(place: Place) -> None:
    """Refuse to take orders where nothing is due from me, or I have to answer a proposal."""
    due = place.table.due()
    if due.player != place.me:
        raise Refused(f"nothing is due from {place.me}", hint="; ".join(filter(None, [str(due), lost_mail(place)])))
    if due.what == "reply" and due.player == place.me:
        raise Refused(due_words(due, place.me), hint=how_to_answer(place))


def goes_to(place: Place) -> str:
    """How a command is told where its mail goes: ` -o turn.eml`; "" where none is needed."""
    from pbem.home.bots import bot_of

    return "" if place.table.genesis.terms.solo or bot_of(place.folder) else " -o turn.eml"


def lost_mail(place: Place) -> str:
    """How the mail of my newest entry goes once more, should it be lost; "" where the newest entry isn't mine."""
    from pbem.home.bots import bot_of

    seq, by = place.table.seq, place.table.newest[1]
    if by != place.me or place.table.genesis.terms.solo:
        return ""
    if bot_of(place.folder):
        return "`pbem send --again` lets it answer"
    return f"should the mail of entry {seq} be lost, `pbem send --again -o turn.eml` writes it once more"


def how_to_answer(place: Place) -> str:
    """The commands that answer a proposal."""
    kind, mail = place.table.proposal.kind if place.table.proposal else "draw", goes_to(place)
    return f"`pbem {kind} --accept{mail}` or `pbem {kind} --refuse{mail}`"


def goes_first(place: Place, wish: Wish) -> str:
    """The commands that send what goes before anything else, and that take it back; what goes when it is answered."""
    asked = {"orders": "any orders", "react": "the answer that is asked of me"}.get(place.table.due().what)
    if wish.kind == "resign":
        first = ", and no orders" if asked else ""
    else:
        waits = f"before {asked}, which I send when {place.opponent.name} has answered it"
        first = f" {waits}" if asked else " first"
    return f"`pbem send{goes_to(place)}` sends {wish}{first}; `pbem {wish.kind} --withdraw` takes it back"


def sends(place: Place, orders: str, checked: Checked) -> str:
    """What `send` does with orders that are accepted, in a clause: it sends them, or asks first."""
    command = f"pbem send {orders}{goes_to(place)}"
    if not checked.doubts:
        return f"`{command}` sends them"
    if orders == "-":  # nobody can be asked
        return f"`{command} --yes` sends them as they are"
    return f"`{command}` asks first whether they shall be sent as they are"


def checked_orders(me: Desk, place: Place, path: str | None, text: str) -> Checked:
    """The text of an order file (None: no orders) checked for what is due; each error names the file."""
    from pbem.match.check import check

    due_from_me(place)
    checked = check(place.table, place.me, text)
    if path and not checked.parts and not checked.errors and place.table.due().what not in BARE:
        checked.errors.append(no_orders(text))
    if checked.errors and (other := _other_game(me, place, text)):
        checked.errors[:] = [OrderError(f"these are orders for {other}", "", f"`--game {other}` names that game")]
    for error in checked.errors if path else ():
        error.inside(source_name(path or ""))
    return checked


def _other_game(me: Desk, place: Place, text: str) -> str:
    """The game of mine whose units alone these orders name by their ids; "" where there is none."""
    from pbem.match.genesis import rules_and_board

    ids = {word for word in text.lower().replace(";", " ").replace(",", " ").split() if re.fullmatch(ID, word)}
    if not ids or not ids.isdisjoint(place.table.board.units):
        return ""
    for name, folder in me.home.named().items():
        with suppress(PbemError):
            if folder.id != place.folder.id and ids <= rules_and_board(me.home.load(folder.scenario()))[1].units.keys():
                return name
    return ""


OVER = "that is over, they are never sent: `pbem lay --off` takes them away"
"""What is said of laid orders whose moment has passed."""

BEHIND = "others of mine have been carried out in it since, so these aren't sent: `pbem lay FILE` lays orders anew"
"""What is said of laid orders whose moment it is, but for which others, as planned ones, have gone first."""


def why_never_sent(table: Table, me: str, laid: Laid) -> str:
    """Why laid orders are sent no more; "" for those that will be."""
    return OVER if laid.over(table) else BEHIND if laid.behind_others(table, me) else ""


def against_laid(table: Table, me: str, laid: Laid) -> tuple[str, bool]:
    """What is to be said against laid orders that are due now, "" for nothing; and whether they can be sent even so."""
    from pbem.match.check import check

    checked = check(table, me, laid.text)
    found = [str(error) for error in checked.errors] or checked.doubts
    sendable = not checked.errors
    what = "`pbem send` will ask before it sends them" if sendable else "they can't be sent as they stand"
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return (f"{what}: {found[0]}{more}" if found else ""), sendable


def tell_laid(place: Place, me: str, laid: Laid) -> None:
    """What is to be said against laid orders that are due now, and what may be done with them."""
    why, sendable = against_laid(place.table, me, laid)
    if why:
        talk(why)
    ways = f"`pbem send{goes_to(place)}` sends them" if sendable else "`pbem edit` begins others"
    hint(f"{ways}, `pbem lay` shows them")


def in_force(table: Table, player: str | None) -> str:
    """What a player has planned and is still to come, in a line; "" for nothing."""
    from pbem.match.phases import plans_told

    sides = [p.side for p in table.genesis.players if p.name == player]
    planned = plans_told(table, sides[0]) if sides else ""
    return f"planned, until I send other orders or answer what I am asked: {planned}" if planned else ""


def no_orders(text: str) -> OrderError:
    """The error of an order file that holds no orders."""
    if not text.strip():
        return OrderError("it is empty", "", "`pbem form` shows what may be ordered, `pbem edit` opens it in an editor")
    return OrderError("it holds no orders", "", "take the # away before those you want")


def tell_checked(place: Place, checked: Checked, then: str = "") -> None:
    """What was found in an order file, for the eye; of good orders what may be done `then`."""
    from pbem.report.layout import clean
    from pbem.report.ordered import came_words, replied_words
    from pbem.report.telling import Teller

    for error in checked.errors:
        tell(error)
    for lapse in checked.lapses:
        if told := lapse.beside_errors if checked.errors else str(lapse):
            show(folded(told, "", "    "))
    if checked.errors:
        return
    for reading in checked.readings:
        show(folded(str(reading), "", "    "))
    for line, words, came in checked.comes:
        show(folded(f"line {line}: `{' '.join(words)}`: {came_words(came)}", "", "    "))
    if checked.replies:
        table = place.table
        teller = Teller(clean(table.rules.situation(table.game.state)))
        for told in replied_words(table, checked.replies, checked.played, place.me, "my", teller):
            show(folded(told, "", "    "))
    for ending in checked.endings:
        show(folded(str(ending), "", "    "))
    for remark in checked.remarks:
        hint(remark)
    count = len(checked.parts)
    echo(f"accepted: 1 statement{then}" if count == 1 else f"accepted: {count} statements{then}")


def tell_all(errors: Sequence[PbemError], others: str = "") -> None:
    """Errors on standard error, the first twenty of them; `others` says how the others are seen."""
    for error in errors[:ERRORS_MAX]:
        tell(error)
    if len(errors) > ERRORS_MAX:
        echo(f"and {len(errors) - ERRORS_MAX} more{others}")


def agreed(me: Desk, place: Place, orders: str | None, text: str, *, asks: bool, yes: bool) -> list[Part] | None:
    """What is to be signed of the text of an order file (None: no orders); None, and every error told, if it can't be.

    Raises Refused when something else is due than what was given, and for doubtful orders without consent.
    """
    due_from_me(place)
    due = place.table.due()
    if not orders and due.what not in BARE:
        form = f"`pbem form -o orders-{place.table.seq + 1}.txt` begins them"
        raise Refused(f"{due_words(due, place.me)}, not only a reveal", hint=form)
    with said_if_slow("the orders are being checked; nothing is signed yet"):
        checked = checked_orders(me, place, orders, text)
    tell_all(checked.errors, "; `pbem check` tells of each")
    if checked.errors:
        return None
    # `say` is among the readings only where it isn't what was typed
    _say_some([str(reading) for reading in checked.readings if reading.note or reading.words[0] == "say"])
    if checked.dropped:
        echo(checked.dropped)
    for danger in checked.dangers:
        hint(danger)
    _say_some(checked.doubts)
    if checked.doubts and not yes:
        _ask(somebody=asks)
    for ending in checked.endings:
        if str(ending) not in checked.doubts:
            hint(str(ending))
    return [part for _, part in checked.parts]


def _say_some(told: Sequence[str]) -> None:
    """What is said of orders before they are sent, the first of it."""
    for words in told[:ERRORS_MAX]:
        echo(words)
    if len(told) > ERRORS_MAX:
        echo(f"and so of {len(told) - ERRORS_MAX:,} more; `pbem check` tells of each")


def _ask(*, somebody: bool) -> None:
    """Ask whether doubtful orders shall be sent. Raises Refused without consent, or without `somebody` to ask."""
    if not somebody:
        raise Refused(
            "nobody can be asked here whether these orders shall be sent", hint="--yes sends them as they are"
        )
    if not consent():
        raise Refused("nothing is signed", hint="--yes sends them without asking")


def consent() -> bool:
    """Whether the player sends doubtful orders as they are."""
    return agrees("send them as they are?")


def agrees(question: str) -> bool:
    """Whether the player at a terminal agrees; who gives no answer doesn't."""
    from pbem.cli.asking import confirm

    try:
        return confirm(in_words(question))
    except click.Abort:
        return False


def which(me: Desk, place: Place) -> str:
    """A game and the opponent in it, for what gives something up: `game toba-fushimi against ben`."""
    return f"game {me.home.name_of(place.folder)} against {place.opponent.name}"
