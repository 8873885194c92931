"""The hall without a broker: what it makes of messages, of time, of power cuts, and of liars."""

import json
import os
import random
import re
import shutil
import sqlite3
from hashlib import blake2b
from itertools import accumulate, islice, product
from pathlib import Path

import pytest
from clubs import PREFIX, Club, ClubTable, retained

from companion.base.refused import Problem, Refused
from companion.club.hall import documents, store
from companion.club.hall.documents import Revision, SharedTournament, encode
from companion.club.hall.hall import LARGEST, MOST_TABLES, QUIET_S, BrokerMessage
from companion.club.hall.store import LOG, MOST_UNDONE, WITNESS, Store, StoreError
from companion.club.hall.tables import FLAPPING_S, IDLE_S, MISREAD, UNSURE_S
from companion.club.hall.tournament import add_players, create

pytestmark = pytest.mark.tables

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve")


@pytest.fixture
def club(tmp_path) -> Club:
    opened = Club(tmp_path / "hall")
    opened.hall.report_connection("")
    yield opened
    opened.close()


@pytest.fixture
def other(tmp_path) -> Club:
    """Another hall of the same club."""
    opened = Club(tmp_path / "other")
    opened.hall.report_connection("")
    yield opened
    opened.close()


@pytest.fixture
def oak() -> ClubTable:
    return ClubTable("Oak")


def found_cup(club: Club, names=NAMES, least: int = 4) -> None:
    club.change(lambda _: add_players(create("Cup", "dollars", least, 8), names))


def witness_of(club: Club) -> Path:
    return club.folder.with_name(club.folder.name + WITNESS)


# Tables


def test_tables_are_listed_by_name_with_numbers_in_order(club):
    club.tell(*(ClubTable(f"Table {n}").state() for n in (10, 9, 1)), ClubTable("Bar").state())
    assert [table.entry.name for table in club.view.tables] == [
        "Bar", "Table 1", "Table 9", "Table 10"
    ]  # fmt: skip
    assert club.table("Bar").entry.phase == "playing"
    assert club.kinds("Bar") == []


def test_tables_whose_names_differ_only_in_case_are_tables_of_their_own(club):
    letters = islice(product(*((c, c.upper()) for c in "saloon")), 50)
    tables = [ClubTable("".join(name), str(seed), seed=seed) for seed, name in enumerate(letters)]
    for told in (tables, tables[::-1]):
        club.tell(*(table.state() for table in told))
        assert [one.entry.name for one in club.view.tables] == sorted(one.name for one in tables)
    club.tell(*(table.result(1) for table in tables[:3]))
    assert {kept.game.table for kept in club.view.latest} == {one.name for one in tables[:3]}
    club.change(lambda _: create("Cup", "dollars", 4, 8))
    club.change(lambda found: add_players(found, [f"Player {number}" for number in range(10)]))
    club.hall.draw([tables[0].name, tables[1].name], ranked=False, revision=club.view.shared)
    drawn = club.view.tournament.open_round.tables
    assert {(one.table, one.table_id) for one in drawn} == {
        (one.name, one.id) for one in tables[:2]
    }


def test_a_table_is_listed_as_long_as_the_broker_keeps_anything_of_it(club, oak):
    club.tell(oak.availability("online"), ClubTable("Elm", kind="cards").state())
    assert (club.table("Oak").entry.online, club.table("Oak").entry.state) == (True, None)
    assert club.table("Elm").entry.state["game"]["game"] == "bang-card"
    club.tell(oak.state(), oak.availability("offline"))
    assert club.table("Oak").entry.state is not None
    for topic in ("Oak/state", "Oak/availability", "Oak/result/1", "Elm/state"):
        club.tell(BrokerMessage(f"{PREFIX}/{topic}", b""))
    assert club.view.tables == ()


# Who needs help


def check_needs(club: Club, *steps: tuple[BrokerMessage | float, list[str]]) -> None:
    """Hold what Oak needs after each message, or after so many seconds."""
    for step, kinds in steps:
        if isinstance(step, BrokerMessage):
            club.tell(step)
        else:
            club.clock.now += step
            club.hall.tick()
        assert club.kinds("Oak") == kinds, step


