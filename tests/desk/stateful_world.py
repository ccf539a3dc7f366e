"""Two players at their machines with an uncertain mail between them, and what must hold of them at any time.

Nobody signs two entries with one number, whatever dies and whatever is put back (`World.check`), but for him whose
whole home is put back as it was: he has forgotten what he signed behind the newest entry that this home knows, in its
log or as signed, and nothing on his machine can tell him. For him holds (`World.check`, `World.proven`):

- A second entry of his has a number that he has forgotten, never one that his home knows.
- What he decides again is another entry, even with the same words: behind a restore a new chain of dice begins.
- His opponent keeps whichever of the two comes first. The other one is never put in its place: it becomes his
  evidence, and it proves who signed twice.
- His opponent's log, put back with `restore`, goes on from his; he then signs on behind it, nothing twice.
- If he has signed a second one before, `restore` refuses the opponent's log, and nothing is written; the game goes on
  only when he gives way by hand (`World.mend`). So does he who has answered an entry that its author has signed again
  and that is lost on both machines (`World.unstick`).

What a home put back doesn't know either is which chain values its player has revealed. An opponent who cheats could
sign another entry for one that was answered, and know its dice; both with his signature, the first one in his mail.
Where only the log is older, the note of the answer refuses it.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, TypeVar

from desk.stateful_disk import WELL, Died, Disk, Fate
from toy.players import SIDES, signer
from toy.state import POSTS, UNITS

from pbem.audit.evidence import exhibits, judge, keys_of
from pbem.crypto.dice import entry_hash
from pbem.crypto.keys import FileSigner
from pbem.desk.arrival import open_all, read_offer, take_in
from pbem.desk.desk import Desk, Place, terms_of
from pbem.desk.letter import read_letter
from pbem.desk.succession import rekey
from pbem.errors import PbemError, Refused, Storage
from pbem.home.backup import back_up, read_backup
from pbem.home.contact import Contact
from pbem.home.folders import Folder, Home
from pbem.home.restore import restore, restore_game
from pbem.mail.inbox import Mail
from pbem.match.agreements import Forgotten
from pbem.match.bots import suggest
from pbem.match.limits import AGREEMENTS_MAX
from pbem.match.orders import Part, read_parts
from pbem.match.replay import replay
from pbem.match.table import BARE, Table
from pbem.match.take import peek, take
from pbem.scenario import Scenario
from pbem.wire.blocks import Block, read_log_blocks, render_block
from pbem.wire.bodies import PROPOSALS, proposal_body
from pbem.wire.entry import Entry, parse_entry
from pbem.wire.orderfile import parse_statements
from pbem.wire.turn import Turn

T = TypeVar("T")
NAMES = tuple(SIDES)
TALLY: Counter[tuple[str, str]] = Counter()
"""(steps, fates or outcomes; what) -> how often it happened in all runs."""
RING = {made.pub_blob: made for name in NAMES for made in map(signer, [name, *(f"{name}{n}" for n in range(9))])}
"""All keys that the players have or may come to."""


def outcome(what: str) -> None:
    """Count something that a program did."""
    TALLY["outcomes", what] += 1


entry_of = lru_cache(4096)(parse_entry)


@lru_cache(1024)
def blocks_in(text: str) -> tuple[Block, ...]:
    """The blocks of a log or note."""
    return tuple(read_log_blocks(text))


def other(name: str) -> str:
    """The opponent."""
    return NAMES[1 - NAMES.index(name)]


def render(blocks: Iterable[Block]) -> str:
    """The text of a log."""
    return "".join(map(render_block, blocks))


def letter(*blocks: Block, source: str = "turn.eml") -> Mail:
    """A mail with blocks in it, the newest on top."""
    return Mail(source, "someone@example.org", "", "pbem", "", "", ("Hello,\n\n" + render(blocks),))


class Sent(NamedTuple):
    """A mail under way: whose machine it goes to, the turn, and older ones that are quoted below it."""

    to: str
    block: Block
    quoted: tuple[Block, ...] = ()


class Witness:
    """A third party who verifies logs, each entry once."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.tables: dict[str, Table] = {}

    def table(self, text: str) -> Table:
        """The table behind a log. Raises the PbemError of a log that isn't good."""
        blocks = blocks_in(text)
        known = len(blocks)
        while known > 2 and render(blocks[:known]) not in self.tables:
            known -= 1
        begun = render(blocks[:known])
        if begun not in self.tables:
            self.tables[begun] = self.replayed(begun)
        for number in range(known, len(blocks)):
            before, behind = render(blocks[:number]), render(blocks[: number + 1])
            ahead = self.tables[before].fork()
            try:
                take(ahead, Turn.of(blocks[number]))
            except Forgotten:
                ahead = self.replayed(behind)
            self.tables[behind] = ahead
        return self.tables[text]

    def replayed(self, text: str) -> Table:
        """The table of a log verified from its first entry."""
        table = replay(text, lambda _: self.scenario).table
        assert table is not None
        return table


