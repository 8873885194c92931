"""Reads many records in a process of its own, so that no press waits for a thread that does.

    python -m companion.memory.statistics.reader_process FOLDER [NAME ...]

is that process: it brings the statistics of a data folder up to date, and prints after each step
how many records it has read, of how many. NAME: games that count although they have no record yet.
"""

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Collection
from pathlib import Path

from companion.base.child import begin_child, start_child
from companion.base.refused import Message
from companion.memory.statistics import players
from companion.memory.statistics.database import FILE, Database, StatisticsError
from companion.memory.statistics.sources import records

MANY = 50
"""So many records are worth a process: it takes as long to start as they take to be read."""

_log = logging.getLogger(__name__)


class ReaderProcess:
    """The process of one table, which runs only while it reads."""

    def __init__(self, folder: Path) -> None:
        """folder: the data folder."""
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None
        self.fault = ""
        """Why it didn't do its work the last time."""

    def read(self, on_table: Collection[str], step: Callable[[int, int], None]) -> None:
        """Let the process read, and return when it has ended.

        What it couldn't read is left for the caller. on_table: names of games that have no record
        yet; step: told how many records it has read, and how many there are.
        """
        self.fault = ""
        try:
            process = start_child(
                __name__,
                str(self._folder),
                *on_table,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                text=True,
            )
        except OSError as error:
            _log.warning("records are read by the table itself: %s", error)
            self.fault = error.strerror or str(error)
            return
        self._process = process
        with process:
            assert process.stdout is not None
            for line in process.stdout:
                done, total = map(int, line.split())
                step(done, total)
        self._process = None
        if process.returncode:
            _log.warning("the table itself reads the records that are left")
            self.fault = Message("its process has ended")

    def stop(self) -> None:
        """End the process; whatever it has read stays. Any thread may call."""
        process = self._process
        if process is not None:
            process.kill()


def main() -> None:
    """Read until all is read, or the table goes."""
    path, *on_table = begin_child()
    folder = Path(path)
    try:
        names = players.load(folder)
    except (OSError, players.PlayersError):
        names = players.PlayerNames()
    try:
        Database(folder / FILE).update(records(folder), names, step=_tell, apart=on_table)
    except BrokenPipeError:
        # The table was killed: its next start goes on.
        os._exit(0)
    except (StatisticsError, OSError) as error:
        sys.exit(f"bang-companion: {error}")


def _tell(done: int, total: int) -> None:
    print(done, total, flush=True)


if __name__ == "__main__":
    main()
