"""In which language a page is: its phone's choice, else its browser's, else the table's."""

from collections.abc import Callable

from babel import Locale
from flask import Blueprint, Flask, current_app, redirect, request
from flask.typing import ResponseReturnValue
from flask_babel import Babel, force_locale, get_locale
from werkzeug.exceptions import BadRequest

from companion.dicegame.terms import LANGUAGES
from web.access import For, audience, remember, table

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
    app.jinja_env.globals.update(language=language, languages=NAMES)
    app.register_blueprint(languages)
    Babel(app, locale_selector=_asked)  # type: ignore[no-untyped-call]


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


def language() -> str:
    """Return the language of the page that is made now, one of LANGUAGES; of none: English."""
    return str(get_locale() or "en")


def as_asked(draw: Callable[[], str]) -> Callable[[], str]:
    """Return `draw` for a stream, which ends after its request, in the language of that one."""
    # Parsed here: Babel would look for the file of a named one at each page.
    context, wanted = current_app.app_context, Locale.parse(language())

    def draw_in() -> str:
        with context(), force_locale(wanted):
            return draw()

    return draw_in


def _asked() -> str:
    chosen = request.cookies.get(LANGUAGE, "")
    if chosen in LANGUAGES:
        return chosen
    usual: str = current_app.extensions[LANGUAGE] or table().view().ruleset.language
    return request.accept_languages.best_match(LANGUAGES) or usual
