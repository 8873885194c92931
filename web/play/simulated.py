"""Routes that move what lies in a simulated tray of cards, for one person who tries a game."""

from flask import Blueprint, request

from web.access import For, post, press, table

simulated = Blueprint("simulated", __name__)


@post(simulated, "/pile/lay", For.SEAT)
def lay() -> None:
    """Lay a card into a simulated tray: by its `title` or, without one, from the deck."""
    table().lay_card(press(), request.form.get("title", ""))


@post(simulated, "/pile/lift", For.SEAT)
def lift() -> None:
    """Take the topmost card off a simulated pile."""
    table().lift_card(press())
