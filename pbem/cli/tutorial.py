"""The tutorial: a few turns against a bot in a practice folder, by the real commands, step by step."""

from __future__ import annotations

import os
import random
import shlex
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.asking import prompt
from pbem.cli.common import echo, folded, hint, in_words, show
from pbem.cli.files import ORDERS_MAX, save
from pbem.cli.lessons import (
    AGAIN,
    CHECK,
    CLOSING,
    ENDED,
    FAREWELL,
    GREETING,
    LEFT,
    OVER,
    SEND,
    STEPS,
    TURNS,
    Step,
    turn_words,
)
from pbem.errors import Refused

if TYPE_CHECKING:
    from pbem.desk.desk import Place
    from pbem.home.folders import Folder

__all__ = ["tutorial_command"]

DEFAULT = "pbem-tutorial"
"""The folder where none is named."""

STAGE, SINCE = "tutorial", "tutorial-since"
"""What of the tutorial is kept in the settings of its home: the step, and the entry that its orders follow."""

READING = {"brief", "check", "form", "games", "report", "rolls", "rules", "scenarios", "suggest", "verify"}
"""Commands that may be typed at any time."""

HELP = {"--help", "-h", "--version"}

STAGES = (*STEPS, "check", "send", "write", *CLOSING, "over")
"""The steps in the order in which they first come; `write`, `check` and `send` come for each phase."""

PHASE = ("orders", "write", "check", "send")
"""The steps in which orders for a phase may be sent."""

MOST_ORDERS = 4
"""Orders of an example."""


@click.command("tutorial")
@click.argument("folder", default=DEFAULT, type=click.Path(file_okay=False))
@click.pass_context
def tutorial_command(ctx: click.Context, folder: str) -> None:
    """Learn by playing: three turns against a bot, step by step.

    Each step says what to type and why, and looks at what was typed. The game is a real one, in FOLDER (default:
    pbem-tutorial), with a home folder of its own there. It can be left at any time, and gone on with by the same
    command.

    Example: pbem tutorial
    """
    practice = Practice(Path(folder))
    if practice.stage == "over":
        echo(in_words(OVER).format(folder=folder))
        return
    show("\n\n".join(folded(practice.filled(words)) for words in GREETING))
    _lead(practice)


