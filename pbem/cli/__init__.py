"""The command line: verbs; results on standard output, talk on standard error; 0 done, 1 refused, 2 usage."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from pbem import __version__
from pbem.errors import PbemError
from pbem.language import ENGLISH, LANGUAGES, speak
from pbem.words import nearest

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["main", "pbem"]

GROUPS = {
    "Begin": {
        "key": "begin",
        "scenarios": "begin",
        "brief": "begin",
        "rules": "rulebook",
        "offer": "offers",
        "accept": "offers",
    },
    "A turn": {
        "open": "opening",
        "edit": "edit",
        "form": "drafts",
        "suggest": "drafts",
        "check": "drafts",
        "odds": "drafts",
        "lay": "laying",
        "send": "turns",
        "table": "table",
    },
    "My games": {"games": "situation", "report": "situation", "replay": "replay"},
    "Agreements": {"resign": "agree", "draw": "agree", "undo": "agree", "claim": "agree"},
    "Lost keys": {"rekey": "agree", "recover": "seat", "accept-rekey": "seat", "substitute": "seat"},
    "Proof": {"verify": "logs", "rolls": "logs", "diff": "compare", "evidence": "compare"},
    "Safety": {"backup": "keep", "restore": "keep"},
    "Practice": {"tutorial": "tutorial", "play": "play", "demo": "demo", "simulate": "simulate"},
}
"""The groups of the help: verb -> module, imported when called."""

COMMANDS = {verb: module for verbs in GROUPS.values() for verb, module in verbs.items()}


class Verbs(click.Group):
    """A group whose commands are imported when they are called."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        choose_language(args)  # the help is read before any option is
        return super().make_context(info_name, args, parent, **extra)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"pbem.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, f"{cmd_name.replace('-', '_')}_command")
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except PbemError as error:
            from pbem.cli.naming import carrying

            error.hint = carrying(error.hint)
            raise

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not ctx.resilient_parsing:
            raise click.UsageError(f"no command is called {args[0]!r:.40}; {_nearest(args[0])}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        widest = max(map(len, COMMANDS))
        for title, verbs in GROUPS.items():
            rows = []
            for verb in verbs:
                command = self.get_command(ctx, verb)
                short = command.get_short_help_str(formatter.width - widest - 6) if command else ""
                rows.append((verb.ljust(widest), short))
            with formatter.section(title):
                formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands that begin so, and options once a `-` is typed; no command is imported for it."""
        from pbem.cli.completion import items

        return items(COMMANDS, incomplete) + click.Command.shell_complete(self, ctx, incomplete)


def _nearest(typed: str) -> str:
    """The command that was probably meant."""
    begun = [command for command in COMMANDS if typed and command.startswith(typed.lower())]
    return nearest(begun[0] if begun else typed.lower(), COMMANDS, "did you mean `{}`?", 0.6)


def choose_language(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> None:
    """Speak the language of --lang, else of PBEM_LANG, else of the locale; English where it is none of ours.

    In English nothing is imported or read for it.
    """
    named = _named_language(arguments) or environment.get("PBEM_LANG", "")
    locale = next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    tag = named or locale.partition("_")[0].partition(".")[0]
    if tag == ENGLISH or tag not in LANGUAGES:
        speak(ENGLISH)
        return
    from pbem.cli.speaking import begin

    begin(tag, asked=bool(named))


def _named_language(arguments: Sequence[str]) -> str:
    """What --lang says before the command; "" where it isn't there."""
    for at, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if name == "--lang":
            return value or "".join(arguments[at + 1 : at + 2])
        if argument in COMMANDS:
            break
    return ""


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80})
@click.version_option(__version__, prog_name="pbem")
@click.option("--home", type=click.Path(file_okay=False), envvar="PBEM_HOME", help="The home folder (PBEM_HOME).")
@click.option("--key", type=click.Path(dir_okay=False), envvar="PBEM_KEY", help="My OpenSSH Ed25519 key (PBEM_KEY).")
@click.option("--head", metavar="HASH", hidden=True, help="Refuse where the newest entry of the game is another one.")
@click.option("--lang", type=click.Choice(LANGUAGES), envvar="PBEM_LANG", expose_value=False,
              help="The language I read (PBEM_LANG, else the locale's).")  # fmt: skip
@click.pass_context
def pbem(ctx: click.Context, home: str | None, key: str | None, head: str | None) -> None:
    """Play wargames of counters or miniatures by plain e-mail.

    Rules are enforced, dice can't be bent, turns can be verified by anyone.

    \b
    A game:  pbem key new
             pbem offer SCENARIO ... -o offer.eml, or
             pbem accept offer.eml ... -o accept.eml
    A turn:  pbem open turn.eml
             pbem edit -o turn.eml, or
             pbem form -o orders.txt, then edit it
             pbem check orders.txt
             pbem send orders.txt -o turn.eml
    Example: pbem tutorial
    """
    ctx.obj = {**(ctx.obj or {}), "home": home, "key": key, "head": head}


def main(arguments: list[str] | None = None) -> None:
    """Run one command and exit: 0 done, 1 refused, 2 usage.

    What the command leaves behind isn't taken down piece by piece, unless somebody looks on who writes at the end what
    he saw, a profiler or a debugger: all files are closed, all locks released, all other processes have ended.
    """
    if any(stream is None for stream in (sys.stdin, sys.stdout, sys.stderr)):
        _open_streams()
    code = run(arguments)
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        if sys.getprofile() is None and sys.gettrace() is None:
            with suppress(OSError, ValueError):
                sys.stderr.flush()
            os._exit(code)
        sys.exit(code)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what can't be written is told already
    sys.exit(code)


def _open_streams() -> None:
    """Open in their order what was closed of input, output and talk, as nothing; exit where the output was closed."""
    closed = sys.stdout is None
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115 it stays open
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 it stays open
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 it stays open
    if closed:
        click.echo("pbem: standard output is closed: nothing is done; `>/dev/null` throws it away", err=True)
        sys.exit(1)


def run(arguments: list[str] | None = None) -> int:
    """Run one command; its exit code."""
    begun = {"begun": time.time()}
    try:
        code: Any = pbem.main(arguments, prog_name="pbem", standalone_mode=False, obj=begun)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (click.ClickException, click.Abort, KeyboardInterrupt, PbemError, RecursionError, OSError) as error:
        from pbem.cli.failure import failed

        return failed(error, sys.argv[1:] if arguments is None else arguments)
