"""Real screens for tests of the pages: phones and a television in one headless Chromium."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Locator,
    Page,
    Request,
    expect,
    sync_playwright,
)

BROWSERS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
"""Both draw alike. The first opens no windows, so that a page costs a third of the work."""
# Root has no sandbox; the rest keeps the browser itself off the network.
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
TELEVISION: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}}
SCRIPTS = Path(__file__).parent


@contextmanager
def chromium(programs: Sequence[Path] = BROWSERS) -> Iterator[Browser]:
    """Run the first of Debian's browsers that is installed; fail the test if there is none."""
    program = next((program for program in programs if program.exists()), None)
    if program is None:
        names = " and ".join(map(str, programs))
        pytest.fail(f"{names} are missing: sudo apt-get install {programs[0].name}", pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


class Screens:
    """The phones and the television of one test, each with a storage of its own.

    `problems` names every request to another origin, console error and uncaught
    exception of any page; the fixture fails the test if there is one in the end.
    `roles_are_known`: whether players have looked at what they were dealt; else, phones show it.
    """

    def __init__(self, browser: Browser) -> None:
        self.problems: list[str] = []
        self.roles_are_known = True
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._expected: list[str] = []

    def phone(self, url: str, **options: Any) -> Page:
        """Open `url` on a new phone.

        options: those of Playwright's `new_context`; `script`: runs before those of each page.
        """
        return self._open(url, **PHONE | options)

    def seated(self, url: str, token: str, path: str = "seat", **options: Any) -> Page:
        """Open a page of the table at `url` on a new phone that holds the seat of a secret."""
        return self._open(f"{url}{path}", seat=token, **PHONE | options)

    def television(self, url: str, **options: Any) -> Page:
        """Open `url` on a new television; `options` as for a phone."""
        return self._open(url, **TELEVISION | options)

    def expect(self, pattern: str) -> None:
        """Let problems pass in which `pattern` is found, as of a server that the test stops."""
        self._expected.append(pattern)

    def shot(self, page: Page, name: str, **options: Any) -> None:
        """Save a picture of `page` as `name`.png in the folder $SHOTS, if that is set."""
        if folder := os.environ.get("SHOTS"):
            page.screenshot(path=Path(folder) / f"{name}.png", **options)

    def wait_for_scripts(self) -> None:
        """Wait until the script of every open page runs."""
        for context in self._contexts:
            for page in context.pages:
                _expect_script(page)

    def close(self) -> None:
        """Close every screen, once what it still had to say has been heard."""
        for context in self._contexts:
            for page in context.pages:
                # Unlike `evaluate`, this bears a page that is just led on.
                page.wait_for_function("() => true")
            context.close()
        self._contexts.clear()

    def _open(self, url: str, *, seat: str = "", script: str = "", **options: Any) -> Page:
        context = self._browser.new_context(**options)
        context.set_default_timeout(60_000)
        self._contexts.append(context)
        origin = _origin(url)

        def asked(request: Request) -> None:
            # Data and blob addresses leave no browser.
            if request.url.startswith("http") and _origin(request.url) != origin:
                self._note(f"{request.frame.url}: asks for {request.url}")

        # The browser reaches no other host. A route here would cost a tenth of what pages cost.
        context.on("request", asked)
        named = ("streams.js", "looked.js") if self.roles_are_known else ("streams.js",)
        scripts = "".join((SCRIPTS / name).read_text() for name in named) + script
        # The blank page before the first is no secure context, and lacks what scripts wrap.
        context.add_init_script(f"if (location.origin !== 'null') {{ {scripts} }}")
        # With the first request, so that no page is loaded in vain.
        if seat:
            context.add_cookies([{"name": "seat", "value": seat, "url": url}])
        context.on("console", lambda said: self._console(said.type, said.text, said.location))
        context.on("weberror", lambda error: self._note(f"uncaught: {error.error}"))
        page = context.new_page()
        page.on("websocket", lambda socket: self._note(f"{page.url}: opens {socket.url}"))
        page.goto(url)
        return page

    def _console(self, kind: str, text: str, location: Any) -> None:
        if kind in ("error", "assert"):
            self._note(f"{location['url']}:{location['lineNumber']}: {text}")

    def _note(self, problem: str) -> None:
        if not any(re.search(pattern, problem) for pattern in self._expected):
            self.problems.append(problem)


def choose_file(field: Locator, file: Path) -> None:
    """Give `file` to a field as soon as a person could.

    Until a page's scripts run, its body is inert and no finger reaches a field; Playwright does,
    and nobody would hear of the file.
    """
    _expect_script(field.page)
    field.set_input_files(file)


def cut_off(page: Page) -> None:
    """End the event stream of a page: it hears nothing of the table from now on."""
    page.wait_for_function("() => streams.length")
    page.evaluate("streams.at(-1).close()")


def pace(page: Page, rate: float) -> None:
    """Play the animations of a page this many times as fast."""
    page.context.new_cdp_session(page).send("Animation.setPlaybackRate", {"playbackRate": rate})


def _expect_script(page: Page) -> None:
    expect(page.locator("body")).to_have_js_property("inert", False)


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc
