"""Routes of the lobby: who plays, in what order, and how the next game is dealt."""

from flask import Blueprint, request
from werkzeug.exceptions import BadRequest

from companion.table import rounds, seats, stand_ins
from web import forms
from web.access import For, post, press, table
from web.i18n import LANGUAGES

lobby = Blueprint("lobby", __name__)


@post(lobby, "/people/add", For.HOST)
def add_person() -> None:
    """Add a player who has no phone."""
    table().do(seats.add_person, press(), request.form.get("name", ""))


@post(lobby, "/people/stand-in", For.HOST)
def add_stand_in() -> None:
    """Add a stand-in, which the table plays."""
    table().do(stand_ins.add, press(), request.form.get("level", ""))


@post(lobby, "/people/remove", For.HOST)
def remove_person() -> None:
    """Remove a player."""
    table().do(seats.remove_person, press(), forms.integer("person"))


@post(lobby, "/people/order", For.HOST)
def order_people() -> None:
    """Put all players in order."""
    table().do(seats.order_people, press(), forms.fields(request.form, "person"))


@post(lobby, "/game/options", For.HOST)
def choose() -> None:
    """Set how the next game is dealt."""
    option, value = request.form.get("option", ""), request.form.get("value", "")
    table().do(rounds.choose, press(), option, value)


@post(lobby, "/game/language", For.HOST)
def choose_language() -> None:
    """Set the language of all pages; empty: each phone has its own."""
    chosen = request.form.get("language", "")
    if chosen not in ("", *LANGUAGES):
        raise BadRequest(f"language: one of {', '.join(LANGUAGES)}, or empty")
    table().do(rounds.choose_language, press(), chosen)


@post(lobby, "/game/choose", For.HOST)
def choose_game() -> None:
    """Set which game is played next."""
    table().do(rounds.choose_game, press(), request.form.get("game", ""))


@post(lobby, "/game/ruleset", For.HOST)
def choose_ruleset() -> None:
    """Choose the rules of the next game."""
    table().do(rounds.choose_ruleset, press(), request.form.get("ruleset", ""))


@post(lobby, "/game/house-rule", For.HOST)
def switch_house_rule() -> None:
    """Turn a house rule of the next game on (`yes`: 1) or off."""
    on = forms.is_yes(request.form)
    table().do(rounds.switch_house_rule, press(), request.form.get("rule", ""), on)


@post(lobby, "/game/start", For.HOST)
def start_game() -> None:
    """Deal the cards and start the game."""
    table().do(rounds.start_game, press())
