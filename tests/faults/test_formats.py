"""A saved table of an earlier format is migrated, killed anywhere; a newer one is left alone."""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest
from places import SAVED
from stand_ins import dice_game

from companion import __version__
from companion.games.registry import GAMES
from companion.table import rounds
from companion.table.changes import Press
from companion.table.journal import migrations
from companion.table.journal.chain import link
from companion.table.journal.journal import (
    BACKUP,
    FILE,
    FORMAT,
    OLD_FORMAT,
    PART,
    Journal,
    NewerError,
    look,
)
from companion.table.journal.migrations import BACKUP as OLD_BACKUP
from companion.table.journal.migrations import FILE as OLD_FILE
from companion.table.journal.saved import Saved
from companion.table.scene import Phase, Trouble
from companion.table.table import Table

SAVED = SAVED / "0.1.0"
PAGE = 4096


OLD = product(("0.1.0", "0.2.0"), ("lobby", "dealing", "playing", "over"))


@pytest.fixture(params=map("/".join, OLD))
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder of format 1 or 2, with its log as a pulled plug left it."""
    return Path(shutil.copytree(SAVED.parent / request.param, tmp_path / "table"))


@pytest.fixture
def playing(tmp_path: Path) -> Path:
    """The same, of a game with an earlier one behind it."""
    return Path(shutil.copytree(SAVED / "playing", tmp_path / "table"))


def files(folder: Path) -> Mapping[str, str]:
    """The files in a folder, each with a digest of what it holds."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def change(folder: Path, statement: str, *values: str) -> None:
    """Change a file of an earlier format."""
    with closing(sqlite3.connect(folder / OLD_FILE)) as base, base:
        base.execute(statement, values)


def opened(folder: Path) -> Table:
    """The table of a folder after a start; a start saves."""
    with closing(Journal(folder)) as journal:
        return Table(journal, GAMES, dice_game())


def same(one: Saved, other: Saved) -> bool:
    """Whether two saves hold the same, but for the version: each start has another one."""
    mine, theirs = (
        (each.code, each.game, each.last_game, each.people, [line[:3] for line in each.lines])
        for each in (one, other)
    )
    facts = {**one.facts, **other.facts}
    return mine == theirs and all(one.facts.get(k, v) == v for k, v in facts.items())


# From an earlier format


def test_every_format_before_this_one_has_a_saved_file(playing, tmp_path):
    assert look(playing).format == 1
    make_format_2(playing)
    found = look(playing)
    assert (found.format, found.old_damaged) == (2, False)
    assert found.saved.lines[-1].at == "2026-11-22T19:30:00Z"
    assert migrations.NEWEST + 1 == FORMAT


def test_a_migrated_file_holds_what_it_held_and_who_writes_it_now(old):
    before = look(old).saved
    assert before.people
    opened(old)
    after = look(old)
    assert same(after.saved, before)
    assert after.saved.version > before.version
    assert (after.format, after.old, after.damaged) == (FORMAT, (), ())
    assert f'"companion": "{__version__}"'.encode() in (old / FILE).read_bytes()
    assert [line.at for line in after.saved.lines] == [line.at for line in before.lines]


def test_the_old_files_are_kept_as_they_were(old):
    before = {
        name: digest
        for name, digest in files(old).items()
        if name.startswith("table") and not name.endswith("-shm")
    }
    assert before
    opened(old)
    kept = files(old / OLD_FORMAT)
    assert kept == before
    assert not list(old.glob("table*sqlite3*"))
    opened(old)
    assert files(old / OLD_FORMAT) == kept, "they are kept once"


def test_to_look_at_an_old_file_changes_nothing(old):
    before = files(old)
    look(old)
    Journal(old).close()
    assert files(old) == before


def make_format_2(folder: Path) -> None:
    """Bring a file of format 1 to format 2, as the version before this one did."""
    change(folder, "ALTER TABLE line ADD COLUMN at TEXT NOT NULL DEFAULT ''")
    change(folder, "UPDATE line SET at = '2026-11-22T19:30:00Z'")
    change(folder, "INSERT OR REPLACE INTO fact VALUES ('companion', '0.2.0')")
    change(folder, "PRAGMA user_version = 2")


def test_an_earlier_version_that_ran_again_is_believed(playing):
    """Who goes back to it puts the old files back, and plays on with them."""
    opened(playing)
    with closing(Journal(playing)) as journal:
        table = Table(journal, GAMES, dice_game())
        table.do(rounds.new_game, Press(1, table.view().version))
    for path in (playing / OLD_FORMAT).iterdir():
        shutil.copy(path, playing)
    assert opened(playing).view().phase is Phase.PLAYING
    kept = [path.name for path in (playing / f"{OLD_FORMAT}-2").iterdir()]
    assert {FILE, BACKUP, OLD_FILE} <= set(kept)


# Killed in the middle of it

