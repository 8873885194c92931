"""The saved table is damaged while it is off: it starts all the same, with the last good record."""

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from endless_game import begin, play
from stand_ins import dice_game

from companion.dicegame.record import replay
from companion.games import GAMES
from companion.table.journal import BACKUP, FILE, Journal
from companion.table.scene import Phase, Trouble
from companion.table.table import Table

WAL = f"{FILE}-wal"
PAGE = 4096
# A deal that lasts longer than that many moves.
MOVES, SEED = 40, 5


@contextmanager
def table_of(folder: Path) -> Iterator[Table]:
    with closing(Journal(folder)) as journal:
        yield Table(journal, GAMES, dice_game(), chance=random.Random(SEED))


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Table]:
    """A folder as a pulled plug leaves it in the middle of a game, and the table as it stood."""
    folder = tmp_path_factory.mktemp("played")
    left = tmp_path_factory.mktemp("left")
    chance = random.Random(5)
    with table_of(folder) as table:
        host = begin(table)
        for _ in range(MOVES):
            play(table, host, chance)
            assert table.view().phase is Phase.PLAYING
        shutil.copytree(folder, left, dirs_exist_ok=True)
    return left, table


@pytest.fixture
def folder(killed: tuple[Path, Table], tmp_path: Path) -> Path:
    shutil.copytree(killed[0], tmp_path / "table")
    return tmp_path / "table"


def moments(table: Table) -> list[str]:
    return [moment.line for moment in table.scene.history.moments]


def overwrite(path: Path, at: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(content)


def truncate(path: Path, size: int) -> None:
    with path.open("r+b") as file:
        file.truncate(size)


def checkpoint(folder: Path) -> None:
    """Bring everything from the write-ahead log into the file, as a clean stop does."""
    sqlite3.connect(folder / FILE).execute("PRAGMA wal_checkpoint(TRUNCATE)").connection.close()


def test_undamaged_everything_is_there_and_nothing_is_set_aside(killed, folder):
    with table_of(folder) as table:
        assert moments(table) == moments(killed[1])
        assert table.view().version == killed[1].view().version
        assert table.journal.set_aside is None


HEADERS: dict[str, Callable[[Path], None]] = {
    "zeros": lambda file: overwrite(file, 0, bytes(100)),
    "noise": lambda file: overwrite(file, 0, random.Random(1).randbytes(PAGE)),
    "text": lambda file: overwrite(file, 0, b"no database at all" * 20),
}


@pytest.mark.parametrize("damage", HEADERS.values(), ids=HEADERS)
def test_a_damaged_header_costs_nothing(killed, folder, damage):
    checkpoint(folder)
    damage(folder / FILE)
    before = (folder / FILE).read_bytes()
    with table_of(folder) as table:
        assert moments(table) == moments(killed[1])
        assert table.view().people == killed[1].view().people
        assert table.code == killed[1].code
        # No page can show one of the versions to come.
        assert table.view().version > killed[1].view().version
        aside = table.journal.set_aside
        assert table.view().troubles == {Trouble.DAMAGE: aside.name}
    assert aside.name.startswith("damaged-2")
    assert (aside / FILE).read_bytes() == before
    with table_of(folder) as table:
        assert moments(table) == moments(killed[1])
        assert table.view().troubles == {}


@pytest.mark.parametrize("damage", HEADERS.values(), ids=HEADERS)
def test_while_the_log_holds_the_header_its_damage_is_none(killed, folder, damage):
    damage(folder / FILE)
    with table_of(folder) as table:
        assert moments(table) == moments(killed[1])


def pages_of(file: Path) -> int:
    return file.stat().st_size // PAGE


def test_whichever_page_is_damaged_the_table_starts_with_a_game_that_was(killed, folder):
    checkpoint(folder)
    chance = random.Random(2)
    whole, kept = moments(killed[1]), []
    for page in range(pages_of(folder / FILE)):
        for kind, noise in (("zeros", bytes(PAGE)), ("noise", chance.randbytes(PAGE))):
            copy = folder.with_name(f"page-{page}-{kind}")
            shutil.copytree(folder, copy)
            overwrite(copy / FILE, page * PAGE, noise)
            with table_of(copy) as table:
                game = table.scene.history
                assert game is not None, "the backup holds at least its beginning"
                assert whole[: len(game.moments)] == moments(table)
                assert list(replay(game.record.encode().splitlines()))[-1] == game.state
                assert table.view().people == killed[1].view().people
                kept.append(len(game.moments))
            with table_of(copy) as table:
                assert len(moments(table)) == kept[-1]
    assert max(kept) == len(whole)
    assert len(kept) > 10


@pytest.mark.parametrize("seed", range(4))
def test_a_truncated_log_leaves_a_game_that_was(killed, folder, seed):
    size = (folder / WAL).stat().st_size
    truncate(folder / WAL, random.Random(seed).randrange(size))
    whole = moments(killed[1])
    with table_of(folder) as table:
        assert whole[: len(moments(table))] == moments(table)


def test_a_line_that_makes_no_sense_ends_the_game_before_it(killed, folder):
    with closing(sqlite3.connect(folder / FILE)) as base, base:
        base.execute("UPDATE line SET body = '{' WHERE id = (SELECT max(id) - 5 FROM line)")
    with table_of(folder) as table:
        assert moments(table) == moments(killed[1])[: len(moments(table))]
        assert len(moments(table)) >= len(moments(killed[1])) - 6
        assert table.journal.set_aside is not None
        before = moments(table)
    with table_of(folder) as table:
        assert moments(table) == before


def test_with_nothing_left_to_read_a_new_table_is_begun(folder):
    overwrite(folder / FILE, 0, bytes((folder / FILE).stat().st_size))
    (folder / WAL).unlink()
    (folder / BACKUP).unlink()
    with table_of(folder) as table:
        assert table.view().phase is Phase.LOBBY
        assert table.view().people == ()
        assert (table.journal.set_aside / FILE).exists()


@pytest.mark.parametrize("done", range(3))
def test_killed_while_it_mends_it_mends_again(killed, folder, done):
    """The steps that put the mended file in its place, ended by a kill after each of them."""
    checkpoint(folder)
    overwrite(folder / FILE, 0, bytes(PAGE))
    part = folder / f"{FILE}.part"
    if done == 0:
        part.write_bytes(b"begun")
    else:
        with closing(Journal(folder)):
            pass
        (folder / FILE).rename(part)
        if done == 1:
            # The log of the damaged file was not moved any more.
            shutil.copy(killed[0] / WAL, folder / WAL)
    with table_of(folder) as table:
        assert moments(table) == moments(killed[1])
    assert not part.exists()


def test_a_second_damage_on_one_day_is_set_aside_beside_the_first(folder):
    checkpoint(folder)
    for _ in range(2):
        overwrite(folder / FILE, 0, bytes(PAGE))
        with table_of(folder):
            pass
    assert len(list(folder.glob("damaged-*"))) == 2
