"""`pbem tutorial`: each step is played as it says, wrong words are told so, and it can be left and gone on with."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import click
import pytest
from cli_player import Said, pbem_says, tree

from pbem.cli import COMMANDS, lessons, pbem
from pbem.cli.lessons import AGAIN, CHECK, CLOSING, SEND, STEPS
from pbem.cli.tutorial import Practice
from pbem.home.folders import Home
from pbem.home.settings import read_settings, write_settings

UP_TO_ORDERS = "show\n" * list(STEPS).index("orders")


@pytest.fixture(autouse=True)
def _machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blank_page: None) -> None:
    monkeypatch.chdir(tmp_path)


def types(lines: str, *words: str) -> Said:
    """Type lines into the tutorial, and then no more."""
    said = pbem_says("tutorial", *words, stdin=lines.encode())
    assert said.code == 0, said.err
    return said


def stage() -> str:
    return read_settings(Path("pbem-tutorial/home"))["tutorial"]


def home() -> Home:
    return Home(Path("pbem-tutorial/home"))


def test_the_whole_of_it_as_it_says() -> None:
    said = types("show\n" * 60)
    assert stage() == "over"
    assert said.out.rstrip().endswith("The folder pbem-tutorial may be deleted.")
    table = Practice(Path("pbem-tutorial")).opened().table  # with the dice that the player can open himself
    turn, _ = table.rules.clock(table.game.state)
    assert int(turn) == 4 or table.outcome is not None
    assert {player.name: player.side for player in table.genesis.players} == {"player": "east", "bold": "osaka"}
    for step in (*STEPS.values(), SEND, *CLOSING.values()):
        assert step.title.upper() in said.out
    assert said.err.count("bold has answered") >= 3, "a phase of movement in each turn"
    assert "entries and" in said.out, "verified"
    assert said.err.count("hint: type") == 0
    told = " ".join(said.out.split())
    assert told.count(lessons.AHEAD) == (1 if "TURN 3, MOVE" in told else 0)
    examples = re.findall(r"This would do: (.*?) (?:move|march|fire|melee|done)\b", told)
    assert len(examples) == said.out.count("\nTURN ")
    assert {*examples} <= {*lessons.WHY.values(), lessons.NO_FIGHT}, "each says why"
    assert "The number in its name is that of the entry in the log that the orders become." in told
    assert types("").err == "pbem: the tutorial in pbem-tutorial is over; delete the folder to begin it anew\n"


def test_the_lines_fit_a_terminal() -> None:
    said = types(UP_TO_ORDERS + "show\nshow\nshow\n")
    assert max(map(len, said.out.splitlines())) <= 80


def test_only_the_refusal_that_a_step_is_about_ends_it() -> None:
    before = "show\n" * list(STEPS).index("wrong")
    said = types(before + "nonsense\n\nshow\nquit\n")
    assert "`nonsense` is no order" in said.err
    assert STEPS["refused"].after[:20] not in said.out
    assert stage() == "wrong"
    types("March ii-11 to 2619;\ndone;\n\nshow\nquit\n")
    assert stage() == "rules"


def test_orders_that_are_broken_off_are_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    types("show\n" * list(STEPS).index("wrong"))
    lines = iter(["march ii-11 to 2619", click.Abort(), "quit"])

    def prompt(*_: object, **__: object) -> str:
        line = next(lines)
        if isinstance(line, click.Abort):
            raise line
        return line

    monkeypatch.setattr(click, "prompt", prompt)
    assert "nothing is written; type the orders from the first one on" in types("").err
    assert (stage(), Path("pbem-tutorial/orders-2.txt").read_text("utf-8").startswith("#")) == ("wrong", True)


def test_help_may_be_asked_for_at_any_time() -> None:
    said = types("pbem\npbem offer --help\npbem offer\nquit\n")
    assert "Offer a game; the mail goes to the opponent." in said.out
    assert said.err.count("here only commands that look may be typed") == 1
    assert "Lost keys:" in said.out


def test_it_goes_on_where_its_home_is_restored() -> None:
    types(UP_TO_ORDERS + "show\nshow\nquit\n")
    assert stage() == "send"
    assert pbem_says("--home", "pbem-tutorial/home", "backup", "kept.zip").code == 0
    said = pbem_says("--home", "elsewhere/home", "restore", "kept.zip")
    assert (said.code, "not restored" in said.err) == (0, False)
    Path("pbem-tutorial/orders-2.txt").rename("elsewhere/orders-2.txt")
    said = types("show\nquit\n", "elsewhere")
    assert "bold has answered" in said.err
    assert read_settings(Path("elsewhere/home"))["tutorial"] == "write"


def test_it_is_left_and_gone_on_with_in_the_same_step() -> None:
    said = types("show\nquit\nshow\n")
    assert stage() == "brief"
    assert said.err.rstrip().endswith("pbem: left; `pbem tutorial` in the same place goes on here")
    said = types("")
    assert "\nTHE BATTLE\n" in said.out
    assert "\nA KEY\n" not in said.out
    assert said.err.rstrip().endswith("goes on here"), "where nobody types any more it is left, too"
    assert (home().root / "key").is_file()


def test_what_an_earlier_run_did_and_could_not_keep_is_not_asked_for_again() -> None:
    """As when the terminal is closed while the report is printed: the game has begun."""
    types("show\nshow\nshow\nquit\n")
    write_settings(Path("pbem-tutorial/home"), tutorial="play")
    said = types("quit\n")
    assert stage() == "games"
    assert len(home().games()) == 1
    assert "pbem play" not in said.out
    write_settings(Path("pbem-tutorial/home"), tutorial="key")
    types("quit\n")
    assert stage() == "brief"


def test_what_is_typed_is_looked_at() -> None:
    said = types("good morning\n\npbem key show\npbem 'key new\npbem key new\n")
    assert "hint: type `pbem key new`, `show` or `quit`" in said.err
    assert "only commands that look may be typed beside `pbem key new`" in said.err
    assert "that can't be read as a command" in said.err
    assert stage() == "brief"
    said = types("pbem rules yao movement\npbem brief toba-fushimi\n")
    assert "MOVEMENT (7)" in said.out
    assert stage() == "brief", "another command was looked at, the step remains"
    types("pbem brief yao\n")
    assert stage() == "play"
    assert "only commands that look" in types("pbem play toba-fushimi\npbem play yao --as osaka\n").err
    assert (stage(), home().games()) == ("play", [])


def test_orders_that_are_refused_are_typed_again_and_nothing_is_signed() -> None:
    types(UP_TO_ORDERS)
    assert stage() == "orders"
    before = home().find(None).text()
    said = types("move ii-11 to 0101\ndone\n\npbem check orders-2.txt\n")
    assert "orders-2.txt, line 1: `move ii-11 to 0101`" in said.err
    assert "type better orders" in said.err
    assert (stage(), home().find(None).text()) == ("orders", before)
    assert Path("pbem-tutorial/orders-2.txt").read_text() == "move ii-11 to 0101\ndone\n"
    said = types("move ii-12 to 2520\ndone\n\npbem send orders-2.txt\n")
    assert "bold has answered" in said.err
    assert home().find(None).text().startswith(before)
    assert stage() == "write", "who sends without the check is one step further"


def test_orders_may_be_sent_from_the_editor_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    types(UP_TO_ORDERS)
    script = "import sys; open(sys.argv[1], 'a').write('move ii-12 to 2520\\ndone\\n')"
    monkeypatch.setenv("VISUAL", shlex.join([sys.executable, "-c", script]))
    said = pbem_says("tutorial", typed="pbem edit\ns\nquit\n")
    assert "bold has answered" in said.err, said.err
    assert stage() == "write"
    assert said.out.index("\nBETTER ORDERS\n") < said.out.index("\nTURN ")


def test_a_march_that_is_allowed_is_not_what_the_refusal_shows() -> None:
    types("show\n" * list(STEPS).index("wrong"))
    said = types("done\n\npbem check orders-2.txt\n")
    assert "that isn't what this step is about; type the orders again" in said.err
    assert stage() == "wrong"


def test_the_player_s_own_home_and_key_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    pbem_says("--home", "mine", "key", "new")
    before = tree(Path("mine"))
    monkeypatch.setenv("PBEM_HOME", str(Path("mine").absolute()))
    monkeypatch.setenv("PBEM_KEY", str(Path("mine/key").absolute()))
    types(UP_TO_ORDERS)
    assert tree(Path("mine")) == before
    assert (home().root / "key.pub").read_text() != Path("mine/key.pub").read_text()


def test_a_folder_of_something_else_is_refused() -> None:
    Path("thesis").mkdir()
    Path("thesis/thesis.txt").write_text("precious")
    said = pbem_says("tutorial", "thesis", stdin=b"show\n")
    assert (said.code, said.out) == (1, "")
    assert said.err == "pbem: thesis: the folder holds something else than a tutorial; name a new one\n"
    assert [path.name for path in Path("thesis").iterdir()] == ["thesis.txt"]
    left = types("show\n", "lessons").err.splitlines()[-1]
    assert left.endswith("left; `pbem tutorial lessons` in the same place goes on here")


@pytest.mark.parametrize("kept", ['{"tutorial": "xyzzy"}', '{"tutorial": "key", "tutorial-since": "x"}'])
def test_a_step_that_is_none_is_told(kept: str) -> None:
    Path("pbem-tutorial/home").mkdir(parents=True)
    Path("pbem-tutorial/home/settings.json").write_text(kept)
    said = pbem_says("tutorial", stdin=b"show\n")
    assert (said.code, said.out) == (1, "")
    assert "how far the tutorial has come can't be read; delete pbem-tutorial to begin the tutorial anew" in said.err


def test_every_command_that_is_told_can_be_typed() -> None:
    for step in (*STEPS.values(), CHECK, SEND, *AGAIN.values(), *CLOSING.values()):
        if step.command:
            name, *words = step.command.split()[1:]
            command = pbem.get_command(click.Context(pbem), name)
            assert command is not None
            if not isinstance(command, click.Group):
                command.make_context(name, words)
    told = Path(lessons.__file__).read_text("utf-8")
    for name in re.findall(r"`pbem (?:--home {home} )?([a-z][a-z-]*)", told):
        assert name in COMMANDS, name
