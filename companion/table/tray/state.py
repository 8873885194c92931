"""What is known about the tray from the camera and from players, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.table.tray.observation import NO_CAMERA, Observation, Place, TrayDie


@dataclass(frozen=True, slots=True)
class Mark:
    """A player's correction of a die."""

    face: str | None = None
    """What it shows; None if not said."""
    thrown: bool | None = None
    """Whether it was thrown; None if not said."""
    by: int | None = None
    """The seat that said it last; None if unknown."""

    def then(self, later: "Mark") -> "Mark":
        """Return this mark combined with a later one."""
        if later.thrown is False:
            return later
        return Mark(
            self.face if later.face is None else later.face,
            self.thrown if later.thrown is None else later.thrown,
            self.by if later.by is None else later.by,
        )


@dataclass(frozen=True, slots=True)
class CountCorrection:
    """Players' corrections of the number of dice."""

    left_out: tuple[Place, ...] = ()
    """Places where the camera wrongly sees a die."""
    added: tuple[str, ...] = ()
    """Faces of the dice that the camera misses."""
    by: int | None = None
    """The seat that corrected it last; None if unknown."""

    def of(self, seen: Observation) -> Observation:
        """Return a corrected observation."""
        if self == COUNT_IS_RIGHT:
            return seen
        there = tuple(
            die
            for die in seen.dice
            if die.place is None or not any(die.place.near(place) for place in self.left_out)
        )
        more = tuple(TrayDie(face, thrown=True, sure=True) for face in self.added)
        return replace(seen, dice=there + more)


COUNT_IS_RIGHT = CountCorrection()


@dataclass(frozen=True, slots=True)
class Watched:
    """The camera reads this roll, and players may correct it."""

    now: Observation
    """Its latest observation."""
    at_rest: Observation
    """Its last observation of a tray at rest, to which corrections apply."""
    accepted: Observation = NO_CAMERA
    """Its observation of the dice accepted last: unmoved, they are not a new roll."""
    stayed: tuple[TrayDie, ...] = ()
    """The dice that stayed in the tray when others were last picked up: they are kept."""
    marks: Mapping[int, Mark] = field(default_factory=dict)
    """Players' corrections of single dice, by number."""
    count: CountCorrection = COUNT_IS_RIGHT
    """Players' corrections of the number of dice."""
    picked: frozenset[int] = frozenset()
    """The dice to throw next, if the table throws them."""


@dataclass(frozen=True, slots=True)
class ByHand:
    """Players enter this roll although there is a camera."""

    watched: Watched
    """The camera's observations meanwhile."""
    marks: Mapping[int, Mark] = field(default_factory=dict)
    """What players entered, by number of the die."""


@dataclass(frozen=True, slots=True)
class Unwatched:
    """No camera works, so players enter each roll."""

    accepted: Observation = NO_CAMERA
    """The camera's observation of the dice accepted last, while it worked."""
    marks: Mapping[int, Mark] = field(default_factory=dict)
    """What players entered, by number of the die."""
    before: Watched | ByHand | None = None
    """What was known before a restart, while a camera worked."""


TrayState = Watched | ByHand | Unwatched
"""What is known about the tray, by source of the faces."""


def watched(tray: TrayState) -> Watched | None:
    """Return the camera's observation, also while players enter the roll; None without a camera."""
    match tray:
        case Watched():
            return tray
        case ByHand(watched):
            return watched
        case Unwatched():
            return None


def accepted_last(tray: TrayState) -> Observation:
    """Return the camera's observation of the dice accepted last."""
    return tray.watched.accepted if isinstance(tray, ByHand) else tray.accepted
