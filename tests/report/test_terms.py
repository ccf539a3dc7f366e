"""The terms of a game in words: each of its values has a sentence; they are shown, and asked about, before all else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from cli_player import Said, World, tree
from golden import ROOT
from letters import blocks_of

from pbem.desk.desk import terms_of
from pbem.errors import BadScenario
from pbem.mail.inbox import read_mails
from pbem.report.terms import Party, terms_text, terms_words
from pbem.rules import rules_of
from pbem.scenario import Scenario, load_scenario, mails
from pbem.wire.bodies import Terms

TOBA = load_scenario("toba-fushimi")
ASUKA = Party("asuka", "shogunate")


def words(terms: Terms | None = None, offerer: Party = ASUKA, accepter: Party | None = None) -> dict[str, str]:
    """Title -> what is told; sentences of one title together."""
    found: dict[str, str] = {}
    for title, sentence in terms_words(TOBA, terms or terms_of(TOBA, {}), offerer, accepter):
        found[title] = f"{found.get(title, '')} {sentence}".strip()
    return found


def of(**terms: Any) -> dict[str, str]:
    """The words of an offer with these terms."""
    return words(terms_of(TOBA, {}, **terms))


# --- each term for each of its values ----------------------------------------------------------------------------


def test_scenario_and_rules() -> None:
    assert words()["scenario"] == "The Battle of Toba-Fushimi (toba-fushimi), by the rules bakumatsu/1."


def test_who_takes_which_side() -> None:
    assert words()["sides"] == "asuka plays the Former Shogunate; who accepts plays Satsuma-Choshu."
    other = words(offerer=Party("asuka", "satcho"))
    assert other["sides"] == "asuka plays Satsuma-Choshu; who accepts plays the Former Shogunate."
    known = words(accepter=Party("ben", "satcho"))
    assert known["sides"] == "asuka plays the Former Shogunate, ben plays Satsuma-Choshu."


def test_solo() -> None:
    assert of()["solo"].startswith("no: two players")
    alone = of(solo=True)
    assert alone["solo"] == "yes: one player plays both sides with one key; nobody but asuka can accept."
    assert "Satsuma-Choshu" in alone["sides"]
    assert "secrets of both" in alone["dice"]
    assert "secret of the other player" in of()["dice"]


def test_an_option_by_its_title_with_what_its_value_means() -> None:
    for value, meaning in (("dice", "added to the dice"), ("strength", "added to the total fire strength")):
        told = words(terms_of(TOBA, {"mountain-top": value}))["option"]
        assert f"The +2 for firing from a mountain top (mountain-top): {value}. It is {meaning}" in told
        assert "Retreat over a bridge (retreat-over-bridge): no. No unit retreats" in told


def test_an_option_that_the_offer_leaves_out_has_its_default() -> None:
    assert "(mountain-top): dice." in words(terms_of(TOBA, {})._replace(options=()))["option"]


@pytest.mark.parametrize("scenario", ["toba-fushimi", "domyoji", "yao", "connected", "gotos-dream"])
def test_every_value_of_every_option_has_a_sentence(scenario: str) -> None:
    loaded = load_scenario(scenario)
    side = loaded.data["scenario"]["sides"][0]["id"]
    for name, option in loaded.data["scenario"]["options"].items():
        for value in option["values"]:
            told = terms_words(loaded, terms_of(loaded, {name: value}), Party("asuka", side))
            assert ("option", f"{option['title']} ({name}): {value}. {option['means'][value]}") in told


def test_reactions_and_how_many_mails_follow() -> None:
    assert "else a default; that takes no mail" in of()["reactions"]
    assert "else he is asked, and the game waits" in of(reactions="ask")["reactions"]
    counted = TOBA.data["scenario"]["mails"]
    for kind in ("standing", "ask"):
        told = of(reactions=kind)["length"]
        assert told.startswith("Eight turns at most.")
        assert f"took {counted[kind][0]} to {counted[kind][1]} mails" in told
    assert of(solo=True)["length"] == "Eight turns at most. No mails are needed."


@pytest.mark.parametrize("reactions", ["standing", "ask"])
def test_where_nobody_is_asked_anything_reactions_make_no_difference(reactions: str) -> None:
    skirmish = load_scenario("skirmish")
    terms = terms_of(skirmish, {}, reactions=reactions)
    told = dict(terms_words(skirmish, terms, Party("asuka", "red")))
    nothing = "It makes no difference: these rules ask a player nothing between his own orders."
    assert told["reactions"] == f"{reactions}: {nothing}"
    assert "such reactions" not in told["length"]
    assert "such reactions" in of()["length"]


def test_mails_that_were_counted_anew_go_before_those_of_the_scenario() -> None:
    cedar = load_scenario("cedar-mountain")
    lines = (ROOT / "scenarios/gcacw/mails.txt").read_text("ascii").splitlines()
    written = [line for line in lines if line.startswith("cedar-mountain standing = ")]
    assert [line.partition(" = ")[2] for line in written] == ["{} to {}".format(*mails(cedar, "standing") or ())]
    assert (
        f"took {written[0].partition(' = ')[2]} mails"
        in dict(terms_words(cedar, terms_of(cedar, {}), Party("asuka", "union")))["length"]
    )
    assert [*map(str, mails(cedar, "standing") or ())] != cedar.data["scenario"]["mails"]["standing"]


def test_each_line_of_mails_that_were_counted_anew_is_of_a_scenario_and_counts_up() -> None:
    for file in ROOT.glob("scenarios/*/mails.txt"):
        lines = [line for line in file.read_text("ascii").splitlines() if not line.startswith("#")]
        for line in lines:
            named = re.fullmatch(r"([a-z-]+) (standing|ask) = ([0-9]+) to ([0-9]+)", line)
            assert named is not None, line
            assert load_scenario(named[1]).system == file.parent.name
            assert int(named[3]) < int(named[4])
        assert len({line.partition(" = ")[0] for line in lines}) == len(lines)


def test_of_mails_that_nobody_counted_nothing_is_said() -> None:
    data = {**TOBA.data, "scenario": {k: v for k, v in TOBA.data["scenario"].items() if k != "mails"}}
    scenario = Scenario(TOBA.id, TOBA.system, TOBA.edition, TOBA.title, data, "ab" * 32)
    told = dict(terms_words(scenario, terms_of(scenario, {}), ASUKA))
    assert told["length"] == "Eight turns at most."


def test_deadline() -> None:
    assert of()["deadline"] == "none: nobody loses the game by taking his time, or by never answering."
    assert of(deadline=1)["deadline"].startswith("one day of 24 hours: when an answer takes longer")
    assert of(deadline=20)["deadline"].startswith("20 days of 24 hours: ")


def test_lost_secret() -> None:
    assert (
        "worst for his side, and what his side is asked before the next orders is answered by the rules"
        in of()["lost secret"]
    )
    for value in ("adverse", "forfeit"):
        assert of(lost_secret=value)["lost secret"].endswith("has lost.") == (value == "forfeit")
        assert of(lost_secret=value)["lost secret"].startswith(f"{value}: ")
        assert "ends with a lost one" in of(lost_secret=value, solo=True)["lost secret"]


def test_recovery_keys() -> None:
    assert words()["recovery key"].startswith("asuka has named none: for a lost key only the opponent")
    assert words()["recovery key"].endswith("Who accepts may name one.")
    named = words(offerer=ASUKA._replace(recovery=True), accepter=Party("ben", "satcho"))["recovery key"]
    assert named.startswith("asuka has named one: ")
    assert "ben has named none" in named
    assert "ben has named one" in words(accepter=Party("ben", "satcho", recovery=True))["recovery key"]
    assert of(solo=True)["recovery key"].startswith("none: ")


def test_what_is_reconstructed() -> None:
    """In a word for all that the scenario says no more of; where more is listed follows."""
    skirmish = load_scenario("skirmish")
    told = dict(terms_words(skirmish, terms_of(skirmish, {}), Party("asuka", "red")))["reconstructed"]
    assert told == "Armies, table, zone, points and turns. All that is is listed by `pbem brief skirmish`."
    assert "Map: reconstructed, but for the four hexes that the rulebook names." in words()["reconstructed"]
    data = {**TOBA.data, "scenario": {**TOBA.data["scenario"], "provenance": {"sides": "rulebook"}}}
    scenario = Scenario(TOBA.id, TOBA.system, TOBA.edition, TOBA.title, data, "ac" * 32)
    assert "reconstructed" not in dict(terms_words(scenario, terms_of(scenario, {}), ASUKA))


def test_terms_fit_into_76_columns() -> None:
    lines = terms_text(terms_words(TOBA, terms_of(TOBA, {}, reactions="ask"), ASUKA), TOBA.system).splitlines()
    assert max(map(len, lines)) <= 76
    assert len(lines) > 20


@pytest.mark.parametrize("options", [(("mountain-top", "sea"),), (("\x1b[2J", "dice"),)])
def test_an_option_that_the_scenario_hasn_t_is_told_as_an_error(options: tuple[tuple[str, str], ...]) -> None:
    with pytest.raises(BadScenario):
        words(terms_of(TOBA, {})._replace(options=options))


def test_a_side_that_the_scenario_hasn_t_is_told_as_an_error() -> None:
    with pytest.raises(BadScenario, match="no side tosa; the sides are shogunate and satcho"):
        words(offerer=Party("asuka", "tosa"))


# --- the data ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["toba-fushimi", "yao"])
@pytest.mark.parametrize(
    ("mails", "told"),
    [
        ({"standing": ["9", "3"]}, "scenario.mails.standing: is [9, 3]"),
        ({"ask": ["9"]}, "scenario.mails.ask: is [9]"),
        ({"ask": ["0", "9"]}, "scenario.mails.ask: is '0'"),
        ({"never": ["1", "9"]}, "scenario.mails.never: is no key that is known here; known are standing, ask"),
        ("many", "scenario.mails: is 'many'"),
        ({}, ""),
        ({"ask": ["9", "9"]}, ""),
    ],
)
def test_numbers_of_mails_are_checked(scenario: str, mails: object, told: str) -> None:
    loaded = load_scenario(scenario)
    data = {**loaded.data, "scenario": {**loaded.data["scenario"], "mails": mails}}
    rules = rules_of(loaded.system)
    if not told:
        assert rules.board(data).title == loaded.title
        return
    with pytest.raises(BadScenario) as caught:
        rules.board(data)
    assert told in str(caught.value)


@pytest.mark.parametrize(("scenario", "option"), [("toba-fushimi", "mountain-top"), ("domyoji", "ishikawa-reading")])
def test_an_option_must_say_what_each_value_means(scenario: str, option: str) -> None:
    loaded = load_scenario(scenario)
    data = json.loads(json.dumps(loaded.data))
    spec = data["scenario"]["options"][option]
    spec["title"] = ""
    spec["means"] = {spec["values"][0]: "So.", "third": "So."}
    with pytest.raises(BadScenario) as caught:
        rules_of(loaded.system).board(data)
    for place in (f"{option}.title", f"{option}.means.{spec['values'][1]}: is missing", f"{option}.means.third: isn't"):
        assert place in str(caught.value)


# --- open, accept, offer -----------------------------------------------------------------------------------------


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, "offered")


def accepts(world: World, *more: str, typed: str | None = None) -> Said:
    return world.says(
        "ben", "accept", world.path("offer.eml"), "--name", "ben", "-o", world.path("accept.eml"), *more, typed=typed
    )


def shown(text: str) -> bool:
    """Whether a text tells all terms of the world's offer, but for those that name the accepter."""
    flat = " ".join(text.split())
    told = terms_words(TOBA, terms_of(TOBA, {}), ASUKA)
    return all(sentence in flat for title, sentence in told if title not in ("sides", "recovery key"))


