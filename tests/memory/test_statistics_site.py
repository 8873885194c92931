"""The statistics of a table: kept as it goes on, shown to everybody, changed by the host alone."""

import csv
import io
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from cases import cases
from many_games import fill, record
from places import RECORDED
from process import within
from sites import Phone, Site, deal_to, finish, reason
from stand_ins import Die, reading
from waiting import wait_until

from companion.club.publishing.messages import TableName
from companion.club.publishing.outbox import FILE as OUTBOX
from companion.club.publishing.outbox import Outbox
from companion.club.publishing.progress import due
from companion.games.cards.game import CARD_GAME
from companion.games.summary import GameSummary
from companion.memory.statistics import deletion, players, summary
from companion.memory.statistics.database import FILE, Database, StatisticsError
from companion.memory.statistics.highlights import PODIUM
from companion.memory.statistics.keeper import Statistics
from companion.memory.statistics.notes import BY_HAND, notes_on, read
from companion.memory.statistics.queries import MOST_PLAYERS
from companion.table.journal.journal import WITNESS
from companion.table.scene import CameraStatus, Phase
from tests.tools.bench.statistics import MOST_BYTES, PAGES, size_of

pytestmark = pytest.mark.tables

CARDS = RECORDED / "cards/five-players-law.jsonl"


class Place:
    """A table with its statistics, worked out when asked."""

    def __init__(self, folder: Path, site: Site | None = None) -> None:
        self.folder = folder
        self.site = site or Site(folder)
        self.dice = "oak"
        self.begin()

    def begin(self) -> None:
        """Begin with the statistics, or begin again."""
        self.statistics = Statistics(self.folder, self.site.table, lambda: self.dice)
        self.site.table.follow(lambda *_: self.statistics.look())
        self.site.furnish(statistics=self.statistics)
        self.statistics.bring_up_to_date()

    @property
    def host(self) -> Phone:
        return self.site.host

    def change(self, path: str, **fields: str) -> None:
        """Let the host change something, and wait until it is done."""
        assert self.host.post(f"/statistics/{path}", **fields).status_code in (204, 303)
        self.statistics.bring_up_to_date()

    def page(self, path: str = "statistics", phone: Phone | None = None) -> str:
        self.statistics.bring_up_to_date()
        answer = (phone or self.site.stranger).open(f"/{path}")
        assert answer.status_code == 200, answer.text
        return unescape(answer.text)

    def rows(self, name: str) -> list[dict[str, str]]:
        self.statistics.bring_up_to_date()
        answer = self.site.stranger.client.get(f"/statistics/{name}.csv")
        assert answer.mimetype == "text/csv"
        return list(csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig"))))

    def files(self) -> str:
        """All that the folder holds but for the journal."""
        return "\n".join(
            f"{path.name} {path.read_bytes()!r}"
            for path in sorted(self.folder.rglob("*"))
            if path.is_file() and "journal" not in path.name
        )

    def restart(self) -> "Place":
        self.site.journal.close()
        return Place(self.folder, Site(self.folder, ""))


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path / "data")


@pytest.fixture
def many(place):
    """A table with games of other tables, too, that are counted."""
    fill(place.folder, 6)
    place.statistics.bring_up_to_date()
    return place


def again(place):
    deal_to(place.site, "soro")
    assert place.host.post("/game/again").status_code == 204


# While the table goes on


def test_a_game_counts_once_it_is_over_and_no_longer_if_its_end_is_undone(place):
    place.site.start()
    assert "No game has been played to its end yet." in place.page()
    assert place.rows("games") == []
    finish(place.site)
    page = place.page()
    assert "1 game ·" in page
    assert len(place.rows("games")) == 4
    assert place.host.post("/game/undo").status_code == 204
    assert "No game has been played to its end yet." in place.page()
    assert place.rows("games") == []
    finish(place.site)
    before = place.rows("games")
    again(place)
    assert "1 game ·" in place.page()
    assert {row["player"] for row in place.rows("players")} == {"Ann", "Bob", "Cleo", "Dan"}
    # The figures are the same once the game has left the table.
    assert place.rows("games") == before
    assert place.restart().rows("games") == before


