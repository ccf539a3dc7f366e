"""Many games between bots, counted: simulate."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import as_json, at_terminal, echo, error_data, home_of, in_words, json_option, show, tell
from pbem.cli.completion import bots, scenarios
from pbem.cli.files import save
from pbem.cli.kept_games import keeping
from pbem.cli.offers import options_of
from pbem.cli.written import takes, writable
from pbem.errors import PbemError, Refused, Storage

if TYPE_CHECKING:
    from pbem.cli.kept_games import Kept
    from pbem.simulate.game import Played, Run

__all__ = ["simulate_command"]

ENDS = {".html": "html", ".csv": "csv", ".json": "json", ".md": "md"}
"""How the name of a file ends -> what is written to it."""

WIDEST = 100
"""Columns of a wide terminal that are used."""

PROCESSES = 4
"""For each processor at most: more play no faster."""

OFTEN, SELDOM = 0.2, 20.0
"""Seconds between two words on how far it is: at a terminal, where they stand on one line; elsewhere."""

BEAT = 1.0
"""Seconds after which the line of a terminal says that games are still played, though none has ended."""


@click.command("simulate")
@click.argument("scenario", shell_complete=scenarios)
@click.option("--games", type=click.IntRange(1, 1_000_000), required=True, metavar="N", help="How many.")
@click.option(
    "--first",
    required=True,
    metavar="BOT",
    shell_complete=bots,
    help="The bot of the first side, as `bold`.",
)
@click.option("--second", required=True, metavar="BOT", shell_complete=bots, help="The bot of the second side.")
@click.option("--jobs", type=click.IntRange(1), metavar="J", help="So many processes of this machine (default: 1).")
@click.option("--dask", metavar="ADDRESS", help="The workers of a Dask scheduler; needs pbem[cluster].")
@click.option("--seed", type=click.IntRange(0), help="Plays the same games again (default: those kept, or others).")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the scenario.")
@click.option("--reactions", type=click.Choice(["standing", "ask"]), default="standing", show_default=True,
              help="What the other side's action asks: by default, or the bot is asked.")  # fmt: skip
@click.option("--keep", metavar="FILE", type=click.Path(),
              help="Keep each game there as it ends, and play only those that it lacks.")  # fmt: skip
@click.option("--csv", "as_csv", is_flag=True, help="A line a game, for spreadsheets.")
@json_option
@click.option("-o", "--output", "outputs", multiple=True, metavar="FILE", type=click.Path(),
              help="Write it there too: .html with pictures, .csv, .json or .md; may be repeated.")  # fmt: skip
@click.pass_context
def simulate_command(
    ctx: click.Context, scenario: str, games: int, first: str, second: str, jobs: int | None, dask: str | None,
    seed: int | None, options: tuple[str, ...], reactions: str, keep: str | None, as_csv: bool, as_json_data: bool,
    outputs: tuple[str, ...],
) -> int:  # fmt: skip
    """Many games between bots: who wins, how long, how many mails.

    The games are played entry by entry as by mail, without mails. Each has its own dice, which hang on the seed and
    its number alone: the same seed plays the same games, by however many processes or machines. Ctrl-C ends it with
    the games that have been played; short ones end first, so that there may be too many of them among these. With
    --keep the same command goes on with the others.

    \b
    Example: pbem simulate yao --games 100 --first bold --second random
                 --jobs 4 -o yao.html
    """
    ctx.with_resource(_terminable())
    from pbem.simulate.summary import summary

    if jobs is not None and dask is not None:
        raise click.UsageError("--jobs and --dask can't both say who plays: processes here, or a cluster")
    if as_csv and as_json_data:
        raise click.UsageError("--csv and --json can't both be written to standard output; -o FILE.csv writes one")
    kinds = _kinds(outputs)
    _check_keep(keep, kinds)
    run = _run(ctx, scenario, (first, second), seed, options_of(options), reactions)
    with keeping(keep, run, seeded=seed is not None) as kept:
        played, why = _collected(kept, games, jobs or 1, dask)
        going_on = _how_to_go_on(keep, there=kept.there())
    if not played:
        raise why or Refused("no game was played")
    data = summary(kept.run, games, sorted(played)) | ({} if why is None else {"error": error_data(why)})
    whole = _given(data, kinds, as_csv=as_csv, as_json_data=as_json_data)
    if why is not None:
        tell(why)
        echo(f"{len(played)} of {games} games were played, and are told of; {going_on}")
    return 0 if whole and why is None else 1


def _kinds(outputs: tuple[str, ...]) -> list[tuple[str, str]]:
    """The files to be written, each with what is written to it. Raises Refused or Storage, before anything is played,
    for those that can't be."""
    found: dict[str, tuple[str, str]] = {}
    for path in outputs:
        kind = ENDS.get(Path(path).suffix.lower())
        if kind is None:
            raise Refused("its name doesn't say what is to be written", path, f"it ends in {', '.join(ENDS)}")
        writable(path, kind)
        takes(path)
        if (file := os.path.realpath(path)) in found:
            raise Refused(f"it is the same file as {found[file][0]}", path, "name each file once")
        found[file] = path, kind
    return list(found.values())


