"""The statistics of all games: what counts, what doesn't, and that they are as the records say."""

import json
import os
import random
import re
import resource
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from cases import cases
from many_games import record
from places import RECORDED, SAVED

from companion.base.names import key_of
from companion.games.cards.game import CARD_GAME
from companion.games.cards.rules.events import CardPlayed
from companion.games.cards.rules.record import replay as card_replay
from companion.games.common.events import TurnBegan
from companion.games.dice.game import DICE_GAME
from companion.games.dice.rules.record import replay
from companion.games.dice.rules.roles import Role
from companion.games.summary import GameSummary, SeatSummary
from companion.memory.statistics import queries
from companion.memory.statistics.database import FILE, Database, StatisticsError
from companion.memory.statistics.highlights import highlights, highlights_of
from companion.memory.statistics.notes import GameNotes, NotesError, read, write
from companion.memory.statistics.players import PlayerNames, PlayersError, from_json
from companion.memory.statistics.sources import records
from companion.memory.statistics.summary import FACES, SUMMARIES, kind_of, summarise

GAMES = sorted(RECORDED.glob("*.jsonl"))
GAMES = [path for path in GAMES if ".states." not in path.name]
SAVED = sorted(SAVED.glob("*/*/games/*.jsonl"))
NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Fritz", "Greta", "Hugo")


class Folder:
    """A data folder with records, and statistics of them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        (path / "games").mkdir(parents=True)
        self.database = Database(path / FILE)
        self.names = PlayerNames()

    def add(self, name: str, content: bytes, notes: GameNotes | None = None) -> Path:
        path = self.path / "games" / f"{name}.jsonl"
        path.write_bytes(content)
        if notes is not None:
            write(path, notes)
        return path

    def update(self) -> bool:
        return self.database.update(records(self.path), self.names)

    def ask(self, query: Callable, *given: object):
        with self.database.reading() as base:
            return query(base, *given)

    @property
    def overview(self) -> queries.Overview:
        self.update()
        return self.ask(queries.overview)

    @property
    def cards(self) -> queries.Overview:
        self.update()
        return self.ask(queries.overview, CARD_GAME.record_name)

    def player(self, name: str, level: str = "", kind: str = DICE_GAME.record_name):
        pages = self.ask(queries.player_games, name, level)
        return pages.kinds[kind] if pages is not None else None

    @property
    def wrong(self):
        """The only record that can't be counted."""
        (wrong,) = self.database.wrong_records()
        return wrong

    def all_pages(self) -> list[str]:
        """The names of the games that are listed, page by page."""
        found, before = [], ""
        while True:
            page = self.ask(queries.games_page, before)
            found += [one.name for evening in page.evenings for one in evening.games]
            before = page.older
            if not before:
                return found

    def everything(self) -> object:
        return everything(self.database)


def everything(database: Database) -> object:
    """All that the tables hold but for numbers of rows."""
    with database.reading() as base:
        seats, players = queries.every_seat(base), queries.every_player(base)
        return [tuple(row.values()) for row in seats], [tuple(row.values()) for row in players]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "data")


# What is counted


CARDS = sorted(path for path in (RECORDED / "cards").glob("*.jsonl") if "states" not in path.name)


LAW = RECORDED / "cards/five-players-law.jsonl"


@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem)
def test_a_card_game_counts_apart_from_those_of_the_dice(folder, path):
    *_, last = card_replay(path.read_bytes().splitlines(keepends=True))
    folder.add("ABCD-1", record())
    before = folder.overview
    file = folder.add("ABCD-2", path.read_bytes())
    assert folder.overview == before
    found = folder.cards
    over = last.result is not None
    assert (found.games, found.stopped) == (int(over), int(not over))
    won = {line.name for line in found.players if line.wins.won}
    winners = last.result.winners if last.result else ()
    assert won == {last.setup.players[seat].name for seat in winners}
    file.unlink()
    assert folder.overview == before
    assert (folder.cards.games, folder.cards.stopped) == (0, 0)


