"""The lobby: who plays, in which order, and how the next game is dealt."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.table import rounds, seats
from web import forms
from web.access import DONE, For, audience, press, table

lobby = Blueprint("lobby", __name__)


@lobby.post("/people/add")
@audience(For.HOST)
def add_person() -> ResponseReturnValue:
    """Give somebody without a phone a place."""
    table().do(seats.add_person, press(), request.form.get("name", ""))
    return DONE


@lobby.post("/people/remove")
@audience(For.HOST)
def remove_person() -> ResponseReturnValue:
    """Let somebody go."""
    table().do(seats.remove_person, press(), forms.sent("person"))
    return DONE


@lobby.post("/people/move")
@audience(For.HOST)
def move_person() -> ResponseReturnValue:
    """Move somebody along the table."""
    table().do(
        seats.move_person,
        press(),
        forms.sent("person"),
        forms.sent("places"),
    )
    return DONE


@lobby.post("/people/order")
@audience(For.HOST)
def order_people() -> ResponseReturnValue:
    """Put everybody in an order."""
    table().do(seats.order_people, press(), forms.fields(request.form, "person"))
    return DONE


@lobby.post("/game/options")
@audience(For.HOST)
def choose() -> ResponseReturnValue:
    """Say how the next game is dealt."""
    option, value = request.form.get("option", ""), request.form.get("value", "")
    table().do(rounds.choose, press(), option, value)
    return DONE


@lobby.post("/game/start")
@audience(For.HOST)
def start_game() -> ResponseReturnValue:
    """Deal and begin."""
    table().start_game(press())
    return DONE
