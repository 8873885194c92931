"""What phones do in a game: each change is answered with nothing (204), or with the reason."""

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from companion.table import moves, rolling
from web import forms
from web.access import For, audience, looks, person, press, press_any_time, press_on_dice, table
from web.board import terms_of

presses = Blueprint("presses", __name__)

DONE = ("", 204)


@presses.post("/role/<int:seat>")
@audience(For.SEAT)
def role(seat: int) -> ResponseReturnValue:
    """Show a role to whoever may see it: no page that a browser would open again or keep."""
    view = looks()
    return render_template(
        "role.html",
        role=table().role(person(), seat),
        players=len(view.people),
        words=terms_of(view),
    )


@presses.post("/roles")
@audience(For.SEAT)
def roles() -> ResponseReturnValue:
    """Show all roles to an eliminated player, where the table allows it."""
    shown = table().roles(person())
    view = looks()
    names = [entry.name for entry in view.people]
    return render_template(
        "roles.html", roles=list(zip(names, shown, strict=True)), words=terms_of(view)
    )


# The game


@presses.post("/game/move")
@audience(For.SEAT)
def move() -> ResponseReturnValue:
    """Make a decision."""
    table().do(moves.move, press(), forms.move(request.form))
    return DONE


@presses.post("/game/undo")
@audience(For.SEAT)
def undo() -> ResponseReturnValue:
    """Take the last move back."""
    table().do(moves.undo, press())
    return DONE


@presses.post("/game/guess")
@audience(For.SEAT)
def guess() -> ResponseReturnValue:
    """Say which side wins, once out of the game."""
    table().do(moves.guess, press_any_time(), forms.side(request.form))
    return DONE


# The dice


@presses.post("/dice/accept")
@audience(For.SEAT)
def accept() -> ResponseReturnValue:
    """Do what the green button does."""
    table().do(rolling.accept, press_on_dice())
    return DONE


@presses.post("/dice/stop")
@audience(For.SEAT)
def stop() -> ResponseReturnValue:
    """Do what the red button does."""
    table().do(rolling.stop, press())
    return DONE


@presses.post("/dice/mark")
@audience(For.SEAT)
def mark() -> ResponseReturnValue:
    """Correct a die."""
    said = forms.mark(request.form)
    table().do(rolling.mark, press_on_dice(), forms.field(request.form, "die"), said)
    return DONE


@presses.post("/dice/leave-out")
@audience(For.SEAT)
def leave_out() -> ResponseReturnValue:
    """Say that something is no die."""
    table().do(rolling.leave_out, press_on_dice(), forms.field(request.form, "die"))
    return DONE


@presses.post("/dice/add")
@audience(For.SEAT)
def add() -> ResponseReturnValue:
    """Say what a die shows that the camera misses."""
    table().do(rolling.add, press_on_dice(), forms.face(request.form, "face"))
    return DONE


@presses.post("/dice/keep")
@audience(For.SEAT)
def keep() -> ResponseReturnValue:
    """Say which dice were kept beside the tray."""
    kept = forms.fields(request.form, "kept")
    table().do(rolling.keep_beside, press_on_dice(), kept)
    return DONE


@presses.post("/dice/by-hand")
@audience(For.SEAT)
def by_hand() -> ResponseReturnValue:
    """Say what this roll shows, where the camera can't."""
    table().do(rolling.enter_by_hand, press())
    return DONE


@presses.post("/dice/pick")
@audience(For.SEAT)
def pick() -> ResponseReturnValue:
    """Pick a die up, or put it down again."""
    table().do(rolling.pick, press(), forms.field(request.form, "die"))
    return DONE


@presses.post("/dice/throw")
@audience(For.SEAT)
def throw() -> ResponseReturnValue:
    """Throw the dice that the table itself throws."""
    table().throw(press())
    return DONE


@presses.post("/dice/forget")
@audience(For.HOST)
def forget() -> ResponseReturnValue:
    """Forget what was learned while playing."""
    table().forget_learned(press())
    return DONE
