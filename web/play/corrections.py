"""What pages say of readings that players changed by hand."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from companion.games.game import Correction, CorrectionKind
from companion.table.views import TableView
from web.i18n import gettext
from web.play.log import picture_of


class Proof(NamedTuple):
    """What the camera saw of a die whose face a player said."""

    picture: str
    """The address of its picture."""
    before: str | None
    """The face that was read; None if that was uncertain."""


def proofs(view: TableView) -> Mapping[int, Proof]:
    """Return the proofs of the roll that waits to be accepted, by the numbers of its dice."""
    found = {}
    for said in takewhile(lambda entry: isinstance(entry, Correction), reversed(view.story)):
        picture = picture_of(view, said, view.statuses[-1].moves)
        if said.kind is CorrectionKind.FACE and picture:
            found[said.die] = Proof(picture, said.before)
    return found


def tell_correction(said: Correction, names: Sequence[str], faces: Mapping[Any, str]) -> str:
    """Return a correction as a sentence. names: of the players, by seat; faces: their names."""
    known = said.by is not None and said.by < len(names)
    who = names[said.by] if known and said.by is not None else gettext("Somebody")
    told = {
        "name": who,
        "number": 0 if said.die is None else said.die + 1,
        "before": faces.get(said.before, "?"),
        "after": faces.get(said.after, "?"),
    }
    match said.kind:
        case CorrectionKind.FACE if said.before is None:
            return gettext("%(name)s said what die %(number)s shows: %(after)s.", **told)
        case CorrectionKind.FACE:
            return gettext("%(name)s changed die %(number)s: %(before)s → %(after)s.", **told)
        case CorrectionKind.KEPT:
            return gettext("%(name)s said that die %(number)s was kept: %(after)s.", **told)
        case CorrectionKind.THROWN:
            return gettext("%(name)s said that die %(number)s was thrown: %(after)s.", **told)
        case CorrectionKind.LEFT_OUT:
            return gettext("%(name)s left out something that isn’t a die.", **told)
        case CorrectionKind.ADDED:
            return gettext("%(name)s added a die: %(after)s.", **told)
        case CorrectionKind.BY_HAND:
            return gettext("%(name)s entered the dice by hand.", **told)
