"""The command line: options, formats, standard input and output, exit codes, help."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import click
import jsonschema
import pytest
from cli_player import World, pbem_says, steady, tree
from letters import blocks_of
from referencing import Registry, Resource

from pbem import resources
from pbem.cli import COMMANDS, GROUPS, pbem, run
from pbem.cli.common import folded, one_line
from pbem.cli.failure import failed
from pbem.crypto.keys import fingerprint, load_signer
from pbem.desk.arrival import take_in
from pbem.desk.desk import Desk, Place
from pbem.desk.letter import read_letter
from pbem.home.folders import Home
from pbem.mail.inbox import Mail, read_mails
from pbem.match.bots import suggest
from pbem.match.check import Checked, check
from pbem.match.form import form
from pbem.match.table import BARE
from pbem.report import asked
from pbem.scenario import systems
from pbem.wire.blocks import read_log_blocks, render_block
from pbem.wire.entry import parse_entry

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Asuka has sent 4.eml, which ben hasn't opened."""
    return World(tmp_path)


def desk_of(world: World, name: str) -> Desk:
    """A player at his home."""
    home = Home(world.home(name))
    return Desk(home, lambda: load_signer(home.key), os.urandom)


def place_of(world: World, name: str) -> Place:
    """A player's only game, opened."""
    desk = desk_of(world, name)
    return desk.place(desk.home.find(None))


# --- help --------------------------------------------------------------------------------------------------------


def every_command() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """All commands, with the words that call them."""
    context = click.Context(pbem, info_name="pbem")
    for name in COMMANDS:
        command = pbem.get_command(context, name)
        assert command is not None
        yield (name,), command
        if isinstance(command, click.Group):
            yield from (((name, sub), command.commands[sub]) for sub in command.commands)


EVERY_COMMAND = list(every_command())


@pytest.mark.parametrize("words", [words for words, _ in EVERY_COMMAND], ids=" ".join)
def test_help(words: tuple[str, ...]) -> None:
    for option in ("--help", "-h"):
        said = pbem_says(*words, option)
        assert (said.code, said.err) == (0, "")
        assert max(map(len, said.out.splitlines())) <= 80
        assert re.search(rf"Example: pbem {words[0]}\b", said.out)


@pytest.mark.parametrize(("words", "command"), EVERY_COMMAND, ids=[" ".join(w) for w, _ in EVERY_COMMAND])
def test_every_option_is_explained(words: tuple[str, ...], command: click.Command) -> None:
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name


@pytest.mark.parametrize(("words", "command"), EVERY_COMMAND, ids=[" ".join(w) for w, _ in EVERY_COMMAND])
def test_the_examples_of_the_help_can_be_typed(words: tuple[str, ...], command: click.Command) -> None:
    """Their options and arguments are those of the command."""
    text = " ".join((command.help or "").split())
    for line in text[text.index("Example: pbem ") + len("Example: pbem ") :].split(" pbem "):
        example = line.partition(" > ")[0].split()
        assert tuple(example[: len(words)]) == words or isinstance(command, click.Group)
        if not isinstance(command, click.Group):
            command.make_context(words[-1], example[len(words) :], resilient_parsing=False)


def test_help_without_a_command() -> None:
    said = pbem_says()
    assert (said.code, said.out) == (2, "")
    assert "Example: pbem tutorial" in said.err
    assert pbem_says("--help").out.startswith("Usage: pbem ")
    listed = pbem_says("--help").out.partition("\n\nBegin:\n")[2]
    groups = [group.splitlines() for group in f"Begin:\n{listed}".split("\n\n")]
    assert [title for title, *_ in groups] == [f"{title}:" for title in GROUPS]
    assert [[line.split()[0] for line in lines] for _, *lines in groups] == [list(verbs) for verbs in GROUPS.values()]
    commands = [line for _, *lines in groups for line in lines]
    assert all(line.endswith((".", "?")) and not line.endswith("...") for line in commands), "cut off"
    assert len({line.index(line.split(maxsplit=1)[1]) for line in commands}) == 1, "one column"


def test_version() -> None:
    said = pbem_says("--version")
    assert said.code == 0
    assert re.fullmatch(r"pbem, version \d+\.\d+\.\d+\n", said.out)


# --- exit codes and streams --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("games",), 0, "there are no games in"),
        (("form",), 1, "there are no games here"),
        (("snd",), 2, "did you mean `send`?"),
        (("xyzzy",), 2, "there are: key, scenarios, brief, rules, offer"),
        (("send", "--agian"), 2, "--again"),
        (("check",), 2, "ORDERS"),
        (("open",), 2, "name what came"),
        (("report", "--format", "pdf"), 2, "pdf"),
        (("offer", "toba-fushimi", "--side", "satcho"), 2, "--name"),
        (("offer", "toba-fushimi", "--side", "satcho", "--name", "a", "--deadline", "x"), 2, "--deadline"),
        (("offer", "toba-fushimi", "--side", "satcho", "--name", "a", "--reactions", "never"), 2, "standing"),
        (("send", "orders.txt", "--again"), 2, "--again sends what is signed already; leave the order file out"),
        (("key",), 2, "Example: pbem key new"),
        (("key", "lose"), 2, "lose"),
    ],
)
def test_exit_codes(words: tuple[str, ...], code: int, says: str, tmp_path: Path) -> None:
    said = pbem_says("--home", str(tmp_path / "home"), *words)
    assert (said.code, said.out) == (code, "")
    assert says in said.err
    assert not (tmp_path / "home").exists()


def test_results_on_standard_output_talk_on_standard_error(world: World) -> None:
    ben, four = world.home("ben"), world.path("4.eml")
    for command in (("open", four), ("games",), ("form",), ("suggest",), ("report",), ("key", "show"),
                    ("verify", str(world.log("ben"))), ("rolls", str(world.log("ben"))), ("scenarios",),
                    ("brief", "toba-fushimi")):  # fmt: skip
        said = pbem_says("--home", str(ben), *command)
        assert said.code == 0
        assert "pbem: " not in said.out
        assert all(line.startswith("pbem: ") for line in said.err.splitlines())
        assert said.out or command[0] == "rolls"


