"""Routes that move what lies in a simulated tray of cards, for one person who tries a game."""

from flask import Blueprint, request

from companion.table.surface.cards import laying
from web.access import For, post, press, table

simulated = Blueprint("simulated", __name__)


@post(simulated, "/pile/lay", For.SEAT)
def lay() -> None:
    """Lay a card into a simulated tray: by its `title` or, without one, from the deck."""
    laying.lay_card(table().scene, press(), request.form.get("title", ""))


@post(simulated, "/pile/lift", For.SEAT)
def lift() -> None:
    """Take the topmost card off a simulated pile."""
    laying.lift_card(table().scene, press())
