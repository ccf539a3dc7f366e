"""How things stand: games, report."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.checking import OVER, against_laid, in_force, why_never_sent
from pbem.cli.common import (
    as_json,
    asks_me,
    cache_folder,
    check_entry,
    desk,
    echo,
    error_data,
    folded,
    hint,
    hold,
    in_words,
    json_option,
    look,
    look_at,
    moment,
    pictures_folder,
    scenario_of,
    show,
    tell,
    tell_damage,
    time_up,
    time_up_words,
    utc,
)
from pbem.cli.files import save
from pbem.cli.naming import game_option
from pbem.cli.noting import notes_for
from pbem.cli.showing import news_since, page_of, screen
from pbem.cli.written import writable
from pbem.errors import PbemError, Refused
from pbem.home.files import read_small
from pbem.home.laid import Laid, laid_in, laid_now
from pbem.home.wishes import wish_of
from pbem.language import ENGLISH, clauses, language, say, shown, spoken
from pbem.match.table import BARE, proposal_words
from pbem.wire.orderfile import decoded, parse_statements
from pbem.words import nearest, own

if TYPE_CHECKING:
    from pbem.desk.desk import Desk, Place
    from pbem.home.folders import Folder
    from pbem.match.table import Table
    from pbem.picture.scene import Picture
    from pbem.scenario import Scenario

__all__ = ["games_command", "report_command", "write_pictures"]

DAY = 86400

DRAFT_MAX = 2 << 20
"""Bytes of a file of orders that are read."""


# --- games -------------------------------------------------------------------------------------------------------


@click.command("games")
@click.option("--rename", nargs=2, metavar="GAME NAME", help="Call a game otherwise from now on; only I see its name.")
@click.option("--withdraw", metavar="OFFER", help="Withdraw an offer of mine that nobody has accepted, by its id.")
@json_option
@click.pass_context
def games_command(ctx: click.Context, rename: tuple[str, str] | None, withdraw: str | None, as_json_data: bool) -> int:
    """My games: whose move, what is asked, since when.

    Each has a name for --game. Where none is named, a command is about my only game, or the only one in which I am
    asked.

    \b
    Example: pbem games
             pbem games --rename toba-fushimi revenge
    """
    me = desk(ctx)
    if rename is not None:
        return _rename(ctx, me, *rename)
    if withdraw is not None:
        return _withdraw(ctx, me, withdraw)
    ctx.obj["quiet"] = True  # what only a passphrase would tell is left out
    if as_json_data:
        ctx.with_resource(spoken(ENGLISH))
    rows: dict[str, list[dict[str, Any]]] = {"games": [], "offers": []}
    errors: list[PbemError] = []
    named = me.home.named().items()
    for name, folder in [*named, *(("", offer) for offer in me.home.offers())]:
        try:
            rows[folder.kind].append(_game(ctx, me, folder, name) if folder.kind == "games" else _offer(folder))
        except PbemError as error:
            errors.append(error)
            tell(error, f"{folder.kind.removesuffix('s')} {folder.id}: ")
    if as_json_data:
        as_json(rows | {"errors": [error_data(error) for error in errors]})
        return 1 if errors else 0
    for row in rows["games"]:
        _tell_game(row)
    for offer in rows["offers"]:
        called = f"{offer['offer']}  {offer['scenario']}, an offer of mine to {offer['to'] or 'anybody'}"
        show(folded(called, "", "    "))
        show(folded(f"nobody has accepted yet; since {_since(offer['since'])}", "    "))
    if not errors and not any(rows.values()):
        echo(f"there are no games in {me.home.root}")
        hint("`pbem tutorial` teaches how, `pbem offer` begins one, `pbem demo` shows one")
    return 1 if errors else 0


def _rename(ctx: click.Context, me: Desk, game: str, name: str) -> int:
    """Call a game otherwise."""
    me.home.find(game)
    hold(ctx, me.home)
    folder = me.home.find(game)
    before = me.home.name_of(folder)
    me.home.rename(folder, name)
    echo(f"game {before} is {name} from now on; id {folder.id}")
    return 0


def _withdraw(ctx: click.Context, me: Desk, named: str) -> int:
    """Forget an offer of mine: who accepts it later begins no game with me."""
    hold(ctx, me.home)
    offers = me.home.offers()
    found = [offer for offer in offers if offer.id.startswith(named)]
    if len(found) != 1:
        there = ", ".join(offer.id for offer in offers)
        what = f"{named!r:.60} is the beginning of {len(found) or 'none'} of my offers that nobody has accepted"
        raise Refused(what, "--withdraw", f"there are: {there}" if there else "there is none")
    to = found[0].contact().to
    found[0].remove()
    echo(f"offer {found[0].id} is withdrawn; an accept of it begins no game here")
    hint(f"tell {to or 'whoever has it'}, whose program doesn't know")
    return 0


def _game(ctx: click.Context, me: Desk, folder: Folder, called: str) -> dict[str, Any]:
    """What is told of a game, which is called so."""
    from pbem.home.bots import bot_of
    from pbem.report.asked import kept_words

    tell_damage(ctx, folder)
    with look(ctx, me):
        table = me.glance(folder)
    due, outcome, terms = table.due(), table.outcome, table.genesis.terms
    situation = table.rules.situation(table.game.state)
    name = folder.contact().name
    up = time_up(folder, table, name)
    me_in = due.player if terms.solo else name
    bot = bot_of(folder)
    own(called, *(player.name for player in table.genesis.players))
    return {
        "name": called,
        "game": folder.id,
        "scenario": terms.scenario,
        "players": {p.name: p.side for p in table.genesis.players},
        "bot": bot.root.name if bot is not None else None,
        "persons": {p.name: p.person or p.name for p in table.players.values()},
        "entry": table.seq,
        "turn": situation["turn"],
        "turn_title": table.rules.TURN,
        "phase": situation["phase"]["title"],
        "due": due.what,
        "from": due.player,
        "mine": asks_me(table, folder),
        "asked": proposal_words(table) or (due.request.prompt if due.request and due.what not in BARE else ""),
        "wish": str(wish) if (wish := wish_of(folder)) is not None and not wish.why_never(table) else None,
        "planned": in_force(table, me_in or name) or None,
        "draft": _draft(folder, table),
        "laid": [_laid(table, folder, me_in or name, one) for one in laid_in(folder)],
        "ahead": kept_words(table, me_in, cache_folder(me, "ahead")),
        "since": _stamp(folder.times(table.seq + 1)[table.seq]),
        "deadline": terms.deadline or None,
        "time_up": _stamp(up) if up is not None else None,
        "outcome": outcome._asdict() if outcome and due.what == "nothing" else None,
    }


def _draft(folder: Folder, table: Table) -> str | None:
    """The file of `pbem edit` for what is due from me, where something is typed in it."""
    path = folder.draft(table.seq + 1)
    if asks_me(table, folder) and table.due().what in ("orders", "react"):
        with suppress(OSError, PbemError):
            if any(parse_statements(decoded(read_small(path, DRAFT_MAX)))):
                return str(path)
    return None


def _laid(table: Table, folder: Folder, me: str, laid: Laid) -> dict[str, Any]:
    """What is told of laid orders: what is said against them if they are due now."""
    due, over = laid == laid_now(folder, table, me), laid.over(table)
    against = against_laid(table, me, laid)[0] if due else "" if over else why_never_sent(table, me, laid)
    return {"for": laid.moment.words(table), "over": over, "against": against}


def _offer(folder: Folder) -> dict[str, Any]:
    from pbem.wire.bodies import read_terms

    _, terms = read_terms(folder.turns()[0].entry)
    return {
        "offer": folder.id,
        "scenario": terms.scenario,
        "to": folder.contact().to,
        "since": _stamp(folder.grown()),
    }


def _titles(scenario: str) -> dict[str, str]:
    """Id -> title of the sides of a scenario in another language than English; none where it can't be read."""
    if language() == ENGLISH:
        return {}
    from pbem.scenario import japanese_names, load_scenario

    with suppress(PbemError):
        loaded = load_scenario(scenario)
        names = japanese_names(loaded.system)
        return {side["id"]: shown(side["title"], names) for side in loaded.data["scenario"]["sides"]}
    return {}


