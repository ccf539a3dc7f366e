"""Two players, machines that die between any two writes, backups, and a mail that loses, repeats, mixes and damages.

A few runs, always the same, belong to the test suite. More, and a table of steps, fates and outcomes, by

    PBEM_STATEFUL=300 python -m pytest -q tests/desk/test_stateful.py --hypothesis-seed=1 -k uncertain

which plays 300 runs of up to 60 steps (some 15,000 in four minutes); without --hypothesis-seed others each time.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
from itertools import count
from pathlib import Path

import pytest
from desk.stateful_disk import WELL, Fate
from desk.stateful_world import NAMES, TALLY, Sent, World, entry_of, other, render, render_block
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
from mail.mail_damage import DAMAGES, Damage

from pbem.mail.inbox import Mail, examine, read_mails
from pbem.scenario import Scenario
from pbem.wire.blocks import Block

EXAMPLES = int(os.environ.get("PBEM_STATEFUL", "0"))
STEPS = 60 if EXAMPLES else 40
MUST_HAPPEN = [
    *(("fates", what) for what in ("killed", "power", "mail lost")),
    *(("outcomes", what) for what in ("taken", "known", "game played to its end")),
]
PHASES = list(Phase) if EXAMPLES else [Phase.generate]
"""What fails in the runs that are always the same fails again; the runs at random look for the shortest."""

names = st.sampled_from(NAMES)
seeds = st.integers(0, 2**32 - 1).map(random.Random)


def fate_of(number: int) -> Fate:
    """A fate out of a number; small ones are kind."""
    chance = random.Random(number)
    if number < 8 or chance.random() < 0.5:
        return WELL
    return Fate(chance.choice(["killed", "killed", "power", "power", "full"]), chance.randrange(1, 22))


fates = st.integers(0, 2**32 - 1).map(fate_of)
lengths = st.sampled_from(["long", "short"])
reactions = st.sampled_from(["standing", "ask"])
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

    def collect(self, step: str) -> None:
        """What was sent in a step is under way."""
        TALLY["steps", step] += 1
        self.mails += self.world.sent[self.seen :]
        self.seen = len(self.world.sent)

    # --- a game begins

    @initialize(name=names, length=lengths, reactions=reactions, saved=st.sampled_from([True, True, False]))
    def begin(self, name: str, length: str, reactions: str, saved: bool) -> None:
        """A game is offered and accepted; both may have a copy of their homes from its beginning."""
        self.world.begin(name, length, reactions, WELL, random.Random(0))
        self.world.accept(other(name), WELL, random.Random(0))
        if saved:
            self.world.deliver(self.world.sent[-1], WELL, random.Random(0))
            for player in NAMES:
                self.world.save(player)
        self.collect("begin")

    @precondition(lambda self: self.over())
    @rule(name=names, length=lengths, reactions=reactions, fate=fates, chance=seeds)
    def offer(self, name: str, length: str, reactions: str, fate: Fate, chance: random.Random) -> None:
        self.world.begin(name, length, reactions, fate, chance)
        self.collect("offer")

    @precondition(lambda self: self.world.offer is not None)
    @rule(fate=fates, chance=seeds)
    def accept(self, fate: Fate, chance: random.Random) -> None:
        self.world.accept(self.world.offeree, fate, chance)
        self.collect("accept")

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
        self.collect("send")

    @rule(chance=seeds)
    def exchange(self, chance: random.Random) -> None:
        """A turn as it should be: whoever is due sends it, and it arrives."""
        for name in NAMES:
            if self.playing(name) and self.world.act(name, "bot", WELL, chance):
                self.world.deliver(self.world.sent[-1], WELL, chance)
                break
        self.collect("exchange")

    @rule(name=names)
    def send_again(self, name: str) -> None:
        """The newest entries, if they are his own, are mailed once more."""
        self.world.again(name)
        self.collect("send again")

    # --- the mail

    @precondition(lambda self: self.mails)
    @rule(number=which, fate=fates, chance=seeds, keep=st.booleans())
    def deliver(self, number: int, fate: Fate, chance: random.Random, keep: bool) -> None:
        """A mail arrives, in whatever order, perhaps not for the last time."""
        self.world.deliver(self.taken(number, keep), fate, chance)
        self.collect("deliver")

    @precondition(lambda self: self.mails)
    @rule(number=which)
    def lose(self, number: int) -> None:
        self.taken(number, keep=False)
        TALLY["fates", "mail lost"] += 1
        self.collect("lose")

    @rule(number=which, name=names, fate=fates, chance=seeds)
    def deliver_old(self, number: int, name: str, fate: Fate, chance: random.Random) -> None:
        """Any mail that was ever sent, to either player: repeated, forwarded, quoted."""
        sent = self.world.sent[number % len(self.world.sent)]
        self.world.deliver(sent._replace(to=name), fate, chance)
        self.collect("deliver old")

    @rule(name=names, fate=fates, chance=seeds, most=st.integers(1, 12))
    def deliver_many(self, name: str, fate: Fate, chance: random.Random, most: int) -> None:
        """Many mails are opened at once."""
        self.world.open_all(name, self.world.sent[-most:], fate, chance)
        self.collect("deliver many")

    @rule(name=names, fate=fates, chance=seeds)
    def forward_log(self, name: str, fate: Fate, chance: random.Random) -> None:
        """The opponent's whole log in one mail."""
        log = self.world.log(other(name))
        if log:
            self.world.deliver(Sent(name, log[-1], tuple(reversed(log[:-1]))), fate, chance)
        self.collect("forward log")

    @precondition(lambda self: self.mails)
    @rule(number=which, damage=st.sampled_from(DAMAGES), chance=seeds)
    def deliver_mangled(self, number: int, damage: Damage, chance: random.Random) -> None:
        """What mail software does to a turn doesn't hurt it."""
        sent = self.taken(number, keep=False)._replace(quoted=())
        self.world.deliver(sent, WELL, chance, self.arrived(damage(render_block(sent.block))))
        self.collect("deliver mangled")

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
        self.collect("deliver destroyed")

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

    def backup(self, name: str, number: int) -> Path | None:
        """A backup of a player's home, if there is one; more often the oldest."""
        backups = self.world.backups[name]
        if not backups or self.world.offer is not None:
            return None
        return backups[number // 2 % len(backups) if number % 2 else 0]

    @rule(name=names)
    def save_home(self, name: str) -> None:
        if self.playing(name) and self.world.offer is None:
            self.world.save(name)
        self.collect("save home")

    @rule(name=names, number=which, then=st.sampled_from(["send", "restore", "wait"]), fate=fates, chance=seeds)
    def lose_home(self, name: str, number: int, then: str, fate: Fate, chance: random.Random) -> None:
        """A machine is lost; its player goes on with a backup, perhaps at once, or finds a newer one."""
        backup = self.backup(name, number)
        if backup is not None:
            self.world.restore(name, backup)
            if then == "restore":
                self.world.merge(name, self.world.backups[name][-1], fate, chance)
            elif then == "send":
                self.world.act(name, "any", WELL, chance)
        self.collect("lose home")

    @rule(name=names, number=which, send=st.booleans(), chance=seeds)
    def put_back_games(self, name: str, number: int, send: bool, chance: random.Random) -> None:
        """Older logs are put in place of those here; the note of what was signed last stays."""
        backup = self.backup(name, number)
        if backup is not None:
            self.world.put_back_games(name, backup)
            if send:
                self.world.act(name, "any", WELL, chance)
        self.collect("put back games")

    @rule(name=names, number=which, fate=fates, chance=seeds)
    def restore_backup(self, name: str, number: int, fate: Fate, chance: random.Random) -> None:
        """`restore` puts a backup where the home is."""
        backup = self.backup(name, number)
        if backup is not None:
            self.world.merge(name, backup, fate, chance)
        self.collect("restore backup")

    @rule(name=names, fate=fates, chance=seeds)
    def restore_from_opponent(self, name: str, fate: Fate, chance: random.Random) -> None:
        """The opponent sends his log, and `restore` takes it."""
        if self.world.log(other(name)):
            self.world.restore_log(name, fate, chance)
        self.collect("restore from opponent")

    @rule(name=names, how=st.sampled_from(["gone", "cut", "altered"]), chance=seeds)
    def hurt_cache(self, name: str, how: str, chance: random.Random) -> None:
        self.world.hurt_cache(name, how, chance)
        self.collect("hurt cache")

    # --- what holds

    @invariant()
    def holds(self) -> None:
        self.world.check()

    def teardown(self) -> None:
        if sys.exc_info()[0] is None and self.world.game:
            if self.world.offer is None:
                self.world.finish(random.Random(1))
            TALLY["outcomes", "run"] += 1
        shutil.rmtree(self.run, ignore_errors=True)


def table() -> str:
    """How many steps were taken, what befell machines and mails in them, and what the programs did."""
    lines = [f"{sum(number for (kind, _), number in TALLY.items() if kind == 'steps'):8} steps"]
    for kind in ("steps", "fates", "outcomes"):
        lines += [
            "",
            kind,
            *(f"{number:8}   {what}" for (found, what), number in sorted(TALLY.items()) if found == kind),
        ]
    return "\n".join(["", *lines, ""])


def test_two_players_and_an_uncertain_mail(
    toy_system: Scenario, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    TALLY.clear()
    machine = type("Machine", (Players,), {"root": tmp_path, "scenario": toy_system})
    try:
        run_state_machine_as_test(
            machine,
            settings=settings(
                max_examples=EXAMPLES or 24,
                stateful_step_count=STEPS,
                derandomize=not EXAMPLES,
                database=None,
                phases=PHASES,
                suppress_health_check=list(HealthCheck),
            ),
        )
    finally:
        if EXAMPLES:
            with capsys.disabled():
                print(table())
    assert not {*MUST_HAPPEN} - {*TALLY}


# --- what must come up in every run of the test suite


def test_older_logs_don_t_make_a_player_sign_twice(toy_system: Scenario, tmp_path: Path) -> None:
    """The note of what was signed last is all that anna's machine knows of entries 2 and 4."""
    world = begun(toy_system, tmp_path)
    world.save("anna")
    for name, line in (("anna", "bet 1"), ("ben", "rest"), ("anna", "rest")):
        send(world, name, line)
        deliver(world)
    world.put_back_games("anna", world.backups["anna"][0])
    assert len(world.settled_log("anna")) == 2
    refused = TALLY["outcomes", "refused to sign twice"]
    for line in ("bet 1", "bet 2"):
        assert not world.act("anna", line, WELL, random.Random(0))
        world.check()
    assert TALLY["outcomes", "refused to sign twice"] == refused + 2
    assert world.restore_log("anna", WELL, random.Random(0)) == "longer"
    world.finish(random.Random(0))
    assert signed_twice(world) == []


@pytest.mark.parametrize("handed_back", [True, False], ids=["log handed back", "nothing handed back"])
@pytest.mark.parametrize("arrived", [True, False], ids=["first entry arrived", "first entry lost"])
@pytest.mark.parametrize("words", ["the same", "other"])
def test_an_old_copy_of_a_home(
    words: str, arrived: bool, handed_back: bool, toy_system: Scenario, tmp_path: Path
) -> None:
    """Anna backs up, signs entry 4, and her machine is lost; she decides again what she can't know she has signed."""
    world = begun(toy_system, tmp_path)
    for name in NAMES:
        assert send(world, name, "rest")
        deliver(world)
    world.save("anna")
    first = send(world, "anna", "bet 1")
    assert entry_of(first.payload).seq == 4
    mailed = world.sent[-1]
    if arrived:
        world.deliver(mailed, WELL, random.Random(0))
    world.restore("anna", world.backups["anna"][0])
    assert len(world.log("anna")) == 4
    if handed_back:
        assert world.restore_log("anna", WELL, random.Random(0)) == ("longer" if arrived else "same")
    if handed_back and arrived:
        assert world.log("anna") == world.log("ben")
        assert world.log("anna")[-1] == first
        world.finish(random.Random(0))
        assert signed_twice(world) == []
        return
    second = send(world, "anna", "bet 1" if words == "the same" else "bet 2")
    assert second != first, "behind a restore a new chain of dice begins, with the same words too"
    assert entry_of(second.payload).anchor is not None
    assert entry_of(first.payload).anchor is None
    deliver(world)
    world.deliver(mailed, WELL, random.Random(0))
    world.check()
    assert world.log("ben")[4] == (first if arrived else second)
    assert signed_twice(world) == [("anna", 4)]
    world.proven("ben", second if arrived else first)
    if arrived:
        assert world.restore_log("anna", WELL, random.Random(0)) == "refused", "another log is here"
        world.put_back_games("anna", world.backups["anna"][0])
        assert world.restore_log("anna", WELL, random.Random(0)) == "refused", "other words are noted as signed"
        world.mend("anna")
    world.finish(random.Random(0))


def test_a_lost_log_takes_no_other_entry_than_the_one_that_was_answered(toy_system: Scenario, tmp_path: Path) -> None:
    """Ben's answer has revealed his chain value: anna could choose another entry 2, knowing its dice."""
    world = begun(toy_system, tmp_path)
    for name in NAMES:
        world.save(name)
    send(world, "anna", "bet 1")
    answered = world.sent[-1]
    deliver(world)
    answer = send(world, "ben", "rest")
    world.put_back_games("ben", world.backups["ben"][0])
    world.restore("anna", world.backups["anna"][0])
    send(world, "anna", "bet 2")
    other_words = world.sent[-1]
    assert world.expected("ben", [other_words.block]) == "not the one answered"
    deliver(world)
    assert len(world.log("ben")) == 2
    world.deliver(answered, WELL, random.Random(0))
    assert world.settled_log("ben")[2:] == [answered.block, answer]
    assert world.expected("ben", [other_words.block]) == "second entry"
    world.deliver(other_words, WELL, random.Random(0))
    world.finish(random.Random(0))
    assert signed_twice(world) == [("anna", 2)]


def test_a_reply_that_quotes_what_an_interrupted_send_has_noted(toy_system: Scenario, tmp_path: Path) -> None:
    """Anna's log is older than her note; ben's reply brings both entries."""
    world = begun(toy_system, tmp_path)
    world.save("anna")
    mine = send(world, "anna", "bet 1")
    deliver(world)
    answer = send(world, "ben", "rest")
    world.put_back_games("anna", world.backups["anna"][0])
    world.deliver(Sent("anna", answer, (mine,)), WELL, random.Random(0))
    assert world.log("anna")[2:] == [mine, answer]
    world.finish(random.Random(0))
    assert not (tmp_path / "anna" / "evidence").exists()
    assert signed_twice(world) == []


def begun(scenario: Scenario, root: Path) -> World:
    """A game that both know of."""
    world = World(root, scenario)
    world.begin("anna", "long", "standing", WELL, random.Random(0))
    world.accept("ben", WELL, random.Random(0))
    deliver(world)
    return world


def deliver(world: World) -> None:
    """The newest mail arrives."""
    world.deliver(world.sent[-1], WELL, random.Random(0))
    world.check()


def send(world: World, name: str, line: str) -> Block:
    """A player signs one order line, and mails it."""
    world.act(name, line, WELL, random.Random(0))
    return world.sent[-1].block


def signed_twice(world: World) -> list[tuple[str, int]]:
    """Who has signed two entries with one number."""
    return [(name, number) for (_, number, name), payloads in world.signed.items() if len(payloads) > 1]
