"""The table page: what everybody in the room may see, large."""

from flask import Blueprint
from flask.typing import ResponseReturnValue

from web.access import For, audience, table
from web.joining.codes import table_address
from web.live import draw_for_visitor, stream_to_all

television = Blueprint("television", __name__)


@television.get("/table")
@audience(For.EVERYBODY)
def table_page() -> ResponseReturnValue:
    """What everybody in the room may see, large."""
    return draw_for_visitor("table", table().view(), {"address": table_address()()})


@television.get("/live/table")
@audience(For.EVERYBODY)
def live_table() -> ResponseReturnValue:
    """The stream of the table page."""
    address = table_address()
    return stream_to_all("table", lambda: {"address": address()})
