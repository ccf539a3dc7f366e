"""The page's addresses: each answer as plain data, what is wrong as a sentence; writing is left to the commands."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Flask, Response, make_response, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from pbem.errors import PbemError
from pbem.page.games import Changed, Game, Games, Moved
from pbem.page.guard import HEADERS, PAGE, Guard
from pbem.report.layout import as_it_stands, render

__all__ = ["BODY_MAX", "application"]

Json = dict[str, Any]
Answer = Callable[[Game, Json], Json]

MAIL_MAX = 2 << 20
"""Bytes of a mail, as `pbem open` reads them."""

BODY_MAX = MAIL_MAX + (1 << 19)
"""Bytes of a question: a mail, and what JSON adds to it."""

SCRIPTS = ("table.js", "pictures.js")
"""The page's scripts, beside its template."""


class Bad(Exception):
    """A question that can't be read: what is wrong, and where."""

    def __init__(self, what: str, where: str = "", code: int = 400) -> None:
        super().__init__(what)
        self.what, self.where, self.code = what, where, code


def application(games: Games, guard: Guard, stop: Callable[[], None]) -> Flask:
    """The page of these games behind that door; `stop` ends the server."""
    app = Flask("pbem.page", static_folder=None, template_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = BODY_MAX

    @app.before_request
    def enter() -> Response | None:
        first = request.method == "GET" and request.path == "/" and guard.opens(request.args.get("token", ""))
        why = guard.why_not(request.method, dict(request.headers), request.cookies, first=first)
        if not why:
            return None
        return _said(why, 403)

    @app.after_request
    def leave(response: Response) -> Response:
        for name, value in {"Content-Security-Policy": PAGE, **HEADERS}.items():
            response.headers.setdefault(name, value)
        return response

    _pages(app, games, guard)
    _questions(app, games, stop)
    _errors(app)
    return app


# --- pages ------------------------------------------------------------------------------------------------------------


def _pages(app: Flask, games: Games, guard: Guard) -> None:
    """What the browser itself asks for."""

    @app.get("/")
    def first() -> Response:
        if not guard.opens(request.args.get("token", "")):
            return _redirected("/games")
        wanted = request.args.get("game", "")
        known = {folder.id for folder in games.home.games()}
        answer = _redirected(f"/game/{wanted}" if wanted in known else "/games")
        answer.set_cookie(guard.cookie, guard.secret, httponly=True, samesite="Strict", path="/")
        return answer

    @app.get("/games")
    def list_page() -> Response:
        return _page()

    @app.get("/game/<id>")
    def game_page(id: str) -> Response:
        games.game(id)
        return _page()

    @app.get("/static/<name>")
    def script(name: str) -> Response:
        if name not in SCRIPTS:
            raise LookupError(name)
        return _typed(as_it_stands(name), "text/javascript")


def _page() -> Response:
    """The page itself: the same for every game; what it shows it asks for."""
    return _typed(render("", "table.html.j2", {}, None), "text/html")


def _typed(text: str, kind: str) -> Response:
    answer = make_response(text)
    answer.headers["Content-Type"] = f"{kind}; charset=utf-8"
    return answer


def _redirected(path: str) -> Response:
    answer = make_response("", 303)
    answer.headers["Location"] = path
    return answer


# --- questions --------------------------------------------------------------------------------------------------------


def _questions(app: Flask, games: Games, stop: Callable[[], None]) -> None:
    """What the page's script asks."""

    def of_game(path: str) -> Callable[[Answer], None]:
        def add(answer: Answer) -> None:
            @wraps(answer)
            def asked(id: str) -> Response:
                data = _asked()
                game = games.game(id)
                with game.lock:
                    return _json(answer(game, data))

            app.post(f"/api/<id>/{path}", endpoint=path)(asked)

        return add

    @app.post("/api/games")
    def listed() -> Response:
        return _json({"games": games.listed()})

    @app.post("/api/stop")
    def stopped() -> Response:
        stop()
        return _json({"done": True})

    @of_game("view")
    def view(game: Game, _data: Json) -> Json:
        found = game.shown().view
        text, mark = game.draft()
        return {**found, "draft": text, "mark": mark}

    @of_game("draft")
    def draft(game: Game, data: Json) -> Json:
        game.at_head(_text(data, "head", 64))
        path, mark = game.write_draft(_text(data, "text"), data.get("mark"))
        return {"path": str(path), "mark": mark}

    for path in ("orders", "choices", "odds", "edit", "shapes", "check", "send", "name", "answer"):

        @of_game(path)
        def not_yet(_game: Game, _data: Json) -> Json:
            raise Bad("This isn't there yet.", code=501)

    @app.post("/api/open")
    def opened() -> Response:
        raise Bad("This isn't there yet.", code=501)


def _asked() -> Json:
    """The data of a question. Raises Bad."""
    try:
        data = json.loads(request.get_data(cache=False).decode("utf-8"))
    except RecursionError:
        raise Bad("It is nested too deeply to be read.") from None
    except ValueError:
        raise Bad("It isn't JSON.") from None
    if not isinstance(data, dict):
        raise Bad("It must be an object of JSON.")
    return data


def _text(data: Json, name: str, most: int = MAIL_MAX) -> str:
    """A text of a question, of so many bytes at most. Raises Bad."""
    value = data.get(name)
    if not isinstance(value, str):
        raise Bad("A text must stand here.", name)
    try:
        size = len(value.encode("utf-8"))
    except UnicodeEncodeError:
        raise Bad("It holds what is no letter.", name) from None
    if size > most:
        raise Bad(f"It has {size:,} bytes, {most:,} at most are read.", name, 413)
    return value


# --- what is wrong ----------------------------------------------------------------------------------------------------


def _errors(app: Flask) -> None:
    """Every error is told in words."""

    @app.errorhandler(Bad)
    def bad(error: Bad) -> Response:
        return _said(error.what, error.code, error.where)

    @app.errorhandler(PbemError)
    def refused(error: PbemError) -> Response:
        return _said(error.what, 400, error.where, error.hint, getattr(error, "clause", ""))

    @app.errorhandler(Moved)
    def moved(_error: Moved) -> Response:
        return _json({"moved": True}, 409)

    @app.errorhandler(Changed)
    def changed(error: Changed) -> Response:
        return _json({"changed": True, "draft": error.text, "mark": error.mark}, 409)

    @app.errorhandler(LookupError)
    def unknown(_error: LookupError) -> Response:
        return _said("There is no such thing here.", 404)

    @app.errorhandler(RequestEntityTooLarge)
    def large(_error: RequestEntityTooLarge) -> Response:
        return _said(f"That is too much: {BODY_MAX:,} bytes at most are taken. `pbem open FILE` reads a file.", 413)

    @app.errorhandler(HTTPException)
    def other(error: HTTPException) -> Response:
        return _said(f"{error.name}.", error.code or 500)

    @app.errorhandler(Exception)
    def failed(error: Exception) -> Response:
        app.logger.error("%s %s", request.method, request.path, exc_info=error)
        return _said("Something has gone wrong in the program; where it was started it is told.", 500)


def _said(what: str, code: int, where: str = "", right: str = "", clause: str = "") -> Response:
    """What is wrong: for the page's script as data, for a reader as a sentence."""
    if request.method == "GET":
        answer = make_response(f"{what}\n", code)
        answer.headers["Content-Type"] = "text/plain; charset=utf-8"
        return answer
    return _json({"error": {"what": what, "where": where, "right": right, "clause": clause}}, code)


def _json(data: Json, code: int = 200) -> Response:
    answer = make_response(json.dumps(data, ensure_ascii=False, separators=(",", ":")), code)
    answer.headers["Content-Type"] = "application/json; charset=utf-8"
    return answer
