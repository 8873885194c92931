"""What players corrected in the dice of a roll, as records have it.

It changes nothing about how a record is replayed.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from enum import StrEnum
from typing import Any, NamedTuple

from companion.games.common.lines import FormatError, choice, integer, keys
from companion.games.dice.rules.faces import DICE, Face

KEY = "corrected"
"""The key of a roll that holds its corrections."""


class RecordedCorrectionKind(StrEnum):
    """What a player said about the dice, against the camera or where it was unsure."""

    FACE = "face"
    """What a die shows."""
    KEPT = "kept"
    """That a die was kept."""
    THROWN = "thrown"
    """That a die was thrown."""
    LEFT_OUT = "left_out"
    """That something is not a die."""
    ADDED = "added"
    """What a die shows that the camera missed."""
    BY_HAND = "by_hand"
    """All five dice, although there was a camera."""


class RecordedCorrection(NamedTuple):
    """A correction of the dice of a roll."""

    kind: RecordedCorrectionKind
    """What was said."""
    seat: int | None = None
    """The seat that said it; None if unknown."""
    die: int | None = None
    """The die; only for `FACE`, `KEPT` and `THROWN`."""
    read: Face | None = None
    """For `FACE`, what the camera had read; None if it was unsure."""
    face: Face | None = None
    """For `FACE` and `ADDED`, what the die shows."""


_KEYS: Mapping[RecordedCorrectionKind, tuple[Set[str], Set[str]]] = {
    RecordedCorrectionKind.FACE: ({"die", "face"}, {"read"}),
    RecordedCorrectionKind.KEPT: ({"die"}, set()),
    RecordedCorrectionKind.THROWN: ({"die"}, set()),
    RecordedCorrectionKind.LEFT_OUT: (set(), set()),
    RecordedCorrectionKind.ADDED: ({"face"}, set()),
    RecordedCorrectionKind.BY_HAND: (set(), set()),
}
"""By kind, the keys besides `kind` and `seat`: those that a correction must have, and may have."""

_KINDS = {kind.value: kind for kind in RecordedCorrectionKind}
_FACES = {face.value: face for face in Face}


def corrections_of(entry: Mapping[str, Any]) -> tuple[RecordedCorrection, ...]:
    """Return the corrections of a roll's line; none if it has none. Raises FormatError."""
    if KEY not in entry:
        return ()
    said = entry[KEY]
    if not isinstance(said, list) or not said:
        raise FormatError(f'"{KEY}" is not a list of at least one correction')
    return tuple(map(_correction, said))


def _correction(entry: Any) -> RecordedCorrection:
    if not isinstance(entry, dict) or "kind" not in entry:
        raise FormatError('a correction is an object with the key "kind"')
    kind = choice(entry, "kind", _KINDS)
    required, optional = _KEYS[kind]
    keys(entry, {"kind", *required}, {"seat", *optional})
    die = integer(entry, "die") if "die" in entry else None
    if die is not None and not 0 <= die < DICE:
        raise FormatError(f'"die" is {die}, not one of 0 to {DICE - 1}')
    return RecordedCorrection(
        kind,
        integer(entry, "seat") if "seat" in entry else None,
        die,
        choice(entry, "read", _FACES) if "read" in entry else None,
        choice(entry, "face", _FACES) if "face" in entry else None,
    )


def check_seats(said: Iterable[RecordedCorrection], players: int) -> None:
    """Raise FormatError if a correction names a seat that the game doesn't have."""
    for each in said:
        if each.seat is not None and not 0 <= each.seat < players:
            raise FormatError(f'"seat" of a correction is {each.seat}: there is no such seat')


def entries(said: Sequence[RecordedCorrection]) -> Sequence[Mapping[str, Any]]:
    """Return corrections as `corrections_of` reads them."""
    return [
        {key: value for key, value in each._asdict().items() if value is not None} for each in said
    ]
