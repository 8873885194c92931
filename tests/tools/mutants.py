"""Mutation testing: `make mutants`, or `python -m tests.tools.mutants table dice.rules.check`.

Pieces of the product are changed, one at a time, and some test must notice. Of each change, those
tests are asked that touch its lines (`make coverage` finds out which), cheapest first. What may be
changed how is mutmut's, and two operators of ours; mutmut itself would leave out what stands in no
function or in a decorated one: the tables, the enumerations, all that is cached.

--save keeps the mutants and which test noticed them; --against tries the same ones again, on other
code and other tests, and lists what was noticed then and isn't now.
"""

import ast
import json
import os
import signal
import sys
import time
from argparse import ArgumentParser, Namespace
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from difflib import unified_diff
from functools import cache, partial
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, ParentNodeProvider, PositionProvider
from mutmut.mutation.mutators import mutation_operators
from places import ROOT

from tests.tools.coverage_map import TouchedLines
from tests.tools.trial import (
    OPTIONS,
    PARTS,
    Attempt,
    Change,
    Session,
    Trials,
    import_anew,
    prepare,
    swaps,
)

LEFT_OUT = {"__init__", "training"}

RULES = ("dice.rules", "cards.rules", "games.common")
"""What is changed unless something else is named."""

WANTED = 95
"""Per cent of the mutants that the tests must notice."""


class Mutant(NamedTuple):
    """A change of a file: what it is known by, also once other lines have moved."""

    path: Path
    scope: str
    line: str
    before: str
    after: str
    nth: int
    """How many others have all that in common and come before it."""

    def saved(self, noticed: str) -> dict[str, Any]:
        return self._asdict() | {"path": str(self.path.relative_to(ROOT)), "noticed": noticed}


class Place(NamedTuple):
    """Where a mutant stands: `node` becomes `other`."""

    node: cst.CSTNode
    other: cst.CSTNode
    lines: range


