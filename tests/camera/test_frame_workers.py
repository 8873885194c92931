"""The threads for work on frames: what fails or hangs in them costs the page that asked, alone."""

import threading
from concurrent.futures import Future
from contextlib import suppress
from unittest import mock

import pytest

from companion.base.refused import Refused
from companion.camera.workers import FrameWorkers


@pytest.fixture
def hurried() -> FrameWorkers:
    """Threads that take for hanging what takes longer than a moment."""
    with mock.patch("companion.camera.workers.PATIENCE_S", 0.05):
        return FrameWorkers()


@pytest.mark.parametrize("kind", ["analyse", "encode"])
def test_work_that_hangs_is_refused_and_another_thread_does_the_next(kind, hurried):
    do, held = getattr(hurried, kind), threading.Event()
    with pytest.raises(Refused, match="doesn’t answer"):
        do(held.wait)
    begun = threading.Event()
    with suppress(Refused):  # by a busy machine
        do(begun.set)
    assert begun.wait(10)
    held.set()
    hurried.close()


def test_an_analysis_of_many_pieces_may_take_long(hurried, monkeypatch):
    asked, made, result = threading.Semaphore(0), threading.Semaphore(0), Future.result

    def lose_patience(future: "Future[int]", timeout: float) -> int:
        try:
            return result(future, timeout)
        except TimeoutError:
            asked.release()
            assert made.acquire(timeout=10)
            raise

    def work() -> int:
        for _ in range(3):
            assert asked.acquire(timeout=10)
            hurried.progress()
            made.release()
        return 5

    monkeypatch.setattr(Future, "result", lose_patience)
    assert hurried.analyse(work) == 5
    hurried.close()


def test_where_no_thread_can_be_started_the_page_is_told_and_can_ask_again():
    workers = FrameWorkers()
    full = mock.patch.object(threading.Thread, "start", side_effect=RuntimeError("no new thread"))
    with full, pytest.raises(Refused, match="another thread"):
        workers.encode(lambda: 5)
    assert workers.encode(lambda: 5) == 5
    workers.close()


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("no thread"), OSError(24, "files")])
def test_what_work_raises_is_its_callers(error):
    workers = FrameWorkers()
    with pytest.raises(type(error)):
        workers.analyse(mock.Mock(side_effect=error))
    assert workers.analyse(lambda: 5) == 5
    workers.close()
