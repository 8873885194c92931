"""The page where the host collects pictures of dice, looks through them and downloads them."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from companion.games.game import GameTerms
from web import forms
from web.access import For, get, looks, person, post, press, table
from web.answers import jpeg_or_nothing
from web.i18n import gettext, language
from web.live import draw_page, stream_to_phone
from web.setup.camera import moving
from web.setup.routes import FPS
from web.site import need, site

if TYPE_CHECKING:
    from companion.setup.collecting import Collecting, KeptFace, KeptThrow

collecting = Blueprint("collecting", __name__)

FILE = "dice-collection.zip"
"""The name of the download: it says nothing about the table."""


class CollectionPage(NamedTuple):
    """What the page shows besides the table."""

    throws: "tuple[KeptThrow, ...]"
    """The throws, the latest first."""
    faces: "tuple[KeptFace, ...]"
    """The pictures of the dice in use."""
    leaving: int
    """How many pictures would leave."""
    hands: bool
    """Whether the table can throw the dice."""
    words: GameTerms
    """What players call the faces of these dice."""


@get(collecting, "/collection", For.HOST)
def collection_shown() -> ResponseReturnValue:
    """Show the pictures of dice that would leave."""
    return draw_page("collection", looks(), _context()())


@get(collecting, "/live/collection", For.HOST)
def live_collection() -> ResponseReturnValue:
    """Stream the page of collected pictures."""
    return stream_to_phone("collection", _context())


@get(collecting, "/collection/camera", For.HOST)
def collection_camera() -> ResponseReturnValue:
    """Send live pictures of the dice to collect."""
    setup = need(site().setup, gettext("this table has no camera"))
    found = site().collecting
    faces = _terms(found).faces if found is not None else {}
    return moving(setup.live(FPS, {str(face): name for face, name in faces.items()}))


@get(collecting, "/collection/throws/<int:number>.jpg", For.HOST)
def collected_throw(number: int) -> ResponseReturnValue:
    """Send the picture of a throw as it would leave."""
    return jpeg_or_nothing(_collecting().jpeg(number))


@get(collecting, "/collection/throws/<int:number>-<int:die>.jpg", For.HOST)
def collected_die(number: int, die: int) -> ResponseReturnValue:
    """Send a die of a throw."""
    return jpeg_or_nothing(_collecting().die_jpeg(number, die))


@get(collecting, "/collection/faces/<int:number>.jpg", For.HOST)
def collected_face(number: int) -> ResponseReturnValue:
    """Send a picture by which the dice were taught."""
    return jpeg_or_nothing(_collecting().face_jpeg(number))


@get(collecting, "/collection/download", For.HOST)
def download() -> ResponseReturnValue:
    """Send all pictures that were not left out, as a ZIP file."""
    response = Response(_collecting().download(person()), mimetype="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="{FILE}"'
    response.headers["Cache-Control"] = "no-store"
    return response


@post(collecting, "/collection/add", For.HOST)
def add() -> None:
    """Add the dice that lie in the tray now."""
    _collecting().add(press())


@post(collecting, "/collection/mark", For.HOST)
def mark() -> None:
    """Say what a die of a throw shows."""
    throw, die = forms.integer("throw"), forms.integer("die")
    face = request.form.get("face", "")
    _collecting().mark(press(), throw, die, face)


@post(collecting, "/collection/drop", For.HOST)
def drop() -> None:
    """Leave a throw out."""
    _collecting().drop(press(), forms.integer("throw"))


@post(collecting, "/collection/leave-out", For.HOST)
def leave_out() -> None:
    """Leave a picture of a face out (`out`: 1), or take it in again."""
    out = request.form.get("out") == "1"
    _collecting().leave_out(press(), forms.integer("picture"), out=out)


def _collecting() -> "Collecting":
    return need(site().collecting, gettext("this table has no camera"))


def _terms(found: "Collecting") -> GameTerms:
    """Return what players call the faces of the dice in use."""
    game = table().view().selection.game
    ruleset = game.rulesets.get(found.edition) or next(iter(game.rulesets.values()))
    return game.terms(ruleset, language())


def _context() -> Callable[[], Mapping[str, object]]:
    """Return what the collection shows besides the table."""
    found, setup = site().collecting, site().setup

    def context() -> Mapping[str, object]:
        if found is None:
            return {"shown": None}
        faces, throws = found.faces, found.throws
        return {
            "shown": CollectionPage(
                throws,
                faces,
                len(throws) + sum(not face.left_out for face in faces),
                setup is not None and setup.view().throws,
                _terms(found),
            )
        }

    return context
