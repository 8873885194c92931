"""Some damages of single files: `make attack ATTACKS=files` tries each way on each file."""

from tests.tools.attacks.files import BAD, Seen, damage_each, outcome_of

CASES = 12


def test_whichever_file_is_damaged_the_table_starts_and_tells_what_it_lost(tmp_path):
    figures = damage_each(tmp_path, CASES, seed=2)
    assert sum(len(cases) for counted in figures.values() for cases in counted.values()) == CASES
    found = {case: bad for counted in figures.values() for bad in BAD for case in counted[bad]}
    assert found == {}


def test_a_start_that_says_nothing_of_what_changed_is_found_out():
    whole = Seen({"names": ["Ann"], "story": "one"}, ["the broker is gone"])
    found = Seen({"names": ["Bob"], "story": "one"}, ["the broker is gone"])
    assert outcome_of(found, whole) == ("changed, silent", " (names)")
    told = found._replace(told=[*found.told, "players.json is damaged"])
    assert outcome_of(told, whole) == ("changed, told", " (names)")
