"""The app: Flask over the running table, with the pages of every game."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException

# Templates use these.
import web.dealing.sentences
import web.emblems
import web.games.game
import web.lobby.sentences
import web.play.guesses
import web.play.guide
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
from companion.setup.first_run import FirstRun
from companion.table.table import Table
from web.access import Throttle, guard, looks
from web.answers import STATUS, error_response, line
from web.api.routes import ORIGINS, PUBLIC, api
from web.assets import GAME_DRAWINGS, LIBRARIES, STYLES, Assets
from web.backup.routes import backup
from web.chances.routes import chances
from web.collecting.routes import collecting as collecting_pages
from web.dealing.routes import dealing
from web.first_run.routes import first_run as first_run_pages
from web.games.game import EXTENSION as GAMES
from web.games.game import GamePages
from web.games.registry import LIST
from web.i18n import LANGUAGES
from web.joining.codes import WifiNetwork, codes
from web.joining.routes import joining
from web.language import localize
from web.live import SHARED, SHARED_PAGES, SharedPage
from web.lobby.routes import lobby
from web.pieces import Pieces
from web.play.refusals import tell_refusal
from web.play.routes import play
from web.play.simulated import simulated
from web.replay.routes import RollPicture, replay
from web.seat.routes import seat
from web.serving.address import PublicAddress
from web.serving.compression import compress
from web.serving.server import MAX_BODY
from web.serving.stream import Broadcast
from web.serving.tracebacks import ONCE_A_MINUTE
from web.setup.routes import setup as setup_pages
from web.statistics.routes import set_up as set_up_statistics
from web.statistics.routes import statistics as statistics_pages
from web.story.routes import story
from web.teaching.routes import teaching as teaching_pages
from web.television.routes import television
from web.templating import use_templates

if TYPE_CHECKING:
    from companion.memory.backup.backups import Backups
    from companion.memory.statistics.keeper import Statistics
    from companion.setup.aiming import CameraSetup
    from companion.setup.collecting import Collecting
    from companion.setup.teaching import Teaching

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
    play,
    replay,
    seat,
    setup_pages,
    simulated,
    statistics_pages,
    story,
    teaching_pages,
    television,
)

GAME_PAGES: Mapping[str, GamePages] = {name: game.load() for name, game in LIST.items()}
"""The games that have pages of their own, by the name in their records."""


def create_app(
    table: Table,
    streams: Broadcast,
    *,
    die_picture: Callable[[int], bytes | None] | None = None,
    correction_picture: Callable[[int, int, int], bytes | None] | None = None,
    roll_picture: RollPicture | None = None,
    setup: "CameraSetup | None" = None,
    teaching: "Teaching | None" = None,
    card_teaching: "Teaching | None" = None,
    collecting: "Collecting | None" = None,
    first_run: FirstRun | None = None,
    backups: "Backups | None" = None,
    statistics: "Statistics | None" = None,
    language: str = "",
    hotspot: WifiNetwork | None = None,
    host: str = "0.0.0.0",
    throttle: Throttle | None = None,
    public: PublicTable | None = None,
    origins: tuple[str, ...] = (),
) -> Flask:
    """Return the app that shows `table`.

    streams: notified of every change; die_picture: returns a die by its number (0-4), as the
    camera sees it (JPEG), or None; correction_picture: returns a die whose reading was changed, by
    game, move and number; roll_picture: returns the dice of a roll, by game and move; setup,
    teaching, card_teaching, collecting: of its camera, None without one; first_run: of the whole
    table; backups: of what it keeps, None if it keeps nothing; statistics: of all its games, None
    if it keeps none; language: for browsers that accept no other ("": that of the ruleset);
    hotspot: the Wi-Fi to show, None without one; host: what the pages are served on; throttle:
    limits how often an address tries to join; public: the table as other programs see it, None
    if it has no name; origins: the other sites whose pages may read that.
    Raises RuntimeError if an endpoint has no audience.
    """
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY
    app.logger.addFilter(ONCE_A_MINUTE)
    app.extensions.update(
        {
            "table": table,
            "streams": streams,
            "die_picture": die_picture,
            "correction_picture": correction_picture,
            "roll_picture": roll_picture,
            "setup": setup,
            "teaching": teaching,
            "card_teaching": card_teaching,
            "collecting": collecting,
            "first_run": first_run,
            "backups": backups,
            "hotspot": hotspot,
            "address": PublicAddress(host),
            "tries": throttle or Throttle(),
            PUBLIC: public or PublicTable(table, lambda: TableName("", "", __version__)),
            ORIGINS: origins,
            GAMES: GAME_PAGES,
            SHARED: {
                (page, language): SharedPage() for page in SHARED_PAGES for language in LANGUAGES
            },
        }
    )
    set_up_statistics(app.extensions, statistics)
    assets = Assets(icon for game in GAME_PAGES.values() for icon in game.secret_icons)
    assets.serve(app)
    _set_up_templates(app, assets, hotspot)
    localize(app, language)
    for blueprint in _BLUEPRINTS:
        app.register_blueprint(blueprint)
    app.register_error_handler(Refused, _refusal_response)
    app.register_error_handler(HTTPException, lambda error: _as_page(error_response(error)))
    guard(app)
    app.after_request(compress)
    return app


def _set_up_templates(app: Flask, assets: Assets, hotspot: WifiNetwork | None) -> None:
    """Make functions available to templates by their Python names: `web.play.tray.dice(view)`."""
    use_templates(app)
    app.jinja_env.globals.update(
        web=web,
        asset=assets.address,
        script=assets.script,
        libraries=LIBRARIES,
        drawing=assets.drawing,
        drawings={page: assets.drawings(page) for page in STYLES},
        game_drawings={name: assets.game_drawings(name) for name in GAME_DRAWINGS},
        hotspot=hotspot,
        once=Pieces().once,
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
