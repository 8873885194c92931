"""Parse decisions of the dice game from the form fields that phones send."""

from werkzeug.exceptions import BadRequest

from companion.games.dice.rules import moves
from companion.games.dice.rules.faces import Face
from web.forms import Form, field, number

_SHOT = "shot-"


def move(form: Form) -> moves.Move:
    """Return the decision with dice in a form. The table checks whether it is legal."""
    seat = field(form, "seat")
    match form.get("action"):
        case moves.Action.HEAL:
            return moves.Heal(seat, field(form, "target"))
        case moves.Action.SHOOT:
            return moves.Shoot(seat, shots(form))
        case moves.Action.TAKE_ARROWS:
            return moves.TakeArrows(seat, field(form, "count"))
        case moves.Action.DISCARD_ARROWS:
            return moves.DiscardArrows(seat, field(form, "count"))
        case moves.Action.BEER:
            return moves.Beer(seat, targets(form))
        case moves.Action.DISCARD_FROM:
            return moves.DiscardFrom(seat, targets(form))
    raise BadRequest("action: nothing that is decided on a phone")


def targets(form: Form) -> tuple[int, ...]:
    """Return the seats in `target-0`, `target-1`, … or in several `target`, in that order."""
    names = sorted(name for name in form if name.startswith("target"))
    return tuple(number(text, name) for name in names for text in form.getlist(name))


def shots(form: Form) -> tuple[moves.Shot, ...]:
    """Return the shots: `shot-DIE` is SEAT, FACE:SEAT or `none`; `double` a DIE, by `beer`."""
    doubled = field(form, "double") if form.get("double") else None
    shots = []
    for name in sorted(name for name in form if name.startswith(_SHOT)):
        die = number(name.removeprefix(_SHOT), name)
        used_as, _, target = form[name].rpartition(":")
        shots.append(
            moves.Shot(
                die,
                None if target == "none" else number(target, name),
                used_as=_face(used_as, name) if used_as else None,
                beer=field(form, "beer") if die == doubled else None,
            )
        )
    return tuple(shots)


def _face(text: str, name: str) -> Face:
    try:
        return Face(text)
    except ValueError:
        raise BadRequest(f"{name}: no such face") from None
