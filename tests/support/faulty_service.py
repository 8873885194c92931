"""The whole service, with faults that can be put into each of its threads: see `threads.py`.

    python tests/support/faulty_service.py DATA table|alone|hall

At the table, four stand-ins play by themselves at a simulated camera. A line on the standard
input, as `hang odds`, puts a fault into the next work of a thread; `press green` presses a button.
Its address is printed once it runs, then the names of its threads, and then whenever a fault
strikes, or pages tell one: the thread, what they tell, and the monotonic time.
"""

import errno
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from companion.app import service
from companion.app.build import RunningTable
from companion.base.worker import Supervisor, Worker, WorkerThread
from companion.camera.workers import FrameWorkers
from companion.games.odds import OddsWorker
from companion.settings import HallSettings, MqttSettings, Settings, SoundSettings

WORKERS: dict[str, Worker] = {}
FAULTS: dict[str, str] = {}
"""What the next work of a thread does, by its name."""

RUNNING: list[RunningTable] = []
"""The table, once it runs."""

NO_THREAD = threading.Event()
"""Set until one thread of a worker could not be started."""


def fail(fault: str) -> None:
    match fault:
        case "raise":
            raise RuntimeError("nobody may know of the zebra")
        case "memory":
            raise MemoryError
        case "files":
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        case "start":
            # The thread ends, and no other one can be started.
            NO_THREAD.set()
            raise SystemExit
        case "end":
            raise SystemExit
        case "hang":
            threading.Event().wait()


def say(name: str, told: str) -> None:
    # In one piece, whatever other threads say.
    os.write(1, f"{json.dumps([name, told, time.monotonic()])}\n".encode())


def faulty(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
    """Return the work of a thread with the fault that is put into it."""

    def do(*given: Any) -> Any:
        fault = FAULTS.pop(name, "")
        if fault:
            say(name, "")
            fail(fault)
        return work(*given)

    return do


class FaultyThread(WorkerThread):
    """One that can't be started once."""

    def start(self) -> None:
        if NO_THREAD.is_set():
            NO_THREAD.clear()
            raise RuntimeError("can't start new thread")
        super().start()


class FaultySupervisor(Supervisor):
    """One whose workers do as they are told."""

    def watch(self, worker: Worker, tell: Callable[[str], None]) -> None:
        worker.catch_up = faulty(worker.name, worker.catch_up)  # type: ignore[method-assign]
        WORKERS[worker.name] = worker

        def note(reason: str) -> None:
            tell(reason)
            if reason:
                say(worker.name, reason)

        super().watch(worker, note)


class FaultyFrameWorkers(FrameWorkers):
    """Whose threads do as they are told."""

    def analyse(self, work: Callable[[], Any]) -> Any:
        return super().analyse(faulty("analysing", work))

    def encode(self, work: Callable[[], Any]) -> Any:
        return super().encode(faulty("encoding", work))


def press(button: str) -> None:
    """Press a button: the contact of its mock pin closes for a moment."""
    settings = Settings()
    pin = RUNNING[0].pins.factory.pin(getattr(settings.pins, button))
    pin.drive_low()
    time.sleep(0.1)
    pin.drive_high()


def listen() -> None:
    for line in sys.stdin:
        fault, name = line.strip().split(" ", 1)
        if fault == "press":
            press(name)
            continue
        FAULTS[name] = fault
        if name in WORKERS:
            WORKERS[name].wake()


def run_hall(data: Path) -> int:
    """Run a hall whose broker does not run."""
    import companion.app.hall

    take_endings = companion.app.hall.take_endings

    def tell() -> Callable[[], None]:
        wait = take_endings()

        def say_threads() -> None:
            print(json.dumps(sorted(WORKERS)), flush=True)
            wait()

        return say_threads

    companion.app.hall.take_endings = tell
    companion.app.hall.Supervisor = FaultySupervisor  # type: ignore[misc]
    settings = Settings(host="127.0.0.1", data=data, hall=HallSettings(port=0))
    return companion.app.hall.run_hall(settings, "127.0.0.1", 1)


def main(data: Path, program: str) -> None:
    import companion.app.build
    import companion.app.watching
    import companion.base.worker

    companion.app.watching.FrameWorkers = FaultyFrameWorkers  # type: ignore[misc]
    companion.app.build.Supervisor = FaultySupervisor  # type: ignore[misc]
    # Its work is short, so that a fault strikes soon.
    companion.app.build.OddsWorker = partial(OddsWorker, games=20)  # type: ignore[misc, assignment]
    companion.base.worker.WorkerThread = FaultyThread  # type: ignore[misc]
    threading.Thread(target=listen, daemon=True).start()
    if program == "hall":
        sys.exit(run_hall(data))
    settings = Settings(
        host="127.0.0.1",
        port=0,
        camera="simulated",
        data=data,
        stand_ins=4 if program == "table" else 0,
        sound=SoundSettings(effects=True),
        # Nobody listens there.
        mqtt=MqttSettings(host="127.0.0.1", port=1, name="corner"),
    )
    compile_templates, start_table = service.compile_templates, service.start_table

    def start(*given: Any) -> RunningTable:
        RUNNING.append(start_table(*given))
        return RUNNING[0]

    service.start_table = start  # type: ignore[assignment]

    def tell(app: Any) -> None:
        print(json.dumps(sorted(WORKERS)), flush=True)
        compile_templates(app)

    service.compile_templates = tell
    sys.exit(service.run_table(settings))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
