"""What tests put in the place of chance and of the camera: dealt as told, read as told."""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.cards.dealt.luck import LUCK_BITS
from companion.games.dice.game import DICE_GAME
from companion.games.dice.rules.roles import Role
from companion.games.game import AnyMove, Selection
from companion.table.changes import change
from companion.table.scene import Scene, play
from companion.table.surface.dice.state import MOVING, TrayDie, TrayObservation
from companion.table.surface.dice.surface import still
from companion.table.surface.interface import TrayMove
from vision.dice.reading import TrayVerdict

PLAIN = ("paul_regret", "jourdonnais", "lucky_duke", "willy_the_kid", "rose_doolan",
         "vulture_sam", "black_jack", "suzy_lafayette")  # fmt: skip
"""Characters of whom the first four change little."""


@dataclass(frozen=True)
class Die:
    """A die as a reader gives it."""

    face: str
    x: float
    y: float = 100.0
    size: float = 40.0
    sure: bool = True
    likely: tuple[str, ...] = ()
    number: int | None = None
    leans: bool = False


def reading(verdict: str, dice: Sequence[Die] = ()) -> TrayObservation:
    """What the camera says: `moving`, or a reader's verdict with its dice."""
    return MOVING if verdict == "moving" else still(TrayVerdict(verdict), dice)


def dice_game(ruleset: str = "base", house_rules: Collection[str] = ()) -> Selection:
    """The dice game by such rules."""
    return DICE_GAME.select(ruleset, house_rules)


@change(versioned=False)
def played_unseen(
    scene: Scene, _: int | None, move: AnyMove, lying: tuple[TrayDie, ...] = ()
) -> Scene:
    """Make a move, a roll too, without a camera."""
    return play(scene, TrayMove(move, lying))


class Dealer(random.Random):
    """Deals what it is told: roles by their first letter, characters by name."""

    def __init__(self, roles: str, characters: Sequence[str] = PLAIN) -> None:
        super().__init__(1)
        self.roles, self.characters = roles, characters
        self.luck: int | None = None
        """The luck of a game with dealt hands; by chance unless given."""

    def getrandbits(self, k: int, /) -> int:
        shuffles = k == LUCK_BITS and self.luck is not None
        return self.luck if shuffles else super().getrandbits(k)  # type: ignore[return-value]

    def sample(self, population: Any, k: int, **_: Any) -> list[Any]:
        if "paul_regret" in population:
            return list(self.characters[:k])
        known = {role[0]: role for role in Role}
        return [known[letter] for letter in self.roles]
