"""The app of a hall: Flask over what the tables of a club tell."""

from flask import Flask, Response
from werkzeug.exceptions import HTTPException

# Templates use these.
import web.hall.sentences
import web.hall.words
import web.text
from companion import __version__
from companion.base.refused import Refused
from companion.club.hall.hall import Hall
from web.access import guard
from web.answers import STATUS, error_response, line
from web.assets import Assets
from web.hall.access import EXTENSION, refuse, site_of
from web.hall.live import DRAWN, DrawnHall
from web.hall.routes import hall_pages
from web.i18n import LANGUAGES
from web.language import localize
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
    app.extensions[EXTENSION] = site_of(hall, streams, throttle or Throttle(), password_file)
    app.extensions[DRAWN] = DrawnHall()
    assets.serve(app)
    use_templates(app)
    app.jinja_env.globals.update(assets.values(), web=web, version=__version__)
    localize(app, lambda asked: lambda: asked or language or LANGUAGES[0])
    app.register_blueprint(hall_pages)
    app.register_error_handler(Refused, _refusal_response)
    app.register_error_handler(HTTPException, error_response)
    guard(app, refuse)
    app.after_request(compress)
    return app


def _refusal_response(error: Refused) -> Response:
    reason = error.reason if isinstance(error.reason, str) else str(error.reason)
    return line(web.text.translate(reason), STATUS[error.problem])
