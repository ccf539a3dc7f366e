#!/usr/bin/env python3
"""Makes fonts/, the letters of PNG pictures: fonts.py FOLDER, in which the original fonts lie.

FOLDER and the folders in it hold LiberationSans-*.ttf (Debian: fonts-liberation2) and BIZUDPGothic-Regular.ttf
(fonts-morisawa-bizud-gothic), both under the SIL Open Font License; it needs fonttools. Only what pictures write is
kept: Latin letters, and of Japanese exactly the characters in scenarios/, templates/ and the catalogues in locale/. The
name Liberation is reserved, so what is made has names of its own. Exit status: 0 done; 1 a font or a character is
missing, and which.
"""
# ruff: noqa: T201 (what it finds it prints)

from __future__ import annotations

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parents[1]
FONTS = ROOT / "fonts"
LATIN = (
    "".join(map(chr, range(0x20, 0x7F)))
    + "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿĀāĒēĪīŌōŪū"  # accents of Europe, long vowels of Japan
    + "·×–—‘’“”…−□"  # the last one stands for a letter that no font has
)
LATIN_FACES = ("Regular", "Bold", "Italic", "BoldItalic")
JAPANESE = "BIZUDPGothic-Regular.ttf"
FAMILIES = {"LiberationSans": "Pbem Sans", "BIZUDPGothic": "Pbem Sans Japanese"}


def japanese() -> str:
    """Every character of scenarios, templates and catalogues that isn't Latin or a sign of the keyboard, each once."""
    files = [path for kind in ("scenarios", "templates") for path in (ROOT / kind).rglob("*.*")]
    texts = [path.read_text("utf-8") for path in (*files, *(ROOT / "locale").rglob("*.po"))]
    return "".join(sorted({c for text in texts for c in text if ord(c) >= 0x2E80}))


def make(original: Path, letters: str) -> Path:
    """The font with these letters alone, under its own name, without hints and spacing of pairs; its file in fonts/."""
    font = TTFont(original, recalcTimestamp=False)
    missing = sorted({*letters} - {chr(code) for code in font.getBestCmap()})
    if missing:
        sys.exit(f"{original.name} lacks {''.join(missing)}")
    kept = Options(hinting=False, layout_features=[], glyph_names=False, name_IDs=[0, 1, 2, 4, 6, 13, 14])
    kept.drop_tables += ["meta", "FFTM", "GDEF", "GPOS", "GSUB", "kern", "gasp", "vhea", "vmtx", "BASE", "VORG"]
    subsetter = Subsetter(kept)
    subsetter.populate(text=letters)
    subsetter.subset(font)
    stem, _, face = original.stem.partition("-")
    family = FAMILIES[stem]
    style = "Bold Italic" if face == "BoldItalic" else face
    names = {1: family, 2: style, 4: f"{family} {style}", 6: f"{family.replace(' ', '')}-{face}"}
    for name in font["name"].names:
        if name.nameID in names:
            name.string = names[name.nameID]
    path = FONTS / f"{names[6]}.ttf"
    font.save(path)
    return path


def main(folder: Path) -> None:
    found = {path.name: path for path in folder.rglob("*.ttf")}
    wanted = {f"LiberationSans-{face}.ttf": LATIN for face in LATIN_FACES}
    if letters := japanese():
        wanted[JAPANESE] = letters
    if lacking := sorted({*wanted} - {*found}):
        sys.exit(f"{folder} lacks {', '.join(lacking)}")
    for old in FONTS.glob("*.ttf"):
        old.unlink()
    for name, text in wanted.items():
        path = make(found[name], text)
        print(f"{path.name}: {len(text)} characters, {path.stat().st_size:,} bytes")
    (FONTS / "letters.txt").write_text("".join(sorted({*LATIN, *letters})) + "\n", "utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("fonts.py FOLDER")
    main(Path(sys.argv[1]))
