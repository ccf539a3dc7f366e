"""The server of the page: on this machine's own address, a thread for each question, until it is stopped."""

from __future__ import annotations

import io
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from flask import Flask
from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

from pbem.errors import Refused
from pbem.language import say
from pbem.page.asked import BODY_MAX
from pbem.page.guard import HOST

__all__ = ["Server", "listening"]


CONNECTIONS = 64
"""So many connections are open at once at most: a browser has six for each of its tabs at most."""

PATIENCE = 20.0
"""Seconds after which a connection is closed on which nothing comes; an answer may take as long as it takes."""

HEAD = 10.0
"""Seconds in which the whole head of a request must have come."""

RATE = 100_000
"""Bytes of a request's body that must come in a second, behind as many seconds as its head had."""


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

    def answered(self, wait: float) -> None:
        """Wait, but for so many seconds at most, until what was asked is answered."""
        end = time.monotonic() + wait
        while self._server.answers() and time.monotonic() < end:
            time.sleep(0.02)

    def stop(self) -> None:
        """End it, as soon as what is asked just now is answered."""
        threading.Timer(0.2, self._server.shutdown).start()


class _Narrow(ThreadedWSGIServer):
    """A thread for each connection, of which there are so many at once at most.

    When the house is full, the oldest one of which something is still to be read makes room for the newcomer: whoever
    says only half of what he wants keeps nobody out.
    """

    daemon_threads = True

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._open: dict[Any, bool] = {}  # connection -> whether it is still listened to; the oldest first
        self._lock = threading.Lock()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a connection in a thread of its own, if there is room."""
        with self._lock:
            room = len(self._open) < CONNECTIONS or self._close_one()
            if room:
                self._open[request] = True
        if room:
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer it, in that thread."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._lock:
                self._open.pop(request, None)

    def listens(self, request: Any, still: bool) -> bool:
        """Say whether a connection is listened to from now on; False where it had to make room."""
        with self._lock:
            if request not in self._open:
                return False
            self._open[request] = still
            return True

    def answers(self) -> bool:
        """Whether a request that has come is still to be answered."""
        with self._lock:
            return not all(self._open.values())

    def _close_one(self) -> bool:
        """Close the oldest connection that is still listened to; its thread finds that nothing more comes."""
        for request, still in self._open.items():
            if still:
                del self._open[request]
                _shut(request)
                return True
        return False


def _shut(connection: socket.socket) -> None:
    with suppress(OSError):  # its other end may have closed it
        connection.shutdown(socket.SHUT_RDWR)


class _Heard(io.RawIOBase):
    """What comes on a connection, as long as its request has time. Raises TimeoutError behind that."""

    def __init__(self, connection: socket.socket, server: _Narrow) -> None:
        super().__init__()
        self._connection, self._server = connection, server
        self.give(HEAD)

    def give(self, seconds: float) -> None:
        """So many seconds are left from now on."""
        self._end = time.monotonic() + seconds

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """The next bytes of it. Raises ConnectionError where the connection had to make room."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if not self._server.listens(self._connection, True):
            raise ConnectionAbortedError
        self._connection.settimeout(min(left, PATIENCE))
        try:
            came = self._connection.recv_into(buffer)
        finally:
            self._connection.settimeout(PATIENCE)
            stays = self._server.listens(self._connection, False)
        if not stays:
            raise ConnectionAbortedError
        return came


class _Silent(WSGIRequestHandler):
    """Tells of no request: the first one has the token in it."""

    timeout = PATIENCE
    server: _Narrow

    def setup(self) -> None:
        """A connection is heard for a while, not for ever."""
        super().setup()
        self.rfile.close()
        self._heard = _Heard(self.connection, self.server)
        self.rfile = io.BufferedReader(self._heard)

    def run_wsgi(self) -> None:
        """Answer a request whose head has come; its body has time by its length."""
        length = self.headers.get("Content-Length", "0")
        known = min(int(length), BODY_MAX) if length.isdecimal() and len(length) < 20 else 0
        self._heard.give(HEAD + known / RATE)
        super().run_wsgi()

    def log(self, type: str, message: str, *args: Any) -> None:
        """Nothing."""

    def version_string(self) -> str:
        """No versions for strangers."""
        return "pbem"
