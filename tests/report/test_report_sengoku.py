"""What reports say of campaigns of the age of wars: sentences of all events, headlines, forces and castles in words."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from golden import ROOT, golden
from matches import Match, scenario_of

from pbem import strictyaml
from pbem.cli.turns import PICTURES_MAX
from pbem.match.check import check
from pbem.match.form import form
from pbem.picture.scene import MOST, crops
from pbem.report import build as report
from pbem.report.asked import Asked, Foreseen, asked_words
from pbem.report.brief import brief
from pbem.report.build import Part
from pbem.report.fitting import Limits, cut
from pbem.report.forces import forces_told, strongholds_told
from pbem.report.headlines import headlined, roll_of
from pbem.report.mail import mail_data, mail_text, subject, versions
from pbem.report.source import crop_files, pictures, report_data
from pbem.report.telling import Teller
from pbem.resources import data_folder
from pbem.rules.requests import Outcome
from pbem.rules.sengoku.scenario import board
from pbem.rules.sengoku.situation import GOOD, situation
from pbem.rules.sengoku.state import State, copy, start
from pbem.rules.sengoku.wording import CLOSING, USAGE
from pbem.wire.turn import Turn

from .test_report import loose, validator

DATA = data_folder("scenarios") / "sengoku"
BROKEN = r"\bNone\b|\bTrue\b|\bFalse\b|[{}\[\]<>]|  | ,| \.|\.\."


def read(name: str) -> Any:
    return strictyaml.load((DATA / name).read_bytes(), name)


@pytest.fixture(scope="module")
def s() -> State:
    """A state with Gifu under siege, Hideyoshi at Himeji with many, and Kitanosho full."""
    armies = {name: read(f"armies/{name}.yaml") for name in ("hashiba", "anti-hashiba")}
    given = {"scenario": read("shizugatake.yaml"), "maps": {"kinai": read("maps/kinai.yaml")}, "armies": armies}
    s = start(board({**given, "tables": read("tables.yaml")}), {})
    places = {
        "hb-01 hb-02 hb-04": "1623", **{f"hb-{n:02}": "1623" for n in range(5, 15)}, "hb-35 hb-36": "5313",
        "kb-01 kb-03": "5313", "kb-02": "5414",
    }  # fmt: skip
    for units, at in places.items():
        s.form(tuple(units.split()), s.board.parse(at))
    s.shut("kb-01")
    s.besiege("hb-35")
    s.set_morale("hb-35", -1)
    s.reduced.add("hb-36")
    s.durability["gifu"] = 6
    return s


@pytest.fixture(scope="module")
def teller(s: State) -> Teller:
    return Teller(situation(s))


# --- brief -----------------------------------------------------------------------------------------------------------


def test_the_brief_tells_ranks_and_boxes_of_who_may_lead_others() -> None:
    told = brief(scenario_of("shizugatake"), "ascii")
    assert "behind a name what he is who may lead others." in " ".join(told.split())
    assert "    sb-01 2-3-4 4301   Shibata Katsuie, commander-in-chief with 10 boxes\n" in told
    assert "    kb-02 2-0-2 5313   Saito Toshitaka, general with 4 boxes\n" in told
    assert "    sb-04 2-0-2 4301   Fuwa Katsumitsu\n" in told
    assert "    tk-01 2-3-4 castle Takigawa Kazumasu, general with 10 boxes\n" in told
    assert re.search("\n    mr-05 [-0-9]+ R      [A-Z]", told)
    assert "lead others" not in brief(scenario_of("yao"))


def test_the_brief_tells_the_castles_by_army_with_level_durability_and_who_begins_there() -> None:
    told = " ".join(brief(scenario_of("shizugatake"), "ascii").split())
    told = told.partition("CASTLES AT THE BEGINNING ")[2].partition(" ORDER OF BATTLE")[0]
    assert told.startswith(
        "Anti-Hashiba side Kanamori, 1 Ono (4802), level 1, durability 10 Kobe, 2 Gifu (5313), level 4, "
    )
    assert (
        "Kitanosho (4301), level 4, durability 10; 28 units begin there, sb-01 to sb-24, md-01 to md-03 and kn-01"
        in told
    )
    assert "Hashiba, 16 Himeji (1623), level 3, durability 10; 30 units begin there, hb-01 to hb-30 Tottori" in told
    assert told.count("durability 10") == len(scenario_of("shizugatake").data["scenario"]["castles"])
    assert "CASTLES" not in brief(scenario_of("yao"))


# --- sentences -------------------------------------------------------------------------------------------------------


def test_the_templates_have_every_event_of_the_rules() -> None:
    folders = (ROOT / "pbem" / "rules" / "sengoku", ROOT / "pbem" / "rules" / "kit")
    code = "".join(path.read_text("utf-8") for folder in folders for path in folder.glob("*.py"))
    events = {what.replace("-", "_") for what in re.findall(r'Tell\(\s*"([\w-]+)"', code)}
    template = (ROOT / "templates" / "sengoku" / "events.j2").read_text("utf-8")
    assert set(re.findall(r"macro tell_(\w+)", template)) == events


def test_sentences_are_the_golden_ones(teller: Teller) -> None:
    """Events with their sentences and headlines in tests/report/sengoku.json; `PBEM_REGENERATE=1` makes them anew."""
    path = ROOT / "tests" / "report" / "sengoku.json"
    made = []
    for case in json.loads(path.read_text(encoding="ascii")):
        teller.names.forget()
        told, known = teller.tell({"kind": "tell", "what": case["what"], "facts": case["facts"]})
        teller.names.forget()
        head = teller.head({**case, "known": known})
        assert known, case
        assert told[-1] == ".", told
        assert not re.search(BROKEN, f"{told} {head or told}"), (told, head)
        made.append({"what": case["what"], "facts": case["facts"], "told": told, "head": head})
    golden(path, json.dumps(made, indent=1) + "\n")
    template = (ROOT / "templates" / "sengoku" / "events.j2").read_text("utf-8")
    assert {case["what"].replace("-", "_") for case in made} == set(re.findall(r"macro tell_(\w+)", template))


@pytest.mark.parametrize(
    ("result", "told", "head"),
    [
        ("castle-morale-1", "the morale of the castle falls", "the morale of the castle fell"),
        ("traitor-1", "treason in a castle with nobody inside, one point of durability lost", ""),
        ("traitor-2", "treason in a castle with nobody inside, two points of durability lost", ""),
        ("durability-1", "one point of durability lost", ""),
    ],
)
def test_of_a_castle_with_nobody_inside_no_incident_is_told_inside(
    teller: Teller, result: str, told: str, head: str
) -> None:
    facts = {"at": "5313", "side": "anti-hashiba", "die": 3, "morale": 0, "result": result, "empty": True}
    step = {"kind": "tell", "what": "incident", "facts": facts}
    assert teller.tell(step) == (f"The incident at Gifu (5313): die 3, {told}.", True)
    assert (teller.head({**step, "known": True}) or "") == head


def test_an_offer_that_is_answered_behind_a_fight_is_told_by_itself(teller: Teller) -> None:
    """It stood at the end of the fight's line, the castle's change of hands with it."""
    phase = {"seq": 3, "turn": 1, "phase": "hashiba-stage-1"}
    fight = {"unit": "hb-35", "target": "kb-02", "from": "5313", "at": "5414", "strength": 4, "die": 1, "result": 0}
    events = [
        ("attack-result", {**fight, "marked": False}), ("offered", {"at": "5313", "step": "accept", "units": []}),
        ("answer", {"at": "5313", "accepted": True}),
        ("march-out", {"unit": "kb-01", "at": "5313", "goal": "5414", "shut_in": False}),
    ]  # fmt: skip
    steps = [{**phase, "kind": "tell", "what": what, "clause": "20-4", "facts": facts} for what, facts in events]
    order = {**phase, "kind": "order", "side": "hashiba", "words": ["attack", "hb-35", "at", "kb-02"]}
    teller.names.forget()
    told = "Hori Hidemasa (hb-35) inflicted no loss on Saito Toshitaka (kb-02)."
    assert report.headline([order, *steps[:1]], teller) == told
    teller.names.forget()
    attack = {
        **steps[0],
        "what": "attack",
        "facts": {"unit": "hb-35", "targets": ["kb-02"], "from": "5313", "at": "5414"},
    }
    assert report.headline([order, attack, *steps[:1]], teller) == (
        "Hori Hidemasa (hb-35) attacked Saito Toshitaka (kb-02) in hex 5414 and inflicted no loss."
    )
    teller.names.forget()
    assert report.headline([order, *steps], teller) == (
        f"{told} The besieger of Gifu (5313) accepted the offer; Kobe Nobutaka (kb-01) marched out to hex 5414."
    )


@pytest.mark.parametrize(
    ("lost", "harm", "told"),
    [
        (0, 0, "assaulted Gifu (5313) without loss and did the castle no harm."),
        (1, 0, "assaulted Gifu (5313), lost a step and did the castle no harm."),
        (1, 1, "assaulted Gifu (5313) and lost a step; Gifu (5313) lost one point of durability and has 5 left."),
    ],
)
def test_an_assault_is_told_with_its_result_and_each_loss_once(teller: Teller, lost: int, harm: int, told: str) -> None:
    """`assaulted Gifu at the cost of one step and lost a step`, and nothing of what it did to the castle."""
    facts = {"unit": "hb-35", "at": "5313", "strength": 3, "die": 2, "marked": False}
    events: list[tuple[str, dict[str, Any]]] = [
        ("interception", {**facts, "result": lost}),
        *[("step", {"unit": "hb-35", "at": "5313"})] * lost,
        ("assault", {**facts, "level": -4, "result": harm}),
        *[("damaged", {"at": "5313", "by": 1, "durability": 5})] * harm,
    ]
    phase = {"seq": 3, "turn": 1, "phase": "hashiba-stage-1", "kind": "tell", "clause": "19"}
    teller.names.forget()
    steps = [{**phase, "what": what, "facts": facts} for what, facts in events]
    assert report.headline(steps, teller) == f"Hori Hidemasa (hb-35) {told}"


def test_who_gives_up_a_siege_that_others_go_on_with_is_told_in_words(teller: Teller) -> None:
    """`The Hashiba side ordered: lift hb-35` stood there as it is written in an order file."""
    teller.names.forget()
    step = {"kind": "order", "side": "hashiba", "words": ["lift", "hb-35"]}
    told, known = teller.tell(step)
    assert told == "Hori Hidemasa (hb-35) gave up the siege; the other besiegers go on with it."
    assert known
    assert teller.tell({**step, "words": ["done"]})[0] == "The Hashiba side ended the phase."


def test_a_retreat_over_several_hexes_is_told_once(teller: Teller) -> None:
    """`went back to hex 5318 and went back to Tsushima (5217) and fell to morale minus 2`."""
    phase = {"seq": 3, "turn": 1, "phase": "hashiba-stage-1", "kind": "tell", "clause": "23-4-2"}
    events: list[tuple[str, dict[str, Any]]] = [
        ("retreat", {"unit": "hb-35", "from": "5313", "to": "5318"}),
        ("retreat", {"unit": "hb-35", "from": "5318", "to": "5217"}),
        ("shaken", {"unit": "hb-35", "by": 1, "morale": -2}),
    ]
    steps = [{**phase, "what": what, "facts": facts} for what, facts in events]
    teller.names.forget()
    told = report.headline(steps, teller)
    assert told == "Hori Hidemasa (hb-35) went back to Tsushima (5217) and fell to morale minus 2."
    teller.names.forget()
    other = [steps[0], {**steps[1], "facts": {**events[1][1], "unit": "kb-02"}}]
    assert report.headline(other, teller).count("went back") == 2


@pytest.mark.parametrize(
    ("what", "facts", "head"),
    [
        ("declined", {"target": "kb-01"}, "Kobe Nobutaka (kb-01) declined battle with Hori Hidemasa (hb-35)"),
        ("fall", {}, "Gifu (5313) fell to Hori Hidemasa (hb-35)"),
    ],
)
def test_what_begins_with_another_name_goes_on_with_its_own(
    teller: Teller, what: str, facts: dict[str, Any], head: str
) -> None:
    """`Hashiba Hideyoshi declined battle with Shibata Katsuie and attacked Hori Hidemasa`: Katsuie did."""
    phase = {"seq": 3, "turn": 1, "phase": "hashiba-stage-1", "kind": "tell", "clause": "24-1-8"}
    attack = {"unit": "hb-35", "targets": ["kb-02"], "from": "5313", "at": "5414"}
    events = [
        (what, {**facts, "unit": "hb-35", "at": "5313"}),
        ("attack", attack),
        ("shaken", {"unit": "hb-35", "by": 1, "morale": -1}),
    ]
    steps = [{**phase, "what": what, "facts": facts} for what, facts in events]
    teller.names.forget()
    assert report.headline(steps, teller) == (
        f"{head}; Hori Hidemasa attacked Saito Toshitaka (kb-02) in hex 5414 and fell to morale minus 1."
    )


def test_the_rounds_of_a_battle_are_told_one_by_one(teller: Teller) -> None:
    """A battle was one sentence of 17 lines, own losses and the enemy's mixed."""

    def item(what: str, **facts: Any) -> dict[str, Any]:
        told, known = teller.tell({"kind": "tell", "what": what, "facts": facts})
        rest = {"clause": "24-2", "fight": None, "rolls": [], "chances": []}
        return {"kind": "tell", "what": what, "facts": facts, "told": told, "known": known, **rest}

    def fought(number: int, unit: str, target: str, result: int) -> dict[str, Any]:
        facts = {"unit": unit, "target": target, "round": number, "strength": 4, "die": 3, "result": result}
        return item("battle-result", **facts, skill=0, morale=0, marked=False)

    items = [
        item("battle", unit="hb-35", target="kb-01", at="5414", targets=["kb-01"], **{"from": "5313", "with": []}),
        fought(1, "hb-35", "kb-01", 2), fought(1, "kb-01", "hb-35", 2),
        *(item("step", unit=unit, at="5414") for unit in ("kb-01", "kb-03", "hb-35", "hb-36")),
        fought(2, "hb-35", "kb-01", 1), fought(2, "kb-01", "hb-35", 0),
        item("remove", unit="kb-03", at="5414", why="killed"),
        item("beaten", unit="kb-01", target="hb-35", at="5414"), item("shaken", unit="kb-01", by=1, morale=-1),
    ]  # fmt: skip
    action = {"order": None, "items": items}
    ((told,),) = [group["actions"] for group in headlined([{"actions": [action]}], teller, {})]
    assert told["headline"] == (
        "Hori Hidemasa (hb-35) gave battle to Kobe Nobutaka (kb-01) in hex 5414; Kobe Nobutaka was beaten and fell to "
        "morale minus 1."
    )
    assert told["dice"] == [
        "round 1: Hori Hidemasa inflicted two losses with strength 4; Kobe Nobutaka inflicted two losses with strength "
        "4; of the Anti-Hashiba side Kobe Nobutaka and Inaba Shoyu (kb-03) lost a step each; of the Hashiba side Hori "
        "Hidemasa and Okuda Naomasa (hb-36) lost a step each",
        "round 2: Hori Hidemasa inflicted one loss with strength 4; Kobe Nobutaka inflicted no loss with strength 4; "
        "Inaba Shoyu was killed",
    ]
    ((whole,),) = [group["actions"] for group in headlined([{"actions": [action]}], teller, {}, apart=False)]
    assert whole["dice"] == []
    assert whole["headline"].count("inflicted") == 4


