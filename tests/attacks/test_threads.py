"""Faults in all threads at once: `make attack ATTACKS=threads` puts them into each for itself."""

from pathlib import Path

from tests.attacks.threads import attack, fails

RECORDS = 1500


def test_whatever_fails_in_its_threads_the_table_tells_it_and_plays_on(tmp_path: Path) -> None:
    rows = list(attack(tmp_path, RECORDS, each=False))
    assert [row for row in rows if fails(row)] == []
    assert sum("told" in row for row in rows) == 10
    assert sum("ends" in row for row in rows) == 2