class World:
    """Two homes, the mails sent, and a memory of every entry that anybody signed."""

    def __init__(self, root: Path, scenario: Scenario, number: int = 0) -> None:
        self.root = root
        self.scenario = scenario
        self.witness = Witness(scenario)
        self.homes = {name: Home(root / name) for name in NAMES}
        self.disks = {name: Disk(root / name, self.about_to_write) for name in NAMES}
        self.number, self.drawn = number, 0
        self.game = ""
        self.offer: Block | None = None
        self.offeree = ""
        self.sent: list[Sent] = []
        self.signed: dict[tuple[str, int, str], set[bytes]] = defaultdict(set)
        self.floor: Counter[tuple[str, str]] = Counter()
        """(game, player) -> how many entries a home restored as a whole still knew; 0: nothing is forgotten."""
        self.lasting: dict[str, list[Block]] = {name: [] for name in NAMES}
        """What a player's log can't lose any more, unless an older one is put in its place: it was sent, or taken."""
        self.noted: dict[str, Block | None] = dict.fromkeys(NAMES)
        """What a player's home had as signed last when it was looked at last."""
        self.backups: dict[str, list[Path]] = {name: [] for name in NAMES}
        self.copies = 0
        self.whole: dict[Path, bytes] = {}

    # --- what is on the disks

    def folder(self, name: str) -> Folder | None:
        """A player's folder of the game that is played."""
        found = Folder(self.homes[name], "games", self.game)
        return found if self.game and found.log.is_file() else None

    def log(self, name: str) -> list[Block]:
        """A player's log as it is on his disk; empty where the game hasn't begun."""
        folder = self.folder(name)
        return list(blocks_in(folder.log.read_text("ascii"))) if folder else []

    def note(self, name: str) -> Block | None:
        """What a player's home has as signed last."""
        path = self.homes[name].root / "signed" / self.game
        return blocks_in(path.read_text("ascii"))[0] if self.game and path.is_file() else None

    def settled_log(self, name: str) -> list[Block]:
        """A player's log with the entry that an interrupted `send` has only noted."""
        log, note = self.log(name), self.note(name)
        if log and note is not None and self.follows(log, note):
            return [*log, note]
        return log

    def follows(self, log: list[Block], block: Block) -> bool:
        """Whether an entry can stand behind a log."""
        entry = entry_of(block.payload)
        return entry.seq == len(log) and entry.prev == entry_hash(log[-1].payload).hex()

    def stuck(self, name: str) -> bool:
        """Whether the entry noted as signed follows another one than the log's newest."""
        log, note = self.log(name), self.note(name)
        return bool(log and note) and entry_of(note.payload).seq == len(log) and not self.follows(log, note)

    # --- commands

    def signer(self, name: str, log: list[Block]) -> FileSigner:
        """The key with which a player signs behind a log."""
        return RING[self.witness.table(render(log)).player(name).key] if log else signer(name)

    def desk(self, name: str) -> Desk:
        """A player at his home anew."""
        return Desk(Home(self.root / name), lambda: self.signer(name, self.settled_log(name)), self.bytes)

    def bytes(self, size: int) -> bytes:
        """What takes the place of chance."""
        self.drawn += 1
        return sha256(f"{self.number} {self.drawn}".encode()).digest()[:size]

    def run(self, name: str, action: Callable[[Desk], T], fate: Fate, chance: random.Random) -> T | PbemError | None:
        """Run a command of a player's program: what it gives or refuses; None when it died, or its disk is full."""
        try:
            with self.disks[name].under(fate):
                return action(self.desk(name))
        except Died:
            TALLY["fates", fate.how] += 1
            if fate.how == "power":
                self.disks[name].lose_power(chance)
                self.unwritten(name)
        except Storage:
            if fate.how != "full":
                raise
            TALLY["fates", "full"] += 1
        except PbemError as error:
            return error
        return None

    def begin(self, name: str, length: str, reactions: str, fate: Fate, chance: random.Random) -> None:
        """Offer a game."""
        self.number += 1
        terms = terms_of(self.scenario, {"length": length}, reactions=reactions)
        contact = Contact(name, f"{name}@example.org", f"{other(name)}@example.net")
        made = self.run(name, lambda desk: desk.offer(terms, SIDES[name], contact), fate, chance)
        assert not isinstance(made, PbemError), made
        if made is not None:
            self.offer, self.offeree = made[1].block, other(name)
            self.sent.append(Sent(other(name), self.offer))
            self.backups = {name: [] for name in NAMES}
            outcome("game offered")

    def accept(self, name: str, fate: Fate, chance: random.Random) -> None:
        """Accept the offer: a game begins."""
        offer = self.offer
        assert offer is not None
        contact = Contact(name, f"{name}@example.net", f"{other(name)}@example.org")
        before = {folder.id for folder in self.homes[name].games()}
        made = self.run(
            name, lambda desk: desk.accept(read_offer(desk, read_letter(letter(offer))), name, contact), fate, chance
        )
        new = {folder.id for folder in self.homes[name].games()} - before
        if not new and made is None:
            return
        assert len(new) == 1, made
        (self.game,) = new
        self.lasting, self.noted = {name: [] for name in NAMES}, dict.fromkeys(NAMES)
        self.offer = None
        if made is not None and not isinstance(made, PbemError):
            self.lasts(name, fate)
            self.leave(name, made[1].block)

    def lasts(self, name: str, fate: Fate) -> None:
        """The log is on the disk, and stays there; a folder that is full can't be synced, which is no failure."""
        folder, disk = self.folder(name), self.disks[name]
        if folder is not None and fate.how != "full":
            assert str(folder.log) not in disk.loose
            assert str(folder.path) not in disk.names
            self.lasting[name] = self.log(name)

    def leave(self, name: str, block: Block, quoted: int = 0) -> None:
        """A mail leaves a machine: what it holds, and all before it, is verified and in the log."""
        log = self.log(name)
        number = entry_of(block.payload).seq
        assert log[number] == block
        self.witness.table(render(log))
        self.sent.append(Sent(other(name), block, tuple(reversed(log[max(number - quoted, 2) : number]))))

    def act(self, name: str, how: str, fate: Fate, chance: random.Random, quoted: int = 0) -> bool:
        """Decide and send what is due from a player; whether a mail has left."""
        folder = self.folder(name)
        assert folder is not None

        def decide(desk: Desk) -> Block | None:
            place = desk.place(folder)
            if fate == WELL:
                self.compare(name, place)
            if place.table.due().player != name:
                self.refuses(lambda: desk.send(place, []).block)
                return None
            return decision(desk, place, how, chance)

        before = self.settled_log(name)
        noted = self.note(name)
        block = self.run(name, decide, fate, chance)
        if isinstance(block, PbemError):
            assert noted is not None, block
            assert isinstance(block, Refused), block
            assert "is signed already" in str(block)
            assert entry_of(noted.payload).seq >= len(before)
            assert self.log(name) == before
            outcome("refused to sign twice")
            return False
        if block is None:
            return False
        assert self.log(name) == [*before, block]
        assert self.note(name) == block
        self.told(name, entry_of(block.payload))
        self.lasts(name, fate)
        self.leave(name, block, quoted)
        return True

    def told(self, name: str, entry: Entry) -> None:
        """Count an entry that was signed."""
        earlier = self.signed[entry.game[:16], entry.seq, name] - {entry.payload}
        outcome("signed with other words, what is forgotten" if earlier else f"signed: {entry.kind}")

    def again(self, name: str) -> None:
        """A player's newest entries, if nobody has answered them, are mailed once more."""
        folder = self.folder(name)
        if folder is None:
            return
        self.desk(name).place(folder)
        for block in reversed(self.log(name)):
            if entry_of(block.payload).by != name:
                return
            self.leave(name, block)

    def compare(self, name: str, place: Place) -> None:
        """A table out of the cache is the one that the whole log gives."""
        found = self.witness.table(place.text).fork()
        index = found.next_reveal(name)
        if index is not None and found.course.seed is None:
            peek(found, self.desk(name).secrets(place).value(index))
        assert {**found.dump(), "steps": []} == {**place.table.dump(), "steps": []}

    def refuses(self, action: Callable[[], object]) -> None:
        """It is refused."""
        try:
            action()
        except Refused:
            return
        raise AssertionError("it isn't refused")

    # --- mails that come

    def expected(self, name: str, blocks: Iterable[Block]) -> str:
        """What must become of a mail with these blocks: known, begun, taken, or why it is refused."""
        home, log = self.homes[name], self.settled_log(name)
        games = {block.payload for folder in home.games() for block in [turn.block for turn in folder.turns()]}
        games |= {block.payload for block in log}
        offers = {folder.turns()[0].payload for folder in home.offers()}
        new = [block for block in blocks if block.payload not in games | offers]
        if not new:
            return "known" if any(block.payload in games for block in blocks) else "my own offer"
        if len(new) > 1:
            return "several"
        entry = entry_of(new[0].payload)
        if entry.kind == "offer":
            return "an offer"
        if entry.kind == "accept":
            return "begun" if entry.prev in {entry_hash(payload).hex() for payload in offers} else "not mine"
        if not log or entry.seq > len(log):
            return "early"
        if entry.seq < len(log):
            first = entry_of(log[entry.seq].payload)
            return "second entry" if (first.by, first.prev) == (entry.by, entry.prev) else "behind a second entry"
        if not self.follows(log, new[0]):
            return "behind a second entry"
        note = self.note(name)
        mine = entry_of(note.payload) if note else None
        answered = mine is None or mine.seq != entry.seq + 1 or mine.prev == entry_hash(entry.payload).hex()
        return "taken" if answered else "not the one answered"

    def deliver(
        self, sent: Sent, fate: Fate, chance: random.Random, mails: list[Mail] | None = None, whole: bool = True
    ) -> None:
        """A mail arrives: it is taken, known or refused as it must be, and nothing else changes."""
        name, blocks = sent.to, (sent.block, *sent.quoted)
        expected = self.expected(name, blocks)
        before = self.settled_log(name)
        grown = [*before, *(block for block in blocks if block not in before)]
        grown = self.log(other(name))[:2] if expected == "begun" else grown
        receipts = self.run(
            name, lambda desk: [take_in(desk, read_letter(m)) for m in mails or [letter(*blocks)]], fate, chance
        )
        after = self.log(name)
        if receipts is None:
            assert after in (before, before[:-1], grown)
        elif isinstance(receipts, PbemError):
            outcome(f"refused: {expected if whole else 'damaged'}")
            assert expected not in ("known", "begun", "taken") or not whole, receipts
            assert after in (before, before[:-1])
            if expected == "second entry" and whole:
                self.proven(name, next(block for block in blocks if block not in after))
        else:
            (receipt,) = receipts
            assert receipt.what == expected
            assert after == {"known": before, "taken": grown, "begun": grown}[expected]
            if expected != "known":
                self.lasts(name, fate)
            outcome(receipt.what)

    def proven(self, name: str, second: Block) -> None:
        """A second entry of its number is kept, and proves with the log who has signed twice."""
        entry = entry_of(second.payload)
        (copy,) = (self.homes[name].root / "evidence").glob(f"*-{entry.seq}-{entry.by}.turn")
        log = exhibits(self.log(name), "game.log")
        (turn,) = exhibits(read_log_blocks(copy.read_text("ascii")), copy.name)
        verdict = judge(log[turn.entry.seq], turn, keys_of(log))
        assert verdict.proof, verdict.why
        assert verdict.told
        outcome("second entry proven")

    def open_all(self, name: str, sents: list[Sent], fate: Fate, chance: random.Random) -> None:
        """Many mails at once, in any order: none that fits is left."""
        before = self.settled_log(name)
        mails = [letter(sent.block, source=f"{number}.eml") for number, sent in enumerate(sents)]
        chance.shuffle(mails)
        done = self.run(name, lambda desk: open_all(desk, map(read_letter, mails)), fate, chance)
        after = self.log(name)
        assert after[: len(before)] == before or after == before[:-1]
        assert not isinstance(done, PbemError), done
        if done is None or fate.how == "full":
            return
        assert len(done[0]) + len(done[1]) == len(mails)
        left = {self.expected(name, [sent.block]) for sent in sents}
        assert not left & {"taken", "begun"}

    # --- accidents

    def save(self, name: str) -> None:
        """Back a home up."""
        self.copies += 1
        made = self.root / f"{name}-{self.copies}.zip"
        back_up(self.homes[name], made)
        self.backups[name].append(made)
        outcome("home backed up")

    def restore(self, name: str, backup: Path) -> None:
        """The machine is lost: a home is made of its backup, and knows nothing newer."""
        shutil.rmtree(self.root / name)
        restore(self.homes[name], read_backup(backup.read_bytes(), backup.name).files)
        self.disks[name].sync()
        note = self.note(name)
        self.forgets(name, max(len(self.log(name)), entry_of(note.payload).seq + 1 if note else 0))
        TALLY["fates", "home lost, backup restored"] += 1

    def put_back_games(self, name: str, backup: Path) -> None:
        """By hand the games of a backup are put in place of those here; the note of what was signed last stays."""
        home = self.root / name
        shutil.rmtree(home / "games")
        for path, data in read_backup(backup.read_bytes(), backup.name).files.items():
            if path.startswith("games/"):
                (home / path).parent.mkdir(parents=True, exist_ok=True)
                (home / path).write_bytes(data)
        self.disks[name].sync()
        self.lasting[name] = []
        TALLY["fates", "logs replaced by older ones"] += 1

    def merge(self, name: str, backup: Path, fate: Fate, chance: random.Random) -> None:
        """`pbem restore` with a backup where a home is: nothing here becomes less, or it is refused."""
        files = read_backup(backup.read_bytes(), backup.name).files
        mine, note = self.log(name), self.note(name)
        theirs = list(blocks_in(files[f"games/{self.game}/game.log"].decode("ascii")))
        theirs_note = next(iter(blocks_in(files.get(f"signed/{self.game}", b"").decode("ascii"))), None)
        notes = [found for found in (note, theirs_note) if found is not None]
        numbers = {entry_of(found.payload).seq for found in notes}
        fits = theirs[: len(mine)] == mine and len(numbers) == len(set(notes))
        fits = fits and not any(self.second_to(found, theirs) for found in notes)
        done = self.run(name, lambda desk: restore(desk.home, files), fate, chance)
        after = (self.log(name), self.note(name))
        newest = max(notes, key=lambda found: entry_of(found.payload).seq, default=None)
        if done is None:
            assert after in ((mine, note), (mine, newest), (theirs, newest))
        elif isinstance(done, PbemError):
            assert not fits, done
            assert after == (mine, note)
            outcome("backup refused")
        else:
            assert fits
            assert after == (theirs, newest)
            outcome(f"backup merged: {done[self.game]}")

    def second_to(self, block: Block, log: list[Block]) -> bool:
        """Whether an entry has the number and author of another one in a log."""
        entry = entry_of(block.payload)
        return entry.seq < len(log) and entry_of(log[entry.seq].payload).by == entry.by and log[entry.seq] != block

    def hurt_cache(self, name: str, how: str, chance: random.Random) -> None:
        """Lose the cache, or damage its files."""
        cache = self.homes[name].cache
        outcome("cache hurt")
        if how == "gone":
            shutil.rmtree(cache, ignore_errors=True)
            return
        for path in sorted(cache.rglob("*")):
            if path.is_file():
                data = path.read_bytes()
                at = chance.randrange(len(data) + 1)
                digit = re.compile(rb"[0-9]").search(data, at)
                if how == "cut":
                    data = data[:at]
                elif digit:
                    data = data[: digit.start()] + b"%d" % ((int(digit[0]) + 1) % 10) + data[digit.end() :]
                path.write_bytes(data)

    # --- what must hold

    def about_to_write(self, scratch: Path, path: Path) -> None:
        """Before a new entry, with its reveal, is written anywhere, the log before it is on the disk, verified."""
        if path.parent.name == "signed" and self.game == path.name:
            (block,) = read_log_blocks(scratch.read_text("ascii"))
            name, entry = path.parent.parent.name, entry_of(block.payload)
            if entry.payload not in self.signed[self.game, entry.seq, name]:  # else it may come out of a backup
                assert self.follows(self.log(name), block)
                self.witness.table(render(self.log(name)))

    def check(self) -> None:
        """What must hold at any time."""
        for name in NAMES:
            self.check_files(name)
            self.remember(name)
            assert not self.stuck(name) or any(self.floor[self.game, player] for player in NAMES)
            assert self.log(name)[: len(self.lasting[name])] == self.lasting[name]
            self.check_note(name)
        for (game, number, name), payloads in self.signed.items():
            forgot = self.floor[game, name]
            assert len(payloads) < 2 or 0 < forgot <= number, f"{name} has signed {len(payloads)} entries {number}"
        anna, ben = map(self.log, NAMES)
        fork = self.fork()
        if fork is not None:
            first, second = entry_of(anna[fork].payload), entry_of(ben[fork].payload)
            assert first.by == second.by
            assert len(self.signed[self.game, fork, first.by]) > 1
        for name in NAMES:
            if self.log(name):
                self.witness.table(render(self.log(name)))

    def check_note(self, name: str) -> None:
        """What is noted as signed last is never followed by an older entry, or by another one with its number."""
        before, note = self.noted[name], self.note(name)
        if before is not None and note != before and before not in self.log(name):
            assert note is not None
            assert entry_of(note.payload).seq > entry_of(before.payload).seq, f"{name} has signed a number twice"
        self.noted[name] = note

    def unwritten(self, name: str) -> None:
        """A power failure has taken back a note that wasn't on the disk yet: nobody has seen its entry."""
        before = self.noted[name]
        known = [*self.log(name), self.note(name), *(sent.block for sent in self.sent)]
        if before is not None and before not in known:
            self.signed[self.game, entry_of(before.payload).seq, name].discard(before.payload)
            self.noted[name] = self.note(name)
            outcome("note lost before it was on the disk")

    def forgets(self, name: str, entries: int) -> None:
        """A player knows so many entries, and has forgotten what he signed behind them."""
        self.floor[self.game, name] = min(entries, self.floor[self.game, name] or entries)
        self.lasting[name], self.noted[name] = [], self.note(name)

    def fork(self) -> int | None:
        """The first entry that differs in the two logs."""
        pairs = zip(*map(self.log, NAMES), strict=False)
        return next((number for number, (first, second) in enumerate(pairs) if first != second), None)

    def remember(self, name: str) -> None:
        """Every block of a player that was ever written, or that left his machine."""
        written = [*self.log(name), *(block for block in [self.note(name)] if block)]
        for block in [*written, *(sent.block for sent in self.sent[-3:])]:
            entry = entry_of(block.payload)
            if entry.seq > 1 and (entry.by == name or block not in written):
                self.signed[entry.game[:16], entry.seq, entry.by].add(block.payload)

    def check_files(self, name: str) -> None:
        """Every file that isn't a scratch or in the cache is whole."""
        for path in (self.root / name).rglob("*"):
            if path.name.startswith(".") or "cache" in path.parts or not path.is_file():
                continue
            data = path.read_bytes()
            if self.whole.get(path) == data:
                continue
            if path.name == "contact.json":
                assert json.loads(data)["name"] == name
            elif path.name == "times":
                assert re.fullmatch(rb"([0-9]+ (sent|came) [0-9]{10}\n)+", data)
            else:
                assert render(read_log_blocks(data.decode("ascii"))).encode("ascii") == data
            self.whole[path] = data

    # --- the end

    def mend(self, name: str) -> None:
        """Give way to the opponent's log: the game and the note of what was signed last are moved away by hand."""
        folder = self.folder(name)
        assert folder is not None
        shutil.rmtree(folder.path)
        (self.homes[name].root / "signed" / self.game).unlink(missing_ok=True)
        assert self.restore_log(name, WELL, random.Random(0)) == "new"
        self.forgets(name, len(self.log(name)))
        outcome("gave way by hand")

    def restore_log(self, name: str, fate: Fate, chance: random.Random) -> str | None:
        """`pbem restore` with the opponent's log: mine grows, or it is refused; None when the machine died."""
        mine, note, theirs = self.log(name), self.note(name), self.log(other(name))
        text, contact = render(theirs), Contact(name, f"{name}@example.org", f"{other(name)}@example.net")
        table = self.witness.table(text)
        fits = theirs[: len(mine)] == mine and not (note and self.second_to(note, theirs))
        key = table.player(name).key
        found = self.run(name, lambda desk: restore_game(desk.home, text, table, key, contact), fate, chance)
        if found is None:
            assert self.log(name) in (mine, theirs)
            return None
        if isinstance(found, PbemError):
            assert not fits, found
            assert (self.log(name), self.note(name)) == (mine, note)
            outcome("opponent's log refused")
            return "refused"
        assert fits
        assert (self.log(name), self.note(name)) == (theirs, note)
        outcome(f"opponent's log restored: {found[1]}")
        return found[1]

    def unstick(self, name: str) -> None:
        """By hand too: my log becomes the one that I signed my newest entry for; where it is lost, the note goes."""
        note, folder = self.note(name), self.folder(name)
        assert note is not None
        assert folder is not None
        by_hash = {entry_hash(sent.block.payload).hex(): sent.block for sent in self.sent}
        chain = [note]
        while (prev := entry_of(chain[0].payload).prev) in by_hash and prev != entry_of(note.payload).game:
            chain.insert(0, by_hash[prev])
        if prev == entry_of(note.payload).game:
            folder.log.write_text(render([*self.log(name)[:2], *chain]), "ascii")
            outcome("log made again by hand")
            self.lasting[name] = []
        else:
            (self.homes[name].root / "signed" / self.game).unlink(missing_ok=True)
            self.forgets(name, len(self.log(name)))
            outcome("note deleted by hand")

    def settle(self, chance: random.Random) -> None:
        """Every mail is sent again, both ways, until both players have the same log."""
        for _ in range(20):
            before = [self.settled_log(name) for name in NAMES]
            for name in NAMES:
                own = [Sent(name, block) for block in self.settled_log(other(name))]
                mails = dict.fromkeys(sent._replace(quoted=()) for sent in [*self.sent, *own] if sent.to == name)
                self.open_all(name, list(mails), WELL, chance)
            self.check()
            if [self.settled_log(name) for name in NAMES] != before:
                continue
            behind = [name for name in NAMES if self.ahead_of_log(name)]
            fork = self.fork()
            if behind:
                self.unstick(behind[0])
            elif fork is not None:
                self.mend(entry_of(self.log(NAMES[0])[fork].payload).by)
            else:
                assert before[0] == before[1]
                return
        raise AssertionError("the players don't come to the same log")

    def ahead_of_log(self, name: str) -> bool:
        """Whether a player has signed an entry that the entries before are missing for."""
        note = self.note(name)
        return note is not None and entry_of(note.payload).seq >= len(self.settled_log(name))

    def finish(self, chance: random.Random) -> None:
        """Play to the end without accidents; a third party verifies what both have."""
        self.settle(chance)
        for sent in dict.fromkeys(self.sent):
            if self.expected(sent.to, [sent.block]) == "second entry":
                self.proven(sent.to, sent.block)
        for _ in range(200):
            due = self.witness.table(render(self.log(NAMES[0]))).due().player
            if due is None:
                break
            if not self.act(due, "bot", WELL, chance):
                raise AssertionError(f"{due} can't go on")
            self.deliver(self.sent[-1], WELL, chance)
            self.check()
        anna, ben = (render(self.log(name)) for name in NAMES)
        assert anna == ben
        table = self.witness.replayed(anna)
        assert table.outcome is not None
        assert table.due().what == "nothing"
        outcome("game played to its end")
        TALLY["outcomes", "entries of games played to the end"] += table.seq + 1


