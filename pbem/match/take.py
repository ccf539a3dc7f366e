"""One turn onto a table: steps 3 to 6 of its way, from the signature to where the game waits again (protocol 4.1).

Nothing unverified is ever parsed as orders.
"""

from __future__ import annotations

from pbem.crypto import dice, sshsig
from pbem.errors import BadLog, BadSignature, OrderError
from pbem.match.agreements import READ_AGAIN, Forgotten, begin_chain, settle, signing_key, why_not_due
from pbem.match.course import Chancer
from pbem.match.genesis import Genesis
from pbem.match.limits import block_size, why_too_large, why_too_much
from pbem.match.orders import Part, read_canonical, why_not_in_react
from pbem.match.table import BARE, MAY_ANCHOR, Table
from pbem.rules import Board, Rules
from pbem.rules.requests import Choose
from pbem.wire.bodies import AGREEMENTS, NAMING, Agreed, begins_own_chain, read_body
from pbem.wire.entry import Entry
from pbem.wire.turn import Turn

__all__ = ["begun", "carry_out", "enter", "imagine", "imagine_on", "peek", "take"]


def begun(genesis: Genesis, rules: Rules, board: Board, offer: Entry, accept: Entry) -> Table:
    """The table of a game behind its accept: set up, with no die rolled and nothing decided."""
    table = Table(genesis, rules, board, genesis.game)
    table.course.begin()
    for entry in (offer, accept):
        table.sizes[entry.by] += block_size(entry)
    table.known[accept.by] = table.course.noted
    assert accept.anchor is not None  # noqa: S101 the header of an accept has one
    begin_chain(table, accept.by, accept.anchor)
    return table


def take(table: Table, turn: Turn) -> None:
    """Take the next turn: verify, chain, parse, resolve.

    Raises BadSignature or BadLog; the table is then not to be used again.
    """
    entry = turn.entry
    if entry.game != table.genesis.game.hex():
        raise BadLog(f"it is a turn of another game, {entry.game}", hint=f"this game is {table.genesis.game.hex()}")
    try:
        sshsig.verify(turn.payload, turn.block.armor, signing_key(table, entry))  # 3 verify
    except BadSignature as error:
        raise BadSignature(f"{entry.by}'s signature doesn't hold: {error.what}", error.where, error.hint) from error
    carry_out(table, entry, turn.hash)


def carry_out(table: Table, entry: Entry, entry_hash: bytes) -> None:
    """Carry out the next entry. Raises BadLog, naming what doesn't fit; the table is then not to be used again."""
    where = f"entry {entry.seq}"
    _check_place(table, entry, where)  # 4 chain
    _check_size(table, entry, where)
    agreed = read_body(entry) if entry.kind in AGREEMENTS else None
    due = table.due()
    _take_reveal(table, entry, where)
    if agreed is None:
        _check_kind(table, entry, where)
    elif refusal := why_not_due(table, entry, agreed, due):
        raise BadLog(f"{entry.by} can't make a `{entry.kind}` now", where, refusal)
    _check_anchor(table, entry, agreed, where)
    _check_state(table, entry, where)
    if entry.seq in table.remembered:
        table.remembered[entry.seq] = (table.course.fork(), dict(table.last_by))
    _take_body(table, entry, entry_hash, agreed, where)
    if entry.anchor is not None and entry.kind not in NAMING:
        begin_chain(table, entry.by, entry.anchor)
    table.course.resolve()  # 6 resolve
    table.mailed[entry.by], table.known[entry.by] = entry.seq, table.course.noted


def _check_place(table: Table, entry: Entry, where: str) -> None:
    if entry.game != table.genesis.game.hex():
        raise BadLog(f"it belongs to the game {entry.game}", where, f"this game is {table.genesis.game.hex()}")
    if entry.seq != table.seq + 1:
        raise BadLog(f"number {entry.seq} is not the next one", where, f"{table.seq + 1} is due")
    if entry.prev != table.head.hex():
        raise BadLog("it follows another entry than the newest here", where, f"`prev {table.head.hex()}` is due")
    table.genesis.player(entry.by)


