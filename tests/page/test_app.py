"""What the page answers: games, views, drafts; what is sent, answered and opened by its own commands."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from http.cookiejar import CookieJar
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cli_player import World, pbem_says
from flask import Flask, request
from matches import Match, scenario_of, write_home
from served import KEY, Page, environment

from pbem.errors import KeyProblem
from pbem.home.folders import Home
from pbem.home.settings import write_settings
from pbem.home.wishes import Wish, forget_wish, keep_wish
from pbem.page import serve
from pbem.page.deeds import OF_TERMINALS
from pbem.page.games import DRAFT_MAX
from pbem.page.run import Commands
from pbem.wire.blocks import read_log_blocks

DOUBTFUL = "fire sa-12 at sg-11\nif is sg-11 disordered then fire sa-12 at sg-11\ndone\n"
"""Ben's unit fires once: the second order often lapses."""


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Ben is to fire."""
    return World(tmp_path, "opened")


@pytest.fixture
def page(world: World) -> Page:
    """His page."""
    return Page(world.home("ben"))


def entries(world: World, name: str) -> int:
    """How many entries a player's log has."""
    return len(read_log_blocks(world.log(name).read_text("ascii")))


# --- pages ------------------------------------------------------------------------------------------------------------


def test_the_link_leads_to_the_game_that_is_meant_and_else_to_the_list(page: Page) -> None:
    for game, place in ((page.id, f"/game/{page.id}"), ("elsewhere", "/games"), ("//evil.example", "/games")):
        wanted = {"token": page.guard.token, "game": game}
        answer = page.stranger().get("/", query_string=wanted, base_url=page.address)
        assert answer.status_code == 200
        assert f'data-key="{KEY}" data-to="{place}"' in answer.get_data(as_text=True)
        assert "HttpOnly" in answer.headers["Set-Cookie"]
        assert "SameSite=Strict" in answer.headers["Set-Cookie"]
    again = page.browser.get("/", base_url=page.address)
    assert (again.status_code, again.headers["Location"], "Set-Cookie" in again.headers) == (303, "/games", False)
    assert KEY not in again.get_data(as_text=True)


def test_the_page_and_its_scripts_are_served_and_no_other_file(page: Page) -> None:
    for path, kind in (("/games", "text/html"), (f"/game/{page.id}", "text/html")):
        answer = page.browser.get(path, base_url=page.address)
        assert (answer.status_code, answer.mimetype) == (200, kind)
        assert "script-src 'self';" in answer.headers["Content-Security-Policy"]
    for path in ("/static/replay.js", "/static/..%2fpyproject.toml", "/static/table.html.j2", "/game/elsewhere"):
        assert page.browser.get(path, base_url=page.address).status_code == 404


def test_report_and_replay_come_each_with_its_own_policy(page: Page) -> None:
    report = page.browser.get(f"/game/{page.id}/report?key={KEY}", base_url=page.address)
    assert "<!DOCTYPE html>" in report.get_data(as_text=True)
    assert report.headers["Content-Security-Policy"].endswith("sandbox")
    replay = page.browser.get(f"/game/{page.id}/replay?key={KEY}", base_url=page.address)
    sealed = replay.headers["Content-Security-Policy"].partition("script-src ")[2].partition(";")[0]
    assert f"script-src {sealed};" in replay.get_data(as_text=True), "the hash that the page itself names"


# --- games and views --------------------------------------------------------------------------------------------------


def test_the_list_tells_whose_move_it_is_and_what_waits(world: World, page: Page) -> None:
    (mine,) = page.ask("/api/games")["games"]
    assert (mine["name"], mine["opponent"], mine["mine"], mine["over"]) == ("toba-fushimi", "asuka", True, False)
    assert mine["due"].startswith("My move: ")
    (hers,) = Page(world.home("asuka")).ask("/api/games")["games"]
    assert (hers["mine"], hers["due"]) == (False, "ben's move.")


