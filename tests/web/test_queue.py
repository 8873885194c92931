"""Between two games: guests who wait for the next one, players who left, and the new host."""

from html import unescape

import pytest
from sites import Phone, Site, deal_to, finish, reason

from web.access import Throttle

pytestmark = pytest.mark.tables


@pytest.fixture
def playing(tmp_path) -> Site:
    # As many guests as like, from one address.
    return Site(tmp_path, "soro", tries=Throttle(tries=100)).start()


def late(site: Site, name: str = "Eve") -> Phone:
    """A phone that asks to join while a game is on the table."""
    phone = Phone(site)
    answer = phone.ask("/join", name=name)
    assert answer.status_code == 303, answer.text
    return phone


def names(site: Site) -> list[str]:
    return [person.name for person in site.view.people]


def test_a_late_guest_waits_and_plays_in_the_next_game(playing):
    eve = late(playing)
    assert names(playing) == ["Ann", "Bob", "Cleo", "Dan"]
    page = unescape(eve.live("join"))
    assert "You’re in the queue, Eve." in page
    assert "data-goto" not in page
    for seen in (playing.host.live("seat"), playing.phones[2].live("seat")):
        assert "Waiting for the next game" in seen
        assert "Eve" in seen
    finish(playing)
    assert "You’re in the queue, Eve." in unescape(eve.live("join"))
    deal_to(playing, "soord")
    assert playing.host.post("/game/again").status_code == 204
    assert names(playing) == ["Ann", "Bob", "Cleo", "Dan", "Eve"]
    assert 'data-goto="/seat"' in eve.live("join")
    assert "Hold to see your role" in eve.open("/seat").text
    assert playing.view.requests.queue == ()


def test_the_page_says_whether_a_game_runs_or_is_over(playing):
    assert "A game is running." in playing.stranger.live("join")
    finish(playing)
    page = playing.stranger.live("join")
    assert "A game is running." not in page
    assert "The game is over." in page


def test_a_guest_leaves_the_queue_or_is_removed_by_the_host(playing):
    eve, fritz = late(playing), late(playing, "Fritz")
    assert "before you: 1" in unescape(fritz.live("join"))
    # Who asks twice waits once.
    assert eve.ask("/join", name="Eva").status_code == 303
    assert [guest.name for guest in playing.view.requests.queue] == ["Eve", "Fritz"]
    eve.open()
    assert eve.send("/queue/leave", {}).status_code == 204
    (waiting,) = playing.view.requests.queue
    assert reason(playing.phones[1].post("/queue/remove", guest=waiting.id), 403)
    assert playing.host.post("/queue/remove", guest=waiting.id).status_code == 204
    assert playing.view.requests.queue == ()
    assert "Your name" in fritz.live("join")
    playing.host.post("/game/new")
    assert names(playing) == ["Ann", "Bob", "Cleo", "Dan"]


def test_a_guest_sees_what_a_spectator_sees(playing):
    eve = late(playing)
    for path in ("/table", "/story"):
        for phone in (eve, playing.stranger):
            phone.open(path)
        assert eve.live(path[1:]) == playing.stranger.live(path[1:])
    assert reason(eve.post("/role/1"), 403)
    assert reason(eve.post("/game/undo"), 403)
    assert eve.client.get("/seat").location == "/"


# Leaving


def test_who_left_during_a_game_is_not_dealt_in_again(playing):
    playing.phones[1].post("/seat/leave")
    assert "Bob has left" in playing.host.live("seat")
    finish(playing)
    assert "The next game is dealt without Bob." in playing.host.live("seat")
    deal_to(playing, "dor")
    assert playing.host.post("/game/again").status_code == 204
    assert names(playing) == ["Ann", "Cleo", "Dan"]


# The new host


@pytest.mark.parametrize("started", [False, True])
def test_a_new_host_is_told(tmp_path, started):
    site = Site(tmp_path)
    if started:
        site.start()
    site.host.post("/seat/leave")
    assert "You are the host now." in site.phones[1].live("seat")
    for page in (site.phones[2].live("seat"), *([site.stranger.live("table")] * started)):
        assert "Bob is the host now." in page
