"""Between two games: guests who wait for the next one, players who left, and the new host."""

from html import unescape

import pytest
from sites import Phone, Site, deal_to, finish, reason

from companion.table.changes import guest_of
from companion.table.scene import Phase
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


def test_guests_are_seated_in_the_lobby_in_the_order_they_came(playing):
    first, second = late(playing, "Eve"), late(playing, "Fritz")
    assert "before you: 1" in unescape(second.live("join"))
    playing.host.post("/game/new")
    assert names(playing)[4:] == ["Eve", "Fritz"]
    assert "data-goto" in first.live("join")


def test_the_page_says_whether_a_game_runs_or_is_over(playing):
    assert "A game is running." in playing.stranger.live("join")
    finish(playing)
    page = playing.stranger.live("join")
    assert "A game is running." not in page
    assert "The game is over." in page


def test_a_guest_needs_the_code_and_a_name_of_their_own(playing):
    phone = Phone(playing)
    assert "code" in reason(phone.ask("/join", name="Eve", code="?"), 403)
    eve = late(playing)
    for name in ("Eve", "Ann", ""):
        assert reason(phone.ask("/join", name=name), 422)
    # Who asks twice waits once.
    assert eve.ask("/join", name="Eva").status_code == 303
    assert [guest.name for guest in playing.view.requests.queue] == ["Eve"]


def test_a_guest_leaves_the_queue_or_is_removed_by_the_host(playing):
    eve, fritz = late(playing), late(playing, "Fritz")
    eve.open()
    assert eve.send("/queue/leave", {}).status_code == 204
    (waiting,) = playing.view.requests.queue
    assert reason(playing.phones[1].post("/queue/remove", guest=waiting.id), 403)
    assert playing.host.post("/queue/remove", guest=waiting.id).status_code == 204
    assert playing.view.requests.queue == ()
    assert "Your name" in fritz.live("join")
    playing.host.post("/game/new")
    assert names(playing) == ["Ann", "Bob", "Cleo", "Dan"]


def test_a_guest_who_asks_for_a_seat_waits_no_more(playing):
    eve = late(playing)
    assert eve.ask("/seat/claim", person=playing.view.people[2].id).status_code == 303
    assert playing.view.requests.queue == ()


def test_no_more_guests_wait_than_there_are_seats(playing):
    for number in range(8):
        late(playing, f"Guest {number}")
    refused = Phone(playing).ask("/join", name="One more")
    assert reason(refused, 422) == "8 guests are waiting already"


def test_at_a_full_table_guests_wait_until_a_seat_is_free(tmp_path):
    site = Site(tmp_path, "soorodor")
    late(site, "Zoe")
    assert "Zoe" not in names(site)
    site.host.post("/people/remove", person=site.view.people[3].id)
    assert "Zoe" in names(site)


def test_guests_wait_through_a_restart(tmp_path, playing):
    eve = late(playing)
    playing.phones[3].post("/seat/leave")
    playing.journal.close()
    site = Site(tmp_path, "")
    assert [guest.name for guest in site.view.requests.queue] == ["Eve"]
    site.table.watch(site.view.camera)
    assert guest_of(site.table.scene, eve.client.get_cookie("seat").value) is not None
    assert [person.name for person in site.view.people if person.left] == ["Dan"]


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


def test_who_left_after_the_end_is_gone_in_the_lobby_and_a_lost_phones_player_is_not(playing):
    playing.host.post("/people/phoneless", person=playing.view.people[1].id)
    finish(playing).phones[2].post("/seat/leave")
    playing.host.post("/game/new")
    assert names(playing) == ["Ann", "Bob", "Dan"]


def test_who_comes_back_to_their_seat_plays_on(playing):
    playing.phones[1].post("/seat/leave")
    Phone(playing).ask("/seat/claim", person=playing.view.people[1].id)
    claim = playing.table.view(playing.view.people[0].id).requests.claims[0]
    playing.host.post("/seat/answer", claim=claim.number, yes=1)
    finish(playing).host.post("/game/new")
    assert "Bob" in names(playing)


def test_too_few_are_left_for_another_game(playing):
    for seat in (1, 2):
        playing.phones[seat].post("/seat/leave")
    finish(playing)
    assert reason(playing.host.post("/game/again"), 422) == "this game needs 3 to 8 players"
    assert playing.view.phase is Phase.OVER


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
