"""Classes of plain data, made in a fraction of the time that the library's take: each command makes all of them anew.

`NamedTuple` is as `typing.NamedTuple`, and to the checker of types it is that. `Record` and `Fixed` are as dataclasses
with slots. No source text is written and compiled for a class, and no hint is looked at before somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, TypeVar, cast, dataclass_transform

try:
    from _collections import _tuplegetter as _item  # type: ignore[import-not-found]
except ImportError:  # of CPython alone
    from operator import itemgetter

    def _item(place: int, doc: str) -> property:
        return property(itemgetter(place), doc=doc)


__all__ = ["Fixed", "NamedTuple", "Record", "made"]

R = TypeVar("R", bound="Record")


# --- named tuples -----------------------------------------------------------------------------------------------------


class _Fields(tuple[Any, ...]):
    """What all named tuples can do."""

    __slots__ = ()
    _fields = tuple[str, ...]()

    @classmethod
    def _make(cls, values: Iterable[Any]) -> Any:
        """The tuple of these values, in the order of the fields."""
        found = tuple.__new__(cls, values)
        if len(found) != len(cls._fields):
            raise TypeError(f"{cls.__name__} has {len(cls._fields)} fields, {len(found)} values are given")
        return found

    def _replace(self, /, **changed: Any) -> Any:
        """The tuple with other values in some fields."""
        found = tuple.__new__(self.__class__, map(changed.pop, self._fields, self))
        if changed:
            raise ValueError(f"{self.__class__.__name__} has no fields {[*changed]!r}")
        return found

    def _asdict(self) -> dict[str, Any]:
        """Field -> value."""
        return dict(zip(self._fields, self, strict=True))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"{self.__class__.__name__}({shown})"

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)


class _OfTuples(type):
    """Makes the class of named tuples that a class statement writes down."""

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> Any:
        fields = tuple(space.get("__annotations__", ()))
        defaults = {field: space.pop(field) for field in fields if field in space}
        if (*defaults,) != fields[len(fields) - len(defaults) :]:
            raise TypeError(f"in {name} a field without a default stands behind one that has one")
        space["__new__"] = _constructor(f"{space['__qualname__']}.__new__", fields, tuple(defaults.values()))
        space |= {field: _item(place, field) for place, field in enumerate(fields)}
        space |= {"__slots__": (), "__match_args__": fields, "_fields": fields, "_field_defaults": defaults}
        return type(name, (_Fields, *bases[1:]), space)


_codes: dict[int, CodeType] = {}
"""Number of fields -> the code of a constructor for so many, whatever they are called."""


def _constructor(name: str, fields: tuple[str, ...], defaults: tuple[Any, ...]) -> FunctionType:
    """The `__new__` of a class of named tuples, whose arguments are called as its fields."""
    code = _codes.get(len(fields))
    if code is None:
        given = "".join(f"_{place}, " for place in range(len(fields)))
        code = eval(f"lambda _cls, {given}: _tuple(_cls, ({given}))").__code__  # noqa: S307 all of it is written here
        _codes[len(fields)] = code
    code = code.replace(co_varnames=("_cls", *fields), co_name="__new__", co_qualname=name)
    return FunctionType(code, {"_tuple": tuple.__new__, "__builtins__": {}}, "__new__", defaults)


if TYPE_CHECKING:
    from typing import NamedTuple
else:
    NamedTuple = type.__new__(_OfTuples, "NamedTuple", (), {})


# --- records ----------------------------------------------------------------------------------------------------------


class _Made:
    """A field without a plain default: what makes one, None for one that is set later; whether records differ by it."""

    def __init__(self, make: Callable[[], Any] | None, *, needed: bool, compared: bool) -> None:
        self.make, self.needed, self.compared = make, needed, compared


def made(*, default_factory: Callable[[], Any] | None = None, init: bool = True, compare: bool = True) -> Any:
    """A field whose default is made anew for each record; one that is set later (`init`); one by which none differ."""
    return _Made(default_factory, needed=init and default_factory is None, compared=compare)


_LACKING = _Made(None, needed=True, compared=True)


@dataclass_transform(field_specifiers=(made,))
class _OfRecords(type):
    """Makes classes of records: each hint in the class statement is a field, but for those of the class itself."""

    _names: tuple[str, ...]
    _compared: tuple[str, ...]
    _defaults: dict[str, Any]

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> Any:
        hints: Mapping[str, object] = space.get("__annotations__", {})
        fields = [field for field, hint in hints.items() if not str(hint).startswith("ClassVar")]
        defaults = {field: space.pop(field) for field in fields if field in space}
        apart = {field for field, default in defaults.items() if default.__class__ is _Made and not default.compared}
        found = super().__new__(mcs, name, bases, {"__slots__": fields, **space})
        before: Any = found.__base__
        found._names = (*getattr(before, "_names", ()), *fields)
        found._compared = (*getattr(before, "_compared", ()), *(field for field in fields if field not in apart))
        found._defaults = {**getattr(before, "_defaults", {}), **defaults}
        return found


class Record(metaclass=_OfRecords):
    """Values that may change; records of a class are equal when their values are."""

    def __init__(self, *values: Any, **named: Any) -> None:
        kind, put = self.__class__, object.__setattr__
        given = dict(zip(kind._names, values, strict=False))
        if len(values) > len(given) or not given.keys().isdisjoint(named) or not named.keys() <= {*kind._names}:
            raise TypeError(f"{kind.__name__} has other fields than {len(values)} values and {[*named]}")
        found = kind._defaults | given | named
        for name in kind._names:
            value = found.get(name, _LACKING)
            if value.__class__ is not _Made:
                put(self, name, value)
            elif value.make is not None:
                put(self, name, value.make())
            elif value.needed:
                raise TypeError(f"{kind.__name__} needs a value for {name}")

    def _replace(self: R, /, **changed: Any) -> R:
        """The record with other values in some fields."""
        kind = self.__class__
        return kind(**{name: getattr(self, name) for name in kind._names if hasattr(self, name)} | changed)

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__class__._compared)

    __hash__ = cast(Any, None)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name, '?')!r}" for name in self.__class__._compared)
        return f"{self.__class__.__name__}({shown})"


class Fixed(Record):
    """Values that never change; a record equals itself alone, and is told by its class."""

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<{self.__class__.__name__}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return self.__class__, tuple(getattr(self, name) for name in self.__class__._names)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{self.__class__.__name__}.{name} never changes")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{self.__class__.__name__}.{name} never changes")
