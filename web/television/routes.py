"""Routes of the table page: what everybody in the room may see, in large type."""

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from web.access import For, get, table
from web.live import draw_for_visitor, stream_to_all
from web.site import table_address

television = Blueprint("television", __name__)


@get(television, "/table", For.EVERYBODY)
def table_page() -> ResponseReturnValue:
    """Show the table page: what everybody in the room may see, in large type."""
    return draw_for_visitor("table", table().view(), {"address": table_address()()})


@get(television, "/live/table", For.EVERYBODY)
def live_table() -> ResponseReturnValue:
    """Stream the table page."""
    address = table_address()
    return stream_to_all("table", lambda: {"address": address()})


@get(television, "/table/sound", For.EVERYBODY)
def sound_options() -> ResponseReturnValue:
    """Show the options of sound, for the table page to insert."""
    return render_template("television/sound_options.html")
