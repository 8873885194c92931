"""The words of the dice game on pages that tell of many games."""

from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.terms import Terms, terms
from companion.table.views import TableView
from web.i18n import language


def words(view: TableView) -> Terms:
    """Return the terms of the edition at this table; of the base game, if it plays another game."""
    ruleset = RULESETS.get(view.selection.ruleset.id, RULESETS["base"])
    return terms(ruleset, language())