def test_a_table_that_says_so_needs_help(club, oak):
    for changes, kinds in (
        ({"camera__fault": "unplugged"}, ["camera"]),
        ({"camera__works": False}, []),
        ({"troubles": {"saving": "disk full", "green": "pin 17"}}, ["trouble", "trouble"]),
        ({"reader__corrections": MISREAD}, ["misread"]),
        ({"reader__corrections": MISREAD - 1}, []),
        ({"reader__signal": "uncertain"}, []),
    ):
        told = oak.state(**{f"health__{path}": value for path, value in changes.items()})
        check_needs(club, (told, kinds))


@pytest.mark.parametrize("signal", ["uncertain", "illegal"])
def test_dice_that_nobody_can_accept_need_help_after_a_while(club, oak, signal):
    heard = []
    check_needs(club, (oak.state(health__reader__signal=signal), []))
    club.hall.listeners.add(lambda: heard.append(club.kinds("Oak")))
    check_needs(club, (UNSURE_S - 1, []), (1, ["dice"]), (0, ["dice"]))
    assert heard == [["dice"]], "told once"
    check_needs(club, (oak.state(health__reader__signal="certain"), []))


def test_a_game_in_which_nothing_happens_needs_help(club, oak):
    lobby = oak.state(phase="lobby", game=None)
    check_needs(club, (oak.state(), []), (IDLE_S, ["idle"]))
    # The same again is no event.
    check_needs(club, (oak.state(), ["idle"]), (oak.state(steps=9), []), (lobby, []), (IDLE_S, []))


def test_a_table_that_goes_in_the_middle_of_a_game_needs_help(club, oak):
    online, offline = map(oak.availability, ("online", "offline"))
    check_needs(club, (oak.state(health__camera__fault="x"), ["camera"]))
    # Its camera is nobody's trouble while it is off.
    check_needs(club, (offline, ["stopped"]), (online, ["camera"]))
    check_needs(club, (oak.state(phase="lobby", game=None), []), (offline, []))


def test_two_tables_of_one_name_are_noticed(club):
    one, two = ClubTable("Oak", "1").state(), ClubTable("Oak", "2").state()
    # A table that was replaced by another one is fine.
    check_needs(club, (one, []), (two, []))
    club.tell(one)
    check_needs(club, (two, ["rivals"]))
    club.clock.now += FLAPPING_S
    check_needs(club, (two, []))


# Messages that aren't what they should be


def test_what_is_no_state_is_shown_as_such_and_nothing_is_lost(club, oak):
    club.tell(oak.state())
    for payload in (b"hello", b"\xff\xfe", b"[]", b"{}", b"null", b"[" * 99_999, b'{"schema": 1}',
                    b'{"schema": "1"}', b"NaN", b"1e999"):  # fmt: skip
        club.tell(BrokerMessage(oak.topic("state"), payload))
        assert club.kinds("Oak") == ["unreadable"], payload
        assert club.table("Oak").entry.phase == "playing"
        club.tell(oak.state())
        assert club.kinds("Oak") == []


def test_a_state_of_a_newer_version_is_told_apart(club, oak):
    club.tell(oak.state(schema=2))
    assert club.kinds("Oak") == ["newer"]
    assert "schema 2" in club.table("Oak").needs[0].detail


def test_a_result_that_can_not_be_read_is_told(club, oak):
    club.tell(oak.result(schema=3))
    assert "Oak told a result that can’t be read: schema 3" in str(club.view.troubles)
    club.tell(oak.result())
    assert club.view.troubles == ()
    assert len(club.view.latest) == 1


def test_topics_of_no_table_are_left_out(club):
    for name in ("", "x" * 41, "a/b", "<b>", "+", "\x00"):
        club.tell(BrokerMessage(f"{PREFIX}/{name}/state", b"{}"))
    for topic in ("other/Oak/state", f"{PREFIX}/state", f"{PREFIX}/Oak/unknown", ""):
        club.tell(BrokerMessage(topic, b"{}"))
    club.tell(BrokerMessage(f"{PREFIX}/Oak/result/x", b"{}"))
    assert club.view.tables == ()


def test_made_up_tables_do_not_fill_the_memory(club):
    club.tell(*(BrokerMessage(f"{PREFIX}/t{n}/state", b"{}") for n in range(MOST_TABLES + 9)))
    assert len(club.view.tables) == MOST_TABLES
    assert f"more than {MOST_TABLES} tables" in str(club.view.troubles)


