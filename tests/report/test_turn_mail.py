"""The mail of a turn: what it says before it is opened is so, it is small, and each of its parts opens."""

from __future__ import annotations

import email
import email.policy
import io
import random
import re
from collections import Counter
from collections.abc import Iterator
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from letters import blocks_of
from mail.mail_damage import DAMAGES
from mail.relay import GATEWAYS, narrowed, shown
from matches import Match, parts_of, planned, scenario_of, signer, statements

import pbem.report.mail
from pbem.cli.turns import turn_mail
from pbem.desk.arrival import read_offer, take_in
from pbem.desk.desk import Desk, Place, terms_of
from pbem.desk.letter import read_letter
from pbem.home.contact import Contact
from pbem.home.folders import Home
from pbem.mail.inbox import Mail, read_mails
from pbem.mail.outbox import compose
from pbem.match.check import check
from pbem.match.table import BARE, Table
from pbem.match.way import ANSWERS
from pbem.report.asked import FUTURES, Asked, Foreseen, asked_words, foreseen
from pbem.report.build import SCREEN_LINES
from pbem.report.fitting import SMALL
from pbem.report.layout import WIDTH, clean
from pbem.report.mail import mail_data, mail_html, mail_text, sampled, versions
from pbem.report.ordered import came_words
from pbem.report.source import direction_of, report_data
from pbem.report.telling import Teller
from pbem.rules import State
from pbem.rules.requests import Choose, Order
from pbem.wire.turn import Turn

SCENARIOS = {"toba-fushimi": 11, "yao": 4, "domyoji": 13}
"""Scenario -> what its game's whims begin with."""


class Opened(NamedTuple):
    """A mail of a game, the entry in it, the Message-ID of the mail before it, and what its reader is asked."""

    raw: bytes
    turn: Turn
    before: str
    says: str
    """What the mail says is asked."""
    asked: str
    """What is asked after `open`, in the same words."""
    decides: bool
    then: int
    """The turn after `open`."""
    dice: Counter[str]
    """How often each number came up in the dice that its reader learns from it."""

    @property
    def mail(self) -> EmailMessage:
        message = email.message_from_bytes(self.raw, policy=email.policy.default)  # type: ignore[arg-type]
        assert isinstance(message, EmailMessage)
        return message

    def part(self, kind: str) -> str:
        """The content of its only part of that type that is no attachment."""
        parts = [p for p in self.mail.walk() if p.get_content_type() == kind and not p.get_filename()]
        (only,) = parts
        content: str = only.get_content()  # type: ignore[attr-defined]
        return content


def read(raw: bytes) -> Mail:
    (only,) = read_mails("-", io.BytesIO(raw))
    return only


def bold(table: Table, name: str, whims: random.Random) -> str:
    """The orders of a bold bot."""

    def advise(state: State, request: Choose, chance: random.Random) -> Order:
        return table.rules.advise(state, request, chance)

    return statements(planned(table, table.genesis.player(name).side, advise, whims))


@cache
def game(scenario_id: str) -> tuple[Opened, ...]:
    """A whole game of bold bots by mail, every mail opened; the same in each run."""
    whims = random.Random(SCENARIOS[scenario_id])
    with TemporaryDirectory() as root:
        return tuple(_played(scenario_id, Path(root), whims))


def _played(scenario_id: str, root: Path, whims: random.Random) -> Iterator[Opened]:
    desks = {name: Desk(Home(root / name), lambda n=name: signer(n), whims.randbytes) for name in ("asuka", "ben")}
    for name in desks:
        (root / name).mkdir()
    scenario = scenario_of(scenario_id)
    first = scenario.data["scenario"]["sides"][0]["id"]
    _, offer = desks["asuka"].offer(terms_of(scenario, {}), first, Contact("asuka", "a@example.org", "b@example.net"))
    letter = read_letter(read(offer.text.encode("ascii")))
    places: dict[str, Place] = {}
    contact = Contact("ben", "b@example.net", "a@example.org")
    places["ben"], accept = desks["ben"].accept(read_offer(desks["ben"], letter), "ben", contact)
    places["asuka"] = take_in(desks["asuka"], read_letter(read(accept.text.encode("ascii")))).place
    newest = {"asuka": "", "ben": ""}
    while (name := next((n for n, p in places.items() if p.table.due().player == n), "")) != "":
        place, other = places[name], "ben" if name == "asuka" else "asuka"
        text = "" if place.table.due().what in BARE else bold(place.table, name, whims)
        turn = desks[name].send(place, parts_of(place.table, place.table.genesis.player(name).side, text))
        says = asked_words(place.table, foreseen(place.table), other, "you", "this mail")
        raw = turn_mail(desks[name], place, turn).mail
        known = len(rolled(places[other].table))
        places[other] = take_in(desks[other], read_letter(read(raw))).place
        after = foreseen(places[other].table)
        assert not after.dice, "its reader has opened it"
        asked = asked_words(places[other].table, after, other, "you")
        decides = after.futures[0][0].decides and after.player == other
        brought = Counter(rolled(place.table)[known:])
        then = after.futures[0][0].turn
        yield Opened(raw, turn, newest[name], says, asked, decides, then, brought)
        newest[other] = read(raw).message_id