class Source:
    """A file of the product, and all its mutants."""

    def __init__(self, path: Path) -> None:
        self.path = path
        text = path.read_text(encoding="utf-8")
        self.wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
        self.parents = self.wrapper.resolve(ParentNodeProvider)
        self.positions = self.wrapper.resolve(PositionProvider)
        self.text_lines = text.splitlines()
        visitor = Visitor()
        self.wrapper.module.visit(visitor)
        counted = Counter[Mutant]()
        self.mutants: dict[Mutant, Place] = {}
        for node, other in visitor.found:
            mutant = self.known(node, other)
            self.mutants[mutant._replace(nth=counted[mutant])] = Place(
                node, other, self.lines(node)
            )
            counted[mutant] += 1

    def known(self, node: cst.CSTNode, other: cst.CSTNode) -> Mutant:
        line = self.text_lines[self.positions[node].start.line - 1].strip()
        shown = [self.wrapper.module.code_for_node(each).strip()[:200] for each in (node, other)]
        return Mutant(self.path, self.scope(node), line, *shown, nth=0)

    def above(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        while not isinstance(node, cst.Module):
            yield node
            node = self.parents[node]

    def scope(self, node: cst.CSTNode) -> str:
        named = (cst.FunctionDef, cst.ClassDef)
        names = [each.name.value for each in self.above(node) if isinstance(each, named)]
        return ".".join(reversed(names))

    def lines(self, node: cst.CSTNode) -> range:
        """The lines of its statement; of one with a body, those before that."""
        for each in self.above(node):
            body = getattr(each, "body", None)
            if isinstance(each, cst.SimpleStatementLine) or isinstance(body, cst.BaseSuite):
                where = self.positions[each]
                last = where.end.line
                if isinstance(body, cst.BaseSuite) and body.body:
                    last = max(where.start.line, self.positions[body.body[0]].start.line - 1)
                return range(where.start.line, last + 1)
        raise LookupError("a statement is a line or has a body")

    def code(self, mutant: Mutant) -> str:
        place = self.mutants[mutant]
        tree = self.wrapper.module.deep_replace(place.node, place.other)
        return cst.ensure_type(tree, cst.Module).code

    def diff(self, mutant: Mutant) -> str:
        name = str(self.path.relative_to(ROOT))
        before = self.wrapper.module.code.splitlines(keepends=True)
        after = self.code(mutant).splitlines(keepends=True)
        return "".join(unified_diff(before, after, name, name, n=1))


source = cache(Source)


def force(node: cst.If | cst.IfExp) -> Iterator[cst.CSTNode]:
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


class Visitor(cst.CSTVisitor):
    """Collects what may become of each node."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[cst.CSTNode, cst.CSTNode]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        for kind, operator in OPERATORS:
            if isinstance(node, kind) and not isinstance(node, NEVER_RUN):
                self.found += [(node, other) for other in operator(node)]
        return not isinstance(node, NEVER_RUN)


@cache
def product() -> dict[str, Path]:
    """The files of the product by their dotted names."""
    found = {}
    for path in sorted(path for part in PARTS for path in (ROOT / part).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if not LEFT_OUT.intersection(parts):
            found[".".join(parts)] = path
    return found


def choose(names: Sequence[str]) -> list[Path]:
    """The files in whose dotted name one of these stands. Raises LookupError for an unknown one."""
    found = []
    for name in names:
        chosen = [path for dotted, path in product().items() if f".{name}." in f".{dotted}."]
        if not chosen:
            raise LookupError(f"nothing is called {name}")
        found += chosen
    return sorted(set(found))


@cache
def importers(path: Path) -> list[Path]:
    """The file, and those of the product that import from it."""
    names = {dotted for dotted, file in product().items() if file == path}
    return [path, *(file for file in product().values() if names & imports(file))]


@cache
def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}", *(f"{node.module}.{each.name}" for each in node.names)}
    return found


class Run:
    """Mutants, the tests that each is shown to, and what came of it."""

    def __init__(self, mutants: Sequence[Mutant], chosen: Namespace) -> None:
        self.chosen = chosen
        self.touched = TouchedLines()
        self.trials = Trials(chosen.jobs)
        self.seconds = {
            test: took for tier in self.touched.seconds.values() for test, took in tier.items()
        }
        self.noticed: dict[Mutant, str] = {}
        self.began = time.monotonic()
        self.within: dict[Change, Mutant] = {}
        self.anew: dict[Change, Mutant] = {}
        self.tests: dict[Change, list[str]] = {}
        for mutant in mutants:
            self.add(mutant)

    def add(self, mutant: Mutant) -> None:
        """Find out how to try a mutant, and with which tests."""
        path, lines = mutant.path, source(mutant.path).mutants[mutant].lines
        change = Change(path, source(path).code(mutant))
        tests = self.touched.tests(path, lines)
        early = self.touched.is_run_early(path, lines) or swaps(change) is None
        if early:
            tests |= {test for file in importers(path) for test in self.touched.tests(file)}
        self.tests[change] = self.affordable(tests)
        if not self.tests[change]:
            self.note(mutant, "")
        else:
            (self.anew if early else self.within)[change] = mutant

    def affordable(self, tests: set[str]) -> list[str]:
        """Those of make quick, then others, each from the cheapest on, for so many seconds."""
        cheapest = sorted(
            (test not in self.touched.seconds["quick"], self.seconds[test], test)
            for test in tests & self.seconds.keys()
        )
        spent = accumulate(took for _, took, _ in cheapest)
        return [
            test for (_, _, test), sum_ in zip(cheapest, spent, strict=True)
            if sum_ <= self.chosen.seconds
        ] or [test for _, _, test in cheapest[:1]]  # fmt: skip

    def note(self, mutant: Mutant, failed: str) -> None:
        self.noticed[mutant] = failed
        if self.chosen.save:
            with self.chosen.save.open("a", encoding="utf-8") as file:
                file.write(json.dumps(mutant.saved(failed)) + "\n")
        if not failed:
            print(source(mutant.path).diff(mutant), flush=True)
        if len(self.noticed) % 25 == 0:
            survive = sum(not each for each in self.noticed.values())
            minutes = (time.monotonic() - self.began) / 60
            print(f"{len(self.noticed)} tried, {survive} survive, {minutes:.1f} min", flush=True)

    def try_all(self) -> None:
        self.attempt(self.anew, partial(import_anew, self.seconds))
        files = {test.partition("::")[0] for each in self.within for test in self.tests[each]}
        if files:
            prepare()
            session = Session(self.seconds, partial(self.attempt, self.within))
            status = pytest.main(
                [*OPTIONS, *(str(ROOT / file) for file in sorted(files))], [session]
            )
            if status not in {pytest.ExitCode.OK, pytest.ExitCode.INTERRUPTED}:
                raise ChildProcessError(f"pytest ended with {status!r}")

    def attempt(self, changes: dict[Change, Mutant], attempt: Attempt) -> None:
        asked = {change: self.tests[change] for change in changes}
        for change, failed in self.trials.run(asked, attempt):
            self.note(changes[change], failed)

    def report(self) -> int:
        """Print a table by module; the per cent that were noticed."""
        rows: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for mutant, failed in self.noticed.items():
            row = {"tried": 1, self.by(failed): 1}
            for name in ("all", str(mutant.path.relative_to(ROOT))):
                rows[name].update(row)
        print("| | tried | noticed by make quick | by others of make test | survive |")
        print("|---|---|---|---|---|")
        for name in sorted(rows):
            cells = [str(rows[name][each]) for each in ("tried", "quick", "test", "nobody")]
            print(f"| {name} | {' | '.join(cells)} |")
        return 100 - 100 * rows["all"]["nobody"] // max(1, rows["all"]["tried"])

    def by(self, failed: str) -> str:
        if not failed:
            return "nobody"
        is_other = "::" in failed and failed not in self.touched.seconds["quick"]
        return "test" if is_other else "quick"


def take(chosen: Namespace) -> list[Mutant]:
    """The mutants to try: by chance, or all."""
    found = [mutant for path in choose(chosen.modules or RULES) for mutant in source(path).mutants]
    if chosen.sample is None:
        return found
    return Random(chosen.seed).sample(found, min(chosen.sample, len(found)))


def take_again(saved: Path) -> dict[Mutant, str]:
    """The saved mutants that still exist, and by what each was noticed."""
    found = {}
    lines = saved.read_text(encoding="utf-8").splitlines()
    for each in map(json.loads, lines):
        noticed, path = each.pop("noticed"), ROOT / each.pop("path")
        mutant = Mutant(path, **each)
        if path.exists() and mutant in source(path).mutants:
            found[mutant] = noticed
    print(f"{len(found)} of {len(lines)} mutants still exist")
    return found


def main(arguments: Sequence[str]) -> int:
    parser = ArgumentParser(prog="python -m tests.tools.mutants", description=__doc__)
    parser.add_argument(
        "modules", nargs="*", help=f"files or folders, such as table; by default {' '.join(RULES)}"
    )
    parser.add_argument("--sample", type=int, help="how many to try; by default all")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--seconds", type=float, default=60, help="of tests for each, at most")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    parser.add_argument("--save", type=Path, metavar="FILE", help="add what is found to a file")
    parser.add_argument("--against", type=Path, metavar="FILE", help="try those in a file again")
    chosen = parser.parse_args(arguments)
    try:
        before = take_again(chosen.against) if chosen.against else {}
        mutants = list(before) or take(chosen)
    except LookupError as error:
        parser.error(str(error))
    os.nice(19)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    run = Run(mutants, chosen)
    # What was found is told although the rest isn't waited for.
    with suppress(KeyboardInterrupt):
        run.try_all()
    share = run.report()
    for mutant in [each for each, failed in run.noticed.items() if before.get(each) and not failed]:
        print(f"noticed before by {before[mutant]}:\n{source(mutant.path).diff(mutant)}")
    print(f"{share} % of {len(run.noticed)} were noticed; {WANTED} % are wanted")
    return 0 if share >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
