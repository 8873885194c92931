"""What players corrected, passed on to what learns to read their dice and cards."""

from collections.abc import Sequence
from typing import Any, Protocol

from companion.table.scene import Scene
from companion.table.surface.interface import AnySurface


class CorrectionLearner(Protocol):
    """Learns from players' corrections of dice, or of cards."""

    def learn(self, named: Sequence[Any], game: str, moment: int) -> None:
        """Learn what players named in the move `moment` of a game, as it was last seen.

        Replaces what that move taught before.
        """

    def take_back(self, game: str, moment: int) -> None:
        """Unlearn what was learned in a game from that move on."""

    def forget(self) -> None:
        """Unlearn everything."""


class Lessons:
    """The learners of a table, which hear of each change."""

    def __init__(self) -> None:
        self._learners: dict[type[AnySurface], CorrectionLearner] = {}

    def use(self, kind: type[AnySurface], learner: CorrectionLearner, scene: Scene) -> None:
        """Set what learns dice, or cards, from the scene as it stands."""
        self._learners[kind] = learner
        # What was undone: the table may have been killed before it could be unlearned.
        if scene.history is not None and isinstance(scene.surface, kind):
            learner.take_back(scene.game_name, len(scene.history.moments))

    def learner(self, surface: AnySurface) -> CorrectionLearner | None:
        """Return what learns dice or cards, by what lies in the tray; None if nothing does."""
        return self._learners.get(type(surface))

    def follow(self, before: Scene, now: Scene) -> None:
        """Learn from a change what players named, and unlearn what they took back."""
        was, history, learner = before.history, now.history, self.learner(now.surface)
        if was is None or history is None or was.number != history.number or learner is None:
            return
        if len(history.moments) < len(was.moments):
            learner.take_back(now.game_name, len(history.moments))
        for number, named in before.surface.lessons(was, history, before.shown):
            learner.learn(named, now.game_name, number)
