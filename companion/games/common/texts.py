"""What a text is: letters that files and pages can hold.

JSON can write half a surrogate pair as an escape, and Python takes it for a letter. No page or
database can hold that, so what comes from a file is refused with it.
"""

import json
from typing import Any

LANGUAGES = ("en", "fr")
"""The languages in which games and pages can be read."""


def is_text(text: str) -> bool:
    """Return whether a text can be written and shown."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def load_json(content: bytes) -> Any:
    """Return the JSON in a file. Raises ValueError, also if it is nested too deeply."""
    try:
        value = json.loads(content)
        sound = is_text(json.dumps(value, ensure_ascii=False))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not sound:
        raise ValueError("half a surrogate pair is no text")
    return value
