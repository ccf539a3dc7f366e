"""The tables by double entry: typed a second time here, in another form, and compared cell by cell."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from pbem.errors import BadScenario, Defects
from pbem.rules.gcacw.tables import Allowance, Cell, Strain, Tables, read_tables

DIFFERENCES = ["<=-8", *map(str, range(-7, 10)), ">=10"]

DEFENDER = {  # combat value: from top to bottom what differences from -8 to 10 bring; an asterisk from 8 on
    "0-3": "- - - - - - f F D D Dr Dr DR 1DR 1DR 1DR 2DR 2DR 3DR",
    "4-6": "- - - - - - f F D D Dr Dr 1DR 2DR 2DR 2DR 2DR 3DR 4DR",
    "7-11": "- - - - - - f F D D 1Dr 1Dr 1DR 2DR 2DR 2DR 3DR 4DR 5DR",
    "12-18": "- - - - - - f F D 1D 1Dr 1Dr 2DR 3DR 3DR 3DR 4DR 4DR 5DR",
    "19-26": "- - - - - - f 1F 1D 1D 2Dr 2Dr 3DR 3DR 3DR 4DR 5DR 5DR 6DR",
    "27-37": "- - - - - 1 1f 1F 1D 2D 2Dr 2Dr 3DR 3DR 4DR 6DR 7DR 7DR 8DR",
    "38-49": "- - - - 1 1 1f 1F 2D 2D 2Dr 3Dr 4DR 4DR 5DR 7DR 7DR 8DR 9DR",
    "50+": "- - - 1 1 1 1f 2F 2D 2D 3Dr 4Dr 5DR 5DR 6DR 8DR 9DR 10DR 11DR",
}

ATTACKER = {
    "0-3": "3D 2D 2D 1D 1D 1D D D D D Da Fa fa Ea a a a a a",
    "4-6": "4D 3D 2D 2D 2D 2D 1D 1D 1D 1D Da Fa fa Ea a a a a a",
    "7-11": "5D 4D 3D 2D 2D 2D 2D 1D 1D 1D 1Da Fa fa Ea a a a a a",
    "12-18": "5D 4D 3D 3D 2D 2D 2D 1D 1D 1D 1Da 1Fa 1fa Ea a a a a a",
    "19-26": "6D 5D 5D 4D 3D 3D 3D 2D 2D 2D 2Da 2Fa 1fa 1Ea 1a a a a a",
    "27-37": "8D 7D 6D 6D 5D 4D 3D 3D 3D 3D 2Da 2Fa 2fa 1Ea 1a 1a a a a",
    "38-49": "10D 9D 8D 7D 6D 5D 5D 5D 4D 3D 3Da 3Fa 3fa 2Ea 1a 1a 1a a a",
    "50-59": "12D 11D 10D 9D 8D 7D 7D 6D 5D 4D 4Da 4Fa 3fa 2Ea 2a 1a 1a 1a a",
    "60-69": "14D 13D 12D 11D 9D 8D 8D 7D 6D 5D 5Da 5Fa 4fa 3Ea 2a 2a 1a 1a 1a",
    "70+": "16D 15D 13D 12D 10D 9D 9D 8D 8D 7D 6Da 6Fa 5fa 3Ea 3a 2a 2a 1a 1a",
}

CHARTS = (("combat_defender", DEFENDER), ("combat_attacker", ATTACKER))

OTHERS = """
disorganised values 1=1/2 2=1 3=2 4=3 5=3 6=4 7=5 8=6 9=6 10=7 11=8 12=8 13=9 14=10 15=10 16=11 17=12 18=12 19=13
disorganised values 20=14 21=14
movement links road=1 pike=1 railroad=1 trail=2
movement terrain clear=3 rolling=4 woods=4 rough=5 hill=5 mountain=6 swamp=6 city=3
movement crossings bridge=0 ford=1 ferry=2 dam=0
movement creek=1
movement ridge=1
movement stacking division=1 brigade=1/2 regiment=0
allowance march union-infantry=1d6 confederate-infantry=1d6+1 union-cavalry=2d6 confederate-cavalry=2d6
allowance activation union-infantry=1d6+1 confederate-infantry=1d6+2 confederate-cavalry=2d6+2
allowance forced infantry=2 cavalry=4
extended_march columns_army 0=ANV 1=AP 2=AV
extended_march rows_die <=1 0=- 1=- 2=-
extended_march rows_die 2 0=- 1=- 2=D
extended_march rows_die 3 0=- 1=D 2=D
extended_march rows_die 4 0=D 1=D 2=D1
extended_march rows_die 5 0=D 1=D1 2=D1
extended_march rows_die 6 0=D1 1=D2 2=D2
extended_march rows_die >=7 0=D2 1=D2 2=D3
extended_march modifiers fatigue-4=1 cavalry=-1
artillery columns_terrain 0=clear 1=rolling 2=rough-or-hill 3=woods,-city-or-mountain 4=swamp
artillery rows_difference <=-4 0=-3 1=-2 2=-1 3=0 4=0
artillery rows_difference -3..1 0=-2 1=-1 2=0/-1 3=0 4=0
artillery rows_difference 2..4 0=0 1=0 2=0 3=0 4=0
artillery rows_difference 5..7 0=1 1=1/0 2=0 3=0 4=0
artillery rows_difference >=8 0=2/1 1=1 2=1/0 3=0 4=0
modifiers defender crossing=2 mountain=2 mountain-from-mountain=1 hill=1 hill-from-height=0
modifiers defender creek=1 ridge=2 demoralised=-1
modifiers attacker assault=1 commander=1
modifiers ratio=5
modifiers flank 5=2 6=4
modifiers reductions=3
modifiers cover=4
modifiers refused 1=1 2=1 3=2 4=2
modifiers attacks column modifier=-3
modifiers attacks column points infantry=0 cavalry=0
modifiers attacks hasty modifier=-1
modifiers attacks hasty points infantry=1 cavalry=2
modifiers attacks normal modifier=0
modifiers attacks normal points infantry=2 cavalry=4
modifiers attacks prepared modifier=1
modifiers attacks prepared points infantry=4 cavalry=4
modifiers most attacker=70 defender=60 half-entrenched=100 entrenched=130
retreats retreat least=2 most=4 zone=1
retreats rout least=4 most=6 zone=2
retreats cavalry least=2 most=4 zone=1
retreats override=1
works stages 0=breastworks-build 1=breastworks 2=fort-build 3=fort
works times 0=1-1/2 1=2 2=2 3=3
bridges union=4 confederate=3
recovery fatigue 0=0 1=0 2=0 3=1 4=2
rain links road=2 pike=1-1/2 railroad=2 trail=3
rain terrain clear=3 rolling=5 woods=5 rough=6 hill=6 mountain=7 swamp=7 city=3
rain attacker=-1 creek=2
events 2=rain-now+2 3=rain-now+1 4=early-union 5=early-confederate 6=late-union 7=early-union 8=paralysis-union
events 9=rain-now 10=early-confederate 11=late-confederate 12=paralysis-confederate
paralysis points infantry=2 cavalry=4
cycle_ends 3=2 12=3
panic die=-1
repair die=4
manpower most infantry-division=18 infantry-brigade=9 infantry-regiment=2 cavalry-brigade=4 cavalry-regiment=2
forage Caroline confederate=6 union=3
forage Clarke confederate=5 union=5
forage Culpeper confederate=5 union=3
forage Fairfax confederate=3 union=5
forage Fauquier confederate=4 union=4
forage Frederick confederate=5 union=5
forage King-George confederate=4 union=4
forage Loudoun confederate=5 union=6
forage Madison confederate=5 union=3
forage Montgomery confederate=4 union=6
forage Orange confederate=6 union=3
forage Prince-William confederate=4 union=4
forage Rappahannock confederate=4 union=3
forage Spotsylvania confederate=5 union=3
forage Stafford confederate=4 union=4
forage Warren confederate=4 union=4
"""
"""All that isn't the chart, a block a line; spaces in words are hyphens here."""

