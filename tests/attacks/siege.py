"""A siege: anna's home folder with the real commands, and ben outside it, whose client signs whatever he likes."""

from __future__ import annotations

import shutil
from pathlib import Path

from attacks.cheater import kept
from cli_player import Said, pbem_says
from toy.players import Duel, signer, write_key

from pbem.home.contact import Contact
from pbem.home.folders import Folder, Home
from pbem.match.compose import Secrets
from pbem.wire.blocks import Block, render_block
from pbem.wire.turn import Turn

__all__ = ["Siege"]


class Siege:
    """What ben sees: his duel with anna, whose half is played in her home by the program's commands.

    Her offer is stored; `begin` lets her open his accept. `game` follows her log, as ben has it from her mails.
    """

    def __init__(self, root: Path, game: Duel) -> None:
        self.root, self.game = root, game
        self.home = root / "anna"
        write_key(self.home / "key", "anna")
        Home(self.home).keep_offer(Turn.of(game.offer), Contact("anna", "anna@example.org", "ben@example.net"))

    def begin(self) -> Siege:
        """Let her open ben's accept."""
        self.opens(self.game.accept)
        return self

    @property
    def folder(self) -> Folder:
        """Her only game."""
        return Home(self.home).find(None)

    def file(self, name: str, content: str | Block) -> str:
        """Write a file beside her home; its path."""
        path = self.root / name
        path.write_text(render_block(content) if isinstance(content, Block) else content)
        return str(path)

    def says(self, *words: str) -> Said:
        """Let her type a command."""
        return pbem_says("--home", str(self.home), *words)

    def does(self, *words: str) -> Said:
        """Let her type a command that must succeed."""
        said = self.says(*words)
        assert said.code == 0, said.err
        return said

    def refuses(self, *words: str) -> str:
        """Let her type a command that is refused and leaves her home as it was, byte for byte; the reason, unfolded."""
        before = kept(self.home)
        said = self.says(*words)
        assert said.code == 1, said.out + said.err
        assert kept(self.home) == before
        return " ".join(said.err.split())

    def opens(self, *blocks: Block) -> Said:
        """Let her open mails, one for each block."""
        said = self.does("open", "--quiet", *self._mails(blocks))
        self.follow()
        return said

    def will_not_open(self, *blocks: Block) -> str:
        """Let her open mails that are refused; the reasons."""
        return self.refuses("open", "--quiet", *self._mails(blocks))

    def _mails(self, blocks: tuple[Block, ...]) -> list[str]:
        return [self.file(f"{number}.eml", block) for number, block in enumerate(blocks)]

    def sends(self, text: str = "") -> Block:
        """Let her send what is due; her block."""
        orders = [self.file("orders.txt", text)] if text else []
        return self.agrees("send", *orders)

    def agrees(self, *words: str) -> Block:
        """Let her type a command that signs an entry and writes its mail; her block."""
        mail = self.root / "sent.eml"
        mail.unlink(missing_ok=True)  # it may be of an older log, or of another game
        self.does(*words, "-o", str(mail))
        self.follow()
        return self.game.blocks[-1]

    def answers(self, text: str = "") -> Block:
        """Let ben send honestly what is due from him, and her open it."""
        block = self.game.sign("ben", text)
        self.opens(block)
        return block

    def goes_on(self) -> None:
        """See that who is due can go on: her next entry is signed, mailed and read by the other side."""
        due = self.game.view("anna").due()
        assert due.player == "anna"
        proposal = self.game.table.proposal
        block = self.agrees(proposal.kind, "--refuse") if proposal else self.sends(_orders(due.what))
        assert self.game.table.head == self.game.replayed().head
        assert block.payload.splitlines()[5] == b"by anna;"

    def follow(self) -> None:
        """Bring the game to where her log is."""
        game = self.game
        game.blocks = [turn.block for turn in self.folder.turns()]
        game.tables = {name: game.replayed() for name in game.tables}
        game.genesis = game.table.genesis
        anchor = game.table.anchors.get("anna")
        if anchor is not None and game.table.player("anna").key == signer("anna").pub_blob:
            game.secrets["anna"] = Secrets.of(signer("anna"), anchor)

    def loses_all(self) -> None:
        """Her disk dies; only the key is left."""
        shutil.rmtree(self.home)
        write_key(self.home / "key", "anna")


def _orders(what: str) -> str:
    return "rest;" if what == "orders" else ""