def _tell_game(row: dict[str, Any]) -> None:
    """A game in a few lines: who plays, where it stands, whose move."""
    persons = {
        name: person if person == name else say("%(person)s for %(name)s", person=person, name=name)
        for name, person in row["persons"].items()
    }
    bots = {row["bot"]: ", a bot here"}
    titles = _titles(row["scenario"])
    sides = say(" v ").join(
        f"{persons[name]} ({titles.get(side, side)}{bots.get(name, '')})" for name, side in row["players"].items()
    )
    show(folded(f"{row['name']}  {row['game']}  {row['scenario']}: {sides}", "", "    "))
    if row["due"] == "nothing":
        show(folded(row["ahead"], "    "))
        _tell_laid(row)
        return
    show(folded(f"{row['turn_title']} {row['turn']}, {row['phase']}; entry {row['entry']}", "    "))
    show(folded(clauses([_whose_move(row), *_allowed(row)]), "    "))
    show(folded(row["ahead"], "    "))
    if row["bot"] is not None and row["from"] == row["bot"]:
        show(folded(f"{row['bot']} plays here and sends no mail: `pbem send --again` lets it go on", "    "))
    if row["wish"]:
        mail = "mail" if row["bot"] is None else "entry"
        show(folded(f"kept for the next {mail} of mine that may carry it, before any orders: {row['wish']}", "    "))
    if row["planned"]:
        show(folded(row["planned"], "    "))
    if row["draft"]:
        begun = f"orders are begun in {Path(row['draft']).name} of the game's folder: `pbem edit` goes on with them"
        show(folded(begun, "    "))
    _tell_laid(row)


