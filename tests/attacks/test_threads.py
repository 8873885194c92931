"""Faults in all threads: `make attack ATTACKS=threads` also puts them into each for itself."""

from collections.abc import Iterator

import pytest

from tests.tools.attacks import threads


def test_whatever_fails_in_its_threads_the_table_tells_it_and_plays_on(tmp_path):
    check(threads.attack_all(tmp_path), 3)


def test_whatever_hangs_is_told_and_the_table_plays_on_and_can_be_stopped(tmp_path):
    check(threads.hang_all(tmp_path), 2)


def test_no_process_outlives_a_table_that_is_killed_not_even_one_that_was_stopped(tmp_path):
    check(threads.kill_table(tmp_path, records=600), 1)


def test_a_process_that_is_killed_or_stopped_is_told(tmp_path):
    check(threads.attack_children(tmp_path, records=1500), 6)


def test_a_table_without_files_or_memory_plays_on_once_it_has_them(tmp_path):
    check(threads.limit_table(tmp_path), 3)


def test_a_table_plays_on_once_threads_can_be_started_again(tmp_path):
    check(threads.end_threads(tmp_path), 2)


def test_work_on_a_frame_that_hangs_costs_one_page_and_does_not_keep_the_table(tmp_path):
    check(threads.hang_frames(tmp_path), 4)


def test_whatever_fails_or_hangs_in_a_hall_is_told_and_it_can_be_stopped(tmp_path):
    check(threads.attack_hall(tmp_path), 6)


def check(rows: Iterator[threads.Row], count: int) -> None:
    made = list(rows)
    assert [row for row in made if threads.fails(row)] == []
    assert len(made) == count


@pytest.mark.parametrize(
    ("what", "most"),
    [("told", threads.TOLD_S), ("ends", threads.END_S), ("left", 0), ("more MB", threads.MORE_MB)],
)
def test_what_is_beyond_its_limit_fails(what, most):
    assert threads.fails({what: most + 1})
    assert not threads.fails({what: most})
