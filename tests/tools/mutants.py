"""Mutation testing: `make mutants`, or `python -m tests.tools.mutants check targets`.

Every piece of `companion.games.dice.rules` is changed, one at a time, and some test must notice.
`--of` names other parts: the rules of cards, what both games share, the table, its journal, what
lies in the tray, what is published; `--sample` takes some of their mutants by chance. What may be
changed how is mutmut's, and two operators of ours; mutmut itself would leave out what stands in no
function or in a decorated one: the tables, the enumerations, all that is cached.

Each mutant lives in a process of its own, forked before the rules were imported, where it takes
the place of its module: no file is changed. `terms` is text and left out.
"""

import gc
import importlib.abc
import importlib.util
import os
import resource
import signal
import sys
import time
import traceback
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from difflib import unified_diff
from functools import cache
from itertools import islice
from math import ceil
from random import Random
from typing import Any, NamedTuple

import hypothesis
import libcst as cst
import pytest
from mutmut.mutation.mutators import mutation_operators
from places import ROOT

PACKAGES = {
    "dice": "games.dice.rules",
    "cards": "games.cards.rules",
    "common": "games.common",
    "table": "table",
    "journal": "table.journal",
    "tray": "table.surface.dice",
    "pile": "table.surface.cards",
    "publishing": "club.publishing",
}
"""The packages, by what `--of` calls them."""

TESTS = {
    "games.dice.rules": (
        "games/dice/test_rulings",
        "games/dice/test_house_rules",
        "games/test_games",
        "games/dice/test_record",
        "games/dice/test_terms",
        "games/dice/test_game_properties",
    ),
    "games.cards.rules": (
        "games/cards/test_card_rulings",
        "games/test_games",
        "games/cards/test_card_record",
        "games/cards/test_card_terms",
        "table/test_card_table",
        "games/cards/test_card_sight",
        "games/cards/test_card_properties",
        "club/test_public_messages",
        "games/cards/test_card_reference",
    ),
    "games.common": (
        "games/dice/test_rulings",
        "games/cards/test_card_rulings",
        "games/test_games",
        "games/dice/test_record",
        "games/cards/test_card_record",
        "games/dice/test_terms",
    ),
    "table": (
        "table/test_table",
        "table/test_seats",
        "table/test_dealing",
        "table/test_history",
        "table/test_restart",
        "table/test_secrets",
        "table/test_stand_ins",
        "table/test_rules_choice",
        "table/test_game_choice",
        "table/test_early_answers",
        "table/test_surface",
        "table/test_tray",
        "table/test_card_table",
        "table/test_card_secrets",
        "table/test_saves",
        "table/test_whole_table",
    ),
    "table.journal": (
        "table/test_journal",
        "table/test_saves",
        "table/test_restart",
        "table/test_opened",
        "table/test_past_games",
        "table/test_killed_cards",
    ),
    "table.surface.dice": (
        "table/test_tray",
        "table/test_corrections",
        "table/test_surface",
        "table/test_table",
        "table/test_restart",
        "table/test_stand_ins",
        "table/test_whole_table",
    ),
    "table.surface.cards": (
        "table/test_pile",
        "table/test_card_table",
        "table/test_card_corrections",
        "table/test_retitle",
        "table/test_early_answers",
        "table/test_restart",
        "table/test_pile_properties",
    ),
    "club.publishing": (
        "club/test_public_messages",
        "club/test_outbox",
        "club/test_owner",
        "club/test_home_assistant",
        "club/test_publishing",
    ),
}
"""The tests of each package, quick ones first."""

OPTIONS = (
    *("-x", "--tb=no", "--assert=plain", "--noconftest", "-p", "no:cacheprovider"),
    *("-m", "not slow"),
    # It would look for garbage five times at the end, in each process.
    *("-p", "no:unraisableexception"),
    # Hypothesis is imported once, for all mutants.
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
)

WANTED = 95
"""Per cent of the mutants that the tests must notice."""

SECONDS_A_TEST = 10
"""Processor time after which a test counts as failed: the slowest takes one second or two."""

MEMORY = 2 << 30
"""Bytes after which a mutant that grows for ever is stopped."""


