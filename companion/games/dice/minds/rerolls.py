"""Which dice to throw again: the exact expected value of each choice, over all throws to come.

Five dice show one of 252 hands, if their order doesn't count. The player keeps some of them;
there are 210 sets of fewer than five dice to keep, and 4,116 ways in which a throw completes one of
them. From what each hand is worth when rolling is over, two sweeps over these give what each is
worth with one and with two throws left. Arrows count at once, and the pile is part of the state:
a hand has one value for each number of arrows in the pile.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.games.dice.rules.faces import ALL_DICE, ARROW, DICE, DYNAMITE, Dice, Face
from companion.games.dice.rules.hand import DYNAMITES
from companion.games.dice.rules.state import ARROWS

Values = NDArray[np.float64]

Faces = tuple[int, ...]
"""How many dice show each face, in the order of `Face`."""

_FACES = tuple(Face)
_ARROW, _DYNAMITE = _FACES.index(ARROW), _FACES.index(DYNAMITE)


def count_faces(dice: Sequence[Face]) -> Faces:
    """Return how many dice show each face."""
    return tuple([dice.count(face) for face in _FACES])


def _sets(size: int) -> list[Faces]:
    return [count_faces(faces) for faces in combinations_with_replacement(_FACES, size)]


HANDS: tuple[Faces, ...] = tuple(_sets(DICE))
"""Every hand of five dice."""

_NUMBERS = {faces: number for number, faces in enumerate(HANDS)}

COUNTS: NDArray[np.int64] = np.array(HANDS)
"""`HANDS` as an array: a row for each hand, a column for each face."""

EXPLODES: NDArray[np.bool_] = COUNTS[:, _DYNAMITE] >= DYNAMITES
"""Whether each hand ends the rolling."""

PILES = ARROWS
"""Values have a column for 1 to 9 arrows in the pile."""

_NOTHING = np.full(PILES, -np.inf)


class _Throws(NamedTuple):
    """Every way in which a throw completes a set of kept dice."""

    kept: Mapping[Faces, int]
    """The number of each set of fewer than five dice."""
    begins: NDArray[np.int64]
    """Where the ways of each set begin in the following arrays."""
    share: Values
    """The probability of each way: one column."""
    arrows: NDArray[np.int64]
    """How many of the thrown dice show an arrow."""
    after: NDArray[np.int64]
    """By way, and by the pile before: where the hand and pile afterwards stand in the values."""
    choices: tuple[NDArray[np.int64], NDArray[np.int64]]
    """By hand, the sets that may be kept: without giving up dynamite, and with. Padded with -1."""


@cache
def _throws() -> _Throws:
    kept = {faces: number for number, faces in enumerate(f for n in range(DICE) for f in _sets(n))}
    begins: list[int] = []
    hand: list[int] = []
    share: list[float] = []
    arrows: list[int] = []
    for faces in kept:
        begins.append(len(hand))
        count = DICE - sum(faces)
        for thrown in _sets(count):
            hand.append(_NUMBERS[tuple(a + b for a, b in zip(faces, thrown, strict=True))])
            ways = factorial(count) // prod(map(factorial, thrown))
            share.append(ways / len(_FACES) ** count)
            arrows.append(thrown[_ARROW])
    taken = np.array(arrows)
    before = np.arange(1, PILES + 1)
    after = before[None, :] - taken[:, None]
    after = np.where(after > 0, after, after + ARROWS) - 1
    return _Throws(
        kept, np.array(begins), np.array(share)[:, None], taken,
        np.array(hand)[:, None] * PILES + after,
        (_choices(kept, False), _choices(kept, True)),
    )  # fmt: skip


def _choices(kept: Mapping[Faces, int], dynamite_too: bool) -> NDArray[np.int64]:
    rows = [[kept[faces] for faces in _parts(hand, dynamite_too)] for hand in HANDS]
    width = max(map(len, rows))
    return np.array([row + [-1] * (width - len(row)) for row in rows])


@cache
def _parts(hand: Faces, dynamite_too: bool) -> list[Faces]:
    """Return the sets of fewer dice of a hand that may be kept."""
    dice = [face for face, count in enumerate(hand) for _ in range(count)]
    found: dict[Faces, None] = {}
    for size in range(DICE):
        for part in combinations(dice, size):
            counts = Counter(part)
            if dynamite_too or counts[_DYNAMITE] == hand[_DYNAMITE]:
                found[tuple(counts[face] for face in range(len(_FACES)))] = None
    return list(found)


def _expected_worth(values: Values, cost: Values, piles: slice = slice(None)) -> Values:
    """Return what throwing is worth: a row for each set of kept dice, a column for each pile."""
    throws = _throws()
    worth = (values.take(throws.after[:, piles]) - cost.T[throws.arrows, piles]) * throws.share
    return np.add.reduceat(worth, throws.begins, axis=0)


class Prospect(NamedTuple):
    """What can be done with the dice that lie there."""

    stop: float
    """What they are worth as they are."""
    throws: Mapping[Faces, float]
    """By the faces that are kept, what throwing the other dice is worth."""

    @property
    def best(self) -> Faces | None:
        """The faces to keep; None to stop."""
        if not self.throws:
            return None
        kept = max(self.throws, key=self.throws.__getitem__)
        return kept if self.throws[kept] > self.stop else None


def prospect(
    dice: Dice, left: int, pile: int, final: Values, cost: Values, rerolls_dynamite: bool
) -> Prospect:
    """Return the value of stopping with `dice`, and of each choice of dice to throw again.

    left: how many throws are left, at least one; pile: how many arrows nobody holds.
    final: what each of `HANDS` is worth when rolling is over, by hand and pile.
    cost: what taking arrows costs, by pile and by the number of arrows taken.
    """
    throws = _throws()
    choices = throws.choices[rerolls_dynamite]
    values = final
    for _ in range(left - 1):
        # Where a row of choices is padded, -1 picks a last row that is worth nothing.
        expected = np.vstack([_expected_worth(values, cost), _NOTHING])
        again = expected[choices].max(axis=1)
        values = np.where(EXPLODES[:, None], final, np.maximum(final, again))
    expected = _expected_worth(values, cost, slice(pile - 1, pile))[:, 0]
    faces = count_faces(dice)
    return Prospect(
        float(final[_NUMBERS[faces], pile - 1]),
        {part: float(expected[throws.kept[part]]) for part in _parts(faces, rerolls_dynamite)},
    )


def to_throw(dice: Dice, kept: Faces) -> tuple[int, ...]:
    """Return the dice to throw so that `kept` stay, ascending."""
    left = dict(zip(_FACES, kept, strict=True))
    thrown = []
    for die in ALL_DICE:
        if left[dice[die]]:
            left[dice[die]] -= 1
        else:
            thrown.append(die)
    return tuple(thrown)
