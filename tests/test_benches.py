"""Benchmarks and the boot test run by themselves: nothing else notices what they name in vain."""

import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT, TESTS

from companion.table.journal.journal import BACKUP, FILE, Journal
from companion.table.journal.saved import Line, LineKind, Saved
from tests.tools.bench.load import lost_presses

pytestmark = [pytest.mark.processes, pytest.mark.slow]


NOT_HERE = {"camera_virtual"}
"""Runs where picamera2 is real."""


OTHERS = "import cv2, flask, hypothesis, numpy, paho.mqtt.client, playwright.sync_api, pytest"
"""What many modules need of others' packages: imported once, since that takes longest."""

IMPORT_EACH = f"""
import os, sys
{OTHERS}
failed = []
for module in sys.argv[1:]:
    child = os.fork()
    if not child:
        __import__(module)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        failed.append(module)
sys.exit(", ".join(failed) or 0)
"""


@pytest.mark.parametrize(
    ("package", "one"), [("bench", "load"), ("boot", "__main__"), ("attacks", "cuts")]
)
def test_what_runs_by_itself_finds_what_it_names(package: str, one: str) -> None:
    """Each module is imported first, as by `python -m`."""
    modules = {path.stem for path in (TESTS / "tools" / package).glob("*.py")} - NOT_HERE
    assert one in modules
    assert imported([f"tests.tools.{package}.{name}" for name in sorted(modules)]) == (0, "")


def imported(modules: list[str]) -> tuple[int, str]:
    """Import each module in a process that has imported none of ours; how that ended."""
    command = [sys.executable, "-c", IMPORT_EACH, *modules]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return done.returncode, done.stderr


def test_a_module_that_names_what_is_not_there_is_told() -> None:
    status, told = imported(["tests.tools.bench.machine", "tests.tools.bench.nothing"])
    assert status == 1
    assert "No module named 'tests.tools.bench.nothing'" in told


def test_accepted_presses_that_a_kill_lost_are_counted(tmp_path: Path) -> None:
    lines = (Line(LineKind.HEADER, "{}"), Line(LineKind.MOVE, "{}"), Line(LineKind.UNDO, "1 0"))
    journal = Journal(tmp_path)
    for count in range(1, len(lines) + 1):
        journal.save(Saved(version=7_000_000 + count, game=1, lines=lines[:count]))
    journal.close()
    assert lost_presses(2, tmp_path) == 0
    for path in (tmp_path / FILE, tmp_path / BACKUP):
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    assert lost_presses(2, tmp_path) == 1
