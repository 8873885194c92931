"""Reading as the table does: by the dice in use, and by the empty tray until the camera moves."""

from pathlib import Path

import pytest

from companion.camera.empty_tray import EmptyTray, EmptyTrayState
from companion.camera.table_reader import TableReader
from companion.camera.workers import FrameWorkers
from vision.dice.find.tray_model import UNKNOWN, TrayModel
from vision.dice.follow import TrayEvent
from vision.dice.profile import load_profile
from vision.dice.reading import LyingDie, TrayVerdict
from vision.simulate.dice.throw import PlacedDie
from vision.simulate.dice.tray import SimulatedDiceTray
from vision.simulate.settings import RenderSettings

pytestmark = pytest.mark.pictures

FRAMES = 30
"""More than dice need to lie still."""


@pytest.fixture
def tray(tmp_path: Path) -> EmptyTray:
    return EmptyTray(tmp_path / "tray.png", FrameWorkers())


def test_a_damaged_picture_of_the_empty_tray_is_none(tmp_path):
    (tmp_path / "tray.png").write_bytes(b"no picture")
    assert EmptyTray(tmp_path / "tray.png", FrameWorkers()).state is EmptyTrayState.UNKNOWN


def test_throws_that_are_accepted_show_how_dice_lie_at_the_table(tray):
    reader, simulated = TableReader(load_profile("pips"), tray), SimulatedDiceTray(seed=1)
    assert not reader.accept()
    for angle in (10, 35, 60):
        simulated.place([PlacedDie("beer", x, angle / 20, angle) for x in (-8, -4, 0, 4, 8)])
        reading = reader.read(simulated.frame(), UNKNOWN)
        assert reader.read(simulated.frame(), UNKNOWN).verdict is reading.verdict is TrayVerdict.OK
        assert reader.accept()
    model = reader.model
    assert (len(model.dice), model.size) == (15, (820, 616))
    assert model.explains(model.dice[5:10])
    simulated.place([PlacedDie("beer", x, 2, 5) for x in (-8, -4, 0, 4)])
    assert reader.read(simulated.frame(), UNKNOWN).verdict is TrayVerdict.COUNT
    assert not reader.accept()
    assert reader.model is model


def test_the_table_and_its_empty_tray_are_forgotten_once_the_camera_has_moved(tray, tmp_path):
    told: list[EmptyTrayState] = []
    tray.listeners.add(lambda: told.append(tray.state))
    dice = tuple(LyingDie(x / 10, x / 10, 0.0, 0.0) for x in range(5))
    reader = TableReader(load_profile("pips"), tray, TrayModel(size=(820, 616), dice=dice))
    simulated = SimulatedDiceTray(seed=1)
    tray.keep(simulated.frame())
    known = reader.model_for(simulated.frame())
    assert (known.dice, known.tray is tray.picture) == (dice, True)
    moved = SimulatedDiceTray(seed=1, settings=RenderSettings(turn=8, height=31))
    for _ in range(FRAMES):
        reader.read(moved.frame(), UNKNOWN)
    assert reader.model is UNKNOWN
    assert told == [EmptyTrayState.KNOWN, EmptyTrayState.MOVED]
    assert list(tmp_path.iterdir()) == []


def test_what_lies_there_is_read_again_by_other_dice(tray):
    reader, told = TableReader(load_profile("pips"), tray), list[str]()
    reader.listeners.add(lambda: told.append(reader.profile.name))
    follower, simulated = reader.follower(), SimulatedDiceTray(seed=1)
    simulated.place([PlacedDie("beer", x, 0, 10) for x in (-8, -4, 0, 4, 8)])

    def changes(begin: int) -> list[TrayEvent]:
        every = (follower.update(simulated.frame(), (begin + n) / 15) for n in range(FRAMES))
        return [sighting.event for sighting in every if sighting is not None]

    assert changes(0)[-1] is TrayEvent.SETTLED
    assert changes(FRAMES) == []
    again = load_profile("pips")
    reader.use(again)
    assert changes(2 * FRAMES)[-1] is TrayEvent.SETTLED
    assert told == ["pips"]
    assert reader.reader.profile is again
