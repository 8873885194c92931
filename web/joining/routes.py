"""The page that a phone opens first: taking a seat, and asking for one's own from a new phone."""

from collections.abc import Callable, Mapping

from flask import Blueprint, redirect, request
from flask.typing import ResponseReturnValue

from companion.table import seats
from web import forms
from web.access import (
    DONE,
    NAME,
    SEAT,
    For,
    audience,
    count_try,
    looks,
    person,
    press_any_time,
    remember,
    table,
)
from web.joining.codes import table_address
from web.live import draw_for_visitor, stream_to_phone

joining = Blueprint("joining", __name__)


@joining.get("/")
@audience(For.EVERYBODY)
def join_page() -> ResponseReturnValue:
    """Where one joins; a phone that holds a seat goes on to it."""
    if person() is not None:
        return redirect("/seat", 303)
    return draw_for_visitor("join", looks(), _shown()())


@joining.get("/live/join")
@audience(For.EVERYBODY)
def live_join() -> ResponseReturnValue:
    """The stream of the join page."""
    return stream_to_phone("join", _shown())


@joining.post("/join")
@audience(For.EVERYBODY)
def join() -> ResponseReturnValue:
    """Take a place at the table, and go to it."""
    if person() is None:
        count_try()
        name = request.form.get("name", "")
        token = table().join(name, request.form.get("code", ""))
        response = redirect("/seat", 303)
        remember(response, SEAT, token)
        remember(response, NAME, name.strip())
        return response
    return redirect("/seat", 303)


@joining.post("/seat/claim")
@audience(For.EVERYBODY)
def claim() -> ResponseReturnValue:
    """Ask for a player's seat from their new phone; the host answers."""
    if person() is None:
        count_try()
        before = request.cookies.get(SEAT, "")
        whose = forms.sent("person")
        token = table().claim_seat(
            whose, request.form.get("code", ""), before, address=request.remote_addr or ""
        )
        # The host's answer may be quicker than the page: it tells an answer by having asked.
        response = redirect("/?asked=1", 303)
        # It opens nothing before the host has said yes.
        remember(response, SEAT, token)
        return response
    return redirect("/seat", 303)


@joining.post("/seat/withdraw")
@audience(For.EVERYBODY)
def withdraw() -> ResponseReturnValue:
    """Take back what this phone asked for."""
    asked = table().claim(request.cookies.get(SEAT, ""))
    table().do(seats.withdraw_claim, press_any_time(), asked)
    return DONE


def _shown() -> Callable[[], Mapping[str, object]]:
    """Return what the join page shows beside the table."""
    watched, token, address = table(), request.cookies.get(SEAT, ""), table_address()
    came = {
        "name": request.cookies.get(NAME, ""),
        "code": request.args.get("code", ""),
        "gone": request.args.get("gone", ""),
        "claimed": request.args.get("asked", ""),
    }
    # The answer may have come before the stream.
    asked = request.args.get("asked") == "1"

    def shown() -> Mapping[str, object]:
        nonlocal asked
        claim = watched.claim(token)
        asked = asked or claim is not None
        return {"address": address(), "claim": claim, "refused": asked and claim is None, **came}

    return shown
