"""Decide: from the evidence for each die to its confidence, and from the dice to the verdict.

Dice with pips and taught dice differ in their evidence and in how far it is trusted, nothing else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np
import numpy.typing as npt

from vision.dice.find.candidate import APART, COVERED, ENOUGH, NEAR, SMALL, SURELY, Candidate
from vision.dice.find.detector import INSIDE, Detections
from vision.dice.find.tilt import LEANING, cocked_shares, lying_dice, tilts
from vision.dice.find.tray_model import UNKNOWN, TrayModel
from vision.dice.reading import DICE, SAME_SIZE, DiceReading, Die, LyingDie, TrayVerdict
from vision.imaging.geometry import Array, FaceBox
from vision.imaging.network import sigmoid

_BRINK = 0.15  # share of its surroundings in the tray, from which a die may be in it
_TOO_NEAR = 0.3  # edge of dice, in longer sides, from which there is no room for five
_MOST_DICE = DICE + 1  # with more, doubtful ones included, it's a heap or a pattern: none is sure
_REACHING = 15.0  # faces of dice that a hand must cover where five are seen
_DOUBTFUL = 1 / 16  # probability that a die leans, from which one may be cocked
_DOUBT = 0.35  # probability of a die from which a sixth isn't counted, but makes the reading unsure
_GUESS = 0.9  # confidence of a die that isn't trusted, at most: so many of these are read right
# Dice that are thrown together are of one set: beside ENOUGH sure ones, a face that leads clearly
# is trusted, and its odds to be a die's are so many times higher.
_LIKELIER = 7.0


@dataclass(frozen=True)
class Calibration:
    """How far the evidence for one kind of dice is trusted."""

    is_die: tuple[float, ...]
    """Weights of the evidence that a candidate is a die, the offset first."""
    is_right: tuple[float, ...]
    """The same that its face is named right, if it is a die."""
    sure: float
    """Confidence of a sure die."""
    fifth: float
    """Probability of a die that is enough for the fifth one: five are thrown, so the fifth is
    likelier hard to see than missing."""
    leans: tuple[float, ...]
    """The same that a die leans: by its tilt, see `cocked_shares`, and by the network."""
    blocked: float
    """Faces of dice that a hand must cover where dice are missing."""


TAUGHT = Calibration(
    # As vision/training/calibrate.py fitted them, but how well a face fits counts more, and what
    # hardly counts doesn't.
    is_die=(0.0, 1.31, 0.64, 0.48, 0.39, -2.34, 0.0),
    is_right=(1.0, 0.0, -0.29, 0.41, 1.77, 0.0, 0.26),
    # By how many flat and leaning throws of evenings are asked about: see
    # docs/dev/decisions/2026-11-28-how-dice-lie.md.
    leans=(-3.7, 1.25, 0.36),
    sure=0.98,
    fifth=0.2,
    blocked=2.0,
)
PIPS = Calibration(
    # By vision/training/calibrate.py, which says what it prints today, but for what hardly counts.
    is_die=(0.83, 1.38, 0.10, 0.25, 1.83, -0.46, -1.27, 0.18),
    is_right=(0.0, 0.65, 0.65, 1.34, 0.65, 0.0, -1.0, 0.0),
    sure=0.94,
    fifth=0.5,
    # Lower than for taught dice, since cameras and dice differ more: see
    # docs/dev/decisions/2026-11-27-looks-at-leans.md.
    leans=(-4.0, 0.42, 0.45),
    blocked=_REACHING,
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What may be dice in one picture, and what speaks for each."""

    candidates: tuple[Candidate, ...]
    """The likeliest first, none in another."""
    rows: Array
    """(n, k): numbers that speak for each die and its face."""
    is_die: Array
    """(n,): probability by them that each is a die."""
    likely: npt.NDArray[np.intp]
    """(n, 6): numbers of the faces, the likeliest first."""
    trusted: npt.NDArray[np.bool_]
    """(n,): whether the face can be sure at all."""
    outlined: npt.NDArray[np.bool_]
    """(n,): whether only its edges show the face: it isn't sure if any die seems to lean."""
    clear: npt.NDArray[np.bool_]
    """(n,): whether the face leads so clearly that it is trusted beside dice that are sure, though
    it is hardly like what was shown."""
    detections: Detections
    """What the detector saw in the picture."""
    long_side: int
    """Of the picture, pixels."""
    model: TrayModel = UNKNOWN
    """What is known of this table."""
    unread: tuple[Candidate, ...] = ()
    """What may be dice, though no face was read on them: they aren't counted, but asked about."""


