"""The order form: by force and castle, every order on it legal, whole campaigns through; and quickly made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from rules.sengoku.activities import moments
from rules.sengoku.test_going import asked
from yardstick import within

from pbem.rules.requests import Choose, FormEntry, Roll
from pbem.rules.sengoku import sequence
from pbem.rules.sengoku.going import way
from pbem.rules.sengoku.harm import strength
from pbem.rules.sengoku.odds import tell_odds
from pbem.rules.sengoku.order_form import form
from pbem.rules.sengoku.orders import Attack, Besiege, Close, GiveWay
from pbem.rules.sengoku.scenario import board as board_of
from pbem.rules.sengoku.skirmish import carry_out
from pbem.rules.sengoku.state import State, start
from pbem.rules.sengoku.victory import for_good, lead_words
from pbem.rules.sengoku.wording import read_order

Field = Callable[..., State]
PLAIN = ". . . . . . .\n . . . . . . .\n. . . . . . ."
TEN = "hb-02 hb-04 hb-06 hb-07 hb-08"


def entries(s: State, choose: Choose | None = None) -> dict[str, FormEntry]:
    """The entries of a form by the first word of their headings."""
    return {entry.heading.split()[0]: entry for entry in form(s, choose or asked(s))}


def lines(entry: FormEntry) -> dict[str, str]:
    """The orders of an entry as they are typed, each with its note."""
    return {" ".join(entry.typed.get(words, words)): note for words, note in entry.orders}


def test_a_force_is_told_with_whom_it_leads_its_line_and_its_reach(field: Field) -> None:
    s = field(
        PLAIN,
        {TEN: "0202 reduced hb-04", "hb-05": "0202", "sb-03 sb-04": "0203", "kb-01": "0305"},
        castles={"sone": "0101 hashiba 1", "gifu": "0206 kobe 4", "ono": "0202 hashiba 0"},
        main={"hashiba": "sone"},
    )
    found = entries(s)
    entry = found["hb-02"]
    rank, told = "general with 10 boxes", "strength 9, morale normal, action power 4, at 0202 Ono"
    assert entry.heading == f"hb-02 Hashiba Hidenaga: {rank}, {told}"
    assert entry.notes[:4] == (
        "leads hb-04, hb-06, hb-07, hb-08: 4 of 10 boxes",
        "on one step: hb-04",
        "has a line of communication",
        "`organise hb-02 leaves U ...` lets units go",
    )
    assert "`move hb-02 enter` shuts it up in the castle here" in entry.notes
    assert any(note.startswith("`move FORCE to HEX`: ") for note in entry.notes)
    assert lines(entry)["attack hb-02 at sb-03"].startswith("strength 9: no loss ")
    assert lines(entry)["replenish hb-02"]
    assert "comes to the same hexes as hb-02" in found["hb-05"].notes
    assert any("if the campaign ended now, the Hashiba side has " in note for note in found["The"].notes)


@pytest.mark.clause("36.6(win)", "36.6(2)", "36.6(4b)")
def test_the_form_tells_who_leads_what_wins_and_what_nobody_can_win_back(field: Field) -> None:
    """It told the points of each side alone."""
    s = field(PLAIN, {TEN: "0202", "sb-03 sb-04": "0203"})
    s.remove("hb-04")
    s.declared.add("kobe")
    notes = entries(s)["The"].notes
    assert notes[0] == lead_words(s)
    assert notes[-len([*for_good(s)]) :] == tuple(for_good(s))
    assert notes[0].endswith("needs a lead of 30 points to win")
    assert any(note.startswith("the Hashiba side has lost ") for note in notes)


def test_units_that_stand_together_and_can_only_go_somewhere_are_told_once(field: Field) -> None:
    """Each had three lines of its own, most of them far from every enemy."""
    far, sent = {"hb-04": "0201", "hb-06": "0201", "hb-07": "0202", "hb-08": "0201 morale -1"}, {"hb-05": "0201"}
    s = field(PLAIN, {**far, **sent}, castles={"sone": "0101 hashiba 1"}, main={"hashiba": "sone"})
    found = entries(s)
    told = "Asano Nagamasa and hb-06 Nakamura Kazuuji, strength 2, action power 2 each"
    assert found["at"].heading == f"at 0201, morale normal, each by itself: hb-04 {told}"
    assert "has a line of communication" in found["at"].notes
    assert {"hb-05", "hb-07", "hb-08"} < found.keys(), "who can take others, stands elsewhere, is shaken"
    assert found.keys().isdisjoint({"hb-04", "hb-06"})


def test_the_tests_of_these_rules_come_first(field: Field) -> None:
    first, *others = form(field(PLAIN, {"hb-05": "0202"}), asked(field(PLAIN, {"hb-05": "0202"})))
    assert (first.heading, first.orders) == ("tests of these rules", ())
    assert first.notes[0] == "`fallen CASTLE`: it isn't its first owner's side's any more"
    assert first.notes[1].startswith("`is U WORD` asks of a unit one of leader, reduced, ")
    assert not any("fallen CASTLE" in note for entry in others for note in entry.notes)


def test_what_cuts_a_line_is_told(field: Field) -> None:
    s = field(PLAIN, {TEN: "0202"}, castles={"sone": "0107 kobe 1"}, main={"hashiba": "sone"})
    assert "has no line of communication: the Hashiba have lost their main castle [8-3-2]" in entries(s)["hb-02"].notes


def test_moves_before_enemies_and_their_castles_are_told(field: Field) -> None:
    s = field(PLAIN, {TEN: "0102", "sb-03": "0304"}, castles={"gifu": "0206 kobe 4"})
    told = lines(entries(s)["hb-02"])
    assert told["move hb-02 to 0206"] == "6 points, faces Gifu (40 needed to besiege)"
    assert any(note.endswith("faces sb-03") for note in told.values())


def test_who_cannot_act_is_told_why(field: Field) -> None:
    s = field(PLAIN, {TEN: "0202 acted", "hb-17": "0103"}, stage=2)
    entry = entries(s)["As"]
    assert "hb-02 Hashiba Hidenaga: has acted in this phase [12.0-2]" in entry.notes
    assert any("has action power 1 and can't act in stage 2" in note for note in entry.notes)


def test_a_castle_under_siege_is_told_with_the_chance_of_each_result(field: Field) -> None:
    forces = {"hb-01 hb-02 hb-03 hb-04": "0203 besieging", "hb-05 hb-06": "0203", "kb-01 kb-02": "0203 shut-in"}
    s = field(PLAIN, forces, castles={"gifu": "0203 kobe 1 5"})
    found = [*form(s, asked(s))]
    (entry,) = [entry for entry in found if entry.heading.startswith("The siege of 0203 Gifu")]
    assert entry.heading == "The siege of 0203 Gifu, castle of level 1 of the Kobe"
    assert entry.notes == (
        "durability 5, morale normal",
        "inside: 2 units where 10 have room, strength 4 (kb-01)",
        "before it: strength 9, 10 needed (hb-01)",
        "the siege check behind the phase of the Anti-Hashiba side: nothing 50 %, durability -1 38.9 %, "
        "morale inside -1 11.1 %",
    )
    by_force = {entry.heading.split()[0]: lines(entry) for entry in found}
    assert by_force["hb-01"]["call gifu by hb-01"].startswith("durability 5, ")
    assert by_force["hb-05"]["besiege gifu by hb-05"] == "strength 13, 10 needed"
    assert by_force["hb-05"]["besiege gifu by hb-05 assault"].startswith("strength 13, 10 needed; interception ")
    assert by_force["hb-05"]["assault gifu by hb-05 hb-01"] == (
        "they assault one after another, each as told of it alone"
    )


def test_who_is_besieged_may_offer_his_castle(field: Field) -> None:
    forces = {"sb-01 sb-02 sb-03 sb-04 sb-05": "0203 besieging", "hb-05 hb-06": "0203 shut-in"}
    s = field(PLAIN, forces, castles={"gifu": "0203 hashiba 1 5"})
    (entry,) = [entry for entry in form(s, asked(s)) if entry.heading.startswith("The siege of 0203 Gifu")]
    assert lines(entry) == {
        "offer gifu none": "all march out, nobody is removed",
        "offer gifu hb-05": "hb-05 Hashiba Hidekatsu is removed, the others march out",
    }
    answered = (
        "the besieger answers before the siege check; if he accepts, no check is made",
        "he refuses where he isn't asked and has no `standing accept`, as `check` tells of the orders in force",
    )
    assert entry.notes[-3:] == ("`offer gifu U ...` offers to open it at the price of any of those inside", *answered)
    s.offers["gifu"] = ("hb-06",)
    (entry,) = [entry for entry in form(s, asked(s)) if entry.heading.startswith("The siege of 0203 Gifu")]
    assert entry.notes[-4].startswith("offered to open in this phase; then hb-06 ")
    assert entry.notes[-3:] == ("`offer gifu U ...` or `offer gifu none` takes its place", *answered)
    s.remove("hb-06")
    s.offers.clear()
    (entry,) = [entry for entry in form(s, asked(s)) if entry.heading.startswith("The siege of 0203 Gifu")]
    assert lines(entry)["offer gifu hb-05"] == "hb-05 Hashiba Hidekatsu is removed", "nobody is left to march out"


@pytest.mark.clause("18-3", "18-3-2")
def test_who_besieges_is_told_that_a_move_gives_it_up_and_whether_the_siege_ends(field: Field) -> None:
    forces = {TEN: "0203 besieging", "hb-17": "0203 besieging", "kb-01 kb-02": "0203 shut-in"}
    s = field(PLAIN, forces, castles={"gifu": "0203 kobe 1 5"})
    found = entries(s)
    left = strength(s, ["hb-17"])
    free = "and the morale of the castle and of all inside is normal again"
    ends = f"which ends, as {left} of the 10 needed are left, {free}"
    assert f"`lift hb-02`, or any move, gives up its siege of Gifu, {ends}" in found["hb-02"].notes
    goes_on = f"which goes on, with {strength(s, ['hb-02'])} where 10 are needed"
    assert f"`lift hb-17`, or any move, gives up its siege of Gifu, {goes_on}" in found["hb-17"].notes
    s.lift("hb-17")
    assert not any("lift" in note for note in entries(s)["hb-17"].notes)
    assert f"`lift hb-02`, or any move, gives up its siege of Gifu, which ends, {free}" in entries(s)["hb-02"].notes


def test_a_question_is_told_with_the_answer_of_the_rules(field: Field) -> None:
    s = field(PLAIN, {TEN: "0203", "sb-03 sb-04 sb-05": "0204"}, castles={"gifu": "0207 shibata 1"})
    steps = carry_out(s, Attack("hb-02", ("sb-03",)))
    request: Any = steps.send(None)
    while not isinstance(request, Choose):
        request = steps.send((6,) if isinstance(request, Roll) else None)
    (entry,) = form(s, request)
    assert entry.heading == request.prompt
    assert entry.notes[0].startswith("sb-03 Shibata Katsumasa: general with 5 boxes, strength 6")
    default = request.default() if request.default else None
    assert [note for words, note in entry.orders if read_order(s.board, "anti-hashiba", words) == default] == [
        "as the rules would choose"
    ]
    assert isinstance(default, GiveWay)


def test_every_order_on_the_form_is_legal_the_whole_campaign_through(shipped: Mapping[str, Any]) -> None:
    kinds = set()
    for s, request in moments(shipped, 5, 37, reactions=True):
        kinds.add(request.kind)
        own = s.own_forces(request.side) if request.kind == "operation" else []
        told = [*form(s, request)]
        text = "\n".join(f"{entry.heading} {' '.join(entry.notes)}" for entry in told)
        assert all(force in text for force in own)
        orders = [(words, entry.typed.get(words, words)) for entry in told for words, _ in entry.orders]
        for words, typed in orders:
            order = read_order(s.board, request.side, words)
            if request.kind != "situation" or not orders.index((words, typed)):  # its mail goes on with stage 1
                assert request.why_not(order) is None, (words, request.why_not(order))
            if typed != words and request.kind == "operation":
                assert way(s, request, typed) == order
    assert {"operation"} < kinds


def test_the_form_of_a_situation_change_goes_on_with_the_first_stage(shipped: Mapping[str, Any]) -> None:
    s, request = next(found for found in moments(shipped, 1, 1) if found[1].kind == "situation")
    found = [*form(s, request)]
    words = [line for entry in found for line in lines(entry)]
    assert words[0] == "declare kobe"
    (note,) = [lines(entry)["declare kobe"] for entry in found if "declare kobe" in lines(entry)]
    assert note == "begins to act, for good; behind it its forces can have orders, too"
    assert words.index("close situation") < words.index(next(word for word in words if word.startswith("move")))
    assert words[-1] == "done"


@pytest.mark.parametrize(("begin", "behind"), [({}, True), ({"hashiba": "0202", "shibata": "0302"}, False)])
def test_odds_of_the_first_stage_are_told_as_those_of_the_situation_change(
    field: Field, begin: Mapping[str, str], behind: bool
) -> None:
    """What standing orders change in them is found by the words that the odds have in this phase."""
    s = field(PLAIN, {TEN: "0202", "sb-04": "0302"}, sources=begin)
    s.phase, s.stage = next((n, 0) for n, phase in enumerate(sequence.PHASES) if phase.kind == "situation")
    found = lines(entries(s, asked(s)._replace(kind="situation"))["hb-02"])["attack hb-02 at sb-04"]
    assert found == tell_odds(s, Attack("hb-02", ("sb-04",)))
    assert found.endswith("; with the morale that the line phase leaves") == behind


@pytest.mark.parametrize(("begin", "behind"), [({}, True), ({"hashiba": "0203", "kobe": "0203"}, False)])
def test_odds_behind_other_words_are_those_of_the_situation_change_too(
    field: Field, begin: Mapping[str, str], behind: bool
) -> None:
    s = field(PLAIN, {TEN: "0203", "kb-01 kb-02": "0203 shut-in"}, sources=begin, castles={"gifu": "0203 kobe 1 5"})
    s.phase, s.stage = next((n, 0) for n, phase in enumerate(sequence.PHASES) if phase.kind == "situation")
    note = lines(entries(s, asked(s)._replace(kind="situation"))["hb-02"])["besiege gifu by hb-02 assault"]
    assert note == f"strength 10, 10 needed; {tell_odds(s, Besiege('gifu', ('hb-02',), True))}"
    assert note.endswith("; with the morale that the line phase leaves") == behind


def test_the_form_of_a_deployment_shows_where_all_stand_without_orders(shipped: Mapping[str, Any]) -> None:
    s, request = next(moments(shipped, 1, 1))
    _, *found = form(s, request)
    assert found[0].heading == "himeji: 30 units, at 1623 Himeji if you don't say otherwise"
    assert found[-2].orders[0] == (("close", "deployment"), "the rest stands as written above")
    s, request = next(found for found in moments(shipped, 1, 1) if found[1].side == "anti-hashiba")
    (last,) = [entry.orders[0] for entry in form(s, request) if entry.heading == "The deployment"]
    assert last[1].endswith("; what is said in the situation change and the orders of stage 1 may follow")
    (owari,) = [entry for entry in found if entry.heading.startswith("owari")]
    assert owari.notes[0].startswith("or at any of 5215 ")


def test_the_form_of_a_full_phase_is_quickly_made(shipped: Mapping[str, Any]) -> None:
    s = start(board_of(shipped), {})
    activity, answer = sequence.next_activity(s), None
    seen: Choose | None = None
    while seen is None:
        try:
            request = activity.send(answer)
        except StopIteration:
            activity, answer = sequence.next_activity(s), None
            continue
        answer = (1,) if isinstance(request, Roll) else None
        if isinstance(request, Choose):
            if request.kind == "operation" and request.side == "hashiba":
                seen = request
            answer = next((o for o in request.options() if isinstance(o, Close)), ())
            if request.kind == "operation":
                answer = next(o for o in request.options() if o == read_order(s.board, request.side, ("done",)))
    assert len(s.own_forces("hashiba")) > 30
    with within(60):
        told = " ".join(" ".join((entry.heading, *entry.notes)) for entry in form(s, seen))
    assert all(force in told for force in s.own_forces("hashiba"))


def test_the_form_of_a_hundred_forces_next_to_as_many_is_quickly_made(campaign: State) -> None:
    s = campaign
    for side, number in (("hashiba", "4412"), ("anti-hashiba", "4411")):
        for unit in s.board.of_side[side]:
            s.form((unit,), s.board.parse(number))
    s.stage = 1
    with within(70):
        found = [*form(s, asked(s))]
    assert sum(len(entry.orders) for entry in found) > 5_000


def test_only_who_can_be_taken_is_offered_to_a_commander(field: Field) -> None:
    def offered(boxes: str, chief: str = "hb-05") -> list[str]:
        forces = {chief: "0202", "hb-02 hb-04 hb-06": "0202", "hb-07": "0202 reduced hb-07", "kt-01": "0202"}
        notes = entries(field(PLAIN, forces, values={"hb-05": {"boxes": boxes}}))["hb-05"].notes
        return [note for note in notes if "takes U" in note]

    (told,) = offered("1")
    assert told == (
        "`organise hb-05 takes U ...` puts units under it: hb-04 Asano Nagamasa and "
        "hb-06 Nakamura Kazuuji, strength 2 each; hb-07 Sugihara Ietsugu, strength 1"
    )
    assert offered("1", "hb-05 hb-08") == []  # his box is full


def test_a_deployment_tells_officers_by_name_rank_boxes_and_strength(shipped: Mapping[str, Any]) -> None:
    s, request = next(moments(shipped, 1, 1))
    (himeji,) = (entry for entry in form(s, request) if entry.heading.startswith("himeji: "))
    assert lines(himeji)  # each force by who leads it
    assert any(note.startswith("Hashiba Hideyoshi, commander-in-chief with ") for note in lines(himeji).values())
    assert any("hb-04 Asano Nagamasa 2, " in note for note in himeji.notes)


def test_the_question_where_to_tells_of_each_way_what_it_costs(field: Field) -> None:
    s = field(
        PLAIN, {TEN: "0203", "sb-03 sb-04 sb-05": "0204"}, castles={"gifu": "0207 shibata 1"}, rivers=("0204/0205",)
    )
    steps = carry_out(s, Attack("hb-02", ("sb-03",)))
    request: Any = steps.send(None)
    while not (isinstance(request, Choose) and request.kind == "retreat"):
        answer = (6,) if isinstance(request, Roll) else None
        if isinstance(request, Choose):
            answer = list(request.options())[1] if request.kind == "give-way" else next(iter(request.options()))
        request = steps.send(answer)
    (entry,) = form(s, request)
    notes = dict(entry.orders)
    across = [note for words, note in notes.items() if words[2] == "0205"]
    assert across == [f"costs 1 step: entering {s.board.place(s.board.parse('0205'))}, across a river"]
    first, *others = entry.orders
    assert first[1] == "as the rules would choose; costs no step"
    assert others
