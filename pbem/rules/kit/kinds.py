"""Kinds of orders: named tuples, each of which equals none of another kind, and of which none is nothing."""

from __future__ import annotations

from typing import TypeVar

__all__ = ["kind_of_order"]

K = TypeVar("K", bound="type[tuple[object, ...]]")


def kind_of_order(kind: K) -> K:
    """A class of named tuples as a kind of orders: a move and a march along the same way differ."""
    for name, method in (("__eq__", _equals), ("__ne__", _differs), ("__bool__", _is_something)):
        setattr(kind, name, method)
    return kind


def _equals(one: tuple[object, ...], other: object) -> bool:
    return one.__class__ is other.__class__ and tuple.__eq__(one, other)


def _differs(one: tuple[object, ...], other: object) -> bool:
    return not _equals(one, other)


def _is_something(_: object) -> bool:
    return True