@dataclass(frozen=True, slots=True)
class Leans:
    """How the dice of a throw lie."""

    dice: npt.NDArray[np.intp]
    """(n,): numbers of the candidates that are dice."""
    lying: tuple[LyingDie, ...]
    """How each was seen."""
    tilts: Array
    """(2, n, 2): how each leans otherwise than the others, in edges, and otherwise than flat dice
    of this table; where those aren't known, than the others again."""
    rows: Array
    """(2, n, 2): what speaks for a lean by either: the tilt by that of a cocked die, and the
    log-odds."""


def logistic_probabilities(rows: Array, weights: Sequence[float]) -> Array:
    """Return the probability of each row of evidence (n, k), (n,), by logistic regression.

    weights: an offset, and the weight of each of the k columns.
    """
    return sigmoid(weights[0] + rows @ np.array(weights[1:], np.float32))


def decide(seen: Evidence, calibration: Calibration, faces: Sequence[str]) -> DiceReading:
    """Return the reading of a picture; faces: their names, in the order of their numbers."""
    inside = _inside_shares(seen)
    lying, number, doubt = _select_dice(seen, inside, calibration.fifth)
    leans = leans_of(seen)
    leaning, by_table = logistic_probabilities(leans.rows, calibration.leans)
    even = not (leaning > _DOUBTFUL).any()
    # Where flat dice of this table are known, they say which die it is.
    uneven = leans.dice[(not even) & ((by_table > _DOUBTFUL) | (leaning > 0.5))]
    doubt |= not even or _is_one_unread(seen, [seen.candidates[i].box for i in lying])
    cocked = bool((leaning > 0.5).any())
    # A die beside the tray isn't part of the throw, whatever it shows.
    thrown = (inside > INSIDE) & (number <= _MOST_DICE)
    flat = even and np.linalg.norm(leans.tilts[0], axis=1).max(initial=0.0) <= LEANING
    confidence = _confidence(seen, calibration, thrown, flat)
    confidence[uneven] = 0.0  # a cocked die shows no face
    dice = []
    for i in lying:
        box, likely = seen.candidates[i].box, tuple(faces[face] for face in seen.likely[i])
        sure, p = bool(confidence[i] > calibration.sure), float(confidence[i])
        place = box.x, box.y, box.edge, box.angle
        dice.append(Die(likely[0], *place, p, sure, likely, leans=i in uneven))
    dice.sort(key=lambda die: (die.y, die.x))
    verdict = _hindrance(seen, calibration, dice) or _verdict(dice, doubt, cocked)
    return DiceReading(verdict, tuple(dice), leans.lying)


def _confidence(
    seen: Evidence,
    calibration: Calibration,
    thrown: npt.NDArray[np.bool_],
    flat: bool,
) -> Array:
    """Return the confidence in each candidate's face, (n,), if none leans.

    thrown: (n,), whether it can be sure where it lies. flat: whether no die may lean; else a face
    isn't sure that only its edges show, or only how clearly it leads.
    """
    named = logistic_probabilities(seen.rows, calibration.is_right)
    right = seen.is_die * named
    trusted = thrown & seen.trusted & (flat | ~seen.outlined)
    if flat and np.count_nonzero(trusted & (right > calibration.sure)) >= ENOUGH:
        alike = thrown & seen.clear
        trusted |= alike
        is_die = _LIKELIER * seen.is_die / (1 + (_LIKELIER - 1) * seen.is_die)
        right = np.where(alike, is_die * named, right)
    most = np.where(trusted, 1.0, _GUESS)
    return np.asarray(np.minimum(right, most))


