"""Pieces of pages that are drawn once for everybody who sees the same."""

from collections.abc import Hashable

from jinja2.runtime import Macro
from markupsafe import Markup

from web.i18n import language

MOST = 1024
"""Pieces to be kept: those of a few states, in each language."""


class Pieces:
    """The pieces that one app has drawn."""

    def __init__(self) -> None:
        self._drawn: dict[tuple[Hashable, ...], Markup] = {}

    def __len__(self) -> int:
        """Return how many pieces are kept."""
        return len(self._drawn)

    def once(self, macro: Macro, *shown: Hashable) -> Markup:
        """Return what `macro` makes of values, drawn the first time only.

        It must show nothing but these values and its language: then nobody is shown what was drawn
        for another from anything that they may not see.
        """
        key = (macro, language(), *shown)
        found = self._drawn.get(key)
        if found is None:
            found = Markup(macro(*shown))
            if len(self._drawn) >= MOST:
                self._drawn.clear()
            self._drawn[key] = found
        return found
