"""The dice in the tray: what the camera says of them, joined with what players say.

Dice keep their numbers (0-4) through a turn. A die that lies where it lay and shows what it showed
was kept, as was one that was seen to stay while others were in somebody's hand; any other was
thrown. Positions are pixels of the camera's picture.

A `TrayState` holds what is known. `observe`, `mark` and the like lead from one state to the next,
and `tray_of` works out from it what everybody sees.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import combinations
from typing import TYPE_CHECKING

from companion.table.refused import Problem, Refused
from vision.matching import LIKELY, lies_there
from vision.reading import DICE, Verdict

if TYPE_CHECKING:
    from vision.follow import FollowedDie

# What the camera says


@dataclass(frozen=True, slots=True)
class Place:
    """Where a die lies, in pixels."""

    x: float
    """Centre, from the left."""
    y: float
    """Centre, from the top."""
    size: float
    """Edge of the top face."""

    def near(self, other: "Place") -> bool:
        """Return whether a die here may be the one that lay there."""
        return lies_there(self, other)


@dataclass(frozen=True, slots=True)
class TrayDie:
    """One of the five dice of this turn."""

    face: str | None
    """What it shows; None while unknown. Once a player has corrected it, not the same as `read`."""
    thrown: bool
    """Whether it was thrown since the last accepted roll."""
    sure: bool
    """Whether no question about its face is open."""
    likely: tuple[str, ...] = ()
    """Faces, from most to least likely."""
    place: Place | None = None
    """Where the camera saw it; None if it was entered by hand or lies beside the tray."""
    read: str | None = None
    """What the camera took it for; None as with `place`."""
    track: int | None = None
    """Its number among the dice that the camera follows; None as with `place`."""
    bumped: bool = False
    """Whether it seems to be kept but lies differently, and nobody has said yet if it was thrown
    or only pushed."""


class Sight(StrEnum):
    """Whether the camera can say anything of the dice."""

    NO_CAMERA = "no camera"
    MOVING = "moving"
    """Something moves."""
    STILL = "still"
    """What lies in the tray has come to rest and was read."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What the camera says of the tray at one moment."""

    sight: Sight
    verdict: Verdict | None = None
    """How the reading may be used; None unless the tray is still."""
    dice: tuple[TrayDie, ...] = ()
    """The dice from left to right."""

    def unmoved(self, other: "Observation") -> bool:
        """Return whether both show the same dice, lying still."""
        return len(self.dice) == len(other.dice) and all(
            _match(die, other.dice) is not None for die in self.dice
        )


NO_CAMERA = Observation(Sight.NO_CAMERA)
MOVING = Observation(Sight.MOVING)
EMPTY = Observation(Sight.STILL, Verdict.EMPTY)


def still(verdict: Verdict, dice: "Sequence[FollowedDie]") -> Observation:
    """Return the observation of a tray at rest, from a reading of it."""
    return Observation(
        Sight.STILL,
        verdict,
        tuple(
            TrayDie(
                face=die.face,
                thrown=True,
                sure=die.sure,
                likely=tuple(die.likely),
                place=Place(die.x, die.y, die.size),
                read=die.face,
                track=die.number,
            )
            for die in sorted(dice, key=lambda die: (die.x, die.y))
        ),
    )


# What players say


@dataclass(frozen=True, slots=True)
class Mark:
    """What a player said of a die."""

    face: str | None = None
    """What it shows; None if nothing was said of that."""
    thrown: bool | None = None
    """Whether it was thrown; None if nothing was said of that."""

    def then(self, later: "Mark") -> "Mark":
        """Return what was said of a die by this mark and a later one."""
        if later.thrown is False:
            return later
        return Mark(
            self.face if later.face is None else later.face,
            self.thrown if later.thrown is None else later.thrown,
        )


@dataclass(frozen=True, slots=True)
class CountCorrection:
    """What players said of the number of dice."""

    left_out: tuple[Place, ...] = ()
    """Places where the camera sees a die and there is none."""
    added: tuple[str, ...] = ()
    """Faces of the dice that it misses."""

    def of(self, seen: Observation) -> Observation:
        """Return what the camera said, corrected."""
        if self == _COUNT_IS_RIGHT:
            return seen
        there = tuple(
            die
            for die in seen.dice
            if die.place is None or not any(die.place.near(place) for place in self.left_out)
        )
        more = tuple(TrayDie(face, thrown=True, sure=True) for face in self.added)
        return replace(seen, dice=there + more)


_COUNT_IS_RIGHT = CountCorrection()


# What is known of the tray


@dataclass(frozen=True, slots=True)
class Watched:
    """The camera reads this roll, and players may correct what it says."""

    now: Observation
    """What it says now."""
    at_rest: Observation
    """What it last said of a tray at rest: corrections are about these dice."""
    accepted: Observation = NO_CAMERA
    """What it said of the dice that were accepted last: as they lie they are no new roll."""
    stayed: tuple[TrayDie, ...] = ()
    """The dice that lay in the tray when others were last seen to be picked up: they are kept."""
    marks: Mapping[int, Mark] = field(default_factory=dict)
    """What players said of single dice, by number."""
    count: CountCorrection = _COUNT_IS_RIGHT
    """What players said of the number of dice."""
    picked: frozenset[int] = frozenset()
    """The dice that are to be thrown next, where the table throws them itself."""


