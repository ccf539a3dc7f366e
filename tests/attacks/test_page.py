"""The page against other pages of the same browser, other programs, and what an opponent has written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from cli_player import World, pbem_says, steady
from matches import Match, scenario_of, write_home
from served import KEY, ONCE, SECRET, TOKEN, Page, environment
from werkzeug.test import TestResponse

from pbem.page.app import application
from pbem.page.asked import BODY_MAX, TEXT_MAX
from pbem.page.run import Commands
from pbem.scenario import file_of
from pbem.wire.blocks import newest_block, read_log_blocks
from pbem.wire.statements import Statement
from pbem.wire.turn import Turn

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>"
"""What would run where it was taken for a part of a page."""


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Ben is to fire."""
    return World(tmp_path, "opened")


@pytest.fixture
def page(world: World) -> Page:
    """His page."""
    return Page(world.home("ben"))


def entries(world: World, name: str = "ben") -> int:
    """How many entries a player's log has."""
    return len(read_log_blocks(world.log(name).read_text("ascii")))


def newest(log: Path) -> tuple[Statement, ...]:
    """What the newest entry of a log says."""
    return Turn.of(newest_block(log.read_text("ascii"))).entry.body


# --- other pages of the same browser ----------------------------------------------------------------------------------


def test_a_name_that_was_bound_anew_to_this_machine_is_not_served(page: Page) -> None:
    """A page of evil.example, whose name now means 127.0.0.1, is of one origin with what it asks."""
    headers = {"X-Pbem": "page", "Origin": "http://evil.example:8000"}
    for host in ("evil.example:8000", "evil.example"):
        for browser in (page.browser, page.stranger()):
            browser.set_cookie(page.guard.cookie, SECRET, domain="evil.example")
            base = f"http://{host}"
            assert browser.get("/", query_string={"token": TOKEN}, base_url=base).status_code == 403
            assert browser.get(f"/game/{page.id}", base_url=base).status_code == 403
            assert browser.post("/api/games", json={}, headers=headers, base_url=base).status_code == 403
    assert page.browser.get(f"/game/{page.id}", base_url=page.address).status_code == 200
    assert page.post("/api/games").status_code == 200


def test_another_page_can_ask_nothing_though_the_browser_sends_the_cookie(world: World, page: Page) -> None:
    head = page.of("view")["head"]
    order = {"head": head, "text": "done;", "yes": True, "note": ""}
    path, body = f"/api/{page.id}/send", json.dumps(order)

    def posted(kind: str, **headers: str) -> int:
        answer = page.browser.post(path, data=body, content_type=kind, headers=headers, base_url=page.address)
        return answer.status_code

    mine, elsewhere = {"X-Pbem": "page"}, {"Origin": "http://evil.example"}
    assert posted("application/json", **elsewhere) == 403, "no header of the page"
    assert posted("application/json", **mine, **elsewhere) == 403, "the header, but another origin"
    assert posted("application/json") == 403
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        assert posted(kind, **elsewhere) == 403, "what a form may send"
        assert posted(kind, **mine) == 403
    asked_first = {**elsewhere, "Access-Control-Request-Headers": "x-pbem"}
    before = page.browser.options(path, headers=asked_first, base_url=page.address)
    assert (before.status_code, [*filter(lambda name: "Access-Control" in name, before.headers.keys())]) == (403, [])
    assert page.browser.get(path, base_url=page.address).status_code in (404, 405)
    assert entries(world) == 5
    assert posted("application/json", **mine) == 200
    assert entries(world) == 6


def test_no_page_of_another_site_can_hold_it_in_a_frame_or_read_it(page: Page) -> None:
    answer = page.browser.get(f"/game/{page.id}", base_url=page.address)
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    embedded = page.browser.get(
        f"/game/{page.id}/report?key={KEY}", headers={"Sec-Fetch-Site": "cross-site"}, base_url=page.address
    )
    assert embedded.status_code == 403
    own = page.browser.get(
        f"/game/{page.id}/report?key={KEY}", headers={"Sec-Fetch-Site": "same-origin"}, base_url=page.address
    )
    assert own.status_code == 200


# --- strangers on this machine ----------------------------------------------------------------------------------------


