"""When entries were sent and came, and from when on a deadline counts (protocol 4.4)."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_player import MOMENT, World, steady
from toy.players import Post, mail

from pbem.desk.arrival import take_in
from pbem.desk.letter import read_letter
from pbem.home.folders import Folder, Home
from pbem.home.times import DAY, newest, note, read, since
from pbem.wire.entry import Entry
from pbem.wire.statements import Statement


def entries(*words: str) -> list[Entry]:
    """Entries as `ben orders` or `ben draw refuse`, the offer of anna and accept of ben before them."""
    found = []
    for seq, line in enumerate(("anna offer", "ben accept", *words)):
        by, kind, *rest = line.split()
        body = (Statement("say", ("offer",)), *([Statement(kind, tuple(rest))] if rest else []))
        found.append(Entry(b"", kind, None, seq, None, by, "", None, None, None, body))
    return found


# --- since: the moment from which a deadline counts


def test_it_counts_from_my_newest_entry() -> None:
    log = entries("anna orders", "ben orders", "anna orders")
    times = {0: 0, 1: 10, 2: 20, 3: 30, 4: 40}
    assert newest(log, times, "anna") == (4, 40)
    assert since(log, times, "anna") == 40
    assert newest(log, times, "ben") == (3, 30)
    assert since(log, times, "ben") == 30


@pytest.mark.parametrize("late", ["ben rekey", "ben recover", "ben draw offer", "ben undo offer 2"])
def test_nothing_that_the_late_one_does_without_deciding_sets_the_clock_back(late: str) -> None:
    assert since(entries("anna orders", late), {2: 100, 3: 900}, "anna") == 100


@pytest.mark.parametrize("kind", ["draw", "undo", "substitute"])
def test_a_proposal_that_lay_unanswered_until_it_was_refused_makes_nobody_late(kind: str) -> None:
    refused = entries("anna orders", f"ben {kind} offer", f"anna {kind} refuse")
    assert newest(refused, {2: 100, 3: 150, 4: 900}, "anna") == (2, 100)
    assert since(refused, {2: 100, 3: 150, 4: 900}, "anna") == 100 + (900 - 150)
    again = [*refused, *entries(f"ben {kind} offer", f"anna {kind} refuse")[2:]]
    again = [entry._replace(seq=seq) for seq, entry in enumerate(again)]
    assert since(again, {2: 100, 3: 150, 4: 900, 5: 1000, 6: 1007}, "anna") == 100 + 750 + 7


@pytest.mark.parametrize("mine", ["anna draw accept", "anna draw offer", "anna rekey", "anna accept-rekey"])
def test_every_entry_of_mine_but_a_refuse_sets_it_back(mine: str) -> None:
    assert since(entries("anna orders", "ben draw offer", mine), {2: 100, 3: 150, 4: 900}, "anna") == 900


def test_a_decision_that_ends_nothing_gives_its_author_another_deadline() -> None:
    said = entries("anna orders", "ben orders", "anna reveal")  # what ben still owes he owes from now on
    assert since(said, {2: 100, 3: 900, 4: 950}, "anna") == 950


def test_only_the_time_behind_my_newest_entry_is_left_out() -> None:
    log = entries("anna orders", "ben draw offer", "anna accept-rekey", "anna draw refuse")
    assert since(log, {2: 100, 3: 150, 4: 400, 5: 1000}, "anna") == 400 + 600
    old = entries("ben draw offer", "anna draw refuse", "anna orders")
    assert since(old, {1: 0, 2: 10, 3: 500, 4: 600}, "anna") == 600


def test_a_refuse_of_the_opponent_is_none_of_mine() -> None:
    assert since(entries("anna draw offer", "ben draw refuse"), {2: 100, 3: 900}, "anna") == 100


def test_where_a_time_is_unknown_the_late_one_has_more() -> None:
    log = entries("anna orders", "ben draw offer", "anna draw refuse", "ben rekey")
    assert newest(log, {5: 1000}, "anna") == (2, 1000)
    assert since(log, {5: 1000}, "anna") == 1000
    assert since(log, {2: 100, 5: 1000}, "anna") == 100 + 900  # it may have come at once, and been refused just now
    assert since(log, {2: 100, 4: 300, 5: 1000}, "anna") == 100 + 200
    assert since(log, {2: 100, 3: 250, 5: 1000}, "anna") == 100 + 750


# --- the file


def test_odd_lines_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "times"
    assert read(path) == {}
    path.write_bytes(
        b"\n0 sent 1795258800\n1 came 179525\n2 went 1795258800\n\xff\n3 came 1795258801\n3 sent 1795258802"
    )
    assert read(path) == {0: 1795258800, 3: 1795258802}
    note(path, (4, "came", 1795258803.9), (5, "sent", 1795258804.0))
    assert path.read_bytes().endswith(b"3 sent 1795258802\n4 came 1795258803\n5 sent 1795258804\n")
    assert read(path) == {0: 1795258800, 3: 1795258802, 4: 1795258803, 5: 1795258804}


def test_times_that_can_t_be_read_or_written_are_no_error(tmp_path: Path) -> None:
    (tmp_path / "times").mkdir()
    note(tmp_path / "times", (0, "sent", 1795258800))
    assert read(tmp_path / "times") == {}


def test_both_homes_note_when_entries_were_sent_and_came(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1795258800]
    monkeypatch.setattr(Folder, "grown", lambda folder: now[0] - 9 * (folder.kind == "offers"))
    _, accept = post.begin(0, "short")
    now[0] += 1
    take_in(post.desk("anna"), read_letter(mail(accept)))
    now[0] += 1
    post.exchange("anna", "bet 1;")
    lines = {name: (post.place(name).folder.path / "times").read_text().splitlines() for name in ("anna", "ben")}
    assert lines["anna"] == ["0 sent 1795258792", "1 came 1795258801", "2 sent 1795258802"]
    assert lines["ben"] == ["0 came 1795258800", "1 sent 1795258800", "2 came 1795258802"]


def test_a_restored_log_is_as_old_as_its_file(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    post.begun()
    folder = post.place("anna").folder
    (folder.path / "times").unlink()
    monkeypatch.setattr(Folder, "grown", lambda _: 1795258800.5)
    assert folder.times(2) == {1: 1795258800}
    post.send("anna", "bet 1;")
    assert folder.times(3) == {1: 1795258800, 2: 1795258800}
    assert folder.times(2) == {1: 1795258800}  # times of entries that the log hasn't any more say nothing


# --- the commands


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """asuka's set-up is sent under a deadline of 5 days, ben has opened it; the log is three days old."""
    with pytest.MonkeyPatch.context() as patches:
        steady(patches)
        world = World(tmp_path_factory.mktemp("times"), "new")
        world.does("asuka", "offer", "toba-fushimi", "--side", "shogunate", "--name", "asuka", "--deadline", "5", "-o",
                   world.path("offer.eml"))  # fmt: skip
        world.does("ben", "accept", world.path("offer.eml"), "--name", "ben", "--yes", "-o", world.path("accept.eml"))
        world.does("asuka", "open", "--quiet", world.path("accept.eml"))
        world.bot_sends("asuka", 2)
        world.does("ben", "open", "--quiet", world.path("2.eml"))
        yield world.root


