"""Draw symbols of our own for dice: several of each face, which sets combine.

Digits and the targets around them are drawn here, all else in drawings.toml.
"""

from collections.abc import Sequence
from pathlib import Path

from vision.simulate.shapes import Disc, Drawing, Polyline, box, rays, read_drawings, star

Face = Drawing


def ring(x: float, y: float, radius: float, width: float) -> Face:
    """Return a ring, its outer radius and its width."""
    return Disc(x, y, radius), Disc(x, y, radius - width, 0)


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


# Targets, around any of these.


def thick_target(sign: Face, width: float = 11) -> Face:
    """A ring of most of the face, with four ticks across it."""
    return (*ring(50, 50, 43, width), *rays(4, 29, 49, 7), *sign)


def thin_targets(sign: Face) -> Face:
    """Return two thin rings around a sign."""
    return (*ring(50, 50, 46, 4), *ring(50, 50, 36, 4), *sign)


def cross_hairs(sign: Face) -> Face:
    """Return a ring around a sign, with four long ticks across it."""
    return (*ring(50, 50, 36, 5), *rays(4, 27, 50, 5), *sign)


def square_target(sign: Face) -> Face:
    """Return a square frame around a sign."""
    return (box(6, 6, 94, 94), box(15, 15, 85, 85, 0), *sign)


def badge(sign: Face) -> Face:
    """A dark star, with the sign left out."""
    return (star(50, 51, 6, 49, 36), *sign)


def spikes(sign: Face) -> Face:
    """Return a small ring around a sign, with twelve rays outside."""
    return (*rays(12, 34, 48, 5), *ring(50, 50, 34, 4), *sign)


_DRAWINGS = read_drawings(Path(__file__).with_name("drawings.toml"))
ARROWS, DYNAMITES, BEERS, GATLINGS = (
    _DRAWINGS[face] for face in ("arrows", "dynamites", "beers", "gatlings")
)
