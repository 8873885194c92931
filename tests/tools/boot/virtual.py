"""The installed table in a virtual machine, with the host's phone in a real browser.

The steps share a disk that is made once, and each uses up a copy of its own. Pictures of the phone
go to the folder $SHOTS, if that is set.
"""

import json
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

from browser import Screens, choose_file, chromium
from playwright.sync_api import Page, expect
from waiting import wait_until

from tests.tools.boot import first_start
from tests.tools.boot import root as roots
from tests.tools.boot.container import Container
from tests.tools.boot.evening import (
    BROKEN,
    SETTINGS,
    UNSETTLED,
    Evening,
    Report,
    make_release,
    signed_updates,
    timed,
)
from tests.tools.boot.losses import Kept
from tests.tools.boot.lossy_disk import check_disk, mount, replay
from tests.tools.boot.machine import (
    BOOT_S,
    CHANGE_S,
    Machine,
    make_card_disk,
    make_disk,
    prepare,
)
from tests.tools.boot.player import Phone, SettingsForm, end_game, play

ZONE = "Europe/Paris"
FIRST = "/story/1"
"""Where the first game of a table is told, also after it."""
NOTHING_CHANGED = "Version 9.7 isn’t installed: it didn’t work here. Nothing has changed."


class Prepared(NamedTuple):
    """What the steps begin with: version 9.4 on a disk, a game that is over and one that runs."""

    root: Path
    disk: Path
    newer: Path
    """A signed release of version 9.5."""
    broken: Path
    """One of version 9.7, which needs a wheel that nobody has."""
    over: list[str]
    """The story of the game that is over."""

    def copy(self) -> Path:
        """Return a disk that may be used up."""
        copied = self.disk.with_name("disk.img")
        roots.run("cp", "--sparse=always", self.disk, copied)
        return copied


@contextmanager
def prepared(evening: Evening) -> Iterator[Prepared]:
    """Make the disk from the container, which stands still meanwhile."""
    with signed_updates(evening) as keys:
        newer = make_release(evening, "9.5", keys, sign=True)
        lacking = BROKEN["what it needs is not to be had"]
        broken = make_release(evening, "9.7", keys, sign=True, changes=[lacking])
        while evening.play(20) == (over := evening.story(FIRST)):
            """Play on, until it is that of the game before."""
        # A drawn tray is too much for a processor that is imitated: dice are entered by hand.
        evening.pi.run("sh", "-c", f"""echo 'camera = "none"' >> {SETTINGS}""")
        evening.pi.shut_down()
        root, disk = evening.folder / "machine", evening.folder / "ready.img"
        shutil.rmtree(root, ignore_errors=True)
        roots.copy(evening.root, root)
        prepare(root)
        # The wheels stay: an update needs them.
        roots.chroot(root, "apt-get", "clean")
        make_disk(root, disk)
        yield Prepared(root, disk, newer, broken, over)
        evening.pi = Container(evening.root, evening.tools)


class HostPhone:
    """The host's phone in Chromium, on the page of the Pi."""

    def __init__(self, screens: Screens, page: Page) -> None:
        self._screens, self._page = screens, page
        self._status = page.locator("#update [role=status]")

    def update(self, archive: Path, version: str, end: str) -> None:
        """Upload a release, have it installed, and follow the page until it says how it ended."""
        page = self._page
        choose_file(page.locator("#release-file"), archive)
        expect(page.locator("#update h3")).to_have_text(f"Version {version}")
        self._shot(f"{version}-uploaded")
        self._confirm("do-update")
        self._follow(version, end)

    def go_back(self, version: str) -> None:
        """Let the version before take over, and follow the page to the end."""
        offered = self._page.locator("[data-opens=go-back]")
        expect(offered).to_have_text(f"Go back to version {version}")
        self._confirm("go-back")
        self._follow(version, f"The update is done: this is version {version}.")

    def _follow(self, version: str, end: str) -> None:
        expect(self._status).to_contain_text(re.compile(rf"ersion {version} is |to version"))
        self._shot(f"{version}-running")
        expect(self._status).to_contain_text(end)
        self._shot(f"{version}-end")

    def runs(self, version: str) -> None:
        """Hold that the page names the version that runs."""
        expect(self._page.locator("header p")).to_have_text(f"The table runs version {version}.")

    def set_zone(self, zone: str) -> None:
        """Change the time zone on the page of the settings, and come back."""
        self._page.locator("a[href='/machine/settings']").click()
        self._page.locator("[name=time_zone]").fill(zone)
        self._page.locator("#of-table button").click()
        expect(self._page.locator("p.sticky")).to_contain_text("Saved")
        self._shot("settings-saved")
        self._page.locator("a[href='/machine']").click()

    def turn_off(self) -> None:
        """Turn the machine off."""
        self._confirm("turn-off")
        expect(self._page.locator(".notice").first).to_contain_text("The Pi turns off.")
        self._shot("off")

    def _confirm(self, question: str) -> None:
        """Press what asks a question, and say yes; the table must not refuse."""
        page = self._page
        page.locator(f"[data-opens={question}]").click()
        self._shot(question)
        with page.expect_response(lambda answer: answer.request.method == "POST") as answered:
            page.locator(f"#{question} .stop").click()
        assert answered.value.ok, answered.value.text()

    def _shot(self, name: str) -> None:
        self._screens.shot(self._page, name, scale="css")


