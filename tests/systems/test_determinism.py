"""The same game in processes with different hash seeds: logs, reports, pictures, dumps and option lists byte for byte.

Run as a program, this file plays the game and writes what it makes into a folder.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

SEEDS = ("0", "1", "31337")
LEAST = {"game.log": 1, "report.txt": 9, "report.html": 9, "map.svg": 9, "situation.json": 9, "table.json": 3,
         "nodes.txt": 1, "suggested.txt": 9}  # fmt: skip


def test_the_hash_seed_changes_nothing(tmp_path: Path) -> None:
    running = []
    for seed in SEEDS:
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        folder = tmp_path / seed
        folder.mkdir()
        running.append((folder, subprocess.Popen([sys.executable, __file__, str(folder)], env=environment)))
    for _, process in running:
        assert process.wait() == 0
    first = contents(tmp_path / SEEDS[0])
    for kind, least in LEAST.items():
        assert sum(name.endswith(kind) for name in first) >= least, sorted(first)
    for seed in SEEDS[1:]:
        other = contents(tmp_path / seed)
        assert sorted(other) == sorted(first)
        assert [name for name in first if other[name] != first[name]] == [], f"PYTHONHASHSEED={seed}"


def test_the_hash_seeds_are_really_different() -> None:
    """Else the test above would compare a thing with itself."""
    said = set()
    for seed in SEEDS:
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        words = [sys.executable, "-c", "print(list({'sg-01', 'sg-02', 'sa-01', 'sa-02', 'sa-03'}))"]
        said.add(subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(said) > 1


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


# --- the program ---------------------------------------------------------------------------------------------------


def write_reports(folder: Path, table: object, number: int) -> None:
    """A table's reports for both players and for anyone."""
    from whole_games import scenario

    from pbem.match.table import Table
    from pbem.report import build
    from pbem.report.source import pictures, report_data

    assert isinstance(table, Table)
    for reader in ("asuka", "ben", None):
        data, (drawn,) = report_data(table, scenario(), reader), pictures(table, scenario())
        stem = f"{number:03}-{reader or 'anyone'}"
        (folder / f"{stem}-report.txt").write_text(build.text(data), "utf-8")
        (folder / f"{stem}-mail.txt").write_text(build.mail_text(data, ""), "utf-8")
        (folder / f"{stem}-report.html").write_text(build.html(data, {drawn.title: drawn.svg}), "utf-8")
        (folder / f"{stem}-map.svg").write_text(drawn.svg, "utf-8")
        (folder / f"{stem}-situation.json").write_text(json.dumps(data), "utf-8")
    (folder / f"{number:03}-table.json").write_text(json.dumps(table.dump()), "utf-8")


def play_by_mail(folder: Path) -> None:
    """A game with everything that entries can hold; reports on the way."""
    from matches import planned
    from systems.test_games import wholes
    from whole_games import SIDES, Match

    from pbem.match.bots import suggest

    whole = wholes()["all-words"]
    match, chance = Match(0, reactions="ask"), random.Random(5)
    choosers = {"shogunate": whole.shogunate, "satcho": whole.satcho}
    while len(match.blocks) < 34:
        what, name = match.due()
        if name is None:
            break
        side, text = SIDES[name], ""
        suggested = suggest(match.table, name, "random", random.Random(len(match.blocks)))
        (folder / f"{len(match.blocks):03}-suggested.txt").write_text(json.dumps(suggested), "utf-8")
        if what not in ("begin", "reveal"):
            orders = list(planned(match.table, side, choosers[side], chance))
            text = whole.dress(match, what, side, orders, chance) if whole.dress else ""
        match.play(text)
        if len(match.blocks) % 8 == 0:
            write_reports(folder, match.table, len(match.blocks))
    (folder / "game.log").write_text(match.log, "ascii")


def play_alone(folder: Path) -> None:
    """A game without players: every request, its options in their order, a sample, the dump after it."""
    from whole_games import new_game, text_of

    from pbem.match.check import chance_answer
    from pbem.rules.requests import Choose

    chance, game, lines = random.Random(11), new_game(), []
    while (request := game.request) is not None:
        if isinstance(request, Choose):
            answer = request.sample(chance)
            lines.append(f"{request.prompt}: {'; '.join(map(text_of, request.options()))} > {text_of(answer)}")
            lines.append(repr(request.why_not(answer)))
        else:
            answer = chance_answer(request, chance)
            lines.append(f"{request}: {answer}")
        game.apply(answer)
        lines.append(json.dumps(game.dump()))
    (folder / "nodes.txt").write_text("\n".join(lines), "utf-8")


if __name__ == "__main__":
    play_by_mail(Path(sys.argv[1]))
    play_alone(Path(sys.argv[1]))