def test_card_games_are_told_by_role_character_and_place(folder):
    *_, last = card_replay(LAW.read_bytes().splitlines(keepends=True))
    assert last.result is not None
    folder.add("ABCD-1", LAW.read_bytes())
    cards = folder.cards
    players = last.setup.players
    won = {seat: seat in last.result.winners for seat in range(len(players))}
    characters = {one.name: (one.games, one.won) for one in cards.characters}
    assert characters == {each.character.id: (1, won[seat]) for seat, each in enumerate(players)}
    roles = {one.name: one.games for one in cards.roles}
    assert roles == {"sheriff": 1, "deputy": 1, "outlaw": 2, "renegade": 1}
    places = {one.name: one.won for one in cards.places}
    first = last.setup.sheriff
    assert places == {str((seat - first) % 5): int(won[seat]) for seat in range(5)}
    # With one game, everybody won as often as their roles usually do.
    assert all(one.expected == one.won for one in cards.characters)


def test_card_games_have_evenings_by_the_notes_beside_them(folder):
    games = [path.read_bytes() for path in CARDS]
    dates = ["2026-11-20T19:00:00Z", "2026-11-20T21:30:00Z", "2026-11-21T19:00:00Z"]
    for number, (content, date) in enumerate(zip(games, [*dates, ""], strict=False)):
        folder.add(f"CARD-{number}", content, GameNotes(date=date) if date else None)
    folder.add("DICE-1", record(date="2026-11-20T18:30:00Z"))
    cards = folder.cards
    assert (cards.evenings, cards.first) == (2, dates[0])
    page = folder.ask(queries.games_page)
    listed = [[(one.name, one.kind) for one in evening.games] for evening in page.evenings]
    assert listed == [
        [("CARD-2", "bang-card")],
        [("CARD-1", "bang-card"), ("CARD-0", "bang-card"), ("DICE-1", "bang-dice")],
        [("CARD-3", "bang-card")],
    ]
    states = list(card_replay(games[2].splitlines(keepends=True)))
    listed, last = page.evenings[0].games[0], states[-1]
    assert [seat.name for seat in listed.seats] == [one.name for one in last.setup.players]
    assert listed.turns == sum(type(event) is TurnBegan for s in states for event in s.events)
    assert listed.side == (last.result.side if last.result else "")
    winners = {seat for seat, line in enumerate(listed.seats) if line.won}
    assert winners == set(last.result.winners if last.result else ())


def test_the_list_of_games_goes_on_page_by_page_through_dice_and_cards(folder, monkeypatch):
    for number, path in enumerate(CARDS[:2]):
        folder.add(f"CARD-{number}", path.read_bytes())
    for number in range(3):
        folder.add(f"ABCD-{number}", record(seed=number, date=f"2026-01-0{number + 1}T19:00:00Z"))
    folder.update()
    for most in (1, 2):
        monkeypatch.setattr(queries, "GAMES_A_PAGE", most)
        # Those without a date come last.
        assert folder.all_pages() == ["ABCD-2", "ABCD-1", "ABCD-0", "CARD-1", "CARD-0"]


def test_a_player_of_card_games_alone_has_a_page(folder):
    states = list(card_replay(LAW.read_bytes().splitlines(keepends=True)))
    players = states[-1].setup.players
    aimed: Counter[tuple[int, int]] = Counter()
    for before, state in pairwise(states):
        for event in state.events:
            if not isinstance(event, CardPlayed):
                continue
            if event.card in ("bang", "missed"):
                assert event.target is not None
                aimed[event.seat, event.target] += 1
            elif event.card in ("gatling", "indians"):
                aimed.update((event.seat, one) for one in before.living if one != event.seat)
    assert aimed
    folder.add("ABCD-1", LAW.read_bytes())
    folder.update()
    for seat, (name, *_) in enumerate(players):
        page = folder.player(name)
        assert page is not None
        assert (page.line.wins.games, page.given, page.against) == (0, (), ())
        cards = folder.player(name, kind=CARD_GAME.record_name)
        assert cards.line.wins.games == 1
        met = {one.name: (one.games, one.fired, one.taken) for one in cards.against}
        assert met == {
            other.name: (1, aimed[seat, number], aimed[number, seat])
            for number, other in enumerate(players)
            if number != seat
        }
    assert folder.player("Nobody") is None


