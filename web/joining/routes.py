"""Routes of the first page: take a seat, or ask for your old one from a new phone."""

from collections.abc import Callable, Mapping

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.table import changes, seats
from web import forms
from web.access import (
    HTTPS,
    NAME,
    SEAT,
    For,
    count_try,
    get,
    looks,
    person,
    post,
    press_any_time,
    remember,
    table,
)
from web.joining.portal import ADDRESS
from web.live import draw_for_visitor, stream_to_phone
from web.site import secure_pages, site, table_address

joining = Blueprint("joining", __name__)


@get(joining, "/", For.EVERYBODY)
def join_page() -> ResponseReturnValue:
    """Show the join page; redirect a phone that holds a seat to its own page."""
    if person() is not None:
        return redirect("/seat", 303)
    secure = secure_pages()
    if secure and not request.is_secure and HTTPS in request.cookies:
        # Where the phone has its seat, which it shows over HTTPS only.
        there = secure.url(site().address.name(request.host_url))
        return redirect(f"{there}?{request.query_string.decode()}", 303)
    return draw_for_visitor("join", looks(), _context()())


@get(joining, "/live/join", For.EVERYBODY)
def live_join() -> ResponseReturnValue:
    """Stream the join page."""
    return stream_to_phone("join", _context())


@get(joining, "/welcome", For.EVERYBODY)
def welcome() -> str:
    """Show a phone that has joined the Pi's own Wi-Fi where the table is."""
    return _welcome(stays=False)


@get(joining, "/welcome/stay", For.EVERYBODY)
def stay_in_network() -> str:
    """Let the phone think that all is well, so that it stays in the Pi's own Wi-Fi."""
    return _welcome(stays=True)


def _welcome(*, stays: bool) -> str:
    address = f"http://{ADDRESS}/"
    return render_template("joining/welcome.html", address=address, stays=stays)


@post(joining, "/join", For.EVERYBODY)
def join() -> ResponseReturnValue:
    """Take a seat or, during a game, a place in the queue for the next one."""
    if person() is None and changes.guest_of(table().scene, _secret()) is None:
        count_try(site().tries)
        name, token = request.form.get("name", ""), changes.new_secret()
        table().do(seats.join, press_any_time(), name, request.form.get("code", ""), token)
        response = redirect("/seat", 303)
        remember(response, SEAT, token)
        remember(response, NAME, name.strip())
        return response
    return redirect("/seat", 303)


@post(joining, "/seat/claim", For.EVERYBODY)
def claim() -> ResponseReturnValue:
    """Ask the host for a player's seat from their new phone."""
    if person() is None:
        count_try(site().tries)
        whose, code = forms.integer("person"), request.form.get("code", "")
        token, address = changes.new_secret(), request.remote_addr or ""
        table().do(seats.claim, press_any_time(), whose, code, token, _secret(), address)
        # The host may answer before the page loads; it recognises the answer by the request.
        response = redirect("/?asked=1", 303)
        # It opens nothing until the host agrees.
        remember(response, SEAT, token)
        return response
    return redirect("/seat", 303)


@post(joining, "/seat/withdraw", For.EVERYBODY)
def withdraw() -> None:
    """Withdraw this phone's request."""
    asked = changes.claim_of(table().scene, _secret())
    table().do(seats.withdraw_claim, press_any_time(), asked)


@post(joining, "/queue/leave", For.EVERYBODY)
def leave_queue() -> None:
    """Leave the queue for the next game."""
    guest = changes.guest_of(table().scene, _secret())
    table().do(seats.leave_queue, press_any_time(), guest)


@post(joining, "/queue/remove", For.HOST)
def remove_guest() -> None:
    """Remove somebody from the queue."""
    table().do(seats.remove_guest, press_any_time(), forms.integer("guest"))


def _secret() -> str:
    return request.cookies.get(SEAT, "")


def _context() -> Callable[[], Mapping[str, object]]:
    """Return what the join page shows besides the table."""
    watched, token, address = table(), _secret(), table_address()
    came = {
        "name": request.cookies.get(NAME, ""),
        "code": request.args.get("code", ""),
        "gone": request.args.get("gone", ""),
        "claimed": request.args.get("asked", ""),
    }
    # The host may have answered before the stream started.
    asked = request.args.get("asked") == "1"
    waited = False

    def context() -> Mapping[str, object]:
        nonlocal asked, waited
        scene = watched.scene
        claim, guest = changes.claim_of(scene, token), changes.guest_of(scene, token)
        asked, waited = asked or claim is not None, waited or guest is not None
        return {
            "address": address(),
            "claim": claim,
            "refused": asked and claim is None,
            "guest": guest,
            "removed": waited and guest is None,
            "most": seats.MAX_PEOPLE,
            **came,
        }

    return context
