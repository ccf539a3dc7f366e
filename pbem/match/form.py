"""The order form: every unit and what it may do now, as a commented order file."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from textwrap import wrap

from pbem.language import in_each
from pbem.language.lines import across, filled, justified
from pbem.match.exact import at_first_dice, endings
from pbem.match.orders import statement_of
from pbem.match.phases import later_phases, plans_to_come
from pbem.match.table import BARE, Table
from pbem.match.way import answered
from pbem.rules.fates import OF_PLACES
from pbem.rules.requests import Choose, FormEntry, Standing, Words
from pbem.words import listed

__all__ = ["fitted", "form", "sealed", "untouched", "with_dice"]

WIDTH = 78
"""Columns of the form; an order that is longer goes on in the next line."""

STANDING = "standing ...;"

LANGUAGE = (
    (
        "",
        "Take the # away before the orders you want, change them, add your own: one a line, or with `;` between them; "
        "a long one goes on behind a comma in the next line, indented.",
    ),
    ("if TEST then ORDER;", "carries the order out if the test holds when its turn comes"),
    ("stop if TEST;", "drops what follows; the phase stays open and I am asked again"),
    ("stop whenever TEST;", "the same before any decision at which the test comes to hold, as long as orders wait"),
    ("strict;", "makes the first order that lapses such a stop"),
    (STANDING, "what my units do when the other side's action asks me: {0}"),
    ("say ...;", "a word to the opponent"),
    ("", "Tests: {1}; with `not` before or `and` between."),
)
NOT_IN_REACT = ("stop if TEST;", "stop whenever TEST;", "strict;")


def form(table: Table, name: str, tell: Callable[[str], str] = str) -> str:
    """The form for what is due from the player. Raises Refused when nothing is due from him.

    `tell` puts each of its sentences into the language in which it is read; orders stay.

    An order stands on a line `# ORDER;`, or more where each but the last ends with a comma; all else on lines that no
    order begins on.
    """
    due = table.due_from(name)
    situation = table.rules.situation(table.game.state)
    lines = _comment(tell(situation["title"]))
    turn = tell(table.rules.TURN).capitalize()
    lines += _comment(tell(f"{turn} {situation['turn']} of {situation['turns']}, {situation['phase']['title']}"))
    if due.what in BARE or due.request is None:
        bare = f"Only a {due.what} is due: `pbem send -o turn.eml`, without orders, sends it."
        bare = bare if due.what in BARE else "An answer to a proposal is due."
        return "\n".join([*lines, *_comment(tell(bare)), ""])
    lines += _comment(tell(f"{tell(due.what).title()} by {name}: {due.request.prompt} [{due.request.clause}]"))
    lines.append("#")
    side = table.genesis.player(name).side
    for words, about in [*LANGUAGE[:-1], *_plans(table, list(later_phases(table, side))), LANGUAGE[-1]]:
        if (due.what == "react" and words in NOT_IN_REACT) or (words == STANDING and not table.rules.STANDING):
            continue
        about = tell(about).format(tell(_standing(table, tell)), tell(_tests(table, situation["ground"])))
        lines += _comment(about, f"#   {words:<20} ", f"#   {'':<21}") if words else _comment(about)
    if due.what == "react":
        lines += _comment(tell("Several answers may stand here, in the order in which they will be asked."))
    for order in table.rules.in_force(table.game.state, table.course.standing[side]):
        lines += _comment(f"{tell('in force:')} {STANDING.replace('...', ' '.join(order))}", "#   ", "#     ")
    for plan in dict.fromkeys(str(statement_of(plan)) for plan in plans_to_come(table, side)):
        lines += _comment(f"{tell('planned:')} {plan}", "#   ", "#     ")
    before: FormEntry | None = None
    for entry in table.rules.form(table.game.state, due.request):
        lines += ["", *_entry(_foretold(table, side, entry), before, tell)]
        before = entry
    return "\n".join([*lines, ""])


def with_dice(table: Table, name: str) -> Words:
    """The first order of the form that has dice, else its first at all; () where it has none. Raises Refused."""
    due, rules, side = table.due_from(name), table.rules, table.genesis.player(name).side
    if not isinstance(due.request, Choose):
        return ()
    listed = [words for entry in rules.form(table.game.state, due.request) for words, _ in entry.orders]
    asked = [words for words in listed if due.request.why_not(rules.read_order(table.board, side, words)) is None]
    dice = (w for w in asked if rules.tell_odds(table.game.state, side, rules.read_order(table.board, side, w)))
    return next(dice, asked[0] if asked else ())


def _standing(table: Table, tell: Callable[[str], str]) -> str:
    """How standing orders are written, and what counts where none answers."""
    either = tell("or")
    ways = (f" {either} " if either.isascii() else either).join(f"`{how}`" for how in table.rules.STANDING.values())
    asked = table.genesis.terms.reactions != "standing"
    return f"{ways}; where none answers, {'I am asked' if asked else 'the rules choose'}"


def _tests(table: Table, ground: str) -> str:
    """How conditions are written, on ground that has hexes or other places."""
    return ", ".join(table.rules.CONDITIONS.values()).replace("HEX", (ground or "place").upper())


def _plans(table: Table, coming: list[str]) -> list[tuple[str, str]]:
    """What is said of plans, where a phase for them comes."""
    about = (
        f"for my next phase of that name in this {table.rules.TURN} ({', '.join(coming)}), until I send other orders "
        "or answer what I am asked; he reads it at once (`pbem lay` keeps orders to myself)"
    )
    return [(f"in {coming[0]}: ORDER;", about)] if coming else []


def fitted(text: str) -> str:
    """A form in which commands have become longer, by the name of a game, in lines of its width again."""
    lines: list[str] = []
    for line in text.split("\n"):
        start = line[: len(line) - len(line.lstrip("# "))]
        lines += _comment(line[len(start) :], start) if across(line) > WIDTH and start else [line]
    return "\n".join(lines)


def sealed(text: str, tell: Callable[[str], str] = str) -> str:
    """A form with a last line that tells whether it is as it was written."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    last = tell(_last("\n".join(lines)))
    return f"{text.strip()}\n\n# {last}\n"


