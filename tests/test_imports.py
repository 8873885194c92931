"""Who may import whom: the packages stay apart, and only a few modules join them."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from itertools import zip_longest
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("companion", "vision", "hardware", "web")
FILES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))

PURE = {
    "bisect", "collections.abc", "dataclasses", "enum", "functools", "itertools", "json",
    "math", "operator", "typing",
}  # fmt: skip
"""What the rules of the game may use: nothing that reads, writes, looks at a clock or throws."""

PLAIN_VALUES = (
    "vision.dice.reading",
    "vision.dice.matching",
    "vision.dice.follow.FollowedDie",
    "vision.cards.reading.PileVerdict",
)
"""What the table may know of vision: the words of its readings, and which die is which."""

JOINERS = ("companion.app", "companion.doctor")
"""They join all packages: to build the table, and to look at its parts."""


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(path: Path, top_level_only: bool = False) -> Iterator[str]:
    """The dotted names that a file imports; `from a.b import c` is `a.b.c`."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in tree.body if top_level_only else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name(path)}: a relative import in line {node.lineno}"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def within(imported: str, *modules: str) -> bool:
    return any(f"{imported}.".startswith(f"{module}.") for module in modules)


def dotted(path: Path) -> str:
    return name(path).removesuffix(".py").replace("/", ".")


def files_of(*packages: str) -> list[Path]:
    found = [path for path in FILES if within(dotted(path), *packages)]
    assert found, f"{packages} hold no files"
    return found


RULES = {
    "companion.common": (),
    "companion.dicegame": ("companion.common",),
    "companion.cardgame": ("companion.common",),
}
"""The packages of rules, and which of the others each may use: no game knows another."""


@pytest.mark.parametrize("path", files_of(*RULES), ids=name)
def test_the_rules_of_a_game_import_themselves_and_harmless_parts_of_python(path: Path) -> None:
    (package,) = (package for package in RULES if within(dotted(path), package))
    allowed = (package, *RULES[package], *PURE)
    assert [imported for imported in imports(path) if not within(imported, *allowed)] == []
    called = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & {"open", "print", "input", "__import__", "eval", "exec"}


@pytest.mark.parametrize("path", files_of("companion.minds"), ids=name)
def test_stand_ins_import_the_rules_and_harmless_parts_of_python(path: Path) -> None:
    rules = ("companion.common", "companion.dicegame")
    allowed = ("companion.minds", *rules, "companion.chance.dice_players")
    harmless = (*PURE, "collections", "math", "numpy", "random.Random")
    strangers = [found for found in imports(path) if not within(found, *allowed, *harmless)]
    assert strangers == []


@pytest.mark.parametrize("path", files_of("vision"), ids=name)
def test_vision_imports_nothing_of_ours(path: Path) -> None:
    ours = [imported for imported in imports(path) if within(imported, *PACKAGES)]
    assert [imported for imported in ours if not within(imported, "vision")] == []


@pytest.mark.parametrize("path", files_of("hardware"), ids=name)
def test_hardware_imports_nothing_of_ours(path: Path) -> None:
    ours = [imported for imported in imports(path) if within(imported, *PACKAGES)]
    assert [imported for imported in ours if not within(imported, "hardware")] == []


@pytest.mark.parametrize("path", files_of("web"), ids=name)
def test_web_imports_the_table_and_its_views(path: Path) -> None:
    allowed = (
        "web",
        "companion.__version__",
        "companion.table",
        "companion.backup.backups",
        "companion.controls.announcer",
        "companion.controls.buttons",
        "companion.publishing.messages",
        "companion.publishing.public_table",
        "companion.statistics",
        "companion.hall",
        "companion.watching.aiming",
        "companion.watching.collecting",
        "companion.watching.first_run",
        "companion.watching.lesson",
        "companion.watching.teaching",
    )
    for game in ("dicegame", "cardgame"):
        if within(dotted(path), f"web.{game}"):
            allowed += (f"companion.{game}", "companion.common")
    ours = [imported for imported in imports(path) if within(imported, *PACKAGES)]
    assert [imported for imported in ours if not within(imported, *allowed)] == []


@pytest.mark.parametrize("path", files_of("companion.watching"), ids=name)
def test_watching_joins_cameras_and_readers_with_the_table_of_any_game(path: Path) -> None:
    allowed = (
        "companion.watching",
        "companion.table",
        "companion.controls",
        "companion.common.texts",
        "vision",
    )
    ours = [imported for imported in imports(path) if within(imported, *PACKAGES)]
    strangers = [imported for imported in ours if not within(imported, *allowed)]
    assert [imported for imported in strangers if not within(imported, "hardware.camera")] == []


@pytest.mark.parametrize("path", files_of("companion"), ids=name)
def test_only_watching_the_app_and_the_doctor_know_other_packages(path: Path) -> None:
    if not within(dotted(path), "companion.watching", *JOINERS):
        strangers = ("vision", "hardware", "web", "companion.app")
        allowed = ("companion.app.cli",) if name(path) == "companion/__main__.py" else ()
        if within(dotted(path), "companion.table"):
            allowed = PLAIN_VALUES
        found = [imported for imported in imports(path) if within(imported, *strangers)]
        assert [imported for imported in found if not within(imported, *allowed)] == []


@pytest.mark.parametrize("path", files_of("companion.table", "companion.controls"), ids=name)
def test_the_table_knows_no_game(path: Path) -> None:
    games = ("companion.dicegame", "companion.cardgame", "companion.games", "companion.chance")
    assert [imported for imported in imports(path) if within(imported, *games)] == []


