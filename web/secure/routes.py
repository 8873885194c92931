"""Routes of the page about HTTPS, and the certificate that phones install."""

from collections.abc import Callable, Mapping

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from web.access import For, get, looks
from web.i18n import gettext
from web.live import draw_for_visitor, stream_to_phone
from web.site import need, secure_pages, site

secure = Blueprint("secure", __name__)


@get(secure, "/secure", For.EVERYBODY)
def secure_shown() -> ResponseReturnValue:
    """Show how a phone comes to trust the pages over HTTPS."""
    return draw_for_visitor("secure", looks(), _context()())


@get(secure, "/live/secure", For.EVERYBODY)
def live_secure() -> ResponseReturnValue:
    """Stream the page about HTTPS."""
    return stream_to_phone("secure", _context())


@get(secure, "/bang-companion.crt", For.EVERYBODY)
def authority() -> ResponseReturnValue:
    """Return the certificate of the table's own authority, which a phone offers to install."""
    found = secure_pages()
    given = need((found and found.authority) or None, gettext("this table has no authority"))
    # Not as an attachment: iPhones would keep the file instead of asking to install it.
    return Response(given, mimetype="application/x-x509-ca-cert")


def _context() -> Callable[[], Mapping[str, object]]:
    """Return how this phone has asked, and where it finds the pages over HTTPS."""
    found, name = secure_pages(), site().address.name(request.host_url)
    shown = {"is_secure": request.is_secure, "there": found.url(name) if found else ""}
    return lambda: shown