def _last(text: str) -> str:
    """The last line of a form that is this text."""
    total = sha256(text.encode("utf-8")).hexdigest()[:8]
    return f"By {total} the program knows that nothing was changed in this form."


def untouched(text: str) -> bool:
    """Whether a text is empty, or a sealed form in which nobody has changed anything but the ends of lines.

    The form may be in any language.
    """
    lines = [line.rstrip() for line in text.strip().splitlines()]
    last = _last("\n".join(lines[:-1]).strip())
    return not lines or any(lines[-1] == f"# {told}" for told in in_each(last))


def _foretold(table: Table, side: str, entry: FormEntry) -> FormEntry:
    """An entry whose orders have their odds as standing orders answer, and say when they may end the game."""
    orders = []
    for words, written in entry.orders:
        note = _as_answered(table, side, words, written) if written else ""
        ends = [ending.note for ending in endings(table, side, words)]
        orders.append((words, "; ".join([note, *ends] if note else ends)))
    return entry._replace(orders=tuple(orders))


def _as_answered(table: Table, side: str, words: Words, note: str) -> str:
    """The note of an order with its odds as standing orders answer before its dice and behind them."""
    rules, order = table.rules, table.rules.read_order(table.board, side, words)
    now = rules.tell_odds(table.game.state, side, order)
    if not now or now not in note:
        return note
    there, standing = at_first_dice(table, side, words), table.course.standing
    then = rules.tell_odds(there.game.state, side, order, standing)
    if now == then:
        return note
    said = [] if there is table else [(of, words) for of, how, words in answered(there.steps) if how == "standing"]
    said += [
        (of, words)
        for of, orders in standing.items()
        for words in rules.in_force(there.game.state, orders)
        if (of, words) not in said
        and then != rules.tell_odds(there.game.state, side, order, _without(standing, of, words))
    ]
    mine = table.genesis.of_side(side).name
    names = {of: "my" if (name := table.genesis.of_side(of).name) == mine else f"{name}'s" for of in standing}
    by = listed(f"{names[of]} `{' '.join(words)}`" for of, words in said)
    events = () if there is table else (step for step in there.steps if step["kind"] == "tell")
    ends = [f"; {step['facts']['at']}: {OF_PLACES[step['what']]}" for step in events if step["what"] in OF_PLACES]
    return note.replace(now, f"{by or 'by default'}: {then}{''.join(ends)}")


def _without(standing: Standing, side: str, words: Words) -> Standing:
    """The standing orders of both sides without one of a side."""
    return {of: [one for one in orders if (of, one) != (side, words)] for of, orders in standing.items()}


def _entry(entry: FormEntry, before: FormEntry | None, tell: Callable[[str], str]) -> list[str]:
    """A heading, its notes and its orders; notes that are those of the entry before aren't told again."""
    lines = _comment(tell(entry.heading), "# ", "#   ")
    if entry.notes and before is not None and entry.notes == before.notes:
        lines += _comment(tell("the same as above"), "#   ")
    else:
        for note in entry.notes:
            lines += _comment(tell(note), "#   ", "#     ")
    for words, note in entry.orders:
        lines += _order(" ".join(entry.typed.get(words, words)) + ";", tell(note))
    return lines


def _order(order: str, note: str) -> list[str]:
    """An order and its note: behind it where there is room, else on the lines below it. No line ends behind `at`."""
    glued = order.replace(" at ", " at\N{NO-BREAK SPACE}")
    lines = [f"{line},".replace("\N{NO-BREAK SPACE}", " ") for line in _filled(glued, WIDTH - 1, "# ", "#   ")]
    lines[-1] = lines[-1].removesuffix(",")
    if not note:
        return lines
    beside = f"{justified(lines[0], 40)}  # {note}"
    fits = len(lines) == 1 and across(beside) <= WIDTH
    return [beside] if fits else [*lines, *_comment(note, "#     ", "#     ")]


def _comment(text: str, start: str = "# ", rest: str | None = None) -> list[str]:
    glued = text.replace(" %", "\N{NO-BREAK SPACE}%")
    lines = _filled(glued, WIDTH, start, start if rest is None else rest)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def _filled(text: str, width: int, start: str, rest: str) -> list[str]:
    if across(text) > len(text):
        return filled(text, start, rest, width).split("\n")
    return wrap(
        text, width, initial_indent=start, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
