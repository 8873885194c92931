"""Routes of the page where a finished game is watched again."""

from collections.abc import Mapping

from flask import Blueprint, Response, abort, redirect, request
from flask.typing import ResponseReturnValue

from companion.table.history import UnreadableRecordError
from companion.table.past.replays import Replay, open_replay
from companion.table.scene import Phase
from companion.table.views import TableView
from web import forms
from web.access import For, get, looks, person, post, press, table
from web.answers import jpeg_or_nothing
from web.games.registry import pages_of
from web.i18n import gettext
from web.live import Chosen, draw, draw_for_visitor, stream_to_phone
from web.replay import summary
from web.site import site

replay = Blueprint("replay", __name__)


@get(replay, "/watch/<game>", For.EVERYBODY)
def watch(game: str) -> ResponseReturnValue:
    """Show a finished game; `step` in the address: the move to begin with, `roles`: 1 shows all."""
    now, found = looks(), _replay(game)
    shown = {"live": f"watch/{game}", "watched": game, "now": now, "replay": found}
    shown["kept"] = _is_kept(game)
    if found is None:
        return draw_for_visitor("watch", now, shown)
    view, more = _step(game, found, _parse_number(request.args.get("step", "0")) or 0)
    return draw_for_visitor("watch", view, {**shown, **more})


@get(replay, "/watch/<game>/<int:step>", For.EVERYBODY)
def watched_step(game: str, step: int) -> ResponseReturnValue:
    """Send the part of the page that shows a step; `roles`: 1 shows all roles."""
    view, shown = _step(game, _replay(game) or abort(404), step)
    return draw("replay/step.html", view, {"watched": game, **shown})


@get(replay, "/live/watch/<game>", For.EVERYBODY)
def live_watch(game: str) -> ResponseReturnValue:
    """Stream what surrounds the game, so that its viewers are called when they are needed."""
    return stream_to_phone("watch", lambda: {"watched": game}, _view_choice(game))


@get(replay, "/watch/<game>/dice/<int:step>.jpg", For.EVERYBODY)
def rolled_dice(game: str, step: int) -> ResponseReturnValue:
    """Send the dice of a step as the camera saw them; nothing (204) if that is unknown."""
    found, picture = _replay(game), site().roll_picture
    jpeg = None
    if found is not None and picture is not None and step <= found.last and found.has_picture(step):
        jpeg = picture(int(game), step)
    return jpeg_or_nothing(jpeg)


@get(replay, "/watch/<game>/summary.png", For.EVERYBODY)
def summary_picture(game: str) -> ResponseReturnValue:
    """Send the summary of a finished game as a picture, drawn here."""
    return Response(summary.picture(_finished_replay(game)), mimetype="image/png")


@get(replay, "/watch/<game>/summary.txt", For.EVERYBODY)
def summary_text(game: str) -> ResponseReturnValue:
    """Send the summary of a finished game as a text."""
    return Response(summary.text(_finished_replay(game)), mimetype="text/plain")


@post(replay, "/records/piece", For.SEAT)
def open_record() -> ResponseReturnValue | None:
    """Take a piece of a record, which is the whole body; after the last one, go and watch it.

    `at`, `size`: in the address.
    """
    at, size = forms.field(request.args, "at"), forms.field(request.args, "size")
    who = person()
    assert who is not None
    try:
        number = table().opened.receive(who, at, size, request.data)
    except UnreadableRecordError as error:
        abort(
            422,
            gettext(
                "Line %(line)s of the record is wrong: %(reason)s.",
                line=error.line,
                reason=_wrong(error).rstrip("."),
            ),
        )
    return None if number is None else redirect(f"/watch/{OPENED}{number}", 303)


def _wrong(error: UnreadableRecordError) -> str:
    """Return what is wrong with a record: a move as pages say it, the format in its own words."""
    if error.before is None or isinstance(error.reason, str):
        return str(error.reason)
    view = open_replay(error.before, {}).end
    return pages_of(view).tell_refusal(view, error.reason) or str(error.reason)


@post(replay, "/records/keep", For.HOST)
def keep() -> None:
    """Keep an opened record with the games of this table."""
    table().check_host(press())
    table().opened.keep(forms.integer("record"), table().journal)


OPENED = "opened-"
"""What the names of opened records begin with, in addresses."""

RECORDED = "record-"
"""What stands there before the name of a record that is kept, whichever table played its game."""


def _replay(game: str) -> Replay | None:
    """Return a finished game or an opened record by its name in addresses; None without one."""
    if game.startswith(RECORDED):
        return table().past.find_record(game.removeprefix(RECORDED))
    number = _parse_number(game.removeprefix(OPENED))
    if number is None:
        return None
    if game.startswith(OPENED):
        return table().opened.replay(number)
    return table().past.replay(number, table().scene)


def _parse_number(text: str) -> int | None:
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 9 else None


def _is_kept(game: str) -> bool:
    if game.startswith(RECORDED):
        return True
    number = _parse_number(game.removeprefix(OPENED))
    return game.startswith(OPENED) and number is not None and table().opened.is_kept(number)


def _finished_replay(game: str) -> Replay:
    """Return a game that has ended; answers 404 without one."""
    found = _replay(game)
    if found is None or found.end.phase is not Phase.OVER:
        abort(404)
    return found


def _view_choice(game: str) -> Chosen:
    """Return what shows this game, and the table as it is now for players who are needed there."""
    found = _replay(game)

    def choose(now: TableView) -> tuple[TableView, Mapping[str, object]]:
        return (now if found is None else found.end), {
            "now": now,
            "replay": found,
            "kept": _is_kept(game),
        }

    return choose


def _step(game: str, found: Replay, step: int) -> tuple[TableView, Mapping[str, object]]:
    """Return the view of a step and what else it shows; beyond the end, of the last one."""
    step, roles = min(step, found.last), request.args.get("roles") == "1"
    pictured = site().roll_picture is not None and found.has_picture(step)
    # Of records from elsewhere nothing was kept here.
    number, card = _parse_number(game) or 0, found.correction(step)
    shown = {
        "replay": found,
        "step": step,
        "roles": roles,
        "pictured": pictured,
        "card": f"/card/{number}-{card}.jpg" if card and site().card_picture(number, card) else "",
    }
    return found.view(step, roles), shown
