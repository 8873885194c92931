"""Why a press was refused, in the words of the game or of the table."""

from companion.base.refused import Message
from companion.table.history import Quoted
from companion.table.views import TableView
from web.games.registry import pages_of
from web.text import translate


def tell_refusal(view: TableView, reason: object) -> str:
    """Return why a press was refused, as part of a sentence."""
    if isinstance(reason, Message):
        parts = {name: _part(view, part) for name, part in reason.particulars.items()}
        return translate(Message(reason.text, **parts))
    told = pages_of(view).tell_refusal(view, reason)
    return translate(reason if isinstance(reason, str) else str(reason)) if told is None else told


def _part(view: TableView, part: object) -> object:
    """Return a part of a message; a reason or an entry of the story as it is told."""
    if isinstance(part, Quoted):
        (line,) = pages_of(view).tell(view, (part.entry,))
        return line.text.rstrip(".")
    told = None if isinstance(part, str | int) else pages_of(view).tell_refusal(view, part)
    return part if told is None else told
