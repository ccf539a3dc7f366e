"""Fuzzes one target, led by coverage, with atheris: `python tests/fuzz/coverage_guided.py TARGET [libFuzzer options]`.

atheris is no dependency of the project; where it is installed:

    python tests/fuzz/coverage_guided.py mail -max_total_time=600 /tmp/corpus-of-mail
    python tests/fuzz/coverage_guided.py mail -runs=0 /tmp/crash-...        one input again

The folder keeps what is worth keeping; the target's seeds are put into it first. A finding ends the search, and is
written to a file of the current folder; it belongs into regressions/ as TARGET~WHAT.bin, with the fix.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1])]
sys.path.remove(str(HERE))


def main(arguments: list[str]) -> int:
    """Fuzz the target that the first argument names; the others are libFuzzer's, among them a folder."""
    try:
        import atheris
    except ImportError:
        print("atheris isn't installed: pip install atheris", file=sys.stderr)
        return 2
    with atheris.instrument_imports(include=["pbem", "yaml", "html.parser", "email"]):
        from fuzz.targets import TARGETS
    if not arguments or arguments[0] not in TARGETS:
        print(f"usage: coverage_guided.py TARGET [OPTION ...] [FOLDER]; targets: {' '.join(TARGETS)}", file=sys.stderr)
        return 2
    os.environ.pop("SSH_AUTH_SOCK", None)
    name, *options = arguments
    target = TARGETS[name]
    corpus = next((Path(word) for word in options if not word.startswith("-")), None)
    if corpus is None:
        corpus = Path(tempfile.mkdtemp(prefix=f"pbem-corpus-{name}-"))
        options.append(str(corpus))
    if not corpus.is_file():
        corpus.mkdir(parents=True, exist_ok=True)
        for seed in target.seeds():
            (corpus / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
    usual = ["-max_len=65536", "-timeout=5", "-rss_limit_mb=2048"]
    if target.words:
        words = corpus.parent / f"{corpus.name}.words"
        words.write_text("".join(f'"{_escaped(word)}"\n' for word in target.words), "ascii")
        usual.append(f"-dict={words}")

    def one_input(data: bytes) -> None:
        target.take(data)

    atheris.Setup([sys.argv[0], *usual, *options], one_input)
    atheris.Fuzz()
    return 0


def _escaped(word: bytes) -> str:
    """A word as libFuzzer's dictionaries have it."""
    return "".join(f"\\x{byte:02x}" for byte in word[:60])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
