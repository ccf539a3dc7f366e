"""What is due in a game, in words, and the command by which it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.checking import goes_first, goes_to, how_to_answer, in_force, tell_laid, why_never_sent
from pbem.cli.common import echo, hint, talk
from pbem.crypto.openssh import fingerprint
from pbem.home.laid import laid_in, laid_now
from pbem.home.wishes import forget_wish, wish_now, wish_of
from pbem.match.table import BARE

if TYPE_CHECKING:
    from pbem.desk.desk import Place

__all__ = ["tell_next"]


def tell_next(place: Place) -> None:
    """Say what is due, and how to do it."""
    from pbem.report.asked import asked_words, foreseen

    due = place.table.due()
    _drop_wish(place)
    if not place.me:
        signed = ((p.person or p.name, fingerprint(p.key)) for p in place.table.players.values())
        signs = ", ".join(f"{player} with {key_print}" for player, key_print in signed)
        echo(f"my key signs for nobody in this game any more; now there sign: {signs}")
    me = due.player if place.table.genesis.terms.solo else place.me
    words = asked_words(place.table, foreseen(place.table), me)
    talk(f"next: {words[:1].lower()}{words[1:]}" if due.player is not None else words)
    if planned := in_force(place.table, me):
        echo(planned)
    for one in laid_in(place.folder):
        if why := why_never_sent(place.table, place.me, one):
            echo(f"orders are laid for {one.moment.words(place.table)}; {why}")
    if due.player is None or due.player != me:
        return
    if due.what == "reply":
        hint(how_to_answer(place))
    elif (wish := wish_now(place.folder, place.table, place.me)) is not None:
        hint(goes_first(place, wish))
    elif (laid := laid_now(place.folder, place.table, due.player)) is not None:
        echo(f"orders are laid for this, {laid.moment.words(place.table)}")
        tell_laid(place, due.player, laid)
    elif due.what in BARE:
        mail = goes_to(place)
        hint(f"`pbem send{mail}` {'writes the mail' if mail else 'sends it'}")
    else:
        form = f"`pbem form -o orders-{place.table.seq + 1}.txt`"
        hint(f"`pbem edit` opens what may be done in an editor, {form} only writes it")


def _drop_wish(place: Place) -> None:
    """Keep what I have asked for no more where it can't be carried out any more, and say so."""
    wish = wish_of(place.folder)
    why = wish.why_never(place.table) if wish is not None else ""
    if why:
        forget_wish(place.folder)
        echo(f"{wish} is kept no more: {why}")
