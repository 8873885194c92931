"""Routes that move what lies in a simulated tray of cards, for one person who tries a game."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.table.surface.cards import laying
from web.access import DONE, For, audience, press, table

simulated = Blueprint("simulated", __name__)


@simulated.post("/pile/lay")
@audience(For.SEAT)
def lay() -> ResponseReturnValue:
    """Lay a card into a simulated tray: by its `title` or, without one, from the deck."""
    laying.lay_card(table().scene, press(), request.form.get("title", ""))
    return DONE


@simulated.post("/pile/lift")
@audience(For.SEAT)
def lift() -> ResponseReturnValue:
    """Take the topmost card off a simulated pile."""
    laying.lift_card(table().scene, press())
    return DONE
