"""The report as a page: made with its pictures, kept in the game's folder, shown in the browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import at_terminal, cache_folder, echo, pictures_folder, scenario_of, show, tell
from pbem.cli.naming import carrying
from pbem.cli.noting import notes_for
from pbem.errors import PbemError, Storage

if TYPE_CHECKING:
    from pbem.desk.desk import Desk, Place
    from pbem.picture.scene import Picture
    from pbem.report.layout import Json

__all__ = ["at_a_desktop", "browser_option", "news_since", "page_of", "screen", "show_address", "show_report"]

browser_option = click.option(
    "--no-browser",
    is_flag=True,
    help="Don't show the report in the browser; NO_BROWSER, set to anything, says so for good.",
)


def screen(data: Json, compiled: Path | None) -> str:
    """A report as text for a screen, as much as one should hold, its commands with the name of the game."""
    from pbem.report import build
    from pbem.report.fitting import SCREEN, cut

    shown = cut(data, SCREEN)
    known = sys.stdout.encoding or "utf-8"  # a note may have letters that the terminal doesn't know
    beside = [{**note, "text": note["text"].encode(known, "replace").decode(known)} for note in shown["beside"]]
    return build.text({**shown, "beside": beside, "notes": [*map(carrying, shown["notes"])]}, compiled)


def news_since(place: Place) -> int | None:
    """The entry with which the news begin: against a bot here my newest decision, as bare reveals are sent for me.

    None elsewhere, where I have sent each mail by hand.
    """
    from pbem.home.bots import bot_of

    return place.table.last_by.get(place.me) if bot_of(place.folder) else None


def page_of(me: Desk, place: Place, data: Json, maps: list[Picture] | None = None, given: Json | None = None) -> str:
    """The page of a report with its pictures, of these maps or of all; `given` is its input, if known."""
    from pbem.report.pictured import page
    from pbem.report.source import crops, page_pictures, report_input

    scenario, kept, since = scenario_of(me, place), pictures_folder(me.home), news_since(place)
    if maps is None:
        given = report_input(place.table, scenario, place.me, since, before=given)
        maps, parts = page_pictures(place.table, scenario, given, kept)
    else:
        parts = crops(place.table, scenario, place.me, kept, windows=True, since=since)
    return page(data, maps, parts, cache_folder(me, "templates"))


def show_report(me: Desk, place: Place, *, browser: bool) -> None:
    """Print the report, and keep its page in the game's folder."""
    from pbem.report.source import report_data, report_input

    compiled, scenario = cache_folder(me, "templates"), scenario_of(me, place)
    given = report_input(place.table, scenario, place.me, news_since(place))
    data = report_data(place.table, scenario, place.me, compiled, notes_for(place), given=given)
    try:
        show(screen(data, compiled), nl=False)
    except Storage as error:
        error.hint = f"the game is in my log as far as entry {place.table.seq}; `pbem report` shows it"
        raise
    _fresh_page(me, place, data, given, browser=browser)


def _fresh_page(me: Desk, place: Place, data: Json, given: Json, *, browser: bool) -> None:
    """Keep the page of a game's newest report in its folder, and show it where somebody sits at a desktop.

    What can't be written is told, and is no error of the command: the mail is opened.
    """
    path = place.folder.report
    try:
        place.folder.write_report(page_of(me, place, data, None, given))
    except PbemError as error:
        tell(error, "the page of the report: ")
        return
    shown = browser and at_a_desktop() and show_address(path.resolve().as_uri())
    echo(
        f"the report with its pictures is in the browser: {path}" if shown else f"the report with its pictures: {path}"
    )


def at_a_desktop() -> bool:
    """Whether somebody looks at this terminal, on a machine with a display, and wants a browser."""
    if os.environ.get("NO_BROWSER") or not at_terminal():
        return False
    if sys.platform in ("win32", "darwin"):
        return not os.environ.get("SSH_CONNECTION")
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def show_address(address: str) -> bool:
    """Show an address in the browser; whether one took it."""
    import webbrowser

    try:
        return webbrowser.open(address)
    except (webbrowser.Error, OSError):
        return False
