"""Logs put together from blocks in any order, as mailboxes hold them: only what is rightly signed counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress

from pbem.crypto import sshsig
from pbem.errors import BadLog, BadScenario, BadSignature, PbemError
from pbem.home.contents import ID_LENGTH
from pbem.match.agreements import Forgotten, signing_key
from pbem.match.genesis import Loader, verify_offer
from pbem.match.replay import Watch, replay, seat
from pbem.match.table import Table
from pbem.match.take import take
from pbem.records import NamedTuple
from pbem.scenario import load_scenario
from pbem.wire.blocks import Block
from pbem.wire.bodies import read_terms
from pbem.wire.entry import Entry
from pbem.wire.turn import Turn

__all__ = ["Found", "Log", "Me", "logs_in"]

SIBLINGS = 8
"""Entries with one number, all rightly signed, that are tried behind one other."""

NAMED = 4
"""Accepts of one offer that a message names."""


class Me(NamedTuple):
    """Whose games are put together: his key, or where that is lost his name, as the game calls him."""

    key: bytes = b""
    name: str = ""

    def made(self, table: Table, entry: Entry) -> bool:
        """Whether an entry that the table takes is mine."""
        return entry.by == self.name if not self.key else table.player(entry.by).key == self.key

    def plays(self, table: Table) -> bool:
        """Whether I am a player of the game."""
        players = (*table.genesis.players, *table.players.values())
        return any(player.key == self.key if self.key else player.name == self.name for player in players)


class Log(NamedTuple):
    """The text of a whole log, and the table behind it (perhaps without the steps so far)."""

    text: str
    table: Table


class Found(NamedTuple):
    """What blocks make: logs, an error for each game of mine that can't be put together, and what was left out."""

    logs: list[Log]
    refused: list[PbemError]
    told: list[PbemError]


class _Copies(NamedTuple):
    """A turn as often as it is there, once for each signature."""

    turns: list[Turn]

    @property
    def entry(self) -> Entry:
        return self.turns[0].entry

    @property
    def id(self) -> str:
        return self.turns[0].hash.hex()


class _Node(NamedTuple):
    """An entry that its game's rules and signatures take, behind the one at `parent`."""

    turn: Turn
    parent: int
    mine: bool


class _Beginning(NamedTuple):
    """A game's beginning: offer and accept, both rightly signed, and the table behind them."""

    id: str
    where: str
    turns: tuple[Turn, Turn]
    table: Table


class _Pool:
    """All that the blocks hold, by what it follows."""

    def __init__(self, blocks: Iterable[Block], where: str) -> None:
        self.where = where
        self.turns: dict[bytes, _Copies] = {}
        for block in dict.fromkeys(blocks):
            with suppress(PbemError):  # what is no entry is nobody's
                known = self.turns.get(block.payload)
                copy = known.turns[0]._replace(block=block) if known else Turn.of(block)
                self.turns.setdefault(block.payload, _Copies([])).turns.append(copy)
        self.offers = {turn.id: turn for turn in self.turns.values() if turn.entry.kind == "offer"}
        self.accepts: dict[str, list[_Copies]] = {}
        self.following: dict[str, list[_Copies]] = {}
        self.of_game: dict[str, list[_Copies]] = {}
        for turn in self.turns.values():
            if turn.entry.kind == "accept":
                self.accepts.setdefault(turn.entry.prev or "", []).append(turn)
            elif turn.entry.game is not None:
                self.following.setdefault(turn.entry.prev or "", []).append(turn)
                self.of_game.setdefault(turn.entry.game, []).append(turn)

    def place(self, game: str) -> str:
        """A game, for a message."""
        return f"{self.where}, game {game[:ID_LENGTH]}"

    def behind(self, head: str, me: Me) -> list[_Copies]:
        """What follows an entry; of very many those on which I went on stand at the end, to be looked at first."""
        found = self.following.get(head, [])
        if len(found) <= SIBLINGS or not me.key:
            return found
        return sorted(found, key=lambda turn: any(_signed(n, me.key) for n in self.following.get(turn.id, ())))

    def signed_by(self, game: str, keys: Collection[bytes], but: Collection[bytes] = ()) -> Iterator[_Copies]:
        """The entries of a game that one of these keys signed, but those with these payloads.

        Nor requests for a key, which are no part of a log.
        """
        for turn in self.of_game.get(game, ()):
            asked = turn.entry.kind != "recover" and turn.entry.payload not in but
            if asked and any(_signed(turn, key) for key in keys):
                yield turn


