"""Classes of plain data: named tuples are as the library's, records as its dataclasses with slots."""

from __future__ import annotations

import copy
import pickle
import typing
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from pbem.records import Fixed, NamedTuple, Record, made

T = TypeVar("T")
TEXT = '''
class Piece(NamedTuple):
    """A piece."""

    name: str
    at: tuple[int, ...] = ()
    lost: int | None = None

    @property
    def told(self) -> str:
        return f"{self.name} at {self.at}"

    def __str__(self) -> str:
        return self.name
'''


def piece(of: object) -> Any:
    """The class written in the text, made by this kind of named tuples."""
    space = {"NamedTuple": of, "__name__": __name__}
    exec("from __future__ import annotations\n" + TEXT, space)  # noqa: S102
    return space["Piece"]


@pytest.mark.parametrize("kind", [piece(NamedTuple), piece(typing.NamedTuple)])
def test_a_named_tuple_is_as_the_library_s(kind: Any) -> None:
    one = kind("a", lost=3)
    assert one == ("a", (), 3) == kind("a", (), 3) == kind._make(["a", (), 3])
    assert (one.name, one.at, one.lost, one.told, str(one), one[0]) == ("a", (), 3, "a at ()", "a", "a")
    assert hash(one) == hash(("a", (), 3))
    assert one._replace(at=(1,)) == kind("a", (1,), 3)
    assert one._replace(at=(1,)).__class__ is kind
    assert one._asdict() == {"name": "a", "at": (), "lost": 3}
    assert repr(one) == "Piece(name='a', at=(), lost=3)"
    assert (kind._fields, kind._field_defaults) == (("name", "at", "lost"), {"at": (), "lost": None})
    assert (kind.__match_args__, kind.__slots__, kind.__doc__) == (("name", "at", "lost"), (), "A piece.")
    assert typing.get_type_hints(kind) == {"name": str, "at": tuple[int, ...], "lost": int | None}
    assert copy.deepcopy(one) == one
    match one:
        case kind(name, _, 3):
            assert name == "a"
    for wrong in (lambda: kind(), lambda: kind("a", (), 3, 4), lambda: kind("a", name="b"), lambda: kind("a", no=1)):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(TypeError):
        kind._make(["a"])
    with pytest.raises(ValueError, match="no"):
        one._replace(no=1)
    with pytest.raises(AttributeError):
        one.name = "b"
    with pytest.raises(AttributeError):
        one.other = "b"


class Pair(NamedTuple, Generic[T]):
    one: T
    two: int = 2


class Named(Pair[str]):
    """A class of its own above another."""

    __slots__ = ()

    def __new__(cls, word: str) -> Named:
        return super().__new__(cls, word.upper())


def test_classes_of_named_tuples_may_be_generic_written_on_and_pickled() -> None:
    assert Pair[str]("a") == ("a", 2)
    assert Named("a") == ("A", 2)
    assert Named("a").one == "A"
    assert pickle.loads(pickle.dumps(Pair(1))) == Pair(1)  # noqa: S301


def test_a_field_without_a_default_stands_before_those_that_have_one() -> None:
    with pytest.raises(TypeError, match="default"):
        type(NamedTuple)("Wrong", (NamedTuple,), {"__annotations__": {"a": "int", "b": "int"}, "a": 1})


class Base(Record):
    """A record."""

    name: str
    among: ClassVar[bool] = True
    at: list[int] = made(default_factory=list)


class Longer(Base):
    """A record with more fields."""

    number: int = 0
    memo: dict[str, int] = made(default_factory=dict, compare=False)
    later: str = made(init=False, compare=False)


class Chart(Fixed):
    """What never changes."""

    size: int

    def twice(self) -> int:
        return 2 * self.size


def test_records_hold_their_fields_and_no_others() -> None:
    one, two = Longer("a"), Longer("a", [], number=0)
    one.at.append(1)
    assert (one.name, one.at, two.at, one.number, one.among) == ("a", [1], [], 0, True)
    assert not hasattr(one, "later")
    one.later = "x"
    assert one.later == "x"
    with pytest.raises(AttributeError):
        one.other = 1  # type: ignore[attr-defined]
    # what a checker of types refuses here, as it should, is refused when it runs, too
    wrong: list[Any] = [
        lambda: Longer(),  # type: ignore[call-arg]
        lambda: Base("a", [], 1),  # type: ignore[call-arg]
        lambda: Base("a", name="b"),  # type: ignore[misc]
        lambda: Base("a", no=1),  # type: ignore[call-arg]
    ]
    for make in wrong:
        with pytest.raises(TypeError):
            make()


def test_records_are_equal_when_their_values_are() -> None:
    one, two = Longer("a"), Longer("a")
    two.memo["known"] = 1
    assert one == two
    assert one != Longer("b")
    assert one != Base("a")
    assert one._replace(number=2).number == 2
    assert repr(Base("a")) == "Base(name='a', at=[])"
    with pytest.raises(TypeError):
        hash(one)


def test_what_is_fixed_never_changes_and_equals_itself_alone() -> None:
    chart = Chart(3)
    assert chart.twice() == 6
    assert chart == chart != Chart(3)
    assert {chart: 1}[chart] == 1
    assert chart._replace(size=4).size == 4
    with pytest.raises(AttributeError):
        chart.size = 4
    with pytest.raises(AttributeError):
        del chart.size
    assert chart.size == 3