def test_a_battle_has_a_short_headline_and_each_flight_a_line(teller: Teller) -> None:
    """The headline had 15 lines of flights, and what was to be expected of each stood there twelve times."""
    fled = [{"what": "1 hex to go", "per_cent": "100 %"}]

    def item(what: str, chances: Any = (), **facts: Any) -> dict[str, Any]:
        told, known = teller.tell({"kind": "tell", "what": what, "facts": facts})
        dice = (
            [{"label": f"{what.partition('-')[0]}/x/1", "dice": [facts["die"]], "sides": 6}] if "die" in facts else []
        )
        rest = {"clause": "24-2", "fight": None, "rolls": dice, "chances": chances}
        return {"kind": "tell", "what": what, "facts": facts, "told": told, "known": known, **rest}

    def flees(unit: str, die: int, steps: int = 0) -> dict[str, Any]:
        return item("flight", fled, unit=unit, die=die, hexes=die - steps, steps=steps, ways=[1])

    hit = {"unit": "hb-35", "target": "kb-01", "round": 1, "strength": 4, "die": 3, "result": 2, "marked": False}
    back = {"at": "5414", "from": "5414", "to": "5514"}
    items = [
        item("battle", unit="hb-35", target="kb-01", at="5414", targets=["kb-01"], **{"from": "5313", "with": []}),
        {**item("battle-result", **hit), "fight": 1},
        item("beaten", unit="kb-01", target="hb-35", at="5414"),
        flees("kb-01", 1), item("retreat", unit="kb-01", **back), item("shaken", unit="kb-01", by=1, morale=-1),
        flees("kb-03", 2, 1), item("step", unit="kb-03", at="5414"),
        item("remove", unit="kb-03", at="5414", why="killed"),
        item("advance", unit="hb-35", to="5414", **{"from": "5313"}),
    ]  # fmt: skip
    ((told,),) = [group["actions"] for group in headlined([{"actions": [{"order": None, "items": items}]}], teller, {})]
    assert told["headline"] == (
        "Hori Hidemasa (hb-35) gave battle to Kobe Nobutaka (kb-01) in hex 5414; Kobe Nobutaka was beaten; Hori "
        "Hidemasa entered hex 5414."
    )
    assert told["dice"][1:] == [
        "battle of hb-35: 3 (mean 3.5)",
        "flight of each of 2 forces: expected 1 hex to go 100 %",
        "flight of kb-01: 1 (mean 3.5); Kobe Nobutaka went back to hex 5514 and fell to morale minus 1",
        "flight of kb-03: 2 (mean 3.5); Inaba Shoyu (kb-03) lost a step and was killed",
    ]
    one = [{"order": None, "items": [items[0], *items[2:6]]}]
    ((told,),) = [group["actions"] for group in headlined([{"actions": one}], teller, {})]
    assert told["dice"] == [
        "flight of kb-01: 1 (mean 3.5); expected 1 hex to go 100 %; Kobe Nobutaka went back to hex 5514 and fell to "
        "morale minus 1"
    ]


