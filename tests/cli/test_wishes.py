"""What is asked for when nothing is due from me: kept, sent with my next mail, or withdrawn before."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_player import World

from pbem.home.folders import Home
from pbem.home.wishes import Wish, keep_wish, wish_of


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Asuka has sent entry 4, which ben has opened: he is due, not she."""
    return World(tmp_path, "opened")


ALONE = (
    "it goes alone: orders, or an answer as about a retreat, that are asked of me then wait until ben has answered it"
)


def kept(world: World, name: str) -> Wish | None:
    return wish_of(Home(world.home(name)).find(None))


def goes_on(world: World) -> str:
    """Ben sends entry 5, asuka opens it; what she is told."""
    world.bot_sends("ben", 5)
    return world.says("asuka", "open", "--quiet", world.path("5.eml")).err


def test_a_draw_waits_for_my_next_mail_and_goes_with_its_reveal(world: World) -> None:
    said = world.says("asuka", "draw", "--note", world.write("n", "Enough?"), "-o", world.path("no.eml"))
    assert said.err == (
        "pbem: ben has to send orders first; my proposal of a draw is kept, and goes with my next mail\n"
        f"pbem: hint: {ALONE}\n"
        "pbem: hint: `pbem draw --withdraw` takes it back\n"
    )
    assert (said.code, Path(world.path("no.eml")).exists()) == (0, False)
    assert world.newest("asuka").seq == 4
    assert "before any orders: my proposal of a draw" in " ".join(world.does("asuka", "games").split())
    told = goes_on(world)
    assert "`pbem send -o turn.eml` sends my proposal of a draw first; `pbem draw --withdraw` takes it back" in told
    world.does("asuka", "send", "-o", world.path("6.eml"))
    entry = world.newest("asuka")
    assert (entry.kind, entry.seq, entry.reveal is not None, str(entry.body[0])) == ("draw", 6, True, "draw offer;")
    assert kept(world, "asuka") is None
    said = world.says("ben", "open", "--no-browser", world.path("6.eml"))
    assert "NOTE, NOT SIGNED\n\n  asuka wrote beside entry 6:\n\n  | Enough?" in said.out
    assert "an answer is asked of me: asuka proposes a draw." in said.err


def test_orders_wait_for_the_answer_to_what_goes_first(world: World) -> None:
    said = world.says("asuka", "undo", "4")
    assert said.err.endswith(
        "hint: should the mail of entry 4 be lost, `pbem send --again -o turn.eml` writes it once more\n"
    )
    goes_on(world)
    orders = world.write("mine.txt", "done;")
    checked = world.says("asuka", "check", orders).err
    assert "sends them" not in checked
    assert "`pbem send -o turn.eml` sends my proposal to take back entry 4 and all behind it first; " in checked
    said = world.says("asuka", "send", orders, "-o", world.path("6.eml"))
    assert said.code == 0
    first = "my proposal to take back entry 4 and all behind it goes first"
    assert f"{first}; the orders in {orders} aren't signed: send them behind the answer" in said.err
    assert str(world.newest("asuka").body[0]) == "undo offer 4;"


@pytest.mark.parametrize(
    ("wish", "first"),
    [
        (Wish("draw"), "sends my proposal of a draw before any orders, which I send when asuka has answered it; "),
        (Wish("resign"), "sends my resignation, and no orders; "),
    ],
)
def test_check_says_what_goes_before_the_orders(world: World, wish: Wish, first: str) -> None:
    orders = world.write("mine.txt", "done;")
    assert "accepted: 1 statement; `pbem send" in world.says("ben", "check", orders).err
    keep_wish(Home(world.home("ben")).find(None), wish)
    checked = world.says("ben", "check", orders).err
    back = f"`pbem {wish.kind} --withdraw` takes it back"
    assert checked.endswith(f"pbem: accepted: 1 statement\npbem: hint: `pbem send -o turn.eml` {first}{back}\n")


