"""Which of several tables of one name may publish, on a bus whose messages may be late."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.publishing import reading
from companion.club.publishing.owner import AGAIN_S, ANSWER_S, CLAIM_S, PEACE_S, TIE_S, Ownership

STEP_S = 0.1


class Bus:
    """Tables that hear each other after a while, and a clock that all of them see."""

    def __init__(self, late_s: float = 0.0) -> None:
        self.now, self.late_s = 100.0, late_s
        self.tables: dict[str, Ownership] = {}
        self.said: list[tuple[float, bytes]] = []
        self.total = 0

    def join(self, session: str) -> Ownership:
        table = self.tables.setdefault(session, Ownership(session))
        self.say(table.ask(self.now))
        return table

    def say(self, payload: bytes | None) -> None:
        if payload is not None:
            reading.read("owner", payload)
            self.total += 1
            self.said.append((self.now + self.late_s, payload))

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP_S)):
            self.now += STEP_S
            due = [payload for at, payload in self.said if at <= self.now]
            self.said = [entry for entry in self.said if entry[0] > self.now]
            for payload in due:
                for table in self.tables.values():
                    self.say(table.hear(payload, self.now))
            for table in self.tables.values():
                self.say(table.tick(self.now))

    @property
    def owners(self) -> Sequence[str]:
        return [session for session, table in self.tables.items() if table.owns]


@pytest.mark.parametrize("second", ["a", "z"])
def test_who_has_the_name_keeps_it_and_both_know(second):
    bus = Bus()
    first = bus.join("m")
    bus.run(CLAIM_S + 2 * STEP_S)
    other = bus.join(second)
    bus.run(CLAIM_S)
    assert bus.owners == ["m"]
    assert (first.has_rival, first.is_refused) == (True, False)
    assert (other.has_rival, other.is_refused) == (False, True)
    bus.run(10 * AGAIN_S)
    assert bus.owners == ["m"]
    assert first.has_rival
    assert other.is_refused
    del bus.tables[second]
    bus.run(PEACE_S + 1)
    assert not first.has_rival


def test_after_a_lost_connection_the_name_is_where_it_was():
    bus = Bus()
    first = bus.join("z")
    bus.run(10 * TIE_S)
    other = bus.join("a")
    bus.run(1)
    for table in (first, other):
        table.lose_connection()
        assert not table.owns
        assert table.tick(bus.now + 1000) is None
        assert table.next_tick() is None
    # The one that waited is back first.
    bus.join("a")
    bus.run(CLAIM_S + STEP_S)
    bus.join("z")
    bus.run(2 * CLAIM_S)
    assert bus.owners == ["z"]
    assert other.is_refused


@given(
    st.lists(st.sampled_from("abcdef"), min_size=1, max_size=5, unique=True),
    st.lists(st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0, 12.0]), min_size=5, max_size=5),
    st.sampled_from([0.0, 0.3, 1.5]),
)
def test_however_tables_come_one_publishes_in_the_end(sessions, waits, late_s):
    bus = Bus(late_s)
    for session, wait in zip(sessions, waits, strict=False):
        bus.join(session)
        bus.run(wait)
    bus.run(4 * AGAIN_S)
    assert len(bus.owners) == 1
    others = [table for session, table in bus.tables.items() if session not in bus.owners]
    assert all(table.is_refused for table in others)


def test_a_table_that_hears_an_answer_too_late_gives_the_name_back():
    bus = Bus(late_s=2 * CLAIM_S)
    bus.join("z")
    bus.run(20 * TIE_S)
    late = bus.join("a")
    bus.run(CLAIM_S + 1)
    assert late.owns
    bus.run(4 * CLAIM_S)
    assert bus.owners == ["z"]
    assert late.is_refused


def test_answers_are_few_however_much_is_claimed():
    table = Ownership("a")
    table.ask(0)
    table.tick(CLAIM_S)
    claim = json.dumps({"schema": 1, "session": "b", "held_s": 0}).encode()
    answers = [table.hear(claim, 10 + n * ANSWER_S / 100) for n in range(1000)]
    assert 9 <= sum(answer is not None for answer in answers) <= 11


@pytest.mark.parametrize(
    "payload",
    [b"", b"{}", b'{"schema":2,"session":"b","held_s":1}', b'{"schema":1,"session":"b"}',
     b'{"schema":1,"session":"b","held_s":-1}', b'{"schema":1,"session":"","held_s":9}'],
)  # fmt: skip
def test_what_is_no_claim_changes_nothing(payload):
    table = Ownership("a")
    table.ask(0)
    table.tick(CLAIM_S)
    assert table.hear(payload, 5) is None
    assert table.owns
    assert not table.has_rival
