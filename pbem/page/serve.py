"""The server of the page: on this machine's own address, a thread for each question, until it is stopped."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable
from typing import Any

from flask import Flask
from werkzeug.serving import WSGIRequestHandler, make_server

from pbem.errors import Refused
from pbem.language import say
from pbem.page.guard import HOST

__all__ = ["Server", "listening"]


def listening(port: int) -> socket.socket:
    """A socket that listens on this machine's own address alone, at a free port for 0. Raises Refused."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform != "win32":  # there it would let two programs share the port; here it forgets the one before
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((HOST, port))
        found.listen(64)
    except OSError as error:
        found.close()
        hint = say("name another one, or none: a free one is taken then")
        what = say("port %(port)s can't be used: %(why)s", port=port, why=error.strerror)
        raise Refused(what, "--port", hint) from None
    return found


class Server:
    """A server on a socket; `made` gives its application, told how it is stopped."""

    def __init__(self, at: socket.socket, made: Callable[[Callable[[], None]], Flask]) -> None:
        self._socket = at
        port = at.getsockname()[1]
        self._server = make_server(HOST, port, made(self.stop), threaded=True, request_handler=_Silent, fd=at.fileno())
        self._server.daemon_threads = True  # type: ignore[attr-defined]  # of a threaded one

    def run(self) -> None:
        """Serve until it is stopped."""
        try:
            self._server.serve_forever(poll_interval=0.1)
        finally:
            self._server.server_close()
            self._socket.close()

    def stop(self) -> None:
        """End it, as soon as what is asked just now is answered."""
        threading.Timer(0.2, self._server.shutdown).start()


class _Silent(WSGIRequestHandler):
    """Tells of no request: the first one has the token in it."""

    def log(self, type: str, message: str, *args: Any) -> None:
        """Nothing."""

    def version_string(self) -> str:
        """No versions for strangers."""
        return "pbem"
