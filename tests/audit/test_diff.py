"""Where two logs part: the entry, the statement, the step; and logs that are alike but can't be replayed here."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

import pytest
from cli_player import Said, pbem_says
from toy.players import Duel, signer

from pbem.audit.diff import Difference, difference
from pbem.errors import BadLog, BadSignature, Damaged
from pbem.wire.blocks import Block
from pbem.wire.statements import Statement

MakeDuel = Callable[..., Duel]
NAMES = ("a", "b")


def compared(one: Duel, two: Duel) -> Difference:
    """Two logs."""
    return difference(one.log, two.log, lambda _: one.scenario, NAMES)


def begun(duel: MakeDuel, *plays: tuple[str, str]) -> Duel:
    """A game in which these turns were played."""
    game = duel()
    for name, text in plays:
        game.play(name, text)
    return game


def says(tmp_path: Path, one: str, two: str, *more: str) -> Said:
    """Type `pbem diff a b` in the folder of two logs."""
    for name, text in zip(NAMES, (one, two), strict=True):
        (tmp_path / name).write_text(text)
    with chdir(tmp_path):
        return pbem_says("--home", "home", "diff", *NAMES, *more)


def plain(text: str) -> str:
    """Without the line breaks."""
    return re.sub(r"\s+", " ", text)


def test_equal_logs(duel: MakeDuel, tmp_path: Path) -> None:
    game = begun(duel, ("anna", "bet 1; rest;"))
    found = compared(game, game)
    assert (found.what, found.number, found.contrast, found.parting) == ("equal", 3, None, None)
    said = says(tmp_path, game.log, game.log)
    assert said.code == 0
    assert said.out == "both logs are the same, 3 entries\nsignatures, chain, dice and rules are good\n"


def test_one_log_is_longer(duel: MakeDuel, tmp_path: Path) -> None:
    short, long = begun(duel, ("anna", "bet 1;")), begun(duel, ("anna", "bet 1;"), ("ben", ""))
    for one, two, at in ((short, long, 1), (long, short, 0)):
        found = compared(one, two)
        assert (found.what, found.number, found.contrast) == ("longer", 3, None)
        assert found.entries[at] is not None
        assert found.entries[1 - at] is None
        said = says(tmp_path, one.log, two.log)
        assert said.code == 1
        assert f"{NAMES[at]} has 1 more entry, from 3 on; the first 3 are the same in both" in said.out


def test_the_first_statement_and_the_first_order_that_differ(duel: MakeDuel, tmp_path: Path) -> None:
    one = begun(duel, ("anna", "move scout rear; bet 1; rest;"))
    two = begun(duel, ("anna", "move scout rear; bet 2; rest;"))
    found = compared(one, two)
    assert (found.what, found.number) == ("entry", 2)
    assert found.contrast is not None
    assert (found.contrast.first, found.contrast.second) == ("bet 1;", "bet 2;")
    statements = one.blocks[2].payload.decode().splitlines()
    assert statements[found.contrast.number - 1] == "bet 1;"
    assert found.parting is not None
    for step, words in ((found.parting.first, ["bet", "1"]), (found.parting.second, ["bet", "2"])):
        assert step is not None
        assert (step["kind"], step["words"], step["seq"]) == ("order", words, 2)
    said = says(tmp_path, one.log, two.log)
    assert said.code == 1
    assert "the logs part at entry 2, orders by anna in both; the 2 before it are the same" in plain(said.out)
    assert "pbem evidence a b` tells whether anna signed two turns" in said.err


def test_the_dice_that_differ_and_what_they_decided(duel: MakeDuel, tmp_path: Path) -> None:
    """Condition statements that change nothing change the entry's hash, so the dice."""
    for unit in ("lancer", "levy-1", "levy-2"):
        one = begun(duel, ("anna", "bet 1; rest;"), ("ben", ""))
        two = begun(duel, ("anna", f"bet 1; stop if gone {unit}; rest;"), ("ben", ""))
        found = compared(one, two)
        assert found.number == 2
        if found.parting is not None and found.parting.first and found.parting.first["kind"] == "roll":
            break
    assert found.parting is not None
    first, second = found.parting.first, found.parting.second
    assert first is not None
    assert second is not None
    assert first["label"] == second["label"]
    assert first["result"] != second["result"]
    before = [game.table.steps[: found.parting.number] for game in (one, two)]
    assert before[0] == before[1]
    said = says(tmp_path, one.log, two.log)
    for step, game in ((first, one), (second, two)):
        dice = " ".join(map(str, step["result"]))
        assert f"Roll {step['label']} of one 6-sided die: {dice}." in plain(said.out)
        told = game.table.steps[found.parting.number + 1]
        assert f"[{told['clause']}]" in said.out
    data = json.loads(says(tmp_path, one.log, two.log, "--json").out)
    assert data["step"] == {"first": first, "second": second}
    assert data["same"] is False


