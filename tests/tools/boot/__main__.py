"""Install, play, upgrade, fail to upgrade, pull the plug, uninstall: on a Debian made for it.

    python -m tests.tools.boot [--folder DIR] [--suite bookworm] [--cuts N] [--no-machine]
                               [--only updating,changing_settings]

--only names the steps; those in the machine take $SHOTS, a folder for pictures of the phone.

Needs root on a Debian with debootstrap, and QEMU and Chromium for the machine. Prints what was
held, and a Markdown table of figures. The folder keeps the fresh Debian for the next time.
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
from collections.abc import Sequence, Set
from contextlib import suppress
from pathlib import Path

import cv2
from debian_package import make_package
from releases import Keys
from waiting import wait_until

from companion.games.dice.rules.faces import Face
from tests.tools.boot import first_start, radio, virtual
from tests.tools.boot import root as roots
from tests.tools.boot.container import Container
from tests.tools.boot.evening import (
    BROKEN,
    DATA,
    SETTINGS,
    UNIT,
    URL,
    Evening,
    Report,
    make_release,
    signed_updates,
    timed,
)
from tests.tools.boot.losses import losing
from tests.tools.boot.machine import KERNEL
from vision.dice.profile import load_profile
from vision.dice.reader import DiceReader
from vision.dice.reading import TrayVerdict
from vision.simulate.dice.tray import SimulatedDiceTray

UNINSTALL = roots.SOURCE / "systemd/uninstall"
PICTURES = Path("/srv/pictures")
HOLDER = "holder.service"
"""Another program that holds the saved game."""
MADE = ("card", "card.console", "flash", "pi", "pi.console", "phone.json", "machine", "releases",
        "private.pem", "public.pem", "disk.img", "disk.console", "disk.shell", "disk.shown",
        "disk.mounted", "disk.mounted.console", "before.img", "ready.img",
        "writes.log", *radio.MADE)  # fmt: skip
"""What a run makes in its folder, beside the fresh Debian and the tools."""
UPDATES_CUT = 4
"""So many updates from the page are cut off in the middle."""
CARD_CUTS = 3
"""So often the first start of a card is cut off."""


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
        signed = make_release(evening, "9.5", keys, sign=True)
        with timed(lambda s: report.figure("update from the page, with its upload", s)):
            ends(("update", signed), "The update is done", "9.5")
        ends(("update", signed), "isn’t newer", "9.5")
        plain = make_release(evening, "9.6", keys)
        code = pi.run("cat", "/etc/bang-companion/owner-code").stdout.strip()
        ends(("update", plain, "abcd-abcd-abcd"), "the owner’s code was wrong", "9.5")
        ends(("update", plain, code), "The update is done", "9.6")
        broken = make_release(
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


def _interrupt_updates(evening: Evening, keys: Keys) -> None:
    """Cut everything off in the middle of updates: one of both versions runs then."""
    chance = random.Random(6)
    for number in range(UPDATES_CUT):
        archive = make_release(evening, f"10.{number}", keys, sign=True)
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


STEPS = (crowding, playing, again, upgrading, failing, interrupting, updating, losing, killing,
         watching,
         changing_settings, turning_off, mistaken, moving, cutting, packaging)  # fmt: skip
"""What is done with the installed table. `failing` and `interrupting` need `upgrading`."""

IN_MACHINE = (virtual.browsing, virtual.pulling)
"""What is done with it in the virtual machine."""

OF_DEBIAN = (first_start.starting, virtual.flashing, radio.connecting)
"""What begins with a fresh Debian: a card in the container and in the machine, and the Wi-Fi."""

ALL = [step.__name__ for step in (*STEPS, *IN_MACHINE, removing, *OF_DEBIAN)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp/bang-boot-test"))
    parser.add_argument("--suite", choices=roots.SUITES, default=roots.SUITE)
    parser.add_argument("--cuts", type=int, default=10, help="kills of the service; default: 10")
    parser.add_argument("--losses", type=int, default=30, help="cuts of a disk; default: 30")
    parser.add_argument("--no-machine", action="store_true", help="the container only")
    parser.add_argument("--only", default=",".join(ALL), metavar="STEPS", help=", ".join(ALL))
    arguments = parser.parse_args()
    chosen = set(arguments.only.split(","))
    if unknown := chosen - set(ALL):
        parser.error(f"no such steps: {', '.join(unknown)}")
    if os.geteuid() or not shutil.which("debootstrap"):
        sys.exit("make boot-test needs root, and: apt-get install debootstrap")
    if arguments.no_machine:
        chosen -= {step.__name__ for step in (*IN_MACHINE, virtual.flashing, radio.connecting)}
    if arguments.suite != roots.SUITE:
        # It has no cloud-init that reads a card.
        chosen -= {step.__name__ for step in OF_DEBIAN}
    # Otherwise the container would outlive it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    folder, report = arguments.folder, Report()
    with timed(lambda s: report.figure(f"a {roots.SUITES[arguments.suite]}, made or at hand", s)):
        base = roots.base(folder, arguments.suite, (*KERNEL, *radio.PACKAGES))
    clear(folder)
    if chosen - {step.__name__ for step in OF_DEBIAN}:
        roots.copy(base, folder / "pi")
        spend(Evening(folder, report, arguments.cuts, losses=arguments.losses), chosen)
    for step in OF_DEBIAN:
        if step.__name__ in chosen:
            step(folder, base, report, CARD_CUTS)
    clear(folder)
    report.show()


def spend(evening: Evening, chosen: Set[str]) -> None:
    """Install the table, and do the chosen steps with it."""
    try:
        before = evening.files()
        installing(evening)
        for step in STEPS:
            if step.__name__ in chosen:
                step(evening)
        if in_machine := [step for step in IN_MACHINE if step.__name__ in chosen]:
            with virtual.prepared(evening) as given:
                for do in in_machine:
                    do(evening, given)
        if removing.__name__ in chosen:
            removing(evening, before)
    finally:
        evening.pi.shut_down()


def clear(folder: Path) -> None:
    """Remove what a run made; a run that fails leaves it to be looked at."""
    for name in MADE:
        shutil.rmtree(folder / name, ignore_errors=True)
        with suppress(FileNotFoundError, IsADirectoryError):
            (folder / name).unlink()


if __name__ == "__main__":
    main()
