"""Routes of the page about the Pi itself."""

from collections.abc import Mapping

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from web import forms
from web.access import For, get, looks, post, press, table
from web.i18n import gettext
from web.live import draw_page, stream_to_phone
from web.site import need, site

machine = Blueprint("machine", __name__)


@get(machine, "/machine", For.HOST)
def machine_shown() -> ResponseReturnValue:
    """Show the page where the host sets the time and turns the Pi off."""
    return draw_page("machine", looks(), _shown())


@get(machine, "/live/machine", For.HOST)
def live_machine() -> ResponseReturnValue:
    """Stream the page of the Pi."""
    shown = _shown()
    return stream_to_phone("machine", lambda: shown)


@post(machine, "/machine/clock", For.HOST)
def set_clock() -> None:
    """Take the phone's time, `now` in seconds since 1970; without it, the table's is right."""
    clock = need(site().clock, gettext("this table has no clock"))
    table().check_host(press())
    if "now" in request.form:
        clock.set(forms.integer("now"))
    else:
        clock.confirm()


@post(machine, "/machine/off", For.HOST)
def turn_off() -> None:
    """Turn the Pi off."""
    need(site().power, gettext("this computer can’t be turned off here")).turn_off(press())


def _shown() -> Mapping[str, object]:
    return {"power": site().power, "clock": site().clock}