def test_news_begin_behind_what_the_reader_knew_when_he_sent_his_entry() -> None:
    """They began with 40 lines of his own deployment and his own note, and told both again with each entry."""
    match, scenario = Match(scenario_of("shizugatake"), 1), scenario_of("shizugatake")
    match.play("")

    def news(reader: str, since: int | None = None) -> str:
        data = report_data(match.table, scenario, reader, since=since)
        return json.dumps([action["headline"] for group in data["news"] for action in group["actions"]])

    match.play("say shall we begin; close deployment")
    assert "shall we begin" in news("ben")
    assert "Hashiba side, Gamo, set up" in news("ben"), "nothing has come of it yet"
    match.play("close deployment")
    for since in (None, match.table.last_by["ben"]):
        assert news("ben", since).startswith('["Anti-Hashiba side, Shibata, set up'), since
        assert "shall we begin" not in news("ben", since)
    match.play("")
    assert match.due() == ("orders", "asuka")
    assert "set up" not in news("asuka")


def test_who_only_leaves_or_enters_a_castle_is_told_in_report_and_mail() -> None:
    """A move without a hex, `out` or `enter`, stopped every report of its phase."""
    match, scenario = Match(scenario_of("shizugatake"), 1), scenario_of("shizugatake")
    match.play("")
    match.play("place hb-34 at 4413 enter; done")
    match.play("done")
    assert match.due() == ("orders", "ben")
    match.play("move hb-34 out; move hb-35 enter; done")
    out = "Shibata Katsutoyo (hb-34) came out of the castle at Nagahama (4413)"
    told = " ".join(report.text(report_data(match.table, scenario, "asuka")).split())
    assert f"{out}. Hori Hidemasa (hb-35) went into the castle at Sawayama (4415)." in told
    mail = " ".join(mail_text(mail_data(match.table, scenario, "asuka")).split())
    assert f"{out} (one point). Hori Hidemasa (hb-35)" in mail


