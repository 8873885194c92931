"""Evaluate the tray: what everybody sees, from what is known about it and the awaited roll."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.table.tray.kept import choices_beside, kept_and_thrown
from companion.table.tray.observation import Observation, Sight, TrayDie, lies_on
from companion.table.tray.state import Mark, TrayState, Watched
from companion.table.tray.status import Status, Tray
from vision.dice.reading import DICE, TrayVerdict


@dataclass(frozen=True, slots=True)
class AwaitedRoll:
    """What the game says about the awaited roll."""

    lying: tuple[TrayDie, ...]
    """The dice last accepted: in this turn or, before its first roll, in an earlier one."""
    is_first: bool
    """Whether it is the first roll of a turn, which throws all dice."""
    fixed_faces: frozenset[str]
    """Faces that stay: a die that moved but still shows one counts as kept."""


def tray_of(tray: TrayState, roll: AwaitedRoll) -> Tray:
    """Return the dice with their places, and whether they can be accepted."""
    if not isinstance(tray, Watched):
        return _by_hand(() if roll.is_first else roll.lying, tray.marks)
    if tray.accepted.dice and tray.now.unmoved(tray.accepted) and not tray.marks:
        return Tray(Status.LYING, roll.lying, len(tray.now.dice))
    seen = tray.count.of(tray.now)
    hindrance = Status.MOVING if seen.sight is Sight.MOVING else _HINDRANCES.get(seen.verdict)
    if hindrance is not None:
        return Tray(hindrance, seen=len(seen.dice))
    return _read_tray(seen, roll, tray.marks, () if roll.is_first else tray.stayed)


_HINDRANCES: Mapping[TrayVerdict | None, Status] = {
    TrayVerdict.BLOCKED: Status.BLOCKED,
    TrayVerdict.COCKED: Status.COCKED,
    TrayVerdict.EMPTY: Status.EMPTY,
    TrayVerdict.TOO_NEAR: Status.TOO_NEAR,
}
"""The reasons why dice can't be numbered."""

_LEFT = 2
"""This many unmoved dice mean that they weren't thrown with the others: a first roll throws
all five, and only one in 300 lands where it lay with the same face up.
"""


def _read_tray(
    seen: Observation,
    roll: AwaitedRoll,
    marks: Mapping[int, Mark],
    stayed: Sequence[TrayDie],
) -> Tray:
    lying, first_roll = roll.lying, roll.is_first
    fixed = frozenset[str]() if first_roll else roll.fixed_faces
    missing = DICE - len(seen.dice)
    numbered, thrown = kept_and_thrown(seen.dice, lying, stayed, fixed)
    if missing > 0 and not thrown:
        if missing <= sum(die.place is None for die in lying):
            return Tray(Status.LYING, lying, len(seen.dice))
        return Tray(Status.PICKED_UP, lying if not first_roll else (), len(seen.dice))
    if missing > 0 and not first_roll:
        choices = choices_beside(missing, set(range(DICE)) - set(numbered), lying, marks, fixed)
        if len(choices) > 1:
            return Tray(Status.BESIDE, lying, len(seen.dice), choices)
        for number in choices[0] if choices else ():
            numbered[number] = replace(lying[number], thrown=False, place=None, read=None)
    if len(numbered) + len(thrown) != DICE:
        return Tray(Status.COUNT, seen=len(seen.dice), counted=seen.dice)
    if first_roll and len(numbered) >= _LEFT:
        return Tray(Status.LYING, lying, len(seen.dice))
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


def _marked(
    die: TrayDie, mark: Mark | None, before: TrayDie | None, fixed: frozenset[str]
) -> TrayDie:
    """Apply a player's correction. `before`: the die as accepted, None before the first roll."""
    if mark is None:
        return die
    face = die.face if mark.face is None else mark.face
    said = die.said or mark.face is not None
    if before is None:
        return replace(die, face=face, sure=die.sure or mark.face is not None, said=said)
    if mark.thrown is False:
        return replace(
            die, face=before.face, sure=True, thrown=False, said=before.said, bumped=False
        )
    thrown = die.thrown
    if mark.thrown:
        thrown = True
        if die.bumped and mark.face is None:
            face = die.read
    elif mark.face is not None:
        # A die with a new face was thrown; one with the same face in place was misread.
        put_back = face in fixed
        same = face == before.face and (put_back or lies_on(die, before))
        thrown = face != before.face or (thrown and not same)
    sure = die.sure or mark.face is not None
    return replace(die, face=face, sure=sure, thrown=thrown, said=said, bumped=False)


def _by_hand(lying: Sequence[TrayDie], marks: Mapping[int, Mark]) -> Tray:
    dice = []
    for number in range(DICE):
        mark = marks.get(number, Mark())
        if mark.face is not None:
            dice.append(TrayDie(mark.face, thrown=True, sure=True, said=True))
        elif lying:
            die, thrown = lying[number], mark.thrown is True
            dice.append(die if die.thrown == thrown else replace(die, thrown=thrown))
        else:
            dice.append(TrayDie(None, thrown=True, sure=False))
    if not any(die.thrown for die in dice):
        return Tray(Status.LYING, tuple(dice), DICE)
    if not marks:
        return Tray(Status.EMPTY, tuple(dice))
    complete = all(die.face is not None for die in dice)
    return Tray(Status.READY if complete else Status.INCOMPLETE, tuple(dice), DICE)
