"""The order form: what it lists can be ordered, of all steps of a turn at once, with what it meets and with odds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from matches import scenario_of
from rules.field import Battle

from pbem.errors import IllegalOrder, MalformedOrder
from pbem.match.chances import chance_answer
from pbem.match.game import Game
from pbem.rules import samurai
from pbem.rules.requests import Choose, FormEntry
from pbem.rules.samurai import rally
from pbem.rules.samurai.order_form import form
from pbem.rules.samurai.orders import step_of

Table = Callable[..., Battle]
UNITS = {"bw-1": "36 10 north", "ro-1": "30 20 north", "sp-1": "24 20 north", "sw-1": "12 10 north abreast",
         "dm-1": "12 9 north", "ro-11": "36 16 south", "sp-12": "30 21 south", "sp-13": "24 24 south"}  # fmt: skip


def entries(b: Battle) -> list[FormEntry]:
    """The form of what is asked."""
    return list(form(b.state, b.request))


def notes(b: Battle) -> dict[str, str]:
    """Order in words -> its note."""
    return {" ".join(words): note for entry in entries(b) for words, note in entry.orders}


def test_all_that_is_listed_can_be_ordered_in_its_step(table: Table) -> None:
    b = table(UNITS)
    listed = notes(b)
    assert {words.split()[0] for words in listed} >= {"fire", "move", "back", "follow", "attack", "done"}
    ahead = table(UNITS)
    for kind, step in (("fire", 0), ("move", 1), ("attack", 3)):
        while ahead.request.kind != kind:
            ahead.do(f"close {ahead.request.kind}")
        orders = [words for words in listed if step_of(ahead.order(words)) == step]
        assert orders
        assert [words for words in orders if ahead.why_not(words) is not None] == []


def test_moves_say_before_whom_they_end(table: Table) -> None:
    found = notes(table(UNITS))
    assert found["move sp-1 7"].startswith("after 3 they touch sp-13, on the front: 4 dice, 9+: none 19.8 %")
    assert found["move bw-1 6"].startswith("after 5 they touch ro-11, on the front: 3 dice, 9+: none 29.6 %"), (
        "as ronin"
    )
    assert found["back bw-1 3"] == ""
    crowded = notes(table({**UNITS, "sp-2": "12 14 north"}))
    assert crowded["move sw-1 3"] == "they meet sp-2 Unit sp-2; then `follow dm-1 sw-1 behind`"


def test_a_charge_says_with_whom_and_on_which_side_it_would_attack(table: Table) -> None:
    """A daimyo who follows counts; gunners attack nobody; contact at the rear gives no attack."""
    led = {"sw-1": "12 10 north abreast", "dm-1": "12 9 north", "sp-11": "12 14 east", "gn-1": "30 10 north",
           "ro-11": "30 14 south", "sp-2": "50 20 north", "ro-12": "46.5 27 south", "gn-2": "60 20 north",
           "ro-13": "57 26.5 south"}  # fmt: skip
    found = notes(table(led, step="move"))
    swords = found["move sw-1 6"]
    assert swords.startswith("after 1.5 they touch sp-11, on the flank if dm-1 follows: 6 dice, 5+: none 0.1 %")
    assert found["move gn-1 6"] == "after 3 they touch ro-11"
    assert found["move gn-2 6"] == "after 5.49 they touch ro-13", "along their flank, but they have no attack at all"
    assert found["back gn-2 3"] == "", "nobody is there"


def test_an_attack_that_falls_only_where_an_enemy_is_first_touched_is_listed(table: Table) -> None:
    """A unit that passes along an enemy was told that it attacks only to its front: at 5.99 that is where it touches.

    One that goes back along an enemy never has an attack: it is told of the side on which they first touch.
    """
    units = {"sp-2": "50 20 north", "ro-12": "46.5 27 south", "sp-3": "12 30 north", "ro-13": "8.5 26 north"}
    b = table(units, step="move")
    found = notes(b)
    assert list(found).index("move sp-2 5.99") == list(found).index("move sp-2 7") - 1
    assert found["move sp-2 5.99"].startswith("after 5.99 they touch ro-12, on the front: 4 dice, ")
    assert found["move sp-2 7"] == "after 7 they touch ro-12, with their own flank: they attack only to their front"
    assert [words for words in found if words.startswith("back sp-3")] == ["back sp-3 3.5"]
    assert found["back sp-3 3.5"] == "after 2.99 they touch ro-13, with their own rear: they attack only to their front"
    b.do("move sp-2 5.99")
    b.do("close move")
    assert notes(b)["attack sp-2 at ro-12"].startswith("on the front: 4 dice, ")


@pytest.mark.parametrize(("other", "led"), [("15.5 8.5 north abreast", False), ("15.5 8.5 north", True)])
def test_a_charge_reckons_with_no_daimyo_whom_two_stands_behind_need(table: Table, other: str, *, led: bool) -> None:
    units = {"ro-1": "12 10 north", "dm-1": "12 9 north", "sw-1": other, "sp-11": "12 17 south"}
    b = table(units, step="move")
    b.do("back sw-1 0.4")  # so that they can't go after him
    note = notes(b)["move ro-1 7"]
    assert note.startswith("after 6 they touch sp-11, on the front")
    assert ("if dm-1 follows" in note) is led


def test_a_unit_that_has_moved_may_turn_if_it_has_not(table: Table) -> None:
    """It was listed with nothing at all."""
    b = table(UNITS, step="move")
    b.do("move sp-1 1")
    assert {words: note for words, note in notes(b).items() if words.split()[1:2] == ["sp-1"]} == {
        "turn sp-1 left": "can only turn",
        "turn sp-1 right": "can only turn",
    }
    b.do("turn sp-1 left")
    assert not any(words.split()[1:2] == ["sp-1"] for words in notes(b))


def test_fire_and_attacks_have_their_odds(table: Table) -> None:
    found = notes(table(UNITS))
    assert found["fire bw-1 at ro-11"] == (
        "3 dice, 8+: none 19.8 %, 1 killed 42.5 %, 2 killed 22.8 %, 2 killed and routs 7.6 %, "
        "3 killed and none left 7.2 %"
    )
    assert found["attack ro-1 at sp-12"].startswith("on the front: 3 dice, 8+: none 19.8 %")


@pytest.mark.parametrize(("daimyo", "risk"), [
    ("30 22 south", "; if a figure falls, 12 at the end of the turn kills dm-11 (5.9 % by this alone)"),
    ("30 22.03 south", ""),
])  # fmt: skip
def test_the_risk_of_a_daimyo_is_told_with_fire_and_attacks(table: Table, daimyo: str, risk: str) -> None:
    found = notes(table({**UNITS, "gn-1": "29 14 north", "ro-1": "32.5 20 north", "dm-11": daimyo}))
    for told in (found["attack ro-1 at sp-12"], found["fire gn-1 at sp-12"]):
        assert told.partition(";")[1:] == risk.partition(";")[1:]


def test_two_stands_are_told_which_daimyo_must_go_after_them(table: Table) -> None:
    """None if one stand is left, or if he touches them behind their move, too."""
    for units, then in (
        ({"dm-1": "40 9 north"}, "then `follow dm-1 sw-2 behind`"),
        ({"dm-1": "43.5 11 north", "sp-1": "40 12.5 north"}, "they meet sp-1 Unit sp-1"),
        ({"dm-1": "43.5 13 north", "sw-2": "40 10 north abreast 3/0"}, ""),
    ):
        found = notes(table({"sw-2": "40 10 north abreast", **units}, step="move"))
        assert next(note for words, note in found.items() if words.startswith("move sw-2 ")) == then


def test_behind_dice_of_the_turn_no_more_are_killed_than_are_left(table: Table) -> None:
    b = table({"sp-1": "36 12 north", "ro-1": "40 12 north", "ro-11": "36 13 south 1"}, step="attack")
    b.state.dice = True
    assert notes(b)["attack sp-1 at ro-11"] == "on the front: 4 dice, 10+: none 31.6 %, 1 killed and none left 68.4 %"


def test_who_cant_fire_is_told_why(table: Table) -> None:
    b = table({**UNITS, "gn-1": "50 10 north"})
    (entry,) = [entry for entry in entries(b) if entry.heading == "No fire by"]
    assert entry.notes == ("gn-1 Unit gn-1: they see no enemy in their range and arc [fire_combat.4]",)
    b = table({"gn-1": "50 10 north", "sp-11": "36 40 south"})
    assert not any("fire" in entry.heading for entry in entries(b)), "nobody at all can fire"


def test_later_steps_list_what_is_left(table: Table) -> None:
    b = table(UNITS)
    b.do("close fire")
    assert not any(words.startswith("fire") for words in notes(b))
    b.do("close move")
    assert {words.split()[0] for words in notes(b)} == {"attack", "done"}


@pytest.mark.parametrize(("words", "means"), [
    ("move sp-1 to sp-13", "move sp-1 3"),
    ("move bw-1 to ro-11", "move bw-1 5"),
    ("move dm-1 to sw-1", "follow dm-1 sw-1 behind"),
])  # fmt: skip
def test_to_brings_a_unit_to_another(table: Table, words: str, means: str) -> None:
    b = table(UNITS)
    b.do("close fire")
    order = b.rules.way(b.state, b.request, tuple(words.split()))
    assert " ".join(b.rules.order_words(b.board, order)) == means


@pytest.mark.parametrize(("words", "means"), [
    ("move Unit ro-1 3in", "move ro-1 3"),
    ("move sp-1 left 3.5 inches", "move sp-1 left 3.5"),
    ("back sp-1 2 inch right", "back sp-1 2 right"),
    ("move dm-1 to 36in 12 in ne", "move dm-1 to 36 12 north-east"),
    ("attack sp-1 at Unit sp-13 else Unit ro-11", "attack sp-1 at sp-13 else ro-11"),
    ("fire bw-1 at Unit sp-13", "fire bw-1 at sp-13"),
    ("follow Left daimyo Left swords left", "follow dm-1 sw-1 left"),
])  # fmt: skip
def test_inches_may_be_named_and_names_have_several_words(table: Table, words: str, means: str) -> None:
    b = table(UNITS)
    called = {"dm-1": "Left daimyo", "sw-1": "Left swords"}
    units = {unit: u._replace(name=called.get(unit, u.name)) for unit, u in b.board.units.items()}
    board = b.board._replace(units=units)
    typed = tuple(words.lower().split())
    assert " ".join(b.rules.order_words(board, b.rules.read_order(board, "red", typed))) == means


POINT = "write a fraction with a point, as 4.5"


@pytest.mark.parametrize(("words", "why"), [
    ("move sp-1 4 5", f"`4 5` are 2 numbers, where 1 is wanted; {POINT}"),
    ("move dm-1 20 20", "`20 20` are 2 numbers, where 1 is wanted; write `move dm-1 to 20 20`"),
    ("move dm-1 31.5 12 ne", "`31.5 12` are 2 numbers, where 1 is wanted; write `move dm-1 to 31.5 12 ne`"),
    ("back dm-1 20 20", f"`20 20` are 2 numbers, where 1 is wanted; {POINT}"),
    ("move dm-1 20 20 20", f"`20 20 20` are 3 numbers, where 1 is wanted; {POINT}"),
    ("back sp-1 left 4 5", f"`4 5` are 2 numbers, where 1 is wanted; {POINT}"),
    ("move dm-1 to 31 5 12", f"`31 5 12` are 3 numbers, where 2 are wanted; {POINT}"),
    ("setup sp-1 18 9 5 north", f"`18 9 5` are 3 numbers, where 2 are wanted; {POINT}"),
    ("move sp-1 6.555", "`6.555` is no number of inches; write two decimals at most, as 6.55"),
    ("move sp-1 0.005", "`0.005` is no number of inches; write two decimals at most, as 0.01"),
    ("move sp-1 4000.555", "`4000.555` is no number of inches; no table has a thousand inches"),
    ("move sp-1 4000", "`4000` is no number of inches; no table has a thousand inches"),
    ("move sp-1 6 else halt sp-1", "only `attack` has an `else`; give the other order behind `if not TEST then`"),
    ("move sp-1 6 left left", "`move sp-1 6 left left` can't be read; write `move U [left | right] INCHES "
     "[left | right] | move U to V | move DAIMYO to X Y [FACING]`"),
    ("move sp-1 far", "`far` is no number of inches; write inches with two decimals at most, as 6.5"),
])  # fmt: skip
def test_of_a_wrong_number_it_is_told_what_would_be_right(table: Table, words: str, why: str) -> None:
    b = table(UNITS)
    with pytest.raises(MalformedOrder) as raised:
        b.rules.read_order(b.board, "red", tuple(words.split()))
    assert str(raised.value) == why
    for right in ("move sp-1 4.5", "move dm-1 to 31.5 12 ne", "setup sp-1 18 9.5 north", "attack sp-1 at 12 else 13"):
        b.rules.read_order(b.board, "red", tuple(right.split()))


@pytest.mark.parametrize("words", ["move sp-1 3cm", "move sp-1 in", "move sp-1 in 3", "move sp-1 3 in in"])
def test_no_other_lengths_are_read(table: Table, words: str) -> None:
    b = table(UNITS)
    with pytest.raises(MalformedOrder):
        b.rules.read_order(b.board, "red", tuple(words.split()))


FLEES = {"sp-1": "36 12 north 2 routed", "bw-1": "20 20 north", "ro-11": "20 28 south"}
"""Red's spearmen run from Black's ronin to the south-east; the bowmen can fire, so that they haven't yet."""


