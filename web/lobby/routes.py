"""Routes of the lobby: who plays, in what order, and how the next game is dealt."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from companion.table import rounds, seats, stand_ins
from web import forms
from web.access import DONE, For, audience, press, table
from web.i18n import LANGUAGES

lobby = Blueprint("lobby", __name__)


@lobby.post("/people/add")
@audience(For.HOST)
def add_person() -> ResponseReturnValue:
    """Add a player who has no phone."""
    table().do(seats.add_person, press(), request.form.get("name", ""))
    return DONE


@lobby.post("/people/stand-in")
@audience(For.HOST)
def add_stand_in() -> ResponseReturnValue:
    """Add a stand-in, which the table plays."""
    table().do(stand_ins.add, press(), request.form.get("level", ""))
    return DONE


@lobby.post("/people/remove")
@audience(For.HOST)
def remove_person() -> ResponseReturnValue:
    """Remove a player."""
    table().do(seats.remove_person, press(), forms.integer("person"))
    return DONE


@lobby.post("/people/move")
@audience(For.HOST)
def move_person() -> ResponseReturnValue:
    """Move a player along the table."""
    table().do(
        seats.move_person,
        press(),
        forms.integer("person"),
        forms.integer("places"),
    )
    return DONE


@lobby.post("/people/order")
@audience(For.HOST)
def order_people() -> ResponseReturnValue:
    """Put all players in order."""
    table().do(seats.order_people, press(), forms.fields(request.form, "person"))
    return DONE


@lobby.post("/game/options")
@audience(For.HOST)
def choose() -> ResponseReturnValue:
    """Set how the next game is dealt."""
    option, value = request.form.get("option", ""), request.form.get("value", "")
    table().do(rounds.choose, press(), option, value)
    return DONE


@lobby.post("/game/language")
@audience(For.HOST)
def choose_language() -> ResponseReturnValue:
    """Set the language of all pages; empty: each phone has its own."""
    chosen = request.form.get("language", "")
    if chosen not in ("", *LANGUAGES):
        raise BadRequest(f"language: one of {', '.join(LANGUAGES)}, or empty")
    table().do(rounds.choose_language, press(), chosen)
    return DONE


@lobby.post("/game/choose")
@audience(For.HOST)
def choose_game() -> ResponseReturnValue:
    """Set which game is played next."""
    table().do(rounds.choose_game, press(), request.form.get("game", ""))
    return DONE


@lobby.post("/game/ruleset")
@audience(For.HOST)
def choose_ruleset() -> ResponseReturnValue:
    """Choose the rules of the next game."""
    table().do(rounds.choose_ruleset, press(), request.form.get("ruleset", ""))
    return DONE


@lobby.post("/game/house-rule")
@audience(For.HOST)
def switch_house_rule() -> ResponseReturnValue:
    """Turn a house rule of the next game on (`yes`: 1) or off."""
    on = forms.is_yes(request.form)
    table().do(rounds.switch_house_rule, press(), request.form.get("rule", ""), on)
    return DONE


@lobby.post("/game/start")
@audience(For.HOST)
def start_game() -> ResponseReturnValue:
    """Deal the cards and start the game."""
    table().do(rounds.start_game, press())
    return DONE
