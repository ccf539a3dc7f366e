"""Games put back into a home folder: from a backup, or made again from a log, or from mails, and the player's key.

Nothing that is here is ever replaced by less: a log only by one that goes on from it, the note of what was signed last
only by a newer one, a key by none. What is restored is verified first, and a game that is written gets a mark.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from pbem.crypto.openssh import fingerprint
from pbem.errors import Damaged, PbemError, Refused, Storage
from pbem.home import files as disk
from pbem.home.backup import Files, is_private
from pbem.home.contact import Contact
from pbem.home.contents import ID_LENGTH, LAID, NOTES, in_home, is_file_of_home
from pbem.home.folders import Folder, Home
from pbem.home.stored import of_form
from pbem.home.vetting import public_key, turns_in, vetted
from pbem.match.table import Table
from pbem.wire.blocks import scan_blocks
from pbem.wire.entry import Entry
from pbem.wire.turn import Turn

__all__ = ["restore", "restore_game"]

TOLD_OF_BOTS = 40
"""Lines that are told of the homes of bots."""
ELSEWHERE = "another home folder can take it, with --home"


def restore_game(
    home: Home, text: str, table: Table, blob: bytes, given: Contact, signed: Turn | None = None
) -> tuple[str, str]:
    """Put a verified log into the home folder of the player who has this key; the game's id, and new, longer or same.

    `signed` is the newest entry, which he has just signed. Addresses that are not given stay. Raises Refused when the
    key is nobody's in the game, and whatever `restore` does.
    """
    names = [player.name for player in table.players.values() if player.key == blob]
    game = table.genesis.game.hex()[:ID_LENGTH]
    if not names:
        held = ((player.name, fingerprint(player.key)) for player in table.players.values())
        keys = ", ".join(f"{player} has {key_print}" for player, key_print in held)
        what = f"this key, {fingerprint(blob)}, is not a player's key in the game"
        raise Refused(what, f"game {game}", f"{keys}; name the right one with --key")
    folder = Folder(home, "games", game)
    known = folder.contact()
    called = known.called or home.new_name(game, turns_in(text.encode("ascii"), 1)[0].entry)
    contact = Contact(names[0], given.mail or known.mail, given.to or known.to, known.answers, called).checked()
    files = {f"games/{game}/contact.json": contact.dump(), f"games/{game}/game.log": text.encode("ascii")}
    if signed is not None:
        files[f"signed/{game}"] = signed.text.encode("ascii")
    fates = _put(home, files)
    if folder.contact() != contact:
        folder.write_contact(contact)
    _clear_damaged(home, game)
    return game, fates[game]


# --- into the home folder ----------------------------------------------------------------------------------------


def restore(home: Home, files: Files, key: bytes = b"", tell: Callable[[str], None] = lambda _: None) -> dict[str, str]:
    """Put a backup's files into a home folder; what became of each game: id -> new, longer or same.

    Only what is verified goes there; `tell` hears of the rest, and of what nobody has signed: addresses, notes, laid
    orders. `key` is my public key, where the home folder has none. Files that are only here stay. The homes of bots are
    restored likewise, each after mine; `tell` hears why one can't be. Raises Refused, with nothing written, when a log
    here is longer or another one, when a key here is another one, when two different turns were signed for one number,
    when an offer would become a second game; Storage.
    """
    bots: dict[str, dict[str, bytes]] = {}
    for whole, data in files.items():
        bot, name = in_home(whole) if is_file_of_home(whole) else ("", whole)
        bots.setdefault(bot, {})[name] = data
    files = bots.pop("", {})
    logs = {f"games/{folder.id}/game.log": b"" for folder in home.games()}
    broken = {f"damaged/{path.name}": b"" for path in _inside(home.root / "damaged")}
    read = {name: data for name, data in files.items() if is_file_of_home(name)}
    here = _here(home.root, {"key": b"", "key.pub": b"", **logs, **broken, **read})
    names = {folder.id: folder.contact().name for folder in home.games()}
    mine = [public_key(here[name]) for name in ("key", "key.pub") if name in here]
    found = vetted(files, here, names, [known for known in (*mine, key) if known], home.load)
    for line in found.told:
        tell(line)
    fates = _put(home, found.files)
    for line in _beside(found.files, here):
        tell(line)
    for game in sorted(fates):
        if _clear_damaged(home, game):
            tell(f"damaged/{game}.log is taken away: every turn in it is in the log of game {game}")
    _restore_bots(home, bots, tell)
    return fates


def _restore_bots(home: Home, bots: Mapping[str, Files], tell: Callable[[str], None]) -> None:
    """Put the homes of bots back; why one can't be, and what of them doesn't count, is told of the first."""
    told: list[str] = []
    for bot, theirs in bots.items():
        try:
            restore(Home(home.root / bot), theirs, b"", lambda line, bot=bot: told.append(f"{bot}/{line}"))  # type: ignore[misc]
        except Refused as error:
            told.append(f"games against the bot in {bot} can't go on here: {error}")
    for line in told[:TOLD_OF_BOTS]:
        tell(line)
    if len(told) > TOLD_OF_BOTS:
        tell(f"{len(told) - TOLD_OF_BOTS:,} more lines about homes of bots are left out")


def _clear_damaged(home: Home, game: str) -> bool:
    """Delete a damaged log of a game that is here, unless it holds a turn that the game's log lacks; whether it did."""
    path = home.root / "damaged" / f"{game}.log"
    data = _here(home.root, {f"damaged/{game}.log": b""}).get(f"damaged/{game}.log")
    if data is None:
        return False
    known = {turn.payload for turn in Folder(home, "games", game).turns()}
    blocks = scan_blocks(data.decode("ascii", "replace"))
    if any(not isinstance(block, Damaged) and block.payload not in known for block in blocks):
        return False
    disk.delete(path)
    return True


