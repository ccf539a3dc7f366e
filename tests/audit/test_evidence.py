"""Evidence: two turns that prove a breach, and every kind of two turns that prove nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_player import Said, pbem_says
from toy.players import Duel, private_key, signer

from pbem.audit.evidence import Verdict, exhibits, judge, keys_of, proofs
from pbem.crypto import sshsig
from pbem.crypto.keys import FileSigner, fingerprint
from pbem.desk.succession import ask
from pbem.match.compose import Secrets, proven, sign_agreement
from pbem.wire.blocks import Block, render_block
from pbem.wire.bodies import Named, named_body
from pbem.wire.entry import build_entry, parse_entry

MakeDuel = Callable[..., Duel]


def judged(first: Block, second: Block, *log: Block) -> Verdict:
    """Two turns out of files a and b, and a log that may tell whose key it is."""
    (one,), (two,) = exhibits([first], "a"), exhibits([second], "b")
    return judge(one, two, keys_of(exhibits(log, "game.log")))


@pytest.fixture
def rivals(duel: MakeDuel) -> tuple[Duel, Block, Block]:
    """A game, and two different turns that anna signed for entry 2."""
    game = duel()
    return game, game.sign("anna", "bet 1;"), game.sign("anna", "bet 2;")


def test_two_turns_for_one_number_are_a_proof(rivals: tuple[Duel, Block, Block]) -> None:
    game, first, second = rivals
    found = judged(first, second)
    assert found.proof
    assert found.key == game.player("anna").key
    assert found.told == ""
    assert found.contrast is not None
    statement = found.contrast.number - 1
    assert first.payload.decode().splitlines()[:statement] == second.payload.decode().splitlines()[:statement]
    assert (found.contrast.first, found.contrast.second) == ("bet 1;", "bet 2;")
    assert judged(second, first).proof


def test_a_log_tells_whose_key_it_is(rivals: tuple[Duel, Block, Block]) -> None:
    game, first, second = rivals
    assert judged(first, second, *game.blocks).told == "the offer in game.log"
    game.play("anna", "rest;")
    one, two = game.sign("ben", "bet 1;"), game.sign("ben", "bet 2;")
    assert judged(one, two, *game.blocks).told == "the accept in game.log"


def test_a_log_of_another_game_or_a_forged_one_tells_nothing(rivals: tuple[Duel, Block, Block], duel: MakeDuel) -> None:
    game, first, second = rivals
    assert judged(first, second, *duel(1).blocks).told == ""
    forged = Block(game.offer.payload, game.accept.armor)
    assert judged(first, second, forged, game.accept).told == ""
    assert judged(first, second, game.accept).told == ""


def test_the_same_turn_is_no_proof(rivals: tuple[Duel, Block, Block]) -> None:
    _, first, _ = rivals
    found = judged(first, first)
    assert not found.proof
    assert found.key is None
    assert "the same turn, byte for byte" in found.why
    other_form = judged(first, Block(first.payload, first.armor.replace("\n", "\n\n", 1)))
    assert not other_form.proof
    assert "another signature of the same words makes no second turn" in other_form.why


def test_other_games_numbers_and_authors_are_no_proof(rivals: tuple[Duel, Block, Block], duel: MakeDuel) -> None:
    game, first, _ = rivals
    other = duel(1).sign("anna", "bet 2;")
    assert "is of game" in judged(first, other).why
    game.give(first)
    answer = game.sign("ben")
    assert "different numbers" in judged(first, answer).why
    entry = parse_entry(first.payload)
    by_ben = build_entry(
        kind="orders", game=entry.game, seq=2, prev=entry.prev, by="ben", nonce="0" * 32, state=entry.state, body=()
    ).payload
    assert "different authors" in judged(first, Block(by_ben, signer("ben").sign(by_ben))).why
    for found in (
        judged(first, other),
        judged(first, answer),
        judged(first, Block(by_ben, signer("ben").sign(by_ben))),
    ):
        assert not found.proof
        assert found.key is None


def test_offers_and_accepts_are_no_proof(duel: MakeDuel) -> None:
    """Anna offers two games, ben accepts one offer twice: that begins games, it contradicts nothing in one."""
    one, two = duel(1), duel(2)
    pairs = ((one.offer, two.offer), (one.accept, two.accept), (one.offer, one.sign("anna", "bet 1;")))
    for first, second in pairs:
        found = judged(first, second)
        assert not found.proof
        assert "begins a game" in found.why


def test_a_bad_signature_is_no_proof(rivals: tuple[Duel, Block, Block]) -> None:
    game, first, second = rivals
    for log in ((), game.blocks):
        found = judged(first, Block(second.payload, first.armor), *log)
        assert not found.proof
        assert "entry 2 (orders by anna) in b isn't good" in found.why
        assert "anyone could have written it" in found.why
        elsewhere = sshsig.armor(
            signer("anna").pub_blob, "file", sshsig.sign_raw(private_key("anna"), second.payload, "file")
        )
        assert "namespace file" in judged(first, Block(second.payload, elsewhere), *log).why


def test_a_bad_copy_hides_no_proof(rivals: tuple[Duel, Block, Block], tmp_path: Path) -> None:
    """A mail holds its turn more than once; each copy may have a signature of its own, and any that holds counts."""
    game, first, second = rivals
    bad = Block(first.payload, signer("mallory").sign(first.payload))
    torn = Block(first.payload, second.armor)
    log = exhibits(game.blocks, "game.log")
    for keys in (keys_of(log), {}):
        for copies in ([bad, torn, first], [first, bad, torn], [torn, first]):
            for one, two in (([second], copies), (copies, [second])):
                found = proofs(exhibits(one, "a"), exhibits(two, "b"), keys)
                assert found[0].proof
                assert found[0].key == game.player("anna").key
                assert sum(verdict.proof for verdict in found) == 1
        without = proofs(exhibits([second], "a"), exhibits([bad, torn], "b"), keys)
        assert without
        assert not any(verdict.proof for verdict in without)
    forged = Block(game.offer.payload, game.accept.armor)
    told = keys_of(exhibits([forged, *game.blocks, forged], "game.log"))
    assert told == keys_of(log), "nor does it hide whose key it is"
    mail, other = tmp_path / "a.eml", tmp_path / "b.eml"
    mail.write_text("From: anna@example.org\n\n" + "\n".join(map(render_block, (bad, torn, first))), "ascii")
    other.write_text("From: anna@example.org\n\n" + render_block(second), "ascii")
    assert pbem_says("evidence", str(mail), str(other)).code == 0
    mail.write_text("From: anna@example.org\n\n" + "\n".join(map(render_block, (bad, torn))), "ascii")
    said = pbem_says("evidence", str(mail), str(other))
    assert (said.code, said.out.startswith("no proof: ")) == (1, True)


def test_of_a_thousand_copies_a_few_are_looked_at(
    rivals: tuple[Duel, Block, Block], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, first, second = rivals
    strangers = [FileSigner(private_key(f"stranger {n}"), "x") for n in range(100)]
    one, two = ([Block(b.payload, s.sign(b.payload)) for s in strangers] * 10 for b in (first, second))
    looked_at: list[bytes] = []
    verify = sshsig.verify

    def counted(payload: bytes, armor: str, key: bytes) -> None:
        looked_at.append(payload)
        verify(payload, armor, key)

    monkeypatch.setattr(sshsig, "verify", counted)
    found = proofs(exhibits(one, "a"), exhibits(two, "b"), {})
    assert len(looked_at) < 300
    assert found[0].proof, "each of them signed both"


def test_two_keys_are_no_proof(rivals: tuple[Duel, Block, Block]) -> None:
    game, first, second = rivals
    by_ben = Block(second.payload, signer("ben").sign(second.payload))
    found = judged(first, by_ben)
    assert not found.proof
    assert "different keys" in found.why
    assert not judged(by_ben, first).proof
    told = judged(first, by_ben, *game.blocks)
    assert not told.proof
    assert "another key than the player's" in told.why


def test_behind_a_rekey_the_new_key_counts(duel: MakeDuel) -> None:
    game = opened(duel())
    new = FileSigner(private_key("anna, later"))
    secrets = Secrets(new, b"later".ljust(16, b"."), game.table.head)
    named = proven(new, game.table, "anna", secrets.anchor, Named(new.pub_blob))
    rekey = sign_agreement(
        game.view("anna"), "anna", signer("anna"), game.secrets["anna"], "rekey", named_body(named), secrets.anchor
    ).block
    log = [*game.blocks, rekey]
    rival = game.sign("anna", "bet 1;")
    head = parse_entry(rival.payload)
    later = [
        build_entry(
            kind="orders", game=head.game, seq=5, prev="0" * 64, by="anna", nonce=n * 32, state=head.state, body=()
        ).payload
        for n in "12"
    ]
    found = judged(*(Block(payload, new.sign(payload)) for payload in later), *log)  # type: ignore[misc]
    assert found.proof
    assert (found.key, found.told) == (new.pub_blob, "the rekey in game.log")
    old = judged(*(Block(payload, signer("anna").sign(payload)) for payload in later), *log)  # type: ignore[misc]
    assert not old.proof
    assert judged(rekey, rival, *log).told == "the offer in game.log"
    forged = Block(rekey.payload, new.sign(rekey.payload))
    assert judged(*(Block(p, signer("anna").sign(p)) for p in later), *game.blocks, forged).proof  # type: ignore[misc]


def opened(game: Duel) -> Duel:
    """Both have a chain, and orders of anna are due."""
    game.play("anna", "say hm;")
    game.play("ben")
    return game


def test_a_request_proves_nothing(duel: MakeDuel) -> None:
    """Who asks twice for a key, or asks and then plays on, has signed no two entries of a log."""
    game = opened(duel())
    new = FileSigner(private_key("anna, later"))
    one, two = (ask(game.replayed(), "anna", new, bytes([n]) * 16).block for n in (1, 2))
    found = judged(one, two)
    assert not found.proof
    assert "is signed by the key that it names: it asks for a key, and is no entry of a log" in found.why
    own = parse_entry(one.payload)
    orders = build_entry(
        kind="orders", game=own.game, seq=own.seq, prev=own.prev, by="anna", nonce="0" * 32, state=own.state, body=()
    ).payload
    assert not judged(Block(orders, new.sign(orders)), two).proof
    spare = FileSigner(private_key("spare"))
    recovers = [Block(block.payload, spare.sign(block.payload)) for block in (one, two)]
    assert judged(*recovers).proof, "with the recovery key they are entries"


@pytest.mark.parametrize("named", ["key", "recovery"])
def test_a_recover_by_any_key_that_it_names_is_a_request(duel: MakeDuel, named: str) -> None:
    game = opened(duel())
    new, spare = FileSigner(private_key("anna, later")), FileSigner(private_key("spare"))
    anchor = Secrets(new, bytes(16), game.table.head).anchor
    keys = Named(new.pub_blob, spare.pub_blob)
    body = named_body(proven(new, game.table, "anna", anchor, keys))
    by = new if named == "key" else spare
    blocks = []
    for nonce in ("1", "2"):
        entry = game.entry("anna", body, kind="recover", anchor=anchor, nonce=nonce * 32)
        blocks.append(Block(entry.payload, by.sign(entry.payload)))
    assert not judged(*blocks).proof
    other = FileSigner(private_key("other"))
    assert judged(*(Block(block.payload, other.sign(block.payload)) for block in blocks)).proof  # type: ignore[misc]


def test_entries_behind_different_logs_are_a_proof_that_says_so(duel: MakeDuel) -> None:
    game, twin = duel(), duel()
    game.play("anna", "bet 1;")
    twin.play("anna", "bet 2;")
    found = judged(game.sign("ben"), twin.sign("ben"))
    assert found.proof
    assert "each answers another log, and where these two logs part stands who began it" in found.why
    resigns = sign_agreement(game.view("ben"), "ben", signer("ben"), game.secrets["ben"], "resign", ()).block
    same = judged(game.sign("ben"), resigns)
    assert same.proof
    assert "each answers another log" not in same.why


def test_two_logs_are_searched(rivals: tuple[Duel, Block, Block], duel: MakeDuel) -> None:
    game, first, second = rivals
    twin = duel()
    game.give(first)
    twin.give(second)
    for one in (game, twin):
        one.play("ben")
    logs = [exhibits(one.blocks, name) for one, name in ((game, "a"), (twin, "b"))]
    found = proofs(*logs, keys_of([*logs[0], *logs[1]]))
    assert [(v.proof, v.first.entry.seq, v.first.entry.by) for v in found] == [(True, 2, "anna"), (True, 3, "ben")]
    assert proofs(logs[0], logs[0], {}) == []


# --- the command -------------------------------------------------------------------------------------------------


def says(tmp_path: Path, *words: str, **files: str) -> Said:
    """Type `pbem evidence` beside some files."""
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return pbem_says(
        "--home", str(tmp_path / "nobody"), "evidence", *(str(tmp_path / w) if w in files else w for w in words)
    )


def test_the_command_needs_no_key_and_no_home(rivals: tuple[Duel, Block, Block], tmp_path: Path) -> None:
    game, first, second = rivals
    mail = f"Subject: a turn\n\n{render_block(first)}"
    said = says(tmp_path, "a", "b", "--json", a=mail, b=render_block(second))
    assert (said.code, said.err) == (0, "")
    told = json.loads(said.out)
    assert told["proof"]
    assert told["key"] == fingerprint(game.player("anna").key)
    assert told["key_from"] == "the signatures"
    assert told["difference"]["first"] == "bet 1;"
    told = json.loads(says(tmp_path, "a", "b", "--log", "c", "--json", a=mail, b=render_block(second), c=game.log).out)
    assert told["key_from"].startswith("the offer in ")
    game.give(second)
    quoted = f"{mail}\n> {render_block(game.accept)}".replace("\n", "\n> ")
    said = says(tmp_path, "a", "b", a=quoted, b=game.log)
    assert said.code == 0
    assert said.out.startswith("proof: one key signed two different turns")
    assert not (tmp_path / "nobody").exists()


def test_the_command_says_why_it_is_no_proof(rivals: tuple[Duel, Block, Block], tmp_path: Path) -> None:
    game, first, second = rivals
    said = says(tmp_path, "a", "b", a=render_block(first), b=render_block(Block(second.payload, first.armor)))
    assert (said.code, said.err) == (1, "")
    assert said.out.startswith("no proof: the signature of entry 2")
    game.give(first)
    said = says(tmp_path, "a", "b", a=render_block(first), b=game.log)
    assert said.code == 1
    assert "the same turn, byte for byte" in " ".join(said.out.split())
    said = says(tmp_path, "a", "b", a=game.log, b=game.log)
    assert said.code == 1
    assert "nobody signed two different ones" in " ".join(said.out.split())
    said = says(tmp_path, "a", "b", "--json", a="nothing", b=game.log)
    assert said.code == 1
    assert json.loads(said.out)["error"]["what"] == "no turn is there"
    damaged = render_block(first).replace("bet 1", "bet 3")
    said = says(tmp_path, "a", "b", a=damaged, b=game.log)
    assert (said.code, said.out) == (1, "")
    assert "damaged statements" in said.err
    assert says(tmp_path, "-", "-").code == 2
    assert says(tmp_path, str(tmp_path / "missing"), "b", b=game.log).code == 1
