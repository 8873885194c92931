"""Builds a version in a folder of its own, and tries it there. The one that runs isn't touched."""

import json
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from installer import places
from installer.change import installed_version, state
from installer.files import remove
from installer.machine import InstallError, Machine, say
from installer.packages import fetch, wheels

PARTS = ("companion", "vision", "hardware", "web")
"""The packages that make the program: plain Python, so that copying them installs them."""

START_S = 180.0
"""Seconds that a new version may take until its page answers."""

FITS = """
import numpy, sys
if not numpy.__file__.startswith("/usr/lib/python3/"):
    sys.exit(f"numpy is not the system's, but {numpy.__file__}")
try:
    import libcamera
except ModuleNotFoundError:
    sys.exit()
import picamera2
"""

READS_SETTINGS = """
import sys
from pathlib import Path
from companion.settings import ConfigError, load
try:
    load(Path(sys.argv[1]))
except ConfigError as error:
    sys.exit(str(error))
"""


@contextmanager
def new_version(machine: Machine, source: Path) -> Iterator[Path]:
    """Build the version in a folder of sources; remove it again if the block fails.

    Yields its folder.
    """
    found = re.search(
        r'^__version__ = "(.*)"$', (source / "companion/__init__.py").read_text(), re.MULTILINE
    )
    assert found, "the sources name their version"
    say(f"building {found[1]}")
    versions = machine.path(places.VERSIONS)
    versions.mkdir(parents=True, exist_ok=True)
    # The clock of a Pi may be wrong: the folder's name must be new, not right.
    name = f"{found[1]}-{time.strftime('%Y%m%d')}-"
    folder = Path(tempfile.mkdtemp(prefix=name, dir=versions))
    try:
        folder.chmod(0o755)
        _build(machine, source, folder)
        yield folder
    except BaseException:
        # Once a change is begun, it decides, and it may have decided just now.
        if state(machine) is None and installed_version(machine) != folder.name:
            remove(folder)
        raise


def _build(machine: Machine, source: Path, folder: Path) -> None:
    # Camera and pins of the system, and its numpy: picamera2 is compiled against it and breaks
    # with another.
    machine.run(sys.executable, "-m", "venv", "--system-site-packages", folder)
    python = folder / "bin/python"
    # Wheels only, those that were tested, and nothing that they ask for beyond the list.
    fetch(
        machine, python, "-m", "pip", "install", "--quiet", "--no-cache-dir",
        "--disable-pip-version-check", "--no-warn-script-location", "--only-binary", ":all:",
        "--no-deps", "--require-hashes", "--requirement", wheels(source),
    )  # fmt: skip
    (site,) = folder.glob("lib/python3*/site-packages")
    compiled = shutil.ignore_patterns("__pycache__", "training")
    for part in PARTS:
        shutil.copytree(source / part, site / part, ignore=compiled)
    # The service may not write here, and would compile everything at each start.
    machine.run(python, "-m", "compileall", "-q", *(site / part for part in PARTS))
    systemd = source / "systemd"
    shutil.copytree(systemd / "installer", folder / "installer", ignore=compiled)
    shutil.copy(systemd / places.COMMAND.name, folder / "bin")
    for pattern in ("*.service", "*.path", "*.mount", places.KEY):
        for file in systemd.glob(pattern):
            shutil.copy(file, folder)
    # The sources may be for their owner alone, or come from a disk that knows no permissions.
    for path in (folder, *(path for path in folder.rglob("*") if not path.is_symlink())):
        program = path.is_dir() or path.parent.name == "bin"
        path.chmod(0o755 if program else 0o644)


def try_version(machine: Machine, folder: Path, data: Path | None = None) -> None:
    """Start a version beside a table that may run, until its page answers.

    It gets a folder of its own and no settings: it must not publish under the table's name.
    data: what to copy there, which it must be able to open. Raises InstallError if it doesn't
    start, or can't use the settings that it will have.
    """
    python = folder / "bin/python"
    machine.run(python, "-P", "-c", FITS)
    machine.run(python, "-P", "-c", READS_SETTINGS, machine.path(places.SETTINGS))
    user = machine.service_user()
    # The user's folder: root opens nothing in it.
    home = Path(tempfile.mkdtemp())
    try:
        shutil.chown(home, user.uid, user.gid)
        copy = home / places.DATA.name
        if data is not None:
            machine.run("cp", "-a", data, copy)
        damaged = len(list(copy.glob("damaged-*")))
        command = [
            folder / "bin/bang-companion", "run", "--camera", "none",
            "--host", "127.0.0.1", "--port", 0, "--data", copy,
        ]  # fmt: skip
        line, complaints = machine.first_line(command, user, home, START_S)
        if len(list(copy.glob("damaged-*"))) > damaged:
            line = ""
    finally:
        remove(home)
    if not _names_a_page(line):
        raise InstallError(f"{complaints}\nthe new version does not start".lstrip())


def _names_a_page(line: str) -> bool:
    try:
        return "url" in json.loads(line)
    except ValueError:
        return False
