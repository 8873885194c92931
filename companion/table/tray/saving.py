"""Save players' corrections of a roll not yet accepted, as JSON, across restarts."""

import json
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import Any

from companion.table.tray.observation import EMPTY, Observation, Place, Sight, TrayDie
from companion.table.tray.state import (
    ByHand,
    CountCorrection,
    Mark,
    TrayState,
    Unwatched,
    Watched,
    watched,
)
from vision.dice.reading import DICE, TrayVerdict


def to_json(tray: TrayState) -> str:
    """Return what `from_json` reads; empty if players have said nothing."""
    if isinstance(tray, Unwatched) and tray.before is not None:
        tray = tray.before
    seen = watched(tray)
    said: dict[str, Any] = {
        "marks": _marks_json(tray.marks),
        "by_hand": isinstance(tray, ByHand),
    }
    if seen is not None:
        said["left_out"] = [[place.x, place.y, place.size] for place in seen.count.left_out]
        said["added"] = seen.count.added
        said["count_by"] = [] if seen.count.by is None else [seen.count.by]
        said["picked"] = sorted(seen.picked)
    if not any(said.values()):
        return ""
    if seen is not None:
        said["dice"] = [
            [die.read, die.place.x, die.place.y, die.place.size]
            for die in seen.at_rest.dice
            if die.place is not None
        ]
    return json.dumps({name: value for name, value in said.items() if value or name == "dice"})


def from_json(text: str, faces: Collection[str]) -> Unwatched:
    """Return the tray as it was, until a camera works. Raises ValueError, KeyError or TypeError.

    faces: those that dice of the game have.
    """
    said = json.loads(text)
    marks = {
        _number(number): _mark(by, *mark)
        for by, *of_seat in said.get("marks", ())
        for number, *mark in of_seat
    }
    added = tuple(said.get("added", ()))
    named = [mark.face for mark in marks.values() if mark.face is not None]
    if not {*named, *added} <= set(faces):
        raise ValueError("no face of a die")
    if "dice" not in said:
        return Unwatched(marks=marks)
    before = Watched(
        EMPTY,
        Observation(Sight.STILL, TrayVerdict.OK, tuple(_die(*die) for die in said["dice"])),
        marks=marks,
        count=CountCorrection(
            tuple(_place(*place) for place in said.get("left_out", ())),
            added,
            next(map(_seat, said.get("count_by", ())), None),
        ),
        picked=frozenset(map(_number, said.get("picked", ()))),
    )
    if said.get("by_hand"):
        return Unwatched(marks=marks, before=_by_hand(before, marks))
    return Unwatched(before=before)


def _by_hand(seen: Watched, marks: Mapping[int, Mark]) -> ByHand:
    return ByHand(Watched(seen.now, seen.at_rest, picked=seen.picked), marks)


def _marks_json(marks: Mapping[int, Mark]) -> Sequence[object]:
    """Return marks in their order, those that one seat made in a row after its number.

    Each correction saves them all, and usually one player corrects a whole roll.
    """
    rows = groupby(marks.items(), key=lambda numbered: numbered[1].by)
    return [[by, *(_mark_json(number, mark) for number, mark in row)] for by, row in rows]


def _mark_json(number: int, mark: Mark) -> Sequence[object]:
    return [number, mark.face] if mark.thrown is None else [number, mark.face, mark.thrown]


def _mark(by: object, face: object, thrown: object = None) -> Mark:
    if not (face is None or isinstance(face, str)) or thrown not in (None, True, False):
        raise TypeError("no mark")
    return Mark(face, None if thrown is None else bool(thrown), None if by is None else _seat(by))


def _seat(seat: object) -> int:
    if type(seat) is not int or seat < 0:
        raise ValueError("no seat")
    return seat


def _number(number: object) -> int:
    if type(number) is not int or not 0 <= number < DICE:
        raise ValueError("no number of a die")
    return number


def _die(read: str, *place: float) -> TrayDie:
    return TrayDie(read, thrown=True, sure=True, place=_place(*place), read=read)


def _place(*numbers: float) -> Place:
    x, y, size = map(float, numbers)
    return Place(x, y, size)
