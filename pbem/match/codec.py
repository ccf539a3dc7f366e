"""Plain values as JSON data, and back by their type hints: what doesn't fit these is refused.

bytes                  hexadecimal digits
list, tuple, set       a list, of a set in order
dict, Counter          an object; keys are strings
NamedTuple             an object of its fields
other classes          an object of the attributes that they annotate
int, str, bool, None   themselves; so is what is only known to be `Any`
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from inspect import get_annotations
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

__all__ = ["dumped", "loaded"]

_PLAIN = {str, int, bool, NoneType}


def dumped(value: Any) -> Any:
    """A value as JSON data; equal values give equal data."""
    if value.__class__ in _PLAIN:
        return value
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {name: dumped(item) for name, item in value.items()}
    if isinstance(value, set):
        return sorted(map(dumped, value))
    if fields := _fields(value.__class__):
        return {name: dumped(getattr(value, name)) for name in fields}
    return list(map(dumped, value)) if isinstance(value, list | tuple) else value


def loaded(hint: Any, data: Any) -> Any:
    """The value from `dumped`; of a class that is no NamedTuple a dict of its attributes. Raises ValueError."""
    return _reader(hint)(data)


@cache
def _reader(hint: Any) -> Callable[[Any], Any]:
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if kind is Any:
        return lambda data: data
    if kind is UnionType:  # X | None
        reader = _reader(inner[0])
        return lambda data: None if data is None else reader(data)
    if kind is bytes:
        return lambda data: bytes.fromhex(_of(str, data))
    if kind in (dict, Counter):
        reader = _reader(inner[1] if kind is dict else int)
        return lambda data: kind({name: reader(one) for name, one in _of(dict, data).items()})
    if kind in (list, set) or inner[1:] == (...,):
        reader = _reader(inner[0])
        return lambda data: kind(map(reader, _of(list, data)))
    if kind is tuple:
        readers = list(map(_reader, inner))
        return lambda data: tuple(one(part) for one, part in zip(readers, _of(list, data), strict=True))
    fields = {name: _reader(field) for name, field in _fields(kind).items()}
    return partial(_record, kind, fields) if fields else partial(_of, kind)


def _record(kind: Any, fields: dict[str, Callable[[Any], Any]], data: Any) -> Any:
    if _of(dict, data).keys() != fields.keys():
        raise ValueError(f"missing or too many: {sorted(data.keys() ^ fields.keys())}"[:200])
    found = {name: reader(data[name]) for name, reader in fields.items()}
    return kind(**found) if issubclass(kind, tuple) else found


@cache
def _fields(kind: Any) -> dict[str, Any]:
    """The fields of a class, or the attributes that it annotates: name -> hint; none of a plain type."""
    bases = reversed(kind.__mro__)
    hints = [(base.__module__, *item) for base in bases for item in get_annotations(base).items()]
    texts = [(module, name, getattr(hint, "__forward_arg__", hint)) for module, name, hint in hints]
    return {name: _meant(module, text) if isinstance(text, str) else text for module, name, text in texts}


@cache
def _meant(module: str, text: str) -> Any:
    """What a hint means where it is written: most are written often, and the library would compile each time."""
    return eval(text, vars(sys.modules[module]))  # noqa: S307 the program's own source


def _of(kind: type, data: Any) -> Any:
    """Data of exactly this type: true is no int."""
    if type(data) is not kind:
        raise ValueError(f"{data!r:.80} is no {kind.__name__}")
    return data
