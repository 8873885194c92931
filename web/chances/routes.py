"""Routes of the page of chances: for spectators and eliminated players, not for who rolls."""

from collections.abc import Mapping

from flask import Blueprint, redirect
from flask.typing import ResponseReturnValue

from companion.table.views import TableView, may_see_chances
from web.access import For, get, looks, person, table
from web.live import Chosen, draw_for_visitor, stream_to_phone

chances = Blueprint("chances", __name__)


@get(chances, "/chances", For.EVERYBODY)
def chances_page() -> ResponseReturnValue:
    """Show what the throws to come decide, and who will win; redirect living players."""
    if not may_see_chances(looks()):
        return redirect("/seat", 303)
    return draw_for_visitor("chances", table().spectators.view(person()), {})


@get(chances, "/live/chances", For.EVERYBODY)
def live_chances() -> ResponseReturnValue:
    """Stream the chances; a phone that begins to play is sent to its own page."""
    return stream_to_phone("chances", dict, _view_choice())


def _view_choice() -> Chosen:
    watched = table()

    def choose(now: TableView) -> tuple[TableView, Mapping[str, object]]:
        if not may_see_chances(now):
            return now, {"plays": True}
        return watched.spectators.view(now.person), {}

    return choose
