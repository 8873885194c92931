"""What the server answers where it refuses or fails: one line of text."""

import re
from collections.abc import Mapping

from flask import Response
from werkzeug.exceptions import HTTPException

from companion.base.refused import Problem
from web.i18n import lazy_gettext

STATUS: Mapping[Problem, int] = {
    Problem.STALE: 409,
    Problem.ILLEGAL: 422,
    Problem.FORBIDDEN: 403,
    Problem.FAILED: 503,
}
"""The status of an answer to a press that was refused."""

_FAILED = {
    404: lazy_gettext("there is no such page"),
    405: lazy_gettext("this page can’t do that"),
    413: lazy_gettext("too much was sent at once"),
    500: lazy_gettext("Something went wrong. The table’s log says what."),
}
"""Messages for HTTP errors without a message of their own."""


def error_response(error: HTTPException) -> Response:
    """Return the answer to a request that failed."""
    code, reason = error.code or 500, error.description
    if reason == type(error).description:
        reason = str(
            _FAILED.get(code, lazy_gettext("The table didn’t understand that. Reload the page."))
        )
    response = line(reason or "", code)
    response.headers.extend(
        (name, value) for name, value in error.get_headers() if name in ("Allow", "Retry-After")
    )
    return response


def jpeg_or_nothing(jpeg: bytes | None) -> Response:
    """Return a picture, or nothing (204) without one."""
    return Response(jpeg, mimetype="image/jpeg") if jpeg else Response(status=204)


def line(reason: str, status: int) -> Response:
    """Return a reason as the answer."""
    # Keep no-break spaces, such as French has before a colon.
    text = re.sub(r"[ \t\r\n]+", " ", reason).strip()
    return Response(f"{text}\n", status, mimetype="text/plain")
