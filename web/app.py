"""The app: Flask over the running table, with the pages of every game."""

from dataclasses import replace
from http import HTTPStatus

from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException

# Templates use these.
import web.dealing.sentences
import web.emblems
import web.games.game
import web.lobby.sentences
import web.play.guesses
import web.play.log
import web.play.narration
import web.play.refusals
import web.play.tray
import web.play.turn
import web.replay.sentences
import web.replay.summary
import web.seat.sentences
import web.statistics.sentences
import web.story.charts
import web.teaching.cards
import web.television.sentences
import web.text
from companion import __version__
from companion.base.refused import Refused
from companion.club.publishing.messages import TableName
from companion.club.publishing.public_table import PublicTable
from web.access import guard, looks
from web.answers import STATUS, error_response, line
from web.api.routes import api
from web.assets import Assets
from web.backup.routes import backup
from web.chances.routes import chances
from web.collecting.routes import collecting as collecting_pages
from web.dealing.routes import dealing
from web.first_run.routes import first_run as first_run_pages
from web.fragments import Fragments
from web.games.registry import LIST, pages_named
from web.joining.codes import codes
from web.joining.portal import Portal
from web.joining.routes import joining
from web.language import at_table, localize
from web.lobby.routes import lobby
from web.machine.routes import machine
from web.play.refusals import tell_refusal
from web.play.routes import play
from web.play.simulated import simulated
from web.replay.routes import replay
from web.seat.routes import seat
from web.secure.routes import secure
from web.serving.compression import compress
from web.serving.server import MAX_BODY
from web.serving.tracebacks import ONCE_A_MINUTE
from web.setup.routes import setup as setup_pages
from web.site import EXTENSION, TableSite
from web.statistics.routes import statistics as statistics_pages
from web.story.routes import story
from web.teaching.routes import teaching as teaching_pages
from web.television.routes import television
from web.templating import use_templates

_BLUEPRINTS = (
    api,
    collecting_pages,
    backup,
    chances,
    codes,
    dealing,
    first_run_pages,
    joining,
    lobby,
    machine,
    play,
    replay,
    seat,
    secure,
    setup_pages,
    simulated,
    statistics_pages,
    story,
    teaching_pages,
    television,
)


def create_app(site: TableSite) -> Flask:
    """Return the app that shows a table. Raises RuntimeError if an endpoint has no audience."""
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY
    app.logger.addFilter(ONCE_A_MINUTE)
    if site.public is None:
        nameless = PublicTable(site.table, lambda: TableName("", "", __version__))
        site = replace(site, public=nameless)
    app.extensions[EXTENSION] = site
    assets = Assets(icon for name in LIST for icon in pages_named(name).secret_icons)
    assets.serve(app)
    _set_up_templates(app, assets, site)
    if site.hotspot is not None:
        app.before_request(Portal().answer)
    localize(app, at_table)
    for blueprint in _BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.register_error_handler(Refused, _refusal_response)
    app.register_error_handler(HTTPException, lambda error: _as_page(error_response(error)))
    guard(app)
    app.after_request(compress)
    return app


def _set_up_templates(app: Flask, assets: Assets, site: TableSite) -> None:
    """Make functions available to templates by their Python names: `web.play.tray.dice(view)`."""
    use_templates(app)
    app.jinja_env.globals.update(
        assets.values(),
        web=web,
        hotspot=site.hotspot,
        https=site.https,
        once=Fragments().once,
        sounds=assets.sounds,
        version=__version__,
    )


def _refusal_response(error: Refused) -> Response:
    return _as_page(line(tell_refusal(looks(), error.reason), STATUS[error.problem]))


def _as_page(answer: Response) -> Response:
    """Return a refusal as a page with a way back if a person opened it in a browser."""
    opened = request.method == "GET" and request.accept_mimetypes.best == "text/html"
    if opened and answer.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
        reason = web.text.sentence(answer.get_data(as_text=True).strip())
        answer.set_data(render_template("templates/refused.html", reason=reason))
        answer.mimetype = "text/html"
    return answer