def _check_keep(keep: str | None, files: list[tuple[str, str]]) -> None:
    """Raises Refused where games shall be kept in a file that something else is written to."""
    for path, _ in files:
        if keep is not None and os.path.realpath(path) == os.path.realpath(keep):
            raise Refused(f"it is the same file as {path}", f"--keep {keep}", "name another file")


def _few(jobs: int, games: int) -> int:
    """How many processes play: so many as are wanted, but no more than there are games, or than this machine bears."""
    most = PROCESSES * (os.cpu_count() or 1)
    if min(jobs, games) > most:
        echo(f"--jobs {jobs}: {most} processes play, {PROCESSES} for each processor here: more would only take memory")
    return min(jobs, games, most)


def _run(
    ctx: click.Context, scenario: str, played_by: tuple[str, str], seed: int | None, options: dict[str, str],
    reactions: str,
) -> Run:  # fmt: skip
    """What is played. Raises Refused or BadScenario for what isn't known."""
    from pbem.desk.desk import terms_of
    from pbem.match.bots import BOTS
    from pbem.simulate.game import Run
    from pbem.words import nearest

    for option, bot in zip(("--first", "--second"), played_by, strict=True):
        if bot not in BOTS:
            raise Refused(f"no bot is called {bot!r:.60}", option, nearest(bot, sorted(BOTS)))
    loaded = home_of(ctx).load(scenario)
    drawn = int.from_bytes(os.urandom(4), "big") if seed is None else seed
    return Run(loaded, terms_of(loaded, options, reactions=reactions), played_by, drawn)


def _games(run: Run, numbers: list[int], jobs: int, dask: str | None) -> Generator[Played, None, None]:
    """The games of these numbers, as they end."""
    from pbem.simulate import cluster, processes

    if dask is not None:
        return cluster.by_cluster(run, numbers, dask)
    return processes.by_processes(run, numbers, jobs) if jobs > 1 else processes.here(run, numbers)


def _collected(kept: Kept, count: int, jobs: int, dask: str | None) -> tuple[list[Played], PbemError | None]:
    """The games that are kept or were played, and why not all of them."""
    found = [game for game in kept.games.values() if game.number <= count]
    left = [number for number in range(1, count + 1) if number not in kept.games]
    if found:
        echo(f"{len(found)} of {count} games are kept already{'' if left else ', and none is played'}")
    if not left:
        return found, None
    jobs = 1 if dask else _few(jobs, len(left))
    echo(_what_is_played(kept.run, len(left), f"the workers of {dask}" if dask else _counted(jobs, "process")))
    with closing(_games(kept.run, left, jobs, dask)) as games, _progress(len(found), count) as watch:
        try:
            for game in games:
                kept.keep(game)
                found.append(game)
                watch(len(found))
        except KeyboardInterrupt:
            return found, Refused("given up" if found else "given up, before a game had ended")
        except PbemError as error:
            return found, error
    return found, None


def _what_is_played(run: Run, games: int, by: str) -> str:
    """What is said before the first game."""
    first, second = run.bots
    return f"{_counted(games, 'game')} of {run.scenario.id}, {first} against {second}, seed {run.seed}, by {by}"


def _counted(number: int, what: str) -> str:
    """`1 game`, `2 processes`."""
    return f"{number} {what}{('es' if what.endswith('s') else 's') * (number != 1)}"


