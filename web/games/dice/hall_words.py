"""The words of the dice game for halls, where ids come from other programs."""

from companion.games.common.endings import Side
from companion.games.dice.rules.faces import Face
from companion.games.dice.rules.roles import Role
from companion.games.dice.rules.rulesets import RULESETS
from companion.games.dice.terms import Terms, terms


def side(ruleset: str, side: str, language: str) -> str | None:
    """Return the ruleset's name of a side; None if there is no such side."""
    known = Side.__members__.values()
    return _terms(ruleset, language).sides[Side(side)] if side in known else None


def role(ruleset: str, role: str, language: str) -> str | None:
    """Return the ruleset's name of a role; None if there is no such role."""
    known = Role.__members__.values()
    return _terms(ruleset, language).roles[Role(role)] if role in known else None


def face(ruleset: str, face: str, language: str) -> str | None:
    """Return the ruleset's name of a die's face; None if there is no such face."""
    known = Face.__members__.values()
    return _terms(ruleset, language).faces[Face(face)] if face in known else None


def _terms(ruleset: str, language: str) -> Terms:
    return terms(RULESETS.get(ruleset, RULESETS["base"]), language)