def test_open_shows_the_terms_of_an_offer_and_stores_nothing(world: World) -> None:
    before = tree(world.root)
    said = world.says("ben", "open", world.path("offer.eml"))
    assert said.code == 0
    assert said.out.startswith("asuka offers a game on these terms:\n")
    assert shown(said.out)
    assert "asuka plays the Former Shogunate; who accepts plays Satsuma-Choshu." in " ".join(said.out.split())
    accepting = f"`pbem accept {world.path('offer.eml')} --name NAME --mail ADDRESS -o accept.eml`"
    assert f"hint: {accepting} accepts these terms; it shows them again and asks" in said.err
    piped = world.says("ben", "open", "-", stdin=Path(world.path("offer.eml")).read_bytes())
    assert "hint: `pbem accept OFFER.eml --name NAME --mail ADDRESS -o accept.eml`" in piped.err
    assert tree(world.root) == before


def test_an_offer_says_how_to_come_to_the_program_and_to_a_key(world: World) -> None:
    (mail,) = read_mails(world.path("offer.eml"))
    told = " ".join(mail.texts[0].split())
    assert "its README tells how to install (`pipx install .` in its folder); asuka can send it to you." in told
    assert told.index("Type `pbem key new` once") < told.index("pbem accept THIS-MAIL --name YOUR-NAME")


