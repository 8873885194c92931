"""Draw symbols of our own for dice: several of each face, which sets combine.

The digits in targets are drawn here, all else in drawings.toml.
"""

from collections.abc import Sequence
from pathlib import Path

from vision.simulate.shapes import Disc, Drawing, Polyline, read_drawings

Face = Drawing


def lines(width: float, *ways: Sequence[tuple[float, float]], ink: int = 1) -> Face:
    """Return lines of one width."""
    return tuple(Polyline(tuple(way), width, ink) for way in ways)


# Digits, with slab serifs, without, as Roman numerals and as points.

TWO = ((37, 42), (40, 33), (50, 29), (60, 33), (62, 43), (57, 51), (38, 70))


def slab(digit: int, width: float = 9, ink: int = 1) -> Face:
    """Return a one or a two with slab serifs."""
    if digit == 1:
        ways = [((41, 37), (51, 30), (51, 70)), ((38, 70), (64, 70))]
    else:
        ways = [TWO, ((37, 70), (63, 70), (63, 63)), ((37, 38), (37, 45))]
    return lines(width, *ways, ink=ink)


def plain(digit: int, width: float = 7, ink: int = 1) -> Face:
    """Return a one or a two without serifs."""
    if digit == 1:
        return lines(width, ((42, 38), (52, 30), (52, 72)), ink=ink)
    return lines(width, (*TWO, (64, 70)), ink=ink)


def roman(digit: int, width: float = 7, ink: int = 1) -> Face:
    """Return a Roman one or two."""
    bars = (50,) if digit == 1 else (42, 58)
    upright = [((x, 34), (x, 66)) for x in bars]
    ends = [((bars[0] - 8, y), (bars[-1] + 8, y)) for y in (34, 66)]
    return lines(width, *upright, *ends, ink=ink)


def points(digit: int, radius: float = 9, ink: int = 1) -> Face:
    """Return one or two points."""
    places = ((50, 50),) if digit == 1 else ((39, 50), (61, 50))
    return tuple(Disc(x, y, radius, ink) for x, y in places)


_DRAWINGS = read_drawings(Path(__file__).with_name("drawings.toml"))
ARROWS, DYNAMITES, TARGETS, BEERS, GATLINGS = (
    _DRAWINGS[face] for face in ("arrows", "dynamites", "targets", "beers", "gatlings")
)
"""By name; a target is what lies around the digit."""