def told_of(b: Battle, beginning: str) -> tuple[str, ...]:
    """The notes of the entries whose heading begins so; () where there is none."""
    return tuple(note for entry in entries(b) if entry.heading.startswith(beginning) for note in entry.notes)


@pytest.mark.parametrize(("place", "told"), [
    ("36 12 north", "sp-1 Unit sp-1 flee to 40.94 7.06 before anybody moves, and face south-east"),
    ("36 3 north", "sp-1 Unit sp-1 flee off the table before anybody moves"),
])  # fmt: skip
def test_of_the_routed_it_is_told_where_they_flee_to(table: Table, place: str, told: str) -> None:
    b = table({**FLEES, "sp-1": f"{place} 2 routed"})
    says = "what follows is told as it stands then, if fire doesn't change who is the nearest enemy"
    assert told_of(b, "Routed") == (told, says)
    b.do("close fire")
    gone = "sp-1" in b.state.gone
    assert gone or told.startswith(f"sp-1 Unit sp-1 flee to {b.state.at['sp-1'].x / 100} {b.state.at['sp-1'].y / 100} ")
    assert told_of(b, "Routed") == (() if gone else ("sp-1 Unit sp-1 have fled as far as they can in this turn",))


def test_moves_reckon_with_the_flight_of_the_routed(table: Table) -> None:
    """Ronin behind routed spearmen, who will be out of their way; behind others, who won't."""
    for state, orders in (("routed", {"move ro-1 7": ""}), ("", {"move ro-1 2": "they meet sp-1 Unit sp-1"})):
        b = table({**FLEES, "sp-1": f"36 12 north 2 {state}", "ro-1": "36 9 north"})
        assert {
            words: note for words, note in notes(b).items() if words.startswith("move ro-1 ")
        }.items() >= orders.items()
        (words,) = orders
        b.do("close fire")
        assert b.why_not(words) is None