def test_a_game_is_worked_out_once_though_its_record_becomes_a_file(place, monkeypatch):
    worked_out: list[bytes] = []

    def summarise(record: bytes) -> GameSummary:
        worked_out.append(record)
        return summary.summarise(record)

    monkeypatch.setattr("companion.memory.statistics.database.summarise", summarise)
    place.site.start()
    finish(place.site)
    before = place.rows("games")
    again(place)
    assert place.rows("games") == before
    assert place.restart().rows("games") == before
    assert len(worked_out) == 1


def test_notes_say_which_dice_were_thrown_and_what_was_corrected(place):
    site = place.site.start()
    site.throw("arrow", "beer", "beer", "gatling", "beer")
    site.host.post("/dice/mark", die=0, face="beer")
    site.table.press_green()
    finish(site)
    again(place)
    (path,) = (place.folder / "games").glob("*.notes.json")
    notes = read(path.read_bytes())
    assert notes.dice == "oak"
    assert notes.readings["beer", "arrow"] == 1
    assert not notes.stand_ins
    page = place.page("statistics/dice")
    assert "oak" in page
    assert "players corrected 1 of its readings" in page


@pytest.mark.parametrize("restarted", [False, True])
def test_dice_that_players_named_were_not_read(place, restarted):
    site = place.site.start()
    faces = ("arrow", "beer", "beer", "gatling", "beer")
    dice = [Die(face, 100.0 * number, 100.0) for number, face in enumerate(faces)]
    unsure = replace(dice[0], sure=False, likely=("arrow", "beer"))
    site.table.see(reading("unsure", [unsure, *dice[1:]]))
    site.host.post("/dice/mark", die=0, face="arrow")
    site.table.press_green()
    if restarted:
        place.restart()
    noted = notes_on(place.site.table.scene, None)
    assert noted.readings == {("beer", "beer"): 3, ("gatling", "gatling"): 1}


@pytest.mark.parametrize("restarted", [False, True])
def test_a_game_counts_for_no_set_of_dice_if_the_set_was_changed(place, restarted):
    place.site.start()
    place.dice = "birch"
    # Nothing was thrown with the first set.
    place.dice = "oak"
    place.site.roll("dynamite", "arrow", "gatling", "arrow", "beer")
    place.statistics.bring_up_to_date()
    if restarted:
        place.begin()
    place.dice = "birch"
    finish(place.site)
    assert [row["dice"] for row in place.rows("dice")] == ["<several>"] * 6
    assert "the set of dice was changed" in place.page("statistics/dice")
    again(place)
    assert place.restart().rows("dice")[0]["dice"] == "<several>"


def test_dice_entered_by_hand_count_apart(place):
    finish(place.site.start())
    place.site.table.watch(CameraStatus())
    again(place)
    (path,) = (place.folder / "games").glob("*.notes.json")
    assert read(path.read_bytes()).dice == BY_HAND
    assert "Dice entered by hand" in place.page("statistics/dice")


def test_a_stopped_game_is_listed_without_roles(place):
    place.site.start()
    place.site.roll("dynamite", "arrow", "gatling", "arrow", "beer")
    place.host.post("/game/new")
    assert "Stopped before its end" in place.page("statistics/games")
    rows = place.rows("games")
    assert {(row["role"], row["won"]) for row in rows} == {("", "0")}
    assert sum(int(row["f0"]) for row in rows) == 2


# Pages


def test_an_evening_whose_date_nobody_confirmed_is_marked(tmp_path):
    settings = {"now": lambda: "2026-11-23T19:30:00Z?"}
    marked = "23\N{NO-BREAK SPACE}November 2026 (date uncertain)"
    place = Place(tmp_path, Site(tmp_path, settings=settings))
    finish(place.site.start())
    assert f"<h2>{marked}</h2>" in place.page("statistics/games")
    assert marked in place.page("watch/1/summary.txt")
    assert {row["date"] for row in place.rows("games")} == {"2026-11-23T19:30:00Z?"}
    again(place)
    assert f"<h2>{marked}</h2>" in place.restart().page("statistics/games")


def test_so_is_one_with_cards_whose_records_have_no_date(tmp_path):
    settings = {"now": lambda: "2026-11-23T19:30:00Z?"}
    characters = ("black_jack", "willy_the_kid", "jourdonnais", "lucky_duke")
    cards = CARD_GAME.select("base")
    place = Place(tmp_path, Site(tmp_path, "sroo", characters, settings=settings, selection=cards))
    place.site.start()
    place.host.post("/game/new")
    assert "November 2026 (date uncertain)</h2>" in place.page("statistics/games")
    place.site.journal.close()