def _whose_move(row: dict[str, Any]) -> str:
    """Whose move it is, and since when."""
    since = in_words(_since(row["since"]))
    if row["mine"]:
        return say("my move since %(since)s", since=since)
    return say("%(player)s's move since %(since)s", player=row["from"], since=since)


def _allowed(row: dict[str, Any]) -> list[str]:
    """For how long, or until when; nothing without a deadline."""
    if row["time_up"]:
        return [in_words(time_up_words(row["from"], _seconds(row["time_up"])))]
    days = row["deadline"]
    return [say("1 day is allowed") if days == 1 else say("%(days)s days are allowed", days=days)] if days else []


def _tell_laid(row: dict[str, Any]) -> None:
    """The orders that are laid in a game, in a few lines."""
    for laid in row["laid"]:
        more = OVER if laid["over"] else laid["against"]
        show(folded(f"orders are laid for {laid['for']}{'; ' * bool(more)}{more}", "    "))


def _stamp(seconds: float) -> str:
    """A moment for programs: `2026-11-21T10:48:00Z`."""
    return utc(seconds, "%Y-%m-%dT%H:%M:%SZ")


def _since(stamp: str) -> str:
    """A moment for the eye: `2026-11-21 10:48 UTC, 3 days`."""
    days = int(time.time() - _seconds(stamp)) // DAY
    ago = "today" if days <= 0 else "1 day" if days == 1 else f"{days} days"
    return f"{moment(_seconds(stamp))} ({ago})"


def _seconds(stamp: str) -> int:
    import calendar

    return calendar.timegm(time.strptime(stamp, "%Y-%m-%dT%H:%M:%SZ"))


# --- report ------------------------------------------------------------------------------------------------------


@click.command("report")
@click.option("--entry", type=int, metavar="N", help="As things stood after entry N (default: now).")
@click.option("--format", "form", type=click.Choice(["text", "html", "json", "svg", "png"]), default="text",
              show_default=True, help="What to write; png needs pbem[png].")  # fmt: skip
@json_option
@click.option("--map", "only", metavar="MAP", help="Of several maps only this one (default: all).")
@click.option("--crops", is_flag=True, help="Of the pictures only where something happened since my last entry.")
@click.option("--reach", metavar="UNIT", multiple=True,
              help="On a table also the full range of this unit's fire and move, whatever stands in the way "
              "(may be given several times).")  # fmt: skip
@click.option("--so-far", is_flag=True,
              help="The whole game so far in place of the situation: a calendar, losses and score by turn, and where "
              "each formation went.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE", type=click.Path(),
              help="Write it there (default: standard output); each of several pictures to FILE-NAME.")  # fmt: skip
@game_option
@click.pass_context
def report_command(
    ctx: click.Context, entry: int | None, form: str, as_json_data: bool, only: str | None, crops: bool,
    reach: tuple[str, ...], so_far: bool, output: str | None, game: str | None,
) -> None:  # fmt: skip
    """The situation report as text, HTML, JSON, or as a picture.

    \b
    Example: pbem report --format html -o report.html
             pbem report --so-far --format html -o so-far.html
    """
    from pbem.report.source import report_data

    if as_json_data or form == "json":
        ctx.with_resource(spoken(ENGLISH))
    if form == "png" and (output is None or not output.lower().endswith(".png")):
        raise Refused("a PNG picture needs a file of that name", "-o", "write it with `-o report.png`")
    if crops and (output is None or form not in ("svg", "png")):
        raise Refused("parts of maps are pictures, each in a file", "--crops", "add `--format png -o report.png`")
    if form not in ("svg", "png"):
        writable(output, "json" if as_json_data else form)
    if so_far and (crops or reach):
        raise Refused("it has tracks in place of moves and ranges", "--so-far", "leave out --crops and --reach")
    me, place = look_at(ctx, game)
    if so_far:
        _write_so_far(me, place, entry, "json" if as_json_data else form, only, output)
        return
    if entry is not None:
        place.table = _table_after(me, place, entry)
    scenario = scenario_of(me, place)
    if form in ("svg", "png"):
        drawn = _pictures(me, place, scenario, only, reach)
        write_pictures(output or "-", _crops(me, place, scenario, drawn) if crops else drawn, form)
        return
    compiled = cache_folder(me, "templates")
    data = report_data(place.table, scenario, place.me, compiled, notes_for(place), news_since(place))
    if as_json_data or form == "json":
        written = json.dumps(data, indent=1, sort_keys=True) + "\n"
    elif form == "html":
        written = page_of(me, place, data, _pictures(me, place, scenario, only, reach))
    else:
        written = screen(data, compiled)
    save(output, written.encode("utf-8"))


