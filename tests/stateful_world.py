"""Two players at their machines with an uncertain mail between them, and what must hold of them at any time."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from stateful_disk import WELL, Died, Disk, Fate
from toy.players import SIDES, signer
from toy.state import POSTS, UNITS

from pbem.agreements import Forgotten, body_of
from pbem.bots import suggest
from pbem.dice import entry_hash
from pbem.envelope import Block, parse_entry, parse_statements, read_log_blocks, render_block
from pbem.errors import PbemError, Refused, Storage
from pbem.home import Contact, Folder, Home
from pbem.mail import Mail
from pbem.orders import Part, read_parts
from pbem.play import Desk, Place, terms_of
from pbem.restore import restore_game
from pbem.scenario import Scenario
from pbem.table import Table
from pbem.turn import replay, take_block

T = TypeVar("T")
NAMES = tuple(SIDES)
TALLY: Counter[str] = Counter()
"""How often each thing happened in all runs."""

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
                take_block(ahead, blocks[number], entry_of(blocks[number].payload))
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
        self.number = number
        self.game = ""
        self.offer: Block | None = None
        self.sent: list[Sent] = []
        self.signed: dict[tuple[str, int, str], set[bytes]] = defaultdict(set)
        self.floor: Counter[tuple[str, str]] = Counter()
        """(game, player) -> how many entries a home restored as a whole still knew; 0: nothing is forgotten."""
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

    def desk(self, name: str) -> Desk:
        """A player at his home anew."""
        return Desk(Home(self.root / name), lambda: signer(name))

    def run(self, name: str, action: Callable[[Desk], T], fate: Fate, chance: random.Random) -> T | PbemError | None:
        """Run a command of a player's program: what it gives or refuses; None when it died, or its disk is full."""
        try:
            with self.disks[name].under(fate):
                return action(self.desk(name))
        except Died:
            TALLY[fate.how] += 1
            if fate.how == "power":
                self.disks[name].lose_power(chance)
        except Storage:
            if fate.how != "full":
                raise
            TALLY["full"] += 1
        except PbemError as error:
            return error
        return None

    def begin(self, name: str, length: str, reactions: str, fate: Fate, chance: random.Random) -> None:
        """Offer a game."""
        self.number += 1
        terms = terms_of(self.scenario, {"length": length}, reactions=reactions)
        contact = Contact(name, f"{name}@example.org", f"{other(name)}@example.net")
        gnonce = self.number.to_bytes(16, "big")
        made = self.run(name, lambda desk: desk.offer(terms, SIDES[name], contact, gnonce), fate, chance)
        assert not isinstance(made, PbemError), made
        if made is not None:
            self.offer = made[1]
            self.sent.append(Sent(other(name), made[1]))
            self.backups = {name: [] for name in NAMES}
            TALLY["offers"] += 1

    def accept(self, name: str, fate: Fate, chance: random.Random) -> None:
        """Accept the offer: a game begins."""
        offer = self.offer
        assert offer is not None
        contact = Contact(name, f"{name}@example.net", f"{other(name)}@example.org")
        gnonce = (self.number + (len(self.sent) << 64)).to_bytes(16, "big")
        before = {folder.id for folder in self.homes[name].games()}
        made = self.run(name, lambda desk: desk.accept(letter(offer), name, contact, gnonce), fate, chance)
        new = {folder.id for folder in self.homes[name].games()} - before
        if not new and made is None:
            return
        assert len(new) == 1, made
        (self.game,) = new
        self.offer = None
        if made is not None and not isinstance(made, PbemError):
            self.leave(name, made[1])

    def leave(self, name: str, block: Block, quoted: int = 0) -> None:
        """A mail leaves a machine: what it holds, and all before it, is verified and on the disk."""
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
                self.refuses(lambda: desk.send(place, []))
                return None
            return decision(desk, place, how, chance)

        before = self.settled_log(name)
        noted = self.note(name)
        block = self.run(name, decide, fate, chance)
        if isinstance(block, PbemError):
            self.excused(name, noted, len(before), block)
            return False
        if block is None:
            return False
        assert self.log(name) == [*before, block]
        assert self.note(name) == block
        TALLY[f"signed: {entry_of(block.payload).kind}"] += 1
        self.leave(name, block, quoted)
        return True

    def excused(self, name: str, noted: Block | None, length: int, error: PbemError) -> None:
        """A player can't send only where a restored log is behind what he signed, or doesn't fit it."""
        assert noted is not None, error
        if self.stuck(name):
            TALLY["stuck"] += 1
            return
        assert isinstance(error, Refused), error
        assert "is signed already" in str(error)
        assert entry_of(noted.payload).seq >= length
        TALLY["refused to sign twice"] += 1

    def compare(self, name: str, place: Place) -> None:
        """A table out of the cache is the one that the whole log gives."""
        found = self.witness.table(place.text).fork()
        index = found.next_reveal(name)
        if index is not None and found.seed is None:
            found.peek(self.desk(name).secrets(place).value(index))
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
        games = {block.payload for folder in home.games() for block in folder.blocks()}
        games |= {block.payload for block in log}
        offers = {folder.blocks()[0].payload for folder in home.offers()}
        new = [block for block in blocks if block.payload not in games | offers]
        if log != self.log(name) and log[-1] in blocks:
            return "noted"  # `open` looks for what is known before it has finished an interrupted `send`
        if not new:
            return "known" if any(block.payload in games for block in blocks) else "my own offer"
        if self.stuck(name):
            return "stuck"
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
            return "contradiction"
        return "taken" if self.follows(log, new[0]) else "fork"

    def deliver(
        self, sent: Sent, fate: Fate, chance: random.Random, mails: list[Mail] | None = None, whole: bool = True
    ) -> None:
        """A mail arrives: it is taken, known or refused as it must be, and nothing else changes."""
        name, blocks = sent.to, (sent.block, *sent.quoted)
        expected = self.expected(name, blocks)
        before = self.settled_log(name)
        grown = [*before, *(block for block in blocks if block not in before)]
        grown = self.log(other(name))[:2] if expected == "begun" else grown
        receipts = self.run(name, lambda desk: [desk.open_one(m) for m in mails or [letter(*blocks)]], fate, chance)
        after = self.log(name)
        if receipts is None:
            assert after in (before, before[:-1], grown)
        elif isinstance(receipts, PbemError):
            TALLY[f"refused: {expected if whole else 'damaged'}"] += 1
            assert expected not in ("known", "begun", "taken") or not whole, receipts
            assert after in (before, before[:-1])
            self.check_evidence(name, sent.block, expected, whole)
        else:
            (receipt,) = receipts
            assert receipt.what == expected or expected == "noted" or (not whole and receipt.what == "known")
            assert after == {"known": before, "taken": grown, "begun": grown}.get(expected, after)
            TALLY[receipt.what] += 1

    def check_evidence(self, name: str, block: Block, expected: str, whole: bool) -> None:
        """A second entry with a number is kept."""
        folder = self.homes[name].root / "evidence"
        if expected == "contradiction" and whole:
            assert render_block(block) in {path.read_text("ascii") for path in folder.iterdir()}

    def open_all(self, name: str, sents: list[Sent], fate: Fate, chance: random.Random) -> None:
        """Many mails at once, in any order: none that fits is left."""
        before = self.settled_log(name)
        mails = [letter(sent.block, source=f"{number}.eml") for number, sent in enumerate(sents)]
        chance.shuffle(mails)
        done = self.run(name, lambda desk: desk.open(mails), fate, chance)
        after = self.log(name)
        assert after[: len(before)] == before or after == before[:-1]
        assert not isinstance(done, PbemError), done
        if done is None:
            return
        assert len(done[0]) + len(done[1]) == len(mails)
        left = {self.expected(name, [sent.block]) for sent in sents}
        assert not left & {"taken", "begun"}

    # --- accidents

    def save(self, name: str) -> None:
        """Copy a home."""
        self.copies += 1
        copy = self.root / f"copy-{self.copies}"
        shutil.copytree(self.root / name, copy)
        self.backups[name].append(copy)

    def restore(self, name: str, backup: Path, *, whole: bool) -> None:
        """Put a copy back: the whole home, or only the games; then the note of what was signed last stays."""
        home = self.root / name
        if whole:
            shutil.rmtree(home)
            shutil.copytree(backup, home)
            note = self.note(name)
            self.knows(name, max(len(self.log(name)), entry_of(note.payload).seq + 1 if note else 0))
        else:
            shutil.rmtree(home / "games")
            shutil.copytree(backup / "games", home / "games")
        self.disks[name].sync()
        TALLY["home restored" if whole else "log restored"] += 1

    def hurt_cache(self, name: str, how: str, chance: random.Random) -> None:
        """Lose the cache, or damage its files."""
        cache = self.homes[name].cache
        TALLY["cache hurt"] += 1
        if how == "gone":
            shutil.rmtree(cache, ignore_errors=True)
            return
        for path in sorted(cache.rglob("*")):
            if path.is_file():
                data = bytearray(path.read_bytes())
                data[chance.randrange(len(data)) :] = b"" if how == "cut" else b"}"
                path.write_bytes(bytes(data))

    # --- what must hold

    def about_to_write(self, path: Path) -> None:
        """Before a signed entry is written anywhere, the one before it is in the log on the disk."""
        if path.parent.name == "signed" and self.game == path.name:
            scratch = next(found for found in path.parent.iterdir() if found.name.startswith(f".{path.name}."))
            (block,) = read_log_blocks(scratch.read_text("ascii"))
            assert self.follows(self.log(path.parent.parent.name), block)

    def check(self) -> None:
        """What must hold at any time."""
        for name in NAMES:
            self.check_files(name)
            self.remember(name)
        for (game, number, name), payloads in self.signed.items():
            forgot = self.floor[game, name]
            assert len(payloads) == 1 or 0 < forgot <= number, f"{name} has signed {len(payloads)} entries {number}"
        anna, ben = map(self.log, NAMES)
        fork = self.fork()
        if fork is not None:
            first, second = entry_of(anna[fork].payload), entry_of(ben[fork].payload)
            assert first.by == second.by
            assert len(self.signed[self.game, fork, first.by]) > 1
        for name in NAMES:
            if self.log(name):
                self.witness.table(render(self.log(name)))

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
            else:
                assert render(read_log_blocks(data.decode("ascii"))).encode("ascii") == data
            self.whole[path] = data

    # --- the end

    def mend(self, name: str) -> None:
        """Begin anew from the opponent's log, the game and the note of what was signed last moved away by hand."""
        folder = self.folder(name)
        assert folder is not None
        shutil.rmtree(folder.path)
        (self.homes[name].root / "signed" / self.game).unlink(missing_ok=True)
        assert self.restore_log(name, WELL, random.Random(0)) == "new"
        self.knows(name, len(self.log(name)))
        TALLY["fork mended by hand"] += 1

    def restore_log(self, name: str, fate: Fate, chance: random.Random) -> str | None:
        """`pbem restore` with the opponent's log: mine grows, or it is refused; None when the machine died."""
        mine, note, theirs = self.log(name), self.note(name), self.log(other(name))
        text, contact = render(theirs), Contact(name, f"{name}@example.org", f"{other(name)}@example.net")
        table = self.witness.table(text)
        number = entry_of(note.payload).seq if note else 0
        other_words = 0 < number < len(theirs) and note not in theirs and entry_of(theirs[number].payload).by == name
        fits = theirs[: len(mine)] == mine and not other_words
        found = self.run(
            name, lambda desk: restore_game(desk.home, text, table, desk.signer.pub_blob, contact), fate, chance
        )
        if found is None:
            assert self.log(name) in (mine, theirs)
            return None
        if isinstance(found, PbemError):
            assert not fits, found
            assert (self.log(name), self.note(name)) == (mine, note)
            TALLY["restore refused"] += 1
            return "refused"
        assert fits
        assert (self.log(name), self.note(name)) == (theirs, note)
        TALLY[f"restored from the opponent's log: {found[1]}"] += 1
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
            TALLY["stuck: log made again by hand"] += 1
        else:
            self.forget_note(name)
            TALLY["stuck: note deleted by hand"] += 1

    def forget_note(self, name: str) -> None:
        """Delete the note of what was signed last, by hand."""
        (self.homes[name].root / "signed" / self.game).unlink(missing_ok=True)
        self.knows(name, len(self.log(name)))

    def knows(self, name: str, entries: int) -> None:
        """A player has forgotten what he signed behind so many entries."""
        self.floor[self.game, name] = min(entries, self.floor[self.game, name] or entries)

    def settle(self, chance: random.Random) -> None:
        """Every mail is sent again, both ways, until both players have the same log."""
        for _ in range(10):
            before = [self.settled_log(name) for name in NAMES]
            for name in NAMES:
                own = [Sent(name, block) for block in self.settled_log(other(name))]
                self.open_all(name, [*self.sent, *own], WELL, chance)
            self.check()
            behind = [name for name in NAMES if self.ahead_of_log(name)]
            fork = self.fork()
            if behind:
                self.unstick(behind[0])
            elif fork is not None:
                self.mend(entry_of(self.log(NAMES[0])[fork].payload).by)
            elif [self.settled_log(name) for name in NAMES] == before and before[0] == before[1]:
                return
        raise AssertionError("the players don't come to the same log")

    def ahead_of_log(self, name: str) -> bool:
        """Whether a player has signed an entry that the entries before are missing for."""
        note = self.note(name)
        return note is not None and entry_of(note.payload).seq >= len(self.settled_log(name))

    def finish(self, chance: random.Random) -> None:
        """Play to the end without accidents; a third party verifies what both have."""
        self.settle(chance)
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
        TALLY["games played to the end"] += 1
        TALLY["entries"] += table.seq + 1


