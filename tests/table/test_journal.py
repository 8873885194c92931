"""The saved table: killed at any moment it holds every press that was answered, and no half one."""

import errno
import os
from contextlib import closing
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table.journal.chain import Link, link, proven
from companion.table.journal.journal import (
    BACKUP,
    FILE,
    MOST_BYTES,
    RESERVE,
    Journal,
    JournalError,
    look,
)
from companion.table.journal.saved import Line, LineKind, Person, Saved, changed, difference

PEOPLE = (Person(2, "Bob", None, False), Person(1, "Ann", "0" * 64, True))
LINES = (
    Line(LineKind.HEADER, '{"record": "bang-dice", "players": ["Zoë"]}'),
    Line(LineKind.MOVE, '{"dice": ["beer"]}', "[[1.5, 2.25, 60.0], null]"),
    Line(LineKind.UNDO, "1 0"),
)
AT = "2026-11-22T19:30:00Z"


def test_what_is_saved_is_loaded(tmp_path):
    saved = Saved(7, "ABCD", 3, 3, PEOPLE, LINES, {"sheriff": "1"})
    with closing(Journal(tmp_path, now=lambda: AT)) as journal:
        assert journal.saved == Saved()
        journal.save(saved)
        more = replace(saved, version=8, lines=(*LINES, Line(LineKind.MOVE, "{}")))
        journal.save(more)
    with closing(Journal(tmp_path, now=lambda: "later")) as journal:
        lines = tuple(line._replace(at=AT) for line in more.lines)
        assert journal.saved == replace(more, lines=lines)
        journal.save(journal.saved)
    assert look(tmp_path).saved.lines == lines, "a line keeps its time when the file begins anew"


def test_a_change_that_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    def fail(number: int) -> None:
        raise OSError(errno.EIO, "broken")

    with closing(Journal(tmp_path)) as journal:
        saved = Saved(1, "ABCD", 1, 1, (), LINES[:1])
        journal.save(saved)
        before = journal.saved, (tmp_path / FILE).read_bytes().rstrip(b"\0")
        more = replace(saved, version=2, lines=LINES[:2])
        with monkeypatch.context() as patch:
            patch.setattr(os, "fdatasync", fail)
            with pytest.raises(JournalError, match="can't be written: the disk has failed"):
                journal.save(more)
        left = (tmp_path / FILE).read_bytes()
        assert (journal.saved, left.rstrip(b"\0"), len(left) % RESERVE) == (*before, 0)
        assert journal.fault == "the disk has failed"
        journal.save(more)
        assert journal.fault == ""
    assert look(tmp_path).saved.version == 2


def test_a_file_that_was_removed_is_written_anew(tmp_path):
    with closing(Journal(tmp_path)) as journal:
        for version in (1, 2, 3):
            journal.save(Saved(version, "ABCD"))
            (tmp_path / (FILE, BACKUP)[version % 2]).unlink()
        journal.save(Saved(4, "ABCD"))
        (tmp_path / FILE).rename(tmp_path / "kept")
        (tmp_path / FILE).write_text("something else")
        journal.save(Saved(4, "ABCD"))
        (other,) = tmp_path.glob("damaged-*/*")
        assert other.read_text() == "something else"
        assert look(tmp_path).saved.version == 4


def test_the_file_stays_small_however_often_somebody_presses(tmp_path):
    saved = Saved(1, "ABCD", people=PEOPLE)
    with closing(Journal(tmp_path)) as journal:
        sizes = []
        for version in range(2000):
            saved = replace(saved, facts={"claims": "x" * 500 + str(version)})
            journal.save(saved, waits=False)
            sizes.append((tmp_path / FILE).stat().st_size)
    assert max(sizes) <= MOST_BYTES + RESERVE
    assert sizes != sorted(sizes)
    assert look(tmp_path).saved == saved


# Changes


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=9)
lines = st.builds(
    Line,
    st.sampled_from(LineKind),
    st.sampled_from(['{"a": [1, 2.5]}', '{"a":1}', "1 0", "[1]", '"x"', "", "null"]) | texts,
    st.sampled_from(["", '[null, [1.25, 0.1, 3, "beer"]]']),
    st.sampled_from(["", AT]),
)
saves = st.builds(
    Saved,
    st.integers(0, 10**14),
    texts,
    st.integers(0, 3),
    st.integers(0, 9),
    st.lists(st.sampled_from(PEOPLE), max_size=3).map(tuple),
    st.lists(lines, max_size=4).map(tuple),
    st.dictionaries(st.sampled_from(["sheriff", "bid"]), texts),
)


@given(saves, saves)
def test_a_change_leads_from_one_save_to_the_next(before, after):
    if after.game == before.game:
        after = replace(after, lines=before.lines + after.lines)
    after = replace(after, facts={**before.facts, **after.facts})
    change = difference(before, after)
    assert changed(before, change) == after
    assert set(difference(after, after)) == {"version"}


# The chain


def chain_of(texts: list[str]) -> list[Link]:
    chain: list[Link] = []
    for text in texts:
        chain.append(link(chain[-1] if chain else None, text))
    return chain


TEXTS = [f'{{"version": {number}}}' for number in range(6)]
CHAIN = chain_of(TEXTS)
CONTENT = b"".join(link.line for link in CHAIN)


def test_whatever_bit_turns_the_chain_ends_before_it_and_a_copy_mends_it():
    for place, bit in product(range(len(CONTENT)), range(8)):
        spoilt = bytearray(CONTENT)
        spoilt[place] ^= 1 << bit
        whole = CONTENT[:place].count(b"\n")
        found = proven(bytes(spoilt))
        # The line feed of a line is no part of what it says.
        assert found in (CHAIN[:whole], CHAIN[: whole + 1])
        assert proven(bytes(spoilt), CONTENT) == proven(CONTENT, bytes(spoilt)) == CHAIN


def test_lines_that_are_whole_but_of_another_chain_prove_nothing():
    other = chain_of(["another", *TEXTS[1:]])
    mixed = CHAIN[0].line + other[1].line + CHAIN[1].line
    assert proven(mixed) == CHAIN[:2]
    assert proven(b"".join(link.line for link in other), CONTENT) == other
    assert proven(CONTENT.replace(CHAIN[2].line, b"")) == CHAIN[:2]
    assert proven(CHAIN[1].line + CHAIN[0].line) == CHAIN[:2], "the numbers give the order"
