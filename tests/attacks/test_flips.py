"""Bits turn in the saved table: `make attack ATTACKS=flips` turns six hundred of each kind."""

from companion.table.journal.journal import Journal
from tests.tools.attacks.flips import WAYS, flip_often

FLIPS = 40


def test_whichever_bit_turns_the_table_starts_and_nothing_is_lost_without_a_word(tmp_path):
    figures = flip_often(tmp_path, FLIPS, seed=2)
    assert list(figures) == list(WAYS)
    for way, counted in figures.items():
        assert counted["did not start"] == counted["lost, silent"] == 0, way
        assert "without a copy" in way or counted["lost, told"] == 0, way
    assert figures["the copy"] == {"whole": FLIPS}
    assert figures["the file, without a copy"]["lost, told"] > FLIPS / 2, "bits do turn"


def test_a_table_that_says_nothing_of_damage_is_found_out(tmp_path, monkeypatch):
    monkeypatch.setattr(Journal, "keep_damaged", lambda _: None)
    assert flip_often(tmp_path, 5, seed=2)["the file, without a copy"]["lost, silent"]
