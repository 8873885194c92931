"""The plug is pulled: `make attack ATTACKS=kills` does it two hundred times."""

from pathlib import Path
from typing import Any

from companion.table.journal.journal import BACKUP, FILE
from tests.tools.attacks import kills
from tests.tools.attacks.kills import Life, kill_often

KILLS = 4


def test_killed_at_random_moments_no_answered_press_is_lost_and_every_game_is_whole(tmp_path):
    figures = kill_often(tmp_path / "table", KILLS, seed=4)
    assert figures["answered presses lost"] == 0
    assert figures["games not whole"] == 0
    assert figures["presses answered over HTTP"] > KILLS
    assert figures["presses answered at the pins"] > 0


def test_presses_that_a_table_forgets_are_counted(tmp_path, monkeypatch):
    live = kills.live

    def forgotten(data: Path, *given: Any) -> Life:
        life = live(data, *given)
        for path in (data / FILE, data / BACKUP):
            lines = path.read_bytes().rstrip(b"\0").splitlines(keepends=True)
            path.write_bytes(b"".join(lines[:-4]))
        return life

    monkeypatch.setattr(kills, "live", forgotten)
    assert kill_often(tmp_path / "table", 1, seed=4)["answered presses lost"] == 1
