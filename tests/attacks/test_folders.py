"""Data folders are damaged in many ways at once: `make attack ATTACKS=folders` does it longer."""

from companion.table.journal.journal import Journal
from tests.tools.attacks.folders import BAD, THINGS, damage_often

SEVERAL = 40
"""Folders with several damages at once."""
COSTS = 6
"""How many of all folders cost a game, at least."""


def test_however_a_folder_is_damaged_the_table_starts_and_loses_nothing_without_a_word(tmp_path):
    figures = damage_often(tmp_path, len(THINGS) + SEVERAL, seed=3)
    for number, counted in figures.items():
        assert {name: counted[name] for name in BAD if counted[name]} == {}, number
    lost = {thing for (thing,) in figures[1]["lost, told"]}
    assert lost <= {name for name, damage in THINGS.items() if damage.senseless}
    told = {thing for (thing,) in figures[1]["whole, told"]}
    assert told >= {name for name, damage in THINGS.items() if damage.told and not damage.senseless}
    assert told, "damage is told"
    lost_games = sum(len(counted["lost, told"]) for counted in figures.values())
    assert lost_games >= COSTS, "damage does cost"


def test_a_table_that_says_nothing_of_damage_is_found_out(tmp_path, monkeypatch):
    monkeypatch.setattr(Journal, "keep_damaged", lambda _: None)
    assert damage_often(tmp_path, len(THINGS), seed=3)[1]["lost, silent"]