def test_a_resignation_is_kept_too(world: World) -> None:
    said = world.says("asuka", "resign", "--yes")
    assert "my resignation is kept, and goes with my next mail" in said.err
    goes_on(world)
    said = world.says("asuka", "send", "-o", world.path("6.eml"))
    assert "Satsuma-Choshu has won: asuka has resigned" in said.err
    assert world.newest("asuka").kind == "resign"


def test_who_resigns_is_asked(world: World) -> None:
    for name, words in (("asuka", []), ("ben", ["-o", world.path("5.eml")])):  # nothing is due from her, orders of him
        other = "ben" if name == "asuka" else "asuka"
        line = world.refused(name, "resign", *words)
        asked = f"whether I give up game toba-fushimi against {other}"
        assert line == f"nobody can be asked here {asked}; --yes gives it up unasked"
        said = world.says(name, "resign", *words, typed="n\n")
        assert f"pbem: give up game toba-fushimi against {other}? He has won then [y/N]: " in said.err
        assert said.err.endswith("pbem: nothing is signed, and nothing kept\n")
        assert (said.code, kept(world, name), world.newest(name).seq) == (1, None, 4)
        assert world.says(name, "resign", *words, typed="y\n").code == 0
    assert (kept(world, "asuka"), world.newest("ben").kind) == (Wish("resign"), "resign")


def test_orders_send_no_resignation_that_is_kept_unasked(world: World) -> None:
    world.does("asuka", "resign", "--yes")
    goes_on(world)
    orders = world.write("mine.txt", "done;")
    ways = "`pbem send -o turn.eml` alone sends it, `pbem resign --withdraw` takes it back"
    instead = "my resignation is kept, and would go in place of the orders in mine.txt"
    for yes in ([], ["--yes"]):
        assert world.refused("asuka", "send", orders, *yes, "-o", world.path("6.eml")) == f"{instead}; {ways}"
    said = world.says("asuka", "send", orders, "-o", world.path("6.eml"), typed="n\n")
    assert "mine.txt: give up game toba-fushimi against ben? [y/N]: " in said.err
    assert said.err.endswith(f"pbem: nothing is signed; {ways}\n")
    assert (world.newest("asuka").seq, kept(world, "asuka")) == (5, Wish("resign"))
    said = world.says("asuka", "send", orders, "-o", world.path("6.eml"), typed="y\n")
    assert "my resignation is signed in game toba-fushimi against ben; the orders in " in said.err
    assert world.newest("asuka").kind == "resign"


def test_what_gives_something_up_names_game_and_opponent(world: World) -> None:
    which = "in game toba-fushimi against "
    said = world.says("ben", "draw", "-o", world.path("5.eml"))
    assert f"my proposal of a draw is signed {which}asuka\n" in said.err
    world.does("asuka", "open", "--quiet", world.path("5.eml"))
    assert f"I accept the draw {which}ben\n" in world.says("asuka", "draw", "--accept").err


def test_what_can_not_be_carried_out_any_more_is_dropped_and_said_once(world: World) -> None:
    world.does("asuka", "undo", "4")
    world.does("ben", "undo", "4", "-o", world.path("5.eml"))
    world.does("asuka", "open", "--quiet", world.path("5.eml"))
    said = world.says("asuka", "undo", "--accept", "-o", world.path("6.eml"))
    gone = "my proposal to take back entry 4 and all behind it is kept no more: entry 4 can't be taken back any more"
    assert gone in said.err
    assert "sends my proposal" not in said.err
    assert kept(world, "asuka") is None
    assert "kept" not in world.says("asuka", "open", "--quiet", world.path("5.eml")).err
    keep_wish(Home(world.home("asuka")).find(None), Wish("undo", 4))  # as after a kill
    assert "kept for" not in world.does("asuka", "games")
    world.bot_sends("asuka", 7)
    assert world.newest("asuka").kind == "orders"
    assert kept(world, "asuka") is None


