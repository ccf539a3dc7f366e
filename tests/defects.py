"""Twenty deliberate defects, put in one at a time: which of them do the tests catch, which test, after how long?

    python tests/defects.py                     all of them, in a scratch copy of this tree
    python tests/defects.py ../other-checkout   in a copy of that one
    python tests/defects.py -n 2 --only "two fires for a supporter" --only "another namespace"

It prints a table, a line for each defect as soon as it is known. The tests run with `-x -q`: for each defect those of
its own file, then for those that are left all tests; these must pass without a defect, or the rest tells nothing. A
defect is found by its text in a function of that name, in whatever module of the package holds it. Where the text was
rewritten the line says "not found": then the defect is to be written again as what it means.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent.parent
LEFT_OUT = shutil.ignore_patterns(".venv", ".git", ".hypothesis", "__pycache__", ".*_cache", "dist")


class Defect(NamedTuple):
    """A text of a function (of a whole file where `function` is empty), and what stands there instead.

    `files` says by a pattern where to look, `first` which tests are likely to notice it.
    """

    name: str
    function: str
    text: str
    instead: str
    first: str
    files: str = "pbem/**/*.py"


B, Y = "pbem/rules/bakumatsu/*.py", "pbem/rules/yukimura/*.py"

DEFECTS = (
    Defect("a quote mark stays", "cut_at_fences", '.lstrip(" >|")', '.lstrip(" >")', "tests/wire/test_blocks.py"),
    Defect(
        "another namespace",
        "verify",
        'if parts.namespace != namespace.encode("utf-8"):',
        "if not parts.namespace:",
        "tests/crypto/test_sshsig.py",
    ),
    Defect("a die bent by a hair", "below", "if value < limit:", "if value <= limit:", "tests/crypto/test_dice.py"),
    Defect(
        "a foreign turn in the page of a mail",
        "_check",
        "blocks not in ([], meant)",
        "len(blocks) > len(meant)",
        "tests/mail/test_inbox.py",
    ),
    Defect(
        "one agreement more than may be",
        "why_not_due",
        "table.agreed[entry.by] >= AGREEMENTS_MAX",
        "table.agreed[entry.by] > AGREEMENTS_MAX",
        "tests/match/test_agreements.py",
    ),
    Defect(
        "written, not yet on the disk",
        "write_atomically",
        "os.fsync(file.fileno())",
        "pass",
        "tests/home/test_files.py",
    ),
    Defect(
        "an answer to another entry",
        "_take",
        "signed.entry.seq == entry.seq + 1",
        "signed.entry.seq == entry.seq + 2",
        "tests/desk/test_play.py",
    ),
    Defect(
        "a mail says since when days count",
        "_deadline",
        "counts from the offerer's first entry on.",
        "counts from the accept on.",
        "tests/cli/test_cli_transcripts.py",
    ),
    Defect(
        "riders drawn as foot",
        "",
        '"mounted-rifle": partial(_with_firearms, branch=_one_stroke)',
        '"mounted-rifle": partial(_with_firearms, branch=_two_strokes)',
        "tests/picture",
    ),
    Defect(
        "three hexes in a row have a corner",
        "corner",
        "are_adjacent(b, c) and are_adjacent(a, c)",
        "are_adjacent(b, c)",
        "tests/maps/test_hexes.py",
    ),
    Defect(
        "two fires for a supporter",
        "fire",
        "s.done.update(order.support)",
        "pass",
        "tests/rules/bakumatsu/test_9_fire.py",
        B,
    ),
    Defect(
        "an advance after the end",
        "melee",
        "if order.advance and s.ended is None and ",
        "if order.advance and ",
        "tests/rules/bakumatsu/test_14_victory.py",
        B,
    ),
    Defect(
        "a retreat towards the enemy", "_rank", "-nearest", "nearest", "tests/rules/bakumatsu/test_11_retreat.py", B
    ),
    Defect(
        "a march with its step off the map for nothing",
        "_why_not_march",
        "len(path) + off > ROAD_RATE",
        "len(path) > ROAD_RATE",
        "tests/rules/yukimura/test_7_movement.py",
        Y,
    ),
    Defect(
        "zones over impassable sides",
        "enemy_zoc",
        "ground.open_to",
        "ground.near",
        "tests/rules/yukimura/test_6_zoc.py",
        Y,
    ),
    Defect(
        "reinforcements one pip later",
        "appear",
        "die <= arrival.die",
        "die < arrival.die",
        "tests/rules/yukimura/test_14_files.py",
        Y,
    ),
    Defect(
        "one unit more to win",
        "judge",
        "west >= board.west_needed",
        "west > board.west_needed",
        "tests/rules/yukimura/test_14_scenarios.py",
        Y,
    ),
    Defect(
        "a cell as likely as the right one",
        "",
        '"10":                      [      A1,       B1,',
        '"10":                      [      B1,       B1,',
        "tests/rules/yukimura/test_tables.py",
        "scenarios/yukimura/tables.yaml",
    ),
    Defect(
        "a cache that is believed",
        "recall_bytes",
        'return whole[SEAL + 1 :] if whole[: SEAL + 1] == seal(key, kept) + b"\\n" else None',
        "return whole[SEAL + 1 :]",
        "tests/test_scenario.py",
    ),
    Defect(
        "the opponent's turn sent as mine",
        "_newest_of_mine",
        "if turn.entry.by != place.me and",
        "if not turn.entry.by and",
        "tests/cli/test_bad_input.py",
    ),
)


def put_in(tree: Path, defect: Defect) -> tuple[Path, str] | str:
    """Put a defect into a tree: the file and what it was before, or why it isn't put in."""
    found = []
    for path in sorted(tree.glob(defect.files)):
        source = path.read_text("utf-8")
        found += [
            (path, source, *span) for span in spans(source, defect.function) if defect.text in source[slice(*span)]
        ]
    if len(found) != 1:
        return "not found" if not found else f"found {len(found)} times"
    path, source, start, end = found[0]
    if source.count(defect.text, start, end) != 1:
        return f"found {source.count(defect.text, start, end)} times"
    changed = source[:start] + source[start:end].replace(defect.text, defect.instead) + source[end:]
    path.write_text(changed, "utf-8")
    return path, source


