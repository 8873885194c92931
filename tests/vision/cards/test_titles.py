"""Which title is sure, of all that are laid onto a picture."""

from collections.abc import Mapping, Sequence

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

    def __init__(
        self, told: Mapping[int, tuple[float, bool]], turned: float = 0.0, ahead: float = 0.4
    ) -> None:
        """turned: how much the second one resembles the picture if it is turned by half.

        ahead: how far each is told from any other, 0.5 at most.
        """
        super().__init__(CARDS, TITLES)
        self.told, self.turned, self.ahead = told, turned, ahead

    def _resemblance(self, card: Image) -> tuple[np.ndarray, np.ndarray]:
        second = 0.0 if self.turned else 0.8
        resembles = np.array([0.9, second, 0.7], np.float32)
        return resembles, np.array([0, self.turned, 0], np.float32)

    def lay(self, number: int, picture: Image, outline: Outline) -> CardMatch:
        likeness, sure = self.told.get(number, (0.3, False))
        cells = np.full((12, 8), likeness, np.float32)
        return CardMatch(number, outline, cells, np.zeros(1), np.zeros(1), 0.4, sure)

    def _leads(self, match: CardMatch, rivals: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        return np.ones(len(rivals)), np.full(len(rivals), self.ahead)


@pytest.mark.parametrize(
    ("told", "number", "sure"),
    [
        ({0: (0.8, True), 1: (0.6, False), 2: (0.3, False)}, 0, True),
        ({0: (0.69, True), 1: (0.83, False), 2: (0.3, False)}, 1, False),
        ({0: (0.8, True), 1: (0.6, True), 2: (0.3, False)}, 0, False),
        ({0: (0.8, False), 1: (0.6, False), 2: (0.3, False)}, 0, False),
    ],
    ids=["the best alone", "another fits better", "two are told from all others", "none is"],
)
def test_a_title_is_sure_only_if_it_alone_fits_best(told, number, sure):
    outline = outline_of((140, 200)) + 50
    best, *_ = ToldMatcher(told).matches(TABLE, outline)
    assert (best.number, best.sure) == (number, sure)


@pytest.mark.parametrize(
    ("upright", "turned", "number", "sure"),
    [(0.92, 0.97, 1, True), (0.97, 0.92, 0, True), (0.95, 0.96, 1, False)],
)
def test_of_two_titles_that_are_alike_when_one_is_turned_the_clearly_better_one_is_sure(
    upright, turned, number, sure
):
    matcher = ToldMatcher({0: (upright, True), 1: (turned, True)}, turned=0.8)
    best, *_ = matcher.matches(TABLE, outline_of((140, 200)) + 50)
    assert (best.number, best.sure) == (number, sure)


@pytest.mark.parametrize(("ahead", "sure"), [(0.28, False), (0.1, True), (-0.3, True)])
def test_a_title_is_not_sure_if_another_one_laid_there_is_told_from_it(ahead, sure):
    matcher = ToldMatcher({0: (0.69, True), 1: (0.68, False), 2: (0.3, False)}, ahead=ahead)
    best, *_ = matcher.matches(TABLE, outline_of((140, 200)) + 50)
    assert (best.number, best.sure) == (0, sure)


class LateMatcher(ToldMatcher):
    """One that sees only where the best card was laid how much the second one resembles that."""

    places = 0

    def _resemblance(self, card: Image) -> tuple[np.ndarray, np.ndarray]:
        self.places += 1
        second = 0.8 if self.places > 3 else 0.0
        return np.array([0.9, second, 0], np.float32), np.zeros(3, np.float32)


def test_where_a_title_was_laid_another_one_may_fit_better():
    matcher = LateMatcher({0: (0.7, True), 1: (0.77, True)}, ahead=-0.3)
    best, *_ = matcher.matches(TABLE, outline_of((140, 200)) + 50)
    assert (best.number, best.sure) == (1, False)


@pytest.mark.parametrize(
    ("share", "titles", "sure"),
    [
        (0.7, ("beer",), True),
        (0.7, ("beer", "panic"), True),
        (0.7, ("beer", "saloon"), False),
        (0.7, ("saloon",), False),
        (0.55, ("beer",), False),
    ],
)
def test_the_sign_of_a_card_tells_its_title_from_those_that_do_not_have_it(share, titles, sure):
    """It shows a share of the first card, and of the second what is left."""
    matcher, shown = TitleMatcher(CARDS, TITLES), TABLE.copy()
    shown[50:250, 50:190] = share * CARDS[0] + (1 - share) * CARDS[1]
    matches = matcher.matches(shown, outline_of((140, 200)) + 50)
    assert (matches[0].number, matches[0].sure) == (0, False)
    assert matcher.tell_by_sign(matches, titles).sure is sure
