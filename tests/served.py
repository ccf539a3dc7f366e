"""A page of a home folder's games, asked as its own script asks it, without a browser."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import pbem
from pbem.crypto.keys import load_signer
from pbem.desk.desk import Desk
from pbem.home.folders import Home
from pbem.page.app import application
from pbem.page.games import Games
from pbem.page.guard import Guard
from pbem.page.run import Commands

Json = dict[str, Any]

PORT = 8000
TOKEN, SECRET, ONCE, KEY = "token-of-the-link", "secret-of-the-cookie", "token-for-one-use", "page"


def environment() -> dict[str, str]:
    """The variables for the page's commands, none of which come from the player of these tests."""
    kept = {name: word for name, word in os.environ.items() if not name.startswith("PBEM_")}
    return kept | {"PYTHONPATH": str(Path(pbem.__file__).parents[1])}


class Page:
    """The page of a home folder, and a browser that has opened its link."""

    def __init__(self, root: Path, port: int = PORT) -> None:
        self.home = Home(root)
        signer = load_signer(self.home.key)
        self.games = Games(self.home, lambda: Desk(self.home, lambda: signer, os.urandom))
        self.guard = Guard(port, TOKEN, SECRET, ONCE, KEY)
        self.folder = root.parent
        self.stopped: list[bool] = []
        commands = Commands(root, None, self.folder, environment())
        self.app = application(self.games, self.guard, commands, lambda: self.stopped.append(True))
        self.browser = self.stranger()
        self.browser.get("/", query_string={"token": TOKEN}, base_url=self.address)

    @property
    def address(self) -> str:
        """Where it is served."""
        return f"http://127.0.0.1:{self.guard.port}"

    @property
    def id(self) -> str:
        """The id of the first game."""
        return self.home.games()[0].id

    def stranger(self) -> FlaskClient:
        """A browser that has never opened the link."""
        return self.app.test_client()

    def post(self, path: str, data: Json | None = None, **headers: str) -> TestResponse:
        """A question as the page's script asks it, but for these headers."""
        sent = {"X-Pbem": KEY, "Origin": self.address} | headers
        return self.browser.post(path, json=data or {}, headers=sent, base_url=self.address)

    def ask(self, path: str, **data: Any) -> Json:
        """A question that is answered."""
        answer = self.post(path, data)
        assert answer.status_code == 200, (path, answer.status_code, answer.get_data(as_text=True))
        found: Json = answer.get_json()
        return found

    def of(self, what: str, **data: Any) -> Json:
        """A question about the first game."""
        return self.ask(f"/api/{self.id}/{what}", **data)
