"""What matters here of an image of Raspberry Pi OS: a FAT partition with cloud-init's files."""

import struct
from collections.abc import Mapping
from pathlib import Path

from releases import run

SECTOR = 512
BEGIN = 8 * SECTOR
"""Where the partition begins, in bytes."""


def make_image(path: Path, size: int, files: Mapping[str, str]) -> None:
    """Make an image with a FAT partition. size: in bytes; files: by their names, in its root."""
    sectors = size // SECTOR
    entry = struct.pack("<B3xB3xII", 0, 0x0C, BEGIN // SECTOR, sectors)
    path.write_bytes(bytes(446) + entry + bytes(48) + b"\x55\xaa")
    with path.open("r+b") as file:
        file.truncate(BEGIN + sectors * SECTOR)
    run("mformat", "-i", f"{path}@@{BEGIN}", "-T", sectors, "-h", "16", "-s", "32", "::")
    for name, text in files.items():
        written = path.with_name(name)
        written.write_text(text)
        run("mcopy", "-i", f"{path}@@{BEGIN}", written, "::/")
