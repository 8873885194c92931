"""Which die is which: joins what the camera sees, what was accepted, and what players say.

Dice keep their numbers (0-4) through a turn. A die that lies where it lay and shows what it showed
was kept, as was one that was seen to lie there while others were in the hand; any other was thrown.
Positions are pixels of the camera's picture.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from math import hypot
from typing import Protocol

from companion.dicegame.faces import DICE, Face

NEAR = 0.35
"""A die has not moved when its centre is at most so many edges from where it was."""


SAME_SIZE = 1.25
"""A die is not another one when its edge seems at most so many times as long as before."""

GUESSES = 2
"""A doubtful die shows what it showed when that is among so many of its likeliest faces."""


class SeenDie(Protocol):
    """A die as a reader gives it."""

    @property
    def face(self) -> str:
        """Its face, by its name in records."""

    @property
    def x(self) -> float:
        """Centre, in pixels from the left."""

    @property
    def y(self) -> float:
        """Centre, in pixels from the top."""

    @property
    def size(self) -> float:
        """Edge, in pixels."""

    @property
    def sure(self) -> bool:
        """Whether nobody need be asked."""

    @property
    def likely(self) -> Sequence[str]:
        """Faces, from most to least likely."""

    @property
    def number(self) -> int | None:
        """What tells it from the others from reading to reading, if anything does."""


class Verdict(StrEnum):
    """What the camera says of the tray, by the reader's words."""

    OK = "ok"
    UNSURE = "unsure"
    COUNT = "count"
    COCKED = "cocked"
    BLOCKED = "blocked"
    EMPTY = "empty"
    MOVING = "moving"
    BLIND = "blind"
    """No camera: dice are entered by hand."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a die lies: its centre and its edge, in pixels."""

    x: float
    y: float
    size: float

    def near(self, other: "Place") -> bool:
        """Return whether a die here may be the one that lay there."""
        small, large = sorted((self.size, other.size))
        distance = hypot(self.x - other.x, self.y - other.y)
        return distance <= NEAR * small and large <= SAME_SIZE * small


@dataclass(frozen=True, slots=True)
class TrayDie:
    """One of the five dice of this turn.

    face: None while unknown; thrown: since the last accepted roll; sure: no question about its
    face is open; likely: faces from most to least likely; place, read: where and as what the
    camera saw it, None when entered by hand or kept beside the tray. Once a player has corrected
    it, `face` is another than `read`. track: its number among what the camera sees; bumped: it
    seems to be kept, but lies otherwise than it was accepted or was in somebody's hand, and nobody
    has said yet which it is.
    """

    face: Face | None
    thrown: bool
    sure: bool
    likely: tuple[Face, ...] = ()
    place: Place | None = None
    read: Face | None = None
    track: int | None = None
    bumped: bool = False


class Status(StrEnum):
    """Whether the dice can be accepted, and if not, what is missing."""

    EMPTY = "empty"
    """No dice, or none thrown yet."""
    MOVING = "moving"
    LYING = "lying"
    """The dice lie as they were accepted."""
    PICKED_UP = "picked_up"
    """Some dice are in somebody's hand; the others lie as they were accepted."""
    BESIDE = "beside"
    """Dice were thrown while others lie beside the tray, and it is open which these are."""
    READY = "ready"
    UNSURE = "unsure"
    INCOMPLETE = "incomplete"
    """Dice entered by hand, but not all of them."""
    COUNT = "count"
    COCKED = "cocked"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Tray:
    """The dice as everybody may see them, by number.

    seen: how many the camera counts; choices: which dice may lie beside the tray, by numbers, once
    for each set of faces; empty unless that is open.
    """

    status: Status
    dice: tuple[TrayDie, ...] = ()
    seen: int = 0
    choices: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """What the camera last said."""

    verdict: Verdict
    dice: tuple[TrayDie, ...] = ()

    def unmoved(self, other: "Seen") -> bool:
        """Return whether both are the same dice, lying still."""
        return len(self.dice) == len(other.dice) and all(
            _match(die, other.dice) is not None for die in self.dice
        )


BLIND = Seen(Verdict.BLIND)


