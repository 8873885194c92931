"""Tables for other programs, as comma-separated values that spreadsheets open."""

import csv
import io
from collections.abc import Iterable, Mapping

from flask import Response

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
