"""Two players, machines that die between any two writes, backups, and a mail that loses, repeats, mixes and damages.

PBEM_STATEFUL=examples plays so many runs of 60 steps at random; without it a few, always the same.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from mail_damage import DAMAGES, Damage
from stateful_disk import WELL, Fate
from stateful_world import NAMES, TALLY, Sent, World, other, render, render_block

from pbem.mail import Mail, examine, read_mails
from pbem.scenario import Scenario

EXAMPLES = int(os.environ.get("PBEM_STATEFUL", "0"))
STEPS = 60
PHASES = list(Phase) if EXAMPLES else [Phase.generate]
"""What fails in the runs that are always the same fails again; the runs at random look for the shortest."""

names = st.sampled_from(NAMES)
seeds = st.integers(0, 2**32 - 1).map(random.Random)
fates = st.one_of(
    st.just(WELL),
    st.just(WELL),
    st.builds(Fate, st.sampled_from(["killed", "power", "full"]), st.integers(1, 26)),
)
which = st.integers(0, 2**16)


class Players(RuleBasedStateMachine):
    """What may happen to a game by mail, in any order."""

    root: Path
    scenario: Scenario
    numbers = count()

    def __init__(self) -> None:
        super().__init__()
        self.run = self.root / str(next(self.numbers))
        self.world = World(self.run, self.scenario)
        self.mails: list[Sent] = []
        self.seen = 0

    def collect(self) -> None:
        """What was sent is under way."""
        TALLY["steps"] += 1
        self.mails += self.world.sent[self.seen :]
        self.seen = len(self.world.sent)

    # --- a game begins

    @initialize(name=names, length=st.sampled_from(["short", "long"]), reactions=st.sampled_from(["standing", "ask"]))
    def begin(self, name: str, length: str, reactions: str) -> None:
        self.world.begin(name, length, reactions, WELL, random.Random(0))
        self.world.accept(other(name), WELL, random.Random(0))
        self.collect()

    @precondition(lambda self: self.over())
    @rule(name=names, length=st.sampled_from(["short", "long"]), fate=fates, chance=seeds)
    def offer(self, name: str, length: str, fate: Fate, chance: random.Random) -> None:
        self.world.begin(name, length, chance.choice(["standing", "ask"]), fate, chance)
        self.collect()

    @precondition(lambda self: self.world.offer is not None)
    @rule(fate=fates, chance=seeds)
    def accept(self, fate: Fate, chance: random.Random) -> None:
        self.world.accept(self.world.sent[-1].to, fate, chance)
        self.collect()

    def over(self) -> bool:
        """Whether both have played the game to its end."""
        logs = [render(self.world.log(name)) for name in NAMES]
        if self.world.offer is not None or not logs[0] or logs[0] != logs[1]:
            return False
        return self.world.witness.table(logs[0]).due().player is None

    def playing(self, name: str) -> bool:
        """Whether a player knows of the game that is played."""
        return bool(self.world.log(name))

    # --- turns

    @rule(
        name=names, how=st.sampled_from(["bot", "any", "any", "agree"]), fate=fates,
        chance=seeds, quoted=st.integers(0, 3),
    )  # fmt: skip
    def send(self, name: str, how: str, fate: Fate, chance: random.Random, quoted: int) -> None:
        if self.playing(name):
            self.world.act(name, how, fate, chance, quoted)
        self.collect()

    @rule(chance=seeds)
    def exchange(self, chance: random.Random) -> None:
        """A turn as it should be: whoever is due sends it, and it arrives."""
        for name in NAMES:
            if self.playing(name) and self.world.act(name, "bot", WELL, chance):
                self.world.deliver(self.world.sent[-1], WELL, chance)
                break
        self.collect()

    @rule(name=names)
    def send_again(self, name: str) -> None:
        """The newest entries, if they are his own, are mailed once more."""
        log = self.world.settled_log(name)
        while log and f"\nby {name};\n".encode() in log[-1].payload:
            self.mails.append(Sent(other(name), log.pop()))
        self.collect()

    # --- the mail

    @precondition(lambda self: self.mails)
    @rule(number=which, fate=fates, chance=seeds, keep=st.booleans())
    def deliver(self, number: int, fate: Fate, chance: random.Random, keep: bool) -> None:
        """A mail arrives, in whatever order, perhaps not for the last time."""
        self.world.deliver(self.taken(number, keep), fate, chance)
        self.collect()

    @precondition(lambda self: self.mails)
    @rule(number=which)
    def lose(self, number: int) -> None:
        self.taken(number, keep=False)
        TALLY["lost"] += 1
        self.collect()

    @rule(number=which, name=names, fate=fates, chance=seeds)
    def deliver_old(self, number: int, name: str, fate: Fate, chance: random.Random) -> None:
        """Any mail that was ever sent, to either player: repeated, forwarded, quoted."""
        sent = self.world.sent[number % len(self.world.sent)]
        self.world.deliver(sent._replace(to=name), fate, chance)
        self.collect()

    @rule(name=names, fate=fates, chance=seeds, most=st.integers(1, 12))
    def deliver_many(self, name: str, fate: Fate, chance: random.Random, most: int) -> None:
        """Many mails are opened at once."""
        self.world.open_all(name, self.world.sent[-most:], fate, chance)
        self.collect()

    @rule(name=names, fate=fates, chance=seeds)
    def forward_log(self, name: str, fate: Fate, chance: random.Random) -> None:
        """The opponent's whole log in one mail."""
        log = self.world.log(other(name))
        if log:
            self.world.deliver(Sent(name, log[-1], tuple(reversed(log[:-1]))), fate, chance)
        self.collect()

    @precondition(lambda self: self.mails)
    @rule(number=which, damage=st.sampled_from(DAMAGES), chance=seeds)
    def deliver_mangled(self, number: int, damage: Damage, chance: random.Random) -> None:
        """What mail software does to a turn doesn't hurt it."""
        sent = self.taken(number, keep=False)._replace(quoted=())
        self.world.deliver(sent, WELL, chance, self.arrived(damage(render_block(sent.block))))
        self.collect()

    @precondition(lambda self: self.mails)
    @rule(number=which, chance=seeds, how=st.sampled_from(["cut", "flip", "swap"]), keep=st.booleans())
    def deliver_destroyed(self, number: int, chance: random.Random, how: str, keep: bool) -> None:
        """A mail is destroyed on its way: it may give back its turn, never another one."""
        sent = self.taken(number, keep)._replace(quoted=())
        raw = bytearray(chance.choice(DAMAGES[:3])(render_block(sent.block)))
        at, to = chance.randrange(len(raw)), chance.randrange(len(raw))
        if how == "cut":
            del raw[at:]
        elif how == "flip":
            raw[at] ^= 1 << chance.randrange(8)
        else:
            raw[at], raw[to] = raw[to], raw[at]
        mails = self.arrived(bytes(raw))
        assert all(block.payload == sent.block.payload for mail in mails for block in examine(mail)[0])
        self.world.deliver(sent, WELL, chance, mails, whole=False)
        self.collect()

    def taken(self, number: int, keep: bool) -> Sent:
        """One of the mails under way."""
        number %= len(self.mails)
        return self.mails[number] if keep else self.mails.pop(number)

    def arrived(self, raw: bytes) -> list[Mail]:
        """Bytes as the mail that a player opens."""
        path = self.run / "arrived.eml"
        path.write_bytes(raw)
        return list(read_mails(str(path)))

    # --- accidents

    @rule(name=names)
    def save_home(self, name: str) -> None:
        if self.playing(name) and self.world.offer is None:
            self.world.save(name)
        self.collect()

    @rule(name=names, number=which, whole=st.booleans())
    def restore_home(self, name: str, number: int, whole: bool) -> None:
        """An old copy of the games comes back, with what was signed last or without."""
        backups = self.world.backups[name]
        if backups and self.world.offer is None:
            self.world.restore(name, backups[number % len(backups)], whole=whole)
        self.collect()

    @rule(name=names, number=which, chance=seeds)
    def forget_and_send(self, name: str, number: int, chance: random.Random) -> None:
        """A whole home comes back, and its player goes on at once."""
        backups = self.world.backups[name]
        if backups and self.world.offer is None:
            self.world.restore(name, backups[number % len(backups)], whole=True)
            self.world.act(name, "any", WELL, chance)
        self.collect()

    @rule(name=names, fate=fates, chance=seeds)
    def restore_from_opponent(self, name: str, fate: Fate, chance: random.Random) -> None:
        """The opponent sends his log, and `restore` takes it."""
        if self.world.log(other(name)):
            self.world.restore_log(name, fate, chance)
        self.collect()

    @rule(name=names, how=st.sampled_from(["gone", "cut", "spoilt"]), chance=seeds)
    def hurt_cache(self, name: str, how: str, chance: random.Random) -> None:
        self.world.hurt_cache(name, how, chance)
        self.collect()

    # --- what holds

    @invariant()
    def holds(self) -> None:
        self.world.check()

    def teardown(self) -> None:
        if sys.exc_info()[0] is None and self.world.game:
            if self.world.offer is None:
                self.world.finish(random.Random(1))
            TALLY["runs"] += 1
        shutil.rmtree(self.run, ignore_errors=True)


def test_two_players_and_an_uncertain_mail(
    toy_system: Scenario, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    TALLY.clear()
    machine = type("Machine", (Players,), {"root": tmp_path, "scenario": toy_system})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=EXAMPLES or 12,
            stateful_step_count=STEPS,
            derandomize=not EXAMPLES,
            database=None,
            deadline=None,
            phases=PHASES,
            suppress_health_check=list(HealthCheck),
        ),
    )
    if EXAMPLES:
        with capsys.disabled():
            print("", *(f"{number:8} {what}" for what, number in sorted(TALLY.items())), sep="\n")
    assert min(TALLY[what] for what in ("taken", "known", "lost", "games played to the end", "killed", "power")) > 0
