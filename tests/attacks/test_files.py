"""Some damages of single files: `make attack ATTACKS=files` tries each way on each file."""

from pathlib import Path

from tests.tools.attacks.files import BAD, damage_each

CASES = 12


def test_whichever_file_is_damaged_the_table_starts_and_tells_what_it_lost(tmp_path: Path) -> None:
    figures = damage_each(tmp_path, CASES, seed=2)
    assert sum(len(cases) for counted in figures.values() for cases in counted.values()) == CASES
    found = {case: bad for counted in figures.values() for bad in BAD for case in counted[bad]}
    assert found == {}
