"""Backups of the home folder: plain zips, made and read.

First in the zip is manifest.json (what it holds, with the SHA-256 of each file), then come the files of the home folder
but cache and lock, in order of name. What is read is bounded: members, bytes of the zip, bytes unpacked.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from pbem import __version__
from pbem.crypto.openssh import fingerprint, read_container
from pbem.disk import open_regular, read_at_most
from pbem.errors import Damaged, PbemError, Refused, Storage
from pbem.home import files as disk
from pbem.home.contents import DRAFT, LAID, NOT_KEPT, REPORT, WISH, in_home
from pbem.home.folders import Home
from pbem.records import NamedTuple
from pbem.wire.turn import read_turns

__all__ = ["Backup", "Files", "PackedGame", "back_up", "is_private", "left_out", "read_backup"]

FORMAT = 1
MANIFEST = "manifest.json"
MANIFEST_MAX = 4 * 2**20
"""Bytes of the manifest: the names and hashes of as many files as a backup may have."""
MEMBERS_MAX, UNPACKED_MAX, ZIP_MAX = 4096, 64 * 2**20, 64 * 2**20
"""Members of a backup, its manifest counted, their bytes together, and the bytes of the zip (protocol 7)."""
PIECE = 2**16
"""Bytes that are unpacked at once."""

_DAWN = (1980, 1, 1, 0, 0, 0)  # equal homes give equal backups
_WAYS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # those that can be unpacked piece by piece
_FOREIGN = set('\\:*?"<>|')

Files = Mapping[str, bytes]


class PackedGame(NamedTuple):
    """A log in a backup: the id of its game, how many entries it has, and the hash of the newest."""

    game: str
    entries: int
    head: str


class Backup(NamedTuple):
    """What a backup holds: files by their names in the home folder, its games, the fingerprint of the key, "" if none.

    The games and keys of bots are files only.
    `damaged` names the logs that can't be read; they are kept as they are, and `restore` puts them under damaged/.
    """

    files: dict[str, bytes]
    games: list[PackedGame]
    offers: int
    key: str
    damaged: tuple[str, ...] = ()


# --- making one --------------------------------------------------------------------------------------------------


def back_up(home: Home, path: Path, *, with_key: bool = True) -> Backup:
    """Write everything in the home folder but the cache to a zip that only its owner can read.

    Without the key it may be given away: laid orders are left out too.

    Raises Refused when there is nothing, or when the file exists and holds what the new one wouldn't; Storage.
    """
    try:
        files = _gather(home.root, path, with_key)
        old = _start_of(path) if path.exists() else None
    except OSError as error:
        raise Storage(f"it can't be read: {error.strerror}", str(error.filename or home.root)) from error
    if not files:
        raise Refused("there is nothing to keep here", str(home.root), "name the home folder with --home or PBEM_HOME")
    if old is not None:
        _check_replaced(old, files, str(path))
    made = _described(files)
    packed = _packed(made)
    _check_size(len(files) + 1, sum(map(len, files.values())), len(packed), str(home.root))
    read_backup(packed, str(path))
    disk.write_atomically(path, packed, 0o600)
    return made


def _check_size(members: int, unpacked: int, packed: int, where: str) -> None:
    """Refuse to make a backup that `restore` would refuse."""
    counts = ((members, MEMBERS_MAX, "files"), (unpacked, UNPACKED_MAX, "bytes"), (packed, ZIP_MAX, "bytes, packed,"))
    for count, most, what in counts:
        if count > most:
            hint = "move games that are over, or what is no file of a home folder, elsewhere"
            raise Refused(f"{count} {what} are too many for a backup, {most} at most are restored", where, hint)


def _start_of(path: Path) -> bytes:
    """The bytes of a file, of one that is too large for a backup one byte too many."""
    with open_regular(path) as file:
        return read_at_most(file, ZIP_MAX + 1)


def _gather(root: Path, target: Path, with_key: bool) -> dict[str, bytes]:
    """The files to keep; logs are read before the notes of what was signed, so that a note is never behind its log."""
    found: dict[str, bytes] = {}
    size = 0
    for folder, folders, names in os.walk(root):
        inside = Path(folder).relative_to(root)
        folders[:] = sorted(name for name in folders if in_home((inside / name).as_posix())[1] not in NOT_KEPT)
        for name in sorted(names):
            file = Path(folder) / name
            bot, called = in_home((inside / name).as_posix())
            unkept = (name.startswith(".") and name.endswith(".new")) or called in NOT_KEPT
            unkept |= called.startswith("games/") and name == LAID and not with_key  # as private as the key
            unkept |= (name in (REPORT, WISH) or re.fullmatch(DRAFT, name) is not None) and called.startswith("games/")
            if unkept or not file.is_file() or (target.exists() and file.samefile(target)):
                continue
            size += file.stat().st_size
            _check_size(len(found) + 1, size, 0, str(root))
            data = disk.read_small(file, UNPACKED_MAX + 1)
            if with_key or bot or not is_private(data):  # a bot's key guards nothing
                found[_safe((inside / name).as_posix(), str(root))] = data
    return dict(sorted(found.items()))


def left_out(root: Path) -> list[Path]:
    """The folders that a backup of a home folder doesn't hold, since only a link to them stands there."""
    return [
        Path(folder) / name
        for folder, folders, _ in os.walk(root)
        for name in sorted(folders)
        if (Path(folder) / name).is_symlink()
    ]