def test_card_games_are_on_the_same_pages(many):
    content = CARDS.read_bytes()
    record = many.folder / "games/CARD-1.jsonl"
    record.write_bytes(content.replace(b"Player 0", b"Ann").replace(b"Player 1", b"Anna"))
    overview = many.page()
    assert 'id="chart-card-places"' in overview
    for name, link in (("Ann", True), ("Anna", False)):
        page = many.page(f"statistics/player?name={name}", many.host)
        assert 'id="chart-card-shots"' in page
        assert ("Who is who" in page, 'id="chart-course"' in page) == (link, link)
    for nobody in ("", "?name=Nobody"):
        assert "There is no such player." in many.page(f"statistics/player{nobody}")
    games = many.page("statistics/games", many.host)
    line = next(line for line in games.split("<li>") if "CARD-1" in line)
    assert "The card game" in line
    assert "/watch/record-CARD-1" in line
    assert many.site.stranger.open("/watch/record-CARD-1").status_code == 200
    assert "game=CARD-1" in line
    many.change("delete-game", game="CARD-1")
    assert not record.exists()
    assert "CARD-1" not in many.page("statistics/games", many.host)


def test_the_stream_of_a_page_shows_the_page(many):
    for of in ("", "?of=overview", "?of=games", "?of=dice", "?of=player&name=Ann"):
        assert "<h1>" in many.site.stranger.live(f"statistics{of}")
    assert "Rating" in many.page("statistics/player?level=strong")
    assert reason(many.site.stranger.client.get("/live/statistics?of=secrets"), 404)


def test_a_page_is_drawn_once_for_everybody(many, monkeypatch):
    many.page()
    asked = []
    answer = many.statistics.page
    monkeypatch.setattr(many.statistics, "page", lambda *of: asked.append(of) or answer(*of))
    for phone in (many.site.stranger, many.site.phones[1], many.site.phones[2]):
        phone.open("/statistics")
        phone.live("statistics")
    assert asked == []
    fill(many.folder, 7)
    many.page()
    assert len(asked) == 1


def test_a_name_is_no_formula_in_a_spreadsheet(many):
    path = many.folder / "games/ABCD-99.jsonl"
    path.write_bytes(record(("=1+1", "@Bob", "Cleo"), 99))
    assert {row["player"] for row in many.rows("players")} >= {"'=1+1", "'@Bob", "Cleo"}
    assert "=1+1" in many.page()


def test_without_statistics_there_is_no_page(tmp_path):
    site = Site(tmp_path)
    assert reason(site.stranger.client.get("/statistics"), 404)


def test_a_disk_that_cannot_be_written_is_told(many):
    path = many.folder / FILE
    path.unlink()
    path.mkdir()
    assert "The statistics can’t be brought up to date" in many.page()
    path.rmdir()
    assert "The statistics can’t be brought up to date" not in many.page()


def test_pages_of_many_players_stay_small(place):
    (place.folder / "games").mkdir()
    for number in range(40):
        # Ann meets everybody.
        names = ["Ann", *(f"Player {number}.{seat}" for seat in range(7))]
        path = place.folder / f"games/ABCD-{number}.jsonl"
        path.write_bytes(record(names, number, f"2026-01-{number % 28 + 1:02}T19:00:00Z"))
    page = place.page()
    assert page.count("/statistics/player?name=") == MOST_PLAYERS + PODIUM
    assert "81 more players are in the file below." in page
    assert len(place.rows("players")) == 281
    for path in PAGES[:-1]:
        assert size_of(place.site.app, path.replace("Cleo", "Ann")) < MOST_BYTES


# Who is who


