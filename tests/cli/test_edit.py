"""Orders in an editor, and what is said of files that hold no orders; the editors are cp, true and false."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from cli_player import Said, World, tree

import pbem.cli.edit
from pbem.match.form import sealed


@pytest.fixture(autouse=True)
def _machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "true")


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Asuka has to set up; good.txt is a set-up."""
    world = World(tmp_path, "begun")
    world.write("good.txt", world.does("asuka", "suggest", "--bot", "random", "--seed", "2"))
    return world


def draft(world: World, number: int = 2) -> Path:
    """The file in which asuka's orders for an entry stand."""
    return world.log("asuka").with_name(f"orders-{number}.txt")


def edits(world: World, typed: str, *words: str) -> Said:
    """Asuka types `pbem edit`, and answers."""
    return world.says("asuka", "edit", *words, typed=typed)


def test_the_form_is_opened_and_what_was_typed_is_kept(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    form, log = world.does("asuka", "form"), world.log("asuka").read_bytes()
    said = edits(world, "l\n")
    assert (said.code, sealed(draft(world).read_text("utf-8"))) == (0, form)
    assert draft(world).stat().st_mode & 0o777 == 0o600
    assert "orders are begun" not in world.does("asuka", "games"), "nothing is typed yet"
    assert "orders-2.txt: it holds no orders; take the # away before those you want" in said.err
    assert "hint: nothing was changed" in said.err
    assert "pbem: edit again or leave? [e/l] " in said.err
    assert f"nothing is signed; the orders stay in {draft(world)}" in said.err
    monkeypatch.setenv("VISUAL", f"cp '{world.write('half.txt', 'setup sg-01 1810')}'")  # before EDITOR
    said = edits(world, "")
    assert (said.code, draft(world).read_text()) == (0, "setup sg-01 1810")
    assert "accepted: 1 statement\n" in said.err
    assert "hint: nothing was changed" not in said.err
    begun = "orders are begun in orders-2.txt of the game's folder: `pbem edit` goes on with them"
    assert begun in " ".join(world.does("asuka", "games").split())
    assert json.loads(world.does("asuka", "games", "--json"))["games"][0]["draft"] == str(draft(world))
    monkeypatch.delenv("VISUAL")
    said = edits(world, "leave\n")
    assert f"it goes on with what is in {draft(world)}" in said.err
    assert (draft(world).read_text(), world.log("asuka").read_bytes()) == ("setup sg-01 1810", log)
    draft(world).write_text("\n")
    edits(world, "l\n")
    assert sealed(draft(world).read_text("utf-8")) == form, "an empty file is one to begin with"


def test_good_orders_are_sent_as_send_does(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", f"cp {world.path('good.txt')}")
    note = ("--note", world.write("note.txt", "Shall we meet on Sunday?"))
    said = edits(world, "send\n", "-o", world.path("2.eml"), "--to", "new@example.net", *note)
    assert said.code == 0
    assert "Shall we meet on Sunday?" in Path(world.path("2.eml")).read_text()
    assert "pbem: edit again, send or leave? [e/s/l] " in said.err
    assert "entry 2 is in my log; mail " in said.err
    assert "to new@example.net" in said.err
    assert world.says("ben", "open", "--quiet", world.path("2.eml")).code == 0
    assert draft(world).is_file()
    line = world.refused("asuka", "edit")
    assert line.startswith(
        "nobody can be asked here what to do with the orders; do it by hand with `pbem form`, `pbem "
    )
    line = world.refused("asuka", "edit", "--yes")
    assert "what to do with the orders, which --yes doesn't say: it sends doubtful ones unasked; do it by hand" in line
    assert edits(world, "").err.startswith("pbem: nothing is due from asuka; ")
    world.does("asuka", "backup", world.path("kept.zip"))
    assert not [name for name in ZipFile(world.path("kept.zip")).namelist() if "orders" in name]


def test_bad_orders_are_not_sent(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    log = world.log("asuka").read_bytes()
    monkeypatch.setenv("EDITOR", f"cp {world.write('bad.txt', 'done')}")
    said = edits(world, "s\nsend\nL\n")
    assert said.err.count("pbem: edit again or leave? [e/l] ") == 3
    assert "orders-2.txt, line 1: `done`: " in said.err
    assert world.log("asuka").read_bytes() == log


def test_what_is_sent_was_checked(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that changes between check and answer, in an editor that is still open, is checked again."""
    monkeypatch.setenv("EDITOR", f"cp {world.path('good.txt')}")
    answers = iter(("send", "leave"))

    def answer(**_: bool) -> str:
        draft(world).write_text("done")
        return next(answers)

    monkeypatch.setattr(pbem.cli.edit, "_answer", answer)
    said = edits(world, "")
    assert "accepted: 17 statements" in said.err
    assert "the file has changed since it was checked; it is checked again" in said.err
    assert "orders-2.txt, line 1: `done`: " in said.err
    assert "entry 2" not in said.err


def test_orders_that_wait_are_not_sent_into_a_game_that_has_gone_on(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", f"cp {world.path('good.txt')}")

    def answer(**_: bool) -> str:
        world.does("asuka", "send", world.path("good.txt"), "-o", world.path("other.eml"))
        return "send"

    monkeypatch.setattr(pbem.cli.edit, "_answer", answer)
    said = edits(world, "", "-o", world.path("2.eml"))
    assert said.code == 1
    assert "the game has gone on meanwhile; nothing is signed" in said.err
    assert not Path(world.path("2.eml")).exists()


def test_ctrl_c_in_the_editor_is_for_the_editor(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would end the program, and with it an editor that goes on, and what was typed there would be lost."""
    script = f"kill -INT $PPID; sleep 0.1; cp {world.path('good.txt')} $0"
    monkeypatch.setenv("EDITOR", f"sh -c '{script}'")
    said = edits(world, "l\n")
    assert (said.code, "accepted: 17 statements" in said.err) == (0, True), said.err


def test_an_editor_leaves_standard_output_to_the_mail(
    world: World, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EDITOR", "echo")
    edits(world, "l\n")
    out, err = capfd.readouterr()
    assert (out, err) == ("", f"{draft(world)}\n")


def test_of_doubtful_orders_the_player_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(tmp_path)
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    again = "fire sa-12 at sg-11\nif is sg-11 disordered then fire sa-12 at sg-11\ndone\n"  # it fires once
    monkeypatch.setenv("EDITOR", f"cp {world.write('orders.txt', again)}")
    log = world.log("ben").read_bytes()
    said = world.says("ben", "edit", "-o", world.path("5.eml"), typed="s\nn\nl\n")
    assert (said.code, world.log("ben").read_bytes()) == (0, log)
    assert " lapses in " in " ".join(said.out.split())
    assert said.err.count("pbem: send them as they are? [y/N]: ") == 1
    said = world.says("ben", "edit", "-o", world.path("5.eml"), "--yes", typed="s\n")
    assert "send them as they are" not in said.err
    assert "entry 5 is in my log" in said.err


@pytest.mark.parametrize(
    ("editor", "says"),
    [
        ("", "no editor is named in VISUAL or EDITOR; `export EDITOR=nano` names one; or do it by hand"),
        (" ", "no editor is named in VISUAL or EDITOR; "),
        ('nano "', "EDITOR: 'nano \"' can't be read as a command; a quotation mark has no partner"),
        (
            "no-such-editor -w",
            "no-such-editor: the editor can't be started: No such file or directory; VISUAL or EDITOR",
        ),
        ("false", "false: the editor has ended with 1; nothing is signed; what was typed is in "),
    ],
)
def test_editors_that_do_not_work(editor: str, says: str, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", editor)
    said = edits(world, "s\n")
    assert (said.code, said.err.startswith(f"pbem: {says}")) == (1, True), said.err


def test_edit_says_what_send_says(tmp_path: Path) -> None:
    """Where a reveal is due, or an answer to a proposal, no orders are taken: in the same words."""
    world = World(tmp_path)
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    orders = world.write("orders.txt", "done\n")
    world.does("ben", "send", "-", "-o", world.path("5.eml"), stdin=b"fire sa-12 at sg-11")
    world.does("asuka", "open", "--quiet", world.path("5.eml"))
    words = "only a reveal is due, no orders are asked; `pbem send -o turn.eml`, without any, sends it"
    for command in (("send", orders), ("check", orders)):
        assert world.refused("asuka", *command) == f"orders.txt: {words}"
    assert edits(world, "").err == f"pbem: {words}\n"
    world.does("asuka", "draw", "-o", world.path("6.eml"))
    world.does("ben", "open", "--quiet", world.path("6.eml"))
    refusal = world.refused("ben", "send", orders)
    assert refusal.startswith("I have to accept or refuse a proposal; `pbem draw --accept")
    for command in (("check", orders), ("form",), ("suggest",)):
        assert world.refused("ben", *command) == refusal
    assert world.says("ben", "edit", typed="").err == f"pbem: {refusal}\n"


# --- files that hold no orders -----------------------------------------------------------------------------------


@pytest.mark.parametrize("file", ["accept.eml", "mbox", "webmail.txt"])
def test_a_mail_in_place_of_orders(file: str, world: World) -> None:
    world.write("mbox", b"From ben@example.net Sat Nov 21 11:00:00 2026\nSubject: none\n\nGood day\n")
    mail = Path(world.path("accept.eml")).read_text("ascii")
    block = mail[mail.index("-----BEGIN PBEM TURN") :]
    world.write("webmail.txt", "Hello!\n\n" + "".join(f"> {line}\n" for line in block.splitlines()))
    path = str(next(world.root.glob(file)))
    name = path.removeprefix(f"{world.root}/")
    refusal = f"{name}: it is a mail, no order file; `pbem open {name}` opens mails"
    for command in ("check", "send"):
        assert world.refused("asuka", command, path).replace("\n", "") == refusal
    assert world.refused("asuka", "check", "-", stdin=Path(path).read_bytes()).startswith(
        "standard input: it is a mail"
    )
    said = world.says("asuka", "check", "--json", path)
    assert json.loads(said.out)["error"]["what"] == "it is a mail, no order file"


def test_a_log_an_archive_or_a_page_in_place_of_orders(world: World) -> None:
    said = world.refused("asuka", "check", "-", stdin=world.log("asuka").read_bytes())
    assert said == "standard input: it is a game's log, no order file; `pbem verify -` verifies it"
    world.does("asuka", "backup", world.path("b.zip"))
    assert world.refused("asuka", "send", world.path("b.zip")).startswith("b.zip: it is a zip archive, as backups and ")
    form = "`pbem form -o FILE` makes an order file"
    page = f"r.html: it is a page or a picture (HTML, SVG), no order file; {form}"
    assert world.refused("asuka", "check", world.write("r.html", "\n<!doctype html>\n<p>")) == page
    assert world.refused("asuka", "lay", world.write("e.txt", "\n \n")).startswith("e.txt: it is empty; `pbem form` ")
    assert world.refused("asuka", "check", str(world.root)).endswith(f"it can't be read: Is a directory; {form}")


def test_check_tells_all_errors_and_send_the_first_twenty(world: World) -> None:
    path = world.write("orders.txt", "setup sg-01 9999\n" * 25)
    before = tree(world.root)
    lines = world.says("asuka", "check", path).err.splitlines()
    assert len(lines) == 25
    assert lines[24].startswith(f"pbem: {path}, line 25: ")
    lines = world.says("asuka", "send", path).err.splitlines()
    assert (len(lines), lines[-1]) == (21, "pbem: and 5 more; `pbem check` tells of each")
    assert lines[19].startswith(f"pbem: {path}, line 20: ")
    assert len(json.loads(world.says("asuka", "check", "--json", path).out)["errors"]) == 25
    assert tree(world.root) == before
    path = world.write("orders.txt", "setup sg-01 9999\n" * 20)
    assert len(world.says("asuka", "check", path).err.splitlines()) == 20
