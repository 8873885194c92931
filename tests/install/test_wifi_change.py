"""Root joins a Wi-Fi as the table asks, and comes back if it fails or nobody comes there."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from asked_machine import AskedMachine
from installer import places, wifi
from installer.machine import InstallError
from installer.update import MOST_REQUEST
from installer.wifi import MOST, TRIAL, WAIT_S

HOME, OWN = "11111111-2222-3333-4444-555555555555", "66666666-7777-8888-9999-000000000000"
BANG, BARN = b"BANG".hex(), b"Barn".hex()
KEY = "a key: with\\ \"signs' and a space "
LISTED = f"{BARN.upper()}:40:WPA2:\n{BARN.upper()}:81:WPA1 WPA2:\n43616665:90::\n"


class Pi(AskedMachine):
    """A machine with a NetworkManager, as far as `nmcli` shows it.

    keys: of the networks that are there; before: the connection that the Pi has.
    """

    def __init__(self, folder: Path, before: str = HOME) -> None:
        super().__init__(folder, wifi, wifi.change_wifi, TRIAL)
        self.path(places.HOTSPOT.parent).mkdir(parents=True)
        self.keys, self.up, self.listed = {BARN: KEY}, before, LISTED
        self.said: list[str] = []
        self.waited = 0
        self.comes: Callable[[], None] = lambda: None
        self._commands = {**self._commands, "nmcli": self._nmcli}

    def reboot(self) -> None:
        """Pull the plug, and put it in again where the home's network is."""
        self.boot()
        self.make_places()
        self.up = HOME

    def pause(self, seconds: float) -> None:
        self.waited += 1
        self.comes()

    def _nmcli(self, words: list[str]) -> str:
        self.said.append(" ".join(words))
        if "wifi" in words:
            return self.listed
        if "--active" in words:
            return f"{OWN}:802-3-ethernet\n" + f"{self.up}:802-11-wireless\n" * bool(self.up)
        if "up" in words:
            self._join(words[-1])
        elif "reload" in words and not self._profile(self.up) and self.up not in (HOME, OWN):
            self.up = ""
        return ""

    def _join(self, number: str) -> None:
        profile = "" if number in (HOME, OWN) else self._profile(number)
        if profile:
            found = re.search(r"ssid=([\d;]+)", profile)
            name = bytes(map(int, found[1].split(";")[:-1])).hex() if found else ""
            key = re.search("psk=(.*)", profile)
            given = re.sub(r"\\(.)", lambda f: {"s": " "}.get(f[1], f[1]), key[1]) if key else ""
            self.up = ""
            if name not in self.keys:
                raise InstallError("Error: the network could not be found.")
            if self.keys[name] != given:
                raise InstallError("Error: (7) Secrets were required, but not provided.")
        self.up = number

    def _profile(self, number: str) -> str:
        """What NetworkManager reads of a connection: memory comes before the disk."""
        files = [self.left, *self.path(places.HOTSPOT.parent).glob("*")]
        texts = (file.read_text() for file in files if file.exists())
        return next((text for text in texts if f"uuid={number}\n" in text), "")

    @property
    def kept(self) -> list[Path]:
        return list(self.path(places.HOTSPOT.parent).glob("bang-wifi-*"))

    def ask(self, **asked: str) -> str | None:
        """Leave a request, do it, and return how it ended."""
        return self.answer(json.dumps(asked))["fault"]

    def join(self, name: str = BARN, key: str = KEY, code: str | None = None) -> str | None:
        code = self.code if code is None else code
        return self.ask(do="join", network=name, key=key, code=code)

    def stay(self) -> None:
        self.request.write_text(json.dumps({"do": "stay"}))


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    made = Pi(tmp_path / "root")
    assert made.ask(do="look") is None
    return made


def test_networks_are_told_once_each_and_the_strongest_first(pi):
    barn = {"name": BARN, "signal": 81, "lock": "wpa-psk"}
    cafe = {"name": b"Cafe".hex(), "signal": 90, "lock": ""}
    assert pi.told["networks"] == [cafe, barn]
    pi.listed = "".join(f"{number:04X}:{number}:WPA3:\n" for number in range(1, 90))
    pi.ask(do="look")
    told = pi.told["networks"]
    assert len(told) == MOST
    assert told[0] == {"name": f"{89:04x}", "signal": 89, "lock": "sae"}


@pytest.mark.parametrize(
    ("security", "lock"),
    [("", ""), ("--", ""), ("OWE-TM", ""), ("WPA2", "wpa-psk"), ("WPA2 WPA3", "wpa-psk"),
     ("WPA3", "sae"), ("WEP", "other"), ("WPA2 802.1X", "other"), ("OWE", "other")],
)  # fmt: skip
def test_what_locks_a_network_is_told(pi, security, lock):
    pi.listed = f"{BARN.upper()}:40:{security}:*\n"
    pi.ask(do="look")
    assert pi.told["networks"] == [{"name": BARN, "signal": 40, "lock": lock}]
    assert pi.told["here"] == BARN
    if lock == "other":
        assert pi.join() == "gone"


@pytest.mark.parametrize(
    "line",
    ["0000:50:WPA2:", ":50:WPA2:", "4:50:WPA2:", "41:x:WPA2:", "41:50:\x1b[2J:", "41:5", "é"],
)
def test_what_no_network_is_like_is_passed_over(pi, line):
    pi.listed = f"{line}\n" * 3 + "FF00FE:7:WPA2:\n"
    pi.ask(do="look")
    assert pi.told["networks"] == [{"name": "ff00fe", "signal": 7, "lock": "wpa-psk"}]


