"""The server of the page: on this machine's own address, a thread for each question, until it is stopped."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable
from typing import Any

from flask import Flask
from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

from pbem.errors import Refused
from pbem.language import say
from pbem.page.guard import HOST

__all__ = ["Server", "listening"]


CONNECTIONS = 64
"""So many connections are open at once at most: a browser has six for each of its tabs at most."""

PATIENCE = 20.0
"""Seconds after which a connection is closed on which nothing comes; an answer may take as long as it takes."""


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
        self._server = _Narrow(HOST, port, made(self.stop), _Silent, fd=at.fileno())

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


class _Narrow(ThreadedWSGIServer):
    """A thread for each connection, of which there are so many at once at most; others are closed unanswered."""

    daemon_threads = True

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._room = threading.BoundedSemaphore(CONNECTIONS)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a connection in a thread of its own, if there is room."""
        if self._room.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer it, in that thread."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()


class _Silent(WSGIRequestHandler):
    """Tells of no request: the first one has the token in it."""

    timeout = PATIENCE

    def log(self, type: str, message: str, *args: Any) -> None:
        """Nothing."""

    def version_string(self) -> str:
        """No versions for strangers."""
        return "pbem"
