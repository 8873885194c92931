"""What the first run leaves out, and when it waits; test_every_page walks through its steps."""

from playwright.sync_api import expect

from companion.settings import Hotspot
from companion.table import rounds, seats
from companion.table.changes import Press


def test_a_light_without_pins_is_not_asked_about(home):
    home.start(camera="none")
    phone = home.seated("first-run")
    phone.locator("#step-light button").click()
    expect(phone.get_by_text("a wired light doesn’t either")).to_be_visible()
    assert phone.locator("#shines").count() == 0
    phone.get_by_role("button", name="Continue without a light").click()
    expect(phone.locator("#step-light.without")).to_be_visible()


def test_it_waits_for_the_end_of_a_game(home):
    home.start(camera="none")
    phone = home.host()
    phone.goto(f"{home.url}first-run")
    phone.get_by_role("button", name="Start").click()
    phone.get_by_role("button", name="Continue without a camera").click()
    expect(phone.locator("#step-camera.without")).to_be_visible()
    table = home.table
    host = table.view().people[0].id
    for name in ("Bob", "Cleo"):
        table.do(seats.add_person, Press(host, table.view().version), name)
    table.do(rounds.start_game, Press(host, table.view().version))
    expect(phone.get_by_text("A game is running.")).to_be_visible()
    expect(phone.locator(".step").first).to_be_disabled()


def test_one_tap_lets_a_phone_stay_and_the_address_is_read_at_once(home):
    """The page that a phone sees first in the Pi's own Wi-Fi, in the small window of its system."""
    home.start("none", hotspot=Hotspot("BANG", "abcdefgh2345"))
    # French has the longer words.
    smallest = {"locale": "fr", "viewport": {"width": 320, "height": 568}}
    page = home.screens.phone(f"{home.url}welcome", **smallest)
    home.screens.shot(page, "welcome")
    expect(page.locator(".code")).to_contain_text("10.42.0.1")
    page.locator("a.button").click()
    expect(page.locator("a.button")).to_have_count(0)
    expect(page.locator(".code")).to_contain_text("10.42.0.1")
    # Both are on the first screen: nobody scrolls in that window.
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    home.screens.shot(page, "welcome-stays")
