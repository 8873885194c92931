"""The screens themselves, on a page that needs no table."""

from collections.abc import Iterator

import flask
import pytest
from browser import chromium
from waiting import wait_until

from web.serving.server import serve
from web.serving.stream import Broadcast

PAGE = """<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>Turn</title><link rel="icon" href="data:,"><h1>?</h1>"""


@pytest.fixture
def url() -> Iterator[str]:
    app = flask.Flask(__name__)
    app.add_url_rule("/", "page", lambda: PAGE)
    server = serve(app, Broadcast(), "127.0.0.1", 0)
    yield server.url
    server.stop()


def test_a_phone_is_a_phone_and_a_television_is_none(url, screens):
    look = "[innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints > 0]"
    assert screens.phone(url).evaluate(look) == [390, 844, 2, True]
    assert screens.television(url).evaluate(look) == [1280, 720, 1, False]


FORBIDDEN = {
    "fetch('http://127.0.0.2:9/font.woff2').catch(() => 0)": "asks for http://127.0.0.2:9/",
    "fetch('http://127.0.0.1:9/font.woff2').catch(() => 0)": "asks for http://127.0.0.1:9/",
    "new Image().src = 'https://fonts.example/a.png'": "asks for https://fonts.example/a.png",
    "new WebSocket('ws://127.0.0.2:9/live')": "opens ws://127.0.0.2:9/live",
    "console.error('no state')": "no state",
    "setTimeout(() => { throw new Error('no seat') })": "uncaught: no seat",
    "fetch('/missing')": "404",
}


def test_what_a_page_must_not_do_is_noticed(url, screens):
    page = screens.phone(url)
    for script, problem in FORBIDDEN.items():
        page.evaluate(f"() => {{ {script} }}")
        wait_until(lambda problem=problem: problem in "\n".join(screens.problems), page)
    screens.close()
    screens.problems.clear()


def test_what_a_test_expects_is_no_problem(url, screens):
    screens.expect("no state")
    screens.phone(url).evaluate("console.error('no state')")
    assert screens.problems == []


def test_without_a_browser_a_test_fails_and_says_how_to_get_it(tmp_path):
    programs = (tmp_path / "shell", tmp_path / "chromium")
    message = "shell and .*/chromium are missing: sudo apt-get install shell$"
    with pytest.raises(pytest.fail.Exception, match=message), chromium(programs):
        pass
