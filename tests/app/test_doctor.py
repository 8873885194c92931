"""The doctor against each mistake: for real where this machine allows, else on a Pi made up."""

import json
import multiprocessing
import os
import queue
import re
import shutil
import socket
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from string import Template

import cv2
import numpy as np
import pytest
from cases import cases
from disks import contents, fill, remount, root_only, small_disk
from gpiozero.pins.mock import MockFactory, MockPWMPin
from machines import Pi
from mosquitto import free_port
from places import ROOT, SAVED
from scenes import each_scene
from stand_ins import dice_game
from trays import rest
from waiting import wait_until

from companion.app.doctor import installation, report, trial
from companion.app.doctor.checks import CHECKS, examine
from companion.app.doctor.findings import Finding, Level
from companion.app.doctor.installation import Installation
from companion.games.registry import GAMES
from companion.settings import PinNumbers
from companion.table.journal.chain import link
from companion.table.journal.journal import BACKUP, FILE, Journal
from companion.table.journal.saved import Line, LineKind, Saved
from companion.table.table import Table
from hardware.light import LOOKS, Light
from hardware.machine import CommandResult, Machine, run_command
from hardware.pins import Pins
from vision.simulate.dice.tray import SimulatedDiceTray

pytestmark = pytest.mark.processes

SAVED = SAVED / "0.1.0"


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def found(examined: Installation, name: str) -> Finding:
    (check,) = (check for check in CHECKS if check.name == name)
    return check.find(examined)


def stick(pi: Pi, pin: str) -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    factory.pin(int(pin), pin_class=ToGround)
    pi.pins = Pins(factory, real=True, note="pins: LGPIOFactory")