def test_open_gives_the_terms_as_data(world: World) -> None:
    (opened,) = json.loads(world.does("ben", "open", "--json", world.path("offer.eml")))["opened"]
    assert (opened["what"], opened["kind"], opened["by"]) == ("offered", "offer", "asuka")
    terms = opened["terms"]
    assert terms["options"] == {"mountain-top": "dice", "retreat-over-bridge": "no"}
    assert (terms["sides"], terms["free"], terms["solo"]) == ({"asuka": "shogunate"}, "satcho", False)
    assert terms["words"] == [list(pair) for pair in terms_words(TOBA, terms_of(TOBA, {}), ASUKA)]


def test_open_takes_an_offer_and_turns_together(world: World, tmp_path: Path) -> None:
    begun = World(tmp_path / "begun", "accepted")
    offer = world.path("yao.eml")
    begun.does("ben", "offer", "yao", "--side", "east", "--name", "ben", "-o", offer)
    said = begun.says("asuka", "open", "--quiet", offer, begun.path("accept.eml"))
    assert said.code == 0
    assert "an offer by ben; nothing of it is stored" in said.err
    assert "ben accepts, game" in said.err


def test_asked_and_answered_yes(world: World) -> None:
    said = accepts(world, typed="y\n")
    assert said.code == 0
    assert shown(said.err)
    assert said.err.index("accept these terms? [y/N]") < said.err.index("has begun")
    assert (world.root / "accept.eml").is_file()


