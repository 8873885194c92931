"""Chance as a value: one large random number, of which each choice takes a part.

A state holds what is left of it. So the same decision in the same state always has the same
outcome, and an undo gives nobody another chance.
"""

from typing import TypeVar

_T = TypeVar("_T")

LUCK_BITS = 1 << 15
"""How large the number is: enough to shuffle all cards eighty times, more than any game does."""


class RandomChoices:
    """Makes random choices by a number; the same number makes the same ones."""

    def __init__(self, luck: int) -> None:
        """Begin with a random number."""
        self.luck = luck
        """What is left of the number."""

    def below(self, count: int) -> int:
        """Return a number below `count`, all equally likely."""
        self.luck, chosen = divmod(self.luck, count)
        return chosen

    def pull(self, items: list[_T]) -> _T:
        """Remove and return one of the items."""
        return items.pop(self.below(len(items)))

    def shuffle(self, items: list[_T]) -> None:
        """Bring the items into another order."""
        items[:] = [self.pull(items) for _ in range(len(items))]
