"""Update what is known about the tray after players' presses."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.table.refused import Problem, Refused
from companion.table.tray.observation import TrayDie
from companion.table.tray.state import (
    ByHand,
    CountCorrection,
    Mark,
    TrayState,
    Unwatched,
    Watched,
    accepted_last,
    watched,
)
from vision.reading import DICE


def mark(tray: TrayState, marks: Mapping[int, Mark]) -> TrayState:
    """Return the tray with corrections of dice, by number."""
    joined = {number: tray.marks.get(number, Mark()).then(said) for number, said in marks.items()}
    joined = {**tray.marks, **joined}
    return (
        Unwatched(tray.accepted, joined)
        if isinstance(tray, Unwatched)
        else replace(tray, marks=joined)
    )


def by_hand(tray: TrayState, faces: Sequence[str]) -> TrayState:
    """Return the tray once players enter this roll. faces: those known already."""
    marks = {number: Mark(face) for number, face in enumerate(faces[:DICE])}
    seen = watched(tray)
    return ByHand(seen, marks) if seen else Unwatched(accepted_last(tray), marks)


def leave_out(tray: TrayState, die: TrayDie) -> TrayState:
    """Return the tray without something that the camera or a player mistook for a die."""
    if isinstance(tray, Watched):
        left_out, added = tray.count.left_out, list(tray.count.added)
        if die.place is not None:
            count = CountCorrection((*left_out, die.place), tuple(added))
            return replace(tray, count=count, marks={})
        if die.face in added:
            added.remove(die.face)
            return replace(tray, count=CountCorrection(left_out, tuple(added)), marks={})
    raise Refused(Problem.ILLEGAL, "you can’t correct this die")


def add(tray: TrayState, face: str) -> TrayState:
    """Return the tray with a die that the camera misses."""
    if not isinstance(tray, Watched):
        raise Refused(Problem.ILLEGAL, "no die is missing")
    added = (*tray.count.added, face)
    return replace(tray, count=replace(tray.count, added=added), marks={})


def pick(tray: TrayState, die: int) -> TrayState:
    """Return the tray with a die picked up for the table to throw, or put back."""
    match tray:
        case Watched():
            return replace(tray, picked=tray.picked ^ {die})
        case ByHand():
            return replace(tray, watched=replace(tray.watched, picked=tray.watched.picked ^ {die}))
        case Unwatched():
            raise Refused(Problem.FAILED, "no camera is working")
