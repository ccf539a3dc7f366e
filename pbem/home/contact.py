"""Who a player is in a game, where its mail goes, what it answers, what he calls it: only what can be such is kept."""

from __future__ import annotations

import json
import re

from pbem.mail.headers import MESSAGE_ID
from pbem.records import NamedTuple
from pbem.wire.statements import NAME

__all__ = ["CALLED", "Contact", "checked_address"]

ADDRESS_MAX = 254
"""Letters of a mail address (RFC 5321)."""
FROM_MAX = 1000
"""Letters of a text in which an address is looked for."""

CALLED = "(?=.*[g-z-])[a-z0-9][a-z0-9-]{0,31}"
"""What a game may be called (a regular expression): nothing that could be the beginning of an id."""

_PLAIN = r"[!#-'*+\--9=?A-Z^-~]{1,64}@[A-Za-z0-9.-]+"
_ADDRESS = re.compile(rf"""({_PLAIN})|(?:"[^"<>\\]*" *|[^"<>()@,:;\\]*)<({_PLAIN})>""")


def checked_address(text: str) -> str:
    """The one mail address in a text such as `Ben <ben@example.net>`; "" for anything else, whoever wrote it."""
    found = _ADDRESS.fullmatch(text.strip()) if len(text) <= FROM_MAX and text.isprintable() else None
    address = (found[1] or found[2]) if found else ""
    return address if len(address) <= ADDRESS_MAX else ""


class Contact(NamedTuple):
    """Who I am in a game, my address and my opponent's, the Message-ID of his newest mail, what I call the game.

    What isn't known is empty.
    """

    name: str = ""
    mail: str = ""
    to: str = ""
    answers: str = ""
    called: str = ""

    def checked(self) -> Contact:
        """The same without what can't be a player's name or an address; only that is ever stored, read or mailed."""
        name = self.name if re.fullmatch(NAME, self.name) else ""
        answers = self.answers if MESSAGE_ID.fullmatch(self.answers) else ""
        called = self.called if re.fullmatch(CALLED, self.called) else ""
        return Contact(name, checked_address(self.mail), checked_address(self.to), answers, called)

    @classmethod
    def of(cls, stored: dict[str, str]) -> Contact:
        """The contact from what stands in the file contact.json; empty fields where nothing in it can be one."""
        return cls(*(stored.get(name, "") for name in cls._fields)).checked()

    def dump(self) -> bytes:
        """The file contact.json; `of` makes the contact of what stands in it."""
        stored = self.checked()._asdict()
        told = {name: value for name, value in stored.items() if value or name not in ("answers", "called")}
        return json.dumps(told, indent=1).encode("ascii")
