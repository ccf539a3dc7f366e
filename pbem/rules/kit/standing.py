"""What standing orders answer where a side is asked by what the other does."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from pbem.errors import Refusal
from pbem.rules.kit.words import ANY
from pbem.rules.requests import Words

__all__ = ["in_force", "latest", "preferences", "why_unanswered"]


def preferences(orders: Sequence[Words], keyword: str, *units: str) -> Words:
    """The words by preference for a unit (latest order last): behind its own order of that keyword, then that for any.

    Of several units that are asked together the own orders of all come before that for any. Each word stands in it
    once: what doesn't fit at first doesn't fit later. Nothing behind a unit clears its order.
    """
    behind = {words[1]: words[2:] for words in orders if words[:1] == (keyword,)}
    return tuple(dict.fromkeys(word for about in (*units, ANY) for word in behind.get(about, ())))


def latest(orders: Sequence[Words], keyword: str) -> Words:
    """The words behind the latest order of that keyword, which is about no unit."""
    return next((words[1:] for words in reversed(orders) if words[:1] == (keyword,)), ())


def in_force(orders: Sequence[Words], gone: Callable[[str], bool], about_none: Collection[str] = ()) -> list[Words]:
    """Those orders (latest last) that `preferences` and `latest` still heed, but for those of a unit that is `gone`:
    one that is asked nothing any more.

    `about_none` are the keywords of orders that are about no unit.
    """
    newest: dict[Words, Words] = {}
    for words in orders:
        about = words[:1] if words[0] in about_none else words[:2]
        newest.pop(about, None)  # so that the order stands where it was given last
        if words != about and (about[1:] in ((), (ANY,)) or not gone(about[1])):
            newest[about] = words
    return list(newest.values())


def why_unanswered(words: Words, why_never: Callable[[str], Refusal | None]) -> Refusal | None:
    """Why an order about a unit can never answer anything, by why that unit is asked nothing; None where it may.

    None too for one about any unit, or that clears another.
    """
    return None if len(words) < 3 or words[1] == ANY else why_never(words[1])
