"""The table over HTTPS in a browser that trusts its authority, as a phone does once it is told."""

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.request import urlopen

import pytest
from browser import BROWSERS, FLAGS, Screens
from home import Home
from layout import overflow
from playwright.sync_api import Browser, Error, expect
from served import open_tab
from test_called import LOCKS
from waiting import wait_until

from companion.app.https.authority import AUTHORITY
from companion.settings import HttpsSettings
from companion.table import rounds, seats
from companion.table.changes import Press

AWAY = """Object.defineProperty(document, "hidden", { get: () => Boolean(window.away) })"""
ACTIVE = """async () => {
  const [worker] = await navigator.serviceWorker.getRegistrations();
  return Boolean(worker?.active);
}"""
# A browser without a screen shows none.
NOTICES = """
ServiceWorkerRegistration.prototype.showNotification = async function (title, { body }) {
  document.documentElement.dataset.told = `${title}: ${body}`;
};
"""


class Trust:
    """The authorities that a person added to the browser: NSS keeps them at home."""

    def __init__(self, home: Path) -> None:
        self.environ: Mapping[str, str | float | bool] = {**os.environ, "HOME": str(home)}
        self._base = f"sql:{home}/.pki/nssdb"
        (home / ".pki/nssdb").mkdir(parents=True)
        self._certutil("-N", "--empty-password")

    def add(self, certificate: Path) -> None:
        """Trust an authority for servers, and for nothing else."""
        self._certutil("-A", "-n", "table", "-t", "C,,", "-i", str(certificate))

    def _certutil(self, *words: str) -> None:
        try:
            subprocess.run(("certutil", "-d", self._base, *words), check=True)
        except FileNotFoundError:
            pytest.fail("certutil is missing: sudo apt-get install libnss3-tools", pytrace=False)


@pytest.fixture
def trust(tmp_path: Path) -> Trust:
    return Trust(tmp_path / "home")


@pytest.fixture
def screens(browser: Browser, trust: Trust) -> Iterator[Screens]:
    program = next(program for program in BROWSERS if program.exists())
    own = browser.browser_type.launch(executable_path=program, args=FLAGS, env=dict(trust.environ))
    opened = Screens(own)
    yield opened
    opened.close()
    own.close()
    assert opened.problems == []


@pytest.fixture
def home(tmp_path: Path, screens: Screens) -> Iterator[Home]:
    made = Home(tmp_path / "data", screens)
    made.start("none", https=HttpsSettings("offered"))
    yield made
    made.stop()


def authority_of(home: Home) -> Path:
    return home.data / "https" / "127.0.0.1" / AUTHORITY


def secure_address(home: Home) -> str:
    """Where the pages are over HTTPS, as the page about it says."""
    with urlopen(f"{home.url}secure") as page:
        found = re.search(r'href="(https://[^"]+)"', page.read().decode())
    assert found
    return found[1]


def test_a_browser_refuses_until_the_authority_is_installed(home, trust):
    page = home.screens.phone(f"{home.url}secure")
    home.screens.expect("asks for https://127")
    link = page.locator("#trust a")
    with page.expect_download() as loaded:
        link.click()
    assert loaded.value.path().read_bytes() == authority_of(home).read_bytes()
    with pytest.raises(Error, match="ERR_CERT_AUTHORITY_INVALID"):
        page.goto(secure_address(home))
    # What an installed authority vouches for is seen by tests/app/test_https.py.


def test_over_https_the_phone_stays_awake_notifies_and_can_be_installed(home, trust):
    trust.add(authority_of(home))
    allowed = ["screen-wake-lock", "notifications"]
    there, script = secure_address(home), f"{LOCKS};{AWAY};{NOTICES}"
    phone = home.screens.phone(there, script=script, permissions=allowed)
    phone.locator("[name=name]").fill("Ann")
    phone.locator("form button").first.click()
    phone.wait_for_url(f"{there}seat")
    assert phone.evaluate("isSecureContext")
    table = home.table

    def do(change: object, *given: object) -> None:
        table.do(change, Press(table.view().people[0].id, table.view().version), *given)

    for name in ("Bob", "Cleo", "Dan"):
        do(seats.add_person, name)
    phone.locator("#options > summary").tap()
    expect(phone.locator("a[href='/secure']")).to_be_visible()
    assert phone.locator("html").get_attribute("data-locked") is None
    do(rounds.start_game)
    expect(phone.locator("html")).to_have_attribute("data-locked", "screen")
    open_tab(phone, "more")
    phone.locator("[data-alert]").tap()
    expect(phone.locator("[data-alert]")).to_have_attribute("aria-pressed", "true")
    wait_until(lambda: phone.evaluate(ACTIVE), phone)
    do(rounds.new_game)
    expect(phone.locator(".seat.lobby")).to_be_visible()
    phone.evaluate("window.away = true")
    do(rounds.start_game)
    told = "Your seat · Bang companion: You are needed at the table."
    expect(phone.locator("html")).to_have_attribute("data-told", told)
    devtools = phone.context.new_cdp_session(phone)
    assert devtools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []


def test_the_page_says_what_to_do_on_the_smallest_screen(home):
    smallest = {"locale": "fr-FR", "viewport": {"width": 320, "height": 568}}
    page = home.screens.phone(f"{home.url}secure", **smallest)
    expect(page.locator("#trust h3")).to_have_count(3)
    home.screens.shot(page, "secure", full_page=True)
    assert overflow(page) <= 0
