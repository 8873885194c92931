"""Which tests touch which line of the product: `make coverage`, ARGS=--test for those of make test.

Prints what share of the lines and branches of each package the tests touch in their own process;
programs that they start aren't seen. What is kept in build/coverage says which test touched which
line and how long each test took: `mutants` asks there.
"""

import json
import os
import sys
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from shutil import rmtree

import pytest
from coverage import Coverage, CoverageData
from places import KEPT_PICTURES, ROOT

FOLDER = ROOT / "build/coverage"
CONFIG = str(ROOT / "pyproject.toml")


class Clock:
    """A plugin of pytest: how many seconds each test took that passed."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration  # type: ignore[assignment]
        if report.failed:
            self.failed.add(report.nodeid)

    def passed(self) -> dict[str, float]:
        return {test: took for test, took in self.seconds.items() if test not in self.failed}


def collect(tier: str, marks: str, jobs: int) -> None:
    """Run the tests with these marks, and keep what they touch under the name of the tier."""
    clock = Clock()
    # What an earlier run made of a picture would hide the lines that make it.
    rmtree(KEPT_PICTURES, ignore_errors=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    os.environ["COVERAGE_FILE"] = str(FOLDER / tier)
    where = ("--cov", "--cov-context=test", "--cov-report=", f"--cov-config={CONFIG}")
    how = ("-q", "--dist=worksteal", f"--numprocesses={jobs}", "-m", marks)
    pytest.main([*where, *how, str(ROOT / "tests")], plugins=[clock])
    (FOLDER / f"{tier}.json").write_text(json.dumps(clock.passed(), indent=0))


class TouchedLines:
    """What is kept of the tests of these tiers."""

    def __init__(self, tiers: Sequence[str] = ("quick", "rest")) -> None:
        kept = [tier for tier in tiers if (FOLDER / tier).exists()]
        self.seconds = {tier: json.loads((FOLDER / f"{tier}.json").read_text()) for tier in kept}
        """By tier and test."""
        self._data = [CoverageData(str(FOLDER / tier)) for tier in kept]
        for data in self._data:
            data.read()
        self._contexts = cache(self._read)

    def _read(self, path: Path) -> Mapping[int, set[str]]:
        """The tests by the lines that they touch; "" for what imports and collecting touch."""
        found: defaultdict[int, set[str]] = defaultdict(set)
        for line, context in chain.from_iterable(
            ((line, context) for line, contexts in data.contexts_by_lineno(str(path)).items()
             for context in contexts)
            for data in self._data
        ):  # fmt: skip
            found[line].add(context.rpartition("|")[0])
        return found

    def tests(self, path: Path, lines: Iterable[int] | None = None) -> set[str]:
        """The tests that touch one of these lines, or any of the file."""
        contexts = self._contexts(path)
        chosen = contexts if lines is None else lines
        return set().union(*(contexts.get(line, ()) for line in chosen)) - {""}

    def is_run_early(self, path: Path, lines: Iterable[int]) -> bool:
        """Whether an import, or the collecting of tests, runs one of the lines."""
        return any("" in self._contexts(path).get(line, ()) for line in lines)


def measure(tiers: Collection[str]) -> dict[str, Counter[str]]:
    """Count by package, in coverage's words, what the tests of these tiers touch together."""
    together = Coverage(data_file=str(FOLDER / "together"), config_file=CONFIG)
    together.combine([str(FOLDER / tier) for tier in tiers], keep=True)
    report = FOLDER / "report.json"
    together.json_report(outfile=str(report))
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, file in json.loads(report.read_text())["files"].items():
        for package in ("all", "/".join(Path(name).parts[:-1][:2])):
            found[package].update(file["summary"])
    return found


def table(measures: Sequence[dict[str, Counter[str]]], tiers: Sequence[str]) -> Iterator[str]:
    """Lines of Markdown: the share of lines and branches by package, for each tier."""
    yield " | ".join(("| package | lines", *(f"{tier}: lines | branches" for tier in tiers))) + " |"
    yield "|---" * (2 + 2 * len(tiers)) + "|"
    for package in sorted(measures[0]):
        cells = [package, f"{measures[0][package]['num_statements']:,}"]
        for found in measures:
            cells += [share(found[package], "lines", "num_statements"),
                      share(found[package], "branches", "num_branches")]  # fmt: skip
        yield f"| {' | '.join(cells)} |"


def share(found: Counter[str], what: str, all_of_them: str) -> str:
    most = found[all_of_them]
    return f"{100 * found[f'covered_{what}'] / most:.1f} %" if most else "–"


def main(arguments: Sequence[str]) -> int:
    parser = ArgumentParser(prog="python -m tests.tools.coverage_map", description=__doc__)
    parser.add_argument("quick", help="the marks of the tests in make quick")
    parser.add_argument("--test", action="store_true", help="run those of make test, too")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    chosen = parser.parse_args(arguments)
    collect("quick", chosen.quick, chosen.jobs)
    measures = [measure(["quick"])]
    if chosen.test:
        collect("rest", f"not slow and not ({chosen.quick})", chosen.jobs)
        measures.append(measure(["quick", "rest"]))
    print(*table(measures, ["make quick", "make test"][: len(measures)]), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
