"""Orders before they are sent: form, suggest, check."""

from __future__ import annotations

import os
import random
import re
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.checking import checked_orders, due_from_me, goes_first, sends, tell_all, tell_checked
from pbem.cli.common import (
    as_json,
    echo,
    error_data,
    filled,
    folded,
    hint,
    in_words,
    json_option,
    look_at,
    show,
    source_name,
    thinking,
)
from pbem.cli.failure import Missing
from pbem.cli.files import read_orders, save
from pbem.cli.naming import carrying, game_option
from pbem.cli.written import in_folder, keep_home
from pbem.errors import Damaged, OrderError, Refused
from pbem.home.wishes import wish_now
from pbem.match.table import BARE
from pbem.words import per_cent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from pbem.desk.desk import Place
    from pbem.report.odds import Chances

__all__ = ["check_command", "form_command", "odds_command", "show_chances", "suggest_command"]


@click.command("form")
@click.option("-o", "--output", metavar="FILE", help="Write it there, where no file is that somebody has written.")
@click.option("--overwrite", is_flag=True, help="Write it over any file.")
@game_option
@click.pass_context
def form_command(ctx: click.Context, output: str | None, overwrite: bool, game: str | None) -> None:
    """The order form: every unit and what it may do now.

    It is an order file with everything behind #. With -o it is written over a form in which nothing was changed, but
    over no other file unless --overwrite says so.

    Example: pbem form -o orders.txt
    """
    from pbem.match.form import fitted, form, sealed

    if output is not None:
        in_folder(output)
        keep_home(output)
        if not overwrite:
            _check_form_file(output)
    _, place = look_at(ctx, game)
    due_from_me(place)
    written = sealed(fitted(carrying(form(place.table, place.me, in_words))), in_words)
    if output is None:
        show(written, nl=False)
        return
    save(output, written.encode("utf-8"))
    if output != "-":
        echo(f"the form is in {output}; `pbem check {output}` tells whether orders are right")


def _check_form_file(path: str) -> None:
    """Refuse to write a form over a file that isn't an untouched form."""
    from pbem.match.form import untouched

    if path == "-" or not os.path.isfile(path):
        return
    with suppress(Damaged, Refused):
        if untouched(read_orders(path)):
            return
    hint = "name another one with -o; --overwrite writes over it"
    raise Refused("this file is there, isn't an untouched form, and stays", path, hint)


@click.command("suggest")
@click.option("--bot", type=click.Choice(["bold", "random", "steady"]), default="bold", show_default=True,
              help="The bot: with rules of thumb, with none, or that compares some.")  # fmt: skip
@click.option("--seed", type=int, help="Makes the suggestion repeatable.")
@game_option
@click.pass_context
def suggest_command(ctx: click.Context, bot: str, seed: int | None, game: str | None) -> None:
    """Legal orders by a bot; nothing when only a reveal is due.

    Orders that lapse in more than seven of ten futures are left out.

    Example: pbem suggest > orders.txt
    """
    from pbem.match.bots import suggest, without_lapses

    _, place = look_at(ctx, game)
    due_from_me(place)
    chance = random.Random(seed if seed is not None else os.urandom(16))  # noqa: S311 a bot's whim, not the dice
    made = suggest(place.table, place.me, bot, chance, thinking)
    for words in without_lapses(place.table, place.me, made, chance):
        show(" ".join(words) + ";")
    if place.table.due().what in BARE:
        from pbem.match.faults import none_asked

        hint(str(none_asked(place.table.due().what)))