def test_without_the_link_nobody_gets_in(page: Page) -> None:
    stranger = page.stranger()
    sent = {"X-Pbem": "page", "Origin": page.address}
    for path in ("/", "/?token=", f"/?token={SECRET}", f"/?token={TOKEN}x", "/games", f"/game/{page.id}",
                 f"/game/{page.id}/report", "/static/table.js"):  # fmt: skip
        assert stranger.get(path, base_url=page.address).status_code == 403
    for path in ("/api/games", f"/api/{page.id}/view", "/api/stop", "/api/open"):
        assert stranger.post(path, json={}, headers=sent, base_url=page.address).status_code == 403
    assert page.stopped == []
    assert stranger.get(f"/?token={TOKEN}", base_url=page.address).status_code == 200
    assert stranger.post("/api/games", json={}, headers=sent, base_url=page.address).status_code == 200


def test_a_link_that_others_may_have_read_where_the_browser_was_started_opens_once(page: Page) -> None:
    def opened() -> int:
        return page.stranger().get("/", query_string={"token": ONCE}, base_url=page.address).status_code

    assert [opened(), opened(), opened()] == [200, 403, 403]
    assert page.stranger().get("/", query_string={"token": TOKEN}, base_url=page.address).status_code == 200
    nothing = Page(page.home.root)
    nothing.guard = nothing.guard._replace(once="")
    assert not nothing.guard.opens_once("")


def test_what_another_server_of_this_machine_gave_opens_nothing(page: Page) -> None:
    """A browser sends cookies to each port of a host: one of another page has another name, and another secret."""
    sent = {"X-Pbem": "page", "Origin": page.address}
    for name, value in ((f"pbem-{page.guard.port + 1}", SECRET), (page.guard.cookie, "secret-of-another"),
                        (page.guard.cookie, TOKEN), ("pbem", SECRET)):  # fmt: skip
        stranger = page.stranger()
        stranger.set_cookie(name, value, domain="127.0.0.1")
        assert stranger.post("/api/games", json={}, headers=sent, base_url=page.address).status_code == 403
        stranger.set_cookie(page.guard.cookie, SECRET, domain="127.0.0.1")
        assert stranger.post("/api/games", json={}, headers=sent, base_url=page.address).status_code == 200


def test_the_cookie_that_another_port_was_sent_reads_and_signs_nothing(page: Page) -> None:
    """A browser sends the page's cookie to every port of this machine: who listens at another has it, and no more."""
    thief = page.stranger()
    thief.set_cookie(page.guard.cookie, SECRET, domain="127.0.0.1")
    head = page.of("view")["head"]
    order = {"head": head, "text": "done;", "yes": True, "note": ""}
    for key in ("", TOKEN, SECRET, "Page"):
        sent = {"X-Pbem": key, "Origin": page.address}
        for path, data in (("/api/games", {}), (f"/api/{page.id}/view", {}), (f"/api/{page.id}/send", order)):
            assert thief.post(path, json=data, headers=sent, base_url=page.address).status_code == 403
        for kind in ("report", "replay"):
            assert thief.get(f"/game/{page.id}/{kind}?key={key}", base_url=page.address).status_code == 403
    for path in ("/", "/games", f"/game/{page.id}", "/static/table.js", "/static/table-enter.js"):
        assert f'"{KEY}"' not in thief.get(path, base_url=page.address).get_data(as_text=True)
    assert page.of("view")["head"] == head
    assert thief.get(f"/game/{page.id}/report?key={KEY}", base_url=page.address).status_code == 200, "the page's own"


# --- what an opponent has written -------------------------------------------------------------------------------------


def test_a_script_in_a_note_is_text_and_no_part_of_the_page(world: World, page: Page) -> None:
    note = world.write("note.txt", SCRIPT)
    world.does("ben", "send", world.write("orders.txt", "done;"), "--note", note, "-o", world.path("5.eml"))
    world.does("asuka", "open", "--quiet", world.path("5.eml"))
    hers = Page(world.home("asuka"))
    assert SCRIPT in " ".join(hers.of("view")["report"].split()), "as text of JSON, which is shown as text"
    for path, kind in (
        (f"/api/{hers.id}/view", "application/json"),
        (f"/game/{hers.id}/report?key={KEY}", "text/html"),
    ):
        answer = hers.post(path) if path.startswith("/api") else hers.browser.get(path, base_url=hers.address)
        assert (answer.mimetype, answer.headers["X-Content-Type-Options"]) == (kind, "nosniff")
        assert kind == "application/json" or "<script>alert" not in answer.get_data(as_text=True)
    own = hers.browser.get(f"/game/{hers.id}", base_url=hers.address).get_data(as_text=True)
    assert "alert(1)" not in own, "the page itself holds nothing of a game"


