"""A finished game is watched again as spectators saw it, and no other game is."""

from html import unescape

import pytest
from sites import Site, deal_to, finish

from companion.games.dice.rules.roles import Role
from companion.games.game import Correction
from companion.table.history import Undone
from companion.table.past.replays import Replay
from companion.table.scene import Phase

pytestmark = pytest.mark.tables

GONE = "This game can’t be shown"


@pytest.fixture
def site(tmp_path) -> Site:
    """A game with an undone roll and a corrected die."""
    made = Site(tmp_path).start()
    made.roll("dynamite", "arrow", "gatling", "arrow", "beer")
    made.host.post("/game/undo")
    made.throw("dynamite", "beer", "beer", "arrow", "beer")
    made.host.post("/dice/mark", die=0, face="beer")
    made.table.press_green()
    return made


@pytest.fixture
def over(site) -> Site:
    return finish(site)


@pytest.fixture
def replay(over) -> Replay:
    return over.table.past.replay(1, over.table.scene)


def test_each_step_is_what_spectators_saw(tmp_path):
    site = Site(tmp_path).start()
    seen = [site.view]
    while site.view.phase is Phase.PLAYING:
        moments = len(site.table.scene.history.moments)
        site.roll(*["dynamite"] * 3, "gatling", "arrow")
        if len(site.table.scene.history.moments) > moments:
            seen.append(site.view)
    replay = site.table.past.replay(1, site.table.scene)
    assert replay.last == len(seen) - 1
    for step, saw in enumerate(seen):
        view = replay.view(step)
        for part in ("game", "standing", "story", "phase", "selection"):
            assert getattr(view, part) == getattr(saw, part), part
        assert [person.name for person in view.people] == [person.name for person in saw.people]


def test_roles_are_hidden_as_they_were_and_all_shown_if_wished(over, replay):
    begin, everything = replay.view(1), replay.view(1, roles=True)
    shown = [player.role for player in begin.game.players]
    assert shown == [Role.SHERIFF, None, None, None]
    assert None not in [player.role for player in everything.game.players]
    page = over.stranger.open("/watch/1?step=1").text
    assert page.count('class="role ') == 1
    assert over.stranger.open("/watch/1?step=1&roles=1").text.count('class="role ') == 4


def test_a_step_shows_the_dice_that_it_rolled_even_if_they_ended_the_turn(replay):
    for step in range(1, replay.last + 1):
        moment = replay.history.moments[step]
        rolled = replay.history.game.rolled(moment.move)
        if rolled is not None:
            assert [die.face for die in replay.view(step).tray.dice] == list(rolled)


def test_kept_and_thrown_dice_are_told_apart(tmp_path):
    site = Site(tmp_path, characters=("black_jack", "paul_regret", "lucky_duke", "willy_the_kid"))
    site.start()
    site.roll("beer", "beer", "gatling", "gatling", "arrow")
    site.throw("beer", "beer", "gatling", "gatling", "gatling")
    for die in range(4):
        site.host.post("/dice/mark", die=die, thrown=0)
    site.table.press_green()
    assert site.view.notice == ""
    replay = finish(site).table.past.replay(1, site.table.scene)
    assert not any(die.thrown for die in replay.view(2).tray.dice[:4])
    assert replay.view(2).tray.dice[4].thrown
    assert "kept" in site.stranger.client.get("/watch/1/2").text


def test_what_was_undone_is_left_out_and_what_was_corrected_is_told(over, replay):
    for step in range(replay.last + 1):
        assert not any(isinstance(entry, Undone) for entry in replay.view(step).story)
    assert any(isinstance(entry, Correction) for entry in replay.view(1).story)
    page = unescape(over.stranger.client.get("/watch/1/1").text)
    assert "Ann changed die 1: dynamite → beer." in page
    assert "undoes" not in page
    assert 'class="hand"' in page


def test_turns_are_counted_and_each_begins_with_its_first_move(replay):
    assert replay.turns[0] == 1
    assert replay.turn(0) == replay.turn(1) == 1
    for number, begin in enumerate(replay.turns, start=1):
        assert replay.turn(begin) == number
        assert replay.turner(begin) == replay.history.moments[begin].move.seat
    assert replay.turn(replay.last) == len(replay.turns)


def test_a_game_that_is_not_over_is_not_shown(site):
    assert site.table.past.replay(1, site.table.scene) is None
    for phone in (site.host, site.stranger):
        assert GONE in phone.open("/watch/1?roles=1").text
        assert phone.client.get("/watch/1/1?roles=1").status_code == 404
        assert GONE in unescape(phone.live("watch/1"))
        assert phone.client.get("/watch/1/dice/1.jpg").status_code == 204


@pytest.mark.parametrize("game", ["0", "2", "999999999", "x", "-1", "١", "1e3", "%20"])
def test_other_addresses_show_no_game(over, game):
    assert GONE in over.stranger.open(f"/watch/{game}").text
    assert over.stranger.client.get(f"/watch/{game}/1").status_code == 404


@pytest.mark.parametrize("step", ["99999999999", "-3", "x", "", "9999"])
def test_steps_that_there_are_not_show_the_nearest(over, step):
    assert "data-step=" in over.stranger.open(f"/watch/1?step={step}").text


def test_earlier_games_are_watched_while_the_next_one_runs(over):
    before = over.stranger.client.get("/watch/1/4?roles=1").text
    deal_to(over, "soro")
    assert over.host.post("/game/again").status_code == 204
    assert over.stranger.client.get("/watch/1/4?roles=1").text == before


def test_each_language_has_its_own_page(over):
    page = over.stranger.client.get("/watch/1/4", headers={"Accept-Language": "fr"}).text
    assert "Tour 3 sur 24, action 4 sur 25" in unescape(page)
