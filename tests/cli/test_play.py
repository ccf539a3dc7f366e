"""`pbem play`: a game against a bot by the real commands, without a mail; what is told is so."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path
from zipfile import ZipFile

import pytest
from cli_player import Said, pbem_says

from pbem.home.folders import Home
from pbem.wire.turn import read_turns

ORDERS = b"move ii-11 to 2619\nmove ii-12 to 2520\ndone\n"


pytestmark = pytest.mark.usefixtures("blank_page")


def says(root: Path, *words: str, stdin: bytes = b"") -> Said:
    return pbem_says("--home", str(root / "home"), *words, stdin=stdin)


def begun(root: Path, *words: str) -> Said:
    assert says(root, "key", "new").code == 0
    said = says(root, "play", "yao", *words)
    assert said.code == 0, said.err
    return said


def log_of(root: Path) -> Path:
    return Home(root / "home").find(None).log


def talk(said: Said) -> list[str]:
    return [line.removeprefix("pbem: ") for line in said.err.splitlines()]


@pytest.mark.parametrize(("scenario", "side", "order", "why"), [
    ("skirmish", "red", b"setup sp-99 at 10 10 north", "no unit is called `sp-99`"),
    ("shizugatake", "hashiba", b"place hs-01 at himeji", "no unit is called `hs-01`"),
])  # fmt: skip
def test_a_unit_that_no_game_of_mine_has_is_named(
    tmp_path: Path, scenario: str, side: str, order: bytes, why: str
) -> None:
    assert says(tmp_path, "key", "new").code == 0
    assert says(tmp_path, "play", scenario, "--as", side).code == 0
    said = says(tmp_path, "check", "-", stdin=order)
    assert (said.code, said.out) == (1, "")
    assert why in said.err


def test_closing_a_deployment_leaves_nothing_of_it_to_me(tmp_path: Path) -> None:
    assert says(tmp_path, "key", "new").code == 0
    assert says(tmp_path, "play", "shizugatake", "--as", "hashiba").code == 0
    remark = "there is no `done;`"
    assert remark not in says(tmp_path, "check", "-", stdin=b"close deployment").err
    assert remark in says(tmp_path, "check", "-", stdin=b"place hb-05 at himeji").err


def test_a_turn_against_a_bot(tmp_path: Path) -> None:
    said = begun(tmp_path)
    game = log_of(tmp_path).parent.name
    first, *_, next_, hint = talk(said)
    assert first == f"game yao has begun, with the id {game}: I play the Eastern Army, bold plays the Osaka Army"
    assert said.out.startswith("The Battle of Yao")
    assert next_ == "next: orders are asked of me (move): move a unit, or done."
    assert hint == "hint: `pbem edit` opens what may be done in an editor, `pbem form -o orders-2.txt` only writes it"
    said = says(tmp_path, "check", "-", stdin=ORDERS)
    assert talk(said)[-1] == "accepted: 3 statements; `pbem send -` sends them"
    said = says(tmp_path, "send", "-", stdin=ORDERS)
    assert said.code == 0
    assert "Ii riflemen 5 (ii-12) moved from hex 2421 to hex 2520." in said.out
    assert says(tmp_path, "report").out == said.out, "what `open` would have shown"
    assert (log_of(tmp_path).parent / "report.html").read_text() == "a page"
    entry, page, has_answered, next_, _ = [line for line in talk(said) if not line.startswith("line ")]
    assert entry == "entry 2 is in my log"
    assert page.startswith("the report with its pictures: ")
    last = json.loads(says(tmp_path, "verify", "--json", str(log_of(tmp_path))).out)["entries"] - 1
    told = {3: "entry 3 is", 4: "entries 3 and 4 are"}.get(last, f"entries 3 to {last} are")
    assert has_answered == f"bold has answered; {told} in my log"
    assert next_.startswith("next: orders are asked of me (")
    assert log_of(tmp_path).read_bytes() == next((tmp_path / "home/bots/bold/games").glob("*/game.log")).read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["home"], "no mail"


def test_as_the_other_side_the_bot_moves_first(tmp_path: Path) -> None:
    said = begun(tmp_path, "--as", "osaka", "--name", "ben")
    assert "I play the Osaka Army, bold plays the Eastern Army" in said.err
    assert "Report for ben, Osaka Army." in said.out
    told = json.loads(says(tmp_path, "games", "--json").out)["games"][0]
    assert told["mine"]
    assert told["bot"] == "bold"
    assert ": ben (osaka) v bold (east, a bot here)" in " ".join(says(tmp_path, "games").out.split())
    assert told["entry"] > 2
    assert told["due"] in ("orders", "react")
    mine = [turn.entry for turn in read_turns(log_of(tmp_path).read_text()) if turn.entry.by == "ben"]
    assert [entry.kind for entry in mine] == ["offer", "begin", "reveal"]
    assert "WHAT HAPPENED FROM YOUR ENTRY 2 ON" in said.out, "the reveal behind it was sent for me"
    assert said.out == says(tmp_path, "report").out


def test_an_undo_is_granted_at_once_and_a_draw_is_not(tmp_path: Path) -> None:
    begun(tmp_path)
    says(tmp_path, "send", "-", stdin=ORDERS)
    said = says(tmp_path, "undo", "2")
    assert said.code == 0
    assert "move" in talk(said)[-2]
    again = says(tmp_path, "check", "-", stdin=ORDERS)
    assert again.code == 0, "the same move may be made again"
    said = says(tmp_path, "draw")
    assert said.code == 0
    assert "Bold refuses the draw." in said.out
    said = says(tmp_path, "resign", "--yes")
    assert (said.code, "player has resigned" in said.out) == (0, True)
    assert talk(said)[-1].startswith("The game is over, the Osaka Army has won")
    assert json.loads(says(tmp_path, "verify", "--json", str(log_of(tmp_path))).out)["outcome"]["winner"] == "osaka"


def test_send_again_lets_a_bot_answer_that_was_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(tmp_path)

    def cut_off(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patches:
        patches.setattr("pbem.desk.sparring._answer", cut_off)
        said = says(tmp_path, "send", "-", stdin=ORDERS)
        assert (said.code, talk(said)[-1].partition("; ")[0]) == (1, "given up")
        assert re.search("entry [0-9]+ is in my log; `pbem send --again` lets bold answer$", talk(said)[-1])
    told = says(tmp_path, "games").out
    assert "bold's move" in told
    assert "bold plays here and sends no mail: `pbem send --again` lets it go on" in " ".join(told.split())
    assert "are not yet in the log: bold's next entry shows them; in " in " ".join(told.split())
    (ahead,) = (told["ahead"] for told in json.loads(says(tmp_path, "games", "--json").out)["games"])
    report = says(tmp_path, "report").out
    kept = says(tmp_path, "draw").err
    assert "my proposal of a draw is kept, and goes with my next entry" in kept
    assert "kept for the next entry of mine" in says(tmp_path, "games").out
    assert says(tmp_path, "draw", "--withdraw").code == 0
    for words in (ahead, report[report.index("Nothing is asked of you now.") :], kept):
        assert "mail" not in words
    said = says(tmp_path, "send", "--again")
    assert said.code == 0
    assert "bold has answered" in said.err
    assert "my move" in says(tmp_path, "games").out


def test_send_again_lets_a_bot_go_on_behind_an_entry_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was given up before its first orders, behind its accept."""

    def cut_off(*_: object) -> None:
        raise KeyboardInterrupt

    assert says(tmp_path, "key", "new").code == 0
    with monkeypatch.context() as patches:
        patches.setattr("pbem.desk.sparring._answer", cut_off)
        said = says(tmp_path, "play", "yao", "--as", "osaka")
        assert said.code == 1
        assert "`pbem send --again` lets bold answer" in said.err
    said = says(tmp_path, "send", "--again")
    assert said.code == 0, said.err
    assert "bold has answered" in said.err
    assert "my move" in says(tmp_path, "games").out
    said = says(tmp_path, "send", "--again")
    assert (said.code, "mine was answered" in said.err) == (1, True)


