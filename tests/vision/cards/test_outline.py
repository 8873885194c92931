"""The outline of a card that lies alone."""

import cv2
import numpy as np
import pytest

from vision.cards.outline import lone_outline, turned_outlines

MIDDLE = np.array((320.0, 240.0))


def picture_of(turn: float) -> np.ndarray:
    """Return a picture of a white card on grey, turned by degrees, of 120 x 186 pixels."""
    picture = np.full((480, 640, 3), 80, np.uint8)
    corners = cv2.boxPoints((MIDDLE.tolist(), (120.0, 186.0), turn))
    cv2.fillConvexPoly(picture, corners.astype(np.int32), (235, 240, 238), cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("turn", range(0, 180, 15))
def test_a_card_is_found_at_any_turn_from_one_of_its_narrow_sides_on(turn):
    outline = next(turned_outlines(picture_of(turn)))
    assert np.abs(outline.mean(axis=0) - MIDDLE).max() < 2
    across, along = (np.linalg.norm(outline[n] - outline[n + 1]) for n in range(2))
    assert (round(float(across)), round(float(along))) == (
        pytest.approx(120, abs=4),
        pytest.approx(186, abs=4),
    )


@pytest.mark.parametrize(("turn", "found"), [(0, True), (15, True), (30, False), (90, False)])
def test_where_cards_are_taught_one_must_lie_upright(turn, found):
    assert (lone_outline(picture_of(turn)) is not None) == found


@pytest.mark.parametrize("turn", [0, 50, 90])
def test_a_card_is_found_in_a_tray_that_has_the_shape_of_a_card(turn):
    picture = picture_of(turn)
    cv2.rectangle(picture, (80, 60), (560, 420), (20, 40, 90), 14)
    middles = [outline.mean(axis=0) for outline in turned_outlines(picture)]
    sizes = [cv2.contourArea(each.astype(np.float32)) for each in turned_outlines(picture)]
    near = [np.abs(middle - MIDDLE).max() < 2 for middle in middles]
    assert any(
        is_near and size < 1.1 * 120 * 186 for is_near, size in zip(near, sizes, strict=True)
    )
