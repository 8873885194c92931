"""The whole service, with faults that can be put into each of its threads: see `threads.py`.

    python -m tests.tools.attacks.faulty_service DATA table|alone|hall

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
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

from flask import Flask

from companion.app import hall, service
from companion.app.build import RunningTable, start_table
from companion.app.interrupts import take_endings
from companion.base.worker import Supervisor, Worker, WorkerThread
from companion.camera.workers import FrameWorkers
from companion.games.odds import OddsWorker
from companion.settings import HallSettings, MqttSettings, Settings, SoundSettings
from web.templating import compile_templates

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
    pin = RUNNING[0].controls.pins.factory.pin(getattr(settings.pins, button))
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

    def tell() -> Callable[[], None]:
        wait = take_endings()

        def say_threads() -> None:
            print(json.dumps(sorted(WORKERS)), flush=True)
            wait()

        return say_threads

    replace({"app.hall.take_endings": tell, "app.hall.Supervisor": FaultySupervisor})
    settings = Settings(host="127.0.0.1", data=data, hall=HallSettings(port=0))
    return hall.run_hall(settings, "127.0.0.1", 1)


def run_table(data: Path, people: int) -> int:
    """Run a table at which so many stand-ins play."""

    def start(*given: Any, **named: Any) -> RunningTable:
        RUNNING.append(start_table(*given, **named))
        return RUNNING[0]

    def tell(app: Flask) -> None:
        print(json.dumps(sorted(WORKERS)), flush=True)
        compile_templates(app)

    replace({"app.service.start_table": start, "app.service.compile_templates": tell})
    settings = Settings(
        host="127.0.0.1",
        port=0,
        camera="simulated",
        data=data,
        stand_ins=people,
        sound=SoundSettings(effects=True),
        # Nobody listens there.
        mqtt=MqttSettings(host="127.0.0.1", port=1, name="corner"),
    )
    return service.run_table(settings)


def replace(parts: Mapping[str, object]) -> None:
    """Put others in the place of parts of the companion, by their names there."""
    for name, part in parts.items():
        mock.patch(f"companion.{name}", part).start()


def main(data: Path, program: str) -> int:
    replace(
        {
            "app.watching.FrameWorkers": FaultyFrameWorkers,
            "app.build.Supervisor": FaultySupervisor,
            # Its work is short, so that a fault strikes soon.
            "app.build.OddsWorker": partial(OddsWorker, games=20),
            "base.worker.WorkerThread": FaultyThread,
        }
    )
    threading.Thread(target=listen, daemon=True).start()
    if program == "hall":
        return run_hall(data)
    return run_table(data, 4 if program == "table" else 0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
