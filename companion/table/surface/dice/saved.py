"""What is saved of the dice: corrections of a roll that isn't accepted yet."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, Any, NamedTuple

from companion.base import codec
from companion.table.surface.dice import state
from vision.dice.reading import TrayVerdict

Seat = Annotated[int, range(1 << 31)]
Number = Annotated[int, range(state.DICE)]


@codec.row
class SavedMark(NamedTuple):
    """What a player said of a die."""

    number: Number
    """Which die."""
    face: str | None
    """As in `TrayMark`."""
    thrown: bool | None = None
    """As in `TrayMark`."""


@dataclass(frozen=True)
class SavedTray:
    """What is saved of the dice."""

    marks: tuple[tuple[Any, ...], ...] = ()
    """Marks in their order, those that one seat made in a row after its number: each correction
    saves them all, and usually one player corrects a whole roll."""
    by_hand: bool = False
    """Whether players enter the roll although there is a camera."""
    left_out: tuple[state.Place, ...] = ()
    """As in `CountCorrection`."""
    added: tuple[str, ...] = ()
    """As in `CountCorrection`."""
    count_by: tuple[Seat, ...] = ()
    """The seat in `CountCorrection`, if there is one."""
    picked: frozenset[Number] = frozenset()
    """The dice to throw next."""
    dice: tuple[tuple[str, float, float, float], ...] | None = None
    """What the camera read where; None without a camera."""


def to_json(tray: state.TrayState, seen: state.Watched | None) -> str:
    """Return what `from_json` reads. seen: what the camera saw of the tray; None without one."""
    rows = groupby(tray.marks.items(), key=lambda numbered: numbered[1].by)
    marks = [[by, *(_mark_json(number, mark) for number, mark in row)] for by, row in rows]
    said = {"marks": marks, "by_hand": isinstance(tray, state.ByHand)}
    if seen is not None:
        count = seen.count
        said |= {
            "left_out": [[place.x, place.y, place.size] for place in count.left_out],
            "added": count.added,
            "count_by": [] if count.by is None else [count.by],
            "picked": sorted(seen.picked),
        }
    kept: dict[str, Any] = {name: value for name, value in said.items() if value}
    if seen is not None:
        dice = ((die.read, die.place) for die in seen.at_rest.dice if die.place is not None)
        kept["dice"] = [[read, place.x, place.y, place.size] for read, place in dice]
    return json.dumps(kept)


def _mark_json(number: int, mark: state.TrayMark) -> Sequence[object]:
    return [number, mark.face] if mark.thrown is None else [number, mark.face, mark.thrown]


def from_json(text: str, faces: Collection[str]) -> state.Unwatched:
    """Return the tray as it was, until a camera works. Raises ValueError, KeyError or TypeError.

    faces: those that dice of the game have.
    """
    said = codec.read(SavedTray, json.loads(text))
    marks = {}
    for by, *row in said.marks:
        seat = None if by is None else codec.read(Seat, by)
        for number, face, thrown in codec.read(tuple[SavedMark, ...], row):
            marks[number] = state.TrayMark(face, thrown, seat)
    named = [mark.face for mark in marks.values() if mark.face is not None]
    if not {*named, *said.added} <= set(faces):
        raise ValueError("no face of a die")
    if said.dice is None:
        return state.Unwatched(marks=marks)
    dice = tuple(
        state.TrayDie(read, thrown=True, sure=True, place=state.Place(*place), read=read)
        for read, *place in said.dice
    )
    before = state.Watched(
        state.EMPTY,
        state.TrayObservation(state.Sight.STILL, TrayVerdict.OK, dice),
        marks=marks,
        count=state.CountCorrection(said.left_out, said.added, next(iter(said.count_by), None)),
        picked=said.picked,
    )
    if said.by_hand:
        seen = state.Watched(before.now, before.at_rest, picked=before.picked)
        return state.Unwatched(marks=marks, before=state.ByHand(seen, marks))
    return state.Unwatched(before=before)