@pytest.mark.parametrize("path", files_of("companion.publishing"), ids=name)
def test_publishing_knows_spectators_views_of_any_game(path: Path) -> None:
    allowed = ("companion.publishing", "companion.table", "companion.__version__")
    ours = [imported for imported in imports(path) if within(imported, *PACKAGES)]
    assert [imported for imported in ours if not within(imported, *allowed)] == []


@pytest.mark.parametrize("path", files_of("companion.hall"), ids=name)
def test_the_hall_knows_tables_only_by_their_messages(path: Path) -> None:
    allowed = (
        "companion.hall",
        "companion.common",
        "companion.publishing.broker",
        "companion.publishing.reading",
        "companion.publishing.topics",
        "companion.table.aside",
        "companion.table.names",
        "companion.table.listeners",
        "companion.table.refused",
        "companion.table.whole_file",
    )
    ours = [imported for imported in imports(path) if within(imported, *PACKAGES)]
    assert [imported for imported in ours if not within(imported, *allowed)] == []


def test_pages_are_drawn_without_opencv() -> None:
    """Whatever reads frames is known to the pages by its type alone."""
    modules = [dotted(path).removesuffix(".__init__") for path in files_of("web")]
    program = f"import sys, {', '.join(modules)}; print('cv2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_the_command_line_imports_what_a_command_needs_inside_the_command() -> None:
    allowed = ("companion.__version__", "companion.app.commands", "companion.app.progress")
    commands = (ROOT / "companion/app/commands").glob("*.py")
    # What those that read dice or cards share is imported inside them.
    shared = ("dice", "cards")
    light = [path for path in commands if path.stem not in shared]
    for path in (ROOT / "companion/__main__.py", ROOT / "companion/app/cli.py", *light):
        at_once = list(imports(path, top_level_only=True))
        ours = [imported for imported in at_once if within(imported, *PACKAGES)]
        assert [imported for imported in ours if not within(imported, *allowed)] == [], path
        for module in shared:
            home = f"companion.app.commands.{module}"
            assert home not in {imported.rpartition(".")[0] for imported in at_once}


ASKS = {
    "companion/app/watchdog.py": "http.client: whether this table's own page answers",
    "companion/hall/store.py": "connect: an SQLite file",
    "companion/publishing/broker.py": "connect: the message broker that the settings name",
    "companion/publishing/outbox.py": "connect: an SQLite file",
    "companion/statistics/database.py": "connect: an SQLite file",
    "companion/table/migrations.py": "connect: an SQLite file",
    "hardware/notify.py": "connect: systemd, through a socket of this machine",
    "web/serving/address.py": "connect: a datagram socket, which sends nothing",
    "web/serving/server.py": "connect: a datagram socket, which sends nothing",
}
"""What may ask for something over a connection, and what for."""

CLIENTS = (
    "urllib.request", "http.client", "ftplib", "smtplib", "imaplib", "poplib", "xmlrpc", "asyncio",
    "ssl", "requests", "httpx", "aiohttp", "urllib3",
)  # fmt: skip
CONNECTING = {"connect", "connect_ex", "create_connection", "sendto", "urlopen"}


def test_nothing_asks_another_machine() -> None:
    asking = {
        name(path)
        for path in FILES
        if not within(dotted(path), "vision.training")
        and (
            any(within(imported, *CLIENTS) for imported in imports(path))
            or any(
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in CONNECTING
                for node in ast.walk(ast.parse(path.read_text("utf-8")))
            )
        )
    }
    assert asking == ASKS.keys()


def test_no_module_imports_itself_by_a_detour() -> None:
    """Also by imports inside functions and for types alone: what each needs is read first."""
    modules = {dotted(path).removesuffix(".__init__"): path for path in FILES}
    needs = {
        module: {
            next(
                known
                for known in (name, name.rpartition(".")[0], "")
                if known in modules or not known
            )
            for name in imports(path)
        }
        & modules.keys() - {module}
        for module, path in modules.items()
    }
    TopologicalSorter(needs).prepare()


def test_no_class_name_has_two_meanings() -> None:
    homes: dict[str, list[str]] = {}
    for path in FILES:
        if within(dotted(path), "vision.training"):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name.lstrip("_"), []).append(name(path))
    assert {known: files for known, files in homes.items() if len(files) > 1} == {}


def undocumented(path: Path) -> Iterator[str]:
    """The fields of public NamedTuples and dataclasses without a docstring of their own."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
            continue
        kinds = {ast.unparse(part) for part in (*node.bases, *node.decorator_list)}
        if not any(kind.startswith(("NamedTuple", "dataclass")) for kind in kinds):
            continue
        for field, below in zip_longest(node.body, node.body[1:]):
            documented = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
            if isinstance(field, ast.AnnAssign) and not documented:
                yield f"{node.name}.{ast.unparse(field.target)}"


@pytest.mark.parametrize("path", files_of("companion", "vision", "hardware", "web"), ids=name)
def test_public_values_document_each_field(path: Path) -> None:
    assert list(undocumented(path)) == []


@pytest.mark.parametrize("path", FILES, ids=name)
def test_only_the_camera_imports_picamera2(path: Path) -> None:
    assert name(path) == "hardware/camera/pi.py" or not [
        imported for imported in imports(path) if within(imported, "picamera2", "libcamera")
    ]


def test_the_rules_here_see_what_they_forbid(tmp_path: Path) -> None:
    file = tmp_path / "sneaky.py"
    file.write_text("def f():\n    import os.path\n    from vision import reader\n", "utf-8")
    assert list(imports(file)) == ["os.path", "vision.reader"]
    assert list(imports(file, top_level_only=True)) == []
    file.write_text(
        "@dataclass(frozen=True)\nclass A:\n    b: int\n    'b'\n    c: int = 0\n", "utf-8"
    )
    assert list(undocumented(file)) == ["A.c"]
    assert within("vision.reader", "vision")
    assert not within("visionary", "vision")
