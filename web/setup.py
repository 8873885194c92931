"""The pages on which the host sets the camera up and teaches the dice."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple, Protocol

from flask import Blueprint, Response, abort, current_app, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from companion.dicegame.faces import DICE, Face
from companion.dicegame.rulesets import RULESETS
from companion.dicegame.terms import Terms, terms
from companion.table.scene import Phase
from companion.table.views import TableView
from companion.watching.lesson import EDITIONS, LEAST, Lesson
from web import forms
from web.access import SEAT, For, audience, looks, person, proof, table
from web.board import terms_of
from web.i18n import gettext, in_same_language, language, lazy_gettext, ngettext, percent
from web.sentences import capital
from web.stream import Broadcast

if TYPE_CHECKING:
    from companion.watching.aiming import Advice, CameraSetup, SetupView
    from companion.watching.lesson import CrossValidation
    from companion.watching.teaching import Teaching

setup = Blueprint("setup", __name__)

DONE = ("", 204)

FPS = 6.0
"""Live pictures a second: enough to aim by, little for a small Pi and its Wi-Fi."""

_BOUNDARY = "picture"

_ADVICE = {
    "too_dark": lazy_gettext(
        "It is too dark: switch a lamp on, and see that nothing covers the lens."
    ),
    "no_tray": lazy_gettext("There is no tray to be seen: point the camera at it."),
    "no_dice": lazy_gettext(
        "No dice are seen: lay all five in the tray. If they lie there, come nearer."
    ),
    "too_far": lazy_gettext(
        "Too far away: bring the camera nearer. "
        "Dice are %(seen)s pixels wide here, and need %(needed)s."
    ),
    "too_near": lazy_gettext(
        "Too near: raise the camera, until dice are less than a tenth of the picture."
    ),
    "cut_off": lazy_gettext("The tray is cut off %(side)s: move the camera or the tray."),
    "too_bright": lazy_gettext("Too bright: dim the lamp, or turn it away."),
    "blurred": lazy_gettext("Out of focus: turn the lens, or wipe it clean."),
    "glare": lazy_gettext("A lamp is mirrored %(side)s: move it, or shade it."),
    "uneven": lazy_gettext(
        "The light is uneven, and the tray darkest %(side)s: let a second lamp shine there."
    ),
}
"""What to change, by the name of the fault."""

_SIDES = {
    "": lazy_gettext("somewhere"),
    "left": lazy_gettext("on the left"),
    "right": lazy_gettext("on the right"),
    "top": lazy_gettext("at the top"),
    "bottom": lazy_gettext("at the bottom"),
    "middle": lazy_gettext("in the middle"),
}

FLAWS = {
    "": "",
    "no die found": lazy_gettext("no die found"),
    "more than one die": lazy_gettext("more than one die"),
    "too small: bring the camera nearer": lazy_gettext("too small: bring the camera nearer"),
    "burnt out: turn the lamp or the die": lazy_gettext("burnt out: turn the lamp or the die"),
    "too dark": lazy_gettext("too dark"),
    "too faint": lazy_gettext("too faint"),
    "blurred": lazy_gettext("blurred"),
}
"""What is wrong with a picture of a die, by what the reader calls it."""

_SETS = {
    "base": lazy_gettext("the base game"),
    "walking-dead": lazy_gettext("The Walking Dead"),
    "print": lazy_gettext("our own, printed"),
}


def advised(advice: "Advice") -> str:
    """Return in a sentence what to change."""
    side = _SIDES[advice.region or ""]
    return str(_ADVICE[advice.fault]) % {
        "side": side,
        "seen": advice.seen,
        "needed": advice.needed,
    }


class SetupPage(NamedTuple):
    """What the page of the set-up shows beside the table.

    advice: what to change, a sentence each, None while nobody has looked; well: that nothing need
    be changed, and how well dice are read.
    """

    state: "SetupView"
    advice: tuple[str, ...] | None
    well: str


def setup_page(state: "SetupView") -> SetupPage:
    """Return what the page of the set-up shows."""
    inspection = state.inspection
    if inspection is None:
        return SetupPage(state, None, "")
    advice = tuple(advised(entry) for entry in inspection.advice)
    if advice:
        well = ""
    elif inspection.dice != DICE:
        well = ngettext(
            "The picture is good. Lay five dice in the tray: one is seen.",
            "The picture is good. Lay five dice in the tray: %(num)s are seen.",
            inspection.dice,
        )
    elif inspection.sure == DICE:
        well = gettext("All is well: five dice, all certain.")
    else:
        well = ngettext(
            "The picture is good, yet one of five dice is uncertain.",
            "The picture is good, yet %(num)s of five dice are uncertain.",
            DICE - inspection.sure,
        )
    return SetupPage(state, advice, well)


class ShownPicture(NamedTuple):
    """A picture on the page of a lesson; warning: what is wrong with it ("" if nothing)."""

    id: int
    warning: str


class ShownFace(NamedTuple):
    """A face in the list of all: how many pictures there are, and whether these are enough."""

    face: Face
    name: str
    taken: int
    done: bool
    asked: bool


class LessonPage(NamedTuple):
    """What the page of a lesson shows beside the table."""

    lesson: Lesson
    trouble: str
    number: int
    name: str
    pictures: tuple[ShownPicture, ...]
    faces: tuple[ShownFace, ...]
    say: str
    following: str
    alike: tuple[str, ...]
    right: str
    sets: str


def lesson_page(lesson: Lesson) -> LessonPage:
    """Return what the page of a lesson shows."""
    words = _words(lesson.edition)
    taken = lesson.pictures[lesson.face]
    following = lesson.following
    return LessonPage(
        lesson=lesson,
        trouble=str(FLAWS[lesson.trouble]),
        number=list(Face).index(Face(lesson.face)) + 1,
        name=words.faces[Face(lesson.face)],
        pictures=tuple(ShownPicture(picture.id, str(FLAWS[picture.warning])) for picture in taken),
        faces=tuple(
            ShownFace(
                face,
                words.faces[face],
                len(lesson.pictures[face]),
                face not in lesson.missing,
                face is lesson.face,
            )
            for face in Face
        ),
        say=_say(lesson, words),
        following=words.faces[Face(following)] if following else "",
        alike=tuple(_alike(lesson.check, words)) if lesson.check else (),
        right=_right(lesson.check) if lesson.check else "",
        sets=str(_SETS[lesson.edition]),
    )


def _words(edition: str) -> Terms:
    """The names of the faces of an edition."""
    ruleset = RULESETS[edition if edition in RULESETS else "base"]
    return terms(ruleset, language())


def _say(lesson: Lesson, words: Terms) -> str:
    face, count = words.faces[Face(lesson.face)], len(lesson.pictures[lesson.face])
    if lesson.wait == "enough":
        return gettext("These are enough. Go on.")
    if lesson.wait == "lie":
        return gettext("Now let it lie still.")
    if not count:
        return gettext("Lay one die in the tray, alone, with %(face)s on top.", face=face)
    if count < LEAST:
        return ngettext(
            "Taken. Move the die and turn it: once more, still with %(face)s on top.",
            "Taken. Move the die and turn it: %(num)s more, still with %(face)s on top.",
            LEAST - count,
            face=face,
        )
    return gettext("Taken. More pictures in other places and turns help, as far as six; or go on.")


def _right(check: "CrossValidation") -> str:
    if check.accuracy == 1:
        return gettext("Every picture is told right by the others.")
    share = percent(check.accuracy)
    return gettext("%(share)s of the pictures are told right by the others.", share=share)


def _alike(check: "CrossValidation", words: Terms) -> Iterator[str]:
    for face, other, chance in check.confused:
        one, two = words.faces[Face(face)], words.faces[Face(other)]
        yield gettext(
            "%(one)s is taken for %(other)s (%(chance)s): show both again, in better light.",
            one=capital(one),
            other=two,
            chance=percent(chance),
        )


# What browsers ask for


@setup.get("/setup")
@audience(For.HOST)
def setup_shown() -> ResponseReturnValue:
    """Where the camera is set up."""
    return _page("setup", looks())


@setup.get("/teach")
@audience(For.HOST)
def teach_shown() -> ResponseReturnValue:
    """Where dice are taught."""
    return _page("teach", looks())


@setup.get("/live/setup")
@audience(For.HOST)
def live_setup() -> ResponseReturnValue:
    """The stream of the page of the set-up."""
    return _stream("setup")


@setup.get("/live/teach")
@audience(For.HOST)
def live_teach() -> ResponseReturnValue:
    """The stream of the page of the lessons."""
    return _stream("teach")


@setup.get("/setup/camera")
@audience(For.HOST)
def setup_camera() -> ResponseReturnValue:
    """What the camera sees, with what is read, for as long as somebody looks."""
    faces = terms_of(table().view()).faces
    return _moving(_setup().live(FPS, {str(face): name for face, name in faces.items()}))


@setup.get("/teach/camera")
@audience(For.HOST)
def teach_camera() -> ResponseReturnValue:
    """What the camera sees, for as long as somebody looks."""
    return _moving(_teaching().live(FPS))


@setup.get("/setup/tray.jpg")
@audience(For.HOST)
def setup_tray() -> ResponseReturnValue:
    """The empty tray."""
    return _still(_setup().empty_tray_jpeg())


@setup.get("/teach/<int:number>.jpg")
@audience(For.HOST)
def teach_picture(number: int) -> ResponseReturnValue:
    """A picture of the lesson."""
    return _still(_teaching().picture(number))


# Presses


@setup.post("/setup/tray")
@audience(For.HOST)
def keep_tray() -> ResponseReturnValue:
    """Say that the tray is empty now."""
    _setup().keep_tray(person(), _version())
    return DONE


@setup.post("/setup/tray/forget")
@audience(For.HOST)
def forget_tray() -> ResponseReturnValue:
    """Read without the empty tray."""
    _setup().forget_tray(person(), _version())
    return DONE


@setup.post("/setup/lock")
@audience(For.HOST)
def lock() -> ResponseReturnValue:
    """Hold exposure, white balance and focus."""
    _setup().lock(person(), _version())
    return DONE


@setup.post("/setup/release")
@audience(For.HOST)
def release() -> ResponseReturnValue:
    """Let the camera find them by itself; `mains`: hertz, if it is to be changed."""
    mains = forms.field(request.form, "mains") if "mains" in request.form else None
    _setup().release(person(), _version(), mains)
    return DONE


@setup.post("/teach/begin")
@audience(For.HOST)
def begin() -> ResponseReturnValue:
    """Begin to teach new dice."""
    form = request.form
    _teaching().begin(person(), _version(), form.get("name", ""), form.get("edition", ""))
    return DONE


@setup.post("/teach/begin-again")
@audience(For.HOST)
def begin_again() -> ResponseReturnValue:
    """Teach faces again of dice that were taught before."""
    _teaching().begin_again(person(), _version(), request.form.get("name", ""))
    return DONE


@setup.post("/teach/choose")
@audience(For.HOST)
def choose() -> ResponseReturnValue:
    """Read dice that are known already."""
    _teaching().choose(person(), _version(), request.form.get("name", ""))
    return DONE


@setup.post("/teach/leave")
@audience(For.HOST)
def leave() -> ResponseReturnValue:
    """Give the lesson up."""
    _teaching().leave(person(), _version())
    return DONE


@setup.post("/teach/face")
@audience(For.HOST)
def face() -> ResponseReturnValue:
    """Go to a face; with `anew`, without what was taken of it."""
    anew = request.form.get("anew") == "1"
    _teaching().ask_for(person(), _version(), _face(), anew=anew)
    return DONE


@setup.post("/teach/take")
@audience(For.HOST)
def take() -> ResponseReturnValue:
    """Take a picture now."""
    _teaching().take(person(), _version())
    return DONE


@setup.post("/teach/drop")
@audience(For.HOST)
def drop() -> ResponseReturnValue:
    """Throw a picture away."""
    _teaching().drop(person(), _version(), forms.field(request.form, "picture"))
    return DONE


@setup.post("/teach/lay")
@audience(For.HOST)
def lay() -> ResponseReturnValue:
    """Let the table lay a die."""
    _teaching().lay(person(), _version())
    return DONE


@setup.post("/teach/check")
@audience(For.HOST)
def check() -> ResponseReturnValue:
    """See how well the faces are told apart."""
    _teaching().check(person(), _version())
    return DONE


@setup.post("/teach/use")
@audience(For.HOST)
def use() -> ResponseReturnValue:
    """Keep these dice and read them from now on."""
    _teaching().use(person(), _version())
    return DONE


def _setup() -> "CameraSetup":
    found: CameraSetup | None = current_app.extensions["setup"]
    return found if found is not None else abort(404, gettext("this table has no camera"))


def _teaching() -> "Teaching":
    found: Teaching | None = current_app.extensions["teaching"]
    return found if found is not None else abort(404, gettext("this table has no camera"))


def _version() -> int:
    return forms.field(request.form, "version")


def _face() -> Face:
    try:
        return Face(request.form.get("face", ""))
    except ValueError:
        raise BadRequest("face: no such face") from None


def _page(page: str, view: TableView) -> str:
    known = _known(page)()
    return render_template("page.html", page=page, view=view, proof=proof(), **known)


def _stream(page: str) -> Response:
    streams: Broadcast = current_app.extensions["streams"]
    watched, token = table(), request.cookies.get(SEAT, "")
    template = current_app.jinja_env.get_template(f"live/{page}.html")
    known = _known(page)

    def show() -> str:
        return template.render(view=watched.view(watched.person(token)), **known())

    return streams.response(in_same_language(show), player=True, whose=person())


def _known(page: str) -> Callable[[], dict[str, object]]:
    """What a page shows beside the table, asked for whenever it is drawn."""
    if page == "setup":
        found: CameraSetup | None = current_app.extensions["setup"]
        return lambda: {"shown": setup_page(found.view()) if found else None}
    teaching: Teaching | None = current_app.extensions["teaching"]

    def known() -> dict[str, object]:
        if teaching is None:
            return {"teaching": None, "shown": None}
        lesson = teaching.lesson
        return {
            "teaching": teaching,
            "shown": lesson_page(lesson) if lesson else None,
            "sets": {edition: _SETS[edition] for edition in EDITIONS},
            "lobby": Phase.LOBBY,
            "least": LEAST,
        }

    return known


class _Closable(Iterator[bytes], Protocol):
    def close(self) -> None:
        """Look no longer."""


class _Parts:
    """Pictures as parts of one answer: a browser shows each in the place of the one before."""

    def __init__(self, pictures: _Closable) -> None:
        self._pictures = pictures
        self.close = pictures.close
        self._head = f"--{_BOUNDARY}\r\n".encode()

    def __iter__(self) -> "_Parts":
        return self

    def __next__(self) -> bytes:
        picture = next(self._pictures)
        head, self._head = self._head, b""
        return b"".join(
            (
                head,
                f"Content-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n".encode(),
                picture,
                # The end at once: some browsers show a part only when they have seen it.
                f"\r\n--{_BOUNDARY}\r\n".encode(),
            )
        )


def _moving(pictures: _Closable) -> Response:
    kind = f"multipart/x-mixed-replace; boundary={_BOUNDARY}"
    return Response(_Parts(pictures), content_type=kind)


def _still(picture: bytes | None) -> Response:
    return Response(picture, mimetype="image/jpeg") if picture else Response(status=204)
