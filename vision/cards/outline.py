"""Find the outline of a card: where two pictures of a tray differ, or alone in an empty tray."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.geometry import Array, Image

Outline = npt.NDArray[np.float64]
"""Corners (4, 2) of a card, x and y in pixels, clockwise from the card's own top left."""

Mask = npt.NDArray[np.bool_]

_LEAST_AREA = 0.004
"""Share of the picture that a card covers at least: seen from twice the height that we advise."""
_MOST_AREA = 0.6
_SHAPES = 0.1
"""By how much the shapes of one deck's cards differ, as the camera's slant shows them."""
_SIZES = (0.8, 0.87, 0.94, 1.0, 1.07, 1.15, 1.25)
"""How large a card is for those that were found, where the camera was moved in between."""
_BOXES = 10
"""Places where four long edges meet that are tried."""
_SAMPLES = 48
"""Places along a side where it is looked for."""
_PAIRS = np.array([(i, j) for i in range(0, 24, 2) for j in range(i + 4, 24, 2)]) / 23.0
"""Pairs of places, in [0, 1], through which lines are tried."""


class PictureChange(NamedTuple):
    """Where a picture differs from the one before."""

    amount: Image
    """(H, W): by how much, in grey levels of the channel that differs most."""
    least: float
    """The amount from which a pixel counts as changed: well above the noise."""
    mask: Mask
    """(H, W): the changed pixels, without specks and without gaps."""


def find_change(before: Image, after: Image) -> PictureChange:
    """Return where two pictures (H, W, 3) of one tray differ, whatever their exposures."""
    amount = np.zeros(before.shape[:2], np.uint8)
    for then, now in zip(cv2.split(before), cv2.split(after), strict=True):
        soft, latest = cv2.GaussianBlur(then, (0, 0), 1.0), cv2.GaussianBlur(now, (0, 0), 1.0)
        lit = cv2.convertScaleAbs(soft, alpha=_ratio(soft, latest))
        amount = np.asarray(cv2.max(amount, cv2.absdiff(latest, lit)), np.uint8)
    least = 12.0 + 4.0 * float(np.median(amount[::4, ::4]))
    _, changed = cv2.threshold(amount, least, 1, cv2.THRESH_BINARY)
    changed = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    half = cv2.resize(changed, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_NEAREST)
    gaps = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))
    closed = cv2.morphologyEx(half, cv2.MORPH_CLOSE, gaps)
    mask = cv2.resize(closed, amount.shape[::-1], interpolation=cv2.INTER_NEAREST)
    return PictureChange(amount, least, mask > 0)


def _ratio(then: cv2.typing.MatLike, now: cv2.typing.MatLike) -> float:
    """Return by how much the light grew; most of the picture shows the same."""
    one, other = then[::4, ::4].astype(np.float32), now[::4, ::4].astype(np.float32)
    lit = (one > 20) & (one < 235) & (other < 235)
    if lit.sum() < 100:
        return 1.0
    ratio = float(np.median(other[lit] / one[lit]))
    return ratio if 0.25 < ratio < 4 else 1.0


class ChangedRegion(NamedTuple):
    """A connected part of what changed."""

    outline: Outline
    """The card that fits it best."""
    mask: Mask
    """(H, W): its pixels."""

    whole: Mask
    """(H, W): the same without holes: what burns in both pictures seems unchanged."""

    @property
    def filled(self) -> float:
        """The share of the outline that has changed."""
        inside = _inside(self.outline, self.mask.shape)
        return float((inside & self.mask).sum() / max(1, inside.sum()))

    def share_of(self, outline: Outline) -> float:
        """Return the share of an outline that has changed, holes included."""
        inside = _inside(outline, self.mask.shape)
        return float((inside & self.whole).sum() / max(1, inside.sum()))


def largest_region(change: PictureChange) -> ChangedRegion | None:
    """Return the largest changed part, and the card that fits it; None if no card could fill it."""
    labels, parts, found, _ = cv2.connectedComponentsWithStats(change.mask.astype(np.uint8))
    if labels < 2:
        return None
    part = 1 + int(np.argmax(found[1:, cv2.CC_STAT_AREA]))
    if found[part, cv2.CC_STAT_AREA] < _LEAST_AREA * change.mask.size:
        return None
    mask = parts == part
    edge = float(found[part, cv2.CC_STAT_AREA]) ** 0.5
    # Without the tails of shadows, which are narrow.
    wide = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round(0.1 * edge) + 1,) * 2)
    edges, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = cv2.drawContours(np.zeros(mask.shape, np.uint8), edges, -1, 1, cv2.FILLED)
    core = cv2.morphologyEx(filled, cv2.MORPH_OPEN, wide)
    hull = cv2.convexHull(cv2.findNonZero(core if core.any() else filled))
    outline = _clockwise(np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), np.float64))
    for reach in (0.12 * edge, 0.06 * edge, 5.0):
        fitted = _fit_to_change(change, outline, reach)
        if 0.7 < _area(fitted) / _area(outline) < 1.4:
            outline = fitted
    return ChangedRegion(tall(outline), np.asarray(mask), filled > 0)


