"""What the commands share: the home folder, the key, the game meant, talk on standard error."""

from __future__ import annotations

import json
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.naming import carrying, mean
from pbem.errors import PbemError, Refused, Storage
from pbem.language import ENGLISH, language, say, shown
from pbem.words import own

if TYPE_CHECKING:
    from pbem.crypto.keys import Signer
    from pbem.desk.desk import Desk, Place
    from pbem.home.folders import Folder, Home
    from pbem.match.table import Due, Table
    from pbem.scenario import Scenario

__all__ = [
    "NOBODY", "OUTPUT", "address", "as_json", "asks_me", "at_terminal", "cache_folder", "call", "call_as_here",
    "check_entry", "cut", "desk", "due_words", "echo", "error_data", "filled", "folded", "game_meant", "hint", "hold",
    "home_of", "in_words", "json_option", "loaded_of", "look", "look_at", "lose_output", "moment", "one_line",
    "pictures_folder", "place_of", "player_name", "progress", "said_if_slow", "scenario_of", "show", "source_name",
    "take_home", "talk", "tell", "tell_damage", "thinking", "time_up", "time_up_words", "unlock_key", "utc",
]  # fmt: skip

WIDTH = 78
"""Columns of what is written for the eye."""

LINE_MAX = 300
"""Letters of a line of talk, whoever wrote the words in it."""

WORD = 40
"""Letters of a word that is cut in itself."""

json_option = click.option("--json", "as_json_data", is_flag=True, help="As JSON, for programs.")

SLOW = 2.0
"""Seconds behind which it is said what goes on."""

LAST = 253402300799
"""The last second of the year 9999, in seconds since 1970."""

OUTPUT = "standard output"
"""Where something is printed, in a message."""

NOBODY = "player@localhost"
"""Stands in a mail where an address isn't known."""


def one_line(message: str) -> str:
    """The message on one line; control characters, which a mail could have put there, are shown as their codes."""
    if message.isprintable():
        return message
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message)


def show(text: str, *, nl: bool = True) -> None:
    """Text on standard output; of control characters in its lines, whoever wrote them, the codes are shown.

    Raises Storage where it can't be written, BrokenPipeError where nobody reads it any more.
    """
    try:
        click.echo("\n".join(map(one_line, text.split("\n"))), nl=nl)
    except BrokenPipeError:
        raise
    except OSError as error:
        lose_output()
        raise Storage(f"it can't be written: {error.strerror}", OUTPUT) from error


def lose_output() -> None:
    """Let what standard output still holds, and all that is written to it, go nowhere."""
    with suppress(OSError, ValueError):  # it may be no file of the system
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def at_terminal() -> bool:
    """Whether somebody looks at what is printed."""
    return sys.stdout.isatty()


def echo(message: str) -> None:
    """A line of talk, on standard error; of one that is too long the beginning and the end."""
    _line(in_words(message))


def _line(words: str) -> None:
    click.echo(cut(f"pbem: {one_line(carrying(words))}", LINE_MAX), err=True)


_called: dict[str, str] = {}
"""Units and places of the game that is looked at -> what they are called in the language in force."""


def in_words(message: str) -> str:
    """A message in the language in force, its units and places as they are called in it."""
    return message if language() == ENGLISH else shown(message, _called)


def call(words: str, system: str) -> str:
    """A title or name of a scenario of a system in the language in force."""
    if language() == ENGLISH:
        return words
    from pbem.scenario import japanese_names

    return shown(words, japanese_names(system))


def call_as_here(place: Place) -> Place:
    """The game that is looked at, whose units and places are from now on called as in the language in force."""
    if language() != ENGLISH:
        from pbem.scenario import japanese_names

        own(*(player.name for player in place.table.genesis.players))
        _called.clear()
        _called.update(japanese_names(place.folder.home.load(place.table.genesis.terms.scenario).system))
    return place


def thinking(done: int, most: int) -> None:
    """How far a bot has come with its thoughts, on one line of a terminal's standard error, cleared at the end."""
    if sys.stderr.isatty():
        told = say("pbem: %(done)s of at most %(most)s play-outs", done=done, most=most) if done < most else ""
        click.echo(f"\r\x1b[K{told}", nl=False, err=True)


@contextmanager
def said_if_slow(what: str, seconds: float | None = None) -> Iterator[None]:
    """Say on standard error what goes on, where it isn't done after so many seconds."""
    timer = threading.Timer(SLOW if seconds is None else seconds, echo, [what])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def talk(message: str) -> None:
    """Some sentences of our own on standard error: on one line, or on more where it would be too long."""
    words = in_words(message)
    whole = len(words) <= LINE_MAX - 20
    for line in [words] if whole else filled(words, "", "  ").splitlines():
        _line(line)


def hint(message: str) -> None:
    """A hint, on standard error."""
    _line(say("hint: %(message)s", message=in_words(message)))