def _signed(turn: _Copies, key: bytes) -> Turn | None:
    """The copy of a turn that this key signed."""
    for copy in turn.turns:
        with suppress(BadSignature):
            sshsig.verify(copy.payload, copy.block.armor, key)
            return copy
    return None


def logs_in(
    blocks: Iterable[Block], where: str, me: Me, load: Loader = load_scenario, watch: Watch | None = None
) -> Found:
    """Put my logs together from blocks in any order: each offer with its accept and all entries that follow.

    A block counts when its signature holds with the key that is in force at its place and the game takes it there;
    whatever else there is changes nothing. Of several accepts of an offer mine counts, or that of the game in which I
    signed an entry; of two entries with one number that on which an entry of mine builds. Nothing that I signed is
    left out: where it can't be reached, or nothing decides, the game is refused. `watch` is told (turn, of how many).
    """
    pool = _Pool(blocks, where)
    found, bad = Found([], [], []), _without_beginning(pool, me)
    for offer, accepts in pool.accepts.items():
        try:
            game = _the_game(pool, offer, accepts, me, load, bad)
            if game is not None:
                log, told = _followed(pool, game, me, load, watch)
                found.logs.append(log)
                found.told.extend(told)
        except (BadLog, BadScenario) as error:
            found.refused.append(error)
    found.refused.extend(bad.refused)
    if not found.logs and not found.refused:
        return Found([], bad.told[:1], [])
    logs = [log for log in found.logs if me.plays(log.table)] or found.logs
    left = len(pool.turns) - sum(log.table.seq + 1 for log in logs)
    if logs and left:
        what = f"{left} other turn{'s are' if left > 1 else ' is'} in no log: not rightly signed, or not of my games"
        found.told.append(BadLog(what, where))
    return found._replace(logs=logs)


def _without_beginning(pool: _Pool, me: Me) -> Found:
    """Games whose offer or accept isn't there."""
    found = Found([], [], [])
    for offer, accepts in pool.accepts.items():
        for turn in accepts if offer not in pool.offers else ():
            error = BadLog("its offer is missing", pool.place(turn.id), "a log begins with the offer")
            _leave_out(pool, turn.id, turn, error, me, found)
    accepted = {turn.id for accepts in pool.accepts.values() for turn in accepts}
    for game in sorted(pool.of_game.keys() - accepted):
        hint = "offer and accept are needed, as in any game.log"
        _leave_out(pool, game, None, BadLog("its beginning is missing", pool.place(game), hint), me, found)
    return found


def _leave_out(pool: _Pool, game: str, accept: _Copies | None, error: PbemError, me: Me, found: Found) -> None:
    """Refuse a game in which I signed something; of another one it is only told."""
    accepted = bool(me.key and accept and _signed(accept, me.key))
    mine = accepted or (bool(me.key) and any(pool.signed_by(game, [me.key])))
    (found.refused if mine else found.told).append(error)


# --- which game an offer has become ------------------------------------------------------------------------------


