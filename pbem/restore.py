"""Games put back into a home folder: from a backup, or made again from a log, or from mails, and the player's key.

Nothing that is here is ever replaced by less: a log only by one that goes on from it, the note of what was signed last
only by a newer one, a key by none.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pbem import gamelog
from pbem.backup import Files, is_private
from pbem.dice import entry_hash
from pbem.envelope import Block, Entry, parse_entry, read_log_blocks, render_block
from pbem.errors import BadLog, PbemError, Refused, Storage
from pbem.home import ID_LENGTH, Contact, Folder, Home
from pbem.keyfiles import fingerprint
from pbem.table import Table

__all__ = ["Found", "logs_in", "restore", "restore_game"]

ELSEWHERE = "another home folder can take it, with --home"


# --- logs out of blocks ------------------------------------------------------------------------------------------


class Found(NamedTuple):
    """What blocks make: the texts of whole logs, and an error for each game that can't be put together."""

    logs: list[str]
    refused: list[PbemError]


def logs_in(blocks: Iterable[Block], where: str) -> Found:
    """Put logs together from blocks in any order: each offer with its accept and all entries that follow."""
    entries = [(block, parse_entry(block.payload)) for block in blocks]
    offers = {entry_hash(block.payload).hex(): block for block, entry in entries if entry.kind == "offer"}
    accepts = [(block, entry) for block, entry in entries if entry.kind == "accept"]
    found = Found([], [])
    for block, entry in accepts:
        game = entry_hash(block.payload).hex()
        try:
            if sum(other.prev == entry.prev for _, other in accepts) > 1:
                raise BadLog("its offer is accepted twice", f"{where}, game {game[:ID_LENGTH]}", "one log at a time")
            if entry.prev not in offers:
                raise BadLog("its offer is missing", f"{where}, game {game[:ID_LENGTH]}", "a log begins with the offer")
            found.logs.append(_followed([offers[entry.prev], block], game, entries, where))
        except BadLog as error:
            found.refused.append(error)
    games = {entry_hash(block.payload).hex() for block, _ in accepts}
    for game in sorted({entry.game for _, entry in entries if entry.game} - games):
        place = f"{where}, game {game[:ID_LENGTH]}"
        found.refused.append(
            BadLog("its beginning is missing", place, "offer and accept are needed, as in any game.log")
        )
    return found


def _followed(log: list[Block], game: str, entries: list[tuple[Block, Entry]], where: str) -> str:
    """The text of the log that begins so. Raises BadLog for a fork or a gap: an entry that was sent would be lost."""
    place = f"{where}, game {game[:ID_LENGTH]}"
    following: dict[str | None, list[Block]] = {}
    for block, entry in entries:
        if entry.game == game:
            following.setdefault(entry.prev, []).append(block)
    head = game
    while next_ones := following.pop(head, []):
        if len(next_ones) > 1:
            hint = "`pbem evidence` tells what it proves; restore from one log"
            raise BadLog(f"there are two different turns for entry {len(log)}", place, hint)
        log.append(next_ones[0])
        head = entry_hash(next_ones[0].payload).hex()
    if following:
        later = sorted(parse_entry(block.payload).seq for blocks in following.values() for block in blocks)
        raise BadLog(
            f"entry {len(log)} is missing, entry {later[-1]} is there", place, "give a log or mail that has it"
        )
    return "".join(map(render_block, log))


def restore_game(
    home: Home, text: str, table: Table, blob: bytes, given: Contact, signed: Block | None = None
) -> tuple[str, str]:
    """Put a verified log into the home folder of the player who has this key; the game's id, and new, longer or same.

    `signed` is the newest entry, which he has just signed. Addresses that are not given stay. Raises Refused when the
    key is nobody's in the game, and whatever `restore` does.
    """
    names = [player.name for player in table.players.values() if player.key == blob]
    game = table.genesis.game.hex()[:ID_LENGTH]
    if not names:
        keys = ", ".join(f"{player.name} has {fingerprint(player.key)}" for player in table.players.values())
        what = f"this key, {fingerprint(blob)}, is not a player's key in the game"
        raise Refused(what, f"game {game}", f"{keys}; name the right one with --key")
    folder = Folder(home, "games", game)
    known = folder.contact()
    contact = Contact(names[0], given.mail or known.mail, given.to or known.to).checked()
    files = {f"games/{game}/contact.json": contact.dump(), f"games/{game}/game.log": text.encode("ascii")}
    if signed is not None:
        files[f"signed/{game}"] = render_block(signed).encode("ascii")
    fates = restore(home, files)
    if folder.contact() != contact:
        folder.write_contact(contact)
    return game, fates[game]


# --- into the home folder ----------------------------------------------------------------------------------------


