"""Hold what is known of each place that may be a die."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, inf

from vision.imaging.geometry import Array, FaceBox, suppress_overlaps

LEAST_POSE_LOGIT = -4.0
"""Log-odds of the pose network below which a box shows no die."""
SURELY = 3.0
"""Log-odds from which a box surely shows a die."""
COVERED = 0.5
"""Share under a hand from which a die doesn't count."""
ENOUGH = 3
"""Sure dice of a throw from which it follows how its others look."""
SMALL, NEAR = 0.042, 0.09
"""Edges of dice, in longer sides: smaller ones need a closer look, larger ones one from afar, and
leave no room beside a tray."""
_PARTS = 0.62
"""Of parts of a face: their edges at most, and how far from its centre they lie, in its edges."""
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
    lean_odds: float = 0.0
    """Log-odds that it leans, see `LeanJudge`; 0 where not known."""

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
    """Return the candidates, except those that are parts of the face of a far larger die.

    What lies within a larger candidate competes with it: around two likelier dice there is none,
    and in a likelier die no other.
    """
    kept: list[Candidate] = []
    for die in sorted(candidates, key=lambda c: -c.box.edge):
        parts = [c for c in candidates if may_be_part(c, die)]
        if len(select_likeliest([c for c in parts if c.pose_logit > max(0.0, die.pose_logit)])) > 1:
            continue
        least = max(SURELY, die.pose_logit)
        if not any(may_be_part(die, c) and c.pose_logit > least for c in kept):
            kept.append(die)
    return kept


def may_be_part(die: Candidate, whole: Candidate) -> bool:
    """Return whether one candidate lies so within another that it may be a part of its face."""
    apart = hypot(die.box.x - whole.box.x, die.box.y - whole.box.y)
    return max(apart, die.box.edge) < _PARTS * whole.box.edge


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
