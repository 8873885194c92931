"""Access control: every endpoint declares its audience, and every press proves its page."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from enum import Enum, auto
from functools import wraps
from typing import Any, TypeVar, cast
from wsgiref.types import WSGIEnvironment

from flask import Blueprint, Flask, Response, abort, current_app, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.http import parse_cookie
from werkzeug.wrappers import Response as BaseResponse

from companion.table.changes import Press, claim_of, guest_of, person_of
from companion.table.table import Table
from companion.table.views import TableView
from web import forms
from web.i18n import gettext
from web.serving.address import is_own_address
from web.serving.cookies import SECURE, own_cookies
from web.serving.pacing import Queue, QueueOf, Rate
from web.serving.refusals import Sender, Throttle
from web.serving.server import MAX_BODY
from web.site import EXTENSION, TableSite, site

SEAT = "seat"
"""Cookie: the secret of a phone that holds a seat."""
VISIT = "visit"
"""Cookie: the secret of a phone without a seat; it opens nothing, but proves its page."""
NAME = "name"
"""Cookie: the player's last name on this phone."""

HTTPS = "https"
"""Cookie: this phone has opened the pages over HTTPS, and has its seat there."""

YEAR = 365 * 24 * 3600
PROOF = "X-Page"
"""Header of every press: the page's CSRF token."""

FORM, FIELDS = "application/x-www-form-urlencoded", 256
"""The kind of what forms send, and the most fields in it."""

STRANGERS = Rate(burst=100, per_s=50.0)
"""How fast requests of phones without a seat are served: several first page loads at once."""

PRESSES = Rate(burst=30, per_s=5.0)
"""How fast a player's presses are served. All phones may show each, so these cost most."""

PAGES = Rate(burst=30, per_s=5.0)
"""How fast a player's phone is served pages and streams."""

FILES = Rate(burst=100, per_s=20.0)
"""How fast it is served what costs less: files, pictures, pieces of what it uploads."""

GAMES = Rate(burst=30, per_s=5.0)
"""How fast a player, or the strangers at one address, are served what may read a finished game."""

DRAWINGS = Rate(burst=6, per_s=0.5)
"""How fast a player, or all strangers together, are served what takes a second to make."""

_DECLARED = "audience"

_PERSON = "companion.person"
"""Where a request keeps whose phone sent it, once that was looked up."""

_View = TypeVar("_View", bound=Callable[..., ResponseReturnValue])
_Press = TypeVar("_Press", bound=Callable[..., ResponseReturnValue | None])


class For(Enum):
    """Audiences of endpoints."""

    EVERYBODY = auto()
    SEAT = auto()
    """Phones that hold a seat."""
    HOST = auto()
    """The host's phone."""


def audience(who: For) -> Callable[[_View], _View]:
    """Declare an endpoint's audience."""

    def declare(view: _View) -> _View:
        setattr(view, _DECLARED, who)
        return view

    return declare


def get(blueprint: Blueprint, path: str, who: For) -> Callable[[_View], _View]:
    """Declare an endpoint that shows something, and its audience."""

    def declare(view: _View) -> _View:
        return blueprint.get(path)(audience(who)(view))

    return declare


def post(blueprint: Blueprint, path: str, who: For) -> Callable[[_Press], _Press]:
    """Declare an endpoint that changes something, and its audience.

    It answers nothing (204), unless its function returns another answer.
    """

    def declare(change: _Press) -> _Press:
        @wraps(change)
        def view(**parts: Any) -> ResponseReturnValue:
            return change(**parts) or ("", 204)

        blueprint.post(path)(audience(who)(view))
        return cast("_Press", view)

    return declare


Refuses = Callable[[For], ResponseReturnValue | None]
"""Answers a request of somebody who isn't in an audience, or refuses it; None if they are."""


def guard(app: Flask, refuses: Refuses | None = None) -> None:
    """Check every request against its endpoint's audience. Raises if an endpoint declares none.

    refuses: decides who is in which audience; None: by who holds a seat at the table.
    """
    for name, view in app.view_functions.items():
        if not isinstance(getattr(view, _DECLARED, None), For):
            raise RuntimeError(f"endpoint {name} does not say for whom it is")
    judge = refuses or _refuses

    def check() -> ResponseReturnValue | None:
        if request.endpoint is None:
            return None
        if request.mimetype == FORM and request.get_data().count(b"&") >= FIELDS:
            abort(413)
        return judge(getattr(current_app.view_functions[request.endpoint], _DECLARED))

    app.before_request(check)
    app.after_request(_harden)


