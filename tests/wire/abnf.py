"""Reads rules in ABNF (RFC 5234, RFC 7405) as docs/protocol.md writes them, and turns them into regular expressions.

Only what stands there: alternatives, groups, options, repetition, strings, ranges of letters, names of rules. Strings
are case-sensitive. No rule may name itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

CORE = {"ALPHA": "%x41-5A / %x61-7A", "DIGIT": "%x30-39", "SP": "%x20", "LF": "%x0A"}

WORD = re.compile(
    r"""\s*(?: (?P<repeat>\d*\*\d*|\d+)? (?: %s?"(?P<string>[^"]*)" | "(?P<plain>[^"]*)" | (?P<name>[A-Za-z][\w-]*)
        | %x(?P<low>[0-9A-F]{2})(?:-(?P<high>[0-9A-F]{2}))? | (?P<open>[(\[]) ) | (?P<sign>[/)\]]) )""",
    re.VERBOSE,
)


def rules_in(text: str) -> dict[str, str]:
    """The rules of a block of text by name, without its comments: `name = elements ; comment`."""
    rules: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        bare = re.sub(r'("[^"]*")|;.*', lambda found: found[1] or "", line)
        found = re.fullmatch(r"\s*([A-Za-z][\w-]*)\s*=(.*)", bare)
        if found:
            name = found[1]
        rules[name] = rules.get(name, "") + (found[2] if found else bare)
    return {name: elements for name, elements in rules.items() if name}


def expression(elements: str, rules: Mapping[str, str]) -> str:
    """A regular expression for ABNF elements. Raises ValueError for what it can't read, KeyError for unknown rules."""
    known = {**CORE, **rules}
    made, at = _alternatives(elements, 0, known)
    if elements[at:].strip():
        raise ValueError(f"ABNF ends before {elements[at:]!r}")
    return made


def _alternatives(text: str, at: int, rules: Mapping[str, str]) -> tuple[str, int]:
    """Up to the end or a closing bracket, which is left."""
    branches = [""]
    while text[at:].strip():
        found = WORD.match(text, at)
        if not found:
            raise ValueError(f"this is no ABNF: {text[at:]!r}")
        if found["sign"] and found["sign"] != "/":
            break
        at = found.end()
        if found["sign"]:
            branches.append("")
            continue
        element, at = _element(found, text, at, rules)
        branches[-1] += element
    if "" in branches:
        raise ValueError(f"an empty alternative in {text!r}")
    return f"(?:{'|'.join(branches)})", at


def _element(found: re.Match[str], text: str, at: int, rules: Mapping[str, str]) -> tuple[str, int]:
    if found["open"]:
        inner, at = _alternatives(text, at, rules)
        closing = WORD.match(text, at)
        if not closing or closing["sign"] != {"(": ")", "[": "]"}[found["open"]]:
            raise ValueError(f"a bracket is open in {text!r}")
        at = closing.end()
        inner += "?" if found["open"] == "[" else ""
    elif found["name"]:
        inner = expression(rules[found["name"]], {**rules, found["name"]: "<itself>"})
    elif found["low"]:
        inner = f"[\\x{found['low']}-\\x{found['high'] or found['low']}]"
    else:
        inner = f"(?:{re.escape(found['string'] or found['plain'] or '')})"
    return inner + _times(found["repeat"]), at


def _times(repeat: str | None) -> str:
    if not repeat:
        return ""
    low, star, high = repeat.partition("*")
    return f"{{{low or '0'},{high}}}" if star else f"{{{low}}}"
