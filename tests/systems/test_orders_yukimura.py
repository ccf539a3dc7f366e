"""What only the order language of the Siege of Osaka has: policies, and statements of every kind together."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import AmbiguousOrder, MalformedOrder
from pbem.match.orders import Act, Standing, StopIf, read_parts
from pbem.rules import yukimura
from pbem.rules.kit.standing import latest, preferences
from pbem.wire.blocks import parse_statements
from systems.test_orders import led_by
from systems.yukimura import STANDING_WORDS
from systems.yukimura_fields import board_of


@settings(max_examples=150)
@given(st.data())
def test_any_standing_order_is_a_policy_for_every_question(data: st.DataObject) -> None:
    words = data.draw(led_by("yukimura", STANDING_WORDS))
    try:
        found = yukimura.read_standing(board_of({"scenario": "connected"}), "osaka", words)
    except (MalformedOrder, AmbiguousOrder):
        return
    assert set(preferences([found], "retreat", "go-01")) <= set(found[2:])
    assert preferences([found], "advance", "go-01") in ((), ("follow",), ("enter",), ("hold",))
    assert latest([found], "defence") in ((), ("best",), ("none",))


def test_statements_of_every_kind_are_read_together() -> None:
    text = """
    standing retreat any D2001 east;  standing advance go-01 follow;  standing defence none;
    if at go-01 D2022 and not gone mi-01 then move go-01 D2122;
    stop if held D2022 east;
    fire go-04 at mi-01 with go-05 advance go-05 hold;
    done;
    """
    statements, wrong = parse_statements(text)
    parts, errors = read_parts(yukimura, board_of({"scenario": "connected"}), "osaka", statements)
    assert [*wrong, *errors] == []
    kinds = [type(part) for _, part in parts]
    assert kinds == [Standing, Standing, Standing, Act, StopIf, Act, Act]