def test_an_offer_that_nobody_has_accepted_is_listed_without_a_page(tmp_path: Path) -> None:
    page = Page(World(tmp_path, "offered").home("asuka"))
    (offer,) = page.ask("/api/games")["games"]
    assert (offer["offer"], offer["title"]) == (True, "The Battle of Toba-Fushimi")
    assert "ben@example.net: nobody has accepted it" in offer["due"]
    assert page.post(f"/api/{offer['id']}/view").status_code == 404


def test_a_damaged_game_is_told_and_the_others_are_listed(tmp_path: Path) -> None:
    root = tmp_path / "home"
    write_home(Match(scenario_of("cedar-mountain"), 1), "asuka", root)
    write_home(Match(scenario_of("toba-fushimi"), 2), "asuka", root)
    page = Page(root)
    assert [row["wrong"] for row in page.ask("/api/games")["games"]] == ["", ""]
    log = page.home.find("cedar").log
    log.write_text(log.read_text("ascii").replace("cedar-mountain", "cedar-fountain"), "ascii")
    rows = {row["id"]: row["wrong"] for row in Page(root).ask("/api/games")["games"]}
    assert (rows[log.parent.name] != "", sorted(rows.values())[0]) == (True, "")
    answer = Page(root).post(f"/api/{log.parent.name}/view")
    assert (answer.status_code, "pbem restore" in answer.get_json()["error"]["right"]) == (400, True)


def test_the_view_shows_report_maps_places_and_units(page: Page) -> None:
    view = page.of("view")
    assert (view["game"]["me"], view["game"]["side"], view["seq"]) == ("ben", "satcho", 4)
    assert view["due"]["mine"]
    assert view["asked"]["kind"] == "fire"
    assert "YOUR MOVE" in view["report"]
    (chart,) = view["maps"]
    assert max(chart["picture"]) < len(view["pieces"])
    left, top, wide, high = chart["box"]
    for unit in view["units"]:
        assert (unit["map"] == "") == (unit["at"] is None)
        if unit["at"] is not None:
            spot = view["places"][unit["at"]]
            assert (unit["map"], unit["x"], unit["y"]) == (spot["map"], spot["x"], spot["y"])
            assert left < unit["x"] < left + wide
            assert top < unit["y"] < top + high
            assert unit["id"] in unit["told"]
    assert {unit["mine"] for unit in view["units"] if unit["side"] == "satcho"} == {True}
    assert {unit["mine"] for unit in view["units"] if unit["side"] == "shogunate"} == {False}


def test_a_game_of_another_system_on_a_table_has_places_by_the_inch(tmp_path: Path) -> None:
    write_home(Match(scenario_of("pitched-battle"), 1), "asuka", tmp_path / "home")
    view = Page(tmp_path / "home").of("view")
    table, (chart,) = view["table"], view["maps"]
    assert (table["map"], view["places"]) == (chart["name"], {})
    east, north = (
        table["origin"][0] + table["scale"] * table["width"],
        table["origin"][1] - table["scale"] * table["depth"],
    )
    left, top, wide, high = chart["box"]
    assert left < table["origin"][0] < east < left + wide
    assert top < north < table["origin"][1] < top + high


def test_who_is_not_asked_sees_the_game_all_the_same(world: World) -> None:
    page = Page(world.home("asuka"))
    view = page.of("view")
    assert (view["due"]["mine"], view["due"]["player"], view["draft"]) == (False, "ben", "")
    assert view["maps"]
    refused = page.of("send", head=view["head"], text="done;", yes=False, note="")
    assert (refused["done"], "nothing is due from asuka" in refused["said"][0]) == (False, True)


def test_a_game_that_is_over_is_still_shown(world: World) -> None:
    world.does("ben", "resign", "--yes", "-o", world.path("5.eml"))
    view = Page(world.home("ben")).of("view")
    assert (view["game"]["over"], view["due"]["player"], view["asked"]) == (True, None, None)
    assert view["outcome"]


