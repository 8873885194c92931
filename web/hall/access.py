"""Who may change the tournament: those who know the organiser's password."""

import hashlib
import hmac
from typing import NamedTuple
from wsgiref.types import WSGIEnvironment

from flask import abort, current_app, redirect, request
from flask.typing import ResponseReturnValue

from companion.club.hall.hall import Hall
from web.access import STRANGERS, VISIT, For, need_proof, prove
from web.i18n import gettext
from web.serving.cookies import own_cookies
from web.serving.pacing import Queue
from web.serving.refusals import Throttle
from web.serving.stream import Broadcast

ORGANISER = "organiser"
"""Cookie: proves that this browser once gave the password."""


class HallSite(NamedTuple):
    """What the pages of a hall need."""

    hall: Hall
    """The hall."""
    streams: Broadcast
    """Notified when pages are to be drawn again."""
    tries: Throttle
    """Limits how often an address tries a password."""
    organiser: str
    """What the cookie of an organiser holds; empty if the hall has no password."""
    password_file: str
    """The name of the file with the password; empty if it is in the settings."""


EXTENSION = "hall"
"""Extension of an app: its HallSite."""


def site_of(hall: Hall, streams: Broadcast, tries: Throttle, password_file: str) -> HallSite:
    """Return what the pages of a hall need."""
    known = hall.key is not None and hmac.new(hall.key, b"organiser", hashlib.sha256).hexdigest()
    return HallSite(hall, streams, tries, known or "", password_file)


def site() -> HallSite:
    """Return what this app's pages need."""
    found: HallSite = current_app.extensions[EXTENSION]
    return found


def organises() -> bool:
    """Return whether this request comes from an organiser."""
    wanted = site().organiser
    given = request.cookies.get(ORGANISER, "")
    return bool(wanted) and hmac.compare_digest(given.encode(), wanted.encode())


def proof() -> str:
    """Return the CSRF token of this browser's pages ("" before it has a cookie)."""
    secret = request.cookies.get(VISIT, "")
    return prove(secret) if secret else ""


def refuse(who: For) -> ResponseReturnValue | None:
    """Refuse a request of somebody who isn't in an audience; the host is the organiser."""
    press = request.method == "POST"
    if press:
        need_proof(proof())
    if who is not For.EVERYBODY and not organises():
        if not press:
            return redirect("/tournament", 303)
        abort(403, gettext("only the organiser can do that"))
    return None


def queue_of(environ: WSGIEnvironment) -> Queue:
    """Return the queue in which a request waits: presses apart from looks, by address."""
    environ["HTTP_COOKIE"] = own_cookies(environ["HTTP_COOKIE"])
    kind = "looks" if environ["REQUEST_METHOD"] in ("GET", "HEAD") else "presses"
    return Queue(f"{environ['REMOTE_ADDR']} {kind}", STRANGERS)