def rolled(table: Table) -> list[str]:
    """Every die of a table's steps."""
    return [str(die) for step in table.steps if step["kind"] == "roll" for die in step["result"]]


def rolled_in(text: str) -> Counter[str]:
    """The dice that a mail tells, in its sentences or in short."""
    found = re.findall(r"\b(?:dice|die) ((?:[0-9](?:, | and )?)+)|\[[a-z]+(?: of [\w-]+)?: ([0-9 ]+)\]", text)
    return Counter(re.findall("[0-9]", " ".join(map("".join, found))))


def one_line(text: str) -> str:
    """Its words in one line, without what keeps an id of a page in one piece."""
    return " ".join(re.sub(r"</?nobr>", "", text).split())


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_mail_of_a_game_says_what_is_asked_after_open(scenario: str) -> None:
    """What it says as sure is so; of what dice decide it says in how many futures it came, and never that it is all."""
    mails = game(scenario)
    assert len(mails) > 25
    surprises = 0
    for opened in mails:
        assert opened.says in one_line(opened.part("text/plain")), "and the same words stand in both parts"
        assert opened.says in one_line(opened.part("text/html"))
        clause = opened.asked[0].lower() + opened.asked[1:].removesuffix(".")
        clause = clause.partition(": ")[0] if "game is over" in clause else clause
        if "futures" not in opened.says:
            assert opened.says == opened.asked
        elif clause not in opened.says:
            surprises += 1
    assert surprises <= len(mails) / 30, "what 20 futures don't show is rare"
    assert sum("futures" in opened.says for opened in mails) > len(mails) / 3
    assert sum(opened.decides for opened in mails) > len(mails) / 3


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_mail_says_that_nothing_is_asked(scenario: str) -> None:
    for opened in game(scenario):
        if "a mail from you without orders" in opened.asked and opened.turn.entry.kind != "accept":
            assert re.search("shows (asuka|ben) the dice that have fallen|lets (asuka|ben) go on|proves", opened.asked)
        for kind in ("text/plain", "text/html"):
            said = one_line(opened.part(kind)).lower()
            assert "opens the next dice" not in said
            assert not re.search(r"nothing is asked|no decision|needs no|waits for nobody", said)
        if opened.decides:
            assert "game is over" not in opened.mail["Subject"]
            assert "`pbem form -o orders-" in opened.part("text/plain")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_mail_is_small_and_its_parts_open_alone(scenario: str) -> None:
    for opened in game(scenario):
        assert len(opened.raw) <= SMALL
        assert b"<svg" not in opened.raw
        html = opened.part("text/html")
        assert "<style" not in html
        above = opened.part("text/plain").partition("-----BEGIN")[0]
        assert above.isascii()
        assert max(map(len, above.splitlines())) <= WIDTH
        assert "`" not in html.partition("<pre")[0], "what is typed is code"
        titles = re.findall(r"<strong>([^<]*)</strong><br>\s*<img", html)
        assert all(html.count(title) == 1 for title in titles), "with pictures blocked it is read once"
        for way in (html_alone, html_reply, html_as_text):
            assert blocks_of(read(way(html))) == [opened.turn.block], way.__name__


def html_alone(html: str) -> bytes:
    message = EmailMessage()
    message["From"] = "ben@example.net"
    message.set_content(html, "html")
    return message.as_bytes()