def _select_dice(
    seen: Evidence, inside: Array, fifth: float = 1.0
) -> tuple[npt.NDArray[np.intp], int, bool]:
    """Return the candidates that are dice, how many may be, and whether there may be one more.

    The candidates are given by their numbers. fifth: the probability that is enough for the fifth.
    """
    is_die = seen.is_die
    bare = np.array([c.covered < COVERED for c in seen.candidates], bool)
    counts = (inside > INSIDE) & bare
    lying = np.flatnonzero((is_die > 0.5) & counts)
    rest = np.flatnonzero((is_die <= 0.5) & counts)
    doubtful = int((is_die[rest] > _DOUBT).sum())
    number = len(lying) + doubtful
    brink = (inside > _BRINK) & (inside <= INSIDE)
    doubt = doubtful > 0 or bool(((is_die > 0.5) & (brink | ~bare)).any())
    if len(lying) == DICE - 1 and len(rest) and np.max(is_die[rest]) > fifth:
        lying = np.append(lying, rest[np.argmax(is_die[rest])])
    return lying, number, doubt


def _is_one_unread(seen: Evidence, dice: Sequence[FaceBox]) -> bool:
    """Return whether a die seems to lie beside these, of which no face was read.

    Of 148 drawn throws that are read surely none has a candidate above log-odds of -4.7; real dice
    whose pips weren't read mostly have 4 to 9.
    """
    if not dice:
        return False
    edge = float(np.median([box.edge for box in dice]))
    return any(
        each.logit > SURELY
        and abs(np.log2(each.box.edge / edge)) < SAME_SIZE
        # What seems to lie between two dice that touch is a part of them.
        and all(hypot(each.box.x - d.x, each.box.y - d.y) > APART * edge for d in dice)
        for each in seen.unread
    )


def _inside_shares(seen: Evidence) -> Array:
    """Return how far each candidate is in the tray, (n,); wholly if no room is beside it."""
    near = NEAR * seen.long_side
    return np.array([1.0 if c.box.edge > near else c.in_tray for c in seen.candidates], np.float32)


def leans_of(seen: Evidence) -> Leans:
    """Return how the dice of the throw lie."""
    # Of a fifth that is hardly a die, how it lies is not to be trusted.
    numbers, _, _ = _select_dice(seen, _inside_shares(seen))
    dice = [seen.candidates[i] for i in numbers]
    tilt, poses = tilts(dice, seen.long_side), tuple(lying_dice(dice, seen.long_side))
    by_table = seen.model.tilts(poses) if seen.model.explains(poses) else tilt
    every = np.stack([tilt, by_table])
    odds = [die.lean_odds for die in dice]
    rows = [(cocked_shares(dice, each, seen.detections), odds) for each in every]
    return Leans(numbers, poses, every, np.swapaxes(np.array(rows, np.float32), 1, 2))


def _hindrance(seen: Evidence, calibration: Calibration, dice: Sequence[Die]) -> TrayVerdict | None:
    """Return why these dice can't be used whatever they show, None if they can.

    They are so near that five would not fit in the picture, or a hand, or something large that
    isn't read, lies over the tray.
    """
    unread = [c.box.edge for c in seen.candidates if c.logit > 0]
    edge = float(np.median([die.size for die in dice]) if dice else max(unread, default=0.0))
    if len(dice) != DICE and edge > _TOO_NEAR * seen.long_side:
        return TrayVerdict.TOO_NEAR
    if not dice and edge > NEAR * seen.long_side:
        return TrayVerdict.BLOCKED
    most = _REACHING if len(dice) == DICE else calibration.blocked
    face = edge if dice else SMALL * seen.long_side
    hidden = len(dice) <= DICE and seen.detections.obstacle_area(face) > most
    return TrayVerdict.BLOCKED if hidden else None


def _verdict(dice: Sequence[Die], doubt: bool, cocked: bool) -> TrayVerdict:
    """Return how dice may be used; doubt: whether there may be one more."""
    if not dice:
        return TrayVerdict.EMPTY
    if len(dice) != DICE:
        return TrayVerdict.COUNT
    if cocked:
        return TrayVerdict.COCKED
    return TrayVerdict.UNSURE if doubt or not all(die.sure for die in dice) else TrayVerdict.OK
