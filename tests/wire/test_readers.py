"""Three readers of a turn agree on every byte: the program, tools/audit.py, and the grammar of docs/protocol.md 2.3.

The grammar is compiled from the document itself. Random statements and turns lie near all borders: letters beside the
alphabet, hyphens, lengths at the limits and one beyond, blanks, control letters, words of fences and headers.
"""

from __future__ import annotations

import hashlib
import importlib.util
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from wire.abnf import expression, rules_in

from pbem.errors import Damaged
from pbem.wire.entry import KINDS, parse_entry
from pbem.wire.statements import ENVELOPE_WORDS, why_not

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = (ROOT / "docs" / "protocol.md").read_text("utf-8").partition("### 2.3 ")[2].partition("\n### ")[0]
STATEMENTS = 1_050_000
BATCH = 50_000
TURNS = 20_000

# The document's reader.

BLOCKS = re.findall(r"(?:^    .*\n|^\n(?=    ))+", CHAPTER, re.MULTILINE)
RULES = rules_in(BLOCKS[0])
STMT = re.compile(expression("stmt", RULES))
TURN = re.compile(expression("turn", RULES))
FORMS, VALUES = BLOCKS[1].strip("\n").split("\n\n")
FORM = {line[4:17].strip(): line[17:].split() for line in FORMS.splitlines()}
VALUE = {
    name: re.compile(expression(elements, RULES))
    for name, elements in rules_in(
        re.sub(r"(?m)^    ([a-z]+)( +)(\S.*?)(  .*)?$", r"\1=\3", re.sub(r"\n {12}", " ", VALUES))
    ).items()
}


def document_reads_statement(line: str) -> bool:
    """`stmt`, and what the prose adds."""
    return STMT.fullmatch(line) is not None and len(line) <= 4096 and "-----" not in line


def document_reads(text: str) -> bool:
    """`turn`, header and body, and what the prose adds."""
    if not TURN.fullmatch(text) or len(text) > 262_144:
        return False
    *lines, end = text.splitlines(keepends=True)
    if not all(map(document_reads_statement, lines)) or end != end_of(lines):
        return False
    words = [line[:-2].partition(" ") for line in lines]
    kind = words[1][2] if len(words) > 1 and words[1][0] == "kind" else ""
    at = 0
    for name in FORM.get(kind, FORM["other kinds"]):
        bare = name.strip("[]")
        if at < len(words) and words[at][0] == bare and VALUE[bare].fullmatch(words[at][2]):
            at += 1
        elif bare == name or (at < len(words) and words[at][0] == bare):
            return False
    return not {keyword for keyword, _, _ in words[at:]} & {*VALUE, "end"}


def end_of(lines: list[str]) -> str:
    """The `end` that fits the lines."""
    eights = ("".join(lines[at : at + 8]) for at in range(0, len(lines), 8))
    return (
        " ".join(["end", str(len(lines)), *(hashlib.sha256(s.encode("latin-1")).hexdigest()[:6] for s in eights)])
        + ";\n"
    )


# The program's and the audit's.


def program_reads_statement(line: str) -> bool:
    """As canonical bytes are read: cut at `;`, words at blanks, judged, and put together again."""
    piece, _, rest = line.partition(";")
    words = piece.split()
    return rest == "\n" and " ".join(words) == piece and not why_not(words)


def program_reads(text: str) -> bool:
    try:
        parse_entry(text.encode("latin-1"))
    except Damaged:
        return False
    return True


