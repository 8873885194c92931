"""The games that have pages, each listed once.

Its pages are loaded when they are asked for: a hall needs only its words.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from web.games.dice import hall_words

if TYPE_CHECKING:
    from companion.games.game import GameTerms
    from companion.table.views import TableView
    from web.games.game import GamePages


def _dice() -> "GamePages":
    from web.games.dice.pages import DICE_PAGES

    return DICE_PAGES


def _cards() -> "GamePages":
    from web.games.cards.pages import CARD_PAGES

    return CARD_PAGES


def _cards_with_hands() -> "GamePages":
    from web.games.cards.dealt.pages import DEALT_PAGES

    return DEALT_PAGES


class ListedPages(NamedTuple):
    """A game in the list, with what pages need before they show it."""

    load: "Callable[[], GamePages]"
    """Returns its pages."""
    words: "Callable[[str, str], GameTerms]"
    """Returns its words for halls, given a ruleset and a language."""
    styles: tuple[str, ...] = ()
    """The styles that pages load only while they show it."""
    scripts: tuple[str, ...] = ()
    """Scripts that others load when they are wanted; they share no modules with the page's own."""
    drawings: tuple[str, ...] = ()
    """The files of drawings that pages contain only while they show it."""
    looks: Mapping[str, Mapping[str, str]] = {}
    """Drawings that look different in an edition: by file and edition, the file with its own."""


LIST: Mapping[str, ListedPages] = {
    "bang-dice": ListedPages(
        _dice,
        hall_words.words,
        looks={
            "faces": {"walking-dead": "faces-walking-dead"},
            "icons": {"walking-dead": "icons-walking-dead"},
        },
    ),
    # Its sides and roles have the same names.
    "bang-card": ListedPages(
        _cards,
        hall_words.words,
        styles=("cards",),
        scripts=("card-stage.js",),
        drawings=("cards",),
    ),
    "bang-card-dealt": ListedPages(
        _cards_with_hands,
        hall_words.words,
        styles=("cards", "hands"),
        scripts=("card-stage.js",),
        drawings=("cards",),
    ),
}
"""All games by the name in their records."""


@cache
def pages_named(game: str) -> "GamePages":
    """Return the pages of a game, by the name in its records."""
    if game in LIST:
        return LIST[game].load()
    from web.games.plain.pages import PLAIN

    return PLAIN


def pages_of(view: "TableView") -> "GamePages":
    """Return the pages of this table's game."""
    return pages_named(view.selection.game.record_name)
