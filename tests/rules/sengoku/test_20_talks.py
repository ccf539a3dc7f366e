"""Talks at a siege (rulebook 20-4): an offer of those inside, accepted or not, before the siege check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rules.sengoku.activities import run
from rules.sengoku.test_4_sequence import TEN

from pbem.rules.requests import Choose, Tell
from pbem.rules.sengoku import operation, siege, talks
from pbem.rules.sengoku.orders import Accept, Offer
from pbem.rules.sengoku.state import State, dump, load

Field = Callable[..., State]
ROWS = ". . . . .\n . . . . ."
CASTLES = {"gifu": "0102 kobe 1", "kanbe": "0104 kobe 1", "himeji": "0201 hashiba 3"}
INSIDE = {"kb-01 kb-03 kb-04": "0102 shut-in"}


def under_siege(field: Field) -> State:
    """Gifu with three units inside, besieged by the Hashiba; Kanbe besieged with nobody inside."""
    s = field(ROWS, {**INSIDE, TEN: "0102 besieging", "hb-02 hb-09": "0205"}, castles=CASTLES)
    s.form(("kb-05",), s.board.parse("0104"))
    return s


def whats(found: list[Any]) -> list[str]:
    """The events among what was told and asked."""
    return [tell.what for tell in found if isinstance(tell, Tell)]


@pytest.mark.clause("20-4")
def test_only_the_owner_of_those_inside_offers_and_units_inside_alone(field: Field) -> None:
    s = under_siege(field)

    def why(castle: str, *units: str, side: str = "anti-hashiba") -> str:
        refusal = operation.why_not(s, side, Offer(castle, units))
        return refusal.clause if refusal else ""

    assert why("gifu") == why("gifu", "kb-01") == why("gifu", "kb-04", "kb-03") == ""
    assert why("gifu", "kb-05") == why("gifu", "kb-03", "kb-03") == "20-4"
    assert why("gifu", side="hashiba") == "20-4"
    assert why("kanbe") == "20-4"  # nobody is inside
    assert [*talks.offers(s, "anti-hashiba")] == [Offer("gifu"), Offer("gifu", ("kb-01",))]
    s.lift("hb-01")
    assert why("gifu") == "20-4"


@pytest.mark.clause("20-4")
def test_an_offer_accepted_opens_the_castle_and_no_check_is_made(field: Field) -> None:
    s = under_siege(field)
    run(operation.carry_out(s, "anti-hashiba", Offer("gifu", ("kb-03",))))
    assert not s.acted
    assert load(s.board, dump(s)).offers == {"gifu": ("kb-03",)}
    found = run(siege.checks(s, "anti-hashiba"), [], [Accept(made=True)])
    assert "siege-check" not in whats(found)
    assert [*s.removed] == ["kb-03"]
    assert s.owner["gifu"] == "hashiba"
    assert s.durability["gifu"] == 10
    assert s.board.label[s.at["kb-01"]] == "0104"
    assert s.forces["kb-01"] == ("kb-01", "kb-04")
    assert (s.shut_in, s.besieging) == (set(), set())


@pytest.mark.clause("20-4(no)")
@pytest.mark.parametrize("answer", [Accept(made=False), ""])
def test_an_offer_refused_is_followed_by_the_check(field: Field, answer: Any) -> None:
    s = under_siege(field)
    run(operation.carry_out(s, "anti-hashiba", Offer("gifu")))
    found = run(siege.checks(s, "anti-hashiba"), [2], [answer])
    assert whats(found)[:3] == ["offered", "answer", "siege-check"]
    assert (s.owner["gifu"], s.durability["gifu"]) == ("kobe", 9)


@pytest.mark.clause("20-4(no)")
def test_without_an_offer_nobody_is_asked(field: Field) -> None:
    s = under_siege(field)
    found = run(siege.checks(s, "anti-hashiba"), [4])
    assert not any(isinstance(one, Choose) for one in found)
    assert whats(found) == ["siege-check"]


@pytest.mark.clause("20-4")
@pytest.mark.parametrize(
    ("standing", "accepted"),
    [((), None), ((("accept", "any", "1"),), True), ((("accept", "any", "2"),), False),
     ((("accept", "any", "2"), ("accept", "gifu", "0")), True)],
)  # fmt: skip
def test_a_standing_order_accepts_by_the_number_removed(field: Field, standing: Any, accepted: bool | None) -> None:
    s = under_siege(field)
    run(operation.carry_out(s, "anti-hashiba", Offer("gifu", ("kb-03",))))
    question = next(one for one in siege.checks(s, "anti-hashiba") if isinstance(one, Choose))
    assert (question.side, question.reaction, question.about) == ("hashiba", True, ("hb-01",))
    assert question.standing is not None
    assert question.standing(standing) == (None if accepted is None else Accept(made=accepted))
    assert question.default is not None
    assert question.default() == Accept(made=False)


def test_an_offer_stands_for_those_who_are_still_inside(field: Field) -> None:
    s = under_siege(field)
    run(operation.carry_out(s, "anti-hashiba", Offer("gifu", ("kb-03", "kb-04"))))
    s.remove("kb-03")
    run(siege.checks(s, "anti-hashiba"), [], [Accept(made=True)])
    assert s.removed.keys() == {"kb-03", "kb-04"}
    s = under_siege(field)
    run(operation.carry_out(s, "anti-hashiba", Offer("gifu", ("kb-03", "kb-04"))))
    for unit in ("kb-01", "kb-03", "kb-04"):
        s.remove(unit)
    assert whats(run(siege.checks(s, "anti-hashiba"), [4])) == ["siege-check"]


def test_an_offer_of_all_who_are_inside_says_so(field: Field) -> None:
    s, told = under_siege(field), []
    for units in (("kb-01", "kb-03"), ("kb-04", "kb-03", "kb-01")):
        (tell,) = run(operation.carry_out(s, "anti-hashiba", Offer("gifu", units)))
        told.append(tell.facts.get("all"))
    assert told == [None, True]