def spans(source: str, function: str) -> list[tuple[int, int]]:
    """Where the functions of a name begin and end in a source; the whole of it where no function is named."""
    if not function:
        return [(0, len(source))]
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    return [(starts[n.lineno - 1], starts[n.end_lineno or n.lineno]) for n in nodes if n.name == function]


def run(tree: Path, tests: str, jobs: int) -> tuple[str, float]:
    """Run tests of a tree: the first that fails, or "" when none does; and the seconds that it took."""
    if not (tree / tests).exists():
        return "", 0.0
    environment = os.environ | {"PYTHONPATH": str(tree)}
    environment.pop("PYTEST_ADDOPTS", None)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        *(["-n", str(jobs)] if jobs else []),
    ]
    began = time.monotonic()
    done = subprocess.run([*command, tests], cwd=tree, env=environment, capture_output=True, text=True)
    seconds = time.monotonic() - began
    if not done.returncode:
        return "", seconds
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return failed[1] if failed else f"pytest ended with {done.returncode}", seconds


def tell(name: str, caught: str, seconds: float, by: str) -> None:
    """Print a line of the table."""
    print(f"{name:<48} {caught:<7} {seconds:7.0f}  {by}", flush=True)


def catch(tree: Path, chosen: list[Defect], tests: str, jobs: int) -> list[Defect]:
    """Put in one defect after the other, and tell which are caught by these tests ("": its own); the others."""
    left = []
    for defect in chosen:
        put = put_in(tree, defect)
        if isinstance(put, str):
            print(f"{defect.name:<48} {put}", flush=True)
            continue
        failed, seconds = run(tree, tests or defect.first, jobs)
        put[0].write_text(put[1], "utf-8")
        if not failed:
            left.append(defect)
        if failed or tests:
            tell(defect.name, "yes" if failed else "NO", seconds, failed)
    return left


def main() -> None:
    """Put in what was asked, one after the other, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", nargs="?", type=Path, default=HERE, help="the checkout of which a copy is made")
    parser.add_argument("-n", type=int, default=0, metavar="JOBS", dest="jobs", help="processes for pytest")
    parser.add_argument("--only", action="append", metavar="NAME", help="this defect alone")
    given = parser.parse_args()
    chosen = [defect for defect in DEFECTS if given.only is None or defect.name in given.only]
    print(f"{'defect':<48} {'caught':<7} {'seconds':>7}  by", flush=True)
    with tempfile.TemporaryDirectory(prefix="pbem-") as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(given.tree, tree, ignore=LEFT_OUT)
        left = catch(tree, chosen, "", given.jobs)
        if left or given.only is None:
            failed, seconds = run(tree, "tests", given.jobs)
            tell("(none)", "FAILS" if failed else "passes", seconds, failed)
        catch(tree, left, "tests", given.jobs)


if __name__ == "__main__":
    main()