def html_reply(html: str) -> bytes:
    """As web mail programs answer: the page without its head in a quotation, what was typed above it."""
    body = html[html.index("<p>Hello") : html.index("</body>")]
    quoted = f'<div class="quote">On Saturday asuka wrote:<br><blockquote>{body}</blockquote></div>'
    return html_alone(f'<html><body><div dir="ltr">thanks!</div><br>{quoted}</body></html>')


def html_as_text(html: str) -> bytes:
    """As a program for plain text answers: the words of the page, each line marked."""
    body = re.sub(r"<br>|</?p>|</?h3>|</?li>|</?ul>", "\n", html[html.index("<p>Hello") :])
    words = re.sub(r"<[^<>]*>", "", body).replace("&lt;", "<").replace("&#39;", "'").replace("&amp;", "&")
    message = EmailMessage()
    message["From"] = "ben@example.net"
    message.set_content("thanks!\n\n" + "".join(f"> {line}\n" for line in words.splitlines()))
    return message.as_bytes()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_page_alone_opens_whatever_program_shows_it_and_sends_it_on(scenario: str) -> None:
    """What a person sees of it, typed or pasted into each program; and the page through each gateway."""
    for opened in game(scenario)[3:12:4]:
        page = html_alone(opened.part("text/html"))
        for gateway in GATEWAYS:
            assert blocks_of(read(gateway(page))) == [opened.turn.block], gateway.__name__
        for program in DAMAGES:
            assert blocks_of(read(program(narrowed(shown(page), program)))) == [opened.turn.block], program.__name__


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_mails_answer_each_other_and_say_what_they_are_about(scenario: str) -> None:
    title = scenario_of(scenario).title.removeprefix("The Battle of ")
    kind = "(?!displace|setup)[a-z-]+(?: [a-z]+)*?"
    for opened in game(scenario):
        entry, mail = opened.turn.entry, opened.mail
        about = rf"{title}, turn \d+: (your {kind}( or {kind})?|the game is over) \({entry.by}, entry {entry.seq}\)"
        assert re.fullmatch(about, mail["Subject"]), mail["Subject"]
        assert f"turn {opened.then}:" in mail["Subject"] or not opened.decides, "the turn in which it is answered"
        assert (mail["In-Reply-To"] or "") == (mail["References"] or "") == opened.before
        assert mail["X-Unsent"] == "1"


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_reveal_is_one_screen_but_for_what_its_dice_brought(scenario: str) -> None:
    reveals = [opened for opened in game(scenario) if opened.turn.entry.kind == "reveal"]
    assert reveals
    for opened in reveals:
        text = opened.part("text/plain").replace("\r", "").partition("-----BEGIN")[0]
        news = "\n".join(re.findall(r"^  \S.*\n(?:    .*\n)*", text.partition("HOW TO")[0], re.MULTILINE))
        events = re.split(r"\n(?=  \S)", news) if news else []
        if text.count("\n") > SCREEN_LINES + 1:
            assert "told in short: `pbem open` tells all." in one_line(text)
            assert all(re.search(r"\[[a-z]+(?:\s+of\s+[\w-]+)?:[0-9 \n]+\]", event) for event in events), events
        assert text.count("\n") <= SCREEN_LINES + 1 + news.count("\n")
        assert len(opened.raw) < 10_000 + 2 * len(news), "in both parts"


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_reveal_tells_all_its_dice(scenario: str) -> None:
    """What it leaves out are moves; of a fight in many parts it tells each one's dice."""
    mails = game(scenario)
    for opened in mails:
        if opened.turn.entry.kind == "reveal":
            text = one_line(opened.part("text/plain"))
            assert opened.dice <= rolled_in(text), opened.turn.entry.seq


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_the_reader_ordered_himself_is_no_news_and_what_waits_is_told_as_an_order(scenario: str) -> None:
    listed = 0
    for opened in game(scenario):
        text = opened.part("text/plain")
        words = [line for line in opened.turn.payload.decode().splitlines() if re.match("fire|melee", line)]
        numbered = re.findall(r"^  Order (\d+)\. ", text, re.MULTILINE)
        assert numbered == [str(n) for n in range(1, len(numbered) + 1)]
        if words and opened.turn.entry.kind == "orders":
            assert len(numbered) >= len(words)
            assert f"Orders of {opened.turn.entry.by} (" in text
            assert re.search(r" %[.,;]", text), "the odds stand behind them"
            listed += len(words)
    assert listed > 10


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_fight_has_one_number_in_the_game_for_both_players_and_their_pictures(scenario: str) -> None:
    told: dict[int, str] = {}
    for opened in game(scenario):
        page = opened.part("text/html")
        here = {}
        for numbers, words in re.findall(r"<li>Fight ([\d and]+)\. ([^<]*)", page):
            for number in numbers.split(" and "):
                here[int(number)] = re.sub(r" \([^)]*\)|,.*|:.*", "", words)[:30]
        if opened.turn.entry.kind != "reveal":  # which tells in short
            assert all(words == told.setdefault(number, words) for number, words in here.items())
        drawn = [
            int(n)
            for title in re.findall(r"<strong>(?:Part \d+, f|F)ights? ([\d, and to]+)", page)
            for n in re.findall(r"\d+", title)
        ]
        assert set(drawn) <= here.keys(), "the text tells what the pictures show"
    assert max(told) > 10


