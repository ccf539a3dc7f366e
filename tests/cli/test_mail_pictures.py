"""Pictures in mails: of what the mail tells its reader, in that of a reveal, too."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from cli_player import World

from pbem.cli.common import scenario_of
from pbem.desk.desk import Desk, Place
from pbem.report.mail import Drawn
from pbem.report.source import crop_files


def titles(path: str) -> list[str]:
    """What the pictures of a mail show, by its page; each comes with it."""
    mail = message_from_bytes(Path(path).read_bytes(), policy=policy.default)
    page = mail.get_body(("html",))
    assert page is not None
    words = re.sub("</?nobr>", "", page.get_content())
    found = re.findall(r'<strong>([^<]*)</strong><br>\s*<img src="cid:([^"]+)" alt=""', words)
    images = [part["Content-ID"] for part in mail.walk() if part.get_content_type() == "image/png"]
    assert images == [f"<{name}>" for _, name in found]
    return [title for title, _ in found]


def test_a_reveal_shows_what_its_dice_brought_and_no_mail_what_was_shown_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reveal had no picture, and others showed again what their readers had been shown."""

    def drawn(me: Desk, place: Place, reader: str) -> tuple[list[Drawn], int]:
        return crop_files(place.table, scenario_of(me, place), reader, 62_000)

    world = World(tmp_path)
    world.does("ben", "open", "--quiet", world.path("4.eml"))
    monkeypatch.setattr("pbem.cli.turns._pictures", drawn)
    world.does("ben", "send", world.write("o.txt", "fire sa-12 at sg-11"), "--yes", "-o", world.path("5.eml"))
    assert titles(world.path("5.eml")) == [], "it only waits"
    world.does("asuka", "open", "--quiet", world.path("5.eml"))
    world.does("asuka", "send", "-o", world.path("6.eml"))
    shown = titles(world.path("6.eml"))
    assert [title[:7] for title in shown] == ["Fight 1"]
    world.does("ben", "open", "--quiet", world.path("6.eml"))
    world.does("ben", "draw", "-o", world.path("7.eml"))
    assert titles(world.path("7.eml")) == [], "asuka knows the fight: she has shown it"
