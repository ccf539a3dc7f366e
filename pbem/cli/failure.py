"""What has failed, told: in lines on standard error, or with --json as data on standard output."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from traceback import walk_tb

import click

from pbem.cli.common import OUTPUT, as_json, echo, error_data, hint, tell
from pbem.errors import PbemError, Refused, Storage

__all__ = ["Missing", "failed"]

USAGE = 2
"""The exit code of what was typed wrongly; that of all else is 1."""


class Missing(click.MissingParameter):
    """What must be typed and wasn't, with an example made for where it was missed; "" takes that of the help."""

    def __init__(self, ctx: click.Context, param: click.Parameter, example: str) -> None:
        super().__init__(ctx=ctx, param=param)
        self.example = example


def failed(error: BaseException, arguments: Sequence[str]) -> int:
    """Tell what a command with these arguments has failed by; its exit code."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(error.format_message(), err=True)
        return USAGE
    told = error if isinstance(error, PbemError) else _in_words(error)
    code = USAGE if isinstance(error, click.UsageError) else 1
    if told.where != OUTPUT and "--json" in [*arguments, "--"][: [*arguments, "--"].index("--")]:
        try:
            as_json({"error": error_data(told) | ({"kind": "Usage"} if code == USAGE else {})})
            sys.stdout.flush()
        except (OSError, Storage):  # it is the output that fails
            tell(told)
    elif code == USAGE:
        echo(told.what)
        hint(told.hint)
    else:
        tell(told)
    return code


def _in_words(error: BaseException) -> PbemError:
    """What is no error of pbem, as one."""
    if isinstance(error, click.MissingParameter):
        return _missing(error)
    if isinstance(error, click.UsageError):
        command = error.ctx.command_path if error.ctx else "pbem"
        return Refused(error.format_message().rstrip("."), "", f"`{command} --help` tells how it is used")
    if isinstance(error, click.ClickException):
        return Refused(error.format_message())
    if isinstance(error, RecursionError):
        return Refused("something is nested too deeply to be read")
    if isinstance(error, OSError) and _of_output(error):
        return Storage(f"it can't be written: {error.strerror}", OUTPUT)
    if isinstance(error, OSError):
        return Refused(error.strerror or str(error), str(error.filename or "a file"))
    return Refused("given up")


def _of_output(error: OSError) -> bool:
    """Whether it came as click printed on standard output, which it does by itself with the help of a command."""
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    return bool(frames) and frames[-1].f_code is click.echo.__code__ and frames[-1].f_locals["err"] is False


def _missing(error: click.MissingParameter) -> PbemError:
    """What must be typed and wasn't, with an example."""
    command = error.ctx.command_path if error.ctx else "pbem"
    example = " ".join(((error.ctx.command.help or "") if error.ctx else "").partition("Example:")[2].split())
    one = (error.example if isinstance(error, Missing) else "") or example.partition(" pbem ")[0]
    missing = error.param.get_error_hint(error.ctx).strip("'") if error.param and error.ctx else "something"
    return Refused(
        f"{missing} is missing", "", f"write for example `{one}`" if one else f"`{command} --help` tells more"
    )
