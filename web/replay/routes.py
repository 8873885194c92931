"""Routes of the page where a finished game is watched again."""

from collections.abc import Callable, Mapping

from flask import Blueprint, Response, abort, current_app, render_template, request
from flask.typing import ResponseReturnValue

from companion.table.replays import Replay
from companion.table.scene import Phase
from companion.table.views import TableView
from web.access import For, audience, looks, table
from web.live import Chosen, draw_for_visitor, stream_to_phone
from web.play.game_pages import pages_of
from web.replay import summary

replay = Blueprint("replay", __name__)


@replay.get("/watch/<game>")
@audience(For.EVERYBODY)
def watch(game: str) -> ResponseReturnValue:
    """Show a finished game; `step` in the address: the move to begin with, `roles`: 1 shows all."""
    now, found = looks(), _replay(game)
    shown = {"live": f"watch/{game}", "watched": game, "now": now, "replay": found}
    if found is None:
        return draw_for_visitor("watch", now, shown)
    view, more = _step(found, _number(request.args.get("step", "0")))
    return draw_for_visitor("watch", view, {**shown, **more})


@replay.get("/watch/<game>/<int:step>")
@audience(For.EVERYBODY)
def watched_step(game: str, step: int) -> ResponseReturnValue:
    """Send the part of the page that shows a step; `roles`: 1 shows all roles."""
    view, shown = _step(_replay(game) or abort(404), step)
    return render_template(
        "replay/step.html", view=view, game=pages_of(view), watched=game, **shown
    )


@replay.get("/live/watch/<game>")
@audience(For.EVERYBODY)
def live_watch(game: str) -> ResponseReturnValue:
    """Stream what surrounds the game, so that its viewers are called when they are needed."""
    return stream_to_phone("watch", lambda: {"watched": game}, _chosen(game))


@replay.get("/watch/<game>/dice/<int:step>.jpg")
@audience(For.EVERYBODY)
def rolled_dice(game: str, step: int) -> ResponseReturnValue:
    """Send the dice of a step as the camera saw them; nothing (204) if that is unknown."""
    found, picture = _replay(game), _roll_picture()
    jpeg = None
    if found is not None and picture is not None and step <= found.last and found.pictured(step):
        jpeg = picture(int(game), step)
    return Response(jpeg, mimetype="image/jpeg") if jpeg else Response(status=204)


@replay.get("/watch/<game>/summary.png")
@audience(For.EVERYBODY)
def summary_picture(game: str) -> ResponseReturnValue:
    """Send the summary of a finished game as a picture, drawn here."""
    return Response(summary.picture(_ended(game)), mimetype="image/png")


@replay.get("/watch/<game>/summary.txt")
@audience(For.EVERYBODY)
def summary_text(game: str) -> ResponseReturnValue:
    """Send the summary of a finished game as a text."""
    return Response(summary.text(_ended(game)), mimetype="text/plain")


RollPicture = Callable[[int, int], bytes | None]
"""Returns the dice of a roll as the camera saw them (JPEG), by game and move."""


def _roll_picture() -> RollPicture | None:
    found: RollPicture | None = current_app.extensions["roll_picture"]
    return found


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 9 else 0


def _replay(game: str) -> Replay | None:
    """Return a finished game by its name in addresses; None if there is none."""
    if not (game.isdecimal() and game.isascii() and len(game) < 9):
        return None
    return table().replay(int(game))


def _ended(game: str) -> Replay:
    """Return a game that has ended; answers 404 without one."""
    found = _replay(game)
    if found is None or found.end.phase is not Phase.OVER:
        abort(404)
    return found


def _chosen(game: str) -> Chosen:
    """Return what shows this game, and the table as it is now for whoever is needed there."""
    found = _replay(game)

    def chosen(now: TableView) -> tuple[TableView, Mapping[str, object]]:
        return (now if found is None else found.end), {"now": now, "replay": found}

    return chosen


def _step(found: Replay, step: int) -> tuple[TableView, Mapping[str, object]]:
    """Return the view of a step and what else it shows; beyond the end, of the last one."""
    step, roles = min(step, found.last), request.args.get("roles") == "1"
    pictured = _roll_picture() is not None and found.pictured(step)
    shown = {"replay": found, "step": step, "roles": roles, "pictured": pictured}
    return found.view(step, roles), shown
