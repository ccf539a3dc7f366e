"""Values as JSON data and back: each comes back equal, and what doesn't fit the hints is refused."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NamedTuple

import pytest

from pbem.match.codec import dumped, loaded


class Stem(NamedTuple):
    length: int


class Leaf(NamedTuple):
    name: str
    key: bytes = b""
    left: Stem | None = None


class Tree:
    """A class that isn't a tuple: only what it annotates counts."""

    height: int = 3
    leaves: dict[str, Leaf]

    def __init__(self) -> None:
        self.leaves = {"top": Leaf("a", b"\xff", Stem(2))}
        self.birds = ["crow"]


GOOD: list[tuple[Any, Any, Any]] = [
    (int, 7, 7),
    (str, "", ""),
    (bool, False, False),
    (bytes, b"\x00\xab", "00ab"),
    (str | None, None, None),
    (bytes | None, b"", ""),
    (tuple[int, str], (1, "a"), [1, "a"]),
    (tuple[str, ...], ("a", "b", "a"), ["a", "b", "a"]),
    (tuple[tuple[str, str], ...], (), []),
    (list[list[int]], [[1], []], [[1], []]),
    (set[str], {"b", "a"}, ["a", "b"]),
    (set[tuple[str, str]], {("b", "a"), ("a", "c")}, [["a", "c"], ["b", "a"]]),
    (dict[str, bytes], {"a": b"a"}, {"a": "61"}),
    (Counter[str], Counter("aab"), {"a": 2, "b": 1}),
    (dict[str, Any], {"a": [1, {}]}, {"a": [1, {}]}),
    (Leaf, Leaf("a", b"b", Stem(2)), {"name": "a", "key": "62", "left": {"length": 2}}),
]


@pytest.mark.parametrize(("hint", "value", "data"), GOOD)
def test_a_value_comes_back(hint: Any, value: Any, data: Any) -> None:
    assert json.loads(json.dumps(dumped(value))) == dumped(value) == data
    again = loaded(hint, data)
    assert again == value
    assert type(again) is type(value)


BAD: list[tuple[Any, Any]] = [
    (int, "7"),
    (int, True),
    (int, 7.0),
    (int, None),
    (str, 7),
    (bool, 0),
    (bytes, "0"),
    (bytes, "zz"),
    (bytes, [0]),
    (str | None, 0),
    (tuple[int, str], [1]),
    (tuple[int, str], [1, "a", "b"]),
    (tuple[int, str], "1a"),
    (tuple[str, ...], "ab"),
    (tuple[str, ...], {"a": 1}),
    (list[int], {}),
    (set[str], ["a", 1]),
    (dict[str, int], []),
    (dict[str, int], {"a": "1"}),
    (dict[str, Any], []),
    (Counter[str], {"a": "b"}),
    (Leaf, ["a", "", None]),
    (Leaf, {"name": "a", "key": ""}),
    (Leaf, {"name": "a", "key": "", "left": None, "right": None}),
    (Leaf, {"name": "a", "key": "", "left": {}}),
    (Tree, {"height": 3}),
    (Tree, {"height": 3, "leaves": {}, "birds": []}),
]


@pytest.mark.parametrize(("hint", "data"), BAD)
def test_what_does_not_fit_is_refused(hint: Any, data: Any) -> None:
    with pytest.raises(ValueError):
        loaded(hint, data)


def test_of_another_class_the_annotated_attributes_are_kept() -> None:
    tree = Tree()
    assert list(dumped(tree)) == ["height", "leaves"]
    assert loaded(Tree, dumped(tree)) == {"height": 3, "leaves": tree.leaves}
