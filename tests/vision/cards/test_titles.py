"""Which title is sure, of all that are laid onto a picture."""

from collections.abc import Mapping

import numpy as np
import pytest

from vision.cards.sides import Outline, outline_of
from vision.cards.titles import CardMatch, TitleMatcher
from vision.imaging.geometry import Image

TITLES = ("beer", "saloon", "panic")
CHANCE = np.random.default_rng(4)
CARDS = [CHANCE.integers(0, 255, (200, 140, 3), np.uint8) for _ in TITLES]
TABLE = np.full((400, 400, 3), 90, np.uint8)
TABLE[50:250, 50:190] = CARDS[0]


class ToldMatcher(TitleMatcher):
    """One that is told how well each card fits, and whether it is told from all others."""

    def __init__(self, told: Mapping[int, tuple[float, bool]]) -> None:
        super().__init__(CARDS, TITLES)
        self.told = told

    def _resemblance(self, card: Image) -> tuple[np.ndarray, np.ndarray]:
        resembles = np.array([0.9, 0.8, 0.7], np.float32)
        return resembles, np.zeros(3, np.float32)

    def lay(
        self, number: int, picture: Image, outline: Outline, without: int | None = None
    ) -> CardMatch:
        likeness, sure = self.told[number]
        cells = np.full((12, 8), likeness, np.float32)
        return CardMatch(number, outline, cells, np.zeros(1), np.zeros(1), 0.4, sure)


@pytest.mark.parametrize(
    ("told", "sure"),
    [
        ({0: (0.8, True), 1: (0.6, False), 2: (0.3, False)}, True),
        ({0: (0.69, True), 1: (0.83, False), 2: (0.3, False)}, False),
        ({0: (0.8, True), 1: (0.6, True), 2: (0.3, False)}, False),
        ({0: (0.8, False), 1: (0.6, False), 2: (0.3, False)}, False),
    ],
    ids=["the best alone", "another fits better", "two are told from all others", "none is"],
)
def test_a_title_is_sure_only_if_it_alone_fits_best(told, sure):
    outline = outline_of((140, 200)) + 50
    best, *_ = ToldMatcher(told).matches(TABLE, outline)
    assert (best.number, best.sure) == (0, sure)
