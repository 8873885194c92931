"""Installing fails at every step: `make attack ATTACKS=install` does it six thousand times."""

import json
import sys
from typing import Any

import pytest
from places import ROOT
from process import run

SPOILT = "spoils the games and dies: power cut at settle"


@pytest.mark.parametrize(
    ("chosen", "kinds"), [(["--runs=60"], 6), ([f"--only={SPOILT}"], 1)], ids=["any", "going back"]
)
def test_whatever_fails_a_version_runs_and_every_game_is_there(chosen, kinds):
    figures = attacked(*chosen)
    assert figures["faults"] == []
    assert sum(figures["runs"].values()) >= 20
    assert len(figures["runs"]) == kinds


def test_an_installer_that_copies_no_games_is_found_out():
    figures = attacked(f"--only={SPOILT}", "--runs=1", first="change.copy_whole = lambda *_: None")
    assert "files lost or changed" in figures["faults"][0]


def attacked(*chosen: str, first: str = "") -> dict[str, Any]:
    """Return the figures of the attack, with this done to the installer first."""
    # In a process of its own: each case is a fork, which a process with threads had better not do.
    code = f"from tests.tools.attacks.install import change, main\n{first}\nmain()"
    done = run(sys.executable, "-c", code, *chosen, "--json", cwd=ROOT, timeout=600)
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures
