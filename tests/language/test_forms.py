"""Order forms are told in Japanese as wholes, but for orders, and are read as if nothing stood in them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli_player import World

from language.latin import latin
from language.test_mails import table_at
from pbem.language import shown
from pbem.match.form import form, sealed, untouched
from pbem.match.table import Table
from pbem.scenario import japanese_names
from pbem.wire.orderfile import decoded, parse_statements

pytestmark = pytest.mark.usefixtures("japanese")

FORMS = [
    ("bakumatsu", "satcho-holds", 2),
    ("bakumatsu", "tabaruzaka-draw", 10),
    ("yukimura", "domyoji-east", 7),
    ("samurai", "rallied", 3),
    ("sengoku", "hashiba-waits", 4),
    ("gcacw", "union-marginal", 5),
]
"""A system, a stored game of it, and the first entry behind which orders may be due."""

STAYS = r"\[[a-z_-]+(?:\.\d+)?[a-z]?\]|\b[A-Z]\d{4}\b|\b[0-9a-f]{8}\b"
"""What forms have in Latin letters beside orders and ids: clauses, hexes, the hash."""

ORDERS = r"(?m)^#   (?:if|stop|strict|standing|say|in)\b[^;\n]*;|^# [a-z][^;#]*;|`[^`]*`"
"""Kinds of statements, orders, and what is told of how they are typed."""

TESTS = r"条件：[^。]*。"
"""How conditions are typed."""


def told(table: Table) -> str:
    """The form of who is due, as `pbem form` writes it."""
    names = japanese_names(table.rules.situation(table.game.state)["system"])
    name = table.due().player
    return sealed(form(table, str(name), lambda words: shown(words, names)), lambda words: shown(words, names))


@pytest.mark.parametrize(("system", "name", "entry"), FORMS)
def test_a_form_is_told_in_japanese_but_for_orders(system: str, name: str, entry: int) -> None:
    table = next(table for more in range(9) if (table := table_at(system, name, entry + more)).due().what == "orders")
    text = told(table)
    assert parse_statements(decoded(text.encode("utf-8"))) == ([], [])
    assert untouched(text)
    assert not untouched(text.replace("# ", "", 1))
    words = re.sub(r"\n#   +(?!`)", " ", re.sub(ORDERS, "", re.sub(r",\n#  +", ", ", text)))
    words = re.sub(f"`[^`]*`|{TESTS}", "", words)
    situation = table.rules.situation(table.game.state)
    things = [*situation["units"], *situation["places"]]
    ours = sorted({thing[key] for thing in things for key in ("name", "id") if thing.get(key)}, key=len)[::-1]
    assert [line for line in words.splitlines() if latin(line, STAYS, ours)] == []


def test_a_form_is_written_in_japanese_and_its_orders_are_read(tmp_path: Path) -> None:
    world = World(tmp_path, "begun")
    text = world.does("asuka", "form")
    assert text.startswith("# 鳥羽・伏見の戦い\n")
    first = re.search(r"(?m)^# (setup [^;]*;)", text)
    assert first is not None
    path = world.write("orders.txt", text.replace(first[0], first[1], 1))
    assert json.loads(world.says("asuka", "check", path, "--json").out)["errors"] == []
    world.write("untouched.txt", text)
    world.does("asuka", "form", "-o", world.path("untouched.txt"))
    assert "命令がありません" in world.refused("asuka", "check", world.path("untouched.txt"))
