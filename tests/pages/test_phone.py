"""A phone in one hand: nothing jumps under the thumb, and nothing covers what came of a press."""

from dataclasses import replace

import pytest
from playwright.sync_api import Locator, expect

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


def test_all_tabs_are_on_a_small_screen_with_large_text(served):
    served.deal("soro")
    phone = served.phone(0, **SMALL)
    phone.evaluate("document.documentElement.style.fontSize = '200%'")
    edges = [
        box["x"] + box["width"]
        for box in map(Locator.bounding_box, phone.locator(".tabs button").all())
    ]
    assert edges == pytest.approx([80, 160, 240, 320])
