"""In which language a page is: its phone's choice, else its browser's, else the table's."""

from flask import Blueprint, Flask, current_app, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from web import i18n
from web.access import For, audience, remember, table
from web.i18n import LANGUAGES

NAMES = {"en": "English", "fr": "Français"}
"""Each language in itself, as whoever looks for it reads it."""

LANGUAGE = "language"
"""Cookie: the language chosen on this phone."""

languages = Blueprint("languages", __name__)


def translate(app: Flask, usual: str = "") -> None:
    """Let the pages of `app` be in the language of whoever asks.

    usual: for browsers that ask for none of LANGUAGES; "": the one of the ruleset.
    """
    app.extensions[LANGUAGE] = usual
    # Named here, for templates that are drawn for a stream, outside any request.
    app.jinja_env.globals.update(language=i18n.language, languages=NAMES)
    app.register_blueprint(languages)
    i18n.init_app(app, _asked)


@languages.post("/language")
@audience(For.EVERYBODY)
def choose() -> ResponseReturnValue:
    """Show pages in another language on this phone from now on, first the one that it is on."""
    chosen = request.form.get("language", "")
    if chosen not in LANGUAGES:
        raise BadRequest(f"language: one of {', '.join(LANGUAGES)}")
    response = redirect(request.referrer or "/", 303)
    remember(response, LANGUAGE, chosen)
    return response


def _asked() -> str:
    chosen = request.cookies.get(LANGUAGE, "")
    if chosen in LANGUAGES:
        return chosen
    usual: str = current_app.extensions[LANGUAGE] or table().view().selection.ruleset.language
    return request.accept_languages.best_match(LANGUAGES) or usual