@contextmanager
def host_phone(url: str, memory: Path) -> Iterator[HostPhone]:
    """Open the page of the Pi on the host's phone. memory: that of the `Phone` that joined."""
    seat = json.loads(memory.read_text())["seat"]
    with chromium() as browser:
        expect.set_options(timeout=CHANGE_S * 1000)
        screens = Screens(browser)
        # The table stops for each change.
        screens.expect("ERR_")
        page = screens.seated(url, seat, "machine")
        page.context.set_default_timeout(BOOT_S * 1000)
        yield HostPhone(screens, page)
        assert not screens.problems, screens.problems


def browsing(evening: Evening, given: Prepared) -> None:
    """Save a setting, update, fail to, go back and turn off in the browser, and start again."""
    report, disk, memory = evening.report, given.copy(), evening.phone
    running = Machine(given.root, disk)
    try:
        with host_phone(running.url, memory) as host:
            host.runs("9.4")
            play(running.url, memory, 3, BOOT_S)
            host.set_zone(ZONE)
            # Nothing is installed in the middle of a game.
            end_game(running.url, memory, BOOT_S)
            with timed(lambda s: report.figure("machine: update in the browser", s)):
                host.update(given.newer, "9.5", "The update is done: this is version 9.5.")
            host.runs("9.5")
            host.update(given.broken, "9.7", NOTHING_CHANGED)
            host.runs("9.5")
            report.held(f"machine, in the browser: {NOTHING_CHANGED}")
            play(running.url, memory, 2, BOOT_S)
            end_game(running.url, memory, BOOT_S)
            with timed(lambda s: report.figure("machine: way back in the browser", s)):
                host.go_back("9.4")
            host.runs("9.4")
            story = play(running.url, memory, 2, BOOT_S)
            host.turn_off()
            running.wait_for_end()
    finally:
        running.pull_plug()
    report.held("machine, in the browser: it turned itself off")
    running = Machine(given.root, disk)
    try:
        assert look(running, memory) == Kept(0, story, {"9.4"}, {ZONE})
        assert Phone(running.url, memory, BOOT_S).story(FIRST) == given.over
    finally:
        running.pull_plug()
    report.held("machine: off and on again, every accepted press is there, and the game before")


def look(running: Machine, memory: Path) -> Kept:
    """Wait until all that was begun has ended, and tell what is there."""
    phone = Phone(running.url, memory, BOOT_S)
    phone.ask("/machine")
    left = " ".join(f"/{place}" for place in UNSETTLED)
    running.do(f'until [ -z "$(ls -d {left} 2> /dev/null)" ]; do sleep 2; done')
    wait_until(lambda: versions(phone), patience_s=BOOT_S)
    zone = SettingsForm("", phone.ask("/machine/settings")[1]).fields["time_zone"]
    return Kept(0, phone.story(), set(versions(phone)[:1]), {zone})


def versions(phone: Phone) -> list[str]:
    """The version that runs, and the one to go back to."""
    return re.findall(
        r"(?:The table runs|data-opens=\"go-back\">Go back to) version ([\d.]+\d)",
        phone.ask("/machine")[1],
    )


