"""What phones do about seats and cards: joining, the order of the table, dealing, leaving."""

from flask import Blueprint, abort, current_app, redirect, request
from flask.typing import ResponseReturnValue

from companion.table import rounds, seats
from web import forms
from web.access import (
    NAME,
    SEAT,
    For,
    Throttle,
    audience,
    person,
    press,
    press_any_time,
    remember,
    table,
)
from web.i18n import gettext

seating = Blueprint("seating", __name__)

DONE = ("", 204)


@seating.post("/join")
@audience(For.EVERYBODY)
def join() -> ResponseReturnValue:
    """Take a place at the table, and go to it."""
    if person() is None:
        _try()
        name = request.form.get("name", "")
        token = table().join(name, request.form.get("code", ""))
        response = redirect("/seat", 303)
        remember(response, SEAT, token)
        remember(response, NAME, name.strip())
        return response
    return redirect("/seat", 303)


@seating.post("/seat/claim")
@audience(For.EVERYBODY)
def claim() -> ResponseReturnValue:
    """Ask for somebody's seat from his new phone; the host answers."""
    if person() is None:
        _try()
        before = request.cookies.get(SEAT, "")
        token = table().claim_seat(_field("person"), request.form.get("code", ""), before)
        # The host's answer may be quicker than the page: it tells an answer by having asked.
        response = redirect("/?asked=1", 303)
        # It opens nothing before the host has said yes.
        remember(response, SEAT, token)
        return response
    return redirect("/seat", 303)


@seating.post("/seat/withdraw")
@audience(For.EVERYBODY)
def withdraw() -> ResponseReturnValue:
    """Take back what this phone asked for."""
    asked = table().claim(request.cookies.get(SEAT, ""))
    table().do(seats.withdraw_claim, press_any_time(), asked)
    return DONE


@seating.post("/seat/answer")
@audience(For.SEAT)
def answer_claim() -> ResponseReturnValue:
    """Answer a phone that asks for a seat."""
    yes = forms.yes(request.form)
    table().do(seats.answer_claim, press_any_time(), _field("claim"), yes=yes)
    return DONE


@seating.post("/seat/leave")
@audience(For.SEAT)
def leave() -> ResponseReturnValue:
    """Leave the table; during a game the seat stays, without a phone."""
    table().do(seats.leave, press())
    return DONE


@seating.post("/host/bid")
@audience(For.SEAT)
def bid() -> ResponseReturnValue:
    """Ask the other phones to be made the host."""
    _try()
    table().do(seats.bid, press_any_time())
    return DONE


@seating.post("/host/vote")
@audience(For.SEAT)
def vote() -> ResponseReturnValue:
    """Answer who asks to be made the host."""
    table().do(seats.vote, press_any_time(), _field("person"), yes=forms.yes(request.form))
    return DONE


# The lobby


@seating.post("/people/add")
@audience(For.HOST)
def add_person() -> ResponseReturnValue:
    """Give somebody without a phone a place."""
    table().do(seats.add_person, press(), request.form.get("name", ""))
    return DONE


@seating.post("/people/remove")
@audience(For.HOST)
def remove_person() -> ResponseReturnValue:
    """Let somebody go."""
    table().do(seats.remove_person, press(), _field("person"))
    return DONE


@seating.post("/people/move")
@audience(For.HOST)
def move_person() -> ResponseReturnValue:
    """Move somebody along the table."""
    table().do(seats.move_person, press(), _field("person"), _field("places"))
    return DONE


@seating.post("/people/order")
@audience(For.HOST)
def order_people() -> ResponseReturnValue:
    """Put everybody in an order."""
    table().do(seats.order_people, press(), forms.fields(request.form, "person"))
    return DONE


@seating.post("/people/phoneless")
@audience(For.HOST)
def take_phone() -> ResponseReturnValue:
    """Decide for somebody who lost his phone, from now on."""
    table().do(seats.take_phone, press(), _field("person"))
    return DONE


# Dealing


@seating.post("/game/options")
@audience(For.HOST)
def choose() -> ResponseReturnValue:
    """Say how the next game is dealt."""
    option, value = request.form.get("option", ""), request.form.get("value", "")
    table().do(rounds.choose, press(), option, value)
    return DONE


@seating.post("/game/start")
@audience(For.HOST)
def start_game() -> ResponseReturnValue:
    """Deal and begin."""
    table().start_game(press())
    return DONE


@seating.post("/game/again")
@audience(For.HOST)
def play_again() -> ResponseReturnValue:
    """Play again with the same seats."""
    table().play_again(press())
    return DONE


@seating.post("/game/new")
@audience(For.HOST)
def new_game() -> ResponseReturnValue:
    """Go back to the lobby."""
    table().do(rounds.new_game, press())
    return DONE


@seating.post("/cards/enter")
@audience(For.SEAT)
def enter() -> ResponseReturnValue:
    """Enter the cards that somebody holds or chooses."""
    role, character = forms.role(request.form), forms.character(request.form)
    table().enter(press_any_time(), _field("seat"), role, character, _field("round"))
    return DONE


@seating.post("/cards/again")
@audience(For.SEAT)
def enter_again() -> ResponseReturnValue:
    """Take back what was entered, to enter it again."""
    table().do(rounds.enter_again, press_any_time(), _field("seat"), _field("round"))
    return DONE


def _try() -> None:
    """Count a try of this address; refuse (429) where there were too many."""
    tries: Throttle = current_app.extensions["tries"]
    if not tries.allows(request.remote_addr or ""):
        abort(429, gettext("too many tries: wait a minute"))


def _field(name: str) -> int:
    return forms.field(request.form, name)
