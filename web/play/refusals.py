"""Why a press was refused, in the words of the game or of the table."""

from companion.table.views import TableView
from web.play.game_pages import pages_of
from web.text import said


def refused(view: TableView, reason: object) -> str:
    """Return why a press was refused, as part of a sentence."""
    told = pages_of(view).refused(view, reason)
    return said(reason if isinstance(reason, str) else str(reason)) if told is None else told
