"""The page where the host sets up the camera."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from web import forms
from web.access import For, get, looks, post, press, table
from web.answers import jpeg_or_nothing
from web.games.game import terms_of
from web.games.registry import pages_of
from web.i18n import gettext
from web.live import draw_page, stream_to_phone
from web.setup.advice import setup_page
from web.setup.camera import moving
from web.site import need, site

if TYPE_CHECKING:
    from companion.setup.aiming import CameraSetup

setup = Blueprint("setup", __name__)

FPS = 6.0
"""Live pictures a second: enough to aim by, little for a small Pi and its Wi-Fi."""


@get(setup, "/setup", For.HOST)
def setup_shown() -> ResponseReturnValue:
    """Show the page where the camera is set up."""
    return draw_page("setup", looks(), _context()())


@get(setup, "/live/setup", For.HOST)
def live_setup() -> ResponseReturnValue:
    """Stream the camera set-up page."""
    return stream_to_phone("setup", _context())


@get(setup, "/setup/camera", For.HOST)
def setup_camera() -> ResponseReturnValue:
    """Send live pictures from the camera, with the reading drawn in."""
    faces = terms_of(table().view()).faces
    return moving(_setup().live(FPS, {str(face): name for face, name in faces.items()}))


@get(setup, "/setup/tray.jpg", For.HOST)
def setup_tray() -> ResponseReturnValue:
    """Send the picture of the empty tray."""
    return jpeg_or_nothing(_setup().empty_tray_jpeg())


@post(setup, "/setup/tray", For.HOST)
def keep_tray() -> None:
    """Save the current picture as the empty tray; `printed`: what looks like dice is part of it."""
    printed = "printed" in request.form
    _setup().keep_tray(press(), printed=printed)


@post(setup, "/setup/tray/forget", For.HOST)
def forget_tray() -> None:
    """Forget the empty tray and read without it."""
    _setup().forget_tray(press())


@post(setup, "/setup/lock", For.HOST)
def lock() -> None:
    """Lock exposure, white balance and focus."""
    _setup().lock(press())


@post(setup, "/setup/release", For.HOST)
def release() -> None:
    """Make exposure, white balance and focus automatic; `mains`: a new frequency in hertz."""
    mains = forms.integer("mains") if "mains" in request.form else None
    _setup().release(press(), mains)


@post(setup, "/setup/throw", For.HOST)
def throw_dice() -> None:
    """Throw five dice into a simulated tray."""
    _setup().throw(press())


@post(setup, "/setup/take-out", For.HOST)
def take_dice_out() -> None:
    """Take the dice out of a simulated tray."""
    _setup().take_out(press())


def _setup() -> "CameraSetup":
    return need(site().setup, gettext("this table has no camera"))


def _context() -> Callable[[], Mapping[str, object]]:
    """Return what the camera's page shows besides the table."""
    found, here = site().setup, table()

    def context() -> Mapping[str, object]:
        cards = pages_of(here.view()).tray.cards
        return {"shown": setup_page(found.view(), cards=cards) if found else None}

    return context
