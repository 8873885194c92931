"""Tries a change of the product in a forked process: does a test notice it? No file is changed.

A change within functions takes the place of their code, in a fork of a session that has collected
its tests: `Session`. Any other change takes the place of its module, in a fork of a process that
has imported nothing of the product yet: `import_anew`.
"""

import gc
import importlib.abc
import importlib.util
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from inspect import CO_OPTIMIZED
from itertools import groupby, zip_longest
from math import ceil
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

# Libraries that the tests use: what is imported here needn't be in each process.
import cv2  # noqa: F401
import flask  # noqa: F401
import hypothesis
import playwright.sync_api  # noqa: F401
import pytest
from places import ROOT

PARTS = ("companion", "vision", "hardware", "web")
"""The packages of the product."""

MARKS = "not slow and not processes"
"""A browser or a program of its own doesn't get the change, or would take too long."""

OPTIONS = (
    *("-x", "-s", "--tb=no", "--assert=plain", "-qq", "-o", "addopts=", "-m", MARKS),
    *("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:pytest_cov"),
    # It would look for garbage five times at the end, in each process.
    *("-p", "no:unraisableexception"),
    # Hypothesis is imported once, for all processes.
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
)

PROCESSOR = 10
"""Seconds of the processor, beyond twice those that a test took before, after which it failed."""

PATIENCE = 180
"""Seconds after which a test that waits for something counts as failed."""

MEMORY = 4 << 30
"""Bytes after which a change that grows for ever is stopped."""


class Change(NamedTuple):
    """The text that the module in this file gets instead of its own."""

    path: Path
    text: str

    @property
    def module(self) -> str:
        return ".".join(self.path.relative_to(ROOT).with_suffix("").parts)


Attempt = Callable[[Change | None, Sequence[str]], str]
"""Try a change, or none, with these tests: the one that failed, "" if all pass. In a fork."""

CACHE = type(cache(len))

Key = tuple[str, int, bytes]
"""What a function's code is known by within its file."""


def swaps(change: Change) -> Mapping[Key, CodeType] | None:
    """The code that functions get; None if the change is not within functions alone."""
    before = compile(change.path.read_text(encoding="utf-8"), str(change.path), "exec")
    after = compile(change.text, str(change.path), "exec")
    found: dict[Key, CodeType] = {}
    return found if _compare(before, after, found, within=False) else None


def _compare(
    before: CodeType, after: CodeType, found: dict[Key, CodeType], *, within: bool
) -> bool:
    """Add what differs to `found`. False if that can't be swapped."""
    if before.co_freevars != after.co_freevars or before.co_qualname != after.co_qualname:
        return False
    is_function = bool(before.co_flags & CO_OPTIMIZED) and before.co_name not in COMPREHENSIONS
    within = within or is_function
    if not within and _own(before) != _own(after):
        return False
    if is_function and before != after:
        found[_key(before)] = after
    inner = zip_longest(_inner(before), _inner(after))
    return all(one and other and _compare(one, other, found, within=within) for one, other in inner)


COMPREHENSIONS = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
"""Codes that are run where they stand, and belong to no function of their own."""


