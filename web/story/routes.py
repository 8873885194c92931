"""Routes of a game's story, its statistics once it is over, and its record."""

from collections.abc import Callable, Mapping

from flask import Blueprint, Response, abort, redirect
from flask.typing import ResponseReturnValue

from companion.table.past.past_games import record_of
from companion.table.views import TableView
from web.access import For, get, looks, person, table
from web.live import Chosen, draw_for_visitor, stream_to_all, stream_to_phone

story = Blueprint("story", __name__)


@get(story, "/story", For.EVERYBODY)
def story_page() -> ResponseReturnValue:
    """Lead to the story of this game; without one, list the last games."""
    view = looks()
    if view.game_number:
        # An address of its own: reloaded, the page stays with this game when the next one begins.
        return redirect(f"/story/{view.game_number}", 303)
    return draw_for_visitor("story", view, _games()())


@get(story, "/story/<int:number>", For.EVERYBODY)
def game_story_page(number: int) -> ResponseReturnValue:
    """Show everything that happened in one of the last games."""
    view, more = _view_choice(number)(looks())
    return draw_for_visitor("story", view, {"live": f"story/{number}", **_games()(), **more})


@get(story, "/live/story", For.EVERYBODY)
def live_story() -> ResponseReturnValue:
    """Stream the story; call a phone that holds a seat back to its page when it is needed."""
    if person() is None:
        return stream_to_all("story", _games())
    return stream_to_phone("story", _games())


@get(story, "/live/story/<int:number>", For.EVERYBODY)
def live_game_story(number: int) -> ResponseReturnValue:
    """Stream the story of one of the last games, also while the next one runs."""
    return stream_to_phone("story", _games(), _view_choice(number))


@get(story, "/record", For.EVERYBODY)
def record() -> ResponseReturnValue:
    """Send the record of a finished game as a file."""
    return _file(record_of(table().scene), table().view().game_number)


@get(story, "/record/<int:number>", For.EVERYBODY)
def game_record(number: int) -> ResponseReturnValue:
    """Send the record of one of the last games as a file."""
    if number == table().view().game_number:
        return _file(record_of(table().scene), number)
    kept = table().past.record(number)
    if kept is None:
        abort(404)
    return _file(kept, number)


def _file(content: str, number: int) -> Response:
    response = Response(content, mimetype="application/jsonl")
    name = f"bang-game-{number}.jsonl"
    response.headers["Content-Disposition"] = f"attachment; filename={name}"
    return response


def _games() -> Callable[[], Mapping[str, object]]:
    """Return what lists the last games."""
    past = table().past
    return lambda: {"past": past.games()}


def _view_choice(number: int) -> Chosen:
    """Return what shows this game: as it is on the table, or as it was at its end."""
    past = table().past

    def choose(now: TableView) -> tuple[TableView, Mapping[str, object]]:
        if now.game_number == number:
            return now, {}
        kept = past.view(number)
        return (now, {"unknown": True}) if kept is None else (kept, {"now": now})

    return choose
