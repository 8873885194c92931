"""What is known of the tray: what the camera says, and what players say, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.table.tray.observation import NO_CAMERA, Observation, Place, TrayDie


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
    count: CountCorrection = COUNT_IS_RIGHT
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
    before: Watched | ByHand | None = None
    """What was known while a camera worked, until the table was started again."""


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


def accepted_last(tray: TrayState) -> Observation:
    """Return what the camera said of the dice that were accepted last."""
    return tray.watched.accepted if isinstance(tray, ByHand) else tray.accepted
