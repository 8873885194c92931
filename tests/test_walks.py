"""The walks in the architecture: calls really go through the files that they name."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from sites import Site
from waiting import wait_until

from companion.camera.watcher import Watcher
from companion.games.cards.game import CARD_GAME
from companion.table.controls.buttons import ButtonRouter
from companion.table.surface.cards.state import PileObservation, PileVerdict
from companion.table.surface.dice.state import TrayStatus
from hardware.buttons import open_button
from hardware.camera.drawn import open_drawn
from hardware.pins import open_pins
from tests.tools.house import ROOT, trace
from vision.dice.follow import DiceFollower
from vision.dice.profile import load_profile
from vision.dice.reader import DiceReader
from vision.simulate.dice.tray import SimulatedDiceTray

pytestmark = pytest.mark.pictures

ARCHITECTURE = ROOT / "docs/dev/architecture.md"
GREEN_PIN = 17


def walks() -> dict[str, set[str]]:
    """The files that each walk links, by its heading."""
    parts = re.split(r"^## (.*)\n", ARCHITECTURE.read_text("utf-8"), flags=re.MULTILINE)
    files = {
        heading: set(re.findall(r"\]\(\.\./\.\./([\w/]+\.(?:py|html))\)", text))
        for heading, text in zip(parts[1::2], parts[2::2], strict=True)
    }
    return {heading: found for heading, found in files.items() if found}


def frame(site: Site) -> Callable[[], object]:
    read = DiceReader(load_profile("pips")).read
    site.start()
    tray = SimulatedDiceTray("pips", seed=1)
    tray.throw(())
    watcher = Watcher(site.table, lambda: open_drawn(tray.frame), partial(DiceFollower, read))

    def follow() -> None:
        watcher.start()
        wait_until(lambda: site.view.tray.status is TrayStatus.READY)
        watcher.stop()
        site.host.live("seat")

    return follow


def press(site: Site) -> Callable[[], object]:
    site.start().throw("arrow", "arrow", "arrow", "beer", "beer")
    pins = open_pins().factory
    button = open_button("green button", GREEN_PIN, ButtonRouter(site.table).press_green, pins)

    def push() -> None:
        pins.pin(GREEN_PIN).drive_low()
        button.close()
        assert len(site.table.scene.history.moments) == 2

    return push


def card(site: Site) -> Callable[[], object]:
    assert site.host.post("/game/choose", game=CARD_GAME.record_name).status_code == 204
    site.start().table.see(PileObservation(PileVerdict.NONE))

    def lay() -> None:
        site.table.see(PileObservation(PileVerdict.OK, ("stagecoach",)))
        assert len(site.table.scene.history.moments) == 2

    return lay


def page(site: Site) -> Callable[[], object]:
    site.start()
    return lambda: site.host.open("/seat")


WALKS = {
    "A frame becomes a face on a phone": frame,
    "A press becomes a line in the journal": press,
    "A card becomes a move": card,
    "A page says what one phone may see": page,
}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    characters = ("bart_cassidy", "el_gringo", "suzy_lafayette", "vulture_sam")
    return Site(tmp_path, characters=characters)


def test_every_walk_of_the_architecture_is_walked_here():
    assert walks().keys() == WALKS.keys()


@pytest.mark.parametrize("heading", WALKS)
def test_a_walk_goes_through_the_files_that_it_names(site, heading):
    gone = trace(ROOT, WALKS[heading](site)).files
    assert walks()[heading] - set(gone) == set()
