"""Find the outline of a card that lies alone in a tray."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from vision.cards.sides import (
    SAMPLES,
    Outline,
    StraightLine,
    area_of,
    fit_line,
    has_card_shape,
    intersect,
    order_clockwise,
    outward_normal,
    places_across,
    sample,
    shape_of,
    sides_of,
)
from vision.imaging.geometry import Array, Image

LEAST_AREA = 0.004
"""Share of the picture that a card covers at least: seen from twice the height that we advise."""
_SHAPES = 0.1
"""By how much the shapes of one deck's cards differ, as the camera's slant shows them."""
_SIZES = 1.07 ** np.arange(-3, 4)
"""How large a card is for those that were found, where the camera was moved in between."""
_ROUND = 6
"""Pixels around an outline that are looked at with it."""
_TRIED = 10
"""Outlines of one place that are fitted to edges, and places that are looked at."""


class LikelyOutlines(NamedTuple):
    """Outlines of what may be one card, each with how strong and even its edges are."""

    fitted: list[tuple[float, Outline]]
    """With their sides on the strongest edges near them."""
    found: list[tuple[float, Outline]]
    """As they were found."""


def lone_outline(picture: Image) -> Outline | None:
    """Return the outline of a card that lies alone; None if there is none.

    Its own top must be at the top of the picture, give or take 20 degrees.
    """
    return best_outline(likely_outlines(picture))


def turned_outlines(picture: Image) -> Iterator[Outline]:
    """Yield what may be a card at any turn, one outline for each place, the most certain first.

    Trays and frames have the shape of a card, too. An outline may begin at its bottom right.
    """
    slopes = _slopes(picture)
    found = _find_edged(slopes, picture, _turn_upright)
    for _ in range(_TRIED):
        chosen, found = _agreed_outlines(found)
        best = best_outline(_fit_outlines(slopes, chosen))
        if best is None:
            return
        yield best


def likely_outlines(picture: Image) -> LikelyOutlines:
    """Return what may be the outline of a card that lies alone.

    From contours of edges, as markers are found (Garrido-Jurado et al., "Automatic generation and
    detection of highly reliable fiducial markers under occlusion", 2014), of which the outermost
    is taken that others agree with: a card has frames within frames, and its tray has few.
    """
    slopes = _slopes(picture)
    chosen, _ = _agreed_outlines(_find_edged(slopes, picture, _keep_upright))
    return _fit_outlines(slopes, chosen)


def _find_edged(
    slopes: _Slopes, picture: Image, lying: Callable[[Outline], Outline | None]
) -> list[Outline]:
    """Return shapes that could be a card and have an edge on all sides; lying: of which turn."""
    return [each for each in _find_shapes(picture, lying) if _support(slopes, each) > 0.6]


def _agreed_outlines(found: list[Outline]) -> tuple[list[Outline], list[Outline]]:
    """Return the largest outlines that others agree with, and those that lie elsewhere."""
    if not found:
        return [], []
    areas = np.array([area_of(outline) for outline in found])
    middles = np.array([outline.mean(axis=0) for outline in found])
    apart = np.linalg.norm(middles[:, None] - middles, axis=2)
    alike = (apart < 0.12 * np.sqrt(areas)[:, None]) & (abs(np.log(areas[:, None] / areas)) < 0.35)
    agreed = alike.sum(axis=1)
    chosen = [n for n in np.argsort(-areas) if agreed[n] >= 0.7 * agreed.max()][:_TRIED]
    elsewhere = ~alike[chosen].any(axis=0)
    return [found[n] for n in chosen], [found[n] for n in np.flatnonzero(elsewhere)]


def _fit_outlines(slopes: _Slopes, chosen: Sequence[Outline]) -> LikelyOutlines:
    """Return outlines, as they were found and fitted to edges, with their strengths."""
    fitted = [_fit_to_edges(slopes, _fit_to_edges(slopes, each, 5), 3) for each in chosen]
    return LikelyOutlines(
        *([(_strength(slopes, each), each) for each in either] for either in (fitted, chosen))
    )


def best_outline(likely: LikelyOutlines, shape: float | None = None) -> Outline | None:
    """Return the strongest of likely outlines; None if there is none.

    shape: about how wide the cards are for their height (`shape_of`), if that is known.
    """
    best = likely.fitted
    if shape is not None:
        # A pattern of the tray may have led sides astray.
        shaped = (
            [one for one in either if abs(np.log(shape_of(one[1]) / shape)) < _SHAPES]
            for either in likely
        )
        best = next((outlines for outlines in shaped if outlines), [])
    return max(best, key=lambda one: one[0])[1] if best else None


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
        right, down = (_edge_strengths(slope) for slope in _slopes(np.asarray(turned, np.uint8)))
        back = cv2.invertAffineTransform(turn)
        for scale in _SIZES:
            w, h = (max(8, round(length * scale / 2)) for length in size)
            score, (x, y) = _best_box(right, down, w, h)
            box = np.array([[(x, y), (x + w, y), (x + w, y + h), (x, y + h)]], np.float64)
            found.append((score, 2 * cv2.transform(box, back)[0] + 0.5))
    slopes = _slopes(picture)
    best = sorted(found, key=lambda one: -one[0])[:_TRIED]
    return [_fit_to_edges(slopes, _fit_to_edges(slopes, box, 6), 3) for _, box in best]


def fit_to_edges(picture: Image, outline: Outline) -> Outline:
    """Return an outline with its sides on the strongest straight edges close to them."""
    return _fit_to_edges(_slopes(picture), outline, 5)


def edge_share(picture: Image, outline: Outline) -> float:
    """Return the share of an outline's worst side along which a picture has an edge."""
    left, top = np.maximum(np.floor(outline.min(axis=0)).astype(int) - _ROUND, 0)
    right, bottom = np.ceil(outline.max(axis=0)).astype(int) + _ROUND
    part = picture[top : max(top + 1, bottom), left : max(left + 1, right)]
    if not part.size:
        return 0.0
    return _support(_slopes(part), outline - (left, top), 3)


def _edge_strengths(slope: Array) -> Array:
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


def _find_shapes(picture: Image, lying: Callable[[Outline], Outline | None]) -> list[Outline]:
    """Return shapes of four corners that could be a card. lying: of which turn."""
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
                    if area < LEAST_AREA * pixels:
                        continue
                    corners = cv2.approxPolyDP(hull, 0.03 * cv2.arcLength(hull, True), True)[:, 0]
                    if len(corners) == 4 and area_of(corners) > 0.83 * area:
                        outline = order_clockwise(corners.astype(np.float64))
                        outline = np.roll(outline, -int(np.argmin(outline.sum(axis=1))), axis=0)
                        if (card := lying(outline)) is not None:
                            found.append(card)
    return found


def _keep_upright(outline: Outline) -> Outline | None:
    """Return an outline whose first side is at the top; None if it is none of an upright card."""
    right, down = outline[1] - outline[0] + outline[2] - outline[3]
    upright = abs(np.degrees(np.arctan2(down, right))) < 20
    return outline if upright and has_card_shape(outline) else None


def _turn_upright(outline: Outline) -> Outline | None:
    """Return an outline from one of its narrow sides on; None if it is none of a card."""
    rolled = np.roll(outline, 1, axis=0)
    return next((each for each in (outline, rolled) if has_card_shape(each)), None)


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
    normal = outward_normal(start, end)
    right, down = (sample(slope, places) for slope in slopes)
    return np.asarray(right * normal[0] + down * normal[1], np.float32)


def _support(slopes: _Slopes, outline: Outline, reach: float = 2) -> float:
    """Return the share of the worst side that lies on an edge of the picture."""
    shares = []
    for start, end in sides_of(outline):
        places, _ = places_across(start, end, reach, 1.0)
        strongest = abs(_across_slope(slopes, places, start, end)).max(axis=1)
        shares.append(float((strongest > 25).mean()))
    return min(shares)


def _strength(slopes: _Slopes, outline: Outline) -> float:
    """Return how strong and how even the edge along the worst side is, times the card's size."""
    even = []
    for start, end in sides_of(outline):
        places, _ = places_across(start, end, 0.5)
        slope = _across_slope(slopes, places, start, end).mean(axis=1)
        even.append(float(np.minimum(abs(slope), 60).mean() * abs(np.sign(slope).mean())))
    return float(min(even) * area_of(outline) ** 0.5)


def _fit_to_edges(slopes: _Slopes, outline: Outline, reach: float) -> Outline:
    """Return the outline with its sides on the strongest straight edges near them."""
    sides = []
    for start, end in sides_of(outline):
        places, offsets = places_across(start, end, reach)
        slope = abs(_across_slope(slopes, places, start, end))
        inner = slope[:, 1:-1]
        peaks = (inner >= slope[:, :-2]) & (inner >= slope[:, 2:])
        peaks &= inner > 0.5 * np.median(slope.max(axis=1))
        rows, columns = np.nonzero(peaks)
        weights = np.minimum(inner[rows, columns], 60) * (1 + 0.03 * offsets[columns + 1])
        points = places[rows, columns + 1]
        line = fit_line(points, weights, 1.0) if len(points) > SAMPLES // 4 else None
        sides.append(line or StraightLine(start, end - start))
    return intersect(sides, outline)
