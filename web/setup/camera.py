"""Pictures of the camera as responses: one, or many in the place of each other."""

from collections.abc import Iterator
from typing import Protocol

from flask import Response

_BOUNDARY = "picture"


class LivePictures(Iterator[bytes], Protocol):
    """Pictures (JPEG) as they come."""

    def close(self) -> None:
        """Look no longer."""


class _Parts:
    """Pictures as parts of one answer: a browser shows each in the place of the one before."""

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
                # The end at once: some browsers show a part only when they have seen it.
                f"\r\n--{_BOUNDARY}\r\n".encode(),
            )
        )


def moving(pictures: LivePictures) -> Response:
    """Return pictures of which a browser shows each in the place of the one before."""
    kind = f"multipart/x-mixed-replace; boundary={_BOUNDARY}"
    return Response(_Parts(pictures), content_type=kind)


def still(picture: bytes | None) -> Response:
    """Return a picture; nothing (204) without one."""
    return Response(picture, mimetype="image/jpeg") if picture else Response(status=204)
