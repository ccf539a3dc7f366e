"""The catalogues as the sources are now, and Japanese."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest
from golden import ROOT

from pbem.language import spoken

pytest.importorskip("babel")


@pytest.fixture(scope="session")
def catalogues() -> ModuleType:
    """The tool that takes sentences from the sources; it compiles the catalogues as they are now."""
    sys.path.insert(0, str(ROOT / "tools"))
    spec = importlib.util.spec_from_file_location("catalogues", ROOT / "tools" / "catalogues.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    found.compile_all()
    return found


@pytest.fixture
def japanese(catalogues: ModuleType) -> Iterator[None]:
    with spoken("ja"):
        yield
