"""Dice that lean, told by how their faces are foreshortened."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.dice.faces.foreshortening import lean_row
from vision.dice.profile import FACE_EDGE, PICTURE
from vision.imaging.geometry import Array, FaceBox, Image
from vision.simulate.dice.art import draw_face
from vision.training.trays.motifs import BEERS, DYNAMITES, GATLINGS, Face

pytestmark = pytest.mark.pictures

EDGE, SIZE, PLACE = 40.0, 160, (78.0, 83.0)
FLAT = np.array((0.0, 0.15), np.float32)
LEANING = np.array((0.5, 0.15), np.float32)
FACES = {"beer": BEERS["mug"], "dynamite": DYNAMITES["stick"], "gatling": GATLINGS["holes"]}


def picture(face: Face) -> Image:
    """Return a face as a profile keeps it."""
    rim = (PICTURE - FACE_EDGE) // 2
    grey = np.full((PICTURE, PICTURE), 90, np.uint8)
    grey[rim:-rim, rim:-rim] = 210 - 160 * draw_face(face, FACE_EDGE, 0.1)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)


def seen(face: Face, lean: Array, degrees: float) -> Image:
    """Return a picture of a die that leans so."""
    length = float(np.linalg.norm(lean))
    way = lean / length
    shape = np.eye(2) - (1 - np.sqrt(1 - length**2)) * np.outer(way, way)
    turned = cv2.getRotationMatrix2D((0, 0), degrees, EDGE / FACE_EDGE)[:, :2]
    matrix = np.zeros((2, 3))
    matrix[:, :2] = shape @ turned
    matrix[:, 2] = PLACE - matrix[:, :2] @ ((PICTURE - 1) / 2, (PICTURE - 1) / 2)
    drawn = cv2.warpAffine(picture(face), matrix, (SIZE, SIZE), borderValue=(90, 90, 90))
    noise = np.random.default_rng(1).normal(0, 4, drawn.shape)
    return np.asarray(np.clip(drawn + noise, 0, 255), np.uint8)


def framed(degrees: float) -> FaceBox:
    """Return a frame that is a little off the face, and square."""
    axes = cv2.getRotationMatrix2D((0, 0), degrees + 3, EDGE / 2)[:, :2]
    return FaceBox(PLACE[0] + 1.5, PLACE[1] - 1, np.asarray(axes, np.float32), 0.9)


def odds(image: Image, face: Face, degrees: float) -> tuple[float, float]:
    return lean_row([image], framed(degrees), (FLAT, LEANING), [picture(face)])


@pytest.mark.parametrize("degrees", [0, 25, 70])
@pytest.mark.parametrize("name", FACES)
def test_a_face_is_foreshortened_along_the_lean(name: str, degrees: float) -> None:
    face = FACES[name]
    for lean, leans in ((FLAT, False), (LEANING, True)):
        value, misfit = odds(seen(face, lean, degrees), face, degrees)
        assert (value > 0) == leans
        assert abs(value) == pytest.approx(0.4)
        assert misfit == 0


@pytest.mark.parametrize("name", FACES)
def test_a_shadow_over_half_of_a_face_makes_no_lean(name: str) -> None:
    image = seen(FACES[name], FLAT, 25)
    image[:, : round(PLACE[0])] //= 2
    assert odds(image, FACES[name], 25)[0] < 0.1  # of a die that leans: 0.4


def test_the_opposite_lean_foreshortens_a_face_alike() -> None:
    face = FACES["beer"]
    image, leans = seen(face, LEANING, 25), (-LEANING, LEANING)
    value, misfit = lean_row([image], framed(25), leans, [picture(face)])
    assert value == 0
    assert misfit == 0


def test_what_shows_another_face_fits_badly() -> None:
    image = seen(FACES["beer"], LEANING, 25)
    assert odds(image, FACES["gatling"], 25)[1] < -0.05


def test_a_burnt_out_face_tells_nothing() -> None:
    image = np.full((SIZE, SIZE, 3), 255, np.uint8)
    value, misfit = odds(image, FACES["beer"], 0)
    assert value == pytest.approx(0)
    assert misfit == pytest.approx(-0.35)