class Practice:
    """The practice folder, and how far the player has come in it."""

    def __init__(self, root: Path) -> None:
        from pbem.home.folders import Home
        from pbem.home.settings import SETTINGS, read_settings

        self.root = root
        self.home = Home(root / "home")
        kept = read_settings(self.home.root)
        if root.is_dir() and any(root.iterdir()) and STAGE not in kept:
            raise Refused("the folder holds something else than a tutorial", str(root), "name a new one")
        self.stage, since = kept.get(STAGE, next(iter(STEPS))), kept.get(SINCE, "1")
        if self.stage not in STAGES or not (since.isascii() and since.isdigit()):
            hint = f"delete {root} to begin the tutorial anew"
            raise Refused("how far the tutorial has come can't be read", str(self.home.root / SETTINGS), hint)
        self.since = int(since)
        self.keep(self.stage)

    def keep(self, stage: str) -> None:
        """Go to a step, and keep that it was reached."""
        from pbem.home.settings import write_settings

        self.stage = stage
        write_settings(self.home.root, **{STAGE: stage, SINCE: str(self.since)})

    @property
    def folder(self) -> Folder | None:
        """The game; None before it has begun."""
        return next(iter(self.home.games()), None)

    def opened(self) -> Place:
        """The game as it stands; where an earlier run was cut off the bot answers first."""
        from pbem.cli.sparring import bot_here
        from pbem.crypto.keys import load_signer
        from pbem.desk.desk import Desk
        from pbem.desk.sparring import exchange

        me = Desk(self.home, lambda: load_signer(self.home.key), os.urandom)
        with self.home.locked("`pbem tutorial`"):
            return exchange(me, me.place(self.home.find(None)), bot_here(me, "bold"))

    def filled(self, words: str) -> str:
        """A text of the lessons with the names of this practice."""
        log = self.folder.log.relative_to(self.root).as_posix() if self.folder is not None else ""
        home, file = self.home.root, f"orders-{self.since + 1}.txt"
        again = "" if self.root == Path(DEFAULT) else f" {self.root}"
        return in_words(words).format(file=file, log=log, home=home, folder=self.root, again=again)

    def step(self) -> Step:
        """What is to be done now."""
        if self.stage == "write":
            return self._orders()
        later = {"check": CHECK, "send": SEND} if self.since == 1 else AGAIN
        return {**STEPS, **later, **CLOSING}[self.stage]

    def _orders(self) -> Step:
        """The step in which orders for what is asked now are written."""
        place = self.opened()
        request = place.table.due().request
        if request is None:
            raise Refused("nothing is asked of you in the game of this tutorial", str(self.root), "begin another one")
        turn, _ = place.table.rules.clock(place.table.game.state)
        return turn_words(request.kind, int(turn), request.prompt, _example(place))

    def go_on(self) -> None:
        """Go to the next step."""
        if self.stage in PHASE and self._sent():
            self.keep(self._after_turn())
        else:
            self.keep("check" if self.stage == "write" else STAGES[STAGES.index(self.stage) + 1])

    def _sent(self) -> bool:
        """Whether the orders of this step are in the log."""
        return self.opened().table.seq > self.since

    def _after_turn(self) -> str:
        """The step behind orders that were sent."""
        table = self.opened().table
        self.since = table.seq
        turn, _ = table.rules.clock(table.game.state)
        if table.outcome is not None:
            show("\n" + folded(in_words(ENDED).format(outcome=in_words(table.outcome.reason)), "  "))
        return "write" if table.outcome is None and int(turn) <= TURNS else next(iter(CLOSING))

    def has_the_wrong_ones(self) -> bool:
        """Whether the order file holds the orders that are to be refused, and no others."""
        from pbem.home.files import read_small

        written = read_small(self.root / self.filled("{file}"), ORDERS_MAX).decode("utf-8", "replace")
        return written.replace(";", " ").lower().split() == STEPS["wrong"].orders.split()

    def done_before(self) -> bool:
        """Whether an earlier run did what the step asks for, and was cut off before it could keep that."""
        return {"key": self.home.key.exists(), "play": self.folder is not None}.get(self.stage, False)

    def again(self) -> None:
        """Go back to where the orders are written."""
        self.keep("write" if self.since > 1 else {"refused": "wrong"}.get(self.stage, "orders"))

    def run(self, words: list[str]) -> int:
        """Run a command in the practice folder; its exit code."""
        from pbem.cli import run

        with chdir(self.root), _own_key():
            return run(["--home", "home", *words])


@contextmanager
def _own_key() -> Iterator[None]:
    """Forget the key that the player has named for his own games."""
    named = os.environ.pop("PBEM_KEY", None)
    try:
        yield
    finally:
        if named is not None:
            os.environ["PBEM_KEY"] = named


def _example(place: Place) -> str:
    """A few orders by a bot that the check accepts without a doubt, and the order that ends the phase."""
    from pbem.match.bots import suggest
    from pbem.match.check import check

    table, chance = place.table, random.Random(place.table.seq)  # noqa: S311 a bot's whim, not the dice
    closing = table.rules.CLOSING
    orders = [" ".join(words) for words in suggest(table, place.me, "bold", chance) if words != (closing,)]
    for most in range(min(MOST_ORDERS, len(orders)), 0, -1):
        text = "\n".join((*orders[:most], closing))
        checked = check(table, place.me, text, chance, runs=20)
        if not checked.errors and not checked.doubts:
            return text
    return closing


# --- the player types --------------------------------------------------------------------------------------------


