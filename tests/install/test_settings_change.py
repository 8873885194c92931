"""Root changes the settings file as the table asks, and the table runs with it or as before."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from asked_machine import AskedMachine
from installer import places, settings
from installer.machine import InstallError
from places import ROOT

from companion.settings import load

pytestmark = pytest.mark.processes

FILE = "port = 80  # typed\n\n[mqtt]\nhost = 'broker'\nname = 'corner'\n"


CHANGED: dict[tuple[str, str], str] = {}
"""What the program printed, by the file and the changes that it was given."""


class Pi(AskedMachine):
    """A machine with a version, which runs what changes settings for real."""

    def __init__(self, folder: Path) -> None:
        self.starts: Callable[[str], bool] = lambda text: True
        super().__init__(folder, settings, settings.change_settings, settings.BEFORE)
        self.file = self.path(places.SETTINGS)
        self.file.write_text(FILE)
        self.file.chmod(0o640)

    def run(self, *command: object, env: Mapping[str, str] | None = None, given: str = "") -> str:
        words = [str(word) for word in command]
        if "companion.settings_file" not in words:
            return super().run(*command, env=env)
        asked = self.file.read_text(), given
        if asked not in CHANGED:
            done = subprocess.run([sys.executable, *words[1:]], input=given, capture_output=True,
                                  text=True, cwd=ROOT, env={"PYTHONPATH": str(ROOT)})  # fmt: skip
            if done.returncode:
                raise InstallError(done.stderr)
            CHANGED[asked] = done.stdout
        return CHANGED[asked]

    def _start(self) -> bool:
        return self.starts(self.file.read_text()) if hasattr(self, "file") else super()._start()

    def ask(self, changes: Mapping[str, object], code: str = "") -> str:
        """Ask for changes, and return why nothing has changed."""
        return self.answer(json.dumps({"changes": json.dumps(changes), "code": code}))

    def answer(self, asked: str) -> str:
        self.request.write_text(asked)
        self.act()
        return self.fault

    @property
    def fault(self) -> str:
        """How it ended, which is all that the page is told."""
        (said,) = self.told.items()
        assert said[0] == "fault"
        return said[1]


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path / "root")


def test_the_file_keeps_its_comments_mode_and_all_else(pi):
    assert pi.ask({"camera": "usb:0", "pins.green": 5}) == ""
    text = pi.file.read_text()
    assert "port = 80  # typed\n" in text
    assert "[mqtt]\nhost = 'broker'\nname = 'corner'\n" in text
    assert (load(pi.file).camera, load(pi.file).pins.green) == ("usb:0", 5)
    assert pi.file.stat().st_mode & 0o777 == 0o640


def test_the_owners_things_take_the_owners_code_which_works_once(pi):
    code = pi.code
    for wrong in ("", "abcd", code[:-1]):
        assert pi.ask({"mqtt.host": "mine"}, wrong) == "code"
        assert pi.ask({"camera": "none", "mqtt.port": 1}, wrong) == "code"
    assert pi.file.read_text() == FILE
    assert pi.code == code
    # A mistake costs no code.
    assert pi.ask({"mqtt.name": ""}, code) == "mistake"
    assert pi.code == code
    assert pi.ask({"mqtt.host": "attic"}, code.upper()) == ""
    assert load(pi.file).mqtt.host == "attic"
    assert pi.ask({"mqtt.host": "mine"}, code) == "code"


@pytest.mark.parametrize(
    "changes",
    [{"port": 81}, {"data": "/"}, {"sound.device": "file:'|sh'"}, {"mqtt.ca": "/etc/shadow"},
     {"camera": "/etc"}, {"pins": {"green": 5}}, {"pins.green": "5"}, {"": 1}, {"a.b.c": 1},
     {"hotspot.key": "12345678"}],
)  # fmt: skip
def test_a_table_that_somebody_broke_into_asks_for_nothing_more(pi, changes):
    assert pi.ask(changes, pi.code) == "mistake"
    assert pi.file.read_text() == FILE


@pytest.mark.parametrize(
    "asked", ["{}", '{"changes": "[1]"}', '{"changes": "["}', '{"changes": "%s"}' % ("[" * 5000)],
    ids=lambda asked: asked[:20],
)  # fmt: skip
def test_what_is_no_change_changes_nothing(pi, asked):
    assert pi.answer(asked) == "failed"
    assert pi.file.read_text() == FILE


def test_a_link_in_the_place_of_the_request_is_taken_away(pi, tmp_path):
    (tmp_path / "elsewhere").write_text(json.dumps({"changes": '{"camera": "none"}'}))
    pi.request.symlink_to(tmp_path / "elsewhere")
    pi.act()
    assert pi.fault == "failed"
    assert not pi.request.is_symlink()
    assert pi.file.read_text() == FILE


def test_a_table_that_does_not_start_gets_its_settings_back(pi):
    pi.starts = lambda text: "usb:1" not in text
    assert pi.ask({"camera": "usb:1"}) == "failed"
    assert pi.file.read_text() == FILE


def test_nothing_is_changed_while_an_update_runs(pi):
    pi.path(settings.UPDATING).mkdir(parents=True)
    assert pi.ask({"camera": "none"}) == "busy"
    assert pi.file.read_text() == FILE


HOTSPOT = '[hotspot]\nname = "BANG"\nkey = "abcdefgh2345"\n'


def connection(pi: Pi) -> str:
    pi.file.write_text(FILE + HOTSPOT)
    path = pi.path(places.HOTSPOT)
    path.parent.mkdir(parents=True)
    text = (ROOT / "systemd/hotspot.nmconnection").read_text()
    text = text.replace("@NAME@", "BANG").replace("@KEY@", "abcdefgh2345")
    path.write_text(text)
    return text


def test_the_pis_own_wifi_is_called_as_the_settings_say(pi):
    before = connection(pi)
    changes = {"hotspot.name": "Saloon 2", "hotspot.key": "a \\1 b c"}
    assert pi.ask(changes) == "code"
    assert pi.path(places.HOTSPOT).read_text() == before
    assert pi.ask(changes, pi.code) == ""
    text = pi.path(places.HOTSPOT).read_text()
    assert "\nssid=Saloon 2\n" in text
    # As GLib's key files have it.
    assert "\npsk=a\\s\\\\1\\sb\\sc\n" in text
    assert set(before.splitlines()) - set(text.splitlines()) == {"ssid=BANG", "psk=abcdefgh2345"}
    assert pi.path(places.HOTSPOT).stat().st_mode & 0o777 == 0o600
    assert pi.ask({"camera": "none"}) == ""
    assert pi.path(places.HOTSPOT).read_text() == text


def test_a_plug_pulled_leaves_the_wifi_as_the_settings_say(tmp_path):
    for number in range(1, 9):
        pi = Pi(tmp_path / str(number))
        connection(pi)
        pulled = _cut(pi, number, {"hotspot.name": "Saloon"}, pi.code)
        _cut(pi, 99, None)
        name = load(pi.file).hotspot.name
        assert f"\nssid={name}\n" in pi.path(places.HOTSPOT).read_text()
        if not pulled:
            break
    assert (name, number > 2) == ("Saloon", True)


@pytest.mark.parametrize("starts", [True, False], ids=["the table starts", "it does not"])
def test_a_plug_pulled_twice_leaves_settings_that_the_table_runs_with(tmp_path, starts):
    """Power is cut at each call of systemd, then at each one of the start after that."""
    cuts = 0
    for first in range(1, 9):
        for second in range(1, 9):
            pi = Pi(tmp_path / f"{first}-{second}")
            pi.starts = lambda text: starts or "usb:1" not in text
            pulled = [_cut(pi, first, {"camera": "usb:1"}), _cut(pi, second, None)]
            _cut(pi, 99, None)
            assert not pi.left.exists()
            # The host reads how it ended, whatever was cut.
            assert pi.fault in ("", "failed")
            assert load(pi.file).camera in (("auto", "usb:1") if starts else ("auto",))
            cuts += sum(pulled)
            if not any(pulled):
                break
    assert cuts > 4


def _cut(pi: Pi, number: int, changes: Mapping[str, object] | None, code: str = "") -> bool:
    """Change settings, or what is left after a start; return whether the power was cut."""
    if changes is not None:
        pi.request.write_text(json.dumps({"changes": json.dumps(changes), "code": code}))
    pulled = pi.cut(number, lambda: settings.change_settings(pi), "systemctl")
    if pulled:
        for left in pi.request.parent.iterdir():
            left.unlink()
    return pulled
