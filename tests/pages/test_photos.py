"""Real photographs as the camera: `run --camera FOLDER`, readings on the page."""

import json
import re
import shutil
from pathlib import Path

from home import Home
from places import PICTURES
from playwright.sync_api import expect
from served import add_player

PHOTOS = PICTURES / "gray_plate"
FACES = ("arrow", "dynamite", "bullseye1", "bullseye2", "beer", "gatling")


def test_photographs_of_five_dice_are_read_and_rolled(tmp_path: Path, home: Home) -> None:
    labels = json.loads((PHOTOS / "labels.json").read_text())
    rolls = {name: label["dice"] for name, label in labels.items() if len(label["dice"]) == 5}
    assert len(rolls) == 3
    folder = tmp_path / "photos"
    folder.mkdir()
    for name in rolls:
        shutil.copy(PHOTOS / name, folder)
    home.start(str(folder), seed=1)
    phone = home.host()
    for name in ("Bob", "Cleo"):
        add_player(phone, name)
        expect(phone.locator("#people").get_by_text(name).filter(visible=True)).to_be_visible()
    phone.get_by_role("button", name="Start the game").click()
    expect(phone.locator("#tray")).to_be_visible()
    characters = [player.character for player in home.table.view().game.players]
    assert not {"kit_carlson", "sid_ketchum"} & set(characters), "who would be asked between"
    green = home.running.controls.pins.factory.pin(17)
    for name in sorted(rolls):
        truth = sorted(FACES[value - 1] for value in rolls[name])
        read = phone.locator("#tray.certain, #tray.uncertain, #tray.illegal")
        expect(read).to_be_visible(timeout=60_000)
        if phone.locator("#tray.illegal").count():
            # A die was not found, or seems to lean: the players say what the camera can't.
            phone.get_by_role("button", name="Enter the dice by hand").click()
            expect(phone.locator("#tray.illegal")).to_have_count(0)
        dice = home.table.view().tray.dice
        missing = list(truth)
        for die in dice:
            if die.sure:
                assert die.face in missing, "sure and wrong"
                missing.remove(die.face)
        for die in (die for die, shown in enumerate(dice) if not shown.sure):
            right = dice[die].face if dice[die].face in missing else missing[0]
            missing.remove(right)
            phone.locator(f"[data-opens='die-{die}']").click()
            phone.locator(f"#die-{die} [data-with*='face={right}']").click()
            expect(phone.locator("#tray .die").nth(die)).not_to_have_class(
                re.compile("unsure|unknown")
            )
            if dice[die].face is None and phone.locator("#tray .die.unknown").count():
                # Its sheet opens by itself.
                expect(phone.locator("dialog[open]")).to_be_visible()
                phone.keyboard.press("Escape")
        expect(phone.locator("#tray.certain")).to_be_visible()
        assert sorted(die.face for die in home.table.view().tray.dice) == truth
        rolled = home.table.view().story
        green.drive_low()
        green.drive_high()
        view = home.table.view()
        assert view.story != rolled, view.notice
        expect(phone.locator("[data-version]").first).to_have_attribute(
            "data-version", str(view.version)
        )
