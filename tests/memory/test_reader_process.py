"""Many records are read by a process of their own; what it can't do, the table does itself."""

import logging
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from many_games import fill
from sites import Site, finish
from waiting import wait_until

from companion.base.child import dying_with_us
from companion.base.whole_file import read_whole
from companion.memory.statistics import queries, reader_process, sources
from companion.memory.statistics.database import FILE, Database
from companion.memory.statistics.keeper import Statistics, StatisticsWork
from companion.memory.statistics.players import PlayerNames
from companion.memory.statistics.reader_process import MANY
from companion.memory.statistics.sources import records

pytestmark = pytest.mark.processes


class Kept:
    """The statistics of a table, and what they said while they were busy."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.site = Site(folder)
        self.statistics = Statistics(folder, self.site.table, lambda: "oak")
        self.said: list[StatisticsWork] = []
        self.statistics.listeners.add(self._note)

    def _note(self) -> None:
        if self.statistics.work is not None:
            self.said.append(self.statistics.work)

    @property
    def games(self) -> int:
        """How many games count."""
        overview = self.statistics.ask(queries.overview)
        return 0 if overview is None else overview.games


@pytest.fixture
def kept(tmp_path: Path):
    return Kept(tmp_path / "data")


@pytest.fixture
def reads(monkeypatch) -> list[str]:
    """The records that this process reads itself."""
    found: list[str] = []

    def read(path: Path) -> bytes:
        if path.suffix == ".jsonl":
            found.append(path.stem)
        return read_whole(path)

    monkeypatch.setattr(sources, "read_whole", read)
    return found


@pytest.fixture
def started(monkeypatch) -> list[subprocess.Popen[str]]:
    """The processes that were started, without the one that tries how to start them."""
    dying_with_us()
    found: list[subprocess.Popen[str]] = []
    popen = subprocess.Popen

    def start(*given: Any, **options: Any) -> subprocess.Popen[str]:
        found.append(popen(*given, **options))
        return found[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    return found


def test_another_process_reads_many_records_and_counts_the_same(kept, reads, tmp_path):
    fill(kept.folder, MANY)
    (kept.folder / "games/ABCD-7.jsonl").write_text('{"record": "bang-dice"')
    kept.statistics.bring_up_to_date()
    assert reads == []
    assert kept.said[-1] == StatisticsWork(False, MANY, MANY)
    assert kept.games == MANY - 1
    here = Database(tmp_path / FILE)
    here.update(records(kept.folder), PlayerNames())
    assert len(reads) == MANY
    with here.reading() as base:
        assert kept.statistics.ask(queries.overview) == queries.overview(base)
        assert kept.statistics.ask(queries.dice_sets) == queries.dice_sets(base)
    assert Database(kept.folder / FILE).wrong_records() == here.wrong_records() != []


def test_a_few_records_are_read_here(kept, reads, started):
    fill(kept.folder, MANY - 1)
    kept.statistics.bring_up_to_date()
    assert started == []
    assert len(reads) == kept.games == MANY - 1


def test_a_game_on_the_table_still_counts_when_many_records_come(kept):
    finish(kept.site.start())
    kept.statistics.bring_up_to_date()
    for record in (kept.folder / "games").glob("*"):
        # So far, the card was too full to keep it.
        record.unlink()
    kept.statistics.bring_up_to_date()
    assert kept.games == 1
    fill(kept.folder, MANY)
    kept.statistics.bring_up_to_date()
    assert kept.games == MANY + 1


def test_a_table_that_stops_ends_the_process_and_the_next_start_goes_on(kept, started):
    fill(kept.folder, 3 * MANY)
    kept.statistics.start()
    wait_until(lambda: any(work.done for work in kept.said))
    kept.statistics.stop()
    (process,) = started
    assert process.returncode == -signal.SIGKILL
    again = Statistics(kept.folder, kept.site.table, lambda: "oak")
    begun = [work for work in kept.said if work.done]
    said: list[StatisticsWork] = []
    again.listeners.add(lambda: said.append(again.work) if again.work else None)
    again.bring_up_to_date()
    assert not again.fault
    assert begun[-1].done + said[-1].total >= 3 * MANY
    overview = again.ask(queries.overview)
    assert overview is not None
    assert overview.games == 3 * MANY


@pytest.mark.parametrize("executable", ["/nowhere/python", "/bin/false"])
def test_without_the_process_the_table_reads_itself(kept, reads, monkeypatch, caplog, executable):
    monkeypatch.setattr(sys, "executable", executable)
    fill(kept.folder, MANY)
    with caplog.at_level(logging.WARNING, reader_process.__name__):
        kept.statistics.bring_up_to_date()
    assert len(reads) == kept.games == MANY
    assert "the table itself" in caplog.text