def _beside(files: Files, here: Files) -> list[str]:
    """What of restored games nobody has signed, in a line each: where their mails go, what is laid, who wrote notes."""
    told = []
    for name, data in files.items():
        match name.split("/"):
            case ["games", game, file] if name not in here:
                where = _addresses(data) if file == "contact.json" else ""
                if where:
                    told.append(f"MAILS of game {game} {where}, says this backup; make sure that it is right")
                elif file == LAID:
                    told.append(f"orders are laid in game {game}: `pbem lay --game {game}` shows them")
                elif file == NOTES:
                    told.append(f"notes of game {game} are restored, which nobody has signed")
    return told


def _addresses(data: bytes) -> str:
    """Where mails go by a file contact.json, and their answers; "" where it doesn't say."""
    with suppress(Damaged):
        contact = Contact.of(of_form(data, dict[str, str]))
        ways = (f"go to {contact.to}" * bool(contact.to), f"ask for answers to {contact.mail}" * bool(contact.mail))
        return " and ".join(filter(None, ways))
    return ""


def _put(home: Home, files: Files) -> dict[str, str]:
    """Put verified files into a home folder, each whole and in place, so that after a kill the same command finishes.

    First the marks of restored games and the notes of what was signed, then keys, then the rest, at last the logs:
    behind a note that is ahead of its log nothing is signed twice.
    """
    _refuse_second_games(home, files)
    begun = _begun(home, files)
    wanted = {name: data for name, data in files.items() if not _is_stale_offer(name, begun)}
    here = _here(home.root, wanted)
    chosen = {name: _chosen(name, here.get(name), data, str(home.root / name)) for name, data in wanted.items()}
    fates: dict[str, str] = {}
    for name, data in list(chosen.items()):
        if _is_log(name, "games"):
            _check_note(home, name, data, chosen)
            game = name.split("/")[1]
            fates[game] = "same" if here.get(name) == data else "longer" if name in here else "new"
            if fates[game] != "same":
                chosen[f"restored/{game}"] = b""
    _write(home.root, {name: data for name, data in chosen.items() if here.get(name) != data})
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
    texts = [data for name, data in files.items() if _is_log(name, "games")]
    first = [turn for text in [*texts, *_logs_here(home)] for turn in turns_in(text, 1)]
    return {turn.hash.hex()[:ID_LENGTH] for turn in first}


def _logs_here(home: Home) -> list[bytes]:
    found = []
    for folder in home.games():
        with suppress(PbemError):
            found.append(folder.text().encode("ascii"))
    return found


def _refuse_second_games(home: Home, files: Files) -> None:
    """Refuse to let one offer become two games, of which one is new here. Raises Refused."""
    notes = _here(home.root, {f"begun/{path.name}": b"" for path in _inside(home.root / "begun")})
    here = dict(map(_accepted, [*notes.values(), *_logs_here(home)]))
    new = {name: data for name, data in files.items() if _is_log(name, "games") or name.startswith("begun/")}
    known = _here(home.root, new)
    for name, data in new.items():
        offer, game = _accepted(data)
        other = here.setdefault(offer, game)
        if offer and other != game and _accepted(known.get(name, b"")) != (offer, game):
            what = f"one offer would become two games, {other[:ID_LENGTH]} and {game[:ID_LENGTH]}"
            raise Refused(what, str(home.root), f"only the one that its offerer goes on with is a game; {ELSEWHERE}")


