"""What players read: the names and sentences of the card game, in each language."""

from functools import cache
from pathlib import Path

from companion.games.cards.terms.words import CardTerms
from companion.games.common.texts import LANGUAGES
from companion.games.terms import read_terms

__all__ = ["LANGUAGES", "CardTerms", "terms"]


@cache
def terms(language: str) -> CardTerms:
    """Return the terms in one of LANGUAGES. Raises KeyError for any other."""
    if language not in LANGUAGES:
        raise KeyError(language)
    return read_terms(CardTerms, Path(__file__).with_name(f"{language}.toml"))