def table() -> Table:
    """Return the table of this app."""
    return site().table


def person() -> int | None:
    """Return the person whose phone sent the request; None for other phones."""
    known = request.environ
    if _PERSON not in known:
        known[_PERSON] = person_of(table().scene, request.cookies.get(SEAT, ""))
    found: int | None = known[_PERSON]
    return found


def press() -> Press:
    """Return the press of a request, with the table version that its page shows.

    Raises BadRequest (400) if it names no version; so does `press_on_dice`.
    """
    return Press(person(), forms.integer("version"))


def press_on_dice() -> Press:
    """Return the press of a request, with the version and the reading that its page shows."""
    shown = forms.integer("version"), forms.integer("reading")
    return Press(person(), *shown)


def press_any_time() -> Press:
    """Return the press of a request that counts even if its page is out of date."""
    return Press(person())


def looks() -> TableView:
    """Return the table as the sender of the request may see it."""
    return table().view(person())


def proof() -> str:
    """Return the CSRF token of this phone's pages ("" before it has a cookie)."""
    # A secret that doesn't open a seat must not replace the visitor's.
    secret = request.cookies.get(VISIT if person() is None else SEAT, "")
    return prove(secret) if secret else ""


def prove(secret: str) -> str:
    """Derive a page's CSRF token from a cookie, which can't be worked out from the token."""
    return hmac.new(secret.encode(), b"page", hashlib.sha256).hexdigest()


def sender_of(watched: Table) -> Sender:
    """Return the function that identifies senders, so that each one's refusals are limited.

    A page of another site that is open on a phone can make its browser send requests here, but
    without our cookies and without a proof. The refusals of those count apart from the phone's own
    requests. Pages of players, and those that anybody opens first, are never refused for requests
    before them: a browser opens them for another site's link, too.
    """

    def sender(environ: WSGIEnvironment) -> str | None:
        who, secret = _holder(watched, environ)
        if not _is_press(environ) and (who is not None or environ["PATH_INFO"] in _ENTRANCES):
            return None
        known = "visitor" if secret else "stranger"
        sender = f"{environ['REMOTE_ADDR']} {known if who is None else who}"
        unproved = _is_press(environ) and not _has_proof(environ, secret)
        return f"{sender} without proof" if unproved else sender

    return sender


def queue_of(watched: Table) -> QueueOf:
    """Return the function that says in which queue a request waits for its turn.

    Each phone with a seat has queues of its own; its presses need a proof to enter them. Strangers
    at one address share theirs. Presses, first pages and everything else wait apart, so that one
    doesn't delay the other.
    """

    def opens(token: str) -> bool:
        known = (person_of, guest_of, claim_of)
        return any(find(watched.scene, token) is not None for find in known)

    def queue(environ: WSGIEnvironment) -> Queue:
        environ["HTTP_COOKIE"] = own_cookies(environ["HTTP_COOKIE"], opens)
        who, secret = _holder(watched, environ)
        presses, path = _is_press(environ), environ["PATH_INFO"]
        if path.endswith(_SLOW) and not presses:
            return Queue("drawings" if who is None else f"{who} drawings", DRAWINGS)
        pictured = who is not None and path.endswith(_PICTURES)
        if path.startswith(_GAMES) and not presses and not pictured:
            name = f"{environ['REMOTE_ADDR'] if who is None else who} games"
            return Queue(name, GAMES, shared=who is None)
        if who is not None and (not presses or _has_proof(environ, secret)):
            if pictured or path.startswith(_CHEAP):
                return Queue(f"{who} files", FILES)
            if presses:
                return Queue(f"{who} presses", PRESSES)
            # Another site's links open pages with the cookies of the phone.
            return Queue(f"{who} plays" if path in _OWN_PAGES else f"{who} looks", PAGES)
        known = "visitor" if secret else "stranger"
        sender = f"{environ['REMOTE_ADDR']} {known if who is None else who}"
        if presses:
            return Queue(f"{sender} presses", STRANGERS, shared=True)
        name = f"{sender} enters" if path in _ENTRANCES else sender
        return Queue(name, STRANGERS, shared=True)

    return queue