class Mutant(NamedTuple):
    """A change of a module, such as `games.dice.rules.check`: `node` becomes `other`."""

    module: str
    node: cst.CSTNode
    other: cst.CSTNode

    def code(self) -> str:
        tree = cst.ensure_type(parsed(self.module).deep_replace(self.node, self.other), cst.Module)
        return tree.code

    def diff(self) -> str:
        name = f"{self.module}.py"
        before = parsed(self.module).code.splitlines(keepends=True)
        after = self.code().splitlines(keepends=True)
        return "".join(unified_diff(before, after, name, name, n=1))


@cache
def parsed(module: str) -> cst.Module:
    path = ROOT / "companion" / f"{module.replace('.', '/')}.py"
    return cst.parse_module(path.read_text(encoding="utf-8"))


def force(node: cst.If | cst.CompIf) -> Iterator[cst.CSTNode]:
    """A condition never holds, or always."""
    for name in ("False", "True"):
        yield node.with_changes(test=cst.Name(name))


def drop(node: cst.Expr) -> Iterator[cst.CSTNode]:
    """A call for its effect is not made."""
    if isinstance(node.value, cst.Call):
        yield cst.Pass()


OPERATORS = (*mutation_operators, (cst.If, force), (cst.CompIf, force), (cst.Expr, drop))

NEVER_RUN = (cst.Annotation, cst.Import, cst.ImportFrom, cst.Decorator)
"""Left as it is: types, and what would only fail at once."""


class Mutants(cst.CSTVisitor):
    """Collects all mutants of a module."""

    def __init__(self, module: str) -> None:
        super().__init__()
        self.module = module
        self.found: list[Mutant] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        for kind, operator in OPERATORS:
            if isinstance(node, kind) and not isinstance(node, NEVER_RUN):
                self.found += [Mutant(self.module, node, other) for other in operator(node)]
        return not isinstance(node, NEVER_RUN)


def mutants(module: str) -> list[Mutant]:
    visitor = Mutants(module)
    parsed(module).visit(visitor)
    return visitor.found


