"""Orders laid ready for a phase to come: kept for me alone, sent when it comes, and never for another one."""

from __future__ import annotations

import json
import random
import stat
import zipfile
from pathlib import Path

import pytest
from cli_player import World
from matches import Match, scenario_of
from systems.samurai import idle

from pbem.errors import Refused
from pbem.home.folders import Home
from pbem.home.laid import Laid, Moment, keep_laid, laid_in, laid_now, moment_meant, moment_now
from pbem.match.later import never

SHOGUNATE_MELEE = "turn 1, Former Shogunate Melee Phase"
DUE = "orders are laid for this, "


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Asuka has sent entry 4, which ben has opened: he is to fire, and her melee phase is next."""
    world = World(tmp_path, "opened")
    world.write("done.txt", "# nobody attacks\ndone")
    return world


def laid(world: World, name: str) -> list[Laid]:
    return laid_in(Home(world.home(name)).find(None))


def goes_on(world: World, orders: str = "done") -> str:
    """Ben sends entry 5, asuka opens it; what she is told."""
    world.does("ben", "send", world.write("ben.txt", orders), "--yes", "-o", world.path("5.eml"))
    return world.says("asuka", "open", "--quiet", world.path("5.eml")).err


def test_laid_orders_wait_for_their_phase_and_are_sent_as_they_stand(world: World) -> None:
    said = world.says("asuka", "lay", world.path("done.txt"))
    assert f"are laid for {SHOGUNATE_MELEE}\n" in said.err
    file = world.log("asuka").with_name("laid.json")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert world.does("asuka", "lay") == f"# laid for {SHOGUNATE_MELEE}\n# nobody attacks\ndone\n\n"
    assert f"orders are laid for {SHOGUNATE_MELEE}\n" in world.does("asuka", "games")
    told = goes_on(world)
    assert f"{DUE}{SHOGUNATE_MELEE}" in told
    assert "`pbem send -o turn.eml` sends them, `pbem lay` shows them" in told
    said = world.says("asuka", "send", "-o", world.path("6.eml"))
    assert f"pbem: checking the orders laid for {SHOGUNATE_MELEE}\n" in said.err
    assert [str(statement) for statement in world.newest("asuka").body] == ["done;"]
    assert (laid(world, "asuka"), file.exists()) == ([], False)
    assert b"laid" not in Path(world.path("6.eml")).read_bytes()


def test_before_their_phase_they_are_not_sent(world: World) -> None:
    world.does("ben", "lay", world.path("done.txt"), "--for", "melee")
    line = world.refused("ben", "send", "-o", world.path("5.eml"))
    assert line.startswith("I have to send orders, not only a reveal")
    told = world.says("ben", "open", "--quiet", world.path("4.eml")).err
    assert DUE not in told


def test_orders_whose_phase_is_over_are_said_to_be_so_and_stay(world: World) -> None:
    world.does("ben", "lay", world.path("done.txt"), "--for", "fire")
    world.does("asuka", "lay", world.path("done.txt"), "--for", "melee")
    folder = Home(world.home("ben")).find(None)
    goes_on(world)  # the order file that ben has named goes, and stands in place of what was laid
    assert laid(world, "ben") == []
    keep_laid(folder, Laid(Moment(1, "satcho-fire"), "done", 4))  # as after a kill before it was taken away
    world.does("asuka", "send", "-o", world.path("6.eml"))
    told = world.says("ben", "open", "--quiet", world.path("6.eml")).err
    over = "orders are laid for turn 1, Satsuma-Choshu Fire Phase; that is over, they are never sent"
    assert f"pbem: {over}: `pbem lay --off` takes them away\n" in told
    assert over in " ".join(world.does("ben", "games").split())
    assert "Fire Phase, which is over: these are never sent\ndone" in world.does("ben", "lay")
    assert world.refused("ben", "send", "-o", world.path("7.eml")).startswith("I have to send orders")
    assert json.loads(world.does("ben", "games", "--json"))["games"][0]["laid"] == [
        {"for": "turn 1, Satsuma-Choshu Fire Phase", "over": True, "against": ""}
    ]
    assert "are taken away" in world.says("ben", "lay", "--off").err
    assert world.refused("ben", "lay", "--off") == "no orders are laid; `pbem lay` shows them"


def test_where_i_am_asked_again_in_the_phase_older_orders_are_not_sent(world: World) -> None:
    world.does("asuka", "lay", world.path("done.txt"), "--for", "melee")
    one = laid(world, "asuka")[0]
    goes_on(world)
    folder = Home(world.home("asuka")).find(None)
    table = folder.table(folder.text())
    assert laid_now(folder, table, "asuka") == one
    table.course.note("order", side="shogunate", words=["melee"], seq=6)  # an order of mine in it, and I am asked again
    assert laid_now(folder, table, "asuka") is None
    assert (one.over(table), one.behind_others(table, "asuka")) == (False, True), "the phase is open"
    assert not one._replace(behind=6).behind_others(table, "asuka"), "laid since"


def test_of_a_phase_that_is_open_it_is_not_said_that_it_is_over(tmp_path: Path) -> None:
    world = World(tmp_path, "set-up")
    suggested = world.does("asuka", "suggest", "--bot", "random", "--seed", "4").splitlines()
    move = next(line for line in suggested if line.startswith("move"))
    world.does("asuka", "send", world.write("o.txt", move), "--yes", "-o", world.path("4.eml"))
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    world.does("ben", "send", "-o", world.path("5.eml"))
    older, newer = (Laid(Moment(1, "shogunate-move"), "done", behind) for behind in (3, 4))
    keep_laid(Home(world.home("asuka")).find(None), older)
    told = world.says("asuka", "open", "--quiet", world.path("5.eml")).err
    behind = "others of mine have been carried out in it since, so these aren't sent: `pbem lay FILE` lays orders anew"
    assert f"orders are laid for turn 1, Former Shogunate Recovery/Movement Phase; {behind}\n" in told
    assert behind in " ".join(world.does("asuka", "games").split())
    assert json.loads(world.does("asuka", "games", "--json"))["games"][0]["laid"][0]["over"] is False
    assert "in which others of mine have been carried out since: these are never sent" in world.does("asuka", "lay")
    keep_laid(Home(world.home("asuka")).find(None), newer)
    told = world.says("asuka", "open", "--quiet", world.path("5.eml")).err
    assert (behind in told, DUE in told) == (False, True)


def test_orders_that_lapse_for_sure_are_not_signed(world: World) -> None:
    world.does("asuka", "lay", world.write("m.txt", "melee sg-01 at sa-01\ndone"))
    told = goes_on(world)
    against = "they can't be sent as they stand: line 1: `melee sg-01 at sa-01`"
    assert f"{against}: " in told
    assert "hint: `pbem edit` begins others, `pbem lay` shows them" in told
    assert f"orders are laid for {SHOGUNATE_MELEE}; {against}: " in " ".join(world.does("asuka", "games").split())
    said = world.says("asuka", "lay", world.path("m.txt"))
    assert (said.code, "m.txt, line 1: `melee sg-01 at sa-01`" in said.err) == (1, True), "what is due is judged now"
    assert len(laid(world, "asuka")) == 1, "those before stay laid"
    log = world.log("asuka").read_bytes()
    said = world.says("asuka", "send", "-o", world.path("6.eml"))
    assert (said.code, world.log("asuka").read_bytes()) == (1, log)
    assert "laid orders, line 1: `melee sg-01 at sa-01`" in said.err
    assert "pbem: checking the orders laid for" in said.err.splitlines()[0], "not that they are taken"
    assert "nothing is signed, and they stay laid; `pbem lay` shows them, `pbem send FILE` sends others" in said.err
    assert len(laid(world, "asuka")) == 1, "they stay"
    said = world.says("asuka", "send", world.path("done.txt"), "-o", world.path("6.eml"))
    assert "what was laid for this is laid no more" in said.err


def test_of_doubtful_ones_i_am_asked(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.does("asuka", "lay", world.path("done.txt"))
    assert "as they stand" not in goes_on(world)
    monkeypatch.setattr("pbem.match.check.Checked.doubts", property(lambda _: ["line 2: `done` is doubtful", "so"]))
    will = "`pbem send` will ask before it sends them: line 2: `done` is doubtful (and 1 more)"
    assert will in world.says("asuka", "open", "--quiet", world.path("5.eml")).err
    assert json.loads(world.does("asuka", "games", "--json"))["games"][0]["laid"][0]["against"] == will
    line = world.says("asuka", "send", "-o", world.path("6.eml")).err
    assert "line 2: `done` is doubtful" in line
    assert "nobody can be asked here whether these orders shall be sent; --yes sends them as they are" in line
    said = world.says("asuka", "send", "-o", world.path("6.eml"), typed="n\n")
    assert (said.code, world.newest("asuka").seq, len(laid(world, "asuka"))) == (1, 5, 1)
    said = world.says("asuka", "send", "-o", world.path("6.eml"), typed="y\n")
    assert (said.code, world.newest("asuka").seq, laid(world, "asuka")) == (0, 6, [])


def test_the_phase_is_the_next_of_mine_or_the_one_that_is_named(world: World) -> None:
    def lays(name: str, *words: str) -> str:
        world.does(name, "lay", world.path("done.txt"), *words)
        return str(max(laid(world, name), key=lambda one: one.moment.turn).moment)

    assert lays("ben") == str(Moment(1, "satcho-fire"))
    assert lays("ben", "--for", "satcho-melee") == str(Moment(1, "satcho-fire"))
    assert [one.moment.phase for one in laid(world, "ben")] == ["satcho-fire", "satcho-melee"]
    assert lays("asuka", "--for", "move") == str(Moment(2, "shogunate-move"))
    assert world.refused("ben", "lay", world.path("done.txt"), "--for", "mele") == (
        "--for: no phase of mine is called 'mele'; did you mean melee?"
    )
    assert "no phase of mine is called" in world.refused(
        "ben", "lay", world.path("done.txt"), "--for", "shogunate-fire"
    )


def test_what_can_t_be_read_is_not_laid(world: World) -> None:
    said = world.says("ben", "lay", world.write("bad.txt", "done\nattak 3\nfire"))
    assert (said.code, laid(world, "ben")) == (1, [])
    assert "bad.txt, line 1" in said.err or "bad.txt, line 2" in said.err
    assert "it holds no orders" in world.refused("ben", "lay", world.write("form.txt", world.does("ben", "form")))


@pytest.mark.parametrize("stored", ["", "{", "{}", "7", "[[]]", '[{"turn": 1, "phase": "x", "text": "done"}]'])
def test_what_is_nothing_laid_is_none(world: World, stored: str) -> None:
    folder = Home(world.home("ben")).find(None)
    (folder.path / "laid.json").write_text(stored)
    assert laid_in(folder) == []
    assert world.says("ben", "games").code == 0


def test_a_backup_holds_them_and_a_restore_keeps_them_private(world: World) -> None:
    world.does("ben", "lay", world.path("done.txt"))
    world.does("ben", "backup", world.path("b.zip"))
    world.does("ben", "--home", world.path("new"), "restore", world.path("b.zip"))
    folder = Home(Path(world.path("new"))).find(None)
    assert [one.moment for one in laid_in(folder)] == [Moment(1, "satcho-fire")]
    assert stat.S_IMODE((folder.path / "laid.json").stat().st_mode) == 0o600


def test_a_backup_that_may_be_given_away_holds_none(world: World) -> None:
    said = world.says("ben", "backup", world.path("a.zip"), "--without-key")
    assert "without a key\n" in said.err
    world.does("ben", "lay", world.path("done.txt"))
    said = world.says("ben", "backup", world.path("b.zip"), "--without-key")
    assert "without a key, and without the laid orders\n" in said.err
    with zipfile.ZipFile(world.path("b.zip")) as packed:
        assert not [name for name in packed.namelist() if name.endswith("laid.json")]


@pytest.mark.parametrize(
    ("phase", "text", "why"),
    [
        ("melee", "move foo to bar", "line 1: no unit is called `foo`"),
        ("melee", "done\nmove 4 to 0622", "line 2: `move 4 to 0622` stands behind"),
        (
            "melee",
            "move 4 to 0622",
            "line 1: `move 4 to 0622`: `move` isn't an order of this phase: write melee or done",
        ),
        ("fire", "melee 4 at sg-01", "`melee` isn't an order of this phase: write fire or"),
        ("move", "fire 4 at sg-01", "line 1: `fire 4 at sg-01`: `fire` isn't an order of this phase"),
        ("melee", "melee sg-04 at sa-01", "line 1: `melee sg-04 at sa-01`: sg-04 "),
        ("melee", "in fire: done", "line 1: `in fire:` names no phase of mine that comes later in that turn"),
        ("melee", "melee 4 at sa-01", "line 1: `melee 4 at sa-01`: sa-01 "),
        ("melee", "if at sa-04 0622 then move 4 to 0621", "`move` isn't an order of this phase"),
        ("move", "move 4 to Nowhere", "line 1: "),
        ("fire", "in fire: done", "line 1: `in fire:` names no phase of mine that comes later in this turn"),
        ("fire", "in melee: fire 4 at sg-01", "`fire` isn't an order of this phase: write melee"),
    ],
)
def test_what_never_can_be_sent_in_that_phase_is_not_laid(phase: str, text: str, why: str, world: World) -> None:
    said = world.says("ben", "lay", world.write("bad.txt", text), "--for", phase)
    assert (said.code, laid(world, "ben")) == (1, [])
    assert why in said.err
    assert "pbem: hint: nothing is laid for turn " in said.err


def test_what_was_laid_stays_where_other_orders_for_the_phase_are_refused(world: World) -> None:
    """It was said that nothing is laid."""
    assert world.says("ben", "lay", world.write("good.txt", "done"), "--for", "melee").code == 0
    before = laid(world, "ben")
    said = world.says("ben", "lay", world.write("bad.txt", "move foo to bar"), "--for", "melee")
    assert (said.code, laid(world, "ben")) == (1, before)
    assert "pbem: hint: what was laid before stays for turn " in said.err


@pytest.mark.parametrize(
    ("phase", "text"),
    [
        ("MELEE", "melee 4 at sg-01 advance\ndone"),
        ("Fire", "in melee: melee 4 at sg-01\ndone"),
        ("move", "move 4 to Bungo bridge\nmove Satsuma Country Company No. 1 to Bungo bridge\nin melee: done"),
        ("Satcho-Melee", "stop if gone sa-04\nstanding retreat any\nsay Good luck"),
    ],
)
def test_what_can_be_sent_in_that_phase_is_laid_and_what_is_not_known_is_said(
    phase: str, text: str, world: World
) -> None:
    said = world.says("ben", "lay", world.write("good.txt", text), "--for", phase)
    assert (said.code, len(laid(world, "ben"))) == (0, 1), said.err
    assert ("ways, distances and dice are checked when they are due" in said.err) == (phase != "Fire")


def test_the_set_up_is_called_as_games_calls_it(tmp_path: Path) -> None:
    world = World(tmp_path, "begun")
    assert "(setup)" in world.does("asuka", "games")
    for word in ("setup", "Set-up", "start"):
        assert (
            "are laid for"
            not in world.says("asuka", "lay", world.write("m.txt", "done\nmove 1 0622"), "--for", word).err
        )
    text = world.does("asuka", "suggest", "--bot", "random", "--seed", "1")
    world.does("asuka", "lay", world.write("s.txt", text), "--for", "setup")
    assert [one.moment.phase for one in laid(world, "asuka")] == ["start"]


def test_the_set_up_comes_once(world: World) -> None:
    line = world.refused("ben", "lay", world.path("done.txt"), "--for", "setup")
    assert line == "--for: the phase 'setup' comes no more; `pbem lay FILE` lays them for my next one"


def test_orders_are_laid_for_a_phase_that_both_sides_share() -> None:
    """Whose turn it is in the cycle the dice decide; what is laid for it is due when its owner is asked there."""
    match = Match(scenario_of("cedar-mountain"), 1)
    assert moment_meant(match.table, "asuka", "cycle") == Moment(1, "cycle")
    assert moment_meant(match.table, "ben", "cycle") == Moment(1, "cycle")
    match.play("close transfer;")
    match.play("close transfer;")
    asked = match.due()[1]
    while asked is None or match.due()[0] != "orders":
        match.play()
        asked = match.due()[1]
    assert moment_now(match.table, asked) == Moment(1, "cycle")
    assert moment_meant(match.table, asked, "action") == Moment(1, "cycle"), "by what is asked there"
    with pytest.raises(Refused) as refused:
        moment_meant(match.table, asked, "march")
    assert refused.value.hint == "there are: reinforcements, transfer, cycle, recovery"
    for text, right in (("pass; done;", True), ("entrench ap-hill;", False), ("transfer pope banks;", False)):
        assert (never(match.table, asked, "cycle", text, due=False) == []) is right


def test_set_ups_of_the_sides_come_once_and_behind_the_last_turn_nothing() -> None:
    match = Match(scenario_of("skirmish"), 0).run(dict.fromkeys(("asuka", "ben"), idle), random.Random(1), most=7)
    assert moment_meant(match.table, "ben") == moment_meant(match.table, "ben", "turn") == Moment(1, "black-turn")
    match.play("done;")
    assert moment_meant(match.table, "ben") == Moment(2, "black-turn")
    with pytest.raises(Refused, match="the phase 'setup' comes no more"):
        moment_meant(match.table, "ben", "setup")
    while match.table.game.state.turn < 10 or match.due()[1] == "asuka":
        match.play("done;")
    for word in ("", "turn"):
        with pytest.raises(Refused, match=r"comes (any|no) more"):
            moment_meant(match.table, "asuka", word)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "move sp-3 to sp-1\nmove Spearmen 2 to Bowmen\nmove dm-2 to sp-3\nmove dm-2 to 12 10\nmove Daimyo to Ronin",
            [],
        ),
        ("move sp-1 to sp-3", ["belong to the Red Army"]),
        ("move bn-3 to sp-3", ["bannerman"]),
        ("move sp-3 to 12 10", ["sp-3 Spearmen 1 go straight"]),
        ("move dm-2 to sp-1", ["dm-2 Daimyo can't follow sp-1 Spearmen 1"]),
        ("move sp-3 to nowhere", ["no unit is called `nowhere`"]),
        ("move dm-2 to the mill", ["`the` is no number of inches"]),
    ],
)
def test_where_to_a_unit_of_a_table_goes_in_a_later_turn(text: str, why: list[str]) -> None:
    match = Match(scenario_of("skirmish"), 0).run(dict.fromkeys(("asuka", "ben"), idle), random.Random(1), most=6)
    found = [error.what for error in never(match.table, "ben", "black-turn", text, due=False)]
    assert len(found) == len(why)
    assert all(part in what for part, what in zip(why, found, strict=True)), found


def test_what_is_so_of_many_lines_is_said_once() -> None:
    match = Match(scenario_of("skirmish"), 0).run(dict.fromkeys(("asuka", "ben"), idle), random.Random(1), most=6)
    text = "setup sp-3 10 40 south\nmove sp-3 to 12 10\nsetup dm-2 12 40 south\nsetup sp-3 14 40 south\ndone"
    setups, straight = (str(error) for error in never(match.table, "ben", "black-turn", text, due=False))
    assert setups.startswith("line 1: `setup sp-3 10 40 south`: ")
    assert "; the same is so of 2 more" in setups
    assert straight.startswith("line 2: sp-3 Spearmen 1 go straight")
    assert "more" not in straight
    _, name = match.due()
    assert name == "asuka"
    text = "setup sp-1 10 10 north\nsetup sp-2 12 10 north\nmove sp-1 88\nsetup dm-1 12 9 north\ndone"
    setups, far = (str(error) for error in never(match.table, name, "red-turn", text, due=True))
    assert setups.startswith("line 1: `setup sp-1 10 10 north`: the armies are set up; the same is so of 2 more")
    assert far.startswith("line 3: ")


def test_usage(world: World) -> None:
    for words in (["--off", world.path("done.txt")], ["--for", "melee"]):
        assert world.says("ben", "lay", *words).code == 2
