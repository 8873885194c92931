"""The disk is full, read-only, or has no room: a press that can't be saved did not happen."""

import os
import posix
import random
import resource
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from disks import fill, mounted, remount, root_only, small_disk
from endless_game import begin, play, press, table_of
from people import join
from places import SAVED

from companion.table import moves, rounds
from companion.table.journal.journal import GAMES as RECORDS
from companion.table.journal.journal import OLD_FORMAT
from companion.table.scene import Phase, Trouble
from companion.table.table import Problem, Refused, Table

SAVED = SAVED / "0.1.0" / "playing"


@pytest.fixture(autouse=True)
def _disk_that_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here, what the disk doesn't have is lost."""
    for name in ("fsync", "fdatasync"):
        monkeypatch.setattr(os, name, getattr(posix, name))


def lines(table: Table) -> list[str]:
    return [moment.line for moment in table.scene.history.moments]


def play_until_refused(table: Table, host: int, chance: random.Random) -> Refused:
    """Play on until a press is refused, and hold that it changed nothing."""
    for _ in range(2000):
        before = table.view().version, lines(table)
        refused = None
        try:
            play(table, host, chance)
        except Refused as error:
            refused = error
        if refused is not None:
            assert refused.problem is Problem.FAILED
            assert (table.view().version, lines(table)) == before
            return refused
        if table.view().phase is Phase.OVER:
            press(table, 1, moves.undo)
    raise AssertionError("the disk never was full")


def check_refuses_and_goes_on(folder: Path, fill: Callable[[], None], free: Callable[[], None]):
    chance = random.Random(3)
    with table_of(folder) as table:
        host = begin(table)
        fill()
        refused = play_until_refused(table, host, chance)
        assert "nothing was changed" in str(refused)
        assert list(table.view().troubles) == [Trouble.SAVING]
        for _ in range(3):
            with pytest.raises(Refused):
                press(table, 1, rounds.new_game)
        assert table.view().phase is Phase.PLAYING
        free()
        before = lines(table)
        while lines(table) == before:
            play(table, host, chance)
        assert table.view().troubles == {}
        shown = table.view().version, lines(table)
    with table_of(folder) as table:
        assert table.view().version > shown[0]
        assert lines(table) == shown[1]
        assert table.journal.set_aside is None


def test_without_room_nothing_happens_and_with_room_play_goes_on(tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def limit(size: int) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))

    try:
        check_refuses_and_goes_on(tmp_path, lambda: limit(100), lambda: limit(soft))
    finally:
        limit(soft)


@root_only
def test_on_a_full_disk_nothing_happens_and_with_room_play_goes_on(tmp_path):
    with small_disk(tmp_path) as disk:
        full = disk / "full"
        check_refuses_and_goes_on(disk / "table", lambda: fill(disk), full.unlink)


@root_only
@pytest.mark.parametrize("known", [True, False])
def test_started_on_a_full_disk_the_table_shows_where_it_stood(tmp_path, known):
    def act(table: Table) -> None:
        press(table, 1, rounds.new_game) if known else join(table, "Ann", "")

    with small_disk(tmp_path) as disk:
        folder, before = disk / "table", []
        if known:
            with table_of(folder) as table:
                begin(table)
                before = lines(table)
        fill(disk)
        with table_of(folder) as table:
            assert (lines(table) if known else []) == before
            with pytest.raises(Refused, match="the disk is full"):
                act(table)
            assert table.view().troubles == {Trouble.SAVING: "the disk is full"}
            (disk / "full").unlink()
            act(table)
            assert table.view().troubles == {}
            after = table.view()
        with table_of(folder) as table:
            assert table.view().people == after.people
            assert table.view().phase is after.phase


@root_only
def test_started_on_a_read_only_disk_the_table_shows_where_it_stood(tmp_path):
    with small_disk(tmp_path) as disk:
        with table_of(disk / "table") as table:
            host = begin(table)
            play(table, host, random.Random(1))
            # As after a kill.
            shutil.copytree(disk / "table", disk / "killed")
            before = lines(table)
        remount(disk, "ro")
        for folder in ("table", "killed"):
            with table_of(disk / folder) as table:
                assert lines(table) == before
                reason = table.view().troubles[Trouble.SAVING]
                assert reason == "the disk is read-only"
                with pytest.raises(Refused, match="the disk is read-only"):
                    press(table, 1, rounds.new_game)
        with table_of(disk / "killed") as table:
            remount(disk, "rw")
            press(table, 1, rounds.new_game)
            assert table.view().troubles == {}
            assert (disk / "killed" / RECORDS).exists()


@root_only
@pytest.mark.parametrize("fault", ["the disk is full", "the disk is read-only"])
def test_a_table_of_0_1_0_is_shown_where_it_cannot_be_migrated_and_later_is(tmp_path, fault):
    with small_disk(tmp_path) as disk:
        shutil.copytree(SAVED, disk / "table")
        shutil.copytree(SAVED, tmp_path / "table")
        with table_of(tmp_path / "table") as table:
            before = lines(table)
        files = sorted(path.name for path in (disk / "table").iterdir())
        if fault == "the disk is full":
            fill(disk)
        else:
            remount(disk, "ro")
        with table_of(disk / "table") as table:
            assert lines(table) == before
            with pytest.raises(Refused, match=fault):
                press(table, 1, moves.undo)
            assert table.view().troubles == {Trouble.SAVING: fault}
            assert sorted(path.name for path in (disk / "table").iterdir()) == files
            if fault == "the disk is full":
                (disk / "full").unlink()
            else:
                remount(disk, "rw")
            press(table, 1, moves.undo)
            assert table.view().troubles == {}
        kept = disk / "table" / OLD_FORMAT
        tables = [name for name in files if name.startswith("table")]
        assert sorted(path.name for path in kept.iterdir()) == tables
        with table_of(disk / "table") as table:
            assert lines(table) == before[:-1]


@root_only
@pytest.mark.skipif(shutil.which("mkfs.ext4") is None, reason="nothing makes ext4 here")
def test_a_disk_that_turns_read_only_refuses_and_is_mended_by_a_check(tmp_path):
    """As Linux does with a damaged card: ext4 with `errors=remount-ro`, and a real error."""
    image = tmp_path / "image"
    with image.open("wb") as file:
        file.truncate(16 << 20)
    subprocess.run(["mkfs.ext4", "-q", "-F", image], check=True)
    options = ("-o", "loop,errors=remount-ro", str(image))
    with mounted(tmp_path / "disk", *options) as disk:
        source = subprocess.check_output(["findmnt", "-no", "SOURCE", disk], text=True)
        trigger = Path("/sys/fs/ext4") / Path(source.strip()).name / "trigger_fs_error"
        with table_of(disk / "table") as table:
            host = begin(table)
            for _ in range(3):
                play(table, host, random.Random(1))
            before = lines(table)
            trigger.write_text("1")
            with pytest.raises(Refused, match="nothing was changed"):
                press(table, 1, rounds.new_game)
            assert lines(table) == before
            assert Trouble.SAVING in table.view().troubles
    subprocess.run(["e2fsck", "-fy", image], check=False, stdout=subprocess.DEVNULL)
    with mounted(tmp_path / "disk", *options) as disk, table_of(disk / "table") as table:
        assert lines(table) == before
        press(table, 1, rounds.new_game)
