"""The page's addresses: each answer as plain data, what is wrong as a sentence; writing is left to the commands."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from flask import Flask, Response, g, make_response, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from pbem.errors import PbemError
from pbem.language import say, shown
from pbem.page.asked import BODY_MAX, Bad, Question
from pbem.page.deeds import opened
from pbem.page.games import Changed, Game, Games, Moved
from pbem.page.guard import HEADERS, PAGE, REPLAY, REPORT, Guard, keyless
from pbem.page.naming import names_of
from pbem.page.questions import ANSWERS, DEEDS, UNLOCKED
from pbem.page.run import Commands
from pbem.report.layout import as_it_stands
from pbem.report.replayed import seal
from pbem.report.scripts import page

__all__ = ["application"]

Json = dict[str, Any]

SCRIPTS = frozenset(
    {
        "pictures.js",
        "table-enter.js",
        "table-forms.js",
        "table-list.js",
        "table-map.js",
        "table-orders.js",
        "table-post.js",
        "table-talk.js",
        "table-units.js",
        "table.js",
        "words.js",
    }
)
"""The page's scripts, beside its template."""

PAPERS = {
    "report": ("report", "--format", "html", "--game"),
    "replay": ("replay",),
}
"""What is shown in a frame of the page: the commands that write it, to which the game is named."""


