"""Against a dead machine: backup, restore."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.checking import tell_all
from pbem.cli.common import (
    address,
    desk,
    echo,
    hint,
    hold,
    home_of,
    in_words,
    look,
    progress,
    show,
    source_name,
    take_home,
)
from pbem.cli.compare import sources
from pbem.cli.written import in_folder
from pbem.errors import BadLog, BadScenario, BadSignature, Damaged, KeyProblem, PbemError, Refused, Storage

if TYPE_CHECKING:
    from pbem.desk.desk import Desk
    from pbem.home.backup import Backup, PackedGame
    from pbem.home.contact import Contact
    from pbem.home.folders import Home
    from pbem.home.salvage import Log
    from pbem.wire.blocks import Block

__all__ = ["backup_command", "restore_command"]

ZIP = (b"PK\x03\x04", b"PK\x05\x06")


@click.command("backup")
@click.argument("file", metavar="FILE.zip", type=click.Path(dir_okay=False))
@click.option("--without-key", is_flag=True, help="Leave my private keys and laid orders out.")
@click.pass_context
def backup_command(ctx: click.Context, file: str, without_key: bool) -> None:
    """Keep my games, and my key, in a zip file.

    It holds the games, offers, notes, laid orders, settings and keys of the home folder and of the bots below it; not
    what can be made again, nor orders in an editor and proposals that aren't sent yet. With the key in it whoever reads
    it can play in my name.

    Example: pbem backup pbem.zip
    """
    from pbem.home.backup import back_up, left_out
    from pbem.home.contents import LAID

    in_folder(file)
    me = desk(ctx)
    home = me.home
    with look(ctx, me):
        made = back_up(home, Path(file), with_key=not without_key)
    for game in made.games:
        _tell_game(game)
    key = "with the key: keep it where nobody else reads it" if made.key else "without a key"
    if without_key and any(folder.path.joinpath(LAID).exists() for folder in home.games()):
        key += ", and without the laid orders"
    games = "1 game" if len(made.games) == 1 else f"{len(made.games)} games"
    offers = (", 1 offer" if made.offers == 1 else f", {made.offers} offers") * bool(made.offers)
    echo(f"{file} holds {games}{offers}, {key}")
    for path in left_out(home.root):
        echo(f"{path} is a link: what lies behind it isn't in {file}; keep a copy of it too")
    for name in made.damaged:
        echo(f"{home.root / name}: this log is damaged, and kept as it is; `restore` would put it under damaged/")
    _tell_key(ctx, home, made, without_key)


def _tell_key(ctx: click.Context, home: Home, made: Backup, without_key: bool) -> None:
    named = ctx.obj["key"]
    if without_key or not made.key:
        hint(f"keep a copy of the key too, {named or home.key}: without it no game goes on")
    elif named and Path(named).absolute() != home.key.absolute():
        hint(f"the key {named} is not in the home folder; keep a copy of it too")
    if made.key and not without_key:
        _tell_other_keys(home, made)


def _tell_other_keys(home: Home, made: Backup) -> None:
    """Name the games that go on with a key which the backup doesn't hold."""
    from pbem.crypto.openssh import fingerprint
    from pbem.home.backup import is_private
    from pbem.home.vetting import public_key

    kept = {public_key(data) for name, data in made.files.items() if name != "key.pub" and is_private(data)}
    for folder in home.games():
        try:
            key = folder.table(folder.text()).player(folder.contact().name).key
        except PbemError:  # a damaged log is told elsewhere
            continue
        if key not in kept:
            hint(f"game {folder.id} goes on with another key, {fingerprint(key)}: keep a copy of its file too")


