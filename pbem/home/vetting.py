"""What of a backup's files counts: everything in it that is signed is verified before it goes into a home folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from pbem.crypto import sshsig
from pbem.crypto.keys import FILE_MAX, clear_public
from pbem.crypto.openssh import from_text, read_container
from pbem.errors import BadLog, BadSignature, Damaged, KeyProblem, PbemError, Refused
from pbem.home.backup import is_private
from pbem.home.contents import ID_LENGTH, LAID, SCENARIOS, is_file_of_home
from pbem.home.proofs import evidence_name
from pbem.home.settings import SETTINGS
from pbem.match.genesis import Loader, verify_offer
from pbem.match.replay import Replayed, replay
from pbem.match.take import take
from pbem.records import NamedTuple
from pbem.wire.blocks import read_log_blocks
from pbem.wire.bodies import read_terms
from pbem.wire.turn import Turn

__all__ = ["Vetted", "public_key", "turns_in", "vetted"]

Files = Mapping[str, bytes]
NAMED = 20
"""Files that one message names, and files of each kind that are told of one by one."""
LONG = 80
"""Letters of a name that nobody asked for."""
DAMAGED_MAX, DAMAGED_BYTES = 20, 32 * 2**20
"""Logs that can't be verified which are kept, those here counted, and their bytes together."""


class Vetted(NamedTuple):
    """The files that count, and a line about each that doesn't."""

    files: dict[str, bytes]
    told: list[str]


def vetted(files: Files, here: Files, names: Mapping[str, str], own: Sequence[bytes], load: Loader) -> Vetted:
    """The files of a backup that count (protocol 4.5); a log that can't be verified goes under damaged/.

    `here` are the files of the home folder, as far as the backup has them too, and its logs; `names` tells who I am in
    the games here, by their ids; `own` are my public keys, the surest first. Raises Refused where a note of what was
    signed can't be judged without a key.
    """
    backup = _Backup(files, here, names, own, load)
    found = Vetted({}, [])
    told: list[tuple[str, str]] = []
    strange = [name for name in files if not is_file_of_home(name)]
    known = [name for name in files if is_file_of_home(name)]
    for name in sorted(known, key=lambda name: name.startswith("damaged/")):  # whatever is damaged comes last
        data = files[name]
        why = backup.why_not(name, data)
        if not why and name.startswith("damaged/") and name not in here:
            why = _why_not_kept(name, data, here, found)
        if not why:
            found.files[name] = data
        elif name.startswith("games/") and name.endswith("/game.log"):
            told.append((name, _keep_damaged(name, data, why, here, found)))
        elif not name.endswith("/contact.json"):  # it goes with its log
            told.append((name, f"{name} {why}, and is not restored"))
    found.told.extend([*_first_of_each(told), *_told_of_strange(strange)])
    return found


def _keep_damaged(name: str, data: bytes, why: str, here: Files, found: Vetted) -> str:
    """Put a log that can't be verified where nothing reads it, unless there is a log here; a line about it."""
    if name in here:
        return f"{name} {why}; the log here stays"
    other = f"damaged/{name.split('/')[1]}.log"
    if why_not := _why_not_kept(other, data, here, found):
        return f"{name} {why}, and {why_not}; it is not restored"
    found.files[other] = data
    return f"{name} {why}; it is kept as {other}, where nothing reads it"


def _why_not_kept(name: str, data: bytes, here: Files, found: Vetted) -> str:
    """Why a log that can't be verified isn't kept beside those that are; "" when it is."""
    log = f"games/{name.removeprefix('damaged/').removesuffix('.log')}/game.log"
    if log in here or log in found.files:
        return "is a damaged log of a game that is here"
    kept = {other: found.files.get(other, b"") for other in {*here, *found.files} if other.startswith("damaged/")}
    if name not in kept and len(kept) >= DAMAGED_MAX:
        return f"is one too many: {DAMAGED_MAX} damaged logs are kept"
    if len(data) + sum(map(len, kept.values())) > DAMAGED_BYTES:
        return f"is too large: of damaged logs {DAMAGED_BYTES:,} bytes are kept"
    return ""


def _first_of_each(told: Iterable[tuple[str, str]]) -> list[str]:
    """The first lines about files of each folder, and how many more there are of it."""
    lines: dict[str, list[str]] = {}
    for name, line in told:
        lines.setdefault(name.split("/")[0], []).append(line)
    found = []
    for folder, of_it in lines.items():
        more = len(of_it) - NAMED
        found += [*of_it[:NAMED], *([f"{more:,} more of {folder}/ don't count either"] if more > 0 else [])]
    return found


def _told_of_strange(strange: Sequence[str]) -> list[str]:
    """What is to be told of files that a backup doesn't bring back."""
    found = []
    own = [name for name in strange if name.startswith(f"{SCENARIOS}/")]
    if own:
        what = f"scenarios of one's own are not restored, for nobody has signed them: {_named(own)}"
        found.append(f"{what}; copy them out of the zip into this home folder, then restore again")
    strange = [name for name in strange if name not in own]
    if strange:
        found.append(f"what no home folder has is not restored: {_named(strange)}")
    return found


