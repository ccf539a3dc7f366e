"""Makes `python -m pbem` and the script `pbem` the command."""

from __future__ import annotations

import gc
import sys

__all__ = ["main"]

GARBAGE = 300_000
"""New objects between two searches for garbage: modules and maps live as long as a command, and it is short."""


def main() -> None:
    """Run one command and exit, as `pbem.cli.main`; who interrupts while it is being loaded is told so, too."""
    gc.set_threshold(GARBAGE)  # before the libraries are imported: what they leave lives as long, too
    try:
        from pbem.cli import main as command

        command()
    except KeyboardInterrupt:
        sys.stderr.write("pbem: given up\n")
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