# --- decisions


def decision(desk: Desk, place: Place, how: str, chance: random.Random) -> Block:
    """What is due from a player, decided and signed."""
    due, table = place.table.due(), place.table
    if due.what == "reply":
        assert table.proposal is not None
        word = "accept" if how != "bot" and chance.random() < 0.5 else "refuse"
        return desk.agree(place, table.proposal.kind, proposal_body(table.proposal.kind, word)).block
    if how == "agree":
        return agreement(desk, place, chance)
    if due.what in BARE:
        return desk.send(place, []).block
    if how == "bot":
        lines = [" ".join(words) for words in suggest(table, place.me, "random", chance)]
    elif how == "any":
        lines = any_lines(due.what == "react", chance)
    else:
        lines = [how]
    return desk.send(place, readable(table, SIDES[place.me], lines)).block


def agreement(desk: Desk, place: Place, chance: random.Random) -> Block:
    """A proposal, a new key, or (rarely) the end; orders where nobody can agree on anything."""
    table = place.table
    kinds = ["draw", "undo", "undo", "undo", "rekey", "rekey", "rekey", "resign"]
    refused = {kind for kind in PROPOSALS if (kind, place.me) in table.refused}
    left = [] if table.agreed[place.me] == AGREEMENTS_MAX or len(table.chains) < 2 else kinds
    new = [made for made in RING.values() if made.pub_blob not in table.used]
    left = [kind for kind in left if kind not in refused and (kind != "undo" or table.decisions)]
    kind = chance.choice([kind for kind in left if kind != "rekey" or new] or ["none"])
    if kind == "none":
        return decision(desk, place, "bot", chance)
    if kind == "undo":
        return desk.agree(place, kind, proposal_body(kind, "offer", chance.choice(table.decisions))).block
    if kind == "draw":
        return desk.agree(place, kind, proposal_body(kind, "offer")).block
    if kind == "rekey":
        return rekey(desk, place, chance.choice(new), chance.randbytes(16)).block
    return desk.agree(place, kind).block


