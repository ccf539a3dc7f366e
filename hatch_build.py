"""What is made when pbem is built or installed: the catalogues of its languages, compiled from locale/."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Catalogues(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles each catalogue beside its source, where a checkout that is installed to be edited reads it, too."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile them, and let the wheel take them along."""
        for source in sorted(Path(self.root, "locale").glob("*/LC_MESSAGES/*.po")):
            with source.open("rb") as read, source.with_suffix(".mo").open("wb") as written:
                write_mo(written, read_po(read, locale=source.parts[-3]))
            if version != "editable":
                made = source.with_suffix(".mo")
                build_data["force_include"][str(made)] = f"pbem/{made.relative_to(self.root).as_posix()}"