@dataclass(frozen=True, slots=True)
class ByHand:
    """Players say what this roll shows, although there is a camera."""

    watched: Watched
    """What the camera says meanwhile."""
    marks: Mapping[int, Mark] = field(default_factory=dict)
    """What players said, by number of the die."""


@dataclass(frozen=True, slots=True)
class Unwatched:
    """No camera works, so players say what each roll shows."""

    accepted: Observation = NO_CAMERA
    """What the camera said of the dice that were accepted last, while it worked."""
    marks: Mapping[int, Mark] = field(default_factory=dict)
    """What players said, by number of the die."""


TrayState = Watched | ByHand | Unwatched
"""What is known of the tray, by who says what the dice show."""


def watched(tray: TrayState) -> Watched | None:
    """Return what the camera says, also while players enter the roll; None without a camera."""
    match tray:
        case Watched():
            return tray
        case ByHand(watched):
            return watched
        case Unwatched():
            return None


def camera_works(tray: TrayState) -> TrayState:
    """Return the tray once a camera works: nothing that was seen or said before counts."""
    return Watched(EMPTY, EMPTY, accepted=_accepted(tray))


def camera_fails(tray: TrayState) -> TrayState:
    """Return the tray once no camera works any more."""
    return Unwatched(_accepted(tray))


def _accepted(tray: TrayState) -> Observation:
    seen = watched(tray)
    return seen.accepted if seen else tray.accepted  # type: ignore[union-attr]


def next_roll(tray: TrayState, accepted: Observation | None = None) -> TrayState:
    """Return the tray once the game has moved on: what players said counted until now.

    accepted: what the camera said of the dice that were just accepted; None: no others were.
    """
    before = _accepted(tray)
    seen = watched(tray)
    if seen is None:
        return Unwatched(before if accepted is None else accepted)
    return Watched(seen.now, seen.at_rest, before if accepted is None else accepted)


def observe(tray: TrayState, seen: Observation, roll: "AwaitedRoll | None") -> TrayState:
    """Return the tray after the camera has said something new.

    roll: the roll that is awaited; None while no dice are.
    """
    match tray:
        case ByHand():
            empty = seen.verdict is Verdict.EMPTY
            stayed = () if empty else tray.watched.stayed
            return replace(tray, watched=replace(tray.watched, now=seen, stayed=stayed))
        case Unwatched():
            tray = Watched(seen, EMPTY, tray.accepted)
        case Watched():
            tray = replace(tray, now=seen)
    if seen.sight is Sight.STILL:
        if not seen.unmoved(tray.at_rest):
            tray = replace(tray, marks={}, count=_COUNT_IS_RIGHT)
        tray = replace(tray, at_rest=seen)
    if seen.verdict is Verdict.EMPTY:
        return replace(tray, stayed=())
    if roll is not None and tray_of(tray, roll).status is Status.PICKED_UP:
        return replace(tray, stayed=seen.dice)
    return tray


def mark(tray: TrayState, marks: Mapping[int, Mark]) -> TrayState:
    """Return the tray once players have said something of dice, by number."""
    joined = {number: tray.marks.get(number, Mark()).then(said) for number, said in marks.items()}
    return replace(tray, marks={**tray.marks, **joined})


def by_hand(tray: TrayState, faces: Sequence[str]) -> TrayState:
    """Return the tray once players say what this roll shows; faces: those known already."""
    marks = {number: Mark(face) for number, face in enumerate(faces[:DICE])}
    seen = watched(tray)
    return ByHand(seen, marks) if seen else replace(tray, marks=marks)


def leave_out(tray: TrayState, die: TrayDie) -> TrayState:
    """Return the tray without something that the camera, or a player, took for a die."""
    if isinstance(tray, Watched):
        left_out, added = tray.count.left_out, list(tray.count.added)
        if die.place is not None:
            count = CountCorrection((*left_out, die.place), tuple(added))
            return replace(tray, count=count, marks={})
        if die.face in added:
            added.remove(die.face)
            return replace(tray, count=CountCorrection(left_out, tuple(added)), marks={})
    raise Refused(Problem.ILLEGAL, "there is no such die to correct")


def add(tray: TrayState, face: str) -> TrayState:
    """Return the tray with a die that the camera misses."""
    if not isinstance(tray, Watched):
        raise Refused(Problem.ILLEGAL, "no die is missing")
    added = (*tray.count.added, face)
    return replace(tray, count=replace(tray.count, added=added), marks={})


def pick(tray: TrayState, die: int) -> TrayState:
    """Return the tray with a die picked up, or put down again, for the table to throw."""
    match tray:
        case Watched():
            return replace(tray, picked=tray.picked ^ {die})
        case ByHand():
            return replace(tray, watched=replace(tray.watched, picked=tray.watched.picked ^ {die}))
        case Unwatched():
            raise Refused(Problem.FAILED, "no camera works now")