KILLED = """
# Opens copies of a folder: the first is killed before the first step, the next before the second...
import os, shutil, signal, sys
from pathlib import Path
from stand_ins import dice_game
from companion.games.registry import GAMES
from companion.base import set_aside
from companion.table.journal import journal
from companion.table.table import Table

left = 0

def step():
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)

def before(function):
    def called(*arguments, **options):
        step()
        return function(*arguments, **options)
    return called

for name in ("replace", "rename", "mkdir", "unlink"):
    setattr(Path, name, before(getattr(Path, name)))
for name in ("fsync", "fdatasync", "write"):
    setattr(os, name, before(getattr(os, name)))

folder, copies, status = Path(sys.argv[1]), Path(sys.argv[2]), 1
while status:
    copy = copies / str(left := sum(1 for _ in os.scandir(copies)))
    os.system(f"cp -r '{folder}' '{copy}'")
    child = os.fork()
    if not child:
        Table(journal.Journal(copy), GAMES, dice_game())
        os._exit(0)
    status = os.waitpid(child, 0)[1]
"""


@pytest.mark.parametrize("written", [1, 2])
def test_killed_at_any_step_nothing_is_lost(playing, tmp_path, written):
    copies = tmp_path / "killed"
    copies.mkdir()
    if written == 2:
        make_format_2(playing)
    before = look(playing).saved
    paths = os.pathsep.join(sys.path)
    command = [sys.executable, "-c", KILLED, playing, copies]
    subprocess.run(command, check=True, env=os.environ | {"PYTHONPATH": paths})
    killed = sorted(copies.iterdir(), key=lambda path: int(path.name))
    formats = []
    for folder in killed:
        found = look(folder)
        formats.append(found.format)
        assert same(found.saved, before)
        assert (found.damaged, found.missing, found.old_damaged) == ((), (), False)
        assert opened(folder).view().troubles == {}
        assert not (folder / PART).exists()
        kept = {path.name for path in folder.glob(f"{OLD_FORMAT}*/*")}
        assert {OLD_FILE, OLD_BACKUP} <= kept
    assert formats == sorted(formats)
    assert set(formats) == {written, FORMAT}
    assert len(killed) > 10


# Damaged, and of an earlier format


@pytest.mark.parametrize("written", [1, 2])
def test_a_damaged_file_is_replaced_by_its_backup_and_everybody_is_told(playing, written):
    whole = look(Path(shutil.copytree(playing, playing.with_name("whole")))).saved
    if written == 2:
        make_format_2(playing)
    change(playing, "PRAGMA wal_checkpoint(TRUNCATE)")
    with (playing / OLD_FILE).open("r+b") as file:
        file.write(bytes(PAGE))
    table = opened(playing)
    assert list(table.view().troubles) == [Trouble.DAMAGE]
    assert table.scene.people == whole.people
    assert table.view().phase is Phase.PLAYING
    (aside,) = playing.glob("damaged-*")
    assert {OLD_FILE, OLD_BACKUP} <= {path.name for path in aside.iterdir()}


def test_of_a_damaged_old_file_the_game_is_kept_as_far_as_it_can_be_read(playing):
    change(playing, "PRAGMA wal_checkpoint(TRUNCATE)")
    content = (playing / OLD_FILE).read_bytes()
    for page in range(len(content) // PAGE):
        folder = Path(shutil.copytree(playing, playing.with_name(f"page-{page}")))
        spoilt = bytearray(content)
        spoilt[page * PAGE : (page + 1) * PAGE] = os.urandom(PAGE)
        (folder / OLD_FILE).write_bytes(spoilt)
        table = opened(folder)
        assert table.view().phase is Phase.PLAYING
        assert table.view().people
        (aside,) = folder.glob(f"damaged-*/{OLD_FILE}")
        assert aside.read_bytes() == spoilt


def test_a_missing_file_beside_its_backup_is_told(playing):
    (playing / OLD_FILE).unlink()
    table = opened(playing)
    assert table.view().phase is Phase.PLAYING
    assert list(table.view().troubles) == [Trouble.LOST]


@pytest.mark.parametrize(
    ("name", "value"),
    [("version", "1x2"), ("options", "[]"), ("claims", "1"), ("dealing", "x"), ("sheriff", "x")],
)
def test_a_fact_that_makes_no_sense_keeps_no_table_from_starting(playing, name, value):
    change(playing, "INSERT OR REPLACE INTO fact VALUES (?, ?)", name, value)
    table = opened(playing)
    assert table.view().phase is Phase.PLAYING
    assert Trouble.DAMAGE in table.view().troubles


# Of a newer format


def test_a_file_of_a_newer_version_is_refused_and_not_touched(tmp_path):
    first = link(None, '{"format": 99, "companion": "9.0.0", "more": []}')
    (tmp_path / FILE).write_bytes(first.line)
    before = files(tmp_path)
    with pytest.raises(NewerError) as refused:
        Journal(tmp_path)
    assert str(refused.value) == (
        f"{tmp_path / FILE}: written by version 9.0.0 in format 99; {__version__} reads up to"
        f" format {FORMAT}; install the newer version again, or choose another data folder"
    )
    assert files(tmp_path) == before


def test_a_newer_file_of_sqlite_is_refused_and_not_touched(playing):
    change(playing, "PRAGMA user_version = 99")
    before = files(playing)
    with pytest.raises(NewerError, match="written by a newer version in format 99"):
        Journal(playing)
    assert files(playing) == before
