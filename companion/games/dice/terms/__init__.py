"""What players read: the names and sentences of each edition, in each language."""

from collections.abc import Mapping

from companion.games.common.texts import LANGUAGES
from companion.games.dice.rules.rulesets import Edition, Ruleset
from companion.games.dice.terms.english import ENGLISH
from companion.games.dice.terms.french import FRENCH
from companion.games.dice.terms.walking_dead_english import WALKING_DEAD_ENGLISH
from companion.games.dice.terms.walking_dead_french import WALKING_DEAD_FRENCH
from companion.games.dice.terms.words import Terms

__all__ = ["LANGUAGES", "Terms", "terms"]

TABLES: Mapping[tuple[Edition, str], Terms] = {
    (Edition.BASE, "en"): ENGLISH,
    (Edition.BASE, "fr"): FRENCH,
    (Edition.WALKING_DEAD, "en"): WALKING_DEAD_ENGLISH,
    (Edition.WALKING_DEAD, "fr"): WALKING_DEAD_FRENCH,
}


def terms(ruleset: Ruleset, language: str) -> Terms:
    """Return the terms of a ruleset in one of LANGUAGES. Raises KeyError for any other."""
    return TABLES[ruleset.edition, language]
