"""Routes of the hall: what everybody may see, and what the organiser changes."""

from collections.abc import Callable

from flask import Blueprint, Response, abort, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from companion.club.hall import tournament
from companion.club.hall.documents import key_from
from companion.club.hall.hall import existing
from companion.club.hall.scoring import side_won
from companion.club.hall.tournament import Tournament
from web import forms
from web.access import For, count_try, get, post, remember
from web.answers import csv_file, csv_table
from web.hall import rows
from web.hall.access import ORGANISER, site
from web.hall.live import draw_page, stream_page
from web.i18n import gettext

hall_pages = Blueprint("hall", __name__)


@get(hall_pages, "/", For.EVERYBODY)
def hall_page() -> ResponseReturnValue:
    """Show all tables: who plays, who needs help, results, standings."""
    return draw_page("hall")


@get(hall_pages, "/live/hall", For.EVERYBODY)
def live_hall() -> ResponseReturnValue:
    """Stream the page of all tables."""
    return stream_page("hall")


@get(hall_pages, "/tournament", For.EVERYBODY)
def tournament_page() -> ResponseReturnValue:
    """Show the tournament: its rounds and standings; for the organiser, what can be changed."""
    return draw_page("tournament")


@get(hall_pages, "/live/tournament", For.EVERYBODY)
def live_tournament() -> ResponseReturnValue:
    """Stream the page of the tournament."""
    return stream_page("tournament")


# For other programs


@get(hall_pages, "/standings.csv", For.EVERYBODY)
def standings_file() -> ResponseReturnValue:
    """Send the standings of the tournament as a table."""
    return _csv("standings", rows.standings(_tournament()))


@get(hall_pages, "/rounds.csv", For.EVERYBODY)
def rounds_file() -> ResponseReturnValue:
    """Send a table with a row for each player of each round of the tournament."""
    return _csv("rounds", rows.rounds(_tournament()))


@get(hall_pages, "/results.csv", For.EVERYBODY)
def results_file() -> ResponseReturnValue:
    """Send a table with a row for each player of each game that tables told of."""
    return _csv("results", rows.results(site().hall.results()))


def _csv(name: str, found: rows.Rows) -> Response:
    return csv_file(name, csv_table(found))


def _tournament() -> Tournament:
    found = site().hall.view().tournament
    return found if found is not None else abort(404, gettext("there is no tournament"))


# The organiser


@post(hall_pages, "/organiser/enter", For.EVERYBODY)
def enter() -> ResponseReturnValue:
    """Let a browser change the tournament from now on; `password`: the organiser's."""
    count_try(site().tries)
    hall, wanted = site().hall, site().organiser
    given = request.form.get("password", "")
    if hall.key is None or key_from(given, hall.prefix) != hall.key:
        abort(403, _wrong_password(site().password_file))
    response = redirect("/tournament", 303)
    remember(response, ORGANISER, wanted)
    return response


def _wrong_password(file: str) -> str:
    if file:
        return gettext("Wrong password. It is in the hall’s file %(file)s.", file=file)
    return gettext("Wrong password. It is in the hall’s settings.")


@post(hall_pages, "/organiser/leave", For.HOST)
def leave() -> ResponseReturnValue:
    """Let this browser only look again."""
    response = redirect("/tournament", 303)
    response.delete_cookie(ORGANISER)
    return response


@post(hall_pages, "/tournament/found", For.HOST)
def begin() -> None:
    """Begin a tournament."""
    form = request.form
    name, scheme = form.get("name", ""), form.get("scheme", "")
    least, most = forms.field(form, "least"), forms.field(form, "most")
    _change(lambda _: tournament.create(name, scheme, least, most))


@post(hall_pages, "/tournament/enter", For.HOST)
def enter_players() -> None:
    """Enter players; `names`: a line each."""
    names = [name for name in request.form.get("names", "").splitlines() if name.strip()]
    if not names:
        raise BadRequest("names: give at least one")
    _change(lambda now: tournament.add_players(existing(now), names))


@post(hall_pages, "/tournament/pause", For.HOST)
def pause() -> None:
    """Let a player sit out from the next round on, or play again (`yes`: 1 if so)."""
    player, out = forms.integer("player"), forms.is_yes(request.form)
    _change(lambda now: tournament.set_active(existing(now), player, not out))


@post(hall_pages, "/tournament/rename", For.HOST)
def rename() -> None:
    """Call a player something else."""
    player, name = forms.integer("player"), request.form.get("name", "")
    _change(lambda now: tournament.rename_player(existing(now), player, name))


@post(hall_pages, "/tournament/draw", For.HOST)
def draw() -> None:
    """Draw the next round at the chosen tables; `how`: `lot` or `ranked`."""
    form = request.form
    if form.get("how") not in ("lot", "ranked"):
        raise BadRequest("how: lot or ranked")
    names = [*form.getlist("table"), *form.get("more", "").splitlines()]
    chosen = [" ".join(name.split())[:40] for name in names if name.strip()]
    site().hall.draw(chosen, ranked=form.get("how") == "ranked", revision=forms.integer("version"))


@post(hall_pages, "/tournament/exchange", For.HOST)
def exchange() -> None:
    """Let two players of the open round change places."""
    one, two = forms.integer("one"), forms.integer("two")
    _change(lambda now: tournament.swap_players(existing(now), one, two))


@post(hall_pages, "/tournament/result", For.HOST)
def result() -> None:
    """Enter the result of a table of the open round."""
    form = request.form
    table, side = form.get("table", ""), form.get("side", "")
    seats = ends(form, side)
    if not seats or (not any(won for _, won, *_ in seats.values()) and side != "none"):
        raise BadRequest(gettext("the side that won needs a player"))
    _change(lambda now: tournament.enter_result(existing(now), table, side, seats))


def ends(form: forms.Form, side: str) -> dict[int, tuple[str, bool, bool, bool]]:
    """Return how each player of a form ended.

    That is their role, whether they won, survived, and were the last to be eliminated.
    """
    found = {}
    for key, role in form.items():
        if key.startswith("role-"):
            player = key.removeprefix("role-")
            alive = f"alive-{player}" in form
            last = not alive and form.get("last", "") == player
            found[forms.number(player, "role")] = role, side_won(side, role, alive), alive, last
    return found


@post(hall_pages, "/tournament/no-result", For.HOST)
def no_result() -> None:
    """Forget the result that was entered for a table."""
    table = request.form.get("table", "")
    _change(lambda now: tournament.enter_result(existing(now), table, "", {}))


@post(hall_pages, "/tournament/close", For.HOST)
def close() -> None:
    """Fix the results of the open round."""
    _change(lambda now: tournament.close_round(existing(now)))


@post(hall_pages, "/tournament/cancel", For.HOST)
def cancel() -> None:
    """Take the draw of the open round back."""
    _change(lambda now: tournament.cancel_round(existing(now)))


@post(hall_pages, "/tournament/undo", For.HOST)
def undo() -> None:
    """Take the last change back."""
    site().hall.undo(forms.integer("version"))


@post(hall_pages, "/tournament/remove", For.HOST)
def remove() -> None:
    """Remove the tournament."""
    _change(lambda now: None)


def _change(change: Callable[[Tournament | None], Tournament | None]) -> None:
    site().hall.change(change, forms.integer("version"))
