"""CONTRIBUTING.md: what it tells to run is there, and every folder of tests is told of."""

from __future__ import annotations

import re

from golden import ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_what_it_tells_to_run_is_there() -> None:
    paths = re.findall(r"(?:^|[ `])((?:\.ci|docs|tests|tools)/[\w./-]*\w)", PAGE, re.MULTILINE)
    assert ".ci/run" in paths
    assert "tests/defects.py" in paths
    assert not [path for path in paths if not (ROOT / path).exists() and path != "tests/rules/SYSTEM"]


def test_every_folder_of_tests_is_a_room_or_told_of() -> None:
    rooms = {folder.name for folder in (ROOT / "pbem").iterdir() if folder.is_dir()}
    folders = {file.relative_to(ROOT / "tests").parts[0] for file in (ROOT / "tests").glob("*/*.py")}
    assert not [name for name in sorted(folders - rooms) if f"`tests/{name}/" not in PAGE]


def test_the_readme_links_the_pages() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for page in (*(f"docs/{file.name}" for file in (ROOT / "docs").glob("*.md")), "CONTRIBUTING.md", "CHANGELOG.md"):
        assert f"]({page})" in readme, page