@pytest.mark.parametrize(("daimyo", "way"), [
    ("36 22 south", "behind `follow dm-1 sp-1 behind`: "),
    ("30 9 south", "behind `follow dm-1 sp-1 right`: "),
    ("49.7 6.3 south", "behind `move dm-1 to 41.64 14.36 south-east`: "),
    ("40.23 15.76 south", ""),
])  # fmt: skip
def test_a_rally_is_listed_with_what_its_daimyo_must_do_first(table: Table, daimyo: str, way: str) -> None:
    b = table({**FLEES, "sp-1": "36 20 north 2 routed", "dm-1": daimyo})
    listed = {words: note for words, note in notes(b).items() if words.startswith("rally")}
    odds = "rallied 66.7 %, dispersed 33.3 %"
    assert listed == {"rally sp-1 by dm-1": way + odds, "rally sp-1 by dm-1 about": way + odds}
    b.do("close fire")
    assert {words: note for words, note in notes(b).items() if words.startswith("rally")} == listed, (
        "as it was foreseen"
    )
    if way:
        b.do(way.split("`")[1])
    b.do("close move")
    assert b.why_not("rally sp-1 by dm-1") is None


def test_a_rally_is_listed_with_how_those_come_after_whom_its_daimyo_leaves(table: Table) -> None:
    """Swordsmen of two stands would lose him to the routed: they come after him."""
    b = table({**FLEES, "sp-1": "36 20 north 2 routed", "sw-1": "44 13 north abreast", "dm-1": "44 12 south"})
    (way,) = {note.rpartition(": ")[0] for words, note in notes(b).items() if words.startswith("rally sp-1 by dm-1")}
    moves = way.split("`")[1::2]
    assert len(moves) > 1
    b.do("close fire")
    b.do(moves[0])
    assert b.why_not("close move") is not None
    for words in moves[1:]:
        b.do(words)
    b.do("close move")
    assert b.why_not("rally sp-1 by dm-1") is None


