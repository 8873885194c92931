"""A thread that works whenever it is woken, so that those who wake it needn't wait."""

import threading
from abc import ABC, abstractmethod


class Worker(ABC):
    """Works in a thread of its own. Any thread may start, wake and stop it."""

    def __init__(self, name: str) -> None:
        """Prepare the thread. name: shown in lists of threads."""
        self._woken, self._stopped = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread, which works at once."""
        self.wake()
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread and wait until it has ended."""
        self._stopped.set()
        self.wake()
        self._thread.join()

    def wake(self) -> None:
        """Tell the thread that there may be work; returns immediately."""
        self._woken.set()

    @abstractmethod
    def catch_up(self) -> None:
        """Do what there is to do now."""

    def _run(self) -> None:
        while self._woken.wait() and not self._stopped.is_set():
            self._woken.clear()
            self.catch_up()
