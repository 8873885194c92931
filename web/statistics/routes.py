"""Routes of the statistics of all games, and of what the host changes in them."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, redirect, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from companion.memory.statistics.summary import RATED
from companion.table.views import TableView
from web.access import For, get, looks, post, press_any_time
from web.answers import csv_file, csv_table
from web.games.registry import pages_named
from web.i18n import gettext, language
from web.live import draw, draw_for_visitor, stream_to_phone
from web.site import need, site

if TYPE_CHECKING:
    from companion.memory.statistics.keeper import Statistics

statistics = Blueprint("statistics", __name__)


@get(statistics, "/statistics", For.EVERYBODY)
def overview() -> ResponseReturnValue:
    """Show all games together: players, and what wins."""
    return _page(Wanted("overview"))


@get(statistics, "/statistics/player", For.EVERYBODY)
def player() -> ResponseReturnValue:
    """Show a player over all games; `name`, or the `level` of stand-ins, in the address."""
    return _page(_parse("player"))


@get(statistics, "/statistics/dice", For.EVERYBODY)
def dice() -> ResponseReturnValue:
    """Show whether each set of dice is fair."""
    return _page(Wanted("dice"))


@get(statistics, "/statistics/games", For.EVERYBODY)
def games() -> ResponseReturnValue:
    """List the games by evening; `before`, in the address: only those before a game."""
    return _page(_parse("games"))


@get(statistics, "/live/statistics", For.EVERYBODY)
def live_statistics() -> ResponseReturnValue:
    """Stream a page of the statistics: `of`, and what else its address says."""
    return stream_to_phone("statistics", _context(_parse(request.args.get("of", "overview"))))


@get(statistics, "/statistics/games.csv", For.EVERYBODY)
def games_file() -> ResponseReturnValue:
    """Send a table with a row for each player of each game, for other programs."""
    return csv_file("games", _statistics().every_seat(csv_table))


@get(statistics, "/statistics/players.csv", For.EVERYBODY)
def players_file() -> ResponseReturnValue:
    """Send the players' figures as a table for other programs."""
    return csv_file("players", _statistics().every_player(csv_table))


@get(statistics, "/statistics/dice.csv", For.EVERYBODY)
def dice_file() -> ResponseReturnValue:
    """Send how often each set of dice showed each face, as a table for other programs."""
    return csv_file("dice", _statistics().every_set(csv_table))


@post(statistics, "/statistics/rename", For.HOST)
def rename() -> ResponseReturnValue:
    """Call a player something else in all games."""
    name = _statistics().rename(press_any_time(), _field("player"), _field("name"))
    return _to_player(name)


@post(statistics, "/statistics/merge", For.HOST)
def merge() -> ResponseReturnValue:
    """Count a player's games as those of another."""
    _statistics().merge(press_any_time(), _field("player"), _field("other"))
    return _to_player(_field("other"))


@post(statistics, "/statistics/separate", For.HOST)
def separate() -> ResponseReturnValue:
    """Count the games of each name that a player gave by themselves again."""
    _statistics().separate(press_any_time(), _field("player"))
    return redirect("/statistics", 303)


@post(statistics, "/statistics/delete-game", For.HOST)
def delete_game() -> None:
    """Delete a game from all files."""
    _statistics().delete_game(press_any_time(), _field("game"))


@post(statistics, "/statistics/delete-player", For.HOST)
def delete_player() -> ResponseReturnValue:
    """Delete a player's names from all files."""
    _statistics().delete_player(press_any_time(), _field("player"))
    return redirect("/statistics", 303)


@post(statistics, "/statistics/delete-everything", For.HOST)
def delete_everything() -> None:
    """Delete all finished games from all files."""
    _statistics().delete_everything(press_any_time())


def _to_player(name: str) -> ResponseReturnValue:
    return redirect(f"/statistics/player?{urlencode({'name': name})}", 303)


def _field(name: str) -> str:
    return request.form.get(name, "")


def _statistics() -> "Statistics":
    return need(site().statistics, gettext("this table keeps no statistics"))


class Wanted(NamedTuple):
    """Which page of the statistics is wanted."""

    page: str
    """The page: `overview`, `player`, `dice` or `games`."""
    name: str = ""
    """The player; empty for stand-ins."""
    level: str = ""
    """The level of stand-ins; empty for people."""
    before: str = ""
    """The game before which the list goes on; empty at its beginning."""

    @property
    def live(self) -> Mapping[str, str]:
        """What the address of its stream says."""
        given = {"name": self.name, "level": self.level, "before": self.before}
        return {"of": self.page} | {key: value for key, value in given.items() if value}


def _parse(page: str) -> Wanted:
    if page not in ("overview", "player", "dice", "games"):
        abort(404)
    return Wanted(page, *(request.args.get(key, "")[:100] for key in ("name", "level", "before")))


class StatisticsPage:
    """A page of the statistics, which is drawn anew only when something on it changes."""

    def __init__(self, kept: "Statistics", wanted: Wanted) -> None:
        """kept: the statistics of the table."""
        self.kept, self.wanted = kept, wanted
        self._drawn = site().drawn_statistics

    def body(self, view: TableView) -> Markup:
        """Return the page without what changes while a game is played."""
        kept, wanted = self.kept, self.wanted
        revision = kept.revision
        key = revision, wanted, view.host, view.selection.ruleset.id, language()
        drawn = self._drawn.get(key)
        if drawn is None:
            found = kept.page(wanted.page, wanted.name, wanted.level, wanted.before)
            shown = {"kept": kept, "wanted": wanted, "found": found, "revision": revision}
            shown |= {"rated": RATED, "words": pages_named(RATED).words(view)}
            drawn = Markup(draw(f"statistics/{wanted.page}.html", view, shown))
            if found is not None:
                self._drawn.keep(key, drawn)
        return drawn


def _page(wanted: Wanted) -> Response:
    return draw_for_visitor("statistics", looks(), {"live_of": wanted.live, **_context(wanted)()})


def _context(wanted: Wanted) -> Callable[[], Mapping[str, object]]:
    page = StatisticsPage(_statistics(), wanted)
    return lambda: {"shown": page}
