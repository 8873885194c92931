"""What pages say, through catalogues of the standard library alone."""

import ast
import time
from datetime import date, timedelta

import pytest
from babel.dates import format_date
from babel.numbers import format_decimal, format_percent
from flask import Flask, request
from places import ROOT

from companion.games.dice.terms import LANGUAGES
from web import dates, i18n
from web.i18n import gettext, in_same_language, language, lazy_gettext, ngettext

TEXT = "The green button works."
SHIPPED = ("companion", "vision", "hardware", "web")


@pytest.fixture
def app() -> Flask:
    """An app whose requests name their language by their path."""
    made = Flask("tongues")
    i18n.init_app(made, lambda: lambda path=request.path: path[1:])
    return made


@pytest.mark.parametrize("spoken", LANGUAGES)
def test_numbers_are_written_as_unicode_says(app, spoken):
    with app.test_request_context(f"/{spoken}"):
        for n in range(101):
            assert i18n.percent(n / 100) == format_percent(n / 100, locale=spoken)
            assert i18n.tenths(n / 10) == format_decimal(n / 10, "0.0", locale=spoken)


@pytest.mark.parametrize(("spoken", "locale"), [("en", "en_GB"), ("fr", "fr")])
def test_days_are_written_as_unicode_says(app, spoken, locale):
    with app.test_request_context(f"/{spoken}"):
        for number in range(2, 366):
            day = date(2026, 1, 1) + timedelta(number)
            if day.day == 1 and spoken == "fr":
                # Unicode has no ordinals; French writes the first of a month as one.
                assert i18n.written_day(day).startswith("1er\u00a0")
            else:
                written = i18n.written_day(day).replace("\u00a0", " ")
                assert written == format_date(day, "long", locale=locale)


def test_a_moment_is_told_in_the_time_of_this_place(app, monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        with app.test_request_context("/fr"):
            assert dates.day("2026-02-28T19:30:00Z") == "1er\u00a0mars 2026"
            assert dates.time_of_day("2026-02-28T19:30:00Z") == "04:30"
            assert dates.day("2026-02-28") == "28\u00a0février 2026"
            assert dates.time_of_day("2026-02-28") == ""
            for wrong in ("2026-02-31", "yesterday, late"):
                assert dates.day(wrong) == wrong[:10]
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_text_of_a_table_is_said_in_the_language_of_each_page(app):
    text = lazy_gettext(TEXT)
    assert str(text) == TEXT
    with app.test_request_context("/fr"):
        assert str(text) == gettext(TEXT) != TEXT
        assert f"{text}" == "%s" % text == gettext(TEXT)  # noqa: UP031
    with app.test_request_context("/en"):
        assert str(text) == TEXT


def test_a_count_chooses_its_form_and_may_stand_in_it(app):
    forms = "%(num)s die of %(name)s", "%(num)s dice of %(name)s"
    with app.test_request_context("/en"):
        assert ngettext(*forms, 1, name="Ann") == "1 die of Ann"
        assert ngettext(*forms, 0, name="Ann") == "0 dice of Ann"
    assert gettext("100 % sure") == "100 % sure"
    assert gettext("100 %% of %(name)s", name="Ann") == "100 % of Ann"


def test_a_stream_keeps_the_language_of_its_request_and_nobody_elses(app):
    def draw() -> str:
        return f"{language()}: {gettext(TEXT)}"

    with app.test_request_context("/fr"):
        french = in_same_language(draw)
    with app.test_request_context("/en"):
        english = in_same_language(draw)
        assert french() == f"fr: {app.extensions[i18n.CATALOGUES]['fr'].gettext(TEXT)}"
        assert draw() == f"en: {TEXT}"
    assert english() == f"en: {TEXT}" == draw()
    assert french() != english()


@pytest.mark.processes
def test_what_is_shipped_needs_no_babel():
    for path in [p for package in SHIPPED for p in (ROOT / package).rglob("*.py")]:
        source = path.read_text("utf-8")
        for node in ast.walk(ast.parse(source if "babel" in source else "")):
            if isinstance(node, ast.Import | ast.ImportFrom):
                imported = [getattr(node, "module", ""), *(alias.name for alias in node.names)]
                assert not [name for name in imported if "babel" in (name or "")], path
