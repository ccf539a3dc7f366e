"""What the page is told of its list of orders: judged, with its ways, pictures and units where they lie on the page."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from cli_player import World
from matches import Match, scenario_of, write_home
from served import Page
from yardstick import within

from pbem.page.judged import by_item

Json = dict[str, Any]


@pytest.fixture
def page(tmp_path: Path) -> Page:
    """Asuka's page behind the set-up: the Shogunate is to move."""
    return Page(World(tmp_path, "set-up").home("asuka"))


@pytest.fixture
def firing(tmp_path: Path) -> Page:
    """Ben's page: he is to fire."""
    return Page(World(tmp_path, "opened").home("ben"))


def a_move(page: Page, head: str, text: str = "") -> Json:
    """The first move of one of my units that is offered."""
    for unit in page.of("view")["units"]:
        if unit["mine"] and unit["at"]:
            found = page.of("choices", head=head, text=text, unit=unit["id"])["choices"]
            moves: list[Json] = [one for one in found if one["keyword"] == "move"]
            if moves:
                return moves[0]
    raise AssertionError("no unit can move")


def drawn(view: Json, judged: Json, name: str) -> list[str]:
    """The pieces of a map's picture."""
    pieces = {**dict(enumerate(view["pieces"])), **{int(number): svg for number, svg in judged["pieces"].items()}}
    return [pieces[number] for number in judged["maps"][name]]


# --- the list ---------------------------------------------------------------------------------------------------------


def test_behind_a_move_the_unit_stands_and_is_drawn_where_it_goes(page: Page) -> None:
    view = page.of("view")
    move = a_move(page, view["head"])
    judged = page.of("orders", head=view["head"], text=f"{move['typed']};\n")
    (item,) = judged["items"]
    assert (item["state"], item["kind"], item["unit"], item["words"]) == ("good", "order", move["unit"], move["words"])
    spot = view["places"][move["target"]]
    assert item["way"][-1] == [spot["map"], spot["x"], spot["y"]]
    was = next(unit for unit in view["units"] if unit["id"] == move["unit"])
    assert item["way"][0] == [was["map"], was["x"], was["y"]]
    (moved,) = judged["units"]
    assert (moved["id"], moved["at"], moved["x"], moved["y"]) == (move["unit"], move["target"], spot["x"], spot["y"])
    assert move["target"] in moved["told"]
    (name,) = judged["maps"]
    assert drawn(view, judged, name) != [view["pieces"][number] for number in view["maps"][0]["picture"]]
    assert min(map(int, judged["pieces"])) >= len(view["pieces"]), "the view's pieces keep their numbers"
    again = page.of("orders", head=view["head"], text="")
    assert (again["items"], again["units"], again["maps"]) == ([], [], {}), "without orders it is as it is"


def test_a_new_piece_has_the_same_number_whenever_it_comes(page: Page) -> None:
    view = page.of("view")
    move = a_move(page, view["head"])
    first = page.of("orders", head=view["head"], text=f"{move['typed']};\n")
    other = a_move(page, view["head"], f"{move['typed']};\n")
    both = page.of("orders", head=view["head"], text=f"{move['typed']};\n{other['typed']};\n")
    assert {unit["id"] for unit in both["units"]} == {move["unit"], other["unit"]}
    again = page.of("orders", head=view["head"], text=f"{move['typed']};\n")
    assert (again["maps"], again["pieces"]) == (first["maps"], first["pieces"])


def test_what_is_wrong_is_told_at_its_order_with_its_clause(firing: Page) -> None:
    view = firing.of("view")
    text = "fire sa-12 at sg-11;\nfire sa-12 at sg-11;\nfire sa-99 at sg-11;\ndone;\n"
    judged = firing.of("orders", head=view["head"], text=text)
    states = [(item["number"], item["state"]) for item in judged["items"]]
    assert states == [(1, "good"), (2, "good"), (3, "wrong"), (4, "good")]
    wrong = judged["items"][2]
    assert "sa-99" in wrong["why"]
    assert (judged["closed"], judged["asked"]) == (True, None)
    assert firing.of("orders", head=view["head"], text="done;\n")["closed"]
    assert not firing.of("orders", head=view["head"], text="")["closed"]


