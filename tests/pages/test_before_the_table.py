"""Pages in the table's place: while it is installed, and while the USB stick is missing."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path

from home import Home
from installer.card_page import make_server as make_card_page
from places import ROOT
from playwright.sync_api import expect

from web.missing_stick.page import make_server

SHORT = {"viewport": {"width": 390, "height": 600}}
"""A phone of which pictures leave nothing empty."""


@contextmanager
def serving(server: ThreadingHTTPServer) -> Iterator[int]:
    """Serve pages; yields the port."""
    with server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


def test_the_page_of_the_installation_becomes_the_table(home: Home, tmp_path: Path) -> None:
    home.screens.expect("503|ERR_|404")
    told = {"line": "building 0.4.0", "fault": ""}
    (tmp_path / "progress.json").write_text(json.dumps(told))
    card_page = make_card_page(0, tmp_path / "progress.json", ROOT / "web/translations")
    with serving(card_page) as port:
        page = home.screens.phone(f"http://127.0.0.1:{port}/", **SHORT)
        expect(page.locator("[aria-current]")).to_have_text("The table is built")
        home.screens.shot(page, "installing", scale="css")
    home.start(port=port)
    expect(page.locator("#join")).to_be_visible()
    home.screens.shot(page, "first-phone", scale="css")
    page.get_by_label("Your name").fill("Ann")
    page.locator("#join button").click()
    page.wait_for_url("**/seat")
    page.goto(f"{home.url}first-run")
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    home.screens.shot(page, "first-run", scale="css")


def test_an_open_page_says_that_the_stick_is_missing_and_becomes_the_table_again(
    home: Home,
) -> None:
    home.screens.expect("503|ERR_|404")
    home.start("none")
    port = home.running.server.port
    page = home.host()
    home.stack.close()
    with serving(make_server("127.0.0.1", port)):
        expect(page.locator("h1")).to_have_text("The USB stick is missing")
    home.start("none", port=port)
    expect(page.locator("#people")).to_be_visible()
