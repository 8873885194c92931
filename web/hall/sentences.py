"""What pages of a hall say."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from companion.base.names import key_of
from companion.club.hall.hall import HallView, ListedTable
from companion.club.hall.scoring import SCHEMES, Ranked
from companion.club.hall.store import KeptResult
from companion.club.hall.tables import Need, NeedKind, TableEntry
from companion.club.hall.tournament import DrawnTable, TableGame, Tournament, table_count
from companion.table.scene import Trouble
from web import text
from web.hall import words
from web.i18n import gettext, language, lazy_gettext, ngettext

PHASES = {
    "lobby": lazy_gettext("In the lobby"),
    "dealing": lazy_gettext("Dealing"),
    "playing": lazy_gettext("Playing"),
    "over": lazy_gettext("Game over"),
}
"""What a table does."""

SCHEME_NAMES = {
    "dollars": lazy_gettext("Dollars, as in the publisher’s tournaments"),
    "wins": lazy_gettext("3 points for a win, 1 for survival"),
}
"""The ways to score games."""

_NEEDS = {
    NeedKind.NEWER: lazy_gettext("runs a newer version: update the hall (%(detail)s)"),
    NeedKind.UNREADABLE: lazy_gettext("sends what can’t be read (%(detail)s)"),
    NeedKind.RIVALS: lazy_gettext("two tables have this name: rename one in its settings"),
    NeedKind.STOPPED: lazy_gettext("is gone in the middle of a game"),
    NeedKind.CAMERA: lazy_gettext("the camera doesn’t work (%(detail)s)"),
    NeedKind.DICE: lazy_gettext("the dice can’t be accepted"),
    NeedKind.MISREAD: lazy_gettext("dice were corrected %(detail)s times in this game"),
    NeedKind.IDLE: lazy_gettext("nothing has happened for %(detail)s minutes"),
}


_TROUBLES: Mapping[str, lazy_gettext] = {
    Trouble.SAVING: lazy_gettext("nothing can be saved (%(detail)s)"),
    Trouble.DAMAGE: lazy_gettext("the saved game was damaged: see its pages"),
    Trouble.OLDER: lazy_gettext("the saved game was older, or another table’s: see its pages"),
    Trouble.LOST: lazy_gettext("the saved game’s file was missing: see its pages"),
    Trouble.MISSING: lazy_gettext("files of the table are missing: see its pages"),
    Trouble.SETUP: lazy_gettext("the camera’s set-up was damaged: set up the camera again"),
    Trouble.GREEN: lazy_gettext("the green button is stuck (%(detail)s)"),
    Trouble.RED: lazy_gettext("the red button is stuck (%(detail)s)"),
    Trouble.LIGHT: lazy_gettext("a light doesn’t work (%(detail)s)"),
    Trouble.MQTT: lazy_gettext("it can’t publish everything (%(detail)s)"),
    Trouble.STAND_INS: lazy_gettext("the stand-ins don’t play (%(detail)s)"),
    Trouble.ODDS: lazy_gettext("the chances aren’t worked out (%(detail)s)"),
    Trouble.STATISTICS: lazy_gettext("its statistics aren’t brought up to date (%(detail)s)"),
    Trouble.ROLLS: lazy_gettext("pictures of rolls aren’t kept (%(detail)s)"),
    Trouble.LEARNING: lazy_gettext("nothing is learned from corrections (%(detail)s)"),
    Trouble.DICE: lazy_gettext("its dice may not be those that it reads (%(detail)s)"),
    Trouble.ANNOUNCER: lazy_gettext("its loudspeaker doesn’t tell what happens (%(detail)s)"),
    Trouble.SPEAKER: lazy_gettext("its loudspeaker doesn’t play (%(detail)s)"),
    Trouble.DEMONSTRATION: lazy_gettext("its demonstration doesn’t begin games (%(detail)s)"),
    Trouble.PAGES: lazy_gettext("its open pages aren’t brought up to date (%(detail)s)"),
    Trouble.POWER: lazy_gettext("it should turn off (%(detail)s)"),
    Trouble.LIVE_VIEW: lazy_gettext("what its camera shows isn’t looked at (%(detail)s)"),
}
"""By the part of a table that fails."""

_ANY_TROUBLE = lazy_gettext("a part doesn’t work (%(part)s: %(detail)s)")
"""Of parts that only later versions have."""


def need(found: Need) -> str:
    """Return what a table needs help with."""
    said = {"part": found.part, "detail": text.translate(found.detail)}
    if found.kind is NeedKind.TROUBLE:
        return str(_TROUBLES.get(found.part, _ANY_TROUBLE)) % said
    return str(_NEEDS[found.kind]) % said


def phase(entry: TableEntry) -> str:
    """Return what a table does."""
    if entry.online is False:
        return gettext("Off")
    return str(PHASES[entry.phase]) if entry.phase else gettext("Not known yet")


def anchor(name: str) -> str:
    """Return a table's name as part of an id, which has no spaces; no name contains a slash."""
    return name.replace(" ", "/")


def overview(view: HallView) -> str:
    """Return how many tables there are, and what they do."""
    tables = len(view.tables)
    playing = sum(
        table.entry.phase == "playing" and table.entry.online is not False for table in view.tables
    )
    return " · ".join(
        (
            ngettext("%(num)s table", "%(num)s tables", tables),
            ngettext("%(num)s playing", "%(num)s playing", playing),
        )
    )


def tables_in_need(view: HallView) -> list[ListedTable]:
    """Return the tables that need help."""
    return [table for table in view.tables if table.needs]


class WaitingPlayers(NamedTuple):
    """Who waits at a table."""

    table: str
    """The table's name."""
    names: Sequence[str]
    """Who waits for its next game."""


def waiting(view: HallView) -> list[WaitingPlayers]:
    """Return who waits, by table."""
    return [
        WaitingPlayers(table.entry.name, table.entry.waiting)
        for table in view.tables
        if table.entry.waiting and table.entry.online is not False
    ]


class ShownDie(NamedTuple):
    """A die of a table."""

    face: str
    """What it shows."""
    name: str
    """What that is called."""


def dice(state: Mapping[str, Any]) -> list[ShownDie]:
    """Return the dice in the tray, or else those that were accepted; only those with drawings."""
    game = state["game"]
    lying = [die["face"] for die in state["dice"]["dice"]]
    faces = lying if any(lying) else game["board"].get("dice") or ()
    named = ((face, words.face(game["game"], game["ruleset"], face)) for face in faces if face)
    return [ShownDie(face, name) for face, name in named if name]


def outcome(game: Mapping[str, Any]) -> str:
    """Return how a game on a table ended."""
    won = [game["players"][seat]["name"] for seat in game["outcome"]["winners"]]
    return ending(game["game"], game["ruleset"], game["outcome"]["side"], won)


def result(found: KeptResult) -> str:
    """Return how a game ended."""
    won = [seat.name for seat in found.game.seats if seat.won]
    return ending(found.kind, found.ruleset, found.game.side, won)


def ending(game: str, ruleset: str, side: str, winners: Sequence[str]) -> str:
    """Return which side won, and who."""
    name = text.capital(words.side(game, ruleset, side))
    if not winners:
        return name
    return gettext("%(side)s: %(winners)s", side=name, winners=", ".join(winners))


def time(at: str) -> str:
    """Return the time of day of a result in the time of this place."""
    return datetime.fromisoformat(at).astimezone().strftime("%H:%M")


def points(scheme: str, value: int) -> str:
    """Return points in the notation of a scheme and of the page's language."""
    gap = {"en": ",", "fr": "\N{NARROW NO-BREAK SPACE}"}[language()]
    number = f"{value:,}".replace(",", gap)
    unit = SCHEMES[scheme].unit
    if not unit:
        return number
    return f"{unit}{number}" if language() == "en" else f"{number}\N{NO-BREAK SPACE}{unit}"


class SeatedTable(NamedTuple):
    """A table of a round, as a page shows it."""

    drawn: DrawnTable
    """The draw."""
    players: Sequence[str]
    """The players, clockwise."""
    missing: Sequence[str]
    """Who was drawn and isn't at the table; empty if the table isn't known."""
    others: Sequence[str]
    """Who is at the table and wasn't drawn."""


def round_tables(view: HallView, tournament: Tournament) -> list[SeatedTable]:
    """Return the tables of the open round."""
    round_ = tournament.open_round
    names = tournament.names
    entries = {table.entry.name: table.entry for table in view.tables}
    found = []
    for table in round_.tables if round_ else ():
        drawn = [names[player] for player in table.seats]
        entry = entries.get(table.table)
        there = (
            [person["name"] for person in entry.state["people"]] if entry and entry.state else []
        )
        found.append(
            SeatedTable(table, drawn, _without(drawn, there), _without(there, drawn))
            if there and not table.game
            else SeatedTable(table, drawn, (), ())
        )
    return found


def _without(names: Sequence[str], others: Sequence[str]) -> list[str]:
    keys = {key_of(name) for name in others}
    return [name for name in names if key_of(name) not in keys]


def game_of(game: TableGame) -> str:
    """Return how a game of the tournament ended."""
    won = [seat.name for seat in game.seats if seat.won]
    said = ending(words.TOURNAMENT, "base", game.side, won)
    return said if game.number else gettext("%(result)s (entered by hand)", result=said)


def role(name: str) -> str:
    """Return what a role of the tournament is called."""
    return text.capital(words.role(words.TOURNAMENT, "base", name))


def sides(players: int) -> Mapping[str, str]:
    """Return who may have won at a table of so many players, each with what that is called."""
    found = (
        ("law", "outlaws", "renegade") if players > 3 else ("deputy", "outlaw", "renegade", "none")
    )
    return {side: text.capital(words.side(words.TOURNAMENT, "base", side)) for side in found}


def place(line: Ranked[Any]) -> str:
    """Return a place in the standings; a dash for who played too few games."""
    return str(line.place) if line.counts else "–"


def next_round(view: HallView, tournament: Tournament) -> str:
    """Return what the next draw would be with the tables that are there."""
    players = sum(entrant.active for entrant in tournament.entrants)
    tables = sum(table.entry.online is not False for table in view.tables)
    count = table_count(players, tables, tournament.least, tournament.most)
    byes = max(0, players - count * tournament.most)
    said = gettext(
        "%(players)s players at %(count)s of %(tables)s tables",
        players=players,
        count=count,
        tables=tables,
    )
    if byes and count:
        said += " · " + ngettext("%(num)s bye", "%(num)s byes", byes)
    return said