def test_a_player_is_called_the_same_in_both_games(folder):
    lines = CARDS[0].read_bytes().splitlines(keepends=True)
    header = json.loads(lines[0])
    header["players"][0]["name"] = "ANN"
    folder.add("ABCD-1", record())
    folder.add("ABCD-2", json.dumps(header).encode() + b"\n" + b"".join(lines[1:]))
    assert "Ann" in {line.name for line in folder.cards.players}
    folder.names = folder.names.with_name(["Ann"], "Anna")
    assert "Anna" in {line.name for line in folder.cards.players}


def test_a_third_game_needs_only_its_summary(folder, monkeypatch):
    folder.add("ABCD-1", record())
    before, (dice,) = folder.overview, folder.ask(queries.dice_sets)
    seats = [
        SeatSummary(name, "", team, "", place, won=not place, alive=True)
        for place, (name, team) in enumerate((("Ann", "left"), ("Uwe", "right")))
    ]
    third = GameSummary("most-pips", "once", "", "left", 2, tuple(seats), {(1, 0): 3}, "same")
    monkeypatch.setitem(SUMMARIES, "most-pips", lambda record: third)
    folder.add("PIPS-1", b'{"record": "most-pips"}\n', GameNotes(date="2026-11-20T19:00:00Z"))
    assert folder.overview == before
    assert folder.ask(queries.dice_sets) == (dice,)
    found = folder.ask(queries.overview, "most-pips")
    assert (found.games, found.stopped, found.evenings, found.thrown) == (1, 0, 1, 0)
    assert {line.name: line.wins.won for line in found.players} == {"Ann": 1, "Uwe": 0}
    assert found.sides == ((2, 1, {"left": 1}),)
    (met,) = folder.player("Uwe", kind="most-pips").against
    assert met == ("Ann", "", 1, 3, 0)
    assert folder.player("Ann").line.wins.games == 1
    listed = folder.ask(queries.games_page).evenings[0].games[0]
    assert (listed.kind, listed.name, listed.turns) == ("most-pips", "PIPS-1", 2)


@pytest.mark.parametrize("path", [*GAMES, *SAVED], ids=lambda path: path.name)
def test_the_records_of_every_version_are_summarised(path):
    *_, last = replay(path.read_bytes().splitlines(keepends=True))
    found = summarise(path.read_bytes())
    assert found.side == (last.result.side if last.result else "")
    assert [seat.alive for seat in found.seats] == [life > 0 for life in last.life]
    winners = last.result.winners if last.result else ()
    assert tuple(n for n, seat in enumerate(found.seats) if seat.won) == winners
    assert found.turns >= 1


def test_a_game_is_counted_by_the_rules_not_by_its_words(folder):
    content = record()
    folder.add("ABCD-1", content)
    lines = [json.loads(line) for line in content.splitlines()]
    thrown = [0] * len(FACES)
    for line in lines[1:]:
        if line["action"] == "roll":
            for die in line.get("rerolled", range(5)):
                thrown[FACES.index(line["dice"][die])] += 1
    shots = sum(
        1 + ("beer" in shot)
        for line in lines[1:]
        if line["action"] == "shoot"
        for shot in line["shots"]
        if shot["target"] is not None
    )
    found = folder.overview
    assert (found.games, found.stopped, found.evenings) == (1, 0, 1)
    assert found.thrown == sum(thrown)
    (dice,) = folder.ask(queries.dice_sets)
    assert [face.times for face in dice.test.faces] == thrown
    assert dice.dice is None
    against = [folder.player(name).against for name in NAMES[:5]]
    assert sum(one.fired for each in against for one in each) == shots
    assert sum(one.taken for each in against for one in each) == shots
    assert {line.name for line in found.players} == set(NAMES[:5])
    won = sum(line.wins.won for line in found.players)
    assert won == sum(seat.won for seat in summarise(content).seats)


