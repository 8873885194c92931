"""The table's address for phones: QR codes, and a card to print."""

from functools import lru_cache
from io import BytesIO

import segno
from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue
from segno.helpers import make_wifi_data

from web.access import For, get, table
from web.i18n import gettext
from web.serving.refusals import COUNTED
from web.site import need, site, table_address

codes = Blueprint("codes", __name__)


@get(codes, "/join.svg", For.EVERYBODY)
def join_code() -> ResponseReturnValue:
    """Return the table's address with the join code, as a QR code."""
    return _qr(f"{table_address()()}?code={table().scene.code}")


@get(codes, "/page.svg", For.EVERYBODY)
def page_code() -> ResponseReturnValue:
    """Return the address alone as a QR code, which stays the same from evening to evening."""
    return _qr(table_address()())


@get(codes, "/wifi.svg", For.EVERYBODY)
def wifi_code() -> ResponseReturnValue:
    """Return a QR code that joins phones to the Pi's own Wi-Fi (WIFI:S:…, as ZXing defines it)."""
    hotspot = need(site().hotspot, gettext("this table has no Wi-Fi of its own"))
    return _qr(make_wifi_data(hotspot.name, hotspot.key, "WPA"))


@get(codes, "/card", For.EVERYBODY)
def card() -> ResponseReturnValue:
    """Show a card to print: the Wi-Fi, if there is one, and the address."""
    return render_template("joining/card.html", address=table_address()())


def _qr(text: str) -> Response:
    if site().address.is_foreign(request.host_url):
        # A router may know this machine by this name and sometimes request a code.
        request.environ[COUNTED] = True
    return Response(draw_qr(text), mimetype="image/svg+xml")


# Every page shows the same code, and drawing it takes as long as a page. The cache holds codes for
# all names of this machine, each with and without the join code.
@lru_cache(maxsize=64)
def draw_qr(text: str) -> bytes:
    """Return a QR code of a text, as SVG."""
    drawn = BytesIO()
    segno.make(text, error="m").save(drawn, kind="svg", border=2, light="#fff", xmldecl=False)
    return drawn.getvalue()
