"""The words of the games that tables play: sides, roles and faces, as pages of a hall say them."""

from web.games.registry import LIST, GameWords
from web.i18n import language

TOURNAMENT = next(iter(LIST))
"""The game whose words tournaments use: all have the same sides and roles."""


def side(game: str, ruleset: str, name: str) -> str:
    """Return what a side is called on this page."""
    words = _words(game)
    return (words and words.side(ruleset, name, language())) or name


def role(game: str, ruleset: str, name: str) -> str:
    """Return what a role is called on this page."""
    words = _words(game)
    return (words and words.role(ruleset, name, language())) or name


def face(game: str, ruleset: str, name: str) -> str:
    """Return what a die shows, empty if there is no drawing of it."""
    words = _words(game)
    return (words and words.face(ruleset, name, language())) or ""


def _words(game: str) -> GameWords | None:
    return LIST[game].words if game in LIST else None
