"""Fragments of pages that are drawn once for everybody who sees the same."""

from collections.abc import Hashable

from jinja2.runtime import Macro
from markupsafe import Markup

from web.i18n import language

MOST = 1024
"""How many fragments to cache: those of a few states, in each language."""


class Pieces:
    """The cached fragments of one app."""

    def __init__(self) -> None:
        self._drawn: dict[tuple[Hashable, ...], Markup] = {}

    def __len__(self) -> int:
        """Return how many fragments are cached."""
        return len(self._drawn)

    def once(self, macro: Macro, *shown: Hashable) -> Markup:
        """Return the output of `macro` for these values, drawn only the first time.

        It must depend only on these values and the language. Then nobody sees a fragment drawn
        for somebody else from something secret.
        """
        key = (macro, language(), *shown)
        found = self._drawn.get(key)
        if found is None:
            found = Markup(macro(*shown))
            if len(self._drawn) >= MOST:
                self._drawn.clear()
            self._drawn[key] = found
        return found
