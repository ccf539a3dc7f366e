"""The command line: verbs; results on standard output, talk on standard error; 0 done, 1 refused, 2 usage."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from typing import Any

import click

from pbem import __version__
from pbem.errors import PbemError
from pbem.words import nearest

__all__ = ["main", "pbem"]

COMMANDS = {
    "key": "begin",
    "scenarios": "begin",
    "brief": "begin",
    "rules": "rulebook",
    "offer": "begin",
    "accept": "begin",
    "open": "turns",
    "games": "situation",
    "form": "drafts",
    "suggest": "drafts",
    "check": "drafts",
    "send": "turns",
    "report": "situation",
    "resign": "agree",
    "draw": "agree",
    "undo": "agree",
    "claim": "agree",
    "rekey": "agree",
    "recover": "seat",
    "accept-rekey": "seat",
    "substitute": "seat",
    "verify": "logs",
    "rolls": "logs",
    "diff": "compare",
    "evidence": "compare",
    "backup": "keep",
    "restore": "keep",
    "demo": "demo",
}
"""Verb -> module, imported when called."""

GARBAGE = 100_000
"""New objects between two searches for garbage: modules and maps live as long as a command, and it is short."""


class Verbs(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"pbem.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, f"{cmd_name.replace('-', '_')}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS:
            raise click.UsageError(f"no command is called {args[0]!a:.40}; {_nearest(args[0])}", ctx)
        return super().resolve_command(ctx, args)


def _nearest(typed: str) -> str:
    """The command that was probably meant."""
    begun = [command for command in COMMANDS if typed and command.startswith(typed.lower())]
    return nearest(begun[0] if begun else typed.lower(), COMMANDS, "did you mean `{}`?", 0.6)


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80})
@click.version_option(__version__, prog_name="pbem")
@click.option("--home", type=click.Path(file_okay=False), envvar="PBEM_HOME", help="The home folder (PBEM_HOME).")
@click.option("--key", type=click.Path(dir_okay=False), envvar="PBEM_KEY", help="My OpenSSH Ed25519 key (PBEM_KEY).")
@click.pass_context
def pbem(ctx: click.Context, home: str | None, key: str | None) -> None:
    """Play hex-and-counter wargames by plain e-mail.

    Rules are enforced, dice can't be bent, turns can be verified by anyone.

    \b
    A game:  pbem key new
             pbem offer SCENARIO ... -o offer.eml, or
             pbem accept offer.eml ... -o accept.eml
    A turn:  pbem open turn.eml
             pbem form > orders.txt, then edit it
             pbem check orders.txt
             pbem send orders.txt -o turn.eml
    Example: pbem demo
    """
    ctx.obj = {"home": home, "key": key}


def main(arguments: list[str] | None = None) -> None:
    """Run one command and exit: 0 done, 1 refused, 2 usage."""
    gc.set_threshold(GARBAGE)
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run one command; its exit code."""
    try:
        code: Any = pbem.main(arguments, prog_name="pbem", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.UsageError as error:
        return _misused(error)
    except click.ClickException as error:
        return _refused(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        return _refused("given up")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except PbemError as error:
        return _failed(error)
    except RecursionError:
        return _refused("something is nested too deeply to be read")
    except OSError as error:
        return _refused(f"{error.filename or 'a file'}: {error.strerror or error}")


def _refused(message: str) -> int:
    from pbem.cli.common import echo

    echo(message)
    return 1


def _failed(error: PbemError) -> int:
    from pbem.cli.common import tell

    tell(error)
    return 1


def _misused(error: click.UsageError) -> int:
    from pbem.cli.common import echo, hint

    echo(error.format_message().rstrip("."))
    command = error.ctx.command_path if error.ctx else "pbem"
    hint(f"`{command} --help` tells how it is used")
    return 2
