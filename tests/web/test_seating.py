"""Seats and cards through the pages without a browser: cookies, limits, and what stays secret."""

import re
import socket
from itertools import product
from urllib.parse import quote

import pytest
from scenes import each_scene
from sites import Phone, Site, reason
from stand_ins import PLAIN, Dealer
from test_web import audiences

from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.terms import terms
from web.serving.address import PublicAddress, is_own_address, own_names

pytestmark = pytest.mark.processes

WORDS = terms(RULESETS["base"], "en")


# A seat on another phone


def test_a_phone_that_lost_its_seat_may_join_again(site):
    gone = site.phones[2]
    site.host.post("/people/remove", person=site.view.people[2].id)
    gone.join("Cleo again", site.table.scene.code)
    assert site.view.people[-1].name == "Cleo again"


# The address in the code


OWN = ("192.168.4.1", "2001:db8::1")


def own(host: str) -> PublicAddress:
    """The address of a machine that is called raspberrypi."""
    return PublicAddress(
        host,
        lambda: "192.0.2.7",
        names=lambda: ("raspberrypi", "raspberrypi.local"),
        owns=OWN.__contains__,
    )


@each_scene(__file__, "addresses.txt")
def test_a_phone_is_never_sent_to_itself(ruling):
    for (_, line), host in product(ruling.lines, ("0.0.0.0", "::", "0", "::0")):
        asked, shown = line.strip().split(" => ")
        assert own(host).url(asked, 8000) == shown, line


@pytest.mark.parametrize("asked", ["localhost", "127.0.0.1", "[::1]", "pi.local", "192.0.2.9"])
def test_pages_served_on_one_address_name_no_other(asked):
    for host in ("127.0.0.1", "localhost", "::1", *OWN, "raspberrypi.local"):
        address, shown = own(host), f"[{host}]" if ":" in host else host
        assert address.url(f"http://{asked}:8000/", 8000) == f"http://{shown}:8000/"
        assert address.url(f"https://{asked}/", 443) == f"https://{shown}/"


def test_this_machine_has_a_name_that_others_can_use():
    shown = PublicAddress().url("http://localhost:8000/", 8000)
    assert re.fullmatch(r"http://([0-9.]+|[^/]+\.local):8000/", shown)
    assert not shown.startswith(("http://127.", "http://localhost"))


NOT_OURS = ("203.0.113.1", "2001:db8::1")
BOUND = ("0.0.0.0", "224.0.0.1", "255.255.255.255", "ff02::1")
"""A server can be bound to these, and nobody reaches it by them."""


def test_this_machine_knows_its_addresses():
    assert all(map(is_own_address, ("127.0.0.1", "::1")))
    assert not any(map(is_own_address, (*NOT_OURS, *BOUND)))


def test_this_machine_knows_its_names():
    assert {name.removesuffix(".local") for name in own_names()} == {
        socket.gethostname().lower().removesuffix(".local")
    }


def test_a_page_of_this_machine_follows_its_address(site):
    names = ["192.0.2.7"]
    site.furnish(address=PublicAddress(find=lambda: names[-1]))
    for page in (site.host.open("/seat").text, site.stranger.open("/table").text):
        assert "http://192.0.2.7" in re.sub("<[^>]+>", "", page)
        assert "http://localhost" not in page
    stream = site.stranger.client.get("/live/table", buffered=False).response
    assert b"http://192.0.2.7/" in next(iter(stream))
    names.append("192.0.2.8")
    site.streams.notify()
    shown = next(iter(stream)).decode()
    assert "http://192.0.2.8/" in shown
    assert quote("http://192.0.2.8/", safe="/") in shown


# Cards that are entered


def dealt(tmp_path, phones=None, chance=None, **options) -> Site:
    """A table that has begun to deal, by these options."""
    site = Site(tmp_path, phones=phones, chance=chance)
    for option, value in options.items():
        assert site.host.post("/game/options", option=option, value=value).status_code == 204
    return site.start()


def enter(site: Site, seat: int, phone: Phone | None = None, **cards):
    number = site.view.dealing.round
    return (phone or site.phones[seat]).post("/cards/enter", seat=seat, round=number, **cards)


ROLE_NAMES = [*WORDS.roles.values(), *Role]


def test_no_page_shows_what_anybody_entered(tmp_path):
    seen = []
    for number, (role, character) in enumerate(
        [("sheriff", "willy_the_kid"), ("outlaw", "bart_cassidy"), ("renegade", "sid_ketchum")]
    ):
        site = dealt(tmp_path / str(number), phones=3, roles="cards", characters="cards")
        assert enter(site, 1, role=role, character=character).status_code == 204
        assert enter(site, 3, site.host, role=role, character=character).status_code == 204
        seen.append(audiences(site))
        assert WORDS.roles[Role(role)] in site.phones[1].post("/role/1").text
        assert WORDS.roles[Role(role)] in site.host.post("/role/3").text
        for phone, seat in ((site.host, 1), (site.phones[2], 1), (site.phones[2], 3)):
            assert reason(phone.post(f"/role/{seat}"), 403)
    assert seen[0] == seen[1] == seen[2]
    own = seen[0]["1 seat"]
    assert not [name for name in ROLE_NAMES if re.search(rf"\b{name}\b", own)], "not even to itself"


def test_no_page_but_ones_own_shows_the_two_to_choose_from(tmp_path):
    seen = []
    for number, characters in enumerate((PLAIN, PLAIN[::-1])):
        folder, dealer = tmp_path / str(number), Dealer("soro", characters)
        site = dealt(folder, chance=dealer, characters="choice")
        assert WORDS.characters[characters[0]].name in site.host.live("seat")
        pages = {who: page for who, page in audiences(site).items() if not who.startswith("0 ")}
        seen.append({who: page for who, page in pages.items() if who.startswith("stranger")})
        for name in (WORDS.characters[character].name for character in characters[:2]):
            assert name not in "".join(pages.values())
        assert enter(site, 0, character=characters[1]).status_code == 204
        assert WORDS.characters[characters[1]].name not in site.host.live("seat")
    assert seen[0] == seen[1]


def test_nothing_of_the_cards_reaches_the_log(tmp_path, caplog):
    caplog.set_level(0)
    site = dealt(tmp_path, roles="cards", characters="cards")
    for seat, role in enumerate(["sheriff", "outlaw", "renegade", "renegade"]):
        enter(site, seat, role=role, character=PLAIN[seat])
    enter(site, 0, role="joker", character="joker")
    site.host.post("/role/0")
    site.phones[1].post("/cards/again", seat=1, round=site.view.dealing.round)
    assert not [name for name in (*Role, *PLAIN) if name in caplog.text]
