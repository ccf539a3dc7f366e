"""The Siege of Osaka under different hash seeds: option lists, forms, dumps, logs and reports byte for byte.

Run as a program, this file plays and writes what it makes into a folder.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

from systems.test_determinism import SEEDS, contents

LEAST = {"nodes.txt": 4, "game.log": 1, "report.txt": 3, "report.html": 3, "map.svg": 3, "situation.json": 3}
NODES = 120
"""Answers of each game that are written down."""


def test_the_hash_seed_changes_nothing(tmp_path: Path) -> None:
    running = []
    for seed in SEEDS:
        folder = tmp_path / seed
        folder.mkdir()
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        running.append(subprocess.Popen([sys.executable, __file__, str(folder)], env=environment))
    assert [process.wait() for process in running] == [0] * len(SEEDS)
    first = contents(tmp_path / SEEDS[0])
    for kind, least in LEAST.items():
        assert sum(name.endswith(kind) for name in first) >= least, sorted(first)
    kinds = {line.split(" ")[0] for name, text in first.items() if name.endswith("nodes.txt")
             for line in text.decode("utf-8").splitlines()}  # fmt: skip
    assert kinds >= {"move", "combat", "defence", "retreat", "advance", "beside"}
    for seed in SEEDS[1:]:
        other = contents(tmp_path / seed)
        assert sorted(other) == sorted(first)
        assert [name for name in first if other[name] != first[name]] == [], f"PYTHONHASHSEED={seed}"


# --- the program ---------------------------------------------------------------------------------------------------


def play_alone(folder: Path, scenario: str, seed: int) -> None:
    """Every request, its options in their order, a sample, the form, the standing and default answers, the dump."""
    from random_play import words_of
    from systems.test_random_play_yukimura import Recorded

    from pbem.rules import yukimura
    from pbem.rules.requests import Choose

    lines: list[str] = []
    play = Recorded(scenario, "fierce", seed).play
    for number, game in enumerate(play.nodes()):
        request = game.request
        if isinstance(request, Choose):
            listed = number % 20 == 0 or request.kind != "move"
            shown = "; ".join(words_of(game, order) for order in request.options()) if listed else ""
            lines.append(f"{request.kind} {request.prompt}: {shown}")
            lines.append(words_of(game, request.sample(random.Random(number))))
            if listed:
                lines.append(repr(list(yukimura.form(game.state, request))))
            if request.default is not None:
                lines.append(words_of(game, request.default()))
            if request.standing is not None:
                orders = [("advance", "any", "follow"), ("defence", "best"), ("retreat", "any", "east", "west")]
                answer = request.standing(orders)
                lines.append("none" if answer is None else words_of(game, answer))
        else:
            lines.append(str(request))
        lines.append(json.dumps(game.dump()))
        if number > NODES:
            break
    lines += [repr(tell) for tell in play.told]
    (folder / f"{scenario}-nodes.txt").write_text("\n".join(lines), "utf-8")


def play_by_mail(folder: Path) -> None:
    """A game by mail with reports for both players and for anyone."""
    from matches import Match, scenario_of
    from systems.test_random_play_yukimura import fierce

    from pbem.report import build
    from pbem.report.source import pictures, report_data

    scenario = scenario_of("yao")
    match = Match(scenario, 7).run({"asuka": fierce, "ben": fierce}, random.Random(7), most=14)
    (folder / "game.log").write_text(match.log, "ascii")
    for reader in ("asuka", "ben", None):
        data, stem = report_data(match.table, scenario, reader), reader or "anyone"
        drawn = pictures(match.table, scenario)
        (folder / f"{stem}-report.txt").write_text(build.text(data), "utf-8")
        (folder / f"{stem}-report.html").write_text(build.html(data, {d.title: d.svg for d in drawn}), "utf-8")
        (folder / f"{stem}-map.svg").write_text("\n".join(d.svg for d in drawn), "utf-8")
        (folder / f"{stem}-situation.json").write_text(json.dumps(data), "utf-8")


if __name__ == "__main__":
    for number, name in enumerate(("yao", "domyoji", "gotos-dream", "connected")):
        play_alone(Path(sys.argv[1]), name, 50 + number)
    play_by_mail(Path(sys.argv[1]))
