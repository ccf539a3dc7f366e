"""Who may talk to the page: its own browser alone, by a secret, from its own address, with what no other page sends."""

from __future__ import annotations

import hmac
from collections.abc import Mapping

from pbem.language import say
from pbem.records import NamedTuple

__all__ = ["HEADERS", "PAGE", "REPLAY", "REPORT", "Guard", "keyless"]

HOST = "127.0.0.1"
"""The only address that is served: that of this machine for itself."""

_NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; "

PAGE = (
    f"{_NOTHING}script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; connect-src 'self'; "
    "frame-src 'self'; frame-ancestors 'none'"
)
"""What the page itself may do: scripts are files of the program, never data; nothing is fetched from elsewhere."""

REPORT = f"{_NOTHING}style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox"
"""What the report may do: be shown; it has no script, and no address of its own."""

REPLAY = f"{_NOTHING}style-src 'unsafe-inline'; script-src 'sha256-{{}}'; img-src data:; frame-ancestors 'self'; " + (
    "sandbox allow-scripts"
)
"""What the replay may do: run the one script with this hash, without an address of its own."""

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Robots-Tag": "noindex",
}
"""What goes with every answer."""


def keyless() -> str:
    """Why something is refused that comes without the page's key."""
    return say("This wasn't asked by the page itself: open the link that `pbem table` has printed once more.")


class Guard(NamedTuple):
    """The door of one server: its port, and its secrets.

    token, once    of the link, and of one for one use
    secret         of the cookie, which a browser sends to every port of this address
    key            of the page, kept where no page of another port can read it (localStorage); questions have both
    """

    port: int
    token: str
    secret: str
    once: str = ""
    key: str = ""

    @property
    def link(self) -> str:
        """The link that opens the page; who has it may use it as long as this server runs."""
        return f"http://{HOST}:{self.port}/?token={self.token}"

    @property
    def link_once(self) -> str:
        """A link for one use, to be handed to a browser: others may read with what words a program is started."""
        return f"http://{HOST}:{self.port}/?token={self.once}"

    @property
    def cookie(self) -> str:
        """The name of the cookie: each port has its own, as browsers don't keep those of ports apart."""
        return f"pbem-{self.port}"

    @property
    def hosts(self) -> tuple[str, str]:
        """What a request's Host may be: a name that another machine's owner gave to this address is none."""
        return f"{HOST}:{self.port}", f"localhost:{self.port}"

    def opens(self, token: str) -> bool:
        """Whether this is the token of the link."""
        return _same(token, self.token)

    def opens_once(self, token: str) -> bool:
        """Whether this is the token of the link for one use."""
        return bool(self.once) and _same(token, self.once)

    def knows(self, key: str) -> bool:
        """Whether this is the page's key."""
        return bool(self.key) and _same(key, self.key)

    def why_not(self, method: str, headers: Mapping[str, str], cookies: Mapping[str, str], *, first: bool) -> str:
        """Why a request is refused, in a sentence; "" where it may pass.

        `first` is one for the link with its token, which comes without a cookie. The names of `headers` may be written
        in any letters.
        """
        host = headers.get("Host", "").lower()
        if host not in self.hosts:
            return say("This page is only served to this machine, under its own address.")
        if method not in ("GET", "POST"):
            return say("This page is only read and asked.")
        if headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
            return say("Another page has asked for this; it gets nothing.")
        origin = headers.get("Origin")
        if origin is not None and origin.lower() != f"http://{host}":
            return say("Another page has asked for this; it gets nothing.")
        if not first and not _same(cookies.get(self.cookie, ""), self.secret):
            return say("Open the link that `pbem table` has printed: without it nobody is let in here.")
        if method == "POST" and not self.knows(headers.get("X-Pbem", "")):
            return keyless()
        if method == "POST" and headers.get("Content-Type", "").partition(";")[0].strip().lower() != "application/json":
            return say("What is asked must come as JSON.")
        return ""


def _same(given: str, secret: str) -> bool:
    """Whether both are the same, found out in a time that tells nothing."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode("utf-8"))
