"""Benchmarks run by themselves, so nothing else notices what they name and what is gone."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_benchmark_finds_what_it_names() -> None:
    modules = [f"tests.bench.{path.stem}" for path in sorted((ROOT / "tests/bench").glob("*.py"))]
    assert "tests.bench.load" in modules
    program = f"import {', '.join(modules)}"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
