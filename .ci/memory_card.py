"""Puts a release into an image of Raspberry Pi OS, so that a Pi installs it by itself: make card

    python .ci/memory_card.py raspios.img.xz [--url https://example.org/cards]

Beside the archive come to lie: an image that holds it, with the wheels for 64-bit ARM, on its boot
partition, and a manifest by which Raspberry Pi Imager opens that image and offers its settings.
Needs the network for the wheels, and mtools.
"""

import argparse
import hashlib
import json
import lzma
import os
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = "3.13"
"""That of Raspberry Pi OS 13, the first that reads cloud-init."""
PROCESSOR = "aarch64"
GLIBC = (17, 27, 28)
"""Minor versions of the C library that wheels are built for."""

SECTOR = 512
FAT = (0x0B, 0x0C, 0x0E)
"""How the partition table names a FAT partition."""

DEVICES = {
    "Raspberry Pi 5": ("pi5-64bit", "RPi_5"),
    "Raspberry Pi 4": ("pi4-64bit", "RPi_4"),
    "Raspberry Pi Zero 2 W": ("pi3-64bit", "RPi_Zero_2_W"),
    "Raspberry Pi 3": ("pi3-64bit", "RPi_3"),
}
"""What the Imager lets one choose, with its tag and its icon."""
ICONS = "https://downloads.raspberrypi.com/imager/icons"


class CardError(Exception):
    """Why no card can be made, in a sentence."""


def make_card(
    image: Path, archive: Path, processor: str = PROCESSOR, address: str = ""
) -> tuple[Path, Path]:
    """Make an image that installs an archive; return it and its manifest. Raises CardError.

    address: of the folder where others find the image; empty: it stays on this computer.
    """
    card = archive.with_name(archive.name.removesuffix(".tar.gz") + ".img")
    part = card.with_suffix(".part")
    try:
        unpack(image, part)
        place = f"{part}@@{boot_partition(part)}"
        # Only images that cloud-init sets up have it.
        if mtools("mdir", "-b", "-i", place, "::/user-data").returncode:
            raise CardError("the image isn't of Raspberry Pi OS 13 with cloud-init")
        with tempfile.TemporaryDirectory() as folder:
            fill(Path(folder), archive, processor)
            done = mtools("mcopy", "-s", "-o", "-Q", "-i", place, *Path(folder).iterdir(), "::/")
        if done.returncode:
            raise CardError(
                f"{image.name}: the image's boot partition can't take it: {done.stderr.strip()}"
            )
        part.replace(card)
    finally:
        part.unlink(missing_ok=True)
    manifest = card.with_suffix(".rpi-imager-manifest")
    url = f"{address.rstrip('/')}/{card.name}" if address else card.resolve().as_uri()
    manifest.write_text(json.dumps(describe(card, url), indent=2) + "\n")
    return card, manifest


def unpack(image: Path, target: Path) -> None:
    """Copy an image, which may be compressed by xz. Raises CardError."""
    opener = lzma.open if image.suffix == ".xz" else open
    try:
        with opener(image, "rb") as source, target.open("wb") as copy:
            shutil.copyfileobj(source, copy, 1 << 20)
    except (lzma.LZMAError, EOFError):
        raise CardError("the image is damaged") from None


def boot_partition(image: Path) -> int:
    """Return where the first FAT partition of an image begins, in bytes. Raises CardError."""
    with image.open("rb") as file:
        table = file.read(SECTOR)
    for at in range(446, 510, 16):
        if table[510:] == b"\x55\xaa" and table[at + 4] in FAT:
            (begin,) = struct.unpack_from("<I", table, at + 8)
            return int(begin) * SECTOR
    raise CardError("this is no image of a memory card")


def mtools(*command: object) -> subprocess.CompletedProcess[str]:
    """Run a program of mtools, which writes to FAT without mounting it."""
    words = [str(word) for word in command]
    # Older ones refuse partitions that don't fit the geometry of disks of the eighties.
    env = {**os.environ, "MTOOLS_SKIP_CHECK": "1"}
    return subprocess.run(words, capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL)


def fill(folder: Path, archive: Path, processor: str) -> None:
    """Put into a folder what the boot partition is to hold. Raises CardError."""
    target = folder / "bang-companion"
    target.mkdir()
    shutil.copy(archive, target)
    with tarfile.open(archive) as release:
        for member in release:
            name = member.name.removeprefix("bang-companion/systemd/")
            held = release.extractfile(member)
            if held is None or not re.match(rf"card/|wheels/python-{PYTHON}", name):
                continue
            on_top = name == "card/vendor-data"
            (folder if on_top else target).joinpath(Path(name).name).write_bytes(held.read())
    wanted = target / f"python-{PYTHON}.txt"
    if not wanted.exists() or not (folder / "vendor-data").exists():
        raise CardError(f"{archive.name}: this release can't install itself from a card")
    download(wanted, target, processor)
    wanted.unlink()


def download(wanted: Path, target: Path, processor: str) -> None:
    """Download the wheels of a list, by their hashes. Raises CardError."""
    platforms = [f"--platform=manylinux_2_{minor}_{processor}" for minor in GLIBC]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes",
         "--only-binary=:all:", f"--python-version={PYTHON}", *platforms,
         f"--platform=manylinux2014_{processor}", "--requirement", wanted, "--dest", target],
        capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        raise CardError(f"the wheels can't be had: {done.stderr.strip()}")


def describe(card: Path, url: str) -> dict[str, object]:
    """Return the manifest, by which the Imager knows that it may set the card up."""
    with card.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    size = card.stat().st_size
    system = {
        "name": "BANG! companion",
        "description": "Raspberry Pi OS Lite (64-bit), which installs the table at its first start",
        "icon": f"{ICONS}/RPi_5.png",
        "url": url,
        "extract_size": size,
        "extract_sha256": digest,
        "image_download_size": size,
        "release_date": date.today().isoformat(),
        "init_format": "cloudinit-rpi",
        "devices": sorted({tag for tag, _ in DEVICES.values()}),
    }
    devices = [
        {"name": name, "description": name, "icon": f"{ICONS}/{icon}.png", "tags": [tag],
         "matching_type": "exclusive"}
        for name, (tag, icon) in DEVICES.items()
    ]  # fmt: skip
    return {"imager": {"devices": devices}, "os_list": [system]}


def newest_archive() -> Path:
    """Return the archive that `make release` made last. Raises CardError."""
    made = sorted(
        (ROOT / "dist").glob("bang-companion-*-pi.tar.gz"), key=lambda f: f.stat().st_mtime
    )
    if not made:
        raise CardError("there is no archive in dist: run make release first")
    return made[-1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Make a card, as the command line says; return the exit status."""
    as_it_is = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=as_it_is)
    parser.add_argument(
        "image", type=Path, help="of Raspberry Pi OS Lite (64-bit), .img or .img.xz"
    )
    parser.add_argument("--archive", type=Path, help="of the release; default: the last in dist")
    parser.add_argument("--url", default="", help="of the folder where others will find the image")
    parser.add_argument("--processor", default=PROCESSOR, help=f"default: {PROCESSOR}")
    given = parser.parse_args(arguments)
    try:
        if not shutil.which("mcopy"):
            raise CardError("this needs mtools: sudo apt-get install mtools")
        archive = given.archive or newest_archive()
        made = make_card(given.image, archive, given.processor, given.url)
    except (CardError, OSError) as error:
        print(f"card: {error}", file=sys.stderr)
        return 1
    print(*made, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
