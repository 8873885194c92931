"""Who may import whom: the packages stay apart, and only a few modules join them.

Each rule goes through all files and names whatever breaks it. imports.toml says what is allowed,
and holds files that break each rule, so that none passes because it looks nowhere.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import pytest
from places import ROOT, TESTS

PACKAGES = ("companion", "vision", "hardware", "web")


class Source(NamedTuple):
    """A file of the product."""

    name: str
    """Its path from the root, with slashes."""
    nodes: tuple[ast.AST, ...]
    """All of its tree."""
    imports: tuple[str, ...]
    """The dotted names that it imports anywhere; `from a.b import c` is `a.b.c`."""
    at_once: tuple[str, ...]
    """Those of them that it imports outside functions and blocks."""

    @property
    def dotted(self) -> str:
        return self.name.removesuffix(".py").replace("/", ".")

    @property
    def module(self) -> str:
        return self.dotted.removesuffix(".__init__")


def parse(name: str, text: str) -> Source:
    tree = ast.parse(text)
    nodes = tuple(ast.walk(tree))
    return Source(name, nodes, tuple(imports(name, nodes)), tuple(imports(name, tree.body)))


def imports(name: str, nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name}: a relative import in line {node.lineno}"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.fixture(scope="module")
def files() -> list[Source]:
    """All files of the product."""
    paths = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return [parse(path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) for path in paths]


RULES = tomllib.loads((TESTS / "imports.toml").read_text("utf-8"))
NEIGHBOURS = RULES["packages"]
"""The packages, and what each may import; of nested ones, the innermost counts."""


def members(names: Iterable[str]) -> Iterator[str]:
    """These modules, and those of the groups (`@pure`) among them."""
    for name in names:
        yield from members(RULES["groups"][name[1:]]) if name.startswith("@") else (name,)


def within(imported: str, *modules: str) -> bool:
    return any(f"{imported}.".startswith(f"{module}.") for module in modules)


def of(files: list[Source], *packages: str) -> list[Source]:
    found = [file for file in files if within(file.dotted, *packages)]
    assert found, f"{packages} hold no files"
    return found


def breaches(files: list[Source], breaks: Callable[[Source, str], bool]) -> list[str]:
    """The imports that break a rule, each with its file."""
    return [
        f"{file.name} imports {imported}"
        for file in files
        for imported in file.imports
        if breaks(file, imported)
    ]


def expect_none(offences: Iterable[str]) -> None:
    """Fail if there are any, and name them all."""
    lines = sorted(offences)
    assert not lines, "\n".join(lines)


def test_a_package_imports_only_what_it_may_know(files):
    def is_strange(file: Source, imported: str) -> bool:
        package = max((one for one in NEIGHBOURS if within(file.dotted, one)), key=len)
        rule = NEIGHBOURS[package]
        if within(imported, *PACKAGES):
            return not within(imported, package, *members(rule["may"]))
        return "others" in rule and not within(imported, *members(rule["others"]))

    for package in NEIGHBOURS:
        of(files, package)
    joined = [file for file in of(files, *NEIGHBOURS) if not within(file.dotted, "companion.app")]
    expect_none(breaches(joined, is_strange))


def test_the_rules_of_a_game_neither_read_nor_print_nor_run_text(files):
    pure = [package for package, rule in NEIGHBOURS.items() if rule.get("others") == ["@pure"]]
    forbidden = {"open", "print", "input", "__import__", "eval", "exec"}
    expect_none(
        f"{file.name}:{node.lineno} calls {node.func.id}"
        for file in of(files, *pure)
        for node in file.nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in forbidden
    )


def test_no_part_of_the_companion_imports_one_beside_or_above_it(files):
    parts = {path.name.split("/")[1] for path in of(files, "companion") if "/" in path.name[10:]}
    assert parts == {part for floor in RULES["floors"] for part in floor}
    offences: list[str] = []
    for number, floor in enumerate(RULES["floors"]):
        for part in floor:
            below = {f"companion.{known}" for lower in RULES["floors"][:number] for known in lower}
            others = {f"companion.{known}" for known in parts - {part}} - below
            offences += breaches(
                of(files, f"companion.{part}"),
                lambda _, imported, others=others: within(imported, *others),
            )
    expect_none(offences)


def test_pages_are_drawn_without_opencv(files):
    """Whatever reads frames is known to the pages by its type alone."""
    modules = [file.module for file in of(files, "web")]
    program = f"import sys, {', '.join(modules)}; print('cv2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_the_command_line_imports_what_a_command_needs_inside_the_command(files):
    home = "companion.app.commands"
    allowed = ("companion.__version__", home, "companion.app.progress")
    # What those that read dice or cards share is imported inside them.
    shared = (f"{home}.dice", f"{home}.cards")
    commands = [file for file in of(files, home) if file.dotted not in shared]
    light = [*of(files, "companion.__main__", "companion.app.cli"), *commands]
    expect_none(
        f"{file.name} imports {imported}"
        for file in light
        for imported in file.at_once
        if (within(imported, *PACKAGES) and not within(imported, *allowed))
        or imported.rpartition(".")[0] in shared
    )


def test_nothing_asks_another_machine(files):
    asking = {
        file.name
        for file in files
        if not within(file.dotted, "vision.training")
        and (
            any(within(imported, *RULES["clients"]) for imported in file.imports)
            or any(
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in RULES["connecting"]
                for node in file.nodes
            )
        )
    }
    expect_none(asking ^ RULES["asks"].keys())


def test_no_module_imports_itself_by_a_detour(files):
    """Also by imports inside functions and for types alone: what each needs is read first."""
    modules = {file.module: file for file in files}
    needs = {
        module: {
            next(
                known
                for known in (imported, imported.rpartition(".")[0], "")
                if known in modules or not known
            )
            for imported in file.imports
        }
        & modules.keys() - {module}
        for module, file in modules.items()
    }
    TopologicalSorter(needs).prepare()


def test_no_class_name_has_two_meanings(files):
    homes: dict[str, list[str]] = {}
    for file in files:
        if within(file.dotted, "vision.training"):
            continue
        for node in file.nodes:
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name.lstrip("_"), []).append(file.name)
    expect_none(f"{known}: {', '.join(found)}" for known, found in homes.items() if len(found) > 1)


def undocumented(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The fields of public NamedTuples and dataclasses without a docstring of their own."""
    for node in nodes:
        if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
            continue
        kinds = {ast.unparse(part) for part in (*node.bases, *node.decorator_list)}
        if not any(kind.startswith(("NamedTuple", "dataclass")) for kind in kinds):
            continue
        for field, below in zip_longest(node.body, node.body[1:]):
            documented = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
            if isinstance(field, ast.AnnAssign) and not documented:
                yield f"{node.name}.{ast.unparse(field.target)}"


