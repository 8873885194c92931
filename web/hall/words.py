"""The words of the games that tables play: sides, roles and faces, as pages of a hall say them."""

from collections.abc import Mapping
from typing import Protocol

from flask import current_app

from web.i18n import language

EXTENSION = "game words"
"""Extension of an app: the words of each game, by the name in its records."""


class GameWords(Protocol):
    """The words of a game. They fit any id: a liar may have made it up."""

    def side(self, ruleset: str, side: str, language: str) -> str | None:
        """Return the name of a side; None if there is no such side."""

    def role(self, ruleset: str, role: str, language: str) -> str | None:
        """Return the name of a role; None if there is no such role."""

    def face(self, ruleset: str, face: str, language: str) -> str | None:
        """Return the name of a die's face; None if there is no such face."""


def side(game: str, ruleset: str, name: str) -> str:
    """Return what a side is called on this page."""
    words = _words().get(game)
    return (words and words.side(ruleset, name, language())) or name


def role(game: str, ruleset: str, name: str) -> str:
    """Return what a role is called on this page."""
    words = _words().get(game)
    return (words and words.role(ruleset, name, language())) or name


def face(game: str, ruleset: str, name: str) -> str:
    """Return what a die shows, empty if there is no drawing of it."""
    words = _words().get(game)
    return (words and words.face(ruleset, name, language())) or ""


def _words() -> Mapping[str, GameWords]:
    found: Mapping[str, GameWords] = current_app.extensions[EXTENSION]
    return found
