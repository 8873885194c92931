"""Camera pictures as responses: one picture, or live ones (multipart)."""

from collections.abc import Iterator
from typing import Protocol

from flask import Response

_BOUNDARY = "picture"


class LivePictures(Iterator[bytes], Protocol):
    """Live pictures (JPEG)."""

    def close(self) -> None:
        """Stop the pictures."""


class _Parts:
    """Pictures as parts of one response; a browser replaces each with the next."""

    def __init__(self, pictures: LivePictures) -> None:
        self._pictures = pictures
        self.close = pictures.close
        self._head = f"--{_BOUNDARY}\r\n".encode()

    def __iter__(self) -> "_Parts":
        return self

    def __next__(self) -> bytes:
        picture = next(self._pictures)
        head, self._head = self._head, b""
        return b"".join(
            (
                head,
                f"Content-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n".encode(),
                picture,
                # The boundary follows at once: some browsers show a part only once it has ended.
                f"\r\n--{_BOUNDARY}\r\n".encode(),
            )
        )


def moving(pictures: LivePictures) -> Response:
    """Return a response of live pictures, each replacing the one before."""
    kind = f"multipart/x-mixed-replace; boundary={_BOUNDARY}"
    return Response(_Parts(pictures), content_type=kind)