def _the_game(pool: _Pool, offer: str, accepts: list[_Copies], me: Me, load: Loader, bad: Found) -> _Beginning | None:
    """The one game that an offer has become, None where nothing is rightly signed. Raises BadLog where none is the one.

    Anyone can sign an accept: the game is that of my own accept, or the one in which I, as the offerer, signed an
    entry; where only my name is known, the one in which the offerer did.
    """
    games = [game for accept in accepts for game in _begun(pool, offer, accept, me, load, bad)]
    mine = [game for game in games if _is_mine(pool, game, me)] if len(games) > 1 else games
    if len(games) > 1 and len(mine) != 1:
        named = [f"{game.table.genesis.players[1].name} in game {game.id[:ID_LENGTH]}" for game in (mine or games)]
        more = f" and {len(named) - NAMED} more" if len(named) > NAMED else ""
        hint = "leave out the mail with the accept that isn't the game's, or restore from its game.log"
        raise BadLog(f"its offer is accepted twice, by {', by '.join(named[:NAMED])}{more}", pool.where, hint)
    return mine[0] if mine else None


def _is_mine(pool: _Pool, game: _Beginning, me: Me) -> bool:
    """Whether I accepted it, or signed an entry in it; where only my name is known, whether the offerer did."""
    first, second = game.table.genesis.players
    accepted = second.key == me.key != first.key
    return accepted or any(pool.signed_by(game.id, [me.key or first.key]))


def _begun(pool: _Pool, offer: str, accept: _Copies, me: Me, load: Loader, bad: Found) -> Iterator[_Beginning]:
    """The game of an offer and an accept, if both are rightly signed and fit each other. Raises BadScenario."""
    begins = pool.offers.get(offer)
    if begins is None:
        return
    where = pool.place(accept.id)
    try:
        offered = _signed(begins, read_terms(begins.entry)[0].key) or begins.turns[0]
        verify_offer(offered)
        accepted = _signed(accept, read_terms(accept.entry)[0].key) or accept.turns[0]
        table = seat(offered, accepted, load)
    except PbemError as error:
        error.inside(where)
        if isinstance(error, BadScenario):
            raise
        _leave_out(pool, accept.id, accept, error, me, bad)
        return
    yield _Beginning(accept.id, where, (offered, accepted), table)


# --- its entries -------------------------------------------------------------------------------------------------


def _followed(pool: _Pool, game: _Beginning, me: Me, load: Loader, watch: Watch | None) -> tuple[Log, list[PbemError]]:
    """The log of a game, and what is told of it. Raises BadLog where an entry of mine would be lost."""
    nodes, newest, wrong = _grown(pool, game, me, load, watch)
    path, told = _chosen(nodes, game.where)
    text = "".join(nodes[at].turn.text for at in path)
    table = newest if path[-1] == len(nodes) - 1 else replay(text, load).table
    assert table is not None  # noqa: S101 a path begins with offer and accept
    taken = {node.turn.payload for node in nodes}
    known = {player.key for player in (*table.genesis.players, *table.players.values())}
    left = list(pool.signed_by(game.id, known, taken))
    mine = {me.key} if me.key else {player.key for player in table.players.values() if player.name == me.name}
    if lost := [turn for turn in left if any(_signed(turn, key) for key in mine)]:
        raise _why_left(lost, table.seq + 1, wrong, game.where)
    if left:
        told.append(_why_left(left, table.seq + 1, wrong, game.where))
    return Log(text, table), told


def _why_left(turns: list[_Copies], number: int, wrong: Mapping[bytes, PbemError], where: str) -> PbemError:
    """Why rightly signed entries aren't in the log that ends before entry `number`."""
    for turn in turns:
        if turn.entry.payload in wrong:
            return wrong[turn.entry.payload]
    last = max(turn.entry.seq for turn in turns)
    if last > number:
        return BadLog(f"entry {number} is missing, entry {last} is there", where, "give a log or mail that has it")
    what = f"entry {last} by {turns[0].entry.by} answers another entry {last - 1} than is there"
    return BadLog(what, where, "give a log or mail that has it")


