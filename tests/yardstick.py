"""A yardstick for time: work is measured in strokes of a fixed kind, not in seconds, so a busy machine changes little.

A stroke, some hundredth of a second, is what readers do: steps of Python, regular expressions, texts cut and joined, a
dictionary filled. Only the time of this process counts.
"""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["stroke_seconds", "within"]

_TEXT = "move sg-01 0101; if gone sg-02 then fire sg-03 at 0203;\n" * 2400
_WORD = re.compile(r"[a-z0-9-]+|;")
_fastest: list[float] = []


def _stroke() -> int:
    known: dict[str, int] = {}
    for line in _TEXT.split("\n"):
        for number, word in enumerate(_WORD.findall(line)):
            known[f"{word} {number}"] = known.get(word, 0) + len(word.strip("0123456789"))
        " ".join(sorted(line.split(), reverse=True)).replace(";", " ;")
    return len(known)


def stroke_seconds(runs: int = 9) -> float:
    """Processor seconds of one stroke, now: the best of some runs."""
    taken = []
    for _ in range(runs):
        began = time.process_time()
        _stroke()
        taken.append(time.process_time() - began)
    return min(taken)


@contextmanager
def within(strokes: int) -> Iterator[None]:
    """Fails when the work inside costs more than so many strokes.

    The fastest stroke of this run is asked first, and where that is not enough the strokes of this moment: who slows
    the work down slows them down too. Garbage isn't searched for meanwhile: that goes through all that other tests of
    the process have left.
    """
    if not _fastest:
        _fastest.append(stroke_seconds())
    gc.disable()
    try:
        began = time.process_time()
        yield
        taken = time.process_time() - began
    finally:
        gc.enable()
    if taken > strokes * _fastest[0]:
        now = stroke_seconds()
        _fastest[0] = min(now, _fastest[0])
        assert taken <= strokes * now, f"{taken / now:.0f} strokes, at most {strokes}"