NOBODY = "no daimyo can come to touch them"


@pytest.mark.parametrize(("units", "why"), [
    ({"dm-1": "41 22 south"}, NOBODY),
    ({"dm-11": "40 8 south"}, NOBODY),
    ({}, NOBODY),
    ({"dm-1": "36 15 north", "sw-1": "36 16 north abreast"},
     "dm-1 could come to touch them, but sw-1 Unit sw-1 need him"),
])  # fmt: skip
def test_where_no_daimyo_can_come_no_rally_is_listed(table: Table, units: dict[str, str], why: str) -> None:
    """He is too far, the enemy's, there is none, or he can't leave two stands that none could follow any more."""
    b = table({**FLEES, **units})
    assert not any(words.startswith("rally") for words in notes(b))
    assert told_of(b, "No rally") == (f"sp-1 Unit sp-1: {why}",)


def test_a_daimyo_who_is_needed_elsewhere_is_not_told_to_stay(table: Table) -> None:
    """His two stands have gone before him: he has to follow."""
    b = table({"sw-1": "12 10 north abreast", "dm-1": "12 9 north", "sp-11": "30 40 south"})
    assert "move dm-1 to 12 9" in notes(b)
    assert told_of(b, "dm-1") == ()
    b.do("move sw-1 5 left")
    assert "move dm-1 to 12 9" not in notes(b)
    assert "follow dm-1 sw-1 behind" in notes(b)
    left = "sw-1 Unit sw-1 would be left without the daimyo that their two stands need"
    assert told_of(b, "dm-1") == (f"must go where he is needed: {left}",)


