"""What docs/protocol.md says in numbers: its test vectors, and its worked example, which is a whole log."""

from __future__ import annotations

import json
import re
import runpy
import shutil
import subprocess
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from golden import REGENERATE
from systems.adapters import ADAPTERS

from pbem.crypto import dice
from pbem.match.replay import replay
from pbem.rules import SYSTEMS, rules_of
from pbem.scenario import load_scenario

ROOT = Path(__file__).resolve().parents[1]
if REGENERATE:  # the example pins the scenario, so a change there makes it anew
    runpy.run_path(str(ROOT / "tests" / "vectors" / "make_example.py"), run_name="__main__")
TEXT = (ROOT / "docs" / "protocol.md").read_text("utf-8")


def example() -> str:
    """The log of the worked example, without the document's indentation."""
    shown = TEXT.partition("<!-- example -->")[2].partition("<!-- end of example -->")[0]
    blocks = re.findall(r"    -----BEGIN PBEM TURN-----\n.*?    -----END SSH SIGNATURE-----\n", shown, re.DOTALL)
    return "".join(re.sub(r"(?m)^    ", "", block) for block in blocks)


def test_the_worked_example_verifies_and_its_numbers_are_true() -> None:
    found = replay(example())
    assert found.table is not None
    for block, entry, _ in found.turns:
        line = rf"{entry.seq} +{entry.kind} +{entry.by} +{len(block.payload)} +{dice.entry_hash(block.payload).hex()}"
        assert re.search(line, TEXT), f"entry {entry.seq}"
    rolls = [step for step in found.table.steps if step["kind"] == "roll"]
    assert len(rolls) == 2
    for step in rolls:
        line = rf"{step['label']} +{step['dice']}d{step['sides']} = {' '.join(map(str, step['result']))}\n"
        assert re.search(line, TEXT), step["label"]


def strings(data: object) -> Iterator[str]:
    """Every string in JSON data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for part in data.values() if isinstance(data, dict) else data:
            yield from strings(part)


def test_every_vector_of_dice_json_is_in_the_document() -> None:
    vectors = json.loads((ROOT / "tests" / "vectors" / "dice.json").read_text("utf-8"))
    assert [*vectors] == ["T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T10", "T14", "T15", "T16", "T17"]
    chapter = TEXT.partition("### 3.6 ")[2].partition("\n## ")[0]
    words = set(re.findall(r"[0-9a-f]{32,}", chapter))
    count = 0
    for value in strings(vectors):
        if re.fullmatch("[0-9a-f]{32,}", value):
            halves = [value[:64], value[64:]] if len(value) == 128 else [value]  # as wide as a line can show
            assert words.issuperset(halves), value
            count += 1
        for line in value.splitlines() if "\n" in value else ():
            assert re.search(rf"(?m)^         [CM] +{re.escape(line)}$", chapter), line
    assert count > 30


SCENARIO_OF = {
    "bakumatsu": "tabaruzaka",
    "gcacw": "to-bull-run",
    "samurai": "skirmish",
    "sengoku": "shizugatake",
    "yukimura": "domyoji",
}


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_state_and_the_orders_of_each_system_are_told_whole(system: str) -> None:
    rules, scenario = rules_of(system), load_scenario(SCENARIO_OF[system])
    told = TEXT.partition(f"#### {rules.EDITION}\n")[2].partition("\n###")[0]
    assert told
    kept = rules.dump(rules.start(rules.board(scenario.data), {}))
    assert kept.keys() <= set(re.findall(r'"([a-z_]+)": ', told))
    assert all(re.search(rf"(?m)(^    |\| ){keyword}\b", told) for keyword in ADAPTERS[system].USAGE)
    assert all(f"    {stem}/" in told for stem in rules.GOOD)


# Chapter 5: the shell as it stands there.

NEEDS = pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in ("ssh-keygen", "sh", "awk", "base64", "sha256sum", "fold")),
    reason="SSH-KEYGEN OR A POSIX SHELL IS MISSING: the commands of chapter 5 didn't run",
)


def shell(folder: Path, *changes: tuple[str, str], which: slice) -> subprocess.CompletedProcess[str]:
    """Run the chapter's blocks of commands, with other words in them, in one shell."""
    chapter = TEXT.partition("\n## 5 ")[2].partition("\n## ")[0]
    blocks = re.findall(r"(?m)(?:^    .*\n|^\n(?=    ))+", chapter)
    script = "".join(textwrap.dedent(block) for block in blocks[which])
    for old, new in changes:
        assert old in script
        script = script.replace(old, new)
    return subprocess.run(["sh", "-c", script], cwd=folder, capture_output=True, text=True, check=False)


@NEEDS
def test_the_shell_of_chapter_5_verifies_an_entry_and_gives_its_hash(tmp_path: Path) -> None:
    log = example()
    (tmp_path / "game.log").write_text(log, "ascii", newline="\n")
    for number, (block, entry, _) in enumerate(replay(log).turns):
        done = shell(tmp_path, ("N=5", f"N={number}"), which=slice(0, 1))
        assert done.stdout.startswith(f'Good "pbem-turn-v1" signature for {entry.by} '), done
        assert shell(tmp_path, which=slice(2, 3)).stdout.split()[0] == dice.entry_hash(block.payload).hex()
    (tmp_path / "game.log").write_text(log.replace("stays shut", "stays open"), "ascii", newline="\n")
    done = shell(tmp_path, which=slice(0, 1))
    assert "Good" not in done.stdout
    assert done.returncode != 0


@NEEDS
def test_the_shell_of_chapter_5_verifies_a_proof(tmp_path: Path) -> None:
    vector = json.loads((ROOT / "tests" / "vectors" / "dice.json").read_text("utf-8"))["T16"]
    turn = tmp_path / "turn"
    turn.write_text(vector["payload"], "ascii", newline="\n")
    done = shell(tmp_path, which=slice(1, 2))
    assert done.stdout.startswith('Good "pbem-key-v1" signature for asuka '), done
    assert (tmp_path / "proof").read_text("ascii") == vector["message"]
    for old, new in (("seq 14", "seq 15"), ("by asuka", "by ben"), ("anchor 1000", "anchor 999")):
        turn.write_text(vector["payload"].replace(old, new), "ascii", newline="\n")
        assert "Good" not in shell(tmp_path, which=slice(1, 2)).stdout
    turn.write_text(vector["payload"], "ascii", newline="\n")
    assert "Good" not in shell(tmp_path, ("P=$(", "P=ben; : $("), which=slice(1, 2)).stdout


def test_a_section_that_code_or_page_names_is_there() -> None:
    known = set(re.findall(r"(?m)^##+ ([0-9.]+) ", TEXT))
    assert {"1.3", "2.3", "3.3", "4.1", "4.6", "4.11", "5", "6", "7"} <= known
    named = {("page", number) for number in re.findall(r"[(,;:] ?([1-7]\.[0-9]+)(?=[):;,])", TEXT)}
    for folder in ("pbem", "tools", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            found = re.findall(
                r"protocol (?=[1-9])([0-9.]+(?:(?:, | to | and )[0-9]\.[0-9]+)*)", path.read_text("utf-8")
            )
            named |= {(path.name, part.rstrip(".")) for words in found for part in re.split("[^0-9.]+", words)}
    assert len(named) > 40
    assert sorted((where, number) for where, number in named if number not in known) == []
