"""What pages say about seats and phones."""

from companion.table.scene import News, NewsKind
from companion.table.views import PersonView
from web.i18n import gettext, lazy_gettext

LEVELS = {
    "strong": lazy_gettext("Strong"),
    "sensible": lazy_gettext("Sensible"),
    "random": lazy_gettext("At random"),
}
"""How stand-ins can play."""


def stand_in(person: PersonView) -> str:
    """Return the mark of a stand-in, with how it plays."""
    return gettext("stand-in: %(level)s", level=str(LEVELS[person.stand_in]).lower())


def news(said: News, own: str = "", *, stand_ins: bool = False) -> str:
    """Return what changed about a seat.

    own: the name of the page's player; stand_ins: whether the host can let one play.
    """
    match said.kind:
        case NewsKind.HOST if said.name == own:
            return gettext("You are the host now.")
        case NewsKind.LEFT if stand_ins:
            return gettext(
                "%(name)s has left: the host decides for them, or lets a stand-in play.",
                name=said.name,
            )
        case NewsKind.LEFT:
            return gettext("%(name)s has left: the host decides for them.", name=said.name)
        case NewsKind.MOVED:
            return gettext("%(name)s’s seat is on another phone now.", name=said.name)
        case NewsKind.PHONELESS:
            return gettext("%(name)s has no phone now: the host decides for them.", name=said.name)
        case NewsKind.STAND_IN:
            return gettext("A stand-in plays for %(name)s now.", name=said.name)
        case NewsKind.HOST:
            return gettext("%(name)s is the host now.", name=said.name)