@dataclass(frozen=True, slots=True)
class Amends:
    """What players said of the number of dice.

    left_out: places where the camera sees a die and none is; added: faces of dice that it misses.
    """

    left_out: tuple[Place, ...] = ()
    added: tuple[Face, ...] = ()

    def of(self, seen: Seen) -> Seen:
        """Return what the camera said, with that put right."""
        if self == _NO_AMENDS:
            return seen
        there = tuple(
            die
            for die in seen.dice
            if die.place is None or not any(die.place.near(place) for place in self.left_out)
        )
        more = tuple(TrayDie(face, thrown=True, sure=True) for face in self.added)
        return replace(seen, dice=there + more)


_NO_AMENDS = Amends()


@dataclass(frozen=True, slots=True)
class Mark:
    """What a player said of a die: its face, and whether it was thrown (None: nothing said)."""

    face: Face | None = None
    thrown: bool | None = None


def seen_dice(dice: Sequence[SeenDie]) -> tuple[TrayDie, ...]:
    """Take dice over from a reader, ordered from left to right."""
    return tuple(
        TrayDie(
            face=Face(die.face),
            thrown=True,
            sure=die.sure,
            likely=tuple(Face(face) for face in die.likely),
            place=Place(die.x, die.y, die.size),
            read=Face(die.face),
            track=die.number,
        )
        for die in sorted(dice, key=lambda die: (die.x, die.y))
    )


def read_tray(
    seen: Seen,
    lying: tuple[TrayDie, ...],
    marks: Mapping[int, Mark],
    *,
    first_roll: bool,
    keeps_dynamite: bool,
    stayed: Sequence[TrayDie] = (),
) -> Tray:
    """Say which dice lie where and whether they can be accepted.

    lying: the dice last accepted, of this turn or (before its first roll) of an earlier one;
    marks: what players said, by number of the die; first_roll: all dice must be thrown;
    keeps_dynamite: a dynamite that was moved but is one still counts as kept; stayed: the dice
    that lay there while the others were in somebody's hand, if that was seen.
    """
    if seen.verdict is Verdict.BLIND:
        return _by_hand(() if first_roll else lying, marks)
    if seen.verdict in (Verdict.MOVING, Verdict.BLOCKED, Verdict.COCKED, Verdict.EMPTY):
        status = Status(seen.verdict)
        return Tray(status, seen=len(seen.dice))
    missing = DICE - len(seen.dice)
    keeps_dynamite = keeps_dynamite and not first_roll
    numbered, thrown = _sorted_out(seen.dice, lying, () if first_roll else stayed, keeps_dynamite)
    if missing > 0 and not thrown:
        if missing <= sum(die.place is None for die in lying):
            return Tray(Status.LYING, lying, len(seen.dice))
        return Tray(Status.PICKED_UP, lying if not first_roll else (), len(seen.dice))
    if missing > 0 and not first_roll:
        choices = _beside(missing, set(range(DICE)) - set(numbered), lying, marks, keeps_dynamite)
        if len(choices) > 1:
            return Tray(Status.BESIDE, lying, len(seen.dice), choices)
        for number in choices[0] if choices else ():
            numbered[number] = replace(lying[number], thrown=False, place=None, read=None)
    if len(numbered) + len(thrown) != DICE:
        return Tray(Status.COUNT, seen=len(seen.dice))
    free = [number for number in range(DICE) if number not in numbered]
    numbered |= dict(zip(free, thrown, strict=True))
    dice = tuple(numbered[number] for number in range(DICE))
    if first_roll and any(die.thrown for die in dice):
        dice = tuple(replace(die, thrown=True) for die in dice)
    dice = tuple(
        _marked(die, marks.get(number), None if first_roll else lying[number], keeps_dynamite)
        for number, die in enumerate(dice)
    )
    if not any(die.thrown for die in dice):
        return Tray(Status.LYING, dice, len(seen.dice))
    sure = all(die.sure and not die.bumped for die in dice)
    return Tray(Status.READY if sure else Status.UNSURE, dice, len(seen.dice))


def _lies_on(die: TrayDie, other: TrayDie) -> bool:
    return die.place is not None and other.place is not None and die.place.near(other.place)


def _match(die: TrayDie, others: Sequence[TrayDie]) -> int | None:
    """Return the number of the die of `others` that `die` still is."""
    for number, other in enumerate(others):
        if _lies_on(die, other) and (
            die.read in (other.read, other.face)
            or (not die.sure and other.face in die.likely[:GUESSES])
        ):
            return number
    return None