def test_games_within_hours_are_one_evening(folder):
    times = ["2026-01-01T19:00:00Z", "2026-01-01T23:30:00Z", "2026-01-02T01:00:00Z"]
    for number, date in enumerate([*times, "2026-01-02T19:00:00Z", "2026-02-01", ""]):
        folder.add(f"ABCD-{number}", record(seed=number, date=date))
    assert folder.overview.evenings == 3
    page = folder.ask(queries.games_page)
    assert [len(evening.games) for evening in page.evenings] == [1, 1, 3, 1]
    days = [evening.date[:10] for evening in page.evenings]
    assert days == ["2026-02-01", "2026-01-02", "2026-01-01", ""]


def test_a_stopped_game_counts_for_the_dice_and_tells_no_role(folder):
    folder.add("ABCD-1", b"".join(record().splitlines(keepends=True)[:9]))
    found = folder.overview
    assert (found.games, found.stopped) == (0, 1)
    assert found.thrown > 0
    assert not found.roles
    rows = list(folder.ask(lambda base: list(queries.every_seat(base))))
    assert {row["role"] for row in rows} == {""}
    text = repr([folder.ask(queries.games_page), rows, folder.player("Ann")])
    assert not any(f"'{role}'" in text for role in Role)


def test_stand_ins_are_marked_and_are_one_player_for_each_level(folder):
    for number in (1, 2):
        notes = GameNotes("pips", {1: "strong", 2: "random"})
        folder.add(f"ABCD-{number}", record(seed=number), notes)
    found = {(line.name, line.level): line.wins.games for line in folder.overview.players}
    stand_ins = [("", "strong"), ("", "random")]
    assert found == dict.fromkeys([("Ann", ""), ("Dan", ""), ("Eve", ""), *stand_ins], 2)
    assert folder.ask(queries.player_names) == ("Ann", "Dan", "Eve")
    assert folder.player("strong", "strong").line.wins.games == 2
    assert folder.player("strong") is None


def test_expected_wins_are_those_of_the_roles(folder):
    for number in range(30):
        folder.add(f"ABCD-{number}", record(seed=number))
    found = folder.overview
    won = sum(line.wins.won for line in found.players)
    assert sum(line.wins.expected for line in found.players) == pytest.approx(won)
    for role in found.roles:
        assert role.expected == pytest.approx(role.won)
    assert sum(place.games for place in found.places) == 150
    assert [place.name for place in found.places] == list("01234")


# Players across evenings


def test_spellings_of_a_name_are_one_player(folder):
    folder.add("ABCD-1", record(("Ann", "Bob", "Cleo"), 1))
    folder.add("ABCD-2", record(("ANN", "bob", "Cleo"), 2))
    folder.add("ABCD-3", record(("Ann", "bob", "Zoé"), 3))
    games = {line.name: line.wins.games for line in folder.overview.players}
    assert games == {"Ann": 3, "bob": 3, "Cleo": 2, "Zoé": 1}
    assert key_of(" ZOE\N{COMBINING ACUTE ACCENT}") == key_of("zoé")


def test_joined_players_are_rated_as_one_and_apart_again(folder):
    for number in range(8):
        names = ("Ann", "Bob", "Cleo") if number % 2 else ("Ann", "Robert", "Cleo")
        folder.add(f"ABCD-{number}", record(names, number, f"2026-01-0{number + 1}T19:00:00Z"))
    folder.update()
    before = folder.everything()
    folder.names = folder.names.with_name(["Bob", "Robert"], "Robert")
    players = {line.name: line for line in folder.overview.players}
    games = {name: line.wins.games for name, line in players.items()}
    assert games == dict.fromkeys(("Ann", "Robert", "Cleo"), 8)
    assert folder.ask(queries.names_of_player, "Robert") == ("Bob", "Robert")
    joined = folder.everything()
    assert joined == anew(folder)
    folder.names = folder.names.without(["bob", "ROBERT"])
    folder.update()
    assert folder.everything() == before