def test_the_die_of_an_interception_is_the_castles(teller: Teller) -> None:
    """`interception of gm-01: 6` was the castle's die against him."""
    facts = {"unit": "hb-35", "at": "5313", "side": "anti-hashiba", "strength": 4, "die": 6, "always": 1, "skill": 0}
    item = {"facts": facts, "fight": None}
    sides = teller.names.unit_side
    assert roll_of({"label": "interception/5313"}, item, sides) == "interception against hb-35"
    own = {"facts": {**facts, "side": "hashiba"}, "fight": None}
    both = {"facts": {"titles": ["Saika", "Negoro"], "side": "anti-hashiba"}, "fight": None}
    assert roll_of({"label": "begin/saika-negoro"}, both, sides) == "die whether the Saika and Negoro act"
    assert roll_of({"label": "recovery/hb-35"}, own, sides) == "recovery of hb-35"
    assert roll_of({"label": "recovery/hb-35"}, {**own, "facts": {"unit": "hb-35"}}, sides) == "recovery of hb-35"


def test_a_castle_that_changes_hands_without_a_fight_has_a_picture(s: State) -> None:
    facts = {"at": "5313", "side": "hashiba", "army": "Oda of Ise"}
    step = {"seq": 3, "turn": 1, "phase": "situation", "kind": "tell", "what": "control", "facts": facts}
    data = {"situation": situation(s), "steps": [step], "scenario": {"title": ""}}
    shown, *_ = crops({"kinai": s.board.map}, data)
    assert shown.title == "Gifu (5313) passed to the Oda of Ise"
    assert ">5313<" in shown.svg
    assert crops({"kinai": s.board.map}, {**data, "steps": [{**step, "what": "lifted"}]}) == []


