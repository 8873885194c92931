"""A hash chain: each line has a number, and a checksum over itself and the line before.

    0 8d0a49f1c2b7e633 {"format": 3, …}
    1 5be1c09d2f64a17c {"version": 1052, …}

Any change, loss or insertion is detected, and every line before it remains valid.
"""

from collections.abc import Iterator
from hashlib import blake2b
from typing import NamedTuple


class Link(NamedTuple):
    """A line of a chain."""

    number: int
    """Counts the lines from 0."""
    checksum: str
    """The checksum of the line and all lines before it, in hexadecimal."""
    text: str
    """The line's content, without line feeds."""

    @property
    def line(self) -> bytes:
        """The line as written to a file."""
        return f"{self.number} {self.checksum} {self.text}\n".encode()


def link(before: Link | None, text: str) -> Link:
    """Return a line with `text` that follows another line, or the first line."""
    number, earlier = (before.number + 1, before.checksum) if before else (0, "")
    found = blake2b(f"{earlier} {number} {text}".encode(), digest_size=8).hexdigest()
    return Link(number, found, text)


def proven(*files: bytes) -> list[Link]:
    """Return the longest valid chain, each line taken from any of the files.

    If two files begin differently, the first with a valid beginning decides.
    """
    lines: dict[bytes, list[bytes]] = {}
    for content in files:
        for line in _lines(content):
            lines.setdefault(line.partition(b" ")[0], []).append(line)
    chain: list[Link] = []
    while True:
        before = chain[-1] if chain else None
        candidates = lines.get(b"%d" % len(chain), ())
        found = next((found for line in candidates if (found := _read(before, line))), None)
        if found is None:
            return chain
        chain.append(found)


def is_torn(rest: bytes) -> bool:
    """Return whether the bytes after a chain in its file are the remains of an unfinished write."""
    return b"\n" not in rest


def _lines(content: bytes) -> Iterator[bytes]:
    *whole, last = content.split(b"\n")
    yield from whole
    # Cut off just before its line feed, or with a line feed that turned into something else.
    yield from (last, last[:-1])


def _read(before: Link | None, line: bytes) -> Link | None:
    """Return the line as a link if it is the next one."""
    try:
        text = line.decode().split(" ", 2)[2]
    except (UnicodeDecodeError, IndexError):
        return None
    found = link(before, text)
    return found if found.line == line + b"\n" else None