def restore(home: Home, files: Files) -> dict[str, str]:
    """Put files into a home folder; what became of each game: id -> new, longer or same.

    Where there is no home it is made beside its place and then renamed. In one that exists each file is put in place
    whole, notes of what was signed before logs, so that after a kill the same command finishes. Files that are only
    here stay. Raises Refused, with nothing written, when a log here is longer or another one, when a key here is
    another one, or when two different turns were signed for one number; Storage.
    """
    begun = _begun(home, files)
    wanted = {name: data for name, data in files.items() if not _is_stale_offer(name, begun)}
    here = _here(home.root, wanted)
    chosen = {name: _chosen(name, here.get(name), data, str(home.root / name)) for name, data in wanted.items()}
    fates: dict[str, str] = {}
    for name, data in chosen.items():
        if _is_log(name, "games"):
            _check_note(home, name, data, chosen)
            fate = "same" if here.get(name) == data else "longer" if name in here else "new"
            fates[name.split("/")[1]] = fate
    changed = {name: data for name, data in chosen.items() if here.get(name) != data}
    if home.root.exists() or home.root.is_symlink():
        _write(home.root, changed)
    else:
        _build(home.root, changed)
    for offer in home.offers():
        if offer.id in begun:
            offer.remove()
    return fates


def _is_log(name: str, kind: str) -> bool:
    return name.startswith(f"{kind}/") and name.endswith("/game.log")


def _is_stale_offer(name: str, begun: set[str]) -> bool:
    """Whether it belongs to an offer that has become a game."""
    return name.startswith("offers/") and name.split("/")[1] in begun


def _begun(home: Home, files: Files) -> set[str]:
    """The ids of the offers that have become games, here or in the files."""
    texts = [data.decode("ascii", "replace") for name, data in files.items() if _is_log(name, "games")]
    first = [block for text in [*texts, *(folder.text() for folder in home.games())] for block in _blocks(text)[:1]]
    return {entry_hash(block.payload).hex()[:ID_LENGTH] for block in first}


def _blocks(text: str) -> list[Block]:
    """The blocks of a log or note; none of a damaged one."""
    with suppress(PbemError):
        return read_log_blocks(text)
    return []


def _here(root: Path, files: Files) -> dict[str, bytes]:
    """Those of the files that are in the home folder already, as they are there."""
    try:
        return {name: (root / name).read_bytes() for name in files if (root / name).is_file()}
    except OSError as error:
        raise Storage(f"it can't be read: {error.strerror}", str(error.filename or root)) from error


def _chosen(name: str, here: bytes | None, new: bytes, where: str) -> bytes:
    """What is to stand in a file: what is here or what is to be restored, whichever is more. Raises Refused."""
    if here is None or here == new:
        return new
    if name in ("key", "key.pub") or is_private(here):
        raise Refused("another key is here, and stays", where, f"move it away; or {ELSEWHERE}")
    if name.endswith("/game.log"):
        if new.startswith(here):
            return new
        if here.startswith(new):
            raise Refused("the log here is longer, and stays", where, "a log is never replaced by a shorter one")
        raise Refused("another log is here", where, f"`pbem diff` tells where they part; {ELSEWHERE}")
    return _newest(here, new, where) if name.startswith("signed/") else here


def _newest(here: bytes, new: bytes, where: str) -> bytes:
    """The newer of two notes of what was signed. Raises Refused for two different turns with one number."""
    mine, theirs = _noted(here), _noted(new)
    if mine is None or theirs is None:
        return here if theirs is None else new
    if mine.seq == theirs.seq and mine.payload != theirs.payload:
        _refuse_second(mine, where)
    return here if mine.seq >= theirs.seq else new


def _noted(note: bytes) -> Entry | None:
    """The entry in a note of what was signed; None when it can't be read."""
    for block in _blocks(note.decode("ascii", "replace")):
        with suppress(PbemError):
            return parse_entry(block.payload)
    return None


def _refuse_second(entry: Entry, where: str) -> None:
    what = f"entry {entry.seq} was signed here with other words than those to be restored"
    raise Refused(what, where, f"only one of the two can be in the log; {ELSEWHERE}")


def _check_note(home: Home, name: str, log: bytes, chosen: Files) -> None:
    """Refuse a log that has other words under a number than what was signed here."""
    path = f"signed/{name.split('/')[1]}"
    notes = [chosen[path]] if path in chosen else []
    notes += _here(home.root, {path: b""}).values()
    blocks = _blocks(log.decode("ascii", "replace"))
    for entry in filter(None, map(_noted, notes)):
        if entry.seq < len(blocks):
            logged = parse_entry(blocks[entry.seq].payload)
            if logged.by == entry.by and logged.payload != entry.payload:
                _refuse_second(entry, str(home.root / path))


def _in_order(files: Files) -> Iterator[tuple[str, bytes]]:
    """Notes of what was signed first: behind a note that is ahead of its log nothing is signed twice."""
    return iter(sorted(files.items(), key=lambda file: (not file[0].startswith("signed/"), file[0])))


def _write(root: Path, files: Files) -> None:
    for name, data in _in_order(files):
        gamelog.write_atomically(root / name, data, 0o600 if is_private(data) else 0o644)


def _build(root: Path, files: Files) -> None:
    """Make the home folder beside its place, whole, and rename it."""
    made = root.with_name(f".{root.name}.restoring")
    try:
        shutil.rmtree(made, ignore_errors=True)  # what a kill left
        made.mkdir(0o700, parents=True)
        _write(made, files)
        made.rename(root)
    except OSError as error:
        raise Storage(f"it can't be made: {error.strerror}", str(root), "make room or mend the permissions") from error
    finally:
        shutil.rmtree(made, ignore_errors=True)