def any_lines(react: bool, chance: random.Random) -> list[str]:
    """Order lines, legal or not."""
    units, number = tuple(UNITS), chance.randrange(1, 4)

    def act() -> str:
        unit = chance.choice(units)
        if react:
            return f"{chance.choice(['flee', 'stand'])} {unit}"
        words = [f"bet {number}", f"pull {number}", f"move {unit} {chance.choice(POSTS)}", f"hit {unit}", "rest"]
        return chance.choice(words)

    test = f"{chance.choice(['gone', 'alive'])} {chance.choice(units)}"
    made = {
        "act": act,
        "if": lambda: f"if not {test} then {act()}",
        "standing": lambda: f"standing {chance.choice(['flee', 'stand'])} {chance.choice([*units, 'all'])}",
        "say": lambda: f"say {chance.choice(['hm', 'well', 'well played'])}",
    }
    if not react:
        made |= {"stop": lambda: f"stop if {test}", "strict": lambda: "strict"}
    kinds = chance.choices(list(made), [6, 2, 1, 1, 1, 1][: len(made)], k=chance.randrange(6))
    return [made[kind]() for kind in kinds]


def readable(table: Table, side: str, lines: list[str]) -> list[Part]:
    """The parts that lines give, without those that can't stand where they do."""
    statements, wrong = parse_statements("".join(f"{line};\n" for line in lines))
    assert not wrong
    return [part for _, part in read_parts(table.rules, table.board, side, statements)[0]]
