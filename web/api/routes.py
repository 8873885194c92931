"""Routes for other programs: the public state of the table, and what happens, as JSON."""

from hashlib import sha256

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from companion.club.publishing.public_table import Feed, FeedMessage, PublicTable
from web.access import For, get
from web.site import site

api = Blueprint("api", __name__)


@get(api, "/api/state", For.EVERYBODY)
def state() -> ResponseReturnValue:
    """Send the state of the table as JSON, with an ETag."""
    payload = _public().state()
    response = Response(payload, mimetype="application/json")
    response.set_etag(sha256(payload).hexdigest()[:32])
    response.make_conditional(request)
    # The server has its own.
    del response.headers["Date"]
    return response


@get(api, "/api/events", For.EVERYBODY)
def events() -> ResponseReturnValue:
    """Stream what happens as JSON, after the message that `Last-Event-ID` names."""
    feed = _public().feed(request.headers.get("Last-Event-ID", ""))
    return site().streams.response(lambda: _events(feed), whose=request.remote_addr, pages=False)


def _public() -> PublicTable:
    found = site().public
    assert found is not None
    return found


def _events(feed: Feed) -> str:
    """Return what is new as server-sent events; empty if nothing is."""
    return "".join(map(_event, feed.news()))


def _event(told: FeedMessage) -> str:
    known = f"id: {told.id}\n" if told.id else ""
    return f"event: {told.kind}\n{known}data: {told.payload.decode()}\n\n"


@api.after_request
def allow_origins(response: Response) -> Response:
    """Let pages of the sites in the settings read the answer; they bring no cookies."""
    response.headers.add("Vary", "Origin")
    origin = request.headers.get("Origin", "")
    if origin in site().origins:
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = "ETag"
    return response
