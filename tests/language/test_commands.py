"""Commands speak Japanese: help, errors, hints and what they print have no English words but what is typed."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from types import ModuleType

import click
import pytest
from cli_player import World, pbem_says

from pbem.cli import COMMANDS, common
from pbem.cli.asking import confirm
from pbem.cli.common import echo, hint, tell
from pbem.errors import BadScenario, Defect, IllegalOrder, PbemError
from pbem.language import COMPLETE, shown, spoken
from pbem.language.lines import across
from pbem.rules import SYSTEMS

STAYS = (
    r"`[^`]*`|--?[a-z][\w-]*|\[[a-z<=x0-9|]+\]|[\w./~\[\]-]*[./][\w./~\[\]-]+|\w+/|'[^']*'|\bpbem(?:\[\w+\])?"
    r"|\b(?:PBEM_\w+|NO_BROWSER|VISUAL|EDITOR|OpenSSH|Ed25519|ssh-\w+|JSON|HTML|PNG|ASCII|UTF-8|zip|mbox|Maildir|Dask)\b"
    r"|\b(?:Ctrl-C|ID|png|base64)\b|\bSHA256:\S+|\b[0-9a-f]{8,}\b|BEGIN PBEM TURN|END PBEM TURN"
    r"|\b5th Infantry\b|\btoba-fushimi\b|\blady-asuka\b|\bed25519\b"
)
"""What is typed as it stands: commands, options, choices, files, variables; names of formats and of programs, ids."""

TYPED = {
    *COMMANDS, "new", "show", "standing", "adverse", "bold", "steady", "random", "text", "melee", "player", "home",
    "asuka", "ben", "shogunate",
}  # fmt: skip
"""Words that are typed too: commands, and values of options."""


@pytest.fixture(autouse=True)
def all_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each game is told in Japanese, whether or not all of it is."""
    monkeypatch.setitem(COMPLETE, "ja", frozenset(SYSTEMS))


def english(told: str, *typed: str) -> list[str]:
    """The English words in what was told, but for those that were typed."""
    found = re.findall(r"[A-Za-z]{2,}", re.sub(STAYS, "", told, flags=re.ASCII))
    return [word for word in found if word not in {*TYPED, *typed}]


def help_of(*words: str) -> str:
    """The help of a command, but for its examples."""
    told = pbem_says(*words, "--help").out
    return re.split(r"\n *例：", told)[0] + "".join(re.split(r"(?=\n\w+：\n)", told)[1:])


# --- help ------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize("words", [(), *((name,) for name in COMMANDS), ("key", "new"), ("key", "show")], ids=" ".join)
def test_help_is_in_japanese_and_fits_into_its_columns(words: tuple[str, ...]) -> None:
    told = help_of(*words)
    first, _, rest = told.partition("\n")
    assert first.startswith("使い方： pbem")
    assert english(first.replace(" ".join(["pbem", *words]), "")) == []
    assert english(rest) == []
    assert max(map(across, told.splitlines())) <= 80


def test_help_is_as_it_was_in_english(catalogues: ModuleType) -> None:
    before = pbem_says("offer", "--help").out
    with spoken("ja"):
        assert pbem_says("offer", "--help").out != before
    assert pbem_says("offer", "--help").out == before
    assert before.startswith("Usage: pbem offer [OPTIONS] SCENARIO\n")


@pytest.mark.usefixtures("japanese")
def test_a_line_of_help_breaks_at_a_narrow_terminal_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "52")
    told = pbem_says("undo", "--help").out
    assert max(map(across, told.splitlines())) <= 52
    assert "エントリーの取り消し" in told


# --- errors ----------------------------------------------------------------------------------------------------------

