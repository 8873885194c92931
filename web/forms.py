"""Parse the form fields that phones send; refuse bad values with a one-line reason."""

import re
from typing import Any

from flask import request
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest

from companion.table.surface.dice.state import TrayMark

Form = MultiDict[str, Any]


def number(text: str | None, name: str) -> int:
    """Return a whole number; refuses anything else with status 400."""
    if text is None or not re.fullmatch(r"-?[0-9]{1,15}", text, re.ASCII):
        raise BadRequest(f"{name}: a whole number is needed")
    return int(text)


def field(form: Form, name: str) -> int:
    """Return the whole number in a field."""
    return number(form.get(name), name)


def integer(name: str) -> int:
    """Return the whole number in a field of this request."""
    return field(request.form, name)


def fields(form: Form, name: str) -> tuple[int, ...]:
    """Return the whole numbers in all fields of this name."""
    return tuple(number(text, name) for text in form.getlist(name))


def is_yes(form: Form) -> bool:
    """Return the answer in the field `yes` (1 or 0)."""
    answers = {"1": True, "0": False}
    if form.get("yes") not in answers:
        raise BadRequest("yes: 1 or 0")
    return answers[form["yes"]]


def mark(form: Form) -> TrayMark:
    """Return what a form says about a die: `face`, `thrown` (1 or 0), or both."""
    thrown = {"1": True, "0": False, None: None}
    if form.get("thrown") not in thrown:
        raise BadRequest("thrown: 1 or 0")
    said = TrayMark(form.get("face"), thrown[form.get("thrown")])
    if said == TrayMark():
        raise BadRequest("face: nothing is said of the die")
    return said
