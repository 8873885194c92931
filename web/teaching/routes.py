"""The page where the host teaches the reader new dice."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from flask import Blueprint, abort, current_app, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from companion.table.scene import Phase
from companion.watching.lesson import EDITIONS, LEAST
from web import forms
from web.access import DONE, For, audience, looks, person, table
from web.i18n import gettext
from web.live import draw_page, stream_to_phone
from web.setup.camera import moving, still
from web.setup.routes import FPS
from web.teaching.lesson import SETS, lesson_page

if TYPE_CHECKING:
    from companion.watching.teaching import Teaching

teaching = Blueprint("teaching", __name__)


@teaching.get("/teach")
@audience(For.HOST)
def teach_shown() -> ResponseReturnValue:
    """Show the page where dice are taught."""
    return draw_page("teach", looks(), _shown()())


@teaching.get("/live/teach")
@audience(For.HOST)
def live_teach() -> ResponseReturnValue:
    """Stream the lesson page."""
    return stream_to_phone("teach", _shown())


@teaching.get("/teach/camera")
@audience(For.HOST)
def teach_camera() -> ResponseReturnValue:
    """Send live pictures from the camera."""
    return moving(_teaching().live(FPS))


@teaching.get("/teach/<int:number>.jpg")
@audience(For.HOST)
def teach_picture(number: int) -> ResponseReturnValue:
    """Send a picture of the lesson."""
    return still(_teaching().picture(number))


@teaching.post("/teach/begin")
@audience(For.HOST)
def begin() -> ResponseReturnValue:
    """Start a lesson on new dice."""
    form = request.form
    _teaching().begin(
        person(),
        forms.sent("version"),
        form.get("name", ""),
        form.get("edition", ""),
    )
    return DONE


@teaching.post("/teach/begin-again")
@audience(For.HOST)
def begin_again() -> ResponseReturnValue:
    """Start a lesson on dice that were taught before, to retake faces."""
    _teaching().begin_again(person(), forms.sent("version"), request.form.get("name", ""))
    return DONE


@teaching.post("/teach/choose")
@audience(For.HOST)
def choose() -> ResponseReturnValue:
    """Switch the reader to dice that it knows."""
    _teaching().choose(person(), forms.sent("version"), request.form.get("name", ""))
    return DONE


@teaching.post("/teach/delete")
@audience(For.HOST)
def delete() -> ResponseReturnValue:
    """Delete dice that were taught here."""
    _teaching().delete(person(), forms.sent("version"), request.form.get("name", ""))
    return DONE


@teaching.post("/teach/leave")
@audience(For.HOST)
def leave() -> ResponseReturnValue:
    """Discard the lesson."""
    _teaching().leave(person(), forms.sent("version"))
    return DONE


@teaching.post("/teach/face")
@audience(For.HOST)
def face() -> ResponseReturnValue:
    """Go to a face; `anew`: discard its pictures."""
    anew = request.form.get("anew") == "1"
    _teaching().ask_for(person(), forms.sent("version"), _face(), anew=anew)
    return DONE


@teaching.post("/teach/take")
@audience(For.HOST)
def take() -> ResponseReturnValue:
    """Take a picture now."""
    _teaching().take(person(), forms.sent("version"))
    return DONE


@teaching.post("/teach/drop")
@audience(For.HOST)
def drop() -> ResponseReturnValue:
    """Delete a picture."""
    _teaching().drop(person(), forms.sent("version"), forms.sent("picture"))
    return DONE


@teaching.post("/teach/lay")
@audience(For.HOST)
def lay() -> ResponseReturnValue:
    """Place a die in the simulated tray."""
    _teaching().lay(person(), forms.sent("version"))
    return DONE


@teaching.post("/teach/check")
@audience(For.HOST)
def check() -> ResponseReturnValue:
    """Check how well the reader tells the faces apart."""
    _teaching().check(person(), forms.sent("version"))
    return DONE


@teaching.post("/teach/use")
@audience(For.HOST)
def use() -> ResponseReturnValue:
    """Save these dice and read them from now on."""
    _teaching().use(person(), forms.sent("version"))
    return DONE


def _teaching() -> "Teaching":
    found: Teaching | None = current_app.extensions["teaching"]
    return found if found is not None else abort(404, gettext("this table has no camera"))


def _face() -> str:
    face = request.form.get("face", "")
    if face not in table().view().selection.game.dice.faces():
        raise BadRequest("face: no such face")
    return face


def _shown() -> Callable[[], Mapping[str, object]]:
    """Return what the page shows besides the table."""
    found: Teaching | None = current_app.extensions["teaching"]
    game = table().view().selection.game

    def shown() -> Mapping[str, object]:
        if found is None:
            return {"teaching": None, "shown": None}
        lesson = found.lesson
        return {
            "teaching": found,
            "shown": lesson_page(lesson, game) if lesson else None,
            "sets": {edition: SETS[edition] for edition in EDITIONS},
            "lobby": Phase.LOBBY,
            "least": LEAST,
        }

    return shown
