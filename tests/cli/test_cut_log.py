"""A log that has lost my newest entry: all commands tell the same of it, as what was signed is noted beside it."""

from __future__ import annotations

from pathlib import Path

from cli_player import pbem_says
from matches import Match, scenario_of, write_home


def test_games_tells_what_send_does_of_a_log_without_my_newest_entry(tmp_path: Path) -> None:
    """It said that it was my move, and `send` that nothing is due from me."""
    write_home(Match(scenario_of("cedar-mountain"), 7), "asuka", tmp_path / "home")
    orders = tmp_path / "orders.txt"
    orders.write_text("march buford S0223;\n", "ascii")
    (log,) = (tmp_path / "home" / "games").glob("*/game.log")
    before = log.read_bytes()

    def says(*words: str) -> str:
        said = pbem_says("--home", str(tmp_path / "home"), *words)
        assert said.code == 0, said.err
        return said.out

    says("send", str(orders), "--yes", "-o", str(tmp_path / "2.eml"))
    after = log.read_bytes()
    told = says("games")
    assert "ben's move" in told
    log.write_bytes(before)
    assert says("games") == told
    assert log.read_bytes() == after
