"""The host's pages in a real browser: setting the camera up, and teaching dice by showing them."""

from collections import Counter

import cv2
import pytest
from browser import Screens
from home import follow
from layout import fits
from playwright.sync_api import Locator, Page, expect
from served import add_player

from vision.dice.profile import load_profile
from vision.dice.reading import FACES
from vision.motion import REST_S
from vision.simulate.dice.throw import PlacedDie
from vision.simulate.dice.tray import SimulatedDiceTray
from vision.simulate.settings import RenderSettings

SLOW = 60_000
"""Milliseconds: a reader may have to wait for other tests."""


def load(picture: Locator) -> None:
    """Wait until a picture is shown."""
    expect(picture).not_to_have_js_property("naturalWidth", 0, timeout=SLOW)


def test_the_empty_tray_is_shown_kept_and_forgotten_when_the_camera_moves(home):
    home.start()
    phone = home.host()
    phone.goto(f"{home.url}setup")
    expect(phone.locator("#advice")).to_contain_text("No dice found", timeout=SLOW)
    phone.get_by_role("button", name="Save the empty tray").click()
    shown = phone.get_by_alt_text("The tray without dice")
    expect(shown).to_be_visible()
    load(shown)
    fits(phone)
    kept = cv2.imread(str(home.data / "tray.png"))
    assert kept.shape == (616, 820, 3)

    # The camera now stands otherwise.
    home.simulated.tray = SimulatedDiceTray(
        "pips", seed=3, settings=RenderSettings(turn=8, height=31)
    )
    expect(phone.get_by_text("The camera has moved")).to_be_visible(timeout=SLOW)
    assert not (home.data / "tray.png").exists()


def teach(phone: Page, screens: Screens, show: str) -> None:
    """Teach all six faces by three pictures each, with the press that shows the next."""
    for number in range(1, 7):
        expect(phone.get_by_text(f"{number} of 6")).to_be_visible()
        for count in range(1, 4):
            phone.get_by_role("button", name=show).click()
            expect(phone.locator(".cut li")).to_have_count(count, timeout=SLOW)
        if number in (1, 6):
            fits(phone)
        if number < 6:
            phone.get_by_role("button", name="Next: ").click()


@pytest.mark.slow
def test_dice_are_taught_and_read_without_a_restart_and_after_one(home, screens, monkeypatch):
    # No hand lays these dice.
    monkeypatch.setattr("companion.setup.teaching.REST_S", REST_S)
    home.start()
    phone = home.host()
    follow(phone, "/teach")
    expect(phone.get_by_label("Name of these dice")).to_be_visible()
    fits(phone)
    phone.get_by_label("Name of these dice").fill("Drawn ones")
    phone.get_by_label("our own, printed").check()
    phone.get_by_role("button", name="Start").click()
    teach(phone, screens, "Place a die for me")
    assert not (home.data / "profiles").exists()

    phone.get_by_role("button", name="Check the pictures").click()
    expect(
        phone.get_by_text("Compared with the others, every picture is read correctly.")
    ).to_be_visible(timeout=SLOW)
    expect(phone.locator("#checked .cut img")).to_have_count(18)
    fits(phone)
    phone.get_by_role("button", name="Use these dice").click()
    known = phone.get_by_role("listitem").filter(has_text="Drawn ones")
    expect(known).to_contain_text("in use")
    fits(phone)
    profile = load_profile(home.data / "profiles" / "Drawn ones.dice")
    assert profile.edition == "print"
    assert {face: len(profile.taught[face]) for face in FACES} == dict.fromkeys(FACES, 3)

    phone.get_by_role("link", name="Back to the table").click()
    for name in ("Bob", "Cleo"):
        add_player(phone, name)
        expect(phone.locator("#people").get_by_text(name).filter(visible=True)).to_be_visible()
    phone.get_by_role("button", name="Start the game").click()
    phone.get_by_role("button", name="Throw").click()
    expect(phone.locator("#tray.certain, #tray.uncertain")).to_be_visible(timeout=SLOW)
    dice = home.table.view().tray.dice
    assert Counter(die.face for die in dice if die.sure) <= Counter(home.simulated.tray.faces)
    assert sum(die.sure for die in dice) >= 4

    home.stop()
    home.start()
    assert home.running.watching.reader.profile.name == "Drawn ones"


def test_a_lesson_is_given_from_a_folder_of_pictures_mended_and_left(home, tmp_path):
    folder = tmp_path / "pictures"
    folder.mkdir()
    tray = SimulatedDiceTray("symbols", seed=5)
    for number, (x, angle) in enumerate(((-6.0, 20.0), (0.0, 110.0), (5.0, 200.0))):
        tray.place([PlacedDie("arrow", x, 2.0 * number, angle)])
        sharp = tray.frame()
        # The second is out of focus.
        image = cv2.GaussianBlur(sharp, (0, 0), 7) if number == 1 else sharp
        cv2.imwrite(str(folder / f"{number}.png"), image)
    home.start(camera=str(folder))
    phone = home.host()
    phone.goto(f"{home.url}teach")
    phone.get_by_label("Name of these dice").fill("Mine")
    phone.get_by_role("button", name="Start").click()
    expect(phone.get_by_text("with arrow on top")).to_be_visible()
    phone.get_by_role("button", name="Take a picture now").click()
    cut = phone.locator(".cut li")
    expect(cut).to_have_count(1, timeout=SLOW)
    phone.get_by_role("button", name="Next picture").click()
    doubtful = phone.locator(".cut li.doubtful, .notice")
    expect(doubtful.first).to_be_visible(timeout=SLOW)
    fits(phone)