def test_numbers_of_liars_are_kept_out(club, oak):
    club.tell(oak.result(events=LARGEST + 1))
    assert "a number is too large" in str(club.view.troubles)
    club.tell(oak.result(number=4, events=4.0))
    assert len(club.view.latest) == 1


# Results


def test_results_come_in_once(club, oak):
    club.tell(oak.result(1), oak.result(1), oak.result(2))
    club.tell(oak.result(2))
    assert sorted(result.game.number for result in club.view.latest) == [1, 2]
    assert sum(line.ranked.games for line in club.view.evening) == sum(
        len(result.game.seats) for result in club.view.latest
    )


def test_of_two_results_of_a_game_the_longer_one_counts(club, oak):
    first = oak.result(1, events=40)
    again = oak.result(1, events=50, outcome__side="none", outcome__winners=[])
    club.tell(first, again)
    club.tell(first)
    assert [result.game.side for result in club.view.latest] == ["none"]


def test_a_result_can_be_taken_back(club, oak):
    whole = json.loads(oak.result(1, events=40).payload)
    head = {key: whole[key] for key in ("schema", "table", "game")}
    club.tell(
        oak.result(1, events=40), oak.said("result/1", head | {"events": 41, "withdrawn": True})
    )
    assert (club.view.latest, club.view.evening) == ((), ())
    club.tell(oak.result(1, events=45))
    assert len(club.view.latest) == 1


def test_results_are_dated_by_their_records(club, oak):
    club.tell(oak.result(1))
    assert club.view.latest[0].at == "2026-01-01T20:00:00+00:00"
    undated = oak.result(2, record='{"date": "3026-01-01T00:00:00Z"}')
    club.tell(undated)
    # The future can't be right.
    assert club.view.latest[0].at < "3000"
    assert club.view.latest[0].game.number == 2


def test_the_evening_counts_neither_what_was_long_before_nor_a_renamed_tables_games_twice(club):
    for table in (ClubTable("Oak", "7"), ClubTable("Elm", "7")):
        club.tell(table.result(1, NAMES))
    club.tell(ClubTable("Oak").result(2, NAMES, record='{"date": "2025-12-31T10:00:00Z"}'))
    assert [line.ranked.games for line in club.view.evening] == [1] * 5
    assert len(club.view.latest) == 3


# What is kept


@pytest.mark.parametrize(
    "left", ["no folder", "none", "nothing", "an earlier one", "another hall's"]
)
def test_a_log_that_is_older_than_it_was_is_told_once(club, other, oak, left):
    found_cup(club)
    club.tell(oak.result(1))
    path = club.folder / LOG
    earlier = path.read_bytes()
    club.tell(oak.result(2))
    club.close()
    match left:
        case "no folder":
            shutil.rmtree(club.folder)
        case "none":
            path.unlink()
        case "nothing":
            path.unlink()
            witness_of(club).unlink()
        case "an earlier one":
            path.write_bytes(earlier)
        case _:
            other.tell(*map(oak.result, range(1, 9)))
            shutil.copy(other.folder / LOG, path)
    club.open()
    assert "older than the one saved last" in str(club.view.troubles)
    club.tell(oak.result(9))
    club.restart()
    assert club.view.troubles == ()


@pytest.mark.parametrize("left", [None, b"", b"0123 {", bytes(128), "an earlier one"])
def test_without_the_latest_word_on_the_length_of_the_log_nothing_is_told(club, oak, left):
    club.tell(oak.result(1))
    earlier = witness_of(club).read_bytes()
    club.tell(oak.result(2))
    club.close()
    witness_of(club).unlink()
    if left is not None:
        witness_of(club).write_bytes(left if isinstance(left, bytes) else earlier)
    club.open()
    assert (len(club.view.latest), club.view.troubles) == (2, ())


def states(kept: Store) -> object:
    """All that the files of a hall say."""
    return kept.results(), kept.document(), kept.document_before()