class ToGround(MockPWMPin):
    """A pin that is wired to ground."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self.drive_low()


def darken(pi: Pi) -> None:
    cv2.imwrite(str(pi.picture), SimulatedDiceTray(seed=1).frame() // 12)


def answer(pi: Pi, status: int, said: str) -> None:
    command, _, text = said.partition(" | ")
    pi.answers[command] = CommandResult(status, *((text, "") if status == 0 else ("", text)))


def be_pi_5(pi: Pi, chips: str) -> None:
    """A Pi 5 whose gpiozero opens gpiochip4, as those of pip did until 2.0.1; `0:LABEL 4:LABEL`."""
    pi.write("/proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0")
    pi.labels = {int(chip[0]): chip[2:] for chip in chips.split()}
    for number in pi.labels:
        pi.write(f"/dev/gpiochip{number}", "")
    pi.pin_factory.chip = 4


def hear(pi: Pi, aplay: CommandResult | None) -> None:
    """A loudspeaker that is switched on; `aplay`: what it answers, None if it is missing."""
    pi.settings.update(sound={"effects": True, "announcer": True})
    pi.missing = ("pw-play", "espeak-ng", "piper", *(() if aplay else ("aplay",)))
    if aplay:
        pi.answers = {"aplay --version": CommandResult(0, "", ""), "aplay": aplay, **pi.answers}


def speak(pi: Pi) -> None:
    pi.missing = ()
    pi.answers = {"espeak-ng": CommandResult(0, "eSpeak NG", ""), **pi.answers}


def run_program(pi: Pi, said: str, opens: str = "") -> None:
    number, *words = said.split()
    pi.process(int(number), *words, opens=opens)


def table_runs(pi: Pi) -> None:
    pi.process(700, "/opt/bin/python", "-P", "-m", "companion", "run", "--data", str(pi.data))


STEPS: dict[str, Callable[[Pi, str], object]] = {
    "camera-fails": lambda pi, error: setattr(pi, "camera_error", error),
    "dark": lambda pi, _: darken(pi),
    "program": run_program,
    "camera-program": partial(run_program, opens="/dev/video0"),
    "pin-program": partial(run_program, opens="/dev/gpiochip0"),
    "ends": lambda pi, number: (pi.root / f"proc/{number}/cmdline").unlink(),
    "file": lambda pi, said: pi.write(*said.replace("\\n", "\n").split(" ", 1)),
    "data-file": lambda pi, said: (pi.data / said.split()[0]).write_text(said.split(" ", 1)[1]),
    "set": lambda pi, said: pi.settings.update(tomllib.loads(said)),
    "environment": lambda pi, said: pi.environ.update([said.split("=")]),
    "answers": lambda pi, said: answer(pi, 0, said.replace("\\n", "\n")),
    "errors": lambda pi, said: answer(pi, 1, said.replace("\\n", "\n")),
    "no-aplay": lambda pi, _: hear(pi, None),
    "aplay-plays": lambda pi, _: hear(pi, CommandResult(0, "", "")),
    "aplay-says": lambda pi, error: hear(pi, CommandResult(1, "", error.replace("\\n", "\n"))),
    "pins": lambda pi, note: setattr(pi, "pins", Pins(MockFactory(), real=False, note=note)),
    "plain-pins": lambda pi, _: setattr(pi, "pins", Pins(MockFactory(), real=True, note="x")),
    "pi-5": be_pi_5,
    "used": lambda pi, said: pi.used.update({int(said.split()[0]): said.split()[1]}),
    "stuck": stick,
    "clock": lambda pi, second: setattr(pi, "now", lambda: float(second)),
    "neighbour": Pi.neighbour,
    "table": lambda pi, _: table_runs(pi),
    "speaks": lambda pi, _: speak(pi),
    "settings": lambda pi, said: setattr(pi, "config", pi.write("/settings.toml", said)),
}
"""What is done to a Pi on which all was well, by the first word of a line."""


@each_scene(__file__, "doctor.txt")
def test_every_mistake_is_found_and_said_how_to_mend(pi, ruling):
    """Each with its steps, and `=> CHECK | LEVEL | WORDS | WORDS TO MEND IT`."""
    told = {"data": pi.data, "home": pi.home, "port": free_port(), "games": pi.root / "games"}
    for line in (line.strip() for _, line in ruling.lines):
        word, _, said = line.partition(" ")
        if word != "=>":
            STEPS[word](pi, Template(said).substitute(told))
            continue
        name, level, detail, mend = (*said.split(" | "), "", "")[:4]
        finding = found(pi.examined, name)
        assert finding.level is Level[level]
        assert detail in finding.detail
        assert mend in finding.mend
        assert bool(mend) == bool(finding.mend)
        assert "\n" not in finding.detail + finding.mend


def test_nothing_is_found_where_all_is_well(pi):
    # Who runs the tests may be root.
    findings = {name: finding for name, finding in examine(pi.examined) if name != "user"}
    assert {name: finding for name, finding in findings.items() if finding.level} == {}
    assert "820 x 616" in findings["camera"].detail
    assert findings["board"].detail.startswith("Raspberry Pi 4")
    assert findings["name"].detail.startswith("http://saloon.local")


@pytest.mark.parametrize("chips", ["0:pinctrl-rp1", "0:gpio-brcmstb@107d508500 4:pinctrl-rp1"])
def test_both_numberings_of_the_pi_5_are_right(pi, chips):
    """With a kernel before 6.6.47 the header is gpiochip4; later that is a link to gpiochip0."""
    be_pi_5(pi, chips)
    if "4:" not in chips:
        (pi.root / "dev/gpiochip4").symlink_to("gpiochip0")
    assert found(pi.examined, "pin library").level is Level.OK
    (header,) = (chip.number for chip in pi.machine.chips() if chip.header)
    assert header == max(pi.labels)


def test_a_check_that_fails_is_a_finding(pi, monkeypatch):
    monkeypatch.setattr(pi, "open_camera", lambda source: 1 / 0)
    finding = found(pi.examined, "camera")
    assert finding.level is Level.WRONG
    assert "ZeroDivisionError" in finding.detail
    assert "--report" in finding.mend


# For real


@root_only
def test_a_disk_that_is_full(pi, tmp_path):
    with small_disk(tmp_path) as card:
        fill(card)
        pi.settings["data"] = card
        finding = found(pi.examined, "disk")
    assert finding.level is Level.STOP
    assert finding.detail.startswith("0 MB")


@root_only
def test_a_card_that_is_read_only(pi, tmp_path):
    with small_disk(tmp_path) as card:
        remount(card, "ro")
        pi.settings["data"] = card / "games"
        finding = found(pi.examined, "card")
    assert finding.level is Level.STOP
    assert "read-only" in finding.detail


def as_nobody(look: Callable[[], Finding]) -> Finding:
    """What somebody without rights finds; for that root must step down in another process."""
    if os.geteuid() != 0:
        pytest.skip("only root may become somebody else")
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()

    def work() -> None:
        try:
            os.setgroups([])
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
            answers.put(look())
        except BaseException as error:
            answers.put(error)

    process = context.Process(target=work)
    process.start()
    answer: Finding | BaseException = answers.get()
    process.join()
    if isinstance(answer, BaseException):
        raise answer
    return answer


@pytest.fixture
def open_to_all(tmp_path: Path) -> Path:
    """Folders that others may pass through, as pytest's own may not be."""
    for folder in (tmp_path, *tmp_path.parents):
        if "pytest-of-" in str(folder):
            folder.chmod(0o755)
    return tmp_path


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize(
    ("path", "check", "detail", "mend"), cases("app/commands.txt", "What a user may not use")
)
def test_what_a_user_may_not_use_is_named(open_to_all, pi, path, check, detail, mend):
    device = path.startswith("/dev/")
    if device:
        pi.write(path, "").chmod(0o660)
    finding = as_nobody(lambda: found(pi.examined, check))
    assert finding.level is (Level.WRONG if device else Level.STOP)
    assert detail in finding.detail
    assert finding.mend.startswith(mend)


