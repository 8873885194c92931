"""An evening at a folder camera: the running follower reads and learns as the benchmark counts."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

from companion.camera.empty_tray import EmptyTray
from companion.camera.table_reader import TableReader
from companion.camera.workers import FrameWorkers
from hardware.camera.frames import frames
from tests.tools.bench.drawn_evenings import TABLES, DrawnTable, Throw, set_table, teach
from tests.tools.bench.evenings import judge, learn_throw
from vision.dice.find.tray_model import TrayModel
from vision.dice.follow import TrayChange
from vision.dice.reader import DiceReader
from vision.dice.reading import DiceReading

pytestmark = [pytest.mark.pictures, pytest.mark.slow]

LOOK, SEED, THROWS = TABLES[1], 1, 6
EMPTY, LYING, RATE = 4, 16, 15
"""Frames of the empty tray and of each throw, and frames a second."""


def film(table: DrawnTable, throws: list[Throw], folder: Path) -> None:
    """Write the frames of an evening, the tray emptied before each throw."""
    for number, throw in enumerate(throws):
        for kind, picture, count in ((0, table.empty(), EMPTY), (1, throw.picture, LYING)):
            png = cv2.imencode(".png", picture)[1].tobytes()
            for frame in range(count):
                (folder / f"{number:02}{kind}{frame:02}.png").write_bytes(png)


def seen(reader: TableReader, folder: Path) -> Iterator[TrayChange]:
    """Yield what the follower tells last of each throw; go on once that is dealt with."""
    follower, change = reader.follower(), None
    for number, (_, frame) in enumerate(frames(folder)):
        change = follower.update(frame, number / RATE) or change
        if number % (EMPTY + LYING) == EMPTY + LYING - 1:
            assert change is not None
            yield change


def test_an_evening_at_a_folder_camera_counts_as_the_benchmark_does(tmp_path):
    table, profile = set_table(LOOK, SEED), teach(LOOK.dice, SEED)
    throws = [table.throw(number) for number in range(THROWS)]
    folder = tmp_path / "frames"
    folder.mkdir()
    film(table, throws, folder)
    tray = EmptyTray(tmp_path / "tray.png", FrameWorkers())
    tray.keep(table.empty())
    running, bench = TableReader(profile, tray), DiceReader(profile)
    model = TrayModel(table.empty())
    for throw, change in zip(throws, seen(running, folder), strict=True):
        reading = bench.read(throw.picture, model)
        assert change.verdict is not None
        told = DiceReading(change.verdict, change.dice)
        assert (told.verdict, judge(told, throw)) == (reading.verdict, judge(reading, throw))
        learned = learn_throw(model, reading, throw)
        if learned is not model:  # players accept it
            running.accept()
        model = learned
        assert running.model.dice == model.dice