def test_the_same_log_has_the_same_futures_and_they_change_nothing() -> None:
    match = Match(scenario_of("toba-fushimi"), 4)
    whims = random.Random(1)
    while True:
        what, name = match.due()
        assert name is not None
        match.play("" if what in BARE else bold(match.table, name, whims))
        ahead = foreseen(match.table)
        if ahead.dice:
            break
    author, reader = match.table.newest[1], match.genesis.other(match.table.newest[1]).name
    shown = f"The dice of entry {match.table.seq} are not yet in the log: {reader}'s next entry shows them; in "
    for me in (None, author):
        assert "orders are asked of" not in asked_words(match.table, ahead, me), "that entry brings them"
        assert asked_words(match.table, ahead, me).startswith(shown), "whether he has opened it or not"
    assert asked_words(match.table, ahead, reader, "you", "this mail").startswith("The dice fall when you open this")
    before = match.table.dump()
    assert foreseen(match.table) == ahead
    assert match.table.dump() == before
    assert sum(times for _, times in ahead.futures) == FUTURES
    assert foreseen(match.table, 5).futures != ()
    assert ahead.player == match.genesis.other(match.table.newest[1]).name


def test_many_cases_of_one_kind_are_told_as_one() -> None:
    """Ten retreats of three units, each by its number of hexes, took twenty lines."""
    table = Match(scenario_of("toba-fushimi"), 4).table
    asked = [(Asked("react", "ben", "retreat", f"retreat sa-0{n} by 1 hex."), 2) for n in range(1, 4)]
    few = Foreseen("ben", True, ((Asked("orders", "asuka", "move", "move a unit."), 14), *asked))
    told = asked_words(table, few, "ben", "you", "this mail")
    assert told.count("an answer is asked of you (retreat): retreat sa-0") == 3
    many = few._replace(futures=(*few.futures, (Asked("react", "ben", "retreat", "retreat sa-04 by 1 hex."), 1)))
    assert asked_words(table, many, "ben", "you", "this mail") == (
        "The dice fall when you open this mail; then, in 14 of 21 futures played out, orders are asked of asuka "
        "(move); in 7, an answer is asked of you (retreat)."
    )


def melee_at(number: int = 4) -> tuple[Match, str]:
    """A game at a melee of somebody that has orders, and who it is."""
    match = Match(scenario_of("toba-fushimi"), number)
    whims = random.Random(2)
    while True:
        what, name = match.due()
        assert name is not None
        text = "" if what in BARE else bold(match.table, name, whims)
        if text.startswith("melee"):
            return match, name
        match.play(text)