def tell(error: PbemError, about: str = "") -> None:
    """An error on standard error, `about` before it: a line with its hint, and one for each defect of a list."""
    error.hint = carrying(error.hint)
    if language() != ENGLISH:
        from pbem.cli.errors_told import lines_of

        for line in lines_of(error, about, in_words):
            _line(line)
        return
    text, defects = str(error), getattr(error, "lines", ())
    place = f"{error.where}: " if error.where else ""
    tail = one_line(text[len(place) + len(error.what) :])
    place, what = one_line(place), one_line(error.what.partition("\n")[0] if defects else error.what)
    over = max(0, len(f"pbem: {about}{place}{what}{tail}") - LINE_MAX)
    head = f"pbem: {about}{cut(place, max(60, len(place) - over))}{what}"  # a long path says least
    fits = len(tail) < LINE_MAX - 100
    click.echo(cut(head, LINE_MAX - len(tail)) + tail if fits else cut(head + tail, LINE_MAX), err=True)
    for defect in defects:
        echo(f"  {defect}")


def cut(text: str, most: int) -> str:
    """A text of at most so many letters: where it is longer, two thirds from its beginning, the rest from its end.

    It is cut between words, but for paths and words of WORD letters and more.
    """
    if len(text) <= most:
        return text
    end = most // 3
    begun, rest = text[: most - end - 4], text[len(text) - end - 1 :]
    words, space, part = begun.rpartition(" ")
    first = words.rstrip() if space and _is_word(part) else begun[:-1]
    part, space, words = rest.partition(" ")
    return f"{first} ... {words.lstrip() if space and _is_word(part) else rest[1:]}"


def _is_word(part: str) -> bool:
    """Whether a part of a text isn't cut in itself."""
    return len(part) < WORD and "/" not in part


def folded(text: str, first: str = "", rest: str | None = None) -> str:
    """A text in the language in force, in lines of at most 78 columns: `first` stands before the first one.

    `rest` stands before others.
    """
    return filled(in_words(text), first, rest)


def filled(text: str, first: str = "", rest: str | None = None) -> str:
    """A text as it is, in lines as `folded` makes them."""
    following, glued = first if rest is None else rest, text.replace(" %", "\0%")
    if language() != ENGLISH and not text.isascii():
        from pbem.language import lines as wide

        return wide.filled(text, first, following, WIDTH)
    lines = fill(glued, WIDTH, initial_indent=first, subsequent_indent=following, break_on_hyphens=False)
    return lines.replace("\0", " ")


def as_json(data: Any) -> None:
    """JSON on standard output."""
    show(json.dumps(data, indent=1, sort_keys=True))


def error_data(error: PbemError) -> dict[str, str]:
    """An error as JSON data: what happened, where, and what would be right."""
    return {
        "kind": next(kind.__name__ for kind in type(error).__mro__ if not kind.__name__.startswith("_")),
        "what": error.what,
        "where": error.where,
        "right": error.hint,
        "clause": getattr(error, "clause", ""),
    }


def moment(seconds: float) -> str:
    """A moment for the eye: `2026-11-21 10:48 UTC`."""
    return utc(seconds, "%Y-%m-%d %H:%M UTC")


def utc(seconds: float, form: str) -> str:
    """A moment as strftime writes it; one beyond the year 9999, which a wrong clock gave, as the end of that year."""
    return time.strftime(form, time.gmtime(min(seconds, LAST)))


def due_words(due: Due, me: str | None = None) -> str:
    """Who has to do what: `ben has to send orders`, `I have to reveal dice`."""
    if due.player is None:
        return "the game is over"
    who = due.player
    mine, his = {
        "orders": ("I have to send orders", f"{who} has to send orders"),
        "react": ("I have to answer", f"{who} has to answer"),
        "begin": ("I have to begin the game", f"{who} has to begin the game"),
        "reveal": ("I have to reveal dice", f"{who} has to reveal dice"),
        "reply": ("I have to accept or refuse a proposal", f"{who} has to accept or refuse a proposal"),
    }[due.what]
    return mine if who == me else his


def home_of(ctx: click.Context) -> Home:
    """The home folder."""
    from pbem.home.contents import default_home
    from pbem.home.folders import Home

    named = ctx.obj["home"]
    return Home(Path(named) if named else default_home(os.environ))


