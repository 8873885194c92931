"""What the server answers beside pages: refusals in one line of text, pictures, and tables."""

import csv
import io
import re
from collections.abc import Iterable, Mapping

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


# Tables for other programs, as comma-separated values that spreadsheets open

_FORMULA = ("=", "+", "-", "@", "\t")
"""What makes a spreadsheet take a text for a formula."""


def csv_file(name: str, table: str) -> Response:
    """Return a table as a file that spreadsheets open."""
    # Without a mark at its begin, some spreadsheets don't see that it is UTF-8.
    text = f"\N{ZERO WIDTH NO-BREAK SPACE}{table}".encode("utf-8", "replace")
    response = Response(text, mimetype="text/csv")
    response.headers["Content-Disposition"] = f"attachment; filename=bang-{name}.csv"
    return response


def csv_table(rows: Iterable[Mapping[str, object]]) -> str:
    """Return rows as comma-separated values."""
    text = io.StringIO()
    writer = None
    for row in rows:
        if writer is None:
            writer = csv.writer(text)
            writer.writerow(row.keys())
        writer.writerow(map(_cell, row.values()))
    return text.getvalue()


def _cell(value: object) -> object:
    # A player's name must not become a formula in somebody's spreadsheet.
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
