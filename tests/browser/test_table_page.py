"""What the page of a table does with clicks, keys and the program's answers, in a browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser.conftest import SIZES, sync_api
from browser.fake_table import ADDRESS, HEXES, FakeTable, Json

expect = sync_api.expect

Shown = Callable[..., sync_api.Page]
"""Opens a table's page in a window of a size."""


@pytest.fixture
def shown(browser: sync_api.Browser) -> Iterator[Shown]:
    """Opens tables; when the test is over none may have reported an error, or asked for anything elsewhere."""
    pages: list[sync_api.Page] = []
    wrong: list[str] = []

    def show(fake: FakeTable, size: str = "desk") -> sync_api.Page:
        wide, high = SIZES[size]
        page = browser.new_page(viewport={"width": wide, "height": high})
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if noted(said) else None)
        page.on("request", lambda asked: None if at_home(asked.url) else wrong.append(asked.url))
        fake.open(page)
        pages.append(page)
        return page

    yield show
    for page in pages:
        page.close()
    assert wrong == []


def noted(said: sync_api.ConsoleMessage) -> bool:
    """Whether a line of the console is an error; an answer 409, that the game has moved, is none."""
    return said.type in ("error", "warning") and "409" not in said.text


def at_home(url: str) -> bool:
    return url.startswith((f"{ADDRESS}/", "data:"))


def click_hex(page: sync_api.Page, label: str, *, shift: bool = False) -> None:
    """Click on a hex of the map where it lies on the screen."""
    x, y = HEXES[label]
    spot = page.evaluate(
        """([x, y]) => {
            const svg = document.querySelector("#maps svg");
            const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
            return [at.x, at.y];
        }""",
        [x, y],
    )
    if shift:
        page.keyboard.down("Shift")
    page.mouse.click(*spot)
    if shift:
        page.keyboard.up("Shift")


def lines(page: sync_api.Page) -> list[str]:
    """The orders of the list."""
    return page.locator("#list li code").all_text_contents()


def listed(page: sync_api.Page, *orders: str) -> None:
    """The list comes to hold these orders, and the text the same."""
    expect(page.locator("#list li code")).to_have_text(list(orders))
    expect(page.locator("#text")).to_have_value("".join(f"{order}\n" for order in orders))