def test_a_reveal_behind_many_lapses_is_cut_to_a_screen_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One fight and four thousand orders that lapse made the text of the bare reveal four thousand times over: minutes
    in which the home of who had to reveal was locked."""
    match, _ = melee_at()
    request = match.table.game.request
    assert isinstance(request, Choose)
    fight = " ".join(match.table.rules.order_words(match.table.board, next(iter(request.options()))))
    match.play(f"{fight};\n" * 200)
    what, name = match.due()
    assert what == "reveal"
    match.play()
    data = mail_data(match.table, scenario_of("toba-fushimi"), match.genesis.other(str(name)).name)
    assert sum(len(group["actions"]) for group in data["news"]) >= 200
    made: list[str] = []
    monkeypatch.setattr(pbem.report.mail, "mail_text", lambda *a, **k: (made.append(mail_text(*a, **k)), made[-1])[1])
    text = next(versions(data, (), "")).text
    assert text.count("\n") <= SCREEN_LINES
    assert " attacked " in text, "the fight with its dice comes before all else"
    assert "199 other events left out here" in one_line(text)
    assert len(made) <= SCREEN_LINES + 2


def test_an_order_under_a_condition_tells_it_and_one_that_isn_t_legal_now_has_no_odds() -> None:
    match, name = melee_at()
    request = match.table.game.request
    assert isinstance(request, Choose)
    orders = [" ".join(match.table.rules.order_words(match.table.board, o)) for o in request.options()]
    target = orders[0].split()[3]
    other = next((o for o in orders if o.split()[1] != orders[0].split()[1]), orders[-1])
    far = next(u for u in match.table.game.state.at if f" {u}" not in " ".join(orders) and u[:2] == target[:2])
    text = f"{orders[0]};\nif gone {target} then {other};\n{orders[0].split()[0]} {orders[0].split()[1]} at {far};\n"
    match.play(text + "stop if not empty 0106;\ndone;\n")
    reader = match.genesis.other(name).name
    data = mail_data(match.table, scenario_of("toba-fushimi"), reader)
    (side,) = data["orders"]
    first, second, third, stop, end = side["items"]
    assert [item["number"] for item in side["items"]] == [1, 2, 3, 0, 0]
    assert "attacks" in first["told"]
    assert "%" in first["odds"]
    assert second["told"].startswith("If ")
    assert "is gone: " in second["told"]
    assert third["odds"].startswith("carried out in none of 100 futures played out ("), "nobody reaches him"
    assert "is not empty: the rest is dropped" in stop["told"]
    assert end["told"] == "Then the phase ends."
    assert not any(action["order"] for group in data["news"][-1:] for action in group["actions"]), "it is no news"


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ("if gone {there} then ", "(`gone {there}` doesn't hold when its turn comes)"),
        ("stop if not gone {there};\n", "(it is dropped, as the stop `not gone {there}` holds before it)"),
    ],
)
def test_a_mail_says_why_an_order_is_carried_out_in_no_future(before: str, why: str) -> None:
    """That a condition doesn't hold `check` said, and the mail nothing."""
    match, name = melee_at()
    request = match.table.game.request
    assert isinstance(request, Choose)
    orders = [" ".join(match.table.rules.order_words(match.table.board, o)) for o in request.options()]
    other = next(o for o in orders if o.split()[1] != orders[0].split()[1])
    s = match.table.game.state
    there = next(unit for unit in s.at if f" {unit}" not in " ".join(orders))
    match.play(f"{orders[0]};\n{before.format(there=there)}{other};\n")
    data = mail_data(match.table, scenario_of("toba-fushimi"), match.genesis.other(name).name)
    (side,) = data["orders"]
    odds = [item["odds"] for item in side["items"] if item["number"] == 2]
    assert odds == [f"carried out in none of 100 futures played out {why.format(there=there)}"]


MIZUNO = "Mizuno riflemen 3 (mi-06) in hex 2127"
GOTO = "Goto riflemen 4 (go-07) in hex 2223"
DENSHUTAI = "Denshutai, 1st Battalion (sg-02)"
GUARD = "Imperial Guard 1st Regiment, I (go-01)"
COMPANY = "1st Battalion, company 1 (sg-01)"