def test_public_values_document_each_field(files):
    expect_none(f"{file.name}: {field}" for file in files for field in undocumented(file.nodes))


def test_only_the_camera_imports_picamera2(files):
    rest = [file for file in files if file.name != "hardware/camera/pi.py"]
    expect_none(breaches(rest, lambda _, imported: within(imported, "picamera2", "libcamera")))


PLANTED: dict[str, dict[str, str]] = RULES["planted"] | {
    test_a_package_imports_only_what_it_may_know.__name__: {
        f"{package.replace('.', '/')}/sneaky.py": rule["sneaky"]
        for package, rule in NEIGHBOURS.items()
    }
}
"""Files that break a rule, by path. Each of them must be named."""


@pytest.mark.parametrize("rule", PLANTED)
def test_a_file_that_breaks_a_rule_is_named(files, rule):
    planted = [parse(name, text) for name, text in PLANTED[rule].items()]
    with pytest.raises((AssertionError, CycleError)) as found:
        globals()[rule](files + planted)
    for file in planted:
        assert file.name in str(found.value) or file.module in str(found.value)


def test_every_rule_has_a_file_that_breaks_it():
    rules = re.findall(r"^def (test_\w+)\(files", Path(__file__).read_text("utf-8"), re.M)
    excepted = {"test_pages_are_drawn_without_opencv", "test_a_file_that_breaks_a_rule_is_named"}
    assert PLANTED.keys() == set(rules) - excepted


def test_imports_are_seen_wherever_they_stand():
    file = parse("sneaky.py", "def f():\n    import os.path\n    from vision import reader\n")
    assert file.imports == ("os.path", "vision.reader")
    assert file.at_once == ()
    with pytest.raises(AssertionError, match="relative import in line 1"):
        parse("sneaky.py", "from . import reader")
    assert within("vision.reader", "vision")
    assert not within("visionary", "vision")
