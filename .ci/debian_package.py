"""Makes a Debian package of a release: make deb

    python .ci/debian_package.py [--archive FILE] [--processor aarch64]

It holds the archive's files and the wheels for one kind of processor, and calls the installer where
apt asks for it. Needs the network for the wheels, and dpkg-deb.
"""

import argparse
import gzip
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "systemd"))

from installer.packages import HOTSPOT_PACKAGES, PACKAGES, PI_PACKAGES
from memory_card import PROCESSOR, PYTHON, CardError, download, newest_archive

NAME = "bang-companion"
DEBIAN = {"aarch64": "arm64", "x86_64": "amd64"}
"""Debian's names of processors."""

HOME = Path("usr/lib") / NAME
"""Where the package's files lie; the installer copies what runs to places of its own."""

CONTROL = """\
Package: {name}
Version: {version}
Section: games
Priority: optional
Architecture: {architecture}
Maintainer: The bang-companion authors <>
Depends: {depends}
Recommends: {recommends}
Description: table for BANG!, the dice game and the card game
 A camera reads the real dice or cards, every phone is a player's board.
 The table runs as a service and needs no internet. This is an unofficial
 fan project: it comes without any picture or text of the game's publisher.
"""

# What apt does while it holds its lock must not ask it for more: the dependencies are all there.
INSTALL = """\
#!/bin/sh
set -e
if [ "$1" = configure ]; then
    export PIP_NO_INDEX=1 PIP_FIND_LINKS=/{home}/wheels
    /{home}/{name}/systemd/install --no-packages
fi
"""

REMOVE = """\
#!/bin/sh
set -e
if [ "$1" = remove ]; then
    /{home}/{name}/systemd/uninstall
fi
"""

COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: {name}

Files: *
Copyright: The bang-companion authors
License: MIT

Files: {home}/{name}/web/replay/fonts/*
Copyright: 2003 Bitstream, Inc.
License: bitstream-vera
 See /{home}/{name}/web/replay/fonts/LICENSE.

Files: {home}/wheels/*
Copyright: the authors of each
License: as-each-says
 See the folder *.dist-info in each wheel.

License: MIT
"""

CHANGES = """\
{name} ({version}) unstable; urgency=medium

  * What is new stands in /{home}/{name}/CHANGELOG.md.

 -- The bang-companion authors <>  {date}
"""

OVERRIDES = """\
# The project has no address of its own.
{name}: malformed-contact
{name}: bogus-mail-host-in-debian-changelog
# What is drawn must be the same on every machine.
{name}: duplicate-font-file
"""


def make_package(archive: Path, processor: str = PROCESSOR) -> Path:
    """Make a package beside an archive; return it. Raises CardError."""
    with tempfile.TemporaryDirectory() as made:
        root = Path(made)
        home = root / HOME
        wheels = home / "wheels"
        wheels.mkdir(parents=True)
        with tarfile.open(archive) as release:
            release.extractall(home, filter="tar")
            at = int(next(iter(release)).mtime)
        source = home / NAME
        download(source / f"systemd/wheels/python-{PYTHON}.txt", wheels, processor)
        describe(root, source, processor, at)
        version = version_of(source)
        package = archive.with_name(f"{NAME}_{version}_{DEBIAN[processor]}.deb")
        done = subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, package],
            capture_output=True, text=True,
            env={"PATH": "/usr/bin:/bin", "SOURCE_DATE_EPOCH": str(at)},
        )  # fmt: skip
        if done.returncode:
            raise CardError(done.stderr.strip())
    return package


def version_of(source: Path) -> str:
    """Return the version of a folder of sources."""
    text = (source / "companion/__init__.py").read_text(encoding="utf-8")
    (version,) = re.findall(r'^__version__ = "(.*)"$', text, re.MULTILINE)
    return str(version)


def describe(root: Path, source: Path, processor: str, at: int) -> None:
    """Write what Debian wants to know. at: the release's time, in seconds since 1970."""
    major, minor = PYTHON.split(".")
    pythons = f"python3 (>= {PYTHON})", f"python3 (<< {major}.{int(minor) + 1})"
    told = {
        "name": NAME, "home": HOME, "version": version_of(source),
        "architecture": DEBIAN[processor],
        "depends": ", ".join((*pythons, *PACKAGES[1:])),
        "recommends": ", ".join((*PI_PACKAGES, *HOTSPOT_PACKAGES)),
        "date": time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(at)),
    }  # fmt: skip
    control, shared = root / "DEBIAN", root / "usr/share/doc" / NAME
    overrides = root / "usr/share/lintian/overrides"
    for folder in (control, shared, overrides):
        folder.mkdir(parents=True)
    (control / "control").write_text(CONTROL.format(**told))
    for script, text in (("postinst", INSTALL), ("prerm", REMOVE)):
        (control / script).write_text(text.format(**told))
        (control / script).chmod(0o755)
    license_text = (source / "LICENSE").read_text().splitlines()
    indented = "".join(f" {line}\n" if line else " .\n" for line in license_text)
    (shared / "copyright").write_text(COPYRIGHT.format(**told) + indented)
    changes = gzip.compress(CHANGES.format(**told).encode(), 9, mtime=at)
    (shared / "changelog.gz").write_bytes(changes)
    (overrides / NAME).write_text(OVERRIDES.format(**told))


def main(arguments: Sequence[str] | None = None) -> int:
    """Make a package, as the command line says; return the exit status."""
    as_it_is = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=as_it_is)
    parser.add_argument("--archive", type=Path, help="of the release; default: the last in dist")
    parser.add_argument("--processor", default=PROCESSOR, choices=DEBIAN)
    given = parser.parse_args(arguments)
    try:
        if not shutil.which("dpkg-deb"):
            raise CardError("this needs a Debian, with dpkg-deb")
        print(make_package(given.archive or newest_archive(), given.processor))
    except (CardError, OSError) as error:
        print(f"deb: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