# What everybody sees


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
    """The dice as everybody may see them."""

    status: Status
    dice: tuple[TrayDie, ...] = ()
    """By number; empty while they are not known."""
    seen: int = 0
    """How many dice the camera counts."""
    choices: tuple[tuple[int, ...], ...] = ()
    """Which dice may lie beside the tray, by number, once for each set of faces; empty unless
    that is open."""
    counted: tuple[TrayDie, ...] = ()
    """The dice that the camera sees while they are not five."""


@dataclass(frozen=True, slots=True)
class AwaitedRoll:
    """What the game says of the roll that is awaited."""

    lying: tuple[TrayDie, ...]
    """The dice last accepted, of this turn or, before its first roll, of an earlier one."""
    is_first: bool
    """Whether it is the first roll of a turn, which throws all dice."""
    fixed_faces: frozenset[str]
    """Faces that stay: a die that was moved but still shows one counts as kept."""


def tray_of(tray: TrayState, roll: AwaitedRoll) -> Tray:
    """Return which dice lie where and whether they can be accepted."""
    if not isinstance(tray, Watched):
        return _by_hand(() if roll.is_first else roll.lying, tray.marks)
    if tray.accepted.dice and tray.now.unmoved(tray.accepted) and not tray.marks:
        return Tray(Status.LYING, roll.lying, len(tray.now.dice))
    seen = tray.count.of(tray.now)
    hindrance = Status.MOVING if seen.sight is Sight.MOVING else _HINDRANCES.get(seen.verdict)
    if hindrance is not None:
        return Tray(hindrance, seen=len(seen.dice))
    return _read_tray(seen, roll, tray.marks, () if roll.is_first else tray.stayed)


_HINDRANCES: Mapping[Verdict | None, Status] = {
    Verdict.BLOCKED: Status.BLOCKED,
    Verdict.COCKED: Status.COCKED,
    Verdict.EMPTY: Status.EMPTY,
}
"""What keeps dice from being numbered."""


def _read_tray(
    seen: Observation,
    roll: AwaitedRoll,
    marks: Mapping[int, Mark],
    stayed: Sequence[TrayDie],
) -> Tray:
    lying, first_roll = roll.lying, roll.is_first
    fixed = frozenset[str]() if first_roll else roll.fixed_faces
    missing = DICE - len(seen.dice)
    numbered, thrown = _sorted_out(seen.dice, lying, stayed, fixed)
    if missing > 0 and not thrown:
        if missing <= sum(die.place is None for die in lying):
            return Tray(Status.LYING, lying, len(seen.dice))
        return Tray(Status.PICKED_UP, lying if not first_roll else (), len(seen.dice))
    if missing > 0 and not first_roll:
        choices = _beside(missing, set(range(DICE)) - set(numbered), lying, marks, fixed)
        if len(choices) > 1:
            return Tray(Status.BESIDE, lying, len(seen.dice), choices)
        for number in choices[0] if choices else ():
            numbered[number] = replace(lying[number], thrown=False, place=None, read=None)
    if len(numbered) + len(thrown) != DICE:
        return Tray(Status.COUNT, seen=len(seen.dice), counted=seen.dice)
    free = [number for number in range(DICE) if number not in numbered]
    numbered |= dict(zip(free, thrown, strict=True))
    dice = tuple(numbered[number] for number in range(DICE))
    if first_roll and any(die.thrown for die in dice):
        dice = tuple(replace(die, thrown=True) for die in dice)
    dice = tuple(
        _marked(die, marks.get(number), None if first_roll else lying[number], fixed)
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
            or (not die.sure and other.face in die.likely[:LIKELY])
        ):
            return number
    return None


def _sorted_out(
    seen: Sequence[TrayDie],
    lying: Sequence[TrayDie],
    stayed: Sequence[TrayDie],
    fixed: frozenset[str],
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
    for number, before in enumerate(lying):
        if before.face in fixed and number not in numbered:
            same = next((die for die in thrown if die.face == before.face), None)
            if same is not None:
                thrown.remove(same)
                numbered[number] = replace(same, thrown=False)
    return numbered, thrown


def _beside(
    missing: int,
    free: Collection[int],
    lying: Sequence[TrayDie],
    marks: Mapping[int, Mark],
    fixed: frozenset[str],
) -> tuple[tuple[int, ...], ...]:
    """Return which `missing` of the dice not seen where they lay may lie beside the tray.

    Dice of the same face are one choice. What players said decides, if that is possible; a
    dynamite that may not be thrown lies there, and dice that lay there before still do.
    """
    said = {number: mark.thrown for number, mark in marks.items()}
    may = {number for number in free if not said.get(number)}
    must = {number for number in may if said.get(number) is False or lying[number].face in fixed}
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
        return _beside(missing, free, lying, {}, fixed)
    return tuple(sorted(tuple(sorted(chosen)) for chosen in choices.values()))


def _marked(
    die: TrayDie, mark: Mark | None, before: TrayDie | None, fixed: frozenset[str]
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
        put_back = face in fixed
        same = face == before.face and (put_back or _lies_on(die, before))
        thrown = face != before.face or (thrown and not same)
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
