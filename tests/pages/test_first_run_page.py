"""The host's first run in a real browser: five steps, a tick for each, and all of it kept."""

import re

from browser import Screens
from home import Home
from layout import fits
from people import join
from playwright.sync_api import Locator, Page, expect

from companion.camera.pictures import WIDTH
from companion.table import rounds, seats
from companion.table.changes import Press

SLOW = 240_000
"""Milliseconds: a reader may have to wait for other tests."""


def ticked(phone: Page, step: str) -> Locator:
    return phone.locator(f"#step-{step}.done")


def next_step(phone: Page) -> None:
    phone.get_by_role("button", name="Next").click()


def test_five_steps_get_their_ticks_and_keep_them(home: Home) -> None:
    home.start(wired=True)
    phone = home.host()
    phone.get_by_role("link", name="Set up the table").click()
    expect(phone.get_by_role("button", name="Start")).to_be_visible()
    fits(phone)
    phone.get_by_role("button", name="Start").click()
    # No hand reaches into a simulated tray.
    expect(phone.locator("#advice")).to_contain_text("No dice found", timeout=SLOW)
    phone.get_by_role("button", name="Throw the dice").click()
    expect(ticked(phone, "camera")).to_be_visible(timeout=SLOW)
    fits(phone)

    next_step(phone)
    save = phone.get_by_role("button", name="Save the empty tray")
    expect(save).to_be_visible()
    phone.get_by_role("button", name="Take the dice out").click()
    expect(phone.locator("#advice")).to_have_text("The camera sees no dice.", timeout=SLOW)
    fits(phone)
    save.click()
    expect(ticked(phone, "tray")).to_be_visible()
    # The saved picture, not the live one, which would soon show dice again.
    expect(phone.locator("img.camera")).to_have_attribute("src", re.compile("/setup/tray.jpg"))
    expect(phone.get_by_role("button", name="Save it again")).to_be_visible()

    next_step(phone)
    expect(phone.get_by_text("Check that each is certain")).to_be_visible()
    phone.get_by_role("button", name="Throw the dice").click()
    expect(ticked(phone, "dice")).to_be_visible(timeout=SLOW)
    picture = phone.get_by_alt_text("What the camera sees now")
    expect(picture).to_have_js_property("naturalWidth", WIDTH, timeout=SLOW)
    fits(phone)

    next_step(phone)
    expect(phone.locator("#press")).to_have_text("Press the green button.")
    home.running.controls.buttons.press_red()
    expect(phone.get_by_text("the two are swapped")).to_be_visible()
    fits(phone)
    home.running.controls.buttons.press_green()
    expect(phone.locator("#press")).to_have_text("Press the red button.")
    home.running.controls.buttons.press_red()
    expect(ticked(phone, "buttons")).to_be_visible()

    next_step(phone)
    for colour in ("green", "amber", "red", "blue"):
        expect(phone.locator("#shines")).to_contain_text(colour)
        if colour == "amber":
            phone.get_by_role("button", name="No", exact=True).click()
            expect(phone.get_by_text("Swap two wires")).to_be_visible()
            fits(phone)
        phone.get_by_role("button", name="Yes").click()
    expect(ticked(phone, "light")).to_be_visible()
    phone.get_by_role("button", name="Finish").click()
    expect(phone.locator("#ready")).to_be_visible()
    expect(phone.get_by_role("link", name="Back to the table")).to_have_class("button main")
    fits(phone)

    home.stop()
    home.start(camera="none")
    assert home.running.first_run.view().ticks.keys() == {
        "camera", "tray", "dice", "buttons", "light",
    }  # fmt: skip


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
