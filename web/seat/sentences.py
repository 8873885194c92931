"""What pages say about seats and phones."""

from companion.table.scene import News, NewsKind
from web.i18n import gettext


def news(said: News) -> str:
    """Return what changed about a seat."""
    match said.kind:
        case NewsKind.MOVED:
            return gettext("%(name)s’s seat is on another phone now.", name=said.name)
        case NewsKind.PHONELESS:
            return gettext("%(name)s has no phone now: the host decides for them.", name=said.name)
        case NewsKind.HOST:
            return gettext("%(name)s is the host now.", name=said.name)