ORDERS = [
    ("move hb-01 1622 1621", "moves from Himeji (1623) by 1622 to 1621"),
    ("move hb-01 1622 strategic", "moves strategically from Himeji (1623) to 1622"),
    ("move hb-01 enter", "goes into the castle at Himeji (1623)"),
    ("move hb-01 out", "comes out of the castle at Himeji (1623)"),
    (
        "move hb-01 1622 leave hb-02 at 1623",
        "moves from Himeji (1623) to 1622, leaving Hashiba Hidenaga (hb-02) at Himeji (1623)",
    ),
    ("attack hb-01 at kb-02", "at Himeji (1623) attacks Saito Toshitaka (kb-02) in hex 5414"),
    (
        "battle hb-01 at sb-01 with hb-05 until 40 skirmish sb-01",
        "with Hashiba Hidekatsu (hb-05) at Himeji (1623) offers battle to Shibata Katsuie (sb-01), to be broken off at "
        "40 in a hundred lost, or else attacks Shibata Katsuie",
    ),
    ("besiege gifu by hb-01 assault", "besieges Gifu (5313) and assaults it"),
    ("assault gifu by hb-01", "assaults Gifu (5313)"),
    ("call kameyama-tamba by hb-01", "calls on Kameyama of Tamba (3220) to surrender"),
    ("lift hb-01", "gives up the siege at Himeji (1623)"),
    ("recover hb-01", "at Himeji (1623) recovers"),
    ("replenish hb-01", "at Himeji (1623) replenishes its force"),
    ("replenish hb-01 hb-04", "at Himeji (1623) replenishes its force, Asano Nagamasa (hb-04) first"),
    ("replenish hb-01 castle himeji", "at Himeji (1623) replenishes Himeji (1623)"),
    (
        "organise hb-01 as hb-01 hb-05 and hb-02",
        "at Himeji (1623) arranges forces anew: Hashiba Hidekatsu (hb-05) joins and Hashiba Hidenaga (hb-02) and "
        "Asano Nagamasa (hb-04) leave",
    ),
    (
        "organise hb-01 as hb-01 hb-05 and hb-02 hb-04",
        "at Himeji (1623) arranges forces anew: Hashiba Hidekatsu (hb-05) joins and Hashiba Hidenaga (hb-02) and "
        "Asano Nagamasa (hb-04) leave; Hashiba Hidenaga with Asano Nagamasa",
    ),
    (
        "organise hb-01 as hb-04 hb-02 hb-01 replenish",
        "at Himeji (1623) arranges forces anew: nobody joins or leaves, then replenishes",
    ),
    (
        "organise hb-01 as hb-01 hb-05 replenish castle himeji",
        "at Himeji (1623) arranges forces anew: Hashiba Hidekatsu (hb-05) joins and Hashiba Hidenaga (hb-02) and "
        "Asano Nagamasa (hb-04) leave, then replenishes",
    ),
    ("place hb-01 hb-02 at 1623 enter", "with Hashiba Hidenaga (hb-02) are placed in the castle at Himeji (1623)"),
]


ANSWERS = [
    ("lose hb-02 hb-02 hb-04", "Hashiba Hidenaga (hb-02) loses both steps and Asano Nagamasa (hb-04) loses a step"),
    ("give-way 0", "all losses are steps, and no hex is gone back"),
    ("give-way 1", "one hex is to be gone back in place of steps"),
    ("give-way 2", "two hexes are to be gone back in place of steps"),
    ("retreat hb-35 4415 4416 enter", "Hori Hidemasa (hb-35) goes back to Hida (4416) into the castle"),
    ("retreat hb-35 enter", "Hori Hidemasa (hb-35) goes back into the castle"),
    ("counter yes", "a counterattack is made"),
    ("counter no", "no counterattack is made"),
    ("lift-attacked hb-35", "Hori Hidemasa (hb-35) gives up the siege"),
    ("lift-attacked none", "no siege is given up"),
    ("pursue hb-35 4412 4411", "Hori Hidemasa (hb-35) pursues to hex 4411"),
    ("pursue hb-35 stay", "Hori Hidemasa (hb-35) doesn't pursue"),
    ("give-battle hb-01 hb-02", "Hashiba Hideyoshi (hb-01) and Hashiba Hidenaga (hb-02) give battle"),
    ("give-battle none", "nobody gives battle"),
    ("fight-on yes", "the battle goes on"),
    ("fight-on no", "the battle is broken off"),
    ("advance hb-35", "Hori Hidemasa (hb-35) enters the hex that was left"),
    ("advance none", "nobody enters the hex that was left"),
    ("accept yes", "the offer is accepted"),
    ("accept no", "the offer is refused"),
    ("demand gifu kb-01", "of those inside Gifu (5313) Kobe Nobutaka (kb-01) is to be removed"),
    ("traitors gifu kb-01", "of those inside Gifu (5313) Kobe Nobutaka (kb-01) is lost to treason"),
    ("march-out gifu 4415", "those inside Gifu (5313) march out to Sawayama (4415)"),
]


@pytest.mark.parametrize(("words", "told"), ANSWERS)
def test_an_answer_is_told_in_words(teller: Teller, words: str, told: str) -> None:
    """`by default: lift-attacked none` was what the mail said of it."""
    step = {"seq": 3, "kind": "answer", "side": "hashiba", "how": "default", "words": words.split(), "about": []}
    teller.names.forget()
    assert teller.tell(step) == (f"The Hashiba side had no standing order; by default: {told}.", True)


def test_every_answer_has_words() -> None:
    template = (ROOT / "templates" / "sengoku" / "events.j2").read_text("utf-8")
    told = {word.replace("_", "-") for word in re.findall(r"macro do_(\w+)", template)}
    assert USAGE.keys() - {CLOSING} <= told
    assert {words.split()[0] for words, _ in ANSWERS} < told