@pytest.mark.parametrize("answer", ["n\n", "\n", "", "yess\n", "no\n", "\x00\xff\n"])
def test_asked_and_answered_otherwise_nothing_is_written(world: World, answer: str) -> None:
    before = tree(world.root)
    said = accepts(world, typed=answer)
    assert said.code == 1
    assert said.err.endswith("the offer isn't accepted; nothing is signed\n")
    assert said.out == ""
    assert tree(world.root) == before


def test_where_nobody_can_be_asked_it_is_refused_without_yes(world: World) -> None:
    accept = ("accept", world.path("offer.eml"), "--name", "ben")
    line = world.refused("ben", *accept, stdin=b"y\n")
    assert line == (
        "offer.eml: nobody can be asked here whether the terms are accepted; "
        "`pbem open` shows them; --yes accepts them without asking"
    )
    said = world.says("ben", *accept, "--yes", "-o", world.path("accept.eml"))
    assert said.code == 0
    assert shown(said.err)


def test_an_offer_from_standard_input_leaves_nobody_to_ask(world: World) -> None:
    """Also at a terminal: the mail comes from where the answer would."""
    raw = Path(world.path("offer.eml")).read_text()
    said = world.says("ben", "accept", "-", "--name", "ben", typed=raw + "\ny\n")
    assert said.code == 1
    assert "nobody can be asked here" in said.err
    assert not list(world.home("ben").glob("games/*"))


def test_the_question_leaves_standard_output_to_the_mail(world: World) -> None:
    said = world.says("ben", "accept", world.path("offer.eml"), "--name", "ben", typed="yes\n")
    assert said.code == 0
    assert said.out.startswith(("From:", "MIME-Version:", "Content-Type:", "Subject:", "To:", "Date:"))


