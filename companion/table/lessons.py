"""What players corrected, passed on to what learns to read their dice and cards."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from companion.table.game import Game
from companion.table.laying import NamedCard, named_cards
from companion.table.rolling import NamedDie, named_dice
from companion.table.scene import Scene

_Named = TypeVar("_Named", contravariant=True)


class CorrectionLearner(Protocol[_Named]):
    """Learns from players' corrections of dice, or of cards."""

    def learn(self, named: Sequence[_Named], game: str, moment: int) -> None:
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
        self._dice: CorrectionLearner[NamedDie] | None = None
        self._cards: CorrectionLearner[NamedCard] | None = None

    def use_dice_learner(self, learner: CorrectionLearner[NamedDie], scene: Scene) -> None:
        """Set what learns dice, from the scene as it stands."""
        self._dice = learner
        _take_back_undone(learner, scene)

    def use_card_learner(self, learner: CorrectionLearner[NamedCard], scene: Scene) -> None:
        """Set what learns cards, from the scene as it stands."""
        self._cards = learner
        if scene.history is not None and scene.history.game.cards is not None:
            _take_back_undone(learner, scene)

    def learner(
        self, game: Game
    ) -> CorrectionLearner[NamedDie] | CorrectionLearner[NamedCard] | None:
        """Return what learns the dice or cards of a game; None if nothing does."""
        return self._dice if game.cards is None else self._cards

    def follow(self, before: Scene, now: Scene) -> None:
        """Learn from a change what players named, and unlearn what they took back."""
        was, history = before.history, now.history
        if was is None or history is None or was.number != history.number:
            return
        name = now.game_name
        first, last = len(was.moments), len(history.moments)
        undone = last < first
        if self._dice is not None:
            if undone:
                self._dice.take_back(name, last)
            elif last > first and before.rolling:
                named = named_dice(before)
                if named and history.game.dice.rolled(history.moments[first].move) is not None:
                    self._dice.learn(named, name, first)
        if self._cards is not None and history.game.cards is not None:
            if undone:
                self._cards.take_back(name, last)
            for number in range(1, last):
                if cards := named_cards(was, history, number):
                    self._cards.learn(cards, name, number)


def _take_back_undone(
    learner: CorrectionLearner[NamedDie] | CorrectionLearner[NamedCard], scene: Scene
) -> None:
    """Unlearn what was undone: the table may have been killed before it could."""
    if scene.history is not None:
        learner.take_back(scene.game_name, len(scene.history.moments))
