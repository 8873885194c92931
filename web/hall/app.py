"""The app of a hall: Flask over what the tables of a club tell."""

from collections.abc import Callable
from functools import partial

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException

# Templates use these.
import web.hall.sentences
import web.hall.words
import web.text
from companion import __version__
from companion.base.refused import Refused
from companion.club.hall.hall import Hall
from web import i18n
from web.access import guard
from web.answers import STATUS, error_response, line
from web.assets import Assets
from web.hall.access import EXTENSION, refuse, site_of
from web.hall.live import DRAWN, DrawnHall
from web.hall.routes import hall_pages
from web.i18n import LANGUAGES
from web.language import LANGUAGE, NAMES, languages
from web.serving.compression import compress
from web.serving.refusals import Throttle
from web.serving.server import MAX_BODY
from web.serving.stream import Broadcast
from web.serving.tracebacks import ONCE_A_MINUTE
from web.templating import use_templates


def create_hall_app(
    hall: Hall,
    streams: Broadcast,
    *,
    language: str = "",
    throttle: Throttle | None = None,
    password_file: str = "",
) -> Flask:
    """Return the app that shows `hall`.

    streams: notified when pages are to be drawn again; language: for browsers that accept no
    other; throttle: limits how often an address tries a password; password_file: the name of the
    file with the password, "" if it is in the settings.
    """
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY
    app.logger.addFilter(ONCE_A_MINUTE)
    assets = Assets()
    app.extensions.update(
        {
            EXTENSION: site_of(hall, streams, throttle or Throttle(), password_file),
            DRAWN: DrawnHall(),
        }
    )
    assets.serve(app)
    use_templates(app)
    app.jinja_env.globals.update(
        assets.values(), web=web, version=__version__, language=i18n.language, languages=NAMES
    )
    i18n.init_app(app, partial(_choosing, language))
    app.register_blueprint(languages)
    app.register_blueprint(hall_pages)
    app.register_error_handler(Refused, _refusal_response)
    app.register_error_handler(HTTPException, error_response)
    guard(app, refuse)
    app.after_request(compress)
    return app


def _choosing(usual: str) -> Callable[[], str]:
    """Return a function that says in which language this visitor reads the pages."""
    chosen = request.cookies.get(LANGUAGE, "")
    asked = request.accept_languages.best_match(LANGUAGES)
    now = chosen if chosen in LANGUAGES else asked or usual or LANGUAGES[0]
    return lambda: now


def _refusal_response(error: Refused) -> Response:
    reason = error.reason if isinstance(error.reason, str) else str(error.reason)
    return line(web.text.translate(reason), STATUS[error.problem])