def test_a_player_is_renamed_joined_and_separated(many):
    before = many.rows("games")
    page = many.host.open("/statistics/player?name=Bob").text
    assert {"player", "name", "other"} <= set(re.findall(r'name="(\w+)"', page))
    answer = many.host.post("/statistics/rename", player="Bob", name="Robert")
    assert answer.headers["Location"] == "/statistics/player?name=Robert"
    names = {row["player"] for row in many.rows("players")}
    assert "Robert" in names
    assert "Bob" not in names
    assert reason(many.host.post("/statistics/rename", player="Robert", name="cleo"), 422)
    assert many.host.post("/statistics/merge", player="Robert", other="Cleo").status_code == 303
    assert "Also: Bob" in many.page("statistics/player?name=Cleo")
    assert "Robert" not in {row["player"] for row in many.rows("players")}
    again = Place(many.folder, many.site)
    assert "Also: Bob" in again.page("statistics/player?name=Cleo")
    again.change("separate", player="Cleo")
    # With the names of the records again.
    assert again.rows("games") == before


def test_two_who_sat_in_one_game_are_not_joined(many):
    before = many.rows("games"), many.rows("players")
    answer = many.host.post("/statistics/merge", player="Ann", other="Bob")
    said = "Ann and Bob both played in game ABCD-2 (2025-01-03), so they are two people"
    assert reason(answer, 422) == said
    both = CARDS.read_bytes().replace(b"Player 0", b"Bob").replace(b"Player 1", b"Cleo")
    (many.folder / "games/CARD-1.jsonl").write_bytes(both)
    many.rows("games")
    answer = many.host.post("/statistics/merge", player="Bob", other="Cleo")
    assert "CARD-1" in reason(answer, 422)
    (many.folder / "games/CARD-1.jsonl").unlink()
    assert (many.rows("games"), many.rows("players")) == before


def test_what_makes_no_sense_is_refused(many):
    before = many.rows("games"), sorted(many.folder.rglob("*.json*"))
    for press, status in cases("memory/refused.txt", "Presses about players and games"):
        path, _, fields = press.partition(" ")
        answer = many.host.post(f"/statistics/{path}", **dict(parse_qsl(fields)))
        assert reason(answer, int(status))
        assert (many.rows("games"), sorted(many.folder.rglob("*.json*"))) == before, press


def test_a_damaged_list_of_players_is_set_aside_and_everybody_is_told(many):
    many.host.post("/statistics/rename", player="Bob", name="Robert")
    (many.folder / players.FILE).write_text('{"format": 1, "names": {')
    place = many.restart()
    (kept,) = place.folder.glob("damaged-*")
    assert (kept / players.FILE).exists()
    page = place.page()
    assert "The list of who is who was damaged" in page
    assert "Bob" in page


# Deleting


def test_a_game_is_deleted_from_all_files(place):
    finish(place.site.start())
    again(place)
    finish(place.site)
    again(place)
    code = place.site.table.scene.code
    for folder, name in (("corrections", "1-2-3.jpg"), ("corrections", "11-2-3.jpg")):
        (place.folder / folder).mkdir(exist_ok=True)
        (place.folder / folder / name).write_bytes(b"picture")
    place.statistics.bring_up_to_date()
    place.change("delete-game", game=f"{code}-1")
    left = {str(path.relative_to(place.folder)) for path in place.folder.rglob("*.*")}
    assert not {name for name in left if name.endswith((f"{code}-1.jsonl", "/1.json", "1-2-3.jpg"))
                and "11-2-3" not in name}  # fmt: skip
    assert {f"games/{code}-2.jsonl", "stories/2.json", "corrections/11-2-3.jpg"} <= left
    assert {row["game"] for row in place.rows("games")} == {f"{code}-2"}
    assert place.site.table.past.view(1) is None
    assert "This game can’t be shown" in unescape(place.site.stranger.open("/story/1").text)


