"""The saved table is damaged while it is off: it starts all the same, with the last good record."""

import errno
import os
import random
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from endless_game import begin, play, table_of

from companion.games.dice.rules.record import replay
from companion.table.journal.journal import BACKUP, FILE, PART, RESERVE, WITNESSES, Journal
from companion.table.journal.journal import GAMES as RECORDS
from companion.table.journal.saved import Saved
from companion.table.scene import Phase, Trouble
from companion.table.table import Table

# The deal lasts longer than that many moves.
MOVES = 40
# Where a block begins that can't be read, in bytes.
BAD = 8192


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
    # Without the room for more lines, in which a bit that turns costs nothing.
    (left / FILE).write_bytes((left / FILE).read_bytes().rstrip(b"\0"))
    return left, table


@pytest.fixture
def folder(killed: tuple[Path, Table], tmp_path: Path) -> Path:
    shutil.copytree(killed[0], tmp_path / "table")
    return tmp_path / "table"


def moments(table: Table) -> list[str]:
    history = table.scene.history
    return [moment.line for moment in history.moments] if history else []


def fill(path: Path, content: bytes) -> None:
    """Write a file as long as the table makes it: no plug that is pulled leaves another."""
    path.write_bytes(content.ljust(-(-len(content) // RESERVE) * RESERVE, b"\0"))


def flip(path: Path, place: int, bit: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1 << bit
    path.write_bytes(content)


def copy_of(folder: Path, name: str) -> Path:
    """A copy of a folder beside it."""
    return Path(shutil.copytree(folder, folder.with_name(name)))


def check_stands(folder: Path, whole: Table, *, told: bool = True) -> int:
    """Hold that a table starts with a game that was played; return how many moves it still has."""
    with table_of(folder) as table:
        left = moments(table)
        assert left == moments(whole)[: len(left)]
        if left:
            assert table.view().people == whole.view().people
            history = table.scene.history
            assert list(replay(history.record.encode().splitlines()))[-1] == history.state
            # No page can show one of the versions to come.
            assert table.view().version > whole.view().version
        troubles = table.view().troubles
        assert bool(troubles) == told
    with table_of(folder) as table:
        assert moments(table) == left
        assert table.view().troubles == troubles, "it is told until the next game"
        assert table.journal.set_aside is None, "what was damaged is mended"
    return len(left)


def check_whole(folder: Path, whole: Table, *, told: bool = True) -> None:
    """Hold that nothing of it is lost."""
    assert check_stands(folder, whole, told=told) == len(moments(whole))


def test_undamaged_everything_is_there_and_nothing_is_set_aside(killed, folder):
    check_whole(folder, killed[1], told=False)
    assert not list(folder.glob("damaged-*"))


def test_damage_of_the_copy_alone_costs_nothing_and_is_mended(killed, folder):
    fill(folder / FILE, (folder / FILE).read_bytes())
    flip(folder / BACKUP, 1000, 3)
    check_whole(folder, killed[1], told=False)
    assert (folder / BACKUP).read_bytes() == (folder / FILE).read_bytes().rstrip(b"\0")


def test_both_damaged_in_different_places_mend_each_other(killed, folder):
    size = (folder / FILE).stat().st_size
    flip(folder / FILE, size // 3, 1)
    flip(folder / BACKUP, size * 2 // 3, 1)
    check_whole(folder, killed[1])


def test_both_damaged_in_the_same_line_leave_what_came_before(killed, folder):
    lines = (folder / FILE).read_bytes().splitlines(keepends=True)
    for line in (3, len(lines) // 2, len(lines) - 2):
        copy = copy_of(folder, f"line-{line}")
        for number, name in enumerate((FILE, BACKUP)):
            flip(copy / name, sum(map(len, lines[:line])) + 30 + number, 2)
        before = copy_of(folder, f"before-{line}")
        for name in (FILE, BACKUP):
            (before / name).write_bytes(b"".join(lines[:line]))
        left = check_stands(before, killed[1])
        assert check_stands(copy, killed[1]) == left < len(moments(killed[1]))


LOST: dict[str, Callable[[Path], Any]] = {
    "removed": Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "noise": lambda path: path.write_bytes(random.Random(1).randbytes(5000)),
    "half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
    "a pipe": lambda path: (path.unlink(), os.mkfifo(path)),
    "nested": lambda path: path.write_text("[" * 100_000),
}


@pytest.mark.parametrize("lose", LOST.values(), ids=LOST)
def test_a_lost_file_comes_back_from_its_copy_and_everybody_is_told(killed, folder, lose):
    lose(folder / FILE)
    check_whole(folder, killed[1])


@pytest.mark.parametrize("lose", LOST.values(), ids=LOST)
def test_with_nothing_left_to_read_a_new_table_is_begun_and_everybody_is_told(folder, lose):
    (folder / RECORDS).mkdir()
    for name in (FILE, BACKUP):
        lose(folder / name)
    if lose is LOST["half"]:
        flip(folder / FILE, 40, 0)
        flip(folder / BACKUP, 40, 0)
    with table_of(folder) as table:
        assert table.view().phase is Phase.LOBBY
        assert table.view().people == ()
        assert table.view().troubles


def test_half_a_last_line_is_what_a_pulled_plug_leaves_and_no_damage(killed, folder):
    """It was not answered: the copy and the `WITNESSES` are written once a line is on the disk."""
    whole = (folder / FILE).read_bytes()
    last = len(whole.splitlines(keepends=True)[-1])
    (folder / BACKUP).write_bytes(whole[:-last])
    for name in WITNESSES:
        (folder / name).unlink()
    for left in (1, last // 2, last - 2):
        copy = copy_of(folder, f"torn-{left}")
        fill(copy / FILE, whole[: left - last])
        assert check_stands(copy, killed[1], told=False) >= len(moments(killed[1])) - 1
    fill(folder / FILE, whole)
    check_whole(folder, killed[1], told=False)


def test_a_file_that_was_cut_off_is_told_whatever_its_copy_says(killed, folder):
    """Within a line or between two, with the copy gone or cut off in another place."""
    whole = (folder / FILE).read_bytes()
    lines = whole.splitlines(keepends=True)
    between = sum(map(len, lines[: len(lines) // 2]))
    for kept in (between, between + 20, len(whole) - 3):
        for copied in (None, between - 40, between - len(lines[len(lines) // 2 - 1])):
            copy = copy_of(folder, f"cut-{kept}-{copied}")
            (copy / FILE).write_bytes(whole[:kept])
            (copy / BACKUP).unlink()
            if copied is not None:
                (copy / BACKUP).write_bytes(whole[:copied])
            check_stands(copy, killed[1])


def test_half_a_last_line_without_a_copy_may_be_all_that_is_left_and_is_told(killed, folder):
    whole = (folder / FILE).read_bytes()
    (folder / BACKUP).unlink()
    for kept in (len(whole) // 3, len(whole) // 2, len(whole) - 3):
        # A file that is as long as it should be, cut off between two lines: nothing shows it.
        kept -= 2 * (b"\n" in whole[kept - 1 : kept + 1])
        copy = copy_of(folder, f"alone-{kept}")
        fill(copy / FILE, whole[:kept])
        check_stands(copy, killed[1])


def test_an_answered_line_that_only_the_copy_has_is_told(killed, folder):
    whole = (folder / FILE).read_bytes()
    for lost in (1, 2, 5):
        copy = copy_of(folder, f"cut-{lost}")
        (copy / FILE).write_bytes(b"".join(whole.splitlines(keepends=True)[:-lost]))
        check_whole(copy, killed[1])


@pytest.mark.parametrize("copied", [True, False])
def test_a_block_that_the_card_cannot_read_any_more_is_damage(killed, folder, monkeypatch, copied):
    def fail(*_: object) -> bytes:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    def unreadable(path: Path) -> bytes:
        return fail() if path == folder / FILE and bad else read(path)

    def partly(number: int, size: int, place: int) -> bytes:
        return fail() if place == BAD and bad else pread(number, size, place)

    read, pread, copyfile = Path.read_bytes, os.pread, shutil.copyfile
    monkeypatch.setattr(Path, "read_bytes", unreadable)
    monkeypatch.setattr(os, "pread", partly)
    monkeypatch.setattr(shutil, "copyfile", lambda one, two: fail() if bad else copyfile(one, two))
    if not copied:
        (folder / BACKUP).unlink()
    bad = True
    with table_of(folder) as table:
        bad = False
        left = len(moments(table))
        assert left == len(moments(killed[1])) if copied else 1 < left < len(moments(killed[1]))
        assert list(table.view().troubles) == [Trouble.DAMAGE]
        assert (table.journal.set_aside / FILE).exists()
    assert check_stands(folder, killed[1]) == left


def test_a_table_that_is_gone_but_for_a_file_half_begun_is_told(folder):
    (folder / RECORDS).mkdir()
    (folder / FILE).unlink()
    (folder / BACKUP).unlink()
    (folder / PART).write_bytes(b"0 12")
    with table_of(folder) as table:
        assert list(table.view().troubles) == [Trouble.LOST]


# What is proven but makes no sense


def resaved(folder: Path, change: Callable[[Saved], Saved]) -> None:
    with closing(Journal(folder)) as journal:
        saved = journal.saved
        journal.save(Saved(saved.version))
        journal.save(change(saved))


FACTS = ("options", "dealing", "sheriff", "claims", "bid", "guesses", "tray", "told")
SENSELESS = ("{}", "null", "1x2", '"x"', "[[]]", "[1]", '{"x": 1}', "[" * 5000, "\ud7ff")


@pytest.mark.parametrize(
    ("name", "text"), [*product(FACTS, ['"x"']), *product(["dealing"], SENSELESS)]
)
def test_a_fact_that_makes_no_sense_costs_nothing_else(killed, folder, name, text):
    resaved(folder, lambda saved: replace(saved, facts={**saved.facts, name: text}))
    with table_of(folder) as table:
        assert moments(table) == moments(killed[1])
        table.view(1)
    with table_of(folder) as table:
        assert table.journal.set_aside is None
        assert table.view().troubles


def test_a_line_that_makes_no_sense_ends_the_game_before_it(killed, folder):
    def spoilt(saved: Saved) -> Saved:
        lines = list(saved.lines)
        lines[-5] = lines[-5]._replace(body="{")
        return replace(saved, lines=tuple(lines))

    resaved(folder, spoilt)
    left = check_stands(folder, killed[1])
    assert left >= len(moments(killed[1])) - 6
    assert left < len(moments(killed[1]))


def test_a_game_of_other_players_than_those_who_sit_there_is_not_shown(killed, folder):
    resaved(folder, lambda saved: replace(saved, people=saved.people[1:]))
    with table_of(folder) as table:
        assert table.view().phase is Phase.LOBBY
        assert Trouble.DAMAGE in table.view().troubles


# Killed while it mends


def test_killed_while_it_mends_it_mends_again(killed, folder):
    """The new file is complete beside the damaged one: only putting it in place is left."""
    flip(folder / FILE, 100, 0)
    spoilt = (folder / FILE).read_bytes()
    with table_of(folder):
        pass
    mended, (aside,) = (folder / FILE).read_bytes(), folder.glob(f"damaged-*/{FILE}")
    assert aside.read_bytes() == spoilt
    for part in (mended, mended[:1000], b""):
        shutil.copy(aside, folder / FILE)
        (folder / PART).write_bytes(part)
        check_whole(folder, killed[1])
        assert not (folder / PART).exists()


def test_a_plug_pulled_after_the_first_save_leaves_it_told(killed, folder):
    flip(folder / FILE, 100, 0)
    with table_of(folder) as table:
        troubles = table.view().troubles
        assert troubles
    first = (folder / FILE).read_bytes().splitlines(keepends=True)[0]
    fill(folder / FILE, first)
    (folder / BACKUP).write_bytes(first)
    with table_of(folder) as table:
        assert table.view().troubles == troubles


def test_a_first_start_that_was_killed_is_no_damage(tmp_path):
    for part in (b"", b"0 12", bytes(600)):
        (tmp_path / PART).write_bytes(part)
        with table_of(tmp_path) as table:
            assert table.view().troubles == {}
        for name in (FILE, BACKUP, *WITNESSES):
            (tmp_path / name).unlink()


def test_a_second_damage_on_one_day_is_set_aside_beside_the_first(folder):
    for _ in range(2):
        flip(folder / FILE, 100, 0)
        with table_of(folder):
            pass
    assert len(list(folder.glob("damaged-*"))) == 2