IN_WORDS = {
    ("toba-fushimi", "enter sg-29 march 0107 0207"): (
        "Hamada Domain (sg-29) enters the map and marches by road to hex 0207"
    ),
    ("toba-fushimi", "recover sg-02"): f"{DENSHUTAI} tries to recover",
    ("tabaruzaka", "recover go-01 by none"): f"{GUARD} tries to recover, without a commander",
    ("tabaruzaka", "recover go-01 by gc-01"): f"{GUARD} tries to recover, commanded by Nozu Shizuo (gc-01)",
    ("tabaruzaka", "fire go-01 at sg-01 by none"): f"{GUARD} fires at {COMPANY}, without a commander",
    ("tabaruzaka", "melee go-01 at sg-01 by none advance"): (
        f"{GUARD} attacks {COMPANY} in melee, without a commander, and follows into the hex if it becomes empty"
    ),
    ("domyoji", "enter da-24 1234 1233"): (
        "Date foot 4 (da-24) enters the map at Sekiya road (1234) and moves one hex west to Tajiri, 1233"
    ),
    ("domyoji", "move mi-06 2126"): "Mizuno riflemen 3 (mi-06) moves from hex 2127 one hex west to 2126",
    ("domyoji", "move mi-06 2126 off"): f"{MIZUNO}: move 2126 off",
    ("domyoji", "fire mi-06 at go-07 hold"): f"{MIZUNO} fires at {GOTO}; nobody follows",
    ("domyoji", "melee mi-06 at go-07 with mi-05 or fewer advance mi-05 2223"): (
        f"{MIZUNO}, together with Mizuno riflemen 2 (mi-05) or fewer, attacks {GOTO} hand-to-hand; "
        "to advance, if the hex becomes empty: Mizuno riflemen 2 by 2223"
    ),
    ("domyoji", "beside goto 1234"): "beside goto 1234",
}


@pytest.mark.parametrize(("scenario", "order"), IN_WORDS)
def test_an_order_in_words(scenario: str, order: str) -> None:
    table = Match(scenario_of(scenario), 3).table
    teller = Teller(clean(table.rules.situation(table.game.state)), direction_of(table), None)
    assert teller.order(tuple(order.split())) == IN_WORDS[scenario, order]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("gone sg-02", DENSHUTAI + " is {}gone"),
        ("at sg-02 1810", DENSHUTAI + " is {}at Akaike (1810)"),
        ("empty 1812", "hex 1812 is {}empty"),
        ("held 1810 satcho", "Akaike (1810) is {}held by Satsuma-Choshu"),
        ("is sg-02 disordered", DENSHUTAI + " is {}disordered"),
    ],
)
def test_a_condition_in_words(words: str, told: str) -> None:
    table = Match(scenario_of("toba-fushimi"), 3).table
    for expected in (True, False):
        teller = Teller(clean(table.rules.situation(table.game.state)), direction_of(table), None)
        assert teller.condition(tuple(words.split()), expected) == told.format("" if expected else "not ")


def test_the_odds_of_a_mail_are_those_of_the_form() -> None:
    match, _ = melee_at()
    rules, game_ = match.table.rules, match.table.game
    assert isinstance(game_.request, Choose)
    told = 0
    for entry in rules.form(game_.state, game_.request):
        for words, note in entry.orders:
            order = rules.read_order(match.table.board, game_.request.side, words)
            odds = rules.tell_odds(game_.state, game_.request.side, order)
            assert odds == (note if "%" in note else "")
            told += bool(odds)
    assert told


def test_no_line_of_a_page_breaks_between_a_number_and_its_per_cent() -> None:
    match, name = melee_at()
    request = match.table.game.request
    assert isinstance(request, Choose)
    match.play(f"{' '.join(match.table.rules.order_words(match.table.board, next(iter(request.options()))))};")
    data = mail_data(match.table, scenario_of("toba-fushimi"), match.genesis.other(name).name)
    assert " %" in data["orders"][0]["items"][0]["odds"]
    page = mail_html(data, (), "say 5 % of it;\n")
    assert re.search("[0-9]\N{NO-BREAK SPACE}%", page)
    assert [line for line in page.splitlines() if " %" in line] == ["say 5 % of it;"], "what is signed stays as it is"


@pytest.mark.parametrize("nothing", [True, False])
def test_of_a_phase_that_is_only_ended_it_is_said_that_nothing_was_done(nothing: bool) -> None:
    match, name = melee_at()
    request = match.table.game.request
    assert isinstance(request, Choose)
    fight = " ".join(match.table.rules.order_words(match.table.board, next(iter(request.options()))))
    other, ended = match.genesis.other(name).name, f"{match.genesis.player(name).side}-melee"
    match.play("done;" if nothing else f"{fight}; done;")
    while match.table.reveal_due is not None and match.due()[0] in BARE:
        match.play("")
    report = report_data(match.table, scenario_of("toba-fushimi"), other)
    (told,) = ([item["told"] for action in group["actions"] for item in action["items"]]
               for group in report["news"] if group["phase"] == ended)  # fmt: skip
    assert (told == ["Nothing was done."]) == nothing, told
    assert told[-1].endswith("ended the phase.") != nothing