def test_a_network_stays_once_somebody_has_opened_a_page_there(pi):
    code, steps = pi.code, []

    def comes() -> None:
        steps.append(pi.told["step"])
        assert pi.left.stat().st_mode & 0o777 == 0o600
        assert "autoconnect=false\n" in pi.left.read_text()
        assert not pi.kept
        if pi.waited == 3:
            pi.stay()

    pi.comes = comes
    assert pi.join() == ""
    assert steps == ["waiting"] * 3
    (file,) = pi.kept
    assert "autoconnect=true\n" in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    assert f"uuid={pi.up}\n" in file.read_text()
    assert pi.code != code
    assert pi.ask(do="stay") == "", "another page was opened just then: it is told all the same"
    assert KEY not in " ".join([*pi.said, json.dumps(pi.told)])
    # The same network again, with another key: its file is replaced.
    pi.keys[BARN], pi.comes = "another key", pi.stay
    assert pi.join(key="another key") == ""
    assert pi.kept == [file]
    assert "psk=another\\skey\n" in file.read_text()


@pytest.mark.parametrize("before", [HOME, OWN])
@pytest.mark.parametrize(
    ("keys", "key", "fault"),
    [({BARN: KEY}, "a wrong one", "key"), ({}, KEY, "failed"), ({BARN: KEY}, KEY, "nobody")],
)
def test_the_pi_comes_back_to_where_it_was(pi, before, keys, key, fault):
    pi.up, pi.keys, code = before, keys, pi.code
    opened = os.listdir("/proc/self/fd")
    assert pi.join(key=key) == fault
    assert len(os.listdir("/proc/self/fd")) == len(opened), "each look closes what it opens"
    assert (pi.up, pi.kept, pi.code) == (before, [], code)
    assert pi.waited == (WAIT_S if fault == "nobody" else 0)
    assert pi.told["network"] == BARN


def test_a_pi_that_knows_no_way_back_opens_its_own_wifi(tmp_path):
    pi = Pi(tmp_path / "root", before="")
    pi.ask(do="look")
    asked: list[str] = []
    pi.attempt = asked.append
    assert pi.join(key="a wrong one") == "key"
    assert "systemctl --no-block" in asked


NAMES = ("", "zz", "42:61", "$(reboot)", "Barn", f"{BARN}\nuuid", BARN * 20, b"Attic".hex())
KEYS = ("", "short", "x" * 64, "key\nssid=1;", "ключключ", "\x00" * 9)
CODES = ("", "abcd", "aaaa-bbbb-cccc")


@pytest.mark.parametrize(
    ("asked", "fault"),
    [*(({"name": name}, "gone") for name in NAMES), *(({"key": key}, "key") for key in KEYS),
     *(({"code": code}, "code") for code in CODES)],
)  # fmt: skip
def test_only_what_was_heard_and_can_be_a_key_is_tried_by_the_owners_code(pi, asked, fault):
    assert pi.join(**asked) == fault
    assert pi.up == HOME
    assert not [said for said in pi.said if " up " in said]


@pytest.mark.parametrize(
    "name", [b"\"';|&`$(reboot)`", bytes(range(1, 33)), b"\xff\xfe", b"[wifi]\n"]
)
def test_a_hostile_name_is_joined_by_its_bytes(pi, name):
    pi.listed = f"{name.hex().upper()}:50:WPA2:\n"
    pi.keys, pi.comes = {name.hex(): KEY}, pi.stay
    pi.ask(do="look")
    assert pi.join(name.hex()) == ""
    assert pi.up not in (HOME, OWN)
    assert not [said for said in pi.said if name.decode(errors="replace") in said]


def test_while_its_own_wifi_is_open_the_pi_remembers_what_it_heard_before(pi):
    pi.path(places.HOTSPOT).write_text("[wifi]\nssid=BANG\n")
    before = pi.told["networks"]
    pi.listed = f"{BANG.upper()}:100:WPA2:*\n"
    pi.ask(do="look")
    told = pi.told
    assert (told["networks"], told["here"], told["own"]) == (before, BANG, BANG)


@pytest.mark.parametrize("asked", ["", "[]", "{}", '{"do": "join', "x" * (MOST_REQUEST + 1)])
def test_half_a_request_only_has_the_pi_look(pi, asked):
    assert (pi.answer(asked)["fault"], pi.up) == (None, HOME)


def test_a_link_in_the_place_of_the_request_ends_a_trial(pi):
    pi.comes = lambda: pi.request.symlink_to("/etc/shadow")
    assert pi.join() == "failed"
    assert pi.up == HOME


def test_where_there_is_no_network_manager_it_is_said(pi):
    def missing(name: str) -> None:
        if name.startswith("nmcli"):
            raise InstallError("nmcli: No such file or directory")

    pi.attempt = missing
    assert pi.join() == "failed"


def test_a_plug_pulled_twice_leaves_the_network_of_before_or_the_new_one(tmp_path):
    """Power is cut at each command of a trial, and in the trial after that."""
    cuts = 0
    for first in range(1, 12):
        pi = Pi(tmp_path / str(first))
        for number in (first, 12 - first):
            wifi.change_wifi(pi)
            pi.comes = pi.stay
            cuts += pi.cut(number, pi.join)
            pi.reboot()
            assert not pi.left.exists()
            for file in pi.kept:
                assert f"psk={KEY[:5].replace(' ', chr(92) + 's')}" in file.read_text()
    assert cuts > 6


def test_a_trial_that_was_killed_is_settled_by_the_next_start(pi):
    """The unit is started again, because the trial's file is there."""
    for number in range(1, 9):
        if not pi.cut(number, pi.join):
            break
        wifi.change_wifi(pi)
        assert (pi.up, pi.told["step"]) == (HOME, "")
        assert not pi.left.exists()
        pi.request.unlink(missing_ok=True)
    assert number > 3
