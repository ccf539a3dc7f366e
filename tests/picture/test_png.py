"""PNG pictures: alike on every machine, of few colours, and no letter is left out without a word."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from PIL import Image

from pbem.errors import Refused
from pbem.picture.png import COLOURS, drawable, png

ROOT = Path(__file__).resolve().parents[2]
FONTS = ROOT / "fonts"
LETTERS = set((FONTS / "letters.txt").read_text("utf-8")) - {"\n"}


def page(words: str, look: str = "", family: str = "Helvetica, Arial, sans-serif") -> str:
    """A white page with black words."""
    sheet = '<rect width="200" height="40" fill="#ffffff"/>'
    written = f'<text x="10" y="30" font-size="20" fill="#000000" {look}>{words}</text>'
    size = 'viewBox="0 0 200 40" width="200" height="40"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{family}">{sheet}{written}</svg>'


def japanese(kinds: tuple[str, ...] = ("scenarios", "templates")) -> set[str]:
    texts = [path.read_text("utf-8") for kind in kinds for path in (ROOT / kind).rglob("*.*")]
    return {c for text in texts for c in text if not c.isascii()}


def test_every_character_of_scenarios_and_templates_and_of_what_pictures_say_has_a_font() -> None:
    told = {c for name in ("said", "heard") for c in (ROOT / f"locale/ja/{name}/report.po").read_text("utf-8")}
    missing = "".join(sorted((japanese() | {c for c in told if ord(c) >= 0x2E80}) - LETTERS))
    assert not missing, f"no font has {missing}: tools/fonts.py makes them anew"


def test_few_characters_of_the_japanese_font_are_used_by_nobody() -> None:
    have, used = {c for c in LETTERS if ord(c) >= 0x2E80}, japanese(("scenarios", "templates", "locale/ja/said"))
    idle = "".join(sorted(have - used - japanese(("locale/ja/heard",))))
    assert len(idle) < len(have) / 3, f"nobody uses {idle}: tools/fonts.py makes the fonts anew"


def test_the_list_of_letters_tells_what_the_fonts_have() -> None:
    found = {path.name: {chr(code) for code in TTFont(path).getBestCmap()} for path in FONTS.glob("*.ttf")}
    latin = [letters for name, letters in found.items() if "Japanese" not in name]
    assert len(latin) == 4
    assert all(letters == latin[0] for letters in latin)
    assert set().union(*found.values()) == LETTERS


def test_fonts_are_small_and_free() -> None:
    sizes = {path.name: path.stat().st_size for path in FONTS.glob("*.ttf")}
    assert sum(size for name, size in sizes.items() if "Japanese" not in name) < 60_000
    assert sum(size for name, size in sizes.items() if "Japanese" in name) < 350_000
    licence = (FONTS / "OFL.txt").read_text("utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    for path in FONTS.glob("*.ttf"):
        names = {name.nameID: str(name) for name in TTFont(path)["name"].names}
        assert "Open Font License" in names[13]
        assert not any(reserved in names[1] + names[4] + names[6] for reserved in ("Liberation", "Arimo"))
        assert "copyright" in names[0].lower()


@pytest.mark.parametrize("words", ["Ii", "Ōsaka", "東西"])
def test_letters_are_drawn_and_by_the_programs_own_fonts(words: str) -> None:
    drawn = png(page(words))
    assert drawn != png(page(" "))
    assert drawn == png(page(words, family="Pbem Sans")) == png(page(words, family="DejaVu Sans, sans-serif"))


@pytest.mark.parametrize(
    "look", ['font-weight="bold"', 'font-style="italic"', 'font-weight="bold" font-style="italic"']
)
def test_bold_and_italic_are_faces_of_their_own(look: str) -> None:
    assert png(page("Saga", look)) != png(page("Saga"))


def test_a_letter_that_no_font_has_is_a_square() -> None:
    assert drawable(page("Ii 鬼")) == page("Ii □")
    assert drawable(page("Ii 東")) == page("Ii 東")
    assert png(page("鬼")) == png(page("□")) != png(page(""))


def test_colours_are_few_and_those_that_the_picture_names_stay_as_they_are() -> None:
    bands = "".join(
        f'<rect x="{2 * i}" width="2" height="40" fill="#{r:02x}{g:02x}{b:02x}"/>'
        for i, (r, g, b) in enumerate((i, 255 - i, (i * 7) % 256) for i in range(0, 200, 2))
    )
    crowd = page("words").replace("<text", f'{bands}<rect width="1" height="1" fill="#c62020"/><text')
    picture = Image.open(BytesIO(png(crowd)))
    assert picture.mode == "P"
    assert len(picture.getcolors() or ()) <= COLOURS == 64
    plain = Image.open(BytesIO(png(page("").replace("<text", '<rect width="1" height="1" fill="#c62020"/><text'))))
    assert {colour for _, colour in plain.convert("RGB").getcolors() or ()} == {(198, 32, 32), (255, 255, 255)}


def test_a_zoom_makes_it_larger() -> None:
    assert Image.open(BytesIO(png(page("Ii"), 1.5))).size == (300, 60)


@pytest.mark.parametrize("lacking", ["resvg_py", "PIL"])
def test_without_the_extra_there_is_none(lacking: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, lacking, None)
    with pytest.raises(Refused, match="PNG needs an extra; pip install 'pbem"):
        png(page("Ii"))
