"""The hall without a broker: what it makes of messages, of time, of power cuts, and of liars."""

import json
import os
import random
import re
import shutil
import sqlite3
from collections.abc import Callable
from hashlib import blake2b
from itertools import accumulate, count, islice, product
from pathlib import Path

import pytest
from clubs import PREFIX, Club, ClubTable, retained
from scenes import each_scene
from table_scenes import Facts, Steps, Told, spaced, table_words

from companion.base.refused import Problem, Refused
from companion.club.hall import documents, store
from companion.club.hall.documents import Revision, SharedTournament, encode
from companion.club.hall.hall import MOST_TABLES, QUIET_S, BrokerMessage
from companion.club.hall.store import LOG, WITNESS, Store, StoreError
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
    named = {(one.name, one.id) for one in tables[:2]}
    assert {(one.table, one.table_id) for one in drawn} == named


# Scenes


class Halls(dict[str, Club]):
    """Halls of one club by their names; they hear each other where a scene says so.

    A step is done `here`, or `from` another. Tables tell their `state`, and a `result` by `number`
    or several at once (`results`), with what is different in them; `gone` is a topic that is no
    longer kept. The organiser has `found`ed a tournament of five, and `enter`s players. `hear`
    tells another hall what this one published, `hear-other` this one what that did.
    """

    def __init__(self, folder: Path, password: str) -> None:
        super().__init__()
        self.folder, self.password, self.news = folder, password, 0
        self["here"].hall.listeners.add(self.note)

    def __missing__(self, name: str) -> Club:
        self[name] = Club(self.folder / name, self.password)
        self[name].hall.report_connection("")
        return self[name]

    def note(self) -> None:
        self.news += 1

    @property
    def view(self):
        return self["here"].view


def told(name: str, kind: str, *changes: str) -> BrokerMessage:
    """What a table says: its name, or `name#id`, and by `path=JSON` what is different in that."""
    name, _, number = name.partition("#")
    path_of = {path.replace(".", "__"): json.loads(value)
               for path, _, value in (change.partition("=") for change in changes)}  # fmt: skip
    table = ClubTable(name, number, path_of.pop("kind", "dice"))
    return getattr(table, kind)(**path_of)


def tell_results(club: Club, name: str, *numbers: str) -> None:
    """Tell results of a table at once."""
    club.tell(*(ClubTable(name).result(int(number)) for number in numbers))


def take_back(name: str, events: str) -> BrokerMessage:
    whole = json.loads(ClubTable(name).result().payload)
    head = {key: whole[key] for key in ("schema", "table", "game")}
    return ClubTable(name).said("result/1", head | {"events": int(events), "withdrawn": True})


def tell_full(halls: Halls) -> None:
    """Tell what the other hall says, where the disk has no room for it."""
    with pytest.MonkeyPatch.context() as full:
        full.setattr(store, "MOST_BYTES", 0)
        halls["here"].tell(*retained(halls["other"]))


def enter(club: Club, *names: str) -> None:
    club.change(lambda found: add_players(found, names))


def wait(club: Club, seconds: str) -> None:
    club.clock.now += float(seconds)
    club.hall.tick()


def at(change: Callable[..., object]) -> Callable[..., None]:
    """A step that is done at one of the halls."""

    def step(halls: Halls, *given: str, seat: str = "here") -> None:
        change(halls[seat], *given)

    return step


STEPS: Steps = {
    "state": at(lambda club, name, *changes: club.tell(told(name, "state", *changes))),
    "result": at(lambda club, name, *changes: club.tell(told(name, "result", *changes))),
    "results": at(tell_results),
    "says": at(lambda club, name, word: club.tell(ClubTable(name).availability(word))),
    "take-back": at(lambda club, *given: club.tell(take_back(*given))),
    "gone": at(lambda club, topic: club.tell(BrokerMessage(f"{PREFIX}/{topic}", b""))),
    "wait": at(wait),
    "connect": at(lambda club: club.hall.report_connection("")),
    "disconnect": at(lambda club: club.hall.report_connection("gone")),
    "restart": at(lambda club, *password: club.restart(*password)),
    "found": at(found_cup),
    "enter": at(enter),
    "enter-many": at(lambda club, count: [enter(club, f"P{n}") for n in range(int(count))]),
    "remove": at(lambda club: club.change(lambda found: None)),
    "undo": at(lambda club, times="1": [
        club.hall.undo(club.view.shared) for _ in range(int(times))
    ]),
    "draw": at(lambda club, name: club.hall.draw([name], ranked=False, revision=0)),
    "empty": at(lambda club: club.retained.clear()),
    "hear": lambda halls, seat: halls[seat].tell(*retained(halls["here"])),
    "hear-other": lambda halls: halls["here"].tell(*retained(halls["other"])),
    "hear-full": tell_full,
}  # fmt: skip
FACTS: Facts = {
    "trouble": lambda halls, words: " ".join(words) in str(halls.view.troubles),
    "detail": lambda halls, words: " ".join(words) in str(halls.view.tables[0].needs[0].detail),
    "before": lambda halls, words: all(one.at < words[0] for one in halls.view.latest),
}
TOLD: Told = {
    "tables": lambda halls: spaced(one.entry.name for one in halls.view.tables) or "-",
    "phases": lambda halls: spaced(
        one.entry.state and one.entry.phase for one in halls.view.tables
    ),
    "online": lambda halls: spaced(one.entry.online for one in halls.view.tables),
    "needs": lambda halls: (
        spaced(n.kind.value for one in halls.view.tables for n in one.needs) or "-"
    ),
    "news": lambda halls: halls.news,
    "games": lambda halls: spaced(one.game.number for one in halls.view.latest) or "-",
    "dates": lambda halls: spaced(one.at for one in halls.view.latest),
    "seats": lambda halls: sum(len(one.game.seats) for one in halls.view.latest),
    "evening": lambda halls: sum(line.ranked.games for line in halls.view.evening),
    "players": lambda halls: len(halls.view.tournament.entrants),
    "others": lambda halls: len(halls["other"].view.tournament.entrants),
    "undoable": lambda halls: halls.view.undoable,
    "tournament": lambda halls: halls.view.tournament and halls.view.tournament.name,
    "troubled": lambda halls: bool(halls.view.troubles),
    "published": lambda halls: bool(halls["here"].retained),
}


@each_scene(__file__, "halls.txt")
def test_a_hall_does_as_its_scene_tells(ruling, tmp_path, stack):
    folders = map("club-{}".format, count())

    def opened(text):
        """Open halls of a club, with a password or without."""

        def begin():
            halls = Halls(tmp_path / next(folders), "" if "without" in text else "buffalo")
            stack.callback(lambda: [club.close() for club in halls.values()])
            return halls

        return begin

    ruling.check(table_words(opened, STEPS, FACTS, TOLD))


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


def test_of_two_results_of_a_game_the_longer_one_counts(club, oak):
    first = oak.result(1, events=40)
    again = oak.result(1, events=50, outcome__side="none", outcome__winners=[])
    club.tell(first, again)
    club.tell(first)
    assert [result.game.side for result in club.view.latest] == ["none"]


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


# Several halls


def exchange(*clubs: Club) -> None:
    """Let the halls hear what each published, in any order, until nothing is new."""
    for one in clubs * 3:
        for message, two in product(list(retained(one)), clubs):
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