@pytest.mark.parametrize(("friend", "part"), [("36 13 north", "their way"), ("36 14 north", "the rest of their way")])
def test_a_move_that_cannot_begin_goes_on_without_its_way(table: Table, friend: str, part: str) -> None:
    b = table({"ro-1": "36 12 north", "ro-2": friend, "sp-11": "60 40 south"}, step="move")
    rest = b.rules.remainder(b.state, "red", b.order("move ro-1 7"))
    assert rest is not None
    assert [tell.facts["part"] for tell in rest[1]] == [part]


def test_in_games_whatever_is_listed_behind_the_flight_of_the_routed_can_be_ordered_then() -> None:
    """Moves as soon as they have fled, rallies as soon as the daimyo has come who is named there."""
    board, seen = samurai.board(scenario_of("skirmish").data), Counter[str]()
    for seed in range(12, 20):
        chance, game = random.Random(seed), Game.new(samurai, board, {})
        while (request := game.request) is not None:
            if not isinstance(request, Choose):
                game.apply(chance_answer(request, chance))
                continue
            own = game.state.routed.intersection(board.of_side[request.side])
            if own and request.kind in ("fire", "move") and not game.state.fires:
                listed = [order for entry in form(game.state, request) for order in entry.orders]
                ahead = game.fork()
                if request.kind == "fire":
                    ahead.apply(samurai.read_order(board, request.side, ("close", "fire")))
                seen.update(all_can_be_ordered(ahead, listed))
            bold = chance.randrange(3)
            game.apply(samurai.advise(game.state, request, chance) if bold else request.sample(chance))
    assert min(seen[word] for word in ("move", "back", "turn", "follow", "rally")) > 1, seen


def all_can_be_ordered(game: Game, listed: list[tuple[tuple[str, ...], str]]) -> Iterator[str]:
    """Checks moves and rallies of a form where the routed have fled; the first words of those that were checked."""
    request = game.request
    assert isinstance(request, Choose)
    for words, note in listed if request.kind == "move" else ():
        order = samurai.read_order(game.board, request.side, words)
        if words[0] in ("move", "back", "turn", "follow"):
            assert request.why_not(order) is None
            yield words[0]
        elif words[0] == "rally":
            ahead = game.fork()
            if note.startswith("behind `"):
                ahead.apply(samurai.read_order(game.board, request.side, tuple(note.split("`")[1].split())))
            assert rally.why_not(ahead.state, request.side, order) is None
            yield words[0]


def test_to_somebody_out_of_the_way_is_refused(table: Table) -> None:
    b = table(UNITS)
    b.do("close fire")
    with pytest.raises(IllegalOrder, match="in none of their three headings within 6 inches"):
        b.rules.way(b.state, b.request, ("move", "bw-1", "to", "sp-13"))
    with pytest.raises(MalformedOrder):
        b.rules.way(b.state, b.request, ("move", "bw-1", "to", "zz-13"))
    assert b.rules.way(b.state, b.request, ("move", "bw-1", "to", "36", "12")) is None


def test_to_somebody_whom_it_touches_is_no_way(table: Table) -> None:
    b = table({"ro-1": "36 12 north", "ro-11": "36 13 south"}, step="move")
    with pytest.raises(IllegalOrder, match="touch ro-11 Unit ro-11 already"):
        b.rules.way(b.state, b.request, ("move", "ro-1", "to", "ro-11"))


