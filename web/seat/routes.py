"""Routes of a player's own page and of seats: leaving, lost phones, the host."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.table import rounds, seats, stand_ins
from web import forms
from web.access import (
    DONE,
    For,
    audience,
    count_try,
    looks,
    press,
    press_any_time,
    table,
)
from web.joining.codes import table_address
from web.live import draw_page, stream_to_phone
from web.site import site

seat = Blueprint("seat", __name__)


@seat.get("/seat")
@audience(For.SEAT)
def seat_page() -> ResponseReturnValue:
    """Show a player's page."""
    shown = {"address": table_address()(), "past": table().past.games()}
    return draw_page("seat", looks(), shown)


@seat.get("/live/seat")
@audience(For.EVERYBODY)
def live_seat() -> ResponseReturnValue:
    """Stream a player's page; send a phone that lost its seat to the join page."""
    address, past = table_address(), table().past
    return stream_to_phone("seat", lambda: {"address": address(), "past": past.games()})


@seat.post("/seat/answer")
@audience(For.SEAT)
def answer_claim() -> ResponseReturnValue:
    """Answer a phone's request for a seat."""
    yes = forms.is_yes(request.form)
    table().do(seats.answer_claim, press_any_time(), forms.integer("claim"), yes=yes)
    return DONE


@seat.post("/seat/leave")
@audience(For.SEAT)
def leave() -> ResponseReturnValue:
    """Leave the table; during a game the seat stays, without a phone."""
    table().do(seats.leave, press())
    return DONE


@seat.post("/host/bid")
@audience(For.SEAT)
def bid() -> ResponseReturnValue:
    """Ask to become the host; the other phones decide."""
    count_try(site().tries)
    table().do(seats.bid, press_any_time())
    return DONE


@seat.post("/host/vote")
@audience(For.SEAT)
def vote() -> ResponseReturnValue:
    """Answer a player's request to become the host."""
    table().do(
        seats.vote,
        press_any_time(),
        forms.integer("person"),
        yes=forms.is_yes(request.form),
    )
    return DONE


@seat.post("/people/phoneless")
@audience(For.HOST)
def take_phone() -> ResponseReturnValue:
    """Make the decisions of a player who lost their phone from now on."""
    table().do(seats.take_phone, press(), forms.integer("person"))
    return DONE


@seat.post("/people/play-for")
@audience(For.HOST)
def play_for() -> ResponseReturnValue:
    """Let a stand-in play for somebody without a phone, or no longer."""
    level = request.form.get("level", "")
    table().do(stand_ins.assign, press(), forms.integer("person"), level)
    return DONE


@seat.post("/sound/mute")
@audience(For.SEAT)
def mute() -> ResponseReturnValue:
    """Mute the table's sounds and announcer (`yes`: 1), or let them be heard again."""
    table().do(rounds.mute, press_any_time(), forms.is_yes(request.form))
    return DONE