def anew(folder: Folder) -> object:
    """What a database says that is made anew from the records."""
    shutil.rmtree(folder.path / "again", ignore_errors=True)
    (folder.path / "again").mkdir()
    database = Database(folder.path / "again" / FILE)
    database.update(records(folder.path), folder.names)
    return everything(database)


# However it came about, it is the same


def test_games_that_come_in_any_order_count_the_same(folder):
    numbers = list(range(12))
    random.Random(4).shuffle(numbers)
    for number in numbers:
        date = f"2026-01-{number + 1:02}T19:00:00Z"
        folder.add(f"ABCD-{number}", record(NAMES[: 3 + number % 6], number, date))
        assert folder.update()
    assert folder.everything() == anew(folder)
    assert not folder.update()


def test_a_record_that_is_edited_or_gone_is_read_again(folder):
    for number in range(3):
        folder.add(f"ABCD-{number}", record(seed=number))
    folder.update()
    folder.add("ABCD-1", record(("Ann", "Bob", "Cleo"), 9))
    (folder.path / "games/ABCD-2.jsonl").unlink()
    assert folder.overview.games == 2
    assert folder.everything() == anew(folder)


def test_an_interrupted_update_goes_on(folder, monkeypatch):
    monkeypatch.setattr("companion.memory.statistics.database.BATCH", 2)
    for number in range(7):
        folder.add(f"ABCD-{number}", record(("Ann", "Bob", "Cleo"), number))
    steps = []

    def step(done: int, total: int) -> None:
        steps.append((done, total))
        if len(steps) < 3:
            raise KeyboardInterrupt

    # The plug is pulled twice.
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            folder.database.update(records(folder.path), folder.names, step=step)
    folder.database = Database(folder.path / FILE)
    folder.database.update(records(folder.path), folder.names, step=step)
    assert steps == [(2, 7), (2, 5), (2, 3), (3, 3)]
    assert folder.everything() == anew(folder)


# Bad input


LINES, CARD_LINES = (content.splitlines(keepends=True) for content in (record(), LAW.read_bytes()))


def half_a_letter(header: bytes, *lines: bytes) -> bytes:
    """A record of which a player's name can't be shown."""
    return b"".join([re.sub(rb'"name": ?"[^"]*"', rb'"name": "\\ud83e"', header, count=1), *lines])


HALF = "a name that no page can show"
DAMAGED = {
    "half a line": (b"".join(LINES[:6])[:-9], 6, "this is not JSON: "),
    "cards": (b"".join(CARD_LINES[:2]) + b"{}\n", 3, 'the key "action" is missing'),
    "half a letter": (half_a_letter(*LINES), 1, HALF),
    "half a letter of cards": (half_a_letter(*CARD_LINES), 1, HALF),
    "another game": (b'{"record": "bang-\\ud83e", "version": 1}\n', 1,
                     r'"bang-\ud83e" is no game that is counted'),
}  # fmt: skip
"""What a file holds, the first wrong line, and what is said of it."""


