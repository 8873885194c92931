"""What the first run leaves out, and whose it is; test_every_page walks through its steps."""

from browser import Screens
from home import Home
from people import join
from playwright.sync_api import expect

from companion.table import rounds, seats
from companion.table.changes import Press


def test_a_light_without_pins_is_not_asked_about(home: Home) -> None:
    home.start(camera="none")
    phone = home.seated("first-run")
    phone.locator("#step-light button").click()
    expect(phone.get_by_text("a wired light doesn’t either")).to_be_visible()
    assert phone.locator("#shines").count() == 0
    phone.get_by_role("button", name="Continue without a light").click()
    expect(phone.locator("#step-light.without")).to_be_visible()


def test_it_is_the_hosts_only_and_waits_for_the_end_of_a_game(home: Home, screens: Screens) -> None:
    home.start(camera="none")
    phone = home.host()
    phone.goto(f"{home.url}first-run")
    phone.get_by_role("button", name="Start").click()
    phone.get_by_role("button", name="Continue without a camera").click()
    expect(phone.locator("#step-camera.without")).to_be_visible()

    table = home.table
    token = join(table, "Bob", table.scene.code)
    guest = screens.phone(f"{home.url}static/icon.svg").context
    guest.add_cookies([{"name": "seat", "value": token, "url": home.url}])
    assert guest.request.get(f"{home.url}first-run").status == 403

    host = table.view().people[0].id
    table.do(seats.add_person, Press(host, table.view().version), "Cleo")
    table.do(rounds.start_game, Press(host, table.view().version))
    expect(phone.get_by_text("A game is running.")).to_be_visible()
    expect(phone.locator(".step").first).to_be_disabled()
