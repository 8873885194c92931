"""A saved table of an earlier format is migrated, killed anywhere; a newer one is left alone."""

import hashlib
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest
from stand_ins import dice_game

from companion import __version__
from companion.games import GAMES
from companion.table import migrations, moves
from companion.table.changes import Press
from companion.table.journal import (
    BACKUP,
    FILE,
    OLD_FORMAT,
    Journal,
    JournalError,
    NewerError,
    Saved,
)
from companion.table.migrations import FORMAT, MIGRATIONS, format_of, migrate
from companion.table.scene import Phase
from companion.table.table import Table

SAVED = Path(__file__).parents[1] / "saved" / "0.1.0"
PAGE = 4096


@pytest.fixture(params=["lobby", "dealing", "playing", "over"])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder of format 1, with its log as a pulled plug left it."""
    return Path(shutil.copytree(SAVED / request.param, tmp_path / "table"))


@pytest.fixture
def playing(tmp_path: Path) -> Path:
    """The same, of a game with an earlier one behind it."""
    return Path(shutil.copytree(SAVED / "playing", tmp_path / "table"))


def rows(path: Path) -> Mapping[str, list[tuple[object, ...]]]:
    """Everything in a file of format 1 or later, in the columns of format 1."""
    columns = {
        "person": "id, place, name, token, host",
        "line": "id, game, kind, body, places",
        "fact": "name, value",
    }
    with closing(sqlite3.connect(path)) as base:
        found = {
            table: base.execute(f"SELECT {names} FROM {table} ORDER BY 1").fetchall()
            for table, names in columns.items()
        }
    found["fact"] = [row for row in found["fact"] if row[0] != migrations.WRITER]
    return found


def files(folder: Path) -> Mapping[str, str]:
    """The files in a folder, each with a digest of what it holds."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def format_at(path: Path) -> int:
    with closing(sqlite3.connect(path)) as base:
        return format_of(base)


def loaded(folder: Path) -> Saved:
    with closing(Journal(folder)) as journal:
        assert journal.set_aside is None
        return journal.load()


# From an earlier format


def test_every_format_before_this_one_has_a_saved_file():
    kept = {format_at(path) for path in SAVED.parent.glob(f"*/*/{BACKUP}")}
    assert kept - {FORMAT} == set(range(1, FORMAT))
    assert list(MIGRATIONS) == list(range(1, FORMAT + 1))


def test_a_migrated_file_holds_what_it_held_and_who_writes_it_now(old):
    copy = Path(shutil.copytree(old, old.with_name("copy")))
    before = rows(copy / FILE)
    with closing(Journal(old)):
        pass
    assert rows(old / FILE) == before
    assert before["person"]
    assert format_at(old / FILE) == FORMAT
    with closing(sqlite3.connect(old / FILE)) as base:
        written = base.execute("SELECT value FROM fact WHERE name = 'companion'").fetchall()
        assert written == [(__version__,)]
        assert {at for (at,) in base.execute("SELECT at FROM line")} <= {""}


def test_the_old_file_is_kept_and_opens_as_it_was(old):
    copy = Path(shutil.copytree(old, old.with_name("copy")))
    before = rows(copy / FILE)
    with closing(Journal(old)):
        pass
    kept = old / OLD_FORMAT.format(1)
    assert rows(kept) == before
    assert format_at(kept) == 1
    content = kept.read_bytes()
    with closing(Journal(old)):
        pass
    assert kept.read_bytes() == content, "it is written once"
    assert sorted(path.name for path in old.iterdir() if path.name.startswith("table.format")) == [
        kept.name
    ]


def test_a_migrated_file_is_like_one_that_was_begun_with_this_format(old, tmp_path):
    with closing(Journal(tmp_path / "new")), closing(Journal(old)):
        pass
    schemas = []
    for path in (tmp_path / "new" / FILE, old / FILE):
        with closing(sqlite3.connect(path)) as base:
            tables = [
                name for (name,) in base.execute("SELECT name FROM sqlite_master ORDER BY name")
            ]
            schemas.append({name: base.execute(f"PRAGMA table_info({name})").fetchall()
                            for name in tables})  # fmt: skip
    assert schemas[0] == schemas[1]


def test_lines_are_dated_from_now_on(playing):
    times = iter(("2026-11-22T19:30:00Z", "2026-11-22T19:31:00Z"))
    with closing(Journal(playing, now=lambda: next(times))) as journal:
        before = len(journal.load().lines)
        table = Table(journal, GAMES, dice_game())
        for _ in range(2):
            table.do(moves.undo, Press(1, table.view().version))
    dates = [line.at for line in loaded(playing).lines]
    assert set(dates[:before]) == {""}
    assert dates[before:] == ["2026-11-22T19:30:00Z", "2026-11-22T19:31:00Z"]


# Killed in the middle of it

KILLED = """
# Opens copies of a folder: the first is killed before the first step, the next before the second...
import os, shutil, signal, sqlite3, sys
from pathlib import Path
from companion.table import journal

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

class Base(sqlite3.Connection):
    execute = before(sqlite3.Connection.execute)
    backup = before(sqlite3.Connection.backup)
    close = before(sqlite3.Connection.close)

connect = sqlite3.connect
sqlite3.connect = lambda *arguments, **options: connect(*arguments, factory=Base, **options)
Path.replace = before(Path.replace)
os.fsync = before(os.fsync)

folder, copies, status = Path(sys.argv[1]), Path(sys.argv[2]), 1
while status:
    copy = shutil.copytree(folder, copies / str(left := len(os.listdir(copies))))
    child = os.fork()
    if not child:
        journal.Journal(copy)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
"""