@pytest.mark.parametrize(("content", "line", "what"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_record_is_named_with_its_line_and_left_alone(folder, content, line, what):
    folder.add("ABCD-1", record())
    path = folder.add("ABCD-2", content)
    assert folder.overview.games == 1
    wrong = folder.wrong
    assert (wrong.where, wrong.copy) == (f"games/ABCD-2.jsonl:{line}", False)
    assert wrong.what.startswith(what)
    assert path.read_bytes() == content
    folder.add("ABCD-2", record(seed=2))
    assert folder.overview.games == 2
    assert not folder.database.wrong_records()


@pytest.mark.parametrize("kind", [DICE_GAME.record_name, CARD_GAME.record_name])
def test_the_same_game_twice_counts_once(folder, kind):
    content = record() if kind == DICE_GAME.record_name else LAW.read_bytes()
    # Another version of the companion wrote it, if that is said.
    other = content.replace(b"0.3.0", b"0.2.0", 1)
    folder.add("ABCD-1", content)
    folder.add("ABCD-1-2", other)
    folder.update()
    assert folder.ask(queries.overview, kind).games == 1
    wrong = folder.wrong
    assert (wrong.name, wrong.what, wrong.copy) == ("ABCD-1-2", "ABCD-1", True)
    # Without the one, the other counts.
    (folder.path / "games/ABCD-1.jsonl").unlink()
    folder.update()
    assert folder.ask(queries.overview, kind).games == 1
    assert not folder.database.wrong_records()


UNREADABLE: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
    "a link that leads nowhere": lambda path: path.symlink_to("nowhere"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a file without end": lambda path: os.truncate(path.touch() or path, 1 << 40),
}


@pytest.mark.parametrize("where", [".jsonl", ".notes.json"])
@pytest.mark.parametrize("how", UNREADABLE)
def test_what_is_no_file_is_named_and_the_others_count(folder, where, how):
    folder.add("ABCD-1", record())
    if where != ".jsonl":
        folder.add("ABCD-2", record(seed=2))
    path = folder.path / f"games/ABCD-2{where}"
    UNREADABLE[how](path)
    for _ in range(2):
        assert folder.overview.games == 1
        wrong = folder.wrong
        assert (wrong.where, bool(wrong.what)) == (f"games/ABCD-2{where}", True)
    path.rmdir() if path.is_dir() else path.unlink()
    if where == ".jsonl":
        folder.add("ABCD-2", record(seed=2))
    assert folder.overview.games == 2
    assert not folder.database.wrong_records()


def test_a_file_whose_name_is_no_text_counts(folder):
    Path(os.fsdecode(bytes(folder.path) + b"/games/\xff\xfe.jsonl")).write_bytes(record())
    assert folder.overview.games == 1
    rows = folder.ask(lambda base: list(queries.every_seat(base)))
    assert {row["game"] for row in rows} == {"\\xff\\xfe"}


def test_what_has_changed_or_gone_since_it_was_counted_is_in_the_log(folder, caplog):
    path = folder.add("ABCD-1", record())
    folder.update()
    path.write_bytes(record(seed=2))
    folder.update()
    path.unlink()
    folder.update()
    assert caplog.text.count("1 records have changed, or are gone: ABCD-1") == 2


def test_what_is_no_record_is_of_no_game():
    for nothing in (b"", b"[]\n", b"{}\n", b'{"record": 1}', b"\xff"):
        assert kind_of(nothing) == ""


def test_a_sound_database_stays_while_no_file_can_be_opened(folder):
    folder.add("ABCD-1", record(seed=1))
    folder.update()
    path = folder.path / FILE
    before, limits = path.stat().st_ino, resource.getrlimit(resource.RLIMIT_NOFILE)
    # The lowest number that is free is one too high.
    with path.open() as lowest:
        resource.setrlimit(resource.RLIMIT_NOFILE, (lowest.fileno(), limits[1]))
    try:
        with pytest.raises(StatisticsError, match="Too many open files"):
            Database(path).count_unread({})
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert path.stat().st_ino == before
    assert Database(path).count_unread({}) == 0


def refused(kind: str) -> list[str]:
    """What files of a kind hold that can't be read."""
    return ["", *(content for (content,) in cases("memory/refused.txt", kind))]


SPOILT = {
    "version": "PRAGMA user_version = 99",
    "missing table": "DROP TABLE seat",
    # As earlier versions kept dice and cards.
    "twin tables": "ALTER TABLE game DROP COLUMN kind; PRAGMA user_version = 4;"
    "CREATE TABLE card_game (id INTEGER PRIMARY KEY)",
}


@pytest.mark.parametrize("damage", ["garbage", "half", *SPOILT])
def test_a_damaged_database_is_made_anew_from_the_records(folder, damage):
    for number in range(3):
        folder.add(f"ABCD-{number}", record(seed=number))
    folder.names = folder.names.with_name(["Bob"], "Robert")
    folder.update()
    before, path = folder.everything(), folder.path / FILE
    if damage == "garbage":
        path.write_bytes(b"no database" * 999)
    elif damage == "half":
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    else:
        with closing(sqlite3.connect(path)) as base, base:
            base.executescript(SPOILT[damage])
    folder.database = Database(path)
    folder.update()
    assert folder.everything() == before
    assert "Robert" in {line.name for line in folder.overview.players}


@pytest.mark.parametrize("content", refused("Notes"))
def test_damaged_notes_are_named(folder, content):
    with pytest.raises(NotesError):
        read(content.encode())
    path = folder.add("ABCD-1", record())
    path.with_suffix(".notes.json").write_text(content)
    assert folder.overview.games == 0
    assert folder.wrong.name == "ABCD-1"
    path.with_suffix(".notes.json").unlink()
    assert folder.overview.games == 1


@pytest.mark.parametrize("content", refused("Lists of players"))
def test_a_damaged_list_of_players_is_refused(content):
    with pytest.raises(PlayersError):
        from_json(content.encode())


def test_a_name_that_is_no_text_elsewhere_is_no_trouble(folder):
    names = ("=1+1", "\N{LINE SEPARATOR}", "';--")
    folder.add("ABCD-1", record(names))
    assert {line.name for line in folder.overview.players} == set(names)


# What people tell each other


def winners(content: bytes) -> set[str]:
    *_, last = replay(content.splitlines(keepends=True))
    return {last.setup.players[seat].name for seat in last.result.winners}


def test_highlights_are_what_the_records_say(folder):
    dates = [f"2026-01-{day:02}T{hour}:00:00Z" for day in (3, 10, 17) for hour in (19, 20, 21)]
    games = [record(NAMES[:5], seed, date) for seed, date in enumerate(dates)]
    for number, content in enumerate(games):
        folder.add(f"ABCD-{number}", content)
    won = list(map(winners, games))
    folder.update()
    told = folder.ask(highlights)
    wins = Counter(name for names in won for name in names)
    assert [each.won for each in told.podium] == sorted(wins.values(), reverse=True)[:3]
    assert all(wins[each.name] == each.won and each.games == 9 for each in told.podium)
    runs = {name: next((n for n, who in enumerate(reversed(won)) if name not in who), 9)
            for name in NAMES[:5]}  # fmt: skip
    longest = max(runs.values())
    assert told.streak is None if longest < 2 else runs[told.streak.name] == longest
    evenings = {
        (dates[first], name): sum(name in who for who in won[first : first + 3])
        for first in (0, 3, 6)
        for name in NAMES[:5]
    }
    assert max(evenings.values()) == told.evening.wins.won
    assert evenings[told.evening.date, told.evening.wins.name] == told.evening.wins.won
    shots = Counter()
    for content in games:
        summary = summarise(content)
        names = [seat.name for seat in summary.seats]
        for (shooter, target), count in summary.shots.items():
            shots[names[shooter], names[target]] += count
    assert shots[told.favourite[:2]] == told.favourite.shots == max(shots.values())
    for name in NAMES[:5]:
        own = folder.ask(highlights_of, name)
        assert [(each.name, each.won) for each in own.podium] == [(name, wins[name])][: wins[name]]
        assert own.favourite.shots == max(n for (a, _), n in shots.items() if a == name)
        assert own.hunter.shots == max(n for (_, b), n in shots.items() if b == name)


def test_stand_ins_are_no_highlights(folder):
    folder.add("ABCD-1", record(), GameNotes("oak", dict.fromkeys(range(5), "strong"), {}))
    folder.update()
    assert folder.ask(highlights) == ((), None, None, None, None)
    assert folder.ask(highlights_of, "") == ((), None, None, None, None)
