"""Texts as pages write them: sentences, short names, what the table says."""

from companion.table.refused import Message
from web.i18n import gettext


def said(text: str) -> str:
    """Return what the table says, in the language of the page."""
    if not isinstance(text, Message):
        return text
    told = {k: said(v) if isinstance(v, str) else v for k, v in text.particulars.items()}
    return gettext(text.text, **told)


def capital(text: str) -> str:
    """Return a text that begins like a sentence."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return a text that begins and ends like a sentence."""
    return capital(text) + ("" if text.endswith(".") else ".")


def short(name: str, letters: int = 9) -> str:
    """Return a name for where there is little room."""
    return name if len(name) <= letters else name[: letters - 1].rstrip() + "…"
