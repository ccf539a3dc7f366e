"""Before the first game: key, scenarios, brief."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from pbem.cli.asking import prompt
from pbem.cli.common import (
    as_json,
    call,
    cut,
    desk,
    echo,
    error_data,
    filled,
    folded,
    hint,
    hold,
    home_of,
    in_words,
    json_option,
    one_line,
    pictures_folder,
    show,
    tell,
)
from pbem.cli.completion import scenarios
from pbem.errors import BadScenario
from pbem.language import said

__all__ = ["brief_command", "key_command", "scenarios_command"]


DEFECT_SHOWN = 400
"""Letters of a defect that are shown; --json has all of it."""


@click.group("key")
def key_command() -> None:
    """My key: it signs my turns, and my dice grow from it.

    It is an OpenSSH Ed25519 key in the home folder, or the one named with --key. PBEM_PASSPHRASE opens an
    encrypted one without being asked.

    Example: pbem key new
    """


@key_command.command("new")
@click.option("--passphrase", is_flag=True, help="Ask for a passphrase to encrypt it with.")
@click.option("--comment", default="pbem", show_default=True, help="The key's comment.")
@click.pass_context
def key_new(ctx: click.Context, passphrase: bool, comment: str) -> None:
    """Make a key; nothing is ever overwritten.

    Example: pbem key new
    """
    from pbem.crypto.keys import fingerprint, new_key

    path = Path(ctx.obj["key"]) if ctx.obj["key"] else home_of(ctx).key
    word = os.environ.get("PBEM_PASSPHRASE") if passphrase else None
    if passphrase and word is None:
        word = prompt(said("passphrase"), hide_input=True, confirmation_prompt=True)
    if not ctx.obj["key"]:
        hold(ctx, home_of(ctx), make=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    blob = new_key(path, comment, word)
    show(f"{path} {fingerprint(blob)}")
    hint("keep a copy of this file in a safe place: with it and the game log everything can be restored")


@key_command.command("show")
@click.pass_context
def key_show(ctx: click.Context) -> None:
    """Show my public key and its fingerprint, to compare by voice.

    Example: pbem key show
    """
    from pbem.crypto.keys import fingerprint, to_text

    blob = desk(ctx).signer.pub_blob
    show(f"{to_text(blob)} {fingerprint(blob)}")


@click.command("scenarios")
@click.option(
    "--check",
    "file",
    metavar="FILE",
    type=click.Path(),
    help="Examine a scenario file, or a scenario that is listed, with its maps, armies and tables.",
)
@json_option
@click.pass_context
def scenarios_command(ctx: click.Context, file: str | None, as_json_data: bool) -> int:
    """What can be played: sides, length, what is reconstructed.

    My own lie in the folder `scenarios` of the home folder, in a folder SYSTEM there. With --check every defect and
    doubt of a scenario file is told, with its file, line and place; it stands in a folder SYSTEM with the files it
    names, as docs/adding-a-scenario.md says. Exit code 0: there is none.

    \b
    Example: pbem scenarios
             pbem scenarios --check my/SYSTEM/hill.yaml
    """
    if file is not None:
        return _examined(_file_meant(file, home_of(ctx).scenarios), as_json_data)
    from pbem.report.terms import turn_of
    from pbem.scenario import list_scenarios

    refused: list[BadScenario] = []
    home = home_of(ctx)
    found = list_scenarios(home.load, refused.append, home.scenarios)
    for error in refused:
        tell(error)
    sides = {s.id: home.load(s.id).data["scenario"]["sides"] for s in found}
    if as_json_data:
        rows = [s._asdict() | {"sides": [{"id": w["id"], "title": w["title"]} for w in sides[s.id]]} for s in found]
        as_json([*rows, *({"error": error_data(error)} for error in refused)])
        return 1 if refused else 0
    for summary in found:
        turns = in_words(f"{summary.turns} {turn_of(summary.system)}s")
        title = call(summary.title, summary.system)
        show(filled(f"{summary.id}  {title} ({summary.system}), {turns}", "", "    "))
        named = ", ".join(f"{side['id']} ({call(side['title'], summary.system)})" for side in sides[summary.id])
        show(filled(f"{in_words('sides')}: {named}", "    ", "      "))
        if summary.reconstructed:
            show(f"    {in_words('reconstructed')}:")
        for line in summary.reconstructed:
            show(folded(line, "      ", "        "))
    hint("`pbem brief SCENARIO` tells about one, `pbem rules SCENARIO` its rules")
    hint(f"my own are read from {home.scenarios}")
    return 1 if refused else 0


def _file_meant(named: str, own: Path) -> Path:
    """The file that is named, or that of the scenario which is."""
    from pbem.scenario import file_of, systems

    return file_of(named, own) if not os.path.exists(named) and named in systems(own) else Path(named)


def _examined(file: Path, as_json_data: bool) -> int:
    """Tell what is wrong with a scenario file; the exit code."""
    from pbem.audit.scenarios import examine

    found = examine(file)
    if as_json_data:
        as_json([finding._asdict() for finding in found])
        return 1 if found else 0
    for finding in found:
        line = in_words(f", line {finding.line}") if finding.line else ""
        place = f"{finding.place}: " if finding.place else ""
        doubt = "" if finding.refused else in_words("doubt: ")
        what = cut(one_line(in_words("; ".join(filter(None, (finding.what, finding.right))))), DEFECT_SHOWN)
        show(filled(f"{finding.file}{line}: {doubt}{cut(one_line(place), 100)}{what}", "", "    "))
    defects = sum(finding.refused for finding in found)
    if defects:
        echo(f"{_count(defects, 'defect')} and {_count(len(found) - defects, 'doubt')}; such a scenario isn't loaded")
    elif found:
        echo(f"{_count(len(found), 'doubt')}; the scenario can be played, but hardly as it is meant")
    else:
        show(in_words(f"{file.name} is good"))
    return 1 if found else 0


def _count(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'s' * (number != 1)}"


@click.command("brief")
@click.argument("scenario", shell_complete=scenarios)
@click.option("--map", "picture", metavar="FILE", type=click.Path(),
              help="Draw the map or table there: .svg (or .png, with pbem[png]); several go to FILE-MAP.")  # fmt: skip
@click.pass_context
def brief_command(ctx: click.Context, scenario: str, picture: str | None) -> None:
    """Tell about a scenario: sides, forces, rules, victory.

    Example: pbem brief toba-fushimi --map toba.svg
    """
    from pbem.cli.situation import write_pictures
    from pbem.report.brief import brief, scenario_pictures
    from pbem.words import listed

    loaded = home_of(ctx).load(scenario)
    maps = scenario_pictures(loaded, pictures_folder(home_of(ctx))) if picture else []
    written = write_pictures(picture, maps) if picture else []
    ground = "map" if loaded.data["maps"] else "table"
    show(brief(loaded, sys.stdout.encoding or "ascii"), nl=False)
    if written:
        echo(f"the {ground} is in {written[0]}" if len(written) == 1 else f"the maps are in {listed(written)}")
    else:
        hint(f"`pbem brief {scenario} --map {scenario}.svg` draws the {ground}")
