"""Cuts of a disk that loses its cache: what a table has promised must be there afterwards."""

import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from waiting import wait_until

from tests.tools.boot import root as roots
from tests.tools.boot.container import Container
from tests.tools.boot.evening import (
    SETTINGS,
    UNSETTLED,
    URL,
    Evening,
    make_release,
    signed_updates,
)
from tests.tools.boot.lossy_disk import check_disk, mount, noted, replay
from tests.tools.boot.machine import make_disk

UNSYNCED = tuple(
    (file, r"\A", "import os\nos.fsync = os.fdatasync = lambda file: None\n")
    for file in ("companion/__init__.py", "systemd/installer/files.py")
)
"""A version that waits for no disk: cuts of one that loses its cache must find it out."""


class Kept(NamedTuple):
    """What must be true of a disk that is cut off from `since` on; sizes of the log, in bytes."""

    since: int
    story: list[str]
    """More may be there; empty between two games."""
    versions: set[str]
    zones: set[str]

    def missing_in(self, found: "Kept") -> list[str]:
        """Name what must be there and isn't."""
        held = {
            "presses": found.story[: len(self.story)] == self.story,
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
        signed = make_release(evening, "9.5", keys, sign=True, changes=changes)
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
                there.pi.shut_down()
        lost = lost_after(evening, before, log, kept, cuts)
        evening.pi = Container(evening.root, evening.tools)
    evening.report.figure(
        f"cuts of a disk that loses its cache, {end >> 20} MB written"
        + (", where nothing waits for it" if changes else ""),
        f"{len(lost)} of {cuts} with a loss",
    )
    return lost


def lost_after(
    evening: Evening, before: Path, log: Path, kept: Sequence[Kept], cuts: int
) -> list[str]:
    """Cut off what was written to a disk; return what was lost in which cut.

    before: the disk at the beginning; kept: one after the other.
    """
    disk, end = evening.folder / "disk.img", log.stat().st_size
    begins = [promise.since for promise in kept] + [end]
    chance, lost = random.Random(8), []
    for number in range(cuts):
        # By turns in any phase, since nearly all is written while an update is installed: as soon
        # as something is promised, then anywhere later.
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
    yield Kept(written(), [], {"9.4", "9.5"}, {"Europe/Paris"})
    ask("", "end")
    ask("The update is done", "update", signed)
    yield Kept(written(), [], {"9.5"}, {"Europe/Paris"})
    story = there.play(3)
    yield Kept(written(), story, {"9.5"}, {"Europe/Paris"})
    yield Kept(written(), [], {"9.4", "9.5"}, {"Europe/Paris"})
    ask("", "end")
    ask("The update is done", "back")
    yield Kept(written(), [], {"9.4"}, {"Europe/Paris"})
    story = there.play(2)
    yield Kept(written(), story, {"9.4"}, {"Europe/Paris"})
    ask("", "off")
    there.pi.wait_for_end()


def look_after(there: Evening) -> Kept:
    """Wait until all that was begun has ended, and tell what is there."""

    def ask(what: str) -> str:
        return there.pi.in_network("tests.tools.boot.player", URL, there.phone, what)

    ask("look")
    for place in UNSETTLED:
        wait_until(lambda place=place: not list(there.root.glob(place)), patience_s=300)
    zone = re.search(r'^time_zone = "(.*)"', (there.root / SETTINGS[1:]).read_text(), re.MULTILINE)
    zones = {zone[1] if zone else ""}
    found = Kept(0, json.loads(ask("story")), {there.version()}, zones)
    there.pi.cut()
    return found
