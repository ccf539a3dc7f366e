"""What the page does for its player: send, answer, propose, open and check, each by the command that does it."""

from __future__ import annotations

import json
from typing import Any

from pbem.errors import Damaged, Refused
from pbem.home.contents import ID_LENGTH
from pbem.language import ENGLISH, say
from pbem.match.table import BARE
from pbem.page.games import Game
from pbem.page.handed import Way, mail_told, way_of
from pbem.page.run import Commands, Said, is_written, unasked
from pbem.wire.orderfile import parse_statements

__all__ = ["again", "answer", "opened", "propose", "send", "slow_check", "withdraw"]

Json = dict[str, Any]

OF_TERMINALS = ("hint: `pbem edit` opens", "the report with its pictures")
"""How lines begin that a command says to who goes on at a terminal: the page itself has what they name."""

PROPOSALS = ("draw", "undo", "resign", "claim")
"""Commands that make a mail in place of a turn."""


def send(game: Game, commands: Commands, head: str, text: str, note: str, *, yes: bool) -> Json:
    """Sign and send the orders of this text, or the bare `begin` or reveal that is due, and hand over the mail.

    Of doubtful orders nothing is signed unless `yes` is said. Raises Moved where another entry is the newest.
    """
    place = game.at_head(head)
    bare = place.table.due().what in BARE and not any(parse_statements(text))
    words = ["send", *([] if bare else ["-"]), *(["--yes"] if yes else [])]
    return _signed(game, commands, words, head, "" if bare else text, note)


def answer(game: Game, commands: Commands, head: str, word: str, note: str) -> Json:
    """Accept or refuse the proposal that waits for my answer. Raises Refused where none does, Moved."""
    proposal = game.at_head(head).table.proposal
    if proposal is None or word not in ("accept", "refuse"):
        raise Refused(say("no proposal waits for such an answer"))
    return _signed(game, commands, [proposal.kind, f"--{word}"], head, "", note, agreement=True)


def propose(game: Game, commands: Commands, head: str, kind: str, entry: int | None, note: str, *, yes: bool) -> Json:
    """Propose a draw or an undo, resign, or claim the game, as the command of that name does. Raises Refused, Moved."""
    if kind not in PROPOSALS or (kind == "undo") != (entry is not None):
        raise Refused(say("there is no such proposal"), kind)
    if kind == "resign" and not yes:
        raise Refused(say("nothing is signed"), hint=say("whoever gives the game up must say that he wants it so"))
    words = [kind, *([str(entry)] if entry is not None else []), *(["--yes"] if kind == "resign" else [])]
    return _signed(game, commands, words, head, "", "" if kind == "claim" else note, agreement=True)


def withdraw(game: Game, commands: Commands, head: str, kind: str) -> Json:
    """Take back what I have asked for and could not sign yet. Raises Refused, Moved."""
    if kind not in PROPOSALS[:3]:
        raise Refused(say("nothing of that kind can be taken back"), kind)
    game.at_head(head)
    said = commands.run([kind, "--withdraw", "--game", game.folder.id], head=head)
    return _told(said, None)


def again(game: Game, commands: Commands, head: str) -> Json:
    """The mail of my newest entry once more. Raises Moved."""
    game.at_head(head)
    return _signed(game, commands, ["send", "--again"], head, "", "", newest=True)


def _signed(
    game: Game,
    commands: Commands,
    words: list[str],
    head: str,
    text: str,
    note: str,
    *,
    agreement: bool = False,
    newest: bool = False,
) -> Json:
    """Let a command sign and write a mail, `agreement` as in `way_of`; `newest`: that of the entry that is there."""
    place = game.place()
    way = way_of(place, place.table.seq + (not newest), commands.folder, agreement=agreement)
    said = commands.run([*words, *way.words, "--game", game.folder.id], text, head=head, note=note)
    behind = game.place()
    signed = newest or behind.table.head.hex() != head
    mine = signed and behind.table.newest[1] == behind.me
    if said.cut and mine:
        said = said._replace(lines=(_cut_short(behind.table.seq, way), *said.lines))
    wanted = way.mail and ((signed and said.done) or mine)
    return _told(said, mail_told(behind, game.scenario(), way, game.compiled) if wanted else None)


def _cut_short(entry: int, way: Way) -> str:
    """What is said of a command that has signed an entry and ended before it handed over its mail."""
    if not way.mail:
        told = say("entry %(entry)s is signed, but the bot hasn't answered: "
                   "the button for the mail of my newest entry lets it go on", entry=entry)  # fmt: skip
    elif is_written(way.file):
        told = say("entry %(entry)s is signed, and its mail is written", entry=entry)
    else:
        told = say("entry %(entry)s is signed, but its mail wasn't written or handed over: "
                   "the button for the mail of my newest entry makes it again", entry=entry)  # fmt: skip
    return told


def _told(said: Said, mail: Json | None) -> Json:
    """What a command has done, for the page."""
    lines = [line for line in said.lines if not unasked(line) and not line.startswith(OF_TERMINALS)]
    return {"done": said.done, "said": lines, "doubts": said.doubts, "mail": mail}


def opened(commands: Commands, mail: str) -> Json:
    """Open a mail, or any text with a turn in it: what became of it, the game that it belongs to, an offer's terms."""
    said = commands.run(["open", "-", "--quiet", "--json"], mail)
    try:
        found = json.loads(said.printed)
    except ValueError:
        found = {}
    taken = found.get("opened", [])
    offers = any("terms" in one for one in taken)
    terms = commands.run(["open", "-"], mail).printed if offers else ""  # nothing of an offer is stored by either
    games = [one["game"] for one in taken if "game" in one]
    lines = [one["told"].removeprefix("standard input: ") for one in taken]
    if "error" in found:
        lines += [_in_a_line(found["error"])]
    return {
        "done": said.done,
        "said": [*lines, *(line.removeprefix("standard input: ") for line in said.lines)],
        "game": games[-1][:ID_LENGTH] if games else None,
        "terms": terms.strip(),
    }


def _in_a_line(error: Json) -> str:
    where = f"{error['where']}: " if error["where"] not in ("", "standard input") else ""
    return f"{where}{error['what']}" + (f"; {error['right']}" if error["right"] else "")


def slow_check(game: Game, commands: Commands, head: str, text: str) -> Json | None:
    """What `pbem check --json` says of the text of orders; None where a newer check has taken its place.

    Unlike all else it is asked without the game's lock, which it takes itself: it lasts for seconds, and clicks go on.
    Raises Moved; Damaged where the command has failed.
    """
    with game.lock:
        game.at_head(head)
        if game.checking is not None:
            game.checking.end()
        words = ["check", "-", "--json", "--game", game.folder.id]
        mine = game.checking = commands.start(words, head=head, tag=ENGLISH)  # what it says is read, then shown
    said = commands.finished(mine, text)
    with game.lock:
        if game.checking is not mine:
            return None
        game.checking = None
    try:
        found: Json = json.loads(said.printed)
    except ValueError:
        what = say("the check has ended without an answer")
        raise Damaged(what, "", "; ".join(said.lines[-2:])) from None
    if "error" in found:
        raise Refused(*(found["error"][key] for key in ("what", "where", "right")))
    return found