def _write_so_far(me: Desk, place: Place, entry: int | None, form: str, only: str | None, output: str | None) -> None:
    """Write the whole game so far, or to an entry, in a form."""
    from pbem.cli.so_far import so_far

    if entry is not None:
        check_entry(entry, place.table.seq)
    found = so_far(me, place, entry, form, only)
    if isinstance(found, str):
        save(output, found.encode("utf-8"))
    else:
        write_pictures(output or "-", found, form)


def _table_after(me: Desk, place: Place, entry: int) -> Table:
    """The table as it stood after an entry. Raises Refused for a number that the log doesn't have."""
    from pbem.match.replay import replay

    check_entry(entry, place.table.seq)
    table = replay(place.text, me.home.load, until=entry, watch=me.watch).table
    if table is None:
        raise Refused("nobody has accepted this offer yet", place.folder.id)
    return table


def _pictures(
    me: Desk, place: Place, scenario: Scenario, only: str | None, reach: tuple[str, ...] = ()
) -> list[Picture]:
    """The game's maps, or the one of that name. Raises Refused for a name that no map or unit on a table has."""
    from pbem.report.source import pictures

    _check_reach(place.table, reach)
    kept, since = pictures_folder(me.home), news_since(place)
    drawn = pictures(place.table, scenario, place.me, kept, reach=reach, since=since)
    names = [map.name for map in drawn]
    if only is not None and only not in names:
        raise Refused(f"{scenario.title} has no map {only}", "--map", nearest(only.lower(), sorted(names)))
    return [map for map in drawn if only in (None, map.name)]


def _check_reach(table: Table, reach: tuple[str, ...]) -> None:
    """Raises Refused for a unit that doesn't stand on a table."""
    situation = table.rules.situation(table.game.state) if reach else {"units": []}
    known = [unit["id"] for unit in situation["units"] if unit.get("base")]
    for unit in reach:
        if unit not in known:
            hint = nearest(unit, known) if known else "only units on a table have ranges that are drawn"
            raise Refused(f"no unit {unit} stands on a table", "--reach", hint)


def _crops(me: Desk, place: Place, scenario: Scenario, maps: list[Picture]) -> list[Picture]:
    """The parts of these maps where something happened. Raises Refused where nothing has."""
    from pbem.report.source import crops

    names = {map.name for map in maps}
    kept, since = pictures_folder(me.home), news_since(place)
    found = [part for part in crops(place.table, scenario, place.me, kept, since=since) if part.map in names]
    ground = "map" if scenario.data["maps"] else "table"
    if maps and not found:
        raise Refused(
            f"nothing has happened on the {ground} since", "--crops", f"leave it out to see the whole {ground}"
        )
    return found


def write_pictures(path: str, drawn: list[Picture], form: str = "") -> list[str]:
    """Write pictures as SVG, or as PNG when asked for or when the name says so; the paths, one a picture.

    One picture goes to the path itself, each of several beside it: maps.svg becomes maps-NAME.svg. Raises Refused for
    a game without maps and for several on standard output.
    """
    if not drawn:
        raise Refused("the game is played without a map", hint="the report as text or HTML tells all there is")
    if len(drawn) > 1 and path == "-":
        names = " or ".join(f"`--map {map.name}`" for map in drawn)
        raise Refused(f"there are {len(drawn)} maps", hint=f"choose {names}, or write all with -o FILE")
    paths = [str(Path(path).with_stem(f"{Path(path).stem}-{map.name}")) for map in drawn] if drawn[1:] else [path]
    kinds = ["png" if form == "png" or one.lower().endswith(".png") else "svg" for one in paths]
    for one, kind in zip(paths, kinds, strict=True):
        writable(one, kind)
    for one, kind, map in zip(paths, kinds, drawn, strict=True):
        _write_picture(one, map, kind)
    return paths


def _write_picture(path: str, drawn: Picture, kind: str) -> None:
    if kind == "svg":
        save(path, drawn.svg.encode("utf-8"))
        return
    from pbem.picture.png import png

    save(path, png(drawn.svg, drawn.zoom))