def _inner(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def _own(code: CodeType) -> tuple[object, ...]:
    constants = [repr(each) for each in code.co_consts if not isinstance(each, CodeType)]
    return code.co_code, constants, code.co_names, code.co_varnames


def _key(code: CodeType) -> Key:
    return code.co_qualname, code.co_firstlineno, code.co_code


class InPlace(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives the changed text to anything that imports the module."""

    def __init__(self, change: Change) -> None:
        self.change = change

    def find_spec(self, name: str, path: object, target: object = None) -> Any:
        if name != self.change.module:
            return None
        return importlib.util.spec_from_file_location(name, self.change.path, loader=self)

    def exec_module(self, module: Any) -> None:
        exec(compile(self.change.text, str(self.change.path), "exec"), module.__dict__)


def limit(what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    resource.setrlimit(what, (most, hard))


class Watch:
    """A plugin of pytest: runs these tests alone, in their order, and none for ever."""

    def __init__(self, tests: Sequence[str], seconds: Mapping[str, float]) -> None:
        self.order = {test: number for number, test in enumerate(tests)}
        self.seconds = seconds
        self.failed = ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self.order]
        items.sort(key=lambda item: self.order[item.nodeid])

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        most = time.process_time() + 2 * self.seconds.get(item.nodeid, 0) + PROCESSOR
        limit(resource.RLIMIT_CPU, ceil(most))
        signal.alarm(PATIENCE)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid


def prepare() -> None:
    """Import what all tests share, so that random games aren't shrunk and pictures not kept."""
    import memory
    import strategies  # noqa: F401 (its settings are overruled before tests take them)

    hypothesis.settings.register_profile(
        "mutants",
        hypothesis.settings.get_profile("games"),
        phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
        report_multiple_bugs=False,
    )
    hypothesis.settings.load_profile("mutants")
    # What an earlier run made of a picture would hide a change of the reader.
    memory.Pictures.keep = lambda _, work, *given, of=None, **options: work(  # type: ignore[method-assign]
        *(() if of is None else (of,)), *given, **options
    )


def import_anew(seconds: Mapping[str, float], change: Change | None, tests: Sequence[str]) -> str:
    """An attempt in a process that has imported nothing of the product, file by file."""
    if change:
        sys.meta_path.insert(0, InPlace(change))
    try:
        prepare()
    except Exception as error:
        return repr(error)
    watch = Watch(tests, seconds)
    for file, _ in groupby(tests, lambda test: test.partition("::")[0]):
        status = pytest.main([*OPTIONS, str(ROOT / file)], plugins=[watch])
        if status not in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
            return watch.failed or f"{file}: {status!r}"
    return ""


class Session:
    """A plugin of pytest that hands on an attempt, once the tests are collected, and runs none."""

    def __init__(self, seconds: Mapping[str, float], then: Callable[[Attempt], None]) -> None:
        self.seconds, self.then = seconds, then

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.plugins = session.config.pluginmanager
        self.items = {item.nodeid: item for item in session.items}
        self.functions: defaultdict[str, list[FunctionType]] = defaultdict(list)
        self.caches = []
        for each in gc.get_objects():
            if isinstance(each, FunctionType):
                self.functions[each.__code__.co_filename].append(each)
            elif isinstance(each, CACHE):
                self.caches.append(each)
        # Nobody is to look through all that for garbage, least of all in each process.
        gc.freeze()
        self.then(self.attempt)
        return True

    def attempt(self, change: Change | None, tests: Sequence[str]) -> str:
        if change:
            self.swap(change)
        watch = Watch(tests, self.seconds)
        self.plugins.register(watch)
        items = [self.items[test] for test in tests if test in self.items]
        for item, following in zip_longest(items, items[1:]):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if watch.failed:
                break
        return watch.failed

    def swap(self, change: Change) -> None:
        """Give functions their changed code, also those that other modules hold or decorate."""
        # Tests may not have imported the module yet.
        sys.meta_path.insert(0, InPlace(change))
        changed = swaps(change) or {}
        for function in self.functions[str(change.path)]:
            if code := changed.get(_key(function.__code__)):
                function.__code__ = code
        for each in self.caches:
            if each.__wrapped__.__module__.partition(".")[0] in PARTS:
                each.cache_clear()


def begin(task: Callable[[], str], folder: Path) -> tuple[int, int]:
    """Fork a process that does this: its id, and the pipe that it answers by."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    told = os.dup(2)
    try:
        os.setsid()
        own = folder / str(os.getpid())
        own.mkdir()
        os.environ["TMPDIR"] = os.environ["PYTEST_DEBUG_TEMPROOT"] = tempfile.tempdir = str(own)
        limit(resource.RLIMIT_AS, MEMORY)
        limit(resource.RLIMIT_CORE, 0)
        limit(resource.RLIMIT_CPU, ceil(time.process_time()) + 3 * PROCESSOR)
        signal.alarm(PATIENCE)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        try:
            answer = task()
        except MemoryError:
            answer = "no memory is left"
        os.write(writing, answer.encode())
        os._exit(os.EX_OK)
    except BaseException:
        os.write(told, traceback.format_exc().encode())
        os._exit(os.EX_SOFTWARE)


def settle(answer: int, status: int) -> str:
    """What a process that has ended with `status` says: the test that failed, "" for none.

    Raises ChildProcessError where not the change failed, but what tries it.
    """
    with os.fdopen(answer, "rb") as pipe:
        failed = pipe.read().decode()
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    if status:
        raise ChildProcessError("a change could not be tried")
    return failed


def wait(running: dict[int, tuple[Change, int]], folder: Path) -> tuple[Change, str]:
    """The change whose process ends next, and the test that failed."""
    pid, status = os.wait()
    change, answer = running.pop(pid)
    clean(pid, folder)
    return change, settle(answer, status)


class Trials:
    """Tries changes in processes of their own, and trusts no test that fails without a change."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.noticed: defaultdict[Path, Counter[str]] = defaultdict(Counter)
        """How often each test, or file of tests, failed for a change of a file."""
        self.trusted: set[str] = set()
        self.distrusted: set[str] = set()

    def run(
        self, asked: Mapping[Change, Sequence[str]], attempt: Attempt
    ) -> Iterator[tuple[Change, str]]:
        """Yield each change with the test that noticed it, as the processes end."""
        waiting, running = deque(asked), dict[int, tuple[Change, int]]()
        with tempfile.TemporaryDirectory(prefix="mutants-") as name:
            folder = Path(name)
            if asked and (failed := self.without(attempt, next(iter(asked.values()))[:1], folder)):
                raise ChildProcessError(f"the tests must pass without a change first: {failed}")
            try:
                while waiting or running:
                    while waiting and len(running) < self.jobs:
                        change = waiting.popleft()
                        task = partial(attempt, change, self.order(change, asked[change]))
                        pid, answer = begin(task, folder)
                        running[pid] = change, answer
                    change, failed = wait(running, folder)
                    if self.is_trusted(failed, attempt, folder):
                        self.noticed[change.path].update((failed, failed.partition("::")[0]))
                        yield change, failed
                    else:
                        waiting.append(change)
            finally:
                for pid in running:
                    clean(pid, folder)

    def order(self, change: Change, tests: Iterable[str]) -> Sequence[str]:
        """First the files, and in them the tests, that noticed most; else as they come."""
        noticed = self.noticed[change.path]
        files: defaultdict[str, list[str]] = defaultdict(list)
        for test in tests:
            if test not in self.distrusted:
                files[test.partition("::")[0]].append(test)
        return [
            test
            for file in sorted(files, key=lambda file: -noticed[file])
            for test in sorted(files[file], key=lambda test: -noticed[test])
        ]

    def is_trusted(self, test: str, attempt: Attempt, folder: Path) -> bool:
        """Whether what failed passes without a change, if it is a test."""
        if "::" in test and test not in self.trusted | self.distrusted:
            failed = self.without(attempt, [test], folder)
            (self.distrusted if failed else self.trusted).add(test)
        return test not in self.distrusted

    def without(self, attempt: Attempt, tests: Sequence[str], folder: Path) -> str:
        """The test that fails without a change."""
        pid, answer = begin(partial(attempt, None, tests), folder)
        _, status = os.waitpid(pid, 0)
        clean(pid, folder)
        return settle(answer, status)


def clean(pid: int, folder: Path) -> None:
    """End what a process may have left: programs and files."""
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    shutil.rmtree(folder / str(pid), ignore_errors=True)
