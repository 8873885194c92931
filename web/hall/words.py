"""The words of the games that tables play: sides, roles and faces, as pages of a hall say them.

They fit any id: a liar may have made it up.
"""

from collections.abc import Mapping

from web.games.registry import LIST
from web.i18n import language

TOURNAMENT = next(iter(LIST))
"""The game whose words tournaments use: all have the same sides and roles."""


def side(game: str, ruleset: str, name: str) -> str:
    """Return what a side is called on this page."""
    return _words(game, ruleset, "sides").get(name, name)


def role(game: str, ruleset: str, name: str) -> str:
    """Return what a role is called on this page."""
    return _words(game, ruleset, "roles").get(name, name)


def face(game: str, ruleset: str, name: str) -> str:
    """Return what a die shows, empty if there is no drawing of it."""
    return _words(game, ruleset, "faces").get(name, "")


def look(game: str, ruleset: str) -> str:
    """Return the class of an edition whose dice look different; empty for others."""
    known = LIST[game].looks.get("faces", {}) if game in LIST else {}
    return ruleset if ruleset in known else ""


def _words(game: str, ruleset: str, kind: str) -> Mapping[str, str]:
    """Return the names of this kind in a game; none in a game without pages."""
    if game not in LIST:
        return {}
    names: Mapping[str, str] = getattr(LIST[game].words(ruleset, language()), kind)
    return names
