"""Makes `python -m pbem` the command `pbem`."""

from __future__ import annotations

from pbem.cli import main

if __name__ == "__main__":
    main()
