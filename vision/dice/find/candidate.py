"""Hold what is known of each place that may be a die."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, inf

import numpy as np

from vision.imaging.geometry import Array, FaceBox, suppress_overlaps

LEAST_POSE_LOGIT = -4.0
"""Log-odds of the pose network below which a box shows no die."""
_PART, _SURELY = 1.6, 3.0
"""Times the edge of a symbol that a die has at least, and log-odds of the pose network for it."""
APART = 0.8
"""Edges between the centres of two dice, at least; they touch at one."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may be a die."""

    box: FaceBox
    """Its top face."""
    lean: Array
    """(2,): where the opposite face lies from the top face in the picture, in edges."""
    detector_logit: float
    """Log-odds of the first network that this is a die."""
    pose_logit: float
    """Log-odds of the pose network that this is a die."""
    in_tray: float
    """How much of its surroundings is in the tray, in [0, 1]."""
    covered: float
    """How much of it a hand or another thing covers, in [0, 1]."""

    @property
    def logit(self) -> float:
        """Log-odds of both networks together."""
        return self.detector_logit + self.pose_logit


def select_likeliest(
    candidates: Sequence[Candidate], least: float = LEAST_POSE_LOGIT, octaves: float = inf
) -> list[Candidate]:
    """Return those that may be dice, likeliest first, without overlaps.

    least: log-odds of the pose network that each needs; octaves: see `suppress_overlaps`.
    """
    dice = sorted((c for c in candidates if c.pose_logit > least), key=lambda c: -c.pose_logit)
    return [dice[n] for n in suppress_overlaps([c.box for c in dice], octaves)]


def drop_parts(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates of a close-up, except those that are symbols on a far larger die.

    What seems to be a die around two likelier ones is none.
    """
    dice = sorted(candidates, key=lambda c: -c.box.edge)
    edge = np.array([c.box.edge for c in dice])
    at = np.array([(c.box.x, c.box.y) for c in dice]).reshape(-1, 2)
    apart = np.linalg.norm(at - at[:, None], axis=2)
    # [i, j]: whether j may be a symbol on i.
    holds = (edge[:, None] > _PART * edge) & (apart < edge[:, None] / 2)
    kept: list[int] = []
    for number, die in enumerate(dice):
        parts = [dice[n] for n in np.flatnonzero(holds[number])]
        if len(select_likeliest([c for c in parts if c.logit > max(0.0, die.logit)])) > 1:
            continue
        if not any(holds[whole, number] and dice[whole].pose_logit > _SURELY for whole in kept):
            kept.append(number)
    return [dice[number] for number in kept]


def drop_intersections(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Return the likeliest candidates that can lie beside each other.

    A candidate inside a likelier die is left out; it is mostly a face on that die's side.
    """
    taken: list[Candidate] = []
    for die in sorted(candidates, key=lambda c: -c.logit):
        apart = (hypot(die.box.x - t.box.x, die.box.y - t.box.y) / t.box.edge for t in taken)
        if all(edges > APART for edges in apart):
            taken.append(die)
    return tuple(taken)
