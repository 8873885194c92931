"""The awards at the end of a card game, each with its figure; all come from public events."""

from functools import partial

from companion.table.views import TableView
from web.games.cards.board import terms_of
from web.games.cards.chronicle import chronicle_of
from web.i18n import gettext, ngettext
from web.play.finale import MOST, Award, most_of


def awards(view: TableView) -> tuple[Award, ...]:
    """Return the awards of a finished card game, at most MOST; none before its end."""
    found = chronicle_of(view)
    if found is None:
        return ()
    words = terms_of(view)
    points = partial(words.quantity, thing=words.life_point)
    cards = partial(words.quantity, thing=words.card)

    def shots(count: int) -> str:
        number = words.number(count)
        return ngettext("one attack answered", "%(number)s attacks answered", count, number=number)

    given = (
        *most_of(dict(enumerate(found.taken)), "bang", gettext("Sharpest shot"), points),
        *most_of(dict(enumerate(found.saved)), "missed", gettext("Hardest to hit"), shots),
        *most_of(dict(enumerate(found.drunk)), "beer", gettext("Greatest thirst"), points),
        *most_of(dict(enumerate(found.drawn)), "stagecoach", gettext("Most cards"), cards),
    )
    return given[:MOST]
