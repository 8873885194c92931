"""Workers and their supervisor: what fails or hangs is told, and the work goes on."""

import errno
import html
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count

import pytest
from cases import cases
from sites import Site
from waiting import wait_until

from companion.base.worker import HANGS, JobWorker, Supervisor, Worker, WorkerThread
from companion.table.scene import Trouble

NUMBERS = count()


class Counting(Worker):
    """Does what it is told, and counts how often it worked."""

    def __init__(self, *, replaced: bool = True) -> None:
        # Threads that hang for ever outlast their test: each test counts its own.
        super().__init__(f"counting {next(NUMBERS)}", replaced=replaced)
        self.does: Callable[[], object] = lambda: None
        self.worked = self.unblocked = 0

    def catch_up(self, thread: WorkerThread) -> None:
        self.does()
        if not thread.ended():
            self.worked += 1

    def unblock(self) -> None:
        self.unblocked += 1


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in {"LOOK_S": 0.01, "PATIENCE_S": 1.5, "FIRST_RETRY_S": 0.01}.items():
        monkeypatch.setattr(f"companion.base.worker.{name}", seconds)


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def start(told: list[str]) -> Iterator[Callable[[Worker], Worker]]:
    with ExitStack() as stack:
        supervisor = Supervisor(stack)
        supervisor.start()

        def started(worker: Worker) -> Worker:
            supervisor.start_worker(worker, told.append)
            return worker

        yield started


def failing(times: int, error: BaseException) -> Callable[[], None]:
    left = [error] * times

    def fail() -> None:
        if left:
            raise left.pop()

    return fail


ERRORS = [
    (KeyError("the renegade is Ann"), "an error; the table’s log says which"),
    (MemoryError(), "Cannot allocate memory"),
    (OSError(errno.EMFILE, os.strerror(errno.EMFILE)), "Too many open files"),
]


@pytest.mark.parametrize(("error", "reason"), ERRORS)
def test_what_fails_is_told_once_and_tried_again(start, told, caplog, error, reason):
    worker = Counting()
    worker.does = failing(3, error)
    start(worker)
    wait_until(lambda: worker.worked)
    wait_until(lambda: len(told) == 2)
    assert told == [reason, ""]
    assert sum(bool(record.exc_info) for record in caplog.records) == 1


def test_what_hangs_is_told_and_another_thread_goes_on(start, told):
    worker, going_on = Counting(), threading.Event()
    worker.does = going_on.wait
    start(worker)
    wait_until(lambda: told)
    assert told == [HANGS]
    worker.does = lambda: None
    wait_until(lambda: told[-1] == "")
    before = worker.worked
    assert before
    assert worker.unblocked
    # What comes late counts for nothing.
    going_on.set()
    wait_until(lambda: sum(t.name == worker.name for t in threading.enumerate()) == 1)
    assert worker.worked == before


def test_where_two_would_do_harm_no_other_thread_goes_on(start, told):
    worker, going_on = Counting(replaced=False), threading.Event()
    worker.does = going_on.wait
    start(worker)
    wait_until(lambda: worker.unblocked > 3)
    assert sum(thread.name == worker.name for thread in threading.enumerate()) == 1
    going_on.set()
    wait_until(lambda: told == [HANGS, ""])
    assert worker.worked == 1


@pytest.mark.parametrize("worker", [Counting(), JobWorker("idle")], ids=["busy", "idle"])
def test_a_thread_that_can_not_be_started_is_told_until_it_is(start, told, monkeypatch, worker):
    def no_room(thread: WorkerThread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(WorkerThread, "start", no_room)
        start(worker)
        assert told == ["the machine can’t start another thread"]
    # Also where no work waits.
    wait_until(lambda: told[-1] == "")
    if isinstance(worker, Counting):
        wait_until(lambda: worker.worked)


def test_a_supervisor_that_looks_while_a_worker_starts_begins_no_second_thread(monkeypatch):
    worker, going_on, started = Counting(), threading.Event(), WorkerThread.start
    worker.does = going_on.wait

    def start(thread: WorkerThread) -> None:
        monkeypatch.setattr(WorkerThread, "start", started)
        started(thread)
        worker.supervise()

    monkeypatch.setattr(WorkerThread, "start", start)
    worker.supervise()
    worker.start()
    assert sum(thread.name == worker.name for thread in threading.enumerate()) == 1
    going_on.set()
    worker.stop()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_ends_is_started_again(start):
    worker = Counting()
    worker.does = failing(1, SystemExit())
    start(worker)
    wait_until(lambda: worker.worked)


def test_a_stop_leaves_behind_what_hangs(monkeypatch):
    monkeypatch.setattr("companion.base.worker.STOP_S", 0.01)
    worker, begun, going_on = Counting(), threading.Event(), threading.Event()
    worker.does = lambda: begun.set() or going_on.wait()
    worker.start()
    assert begun.wait(60)
    worker.stop()
    going_on.set()


def test_jobs_that_wait_are_done_before_the_end_also_behind_one_that_fails():
    worker, done = JobWorker("jobs"), []
    for job in (lambda: done.append(1), failing(1, ValueError()), lambda: done.append(2)):
        worker.add(job)
    worker.start()
    worker.stop()
    assert done == [1, 2]


def test_every_page_says_which_part_fails(tmp_path):
    site = Site(tmp_path)
    for name, told in cases("base/troubles.txt", "Failing"):
        trouble = Trouble[name.upper()]
        site.table.report(trouble, HANGS)
        for path in ("/", "/table"):
            assert told in html.unescape(site.stranger.client.get(path).text)
        site.table.report(trouble, "")
        assert told not in html.unescape(site.stranger.client.get("/table").text)
    site.journal.close()


def test_a_part_that_works_again_does_not_hide_that_another_one_fails(tmp_path):
    site = Site(tmp_path)
    for part, reason in (("players", HANGS), ("spectators", HANGS), ("players", "")):
        site.table.report(Trouble.PAGES, reason, part)
    assert site.table.scene.troubles == {Trouble.PAGES: HANGS}
    site.table.report(Trouble.PAGES, "", "spectators")
    assert site.table.scene.troubles == {}
    site.journal.close()
