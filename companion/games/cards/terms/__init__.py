"""What players read: the names and sentences of the card game, in each language."""

from collections.abc import Mapping

from companion.games.cards.terms.english import ENGLISH
from companion.games.cards.terms.french import FRENCH
from companion.games.cards.terms.words import CardTerms

__all__ = ["LANGUAGES", "CardTerms", "terms"]

TABLES: Mapping[str, CardTerms] = {"en": ENGLISH, "fr": FRENCH}

LANGUAGES = tuple(TABLES)
"""The languages of the terms."""


def terms(language: str) -> CardTerms:
    """Return the terms in one of LANGUAGES. Raises KeyError for any other."""
    return TABLES[language]