def _fit_to_change(change: PictureChange, outline: Outline, reach: float) -> Outline:
    """Return the outline with its sides where, from outside, the change begins."""
    sides = []
    for start, end in _sides(outline):
        places, offsets = _across(start, end, reach)
        seen = _sample(change.amount, places) > change.least
        # Of each row the outermost changed pixel, unless the change goes on beyond.
        last = seen.shape[1] - 1 - np.argmax(seen[:, ::-1], axis=1)
        ends = seen.any(axis=1) & (last < len(offsets) - 1)
        points = places[ends, last[ends]]
        line = (
            _line(points, np.ones(len(points), np.float32), 1.2)
            if len(points) > _SAMPLES // 4
            else None
        )
        sides.append(line or _StraightLine(start, end - start))
    return _corners(sides, outline)


def lone_outline(picture: Image, shape: float | None = None) -> Outline | None:
    """Return the outline of a card that lies upright and alone; None if there is none.

    Its own top must be at the top of the picture, give or take 20 degrees. shape: about how wide
    the cards are for their height (`shape_of`), if that is known. From contours of edges,
    as markers are found (Garrido-Jurado et al., "Automatic generation and detection of highly
    reliable fiducial markers under occlusion", 2014), of which the outermost is taken that others
    agree with: a card has frames within frames, and its tray has few.
    """
    slopes = _slopes(picture)
    found = [outline for outline in _upright(picture) if _support(slopes, outline) > 0.6]
    if not found:
        return None
    areas = np.array([_area(outline) for outline in found])
    middles = np.array([outline.mean(axis=0) for outline in found])
    apart = np.linalg.norm(middles[:, None] - middles, axis=2)
    alike = (apart < 0.12 * np.sqrt(areas)[:, None]) & (abs(np.log(areas[:, None] / areas)) < 0.35)
    agreed = alike.sum(axis=1)
    largest = np.argsort(-areas)
    chosen = [n for n in largest if agreed[n] >= 0.7 * agreed.max()][:12]
    fitted = [_fit_to_edges(slopes, _fit_to_edges(slopes, found[n], 5), 3) for n in chosen]
    if shape is not None:
        # A pattern of the tray may have led sides astray.
        either = (fitted, [found[n] for n in chosen])
        likely = ([o for o in e if abs(np.log(shape_of(o) / shape)) < _SHAPES] for e in either)
        fitted = next((outlines for outlines in likely if outlines), [])
        if not fitted:
            return None
    return max(fitted, key=lambda outline: _strength(slopes, outline))


