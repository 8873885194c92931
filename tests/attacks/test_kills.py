"""The plug is pulled: `make attack ATTACKS=kills` does it two hundred times."""

from tests.tools.attacks.kills import kill_often

KILLS = 4


def test_killed_at_random_moments_no_answered_press_is_lost_and_every_game_is_whole(tmp_path):
    figures = kill_often(tmp_path / "table", KILLS, seed=4)
    assert figures["answered presses lost"] == 0
    assert figures["games not whole"] == 0
    assert figures["presses answered over HTTP"] > KILLS
    assert figures["presses answered at the pins"] > 0