def is_private(data: bytes) -> bool:
    """Whether a file is a private key, encrypted or not."""
    return data.lstrip().startswith(b"-----BEGIN ") and b" PRIVATE KEY-----" in data[:80]


def _described(files: dict[str, bytes]) -> Backup:
    games: list[PackedGame] = []
    damaged: list[str] = []
    offers = 0
    for name, data in files.items():
        match name.split("/"):
            case ["games", game, "game.log"]:
                try:
                    games.append(_game(game, data))
                except PbemError:
                    damaged.append(name)
            case ["offers", _, "game.log"]:
                offers += 1
    return Backup(files, games, offers, _key_in(files), tuple(damaged))


def _game(name: str, data: bytes) -> PackedGame:
    try:
        turns = read_turns(data.decode("ascii"))
    except UnicodeDecodeError as error:
        raise Damaged("it isn't plain ASCII text", name) from error
    if len(turns) < 2:
        raise Damaged("it is cut off", name, "a game has an offer and an accept")
    return PackedGame(name, len(turns), turns[-1].hash.hex())


def _key_in(files: Files) -> str:
    """The fingerprint of the private key in a backup; "" without one, "?" for one that can't be read."""
    if "key" not in files:
        return ""
    try:
        return fingerprint(read_container(files["key"].decode("ascii", "replace"), "key").pub_blob)
    except PbemError:
        return "?"


def _packed(backup: Backup) -> bytes:
    manifest = {
        "pbem_backup": FORMAT,
        "program": __version__,
        "key": backup.key or None,
        "games": [game._asdict() for game in backup.games],
        "files": {name: hashlib.sha256(data).hexdigest() for name, data in backup.files.items()},
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in [(MANIFEST, (json.dumps(manifest, indent=1) + "\n").encode("ascii")), *backup.files.items()]:
            member = zipfile.ZipInfo(name, _DAWN)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.create_system = 3
            member.external_attr = (stat.S_IFREG | 0o600) << 16
            archive.writestr(member, data)
    return packed.getvalue()


def _check_replaced(old: bytes, files: Files, where: str) -> None:
    """Refuse to replace a backup by one that holds less."""
    hint = "give the new one another name"
    try:
        before = read_backup(old, where)
    except PbemError as error:
        raise Refused("the file exists and is not a backup", where, hint) from error
    for name, data in before.files.items():
        if name.endswith("/game.log") and name.startswith("games/") and not files.get(name, b"").startswith(data):
            game = name.split("/")[1]
            raise Refused(f"the file exists and holds more of game {game} than is here", where, hint)
        if is_private(data) and files.get(name) != data:
            raise Refused("the file exists and holds a key that the new one wouldn't", where, hint)


# --- reading one -------------------------------------------------------------------------------------------------


def read_backup(data: bytes, where: str) -> Backup:
    """The backup in a zip's bytes, every file checked. Raises Damaged for a broken zip, Refused for a foreign one."""
    # Each member has this word in the zip's directory, which is read as a whole, whatever number it gives of them.
    if len(data) > ZIP_MAX or data.count(b"PK\x01\x02") > MEMBERS_MAX:
        raise _too_large(where)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files, manifest = _unpacked(archive, where)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError) as error:
        raise Damaged(f"the zip can't be read: {error}", where, "take another copy of the backup") from error
    for name, content in files.items():
        if hashlib.sha256(content).hexdigest() != manifest["files"][name]:
            raise Damaged(f"{name} isn't as it was written", where, "take another copy of the backup")
    found = _described(dict(sorted(files.items())))
    if [game._asdict() for game in found.games] != manifest["games"]:
        raise Damaged("the manifest names other games than the backup holds", where, "take another copy of the backup")
    return found