def test_logs_that_part_without_another_step(duel: MakeDuel, tmp_path: Path) -> None:
    one = begun(duel, ("anna", "move scout rear;"))
    two = begun(duel, ("anna", "move scout rear; stop if gone lancer;"))
    found = compared(one, two)
    assert (found.what, found.parting) == ("entry", None)
    assert "no step went another way" in says(tmp_path, one.log, two.log).out


def test_two_games(duel: MakeDuel, tmp_path: Path) -> None:
    said = says(tmp_path, duel(1).log, duel(2).log)
    assert said.code == 1
    assert "these are two different games: entry 0 differs, offer by anna and offer by anna" in plain(said.out)
    assert "evidence" not in said.err


def test_a_log_that_does_not_verify_says_so(duel: MakeDuel, tmp_path: Path) -> None:
    one, two = begun(duel, ("anna", "bet 1;")), begun(duel, ("anna", "bet 2;"))
    forged = Block(two.blocks[2].payload, one.blocks[2].armor)
    two.blocks[2] = forged
    found = compared(one, two)
    assert found.logs[0].fault is None
    assert isinstance(found.logs[1].fault, BadSignature)
    assert found.logs[1].table is not None
    assert found.logs[1].table.seq == 1
    assert found.parting is not None
    assert found.parting.second is None
    said = says(tmp_path, one.log, two.log)
    assert "b: entry 2, signature: anna's signature doesn't hold" in plain(said.out)
    assert "b: nothing more has happened there" in said.out
    assert "good" not in said.out


def test_equal_logs_of_another_version_of_the_rules(duel: MakeDuel, tmp_path: Path) -> None:
    game = begun(duel, ("anna", "bet 1;"), ("ben", ""))
    payload = game.entry("anna", (Statement("rest", ()),), state="ab" * 32).payload
    text = game.log
    game.blocks.append(Block(payload, signer("anna").sign(payload)))
    found = compared(game, game)
    assert found.what == "equal"
    assert isinstance(found.logs[0].fault, BadLog)
    said = says(tmp_path, game.log, game.log)
    assert said.code == 1
    assert "both logs are the same, 5 entries" in said.out
    assert "both: entry 4: the state is not the one this program finds" in plain(said.out)
    assert "the players' programs differ in rules or scenario" in said.err
    assert says(tmp_path, text, text).code == 0


def test_another_form_of_a_signature(duel: MakeDuel) -> None:
    one, two = begun(duel, ("anna", "bet 1;")), begun(duel, ("anna", "bet 1;"))
    two.blocks[2] = Block(two.blocks[2].payload, signer("ben").sign(two.blocks[2].payload))
    found = compared(one, two)
    assert (found.what, found.number) == ("signature", 2)
    assert (found.logs[0].fault is None, found.logs[1].fault is None) == (True, False)


def test_a_file_that_is_no_log_is_refused(duel: MakeDuel, tmp_path: Path) -> None:
    game = duel()
    with pytest.raises(Damaged, match="text before the first block"):
        difference(game.log, "x" + game.log, lambda _: game.scenario, NAMES)
    said = says(tmp_path, game.log, "x" + game.log)
    assert (said.code, said.out) == (1, "")
    assert "b, entry 0: text before the first block" in said.err
    assert json.loads(says(tmp_path, "", game.log + "x", "--json").out)["error"]["kind"] == "Damaged"
    said = says(tmp_path, "", "")
    assert said.code == 1
    assert "both: the log is empty" in said.out
    assert pbem_says("diff", "-", "-").code == 2
