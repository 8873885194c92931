"""The page where the host sets up the camera."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from web import forms
from web.access import DONE, For, audience, looks, person, table
from web.games.game import terms_of
from web.games.registry import pages_of
from web.i18n import gettext
from web.live import draw_page, stream_to_phone
from web.setup.advice import setup_page
from web.setup.camera import moving, still
from web.site import need, site

if TYPE_CHECKING:
    from companion.setup.aiming import CameraSetup

setup = Blueprint("setup", __name__)

FPS = 6.0
"""Live pictures a second: enough to aim by, little for a small Pi and its Wi-Fi."""


@setup.get("/setup")
@audience(For.HOST)
def setup_shown() -> ResponseReturnValue:
    """Show the page where the camera is set up."""
    return draw_page("setup", looks(), _context()())


@setup.get("/live/setup")
@audience(For.HOST)
def live_setup() -> ResponseReturnValue:
    """Stream the camera set-up page."""
    return stream_to_phone("setup", _context())


@setup.get("/setup/camera")
@audience(For.HOST)
def setup_camera() -> ResponseReturnValue:
    """Send live pictures from the camera, with the reading drawn in."""
    faces = terms_of(table().view()).faces
    return moving(_setup().live(FPS, {str(face): name for face, name in faces.items()}))


@setup.get("/setup/tray.jpg")
@audience(For.HOST)
def setup_tray() -> ResponseReturnValue:
    """Send the picture of the empty tray."""
    return still(_setup().empty_tray_jpeg())


@setup.post("/setup/tray")
@audience(For.HOST)
def keep_tray() -> ResponseReturnValue:
    """Save the current picture as the empty tray."""
    _setup().keep_tray(person(), forms.integer("version"))
    return DONE


@setup.post("/setup/tray/forget")
@audience(For.HOST)
def forget_tray() -> ResponseReturnValue:
    """Forget the empty tray and read without it."""
    _setup().forget_tray(person(), forms.integer("version"))
    return DONE


@setup.post("/setup/lock")
@audience(For.HOST)
def lock() -> ResponseReturnValue:
    """Lock exposure, white balance and focus."""
    _setup().lock(person(), forms.integer("version"))
    return DONE


@setup.post("/setup/release")
@audience(For.HOST)
def release() -> ResponseReturnValue:
    """Make exposure, white balance and focus automatic; `mains`: a new frequency in hertz."""
    mains = forms.integer("mains") if "mains" in request.form else None
    _setup().release(person(), forms.integer("version"), mains)
    return DONE


@setup.post("/setup/throw")
@audience(For.HOST)
def throw_dice() -> ResponseReturnValue:
    """Throw five dice into a simulated tray."""
    _setup().throw(person(), forms.integer("version"))
    return DONE


@setup.post("/setup/take-out")
@audience(For.HOST)
def take_dice_out() -> ResponseReturnValue:
    """Take the dice out of a simulated tray."""
    _setup().take_out(person(), forms.integer("version"))
    return DONE


def _setup() -> "CameraSetup":
    return need(site().setup, gettext("this table has no camera"))


def _context() -> Callable[[], Mapping[str, object]]:
    """Return what the camera's page shows besides the table."""
    found, here = site().setup, table()

    def context() -> Mapping[str, object]:
        cards = pages_of(here.view()).tray.cards
        return {"shown": setup_page(found.view(), cards=cards) if found else None}

    return context