PULLS: dict[str, tuple[tuple[str, ...], tuple[float, float]]] = {
    "a game ran": ((), (0, 0)),
    "the settings were saved": (("set", "time_zone", ZONE), (1, 40)),
    "an update ran": (("update",), (30, 300)),
    "the version before came back": (("back",), (20, 200)),
    "it turned off": (("off",), (0, 15)),
}
"""While what, by which words of the player, and after how many seconds the plug is pulled."""


def pulling(evening: Evening, given: Prepared) -> None:
    """Pull the plug in a game and in whatever else the host does, and boot again each time."""
    report, disk, memory, chance = evening.report, given.copy(), evening.phone, random.Random(9)
    boots: list[float] = []
    kept = pulled = None
    for what, (asked, seconds) in (*PULLS.items(), ("", ((), (0, 0)))):
        running = Machine(given.root, disk)
        try:
            boots.append(running.boot_s)
            found = look(running, memory)
            if kept is None:
                jumping(running, evening)
                report.held("the clock leapt to 2100 and back to 1971: turns were played")
            else:
                missing = kept.missing_in(found)
                assert not missing, (missing, kept, found)
                report.held(f"machine: the plug was pulled while {pulled}: now {found[2:]}")
            assert Phone(running.url, memory, BOOT_S).story(FIRST) == given.over
            if not what:
                break
            story = play(running.url, memory, 5, BOOT_S)
            may_run = set(found.versions)
            if "back" in asked:
                may_run |= set(versions(Phone(running.url, memory, BOOT_S)))
            archive = [str(given.newer)] if "update" in asked else []
            kept = Kept(0, story, may_run | ({"9.5"} if archive else set()), found.zones)
            if "set" in asked:
                kept = kept._replace(zones={*found.zones, ZONE})
            if archive or "back" in asked:
                # Nothing is installed in the middle of a game.
                end_game(running.url, memory, BOOT_S)
                kept = kept._replace(story=[])
            if asked:
                player = [sys.executable, "-m", "tests.tools.boot.player", running.url, str(memory)]
                begun = subprocess.Popen([*player, *asked, *archive], stdout=subprocess.DEVNULL)
                time.sleep(chance.uniform(*seconds))
        finally:
            running.pull_plug()
        if asked:
            begun.kill()
            begun.wait()
        pulled = what
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


def flashing(folder: Path, base: Path, report: Report, cuts: int) -> None:
    """Start a card in the machine and pull its plug; it goes on in a container, wherever it was.

    cuts: how many more there are, of a disk that loses its cache, before the plug was pulled.
    """
    root, disk, log = folder / "card", folder / "disk.img", folder / "writes.log"
    before, chance = folder / "before.img", random.Random(10)
    shutil.rmtree(root, ignore_errors=True)
    first_start.prepare(base, root)
    prepare(root)
    (root / "etc/fstab").write_text(
        "/dev/vda1 /boot/firmware vfat defaults 0 0\n/dev/vda2 / ext4 defaults,noatime 0 1\n"
    )
    # A name server that never answers would be waited for.
    (root / "etc/resolv.conf").unlink()
    begin = make_card_disk(first_start.make(folder), root, disk)
    roots.run("cp", "--sparse=always", disk, before)
    page = HTTPStatus.SERVICE_UNAVAILABLE
    running = Machine(root, disk, log=log, device="/dev/vda2", answer=page)
    try:
        report.held(f"machine, a card: the page tells of it after {running.boot_s:.0f} s")
        time.sleep(chance.uniform(60, 300))
    finally:
        running.pull_plug()
    goes_on(disk, begin, folder, report)
    for _ in range(cuts):
        cut = chance.randrange(log.stat().st_size)
        replay(before, log, cut, disk, chance)
        print(f"cut at {cut / log.stat().st_size:.1%}", flush=True)
        goes_on(disk, begin, folder, report)


def goes_on(disk: Path, begin: int, folder: Path, report: Report) -> None:
    """Hold that a card whose plug was pulled is installed in the end."""
    check_disk(disk, begin)
    with mount(disk, begin) as root:
        first_start.put(disk, root)
        pi = Container(root, folder / "tools")
        try:
            first_start.waits_for(pi, HTTPStatus.OK)
            first_start.check(pi, root)
        finally:
            pi.cut()
    report.held("machine, a card: cut off while it installed itself, and installed in the end")
