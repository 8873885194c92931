"""Installing fails at every step: `make attack ATTACKS=install` does it two thousand times."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
RUNS = 60


def test_whatever_fails_a_version_runs_and_every_game_is_there() -> None:
    # In a process of its own: each case is a fork, which a process with threads had better not do.
    command = [sys.executable, "-m", "tests.attacks.install", f"--runs={RUNS}", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    figures = json.loads(done.stdout.splitlines()[-1])
    assert figures["faults"] == []
    assert sum(figures["runs"].values()) == RUNS
    assert len(figures["runs"]) == 6