def test_the_list_is_kept_as_the_draft_at_each_change(firing: Page) -> None:
    view = firing.of("view")
    path = firing.home.games()[0].draft(view["seq"] + 1)
    judged = firing.of("orders", head=view["head"], text="done;\n", mark=view["mark"])
    assert path.read_text("utf-8") == "done;\n"
    path.write_text("# by an editor\n", "utf-8")
    question = {"head": view["head"], "text": "fire sa-12 at sg-11;\n", "mark": judged["mark"]}
    answer = firing.post(f"/api/{firing.id}/orders", question)
    assert (answer.status_code, answer.get_json()["draft"]) == (409, "# by an editor\n")
    assert firing.of("orders", **{**question, "mark": answer.get_json()["mark"]})["mark"] not in ("", judged["mark"])


def test_while_another_program_works_a_click_is_answered_and_kept_later(
    firing: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = firing.of("view")
    with firing.home.locked("`pbem open` since yesterday"):
        found: list[Json] = []
        asks = threading.Thread(target=lambda: found.append(firing.of("orders", head=view["head"], text="done;\n")))
        asks.start()
        asks.join(9)
        assert found, "it doesn't wait for the lock as a command does"
    assert "another program is at work" in found[0]["unsaved"]
    assert "mark" not in found[0]
    assert firing.of("orders", head=view["head"], text="done;\n")["mark"]


# --- choices ----------------------------------------------------------------------------------------------------------


def test_every_choice_is_an_order_that_the_list_finds_good(page: Page) -> None:
    view = page.of("view")
    unit = a_move(page, view["head"])["unit"]
    found = page.of("choices", head=view["head"], text="", unit=unit)
    assert found["whole"]
    assert len(found["choices"]) > 3
    for choice in found["choices"]:
        judged = page.of("orders", head=view["head"], text=f"{choice['typed']};\n")
        assert [item["state"] for item in judged["items"]] == ["good"], choice["typed"]
        if choice["target"] in view["places"]:
            spot = view["places"][choice["target"]]
            assert (choice["map"], choice["x"], choice["y"]) == (spot["map"], spot["x"], spot["y"])


def test_an_enemy_as_a_target_lies_where_he_stands(firing: Page) -> None:
    view = firing.of("view")
    found = firing.of("choices", head=view["head"], text="", unit="sa-12")["choices"]
    units = {unit["id"]: unit for unit in view["units"]}
    fires = [one for one in found if one["keyword"] == "fire"]
    assert fires
    for fire in fires:
        target = units[fire["target"]]
        assert (fire["x"], fire["y"]) == (target["x"], target["y"])
        assert fire["odds"]
        assert fire["dice"]


def test_who_can_do_nothing_has_a_reason(firing: Page) -> None:
    view = firing.of("view")
    known = firing.of("choices", head=view["head"], text="", unit="sa-12")
    assert known["choices"]
    found = {unit["id"]: firing.of("choices", head=view["head"], text="", unit=unit["id"]) for unit in view["units"]
             if unit["mine"]}  # fmt: skip
    idle = [one for one in found.values() if not one["choices"]]
    assert idle
    assert all(one["why"] for one in idle)


def test_one_order_is_judged_with_what_decides_its_dice(firing: Page) -> None:
    view = firing.of("view")
    good = firing.of("odds", head=view["head"], text="", words="fire sa-12 at sg-11")
    assert (good["good"], good["why"]) == (True, "")
    assert all(factor["clause"] for factor in good["factors"])
    assert good["factors"]
    bad = firing.of("odds", head=view["head"], text="", words="fire sa-12 at sa-01")
    assert not bad["good"]
    assert bad["why"]


def test_an_order_is_added_before_the_one_that_closes_and_taken_away_again(firing: Page) -> None:
    head = firing.of("view")["head"]
    added = firing.of("edit", head=head, text="# mine\ndone;\n", do="add", words="fire sa-12 at sg-11")
    assert added["text"] == "# mine\nfire sa-12 at sg-11;\ndone;\n"
    assert (added["number"], [item["state"] for item in added["judged"]["items"]]) == (1, ["good", "good"])
    taken = firing.of("edit", head=head, text=added["text"], do="remove", number=1, mark=added["mark"])
    assert taken["text"] == "# mine\ndone;\n"
    for wrong in ({"do": "remove", "number": 9}, {"do": "lose", "number": 1}, {"do": "add", "words": "done; done"}):
        question = {"head": head, "text": "done;\n", **wrong}
        assert firing.post(f"/api/{firing.id}/edit", question).status_code == 400


def test_that_the_list_is_not_closed_is_no_remark_at_a_page_whose_button_closes_it(firing: Page) -> None:
    empty: Json = {"lapses": [], "odds": [], "endings": [], "errors": [], "doubts": []}
    remarks = ["there is no `done;`: the next decision is yours", "give or take 20"]
    game = firing.games.game(firing.id)
    assert by_item(game, "", {**empty, "remarks": remarks})["remarks"] == ["give or take 20"]


def test_in_a_set_up_it_is_told_how_many_units_are_left_to_place(tmp_path: Path) -> None:
    world = World(tmp_path, "begun")
    page = next(page for name in ("asuka", "ben") if (page := Page(world.home(name))).of("view")["due"]["mine"])
    view = page.of("view")
    before = page.of("orders", head=view["head"], text="")["comes"]
    unit = next(unit["id"] for unit in view["units"] if unit["mine"] and not unit["at"])
    order = page.of("choices", head=view["head"], text="", unit=unit)["choices"][0]["words"]
    behind = page.of("orders", head=view["head"], text=f"{order};")["comes"]
    left = [int(told[1].split()[0]) for told in (before, behind)]
    assert left[0] == left[1] + 1 > 1


def test_why_nothing_can_be_done_to_an_enemy_is_what_the_rules_say_of_it(firing: Page) -> None:
    view = firing.of("view")
    found = firing.of("choices", head=view["head"], text="", unit="sa-12", place="sg-01")
    assert (found["choices"], "has range 4" in found["why"], "melee" in found["why"]) == ([], True, False)


def test_the_small_forms_have_what_the_rules_know(firing: Page) -> None:
    found = firing.of("shapes", head=firing.of("view")["head"])
    assert found["tests"]
    assert found["standing"]
    assert found["orders"]
    assert found["closing"] == "done"


def test_the_slow_check_is_told_by_order(firing: Page) -> None:
    head = firing.of("view")["head"]
    text = "# ten\nfire sa-12 at sg-11;\nif is sg-11 disordered then fire sa-12 at sg-11;\ndone;\n"
    found = firing.of("check", head=head, text=text)
    assert set(found["items"]) >= {"1", "2"}
    assert found["items"]["2"]["lapses"][0]["share"] > 0.3
    assert "lapses in" in found["items"]["2"]["lapses"][0]["told"]
    assert found["items"]["1"]["comes"]
    assert found["doubts"]
    sure = firing.of("check", head=head, text="done;\n")
    assert (sure["doubts"], sure["errors"]) == ([], [])


def test_a_newer_check_ends_the_older_one(firing: Page) -> None:
    head = firing.of("view")["head"]
    many = "".join(f"fire sa-{number:02} at sg-11;\n" for number in range(1, 18))
    found: dict[str, Json] = {}

    def asks(name: str, text: str) -> threading.Thread:
        tab = firing.stranger()
        tab.set_cookie(firing.guard.cookie, firing.guard.secret, domain="127.0.0.1")

        def ask() -> None:
            answer = tab.post(
                f"/api/{firing.id}/check", json={"head": head, "text": text}, headers={"X-Pbem": "page"},
                base_url=firing.address,
            )  # fmt: skip
            found[name] = answer.get_json()

        thread = threading.Thread(target=ask)
        thread.start()
        return thread

    older = asks("older", many)
    game = firing.games.game(firing.id)
    while game.checking is None:
        older.join(0.005)
    newer = asks("newer", "done;\n")
    older.join()
    newer.join()
    assert found["older"] == {"older": True}
    assert found["newer"]["doubts"] == []


# --- other games ------------------------------------------------------------------------------------------------------


def test_who_is_not_asked_is_told_so(tmp_path: Path) -> None:
    page = Page(World(tmp_path, "opened").home("asuka"))
    view = page.of("view")
    for what in ("orders", "choices", "odds", "edit"):
        question = {"head": view["head"], "text": "", "words": "done", "do": "add"}
        answer = page.post(f"/api/{page.id}/{what}", question)
        assert (answer.status_code, answer.get_json()["error"]["what"]) == (400, "nothing is due from asuka"), what
    assert not page.home.games()[0].draft(view["seq"] + 1).exists()


def test_behind_another_entry_nothing_is_judged(firing: Page) -> None:
    question = {"head": "0" * 64, "text": "", "words": "done", "do": "add"}
    for what in ("orders", "choices", "odds", "shapes", "edit", "check", "draft"):
        answer = firing.post(f"/api/{firing.id}/{what}", question)
        assert (answer.status_code, answer.get_json()) == (409, {"moved": True}), what


def test_on_a_table_units_move_by_the_inch(tmp_path: Path) -> None:
    match = Match(scenario_of("skirmish"), 1)
    while match.due()[0] not in ("orders", "react"):
        match.play()
    write_home(match, match.due()[1] or "", tmp_path / "home")
    page = Page(tmp_path / "home")
    view = page.of("view")
    unit, table = next(unit for unit in view["units"] if unit["mine"]), view["table"]
    assert (unit["map"], unit["x"]) == ("", None), "not set up yet"
    (choice,) = page.of("choices", head=view["head"], text="", unit=unit["id"])["choices"]
    judged = page.of("orders", head=view["head"], text=f"{choice['typed']};\n")
    assert [item["state"] for item in judged["items"]] == ["good"]
    (moved,) = [one for one in judged["units"] if one["id"] == unit["id"]]
    assert moved["map"] == table["map"]
    left, bottom = table["origin"]
    assert 0 <= (moved["x"] - left) / table["scale"] <= table["width"]
    assert 0 <= (bottom - moved["y"]) / table["scale"] <= table["depth"]


# --- speed ------------------------------------------------------------------------------------------------------------


def test_a_click_in_the_largest_battle_takes_no_longer_than_a_few_strokes(tmp_path: Path) -> None:
    """A stroke is about a fiftieth of a second: eight are about the 150 milliseconds that a click may take."""
    match = Match(scenario_of("connected"), 1)
    match.play()
    match.play("beside hideyori D2001;")
    write_home(match, match.due()[1] or "", tmp_path / "home")
    page = Page(tmp_path / "home")
    view = page.of("view")
    head, text, clicks = view["head"], "", 0
    page.of("orders", head=head, text="")
    for unit in [unit for unit in view["units"] if unit["mine"] and unit["at"]]:
        found = page.of("choices", head=head, text=text, unit=unit["id"])["choices"]
        if found and clicks < 6:
            clicks += 1
            more = f"{text}{found[0]['typed']};\n"
            with within(8):
                page.of("orders", head=head, text=more)
            text = more
            with within(8):
                page.of("choices", head=head, text=text, unit=unit["id"])
    assert clicks == 6
    with within(8):
        page.of("view")


def test_a_remark_on_a_line_stands_beside_its_order(firing: Page) -> None:
    """The twin: what is said of the whole list stays with the list."""
    text = "# first\nif held Akaike satcho and not held Akaike satcho then fire sa-12 at sg-11;\ndone;\n"
    checked = {
        "lapses": [], "odds": [], "endings": [], "errors": [], "doubts": [],
        "remarks": ["line 2: it is never carried out", "of the whole list", "line 9: of none"],
    }  # fmt: skip
    game = firing.games.game(firing.id)
    found = by_item(game, text, checked)
    assert found["items"] == {1: {"lapses": [], "comes": ["it is never carried out"]}}
    assert found["remarks"] == ["of the whole list", "line 9: of none"]
