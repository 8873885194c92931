"""The pages, each with its stream: what one sees first and what is pushed later is the same."""

import threading
from collections.abc import Callable
from functools import lru_cache
from io import BytesIO
from typing import Protocol

import segno
from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
)
from flask.typing import ResponseReturnValue
from segno.helpers import make_wifi_data

from companion.table.views import TableView
from web.access import (
    NAME,
    SEAT,
    VISIT,
    For,
    audience,
    looks,
    new_visit,
    person,
    proof,
    prove,
    remember,
    table,
)
from web.address import PublicAddress
from web.i18n import gettext, in_same_language, language
from web.stream import Broadcast

pages = Blueprint("pages", __name__)


PAGES = ("join", "seat", "table", "story")
PRIVATE = ("join", "seat")
"""Pages that differ by phone; the others show only what everybody may see."""


class WifiNetwork(Protocol):
    """A Wi-Fi: its name, and the key to it (WPA2)."""

    @property
    def name(self) -> str:
        """As phones list it."""

    @property
    def key(self) -> str:
        """8 to 63 letters."""


class Drawn:
    """A page that is the same for everybody of a language, drawn once however many look at it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of: tuple[int, dict[str, str]] | None = None
        self._page = ""

    def draw(self, news: int, known: dict[str, str], draw: Callable[[], str]) -> str:
        """Return the page after so many news; `known`: what came with the request."""
        with self._lock:
            if self._of != (news, known):
                self._page = draw()
                self._of = news, known
            return self._page


@pages.get("/")
@audience(For.EVERYBODY)
def join() -> ResponseReturnValue:
    """Where one joins; a phone that holds a seat goes on to it."""
    if person() is not None:
        return redirect("/seat", 303)
    return _visited("join", looks())


@pages.get("/seat")
@audience(For.SEAT)
def seat() -> ResponseReturnValue:
    """A player's page."""
    return _page("seat", looks(), proof())


@pages.get("/table")
@audience(For.EVERYBODY)
def television() -> ResponseReturnValue:
    """What everybody in the room may see, large."""
    return _visited("table", table().view())


@pages.get("/story")
@audience(For.EVERYBODY)
def story() -> ResponseReturnValue:
    """Everything that happened in this game."""
    return _visited("story", looks())


@pages.get("/live/<page>")
@audience(For.EVERYBODY)
def live(page: str) -> ResponseReturnValue:
    """The stream of one of these pages, for as long as it is open."""
    if page not in PAGES:
        abort(404, gettext("there is no such page"))
    streams: Broadcast = current_app.extensions["streams"]
    watched, token = table(), request.cookies.get(SEAT, "")
    address = request.remote_addr
    template = current_app.jinja_env.get_template(f"live/{page}.html")
    known = _known(page)
    who = watched.person(token)
    # Who holds a seat and reads the story is called from there.
    if page == "table" or (page == "story" and who is None):
        drawn: Drawn = current_app.extensions["drawn"][page, language()]
        draw = in_same_language(lambda: template.render(view=watched.view(), **known()))
        return streams.response(lambda: drawn.draw(streams.news, known(), draw), whose=address)

    # The answer may have come before the stream.
    asked = request.args.get("asked") == "1"

    def show() -> str:
        nonlocal asked
        # Asked each time: the host may let somebody go, or give him the seat that he asked for.
        view, claim = watched.view(watched.person(token)), watched.claim(token)
        asked = asked or claim is not None
        refused = asked and claim is None
        return template.render(view=view, claim=claim, refused=refused, **known())

    return streams.response(
        in_same_language(show), player=who is not None, whose=address if who is None else who
    )


@pages.get("/join.svg")
@audience(For.EVERYBODY)
def join_code() -> ResponseReturnValue:
    """The address of this table, with the code that lets one join, as a QR code."""
    return _qr(_address())


@pages.get("/page.svg")
@audience(For.EVERYBODY)
def page_code() -> ResponseReturnValue:
    """The address alone, as a QR code: it stays the same from evening to evening."""
    return _qr(_root())


@pages.get("/wifi.svg")
@audience(For.EVERYBODY)
def wifi_code() -> ResponseReturnValue:
    """The Pi's own Wi-Fi as a QR code, by which phones join it (WIFI:S:…, as ZXing defined it)."""
    hotspot: WifiNetwork | None = current_app.extensions["hotspot"]
    if hotspot is None:
        abort(404, gettext("this table has no Wi-Fi of its own"))
    return _qr(make_wifi_data(hotspot.name, hotspot.key, "WPA"))


@pages.get("/card")
@audience(For.EVERYBODY)
def card() -> ResponseReturnValue:
    """A card to print: the Wi-Fi, if there is one, and the address."""
    return render_template("card.html", address=_root())


def _qr(text: str) -> Response:
    return Response(_drawn_qr(text), mimetype="image/svg+xml")


# Every page asks for the same one, and drawing it takes as long as a page does.
@lru_cache(maxsize=8)
def _drawn_qr(text: str) -> bytes:
    drawn = BytesIO()
    segno.make(text, error="m").save(drawn, kind="svg", border=2, light="#fff", xmldecl=False)
    return drawn.getvalue()


@pages.get("/die/<int:die>.jpg")
@audience(For.EVERYBODY)
def die_picture(die: int) -> ResponseReturnValue:
    """A die as the camera sees it; nothing (204) while it has no picture."""
    picture: Callable[[int], bytes | None] | None = current_app.extensions["die_picture"]
    jpeg = picture(die) if picture else None
    return Response(jpeg, mimetype="image/jpeg") if jpeg else Response(status=204)


@pages.get("/record")
@audience(For.EVERYBODY)
def record() -> ResponseReturnValue:
    """The record of a finished game, as a file."""
    response = Response(table().record(), mimetype="application/jsonl")
    name = f"bang-game-{table().view().game_number}.jsonl"
    response.headers["Content-Disposition"] = f"attachment; filename={name}"
    return response


def _visited(page: str, view: TableView) -> Response:
    """A page that needs no seat; who holds none is given what proves his presses."""
    if person() is not None:
        return make_response(_page(page, view, proof()))
    visit = request.cookies.get(VISIT) or new_visit()
    response = make_response(_page(page, view, prove(visit)))
    remember(response, VISIT, visit)
    return response


def _page(page: str, view: TableView, proof: str = "") -> str:
    claim = table().claim(request.cookies.get(SEAT, ""))
    refused = claim is None and request.args.get("asked") == "1"
    known = _known(page)()
    return render_template(
        "page.html", page=page, view=view, proof=proof, claim=claim, refused=refused, **known
    )


def _known(page: str) -> Callable[[], dict[str, str]]:
    """What a page shows beside the table: it came with the request, or is asked for now."""
    asked, address = request.host_url, _public_address()
    private = {
        "name": request.cookies.get(NAME, ""),
        "code": request.args.get("code", ""),
        "gone": request.args.get("gone", ""),
        "claimed": request.args.get("asked", ""),
    }
    return lambda: {"address": address.url(asked)} | (private if page in PRIVATE else {})


def _address() -> str:
    return f"{_root()}?code={table().code}"


def _root() -> str:
    """The address of the pages, as phones reach it."""
    return _public_address().url(request.host_url)


def _public_address() -> PublicAddress:
    address: PublicAddress = current_app.extensions["address"]
    return address
