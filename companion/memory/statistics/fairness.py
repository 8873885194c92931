"""Are these dice fair? A chi-square test that allows for misread dice.

What the table knows are accepted faces: what the camera read, or what players said instead. Some
misreads go unnoticed. How often each face is taken for each other one is estimated from those that
players corrected, on the assumption that as many went unnoticed. The test asks how likely fair
dice, read like that, look at least as uneven as these.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from math import erfc, exp, pi, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.memory.statistics.summary import FACES

SAMPLES = 2000
"""How many tables of misreads are drawn; the result differs by less than 0.01 from run to run."""

ODD, UNFAIR = 0.05, 0.001
"""Below these chances, dice are called odd, and unfair."""

BIASED = 0.25
"""The bias that dice should be caught with: a face that comes up a quarter too often."""

ENOUGH = 0.8
"""The chance to catch it that counts as enough throws."""

_RARE, _RIGHT = 0.05, 20.0
"""What is assumed before any reading of a face: so many dice misread as each other face, so many
read right. That is a good reader, and soon outweighed by what it really read."""

_DEGREES = len(FACES) - 1

Matrix = npt.NDArray[np.float64]


class Fairness(StrEnum):
    """What the test found."""

    TOO_FEW = "too few"
    """Too few throws to notice anything but the grossest bias."""
    FAIR = "fair"
    """Nothing speaks against the dice."""
    ODD = "odd"
    """Fair dice would rarely look like that."""
    UNFAIR = "unfair"
    """Fair dice would hardly ever look like that."""


class FaceShare(NamedTuple):
    """How often a face comes up."""

    face: str
    """The face."""
    times: int
    """How often it was accepted."""
    expected: float
    """How often fair dice, read as these are, would be accepted with this face."""
    low: float
    """The least share of throws that really show it, 19 times in 20."""
    share: float
    """The share of throws that really show it, by the best estimate."""
    high: float
    """The greatest share of throws that really show it, 19 times in 20."""


class FairnessTest(NamedTuple):
    """The test of a set of dice."""

    thrown: int
    """How many dice were thrown."""
    read: int
    """How many of them a camera read."""
    misread: int
    """How many of those a player corrected."""
    faces: tuple[FaceShare, ...]
    """Each face."""
    chance: float
    """The chance that fair dice look at least as uneven."""
    power: float
    """The chance that this number of throws would expose dice with a bias of BIASED."""

    @property
    def verdict(self) -> Fairness:
        """What the test found."""
        if self.chance < UNFAIR:
            return Fairness.UNFAIR
        if self.chance < ODD:
            return Fairness.ODD
        return Fairness.FAIR if self.power >= ENOUGH else Fairness.TOO_FEW

    @property
    def looks_unfair(self) -> bool:
        """Whether fair dice would rarely look like that, or hardly ever."""
        return self.verdict in (Fairness.ODD, Fairness.UNFAIR)

    @property
    def oddest(self) -> FaceShare:
        """The face furthest from what fair dice would show."""
        return max(self.faces, key=lambda one: abs(one.times - one.expected))


def examine(
    counts: Sequence[int], readings: Mapping[tuple[str, str], int], *, seed: int = 1
) -> FairnessTest:
    """Test a set of dice.

    counts: how often each face of FACES was accepted; readings: how many dice showed one face
    (the first) while the camera read another. The same seed gives the same result.
    """
    chance = np.random.default_rng(seed)
    seen = np.array(counts, dtype=np.float64)
    thrown = int(seen.sum())
    taken = _confusion_matrix(readings)
    confusions = _confusions(taken, chance)
    accepted = confusions.mean(axis=1)
    p_value = 1.0
    if thrown:
        expected = thrown * accepted
        squares = ((seen - expected) ** 2 / expected).sum(axis=1)
        p_value = float(np.mean([tail_probability(each) for each in squares]))
    shares = _true_shares(seen, confusions, chance)
    low, middle, high = np.quantile(shares, [0.025, 0.5, 0.975], axis=0)
    return FairnessTest(
        thrown=thrown,
        read=int(taken.sum()),
        misread=int(taken.sum() - np.trace(taken)),
        faces=tuple(
            FaceShare(face, int(seen[i]), thrown * float(accepted[:, i].mean()),
                      float(low[i]), float(middle[i]), float(high[i]))
            for i, face in enumerate(FACES)
        ),
        chance=p_value,
        power=_power(thrown, chance),
    )  # fmt: skip


def _confusion_matrix(readings: Mapping[tuple[str, str], int]) -> Matrix:
    """Return how many dice that showed a face (row) were read as another (column)."""
    places = {face: place for place, face in enumerate(FACES)}
    taken = np.zeros((len(FACES), len(FACES)))
    for (face, read), count in readings.items():
        if face in places and read in places:
            taken[places[face], places[read]] += count
    return taken


def _confusions(taken: Matrix, chance: np.random.Generator) -> Matrix:
    """Return SAMPLES tables: the chance that a die that shows a face is accepted as another.

    If a camera read nothing, players said what the dice show, and are believed.
    """
    size = len(FACES)
    if not taken.sum():
        return np.tile(np.eye(size), (SAMPLES, 1, 1))
    prior = np.full((size, size), _RARE) + _RIGHT * np.eye(size)
    rows = [chance.dirichlet(row, SAMPLES) for row in taken + prior]
    return np.stack(rows, axis=1)


def _true_shares(seen: Matrix, confusions: Matrix, chance: np.random.Generator) -> Matrix:
    """Return SAMPLES estimates of how often each face really comes up, misreads undone."""
    shares = chance.dirichlet(seen + 1, SAMPLES)
    true = np.linalg.solve(confusions.transpose(0, 2, 1), shares[:, :, None])[:, :, 0]
    true = np.clip(true, 0, None)
    return np.asarray(true / true.sum(axis=1, keepdims=True))


def _power(thrown: int, chance: np.random.Generator) -> float:
    """Return the chance that the test calls dice odd if a face comes up BIASED too often."""
    if not thrown:
        return 0.0
    size = len(FACES)
    shares = np.full(size, (1 - (1 + BIASED) / size) / (size - 1))
    shares[0] = (1 + BIASED) / size
    rolled = chance.multinomial(thrown, shares, 1000)
    squares = ((rolled - thrown / size) ** 2 / (thrown / size)).sum(axis=1)
    return float(np.mean([tail_probability(each) < ODD for each in squares]))


def tail_probability(square: float) -> float:
    """Return the chance that a chi-square value with five degrees of freedom exceeds `square`."""
    assert _DEGREES == 5
    root = sqrt(2 * square / pi)
    return erfc(sqrt(square / 2)) + root * exp(-square / 2) * (1 + square / 3)