def test_the_program_as_it_is_installed(world: World) -> None:
    """A process of its own, its pipe closed early, as `| head` does."""
    program = [sys.executable, "-c", "from pbem.cli import main; main()", "--home", str(world.home("asuka"))]
    done = subprocess.run([*program, "games"], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith(f"toba-fushimi  {world.log('asuka').parent.name}  ")
    done = subprocess.run([*program, "gamse"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    with subprocess.Popen([*program, "report"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as closed:
        assert closed.stdout is not None
        assert closed.stderr is not None
        closed.stdout.close()
        said = closed.stderr.read().decode()
    assert "Traceback" not in said


def test_given_up(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("pbem.match.form.form", interrupted)
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    said = world.says("ben", "form")
    assert (said.code, said.out, said.err.strip()) == (1, "", "pbem: given up")


def test_one_line_shows_control_characters() -> None:
    assert one_line("a\nb\x1b[1m\u202ec \u00e4") == "a\\nb\\x1b[1m\\u202ec \u00e4"


def test_folded_keeps_78_columns() -> None:
    text = folded("word " * 60, "  ", "      ")
    assert all(len(line) <= 78 for line in text.splitlines())
    assert text.splitlines()[1].startswith("      word")
    assert text.split() == ["word"] * 60
    assert folded(f"{'word ' * 15}28 %") == f"{'word ' * 14}word\n28 %"


@pytest.mark.skipif(sys.platform != "linux", reason="it needs /dev/full")
@pytest.mark.parametrize("arguments", [["--help"], ["send", "--help"], ["--version"]])
def test_help_that_cant_be_written_names_standard_output(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with suppress(OSError), open("/dev/full", "w", buffering=1) as full, monkeypatch.context() as patches:
        patches.setattr(sys, "stdout", full)
        assert run(arguments) == 1
    assert capsys.readouterr().err == "pbem: standard output: it can't be written: No space left on device\n"


def test_an_error_of_a_file_is_not_one_of_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    for raised in (OSError(28, "No space left on device"), OSError(28, "No space left on device", "a.log")):
        assert failed(raised, []) == 1
    told = [f"pbem: {file}: No space left on device" for file in ("a file", "a.log")]
    assert capsys.readouterr().err.splitlines() == told


# --- home and key ------------------------------------------------------------------------------------------------


def test_home_by_option_and_by_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "by-environment"))
    said = pbem_says("key", "new")
    assert said.out.startswith(str(tmp_path / "by-environment" / "key") + " SHA256:")
    said = pbem_says("--home", str(tmp_path / "by-option"), "key", "new")
    assert said.out.startswith(str(tmp_path / "by-option" / "key") + " SHA256:")
    monkeypatch.delenv("PBEM_HOME")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    if sys.platform == "linux":
        assert pbem_says("key", "new").out.startswith(str(tmp_path / "data" / "pbem" / "key") + " SHA256:")


def test_key_by_option_and_by_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, first, second = (str(tmp_path / name) for name in ("home", "first", "second"))
    for key in (first, second):
        said = pbem_says("--home", home, "--key", key, "key", "new")
        assert said.out == f"{key} {fingerprint(load_signer(key).pub_blob)}\n"
    assert not (tmp_path / "home" / "key").exists()
    monkeypatch.setenv("PBEM_KEY", first)
    assert pbem_says("--home", home, "key", "show").out.endswith(f"{fingerprint(load_signer(first).pub_blob)}\n")
    said = pbem_says("--home", home, "--key", second, "key", "show")
    assert said.out.endswith(f"{fingerprint(load_signer(second).pub_blob)}\n")
    assert said.out.split()[:2] == (tmp_path / "second.pub").read_text().split()[:2]


def test_a_new_key_has_its_comment_and_is_private(tmp_path: Path) -> None:
    key = tmp_path / "key"
    assert pbem_says("--key", str(key), "key", "new", "--comment", "asuka@example.org").code == 0
    assert (tmp_path / "key.pub").read_text().endswith(" asuka@example.org\n")
    assert key.stat().st_mode & 0o777 == 0o600
    said = pbem_says("--key", str(key), "key", "new")
    assert said.code == 1
    assert "keys are never overwritten" in said.err


def test_a_new_key_with_a_passphrase(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("bcrypt")
    monkeypatch.undo()
    key = str(tmp_path / "key")
    monkeypatch.setenv("PBEM_PASSPHRASE", "sakura")
    made = pbem_says("--key", key, "key", "new", "--passphrase")
    assert made.code == 0
    shown = pbem_says("--key", key, "key", "show")
    assert shown.out.split()[2] == made.out.split()[1]
    monkeypatch.setenv("PBEM_PASSPHRASE", "ume")
    assert pbem_says("--key", key, "key", "show").code == 1


def test_a_game_with_a_key_of_one_s_own(tmp_path: Path) -> None:
    """The home holds no key; --key names it each time."""
    world = World(tmp_path, "set-up")
    own = tmp_path / "own"
    (world.home("asuka") / "key").rename(own)
    (world.home("asuka") / "key.pub").unlink()
    assert world.says("asuka", "form").code == 1
    assert "# done;" in world.does("asuka", "--key", str(own), "form")


# --- standard input and output -----------------------------------------------------------------------------------


def test_mails_from_standard_input(world: World) -> None:
    raw = Path(world.path("4.eml")).read_bytes()
    said = world.says("ben", "open", "--quiet", "-", stdin=raw)
    assert said.code == 0
    assert said.err.startswith("pbem: standard input: entry 4 (orders by asuka) is taken")


def test_an_offer_from_standard_input_and_mails_to_standard_output(tmp_path: Path) -> None:
    world = World(tmp_path, "offered")
    raw = Path(world.path("offer.eml")).read_bytes()
    said = world.says("ben", "accept", "-", "--yes", "--name", "ben", stdin=raw)
    assert said.code == 0
    accept = world.write("accept.eml", said.out)
    assert parse_entry(blocks_of(next(iter(read_mails(accept))))[0].payload).kind == "accept"
    assert "; mail" not in said.err
    assert world.says("asuka", "open", "-", "--quiet", stdin=said.out.encode()).code == 0


def test_orders_from_standard_input(tmp_path: Path) -> None:
    world = World(tmp_path, "set-up")
    said = world.says("asuka", "check", "-", stdin=b"done;\n")
    assert said.code == 0
    said = world.says("asuka", "send", "-", stdin=b"done;\n")
    assert said.code == 0
    turn = world.write("turn.eml", said.out)
    entry = parse_entry(blocks_of(next(iter(read_mails(turn))))[0].payload)
    assert [str(statement) for statement in entry.body] == ["done;"]
    assert entry.seq == 4


def test_a_log_from_standard_input(world: World) -> None:
    log = world.log("asuka")
    for command in ("verify", "rolls"):
        assert world.does("asuka", command, "-", stdin=log.read_bytes()) == world.does("asuka", command, str(log))
    line = world.refused("asuka", "verify", "-", stdin=log.read_bytes()[:-300])
    assert line.startswith("standard input, entry 4: ")
    assert world.refused("asuka", "verify", "-", stdin=b"\xff").startswith("standard input: it isn't a game log; ")


def test_minus_as_output_is_standard_output(world: World) -> None:
    assert world.does("asuka", "report", "-o", "-") == world.does("asuka", "report")
    assert not (world.root / "-").exists()


# --- open --------------------------------------------------------------------------------------------------------


def test_a_mailbox_in_any_order_with_other_mails_in_it(tmp_path: Path) -> None:
    world = World(tmp_path)
    late = World(tmp_path / "late", "begun")
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    (inbox / "1-turn.eml").write_bytes(Path(world.path("4.eml")).read_bytes())
    (inbox / "2-news.eml").write_bytes(b"From: news@example.org\nSubject: Offers!\n\nBuy now; pay later.\n")
    (inbox / "3-turn.eml").write_bytes(Path(world.path("2.eml")).read_bytes())
    said = late.says("ben", "open", "--quiet", str(inbox), world.path("offer.eml"))
    assert said.code == 1, "entry 4 comes too early: ben's own entry 3 isn't in his log"
    assert "1 mails without a turn" in said.err
    assert "entry 2 (orders by asuka) is taken" in said.err
    assert "entry 4 comes too early; entry 3 is due first" in said.err
    assert parse_entry(blocks_of(next(iter(read_mails(world.path("2.eml")))))[0].payload).seq == 2


def test_open_as_json(world: World) -> None:
    told = json.loads(world.does("ben", "open", "--json", world.path("4.eml"), world.path("2.eml")))
    assert [(r["what"], r["seq"], r["kind"], r["by"]) for r in told["opened"]] == [
        ("taken", 4, "orders", "asuka"), ("known", 2, "orders", "asuka"),
    ]  # fmt: skip
    assert told["refused"] == []
    assert told["opened"][0]["game"].startswith(world.log("ben").parent.name)
    assert told["opened"][0]["due"] == {"what": "orders", "player": "ben"}
    said = world.says("ben", "open", "--json", world.write("bad.eml", "nothing"), world.path("4.eml"))
    assert said.code == 1
    told = json.loads(said.out)
    assert told["refused"][0]["kind"] == "Refused"
    assert told["refused"][0]["what"] == "no turn is in this mail"
    assert [r["what"] for r in told["opened"]] == ["known"]


def test_open_reports_unless_quiet(world: World) -> None:
    said = world.says("ben", "open", world.path("4.eml"))
    assert said.out == world.does("ben", "report")
    assert "WHOSE MOVE" in said.out or "YOUR MOVE" in said.out
    assert world.does("ben", "open", "--quiet", world.path("4.eml")) == ""


# --- games -------------------------------------------------------------------------------------------------------


def test_games_as_json(world: World) -> None:
    mine, theirs = (json.loads(world.does(name, "games", "--json"))["games"][0] for name in ("asuka", "ben"))
    assert mine["players"] == {"asuka": "shogunate", "ben": "satcho"}
    assert (mine["entry"], mine["due"], mine["from"], mine["mine"]) == (4, "orders", "ben", False)
    assert (theirs["entry"], theirs["due"], theirs["from"], theirs["mine"]) == (3, "orders", "asuka", False)
    assert mine["since"] == "2026-11-18T11:00:00Z"
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    theirs = json.loads(world.does("ben", "games", "--json"))["games"][0]
    assert (theirs["entry"], theirs["due"], theirs["from"], theirs["mine"]) == (4, "orders", "ben", True)
    assert theirs["asked"] == "fire with a unit, or done"


def test_games_tells_offers_too(tmp_path: Path) -> None:
    world = World(tmp_path, "offered")
    told = json.loads(world.does("asuka", "games", "--json"))
    assert told["games"] == []
    assert [(o["scenario"], o["to"]) for o in told["offers"]] == [("toba-fushimi", "ben@example.net")]
    assert "an offer of mine to ben@example.net" in world.does("asuka", "games")


def test_games_needs_no_key(world: World) -> None:
    before = world.does("ben", "games")
    (world.home("ben") / "key").unlink()
    (world.home("ben") / "key.pub").unlink()
    assert world.does("ben", "games") == before


@pytest.mark.parametrize(("days", "letter", "told"), [("5", "five days", "5 days are"), ("1", "one day", "1 day is")])
def test_the_deadline_is_told(tmp_path: Path, days: str, letter: str, told: str) -> None:
    world = World(tmp_path, "new")
    offer = world.path("offer.eml")
    world.does("asuka", "offer", "toba-fushimi", "--side", "satcho", "--name", "asuka", "--deadline", days, "-o", offer)
    assert f"{letter} of 24 hours" in Path(offer).read_text()
    world.does("ben", "accept", offer, "--yes", "--name", "ben", "-o", world.path("accept.eml"))
    world.does("asuka", "open", "--quiet", world.path("accept.eml"))
    assert f"my move since 2026-11-18 11:00 UTC (3 days); {told} allowed" in world.does("asuka", "games")
    assert "without orders begins the game" in world.does("asuka", "games"), "the other side sets up first"
    assert json.loads(world.does("ben", "games", "--json"))["games"][0]["deadline"] == int(days)


# --- offer -------------------------------------------------------------------------------------------------------


def test_the_options_of_an_offer_are_signed(tmp_path: Path) -> None:
    world = World(tmp_path, "new")
    offer = world.path("offer.eml")
    world.does("asuka", "offer", "toba-fushimi", "--side", "satcho", "--name", "asuka", "--option",
               "mountain-top=strength", "--reactions", "ask", "--lost-secret", "forfeit", "-o", offer)  # fmt: skip
    body = [str(s) for s in parse_entry(blocks_of(next(iter(read_mails(offer))))[0].payload).body]
    for statement in ("option mountain-top strength;", "option retreat-over-bridge no;", "reactions ask;",
                      "lost-secret forfeit;", "side satcho;"):  # fmt: skip
        assert statement in body
    text = " ".join(Path(offer).read_text().split())
    assert "or else he is asked, and the game waits" in text
    assert "and can't reveal it, has lost." in text


# --- check and send ----------------------------------------------------------------------------------------------


def test_check_signs_nothing(tmp_path: Path) -> None:
    world = World(tmp_path, "set-up")
    before = tree(world.root)
    said = world.says("asuka", "check", "-", stdin=b"done;\n")
    assert (said.code, said.out) == (0, "")
    assert "accepted: 1 statement; " in said.err
    assert tree(world.root) == before


def test_check_tells_what_lapses(world: World) -> None:
    """Of two shots at one target the second may find it gone, or moved."""
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    told = world.does("ben", "form")
    shots = re.findall(r"(?m)^# (fire .*?;)", told)
    by_target: dict[str, list[str]] = {}
    for shot in shots:
        if " with " not in shot:
            by_target.setdefault(shot.split()[3], []).append(shot)
    chosen = next(same for same in by_target.values() if len({s.split()[1] for s in same}) > 1)
    orders = world.write("orders.txt", "\n".join([*chosen, "done;", ""]))
    told = json.loads(world.does("ben", "check", "--json", orders))
    assert told["accepted"]
    assert all(0 < lapse["share"] < 1 and lapse["line"] > 1 for lapse in told["lapses"])
    assert told["lapses"]
    out = world.does("ben", "check", orders)
    assert out.startswith(f"line {told['lapses'][0]['line']}: `fire ")
    assert "of the futures" in out
    assert all(len(line) <= 78 for line in out.splitlines())


def test_check_as_json_of_bad_orders(tmp_path: Path) -> None:
    world = World(tmp_path, "set-up")
    said = world.says("asuka", "check", "--json", world.write("orders.txt", "move sg-01 2411;\n"))
    assert (said.code, said.err) == (1, "")
    told = json.loads(said.out)
    assert not told["accepted"]
    (error,) = told["errors"]
    assert error["kind"] == "IllegalOrder"
    assert error["clause"][0].isdigit()
    assert error["where"].endswith("orders.txt, line 1")


def test_send_again_writes_the_same_turn(world: World) -> None:
    before = tree(world.home("asuka"))
    world.does("asuka", "send", "--again", "-o", world.path("again.eml"))
    first, again = (blocks_of(next(iter(read_mails(world.path(name)))))[0] for name in ("4.eml", "again.eml"))
    assert first == again
    assert tree(world.home("asuka")) == before


def test_send_to_another_address(world: World) -> None:
    world.does("asuka", "send", "--again", "--to", "ben@new.example.net", "-o", world.path("again.eml"))
    assert next(iter(read_mails(world.path("again.eml")))).to == "ben@new.example.net"
    world.does("asuka", "send", "--again", "-o", world.path("again.eml"))
    assert next(iter(read_mails(world.path("again.eml")))).to == "ben@new.example.net"


def test_the_mail_tells_its_reader_what_is_asked(world: World) -> None:
    mail = next(iter(read_mails(world.path("4.eml"))))
    assert mail.subject == "Toba-Fushimi, turn 1: your fire (asuka, entry 4)"
    text = mail.texts[0]
    assert text.startswith("Hello ben,")
    assert "Orders are asked of you (fire): fire with a unit, or done." in text


def test_suggest_is_repeatable_and_legal(tmp_path: Path) -> None:
    world = World(tmp_path, "set-up")
    first, again, other = (
        world.does("asuka", "suggest", "--bot", "random", "--seed", seed) for seed in ("7", "7", "8")
    )
    assert first == again != other
    assert world.does("asuka", "suggest", "--bot", "random", "--seed", "7") == first
    world.does("asuka", "check", "-", stdin=first.encode())


# --- the form ----------------------------------------------------------------------------------------------------


KINDS = ("setup", "move", "fire", "melee", "retreat")


def check_alone(place: Place, orders: str) -> Checked:
    """Check orders without looking ahead."""
    return check(place.table, place.me, orders, random.Random(0), 0)


def orders_of(told: str) -> list[str]:
    """The orders that a form lists."""
    return re.findall(r"(?m)^# ([a-z]+ ?[^;`\n]*;)(?: +# .*)?$", told)


def assert_form_is_good(told: str, place: Place) -> int:
    """A form as it stands orders nothing; each order in it is accepted alone; how many there are."""
    assert all(line == "" or line.startswith("#") for line in told.splitlines())
    assert all(len(line) <= 80 for line in told.splitlines() if not line.startswith(("# fire", "# melee")))
    orders = orders_of(told)
    for order in orders:
        checked = check_alone(place, order)
        assert not checked.errors, order
        assert len(checked.parts) == 1
    units = [order.split()[1] for order in orders if " " in order]
    assert all(units.count(unit) <= 12 for unit in units)
    return len(orders)


def test_the_offerer_who_is_not_asked_first_sends_a_begin(tmp_path: Path) -> None:
    """The shogunate sets up first; asuka, who offers the other side, has only her chain of dice to send."""
    world = World(tmp_path, "new")
    world.does("asuka", "offer", "toba-fushimi", "--side", "satcho", "--name", "asuka", "--mail", "asuka@example.org",
               "--to", "ben@example.net", "-o", world.path("offer.eml"))  # fmt: skip
    world.does("ben", "accept", world.path("offer.eml"), "--yes", "--name", "ben", "--mail", "ben@example.net", "-o",
               world.path("accept.eml"))  # fmt: skip
    assert "`begin` of asuka is due" in world.refused("ben", "form")
    world.does("asuka", "open", "--quiet", world.path("accept.eml"))
    assert "A mail from me without orders begins the game." in world.does("asuka", "games")
    orders = world.write("orders.txt", "say hello;\n")
    assert "only a begin is due, no orders are asked" in world.refused("asuka", "send", orders)
    log = world.log("asuka").read_bytes()
    for command in (["draw"], ["resign", "--yes"]):
        assert "I have to begin the game first" in world.says("asuka", *command).err
    assert "can't be taken back" in world.refused("asuka", "undo", "2")
    assert world.log("asuka").read_bytes() == log
    world.does("asuka", "send", "-o", world.path("2.eml"))
    begun = parse_entry(read_log_blocks(world.log("asuka").read_text())[2].payload)
    assert (begun.kind, begun.by, begun.body, begun.reveal) == ("begin", "asuka", (), None)
    assert begun.anchor is not None
    assert "entry 2 (begin) by asuka" in (tmp_path / "2.eml").read_text()
    world.does("ben", "open", "--quiet", world.path("2.eml"))
    world.bot_sends("ben", 3)
    world.does("asuka", "open", "--quiet", world.path("3.eml"))
    third = parse_entry(read_log_blocks(world.log("asuka").read_text())[3].payload)
    assert (third.kind, third.by) == ("orders", "ben")
    assert third.reveal is not None
    assert third.reveal[0] == 1


def test_every_order_of_a_form_is_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In every kind of phase of a game where retreats are asked; always the same game, in which they occur."""
    steady(monkeypatch)
    world = World(tmp_path, "new")
    offer, accept = world.path("offer.eml"), world.path("accept.eml")
    words = ("--side", "shogunate", "--name", "asuka", "--reactions", "ask", "-o", offer)
    world.does("asuka", "offer", "toba-fushimi", *words)
    world.does("ben", "accept", offer, "--yes", "--name", "ben", "-o", accept)
    world.does("asuka", "open", "--quiet", accept)
    chance = random.Random(1)
    places = {name: place_of(world, name) for name in ("asuka", "ben")}
    seen: Counter[str] = Counter()
    while not set(KINDS) <= set(seen):
        mover = next(name for name, place in places.items() if place.table.due().player == name)
        due = places[mover].table.due()
        if due.request is not None and due.what not in ("begin", "reveal") and seen[due.request.kind] < 2:
            told = form(places[mover].table, mover)
            assert ("stop if TEST;" in told) == (due.what == "orders"), "no answer may hold it"
            assert due.request.prompt in " ".join(told.replace("\n#", "").split())
            seen[due.request.kind] += assert_form_is_good(told, places[mover]) > 1
        orders = "".join(f"{' '.join(order)};" for order in suggest(places[mover].table, mover, "random", chance))
        block = (
            desk_of(world, mover)
            .send(places[mover], [part for _, part in check_alone(places[mover], orders).parts])
            .block
        )
        other = "ben" if mover == "asuka" else "asuka"
        mail = Mail("turn.eml", "", "", "", "", "", (render_block(block),))
        places[other] = take_in(desk_of(world, other), read_letter(mail)).place


def test_the_form_as_it_stands_is_a_set_up(tmp_path: Path) -> None:
    world = World(tmp_path, "begun")
    told = world.does("asuka", "form")
    orders = re.sub(r"(?m)^# (setup .*;)$", r"\1", told)
    said = world.says("asuka", "check", "-", stdin=orders.encode())
    assert said.code == 0
    assert "accepted: 17 statements" in said.err


def test_the_form_names_standing_orders(tmp_path: Path) -> None:
    world = World(tmp_path, "begun")
    told = world.does("asuka", "form")
    assert "in force" not in told
    orders = re.sub(r"(?m)^# (setup .*;)$", r"\1", told) + "standing retreat any east;\n"
    orders += "standing retreat any west south-west;\nstanding retreat sg-02 east;\nstanding retreat sg-02;\n"
    world.does("asuka", "send", world.write("orders.txt", orders), "-o", world.path("2.eml"))
    world.does("ben", "open", "--quiet", world.path("2.eml"))
    world.bot_sends("ben", 3)
    world.does("asuka", "open", "--quiet", world.path("3.eml"))
    named = [line for line in world.does("asuka", "form").splitlines() if "in force" in line]
    assert named == ["#   in force: standing retreat any west south-west;"], "the others are replaced or cleared"
    assert world.does("asuka", "report").count("Former Shogunate: retreat ") == 1


# --- report ------------------------------------------------------------------------------------------------------


def test_report_in_every_format(world: World) -> None:
    files = {kind: world.path(f"report.{kind}") for kind in ("text", "html", "json", "svg")}
    for kind, file in files.items():
        out = world.does("asuka", "report", "--format", kind)
        assert world.does("asuka", "report", "--format", kind, "-o", file) == ""
        assert Path(file).read_text("utf-8") == out
    assert Path(files["text"]).read_text().startswith("The Battle of Toba-Fushimi")
    assert "<html" in Path(files["html"]).read_text()[:200]
    assert ET.fromstring(Path(files["svg"]).read_text("utf-8")).tag.endswith("svg")  # noqa: S314 our own
    data = json.loads(Path(files["json"]).read_text())
    schemas = {path.name: json.loads(path.read_text()) for path in DOCS.glob("*.schema.json")}
    registry = Registry().with_resources((name, Resource.from_contents(schema)) for name, schema in schemas.items())
    jsonschema.Draft202012Validator(schemas["report.schema.json"], registry=registry).validate(data)
    assert json.loads(world.does("asuka", "report", "--json")) == data
    assert data["reader"]["name"] == "asuka"


def test_report_of_one_map_by_name(world: World) -> None:
    everything = world.does("asuka", "report", "--format", "svg")
    assert world.does("asuka", "report", "--format", "svg", "--map", "toba-fushimi") == everything
    for kind in ("svg", "html"):
        line = world.refused("asuka", "report", "--format", kind, "--map", "toba-fushima")
        assert line == "--map: The Battle of Toba-Fushimi has no map toba-fushima; did you mean toba-fushimi?"


def test_report_with_the_reach_of_a_unit_needs_a_table(world: World) -> None:
    for kind in ("svg", "html"):
        line = world.refused("asuka", "report", "--format", kind, "--reach", "sg-01")
        assert line == "--reach: no unit sg-01 stands on a table; only units on a table have ranges that are drawn"


def test_several_pictures_go_into_files_of_their_own(tmp_path: Path) -> None:
    from pbem.cli.situation import write_pictures
    from pbem.errors import Refused
    from pbem.picture.scene import Picture

    north, south = Picture("north", "North", "<svg>n</svg>"), Picture("south", "South", "<svg>s</svg>")
    assert write_pictures(str(tmp_path / "one.svg"), [north]) == [str(tmp_path / "one.svg")]
    assert write_pictures(str(tmp_path / "map.svg"), [north, south]) == [
        str(tmp_path / "map-north.svg"), str(tmp_path / "map-south.svg"),
    ]  # fmt: skip
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "one.svg": north.svg, "map-north.svg": north.svg, "map-south.svg": south.svg,
    }  # fmt: skip
    with pytest.raises(Refused, match="there are 2 maps; choose `--map north` or `--map south`, or write all with -o"):
        write_pictures("-", [north, south])
    with pytest.raises(Refused, match="played without a map"):
        write_pictures(str(tmp_path / "none.svg"), [])
    assert not (tmp_path / "none.svg").exists()


def test_report_as_png(world: World) -> None:
    file = world.path("map.png")
    world.does("asuka", "report", "--format", "png", "-o", file)
    assert Path(file).read_bytes().startswith(b"\x89PNG")
    assert world.refused("asuka", "report", "--format", "png").endswith("write it with `-o report.png`")
    world.does("asuka", "brief", "toba-fushimi", "--map", file)
    assert Path(file).read_bytes().startswith(b"\x89PNG")


def test_report_as_parts_of_the_map(world: World) -> None:
    file = world.path("part.png")
    crops = ("report", "--crops", "--format", "png", "-o", file)
    world.does("asuka", *crops)
    made = sorted(path.name for path in Path(file).parent.glob("part*.png"))
    assert made == ["part-key.png", *(f"part-toba-fushimi-{n}.png" for n in range(1, 5))]
    assert all((Path(file).parent / name).read_bytes().startswith(b"\x89PNG") for name in made)
    assert world.refused("asuka", *crops, "--entry", "3") == (
        "--crops: nothing has happened on the map since; leave it out to see the whole map"
    )
    for words in (("--format", "svg"), ("--format", "html", "-o", world.path("a.html")), ("-o", file)):
        line = world.refused("asuka", "report", "--crops", *words)
        assert line == "--crops: parts of maps are pictures, each in a file; add `--format png -o report.png`"


def test_report_without_the_extra_for_pictures(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    line = world.refused("asuka", "report", "--format", "png", "-o", world.path("map.png"))
    assert line == "PNG needs an extra; pip install 'pbem[png]', or write an .svg"


def test_report_of_an_earlier_moment(world: World) -> None:
    earlier = [json.loads(world.does("asuka", "report", "--json", "--entry", n)) for n in ("1", "2", "3", "4")]
    assert [data["entry"]["seq"] for data in earlier] == [1, 2, 3, 4]
    on_map = [[side["here"] for side in data["situation"]["sides"]] for data in earlier]
    assert on_map == [[0, 0], [17, 0], [17, 17], [17, 17]]
    assert earlier[3] == json.loads(world.does("asuka", "report", "--json"))


def test_names_of_games_are_read_once_a_command(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """For each mail and game anew they took as many readings as there are games."""
    read = Home.named
    times: list[int] = []
    monkeypatch.setattr(Home, "named", lambda home: times.append(1) or read(home))
    world.does("ben", "open", "--quiet", world.path("4.eml"), world.path("4.eml"), world.path("4.eml"))
    assert sum(times) == 1
    world.does("ben", "games")
    assert sum(times) == 2


def test_the_list_of_games_plays_futures_once_a_log(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """With hundreds of games whose dice wait they took seconds each time."""
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    world.write("o.txt", world.does("ben", "suggest", "--bot", "bold", "--seed", "5"))
    world.does("ben", "send", world.path("o.txt"), "--yes", "-o", world.path("5.eml"))
    played: list[int] = []
    play = asked.foreseen
    monkeypatch.setattr(asked, "foreseen", lambda table: played.append(table.seq) or play(table))
    first = world.does("ben", "games")
    assert ("futures played out" in first, world.does("ben", "games"), played) == (True, first, [5])
    kept = next((world.home("ben") / "cache" / "ahead").iterdir())
    kept.write_bytes(kept.read_bytes().replace(b"asuka", b"mallo"))
    assert (world.does("ben", "games"), played) == (first, [5, 5]), "what isn't as it was kept is none"
    world.does("asuka", "open", "--quiet", world.path("5.eml"))
    world.does("asuka", "games")
    assert not list((world.home("asuka") / "cache" / "ahead").iterdir()), "whose dice they are knows them"


# --- verify and rolls --------------------------------------------------------------------------------------------


def test_verify_needs_no_key_and_no_home(world: World, tmp_path: Path) -> None:
    log = str(world.log("asuka"))
    said = pbem_says("--home", str(tmp_path / "nowhere"), "verify", log)
    assert said.code == 0
    head = place_of(world, "asuka").table.head.hex()
    assert f"head {head}\n" in said.out
    told = json.loads(pbem_says("--home", str(tmp_path / "nowhere"), "verify", "--json", log).out)
    assert (told["ok"], told["entries"], told["rolls"], told["head"]) == (True, 5, 0, head)
    assert told["due"] == {"what": "orders", "player": "ben"}


def test_verify_as_json_of_a_bad_log(world: World) -> None:
    text = world.log("asuka").read_text()
    bad = world.write("bad.log", text.replace("setup sg-02", "setup sg-03", 1))
    said = world.says("asuka", "verify", "--json", bad)
    assert (said.code, said.err) == (1, "")
    told = json.loads(said.out)
    assert not told["ok"]
    assert "entry 2" in told["error"]["where"]
    shorter = pbem_says(
        "verify", world.write("short.log", text[: text.index("-----BEGIN PBEM TURN-----\npbem 1;\nkind orders")])
    )
    head = shorter.out.partition("\nhead ")[2].splitlines()[0]
    assert told["good"] == {"entries": 2, "head": head}
    said = world.says("asuka", "verify", bad)
    assert (said.code, said.out) == (1, "")
    assert said.err.endswith(f"; the first 2 entries are good, head {head}\n")


def test_verify_of_a_log_whose_first_bad_entry_has_a_damaged_first_line(world: World) -> None:
    """Two players can compare how far their logs are good."""
    text = world.log("asuka").read_text()
    parts = text.split("-----BEGIN PBEM TURN-----\n")
    for number in range(1, len(parts) - 1):
        bad = "-----BEGIN PBEM TURN-----\n".join(parts[: number + 1]) + "-----BEGIN PBEM TERN-----\n" + parts[-1]
        said = world.says("asuka", "verify", world.write("bad.log", bad))
        assert said.code == 1
        assert f"bad.log, entry {number}, line 1: '-----BEGIN PBEM TERN-----' stands where" in said.err
        assert said.out == ""
        if number == 1:
            assert "are good" not in said.err, "no game has begun"
            continue
        good = world.says(
            "asuka", "verify", world.write("good.log", "-----BEGIN PBEM TURN-----\n".join(parts[: number + 1]))
        )
        assert good.code == 0
        assert f"{number} entries" in good.out
        told = said.err.rpartition("; ")[2].splitlines()[0]
        assert told.startswith(f"the first {number} entries are good, head ")
        assert f"\n{told.rpartition(', ')[2]}\n" in good.out


def test_rolls(world: World) -> None:
    """What was rolled is told, and the same as data; before the first roll that is said."""
    said = world.says("ben", "rolls", str(world.log("ben")))
    assert (said.code, said.out, said.err) == (0, "", "pbem: nothing was rolled yet\n")
    assert world.does("ben", "rolls", "--json", str(world.log("ben"))) == "[]\n"
    names = ["ben", "asuka"]
    hidden = dict.fromkeys(names, "")
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    for number in range(5, 12):
        mover = next(n for n in names if place_of(world, n).table.due().player == n)
        world.bot_sends(mover, number)
        world.does(names[names.index(mover) - 1], "open", "--quiet", world.path(f"{number}.eml"))
        hidden |= {name: world.says(name, "rolls", str(world.log("ben"))).err for name in names if not hidden[name]}
    reveals = next(name for name in names if ": my next entry shows them" in hidden[name])
    assert f": {reveals}'s next entry shows them" in hidden[names[names.index(reveals) - 1]]
    log = str(world.log("ben"))
    rows = json.loads(world.does("asuka", "rolls", "--json", log))
    told = world.does("asuka", "rolls", log)
    assert len(rows) > 2
    assert told.count("\nentry ") + 1 == len(rows)
    for row in rows:
        assert f"entry {row['seq']}  {row['label']}  " in told
        assert "dice" not in row or len(row["result"]) == row["dice"]
        assert " ".join(row["decided"].split()) in " ".join(told.split())
    assert all(len(line) <= 80 for line in told.splitlines())
    assert json.loads(world.does("ben", "verify", "--json", log))["rolls"] == len(rows)
    mover = next(n for n in names if place_of(world, n).table.due().player == n)
    other = names[names.index(mover) - 1]
    world.does(mover, "undo", "5", "-o", world.path("12.eml"))
    world.does(other, "open", "--quiet", world.path("12.eml"))
    world.does(other, "undo", "--accept", "-o", world.path("13.eml"))
    log = str(world.log(other))
    behind = json.loads(world.does(other, "rolls", "--json", log))
    assert [{**row, "undone": 13} for row in rows] == behind[: len(rows)], "every roll, though none stands any more"
    assert {row.get("undone") for row in behind} == {13}, "the two that the proposal's reveal has brought, too"
    told = " ".join(world.does(other, "rolls", log).split())
    assert told.count("(taken back by entry 13)") == len(behind)
    assert json.loads(world.does(other, "verify", "--json", log))["rolls"] == len(behind)


# --- scenarios and brief -----------------------------------------------------------------------------------------


def test_a_scenario_that_cant_be_loaded_is_told_beside_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fine = [name for name in systems() if name not in ("domyoji", "yao")]
    shutil.copytree(resources.data_folder("scenarios"), tmp_path / "scenarios")
    monkeypatch.setattr(resources, "data_folder", lambda kind: tmp_path / kind)
    shutil.copy(tmp_path / "scenarios/yukimura/yao.yaml", tmp_path / "scenarios/bakumatsu/yao.yaml")
    (tmp_path / "scenarios" / "yukimura" / "domyoji.yaml").write_text("title: The Hill: a battle\n", "utf-8")
    said = pbem_says("scenarios")
    listed = [line.split()[0] for line in said.out.splitlines() if line and line[0] != " "]
    assert (said.code, listed) == (1, fine)
    first, second, *_ = said.err.splitlines()
    assert first == "pbem: bakumatsu and yukimura both have a scenario yao; rename one of them"
    assert second.startswith("pbem: yukimura/domyoji.yaml, line 1: a second colon, ")
    checked = pbem_says("scenarios", "--check", str(tmp_path / "scenarios" / "yukimura" / "domyoji.yaml"))
    assert checked.code == 1
    assert " ".join(checked.out.split()).endswith(
        "above it; put a text with `: ` in quotes; begin the keys of a block at one column"
    )


def test_scenarios_as_json(tmp_path: Path) -> None:
    said = pbem_says("--home", str(tmp_path), "scenarios", "--json")
    (toba,) = [row for row in json.loads(said.out) if row["id"] == "toba-fushimi"]
    assert [side["id"] for side in toba["sides"]] == ["shogunate", "satcho"]
    assert toba["turns"] == 8
    assert toba["reconstructed"]


def test_brief_draws_the_map(tmp_path: Path) -> None:
    file = tmp_path / "toba.svg"
    said = pbem_says("--home", str(tmp_path), "brief", "toba-fushimi", "--map", str(file))
    assert said.code == 0
    assert said.err == f"pbem: the map is in {file}\n"
    assert ET.fromstring(file.read_text("utf-8")).tag.endswith("svg")  # noqa: S314 our own
    assert "RECONSTRUCTED" in said.out
    assert all(len(line) <= 78 for line in said.out.splitlines())


def test_the_ground_of_a_map_is_kept_in_a_home_but_no_home_is_made_for_it(tmp_path: Path) -> None:
    home, files = tmp_path / "home", [tmp_path / f"{number}.svg" for number in range(3)]
    for file in files:
        assert pbem_says("--home", str(home), "brief", "toba-fushimi", "--map", str(file)).code == 0
        assert home.exists() == (file != files[0])
        home.mkdir(exist_ok=True)
    (kept,) = (home / "cache" / "pictures").iterdir()
    assert kept.name == "toba-fushimi-toba-fushimi.drawn"
    assert len({file.read_bytes() for file in files}) == 1


def test_a_command_imports_only_what_it_needs() -> None:
    """Most of what a short command takes is its imports."""
    costly = ["jinja2", "yaml", "email", "pbem.picture.svg", "pbem.report.build", "pbem.rules.bakumatsu"]
    found = f"print([name for name in {costly} if name in sys.modules])"
    code = f"import sys; from pbem.cli import drafts; from pbem.desk import desk; from pbem.match import form; {found}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# --- the demo ----------------------------------------------------------------------------------------------------


def test_the_demo_may_be_run_again_in_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole of it is in the README's transcript; here its beginning has to do."""
    import pbem.cli.demo as demo

    asked: list[tuple[str, str]] = []

    def play(root: Path, scenario: str, bots: str, *_: object) -> list[str]:
        asked.append((scenario, bots))
        return [str(demo._desk(root / name)) for name in demo.NAMES][:0]

    monkeypatch.setattr(demo, "_play", play)
    out = tmp_path / "out"
    for _ in range(2):
        assert pbem_says("demo", "--out", str(out)).code == 0
        assert {path.name for path in out.iterdir()} == {"asuka", "ben", "mail", "reports"}
    assert "a whole game of toba-fushimi" in pbem_says("demo", "--out", str(out)).out
    assert "a whole game of sekigahara" in pbem_says("demo", "--scenario", "sekigahara", "--out", str(out)).out
    assert pbem_says("demo", "--bots", "random", "--out", str(out)).code == 0
    toba = "toba-fushimi"
    assert asked == [(toba, "bold"), (toba, "bold"), (toba, "bold"), ("sekigahara", "bold"), (toba, "random")]
    (out / "thesis.txt").write_text("precious")
    assert pbem_says("demo", "--out", str(out)).code == 1
    assert (out / "thesis.txt").read_text() == "precious"


# --- doubtful orders ---------------------------------------------------------------------------------------------


Doubtful = tuple[World, str, list[dict[str, Any]]]


@pytest.fixture
def doubtful(tmp_path: Path) -> Doubtful:
    """Ben is to fire; orders of which some lapse in three futures of ten or more, and what the check says of them."""
    world = World(tmp_path)
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    again = "fire sa-12 at sg-11\nif is sg-11 disordered then fire sa-12 at sg-11\ndone\n"  # it fires once
    path = world.write("orders.txt", again)
    lapses = json.loads(world.does("ben", "check", "--json", path))["lapses"]
    assert [(lapse["line"], lapse["clause"]) for lapse in lapses] == [(2, "9-1(4)a")]
    assert 0.4 < lapses[0]["share"] < 0.9
    return world, path, lapses


def test_of_orders_that_often_lapse_the_player_is_asked(doubtful: Doubtful) -> None:
    world, path, lapses = doubtful
    before = tree(world.root)
    for answer in ("n\n", "\n", ""):
        said = world.says("ben", "send", path, "-o", world.path("5.eml"), typed=answer)
        assert said.code == 1
        assert f"pbem: line 2: `{' '.join(lapses[0]['words'])}` lapses in " in said.err
        assert "whenever its condition holds, and is never carried out, as in: " in said.err
        assert "pbem: send them as they are? [y/N]: " in said.err
        assert said.err.rstrip().endswith("pbem: nothing is signed; --yes sends them without asking")
        assert tree(world.root) == before
    said = world.says("ben", "send", path, "-o", world.path("5.eml"), typed="y\n")
    assert (said.code, "entry 5 is in my log" in said.err) == (0, True)


def test_check_says_whether_send_will_ask(doubtful: Doubtful) -> None:
    world, path, _ = doubtful
    command = f"pbem send {path} -o turn.eml"
    asks = f"pbem: accepted: 3 statements; `{command}` asks first whether they shall be sent as they are\n"
    assert world.says("ben", "check", path).err.endswith(asks)
    text = Path(path).read_bytes()
    piped = "pbem: accepted: 3 statements; `pbem send - -o turn.eml --yes` sends them as they are\n"
    assert world.says("ben", "check", "-", stdin=text).err.endswith(piped)
    sure = world.write("orders.txt", "done;")
    assert world.says("ben", "check", sure).err.endswith(f"pbem: accepted: 1 statement; `{command}` sends them\n")


def test_where_nobody_can_be_asked_such_orders_are_refused_but_for_yes(doubtful: Doubtful) -> None:
    world, path, _ = doubtful
    before = tree(world.root)
    said = world.says("ben", "send", path, "-o", world.path("5.eml"))
    refusal = "pbem: nobody can be asked here whether these orders shall be sent; --yes sends them as they are"
    assert (said.code, said.err.splitlines()[-1]) == (1, refusal)
    assert tree(world.root) == before
    said = world.says("ben", "send", path, "--yes", "-o", world.path("5.eml"))
    assert said.code == 0
    assert "lapses in" in said.err


def test_a_game_that_has_gone_on_while_i_was_asked_is_left_alone(
    doubtful: Doubtful, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, path, _ = doubtful
    confirm = click.confirm

    def meanwhile(*args: Any, **more: Any) -> bool:
        monkeypatch.setattr(click, "confirm", confirm)
        world.does("ben", "send", path, "--yes", "-o", world.path("other.eml"))
        return True

    monkeypatch.setattr(click, "confirm", meanwhile)
    said = world.says("ben", "send", path, "-o", world.path("5.eml"), typed="y\n")
    assert said.code == 1
    assert "toba-fushimi: the game has gone on meanwhile; nothing is signed; type it again" in said.err


def test_orders_that_nobody_doubts_are_sent_without_a_question(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    said = world.says("ben", "send", world.write("orders.txt", "Done\n"), "-o", world.path("5.eml"), typed="")
    assert (said.code, "[y/N]" in said.err) == (0, False)


@pytest.mark.parametrize("slow", [True, False])
def test_a_long_recovery_or_restore_tells_how_far_it_is(
    slow: bool, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the entries of the game, from the first behind offer and accept."""
    clock = count(0, int(slow))
    monkeypatch.setattr("time.monotonic", lambda: float(next(clock)))
    log = str(world.log("asuka"))
    shutil.rmtree(world.home("ben") / "games")
    world.does("carl", "key", "new")
    ask = ["carl", "recover", log, "--name", "ben", "-o", world.path("ask.eml")]
    for words in (ask, ["ben", "restore", log]):
        said = world.says(*words)
        assert said.code == 0, said.err
        told = re.findall(r"pbem: (entry [0-9]+ of [0-9]+) \.\.\.", said.err)
        assert told[:2] == (["entry 3 of 5", "entry 4 of 5"] if slow else [])


@pytest.mark.parametrize(
    ("more", "whom"), [((), "your opponent"), (("--as", "carl"), "ben"), (("--to", "b@x.org"), "b@x.org")]
)
def test_a_request_for_a_key_goes_to_who_answers_it(tmp_path: Path, more: tuple[str, ...], whom: str) -> None:
    """The opponent grants a new key; who gives his side away answers him who plays it on."""
    world = World(tmp_path)
    world.does("carl", "key", "new")
    ask = ("recover", str(world.log("asuka")), "--name", "ben", *more)
    said = world.says("carl", *ask, "-o", world.path("ask.eml"))
    assert f"mail {world.path('ask.eml')} to {whom}\n" in said.err
    assert ("if ben has lost the key" in said.err) == ("--as" in more)
    assert f"tell {'ben' if '--as' in more else 'the other player'} the fingerprint" in said.err


# --- solo --------------------------------------------------------------------------------------------------------


def test_a_solo_game(tmp_path: Path) -> None:
    """One key, both sides, no mails; `games` tells what `form` and `send` ask for."""
    world = World(tmp_path, "new")
    offer = world.path("offer.eml")
    world.does("asuka", "offer", "toba-fushimi", "--side", "satcho", "--name", "west", "--solo", "-o", offer)
    world.does("asuka", "accept", offer, "--yes", "--name", "east", "-o", world.path("accept.eml"))
    for number in range(2, 14):
        told = json.loads(world.does("asuka", "games", "--json"))["games"][0]
        due = place_of(world, "asuka").table.due()
        assert told["mine"]
        assert (told["entry"], told["from"], told["due"]) == (number - 1, due.player, due.what)
        if due.what in BARE:
            assert world.does("asuka", "send") == ""
        else:
            orders = world.does("asuka", "suggest", "--bot", "random", "--seed", str(number))
            assert world.does("asuka", "send", "-", "--yes", stdin=orders.encode()) == ""
    assert json.loads(world.does("asuka", "verify", "--json", str(world.log("asuka"))))["entries"] == 14
