"""Against a dead machine: backup, restore."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import address, desk, echo, hint, home_of, progress, show, source_name, tell
from pbem.cli.compare import sources
from pbem.errors import BadLog, BadScenario, BadSignature, KeyProblem, Refused, Storage

if TYPE_CHECKING:
    from pbem.backup import Backup, Game
    from pbem.home import Contact, Home

__all__ = ["backup_command", "restore_command"]

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
ZIP_MAX = 2**30


@click.command("backup")
@click.argument("file", metavar="FILE.zip", type=click.Path(dir_okay=False))
@click.option("--without-key", is_flag=True, help="Leave private keys out; keep them elsewhere.")
@click.pass_context
def backup_command(ctx: click.Context, file: str, without_key: bool) -> None:
    """Keep my games, and my key, in a zip file.

    It holds everything in the home folder but the cache. With the key in it whoever reads it can play in my name.

    Example: pbem backup pbem.zip
    """
    from pbem.backup import back_up

    home = home_of(ctx)
    made = back_up(home, Path(file), with_key=not without_key)
    for game in made.games:
        _tell_game(game)
    key = "with the key: keep it where nobody else reads it" if made.key else "without a key"
    games = f"{len(made.games)} game{'s' * (len(made.games) != 1)}"
    offers = f", {made.offers} offer{'s' * (made.offers != 1)}" * bool(made.offers)
    echo(f"{file} holds {games}{offers}, {key}")
    for name in made.damaged:
        echo(f"{home.root / name}: this log is damaged, and kept as it is; `pbem verify` tells where")
    _tell_key(ctx, home, made, without_key)


def _tell_key(ctx: click.Context, home: Home, made: Backup, without_key: bool) -> None:
    named = ctx.obj["key"]
    if without_key or not made.key:
        hint(f"keep a copy of the key too, {named or home.key}: without it no game goes on")
    elif named and Path(named).absolute() != home.key.absolute():
        hint(f"the key {named} is not in the home folder; keep a copy of it too")


def _tell_game(game: Game, fate: str = "") -> None:
    """A game's id, its entries, what became of it, its head."""
    words = {"new": ", restored", "longer": ", longer than it was here", "same": ", as it was here"}
    show(f"{game.game}  {game.entries} entries{words.get(fate, '')}")
    show(f"    head {game.head}")


# --- restore -----------------------------------------------------------------------------------------------------


@click.command("restore")
@click.argument("source", type=click.Path())
@click.option("--key", type=click.Path(dir_okay=False), help="My key, where SOURCE is no backup (default: as always).")
@click.option("--mail", "mine", default="", metavar="ADDRESS", help="My mail address, where SOURCE is no backup.")
@click.option("--to", default="", metavar="ADDRESS", help="My opponent's, where SOURCE is no backup.")
@click.pass_context
def restore_command(ctx: click.Context, source: str, key: str | None, mine: str, to: str) -> int:
    """Bring games back: from a backup, or from a log and my key.

    SOURCE is a zip made by `pbem backup`; or a game.log, mine or my opponent's, as a file or attached to a mail; or
    a folder or mailbox with the mails of a game. A log that is here is never replaced by a shorter one.

    Example: pbem restore game.log --key key
    """
    data = _zip_bytes(source)
    if data is None:
        return _from_logs(ctx, source, key, (address("--mail", mine), address("--to", to)))
    if key or mine or to:
        raise click.UsageError("a backup says by itself what --key, --mail and --to say of a log")
    from pbem.backup import read_backup
    from pbem.restore import restore

    home = home_of(ctx)
    backup = read_backup(data, source_name(source))
    fates = restore(home, backup.files)
    for game in backup.games:
        _tell_game(game, fates.get(game.game, ""))
    echo(f"{home.root} is restored from {source_name(source)}")
    for name in backup.damaged:
        echo(f"{home.root / name}: this log was damaged when it was kept; `pbem verify` tells where")
    if not backup.key and not home.key.exists():
        hint(f"the backup holds no key; copy yours to {home.key}, or name it with --key")
    _tell_care()
    return 0


def _zip_bytes(source: str) -> bytes | None:
    """The bytes of a zip file; None for everything else."""
    if source == "-" or not Path(source).is_file():
        return None
    try:
        with Path(source).open("rb") as file:
            data = file.read(4)
            if data in ZIP:
                data += file.read(ZIP_MAX)
    except OSError as error:
        raise Storage(f"it can't be read: {error.strerror}", source) from error
    if not data.startswith(ZIP) and source.lower().endswith(".zip"):
        raise Refused("it isn't a zip file", source, "`pbem backup FILE.zip` makes one")
    return data if data.startswith(ZIP) else None


def _from_logs(ctx: click.Context, source: str, key: str | None, addresses: tuple[str, str]) -> int:
    """Make games again from logs or mails; which player I am my key says."""
    from pbem.home import Contact
    from pbem.restore import logs_in

    ctx.obj["key"] = key or ctx.obj["key"]
    blocks, damaged = sources(source)
    if not blocks:
        nothing = Refused(
            "no turn is there", source_name(source), "a backup, a game.log or mails with turns it must be"
        )
        raise damaged[0] if damaged else nothing
    logs, refused = logs_in(blocks, source_name(source))
    if not logs and not refused:
        raise Refused("only an offer is there", source_name(source), "a game begins with an accept")
    done = 0
    for text in logs:
        try:
            _restore_log(ctx, text, Contact("", *addresses))
            done += 1
        except (BadLog, BadSignature, BadScenario, Refused) as error:
            error.where = f"{source_name(source)}, {error.where}".removesuffix(", ")
            refused.append(error)
    for wrong in [*refused, *damaged]:
        tell(wrong)
    if done:
        _tell_own_key(ctx)
        _tell_care()
    return 1 if refused else 0


def _restore_log(ctx: click.Context, text: str, given: Contact) -> None:
    """Verify a log from its first entry and make its game folder."""
    from pbem.backup import Game
    from pbem.restore import restore_game
    from pbem.turn import replay

    me = desk(ctx)
    if not ctx.obj["key"] and not me.home.key.exists():
        raise KeyProblem("to make a game again my key is needed", str(me.home.key), "name it with --key or PBEM_KEY")
    blob = me.signer.pub_blob
    table = replay(text, me.home.load, watch=progress()).table
    if table is None:
        raise Refused("only an offer is there", hint="a game begins with an accept")
    game, fate = restore_game(me.home, text, table, blob, given)
    _tell_game(Game(game, table.seq + 1, table.head.hex()), fate)


def _tell_own_key(ctx: click.Context) -> None:
    named, home = ctx.obj["key"], home_of(ctx)
    if named and not home.key.exists():
        hint(f"copy {named} to {home.key}, or name it with --key each time")


def _tell_care() -> None:
    hint("before you send anything compare the head with your opponent: a turn that I sent later must not be sent anew")
