#!/usr/bin/env python3
# ruff: noqa: E501 - the lines of the document are written here as long as they stand in it
"""Makes the worked example of docs/protocol.md: run in the project's root, it rewrites the section between its marks.

    PYTHONPATH=. python tests/vectors/make_example.py

The example pins the scenario's digest, so a change to the scenario's files makes it anew.
"""

from __future__ import annotations

from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.crypto import dice
from pbem.crypto.keys import FileSigner
from pbem.crypto.openssh import to_token
from pbem.match.compose import Secrets, sign_accept, sign_entry, sign_offer
from pbem.match.orders import read_parts
from pbem.match.replay import replay
from pbem.match.table import Table
from pbem.match.take import peek, take
from pbem.scenario import load_scenario
from pbem.wire.blocks import Block, render_block
from pbem.wire.bodies import Terms
from pbem.wire.entry import parse_entry
from pbem.wire.orderfile import parse_statements
from pbem.wire.turn import Turn

DOC = Path("docs/protocol.md").resolve()
BEGIN, END = "<!-- example -->\n", "<!-- end of example -->\n"

MOVES = "move sg-16 1022;\ndone;\n"
FIRE = "fire sa-11 at sg-16;\nif not is sg-16 disordered then fire sa-12 at sg-16;\nsay {};\ndone;\n"
PLACES = (
    "Koeda", "Fushimi", "Toba", "Takeda", "Yodo", "Momoyama", "Bungo", "Otesuji", "Gokonomiya", "Kyoto", "Inari",
    "Tofukuji", "Jonangu",
)  # fmt: skip
TALK = tuple(f"the barrier at {place} stays shut" for place in PLACES)


def setup_orders(table: Table, first: dict[str, str]) -> str:
    """Every unit in the first free hex of its area, but for those in `first`."""
    request = table.game.request
    side, board = request.side, table.board
    taken = set(first.values())
    lines = []
    for unit in board.of_side[side]:
        rule = board.set_up[side].get(board.units[unit].code)
        if rule is None:
            continue
        hexes = (board.label[h] for h in sorted(rule.hexes))
        at = first.get(unit) or next(h for h in hexes if h not in taken)
        taken.add(at)
        lines.append(f"setup {unit} {at};")
    return "\n".join(lines)


def play() -> tuple[list[Block], Table, dict[str, Secrets]]:
    """The first game of those with different talk in which the target is disordered by the second fire, and stays."""
    for talk in TALK:
        blocks, table, secrets = play_with(talk)
        results = [s["facts"]["result"] for s in table.steps if s["kind"] == "tell" and s["what"] == "fire"]
        if results == ["-", "D"]:
            return blocks, table, secrets
    raise SystemExit("no game has the results wanted: add to TALK")


def play_with(talk: str) -> tuple[list[Block], Table, dict[str, Secrets]]:
    scenario = load_scenario("toba-fushimi")
    options = {name: spec["default"] for name, spec in scenario.data["scenario"]["options"].items()}
    terms = Terms(scenario.edition, scenario.id, scenario.digest, tuple(sorted(options.items())))
    keys = [FileSigner(Ed25519PrivateKey.from_private_bytes(bytes(range(n, n + 32)))) for n in (0, 32)]
    signers = dict(zip(("asuka", "ben"), keys, strict=True))
    gnonces = {"asuka": bytes(range(16)), "ben": bytes(range(16, 32))}
    offer = sign_offer(signers["asuka"], "asuka", "shogunate", terms, bytes([1]) * 16).block
    accept = sign_accept(Turn.of(offer), signers["ben"], "ben", "satcho", terms, bytes([2]) * 16, gnonces["ben"]).block
    blocks = [offer, accept]
    table = replay("".join(map(render_block, blocks))).table
    secrets = {
        "asuka": Secrets(signers["asuka"], gnonces["asuka"], table.genesis.game),
        "ben": Secrets.of(signers["ben"], table.anchors["ben"]),
    }
    texts = [
        lambda ahead: setup_orders(ahead, {"sg-16": "0922"}),
        lambda ahead: setup_orders(ahead, {"sa-12": "1023", "sa-11": "1122", "sa-10": "1123"}),
        lambda _: MOVES,
        lambda _: FIRE.format(talk),
        lambda _: "done;\n",
    ]
    while len(blocks) < 7:
        due = table.due()
        name = due.player
        ahead = table.fork()
        index = ahead.next_reveal(name)
        if index is not None and ahead.course.seed is None:
            peek(ahead, secrets[name].value(index))
        due = ahead.due()
        side = table.genesis.player(name).side
        mine = due.request is not None and due.request.side == side
        text = texts.pop(0)(ahead) if mine else ""
        statements, wrong = parse_statements(text)
        parts, errors = read_parts(table.rules, table.board, side, statements)
        if wrong or errors:
            raise (wrong + errors)[0]
        new = secrets[name] if table.seq == 1 else None
        block = sign_entry(ahead, name, signers[name], secrets[name], [part for _, part in parts], new).block
        take(table, Turn.of(block))
        blocks.append(block)
    return blocks, table, secrets


