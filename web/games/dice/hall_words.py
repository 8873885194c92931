"""The words of the dice game for halls, where ids come from other programs."""

from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.terms import DiceTerms, terms


def words(ruleset: str, language: str) -> DiceTerms:
    """Return the terms of a ruleset; those of the base game, if there is no such ruleset."""
    return terms(RULESETS.get(ruleset, RULESETS["base"]), language)