def at_one_target(reactions: str = "standing") -> tuple[Match, str, list[str]]:
    """A game with orders of fire, who gives them, and two at one target by different units, then one at another."""
    match, whims = Match(scenario_of("toba-fushimi"), 4, reactions=reactions), random.Random(4)
    while True:
        what, name = match.due()
        assert name is not None
        text = "" if what in BARE else bold(match.table, name, whims)
        request = match.table.game.request
        if text.startswith("fire") and isinstance(request, Choose):
            fires = [match.table.rules.order_words(match.table.board, o) for o in request.options()]
            plain = [words for words in fires if len(words) == 4]
            both = [(a, b) for a in plain for b in plain if a[1] != b[1] and a[3] == b[3]]
            far = [c for a, b in both[:1] for c in plain if c[1] not in (a[1], b[1]) and c[3] != a[3]]
            if far:
                return match, name, [" ".join(words) for words in (*both[0], far[-1])]
        match.play(text)


def test_of_an_order_behind_dice_the_mail_and_the_check_tell_what_it_came_to_in_the_futures() -> None:
    match, name, (first, second, far) = at_one_target()
    text = f"{first};\n{second};\n{far};\n"
    found = check(match.table, name, text)
    checked = {" ".join(words): came_words(came) for _, words, came in found.comes}
    ((_, _, one), (_, _, other)) = check(match.table, name, f"{first};\nif is {first[-5:]} normal then {far};\n").comes
    assert (one.carried, one.odds) == (100, checked[first].partition("; ")[0])
    assert 0 < other.carried < 100
    alone = {words: check(match.table, name, f"{words};").comes[0][2].odds for words in (first, second, far)}
    match.play(text)
    data = mail_data(match.table, scenario_of("toba-fushimi"), match.genesis.other(name).name)
    told = [item["odds"] for item in data["orders"][0]["items"]]
    for number, words, why in ((0, first, "nothing comes before it"), (2, far, "nothing before it changes its odds")):
        exact, _, went = checked[words].partition("; ")
        assert told[number] == checked[words], "the same futures, before it is signed and after"
        assert exact == alone[words], why
        assert went.startswith("of 100 futures played out: ") == ("retreats" in exact)
    assert told[1] == checked[second], "the same futures, before it is signed and after"
    assert "give or take about 10 of 100" in mail_text(data).replace("\n", " ")
    items, asked = data["orders"][0]["items"][::2], foreseen(match.table, plans=True)
    alike = [{"items": [{**item, "odds": item["odds"].partition("; ")[0]} for item in items]}]
    assert ("give or take" in sampled(asked, alike)) == (len(asked.futures) > 1), "exact odds, and who is asked what"
    assert sampled(asked._replace(futures=asked.futures[:1]), alike) == ""
    assert "give or take" in sampled(asked._replace(futures=asked.futures[:1]), data["orders"])
    for odds in (told[1], checked[second]):
        counted = re.fullmatch(r"carried out in (\d+) of 100 futures played out, there .+: ([^;:]*)(?:; .*)?", odds)
        assert counted is not None
        shares = {word: int(times) for word, _, times in (one.rpartition(" in ") for one in counted[2].split(", "))}
        assert sum(shares.values()) == int(counted[1]) < 100
        assert shares["removed"] > 0, "of one that is disordered already, which it isn't before the dice"
    assert "removed" not in alone[second]


def test_where_each_question_is_asked_the_mail_tells_of_the_first_order_what_check_tells() -> None:
    match, name, (first, *_) = at_one_target(reactions="ask")
    checked = came_words(check(match.table, name, f"{first};\n").comes[0][2])
    match.play(f"{first};\n")
    data = mail_data(match.table, scenario_of("toba-fushimi"), match.genesis.other(name).name)
    assert [item["odds"] for item in data["orders"][0]["items"]] == [checked]
    assert " retreats to " in checked, "as the rules would choose"
    assert ANSWERS in sampled(foreseen(match.table), data["orders"]).lower()
    assert data["asked"].count("an answer is asked of you (retreat)") == 1, "what is asked is what comes first"