def test_killed_at_any_step_the_file_stands_before_or_after_it(playing, tmp_path):
    copies = tmp_path / "killed"
    copies.mkdir()
    subprocess.run([sys.executable, "-c", KILLED, playing, copies], check=True)
    killed = sorted(copies.iterdir(), key=lambda path: int(path.name))
    before, saved = rows(shutil.copytree(playing, tmp_path / "copy") / FILE), None
    formats = []
    for folder in killed:
        look = shutil.copytree(folder, tmp_path / "look" / folder.name)
        kept = folder / OLD_FORMAT.format(1)
        formats.append(format_at(look / FILE))
        assert rows(look / FILE) == before
        assert formats[-1] == 1 or rows(kept) == before
        opened = loaded(folder)
        saved = saved or opened
        assert opened == saved
        assert rows(kept) == before
        assert not list(folder.glob("*.part"))
    assert formats == sorted(formats)
    assert set(formats) == {1, FORMAT}
    assert len(killed) > 20


def test_a_step_that_fails_halfway_leaves_the_file_at_the_format_before(playing, monkeypatch):
    def half(base: sqlite3.Connection) -> None:
        base.execute("CREATE TABLE half (id INTEGER)")
        base.execute("UPDATE line SET body = ''")
        base.execute("no statement")

    before = loaded(playing)
    kept = OLD_FORMAT.format(FORMAT)
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "MIGRATIONS", {**MIGRATIONS, FORMAT + 1: half})
        for module in ("migrations", "journal"):
            patch.setattr(f"companion.table.{module}.FORMAT", FORMAT + 1)
        with pytest.raises(JournalError, match="can't be opened: near"):
            Journal(playing)
    assert format_at(playing / kept) == FORMAT
    assert loaded(playing) == before
    with closing(sqlite3.connect(playing / FILE)) as base:
        assert base.execute("SELECT * FROM sqlite_master WHERE name = 'half'").fetchall() == []


def test_migrating_twice_changes_nothing(playing):
    with closing(sqlite3.connect(playing / FILE, isolation_level=None)) as base:
        migrate(base)
        dump = list(base.iterdump())
        migrate(base)
        assert list(base.iterdump()) == dump


# Damaged, and of an earlier format


@pytest.mark.parametrize("format_of_file", [1, FORMAT])
def test_a_damaged_file_is_mended_with_a_backup_of_format_1(playing, format_of_file):
    whole = loaded(Path(shutil.copytree(playing, playing.with_name("whole"))))
    with closing(sqlite3.connect(playing / FILE, isolation_level=None)) as base:
        if format_of_file > 1:
            migrate(base)
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert format_at(playing / BACKUP) == 1
    with (playing / FILE).open("r+b") as file:
        file.write(bytes(PAGE))
    with closing(Journal(playing)) as journal:
        assert journal.set_aside is not None
        assert journal.load().people == whole.people
        assert journal.load().lines == whole.lines
    assert format_at(playing / FILE) == FORMAT


def test_of_a_damaged_old_file_nothing_is_kept_as_if_it_were_whole(playing):
    with closing(sqlite3.connect(playing / FILE)) as base:
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    pages = (playing / FILE).stat().st_size // PAGE
    with (playing / FILE).open("r+b") as file:
        file.seek((pages - 1) * PAGE)
        file.write(bytes(PAGE))
    with closing(Journal(playing)) as journal:
        table = Table(journal, GAMES, dice_game())
        assert table.view().phase is Phase.PLAYING
        aside = journal.set_aside
    assert aside is not None
    assert (aside / FILE).exists()
    assert not (playing / OLD_FORMAT.format(1)).exists()


# Of a newer format


def make_newer(folder: Path, writer: str | None = "9.0.0") -> None:
    """Bring the journal of a folder to a format that nobody knows yet, as a kill leaves it."""
    change = (
        "import os, signal, sqlite3, sys\n"
        "base = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "base.execute('PRAGMA journal_mode = WAL')\n"
        "base.execute('CREATE TABLE more (id INTEGER)')\n"
        "base.execute('PRAGMA user_version = 99')\n"
        "if sys.argv[2]:\n"
        "    base.execute(\"UPDATE fact SET value = ? WHERE name = 'companion'\", sys.argv[2:])\n"
        "else:\n"
        "    base.execute('DROP TABLE fact')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", change, folder / FILE, writer or ""], check=False)
    (folder / f"{FILE}-shm").unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("writer", "said"), [("9.0.0", "version 9.0.0"), (None, "a newer version")]
)
def test_a_file_of_a_newer_version_is_refused_and_not_touched(playing, writer, said):
    with closing(Journal(playing)):
        pass
    make_newer(playing, writer)
    assert (playing / f"{FILE}-wal").stat().st_size > PAGE, "what is new is in the log alone"
    before = files(playing)
    with pytest.raises(NewerError) as refused:
        Journal(playing)
    assert str(refused.value) == (
        f"{playing / FILE}: written by {said} in format 99; {__version__} reads up to format"
        f" {FORMAT}; install the newer version again, or choose another data folder"
    )
    assert files(playing) == before


def test_a_backup_of_a_newer_version_is_no_help_for_a_damaged_file(playing):
    with closing(Journal(playing)):
        pass
    (playing / FILE).write_bytes(bytes(PAGE))
    with closing(sqlite3.connect(playing / BACKUP)) as base:
        base.execute("PRAGMA user_version = 99")
    with pytest.raises(NewerError, match="written by a newer version in format 99"):
        Journal(playing)
    assert (playing / FILE).read_bytes() == bytes(PAGE)