def outlines_of_size(picture: Image, size: tuple[float, float]) -> list[Outline]:
    """Return what could be an upright card of about this size: four long edges, the best first.

    size: width and height in pixels. For trays with a pattern, whose lines run on beyond a card's
    sides, so that no contour goes round it.
    """
    small = np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    middle = ((small.shape[1] - 1) / 2, (small.shape[0] - 1) / 2)
    found: list[tuple[float, Outline]] = []
    for angle in range(-14, 15, 2):
        turn = cv2.getRotationMatrix2D(middle, angle, 1.0)
        turned = cv2.warpAffine(small, turn, small.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        right, down = (_strong(slope) for slope in _slopes(np.asarray(turned, np.uint8)))
        back = cv2.invertAffineTransform(turn)
        for scale in _SIZES:
            w, h = (max(8, round(length * scale / 2)) for length in size)
            score, (x, y) = _best_box(right, down, w, h)
            box = np.array([[(x, y), (x + w, y), (x + w, y + h), (x, y + h)]], np.float64)
            found.append((score, 2 * cv2.transform(box, back)[0] + 0.5))
    slopes = _slopes(picture)
    best = sorted(found, key=lambda one: -one[0])[:_BOXES]
    return [_fit_to_edges(slopes, _fit_to_edges(slopes, box, 6), 3) for _, box in best]


def _strong(slope: Array) -> Array:
    """Return how strong edges are, no contrast stronger than that of paper, near each pixel."""
    strength = np.minimum(abs(slope), 60).astype(np.float32)
    return np.asarray(cv2.dilate(strength, np.ones((3, 3), np.uint8)), np.float32)


def _best_box(right: Array, down: Array, w: int, h: int) -> tuple[float, tuple[int, int]]:
    """Return how strong the weakest side of the best upright box is, and its top left."""
    tall, wide = right.shape
    if w + 2 > wide or h + 2 > tall:
        return 0.0, (0, 0)
    # The mean along each side, where it begins.
    upright = cv2.blur(right, (1, h), anchor=(0, 0))
    level = cv2.blur(down, (w, 1), anchor=(0, 0))
    columns, rows = wide - w, tall - h
    sides = (
        upright[:rows, :columns], upright[:rows, w : w + columns],
        level[:rows, :columns], level[h : h + rows, :columns],
    )  # fmt: skip
    _, score, _, (x, y) = cv2.minMaxLoc(np.minimum.reduce(sides))
    return float(score), (int(x), int(y))


def _upright(picture: Image) -> list[Outline]:
    """Return upright shapes of four corners that could be a card."""
    pixels = picture.shape[0] * picture.shape[1]
    found: list[Outline] = []
    for channel in cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)):
        soft = cv2.GaussianBlur(channel, (0, 0), 1.2)
        for low, high in ((10, 30), (25, 70), (50, 120)):
            edges = cv2.Canny(soft, low, high)
            for gap in (1, 3, 5):
                closed = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8))
                shapes, _ = cv2.findContours(closed, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
                for shape in shapes:
                    if len(shape) < 100:
                        continue
                    hull = cv2.convexHull(shape)
                    area = cv2.contourArea(hull)
                    if not _LEAST_AREA * pixels < area < _MOST_AREA * pixels:
                        continue
                    corners = cv2.approxPolyDP(hull, 0.03 * cv2.arcLength(hull, True), True)[:, 0]
                    if len(corners) == 4 and _area(corners) > 0.83 * area:
                        outline = _clockwise(corners.astype(np.float64))
                        outline = np.roll(outline, -int(np.argmin(outline.sum(axis=1))), axis=0)
                        if _looks_upright(outline):
                            found.append(outline)
    return found


def _looks_upright(outline: Outline) -> bool:
    right = outline[1] - outline[0] + outline[2] - outline[3]
    down = outline[3] - outline[0] + outline[2] - outline[1]
    across, along = np.linalg.norm(right), np.linalg.norm(down)
    turned = abs(np.degrees(np.arctan2(right[1], right[0])))
    return bool(0.55 < across / along < 0.9 and turned < 20)


_Slopes = tuple[Array, Array]
"""How fast the strongest channel changes to the right and downwards, (H, W) each."""


def _slopes(picture: Image) -> _Slopes:
    soft = cv2.GaussianBlur(picture, (0, 0), 1.0).astype(np.float32)
    right, down = cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)
    strongest = np.argmax(right**2 + down**2, axis=2)[..., None]
    taken = [np.take_along_axis(each, strongest, axis=2)[..., 0] for each in (right, down)]
    return np.asarray(taken[0], np.float32), np.asarray(taken[1], np.float32)


def _across_slope(slopes: _Slopes, places: Array, start: Outline, end: Outline) -> Array:
    """Return how fast the picture changes across a side at places (n, m, 2)."""
    normal = _outwards(start, end)
    right, down = (_sample(slope, places) for slope in slopes)
    return np.asarray(right * normal[0] + down * normal[1], np.float32)


def _support(slopes: _Slopes, outline: Outline) -> float:
    """Return the share of the worst side that lies on an edge of the picture."""
    shares = []
    for start, end in _sides(outline):
        places, _ = _across(start, end, 2, 1.0)
        strongest = abs(_across_slope(slopes, places, start, end)).max(axis=1)
        shares.append(float((strongest > 25).mean()))
    return min(shares)


def _strength(slopes: _Slopes, outline: Outline) -> float:
    """Return how strong and how even the edge along the worst side is, times the card's size."""
    even = []
    for start, end in _sides(outline):
        places, _ = _across(start, end, 0.5)
        slope = _across_slope(slopes, places, start, end).mean(axis=1)
        even.append(float(np.minimum(abs(slope), 60).mean() * abs(np.sign(slope).mean())))
    return float(min(even) * _area(outline) ** 0.5)


def _fit_to_edges(slopes: _Slopes, outline: Outline, reach: float) -> Outline:
    """Return the outline with its sides on the strongest straight edges near them."""
    sides = []
    for start, end in _sides(outline):
        places, offsets = _across(start, end, reach)
        slope = abs(_across_slope(slopes, places, start, end))
        inner = slope[:, 1:-1]
        peaks = (inner >= slope[:, :-2]) & (inner >= slope[:, 2:])
        peaks &= inner > 0.5 * np.median(slope.max(axis=1))
        rows, columns = np.nonzero(peaks)
        weights = np.minimum(inner[rows, columns], 60) * (1 + 0.03 * offsets[columns + 1])
        points = places[rows, columns + 1]
        line = _line(points, weights, 1.0) if len(points) > _SAMPLES // 4 else None
        sides.append(line or _StraightLine(start, end - start))
    return _corners(sides, outline)


