"""Symbols of our own for dice: several of each face, which sets combine."""

from pathlib import Path

from vision.simulate.shapes import Drawing, read_drawings

Face = Drawing

_DRAWINGS = read_drawings(Path(__file__).with_name("drawings.toml"))
ARROWS, DYNAMITES, TARGETS, ONES, TWOS, BEERS, GATLINGS = (
    _DRAWINGS[face]
    for face in ("arrows", "dynamites", "targets", "ones", "twos", "beers", "gatlings")
)
"""By name; a target is what lies around a digit, of the ones or twos."""
