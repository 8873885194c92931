"""The host chooses the Pi's Wi-Fi on a page, and no key or name does harm."""

import logging
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from helped import Helped

from companion.setup.machine.helper import RootHelper
from companion.setup.machine.wifi import OUTCOMES, Wifi

BARN, CAFE, SCHOOL = (name.encode().hex() for name in ("Barn", "Café", "School"))
CODE, KEY = "abcd-efgh-jkmn", "a secret key"
STATUS: Mapping[str, object] = {
    "networks": [
        {"name": CAFE, "signal": 90, "lock": ""},
        {"name": BARN, "signal": 50, "lock": "wpa-psk"},
        {"name": SCHOOL, "signal": 9, "lock": "other"},
    ],
    "here": CAFE, "own": "", "step": "", "fault": None,
}  # fmt: skip


class Pi(Helped):
    """A table in a Wi-Fi that the host can change."""

    shown = "/machine/wifi"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.wifi = Wifi(self.site.table, self.helper)
        self.site.furnish(wifi=self.wifi)
        self.tell()

    def tell(self, **said: object) -> None:
        super().tell(**STATUS | said)

    def join(self, **given: str) -> int:
        return self.press("join", **{"network": BARN, "key": KEY, "code": CODE} | given)

    def come(self, address: str = "192.168.1.30") -> None:
        """Open a page on another machine."""
        self.site.stranger.client.get("/", environ_base={"REMOTE_ADDR": address})


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def test_the_host_looks_chooses_and_tries(pi):
    assert "/machine/wifi" in pi.site.host.open("/machine").text
    page = pi.page()
    assert "The Pi is in the Wi-Fi Café." in page
    assert re.search("Café.*strong, open.*Barn.*fair, with a key.*School.*weak, takes", page, re.S)
    assert f'value="{SCHOOL}" disabled' in page
    assert {"network", "key", "code"} <= set(re.findall(r'name="(\w+)"', page))
    assert pi.press("look") == 204
    assert pi.request == {"do": "look"}
    assert "the Pi looks which networks" in pi.page()
    pi.tell()
    assert pi.join(version="0") == 409
    assert pi.join() == 204
    assert pi.request == {"do": "join", "network": BARN, "key": KEY, "code": CODE}
    assert pi.places.request.stat().st_mode & 0o777 == 0o600
    assert pi.join() == 422
    assert "the last press isn’t done yet" in pi.said


@pytest.mark.parametrize("word", [*OUTCOMES, "a word of a later installer"])
def test_how_it_ended_is_told_to_the_next_host_who_comes(pi, word):
    pi.tell(network=BARN, step="joining")
    assert pi.wifi.notice().startswith("The Pi changes to another Wi-Fi: Barn.")
    pi.tell(network=BARN, fault=word)
    assert pi.wifi.notice() == ""
    expected = OUTCOMES.get(word, OUTCOMES["failed"]).text % {"network": "Barn"}
    assert expected in pi.page()
    # So does a table that has started since.
    pi.site.furnish(wifi=Wifi(pi.site.table, RootHelper(pi.places)))
    assert expected in pi.page()


def test_a_network_that_is_tried_stays_once_another_machine_opens_a_page(pi):
    for step in ("looking", "joining", ""):
        pi.tell(network=BARN, step=step)
        pi.come()
        assert pi.request is None
    pi.tell(network=BARN, step="waiting")
    # The Pi itself asks for the page: the watchdog, or a screen at it.
    for own in ("127.0.0.1", "::1"):
        pi.come(own)
        assert pi.request is None
    pi.come()
    assert pi.request == {"do": "stay"}


def test_only_a_network_of_the_list_is_asked_for_by_what_can_be_its_key(pi):
    for network in ("00", "", SCHOOL, "../x", BARN + "\n"):
        assert pi.join(network=network) == 422
        assert "choose a network of the list" in pi.said
    for key in ("", "short", "x" * 64, "line\nbreak", "ключключ"):
        assert pi.join(key=key) == 422
        assert "8 to 63" in pi.said
    assert pi.request is None


def test_the_key_is_on_no_page_and_in_no_log(pi, caplog):
    caplog.set_level(logging.DEBUG)
    assert pi.join() == 204
    pi.places.request.unlink()
    assert pi.join(network="00") == 422
    for text in (pi.page(), pi.said, caplog.text, pi.site.phones[1].open("/seat").text):
        assert not re.search(f"{KEY}|{CODE}", text)
    assert BARN in caplog.text
    kept = [file.read_bytes() for file in pi.site.folder.rglob("*") if file.is_file()]
    assert not any(KEY.encode() in content for content in kept)


HOSTILE = {
    b"<script>alert(1)</script>": "&lt;script&gt;alert(1)&lt;/script&gt;",
    b'"><img src=x>': "&#34;&gt;&lt;img src=x&gt;",
    b"a:b\\c": "a:b\\c",
    b"\x1b[2J\x00\r\n\x7f": "\ufffd[2J\ufffd\ufffd\ufffd\ufffd",
    "‮evil‏\u200b".encode(): "\ufffdevil\ufffd\ufffd",
    b"\xff\xc3": "\ufffd\ufffd",
    b"{{ 7*7 }}%(network)s": "{{ 7*7 }}%(network)s",
    bytes(range(0xE0, 0x100)): "\ufffd" * 32,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_shown_harmlessly(pi, name):
    network = {"name": name.hex(), "signal": 50, "lock": ""}
    pi.tell(networks=[network], here=name.hex(), network=name.hex(), fault="failed")
    page = pi.site.host.open("/machine/wifi").text
    assert f"<bdi>{HOSTILE[name]}</bdi>" in page
    assert f"couldn’t join {HOSTILE[name]}, " in page
    assert pi.join(network=name.hex(), key="") == 204


@pytest.mark.parametrize("text", ["", "[]", "{", '{"networks": 7}', '{"networks": [{}]}',
                                  '{"networks": [{"name": "zz", "signal": "x", "lock": 0}]}',
                                  '{"here": "zz", "fault": [], "network": {}}'])  # fmt: skip
def test_half_a_word_of_roots_harms_nothing(pi, text):
    pi.places.status.write_text(text)
    assert "Look for networks" in pi.page()


def test_before_root_has_looked_the_page_doesnt_say_where_the_pi_is(pi):
    pi.tell(here="")
    assert "The Pi is in no Wi-Fi." in pi.page()
    pi.places.status.unlink()
    page = pi.page()
    assert "The Pi is in" not in page
    assert "The Pi hasn’t heard any network yet." in page


def test_where_nothing_waits_the_page_says_so(pi):
    pi.places.waits.unlink()
    assert "changed by hand" in pi.page()
    assert "/machine/wifi" not in pi.site.host.open("/machine").text
    assert pi.join() == 422