def progress() -> Callable[[int, int], None]:
    """A watcher that tells how far a replay is, once it takes longer than a second."""
    begun = last = time.monotonic()

    def watch(number: int, count: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - begun > 1 and now - last > 0.5:
            last = now
            echo(f"entry {number} of {count} ...")

    return watch


def desk(ctx: click.Context) -> Desk:
    """The player at his home folder; the key is loaded when it is first needed."""
    from pbem.desk.desk import Desk

    home = home_of(ctx)
    return Desk(home, lambda: _signer(ctx, home), os.urandom, progress())


def _signer(ctx: click.Context, home: Home) -> Signer:
    from pbem.crypto.keys import load_signer

    path = Path(ctx.obj["key"]) if ctx.obj["key"] else home.key
    if not path.exists() and not ctx.obj["key"] and not Path(f"{path}.pub").exists():
        raise Refused(f"there is no key: {path}", hint="`pbem key new` makes one, or name yours with --key or PBEM_KEY")
    signer = load_signer(path, lambda name: _passphrase(ctx, name))
    for line in signer.hints:
        hint(line)
    return signer


def _passphrase(ctx: click.Context, name: str) -> str:
    known = os.environ.get("PBEM_PASSPHRASE")
    if known is not None:
        return known
    if not sys.stdin.isatty() or ctx.obj.get("quiet"):
        raise Refused(f"the key {name} is encrypted", hint="give its passphrase in PBEM_PASSPHRASE, or use ssh-agent")
    from pbem.cli.asking import prompt

    ctx.obj["asked"] = True
    answer = prompt(cut(one_line(in_words(f"passphrase of {name}")), LINE_MAX), hide_input=True)
    ctx.obj["passphrase"] = answer
    return answer


def take_home(ctx: click.Context, me: Desk, *, make: bool = False) -> None:
    """Keep other programs out of the home folder until this command ends, as `hold` does.

    Every question to the player is asked before; the passphrase of his key is asked for here.
    """
    unlock_key(ctx, me)
    hold(ctx, me.home, make=make)


def hold(ctx: click.Context, home: Home, *, make: bool = False) -> None:
    """Keep other programs out of a home folder until this command ends; one that isn't there is made or left so.

    Raises Refused when another program doesn't let go.
    """
    from pbem.home.files import forget

    if make and not home.root.is_dir():
        ctx.call_on_close(partial(forget, home.root))  # unless something was written into it
    if make or home.root.is_dir():
        ctx.with_resource(home.locked(_doing(ctx)))


@contextmanager
def look(ctx: click.Context, me: Desk, *, to_write: bool = False) -> Iterator[None]:
    """Keep other programs out of the home folder for a while.

    One that can't be written is looked at as it is; `to_write` raises Storage then.
    """
    with ExitStack() as held:
        if me.home.root.is_dir():
            with suppress(*() if to_write else (Storage,)):
                held.enter_context(me.home.locked(_doing(ctx)))
        yield


def _doing(ctx: click.Context) -> str:
    return f"`{ctx.command_path}` since {moment(time.time())}"


def unlock_key(ctx: click.Context, me: Desk) -> None:
    """Load the key, if it can be; but for a wrong passphrase what is wrong with it is said where it is needed."""
    try:
        _ = me.signer
    except PbemError:
        if ctx.obj.get("asked"):
            raise


def place_of(ctx: click.Context, game: str | None, *, surely: bool = False, once: bool = False) -> tuple[Desk, Place]:
    """The desk, and the game meant, opened to change it: other programs wait until this command ends.

    What ends a game wants to know it `surely`: named, or my only one. What I send `once` is refused when I am asked
    again behind an entry of mine that another program has signed since this one was called.
    """
    mine = desk(ctx)
    folder = mean(ctx, mine.home, mine.home.find(game)) if surely else game_meant(ctx, mine, game)
    take_home(ctx, mine)
    tell_damage(ctx, folder)
    place = _at_head(ctx, mine.place(folder))
    if once and _sent_since(place, ctx.obj.get("begun", time.time())):
        what = "a turn of mine was sent at the same moment, and I am asked anew; nothing is signed"
        raise Refused(what, mine.home.name_of(folder), "`pbem report` tells how things stand")
    return mine, call_as_here(place)


def _sent_since(place: Place, begun: float) -> bool:
    """Whether I am asked behind an entry of mine that came into the log since a time, by this machine's clock."""
    if place.table.due().player != place.me or not begun < place.folder.grown() <= time.time():
        return False
    table = place.table
    mine = table.seq if table.genesis.terms.solo else table.last_by.get(place.me, 0)
    return place.folder.times(table.seq + 1).get(mine, 0) >= int(begun)


def look_at(ctx: click.Context, game: str | None, *, surely: bool = False) -> tuple[Desk, Place]:
    """The desk, and the game meant, opened to look at it: other programs wait until it is open. `surely` as there."""
    mine = desk(ctx)
    folder = mean(ctx, mine.home, mine.home.find(game)) if surely else game_meant(ctx, mine, game)
    unlock_key(ctx, mine)
    tell_damage(ctx, folder)
    with look(ctx, mine):
        return mine, call_as_here(_at_head(ctx, mine.place(folder)))


def _at_head(ctx: click.Context, place: Place) -> Place:
    """The game, if its newest entry is the one that --head names, if it names any. Raises Refused."""
    head = ctx.obj.get("head")
    if head is not None and place.table.head.hex() != head:
        what = "the game has gone on meanwhile; nothing is signed"
        raise Refused(what, place.folder.home.name_of(place.folder), "look at it again")
    return place


def tell_damage(ctx: click.Context, folder: Folder) -> None:
    """Say which small files of a game are damaged, each once, and by which command of that game they go away."""
    from pbem.home.damage import damage

    told: set[str] = ctx.obj.setdefault("damage", set())
    meant = ctx.obj.get("game", "")
    for error in damage(folder):
        if error.where not in told:
            told.add(error.where)
            mean(ctx, folder.home, folder)
            tell(error)
    ctx.obj["game"] = meant


def game_meant(ctx: click.Context, me: Desk, game: str | None) -> Folder:
    """The game that is named, the only one, or of several the only one in which I am asked. Raises Refused."""
    games = me.home.games()
    if game or len(games) < 2:
        return mean(ctx, me.home, me.home.find(game))
    unlock_key(ctx, me)
    asked = []
    for folder in games:
        with suppress(PbemError), look(ctx, me):  # of a damaged one other commands tell
            if asks_me(me.glance(folder), folder):
                asked.append(folder)
    if len(asked) != 1:
        what = f"there are {len(games)} games, and I am asked in {len(asked) or 'none'} of them"
        raise Refused(what, hint="--game " + " or --game ".join(me.home.named()))
    echo(f"of {len(games)} games it is {me.home.name_of(asked[0])}, the only one in which I am asked")
    return mean(ctx, me.home, asked[0])


def asks_me(table: Table, folder: Folder) -> bool:
    """Whether I am asked in a game."""
    due = table.due().player
    return due is not None and (table.genesis.terms.solo or due == folder.contact().name)


def time_up(folder: Folder, table: Table, me: str) -> int | None:
    """When my opponent's time is up, in seconds since 1970; None when nothing is due from him, or without deadline."""
    from pbem.home.times import DAY, since

    terms, due = table.genesis.terms, table.due().player
    begun = table.seq > 1  # before entry 2 nobody can claim
    if not (terms.deadline and begun) or terms.solo or due in (None, me) or me not in table.players:
        return None
    entries = folder.entries()
    return since(entries, folder.times(len(entries)), me) + terms.deadline * DAY


def time_up_words(who: str, up: int) -> str:
    """`ben's time is up on 2026-11-25 12:00 UTC`, or was."""
    at = moment(up + -up % 60)
    return f"{who}'s time is up on {at}" if time.time() < up else f"{who}'s time was up on {at}"


def scenario_of(me: Desk, place: Place) -> Scenario:
    """The scenario of a game."""
    return loaded_of(me, place.table.genesis.terms.scenario)


def loaded_of(me: Desk, scenario: str) -> Scenario:
    """A scenario by its id; where its games aren't told in the language in force all goes on in English."""
    loaded = me.home.load(scenario)
    if language() != ENGLISH:
        from pbem.cli.speaking import tell_in

        tell_in(loaded)
    return loaded


def cache_folder(me: Desk, name: str) -> Path | None:
    """A folder in the cache, made if it can be; None else."""
    path = me.home.cache / name
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return path


def pictures_folder(home: Home) -> Path | None:
    """Where the ground of maps is kept; None without a home folder, for which none is made."""
    return home.cache / "pictures" if home.root.is_dir() else None


# --- what was typed ----------------------------------------------------------------------------------------------


def player_name(name: str) -> str:
    """A player's name as it was typed. Raises Refused for one that can't stand in a game."""
    from pbem.wire.statements import NAME

    if not re.fullmatch(NAME, name):
        hint = "a small letter a-z, then a-z, 0-9 and -; 16 at most"
        near = re.sub("[^a-z0-9-]+", "-", name.lower()).strip("-0123456789")[:16].rstrip("-")
        raise Refused(f"{name!r:.60} can't be a player's name", "--name", f"{hint}, as in {near}" if near else hint)
    return name


def check_entry(entry: int, newest: int) -> None:
    """Raises Refused for the number of an entry behind which a log, up to its newest, tells nothing."""
    if not 1 <= entry <= newest:
        raise Refused(f"there is no situation after entry {entry}", "--entry", f"1 to {newest} are there")


def address(option: str, typed: str) -> str:
    """The mail address that was typed, "" for none. Raises Refused for what is no single plain one."""
    from pbem.home.contact import checked_address

    found = checked_address(typed)
    if typed and not found:
        raise Refused(f"{typed!r:.60} isn't a mail address", option, "one address it must be, as in ben@example.net")
    return found


def source_name(path: str) -> str:
    """What a file is called in a message."""
    return "standard input" if path == "-" else path