def _check_size(table: Table, entry: Entry, where: str) -> None:
    """The limits of what is taken (protocol 7)."""
    large = why_too_large(entry.body, agreement=entry.kind in AGREEMENTS)
    if large or (large := why_too_much(entry, table.sizes[entry.by])):
        raise BadLog(large, where, "it can't be taken into the log")


def _check_kind(table: Table, entry: Entry, where: str) -> None:
    """Whether this kind of entry is due from this player, his reveal being taken already."""
    request = table.game.request
    if table.settled is not None or table.proposal is not None:
        raise BadLog(f"`{entry.kind}` is not due", where, str(table.due()))
    mine = isinstance(request, Choose) and table.genesis.of_side(request.side).name == entry.by
    over = request is None and not table.course.labels
    if table.seq == 1:
        due = table.due()
        wanted, mine = due.what, due.player == entry.by
        if not mine:
            raise BadLog(f"{entry.by} is not to move", where, str(due))
    elif isinstance(request, Choose) and mine and table.reveal_due is None:
        wanted = "react" if request.reaction else "orders"
    elif entry.reveal is not None and not over:
        wanted = "reveal"
    else:
        raise BadLog(f"{entry.by} is not to move", where, str(table.due()))
    if entry.kind != wanted:
        raise BadLog(f"`{entry.kind}` is not due", where, f"`{wanted}` of {entry.by} is due")


def _check_anchor(table: Table, entry: Entry, agreed: Agreed | None, where: str) -> None:
    """Whether an anchor stands where one must, and nowhere else; the last value needs one (protocol 3.3)."""
    naming = agreed is not None and agreed.named is not None
    if entry.anchor is None:
        if table.seq == 1 or naming:
            begins = "the offerer's chain begins with it" if table.seq == 1 else "a new key comes with a new chain"
            raise BadLog("its anchor is missing", where, begins)
    elif not (table.seq == 1 or naming or entry.kind in MAY_ANCHOR):
        raise BadLog("it names an anchor where none may stand", where, f"a `{entry.kind}` begins no chain")
    own = begins_own_chain(entry)
    if entry.reveal is not None and not table.chains[entry.by].left and not own and entry.kind != "resign":
        what = f"it reveals the last value of {entry.by}'s chain and begins no new one"
        raise BadLog(what, where, "an anchor of his must stand in the same entry")


def _take_reveal(table: Table, entry: Entry, where: str) -> None:
    """Check the reveal against the author's chain in force, and roll what waited for it (protocol 3.3)."""
    index = table.next_reveal(entry.by)
    if index is not None and entry.kind == "recover" and entry.reveal is None:
        return  # the secret is lost with the key that it grew from
    if index is None:
        if entry.reveal is not None:
            raise BadLog("it reveals a chain value that is not due", where, "no `reveal` is due")
        return
    if entry.reveal is None:
        raise BadLog("its reveal is missing", where, f"`reveal {index} ...` is due")
    try:
        table.chains[entry.by] = table.chains[entry.by].reveal(entry.reveal[0], bytes.fromhex(entry.reveal[1]))
    except BadLog as error:
        raise BadLog(f"{entry.by}: {error.what}", where, error.hint) from error
    table.reveal_due = None
    _open_seed(table, table.chains[entry.by].newest)
    table.public_state = None


def peek(table: Table, value: bytes) -> None:
    """Go on with the chain value that is due, known to its owner before he sends it."""
    if table.course.seed is None and table.course.decided is not None:
        table.public_state = table.state_hash()
        _open_seed(table, value)


def _open_seed(table: Table, value: bytes) -> None:
    """The seed in force is known, by the chain value of the player who didn't decide last: roll what waits."""
    if table.course.seed is None and table.course.decided is not None:
        number, entry_hash = table.course.decided
        table.course.seed = dice.seed(value, table.genesis.game, number, entry_hash)
        table.course.resolve()


