"""Data folders are damaged in many ways at once: `make attack ATTACKS=folders` does it longer."""

from pathlib import Path

import pytest

from tests.tools.attacks.folders import BAD, THINGS, damage_often

SOME = (5, 6, 0)
ALL = pytest.param(1, 40, 6, marks=pytest.mark.slow)
"""Of the damages alone, one in so many is tried; folders with several; how many cost a game."""


@pytest.mark.parametrize(("step", "several", "costs"), [SOME, ALL])
def test_however_a_folder_is_damaged_the_table_starts_and_loses_nothing_without_a_word(
    tmp_path: Path, step: int, several: int, costs: int
) -> None:
    alone = dict(list(THINGS.items())[::step])
    figures = damage_often(tmp_path, len(alone) + several, seed=3, step=step)
    for number, counted in figures.items():
        assert {name: counted[name] for name in BAD if counted[name]} == {}, number
    lost = {thing for (thing,) in figures[1]["lost, told"]}
    assert lost <= {name for name, damage in alone.items() if damage.senseless}
    told = {thing for (thing,) in figures[1]["whole, told"]}
    assert told >= {name for name, damage in alone.items() if damage.told and not damage.senseless}
    assert told, "damage is told"
    lost_games = sum(len(counted["lost, told"]) for counted in figures.values())
    assert lost_games >= costs, "damage does cost"