def _accepted(data: bytes) -> tuple[str, str]:
    """The offer and the game of a log, or of a note of what has begun, each by its hash; empty for a damaged one."""
    accepts = [turn for turn in turns_in(data, 2) if turn.entry.kind == "accept"]
    return (accepts[0].entry.prev or "", accepts[0].hash.hex()) if accepts else ("", "")


def _inside(folder: Path) -> list[Path]:
    """The files of a folder."""
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _here(root: Path, files: Files) -> dict[str, bytes]:
    """Those of the files that are in the home folder already, as they are there."""
    try:
        return {name: _bytes(root / name) for name in files if (root / name).is_file()}
    except OSError as error:
        raise Storage(f"it can't be read: {error.strerror}", str(error.filename or root)) from error


def _bytes(path: Path) -> bytes:
    """What is in a file of the home folder. Raises OSError."""
    data = disk.read_small(path, disk.LIMIT + 1)
    if len(data) > disk.LIMIT:
        raise OSError(errno.EFBIG, f"it has more than {disk.LIMIT:,} bytes", str(path))
    return data


def _chosen(name: str, here: bytes | None, new: bytes, where: str) -> bytes:
    """What is to stand in a file: what is here or what is to be restored, whichever is more. Raises Refused."""
    if here is None or here == new:
        return new
    if name in ("key", "key.pub") or is_private(here):
        raise Refused("another key is here, and stays", where, f"move it away; or {ELSEWHERE}")
    if name.endswith("/game.log"):
        if (grown := _grown(here, new)) is not None:
            return grown
        if _grown(new, here) is not None:
            raise Refused("the log here is longer, and stays", where, "a log is never replaced by a shorter one")
        raise Refused("another log is here", where, f"`pbem diff` tells where they part; {ELSEWHERE}")
    if name.endswith("/times"):
        return new if new.startswith(here) else here
    return _newest(here, new, where) if name.startswith("signed/") else here


def _grown(here: bytes, new: bytes) -> bytes | None:
    """A log with what another one has behind its end; None where that one doesn't go on from it.

    A signature may have another form in each of them, for whoever signs can make many of one text; that here stays.
    """
    if new.startswith(here):
        return new
    ours, theirs = turns_in(here), turns_in(new)
    if not ours or [turn.payload for turn in ours] != [turn.payload for turn in theirs[: len(ours)]]:
        return None
    return here + "".join(turn.text for turn in theirs[len(ours) :]).encode("ascii")


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
    return next((turn.entry for turn in turns_in(note, 1)), None)


def _refuse_second(entry: Entry, where: str) -> None:
    what = f"entry {entry.seq} was signed here with other words than those to be restored"
    raise Refused(what, where, f"only one of the two can be in the log; {ELSEWHERE}")


def _check_note(home: Home, name: str, log: bytes, chosen: Files) -> None:
    """Refuse a log that has other words under a number than what was signed here."""
    path = f"signed/{name.split('/')[1]}"
    notes = [chosen[path]] if path in chosen else []
    notes += _here(home.root, {path: b""}).values()
    turns = turns_in(log)
    for entry in filter(None, map(_noted, notes)):
        if entry.seq < len(turns):
            logged = turns[entry.seq].entry
            if logged.by == entry.by and logged.payload != entry.payload:
                _refuse_second(entry, str(home.root / path))


_ORDER = ("restored", "signed", "begun", "key", "key.pub", "")
"""In which order files are written, by their folder; what is not named here before logs, and those last."""


def _turn_of(name: str) -> tuple[bool, int, str]:
    """When a file's turn to be written comes."""
    folder = name.split("/")[0]
    return name.endswith("/game.log"), _ORDER.index(folder if folder in _ORDER else ""), name


def _write(root: Path, files: Files) -> None:
    try:
        root.mkdir(0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Storage(f"it can't be made: {error.strerror}", str(root), "make room or mend the permissions") from error
    for name in sorted(files, key=_turn_of):
        secret = is_private(files[name]) or name.endswith(f"/{LAID}")
        disk.write_atomically(root / name, files[name], 0o600 if secret else 0o644)
