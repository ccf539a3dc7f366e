"""What is installed from the wheel: it holds templates, scenarios, fonts and the rules, and it plays."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from pbem.rules import SYSTEMS

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_templates_scenarios_and_fonts(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    for kind in ("templates", "scenarios", "fonts"):
        wanted = {f"pbem/{path.relative_to(ROOT)}" for path in (ROOT / kind).rglob("*") if path.is_file()}
        assert len(wanted) >= 3
        assert wanted <= held
    assert not any(name.startswith("tests/") for name in held)


def test_the_wheel_holds_the_compiled_catalogues_of_each_language(wheel: Path) -> None:
    held = set(zipfile.ZipFile(wheel).namelist())
    languages = [path.name for path in (ROOT / "locale").iterdir() if path.is_dir()]
    assert languages
    assert {f"pbem/locale/{tag}/LC_MESSAGES/{name}.mo" for tag in languages for name in ("pbem", "heard")} <= held
    assert {f"pbem/locale/{tag}/complete.txt" for tag in languages} <= held


def test_the_wheel_holds_the_pages_of_rules(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as held:
        for name in ("rulings.md", *(f"rules-{system}.md" for system in SYSTEMS)):
            assert held.read(f"pbem/docs/{name}") == (ROOT / "docs" / name).read_bytes()


def test_a_wheel_installed_elsewhere_plays(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(site), str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    environment = {**os.environ, "PYTHONPATH": str(site), "PBEM_HOME": str(tmp_path / "home")}

    def says(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words], check=True, capture_output=True, text=True, cwd=tmp_path, env=environment
        )
        return done.stdout

    assert says("-c", "import pbem; print(pbem.__file__)").startswith(str(site))
    assert "toba-fushimi" in says("-m", "pbem", "scenarios")
    in_japanese = "from pbem.language import say, speak; speak('ja'); print(ascii(say('no units')))"
    assert says("-c", in_japanese).strip() == ascii("ユニットなし")
    assert "Chain retreats (11-2)" in says("-m", "pbem", "rules", "yukimura", "11-2")
    assert "lapses" in says("-m", "pbem", "rules", "bakumatsu", "R10")
    assert "both logs are equal and verified" in " ".join(says("-m", "pbem", "demo", "--out", "demo").split())
    log = next((tmp_path / "demo" / "ben" / "games").glob("*/game.log"))
    assert "signatures, chain, dice and rules are good" in " ".join(says("-m", "pbem", "verify", str(log)).split())