def test_a_cut_anywhere_in_the_log_costs_only_what_was_being_written_also_the_second_time(
    club, oak
):
    """The second time while the files are made good again."""
    found_cup(club)
    club.tell(oak.result(1))
    club.change(lambda found: add_players(found, ["Zoe"]))
    club.tell(oak.result(2))
    whole = (club.folder / LOG).read_bytes()
    lines = list(accumulate(map(len, whole.splitlines(keepends=True))))
    chance = random.Random(1)
    for cut in sorted({*chance.sample(range(len(whole)), 30), 0, len(whole) - 1}):
        first, second = (club.folder.with_name(f"{name}-{cut}") for name in ("first", "second"))
        first.mkdir()
        (first / LOG).write_bytes(whole[:cut])
        started = Store(first)
        complete = sum(end <= cut + 1 for end in lines)
        assert len(started.results()) == (complete > 2) + (complete > 4)
        assert started.damaged <= 1
        # Nothing is closed. What the second cut takes is some of what the start has written.
        shutil.copytree(first, second)
        log = (first / LOG).read_bytes()
        (second / LOG).write_bytes(log[: chance.randrange(cut, len(log) + 1)])
        again = Store(second)
        assert states(again) == states(started)
        # The number of the hall, if it is cut off, is a line of its own.
        assert again.damaged - started.damaged <= (cut <= lines[0])
        # What comes next isn't spoilt by the rest of a line.
        message = json.loads(oak.result(3).payload)
        assert again.keep_results([store.ToldResult("Oak", "2026-01-02T00:00:00+00:00", message)])
        again.close()
        again = Store(second)
        assert again.results()[0].game.number == 3
        for each in (started, again):
            each.close()


def flip(log: bytes) -> bytes:
    """Turn a bit of the first result."""
    at = log.index(b'"events"')
    return log[:at] + bytes([log[at] ^ 1]) + log[at + 1 :]


def add_weather(log: bytes) -> bytes:
    """Add a line of a later version."""
    text = '{"weather":"dusty"}'
    return log + f"{blake2b(text.encode(), digest_size=8).hexdigest()} {text}\n".encode()


@pytest.mark.parametrize(("damage", "left"), [(flip, [2]), (add_weather, [2, 1])])
def test_a_damaged_line_costs_itself_alone_and_is_told(club, oak, damage, left):
    club.tell(oak.result(1), oak.result(2))
    club.close()
    path = club.folder / LOG
    path.write_bytes(damage(path.read_bytes()))
    # The line is still there after the first start, and still told of.
    club.open()
    for _ in range(2):
        assert [result.game.number for result in club.view.latest] == left
        assert "log were damaged and left out: 1" in str(club.view.troubles)
        club.restart()


def test_what_could_not_be_saved_leaves_nothing_in_the_log(club, oak, monkeypatch):
    club.tell(oak.result(1))
    before = (club.folder / LOG).read_bytes()

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    def failing(number: int) -> None:
        raise OSError(28, "No space left on device")

    for where, what, fails in ((store.os, "fsync", failing), (Store, "_enter", full)) * 2:
        with monkeypatch.context() as patched:
            patched.setattr(where, what, fails)
            club.tell(oak.result(2))
            assert re.search("No space left|disk is full", str(club.view.troubles))
            assert len(club.view.latest) == 1
            with pytest.raises(Refused, match="nothing can be saved") as refused:
                found_cup(club)
            assert refused.value.problem is Problem.FAILED
        assert (club.folder / LOG).read_bytes() == before
    club.restart()
    assert (club.view.tournament, len(club.view.latest)) == (None, 1)
    club.tell(oak.result(2))
    club.restart()
    assert (len(club.view.latest), club.view.troubles) == (2, ())


def test_half_a_line_is_not_continued_by_the_next_one(club, oak, monkeypatch):
    write = os.fsync

    def short(number: int) -> None:
        # The disk was full in the middle of the line.
        os.ftruncate(number, os.fstat(number).st_size - 100)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store.os, "fsync", short)
    club.tell(oak.result(1))
    monkeypatch.setattr(store.os, "fsync", write)
    club.tell(oak.result(2))
    club.restart()
    assert [result.game.number for result in club.view.latest] == [2]
    assert club.view.troubles == ()


def test_the_log_has_an_end(club, oak, monkeypatch):
    monkeypatch.setattr(store, "MOST_BYTES", 100)
    club.tell(oak.result(1))
    assert "full" in str(club.view.troubles)


