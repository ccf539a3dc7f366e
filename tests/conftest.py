"""What the tests of the core share: the toy system, a game between two players, two homes."""

from __future__ import annotations

import gc
import marshal
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jinja2
import pytest
from hypothesis import settings
from toy.players import Duel, Post

from pbem import resources
from pbem.__main__ import GARBAGE
from pbem.rules import SYSTEMS
from pbem.scenario import Scenario, load_scenario

settings.register_profile("pbem", deadline=None)  # how long an example takes depends on what else the machine does
settings.load_profile("pbem")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """All tests are found without a search for garbage, and later searches, as seldom as those of a command, don't go
    through what was found.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        gc.set_threshold(GARBAGE)


@pytest.fixture(scope="module", autouse=True)
def _kept() -> Iterator[None]:
    """What the tests of a module leave, as boards that are kept, isn't searched for garbage again and again either."""
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> Iterator[None]:
    """A template is compiled once for all homes of the tests, each of which keeps it for itself and reads it again."""
    real, kept = jinja2.Environment.compile, dict[tuple[Any, ...], bytes]()

    def compile_once(self: jinja2.Environment, *source: Any) -> Any:
        key = (type(self).__name__, *source)  # in English what is marked is folded
        if key not in kept:
            kept[key] = marshal.dumps(real(self, *source))
        return marshal.loads(kept[key])  # noqa: S302 our own

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jinja2.Environment, "compile", compile_once)
        yield


@pytest.fixture(autouse=True)
def no_pictures_in_mails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mails of the tests are drawn nothing for, which takes long, whether the extra for PNG is here or not."""
    monkeypatch.setattr("pbem.cli.turns._pictures", lambda *_: ([], 0))


@pytest.fixture
def toy_system(monkeypatch: pytest.MonkeyPatch) -> Scenario:
    """The toy among the systems, its scenarios in place of the real ones; its one scenario. No disk is waited for."""
    real = resources.data_folder
    here = Path(__file__).parent / "toy" / "scenarios"
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.setitem(SYSTEMS, "toy", "toy")
    monkeypatch.setattr(resources, "data_folder", lambda kind: here if kind == "scenarios" else real(kind))
    return load_scenario("duel")


@pytest.fixture
def duel(toy_system: Scenario) -> Callable[..., Duel]:
    """Makes a game: `duel(number, "long", reactions="ask")`."""
    return lambda number=0, length="short", **terms: Duel(toy_system, number, length, **terms)


@pytest.fixture
def until(duel: Callable[..., Duel]) -> Callable[..., Duel]:
    """The first game, of those with other dice, whose beginning comes out as asked."""

    def first(begin: Callable[[Duel], None], fits: Callable[[Duel], bool], **terms: str) -> Duel:
        for number in range(60):
            game = duel(number, **terms)
            begin(game)
            if fits(game):
                return game
        raise AssertionError("no dice fit")

    return first


@pytest.fixture
def post(tmp_path: Path, toy_system: Scenario) -> Post:
    """Two homes without a game."""
    return Post(tmp_path, toy_system)
