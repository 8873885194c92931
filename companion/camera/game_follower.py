"""Follows the dice or the cards in the tray, by the game that is played."""

from collections.abc import Callable

from companion.camera.watcher import FrameFollower
from companion.table.scene import Scene
from companion.table.surface.cards.state import PileObservation, PileState
from companion.table.surface.cards.surface import CardSurface
from vision.dice.follow import TrayChange
from vision.imaging.geometry import Image


def plays_cards(scene: Scene) -> bool:
    """Return whether cards are laid in the tray: in the game that runs, or in the one chosen."""
    return isinstance(scene.surface, CardSurface)


def pile_state(scene: Scene) -> PileState:
    """Return what is known of the cards in the tray; nothing while dice are played."""
    return scene.surface.state if isinstance(scene.surface, CardSurface) else PileState()


class GameFollower:
    """Follows what is in the tray; starts over when another kind of game is played."""

    def __init__(
        self,
        cards_played: Callable[[], bool],
        follow_dice: Callable[[], FrameFollower],
        follow_cards: Callable[[], FrameFollower],
    ) -> None:
        """Follow by what `cards_played` returns; the others begin to follow dice or cards."""
        self._cards_played = cards_played
        self._follow = {False: follow_dice, True: follow_cards}
        self._cards: bool | None = None
        self._follower: FrameFollower | None = None

    def update(self, frame: Image, at: float) -> TrayChange | PileObservation | None:
        """Return what one more frame changes of the dice or of the cards, whichever are played."""
        cards = self._cards_played()
        if self._follower is None or cards != self._cards:
            self._cards, self._follower = cards, self._follow[cards]()
        return self._follower.update(frame, at)
