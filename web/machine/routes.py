"""Routes of the page about the Pi itself."""

from flask import Blueprint
from flask.typing import ResponseReturnValue

from web.access import For, get, looks, post, press
from web.i18n import gettext
from web.live import draw_page, stream_to_phone
from web.site import need, site

machine = Blueprint("machine", __name__)


@get(machine, "/machine", For.HOST)
def machine_shown() -> ResponseReturnValue:
    """Show the page where the host turns the Pi off."""
    return draw_page("machine", looks(), {"power": site().power})


@get(machine, "/live/machine", For.HOST)
def live_machine() -> ResponseReturnValue:
    """Stream the page of the Pi."""
    power = site().power
    return stream_to_phone("machine", lambda: {"power": power})


@post(machine, "/machine/off", For.HOST)
def turn_off() -> None:
    """Turn the Pi off."""
    need(site().power, gettext("this computer can’t be turned off here")).turn_off(press())
