"""What pages say of readings that players changed by hand."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.game import Correction, CorrectionKind
from web.i18n import gettext


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
