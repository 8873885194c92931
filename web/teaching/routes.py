"""The page where the host teaches the reader new dice, or the cards of the game that is chosen."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from flask import Blueprint, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from companion.setup.lesson import EDITIONS, LEAST
from companion.table.scene import Phase
from web import forms
from web.access import For, get, looks, post, press, table
from web.answers import jpeg_or_nothing
from web.games.registry import pages_of
from web.i18n import gettext
from web.live import draw_page, stream_to_phone
from web.setup.camera import moving
from web.setup.routes import FPS
from web.site import need, site
from web.teaching.cards import RANKS, SUITS
from web.teaching.dice import SETS

if TYPE_CHECKING:
    from companion.setup.teaching import Teaching

teaching = Blueprint("teaching", __name__)


@get(teaching, "/teach", For.HOST)
def teach_shown() -> ResponseReturnValue:
    """Show the page where dice or cards are taught."""
    return draw_page("teach", looks(), _context()())


@get(teaching, "/live/teach", For.HOST)
def live_teach() -> ResponseReturnValue:
    """Stream the lesson page."""
    return stream_to_phone("teach", _context())


@get(teaching, "/teach/camera", For.HOST)
def teach_camera() -> ResponseReturnValue:
    """Send live pictures from the camera."""
    return moving(_teaching().live(FPS))


@get(teaching, "/teach/<int:number>.jpg", For.HOST)
def teach_picture(number: int) -> ResponseReturnValue:
    """Send a picture of the lesson."""
    return jpeg_or_nothing(_teaching().picture(number))


@post(teaching, "/teach/begin", For.HOST)
def begin() -> None:
    """Start a lesson on new dice, or on a new deck."""
    form = request.form
    _teaching().begin(press(), form.get("name", ""), form.get("edition", ""))


@post(teaching, "/teach/begin-again", For.HOST)
def begin_again() -> None:
    """Start a lesson on what was taught before, to retake faces or titles."""
    _teaching().begin_again(press(), request.form.get("name", ""))


@post(teaching, "/teach/resume", For.HOST)
def resume() -> None:
    """Go on with the unfinished lesson."""
    _teaching().resume(press())


@post(teaching, "/teach/forget", For.HOST)
def forget() -> None:
    """Delete the unfinished lesson."""
    _teaching().forget(press())


@post(teaching, "/teach/choose", For.HOST)
def choose() -> None:
    """Switch the reader to dice or to a deck that it knows."""
    _teaching().choose(press(), request.form.get("name", ""))


@post(teaching, "/teach/delete", For.HOST)
def delete() -> None:
    """Delete dice or a deck that was taught here."""
    _teaching().delete(press(), request.form.get("name", ""))


@post(teaching, "/teach/leave", For.HOST)
def leave() -> None:
    """Stop the lesson, which can go on later."""
    _teaching().leave(press())


@post(teaching, "/teach/face", For.HOST)
def face() -> None:
    """Go to a face or a title; `anew`: discard its pictures."""
    anew = request.form.get("anew") == "1"
    _teaching().ask_for(press(), _face(), anew=anew)


@post(teaching, "/teach/sign", For.HOST)
def sign() -> None:
    """Say that the card to be shown has another sign: `rank` and `suit`."""
    rank, suit = request.form.get("rank", ""), request.form.get("suit", "")
    if rank not in RANKS or suit not in SUITS:
        raise BadRequest("rank, suit: no such sign")
    _teaching().show_sign(press(), rank + suit)


@post(teaching, "/teach/take", For.HOST)
def take() -> None:
    """Take a picture now."""
    _teaching().take(press())


@post(teaching, "/teach/drop", For.HOST)
def drop() -> None:
    """Delete a picture."""
    _teaching().drop(press(), forms.integer("picture"))


@post(teaching, "/teach/lay", For.HOST)
def lay() -> None:
    """Place a die or a card in the simulated tray."""
    _teaching().lay(press())


@post(teaching, "/teach/check", For.HOST)
def check() -> None:
    """Check how well the reader tells the faces or the titles apart."""
    _teaching().check(press())


@post(teaching, "/teach/use", For.HOST)
def use() -> None:
    """Save these dice, or this deck, and read them from now on."""
    _teaching().use(press())


def teaching_now() -> "Teaching | None":
    """Return what teaches the dice or cards of the game that is chosen; None without a camera."""
    return pages_of(table().view()).tray.teaching(site())


def _teaching() -> "Teaching":
    return need(teaching_now(), gettext("this table has no camera"))


def _face() -> str:
    face, game = request.form.get("face", ""), table().view().selection.game
    if face not in game.taught:
        raise BadRequest("face: no such face")
    return face


def _context() -> Callable[[], Mapping[str, object]]:
    """Return what the lesson shows besides the table."""
    around, here = site(), table()

    def context() -> Mapping[str, object]:
        view = here.view()
        tray = pages_of(view).tray
        found = tray.teaching(around)
        lesson = found.lesson if found is not None else None
        return {
            "teaching": found,
            "shown": tray.lesson(lesson, view.selection.game) if lesson is not None else None,
            "sets": {edition: SETS[edition] for edition in EDITIONS},
            "lobby": Phase.LOBBY,
            "least": LEAST,
        }

    return context
