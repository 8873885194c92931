"""Chance as a value: one large random number, of which each choice takes a part."""

from typing import TypeVar

_T = TypeVar("_T")

LUCK_BITS = 1024
"""How large the number must be: shuffling all cards takes 400 bits, and no move does so twice."""


class RandomChoices:
    """Makes random choices; the same number makes the same ones."""

    def __init__(self, number: int) -> None:
        """Begin with a random number below 2 to the power of `LUCK_BITS`."""
        self._left = number

    def below(self, count: int) -> int:
        """Return a number below `count`, all equally likely."""
        self._left, chosen = divmod(self._left, count)
        return chosen

    def pull(self, items: list[_T]) -> _T:
        """Remove and return one of the items."""
        return items.pop(self.below(len(items)))

    def shuffle(self, items: list[_T]) -> None:
        """Bring the items into another order."""
        items[:] = [self.pull(items) for _ in range(len(items))]
