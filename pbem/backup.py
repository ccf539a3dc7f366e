"""Backups of the home folder: plain zips, made and read.

First in the zip is manifest.json (what it holds, with the SHA-256 of each file), then come the files of the home folder
but the cache, in order of name.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import stat
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from pbem import __version__, gamelog
from pbem.dice import entry_hash
from pbem.errors import Damaged, PbemError, Refused, Storage
from pbem.home import Home
from pbem.keyfiles import fingerprint, read_container

__all__ = ["Backup", "Files", "Game", "back_up", "is_private", "read_backup"]

FORMAT = 1
MANIFEST = "manifest.json"
FILES_MAX, TOTAL_MAX = 10_000, 2**30
"""Files of a backup, and their bytes together."""

_DAWN = (1980, 1, 1, 0, 0, 0)  # equal homes give equal backups
_FOREIGN = set('\\:*?"<>|')

Files = Mapping[str, bytes]


class Game(NamedTuple):
    """A log in a backup: the id of its game, how many entries it has, and the hash of the newest."""

    game: str
    entries: int
    head: str


class Backup(NamedTuple):
    """What a backup holds: files by their names in the home folder, its games, the fingerprint of the key, "" if none.

    `damaged` names the logs that can't be read; they are kept as they are.
    """

    files: dict[str, bytes]
    games: list[Game]
    offers: int
    key: str
    damaged: tuple[str, ...] = ()


# --- making one --------------------------------------------------------------------------------------------------


def back_up(home: Home, path: Path, *, with_key: bool = True) -> Backup:
    """Write everything in the home folder but the cache to a zip that only its owner can read.

    Raises Refused when there is nothing, or when the file exists and holds what the new one wouldn't; Storage.
    """
    try:
        files = _gather(home.root, path, with_key)
        old = path.read_bytes() if path.exists() else None
    except OSError as error:
        raise Storage(f"it can't be read: {error.strerror}", str(error.filename or home.root)) from error
    if not files:
        raise Refused("there is nothing to keep here", str(home.root), "name the home folder with --home or PBEM_HOME")
    if old is not None:
        _check_replaced(old, files, str(path))
    made = _described(files)
    gamelog.write_atomically(path, _packed(made), 0o600)
    return made


def _gather(root: Path, target: Path, with_key: bool) -> dict[str, bytes]:
    """The files to keep; logs are read before the notes of what was signed, so that a note is never behind its log."""
    found: dict[str, bytes] = {}
    for folder, folders, names in os.walk(root):
        inside = Path(folder).relative_to(root)
        folders[:] = sorted(name for name in folders if (inside / name).as_posix() != "cache")
        for name in sorted(names):
            file = Path(folder) / name
            scratch = name.startswith(".") and name.endswith(".new")
            if scratch or not file.is_file() or (target.exists() and file.samefile(target)):
                continue
            data = file.read_bytes()
            if with_key or not is_private(data):
                found[_safe((inside / name).as_posix(), str(root))] = data
    return dict(sorted(found.items()))


def is_private(data: bytes) -> bool:
    """Whether a file is a private key, encrypted or not."""
    return data.lstrip().startswith(b"-----BEGIN ") and b" PRIVATE KEY-----" in data[:80]


def _described(files: dict[str, bytes]) -> Backup:
    games: list[Game] = []
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


def _game(name: str, data: bytes) -> Game:
    try:
        entries = gamelog.parse_log(data.decode("ascii"))
    except UnicodeDecodeError as error:
        raise Damaged("it isn't plain ASCII text", name) from error
    if len(entries) < 2:
        raise Damaged("it is cut off", name, "a game has an offer and an accept")
    return Game(name, len(entries), entry_hash(entries[-1][0].payload).hex())


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
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            manifest = _manifest(archive, where)
            _check_members(members, manifest["files"], where)
            files = {m.filename: archive.read(m) for m in members if m.filename != MANIFEST}
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError) as error:
        raise Damaged(f"the zip can't be read: {error}", where, "take another copy of the backup") from error
    for name, content in files.items():
        if hashlib.sha256(content).hexdigest() != manifest["files"][name]:
            raise Damaged(f"{name} isn't as it was written", where, "take another copy of the backup")
    found = _described(dict(sorted(files.items())))
    if [game._asdict() for game in found.games] != manifest["games"]:
        raise Damaged("the manifest names other games than the backup holds", where, "take another copy of the backup")
    return found


def _manifest(archive: zipfile.ZipFile, where: str) -> dict[str, Any]:
    """The manifest, of the right form."""
    try:
        member = archive.getinfo(MANIFEST)
    except KeyError:
        raise Refused("it is a zip, but not a backup", where, "`pbem backup FILE.zip` makes one") from None
    if member.file_size > gamelog.LIMIT:
        raise Damaged("its manifest is too large", where)
    try:
        manifest = json.loads(archive.read(member))
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
    """Whether these are exactly the files listed, each with a name that stays in the folder, none too large."""
    if len(members) > FILES_MAX or sum(member.file_size for member in members) > TOTAL_MAX:
        raise Damaged("it is too large", where, f"at most {FILES_MAX} files and {TOTAL_MAX} bytes are read")
    names = [member.filename for member in members if member.filename != MANIFEST]
    folded = {_safe(name, where).casefold() for name in names}
    if len(folded) != len(names):
        raise Damaged("it holds a file twice", where, "take another copy of the backup")
    if any(parent.as_posix() in folded for name in folded for parent in PurePosixPath(name).parents):
        raise Damaged("it holds a file and a folder of one name", where, "take another copy of the backup")
    if set(names) != set(listed):
        strange = sorted(set(names) ^ set(listed))[0]
        what = f"{strange!a:.80} is {'not in its manifest' if strange in names else 'missing'}"
        raise Damaged(what, where, "take another copy of the backup")
    for member in members:
        kind = stat.S_IFMT(member.external_attr >> 16)
        if kind not in (0, stat.S_IFREG):
            raise Damaged(f"{member.filename!a:.80} is not a plain file", where, "a backup holds plain files only")


def _safe(name: str, where: str) -> str:
    """The name of a file in the home folder. Raises Refused for one that leads out of it, or isn't one everywhere."""
    parts = name.split("/")
    wrong = (
        len(name) > 400
        or not name.isprintable()
        or bool(_FOREIGN & set(name))
        or parts[0].casefold() == "cache"
        or any(part in ("", ".", "..") or part.endswith((" ", ".")) for part in parts)
    )
    if wrong:
        raise Refused(f"no file of a home folder can be called {name!a:.80}", where, "rename it, or take it out")
    return name
