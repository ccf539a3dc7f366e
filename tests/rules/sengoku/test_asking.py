"""Questions to a side: of whatever waits among its answers only one of the kind asked is looked at."""

from __future__ import annotations

from pbem.errors import Refusal
from pbem.rules.kit.asking import only
from pbem.rules.sengoku.orders import Losses, Recover


def test_an_answer_of_another_kind_than_is_asked_is_refused() -> None:
    lacking = Refusal("23-3-1", "name one more")
    why_not = only(Losses, "23-3-1", "say who loses a step", lambda answer: None if answer.units else lacking)
    assert why_not(Losses(("hb-01",))) is None
    assert why_not(Losses(())) == lacking
    assert why_not(Recover("hb-01")) == Refusal(
        "23-3-1", "it doesn't answer the question that comes first: say who loses a step"
    )
