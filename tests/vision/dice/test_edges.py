"""Faces compared by where their edges run."""

import cv2
import numpy as np
import pytest

from vision.dice.faces.crops import SIDE
from vision.dice.faces.edges import edge_similarities, edge_vectors
from vision.imaging.geometry import Image
from vision.simulate.dice.art import draw_face
from vision.training.trays.motifs import ARROWS, BEERS, DYNAMITES, GATLINGS, Face

pytestmark = pytest.mark.pictures

FACES = [ARROWS["notched"], BEERS["mug"], DYNAMITES["stick"], GATLINGS["holes"]]
LIGHTS = {
    "as taught": (60.0, 200.0),
    "ink darker than the plastic": (200.0, 60.0),
    "dim": (30.0, 45.0),
    "bright": (215.0, 245.0),
}


def crop(face: Face, plastic: float, ink: float, seed: int = 1) -> Image:
    """Return a face of these grey levels, with the noise of a camera."""
    art = draw_face(face, SIDE, 0.1)
    noise = np.random.default_rng(seed).normal(0, 2, (SIDE, SIDE))
    grey = np.clip(plastic + (ink - plastic) * art + noise, 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)


@pytest.fixture
def taught() -> np.ndarray:
    return np.stack([edge_vectors([crop(face, *LIGHTS["as taught"])]) for face in FACES])


@pytest.mark.parametrize("light", LIGHTS)
def test_the_same_symbol_is_most_alike_in_any_light(taught, light):
    for number, face in enumerate(FACES):
        alike = edge_similarities([crop(face, *LIGHTS[light], seed=2)], taught)
        assert int(alike.argmax()) == number


def test_a_lamp_in_the_middle_of_the_face_hides_only_what_it_covers(taught):
    for number, face in enumerate(FACES):
        seen = crop(face, *LIGHTS["as taught"], seed=3)
        cv2.circle(seen, (SIDE // 3, SIDE // 3), SIDE // 6, (255, 255, 255), cv2.FILLED)
        assert int(edge_similarities([seen], taught).argmax()) == number


def test_the_likeliest_turn_counts():
    face = crop(FACES[0], *LIGHTS["as taught"])
    turned = [np.ascontiguousarray(np.rot90(face, k)) for k in range(4)]
    for each in turned:
        (alike,) = edge_similarities([each], edge_vectors(turned)[None])
        assert alike > 0.95


def test_a_blank_face_has_no_edges_in_common_with_a_symbol(taught):
    blank = np.full((SIDE, SIDE, 3), 120, np.uint8)
    assert np.abs(edge_similarities([blank], taught[1:2])).max() < 0.1
