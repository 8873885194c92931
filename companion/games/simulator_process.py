"""Simulates games in a process of its own, so that no press waits for a thread that plays.

    python -m companion.games.simulator_process

is that process. It knows no game: it reads what everybody saw of one and numbers of play-outs from
its standard input, and writes how often each side won. It never receives a secret.
"""

import pickle
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from typing import BinaryIO

from companion.base.child import begin_child, start_child
from companion.base.refused import Message
from companion.base.worker import WorkError
from companion.games.game import SeenGame


class SimulatorProcess:
    """A `Simulator` whose games are played by another process, which starts when it is needed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._sent: SeenGame | None = None

    def play(self, seen: SeenGame, games: range) -> Counter[str]:
        """Have games played. Raises OSError if there is no process, WorkError if it ended."""
        process = self._running_process()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            # What was seen is sent once.
            pickle.dump((None if seen is self._sent else seen, games), process.stdin)
            process.stdin.flush()
            self._sent = seen
            won: Counter[str] = pickle.load(process.stdout)
        except (BrokenPipeError, EOFError) as error:
            self.rest()
            raise WorkError(Message("its process has ended")) from error
        except Exception:
            # What is left in its pipes must not answer the next question.
            self.rest()
            raise
        return won

    def interrupt(self) -> None:
        """End the process, which ends a wait for its answer."""
        process = self._process
        if process is not None:
            process.kill()

    def rest(self) -> None:
        """End the process, which frees its memory."""
        process, self._process, self._sent = self._process, None, None
        if process is not None:
            process.kill()
            assert process.stdin is not None
            # What it can't be sent any more is dropped.
            with suppress(BrokenPipeError):
                process.stdin.close()
            with process:
                process.wait()

    def _running_process(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.rest()
            self._process = start_child(__name__, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self._process


def serve(asked: BinaryIO, answers: BinaryIO) -> None:
    """Play what is asked until nothing is asked any more."""
    seen: SeenGame | None = None
    while True:
        try:
            new, games = pickle.load(asked)
        except EOFError:
            return
        seen = new or seen
        assert seen is not None
        pickle.dump(seen.play(games), answers)
        answers.flush()


def main() -> None:
    """Play until the table goes."""
    begin_child()
    serve(sys.stdin.buffer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
