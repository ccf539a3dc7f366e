"""The same games in processes with different hash seeds: logs, reports, pictures, dumps, forms and option lists, byte
for byte.

Run as a program, this file plays games of every system and writes what it makes into a folder.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from systems.adapters import ADAPTERS

SEEDS = ("0", "31337")
LEAST = {"game.log": 1, "report.txt": 3, "mail.txt": 3, "report.html": 3, "map.svg": 3, "situation.json": 3,
         "table.json": 1, "nodes.txt": 1, "suggested.txt": 9}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, bytes]]:
    """Hash seed -> the files made under it; all processes run at once."""
    folders = {seed: tmp_path_factory.mktemp(f"seed-{seed}") for seed in SEEDS}
    running = []
    for seed, folder in folders.items():
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        running.append(subprocess.Popen([sys.executable, __file__, str(folder)], env=environment))
    assert [process.wait() for process in running] == [0] * len(SEEDS)
    return {seed: {path.name: path.read_bytes() for path in folder.iterdir()} for seed, folder in folders.items()}


@pytest.mark.parametrize("system", ADAPTERS)
def test_everything_is_made(made: dict[str, dict[str, bytes]], system: str) -> None:
    names = [name for name in made[SEEDS[0]] if name.startswith(system)]
    for kind, least in LEAST.items():
        assert sum(name.endswith(kind) for name in names) >= least, sorted(names)
    nodes = [text.decode() for name, text in made[SEEDS[0]].items() if name in names and name.endswith("nodes.txt")]
    kinds = {line.split(" ")[0] for text in nodes for line in text.splitlines()}
    assert kinds >= ADAPTERS[system].KINDS - ADAPTERS[system].SELDOM


@pytest.mark.parametrize("seed", SEEDS[1:])
def test_the_hash_seed_changes_nothing(made: dict[str, dict[str, bytes]], seed: str) -> None:
    first, other = made[SEEDS[0]], made[seed]
    assert sorted(other) == sorted(first)
    assert [name for name in first if other[name] != first[name]] == []


def test_the_hash_seeds_are_really_different() -> None:
    """Else the test above would compare a thing with itself."""
    said = set()
    for seed in SEEDS:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        words = [sys.executable, "-c", "print(list({'sg-01', 'sg-02', 'sa-01', 'sa-02', 'sa-03'}))"]
        said.add(subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(said) > 1


# --- the program ---------------------------------------------------------------------------------------------------


def write_reports(stem: Path, match: object) -> None:
    """A table's reports for both players and for anyone."""
    from matches import Match, scenario_of

    from pbem.report import build
    from pbem.report.mail import mail_data, mail_html, mail_text
    from pbem.report.source import pictures, report_data

    assert isinstance(match, Match)
    table, scenario = match.table, scenario_of(match.terms.scenario)
    for reader in ("asuka", "ben", None):
        data, drawn = report_data(table, scenario, reader), pictures(table, scenario)
        files = {
            "report.txt": build.text(data),
            "mail.txt": mail_text(said := mail_data(table, scenario, reader or "asuka")),
            "mail.html": mail_html(said, (), ""),
            "report.html": build.html(data, {picture.title: picture.svg for picture in drawn}),
            "map.svg": "\n".join(picture.svg for picture in drawn),
            "situation.json": json.dumps(data),
        }
        for kind, text in files.items():
            Path(f"{stem}-{reader or 'anyone'}-{kind}").write_text(text, "utf-8")
    Path(f"{stem}-table.json").write_text(json.dumps(table.dump()), "utf-8")


def play_by_mail(stem: Path, system: str) -> None:
    """A game with what entries can hold; bots' orders on the way, and reports at its end."""
    from matches import planned, statements

    from pbem.match.bots import suggest
    from pbem.match.table import BARE
    from systems.whole import wholes

    name, most = ADAPTERS[system].MAILED
    whole = wholes(system)[name]
    match, chance = whole.begun(0), random.Random(5)
    choosers = dict(zip(match.sides, whole.choosers, strict=True))
    while len(match.blocks) < most:
        what, player = match.due()
        if player is None:
            break
        suggested = suggest(match.table, player, "random", random.Random(len(match.blocks)))
        Path(f"{stem}-{len(match.blocks):03}-suggested.txt").write_text(json.dumps(suggested), "utf-8")
        text = ""
        if what not in BARE:
            side = match.sides[player]
            orders = list(planned(match.table, side, choosers[player], chance))
            text = whole.dress(match, what, side, orders, chance) if whole.dress else statements(orders)
        match.play(text)
        if len(match.blocks) % 12 == 0:
            write_reports(Path(f"{stem}-{len(match.blocks):03}"), match)
    write_reports(Path(f"{stem}-end"), match)
    Path(f"{stem}-game.log").write_text(match.log, "ascii")


def noted(adapter: ModuleType, scenario: str, players: str, seed: int, most: int) -> Iterator[str]:
    """Every request, its options in their order, a sample, the form, the standing and default answers, the dump."""
    from pbem.rules.requests import Choose
    from systems.random_play import random_game, words_of

    play = random_game(adapter, scenario, players, seed).play
    for number, game in enumerate(play.nodes()):
        request = game.request
        if isinstance(request, Choose):
            listed = number % 20 == 0 or request.kind in adapter.LISTED
            shown = "; ".join(words_of(game, order) for order in request.options()) if listed else ""
            yield f"{request.kind} {request.prompt}: {shown}"
            yield words_of(game, request.sample(random.Random(number)))
            if listed:
                yield repr(list(game.rules.form(game.state, request)))
            if request.default is not None:
                yield words_of(game, request.default())
            if request.standing is not None:
                answer = request.standing(adapter.STANDING)
                yield "none" if answer is None else words_of(game, answer)
        else:
            yield str(request)
        yield json.dumps(game.dump())
        if number > most:
            break
    yield from map(repr, play.told)


if __name__ == "__main__":
    for system, adapter in ADAPTERS.items():
        folder = Path(sys.argv[1])
        play_by_mail(folder / system, system)
        for scenario, players, seed, most in adapter.ALONE:
            lines = noted(adapter, scenario, players, seed, most)
            (folder / f"{system}-{scenario}-nodes.txt").write_text("\n".join(lines), "utf-8")
