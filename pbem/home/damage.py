"""What of the small files beside a game's log is damaged: it counts as empty, and its owner is told."""

from __future__ import annotations

from contextlib import suppress

from pbem.errors import Damaged, Storage
from pbem.home.folders import Folder
from pbem.home.laid import read_laid
from pbem.home.settings import stored_settings
from pbem.home.wishes import read_wish

__all__ = ["damage"]


def damage(folder: Folder) -> list[Damaged]:
    """An error for each damaged file of a game, and for the settings of its home."""
    found: list[Damaged] = []
    for read in (
        folder.read_contact,
        lambda: read_wish(folder),
        lambda: read_laid(folder),
        lambda: stored_settings(folder.home.root),
    ):
        try:
            with suppress(OSError, Storage):
                read()
        except Damaged as error:
            found.append(error)
    return found
