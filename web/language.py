"""Choose a page's language.

The phone's own choice comes first, then the host's for the whole table, then what the browser asks
for, then the settings file's, then that of the ruleset.
"""

from collections.abc import Callable
from functools import partial

from flask import Blueprint, Flask, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from web import i18n
from web.access import For, post, remember, table
from web.i18n import LANGUAGES
from web.site import site

NAMES = {"en": "English", "fr": "Français"}
"""Each language's own name."""

LANGUAGE = "language"
"""Cookie: the language chosen on this phone."""

languages = Blueprint("languages", __name__)


Usual = Callable[[str | None], Callable[[], str]]
"""Returns what says in which language a visitor reads now whose phone chose none.

Given is what their browser asks for; None if that is none of LANGUAGES.
"""


def localize(app: Flask, usual: Usual) -> None:
    """Show the pages of `app` in each visitor's language."""
    # Set here for templates drawn for a stream, outside any request.
    app.jinja_env.globals.update(language=i18n.language, languages=NAMES)
    app.register_blueprint(languages)
    i18n.init_app(app, partial(_choosing, usual))


@post(languages, "/language", For.EVERYBODY)
def choose() -> ResponseReturnValue:
    """Change this phone's language and show its current page in it."""
    chosen = request.form.get("language", "")
    if chosen not in LANGUAGES:
        raise BadRequest(f"language: one of {', '.join(LANGUAGES)}")
    response = redirect(request.referrer or "/", 303)
    remember(response, LANGUAGE, chosen)
    return response


def _choosing(usual: Usual) -> Callable[[], str]:
    """Return a function that says in which language this visitor reads the pages now."""
    chosen = request.cookies.get(LANGUAGE, "")
    if chosen in LANGUAGES:
        return lambda: chosen
    return usual(request.accept_languages.best_match(LANGUAGES))


def at_table(asked: str | None) -> Callable[[], str]:
    """Return what the host chose, else what is asked for, or the settings or the ruleset say."""
    watched, usual = table(), site().language

    def now() -> str:
        if watched.scene.choices.language in LANGUAGES:
            return watched.scene.choices.language
        return asked or usual or watched.view().selection.ruleset.language

    return now
