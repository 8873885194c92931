"""Benchmarks and the boot test run by themselves: nothing else notices what they name in vain."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


NOT_HERE = {"camera_virtual"}
"""Runs where picamera2 is real."""


@pytest.mark.parametrize(
    ("package", "one"), [("bench", "load"), ("boot", "__main__"), ("attacks", "cuts")]
)
def test_what_runs_by_itself_finds_what_it_names(package: str, one: str) -> None:
    """Each module is imported first, as by `python -m`."""
    modules = {path.stem for path in (ROOT / "tests" / package).glob("*.py")} - NOT_HERE
    assert one in modules
    for module in sorted(name for name in modules if not name.startswith("test_")):
        program = f"import tests.{package}.{module}"
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, ""), module
