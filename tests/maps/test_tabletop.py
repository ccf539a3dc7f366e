"""Places on a table without hexes: labels, words that a person can picture, ways between them."""

from __future__ import annotations

import pytest

from pbem.maps.tabletop import Piece, Spot, Tabletop, Zone, coordinates, label, table_of

WOOD = Piece("cedars", "The Cedars", "wood", (Spot(1300, 2800), Spot(2300, 2800), Spot(2300, 2000), Spot(1300, 2000)))
HILL = Piece("hill", "Shrine Hill", "hill", (Spot(3100, 2700), Spot(4100, 2700), Spot(4100, 2100), Spot(3100, 2100)))
ZONE = Zone("red", "Red Army, left wing", Spot(0, 0), Spot(2400, 1200))
TABLE = Tabletop(
    7200, 4800, ("inch", "inches"), {"south": "Red", "north": "Black"}, (WOOD, HILL), (ZONE,), {"spear": "Spears"}
)


def test_a_table_is_read_as_it_was_written() -> None:
    assert Tabletop.read(TABLE.data()) == TABLE
    assert table_of({"table": TABLE.data()}) == TABLE
    assert table_of({}) is None


@pytest.mark.parametrize(
    ("word", "spot"),
    [
        ("31.5-12", (3150, 1200)), ("0-0", (0, 0)), ("72-48", (7200, 4800)), ("8.25-9.05", (825, 905)),
        ("72.01-12", None), ("12-48.5", None), ("1405", None), ("31.5", None), ("-1-2", None), ("31.555-12", None),
    ],
)  # fmt: skip
def test_labels_are_places_in_inches(word: str, spot: tuple[int, int] | None) -> None:
    assert TABLE.find(word) == spot
    assert spot is None or label(*spot) == word


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        (800, 1444, "left third, 14.4 inches from the Red edge"),
        (800, 1445, "left third, 14.5 inches from the Red edge"),
        (800, 1450, "left third, 14.5 inches from the Red edge"),
        (800, 104, "left third, 1 inch from the Red edge"),
        (2399, 100, "left third, 1 inch from the Red edge"),
        (2400, 100, "centre third, 1 inch from the Red edge"),
        (4800, 2400, "right third, 24 inches from the Red edge"),
        (7200, 2401, "right third, 24 inches from the Black edge"),
        (1800, 2500, "left third, 23 inches from the Black edge, in The Cedars"),
        (3600, 2500, "centre third, 23 inches from the Black edge, on Shrine Hill"),
        (1300, 2500, "left third, 23 inches from the Black edge"),
    ],
)
def test_places_are_told_by_third_and_nearer_edge(x: int, y: int, words: str) -> None:
    assert TABLE.place(Spot(x, y)) == words


def test_labels_are_told_in_words_with_coordinates_as_orders_take_them() -> None:
    assert TABLE.told("8-14.49") == "the left third, 14.5 inches from the Red edge (8 14.49)"
    assert TABLE.told("1405") == ""
    assert coordinates("31.5-12") == "31.5 12"


@pytest.mark.parametrize(
    ("dx", "dy", "words"),
    [
        (0, 650, "6.5 inches north"), (460, 460, "6.5 inches north-east"), (100, 0, "1 inch east"),
        (-300, -299, "4.2 inches south-west"), (100, 242, "2.6 inches north"), (100, 241, "2.6 inches north-east"),
        (-41, 100, "1.1 inches north"), (-42, 100, "1.1 inches north-west"), (0, 0, ""), (0, -2, "0.02 inches south"),
        (0, 4, "0.04 inches north"), (5, 0, "0.1 inches east"),
    ],
)  # fmt: skip
def test_ways_are_told_by_length_and_the_nearest_of_eight_directions(dx: int, dy: int, words: str) -> None:
    assert TABLE.way(Spot(2000, 2000), Spot(2000 + dx, 2000 + dy)) == words
