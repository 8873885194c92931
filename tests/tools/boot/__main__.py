"""Install, play, upgrade, fail to upgrade, pull the plug, uninstall: on a Debian made for it.

    python -m tests.tools.boot [--folder DIR] [--suite bookworm] [--cuts N] [--no-machine]
                               [--only updating,changing_settings]

Needs root on a Debian with debootstrap, and QEMU for the machine. Prints what was held, and a
Markdown table of figures. The folder keeps the fresh Debian for the next time.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import cv2
from debian_package import make_package
from releases import Keys, make_keys, pack
from waiting import wait_until

from companion.games.dice.rules.faces import Face
from tests.tools.bench.machine import machine as this_machine
from tests.tools.boot import first_start, radio
from tests.tools.boot import root as roots
from tests.tools.boot.container import Container
from tests.tools.boot.lossy_disk import check_disk, mount, noted, replay
from tests.tools.boot.machine import BOOT_S, KERNEL, Machine, clear_downloads, make_disk, prepare
from tests.tools.boot.player import Phone, play
from vision.dice.profile import load_profile
from vision.dice.reader import DiceReader
from vision.dice.reading import TrayVerdict
from vision.simulate.dice.tray import SimulatedDiceTray

URL = "http://127.0.0.1/"
UNINSTALL = roots.SOURCE / "systemd/uninstall"
UNIT = "bang-companion.service"
DATA = "/var/lib/bang-companion"
SETTINGS = "/etc/bang-companion/settings.toml"
PICTURES = Path("/srv/pictures")
HOLDER = "holder.service"
"""Another program that holds the saved game."""
MADE = ("card", "card.console", "pi", "pi.console", "phone.json", "machine", "disk.img",
        "disk.console", "disk.shell", "disk.shown", "before.img", "writes.log",
        *radio.MADE)  # fmt: skip
"""What a run makes in its folder, beside the fresh Debian and the tools."""
UPDATES_CUT = 4
"""So many updates from the page are cut off in the middle."""
CARD_CUTS = 3
"""So often the first start of a card is cut off."""
UNSYNCED = tuple(
    (file, r"\A", "import os\nos.fsync = os.fdatasync = lambda file: None\n")
    for file in ("companion/__init__.py", "systemd/installer/files.py")
)
"""A version that waits for no disk: cuts of one that loses its cache must find it out."""

# An upgrade that can't work, by what goes wrong with it.
BROKEN = {
    "what it needs is not to be had": (
        "systemd/wheels/*.txt", r"^segno==\S+", "no-such-package==1.0"
    ),
    "its page has an error": (
        "web/templates/page.html", r"\A", "{{ 1 // 0 }}"
    ),
    "it spoils the games and dies": (
        "companion/app/service.py",
        r"^    wait_for_end = take_endings\(",
        """    if str(settings.data) == "/var/lib/bang-companion":
        (settings.data / "table.journal").write_bytes(b"spoilt")
        raise SystemExit("spoilt")
    wait_for_end = take_endings(""",
    ),
}  # fmt: skip


class Report:
    """What was held, as it goes, and the figures for the end."""

    def __init__(self) -> None:
        self.figures: list[tuple[str, str]] = []

    def held(self, what: str) -> None:
        print(f"held: {what}", flush=True)

    def figure(self, name: str, value: str) -> None:
        self.figures.append((name, value))
        print(f"      {name}: {value}", flush=True)

    def show(self) -> None:
        print(f"\n{this_machine()}\n\n| figure | value |\n|---|---|")
        for name, value in self.figures:
            print(f"| {name} | {value} |")


@contextmanager
def timed(told: Callable[[str], None]) -> Iterator[None]:
    begun = time.monotonic()
    yield
    told(f"{time.monotonic() - begun:.1f} s")


class Evening:
    """The container with the service, and the phone that plays on it."""

    def __init__(
        self, folder: Path, report: Report, cuts: int, root: Path | None = None, losses: int = 0
    ) -> None:
        """cuts: how often the service is killed; losses: how often a disk loses its cache."""
        self.folder, self.report, self.cuts, self.losses = folder, report, cuts, losses
        self.root = root or folder / "pi"
        self.tools = folder / "tools"
        self.phone = folder / "phone.json"
        self.pi = Container(self.root, self.tools)

    def play(self, moves: int) -> list[str]:
        """Play on; returns the story that the table tells then."""
        said = self.pi.in_network("tests.tools.boot.player", URL, self.phone, moves)
        story: list[str] = json.loads(said)
        return story

    def holds(self, story: list[str], what: str) -> None:
        """Hold that the table tells this story still."""
        assert self.play(0) == story, f"{what}: the story has changed"
        self.report.held(f"{what}: every accepted press is there")

    def empty(self) -> None:
        """Start a table at which nobody has sat, from a card that was not read yet.

        What was just written lies in memory in larger pieces than what is read, all of which count
        for whoever uses a part.
        """
        self.pi.run("systemctl", "stop", UNIT)
        self.pi.run("sh", "-c", f"rm -rf {DATA}/*")
        self.phone.unlink(missing_ok=True)
        os.sync()
        for folder in ("opt", "usr"):
            for file in (self.root / folder).rglob("*"):
                if file.is_file() and not file.is_symlink():
                    with file.open("rb") as opened:
                        os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        self.pi.run("systemctl", "start", UNIT)

    def version(self) -> str:
        said: str = self.pi.run("bang-companion", "--version").stdout
        return said.split()[-1]

    def holds_two_versions(self) -> None:
        """Hold that there is the version that runs, and the one before to go back to."""
        kept = self.pi.run("ls", "/opt/bang-companion/versions").stdout.split()
        assert len(kept) == 2, kept

    def install(self, *options: str, check: bool = True) -> Any:
        return self.pi.run(*roots.OFFLINE, roots.INSTALL, *options, check=check)

    def files(self) -> set[str]:
        """What lies in the folders that the installation may touch."""
        found = self.pi.run("find", "/etc", "/opt", "/usr/local", "/var/lib", "-xdev", "-not",
                            "-path", "*/__pycache__*").stdout  # fmt: skip
        return {line for line in found.splitlines() if "bang" in line}


def installing(evening: Evening) -> None:
    report, pi = evening.report, evening.pi
    roots.put_source(evening.root)
    with timed(lambda s: report.figure("install on a fresh Debian, packages at hand", s)):
        evening.install()
    assert pi.property("ActiveState") == "active"
    report.held("installed without a network, and running under its own unit")
    size = pi.run("du", "-sm", "/opt/bang-companion").stdout.split()[0]
    report.figure("what the installation takes under /opt", f"{size} MB")
    for unit in sorted(roots.PROJECT.glob("systemd/*.service")):
        # Those that this system hasn't loaded, too.
        place = f"/opt/bang-companion/current/{unit.name}"
        rated = pi.run("systemd-analyze", "security", "--offline=true", place).stdout
        exposure = rated.splitlines()[-1].split(": ")[-1].split()[0]
        assert float(exposure) <= 2.0, (unit.name, exposure)
        report.figure(f"`systemd-analyze security {unit.name}`", exposure)
    numpy = pi.run(
        "/opt/bang-companion/current/bin/python",
        "-c",
        "import cv2, numpy; print(cv2.__version__, numpy.__version__, numpy.__file__)",
    )
    assert "/usr/lib/python3/" in numpy.stdout, numpy.stdout
    opencv, own, _ = numpy.stdout.split()
    report.held(f"numpy is the system's ({own}), OpenCV {opencv} goes with it")


def playing(evening: Evening) -> None:
    report, pi = evening.report, evening.pi
    evening.play(6)
    pid = pi.property("MainPID")
    before, begun = _written(pi, pid), time.monotonic()
    story = evening.play(60)
    turns = sum(line.endswith("turn.") for line in story)
    report.figure("memory (RSS) after the first turns", f"{_memory(pi, pid):.0f} MB")
    seconds = time.monotonic() - begun
    written = _written(pi, pid) - before
    assert written, "nothing was written to a disk: does the folder lie in memory (tmpfs)?"
    report.figure(
        "written to the card, 60 presses",
        f"{written / 1024:.0f} kB ({written / 60 / 1024:.1f} kB a press, in {seconds:.0f} s)",
    )
    log = pi.run("journalctl", "-u", UNIT, "-o", "cat", "--no-pager").stdout
    report.figure("lines in the journal by then", str(len(log.splitlines())))
    assert turns
    report.held("turns were played through the page")


def crowding(evening: Evening) -> None:
    """Let eight phones and the table page look on; leaves a table that nobody sat at."""
    report, pi = evening.report, evening.pi
    # Pictures are nearest to a camera: a drawn tray takes 28 MB, which no real one does.
    draw_pictures(evening.root / PICTURES.relative_to("/"))
    pi.run("sh", "-c", f"echo 'camera = \"{PICTURES}\"' >> {SETTINGS}")
    evening.empty()
    said = pi.in_network("tests.tools.boot.crowd", URL, pi.outside(pi.property("MainPID")), 40, 20)
    crowd = json.loads(said)
    report.figure("memory (RSS) after a cold start, nobody there", f"{crowd['alone']:.0f} MB")
    report.figure(
        "memory, eight phones and the table page, 40 presses and the rolls between them read",
        f"{crowd['after']:.0f} MB, at most {crowd['most']:.0f} MB",
    )
    report.figure(
        "processor with them, watching at 12 pictures a second", f"{crowd['busy']:.1%} of one core"
    )
    pi.run("sed", "-i", "/^camera/d", SETTINGS)
    evening.empty()


def draw_pictures(folder: Path) -> None:
    """Draw throws as a folder that plays as a camera.

    All are read with certainty, and none shows dynamite: who throws one again has to put it back,
    which no picture does.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tray, reader, number = SimulatedDiceTray(seed=3), DiceReader(load_profile("pips")), 0
    while number < 12:
        tray.throw()
        while not tray.at_rest:
            tray.frame()
        picture = tray.frame()
        if Face.DYNAMITE not in tray.faces and reader.read(picture).verdict is TrayVerdict.OK:
            cv2.imwrite(str(folder / f"{number}.png"), picture)
            number += 1


def changing_settings(evening: Evening) -> None:
    """The host changes settings on the page: saved, refused, and cut off in the middle."""
    story = evening.play(2)

    def says(key: str, value: str, *code: str) -> str:
        asked = ("tests.tools.boot.player", URL, evening.phone, "set", key, value, *code)
        return evening.pi.in_network(*asked).strip()

    def saved() -> str:
        return evening.pi.run("cat", SETTINGS).stdout

    assert "Saved" in (told := says("time_zone", "Europe/Paris")), told
    assert 'time_zone = "Europe/Paris"' in saved()
    evening.holds(story, "a setting was changed from the page")
    code = evening.pi.run("cat", "/etc/bang-companion/owner-code").stdout.strip()
    for given, told in (("abcd-abcd-abcd", "code was wrong"), (code, "Saved"), (code, "was wrong")):
        assert told in (words := says("mqtt.name", f"corner-{told}", given)), words
    assert saved().count("corner-Saved") == 1
    evening.report.held("the broker's name took the owner's code, once")
    chance = random.Random(7)
    for zone in ("Europe/Berlin", "Europe/Rome", "Europe/Oslo"):
        before = saved()
        player = evening.pi.begin_in_network(
            "tests.tools.boot.player", URL, evening.phone, "set", "time_zone", zone
        )
        time.sleep(chance.uniform(0.5, 8))
        evening.pi.cut()
        player.kill()
        player.wait()
        evening.pi = Container(evening.root, evening.tools)
        evening.holds(story, "the whole system was cut in the middle of a change of settings")
        undecided = evening.root / "etc/bang-companion/.settings.toml.undecided"
        wait_until(lambda file=undecided: not file.exists(), patience_s=300)
        assert saved() == before or f'time_zone = "{zone}"' in saved()
    evening.pi.run("sed", "-i", r"/^time_zone/d; /^\[mqtt\]/d; /^name/d", SETTINGS)


def turning_off(evening: Evening) -> None:
    """The table asks systemd to turn the machine off, and its service may do no more."""
    pi, story = evening.pi, evening.play(2)
    as_service = ("systemd-run", "--quiet", "--wait", "--pipe", "-p", "User=bang-companion")
    assert pi.run(*as_service, "systemctl", "poweroff", check=False).returncode
    evening.report.held("the table's user can't turn the machine off by itself")
    pi.in_network("tests.tools.boot.player", URL, evening.phone, "off")
    pi.wait_for_end()
    evening.pi = Container(evening.root, evening.tools)
    evening.holds(story, "turned off from the page, and on again")


def mistaken(evening: Evening) -> None:
    """A wrong setting stops the table once, and says so; what may pass is tried again."""
    pi, story = evening.pi, evening.play(2)
    pi.run("sh", "-c", f"echo 'prot = 8000' >> {SETTINGS}")
    assert pi.run("systemctl", "restart", UNIT, check=False).returncode
    # Until a unit is started again it is "activating"; "failed" is one that systemd gave up.
    assert (pi.property("ActiveState"), pi.property("NRestarts")) == ("failed", "0")
    for command in (("systemctl", "status", UNIT), ("bang-companion", "doctor")):
        assert "prot: no such key" in pi.run(*command, check=False).stdout, command
    evening.report.held("a wrong setting: started once, and named by systemctl and the doctor")
    pi.run("sed", "-i", "/^prot/d", SETTINGS)
    pi.run("systemd-run", "--quiet", f"--unit={HOLDER}", "flock", DATA, "sleep", "infinity")
    wait_until(lambda: pi.run("flock", "--nonblock", DATA, "true", check=False).returncode)
    pi.run("systemctl", "start", "--no-block", UNIT)
    wait_until(lambda: int(pi.property("NRestarts")) > 1)
    log = pi.run("journalctl", "-u", UNIT, "-o", "cat", "--no-pager").stdout
    assert "can't be opened: locked by another program" in log
    pi.run("systemctl", "stop", HOLDER)
    evening.holds(story, "another program held the saved game, and ended")


def moving(evening: Evening) -> None:
    """Wi-Fi comes, goes, and comes back with another address."""
    pi, name = evening.pi, f"{evening.pi.run('cat', '/etc/hostname').stdout.strip()}.local"

    def shows(expected: str) -> None:
        # The page shows the address of this moment, as the kernel has changed it already.
        assert re.findall(r"<p>http://([^/<]+)/</p>", get("card")) == [expected]
        codes.setdefault(expected, get("join.svg"))

    def get(page: str) -> str:
        load = "import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).read().decode())"
        return pi.run("python3", "-c", load, URL + page).stdout

    codes: dict[str, str] = {}
    story, pid = evening.play(2), pi.property("MainPID")
    shows(name)
    # It would take the device for its own; without a hotspot it is not there.
    pi.run("systemctl", "stop", "NetworkManager", check=False)
    pi.run("ip", "link", "add", "wlan0", "type", "veth", "peer", "name", "router")
    for address in ("192.168.7.23", "192.168.7.99"):
        pi.run("ip", "address", "add", f"{address}/24", "dev", "wlan0")
        pi.run("ip", "link", "set", "router", "up")
        pi.run("ip", "link", "set", "wlan0", "up")
        pi.run("ip", "route", "add", "default", "via", "192.168.7.1")
        shows(address)
        pi.run("ip", "address", "flush", "dev", "wlan0")
        shows(name)
    assert len(codes) == len(set(codes.values())) == 3
    pi.run("ip", "link", "delete", "wlan0")
    pi.run("systemctl", "start", "NetworkManager", check=False)
    assert pi.property("MainPID") == pid
    evening.holds(story, "Wi-Fi came, went, and came back with another address")


def _written(pi: Container, pid: str) -> int:
    """Bytes that the process had written to a disk: pages that it made dirty, taken back never."""
    counts = dict(line.split(": ") for line in pi.run("cat", f"/proc/{pid}/io").stdout.splitlines())
    return int(counts["write_bytes"])


def _memory(pi: Container, pid: str) -> float:
    status = pi.run("cat", f"/proc/{pid}/status").stdout.splitlines()
    (kilobytes,) = (line.split()[1] for line in status if line.startswith("VmRSS:"))
    return int(kilobytes) / 1024


def again(evening: Evening) -> None:
    story = evening.play(3)
    evening.pi.run("sh", "-c", f"echo 'learn = false' >> {SETTINGS}")
    evening.pi.run("rm", "/usr/local/bin/bang-companion")
    evening.install("--hotspot", "Saloon")
    assert "learn = false" in evening.pi.run("cat", SETTINGS).stdout
    assert evening.pi.run("bang-companion", "--help").returncode == 0
    evening.holds(story, "installed again, now with a hotspot")
    key = _hotspot_key(evening)
    shown = evening.pi.run("nmcli", "-g", "802-11-wireless.ssid,802-11-wireless.mode,ipv4.method",
                           "connection", "show", "bang-hotspot").stdout  # fmt: skip
    assert shown.split() == ["Saloon", "ap", "shared"], shown
    assert f'key = "{key}"' in evening.pi.run("cat", SETTINGS).stdout
    evening.report.held("NetworkManager knows the hotspot, and the table its key")
    evening.holds_two_versions()


def _hotspot_key(evening: Evening) -> str:
    command = ("nmcli", "-s", "-g", "802-11-wireless-security.psk", "connection", "show")
    return evening.pi.run(*command, "bang-hotspot").stdout.strip()


def upgrading(evening: Evening) -> None:
    story = evening.play(3)
    roots.put_source(evening.root, version="9.1")
    with timed(lambda s: evening.report.figure("upgrade", s)):
        evening.install("--no-hotspot")
    assert evening.pi.run("nmcli", "connection", "show", "bang-hotspot", check=False).returncode
    assert "hotspot" not in evening.pi.run("cat", SETTINGS).stdout
    assert evening.version() == "9.1"
    evening.holds(story, "upgraded")


def failing(evening: Evening) -> None:
    for what, change in BROKEN.items():
        story = evening.play(3)
        roots.put_source(evening.root, version="9.2", changes=[change])
        done = evening.install(check=False)
        assert done.returncode == 1, f"{what}: {done.stdout}{done.stderr}"
        assert "the version that was installed stays" in done.stdout, done.stdout
        assert evening.version() == "9.1"
        assert evening.pi.property("ActiveState") == "active"
        evening.holds_two_versions()
        evening.holds(story, f"an upgrade failed ({what})")


def interrupting(evening: Evening) -> None:
    """End the whole container in the middle of a change: at the next start it goes on."""
    story = evening.play(3)
    roots.put_source(evening.root, version="9.3")
    evening.pi.run("systemd-run", "--quiet", "--unit=upgrade", *roots.OFFLINE, roots.INSTALL)
    change = "/opt/bang-companion/change-undecided"
    wait_until(
        lambda: not evening.pi.run("test", "-L", change, check=False).returncode, patience_s=300
    )
    # Now the table stops, its data are copied, the link changes, and a minute is waited.
    time.sleep(random.Random(5).uniform(0, 20))
    evening.pi.cut()
    evening.pi = Container(evening.root, evening.tools)
    evening.holds(story, "the whole system was cut in the middle of an upgrade")
    wait_until(lambda: evening.pi.run("test", "-L", change, check=False).returncode, patience_s=300)
    assert evening.version() == "9.3"
    evening.holds_two_versions()
    evening.holds(story, "the upgrade went on")


@contextmanager
def signed_updates(evening: Evening, changes: Sequence[roots.Change] = ()) -> Iterator[Keys]:
    """Have a version with a release key of its own, whose updates need no internet."""
    # The unit finds wheels where the installer does.
    folder, pi = "/etc/systemd/system/bang-companion-update.service.d", evening.pi
    setting = f"[Service]\\nEnvironment={' '.join(roots.OFFLINE[1:])}\\n"
    pi.run("mkdir", "-p", folder)
    pi.run("sh", "-c", f"printf '{setting}' > {folder}/test.conf")
    pi.run("systemctl", "daemon-reload")
    keys = make_keys(evening.folder)
    _release(evening, "9.4", keys, changes=changes)
    evening.install()
    yield keys
    evening.pi.run("rm", "-r", folder)
    evening.pi.run("systemctl", "daemon-reload")


def updating(evening: Evening) -> None:
    """Update from the host's page: signed, not signed, broken, cut off, and back again."""
    pi, report = evening.pi, evening.report

    def ends(asked: Sequence[object], said: str, version: str) -> None:
        words = pi.in_network("tests.tools.boot.player", URL, evening.phone, *asked).strip()
        assert said in words, (asked, words)
        assert evening.version() == version
        assert pi.property("ActiveState") == "active"
        report.held(f"{' '.join(map(str, asked[:1]))}: {words}")

    with signed_updates(evening) as keys:
        evening.empty()
        signed = _release(evening, "9.5", keys, sign=True)
        with timed(lambda s: report.figure("update from the page, with its upload", s)):
            ends(("update", signed), "The update is done", "9.5")
        ends(("update", signed), "isn’t newer", "9.5")
        plain = _release(evening, "9.6", keys)
        code = pi.run("cat", "/etc/bang-companion/owner-code").stdout.strip()
        ends(("update", plain, "abcd-abcd-abcd"), "the owner’s code was wrong", "9.5")
        ends(("update", plain, code), "The update is done", "9.6")
        broken = _release(
            evening, "9.7", keys, sign=True, changes=[BROKEN["its page has an error"]]
        )
        ends(("update", broken), "it didn’t work here", "9.6")
        ends(("back",), "The update is done", "9.5")
        ends(("back",), "The update is done", "9.6")
        as_service = ("systemd-run", "--quiet", "--wait", "-p", "User=bang-companion")
        for place in ("/opt/bang-companion/x", "/run/bang-companion-update/x",
                      "/etc/systemd/system/x"):  # fmt: skip
            assert pi.run(*as_service, "touch", place, check=False).returncode, place
        report.held("the table's user can write neither versions nor units")
        _interrupt_updates(evening, keys)


def _release(
    evening: Evening,
    version: str,
    keys: Keys,
    *,
    sign: bool = False,
    changes: Sequence[roots.Change] = (),
) -> Path:
    """Make a release in the root, and its archive beside it."""
    roots.put_source(evening.root, version, changes)
    source = evening.root / roots.SOURCE.relative_to("/")
    shutil.copy(keys.public, source / "systemd/release.pem")
    return pack(evening.folder / "release.tar.gz", source, keys.private if sign else None)


def _interrupt_updates(evening: Evening, keys: Keys) -> None:
    """Cut everything off in the middle of updates: one of both versions runs then."""
    chance = random.Random(6)
    for number in range(UPDATES_CUT):
        archive = _release(evening, f"10.{number}", keys, sign=True)
        before = evening.version()
        player = evening.pi.begin_in_network(
            "tests.tools.boot.player", URL, evening.phone, "update", archive
        )
        time.sleep(chance.uniform(10, 60))
        evening.pi.cut()
        player.kill()
        player.wait()
        evening.pi = Container(evening.root, evening.tools)
        evening.pi.in_network("tests.tools.boot.player", URL, evening.phone, "look")
        wait_until(lambda: not list(Path(evening.root, "opt/bang-companion").glob("change-*")),
                   patience_s=300)  # fmt: skip
        after = evening.version()
        assert after in (before, f"10.{number}"), after
        evening.report.held(f"cut off in the middle of an update: {before} -> {after}")


class Kept(NamedTuple):
    """What must be true of a disk that is cut off from `since` on; sizes of the log, in bytes."""

    since: int
    story: list[str] | None
    """None between two games."""
    versions: set[str]
    zones: set[str]

    def missing_in(self, found: "Kept") -> list[str]:
        """Name what must be there and isn't."""
        held = {
            "presses": self.story in (None, found.story),
            "version": found.versions <= self.versions,
            "setting": found.zones <= self.zones,
        }
        return [what for what, there in held.items() if not there]


def losing(evening: Evening) -> None:
    """Lose the cache of a disk in updates and settings; without fsync, that must be noticed."""
    control = lost_in_cuts(evening, -(-evening.losses // 3), UNSYNCED)
    assert control, "cuts find nothing lost where nothing waits for the disk"
    lost = lost_in_cuts(evening, evening.losses)
    assert not lost, lost


def lost_in_cuts(evening: Evening, cuts: int, changes: Sequence[roots.Change] = ()) -> list[str]:
    """Cut the disk of a version with these changes off; return what was lost in which cut."""
    disk, log = evening.folder / "disk.img", evening.folder / "writes.log"
    with signed_updates(evening, changes) as keys:
        signed = _release(evening, "9.5", keys, sign=True, changes=changes)
        evening.play(3)
        evening.pi.shut_down()
        make_disk(evening.root, disk)
        before = evening.folder / "before.img"
        roots.run("cp", "--sparse=always", disk, before)
        with noted(disk, log) as mounted:
            there = Evening(evening.folder, evening.report, 0, mounted)
            try:
                kept = list(change_all(there, log, signed))
                end = log.stat().st_size
            finally:
                there.pi.cut()
        chance, lost = random.Random(8), []
        for number in range(cuts):
            # By turns in any phase, since nearly all is written while an update is installed: as
            # soon as something is promised, then anywhere later.
            begins = [promise.since for promise in kept] + [end]
            turn, phase = divmod(number, len(kept))
            cut = begins[phase]
            if turn:
                cut = chance.randrange(cut, max(cut + 1, begins[phase + 1]))
            replay(before, log, cut, disk, chance)
            check_disk(disk)
            with mount(disk) as mounted:
                found = look_after(Evening(evening.folder, evening.report, 0, mounted))
            missing = kept[phase].missing_in(found)
            told = f"disk cut at {cut / end:.1%}, phase {phase}: {found.versions}, lost: {missing}"
            print(told, flush=True)
            lost += [told] if missing else []
        evening.pi = Container(evening.root, evening.tools)
    evening.report.figure(
        f"cuts of a disk that loses its cache, {end >> 20} MB written"
        + (", where nothing waits for it" if changes else ""),
        f"{len(lost)} of {cuts} with a loss",
    )
    return lost


def change_all(there: Evening, log: Path, signed: Path) -> Iterator[Kept]:
    """Change what a page can change; yield from when on which of it must be there."""

    def written() -> int:
        return log.stat().st_size

    def ask(said: str, *asked: object) -> None:
        told = there.pi.in_network("tests.tools.boot.player", URL, there.phone, *asked)
        assert said in told, (asked, told)

    story = there.play(4)
    yield Kept(written(), story, {"9.4"}, {"", "Europe/Paris"})
    ask("Saved", "set", "time_zone", "Europe/Paris")
    yield Kept(written(), story, {"9.4"}, {"Europe/Paris"})
    yield Kept(written(), None, {"9.4", "9.5"}, {"Europe/Paris"})
    ask("", "end")
    ask("The update is done", "update", signed)
    yield Kept(written(), None, {"9.5"}, {"Europe/Paris"})
    story = there.play(3)
    yield Kept(written(), story, {"9.5"}, {"Europe/Paris"})
    yield Kept(written(), None, {"9.4", "9.5"}, {"Europe/Paris"})
    ask("", "end")
    ask("The update is done", "back")
    yield Kept(written(), None, {"9.4"}, {"Europe/Paris"})
    story = there.play(2)
    yield Kept(written(), story, {"9.4"}, {"Europe/Paris"})


def look_after(there: Evening) -> Kept:
    """Wait until all that was begun has ended, and tell what is there."""

    def ask(what: str) -> str:
        return there.pi.in_network("tests.tools.boot.player", URL, there.phone, what)

    ask("look")
    for place in ("opt/bang-companion/change-*", "etc/bang-companion/.settings.toml.undecided"):
        wait_until(lambda place=place: not list(there.root.glob(place)), patience_s=300)
    zone = re.search(r'^time_zone = "(.*)"', (there.root / SETTINGS[1:]).read_text(), re.MULTILINE)
    zones = {zone[1] if zone else ""}
    found = Kept(0, json.loads(ask("story")), {there.version()}, zones)
    there.pi.cut()
    return found


def killing(evening: Evening) -> None:
    """Kill the service at random moments of play."""
    chance, times = random.Random(4), []
    for _ in range(evening.cuts):
        story = evening.play(chance.randrange(1, 5))
        time.sleep(chance.uniform(0, 1))
        pid = evening.pi.property("MainPID")
        evening.pi.run("systemctl", "reset-failed", UNIT)
        evening.pi.run("kill", "-9", pid)
        begun = time.monotonic()
        evening.pi.in_network("tests.tools.boot.player", URL, evening.phone, 0)
        times.append(time.monotonic() - begun)
        assert evening.play(0) == story
    evening.report.held(f"killed {evening.cuts} times: every accepted press is there")
    times.sort()
    evening.report.figure(
        f"kill -9 to an answer with the story, {evening.cuts} times",
        f"median {times[len(times) // 2]:.1f} s, longest {times[-1]:.1f} s",
    )


def watching(evening: Evening) -> None:
    """Stop the process without ending it: systemd notices."""
    pi = evening.pi
    folder = f"/etc/systemd/system/{UNIT}.d"
    pi.run("mkdir", "-p", folder)
    pi.run("sh", "-c", f"printf '[Service]\\nWatchdogSec=6\\n' > {folder}/test.conf")
    pi.run("systemctl", "daemon-reload")
    pi.run("systemctl", "restart", UNIT)
    story, pid = evening.play(2), pi.property("MainPID")
    begun = int(pi.property("ActiveEnterTimestampMonotonic"))
    wait_until(lambda: int(pi.property("WatchdogTimestampMonotonic")) > begun + 2 * 6_000_000)
    assert pi.property("MainPID") == pid, "it was killed while it lived"
    pi.run("kill", "-STOP", pid)
    with timed(lambda s: evening.report.figure("frozen to playing again, watchdog of 6 s", s)):
        wait_until(
            lambda: (
                pi.property("MainPID") not in (pid, "0") and pi.property("ActiveState") == "active"
            )
        )
    assert "Watchdog timeout" in pi.run("journalctl", "-u", UNIT, "--no-pager").stdout
    evening.holds(story, "frozen, and started again by the watchdog")
    pi.run("rm", "-r", folder)
    pi.run("systemctl", "daemon-reload")
    pi.run("systemctl", "restart", UNIT)


def cutting(evening: Evening) -> None:
    """End the whole container at once, and boot it again."""
    story = evening.play(3)
    evening.pi.cut()
    with timed(lambda s: evening.report.figure("container: cut, booted, playable", s)):
        evening.pi = Container(evening.root, evening.tools)
        evening.holds(story, "the whole system was cut")


def packaging(evening: Evening) -> None:
    """Apt installs the Debian package over what runs, takes it away, and installs it anew."""
    package = make_package(roots.archive(), "x86_64")
    shutil.copy(package, evening.root / "root/bang-companion.deb")
    install = ("apt-get", "install", "-y", "-qq", "--no-install-recommends")
    story, pi = evening.play(3), evening.pi
    pi.run(*install, "/root/bang-companion.deb")
    evening.holds(story, "the Debian package was installed over what ran")
    pi.run("apt-get", "remove", "-y", "-qq", "bang-companion")
    assert pi.run("systemctl", "cat", UNIT, check=False).returncode
    assert not Path(f"{evening.root}/opt/bang-companion").exists()
    pi.run(*install, "/root/bang-companion.deb")
    evening.holds(story, "the Debian package was removed and installed again")
    pi.run("apt-get", "purge", "-y", "-qq", "bang-companion")
    roots.put_source(evening.root)
    evening.install()


def removing(evening: Evening, before: set[str]) -> None:
    story, pi = evening.play(3), evening.pi
    pi.run(UNINSTALL)
    assert pi.run("systemctl", "cat", UNIT, check=False).returncode
    assert not Path(f"{evening.root}/opt/bang-companion").exists()
    roots.put_source(evening.root)
    evening.install()
    evening.holds(story, "uninstalled and installed again")
    pi.run(UNINSTALL, "--purge")
    left = evening.files() - before
    assert not left, left
    assert pi.run("id", "bang-companion", check=False).returncode
    evening.report.held("uninstalled with --purge: nothing is left")


def machine(evening: Evening, pulls: int) -> None:
    """The same system on a disk: booted, played, and its plug pulled."""
    report, disk = evening.report, evening.folder / "disk.img"
    story = evening.play(3)
    # A drawn tray is too much for a processor that is imitated: dice are entered by hand.
    evening.pi.run("sh", "-c", f"""echo 'camera = "none"' >> {SETTINGS}""")
    evening.pi.shut_down()
    root = evening.folder / "machine"
    shutil.rmtree(root, ignore_errors=True)
    roots.copy(evening.root, root)
    prepare(root)
    clear_downloads(root)
    make_disk(root, disk)
    boots = []
    for pull in range(pulls + 1):
        running = Machine(root, disk)
        try:
            phone = Phone(running.url, evening.phone, BOOT_S)
            assert phone.story() == story, f"the plug was pulled, {pull}: the story has changed"
            boots.append(running.boot_s)
            if not pull:
                jumping(running, evening)
                report.held("the clock leapt to 2100 and back to 1971: turns were played")
            story = play(running.url, evening.phone, 5, BOOT_S)
        finally:
            running.pull_plug()
    report.held(f"the plug was pulled {pulls} times: every accepted press is there")
    boots.sort()
    report.figure(
        f"machine: power to page, {len(boots)} boots of an imitated processor",
        f"median {boots[len(boots) // 2]:.0f} s, longest {boots[-1]:.0f} s",
    )


def jumping(running: Machine, evening: Evening) -> None:
    """Set the clock as a network does on a machine without one, which it comes to late."""
    for year in (2100, 1971):
        phone = Phone(running.url, evening.phone, BOOT_S)
        before, address = phone.story(), phone.shown
        running.do(f"date --set {year}-06-01")
        wait_until(lambda year=year: running.year() == year, patience_s=BOOT_S)
        play(running.url, evening.phone, 3, BOOT_S)
        # The next game may have begun; the address of the story is that of this one.
        assert phone.story(address)[: len(before)] == before, f"in {year} the story has changed"


STEPS = (crowding, playing, again, upgrading, failing, interrupting, updating, losing, killing,
         watching,
         changing_settings, turning_off, mistaken, moving, cutting, packaging)  # fmt: skip
"""What is done with the installed table. `failing` and `interrupting` need `upgrading`."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp/bang-boot-test"))
    parser.add_argument("--suite", choices=roots.SUITES, default=roots.SUITE)
    parser.add_argument("--cuts", type=int, default=10, help="kills of the service; default: 10")
    parser.add_argument("--pulls", type=int, default=3, help="plugs pulled; default: 3")
    parser.add_argument("--losses", type=int, default=30, help="cuts of a disk; default: 30")
    parser.add_argument("--no-machine", action="store_true", help="the container only")
    parser.add_argument("--only", default="", metavar="STEPS",
                        help=", ".join(step.__name__ for step in STEPS))  # fmt: skip
    arguments = parser.parse_args()
    chosen = [
        step for step in STEPS if step.__name__ in (arguments.only or step.__name__).split(",")
    ]
    if os.geteuid() or not shutil.which("debootstrap"):
        sys.exit("make boot-test needs root, and: apt-get install debootstrap")
    # Otherwise the container would outlive it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    folder, report = arguments.folder, Report()
    with timed(lambda s: report.figure(f"a {roots.SUITES[arguments.suite]}, made or at hand", s)):
        base = roots.base(folder, arguments.suite, (*KERNEL, *radio.PACKAGES))
    clear(folder)
    roots.copy(base, folder / "pi")
    evening = Evening(folder, report, arguments.cuts, losses=arguments.losses)
    try:
        before = evening.files()
        installing(evening)
        for step in chosen:
            step(evening)
        if not arguments.no_machine:
            machine(evening, arguments.pulls)
            evening.pi = Container(evening.root, evening.tools)
        removing(evening, before)
        if not arguments.only and arguments.suite == roots.SUITE:
            first_start.run(folder, base, CARD_CUTS)
            if not arguments.no_machine:
                for name, value in radio.run(folder, base, arguments.pulls):
                    report.figure(name, value)
    finally:
        evening.pi.shut_down()
    clear(folder)
    report.show()


def clear(folder: Path) -> None:
    """Remove what a run made; a run that fails leaves it to be looked at."""
    for name in MADE:
        shutil.rmtree(folder / name, ignore_errors=True)
        with suppress(FileNotFoundError, IsADirectoryError):
            (folder / name).unlink()


if __name__ == "__main__":
    main()
