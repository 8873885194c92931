"""How the table is heard: for its own speaker, in its language; the table page has its own."""

from collections.abc import Mapping, Sequence

from companion.table.controls.announcer import Heard
from companion.table.surface.cards.state import PileStatus
from companion.table.surface.dice.state import TrayStatus
from companion.table.views import TableView
from web.games.game import terms_of
from web.games.registry import pages_of

DICE, CARD = "dice", "card"
"""The sounds of what came to rest in the tray and is read, by their files in `static/sounds`."""

READ = (TrayStatus.READY, TrayStatus.UNSURE)
"""In these states the dice are read."""

WAITS = (
    PileStatus.CHOOSE,
    PileStatus.UNSURE,
    PileStatus.SIGN_UNSURE,
    PileStatus.ILLEGAL,
    PileStatus.GONE,
)
"""In these states a card waits for a tap. One that is a move is heard as such."""


class PagesNarration:
    """Takes what is heard from the pages of each game."""

    def __init__(self, language: str = "") -> None:
        """language: where the host chose none."""
        self._language = language

    def audio(self, view: TableView) -> Sequence[Heard]:
        """Return how the latest events of the game are heard, in order; none without a game."""
        if view.game is None:
            return ()
        game = view.selection.game
        words = game.terms(view.selection.ruleset, self.language(view))
        return pages_of(view).audio(view, words)

    def tray(self, view: TableView) -> str:
        """Return the sound of what is read in the tray and waits; empty if nothing is."""
        return tray_sound(view)

    def language(self, view: TableView) -> str:
        """Return the language of what is said."""
        return view.choices.language or self._language or view.selection.ruleset.language


def tray_sound(view: TableView) -> str:
    """Return the sound of the dice, or of a card, that was read and is no move; empty for none."""
    if view.pile.status in WAITS or view.pile.read:
        return CARD
    return DICE if view.tray.status in READ else ""


def audio_by_number(view: TableView) -> Mapping[int, Heard]:
    """Return how the latest events are heard, in the language of the page, by their numbers."""
    return {event.number: event for event in pages_of(view).audio(view, terms_of(view))}
