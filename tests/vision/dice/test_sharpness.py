"""How sharp faces are."""

import cv2
import numpy as np
import pytest

from vision.dice.faces.crops import SIDE
from vision.dice.faces.sharpness import sharpness
from vision.imaging.geometry import Image
from vision.simulate.dice.art import draw_face
from vision.training.trays.motifs import BEERS, GATLINGS, Face

pytestmark = pytest.mark.pictures


def crop(face: Face, contrast: float = 150.0) -> Image:
    grey = 40 + contrast * draw_face(face, SIDE, 0.1)
    return np.asarray(cv2.cvtColor(grey.astype(np.uint8), cv2.COLOR_GRAY2BGR), np.uint8)


@pytest.mark.parametrize("face", [BEERS["mug"], GATLINGS["holes"]])
@pytest.mark.parametrize("turn", [None, cv2.ROTATE_90_CLOCKWISE])
@pytest.mark.parametrize("size", [(5, 5), (7, 1), (1, 7)])
def test_a_blurred_face_is_less_sharp_in_whatever_direction_it_is_blurred(face, turn, size):
    sharp = crop(face) if turn is None else np.asarray(cv2.rotate(crop(face), turn), np.uint8)
    assert sharpness(np.asarray(cv2.blur(sharp, size), np.uint8)) < sharpness(sharp) - 0.3


@pytest.mark.parametrize("contrast", [50.0, 100.0])
def test_light_hardly_changes_how_sharp_a_face_is(contrast):
    face = GATLINGS["holes"]
    assert sharpness(crop(face, contrast)) == pytest.approx(sharpness(crop(face)), abs=0.05)


def test_a_blank_face_has_no_edges_at_all():
    assert sharpness(np.full((SIDE, SIDE, 3), 90, np.uint8)) == 0.0