BUSY = [
    "move hb-01 1622", "move hb-02 1624", "move hb-03 1723", "move gm-01 4421 4522", "move hb-35 4414 4514",
    "move nw-01 4014 4013", "move ik-01 3125 3124", "move tt-01 3626 3726", "move kt-07 5316 5215",
    "move od-01 4824 4823", "done",
]  # fmt: skip
"""Orders of a phase in six theatres."""


def test_before_the_deployment_nothing_is_left_out_and_who_may_enter_is_told_apart() -> None:
    match = Match(scenario_of("shizugatake"), 1)
    match.play("")
    data = report_data(match.table, scenario_of("shizugatake"), "ben")
    fit = cut(data, Limits(3, 1000, 3, 1000))
    assert not any("units" in note for note in fit["notes"])
    told = " ".join(report.text(fit).split())
    assert "left out here" not in told
    assert "Anti-Hashiba side: 54 units may enter later; not yet placed: " in told
    assert "Hashiba side: not yet placed: " in told
    for page in (told, " ".join(report.html(fit).split())):
        assert "to arrive" not in page
        assert "received" not in page


def test_a_deployment_is_told_by_who_leads_where_and_how_strong() -> None:
    match = Match(scenario_of("shizugatake"), 1)
    match.play("")
    match.play("place gm-01 gm-02 gm-03 at 4420 enter\ndone")
    told = " ".join(report.text(report_data(match.table, scenario_of("shizugatake"), "asuka")).split())
    assert "Gamo Ujisato (gm-01) and 2 more at Hino (4420), strength 6, shut in" in told
    assert "Ogamo Motokiyo (nj-03) at Iwakura (0113), strength 2" in told
    several = "Nagafune Sadachika (uk-13), Numamoto Toyokuni (uk-14) and Baba Motoki (uk-15) at Okayama (0326)"
    assert f"{several}, each alone, strength 2 each." in told


def test_the_mail_of_a_busy_phase_is_plain_short_and_shows_the_whole_map_beside_its_theatres() -> None:
    match = Match(scenario_of("shizugatake"), 1)
    for _ in range(3):  # the accept, and both deployments
        match.play("done" if match.table.seq > 1 else "")
    assert match.due() == ("orders", "ben")
    block = match.play("\n".join(BUSY))
    reader = "asuka"
    pictures, left = crop_files(match.table, scenario_of("shizugatake"), reader, PICTURES_MAX)
    assert [picture[0] for picture in pictures][:2] == ["kinai-1", "kinai-overview"]
    assert sum(len(png) for *_, png in pictures) <= PICTURES_MAX
    data = mail_data(match.table, scenario_of("shizugatake"), reader)
    first = next(iter(versions(data, pictures, Turn.of(block).text, left=left)))
    assert first.html is not None
    assert 'src="cid:kinai-overview"' in first.html
    assert first.text.isascii()
    assert 20 < len(first.text.splitlines()) < 200


TURN = re.compile(r"\bturns?\b", re.IGNORECASE)


def test_a_turn_is_an_inning_in_every_text() -> None:
    match, scenario = Match(scenario_of("shizugatake"), 1), scenario_of("shizugatake")
    for _ in range(3):
        match.play("done" if match.table.seq > 1 else "")
    assert match.due() == ("orders", "ben")
    shown = " ".join(form(match.table, "ben").replace("#", "").split())
    assert " Inning 1 of 12, " in shown
    assert "of that name in this inning (stage-2, " in shown
    wrong = check(match.table, "ben", "in stage-1: done", random.Random(1), runs=0)
    assert "names no phase of mine that comes later in this inning" in str(wrong.errors[0])
    assert wrong.errors[0].hint == "there are: stage-2, stage-3, stage-4", "stage-1 is no slip of the pen"
    wrong = check(match.table, "ben", "in stge-2: done", random.Random(1), runs=0)
    assert wrong.errors[0].hint == "did you mean stage-2?"
    match.play("in stage-2: move hb-35 4515; done")
    data = mail_data(match.table, scenario, "asuka")
    assert subject(data).startswith("Shizugatake, inning 1: ")
    given = report_data(match.table, scenario, "asuka")
    drawn = pictures(match.table, scenario, "asuka")
    for text in (mail_text(data), report.text(given), report.html(given), drawn[0].svg):
        assert "nning 1" in text
        assert TURN.findall(text) == []
    assert "inning 1, now" in drawn[0].svg
    assert "later in this inning (" in " ".join(mail_text(data).split())


@pytest.mark.parametrize(
    ("side", "won"), [("hashiba", "the Hashiba side has won"), ("anti-hashiba", "the Anti-Hashiba")]
)
def test_who_has_won_is_told_with_the_article_of_his_side(side: str, won: str) -> None:
    """`The game is over, Hashiba side has won` stood there."""
    match = Match(scenario_of("shizugatake"), 1)
    ahead = Foreseen(None, True, ((Asked("nothing", None, outcome=Outcome(side, "36.6(win)", "a lead of 47")), 1),))
    assert f"the game is over, {won}" in asked_words(match.table, ahead)


def test_other_rules_have_turns() -> None:
    match = Match(scenario_of("yao"), 1)
    assert form(match.table, match.due()[1] or "").splitlines()[1].startswith("# Turn 1 of ")


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("besiege gifu by hb-01 hb-02 assault", "besiege Gifu (5313) and assault it"),
        ("besiege gifu by hb-01 hb-02", "besiege Gifu (5313)"),
        ("assault gifu by hb-01 hb-02", "assault Gifu (5313)"),
    ],
)
def test_what_several_forces_do_is_told_of_several(teller: Teller, order: str, told: str) -> None:
    teller.names.forget()
    assert teller.order(order.split()) == f"Hashiba Hideyoshi (hb-01) and Hashiba Hidenaga (hb-02) {told}"


