"""The last games: their pictures, stories and records stay while the next one runs."""

import json
import os
import shutil
from html import unescape

import pytest
from evening import refusal
from sites import NAMES, Phone, Site, deal_to, finish, reason

from companion.base.refused import Problem
from companion.games.dice.rules.record import replay
from companion.table.journal.journal import STORIES
from companion.table.past import past_games
from companion.table.past.past_games import record_of
from companion.table.scene import Phase

pytestmark = pytest.mark.tables


def files_of(folder):
    """The story and the record of the only game that is kept."""
    (story,), (record,) = (folder / STORIES).glob("*.json"), (folder / "games").glob("*.jsonl")
    return story, record


@pytest.fixture
def over(tmp_path) -> Site:
    """A game that is over, with an undone roll and a player whose phone was lost."""
    site = Site(tmp_path).start()
    site.roll("dynamite", "arrow", "gatling", "arrow", "beer")
    site.host.post("/game/undo")
    site.host.post("/people/phoneless", person=site.view.people[3].id)
    return finish(site)


def again(site: Site) -> None:
    deal_to(site, "soro")
    assert site.host.post("/game/again").status_code == 204


def story(phone: Phone, number: int) -> str:
    return unescape(phone.live(f"story/{number}"))


def test_pictures_story_and_record_stay_while_the_next_game_runs(tmp_path, over):
    before, record = story(over.stranger, 1), over.stranger.client.get("/record/1").text
    again(over)
    assert over.view.phase is Phase.PLAYING
    page = story(over.stranger, 1)
    for part in ("Who shot whom", "Dice luck", "<s>", "Ann undoes a roll.", "Dan has no phone"):
        assert part in before
        assert part in page
    assert over.stranger.client.get("/record/1").text == record
    *_, last = replay(line.encode() for line in record.splitlines(keepends=True))
    assert last.result is not None
    assert reason(over.stranger.client.get("/record/2"), 403), "that of a running game"
    # Players keep their colours and emblems.
    kept = over.table.past.view(1).people
    assert [person.id for person in kept] == [person.id for person in over.view.people]
    over.journal.close()
    after = story(Site(tmp_path, "").stranger, 1)
    assert after.split("Who shot whom")[1:] == page.split("Who shot whom")[1:]


def test_a_reader_who_reloads_the_page_stays_with_the_game_that_they_read(over):
    for phone in (over.phones[1], over.stranger):
        page = phone.client.get("/story")
        assert (page.status_code, page.location) == (303, "/story/1")
    assert 'href="/story/1"' in over.host.live("seat")
    again(over)
    assert over.stranger.client.get("/story").location == "/story/2"


def test_only_the_last_games_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(past_games, "MOST", 2)
    site = finish(Site(tmp_path).start())
    for _ in range(3):
        again(site)
        finish(site)
    assert [game.number for game in site.table.past.games()] == [3, 2]
    assert len(list((tmp_path / STORIES).glob("*.json"))) == 2


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 9}', '{"format": 1, "number": 1}'])
def test_what_a_damaged_story_told_its_record_tells(tmp_path, over, content):
    again(over)
    whole = over.table.past.view(1)
    path, record = files_of(tmp_path)
    path.write_text(content)
    over.journal.close()
    site = Site(tmp_path, "")
    (game,) = site.table.past.games()
    told = site.table.past.view(1)
    assert (told.events, told.standing) == (whole.events, whole.standing)
    assert game.players == NAMES[: len(game.players)]
    assert site.table.past.record(1) == record.read_text()
    record.unlink()
    site.table.past.refresh()
    assert site.table.past.games() == ()
    assert "This game can’t be shown" in story(site.stranger, 1)


def test_a_story_that_differs_from_its_record_is_in_the_log(tmp_path, over, caplog):
    again(over)
    path, _ = files_of(tmp_path)
    over.table.past.view(1)
    assert "differs" not in caplog.text
    path.write_text(path.read_text().replace("Ann", "Anm"))
    over.table.past.refresh()
    assert over.table.past.view(1).people[0].name == "Anm"
    assert f"{path}: its record differs" in caplog.text


def test_a_story_of_no_finished_game_shows_nothing_and_is_named_once(tmp_path, over, caplog):
    again(over)
    path, record = files_of(tmp_path)
    kept = json.loads(path.read_text())
    path.write_text(json.dumps(kept | {"lines": kept["lines"][:2]}))
    record.write_text("".join(record.read_text().splitlines(keepends=True)[:2]))
    over.journal.close()
    site = Site(tmp_path, "")
    for _ in range(3):
        assert site.table.past.view(1) is None
        assert site.table.past.record(1) is None
        # As if it had been forgotten since, among many that somebody asks for.
        site.table.past.refresh()
    assert caplog.text.count(f"{path}: can't be understood: no finished game") == 1


def test_a_pipe_among_the_stories_and_records_holds_nothing_up(tmp_path, over):
    again(over)
    for path in files_of(tmp_path):
        path.unlink()
        os.mkfifo(path)
        name = path.stem
    over.journal.close()
    site = Site(tmp_path, "")
    assert site.table.past.games() == ()
    assert site.table.past.view(1) is None
    assert site.table.past.find_record(name) is None


def test_where_a_story_cannot_be_kept_the_next_game_starts_nevertheless(tmp_path, over):
    shutil.rmtree(tmp_path / STORIES)
    (tmp_path / STORIES).write_text("in the way")
    again(over)
    assert over.view.phase is Phase.PLAYING
    assert over.table.past.games() == ()
    assert refusal(record_of, over.table.scene) is Problem.FORBIDDEN