def test_a_script_in_a_scenario_s_titles_and_names_stays_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steady(monkeypatch)
    root = tmp_path / "home"
    own = root / "scenarios" / "bakumatsu"
    own.mkdir(parents=True)
    text = file_of("toba-fushimi").read_text("utf-8")
    for named in ("The Battle of Toba-Fushimi", "Former Shogunate", "Denshutai, 1st Battalion"):
        assert named in text
        text = text.replace(named, SCRIPT)
    (own / "evil.yaml").write_text(text.replace("scenario: toba-fushimi", "scenario: evil"), "utf-8")
    for words in (("key", "new"), ("play", "evil", "--against", "random", "--no-browser")):
        said = pbem_says("--home", str(root), *words)
        assert said.code == 0, said.err
    page = Page(root)
    view = page.of("view")
    assert view["game"]["title"] == view["game"]["side_title"] == SCRIPT, "as text of JSON"
    parts = [
        *view["pieces"],
        page.browser.get(f"/game/{page.id}/report?key={KEY}", base_url=page.address).get_data(as_text=True),
    ]
    assert any("&lt;script&gt;" in part for part in parts)
    for part in parts:
        assert "<script" not in part
        assert "<img src=x" not in part


def test_a_player_s_name_that_is_no_name_never_comes_into_a_game(page: Page) -> None:
    mail = (page.folder / "4.eml").read_text("utf-8").replace("by asuka", f"by {SCRIPT}")
    opened = page.ask("/api/open", mail=mail)
    assert (opened["done"], opened["game"]) == (False, None)
    assert page.of("view")["game"]["opponent"] == "asuka"


# --- much, and deep ---------------------------------------------------------------------------------------------------