ONLY_TEXT = {"provenance"}


def leaves(data: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every number and word of the tables but for the chart, with its place."""
    if isinstance(data, Mapping | list):
        items = data.items() if isinstance(data, Mapping) else ((str(i), one) for i, one in enumerate(data))
        for key, one in items:
            if key not in ONLY_TEXT and key not in ("combat_defender", "combat_attacker"):
                yield from leaves(one, (*path, key))
    else:
        yield path, data


def typed() -> dict[str, str]:
    """Place -> what stands there, as typed above."""
    found = {}
    for line in OTHERS.strip().splitlines():
        words = [word for word in line.split() if "=" not in word.lstrip("<>=")]
        for pair in (word for word in line.split() if "=" in word.lstrip("<>=")):
            key, _, value = pair.partition("=")
            found[" ".join((*words, key))] = value
    return found


def differences(data: Mapping[str, Any]) -> Iterator[str]:
    """Where the tables differ from what is typed here."""
    for name, columns in CHARTS:
        for i, column in enumerate(columns.values()):
            for n, cell in enumerate(column.split()):
                star = "*" if name == "combat_defender" and n >= DIFFERENCES.index("8") else ""
                if data[name]["rows_difference"][DIFFERENCES[n]][i] != cell + star:
                    yield f"{name} {DIFFERENCES[n]} {i}"
    expected = typed()
    found = {" ".join(key.replace(" ", "-") for key in path): one.replace(" ", "-") for path, one in leaves(data)}
    yield from (key for key in expected.keys() | found.keys() if expected.get(key) != found.get(key))


def read(data: Mapping[str, Any]) -> Tables:
    """The tables as the rules have them."""
    defects = Defects()
    found = read_tables(data, defects)
    defects.raise_any("tables")
    return found


@pytest.fixture
def tables(shipped: Mapping[str, Any]) -> Tables:
    return read(shipped["tables"])


@pytest.mark.clause(
    "std-2.2-3", "std-7.5-1", "std-7.3-3", "std-7.1-2", "std-7.1-3", "std-7.2-1", "std-7.2-2", "std-7.4-13",
    "std-5.1-8", "std-6.1-2", "std-8.0-2", "std-9.0-2", "std-9.0-7", "std-10.0-2",
)  # fmt: skip
def test_every_cell_is_as_typed_twice(shipped: Mapping[str, Any]) -> None:
    data = shipped["tables"]
    for name, columns in CHARTS:
        assert data[name]["columns_value"] == [*columns]
        assert list(data[name]["rows_difference"]) == DIFFERENCES
    assert not list(differences(data))


def test_any_one_cell_changed_is_found(shipped: Mapping[str, Any]) -> None:
    changed = 0
    for name, columns in CHARTS:
        for key in DIFFERENCES:
            for i in range(len(columns)):
                wrong = copy.deepcopy(shipped["tables"])
                cell = wrong[name]["rows_difference"][key][i]
                wrong[name]["rows_difference"][key][i] = "7Dr" if cell != "7Dr" else "-"
                assert list(differences(wrong)) == [f"{name} {key} {i}"]
                changed += 1
    assert changed == 19 * (8 + 10)
    for path, value in leaves(shipped["tables"]):
        wrong = copy.deepcopy(shipped["tables"])
        block: Any = wrong
        for key in path[:-1]:
            block = block[int(key) if isinstance(block, list) else key]
        block[int(path[-1]) if isinstance(block, list) else path[-1]] = value + "9"
        assert len(list(differences(wrong))) == 1, path


@pytest.mark.clause("std-7.5-1")
def test_results_read_as_the_chart_has_them(tables: Tables) -> None:
    """Letters apart, at the ends of the chart and beyond."""
    assert tables.result("defender", -8, 200) == tables.result("defender", -30, 200) == Cell(0, "", "", panic=False)
    assert tables.result("defender", 10, 200) == tables.result("defender", 30, 200) == Cell(11, "D", "R", panic=True)
    assert tables.result("attacker", -30, 2) == Cell(3, "D", "", panic=False)
    assert tables.result("attacker", 5, 38) == Cell(1, "E", "a", panic=False)
    for name, columns in CHARTS:
        for side in (name.removeprefix("combat_"),):
            for heading, cells in columns.items():
                least = int(heading.split("-")[0].rstrip("+"))
                for difference, cell in zip(range(-8, 11), cells.split(), strict=True):
                    assert str(tables.result(side, difference, 2 * least)).rstrip("*") == cell


@pytest.mark.clause("std-7.5-1")
@pytest.mark.parametrize(
    ("halves", "heading"),
    [(1, "0-3"), (7, "0-3"), (8, "4-6"), (13, "4-6"), (14, "7-11"), (23, "7-11"), (24, "12-18"), (99, "38-49"),
     (100, "50+"), (260, "50+")],
)  # fmt: skip
def test_columns_of_the_defender_drop_half_points(tables: Tables, halves: int, heading: str) -> None:
    column = tables.defender.column(halves // 2)
    assert tables.defender.headings[column] == heading
    found = [str(tables.result("defender", difference, halves)).rstrip("*") for difference in range(-8, 11)]
    assert found == DEFENDER[heading].split()


def test_a_higher_difference_is_never_worse_for_the_attacker(tables: Tables) -> None:
    worth = {"D": 4, "F": 3, "f": 2, "E": 1, "": 0}
    move = {"": 0, "r": 1, "R": 2}
    for halves in (2, 8, 14, 24, 38, 54, 76, 100, 120, 140):
        of = [tables.result("defender", n, halves) for n in range(-8, 11)]
        assert all(a.loss <= b.loss and move[a.move] <= move[b.move] for a, b in pairwise(of))
        of = [tables.result("attacker", n, halves) for n in range(-8, 11)]
        assert all(a.loss >= b.loss and worth[a.state] >= worth[b.state] for a, b in pairwise(of))
        assert [cell.move for cell in of] == [""] * 10 + ["a"] * 9


@pytest.mark.clause("std-5.1-8", "std-7.3-3", "std-5.1-2", "std-5.2-2")
def test_words_of_the_tables_as_the_rules_read_them(tables: Tables) -> None:
    assert tables.strain("ANV", 1) == Strain(disorganised=False, loss=0)
    assert tables.strain("AP", 3) == Strain(disorganised=True, loss=0)
    assert tables.strain("AV", 9) == Strain(disorganised=True, loss=3)
    assert tables.guns(-9, "clear") == (-3, -3)
    assert tables.guns(0, "hill") == (0, -1)
    assert tables.guns(8, "clear") == (2, 1)
    assert tables.guns(8, "swamp") == tables.guns(4, "clear") == tables.guns(8, "woods") == (0, 0)
    assert [tables.attacks[kind].points["cavalry"] for kind in tables.attacks] == [0, 4, 8, 8]
    assert tables.works == (1, Fraction(3, 2), 2, 2, 3)
    assert tables.march["confederate", "infantry"] == Allowance(1, 1)
    assert tables.activation["confederate", "cavalry"] == Allowance(2, 2)
    assert ("union", "cavalry") not in tables.activation
    assert tables.stacking == {"division": 2, "brigade": 1, "regiment": 0}
    assert tables.disorganised[:6] == (0, 1, 2, 4, 6, 6)


@pytest.mark.parametrize(
    "path",
    [("combat_defender", "rows_difference", "0", 3), ("artillery", "rows_difference", "-3..1", 2),
     ("extended_march", "rows_die", "2", 1), ("movement", "terrain", "clear"), ("works", "times", 0)],
)  # fmt: skip
def test_cells_that_nobody_can_read_are_refused(shipped: Mapping[str, Any], path: tuple[Any, ...]) -> None:
    wrong: Any = copy.deepcopy(shipped["tables"])
    block = wrong
    for key in path[:-1]:
        block = block[key]
    for word in ("Q9", *(("1/2", "0") if path[0] == "works" else ())):
        block[path[-1]] = word
        with pytest.raises(BadScenario):
            read(wrong)