def _too_large(where: str) -> Damaged:
    hint = f"at most {MEMBERS_MAX} files, {UNPACKED_MAX} bytes of them and {ZIP_MAX} of the zip are read"
    return Damaged("it is too large", where, hint)


def _unpacked(archive: zipfile.ZipFile, where: str) -> tuple[dict[str, bytes], dict[str, Any]]:
    """The files of a zip and its manifest, which lists them."""
    members = archive.infolist()
    listing = [member for member in members if member.filename == MANIFEST]
    if not listing:
        raise Refused("it is a zip, but not a backup", where, "`pbem backup FILE.zip` makes one")
    packed = next((member for member in members if member.compress_type not in _WAYS), None)
    if packed is not None:
        raise Damaged(f"{packed.filename!a:.80} is packed in another way", where, "`pbem backup FILE.zip` makes one")
    described = _bytes_of(archive, listing[0], MANIFEST_MAX, where)
    manifest = _manifest(described, where)
    _check_members(members, manifest["files"], where)
    files: dict[str, bytes] = {}
    left = UNPACKED_MAX - len(described)
    for member in members:
        if member.filename != MANIFEST:
            files[member.filename] = _bytes_of(archive, member, left, where)
            left -= len(files[member.filename])
    return files, manifest


def _bytes_of(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int, where: str) -> bytes:
    """What a member holds, counted while it is unpacked: what it says of its size is not believed."""
    found = bytearray()
    with archive.open(member) as stream:
        while piece := stream.read(PIECE):
            found += piece
            if len(found) > most:
                raise _too_large(where)
    return bytes(found)


def _manifest(data: bytes, where: str) -> dict[str, Any]:
    """The manifest, of the right form."""
    try:
        manifest = json.loads(data)
        version = manifest["pbem_backup"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise Refused("it is a zip, but not a backup", where, "`pbem backup FILE.zip` makes one") from None
    if version != FORMAT:
        what = f"it is a backup of format {version!a:.20}, this program reads {FORMAT}"
        raise Refused(what, where, "a newer pbem reads it")
    files = manifest.get("files")
    if not isinstance(files, dict) or not isinstance(manifest.get("games"), list):
        raise Damaged("its manifest is damaged", where, "take another copy of the backup")
    return {"files": files, "games": manifest["games"]}


def _check_members(members: list[zipfile.ZipInfo], listed: Mapping[str, Any], where: str) -> None:
    """Whether these are exactly the files listed, each with a name that stays in the folder."""
    names = [member.filename for member in members if member.filename != MANIFEST]
    folded = {_safe(name, where).casefold() for name in names}
    if len(folded) != len(names):
        raise Damaged("it holds a file twice", where, "take another copy of the backup")
    if any(parent.as_posix() in folded for name in folded for parent in PurePosixPath(name).parents):
        raise Damaged("it holds a file and a folder of one name", where, "take another copy of the backup")
    if set(names) != set(listed):
        strange = sorted(set(names) ^ set(listed))[0]
        named = f"{strange!a:.80}"
        what = f"{named} is not in its manifest" if strange in names else f"{named} is missing"
        raise Damaged(what, where, "take another copy of the backup")
    for member in members:
        kind = stat.S_IFMT(member.external_attr >> 16)
        if kind not in (0, stat.S_IFREG):
            raise Damaged(f"{member.filename!a:.80} is not a plain file", where, "a backup holds plain files only")


def _safe(name: str, where: str) -> str:
    """The name of a file in the home folder. Raises Refused for one that leads out of it, or isn't one everywhere."""
    parts = name.split("/")
    first = in_home(name)[1].split("/")[0]
    wrong = (
        len(name) > 400
        or not name.isprintable()
        or bool(_FOREIGN & set(name))
        or {parts[0].casefold(), first.casefold()} & NOT_KEPT
        or any(part in ("", ".", "..") or part.endswith((" ", ".")) for part in parts)
    )
    if wrong:
        raise Refused(f"no file of a home folder can be called {name!a:.80}", where, "rename it, or take it out")
    return name
