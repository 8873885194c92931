"""Opens what serves the pages over HTTPS, as the settings ask for it."""

import logging
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from time import gmtime

from companion.app.https import authority
from companion.app.https.certificate import Certificate, HttpsError, open_certificate
from companion.base.refused import Message
from companion.base.whole_file import read_whole
from companion.settings import Settings
from web.serving.address import USUAL_PORTS
from web.serving.server import Server, ServerError, listen
from web.site import SecurePages

_log = logging.getLogger(__name__)


def own_folder(settings: Settings, names: tuple[str, ...]) -> Path:
    """Return the folder of the authority that vouches for these names of the table."""
    return settings.data / "https" / names[0]


def open_https(
    settings: Settings, names: tuple[str, ...], now_s: float, stack: ExitStack
) -> tuple[SecurePages | None, Callable[[Server], None]]:
    """Return the pages over HTTPS, None if nobody wants them; and what lets a server serve them.

    A fault is logged, and told there. names: of this machine, which the table's own authority
    vouches for; now_s: since 1970; stack: closes what is opened.
    """
    wanted = settings.https
    if wanted.use == "off":
        return None, _serve_nothing
    try:
        folder = own_folder(settings, names)
        if not wanted.certificate and not folder.exists():
            authority.make_authority(folder, names, gmtime(now_s).tm_year)
        found = choose_certificate(settings, folder, now_s)
        installed = b"" if wanted.certificate else read_whole(folder / authority.AUTHORITY)
        listener = stack.enter_context(listen(settings.host, https_port(settings)))
    except (HttpsError, ServerError, OSError) as error:
        reason = error.reason if isinstance(error, HttpsError) else Message(str(error))
        _log.warning("no HTTPS, only HTTP: %s", reason)
        return SecurePages(fault=reason), _serve_nothing
    port, leads = listener.getsockname()[1], wanted.use == "first"
    pages = SecurePages(found.names, port, leads, installed)
    return pages, lambda server: server.serve_tls(listener, found.context)


def _serve_nothing(server: Server) -> None:
    """Leave a server as it is."""


def https_port(settings: Settings) -> int:
    """Return the port of the pages over HTTPS; 0 if it is any free one."""
    usual = {0: 0, USUAL_PORTS["http"]: USUAL_PORTS["https"]}
    return settings.https.port or usual.get(settings.port, 8443)


def choose_certificate(settings: Settings, folder: Path, now_s: float) -> Certificate:
    """Return the owner's certificate, or that of the authority in a folder. Raises HttpsError."""
    wanted, year = settings.https, gmtime(now_s).tm_year
    if not wanted.certificate:
        return open_certificate(authority.certificate_of(folder, year), folder / authority.KEY)
    found = open_certificate(Path(wanted.certificate), Path(wanted.key))
    # One that isn't valid yet is served: rather than that, the Pi's clock is wrong.
    if found.ends < now_s:
        raise HttpsError(Message("%(file)s has expired", file=wanted.certificate))
    return found