def _grown(
    pool: _Pool, game: _Beginning, me: Me, load: Loader, watch: Watch | None
) -> tuple[list[_Node], Table, dict[bytes, PbemError]]:
    """All that follows, parents before children: a tree, for somebody may have signed two entries with one number.

    With it the table behind the last node, and why entries that are rightly signed can't be taken.
    """
    nodes = [_Node(game.turns[0], -1, False), _Node(game.turns[1], 0, False)]
    wrong: dict[bytes, PbemError] = {}
    newest = game.table
    waiting = [(1, newest, turn) for turn in pool.behind(game.id, me)]
    tried: Counter[str | None] = Counter()
    count = len(game.turns) + len(pool.of_game.get(game.id, ()))
    while waiting:
        at, table, turn = waiting.pop()
        if watch is not None:
            watch(len(nodes), count)
        try:
            copy = _rightly_signed(table, turn)
            tried[turn.entry.prev] += 1
            if tried[turn.entry.prev] > SIBLINGS:
                continue
            ahead = _ahead(nodes, at, table, copy, load)
            _refuse_robbery(me, table, ahead, turn.entry)
        except BadSignature:
            continue
        except PbemError as error:
            wrong[turn.entry.payload] = error.inside(game.where)
            continue
        nodes.append(_Node(copy, at, me.made(table, turn.entry)))
        newest = ahead
        waiting += [(len(nodes) - 1, ahead, later) for later in pool.behind(turn.id, me)]
    return nodes, newest, wrong


def _rightly_signed(table: Table, turn: _Copies) -> Turn:
    """The copy of a turn that the key in force signed. Raises BadSignature where none is."""
    try:
        copy = _signed(turn, signing_key(table, turn.entry))
    except BadLog as error:  # nobody in the game has this name
        raise BadSignature(error.what) from error
    if copy is None:
        raise BadSignature("no copy is rightly signed")
    return copy


def _ahead(nodes: list[_Node], at: int, table: Table, turn: Turn, load: Loader) -> Table:
    """The table behind one more entry; to take something back the log is read from its beginning."""
    ahead = table.fork()
    try:
        take(ahead, turn)
    except Forgotten:
        found = replay("".join(nodes[n].turn.text for n in _way(nodes, at)) + turn.text, load)
        if found.table is None:
            raise
        return found.table
    return ahead


def _way(nodes: list[_Node], at: int) -> list[int]:
    """The nodes from the offer to this one."""
    way = []
    while at >= 0:
        way.append(at)
        at = nodes[at].parent
    return way[::-1]


def _refuse_robbery(me: Me, before: Table, after: Table, entry: Entry) -> None:
    """Refuse the opponent's word that I have lost my key: here it is."""
    held = [any(player.key == me.key for player in table.players.values()) for table in (before, after)]
    if entry.kind == "accept-rekey" and me.key and held == [True, False]:
        what = f"{entry.by} says that I have lost my key, and names another; it isn't taken, for here is mine"
        raise BadLog(what, f"entry {entry.seq}", "with the key that it names it is taken")


def _chosen(nodes: list[_Node], where: str) -> tuple[list[int], list[PbemError]]:
    """The way that I have gone, and each parting of ways. Raises BadLog where no entry of mine decides."""
    below = [False] * len(nodes)
    children: dict[int, list[int]] = {}
    for at in range(len(nodes) - 1, 0, -1):
        below[nodes[at].parent] |= below[at] or nodes[at].mine
        children.setdefault(nodes[at].parent, []).append(at)
    path, told = [0], list[PbemError]()
    while ways := children.get(path[-1]):
        go = ways
        if len(ways) > 1:
            all_mine = all(nodes[at].mine for at in ways)
            go = [at for at in ways if below[at] or (nodes[at].mine and not all_mine)]
            what = f"there are two different turns for entry {nodes[ways[0]].turn.entry.seq}"
            hint = "`pbem evidence` tells what it proves"
            if len(go) != 1:
                raise BadLog(what, where, f"{hint}; restore from one log")
            told.append(BadLog(f"{what}; the one on which I went on counts", where, hint))
        path.append(go[0])
    return path, told