def test_a_deleted_game_is_in_no_file_that_was_set_aside(place):
    finish(place.site.start())
    journal = (place.folder / "table.journal").read_bytes().rstrip(b"\0")
    again(place)
    finish(place.site)
    later = (place.folder / "table.journal").read_bytes().rstrip(b"\0")
    code, games = place.site.table.scene.code, place.folder / "games"
    date = json.loads((games / f"{code}-1.jsonl").read_text().partition("\n")[0])["date"].encode()
    game = f'"code": "{code}", "game": 1,'.encode()
    assert date in journal
    assert journal.count(game) == 1
    # The two games of a test may be dealt within one second.
    later = later.replace(date, b"2026-01-01T20:00:00Z")
    told = {
        "damaged-2026-01-01/table.journal": b"\xff\xfe" + journal,
        "damaged-2026-01-01/no-date": journal.replace(date, b"\xff" * len(date)),
        "damaged-2026-01-01-2/no-number": journal.replace(game, b"\xff" * len(game)),
        "earlier-format/table.sqlite3": b"\0\x17" + date + b"\0",
    }
    other = {
        "damaged-2026-01-01/later.journal": later,
        "damaged-2026-01-01/eleventh": later.replace(b'"game": 2,', b'"game": 11,'),
        "damaged-2026-01-01/setup.json": b"{}",
    }
    for path, content in (told | other).items():
        (place.folder / path).parent.mkdir(exist_ok=True)
        (place.folder / path).write_bytes(content)
    place.statistics.bring_up_to_date()
    place.change("delete-game", game=f"{code}-1")
    assert not [path for path in told if (place.folder / path).exists()]
    assert {path: (place.folder / path).read_bytes() for path in other} == other
    assert not place.statistics.fault


def test_a_game_on_the_table_is_not_deleted(place):
    finish(place.site.start())
    place.statistics.bring_up_to_date()
    game = f"{place.site.table.scene.code}-1"
    assert game in place.page("statistics/games")
    assert reason(place.host.post("/statistics/delete-game", game=game), 409)


def test_a_player_is_deleted_from_all_files(many):
    many.host.post("/statistics/merge", player="Bob", other="Cleo")
    finish(many.site.start())
    again(many)
    assert '"Bob"' in many.files()
    games = len(many.rows("games"))
    many.change("delete-player", player="Cleo")
    for name in ("Bob", "Cleo", "bob", "cleo"):
        assert name not in many.files()
    assert "Ann" in many.files()
    rows = many.rows("games")
    assert len(rows) == games
    assert {"—", "— 2"} <= {row["player"] for row in rows}
    assert not {row["player"] for row in many.rows("players")} & {"—", "— 2", "Bob", "Cleo"}
    # The story of the game goes on without the name.
    view = many.site.table.past.view(1)
    assert {person.name for person in view.people} == {"Ann", "—", "— 2", "Dan"}


@pytest.fixture
def outbox(place: Place) -> Iterator[Outbox]:
    """What waits for a broker that is away: two games, and the first moves of a third."""
    waiting = Outbox(place.folder / OUTBOX)
    table, name = place.site.table, TableName(waiting.id, "", "1")
    place.site.start()
    for number in range(3):
        if number < 2:
            finish(place.site)
        view, history = table.view(), table.scene.history
        assert history is not None
        record = history.record if view.phase is Phase.OVER else ""
        waiting.add(*due(view, record, waiting.sent, name))
        if number < 2:
            again(place)
    yield waiting
    waiting.close()


def waiting_games(outbox: Outbox) -> list[tuple[str, int]]:
    """The kinds of messages that wait, and their games; each once, in order."""
    found = [
        (waiting.message.topic.partition("/")[0], json.loads(waiting.message.payload)["game"])
        for waiting in outbox.first(10_000)
    ]
    return list(dict.fromkeys(found))


def test_what_waits_for_the_broker_tells_of_no_deleted_game(place, outbox):
    both = [("event", 1), ("result", 1), ("event", 2), ("result", 2), ("event", 3)]
    assert waiting_games(outbox) == both
    place.change("delete-game", game=f"{place.site.table.scene.code}-1")
    assert waiting_games(outbox) == both[2:]
    place.change("delete-everything")
    # The game that runs isn't deleted.
    assert waiting_games(outbox) == both[4:]


def test_what_waits_for_the_broker_names_no_deleted_player(place, outbox):
    before = waiting_games(outbox)
    place.statistics.bring_up_to_date()
    assert "Bob" in place.files()
    place.change("delete-player", player="Bob")
    assert waiting_games(outbox) == before
    files = [path.read_bytes() for path in place.folder.glob(f"{OUTBOX}*")]
    assert not [content for content in files if b"Bob" in content]
    results = [
        json.loads(waiting.message.payload)
        for waiting in outbox.first(10_000)
        if waiting.message.topic.startswith("result")
    ]
    for result in results:
        names = [player["name"] for player in result["players"]]
        header = json.loads(result["record"].partition("\n")[0])
        assert [player["name"] for player in header["players"]] == names
        assert "—" in names