# --- decisions


def decision(desk: Desk, place: Place, how: str, chance: random.Random) -> Block:
    """What is due from a player, decided and signed."""
    due, table = place.table.due(), place.table
    if due.what == "reply":
        assert table.proposal is not None
        word = "accept" if how != "bot" and chance.random() < 0.5 else "refuse"
        return desk.agree(place, table.proposal.kind, body_of(table.proposal.kind, word))
    if how == "agree":
        return agreement(desk, place, chance)
    if due.what == "reveal":
        return desk.send(place, [])
    if how == "bot":
        lines = [" ".join(words) for words in suggest(table, place.me, "random", chance)]
    else:
        lines = any_lines(due.what == "react", chance)
    return desk.send(place, readable(table, SIDES[place.me], lines))


def agreement(desk: Desk, place: Place, chance: random.Random) -> Block:
    """A proposal, a new chain, or (rarely) the end."""
    kind = chance.choice(["draw", "undo", "undo", "undo", "rechain", "rechain", "resign"])
    if kind == "undo" and not place.table.decisions:
        kind = "rechain"
    if kind == "undo":
        return desk.agree(place, kind, body_of(kind, "offer", chance.choice(place.table.decisions)))
    if kind == "draw":
        return desk.agree(place, kind, body_of(kind, "offer"))
    if kind == "rechain":
        gnonce = chance.randbytes(16)
        return desk.agree(place, kind, body_of(kind, player=desk.renewed(place, desk.signer, gnonce)))
    return desk.agree(place, kind)


def any_lines(react: bool, chance: random.Random) -> list[str]:
    """Order lines, legal or not."""
    units, number = tuple(UNITS), chance.randrange(1, 4)

    def act() -> str:
        unit = chance.choice(units)
        if react:
            return f"{chance.choice(['flee', 'stand'])} {unit}"
        words = [f"bet {number}", f"pull {number}", f"move {unit} {chance.choice(POSTS)}", f"hit {unit}", "done"]
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