def shown(block: Block) -> str:
    return "".join(f"    {line}\n" for line in render_block(block).splitlines())


def section() -> str:
    blocks, table, secrets = play()
    replayed = replay("".join(map(render_block, blocks))).table
    if replayed.head != table.head:
        raise SystemExit("the example doesn't verify")
    hashes = [dice.entry_hash(block.payload) for block in blocks]
    entries = [parse_entry(block.payload) for block in blocks]
    genesis = table.genesis
    rolls = [step for step in table.steps if step["kind"] == "roll"]
    lines = [
        "The two keys have the private seeds `000102...1f` (asuka) and `202122...3f` (ben), the gnonces are `000102...0f` and\n",
        "`101112...1f`, the nonces of offer and accept `0101...01` and `0202...02`; they are known to everybody, so use them\n",
        "for nothing. Public keys:\n\n",
    ]
    for player in genesis.players:
        lines.append(f"    {player.name:<6} ssh-ed25519 {to_token(player.key)}\n")
    lines.append("\n")
    for player in genesis.players:
        anchor = replayed.anchors[player.name]
        pid = dice.player_id(player.key, anchor.gnonce, anchor.prev)
        where = "entry 0" if player.name == "ben" else "entry 1"
        lines.append(f"    {player.name:<6} prev      {anchor.prev.hex()}   hash of {where}\n")
        lines.append(f"           player_id {pid.hex()}\n")
        lines.append(f"           x_0       {anchor.value.hex()}\n")
        for i in range(1, replayed.chains[player.name].shown + 1):
            lines.append(f"           x_{i}       {secrets[player.name].value(i).hex()}\n")
    lines.append("\nThe entries, and their hashes:\n\n")
    lines.append("    seq  kind    by     bytes of C  entry_hash\n")
    for entry, digest in zip(entries, hashes, strict=True):
        lines.append(f"    {entry.seq}    {entry.kind:<7} {entry.by:<6} {len(entry.payload):10}  {digest.hex()}\n")
    lines.append("\n`game_id` is the hash of entry 1. The seed of entry 5, whose dice are wanted:\n\n")
    value = secrets["asuka"].value(entries[6].reveal[0])
    seed = dice.seed(value, genesis.game, 5, hashes[5])
    lines.append(f"    x_{entries[6].reveal[0]} of asuka  {value.hex()}\n")
    lines.append(f"    seed(5)       {seed.hex()}\n")
    for step in rolls:
        lines.append(f"    {step['label']:<13} {step['dice']}d{step['sides']} = {' '.join(map(str, step['result']))}\n")
    tells = [step for step in table.steps if step["kind"] == "tell" and step["what"] == "fire"]
    fires = "; ".join(
        f"{' '.join(map(str, t['facts']['dice']))} with modifiers "
        f"{' '.join(str(m['value']) for m in t['facts']['modifiers']) or 'none'} make {t['facts']['total']} at strength "
        f"{t['facts']['strength']}: {t['facts']['result']}"
        for t in tells
    )
    lines.append(f"\n({fires}.)\n\nThe seven blocks are a whole log. The offer, seq 0:\n\n")
    lines.append(shown(blocks[0]))
    lines.append("\nThe accept, seq 1:\n\n" + shown(blocks[1]))
    lines.append(
        "\nThe first set-up, seq 2, names asuka's chain; there is nothing to reveal yet:\n\n" + shown(blocks[2])
    )
    lines.append(
        "\nThe second set-up, seq 3; it reveals ben's x_1, which nothing was rolled from:\n\n" + shown(blocks[3])
    )
    lines.append("\nA move into the enemy's zone of control, seq 4:\n\n" + shown(blocks[4]))
    lines.append("\nFire, seq 5. When ben signs it, nobody can know its dice:\n\n" + shown(blocks[5]))
    kind = (
        "Asuka has nothing to decide, so she sends the bare reveal"
        if entries[6].kind == "reveal"
        else "Asuka's next orders"
    )
    lines.append(
        f"\n{kind}, seq 6; with its x_{entries[6].reveal[0]} everyone has the dice of entry 5:\n\n" + shown(blocks[6])
    )
    return "".join(lines)


def main() -> None:
    text = DOC.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    DOC.write_text(before + BEGIN + "\n" + section() + "\n" + END + after, "utf-8")


if __name__ == "__main__":
    main()
