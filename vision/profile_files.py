"""Read and write the files of profiles and decks, and say what is wrong with them."""

import io
import json
import lzma
import os
import re
import struct
import threading
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

SHIPPED = Path(__file__).with_name("profiles")
"""The folder of the profiles that come with the product."""
LARGEST = 1 << 18
"""Bytes of one entry of a profile or deck: more than any that we write."""
DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, KeyError, ValueError, EOFError,
    RuntimeError, OSError,
)  # fmt: skip
"""What a damaged or forged ZIP raises when it is read; RecursionError and NotImplementedError are
RuntimeErrors."""


class ProfileError(Exception):
    """A profile is missing or malformed; the message names the place and what is wrong."""


def check_name(name_or_path: str | Path) -> str:
    """Return the name or path as text. Raises ProfileError where it can't be one."""
    name = str(name_or_path)
    if not name:
        raise ProfileError(f"{name!r}: a profile needs a name")
    # They would break the one line of an error in two.
    if re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", name):
        raise ProfileError(f"{name!r}: no name of a profile: it has control characters")
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        raise ProfileError(f"{name!r}: no name of a profile") from None
    if name.endswith(("/", os.sep)):
        raise ProfileError(f"{name}: a folder, and a profile is a file")
    return name


def check_head(path: Path, entry: str, head: Any, kind: str, newest: int) -> None:
    """Raise ProfileError unless this is the head of a file of a kind, in a format that we read."""
    # True is an int, too.
    if not isinstance(head, dict) or type(head.get("format")) is not int or head["format"] < 1:
        raise ProfileError(f"{path}: damaged ({entry}: no format)")
    if head["format"] > newest:
        raise ProfileError(
            f"{path}: written by a newer version (format {head['format']}; this one reads "
            f"up to {newest})"
        )
    if head.get("kind") != kind:
        raise ProfileError(f"{path}: kind must be {kind!r}, not {head.get('kind')!r}")


def read_profile_file(path: Path, missing: str) -> bytes:
    """Return the content of a file. Raises ProfileError, which says `missing` if there is none."""
    try:
        if path.is_fifo() or path.is_char_device():
            # Reading would never end.
            raise ProfileError(f"{path}: this is no file")
        return path.read_bytes()
    except FileNotFoundError as error:
        raise ProfileError(missing) from error
    except OSError as error:
        raise ProfileError(f"{path}: {error.strerror}") from error


def zip_bytes(head: tuple[str, Mapping[str, Any]], pictures: Iterable[tuple[str, bytes]]) -> bytes:
    """Return the bytes of a ZIP file that doesn't say when it was made.

    head: the name and the content of its first entry; pictures: those of the others.
    """
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as file:
        file.writestr(zipfile.ZipInfo(head[0]), json.dumps(head[1], indent=1))
        for name, picture in pictures:
            file.writestr(zipfile.ZipInfo(name), picture)
    return whole.getvalue()


def decode_png(data: bytes, width: int, height: int) -> npt.NDArray[np.uint8] | None:
    """Return the picture in a PNG, BGR; None if it is none of this size.

    It is decoded only if its head says so: a few bytes may declare one that fills the memory.
    """
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height)
    if not data.startswith(head):
        return None
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    fits = image is not None and image.shape == (height, width, 3)
    return np.asarray(image, np.uint8) if fits else None


def write_profile_file(path: Path, data: bytes) -> None:
    """Write the file of a profile, whole or not at all. Raises ProfileError where that fails."""
    part = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise ProfileError(f"{path}: {error.strerror}") from error
