"""Data folders are damaged in many ways at once: `make attack ATTACKS=folders` does it longer."""

from pathlib import Path

from tests.attacks.folders import BAD, THINGS, damage_often

SEVERAL = 40
"""Folders with more than one damage, beside those with each alone."""


def test_however_a_folder_is_damaged_the_table_starts_and_loses_nothing_without_a_word(
    tmp_path: Path,
) -> None:
    figures = damage_often(tmp_path, len(THINGS) + SEVERAL, seed=3)
    for number, counted in figures.items():
        assert {name: counted[name] for name in BAD if counted[name]} == {}, number
    lost = {thing for (thing,) in figures[1]["lost, told"]}
    assert lost <= {name for name, damage in THINGS.items() if damage.senseless}
    told = {thing for (thing,) in figures[1]["whole, told"]}
    assert told >= {name for name, damage in THINGS.items() if damage.told and not damage.senseless}
    assert sum(len(counted["lost, told"]) for counted in figures.values()) > 5, "damage does cost"