@pytest.mark.parametrize(("order", "told"), ORDERS)
def test_orders_that_wait_are_told_in_words(teller: Teller, order: str, told: str) -> None:
    teller.names.forget()
    assert teller.order(order.split()) == f"Hashiba Hideyoshi (hb-01) {told}"


def test_what_names_no_force_is_told_in_words(teller: Teller) -> None:
    teller.names.forget()
    assert teller.order(("declare", "kobe")) == "the army Kobe begins to act"
    assert teller.order(("close", "situation")) == "the situation change is over"
    assert teller.order(("offer", "gifu", "none")) == "those inside Gifu (5313) offer to open it and march out"
    some = "those inside Gifu (5313) offer to open it at the price of Kobe Nobutaka (kb-01) and march out"
    assert teller.order(("offer", "gifu", "kb-01")) == some


def test_who_offers_all_who_are_inside_a_castle_lets_nobody_march_out(teller: Teller) -> None:
    teller.names.forget()
    told = teller.order(("offer", "gifu", "kb-01", "kb-03"))
    assert told.startswith("those inside Gifu (5313) offer to open it at the price of Kobe Nobutaka (kb-01) and ")
    assert told.endswith("(kb-03), all who are there")
    step = {"kind": "tell", "what": "offer", "facts": {"at": "5313", "units": ["kb-01", "kb-03"], "all": True}}
    for said in (teller.tell(step)[0], teller.head({**step, "known": True}) or ""):
        assert "all who are there" in said
        assert "march out" not in said
    assert teller.condition(("fallen", "gifu"), expected=False) == "Gifu (5313) has not fallen"
    assert teller.condition(("fallen", "gifu"), expected=True) == "Gifu (5313) has fallen"
    assert teller.condition(("is", "hb-01", "shut-in"), expected=False) == "Hashiba Hideyoshi (hb-01) is not shut in"


# --- forces and castles ----------------------------------------------------------------------------------------------


def test_forces_are_told_by_place_leaders_first_then_those_alone(s: State) -> None:
    found = dict(forces_told(situation(s), "hashiba", {"Himeji": "\u59eb\u8def"}))
    assert list(found) == ["Himeji \u59eb\u8def (1623)", "Gifu (5313)"]
    first, alone = found["Himeji \u59eb\u8def (1623)"]
    assert first == "Hashiba Hideyoshi (hb-01) 7-3-4; with Hashiba Hidenaga (hb-02) and Asano Nagamasa (hb-04)"
    assert alone.startswith("Alone: Hashiba Hidekatsu (hb-05) 2-1-3, Nakamura Kazuuji (hb-06) 2-1-2, ")
    besieging = "Hori Hidemasa (hb-35) 3-2-4, morale -1, besieging; with Okuda Naomasa (hb-36) reduced"
    assert found["Gifu (5313)"] == [besieging]
    theirs = dict(forces_told(situation(s), "anti-hashiba"))
    assert theirs["Gifu (5313)"] == ["Kobe Nobutaka (kb-01) 4-1-3, shut in; with Inaba Shoyu (kb-03)"]
    why = "an enemy is at 5313 Gifu, where lines of the Kobe begin"
    assert theirs["hex 5414"] == [f"Saito Toshitaka (kb-02) 2-0-2, no line: {why}"]


def test_castles_are_told_those_first_of_which_there_is_something_to_tell(s: State) -> None:
    gifu, theirs, ours = strongholds_told(situation(s))
    numbers = f"army Kobe, level 4, durability 6, room for {s.board.tables.limit[4]}, damaged"
    who = "besieged by Hori Hidemasa (hb-35); inside two units, Kobe Nobutaka (kb-01)"
    assert gifu == f"Anti-Hashiba side: Gifu (5313), {numbers}; {who}"
    assert theirs.startswith("Anti-Hashiba side, undamaged and not besieged: Kitanosho (4301) of level 4, ")
    for told in (theirs, ours):  # the highest level first, then by name
        found = [(-int(level), name) for name, level in re.findall(r"([A-Z][\w ]+) \(\d+\) of level (\d)", told)]
        assert found == sorted(found)
        assert len({level for level, _ in found}) > 1


def test_castles_are_told_once_and_not_among_places_again() -> None:
    """A report had a list of 49 objectives behind the units, all told as castles before."""
    match, scenario = Match(scenario_of("shizugatake"), 1), scenario_of("shizugatake")
    match.play("")
    data = report_data(match.table, scenario, "asuka")
    told, page = report.text(data), report.html(data)
    assert "Gifu (5313) of level 4" in told
    assert "PLACES" not in told
    assert "<h3>Places</h3>" not in page
    assert "an objective" not in told + page


@pytest.mark.parametrize(
    ("reduced", "told"),
    [
        ("kb-01 kb-03", "Kobe Nobutaka (kb-01) 2-1-3, all reduced, shut in; with Inaba Shoyu (kb-03)"),
        ("kb-01", "Kobe Nobutaka (kb-01) 3-1-3, himself reduced, shut in; with Inaba Shoyu (kb-03)"),
        ("kb-03", "Kobe Nobutaka (kb-01) 3-1-3, shut in; with Inaba Shoyu (kb-03) reduced"),
        ("kb-02", "Saito Toshitaka (kb-02) 1-0-2, reduced, "
         "no line: an enemy is at 5313 Gifu, where lines of the Kobe begin"),
    ],
)  # fmt: skip
def test_of_a_force_it_is_told_who_is_reduced(s: State, reduced: str, told: str) -> None:
    s = copy(s)
    s.reduced.update(reduced.split())
    assert told in [one for _, here in forces_told(situation(s), "anti-hashiba") for one in here]


