"""Simulates the cards: draws the tray as a discard pile, and lays cards of our own deck there."""

import threading
from collections.abc import Sequence
from functools import cached_property

from companion.base.refused import Message, Problem, Refused
from companion.table.scene import Scene
from companion.table.surface.cards.surface import CardSurface
from vision.imaging.geometry import Image
from vision.simulate.cards.tray import Card, SimulatedCardTray

PAUSE = 8
"""Frames for which a card lies alone before the next one comes: it is read meanwhile."""


class SimulatedCards:
    """A simulated tray in which cards are laid one after the other. Any thread may call.

    The cards in it can't be laid again until the pile is shuffled.
    """

    label = Message("Place a card for me")

    def __init__(self, cards: Sequence[Card], seed: int | None = None) -> None:
        """Begin with an empty tray; seed: makes what happens with the `cards` repeatable."""
        self.lock = threading.Lock()
        """Hold it to use the tray."""
        self._waiting: list[tuple[str | None, str | None]] = []
        self._still = 0
        self._game = 0
        self._laid_for: tuple[int, int] | None = None
        self._cards, self._seed = cards, seed

    @cached_property
    def tray(self) -> SimulatedCardTray:
        """The tray, drawn once cards are played: it takes 25 MB, which dice need not pay for."""
        return SimulatedCardTray(self._cards, seed=self._seed)

    def frame(self) -> Image:
        """Draw the next frame, and lay the next card once the last one has lain there."""
        with self.lock:
            self._still = self._still + 1 if self.tray.at_rest else 0
            if self._waiting and self._still > PAUSE:
                title, sign = self._waiting.pop(0)
                self._lay(title, sign)
                self._still = 0
            return self.tray.frame()

    @property
    def left(self) -> tuple[str, ...]:
        """The titles of the cards that don't lie in the tray, each once."""
        with self.lock:
            return tuple(dict.fromkeys(title for title, _ in self.tray.stock))

    def play(self, title: str) -> None:
        """Lay a card with this title. Raises Refused if all its copies lie in the tray."""
        with self.lock:
            if not self.tray.copies(title):
                raise Refused(Problem.ILLEGAL, "all cards with this title lie in the tray")
            self._waiting.append((title, None))

    def flip(self) -> None:
        """Lay the top card of the deck, or any card out of a hand."""
        with self.lock:
            self._waiting.append((None, None))

    def take_off(self) -> None:
        """Take the topmost card off the pile."""
        with self.lock:
            if self.tray.laid_cards:
                self.tray.take_off()
            self._still = 0

    def shuffle(self) -> None:
        """Take all cards out of the tray."""
        with self.lock:
            self._waiting.clear()
            self.tray.clear()
            self._still = 0

    def follow(self, scene: Scene) -> None:
        """Do what players do beside playing: lay what is owed, take cards off, shuffle.

        Nobody holds a hand here, so what comes from one is a card that nobody takes for a move.
        """
        history, surface = scene.history, scene.surface
        if history is None or not isinstance(surface, CardSurface):
            return
        if history.number != self._game:
            self._game = history.number
            self.shuffle()
        known, moment = surface.state, len(history.moments)
        lies = surface.rules.lying(history.state) - len(known.owed)
        with self.lock:
            lying = len(self.tray.laid_cards)
        if known.lifting and self.at_rest and lying > max(lies, 0):
            if lies <= 0:
                self.shuffle()
            else:
                self.take_off()
        elif known.owed and self._laid_for != (moment, len(known.owed)):
            self._laid_for = (moment, len(known.owed))
            card = known.owed[0].card or surface.find_unplayable(history, self.left)
            with self.lock:
                self._waiting.append((card, None))

    @property
    def at_rest(self) -> bool:
        """Whether no card is on its way, nor waits to be laid."""
        with self.lock:
            return self.tray.at_rest and not self._waiting

    # For lessons

    def lay(self, face: str, sign: str) -> None:
        """Lay a copy of a title alone in the tray."""
        self.shuffle()
        with self.lock:
            self._waiting.append((face, sign))

    def end(self) -> None:
        """Take every card out, and those that wait."""
        self.shuffle()

    def _lay(self, title: str | None, sign: str | None) -> None:
        tray = self.tray
        if title is None and tray.stock:
            tray.flip()
        elif title is not None and tray.copies(title):
            tray.lay(title, sign if (title, sign) in tray.stock else None)
