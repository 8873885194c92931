"""The threads for work on frames: what fails or hangs in them costs the page that asked, alone."""

import threading
from contextlib import suppress

import pytest

from companion.base.refused import Refused
from companion.camera.workers import FrameWorkers


@pytest.mark.parametrize(("kind", "patience"), [("analyse", "LONGEST_S"), ("encode", "PATIENCE_S")])
def test_work_that_hangs_is_refused_and_another_thread_does_the_next(kind, patience, monkeypatch):
    with monkeypatch.context() as hurried:
        hurried.setattr(f"companion.camera.workers.{patience}", 0.05)
        workers, held = FrameWorkers(), threading.Event()
    do = getattr(workers, kind)
    with pytest.raises(Refused, match="doesn’t answer"):
        do(held.wait)
    begun = threading.Event()
    with suppress(Refused):  # by a busy machine
        do(begun.set)
    assert begun.wait(10)
    held.set()
    workers.close()


def test_where_no_thread_can_be_started_the_page_is_told_and_can_ask_again(monkeypatch):
    def fail(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    workers = FrameWorkers()
    with monkeypatch.context() as full:
        full.setattr(threading.Thread, "start", fail)
        with pytest.raises(Refused, match="another thread"):
            workers.encode(lambda: 5)
    assert workers.encode(lambda: 5) == 5
    workers.close()


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("no thread"), OSError(24, "files")])
def test_what_work_raises_is_its_callers(error):
    workers = FrameWorkers()

    def fail() -> None:
        raise error

    with pytest.raises(type(error)):
        workers.analyse(fail)
    assert workers.analyse(lambda: 5) == 5
    workers.close()