@pytest.mark.parametrize("name", ["Cléo 🤠", "Bob"])
def test_a_deleted_player_is_in_no_file_that_was_set_aside(many, name):
    (many.folder / "games/other-1.jsonl").write_bytes(record(("Cléo 🤠", "Bob", "Ann", "Dan")))
    many.statistics.bring_up_to_date()
    for folder in ("damaged-2026-01-01", "damaged-2026-01-01-2", "earlier-format"):
        (many.folder / folder).mkdir()
    named = {
        "damaged-2026-01-01/table.journal": f'"{name}"'.encode() + b"\xff\xfe",
        "damaged-2026-01-01-2/table.journal": json.dumps([name.upper()]).encode(),
        "earlier-format/table.sqlite3": b"\0\x17Ann" + name.encode() + b"Dan\0",
    }
    other = many.folder / "damaged-2026-01-01/setup.json"
    other.write_text("Ann")
    for path, content in named.items():
        (many.folder / path).write_bytes(content)
    many.change("delete-player", player=name)
    assert not [path for path in named if (many.folder / path).exists()]
    assert other.read_text() == "Ann"
    assert not many.statistics.fault


def test_everything_is_deleted_but_the_game_on_the_table_and_the_dice(many):
    finish(many.site.start())
    again(many)
    (many.folder / "profiles").mkdir()
    (many.folder / "profiles/Oak.dice").write_bytes(b"dice")
    (many.folder / "damaged-2026-01-01").mkdir()
    many.statistics.bring_up_to_date()
    many.host.post("/statistics/rename", player="Bob", name="Robert")
    many.change("delete-everything")
    left = {path.name for path in many.folder.iterdir() if "journal" not in path.name}
    assert left <= {"profiles", WITNESS, FILE, f"{FILE}-wal", f"{FILE}-shm"}
    assert "Robert" not in many.files()
    assert many.rows("games") == []
    assert many.site.view.game_number == 2
    finish(many.site)
    assert len(many.rows("games")) == 4


def test_a_deletion_goes_on_after_the_plug_was_pulled_twice(many, monkeypatch):
    carry_out, pulled = deletion.carry_out, []

    def pull(folder: Path, due: deletion.Deletion, *given: object) -> None:
        pulled.append(due)
        if len(pulled) > 1:
            # Half of it was done.
            carry_out(folder, due._replace(names=due.names[:1], games=due.games[:1]), *given)
        raise KeyboardInterrupt

    monkeypatch.setattr(deletion, "carry_out", pull)
    many.host.post("/statistics/merge", player="Bob", other="Cleo")
    many.host.post("/statistics/delete-player", player="Cleo")
    with pytest.raises(KeyboardInterrupt):
        many.statistics.bring_up_to_date()
    many.site.journal.close()
    site = Site(many.folder, "")
    with pytest.raises(KeyboardInterrupt):
        Place(many.folder, site)
    site.journal.close()
    assert len(pulled) == 2
    monkeypatch.undo()
    place = Place(many.folder, Site(many.folder, ""))
    for name in ("Bob", "Cleo", "bob", "cleo"):
        assert name not in place.files()
    assert not (many.folder / deletion.FILE).exists()


def test_a_damaged_deletion_deletes_nothing_and_is_named_once(many, caplog):
    path = many.folder / deletion.FILE
    for content in ("", "{", "[]", '{"games": 1}', '{"games": ["../x"]}'):
        path.write_text(content)
        place = Place(many.folder, many.site)
        for _ in range(3):
            assert len({row["game"] for row in place.rows("games")}) == 6
        assert len(caplog.records) == 1
        caplog.clear()


# Restored


@pytest.fixture
def old_and_new(tmp_path):
    """Two tables with backups; the new one has statistics that follow them."""
    from test_backup import SavedTable

    with closing(SavedTable(tmp_path / "old")) as old, closing(SavedTable(tmp_path / "new")) as new:
        here = Place(new.folder, new.site)
        new.backups.listeners.add(here.statistics.reload)
        yield old, new, here