def application(games: Games, guard: Guard, commands: Commands, stop: Callable[[], None]) -> Flask:
    """The page of these games behind that door; `stop` ends the server."""
    app = Flask("pbem.page", static_folder=None, template_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = BODY_MAX

    used: list[str] = []

    def opens(token: str) -> bool:
        """Whether a token lets its browser in; the one for one use does it once."""
        if not guard.opens_once(token):
            return guard.opens(token)
        used.append(token)
        return len(used) == 1

    @app.before_request
    def enter() -> Response | None:
        first = request.method == "GET" and request.path == "/" and opens(request.args.get("token", ""))
        g.first = first
        why = guard.why_not(request.method, dict(request.headers), request.cookies, first=first)
        return _said(why, 403) if why else None

    @app.after_request
    def leave(response: Response) -> Response:
        for name, value in {"Content-Security-Policy": PAGE, **HEADERS}.items():
            response.headers.setdefault(name, value)
        return response

    _pages(app, games, guard)
    _papers(app, games, commands, guard)
    _questions(app, games, commands, stop)
    _errors(app, games)
    return app


# --- pages ------------------------------------------------------------------------------------------------------------


def _pages(app: Flask, games: Games, guard: Guard) -> None:
    """What the browser itself asks for."""

    @app.get("/")
    def first() -> Response:
        wanted = request.args.get("game", "")
        known = {folder.id for folder in games.home.games()}
        to = f"/game/{wanted}" if wanted in known else "/games"
        if not g.first:
            answer = make_response("", 303)
            answer.headers["Location"] = to
        else:
            answer = _typed(page("table-enter.html.j2", {"key": guard.key, "to": to}, ()), "text/html")
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
    return _typed(page("table.html.j2", {}, sorted(SCRIPTS)), "text/html")


def _papers(app: Flask, games: Games, commands: Commands, guard: Guard) -> None:
    """The report and the replay of a game, which the commands write, once for each entry."""

    @app.get("/game/<id>/<any(report, replay):kind>")
    def paper(id: str, kind: str) -> Response:
        if not guard.knows(request.args.get("key", "")):
            return _said(keyless(), 403)
        game = games.game(id)
        answer = _typed(_paper(game, commands, kind), "text/html")
        answer.headers["Content-Security-Policy"] = REPORT if kind == "report" else REPLAY.format(seal())
        return answer


def _paper(game: Game, commands: Commands, kind: str) -> str:
    """The page of that kind. Raises Bad with what its command has said where it has failed."""
    with game.lock:
        head = game.place().table.head.hex()
        made = game.papers.get(kind)
    if made is None or made[0] != head:
        said = commands.run([*PAPERS[kind], game.folder.id])
        if not said.done:
            raise Bad("\n".join(said.lines) or say("It can't be shown."))
        made = game.papers[kind] = (head, said.printed)
    return made[1]


def _names(games: Games) -> Mapping[str, str]:
    """The names of the game that was asked about."""
    try:
        return names_of(games.game((request.view_args or {})["id"]).place().table)
    except (PbemError, LookupError):
        return {}


def _typed(text: str, kind: str) -> Response:
    answer = make_response(text)
    answer.headers["Content-Type"] = f"{kind}; charset=utf-8"
    return answer


# --- questions --------------------------------------------------------------------------------------------------------


def _questions(app: Flask, games: Games, commands: Commands, stop: Callable[[], None]) -> None:
    """What the page's script asks."""

    @app.post("/api/games")
    def listed() -> Response:
        return _json({"games": games.listed()})

    @app.post("/api/open")
    def opens() -> Response:
        mail = _asked().text("mail")
        with games.at_work():
            return _json(opened(commands, mail))

    @app.post("/api/stop")
    def stopped() -> Response:
        games.closed()  # a send that runs is waited for, and none is begun
        stop()
        return _json({"done": True})

    @app.post("/api/<id>/<what>")
    def of_game(id: str, what: str) -> Response:
        if what not in ANSWERS and what not in DEEDS:
            raise LookupError(what)
        game, question = games.game(id), _asked()
        if what in ANSWERS:
            with game.lock:
                return _json(ANSWERS[what](game, question))
        with games.at_work(game, locked=what not in UNLOCKED):
            return _json(DEEDS[what](game, question, commands))


def _asked() -> Question:
    """The question of this request. Raises Bad."""
    return Question(request.get_data(cache=False))


# --- what is wrong ----------------------------------------------------------------------------------------------------


def _errors(app: Flask, games: Games) -> None:
    """Every error is told in words."""

    @app.errorhandler(Bad)
    def bad(error: Bad) -> Response:
        return _said(error.what, error.code, error.where)

    @app.errorhandler(PbemError)
    def refused(error: PbemError) -> Response:
        names = _names(games)
        what, where, right = (shown(words, names) for words in (error.what, error.where, error.hint))
        return _said(what, 400, where, right, getattr(error, "clause", ""))

    @app.errorhandler(Moved)
    def moved(_error: Moved) -> Response:
        return _json({"moved": True}, 409)

    @app.errorhandler(Changed)
    def changed(error: Changed) -> Response:
        return _json({"changed": True, "draft": error.text, "mark": error.mark}, 409)

    @app.errorhandler(LookupError)
    def unknown(_error: LookupError) -> Response:
        return _said(say("There is no such thing here."), 404)

    @app.errorhandler(RequestEntityTooLarge)
    def large(_error: RequestEntityTooLarge) -> Response:
        most = f"{BODY_MAX:,}"
        told = say("That is too much: %(most)s bytes at most are taken. No mail of that size is read.", most=most)
        return _said(told, 413)

    @app.errorhandler(HTTPException)
    def other(error: HTTPException) -> Response:
        return _said(f"{error.name}.", error.code or 500)

    @app.errorhandler(OSError)
    def unreadable(error: OSError) -> Response:
        why = error.strerror or say("no reason is told")
        return _said(say("A file can't be read: %(why)s.", why=why), 500)

    @app.errorhandler(Exception)
    def failed(error: Exception) -> Response:
        app.logger.error("%s", request.path, exc_info=error)
        told = say("Something has gone wrong in the program; it is told where `pbem table` was started.")
        return _said(told, 500)


def _said(what: str, code: int, where: str = "", right: str = "", clause: str = "") -> Response:
    """What is wrong: for the page's script as data, for a reader as a sentence."""
    if request.method == "GET":
        answer = make_response(f"{what}\n", code)
        answer.headers["Content-Type"] = "text/plain; charset=utf-8"
        return answer
    return _json({"error": {"what": what, "where": where, "right": right, "clause": clause}}, code)


def _json(data: Mapping[str, Any], code: int = 200) -> Response:
    answer = make_response(json.dumps(data, ensure_ascii=False, separators=(",", ":")), code)
    answer.headers["Content-Type"] = "application/json; charset=utf-8"
    return answer
