"""In which language a page is: its phone's choice, else its browser's, else the table's."""

from collections.abc import Callable
from contextvars import ContextVar
from gettext import NullTranslations

from babel import Locale
from flask import Blueprint, Flask, current_app, redirect, request
from flask.typing import ResponseReturnValue
from flask_babel import Babel, force_locale, get_locale, get_translations
from werkzeug.exceptions import BadRequest

from companion.dicegame.terms import LANGUAGES
from web.access import For, audience, remember, table

NAMES = {"en": "English", "fr": "Français"}
"""Each language in itself, as whoever looks for it reads it."""

LANGUAGE = "language"
"""Cookie: the language chosen on this phone."""


_spoken: ContextVar[tuple[str, NullTranslations] | None] = ContextVar("spoken", default=None)
"""The language of the page that a stream draws now, and its texts: Babel would find out for each
text anew, which takes as long as the rest of a page."""

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
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        gettext=lambda text: _texts().gettext(text),
        ngettext=lambda one, many, count: _texts().ngettext(one, many, count),
        newstyle=True,
    )


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
    spoken = _spoken.get()
    return spoken[0] if spoken else str(get_locale() or "en")


def _texts() -> NullTranslations:
    spoken = _spoken.get()
    found: NullTranslations = spoken[1] if spoken else get_translations()
    return found


def as_asked(draw: Callable[[], str]) -> Callable[[], str]:
    """Return `draw` for a stream, which ends after its request, in the language of that one."""
    # Parsed here: Babel would look for the file of a named one at each page.
    context, spoken = current_app.app_context, (language(), _texts())
    wanted = Locale.parse(spoken[0])

    def draw_in() -> str:
        with context(), force_locale(wanted):
            before = _spoken.set(spoken)
            try:
                return draw()
            finally:
                _spoken.reset(before)

    return draw_in


def _asked() -> str:
    chosen = request.cookies.get(LANGUAGE, "")
    if chosen in LANGUAGES:
        return chosen
    usual: str = current_app.extensions[LANGUAGE] or table().view().ruleset.language
    return request.accept_languages.best_match(LANGUAGES) or usual