def test_a_backup_brings_notes_and_who_is_who(old_and_new):
    old, new, here = old_and_new
    fill(old.folder, 4)
    there = Place(old.folder, old.site)
    there.host.post("/statistics/rename", player="Bob", name="Robert")
    saved = old.save()
    for _ in range(2):
        new.restore(saved)
        assert here.rows("games") == there.rows("games")
        assert here.rows("dice") == there.rows("dice")
        assert "Robert" in {row["player"] for row in here.rows("players")}
    names = json.loads((new.folder / players.FILE).read_text())
    assert names["names"]["bob"] == "Robert"


def test_games_that_another_table_played_are_watched_again(old_and_new):
    old, new, here = old_and_new
    record = finish(old.site.start()).stranger.client.get("/record/1").text
    address = f"/watch/record-{old.site.table.scene.code}-1"
    assert "This game can’t be shown" in here.page(address[1:])
    new.restore(old.save())
    assert f'href="{address}"' in here.page("statistics/games")
    page = here.page(f"{address[1:]}?step=2&roles=1")
    assert 'data-step="2"' in page
    assert "It is kept with the games of this table." in page
    moves = record.count("\n") - 1
    assert f'data-step="{moves}"' in here.page(f"{address[1:]}/{moves}")
    assert new.site.stranger.open(f"{address}/dice/1.jpg").status_code == 204
    # Roles of a game that was stopped are told to nobody, and no other file is read.
    games = new.folder / "games"
    (games / "stopped.jsonl").write_text("".join(record.splitlines(keepends=True)[:-3]))
    (games / "damaged.jsonl").write_text("?")
    shutil.copy(games / f"{old.site.table.scene.code}-1.jsonl", new.folder / "outside.jsonl")
    for name in ("stopped", "damaged", "nothing", "..", "%00", "x" * 300):
        assert "This game can’t be shown" in here.page(f"watch/record-{name}")
    assert new.site.table.past.find_record("../outside") is None


# The command


def test_the_command_works_everything_out_anew_and_names_what_is_wrong(tmp_path, capsys):
    fill(tmp_path, 4)
    content = (tmp_path / "games/ABCD-1.jsonl").read_bytes()
    (tmp_path / "games/ABCD-5.jsonl").write_bytes(content)
    (tmp_path / "games/ABCD-6.jsonl").write_bytes(content[:-20])
    (tmp_path / "games/ABCD-2.notes.json").write_text("{")
    done = within(capsys, "statistics", "--data", tmp_path)
    assert done.returncode == 2
    said = json.loads(done.stdout)
    assert (said["games"], said["stopped"], said["evenings"]) == (3, 0, 1)
    lines = len(content.splitlines())
    places = [line.partition(": ")[0] for line in done.stderr.splitlines()]
    assert places == [
        f"{tmp_path}/games/ABCD-2.notes.json",
        f"{tmp_path}/games/ABCD-5.jsonl",
        f"{tmp_path}/games/ABCD-6.jsonl:{lines}",
    ]
    for name in ("ABCD-2.notes.json", "ABCD-6.jsonl"):
        (tmp_path / "games" / name).unlink()
    done = within(capsys, "statistics", "--data", tmp_path)
    assert (done.returncode, json.loads(done.stdout)["games"]) == (0, 4)
    assert done.stderr == f"{tmp_path}/games/ABCD-5.jsonl: the same game as ABCD-1, counted once\n"


def test_what_cannot_be_written_is_told_on_every_page_and_tried_again(place, monkeypatch):
    """As where no file can be opened: SQLite raises no error of the system then."""
    update, reasons = Database.update, []

    def fail(self: Database, *given: object, **named: object) -> bool:
        raise StatisticsError(f"{self.path}: can't be written: unable to open database file")

    monkeypatch.setattr(Database, "update", fail)
    statistics, told = place.statistics, []
    statistics.tell = reasons.append
    statistics.listeners.add(lambda: told.append(statistics.revision))
    statistics.start()
    try:
        finish(place.site.start())
        wait_until(lambda: reasons)
        assert reasons[0] == "an error; the table’s log says which"
        assert statistics.fault.endswith("unable to open database file")
        monkeypatch.setattr(Database, "update", update)
        wait_until(lambda: reasons[-1] == "")
        wait_until(lambda: "1 game ·" in place.site.stranger.open("/statistics").text)
        assert statistics.fault == ""
        assert told
    finally:
        statistics.stop()