@pytest.fixture
def waiting(begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A copy of it."""
    steady(monkeypatch, first_key=3)
    world = World(tmp_path, "new")
    shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
    return world


def at_time(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    monkeypatch.setattr(time, "time", lambda: seconds)
    monkeypatch.setattr(Folder, "grown", lambda _: seconds)


def claim(world: World) -> str:
    return world.refused("asuka", "claim", "-o", world.path("claim.eml"))


def body(world: World) -> list[str]:
    """The body of the newest entry of asuka's log."""
    return [str(statement) for statement in Home(world.home("asuka")).games()[0].entries()[-1].body]


SENT = MOMENT - 3 * DAY
"""When asuka sent her set-up."""


def test_a_claim_is_made_when_the_time_is_up_and_not_a_second_before(
    waiting: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_time(monkeypatch, SENT + 5 * DAY - 1)
    assert "the deadline of 5 days has not passed; ben's time is up on 2026-11-23 11:00 UTC" in claim(waiting)
    at_time(monkeypatch, SENT + 5 * DAY)
    waiting.does("asuka", "claim", "-o", waiting.path("claim.eml"))
    assert body(waiting) == ["sent 2 2026-11-18T11:00:00Z;"]


@pytest.mark.parametrize("late", ["draw", "rekey"])
def test_a_proposal_or_new_key_of_the_late_one_gains_him_nothing(
    waiting: World, monkeypatch: pytest.MonkeyPatch, late: str
) -> None:
    at_time(monkeypatch, SENT + 4 * DAY)
    waiting.does("new", "key", "new")
    more = [str(waiting.home("new") / "key")] if late == "rekey" else []
    waiting.does("ben", late, *more, "-o", waiting.path("3.eml"))
    waiting.does("asuka", "open", "--quiet", waiting.path("3.eml"))
    up = SENT + 5 * DAY
    if late == "draw":
        at_time(monkeypatch, SENT + 9 * DAY)
        assert "due" in claim(waiting)
        waiting.does("asuka", "draw", "--refuse", "-o", waiting.path("4.eml"))
        up += 5 * DAY
    at_time(monkeypatch, up - 1)
    assert "ben's time is up on" in claim(waiting)
    at_time(monkeypatch, up)
    waiting.does("asuka", "claim", "-o", waiting.path("claim.eml"))
    assert body(waiting) == ["sent 2 2026-11-18T11:00:00Z;"]


def test_in_a_restored_home_all_was_sent_when_it_was_restored(waiting: World, monkeypatch: pytest.MonkeyPatch) -> None:
    at_time(monkeypatch, SENT + 4 * DAY)
    shutil.copy(waiting.log("ben"), waiting.path("game.log"))
    waiting.does("again", "restore", waiting.path("game.log"), "--key", str(waiting.home("asuka") / "key"))
    shutil.copy(waiting.home("asuka") / "key", waiting.home("again") / "key")
    monkeypatch.setattr(time, "time", lambda: SENT + 9 * DAY - 1)
    line = waiting.refused("again", "claim", "-o", waiting.path("claim.eml"))
    assert "ben's time is up on 2026-11-27 11:00 UTC" in line
    monkeypatch.setattr(time, "time", lambda: SENT + 9 * DAY)
    waiting.does("again", "claim", "-o", waiting.path("claim.eml"))


def test_a_backup_keeps_the_times(waiting: World, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting.does("asuka", "backup", waiting.path("asuka.zip"))
    at_time(monkeypatch, SENT + 5 * DAY)
    waiting.does("again", "restore", waiting.path("asuka.zip"))
    waiting.does("again", "claim", "-o", waiting.path("claim.eml"))


def test_games_says_when_the_opponents_time_is_up(waiting: World, monkeypatch: pytest.MonkeyPatch) -> None:
    since_when = "ben's move since 2026-11-18 11:00 UTC"
    told = waiting.does("asuka", "games").split()
    assert f"{since_when} (3 days); ben's time is up on 2026-11-23 11:00 UTC" in " ".join(told)
    assert "my move since 2026-11-18 11:00 UTC (3 days); 5 days are allowed" in waiting.does("ben", "games")
    monkeypatch.setattr(time, "time", lambda: SENT + 6 * DAY)
    told = waiting.does("asuka", "games").split()
    assert f"{since_when} (6 days); ben's time was up on 2026-11-23 11:00 UTC" in " ".join(told)
    assert '"time_up": "2026-11-23T11:00:00Z"' in waiting.does("asuka", "games", "--json")
    assert '"time_up": null' in waiting.does("ben", "games", "--json")


BEYOND = 253402300800.0
"""The first second of the year 10000."""


def test_a_clock_beyond_the_calendar_is_told_and_loses_nothing(waiting: World, monkeypatch: pytest.MonkeyPatch) -> None:
    orders = waiting.write("orders.txt", waiting.does("ben", "suggest", "--bot", "random"))
    mail = waiting.path("3.eml")
    for seconds, words in ((BEYOND, (orders, "--yes")), (1e18, ("--again",))):
        with monkeypatch.context() as wrong:
            wrong.setattr(time, "time", lambda now=seconds: now)
            said = waiting.says("ben", "send", *words, "-o", mail)
        assert said.code == 1
        assert said.err.splitlines()[-1] == (
            "pbem: the clock of this machine: it is beyond the year 9999, and no mail can be dated by it: set it "
            "right; entry 3 is in my log; `pbem send --again -o FILE` writes its mail"
        )
        assert not Path(mail).exists()
    waiting.does("ben", "send", "--again", "-o", mail)
    waiting.does("asuka", "open", "--quiet", mail)


def test_an_offer_that_can_t_be_dated_is_none(waiting: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: BEYOND)
    said = waiting.refused("asuka", "offer", "toba-fushimi", "--side", "shogunate", "--name", "asuka", "-o",
                           waiting.path("another.eml"))  # fmt: skip
    assert said.startswith("the clock of this machine: it is beyond the year 9999")
    assert len(Home(waiting.home("asuka")).offers()) == 0


def test_games_tells_a_game_whose_log_was_written_by_such_a_clock(
    waiting: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_time(monkeypatch, BEYOND)
    (waiting.log("asuka").parent / "times").unlink()
    assert "ben's move since 9999-12-31 23:59 UTC (today)" in " ".join(waiting.does("asuka", "games").split())
    assert '"since": "9999-12-31T23:59:59Z"' in waiting.does("asuka", "games", "--json")