_ENTRANCES = frozenset({"/", "/table"})
"""The pages that a phone without a cookie opens first, which is never a mistake."""

_OWN_PAGES = frozenset({"/", "/seat", "/live/seat"})
"""What a player's phone needs to play."""

_SLOW = ("/summary.png", ".csv")
"""How the addresses end of what takes long to make: pictures of games, and tables of all games."""

_GAMES = ("/watch/", "/live/watch/", "/story/", "/live/story/", "/record/")
"""How the addresses begin of what shows one of the last games, which may have to be read first."""

_CHEAP = ("/static/", "/backup/piece", "/machine/piece")
_PICTURES = (".jpg", ".svg")
"""How the addresses begin and end that a page may ask for many times."""


def _holder(watched: Table, environ: WSGIEnvironment) -> tuple[int | None, str]:
    """Return the person whose phone sent a request, and the secret that its page proves."""
    cookies = parse_cookie(environ.get("HTTP_COOKIE", ""))
    who = person_of(watched.scene, cookies.get(SEAT, ""))
    return who, cookies.get(VISIT if who is None else SEAT, "")


_PAGE = re.compile(rb"(?:^|&)page=([0-9a-f]*)")
"""The CSRF token in a form."""


def _is_press(environ: WSGIEnvironment) -> bool:
    return environ["REQUEST_METHOD"] not in ("GET", "HEAD")


def _has_proof(environ: WSGIEnvironment, secret: str) -> bool:
    return bool(secret) and _same(_given_proof(environ), prove(secret))


def _given_proof(environ: WSGIEnvironment) -> str:
    """Return the CSRF token that a press sends, leaving its body readable."""
    header = str(environ.get("HTTP_X_PAGE", ""))
    kind = environ.get("CONTENT_TYPE", "").partition(";")[0].strip().lower()
    body = environ["wsgi.input"]
    if header or kind != FORM or not body.seekable():
        return header
    # Before its turn, a form isn't parsed.
    found = _PAGE.search(body.read(MAX_BODY))
    body.seek(0)
    return found[1].decode() if found else ""


def _same(given: str, proof: str) -> bool:
    return bool(proof) and hmac.compare_digest(given.encode(), proof.encode())


def new_visit() -> str:
    """Return a new secret for a phone without a seat."""
    return secrets.token_urlsafe(16)


def remember(response: BaseResponse, cookie: str, value: str) -> None:
    """Set a cookie that scripts can't read and other sites' forms don't send."""
    # Lax, not Strict: a link or QR code opened from another app must find the seat.
    secure = request.is_secure
    name = SECURE + cookie if secure else cookie
    response.set_cookie(name, value, YEAR, httponly=True, samesite="Lax", secure=secure)
    if secure:
        response.set_cookie(HTTPS, "1", YEAR, httponly=True, samesite="Lax")


def count_try(tries: Throttle) -> None:
    """Count this address's try; refuse it (429) after too many."""
    if not tries.allows(request.remote_addr or ""):
        abort(429, gettext("Too many tries. Wait a minute, then try again."))


def _refuses(who: For) -> ResponseReturnValue | None:
    _keep_network()
    press = request.method == "POST"
    if who is not For.EVERYBODY and person() is None:
        if not press:
            return redirect("/", 303)
        abort(403, gettext("this phone has no seat at the table"))
    if who is For.HOST and not looks().host:
        abort(403, gettext("only the host can do that"))
    if press:
        need_proof(proof())
    return None


def _keep_network() -> None:
    """Let the Pi stay in the Wi-Fi that it tries if another machine has found the table there."""
    found: TableSite = current_app.extensions[EXTENSION]
    if found.wifi and found.wifi.awaits_page and not is_own_address(request.remote_addr or "::1"):
        found.wifi.keep()


def need_proof(proof: str) -> None:
    """Refuse a press (403) that doesn't come from a page with this CSRF token."""
    given = request.headers.get(PROOF) or request.form.get("page", "")
    if not _same(given, proof):
        abort(403, gettext("This page is out of date. Reload it."))


_POLICY = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)


def _harden(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "same-origin"
    # Programs ask again with an ETag.
    if request.endpoint == "api.state":
        response.headers["Cache-Control"] = "no-cache"
    # Everything except files (`assets.Assets.serve`) differs between requests.
    elif request.endpoint != "static":
        response.headers["Cache-Control"] = "no-store"
    return response