def _tell_game(game: PackedGame, fate: str = "") -> None:
    """A game's id, its entries, what became of it, its head."""
    words = {"new": ", restored", "longer": ", longer than it was here", "same": ", as it was here"}
    show(in_words(f"{game.game}  {game.entries} entries{words.get(fate, '')}"))
    show(f"    {in_words(f'head {game.head}')}")


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
    a folder or mailbox with the mails of a game. A log that is here is never replaced by a shorter one, and nothing
    counts whose signature doesn't hold.

    Example: pbem restore game.log --key key
    """
    data = _zip_bytes(source)
    if data is None:
        return _from_logs(ctx, source, key, (address("--mail", mine), address("--to", to)))
    if key or mine or to:
        raise click.UsageError("a backup says by itself what --key, --mail and --to say of a log")
    from pbem.home.backup import read_backup
    from pbem.home.restore import restore

    home = home_of(ctx)
    backup = read_backup(data, source_name(source))
    hold(ctx, home, make=True)
    fates = restore(home, backup.files, _named_key(ctx), echo)
    for game in backup.games:
        if game.game in fates:
            _tell_game(game, fates[game.game])
    echo(f"{home.root} is restored from {source_name(source)}")
    if not backup.key and not home.key.exists():
        hint(f"the backup holds no key; copy yours to {home.key}, or name it with --key")
    _tell_care()
    return 0


def _named_key(ctx: click.Context) -> bytes:
    """The public key of the key that is named; empty where none is, or it can't be read."""
    from pbem.home.files import read_small
    from pbem.home.vetting import public_key

    named = ctx.obj["key"] or ""
    files = [path for path in (Path(named), Path(f"{named}.pub")) if named and path.is_file()]
    try:
        return next(filter(None, (public_key(read_small(path)) for path in files)), b"")
    except OSError as error:
        raise Storage(f"it can't be read: {error.strerror}", named) from error


def _zip_bytes(source: str) -> bytes | None:
    """The bytes of a zip file, of one that is too large one byte too many; None for everything else."""
    from pbem.home.backup import ZIP_MAX

    if source == "-" or not Path(source).is_file():
        return None
    try:
        with Path(source).open("rb") as file:
            data = file.read(4)
            if data in ZIP:
                data += file.read(ZIP_MAX - 3)
    except OSError as error:
        raise Storage(f"it can't be read: {error.strerror}", source) from error
    if not data.startswith(ZIP) and source.lower().endswith(".zip"):
        raise Refused("it isn't a zip file", source, "`pbem backup FILE.zip` makes one")
    return data if data.startswith(ZIP) else None


def _from_logs(ctx: click.Context, source: str, key: str | None, addresses: tuple[str, str]) -> int:
    """Make games again from logs or mails; which player I am my key says."""
    from pbem.home.contact import Contact
    from pbem.home.salvage import Me, logs_in

    ctx.obj["key"] = key or ctx.obj["key"]
    blocks, damaged = _sources(source)
    me = desk(ctx)
    if not ctx.obj["key"] and not me.home.key.exists():
        raise KeyProblem("to make a game again my key is needed", str(me.home.key), "name it with --key or PBEM_KEY")
    logs, refused, told = logs_in(blocks, source_name(source), Me(me.signer.pub_blob), me.home.load, progress())
    if not logs and not refused:
        raise Refused("only an offer is there", source_name(source), "a game begins with an accept")
    take_home(ctx, me, make=True)
    done = 0
    for log in logs:
        try:
            _restore_log(me, log, Contact("", *addresses))
            done += 1
        except (BadLog, BadSignature, BadScenario, Refused) as error:
            refused.append(error.inside(source_name(source)))
    tell_all([*refused, *damaged, *told])
    if done:
        _tell_own_key(ctx)
        _tell_care()
    return 1 if refused else 0


def _sources(source: str) -> tuple[list[Block], list[Damaged]]:
    """The blocks of logs or mails. Raises Refused where there is none."""
    blocks, damaged = sources(source)
    if not blocks:
        hint = "a backup, a game.log or mails with turns it must be"
        none: PbemError = damaged[0] if damaged else Refused("no turn is there", source_name(source), hint)
        raise none
    return blocks, damaged


def _restore_log(me: Desk, log: Log, given: Contact) -> None:
    """Make a game's folder."""
    from pbem.home.backup import PackedGame
    from pbem.home.restore import restore_game

    game, fate = restore_game(me.home, log.text, log.table, me.signer.pub_blob, given)
    _tell_game(PackedGame(game, log.table.seq + 1, log.table.head.hex()), fate)


def _tell_own_key(ctx: click.Context) -> None:
    named, home = ctx.obj["key"], home_of(ctx)
    if named and not home.key.exists():
        hint(f"copy {named} to {home.key}, or name it with --key each time")


def _tell_care() -> None:
    hint("before you send anything compare the head with your opponent: a turn that I sent later must not be sent anew")
