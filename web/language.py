"""Choose a page's language: the phone's choice, else the browser's, else the table's."""

from flask import Blueprint, Flask, current_app, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from web import i18n
from web.access import For, audience, remember, table
from web.i18n import LANGUAGES

NAMES = {"en": "English", "fr": "Français"}
"""Each language's own name."""

LANGUAGE = "language"
"""Cookie: the language chosen on this phone."""

languages = Blueprint("languages", __name__)


def translate(app: Flask, usual: str = "") -> None:
    """Show the pages of `app` in each visitor's language.

    usual: for browsers that accept none of LANGUAGES; "": the ruleset's language.
    """
    app.extensions[LANGUAGE] = usual
    # Set here for templates drawn for a stream, outside any request.
    app.jinja_env.globals.update(language=i18n.language, languages=NAMES)
    app.register_blueprint(languages)
    i18n.init_app(app, _asked)


@languages.post("/language")
@audience(For.EVERYBODY)
def choose() -> ResponseReturnValue:
    """Change this phone's language and show its current page in it."""
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
