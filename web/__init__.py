"""The pages on every phone: Flask over the running table."""

import re
from collections.abc import Callable, MutableMapping
from typing import TYPE_CHECKING, Any

from flask import Flask, Response
from flask.templating import Environment
from werkzeug.exceptions import HTTPException

from companion import __version__
from companion.dicegame.terms import LANGUAGES
from companion.table.refused import Problem, Refused
from companion.table.table import Table
from companion.watching.first_run import FirstRun
from web import board, chronicle, lobby, sentences
from web.access import Throttle, guard, looks
from web.address import PublicAddress
from web.assets import Assets
from web.firstrun import first_run as first_run_pages
from web.i18n import lazy_gettext
from web.language import translate
from web.pages import PAGES, Drawn, WifiNetwork, pages
from web.pieces import Pieces
from web.presses import presses
from web.seating import seating
from web.setup import setup as setup_pages
from web.smaller import smaller
from web.stream import Broadcast

if TYPE_CHECKING:
    from companion.watching.aiming import CameraSetup
    from companion.watching.teaching import Teaching

MOST_BYTES = 16 * 1024
"""What a phone may send at most."""

_STATUS = {
    Problem.STALE: 409,
    Problem.ILLEGAL: 422,
    Problem.FORBIDDEN: 403,
    Problem.FAILED: 503,
}


def create_app(
    table: Table,
    streams: Broadcast,
    *,
    die_picture: Callable[[int], bytes | None] | None = None,
    setup: "CameraSetup | None" = None,
    teaching: "Teaching | None" = None,
    first_run: FirstRun | None = None,
    language: str = "",
    hotspot: WifiNetwork | None = None,
    host: str = "0.0.0.0",
    throttle: Throttle | None = None,
) -> Flask:
    """Return the app that shows `table`.

    streams: whoever changes the table notifies them; die_picture: a die by its number (0-4), as
    the camera sees it: JPEG, or None; setup, teaching: of its camera, None without one; first_run:
    of the whole table; language: for browsers that ask for no other one ("": the one of the
    ruleset); hotspot: the Wi-Fi to show, None without one; host: what the pages are served on;
    throttle: limits how often an address tries to join.
    Raises RuntimeError where an endpoint has no audience.
    """
    app = Flask(__name__, static_folder=None)
    app.jinja_environment = _Templates
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    assets = Assets()
    assets.serve(app)
    app.jinja_env.globals.update(
        asset=assets.address,
        drawing=assets.drawing,
        drawings=assets.drawings(),
    )
    for module in (board, chronicle, lobby, sentences):
        app.jinja_env.globals.update(_exported(module))
    app.jinja_env.globals.update(hotspot=hotspot, once=Pieces().once, version=__version__)
    translate(app, language)
    app.extensions.update(
        table=table,
        streams=streams,
        die_picture=die_picture,
        setup=setup,
        teaching=teaching,
        first_run=first_run,
        hotspot=hotspot,
        address=PublicAddress(host),
        tries=throttle or Throttle(),
        drawn={(page, language): Drawn() for page in PAGES for language in LANGUAGES},
    )
    app.register_blueprint(pages)
    app.register_blueprint(presses)
    app.register_blueprint(seating)
    app.register_blueprint(setup_pages)
    app.register_blueprint(first_run_pages)
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(HTTPException, _failed)
    guard(app)
    app.after_request(smaller)
    return app


def compile_templates(app: Flask) -> None:
    """Compile every page of `app` now, and not when the first phone asks for it."""
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)


class _Templates(Environment):
    """Templates that share one dict of what all may name."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return what a template may name beside its own variables."""
        # Jinja's chain of dicts is walked in Python wherever one template takes from another.
        return {**self.globals, **d} if d else self.globals


def _exported(module: object) -> dict[str, object]:
    """What a module defines for others: templates name it as Python does."""
    return {name: value for name, value in vars(module).items() if not name.startswith("_")}


def _refused(refused: Refused) -> Response:
    view = looks()
    reason = sentences.refused(refused.reason, view.people, board.terms_of(view))
    return _line(reason, _STATUS[refused.problem])


_FAILED = {
    404: lazy_gettext("there is no such page"),
    405: lazy_gettext("there is nothing to press"),
    413: lazy_gettext("that is too much at once"),
    500: lazy_gettext("the table failed: its log says where"),
}
"""What is said where nobody says more."""


def _failed(error: HTTPException) -> Response:
    code, reason = error.code or 500, error.description
    if reason == type(error).description:
        reason = str(_FAILED.get(code, lazy_gettext("the table did not understand that")))
    response = _line(reason or "", code)
    response.headers.extend(
        (name, value) for name, value in error.get_headers() if name in ("Allow", "Retry-After")
    )
    return response


def _line(reason: str, status: int) -> Response:
    # A no-break space, as French has before a colon, stays one.
    text = re.sub(r"[ \t\r\n]+", " ", reason).strip()
    return Response(f"{text}\n", status, mimetype="text/plain")
