"""What the page's script asks, read from the bytes of a request: plain data, each field of its kind, or why not."""

from __future__ import annotations

import json
from typing import Any

from pbem.language import say
from pbem.mail.inbox import MESSAGE_MAX

__all__ = ["BODY_MAX", "HEAD", "TEXT_MAX", "Bad", "Question"]

Json = dict[str, Any]

TEXT_MAX = MESSAGE_MAX
"""Bytes of a text: of a mail, as `pbem open` reads them, and of orders."""

BODY_MAX = TEXT_MAX + (1 << 19)
"""Bytes of a question: a mail, and what JSON adds to it."""

HEAD = 64
"""Letters of the hash of an entry."""

NUMBER_MAX = 1 << 31


class Bad(Exception):
    """A question that can't be read: what is wrong, where, and the code of HTTP."""

    def __init__(self, what: str, where: str = "", code: int = 400) -> None:
        super().__init__(what)
        self.what, self.where, self.code = what, where, code


class Question:
    """The data of a question, whose fields are read by their kind; each reading raises Bad."""

    def __init__(self, data: bytes) -> None:
        try:
            found = json.loads(data.decode("utf-8"))
        except RecursionError:
            raise Bad(say("It is nested too deeply to be read.")) from None
        except ValueError:
            raise Bad(say("It isn't JSON.")) from None
        if not isinstance(found, dict):
            raise Bad(say("It must be an object of JSON."))
        self._data: Json = found

    def text(self, name: str, most: int = TEXT_MAX) -> str:
        """A text of at most so many bytes."""
        value = self._data.get(name)
        if not isinstance(value, str):
            raise Bad(say("A text must stand here."), name)
        try:
            size = len(value.encode("utf-8"))
        except UnicodeEncodeError:
            raise Bad(say("It holds what is no letter."), name) from None
        if size > most:
            bytes, limit = f"{size:,}", f"{most:,}"
            raise Bad(say("It has %(size)s bytes, %(most)s at most are read.", size=bytes, most=limit), name, 413)
        return value

    def text_or(self, name: str, otherwise: str | None, most: int = TEXT_MAX) -> str | None:
        """The same, or what stands in its place where there is none."""
        return otherwise if self._data.get(name) is None else self.text(name, most)

    def number(self, name: str) -> int | None:
        """A whole number, None for none."""
        value = self._data.get(name)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or abs(value) > NUMBER_MAX):
            raise Bad(say("A whole number must stand here."), name)
        return value

    def yes(self, name: str) -> bool:
        """Whether something is said, which isn't where nothing stands."""
        value = self._data.get(name, False)
        if not isinstance(value, bool):
            raise Bad(say("`true` or `false` must stand here."), name)
        return value