def test_root_looks_at_what_the_user_of_the_service_may(open_to_all, pi, monkeypatch):
    if os.geteuid() != 0:
        pytest.skip("this is for root")
    monkeypatch.setattr(installation, "SERVICE", "nobody")
    pi.write("/dev/video0", "").chmod(0o660)
    pi.write("/dev/gpiochip0", "").chmod(0o666)
    assert found(pi.examined, "user").level is Level.OK
    assert "nobody may not use /dev/video0" in found(pi.examined, "camera access").detail
    assert found(pi.examined, "pin access").level is Level.OK
    assert found(pi.examined, "data").level is Level.STOP
    os.chown(pi.data, 65534, 65534)
    assert found(pi.examined, "data").level is Level.OK


def test_the_settings_of_the_service_are_looked_at_where_it_is_installed(pi):
    pi.settings = {}
    pi.write("/etc/bang-companion/settings.toml", "port = 8123\ncamera = 'none'\n")
    (pi.root / "var/lib/bang-companion").mkdir(parents=True)
    examined = pi.examined
    assert examined.settings.port == 8123
    assert examined.settings.data == pi.root / "var/lib/bang-companion"
    assert examined.is_service
    pi.config = pi.write("/other.toml", "port = 8124\n")
    assert pi.examined.settings.port == 8124


@pytest.mark.parametrize(("typed", "known"), cases("app/commands.txt", "Programs"))
def test_the_running_table_is_told_from_other_programs(pi, typed, known):
    config = pi.write("/home/ann/table.toml", f"data = '{pi.data}'\n")
    *variables, program = Template(typed).substitute(data=pi.data, config=config).split(" $ ")
    pi.process(700, *program.split())
    if variables:
        pi.write("/proc/700/environ", "\0".join(["HOME=/nowhere", *variables]))
    assert (pi.examined.table is not None) == (known == "the table")


