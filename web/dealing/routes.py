"""Routes of dealing: enter and choose cards, and look at roles while a button is held."""

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from companion.table import rounds
from companion.table.views import all_roles, hand_at, role_at
from web import forms
from web.access import For, looks, person, post, press_any_time, table
from web.games.game import terms_of
from web.games.registry import pages_of

dealing = Blueprint("dealing", __name__)


@post(dealing, "/cards/enter", For.SEAT)
def enter() -> None:
    """Enter the cards that a player holds or chooses."""
    role, character = request.form.get("role"), request.form.get("character")
    table().do(
        rounds.enter,
        press_any_time(),
        forms.integer("seat"),
        role,
        character,
        forms.integer("round"),
    )


@post(dealing, "/cards/again", For.SEAT)
def enter_again() -> None:
    """Clear a player's entry so that they can enter it again."""
    table().do(rounds.enter_again, press_any_time(), forms.integer("seat"), forms.integer("round"))


@post(dealing, "/role/<int:seat>", For.SEAT)
def role(seat: int) -> ResponseReturnValue:
    """Send a role to a phone that may see it, in a response that browsers don't cache."""
    view = looks()
    return render_template(
        "dealing/role.html",
        role=role_at(table().scene, person(), seat),
        players=len(view.people),
        words=terms_of(view),
    )


@post(dealing, "/hand/<int:seat>", For.SEAT)
def hand(seat: int) -> ResponseReturnValue:
    """Send a hand to the phone of its player, to look at, in a response that isn't cached."""
    return hand_for(seat=seat, how="look")


@post(dealing, "/hand/<int:seat>/<any(play, trade, end):how>", For.SEAT)
def hand_for(seat: int, how: str) -> ResponseReturnValue:
    """Send a hand to the phone of its player, to decide with, or to choose what they discard."""
    held = hand_at(table().scene, person(), seat)
    view = looks()
    pages = pages_of(view)
    return render_template(
        pages.hand, hand=held, seat=seat, how=how, view=view, words=terms_of(view)
    )


@post(dealing, "/roles", For.SEAT)
def roles() -> ResponseReturnValue:
    """Send all roles to an eliminated player, if the table allows it."""
    shown = all_roles(table().scene, person())
    view = looks()
    names = [entry.name for entry in view.people]
    return render_template(
        "dealing/roles.html", roles=list(zip(names, shown, strict=True)), words=terms_of(view)
    )
