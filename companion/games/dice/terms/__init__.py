"""What players read: the names and sentences of each edition, in each language."""

from functools import cache
from pathlib import Path

from companion.games.common.texts import LANGUAGES
from companion.games.dice.rules.rulesets import Edition, Ruleset
from companion.games.dice.terms.words import DiceTerms
from companion.games.terms import read_terms

__all__ = ["LANGUAGES", "DiceTerms", "terms"]

FILES = {Edition.BASE: ("{}.toml",), Edition.WALKING_DEAD: ("{}.toml", "walking-dead.{}.toml")}
"""The files of an edition, by language: the second says where its words differ from the first."""


def terms(ruleset: Ruleset, language: str) -> DiceTerms:
    """Return the terms of a ruleset in one of LANGUAGES. Raises KeyError for any other."""
    return edition_terms(ruleset.edition, language)


@cache
def edition_terms(edition: Edition, language: str) -> DiceTerms:
    """Return the terms of an edition in one of LANGUAGES. Raises KeyError for any other."""
    if language not in LANGUAGES:
        raise KeyError(language)
    files = (Path(__file__).with_name(file.format(language)) for file in FILES[edition])
    return read_terms(DiceTerms, *files)
