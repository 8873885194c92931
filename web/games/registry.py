"""The games that have pages, each listed once.

Its pages are loaded when they are asked for: a hall needs only its words.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol

from web.games.dice import hall_words

if TYPE_CHECKING:
    from web.games.game import GamePages


def _dice() -> "GamePages":
    # Only templates use some of them.
    import web.games.dice.charts
    import web.games.dice.pages
    import web.games.dice.stakes
    import web.games.dice.words

    return web.games.dice.pages.DICE_PAGES


def _cards() -> "GamePages":
    import web.games.cards.helping
    import web.games.cards.laid
    import web.games.cards.pages

    return web.games.cards.pages.CARD_PAGES


class GameWords(Protocol):
    """The words of a game. They fit any id: a liar may have made it up."""

    def side(self, ruleset: str, side: str, language: str) -> str | None:
        """Return the name of a side; None if there is no such side."""

    def role(self, ruleset: str, role: str, language: str) -> str | None:
        """Return the name of a role; None if there is no such role."""

    def face(self, ruleset: str, face: str, language: str) -> str | None:
        """Return the name of a die's face; None if there is no such face."""


class ListedPages(NamedTuple):
    """A game in the list, with what pages need before they show it."""

    load: "Callable[[], GamePages]"
    """Returns its pages."""
    words: GameWords
    """Its words for halls."""
    styles: tuple[str, ...] = ()
    """The styles that pages load only while they show it."""
    scripts: tuple[str, ...] = ()
    """Scripts that others load when they are wanted; they share no modules with the page's own."""
    drawings: Mapping[str, tuple[str, str]] = {}
    """Drawings that pages contain only while they show it or one of its editions.

    By name, their file, and how their names begin.
    """
    looks: Mapping[str, Mapping[str, str]] = {}
    """Drawings that look different in an edition: by file and edition, the file with its own."""


LIST: Mapping[str, ListedPages] = {
    "bang-dice": ListedPages(
        _dice,
        hall_words,
        drawings={"walking-dead": ("portraits", "walking-dead-")},
        looks={
            "faces": {"walking-dead": "faces-walking-dead"},
            "icons": {"walking-dead": "icons-walking-dead"},
        },
    ),
    # Its sides and roles have the same names.
    "bang-card": ListedPages(
        _cards,
        hall_words,
        styles=("cards",),
        scripts=("card-stage.js",),
        drawings={"cards": ("cards", "")},
    ),
}
"""All games by the name in their records."""
