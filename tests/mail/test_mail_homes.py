"""The post between two homes: mails that come twice, out of order, damaged, quoted; both logs end up the same."""

from __future__ import annotations

import io
import random
import re
import shutil
from collections.abc import Callable, Iterator
from itertools import count as count_from
from pathlib import Path

from mail import clients
from mail.clients import letter
from mail.mail_damage import DAMAGES, cr
from mail.relay import forwarded_as_attachment
from toy.players import Post

from pbem.desk.arrival import open_all
from pbem.desk.letter import read_letter
from pbem.errors import PbemError
from pbem.mail.inbox import Mail, read_mails
from pbem.match.bots import suggest
from pbem.scenario import Scenario
from pbem.wire.blocks import Block, render_block
from pbem.wire.entry import parse_entry

Count = Callable[[str, str], None]


def arrived(raw: bytes, source: str) -> Mail:
    """A mail as it is read from the disk."""
    (mail,) = read_mails("-", io.BytesIO(raw))
    return mail._replace(source=source)


def opened(post: Post, name: str, mails: list[Mail]) -> tuple[list[str], list[PbemError]]:
    receipts, refused = open_all(post.desk(name), map(read_letter, mails))
    return [receipt.what for receipt in receipts], refused


def log(post: Post, name: str) -> str:
    return post.place(name).text


def sent_by_a_bot(post: Post, chance: random.Random) -> tuple[str, Block] | None:
    """Whoever is due sends his orders: the other one's name and the block; None when the game is over."""
    for name, other in (("anna", "ben"), ("ben", "anna")):
        table = post.place(name).table
        if table.due().player == name:
            orders = suggest(table, name, "random", chance)
            return other, post.send(name, "".join(f"{' '.join(words)};" for words in orders))
    return None


def games(root: Path, scenario: Scenario) -> Iterator[tuple[Post, random.Random]]:
    """Games with other dice, each in homes of its own."""
    for number in count_from(1):
        yield Post(root / str(number), scenario).begun(number, "long"), random.Random(number)


def test_every_damage_between_two_homes(tmp_path: Path, toy_system: Scenario, count: Count) -> None:
    """Each mail is damaged in another way, then comes again below a quoted turn; both logs stay the same."""
    waiting = [(damage, gate) for gate in (None, forwarded_as_attachment) for damage in DAMAGES if damage is not cr]
    for post, chance in games(tmp_path, toy_system):
        before: Block | None = None
        while waiting and (sent := sent_by_a_bot(post, chance)):
            receiver, block = sent
            damage, gate = waiting.pop()
            raw = gate(damage(render_block(block))) if gate else damage(render_block(block))
            mails = [arrived(raw, "turn.eml")]
            if before is not None:
                mails.append(arrived(letter(clients.quote(render_block(before), "> ") + render_block(block)), "2.eml"))
            whats, refused = opened(post, receiver, mails)
            for what in whats:
                count(
                    "homes: damaged, then again with a quoted turn", "same" if what in ("taken", "known") else "wrong"
                )
            assert (whats, refused) == (["taken", "known"][: len(mails)], [])
            assert log(post, "anna") == log(post, "ben")
            before = block
        if not waiting:
            return


def whole_game(post: Post, chance: random.Random) -> list[Block]:
    """A whole game, every mail opened at once; its blocks."""
    sent = []
    while found := sent_by_a_bot(post, chance):
        receiver, block = found
        assert opened(post, receiver, [arrived(letter(render_block(block)), "x")])[0] == ["taken"]
        sent.append(block)
    return sent


def test_any_order_and_twice(tmp_path: Path, toy_system: Scenario, count: Count) -> None:
    """A home set back to its beginning gets all mails of the game at once: shuffled, some twice, in other clothes."""
    post = Post(tmp_path, toy_system).begun(5, "long")
    shutil.copytree(tmp_path / "ben", tmp_path / "kept")
    blocks = whole_game(post, random.Random(5))
    assert len(blocks) >= 4
    whole = log(post, "anna")
    for number in range(10):
        chance = random.Random(number)
        shutil.rmtree(tmp_path / "ben")
        shutil.copytree(tmp_path / "kept", tmp_path / "ben")
        twice = [*blocks, *chance.sample(blocks, 2)]
        chance.shuffle(twice)
        raws = [chance.choice(DAMAGES)(render_block(block)) for block in twice]
        mails = [arrived(raw, f"{at}.eml") for at, raw in enumerate(raws)]
        whats, refused = opened(post, "ben", mails)
        for _ in whats:
            count("homes: out of order and twice", "same" if log(post, "ben") == whole else "wrong")
        assert len(whats) == len(blocks) + 2
        assert set(whats) == {"known", "taken"}, "ben's own that come early are noted, and known when they follow"
        assert whats.count("taken") >= sum(parse_entry(block.payload).by == "anna" for block in blocks)
        assert refused == []
        assert log(post, "ben") == whole


def test_a_turn_is_missing(tmp_path: Path, toy_system: Scenario, count: Count) -> None:
    """What comes behind a lost mail is refused, and names the entry that is missing."""
    post = Post(tmp_path, toy_system).begun(5, "long")
    shutil.copytree(tmp_path / "ben", tmp_path / "kept")
    blocks = whole_game(post, random.Random(5))
    for lost in range(len(blocks) - 1):
        shutil.rmtree(tmp_path / "ben")
        shutil.copytree(tmp_path / "kept", tmp_path / "ben")
        mails = [arrived(letter(render_block(b)), f"{n}.eml") for n, b in enumerate(blocks) if n != lost]
        whats, refused = opened(post, "ben", mails)
        assert whats == ["taken"] * lost
        assert len(refused) == len(blocks) - lost - 1
        own = [error for error in refused if "this is my own entry" in error.what]
        assert all(f"the log here ends with entry {lost + 1}" in error.what for error in own)
        assert all(error.hint == f"entry {lost + 2} is due first" for error in refused if error not in own)
        for name in ["same"] * len(whats) + ["refused"] * len(refused):
            count("homes: a mail is missing", name)


def test_a_damaged_turn_beside_a_quoted_one_is_told(tmp_path: Path, toy_system: Scenario, count: Count) -> None:
    """The quoted turn is whole and known, the new one damaged: it isn't passed over."""
    post = Post(tmp_path, toy_system).begun(5, "long")
    blocks = whole_game(post, random.Random(5))
    quoted = clients.quote(render_block(blocks[0]), "> ")
    text = render_block(blocks[-1])
    for at in range(text.index("pbem 1"), text.index("-----END PBEM"), 9):
        raw = letter(f"{text[:at]}\u25a0{text[at + 1 :]}\n{quoted}")
        whats, refused = opened(post, "ben", [arrived(raw, "new.eml")])
        count("homes: damaged beside a quoted turn", "refused" if refused else "wrong")
        assert whats == []
        (error,) = refused
        assert error.where == "new.eml, turn block at line 1"
        assert re.search(r"statement|signed|text after the last ';'", error.what)