@click.command("odds", context_settings={"ignore_unknown_options": True})
@click.argument("order", nargs=-1, metavar="ORDER...")
@click.option("--each", is_flag=True, help="Tell every future by itself.")
@game_option
@json_option
@click.pass_context
def odds_command(ctx: click.Context, order: tuple[str, ...], each: bool, game: str | None, as_json_data: bool) -> int:
    """What an order may bring, with exact shares.

    ORDER is one that I could give now, written as in an order file. Several between quotation marks, or the name of an
    order file, ask for the last one behind the others, which may have no dice, as an attack behind a move. Every throw
    is counted, of its own dice and of those that follow from it; what decides what they mean is told with its clauses.
    Where more than 5,000 futures come of it, or fewer of great length, the rest is played out with random dice: shares
    that may depend on that have `about` and no fraction. Standing orders choose where they can, as of the other side's
    retreats, and else the rules; that is told, too.

    Example: pbem odds fire 12 at 16 with 11
    """
    from pbem.match.exact import left_out as waiting
    from pbem.match.form import with_dice
    from pbem.match.judged import judged
    from pbem.report.odds import chances

    if option := next((word for word in order if re.match("-+[a-z]", word)), ""):
        raise click.NoSuchOption(option, ctx=ctx)
    _, place = look_at(ctx, game)
    due_from_me(place)
    if not order:
        example = with_dice(place.table, place.me)
        raise Missing(ctx, ctx.command.params[0], f"pbem odds {' '.join(example)}" if example else "")
    text = _typed(order)
    try:
        words, before, there, left_out, closes = judged(place.table, place.me, text)
    except OrderError as error:
        errors = _wrong(place, order, text) or [error]
        if len(errors) > 1 and not as_json_data:
            tell_all(errors)
            return 1
        raise errors[0] from None
    found = chances(there, place.table.genesis.player(place.me).side, words)
    if as_json_data:
        as_json({"order": list(words), "behind": [list(other) for other in before], **_data(found)})
        return 0
    for one in (*before, words):
        show(filled(f"{' '.join(one)};", "", "    "))
    show_chances(found, order, each=each)
    for choice in found.answers:
        hint(choice)
    if left_out or (closes and not found.results and len(found.each) == 1):
        closing = " ".join(left_out or closes)
        hint(
            f"the dice that `{closing}` brings aren't counted with it; `pbem odds {closing}` tells them as things stand"
        )
    if others := waiting(place.table):
        whose = " and ".join("I" if name == place.me else name for name in others)
        if others == [place.opponent.name]:
            hint(f"the order is counted alone, without what {whose} has ordered or planned behind it")
        else:
            hint(f"the order is counted alone, without what {whose} have ordered or planned behind it")
    return 0


def show_chances(found: Chances, order: Sequence[str], *, each: bool) -> None:
    """What decides the dice of an order that was typed so, and what they may bring: each future, or what is alike."""
    for what, value, clause in found.factors:
        show(filled(f"{in_words(what)} {in_words(str(value))} [{clause}]", "  ", "      "))
    grouped = found.results or found.fates or found.fights or found.ends
    if one_by_one := each or len(found.each) <= (FEW if grouped else MANY):
        _show_shares(found.each)
    elif not grouped:
        _show_shares(_with_rest(found.each))
    else:
        _show_shares(found.results_told)
        if found.results and not found.results_told:
            show("")
        for unit, shares in found.fates.items():
            show(f"  {in_words(unit)}")
            _show_shares(shares, empty=False)
        _show_shares(found.fights)
        _show_shares(found.ends)
    _show_shares(found.choices)
    if found.at_random:
        show("")
        left = f"{per_cent(found.at_random, 1)} of all"
        many = f"there are too many futures to count each; {left} were played out with random dice"
        show(folded(f"about: {many}, so something rare may be missing", "  "))
    if not one_by_one:
        many = f"each of the {len(found.each):,} different futures{' found' if found.at_random else ''}"
        typed = f'"{order[0]}"' if len(order) == 1 and ";" in order[0] else " ".join(order)
        hint(f"`pbem odds {typed} --each` tells {many} by itself")


def _wrong(place: Place, order: Sequence[str], text: str) -> list[OrderError]:
    """All that is wrong with what is typed, or stands in the file that is named, which the errors name."""
    from pbem.match.judged import wrong

    found = wrong(place.table, place.me, text)
    for error in found if _is_file(order) else ():
        if error.where:
            error.inside(source_name(order[0]))
    return found


