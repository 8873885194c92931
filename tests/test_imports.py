"""Who may import whom: the packages stay apart, and only a few modules join them.

Each rule goes through all files and names whatever breaks it. `PLANTED` holds files that break each
rule, so that none passes because it looks nowhere.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import pytest
from places import ROOT

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


PURE = (
    "bisect", "collections.abc", "dataclasses", "enum", "functools", "itertools", "json",
    "math", "operator", "typing",
)  # fmt: skip
"""What the rules of the game may use: nothing that reads, writes, looks at a clock or throws."""

CALCULATING = (*PURE, "collections", "numpy", "random.Random")
"""What stand-ins may use beside that."""

PLAIN_VALUES = (
    "vision.dice.reading",
    "vision.dice.matching",
    "vision.dice.follow.FollowedDie",
    "vision.cards.reading.PileVerdict",
)
"""What the table may know of vision: the words of its readings, and which die is which."""


class Neighbours(NamedTuple):
    """What a package may import of ours beside itself, and an import that it may not make."""

    known: tuple[str, ...]
    sneaky: str
    others: tuple[str, ...] | None = None
    """What else it may import; None: whatever is installed."""


COMMON = "companion.games.common"
DICE, CARDS = "companion.games.dice", "companion.games.cards"
CAMERAS = ("companion.base", "companion.table", f"{COMMON}.texts", "vision", "hardware.camera")
PAGES = (
    "web",
    "companion.__version__",
    "companion.base",
    "companion.games.game",
    "companion.table",
    "companion.memory.backup.backups",
    "companion.club.publishing.messages",
    "companion.club.publishing.public_table",
    "companion.memory.statistics",
    "companion.club.hall",
    "companion.setup.aiming",
    "companion.setup.collecting",
    "companion.setup.first_run",
    "companion.setup.lesson",
    "companion.setup.machine",
    "companion.setup.teaching",
)

NEIGHBOURS = {
    # But for the app, which joins all packages; what is above what, `FLOORS` says.
    "companion": Neighbours((), "from vision.dice import reader"),
    # The rules: no game knows another.
    COMMON: Neighbours((), f"from {CARDS}.rules import rules", PURE),
    f"{DICE}.rules": Neighbours((COMMON,), "import time", PURE),
    f"{CARDS}.rules": Neighbours((COMMON,), f"from {DICE}.rules import rules", PURE),
    f"{CARDS}.dealt": Neighbours((COMMON, f"{CARDS}.rules"), "import random", PURE),
    f"{DICE}.minds": Neighbours(
        (COMMON, f"{DICE}.rules", f"{DICE}.players"), "from random import random", CALCULATING
    ),
    f"{CARDS}.minds": Neighbours(
        (COMMON, f"{CARDS}.rules", f"{CARDS}.dealt"), f"import {DICE}.rules.rules", CALCULATING
    ),
    "vision": Neighbours((), f"import {DICE}.rules.faces"),
    "hardware": Neighbours((), "from vision import dice"),
    "web": Neighbours(PAGES, f"import {DICE}.rules.rules"),
    "web.games.dice": Neighbours((*PAGES, DICE, COMMON), f"import {CARDS}.game"),
    "web.games.cards": Neighbours((*PAGES, CARDS, COMMON), f"import {DICE}.game"),
    "web.games.game": Neighbours((*PAGES, COMMON), f"import {DICE}.game"),
    # Cameras and readers are joined with the table of any game.
    "companion.camera": Neighbours(CAMERAS, "from hardware import buttons"),
    "companion.setup": Neighbours(
        (*CAMERAS, "companion.camera"), "from companion.app import build"
    ),
    # The table knows no game, publishing the spectators' views of any, the hall only messages.
    "companion.table": Neighbours(
        ("companion.base", COMMON, "companion.games.game", "companion.__version__", *PLAIN_VALUES),
        "from companion.games import registry",
    ),
    "companion.club.publishing": Neighbours(
        (
            *("companion.base", "companion.games.game", COMMON, "companion.table"),
            "companion.__version__",
        ),
        f"import {CARDS}.rules.views",
    ),
    "companion.club.hall": Neighbours(
        (
            *(COMMON, "companion.base", "companion.club.publishing.broker"),
            *("companion.club.publishing.reading", "companion.club.publishing.topics"),
        ),
        "from companion.table.table import Table",
    ),
}
"""The packages, and what each may import; of nested ones, the innermost counts."""


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


def test_a_package_imports_only_what_it_may_know(files: list[Source]) -> None:
    def is_strange(file: Source, imported: str) -> bool:
        package = max((one for one in NEIGHBOURS if within(file.dotted, one)), key=len)
        known, _, others = NEIGHBOURS[package]
        if within(imported, *PACKAGES):
            return not within(imported, package, *known)
        return others is not None and not within(imported, *others)

    for package in NEIGHBOURS:
        of(files, package)
    joined = [file for file in of(files, *NEIGHBOURS) if not within(file.dotted, "companion.app")]
    expect_none(breaches(joined, is_strange))


def test_the_rules_of_a_game_neither_read_nor_print_nor_run_text(files: list[Source]) -> None:
    forbidden = {"open", "print", "input", "__import__", "eval", "exec"}
    expect_none(
        f"{file.name}:{node.lineno} calls {node.func.id}"
        for file in of(files, COMMON, f"{DICE}.rules", f"{CARDS}.rules", f"{CARDS}.dealt")
        for node in file.nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in forbidden
    )


FLOORS = (("base",), ("games",), ("table",), ("camera", "club"), ("setup", "memory"), ("app",))
"""The parts of `companion`, from the bottom up."""


def test_no_part_of_the_companion_imports_one_beside_or_above_it(files: list[Source]) -> None:
    parts = {path.name.split("/")[1] for path in of(files, "companion") if "/" in path.name[10:]}
    assert parts == {part for floor in FLOORS for part in floor}
    offences: list[str] = []
    for number, floor in enumerate(FLOORS):
        for part in floor:
            below = {f"companion.{known}" for lower in FLOORS[:number] for known in lower}
            others = {f"companion.{known}" for known in parts - {part}} - below
            offences += breaches(
                of(files, f"companion.{part}"),
                lambda _, imported, others=others: within(imported, *others),
            )
    expect_none(offences)


def test_pages_are_drawn_without_opencv(files: list[Source]) -> None:
    """Whatever reads frames is known to the pages by its type alone."""
    modules = [file.module for file in of(files, "web")]
    program = f"import sys, {', '.join(modules)}; print('cv2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_the_command_line_imports_what_a_command_needs_inside_the_command(
    files: list[Source],
) -> None:
    allowed = ("companion.__version__", "companion.app.commands", "companion.app.progress")
    home = "companion.app.commands"
    # What those that read dice or cards share is imported inside them.
    shared = (f"{home}.dice", f"{home}.cards")
    commands = [
        file
        for file in files
        if file.dotted.rpartition(".")[0] == home and file.dotted not in shared
    ]
    light = [*of(files, "companion.__main__"), *of(files, "companion.app.cli"), *commands]
    expect_none(
        f"{file.name} imports {imported}"
        for file in light
        for imported in file.at_once
        if (within(imported, *PACKAGES) and not within(imported, *allowed))
        or imported.rpartition(".")[0] in shared
    )


ASKS = {
    "companion/app/watchdog.py": "http.client: whether this table's own page answers",
    "companion/club/hall/store.py": "connect: an SQLite file",
    "companion/club/publishing/broker.py": "connect: the message broker that the settings name",
    "companion/club/publishing/outbox.py": "connect: an SQLite file",
    "companion/memory/statistics/database.py": "connect: an SQLite file",
    "companion/table/journal/migrations.py": "connect: an SQLite file",
    "hardware/notify.py": "connect: systemd, through a socket of this machine",
    "companion/app/https/certificate.py": "ssl: whether a certificate can be served",
    "web/serving/connections.py": "ssl: what clients send is decrypted",
    "web/serving/server.py": "ssl: the certificate that it serves with",
    "web/serving/address.py": "connect: a datagram socket, which sends nothing",
}
"""What may ask for something over a connection, and what for."""

CLIENTS = (
    "urllib.request", "http.client", "ftplib", "smtplib", "imaplib", "poplib", "xmlrpc", "asyncio",
    "ssl", "requests", "httpx", "aiohttp", "urllib3",
)  # fmt: skip
CONNECTING = {"connect", "connect_ex", "create_connection", "sendto", "urlopen"}


def test_nothing_asks_another_machine(files: list[Source]) -> None:
    asking = {
        file.name
        for file in files
        if not within(file.dotted, "vision.training")
        and (
            any(within(imported, *CLIENTS) for imported in file.imports)
            or any(
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in CONNECTING
                for node in file.nodes
            )
        )
    }
    expect_none(asking ^ ASKS.keys())


def test_no_module_imports_itself_by_a_detour(files: list[Source]) -> None:
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


def test_no_class_name_has_two_meanings(files: list[Source]) -> None:
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


def test_public_values_document_each_field(files: list[Source]) -> None:
    expect_none(f"{file.name}: {field}" for file in files for field in undocumented(file.nodes))


def test_only_the_camera_imports_picamera2(files: list[Source]) -> None:
    rest = [file for file in files if file.name != "hardware/camera/pi.py"]
    expect_none(breaches(rest, lambda _, imported: within(imported, "picamera2", "libcamera")))


PLANTED: dict[Callable[[list[Source]], None], dict[str, str]] = {
    test_a_package_imports_only_what_it_may_know: {
        f"{package.replace('.', '/')}/sneaky.py": one.sneaky for package, one in NEIGHBOURS.items()
    },
    test_the_rules_of_a_game_neither_read_nor_print_nor_run_text: {
        "companion/games/common/sneaky.py": "def f():\n    return open('x')",
    },
    test_no_part_of_the_companion_imports_one_beside_or_above_it: {
        "companion/base/sneaky.py": "from companion.games import registry",
        "companion/camera/sneaky.py": "import companion.club.hall",
    },
    test_the_command_line_imports_what_a_command_needs_inside_the_command: {
        "companion/app/commands/sneaky.py": "from companion.app.commands.dice import read",
        "companion/app/cli.py": "import vision.dice",
    },
    test_nothing_asks_another_machine: {
        "companion/sneaky.py": "from urllib import request\nrequest.urlopen('http://a')",
        "web/sneaky.py": "def f(socket):\n    socket.sendto(b'', 'a')",
    },
    test_no_module_imports_itself_by_a_detour: {
        "web/sneaky.py": "def f():\n    import web.sly",
        "web/sly.py": "from web.sneaky import f",
    },
    test_no_class_name_has_two_meanings: {
        "web/sneaky.py": "class Sneaky: ...",
        "vision/sneaky.py": "class _Sneaky: ...",
    },
    test_public_values_document_each_field: {
        "web/sneaky.py": "@dataclass(frozen=True)\nclass A:\n    b: int\n    'b'\n    c: int = 0",
    },
    test_only_the_camera_imports_picamera2: {
        "hardware/camera/sneaky.py": "def f():\n    from picamera2 import Picamera2",
    },
}
"""Files that break a rule, by path. Each of them must be named."""


@pytest.mark.parametrize("rule", PLANTED, ids=lambda rule: rule.__name__)
def test_a_file_that_breaks_a_rule_is_named(
    files: list[Source], rule: Callable[[list[Source]], None]
) -> None:
    planted = [parse(name, text) for name, text in PLANTED[rule].items()]
    with pytest.raises((AssertionError, CycleError)) as found:
        rule(files + planted)
    for file in planted:
        assert file.name in str(found.value) or file.module in str(found.value)


def test_every_rule_has_a_file_that_breaks_it() -> None:
    rules = re.findall(r"^def (test_\w+)\(\s*files: ", Path(__file__).read_text("utf-8"), re.M)
    excepted = {"test_pages_are_drawn_without_opencv", "test_a_file_that_breaks_a_rule_is_named"}
    assert {rule.__name__ for rule in PLANTED} == set(rules) - excepted


def test_imports_are_seen_wherever_they_stand() -> None:
    file = parse("sneaky.py", "def f():\n    import os.path\n    from vision import reader\n")
    assert file.imports == ("os.path", "vision.reader")
    assert file.at_once == ()
    with pytest.raises(AssertionError, match="relative import in line 1"):
        parse("sneaky.py", "from . import reader")
    assert within("vision.reader", "vision")
    assert not within("visionary", "vision")