def no_overflow(page: sync_api.Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


# --- the mouse --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_a_turn_is_clicked_and_sent(size: str, shown: Shown) -> None:
    fake = FakeTable()
    page = shown(fake, size)
    page.locator("#maps").scroll_into_view_if_needed()
    click_hex(page, "0101")
    expect(page.locator("#told")).to_contain_text("First (a-1), 0101")
    expect(page.locator(".mark text")).to_have_text(["2", "2", "2", "hits in", "33 %"])
    click_hex(page, "0103")
    listed(page, "move a-1 0103")
    expect(page.locator(".marks polyline.ink")).to_have_count(1)
    expect(page.locator(".mark")).to_have_count(0)
    page.locator("#maps").scroll_into_view_if_needed()
    click_hex(page, "0301")
    expect(page.locator(".mark")).to_have_count(4)
    click_hex(page, "0105")
    listed(page, "move a-1 0103", "fire a-2 at b-1")
    assert no_overflow(page)
    page.click("#send")
    expect(page.locator("#ask")).to_contain_text("signed entry 4")
    expect(page.locator("#ask")).to_contain_text("turn.eml")
    assert [sent["text"] for sent in fake.sent] == ["move a-1 0103\nfire a-2 at b-1\ndone\n"]
    expect(page.locator("#title")).to_have_text("Turn 5, movement")
    assert no_overflow(page)


def test_an_enemy_tells_who_can_fire_at_it(shown: Shown) -> None:
    page = shown(FakeTable())
    click_hex(page, "0105")
    expect(page.locator("#choosing-title")).to_have_text("b-1")
    expect(page.locator("#choices button")).to_have_count(1)
    page.locator("#choices button").click()
    listed(page, "fire a-1 at b-1")


def test_the_pointer_on_a_target_tells_every_modifier(shown: Shown) -> None:
    page = shown(FakeTable())
    click_hex(page, "0101")
    expect(page.locator("#choices button")).to_have_count(4)
    page.locator("#choices button").last.hover()
    expect(page.locator("#odds")).to_contain_text("behind a wall")
    expect(page.locator("#odds")).to_contain_text("9-3")
    expect(page.locator(".mark.here text")).to_have_text(["hits in", "33 %"])


def test_a_way_of_ones_own_is_judged_as_it_grows(shown: Shown) -> None:
    page = shown(FakeTable())
    click_hex(page, "0101")
    expect(page.locator(".mark")).to_have_count(4)
    for label in ("0201", "0202"):
        click_hex(page, label, shift=True)
        expect(page.locator("#own-told")).to_contain_text(label)
    expect(page.locator("#own-told")).to_contain_text("judged")
    page.keyboard.press("Enter")
    listed(page, "move a-1 0201 0202")


def test_a_way_that_goes_wrong_is_told_why_by_the_word_that_led_so_far(shown: Shown) -> None:
    fake = FakeTable()
    fake.ways = ["move", "march"]
    page = shown(fake)
    page.route("**/odds", stemmed)
    click_hex(page, "0101")
    expect(page.locator(".mark")).to_have_count(4)
    click_hex(page, "0201", shift=True)
    expect(page.locator("#own-told")).to_contain_text(": \u2713 march leads there")
    click_hex(page, "0105", shift=True)
    expect(page.locator("#own-told")).to_contain_text("no march leads there")


def stemmed(route: sync_api.Route) -> None:
    """What a server says of a way on which only one of the two words for it leads, and that not to its end."""
    words = json.loads(route.request.post_data or "{}")["words"]
    stem, good = words.split()[0], words.startswith("march") and "0105" not in words
    answer = {"good": good, "why": "" if good else f"no {stem} leads there", "told": f"{stem} leads there"}
    empty = {"clause": "", "right": "", "odds": "", "factors": [], "way": [], "ends": False}
    route.fulfill(json={**empty, **answer, "words": words, "typed": words})


def test_a_way_that_is_not_legal_is_not_taken(shown: Shown) -> None:
    page = shown(FakeTable())
    click_hex(page, "0101")
    expect(page.locator(".mark")).to_have_count(4)
    click_hex(page, "0102", shift=True)
    expect(page.locator("#own-told")).to_contain_text("0102")
    click_hex(page, "0105", shift=True)
    expect(page.locator("#own-told")).to_contain_text("the hex is held")
    page.keyboard.press("Enter")
    expect(page.locator("#own")).to_be_visible()
    assert lines(page) == []
    page.keyboard.press("Backspace")
    expect(page.locator("#own-told")).not_to_contain_text("0105")
    page.keyboard.press("Escape")
    expect(page.locator("#own")).to_be_hidden()
    assert lines(page) == []


def test_a_list_that_is_not_in_its_file_yet_is_told_so_and_tried_again(shown: Shown) -> None:
    fake = FakeTable()
    page = shown(fake)
    fake.kept_out = True
    page.fill("#text", "move a-1 0201\n")
    expect(page.locator("#unsaved")).to_contain_text("another program holds the home folder. It is tried again")
    fake.kept_out = False
    expect(page.locator("#unsaved")).to_be_hidden()
    assert fake.drafts[-1] == "move a-1 0201\n"
    page.fill("#text", "move a-1 0202\n")
    expect(page.locator("#list li code")).to_have_text(["move a-1 0202"])
    expect(page.locator("#unsaved")).to_be_hidden()


# --- the list ---------------------------------------------------------------------------------------------------------


def test_what_cant_be_legal_is_red_with_the_reason(shown: Shown) -> None:
    fake = FakeTable()
    fake.draft = "move a-1 bad\nmove a-2 0302\n"
    page = shown(fake)
    red, good = page.locator("#list li").all()
    assert (red.get_attribute("data-state"), good.get_attribute("data-state")) == ("wrong", "good")
    expect(red).to_contain_text("the way is shut. Clause 8-1.")
    expect(red.locator(".sign")).to_have_text("\u2717")
    expect(good.locator(".sign")).to_have_text("\u2713")
    expect(good.locator(".wrong")).to_have_count(0)


def test_what_may_lapse_is_yellow_with_its_share(shown: Shown) -> None:
    fake = FakeTable()
    fake.draft = "fire a-1 risky\nmove a-2 0302\n"
    page = shown(fake)
    yellow, good = page.locator("#list li").nth(0), page.locator("#list li").nth(1)
    expect(yellow).to_have_attribute("data-state", "lapse")
    expect(yellow).to_contain_text("lapses in about 3 of 10 futures")
    expect(good).to_have_attribute("data-state", "good")


def test_what_lapses_in_all_futures_becomes_red(shown: Shown) -> None:
    fake = FakeTable()
    fake.draft = "fire a-1 hopeless\nmove a-2 0302\n"
    page = shown(fake)
    expect(page.locator("#list li").nth(0)).to_have_attribute("data-state", "wrong")
    expect(page.locator("#list li").nth(0)).to_contain_text("it lapses in all futures")
    expect(page.locator("#list li").nth(1)).to_have_attribute("data-state", "good")
    expect(page.locator("#errors p")).to_have_count(0)


def test_what_may_end_the_game_is_warned_of(shown: Shown) -> None:
    fake = FakeTable()
    fake.draft = "fire a-1 final\ndone\n"
    page = shown(fake)
    expect(page.locator("#warnings")).to_contain_text("ben may win by it")
    page.click("#send")
    expect(page.locator("#ask")).to_contain_text("ben may win by it")
    page.get_by_role("button", name="No, back to the orders").click()
    assert fake.sent == []
    page.click("#send")
    page.get_by_role("button", name="Yes, send").click()
    expect(page.locator("#ask")).to_contain_text("signed entry 4")
    assert len(fake.sent) == 1


@pytest.mark.parametrize("yes", [True, False])
def test_doubts_are_asked_about_before_it_is_sent(yes: bool, shown: Shown) -> None:
    fake = FakeTable()
    fake.draft, fake.doubtful = "move a-1 0102\ndone\n", True
    page = shown(fake)
    page.click("#send")
    expect(page.locator("#ask")).to_contain_text("order 1 will probably lapse")
    page.get_by_role("button", name="Yes, send" if yes else "No, back to the orders").click()
    if yes:
        expect(page.locator("#ask")).to_contain_text("signed entry 4")
    else:
        expect(page.locator("#ask")).to_be_hidden()
    assert [sent["yes"] for sent in fake.sent] == [True] * yes


def test_a_list_that_was_closed_to_be_sent_is_as_before_when_it_is_not(shown: Shown) -> None:
    fake = FakeTable()
    fake.draft, fake.doubtful = "move a-1 0102\n", True
    page = shown(fake)
    page.click("#send")
    expect(page.locator("#ask")).to_contain_text("order 1 will probably lapse")
    page.get_by_role("button", name="No, back to the orders").click()
    listed(page, "move a-1 0102")
    expect(page.locator("#live")).to_have_text("")
    assert fake.sent == []


@pytest.mark.parametrize("yes", [True, False])
def test_a_phase_is_not_ended_without_orders_unless_somebody_says_so(yes: bool, shown: Shown) -> None:
    fake = FakeTable()
    page = shown(fake)
    page.click("#send")
    expect(page.locator("#ask")).to_contain_text("without any order of mine")
    page.get_by_role("button", name="Yes, end it" if yes else "No, back to the orders").click()
    if yes:
        expect(page.locator("#ask")).to_contain_text("signed entry 4")
    else:
        expect(page.locator("#ask")).to_be_hidden()
    assert len(fake.sent) == yes


def test_my_units_are_told_as_they_stand_behind_the_list(shown: Shown) -> None:
    fake = FakeTable()
    page = shown(fake)
    line = page.locator("#roster button[data-unit='a-1']")
    before = line.text_content()
    page.locator("#text").fill("move a-1 0102\n")
    expect(line).not_to_have_text(before or "")
    page.locator("#text").fill("")
    expect(line).to_have_text(before or "")


def test_orders_are_moved_by_keys(shown: Shown) -> None:
    fake = FakeTable()
    fake.draft = "one\ntwo\nthree\n"
    page = shown(fake)
    page.locator("#list li").nth(0).focus()
    page.keyboard.press("Alt+ArrowDown")
    listed(page, "two", "one", "three")
    expect(page.locator("#list li:focus code")).to_have_text("one")
    expect(page.locator("#live")).to_have_text("one is now order 2 of 3.")
    page.keyboard.press("Alt+ArrowDown")
    listed(page, "two", "three", "one")
    page.keyboard.press("Alt+ArrowUp")
    listed(page, "two", "one", "three")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Delete")
    listed(page, "one", "three")
    page.click("#undo")
    listed(page, "two", "one", "three")


def test_orders_are_dragged(shown: Shown) -> None:
    fake = FakeTable()
    fake.draft = "one\ntwo\nthree\n"
    page = shown(fake)

    def drag(place: int, to: int, part: float) -> None:
        page.locator("#listing").scroll_into_view_if_needed()
        box = page.locator("#list li").nth(to).bounding_box()
        assert box is not None
        page.locator("#list .drag").nth(place).hover()
        page.mouse.down()
        page.mouse.move(box["x"] + 20, box["y"] + box["height"] * part, steps=5)
        page.mouse.up()

    drag(0, 2, 0.9)
    listed(page, "two", "three", "one")
    drag(2, 1, 0.1)
    listed(page, "two", "one", "three")
    drag(1, 1, 0.9)
    listed(page, "two", "one", "three")


def test_the_text_and_the_list_keep_step(shown: Shown) -> None:
    page = shown(FakeTable())
    page.fill("#text", "move a-1 0102\nmove a-2 bad\n")
    expect(page.locator("#list li")).to_have_count(2)
    page.locator("#list li").nth(1).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("move a-2 0302")
    page.keyboard.press("Enter")
    listed(page, "move a-1 0102", "move a-2 0302")
    page.locator("#list li").nth(1).focus()
    page.keyboard.press("Enter")
    page.keyboard.type("xyz")
    page.keyboard.press("Escape")
    listed(page, "move a-1 0102", "move a-2 0302")


def test_small_forms_make_words(shown: Shown) -> None:
    fake = FakeTable()
    fake.draft = "fire a-1 at b-1\n"
    page = shown(fake)
    page.locator("#list li").nth(0).focus()
    page.get_by_role("button", name="If", exact=True).click()
    form = page.locator("#forms fieldset").first
    form.get_by_label("U", exact=True).fill("b-1")
    form.get_by_role("button", name="Put it in the line").click()
    listed(page, "if alive b-1 then fire a-1 at b-1")
    plan = page.locator("#forms fieldset", has_text="Plan")
    plan.get_by_label("Order").fill("melee a-1 at b-1")
    plan.get_by_role("button", name="Put it in the line").click()
    expect(page.locator("#typed")).to_have_value("in melee: melee a-1 at b-1")
    page.click("#typed-add")
    listed(page, "if alive b-1 then fire a-1 at b-1", "in melee: melee a-1 at b-1")


# --- the keyboard alone -----------------------------------------------------------------------------------------------


def test_a_turn_by_the_keyboard_alone(shown: Shown) -> None:
    fake = FakeTable()
    page = shown(fake)
    page.keyboard.press("/")
    page.keyboard.type("a-1")
    page.keyboard.press("Enter")
    expect(page.locator("#choices button").first).to_be_focused()
    expect(page.locator("#live")).to_contain_text("First (a-1), 0101, in good order")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    listed(page, "move a-1 0103")
    expect(page.locator("#maps")).to_be_focused()
    page.keyboard.press("/")
    page.keyboard.type("0204")
    page.keyboard.press("Enter")
    expect(page.locator("#live")).to_contain_text("0204, open")
    page.keyboard.press("Escape")
    expect(page.locator("#maps")).to_be_focused()
    page.keyboard.press("/")
    page.keyboard.type("nobody")
    page.keyboard.press("Enter")
    expect(page.locator("#live")).to_have_text("No unit and no place is called nobody.")
    page.keyboard.press("Tab")
    for _ in range(40):
        if page.evaluate("document.activeElement.id") == "send":
            break
        page.keyboard.press("Tab")
    expect(page.locator("#send")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#ask")).to_contain_text("signed entry 4")
    assert [sent["text"] for sent in fake.sent] == ["move a-1 0103\ndone\n"]
    page.keyboard.press("Escape")
    expect(page.locator("#ask")).to_be_hidden()
    page.locator("#maps").focus()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()


def test_the_keyboard_is_never_held(shown: Shown) -> None:
    """Tab leads through the whole page and out of it."""
    fake = FakeTable()
    fake.draft = "one\ntwo\n"
    page = shown(fake)
    seen = []
    for _ in range(80):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.id || document.activeElement.tagName"))
        if seen[-1] == "BODY":
            break
    assert "BODY" in seen
    assert {"command", "typed", "text", "send", "maps"} <= {*seen}


def test_after_a_choice_single_keys_are_keys_and_escape_leaves_a_box(shown: Shown) -> None:
    page = shown(FakeTable())
    for deed in ("Enter", "Escape"):
        page.keyboard.press("/")
        page.keyboard.type("a-1" if deed == "Enter" else "a-2")
        if deed == "Enter":
            page.keyboard.press("Enter")
            expect(page.locator("#choices button").first).to_be_focused()
        page.keyboard.press(deed)
        expect(page.locator("#maps")).to_be_focused()
        page.keyboard.press("t")
        expect(page.locator("#typed")).to_be_focused()
        expect(page.locator("#typed")).to_have_value("")
        page.keyboard.press("Escape")
        expect(page.locator("#maps")).to_be_focused()


def test_what_is_told_goes_with_the_next_deed(shown: Shown) -> None:
    page = shown(FakeTable())
    click_hex(page, "0101")
    expect(page.locator(".mark")).to_have_count(4)
    click_hex(page, "0103")
    expect(page.locator("#live")).to_have_text("Added: move a-1 0103")
    page.click("#larger")
    expect(page.locator("#live")).to_have_text("")


def test_the_way_of_each_order_is_drawn_and_that_which_is_looked_at_stands_out(shown: Shown) -> None:
    fake = FakeTable()
    fake.draft = "move a-1 0101 0102\nmove a-2 0301 0302\nmove a-1 bad 0102 0103\n"
    page = shown(fake)
    expect(page.locator(".marks polyline.ink")).to_have_count(3)
    expect(page.locator(".marks polyline.bad")).to_have_count(1)
    expect(page.locator(".marks .way-number")).to_have_text(["1", "2", "3"])
    page.locator("#list li").nth(0).hover()
    expect(page.locator(".marks polyline.here")).to_have_count(1)
    expect(page.locator(".marks .way-number")).to_have_text(["2", "3", "1"])


def test_a_target_that_is_none_says_why_and_the_second_click_picks_it(shown: Shown) -> None:
    page = shown(FakeTable())
    click_hex(page, "0101")
    expect(page.locator(".mark")).to_have_count(4)
    click_hex(page, "0305")
    expect(page.locator("#live")).to_have_text("a-1 at 0305: too far. Click there again to look at it.")
    expect(page.locator(".mark")).to_have_count(4)
    click_hex(page, "0305")
    expect(page.locator("#choosing-title")).to_have_text("0305")


def test_what_is_sent_is_answered_with_the_news(shown: Shown) -> None:
    fake = FakeTable()
    fake.draft = "move a-1 0102\ndone\n"
    page = shown(fake)
    fake.news = [{"title": "Turn 4, fire", "lines": ["Enemy fired at First: no effect."]}]
    page.click("#send")
    for words in ("signed entry 4", "Turn 4, fire", "Enemy fired at First: no effect.", "It is your move."):
        expect(page.locator("#ask")).to_contain_text(words)


# --- what others write ------------------------------------------------------------------------------------------------

HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script><b>bold</b>"


def test_hostile_words_do_nothing(shown: Shown) -> None:
    fake = FakeTable()
    fake.told = fake.name = HOSTILE
    fake.draft = f"say {HOSTILE}\nmove a-1 bad {HOSTILE}\n"
    page = shown(fake)
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    click_hex(page, "0101")
    expect(page.locator("#told")).to_contain_text(HOSTILE)
    expect(page.locator("#report-text")).to_contain_text(HOSTILE)
    page.locator("#roster summary").click()
    expect(page.locator("#roster")).to_contain_text(HOSTILE)
    page.locator("#list li").nth(1).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert page.locator("main img, main b, main script, dialog img, dialog b").count() == 0
    assert asked == []


def drop(page: sync_api.Page, name: str, text: str) -> None:
    """Drop a file on the page."""
    data = page.evaluate_handle(
        """([name, text]) => {
            const data = new DataTransfer();
            data.items.add(new File([text], name));
            return data;
        }""",
        [name, text],
    )
    page.dispatch_event("main", "dragover", {"dataTransfer": data})
    expect(page.locator("#dropping")).to_be_visible()
    page.dispatch_event("main", "drop", {"dataTransfer": data})


def test_a_mail_is_dropped(shown: Shown) -> None:
    fake = FakeTable()
    page = shown(fake)
    drop(page, "turn.eml", f"Subject: x\n\n{HOSTILE} \u00e4")
    expect(page.locator("#ask")).to_contain_text("a turn of ben: taken")
    assert fake.mails == [f"Subject: x\n\n{HOSTILE} \u00e4"]
    page.keyboard.press("Escape")
    drop(page, "large.eml", "x" * (2 * 1024 * 1024 + 1))
    expect(page.locator("#live")).to_contain_text("more than 2 MB")
    assert len(fake.mails) == 1


def test_a_mail_is_pasted(shown: Shown, tmp_path: Path) -> None:
    fake = FakeTable()
    page = shown(fake)
    page.click("#mail-open")
    page.fill("#mail-text", "a mail")
    page.click("#mail-go")
    expect(page.locator("#ask")).to_contain_text("a turn of ben: taken")
    page.keyboard.press("Escape")
    expect(page.locator("#ask")).to_be_hidden()
    (tmp_path / "turn.eml").write_bytes(b"caf\xe9")
    page.click("#mail-open")
    page.set_input_files("#mail-file", tmp_path / "turn.eml")
    page.click("#mail-go")
    expect(page.locator("#ask")).to_be_visible()
    assert fake.mails == ["a mail", "caf\u00e9"]


@pytest.mark.parametrize("seq", [3, 5])
def test_a_game_that_has_moved_is_read_anew(seq: int, shown: Shown) -> None:
    """The list is kept while the same entry is due; it is that of another entry's draft else."""
    fake = FakeTable()
    fake.draft = "one\n"
    page = shown(fake)
    page.fill("#text", "one\ntwo\n")
    expect(page.locator("#list li")).to_have_count(2)
    fake.moved, fake.seq, fake.draft = True, seq, "new\n"
    click_hex(page, "0101")
    expect(page.locator("#live")).to_contain_text("list of orders is kept" if seq == 3 else "another mail is due")
    listed(page, *(("one", "two") if seq == 3 else ("new",)))


def test_what_is_in_force_is_folded_where_it_is_much(shown: Shown) -> None:
    fake = FakeTable()
    fake.waits = [f"Standing order: retreat a-{number} 0101." for number in range(1, 5)]
    page = shown(fake)
    expect(page.locator("#waits-fold summary")).to_have_text("Standing orders, plans and what is kept: 4")
    expect(page.locator("#waits")).to_be_hidden()
    page.click("#waits-fold summary")
    expect(page.locator("#waits li")).to_have_text(fake.waits)
    few = FakeTable()
    few.waits = fake.waits[:3]
    page = shown(few)
    expect(page.locator("#waits-fold")).to_be_hidden()
    expect(page.locator("#waits li")).to_have_text(few.waits)
    expect(page.locator("#waits")).to_be_visible()


def test_while_it_is_read_no_empty_map_and_no_button_without_words_is_shown(shown: Shown) -> None:
    fake = FakeTable()
    seen: list[bool] = []
    view = fake.view

    def slowly(data: Json) -> Json:
        page = pages[0]
        seen.extend(page.locator(name).is_visible() for name in ("#maps", "#send"))
        seen.append(page.locator("#wait").is_visible())
        return view(data)

    page = shown(fake)
    pages = [page]
    fake.view = slowly  # type: ignore[method-assign]
    page.reload()
    expect(page.locator("#send")).to_have_text("End phase and send")
    expect(page.locator("#send")).to_be_visible()
    assert seen == [False, False, True]


def test_the_terms_of_an_offer_are_shown(shown: Shown) -> None:
    fake = FakeTable()
    fake.terms = "asuka offers a game on these terms:\n  dice  by turns"
    page = shown(fake)
    page.click("#mail-open")
    page.fill("#mail-text", "an offer")
    page.click("#mail-go")
    expect(page.locator("#ask pre")).to_have_text(fake.terms)
