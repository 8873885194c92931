"""Older files, and another table's, lie in a table's folder: `make attack ATTACKS=foreign`."""

import pytest

from companion.table.journal.journal import Journal
from tests.tools.attacks.foreign import BAD, GOOD, KINDS, attack, both_cut, outcome, played

STEP = 16
"""Of what can be done at every moment of an evening, one in so many is tried here."""


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_older_or_foreign_is_taken_without_a_word_and_nothing_is_told_for_nothing(
    tmp_path, kind
):
    figures = attack(tmp_path, kind, each=1, step=STEP, seed=2)
    for way, counted in figures.items():
        assert {name: counted[name] for name in BAD if counted[name]} == {}, way
        assert sum(counted[name] for name in GOOD) > 0, way
    assert set(figures["journal and copy, cut off at the same line"]) == {"lost, told"}
    assert set(figures["what a kill or a pulled plug leaves"]) == {"whole"}


def test_a_table_that_says_nothing_of_older_files_is_found_out(tmp_path, monkeypatch):
    last = played(tmp_path / "killed", "dice", seed=2)[-1]
    monkeypatch.setattr(Journal, "keep_damaged", lambda _: None)
    case = next(both_cut(last))
    assert outcome(tmp_path / "killed", tmp_path / "copy", "dice", case) == "lost, silent"