def test_a_game_in_which_a_command_is_at_work_keeps_the_list_for_a_moment_only(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.page.games.MOMENT", 0.05)
    let_go, holds = threading.Event(), threading.Event()

    def works() -> None:
        with page.games.game(page.id).lock:
            holds.set()
            let_go.wait(20)

    worker = threading.Thread(target=works)
    worker.start()
    holds.wait(20)
    (row,) = page.ask("/api/games")["games"]
    let_go.set()
    worker.join()
    assert (row["name"], row["busy"]) == ("toba-fushimi", True)
    (row,) = page.ask("/api/games")["games"]
    assert (row["busy"], row["due"].startswith("My move")) == (False, True)


def test_a_bot_answers_at_once_and_nothing_is_said_that_only_a_terminal_needs(tmp_path: Path) -> None:
    """The twin: at a terminal the same command says where the page of the report is, and how orders are begun."""
    root = tmp_path / "home"
    for words in (("key", "new"), ("play", "toba-fushimi", "--as", "shogunate", "--no-browser")):
        assert pbem_says("--home", str(root), *words).code == 0
    orders = pbem_says("--home", str(root), "suggest").out
    shutil.copytree(root, tmp_path / "copy")
    (tmp_path / "orders.txt").write_text(orders)
    said = pbem_says("--home", str(tmp_path / "copy"), "send", str(tmp_path / "orders.txt"), "--yes").err
    assert all(f"pbem: {begun}" in said for begun in OF_TERMINALS)
    page = Page(root)
    found = page.of("send", head=page.of("view")["head"], text=orders, yes=True, note="")
    assert (found["done"], found["mail"]) == (True, None)
    assert any("has answered" in line for line in found["said"])
    assert not any(line.startswith(OF_TERMINALS) for line in found["said"])


# --- a draft that can't be shown ------------------------------------------------------------------------------------


def test_a_draft_that_cant_be_read_whole_is_told_and_never_written_over(page: Page) -> None:
    """The twin: one of the largest size that is read is shown whole."""
    draft = page.home.games()[0].draft(page.of("view")["seq"] + 1)
    draft.write_text("# " + "x" * (DRAFT_MAX - 3) + "\n", "ascii")
    head = page.of("view")["head"]
    assert len(page.of("view")["draft"]) == DRAFT_MAX
    whole = "# " + "x" * DRAFT_MAX + "\nsay the end;\n"
    draft.write_text(whole, "ascii")
    answer = page.post(f"/api/{page.id}/view")
    assert (answer.status_code, "more than 2,097,152 bytes" in answer.get_json()["error"]["what"]) == (400, True)
    assert "more than 2,097,152 bytes" in page.of("orders", head=head, text="say hi;")["unsaved"]
    assert draft.read_text("ascii") == whole
    draft.unlink()
    os.mkfifo(draft)
    assert page.post(f"/api/{page.id}/view").status_code == 400
    assert draft.is_fifo()


# --- the draft --------------------------------------------------------------------------------------------------------


def test_the_draft_is_the_file_of_pbem_edit(page: Page) -> None:
    head = page.of("view")["head"]
    kept = page.of("draft", head=head, text="# mine\ndone;\n")
    path = Path(kept["path"])
    assert path == page.home.games()[0].draft(5)
    assert path.read_text("utf-8") == "# mine\ndone;\n"
    again = page.of("view")
    assert (again["draft"], again["mark"]) == ("# mine\ndone;\n", kept["mark"])


def test_what_an_editor_has_written_meanwhile_is_not_written_over(page: Page) -> None:
    head = page.of("view")["head"]
    first = page.of("draft", head=head, text="done;\n")
    Path(first["path"]).write_text("fire sa-12 at sg-11;\n", "utf-8")
    question = {"head": head, "text": "done; # other\n", "mark": first["mark"]}
    answer = page.post(f"/api/{page.id}/draft", question)
    assert (answer.status_code, answer.get_json()["changed"]) == (409, True)
    assert answer.get_json()["draft"] == Path(first["path"]).read_text("utf-8") == "fire sa-12 at sg-11;\n"
    assert page.post(f"/api/{page.id}/draft", {**question, "mark": answer.get_json()["mark"]}).status_code == 200
    assert Path(first["path"]).read_text("utf-8") == "done; # other\n"


# --- by the commands --------------------------------------------------------------------------------------------------


def test_orders_are_signed_and_the_mail_is_ready_to_be_copied(world: World, page: Page) -> None:
    head = page.of("view")["head"]
    sent = page.of("send", head=head, text="done;", yes=False, note="A note, of two words <b>more</b>.")
    assert (sent["done"], sent["doubts"]) == (True, False)
    assert sent["said"][0].startswith("entry 5 is in my log")
    mail = sent["mail"]
    assert (mail["to"], Path(mail["path"]).parent) == ("asuka@example.org", page.home.games()[0].path)
    assert mail["mailto"].startswith("mailto:asuka@example.org?subject=")
    assert "-----BEGIN" in mail["text"]
    assert entries(world, "ben") == 6
    world.does("asuka", "open", "-", "--quiet", stdin=Path(mail["path"]).read_bytes())
    assert "is known already" in world.says("asuka", "open", "-", "--quiet", stdin=mail["text"].encode()).err
    assert "A note, of two words" in (world.log("asuka").parent / "notes.txt").read_text("utf-8")


def test_of_doubtful_orders_nothing_is_signed_before_it_is_said_again(world: World, page: Page) -> None:
    head = page.of("view")["head"]
    asked = page.of("send", head=head, text=DOUBTFUL, yes=False, note="")
    assert (asked["done"], asked["doubts"], asked["mail"], entries(world, "ben")) == (False, True, None, 5)
    assert any("lapses in" in line for line in asked["said"])
    sent = page.of("send", head=head, text=DOUBTFUL, yes=True, note="")
    assert (sent["done"], sent["doubts"], entries(world, "ben")) == (True, False, 6)


def test_wrong_orders_are_not_signed(world: World, page: Page) -> None:
    head = page.of("view")["head"]
    sent = page.of("send", head=head, text="fire sa-12 at sg-99;\n", yes=True, note="")
    assert (sent["done"], sent["doubts"], entries(world, "ben")) == (False, False, 5)
    assert "line 1" in sent["said"][0]


def test_a_bare_begin_goes_without_orders_and_with_none(tmp_path: Path) -> None:
    write_home(Match(scenario_of("skirmish"), 1), "asuka", tmp_path / "home")
    page = Page(tmp_path / "home")
    view = page.of("view")
    assert (view["bare"], view["due"]["what"], view["asked"]) == (True, "begin", None)
    wrong = page.of("send", head=view["head"], text="done;", yes=False, note="")
    assert (wrong["done"], page.of("view")["seq"]) == (False, 1)
    sent = page.of("send", head=view["head"], text="# nothing to order\n", yes=False, note="")
    assert (sent["done"], page.of("view")["seq"]) == (True, 2)


@pytest.mark.parametrize("way", ["file", "", "print"])
def test_the_mail_goes_where_send_is_settled_to_put_it(world: World, page: Page, way: str) -> None:
    write_settings(page.home.root, send=way)
    sent = page.of("send", head=page.of("view")["head"], text="done;", yes=False, note="")
    path = Path(sent["mail"]["path"])
    assert path.is_file()
    assert path.parent == (page.folder if way == "file" else page.home.games()[0].path)


def test_a_proposal_is_answered_and_one_is_made(world: World, page: Page) -> None:
    view = page.of("view")
    made = page.of("propose", head=view["head"], do="draw", entry=None, note="", yes=False)
    assert made["done"], made
    world.does("asuka", "open", "--quiet", made["mail"]["path"])
    hers = Page(world.home("asuka"))
    asked = hers.of("view")
    assert (asked["proposal"]["kind"], asked["proposal"]["mine"], asked["due"]["what"]) == ("draw", False, "reply")
    answer = hers.of("answer", head=asked["head"], do="refuse", note="")
    assert (answer["done"], entries(world, "asuka")) == (True, 7)
    assert hers.post(f"/api/{hers.id}/answer", {"head": hers.of("view")["head"], "do": "accept"}).status_code == 400


def test_nobody_resigns_without_saying_so_twice(world: World, page: Page) -> None:
    head = page.of("view")["head"]
    data = {"head": head, "do": "resign", "entry": None, "note": "", "yes": False}
    assert page.post(f"/api/{page.id}/propose", data).status_code == 400
    assert entries(world, "ben") == 5
    assert page.of("propose", **{**data, "yes": True})["done"]
    assert page.of("view")["game"]["over"]


def test_a_mail_is_opened_and_the_game_that_it_moves_is_named(tmp_path: Path) -> None:
    world = World(tmp_path, "moved")
    page = Page(world.home("ben"))
    before = page.of("view")
    text = Path(world.path("4.eml")).read_text("utf-8")
    opened = page.ask("/api/open", mail=text)
    assert (opened["done"], opened["game"]) == (True, page.id)
    assert opened["said"][0].startswith("entry 4 (orders by asuka) is taken into game toba-fushimi")
    assert page.of("view")["seq"] == before["seq"] + 1, "the table is read again"
    known = page.ask("/api/open", mail=text)
    assert (known["done"], "is known already" in known["said"][0]) == (True, True)
    nothing = page.ask("/api/open", mail="Dear Ben, no turn today.")
    assert (nothing["done"], nothing["game"]) == (False, None)
    assert nothing["said"]


def test_of_an_offer_that_is_opened_all_terms_are_told_and_the_command_that_accepts_it(tmp_path: Path) -> None:
    world = World(tmp_path, "offered")
    opened = Page(world.home("ben")).ask("/api/open", mail=Path(world.path("offer.eml")).read_text("utf-8"))
    assert (opened["done"], opened["game"]) == (True, None)
    assert opened["terms"] == world.does("ben", "open", world.path("offer.eml")).strip()
    assert "asuka offers a game on these terms:" in opened["terms"]
    assert "`pbem accept OFFER.eml --name NAME" in " ".join(opened["said"])


def test_the_slow_check_tells_what_pbem_check_tells(world: World, page: Page) -> None:
    head = page.of("view")["head"]
    found = page.of("check", head=head, text=DOUBTFUL)
    told = json.loads(world.does("ben", "check", "--json", world.write("orders.txt", DOUBTFUL)))
    assert found["doubts"] == told["doubts"] != []


def test_the_mail_of_my_newest_entry_can_be_had_again(world: World, page: Page) -> None:
    sent = page.of("send", head=page.of("view")["head"], text="done;", yes=False, note="")
    again = page.of("again", head=page.of("view")["head"])
    assert again["done"]
    assert again["mail"]["text"] == sent["mail"]["text"]


# --- meanwhile --------------------------------------------------------------------------------------------------------


def test_behind_a_command_of_the_same_player_the_page_is_drawn_anew(world: World, page: Page) -> None:
    head = page.of("view")["head"]
    world.does("ben", "send", world.write("orders.txt", "done;"), "-o", world.path("5.eml"))
    for what, more in (("draft", {}), ("send", {"yes": False, "note": ""}), ("check", {})):
        answer = page.post(f"/api/{page.id}/{what}", {"head": head, "text": "done;", **more})
        assert (answer.status_code, answer.get_json()) == (409, {"moved": True}), what
    assert entries(world, "ben") == 6
    assert page.of("view")["head"] != head


def test_what_is_kept_beside_the_log_is_told_at_once(world: World, page: Page) -> None:
    before = page.of("view")["waits"]
    folder = page.home.games()[0]
    keep_wish(folder, Wish("draw"))
    told = page.of("view")["waits"]
    assert len(told) == len(before) + 1
    forget_wish(folder)
    assert page.of("view")["waits"] == before


def test_it_ends_when_what_is_at_work_is_done(page: Page) -> None:
    page.of("view")
    game = page.games.game(page.id)
    stopping = threading.Thread(target=page.ask, args=("/api/stop",))
    with game.lock:
        stopping.start()
        stopping.join(0.3)
        assert (stopping.is_alive(), page.stopped) == (True, [])
    stopping.join(20)
    assert page.stopped == [True]


def test_from_the_moment_that_its_end_was_asked_for_nothing_is_begun(world: World, page: Page) -> None:
    """Not even in the moment between its answer and its end; what is kept is still written."""
    head = page.of("view")["head"]
    assert page.ask("/api/stop") == {"done": True}
    for what, more in (("send", {"yes": False, "note": ""}), ("again", {}), ("check", {})):
        answer = page.post(f"/api/{page.id}/{what}", {"head": head, "text": "done;", **more})
        assert answer.status_code == 400
        assert answer.get_json()["error"]["what"] == "the page is being closed: nothing is begun any more"
    opened = page.post("/api/open", {"mail": (page.folder / "4.eml").read_text("utf-8")})
    assert (opened.status_code, "being closed" in opened.get_json()["error"]["what"]) == (400, True)
    assert entries(world, "ben") == 5
    assert page.post(f"/api/{page.id}/draft", {"head": head, "text": "done;"}).status_code == 200


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """The address of a server with room for two, at which a body is answered in its length."""
    monkeypatch.setattr(serve, "CONNECTIONS", 2)
    app = Flask("nothing")
    app.post("/", endpoint="length")(lambda: str(len(request.get_data())))
    app.post("/slow", endpoint="slow")(lambda: (request.get_data(), time.sleep(1.5), "slow")[-1])
    at = serve.listening(0)
    server = serve.Server(at, lambda _stop: app)
    running = threading.Thread(target=server.run)
    running.start()
    yield at.getsockname()
    server.stop()
    running.join(20)


def heard(connection: socket.socket) -> str:
    """All that comes on a connection until it is closed."""
    with suppress(ConnectionError):
        return b"".join(iter(lambda: connection.recv(1 << 16), b"")).decode("ascii")
    return ""


def test_connections_on_which_nothing_comes_make_room_and_end(
    narrow: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "PATIENCE", 1.0)
    with ExitStack() as held:
        first, second = (held.enter_context(socket.create_connection(narrow, 10)) for _ in range(2))
        with socket.create_connection(narrow, 10) as served:
            served.sendall(b"GET / HTTP/1.0\r\n\r\n")
            assert heard(served).startswith("HTTP/1.1 405"), "the third is answered"
        assert heard(first) == "", "the oldest made room"
        second.settimeout(0.2)
        with pytest.raises(TimeoutError):
            second.recv(1)
        second.settimeout(10)
        assert heard(second) == "", "what says nothing is closed in its time"


def test_a_request_that_comes_by_drops_ends_in_its_time(
    narrow: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However little comes often enough: the whole head has a while, and a body by its length."""
    monkeypatch.setattr(serve, "HEAD", 0.8)
    for begun in (b"GET / HTTP/1.1\r\n", b"POST / HTTP/1.1\r\nContent-Length: 999\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n"):
        with socket.create_connection(narrow, 10) as drops:
            drops.sendall(begun)
            started = time.monotonic()
            with suppress(ConnectionError):
                while time.monotonic() - started < 10:
                    drops.sendall(b"a: b\r\n")
                    time.sleep(0.1)
            assert time.monotonic() - started < 5, begun
    monkeypatch.setattr(serve, "RATE", 10)
    with socket.create_connection(narrow, 10) as slow:
        slow.sendall(b"POST / HTTP/1.0\r\nContent-Length: 20\r\n\r\n")
        for _ in range(20):
            slow.sendall(b"x")
            time.sleep(0.06)
        assert heard(slow).endswith("\r\n\r\n20"), "longer than the time of its head alone"


def test_half_a_request_keeps_nobody_out_and_a_whole_one_is_answered(narrow: tuple[str, int]) -> None:
    with ExitStack() as held:
        whole = held.enter_context(socket.create_connection(narrow, 10))
        whole.sendall(b"POST /slow HTTP/1.0\r\nContent-Length: 2\r\n\r\nxy")
        time.sleep(0.5)
        for begun in (b"GET / HTTP/1.0\r\na: b\r\n", b"POST / HTTP/1.0\r\nContent-Length: 9\r\n\r\nx") * 3:
            held.enter_context(socket.create_connection(narrow, 10)).sendall(begun)
            time.sleep(0.05)
        with socket.create_connection(narrow, 10) as served:
            served.sendall(b"POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\nxyz")
            assert heard(served).endswith("\r\n\r\n3")
        assert heard(whole).endswith("\r\n\r\nslow")


def test_the_button_ends_it(page: Page) -> None:
    assert (page.ask("/api/stop"), page.stopped) == ({"done": True}, [True])


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_serves_until_it_is_stopped(world: World) -> None:
    command = [sys.executable, "-m", "pbem", "--home", str(world.home("ben")), "table", "toba", "--no-browser"]
    with subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        link = running.stderr.readline().split()[-1]
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        entered = re.search('data-key="(.+?)" data-to="(.+?)"', browser.open(link).read().decode("utf-8"))
        assert entered is not None
        assert entered[2] == f"/game/{Home(world.home('ben')).games()[0].id}"
        base = link.partition("/?")[0]
        asked = partial(
            urllib.request.Request, data=b"{}", headers={"X-Pbem": entered[1], "Content-Type": "application/json"}
        )
        games = browser.open(asked(f"{base}/api/games")).read()
        assert json.loads(games)["games"][0]["name"] == "toba-fushimi"
        browser.open(asked(f"{base}/api/stop"))
        assert running.wait(20) == 0
        assert "token" not in running.stderr.read(), "no request is told, and so no token"


def test_ctrl_c_ends_it_too(world: World) -> None:
    command = [sys.executable, "-m", "pbem", "--home", str(world.home("ben")), "table", "--no-browser"]
    with subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        running.stderr.readline()
        running.stderr.readline()
        time.sleep(0.2)
        running.send_signal(signal.SIGINT)
        assert running.wait(20) == 0
        assert running.stderr.read().endswith("pbem: the page is closed\n")


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C goes to a group of processes")
def test_ctrl_c_waits_for_what_is_just_being_sent(world: World, tmp_path: Path) -> None:
    """As at a terminal, where it goes to all processes of the page."""
    (tmp_path / "beside").mkdir()
    waits = f"import pathlib, sys, time\nif 'send' in sys.argv:\n    pathlib.Path({str(tmp_path / 'runs')!r}).touch()\n"
    (tmp_path / "beside" / "sitecustomize.py").write_text(f"{waits}    time.sleep(3)\n")
    given = environment()
    given["PYTHONPATH"] = f"{tmp_path / 'beside'}{os.pathsep}{given['PYTHONPATH']}"
    command = [sys.executable, "-m", "pbem", "--home", str(world.home("ben")), "table", "toba", "--no-browser"]
    with subprocess.Popen(command, env=given, stderr=subprocess.PIPE, text=True, start_new_session=True) as running:
        assert running.stderr is not None
        link = running.stderr.readline().split()[-1]
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        entered = re.search('data-key="(.+?)" data-to="/game/(.+?)"', browser.open(link).read().decode("utf-8"))
        assert entered is not None
        headers = {"X-Pbem": entered[1], "Content-Type": "application/json"}
        base = f"{link.partition('/?')[0]}/api/{entered[2]}"

        def asked(what: str, **data: Any) -> Any:
            body = json.dumps(data).encode("ascii")
            with browser.open(urllib.request.Request(f"{base}/{what}", body, headers)) as answer:  # noqa: S310 its own
                return json.load(answer)

        answers: list[Any] = []
        head = asked("view")["head"]
        sends = threading.Thread(
            target=lambda: answers.append(asked("send", head=head, text="done;", yes=False, note=""))
        )
        sends.start()
        while not (tmp_path / "runs").exists() and sends.is_alive():
            time.sleep(0.05)
        os.killpg(running.pid, signal.SIGINT)
        sends.join(60)
        assert running.wait(60) == 0
        assert "what is just being done is waited for" in running.stderr.read()
    assert [answer["done"] for answer in answers] == [True]
    assert entries(world, "ben") == 6


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command ends as soon as it serves, at a desktop; the addresses that its browser was started with."""
    found: list[str] = []
    for name in ("WAYLAND_DISPLAY", "SSH_CONNECTION", "NO_BROWSER", "PBEM_PASSPHRASE", "SSH_AUTH_SOCK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("pbem.cli.showing.at_terminal", lambda: True)
    monkeypatch.setattr(webbrowser, "open", lambda address: found.append(address) or True)
    monkeypatch.setattr("werkzeug.serving.BaseWSGIServer.serve_forever", lambda self, poll_interval: None)
    return found


def test_the_browser_is_opened_at_the_game_by_a_link_for_one_use(world: World, started: list[str]) -> None:
    said = world.says("ben", "table", "toba")
    printed = said.err.splitlines()[0].split()[-1]
    (given,) = started
    assert printed.endswith(f"&game={world.log('ben').parent.name}")
    assert given.partition("token=")[0] == printed.partition("token=")[0]
    assert given != printed


@pytest.mark.parametrize("unwanted", ["--no-browser", "NO_BROWSER"])
def test_no_browser_is_opened_for_who_wants_none(
    world: World, started: list[str], monkeypatch: pytest.MonkeyPatch, unwanted: str
) -> None:
    if unwanted == "NO_BROWSER":
        monkeypatch.setenv(unwanted, "1")
    said = world.says("ben", "table", *([unwanted] if unwanted.startswith("--") else []))
    assert (said.code, started, "token=" in said.err) == (0, [], True)


def test_a_passphrase_that_was_typed_goes_to_the_commands(
    world: World, started: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Commands] = []
    answers = ["the words", "not this"]

    def application(_games: Any, _guard: Any, commands: Commands, _stop: Any) -> Flask:
        given.append(commands)
        return Flask("nothing")

    monkeypatch.setattr("pbem.page.app.application", application)
    monkeypatch.setattr("pbem.crypto.keys.load_signer", asking)
    monkeypatch.setattr("click.prompt", lambda *_, **__: answers.pop())
    assert [world.says("ben", "table", "--no-browser", typed="").code for _ in range(2)] == [1, 0]
    assert [commands.environment["PBEM_PASSPHRASE"] for commands in given] == ["the words"]


def asking(path: Path, passphrase: Callable[[str], str]) -> Any:
    """A key that asks for its passphrase."""
    if passphrase(str(path)) != "the words":
        raise KeyProblem("the passphrase is wrong", str(path))
    return SimpleNamespace(hints=[])


def test_without_the_extra_it_is_said_what_to_install(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "flask", None)
    line = world.refused("ben", "table", "--no-browser")
    assert line == "the page needs an extra; pip install 'pbem[page]'"


def test_a_game_that_is_not_there_and_a_taken_port_are_refused(world: World) -> None:
    assert "no game is meant by 'elsewhere'" in world.refused("ben", "table", "elsewhere", "--no-browser")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port} can't be used" in world.refused("ben", "table", "--no-browser", "--port", str(port))