def _named(names: Sequence[str]) -> str:
    """The first of the names, long ones cut, and how many more there are."""
    shown = ", ".join(name if len(name) <= LONG else f"{name[:LONG]} ..." for name in names[:NAMED])
    return f"{shown} and {len(names) - NAMED} more" if len(names) > NAMED else shown


def public_key(data: bytes) -> bytes | None:
    """The public key of a key file, private (encrypted or not) or public; None for anything else."""
    text = data.decode("ascii", "replace")
    with suppress(PbemError):
        return from_text(text)
    with suppress(PbemError):
        return read_container(text, "key").pub_blob
    return None


def _is_key(data: bytes) -> bool:
    """Whether a file is a key that can sign: private, its halves together as far as it is readable; or an agent's."""
    public = public_key(data) if len(data) <= FILE_MAX else None
    text = data.decode("ascii", "replace")
    if public is None or not is_private(data):
        return public is not None
    return read_container(text, "key").encrypted or clear_public(text) == public


def turns_in(data: bytes, most: int | None = None) -> list[Turn]:
    """The turns of a log or note, up to so many of the first; none of a damaged one."""
    with suppress(PbemError, UnicodeDecodeError):
        return [Turn.of(block) for block in read_log_blocks(data.decode("ascii"))[:most]]
    return []


def _only_turn(data: bytes) -> Turn | None:
    """The only turn of a file; None where it is damaged or isn't the only one."""
    turns = turns_in(data)
    return turns[0] if len(turns) == 1 else None


def _surely_mine(key: bytes, here: bytes | None, own: Sequence[bytes]) -> bool:
    """Whether the key of a backup is the private key that is here; or where none is, a key of mine with its secret.

    Of an encrypted one only the public half can be read, which anybody could have put there.
    """
    if here is not None:
        return key == here and is_private(key)
    public = clear_public(key.decode("ascii", "replace")) if is_private(key) else None
    return public is not None and public in (own[:1] or [public])


def _is_signed(turn: Turn, keys: Iterable[bytes]) -> bool:
    """Whether one of these keys signed a turn."""
    for key in keys:
        with suppress(BadSignature):
            sshsig.verify(turn.payload, turn.block.armor, key)
            return True
    return False


