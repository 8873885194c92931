"""Update what is known about the tray after players' presses, and tell who corrected what."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

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
from vision.dice.reading import DICE


class CorrectionKind(StrEnum):
    """What a player said about the dice of a roll."""

    FACE = "face"
    """What a die shows."""
    KEPT = "kept"
    """That a die was kept."""
    THROWN = "thrown"
    """That a die was thrown."""
    LEFT_OUT = "left out"
    """That something is not a die."""
    ADDED = "added"
    """A die that the camera misses."""
    BY_HAND = "by hand"
    """The whole roll, although there is a camera."""


class Correction(NamedTuple):
    """What a player changed in a reading, as the story tells it."""

    kind: CorrectionKind
    """What was said."""
    by: int | None
    """The seat that said it; None if unknown."""
    die: int | None = None
    """The die's number; None if it has none."""
    before: str | None = None
    """The face that the camera read; None if it was uncertain or saw none."""
    after: str | None = None
    """The face that was said; None if none was."""
    pictured: bool = False
    """Whether the camera saw the die."""


def made(state: TrayState, dice: Sequence[TrayDie]) -> tuple[Correction, ...]:
    """Return how players corrected a roll. dice: the five dice as they are shown."""
    match state:
        case Watched():
            return (*_of_count(state), *_of_dice(state, dice))
        case ByHand() if state.marks:
            by = [mark.by for mark in state.marks.values() if mark.by is not None]
            return (Correction(CorrectionKind.BY_HAND, by[-1] if by else None),)
    return ()


def _of_count(state: Watched) -> Sequence[Correction]:
    count = state.count
    return [
        *(Correction(CorrectionKind.LEFT_OUT, count.by) for _ in count.left_out),
        *(Correction(CorrectionKind.ADDED, count.by, after=face) for face in count.added),
    ]


def _of_dice(state: Watched, dice: Sequence[TrayDie]) -> Sequence[Correction]:
    doubted = {die.place for die in state.now.dice if not die.sure}
    found = []
    for number, said in sorted(state.marks.items()):
        if number >= len(dice):
            continue
        die = dice[number]
        pictured = die.place is not None
        if said.face is not None and (die.place in doubted or said.face != die.read):
            before = None if die.place in doubted else die.read
            kind = CorrectionKind.FACE
            found.append(Correction(kind, said.by, number, before, said.face, pictured))
        if said.thrown is not None:
            kind = CorrectionKind.THROWN if said.thrown else CorrectionKind.KEPT
            found.append(Correction(kind, said.by, number, after=die.face, pictured=pictured))
    return found


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


def leave_out(tray: TrayState, die: TrayDie, by: int | None) -> TrayState:
    """Return the tray without something that the camera or a player mistook for a die."""
    if isinstance(tray, Watched):
        left_out, added = tray.count.left_out, list(tray.count.added)
        if die.place is not None:
            count = CountCorrection((*left_out, die.place), tuple(added), by)
            return replace(tray, count=count, marks={})
        if die.face in added:
            added.remove(die.face)
            return replace(tray, count=CountCorrection(left_out, tuple(added), by), marks={})
    raise Refused(Problem.ILLEGAL, "you can’t correct this die")


def add(tray: TrayState, face: str, by: int | None) -> TrayState:
    """Return the tray with a die that the camera misses."""
    if not isinstance(tray, Watched):
        raise Refused(Problem.ILLEGAL, "no die is missing")
    added = (*tray.count.added, face)
    return replace(tray, count=replace(tray.count, added=added, by=by), marks={})


def pick(tray: TrayState, die: int) -> TrayState:
    """Return the tray with a die picked up for the table to throw, or put back."""
    match tray:
        case Watched():
            return replace(tray, picked=tray.picked ^ {die})
        case ByHand():
            return replace(tray, watched=replace(tray.watched, picked=tray.watched.picked ^ {die}))
        case Unwatched():
            raise Refused(Problem.FAILED, "no camera is working")
