"""Translate pages: gettext's usual calls, over compiled catalogues.

A catalogue is `translations/LANGUAGE/LC_MESSAGES/messages.mo`; English texts are in the sources.
"""

import gettext as catalogues
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date
from gettext import NullTranslations
from pathlib import Path

from flask import Flask, current_app, has_request_context

LANGUAGES = ("en", "fr")
"""The languages of the pages."""

TRANSLATIONS = Path(__file__).parent / "translations"
CATALOGUES = "catalogues"
"""Extension of an app: the texts of each language, by its name."""

_ENGLISH = "en", NullTranslations()
_CHOOSER = "language chooser"

PAGE: ContextVar[tuple[str, NullTranslations] | None] = ContextVar("page", default=None)
"""The language and texts of the page that is being drawn; None before anything asked for them."""


def init_app(app: Flask, choosing: Callable[[], Callable[[], str]]) -> None:
    """Load the catalogues for the templates of `app`.

    choosing: returns, for the visitor of the current request, a function that returns the language
    in which they read now, one of LANGUAGES; it may be called outside the request.
    """
    app.extensions[_CHOOSER] = choosing
    app.extensions[CATALOGUES] = {language: catalogue(language) for language in LANGUAGES}
    app.teardown_request(lambda _: PAGE.set(None) and None)
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        gettext=lambda text: _current()[1].gettext(text),
        ngettext=lambda one, many, count: _current()[1].ngettext(one, many, count),
        newstyle=True,
    )


def catalogue(language: str) -> NullTranslations:
    """Return the texts of a language."""
    return catalogues.translation("messages", TRANSLATIONS, [language], fallback=True)


def language() -> str:
    """Return the language of the current page; outside a page, English."""
    return _current()[0]


def visitors_language() -> Callable[[], str]:
    """Return a function that returns the language in which this request's visitor reads now."""
    now: Callable[[], str] = current_app.extensions[_CHOOSER]()
    return now


def gettext(text: str, /, **values: object) -> str:
    """Return `text` in the language of the page, with `values` in its placeholders."""
    said = _current()[1].gettext(text)
    return said % values if values else said


def ngettext(one: str, many: str, num: int, **values: object) -> str:
    """Return the text in the plural form for the number, which fills `%(num)s`."""
    return _current()[1].ngettext(one, many, num) % {"num": num, **values}


@dataclass(frozen=True)
class lazy_gettext:  # noqa: N801  The name that gettext's tools look for.
    """A text defined before any page exists; `str()` returns it in the page's language."""

    text: str
    """The text in English."""

    def __str__(self) -> str:
        return gettext(self.text)


def percent(share: float) -> str:
    """Return a share (0 to 1) in whole percent, in the notation of the page's language."""
    return f"{100 * share:.0f}{_SIGNS[language()].percent}"


def tenths(value: float) -> str:
    """Return a number with one decimal, in the notation of the page's language."""
    return f"{value:.1f}".replace(".", _SIGNS[language()].point)


def written_day(day: date) -> str:
    """Return a day with the name of its month, in the language of the page."""
    signs = _SIGNS[language()]
    first = signs.first if day.day == 1 else str(day.day)
    # The day and its month stay on one line.
    return f"{first}\N{NO-BREAK SPACE}{signs.months[day.month - 1]} {day.year}"


@dataclass(frozen=True)
class _Signs:
    point: str
    percent: str
    first: str
    """The first day of a month."""
    months: Sequence[str]


_SIGNS = {
    "en": _Signs(
        ".",
        "%",
        "1",
        (
            "January", "February", "March", "April", "May", "June", "July", "August",
            "September", "October", "November", "December",
        ),
    ),
    "fr": _Signs(
        ",",
        "\N{NO-BREAK SPACE}%",
        "1er",
        (
            "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août",
            "septembre", "octobre", "novembre", "décembre",
        ),
    ),
}  # fmt: skip
"""How each language writes numbers and days, as in Unicode's CLDR."""


def in_same_language(draw: Callable[[], str]) -> Callable[[], str]:
    """Return `draw` in the language of this request, for a stream that outlives the request."""
    context, current = current_app.app_context, _current()

    def draw_in() -> str:
        before = PAGE.set(current)
        try:
            with context():
                return draw()
        finally:
            PAGE.reset(before)

    return draw_in


def _current() -> tuple[str, NullTranslations]:
    page = PAGE.get()
    if page is None:
        if not has_request_context():
            return _ENGLISH
        chosen = visitors_language()()
        page = chosen, current_app.extensions[CATALOGUES][chosen]
        # Until the request is over.
        PAGE.set(page)
    return page