def test_a_game_that_is_over_keeps_nothing(world: World) -> None:
    world.does("asuka", "draw")
    world.does("ben", "resign", "--yes", "-o", world.path("5.eml"))
    said = world.says("asuka", "open", "--quiet", world.path("5.eml"))
    assert "my proposal of a draw is kept no more: the game is over" in said.err
    assert kept(world, "asuka") is None


@pytest.mark.parametrize("words", [["draw"], ["undo", "4"], ["resign", "--yes"]])
def test_what_is_kept_is_withdrawn(world: World, words: list[str]) -> None:
    world.does("asuka", *words)
    assert kept(world, "asuka") is not None
    other = "draw" if words[0] == "resign" else "resign"
    assert world.refused("asuka", other, "--withdraw").endswith(f"no {other} of mine waits to be sent")
    assert "is withdrawn; nobody has seen it" in world.says("asuka", words[0], "--withdraw").err
    assert kept(world, "asuka") is None
    goes_on(world)
    world.bot_sends("asuka", 6)
    assert world.newest("asuka").kind in ("orders", "reveal")


def test_a_proposal_that_is_signed_stays(world: World) -> None:
    world.does("ben", "draw", "-o", world.path("5.eml"))  # he is due: it is signed at once
    assert world.newest("ben").kind == "draw"
    line = world.refused("ben", "draw", "--withdraw")
    assert line.startswith(
        "the draw is proposed already, with entry 5, and what is signed stays; asuka may refuse it: "
    )
    assert line.endswith("`pbem send --again --note FILE -o turn.eml` can ask for that")
    assert world.refused("ben", "draw").startswith("my proposal of a draw is made already")
    said = world.says("ben", "resign", "--yes")  # something else may wait beside it
    assert "asuka has to accept or refuse a proposal first; my resignation is kept" in said.err


def test_who_has_to_answer_asks_for_what_comes_behind(world: World) -> None:
    world.does("ben", "draw", "-o", world.path("5.eml"))
    world.does("asuka", "open", "--quiet", world.path("5.eml"))
    said = world.says("asuka", "resign", "--yes")
    assert (
        "I have to accept or refuse a proposal first; my resignation is kept, and goes with the mail after" in said.err
    )
    assert world.refused("asuka", "send").startswith("I have to accept or refuse a proposal")
    assert kept(world, "asuka") == Wish("resign")


def test_a_newer_wish_takes_the_place_of_the_older(world: World) -> None:
    world.does("asuka", "draw")
    said = world.says("asuka", "resign", "--yes")
    assert "my resignation is kept, in place of my proposal of a draw, and goes with my next mail" in said.err
    assert kept(world, "asuka") == Wish("resign")


def test_what_is_signed_at_once_leaves_another_wish(world: World) -> None:
    world.does("asuka", "resign", "--yes")
    goes_on(world)
    world.does("asuka", "draw", "-o", world.path("6.eml"))
    assert world.newest("asuka").kind == "draw"
    assert kept(world, "asuka") == Wish("resign")


def test_what_was_refused_can_follow_my_next_orders(world: World) -> None:
    world.does("ben", "draw", "-o", world.path("5.eml"))
    world.does("asuka", "open", "--quiet", world.path("5.eml"))
    world.does("asuka", "draw", "--refuse", "-o", world.path("6.eml"))
    world.does("ben", "open", "--quiet", world.path("6.eml"))
    folder = Home(world.home("ben")).find(None)
    keep_wish(folder, Wish("draw"))  # which asuka has refused already
    line = world.refused("ben", "send")
    assert line.startswith("I have to send orders, not only a reveal"), "the wish waits behind them"
    said = world.says("ben", "draw")
    assert said.err.startswith(
        "pbem: asuka has refused the last one, and my proposal of a draw can follow my next orders or answer\n"
        "pbem: I have to send orders first; my proposal of a draw is kept, and goes with the mail after those\n"
    )
    world.bot_sends("ben", 7)
    assert world.newest("ben").kind == "orders"
    assert kept(world, "ben") == Wish("draw")
    world.does("asuka", "open", "--quiet", world.path("7.eml"))
    world.bot_sends("asuka", 8)
    world.does("ben", "open", "--quiet", world.path("8.eml"))
    world.does("ben", "send", "-o", world.path("9.eml"))
    assert world.newest("ben").kind == "draw"


