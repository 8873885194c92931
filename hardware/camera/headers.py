"""What a picture file declares in its header, and whether it is whole.

Checked before decoding: a few bytes may declare a picture that fills the memory, and some decoders
fill a missing part with grey.
"""

import struct
import zlib
from collections.abc import Iterator

JPEG, PNG, TIFF = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", (b"II*\0", b"MM\0*")
"""The first bytes of files in these formats."""

_TIFF_WIDTH, _TIFF_HEIGHT = 256, 257
_TIFF_NUMBERS = {3: "H", 4: "I"}
"""The tags of a TIFF's size, and how numbers of their types are stored."""


def declared_size(data: bytes) -> tuple[int, int] | None:
    """Return the width and height that the header of a picture declares; None without one."""
    if data.startswith(PNG) and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if data.startswith(b"BM") and len(data) >= 26:
        return _declared_size_of_bmp(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        return _declared_size_of_webp(data)
    if data.startswith(TIFF):
        return _declared_size_of_tiff(data)
    for marker, at in _jpeg_segments(data):
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 3 : at + 7])
            return width, height
    return None


def _declared_size_of_bmp(data: bytes) -> tuple[int, int]:
    if data[14:18] == struct.pack("<I", 12):
        # The oldest kind of header.
        width, height = struct.unpack("<HH", data[18:22])
        return width, height
    width, height = struct.unpack("<ii", data[18:26])
    # A negative height stands for rows from top to bottom.
    return abs(width), abs(height)


def _declared_size_of_webp(data: bytes) -> tuple[int, int] | None:
    match data[12:16]:
        case b"VP8X":
            return (
                1 + int.from_bytes(data[24:27], "little"),
                1 + int.from_bytes(data[27:30], "little"),
            )
        case b"VP8L":
            bits = int.from_bytes(data[21:25], "little")
            return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case b"VP8 ":
            width, height = struct.unpack("<HH", data[26:30])
            return width & 0x3FFF, height & 0x3FFF
    return None


def _declared_size_of_tiff(data: bytes) -> tuple[int, int] | None:
    order = "<" if data.startswith(b"II") else ">"
    sizes = {}
    try:
        (at,) = struct.unpack_from(f"{order}I", data, 4)
        (entries,) = struct.unpack_from(f"{order}H", data, at)
        for entry in range(at + 2, at + 2 + 12 * entries, 12):
            tag, kind = struct.unpack_from(f"{order}HH", data, entry)
            if tag in (_TIFF_WIDTH, _TIFF_HEIGHT) and kind in _TIFF_NUMBERS:
                (sizes[tag],) = struct.unpack_from(order + _TIFF_NUMBERS[kind], data, entry + 8)
    except struct.error:
        return None
    if sizes.keys() != {_TIFF_WIDTH, _TIFF_HEIGHT}:
        return None
    return sizes[_TIFF_WIDTH], sizes[_TIFF_HEIGHT]


def is_cut_off_jpeg(data: bytes) -> bool:
    """Return whether a JPEG's picture, not one of its thumbnails, is truncated.

    Some versions of OpenCV fill the missing part with grey.
    """
    scans = [at for marker, at in _jpeg_segments(data) if marker == 0xDA]
    return data.startswith(JPEG) and not (scans and data.find(b"\xff\xd9", scans[0]) > 0)


def is_whole_png(data: bytes) -> bool:
    """Return whether a PNG is complete and undamaged.

    Otherwise libpng would print its errors to standard error, in addition to ours.
    """
    at, kind = len(PNG), b""
    while kind != b"IEND" and at + 12 <= len(data):
        end = at + 8 + int.from_bytes(data[at : at + 4], "big")
        kind = data[at + 4 : at + 8]
        if data[end : end + 4] != zlib.crc32(data[at + 4 : end]).to_bytes(4, "big"):
            return False
        at = end + 4
    return kind == b"IEND"


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the marker and offset of each segment of a JPEG's header, up to the first scan."""
    at, marker = 2, 0
    while data.startswith(JPEG) and marker != 0xDA and at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        yield marker, at + 2
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
