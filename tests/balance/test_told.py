"""The tool that counts what is told in games between bots."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from golden import ROOT

HEADLINE = "### yao, what is told in {} games of each kind, seed 3\n"


def test_the_table_of_a_page_is_written_anew_and_nothing_else(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# A page\n\n{HEADLINE.format(9)}\n| old |\n\nMore words.\n")
    words = [sys.executable, str(ROOT / "tools" / "told.py"), str(page)]
    subprocess.run([*words, "--games", "1"], check=True)
    told = page.read_text()
    before, _, table = told.partition(HEADLINE.format(1))
    assert before == "# A page\n\n"
    assert table.endswith(" |\n\nMore words.\n")
    assert "| old |" not in table
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("|")][2:]
    assert sum(event == "end" for _, event, *_ in rows) >= 1
    for _, _, *counts in rows:
        assert [float(times) > 0 for times in counts[::2]] == [games == "1" for games in counts[1::2]]
        assert len(counts) == 2 * 3
    page.write_text("# A page\n")
    assert subprocess.run(words, check=False, capture_output=True).returncode == 1