def test_a_port_that_another_process_serves(pi):
    code = (
        "import signal, socket; s = socket.create_server(('127.0.0.1', 0)); "
        "print(s.getsockname()[1], flush=True); signal.pause()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        pi.settings |= {"host": "127.0.0.1", "port": int(other.stdout.readline())}
        examined = pi.examined
        examined.machine = Machine()
        finding = found(examined, "port")
        other.kill()
    assert finding.level is Level.STOP
    assert f"(process {other.pid})" in finding.detail
    assert f"kill {other.pid}" in finding.mend


def test_the_port_of_the_table_that_runs(pi):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        pi.settings |= {"host": "127.0.0.1", "port": port}
        pi.listens(port, 4711)
        finding = found(pi.examined, "port")
        assert finding.level is Level.STOP
        assert "another user's program" in finding.detail
        table_runs(pi)
        (pi.root / "proc/700/fd/3").symlink_to("socket:[4711]")
        assert found(pi.examined, "port").level is Level.OK


def saved(folder: Path) -> Path:
    """Save a table that has just begun a game, as a killed one leaves it; return the file."""
    journal = Journal(folder)
    for count in range(100):
        lines = tuple([Line(LineKind.MOVE, "x" * 500)] * count)
        journal.save(Saved(count + 1, "ABCD", 1, 1, lines=lines))
    journal.close()
    return folder / FILE


def table_starts(folder: Path) -> None:
    """What a table does first."""
    with closing(Journal(folder)) as journal:
        Table(journal, GAMES, dice_game())


def test_games_of_an_earlier_format(pi):
    shutil.copytree(SAVED / "playing", pi.data, dirs_exist_ok=True)
    before = contents(pi.data)
    finding = found(pi.examined, "games")
    told = "the saved games are intact; the next start converts them from format 1 to format 3"
    assert finding == (Level.OK, told, "")
    assert contents(pi.data) == before
    # What it promises.
    table_starts(pi.data)
    assert found(pi.examined, "games").detail == "the saved games are intact"


def be_of_another_table(path: Path) -> None:
    saved(path.parent)
    first = {"format": 3, "companion": "0.3.0", "version": 1, "code": "WXYZ"}
    path.write_bytes(link(None, json.dumps(first)).line.ljust(4096, b"\0"))
    path.with_name(BACKUP).unlink()


def spoil(path: Path) -> None:
    data = bytearray(saved(path.parent).read_bytes())
    data[len(data) // 2 : len(data) // 2 + 4096] = os.urandom(4096)
    path.write_bytes(data)


NEWER = link(None, '{"format": 99, "companion": "9.0.0"}').line


@pytest.mark.parametrize(
    ("change", "level", "detail", "mend"),
    [
        (spoil, Level.WRONG, "is damaged", "start the table"),
        (lambda path: saved(path.parent).unlink(), Level.WRONG, "is missing", ""),
        (be_of_another_table, Level.WRONG, "is older than the last one saved here, or another", ""),
        (lambda path: path.write_bytes(NEWER), Level.STOP, "written by version 9.0.0 in format 99",
         "install the newer"),
    ],
)  # fmt: skip
def test_games_that_this_table_cannot_go_on_with(pi, change, level, detail, mend):
    change(pi.data / FILE)
    before = contents(pi.data)
    finding = found(pi.examined, "games")
    assert finding.level is level
    assert finding.detail.startswith(f"{pi.data / FILE}")
    assert detail in finding.detail
    assert mend in finding.mend
    assert contents(pi.data) == before
    if level is Level.WRONG:
        # What it promises.
        table_starts(pi.data)
        assert found(pi.examined, "games").level is Level.OK


def test_games_that_a_table_has_open(pi):
    saved(pi.data).write_bytes(b"half written")
    table_runs(pi)
    finding = found(pi.examined, "games")
    assert finding.level is Level.OK
    assert "in use" in finding.detail


def test_nothing_is_changed(pi):
    saved(pi.data)
    before = contents(pi.data)
    list(examine(pi.examined))
    assert contents(pi.data) == before
    pi.settings["data"] = pi.data / "not" / "there"
    list(examine(pi.examined))
    assert not (pi.data / "not").exists()


def test_a_module_that_does_not_load(pi, monkeypatch):
    """A new Python imports it, so that one that crashes takes nothing with it."""
    (pi.home / "cv2.py").write_text("raise ImportError('libGL.so.1: cannot open shared object')\n")
    monkeypatch.setenv("PYTHONPATH", str(pi.home))
    pi.answers = {}
    examined = pi.examined
    examined.machine.run = run_command
    assert "wants a screen" in found(examined, "opencv").detail


# By hand

NUMBERS = PinNumbers()


def tried(press: Callable[[MockFactory, str], None], patience: float = 20.0) -> dict[str, Finding]:
    """Try the buttons with somebody who answers each request by `press`."""
    factory = MockFactory(pin_class=MockPWMPin)
    said: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def person() -> None:
        while (asked := said.get()) is not None:
            press(factory, "green" if "green" in asked else "red")

    thread = threading.Thread(target=person)
    thread.start()
    try:
        return dict(trial.try_buttons(NUMBERS, factory, said.put, patience))
    finally:
        said.put(None)
        thread.join()


class Clock:
    """The clock of the buttons: it stands still but for the presses."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def push(self, factory: MockFactory, pin: int, *gaps: float) -> None:
        """Press and let go; `gaps`: seconds between the edges of a contact that bounces."""
        contact = factory.pin(pin)
        contact.drive_low()
        for number, gap in enumerate(gaps):
            self.now += gap
            (contact.drive_low if number % 2 else contact.drive_high)()
        self.now += 0.02
        contact.drive_high()


@pytest.fixture
def push(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    clock = Clock()
    monkeypatch.setattr("hardware.buttons.time", clock)
    return clock.push


OTHER = {"green": NUMBERS.red, "red": NUMBERS.green}


def test_buttons_that_are_tried_are_right_swapped_or_bounce_for_long(push):
    right = tried(lambda factory, name: push(factory, getattr(NUMBERS, name)))
    swapped = tried(lambda factory, name: push(factory, OTHER[name]))
    bounces = tried(lambda factory, name: push(factory, getattr(NUMBERS, name), 0.05, 0.05))
    for findings, level, detail, mend in (
        (right, Level.OK, "pressed", ""),
        (swapped, Level.WRONG, "swapped", "pins.green = 27 and pins.red = 17"),
        (bounces, Level.NOTE, "4 edges", ""),
    ):
        assert [finding.level for finding in findings.values()] == [level, level]
        assert detail in findings["green button"].detail
        assert mend in findings["green button"].mend


def test_buttons_without_wires():
    findings = tried(lambda factory, name: None, patience=0.05)
    assert "no press" in findings["green button"].detail
    assert "GPIO 17, pin 11" in findings["green button"].mend


@pytest.mark.parametrize("sees", [True, False])
def test_the_light_shows_its_colours_and_a_person_is_asked(sees):
    factory = MockFactory(pin_class=MockPWMPin)
    shown: list[Light] = []

    def ask(question: str) -> str:
        pins = (NUMBERS.light_red, NUMBERS.light_green, NUMBERS.light_blue)
        states = [state for wanted, state in trial.LOOKS.items() if wanted in question]
        colours = [LOOKS[state].colour for state in states]
        wait_until(lambda: [tuple(factory.pin(pin).state for pin in pins)] == colours)
        shown.extend(states)
        return "y\n" if sees else "n\n"

    findings = dict(trial.try_light(NUMBERS, 0, factory, ask))
    assert shown == list(trial.LOOKS.values())
    assert {finding.ok for finding in findings.values()} == {sees}
    assert sees or "GPIO 22" in findings["light: red"].mend


# The report


def test_the_report_says_what_was_measured_and_keeps_secrets(pi, monkeypatch):
    monkeypatch.setattr(report, "FRAMES_S", 0.3)
    monkeypatch.setattr(report, "READINGS", 2)
    monkeypatch.setattr(report.socket, "gethostname", lambda: "saloon")
    monkeypatch.setattr(report, "user", lambda: "willy")
    journal = Journal(pi.data)
    lines = (Line(LineKind.HEADER, '{"roles": ["outlaw"]}'),)
    journal.save(Saved(1, "QXZJ", 1, 1, lines=lines))
    journal.close()
    pi.write("/etc/NetworkManager/system-connections/home", "psk=hunter2\nssid=Ponderosa")
    pi.config = pi.write(
        "/settings.toml",
        '[hotspot]\nname = "Big Valley"\nkey = "calamity jane"\n[mqtt]\nhost = "nas.cartwright"\n'
        'name = "bunkhouse"\nuser = "hoss"\npassword = "chuckwagon"',
    )
    pi.answers["rpicam-hello"] = CommandResult(0, "0 : imx708 [4608x2592 10-bit RGGB]", "")
    tray = SimulatedDiceTray(seed=1)
    tray.throw()
    cv2.imwrite(str(pi.picture), rest(tray))
    examined = pi.examined
    text = report.report(examined, examine(examined), pi.open_camera)
    for item in report.MEASUREMENTS:
        assert f"[{item.name}]" in text
    assert "failed" not in text
    assert "5 dice" in text
    assert "imx708" in text
    assert "gpiochip0: pinctrl-bcm2711" in text
    assert re.search(r"reading: median \d+ ms", text)
    secrets = "QXZJ outlaw hunter2 Ponderosa 192.168. aa:bb saloon willy Valley calamity cartwright"
    for secret in f"{secrets} bunkhouse hoss chuckwagon".split():
        assert secret not in text


def test_the_document_of_what_only_a_pi_can_show_names_what_the_report_measures():
    text = (ROOT / "docs/hardware.md").read_text("utf-8")
    for item in report.MEASUREMENTS:
        assert f"| {item.name} | {item.shows} |" in text


def test_the_document_of_the_doctor_names_every_check():
    text = (ROOT / "docs/help.md").read_text("utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|", text, re.MULTILINE)
    names = {check.name for check in CHECKS}
    assert [(c.name, c.looks_at) for c in CHECKS] == [row for row in rows if row[0] in names]


def test_a_dark_picture_is_told_from_a_bright_one_by_its_brightest_parts(pi):
    """A black mat that fills the picture, with five white dice on it, is no darkness."""
    picture = np.full((616, 820, 3), 8, np.uint8)
    picture[200:260, 200:430] = 220
    cv2.imwrite(str(pi.picture), picture)
    assert found(pi.examined, "light in the tray").level is Level.OK
