"""The page on which the host teaches dice."""

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
    """Where dice are taught."""
    return draw_page("teach", looks(), _shown()())


@teaching.get("/live/teach")
@audience(For.HOST)
def live_teach() -> ResponseReturnValue:
    """The stream of the page of the lessons."""
    return stream_to_phone("teach", _shown())


@teaching.get("/teach/camera")
@audience(For.HOST)
def teach_camera() -> ResponseReturnValue:
    """What the camera sees, for as long as somebody looks."""
    return moving(_teaching().live(FPS))


@teaching.get("/teach/<int:number>.jpg")
@audience(For.HOST)
def teach_picture(number: int) -> ResponseReturnValue:
    """A picture of the lesson."""
    return still(_teaching().picture(number))


@teaching.post("/teach/begin")
@audience(For.HOST)
def begin() -> ResponseReturnValue:
    """Begin to teach new dice."""
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
    """Teach faces again of dice that were taught before."""
    _teaching().begin_again(person(), forms.sent("version"), request.form.get("name", ""))
    return DONE


@teaching.post("/teach/choose")
@audience(For.HOST)
def choose() -> ResponseReturnValue:
    """Read dice that are known already."""
    _teaching().choose(person(), forms.sent("version"), request.form.get("name", ""))
    return DONE


@teaching.post("/teach/leave")
@audience(For.HOST)
def leave() -> ResponseReturnValue:
    """Give the lesson up."""
    _teaching().leave(person(), forms.sent("version"))
    return DONE


@teaching.post("/teach/face")
@audience(For.HOST)
def face() -> ResponseReturnValue:
    """Go to a face; with `anew`, without what was taken of it."""
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
    """Throw a picture away."""
    _teaching().drop(person(), forms.sent("version"), forms.sent("picture"))
    return DONE


@teaching.post("/teach/lay")
@audience(For.HOST)
def lay() -> ResponseReturnValue:
    """Let the table lay a die."""
    _teaching().lay(person(), forms.sent("version"))
    return DONE


@teaching.post("/teach/check")
@audience(For.HOST)
def check() -> ResponseReturnValue:
    """See how well the faces are told apart."""
    _teaching().check(person(), forms.sent("version"))
    return DONE


@teaching.post("/teach/use")
@audience(For.HOST)
def use() -> ResponseReturnValue:
    """Keep these dice and read them from now on."""
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
    """Return what the page shows beside the table."""
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
