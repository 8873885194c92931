"""The screens themselves, on a page that needs no table."""

from collections.abc import Iterator
from pathlib import Path

import flask
import pytest
from browser import Screens, chromium
from waiting import wait_until

from web.serving.server import serve
from web.serving.stream import Broadcast

PAGE = """<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>Turn</title><link rel="icon" href="data:,"><h1>?</h1>
<script>
  new EventSource("/events").onmessage = (event) => {
    document.querySelector("h1").textContent = event.data;
  };
</script>"""


class Site:
    def __init__(self) -> None:
        self.broadcast = Broadcast(spectators=8)
        self.turn = 1
        app = flask.Flask(__name__)
        app.add_url_rule("/", "page", lambda: PAGE)
        app.add_url_rule("/events", "events", lambda: self.broadcast.response(self.render))
        self.server = serve(app, self.broadcast, "127.0.0.1", 0)
        self.url = self.server.url

    def render(self) -> str:
        return f"turn {self.turn}"


@pytest.fixture
def site() -> Iterator[Site]:
    running = Site()
    yield running
    running.server.stop()


def test_a_phone_is_a_phone_and_a_television_is_none(site: Site, screens: Screens) -> None:
    look = "[innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints > 0]"
    assert screens.phone(site.url).evaluate(look) == [390, 844, 2, True]
    assert screens.television(site.url).evaluate(look) == [1280, 720, 1, False]


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("fetch('http://127.0.0.2:9/font.woff2').catch(() => 0)", "asks for http://127.0.0.2:9/"),
        ("fetch('http://127.0.0.1:9/font.woff2').catch(() => 0)", "asks for http://127.0.0.1:9/"),
        ("new Image().src = 'https://fonts.example/a.png'", "asks for https://fonts.example/a.png"),
        ("new WebSocket('ws://127.0.0.2:9/live')", "opens ws://127.0.0.2:9/live"),
        ("console.error('no state')", "no state"),
        ("setTimeout(() => { throw new Error('no seat') })", "uncaught: no seat"),
        ("fetch('/missing')", "404"),
    ],
)
def test_what_a_page_must_not_do_is_noticed(
    site: Site, screens: Screens, script: str, problem: str
) -> None:
    page = screens.phone(site.url)
    page.evaluate(f"() => {{ {script} }}")
    wait_until(lambda: screens.problems, page)
    assert problem in "\n".join(screens.problems)
    screens.close()
    screens.problems.clear()


def test_what_a_test_expects_is_no_problem(site: Site, screens: Screens) -> None:
    screens.expect("no state")
    screens.phone(site.url).evaluate("console.error('no state')")
    assert screens.problems == []


def test_without_a_browser_a_test_fails_and_says_how_to_get_it(tmp_path: Path) -> None:
    programs = (tmp_path / "shell", tmp_path / "chromium")
    message = "shell and .*/chromium are missing: sudo apt-get install shell$"
    with pytest.raises(pytest.fail.Exception, match=message), chromium(programs):
        pass