# --- pictures --------------------------------------------------------------------------------------------------------


def fight(**facts: Any) -> dict[str, Any]:
    return {"kind": "tell", "what": facts.pop("what"), "clause": "", "seq": 1, "facts": facts}


def test_a_force_has_the_counter_of_its_leader_and_a_large_pile_a_card_for_the_rest(s: State) -> None:
    steps = [
        fight(what="assault", unit="hb-35", **{"from": "5313"}, at="5313", result=1),
        fight(what="attack-result", unit="hb-01", target="hb-02", **{"from": "1623"}, at="1622", result=2),
    ]
    told = {"scenario": {"title": "x"}, "situation": situation(s), "steps": steps}
    gifu, himeji, overview, key = crops({"kinai": s.board.map}, told)
    assert gifu.title == "part 1, fight 1: Hori Hidemasa (hb-35) assaulted the castle at Gifu (5313)"
    assert himeji.title.startswith("part 2, fight 2: ")
    assert ">3-2-4<" in gifu.svg
    assert ">hb-36<" not in gifu.svg
    assert ">7-3-4<" in himeji.svg
    assert f">+{11 - MOST + 1}<" in himeji.svg
    assert (">hb-10<" in himeji.svg, ">hb-11<" in himeji.svg) == (False, True)
    assert ">Gifu<" in overview.svg
    assert "castle of the Hashiba side" in key.svg


def test_a_map_at_a_glance_has_a_row_of_its_own_on_the_page(s: State) -> None:
    told = {"scenario": {"title": "x"}, "situation": situation(s), "steps": [fight(what="move", unit="kb-02", **WAY)]}
    parts = [Part(one.title, one.svg, one.name == "key") for one in crops({"kinai": s.board.map}, told)]
    page = loose(report.html(whole(s), {}, parts=parts))
    assert [len(re.findall(f'<figure class="{look}">', page)) for look in ("part", "part wide")] == [2, 1]
    assert page.index('class="part"') < page.index('class="part wide"')


# --- a whole report --------------------------------------------------------------------------------------------------


WAY = {"from": "5313", "path": ["5414"]}


def whole(s: State, *steps: dict[str, Any]) -> dict[str, Any]:
    """A report for Hashiba's player, which fits its schema."""
    players = [
        {"name": name, "side": side, "side_title": side} for name, side in (("ann", "hashiba"), ("ben", "anti-hashiba"))
    ]
    due = {"player": "ann", "side": "hashiba", "what": "orders", "kind": "operation", "prompt": "let a force act"}
    given = {
        "game": "ab" * 32, "scenario": {"id": "shizugatake", "title": "Shizugatake", "system": "sengoku", "date": ""},
        "edition": "sengoku/1", "options": {}, "players": players, "reader": "ann", "since": 2, "good": dict(GOOD),
        "entry": {"seq": 3, "hash": "cd" * 32, "kind": "orders", "by": "ben"}, "head": "cd" * 32, "notes": [],
        "steps": [{"seq": 3, "turn": 1, "phase": "anti-hashiba-stage-1", **step} for step in steps],
        "situation": situation(s), "standing": None, "due": {**due, "clause": "12", "about": []},
    }  # fmt: skip
    data = report.build(given)
    validator("report.schema.json").validate(data)
    return data


def test_a_report_tells_what_happened_then_castles_and_forces(s: State) -> None:
    facts = {"at": "5313", "step": "siege", "side": "anti-hashiba", "die": 2, "inside": 2, "limit": 50}
    assault = fight(what="assault", unit="hb-35", **{"from": "5313"}, at="5313", result=0, strength=3, die=2, level=-4)
    steps = [
        {"kind": "order", "side": "hashiba", "words": ["assault", "gifu", "by", "hb-35"]},
        fight(what="interception", unit="hb-35", at="5313", strength=4, die=2, result=0, marked=False),
        assault,
        fight(what="siege-check", **facts, result="none"),
    ]
    text = report.text(whole(s, *steps))
    places = [text.index(words) for words in ("\nWHAT HAPPENED", "\nSCORE", "\nCASTLES", "\nFORCES", "\nTHIS GAME")]
    assert places == sorted(places)
    told = "Fight 1. Hori Hidemasa (hb-35) assaulted Gifu (5313) without loss and did the castle no harm. Siege of Gifu"
    assert told in " ".join(text.split())
    assert "\n  Gifu (5313)\n    Hori Hidemasa (hb-35) 3-2-4, morale -1, besieging; with" in text
    assert "strength, modifier and action power" in text
    assert "UNITS\n" not in text


def test_before_anybody_is_on_the_map_castles_are_told_and_units_are_to_come(s: State) -> None:
    text = report.text(whole(start(s.board, {})))
    assert "\nCASTLES\n\n  Hashiba side, undamaged and not besieged: " in text
    assert "\nUNITS\n\nHashiba side, no units on the map.\n" in text
    assert "FORCES" not in text


def test_a_mail_tells_no_dice_that_fall_behind_what_it_asks() -> None:
    """The dice at the beginning of an inning fall behind both deployments: with the first one none does."""
    scenario = scenario_of("shizugatake")
    match = Match(scenario, 1)
    match.play()
    match.play("in stage-1: recover hb-01; done;")
    assert mail_data(match.table, scenario, "asuka")["falls"] == []
    match.play("done;")
    assert [told.partition(":")[0] for told in mail_data(match.table, scenario, "ben")["falls"]][-1:] == [
        "Dice fall for"
    ]