def _is_file(order: Sequence[str]) -> bool:
    """Whether a file is named in place of an order."""
    return len(order) == 1 and re.fullmatch(r"-|[^\s;]*[./\\][^\s;]*", order[0]) is not None


def _typed(order: Sequence[str]) -> str:
    """The text of the orders that are typed, or of the file that is named in their place."""
    if len(order) == 1:
        return read_orders(order[0]) if _is_file(order) else order[0]
    return " ".join(f'"{word}"' if " " in word else word for word in order)


FEW, MANY = 8, 20
"""Different futures that are told one by one unasked; of what has nothing that can be told together more."""


def _with_rest(each: Mapping[str, Fraction | float]) -> dict[str, Fraction | float]:
    """The most frequent futures, and the share of all others together; about so where one of theirs is."""
    shown, rest = dict(islice(each.items(), FEW)), [*each.values()][FEW:]
    return shown | {f"the other {len(rest):,} different futures together": sum(rest)}


def _show_shares(shares: Mapping[str, Fraction | float], *, empty: bool = True) -> None:
    """What may come, each with its share in percent and, where it is exact, as a fraction, behind an empty line."""
    if empty and shares:
        show("")
    for told, share in shares.items():
        about = f"about {per_cent(share, 1)}" if isinstance(share, float) else ""
        written = about or f"{per_cent(share, 2, even=True):>8} {share!s:>10}"
        show(filled(f"{in_words(written):>19}  {in_words(told)}", "  ", " " * 24))


def _data(found: Chances) -> dict[str, Any]:
    """The same as JSON data; fractions are text, there are none of what is about so."""

    def shares(given: Mapping[str, Fraction | float]) -> list[dict[str, Any]]:
        return [
            {"told": told, "share": None if about else str(share), "of_one": float(share), "about": about}
            for told, share in given.items()
            for about in (isinstance(share, float),)
        ]

    return {
        "factors": [factor._asdict() for factor in found.factors],
        "each": shares(found.each),
        "results": shares(found.results),
        "fates": {unit: shares(given) for unit, given in found.fates.items()},
        "fights": shares(found.fights),
        "ends": shares(found.ends),
        "choices": shares(found.choices),
        "about": bool(found.at_random),
        "at_random": float(found.at_random),
        "asks": found.asks,
        "answers": found.answers,
    }


@click.command("check")
@click.argument("orders", type=click.Path())
@game_option
@json_option
@click.pass_context
def check_command(ctx: click.Context, orders: str, game: str | None, as_json_data: bool) -> int:
    """Would these orders be accepted? Tells all errors at once.

    Each error comes with its line, clause and reason. Orders behind the first possible roll are played out with
    random dice, to tell how often each lapses. Nothing is signed.

    Example: pbem check orders.txt
    """
    text = read_orders(orders)
    me, place = look_at(ctx, game)
    checked = checked_orders(me, place, orders, text)
    if as_json_data:
        from pbem.report.ordered import came_words

        as_json({
            "accepted": not checked.errors,
            "errors": [error_data(error) for error in checked.errors],
            "lapses": [lapse._asdict() | {"told": str(lapse)} for lapse in checked.lapses],
            "endings": [
                ending._asdict() | {"lost": ending.lost, "told": str(ending)} for ending in checked.endings
            ],
            "odds": [
                {"line": line, "words": words, "odds": came_words(came)} for line, words, came in checked.comes
            ],
            "readings": [reading._asdict() for reading in checked.readings],
            "remarks": checked.remarks,
            "doubts": checked.doubts,
        })  # fmt: skip
    else:
        if (wish := wish_now(place.folder, place.table, place.me)) is not None:
            tell_checked(place, checked)
            hint(goes_first(place, wish))
        else:
            tell_checked(place, checked, f"; {sends(place, orders, checked)}")
    return 1 if checked.errors else 0
