"""Are these dice fair? Fair ones pass, loaded ones don't, and misreads aren't taken for a bias."""

import numpy as np
import pytest

from companion.memory.statistics.fairness import Fairness, examine, tail_probability
from companion.memory.statistics.summary import FACES

SIXTH = [1 / 6] * 6
LOADED = [0.2, 0.16, 0.16, 0.16, 0.16, 0.16]


def thrown(times: int, shares: list[float], seed: int = 1) -> list[int]:
    return list(map(int, np.random.default_rng(seed).multinomial(times, shares)))


def right(times: int) -> dict[tuple[str, str], int]:
    """Readings of each face that were all right."""
    return {(face.value, face.value): times for face in FACES}


def test_the_chi_square_distribution_is_that_of_the_tables():
    # Quantiles of five degrees of freedom, as in any book.
    known = {0.5: 0.9921, 1.1455: 0.95, 4.3515: 0.5, 9.2364: 0.1, 11.0705: 0.05, 20.515: 0.001}
    for square, probability in known.items():
        assert tail_probability(square) == pytest.approx(probability, abs=2e-4)


def test_fair_dice_are_seldom_called_odd():
    chances = [examine(thrown(3000, SIXTH, seed), right(500)).chance for seed in range(60)]
    assert sum(chance < 0.05 for chance in chances) <= 7
    assert 0.3 < sum(chances) / 60 < 0.7


def test_loaded_dice_are_found_out():
    found = examine(thrown(6000, LOADED), right(1000))
    assert found.verdict is Fairness.UNFAIR
    assert found.oddest.face == FACES[0]
    assert found.oddest.low > 1 / 6
    assert found.oddest.low < 0.2 < found.oddest.high


def test_misreads_that_players_know_of_are_no_bias():
    # One beer in twenty is read as an arrow; players correct half of those.
    unread = np.array(SIXTH)
    beer, arrow = FACES.index("beer"), FACES.index("arrow")
    unread[beer] -= 1 / 120
    unread[arrow] += 1 / 120
    counts = thrown(60_000, list(unread))
    readings = right(10_000) | {("beer", "beer"): 9_750, ("beer", "arrow"): 250}
    assert examine(counts, right(10_000)).verdict is Fairness.UNFAIR
    allowed = examine(counts, readings)
    assert allowed.verdict is Fairness.FAIR
    assert allowed.misread == 250
    shares = {face.face: face.share for face in allowed.faces}
    assert shares["beer"] == pytest.approx(1 / 6, abs=0.005)


def test_few_throws_say_that_they_are_few():
    found = examine(thrown(100, SIXTH), {})
    assert found.verdict is Fairness.TOO_FEW
    assert found.power < 0.3
    assert examine(thrown(100, [0.7, 0.06, 0.06, 0.06, 0.06, 0.06]), {}).verdict is Fairness.UNFAIR


def test_nothing_thrown_is_nothing_against_the_dice():
    found = examine([0] * 6, {})
    assert (found.thrown, found.chance, found.verdict) == (0, 1.0, Fairness.TOO_FEW)


def test_faces_that_no_dice_have_are_passed_over():
    assert examine([10] * 6, {("heart", "heart"): 5}).read == 0
