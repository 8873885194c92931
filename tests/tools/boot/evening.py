"""An evening on a Debian with the service: what is played, installed and released there."""

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from releases import Keys, make_keys, pack

from tests.tools.bench.machine import machine as this_machine
from tests.tools.boot import root as roots
from tests.tools.boot.container import Container

URL = "http://127.0.0.1/"
UNIT = "bang-companion.service"
DATA = "/var/lib/bang-companion"
SETTINGS = "/etc/bang-companion/settings.toml"
UNSETTLED = ("opt/bang-companion/change-*", "etc/bang-companion/.settings.toml.undecided")
"""What is there while a change is not decided."""

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

    def story(self, address: str = "/story") -> list[str]:
        """The story of the game that runs, or the one at that address."""
        asked = ("tests.tools.boot.player", URL, self.phone, "story", address)
        story: list[str] = json.loads(self.pi.in_network(*asked))
        return story

    def holds(self, story: list[str], what: str) -> None:
        """Hold that the table tells this story still."""
        assert self.play(0) == story, f"{what}: the story has changed"
        self.report.held(f"{what}: every accepted press is there")

    def empty(self) -> None:
        """Start a table at which nobody has sat, from a card that was not read yet.

        What was just written lies in memory in larger pieces than what is read, all of which count
        for the process that uses a part.
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
    make_release(evening, "9.4", keys, changes=changes)
    evening.install()
    yield keys
    evening.pi.run("rm", "-r", folder)
    evening.pi.run("systemctl", "daemon-reload")


def make_release(
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
    releases = evening.folder / "releases"
    releases.mkdir(exist_ok=True)
    return pack(releases / f"{version}.tar.gz", source, keys.private if sign else None)