def _lead(practice: Practice) -> None:
    """Lead through the steps until the tutorial is over or left."""
    while practice.stage != "over":
        if practice.done_before():
            practice.go_on()
            continue
        stage, step = practice.stage, practice.step()
        _tell(practice, step)
        while practice.stage == stage:
            line = _asked("$" if step.command else practice.filled("{file}>"))
            if line is None or line.strip() in ("quit", "exit"):
                echo(practice.filled(LEFT))
                return
            if _carried_out(practice, step, line.strip()):
                break
    show("\n" + folded(practice.filled(FAREWELL)))


def _tell(practice: Practice, step: Step) -> None:
    """Say what a step is about and what is to be typed."""
    show(f"\n{in_words(step.title).upper()}\n")
    show(folded(practice.filled(step.why), "  ") + "\n")
    for line in [practice.filled(step.command)] if step.command else step.orders.splitlines():
        show(f"    {line}")
    show("")


def _asked(question: str) -> str | None:
    """A line that is typed; None where nobody types any more."""
    try:
        return prompt(question, prompt_suffix=" ", default="", show_default=False)
    except click.Abort:
        click.echo(err=True)
        return None


def _carried_out(practice: Practice, step: Step, line: str) -> bool:
    """Do what was typed in a step; whether the step is to be told anew."""
    if line == "show":
        typed = [practice.filled(step.command)] if step.command else step.orders.splitlines()
        for shown in typed:
            echo(f"typed: {shown}")
        return _written(practice, step, typed) if not step.command else _command(practice, step, typed[0])
    if line.split()[:1] == ["pbem"]:
        return _command(practice, step, line)
    if not line:
        return False
    if step.command:
        hint(f"type `{practice.filled(step.command)}`, `show` or `quit`")
        return False
    lines = [line]
    while more := _asked(practice.filled("{file}>")):
        lines.append(more)
    if more is None:  # whoever breaks off in the middle has written nothing
        hint("nothing is written; type the orders from the first one on, `show` or `quit`")
        return False
    return _written(practice, step, lines)


def _written(practice: Practice, step: Step, lines: list[str]) -> bool:
    """Write the order file as it was typed."""
    name = practice.filled("{file}")
    save(str(practice.root / name), "".join(f"{line}\n" for line in lines).encode("utf-8"))
    echo(f"{name} holds 1 line" if len(lines) == 1 else f"{name} holds {len(lines)} lines")
    return _done(practice, step)


def _command(practice: Practice, step: Step, line: str) -> bool:
    """Run a command that was typed, and go on when it is what the step asks for."""
    try:
        words = shlex.split(line, posix=os.name != "nt")[1:] or ["--help"]
    except ValueError as error:
        hint(f"that can't be read as a command: {error}")
        return False
    wanted = practice.filled(step.command).split()[1:]
    sending = words[:1] in (["send"], ["edit"]) and practice.stage in PHASE
    looks = words[0] in READING or not HELP.isdisjoint(words)
    if words != wanted and not sending and not looks:
        hint(f"here only commands that look may be typed beside `{practice.filled(step.command) or 'orders'}`")
        return False
    code = practice.run(words)
    if sending and practice.since < practice.opened().table.seq:
        return _done(practice, step if practice.stage == "send" else AGAIN["send"])
    if words != wanted:
        return False
    if code == (1 if step.refused else 0) and (not step.refused or practice.has_the_wrong_ones()):
        return _done(practice, step)
    if practice.stage in ("refused", "check", "send"):
        hint("that isn't what this step is about; type the orders again" if step.refused else "type better orders")
        practice.again()
        return True
    hint(f"that should have worked; type it again, or leave with `quit`: `{practice.filled(step.command)}`")
    return False


def _done(practice: Practice, step: Step) -> bool:
    """Say what there is to say of a step that is done, and go to the next."""
    if step.after:
        show("\n" + folded(practice.filled(step.after), "  "))
    practice.go_on()
    return True
