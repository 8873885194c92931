"""A phone in one hand: nothing jumps under the thumb, and nothing covers what came of a press."""

from dataclasses import replace

import pytest
from playwright.sync_api import Locator, expect
from stand_ins import PLAIN

from companion.games.dice.rules.roles import Role
from companion.table import rounds
from companion.table.changes import Press
from companion.table.scene import CameraStatus, SimulatedTray

SMALL = {"viewport": {"width": 320, "height": 568}, "locale": "fr"}
"""French has the longer words."""


def top(of: Locator) -> float:
    box = of.bounding_box()
    return box["y"]


def test_buttons_keep_their_places_while_dice_are_picked_up(served):
    served.deal("soro", eyes=CameraStatus("simulated"))
    served.table.watch(replace(served.camera, tray=SimulatedTray()))
    served.roll("BDAGG")
    phone = served.phone(0, **SMALL)
    stop = phone.locator("[data-press='/dice/stop']")
    before = top(stop)
    for count, number in enumerate((0, 2, 3), start=1):
        phone.locator(f"[data-press='/dice/pick'][data-with='die={number}']").tap()
        expect(phone.locator("#tray > .dice .picked")).to_have_count(count)
        assert top(stop) == before
    assert phone.locator("[data-opens='wrong-die']").count() == 1


def test_the_sheet_of_the_last_player_closes_over_roles_that_cannot_be(served):
    served.seat(4)
    served.dealer.characters = PLAIN
    served.do(rounds.choose, "roles", "cards")
    served.do(rounds.start_game)
    for seat in range(3):
        number = served.table.view(1).dealing.round
        served.table.do(rounds.enter, Press(served.person(seat)), seat, Role.OUTLAW, None, number)
    phone = served.phone(3)
    phone.get_by_role("button", name="Enter your cards").click()
    sheet = phone.locator("#enter-3")
    sheet.locator("label", has=phone.locator("[value=outlaw]")).click()
    sheet.get_by_role("button", name="Confirm cards").click()
    expect(phone.locator(".notice").first).to_be_visible()
    expect(sheet).to_be_hidden()


def test_all_tabs_are_on_a_small_screen_with_large_text(served):
    served.deal("soro")
    phone = served.phone(0, **SMALL)
    phone.evaluate("document.documentElement.style.fontSize = '200%'")
    edges = [
        box["x"] + box["width"]
        for box in map(Locator.bounding_box, phone.locator(".tabs button").all())
    ]
    assert edges == pytest.approx([80, 160, 240, 320])