def _sorted_out(
    seen: Sequence[TrayDie],
    lying: Sequence[TrayDie],
    stayed: Sequence[TrayDie],
    keeps_dynamite: bool,
) -> tuple[dict[int, TrayDie], list[TrayDie]]:
    """Tell the dice that were kept, by their numbers, from those that were thrown."""
    numbered: dict[int, TrayDie] = {}
    thrown = []
    known = {die.track: _match(die, lying) for die in stayed}
    for die in seen:
        number = _match(die, lying)
        if number is None or number in numbered:
            thrown.append(die)
        else:
            # Once accepted, its face is no question any more. Whether one that was seen to be in
            # the hand was thrown and fell where it had lain, or was laid back, nobody can see.
            back = bool(stayed) and number not in known.values()
            numbered[number] = replace(
                die, face=lying[number].face, thrown=False, sure=True, bumped=back
            )
    for die in tuple(thrown):
        number = None if die.track is None else known.get(die.track)
        if number is not None and number not in numbered:
            thrown.remove(die)
            numbered[number] = replace(die, face=lying[number].face, thrown=False, bumped=True)
    if keeps_dynamite:
        for number, before in enumerate(lying):
            if before.face is Face.DYNAMITE and number not in numbered:
                same = next((die for die in thrown if die.face is Face.DYNAMITE), None)
                if same is not None:
                    thrown.remove(same)
                    numbered[number] = replace(same, thrown=False)
    return numbered, thrown


def _beside(
    missing: int,
    free: Collection[int],
    lying: Sequence[TrayDie],
    marks: Mapping[int, Mark],
    keeps_dynamite: bool,
) -> tuple[tuple[int, ...], ...]:
    """Return which `missing` of the dice not seen where they lay may lie beside the tray.

    Dice of the same face are one choice. What players said decides, if that is possible; a
    dynamite that may not be thrown lies there, and dice that lay there before still do.
    """
    said = {number: mark.thrown for number, mark in marks.items()}
    may = {number for number in free if not said.get(number)}
    must = {
        number
        for number in may
        if said.get(number) is False or (keeps_dynamite and lying[number].face is Face.DYNAMITE)
    }
    before = {number for number in may if lying[number].place is None}
    if len(must | before) <= missing:
        must |= before
    elif len(must) <= missing:
        may = must | before
    choices = {
        tuple(sorted(str(lying[number].face) for number in chosen)): chosen
        for chosen in combinations(sorted(may, reverse=True), missing)
        if must <= set(chosen)
    }
    if not choices and said:
        return _beside(missing, free, lying, {}, keeps_dynamite)
    return tuple(sorted(tuple(sorted(chosen)) for chosen in choices.values()))


def _marked(
    die: TrayDie, mark: Mark | None, before: TrayDie | None, keeps_dynamite: bool
) -> TrayDie:
    """Apply what players said; `before`: the die as accepted, None before the first roll."""
    if mark is None:
        return die
    face = die.face if mark.face is None else mark.face
    if before is None:
        return replace(die, face=face, sure=die.sure or mark.face is not None)
    if mark.thrown is False:
        return replace(die, face=before.face, sure=True, thrown=False, bumped=False)
    thrown = die.thrown
    if mark.thrown:
        thrown = True
        if die.bumped and mark.face is None:
            face = die.read
    elif mark.face is not None:
        # What shows something else was thrown; what shows the same in its place was misread.
        put_back = keeps_dynamite and face is Face.DYNAMITE
        same = face is before.face and (put_back or _lies_on(die, before))
        thrown = face is not before.face or (thrown and not same)
    sure = die.sure or mark.face is not None
    return replace(die, face=face, sure=sure, thrown=thrown, bumped=False)


def _by_hand(lying: Sequence[TrayDie], marks: Mapping[int, Mark]) -> Tray:
    dice = []
    for number in range(DICE):
        mark = marks.get(number, Mark())
        if mark.face is not None:
            dice.append(TrayDie(mark.face, thrown=True, sure=True))
        elif lying:
            dice.append(replace(lying[number], thrown=mark.thrown is True))
        else:
            dice.append(TrayDie(None, thrown=True, sure=False))
    if not any(die.thrown for die in dice):
        return Tray(Status.LYING, tuple(dice), DICE)
    if not marks:
        return Tray(Status.EMPTY, tuple(dice))
    complete = all(die.face is not None for die in dice)
    return Tray(Status.READY if complete else Status.INCOMPLETE, tuple(dice), DICE)
