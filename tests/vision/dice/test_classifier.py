"""Faces told by the pictures of a profile: which one a die shows, and whether any."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.dice.faces.classifier import FaceClassifier, ToldFaces
from vision.dice.faces.crops import embedder_crop
from vision.dice.faces.embedder import Embedder
from vision.dice.profile import FACE_EDGE, PICTURE
from vision.dice.reading import FACES
from vision.dice.teach import build_profile
from vision.imaging.geometry import FaceBox, Image
from vision.imaging.pyramid import build_pyramid
from vision.simulate.dice.art import draw_face
from vision.training.trays.motifs import (
    ARROWS,
    BEERS,
    DYNAMITES,
    GATLINGS,
    ONES,
    TARGETS,
    TWOS,
    Face,
)

TAUGHT = {
    "arrow": ARROWS["notched"],
    "dynamite": DYNAMITES["stick"],
    "bullseye1": TARGETS["thin_targets"] + ONES["narrow plain"],
    "bullseye2": TARGETS["thin_targets"] + TWOS["narrow plain"],
    "beer": BEERS["mug"],
    "gatling": GATLINGS["holes"],
}
STRANGE = {
    "another arrow": ARROWS["fan"],
    "barrels": GATLINGS["barrels"],
    "crate": DYNAMITES["crate"],
    "heart": BEERS["heart"],
}
BOX = FaceBox(PICTURE / 2 - 0.5, PICTURE / 2 - 0.5, np.eye(2, dtype=np.float32) * 32, 0.9)


def picture(face: Face, plastic: float, ink: float, lamp: float = 0.0) -> Image:
    """Return a face of these grey levels; lamp: of the grey levels that a lamp adds at a corner."""
    art = np.zeros((PICTURE, PICTURE), np.float32)
    rim = (PICTURE - FACE_EDGE) // 2
    art[rim:-rim, rim:-rim] = draw_face(face, FACE_EDGE, 0.1)
    y, x = np.mgrid[:PICTURE, :PICTURE] / np.float32(PICTURE)
    light = lamp * np.exp(-((x - 0.4) ** 2 + (y - 0.4) ** 2) / 0.06)
    noise = np.random.default_rng(1).normal(0, 2, art.shape)
    # Paint shines less than plastic.
    grey = plastic + (ink - plastic) * art + light * (1 - 0.8 * art) + noise
    return np.asarray(cv2.cvtColor(grey.clip(0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR))


@pytest.fixture(scope="module")
def classifier() -> FaceClassifier:
    taught = {name: [picture(face, 40, 190)] for name, face in TAUGHT.items()}
    return FaceClassifier(Embedder(), build_profile("drawn", taught, "base"))


def told(classifier: FaceClassifier, image: Image) -> ToldFaces:
    levels = build_pyramid(image)
    return classifier.tell(levels, [BOX], [embedder_crop(levels, BOX)])


@pytest.mark.parametrize("lamp", [0.0, 90.0, 180.0])
@pytest.mark.parametrize("name", FACES)
def test_a_taught_face_is_shown_in_glare_too(classifier, name, lamp):
    result = told(classifier, picture(TAUGHT[name], 40, 190, lamp))
    assert FACES[int(result.scores[0].argmax())] == name
    assert result.shown[0]


@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize("lamp", [0.0, 90.0])
def test_a_face_that_nobody_taught_is_not_shown(classifier, name, lamp):
    assert not told(classifier, picture(STRANGE[name], 40, 190, lamp)).shown[0]


@pytest.mark.parametrize(("plastic", "ink"), [(40, 40), (254, 254)])
def test_a_blank_face_is_not_shown(classifier, plastic, ink):
    assert not told(classifier, picture(TAUGHT["beer"], plastic, ink)).shown[0]


@pytest.mark.parametrize(("name", "shown"), [("beer", True), ("bullseye1", False)])
def test_a_blurred_face_is_shown_only_if_no_other_looks_like_it(classifier, name, shown):
    blurred = np.asarray(cv2.GaussianBlur(picture(TAUGHT[name], 40, 190), (0, 0), 4.0), np.uint8)
    result = told(classifier, blurred)
    assert FACES[int(result.scores[0].argmax())] == name
    assert (result.shown[0], result.outlined[0]) == (shown, False)


@pytest.mark.parametrize("name", FACES)
def test_a_face_whose_frame_lies_to_one_side_is_shown(classifier, name):
    levels = build_pyramid(picture(TAUGHT[name], 40, 190))
    for x, y in ((10, 0), (-10, 0), (0, 10), (0, -10)):  # of 64 pixels
        box = replace(BOX, x=BOX.x + x, y=BOX.y + y)
        result = classifier.tell(levels, [box], [embedder_crop(levels, box)])
        assert FACES[int(result.scores[0].argmax())] == name
        assert result.shown[0]


def test_without_dice_nothing_is_told(classifier):
    result = classifier.tell(build_pyramid(picture(TAUGHT["beer"], 40, 190)), [], [])
    assert result.scores.shape == (0, 6)
    assert result.shown.shape == (0,)
