"""Two logs or turns side by side, without a key: evidence, diff."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import (
    as_json,
    echo,
    error_data,
    filled,
    folded,
    hint,
    home_of,
    in_words,
    json_option,
    one_line,
    show,
    source_name,
)
from pbem.cli.logs import read_log
from pbem.disk import open_regular
from pbem.errors import BadScenario, Damaged, PbemError, Refused

if TYPE_CHECKING:
    from pbem.audit.diff import Contrast, Difference, Judged
    from pbem.audit.evidence import Exhibit, Verdict
    from pbem.match.course import Step
    from pbem.match.table import Table
    from pbem.wire.blocks import Block

__all__ = ["diff_command", "evidence_command", "sources"]

FENCE = b"-----BEGIN PBEM TURN-----\n"

STATEMENT_SHOWN = 400
"""Letters of a statement that are shown; --json has all of it."""


# --- evidence ----------------------------------------------------------------------------------------------------


@click.command("evidence")
@click.argument("first", metavar="A", type=click.Path())
@click.argument("second", metavar="B", type=click.Path())
@click.option(
    "--log", metavar="FILE", type=click.Path(), help="The game's log: its offer and accept tell whose key it is."
)
@json_option
@click.pass_context
def evidence_command(ctx: click.Context, first: str, second: str, log: str | None, as_json_data: bool) -> int:
    """Do two turns prove that somebody signed both for one number?

    A and B are mails, block files (those in the folder evidence/) or logs. The turns in them with the same game,
    number and author and with other words are judged. Anyone can do it, without a key. Exit code 0: they prove it.

    Example: pbem evidence evidence/52a8bd7c8d5dd0e5-5-ben.turn game.log
    """
    from pbem.audit.evidence import keys_of, proofs

    _once(first, second, log)
    try:
        one, two = _turns(first), _turns(second)
        more = _turns(log) if log else []
        verdicts = proofs(one, two, keys_of([*one, *two, *more]))
        verdict = verdicts[0] if verdicts else _no_rivals(one, two)
    except PbemError as error:
        if not as_json_data:
            raise
        as_json({"proof": False, "error": error_data(error)})
        return 1
    others = [other for other in verdicts[1:] if other.proof]
    if as_json_data:
        as_json({**_verdict(verdict), "others": [_verdict(other) for other in others]})
    else:
        _tell_verdict(verdict, others)
    return 0 if verdict.proof else 1


def _once(*sources: str | None) -> None:
    if sources.count("-") > 1:
        raise click.UsageError("standard input can be given once only")


def _turns(source: str) -> list[Exhibit]:
    """Every whole turn in a mail, block file, folder of mails or log. Raises Refused when there is none."""
    from pbem.audit.evidence import exhibits

    blocks, damaged = sources(source)
    if not blocks:
        if damaged:
            raise damaged[0]
        raise Refused("no turn is there", source_name(source), "a mail, a block file or a log is needed")
    return exhibits(blocks, source_name(source))


def sources(source: str) -> tuple[list[Block], list[Damaged]]:
    """The whole blocks of a log, mail, block file, folder or mailbox, and what is damaged there.

    A turn stands there once for each of its signatures: a bad copy hides no good one.
    """
    from pbem.home.files import LIMIT
    from pbem.mail.inbox import examine, read_mails

    piped = sys.stdin.buffer.read(LIMIT + 1) if source == "-" else None
    blocks = _exact_blocks(source, piped)
    if blocks is not None:
        return blocks, []
    found: dict[Block, None] = {}
    damaged: list[Damaged] = []
    for mail in read_mails(source, io.BytesIO(piped or b"")):
        whole, wrong = examine(mail)
        found |= dict.fromkeys(whole)
        damaged += wrong
    return list(found), damaged


def _exact_blocks(source: str, piped: bytes | None) -> list[Block] | None:
    """The blocks of a log or block file as the program writes it, of any length; None for everything else."""
    from pbem.home.files import LIMIT
    from pbem.wire.blocks import read_log_blocks

    data = piped
    if data is None:
        try:
            with open_regular(source) as file:
                data = file.read(len(FENCE))
                data += file.read(LIMIT) if data == FENCE else b""
        except (OSError, ValueError):
            return None
    if not data.startswith(FENCE) or not data.isascii():
        return None
    try:
        return read_log_blocks(data.decode("ascii"))
    except Damaged:
        return None


def _no_rivals(one: list[Exhibit], two: list[Exhibit]) -> Verdict:
    """The verdict where no two turns claim one number."""
    from pbem.audit.evidence import Verdict, judge

    known = {turn.block.payload: turn for turn in two}
    same = [(turn, known[turn.block.payload]) for turn in one if turn.block.payload in known]
    if len(one) == len(two) == 1 or (same and 1 in (len(one), len(two))):
        return judge(*(same or [(one[0], two[0])])[0], {})
    counts = [len({turn.block.payload for turn in turns}) for turns in (one, two)]
    held = zip((one, two), counts, strict=True)
    sides = [
        f"{turns[0].source} holds {count} turns" if count > 1 else f"{turns[0].source} holds 1 turn"
        for turns, count in held
    ]
    why = f"{' and '.join(sides)}, but nobody signed two different ones for one number of a game there"
    return Verdict(False, why, one[0], two[0])


def _tell_verdict(verdict: Verdict, others: list[Verdict]) -> None:
    from pbem.crypto.keys import fingerprint

    show(folded(f"{'proof' if verdict.proof else 'no proof'}: {verdict.why}", "", "    "))
    if verdict.key is None or verdict.contrast is None:
        return
    by = verdict.first.entry.by
    whose = f"{by}'s by {verdict.told}" if verdict.told else f"the turns call its owner {by}"
    show(folded(f"key {fingerprint(verdict.key)}, {whose}", "", "    "))
    _tell_contrast(verdict.contrast, (verdict.first.source, verdict.second.source))
    for other in others:
        show(folded(f"as well: {other.first.words}", "", "    "))
    if not verdict.told:
        hint("with --log game.log the game's offer and accept tell whose key it is")


def _tell_contrast(found: Contrast, names: tuple[str, str]) -> None:
    show(in_words(f"the first difference is in statement {found.number}:"))
    for name, statement in zip(names, (found.first, found.second), strict=True):
        shown = statement if len(statement) <= STATEMENT_SHOWN else statement[:STATEMENT_SHOWN] + " ..."
        show(filled(f"{name}: {shown}", "    ", "        "))


def _contrast(found: Contrast | None) -> dict[str, Any] | None:
    return {"statement": found.number, "first": found.first, "second": found.second} if found else None


def _verdict(verdict: Verdict) -> dict[str, Any]:
    from pbem.crypto.keys import fingerprint

    return {
        "proof": verdict.proof,
        "why": verdict.why,
        "turns": [
            {"source": t.source, "game": t.entry.game, "seq": t.entry.seq, "kind": t.entry.kind, "by": t.entry.by}
            for t in (verdict.first, verdict.second)
        ],
        "key": fingerprint(verdict.key) if verdict.key else None,
        "key_from": (verdict.told or "the signatures") if verdict.key else None,
        "difference": _contrast(verdict.contrast),
    }


# --- diff --------------------------------------------------------------------------------------------------------


@click.command("diff")
@click.argument("first", metavar="LOG", type=click.Path())
@click.argument("second", metavar="LOG", type=click.Path())
@json_option
@click.pass_context
def diff_command(ctx: click.Context, first: str, second: str, as_json_data: bool) -> int:
    """Where do two logs of a game part: entry, statement, step?

    The step is the first order, roll or event that went another way. Both logs are verified too; that needs no key.
    Exit code 0: both are the same and good.

    Example: pbem diff game.log theirs.log
    """
    from pbem.audit.diff import difference

    _once(first, second)
    names = (source_name(first), source_name(second))
    try:
        found = difference(read_log(first), read_log(second), home_of(ctx).load, names)
    except PbemError as error:
        if not as_json_data:
            raise
        as_json({"same": False, "error": error_data(error)})
        return 1
    same = found.what == "equal" and not any(log.fault for log in found.logs)
    if as_json_data:
        as_json({"same": same, **_difference(found)})
    else:
        _tell_difference(found, names)
    return 0 if same else 1


def _tell_difference(found: Difference, names: tuple[str, str]) -> None:
    show(folded(_where_they_part(found, names), "", "    "))
    if found.contrast is not None:
        _tell_contrast(found.contrast, names)
    if found.parting is not None:
        show(in_words("the first step that went another way:"))
        steps = (found.parting.first, found.parting.second)
        for name, log, step in zip(names, found.logs, steps, strict=True):
            told = _step_words(log, found.parting.number, step)
            show(folded(f"{name}: {told[0]}", "    ", "        "))
            for line in told[1:]:
                show(folded(line, "        "))
    elif found.contrast is not None and all(log.table for log in found.logs):
        show(in_words("so far both come to the same: no step went another way"))
    _tell_faults(found, names)
    authors = {entry.by for entry in found.entries if entry}
    if found.what == "entry" and found.number > 1 and len(authors) == 1:
        hint(f"`pbem evidence {names[0]} {names[1]}` tells whether {authors.pop()} signed two turns for one number")


def _where_they_part(found: Difference, names: tuple[str, str]) -> str:
    number = found.number
    if found.what == "equal":
        return f"both logs are the same, {number} entries"
    if found.what == "longer":
        at = 0 if found.entries[0] else 1
        more = found.logs[at].entries - number
        entries = "1 more entry" if more == 1 else f"{more} more entries"
        return f"{names[at]} has {entries}, from {number} on; the first {number} are the same in both"
    if found.what == "signature":
        return f"all words are the same in both; entry {number} has another form of its signature"
    kinds = [f"{entry.kind} by {entry.by}" for entry in found.entries if entry]
    if number < 2:
        return f"these are two different games: entry {number} differs, {' and '.join(kinds)}"
    what = f"{kinds[0]} in both" if kinds[0] == kinds[1] else f"{kinds[0]} in {names[0]}, {kinds[1]} in {names[1]}"
    return f"the logs part at entry {number}, {what}; the {number} before it are the same"


def _step_words(log: Judged, number: int, step: Step | None) -> list[str]:
    """A step in words, and what a roll decided, each with the entry, phase, clause and modifiers."""
    if step is None or log.table is None:
        return ["nothing more has happened there"]
    following = log.table.steps[number + 1 :] if step["kind"] in ("roll", "draw") else []
    decided = next((later for later in following if later["kind"] == "tell"), None)
    turn, phase, told = f"{log.table.rules.TURN} {step['turn']}", _phase(log.table, step), _sentence(log.table, step)
    first = f"by entry {step['seq']}, {turn}, {phase}: {told}"
    return [first, *([_sentence(log.table, decided)] if decided else [])]


def _phase(table: Table, step: Step) -> str:
    """The title of the phase of a step."""
    from pbem.match.phases import phases_of

    titles = {phase["id"]: str(phase["title"]) for phase in phases_of(table)}
    return titles.get(step["phase"], str(step["phase"]))


def _sentence(table: Table, step: Step) -> str:
    from pbem.report.build import describe
    from pbem.report.source import direction_of

    told = describe(step, table.rules.situation(table.game.state), direction_of(table))
    clause = step.get("clause", "")
    return told if not clause or f"[{clause}]" in told else f"{told} [{clause}]"


def _tell_faults(found: Difference, names: tuple[str, str]) -> None:
    """Say which log doesn't verify; the same fault in equal logs is told once."""
    logs = list(zip(names, found.logs, strict=True))[: 1 if found.what == "equal" else 2]
    for name, log in logs:
        if log.fault is None:
            continue
        name = "both" if found.what == "equal" else name
        show(folded(f"{name}: {one_line(str(log.fault))}", "", "    "))
        if "state" in log.fault.what or isinstance(log.fault, BadScenario):
            echo("the players' programs differ in rules or scenario; `pbem --version` on both sides tells")
    if not any(log.fault for _, log in logs):
        good = "signatures, chain, dice and rules are good"
        show(in_words("signatures, chain, dice and rules are good in both" if len(logs) > 1 else good))


def _difference(found: Difference) -> dict[str, Any]:
    parting = found.parting
    return {
        "what": found.what,
        "entry": found.number,
        "entries": [{"kind": e.kind, "by": e.by} if e else None for e in found.entries],
        "difference": _contrast(found.contrast),
        "step": {"first": parting.first, "second": parting.second} if parting else None,
        "logs": [{"entries": log.entries, "fault": error_data(log.fault) if log.fault else None} for log in found.logs],
    }