class _Backup:
    """A backup's files, and what they are judged by."""

    def __init__(self, files: Files, here: Files, names: Mapping[str, str], own: Sequence[bytes], load: Loader) -> None:
        self.files, self.here, self.names, self.own, self.load = files, here, names, own, load
        found = (public_key(files[name]) for name in ("key", "key.pub") if name in files)
        self.theirs = [key for key in found if key is not None][:1]
        """The key in the backup, if there is one."""
        self.replayed: dict[bytes, Replayed | PbemError] = {}
        self.sure = _surely_mine(files.get("key", b""), here.get("key"), own)
        """Whether it is my own backup, for it holds my private key: who has that needs no tricks."""

    def why_not(self, name: str, data: bytes) -> str:
        """Why a file doesn't count; "" when it does. Raises Refused."""
        if name in self.here and self.here[name] == data:
            return ""
        match name.split("/"):
            case ["games", game, "game.log"]:
                return self._why_no_log(game, data)
            case ["restored", _] if data:
                return "is not empty"
            case ["games", game, _] if why := self._why_not_beside(game, name):
                return why
            case ["games" | "restored", game, *_]:
                return "" if self._log(game) is not None else "belongs to no game that is restored"
            case ["offers", offer, _]:
                return self._why_no_offer(offer)
            case ["signed", game]:
                return self._why_no_note(game, data)
            case ["begun", offer]:
                return _why_no_accept(offer, data)
            case ["evidence", file]:
                return _why_no_evidence(file, data)
            case ["key" | "key.pub"]:
                return self._why_no_key(name, data)
            case [only] if only == SETTINGS and not self.sure:
                return "says how my mails leave, and nothing tells that I wrote it: the backup has no key of mine"
        return ""

    def _why_not_beside(self, game: str, name: str) -> str:
        """Why what isn't signed and stands beside a log doesn't count; "" where the backup is surely my own."""
        if self.sure or name.endswith("/times"):
            return ""
        if name.endswith(f"/{LAID}"):
            return (
                "are orders that wait to be signed, and nothing tells that I laid them: the backup has no key of mine"
            )
        return "is of a game that is here" if f"games/{game}/game.log" in self.here else ""

    # --- logs --------------------------------------------------------------------------------------------------------

    def _read(self, game: str, data: bytes) -> Replayed:
        """A log, verified from its first entry. Raises the PbemError of what is wrong."""
        if data not in self.replayed:
            try:
                self.replayed[data] = self._verified(game, data)
            except PbemError as error:
                self.replayed[data] = error
        found = self.replayed[data]
        if isinstance(found, PbemError):
            raise found
        return found

    def _verified(self, game: str, data: bytes) -> Replayed:
        try:
            found = replay(data.decode("ascii"), self.load)
        except UnicodeDecodeError as error:
            raise Damaged("it isn't plain ASCII text") from error
        if found.genesis is None:
            raise BadLog("only an offer is there", "", "a game begins with an accept")
        if found.genesis.game.hex()[:ID_LENGTH] != game:
            raise BadLog(f"it is the log of game {found.genesis.game.hex()[:ID_LENGTH]}")
        return found

    def _why_no_log(self, game: str, data: bytes) -> str:
        if self.here.get(f"games/{game}/game.log", b"").startswith(data) and data:
            return ""  # it replaces nothing
        try:
            self._read(game, data)
        except PbemError as error:
            return f"can't be verified: {error}"
        return ""

    def _log(self, game: str) -> Replayed | None:
        """The longest verified log of a game, of the backup or here."""
        name = f"games/{game}/game.log"
        logs = {source[name]: None for source in (self.files, self.here) if name in source}
        for data in sorted(logs, key=len, reverse=True):
            with suppress(PbemError):
                return self._read(game, data)
        return None

    # --- what was signed ---------------------------------------------------------------------------------------------

    def _why_no_note(self, game: str, data: bytes) -> str:
        turn = _only_turn(data)
        if turn is None:
            return "is no whole block"
        log = self._log(game)
        if (turn.entry.game or "")[:ID_LENGTH] != game:
            return "is a note of another game"
        if log is None:
            return "" if _is_signed(turn, self.own or self.theirs) else "is not signed with my key"
        return self._why_not_mine(game, log, turn)

    def _why_not_mine(self, game: str, log: Replayed, turn: Turn) -> str:
        """Why a note of a game whose log is known isn't one of what I signed."""
        assert log.table is not None  # noqa: S101 a verified log has a table
        me, others, entry = *self._me(game, log), turn.entry
        if me and entry.by not in me:
            return f"was signed for {entry.by}, not for me"
        if entry.seq < len(log.turns) and log.turns[entry.seq].payload == turn.payload:
            return ""
        players = (*log.table.genesis.players, *log.table.players.values())
        if _is_signed(turn, [player.key for player in players if player.name in me]) or _is_signed(turn, others):
            return ""
        if _follows(log, turn):
            return ""
        if not me and _is_signed(turn, [player.key for player in players]):
            what = "my key is needed to tell whether I have signed what the backup says"
            raise Refused(what, f"signed/{game}", "name it with --key or PBEM_KEY")
        return "is not rightly signed by me"

    def _me(self, game: str, log: Replayed) -> tuple[set[str], Sequence[bytes]]:
        """Who I am in a game, none where nothing tells; and the keys that may be mine though the log has them not."""
        assert log.table is not None  # noqa: S101
        players = (*log.table.players.values(), *log.table.genesis.players)
        for keys in (self.own, [] if game in self.names else self.theirs):
            for key in keys:
                if me := {player.name for player in players if player.key == key}:
                    return me, ()
        if self.names.get(game):
            return {self.names[game]}, self.own
        return set(), (*self.own, *self.theirs)

    # --- the rest ----------------------------------------------------------------------------------------------------

    def _why_no_offer(self, offer: str) -> str:
        name = f"offers/{offer}/game.log"
        found = _only_turn(self.files.get(name) or self.here.get(name, b""))
        if found is None:
            return "is of no whole offer"
        try:
            player, _ = verify_offer(found)
        except PbemError as error:
            return f"can't be verified: {error}"
        if found.hash.hex()[:ID_LENGTH] != offer:
            return "is of another offer"
        return "" if player.key in (self.own or self.theirs) else "is of an offer that my key didn't sign"

    def _why_no_key(self, name: str, data: bytes) -> str:
        """One that can't sign would stand in the way of mine; the public one players compare by voice."""
        if name == "key":
            return "" if name in self.here or _is_key(data) else "is no key that can sign"
        found = public_key(data)
        private = self.here.get("key") or self.files.get("key")
        if found is None or (private is not None and public_key(private) not in (None, found)):
            return "is not the public half of the key"
        return ""


def _follows(log: Replayed, turn: Turn) -> bool:
    """Whether a turn is the next one of a log."""
    assert log.table is not None  # noqa: S101
    if turn.entry.seq != log.table.seq + 1 or turn.entry.prev != log.table.head.hex():
        return False
    with suppress(PbemError):
        take(log.table.fork(), turn)
        return True
    return False


def _why_no_accept(offer: str, data: bytes) -> str:
    found = _only_turn(data)
    if found is None or found.entry.kind != "accept" or (found.entry.prev or "")[:ID_LENGTH] != offer:
        return "is no accept of that offer"
    try:
        sshsig.verify(found.payload, found.block.armor, read_terms(found.entry)[0].key)
    except (BadLog, BadSignature, KeyProblem) as error:
        return f"can't be verified: {error}"
    return ""


def _why_no_evidence(file: str, data: bytes) -> str:
    found = _only_turn(data)
    if found is None or file != evidence_name(found):
        return "is not the entry that its name says"
    return ""
