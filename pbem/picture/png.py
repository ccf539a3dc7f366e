"""A picture as PNG of few colours: drawn with the fonts that come with the program, so alike on every machine."""

from __future__ import annotations

import math
import re
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, cast

from pbem.errors import Refused
from pbem.resources import data_folder

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["COLOURS", "drawable", "png"]

COLOURS = 64
_MUCH = 100
"""So many pixels of a colour may be a surface: what is drawn paler over the ground."""
_UNLIKE = 24.0
"""How far from each other colours are that are told apart."""
_FAMILY = "Pbem Sans"
_NO_LETTER = "\N{WHITE SQUARE}"


def png(svg: str, zoom: float = 1.0) -> bytes:
    """The SVG text as PNG with a palette, `zoom` pixels for each of its units. Raises Refused without the extra."""
    try:
        from PIL import Image
        from resvg_py import svg_to_bytes
    except ImportError:
        raise Refused("PNG needs an extra", hint="pip install 'pbem[png]', or write an .svg") from None
    fonts = [str(path) for path in _fonts()]
    raw = svg_to_bytes(
        drawable(svg), zoom=zoom, font_files=fonts, font_family=_FAMILY, sans_serif_family=_FAMILY,
        skip_system_fonts=True,
    )  # fmt: skip
    full = Image.open(BytesIO(raw)).convert("RGB")
    file = BytesIO()
    full.quantize(palette=_palette(full, svg), dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def _palette(full: Image.Image, svg: str) -> Image.Image:
    """The colours that the SVG names, and others of many pixels that are unlike them, as they are; the rest of blends.

    So what is drawn paler keeps its side's colour.
    """
    from PIL import Image

    named = {tuple(bytes.fromhex(colour)) for colour in re.findall(r"#([0-9a-f]{6})\b", svg)}
    found = cast(list[tuple[int, tuple[int, int, int]]], full.getcolors(full.width * full.height) or [])
    counted = sorted(found, key=lambda one: (-one[0], one[1]))
    flat = [colour for _, colour in counted if colour in named]
    for count, colour in counted:
        if count > _MUCH and all(math.dist(colour, other) >= _UNLIKE for other in flat):
            flat.append(colour)
    flat = flat[: COLOURS - 8]
    blended = full.quantize(COLOURS - len(flat), Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(part for colour in flat for part in colour), *blended][: 3 * COLOURS])
    return palette


def drawable(svg: str) -> str:
    """The text with a square in place of each letter that the fonts lack, which would be left out without a word."""
    lacking = {*svg} - _letters()
    return svg.translate(dict.fromkeys(map(ord, lacking), _NO_LETTER)) if lacking else svg


@cache
def _fonts() -> tuple[Path, ...]:
    return tuple(sorted(data_folder("fonts").glob("*.ttf")))


@cache
def _letters() -> frozenset[str]:
    """What the fonts can write."""
    return frozenset((data_folder("fonts") / "letters.txt").read_text("utf-8"))
