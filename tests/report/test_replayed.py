"""A game to be watched again, of every system: its moments are those of its log read by another way, and so are its
pictures."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from matches import Match, scenario_of, signer, write_home
from systems.whole import log_of

from pbem.cli import run
from pbem.match.compose import sign_agreement
from pbem.match.moments import Moments
from pbem.match.replay import replay
from pbem.match.table import Table
from pbem.report import replayed
from pbem.report.luck import luck_of_game
from pbem.wire.statements import Statement

Json = dict[str, Any]

GAMES = {
    "bakumatsu": "satcho-holds",
    "gcacw": "confederate-marginal",
    "samurai": "red-resigned",
    "sengoku": "echizen-left",
    "yukimura": "connected-west",
}
"""One game of each system."""

LONGEST = 1 << 20
"""Bytes that the page of a game of 60 entries may have."""

EACH = pytest.mark.parametrize("system", GAMES)


def watched(log: str, until: int | None = None) -> tuple[Table, Json]:
    """A log replayed, to an entry, and the data of its replay."""
    moments = Moments()
    table = replay(log, scenario_of, until=until, look=moments).table
    assert table is not None
    return table, replayed.data(table, moments, scenario_of(table.genesis.terms.scenario))


@cache
def of(system: str) -> tuple[Table, Json]:
    """The whole game of a system, watched."""
    return watched(log_of(system, GAMES[system]))


def on_it(data: Json, moment: int) -> dict[str, set[str]]:
    """Map -> the units whose counters or bases are in its picture of a moment, as their titles name them."""
    found = {}
    for map in data["maps"]:
        drawn = "".join(data["pieces"][number] for number in map["pictures"][moment])
        found[map["name"]] = {title for title in re.findall(r"<title>([a-z0-9-]+):", drawn) if title != "more"}
    return found


@EACH
def test_each_moment_is_as_it_was_when_the_log_was_no_longer(system: str) -> None:
    """Words, score, luck and units on maps: those of the log read to an entry and no further, but for what its last
    decision led to, whose dice may still have been unknown."""
    data = of(system)[1]
    last = [moment["entry"] for moment in data["moments"]]
    for entry in sorted({*last})[1 :: max(1, len({*last}) // 3)]:
        other = watched(log_of(system, GAMES[system]), entry)[1]
        newest = other["moments"][-1]["entry"]
        known = sum(moment["entry"] < newest for moment in other["moments"])
        assert other["moments"][:known] == data["moments"][:known]
        for moment in range(0, known, 7):
            assert on_it(other, moment) == on_it(data, moment)
    assert any(on_it(data, len(last) // 2).values())


@EACH
def test_the_last_picture_shows_who_is_there(system: str) -> None:
    table, data = of(system)
    situation, maps = table.rules.situation(table.game.state), table.rules.maps(table.board)
    led = {unit for force in situation.get("forces", ()) for unit in force["units"][1:]}
    there = {unit["id"] for unit in situation["units"] if unit["at"]} - led
    shown = set[str]().union(*on_it(data, -1).values())
    hidden = {unit["id"] for unit in situation["units"] if unit["id"] in there - shown}
    assert shown <= there | led
    assert not hidden or any(f"+{n}" in "".join(data["pieces"]) for n in range(2, 20)), hidden
    assert {map["name"] for map in data["maps"]} == ({*maps} or {"table"})


@EACH
def test_each_moment_says_what_came_in_the_order_of_the_log(system: str) -> None:
    table, data = of(system)
    moments: list[Json] = data["moments"]
    assert moments[0]["told"] == ""
    assert all(moment["told"] for moment in moments[1:])
    keys = [(moment["entry"], moment["number"]) for moment in moments]
    assert keys == sorted(set(keys))
    assert [moment["turn"] for moment in moments] == sorted(moment["turn"] for moment in moments)
    assert moments[-1]["luck"] == {
        one["side"]: one["better"]
        for one in luck_of_game(table.course.luck, table.rules.situation(table.game.state)["sides"], table.rules.GOOD)
    }
    fights = [step["fight"] for step in table.steps if step.get("fight")]
    pieces = data["pieces"]
    drawn = [number for map in data["maps"] for picture in map["pictures"] for number in picture]
    assert {*drawn} == {*range(len(pieces))}
    assert all(len(map["pictures"]) == len(moments) for map in data["maps"])
    marks = [piece for piece in pieces if re.search(r"<title>[^<]*(fired at|attacked|gave battle to|assaulted)", piece)]
    if fights:
        assert len(marks) >= len({(step["facts"]["at"], step["what"]) for step in table.steps if step.get("fight")})


@EACH
def test_the_page_holds_all_and_is_small(system: str) -> None:
    table, data = of(system)
    page = replayed.html(data)
    assert len(page.encode()) < LONGEST * min(1, max(60, table.seq) / 60)
    assert not re.search(r"<(link|iframe|object)\b|\b(src|href)=\"(?!#|data:)|https?://(?!www\.w3\.org)", page)
    (script,) = re.findall(r"<script>(.*)</script>", page, re.DOTALL)
    sealed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{sealed}'" in page
    (packed,) = re.findall(r'<script type="text/plain" id="film">([A-Za-z0-9+/=]+)</script>', page)
    film = json.loads(zlib.decompress(base64.b64decode(packed)))
    assert film["moments"] == data["moments"]
    assert film["pieces"] == data["pieces"]
    assert not any("<script" in piece or "onload" in piece for piece in film["pieces"])


def test_a_campaign_of_more_than_sixty_entries_is_under_a_megabyte() -> None:
    table, data = watched(log_of("gcacw", "manassas-confederate-marginal"), 60)
    assert table.seq == 60
    assert len(replayed.html(data).encode()) < LONGEST


def test_what_an_undo_takes_back_is_no_moment() -> None:
    match = Match(scenario_of("yao"), 5)
    for _ in range(3):
        match.play("done;")
    before = watched(match.log)[1]
    match.play("done;")
    whole = watched(match.log)[1]
    name, back = match.due()[1], match.table.decisions[-1]
    assert name is not None
    other = match.table.genesis.other(name).name
    for who, words in ((name, ("offer", str(back))), (other, ("accept",))):
        found = replay(match.log, scenario_of).table
        assert found is not None
        statement = Statement("undo", words)
        signed = sign_agreement(found, who, signer(who), match.secrets[who], "undo", [statement])
        match.blocks.append(signed.block)
    undone = watched(match.log)[1]
    assert len(whole["moments"]) > len(before["moments"])
    assert undone["moments"][: len(before["moments"]) - 1] == before["moments"][:-1]
    assert on_it(undone, len(before["moments"]) - 1) == on_it(before, -1)


@EACH
def test_a_game_that_has_only_begun_can_be_watched(system: str) -> None:
    table, data = watched(log_of(system, GAMES[system]), 1)
    assert (table.seq, data["moments"][0]["told"]) == (1, "")
    assert len(data["moments"]) < len(of(system)[1]["moments"])


def test_the_command_writes_a_page_from_my_game_and_from_a_log(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    match = Match(scenario_of("cedar-mountain"), 1)
    for _ in range(4):
        match.play("done;")
    home, page = tmp_path / "home", tmp_path / "game.html"
    write_home(match, "asuka", home)

    def says(*words: str) -> tuple[int, str, str]:
        code = run(["--home", str(home), "replay", *words])
        said = capfd.readouterr()
        return code, said.out, said.err

    assert says("-o", str(page)) == (0, "", "")
    assert "<title>Cedar Mountain: the game to be watched</title>" in page.read_text("utf-8")
    (log,) = (home / "games").glob("*/game.log")
    code, out, _ = says(str(log), "--json")
    assert (code, json.loads(out)["entry"]["seq"]) == (0, match.table.seq)
    code, out, _ = says("--entry", "3", "--json")
    assert (code, json.loads(out)["entry"]["seq"]) == (0, 3)
    for of in ([], [str(log)]):
        for number in ("99", "0"):
            code, out, err = says(*of, "--entry", number)
            assert (code, out, f"there is no situation after entry {number}" in err) == (1, "", True)
    other = tmp_path / "bad.log"
    other.write_text(log.read_text("ascii").replace("done", "dine", 1), "ascii")
    code, _, err = says(str(other))
    assert (code, "bad.log" in err) == (1, True)
    assert says("nobody")[0] == 1
