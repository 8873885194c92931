"""The outline of a card that lies alone."""

import cv2
import numpy as np
import pytest

from vision.cards.outline import lone_outline

MIDDLE = np.array((320.0, 240.0))


def picture_of(turn: float) -> np.ndarray:
    """Return a picture of a white card on grey, turned by degrees, of 120 x 186 pixels."""
    picture = np.full((480, 640, 3), 80, np.uint8)
    corners = cv2.boxPoints((MIDDLE.tolist(), (120.0, 186.0), turn))
    cv2.fillConvexPoly(picture, corners.astype(np.int32), (235, 240, 238), cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("turn", range(0, 180, 15))
def test_a_card_is_found_at_any_turn_from_one_of_its_narrow_sides_on(turn: int) -> None:
    outline = lone_outline(picture_of(turn), turned=True)
    assert outline is not None
    assert np.abs(outline.mean(axis=0) - MIDDLE).max() < 2
    across, along = (np.linalg.norm(outline[n] - outline[n + 1]) for n in range(2))
    assert (round(float(across)), round(float(along))) == (
        pytest.approx(120, abs=4),
        pytest.approx(186, abs=4),
    )


@pytest.mark.parametrize(("turn", "found"), [(0, True), (15, True), (30, False), (90, False)])
def test_where_cards_are_taught_one_must_lie_upright(turn: int, found: bool) -> None:
    assert (lone_outline(picture_of(turn)) is not None) == found
