"""What phones send: fields of a form to values, with a one-line reason for what is none."""

import re
from typing import Any

from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest

from companion.dicegame.characters import CHARACTERS
from companion.dicegame.events import Side
from companion.dicegame.faces import Face
from companion.dicegame.moves import (
    Action,
    Beer,
    DiscardArrows,
    DiscardFrom,
    Heal,
    Move,
    Shoot,
    Shot,
    TakeArrows,
)
from companion.dicegame.roles import Role
from companion.table.tray.state import Mark

Form = MultiDict[str, Any]

_SHOT = "shot-"


def number(text: str | None, name: str) -> int:
    """Return a whole number; refuses anything else with status 400."""
    if text is None or not re.fullmatch(r"-?[0-9]{1,9}", text, re.ASCII):
        raise BadRequest(f"{name}: a whole number is needed")
    return int(text)


def field(form: Form, name: str) -> int:
    """Return the whole number in a field."""
    return number(form.get(name), name)


def fields(form: Form, name: str) -> tuple[int, ...]:
    """Return the whole numbers in all fields of that name."""
    return tuple(number(text, name) for text in form.getlist(name))


def move(form: Form) -> Move:
    """Return the decision that a form holds. Whether it is legal, the table says."""
    seat = field(form, "seat")
    match form.get("action"):
        case Action.HEAL:
            return Heal(seat, field(form, "target"))
        case Action.SHOOT:
            return Shoot(seat, shots(form))
        case Action.TAKE_ARROWS:
            return TakeArrows(seat, field(form, "count"))
        case Action.DISCARD_ARROWS:
            return DiscardArrows(seat, field(form, "count"))
        case Action.BEER:
            return Beer(seat, targets(form))
        case Action.DISCARD_FROM:
            return DiscardFrom(seat, targets(form))
    raise BadRequest("action: nothing that is decided on a phone")


def mark(form: Form) -> Mark:
    """Return what a form says of a die: `face`, `thrown` (1 or 0), or both."""
    thrown = {"1": True, "0": False, None: None}
    if form.get("thrown") not in thrown:
        raise BadRequest("thrown: 1 or 0")
    said = Mark(face(form, "face") if "face" in form else None, thrown[form.get("thrown")])
    if said == Mark():
        raise BadRequest("face: nothing is said of the die")
    return said


def yes(form: Form) -> bool:
    """Return the answer that a form holds in `yes` (1 or 0)."""
    answers = {"1": True, "0": False}
    if form.get("yes") not in answers:
        raise BadRequest("yes: 1 or 0")
    return answers[form["yes"]]


def role(form: Form) -> Role | None:
    """Return the role in a form, None if it holds none. A refusal does not repeat it."""
    try:
        return Role(form["role"]) if "role" in form else None
    except ValueError:
        raise BadRequest("role: no such role") from None


def character(form: Form) -> str | None:
    """Return the id of the character in a form, None if it holds none."""
    found: str | None = form.get("character")
    if found is not None and found not in CHARACTERS:
        raise BadRequest("character: no such character")
    return found


def face(form: Form, name: str) -> Face:
    """Return the face that a field names; refuses anything else with status 400."""
    return _face(form.get(name, ""), name)


def side(form: Form) -> Side:
    """Return the side that a form names; refuses anything else with status 400."""
    try:
        return Side(form.get("side", ""))
    except ValueError:
        raise BadRequest("side: no such side") from None


def targets(form: Form) -> tuple[int, ...]:
    """`target-0`, `target-1`, … or several of `target`: the seats, in that order."""
    names = sorted(name for name in form if name.startswith("target"))
    return tuple(number(text, name) for name in names for text in form.getlist(name))


def shots(form: Form) -> tuple[Shot, ...]:
    """`shot-DIE`: SEAT, FACE:SEAT or `none`; `double`: a DIE, by the die in `beer`."""
    doubled = field(form, "double") if form.get("double") else None
    shots = []
    for name in sorted(name for name in form if name.startswith(_SHOT)):
        die = number(name.removeprefix(_SHOT), name)
        used_as, _, target = form[name].rpartition(":")
        shots.append(
            Shot(
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