def test_where_the_other_player_shows_the_dice_in_all_futures_his_mail_is_told_once() -> None:
    match, name = melee_at()
    request, reader = match.table.game.request, match.genesis.other(name).name
    assert isinstance(request, Choose)
    match.play(f"{' '.join(match.table.rules.order_words(match.table.board, next(iter(request.options()))))};")
    ahead = Foreseen(reader, True, ((Asked("reveal", reader, rolled=True), 100),))
    assert asked_words(match.table, ahead, name) == (
        f"The dice of entry {match.table.seq} are not yet in the log: {reader}'s next entry, without orders in all of "
        "100 futures played out, shows them."
    )
    assert asked_words(match.table, ahead, reader, "you").startswith("The dice fall when you open"), (
        "it is another mail"
    )


def test_set_ups_are_told_in_one_line_a_formation() -> None:
    match, whims = Match(scenario_of("toba-fushimi"), 4), random.Random(4)
    text = ""
    while not text.startswith("setup"):
        what, name = match.due()
        assert name is not None
        text = "" if what in BARE else bold(match.table, name, whims)
        match.play(text)
    data = mail_data(match.table, scenario_of("toba-fushimi"), match.genesis.other(name).name)
    told = [item["told"] for group in data["news"] for action in group["actions"] for item in action["items"]]
    setups = [line for line in told if ", set up: " in line]
    assert setups
    assert len({line.partition(": ")[0] for line in setups}) == len(setups)
    assert not any("was set up" in line or "set up at" in line for line in told)


def test_pictures_stand_beside_the_page_and_are_left_out_where_there_is_no_room() -> None:
    match, name = melee_at()
    block = match.play("done;\n")
    data = mail_data(match.table, scenario_of("toba-fushimi"), match.genesis.other(name).name)
    png = b"\x89PNG\r\n\x1a\n" + bytes(20_000)
    drawn = [(f"crop-{number}", f"Fight {number}", png) for number in range(6)]
    found = list(versions(data, drawn, Turn.of(block).text))
    assert [len(version.pictures) for version in found[:5]] == [6, 4, 2, 1, 0]
    assert found[0].html is not None
    heads = [f'<strong>Fight {n}</strong><br>\n<img src="cid:crop-{n}" alt=""' for n in range(6)]
    assert all(head in found[0].html for head in heads), "not in a light picture, and read once"
    shown = ": `pbem open` makes a page that shows more."
    many = "pictures are"
    left = [f"Two more {many}", f"Four more {many}", f"Five more {many}", f"Six {many}", f"Six {many}"]
    assert "left out" not in found[0].text
    for version, words in zip(found[1:], left, strict=False):
        assert f"{words} left out for want of room{shown}" in one_line(version.text)
    (known, *_) = versions(data, drawn[:2], Turn.of(block).text, left=1)
    assert f"One more picture is left out for want of room{shown}" in one_line(known.text)
    raw = compose(
        sender="a@example.org", to="b@example.net", subject="x", text=found[2].text, html=found[2].html,
        block=Turn.of(block).text, in_reply_to="<a@b>", date="Sat, 21 Nov 2026 10:00:00 +0000",
        message_id="<turn-14@example.org>", attachment_name="a.turn",
        pictures=[(n, data) for n, _, data in found[2].pictures],
    )  # fmt: skip
    assert len(raw) <= SMALL
    assert blocks_of(read(raw)) == [block]
    message = email.message_from_bytes(raw, policy=email.policy.default)
    images = [part for part in message.walk() if part.get_content_type() == "image/png"]
    assert [part["Content-ID"] for part in images] == ["<crop-0>", "<crop-1>"]
    assert all(part.get_payload(decode=True) == png for part in images)
    related = next(part for part in message.walk() if part.get_content_type() == "multipart/related")
    assert [part.get_content_type() for part in related.iter_parts()] == ["text/html", "image/png", "image/png"]


def test_a_note_stands_before_all_else() -> None:
    match, name = melee_at()
    match.play("done;\n")
    reader = match.genesis.other(name).name
    data = mail_data(match.table, scenario_of("toba-fushimi"), reader, "Well met. <b>&")
    text = mail_text(data)
    assert "Well met. <b>&" in text
    assert text.index("Well met") < text.index("HOW TO ANSWER")
    (whole, *_) = versions(data, (), "")
    assert "Well met. &lt;b&gt;&amp;" in (whole.html or "")
