"""What is kept in the cache: it comes back whole and under its key, or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from pbem.crypto.hashing import canonical_json, digest
from pbem.home.cache import keep, keep_bytes, keep_marshalled, recall, recall_marshalled, seal
from pbem.home.checkpoint import KEY, Checkpoint
from pbem.match.course import Course
from pbem.match.table import Table

DATA = {"terrain": "<path/>\n", "numbers": ["1", 2, None]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    kept = tmp_path / "cache" / "notes" / "one.json"
    keep(kept, "key", DATA)
    return kept


def test_what_was_kept_comes_back_under_its_key_alone(file: Path) -> None:
    assert recall(file, "key") == DATA
    assert recall(file, "other") is None
    assert recall(file.with_name("two.json"), "key") is None
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert file.stat().st_mode & 0o777 == 0o600


def test_it_is_written_anew(file: Path) -> None:
    keep(file, "other", [])
    assert recall(file, "key") is None
    assert recall(file, "other") == []


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000, "\n", "\n[]", f"{'0' * 64}\n[]", "\0"])
def test_what_is_no_note_is_no_data(file: Path, text: str) -> None:
    file.write_text(text)
    assert recall(file, "key") is None


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\0", "\xff"])
def test_what_is_sealed_but_no_data_is_none(file: Path, text: str) -> None:
    kept = text.encode("latin-1")
    file.write_bytes(seal("key", kept) + b"\n" + kept)
    assert recall(file, "key") is None


def test_what_python_writes_comes_back_as_it_was(file: Path) -> None:
    data = {"a": (1, 2.5, b"\xff", None), 3: [compile("1 + 1", "code", "eval")]}
    keep_marshalled(file, "key", data)
    assert recall_marshalled(file, "key") == data
    assert recall_marshalled(file, "another key") is None


@pytest.mark.parametrize("kept", [b"", b"\xff", b"AAAA", b"(\x02\x00\x00\x00N", b"{"])
def test_what_is_sealed_but_wasn_t_written_by_python_is_none(file: Path, kept: bytes) -> None:
    keep_bytes(file, "key", kept)
    assert recall_marshalled(file, "key") is None


def test_what_the_seal_doesnt_vouch_for_is_never_unmarshalled(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_marshalled(file, "key", [1])
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    monkeypatch.setattr("pbem.home.cache.marshal.loads", lambda _: pytest.fail("it was read"))
    assert recall_marshalled(file, "key") is None


def test_a_note_that_was_changed_is_no_data(file: Path) -> None:
    whole = file.read_bytes()
    for at in range(len(whole)):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert recall(file, "key") is None
        assert recall(file, "other") is None
    file.write_bytes(whole)
    assert recall(file, "key") == DATA


def test_a_note_that_was_cut_anywhere_is_no_data(file: Path) -> None:
    whole = file.read_bytes()
    for end in range(len(whole)):
        file.write_bytes(whole[:end])
        assert recall(file, "key") is None


@pytest.mark.skipif(sys.platform == "win32", reason="files have no numbers of owners there")
def test_what_somebody_else_has_written_is_no_data(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a home folder in which others can write: they know how a seal is made."""
    owner = file.stat().st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert recall(file, "key") == (DATA if owner == 0 else None)
    monkeypatch.setattr(os, "geteuid", lambda: owner)
    assert recall(file, "key") == DATA
    real = os.fstat

    def of_another(handle: int) -> os.stat_result:
        return os.stat_result([*real(handle)[:4], owner + 1, *real(handle)[5:]])

    monkeypatch.setattr(os, "fstat", of_another)
    assert recall(file, "key") is None


def test_a_folder_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("in the way")
    keep(tmp_path / "cache" / "one.json", "key", DATA)
    assert recall(tmp_path / "cache" / "one.json", "key") is None


# --- the checkpoint of a table


def hints(kind: Any) -> Iterator[str]:
    """The fields of a class, with their types, and those of the classes that they are made of."""
    for name, hint in get_type_hints(kind).items():
        yield f"{kind.__name__}.{name}: {hint}"
        for inner in (hint, *get_args(hint)):
            if hasattr(inner, "__annotations__"):
                yield from hints(inner)


def test_tables_of_another_shape_have_another_tag() -> None:
    """Hexadecimal digits can be bytes or words, a list can be a set: the codec doesn't see each change of a type.

    When this fails count the tag up, and put both here.
    """
    shape = sorted({line for kind in (Checkpoint, Table, Course) for line in hints(kind)})
    assert "Player.key: <class 'bytes'>" in shape
    assert (KEY.split()[0], digest("shape", canonical_json(shape))[:16]) == ("pbem-table/14", "4a1271819061e4fc")
