"""A fresh Debian to install on, and what a Pi would have beside it.

Raspberry Pi OS is Debian with an archive of its own on top. What only that archive has, and is
missing or replaced here, stands in `REPLACED` and nowhere else.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from installer.packages import HOTSPOT_PACKAGES, PACKAGES

PROJECT = Path(__file__).parents[3]
REPLACED = {
    "python3-picamera2": "nothing: the drawn camera plays (`make camera-test` runs picamera2)",
    "python3-lgpio": "nothing: gpiozero's mock pins",
    "the group gpio": "systemd/install makes it where it is missing",
    "the model in /proc/device-tree": "nothing: the table takes itself for a PC's",
    "kernel and firmware": "Debian's for PCs, in the virtual machine",
}
"""Of Raspberry Pi OS, with what takes its place here."""

SUITES = {"trixie": "Debian 13", "bookworm": "Debian 12"}
"""What Raspberry Pi OS of these releases is built on; the first is meant where none is named."""

SUITE = next(iter(SUITES))
BASE = ("systemd-sysv", "dbus", "udev", "iproute2", "procps", "e2fsprogs")
"""What Raspberry Pi OS Lite has before anything is installed, as far as it matters."""

WHEELS = Path("/var/cache/bang-wheels")
"""In the root: wheels, so that the installation needs no network."""

SOURCE = Path("/root/bang-companion")
"""In the root: the unpacked archive of the release."""

INSTALL = SOURCE / "systemd/install"
OFFLINE = ("env", "PIP_NO_INDEX=1", f"PIP_FIND_LINKS={WHEELS}")
"""With what is at hand in the root."""

Environment = dict[str, str]
Change = tuple[str, str, str]
"""Of a release: its files, a pattern in each, and what to put there."""


def make_debian(
    root: Path,
    suite: str = SUITE,
    *,
    backports: bool = False,
    options: Sequence[str] = (f"--include={','.join(BASE)}",),
) -> None:
    """Make a bare Debian. options: debootstrap's."""
    mirror = _mirror()
    run("debootstrap", "--variant=minbase", *options, suite, root, mirror)
    if backports:
        (root / "etc/apt/sources.list.d/backports.list").write_text(
            f"deb {mirror} {suite}-backports main\n"
        )
    # This machine's own way to the archive; the installed system never uses it.
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    (root / "etc/apt/apt.conf.d/99keep").write_text(
        'APT::Keep-Downloaded-Packages "true";\nAcquire::Check-Valid-Until "false";\n'
    )
    chroot(root, "apt-get", "update", "-qq")


def make_base(root: Path, suite: str, extra: Sequence[str] = ()) -> None:
    """Make a Debian with all packages and wheels of the installation downloaded, none installed.

    extra: more packages to have at hand.
    """
    make_debian(root, suite)
    chroot(root, "apt-get", "install", "-qq", "-y", "--no-install-recommends", "--download-only",
           *PACKAGES, *HOTSPOT_PACKAGES, *extra)  # fmt: skip
    _download_wheels(root)


def base(folder: Path, suite: str, extra: Sequence[str] = ()) -> Path:
    """Return a Debian as `make_base` makes it, made anew where the installation has changed."""
    found = folder / f"{suite}-{needs()}"
    if not found.exists():
        folder.mkdir(parents=True, exist_ok=True)
        make_base(found.with_suffix(".part"), suite, extra)
        found.with_suffix(".part").rename(found)
    return found


def _download_wheels(root: Path) -> None:
    shown = chroot(root, "apt-cache", "show", "python3")
    found = re.search(r"^Version: (\d+\.\d+)", shown, re.MULTILINE)
    assert found, shown
    target = root / WHEELS.relative_to("/")
    target.mkdir(parents=True)
    platforms = [f"--platform=manylinux_2_{minor}_x86_64" for minor in (17, 27, 28)]
    run(sys.executable, "-m", "pip", "download", "-q", "--only-binary=:all:", "-d", target,
         f"--python-version={found[1]}", *platforms, "--platform=manylinux2014_x86_64",
         "--no-deps", "--require-hashes",
         "--requirement", PROJECT / f"systemd/wheels/python-{found[1]}.txt")  # fmt: skip


def requirements() -> list[str]:
    """What the project asks of pip."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    wanted: list[str] = project["dependencies"]
    return wanted


def needs() -> str:
    """Return a short name for all that the installation needs."""
    wheels = sorted((PROJECT / "systemd/wheels").iterdir())
    listed = [*PACKAGES, *HOTSPOT_PACKAGES, *(file.read_text() for file in wheels)]
    return hashlib.sha256("\n".join(listed).encode()).hexdigest()[:8]


def copy(base: Path, root: Path) -> None:
    """A root that may be used up."""
    run("cp", "-a", "--reflink=auto", base, root)


@cache
def archive() -> Path:
    """Make the archive for a Pi from the last commit; what is not committed is left out."""
    run(PROJECT / ".ci/release", env={"PYTHON": sys.executable})
    (made,) = (PROJECT / "dist").glob("bang-companion-*-pi.tar.gz")
    return made


def put_source(root: Path, version: str = "", changes: Sequence[Change] = ()) -> None:
    """Unpack the archive there, with changes."""
    source = root / SOURCE.relative_to("/")
    shutil.rmtree(source, ignore_errors=True)
    source.parent.mkdir(parents=True, exist_ok=True)
    run("tar", "-xzf", archive(), "--no-same-owner", "-C", source.parent)
    if version:
        changes = [
            ("companion/__init__.py", r'^__version__ = ".*"', f'__version__ = "{version}"'),
            *changes,
        ]
    for name, old, new in changes:
        for file in source.glob(name):
            text, found = re.subn(old, lambda _, new=new: new, file.read_text(), flags=re.MULTILINE)
            assert found == 1, (name, old)
            file.write_text(text)


def chroot(root: Path, *command: object) -> str:
    """Run a command in a root that is not booted; raises where it fails."""
    return run("chroot", root, *command, env={"DEBIAN_FRONTEND": "noninteractive"})


def _mirror() -> str:
    """Where this machine gets its packages from."""
    for file in (Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*")):
        if file.is_file():
            found = re.search(r"https?://\S*debian\S*/debian/?(?=\s)", file.read_text() + "\n")
            if found:
                return found[0]
    raise RuntimeError("no Debian mirror among the sources of apt")


def run(*command: object, env: Environment | None = None) -> str:
    """Run a command; return what it printed. Raises where it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, env=os.environ | (env or {}),
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout
