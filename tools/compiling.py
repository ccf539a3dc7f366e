"""How catalogues of translations are compiled, by Babel alone: as pbem is built, and by tools/catalogues.py."""

from __future__ import annotations

from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

__all__ = ["DOMAINS", "compiled"]

DOMAINS = {"said": "pbem", "heard": "heard"}
"""A folder of catalogues, one for each part -> gettext's domain into which they are compiled."""


def compiled(locale: Path) -> list[Path]:
    """Compile the catalogues of every language into one of each domain; what was written."""
    made = []
    for folder in sorted(path for path in locale.iterdir() if path.is_dir()):
        for domain, name in DOMAINS.items():
            whole = Catalog(locale=folder.name, fuzzy=False)
            for source in sorted(folder.glob(f"{domain}/*.po")):
                with source.open("rb") as read:
                    for message in read_po(read, locale=folder.name):
                        if message.id and message.id not in whole:
                            whole.add(message.id, message.string)
            made.append(folder / "LC_MESSAGES" / f"{name}.mo")
            made[-1].parent.mkdir(exist_ok=True)
            with made[-1].open("wb") as written:
                write_mo(written, whole)
    return made
