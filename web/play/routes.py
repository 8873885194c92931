"""Routes of play: decisions and dice. Each answers with nothing (204) or with the refusal."""

from flask import Blueprint, request
from flask.typing import ResponseReturnValue

from companion.table import moves, rounds
from companion.table.surface.cards import laying
from companion.table.surface.dice import rolling
from web import forms
from web.access import For, get, looks, post, press, press_any_time, press_on_dice, table
from web.answers import jpeg_or_nothing
from web.games.registry import pages_of
from web.site import site

play = Blueprint("play", __name__)


@get(play, "/die/<int:die>.jpg", For.EVERYBODY)
def die_picture(die: int) -> ResponseReturnValue:
    """Send the camera's picture of a die; nothing (204) if there is none."""
    return jpeg_or_nothing(site().die_picture(die))


@get(play, "/corrections/<int:game>-<int:move>-<int:die>.jpg", For.EVERYBODY)
def correction_picture(game: int, move: int, die: int) -> ResponseReturnValue:
    """Send a die whose reading a player changed, as the camera saw it; nothing (204) if unknown."""
    return jpeg_or_nothing(site().correction_picture(game, move, die))


@get(play, "/card/<int:game>-<int:entry>.jpg", For.EVERYBODY)
def card_picture(game: int, entry: int) -> ResponseReturnValue:
    """Send a card that was corrected, as the camera saw it; nothing (204) if there is none."""
    return jpeg_or_nothing(site().card_picture(game, entry))


@post(play, "/game/move", For.SEAT)
def move() -> None:
    """Make a decision."""
    table().do(moves.move, press(), pages_of(looks()).move(request.form))


@post(play, "/game/undo", For.SEAT)
def undo() -> None:
    """Undo the last move."""
    table().do(moves.undo, press())


@post(play, "/game/back", For.SEAT)
def go_back() -> None:
    """Undo everything after a number of moves."""
    table().do(moves.go_back, press(), forms.integer("moves"))


@post(play, "/game/guess", For.SEAT)
def guess() -> None:
    """Guess which side wins, as an eliminated player."""
    table().do(moves.guess, press_any_time(), request.form.get("side", ""))


@post(play, "/game/again", For.HOST)
def play_again() -> None:
    """Start another game with the same seats."""
    table().do(rounds.play_again, press())


@post(play, "/game/new", For.HOST)
def new_game() -> None:
    """Go back to the lobby."""
    table().do(rounds.new_game, press())


# The dice


@post(play, "/dice/accept", For.SEAT)
def accept() -> None:
    """Accept the roll, like the green button."""
    table().do(rolling.accept, press_on_dice())


@post(play, "/dice/accept-and-stop", For.SEAT)
def accept_and_stop() -> None:
    """Accept the roll and stop rolling, like the green button and then the red one."""
    table().do(rolling.accept_and_stop, press_on_dice())


@post(play, "/dice/stop", For.SEAT)
def stop() -> None:
    """Stop rolling, like the red button."""
    table().do(rolling.stop, press())


@post(play, "/dice/mark", For.SEAT)
def mark() -> None:
    """Correct a die."""
    said = forms.mark(request.form)
    table().do(rolling.mark, press_on_dice(), forms.integer("die"), said)


@post(play, "/dice/leave-out", For.SEAT)
def leave_out() -> None:
    """Mark something that the camera sees as not a die."""
    table().do(rolling.leave_out, press_on_dice(), forms.integer("die"))


@post(play, "/dice/add", For.SEAT)
def add() -> None:
    """Add a die by hand that the camera misses."""
    table().do(rolling.add, press_on_dice(), request.form.get("face", ""))


@post(play, "/dice/keep", For.SEAT)
def keep() -> None:
    """Say which dice were kept beside the tray."""
    kept = forms.fields(request.form, "kept")
    table().do(rolling.keep_beside, press_on_dice(), kept)


@post(play, "/dice/by-hand", For.SEAT)
def by_hand() -> None:
    """Enter this roll by hand when the camera can't read it."""
    table().do(rolling.enter_by_hand, press())


@post(play, "/dice/pick", For.SEAT)
def pick() -> None:
    """Pick up a die for the next throw, or put it back."""
    table().do(rolling.pick, press(), forms.integer("die"))


@post(play, "/dice/throw", For.SEAT)
def throw() -> None:
    """Throw the dice in a simulated tray."""
    rolling.throw_dice(table().scene, press())


# The cards


@post(play, "/pile/title", For.SEAT)
def name_title() -> None:
    """Say which card was laid in the tray."""
    table().do(laying.name_title, press_on_dice(), request.form.get("title", ""))


@post(play, "/pile/sign", For.SEAT)
def name_sign() -> None:
    """Say which suit and rank a flipped card shows."""
    table().do(laying.name_sign, press_on_dice(), request.form.get("sign", ""))


@post(play, "/pile/draw", For.SEAT)
def draw_card() -> None:
    """Say that the next card in the tray is flipped."""
    table().do(laying.draw, press_on_dice())


@post(play, "/pile/owed", For.SEAT)
def count_as_owed() -> None:
    """Say that the card in the tray is one that somebody owed."""
    table().do(laying.count_as_owed, press_on_dice())


@post(play, "/pile/whose", For.SEAT)
def say_whose() -> None:
    """Say whose answer the card in the tray is."""
    table().do(laying.say_whose, press_on_dice(), forms.integer("seat"))


@post(play, "/pile/last", For.SEAT)
def play_last() -> None:
    """Play a card that is the last one of the turn."""
    table().do(laying.play_last, press_on_dice(), pages_of(looks()).move(request.form))


@post(play, "/pile/discard", For.SEAT)
def discard() -> None:
    """Say that the next cards in the tray are discarded."""
    table().do(laying.discard, press_on_dice())


@post(play, "/pile/ignore", For.SEAT)
def ignore_card() -> None:
    """Put aside what the camera claims to see on the pile."""
    table().do(laying.ignore, press_on_dice())


@post(play, "/game/retitle", For.SEAT)
def retitle() -> None:
    """Correct the title, sign or player of a card that was played or flipped before."""
    card, place = request.form.get("card", ""), forms.integer("place")
    table().do(laying.retitle, press(), forms.integer("number"), card, place)


@post(play, "/game/put-in", For.SEAT)
def insert() -> None:
    """Put a card that was forgotten in after a number of moves."""
    title, after = request.form.get("card", ""), forms.integer("moves")
    target = forms.integer("target") if request.form.get("target") else None
    table().do(laying.insert, press(), after, title, target)


@post(play, "/game/early", For.SEAT)
def answer_early() -> None:
    """Answer a card before one's turn comes."""
    table().do(moves.answer_early, press(), pages_of(looks()).move(request.form))


@post(play, "/game/early-back", For.SEAT)
def take_early_back() -> None:
    """Take an early answer back."""
    table().do(moves.take_early_back, press(), forms.integer("seat"))


# What was learned


@post(play, "/dice/forget", For.HOST)
def forget() -> None:
    """Forget what the reader learned while playing."""
    table().lessons.forget(table().scene, press())
