"""Routes of the page about the Pi itself."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from web import forms
from web.access import For, get, looks, person, post, press, table
from web.i18n import gettext
from web.live import draw_page, stream_to_phone
from web.site import need, site

if TYPE_CHECKING:
    from companion.setup.machine.settings_editor import SettingsEditor
    from companion.setup.machine.updates import Updates
    from companion.setup.machine.wifi import Wifi

machine = Blueprint("machine", __name__)


@get(machine, "/machine", For.HOST)
def machine_shown() -> ResponseReturnValue:
    """Show the page where the host sets the time, updates the table and turns the Pi off."""
    return draw_page("machine", looks(), _context()())


@get(machine, "/live/machine", For.HOST)
def live_machine() -> ResponseReturnValue:
    """Stream the page of the Pi."""
    return stream_to_phone("machine", _context())


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


@post(machine, "/machine/piece", For.HOST)
def receive_release() -> None:
    """Take a piece of a release, which is the whole body; `at`, `size`: in the address."""
    at, size = forms.field(request.args, "at"), forms.field(request.args, "size")
    _updates().receive(person(), at, size, request.data)


@post(machine, "/machine/discard", For.HOST)
def discard_release() -> None:
    """Delete the uploaded release."""
    _updates().discard(press())


@post(machine, "/machine/update", For.HOST)
def install_release() -> None:
    """Install the uploaded release, by its `sha256`; `code`: the owner's, if it isn't signed."""
    given = request.form
    _updates().install(press(), given.get("sha256", ""), given.get("code", ""))


@post(machine, "/machine/back", For.HOST)
def go_back() -> None:
    """Let the version before take over again."""
    _updates().go_back(press())


@get(machine, "/machine/settings", For.HOST)
def settings() -> ResponseReturnValue:
    """Show the page where the host changes the settings."""
    return draw_page("settings", looks(), _settings_shown()())


@get(machine, "/live/settings", For.HOST)
def live_settings() -> ResponseReturnValue:
    """Stream the page of the settings."""
    return stream_to_phone("settings", _settings_shown())


@post(machine, "/machine/settings/save", For.HOST)
def save_settings() -> None:
    """Save a `section`: each setting by its key; `digest`: of the file; `code`: the owner's."""
    given = request.form
    _editor().save(press(), given.get("section", ""), given.get("digest", ""), given.to_dict())


@get(machine, "/machine/wifi", For.HOST)
def wifi() -> ResponseReturnValue:
    """Show the page where the host chooses the Wi-Fi that the Pi is in."""
    return draw_page("wifi", looks(), _wifi_shown()())


@get(machine, "/live/wifi", For.HOST)
def live_wifi() -> ResponseReturnValue:
    """Stream the page of the Wi-Fi."""
    return stream_to_phone("wifi", _wifi_shown())


@post(machine, "/machine/wifi/look", For.HOST)
def look_for_networks() -> None:
    """Look which networks there are."""
    _wifi().look(press())


@post(machine, "/machine/wifi/join", For.HOST)
def join_network() -> None:
    """Join a `network`, by the digits of its name; `key`: its own; `code`: the owner's."""
    given = request.form
    _wifi().join(press(), given.get("network", ""), given.get("key", ""), given.get("code", ""))


def _wifi() -> "Wifi":
    return need(site().wifi, gettext("the Pi’s Wi-Fi can’t be changed here"))


def _wifi_shown() -> Callable[[], Mapping[str, object]]:
    found = _wifi()
    return lambda: {"wifi": found.view() if found.works else None}


def _editor() -> "SettingsEditor":
    return need(site().settings, gettext("this table has no settings"))


def _settings_shown() -> Callable[[], Mapping[str, object]]:
    editor = _editor()
    return lambda: {"settings": editor.view()}


def _updates() -> "Updates":
    return need(site().updates, gettext("this table can’t be updated here"))


def _context() -> Callable[[], Mapping[str, object]]:
    """Return what the page of the Pi shows besides the table."""
    found = site()
    parts = {"power": found.power, "clock": found.clock, "updates": found.updates}
    wifi_here = found.wifi is not None and found.wifi.works
    kept = found.backups
    return lambda: {**parts, "wifi": wifi_here, "games": kept.view().games if kept else 0}
