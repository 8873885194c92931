"""Installing fails at every step: `make attack ATTACKS=install` does it six thousand times."""

import json
import subprocess
import sys

import pytest
from places import ROOT

SPOILT = "spoils the games and dies: power cut at settle"


@pytest.mark.parametrize(
    ("chosen", "kinds"), [(["--runs=60"], 6), ([f"--only={SPOILT}"], 1)], ids=["any", "going back"]
)
def test_whatever_fails_a_version_runs_and_every_game_is_there(chosen, kinds):
    # In a process of its own: each case is a fork, which a process with threads had better not do.
    command = [sys.executable, "-m", "tests.tools.attacks.install", *chosen, "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    figures = json.loads(done.stdout.splitlines()[-1])
    assert figures["faults"] == []
    assert sum(figures["runs"].values()) >= 20
    assert len(figures["runs"]) == kinds
