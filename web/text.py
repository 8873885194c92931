"""Format texts for pages: sentences, short names, the table's messages."""

import re
from bisect import bisect_left

from companion.base.refused import Message
from web.i18n import gettext


def translate(text: str) -> str:
    """Return a message of the table in the language of the page."""
    if not isinstance(text, Message):
        return text
    told = {k: translate(v) if isinstance(v, str) else v for k, v in text.particulars.items()}
    return gettext(text.text, **told)


def capital(text: str) -> str:
    """Return a text that starts with a capital."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return a text with a capital first letter and a full stop."""
    return capital(text) + ("" if text.endswith(".") else ".")


def width(name: str) -> str:
    """Return how small a name must be written so that no word of it breaks; "": as usual."""
    letters = max(map(len, re.split(r"[\s-]", name)))
    return ("", "long", "longer", "longest")[bisect_left((8, 10, 15), letters)]


def short(name: str, letters: int = 9) -> str:
    """Return a name shortened for narrow places."""
    return name if len(name) <= letters else name[: letters - 1].rstrip() + "…"
