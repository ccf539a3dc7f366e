"""Two players whose programs are killed at random moments, with two of them at work in one home: real processes.

Each step lets the player who is due do what a person would: send, answer, open, accept, restore. Two programs do it at
the same time in one home, and one of them gets SIGKILL after a random time. Then the player does what the program
tells him until the step is done. `check` says whether anything was lost or signed twice.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

from cli_player import Said, pbem_says

from pbem.crypto import sshsig
from pbem.crypto.openssh import from_text
from pbem.errors import PbemError
from pbem.mail.inbox import examine, read_mails
from pbem.wire.blocks import Block, read_log_blocks
from pbem.wire.entry import parse_entry

NAMES = ("asuka", "ben")
COMMAND = [sys.executable, "-m", "pbem"]
PATIENCE = 500
"""A command that hasn't ended after so many times as long as the shortest takes is a failure of the test."""


class Kills:
    """Two homes below a folder, and every mail that was ever written there."""

    def __init__(self, root: Path, seed: int, scenario: str = "yao") -> None:
        self.root = root
        self.scenario = scenario
        self.chance = random.Random(seed)
        self.mails = root / "mails"
        self.mails.mkdir(parents=True)
        self.killed = self.number = 0
        self.alone: dict[str, float] = {}
        """Verb -> seconds that it took when another program was killed beside it, the last time."""
        self.fates: dict[str, int] = {}
        """Verb -> how often it was killed before its end."""
        begun = time.monotonic()
        subprocess.run([*COMMAND, "--version"], check=True, capture_output=True)
        self.patience = PATIENCE * (time.monotonic() - begun)
        for name in NAMES:
            self.does(name, "key", "new")

    # --- programs ------------------------------------------------------------------------------------------------

    def start(self, name: str, *words: str) -> subprocess.Popen[str]:
        """A program at work in a player's home."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("PBEM_", "SSH_"))}
        environment["PBEM_HOME"] = str(self.root / name)
        return subprocess.Popen(
            [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )

    def ended(self, program: subprocess.Popen[str]) -> Said:
        """Wait for a program; its exit code is negative when it was killed."""
        out, err = program.communicate(timeout=self.patience)
        return Said(program.returncode, out, err)

    def says(self, name: str, *words: str) -> Said:
        """Let a player type a command that nobody kills; it runs in this process, which saves time."""
        return pbem_says("--home", str(self.root / name), *words)

    def does(self, name: str, *words: str) -> str:
        """Let a player type a command that must succeed; its standard output."""
        done = self.says(name, *words)
        assert done.code == 0, (words, done)
        return done.out

    def killing(self, name: str, *commands: tuple[str, ...]) -> None:
        """Let two programs work at once in a home, and kill one of them at a random moment."""
        begun = time.monotonic()
        programs = [self.start(name, *words) for words in commands]
        victim = self.chance.randrange(len(programs))
        verb = commands[victim][0]
        time.sleep(self.chance.random() * 1.3 * self.alone.get(verb, 0.6))
        programs[victim].kill()
        self.killed += 1
        for place, program in enumerate(programs):
            done = self.ended(program)
            assert done.code in (0, 1) or (place == victim and done.code == -9), (commands[place], done)
            assert "Traceback" not in done.err, done.err
            if place == victim and done.code == -9:
                self.fates[verb] = self.fates.get(verb, 0) + 1
            elif place != victim:
                self.alone[commands[place][0]] = time.monotonic() - begun

    def mail(self, what: str) -> str:
        """The path of a new mail."""
        self.number += 1
        return str(self.mails / f"{self.number:05}-{what}.eml")

    # --- one game after the other --------------------------------------------------------------------------------

    def begin(self) -> str:
        """Begin a game, with kills at the accept and at its opening; its id."""
        offer = self.mail("offer")
        sides = json.loads(self.does("asuka", "scenarios", "--json"))
        side = next(found["sides"][0]["id"] for found in sides if found["id"] == self.scenario)
        self.does("asuka", "offer", self.scenario, "--side", side, "--name", "asuka", "--mail", "a@example.org",
                  "--to", "b@example.net", "-o", offer)  # fmt: skip
        accepting = ("accept", offer, "--name", "ben", "--mail", "b@example.net", "--yes", "-o")
        before = set(self.games("ben"))
        self.killing("ben", (*accepting, self.mail("accept")), (*accepting, self.mail("accept")))
        while not (new := set(self.games("ben")) - before):
            self.says("ben", *accepting, self.mail("accept"))
        (game,) = new
        accept = self.mail("accept")
        self.does("ben", "send", "--again", "--game", game, "-o", accept)
        self.killing("asuka", ("open", "--quiet", accept), ("open", "--quiet", accept))
        while game not in self.games("asuka"):
            self.does("asuka", "open", "--quiet", accept)
        return game

    def games(self, name: str) -> dict[str, dict[str, object]]:
        """A player's games, by id."""
        told = json.loads(self.does(name, "games", "--json"))
        rows = told["games"] if isinstance(told, dict) else told
        return {row["game"]: row for row in rows if "game" in row}

    def step(self, game: str) -> bool:
        """One entry: made, mailed and opened, with a kill at each; False when the game is over."""
        name = next((name for name in NAMES if self.games(name)[game]["mine"]), None)
        if name is None:
            return False
        other = NAMES[1 - NAMES.index(name)]
        seq = self._entry(name, game)
        self._make(name, game)
        if self._entry(name, game) == seq:
            return True
        mail = self.mail("again")
        self.does(name, "send", "--again", "--game", game, "-o", mail)
        self.killing(other, ("open", "--quiet", mail), self._beside(other, game, mail))
        self.does(other, "open", "--quiet", mail)
        assert self._entry(other, game) == self._entry(name, game) == seq + 1
        return True

    def _entry(self, name: str, game: str) -> int:
        entry = self.games(name)[game]["entry"]
        assert isinstance(entry, int)
        return entry

    def _make(self, name: str, game: str) -> None:
        """Sign what is due, by two programs that would sign different things, one of them killed."""
        row, seq = self.games(name)[game], self._entry(name, game)
        commands = [self._turn(name, game, row) for _ in range(2)]
        if self.chance.random() < 0.2:
            commands[1] = self._restoring(name, game)
        elif row["due"] == "orders" and seq > 4 and self.chance.random() < 0.2:
            commands[1] = ("undo", str(seq), "--game", game, "-o", self.mail("undo"))
        self.killing(name, *commands)
        for _ in range(3):
            if self._entry(name, game) != seq:
                return
            self.says(name, *self._turn(name, game, row))
        raise AssertionError(f"{name} can't go on: {self.says(name, *self._turn(name, game, row))}")

    def _turn(self, name: str, game: str, row: dict[str, object]) -> tuple[str, ...]:
        output = ("--game", game, "-o", self.mail("turn"))
        if row["due"] == "reply":
            kind = "draw" if "draw" in str(row["asked"]) else "undo"
            return (kind, self.chance.choice(["--accept", "--refuse"] if kind == "undo" else ["--refuse"]), *output)
        if row["due"] in ("begin", "reveal"):
            return ("send", *output)
        self.number += 1
        orders = self.root / f"orders-{self.number}.txt"
        text = self.does(
            name, "suggest", "--bot", "random", "--seed", str(self.chance.randrange(1 << 30)), "--game", game
        )
        orders.write_text(f"{text}say number {self.number};\n")
        return ("send", str(orders), "--yes", *output)

    def _restoring(self, name: str, game: str) -> tuple[str, ...]:
        """A restore of the game from a log that may be older: the opponent's."""
        other = NAMES[1 - NAMES.index(name)]
        copy = self.root / f"copy-{self.number}.log"
        shutil.copy(self.root / other / "games" / game / "game.log", copy)
        return ("restore", str(copy))

    def _beside(self, name: str, game: str, mail: str) -> tuple[str, ...]:
        """What the second program does while the first opens a mail."""
        return self.chance.choice([("open", "--quiet", mail), ("games",), self._restoring(name, game)])

    # --- what must be so -----------------------------------------------------------------------------------------

    def check(self, game: str) -> None:
        """Both logs are equal and verify, hold every turn that was ever mailed, and nobody signed two for a number."""
        logs = {name: (self.root / name / "games" / game / "game.log").read_text() for name in NAMES}
        assert logs["asuka"] == logs["ben"]
        self.does("asuka", "verify", str(self.root / "asuka" / "games" / game / "game.log"))
        logged = {block.payload for block in read_log_blocks(logs["asuka"])}
        keys = {name: from_text((self.root / name / "key.pub").read_text()) for name in NAMES}
        signed: dict[tuple[str, int, str], bytes] = {}
        for block in self._blocks():
            entry = parse_entry(block.payload)
            if entry.game is None or not entry.game.startswith(game):
                continue
            sshsig.verify(block.payload, block.armor, keys[entry.by])
            first = signed.setdefault((entry.game, entry.seq, entry.by), block.payload)
            assert first == block.payload, f"{entry.by} has signed entry {entry.seq} twice"
            assert block.payload in logged, f"entry {entry.seq} by {entry.by} was sent, and is lost"

    def _blocks(self) -> list[Block]:
        """Every block on this disk: in mails, logs and notes, scratch files too."""
        found: list[Block] = []
        for path in (path for path in self.root.rglob("*") if path.is_file() and "cache" not in path.parts):
            if path.suffix == ".eml":
                found += [block for mail in read_mails(str(path)) for block in examine(mail)[0]]
            elif path.name == "game.log" or "signed" in path.parts:
                try:
                    found += read_log_blocks(path.read_text())
                except PbemError as error:
                    raise AssertionError(f"{path} is damaged") from error
        return found


def play(root: Path, seed: int, kills: int) -> Kills:
    """Play games until so many programs were killed; everything is checked at the end of each."""
    world = Kills(root, seed)
    while world.killed < kills:
        game = world.begin()
        while world.killed < kills and world.step(game):
            pass
        world.check(game)
    return world
