"""The best matching: each row of a table of worths gets a column of its own, so that all together are worth most."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["best_matching"]


def best_matching(worth: Sequence[Sequence[float]]) -> list[int]:
    """The column of each row, of which no two are the same; there are as many columns as rows at least.

    By the Hungarian method: rows come in one after another, and others give way along the way that costs least.
    """
    rows, columns = len(worth), len(worth[0]) if worth else 0
    paid, price = [0.0] * (rows + 1), [0.0] * (columns + 1)  # what is taken off each row and each column
    row_of, before = [0] * (columns + 1), [0] * (columns + 1)  # columns from 1 on; 0 is where a row comes in
    for row in range(1, rows + 1):
        row_of[0], here = row, 0
        least, seen = [float("inf")] * (columns + 1), [False] * (columns + 1)
        while row_of[here]:
            seen[here], now, step, near = True, row_of[here], float("inf"), 0
            for column in range(1, columns + 1):
                if seen[column]:
                    continue
                cost = -worth[now - 1][column - 1] - paid[now] - price[column]
                if cost < least[column]:
                    least[column], before[column] = cost, here
                if least[column] < step:
                    step, near = least[column], column
            for column in range(columns + 1):
                if seen[column]:
                    paid[row_of[column]] += step
                    price[column] -= step
                else:
                    least[column] -= step
            here = near
        while here:
            row_of[here] = row_of[before[here]]
            here = before[here]
    found = [0] * rows
    for column in range(1, columns + 1):
        if row_of[column]:
            found[row_of[column] - 1] = column - 1
    return found
