"""Routes of a player's own page and of seats: leaving, lost phones, the host."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.table import rounds, seats, stand_ins
from web import forms
from web.access import For, count_try, get, looks, post, press, press_any_time, table
from web.live import draw_page, stream_to_phone
from web.site import site, table_address

seat = Blueprint("seat", __name__)


@get(seat, "/seat", For.SEAT)
def seat_page() -> ResponseReturnValue:
    """Show a player's page."""
    shown = {"address": table_address()(), "past": table().past.games, "clock": site().clock}
    return draw_page("seat", looks(), shown)


@get(seat, "/live/seat", For.EVERYBODY)
def live_seat() -> ResponseReturnValue:
    """Stream a player's page; send a phone that lost its seat to the join page."""
    address, past, clock = table_address(), table().past, site().clock
    return stream_to_phone(
        "seat", lambda: {"address": address(), "past": past.games, "clock": clock}
    )


@post(seat, "/seat/answer", For.SEAT)
def answer_claim() -> None:
    """Answer a phone's request for a seat."""
    yes = forms.is_yes(request.form)
    table().do(seats.answer_claim, press_any_time(), forms.integer("claim"), yes=yes)


@post(seat, "/seat/leave", For.SEAT)
def leave() -> None:
    """Leave the table; during a game the seat stays, without a phone."""
    table().do(seats.leave, press())


@post(seat, "/host/bid", For.SEAT)
def bid() -> None:
    """Ask to become the host; the other phones decide."""
    count_try(site().tries)
    table().do(seats.bid, press_any_time())


@post(seat, "/host/vote", For.SEAT)
def vote() -> None:
    """Answer a player's request to become the host."""
    table().do(
        seats.vote, press_any_time(), forms.integer("person"), yes=forms.is_yes(request.form)
    )


@post(seat, "/people/phoneless", For.HOST)
def take_phone() -> None:
    """Make the decisions of a player who lost their phone from now on."""
    table().do(seats.take_phone, press(), forms.integer("person"))


@post(seat, "/people/play-for", For.HOST)
def play_for() -> None:
    """Let a stand-in play for somebody without a phone, or no longer."""
    level = request.form.get("level", "")
    table().do(stand_ins.assign, press(), forms.integer("person"), level)


@post(seat, "/sound/mute", For.SEAT)
def mute() -> None:
    """Mute the table's sounds and announcer (`yes`: 1), or let them be heard again."""
    table().do(rounds.mute, press_any_time(), forms.is_yes(request.form))