class InPlace(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives `code` to whoever imports `module`."""

    def __init__(self, module: str, code: str) -> None:
        self.module, self.code = f"companion.{module}", code

    def find_spec(self, name: str, path: object, target: object = None) -> Any:
        return importlib.util.spec_from_loader(name, self) if name == self.module else None

    def exec_module(self, module: Any) -> None:
        exec(compile(self.code, f"<{self.module}>", "exec"), module.__dict__)


def limit(what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    resource.setrlimit(what, (most, hard))


class Watch:
    """A plugin of pytest: the tests that noticed most come first, and none takes for ever."""

    def __init__(self, noticed: Counter[str]) -> None:
        self.noticed = noticed
        self.failed = ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: -self.noticed[item.nodeid])

    def pytest_runtest_setup(self) -> None:
        limit(resource.RLIMIT_CPU, ceil(time.process_time()) + SECONDS_A_TEST)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = report.nodeid


def noticing(module: str, code: str, noticed: Counter[str]) -> str:
    """The test that fails with `code` as `module`, "" if all pass. For a process of its own."""
    sys.meta_path.insert(0, InPlace(module, code))
    try:
        import strategies  # noqa: F401 (its settings are to be overruled before tests take them)
    except Exception as error:
        return repr(error)
    hypothesis.settings.register_profile(
        "mutants",
        hypothesis.settings.get_profile("games"),
        phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
        report_multiple_bugs=False,
    )
    hypothesis.settings.load_profile("mutants")
    watch = Watch(noticed)
    paths = [f"tests/{name}.py" for name in TESTS[module.rpartition(".")[0]]]
    for tests in sorted(paths, key=lambda path: -sum(n for t, n in noticed.items() if path in t)):
        status = pytest.main([*OPTIONS, tests], plugins=[watch])
        if status != pytest.ExitCode.OK:
            return watch.failed or f"{tests}: {status!r}"
    return ""


def begin(module: str, code: Callable[[], str], noticed: Counter[str]) -> tuple[int, int]:
    """Fork a process that tries `code` as `module`: its id, and the pipe that it answers by."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    told = os.dup(sys.stderr.fileno())
    try:
        # Who stops the run stops this process silently.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        changed = code()
        limit(resource.RLIMIT_AS, MEMORY)
        limit(resource.RLIMIT_CORE, 0)
        # Tests make their examples while they are collected.
        limit(resource.RLIMIT_CPU, ceil(time.process_time()) + SECONDS_A_TEST)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        try:
            answer = noticing(module, changed, noticed)
        except MemoryError:
            answer = "no memory is left"
        os.write(writing, answer.encode())
        os._exit(os.EX_OK)
    except BaseException:
        os.write(told, traceback.format_exc().encode())
        os._exit(os.EX_SOFTWARE)


def settle(answer: int, status: int) -> str:
    """What a process that has ended with `status` says: the test that failed, "" for none.

    Raises ChildProcessError where not the mutant failed, but what tries it.
    """
    with os.fdopen(answer, "rb") as pipe:
        failed = pipe.read().decode()
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    if status:
        raise ChildProcessError("a mutant could not be tried")
    return failed


def try_all(found: Sequence[Mutant], jobs: int) -> Iterator[tuple[Mutant, str]]:
    """Yield each mutant with the test that noticed it, as the processes end."""
    noticed: defaultdict[str, Counter[str]] = defaultdict(Counter)
    waiting = iter(found)
    running: dict[int, tuple[Mutant, int]] = {}
    while True:
        for mutant in islice(waiting, jobs - len(running)):
            pid, answer = begin(mutant.module, mutant.code, noticed[mutant.module])
            running[pid] = mutant, answer
        if not running:
            return
        pid, status = os.wait()
        mutant, answer = running.pop(pid)
        failed = settle(answer, status)
        noticed[mutant.module][failed] += 1
        yield mutant, failed


def main(arguments: Sequence[str]) -> int:
    parser = ArgumentParser(prog="python -m tests.tools.mutants", description=__doc__)
    parser.add_argument("modules", nargs="*", help="of the package; all, if none is named")
    parser.add_argument("--of", choices=PACKAGES, default="dice", help="which package")
    parser.add_argument(
        "--sample", type=int, help="how many to try, taken by chance; by default all"
    )
    parser.add_argument("--seed", type=int, default=1, help="where the chance begins")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    chosen = parser.parse_args(arguments)
    package = PACKAGES[chosen.of]
    sources = (ROOT / "companion" / package.replace(".", "/")).glob("*.py")
    known = sorted(path.stem for path in sources if path.stem != "__init__")
    if unknown := set(chosen.modules) - set(known):
        parser.error(f"there is no {', '.join(sorted(unknown))}, only {', '.join(known)}")
    modules = [f"{package}.{module}" for module in chosen.modules or known]
    os.nice(19)

    pid, answer = begin(modules[0], lambda: parsed(modules[0]).code, Counter())
    _, status = os.waitpid(pid, 0)
    if failed := settle(answer, status):
        print(f"the tests must pass without a mutant first: {failed}")
        return 2

    if chosen.of == "cards":
        # They know only the dice game, so all mutants can share them.
        import strategies  # noqa: F401
    found = [mutant for module in modules for mutant in mutants(module)]
    if chosen.sample is not None:
        found = Random(chosen.seed).sample(found, min(chosen.sample, len(found)))
    # Nobody is to look through the trees of the source for garbage, least of all in each process.
    gc.freeze()
    began = time.monotonic()
    made, tried = Counter(mutant.module for mutant in found), Counter[str]()
    survived = Counter[str]()
    # Those who have waited long enough still learn what was found.
    with suppress(KeyboardInterrupt):
        for mutant, failed in try_all(found, chosen.jobs):
            tried[mutant.module] += 1
            if not failed:
                survived[mutant.module] += 1
                print(mutant.diff(), flush=True)
            if tried.total() % 25 == 0:
                minutes = (time.monotonic() - began) / 60
                print(
                    f"{mutant.module}: {tried.total()} of {len(found)} mutants, "
                    f"{survived.total()} survive, {minutes:.1f} min",
                    flush=True,
                )
    for module, count in made.items():
        print(f"{module:20} {tried[module]:5} of {count:5} tried, {survived[module]:3} survive")
    noticed = tried.total() - survived.total()
    share = 100 * noticed / max(1, tried.total())
    print(f"{share:.1f} % of those tried were noticed; {WANTED} % of all are wanted")
    return 0 if 100 * noticed >= WANTED * len(found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
