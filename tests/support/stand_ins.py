"""What tests put in the place of chance and of the camera: dealt as told, read as told."""

import random
from dataclasses import dataclass
from typing import Any

from companion.dicegame.roles import Role

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


class Dealer(random.Random):
    """Deals what it is told: roles by their first letter, characters by name."""

    def __init__(self, roles: str, characters: tuple[str, ...] = PLAIN) -> None:
        super().__init__(1)
        self.roles, self.characters = roles, characters

    def sample(self, population: Any, k: int, **_: Any) -> list[Any]:
        if "paul_regret" in population:
            return list(self.characters[:k])
        known = {role[0]: role for role in Role}
        return [known[letter] for letter in self.roles]
