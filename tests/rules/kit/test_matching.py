"""The best matching of rows to columns, against all that there are."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from pbem.rules.kit.matching import best_matching


def test_who_is_second_best_gives_way_where_that_costs_less() -> None:
    """The first would take the column that is all the second has."""
    assert best_matching([[10, 9], [8, 0]]) == [1, 0]
    assert best_matching([]) == []
    assert best_matching([[1, 3, 2]]) == [1]


@pytest.mark.parametrize("seed", range(20))
def test_no_other_matching_is_worth_more(seed: int) -> None:
    chance = Random(seed)
    rows, columns = chance.randint(1, 5), chance.randint(5, 6)
    worth = [[float(chance.randint(-9, 9)) for _ in range(columns)] for _ in range(rows)]
    found = best_matching(worth)
    assert len({*found}) == rows
    most = max(sum(worth[i][j] for i, j in enumerate(other)) for other in permutations(range(columns), rows))
    assert sum(worth[i][j] for i, j in enumerate(found)) == most