def load_audit() -> ModuleType:
    spec = importlib.util.spec_from_file_location("audit", ROOT / "tools" / "audit.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


AUDIT = load_audit()


def audit_reads_statement(line: str) -> bool:
    return line[-1:] == "\n" and AUDIT.STATEMENT.fullmatch(line[:-1]) is not None and len(line) <= 4096


def audit_reads(text: str) -> bool:
    kind = text.split("\n", 2)[1:2]
    seq = {"kind offer;": 0, "kind accept;": 1}.get("".join(kind), 2)
    try:
        AUDIT.read(text, seq)
    except ValueError:
        return False
    return True


Reader = Callable[[str], bool]
STATEMENT_READERS: tuple[Reader, ...] = (program_reads_statement, audit_reads_statement, document_reads_statement)
READERS: tuple[Reader, ...] = (program_reads, audit_reads, document_reads)


def agree(readers: tuple[Reader, ...], texts: list[str]) -> list[bool]:
    """What all readers say of each text. Fails with the first text of which they don't say the same."""
    first, *others = ([*map(reader, texts)] for reader in readers)
    for reader, verdicts in zip(readers[1:], others, strict=True):
        if verdicts != first:
            at = next(n for n, pair in enumerate(zip(first, verdicts, strict=True)) if pair[0] != pair[1])
            pytest.fail(f"{readers[0].__name__} {first[at]}, {reader.__name__} {verdicts[at]}: {texts[at][:300]!r}")
    return first


# What they read.

SMALL, DIGITS = "abcdefghijklmnopqrstuvwxyz", "0123456789"
LETTERS = SMALL.upper() + SMALL + DIGITS + "._/:+=,'!?-"
ANY = "".join(map(chr, range(256)))
FENCE_WORDS = [
    "-----BEGIN",
    "-----END",
    "x-----BEGIN",
    "PBEM",
    "TURN-----",
    "x----y",
    "x-----y",
    "x------y",
    "-",
    "-----",
]


def good_token(chance: random.Random, size: int = 0) -> str:
    size = size or chance.choice((1, 2, 3, 5, 8, 20, 64))
    made = chance.choice(LETTERS[:62]) + "".join(chance.choices(LETTERS, k=size - 1))
    return made.replace("-----", "----x")


def odd_words(chance: random.Random) -> list[str]:
    """Words near the borders of a token, some within them, some beyond."""
    made = [*FENCE_WORDS, *[""] * 20, *["x" * size for size in (79, 80, 81)]]
    made += [good_token(chance, size) for size in (78, 79, 80, 81, 82) for _ in range(4)]
    for letter in ANY:
        made += [letter, letter + "a", "a" + letter, "a" + letter + "b"]
    return made + [f"a{'-' * count}{end}" for count in range(1, 8) for end in ("", "b", " b", "-b")]


def keywords(chance: random.Random) -> tuple[list[str], list[str]]:
    """Good ones, and some near the borders of a keyword."""
    good = [chance.choice(SMALL) + "".join(chance.choices(SMALL + DIGITS, k=chance.randrange(16))) for _ in range(300)]
    odd = ["x" * size for size in (1, 15, 16, 17, 18)] + ["", "Say", "sAy", "1a", "-a", "a-", "a1", *FENCE_WORDS]
    odd += [f"a{letter}" for letter in ANY] + list(ANY) + [f"a{'-' * count}b" for count in range(1, 8)]
    return good + ["say", "move", "retreat-to"] * 20 + sorted(ENVELOPE_WORDS - {"end"}), odd


def statement_of(size: int, chance: random.Random) -> str:
    """A good statement of so many bytes, LF included."""
    rest = size - len("say;\n")
    words = []
    while rest > 81:
        words.append(good_token(chance, min(80, rest - 3)))
        rest -= 1 + len(words[-1])
    words.append(good_token(chance, rest - 1))
    return " ".join(["say", *words]) + ";\n"


class Statements:
    """Random statements in batches, from pools of words."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.good, self.odd = [good_token(self.chance) for _ in range(3000)], odd_words(self.chance)
        self.first, self.odd_first = keywords(self.chance)
        self.ends = [";\n"] * 97 + ["\n", ";", ";;\n", " ;\n", "; \n", ";\n\n", ";\r\n", " \n", ""]
        sizes = [4094, 4095, 4096, 4097, 4098]
        self.long = [statement_of(size, self.chance) for size in sizes for _ in range(4)]
        assert {len(line) for line in self.long} == set(sizes)

    def batch(self, count: int) -> list[str]:
        """So many statements: one in a thousand is as long as may be; one in three has an odd word or beginning."""
        chance = self.chance
        sizes = chance.choices((0, 1, 2, 3, 4, 6), k=count)
        firsts = self.mixed(self.first, self.odd_first, count, 8)
        words = iter(self.mixed(self.good, self.odd, sum(sizes), 12))
        ends = chance.choices(self.ends, k=count)
        made = [
            " ".join([first, *(next(words) for _ in range(size))]) + end
            for first, size, end in zip(firsts, sizes, ends, strict=True)
        ]
        for at in chance.sample(range(count), count // 1000):
            made[at] = chance.choice(self.long)
        return made

    def mixed(self, good: list[str], odd: list[str], count: int, among: int) -> list[str]:
        """Good words, one of so many odd."""
        made = self.chance.choices(good, k=count)
        rare = self.chance.sample(range(count), count // among)
        for at, word in zip(rare, self.chance.choices(odd, k=len(rare)), strict=True):
            made[at] = word
        return made


def shares(what: str, verdicts: list[bool]) -> None:
    """Say how many were taken; neither nearly all nor nearly none may be."""
    taken = sum(verdicts) / len(verdicts)
    print(f"{len(verdicts)} {what}: {taken:.1%} taken, {1 - taken:.1%} refused by all three")
    assert 0.2 < taken < 0.8


# The tests.


def test_the_grammar_of_the_document_is_read() -> None:
    assert {"turn", "stmt", "end", "keyword", "token", "count", "sum", "number", "hash"} <= RULES.keys()
    assert " ".join(FORM["other kinds"]) == "pbem kind game seq prev by nonce [anchor] [reveal] state"
    assert set(VALUE) == ENVELOPE_WORDS - {"end"}
    assert all(VALUE["kind"].fullmatch(kind) for kind in KINDS)
    assert VALUE["kind"].pattern.count("|") + 1 == len(KINDS)
    assert VALUE["pbem"].fullmatch("1")
    assert not VALUE["pbem"].fullmatch("2")


def test_a_grammar_that_cannot_be_read_is_no_grammar() -> None:
    assert re.fullmatch(expression('1*2("a" / %x62) [SP]', {}), "ab ")
    for bad in ("(", '"a" /', "a", "{}", '"a" )'):
        with pytest.raises((ValueError, KeyError)):
            expression(bad, {"a": "a"})


def test_a_million_random_statements() -> None:
    made, verdicts = Statements(1871), []
    for _ in range(STATEMENTS // BATCH):
        verdicts += agree(STATEMENT_READERS, made.batch(BATCH))
    assert len(verdicts) > 1_000_000
    shares("statements", verdicts)


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ("say x-----BEGIN y;\n", False),
        ("say x----BEGIN y;\n", True),
        ("say -----END y;\n", False),
        ("a-----b x;\n", False),
        ("a----b x;\n", True),
        ("say  x;\n", False),
        ("say x ;\n", False),
        ("say\tx;\n", False),
        ("say\x85x;\n", False),
        ("say x\x1cy;\n", False),
        ("say;\n", True),
        ("say;;\n", False),
        ("say;\n\n", False),
        ("say x;\r\n", False),
        (f"say {'x' * 80};\n", True),
        (f"say {'x' * 81};\n", False),
        (f"{'x' * 16};\n", True),
        (f"{'x' * 17};\n", False),
        ("say \xb2;\n", False),
        ("", False),
        ("\n", False),
        (";\n", False),
    ],
)
def test_statements_that_were_read_in_two_ways_or_might_be(line: str, taken: bool) -> None:
    assert agree(STATEMENT_READERS, [line]) == [taken]


def test_a_reader_that_differs_is_noticed() -> None:
    """One that forbids only the words of a fence, as the audit once did, and one that counts a byte less."""
    once = re.compile(AUDIT.STATEMENT.pattern.replace("-----", "-----(?:BEGIN|END) "))
    batch = Statements(1).batch(BATCH)
    for other in (
        lambda line: line[-1:] == "\n" and once.fullmatch(line[:-1]) is not None and len(line) <= 4096,
        lambda line: document_reads_statement(line) and len(line) < 4096,
    ):
        with pytest.raises(pytest.fail.Exception, match="program_reads_statement"):
            agree((program_reads_statement, other), batch)


HASHES = ("0" * 64, "f" * 64, "0123456789abcdef" * 4)
ODD_VALUES = ["", "0", "00", "01", "1", "2", "999999999", "1000000000", "-1", "a" * 16, "a" * 17, "A", "1a", "g" * 64]
ODD_VALUES += ["0" * 31, "0" * 33, "0" * 63, "0" * 65, "F" * 64, f"0 {HASHES[0]}", f"100000 {HASHES[0]} {'0' * 32}"]
ODD_VALUES += [f"100001 {HASHES[0]} {'0' * 32}", f"07 {HASHES[0]}", f"7 {HASHES[0]}", "offer", "rechain", "begin x"]


def turns(seed: int, count: int) -> Iterator[str]:
    """Turns of every kind; two in three have something done to them."""
    chance, made = random.Random(seed), Statements(seed)
    good = [line for line in made.batch(4000) if document_reads_statement(line)]
    bodies = [line for line in good if line.split(";")[0].split(" ")[0] not in ENVELOPE_WORDS]
    odd = made.batch(4000)
    for _ in range(count):
        lines = header(chance) + chance.choices(bodies, k=chance.choice((0, 1, 2, 3, 7, 8, 9)))
        wrong = chance.randrange(3)
        if wrong:
            change(chance, lines, odd)
        text = "".join(lines) + end_of(lines)
        yield damaged(chance, text) if chance.randrange(6) == 0 else text


def header(chance: random.Random) -> list[str]:
    kind = chance.choice(KINDS)
    values = {
        "pbem": "1", "kind": kind, "game": chance.choice(HASHES), "seq": chance.choice(("0", "1", "7", "999999999")),
        "prev": chance.choice(HASHES), "by": chance.choice(("a", "asuka", "a-1", "x" * 16)), "nonce": "0f" * 16,
        "anchor": f"{chance.choice((1, 20, 99999, 100000))} {chance.choice(HASHES)} {'0f' * 16}",
        "reveal": f"{chance.choice((1, 999999999))} {chance.choice(HASHES)}", "state": chance.choice(HASHES),
    }  # fmt: skip
    names = [name for name in FORM.get(kind, FORM["other kinds"]) if name[0] != "[" or chance.randrange(2)]
    return [f"{name.strip('[]')} {values[name.strip('[]')]};\n" for name in names]


def change(chance: random.Random, lines: list[str], odd: list[str]) -> None:
    """Another value, an odd statement, one lost, doubled, or out of its place; the `end` will fit."""
    at = chance.randrange(len(lines))
    how = chance.randrange(6)
    if how == 0:
        lines[at] = f"{lines[at].split(' ')[0].rstrip(chr(10)).rstrip(';')} {chance.choice(ODD_VALUES)};\n"
    elif how == 1:
        lines.insert(chance.randrange(len(lines) + 1), chance.choice(odd))
    elif how == 2:
        del lines[at]
    elif how == 3:
        lines.insert(chance.randrange(len(lines) + 1), lines[at])
    elif how == 4:
        lines.append(f"{chance.choice(sorted(ENVELOPE_WORDS))} {chance.choice(ODD_VALUES)};\n".replace(" ;", ";"))
    else:
        other = chance.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]


def damaged(chance: random.Random, text: str) -> str:
    """A letter put in, changed or lost anywhere."""
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(("", chance.choice(ANY), "\n", " ", ";")) + text[at + chance.randrange(2) :]


def test_whole_turns_of_every_kind() -> None:
    made = list(turns(1615, TURNS))
    verdicts = agree(READERS, made)
    shares("turns", verdicts)
    taken = {text.split("\n", 2)[1][5:-1] for text, good in zip(made, verdicts, strict=True) if good}
    assert taken == set(KINDS)


def test_turns_at_the_limits() -> None:
    start = [f"{line};\n" for line in ("pbem 1", "kind offer", "seq 0", "by a", f"nonce {'0' * 32}")]
    for count, taken in ((4999, True), (5000, False), (5, True)):
        lines = start + ["say x;\n"] * (count - 5)
        assert agree(READERS, ["".join(lines) + end_of(lines)]) == [taken]
    chance = random.Random(7)
    for extra in (0, 1):
        lines = start + [statement_of(4000, chance)] * 65
        left = 262_144 + extra - len("".join(lines) + end_of(lines))
        lines.append(statement_of(left - 7 * (len(lines) % 8 == 0), chance))
        text = "".join(lines) + end_of(lines)
        assert len(text) == 262_144 + extra
        assert agree(READERS, [text]) == [not extra]
    assert agree(READERS, ["", "\n", "end 0;\n", "".join(start), "end 1 000000;\n"]) == [False] * 5
