"""What docs/protocol.md says in numbers: its test vectors, and its worked example, which is a whole log."""

from __future__ import annotations

import json
import os
import re
import runpy
from pathlib import Path

from pbem import dice
from pbem.turn import replay

ROOT = Path(__file__).resolve().parents[1]
if os.environ.get("PBEM_REGENERATE"):  # the example pins the scenario, so a change there makes it anew
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
    for block, entry in found.entries:
        line = rf"{entry.seq} +{entry.kind} +{entry.by} +{len(block.payload)} +{dice.entry_hash(block.payload).hex()}"
        assert re.search(line, TEXT), f"entry {entry.seq}"
    rolls = [step for step in found.table.steps if step["kind"] == "roll"]
    assert len(rolls) == 2
    for step in rolls:
        line = rf"{step['label']} +{step['dice']}d{step['sides']} = {' '.join(map(str, step['result']))}\n"
        assert re.search(line, TEXT), step["label"]


def test_every_vector_of_dice_json_is_in_the_document() -> None:
    vectors = json.loads((ROOT / "tests" / "vectors" / "dice.json").read_text("utf-8"))
    words = set(re.findall(r"[0-9a-f]{32,}", TEXT))
    for name, vector in vectors.items():
        for key in ("pub_blob", "player_id", "root", "entry_hash", "game_id", "seed", "private_seed"):
            assert key not in vector or vector[key] in words, f"{name} {key}"
        assert set(vector.get("x", {}).values()) <= words, name
        assert " ".join(map(str, vector.get("result", []))) in TEXT, name