def test_a_way_over_slow_ground_is_told_with_its_inches_on_the_table(table: Table) -> None:
    wood = [{"id": "wood", "kind": "wood", "at": "36 20", "size": "8 10"}]  # from y 15 on
    found = notes(table({"ro-1": "36 12 north", "sp-1": "10 10 north"}, terrain=wood, step="move"))
    assert found["move ro-1 7"] == "4.75 on the table, as slow ground counts twice"
    assert found["move sp-1 7"] == ""


@pytest.mark.parametrize(("enemy", "friend", "ahead", "back"), [
    ("36 13.02 south", "36 10.98 north", "can't go ahead: they touch ro-11 Unit ro-11 already",
     "can't go back: at once they meet sp-1 Unit sp-1"),
    ("36 13.03 south", "36 10.97 north", "move ro-1 7: after 0.03 they touch ro-11, on the front",
     "back ro-1 0.03: they meet sp-1 Unit sp-1"),
    ("36 13 south", "36 11 north", "can't go ahead: they touch ro-11 Unit ro-11 already",
     "can't go back: at once they meet sp-1 Unit sp-1"),
])  # fmt: skip
def test_a_way_of_a_hair_is_none(table: Table, enemy: str, friend: str, ahead: str, back: str) -> None:
    """Who touches an enemy may stand 0.02 inches before him."""
    b = table({"ro-1": "36 12 north", "ro-11": enemy, "sp-1": friend}, step="move")
    (entry,) = [entry for entry in entries(b) if entry.heading.startswith("ro-1 Unit ro-1, ")]
    told = [*entry.notes, *(f"{' '.join(words)}: {note}" for words, note in entry.orders)]
    assert [any(said.startswith(way) for said in told) for way in (ahead, back)] == [True, True], told
    assert len([said for said in told if "turn" not in said]) == 2


def test_a_way_of_a_hair_that_leads_to_an_enemy_is_listed(table: Table) -> None:
    """Two hundredths along a diagonal."""
    found = notes(table({"ro-1": "36 12 north-east", "ro-11": "36.71 12.72 south-west"}, step="move"))
    assert found["move ro-1 7"].startswith("after 0.02 they touch ro-11, on the front: 3 dice")


def test_why_a_unit_has_no_way_or_turn_is_told(table: Table) -> None:
    """Two stands with their daimyo behind them; one with room all round is told nothing."""
    units = {"sw-2": "40 10 north abreast", "dm-2": "40 9 north", "sp-1": "20 10 north"}
    found = {entry.heading.split()[0]: entry for entry in entries(table(units, step="move"))}
    daimyo = table(units).state.board.describe("dm-2")
    assert found["sw-2"].notes == (
        *(
            f"can't turn {way}: they would lie over {daimyo}; `move sw-2 1 {way}` turns them an inch ahead, and "
            "`follow dm-2 sw-2 behind` brings him after them"
            for way in ("left", "right")
        ),
        f"can't go back: at once they meet {daimyo}",
    )
    assert found["sp-1"].notes == ()


def test_of_other_places_of_a_set_up_it_is_told_whom_a_daimyo_must_touch_there(table: Table) -> None:
    units = {"sw-1": "off abreast", "dm-1": "off", "sp-1": "off", "sp-11": "60 40 south"}
    (wing, *_) = entries(table(units, phase="red-setup"))
    assert wing.notes[-1] == "other places there will do as well, where a daimyo touches sw-1"


def test_an_order_alone_is_told_as_far_as_it_comes_and_with_whom_it_meets(table: Table) -> None:
    """A move was told with the inches ordered, an attack without its side, where no form stood beside it."""
    b = table(UNITS)
    move = b.order("move sp-1 7")
    assert samurai.tell_cost(b.state, b.request.side, move) == "3 inches"
    assert samurai.tell_met(b.state, move) == notes(b)["move sp-1 7"]
    attack = b.order("attack ro-1 at sp-12")
    told = f"{samurai.tell_met(b.state, attack)}: {samurai.tell_odds(b.state, b.request.side, attack)}"
    assert told == notes(b)["attack ro-1 at sp-12"]
    assert told.startswith("on the front: ")
    assert {samurai.tell_met(b.state, b.order(words)) for words in ("fire bw-1 at ro-11", "follow dm-1 sw-1")} == {""}
