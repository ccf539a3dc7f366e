"""Orders that come to their turn behind a decision of the other player are looked at as if he gave none in it."""

from __future__ import annotations

from matches import Match, scenario_of

from pbem.match.check import Checked, check


def checked(*lines: str) -> Checked:
    """The Union's first mail of the short campaign, behind which the Confederates may transfer leaders."""
    match = Match(scenario_of("rapidan-to-rappahannock"), 7)
    return check(match.table, "asuka", "\n".join(lines), runs=20)


def test_what_the_rules_bar_then_is_told_with_its_clause() -> None:
    """Its author can't be certain: what the other orders might change it."""
    found = checked("march buford S1823", "march griffin S5021", "march bayard S1320", "done")
    assert not found.errors
    assert [(lapse.line, lapse.clause, lapse.share) for lapse in found.lapses] == [
        (1, "22.1-sp2b", 1),
        (2, "std-6.1-1", 1),
    ]
    assert str(found.lapses[0]).endswith(
        "if ben gives no orders in between, as in: Buford is in a zone of control, and stays in turn 1 [22.1-sp2b]"
    )
    assert "what comes behind ben's decisions is looked at as if ben gave no orders in between" in found.remarks


def test_those_that_may_be_given_then_have_their_odds() -> None:
    found = checked("march bayard S1320 S1321", "done")
    assert not found.lapses
    assert not found.doubts
    ((_, words, came),) = found.comes
    assert (words[:2], came.carried) == (("march", "bayard"), came.played)
    assert came.odds.startswith("2d6 points, 2 to 12: ")


def test_nobody_is_passed_over_who_decides_the_same_step() -> None:
    """In the action cycle the other player may act before what waits for it: then no more is known."""
    match = Match(scenario_of("lee-vs-pope"), 7)
    found = check(match.table, "asuka", "march king S1124\nmarch ricketts S1124\n", runs=20)
    assert not found.errors
    assert all(came.carried < came.played for _, _, came in found.comes)


def test_of_an_order_that_a_stop_drops_in_all_futures_it_is_said_which() -> None:
    """Of a condition of its own the reason was told, of a stop before it none."""
    first, last = "march bayard S1320", "march king S1519"
    unused = f"`{last}` is carried out in none of 20 futures: it is dropped, as"
    for test in ("not fought S1519", "weather dry and alive king"):
        found = checked(first, f"stop if {test}", last, "done")
        assert f"line 3: {unused} the stop `{test}` holds before it" in found.remarks
    found = checked(first, "strict", "march king S1919", last, "done")
    assert f"line 4: {unused} an order lapses before it, which is a stop under `strict`" in found.remarks