def _how_to_go_on(keep: str | None, *, there: bool) -> str:
    """What is said of the games that are missing."""
    if keep is None:
        return "with --keep FILE none would have to be played again"
    if not there:
        return f"{keep}, where they were kept, is gone, and the same command plays all of them again"
    return f"they are kept in {keep}, and the same command goes on with the others"


@contextmanager
def _terminable() -> Iterator[None]:
    """Let a signal to end, as `kill` and a machine that is switched off send it, be the same as Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _progress(kept: int, count: int) -> Iterator[Callable[[int], None]]:
    """A watcher that tells how many games there are, of which so many were kept before, and how long the others will
    take: at a terminal on one line. It speaks by itself, too, until a game has ended, and at a terminal ever after."""
    begun = last = time.monotonic()
    done, one_line = kept, _at_a_screen()

    def say(spent: float) -> None:
        rest = f"{_about(spent / (done - kept) * (count - done))} to go" if done > kept else f"{_about(spent)} so far"
        told = f"{done} of {count} games, {rest}"
        _on_the_line(f"pbem: {in_words(told)}") if one_line else echo(told)

    def watch(number: int) -> None:
        nonlocal done, last
        done, now = number, time.monotonic()
        if now - last > (OFTEN if one_line else SELDOM):
            last = now
            say(now - begun)

    def beat() -> None:
        if one_line or done == kept:
            say(time.monotonic() - begun)

    if one_line:
        _on_the_line(f"pbem: {in_words(f'{kept} of {count} games')}")
    with _beating(beat, BEAT if one_line else SELDOM, 1 if one_line else 2):
        yield watch
    if one_line:
        _on_the_line("")


@contextmanager
def _beating(beat: Callable[[], None], seconds: float, longer: float) -> Iterator[None]:
    """Do something beside what is done meanwhile, after so many seconds, and again after so many times as many."""
    over = threading.Event()

    def go_on() -> None:
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))  # the main thread hears them
        wait = seconds
        while not over.wait(wait):
            beat()
            wait *= longer

    thread = threading.Thread(target=go_on, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _at_a_screen() -> bool:
    return sys.stderr.isatty()


def _on_the_line(words: str) -> None:
    """Words in place of those that stand on the line."""
    click.echo(f"\r\x1b[K{words}", nl=False, err=True)


def _about(seconds: float) -> str:
    """A time to come: `40 seconds`, `6 minutes`, `3 hours`."""
    for long, name in ((3600, "hours"), (60, "minutes")):
        if seconds >= 2 * long:
            return f"{seconds / long:.0f} {name}"
    return _counted(round(seconds), "second")


def _given(data: dict[str, Any], files: list[tuple[str, str]], *, as_csv: bool, as_json_data: bool) -> bool:
    """Print what the games come to, and write it to the files, each whether or not the others can be; False, told why,
    where one couldn't. Raises BrokenPipeError behind all of them where nobody reads what is printed.
    """
    failed: list[PbemError] = []
    unread: BrokenPipeError | None = None
    try:
        _shown(data, as_csv=as_csv, as_json_data=as_json_data)
    except BrokenPipeError as error:
        unread = error
    except Storage as error:
        failed.append(error)
    for path, kind in files:
        try:
            save(path, _as_bytes(data, kind))
            echo(f"written to {path}")
        except PbemError as error:
            failed.append(error)
    for told in failed:
        tell(told)
    if unread is not None:
        raise unread
    return not failed


def _shown(data: dict[str, Any], *, as_csv: bool, as_json_data: bool) -> None:
    """What the games come to, on standard output."""
    from pbem.report.simulated import table, text

    if as_json_data:
        as_json(data)
    elif as_csv:
        show(table(data), nl=False)
    else:
        show(text(data, min(shutil.get_terminal_size().columns - 1, WIDEST) if at_terminal() else 79), nl=False)


def _as_bytes(data: dict[str, Any], kind: str) -> bytes:
    """What is written to a file."""
    from pbem.report.simulated import markdown, page, table

    if kind == "json":
        return (json.dumps(data, indent=1, sort_keys=True) + "\n").encode("utf-8")
    return {"html": page, "csv": table, "md": markdown}[kind](data).encode("utf-8")