def test_a_mail_of_two_megabytes_is_read_and_one_of_three_is_not(world: World, page: Page) -> None:
    turn = Path(world.path("4.eml")).read_text("utf-8")
    filled = turn + "\n" + "lorem ipsum dolor sit amet\n" * ((TEXT_MAX - len(turn.encode()) - 1) // 27)
    assert TEXT_MAX - 27 < len(filled.encode()) <= TEXT_MAX
    opened = page.ask("/api/open", mail=filled)
    assert opened["done"], opened["said"]
    assert "is known already" in opened["said"][0]
    too_long = page.post("/api/open", {"mail": filled + "x" * 100})
    assert too_long.status_code == 413
    assert "bytes" in too_long.get_json()["error"]["what"]
    huge = page.post("/api/open", {"mail": turn + "x" * (3 << 20)})
    assert (huge.status_code, f"{BODY_MAX:,} bytes at most" in huge.get_json()["error"]["what"]) == (413, True)
    assert page.ask("/api/games")["games"][0]["mine"]


def test_huge_orders_are_refused_and_many_are_judged(world: World, page: Page) -> None:
    head = page.of("view")["head"]
    huge = {"head": head, "text": "done;\n" * (TEXT_MAX // 6 + 1), "yes": False, "note": ""}
    for what in ("draft", "send", "check"):
        assert page.post(f"/api/{page.id}/{what}", huge).status_code == 413, what
    assert not page.home.games()[0].draft(5).exists()
    many = page.of("send", head=head, text="fire sa-12 at sg-99;\n" * 20_000, yes=False, note="")
    assert (many["done"], len(many["said"]) <= 200, entries(world)) == (False, True, 5)


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"7", b"null", b'"head"', b"{", b'{"head": "\\ud800"', b"\xff\xfe", b"[" * 100_000,
     b'{"head":' * 50_000 + b"1" + b"}" * 50_000, b'{"head": NaN}'],
)  # fmt: skip
def test_what_is_no_question_is_refused_in_words(page: Page, body: bytes) -> None:
    for what in ("draft", "send"):
        answer = page.browser.post(
            f"/api/{page.id}/{what}", data=body, content_type="application/json", headers={"X-Pbem": "page"},
            base_url=page.address,
        )  # fmt: skip
        assert answer.status_code == 400
        assert "Traceback" not in answer.get_data(as_text=True)
        assert answer.get_json()["error"]["what"].endswith(".")


@pytest.mark.parametrize(
    "changed",
    [{"head": None}, {"head": 7}, {"head": "x" * 65}, {"text": None}, {"text": ["done"]}, {"text": "\ud800"},
     {"yes": "no"}, {"yes": 1}, {"note": 7}, {"note": "x" * 70_000}, {"mark": {}}],
)  # fmt: skip
def test_a_field_of_another_kind_is_refused_by_its_name(world: World, page: Page, changed: dict[str, Any]) -> None:
    question = {"head": page.of("view")["head"], "text": "done;", "yes": False, "note": ""} | changed
    answer = page.post(f"/api/{page.id}/send", question)
    assert answer.status_code in (400, 413)
    assert answer.get_json()["error"]["where"] in changed
    assert entries(world) == 5


@pytest.mark.parametrize(
    "id", ["..", "%2e%2e", "..%2f..%2fkey", "0000000000000000", "%00", "games", "C:%5c", "'; rm", "--help", "-"]
)
def test_an_id_is_compared_and_never_made_a_path_or_a_word_of_a_command(page: Page, id: str) -> None:
    assert page.post(f"/api/{id}/view").status_code == 404
    assert page.browser.get(f"/game/{id}", base_url=page.address).status_code == 404
    assert page.browser.get(f"/game/{id}/report?key={KEY}", base_url=page.address).status_code == 404
    assert page.post(f"/api/{page.id}/view").status_code == 200


@pytest.mark.parametrize("word", ["--help", "send", "accept; rm -rf /", "", "withdraw --yes"])
def test_no_word_of_a_question_becomes_another_command(world: World, page: Page, word: str) -> None:
    head = page.of("view")["head"]
    for what in ("answer", "propose", "withdraw"):
        answer = page.post(f"/api/{page.id}/{what}", {"head": head, "do": word, "yes": True})
        assert answer.status_code == 400
    assert entries(world) == 5


# --- two at once ------------------------------------------------------------------------------------------------------


def at_once(*deeds: Any) -> list[TestResponse]:
    """What is done at the same moment, and what came of each."""
    found: dict[int, TestResponse] = {}
    threads = [
        threading.Thread(target=lambda place=place, deed=deed: found.update({place: deed()}))
        for place, deed in enumerate(deeds)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [found[place] for place in range(len(deeds))]


def sends(page: Page, head: str, text: str) -> Any:
    """A tab that sends; it has a browser window of its own, with the same cookie."""
    tab = page.stranger()
    tab.set_cookie(page.guard.cookie, SECRET, domain="127.0.0.1")
    question = {"head": head, "text": text, "yes": True, "note": ""}
    return lambda: tab.post(f"/api/{page.id}/send", json=question, headers={"X-Pbem": "page"}, base_url=page.address)


def test_of_two_tabs_that_send_at_once_one_signs_and_the_other_is_told(world: World, page: Page) -> None:
    head = page.of("view")["head"]
    answers = at_once(*(sends(page, head, text) for text in ("done;", "fire sa-12 at sg-11;\ndone;")))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    (done,) = [answer.get_json() for answer in answers if answer.status_code == 200]
    assert done["done"], done
    assert entries(world) == 6


def test_two_servers_of_one_home_sign_one_entry_too(world: World, page: Page) -> None:
    """Each is fresh, so neither knows that the other sends: it is the command that finds another entry there."""
    other = Page(world.home("ben"), 8001)
    head = page.of("view")["head"]
    assert other.of("view")["head"] == head
    answers = at_once(sends(page, head, "done;"), sends(other, head, "fire sa-12 at sg-11;\ndone;"))
    done = [answer.get_json().get("done") for answer in answers]
    assert done.count(True) == 1
    assert entries(world) == 6


def test_what_the_command_line_has_sent_meanwhile_is_found_by_the_command_itself(world: World, page: Page) -> None:
    """Even where the page has looked before: `--head` is compared under the lock of the home folder."""
    head = page.of("view")["head"]
    orders = world.write("orders.txt", "done;")
    said = world.says("ben", "--head", "0" * 64, "send", orders, "-o", world.path("5.eml"))
    assert (said.code, "the game has gone on meanwhile; nothing is signed" in said.err) == (1, True)
    assert entries(world) == 5
    world.does("ben", "--head", head, "send", orders, "-o", world.path("5.eml"))
    assert entries(world) == 6
    answer = page.post(f"/api/{page.id}/send", {"head": head, "text": "done;", "yes": True, "note": ""})
    assert (answer.status_code, answer.get_json()) == (409, {"moved": True})
    assert entries(world) == 6


def test_a_second_tab_does_not_write_over_what_the_first_has_typed(tmp_path: Path) -> None:
    write_home(Match(scenario_of("cedar-mountain"), 1), "asuka", tmp_path / "home")
    page = Page(tmp_path / "home")
    view = page.of("view")
    first = page.of("draft", head=view["head"], text="# of the first\n", mark=view["mark"])
    late = {"head": view["head"], "text": "# of the second\n", "mark": view["mark"]}
    answer = page.post(f"/api/{page.id}/draft", late)
    assert (answer.status_code, answer.get_json()["draft"]) == (409, "# of the first\n")
    assert Path(first["path"]).read_text("utf-8") == "# of the first\n"
    assert page.post(f"/api/{page.id}/draft", {**late, "mark": first["mark"]}).status_code == 200


def test_of_two_tabs_that_write_at_once_one_is_kept_and_the_other_is_told(tmp_path: Path) -> None:
    """Two servers of one home: neither knows that the other writes."""
    write_home(Match(scenario_of("cedar-mountain"), 1), "asuka", tmp_path / "home")
    pages = [Page(tmp_path / "home", port) for port in (8000, 8001)]
    view = pages[0].of("view")
    mark, path = view["mark"], ""
    for number in range(20):
        texts = [f"# {number} of {one}\n" for one in range(2)]

        def writes(one: int, texts: list[str] = texts, mark: str = mark) -> Any:
            question = {"head": view["head"], "text": texts[one], "mark": mark}
            return lambda: pages[one].post(f"/api/{pages[one].id}/draft", question)

        answers = at_once(writes(0), writes(1))
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        kept = next(one for one, answer in enumerate(answers) if answer.status_code == 200)
        mark, path = answers[kept].get_json()["mark"], answers[kept].get_json()["path"]
        assert answers[1 - kept].get_json()["draft"] == Path(path).read_text("utf-8") == texts[kept]


@pytest.mark.parametrize("after", [0.1, 0.3, 0.6, 1.2])
def test_what_is_signed_is_whole_though_the_server_is_killed_meanwhile(world: World, after: float) -> None:
    """The list is longer than what a pipe holds, so that part of it was lost with who wrote into one."""
    said = "fire sa-12 at sg-11;\n" + f"# {'x' * 90}\n" * 1000 + "done;\n"
    asks = (
        "import sys; from pathlib import Path; from pbem.page.run import Commands; import os;"
        "Commands(Path(sys.argv[1]), None, Path('.'), os.environ).run(['send', '-', '--yes', '-o', sys.argv[2]],"
        " sys.stdin.read())"
    )
    words = [sys.executable, "-c", asks, str(world.home("ben")), world.path("5.eml")]
    server = subprocess.Popen(words, stdin=subprocess.PIPE, cwd=world.home("ben").parent, env=environment())
    assert server.stdin is not None
    server.stdin.write(said.encode("ascii"))
    server.stdin.close()
    time.sleep(after)
    server.kill()
    server.wait()
    for _ in range(100):  # the command goes on alone, if it has begun
        if entries(world) == 6:
            assert [said.keyword for said in newest(world.log("ben"))] == ["fire", "done"]
            return
        time.sleep(0.05)
    assert entries(world) == 5
    world.does("ben", "verify")


KILLED = """
import os, signal, sys
def at(event, args):
    if event in ("open", "os.rename") and any("mail-5" in os.path.basename(str(one)) for one in args[:2]):
        os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(at)
"""
"""A command with this beside it is killed as soon as it has to do with the mail of entry 5."""


def test_of_a_send_that_was_killed_behind_its_signature_the_entry_is_told_and_no_file_that_is_not_there(
    world: World, page: Page, tmp_path: Path
) -> None:
    beside = tmp_path / "beside"
    beside.mkdir()
    (beside / "sitecustomize.py").write_text(KILLED)
    given = environment()
    given["PYTHONPATH"] = f"{beside}{os.pathsep}{given['PYTHONPATH']}"
    page.app = application(page.games, page.guard, Commands(page.home.root, None, page.folder, given), lambda: None)
    page.browser = page.stranger()
    page.browser.get("/", query_string={"token": TOKEN}, base_url=page.address)
    sent = page.of("send", head=page.of("view")["head"], text="done;", yes=False, note="")
    assert (sent["done"], entries(world)) == (False, 6)
    assert sent["said"][0].startswith("entry 5 is signed, but its mail wasn't written")
    assert (sent["mail"]["path"], "-----BEGIN" in sent["mail"]["text"]) == ("", True)
    fresh = Page(world.home("ben"))
    again = fresh.of("again", head=fresh.of("view")["head"])
    assert again["done"]
    assert Path(again["mail"]["path"]).is_file()


def test_an_error_of_the_program_tells_the_page_nothing_of_it(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_self: object) -> None:
        raise RuntimeError("a secret place")

    monkeypatch.setattr("pbem.page.games.Game.shown", fails)
    answer = page.post(f"/api/{page.id}/view")
    assert answer.status_code == 500
    assert "secret place" not in answer.get_data(as_text=True)
    monkeypatch.undo()
    assert page.post(f"/api/{page.id}/view").status_code == 200