def test_a_folder_that_can_not_be_used_is_named(tmp_path):
    (tmp_path / "hall").write_text("a file")
    with pytest.raises(StoreError, match="hall"):
        Store(tmp_path / "hall/hall")


def test_a_file_in_the_place_of_the_folder_is_set_aside(tmp_path):
    (tmp_path / "hall").write_text("a file")
    Store(tmp_path / "hall").close()
    (kept,) = tmp_path.glob("damaged-*/hall")
    assert kept.read_text() == "a file"


# The tournament


def test_a_round_begins_after_the_last_results_of_its_tables_and_counts_the_next(club):
    oak, elm = ClubTable("Oak"), ClubTable("Elm")
    club.tell(oak.state(), elm.state(), oak.result(3))
    found_cup(club, [f"P{n}" for n in range(9)])
    club.hall.draw(["Oak", "Elm"], ranked=False, revision=club.view.shared)
    first, second = club.view.tournament.open_round.tables
    assert (first.table, first.table_id, first.after, second.after) == ("Oak", "id-Oak", 3, 0)
    names = club.view.tournament.names
    for number, (table, seats) in enumerate(((oak, first.seats), (elm, second.seats)), start=4):
        club.tell(table.result(number, tuple(names[p] for p in seats)))
    assert [table.game.number for table in club.view.tournament.open_round.tables] == [4, 5]


def test_a_power_cut_in_the_middle_of_a_round_loses_nothing(club):
    oak = ClubTable("Oak")
    club.tell(oak.state())
    found_cup(club)
    club.hall.draw(["Oak"], ranked=False, revision=club.view.shared)
    drawn = club.view.tournament
    # Nothing is closed: the process is gone. The game ends while the hall is down.
    again = Club(club.folder)
    assert again.view.tournament == drawn
    names = tuple(drawn.names[p] for p in drawn.rounds[0].tables[0].seats)
    again.tell(oak.result(1, names))
    assert again.view.tournament.rounds[0].tables[0].game.number == 1
    again.close()


def check_nothing_to_undo(club: Club) -> None:
    assert not club.view.undoable
    with pytest.raises(Refused, match="nothing to undo"):
        club.hall.undo(club.view.shared)


def test_changes_can_be_undone_after_a_restart(club):
    found_cup(club)
    club.change(lambda found: add_players(found, ["Zoe"]))
    club.change(lambda found: None)
    for players in (6, 5):
        club.restart()
        assert club.view.undoable
        club.hall.undo(club.view.shared)
        assert len(club.view.tournament.entrants) == players
    club.change(lambda found: add_players(found, ["Yan"]))
    club.restart()
    for _ in range(2):
        club.hall.undo(club.view.shared)
    assert club.view.tournament is None
    for _ in range(2):
        check_nothing_to_undo(club)
        club.restart()


def test_so_many_changes_can_be_undone(club):
    found_cup(club)
    for number in range(MOST_UNDONE + 5):
        club.change(lambda found, number=number: add_players(found, [f"P{number}"]))
    for _ in range(MOST_UNDONE):
        club.hall.undo(club.view.shared)
    assert not club.view.undoable
    assert len(club.view.tournament.entrants) == 10


def test_what_was_signed_with_another_password_is_not_undone_to(club):
    found_cup(club)
    club.change(lambda found: add_players(found, ["Zoe"]))
    club.restart("other")
    with pytest.raises(Refused, match="nothing to undo"):
        club.hall.undo(club.view.shared)


def test_another_halls_change_is_not_undone_here(club, other):
    found_cup(club)
    other.tell(*retained(club))
    other.change(lambda found: add_players(found, ["Zoe"]))
    club.tell(*retained(other))
    for _ in range(2):
        check_nothing_to_undo(club)
        club.restart()
    other.hall.undo(other.view.shared)
    assert len(other.view.tournament.entrants) == 5


def test_what_could_not_be_kept_is_not_undone_to(club, other, monkeypatch):
    found_cup(club)
    club.change(lambda found: add_players(found, ["Yan"]))
    other.tell(*retained(club))
    other.change(lambda found: add_players(found, ["Zoe"]))
    with monkeypatch.context() as full:
        full.setattr(store, "MOST_BYTES", 0)
        club.tell(*retained(other))
    assert len(club.view.tournament.entrants) == 7
    check_nothing_to_undo(club)
    club.change(lambda found: add_players(found, ["Xan"]))
    club.restart()
    assert not club.view.undoable
    assert len(club.view.tournament.entrants) == 8


