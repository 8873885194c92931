"""Draw symbols of our own for dice: several of each face, which sets combine.

Each is a list of shapes in a square of 100 x 100, see `vision.simulate.dice.art`.
"""

from collections.abc import Sequence

from vision.simulate.shapes import Disc, Polygon, Polyline, Shape, around, box, star

Face = tuple[Shape, ...]


def ring(x: float, y: float, radius: float, width: float) -> Face:
    """Return a ring, its outer radius and its width."""
    return Disc(x, y, radius), Disc(x, y, radius - width, 0)


def rays(count: int, inner: float, outer: float, width: float, ink: int = 1) -> Face:
    """Return so many lines from an inner to an outer radius."""
    ends = zip(around(count, inner), around(count, outer), strict=True)
    return tuple(Polyline((low, high), width, ink) for low, high in ends)


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


ARROWS: dict[str, Face] = {
    "notched": (
        Polyline(((20, 80), (78, 22)), 6),
        Polygon(((92, 8), (82, 40), (74, 26), (60, 18))),
        Polygon(((34, 54), (46, 66), (24, 92), (22, 78), (8, 76))),
    ),
    "feathers": lines(
        5,
        ((14, 86), (86, 14)),
        ((62, 12), (88, 12), (88, 38)),
        ((14, 66), (34, 66), (34, 86)),
        ((8, 76), (24, 76), (24, 92)),
    ),
    "bow": (
        *lines(5, ((28, 8), (62, 26), (74, 50), (62, 74), (28, 92)), ((28, 8), (28, 92))),
        *lines(5, ((8, 50), (92, 50)), ((80, 38), (93, 50), (80, 62))),
    ),
    "broad": (
        box(8, 43, 62, 57),
        Polygon(((58, 22), (95, 50), (58, 78))),
        Polygon(((4, 34), (24, 43), (24, 57), (4, 66), (12, 50))),
    ),
    "fan": (
        *lines(4, ((50, 96), (50, 20)), ((50, 96), (20, 30)), ((50, 96), (80, 30))),
        star(50, 14, 3, 13, 5),
        star(18, 25, 3, 13, 5),
        star(82, 25, 3, 13, 5),
    ),
    "head": (Polygon(((50, 4), (86, 64), (60, 56), (64, 96), (36, 96), (40, 56), (14, 64))),),
}

DYNAMITES: dict[str, Face] = {
    "stick": (
        Polyline(((26, 76), (62, 40)), 27),
        Polyline(((32, 70), (56, 46)), 6, 0),
        Polyline(((70, 32), (74, 20), (84, 22)), 5),
        star(87, 13, 6, 12, 5),
    ),
    "bundle": (
        box(14, 34, 34, 94),
        box(40, 34, 60, 94),
        box(66, 34, 86, 94),
        box(8, 56, 92, 70, 0),
        box(10, 59, 90, 67),
        Polyline(((50, 34), (52, 20), (70, 14)), 6),
    ),
    "bomb": (
        Disc(44, 60, 33),
        Disc(34, 48, 8, 0),
        box(56, 22, 74, 36),
        Polyline(((66, 26), (78, 16), (88, 20)), 5),
        star(90, 24, 5, 10, 4),
    ),
    "crate": (
        box(8, 30, 92, 92),
        box(15, 37, 85, 85, 0),
        *lines(7, ((15, 37), (85, 85)), ((85, 37), (15, 85))),
        Polyline(((50, 30), (50, 16), (66, 8)), 5),
    ),
    "lined stick": (
        *lines(
            4,
            ((14, 70), (58, 26), (76, 44), (32, 88), (14, 70)),
            ((24, 60), (42, 78)),
            ((48, 36), (66, 54)),
            ((67, 35), (78, 24), (90, 26)),
        ),
        star(90, 14, 8, 10, 4),
    ),
    "spark": (star(50, 50, 9, 49, 22), Disc(50, 50, 13, 0)),
}

BEERS: dict[str, Face] = {
    "mug": (
        box(20, 34, 68, 94),
        Disc(72, 62, 22),
        Disc(72, 62, 12, 0),
        box(20, 34, 68, 94),
        *lines(5, ((33, 50), (33, 82)), ((46, 50), (46, 82)), ((58, 50), (58, 82)), ink=0),
        Polyline(((16, 40), (72, 40)), 4, 0),
        Disc(24, 26, 13),
        Disc(44, 20, 16),
        Disc(64, 26, 13),
    ),
    "glass": (
        *lines(5, ((22, 8), (32, 94), (68, 94), (78, 8)), ((26, 34), (74, 34))),
        Disc(42, 52, 4),
        Disc(56, 64, 4),
        Disc(46, 76, 4),
    ),
    "bottle": (
        box(42, 4, 58, 30),
        Polygon(((42, 28), (58, 28), (70, 46), (70, 96), (30, 96), (30, 46))),
        box(36, 56, 64, 80, 0),
        star(50, 68, 5, 11, 5),
    ),
    "barrel": (
        Polygon(((28, 8), (72, 8), (86, 50), (72, 92), (28, 92), (14, 50))),
        *lines(5, ((20, 30), (80, 30)), ((20, 70), (80, 70)), ((50, 8), (50, 92)), ink=0),
    ),
    "lined mug": (
        *lines(
            4,
            ((20, 34), (20, 92), (64, 92), (64, 34)),
            ((64, 46), (84, 46), (84, 76), (64, 76)),
            ((32, 48), (32, 80)),
            ((42, 48), (42, 80)),
            ((52, 48), (52, 80)),
            ((14, 34), (20, 18), (34, 22), (44, 10), (58, 20), (70, 18), (70, 34), (14, 34)),
        ),
    ),
    "heart": (
        Disc(30, 34, 22),
        Disc(70, 34, 22),
        Polygon(((10, 44), (90, 44), (50, 94))),
        box(22, 28, 78, 50),
        box(45, 30, 55, 66, 0),
        box(32, 43, 68, 53, 0),
    ),
}


def holes(size: float, inner: tuple[float, ...]) -> Face:
    """Three star-shaped holes of eight points, with rings in them by turns left out."""
    places = ((50, 26), (27, 68), (73, 68))
    return tuple(
        star(x, y, 8, size * share, size * share * 0.62, 1 - k % 2)
        for x, y in places
        for k, share in enumerate((1.0, *inner))
    )


GATLINGS: dict[str, Face] = {
    "holes": holes(26, (0.68, 0.38)),
    "drum": (
        Disc(50, 50, 47),
        *(Disc(x, y, 10, 0) for x, y in around(6, 29)),
        Disc(50, 50, 7, 0),
    ),
    "lined drum": (
        *ring(50, 50, 47, 4),
        *(s for x, y in around(6, 29) for s in ring(x, y, 12, 4)),
        *ring(50, 50, 8, 4),
    ),
    "barrels": (
        *(box(10, y, 84, y + 9) for y in (24, 40, 56)),
        box(4, 20, 22, 70),
        box(66, 18, 76, 72),
        Polyline(((22, 70), (36, 94)), 7),
        Polyline(((22, 70), (8, 94)), 7),
    ),
    "cog": (
        *rays(8, 20, 48, 13),
        Disc(50, 50, 36),
        Disc(50, 50, 22, 0),
        Disc(50, 50, 11),
    ),
    "crossed": (
        *lines(9, ((10, 90), (86, 14)), ((90, 90), (14, 14))),
        *lines(11, ((10, 90), (28, 94)), ((90, 90), (72, 94))),
        Disc(50, 50, 10, 0),
    ),
}