def test_the_offerer_sees_and_mails_the_same_sentences(world: World) -> None:
    said = world.says("asuka", "offer", "toba-fushimi", "--side", "shogunate", "--name", "asuka", "-o",
                      world.path("again.eml"))  # fmt: skip
    assert said.code == 0
    assert shown(said.err)
    for mail in ("offer.eml", "again.eml"):
        assert shown(next(iter(read_mails(world.path(mail)))).texts[0])


def test_a_solo_offer_is_for_its_author_alone(world: World) -> None:
    mail = world.path("solo.eml")
    world.does("asuka", "offer", "yao", "--side", "east", "--name", "asuka", "--solo", "-o", mail)
    for command in (("accept", mail, "--name", "ben", "--yes"), ("open", mail)):
        line = world.refused("ben", *command)
        assert line.startswith("solo.eml: this offer is for its author alone; ")
    assert world.says("asuka", "accept", mail, "--name", "west", "--yes", "-o", world.path("own.eml")).code == 0


def test_my_own_offer_to_another_isn_t_for_me(world: World) -> None:
    line = world.refused("asuka", "accept", world.path("offer.eml"), "--name", "ben", "--yes")
    assert line.startswith("offer.eml: this is my own offer; the opponent accepts it")


def test_an_offer_is_looked_at_before_there_is_a_key(world: World) -> None:
    said = world.says("carl", "open", world.path("offer.eml"))
    assert said.code == 0
    assert shown(said.out)


# --- offers that lie ---------------------------------------------------------------------------------------------


def forged(world: World, old: bytes, new: bytes) -> str:
    """The world's offer, changed and signed anew by asuka."""
    from cli.test_bad_input import block_of, resealed, signed_by

    payload = resealed(block_of(world.path("offer.eml")).payload, old, new)
    return world.write("bad.eml", signed_by(world, "asuka", payload))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (b"option mountain-top dice;", b"option mountain-top sea;", "option mountain-top can't be 'sea'"),
        (b"option mountain-top dice;", b"option " + b"a" * 80 + b" dice;", "isn't an option"),
        (b"side shogunate;", b"side tosa;", "it has no side tosa"),
        (b"rules bakumatsu/1;", b"rules bakumatsu/7;", "rules edition bakumatsu/7"),
        (b"scenario toba-fushimi ", b"scenario " + b"x" * 80 + b" ", "no scenario is called"),
        (b"reactions standing;", b"reactions never;", "`never` is not known"),
    ],
)
@pytest.mark.parametrize("command", ["open", "accept"])
def test_what_can_t_be_played_is_refused_alike(world: World, command: str, old: bytes, new: bytes, told: str) -> None:
    more = ("--name", "ben", "--yes") if command == "accept" else ()
    line = world.refused("ben", command, forged(world, old, new), *more)
    assert line.startswith("bad.eml")
    assert told in line
    assert len(line) < 300
    assert line.isprintable()


def test_an_offer_whose_signature_doesn_t_hold_isn_t_shown(world: World) -> None:
    from cli.test_bad_input import block_of, resealed

    from pbem.wire.blocks import Block, render_block

    block = block_of(world.path("offer.eml"))
    false = Block(resealed(block.payload, b"reactions standing;", b"reactions ask;"), block.armor)
    line = world.refused("ben", "open", world.write("bad.eml", render_block(false)))
    assert "signature" in line
    assert blocks_of(next(iter(read_mails(world.path("offer.eml")))))


def test_words_round_an_offer_don_t_reach_the_terminal(world: World) -> None:
    from cli.test_bad_input import HARMFUL, hostile_mail

    path = world.write("bad.eml", hostile_mail(world.path("offer.eml")))
    said = [world.says("ben", "open", path), world.says("ben", "open", "--json", path)]
    said += [world.says("ben", "accept", path, "--name", "ben", "--to", "asuka@example.org", typed="n\n")]
    assert [answer.code for answer in said] == [0, 0, 1]
    for answer in said:
        assert not HARMFUL.search(answer.out + answer.err)