def _check_state(table: Table, entry: Entry, where: str) -> None:
    """The state that the entry names is the one found here, with its reveal counted (protocol 4.1)."""
    if entry.kind in ("recover", "accept-rekey") and table.public_state is not None:
        raise Forgotten("the dice were rolled with a secret that is given up now", where, READ_AGAIN)
    found = table.public_state if entry.kind == "claim" and table.public_state else table.state_hash()
    if entry.state != found:
        raise BadLog(
            f"the state is not the one this program finds: {entry.state} in the entry, {found} here",
            where,
            "compare `pbem verify` and the program's version on both sides",
        )


def _take_body(table: Table, entry: Entry, entry_hash: bytes, agreed: Agreed | None, where: str) -> None:
    table.seq, table.head, table.newest = entry.seq, entry_hash, (entry.kind, entry.by)
    table.sizes[entry.by] += block_size(entry)
    if agreed is not None:
        told = settle(table, entry, agreed, where)
        table.course.note("tell", what="agreement", clause="", facts=told, seq=entry.seq)
        return
    table.agreed, table.played[entry.by] = dict.fromkeys(table.agreed, 0), entry.seq
    if entry.kind in BARE and entry.body:
        raise BadLog(f"`{entry.body[0].keyword}` stands in a `{entry.kind}`", where, "it has no body")
    if entry.kind != "reveal":
        _decide(table, entry, entry_hash, where)


def _decide(table: Table, entry: Entry, entry_hash: bytes, where: str) -> None:
    """A decision: its orders are laid ready, it starts a seed, and the other player's reveal is due."""
    side = table.genesis.player(entry.by).side
    parts = _read_parts(table, entry, side, where)  # 5 parse
    table.last_by[entry.by] = entry.seq
    table.refused = {(kind, by) for kind, by in table.refused if by != entry.by}
    table.course.bind((entry.seq, entry_hash))
    table.reveal_due = table.genesis.other(entry.by).name
    if entry.kind != "begin":
        table.decisions.append(entry.seq)
        table.course.play(side, parts, reaction=entry.kind == "react")


def _read_parts(table: Table, entry: Entry, side: str, where: str) -> list[tuple[int, Part]]:
    try:
        parts = read_canonical(table.rules, table.board, side, entry.body)
    except OrderError as error:
        raise BadLog(f"its orders can't be read: {error}", where) from error
    for _, part in parts if entry.kind == "react" else ():
        if refusal := why_not_in_react(part):
            raise BadLog(refusal, where, "a react holds answers, standing orders and talk")
    return parts


def imagine(table: Table, side: str, parts: list[tuple[int, Part]], chancer: Chancer) -> None:
    """Go on as if these parts were the side's next entry, with chances from `chancer` (None stops there)."""
    table.course.bind((table.seq + 1, b""))
    table.reveal_due = table.genesis.other(table.genesis.of_side(side).name).name
    request = table.game.request
    table.course.play(side, parts, reaction=isinstance(request, Choose) and request.reaction)
    imagine_on(table, chancer)


def imagine_on(table: Table, chancer: Chancer) -> None:
    """Go on from where what is imagined has stopped for a chance that was not known."""
    table.course.chancer = chancer
    table.course.resolve()


def enter(table: Table, name: str, parts: list[tuple[int, Part]], seed: bytes) -> None:
    """Take what is due from a player, with these parts, without signature, chain or reveal; its dice are of that seed.

    So programs play among themselves, entry by entry as by mail: what is due next is what would be due there, as the
    one who knows the dice sees it. Raises Refused when nothing is due from the player.
    """
    due, side = table.due_from(name), table.genesis.player(name).side
    table.seq += 1
    table.reveal_due = None
    if due.what == "reveal":
        return
    table.course.bind((table.seq, b""))
    table.reveal_due = table.genesis.other(name).name
    if due.what not in BARE:
        table.course.play(side, parts, reaction=due.what == "react")
    table.course.seed = seed
    table.course.resolve()
