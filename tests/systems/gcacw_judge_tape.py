"""What a game told, step by step, read with expectations; each that fails is a difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Step = Mapping[str, Any]


class Difference(NamedTuple):
    """Where a game is otherwise than the judge has it."""

    number: int
    entry: int
    turn: int
    what: str


class Tape:
    """Steps of a game: orders, answers and dice are taken as they are, what was told is compared."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.steps, self.next = steps, 0
        self.differences: list[Difference] = []
        self.looked = 0
        self.entered: Any = None
        self.seq = 0

    def wrong(self, what: str, at: int | None = None) -> None:
        number = min(self.next if at is None else at, len(self.steps) - 1)
        step = self.steps[number]
        self.differences.append(Difference(number, step["seq"], step["turn"], what))

    def peek(self) -> Step | None:
        while self.next < len(self.steps) and self.steps[self.next].get("what") == "drop":
            self.next += 1
        return self.steps[self.next] if self.next < len(self.steps) else None

    def take(self) -> Step:
        step = self.peek()
        assert step is not None
        if self.entered:
            self.entered(self.seq, self.next)
            self.seq = self.next + 1
        self.next += 1
        self.looked += 1
        return step

    @property
    def facts(self) -> Mapping[str, Any]:
        """Those of the next step, which is told."""
        step = self.peek()
        return step["facts"] if step is not None else {}

    def is_told(self, what: str) -> bool:
        step = self.peek()
        return step is not None and step["kind"] == "tell" and step["what"] == what

    def is_roll(self, label: str) -> bool:
        step = self.peek()
        return step is not None and step["kind"] == "roll" and step["label"].split("/")[0] == label

    def is_answer(self, word: str) -> bool:
        step = self.peek()
        return step is not None and step["kind"] == "answer" and step["words"][0] == word

    def told(self, what: str, clause: str = "", **facts: Any) -> Mapping[str, Any]:
        """The facts of the next step, which must be told so."""
        if not self.is_told(what):
            step = self.peek() or {}
            self.wrong(f"{what} {facts} wasn't told, but {step.get('what') or step.get('label') or step.get('words')}")
            return {}
        step = self.take()
        for name, value in facts.items():
            if step["facts"].get(name) != value:
                self.wrong(f"{what}: {name} is {step['facts'].get(name)!r}, by the judge {value!r}", self.next - 1)
        if clause and step["clause"] != clause:
            self.wrong(f"{what}: clause {step['clause']}, by the judge {clause}", self.next - 1)
        return step["facts"]

    def not_told(self, what: str) -> None:
        if self.is_told(what):
            self.wrong(f"{what} was told: {self.take()['facts']}")

    def roll(self, label: str, dice: int = 1) -> list[int]:
        if not self.is_roll(label):
            step = self.peek() or {}
            self.wrong(f"no die for {label}, but {step.get('what') or step.get('label') or step.get('words')}")
            return [0] * dice
        step = self.take()
        if (step["dice"], step["sides"]) != (dice, 6):
            self.wrong(f"{step['dice']} dice of {step['sides']} for {label}, by the judge {dice} of 6", self.next - 1)
        return list(step["result"])

    def answer(self, word: str, side: str) -> list[str]:
        if not self.is_answer(word):
            self.wrong(f"{side} wasn't asked: {word}")
            return []
        step = self.take()
        if step["side"] != side:
            self.wrong(f"{word} asked of {step['side']}", self.next - 1)
        return list(step["words"][1:])
