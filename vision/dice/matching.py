"""Match dice from one reading to the next: which die is which, and which were thrown.

A die is the same where it lies where it lay and shows what it showed, was pushed together with all
the others, or was bumped and lies nearby. Pure values: nothing here needs a picture.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import hypot
from typing import NamedTuple, Protocol

from vision.dice.reading import DICE, SAME_SIZE, Die

# Distances in edges of the smaller die, angles in degrees.
NEAR = 0.35
"""A die that lies at most so far from where it lay has not moved."""
LIKELY = 2
"""A doubtful die shows what it showed if that is among so many of its likeliest faces."""
BUMPED = 2.0
"""A die that lies so far from where one lay may still be that one, bumped."""
UNTOUCHED = (0.12, 6.0)
"""Distance and turn of a die that was only hidden. A throw ends so once in 3,000 times."""


class PlacedBox(Protocol):
    """Where a die lies."""

    @property
    def x(self) -> float:
        """Centre, pixels from the left."""

    @property
    def y(self) -> float:
        """Centre, pixels from the top."""

    @property
    def size(self) -> float:
        """Edge, pixels."""


class DiceMatch(NamedTuple):
    """Which die one of a reading is."""

    number: int | None
    """0 to 4; None where there are too many dice."""
    moved: bool
    """Whether it does not lie as it lay, or shows another face."""


def distance(one: PlacedBox, other: PlacedBox) -> float:
    """Return the distance between two centres, in edges of the smaller die."""
    return hypot(one.x - other.x, one.y - other.y) / max(min(one.size, other.size), 1e-6)


def lies_there(die: PlacedBox, old: PlacedBox) -> bool:
    """Return whether a die has the place and the size of an old one."""
    alike = max(die.size, old.size) <= 2**SAME_SIZE * min(die.size, old.size)
    return alike and distance(die, old) <= NEAR


def shows_same(die: Die, old: Die) -> bool:
    """Return whether a die may show what an old one showed."""
    return (
        die.face == old.face
        or (not die.sure and old.face in die.likely[:LIKELY])
        or (not old.sure and die.face in old.likely[:LIKELY])
    )


def is_same_die(die: Die, old: Die) -> bool:
    """Return whether a die lies where an old one lay and shows what it showed."""
    return lies_there(die, old) and shows_same(die, old)


def is_untouched(die: Die, old: Die) -> bool:
    """Return whether a die lies exactly as it lay; a square looks the same after a quarter turn."""
    most, most_turn = UNTOUCHED
    turned = (die.angle - old.angle) % 90
    return distance(die, old) <= most and min(turned, 90 - turned) <= most_turn


def match_dice(
    before: Mapping[int, Die], dice: Sequence[Die], away: Collection[int] = ()
) -> tuple[DiceMatch, ...]:
    """Number the dice of a reading, in its order.

    before: where each die was last seen, by its number. away: those of them that were seen to be
    gone since; they count as back only if they lie exactly as they lay. New dice take the free
    numbers from the left.
    """
    before = _push_along(before, dice)
    # The nearest pairs first; showing the same makes nearer.
    pairs = sorted(
        product(range(len(dice)), before),
        key=lambda pair: (
            distance(dice[pair[0]], before[pair[1]])
            + (not shows_same(dice[pair[0]], before[pair[1]]))
        ),
    )
    numbers: dict[int, int] = {}

    def join(is_same: Callable[[Die, int], bool]) -> None:
        for index, number in pairs:
            taken = index in numbers or number in numbers.values()
            if not taken and is_same(dice[index], number):
                numbers[index] = number

    join(
        lambda die, number: (
            is_same_die(die, before[number])
            and (number not in away or is_untouched(die, before[number]))
        )
    )
    lying = set(numbers)
    join(lambda die, number: number not in away and distance(die, before[number]) <= BUMPED)
    thrown = sorted(set(range(len(dice))) - set(numbers), key=lambda i: (dice[i].x, dice[i].y))
    free = (n for n in range(DICE) if n not in numbers.values())
    numbers |= dict(zip(thrown, free, strict=False))
    return tuple(DiceMatch(numbers.get(index), index not in lying) for index in range(len(dice)))


def _push_along(before: Mapping[int, Die], dice: Sequence[Die]) -> Mapping[int, Die]:
    """Return where the dice lay, moved along with the tray if that was pushed.

    It was if all dice, three at least, fit their places again after the same small move.
    """
    for die in dice[:1] if len(dice) > 2 else ():
        for old in before.values():
            if shows_same(die, old) and distance(die, old) <= BUMPED:
                x, y = die.x - old.x, die.y - old.y
                moved = {n: replace(o, x=o.x + x, y=o.y + y) for n, o in before.items()}
                if all(any(is_same_die(d, o) for o in moved.values()) for d in dice):
                    return moved
    return before
