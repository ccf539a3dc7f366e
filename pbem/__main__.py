"""Makes `python -m pbem` and the script `pbem` the command."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run one command and exit, as `pbem.cli.main`; who interrupts while it is being loaded is told so, too."""
    try:
        from pbem.cli import main as command

        command()
    except KeyboardInterrupt:
        sys.stderr.write("pbem: given up\n")
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
