"""What is made when pbem is built or installed: the catalogues of its languages, compiled from locale/."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent / "tools"))

from compiling import compiled


class Catalogues(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles them beside their sources, where a checkout that is installed to be edited reads them, too."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile them, and let the wheel take them along."""
        locale = Path(self.root, "locale")
        for made in (*compiled(locale), *sorted(locale.glob("*/complete.txt"))):
            if version != "editable":
                build_data["force_include"][str(made)] = f"pbem/{made.relative_to(self.root).as_posix()}"
