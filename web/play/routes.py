"""Routes of play: decisions and dice. Each answers with nothing (204) or with the refusal."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.table import moves, rounds
from companion.table.surface.cards import laying
from companion.table.surface.dice import rolling
from web import forms
from web.access import (
    DONE,
    For,
    audience,
    looks,
    press,
    press_any_time,
    press_on_dice,
    table,
)
from web.answers import jpeg_or_nothing
from web.games.registry import pages_of
from web.site import site

play = Blueprint("play", __name__)


@play.get("/die/<int:die>.jpg")
@audience(For.EVERYBODY)
def die_picture(die: int) -> ResponseReturnValue:
    """Send the camera's picture of a die; nothing (204) if there is none."""
    return jpeg_or_nothing(site().die_picture(die))


@play.get("/corrections/<int:game>-<int:move>-<int:die>.jpg")
@audience(For.EVERYBODY)
def correction_picture(game: int, move: int, die: int) -> ResponseReturnValue:
    """Send a die whose reading a player changed, as the camera saw it; nothing (204) if unknown."""
    return jpeg_or_nothing(site().correction_picture(game, move, die))


@play.post("/game/move")
@audience(For.SEAT)
def move() -> ResponseReturnValue:
    """Make a decision."""
    table().do(moves.move, press(), pages_of(looks()).move(request.form))
    return DONE


@play.post("/game/undo")
@audience(For.SEAT)
def undo() -> ResponseReturnValue:
    """Undo the last move."""
    table().do(moves.undo, press())
    return DONE


@play.post("/game/back")
@audience(For.SEAT)
def go_back() -> ResponseReturnValue:
    """Undo everything after a number of moves."""
    table().do(moves.go_back, press(), forms.integer("moves"))
    return DONE


@play.post("/game/guess")
@audience(For.SEAT)
def guess() -> ResponseReturnValue:
    """Guess which side wins, as an eliminated player."""
    table().do(moves.guess, press_any_time(), request.form.get("side", ""))
    return DONE


@play.post("/game/again")
@audience(For.HOST)
def play_again() -> ResponseReturnValue:
    """Start another game with the same seats."""
    table().do(rounds.play_again, press())
    return DONE


@play.post("/game/new")
@audience(For.HOST)
def new_game() -> ResponseReturnValue:
    """Go back to the lobby."""
    table().do(rounds.new_game, press())
    return DONE


# The dice


@play.post("/dice/accept")
@audience(For.SEAT)
def accept() -> ResponseReturnValue:
    """Accept the roll, like the green button."""
    table().do(rolling.accept, press_on_dice())
    return DONE


@play.post("/dice/accept-and-stop")
@audience(For.SEAT)
def accept_and_stop() -> ResponseReturnValue:
    """Accept the roll and stop rolling, like the green button and then the red one."""
    table().do(rolling.accept_and_stop, press_on_dice())
    return DONE


@play.post("/dice/stop")
@audience(For.SEAT)
def stop() -> ResponseReturnValue:
    """Stop rolling, like the red button."""
    table().do(rolling.stop, press())
    return DONE


@play.post("/dice/mark")
@audience(For.SEAT)
def mark() -> ResponseReturnValue:
    """Correct a die."""
    said = forms.mark(request.form)
    table().do(rolling.mark, press_on_dice(), forms.integer("die"), said)
    return DONE


@play.post("/dice/leave-out")
@audience(For.SEAT)
def leave_out() -> ResponseReturnValue:
    """Mark something that the camera sees as not a die."""
    table().do(rolling.leave_out, press_on_dice(), forms.integer("die"))
    return DONE


@play.post("/dice/add")
@audience(For.SEAT)
def add() -> ResponseReturnValue:
    """Add a die by hand that the camera misses."""
    table().do(rolling.add, press_on_dice(), request.form.get("face", ""))
    return DONE


@play.post("/dice/keep")
@audience(For.SEAT)
def keep() -> ResponseReturnValue:
    """Say which dice were kept beside the tray."""
    kept = forms.fields(request.form, "kept")
    table().do(rolling.keep_beside, press_on_dice(), kept)
    return DONE


@play.post("/dice/by-hand")
@audience(For.SEAT)
def by_hand() -> ResponseReturnValue:
    """Enter this roll by hand when the camera can't read it."""
    table().do(rolling.enter_by_hand, press())
    return DONE


@play.post("/dice/pick")
@audience(For.SEAT)
def pick() -> ResponseReturnValue:
    """Pick up a die for the next throw, or put it back."""
    table().do(rolling.pick, press(), forms.integer("die"))
    return DONE


@play.post("/dice/throw")
@audience(For.SEAT)
def throw() -> ResponseReturnValue:
    """Throw the dice in a simulated tray."""
    rolling.throw_dice(table().scene, press())
    return DONE


# The cards


@play.post("/pile/title")
@audience(For.SEAT)
def name_title() -> ResponseReturnValue:
    """Say which card was laid in the tray."""
    table().do(laying.name_title, press_on_dice(), request.form.get("title", ""))
    return DONE


@play.post("/pile/sign")
@audience(For.SEAT)
def name_sign() -> ResponseReturnValue:
    """Say which suit and rank a flipped card shows."""
    table().do(laying.name_sign, press_on_dice(), request.form.get("sign", ""))
    return DONE


@play.post("/pile/draw")
@audience(For.SEAT)
def draw_card() -> ResponseReturnValue:
    """Say that the next card in the tray is flipped."""
    table().do(laying.draw, press_on_dice())
    return DONE


@play.post("/pile/ignore")
@audience(For.SEAT)
def ignore_card() -> ResponseReturnValue:
    """Put aside what the camera claims to see on the pile."""
    table().do(laying.ignore, press_on_dice())
    return DONE


@play.post("/game/retitle")
@audience(For.SEAT)
def retitle() -> ResponseReturnValue:
    """Correct the title or sign of a card that was played or flipped before."""
    card, place = request.form.get("card", ""), forms.integer("place")
    table().do(laying.retitle, press(), forms.integer("number"), card, place)
    return DONE


@play.post("/game/early")
@audience(For.SEAT)
def answer_early() -> ResponseReturnValue:
    """Answer a card before one's turn comes."""
    table().do(laying.answer_early, press(), pages_of(looks()).move(request.form))
    return DONE


@play.post("/game/early-back")
@audience(For.SEAT)
def take_early_back() -> ResponseReturnValue:
    """Take an early answer back."""
    table().do(laying.take_early_back, press(), forms.integer("seat"))
    return DONE


# What was learned


@play.post("/dice/forget")
@audience(For.HOST)
def forget() -> ResponseReturnValue:
    """Forget what the reader learned while playing."""
    table().lessons.forget(table().scene, press())
    return DONE