def test_what_never_can_be_is_refused_at_once(world: World) -> None:
    assert world.refused("asuka", "undo", "9") == "entry 9 can't be taken back; decisions that can be: 2, 3, 4"
    world.does("ben", "resign", "--yes", "-o", world.path("5.eml"))
    world.does("asuka", "open", "--quiet", world.path("5.eml"))
    assert world.refused("asuka", "draw") == "nothing is due from asuka; the game is over"
    assert world.refused("ben", "resign", "--withdraw").endswith("no resign of mine waits to be sent; the game is over")


@pytest.mark.parametrize(
    "stored",
    ["", "{", "[]", "7", '{"kind": "claim", "target": 0, "note": ""}', '{"kind": "undo", "target": 0, "note": ""}'],
)
def test_what_is_no_wish_is_none(world: World, stored: str) -> None:
    folder = Home(world.home("asuka")).find(None)
    (folder.path / "wish.json").write_text(stored)
    assert wish_of(folder) is None
    goes_on(world)
    world.bot_sends("asuka", 6)
    assert world.newest("asuka").kind in ("orders", "reveal")


def test_no_backup_holds_what_is_asked_for_now(world: World) -> None:
    world.does("asuka", "resign", "--yes")
    world.does("asuka", "backup", world.path("b.zip"))
    said = world.says("asuka", "--home", world.path("new"), "restore", world.path("b.zip"))
    assert said.code == 0, said.err
    assert "not restored" not in said.err
    assert wish_of(Home(Path(world.path("new"))).find(None)) is None


def test_an_offer_that_nobody_has_accepted_is_withdrawn(tmp_path: Path) -> None:
    world = World(tmp_path, "accepted")  # ben has, but asuka hasn't opened it
    (offer,) = (path.name for path in (world.home("asuka") / "offers").iterdir())
    line = world.refused("asuka", "games", "--withdraw", "xyz")
    assert (
        line == f"--withdraw: 'xyz' is the beginning of none of my offers that nobody has accepted; there are: {offer}"
    )
    said = world.says("asuka", "games", "--withdraw", offer[:5])
    assert (said.code, said.out) == (0, "")
    assert f"offer {offer} is withdrawn; an accept of it begins no game here" in said.err
    assert "it accepts an offer that isn't mine, is taken, or was withdrawn" in world.refused(
        "asuka", "open", world.path("accept.eml")
    )
    assert world.refused("asuka", "games", "--withdraw", "").endswith("; there is none")


def test_the_editor_is_not_opened_while_something_else_goes_first(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "no-such-editor")
    world.does("asuka", "draw")
    goes_on(world)
    said = world.says("asuka", "edit", typed="")
    assert (said.code, world.newest("asuka").seq) == (1, 5)
    assert said.err == (
        "pbem: toba-fushimi: orders can't be sent now; `pbem send -o turn.eml` sends my proposal of a draw first; "
        "`pbem draw --withdraw` takes it back\n"
    )


def test_of_a_second_proposal_the_first_is_named(world: World) -> None:
    world.does("ben", "undo", "4", "-o", world.path("5.eml"))
    assert "decisions that can be: " in world.refused("ben", "undo", "99")
    for entry in ("3", "4"):
        assert world.refused("ben", "undo", entry).startswith(
            "my proposal to take back entry 4 and all behind it is made already"
        )