class _StraightLine(NamedTuple):
    """A straight line: a point on it, and its direction."""

    point: Outline
    along: Outline


def _line(points: Array, weights: Array, tolerance: float) -> _StraightLine | None:
    """Return the line near which most of the points (n, 2) lie; tolerance in pixels.

    By trying lines through pairs of them, as RANSAC does (Fischler and Bolles, 1981), but always
    through the same pairs, so that a picture always gives the same outline.
    """
    pairs = np.rint(_PAIRS * (len(points) - 1)).astype(int)
    start, along = points[pairs[:, 0]], points[pairs[:, 1]] - points[pairs[:, 0]]
    length = np.linalg.norm(along, axis=1)
    start, along = start[length > 5], along[length > 5] / length[length > 5, None]
    if not len(along):
        return None
    off = points - start[:, None]
    near = abs(off[..., 0] * along[:, 1:] - off[..., 1] * along[:, :1]) < tolerance
    best = near[int(np.argmax((near * weights).sum(axis=1)))]
    chosen = points[best].astype(np.float64)
    middle = chosen.mean(axis=0)
    direction = np.linalg.svd(chosen - middle)[2][0]
    return _StraightLine(middle, direction)


def _corners(sides: Sequence[_StraightLine], otherwise: Outline) -> Outline:
    """Return where neighbouring sides meet; `otherwise` if two hardly do."""
    corners = []
    for number, side in enumerate(sides):
        before = sides[number - 1]
        matrix = np.stack([before.along, -side.along], axis=1)
        lengths = np.linalg.norm(matrix, axis=0)
        if abs(np.linalg.det(matrix / lengths)) < 0.5:
            return otherwise
        corners.append(
            before.point + np.linalg.solve(matrix, side.point - before.point)[0] * before.along
        )
    return np.array(corners)


def _sides(outline: Outline) -> list[tuple[Outline, Outline]]:
    return [(outline[n], outline[(n + 1) % 4]) for n in range(4)]


def _outwards(start: Outline, end: Outline) -> Outline:
    """Return the unit vector that points out of a card across a side."""
    along = (end - start) / np.linalg.norm(end - start)
    return np.array([along[1], -along[0]])


def _across(start: Outline, end: Outline, reach: float, step: float = 0.5) -> tuple[Array, Array]:
    """Return places (n, m, 2) along a side and across it, and their m offsets, outwards."""
    offsets = np.arange(-reach, reach + step / 2, step)
    along = start + np.linspace(0.06, 0.94, _SAMPLES)[:, None] * (end - start)
    places = along[:, None] + offsets[:, None] * _outwards(start, end)
    return places.astype(np.float32), offsets.astype(np.float32)


def _sample(values: cv2.typing.MatLike, places: Array) -> Array:
    """Return the values (n, m) between the pixels at places (n, m, 2)."""
    return np.asarray(
        cv2.remap(values, places[..., 0], places[..., 1], cv2.INTER_LINEAR), np.float32
    )


def _area(outline: npt.NDArray[np.floating | np.integer]) -> float:
    return float(cv2.contourArea(outline.astype(np.float32)))


def _clockwise(outline: Outline) -> Outline:
    clockwise = cv2.contourArea(outline.astype(np.float32), True) > 0
    return outline if clockwise else np.asarray(outline[::-1])


def tall(outline: Outline) -> Outline:
    """Return an outline that begins with a short side: the card's top, or its bottom."""
    lengths = np.linalg.norm(outline - np.roll(outline, -1, axis=0), axis=1)
    return outline if lengths[::2].sum() < lengths[1::2].sum() else np.roll(outline, -1, axis=0)


def shape_of(outline: Outline) -> float:
    """Return the width of an outline for its height."""
    lengths = np.linalg.norm(outline - np.roll(outline, -1, axis=0), axis=1)
    return float(lengths[::2].sum() / lengths[1::2].sum())


def covers(outline: Outline, mask: Mask, wider: float = 1.0) -> float:
    """Return the share of a mask (H, W) that lies in an outline made `wider`."""
    middle = outline.mean(axis=0)
    inside = _inside(middle + (outline - middle) * wider, mask.shape)
    return float((mask & inside).sum() / max(1, mask.sum()))


def _inside(outline: Outline, shape: tuple[int, ...]) -> Mask:
    corners = np.rint(outline).astype(np.int32)
    return cv2.fillConvexPoly(np.zeros(shape, np.uint8), corners, 1) > 0
