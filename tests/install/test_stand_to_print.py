"""The stand to print: its pieces are whole, fit printers, and hold the camera in its place."""

import re
from collections import Counter

import numpy as np
import pytest
from places import ROOT

from docs.generate.build import CAMERAS, DICE, TRAYS
from docs.generate.stand import PIECES, triangles

FOLDER = ROOT / "docs" / "print" / "stand"
BED = 210
"""Millimetres each way that a common printer prints."""


def number(name: str) -> float:
    source = (FOLDER / "stand.scad").read_text("utf-8")
    return float(re.search(rf"^{name} = ([\d.]+);", source, re.M)[1])


def corners_of(piece: str) -> np.ndarray:
    """The corners of its triangles."""
    return triangles((FOLDER / f"{piece}.stl").read_bytes())


@pytest.mark.parametrize("piece", PIECES)
def test_a_piece_is_whole_and_fits_a_printer(piece):
    corners = corners_of(piece)
    assert np.ptp(corners, axis=(0, 1)).max() <= BED
    # A solid: each edge of a triangle is one of another triangle too, the other way round.
    points = [[tuple(corner) for corner in triangle] for triangle in corners.round(3).tolist()]
    edges = Counter((a, b) for t in points for a, b in zip(t, t[1:] + t[:1], strict=True))
    assert edges == Counter((b, a) for a, b in edges.elements())
    # Its sides look outwards: the volume is positive.
    volume = np.einsum("ni,ni->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    assert volume > 10_000


def test_every_camera_that_fits_the_arm_sees_the_whole_tray_and_dice_large_enough():
    modules = [camera for camera in CAMERAS if "Module" in camera.name]
    assert len(modules) == 3
    for camera in modules:
        for edge in DICE:
            assert camera.lowest(TRAYS[0], edge) <= number("lens") <= camera.highest(edge)


def test_the_pieces_are_those_of_the_sizes():
    sizes = {piece: np.ptp(corners_of(piece), axis=(0, 1)).round(2) for piece in PIECES}
    assert sizes["tray"][0] == TRAYS[0][0] + 2 * number("wall_thick")
    assert sizes["mast"][2] == (number("lens") + number("stack")) / 2
    assert sizes["mast"][0] == number("beam")
    assert sizes["joint"][0] == 2 * number("tongue")
