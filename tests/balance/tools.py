"""The tools of the pages of balance, as modules."""

from __future__ import annotations

import importlib.util
from types import ModuleType

from golden import ROOT

__all__ = ["loaded"]


def loaded(name: str) -> ModuleType:
    """A tool by its name: `told` for tools/told.py."""
    spec = importlib.util.spec_from_file_location(f"{name}_tool", ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
