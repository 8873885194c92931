"""Pieces of pages that are drawn once for everybody who sees the same."""

from collections.abc import Hashable

from jinja2.runtime import Macro
from markupsafe import Markup

from web.i18n import language

MOST = 1024
"""Pieces to be kept: those of a few states, in each language."""

_drawn: dict[tuple[Hashable, ...], Markup] = {}


def once(macro: Macro, *shown: Hashable) -> Markup:
    """Return what `macro` makes of values, drawn the first time only.

    It must show nothing but these values and its language: then nobody is shown what was drawn for
    another from anything that he may not see.
    """
    key = (macro, language(), *shown)
    found = _drawn.get(key)
    if found is None:
        found = Markup(macro(*shown))
        if len(_drawn) >= MOST:
            _drawn.clear()
        _drawn[key] = found
    return found