@pytest.mark.parametrize("cut", ["pbem.desk.desk.Desk.accept", "pbem.desk.sparring.take_in"])
def test_a_game_that_is_given_up_as_it_begins_is_none(
    cut: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither an offer of mine nor a game of the bot's is left."""

    def cut_off(*_: object) -> None:
        raise KeyboardInterrupt

    assert says(tmp_path, "key", "new").code == 0
    with monkeypatch.context() as patches:
        patches.setattr(cut, cut_off)
        said = says(tmp_path, "play", "yao")
        assert (said.code, talk(said)[-1]) == (1, "given up")
    home = Home(tmp_path / "home")
    assert [*home.offers(), *home.games(), *Home(home.root / "bots" / "bold").games()] == []
    assert says(tmp_path, "play", "yao").code == 0


def test_a_recovery_that_was_cut_off_is_finished_by_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never by a second turn for the same number. The log is gone through once: adverse dice take long."""
    at = {name: ("--home", str(tmp_path / name)) for name in ("anna", "ben", "new")}
    rec, log, first, second = (str(tmp_path / name) for name in ("rec", "old.log", "first.eml", "second.eml"))
    offer, accept = str(tmp_path / "offer.eml"), str(tmp_path / "accept.eml")
    for words in (
        ("--key", rec, "key", "new"), *((*home, "key", "new") for home in at.values()),
        (*at["anna"], "offer", "yao", "--side", "osaka", "--name", "anna", "--recovery-key", f"{rec}.pub", "-o", offer),
        (*at["ben"], "accept", offer, "--yes", "--name", "ben", "-o", accept),
        (*at["anna"], "open", "--quiet", accept), (*at["anna"], "send", "-o", str(tmp_path / "2.eml")),
        (*at["ben"], "open", "--quiet", str(tmp_path / "2.eml")),
        (*at["ben"], "send", "-", "--yes", "-o", str(tmp_path / "3.eml")),
        (*at["anna"], "open", "--quiet", str(tmp_path / "3.eml")),
    ):  # fmt: skip
        assert (said := pbem_says(*words, stdin=b"done;")).code == 0, said.err
    (folder,) = Home(tmp_path / "anna").games()
    Path(log).write_text(folder.text())
    again = (*at["new"], "recover", log, "--name", "anna", "--recovery-key", rec, "-o")
    with monkeypatch.context() as patches:
        patches.setattr("pbem.home.folders.Folder._verified", None)
        assert (said := pbem_says(*again, first)).code == 0, said.err
    (mine,) = Home(tmp_path / "new").games()
    signed = mine.text()
    said = pbem_says(*again, second)
    assert said.code == 1
    assert said.err.endswith(
        "this recovery is signed already: it is entry 4 of the log here; `pbem send --again -o FILE` writes its mail\n"
    )
    mine.remove()  # as if it had been cut off between the note of what is signed and the log
    assert (said := pbem_says(*again, second)).code == 0, said.err
    assert mine.text() == signed


@pytest.mark.parametrize(
    ("words", "code", "what"),
    [
        (("yao", "--as", "west"), 1, "yao has no side west"),
        (("sekigahara",), 1, "no scenario is called 'sekigahara'"),
        (("yao", "--against", "clever"), 2, "clever"),
        (("yao", "--name", "bold"), 1, "bold is the bot's name"),
        (("yao", "--name", "A B"), 1, "can't be a player's name"),
        (("yao", "--option", "command-range=perhaps"), 1, "command-range can't be perhaps"),
    ],
)
def test_what_cant_be_played(words: tuple[str, ...], code: int, what: str, tmp_path: Path) -> None:
    says(tmp_path, "key", "new")
    said = says(tmp_path, "play", *words)
    assert (said.code, said.out) == (code, "")
    assert what in said.err
    assert not (tmp_path / "home" / "games").exists()
    assert not (tmp_path / "home" / "bots").exists()


def test_without_a_key_nothing_begins(tmp_path: Path) -> None:
    said = says(tmp_path, "play", "yao")
    assert (said.code, "`pbem key new` makes one" in said.err) == (1, True)
    assert not (tmp_path / "home").exists()


def test_a_game_against_a_bot_goes_on_where_it_is_restored(tmp_path: Path) -> None:
    begun(tmp_path)
    said = says(tmp_path, "backup", str(tmp_path / "pbem.zip"))
    assert (said.code, said.err) == (
        0,
        f"pbem: {tmp_path}/pbem.zip holds 1 game, with the key: keep it where nobody else reads it\n",
    )
    names = ZipFile(tmp_path / "pbem.zip").namelist()
    assert not [name for name in names if "cache" in name or ".lock" in name or ".holder" in name]
    other = tmp_path / "other"
    restored = says(other, "restore", str(tmp_path / "pbem.zip"))
    assert (restored.code, "not restored" in restored.err) == (0, False)
    assert says(other, "report").out == says(tmp_path, "report").out
    key = Path("home/bots/bold/key")
    assert (other / key).read_bytes() == (tmp_path / key).read_bytes()
    assert stat.S_IMODE((other / key).stat().st_mode) == 0o600
    said = says(other, "send", "-", stdin=ORDERS)
    assert (said.code, "bold has answered" in said.err) == (0, True)
    assert says(other, "verify", str(log_of(other))).code == 0


def test_without_my_key_a_backup_has_the_bot_s(tmp_path: Path) -> None:
    begun(tmp_path)
    assert says(tmp_path, "backup", "--without-key", str(tmp_path / "pbem.zip")).code == 0
    names = ZipFile(tmp_path / "pbem.zip").namelist()
    assert ("key" in names, "bots/bold/key" in names) == (False, True)


def test_another_key_of_the_bot_stays_and_my_game_is_restored(tmp_path: Path) -> None:
    begun(tmp_path)
    says(tmp_path, "backup", str(tmp_path / "pbem.zip"))
    other = tmp_path / "other"
    begun(other)
    key = other / "home/bots/bold/key"
    before = key.read_bytes()
    (other / "home" / "key").unlink()
    (other / "home" / "key.pub").unlink()
    said = says(other, "restore", str(tmp_path / "pbem.zip"))
    assert said.code == 0, said.err
    assert "games against the bot in bots/bold can't go on here" in said.err
    assert "another key is here, and stays" in said.err
    assert (key.read_bytes(), len(Home(other / "home").games())) == (before, 2)
