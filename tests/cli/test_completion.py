"""Shell completion: what is offered where, by each shell's own request; nothing of the rules is imported for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from cli_player import World, pbem_says

from pbem.cli import COMMANDS, pbem
from pbem.match.bots import BOTS
from pbem.scenario import list_scenarios, load_scenario, sides_of, systems

PROGRAM = "from pbem.cli import main; main()"


def completed(capsys: pytest.CaptureFixture[str], patches: pytest.MonkeyPatch, *words: str) -> list[str]:
    """What is offered for the last of these words, as bash is told: `plain,offer` or, for files, `file,`."""
    patches.setenv("_PBEM_COMPLETE", "bash_complete")
    patches.setenv("COMP_WORDS", " ".join(["pbem", *words]).rstrip())
    patches.setenv("COMP_CWORD", str(len(words)))
    with pytest.raises(SystemExit) as leaving:
        pbem.main([], prog_name="pbem", standalone_mode=False)
    assert leaving.value.code == 0
    return list(filter(None, capsys.readouterr().out.splitlines()))


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("",), [f"plain,{name}" for name in COMMANDS]),
        (("re",), ["plain,report", "plain,replay", "plain,resign", "plain,rekey", "plain,recover", "plain,restore"]),
        (("--ho",), ["plain,--home"]),
        (("xyzzy", "ru"), ["plain,rules"]),
        (("key", ""), ["plain,new", "plain,show"]),
        (("brief", "yao"), ["plain,yao"]),
        (("brief", "x"), []),
        (("demo", "--scenario", "toba"), ["plain,toba-fushimi"]),
        (("offer", "yao", "--side", ""), ["plain,east", "plain,osaka"]),
        (("offer", "toba-fushimi", "--side", "sat"), ["plain,satcho"]),
        (("offer", "sekigahara", "--side", ""), []),
        (("offer", "--side", ""), []),
        (("rules", "ya"), ["plain,yao"]),
        (("rules", "b"), ["plain,bakumatsu"]),
        (("rules", "yao", ""), []),
        (("send", ""), ["file,"]),
        (("send", "-o", ""), ["file,"]),
        (("open", "a.eml", ""), ["file,"]),
        (("verify", "ga"), ["file,ga"]),
        (("send", "--ma"), ["plain,--mailto"]),
        (("simulate", "yao", "--first", ""), [f"plain,{name}" for name in BOTS]),
        (("suggest", "--bot", ""), ["plain,bold", "plain,random", "plain,steady"]),
        (("offer", "--reactions", ""), ["plain,standing", "plain,ask"]),
    ],
)
def test_what_is_offered(
    words: tuple[str, ...], offered: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert completed(capsys, monkeypatch, *words) == offered


def test_games_are_those_of_the_home_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(tmp_path, "begun")
    asuka = str(world.home("asuka"))
    assert completed(capsys, monkeypatch, "--home", asuka, "form", "--game", "tob") == ["plain,toba-fushimi"]
    assert completed(capsys, monkeypatch, "--home", asuka, "form", "--game", "xyz") == []
    assert completed(capsys, monkeypatch, "--home", str(tmp_path / "none"), "form", "--game", "") == []
    monkeypatch.setenv("PBEM_HOME", asuka)
    assert completed(capsys, monkeypatch, "form", "--game", "") == ["plain,toba-fushimi"]


def test_ids_and_sides_without_a_look_at_maps_are_those_of_the_scenarios() -> None:
    assert systems() == {summary.id: summary.system for summary in list_scenarios()}
    for scenario in systems():
        sides = load_scenario(scenario).data["scenario"]["sides"]
        assert sides_of(scenario) == [(side["id"], side["title"]) for side in sides]


SHELLS = ("bash", "zsh", "fish")


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_is_given_its_script(shell: str) -> None:
    if shell == "bash" and not shutil.which("bash"):
        pytest.skip("no bash is here, which is asked for its version")
    environment = os.environ | {"_PBEM_COMPLETE": f"{shell}_source"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=environment, check=True)
    assert f"_PBEM_COMPLETE={shell}_complete" in done.stdout


def test_nothing_of_the_rules_is_imported_to_complete() -> None:
    """Of a system nothing; of a command that isn't called its module neither."""
    code = (
        "import sys\nfrom pbem.cli import run\ntry: run()\nexcept SystemExit: pass\n"
        "print(sorted(n for n in sys.modules if n.startswith(('pbem.rules.', 'pbem.cli.', 'jinja2'))))"
    )
    for words, cli in (
        ("pbem ", ["completion"]),
        ("pbem offer toba-fushimi --side ", ["common", "completion", "files", "naming", "noting", "offers", "written"]),
    ):
        asked = {"_PBEM_COMPLETE": "zsh_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | asked, check=True
        )
        assert done.stdout.splitlines()[-1] == str([f"pbem.cli.{name}" for name in cli])


def test_what_is_completed_can_be_typed() -> None:
    """No command or option that is offered is refused."""
    context = click.Context(pbem, info_name="pbem")
    for item in pbem.shell_complete(context, ""):
        assert pbem_says(item.value, "--help").code == 0
