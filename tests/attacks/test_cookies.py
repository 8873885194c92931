"""Other pages' cookies: `make attack ATTACKS=cookies` sends a thousand requests with them."""

from werkzeug.http import dump_cookie, parse_cookie

from tests.tools.attacks.cookies import REFUSED, Jar, nobody_waits
from web import access
from web.access import HTTPS, NAME, SEAT, VISIT
from web.hall.access import ORGANISER
from web.language import LANGUAGE
from web.serving.cookies import NAMES, own_cookies


def test_among_malformed_and_huge_cookies_each_phone_is_answered_and_known(tmp_path):
    with nobody_waits():
        jar = Jar(tmp_path, seed=3)
        jar.go_on(6)
        jar.close()
    assert jar.holds(), jar.figures
    assert set(jar.answers) == {200, *REFUSED.values()}


def test_a_table_that_reads_cookies_as_they_come_is_found_out(tmp_path, monkeypatch):
    monkeypatch.setattr(access, "own_cookies", lambda header, *_: header)
    with nobody_waits():
        jar = Jar(tmp_path, seed=3)
        jar.go_on(2)
        jar.close()
    assert jar.figures["not known"]


def test_all_our_cookies_are_found_whatever_they_hold():
    assert set(NAMES) == {SEAT, VISIT, NAME, LANGUAGE, ORGANISER, HTTPS}
    for value in ("Ann", "Ann B", '"The Kid", a\\b;', "é", "\U0001f600" * 20, "王", ""):
        pair = dump_cookie(NAME, value).partition("; Path")[0]
        header = f"other=\xff;a; {pair}; {SEAT}=abc"
        assert parse_cookie(own_cookies(header)) == {NAME: [value], SEAT: ["abc"]}


def test_of_one_name_the_seat_at_the_table_counts_or_else_the_last():
    header = "seat=forged; visit=a; seat=mine; visit=b; myseat=x; seat=old"
    assert own_cookies(header, lambda token: token == "mine") == "seat=mine; visit=b"
    assert own_cookies(header) == "seat=old; visit=b"


def test_of_one_name_that_of_https_counts_wherever_it_stands():
    header = "__Host-seat=mine; __Host-visit=a; seat=forged; visit=b; x__Host-name=x; __Host-x=y"
    assert own_cookies(header) == "seat=mine; visit=a"
    # A seat that was taken over HTTP, where that of HTTPS is of another evening.
    assert own_cookies(header, lambda token: token == "forged") == "seat=forged; visit=a"
