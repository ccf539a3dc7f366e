"""The envelope: finds turns in any text, whatever mail software did to it, and writes them (protocol 2)."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence

from pbem.errors import Damaged
from pbem.records import NamedTuple
from pbem.wire.entry import canonical_bytes
from pbem.wire.repair import SIGNATURE, TURN, Fence, clean, cut_at_fences
from pbem.wire.statements import foreign_letter

__all__ = [
    "LAST_LINE",
    "PART_MAX",
    "Block",
    "find_blocks",
    "is_log",
    "newest_block",
    "read_log_blocks",
    "render_block",
    "scan_blocks",
]

PART_MAX = 1 << 20  # letters of one text
ARMOR_MAX = 4096

_BEGIN, _END = (f"-----{edge} {TURN}-----\n" for edge in ("BEGIN", "END"))
LAST_LINE = f"\n-----END {SIGNATURE}-----\n"
_RESTORE = "restore the log from a copy"
_ARMOR_WIDTH = 70  # that of ssh-keygen


class Block(NamedTuple):
    """A turn as it is signed: `payload`, the canonical bytes C, and `armor`, its SSH signature in 70 columns."""

    payload: bytes
    armor: str


def _armor(text: str) -> str:
    """The signature block in its one form: fences, base64 in 70 columns, LF; Damaged unless the base64 is canonical."""
    letters = "".join(text.split())
    if not letters.isascii():
        stranger = next(letter for letter in letters if not letter.isascii())
        raise Damaged(f"the signature holds {foreign_letter(stranger)}")
    lines = [letters[at : at + _ARMOR_WIDTH] for at in range(0, len(letters), _ARMOR_WIDTH)]
    armor = "\n".join([f"-----BEGIN {SIGNATURE}-----", *lines, f"-----END {SIGNATURE}-----", ""])
    if len(armor) > ARMOR_MAX:
        raise Damaged(f"the signature has {len(letters)} letters", hint="an Ed25519 signature has about 400")
    try:
        whole = base64.b64encode(base64.b64decode(letters, validate=True)).decode("ascii") == letters
    except ValueError:
        whole = False
    if not (whole and letters):
        raise Damaged("the signature is damaged: it isn't base64" if letters else "the signature is empty")
    return armor


def _why_not_framed(fences: Sequence[Fence]) -> str:
    """What is wrong with the fences from a BEGIN PBEM TURN on; "" when turn and signature are both whole."""
    begin = fences[0]
    forms = [str(fence) for fence in fences[1:]]
    end, sig_begin, sig_end = f"-----END {TURN}-----", f"-----BEGIN {SIGNATURE}-----", f"-----END {SIGNATURE}-----"
    if forms[:1] != [end]:
        arrived = f"after {begin.text.count(';')} statements"
        if not forms:
            return f"cut off {arrived}: no {end}"
        if forms[0] == str(begin):
            return f"another {begin} {arrived}, before {end}"
        return f"{forms[0]} {arrived}, where {end} must be"
    between = fences[1].text.strip()
    if forms[1:2] != [sig_begin]:
        return f"the signature is missing: no {sig_begin} behind {end}"
    if between:
        return f"text between the turn and its signature: {between[:30]!a}"
    return "" if forms[2:3] == [sig_end] else f"the signature is cut off: no {sig_end}"


def scan_blocks(text: str) -> Iterator[Block | Damaged]:
    """Every block of a text in order, whole or as the Damaged that says what is wrong with it (protocol 2.4)."""
    cleaned = clean(text) if len(text) <= PART_MAX else text
    if len(cleaned) > PART_MAX:
        yield Damaged(f"a text of {len(cleaned)} letters", hint=f"at most {PART_MAX} are read")
        return
    fences = cut_at_fences(cleaned)
    framed = 0  # the fence behind the last whole frame
    for at, fence in enumerate(fences):
        if at < framed or fence.word != TURN:
            continue
        where = f"turn block at line {fence.line}"
        if fence.edge == "END":
            if at == 0 or str(fences[at - 1]) != _BEGIN.rstrip("\n"):
                yield Damaged(f"{fence} without its BEGIN", where)
            continue
        reason = _why_not_framed(fences[at : at + 4])
        if reason:
            yield Damaged(reason, where)
            continue
        framed = at + 4
        try:
            yield Block(canonical_bytes(fence.text), _armor(fences[at + 2].text))
        except Damaged as damage:
            yield Damaged(damage.what, where, damage.hint)


def find_blocks(text: str) -> list[Block]:
    """All blocks of one text in order; raises Damaged for the first that isn't whole, with its place."""
    blocks = []
    for found in scan_blocks(text):
        if isinstance(found, Damaged):
            raise found
        blocks.append(found)
    return blocks


def render_block(block: Block) -> str:
    """The block as it stands in a mail and in game.log: turn and signature in their fences, LF."""
    return f"{_BEGIN}{block.payload.decode('ascii')}{_END}{block.armor}"


def read_log_blocks(text: str) -> list[Block]:
    """The blocks of a game.log; raises Damaged unless it is exactly their renderings, one behind the other."""
    before, *chunks = text.split(_BEGIN)
    if before:
        raise Damaged("text before the first block", "block 1", f"the log begins with {_BEGIN.rstrip()}")
    blocks = []
    for number, chunk in enumerate(chunks, 1):
        body, end, behind = chunk.partition(LAST_LINE)
        blocks.append(_log_block(f"{_BEGIN}{body}{end}", f"block {number}"))
        if behind:
            line = behind.partition("\n")[0][:40]
            what = f"{ascii(line) if line else 'an empty line'} stands where {_BEGIN.rstrip()} must be"
            raise Damaged(what, f"block {number + 1}, line 1", _RESTORE)
    return blocks


def is_log(text: str) -> bool:
    """Whether a text looks like a game.log: nothing stands before its first block, and others behind it."""
    return text.startswith(_BEGIN) and _BEGIN in text[len(_BEGIN) :]


def newest_block(text: str) -> Block:
    """The last block of a game.log, without reading the others; raises Damaged unless it is exactly its rendering."""
    return read_log_blocks(text[max(0, text.rfind(_BEGIN)) :])[-1]


def _log_block(text: str, where: str) -> Block:
    """The block whose rendering the text is; raises Damaged unless it is that exactly."""
    return _exact(text) or _why_not_exact(text, where)


def _exact(text: str) -> Block | None:
    """The block that is written so, and not otherwise; None where it isn't."""
    payload, _, signature = text.removeprefix(_BEGIN).partition(_END)
    letters = signature.removeprefix(f"-----BEGIN {SIGNATURE}-----\n").removesuffix(LAST_LINE)
    try:
        block = Block(canonical_bytes(payload), _armor(letters))
    except Damaged:
        return None
    return block if render_block(block) == text else None


def _why_not_exact(text: str, where: str) -> Block:
    """Raises Damaged, with what is wrong with a block in a log: it is read as one in a mail is, and compared."""
    try:
        found = find_blocks(text)[0]
    except Damaged as damage:
        raise Damaged(damage.what, where, damage.hint) from None
    exact, lines = render_block(found).split("\n"), text.split("\n")
    if exact != lines:
        pairs = zip(exact, lines, strict=False)
        line = next((n for n, (right, was) in enumerate(pairs) if right != was), min(len(exact), len(lines)) - 1)
        place = f"statement {line}" if line <= found.payload.count(b"\n") else f"line {line + 1}"
        raise Damaged("not as it was written", f"{where}, {place}", _RESTORE)
    return found