REFUSED = [
    ("sned",),
    ("send", "--agian"),
    ("send", "--game"),
    ("open",),
    ("offer",),
    ("offer", "toba-fushimi", "--side", "shogun", "--name", "asuka"),
    ("offer", "toba-fushimi", "--side", "shogunate", "--name", "Lady Asuka"),
    ("offer", "toba-fushimi", "--side", "shogunate", "--name", "asuka", "--deadline", "0"),
    ("offer", "toba-fushimi", "--side", "shogunate", "--name", "asuka", "--reactions", "never"),
    ("offer", "toba-fushimi", "--side", "shogunate", "--name", "asuka", "--mail", "asuka.example.org"),
    ("offer", "nowhere", "--side", "shogunate", "--name", "asuka"),
    ("brief", "toba-fushim"),
    ("verify", "none.log"),
    ("open", "none.eml"),
    ("key", "show"),
    ("games", "--withdraw", "12"),
    ("report",),
    ("restore", "none.zip"),
    ("backup",),
    ("simulate", "toba-fushimi", "--games", "1", "--first", "clever", "--second", "bold"),
    ("undo",),
    ("lay", "--off", "orders.txt"),
    ("table", "extra", "words"),
    ("tutorial", "."),
]
"""What is refused in a folder with one file, without a key."""


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize("words", REFUSED, ids=" ".join)
def test_a_refusal_is_in_japanese(words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("orders.txt").write_text("done\n")
    said = pbem_says("--home", "home", *words)
    assert said.code in (1, 2)
    assert said.err.startswith("pbem: ")
    assert english(said.err, *words) == []


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Ben has opened asuka's newest turn, 4.eml, and is asked for orders."""
    return World(tmp_path, "opened")


IN_A_GAME = [
    ("ben", "send", "empty.txt"),
    ("ben", "check", "4.eml"),
    ("ben", "check", "empty.txt"),
    ("ben", "check", "talk.txt"),
    ("ben", "resign"),
    ("ben", "claim"),
    ("ben", "undo", "99"),
    ("ben", "lay", "orders.txt", "--for", "supper"),
    ("ben", "report", "--entry", "99"),
    ("ben", "report", "--format", "png"),
    ("ben", "report", "--format", "svg", "--map", "nowhere"),
    ("ben", "games", "--rename", "toba-fushimi", "No Name"),
    ("ben", "games", "--withdraw", "12"),
    ("ben", "draw", "--withdraw"),
    ("ben", "undo", "--withdraw"),
    ("ben", "open", "orders.txt"),
    ("ben", "open", "key.txt"),
    ("ben", "open", "cut.eml"),
    ("ben", "accept", "offer.eml", "--name", "ben"),
    ("ben", "send"),
    ("ben", "send", "orders.txt", "--again"),
    ("asuka", "rekey", "nowhere"),
    ("asuka", "replay", "nowhere"),
    ("asuka", "replay", "orders.txt"),
    ("asuka", "--head", "12", "form"),
]
"""What is refused to players in the midst of a game."""


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize("words", IN_A_GAME, ids=" ".join)
def test_what_is_refused_in_a_game_is_in_japanese(
    words: tuple[str, ...], world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world.root)
    Path("orders.txt").write_text("done\n")
    Path("empty.txt").write_text("")
    Path("talk.txt").write_text('"\n')
    Path("key.txt").write_bytes(world.home("ben").joinpath("key").read_bytes())
    Path("cut.eml").write_text("-----BEGIN PBEM TURN-----\npbem 1;\n")
    name, *typed = words
    said = world.says(name, *typed)
    assert said.code != 0
    assert english(said.err, *words) == []


@pytest.mark.usefixtures("japanese")
def test_data_for_programs_and_exit_codes_stay_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = pbem_says("--home", "home", "verify", "none.log", "--json")
    with spoken("en"):
        assert pbem_says("--home", "home", "verify", "none.log", "--json") == told
    assert "can't be read" in told.out


JSON_COMMANDS = [
    ("games", "--json"),
    ("report", "--json"),
    ("report", "--format", "json"),
    ("report", "--so-far", "--json"),
]


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize("words", JSON_COMMANDS, ids=" ".join)
def test_what_programs_read_of_a_game_is_english_in_every_language(words: tuple[str, ...], world: World) -> None:
    told = world.does("ben", *words)
    with spoken("en"):
        assert world.does("ben", *words) == told
    assert told.isascii()


# --- how errors, hints and questions are told -------------------------------------------------------------------------


def told_of(error: PbemError, about: str, capsys: pytest.CaptureFixture[str]) -> str:
    tell(error, about)
    return capsys.readouterr().err


@pytest.mark.usefixtures("japanese")
def test_an_error_has_its_place_what_it_is_what_would_be_right_and_its_clause(
    capsys: pytest.CaptureFixture[str],
) -> None:
    error = IllegalOrder("it is empty", "orders.txt, line 3", "write `date: TEXT`", "12-1")
    told = told_of(error, "game yao: ", capsys)
    assert told == "pbem: ゲーム yao：orders.txt, 3行目：空です。`date: 文字列` と書いてください [12-1]\n"
    assert str(error) == "orders.txt, line 3: it is empty; write `date: TEXT` [12-1]"


@pytest.mark.usefixtures("japanese")
def test_the_name_of_a_file_stays_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    told = told_of(PbemError("it is empty", "my turn by ben.eml"), "", capsys)
    assert told == "pbem: my turn by ben.eml：空です\n"


@pytest.mark.usefixtures("japanese")
def test_each_defect_of_a_scenario_has_its_line_and_those_that_are_not_listed_are_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    defects = [Defect(f"units {number}", "is missing", "name it once") for number in range(101)]
    lines = told_of(BadScenario("101 defects", "hill.yaml", defects=defects), "", capsys).splitlines()
    assert lines[0] == "pbem: hill.yaml：101件の欠陥"
    assert lines[1] == "pbem:   units 0：がありません。一度だけ書いてください"
    assert lines[-1] == "pbem:   ほかに2件"
    assert len(lines) == 101


@pytest.mark.usefixtures("japanese")
def test_a_hint_is_called_so_and_a_command_in_it_stays(capsys: pytest.CaptureFixture[str]) -> None:
    hint("`pbem draw --withdraw` takes it back")
    echo("draw")
    assert capsys.readouterr().err == "pbem: ヒント：`pbem draw --withdraw` で取り下げます\npbem: 引き分け\n"


@pytest.mark.usefixtures("japanese")
def test_few_words_round_what_is_not_recognised_are_no_sentence() -> None:
    assert shown("game yao") == "ゲーム yao"
    assert shown("game that nobody has ever played") == "game that nobody has ever played"


@pytest.mark.usefixtures("japanese")
def test_names_are_told_but_not_in_what_is_to_be_typed() -> None:
    assert shown("Akaike, not `move Akaike`", {"Akaike": "赤池"}) == "赤池, not `move Akaike`"


@pytest.mark.usefixtures("japanese")
def test_what_is_asked_and_what_click_says_of_an_answer_is_in_japanese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(click.termui, "_", click.termui._)  # type: ignore[attr-defined]
    said = asked(monkeypatch, "perhaps\nyes\n")
    assert (
        said
        == "pbem: このまま送りますか？ [y/N]: エラー：y か n を入力してください\npbem: このまま送りますか？ [y/N]: "
    )


def asked(patches: pytest.MonkeyPatch, typed: str) -> str:
    """What is printed as a question is answered so."""
    from click.testing import CliRunner

    @click.command()
    def question() -> None:
        assert confirm(common.in_words("send them as they are?"))

    result = CliRunner().invoke(question, input=typed, catch_exceptions=False)
    return re.sub("perhaps\n|yes\n", "", result.stderr)


@pytest.mark.usefixtures("japanese")
def test_the_subject_of_an_offer_is_in_japanese(tmp_path: Path) -> None:
    world = World(tmp_path, "opened")
    offer = ("offer", "toba-fushimi", "--side", "shogunate", "--name", "asuka", "-o", world.path("new-offer.eml"))
    world.does("asuka", *offer)
    mail = message_from_bytes(Path(world.path("new-offer.eml")).read_bytes(), policy=default)
    assert mail["subject"] == "pbem：鳥羽・伏見の戦い、申し込み"
