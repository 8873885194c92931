"""Files that only the host can make again: the next start misses those that have gone."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest
from running import page_of, running_table
from waiting import wait_until

from companion.app.build import RunningTable
from companion.camera.empty_tray import EmptyTray
from companion.camera.setup_store import KEPT, SetupStore
from companion.camera.workers import FrameWorkers
from companion.memory.statistics import deletion
from companion.memory.statistics.players import PlayerNames

pytestmark = pytest.mark.tables


def told(running: RunningTable) -> str:
    """What every page tells of files that are missing; "" where it tells nothing."""
    after = page_of(running).partition("Files of this table are missing (")[2]
    return after.partition(")")[0]


@contextmanager
def empty_tray(folder: Path) -> Iterator[EmptyTray]:
    with closing(FrameWorkers()) as workers:
        yield EmptyTray(folder / "tray.png", workers)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """That of a table that was set up, and has been started since."""
    SetupStore(tmp_path).save(mains=60)
    with empty_tray(tmp_path) as tray:
        tray.keep(np.zeros((60, 80, 3), np.uint8))
    (tmp_path / "players.json").write_text(PlayerNames({"bob": "Robert"}).to_json())
    with running_table(tmp_path) as running:
        assert told(running) == ""
    return tmp_path


@pytest.mark.parametrize("names", [["setup.json"], list(KEPT)], ids=", ".join)
def test_files_that_were_there_are_told_once_they_are_missing(folder, names):
    for name in names:
        (folder / name).unlink()
    with running_table(folder) as running:
        assert told(running) == ", ".join(names)
    with running_table(folder) as running:
        assert told(running) == "", "once is enough"


def test_what_was_made_since_the_start_is_missed_too(folder):
    (folder / "setup.json").unlink()
    with running_table(folder):
        SetupStore(folder).save(mains=60)
    (folder / "setup.json").unlink()
    with running_table(folder) as running:
        assert told(running) == "setup.json"


def test_what_the_table_itself_forgets_is_not_missed(folder):
    with empty_tray(folder) as tray:
        tray.forget()
    with running_table(folder) as running:
        assert told(running) == ""
    (folder / deletion.FILE).write_text(deletion.Deletion(everything=True).to_json())
    with running_table(folder):
        wait_until(lambda: not (folder / deletion.FILE).exists())
        wait_until(lambda: not (folder / "players.json").exists())
    with running_table(folder) as running:
        assert told(running) == ""


def test_what_is_damaged_is_told_as_that_alone(folder):
    (folder / "setup.json").write_text("[")
    with running_table(folder) as running:
        assert (told(running), list(running.table.view().troubles)) == ("", ["setup"])
        (kept,) = folder.glob("damaged-*/setup.json")
        assert kept.read_text() == "["
    with running_table(folder) as running:
        assert told(running) == ""


@pytest.mark.parametrize("left", [None, b"\xff\xfe"])
def test_without_a_note_of_what_was_there_nothing_is_told(folder, left):
    (folder / "setup.json").unlink()
    (folder / "kept-files").unlink()
    if left is not None:
        (folder / "kept-files").write_bytes(left)
    with running_table(folder) as running:
        assert told(running) == ""
