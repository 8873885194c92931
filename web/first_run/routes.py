"""Routes of the first set-up: camera, tray, dice or cards, buttons and light."""

from collections.abc import Callable, Mapping

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.setup.first_run import FirstRun
from web.access import For, get, looks, post, press
from web.first_run.steps import first_run_page
from web.i18n import gettext
from web.live import draw_page, stream_to_phone
from web.setup.advice import setup_page
from web.site import need, site

first_run = Blueprint("first_run", __name__)


@get(first_run, "/first-run", For.HOST)
def first_run_shown() -> ResponseReturnValue:
    """Show the page that guides the host through a new table."""
    return draw_page("first-run", looks(), _context()())


@get(first_run, "/live/first-run", For.HOST)
def live_first_run() -> ResponseReturnValue:
    """Stream the first-run page."""
    return stream_to_phone("first-run", _context())


@post(first_run, "/first-run/go", For.HOST)
def go() -> None:
    """Open a step, or close all steps if none is named."""
    _first_run().go(press(), request.form.get("step", ""))


@post(first_run, "/first-run/without", For.HOST)
def without() -> None:
    """Skip a part."""
    _first_run().without(press(), request.form.get("step", ""))


@post(first_run, "/first-run/confirm", For.HOST)
def confirm() -> None:
    """Confirm that the camera sees the whole tray, where it looks for cards."""
    _first_run().confirm(press())


@post(first_run, "/first-run/light", For.HOST)
def see() -> None:
    """Confirm whether the light shows the colour; `seen`: 1 if so."""
    _first_run().see(press(), seen=request.form.get("seen") == "1")


def _first_run() -> FirstRun:
    return need(site().first_run, gettext("this table can’t be set up here"))


def _context() -> Callable[[], Mapping[str, object]]:
    """Return what the first run shows besides the table."""
    running = _first_run()
    setup = site().setup

    def context() -> Mapping[str, object]:
        page = setup_page(setup.view()) if setup else None
        return {"run": first_run_page(running.view()), "shown": page}

    return context
