"""Compress long responses, so that even a long story loads quickly on a slow phone."""

import gzip
from functools import lru_cache

from flask import Response, request

LONG = 1024
"""The smallest body worth compressing, in bytes."""

_TEXTS = frozenset(
    {
        "text/html",
        "text/css",
        "text/javascript",
        "application/javascript",
        "application/jsonl",
        "image/svg+xml",
    }
)


def compress(response: Response) -> Response:
    """Return the response compressed (gzip) if it is a long text and the client accepts that.

    Streams are left alone: their events must not wait until there is more.
    """
    # In this order, because measuring a stream would wait for its end.
    if response.mimetype not in _TEXTS or response.status_code != 200:
        return response
    if (response.content_length or response.calculate_content_length() or 0) < LONG:
        return response
    response.vary.add("Accept-Encoding")
    if request.accept_encodings["gzip"]:
        # Otherwise files are passed through unread.
        response.direct_passthrough = False
        response.set_data(_gzip(response.get_data()))
        response.headers["Content-Encoding"] = "gzip"
        etag, _ = response.get_etag()
        if etag:
            # Different bytes with the same content.
            response.set_etag(etag, weak=True)
    return response


# Pages are drawn once for everybody, and files never change.
@lru_cache(maxsize=32)
def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, compresslevel=5, mtime=0)