def test_without_a_password_nobody_changes_anything(tmp_path):
    club = Club(tmp_path / "hall", password="")
    with pytest.raises(Refused) as refused:
        club.change(lambda found: create("Cup", "wins", 4, 8))
    assert refused.value.problem is Problem.FORBIDDEN
    club.close()


# Several halls


def exchange(*clubs: Club) -> None:
    """Let the halls hear what each published, in any order, until nothing is new."""
    for _ in range(3):
        for one in clubs:
            for message in list(retained(one)):
                for two in clubs:
                    two.tell(message)


@pytest.mark.parametrize("order", [1, -1])
def test_halls_that_were_cut_off_from_each_other_agree_and_say_so(club, other, order):
    found_cup(club)
    exchange(club, other)
    club.change(lambda found: add_players(found, ["Zoe"]))
    other.change(lambda found: add_players(found, ["Yan"]))
    exchange(*(club, other)[::order])
    assert club.view.tournament == other.view.tournament
    told = [bool(each.view.troubles) for each in (club, other)]
    assert sorted(told) == [False, True]
    loser = (club, other)[told.index(True)]
    assert "two halls changed the tournament at the same time" in str(loser.view.troubles)
    # A look at it is enough.
    loser.change(lambda found: add_players(found, ["Xenia"]))
    assert loser.view.troubles == ()


def test_an_empty_broker_is_told_of_the_tournament(club):
    found_cup(club)
    club.retained.clear()
    club.hall.report_connection("gone")
    club.hall.tick()
    assert club.retained == {}
    club.hall.report_connection("")
    club.hall.tick()
    # It may still be about to tell of a newer one.
    assert club.retained == {}
    club.clock.now += QUIET_S
    club.hall.tick()
    assert documents.decode(club.retained[club.hall.topic], club.hall.key).tournament
    club.retained.clear()
    club.hall.tick()
    assert club.retained == {}


def test_an_older_tournament_on_the_broker_is_replaced_and_a_newer_one_taken(club, other):
    found_cup(club)
    exchange(club, other)
    old = dict(club.retained)
    club.change(lambda found: add_players(found, ["Zoe"]))
    for each in (club, other):
        each.hall.report_connection("")
        for topic, payload in old.items():
            each.tell(BrokerMessage(topic, payload))
    club.retained.clear()
    club.clock.now += QUIET_S
    club.hall.tick()
    exchange(club, other)
    assert other.view.tournament == club.view.tournament
    assert len(other.view.tournament.entrants) == 6


def test_a_forged_tournament_is_left_out_and_told(club):
    found_cup(club)
    before = club.view.tournament
    forged = encode(
        SharedTournament(Revision(99, "zz"), create("Fake", "wins", 4, 8)),
        documents.key_from("guessed", PREFIX),
    )
    club.tell(BrokerMessage(club.hall.topic, forged))
    assert club.view.tournament == before
    assert "signed with another password" in str(club.view.troubles)
    for payload in (b"", b"x", b'{"schema": 9}', b"[]"):
        club.tell(BrokerMessage(club.hall.topic, payload))
    assert club.view.tournament == before


def test_a_hall_without_a_password_shows_what_the_broker_has(club, tmp_path):
    found_cup(club)
    screen = Club(tmp_path / "screen", password="")
    screen.hall.report_connection("")
    for message in retained(club):
        screen.tell(message)
    assert screen.view.tournament == club.view.tournament
    # It keeps nothing of what it can't check.
    assert screen.restart(password="").view().tournament is None
    screen.clock.now += QUIET_S
    screen.hall.tick()
    assert screen.retained == {}
    screen.close()


def test_a_tournament_kept_with_another_password_is_not_lost(club):
    found_cup(club)
    club.restart(password="new")
    assert club.view.tournament is None
    assert "kept here can’t be used" in str(club.view.troubles)
    club.restart()
    assert club.view.tournament is not None


def test_a_draw_needs_a_tournament(club):
    with pytest.raises(Refused, match="there is no tournament"):
        club.hall.draw(["Oak"], ranked=False, revision=0)
