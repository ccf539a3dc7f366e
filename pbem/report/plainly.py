"""Templates in English: what Jinja's i18n marks in them is folded into plain text as they are compiled.

So English needs no catalogue and no call for a sentence, and its code is that of templates in which nothing is marked.
"""

from __future__ import annotations

import re
from typing import Any

from jinja2 import nodes
from jinja2.visitor import NodeTransformer

__all__ = ["folded"]

MARKS = frozenset({"_", "gettext"})
"""The functions by which sentences are marked, as Jinja's i18n calls them."""

VALUE = re.compile(r"%\((\w+)\)s")


def folded(tree: nodes.Template) -> nodes.Template:
    """A template without marks. Raises ValueError for a sentence that names its values in another order than it has
    them: they are told in the order in which they are named, which decides what has its id."""
    found: nodes.Template = _Folding().visit(tree)
    return found


class _Folding(NodeTransformer):
    """Puts the words and values of a sentence in the place of its mark."""

    def visit_Call(self, node: nodes.Call) -> nodes.Expr:  # noqa: N802 Jinja's name
        """A mark in an expression."""
        self.generic_visit(node)
        if not isinstance(node.node, nodes.Name) or node.node.name not in MARKS:
            return node
        parts = _parts(node)
        return parts[0] if len(parts) == 1 and isinstance(parts[0], nodes.Const) else nodes.Concat(parts)

    def visit_Output(self, node: nodes.Output) -> nodes.Output:  # noqa: N802 Jinja's name
        """A mark that stands alone in what is written."""
        written: list[nodes.Expr] = []
        for child in node.nodes:
            if isinstance(child, nodes.Call) and isinstance(child.node, nodes.Name) and child.node.name in MARKS:
                parts = (self.visit(part) for part in _parts(child))
                written += (nodes.TemplateData(p.value) if isinstance(p, nodes.Const) else p for p in parts)
            else:
                written.append(self.visit(child))
        node.nodes = written
        return node


def _parts(mark: nodes.Call) -> list[Any]:
    """The words of a sentence as constants, its values as they are given."""
    sentence, *others = mark.args
    assert isinstance(sentence, nodes.Const)  # noqa: S101 Jinja's i18n and the extraction ask for it
    values = {named.key: named.value for named in mark.kwargs}
    parts = VALUE.split(sentence.value)
    if others or parts[1::2] != [*values]:
        raise ValueError(f"line {mark.lineno}: {sentence.value!r} has other values, or in another order: {[*values]}")
    told: list[Any] = [part if at % 2 else part.replace("%%", "%") for at, part in enumerate(parts)]
    return [values[part] if at % 2 else nodes.Const(part) for at, part in enumerate(told) if at % 2 or part] or [
        nodes.Const("")
    ]
